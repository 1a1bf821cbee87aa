"""The reader as hands and eyes meet it: keys, mouse, pixels."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.reader.spans import ShownSpan
from app.gui.reader.view import Reader
from app.gui.widgets.tips import announce
from app.palette import page_palette
from extractors.model.scheme import default_scheme
from tests.gui.reader.looking import LONG, NASTY, Open, changed_box, picture, place_of


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


def test_nothing_that_is_marked_moves_the_text(open_reader: Open) -> None:
    reader = open_reader(LONG)
    reader.verticalScrollBar().setValue(400)

    def assert_still() -> None:
        QApplication.processEvents()
        assert reader.verticalScrollBar().value() == 400
        assert [place_of(reader, unit) for unit in range(0, 3000, 100)] == places

    places = [place_of(reader, unit) for unit in range(0, 3000, 100)]
    for number in range(30):
        reader.add_span(ShownSpan(str(number), 1500 + number, 1900, "GI", mine=number % 2 == 0))
        assert_still()
    reader.set_selected_span("3")
    assert_still()
    reader.set_marks([(1500, 1510), (1700, 1710)], 1)
    assert_still()
    reader.select(1550, 1700)
    assert_still()
    reader.go_to(1750)
    assert_still()
    reader.set_two_click(True)
    QTest.mouseClick(reader.viewport(), Qt.MouseButton.LeftButton, pos=place_of(reader, 1650))
    assert_still()
    reader.remove_span("3")
    assert_still()


@pytest.mark.parametrize("percent", [80, 250])
@pytest.mark.parametrize("width", [500, 1000, 1900])
def test_the_text_is_never_wider_than_the_page(open_reader: Open, width: int, percent: int) -> None:
    reader = open_reader("x" * 900 + "\n" + LONG)
    reader.resize(width, 700)
    reader.set_text_size(percent)
    QApplication.processEvents()
    page = reader.rect_of(0, 900)
    assert page.left() >= 56
    assert page.right() <= reader.viewport().width() - 56
    assert reader.horizontalScrollBar().maximum() == 0


def test_a_report_loaded_before_the_first_show_stands_where_it_stands_after(qtbot: QtBot) -> None:
    reader = Reader(page_palette(default_scheme(), False))
    qtbot.addWidget(reader)
    reader.resize(1200, 600)
    reader.load(LONG)
    before = reader.rect_of(0, 300)
    with qtbot.waitExposed(reader):
        reader.show()
    assert reader.rect_of(0, 300) == before
    assert abs(before.center().x() - reader.viewport().width() / 2) <= 20


def test_a_range_has_its_rectangle(open_reader: Open) -> None:
    reader = open_reader(NASTY)
    one, two = reader.rect_of(0, 5), reader.rect_of(NASTY.index("Second"), len(NASTY))
    assert one.contains(place_of(reader, 2))
    assert one.right() <= place_of(reader, 6).x() + 1
    assert two.top() >= one.bottom() - 1
    assert reader.rect_of(0, len(NASTY)) == one.united(two).united(reader.rect_of(5, NASTY.index("\n")))
    assert reader.rect_of(6, 6).height() > 8


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("\u05d1\u05df 16 \u05e2\u05dd fever \u05d2\u05d1\u05d5\u05d4", "fever"),
        ("abc \u05e9\u05dc\u05d5\u05dd def", "\u05e9\u05dc\u05d5\u05dd"),
    ],
)
def test_a_word_in_text_of_the_other_direction_is_marked_as_a_whole(
    open_reader: Open, text: str, word: str
) -> None:
    reader = open_reader(text)
    start = text.index(word)
    whole = reader.rect_of(start, start + len(word))
    letters = [reader.rect_of(start + n, start + n + 1) for n in range(len(word))]
    assert all(letter.width() > 2 for letter in letters)
    assert whole.width() <= sum(letter.width() for letter in letters)
    assert not any(
        whole.contains(reader.rect_of(n, n + 1))
        for n in (*range(start), *range(start + len(word), len(text)))
    )


def test_somebody_elses_span_differs_in_more_than_colour(open_reader: Open) -> None:
    reader = open_reader(LONG, [ShownSpan("a", 12, 23, "Neuro")])
    tint = page_palette(default_scheme(), False).tint(["Neuro"], 0.2)
    inside = place_of(reader, 12) + QPoint(2, -9)
    assert picture(reader).pixelColor(inside).rgb() == QColor(*tint).rgb()
    # One that steps back gives no colour where another lies over it.
    reader.add_span(ShownSpan("b", 12, 23, "GI", dimmed=True))
    assert picture(reader).pixelColor(inside).rgb() == QColor(*tint).rgb()
    reader.remove_span("b")
    mine = picture(reader)
    reader.update_span(ShownSpan("a", 12, 23, "Neuro", mine=False))
    assert picture(reader).pixelColor(inside).rgb() == QColor(255, 255, 255).rgb()
    grey = QImage.Format.Format_Grayscale8
    assert changed_box(mine.convertToFormat(grey), picture(reader).convertToFormat(grey)) is not None


def test_a_word_that_begins_a_line_has_no_part_in_the_line_before(open_reader: Open) -> None:
    reader = open_reader(LONG)
    start = reader.document().begin().layout().lineAt(1).textStart()
    assert reader.rect_of(start, start + 3).height() < 1.5 * reader.rect_of(start + 1, start + 3).height()


def test_a_settled_span_has_no_lane_and_no_code_and_leaves_but_a_pale_line(
    open_reader: Open,
) -> None:
    own, theirs = ShownSpan("a", 12, 60, "Neuro"), ShownSpan("b", 20, 50, "GI", mine=False)
    reader = open_reader(LONG, [own])
    alone = picture(reader)
    reader.add_span(theirs._replace(settled=True))
    # Below an own span its line is hidden, too.
    assert changed_box(alone, picture(reader)) is None
    reader.update_span(theirs)
    assert changed_box(alone, picture(reader)) is not None
    reader.remove_span("a")
    open_line = picture(reader)
    reader.update_span(theirs._replace(settled=True))
    pale = picture(reader)
    with_code = changed_box(open_line, pale)
    # While it is selected its code is there, below its line.
    reader.set_selected_span("b")
    chosen = picture(reader)
    reader.update_span(theirs)
    without_code = changed_box(chosen, picture(reader))
    assert with_code is not None
    assert without_code is not None
    assert without_code[3] < with_code[3]
    reader.remove_span("b")
    assert changed_box(pale, picture(reader)) is not None


@pytest.mark.parametrize("dark", [False, True])
def test_a_selection_covers_no_underline(open_reader: Open, dark: bool) -> None:
    reader = open_reader(LONG, [ShownSpan("a", 12, 60, "Neuro")], dark)
    palette = page_palette(default_scheme(), dark)
    line = QColor(*palette.colours["Neuro"]).rgb()
    box = reader.rect_of(20, 50)

    def underlined() -> int:
        seen = picture(reader)
        return sum(
            seen.pixelColor(x, y).rgb() == line
            for x in range(box.left(), box.right())
            for y in range(box.top(), box.bottom() + 10)
        )

    before = picture(reader), underlined()
    reader.select(16, 55)
    assert underlined() == before[1] > box.width()
    assert changed_box(before[0], picture(reader)) is not None


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        "\u05d1\u05df 16 \u05e2\u05dd fever \u05d2\u05d1\u05d5\u05d4 and more words than a line can hold. "
        * 3,
    ],
)
def test_a_selection_that_changes_leaves_no_trace(open_reader: Open, text: str) -> None:
    reader = open_reader(text)
    for anchor, caret in [(3, 90), (3, 12), (3, 10), (14, 6), (14, 130), (20, 20), (0, 100), (60, 100)]:
        reader.put_selection(anchor, caret)
        seen = picture(reader)
        reader.viewport().update()
        assert changed_box(seen, picture(reader)) is None


def test_found_places_are_framed_and_the_current_one_stronger(open_reader: Open) -> None:
    reader = open_reader(LONG)
    plain = picture(reader)
    reader.set_marks([(12, 23), (30, 36)])
    both = picture(reader)
    box = changed_box(plain, both)
    assert box is not None
    assert abs(box[0] - place_of(reader, 12).x()) <= 3
    assert abs(box[2] - place_of(reader, 36).x()) <= 3
    reader.set_marks([(12, 23), (30, 36)], 1)
    box = changed_box(both, picture(reader))
    assert box is not None
    assert abs(box[0] - place_of(reader, 30).x()) <= 3
    reader.set_marks([])
    assert changed_box(plain, picture(reader)) is None
    reader.set_marks([(12, 23)])
    reader.load(LONG)
    assert changed_box(plain, picture(reader)) is None


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
        "ผู้ป่วยหญิงอายุ 16 ปี มีไข้สูง" * 9,
        "one\r\ntwo\tthree\u00a0four",
        "x" * 3000,
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
        with pytest.raises(ValueError, match="outside a text of 5"):
            reader.set_marks([(span.start, span.end)])


def test_it_tells_a_screen_reader_what_it_is(open_reader: Open) -> None:
    reader = open_reader("short", [ShownSpan("a", 0, 5, "GI")])
    assert reader.accessibleName() == "Report text"
    assert reader.accessibleDescription() == "5 characters, 1 span; read-only"


@pytest.mark.parametrize(("percent", "width"), [(80, 400), (200, 420), (250, 500)])
def test_a_margin_too_narrow_for_all_codes_shows_the_first_and_counts_the_others(
    open_reader: Open, percent: int, width: int
) -> None:
    names = ("Neuro", "GI", "CVS", "GU", "RESP")
    spans = [ShownSpan(name, 4, 20 - number, name) for number, name in enumerate(names)]
    reader = open_reader(LONG)
    reader.set_text_size(percent)
    reader.resize(width, 700)
    palette = page_palette(default_scheme(), False)
    margin = QRect(0, 0, reader.rect_of(0, 1).left() - 1, reader.rect_of(LONG.index("ataxia"), 64).top())
    for count in (2, 5):
        reader.set_spans(spans[:count])
        seen = picture(reader).copy(margin)
        colours = {seen.pixel(x, y) for x in range(seen.width()) for y in range(seen.height())}
        assert QColor(*palette.lettering("Neuro")).rgb() in colours
    assert QColor(*palette.quiet).rgb() in colours


@pytest.mark.parametrize("active", [False, True])
def test_what_is_announced_moves_nothing(open_reader: Open, active: bool) -> None:
    reader = open_reader(LONG)
    reader.select(4, 11)
    QAccessible.setActive(active)
    try:
        announce(reader, "Neuro: patient")
        QApplication.processEvents()
    finally:
        QAccessible.setActive(False)
    assert reader.selection() == (4, 11)
    assert reader.hasFocus()


def test_a_caret_in_view_stays_in_view_when_the_reader_shrinks(open_reader: Open) -> None:
    reader = open_reader(LONG)
    reader.go_to(reader.offset_at(QPoint(300, 650)))
    reader.resize(1000, 300)
    QApplication.processEvents()
    assert reader.viewport().rect().contains(reader.cursorRect())
    reader.verticalScrollBar().setValue(3000)
    reader.resize(1000, 250)
    QApplication.processEvents()
    assert abs(reader.verticalScrollBar().value() - 3000) <= 2


def test_a_place_out_of_view_comes_with_room_around_it_and_one_in_view_moves_nothing(
    open_reader: Open,
) -> None:
    reader = open_reader("\n".join(f"Line {number} of the report." for number in range(200)))
    bar = reader.verticalScrollBar()
    target = reader.text().index("Line 150")
    reader.go_to(target)
    line = reader.cursorRect().height()
    assert reader.cursorRect().bottom() + line < reader.viewport().height()
    before = bar.value()
    reader.go_to(reader.text().index("Line 149"))
    assert bar.value() == before
    reader.go_to(reader.text().index("Line 20 "))
    assert reader.cursorRect().top() >= line


def test_between_two_paragraphs_nothing_out_of_view_is_laid_out(qtbot: QtBot) -> None:
    reader = Reader(page_palette(default_scheme(), dark=False))
    qtbot.addWidget(reader)
    reader.resize(1000, 700)
    reader.load("A short paragraph.\n" * 3000)
    reader.verticalScrollBar().setValue(200)
    for y in range(40):
        reader.offset_at(QPoint(300, y))
    assert reader.document().lastBlock().layout().lineCount() == 0
