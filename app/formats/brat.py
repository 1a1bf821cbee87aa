"""brat's standoff: a folder with each report's text in one file and its annotations in another beside it."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from app.formats.format import Format
from app.formats.packages import Payload
from app.formats.record import (
    ExportedAnnotation,
    Imported,
    LeftOut,
    QuoteDetails,
    ReportExport,
    concepts_lost,
)
from app.formats.text import decode, text_document
from app.messages import unknown_category
from app.text import counted
from extractors.model.coding import Coding
from extractors.model.errors import FormatError
from extractors.model.finding import POLARITIES, Polarity

_SPAN = re.compile(r"(T\S+)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)\t(.*)")
_CONCEPT = re.compile(r"N\S*\tReference (T\S+) ([^\s:]+):(\S+)(?:\t(.*))?")
_ATTRIBUTE = re.compile(r"[AM]\S*\t(\S+) (T\S+)(?: (.*))?")
_KINDS = {
    "R": "relation", "E": "event", "A": "attribute", "M": "attribute", "N": "normalisation", "#": "note",
    "*": "equivalence", "T": "span that is not understood",
}  # fmt: skip
_MEANT: dict[str, Polarity] = {
    "negation": "negated", "negated": "negated", "uncertainty": "uncertain", "uncertain": "uncertain",
    "speculation": "uncertain",
}  # fmt: skip
_NAME = re.compile(r"[^\w.-]+")
_LINE = re.compile(r"[^\n]+")


@dataclass(slots=True)
class _Span:
    """A text-bound annotation: its type, its fragments in code points, and its words as given."""

    label: str
    fragments: list[tuple[int, int]]
    words: str
    polarity: Polarity | None = None
    field: str = ""
    concepts: tuple[Coding, ...] = ()

    @property
    def place(self) -> tuple[int, int]:
        """From the first to the last character of its fragments."""
        return self.fragments[0][0], self.fragments[-1][1]


@dataclass(slots=True)
class _Lines:
    """The lines of an annotation file: spans by id, and how many of every other kind."""

    spans: dict[str, _Span] = field(default_factory=dict)
    others: Counter[str] = field(default_factory=Counter)


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The one report of an annotation file and its text; without annotations, of a text file alone.

    Offsets are code points; of texts with two characters at the end of a line, brat counts both.
    """
    annotated = payload.source.lower().endswith(FORMAT.suffixes)
    if annotated and payload.companion is None:
        raise FormatError(f"There is no {FORMAT.companion} file of the same name beside it, with the text.")
    data = payload.data if payload.companion is None else payload.companion
    text, notes = decode(data)
    if not text.strip():
        raise FormatError("The text is empty.")
    lines, more = _Lines(), list[str]()
    if annotated:
        content, assumed = decode(payload.data)
        lines, more = _lines(content), list(assumed)
    spans = list(lines.spans.values())
    if b"\r\n" in data:
        _fold(spans, text)
    quotes, said = _quotes(spans, text, categories, more)
    more += _left(lines)
    document = text_document(text, payload.name, categories)
    sha256 = hashlib.sha256(data).hexdigest()
    yield Imported(document, payload.source, sha256, quotes or None, (*notes, *more), said)


def _lines(content: str) -> _Lines:
    """The lines, attributes put to the spans that they are of."""
    found = _Lines()
    rest = []
    for line in content.split("\n"):
        match = _SPAN.fullmatch(line)
        if match:
            pairs = [tuple(map(int, part.split())) for part in match[3].split(";")]
            found.spans[match[1]] = _Span(match[2], sorted((a, b) for a, b in pairs), match[4])
        elif line.strip():
            rest.append(line)
    for line in rest:
        if not (_take_attribute(line, found.spans) or _take_concept(line, found.spans)):
            found.others[_KINDS.get(line[0], "line that is not understood")] += 1
    return found


def _take_attribute(line: str, spans: dict[str, _Span]) -> bool:
    """Whether the line is an attribute that is understood; its span then has it."""
    match = _ATTRIBUTE.fullmatch(line)
    span = spans.get(match[2]) if match else None
    if match is None or span is None:
        return False
    name, value = match[1].lower(), (match[3] or "").strip()
    if name == "field" and value:
        span.field = value.replace("_", " ")
        return True
    polarity = _MEANT.get(name) if not value else next((one for one in POLARITIES if one == value), None)
    if polarity is None or (value and name != "polarity"):
        return False
    span.polarity = polarity
    return True


def _take_concept(line: str, spans: dict[str, _Span]) -> bool:
    """Whether the line is a normalisation of a span; its span then has it."""
    match = _CONCEPT.fullmatch(line)
    span = spans.get(match[1]) if match else None
    if match is None or span is None:
        return False
    span.concepts += (Coding(match[2], "", match[3], (match[4] or "").strip(), "", "imported"),)
    return True


def _fold(spans: Sequence[_Span], text: str) -> None:
    """Offsets that count two characters for the end of a line, as offsets into the text with one."""
    ends = [match.start() + number for number, match in enumerate(re.finditer("\n", text))]
    folded = [
        replace(
            one, fragments=[(a - bisect_left(ends, a), b - bisect_left(ends, b)) for a, b in one.fragments]
        )
        for one in spans
    ]
    if sum(_agrees(one, text) for one in folded) > sum(_agrees(one, text) for one in spans):
        for one, other in zip(spans, folded, strict=True):
            one.fragments = other.fragments


def _agrees(span: _Span, text: str) -> bool:
    return " ".join(text[a:b] for a, b in span.fragments).split() == span.words.split()


