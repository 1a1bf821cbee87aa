"""The characters of a PDF's pages as pieces: runs of one style on one baseline."""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage
    from pypdfium2.raw import FPDF_TEXTPAGE, FS_RECTF

_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}
# What PDFium gives in the place of a hyphen at a line's end, beside the soft hyphen.
_HYPHENS = (0x02, 0xFFFE, 0xAD)
_BREAKS = (0, 0x0D, 0x0A)
_ITALIC, _FORCED_BOLD = 1 << 6, 1 << 18
_BOLD_WEIGHT = 600
_SLANT = 0.1
# More characters than so many, twice as many as are upright, are a page that lies on its side, as wide tables
# do; fewer are what stands at an edge.
_LYING = 400
# In parts of the size: a gap that parts two pieces; how far a letter may go back, as in a ligature.
_WIDE, _BACK = 1.0, 1.3


@dataclass(slots=True)
class Piece:
    """Characters that follow each other on a line; in points, `y` grows from the top of the page down.

    `spaced` says whether a blank stands before it, `order` which it is of those that the file draws,
    `apart` that it lies over other text, as cells of a table do that is too wide for its column.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    italic: bool
    spaced: bool
    order: int = 0
    apart: bool = False


@dataclass(slots=True)
class Page:
    """What stands on a page, from where most of it is upright; `turned` counts characters that are not."""

    number: int
    width: float
    height: float
    pieces: list[Piece] = field(default_factory=list)
    turned: int = 0
    unknown: int = 0


@dataclass(slots=True)
class _Char:
    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    italic: bool
    spaced: bool


@dataclass(frozen=True, slots=True)
class _View:
    """A page seen from one of its sides: text that runs `quarters` of a turn against the clock is upright."""

    quarters: int
    left: float
    bottom: float
    right: float
    top: float

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the page is seen: how far to the right, and how far down."""
        if self.quarters == 1:
            return y - self.bottom, x - self.left
        if self.quarters == 2:
            return self.right - x, y - self.bottom
        return (self.top - y, self.right - x) if self.quarters == 3 else (x, self.top - y)

    def end(self, box: FS_RECTF) -> float:
        """How far to the right a character goes."""
        x, y = ((box.right, box.top), (box.right, box.top), (box.left, box.top), (box.left, box.bottom))[
            self.quarters
        ]
        return self.place(x, y)[0]


def read_pages(document: PdfDocument) -> Iterator[Page]:
    """The pages in order, one at a time in memory."""
    for index in range(len(document)):
        page = document[index]
        text = page.get_textpage()
        shown = page.get_rotation() // 90 % 4
        found, others = _read(page, index + 1, text.raw, shown)
        most, number = max(others.items(), key=lambda one: one[1], default=(shown, 0))
        if number > max(_LYING, 2 * sum(len(piece.text) for piece in found.pieces)):
            found, _ = _read(page, index + 1, text.raw, most)
        text.close()
        page.close()
        yield found


def _read(page: PdfPage, number: int, raw: FPDF_TEXTPAGE, quarters: int) -> tuple[Page, Counter[int]]:
    """The page seen from one side, and how many characters would be upright from each other one."""
    size = page.get_width(), page.get_height()
    width, height = size[::-1] if (quarters - page.get_rotation() // 90) % 2 else size
    found, others = Page(number, width, height), Counter[int]()
    _fill(found, _characters(found, raw, _View(quarters, *page.get_cropbox()), others))
    return found, others


def _fill(page: Page, characters: Iterable[_Char]) -> None:
    """Gather the characters in the order in which the file draws them."""
    last: Piece | None = None
    for char in characters:
        if last is not None and _goes_on(last, char):
            last.text += (" " if char.spaced else "") + char.text
            last.x1 = max(last.x1, char.x1)
        else:
            last = Piece(
                char.text,
                char.x0,
                char.x1,
                char.y,
                char.size,
                char.bold,
                char.italic,
                char.spaced,
                len(page.pieces),
            )
            page.pieces.append(last)


def _goes_on(piece: Piece, char: _Char) -> bool:
    return (
        abs(piece.y - char.y) < 0.05 * piece.size
        and abs(piece.size - char.size) < 0.05 * piece.size
        and piece.bold == char.bold
        and piece.italic == char.italic
        and -_BACK * piece.size < char.x0 - piece.x1 < _WIDE * piece.size
    )


def _characters(page: Page, raw: FPDF_TEXTPAGE, view: _View, others: Counter[int]) -> Iterator[_Char]:
    import pypdfium2.raw as pdfium

    x, y = ctypes.c_double(), ctypes.c_double()
    box, matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
    fonts = _Fonts(raw)
    upright = view.quarters * math.pi / 2
    spaced = False
    for index in range(pdfium.FPDFText_CountChars(raw)):
        code = pdfium.FPDFText_GetUnicode(raw, index)
        if code in _BREAKS:
            spaced = True
            continue
        text = "-" if code in _HYPHENS else _LIGATURES.get(code) or chr(code)
        if text.isspace():
            spaced = True
            continue
        if 0xD800 <= code <= 0xDFFF or pdfium.FPDFText_HasUnicodeMapError(raw, index) == 1:
            page.unknown += 1
            continue
        # PDFium gives it with the clock.
        angle = -pdfium.FPDFText_GetCharAngle(raw, index)
        if _SLANT < (angle - upright) % (2 * math.pi) < 2 * math.pi - _SLANT:
            page.turned += 1
            turns = angle / (math.pi / 2)
            if abs(turns - round(turns)) < _SLANT:
                others[round(turns) % 4] += 1
            continue
        pdfium.FPDFText_GetCharOrigin(raw, index, x, y)
        pdfium.FPDFText_GetLooseCharBox(raw, index, box)
        pdfium.FPDFText_GetMatrix(raw, index, matrix)
        size = pdfium.FPDFText_GetFontSize(raw, index) * math.hypot(matrix.c, matrix.d)
        bold, italic = fonts.style(index)
        x0, down = view.place(x.value, y.value)
        yield _Char(text, x0, view.end(box), down, size or 1.0, bold, italic, spaced)
        spaced = False


class _Fonts:
    """Whether a character is bold or italic; asked once for each text object."""

    def __init__(self, raw: FPDF_TEXTPAGE) -> None:
        self._raw = raw
        self._known: dict[int, tuple[bool, bool]] = {}
        self._buffer = ctypes.create_string_buffer(256)

    def style(self, index: int) -> tuple[bool, bool]:
        """Of the character at `index`: bold, italic."""
        import pypdfium2.raw as pdfium

        shape = pdfium.FPDFText_GetTextObject(self._raw, index)
        key = ctypes.addressof(shape.contents) if shape else -1
        if key not in self._known:
            flags = ctypes.c_int()
            pdfium.FPDFText_GetFontInfo(self._raw, index, self._buffer, len(self._buffer), flags)
            name = self._buffer.value.decode("utf-8", "replace").casefold()
            weight = pdfium.FPDFText_GetFontWeight(self._raw, index)
            bold = any(word in name for word in ("bold", "black", "heavy", "semibold", "-bd"))
            italic = any(word in name for word in ("italic", "oblique", "-it")) or bool(flags.value & _ITALIC)
            self._known[key] = (bold or weight >= _BOLD_WEIGHT or bool(flags.value & _FORCED_BOLD), italic)
        return self._known[key]
