"""Reports deleted and renamed, the history gone through, recent projects, what is open in a done report."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.gui.dialogs.exchange import export
from app.gui.dialogs.exchange.paste import PasteDialog
from app.gui.dialogs.project.history import HistoryDialog
from app.gui.dialogs.project.report import RenameDialog
from app.gui.shell.main_window import MainWindow
from app.gui.shell.start_page import RecentMenu
from app.gui.shell.workbench import Workbench
from app.operations.project.history import list_history
from app.store.act import begin_act
from app.store.annotate.annotators import ensure_annotator
from app.store.project import Project
from tests.gui.conftest import open_in
from tests.verbs import asked, double_click, press, settle

CTRL = Qt.KeyboardModifier.ControlModifier
Dialog = TypeVar("Dialog", bound=QDialog)


@pytest.fixture
def bench(window: MainWindow, project: Path, qtbot: QtBot) -> Workbench:
    """The sample reports on screen, the first one open."""
    bench = open_in(window, project, qtbot)
    settle(bench.session.worker, qtbot)
    return bench


def wait_for(bench: Workbench, kind: type[Dialog], qtbot: QtBot) -> Dialog:
    """The dialog of that kind in sight."""
    qtbot.waitUntil(lambda: any(one.isVisible() for one in bench.window().findChildren(kind)))
    return next(one for one in bench.window().findChildren(kind) if one.isVisible())


def focus(widget: QWidget, qtbot: QtBot) -> None:
    """Keys go to the widget, also after a dialog was closed."""
    widget.window().activateWindow()
    widget.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is widget)


def label(bench: Workbench, place: int, category: int, qtbot: QtBot) -> str:
    """A word of the open report in a category; returns its UUID."""
    controller = bench.session.controller
    uuid = controller.label(place, place + 5, bench.session.scheme.ids[category])
    settle(bench.session.worker, qtbot, 2)
    return uuid


def test_delete_in_the_list_asks_says_what_goes_and_opens_the_next_and_undo_brings_it_back(
    bench: Workbench, qtbot: QtBot
) -> None:
    session = bench.session
    first, second = list(session.rows)[:2]
    uuid = label(bench, 0, 0, qtbot)
    focus(bench.reports.list, qtbot)
    press(Qt.Key.Key_Delete)
    box = wait_for(bench, QMessageBox, qtbot)
    assert f"({first})? With it go: 1 span of {session.annotator}." in box.text()
    # A letter and Return leave all as it is.
    focus(box, qtbot)
    press("d")
    press(Qt.Key.Key_Return)
    settle(session.worker, qtbot, 2)
    assert first in session.rows
    focus(bench.reports.list, qtbot)
    press(Qt.Key.Key_Delete)
    box = wait_for(bench, QMessageBox, qtbot)
    next(one for one in box.buttons() if one.text() == "Delete").click()
    qtbot.waitUntil(lambda: first not in session.rows)
    qtbot.waitUntil(lambda: session.report_model.key == second)
    assert first not in bench.reports.shown_keys()
    focus(bench.reader, qtbot)
    press("z", CTRL)
    qtbot.waitUntil(lambda: session.report_model.key == first)
    qtbot.waitUntil(lambda: first in session.rows)
    assert list(session.report_model.spans) == [uuid]
    assert next(iter(session.rows)) == first


def test_several_reports_are_chosen_and_deleted_in_one_act(
    bench: Workbench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, reports = bench.session, bench.reports.list
    above, first, second, third, *rest = list(session.rows)
    for key in (first, second):
        session.open_report(key)
        settle(session.worker, qtbot, 2)
        if key == first:
            label(bench, 0, 0, qtbot)
    for row, held in ((1, CTRL), (3, CTRL), (2, Qt.KeyboardModifier.ShiftModifier)):
        place = reports.visualRect(reports.model().index(row, 0)).center()
        QTest.mouseClick(reports.viewport(), Qt.MouseButton.LeftButton, held, place)
    settle(session.worker, qtbot, 2)
    assert session.report_model.key == second
    focus(reports, qtbot)
    reports.selectAll()
    for row in (0, *range(4, 4 + len(rest))):
        reports.selectionModel().select(
            reports.model().index(row, 0), QItemSelectionModel.SelectionFlag.Deselect
        )
    press(Qt.Key.Key_F2)
    assert bench.findChild(RenameDialog) is None
    given: list[object] = []

    def dialog(_session: object, over: QWidget, meant: list[str]) -> QDialog:
        given.append(meant)
        return QDialog(over)

    with monkeypatch.context() as patch:
        patch.setattr(export, "ExportDialog", dialog)
        bench.actions_["project.export"].trigger()
    assert given == [[first, second, third]]
    wait_for(bench, QDialog, qtbot).close()
    focus(reports, qtbot)
    press(Qt.Key.Key_Delete)
    box = wait_for(bench, QMessageBox, qtbot)
    assert "Delete 3 reports" in box.text()
    assert f"{first}: 1 span of {session.annotator}" in box.text()
    assert f"{third}: nothing annotated" in box.text()
    next(one for one in box.buttons() if one.text() == "Delete").click()
    qtbot.waitUntil(lambda: list(session.rows) == [above, *rest])
    qtbot.waitUntil(lambda: session.report_model.key == rest[0])
    focus(bench.reader, qtbot)
    press("z", CTRL)
    qtbot.waitUntil(lambda: list(session.rows) == [above, first, second, third, *rest])
    # Where the last one goes, the one that is last then is opened; when that is done, the first that is not.
    session.open_report(rest[-1])
    settle(session.worker, qtbot, 2)
    bench.actions_["report.delete"].trigger()
    box = wait_for(bench, QMessageBox, qtbot)
    next(one for one in box.buttons() if one.text() == "Delete").click()
    qtbot.waitUntil(lambda: session.report_model.key == rest[-2])
    settle(session.worker, qtbot, 2)
    # What was labelled in another report is not looked for here.
    said: list[str] = []
    session.message.connect(said.append)
    bench.actions_["span.same"].trigger()
    assert [one.partition(",")[0] for one in said] == ["Label some words"]
    bench.actions_["report.done_next"].trigger()
    qtbot.waitUntil(lambda: session.report_model.key == above)
    qtbot.waitUntil(lambda: session.rows[rest[-2]].state == "done")
    # Within the list it is the next one, though one above is not done.
    session.open_report(second)
    settle(session.worker, qtbot, 2)
    bench.actions_["report.done_next"].trigger()
    qtbot.waitUntil(lambda: session.report_model.key not in (second, ""))
    assert session.report_model.key == third


def test_f2_in_the_list_renames_and_the_heading_follows(bench: Workbench, qtbot: QtBot) -> None:
    session = bench.session
    first, second = list(session.rows)[:2]
    focus(bench.reports.sort_button, qtbot)
    press(Qt.Key.Key_F2)
    assert bench.findChild(RenameDialog) is None
    bench.page.select(0, 8)
    focus(bench.reports.list, qtbot)
    press("c", CTRL)
    assert QApplication.clipboard().text() == session.rows[first].title
    press(Qt.Key.Key_F2)
    dialog = wait_for(bench, RenameDialog, qtbot)
    dialog.form.put(key=second)
    assert (dialog.ok_button.isEnabled(), second in dialog.notice.text()) == (False, True)
    dialog.form.put(key="sisters", title="Two sisters")
    focus(dialog.form.box("title", QLineEdit), qtbot)
    said: list[str] = []
    session.message.connect(said.append)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.report_model.key == "sisters")
    assert bench.heading.title.accessibleName() == "Two sisters"
    assert said == ["The report is called Two sisters (sisters) from now on."]
    assert next(iter(session.rows)) == "sisters"
    focus(bench.reader, qtbot)
    press("z", CTRL)
    qtbot.waitUntil(lambda: session.report_model.key == first)


def test_the_history_is_searched_gone_to_and_gone_back_before(bench: Workbench, qtbot: QtBot) -> None:
    session = bench.session
    first, second = list(session.rows)[:2]
    gone = label(bench, 0, 0, qtbot)
    kept = label(bench, 40, 1, qtbot)
    session.controller.remove([gone])
    session.open_report(second)
    qtbot.waitUntil(lambda: session.report_model.key == second)
    label(bench, 0, 0, qtbot)
    focus(bench.reader, qtbot)
    press(Qt.Key.Key_F9)
    dialog = wait_for(bench, HistoryDialog, qtbot)
    qtbot.waitUntil(lambda: len(dialog.table.texts) == 6)
    names = [category.name for category in session.scheme.categories[:2]]
    assert [row[2] for row in dialog.table.texts[:4]] == [
        f"Label span as {names[0]} in {second}",
        f"Remove span in {first}",
        f"Label span as {names[1]} in {first}",
        f"Label span as {names[0]} in {first}",
    ]
    assert {row[1] for row in dialog.table.texts} == {session.annotator}
    # To a span that is there, then to the place of one that is gone.
    dialog.words.setText(f"{names[1].split()[0]} {first}")
    assert len(dialog.table.texts) == 1
    focus(dialog.words, qtbot)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: (session.report_model.key, session.report_model.current) == (first, kept))
    focus(bench.reader, qtbot)
    press(Qt.Key.Key_F9)
    dialog = wait_for(bench, HistoryDialog, qtbot)
    qtbot.waitUntil(lambda: len(dialog.table.texts) == 6)
    double_click(dialog.table, 3)
    qtbot.waitUntil(lambda: bench.reader.caret() == 0)
    focus(bench.reader, qtbot)
    press(Qt.Key.Key_F9)
    dialog = wait_for(bench, HistoryDialog, qtbot)
    qtbot.waitUntil(lambda: len(dialog.table.texts) == 6)
    dialog.table.selectRow(2)
    dialog.undo_button.click()
    box = wait_for(bench, QMessageBox, qtbot)
    assert "Undo 2 changes" in box.text()
    next(one for one in box.buttons() if one.text() == "Undo").click()
    qtbot.waitUntil(lambda: len(dialog.table.texts) == 8)
    assert [row[3] for row in dialog.table.texts[2:5]] == ["undone", "undone", ""]
    # What was undone is made again, up to where one stands in the list.
    dialog.table.selectRow(4)
    assert not dialog.redo_button.isEnabled()
    dialog.table.selectRow(3)
    dialog.redo_button.click()
    box = wait_for(bench, QMessageBox, qtbot)
    assert "Make 1 change again" in box.text()
    next(one for one in box.buttons() if one.text() == "Redo").click()
    qtbot.waitUntil(lambda: len(dialog.table.texts) == 9)
    # What stays on record came last: there is nothing after it to undo.
    asked(session.worker, qtbot, lambda project: show(project, first))
    dialog.read()
    qtbot.waitUntil(lambda: len(dialog.table.texts) == 10)
    for row, can in ((0, False), (5, False), (6, True)):
        dialog.table.selectRow(row)
        assert dialog.undo_button.isEnabled() == can
    # Read again, it stays where one is.
    dialog.read()
    settle(session.worker, qtbot)
    assert dialog.table.row == 6
    dialog.close()
    qtbot.waitUntil(lambda: set(session.report_model.spans) == {kept})


def show(project: Project, key: str) -> None:
    """A look at others' spans, which cannot be taken back."""
    with begin_act(project, f"show ben in {key}", "ana", undoable=False) as act:
        ensure_annotator(act, "ben", "person")


