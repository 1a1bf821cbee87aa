"""Read Word's documents: headings by style, tables, footnotes; macros are not run, links not followed."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lxml import etree

from app.formats.documents.builder import Outside, TextBuilder
from app.formats.documents.html import CAPTION, Outline
from app.formats.documents.text import DEGREES, UNKNOWN, Raised, in_font, symbol
from app.formats.format import Format
from app.formats.jats.citations import CLOSE, OPEN
from app.formats.people import word
from app.formats.record import Imported, LeftOut
from app.text import counted
from extractors.model.document import Document
from extractors.model.errors import FormatError
from extractors.text.sections import default_section_rules, opens_a_part, says_something
from extractors.text.tables import Cell, table_lines

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from lxml.etree import _Element as Element

    from app.formats.pictures.packages import Payload

MAX_UNPACKED = 200_000_000
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MACRO_TYPE = b"application/vnd.ms-word.document.macroEnabled.main+xml"
_PLAIN_TYPE = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_ABOVE = re.compile(r"[1-9]\d*")
_LEFT_OUT = frozenset({f"{_W}del", f"{_W}moveFrom", f"{_W}instrText", f"{_W}delText"})
_SIGNS = {f"{_W}tab": " ", f"{_W}br": " ", f"{_W}cr": " ", f"{_W}noBreakHyphen": "-"}
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BACK: Outside = ("excluded", "back matter")
_LONGEST_HEADING, _BELOW_ALL = 100, 10
_TITLE_WORDS, _LONGEST_TITLE = 4, 40
_ZIP = b"PK\x03\x04"


def read_payload(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The one report of a Word document; raises FormatError where it is damaged or a bomb."""
    import docx

    data, macros = _checked(payload.data)
    try:
        document = docx.Document(io.BytesIO(data))
        reader = _Reader(document, categories)
        reader.read()
    except (KeyError, ValueError, etree.XMLSyntaxError, zipfile.BadZipFile, OSError) as error:
        raise FormatError(
            f"The Word document is damaged and cannot be read ({type(error).__name__})."
        ) from None
    text, sections = reader.builder.finish()
    if not text.strip():
        raise FormatError("The Word document holds no text; pictures in it are not read.")
    notes = [*reader.notes(), *(["The document holds macros; they were not run."] if macros else [])]
    if not any(section.heading for section in sections):
        notes.append("No headings were recognised: the report is one section.")
    title = reader.title or str(document.core_properties.title or "").strip() or payload.name
    yield Imported(Document(title, text, sections), payload.source, digest, notes=tuple(notes))


def _checked(data: bytes) -> tuple[bytes, bool]:
    """The file, as one without macros where it has some; refuses bombs, entities and damage."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > MAX_UNPACKED:
                raise FormatError(
                    f"The Word document unpacks to more than {MAX_UNPACKED // 1_000_000} MB; it is not read."
                )
            markup = {m.filename: archive.read(m) for m in members if m.filename.endswith((".xml", ".rels"))}
            # Of UTF-16 every other byte is a zero.
            plain = (content.replace(b"\0", b"") for content in markup.values())
            if any(b"<!DOCTYPE" in content or b"<!ENTITY" in content for content in plain):
                raise FormatError("The Word document declares entities, as Word never does; it is not read.")
            types = markup.get("[Content_Types].xml", b"")
            macros = any(member.filename.lower().endswith("vbaproject.bin") for member in members)
            return (_repacked(archive, types) if _MACRO_TYPE in types else data), macros
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise FormatError(f"The Word document is damaged and cannot be read ({error}).") from None


def _repacked(archive: zipfile.ZipFile, types: bytes) -> bytes:
    """The same document under the type that has no macros, which are left behind."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as copy:
        for member in archive.infolist():
            content = archive.read(member)
            if member.filename == "[Content_Types].xml":
                content = types.replace(_MACRO_TYPE, _PLAIN_TYPE)
            copy.writestr(member.filename, content)
    return out.getvalue()


