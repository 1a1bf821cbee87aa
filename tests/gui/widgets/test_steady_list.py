"""A list of any number of rows: what is out of sight costs nothing, and keys lead through all of it."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.gui.widgets.boxes import stacked
from app.gui.widgets.lists import SteadyList

_MANY = 100_000
_NOWHERE = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


class Counting(QAbstractListModel):
    """Counts how often it is asked where a row is."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else _MANY

    def index(self, row: int, /, column: int | None = 0, parent: Index = _NOWHERE) -> QModelIndex:
        self.asked += 1
        return super().index(row, column or 0, parent)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return f"row {index.row()}" if role == Qt.ItemDataRole.DisplayRole else None


def _list(qtbot: QtBot, model: QAbstractListModel) -> SteadyList:
    view = SteadyList()
    qtbot.addWidget(view)
    view.setModel(model)
    view.fit_letters()
    view.resize(300, 400)
    view.show()
    qtbot.waitExposed(view)
    return view


def test_of_a_hundred_thousand_rows_those_in_sight_alone_are_asked_for(qtbot: QtBot) -> None:
    model = Counting()
    view = _list(qtbot, model)
    view.setCurrentIndex(model.index(_MANY // 2, 0))
    view.scrollTo(view.currentIndex())
    view.grab()
    assert view.visualRect(view.currentIndex()).intersects(view.viewport().rect())
    assert model.asked < 1_000


def test_home_and_end_lead_to_the_first_and_the_last_row(qtbot: QtBot) -> None:
    view = _list(qtbot, Counting())
    for key, row in ((Qt.Key.Key_End, _MANY - 1), (Qt.Key.Key_Home, 0)):
        QTest.keyClick(view, key)
        assert view.currentIndex().row() == row


def test_rows_grow_with_the_letters_and_the_column_with_the_list(qtbot: QtBot) -> None:
    view = _list(qtbot, Counting())
    height, font = view.rowHeight(0), view.font()
    font.setPointSizeF(2 * font.pointSizeF())
    view.setFont(font)
    assert view.rowHeight(0) > height
    view.resize(500, 400)
    qtbot.waitUntil(lambda: view.columnWidth(0) == view.viewport().width())


def test_the_current_row_is_not_painted_as_chosen_while_the_focus_is_elsewhere(qtbot: QtBot) -> None:
    view = _list(qtbot, Counting())
    view.clearFocus()
    view.setCurrentIndex(view.model().index(0, 0))
    row = view.visualRect(view.currentIndex())
    middle = view.viewport().grab(row).toImage().pixelColor(row.width() - 5, row.height() // 2)
    assert middle == view.viewport().grab().toImage().pixelColor(row.width() - 5, row.height() * 2 - 2)
    assert middle != view.palette().highlight().color()


def test_a_list_that_scrolls_ends_below_a_whole_row_and_grows_again_by_whole_rows(qtbot: QtBot) -> None:
    view, frame = SteadyList(), QWidget()
    view.setModel(Counting())
    view.fit_letters()
    stacked(frame, view)
    qtbot.addWidget(frame)
    frame.show()
    row = view.rowHeight(0)
    for height in (10 * row + 7, 6 * row + 5, 12 * row - 1):
        frame.resize(300, height)
        assert view.viewport().height() % row == 0
        assert height - row < view.height() <= height
    # Also where one of its first rows is higher.
    view.verticalHeader().resizeSection(4, 2 * row)
    for rows, whole in ((5, 4), (6, 6), (7, 7)):
        frame.resize(300, rows * row + row // 2)
        assert view.viewport().height() == whole * row
