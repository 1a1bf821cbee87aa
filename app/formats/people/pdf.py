"""Annotated reports as a PDF on A4, with fonts of its own in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Spacer, Table

from app.formats.people.marked import READING, Block, Edge, Marked, MarkedReport, MarkedSpan, Piece
from app.formats.people.page import Found, css, recounted
from app.formats.people.paper import (
    BOLD,
    GREY,
    WIDTH,
    Pages,
    escaped,
    paragraph,
    plain,
    register_fonts,
    shade,
)
from app.formats.record import ReadBack, ReportExport
from app.palette import Rgb

if TYPE_CHECKING:
    import pypdfium2

# The sizes tell what is what when the text is taken out again: body, cells, and all that is not text.
_BODY, _CELL, _CODE, _LIST, _SMALL, _TITLE, _HEAD = 9.5, 8.5, 6.0, 8.0, 7.5, 13.0, 17.0
_LESS = 0.1
_LANE, _FIRST_LANE = 1.9, 2.0
# A table with more columns or longer cells is written in lines.
_WIDEST_TABLE, _LONGEST_CELL, _MOST_LINES = 12, 40, 60
_TURNED = re.compile("([\udc00-\udfff])([\ud800-\udbff])")


def write(reports: Sequence[ReportExport]) -> Iterator[bytes]:
    """Report by report; the bytes come with the last."""
    register_fonts()
    whole, out = Marked(reports), BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1)
    canvas.setTitle(whole.title)
    canvas.setCreator("Casespan")
    pages = Pages(canvas, whole.title)
    pages.draw(_head(whole))
    for number, report in enumerate(whole.marked(), start=1):
        if len(reports) > 1 or number > 1:
            pages.turn()
        pages.mark(f"r{number}", report.report.document.title)
        pages.draw(_Writer(whole, report, number).story())
        yield b""
    pages.turn()
    canvas.save()
    yield out.getvalue()


def _head(whole: Marked) -> list[Flowable]:
    """Title, legend, and what there is."""
    entries = []
    for category, code, name, number in whole.legend():
        colour, letters = _css(whole.palette.colours[category]), _css(whole.palette.lettering(category))
        sign = f'<font face="{BOLD}" color="{letters}">{escaped(code)}</font>'
        sign = f'<u color="{colour}" width="1.6" offset="-2.2">{sign}</u>'
        entries.append(paragraph(f'{sign}  {escaped(name)} <font color="{GREY}">{number:,}</font>', _LIST))
    half = (len(entries) + 1) // 2
    rows = [[one, other] for one, other in zip(entries, [*entries[half:], *[""] * half], strict=False)][:half]
    story: list[Flowable] = [
        paragraph(escaped(whole.title), _HEAD, fontName=BOLD),
        paragraph(escaped(whole.summary), _LIST, textColor=GREY, spaceAfter=8),
    ]
    story += (
        [Table(rows, style=[("TOPPADDING", (0, 0), (-1, -1), 2), ("LEFTPADDING", (0, 0), (-1, -1), 0)])]
        if rows
        else []
    )
    if entries:
        story.append(paragraph(escaped(READING), _SMALL, textColor=GREY, spaceBefore=6, spaceAfter=8))
    if len(whole.reports) > 1:
        story += [
            paragraph(
                f'<a href="#r{number}" color="#1d62c8">{escaped(report.document.title)}</a>'
                f' <font color="{GREY}">{escaped(report.key)}</font>',
                *(_LIST,),
                leftIndent=18,
                firstLineIndent=-18,
                spaceBefore=2,
            )
            for number, report in enumerate(whole.reports, start=1)
        ]
    return [*story, Spacer(1, 10)]


class _Writer:
    """The flowables of one report."""

    def __init__(self, whole: Marked, report: MarkedReport, number: int) -> None:
        self._whole, self._report, self._number = whole, report, number

    def story(self) -> list[Flowable]:
        """Title, text and list."""
        report = self._report
        story: list[Flowable] = [
            paragraph(escaped(report.report.document.title), _TITLE, fontName=BOLD),
            paragraph(escaped(report.facts), _SMALL, textColor=GREY, spaceAfter=8),
        ]
        for block in report.blocks:
            story += self._table(block) if block.rows else self._line(block)
        for name, marks in report.listed():
            story.append(
                paragraph(escaped(name), _LIST, fontName=BOLD, spaceBefore=7, spaceAfter=1, keepWithNext=1)
            )
            story += [self._entry(mark) for mark in marks]
        if report.nothing:
            words = f"Looked for, nothing found: {', '.join(report.nothing)}."
            story.append(paragraph(escaped(words), _SMALL, textColor=GREY, spaceBefore=8))
        return story

    def _line(self, block: Block) -> list[Flowable]:
        if not block.pieces:
            return []
        style = {"fontName": BOLD, "spaceBefore": 6.0, "keepWithNext": 1} if block.heading else {}
        leading = _BODY * 1.5 + _LANE * max(0, block.depth - 1)
        return [paragraph(self._run(block.pieces), _BODY, leading=leading, spaceAfter=5, **style)]

    def _table(self, block: Block) -> list[Flowable]:
        columns = max(map(len, block.rows))
        longest = [
            max((_length(row[at].pieces) for row in block.rows if at < len(row)), default=1)
            for at in range(columns)
        ]
        if columns > _WIDEST_TABLE or max(longest) * columns > _LONGEST_CELL * _MOST_LINES:
            return self._lines(block)
        shares = [min(_LONGEST_CELL, max(6, length)) for length in longest]
        width = WIDTH
        widths = [width * share / sum(shares) for share in shares]
        if sum(shares) * 5.2 < width:
            widths = [share * 5.2 + 10 for share in shares]
        rows = []
        for number, row in enumerate(block.rows):
            leading = _CELL * 1.4 + _LANE * max(0, block.depth - 1)
            cells = [self._cell(cell.pieces, leading, heading=number < block.headers) for cell in row]
            rows.append([*cells, *[""] * (columns - len(row))])
        grid = [
            ("GRID", (0, 0), (-1, -1), 0.4, "#999999"), ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), 1.5), ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
            ("LEFTPADDING", (0, 0), (-1, -1), 3), ("RIGHTPADDING", (0, 0), (-1, -1), 3),
        ]  # fmt: skip
        grid += [("BACKGROUND", (0, 0), (-1, block.headers - 1), "#f3f3f3")] if block.headers else []
        table = Table(
            rows, widths, repeatRows=block.headers, style=grid, hAlign="LEFT", spaceBefore=4, spaceAfter=8
        )
        table.otherwise = self._lines(block)
        return [table]

    def _cell(self, pieces: Sequence[Piece], leading: float, *, heading: bool) -> Flowable:
        if not heading:
            return paragraph(self._run(pieces), _CELL, leading=leading)
        style = {"leading": leading, "fontName": BOLD}
        again = paragraph(self._run(pieces, _CODE - _LESS), _CELL - _LESS, **style)
        return _Heading(paragraph(self._run(pieces), _CELL, **style), again)

    def _lines(self, block: Block) -> list[Flowable]:
        """Rows that are too long for a grid."""
        bar = f' <font size="{_LIST}" color="{GREY}">|</font> '
        return [
            paragraph(
                bar.join(self._run(cell.pieces) for cell in row), _CELL, leading=_CELL * 1.6, spaceAfter=2
            )
            for row in block.rows
        ]

    def _entry(self, mark: MarkedSpan) -> Flowable:
        letters = _css(self._whole.palette.lettering(mark.category))
        code = f'<font face="{BOLD}" color="{letters}">{escaped(mark.code)} {mark.number}</font>'
        code = f'<a href="#r{self._number}s{mark.number}">{code}</a>' if mark.parts else code
        more = f'  <font size="{_SMALL}" color="{GREY}">{escaped(" · ".join(mark.details))}</font>'
        words = f"{code}  {escaped(mark.quote)}{more if mark.details else ''}"
        return paragraph(words, _LIST, leftIndent=30, firstLineIndent=-30)

    def _run(self, pieces: Sequence[Piece], code: float = _CODE) -> str:
        return "".join(self._piece(piece, code) for piece in pieces)

    def _piece(self, piece: Piece, code: float) -> str:
        words = escaped(piece.text)
        tint = self._whole.tint(piece)
        if tint is not None and words:
            words = f'<font backColor="{_css(tint)}">{words}</font>'
            for mark in piece.marks:
                colour = _css(self._whole.palette.colours[mark.category])
                offset = _FIRST_LANE + _LANE * mark.lane
                words = f'<u color="{colour}" width="1" offset="-{offset}">{words}</u>'
        opens = "".join(self._edge(edge, f"{edge.words} ", code) for edge in piece.opens)
        closes = "".join(self._edge(edge, f" {edge.words}", code) for edge in piece.closes if edge.words)
        return opens + words + closes

    def _edge(self, edge: Edge, words: str, code: float) -> str:
        letters = _css(self._whole.palette.lettering(edge.mark.category))
        name = f'<a name="r{self._number}s{edge.mark.number}"/>' if edge.words == edge.mark.opening else ""
        shown = escaped(words).replace(" ", "\u00a0")
        shown = f'<font face="{BOLD}" color="{letters}">{shown}</font>'
        return f'{name}<super rise="3.2" size="{code}">{shown}</super>'


class _Heading(Flowable):  # type: ignore[misc]
    """A cell of a table's head, which stands on each of its pages: after the first a little smaller, so that
    it is not taken out as text once more."""

    def __init__(self, first: Flowable, again: Flowable) -> None:
        super().__init__()
        self._shown, self._again = first, again

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Its size in that room, in points."""
        size: tuple[float, float] = self._shown.wrapOn(self.canv, width, height)
        return size

    def draw(self) -> None:
        """As on the page that is being drawn."""
        self._shown.drawOn(self.canv, 0, 0)
        self._shown = self._again


