"""brat's standoff: a folder with each report's text in one file and its annotations in another beside it."""

from __future__ import annotations

import hashlib
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.formats.documents.text import decode, text_document
from app.formats.format import Format
from app.formats.losses import Lacking, underscored
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, ReportExport, Span, concepts_lost
from app.formats.standoff.places import GivenText, Unit, labelled, outside_notes, unit_note
from app.formats.writing import file_names
from app.text import counted
from extractors.model.coding import Coding
from extractors.model.errors import FormatError
from extractors.model.finding import POLARITIES, Polarity

_SPAN = re.compile(r"(T\S+)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)\t(.*)")
# An attribute, normalisation or note: its id, its kind, what it is of, and what it says.
_OF = re.compile(r"([AMN#]\S*)\t(\S+) (\S+)(?:[ \t](.*))?")
_REFERENCE = re.compile(r"(?:^|[\s:])([TREAMN]\d+)(?=\s|$)")
_ID = re.compile(r"([A-Z#*])(\d*)")
_MEANT: dict[str, Polarity] = {
    "negation": "negated", "negated": "negated", "uncertainty": "uncertain", "uncertain": "uncertain",
    "speculation": "uncertain",
}  # fmt: skip
_NOTE = "AnnotatorNotes"
_CONCEPT = re.compile(r"N\S*\tReference \S+ ([^\s:]+):(\S+)(?:\t(.*))?")
_LINE = re.compile(r"[^\n]+")


@dataclass(slots=True)
class _Span:
    """A text-bound annotation: its line, its type, its fragments in code points, its words as given.

    `lines` are those of attributes, normalisations and notes on it.
    """

    line: str
    label: str
    fragments: list[tuple[int, int]]
    words: str
    lines: list[str] = field(default_factory=list)

    @property
    def place(self) -> tuple[int, int]:
        """From the first to the last character of its fragments."""
        return self.fragments[0][0], self.fragments[-1][1]


@dataclass(frozen=True, slots=True)
class _Attributes:
    """What the lines on a span say of it, as far as that is understood."""

    polarity: Polarity = "present"
    field: str = ""
    note: str = ""
    concepts: tuple[Coding, ...] = ()

    def still(self, line: str) -> bool:
        """Whether a line on the span says nothing else, as far as it is understood."""
        coded = {(one.terminology, one.code) for one in self.concepts}
        return all(
            {(one.terminology, one.code) for one in value} <= coded
            if key == "concepts"
            else getattr(self, key) == value
            for key, value in _meaning(line).items()
        )


_NO_ATTRIBUTES = _Attributes()


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
    content, assumed = decode(payload.data) if annotated else ("", ())
    spans, rest = _lines(content)
    more = list(assumed)
    _convert(spans, text, data, more)
    found = tuple(_as_span(one, text) for one in spans)
    ids = {one.line.split("\t")[0] for one in spans} | {line.split(None, 1)[0] for line in rest}
    # What lines speak of though the file lacks it: they are not to go for that.
    loose = sorted(set().union(*map(_references, rest)) - ids)
    document = text_document(text, payload.name, categories)
    # An empty file says that its text is one of those that were annotated, and is written again.
    kept = {FORMAT.id: {"lines": rest, "loose": loose} if loose else rest}
    yield Imported(
        document,
        payload.source,
        hashlib.sha256(data).hexdigest(),
        notes=(*notes, *more, *outside_notes(found), *_not_understood(rest)),
        spans=found if annotated else None,
        rest=kept if rest or (annotated and not found) else {},
    )


