"""What a report's annotations come to in a format, and what it has no place for, said beforehand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from app.formats.record import ExportedAnnotation, Imported, QuoteDetails, ReadBack, ReportExport, Span
from app.formats.standoff.places import Labelled, labelled, of_span, placed, side_by_side
from app.text import counted, xml_text

# What a report or an annotation may have and a format no place for.
Lack: TypeAlias = Literal[
    "texts", "places", "about", "title", "origin", "unplaced", "polarity", "field", "note", "concept",
    "fragments", "overlap", "own words", "controls", "line ends",
    "nothing", "rest", "spaced labels", "silent",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lacking:
    """The losses of a format of that name, which has no place for these; `more` says what else there is.

    Of what else came along with the reports, it writes again what came in the format `keeps` (an id) alone.
    """

    name: str
    lacks: tuple[Lack, ...] = ()
    more: Callable[[Sequence[ReportExport]], Iterator[str]] = lambda reports: iter(())
    keeps: str = ""

    def __call__(self, reports: Sequence[ReportExport]) -> Iterator[str]:
        """A sentence for each kind that the reports have something of."""
        if reports and "texts" in self.lacks:
            yield f"{self.name} has no place for the texts of the reports."
        if reports and "places" in self.lacks:
            yield f"{self.name} does not say where in its text a quote stands."
        if reports and "about" in self.lacks:
            yield f"{self.name} has no place for sections, identifiers and metadata of the reports."
        if reports and "origin" in self.lacks:
            yield f"{self.name} does not say where a quote came from, nor whose it is."
        name = re.sub(r"^(An?|The)\b", lambda found: found[0].lower(), self.name)
        # One look at each report: they may have to be unpacked.
        numbers, regions, other = Counter[Lack](), 0, 0
        for report in reports:
            numbers.update({lack: _COUNTS[lack](report) for lack in self.lacks if lack in _COUNTS})
            regions += len(report.regions)
            other += bool(set(report.rest) - {self.keeps})
        for lack in self.lacks:
            if number := numbers[lack]:
                done = _CHANGES.get(lack, f"Not written, since {name} has no place for it")
                yield f"{done}: {counted(number, *_NOUNS[lack])}."
        if regions:
            on_pictures = f"{counted(regions, 'region')} on pictures"
            yield f"Not written, since {name} has no place for it: {on_pictures}."
        if other and "rest" not in self.lacks:
            yield f"Not written, since it came in another format: {counted(other, *_NOUNS['rest'])}."
        yield from self.more(reports)


_CHANGES: dict[Lack, str] = {
    "fragments": "Written as the whole stretch",
    "own words": "Written in the words of the text",
    "spaced labels": "Written with _ for blanks",
    "line ends": "Written without the line ends at its ends",
    "controls": "Written as \ufffd, since XML has no place for it",
}
_NOUNS: dict[Lack, tuple[str, ...]] = {
    "title": ("title",),
    "unplaced": ("quote without a place", "quotes without a place"),
    "polarity": ("polarity", "polarities"),
    "field": ("field of a quote", "fields of quotes"),
    "note": ("note",),
    "concept": ("annotation's concept", "annotations' concepts"),
    "fragments": ("discontinuous span",),
    "spaced labels": ("label with blanks", "labels with blanks"),
    "line ends": ("span",),
    "controls": ("text with control characters", "texts with control characters"),
    "overlap": ("span that overlaps another", "spans that overlap others"),
    "own words": ("quote that differs from the text", "quotes that differ from the text"),
    "nothing": (
        "category looked at without finding anything",
        "categories looked at without finding anything",
    ),
    "rest": ("report's relations, events and the like", "reports' relations, events and the like"),
}


def underscored(label: str) -> str:
    """A label for formats that end it at a blank."""
    return "_".join(label.split())


def _count(
    ours: Callable[[ExportedAnnotation], object], theirs: Callable[[Span], object]
) -> Callable[[ReportExport], int]:
    """How many have something, under the scheme's categories and under other labels."""
    return lambda report: (
        sum(bool(ours(one)) for one in report.annotations) + sum(bool(theirs(one)) for one in report.spans)
    )


def _differing(report: ReportExport) -> int:
    quotes = [(one.finding.start, one.finding.end, one.finding.quote) for one in report.annotations]
    quotes += [(*one.place, one.quote) for one in report.spans if one.place and len(one.fragments) < 2]
    return sum(start is not None and report.document.text[start:end] != words for start, end, words in quotes)


def overlapping(report: ReportExport) -> int:
    """How many spans, in order of their places, begin before one that was kept has ended."""
    return len(placed(report)) - len(side_by_side(labelled(report)))


def _within_lines(text: str, parts: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Parts of a span without line ends at the ends of each."""
    return tuple((b - len(text[a:b].lstrip("\n")), a + len(text[a:b].rstrip("\n"))) for a, b in parts)


_COUNTS: dict[Lack, Callable[[ReportExport], int]] = {
    "title": lambda report: (
        report.document.title != report.key and not report.document.text.startswith(report.document.title)
    ),
    "unplaced": lambda report: (
        sum(not one.parts for one in report.annotations) + sum(one.place is None for one in report.spans)
    ),
    "polarity": _count(
        lambda one: one.finding.polarity != "present", lambda one: (one.polarity or "present") != "present"
    ),
    "field": _count(lambda one: one.finding.field, lambda one: one.field),
    "concept": _count(lambda one: one.concepts, lambda one: one.concepts),
    "note": _count(lambda one: one.note, lambda one: one.note),
    "fragments": _count(lambda one: len(one.parts) > 1, lambda one: len(one.fragments) > 1),
    "overlap": overlapping,
    "own words": _differing,
    "line ends": lambda report: sum(
        _within_lines(report.document.text, one.parts) != (*one.parts,) for one in labelled(report)
    ),
    "nothing": lambda report: len(
        set(report.looked_at) - {one.finding.category for one in report.annotations}
    ),
    "spaced labels": lambda report: sum(one.label != underscored(one.label) for one in report.spans),
    "controls": lambda report: int(xml_text(report.document.text) != report.document.text),
    "rest": lambda report: len(report.rest),
}


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
    theirs = labelled(report)
    for one in side_by_side(theirs) if "overlap" in lacks else theirs:
        parts, quote = one.parts, one.quote
        if "unplaced" in lacks and not parts:
            continue
        if "fragments" in lacks and parts:
            parts = (one.place,)
        if "line ends" in lacks:
            parts = _within_lines(report.document.text, parts)
            one = one._replace(parts=parts)
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
        details = record.details.get(label) or [QuoteDetails()] * len(quotes)
        for quote, one in zip(quotes, details, strict=True):
            parts = (one.span.fragments if one.span else ()) or ((one.place,) if one.place else ())
            given = Labelled(label, quote, parts, one.polarity, one.field, one.note, one.concepts)
            found[_fact(given, lacks)] += 1
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
