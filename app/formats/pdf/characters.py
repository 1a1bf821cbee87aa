"""The characters of a PDF's pages as pieces: runs of one style on one baseline."""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

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
_SUBSET = re.compile(r"[a-z]{6}\+")
# Of what is turned by no whole quarters.
_BETWEEN = -1
# More characters than so many, twice as many as are upright, are a page that lies on its side, as wide tables
# do; fewer are what stands at an edge.
_LYING = 400
# In parts of the size: a gap that parts two pieces; how far a letter may go back, as in a ligature.
_WIDE, _BACK = 1.0, 1.3
# So near stands a hyphen that is no word of its own; PDFium tells of a blank there.
_CLOSE = 0.15
# Small capitals are so large beside the capitals of their words.
CAPITALS = (0.65, 0.93)


@dataclass(slots=True)
class Piece:
    """Characters that follow each other on a line; in points, `y` grows from the top of the page down.

    `spaced` says whether a blank stands before it, `order` which it is of those that the file draws,
    `apart` that it lies over other text, as cells of a table do that is too wide for its column, `face` what
    its font and colour are, `told` the same text with small capitals in lower case where it has some: files
    may name them by either case, one and the same letter for both.
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
    face: Hashable = None
    told: str = ""


@dataclass(slots=True)
class Page:
    """What stands on a page, from where most of it is upright; `turned` counts characters that are not."""

    number: int
    width: float
    height: float
    pieces: list[Piece] = field(default_factory=list)
    turned: int = 0
    unknown: int = 0


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
        if not self.quarters:
            return float(box.right)
        x, y = ((box.right, box.top), (box.left, box.top), (box.left, box.bottom))[self.quarters - 1]
        return self.place(x, y)[0]


def read_pages(document: PdfDocument) -> Iterator[Page]:
    """The pages in order, one at a time in memory."""
    for index in range(len(document)):
        page = document[index]
        text = page.get_textpage()
        shown = page.get_rotation() // 90 % 4
        found, others = _read(page, index + 1, text.raw, shown)
        del others[_BETWEEN]
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
    _fill(found, raw, _View(quarters, *page.get_cropbox()), others)
    return found, others


def _fill(page: Page, raw: FPDF_TEXTPAGE, view: _View, others: Counter[int]) -> None:
    """Gather the characters in the order in which the file draws them."""
    import pypdfium2.raw as pdfium

    # Two thousand pages have millions of characters, and calls are what takes the time.
    unicode, wrong, shape, origin, loose = _functions()
    there = ctypes.cast(raw, ctypes.c_void_p).value
    x, y, box = ctypes.c_double(), ctypes.c_double(), pdfium.FS_RECTF()
    x_at, y_at, box_at = map(ctypes.addressof, (x, y, box))
    styles, last, spaced = _Styles(raw, view.quarters), None, False
    for index in range(pdfium.FPDFText_CountChars(raw)):
        code = unicode(there, index)
        if code in _BREAKS:
            spaced = True
            continue
        text = "-" if code in _HYPHENS else _LIGATURES.get(code) or chr(code)
        if text.isspace():
            spaced = True
            continue
        if 0xD800 <= code <= 0xDFFF or wrong(there, index) == 1:
            page.unknown += 1
            continue
        size, bold, italic, face, turns = styles.of(shape(there, index), index)
        if turns is not None:
            page.turned += 1
            others[turns] += 1
            continue
        origin(there, index, x_at, y_at)
        loose(there, index, box_at)
        x0, down = view.place(x.value, y.value)
        x1 = view.end(box)
        if text == "-" and last is not None and abs(x0 - last.x1) < _CLOSE * size:
            spaced = False
        if (
            last is not None
            and abs(last.y - down) < 0.05 * last.size
            and last.face == face
            and -_BACK * last.size < x0 - last.x1 < _WIDE * last.size
            and (abs(last.size - size) < 0.05 * last.size or _is_small_capital(last, text, size, spaced))
        ):
            added = " " + text if spaced else text
            if size < CAPITALS[1] * last.size:
                last.told = (last.told or last.text.upper()) + added.lower()
            elif last.told:
                last.told += added.upper()
            last.text += added
            last.x1 = max(last.x1, x1)
        else:
            last = Piece(text, x0, x1, down, size, bold, italic, spaced, len(page.pieces), face=face)
            page.pieces.append(last)
        spaced = False


def _is_small_capital(last: Piece, text: str, size: float, spaced: bool) -> bool:
    """Whether a smaller letter goes on with a word that began with a capital, or with such words."""
    least, most = CAPITALS
    if not least * last.size < size < most * last.size:
        return False
    return bool(last.told) or (not spaced and text.isalpha() and last.text[-1].isalpha())


@lru_cache(maxsize=1)
def _functions() -> tuple[Callable[..., Any], ...]:
    """Those of PDFium that are called for each character, called with addresses: in half the time."""
    import pypdfium2.raw as pdfium

    kinds = {"i": ctypes.c_int, "u": ctypes.c_uint, "p": ctypes.c_void_p}
    asked = (
        (pdfium.FPDFText_GetUnicode, "upi"),
        (pdfium.FPDFText_HasUnicodeMapError, "ipi"),
        (pdfium.FPDFText_GetTextObject, "ppi"),
        (pdfium.FPDFText_GetCharOrigin, "ipipp"),
        (pdfium.FPDFText_GetLooseCharBox, "ipip"),
    )
    return tuple(
        ctypes.CFUNCTYPE(*(kinds[kind] for kind in form))(ctypes.cast(function, ctypes.c_void_p).value or 0)
        for function, form in asked
    )


class _Styles:
    """Size, bold, italic, face, and how a character is turned: asked once for each text object.

    A character that is upright has no turns.
    """

    def __init__(self, raw: FPDF_TEXTPAGE, quarters: int) -> None:
        self._raw, self._upright = raw, quarters * math.pi / 2
        self._known: dict[int | None, tuple[float, bool, bool, Hashable, int | None]] = {}
        self._buffer = ctypes.create_string_buffer(256)

    def of(self, shape: int | None, index: int) -> tuple[float, bool, bool, Hashable, int | None]:
        """Of the character at `index`, in the text object at that address."""
        known = self._known.get(shape)
        if known is None:
            known = self._size(index), *self._font(shape, index), self._turns(index)
            # Characters that PDFium made up are in no object, each on its own.
            if shape is not None:
                self._known[shape] = known
        return known

    def _size(self, index: int) -> float:
        import pypdfium2.raw as pdfium

        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self._raw, index, matrix)
        return pdfium.FPDFText_GetFontSize(self._raw, index) * math.hypot(matrix.c, matrix.d) or 1.0

    def _turns(self, index: int) -> int | None:
        import pypdfium2.raw as pdfium

        # PDFium gives it with the clock.
        angle = -pdfium.FPDFText_GetCharAngle(self._raw, index)
        if not _SLANT < (angle - self._upright) % (2 * math.pi) < 2 * math.pi - _SLANT:
            return None
        turns = angle / (math.pi / 2)
        return round(turns) % 4 if abs(turns - round(turns)) < _SLANT else _BETWEEN

    def _font(self, shape: int | None, index: int) -> tuple[bool, bool, Hashable]:
        """Bold, italic, face."""
        import pypdfium2.raw as pdfium

        flags = ctypes.c_int()
        pdfium.FPDFText_GetFontInfo(self._raw, index, self._buffer, len(self._buffer), flags)
        name = self._buffer.value.decode("utf-8", "replace").casefold()
        weight = pdfium.FPDFText_GetFontWeight(self._raw, index)
        bold = any(word in name for word in ("bold", "black", "heavy", "semibold", "-bd"))
        italic = any(word in name for word in ("italic", "oblique", "-it")) or bool(flags.value & _ITALIC)
        colour = [ctypes.c_uint() for _ in range(4)]
        pdfium.FPDFText_GetFillColor(self._raw, index, *colour)
        font: Hashable = _SUBSET.sub("", name)
        if not name and shape is not None:
            # Fonts that are drawn have no name.
            there = pdfium.FPDFTextObj_GetFont(ctypes.cast(shape, pdfium.FPDF_PAGEOBJECT))
            font = ctypes.cast(there, ctypes.c_void_p).value
        return (
            bold or weight >= _BOLD_WEIGHT or bool(flags.value & _FORCED_BOLD),
            italic,
            (font, *(one.value for one in colour[:3])),
        )
