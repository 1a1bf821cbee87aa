"""Paints the marks of one line of text: tints behind it, lanes of underlines below, codes below or beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.gui.reader.spans import ShownSpan
from app.palette import FOUND_STRENGTHS, PagePalette, Rgb, mix

Piece = tuple[float, float]
# Tints of spans, of the selected one and of those that step back; then the same in high contrast.
_TINTS = (0.2, 0.36, 0.08)
_STRONG_TINTS = (0.34, 0.6, 0.14)
# How strong the grey ground is of what is no span.
_KEPT_STRENGTH = 0.16
# How much of its colour is left of the line of what steps back, and of what is settled.
_DIMMED_LINE, _SETTLED_LINE = 0.55, 0.3
# Codes below and beside a line, as parts of its height.
_SMALLEST_CODE, _CODES = 9, (0.48, 0.52)
_WIDEST = "MS"


@dataclass(frozen=True, slots=True)
class Edge:
    """Where a span begins or ends on a line; it lies to the right where `inward` is 1, to the left at -1."""

    x: float
    inward: int

    def moved(self, by: float) -> Edge:
        """The same edge `by` pixels further right."""
        return Edge(self.x + by, self.inward)

    def room(self, width: float) -> float:
        """The left edge of what is that wide and reaches inward from here."""
        return self.x if self.inward > 0 else self.x - width


@dataclass(frozen=True, slots=True)
class LineSpan:
    """A span on one line: its lane, where it lies (left, right; several pieces in text of both directions),
    and its edges, as far as they are on this line."""

    span: ShownSpan
    lane: int
    pieces: tuple[Piece, ...]
    begins: Edge | None
    ends: Edge | None


@dataclass(frozen=True, slots=True)
class LineMatch:
    """A place that was searched for, on one line; the `current` one stands out."""

    pieces: tuple[Piece, ...]
    current: bool


@dataclass(frozen=True, slots=True)
class LineBox:
    """A line in pixels of the viewport; the next begins at `bottom`; the text lies from `left` to `right`.

    Beside a line of a `cell` there is no room.
    """

    top: float
    baseline: float
    descent: float
    bottom: float
    left: float
    right: float
    cell: bool = False

    @property
    def height(self) -> float:
        """From the top to below the letters."""
        return self.baseline + self.descent - self.top


@dataclass(frozen=True, slots=True)
class Lanes:
    """Where a line's underlines go: `shown` of them, `step` apart, `thick` pixels each, from `top` on."""

    top: float
    step: float
    thick: float
    shown: int


def lanes_of(box: LineBox, depth: int, unit: float) -> Lanes:
    """Room for `depth` underlines between this line's letters and the next line's: thinner when many.

    `unit` is a hair in pixels, growing with the text. What does not fit at one pixel is left to a count.
    """
    top = box.baseline + min(box.descent, 3 * unit)
    room = box.bottom - top - 1
    for thick, step in ((2 * unit, 3.5 * unit), (2 * unit, 3 * unit)):
        if depth * step <= room:
            return Lanes(top, step, thick, depth)
    if depth * 2 <= room:
        return Lanes(top, room / depth, 1.0, depth)
    return Lanes(top, 2.0, 1.0, max(1, int(room / 2)))


def close_ranks(marks: Sequence[LineSpan]) -> list[LineSpan]:
    """The marks of one line in the same order of lanes, but without the lanes that are empty on it."""
    ranks = {lane: rank for rank, lane in enumerate(sorted({mark.lane for mark in marks}))}
    return [replace(mark, lane=ranks[mark.lane]) for mark in marks]


