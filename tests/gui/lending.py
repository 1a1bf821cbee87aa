"""One window for the tests of a module that leave it as they found it: opening one takes longer than most."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QScrollBar, QWidget
from pytestqt.qtbot import QtBot

from app.gui.session.project_session import ProjectSession
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from app.store.project import Project
from tests.verbs import asked

_SOON_MS = 500
# What there is to see of a part, by Qt's names; most have little of it.
_SEEN = ("text", "plainText", "currentText", "currentIndex", "checked", "value", "enabled", "size", "font")
_VALUE, _SIZE = _SEEN.index("value") + 1, _SEEN.index("size") + 1


class Opened(Protocol):
    """A window with a project, and what a user does in it."""

    window: MainWindow
    workbench: Workbench
    session: ProjectSession
    qtbot: QtBot

    def settle(self) -> None:
        """Until all that was asked is answered."""


T = TypeVar("T", bound=Opened)


class Lending(Generic[T]):
    """Hands a window on where all on screen and on disk is as it was once opened; else opens another."""

    def __init__(self) -> None:
        self._opened: T | None = None
        self._seen: dict[QWidget, tuple[Any, ...]] = {}
        self._copy = sqlite3.connect(":memory:", check_same_thread=False)
        self._changes, self._annotator = 0, ""

    @contextmanager
    def lend(self, open_: Callable[[], T], put_back: Callable[[T], object], qtbot: QtBot) -> Iterator[T]:
        """Have it for one test, after which `put_back` does what a user would to come back to the start."""
        opened = self._opened
        if opened is None:
            opened = open_()
            opened.settle()
            asked(opened.session.worker, opened.qtbot, self._keep)
            self._seen, self._annotator = _look(opened), opened.session.annotator
        self._opened, opened.qtbot = None, qtbot
        opened.window.activateWindow()
        try:
            yield opened
            if self._is_as_before(opened, put_back):
                self._opened = opened
        finally:
            if self._opened is None:
                put_away(opened.window)

    def close(self) -> None:
        """For good."""
        self._copy.close()
        if self._opened is not None:
            put_away(self._opened.window)

    def _is_as_before(self, opened: T, put_back: Callable[[T], object]) -> bool:
        if opened.window.workbench is not opened.workbench or opened.session.annotator != self._annotator:
            return False
        opened.settle()
        if asked(opened.session.worker, opened.qtbot, self._restore):
            opened.session.show_others(())
            opened.session.reload()
        elif _look(opened) == self._seen:
            return True
        put_back(opened)
        opened.window.resize(self._seen[opened.window][_SIZE])
        opened.settle()
        there = {part: before for part, before in self._seen.items() if part.isVisible()}
        for part, before in there.items():
            if isinstance(part, QAbstractItemView):
                part.setCurrentIndex(part.model().index(*before[-1]))
        for part, before in there.items():
            if isinstance(part, QScrollBar):
                part.setValue(before[_VALUE])
        return _look(opened) == self._seen

    def _keep(self, project: Project) -> int:
        project.db.conn.backup(self._copy)
        self._changes = project.db.conn.total_changes
        return self._changes

    def _restore(self, project: Project) -> bool:
        """The file as it was; whether it was otherwise."""
        changed = project.db.conn.total_changes != self._changes
        if changed:
            self._copy.backup(project.db.conn)
            # Else it would pass for the work of another program.
            project._place.note()
            project.reread_scheme()
            self._changes = project.db.conn.total_changes
        return changed


def _look(opened: Opened) -> dict[QWidget, tuple[Any, ...]]:
    """All that is on screen, but for what was said last and when it was saved."""
    status, focus = opened.workbench.status, opened.window.focusWidget()
    seen: dict[QWidget, tuple[Any, ...]] = {}
    for part in (opened.window, *opened.window.findChildren(QWidget)):
        # What clears a line fades.
        passing = part is status or status.isAncestorOf(part) or isinstance(part.parent(), QLineEdit)
        if part.isVisible() and not passing:
            at = part.currentIndex() if isinstance(part, QAbstractItemView) else QModelIndex()
            seen[part] = (part is focus, *map(part.property, _SEEN), (at.row(), at.column()))
    return seen


def until_shown(part: QWidget, qtbot: QtBot) -> None:
    """Until what is put off for a moment, such as a list that is filled once for many acts, is done."""
    timers = [one for one in part.findChildren(QTimer) if one.isSingleShot() and one.interval() < _SOON_MS]
    qtbot.waitUntil(lambda: not any(one.isActive() for one in timers))


def put_away(window: MainWindow) -> None:
    """Close it for good."""
    window.close()
    window.deleteLater()
