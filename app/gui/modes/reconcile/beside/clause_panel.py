"""The guideline of the category in question, with the clause that a decision touches marked in it."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Signal
from PySide6.QtGui import QColor, QFont, QShowEvent, QTextBlock, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QPushButton, QTextBrowser, QWidget

from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import lined, stacked
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.guideline_text import as_read, guideline_document
from app.gui.widgets.parts import print_key
from app.palette import PagePalette

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
        self.amend = QPushButton()
        print_key(self.amend, "Amend…", actions, "reconcile.amend")
        self.amend.clicked.connect(actions["reconcile.amend"].trigger)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setAccessibleName("Guideline")
        self._document: QTextDocument | None = None
        self._stale = True
        wide = self.categories
        head = lined(None, wide, self.amend, wide=wide, margins=(8, 0, 8, 0), spacing=4)
        stacked(self, head, self.text, wide=self.text, spacing=2)
        self.show_categories((session.category,))

    def set_page_palette(self, palette: PagePalette) -> None:
        """Show the colours of another theme."""
        self._palette = palette
        self._set()

    def show_categories(self, categories: tuple[str, ...]) -> None:
        """Offer the guidelines of these categories, the first on top."""
        known = [self.categories.itemData(at) for at in range(self.categories.count())]
        if known == list(categories) and self.category == categories[0]:
            return
        with QSignalBlocker(self.categories):
            self.categories.clear()
            for category in categories:
                self.categories.addItem(self._session.scheme.category(category).name, category)
        self.category = categories[0]
        self._set()

    def mark(self, clause: str) -> None:
        """Mark this clause and bring it into sight; "" for none."""
        if clause != self._clause:
            self._clause = clause
            self._set()

    def renew(self) -> None:
        """Read the guideline anew: it was amended."""
        self._set()

    def minimumSizeHint(self) -> QSize:
        """A few lines."""
        lines = self.fontMetrics().lineSpacing() * _FEWEST_LINES
        return QSize(super().minimumSizeHint().width(), lines + self.categories.sizeHint().height())

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def showEvent(self, event: QShowEvent) -> None:
        """Set what was asked for meanwhile, now that its letters and its width are known."""
        super().showEvent(event)
        if self._stale:
            self._set()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set()

    def _turn(self) -> None:
        self.category = self.categories.currentData()
        self._set()
        self.category_changed.emit(self.category)

    def _set(self) -> None:
        """Set the guideline; colours, sizes and marks stand in the document. Laying it out takes a while."""
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
