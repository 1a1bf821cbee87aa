"""Tables as grids: every character in its place, selected, labelled, painted and copied like text."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.reader import motion, selectable
from app.gui.reader.grids import column_needs, column_widths
from app.gui.reader.spans import ShownSpan
from app.gui.reader.view import Reader
from extractors.text.tables import bare_cell, tables_in
from tests.gui.reader.looking import Open, changed_box, picture

TABLE = """Test | Day 1 | Day 3 | Normal
Haemoglobin 😀 | 7.4 | 8.1 (low, after two units of packed red cells and much rest) | 12–16
Liver
| 31 |  | < 40
e\u0301tat שלום a\u00a0|\u00a0b | P(A|B) | 𝑨"""
REPORT = f"She was seen.\n\nTable 1. Results.\n{TABLE}\nNormal ranges of the ward.\n\nShe went home."
PLAIN = "\n".join(f"Day {day} | {day} g/dl | 😀 |  | rising" for day in range(30))
LATER = "A line of prose that fills the page. " * 300


def cells(text: str) -> list[list[tuple[int, int]]]:
    return [[bare_cell(text, cell) for cell in row] for table in tables_in(text) for row in table.rows]


def press(
    reader: Reader, *keys: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    for key in keys:
        QTest.keyClick(reader, key, modifiers)


@pytest.mark.parametrize(
    "text",
    [REPORT, TABLE, f"{TABLE}\n", f"{TABLE}\n\n{TABLE}", f"Seen.\n{PLAIN}\n\n\n{LATER}\n\n{PLAIN}\nEnd."],
    ids=["among prose", "alone", "at the end", "two", "far down"],
)
def test_every_place_of_a_text_with_tables_is_the_same_place_on_the_page(
    open_reader: Open, qtbot: QtBot, text: str
) -> None:
    reader = open_reader(text)
    qtbot.waitUntil(lambda: len(frames(reader)) == len(tables_in(text)))
    for row in cells(text):
        lefts = [reader.rect_of(start, max(start + 1, end)).left() for start, end in row]
        assert lefts == sorted(set(lefts))
    for place in range(0, len(text) + 1, 1 if len(text) < 1000 else 37):
        reader.put_selection(place, place)
        assert reader.caret() == place
        if place < len(text) and text[place].isalnum() and text[place] < "\U00010000":
            assert reader.document().characterAt(reader.textCursor().position()) == text[place]


def frames(reader: Reader) -> list[object]:
    return list(reader.document().rootFrame().childFrames())


@pytest.mark.parametrize(("columns", "cell", "grids"), [(24, "7 g", 1), (25, "7 g", 0), (2, "7 שלום", 0)])
def test_a_table_of_too_many_columns_or_from_right_to_left_stays_lines_with_bars(
    open_reader: Open, columns: int, cell: str, grids: int
) -> None:
    text = "\n".join([" | ".join([cell] * columns)] * 3)
    assert len(tables_in(text)) == 1
    reader = open_reader(text)
    assert len(frames(reader)) == grids


def test_cells_stand_below_each_other_and_long_ones_go_over_lines(open_reader: Open) -> None:
    reader = open_reader(REPORT)
    rows = cells(REPORT)
    for column in range(3):
        lefts = {
            reader.rect_of(*row[column]).left()
            for row in rows
            if len(row) == 4 and row[column][0] < row[column][1]
        }
        assert len(lefts) == 1
    for row in rows:
        assert len({reader.rect_of(start, start + 1).top() for start, end in row if start < end}) == 1
    long, short = reader.rect_of(*rows[1][2]), reader.rect_of(*rows[1][1])
    assert long.height() > 1.5 * short.height()
    assert reader.rect_of(*rows[2][0]).top() > long.bottom()


def test_a_click_in_a_cell_is_a_place_in_that_cell(open_reader: Open, qtbot: QtBot) -> None:
    reader = open_reader(REPORT)
    for row in cells(REPORT):
        for start, end in row:
            if start < end:
                for inside in (reader.rect_of(start, end).center(), reader.rect_of(end - 1, end).center()):
                    QTest.mouseClick(reader.viewport(), Qt.MouseButton.LeftButton, pos=inside)
                    assert start <= reader.caret() <= end
    start, end = cells(REPORT)[1][2]
    place = reader.rect_of(start, start + 1).center()
    QTest.mouseDClick(reader.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert reader.selection() == (start, start + 3)
    QTest.mouseClick(reader.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert reader.selection() == (start, end)


def test_a_selection_goes_from_any_character_to_any_other(open_reader: Open) -> None:
    reader = open_reader(REPORT)
    heard: list[tuple[int, int]] = []
    reader.selection_changed.connect(lambda *selection: heard.append(selection))
    places = [0, *(start for row in cells(REPORT) for start, _ in row), len(REPORT)]
    for anchor in places[::3]:
        for caret in places:
            reader.put_selection(anchor, caret)
            assert (reader.anchor(), reader.caret()) == (anchor, caret)
            assert reader.selection() == (min(anchor, caret), max(anchor, caret))
            if anchor != caret:
                assert heard[-1] == reader.selection()
    reader.put_selection(places[2], places[9])
    QTest.keyClick(reader, Qt.Key.Key_Escape)
    assert reader.selection() == (places[9], places[9])


def test_keys_go_through_cells_and_select_across_them(open_reader: Open) -> None:
    reader = open_reader(REPORT)
    rows = cells(REPORT)
    reader.put_selection(rows[0][1][0], rows[0][1][0])
    press(reader, Qt.Key.Key_Down)
    assert rows[1][1][0] <= reader.caret() <= rows[1][1][1] + 2
    reader.put_selection(rows[1][0][0], rows[1][0][0])
    steps = rows[1][2][0] - rows[1][0][0]
    press(reader, *[Qt.Key.Key_Right] * steps, modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert reader.selection() == (rows[1][0][0], rows[1][2][0])
    press(reader, Qt.Key.Key_Left, modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert reader.selection() == (rows[1][0][0], rows[1][2][0] - 1)
    press(reader, Qt.Key.Key_Down)
    assert reader.selection()[0] == reader.selection()[1]
    press(reader, Qt.Key.Key_A, modifiers=Qt.KeyboardModifier.ControlModifier)
    assert reader.selection() == (0, len(REPORT))


def test_a_selection_widens_to_the_cell_then_the_row_then_the_table(open_reader: Open) -> None:
    start, end = cells(REPORT)[1][2]
    word = motion.widen(REPORT, (), start + 5, start + 5)
    assert REPORT[slice(*word)] == "low"
    assert motion.widen(REPORT, (), *word) == (start, end)
    row = motion.widen(REPORT, (), start, end)
    assert row == (REPORT.index("Haemoglobin"), REPORT.index("\nLiver"))
    table = motion.widen(REPORT, ((0, len(REPORT)),), *row)
    assert REPORT[slice(*table)] == TABLE
    assert motion.widen(REPORT, ((0, len(REPORT)),), *table) == (0, len(REPORT))


def test_bars_at_the_edges_of_a_selection_are_left_outside() -> None:
    row = "Hb | |x| | 7.4 | low"
    first, last = row.index("|"), row.rindex("|") + 1
    assert row[slice(*motion.snap(row, first, last))] == "|x| | 7.4"
    assert row[slice(*motion.snap(row, first - 1, row.index("x") + 2))] == "|x|"


def test_cells_are_copied_as_a_table_and_as_they_stand(open_reader: Open) -> None:
    reader = open_reader(REPORT)
    rows = cells(REPORT)
    reader.select(rows[0][0][0], rows[3][3][1])
    press(reader, Qt.Key.Key_C, modifiers=Qt.KeyboardModifier.ControlModifier)
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == REPORT[rows[0][0][0] : rows[3][3][1]]
    assert data.html().count("<tr>") == 4
    assert "<th>Day 1</th>" in data.html()
    assert "<td>&lt; 40</td>" in data.html()
    lines = bytes(data.data("text/tab-separated-values").data()).decode().split("\n")
    assert lines[0] == "Test\tDay 1\tDay 3\tNormal"
    assert lines[2:] == ["Liver\t\t\t", "\t31\t\t< 40"]
    # Only the first row of the table is one of headings, whatever is chosen of it.
    reader.select(rows[1][0][0], rows[2][0][1])
    reader.copy()
    assert "<th>" not in QGuiApplication.clipboard().mimeData().html()
    # Nor is there a row of which nothing is chosen.
    reader.select(rows[1][3][1], rows[3][3][1])
    reader.copy()
    assert QGuiApplication.clipboard().mimeData().html().count("<tr>") == 2
    reader.select(*rows[1][0])
    reader.copy()
    assert QGuiApplication.clipboard().mimeData().formats() == ["text/plain"]


def test_a_span_over_a_row_is_painted_in_each_cell_and_moves_nothing(open_reader: Open) -> None:
    reader = open_reader(REPORT)
    row = cells(REPORT)[1]
    before, places = picture(reader), [reader.rect_of(*cell) for row in cells(REPORT) for cell in row]
    for start, end in [(row[0][0], row[-1][1]), row[1]]:
        reader.add_span(ShownSpan(f"{start}-{end}", start, end, "Neuro"))
    after = picture(reader)
    changed = changed_box(before, after)
    assert changed is not None
    left, top, right, bottom = changed
    whole = reader.rect_of(row[0][0], row[-1][1])
    assert left <= whole.left() + 1
    assert right >= whole.right() - 1
    for start, _ in row:
        middle = reader.rect_of(start, start + 1).center() + QPoint(0, -7)
        assert before.pixelColor(middle) != after.pixelColor(middle)
    assert places == [reader.rect_of(*cell) for row in cells(REPORT) for cell in row]
    assert top < bottom


def test_the_lines_of_a_table_are_painted_each_time_whatever_was_painted_last(open_reader: Open) -> None:
    reader = open_reader("\n\n".join([LATER[:900], TABLE, *[LATER[:300]] * 9]))
    reader.turn_to(reader.text().index("Haemoglobin"))
    first = picture(reader)
    for painted in range(2):
        reader.viewport().update()
        assert changed_box(first, picture(reader)) is None, painted


def test_a_wide_table_stays_in_the_window_at_every_size(open_reader: Open) -> None:
    line = " | ".join(f"Haemoglobin{number}" for number in range(9))
    reader = open_reader(f"Seen.\n{line}\n{line}\n\nHome.")
    for width, percent in ((1000, 100), (700, 100), (700, 200), (1600, 150)):
        reader.resize(width, 700)
        reader.set_text_size(percent)
        right = max(reader.rect_of(*cell).right() for cell in cells(reader.text())[0])
        assert right <= reader.viewport().width()
        assert reader.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("key", [Qt.Key.Key_Home, Qt.Key.Key_Left, Qt.Key.Key_Down])
def test_nothing_stays_tinted_of_cells_that_are_no_longer_selected(open_reader: Open, key: Qt.Key) -> None:
    reader = open_reader(REPORT)
    first, *_, last = cells(REPORT)[1]
    reader.put_selection(first[0], last[1])
    picture(reader)
    told: list[tuple[int, int]] = []
    reader.selection_changed.connect(lambda *place: told.append(place))
    press(reader, key)
    assert told[-1:] == [(reader.caret(), reader.caret())]
    left = picture(reader)
    reader.viewport().update()
    assert changed_box(left, picture(reader)) is None


def test_words_of_a_wide_table_that_stand_in_the_margin_are_painted_again_alone(open_reader: Open) -> None:
    reader = open_reader("\n".join(" | ".join(["arthroplasty"] * 8) for _ in range(3)))
    last = reader.rect_of(*cells(reader.text())[1][-1])
    whole = picture(reader)
    reader.viewport().update(last.adjusted(last.width() - 4, 0, 0, 0))
    assert changed_box(whole, picture(reader)) is None


def test_a_table_of_very_many_columns_goes_on_below_and_one_from_right_to_left_runs_so(
    open_reader: Open,
) -> None:
    lines = "\n".join(" | ".join(f"{row}{column}.5" for column in range(38)) for row in range(1, 4))
    text = f"Seen.\n\n{lines}\n\nHome."
    reader = open_reader(text)
    reader.resize(600, 700)
    assert reader.horizontalScrollBar().maximum() == 0
    places = [reader.rect_of(*cell) for row in cells(text) for cell in row]
    assert max(place.right() for place in places) < reader.viewport().width()
    assert reader.document().rootFrame().childFrames() == []
    text = "טבלה\n\nבדיקה | יום 1 | יום 3\nטסיות | 41 | 120\n\nסוף"
    reader = open_reader(text)
    for row in cells(text):
        across = [reader.rect_of(*cell).center().x() for cell in row]
        assert across == sorted(across, reverse=True)


def test_tables_that_come_later_move_nothing_that_is_in_view(open_reader: Open, qtbot: QtBot) -> None:
    text = f"Seen.\n\n{LATER}\n\n{LATER}\n\n{PLAIN}\n\n{LATER}"
    reader = open_reader(text)
    qtbot.waitUntil(lambda: len(frames(reader)) == 1)
    reader.load(text)
    assert not frames(reader)
    place = len(text) - 200
    reader.turn_to(place)
    seen = reader.rect_of(place, place + 1)
    qtbot.waitUntil(lambda: len(frames(reader)) == 1)
    assert reader.rect_of(place, place + 1) == seen
    assert reader.caret() == place


def test_all_of_a_long_report_is_laid_out_though_its_tables_come_later(
    open_reader: Open, qtbot: QtBot
) -> None:
    text = "\n\n".join(["Seen.", *[f"{LATER}\n\n{PLAIN}"] * 6, *["Of what came later."] * 3000])
    reader = open_reader(text)
    qtbot.waitUntil(lambda: len(frames(reader)) == 6)
    qtbot.waitUntil(lambda: reader.document().lastBlock().layout().lineCount() > 0)
    block = reader.document().begin()
    while block.isValid():
        assert block.layout().lineCount() > 0
        block = block.next()


def test_captions_and_notes_are_smaller_and_their_labels_bold(open_reader: Open) -> None:
    reader = open_reader(REPORT + "\n\nFigure 2. The rash on day two.")

    def font(words: str) -> QFont:
        cursor = QTextCursor(reader.document())
        cursor.setPosition(reader._offsets.to_utf16(reader.text().index(words) + 1))
        return cursor.charFormat().font()

    prose = font("She was seen").pointSizeF()
    assert font("Table 1").bold()
    assert font("Figure 2").bold()
    assert not font("Results.").bold()
    assert all(font(w).pointSizeF() < prose for w in ("Results.", "Normal ranges", "The rash", "Liver"))


@pytest.mark.parametrize(
    ("width", "room", "expected"),
    [(100, 100, [30, 40]), (60, 60, [25, 35]), (30, 60, [20, 30]), (30, 30, [15, 15]), (30, 40, [20, 20])],
)
def test_columns_get_what_they_need_then_what_there_is(width: int, room: int, expected: list[int]) -> None:
    assert column_widths([(20, 20, 30), (30, 30, 40)], width, room) == pytest.approx(expected, abs=0.1)


def test_a_word_is_as_long_as_what_no_line_ends_in(qapp: QApplication) -> None:
    text = "Case | Of\n10-year | mg/kilogram\nA | Dupont–Rouzeyrol"
    (table,) = tables_in(text)
    (_, first, _), (below, second, _) = column_needs(text, table, font := QApplication.font(), bold=False)
    width = QFontMetricsF(font).horizontalAdvance
    assert (first, below) == (max(map(width, ("Case", "10-", "year"))) + 1, second)
    assert second == max(map(width, ("Dupont–", "Rouzeyrol", "kilogram"))) + 1


def test_where_not_all_words_fit_those_of_headings_go_over_lines_first() -> None:
    needs = [(50.0, 50.0, 80.0), (10.0, 60.0, 60.0), (20.0, 60.0, 60.0)]
    assert column_widths(needs, 110, 110) == pytest.approx([50, 30, 30], abs=0.1)
    assert column_widths(needs, 60, 60) == pytest.approx([20, 20, 20], abs=0.1)


def test_rows_follow_each_other_without_gaps_in_their_lines(open_reader: Open) -> None:
    reader = open_reader(REPORT)
    tops = [min(reader.rect_of(*cell).top() for cell in row if cell[0] < cell[1]) for row in cells(REPORT)]
    assert all(low < high for low, high in pairwise(tops))


def test_the_first_line_stays_where_larger_text_crowds_tables(open_reader: Open, qtbot: QtBot) -> None:
    line = " | ".join(f"Haemoglobin{number}" for number in range(5))
    table = "\n".join([line] * 12)
    text = "\n\n".join([LATER[:900], table, LATER[:900], table, "Here.", LATER[:900], table, table, table])
    reader = open_reader(text)
    qtbot.waitUntil(lambda: len(frames(reader)) == 5)
    place = text.index("Here.")
    reader.turn_to(place)
    bar = reader.verticalScrollBar()
    bar.setValue(bar.value() + reader.rect_of(place, place + 1).top())
    before = reader.rect_of(place, place + 1).top()
    for percent in range(110, 210, 10):
        reader.set_text_size(percent)
        assert abs(reader.rect_of(place, place + 1).top() - before) <= 2


def test_of_rows_and_words_beside_what_is_selected_nothing_is_copied() -> None:
    text = "a\tb | c\nd | e"
    places = ((0, 3), (6, 7)), ((8, 9), (12, 13))
    rows: Any = SimpleNamespace(rows=places, columns=2, headers=0, start=0, end=13)
    assert [number for number, _ in selectable._rows(rows, 0, 8)] == [0]
    assert selectable._words(text, rows, rows.rows[0], 0, 13) == ["a b", "c"]
    page = "".join(selectable._html(text, [rows], 0, 13))
    assert ("<th>" in page, page.count("<td>")) == (False, 4)
    assert "two" not in "".join(selectable._html("one\ntwo", [], 0, 3))
