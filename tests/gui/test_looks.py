"""Every screen at the sizes of windows: nothing clipped, text in its measure, room where it is wanted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QScrollArea,
    QSplitter,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.gui.dialogs.forms import question_box
from app.gui.modes.mode import ModeId
from app.gui.modes.reconcile.mode import ReconcileMode
from app.gui.modes.review.mode import ReviewMode
from app.gui.shell.look.preferences import Preferences
from app.gui.shell.look.theme import apply_theme, interface_font
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from app.gui.widgets.flow import shared_height
from app.gui.widgets.plain import ElidedButton, ElidedLabel
from app.gui.widgets.tips import with_key
from app.gui.widgets.upright import UprightButton
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.annotate.reviews import set_review
from app.store.project import Project
from app.store.reports.documents import documents
from extractors.model.finding import Finding
from tests.builders import ME, Kept, sample_reports
from tests.gui.conftest import look_put_back, put_away
from tests.verbs import press, settle

SIZES = [(1280, 720), (1366, 768), (2560, 1440)]
MODES: tuple[ModeId, ...] = ("annotate", "review", "reconcile")
Show = Callable[..., Workbench]
_WORDS = re.compile(r"\w+ \w+ \w+")


def _differing(path: Path) -> None:
    """The sample reports, in which two have marked something, and one of them one word more."""
    sample_reports(path)
    with Project.open(path, write=True) as opened, begin_act(opened, "add", ME) as act:
        for number, name in enumerate((ME, "Dr Ben Okafor")):
            holder = ensure_annotator(act, name, "person").uuid
            for one in documents(opened):
                places = [found.span() for found in list(_WORDS.finditer(one.document.text))[10:30]]
                found = [
                    Finding("RESP", one.document.text[start : end - 4 * number], start, end - 4 * number)
                    for start, end in places
                ]
                add_annotations(act, one.uuid, holder, found, "human")
                set_review(act, one.uuid, holder, state="done", looked_at=opened.scheme.ids)


@pytest.fixture(scope="module")
def windows(qapp: QApplication) -> Iterator[dict[int, MainWindow]]:
    """The window that stands, by its size in percent: nobody's first, for it is only looked at."""
    windows: dict[int, MainWindow] = {}
    with look_put_back(qapp):
        yield windows
        for window in windows.values():
            put_away(window)


@pytest.fixture(autouse=True)
def own_look(windows: dict[int, MainWindow]) -> None:
    """The window that stands keeps its look from one test to the next."""


@pytest.fixture
def show(
    qtbot: QtBot, kept: Kept, tmp_path: Path, windows: dict[int, MainWindow], qapp: QApplication
) -> Show:
    """Shows a project in a window of a size and goes to a mode; `anew` in a window of its own."""

    def shown(
        width: int, height: int, mode: ModeId = "annotate", percent: int = 100, *, anew: bool = False
    ) -> Workbench:
        if anew or percent not in windows:
            for key in list(windows):
                put_away(windows.pop(key))
        if percent not in windows:
            # As the program does: what is made before would keep the size of the window that stood there.
            qapp.setFont(interface_font(percent))
        window = windows.get(percent) or MainWindow(_preferences(percent))
        apply_theme(qapp, "light", percent, window)
        window.resize(width, height)
        if percent not in windows:
            windows[percent] = window
            with qtbot.waitExposed(window):
                window.show()
            window.open_project(kept.copy(_differing, tmp_path / "study.casespan"))
        window.activateWindow()
        qtbot.waitUntil(lambda: window.workbench is not None and window.workbench.reader.text() != "")
        bench = window.workbench
        assert bench is not None
        bench.frame.open_mode(mode)
        _settle(bench, qtbot)
        made = bench.frame.mode
        if isinstance(made, ReconcileMode):
            qtbot.waitUntil(lambda: made.work.queue is not None or bool(made.work.unseen))
            made.work.show_queue()
            qtbot.waitUntil(lambda: made.work.current is not None)
        _settle(bench, qtbot)
        return bench

    return shown


