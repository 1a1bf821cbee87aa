"""The whole job in the real window: sample project, three reports by keyboard only, restart, undo, export."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, QStandardPaths, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QTreeWidget, QTreeWidgetItem, QWidget
from pytestqt.qtbot import QtBot

from app.gui.dialogs.annotate.blinded import BlindedDialog
from app.gui.dialogs.keys.dialog import KeysDialog
from app.gui.dialogs.watching import JobDialog
from app.gui.shell.acts import sample
from app.gui.shell.frame import EmptyProject
from app.gui.shell.look.preferences import Preferences
from app.gui.shell.main_window import MainWindow, first_size
from app.gui.shell.workbench import Workbench
from app.operations.annotate.report import open_report
from app.operations.exchange.exporting import export_annotations
from app.operations.exchange.importing import import_reports
from app.operations.project.files import check_project, create_project
from app.operations.project.opening import open_project
from app.store.project import Project
from extractors.assets import asset
from extractors.model.errors import ProjectError
from extractors.model.progress import Progress
from tests.builders import Kept, sample_reports
from tests.gui.conftest import ME, Annotating, put_away, shown, unpainted
from tests.gui.lending import Lending
from tests.verbs import press, settle

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
OpenWindow = Callable[[], MainWindow]


@pytest.mark.parametrize(
    ("room", "first"),
    [((1280, 720), None), ((1366, 768), (1280, 720)), ((2560, 1440), (2048, 1152))],
)
def test_the_first_window_fits_the_screen_and_uses_a_large_one(
    room: tuple[int, int], first: tuple[int, int] | None
) -> None:
    assert first_size(QSize(*room)) == (QSize(*first) if first is not None else None)


def test_a_window_that_was_left_at_a_size_has_it_again(qtbot: QtBot) -> None:
    first = MainWindow(Preferences())
    with qtbot.waitExposed(first):
        first.show_first()
    # The screen of tests has no room for it.
    assert first.isMaximized()
    first.showNormal()
    first.resize(960, 610)
    first.close()
    again = MainWindow(Preferences())
    with qtbot.waitExposed(again):
        again.show_first()
    assert (again.isMaximized(), again.size()) == (False, QSize(960, 610))
    again.close()


@pytest.fixture
def open_window(qtbot: QtBot) -> Iterator[OpenWindow]:
    """Makes windows, and closes them after the test."""
    windows: list[MainWindow] = []

    def open_() -> MainWindow:
        preferences = Preferences()
        preferences.annotator = ME
        window = MainWindow(preferences)
        windows.append(window)
        with qtbot.waitExposed(window):
            window.show()
        return window

    yield open_
    for window in windows:
        put_away(window)


def workbench_of(window: MainWindow, qtbot: QtBot) -> Workbench:
    """The workbench once its first report is on the page and nothing is waiting."""
    qtbot.waitUntil(lambda: window.workbench is not None)
    workbench = window.workbench
    assert workbench is not None
    if workbench.session.rows:
        qtbot.waitUntil(lambda: workbench.reader.text() != "")
    settle(workbench.session.worker, qtbot)
    return workbench


@pytest.fixture
def window(open_window: OpenWindow, project: Path) -> MainWindow:
    """A window that was told to open the project."""
    window = open_window()
    unpainted(window)
    window.open_project(project)
    return window


@pytest.fixture
def workbench(window: MainWindow, qtbot: QtBot) -> Workbench:
    """That window's workbench."""
    return workbench_of(window, qtbot)


@pytest.fixture
def lent(lending: Lending[Annotating], project: Path, qtbot: QtBot) -> Iterator[Workbench]:
    """That of a window that others have had and left as it was."""
    with lending.lend(lambda: Annotating(shown(qtbot), project, qtbot), Annotating.put_back, qtbot) as opened:
        yield opened.workbench


