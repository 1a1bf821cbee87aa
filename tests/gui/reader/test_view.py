"""The reader as hands and eyes meet it: keys, mouse, pixels."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.reader.palette import page_palette
from app.gui.reader.spans import ShownSpan
from app.gui.reader.view import Reader
from extractors.scheme import default_scheme

NASTY = "Fever 😀 of 39\u00a0°C,\te\u0301tat 𝑨 grave.\nSecond line."
LONG = "\n".join("The patient had seizures and slowly progressive ataxia of gait. " * 4 for _ in range(60))
Open = Callable[..., Reader]


@pytest.fixture
def open_reader(qtbot: QtBot) -> Open:
    def open_reader(text: str, spans: list[ShownSpan] | None = None, dark: bool = False) -> Reader:
        reader = Reader(page_palette(default_scheme(), dark))
        qtbot.addWidget(reader)
        reader.resize(1000, 700)
        reader.load(text, (), spans or [])
        with qtbot.waitExposed(reader):
            reader.show()
        reader.setFocus()
        return reader

    return open_reader


def place_of(reader: Reader, units: int) -> QPoint:
    cursor = QTextCursor(reader.document())
    cursor.setPosition(units)
    return reader.cursorRect(cursor).center()


def picture(reader: Reader) -> QImage:
    """What stands on the screen, parts that were not painted again included."""
    QApplication.processEvents()
    port = reader.viewport()
    corner = port.mapTo(reader, QPoint(0, 0))
    screen = reader.screen().grabWindow(reader.winId(), corner.x(), corner.y(), port.width(), port.height())
    return screen.toImage()


def changed_box(one: QImage, other: QImage) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of what differs."""
    places = [
        (x, y)
        for y in range(one.height())
        for x in range(one.width())
        if one.pixel(x, y) != other.pixel(x, y)
    ]
    if not places:
        return None
    columns, rows = [x for x, _ in places], [y for _, y in places]
    return min(columns), min(rows), max(columns), max(rows)


def test_shift_arrows_select_code_points(open_reader: Open, qtbot: QtBot) -> None:
    reader = open_reader(NASTY)
    heard: list[tuple[int, int]] = []
    reader.selection_changed.connect(lambda start, end: heard.append((start, end)))
    for _ in range(8):
        QTest.keyClick(reader, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert reader.selection() == (0, 8) == heard[-1]
    assert NASTY[slice(*reader.selection())] == "Fever 😀 "


def test_a_combining_accent_is_selected_with_its_letter(open_reader: Open, qtbot: QtBot) -> None:
    reader = open_reader(NASTY)
    start = NASTY.index("e\u0301")
    reader.go_to(start)
    QTest.keyClick(reader, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert reader.selection() == (start, start + 2)


def test_a_drag_selects_code_points(open_reader: Open, qtbot: QtBot) -> None:
    reader = open_reader(NASTY)
    port = reader.viewport()
    start, end = NASTY.index("of"), NASTY.index("grave")
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=place_of(reader, start + 1))
    QTest.mouseMove(port, place_of(reader, end + 2))
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=place_of(reader, end + 2))
    assert reader.selection() == (start, end)


def test_selecting_says_where_the_caret_is(open_reader: Open, qtbot: QtBot) -> None:
    reader = open_reader(NASTY)
    with qtbot.waitSignal(reader.caret_moved) as moved:
        reader.select(6, 10)
    assert moved.args == [10]
    assert reader.selection() == (6, 10)
    assert reader.textCursor().selectedText() == "😀 of"


def test_what_is_copied_are_the_reports_own_characters(open_reader: Open) -> None:
    text = "one\u2028two\u00a0three\r😀"
    reader = open_reader(text)
    reader.select(0, len(text))
    assert reader.createMimeDataFromSelection().text() == text


def test_letters_are_left_to_the_window(open_reader: Open, qtbot: QtBot) -> None:
    reader = open_reader(NASTY)
    QTest.keyClicks(reader, "nev")
    assert reader.text() == NASTY
    assert reader.toPlainText().startswith("Fever")


def test_a_span_is_painted_where_it_is_and_nowhere_else(open_reader: Open) -> None:
    reader = open_reader(LONG)
    before = picture(reader)
    reader.add_span(ShownSpan("a", 12, 23, "Neuro"))
    box = changed_box(before, picture(reader))
    assert box is not None
    first, last = place_of(reader, 12), place_of(reader, 23)
    assert abs(box[0] - first.x()) <= 2
    assert abs(box[2] - last.x()) <= 2
    assert box[3] < place_of(reader, 90).y()
    tint = picture(reader).pixelColor(first.x() + 2, first.y() - 9)
    assert (tint.red(), tint.green(), tint.blue()) == page_palette(default_scheme(), False).tint(
        ["Neuro"], 0.2
    )


@pytest.mark.parametrize("percent", [80, 100, 250])
def test_removing_spans_leaves_no_trace_and_harms_no_other(open_reader: Open, percent: int) -> None:
    end = LONG.index("\n")
    reader = open_reader(LONG, [ShownSpan("kept", end - 60, end, "GI")])
    reader.set_text_size(percent)
    before = picture(reader)
    for number in range(12):
        reader.add_span(ShownSpan(str(number), end - 40 + number, end, "Neuro"))
        reader.add_span(ShownSpan(f"next{number}", end + 3 + number, end + 40, "Neuro"))
    reader.set_selected_span("3")
    picture(reader)
    for number in range(12):
        reader.remove_span(f"next{number}")
        QApplication.processEvents()
    for number in range(12):
        reader.remove_span(str(number))
        QApplication.processEvents()
    assert changed_box(before, picture(reader)) is None


