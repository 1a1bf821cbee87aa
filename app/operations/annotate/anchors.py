"""What a report is about: a disorder of Orphanet, proposed by its words or said by a person."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypedDict

from app.operations.project.sets import actor, require_person
from app.store.act import Act, begin_act
from app.store.annotate.anchors import AnchorState, StoredAnchor, anchors, put_anchor, remove_anchor
from app.store.reports.documents import StoredDocument, document, documents
from extractors.blinding.anchor import Disorders, Proposal, propose
from extractors.blinding.case import Case
from extractors.blinding.forms import Alias, Hint
from extractors.blinding.masking import Diagnosis
from extractors.model.coding import Coding
from extractors.model.errors import CallError, UnknownNameError
from extractors.model.progress import Progress, at_once
from extractors.terminology.exact import exact_names
from extractors.terminology.library import ORPHANET, open_terminology
from extractors.terminology.search import Search

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.terminology.index import Terminology

_RULES = "rules"
_LONGEST_ALIAS = 200


class Place(TypedDict):
    """A place that speaks for a diagnosis, in code points of the text (None: its title), and why."""

    start: int | None
    end: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """What a report (key) is about. `state` is "none" also where nobody has said or proposed anything yet.

    `others` are codes that it names as well; `by` says who said so, None for nobody.
    """

    report: str
    state: AnchorState
    code: str | None = None
    label: str | None = None
    aliases: tuple[str, ...] = ()
    evidence: tuple[Place, ...] = ()
    others: tuple[str, ...] = ()
    by: str | None = None

    @property
    def reasons(self) -> str:
        """Why, each reason once."""
        return "; ".join(dict.fromkeys(one["why"] for one in self.evidence))


_of = lru_cache(maxsize=2)(Disorders)
_search = lru_cache(maxsize=1)(Search)


def disorders() -> Disorders:
    """The newest Orphanet that was imported; raises UnknownNameError where there is none."""
    return _of(open_terminology(ORPHANET))


def find_disorders(typed: str, limit: int) -> dict[str, str]:
    """The disorders (label, code) that have a name which is, begins with or holds what was typed, best first;
    raises UnknownNameError where there is no Orphanet."""
    return {hit.label: hit.code for hit in _search(disorders().terminology).find(typed, limit)}


def list_anchors(project: Project, reports: Sequence[str] = ()) -> tuple[Anchor, ...]:
    """What reports (keys) are about, all of them by default; raises UnknownNameError."""
    known = anchors(project)
    return tuple(_shown(one, known.get(one.uuid)) for one in _chosen(project, reports))


def proposing_anchors(
    project: Project, reports: Sequence[str] = (), by: str = ""
) -> Generator[Progress, None, tuple[Anchor, ...]]:
    """Propose what reports are about by where they name disorders; what a person said stays.

    Proposals that the nomenclature of now would not make are made anew, or go. One step of undo. Raises
    UnknownNameError where Orphanet or a report is not there.
    """
    names, person = disorders(), _person(project, by)
    chosen, known = _chosen(project, reports), anchors(project)
    found: list[tuple[StoredDocument, tuple[Coding, dict[str, Any]] | None]] = []
    for done, report in enumerate(chosen, 1):
        before = known.get(report.uuid)
        if before is None or _is_outdated(before, names.terminology):
            proposal = propose(Case(report.document), names)
            now = _proposed(before, proposal, names) if proposal else None
            kept = before and now is None and not before.details.keys().isdisjoint(("cut", "added"))
            if not kept and now != (before and (before.coding, before.details)):
                found.append((report, now))
        yield Progress(done, len(chosen), "reports read")
    if found:
        with begin_act(project, "propose diagnoses", person) as act:
            for report, now in found:
                if now is None:
                    remove_anchor(act, report.uuid)
                else:
                    put_anchor(act, report.uuid, "proposed", *now)
    return list_anchors(project, reports)


propose_anchors = at_once(proposing_anchors)


def _is_outdated(before: StoredAnchor, terminology: Terminology) -> bool:
    """Whether a proposal may be made anew: the rules' own, and a model's from another release."""
    by_rules = before.details.get("by") == _RULES
    return before.state == "proposed" and (by_rules or before.coding.release != terminology.release)


def _proposed(
    before: StoredAnchor | None, proposal: Proposal, names: Disorders
) -> tuple[Coding, dict[str, Any]]:
    """What is stored of a proposal, with what persons said beside the one before."""
    coding, details = _coding_of(names, before, proposal.code, "model", _RULES)
    places = [[one.start, one.end, one.reason] for one in proposal.evidence]
    return coding, {**details, "evidence": places, "others": list(proposal.others)}


def _kept(before: StoredAnchor | None, code: str) -> dict[str, Any]:
    """What stays where a code takes the place of what was said before: T4's end, what else the report names,
    and of the same code where it does, and names that persons gave."""
    if before is None:
        return {}
    keys = ("cut", "added", "evidence") if before.coding.code == code else ("cut",)
    others = dict.fromkeys([before.coding.code, *before.details.get("others", [])])
    kept = {key: before.details[key] for key in keys if key in before.details}
    return {"others": [one for one in others if one and one != code], **kept}


def set_anchor(
    project: Project, report: str, code: str | None, aliases: Sequence[str] = (), by: str = ""
) -> Anchor:
    """Say what a report (key) is about: a code of Orphanet, a name that one disorder has there, or None for
    no rare disorder; one step of undo.

    `aliases` are more names to be hidden in its views. Raises UnknownNameError for a report, code or name
    that is not there, CallError for an alias that is none, ProjectError for what is no name of a person.
    """
    stored = document(project, report)
    person = _person(project, by)
    before = anchors(project, stored.uuid).get(stored.uuid)
    if code is None:
        coding, details = Coding(ORPHANET, "", "", "", "", "human"), {**_kept(before, ""), "by": person}
        details.pop("cut", None)
        name = f"no diagnosis in {stored.key}"
    else:
        names = disorders()
        if names.terminology.current(_plain(code)) is None:
            known = exact_names(names.terminology).of_name(code)
            code = known.code if known is not None else code
        coding, details = _coding_of(names, before, code, _origin(before, code), person)
        if added := [*details.get("added", []), *_checked(aliases)]:
            details["added"] = list(dict.fromkeys(added))
        name = f"diagnosis {coding.label} in {stored.key}"
    with begin_act(project, name, person) as act:
        now = put_anchor(act, stored.uuid, "none" if code is None else "confirmed", coding, details)
    return _shown(stored, now)


def add_alias(project: Project, report: str, aliases: Sequence[str], by: str = "") -> Anchor:
    """Hide more names of a report's diagnosis in its views, whatever its state; raises as `set_anchor`."""
    stored, before = _known(project, report, "--code")
    added = list(dict.fromkeys([*before.details.get("added", []), *_checked(aliases)]))
    return _say_more(
        project, stored, before, f"another name of the diagnosis in {stored.key}", by, added=added
    )


