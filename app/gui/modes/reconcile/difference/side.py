"""One side of a disagreement: whose it is and every quote in full, its own words emphasised."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication, QFrame, QSizePolicy, QWidget

from app.gui.modes.reconcile.words import about
from app.gui.widgets.boxes import lines_high, stacked
from app.gui.widgets.flow import Lettered
from app.gui.widgets.lists import WholeLines
from app.gui.widgets.plain import ElidedLabel, bold, one_line
from app.operations.reconcile.preview import word_differences
from extractors.model.finding import Finding
from extractors.model.scheme import Scheme

_LINES, _MOST_LINES = 2, 9
_LARGER = 1.15


class SideView(Lettered, QWidget):
    """Its height depends on the room there is, not on what it shows; longer quotes scroll."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name, self._room = name, 0
        self.holder = ElidedLabel()
        self.quotes = WholeLines()
        self.quotes.document().setDocumentMargin(2)
        self.quotes.setReadOnly(True)
        self.quotes.setUndoRedoEnabled(False)
        self.quotes.setFrameShape(QFrame.Shape.NoFrame)
        self.quotes.setTabChangesFocus(True)
        self.quotes.setProperty("quotation", True)
        self.quotes.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        stacked(self, self.holder, self.quotes, wide=self.quotes, spacing=2)
        self.fit_letters()

    def show_side(
        self,
        holder: str,
        findings: Sequence[Finding],
        others: Sequence[Finding],
        scheme: Scheme,
        concepts: Sequence[str] = (),
        *,
        ahead: bool = False,
    ) -> None:
        """Show what `holder` has, against what the other side has; `concepts` are words on each finding.

        `ahead` where what is said of the quote stands above it, in sight however long the quote is.
        """
        self.holder.say(holder)
        self.quotes.setAccessibleName(f"{self._name}: {holder}")
        self.quotes.clear()
        cursor = QTextCursor(self.quotes.document())
        quiet = QTextCharFormat()
        quiet.setForeground(QApplication.palette().placeholderText())
        quiet.setFontPointSize(self.font().pointSizeF())
        if not findings:
            cursor.insertText("Nothing here", quiet)
        # Whether the quotes of both sides stand against each other one by one.
        paired = len(findings) == len(others)
        for number, finding in enumerate(findings):
            if number:
                cursor.insertBlock(_block(4))
            coded = concepts[number] if concepts else ""
            said = " · ".join(filter(None, [coded, about(finding, scheme)]))
            if ahead:
                cursor.insertText(said, quiet)
                cursor.insertBlock(_block(0))
            self._write(cursor, finding, others[number].quote if paired else None)
            if not ahead:
                cursor.insertBlock(_block(0))
                cursor.insertText(said, quiet)
        self.quotes.moveCursor(QTextCursor.MoveOperation.Start)
        self.quotes.show_whole_lines()

    def _write(self, cursor: QTextCursor, finding: Finding, other: str | None) -> None:
        """The quote; what the other one lacks is bold and underlined."""
        plain, own = QTextCharFormat(), QTextCharFormat()
        own.setFontWeight(QFont.Weight.Bold)
        own.setFontUnderline(True)
        cursor.insertText("“", plain)
        if other is None:
            cursor.insertText(one_line(finding.quote), plain)
        else:
            for run in word_differences(one_line(finding.quote), one_line(other)):
                if run.presence != "right":
                    cursor.insertText(run.text, own if run.presence == "left" else plain)
        cursor.insertText("”", plain)

    def fit_letters(self) -> None:
        font = bold(self.font())
        if self.holder.font() != font:
            self.holder.setFont(font)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * (1 if self._room else _LARGER))
        if self.quotes.font() != font:
            self.quotes.setFont(font)
        self.quotes.setMinimumHeight(max(self._room, lines_high(self.quotes, 1 if self._room else _LINES)))
        self.quotes.setMaximumHeight(lines_high(self.quotes, _MOST_LINES))

    def give(self, room: int) -> None:
        """So many pixels for the quotes, 0 for as many as usual."""
        if room != self._room:
            self._room = room
            self.fit_letters()

    def head_height(self) -> int:
        """How many pixels of it are not for quotes."""
        return self.minimumSizeHint().height() - self.quotes.minimumHeight()

    def usual_height(self) -> int:
        """How many pixels high it is at least where it is given no other room."""
        return self.head_height() + round(_LARGER * lines_high(self.holder, _LINES))

    def growth(self) -> int:
        """By how many pixels it may become higher than it must be."""
        return round(_LARGER * lines_high(self.holder, _MOST_LINES)) - self.quotes.minimumHeight()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


def _block(above: int) -> QTextBlockFormat:
    block = QTextBlockFormat()
    block.setTopMargin(above)
    block.setAlignment(Qt.AlignmentFlag.AlignLeading)
    return block