def test_the_whole_job_by_keyboard_with_a_restart_in_the_middle(
    open_window: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DOCUMENTS_DIR", str(tmp_path))
    QStandardPaths.setTestModeEnabled(True)
    window = open_window()
    window.actions_["project.sample"].trigger()
    workbench = workbench_of(window, qtbot)
    path = workbench.session.path
    assert workbench.reader.hasFocus()
    done = []
    for number in range(3):
        done.append(workbench.session.report_model.key)
        for word, key in enumerate(("h", "n", "c")):
            for _ in range(8 + 2 * word):
                press(Qt.Key.Key_Right, CTRL)
            press(Qt.Key.Key_Space)
            press(key)
        if number < 2:
            press(Qt.Key.Key_Return, CTRL)
            qtbot.waitUntil(lambda: workbench.session.report_model.key not in done)
        settle(workbench.session.worker, qtbot)
    counts = {key: sum(workbench.session.rows[key].own.values()) for key in done}
    states = [workbench.session.rows[key].state for key in done]
    assert list(counts.values()) == [3, 3, 3]
    assert states == ["done", "done", "in progress"]
    window.close()

    again = open_window()
    again.open_project(path)
    workbench = workbench_of(again, qtbot)
    assert workbench.session.report_model.key == done[2]
    for _ in range(4):
        press(Qt.Key.Key_Z, CTRL)
        settle(workbench.session.worker, qtbot)
    qtbot.waitUntil(lambda: workbench.session.report_model.key == done[1])
    assert workbench.session.rows[done[1]].state == "in progress"
    assert not workbench.session.rows[done[2]].own
    again.close()

    with Project.open(path) as project:
        kept = {key: len(open_report(project, key, ME).annotations) for key in done}
    assert kept == {done[0]: 3, done[1]: 3, done[2]: 0}
    out = tmp_path / "mine.jsonl"
    export_annotations(path, out, "jsonl", ME)
    exported = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    spans = [(one["text"], span) for one in exported for span in one["annotations"]]
    assert len(spans) == 6
    assert all(text[span["start"] : span["end"]] == span["quote"] for text, span in spans)
    assert check_project(path) == []


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for documents without a sample project; returns where that is to be."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DOCUMENTS_DIR", str(tmp_path))
    QStandardPaths.setTestModeEnabled(True)
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Path(folder) / "Casespan" / "sample.casespan"