def _quotes(
    spans: Sequence[_Span], text: str, categories: Sequence[str], notes: list[str]
) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[QuoteDetails, ...]]]:
    """Quotes by category and what is said of each; what cannot be kept as it is goes to the notes."""
    quotes: dict[str, list[str]] = {}
    said: dict[str, list[QuoteDetails]] = {}
    unknown = Counter(one.label for one in spans if one.label not in categories)
    apart = 0
    for one in spans:
        if one.label in unknown:
            continue
        start, end = one.place
        stands = _agrees(one, text)
        quote = text[start:end] if stands else one.words
        if not quote.strip():
            continue
        gaps = (text[a[1] : b[0]] for a, b in zip(one.fragments, one.fragments[1:], strict=False))
        apart += stands and any(gap.strip() for gap in gaps)
        quotes.setdefault(one.label, []).append(quote)
        said.setdefault(one.label, []).append(
            QuoteDetails((start, end), one.polarity or "present", one.field, one.concepts)
        )
    if apart:
        notes.append(
            f"{counted(apart, 'discontinuous span')} taken as the whole stretch from first to last character."
        )
    notes += [unknown_category(label, number) for label, number in sorted(unknown.items())]
    ordered = [category for category in categories if category in quotes]
    return {one: tuple(quotes[one]) for one in ordered}, {one: tuple(said[one]) for one in ordered}


def _left(lines: _Lines) -> list[str]:
    if not lines.others:
        return []
    kinds = ", ".join(counted(number, kind, _plural(kind)) for kind, number in sorted(lines.others.items()))
    return [f"Not taken over, since there is no place for them: {kinds}."]


def _plural(kind: str) -> str:
    noun, _, more = kind.partition(" ")
    return f"{noun}s {more.replace('is', 'are', 1)}" if more else ""


def _write(reports: Sequence[ReportExport]) -> Iterator[dict[str, str]]:
    """The configuration that brat wants, then a text and an annotation file for each report."""
    yield {"annotation.conf": _configuration(reports)}
    taken: set[str] = set()
    for report in reports:
        name = stem = _NAME.sub("_", report.key).strip(".") or "report"
        number = 1
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name)
        lines = "".join(f"{line}\n" for line in _annotation_lines(report))
        yield {f"{name}.txt": report.document.text, f"{name}.ann": lines}


def _annotation_lines(report: ReportExport) -> Iterator[str]:
    text, attributes, concepts = report.document.text, 0, 0
    placed = [one for one in report.annotations if _place(one) is not None]
    for number, annotation in enumerate(placed, 1):
        finding = annotation.finding
        start, end = _place(annotation) or (0, 0)
        if not 0 <= start < end <= len(text):
            raise FormatError(f"The span {start}-{end} of {finding.quote!r} is outside of the text.")
        # No line may end inside the words of a line: brat writes what goes on as fragments.
        parts = [(start + one.start(), start + one.end()) for one in _LINE.finditer(text[start:end])]
        where = ";".join(f"{a} {b}" for a, b in parts)
        words = " ".join(text[a:b] for a, b in parts)
        yield f"T{number}\t{finding.category} {where}\t{words}"
        polarity = "" if finding.polarity == "present" else finding.polarity
        for name, value in (("Polarity", polarity), ("Field", finding.field)):
            if value:
                attributes += 1
                yield f"A{attributes}\t{name} T{number} {value.replace(' ', '_')}"
        for coding in annotation.concepts:
            concepts += 1
            yield f"N{concepts}\tReference T{number} {coding.terminology}:{coding.code}\t{coding.label}"


def _place(annotation: ExportedAnnotation) -> tuple[int, int] | None:
    start, end = annotation.finding.start, annotation.finding.end
    return None if start is None or end is None else (start, end)


def _configuration(reports: Sequence[ReportExport]) -> str:
    findings = [one.finding for report in reports for one in report.annotations]
    looked_at = (category for report in reports for category in report.looked_at)
    types = dict.fromkeys((*looked_at, *(finding.category for finding in findings)))
    fields = sorted({finding.field.replace(" ", "_") for finding in findings if finding.field})
    lines = ["[entities]", *types, "", "[relations]", "", "[events]", "", "[attributes]"]
    lines.append("Polarity Arg:<ENTITY>, Value:negated|uncertain")
    lines += [f"Field Arg:<ENTITY>, Value:{'|'.join(fields)}"] if fields else []
    return "\n".join(lines) + "\n"


def _losses(reports: Sequence[ReportExport]) -> Iterable[str]:
    if reports:
        yield "brat has no place for titles, sections, identifiers, metadata, origin and annotator."
    given = [(report, one) for report in reports for one in report.annotations]
    unplaced = sum(_place(one) is None for _, one in given)
    if unplaced:
        yield f"{counted(unplaced, 'quote')} without a place not written: every line of brat has one."
    other = sum(
        place is not None and report.document.text[slice(*place)] != one.finding.quote
        for report, one in given
        for place in [_place(one)]
    )
    if other:
        yield f"{counted(other, 'quote')} written in the words of the text, which differ from those given."
    yield from concepts_lost(reports, "Of concepts code and label are written, without release")
    nothing = sum(
        len(set(one.looked_at) - {annotation.finding.category for annotation in one.annotations})
        for one in reports
    )
    if nothing:
        yield f"That a category was looked at and nothing found is not written (cells: {nothing})."


def _detect(data: bytes) -> int:
    """Its first line is a span as brat writes it."""
    return 3 * bool(_SPAN.match(data[:4096].decode("utf-8", "replace").removeprefix("\ufeff")))


FORMAT = Format(
    id="brat",
    label="brat standoff",
    made_by="a folder of .txt and .ann files",
    about="A folder with a text and an annotation file for each report, for brat and what reads its files; "
    "quotes without a place are not written.",
    suffixes=(".ann",),
    companion=".txt",
    detect=_detect,
    read=_read,
    write_folder=_write,
    losses=_losses,
    carries=True,
)