def _preferences(percent: int) -> Preferences:
    preferences = Preferences()
    preferences.annotator = ME
    preferences.text_size = percent
    return preferences


def _settle(bench: Workbench, qtbot: QtBot) -> None:
    settle(bench.session.worker, qtbot, 3)
    QApplication.processEvents()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", SIZES)
def test_no_words_are_clipped_in_any_mode(show: Show, size: tuple[int, int], mode: ModeId) -> None:
    bench = show(*size, mode)
    clipped = [
        (type(part).__name__, part.property("text"), part.geometry(), part.sizeHint())
        for part in bench.findChildren(QWidget)
        if isinstance(part, (QLabel, QAbstractButton)) and part.isVisible() and _is_clipped(part)
    ]
    assert clipped == []


def _is_clipped(part: QLabel | QAbstractButton) -> bool:
    """Whether it has less room than its words need, but for those that are cut with a sign."""
    if isinstance(part, (ElidedLabel, ElidedButton)) or not part.property("text"):
        return False
    if isinstance(part, QLabel) and part.wordWrap():
        return part.height() < part.heightForWidth(part.width())
    least = part.sizeHint()
    small = part.width() < least.width() or part.height() < least.height()
    return small or _is_outside(part)


def _is_outside(part: QWidget) -> bool:
    """Whether it lies beyond the edge of what it stands in; what scrolls may."""
    above = part.parentWidget()
    while above is not None and not isinstance(above, QScrollArea):
        inside = QRect(part.mapTo(above, QPoint(0, 0)), part.size())
        if not above.rect().contains(inside):
            return True
        above = above.parentWidget() if not above.isWindow() else None
    return False


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", SIZES[1:])
def test_lines_of_text_are_as_long_as_they_are_read_best(
    show: Show, size: tuple[int, int], mode: ModeId
) -> None:
    bench = show(*size, mode)
    lengths = sorted(_full_lines(bench))
    assert 61 <= lengths[len(lengths) // 2] <= 75


def _full_lines(bench: Workbench) -> Iterator[int]:
    """The characters of each line that goes on in another."""
    block = bench.reader.document().begin()
    while block.isValid():
        layout = block.layout()
        for number in range(layout.lineCount() - 1):
            yield layout.lineAt(number).textLength()
        block = block.next()


def test_the_quotes_of_both_sides_grow_with_the_window_and_have_no_bar_where_there_is_room(
    show: Show,
) -> None:
    heights = []
    for size in SIZES[1:]:
        bench = show(*size, "reconcile")
        mode = bench.frame.mode
        assert isinstance(mode, ReconcileMode)
        quotes = mode.card.left.quotes
        heights.append(quotes.height())
        assert quotes.verticalScrollBar().maximum() == 0
        assert mode.card.verticalScrollBar().maximum() == 0
    assert heights[1] > 1.5 * heights[0]


def test_the_card_keeps_its_height_from_one_difference_to_the_next(show: Show, qtbot: QtBot) -> None:
    bench = show(1366, 768, "reconcile")
    mode = bench.frame.mode
    assert isinstance(mode, ReconcileMode)
    before = mode.card.geometry()
    for _ in range(4):
        mode.work.step(1)
        _settle(bench, qtbot)
        assert mode.card.geometry() == before


@pytest.mark.parametrize("size", SIZES[1:])
def test_the_outline_shows_all_sections_of_the_longest_report_and_the_reports_have_the_rest(
    show: Show, qtbot: QtBot, size: tuple[int, int]
) -> None:
    bench = show(*size)
    assert bench.outline.tree.verticalScrollBar().maximum() == 0
    assert bench.reports.height() > bench.outline.height()
    wanted = bench.outline.sizeHint().height()
    bench.session.open_report("alkaptonuria-letter")
    _settle(bench, qtbot)
    assert bench.outline.sizeHint().height() == wanted
    bench.session.open_report("PMC99000001")
    _settle(bench, qtbot)


def test_two_lists_share_the_height_by_what_they_want() -> None:
    assert shared_height(1000, 300, 200, 0.45) == (800, 200)
    assert shared_height(600, 2000, 250, 0.45) == (350, 250)
    assert shared_height(600, 2000, 900, 0.45) == (330, 270)
    assert shared_height(600, 100, 900, 0.45) == (100, 500)


def test_what_is_less_than_a_report_in_the_list_is_left_to_the_outline(show: Show) -> None:
    panel = show(1366, 768).reports
    row, all_ = panel.list.sizeHintForRow(0), panel.sizeHint().height()
    assert panel.list.model().rowCount() == 10
    assert [panel.whole_rows(height) - all_ for height in (all_ + 9, all_, all_ - 1, all_ - row)] == [
        9,
        0,
        -row,
        -row,
    ]
    assert panel.whole_rows(all_ - 3 * row - 5) == all_ - 4 * row
    assert panel.whole_rows(1) == 1


def test_where_a_user_put_a_handle_it_stays(show: Show, qtbot: QtBot) -> None:
    bench = show(1366, 768, anew=True)
    left = bench.outline.parentWidget()
    assert isinstance(left, QSplitter)
    handle = left.handle(1)
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=handle.rect().center())
    QTest.mouseMove(handle, handle.rect().center() - QPoint(0, 60))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=handle.rect().center() - QPoint(0, 60))
    sizes = left.sizes()
    bench.frame.open_mode("reconcile")
    bench.frame.open_mode("annotate")
    _settle(bench, qtbot)
    assert left.sizes() == sizes
    again = show(1366, 768, anew=True).outline.parentWidget()
    assert isinstance(again, QSplitter)
    assert again.sizes() == sizes


