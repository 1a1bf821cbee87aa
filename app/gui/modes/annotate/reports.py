"""The list of reports: search, filters, order, and what is open."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from app.gui.dialogs.forms import named
from app.gui.dialogs.watching import busy_sentence
from app.gui.modes.annotate.report_items import ReportItems
from app.gui.session.project_session import ProjectSession
from app.gui.session.report_list import (
    CATEGORY_FILTERS,
    ORDERS,
    ROW,
    STATES,
    CategoryFilter,
    Filters,
    Order,
    ReportsModel,
    ShownReports,
)
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import LeadsBack, follow_keys, for_command, lined, pages_of, row_of, stacked
from app.gui.widgets.flow import within
from app.gui.widgets.lists import WholeRows
from app.gui.widgets.plain import ElidedButton, ElidedLabel, caption
from app.gui.widgets.tips import explain
from app.text import counted


class FilterMenu(QMenu):
    """Says what is chosen with ticks; filled anew each time, since annotators come and go.

    Of others only the number of reports is told, nothing of their spans.
    """

    chosen = Signal(object)

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._filters = Filters()
        self._below: list[QMenu] = []
        self.aboutToShow.connect(self.fill)

    def set_filters(self, filters: Filters) -> None:
        """Show these filters as chosen, from the next time on."""
        self._filters = filters

    def fill(self) -> None:
        self.clear()
        for menu in self._below:
            menu.deleteLater()
        self._below = []
        now = self._filters
        self.addSection("State")
        for state, words in STATES.items():
            self._add(self, words, replace(now, states=now.states ^ {state}), state in now.states)
        self.addSection("Category")
        for about, words in CATEGORY_FILTERS.items():
            self._add_categories(about, words[0].upper() + words[1:])
        self._add_annotators()
        self.addSection("Notes")
        for notes, words in ((True, "With notes"), (False, "Without notes")):
            chosen = now.notes is notes
            self._add(self, words, replace(now, notes=None if chosen else notes), chosen)
        self.addSeparator()
        clear = self.addAction("Clear filters", lambda: self.chosen.emit(Filters()))
        clear.setEnabled(now != Filters())

    def _add_categories(self, about: CategoryFilter, words: str) -> None:
        now = self._filters
        menu = self._menu(words, bool(now.category) and now.about == about)
        for category in self._session.scheme.categories:
            chosen = (now.category, now.about) == (category.id, about)
            wanted = replace(now, category="" if chosen else category.id, about=about)
            self._add(menu, f"{category.code}  {category.name}", wanted, chosen)

    def _add_annotators(self) -> None:
        reports: dict[str, int] = {}
        for row in self._session.rows.values():
            for name in row.others:
                reports[name] = reports.get(name, 0) + 1
        menu = self._menu("Spans by", bool(self._filters.annotator))
        menu.setEnabled(bool(reports))
        for name, number in sorted(reports.items()):
            chosen = name == self._filters.annotator
            words = f"{name} ({counted(number, 'report')})"
            self._add(menu, words, replace(self._filters, annotator="" if chosen else name), chosen)

    def _menu(self, words: str, chosen: bool) -> QMenu:
        menu = self.addMenu(words)
        menu.menuAction().setCheckable(True)
        menu.menuAction().setChecked(chosen)
        self._below.append(menu)
        return menu

    def _add(self, menu: QMenu, words: str, wanted: Filters, chosen: bool) -> None:
        action = menu.addAction(caption(words), lambda: self.chosen.emit(wanted))
        action.setCheckable(True)
        action.setChecked(chosen)


# What the keys do to the report that one is at in the list.
_KEYS = {
    Qt.Key.Key_F2.value: "report.rename",
    Qt.Key.Key_Delete.value: "report.delete",
    Qt.Key.Key_Backspace.value: "report.delete",
}
# Of the list: what the style adds to its rows, above and below.
_FRAME = 6


class SearchField(QLineEdit):
    """Escape empties it, Down and Enter leave it for the list."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class _Rows(QListView):
    """Where there is room for few, the current one stays in sight."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())


class ReportsPanel(LeadsBack, QWidget):
    """Click or Enter opens a report, after which one wants its text; the open one is marked.

    With Ctrl or Shift held several are chosen, to be deleted.
    """

    text_wanted = Signal()
    filled = Signal()
    # The key of a report that will be opened for the words searched for, and the words.
    words_wanted = Signal(str, str)

    def __init__(self, session: ProjectSession, actions: Actions) -> None:
        super().__init__()
        self._session, self._actions = session, actions
        self._model = ReportsModel(session, self)
        self._shown = ShownReports(self._model, session, self)
        self.search = named(SearchField(), "Search titles, numbers and texts of all reports")
        self.search.setPlaceholderText("Search all reports")
        command = "report.search"
        follow_keys(self.search, actions, [command], lambda: explain(self.search, actions.hint(command)))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._shown.set_words)
        self.search.left.connect(self._go_to_list)
        self.filter_button = _menu_button()
        self.filter_menu = FilterMenu(session, self.filter_button)
        self.filter_menu.chosen.connect(self._filter)
        self.filter_button.setMenu(self.filter_menu)
        self.sort_button = _menu_button()
        self.sort_button.setMenu(self._sort_menu())
        self.filtered = ElidedLabel()
        self.clear_button = named(QToolButton(), "Clear filters")
        self.clear_button.setText("Clear")
        self.clear_button.clicked.connect(lambda: self._filter(Filters()))
        self.list = self._made_list()
        self.count = ElidedLabel()
        self._pages = self._made_pages()
        self._lay_out()
        self._shown.shown_changed.connect(self._show_words)
        self._model.modelReset.connect(self._follow)
        self._model.modelReset.connect(self.filled)
        session.report_model.opened.connect(self._follow)
        session.worker.job_changed.connect(
            lambda: self.import_button.setDisabled(bool(busy_sentence(session)))
        )
        self._filter(Filters())
        self._sort("import")
        self._follow()

    def shown_keys(self) -> list[str]:
        return self._shown.keys()

    def chosen_keys(self) -> list[str]:
        """The keys of the reports that are chosen in the list, elsewhere of the open one."""
        rows = self.list.selectionModel().selectedRows() if self.list.hasFocus() else []
        chosen = [str(index.data(ROW).key) for index in sorted(rows, key=QModelIndex.row)]
        return chosen or [self._session.report_model.key]

    def sizeHint(self) -> QSize:
        usual = super().sizeHint()
        rows = self._model.rowCount() * max(self.list.sizeHintForRow(0), 0) + 2 * _FRAME
        usual.setHeight(usual.height() - self._pages.sizeHint().height() + rows)
        return usual

    def whole_rows(self, height: int) -> int:
        """Of a height that has no room for all reports, what whole rows take: others can use the rest."""
        wanted, row = self.sizeHint().height(), max(self.list.sizeHintForRow(0), 1)
        over = -(-(wanted - height) // row) * row
        least = max(self.minimumSizeHint().height(), wanted - (self._model.rowCount() - 1) * row)
        return height if over <= 0 else within(min(least, height), wanted - over, height)

    def take_focus(self) -> None:
        """Put the focus on the list, or on what helps where it is empty."""
        first = (self.list, self.import_button, self.search)[self._pages.currentIndex()]
        first.setFocus(Qt.FocusReason.TabFocusReason)

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What a report of the list can be done to, by the keys of its menu."""
        command = _KEYS.get(event.key(), "")
        if command and self.list.hasFocus():
            self._actions[command].trigger()
        else:
            super().keyPressEvent(event)

    def clear(self) -> None:
        self.search.clear()
        self._filter(Filters())

    # Inside

    def _made_list(self) -> _Rows:
        view = named(_Rows(), "Reports")
        view.setModel(self._shown)
        view.setItemDelegate(ReportItems(view))
        view.setUniformItemSizes(True)
        WholeRows(view)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setProperty("sidebar", True)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show_menu)
        view.activated.connect(self._open)
        view.clicked.connect(self._open_clicked)
        return view

    def _made_pages(self) -> QStackedWidget:
        add, every = ElidedButton(flat=False), ElidedButton("Clear the search and filters", flat=False)
        self.import_button = for_command(add, "Import reports…", self._actions, "project.import")
        every.clicked.connect(self.clear)
        self.clear_all_button = every
        first = _empty("This project has no reports yet. Import some, or drop files here.", add)
        return pages_of(self.list, first, _empty("No report matches.", every))

    def _lay_out(self) -> None:
        buttons = lined(None, self.filter_button, self.sort_button)
        buttons.addStretch()
        self._filter_line = row_of(self.filtered, self.clear_button, wide=self.filtered)
        parts = (self.search, buttons, self._filter_line, self._pages, self.count)
        stacked(self, *parts, wide=self._pages, margins=(8, 8, 8, 8))

    def _sort_menu(self) -> QMenu:
        menu = QMenu(self.sort_button)
        group = QActionGroup(menu)
        for order, words in ORDERS.items():
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setData(order)
            group.addAction(action)
        group.triggered.connect(lambda action: self._sort(action.data()))
        return menu

    def _sort(self, order: Order) -> None:
        for action in self.sort_button.menu().actions():
            action.setChecked(action.data() == order)
        words = ORDERS[order]
        self.sort_button.setText("Sort" if order == "import" else f"Sort: {words.split(',')[0].lower()}")
        explain(self.sort_button, f"Sorted by: {words}")
        self.sort_button.setAccessibleName(f"Sort reports, now by: {words}")
        self._shown.set_order(order)
        self._follow()

    def _filter(self, filters: Filters) -> None:
        words = filters.words(self._session.scheme)
        self.filter_button.setText(f"Filter ({len(words)})" if words else "Filter")
        text = "; ".join(words)
        self.filter_button.setAccessibleName(f"Filter reports, now: {text or 'all'}")
        self.filtered.say(text)
        self._filter_line.setVisible(bool(words))
        self.filter_menu.set_filters(filters)
        self._shown.set_filters(filters)
        self._follow()

    def _show_words(self) -> None:
        shown, total = self._shown.rowCount(), self._model.rowCount()
        words = f"{shown:,} of {total:,} shown" if self._shown.narrowed else counted(total, "report")
        words = words if total else ""
        self.count.say(f"{words}, searching the texts…" if self._shown.searching else words)
        empty = 2 if self._shown.narrowed and not self._shown.searching else 0
        page = 0 if shown else 1 if not total else empty
        self._pages.setCurrentIndex(page)

    def _follow(self) -> None:
        index = self._shown.index_of(self._model.open_key)
        if index.isValid():
            self.list.setCurrentIndex(index)
            self.list.scrollTo(self.list.currentIndex())
        self._show_words()

    def _go_to_list(self) -> None:
        if not self._shown.rowCount():
            return
        if not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self._shown.index(0, 0))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_menu(self, place: QPoint) -> None:
        """What can be done with the report that was pointed at, or that one is at."""
        if not self.list.currentIndex().isValid():
            return
        menu = QMenu(self.list)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        several = len(self.list.selectionModel().selectedRows()) > 1
        one = [("&Rename…", "F2", "report.rename")] if not several else []
        if not several:
            menu.addAction("&Open", lambda: self._open(self.list.currentIndex()))
        for words, key, command in (*one, ("&Delete…", "Del", "report.delete")):
            menu.addAction(f"{words}\t{key}", self._actions[command].trigger)
        menu.popup(self.list.viewport().mapToGlobal(place))

    def _open_clicked(self, index: QModelIndex) -> None:
        """With Ctrl or Shift held, a click chooses several."""
        held = QApplication.keyboardModifiers()
        if not held & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier):
            self._open(index)

    def _open(self, index: QModelIndex) -> None:
        key: str = index.data(ROW).key
        if self._shown.words:
            self.words_wanted.emit(key, self._shown.words)
        if key != self._session.report_model.key:
            self._session.open_report(key)
        self.text_wanted.emit()


def _menu_button() -> QToolButton:
    button = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


def _empty(words: str, button: QPushButton) -> QWidget:
    page = QWidget()
    label = QLabel(words, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    layout = stacked(page, label, button, margins=(8, 8, 8, 8), spacing=16)
    layout.insertStretch(0)
    layout.addStretch()
    return page
