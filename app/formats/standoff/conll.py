"""CoNLL: a token and its label a line, an empty one between sentences; offsets in columns between."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from app.formats.documents.text import decode, text_document
from app.formats.format import Format, first_characters
from app.formats.losses import Lacking, underscored
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut, ReportExport, Span
from app.formats.standoff.places import GivenText, joined, placed, side_by_side, tokens_of
from app.text import counted
from extractors.model.errors import FormatError
from extractors.text.boundaries import trimmed
from extractors.text.sentences import sentences

_START = "-DOCSTART-"
_COLUMN = re.compile(r"[^ \t]+")
_LABEL = re.compile(r"(?:[BIESLUM]-\S+|O)")
_BEGINS, _OUTSIDE, _ENDS = frozenset("BSU"), "O", frozenset("ESLU")
# Nothing stands between two tokens.
_NONE = "_"
_COLUMNS = 5
_LINES = 40


@dataclass(slots=True)
class _Document:
    """What stands between two marks of a document: its lines' cells, None where a sentence ends."""

    head: list[str]
    rows: list[list[str] | None] = field(default_factory=list)


def _read(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The report of each document; one without offsets is put together of its tokens."""
    text, assumed = decode(payload.data)
    documents = list(_documents(text))
    if not any(any(one.rows) for one in documents):
        raise FormatError("There are no tokens in it.")

    def reports() -> Iterator[Imported | LeftOut]:
        for number, one in enumerate(documents, start=1):
            if not any(one.rows):
                continue
            source = f"{payload.source}#{number}"
            try:
                yield _report(one, payload, source, digest, categories, list(assumed))
            except FormatError as error:
                yield LeftOut(source, payload.name, str(error), failed=True)

    return joined(reports())


def _documents(text: str) -> Iterator[_Document]:
    document = _Document([])
    for line in text.split("\n"):
        cells = line.split("\t") if "\t" in line else _columns(line)
        if cells and cells[0] == _START:
            yield document
            document = _Document(cells)
        elif not line.strip():
            document.rows.append(None)
        elif not (line.startswith("# ") and len(cells) != _width(document)):
            document.rows.append(cells)
    yield document


def _columns(line: str) -> list[str]:
    """A line's cells; only blanks and tabs part them, other spaces are characters of a token."""
    return _COLUMN.findall(line)


def _width(document: _Document) -> int:
    return next((len(row) for row in document.rows if row), 0)


def _report(
    one: _Document, payload: Payload, source: str, digest: str, categories: Sequence[str], notes: list[str]
) -> Imported:
    odd = next((row for row in one.rows if row and len(row) != len(one.head)), None)
    if odd is not None and len(one.head) == _COLUMNS:
        raise FormatError(
            f"The line of {odd[0]!r} has {counted(len(odd), 'column')} instead of {_COLUMNS}; "
            "the file may be only a part of one."
        )
    exact = _exact(one)
    given, places = exact or _rebuilt(one.rows)
    if exact is None:
        notes.append("The file has no text: it was put together of its tokens, with a blank between them.")
    bare = sum(row is not None and len(row) < 2 for row in one.rows)
    if bare:
        notes.append(f"{counted(bare, 'line')} without a label; the token is taken, without one.")
    text = GivenText(given)
    spans = tuple(
        Span(label, text.words(place), place)
        for label, start, end in _labelled(one.rows, places)
        if (place := text.place(start, end))
    )
    key = _unescaped(one.head[1]) if exact else ""
    title = _unescaped(one.head[2]) if exact else ""
    document = text_document(text.text, key or payload.name, categories, title)
    return Imported(document, source, digest, notes=tuple(notes), spans=spans, key=key)


def _exact(one: _Document) -> tuple[str, list[tuple[int, int]]] | None:
    """Text and places of tokens where the columns that are written here have them; None for others."""
    if len(one.head) != _COLUMNS:
        return None
    pieces = [_unescaped(one.head[3])]
    length, places = len(pieces[0]), list[tuple[int, int]]()
    for row in filter(None, one.rows):
        word, begins, ends, blanks, _ = row
        end = length + len(word)
        if begins != str(length) or ends != str(end):
            return None
        after = _unescaped(blanks)
        places.append((length, end))
        pieces += [word, after]
        length = end + len(after)
    return "".join(pieces), places


def _rebuilt(rows: Sequence[list[str] | None]) -> tuple[str, list[tuple[int, int]]]:
    """Tokens with a blank between them, each sentence on a line of its own."""
    pieces: list[str] = []
    length, places, between = 0, list[tuple[int, int]](), ""
    for row in rows:
        if row is None:
            between = "\n" if places else ""
            continue
        pieces += [between, row[0]]
        length += len(between)
        places.append((length, length + len(row[0])))
        length += len(row[0])
        between = " "
    return "".join(pieces), places


def _labelled(
    rows: Sequence[list[str] | None], places: Sequence[tuple[int, int]]
) -> Iterator[tuple[str, int, int]]:
    """Label, start and end of each stretch of tokens, in whatever scheme the labels are."""
    label, start, end = "", 0, 0
    tags = [row[-1] if len(row) > 1 else _OUTSIDE for row in rows if row is not None]
    for tag, place in zip(tags, places, strict=True):
        mark, _, name = tag.partition("-") if _LABEL.fullmatch(tag) and tag != _OUTSIDE else ("I", "", tag)
        outside = tag in (_OUTSIDE, "", _NONE)
        if label and (outside or mark in _BEGINS or name != label):
            yield label, start, end
            label = ""
        if outside:
            continue
        start, label, end = (start, label, place[1]) if label else (place[0], name, place[1])
        if mark in _ENDS:
            yield label, start, end
            label = ""
    if label:
        yield label, start, end


def _write(reports: Sequence[ReportExport]) -> Iterator[str]:
    for report in reports:
        yield "\n".join(_lines(report)) + "\n\n"


def _lines(report: ReportExport) -> Iterator[str]:
    """The document's mark with its key, title and first blanks; then token, start, end, blanks and label."""
    text = report.document.text
    kept = _kept(report)
    words = _words(text, [(start, end) for _, start, end in kept])
    first = words[0][0] if words else len(text)
    head = [_escaped(one) for one in (report.key, report.document.title, text[:first])]
    yield "\t".join([_START, *head, _OUTSIDE])
    yield ""
    begins = {start: (label, end) for label, start, end in kept}
    breaks = iter([start for start, _ in sentences(text)][1:])
    stop, label, until = next(breaks, None), "", 0
    for number, (start, end) in enumerate(words):
        if stop is not None and stop <= start:
            # A label does not go on in another sentence.
            if start >= until:
                yield ""
            stop = next((one for one in breaks if one > start), None)
        if start in begins:
            label, until = begins[start]
            tag = f"B-{label}"
        else:
            tag = f"I-{label}" if start < until else _OUTSIDE
        behind = words[number + 1][0] if number + 1 < len(words) else len(text)
        yield "\t".join([text[start:end], str(start), str(end), _escaped(text[end:behind]), tag])


def _words(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Tokens without blanks; the mark of a document within a text is cut in two."""
    found = []
    for start, end, _ in tokens_of(text, spans):
        word = text[start:end]
        if word == _START:
            found += [(start, start + 1), (start + 1, end)]
        elif not word.isspace():
            found.append((start, end))
    return found


def _kept(report: ReportExport) -> list[tuple[str, int, int]]:
    """Label, start and end of the spans that overlap none before them, without the blanks at their ends."""
    text = report.document.text
    found = [(underscored(one.label), *trimmed(text, *one.place)) for one in side_by_side(placed(report))]
    return [(label, start, end) for label, start, end in found if start < end]


def _blanks(reports: Sequence[ReportExport]) -> Iterator[str]:
    cut = sum(
        trimmed(report.document.text, *one.place) != one.place
        for report in reports
        for one in side_by_side(placed(report))
    )
    if cut:
        yield f"Written without the blanks at its ends, since CoNLL labels tokens: {counted(cut, 'span')}."


@lru_cache(maxsize=1_000)
def _escaped(text: str) -> str:
    """A text in one cell without blanks, `_` for none."""
    if not text:
        return _NONE
    escaped = json.dumps(text)[1:-1].replace(" ", "\\u0020")
    return escaped if escaped != _NONE else "\\u005f"


@lru_cache(maxsize=1_000)
def _unescaped(cell: str) -> str:
    if cell in ("", _NONE):
        return ""
    try:
        return str(json.loads(f'"{cell}"'))
    except ValueError:
        return cell


def _detect(data: bytes) -> int:
    """A document's mark, or lines of as many columns each of which the last is a label."""
    head = first_characters(data)
    if head.startswith(_START):
        return 3
    lines = [
        _columns(line) for line in head.split("\n")[:_LINES] if line.strip() and not line.startswith("# ")
    ]
    rows = lines[:-1] if len(head) >= 4096 else lines
    tagged = rows and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1
    labels = [row[-1] for row in rows]
    fits = tagged and all(_LABEL.fullmatch(label) for label in labels)
    return 3 if fits and len(rows) > 1 else 0


FORMAT = Format(
    id="conll",
    label="CoNLL table of tokens",
    made_by="tokens with IOB labels",
    about="A token a line with its B-, I- or O label, to train taggers; spans within others are not written.",
    suffixes=(".conll", ".iob", ".bio", ".conll03"),
    detect=_detect,
    read=_read,
    write=_write,
    losses=Lacking(
        "CoNLL",
        ("about", "origin", "unplaced", "overlap", "fragments", "polarity", "field", "note", "concept",
         "own words", "nothing", "spaced labels"),
        _blanks,
    ),
    carries=True,
)  # fmt: skip