class _Reader:
    """Walks through a document's body."""

    def __init__(self, document: WordDocument, categories: Sequence[str]) -> None:
        self.builder = TextBuilder(categories)
        self.title = ""
        self._document = document
        self._levels = _heading_levels(document)
        self._outline = Outline()
        self._bold = 0
        self._raised = Raised()
        self._deleted = self._hidden = self._unknown = 0
        written = [p for p in document.element.body.iter(f"{_W}p") if _words(p)]
        # Who has made the title alone a heading has made the others bold.
        self._by_style = any(self._level(p) for p in written[1:])
        self._heads_all = self._head_of_all(written)

    def read(self) -> None:
        """Put body and footnotes together."""
        self._blocks(self._document.element.body)
        self._footnotes()

    def notes(self) -> Iterator[str]:
        """What had to be assumed or was left out."""
        yield from self._raised.notes()
        if self._deleted:
            yield f"{counted(self._deleted, 'tracked deletion')} left out; tracked insertions are taken."
        if self._hidden:
            yield f"{counted(self._hidden, 'passage')} of hidden text left out."
        if self._unknown:
            yield f"{counted(self._unknown, 'sign')} of other fonts not known: {UNKNOWN} stands for each."
        kinds = {rel.reltype.rpartition("/")[2] for rel in self._document.part.rels.values()}
        if "comments" in kinds:
            yield "Comments are left out."
        if self._bold:
            none = "" if self._by_style else "; the document has none by style"
            yield f"{counted(self._bold, 'heading')} told by bold type{none}."

    def _blocks(self, parent: Element) -> None:
        for element in parent:
            if element.tag == f"{_W}p":
                self._paragraph(element)
            elif element.tag == f"{_W}tbl":
                rows = element.iter(f"{_W}tr")
                # Words of a table within a cell are that cell's.
                own = (row for row in rows if next(row.iterancestors(f"{_W}tbl"), None) is element)
                lines = table_lines(self._cells(row) for row in own)
                if lines:
                    self.builder.add("\n".join(lines))
            elif element.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}customXml", f"{_W}ins"):
                self._blocks(element)

    def _cells(self, row: Element) -> list[Cell]:
        return [
            Cell(
                " ".join(filter(None, (self._text(p) for p in cell.iter(f"{_W}p")))),
                _columns(cell.find(f"{_W}tcPr/{_W}gridSpan")),
            )
            for cell in row.iter(f"{_W}tc")
            if next(cell.iterancestors(f"{_W}tr"), None) is row
        ]

    def _paragraph(self, element: Element) -> None:
        text, level = self._text(element), 0 if element is self._heads_all else self._level(element)
        if text and level == 0 and not self.title:
            self.title = text
            self.builder.add(text)
        elif text and (level or self._is_bold_heading(element, text)):
            self._bold += not level
            self.builder.enter(text, self._outline.enter(level or self._bold_level(text), text))
        elif text:
            self.builder.add(text)
        for box in element.iter(f"{_W}txbxContent"):
            if not any(above.tag == _FALLBACK for above in box.iterancestors()):
                self._blocks(box)

    def _level(self, element: Element) -> int | None:
        """0 for the title, 1 and more for headings, None for all else."""
        style = element.find(f"{_W}pPr/{_W}pStyle")
        return self._levels.get(style.get(f"{_W}val", "")) if style is not None else None

    def _head_of_all(self, written: Sequence[Element]) -> Element | None:
        """What stands first and above all other headings is the title, be its style of a heading or bold."""
        if not written or not _TITLE_WORDS <= len(_words(written[0])) <= _LONGEST_TITLE:
            return None
        first = self._level(written[0])
        below = [level for level in map(self._level, written[1:]) if level is not None]
        if first is None:
            return written[0] if _is_bold(written[0]) and 0 not in below else None
        bold = any(self._is_bold_heading(p, " ".join(_words(p))) for p in written[1:])
        return written[0] if (first < min(below) if below else bold) else None

    def _bold_level(self, text: str) -> int:
        """Beside the highest, or below whatever stands above it where others have styles."""
        rules = default_section_rules()
        return 1 if not self._by_style or opens_a_part(text, rules) else _BELOW_ALL

    def _is_bold_heading(self, element: Element, text: str) -> bool:
        if len(text) > _LONGEST_HEADING or text.endswith(".") or CAPTION.match(text):
            return False
        return (_is_bold(element) or text.isupper()) and says_something(text, default_section_rules())

    def _text(self, element: Element) -> str:
        """A paragraph's words on one line."""
        parts: list[str] = []
        self._walk(element, parts)
        return " ".join(self._raised.plain("".join(parts)).split())

    def _walk(self, element: Element, parts: list[str]) -> None:
        for child in element:
            sign = self._sign(child, element)
            if sign is not None:
                parts.append(sign)
            elif child.tag in _LEFT_OUT:
                self._deleted += child.tag == f"{_W}del"
            elif child.tag == f"{_W}r" and _is_hidden(child):
                self._hidden += bool(_words(child))
            elif child.tag not in (f"{_W}txbxContent", f"{_W}pPr", f"{_W}rPr", _FALLBACK):
                parts += ["/"] if child.tag == f"{_M}den" else []
                self._walk(child, parts)

    def _sign(self, child: Element, run: Element) -> str | None:
        """What a part stands for that holds characters itself, None for others."""
        if child.tag == f"{_W}t":
            return _fenced(self._known(in_font(child.text or "", _font(run))), run)
        if child.tag == f"{_W}sym":
            code = int(child.get(f"{_W}char", "0"), 16)
            return _fenced(self._known(symbol(code, child.get(f"{_W}font", ""))), run)
        if child.tag == f"{_M}sup":
            power = "".join(one.text or "" for one in child.iter(f"{_M}t"))
            return f"{OPEN}{power}{CLOSE}" if power in DEGREES else power and f"^{power}"
        return (child.text or "") if child.tag == f"{_M}t" else _SIGNS.get(child.tag)

    def _known(self, text: str) -> str:
        self._unknown += text.count(UNKNOWN)
        return text

    def _footnotes(self) -> None:
        """Foot and end notes, as a section of their own."""
        from docx.oxml.parser import parse_xml

        begun = False
        for rel in self._document.part.rels.values():
            if rel.is_external or not rel.reltype.endswith(("/footnotes", "/endnotes")):
                continue
            for note in parse_xml(rel.target_part.blob):
                text = " ".join(filter(None, (self._text(p) for p in note.iter(f"{_W}p"))))
                if text and not begun:
                    begun = True
                    self.builder.enter("Footnotes", ("Footnotes",), _BACK)
                if text:
                    self.builder.add(text)