def test_the_list_of_spans_grows_into_the_room_there_is(show: Show, qtbot: QtBot) -> None:
    least = 0

    def grown() -> bool:
        return inspector.list.isVisible() and inspector.list.height() > least

    for size in SIZES:
        bench = show(*size)
        inspector = bench.inspector
        bench.session.report_model.set_current(next(iter(bench.session.report_model.spans)))
        qtbot.waitUntil(grown)
        assert inspector.verticalScrollBar().maximum() == 0
        least = 2 * inspector.list.height() if size != SIZES[0] else 0


@pytest.mark.parametrize("mode", MODES)
def test_every_key_on_a_button_stands_in_brackets_behind_its_words(show: Show, mode: ModeId) -> None:
    bench = show(2560, 1440, mode)
    keys = {bench.actions_.key(one.id) for one in bench.actions_.commands() if one.keys}
    bare = [
        button.text()
        for button in bench.findChildren(QAbstractButton)
        if button.isVisible() and len(button.text().split()) > 1 and button.text().split()[-1] in keys
    ]
    assert bare == []
    assert with_key("Accept", "A") == "Accept (A)"
    assert with_key("Accept", "") == "Accept"


def test_the_numbers_of_a_report_have_a_line_that_the_state_is_not_on(show: Show) -> None:
    heading = show(1280, 720).heading
    assert heading.names.geometry().bottom() < heading.state.geometry().top()
    assert heading.state.geometry().right() <= heading.width()


@pytest.mark.parametrize("mode", MODES)
def test_what_opens_a_menu_has_room_for_the_mark_beside_its_words(show: Show, mode: ModeId) -> None:
    bench = show(1280, 720, mode)
    menus = [one for one in bench.findChildren(QToolButton) if one.isVisible() and one.menu() is not None]
    assert menus
    for button in menus:
        words = button.fontMetrics().horizontalAdvance(button.text())
        assert button.width() - words >= button.fontMetrics().height() * 1.2


def test_title_and_text_begin_at_the_same_edge(show: Show) -> None:
    for size in SIZES:
        bench = show(*size)
        reader, title = bench.reader, bench.heading.title
        text = reader.viewport().mapTo(bench, reader.cursorRect().topLeft()).x()
        reader.go_to(0)
        text = reader.viewport().mapTo(bench, reader.cursorRect().topLeft()).x()
        assert abs(title.mapTo(bench, QPoint(0, 0)).x() + 3 - text) <= 4