def test_done_says_which_categories_are_open_and_one_act_states_that_nothing_was_found(
    bench: Workbench, qtbot: QtBot
) -> None:
    session, messages = bench.session, bench.status.messages
    first = session.report_model.key
    label(bench, 0, 0, qtbot)
    stated = session.scheme.ids[1]
    session.controller.state_nothing_found(stated)
    settle(session.worker, qtbot)
    assert not messages.take_offer.isVisible()
    focus(bench.reader, qtbot)
    press(Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: session.report_model.key != first)
    settle(session.worker, qtbot, 2)
    rest = [category.name for category in session.scheme.categories[2:]]
    assert messages.message.full_text() == (
        f"{first} is done; 12 of 14 categories have no span: {', '.join(rest)}."
    )
    assert messages.take_offer.isVisible()
    # Where it has no room, none of those that the button is about is cut off.
    room = messages.message.fontMetrics().horizontalAdvance(messages.message.full_text()) // 2
    messages.message.resize(room, messages.message.height())
    codes = ", ".join(category.code for category in session.scheme.categories[2:])
    assert messages.message.text() == f"{first} is done; no span: {codes}."
    acts: list[int] = []
    session.worker.ask(lambda project: len(list_history(project)), acts.append)
    bench.status.take_focus()
    assert messages.take_offer.hasFocus()
    QTest.mouseClick(messages.take_offer, Qt.MouseButton.LeftButton)
    assert bench.reader.hasFocus()
    bench.status.take_focus()
    assert messages.open_log.hasFocus()
    bench.reader.setFocus()
    settle(session.worker, qtbot, 2)
    session.worker.ask(lambda project: len(list_history(project)), acts.append)
    qtbot.waitUntil(lambda: len(acts) == 2)
    assert acts[1] == acts[0] + 1
    assert not messages.take_offer.isVisible()
    assert messages.message.full_text() == f"{first}: nothing found in {', '.join(rest)}."
    qtbot.waitUntil(lambda: len(session.rows[first].nothing_found) == 13)
    focus(bench.reader, qtbot)
    press("z", CTRL)
    qtbot.waitUntil(lambda: session.rows[first].nothing_found == (stated,))
    assert session.rows[first].state == "done"
    # Of the list as it is shown no other is left: one stays, and is told so where nothing else is to be said.
    settle(session.worker, qtbot, 2)
    assert session.report_model.key == first
    bench.reports.search.setText(first)
    assert bench.reports.shown_keys() == [first]
    for command, told in (
        ("park", "parked. All other reports of the list are done or parked."),
        ("done", f"done; 12 of 14 categories have no span: {', '.join(rest)}."),
    ):
        bench.actions_[f"report.{command}_next"].trigger()
        settle(session.worker, qtbot, 2)
        assert session.report_model.key == first
        assert messages.message.full_text() == f"{first} is {told}"
    # Where something is said of every category nothing is offered.
    offers: list[str] = []
    session.offered.connect(lambda sentence, *_: offers.append(sentence))
    session.controller.state_nothing_in_rest(first)
    settle(session.worker, qtbot, 2)
    bench.actions_["report.done_next"].trigger()
    settle(session.worker, qtbot, 2)
    assert offers == []


def test_recent_projects_are_opened_from_the_menu_and_a_missing_one_cannot_be(
    bench: Workbench, window: MainWindow, project: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    window.preferences.remember(tmp_path / "gone & away.casespan")
    menu = window.findChild(RecentMenu)
    assert menu is not None
    menu.aboutToShow.emit()
    gone, there = menu.actions()
    assert (gone.text().startswith("&1  gone && away"), gone.isEnabled()) == (True, False)
    assert (there.text().startswith("&2  study"), there.isEnabled()) == (True, True)
    before = window.session
    there.trigger()
    qtbot.waitUntil(lambda: window.session is not before and window.workbench is not None)


def test_a_project_chosen_in_the_dialog_is_opened_and_no_dialog_outlives_it(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    window.actions_["project.open"].trigger()
    chosen = window.findChild(QFileDialog)
    assert chosen is not None
    chosen.fileSelected.emit(str(project))
    chosen.close()
    qtbot.waitUntil(lambda: window.workbench is not None)
    window.actions_["project.paste"].trigger()
    paste = window.findChild(PasteDialog)
    assert paste is not None
    QTest.keyClicks(paste.text, "A report.")
    assert window.close_project()
    assert not any(one.isVisible() for one in window.findChildren(QDialog))
