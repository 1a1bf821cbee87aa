"""What is dropped on the window, and the menus of what is pointed at in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QListWidget, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.gui.dialogs.exchange.imports import ImportDialog
from app.gui.shell.main_window import MainWindow
from app.gui.shell.start_page import RecentProject
from tests.gui.conftest import open_in
from tests.verbs import settle

LINK = "https://example.org/a.pdf"
COPY, LEFT, NONE = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def drop(on: QWidget, *what: Path | str) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl(one) if isinstance(one, str) else QUrl.fromLocalFile(str(one)) for one in what])
    coming = QDragEnterEvent(QPoint(), COPY, mime, LEFT, NONE)
    coming.ignore()
    on.dragEnterEvent(coming)
    assert coming.isAccepted()
    on.dropEvent(QDropEvent(QPointF(), COPY, mime, LEFT, NONE))


def entries(menu: QMenu) -> list[str]:
    return [one.text().replace("&", "").partition("\t")[0] for one in menu.actions()]


def popped(at: QWidget) -> QMenu:
    """The menu of what is pointed at, or has the focus."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), at.mapToGlobal(QPoint(5, 5)))
    QApplication.sendEvent(at, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def give(menu: QMenu, entry: str) -> None:
    next(one for one in menu.actions() if entry in one.text().replace("&", "")).trigger()
    menu.close()


def test_a_project_that_is_dropped_is_opened_and_reports_wait_for_one(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    message = window.start_page._message
    for what, said in (
        (project.with_name("a.pdf"), "Open or make a project first, then drop the reports on it."),
        (LINK, f"{LINK} is not on this computer"),
    ):
        drop(window, what)
        assert message.text().startswith(said)
        assert message.isVisibleTo(window.start_page)
    drop(window, project.with_name("a.pdf"), project)
    qtbot.waitUntil(lambda: window.workbench is not None)
    assert window.session is not None
    assert window.session.path == project
    assert window.workbench is not None
    assert "drop the rest once more" in window.workbench.status.messages.log[-1].sentence
    window.close_project()
    recent = window.start_page.findChild(RecentProject)
    assert recent is not None
    menu = popped(recent)
    assert entries(menu) == ["Open", "Remove from the list"]
    give(menu, "Open")
    qtbot.waitUntil(lambda: window.workbench is not None)
    window.close_project()
    qtbot.waitUntil(lambda: window.start_page.findChild(RecentProject) is not None)
    recent = window.start_page.findChild(RecentProject)
    assert recent is not None
    give(popped(recent), "Remove")
    assert window.preferences.recent == []


def test_reports_that_are_dropped_on_a_project_are_offered_for_import(
    window: MainWindow, project: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = open_in(window, project, qtbot)
    session, told, given = bench.session, list[str](), list[str]()
    session.failed.connect(told.append)
    drop(window, LINK)
    assert [one.partition(" is ")[0] for one in told] == [LINK]
    first, second, third = (project.with_name(name) for name in ("a.pdf", "b.docx", "c.txt"))
    drop(window, first, second)
    dialog = window.findChild(ImportDialog)
    assert dialog is not None
    assert dialog.paths == [first, second]
    drop(dialog, second, third)
    assert dialog.paths == [first, second, third]
    drop(dialog, LINK)
    assert dialog.notice.text().startswith(LINK)
    sources: QListWidget = dialog.sources
    sources.setCurrentRow(1)
    dialog.remove_button.click()
    assert dialog.paths == [first, third]
    dialog.reject()
    # Menus of lists.
    for command in ("report.rename", "report.delete"):
        action = bench.actions_[command]
        action.triggered.disconnect()
        action.triggered.connect(lambda _, command=command: given.append(command))
    reports = bench.reports.list
    keys = list(session.rows)
    menus: Sequence[tuple[list[int], list[str]]] = (
        ([1], ["Open", "Rename…", "Delete…"]),
        ([1, 2], ["Delete…"]),
    )
    for rows, expected in menus:
        reports.selectionModel().clear()
        for row in rows:
            index = reports.model().index(row, 0)
            flags = reports.selectionModel().SelectionFlag
            reports.selectionModel().setCurrentIndex(index, flags.Select)
        reports.customContextMenuRequested.emit(QPoint(5, 5))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert entries(menu) == expected
        for entry in expected:
            give(menu, entry)
    assert given == ["report.rename", "report.delete", "report.delete"]
    qtbot.waitUntil(lambda: session.report_model.key == keys[1])
    # Of a category.
    menu = popped(bench.palette_.rows["GU"])
    assert menu.accessibleName() == "Genitourinary"
    menu.close()
    settle(session.worker, qtbot)
