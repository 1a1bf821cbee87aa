"""What came along in other programs' files: annotations under their labels, and what is only written back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.store.faults import sound
from app.store.values import canonical, matching, new_uuid

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project

_COLUMNS = "uuid, document, annotator, annotation, label, quote, span_start, span_end, value"


@dataclass(frozen=True, slots=True)
class Carried:
    """Something that came along: with an annotation (UUID) or without one.

    Without one it is an annotation under `label`, which the scheme lacks, from `start` to `end` in code
    points where the file says so; without a label it is what else was said of the report. `value` is JSON.
    `document` and `annotator` are UUIDs.
    """

    uuid: str
    document: str
    annotator: str
    annotation: str | None
    label: str
    quote: str
    start: int | None
    end: int | None
    value: Mapping[str, Any]

    @property
    def places(self) -> list[tuple[int, int]]:
        """Where it stands: its fragments where it has several, nothing where its file said no place."""
        if self.start is None or self.end is None:
            return []
        return [(start, end) for start, end in self.value.get("fragments", ())] or [(self.start, self.end)]


@dataclass(frozen=True, slots=True)
class LabelMeaning:
    """What a label was said to stand for: a category (id), "" where it is to stay as it is."""

    label: str
    category: str
    field: str
    polarity: str


def add_carried(act: Act, given: Sequence[Carried]) -> None:
    """Store what came along, in the order given; UUIDs are made where they are ""."""
    first = act.next_position("carried")
    act.insert_all(
        "carried",
        [
            {
                "uuid": one.uuid or new_uuid(),
                "document": one.document,
                "annotator": one.annotator,
                "annotation": one.annotation,
                "position": position,
                "label": one.label,
                "quote": one.quote,
                "span_start": one.start,
                "span_end": one.end,
                "value": canonical(dict(one.value)),
            }
            for position, one in enumerate(given, start=first)
        ],
    )


def read_carried(project: Project, annotator: str = "", document: str = "") -> list[Carried]:
    """What came along for an annotator and/or a report (UUIDs), in the order of the files.

    Raises DamagedProjectError for a record that is not what was saved.
    """
    where, given = matching(annotator=annotator or None, document=document or None)
    rows = project.tuples(f"SELECT {_COLUMNS} FROM carried WHERE {where} ORDER BY position", given)
    found = []
    for row in rows:
        uuid, holder, whose, annotation, label, quote, start, end, value = row
        with sound(project.path, "what came along with a file"):
            told = json.loads(value)
        found.append(Carried(uuid, holder, whose, annotation, label, quote, start, end, told))
    return found


def kept_under_labels(project: Project, annotator: str, document: str = "") -> tuple[Carried, ...]:
    """The annotations that stay under labels which the scheme lacks, as `read_carried` gives them."""
    return tuple(
        one for one in read_carried(project, annotator, document) if one.label and one.annotation is None
    )


def kept_counts(project: Project, document: str) -> dict[str, int]:
    """How many such annotations each annotator (UUID) has in a report (UUID); who has none is left out."""
    rows = project.tuples(
        "SELECT annotator, COUNT(*) FROM carried"
        " WHERE document = ? AND label <> '' AND annotation IS NULL GROUP BY annotator",
        [document],
    )
    return dict(rows)


def link_carried(act: Act, annotations: Mapping[str, str]) -> None:
    """Say which annotations (UUIDs) those of them (UUIDs) became."""
    for uuid, annotation in annotations.items():
        act.update("carried", uuid, {"annotation": annotation})


def label_meanings(project: Project) -> list[LabelMeaning]:
    """What labels were said to stand for, by label."""
    rows = project.tuples("SELECT label, category, field, polarity FROM label_meaning ORDER BY label")
    return [LabelMeaning(*row) for row in rows]


def set_label_meanings(act: Act, given: Sequence[LabelMeaning]) -> None:
    """Remember what labels stand for, in the place of what was said of them before."""
    for one in given:
        values = {"category": one.category, "field": one.field, "polarity": one.polarity}
        act.put("label_meaning", {"label": one.label}, values)
