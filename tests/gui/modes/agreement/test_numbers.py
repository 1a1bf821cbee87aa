"""A table of numbers by itself: as large as what it shows needs, worked out once."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from app.gui.modes.agreement.numbers import FigureDelegate, Index, NumberRow, NumberTable
from app.operations.compare.view import Figure


class Counting(FigureDelegate):
    """Counts how often it is asked what a cell needs."""

    asked = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        self.asked += 1
        return super().sizeHint(option, index)


def _rows(text: str) -> list[NumberRow]:
    return [NumberRow(f"Row {row}", (Figure(text, "a sentence"),) * 3, total=row == 4) for row in range(5)]


def test_cells_are_measured_when_they_change_and_not_when_the_window_does_and_one_stays_chosen(
    qtbot: QtBot,
) -> None:
    cells = Counting()
    table = NumberTable("Numbers", lambda _row, _column: None, cells)
    qtbot.addWidget(table)
    table.numbers.show_rows([("A", "")] * 3, _rows("0.5"))
    with qtbot.waitExposed(table):
        table.show()
    asked, narrow = cells.asked, table.columnWidth(0)
    for width in range(300, 340):
        table.resize(width, 200)
        assert table.sizeHint().width() > 0
    table.numbers.show_rows([("A", "")] * 3, _rows("0.5"))
    QApplication.processEvents()
    assert cells.asked == asked
    table.resize(50, 200)
    table.setCurrentIndex(table.numbers.index(3, 1))
    table.numbers.show_rows([("A", "")] * 3, _rows("0.5 of very many"))
    assert cells.asked > asked
    assert table.columnWidth(0) > narrow
    assert (table.currentIndex().row(), table.currentIndex().column()) == (3, 1)
    high = table.rowHeight(0)
    assert high == table.rowHeight(4) == table.sizeHintForIndex(table.numbers.index(0, 1)).height()
    font = table.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    table.setFont(font)
    assert table.rowHeight(0) > high
