"""Paper for a PDF: fonts, lines in them, and pages that are filled one after the other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor, toColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics, ttfonts
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph

from app.formats.people.signs import visible
from extractors.assets import asset

PLAIN, BOLD = "DejaVuSans", "DejaVuSans-Bold"
GREY = "#555555"
MARGIN = 51
WIDTH = float(A4[0]) - 2 * MARGIN
_MISSING = "□"
_FOOT, _FOOT_SIZE, _LONGEST_FOOT = 30, 7.5, 90
# What must have room below a heading.
_KEPT = 40
_ASTRAL = re.compile("<([0-9A-F]{5,6})>")


def missing_signs(text: str) -> Counter[str]:
    """The characters of a text that the fonts have no glyph of, with their numbers."""
    glyphs = register_fonts()
    return Counter(sign for sign in visible(text) if ord(sign) not in glyphs and not sign.isspace())


@lru_cache(maxsize=1)
def register_fonts() -> frozenset[int]:
    """Make the fonts known to reportlab; the characters that all of them have."""
    ttfonts.makeToUnicodeCMap = _to_unicode(ttfonts.makeToUnicodeCMap)
    fonts = [ttfonts.TTFont(name, str(asset("resources", "fonts", f"{name}.ttf"))) for name in (PLAIN, BOLD)]
    shade(GREY)
    for font in fonts:
        pdfmetrics.registerFont(font)
    return frozenset.intersection(*(frozenset(font.face.charToGlyph) for font in fonts))


def _to_unicode(original: Callable[[str, Sequence[int]], str]) -> Callable[[str, Sequence[int]], str]:
    """reportlab's table of what glyphs stand for, with characters beyond U+FFFF as PDF wants them."""

    def halves(found: re.Match[str]) -> str:
        return f"<{chr(int(found[1], 16)).encode('utf-16-be').hex().upper()}>"

    return lambda name, subset: _ASTRAL.sub(halves, original(name, subset))


def shade(colour: str) -> str:
    """A colour (#rrggbb) that reportlab need not read again wherever it stands: a fifth of a PDF's time."""
    if colour not in toColor.extraColorsNS:
        toColor.extraColorsNS[colour] = HexColor(colour)
    return colour


def plain(text: str) -> str:
    """A text in the characters that the fonts have."""
    glyphs = register_fonts()
    return "".join(sign if ord(sign) in glyphs or sign.isspace() else _MISSING for sign in visible(text))


def escaped(text: str) -> str:
    """A text in reportlab's markup."""
    return escape(plain(text))


def paragraph(markup: str, size: float, **style: object) -> Paragraph:
    """A paragraph of reportlab's markup; `style` is as that of its ParagraphStyle."""
    usual = {"fontName": PLAIN, "fontSize": size, "leading": size * 1.35, "textColor": shade("#111111")}
    return Paragraph(markup, ParagraphStyle("", **{**usual, **style}))


class Pages:
    """Puts flowables onto the pages of a canvas; `title` is at the foot of each."""

    def __init__(self, canvas: Canvas, title: str) -> None:
        self._canvas, self._title = canvas, plain(title)[:_LONGEST_FOOT]
        self._y, self._written = float(A4[1]) - MARGIN, False

    def draw(self, story: Sequence[Flowable]) -> None:
        """Draw these, turning the page where it is full."""
        waiting = list(story)[::-1]
        while waiting:
            one = waiting.pop()
            before = one.getSpaceBefore() if self._written else 0
            room = self._y - before - MARGIN
            height = one.wrapOn(self._canvas, WIDTH, room)[1]
            kept = one.getKeepWithNext()
            if height + _KEPT * bool(kept) <= room:
                self._put(one, before, height)
                continue
            parts = [] if kept else one.splitOn(self._canvas, WIDTH, room)
            if len(parts) > 1:
                self._put(parts[0], before, parts[0].wrapOn(self._canvas, WIDTH, room)[1])
                waiting += parts[:0:-1]
            elif self._written:
                waiting.append(one)
                self.turn()
            elif otherwise := getattr(one, "otherwise", []):
                waiting += otherwise[::-1]
            else:
                self._put(one, before, height)

    def mark(self, name: str, title: str) -> None:
        """A place that links and the outline lead to."""
        self._canvas.bookmarkPage(name)
        self._canvas.addOutlineEntry(plain(title), name, 0)

    def turn(self) -> None:
        """Number the page and go on with the next."""
        self._canvas.setFont(PLAIN, _FOOT_SIZE)
        self._canvas.setFillColor(GREY)
        self._canvas.drawString(MARGIN, _FOOT, self._title)
        self._canvas.drawRightString(MARGIN + WIDTH, _FOOT, str(self._canvas.getPageNumber()))
        self._canvas.showPage()
        self._y, self._written = float(A4[1]) - MARGIN, False

    def _put(self, one: Flowable, before: float, height: float) -> None:
        one.drawOn(self._canvas, MARGIN, self._y - before - height)
        self._y -= before + height + one.getSpaceAfter()
        self._written = True
