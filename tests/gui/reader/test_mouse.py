"""The mouse in the reader: drags, clicks of every number, margins, hovering and menus."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.reader.mouse import Edges, nearest
from app.gui.reader.painting import Edge, LineSpan
from app.gui.reader.spans import ShownSpan
from app.gui.reader.view import Reader
from tests.gui.reader.looking import LONG, Open, changed_box, picture, place_of

TEXT = "She had fever (39.5 °C) today. No rash was seen; her spleen was large. All else was normal."
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture(autouse=True)
def patient_clicks() -> Iterator[None]:
    """A slow machine tells double from single clicks, too."""
    usual = QApplication.doubleClickInterval()
    QApplication.setDoubleClickInterval(60_000)
    yield
    QApplication.setDoubleClickInterval(usual)


def middle(reader: Reader, offset: int) -> QPoint:
    """The middle of the character at `offset`."""
    return reader.rect_of(offset, offset + 1).center()


def drag(reader: Reader, start: QPoint, end: QPoint) -> None:
    port = reader.viewport()
    QTest.mousePress(port, LEFT, pos=start)
    QTest.mouseMove(port, (start + end) / 2)
    QTest.mouseMove(port, end)
    QTest.mouseRelease(port, LEFT, pos=end)


def test_a_double_click_selects_a_word_and_a_third_the_sentence(open_reader: Open) -> None:
    reader = open_reader(TEXT, [ShownSpan("a", 8, 30, "GI")])
    place = middle(reader, TEXT.index("39.5") + 1)
    pressed: list[str] = []
    reader.span_activated.connect(pressed.append)
    QTest.mouseDClick(reader.viewport(), LEFT, pos=place)
    QTest.mouseRelease(reader.viewport(), LEFT, pos=place)
    assert pressed == [], "it is no click on what lies there"
    assert TEXT[slice(*reader.selection())] == "39.5"
    QTest.mouseClick(reader.viewport(), LEFT, pos=place)
    assert TEXT[slice(*reader.selection())] == "She had fever (39.5 °C) today."


def test_a_drag_after_a_double_click_goes_by_words(open_reader: Open) -> None:
    reader = open_reader(TEXT)
    port = reader.viewport()
    start, end = middle(reader, TEXT.index("rash") + 2), middle(reader, TEXT.index("spleen") + 1)
    QTest.mouseDClick(port, LEFT, pos=start)
    QTest.mousePress(port, LEFT, pos=start)
    QTest.mouseRelease(port, LEFT, pos=start)
    QTest.mouseDClick(port, LEFT, pos=start)
    QTest.mouseMove(port, end)
    assert TEXT[slice(*reader.selection())] == "rash was seen; her spleen"
    QTest.mouseMove(port, middle(reader, TEXT.index("today") + 1))
    assert TEXT[slice(*reader.selection())] == "today. No rash"
    QTest.mouseRelease(port, LEFT, pos=end)


def test_a_click_that_trembles_selects_nothing(open_reader: Open, qtbot: QtBot) -> None:
    reader = open_reader(TEXT, [ShownSpan("a", 8, 13, "GI")])
    port = reader.viewport()
    place = middle(reader, 10)
    stray = QPoint(QApplication.startDragDistance() - 1, 0)
    with qtbot.waitSignal(reader.span_activated):
        QTest.mousePress(port, LEFT, pos=place)
        QTest.mouseMove(port, place + stray)
        QTest.mouseRelease(port, LEFT, pos=place + stray)
    assert reader.selection()[0] == reader.selection()[1]


def test_a_drag_begins_in_the_margins(open_reader: Open) -> None:
    reader = open_reader(TEXT)
    line = middle(reader, 3)
    assert reader.viewport().width() >= reader.width() - 40
    drag(reader, QPoint(10, line.y()), middle(reader, TEXT.index("fever")))
    assert reader.selection()[0] == 0
    assert abs(reader.selection()[1] - TEXT.index("fever")) <= 1
    reader.go_to(0)
    drag(reader, QPoint(reader.viewport().width() - 5, line.y()), middle(reader, TEXT.index("rash")))
    assert reader.selection()[1] > TEXT.index("rash") + 4


def test_a_drag_from_within_a_selection_selects_anew(open_reader: Open) -> None:
    reader = open_reader(TEXT)
    reader.select(0, 40)
    drag(
        reader, reader.rect_of(8, 9).topLeft() + QPoint(1, 5), reader.rect_of(13, 14).topLeft() + QPoint(1, 5)
    )
    assert reader.selection() == (8, 13)


def test_shift_and_a_click_extend_the_selection(open_reader: Open) -> None:
    reader = open_reader(TEXT)
    reader.go_to(8)
    place = reader.rect_of(13, 14).topLeft() + QPoint(1, 5)
    QTest.mouseClick(reader.viewport(), LEFT, Qt.KeyboardModifier.ShiftModifier, place)
    assert reader.selection() == (8, 13)


def test_a_drag_beyond_the_page_scrolls_on(open_reader: Open, qtbot: QtBot) -> None:
    reader = open_reader(LONG)
    port = reader.viewport()
    QTest.mousePress(port, LEFT, pos=middle(reader, 5))
    QTest.mouseMove(port, QPoint(300, port.height() + 40))
    before = reader.selection()[1]
    qtbot.waitUntil(lambda: reader.verticalScrollBar().value() > 100)
    assert reader.selection()[1] > before
    QTest.mouseRelease(port, LEFT, pos=QPoint(300, port.height() + 40))
    there = reader.verticalScrollBar().value()
    QTest.mouseMove(port, QPoint(300, port.height() + 60))
    assert reader.verticalScrollBar().value() == there


def click_before(reader: Reader, offset: int) -> None:
    place = reader.rect_of(offset, offset + 1).topLeft() + QPoint(1, 5)
    QTest.mouseClick(reader.viewport(), LEFT, NONE, place)


def test_two_clicks_select_from_the_first_to_the_second_in_either_order(open_reader: Open) -> None:
    reader = open_reader(TEXT, [ShownSpan("a", 0, 20, "GI")])
    activated: list[str] = []
    reader.span_activated.connect(activated.append)
    reader.set_two_click(True)
    for first, second in ((8, 31), (31, 8)):
        reader.go_to(50)
        click_before(reader, first)
        assert reader.selection() == (first, first)
        click_before(reader, second)
        assert (reader.selection(), reader.caret()) == ((8, 31), 31)
    assert activated == []
    # In another text nothing has been begun.
    click_before(reader, 8)
    reader.load(TEXT)
    click_before(reader, 31)
    assert reader.selection() == (31, 31)
    # Nor is there once it has been turned off.
    for on in (False, True):
        reader.set_two_click(on)
    click_before(reader, 8)
    assert reader.selection() == (8, 8)


def test_the_start_of_two_clicks_is_seen_and_escape_gives_it_up(open_reader: Open, qtbot: QtBot) -> None:
    reader = open_reader(TEXT)
    reader.set_two_click(True)
    reader.go_to(8)
    before = picture(reader)
    click_before(reader, 8)
    box = changed_box(before, picture(reader))
    assert box is not None
    assert abs(box[0] - place_of(reader, 8).x()) <= 6
    action = QAction(reader)
    action.setShortcut("Esc")
    reader.addAction(action)
    with qtbot.assertNotEmitted(action.triggered):
        QTest.keyClick(reader, Qt.Key.Key_Escape)
    click_before(reader, 31)
    assert reader.selection() == (31, 31)
    click_before(reader, 8)
    with qtbot.waitSignal(action.triggered):
        QTest.keyClick(reader, Qt.Key.Key_Escape)


def test_a_resting_pointer_tells_the_spans_below_it(open_reader: Open, qtbot: QtBot) -> None:
    reader = open_reader(TEXT, [ShownSpan("long", 0, 20, "GI"), ShownSpan("short", 8, 13, "Neuro")])
    for place, expected in (
        (middle(reader, 12), ["short", "long"]),
        (middle(reader, 3), ["long"]),
        (middle(reader, 30), []),
        (QPoint(20, middle(reader, 3).y()), []),
        (QPoint(300, 500), []),
    ):
        screen = reader.viewport().mapToGlobal(place)
        with qtbot.waitSignal(reader.hovered) as hovered:
            QApplication.sendEvent(reader.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, screen))
        assert hovered.args == [expected, screen]


def test_a_right_click_asks_for_a_menu_and_keeps_the_selection(open_reader: Open, qtbot: QtBot) -> None:
    reader = open_reader(TEXT)
    reader.select(2, 9)
    place = middle(reader, 20) - QPoint(2, 0)
    QTest.mouseClick(reader.viewport(), Qt.MouseButton.RightButton, NONE, place)
    screen = reader.viewport().mapToGlobal(place)
    with qtbot.waitSignal(reader.context_requested) as asked:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, screen)
        QApplication.sendEvent(reader.viewport(), event)
    assert asked.args == [20, screen]
    assert reader.selection() == (2, 9)


def test_an_edge_is_dropped_where_it_was_moved_to_and_where_it_stood_nothing_happens(
    qapp: QApplication,
) -> None:
    span = ShownSpan("a", 4, 9, "GI")
    shown, dropped = list[tuple[str, int, int]](), list[tuple[str, int, int]]()
    edges = Edges(lambda _: (span, True), lambda *one: shown.append(one), qapp)
    edges.dropped.connect(lambda *one: dropped.append(one))
    edges.moved = lambda held, ends, offset: (held.start, offset) if offset > held.start else None
    for offsets in ((12, 2), (12, 9)):
        edges.hold((span, True))
        assert [edges.drag(offset) for offset in offsets] == [True, True]
        assert edges.let_go(drop=True)
    # Where nothing of it would be left, it stays as it was last.
    assert shown == [("a", 4, 12), ("a", 4, 12), ("a", 4, 9), ("a", 4, 12), ("a", 4, 9), ("a", 4, 9)]
    assert dropped == [("a", 4, 12)]


def test_of_edges_near_the_pointer_one_of_the_selected_span_is_taken() -> None:
    def mark(name: str, x: float) -> LineSpan:
        return LineSpan(ShownSpan(name, 0, 5, "GI"), 0, ((x, x + 50),), Edge(x, 1), Edge(x + 50, -1))

    marks = [mark("near", 10.0), mark("far", 8.0)]
    for selected, taken in ((None, "near"), ("far", "far")):
        found = nearest(marks, 10.0, selected)
        assert found is not None
        assert (found[0].id, found[1]) == (taken, False)
