"""All spans of a report, a category or the project: narrowed, sorted, gone to, relabelled and deleted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QTableView,
    QWidget,
)

from app.gui.dialogs.forms import named, plain_label
from app.gui.finder.spans_model import BY_PLACE, CATEGORY, FIELD, NOTE, QUOTE, TITLES, SpansModel
from app.gui.finder.words import SAVED_MS, Goal
from app.gui.session.project_session import ProjectSession
from app.gui.widgets.boxes import pages_of, stacked
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.lists import WholeRows
from app.gui.widgets.plain import ElidedLabel, caption
from app.operations.find.search import listing_spans
from app.text import counted

if TYPE_CHECKING:
    from app.operations.annotate.spans import Changed
    from app.store.annotate.listing import SpanRow

_NOBODY = "You have no spans here. Select words in the text and press the key of a category to make one."
# Least widths of the columns; above and below the letters of a row.
_LETTERS, _PADDING = (11, 24, 17, 22, 11, 12, 16), 6
# As many rows as one sees at least.
_ROWS = 1
_NARROWED = "None of your spans here has these words."


class SpansTable(QTableView):
    """Several rows may be selected; Return goes to the current one, Delete removes the selected ones."""

    gone_to = Signal(int)
    delete_wanted = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, model: SpansModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName("Spans")
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        WholeRows(self)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSortIndicatorClearable(True)
        self.setSortingEnabled(True)
        header.setSortIndicator(BY_PLACE, Qt.SortOrder.AscendingOrder)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(
            lambda place: self.menu_wanted.emit(self.viewport().mapToGlobal(place))
        )
        self.clicked.connect(self._click)
        model.modelReset.connect(self.fit)

    def fit(self) -> None:
        """Rows and columns follow the size of the letters; the quotes have what those beside them leave."""
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(metrics.lineSpacing() + _PADDING)
        row = self.verticalHeader().defaultSectionSize()
        ends = (self.horizontalHeader(), self.horizontalScrollBar())
        self.setMinimumHeight(
            _ROWS * row + sum(end.sizeHint().height() for end in ends) + 2 * self.frameWidth()
        )
        least, letter = self.horizontalHeader().sectionSizeHint, metrics.averageCharWidth()
        widths = [max(letters * letter, least(column)) for column, letters in enumerate(_LETTERS)]
        for column in (FIELD, NOTE):
            self.setColumnHidden(
                column, not any(row.field if column == FIELD else row.note for row in self._rows())
            )
        left = self.viewport().width() - widths[QUOTE]
        for column, width in enumerate(widths):
            if column == QUOTE or self.isColumnHidden(column):
                continue
            if width > left:
                break
            left -= width
        widths[QUOTE] += max(left, 0)
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width)

    def _rows(self) -> list[SpanRow]:
        model = self.model()
        return model.rows if isinstance(model, SpansModel) else []

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit()

    def selected(self) -> list[int]:
        """The numbers of the selected rows, from above."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.gone_to.emit(self.currentIndex().row())
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _click(self, index: QModelIndex) -> None:
        """A plain click goes there; with Shift or Ctrl it selects."""
        if QApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier:
            self.gone_to.emit(index.row())