def move_cut(project: Project, report: str, cut: int, by: str = "") -> Anchor:
    """Let T4 end at that place (code points) of a report (key) from now on; one step of undo.

    Raises CallError for a place that is none, and for a report that nobody has said what it is about.
    """
    require_cut(document(project, report), cut)
    stored, before = _known(project, report, "casespan anchor")
    return _say_more(project, stored, before, f"end of T4 in {stored.key}", by, cut=cut)


def _person(project: Project, by: str) -> str:
    """Who says so; raises ProjectError for what is no name of a person."""
    person = by or actor(project)
    require_person(person)
    return person


def _known(project: Project, report: str, how: str) -> tuple[StoredDocument, StoredAnchor]:
    stored = document(project, report)
    before = anchors(project, stored.uuid).get(stored.uuid)
    if before is None or before.state == "none":
        raise CallError(f"{stored.key} has no diagnosis yet; say which with {how}.")
    return stored, before


def _say_more(
    project: Project, stored: StoredDocument, before: StoredAnchor, name: str, by: str = "", **more: object
) -> Anchor:
    with begin_act(project, name, _person(project, by)) as act:
        now = put_anchor(act, stored.uuid, before.state, before.coding, {**before.details, **more})
    return _shown(stored, now)


def require_cut(stored: StoredDocument, cut: int) -> None:
    """Raises CallError where a cut is no place in the report's text."""
    if not 0 < cut <= len(stored.document.text):
        raise CallError(f"{cut} is no place in the text of {stored.key}, at which T4 could end.")


def put_proposal(act: Act, document: str, code: str, by: str) -> None:
    """Propose, within an act, what a report (UUID) is about; what a person said stays."""
    before = anchors(act.project, document).get(document)
    if before is None or before.state == "proposed":
        put_anchor(act, document, "proposed", *_coding_of(disorders(), before, code, "model", by))


