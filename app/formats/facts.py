"""What a report's annotations come to in a format, so that what was written is compared with what is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from app.formats.losses import underscored
from app.formats.record import Imported, ReportExport
from app.formats.standoff.places import labelled


class Fact(NamedTuple):
    """One annotation: label, parts in code points, words, polarity, field and note."""

    label: str
    parts: tuple[tuple[int, int], ...]
    quote: str
    polarity: str
    field: str
    note: str


def facts_of(report: ReportExport, lacks: Collection[str] = ()) -> Counter[Fact]:
    """Those of a report on its way out, as they are in a format that lacks these kinds."""
    found: Counter[Fact] = Counter()
    theirs = len(report.annotations) if "labels" in lacks else None
    for one in list(labelled(report))[:theirs]:
        parts, quote = one.parts, one.quote
        if "unplaced" in lacks and not parts:
            continue
        if "fragments" in lacks and parts:
            parts = (one.place,)
        if "own words" in lacks and parts:
            quote = report.document.text[one.place[0] : one.place[1]]
        found[_fact(one.label, parts, quote, one.polarity, one.field, one.note, lacks)] += 1
    return found


def facts_in(record: Imported, lacks: Collection[str] = ()) -> Counter[Fact]:
    """Those of a report that was read from a format that lacks these kinds."""
    found: Counter[Fact] = Counter()
    for label, quotes in (record.quotes or {}).items():
        details = record.said.get(label, ())
        for number, quote in enumerate(quotes):
            said = details[number] if details else None
            if said is None:
                found[_fact(label, (), quote, None, "", "", lacks)] += 1
                continue
            parts = said.span.fragments if said.span else ()
            parts = parts or ((said.place,) if said.place else ())
            found[_fact(label, parts, quote, said.polarity, said.field, said.note, lacks)] += 1
    for span in record.spans or ():
        parts = span.parts(*span.place) if span.place else ()
        found[_fact(span.label, parts, span.quote, span.polarity, span.field, span.note, lacks)] += 1
    return found


def _fact(
    label: str,
    parts: tuple[tuple[int, int], ...],
    quote: str,
    polarity: str | None,
    field: str,
    note: str,
    lacks: Collection[str],
) -> Fact:
    return Fact(
        underscored(label) if "spaced labels" in lacks else label,
        () if "places" in lacks else parts,
        quote,
        "present" if "polarity" in lacks else polarity or "present",
        "" if "field" in lacks else field,
        "" if "note" in lacks else " ".join(note.split()),
    )