class SpansPage(QWidget):
    """The spans of whoever annotates, and no one else's; `wanted` says where to go."""

    wanted = Signal(object)
    shown = Signal()

    def __init__(self, session: ProjectSession) -> None:
        super().__init__()
        self._session = session
        self._sentence, self._asked, self._focus = "", 0, False
        self._later = QTimer(self, singleShot=True, interval=SAVED_MS)
        self._later.timeout.connect(self.read)
        self.model = SpansModel(session.scheme, self)
        self.table = SpansTable(self.model)
        self.where = DropDown("Reports", entries=(("All reports", True), ("This report", False)))
        categories = [(f"{one.code}  {one.name}", one.id) for one in session.scheme.categories]
        self.category = DropDown("Category", 11, entries=[("All categories", ""), *categories])
        titles = [(f"By {title.lower()}", column) for column, title in enumerate(TITLES)]
        self.order = DropDown("Order", 8, entries=[("By place", BY_PLACE), *titles])
        self.words = named(
            QLineEdit(placeholderText="With these words", clearButtonEnabled=True),
            "Only spans with these words",
        )
        self.count = ElidedLabel()
        self.relabel_button = QPushButton("Re&label")
        self.delete_button = QPushButton("&Delete")
        self.relabel_menu = QMenu(self.relabel_button)
        self.relabel_button.setProperty("menu", True)
        self.relabel_button.setMenu(self.relabel_menu)
        for one in session.scheme.categories:
            action = self.relabel_menu.addAction(caption(f"{one.code}  {one.name}"))
            action.triggered.connect(partial(self._relabel, one.id))
        self.note = plain_label(_NOBODY)
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.note.setContentsMargins(4, 8, 4, 0)
        self._pages = pages_of(self.table, self.note)
        self._lay_out()
        self._connect()

    def take_focus(self) -> None:
        """Go to the list, as soon as it is there."""
        self._focus = not self.model.rows
        (self.where if self._focus else self.table).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_category(self, category: str) -> None:
        """List the spans of one category of all reports."""
        self.where.setCurrentIndex(0)
        self.words.clear()
        self.category.setCurrentIndex(self.category.findData(category))

    def showEvent(self, event: QShowEvent) -> None:
        """What comes into sight may be out of date."""
        super().showEvent(event)
        self.read()

    def read(self) -> None:
        """Read the list anew, if it is looked at."""
        self._later.stop()
        if not self.isVisible():
            return
        name, key = self._session.annotator, self._session.report_model.key
        report = None if self.where.currentData() else key
        category = self.category.currentData() or None
        if report == "":
            self._show(())
            return
        self._session.worker.query(
            "Reading the spans",
            lambda p: listing_spans(p, name, report=report, category=category),
            self._show,
            latest="list spans",
        )

    # Inside

    def _lay_out(self) -> None:
        self.count.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        top = FlowRow(self.where, self.category, self.words)
        below = FlowRow(self.count, self.order, self.relabel_button, self.delete_button)
        stacked(self, top, self._pages, below, wide=self._pages, margins=(8, 8, 8, 8))

    def _connect(self) -> None:
        session = self._session
        for chooser in (self.where, self.category):
            chooser.currentIndexChanged.connect(lambda _: self.read())
        self.order.currentIndexChanged.connect(self._sort)
        self.table.horizontalHeader().sortIndicatorChanged.connect(self._follow_header)
        self.words.textChanged.connect(self._narrow)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_words())
        self.table.gone_to.connect(self._go)
        self.table.delete_wanted.connect(self._delete)
        self.table.menu_wanted.connect(self._show_menu)
        self.delete_button.clicked.connect(self._delete)
        # Whoever labels word after word is not to wait for the list of before.
        session.worker.saved.connect(self._later.start)
        session.rows_changed.connect(self.read)
        session.annotator_changed.connect(lambda _: self.read())
        session.report_model.opened.connect(self._turn)
        session.controller.changed.connect(self._told)

    def _turn(self) -> None:
        if not self.where.currentData():
            self.read()

    def _show(self, rows: tuple[SpanRow, ...]) -> None:
        at, chosen = self.table.currentIndex().row(), {self.model.rows[n].uuid for n in self.table.selected()}
        self.model.set_rows(rows)
        self._choose_again(at, chosen)
        self._turn_page()
        if self._focus and rows and self.where.hasFocus():
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self._focus = False
        self.shown.emit()

    def _choose_again(self, at: int, chosen: set[str]) -> None:
        """What was selected stays selected; where all of it has gone, the row in its place is the current."""
        kept = [number for number, row in enumerate(self.model.rows) if row.uuid in chosen] if chosen else []
        at = kept[0] if kept else min(max(at, 0), len(self.model.rows) - 1)
        if at < 0:
            return
        flags, selection = QItemSelectionModel.SelectionFlag, self.table.selectionModel()
        for number in kept:
            selection.select(self.model.index(number, CATEGORY), flags.Select | flags.Rows)
        selection.setCurrentIndex(self.model.index(at, CATEGORY), flags.NoUpdate)

    def _turn_page(self) -> None:
        self.note.setText(_NARROWED if self.words.text().strip() else _NOBODY)
        self._pages.setCurrentWidget(self.table if self.model.rows else self.note)
        self._show_words()

    def _show_words(self) -> None:
        chosen, listed = len(self.table.selected()), counted(len(self.model.rows), "span")
        words = f"{chosen:,} of {listed} selected" if chosen else listed
        self.count.say(words if self.model.rows else "")
        for button in (self.relabel_button, self.delete_button):
            button.setEnabled(chosen > 0)

    def _narrow(self, words: str) -> None:
        self.model.set_words(words)
        self._turn_page()

    def _sort(self) -> None:
        self.table.horizontalHeader().setSortIndicator(
            int(self.order.currentData()), Qt.SortOrder.AscendingOrder
        )

    def _follow_header(self, column: int, _: Qt.SortOrder) -> None:
        self.order.blockSignals(True)
        self.order.setCurrentIndex(self.order.findData(column))
        self.order.blockSignals(False)

    def _go(self, number: int) -> None:
        row = self.model.rows[number]
        self.wanted.emit(Goal(row.report, span=row.uuid))

    def _take_chosen(self, sentence: str) -> list[str]:
        """The selected spans, which `sentence` is then said of; the focus goes to the list."""
        uuids = self._chosen()
        if uuids:
            self._sentence, self._asked = sentence, len(uuids)
            # A button that can do nothing more would hand the focus on to who knows where.
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        return uuids

    def _chosen(self) -> list[str]:
        return [self.model.rows[number].uuid for number in self.table.selected()]

    def _relabel(self, category: str, _checked: bool = False) -> None:
        uuids = self._take_chosen(f"relabelled as {self._session.scheme.category(category).name}")
        if uuids:
            self._session.controller.relabel_several(uuids, category)

    def _delete(self) -> None:
        uuids = self._take_chosen("deleted")
        if uuids:
            self._session.controller.remove_several(uuids)

    def _told(self, changed: Changed) -> None:
        sentence, self._sentence = self._sentence, ""
        if sentence:
            done = len(changed.edited) + len(changed.removed)
            same = self._asked - done
            left = f"; {same:,} stood there with that label already" if same else ""
            self._session.message.emit(f"{counted(done, 'span')} {sentence}{left}.")

    def _show_menu(self, place: QPoint) -> None:
        if not self._chosen():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("&Show in the text", lambda: self._go(self.table.currentIndex().row()))
        relabel = menu.addMenu("&Relabel")
        relabel.addActions(self.relabel_menu.actions())
        menu.addAction("&Delete", self._delete)
        menu.popup(place)