def take_anchor(act: Act, document: str, coding: Coding, aliases: Sequence[str] = (), cut: int = 0) -> None:
    """Let a report (UUID) be about what a file says; without Orphanet its label and `aliases` are its only
    names. T4 ends at `cut` (0: where the rules say); aliases that are none are left out."""
    added = list(dict.fromkeys(one for one in (" ".join(each.split()) for each in aliases) if _is_name(one)))
    details: dict[str, Any] = {"by": "", "names": [[coding.label, "label"]] if coding.label else []}
    if coding.terminology.casefold() == ORPHANET.casefold():
        with suppress(UnknownNameError):
            known, details = _coding_of(disorders(), None, coding.code, "imported", "")
            coding = replace(known, label=coding.label or known.label)
    details |= {**({"added": added} if added else {}), **({"cut": cut} if cut else {})}
    put_anchor(act, document, "confirmed", replace(coding, origin="imported"), details)


def read_diagnosis(anchor: StoredAnchor | None) -> Diagnosis | None:
    """The names and hints that were stored with an anchor: views are the same without Orphanet."""
    if anchor is None or anchor.state == "none":
        return None
    details, coding = anchor.details, anchor.coding
    names = [Alias(text, source) for text, source in details.get("names", [])]
    added = [Alias(text, "person") for text in details.get("added", [])]
    hints = [Hint(text, kind) for text, kind in details.get("hints", [])]
    where = f"{coding.terminology} {coding.release}"
    state = "group" if details.get("group") and anchor.state == "proposed" else anchor.state
    return Diagnosis(
        coding.code, coding.label, (*names, *added), tuple(hints), where, state, details.get("cut")
    )


def _coding_of(
    names: Disorders, before: StoredAnchor | None, code: str, origin: str, by: str
) -> tuple[Coding, dict[str, Any]]:
    """What is stored of a code, with what stays of what was said before it."""
    terminology = names.terminology
    current = terminology.current(_plain(code))
    if current is None:
        lacking = f"{ORPHANET} {terminology.release} has no disorder {code}"
        if _plain(code).removeprefix("ORPHA:").isdecimal():
            raise UnknownNameError(f"{lacking}; import a release that has it, or check the code.")
        raise UnknownNameError(f"{lacking}; look it up with `casespan terminology search orphanet NAME`.")
    concept = terminology.concept(current)
    aliases = names.aliases(current)
    hints = names.hints(current, aliases)
    details = {**_kept(before, current), "by": by}
    details["names"] = [[one.text, one.source] for one in aliases]
    details["hints"] = [[one.text, one.kind] for one in hints]
    if names.group(terminology.row(current) or 0):
        details["group"] = True
    return Coding(ORPHANET, terminology.release, current, concept.label, concept.uri, origin), details


def _plain(code: str) -> str:
    """ "ORPHA:37" of "37", "orpha:37" and "Orphanet_37"."""
    number = code.strip().upper().replace("_", ":").rpartition(":")[2]
    return f"ORPHA:{number.removeprefix('ORPHA').removeprefix('NET').strip()}"


def _origin(before: StoredAnchor | None, code: str) -> str:
    if before is None or before.state != "proposed":
        return "human"
    return "accepted" if before.coding.code == _plain(code) else "edited"


def _checked(aliases: Sequence[str]) -> list[str]:
    found = [" ".join(one.split()) for one in aliases]
    for one in found:
        if not _is_name(one):
            raise CallError(f"“{one[:40]}” is no name: take 2 to {_LONGEST_ALIAS} signs with a letter.")
    return found


def _is_name(alias: str) -> bool:
    return 2 <= len(alias) <= _LONGEST_ALIAS and any(map(str.isalnum, alias))


def _chosen(project: Project, reports: Sequence[str]) -> list[StoredDocument]:
    return [document(project, one) for one in reports] if reports else documents(project)


def _shown(report: StoredDocument, anchor: StoredAnchor | None) -> Anchor:
    if anchor is None:
        return Anchor(report.key, "none")
    coding, details = anchor.coding, anchor.details
    names = dict.fromkeys([*(text for text, _ in details.get("names", [])), *details.get("added", [])])
    places = tuple(Place(start=start, end=end, why=why) for start, end, why in details.get("evidence", []))
    others, by = tuple(details.get("others", [])), details.get("by") or None
    said = (coding.code or None, coding.label or None)
    return Anchor(report.key, anchor.state, *said, tuple(names), places, others, by)
