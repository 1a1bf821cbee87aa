"""Read plain text: decode it strictly, say what was assumed, and find its headings with caution."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from app.formats.documents.joining import join_lines
from app.formats.format import Format
from app.formats.jats.citations import CLOSE, OPEN
from app.formats.pictures.packages import Payload
from app.formats.plain import one_newline, whole_characters, without_controls
from app.formats.record import Imported, LeftOut, Pasted
from app.text import counted
from extractors.model.document import Document, Section
from extractors.model.errors import FormatError
from extractors.text.sections import classify, default_section_rules, says_something
from extractors.text.tables import Cell, table_lines

MAX_HEADING = 80
_PASTED = "Pasted text"
MAX_TITLE = 200
# Characters: no line of a text whose lines are broken is longer, but a paragraph is.
_LONGEST_LINE = 120
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_AT_ONCE = 1 << 20
_CONTROL_BYTES = bytes(one for one in range(32) if _CONTROL.match(chr(one)))
# Text holds hardly any control characters (a terminal's colours, a printer's marks); a binary file many.
_FEW_CONTROLS = 4
_BINARY_SHARE = 0.02
# What stands before the tab of a list, and how long no cell is.
_BULLET = re.compile(r"[^\w\s]|\(?(?:[a-z]|[ivx]{1,4}|\d+(?:\.\d+)*)[.)]*")
_LONGEST_CELL = 160
_LINE = re.compile(r"^.*$", re.MULTILINE)
_HEADING = re.compile(r"(?:#{1,6}\s+)?((?:\d+(?:\.\d+)*\.?\s+)?[^\W\d_][^.!?;:]*):?\s*")
_LEAD_IN = re.compile(r"([A-Z][A-Z /&-]{2,40}):\s+\S")


def read_payload(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The one report of a text file."""
    text, notes = decode(payload.data)
    if not text.strip():
        raise FormatError("The file is empty.")
    document = text_document(text, payload.name, categories)
    yield Imported(document, payload.source, digest, notes=notes)


def pasted_report(pasted: Pasted, categories: Sequence[str]) -> Imported:
    """The report of a pasted text, broken lines joined where that is asked; raises FormatError for none."""
    text = one_newline(whole_characters(pasted.text)).strip("\n")
    if not text.strip():
        raise FormatError("There is no text; paste the words of a report.")
    pieces, notes, joined = list[str](), list[str](), 0
    rows = 0
    for piece, table in _prose_and_tables(text.split("\n")):
        told, divided = join_lines(piece) if pasted.broken and not table else (piece, [])
        joined += piece.count("\n") - told.count("\n")
        rows += told.count("\n") + 1 if table else 0
        notes += divided
        pieces.append(told)
    if pasted.broken:
        notes.insert(0, f"{counted(joined, 'broken line')} joined into paragraphs.")
    if rows:
        notes.append(f"{counted(rows, 'line')} with tabs became rows of a table.")
    text = ("\n\n" if pasted.broken else "\n").join(pieces)
    document = text_document(text, _PASTED, categories, pasted.title)
    digest = hashlib.sha256(pasted.text.encode("utf-8", "replace")).hexdigest()
    return Imported(document, _PASTED.lower(), digest, notes=tuple(notes), read_as=_PASTED)


