"""Modes come and go around the report: its place stays, and each has its own keys."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListWidget, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.gui.modes import MODES
from app.gui.modes.command import Command
from app.gui.modes.mode import Mode, ModeContext
from app.gui.reader.spans import ShownSpan
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from app.operations.project.files import create_project
from tests.gui.conftest import ME, Annotating, open_in, shown
from tests.gui.lending import Lending
from tests.verbs import press

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
EDIT = Command("review.try", "Try", ("N",), "Review", "review")
CELL = Command("agreement.try", "Try", ("N",), "Agreement", "agreement", needs="project")


class SideMode(Mode):
    """Stands around the text as a review does: a column on either side of it, a card above, nothing right."""

    id = "review"
    hides_right = True

    def __init__(self, bench: ModeContext) -> None:
        super().__init__()
        self.bench, self.told = bench, list[str]()
        self.list = QListWidget()
        self.list.addItems(["one", "two"])
        self.list.setAccessibleName("Items")
        self.search, self.button = QLineEdit(), QPushButton("Take")
        self.search.setAccessibleName("Search")
        self.button.clicked.connect(lambda: self.told.append("pressed"))
        self.before = _column(self.search, self.button)
        self.above = QLabel("Left: jaundice\nRight: severe jaundice")
        self.beside = (self.before, self.list)
        bench.actions.on(f"{self.id}.try", lambda: self.told.append("tried"))

    def enter(self) -> None:
        self.told.append("enter")

    def leave(self) -> None:
        self.told.append("leave")

    def take_focus(self) -> None:
        self.list.setFocus()

    def put_away(self) -> None:
        self.told.append("put away")


class TableMode(SideMode):
    """Stands in the place of the text, as tables do."""

    id = "agreement"
    hides_right = False

    def __init__(self, bench: ModeContext) -> None:
        super().__init__(bench)
        self.above, self.beside = None, None
        self.left, self.centre, self.right = self.before, self.list, _column(QPushButton("Export"))


def _column(*parts: QWidget) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    for part in parts:
        column.addWidget(part)
    return whole


@pytest.fixture(autouse=True, scope="module")
def two_modes() -> Iterator[None]:
    """Small modes in the place of those that come with the program."""
    with pytest.MonkeyPatch.context() as patch:
        for mode, make in (("review", SideMode), ("agreement", TableMode), ("reconcile", None)):
            spec = MODES[mode]
            patch.delitem(MODES, mode)
            if make is not None:
                patch.setitem(MODES, mode, spec._replace(make=make))
        yield


def opened(window: MainWindow, path: Path, qtbot: QtBot) -> Workbench:
    bench = open_in(window, path, qtbot)
    with_keys_of_modes(window)
    return bench


def with_keys_of_modes(window: MainWindow) -> None:
    own = [command for command in window.actions_.commands() if command.where in MODES]
    window.actions_.add([*(command._replace(keys=()) for command in own), EDIT, CELL])


class Framed(Annotating):
    """The same, in which modes were told something."""

    def __init__(self, window: MainWindow, project: Path, qtbot: QtBot) -> None:
        super().__init__(window, project, qtbot)
        with_keys_of_modes(window)

    def put_back(self) -> None:
        super().put_back()
        for mode in self.workbench.frame._made.values():
            assert isinstance(mode, SideMode)
            mode.search.clear()

    def forget(self) -> None:
        """What the modes were told, and which keys they were given."""
        self.window.actions_.add([EDIT, CELL])
        for mode in self.workbench.frame._made.values():
            assert isinstance(mode, SideMode)
            mode.told.clear()


@pytest.fixture
def bench(lending: Lending[Framed], project: Path, qtbot: QtBot) -> Iterator[Workbench]:
    """The sample reports, open in the window."""
    with lending.lend(lambda: Framed(shown(qtbot), project, qtbot), Framed.put_back, qtbot) as framed:
        framed.forget()
        yield framed.workbench


@pytest.fixture
def own_bench(window: MainWindow, project: Path, qtbot: QtBot) -> Workbench:
    """The same in a window that no other test has."""
    return opened(window, project, qtbot)


def mode_of(bench: Workbench) -> SideMode:
    mode = bench.frame.mode
    assert isinstance(mode, SideMode)
    return mode


def place_in(bench: Workbench) -> tuple[str, int, int]:
    reader = bench.reader
    return bench.session.report_model.key, reader.caret(), reader.verticalScrollBar().value()


def test_a_mode_is_entered_by_its_key_and_left_by_another(bench: Workbench) -> None:
    assert bench.reader.hasFocus()
    press("2", CTRL)
    review = mode_of(bench)
    assert (bench.frame.current, review.told) == ("review", ["enter"])
    assert review.list.hasFocus()
    press("3", CTRL)
    assert bench.frame.current == "agreement"
    assert review.told == ["enter", "leave"]
    press("2", CTRL)
    assert mode_of(bench) is review
    press("1", CTRL)
    assert bench.frame.mode is None
    assert bench.reader.hasFocus()


def test_to_go_where_one_is_leaves_everything_as_it_is(bench: Workbench) -> None:
    press("2", CTRL)
    press("2", CTRL)
    assert mode_of(bench).told == ["enter"]
    assert bench.actions_["mode.review"].isChecked()
    assert bench.modes.buttons["review"].isChecked()


def test_a_modes_parts_stand_in_their_places_and_the_others_are_gone(bench: Workbench) -> None:
    press("2", CTRL)
    review = mode_of(bench)
    assert review.above is not None
    row = (review.before, bench.reader, review.list)
    edges = [part.mapTo(bench, part.rect().topLeft()).x() for part in row]
    assert edges == sorted(edges)
    assert all(part.isVisible() for part in (*row, review.above, bench.heading, bench.reports))
    assert not bench.palette_.isVisible()
    assert not bench.hints.isVisible()
    press("3", CTRL)
    table = mode_of(bench)
    assert table.centre is not None
    assert table.centre.isVisible()
    assert not any(part.isVisible() for part in (*row, bench.heading, bench.reports, bench.palette_))
    press("1", CTRL)
    assert bench.palette_.isVisible()
    assert bench.hints.isVisible()
    assert not any(part.isVisible() for part in (review.before, review.above, table.before, table.list))


@pytest.mark.parametrize("scrolled", [False, True])
def test_the_place_in_the_text_is_kept_through_every_mode(
    own_bench: Workbench, qtbot: QtBot, scrolled: bool
) -> None:
    bench = own_bench
    # What is painted decides what is laid out.
    bench.window().setUpdatesEnabled(True)
    bench.window().resize(1000, 600)
    bench.reader.select(*(2 * (len(bench.reader.text()) // 2,)))
    # Tables above become grids a frame later: the text in view stays, the number of the scroll bar does not.
    qtbot.waitUntil(lambda: bench.reader._to_come == ())
    bar = bench.reader.verticalScrollBar()
    if scrolled:
        bar.setValue(bar.value() // 2)
    before, sizes = place_in(bench), bench.columns._whole.sizes()
    assert before[2] > 0
    for key in "232132131":
        press(key, CTRL)
        QApplication.processEvents()
    assert place_in(bench) == before
    assert bench.columns._whole.sizes() == sizes


def test_each_mode_keeps_the_sizes_that_it_was_given(
    window: MainWindow, own_bench: Workbench, project: Path, qtbot: QtBot
) -> None:
    bench = own_bench
    bench.columns._whole.setSizes([300, 600, 380])
    annotating = bench.columns._whole.sizes()
    press("3", CTRL)
    assert bench.columns._whole.sizes() == annotating
    bench.columns._whole.setSizes([400, 500, 380])
    tables = bench.columns._whole.sizes()
    assert tables != annotating
    press("1", CTRL)
    assert bench.columns._whole.sizes() == annotating
    press("3", CTRL)
    assert bench.columns._whole.sizes() == tables
    window.close_project()
    bench = opened(window, project, qtbot)
    assert bench.columns._whole.sizes() == annotating
    press("3", CTRL)
    assert bench.columns._whole.sizes() == tables


def test_a_key_does_in_each_mode_what_it_does_there(bench: Workbench) -> None:
    press(Qt.Key.Key_Right, CTRL)
    press("n")
    assert len(bench.session.report_model.spans) == 1
    press("2", CTRL)
    review = mode_of(bench)
    press("n")
    bench.reader.setFocus()
    press("n")
    press("c")
    assert review.told == ["enter", "tried", "tried"]
    assert len(bench.session.report_model.spans) == 1
    press("1", CTRL)
    press(Qt.Key.Key_Right, CTRL)
    press(Qt.Key.Key_Right, CTRL)
    press("n")
    assert len(bench.session.report_model.spans) == 2
    assert review.told == ["enter", "tried", "tried", "leave"]


def test_a_mode_may_turn_the_keys_of_the_text_on_which_then_come_first(bench: Workbench) -> None:
    press("2", CTRL)
    bench.actions_.set_place("text", [bench.reader])
    bench.reader.setFocus()
    press("n")
    mode_of(bench).list.setFocus()
    press("n")
    assert len(bench.session.report_model.spans) == 1
    assert mode_of(bench).told == ["enter", "tried"]
    bench.actions_.set_place("text", [])
    bench.reader.setFocus()
    press("n")
    assert mode_of(bench).told == ["enter", "tried", "tried"]


def test_letters_are_typed_into_a_modes_fields_and_space_presses_its_buttons(bench: Workbench) -> None:
    bench.actions_.add([Command("review.try", "Try", ("N", "Return", "Space", "É"), "Review", "review")])
    press("2", CTRL)
    review = mode_of(bench)
    review.search.setFocus()
    for key in (Qt.Key.Key_N, Qt.Key.Key_Space, Qt.Key.Key_Return):
        press(key)
    assert review.search.text() == "n "
    review.button.setFocus()
    press(Qt.Key.Key_Space)
    assert review.told == ["enter", "pressed"]
    press("n")
    assert review.told == ["enter", "pressed", "tried"]
    review.search.setFocus()
    press("3", CTRL)
    assert bench.frame.current == "agreement"


def test_only_what_can_be_done_in_a_mode_can_be_given(own_bench: Workbench) -> None:
    bench = own_bench

    def can(*commands: str) -> list[bool]:
        return [bench.actions_[command].isEnabled() for command in commands]

    asked = ("label.Neuro", "review.try", "agreement.try", "edit.copy", "report.done_next", "project.runs")
    assert can(*asked) == [True, False, False, True, True, True]
    press("2", CTRL)
    assert can(*asked) == [False, True, False, True, True, True]
    press("3", CTRL)
    assert can(*asked) == [False, False, True, False, False, True]


def test_the_focus_goes_round_the_panes_of_the_mode_on_screen(bench: Workbench) -> None:
    def round_(step: Qt.KeyboardModifier, steps: int) -> list[QWidget | None]:
        seen = []
        for _ in range(steps):
            press(Qt.Key.Key_F6, step)
            seen.append(QApplication.focusWidget())
        return seen

    press("2", CTRL)
    review = mode_of(bench)
    # A card of words alone takes no focus.
    seen = round_(NONE, 8)
    assert seen[:2] == [bench.modes.buttons["review"], bench.status.messages.open_log]
    assert seen[-4:] == [bench.heading.state, review.search, bench.reader, review.list]
    assert round_(SHIFT, 2) == [bench.reader, review.search]
    press("3", CTRL)
    table = mode_of(bench)
    assert round_(NONE, 5)[-2:] == [table.search, table.list]


def test_who_wants_the_text_where_there_is_none_goes_on_in_the_mode(bench: Workbench) -> None:
    press("3", CTRL)
    mode_of(bench).search.setFocus()
    bench.find_bar.text_wanted.emit()
    assert mode_of(bench).list.hasFocus()
    press("2", CTRL)
    bench.find_bar.text_wanted.emit()
    assert bench.reader.hasFocus()


def test_undo_takes_back_what_was_done_in_another_report_in_any_mode(bench: Workbench, qtbot: QtBot) -> None:
    first = bench.session.report_model.key
    press(Qt.Key.Key_Right, CTRL)
    press("n")
    press(Qt.Key.Key_PageDown, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: bench.session.report_model.key != first)
    for key in "23":
        press(key, CTRL)
        press("z", CTRL)
        qtbot.waitUntil(
            lambda: bench.session.report_model.key == first and not bench.session.report_model.spans
        )
        press("z", CTRL | SHIFT)
        qtbot.waitUntil(lambda: len(bench.session.report_model.spans) == 1)
        bench.session.step_report(1, list(bench.session.rows))
        qtbot.waitUntil(lambda: bench.session.report_model.key != first)
        assert QApplication.focusWidget() is mode_of(bench).list


@pytest.mark.parametrize("key", ["1", "2", "3"])
def test_a_window_closes_well_in_any_mode(
    window: MainWindow, own_bench: Workbench, project: Path, qtbot: QtBot, key: str
) -> None:
    bench = own_bench
    press("2", CTRL)
    review = mode_of(bench)
    press(key, CTRL)
    window.close_project()
    assert review.told[-2:] == ["leave", "put away"]
    assert not any(window.actions_[f"mode.{mode}"].isEnabled() for mode in ("annotate", "review"))
    again = opened(window, project, qtbot)
    assert again.frame.current == "annotate"
    press("2", CTRL)
    assert mode_of(again) is not review


def test_without_reports_modes_open_and_the_middle_says_what_to_do(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    bench = opened(window, create_project(tmp_path / "empty.casespan", ME), qtbot)
    for key in "2312":
        press(key, CTRL)
        mode_of(bench) if key != "1" else bench.go_on()
        bench.reader.setFocus()
    assert bench.frame.current == "review"


def test_the_page_shows_a_modes_spans_instead_of_ones_own_until_they_are_wanted_again(
    bench: Workbench, qtbot: QtBot
) -> None:
    press(Qt.Key.Key_Right, CTRL)
    press("n")
    own = bench.page.shown()
    current = bench.session.report_model.current
    other = ShownSpan("other", 20, 30, "GU", "present", mine=False)
    bench.page.show_instead([other])
    assert bench.page.shown() == [other]
    bench.reader.go_to(25)
    bench.session.controller.label(40, 50, "Neuro")
    qtbot.waitUntil(lambda: len(bench.session.report_model.spans) == 2)
    assert bench.page.shown() == [other]
    bench.page.show_instead(None)
    assert {span.id for span in own} < {span.id for span in bench.page.shown()}
    assert current is not None
    with pytest.raises(ValueError, match="outside"):
        bench.page.show_instead([ShownSpan("far", 0, 10**7, "GU", "present")])
    bench.page.show_instead(None)


def test_another_report_begins_without_a_modes_spans(bench: Workbench, qtbot: QtBot) -> None:
    bench.page.show_instead([ShownSpan("other", 20, 30, "GU", "present", mine=False)])
    first = bench.session.report_model.key
    bench.session.step_report(1, list(bench.session.rows))
    qtbot.waitUntil(lambda: bench.session.report_model.key != first)
    assert bench.page.shown() == []


def test_the_first_window_loads_nothing_of_a_project_and_not_qts_long_lists_of_names() -> None:
    code = (
        "import sys, PySide6.QtCore as core, app.gui.shell.application as a, app.gui.shell.main_window as m; "
        "import app.gui.shell.look.preferences as p; "
        "made = a.Application([]); m.MainWindow(p.Preferences()).show(); "
        "print(*(one for one in sys.modules if one.startswith(('app.', 'extractors'))), "
        "*(one for one in vars(core) if one == 'Qt'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "app.gui.shell.start_page" in loaded
    assert "Qt" not in loaded
    later = {
        "modes.annotate",
        "modes.review.mode",
        "session",
        "dialogs",
        "shell.menus",
        "shell.workbench",
        "shell.typing",
    }
    assert not {name for name in loaded if any(name.startswith(f"app.gui.{one}") for one in later)}
    assert not {name for name in loaded if name.startswith(("app.store", "app.operations"))}
