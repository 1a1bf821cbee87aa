"""The page: its face, its measure and its document, with places in code points and in Qt's UTF-16 units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument

from app.gui.reader.grids import Grids, small_letters
from app.gui.reader.lines import RIGHT_TO_LEFT, turns
from app.text import Offsets
from extractors.text.tables import TextTable

# A Qt document ends a paragraph or opens a frame or an object at these, or cannot hold them (half a pair);
# a byte order mark at the start is swallowed on the way into Qt, or turns the bytes of all others round.
_SPECIAL_ALONE = "\r\u2028\u2029\ufdd0\ufdd1\ufffc\ufeff\ufffe"
_SPECIAL = re.compile(f"[{_SPECIAL_ALONE}\ud800-\udfff]")
_SHOWN = {"\r": "\u21b5", "\u2028": "\u21b5", "\u2029": "\u00b6", "\ufeff": "\u2060"}
_REPLACEMENT = "\ufffd"


def shown_text(text: str) -> str:
    """`text` as a Qt document can hold it: of the same length, with characters special to Qt made visible."""
    return text if _is_plain(text) else _SPECIAL.sub(lambda match: _SHOWN.get(match[0], _REPLACEMENT), text)


def _is_plain(text: str) -> bool:
    """Whether there is nothing special, in a tenth of the time that the expression takes to find out."""
    if any(char in text for char in _SPECIAL_ALONE):
        return False
    try:
        text.encode("utf-16-le")
    except UnicodeEncodeError:
        return False
    return True


# Faces with serifs that ship with Windows, macOS and Linux desktops, the first there is.
FACES = ("Charter", "Cambria", "Georgia", "Noto Serif", "DejaVu Serif")
PAGE_MARGIN = 56
_POINTS = 12.0
_LINE_HEIGHT = 150.0
_MEASURE = 73
_MARGINS = 8
_AMPLE = 1.3
_NEARLY = 0.95
_BLANK_LINE = "\n\n"
_MOST_COLUMNS = 24
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


def page_width(percent: int) -> int:
    """The width in pixels of a page on which lines hold nearly 70 characters, with its least margins."""
    return round(_text_width(percent) * _NEARLY) + 2 * PAGE_MARGIN


def set_side_margins(document: QTextDocument, margin: int) -> None:
    """Give the page margins of that many pixels; it is laid out again only where they change."""
    frame = document.rootFrame().frameFormat()
    if frame.leftMargin() != margin:
        frame.setLeftMargin(margin)
        frame.setRightMargin(margin)
        document.rootFrame().setFrameFormat(frame)


def most_characters(height: int, percent: int) -> int:
    """More characters than a page of `height` pixels shows."""
    return round(height / _line_pitch(percent) * _MEASURE * _AMPLE)


@lru_cache
def _line_pitch(percent: int) -> float:
    return QFontMetricsF(page_font(percent)).height() * _LINE_HEIGHT / 100


@lru_cache
def _text_width(percent: int) -> float:
    sample = QFontMetricsF(page_font(percent)).horizontalAdvance(_SAMPLE)
    return sample / len(_SAMPLE) * _MEASURE


@dataclass(frozen=True, slots=True)
class Setting:
    """What of a text is set apart, in code points: headings (start, end), tables, and captions (start, end of
    their label, end)."""

    headings: Sequence[tuple[int, int]] = ()
    tables: Sequence[TextTable] = ()
    captions: Sequence[tuple[int, int, int]] = ()


def page_document(
    parent: QObject, text: str, offsets: Offsets, setting: Setting, percent: int, margin: int
) -> tuple[QTextDocument, Grids]:
    """The text, its lines and paragraphs apart, headings and labels in bold, tables as grids; and the grids.

    `margin` is that of either side, in pixels.
    """
    document = QTextDocument(parent, undoRedoEnabled=False, documentMargin=PAGE_MARGIN)
    set_side_margins(document, margin)
    document.setDefaultFont(page_font(percent))
    spacing = QTextBlockFormat()
    spacing.setLineHeight(_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    spacing.setBottomMargin(0 if _BLANK_LINE in text else _PARAGRAPH_GAP)
    cursor = QTextCursor(document)
    shown = shown_text(text)
    turned = turns(shown)
    directions = _directions(shown) if turned else [_LEFT_TO_RIGHT]
    spacing.setLayoutDirection(directions[0])
    grids = Grids(shown, offsets)
    cursor.beginEditBlock()
    _fill(cursor, spacing, grids, setting.tables)
    if turned:
        _turn(cursor, shown, offsets, directions)
    bold = QTextCharFormat()
    bold.setFontWeight(QFont.Weight.Bold)
    labels = [(start, label) for start, label, _ in setting.captions]
    small = [(start, end) for start, _, end in setting.captions]
    for places, letters in ((small, small_letters()), ((*setting.headings, *labels), bold)):
        for start, end in places:
            cursor.setPosition(offsets.to_utf16(start))
            cursor.setPosition(offsets.to_utf16(end), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(letters)
    cursor.endEditBlock()
    return document, grids


def can_be_grid(text: str, table: TextTable) -> bool:
    """Whether a table is drawn as a grid; others stay lines with bars, which go on below and run as read.

    Of too many columns each would have room for a letter, and Qt's tables run from left to right alone.
    """
    first = _TELLS_DIRECTION.search(text, table.start, table.end)
    turned = first is not None and RIGHT_TO_LEFT.match(first[0]) is not None
    return table.columns <= _MOST_COLUMNS and not turned


def _fill(cursor: QTextCursor, spacing: QTextBlockFormat, grids: Grids, tables: Sequence[TextTable]) -> None:
    """Write the text; each table takes the places of its line ends, that before it and that after it too."""
    cursor.setBlockFormat(spacing)
    plain = QTextCharFormat()
    written = 0
    for table in tables:
        cursor.insertText(grids.shown[written : max(table.start - 1, 0)], plain)
        grids.add(cursor, table)
        written = table.end + 1
    cursor.insertText(grids.shown[written:], plain)


def _turn(
    cursor: QTextCursor,
    shown: str,
    offsets: Offsets,
    directions: Sequence[Qt.LayoutDirection],
) -> None:
    """Let lines run as they are read; nearly all lines of a report run one way."""
    place = 0
    running = QTextBlockFormat()
    for line, direction in zip(shown.split("\n"), directions, strict=True):
        end = place + len(line)
        if direction != directions[0]:
            running.setLayoutDirection(direction)
            cursor.setPosition(offsets.to_utf16(place))
            cursor.setPosition(offsets.to_utf16(end), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeBlockFormat(running)
        place = end + 1


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
