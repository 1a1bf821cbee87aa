"""Items written by a model from blinded views of the project's reports."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from app import PROGRAM
from app.studies.mmrarebench.asking import pictures_of
from app.studies.mmrarebench.audit import evidence_of, faults
from app.studies.mmrarebench.items import Harvest, drawn_id, finished, labelled
from app.studies.mmrarebench.judging import templates
from app.studies.mmrarebench.nomenclature import group_of
from app.studies.mmrarebench.tracks import T1, T2, T3, T4, TRACKS, picture_names, writer_of
from app.studies.mmrarebench.verifying import standing
from app.studies.results import Item
from app.studies.study import Ask, Building, Built, CaseView
from app.text import counted
from extractors.blinding.view import View
from extractors.model.errors import CallError
from extractors.model.progress import Progress
from extractors.tasks.base import PICTURE_MARK, Prompt, Reading, object_schema
from extractors.tasks.forms import json_in
from extractors.tasks.neutral import neutralised
from extractors.tasks.pictures import PictureError, whole_picture

_TOKENS = 2048
_FIELDS = ("question", "answer", "target", "evidence")


@dataclass(frozen=True, slots=True)
class Written:
    """The reply of a writer: one object with all that an item needs."""

    track: str

    def schema(self) -> dict[str, Any]:
        """Question, answer, target by track, and two to five claims."""
        text = {"type": "string"}
        listed = {"type": "array", "items": text, "minItems": 1}
        target = text if self.track in (T1, T3) else listed
        claim = object_schema(dict.fromkeys(("claim", "block", "quote"), text))
        evidence = {"type": "array", "items": claim, "minItems": 2, "maxItems": 5}
        return object_schema({"question": text, "answer": text, "target": target, "evidence": evidence})

    def read(self, text: str) -> Reading:
        """The object; whether it is any good is for the audit to say."""
        value = json_in(text)
        if not isinstance(value, dict) or not set(_FIELDS) <= set(value):
            return Reading(False, ("The reply is no item with question, answer, target and evidence.",))
        return Reading(True, (), {name: value[name] for name in _FIELDS})


def _cuts(request: Building) -> dict[str, int]:
    """Where people want T4 to end, by report; raises CallError for what says no place."""
    cuts = {}
    for given in request.settings.get("cut") or ():
        report, _, place = str(given).rpartition("=")
        if not (report and place.isdecimal()):
            raise CallError(f"{given!r} is no place in a report; write REPORT=OFFSET, as in PMC123=1500.")
        cuts[report] = int(place)
    return cuts


def by_model(request: Building) -> Generator[Progress, None, Built]:
    """Have a model write an item for each report and track that has a view, and hold it against the audit.

    Raises CallError where no report has a view, and what asking a model raises.
    """
    harvest, sources = Harvest(), list[dict[str, Any]]()
    drafts: list[Item] = []
    cases: dict[tuple[str, str], CaseView] = {}
    yield Progress(0, 0, "blinding")
    for case in request.views(request.tasks or TRACKS, request.settings["profile"], _cuts(request)):
        yield Progress(len(drafts), 0, "drafting")
        track = case.view.track
        name = drawn_id(request.seed, case.report, track)
        draft = _draft(name, case, request, harvest)
        if draft is not None:
            drafts.append(draft)
            cases[track, name] = case
    if not drafts and not harvest.refused:
        raise CallError(
            "No report has a view to write from: reports need a diagnosis (casespan anchor) and pictures; or "
            "name items of your own with --from."
        )
    writer = str(request.settings.get("model") or "")
    written = (yield from request.ask(writer, drafts, _how(request, cases))) if drafts else {}
    for draft in drafts:
        case = cases[draft.task, draft.id]
        _take(harvest, draft, case, written.get((draft.task, draft.id)), request)
        audit = case.view.audit
        about = {"version": audit.nomenclature, "sha256": audit.sha256, "licence": case.licence}
        sources.append({"file": f"report {len(sources) + 1}", **about, "rows": 1})
    rebuilt = _rebuilt(request, harvest)
    built = finished(request, harvest, sources, list(rebuilt))
    audits = [
        {"track": track, "report": case.report, "leakage_audit": case.view.audit_record(PROGRAM)}
        for (track, _), case in cases.items()
    ]
    verified = dict(request.built.get("verified") or {})
    cut_anew = {"verdict": "edit", "reason": "its view was cut anew", "by": "casespan"}
    verified |= {old: {**cut_anew, "instead": new} for old, new in rebuilt.items()}
    details = {**built.details, "audits": audits, "verified": verified}
    notes = [*built.notes, *([f"{counted(len(rebuilt), 'item')} rebuilt from new views."] if rebuilt else [])]
    return replace(built, details=details, notes=notes)


def _rebuilt(request: Building, harvest: Harvest) -> dict[str, str]:
    """Items of another view of the same report and track, or of the same writer, with those that take their
    place; what two writers make of one view stands side by side."""
    found = {}
    for old in standing(request.there, {"built": request.built}):
        for new in harvest.items:
            if (old.task, old.reference.get("report")) != (new.task, new.reference["report"]):
                continue
            same_view = old.reference.get("view") == new.reference["view"]
            if new.id != old.id and (not same_view or writer_of(old) == writer_of(new)):
                found[f"{old.task}/{old.id}"] = new.id
    return found


def _draft(name: str, case: CaseView, request: Building, harvest: Harvest) -> Item | None:
    """What is shown to the writer: the view with the names of its blocks, and its pictures; None where the
    view is refused."""
    view = case.view
    if view.state != "ready":
        harvest.refuse(name, case.report, view.track, [f"view: {view.reason}"])
        return None
    pictures, reasons = [], list[str]()
    for place, one in enumerate(view.pictures, start=1):
        try:
            data = request.picture(one.sha256)
            if data is None:
                raise PictureError("it is not in the project")
            size = whole_picture(data)
        except PictureError as error:
            reasons.append(f"pictures: picture {place}: {error}")
            continue
        kind = case.modalities.get(one.figure, "other")
        shown = {"name": one.name, "sha256": one.sha256, "modality": kind}
        pictures.append({**shown, **size._asdict()})
    if not pictures:
        reasons.append("pictures: the view has none")
    if reasons:
        harvest.refuse(name, case.report, view.track, reasons)
        return None
    given = {"narrative": view.text, "pictures": pictures}
    return Item(name, view.track, {**given, **({"diagnosis": view.diagnosis} if view.track == T2 else {})})


def _how(request: Building, cases: Mapping[tuple[str, str], CaseView]) -> Ask:
    words = templates()

    def prompt(item: Item, _: Any, __: str) -> Prompt:  # noqa: ANN401
        case = cases[item.task, item.id]
        pictures = pictures_of(item, partial(_bytes, request))
        block = f"<report>\n{_blocks(case.view)}\n</report>\n\n"
        names = "\n".join(f"{name}: {PICTURE_MARK}" for name in picture_names(item))
        ask = words.render("write", track=item.task, diagnosis=neutralised(case.label)[0])
        return Prompt(
            words.render("writer"), f"{block}{names}\n\n{ask}", Written(item.task), len(block), pictures
        )

    return Ask(prompt, words.version, reply_tokens=_TOKENS, pictures=True)


def _bytes(request: Building, sha256: str) -> bytes:
    data = request.picture(sha256)
    if data is None:
        raise CallError(f"There is no picture {sha256[:12]} in the project any more.")
    return data


def _blocks(view: View) -> str:
    """The blocks of a view, each behind its name."""
    return "\n\n".join(
        f"[{one.name}] {neutralised(view.text[one.start : one.end])[0]}" for one in view.blocks
    )


def _take(harvest: Harvest, draft: Item, case: CaseView, written: Any, request: Building) -> None:  # noqa: ANN401
    """What the writer made of a view, as an item, or why it is none."""
    if not isinstance(written, dict):
        harvest.refuse(draft.id, case.report, draft.task, ["schema: the writer's reply could not be read"])
        return
    values = json.loads(json.dumps(written))
    aliases = [one for one in dict.fromkeys(case.aliases) if one != case.label]
    reference = {
        "answer": case.label if draft.task == T1 else values["answer"],
        "code": case.code or None,
        "aliases": aliases if draft.task in (T1, T4) else [],
        "target": values["target"] if draft.task != T1 else case.label,
        "evidence": _evidence(values["evidence"], case.report),
        "report": case.report,
        "view": case.view.audit.sha256,
    }
    if draft.task == T4:
        reference |= {"aliases": [case.label, *aliases], "cut": case.view.cut}
    labels = {"writer": request.settings.get("model") or "recorded replies", "profile": case.view.profile}
    group = group_of(case.code)
    labels |= {"group": group} if group else {}
    shown = {"question": values["question"], **draft.input}
    # Named by what is in it: another reply, or another name to be hidden, makes another item.
    name = drawn_id(request.seed, draft.task, json.dumps([shown, reference, labels], sort_keys=True))
    item = Item(name, draft.task, shown, reference, labels)
    reasons = faults(item, evidence_of(item, request))
    if reasons:
        harvest.refuse(draft.id, case.report, draft.task, reasons)
        return
    harvest.items.append(labelled(item))
    for one in draft.input["pictures"]:
        harvest.pictures[one["sha256"]] = _bytes(request, one["sha256"])


def _evidence(evidence: Any, report: str) -> Any:  # noqa: ANN401 (what a model wrote)
    """Claims with blocks called as the report's are: PMC123#p14."""
    if not isinstance(evidence, Sequence) or isinstance(evidence, str):
        return evidence
    return [
        {**one, "block": f"{report}#{str(one.get('block', '')).strip('[]').rpartition('#')[2]}"}
        if isinstance(one, dict)
        else one
        for one in evidence
    ]