@pytest.fixture
def soon_made(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """A smaller project is the sample, whose making takes longest."""

    def made(path: Path, _annotator: str) -> Generator[Progress, None, Path]:
        yield Progress(0, 1)
        if path.exists():
            raise ProjectError("It is there.")
        return kept.copy(sample_reports, path)

    monkeypatch.setattr(sample, "make_sample", made)


@pytest.mark.usefixtures("soon_made")
def test_the_sample_project_takes_the_place_of_the_open_one_which_loses_nothing(
    documents: Path, project: Path, window: MainWindow, workbench: Workbench, qtbot: QtBot
) -> None:
    documents.unlink(missing_ok=True)
    key = workbench.session.report_model.key
    said: list[str] = []
    workbench.session.message.connect(said.append)
    workbench.session.controller.label(0, 8, "History")
    window.actions_["project.sample"].trigger()
    qtbot.waitUntil(lambda: window.session is not None and window.session.path == documents, timeout=60_000)
    workbench_of(window, qtbot)
    assert "The sample project is being prepared." not in said
    with Project.open(project, write=True) as closed:
        assert len(open_report(closed, key, ME).annotations) == 1
    window.open_project(project)
    qtbot.waitUntil(lambda: window.session is not None and window.session.path == project)
    workbench_of(window, qtbot)
    window.actions_["project.sample"].trigger()
    qtbot.waitUntil(lambda: window.session is not None and window.session.path == documents)
    session = workbench_of(window, qtbot).session
    assert session.rows
    session.message.connect(said.append)
    window.actions_["project.sample"].trigger()
    assert (window.session, said[-1]) == (session, "This is the sample project.")


def test_keys_are_changed_by_the_categories_of_the_open_project(lent: Workbench) -> None:
    lent.actions_["help.keys"].trigger()
    (dialog,) = lent.window().findChildren(KeysDialog)
    dialog.close()
    assert dialog._scheme == lent.session.scheme


@pytest.mark.usefixtures("soon_made")
def test_a_sample_project_whose_making_was_hidden_is_not_opened_over_other_work(
    documents: Path, project: Path, window: MainWindow, workbench: Workbench, qtbot: QtBot
) -> None:
    documents.unlink(missing_ok=True)
    session = workbench.session
    said: list[str] = []
    session.message.connect(said.append)
    window.actions_["project.sample"].trigger()
    (dialog,) = window.findChildren(JobDialog)
    dialog.hide_button.click()
    qtbot.waitUntil(lambda: len(said) == 2, timeout=60_000)
    assert window.session is session
    assert said[0] == "The sample project is being prepared."
    assert "ready" in said[1]


def test_a_click_in_the_outline_puts_the_heading_at_the_top_third_in_view_or_not(
    lent: Workbench,
) -> None:
    reader, tree = lent.reader, lent.outline.tree
    headings = lent.session.report_model.sections
    heading = next(n for n, one in enumerate(headings) if one.role == "case" and one.start > 1500)
    for scrolled in (0, reader.verticalScrollBar().maximum()):
        reader.verticalScrollBar().setValue(scrolled)
        item = next(item for item in _items(tree) if item.text(0) == headings[heading].heading)
        tree.scrollToItem(item)
        place = tree.visualItemRect(item).center()
        QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert reader.caret() == headings[heading].start
        assert abs(reader.cursorRect().top() - reader.viewport().height() // 3) <= 2
        assert reader.hasFocus()


def _items(tree: QTreeWidget) -> list[QTreeWidgetItem]:
    found = tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
    assert found
    return found


def test_a_report_that_was_only_read_opens_after_a_restart_where_one_left_off(
    open_window: OpenWindow, window: MainWindow, workbench: Workbench, project: Path, qtbot: QtBot
) -> None:
    session, left = workbench.session, 2000
    session.open_report(key := list(session.rows)[1])
    qtbot.waitUntil(lambda: session.report_model.key == key)
    workbench.reader.go_to(left)
    window.close()
    again = open_window()
    again.open_project(project)
    workbench = workbench_of(again, qtbot)
    reader = workbench.reader
    assert (workbench.session.report_model.key, reader.caret()) == (key, left)
    # The title above the text may take a line more once it is there.
    assert 0.25 < reader.cursorRect().top() / reader.viewport().height() < 0.5


def test_who_annotated_last_goes_on_after_a_restart_but_not_in_a_project_of_somebody_else(
    open_window: OpenWindow, window: MainWindow, workbench: Workbench, project: Path, qtbot: QtBot
) -> None:
    workbench.session.set_annotator("Ben Okafor")
    window.close()
    again = open_window()
    again.open_project(project)
    assert workbench_of(again, qtbot).session.annotator == "Ben Okafor"
    again.close_project()
    project.unlink()
    again.open_project(create_project(project, "Cy"))
    assert workbench_of(again, qtbot).session.annotator == "Cy"


def test_a_second_window_of_one_project_is_refused_in_a_sentence(
    open_window: OpenWindow, project: Path, qtbot: QtBot
) -> None:
    first, second = open_window(), open_window()
    first.open_project(project)
    workbench_of(first, qtbot)
    second.open_project(project)
    qtbot.waitUntil(lambda: second.session is None)
    assert second.workbench is None
    assert "another" in second.start_page._message.text().lower()


def test_what_is_no_project_is_refused_in_a_sentence(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "letter.casespan"
    path.write_text("Dear colleague", encoding="utf-8")
    window = open_window()
    window.open_project(path)
    qtbot.waitUntil(lambda: window.session is None)
    assert window.start_page._message.text()
    assert path.read_text(encoding="utf-8") == "Dear colleague"
    window.open_project(tmp_path / "none.casespan")
    qtbot.waitUntil(lambda: "none.casespan; “New project” makes one." in window.start_page._message.text())


def test_a_project_stays_open_where_another_cannot_be_opened(
    open_window: OpenWindow, workbench: Workbench, tmp_path: Path, qtbot: QtBot
) -> None:
    window, told = workbench.window(), list[str]()
    assert isinstance(window, MainWindow)
    workbench.session.failed.connect(told.append)
    letter, other = tmp_path / "letter.casespan", create_project(tmp_path / "other.casespan", ME)
    letter.write_text("Dear colleague", encoding="utf-8")
    with Project.open(other, write=True):
        for path in (letter, tmp_path / "none.casespan", other):
            window.open_project(path)
            assert window.workbench is workbench
    assert [one.split()[0] for one in told[::2]] == [str(letter), str(other)]
    assert told[1].startswith("There is no project")
    window.open_project(other)
    assert workbench_of(window, qtbot).session.path == other


def test_projects_can_be_closed_and_opened_in_one_window(
    open_window: OpenWindow, project: Path, qtbot: QtBot
) -> None:
    window = open_window()
    for _ in range(2):
        window.open_project(project)
        workbench_of(window, qtbot)
        window.preferences.keys = {"span.note": "Y"}
        press(Qt.Key.Key_W, CTRL)
        assert window.workbench is None
        assert window.start_page.isVisible()
        qtbot.wait(0)


def test_every_widget_that_takes_the_focus_has_a_name(lent: Workbench) -> None:
    nameless = [
        f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"
        for widget in lent.window().findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.isVisible()
        and not (widget.accessibleName() or getattr(widget, "text", str)())
    ]
    assert nameless == []


def test_every_pane_is_reached_with_one_key(lent: Workbench, qtbot: QtBot) -> None:
    press("n")
    # Without a span its pane has nothing that could take the focus.
    qtbot.waitUntil(lent.inspector.list.isVisible)
    seen = []
    for _ in range(12):
        press(Qt.Key.Key_F6)
        focused = QApplication.focusWidget()
        panes = (
            lent.reports,
            lent.outline,
            lent.heading,
            lent.reader,
            lent.palette_,
            lent.guideline,
            lent.inspector,
            lent.status,
        )
        seen += [
            pane for pane in panes if focused is not None and (pane is focused or pane.isAncestorOf(focused))
        ]
    assert {type(pane) for pane in seen} == {type(pane) for pane in panes}


def test_the_text_has_the_focus_again_after_f6_all_around(lent: Workbench) -> None:
    press(Qt.Key.Key_F6)
    press(Qt.Key.Key_T, CTRL)
    assert lent.reader.hasFocus()


def test_the_menus_change_theme_and_interface_size(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    qtbot.waitUntil(lambda: bool(window._menus["View"].actions()))
    choices = {action.text(): action for menu in window.findChildren(QMenu) for action in menu.actions()}
    choices["Dark"].trigger()
    choices["150 %"].trigger()
    assert (window.preferences.theme, window.preferences.interface_size) == ("dark", 150)
    choices["Light"].trigger()
    choices["100 %"].trigger()


def test_a_case_is_read_blinded_at_the_size_of_the_text(lent: Workbench) -> None:
    lent.actions_["view.larger"].trigger()
    lent.actions_["report.blinded"].trigger()
    dialog = lent.findChild(BlindedDialog)
    assert dialog is not None
    assert dialog.reader.text_size() == lent.reader.text_size() > 100
    dialog.reject()
    lent.actions_["view.normal"].trigger()


def test_a_project_asked_for_twice_is_open_once_and_let_go_at_the_end(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    window.open_project(project)
    workbench_of(window, qtbot)
    window.close()
    with open_project(project):
        pass


def test_a_window_closed_while_a_project_opens_lets_it_go(window: MainWindow, project: Path) -> None:
    window.close()
    with open_project(project):
        pass


def test_the_menu_of_the_text_is_for_the_span_that_was_pointed_at(lent: Workbench) -> None:
    text = lent.reader.text()
    uuids = []
    for words in ("exertional dyspnoea", "Abdominal cramps"):
        start = text.index(words)
        lent.reader.select(start, start + len(words))
        press("g")
        uuids.append(lent.session.report_model.current)
    lent.reader.context_requested.emit(text.index("dyspnoea"), QPoint(10, 10))
    assert lent.session.report_model.current == uuids[0]
    assert {"span.negated", "span.remove"} < offered(lent)
    # Where there is no span, nothing of a span's.
    start = text.index("palpitations")
    lent.reader.select(start, start + len("palpitations"))
    lent.reader.context_requested.emit(start + 1, QPoint(10, 10))
    assert lent.session.report_model.current is None
    assert offered(lent) == {"span.concept", "span.widen", "edit.copy", "report.nothing"}


def offered(workbench: Workbench) -> set[str]:
    """The commands of the menu that is open, which is closed."""
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.close()
    return {action.objectName() for action in menu.actions()} - {""}


def test_a_hidden_category_is_shown_again_when_it_is_used(lent: Workbench) -> None:
    lent.palette_.toggle("GI")
    start = lent.reader.text().index("Abdominal")
    lent.reader.go_to(start)
    press("g")
    assert "GI" not in lent.palette_.hidden
    assert len(lent.reader.spans()) == 1


def test_what_somebody_else_did_is_undone_after_a_yes(workbench: Workbench, qtbot: QtBot) -> None:
    press("h")
    settle(workbench.session.worker, qtbot)
    key = workbench.session.report_model.key
    workbench.session.set_annotator("Dr Ben Okafor")
    qtbot.waitUntil(lambda: workbench.session.report_model.key == key)
    for answer, left in (("Cancel", 1), ("Undo", 0)):
        workbench.actions_["edit.undo"].trigger()
        qtbot.waitUntil(lambda: bool(workbench.findChildren(QMessageBox)))
        box = workbench.findChildren(QMessageBox)[0]
        assert ME in box.text()
        next(button for button in box.buttons() if button.text() == answer).click()
        qtbot.waitUntil(lambda: not workbench.findChildren(QMessageBox))
        settle(workbench.session.worker, qtbot)
        assert sum(workbench.session.rows[key].others.values()) == left


def test_a_project_whose_file_is_gone_is_closed_only_when_that_is_said(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = create_project(tmp_path / "new.casespan", ME)
    window = open_window()
    window.open_project(path)
    workbench_of(window, qtbot)
    path.unlink()
    asked, answers = [], ["Cancel", "Close"]

    def answer(box: QMessageBox) -> None:
        asked.append(box.text())
        next(button for button in box.buttons() if button.text() == answers[len(asked) - 1]).click()

    monkeypatch.setattr(QMessageBox, "exec", answer)
    assert [window.close_project(), window.close_project()] == [False, True]
    assert asked[0].startswith("new.casespan is no longer where it was opened. ")


def test_an_empty_project_says_what_to_do_until_there_are_reports(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = create_project(tmp_path / "new.casespan", ME)
    window = open_window()
    window.open_project(path)
    workbench = workbench_of(window, qtbot)
    (empty,) = workbench.findChildren(EmptyProject)
    assert empty.isVisible()
    assert "Import case reports (Ctrl+I), paste one (Ctrl+Shift+V), or drop files" in empty.words.text()
    assert workbench.reports.import_button.hasFocus()
    # As after an import of nothing: the page is opened without a report.
    workbench.session.report_model.close()
    reports = asset("resources", "demo", "reports")
    workbench.session.worker.begin("import", lambda project: import_reports(project, [reports]))
    job = workbench.session.worker.job
    assert job is not None
    offered = workbench.reports.import_button.isEnabled()
    with qtbot.waitSignal(job.done):
        pass
    assert not offered, "Return once more would ask what to import"
    listed: list[bool] = []
    workbench.session.rows_changed.connect(lambda: listed.append(workbench.reader.isVisible()))
    workbench.session.reload()
    qtbot.waitUntil(workbench.reader.isVisible)
    # The list comes before the first text: until that is there nobody looks at an empty page.
    assert listed == [False]
    assert workbench.reader.text()
    assert workbench.reader.hasFocus()
    sizes = workbench._left.sizes()
    assert sizes == list(workbench._share_left(sum(sizes)))
    # The same once they are gone and there again.
    workbench.session.undoing.undo()
    qtbot.waitUntil(workbench.reports.import_button.hasFocus)
    workbench.session.undoing.redo()
    qtbot.waitUntil(workbench.reader.hasFocus)
    assert workbench._left.sizes() == sizes


def test_a_theme_chosen_with_a_report_open_reaches_page_title_and_palette(
    window: MainWindow, workbench: Workbench, qtbot: QtBot
) -> None:
    title = workbench.heading.title
    # The title's own room comes with the first layout, which is on its way.
    qtbot.waitUntil(lambda: title.height() == title.sizeHint().height())
    before = title.font().pointSizeF(), title.height()
    choices = {action.text(): action for menu in window.findChildren(QMenu) for action in menu.actions()}
    for theme, dark in (("Dark", True), ("High contrast light", False), ("Light", False)):
        choices[theme].trigger()
        page = workbench.reader.viewport().grab().toImage()
        assert (page.pixelColor(3, 3).lightness() < 128) == dark
        assert title.font().bold()
        assert workbench.palette_.rows[workbench.session.category].name.font().bold()
        qtbot.waitUntil(lambda: (title.font().pointSizeF(), title.height()) == before)


def test_the_menu_of_the_text_is_for_the_shortest_span_there(lent: Workbench) -> None:
    reader = lent.reader
    start = reader.text().index("exertional dyspnoea and palpitations")
    reader.select(start, start + len("exertional dyspnoea and palpitations"))
    press("c")
    outer = lent.session.report_model.current
    reader.select(start, start + len("exertional"))
    press("r")
    inner = lent.session.report_model.current
    reader.go_to(start + len("exertional dyspnoea"))
    assert lent.session.report_model.current == outer
    reader.context_requested.emit(start + 2, QPoint(10, 10))
    assert lent.session.report_model.current == inner
    next(menu for menu in lent.findChildren(QMenu) if menu.isVisible()).close()
