"""Right of the text: rationale above, guideline with the clause in question and gold set below."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QShowEvent, QTextBlock, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from app.gui.dialogs.forms import named, plain_label
from app.gui.modes.reconcile.queue.work import Work
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import Panel, for_command, heading_label, lined, split, stacked
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.guideline_text import as_read, guideline_document
from app.gui.widgets.lists import WholeLines
from app.palette import PagePalette
from app.text import counted

if TYPE_CHECKING:
    from app.operations.reconcile.gold import GoldSummary

_COLUMNS = 40


class RightSide(Panel):
    """No wider than a guideline wants to be read."""

    def __init__(self, rationale: QWidget, clauses: QWidget, gold: QWidget) -> None:
        super().__init__()
        below = QWidget()
        stacked(below, clauses, gold, wide=clauses, spacing=4)
        self._parts = split(Qt.Orientation.Vertical, rationale, below, shares=(0, 1))
        self.setWidget(self._parts)

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().averageCharWidth() * _COLUMNS
        return QSize(width, self._parts.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        width = self._parts.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, super().minimumSizeHint().height())


_WORD = re.compile(r"\w+")
_STRENGTH = 0.3
_FEWEST_LINES = 4


class ClausePanel(QWidget):
    """`category_changed` where the user turns to another category of the same difference."""

    category_changed = Signal(str)

    def __init__(self, session: ProjectSession, palette: PagePalette, actions: Actions) -> None:
        super().__init__()
        self._session, self._palette = session, palette
        self._clause = ""
        self.category = session.category
        self.categories = DropDown("Guideline of", 4)
        self.categories.activated.connect(lambda _: self._turn())
        self.amend = for_command(QPushButton(), "Amend…", actions, "reconcile.amend")
        self.text = named(WholeLines(), "Guideline")
        self.text.setOpenLinks(False)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self._document: QTextDocument | None = None
        self._stale = True
        # A line of its own rather than half a name.
        self.categories.setSizeAdjustPolicy(DropDown.SizeAdjustPolicy.AdjustToContents)
        self.categories.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._head = FlowRow(self.categories, self.amend)
        stacked(self, lined(None, self._head, margins=(8, 0, 8, 0)), self.text, wide=self.text, spacing=2)
        self.show_categories((session.category,))

    def set_page_palette(self, palette: PagePalette) -> None:
        self._palette = palette
        self.renew()

    def show_categories(self, categories: tuple[str, ...]) -> None:
        """Offer the guidelines of these categories, the first on top."""
        if self.categories.values == list(categories) and self.category == categories[0]:
            return
        scheme = self._session.scheme
        self.categories.fill([(scheme.category(category).name, category) for category in categories])
        self.category = categories[0]
        self.renew()

    def mark(self, clause: str) -> None:
        """Mark this clause and bring it into sight; "" for none."""
        if clause != self._clause:
            self._clause = clause
            self.renew()

    def minimumSizeHint(self) -> QSize:
        lines = self.fontMetrics().lineSpacing() * _FEWEST_LINES
        return QSize(super().minimumSizeHint().width(), lines + self._head.sizeHint().height())

    def hasHeightForWidth(self) -> bool:
        return False

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def showEvent(self, event: QShowEvent) -> None:
        """Set what was asked for meanwhile, now that its letters and its width are known."""
        super().showEvent(event)
        if self._stale:
            self.renew()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.renew()

    def _turn(self) -> None:
        self.category = self.categories.currentData()
        self.renew()
        self.category_changed.emit(self.category)

    def renew(self) -> None:
        """Set the guideline: colours, sizes and marks stand in the document. Laying it out takes a while."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        old, scheme = self._document, self._session.scheme
        known = scheme.category(self.category)
        document = guideline_document(known, scheme, self._palette, self.font())
        document.setParent(self)
        block = _find(document, as_read(self._clause, scheme)) if self._clause else None
        if block is not None:
            self._emphasise(block)
        self._document = document
        self.text.setDocument(document)
        self.text.show_whole_lines()
        if block is not None:
            cursor = QTextCursor(block)
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
            self.text.setTextCursor(cursor)
            self.text.ensureCursorVisible()
        if old is not None:
            old.deleteLater()

    def _emphasise(self, block: QTextBlock) -> None:
        marked = QTextCharFormat()
        marked.setBackground(QColor(*self._palette.tint([self.category], _STRENGTH)))
        marked.setForeground(QColor(*self._palette.ink))
        marked.setFontWeight(QFont.Weight.Bold)
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(marked)
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        cursor.insertText("▸ ", marked)


def _find(document: QTextDocument, clause: str) -> QTextBlock | None:
    """The paragraph that is this clause, in which categories stand by their names."""
    wanted = _words(clause)
    block = document.begin()
    while block.isValid():
        if wanted and _words(block.text()) == wanted:
            return block
        block = block.next()
    return None


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


_LINES = 2


class GoldPanel(QWidget):
    """Says what building would come to, and after it what was written."""

    def __init__(self, work: Work, actions: Actions) -> None:
        super().__init__()
        self._work = work
        self.words = plain_label(name="State of the gold set", top=True)
        self.export = QPushButton("Export…")
        self.build = for_command(QPushButton(), "Build", actions, "reconcile.gold")
        self.corrections = for_command(QPushButton(), "Corrections", actions, "reconcile.corrections")
        buttons = FlowRow(self.build, self.corrections, self.export)
        stacked(self, heading_label("Gold set"), self.words, buttons, margins=(8, 4, 8, 8), spacing=4)
        self._built = ""
        work.queue_changed.connect(self._show_words)
        work.states_changed.connect(lambda _: self.forget())
        self._show_words()

    def show_built(self, summary: GoldSummary) -> None:
        self._built = built_words(summary)
        self._show_words()

    def forget(self) -> None:
        """What was built last is not how it is any more."""
        self._built = ""
        self._show_words()

    def _show_words(self) -> None:
        self.words.setMinimumHeight(_LINES * self.words.fontMetrics().lineSpacing())
        queue = self._work.queue
        self.build.setEnabled(queue is not None)
        self.corrections.setEnabled(queue is not None)
        if queue is None:
            self.words.setText("")
            return
        counts = self._work.counts
        asked = f"{counts['asked']:,} to be asked again, " if counts["asked"] else ""
        agreed = counted(queue.agreed, "span")
        words = f"{agreed} agreed, {counts['decided']:,} decided, {asked}{counts['open']:,} undecided."
        self.words.setText(self._built or words)


def built_words(summary: GoldSummary) -> str:
    """What a gold set is made of, and what is not in it."""
    words = f"{summary.name}: {counted(summary.spans, 'span')} in {counted(summary.reports, 'report')}"
    words += f" ({summary.added:,} added, {summary.removed:,} removed)."
    if summary.undecided:
        words += f" {counted(summary.undecided, 'difference')} undecided and left out."
    if summary.fields_differ:
        words += (
            f" In {counted(summary.fields_differ, 'span')} the fields differ; {summary.left}'s are taken."
        )
    return words