def _prose_and_tables(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """What lines have in turn, tables with bars; spreadsheets copy a row as cells with tabs between them."""
    prose: list[str] = []
    for tabbed, group in groupby(lines, key=lambda line: "\t" in line):
        here = list(group)
        rows = (
            [[Cell(" ".join(cell.split())) for cell in line.split("\t")] for line in here] if tabbed else []
        )
        several = [row for row in rows if sum(bool(cell.text) for cell in row) > 1]
        listed = all(len(row) == 2 and _BULLET.fullmatch(row[0].text) for row in several)
        prosaic = any(len(cell.text) > _LONGEST_CELL for row in rows for cell in row)
        if len(several) > 1 and not listed and not prosaic:
            if prose:
                yield "\n".join(prose), False
            prose = []
            yield "\n".join(table_lines(rows)), True
        else:
            prose += here
    if prose:
        yield "\n".join(prose), False


def decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The text with one newline per line end, and notes on what had to be assumed about its encoding.

    Raises FormatError, naming the byte's offset, where it is no text in UTF-8, UTF-16/32 or Windows-1252: a
    zero among its characters, or many control characters, are no text either.
    """
    notes: tuple[str, ...] = ()
    mark, encoding = next(((m, e) for m, e in _MARKS if data.startswith(m)), (b"", ""))
    if not encoding:
        encoding, notes = _guess(data)
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(data, error.start + len(mark), encoding) from None
    # Looked for among the bytes first, which is quick; wide encodings are full of zeros.
    suspect = encoding.startswith(("utf-16", "utf-32")) or _has_controls(data)
    place = _binary_place(text) if suspect else None
    if place is not None:
        offset = len(mark) + len(text[:place].encode(encoding))
        raise FormatError(
            f"The file is no text: byte {data[offset]:#04x} at offset {offset}; import its text instead."
        )
    return one_newline(text), notes


def _has_controls(data: bytes) -> bool:
    # In pieces, lest a large file be there twice.
    pieces = (data[at : at + _AT_ONCE] for at in range(0, len(data), _AT_ONCE))
    return any(len(piece.translate(None, _CONTROL_BYTES)) < len(piece) for piece in pieces)


def _binary_place(text: str) -> int | None:
    """The code point that shows that `text` is none, if one does."""
    if "\0" in text:
        return text.index("\0")
    places = [match.start() for match in _CONTROL.finditer(text)]
    if len(places) > _FEW_CONTROLS and len(places) > _BINARY_SHARE * len(text):
        return places[0]
    return None


def _guess(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The encoding of bytes without a mark: UTF-8 where they fit, else what their pattern shows."""
    zeros = data[:4096].count(0)
    if zeros * 3 > len(data[:4096]):
        little = data[1:4096:2].count(0) > data[0:4096:2].count(0)
        name = "little" if little else "big"
        return f"utf-16-{name[0]}e", (
            f"The text was read as UTF-16 ({name} endian), though it does not say so.",
        )
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if _is_damaged_utf8(data):
            raise _undecodable(data, error.start, "utf-8") from None
        return "cp1252", ("The text was read as Windows-1252 (Latin-1), as it is not UTF-8.",)
    return "utf-8", ()


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether most bytes beyond ASCII fit UTF-8, so that the others are damage and not another encoding."""
    lenient = data.decode("utf-8", errors="replace")
    broken = lenient.count("\ufffd")
    return sum(char > "\x7f" for char in lenient) - broken > broken


def _undecodable(data: bytes, offset: int, encoding: str) -> FormatError:
    byte = f"byte {data[offset]:#04x} at offset {offset}"
    return FormatError(f"The text cannot be decoded as {encoding.upper()}: {byte}; save it as UTF-8.")


def text_document(text: str, name: str, categories: Sequence[str], title: str = "") -> Document:
    """A document of `text`, untouched, with the title given; else it has that of its first line where that
    stands alone, else `name`."""
    return Document(title.strip() or _title(text) or name, text, find_sections(text, categories))


def _title(text: str) -> str:
    lines = text.strip().split("\n", 2)
    first = lines[0].lstrip("#").strip()
    stands_alone = len(lines) == 1 or not lines[1].strip() or len(lines[1]) > _LONGEST_LINE
    # "Abstract" is the heading of what follows.
    if len(first.split()) <= 2 and says_something(first, default_section_rules()):
        return ""
    return first if stands_alone and len(first) <= MAX_TITLE and not first.endswith((".", ",", ";")) else ""


def find_sections(text: str, categories: Sequence[str]) -> tuple[Section, ...]:
    """Sections that tile `text`, one per heading found; one without a heading where there is none."""
    starts = list(_headings(text))
    if not starts or starts[0][0] > 0:
        starts.insert(0, (0, ""))
    ends = [start for start, _ in starts[1:]] + [len(text)]
    sections = []
    for (start, heading), end in zip(starts, ends, strict=True):
        path = (heading,) if heading else ()
        found, role, reason = classify(path, default_section_rules(), categories)
        sections.append(Section(heading, path, start, end, found, role, reason))
    return tuple(sections)


def _headings(text: str) -> Iterator[tuple[int, str]]:
    """Where headings begin. A heading stands alone, is short, and speaks of what sections are about."""
    after_blank = True
    for match in _LINE.finditer(text):
        line = match[0].strip()
        if line:
            heading = _heading(line, after_blank)
            if heading:
                yield match.start(), heading
        after_blank = not line


def _heading(line: str, after_blank: bool) -> str:
    lead_in = _LEAD_IN.match(line)
    if lead_in:
        return lead_in[1] if says_something(lead_in[1], default_section_rules()) else ""
    # The length first: the pattern takes endless time on a line of many blanks.
    whole = _HEADING.fullmatch(line) if len(line) <= MAX_HEADING else None
    if whole is None:
        return ""
    heading = whole[1].strip()
    words = heading.split()
    marked = line.startswith("#") or line.isupper() or (after_blank and line.endswith(":"))
    if not marked and not (after_blank and len(words) <= 8 and _is_titled(words)):
        return ""
    return without_controls(heading) if says_something(heading, default_section_rules()) else ""


def _is_titled(words: Sequence[str]) -> bool:
    """Whether it begins like a heading, and is as short as one or capitalised like one."""
    letters = [word for word in words if word[0].isalpha()]
    if not letters:
        return False
    capital = sum(word[0].isupper() for word in letters if len(word) > 3)
    return letters[0][0].isupper() and (
        len(letters) <= 3 or capital == sum(len(word) > 3 for word in letters)
    )


def _detect(data: bytes) -> int:
    return 1


FORMAT = Format(id="text", label="Plain text", suffixes=(".txt",), detect=_detect, read=read_payload)


# From 0x20 and from 0xA0 on, by the font's own encoding; what draws pieces of brackets is left open.
_LOW = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"
_SIGNS = {
    place: sign for first, row in ((0x20, _LOW), (0xA0, _HIGH)) for place, sign in enumerate(row, first)
}
# Word moves them to where Unicode has characters of everybody's own.
_MOVED = 0xF000
UNKNOWN = "□"


def symbol(code: int, font: str) -> str:
    """The sign at a place of a font, UNKNOWN where that is not known."""
    return _SIGNS.get(code & 0xFF, UNKNOWN) if font.casefold() == "symbol" else UNKNOWN


def in_font(text: str, font: str) -> str:
    """A text in which signs of such a font stand, as what they are."""
    if not any(_MOVED <= ord(sign) <= _MOVED + 0xFF for sign in text):
        return text
    return "".join(symbol(ord(s), font) if _MOVED <= ord(s) <= _MOVED + 0xFF else s for s in text)


_FENCED = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")
_TOUCHING = re.compile(f"{CLOSE}( ?){OPEN}")
_MARKER = re.compile(r"[\[(]?[\d,;\s–—‐‑-]*\d[\d,;\s–—‐‑-]*[\])]?")
_UNIT = re.compile(r"(?:^|[\s\d/·×.])(?:[cmkµμdn]?m|[mkµμ]?g|s|min|h|[mdµμ]?[lL]|kcal|mol|year|day)$")
_POWER = re.compile(r"[-–−+]?\d{1,2}")
_BEFORE_MARK = re.compile(r" +([,.;])")
DEGREES = ("o", "º", "◦", "∘")


class Raised:
    """Takes the fences off and counts the citation numbers that it leaves out."""

    def __init__(self) -> None:
        self.removed = 0

    def plain(self, text: str) -> str:
        """The text without fences."""
        if OPEN not in text:
            return text
        return _BEFORE_MARK.sub(r"\1", _FENCED.sub(self._one, _TOUCHING.sub(r"\1", text)))

    def notes(self) -> list[str]:
        """A sentence on what was left out, where anything was."""
        return [f"{counted(self.removed, 'raised citation number')} left out."] if self.removed else []

    def _one(self, match: re.Match[str]) -> str:
        inner, before = match[1].strip(), match.string[: match.start()]
        following = match.string[match.end() : match.end() + 1]
        if inner in DEGREES and before[-1:].isdigit():
            return "°"
        if _POWER.fullmatch(inner) and (before[-1:].isdigit() or _UNIT.search(before)):
            return f"^{inner}" + (" " if following.isalnum() else "")
        if _MARKER.fullmatch(inner) and (before[-1:].isalnum() or before[-1:] in tuple('.,;:)]"”’%?!')):
            self.removed += 1
            return " " if following.isalnum() else ""
        return inner
