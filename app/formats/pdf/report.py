"""Read the text layer of a PDF: columns, headings, paragraphs; furniture removed, divided words joined."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence

from app.formats.documents.builder import BLOCK, LINE, Outside, TextBuilder
from app.formats.documents.html import Outline
from app.formats.documents.text import Raised
from app.formats.jats.citations import CLOSE, OPEN
from app.formats.pdf.blocks import Block, read_blocks
from app.formats.pdf.characters import Page, read_pages
from app.formats.pdf.lines import Reading, read_lines
from app.formats.pictures.packages import Payload
from app.formats.record import Imported, LeftOut
from app.text import counted
from extractors.model.document import Document, Section
from extractors.model.errors import FormatError
from extractors.text.sections import default_section_rules, says_something

_SCRIPT = re.compile(rb"/JavaScript(?![A-Za-z0-9])")
# Letters of a name may be written as numbers.
_NUMBERED = re.compile(rb"#([0-9A-Fa-f]{2})")
_PACKED = re.compile(rb"/ObjStm\b[^\0]{0,400}?\bstream\r?\n")
_MOST = 1 << 24


def has_scripts(data: bytes) -> bool:
    """Whether any object, also of those packed together, is a script: PDFium counts those of the document's
    own list alone, not what is to happen on opening the file, a page or a field."""
    return _is_in(data) or any(_is_in(_unpacked(data, found.end())) for found in _PACKED.finditer(data))


def _is_in(data: bytes) -> bool:
    return _SCRIPT.search(_NUMBERED.sub(lambda found: bytes([int(found[1], 16)]), data)) is not None


def _unpacked(data: bytes, start: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(data[start : data.find(b"endstream", start)], _MOST)
    except zlib.error:
        return b""


_LEAST_TEXT, _LONGEST_TITLE = 20, 300
# A scan may bear a stamp, a date or an address on each page.
_LEAST_WORDS_A_PAGE = 8
_FENCED = re.compile(f"{OPEN}[^{CLOSE}]*{CLOSE}")
_NOTES: Outside = ("excluded", "back matter")
_NAMED, _LONGEST_HEAD = 3, 80


def read_payload(payload: Payload, digest: str, categories: Sequence[str]) -> Iterator[Imported | LeftOut]:
    """The one report of a PDF; raises FormatError where it has no text or a password."""
    pages, title, scripts = _pages(payload.data)
    empty = [page.number for page in pages if not page.pieces]
    letters = sum(len(piece.text) for page in pages for piece in page.pieces)
    turned, unknown = sum(page.turned for page in pages), sum(page.unknown for page in pages)
    if unknown > letters:
        raise FormatError("The PDF does not say which letters its signs are; run a text recognition over it.")
    if letters < _LEAST_TEXT:
        raise FormatError(
            "The PDF has no text, only pictures of pages (a scan); run text recognition (OCR) over it first."
        )
    reading = read_lines(pages)
    blocks, hyphens = read_blocks(reading)
    largest = _title(blocks, reading)
    name = _FENCED.sub("", largest.text)[:_LONGEST_TITLE] if largest is not None else title or payload.name
    raised = Raised()
    text, sections = _build(blocks, largest, categories, raised)
    words = len(text.split())
    if words < _LEAST_WORDS_A_PAGE * len(pages):
        raise FormatError(
            f"The PDF has hardly any text ({counted(words, 'word')} on {counted(len(pages), 'page')}), as "
            "pictures of pages (a scan) have; run text recognition (OCR) over it first."
        )
    notes = [*_furniture_notes(reading), *_page_notes(len(pages), empty, turned, unknown)]
    notes += hyphens.notes()
    notes += raised.notes()
    if scripts:
        notes.append("The PDF contains a script; it was not run.")
    if len({section.heading for section in sections if section.heading}) == 0:
        notes.append("No headings were recognised: the report is one section.")
    columns = {1: "one column", 2: "two columns", 3: "three columns"}.get(reading.columns, "several columns")
    read_as = f"PDF, {counted(len(pages), 'page')}, {columns}"
    yield Imported(
        Document(name, text, sections), payload.source, digest, notes=tuple(notes), read_as=read_as
    )


def _pages(data: bytes) -> tuple[list[Page], str, bool]:
    """The pages, the title that the file gives itself, and whether scripts are in it."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise FormatError("The PDF is locked by a password; save it without one.") from None
        raise FormatError("The file begins as a PDF does, but it is damaged and cannot be read.") from None
    if not len(document):
        raise FormatError("The PDF has no pages.")
    title = str(document.get_metadata_dict().get("Title", "")).strip()
    scripts = pdfium.FPDFDoc_GetJavaScriptActionCount(document.raw) > 0 or has_scripts(data)
    try:
        return list(read_pages(document)), title, scripts
    except pypdfium2.PdfiumError as error:
        raise FormatError(f"A page of the PDF is damaged and cannot be read ({error}).") from None


def _build(
    blocks: Sequence[Block], title: Block | None, categories: Sequence[str], raised: Raised
) -> tuple[str, tuple[Section, ...]]:
    """The text and its sections; what stands before the first known heading is one section without one."""
    builder, outline = TextBuilder(categories), Outline()
    known = next(
        (n for n, b in enumerate(blocks) if b.kind == "heading" and b is not title and _is_known(b)), 0
    )
    before = ""
    for number, block in enumerate(blocks):
        text = raised.plain(block.text).strip()
        if not text:
            continue
        if block.kind == "heading" and number >= known and block is not title:
            size, *marks = block.style
            builder.enter(text, outline.enter((-size, *(not mark for mark in marks)), text))
        else:
            if block.kind == "footnote" != before:
                builder.enter("Footnotes", ("Footnotes",), _NOTES)
            builder.add(text, LINE if (before, block.kind) == ("caption", "table") else BLOCK)
        before = block.kind
    return builder.finish()


def _is_known(block: Block) -> bool:
    return says_something(block.text, default_section_rules())


def _title(blocks: Sequence[Block], reading: Reading) -> Block | None:
    """The largest words of the first page."""
    large = 1.15 * reading.body
    first = [
        b for b in blocks if b.first.page == 1 and b.first.size > large and b.kind in ("text", "heading")
    ]
    fitting = [b for b in first if len(b.text) > 12 and (not _is_known(b) or len(b.text.split()) > 3)]
    return max(fitting, key=lambda block: block.first.size, default=None)


def _furniture_notes(reading: Reading) -> Iterator[str]:
    heads = reading.furniture.heads.most_common()
    if heads:
        named = [f"“{text[:_LONGEST_HEAD]}” ({counted(number, 'page')})" for text, number in heads[:_NAMED]]
        more = [f"{len(heads) - _NAMED} more"] if len(heads) > _NAMED else []
        yield f"Running heads and feet removed: {', '.join((*named, *more))}."
    if reading.furniture.page_numbers:
        yield f"Page numbers removed ({reading.furniture.page_numbers})."
    if reading.furniture.line_numbers:
        yield f"Line numbers removed ({reading.furniture.line_numbers})."


def _page_notes(pages: int, empty: Sequence[int], turned: int, unknown: int) -> Iterator[str]:
    if empty:
        yield f"No text on page {', '.join(map(str, empty[:20]))} of {pages}: pictures, which are not read."
    if turned:
        yield f"Text that runs up or down the page is left out ({counted(turned, 'character')})."
    if unknown:
        yield f"{counted(unknown, 'character')} of unknown meaning left out."