def _lines(content: str) -> tuple[list[_Span], list[str]]:
    """Spans with the lines on them, and the other lines, in their order."""
    spans: dict[str, _Span] = {}
    others = []
    for line in content.split("\n"):
        match = _SPAN.fullmatch(line)
        if match and match[1] not in spans:
            pairs = [tuple(map(int, part.split())) for part in match[3].split(";")]
            spans[match[1]] = _Span(line, match[2], sorted((a, b) for a, b in pairs), match[4])
        elif line.strip():
            others.append(line)
    rest = []
    for line in others:
        match = _OF.fullmatch(line)
        if match and match[3] in spans:
            spans[match[3]].lines.append(line)
        else:
            rest.append(line)
    return list(spans.values()), rest


def _meaning(line: str) -> dict[str, Any]:
    """What a line on a span says of it: polarity, field, note or concept; nothing that is not understood."""
    match = _OF.fullmatch(line)
    if match is None:
        return {}
    name, value = match[2], " ".join((match[4] or "").split())
    if match[1].startswith("#"):
        return {"note": value} if name == _NOTE and value else {}
    if match[1].startswith("N"):
        coded = _CONCEPT.fullmatch(line)
        if coded is None:
            return {}
        return {"concepts": (Coding(coded[1], "", coded[2], (coded[3] or "").strip(), "", "imported"),)}
    name = name.lower()
    if name == "field" and value:
        return {"field": value.replace("_", " ")}
    polarity = (
        _MEANT.get(name) if not value else value if name == "polarity" and value in POLARITIES else None
    )
    return {"polarity": polarity} if polarity else {}


def _attributes_in(lines: Sequence[str]) -> _Attributes:
    if not lines:
        return _NO_ATTRIBUTES
    attributes: dict[str, Any] = {}
    for line in lines:
        meaning = _meaning(line)
        if "concepts" in meaning:
            meaning["concepts"] = (*attributes.get("concepts", ()), *meaning["concepts"])
        attributes |= meaning
    return _Attributes(**attributes)


def _as_span(span: _Span, text: str) -> Span:
    start, end = span.place
    attributes = _attributes_in(span.lines)
    stands = _agrees(span, text)
    return Span(
        span.label,
        text[start:end] if stands else span.words,
        (start, end) if start < end <= len(text) else None,
        _apart(span.fragments, text) if stands and start < end <= len(text) else (),
        attributes.polarity,
        {FORMAT.id: {"line": span.line, "on": span.lines}},
        attributes.field,
        attributes.note,
        attributes.concepts,
    )


def _apart(fragments: Sequence[tuple[int, int]], text: str) -> tuple[tuple[int, int], ...]:
    """The fragments of a discontinuous span; of one that only goes on in another line there are none."""
    found: list[tuple[int, int]] = []
    for start, end in fragments:
        if found and not text[found[-1][1] : start].strip("\n"):
            start = found.pop()[0]
        found.append((start, end))
    return tuple(found) if len(found) > 1 else ()


def _not_understood(rest: Sequence[str]) -> list[str]:
    broken = sum(line.startswith("T") for line in rest)
    if not broken:
        return []
    return [f"{counted(broken, 'line')} of a span not understood; kept as it stands, and written back."]


def _convert(spans: Sequence[_Span], text: str, data: bytes, notes: list[str]) -> None:
    """Offsets that count two characters for the end of a line, the mark that the file (`data`) begins with,
    or no characters, as those of the text."""
    crlf, marked = b"\r\n" in data, data.startswith(BOM_UTF8)
    most, found = sum(_agrees(one, text) for one in spans), list[_Span]()
    tried: list[tuple[str, Unit, int]] = [(text.replace("\n", "\r\n"), "characters", 0)] if crlf else []
    tried += [] if text.isascii() else [(text, "UTF-16 units", 0), (text, "bytes", 0)]
    # Programs that take the mark at the start of a file for a character count it.
    tried += [(given, unit, 1) for given, unit, _ in ((text, "characters", 0), *tried)] if marked else []
    note = ""
    for given, unit, before in tried if most < len(spans) else ():
        there = GivenText(given, unit)
        other = [
            replace(one, fragments=[there.place(a - before, b - before) or (a, b) for a, b in one.fragments])
            for one in spans
        ]
        fitting = sum(_agrees(one, text) for one in other)
        if fitting > most:
            most, found, note = fitting, other, "" if unit == "characters" else unit_note(unit)
    notes += [note] if note else []
    for one, new in zip(spans, found, strict=False):
        one.fragments = new.fragments
        name, _, words = one.line.split("\t", 2)
        where = ";".join(f"{start} {end}" for start, end in one.fragments)
        one.line = f"{name}\t{one.label} {where}\t{words}"


