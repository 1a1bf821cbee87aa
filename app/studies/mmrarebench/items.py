"""Items that were written by hand, held against the same audit as any; and what a build comes to."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from app.studies.lines import read_lines, source_of
from app.studies.mmrarebench import verifying
from app.studies.mmrarebench.audit import faults, warnings
from app.studies.mmrarebench.tracks import MODALITIES, TRACKS, blocks_of
from app.studies.results import Item
from app.studies.study import Building, Built
from extractors.model.errors import FormatError
from extractors.model.progress import Progress
from extractors.tasks.pictures import PictureError, whole_picture

_MOST_NOTES = 20


@dataclass(slots=True)
class Harvest:
    """What a build has so far: items that are sound, their pictures by SHA-256, and why others are not."""

    items: list[Item] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def refuse(self, item: str, report: str, track: object, reasons: Sequence[str]) -> None:
        """Leave one out, with all that is wrong with it."""
        told = {"item": item, "report": report or None, "track": track, "reasons": list(reasons)}
        self.refused.append(told)


def by_hand(request: Building) -> Generator[Progress, None, Built]:
    harvest, sources = Harvest(), []
    for path in request.paths:
        lines = read_lines(path)
        if not lines:
            raise FormatError(f"{path.name} is empty.")
        for number, line in enumerate(lines, start=1):
            yield Progress(number, len(lines), f"checking {path.name}")
            if request.tasks and line.get("task") in TRACKS and line["task"] not in request.tasks:
                continue
            _take(harvest, line, path, number, request)
        sources.append(source_of(path.name, [path], "own", len(lines)))
    return finished(request, harvest, sources)


def _take(harvest: Harvest, line: Mapping[str, Any], path: Path, number: int, request: Building) -> None:
    """One line of a file: an item, or why it is none."""
    given = line.get("id")
    name = given if isinstance(given, str) and given.strip() else drawn_id(request.seed, path.name, number)
    shown, reference = line.get("input"), line.get("reference")
    report = str(line.get("report") or "")
    if not isinstance(shown, dict) or not isinstance(reference, dict):
        harvest.refuse(name, report, line.get("task"), ["schema: an item has an input and a reference"])
        return
    labels = line.get("labels") if isinstance(line.get("labels"), dict) else {}
    pictures, reasons = [], list[str]()
    listed = shown.get("pictures")
    for place, one in enumerate(listed if isinstance(listed, list) else (), start=1):
        try:
            pictures.append(_picture(one, path.parent, request, harvest.pictures))
        except PictureError as error:
            reasons.append(f"pictures: picture {place}: {error}")
    asked, expected = {**shown, "pictures": pictures or listed}, {"code": None, "aliases": [], **reference}
    item = Item(name, str(line.get("task")), asked, expected, dict(labels or {}))
    reasons += faults(item, blocks_of(str(shown.get("narrative", ""))))
    if name in {one.id for one in harvest.items if one.task == item.task}:
        reasons.append("schema: an item of that id stands above it")
    if reasons:
        harvest.refuse(name, report, line.get("task"), reasons)
    else:
        harvest.items.append(labelled(item))


def _picture(given: Any, folder: Path, request: Building, found: dict[str, bytes]) -> dict[str, Any]:  # noqa: ANN401
    """A picture of an item as it is kept, its bytes among those found; raises PictureError."""
    one = given if isinstance(given, dict) else {}
    file, known = one.get("file"), one.get("sha256")
    if isinstance(file, str) and file.strip():
        path = folder / file
        try:
            data = path.read_bytes() if path.is_file() else None
        except (OSError, ValueError):
            data = None
        if data is None:
            raise PictureError(f"there is no file {file}")
        digest = hashlib.sha256(data).hexdigest()
        if isinstance(known, str) and known != digest:
            raise PictureError(f"{file} is another picture than its sha256 says")
    elif isinstance(known, str) and known.strip():
        digest = known
        data = found.get(known) or request.picture(known)
        if data is None:
            raise PictureError(f"no picture {known[:12]} is in the project")
    else:
        raise PictureError('it has neither "file" nor "sha256"')
    size = whole_picture(data)
    found[digest] = data
    name = one.get("name")
    named = {"name": name} if isinstance(name, str) and name else {}
    more = {"sha256": digest, "modality": one.get("modality"), **size._asdict()}
    return {**named, **more}


def drawn_id(seed: int, *parts: object) -> str:
    """An id that says nothing of its report, drawn by the seed."""
    return f"{Random('/'.join(map(str, ('item', seed, *parts)))).getrandbits(48):012x}"


def labelled(item: Item) -> Item:
    """The item with the kinds of its pictures as a label."""
    kinds = {picture["modality"] for picture in item.input["pictures"]}
    found = [one for one in MODALITIES if one in kinds]
    return Item(item.id, item.task, item.input, item.reference, {**item.labels, "modality": found})


def finished(
    request: Building, harvest: Harvest, sources: Sequence[Mapping[str, Any]], rebuilt: Sequence[str] = ()
) -> Built:
    """What a build brought, with the sample that people are to look at."""
    every = {(one.task, one.id): one for one in (*request.there, *harvest.items)}
    refused = [*harvest.refused]
    sample = verifying.sample(list(every.values()), request.seed)
    details = {"refused": refused, "rebuilt": list(rebuilt), "sample": sample}
    left_out = Counter(_kind(one["reasons"][0]) for one in refused)
    notes, pictures = [*notes_on(refused), *warnings(harvest.items)], harvest.pictures
    return Built(harvest.items, dict(left_out), sources, details, notes, pictures=pictures, record=True)


def _kind(reason: str) -> str:
    """What a reason is counted under: of views by its own words, else by what was checked."""
    what, _, words = reason.partition(": ")
    return words.rstrip(".") if what == "view" else f"refused by the audit, {what}"


def notes_on(refused: Sequence[Mapping[str, Any]]) -> list[str]:
    """Why items are refused, the first in a sentence each; a report without a view is counted only."""
    told = [one for one in refused if not one["reasons"][0].startswith("view: ")]
    notes = [
        f"{one['report'] or one['item']} ({one['track']}) is refused: {'; '.join(one['reasons'])}."
        for one in told[:_MOST_NOTES]
    ]
    more = len(told) - len(notes)
    return [*notes, *([f"{more} more are refused; --json names them all."] if more else [])]