def _css(colour: Rgb) -> str:
    return shade(css(colour))


def _length(pieces: Sequence[Piece]) -> float:
    """About how many letters wide these are, with their codes."""
    codes = (len(edge.words) + 1 for piece in pieces for edge in (*piece.opens, *piece.closes))
    return sum(len(piece.text) for piece in pieces) + sum(codes) * _CODE / _CELL


def recount(path: Path, reports: Sequence[ReportExport]) -> ReadBack:
    """Texts, codes and lists, told by their sizes, taken out by pypdfium2."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        starts = [one.get_dest().get_index() for one in document.get_toc()]
        bounds = pairwise([*starts, len(document)])
        found = [_found(document[at] for at in range(first, after)) for first, after in bounds]
    finally:
        document.close()
    return recounted("pypdfium2", reports, found, plain)


def _found(pages: Iterable[pypdfium2.PdfPage]) -> Found:
    """What stands on these pages, by size."""
    from pypdfium2 import raw

    body: list[str] = []
    by_size: dict[float, list[str]] = {_BODY: body, _CELL: body, _CODE: [], _LIST: []}
    for page in pages:
        text = page.get_textpage()
        for at in range(text.count_chars()):
            size = round(raw.FPDFText_GetFontSize(text, at), 1)
            if size in by_size:
                by_size[size].append(chr(raw.FPDFText_GetUnicode(text, at)))
    # PDFium counts in halves of what lies beyond U+FFFF, and turns them round where it turns letters.
    mended = (_TURNED.sub(r"\2\1", "".join(by_size[size])) for size in (_BODY, _CODE, _LIST))
    joined = (one.encode("utf-16-le", "surrogatepass") for one in mended)
    return Found(*(one.decode("utf-16-le", "replace") for one in joined))