def _agrees(span: _Span, text: str) -> bool:
    words = " ".join([text[a:b] for a, b in span.fragments])
    return words == span.words or words.split() == span.words.split()


def _write(reports: Sequence[ReportExport]) -> Iterator[dict[str, str]]:
    """The configuration that brat wants, then a text and an annotation file for each report."""
    yield {"annotation.conf": _configuration(reports)}
    for report, name in zip(reports, file_names(one.key for one in reports), strict=True):
        lines = "".join(f"{line}\n" for line in _annotation_lines(report)[0])
        yield {f"{name}.txt": report.document.text, f"{name}.ann": lines}


@dataclass(slots=True)
class _Numbers:
    """Ids of brat: those of the file that spans came out of, and new ones behind them."""

    last: dict[str, int] = field(default_factory=dict)

    def seen(self, line: str) -> None:
        match = _ID.match(line)
        if match and match[2]:
            self.last[match[1]] = max(self.last.get(match[1], 0), int(match[2]))

    def new(self, letter: str) -> str:
        self.last[letter] = self.last.get(letter, 0) + 1
        return f"{letter}{self.last[letter]}"


def _annotation_lines(report: ReportExport) -> tuple[list[str], int]:
    """The lines of an annotation file, and how many that came along are about something that is gone."""
    numbers = _Numbers()
    came = report.rest.get(FORMAT.id, [])
    # Projects of before have the lines alone.
    rest, loose = (came["lines"], {*came["loose"]}) if isinstance(came, dict) else (came, set[str]())
    found = [(one, _own(one.span)) for one in labelled(report)]
    for line in (*(line for _, own in found if own for line in (own["line"], *own["on"])), *rest):
        numbers.seen(line)
    written: list[tuple[str, list[str]]] = []
    for place, (one, own) in enumerate(found):
        if own and place >= len(report.annotations):
            written.append((own["line"], own["on"]))
        elif own or one.parts:
            note = " ".join(one.note.split())
            held = _Attributes(one.polarity or "present", one.field, note, one.concepts)
            label, text = underscored(one.label), report.document.text
            written.append(_span_lines(numbers, label, one.parts, held, one.span, text))
    written.sort(key=lambda one: _number(one[0]))
    kept = _still_about(rest, {line.split("\t")[0] for line, _ in written} | loose)
    lines = [*(line for line, _ in written), *(line for _, on in written for line in on), *kept]
    return lines, len(rest) - len(kept)


def _number(line: str) -> int:
    match = _ID.match(line)
    return int(match[2] or 0) if match else 0


