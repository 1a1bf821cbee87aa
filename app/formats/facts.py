"""What a report's annotations come to in a format, so that what was written is compared with what is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from app.formats.losses import underscored, xml_text
from app.formats.record import Imported, ReadBack, ReportExport
from app.formats.standoff.places import Labelled, labelled, of_span, side_by_side


class Fact(NamedTuple):
    """An annotation: label, parts in code points, words, polarity, field, note, terminologies with codes."""

    label: str
    parts: tuple[tuple[int, int], ...]
    quote: str
    polarity: str
    field: str
    note: str
    concepts: tuple[tuple[str, str], ...] = ()


_SHOWN = 20


def read_back(
    by: str, reports: int, kept: int, missing: Sequence[str], unexpected: Sequence[str]
) -> ReadBack:
    """What reading back showed, the first of what is missing or unexpected described."""
    shown = (tuple(missing[:_SHOWN]), tuple(unexpected[:_SHOWN]))
    return ReadBack(by, reports, kept, *shown, len(missing), len(unexpected))


def facts_of(report: ReportExport, lacks: Collection[str] = ()) -> Counter[Fact]:
    """Those of a report on its way out, as they are in a format that lacks these kinds."""
    found: Counter[Fact] = Counter()
    theirs = list(labelled(report))[: len(report.annotations) if "labels" in lacks else None]
    for one in side_by_side(theirs) if "overlap" in lacks else theirs:
        parts, quote = one.parts, one.quote
        if "unplaced" in lacks and not parts:
            continue
        if "fragments" in lacks and parts:
            parts = (one.place,)
        if "own words" in lacks and parts:
            quote = report.document.text[one.place[0] : one.place[1]]
        found[_fact(one._replace(parts=parts, quote=quote), lacks)] += 1
    return found


def compared(expected: Counter[Fact], found: Counter[Fact]) -> tuple[int, list[Fact], list[Fact]]:
    """How many are the same, those that are not there again, and those that nobody wrote."""
    same = (expected & found).total()
    return same, list((expected - found).elements()), list((found - expected).elements())


def facts_in(record: Imported, lacks: Collection[str] = ()) -> Counter[Fact]:
    """Those of a report that was read from a format that lacks these kinds."""
    found: Counter[Fact] = Counter()
    for label, quotes in (record.quotes or {}).items():
        details = record.details.get(label, ())
        for number, quote in enumerate(quotes):
            details_there = details[number] if details else None
            if details_there is None:
                found[_fact(Labelled(label, quote), lacks)] += 1
                continue
            parts = details_there.span.fragments if details_there.span else ()
            parts = parts or ((details_there.place,) if details_there.place else ())
            one = Labelled(
                label,
                quote,
                parts,
                details_there.polarity,
                details_there.field,
                details_there.note,
                details_there.concepts,
            )
            found[_fact(one, lacks)] += 1
    for span in record.spans or ():
        found[_fact(of_span(span), lacks)] += 1
    return found


def _fact(one: Labelled, lacks: Collection[str]) -> Fact:
    return Fact(
        underscored(one.label) if "spaced labels" in lacks else one.label,
        () if "places" in lacks else one.parts,
        xml_text(one.quote) if "controls" in lacks else one.quote,
        "present" if "polarity" in lacks else one.polarity or "present",
        "" if "field" in lacks else one.field,
        "" if "note" in lacks else " ".join(one.note.split()),
        ()
        if "concept" in lacks
        else tuple(sorted((coding.terminology, coding.code) for coding in one.concepts)),
    )
