"""Items of a study as a folder, with references apart and a card of their sources; and back again."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.formats.json_input import as_object, parse_json
from app.formats.writing import drafted_folder, write_atomically
from app.messages import licences_in, under_licence
from app.operations.project.output import require_writable_name
from app.operations.study.answers import again_key, answered, learned_of, study_runs
from app.operations.study.items import (
    BuildSummary,
    as_json,
    built_details,
    freeze,
    item_of,
    kept_items,
    picture_names,
    picture_of,
)
from app.operations.study.replies import DRAFTS, REPLIES, replies_apart
from app.operations.study.running import draft_replies
from app.store.study.items import Build, builds, guards
from app.store.values import canonical
from app.studies.lines import read_lines
from app.studies.study import Built, Study
from extractors.model.errors import CallError, FormatError

if TYPE_CHECKING:
    from app.store.project import Project
    from app.studies.results import Item

_ITEMS, _REFERENCES, _CARD = "items.jsonl", "references.jsonl", "card.json"
_CARD_HAS = {"guards": list, "left_out": dict, "sources": list, "details": dict}
_REFUSALS, _AUDITS, _PICTURES = "refusals.jsonl", "audits.jsonl", "pictures"
_HEXADECIMAL = frozenset("0123456789abcdef")


def lines_of(values: Sequence[Mapping[str, Any]]) -> str:
    """One JSON object a line."""
    return "".join(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n" for value in values)


def write_lines(out: Path, values: Sequence[Mapping[str, Any]]) -> None:
    """Write one JSON object a line; raises ProjectError or StorageError where `out` is refused."""
    require_writable_name(out)
    write_atomically(out, lines_of(values))


def export_study(
    project: Project, study: Study, folder: Path, *, any_licence: bool = False
) -> dict[str, Any]:
    """Write items, references, card, pictures, refusals and audits into a new folder; returns the card.

    Raises CallError where there are no items, or a licence forbids to pass pictures on (unless told that
    `any_licence` will do), StorageError.
    """
    items = [as_json(one.item) for one in kept_items(project, study)]
    if not items:
        raise CallError(f"{project.path} has no items of {study.id} to export; build or import some.")
    made = builds(project, study.id)
    left_out: Counter[str] = Counter()
    for one in made:
        left_out.update(one.summary.get("left_out", {}))
    card: dict[str, Any] = {
        "study": study.id,
        "title": study.title,
        "items": len(items),
        "guards": sorted({one.guard for one in made if one.guard}),
        "details": built_details(project, study),
        "sources": [source for one in made for source in one.summary.get("sources", [])],
        "left_out": left_out,
        "builds": [{"digest": one.digest, "items": one.items} for one in made],
    }
    licence = {"licence": "; ".join(map(under_licence, card["guards"]))} if card["guards"] else {}
    references = [
        {"id": one["id"], "task": one["task"], "reference": one.pop("reference"), **licence} for one in items
    ]
    licences = [str(source.get("licence", "")) for source in card["sources"]]
    shown = picture_names(items)
    if shown and not any_licence:
        _require_free(licences)
    if shown:
        card["pictures"] = {"number": len(shown), "licences": sorted(set(licences))}
    refused = [{"study": study.id, **one} for one in _said_once(made, "refused")]
    with drafted_folder(folder) as put:
        put(_ITEMS, lines_of(items))
        put(_REFERENCES, lines_of(references))
        put(_CARD, json.dumps(card, ensure_ascii=False, indent=2) + "\n")
        for name, told in ((_REFUSALS, refused), (_AUDITS, _said_once(made, "audits"))):
            if told:
                put(name, lines_of(told))
        for name in shown:
            put(f"{_PICTURES}/{name}", picture_of(project, name))
    return card


def _require_free(licences: Sequence[str]) -> None:
    """Raise CallError where pictures may not be passed on as part of something else, or nobody knows."""
    bound = [one or "unknown" for one in licences if not one or "nd" in re.split(r"[^a-z]+", one.casefold())]
    if bound:
        raise CallError(
            f"Some pictures come under {', '.join(sorted(set(bound)))}, which does not let them be passed on "
            "like this; add --any-licence if you may."
        )


def _said_once(made: Sequence[Build], name: str) -> list[dict[str, Any]]:
    """What builds said under a name in their details, each once."""
    every = [one for build in made for one in (build.summary.get("details") or {}).get(name, ())]
    return list({canonical(one): one for one in every}.values())


def import_study(project: Project, study: Study, path: Path) -> BuildSummary:
    """Take the items of a folder as exported, or of a bare items.jsonl; all or none.

    Raises FormatError where they cannot be read, ProjectError where one is known with other content.
    """
    folder = path if path.is_dir() else None
    lines = read_lines(folder / _ITEMS if folder else path)
    if not lines:
        raise FormatError(f"{path} holds no items; nothing was imported.")
    references = read_lines(folder / _REFERENCES) if folder and (folder / _REFERENCES).exists() else []
    apart = {(str(one.get("task")), str(one.get("id"))): one.get("reference", {}) for one in references}
    card = _read_card(folder / _CARD) if folder and (folder / _CARD).exists() else {}
    if card.get("study", study.id) != study.id:
        raise FormatError(f"{path} holds items of {card['study']}, not of {study.id}.")
    items = []
    for number, line in enumerate(lines, start=1):
        values = dict(line)
        name = str(values.get("task")), str(values.get("id"))
        if name in apart:
            values["reference"] = apart[name]
        items.append(item_of(values, f"{path}, item {number}: "))
    pictures = _pictures_beside(folder, items) if folder else {}
    parts = (str(source) for one in items for source in one.sources)
    held = dict.fromkeys(name for words in parts for name in licences_in(words))
    guards = dict.fromkeys([*map(str, card.get("guards") or []), *held])
    built = Built(
        items,
        pictures=pictures,
        left_out=card.get("left_out") or {},
        sources=card.get("sources") or [],
        details=card.get("details") or {},
        guard="; ".join(guards),
    )
    return freeze(project, study, built, f"import items of {study.id}")


def _pictures_beside(folder: Path, items: Sequence[Item]) -> dict[str, bytes]:
    """The pictures of items, from the folder that was exported with them."""
    found = {}
    for name in picture_names([as_json(one) for one in items]):
        path = folder / _PICTURES / name
        if set(name) <= _HEXADECIMAL and path.is_file() and not path.is_symlink():
            found[name] = path.read_bytes()
        else:
            raise FormatError(f"{folder} lacks the picture {name[:12]} that an item shows.")
    return found


def answers_json(
    project: Project, study: Study, name: str, tasks: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The answers of a run as replay reads them back, with what measures know of each beside.

    Raises UnknownNameError where there is no such run.
    """
    (run,) = study_runs(project, study, [name])
    kept = kept_items(project, study)
    found = [one for one in answered(project, study, run, kept) if not tasks or one.row.item.task in tasks]
    learned = learned_of(project, study, kept)
    settings = {**run.settings.get("settings", {}), **learned, "built": built_details(project, study)}
    # Whoever still answers is not told what is right.
    open_ = run.kind == "person" and run.state != "done"
    graded = [] if open_ else study.grade([one.row for one in found], settings)
    apart = replies_apart(project, run)
    drafts = draft_replies(project, study, run) if apart else []
    licences = "; ".join(map(under_licence, guards(project)))
    return [
        {
            "item": one.row.item.id,
            "task": one.row.item.task,
            "reply": one.reply if one.reply or run.kind == "model" else json.dumps(one.row.value),
            "value": one.row.value,
            "error": one.row.error or None,
            **one.row.again,
            **({} if one.row.seconds is None else {"seconds": one.row.seconds}),
            **({"probabilities": list(map(list, one.row.tokens))} if one.row.tokens else {}),
            **({REPLIES: rating} if (rating := apart.get((one.subject, again_key(one.row.again)))) else {}),
            # Said once, with the first answer.
            **({DRAFTS: drafts} if drafts and not place else {}),
            **({"licence": licences} if licences else {}),
            # What begins with a line is for measures alone.
            **(
                {key: rating for key, rating in (graded[place] or {}).items() if key[0] != "_"}
                if graded
                else {}
            ),
        }
        for place, one in enumerate(found)
    ]


def _read_card(path: Path) -> dict[str, Any]:
    """The card, whole: its guards say who may be asked, and its licences what may be passed on."""
    try:
        card = as_object(parse_json(path.read_text("utf-8-sig")), "the card")
        if all(isinstance(card.get(name) or kind(), kind) for name, kind in _CARD_HAS.items()):
            return card
    except (OSError, UnicodeDecodeError, FormatError):
        pass
    raise FormatError(f"{path} is not as it was exported; export the items again.")