def _span_lines(
    numbers: _Numbers,
    label: str,
    parts: Sequence[tuple[int, int]],
    attributes: _Attributes,
    span: Span | None,
    text: str,
) -> tuple[str, list[str]]:
    """The line of a span and those on it; what it came with stays as it was where that still holds."""
    place = (parts[0][0], parts[-1][1]) if parts else None
    if place and not 0 <= place[0] < place[1] <= len(text):
        raise FormatError(f"The span {place[0]}-{place[1]} is outside of the text.")
    own = _own(span) or {"line": "", "on": []}
    before = _SPAN.fullmatch(own["line"])
    name = before[1] if before else numbers.new("T")
    if before and (place is None or (span and span.place == place)):
        where, words = before[3], before[4]
    else:
        # No line may end inside the words of a line: brat writes what goes on as fragments.
        where, words = f"{place[0]} {place[1]}" if place else "", text[slice(*place)] if place else ""
        if len(parts) > 1 or "\n" in words:
            pieces = [(a + one.start(), a + one.end()) for a, b in parts for one in _LINE.finditer(text[a:b])]
            where = ";".join([f"{a} {b}" for a, b in pieces])
            words = " ".join([text[a:b] for a, b in pieces])
    was = _attributes_in(own["on"])
    on = [line for line in own["on"] if attributes.still(line)]
    if attributes.polarity != was.polarity and attributes.polarity != "present":
        on.append(f"{numbers.new('A')}\tPolarity {name} {attributes.polarity}")
    if attributes.field != was.field and attributes.field:
        on.append(f"{numbers.new('A')}\tField {name} {attributes.field.replace(' ', '_')}")
    if attributes.note != was.note and attributes.note:
        on.append(f"{numbers.new('#')}\t{_NOTE} {name}\t{attributes.note}")
    there = {(one.terminology, one.code) for one in was.concepts}
    for one in attributes.concepts:
        if (one.terminology, one.code) not in there:
            on.append(f"{numbers.new('N')}\tReference {name} {one.terminology}:{one.code}\t{one.label}")
    return f"{name}\t{label} {where}\t{words}", on


def _own(span: Span | None) -> dict[str, Any]:
    """The lines that a span had in brat's file; nothing for others."""
    return dict(span.own.get(FORMAT.id, {})) if span else {}


def _still_about(rest: Sequence[str], there: set[str]) -> list[str]:
    """Those of other lines that are about nothing that is gone."""
    kept = list(rest)
    while True:
        known = there | {line.split(None, 1)[0] for line in kept}
        still = [line for line in kept if _references(line) <= known]
        if len(still) == len(kept):
            return kept
        kept = still


def _references(line: str) -> set[str]:
    """The ids that a relation, event, equivalence, attribute or note speaks of."""
    parts = line.split("\t")
    return set(_REFERENCE.findall(parts[1])) if len(parts) > 1 and line[0] in "REAMN#*" else set()


def _configuration(reports: Sequence[ReportExport]) -> str:
    findings = [one.finding for report in reports for one in report.annotations]
    looked_at = (category for report in reports for category in report.looked_at)
    others = (underscored(span.label) for report in reports for span in report.spans)
    types = dict.fromkeys((*looked_at, *(finding.category for finding in findings), *others))
    fields = sorted({finding.field.replace(" ", "_") for finding in findings if finding.field})
    lines = ["[entities]", *types, "", "[relations]", "", "[events]", "", "[attributes]"]
    lines.append("Polarity Arg:<ENTITY>, Value:negated|uncertain")
    lines += [f"Field Arg:<ENTITY>, Value:{'|'.join(fields)}"] if fields else []
    return "\n".join(lines) + "\n"


def _gone(reports: Sequence[ReportExport]) -> Iterator[str]:
    marked = sum(report.document.text.startswith("\ufeff") for report in reports)
    if marked:
        yield f"Read as a mark of the file, not as a character: U+FEFF, first in {counted(marked, 'text')}."
    notes = [one.note for report in reports for one in labelled(report)]
    folded = sum(" ".join(note.split()) != note for note in notes)
    if folded:
        yield f"Written with one blank for line ends, tabs and runs of blanks: {counted(folded, 'note')}."
    gone = sum(_annotation_lines(report)[1] for report in reports if FORMAT.id in report.rest)
    if gone:
        yield f"{counted(gone, 'line')} that came along not written: what they are about is gone."
    yield from concepts_lost(reports, "Of concepts code and label are written, without release")


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
    losses=Lacking(
        "brat",
        ("about", "title", "origin", "unplaced", "line ends", "own words", "nothing", "spaced labels"),
        _gone,
        "brat",
    ),
    carries=True,
)
