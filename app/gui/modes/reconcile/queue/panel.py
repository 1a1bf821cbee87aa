"""Left of the text: whose sets are reconciled, what is to be decided, and how far one is."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QMenu,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.gui.dialogs.forms import named, plain_label
from app.gui.modes.reconcile.queue.model import QueueModel, QueueRows
from app.gui.modes.reconcile.queue.position import Filters
from app.gui.modes.reconcile.queue.work import Work
from app.gui.modes.reconcile.words import (
    SHORT,
    SIGNS,
    STATE_WORDS,
    caveats_on,
    outdated_words,
    progress_words,
)
from app.gui.widgets.boxes import LeadsBack, lined, stacked
from app.gui.widgets.drop_down import DecimalBox, DropDown
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.lists import SteadyList
from app.gui.widgets.plain import ElidedLabel, caption
from app.gui.widgets.tips import explain
from app.operations.reconcile.preview import KINDS, ORDERS
from app.operations.reconcile.queue import STATES
from app.palette import PagePalette
from app.reconcile.queue import ItemKind
from app.text import counted
from extractors.model.scheme import Scheme

_ORDER_WORDS = {"worst": "Worst first", "frequent": "Most frequent first"}
_BAR_HEIGHT, _LETTERS = 8, 8


class QueuePanel(LeadsBack, QWidget):
    """Follows the work; the row of the current difference is in sight."""

    text_wanted = Signal()

    def __init__(self, work: Work, scheme: Scheme, palette: PagePalette) -> None:
        super().__init__()
        self._work, self._scheme = work, scheme
        self.left, self.right = DropDown("Left side"), DropDown("Right side")
        self.below = DecimalBox()
        self.below.setDecimals(0)
        self.below.setRange(0, 100)
        self.below.setValue(work.below)
        self.below.setKeyboardTracking(False)
        self.below.setAccessibleName("Whole category if this score is below")
        explain(
            self.below,
            "Token set ratio: how many words both sides have in common, from 0 to 100. Where a whole "
            "category of a report is below this, it comes first and can be decided as a whole.",
        )
        self.order = DropDown("Order of the queue", entries=[(_ORDER_WORDS[one], one) for one in ORDERS])
        self.order.setCurrentIndex(self.order.findData(work.order))
        self.search = named(QLineEdit(placeholderText="Search quotes and titles"), "Search the queue")
        self.search.setClearButtonEnabled(True)
        self.filter_button = QToolButton()
        self.filter_button.setText("Filter")
        self.filter_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.filter_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.filter_menu = QMenu(self.filter_button)
        self.filter_menu.aboutToShow.connect(self.fill_filters)
        self.filter_button.setMenu(self.filter_menu)
        self.filtered = ElidedLabel()
        self.model = QueueModel(work, palette.codes, self)
        self.rows = QueueRows(palette)
        self.list = self._made_list()
        self.progress = ElidedLabel()
        self.bar = named(QProgressBar(textVisible=False), "Share decided")
        self.bar.setFixedHeight(_BAR_HEIGHT)
        self.caveats = ElidedLabel()
        self.caveats.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.outdated = QPushButton(flat=True)
        self._lay_out()
        self._connect()
        self._show_words()

    def take_focus(self) -> None:
        self.list.setFocus(Qt.FocusReason.TabFocusReason)

    def set_page_palette(self, palette: PagePalette) -> None:
        self.rows.set_page_palette(palette)
        self.list.viewport().update()

    # Inside

    def _made_list(self) -> SteadyList:
        view = SteadyList()
        view.setModel(self.model)
        view.setItemDelegate(self.rows)
        view.fit_letters()
        view.setEditTriggers(SteadyList.EditTrigger.NoEditTriggers)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setAccessibleName("Queue of disagreements")
        view.setProperty("sidebar", True)
        view.clicked.connect(self._open)
        # A key decides on what is highlighted: that is the current one.
        view.selectionModel().currentChanged.connect(lambda index, _: self._turn_to(index))
        return view

    def _lay_out(self) -> None:
        for side in (self.left, self.right):
            side.setMinimumContentsLength(_LETTERS)
            side.setSizeAdjustPolicy(DropDown.SizeAdjustPolicy.AdjustToContents)
            side.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        sides = FlowRow(self.left, self.right)
        words = plain_label("Whole category if score below")
        below = lined(None, words, self.below, wide=words, spacing=4)
        order = lined(None, self.order, self.filter_button, wide=self.order, spacing=4)
        above = (sides, below, order, self.search, self.filtered)
        foot = (self.progress, self.bar, self.caveats, self.outdated)
        column = stacked(self, *above, self.list, *foot, wide=self.list, margins=(8, 8, 0, 8), spacing=4)
        column.setAlignment(self.outdated, Qt.AlignmentFlag.AlignLeft)

    def _connect(self) -> None:
        work = self._work
        work.sides_listed.connect(self._list_sides)
        work.queue_changed.connect(self._show_words)
        work.states_changed.connect(lambda _: self._show_words())
        work.current_changed.connect(self._follow)
        for box in (self.left, self.right):
            box.activated.connect(lambda _: self._set_sides())
        self.below.valueChanged.connect(lambda _: self._set_order())
        self.order.activated.connect(lambda _: self._set_order())
        self.search.textChanged.connect(
            lambda words: self._filter(replace(work.filters, words=words.strip()))
        )

    def _list_sides(self) -> None:
        offer = self._work.offer_of_sides
        if offer is None:
            return
        entries = [
            (one.name, one.name, f"{one.name}: {counted(one.reports, 'report')} annotated")
            for one in offer.holders
        ]
        for box, chosen in ((self.left, self._work.left), (self.right, self._work.right)):
            with QSignalBlocker(box):
                box.fill(entries)
                box.setCurrentIndex(box.findData(chosen))
            box.setEnabled(len(offer.holders) > 1)

    def _set_sides(self) -> None:
        left, right = self.left.currentData(), self.right.currentData()
        if left == right:
            # Whoever is taken from the other side leaves that side to who was here.
            left, right = self._work.right, self._work.left
        self._work.set_sides(left or "", right or "")
        self._list_sides()

    def _set_order(self) -> None:
        order = next(one for one in ORDERS if one == self.order.currentData())
        self._work.set_order(self.below.value(), order)

    def _open(self, index: QModelIndex) -> None:
        queue_place, whole = self.model.line(index.row())
        self._work.go_to(queue_place, whole=whole)
        if self._work.busy:
            self._follow()

    def _turn_to(self, index: QModelIndex) -> None:
        current = self._work.current
        there = self.model.place(current, whole=self._work.whole) if current is not None else None
        if index.isValid() and index.row() != there and self.list.hasFocus():
            self._open(index)

    def _follow(self) -> None:
        current = self._work.current
        place = self.model.place(current, whole=self._work.whole) if current is not None else None
        if place is not None:
            self.list.setCurrentIndex(self.model.index(place, 0))
            # With what comes before and after it.
            for row in (place + 1, place - 1, place):
                self.list.scrollTo(self.model.index(row, 0))
        self.list.viewport().update()

    def _show_words(self) -> None:
        self._tell_filters()
        queue = self._work.queue
        for part in (self.below, self.order, self.search, self.filter_button, self.list):
            part.setEnabled(queue is not None)
        caveats = " ".join(caveats_on(queue)) if queue is not None else ""
        self.caveats.say(caveats)
        self.caveats.setVisible(bool(caveats))
        if queue is None:
            self.progress.say("")
            self.bar.setRange(0, 1)
            self.bar.setValue(0)
            self.outdated.hide()
            return
        self.progress.say(
            progress_words(self._work.counts["decided"], self._work.counts["asked"], len(queue.differences))
        )
        self.bar.setRange(0, max(len(queue.differences), 1))
        self.bar.setValue(self._work.counts["decided"])
        self.outdated.setText(outdated_words(queue))
        self.outdated.setVisible(bool(queue.outdated))

    # Filters

    def fill_filters(self) -> None:
        """Make the menu of filters anew, with ticks at what is chosen."""
        menu, now = self.filter_menu, self._work.filters
        menu.clear()
        kinds: tuple[ItemKind, ...] = ("pair", *KINDS)
        for kind in kinds:
            wanted = replace(now, kind=None if now.kind == kind else kind)
            self._add(menu, f"{SIGNS[kind]}  {SHORT[kind]}", wanted, now.kind == kind)
        menu.addSeparator()
        for state in STATES:
            wanted = replace(now, state=None if now.state == state else state)
            self._add(menu, STATE_WORDS[state].capitalize(), wanted, now.state == state)
        menu.addSeparator()
        below = menu.addMenu("Category")
        for category in self._scheme.categories:
            wanted = replace(now, category="" if now.category == category.id else category.id)
            self._add(below, f"{category.code}  {category.name}", wanted, now.category == category.id)
        menu.addSeparator()
        menu.addAction("Show everything", self._clear)

    def _add(self, menu: QMenu, words: str, wanted: Filters, chosen: bool) -> None:
        action = menu.addAction(caption(words), lambda: self._filter(wanted))
        action.setCheckable(True)
        action.setChecked(chosen)

    def _clear(self) -> None:
        with QSignalBlocker(self.search):
            self.search.clear()
        self._filter(Filters())

    def _filter(self, filters: Filters) -> None:
        self._work.set_filters(filters)
        self._follow()

    def _tell_filters(self) -> None:
        """What is shown, and how much of it."""
        filters, pieces = self._work.filters, []
        if filters.kind is not None:
            pieces.append(SHORT[filters.kind])
        if filters.state is not None:
            pieces.append(STATE_WORDS[filters.state])
        if filters.category:
            pieces.append(self._scheme.category(filters.category).name)
        shown = len(self._work.cursor.queue_places)
        parts = [", ".join(pieces), f"{shown:,} shown"]
        self.filtered.say(": ".join(filter(None, parts)))
        self.filtered.setVisible(filters != Filters())
