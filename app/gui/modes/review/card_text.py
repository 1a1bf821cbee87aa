"""The words of a card laid out on a few lines, with those emphasised that one side alone has."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption

from app.gui.modes.review.cells import LONGEST


class CardText:
    """At most `lines` lines of `width` pixels; `parts` are texts and whether each is emphasised."""

    def __init__(self, parts: Sequence[tuple[str, bool]], font: QFont, width: int, lines: int) -> None:
        self._font, self._width = font, max(width, 1)
        cut, self.height = self._lay_out(parts, lines)
        if cut is not None:
            _, self.height = self._lay_out(cut, lines)

    def draw(self, painter: QPainter, place: QPointF) -> None:
        """Draw it in the painter's colour."""
        self._layout.draw(painter, place)

    def _lay_out(
        self, parts: Sequence[tuple[str, bool]], lines: int
    ) -> tuple[list[tuple[str, bool]] | None, float]:
        """Lay the parts out; returns what there is room for where that is not all, and the height."""
        text = "".join(part for part, _ in parts)[:LONGEST]
        layout = QTextLayout(text, self._font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats(_formats(parts))
        layout.beginLayout()
        height, room = 0.0, 0
        for _ in range(lines):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(self._width)
            line.setPosition(QPointF(0, height))
            height += line.height()
            room = line.textStart() + line.textLength()
        layout.endLayout()
        self._layout = layout
        return (_cut(parts, room - 2) if room < _units(text) else None), height


def _formats(parts: Sequence[tuple[str, bool]]) -> list[QTextLayout.FormatRange]:
    strong = QTextCharFormat()
    strong.setFontWeight(QFont.Weight.Bold)
    strong.setFontUnderline(True)
    found, start = [], 0
    for text, emphasised in parts:
        # White space at the end of an underlined word is no part of it.
        if emphasised and text.strip():
            one = QTextLayout.FormatRange()
            one.start, one.length = start, _units(text.rstrip())
            one.format = strong
            found.append(one)
        start += _units(text)
    return found


def _cut(parts: Sequence[tuple[str, bool]], room: int) -> list[tuple[str, bool]]:
    """The parts up to `room` UTF-16 units, and an ellipsis."""
    kept: list[tuple[str, bool]] = []
    for text, emphasised in parts:
        units = text.encode("utf-16-le", "surrogatepass")[: 2 * max(room, 0)]
        kept.append((units.decode("utf-16-le", "ignore"), emphasised))
        room -= _units(text)
    return [*kept, ("…", False)]


def _units(text: str) -> int:
    """The length of a text as Qt counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
