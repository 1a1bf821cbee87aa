"""Labels on stretches of text, between a report here and a file that counts its characters in its own way."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from app.formats.json_input import exact_text
from app.formats.record import Imported, LeftOut, ReportExport, Span
from app.text import Offsets
from extractors.model.coding import Coding
from extractors.model.finding import Polarity

_CRLF = re.compile("\r\n")


class GivenText:
    """A text as a file has it, with the file's offsets: code points, or UTF-16 units where `utf16` says so.

    `text` is that text as it is kept, with one character for the end of a line. Raises FormatError for a
    text that holds half a character.
    """

    def __init__(self, given: str, *, utf16: bool = False) -> None:
        self.text = exact_text(given, "text")
        self._length = len(given)
        self._offsets = Offsets(given) if utf16 else None
        self._folded = [match.start() for match in _CRLF.finditer(given)]

    def place(self, start: object, end: object) -> tuple[int, int] | None:
        """Start and end in code points of `text`; None for what is no place in it."""
        if type(start) is not int or type(end) is not int:
            return None
        if self._offsets is not None:
            if not 0 <= start < end <= self._offsets.units:
                return None
            start, end = self._offsets.to_code_point(start), self._offsets.to_code_point(end)
        if not 0 <= start < end <= self._length:
            return None
        return start - bisect_left(self._folded, start), end - bisect_left(self._folded, end)

    def words(self, place: tuple[int, int] | None) -> str:
        """The text there."""
        return self.text[slice(*place)] if place else ""


@dataclass(frozen=True, slots=True)
class Labelled:
    """An annotation on its way out: label, parts in code points (none without a place), and the rest."""

    label: str
    quote: str
    parts: tuple[tuple[int, int], ...] = ()
    polarity: Polarity | None = None
    field: str = ""
    note: str = ""
    concepts: tuple[Coding, ...] = ()
    span: Span | None = None

    @property
    def place(self) -> tuple[int, int]:
        """From its first to its last character."""
        return self.parts[0][0], self.parts[-1][1]


def labelled(report: ReportExport) -> Iterator[Labelled]:
    """All annotations of a report, under categories and under labels that came along."""
    for one in report.annotations:
        found = one.finding
        said = (found.polarity, found.field, one.note, one.concepts)
        yield Labelled(found.category, found.quote, one.parts, *said, one.span)
    yield from map(of_span, report.spans)


def of_span(span: Span) -> Labelled:
    """What came along as it goes out."""
    parts = span.parts(*span.place) if span.place else ()
    said = (span.polarity, span.field, span.note, span.concepts)
    return Labelled(span.label, span.quote, parts, *said, span)


def placed(report: ReportExport) -> list[Labelled]:
    """Those that have a place, by place."""
    return sorted((one for one in labelled(report) if one.parts), key=lambda one: (one.place, one.label))


def said_of(one: Labelled) -> dict[str, str]:
    """Polarity other than present, field and note, where there are any, by these names."""
    polarity = "" if one.polarity in (None, "present") else str(one.polarity)
    given = {"polarity": polarity, "field": one.field, "note": one.note}
    return {key: value for key, value in given.items() if value}


def joined(records: Iterable[Imported | LeftOut]) -> Iterator[Imported | LeftOut]:
    """Records of the same text as one, with what each says of it once; a note says how many there were."""
    by_text: dict[str, list[Imported]] = {}
    for record in records:
        if isinstance(record, LeftOut):
            yield record
        else:
            by_text.setdefault(record.document.text, []).append(record)
    for first, *more in by_text.values():
        if not more:
            yield first
            continue
        spans = {repr(replace(span, own={})): span for one in (first, *more) for span in one.spans or ()}
        note = f"Its text is there {len(more) + 1} times; what each says of it was put together."
        yield replace(first, spans=tuple(spans.values()), notes=(*first.notes, note))


def coded(text: str) -> Coding | None:
    """A concept as `code_line` writes it; None for anything else."""
    terminology, _, rest = text.partition(" ")
    code, _, label = rest.partition(" ")
    return Coding(terminology, "", code, label, "", "imported") if terminology and code else None


def code_line(coding: Coding) -> str:
    """Terminology, code and label of a concept on one line."""
    return f"{coding.terminology} {coding.code} {coding.label}".strip()
