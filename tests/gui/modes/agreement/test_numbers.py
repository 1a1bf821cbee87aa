"""A table of numbers by itself: as large as what it shows needs, worked out once."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from app.gui.modes.agreement.charts import _LEAST_TINT, _MOST_TINT, Matrix, tinted
from app.gui.modes.agreement.evidence import EvidencePanel
from app.gui.modes.agreement.numbers import (
    _PAD,
    COLOUR,
    MARKED,
    FigureDelegate,
    NumberModel,
    NumberRow,
    NumberTable,
    _draw_bar,
)
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS
from app.gui.widgets.lists import Index
from app.operations.compare.view import Evidence, EvidenceRow, Figure


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
    # More than a blank parts numbers that stand beside each other.
    cell, words = table.numbers.index(0, 1), table.fontMetrics().horizontalAdvance
    assert table.sizeHintForIndex(cell).width() - words(str(cell.data())) >= words("  ") > 8


def test_bars_of_people_whose_names_differ_in_length_are_drawn_to_one_scale(qtbot: QtBot) -> None:
    table = NumberTable("Shares", lambda _row, _column: None, letters=28)
    qtbot.addWidget(table)
    table.numbers.show_rows([("Ana", ""), ("Ben of a long name", ""), ("Cai " * 40, "")], _rows("0.5"))
    table.resize(2000, 300)
    widths = {table.columnWidth(column) for column in range(3)}
    assert len(widths) == 1
    assert widths.pop() < 30 * table.fontMetrics().horizontalAdvance("x")


def drawn(figure: Figure) -> list[str]:
    """The rows of what stands at the foot of a cell of 108 pixels: its bar, ink, or nothing."""
    image = QImage(108, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    _draw_bar(painter, QRectF(0, 0, 108, 40), figure, (QColor("red"), QColor("black")), 10)
    painter.end()
    names = {QColor("white").rgb(): " ", QColor("red").rgb(): "#", QColor("black").rgb(): "|"}
    return ["".join(names.get(image.pixel(x, y), "?") for x in range(108)) for y in range(40)]


def test_a_bar_is_as_long_as_its_share_with_its_interval_and_what_it_is_compared_with() -> None:
    plain = Figure("0.5", "", 0.5)
    rows = drawn(plain)
    assert [y for y, row in enumerate(rows) if row.strip()] == list(range(27, 37))
    assert {row for row in rows if row.strip()} == {" " * 4 + "#" * 50 + " " * 54}
    hollow = drawn(replace(plain, error=True))
    assert [hollow[y][4:54].strip("#") for y in (27, 32, 36)] == ["", " " * 48, ""]
    assert drawn(replace(plain, share=0.0))[30].strip() == "#"
    assert drawn(replace(plain, low=0.2)) == drawn(replace(plain, high=0.8)) == rows
    between = drawn(replace(plain, low=0.2, high=0.8))
    assert [at for at in range(108) if between[29][at] == "|"] == [24, 84]
    assert between[32][24:85] == "|" * 61
    line = drawn(replace(plain, line=0.75))
    assert {at for row in line for at in range(108) if row[at] == "|"} <= {78, 79}
    assert any("|" in row for row in line)


def test_a_cell_says_itself_and_one_that_says_nothing_is_passed_over(qapp: QApplication) -> None:
    model, role = NumberModel(), Qt.ItemDataRole
    said, empty = Figure("1", "One."), Figure("", "")
    red = QColor("red")
    model.show_rows(
        [("A", "First"), ("B", "")],
        [NumberRow("Row", (said, empty), red, marked=1), NumberRow("All", (said, said), total=True)],
    )
    first, second, total = model.index(0, 0), model.index(0, 1), model.index(1, 0)
    assert [model.flags(one) == Qt.ItemFlag.NoItemFlags for one in (first, second, total)] == [
        False,
        True,
        False,
    ]
    assert [model.data(one, MARKED) for one in (first, second, total)] == [False, True, False]
    assert [model.data(one, COLOUR) for one in (first, total)] == [red, None]
    assert [model.data(first, one) for one in (role.DisplayRole, role.AccessibleTextRole)] == ["1", "One."]
    fonts = [model.data(one, role.FontRole) for one in (first, total)]
    assert fonts[0] is None
    assert isinstance(fonts[1], QFont)
    assert fonts[1].bold()
    heads = [
        model.headerData(at, way)
        for way, at in ((Qt.Orientation.Vertical, 1), (Qt.Orientation.Horizontal, 0))
    ]
    assert heads == ["All", "A"]
    assert model.headerData(0, Qt.Orientation.Horizontal, role.AccessibleDescriptionRole) == "First"
    assert model.headerData(0, Qt.Orientation.Vertical, role.FontRole) is None
    resets: list[None] = []
    model.modelReset.connect(lambda: resets.append(None))
    for headings, rows in (
        ([("A", "")], model.rows),
        ([("A", "")], model.rows[:1]),
        ([("B", "")], model.rows),
    ):
        model.show_rows(headings, rows)
    assert len(resets) == 3
    model.show_rows(model.headings, [replace(model.rows[0], label="Another"), model.rows[1]])
    assert (len(resets), model.headerData(0, Qt.Orientation.Vertical)) == (3, "Another")


def test_the_label_of_a_total_alone_has_room_for_bold_letters(qtbot: QtBot) -> None:
    table = NumberTable("Numbers", lambda row, column: None)
    qtbot.addWidget(table)
    table.numbers.show_rows([("A", "")], [NumberRow("omission", (Figure("1", "One."),), total=True)])
    font = table.numbers.headerData(0, Qt.Orientation.Vertical, Qt.ItemDataRole.FontRole)
    assert isinstance(font, QFont)
    # As much is left free at both sides.
    room = table.verticalHeader().sizeHint().width() - 2 * _PAD
    assert room >= QFontMetrics(font).horizontalAdvance("omission")


def test_a_bar_has_the_colour_of_its_row_and_a_chosen_cell_with_the_focus_that_of_its_words(
    qtbot: QtBot,
) -> None:
    opened: list[tuple[int, int]] = []
    table = NumberTable("Numbers", lambda row, column: opened.append((row, column)))
    qtbot.addWidget(table)
    red = QColor("red")
    cells = (Figure("1", "One.", 1.0), Figure("2", "Two.", 1.0))
    table.numbers.show_rows([("A", ""), ("B", "")], [NumberRow("Row", cells, red)])
    table.resize(table.sizeHint())
    table.show()
    table.setCurrentIndex(table.numbers.index(0, 1))

    def bars() -> list[QColor]:
        picture = table.viewport().grab().toImage()
        rooms = [table.visualRect(table.numbers.index(0, column)) for column in (0, 1)]
        return [picture.pixelColor(room.center().x(), room.bottom() - 4) for room in rooms]

    table.clearFocus()
    assert bars() == [red, red]
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    assert bars() == [red, table.palette().highlightedText().color()]
    QTest.keyClick(table, Qt.Key.Key_Return)
    QTest.keyClick(table, Qt.Key.Key_X)
    assert opened == [(0, 1)]


def test_what_was_not_measured_has_no_tint_and_what_is_nothing_has_the_least(qtbot: QtBot) -> None:
    table = Matrix("Numbers", lambda row, column: None, "100 %")
    qtbot.addWidget(table)
    cells = tuple(Figure("–", "A sentence.", share) for share in (None, 0.0, 1.0))
    table.numbers.show_rows([("A", "")] * 3, [NumberRow("Row", cells)])
    table.resize(table.sizeHint())
    picture = table.viewport().grab().toImage()
    rooms = [table.visualRect(table.numbers.index(0, column)) for column in range(3)]
    tints = [tinted(table.palette(), strength)[0] for strength in (0, _LEAST_TINT, _MOST_TINT)]
    assert [picture.pixelColor(room.left() + _PAD, room.top() + _PAD) for room in rooms] == tints


def test_behind_a_number_others_quotes_wait_until_they_are_asked_for(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    actions = Actions(window)
    actions.add(COMMANDS)
    panel = EvidencePanel(actions)
    qtbot.addWidget(panel)
    asked: list[str] = []
    panel.quotes_wanted.connect(lambda: asked.append(panel.current().key))  # type: ignore[union-attr]
    key = actions.key("agreement.quotes")
    assert panel.with_quotes.text() == f"Show unseen quotes ({key})"
    assert (panel.others(), panel.to_review(), panel.current()) == ((), "", None)
    rows = tuple(EvidenceRow(key, "A\ncase", "0.5", 1, 2, ()) for key in ("PMC1", "PMC2"))
    evidence = Evidence("ana", "ben", "What it is.", "F1", "GI", rows)
    for annotator, others, review, opens in (
        ("ana", ("ben",), "ben", "Open in Review"),
        ("ben", ("ana",), "ana", "Open in Review"),
        ("cai", ("ana", "ben"), "", "Open the report"),
    ):
        panel.show_evidence(evidence, annotator, "PMC2")
        assert (panel.others(), panel.to_review(), panel.open_button.text()) == (others, review, opens)
        assert asked[-1] == "PMC2"
    index = panel.list.reports.index(1, 2)
    assert index.data() == "PMC2\nA case"
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "PMC2, A\ncase: F1 0.5, 1 quote left, 2 right"
    panel.show_quotes("PMC1", seen=True)
    assert panel.quotes.toPlainText() == "", "another is chosen"
    panel.show_quotes("PMC2", seen=False)
    assert panel.quotes.toPlainText().startswith("You have not seen yet what ana and ben marked in PMC2.")
    panel.show_quotes("PMC2", seen=True)
    assert panel.quotes.toPlainText() == "Neither side has anything here."
    panel.with_quotes.setChecked(True)
    assert (asked[-1], panel.quotes.toPlainText()) == ("PMC2", "")
    panel.show_quotes("PMC2", seen=False)
    assert panel.quotes.toPlainText() == ""
    # One's own against oneself is asked for by nobody.
    before = len(asked)
    panel.show_evidence(replace(evidence, right="ana"), "ana", "gone")
    assert (panel.others(), panel.to_review(), len(asked)) == ((), "", before)
    assert (panel.list.currentIndex().row(), panel.quotes.toPlainText()) == (
        0,
        "Neither side has anything here.",
    )
    panel.show_evidence(replace(evidence, rows=()), "ana")
    assert panel.quotes.toPlainText() == "There is no report behind this number."
    assert not panel.open_button.isEnabled()
