"""The page: its face, its measure and its document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument

from app.gui.reader.geometry import RIGHT_TO_LEFT
from app.gui.reader.offsets import shown_text

# Faces with serifs that ship with Windows, macOS and Linux desktops, the first there is.
FACES = ("Charter", "Cambria", "Georgia", "Noto Serif", "DejaVu Serif")
PAGE_MARGIN = 56
_POINTS = 12.0
_LINE_HEIGHT = 150.0
_MEASURE = 70
_MARGINS = 8
_BLANK_LINE = "\n\n"
_TELLS_DIRECTION = re.compile("[^\\W\\d_]|[\u200e\u200f]")
_PARAGRAPH_GAP = 8
_LEFT_TO_RIGHT = Qt.LayoutDirection.LeftToRight
_SAMPLE = "The proband, a girl of sixteen, had bilateral cataracts and slowly progressive ataxia of gait. "


def page_font(percent: int) -> QFont:
    """The reading face at that size."""
    font = QFont()
    font.setFamilies(FACES)
    font.setStyleHint(QFont.StyleHint.Serif)
    font.setPointSizeF(_POINTS * percent / 100)
    return font


def side_margin(width: int, percent: int) -> int:
    """The margins on either side of a page of `width` pixels on which lines hold about 70 characters."""
    # Codes beside large text need more room, as far as there is some.
    least = max(PAGE_MARGIN, min(PAGE_MARGIN * percent // 100, width // _MARGINS))
    return max(least, int((width - _text_width(percent)) / 2))


def set_side_margins(document: QTextDocument, margin: int) -> None:
    """Give the page margins of that many pixels; it is laid out again only where they change."""
    frame = document.rootFrame().frameFormat()
    if frame.leftMargin() != margin:
        frame.setLeftMargin(margin)
        frame.setRightMargin(margin)
        document.rootFrame().setFrameFormat(frame)


@lru_cache
def _text_width(percent: int) -> float:
    sample = QFontMetricsF(page_font(percent)).horizontalAdvance(_SAMPLE)
    return sample / len(_SAMPLE) * _MEASURE


def page_document(
    parent: QObject, text: str, headings: Sequence[tuple[int, int]], percent: int, margin: int
) -> QTextDocument:
    """The text, its lines and paragraphs apart, its headings (start, end in UTF-16 units) in bold.

    `margin` is that of either side, in pixels.
    """
    document = QTextDocument(parent)
    document.setUndoRedoEnabled(False)
    document.setDocumentMargin(PAGE_MARGIN)
    set_side_margins(document, margin)
    document.setDefaultFont(page_font(percent))
    spacing = QTextBlockFormat()
    spacing.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    spacing.setBottomMargin(0 if _BLANK_LINE in text else _PARAGRAPH_GAP)
    cursor = QTextCursor(document)
    shown = shown_text(text)
    directions = _directions(shown) if RIGHT_TO_LEFT.search(shown) else [_LEFT_TO_RIGHT]
    spacing.setLayoutDirection(directions[0])
    cursor.setBlockFormat(spacing)
    cursor.insertText(shown)
    cursor.beginEditBlock()
    for number, direction in enumerate(directions):
        # Nearly all lines of a report run one way.
        if direction != directions[0]:
            spacing.setLayoutDirection(direction)
            cursor.setPosition(document.findBlockByNumber(number).position())
            cursor.setBlockFormat(spacing)
    cursor.endEditBlock()
    bold = QTextCharFormat()
    bold.setFontWeight(QFont.Weight.Bold)
    for start, end in headings:
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(bold)
    return document


def _directions(text: str) -> list[Qt.LayoutDirection]:
    """How each line runs; one without letters as the line before it, at the start as the first with some.

    Qt has those run from left to right, and arrow keys turn round where the direction does.
    """
    telling = [_TELLS_DIRECTION.search(line) for line in text.split("\n")]
    directions: list[Qt.LayoutDirection] = []
    latest = next((found for found in telling if found is not None), None)
    for found in telling:
        latest = found or latest
        turned = latest is not None and RIGHT_TO_LEFT.match(latest[0])
        directions.append(Qt.LayoutDirection.RightToLeft if turned else _LEFT_TO_RIGHT)
    return directions
