"""An output as a reader gets it: the quotes by category, plain text only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from app.gui.dialogs.forms import GRID
from app.gui.widgets.plain import one_line
from app.gui.widgets.swatch import colours_of, lettering_on
from app.operations.rate.sheets import field_and_polarity

if TYPE_CHECKING:
    from extractors.model.finding import Finding
    from extractors.model.scheme import Scheme


class OutputView(QTextEdit):
    """Can be read, selected and copied, and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )

    def put(self, scheme: Scheme, quotes: Mapping[str, Sequence[Finding]]) -> None:
        """Show quotes by category id; a sentence where there are none."""
        self.clear()
        cursor = self.textCursor()
        colours = colours_of(scheme, self)
        if not quotes:
            cursor.insertText("Nothing was found in this report.")
        for place, (category, findings) in enumerate(quotes.items()):
            known = scheme.category(category)
            _begin(cursor, first=place == 0, above=GRID if place else 0, left=0)
            code = QTextCharFormat()
            code.setBackground(QColor(*colours.colours[category]))
            code.setForeground(QColor(*lettering_on(colours, category)))
            code.setFontWeight(QFont.Weight.Bold)
            cursor.insertText(f" {known.code} ", code)
            head = QTextCharFormat()
            head.setFontWeight(QFont.Weight.DemiBold)
            cursor.insertText(f"  {known.name}", head)
            for finding in findings:
                _begin(cursor, first=False, above=GRID // 2, left=2 * GRID)
                cursor.insertText(one_line(finding.quote), QTextCharFormat())
                quiet = QTextCharFormat()
                quiet.setForeground(self.palette().placeholderText())
                quiet.setFontItalic(True)
                cursor.insertText(field_and_polarity(finding), quiet)
        self.moveCursor(QTextCursor.MoveOperation.Start)


def _begin(cursor: QTextCursor, *, first: bool, above: int, left: int) -> None:
    block = QTextBlockFormat()
    block.setTopMargin(above)
    block.setLeftMargin(left)
    if first:
        cursor.setBlockFormat(block)
    else:
        cursor.insertBlock(block, QTextCharFormat())
