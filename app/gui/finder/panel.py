"""The panel below the text: words, spans and figures of the whole project."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.gui.dialogs.bias.section import SectionView
from app.gui.finder.spans import SpansPage
from app.gui.finder.words import SAVED_MS, Goal, WordsPage
from app.gui.reader.report_page import Page
from app.gui.session.project_session import ProjectSession
from app.gui.session.report_model import Arrival
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import Tabs, follow_keys, scrolled, sign_button, stacked
from app.gui.widgets.tips import with_key
from app.operations.find.figures import Figures, FigureTable, counting_project
from app.tables import Table

_ORDER = ("reports", "unfinished", "category", "annotator", "given", "polarity", "section")


class FiguresPage(QWidget):
    """Tables one below the other; counted anew when it is looked at and something was saved."""

    shown = Signal()

    def __init__(self, session: ProjectSession) -> None:
        super().__init__()
        self._session = session
        self.section = SectionView()
        self.section.setContentsMargins(8, 8, 8, 8)
        self.area = scrolled(self.section, "Figures")
        stacked(self, self.area)
        later = QTimer(self, singleShot=True, interval=SAVED_MS)
        later.timeout.connect(self.read)
        session.worker.saved.connect(later.start)
        session.rows_changed.connect(self.read)
        session.annotator_changed.connect(lambda _: self.read())

    def take_focus(self) -> None:
        self.area.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        """What comes into sight may be out of date."""
        super().showEvent(event)
        self.read()

    def read(self) -> None:
        """Count anew, if it is looked at."""
        if self.isVisible():
            name = self._session.annotator
            self._session.worker.query(
                "Counting", lambda p: counting_project(p, name), self._show, latest="figures"
            )

    def _show(self, figures: Figures) -> None:
        from app.operations.bias.tables import Part

        at = self.area.verticalScrollBar().value()
        parts = []
        for key in _ORDER:
            table = figures.tables[key]
            if table.rows:
                parts.append(Part(table.title, table.notes, _as_words(table)))
        self.section.show_parts(parts, (figures.summary,))
        self.area.verticalScrollBar().setValue(at)
        self.shown.emit()


def _as_words(table: FigureTable) -> Table[str]:
    columns = table.heads
    rows = [tuple(column.text(cell) for column, cell in zip(columns, row, strict=True)) for row in table.rows]
    return Table(tuple(columns), tuple(rows), table.title)


# What is selected is searched for up to this length.
_LONGEST = 100
# Around the words of a tab, with its part of the room of the button that closes the panel.
_TAB_LETTERS = 7
_COMMANDS = {"edit.search": "Words", "edit.spans": "Spans", "edit.figures": "Figures"}


class FinderPanel(QWidget):
    """Opens by a command for each of its pages; Escape closes it, and what was found stays selected."""

    closed = Signal()

    def __init__(self, session: ProjectSession, page: Page, arrival: Arrival, actions: Actions) -> None:
        super().__init__()
        self._session, self._page, self._arrival, self._actions = session, page, arrival, actions
        self.words, self.spans, self.figures = WordsPage(session), SpansPage(session), FiguresPage(session)
        self.tabs = Tabs("Words, spans and figures")
        self.tabs.setDocumentMode(True)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        for part, title in zip((self.words, self.spans, self.figures), _COMMANDS.values(), strict=True):
            self.tabs.addTab(part, title)
        close = sign_button("×", "Close (Escape)", self.close_panel)
        close.setAccessibleName("Close")
        self.tabs.setCornerWidget(close)
        stacked(self, self.tabs)
        follow_keys(self, actions, list(_COMMANDS), self._print_keys)
        self.words.wanted.connect(self._go)
        self.spans.wanted.connect(self._go)
        self.words.category_wanted.connect(self._list_category)

    def open(self, number: int, *, fresh: bool = False) -> None:
        """Show the page of that number, and go there; where it was closed, search for what is selected."""
        reader = self._page.reader
        selected = " ".join(reader.text()[slice(*reader.selection())].split())
        self.tabs.setCurrentIndex(number)
        if fresh and number == 0 and 0 < len(selected) < _LONGEST:
            self.words.words.setText(f'"{selected}"' if " " in selected else selected)
        self.take_focus()

    def take_focus(self) -> None:
        (self.words, self.spans, self.figures)[self.tabs.currentIndex()].take_focus()

    def close_panel(self) -> None:
        """Be hidden, and leave the focus to the text."""
        self._page.reader.set_marks(())
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._print_keys()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._print_keys()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes; no other key reaches what is behind the panel."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_panel()
        event.accept()

    # Inside

    def _print_keys(self) -> None:
        """Beside the titles where there is room, and always in their tool tips."""
        keyed = [with_key(title, self._actions.key(command)) for command, title in _COMMANDS.items()]
        metrics = self.tabs.tabBar().fontMetrics()
        around = _TAB_LETTERS * metrics.averageCharWidth()
        wanted = sum(metrics.horizontalAdvance(words) + around for words in keyed)
        for number, title in enumerate(_COMMANDS.values()):
            self.tabs.setTabText(number, keyed[number] if wanted <= self.width() else title)
            self.tabs.setTabToolTip(number, keyed[number])

    def _list_category(self, category: str) -> None:
        self.open(1)
        self.spans.show_category(category)

    def _go(self, goal: Goal) -> None:
        self._arrival.wait_for(goal.report, lambda: self._show(goal))
        if self._session.report_model.key != goal.report:
            self._session.open_report(goal.report)

    def _show(self, goal: Goal) -> None:
        reader = self._page.reader
        if goal.span:
            reader.set_marks(())
            self._page.go_to_span(goal.span)
        elif goal.places:
            reader.show_place(*goal.places[goal.current], selected=True)
            reader.set_marks(goal.places, goal.current)