def _is_bold(paragraph: Element) -> bool:
    """Whether all its words are."""
    runs = [run for run in paragraph.iter(f"{_W}r") if run.find(f"{_W}t") is not None]
    marks = [run.find(f"{_W}rPr/{_W}b") for run in runs]
    return bool(runs) and all(
        mark is not None and mark.get(f"{_W}val") not in ("0", "false") for mark in marks
    )


def _font(run: Element) -> str:
    fonts = run.find(f"{_W}rPr/{_W}rFonts")
    return fonts.get(f"{_W}ascii", "") if fonts is not None else ""


def _is_hidden(run: Element) -> bool:
    mark = run.find(f"{_W}rPr/{_W}vanish")
    return mark is not None and mark.get(f"{_W}val") not in ("0", "false")


def _words(paragraph: Element) -> list[str]:
    """The words of a paragraph as they stand in the file."""
    return "".join(text.text or "" for text in paragraph.iter(f"{_W}t")).split()


def _columns(span: Element | None) -> int:
    """How many columns a cell says it covers."""
    value = span.get(f"{_W}val", "") if span is not None else ""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 9 else 1


def _fenced(text: str, run: Element) -> str:
    """The text of a run, fenced where it is raised: by a name, or by some half points as LibreOffice does."""
    mark, up = run.find(f"{_W}rPr/{_W}vertAlign"), run.find(f"{_W}rPr/{_W}position")
    higher = up is not None and _ABOVE.fullmatch(up.get(f"{_W}val", "")) is not None
    raised = higher or (mark is not None and mark.get(f"{_W}val") == "superscript")
    return f"{OPEN}{text}{CLOSE}" if raised else text


def _heading_levels(document: WordDocument) -> dict[str, int]:
    """By style the level of its headings: by the name that Word gives in every language, or by outline."""
    levels: dict[str, int] = {}
    for style in document.styles.element.iter(f"{_W}style"):
        name, outline = style.find(f"{_W}name"), style.find(f"{_W}pPr/{_W}outlineLvl")
        named = _HEADING.fullmatch(name.get(f"{_W}val", "")) if name is not None else None
        if named:
            levels[style.get(f"{_W}styleId")] = int(named[1])
        elif name is not None and name.get(f"{_W}val", "").casefold() == "title":
            levels[style.get(f"{_W}styleId")] = 0
        elif outline is not None and outline.get(f"{_W}val", "9") < "9":
            levels[style.get(f"{_W}styleId")] = int(outline.get(f"{_W}val")) + 1
    return levels


def _detect(data: bytes) -> int:
    return 3 * (data.startswith(_ZIP) and b"word/document" in data)


FORMAT = Format(
    id="docx",
    label="Word document",
    made_by=".docx",
    about="Annotated reports to read and go on writing in: colours, codes, a list of all annotations.",
    write=word.write,
    recount=word.recount,
    losses=word.LOSSES,
    suffixes=(".docx", ".docm"),
    detect=_detect,
    read=read_payload,
    outside=True,
)
