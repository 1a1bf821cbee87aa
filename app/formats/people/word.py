"""Annotated reports as a Word document, marked by grounds, underlines and codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from app.formats.people.marked import READING, Block, Edge, Marked, MarkedReport, MarkedSpan, Piece
from app.formats.people.page import Found, recounted
from app.formats.people.signs import losses, visible
from app.formats.record import ReadBack, ReportExport
from app.palette import Rgb

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run
    from lxml.etree import _Element as Element

LOSSES = losses("A Word document")
_TITLE, _REPORT, _HEADING = "Title", "Heading 1", "Report heading"
_TEXT, _CELL, _LIST, _SMALL = "Report text", "Report cell", "Span list", "Small print"
_CODE = "Span code"
_GREY: Rgb = (85, 85, 85)
_LINES = {"present": "single", "negated": "dash", "uncertain": "dotted"}
_A4, _MARGIN, _INDENT = (210, 297), 18, 14
_TITLE_SIZE, _REPORT_SIZE = 17, 13
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def write(reports: Sequence[ReportExport]) -> Iterator[bytes]:
    """Report by report; the bytes come with the last."""
    whole = Marked(reports)
    writer = _Writer(whole)
    writer.head()
    for number, report in enumerate(whole.marked()):
        writer.report(report, new_page=bool(number) or len(reports) > 1)
        yield b""
    yield writer.saved()


class _Writer:
    """Fills a document."""

    def __init__(self, whole: Marked) -> None:
        self._whole, self._document = whole, _document(whole.title)
        # A style is looked for by its name among all of them, which took nine tenths of the time.
        self._styles = {style.name: style.style_id for style in self._document.styles}

    def _paragraph(self, text: str, style: str) -> Paragraph:
        line = self._document.add_paragraph(text)
        line._p.style = self._styles[style]  # noqa: SLF001
        return line

    def head(self) -> None:
        """Title, legend, and how to read it."""
        whole = self._whole
        self._paragraph(visible(whole.title), _TITLE)
        self._paragraph(whole.summary, _SMALL)
        for category, code, name, number in whole.legend():
            line = self._paragraph("", _LIST)
            self._coloured(line.add_run(f"{code}\t"), category)
            line.add_run(name)
            _colour(line.add_run(f"  {number:,}"), _GREY)
        if whole.legend():
            self._paragraph(READING, _SMALL)

    def report(self, report: MarkedReport, new_page: bool) -> None:
        """Title, text and list."""
        title = self._paragraph(visible(report.report.document.title), _REPORT)
        title.paragraph_format.page_break_before = new_page
        self._paragraph(visible(report.facts), _SMALL)
        for block in report.blocks:
            if block.rows:
                self._table(block)
            elif block.pieces:
                line = self._paragraph("", _HEADING if block.heading else _TEXT)
                self._run(line, block.pieces)
        from docx.shared import Pt

        for name, marks in report.listed():
            line = self._paragraph("", _LIST)
            line.paragraph_format.keep_with_next, line.paragraph_format.space_before = True, Pt(4)
            line.add_run(name).bold = True
            for mark in marks:
                self._entry(mark)
        if report.nothing:
            words = f"Looked for, nothing found: {', '.join(report.nothing)}."
            self._paragraph(words, _SMALL)

    def saved(self) -> bytes:
        out = BytesIO()
        self._document.save(out)
        return out.getvalue()

    def _table(self, block: Block) -> None:
        columns = max(map(len, block.rows))
        table = self._document.add_table(rows=0, cols=columns, style="Table Grid")
        for number, row in enumerate(block.rows):
            added = table.add_row()
            _add(added._tr.get_or_add_trPr(), "cantSplit")  # noqa: SLF001
            cells = added.cells
            for cell, place in zip(row, cells, strict=False):
                line = place.paragraphs[0]
                line._p.style = self._styles[_CELL]  # noqa: SLF001
                self._run(line, cell.pieces)
                if number < block.headers:
                    for run in line.runs:
                        run.bold = True
        self._paragraph("", _SMALL)

    def _entry(self, mark: MarkedSpan) -> None:
        line = self._paragraph("", _LIST)
        self._coloured(line.add_run(f"{visible(mark.code)} {mark.number}\t"), mark.category)
        line.add_run(visible(mark.quote))
        if mark.details:
            _colour(line.add_run(f"  {visible(' · '.join(mark.details))}"), _GREY)

    def _run(self, line: Paragraph, pieces: Sequence[Piece]) -> None:
        for piece in pieces:
            for edge in piece.opens:
                self._edge(line, edge, f"{edge.words}\u00a0")
            if piece.text:
                self._words(line.add_run(visible(piece.text)), piece)
            for edge in piece.closes:
                if edge.words:
                    self._edge(line, edge, f"\u00a0{edge.words}")

    def _words(self, run: Run, piece: Piece) -> None:
        tint = self._whole.tint(piece)
        if tint is None:
            return
        mark = piece.marks[0]
        properties = run._element.get_or_add_rPr()  # noqa: SLF001
        colour = _hex(self._whole.palette.colours[mark.category])
        _add(properties, "u", val=_LINES[mark.polarity], color=colour)
        _add(properties, "shd", val="clear", color="auto", fill=_hex(tint))

    def _edge(self, line: Paragraph, edge: Edge, words: str) -> None:
        run = line.add_run(visible(words).replace(" ", "\u00a0"))
        run._r.style = self._styles[_CODE]  # noqa: SLF001
        _colour(run, self._whole.palette.lettering(edge.mark.category))

    def _coloured(self, run: Run, category: str) -> None:
        run.bold = True
        _colour(run, self._whole.palette.lettering(category))


def _document(title: str) -> WordDocument:
    """An empty one on A4 with the styles that are used."""
    import docx
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import Mm, Pt

    document = docx.Document()
    document.core_properties.title = visible(title)
    document.core_properties.author = "Casespan"
    section = document.sections[0]
    section.page_width, section.page_height = map(Mm, _A4)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Mm(_MARGIN)
    sizes = {_TEXT: (10.5, 6), _HEADING: (10.5, 4), _CELL: (9.5, 0), _LIST: (9, 1), _SMALL: (8.5, 6)}
    for name, (size, after) in sizes.items():
        style = document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        style.font.size = Pt(size)
        style.paragraph_format.space_after = Pt(after)
        style.paragraph_format.space_before = Pt(0)
    document.styles[_TEXT].paragraph_format.line_spacing = 1.35
    document.styles[_HEADING].font.bold = True
    document.styles[_HEADING].paragraph_format.keep_with_next = True
    document.styles[_HEADING].paragraph_format.space_before = Pt(8)
    listed = document.styles[_LIST].paragraph_format
    listed.left_indent, listed.first_line_indent = Mm(_INDENT), Mm(-_INDENT)
    for name, size in ((_TITLE, _TITLE_SIZE), (_REPORT, _REPORT_SIZE)):
        document.styles[name].font.size = Pt(size)
        _colour(document.styles[name], (17, 17, 17))
    code = document.styles.add_style(_CODE, WD_STYLE_TYPE.CHARACTER)
    code.font.bold, code.font.superscript = True, True
    return document


def _colour(of: Run, colour: Rgb) -> None:
    from docx.shared import RGBColor

    of.font.color.rgb = RGBColor(*colour)


def _hex(colour: Rgb) -> str:
    return "{:02X}{:02X}{:02X}".format(*colour)


def _add(properties: Element, name: str, **attributes: str) -> None:
    one = etree.SubElement(properties, f"{{{_W}}}{name}")
    for key, value in attributes.items():
        one.set(f"{{{_W}}}{key}", value)


def recount(path: Path, reports: Sequence[ReportExport]) -> ReadBack:
    """Texts, codes and lists, told by their styles, taken out by python-docx."""
    import docx

    found: list[tuple[list[str], list[str], list[str]]] = []
    document = docx.Document(str(path))
    names = {style.style_id: str(style.name) for style in document.styles}
    for block in document.iter_inner_content():
        cells = [cell for row in getattr(block, "rows", ()) for cell in row.cells]
        for line in [line for cell in cells for line in cell.paragraphs] or [block]:
            _sort(line, names, found)
    texts = [Found(*map("".join, one)) for one in found]
    return recounted("python-docx", reports, texts)


def _sort(
    line: Paragraph, names: Mapping[str, str], found: list[tuple[list[str], list[str], list[str]]]
) -> None:
    style = names.get(line._p.style or "", "")  # noqa: SLF001
    if style == _REPORT:
        found.append(([], [], []))
    elif found and style == _LIST:
        found[-1][2].append(line.text)
    elif found and style in (_TEXT, _HEADING, _CELL):
        for run in line.runs:
            found[-1][names.get(run._r.style or "") == _CODE].append(run.text)  # noqa: SLF001