@pytest.mark.parametrize("polarity", ["negated", "uncertain"])
def test_polarity_shows_in_the_line(open_reader: Open, polarity: str) -> None:
    span = ShownSpan("a", 12, 23, "Neuro")
    reader = open_reader(LONG, [span])
    before = picture(reader)
    reader.update_span(ShownSpan("a", 12, 23, "Neuro", "negated" if polarity == "negated" else "uncertain"))
    assert changed_box(before, picture(reader)) is not None


def test_adding_a_span_moves_no_text(open_reader: Open) -> None:
    reader = open_reader(LONG)
    reader.verticalScrollBar().setValue(400)
    places = [place_of(reader, unit) for unit in range(0, 3000, 100)]
    for number in range(30):
        reader.add_span(ShownSpan(str(number), 600 + number, 900, "GI"))
        QApplication.processEvents()
    assert reader.verticalScrollBar().value() == 400
    assert [place_of(reader, unit) for unit in range(0, 3000, 100)] == places


def test_text_size_and_width_keep_the_first_line(open_reader: Open) -> None:
    reader = open_reader(LONG)
    reader.verticalScrollBar().setValue(2000)
    first = reader.offset_at(QPoint(60, 2))
    for percent in (250, 80, 100):
        reader.set_text_size(percent)
        QApplication.processEvents()
        assert abs(reader.offset_at(QPoint(60, 2)) - first) < 160
    reader.resize(1600, 700)
    QApplication.processEvents()
    assert abs(reader.offset_at(QPoint(60, 2)) - first) < 160
    reader.set_text_size(900)
    assert reader.text_size() == 250


@pytest.mark.parametrize("width", [1000, 1280, 3840])
def test_a_line_holds_62_to_75_characters(open_reader: Open, width: int) -> None:
    reader = open_reader(LONG)
    reader.resize(width, 700)
    QApplication.processEvents()
    layout = reader.document().firstBlock().layout()
    lengths = [layout.lineAt(number).textLength() for number in range(layout.lineCount() - 1)]
    assert 62 <= sum(lengths) / len(lengths) <= 75


def test_a_click_activates_the_shortest_span_then_the_next(open_reader: Open, qtbot: QtBot) -> None:
    reader = open_reader(LONG, [ShownSpan("long", 0, 40, "GI"), ShownSpan("short", 12, 23, "Neuro")])
    for expected in ("short", "long", "short"):
        with qtbot.waitSignal(reader.span_activated) as activated:
            QTest.mouseClick(reader.viewport(), Qt.MouseButton.LeftButton, pos=place_of(reader, 15))
        assert activated.args == [expected]
        reader.set_selected_span(expected)


def test_spans_under_the_caret_include_the_one_it_ends(open_reader: Open) -> None:
    reader = open_reader(LONG, [ShownSpan("a", 4, 11, "GI"), ShownSpan("b", 0, 8, "Neuro")])
    reader.go_to(5)
    assert [span.id for span in reader.spans_under_caret()] == ["a", "b"]
    reader.go_to(11)
    assert [span.id for span in reader.spans_under_caret()] == ["a"]
    reader.go_to(0)
    assert [span.id for span in reader.spans_under_caret()] == ["b"]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "المريض 16 سنة years كان يعاني من حمى",
        "בן 16 עם fever גבוה",
        "患者は16歳の女性で、両側白内障。" * 9,
        "😀" * 300,
        "",
    ],
)
def test_any_script_is_painted(open_reader: Open, text: str, dark: bool) -> None:
    spans = [ShownSpan(str(n), n, min(n + 7, len(text)), "Neuro") for n in range(0, len(text), 3)]
    reader = open_reader(text, spans, dark)
    with_spans = picture(reader)
    reader.set_spans([])
    assert (changed_box(with_spans, picture(reader)) is None) == (not text)


def test_a_second_report_replaces_the_first(open_reader: Open) -> None:
    reader = open_reader(LONG, [ShownSpan("a", 0, 5, "GI")])
    reader.load(NASTY)
    picture(reader)
    assert reader.text() == NASTY
    assert reader.spans() == []
    assert reader.caret() == 0


def test_a_span_outside_the_text_is_refused(open_reader: Open) -> None:
    reader = open_reader("short")
    for span in (ShownSpan("a", 0, 6, "GI"), ShownSpan("a", 3, 3, "GI"), ShownSpan("a", -1, 3, "GI")):
        with pytest.raises(ValueError, match="outside a text of 5"):
            reader.add_span(span)
        with pytest.raises(ValueError, match="outside a text of 5"):
            reader.set_spans([span])


def test_it_tells_a_screen_reader_what_it_is(open_reader: Open) -> None:
    reader = open_reader("short", [ShownSpan("a", 0, 5, "GI")])
    assert reader.accessibleName() == "Report text"
    assert reader.accessibleDescription() == "5 characters, 1 span; read-only"
