"""People look at a share of the items, spread over tracks and groups of disease: accept, edit or reject."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from app.studies.mmrarebench.audit import evidence_of, faults, identifying
from app.studies.results import Item, Settings
from app.studies.study import Building, Built
from app.tables import Table, csv_text, read_csv
from app.text import counted
from extractors.grouping import grouped
from extractors.model.errors import CallError, FormatError

SHARE, LEAST = 0.1, 5
ACCEPT, EDIT, REJECT = VERDICTS = ("accept", "edit", "reject")
_SHOWN = ("item", "task", "narrative", "diagnosis", "pictures", "evidence")
_EDITED = ("question", "answer")
_COLUMNS = (*_SHOWN, *_EDITED, "verdict", "reason")
_NEEDED = ("item", "task", "verdict")


def sample(items: Sequence[Item], seed: int) -> list[str]:
    """The ids of a tenth of each stratum (track and group of disease), five at least, drawn by the seed."""
    strata = grouped(((item.task, str(item.labels.get("group", ""))), item.id) for item in items)
    chosen: list[str] = []
    for (track, group), own in sorted(strata.items()):
        number = min(len(own), max(LEAST, math.ceil(SHARE * len(own))))
        chosen += sorted(Random(f"sample/{seed}/{track}/{group}").sample(sorted(own), number))
    return list(dict.fromkeys(chosen))


def rejected(settings: Settings) -> frozenset[str]:
    """The items, TRACK/ID, that people rejected or put another in the place of."""
    verified = (settings.get("built") or {}).get("verified") or {}
    return frozenset(name for name, value in verified.items() if value["verdict"] != ACCEPT)


def standing(items: Sequence[Item], settings: Settings) -> Sequence[Item]:
    """Without those that people rejected, or put another in the place of."""
    gone = rejected(settings)
    return [one for one in items if f"{one.task}/{one.id}" not in gone] if gone else items


def sheet(request: Building) -> Built:
    """Write the sample as CSV, with columns for what people say of it."""
    out = request.settings["sheet"]
    wanted = set(request.built.get("sample") or sample(request.there, request.seed))
    rows = tuple(_row(item) for item in request.there if item.id in wanted)
    if not rows:
        raise CallError("There are no items to look at yet; build them first.")
    words = f"{counted(len(rows), 'item')} to look at written to {out}; verdicts are {', '.join(VERDICTS)}."
    sheet = csv_text(Table(_COLUMNS, rows), mark=True)
    return Built((), details=dict(request.built), notes=[words], files={out: sheet})


def _row(item: Item) -> tuple[str, ...]:
    pictures = [f"{one['modality']} {one['sha256'][:12]}" for one in item.input["pictures"]]
    shown = [item.id, item.task, item.input["narrative"], item.input.get("diagnosis", "")]
    lists = ["\n".join(pictures), _claims(item)]
    return (*shown, *lists, item.input["question"], item.reference["answer"], "", "")


def _claims(item: Item) -> str:
    told = item.reference.get("evidence", ())
    return "\n".join(f"{one['claim']} [{one['block']}: “{one['quote']}”]" for one in told)


def evidence(item: Item) -> Iterator[tuple[str, str]]:
    """The reference of an item for people to read, with the claims it rests on."""
    if telling := identifying(item):
        yield "May tell who the patient is", "\n".join(telling)
    yield "Evidence", _claims(item)
    for name, value in item.reference.items():
        if value and name not in ("evidence", "view"):
            yield name.capitalize(), "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def taken(request: Building) -> Built:
    """Take verdicts, a sheet or its rows: what is rejected is asked no more, what is edited becomes an item
    of its own.

    Raises FormatError for a row that cannot be read, CallError without a name; then nothing is taken.
    """
    given, who = request.settings["verified"], str(request.settings.get("by") or "").strip()
    if not who:
        raise CallError("Say who looked at the items: --by NAME.")
    known = {(item.task, item.id): item for item in request.there}
    verified: dict[str, Any] = dict(request.built.get("verified") or {})
    fresh: list[Item] = []
    sheet = isinstance(given, Path)
    for number, row in enumerate(read_csv(given, _NEEDED) if sheet else given, start=2):
        where = f"{given}, line {number}: " if sheet else ""
        verdict = row.get("verdict", "").strip().casefold()
        if not verdict:
            continue
        item = known.get((row.get("task", ""), row.get("item", "")))
        if item is None:
            raise FormatError(f"{where}there is no item {row.get('item')!r} of {row.get('task')!r} here.")
        if verdict not in VERDICTS:
            raise FormatError(f"{where}{verdict!r} is no verdict; write {', '.join(VERDICTS)}.")
        reason = row.get("reason", "").strip()
        if verdict == REJECT and not reason:
            raise FormatError(f"{where}an item is rejected for a reason; write it beside the verdict.")
        verification = {"verdict": verdict, "reason": reason, "by": who}
        if verdict == EDIT:
            edited = _edited(item, row, where, request)
            fresh.append(edited)
            verification["instead"] = edited.id
        verified[f"{item.task}/{item.id}"] = verification
    numbers = Counter(verification["verdict"] for verification in verified.values())
    note = ", ".join(f"{one} {numbers[one]}" for one in VERDICTS)
    return Built(fresh, details={"verified": verified}, notes=[f"Verified so far: {note}."], record=True)


def _edited(item: Item, row: Mapping[str, str], where: str, request: Building) -> Item:
    question, answer = (row.get(name, "").strip() for name in _EDITED)
    changed = {**item.input, "question": question}, {**item.reference, "answer": answer}
    if changed == (item.input, item.reference):
        raise FormatError(f"{where}nothing is edited in {item.id}; accept it, or change question or answer.")
    taken_ids = {one.id for one in request.there}
    number = 2
    while (name := f"{item.id}-{number}") in taken_ids:
        number += 1
    fresh = Item(name, item.task, *changed, {**item.labels}, item.sources)
    if reasons := faults(fresh, evidence_of(fresh, request)):
        raise FormatError(f"{where}the edited item does not pass the audit: {'; '.join(reasons)}.")
    return fresh