class LinePainter:
    """Paints marks in one palette and text size; the span of the id `selected` stands out."""

    def __init__(self, palette: PagePalette, font: QFont) -> None:
        size = QFontMetricsF(font).height()
        self.selected: str | None = None
        self._palette = palette
        self._tint_of = lru_cache(maxsize=4096)(lambda ids, strength: QColor(*palette.tint(ids, strength)))
        self._lettering = lru_cache(palette.lettering)
        self._pen_of = lru_cache(self._pen)
        self._selection = QColor(*palette.selection, round(palette.selection_strength * 255))
        self._kept_ground = QColor(*mix(palette.paper, palette.quiet, _KEPT_STRENGTH))
        self._tints_of = _STRONG_TINTS if palette.contrast else _TINTS
        self._unit = max(1.0, round(size / 19 * 2) / 2) * (1.25 if palette.contrast else 1)
        self._under, self._beside = map(_code_font, code_sizes(font))
        self._under_metrics = QFontMetricsF(self._under)
        self._under_width = self._under_metrics.horizontalAdvance(_WIDEST)
        self._under_height = self._under_metrics.capHeight()
        self._beside_width = QFontMetricsF(self._beside).horizontalAdvance(_WIDEST)
        self._beside_height = QFontMetricsF(self._beside).capHeight()

    def paint(
        self, painter: QPainter, box: LineBox, marks: Sequence[LineSpan], selection: Sequence[Piece] = ()
    ) -> list[ShownSpan]:
        """Paint everything but the text itself, which goes on top; `selection` is what is selected of it.

        Returns the spans whose codes are to stand in the margin.
        """
        self._tints(painter, box, marks)
        for left, right in selection:
            painter.fillRect(QRectF(left, box.top, right - left, box.height), self._selection)
        if not marks:
            return []
        depth = max(mark.lane for mark in marks) + 1
        lanes = lanes_of(box, depth, self._unit)
        if lanes.shown < depth:
            marks = close_ranks(marks)
            lanes = lanes_of(box, max(mark.lane for mark in marks) + 1, self._unit)
        # What is settled has no lane of its own: others' lines go over it.
        for mark in sorted(marks, key=lambda mark: not mark.span.settled):
            if mark.lane < lanes.shown:
                self._underline(painter, mark, lanes)
            if mark.span.id == self.selected:
                self._outline(painter, box, mark)
        left_out = sum(mark.lane >= lanes.shown for mark in marks)
        if left_out and not box.cell:
            place = QPointF(box.right + self._unit * 3, box.baseline)
            self._letters(painter, self._beside, place, f"+{left_out}", self._palette.quiet)
        return self._codes(painter, box, marks, lanes)

    def paint_kept(self, painter: QPainter, box: LineBox, places: Sequence[tuple[Piece, ...]]) -> None:
        """Paint a grey ground for what stays under labels of other programs, below all spans."""
        for left, right in (piece for pieces in places for piece in pieces):
            painter.fillRect(QRectF(left, box.top, right - left, box.height), self._kept_ground)

    def underline_kept(self, painter: QPainter, box: LineBox, places: Sequence[tuple[Piece, ...]]) -> None:
        """Paint the grey dots that show where these are, right below the letters, above all lanes."""
        if not places:
            return
        pen = QPen(QColor(*self._palette.quiet), self._unit)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([1.5, 1.5])
        painter.setPen(pen)
        y = box.baseline + 1.5 * self._unit
        for left, right in (piece for pieces in places for piece in pieces):
            painter.drawLine(QPointF(left, y), QPointF(right, y))

    def underline_links(self, painter: QPainter, box: LineBox, places: Sequence[tuple[Piece, ...]]) -> None:
        """Paint a thin line in the accent colour below words that lead somewhere."""
        for left, right in (piece for pieces in places for piece in pieces):
            y = box.baseline + 1.5 * self._unit
            line = QRectF(left, y, right - left, max(1.0, self._unit * 0.75))
            painter.fillRect(line, QColor(*self._palette.accent))

    def paint_found(self, painter: QPainter, box: LineBox, places: Sequence[LineMatch]) -> None:
        """Paint a neutral ground and frame for what was searched for, above the spans and below the text."""
        if not places:
            return
        top, bottom = box.top, box.baseline + box.descent
        for place in places:
            ground = QColor(*self._palette.found)
            ground.setAlphaF(FOUND_STRENGTHS[place.current])
            frame = self._palette.ink if place.current else self._palette.quiet
            painter.setPen(QPen(QColor(*frame), self._unit * (2 if place.current else 1)))
            painter.setBrush(ground)
            for left, right in place.pieces:
                painter.drawRect(QRectF(left - 0.5, top - 0.5, right - left + 1, bottom - top + 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def paint_start(self, painter: QPainter, caret: QRectF) -> None:
        """Paint where a selection is to begin: a bar with feet, open to the right like a bracket."""
        painter.setPen(QPen(QColor(*self._palette.accent), self._unit * 2))
        foot = self._unit * 5
        for y in (caret.top(), caret.bottom()):
            painter.drawLine(QPointF(caret.left(), y), QPointF(caret.left() + foot, y))
        painter.drawLine(caret.topLeft(), caret.bottomLeft())

    def paint_margin(self, painter: QPainter, box: LineBox, spans: Sequence[ShownSpan]) -> None:
        """Paint codes from the text's left edge outwards, at least the first; below how many had no room."""
        gap = self._unit * 3
        pitch = self._beside_width + gap
        fit = max(1, int((box.left - gap) / pitch))
        x = box.left - pitch
        if len(spans) > fit:
            place = QPointF(x, box.baseline + self._beside_height + gap)
            self._letters(painter, self._beside, place, f"+{len(spans) - fit}", self._palette.quiet)
        for span in reversed(spans[:fit]):
            self._code(painter, self._beside, QPointF(x, box.baseline), span)
            x -= pitch

    def _tints(self, painter: QPainter, box: LineBox, marks: Sequence[LineSpan]) -> None:
        parts = [
            (*piece, m.span) for m in marks if m.span.mine or m.span.id == self.selected for piece in m.pieces
        ]
        edges = sorted({edge for part in parts for edge in part[:2]})
        for left, right in pairwise(edges):
            covering = [span for low, high, span in parts if low <= left and right <= high]
            if covering:
                painter.fillRect(QRectF(left, box.top, right - left, box.height), self._tint(covering))

    def _tint(self, covering: Sequence[ShownSpan]) -> QColor:
        usual, selected, dimmed = self._tints_of
        clear = [span for span in covering if not span.dimmed]
        strength = usual if clear else dimmed
        chosen = [span for span in covering if span.id == self.selected]
        if chosen:
            clear, strength = chosen, selected
        categories = tuple(dict.fromkeys(span.category for span in clear or covering))
        return self._tint_of(categories, strength)

    def _underline(self, painter: QPainter, mark: LineSpan, lanes: Lanes) -> None:
        span = mark.span
        thick = lanes.thick if span.mine else max(1.0, lanes.thick / 2)
        left = _SETTLED_LINE if span.settled else _DIMMED_LINE if span.dimmed else 1.0
        pen = self._pen_of(span.category, left, span.polarity, thick)
        y = lanes.top + mark.lane * lanes.step
        painter.setPen(pen)
        for left, right in mark.pieces:
            painter.drawLine(QPointF(left, y + thick / 2), QPointF(right, y + thick / 2))
        if not span.mine and not span.settled:
            self._feet(painter, mark, QRectF(0, y - lanes.step, self._unit, lanes.step + thick), pen.color())

    def _pen(self, category: str, left: float, polarity: str, thick: float) -> QPen:
        """A line for what is present, dashes for what is negated, dots for what is uncertain."""
        pen = QPen(QColor(*mix(self._palette.paper, self._palette.colour(category), left)), thick)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if polarity != "present":
            dash, gap = (4.0, 2.0) if polarity == "negated" else (1.0, 1.0)
            pen.setDashPattern([dash * 2 * self._unit / thick, gap * 2 * self._unit / thick])
        return pen

    def _feet(self, painter: QPainter, mark: LineSpan, foot: QRectF, colour: QColor) -> None:
        """Ticks up from both ends of somebody else's underline, which has no tint."""
        for edge in (mark.begins, mark.ends):
            if edge is not None:
                painter.fillRect(foot.translated(edge.room(self._unit), 0), colour)

    def _outline(self, painter: QPainter, box: LineBox, mark: LineSpan) -> None:
        painter.setPen(QPen(QColor(*self._lettering(mark.span.category)), self._unit))
        for left, right in mark.pieces:
            bottom = box.baseline + box.descent
            painter.drawRect(QRectF(left - 0.5, box.top - 0.5, right - left + 1, bottom - box.top))

    def _codes(
        self, painter: QPainter, box: LineBox, marks: Sequence[LineSpan], lanes: Lanes
    ) -> list[ShownSpan]:
        """Each code below its span's start where nothing else is underlined there, else in the margin."""
        beside: list[ShownSpan] = []
        taken: list[Piece] = []
        under = lanes.top + lanes.thick + self._unit + self._under_height
        for mark in marks:
            if mark.begins is None or (mark.span.settled and mark.span.id != self.selected):
                continue
            if mark.span.category not in self._palette.codes:
                continue
            others = [*(piece for m in marks if m.lane for piece in m.pieces), *taken]
            # With what it stands for where there is room, else without.
            for letters in dict.fromkeys((self._coded(mark.span), self._letters_of(mark.span))):
                width = max(self._under_width, self._under_metrics.horizontalAdvance(letters))
                left = max(box.left, mark.begins.room(width))
                right = left + width
                alone = mark.lane == 0 and not any(a < right and left < b for a, b in others)
                if alone and under <= box.bottom:
                    taken.append((left - self._unit * 2, right + self._unit * 2))
                    colour = self._lettering(mark.span.category)
                    self._letters(painter, self._under, QPointF(left, under), letters, colour)
                    break
            else:
                beside.append(mark.span)
        return beside

    def _code(self, painter: QPainter, font: QFont, place: QPointF, span: ShownSpan) -> None:
        self._letters(painter, font, place, self._letters_of(span), self._lettering(span.category))

    def _letters_of(self, span: ShownSpan) -> str:
        code = self._palette.codes[span.category]
        return code if span.mine else code.lower()

    def _coded(self, span: ShownSpan) -> str:
        return f"{self._letters_of(span)} {span.concept}" if span.concept else self._letters_of(span)

    def _letters(self, painter: QPainter, font: QFont, place: QPointF, letters: str, colour: Rgb) -> None:
        painter.setFont(font)
        painter.setPen(QColor(*colour))
        painter.drawText(place, letters)


def code_sizes(font: QFont) -> tuple[int, int]:
    """The pixels of the codes below and beside text in a font; they can be read beside any."""
    size = QFontMetricsF(font).height()
    below, beside = (max(_SMALLEST_CODE, round(size * share)) for share in _CODES)
    return below, beside


def _code_font(pixels: int) -> QFont:
    font = QFont()
    font.setFamilies(["Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans"])
    font.setStyleHint(QFont.StyleHint.SansSerif)
    font.setBold(True)
    font.setPixelSize(pixels)
    return font