def test_a_question_names_its_act_and_return_leaves_all_as_it_is(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    box = question_box(parent, "Undo", "Undo what somebody else did?", "Undo")
    assert sorted(button.text() for button in box.buttons()) == ["Cancel", "Undo"]
    answers: list[int] = []
    box.accepted.connect(lambda: answers.append(QDialog.DialogCode.Accepted))
    box.rejected.connect(lambda: answers.append(QDialog.DialogCode.Rejected))
    with qtbot.waitExposed(box):
        box.open()
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert answers == [QDialog.DialogCode.Rejected]


# From here on by the size of letters: each has a window of its own.


@pytest.mark.parametrize("size", [SIZES[0], SIZES[-1]])
@pytest.mark.parametrize("percent", [100, 150])
def test_what_can_be_decided_is_in_sight_also_at_a_larger_size(
    show: Show, size: tuple[int, int], percent: int
) -> None:
    made = show(*size, "reconcile", percent).frame.mode
    assert isinstance(made, ReconcileMode)
    card, choices = made.card, made.card.choices
    assert percent > 100 or not card.where.isHidden()
    lowest = choices.mapTo(card.viewport(), QPoint(0, choices.height() - 1)).y()
    assert lowest < card.viewport().height()


def test_what_can_be_judged_is_said_in_full_at_a_larger_size(show: Show) -> None:
    bench = show(1366, 768, "review", 150)
    made = bench.frame.mode
    assert isinstance(made, ReviewMode)
    assert all(
        one.width() >= one.sizeHint().width() for one in made.strip.buttons.values() if one.isVisible()
    )


@pytest.mark.parametrize("percent", [150, 200])
def test_the_text_keeps_its_place_between_the_quotes_at_every_size(show: Show, percent: int) -> None:
    bench = show(1280, 720, "review", percent)
    assert bench.reader.width() >= 0.35 * bench.columns._parts[1].width()


def test_one_line_says_what_two_say_else_where_the_choices_would_be_out_of_sight(show: Show) -> None:
    for size, tight in (((1366, 768), True), ((2560, 1440), False), ((1280, 720), True)):
        made = show(*size, "reconcile", 200).frame.mode
        assert isinstance(made, ReconcileMode)
        card, choices = made.card, made.card.choices
        lowest = choices.mapTo(card.viewport(), QPoint(0, choices.height() - 1)).y()
        assert lowest < card.viewport().height()
        assert (card.where.isHidden(), card.state.isHidden()) == (tight, tight)
        assert (card.where.full_text() in card.kind.full_text()) == tight
        # The quotes and the name of the guideline come before what is secondary.
        quotes = card.left.quotes
        assert quotes.viewport().height() >= 3 * quotes.fontMetrics().lineSpacing()
        # They end with a whole line.
        under = quotes.cursorForPosition(quotes.viewport().rect().bottomLeft())
        assert quotes.cursorRect(under).bottom() <= quotes.viewport().height()
        guideline = made.clauses.categories
        assert guideline.fontMetrics().horizontalAdvance(guideline.currentText()) <= guideline._room()[1]


def test_no_column_is_pushed_out_of_the_window_at_twice_the_size(show: Show) -> None:
    bench = show(1280, 720, "annotate", 200)
    columns, reports = bench.columns, bench.reports.list
    assert columns.minimumSizeHint().width() <= 1280
    assert columns._right.mapTo(columns.window(), QPoint(columns._right.width(), 0)).x() <= 1280
    assert all(row.height() >= row.sizeHint().height() for row in bench.palette_.rows.values())
    # The open report is in sight, and what is seen of the list begins with a whole row.
    bench.actions_["view.lists"].trigger()
    assert bench.reports.list.hasFocus()
    assert reports.viewport().rect().contains(reports.visualRect(reports.currentIndex()))
    assert reports.visualRect(reports.indexAt(QPoint(1, 1))).y() == 0


@pytest.mark.parametrize(("size", "whole"), [((1366, 768), True), ((1280, 720), False)])
def test_what_can_be_done_to_a_span_is_in_sight_or_scrolls_there(
    show: Show, qtbot: QtBot, size: tuple[int, int], whole: bool
) -> None:
    bench = show(*size, "annotate", 200)
    inspector, details = bench.inspector, bench.inspector.details
    bench.session.report_model.set_current(next(iter(bench.session.report_model.spans)))
    qtbot.waitUntil(details.isVisible)
    QApplication.processEvents()

    def seen(part: QWidget) -> bool:
        place = part.mapTo(inspector.viewport(), part.rect().topLeft())
        return inspector.viewport().rect().contains(QRect(place, part.size()))

    polarities = list(details.polarities.values())
    above = (inspector.list, inspector.remove, details.field, details.concept)
    assert all(map(seen, (*above, *polarities, details.note) if whole else above))
    assert len({button.y() for button in polarities}) == 1
    # Nor is the guideline a heading alone.
    guideline = bench.guideline.text
    assert guideline.viewport().height() >= 2 * guideline.fontMetrics().lineSpacing()
    if not whole:
        # Without the keys, for which there is no room.
        assert [button.text() for button in polarities] == ["Present", "Negated", "Uncertain"]
    details.concept.setFocus()
    for part in (polarities[0], details.note):
        press(Qt.Key.Key_Tab)
        assert part.hasFocus()
        assert seen(part)


def test_what_is_opened_below_the_text_takes_the_place_of_what_stands_above_where_letters_are_large(
    show: Show,
) -> None:
    bench = show(1280, 720, "review", 200)
    strip = bench.frame.mode.above if bench.frame.mode is not None else None
    assert strip is not None
    bench.actions_["edit.spans"].trigger()
    QApplication.processEvents()
    mode = bench.frame.mode
    assert isinstance(mode, ReviewMode)
    head, below = mode.columns.own.title.geometry(), mode.columns.own.filter.geometry()
    assert head.bottom() < below.top()
    table = bench.finder.spans.table
    assert table.viewport().height() >= 3 * table.rowHeight(0)
    assert not bench.heading.isVisible()
    assert not strip.isVisible()
    bench.finder.close_panel()
    QApplication.processEvents()
    assert bench.heading.isVisible()
    assert strip.isVisible()


def test_lists_give_way_to_the_text_where_letters_are_large_and_come_back_by_their_key(
    show: Show, qtbot: QtBot
) -> None:
    bench = show(1366, 768, percent=200, anew=True)
    reader, lists, turn = bench.reader, bench.reports, bench.actions_["view.lists"]
    strip = bench.findChild(UprightButton)
    assert strip is not None
    for mode in ("annotate", "review", "phenotypes"):
        bench.frame.open_mode(mode)
        qtbot.waitUntil(lambda: strip.isVisible() and not lists.isVisible())
        assert strip.text() == "Lists (Ctrl+Shift+O)"
    bench.frame.open_mode("annotate")
    folded = reader.width()
    assert folded > reader.wanted_width() / 2
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton)
    assert (lists.list.hasFocus(), strip.isVisible(), reader.width() < folded) == (True, False, True)
    turn.trigger()
    assert (reader.hasFocus(), lists.isVisible(), reader.width()) == (True, False, folded)
    bench.actions_["report.search"].trigger()
    assert (lists.search.hasFocus(), lists.isVisible()) == (True, True)
    # What leads through a mode's work stays, unless it is in somebody's way.
    bench.frame.open_mode("reconcile")
    assert not strip.isVisible()
    turn.trigger()
    assert strip.isVisible()
    # With room again, nothing is away.
    bench.frame.open_mode("annotate")
    bench.window().resize(2560, 1440)
    _settle(bench, qtbot)
    assert (lists.isVisible(), strip.isVisible()) == (True, False)
    lists.focus_search()
    bench.window().resize(1366, 768)
    qtbot.waitUntil(strip.isVisible)
    assert strip.hasFocus(), "what is typed on would label the text"
