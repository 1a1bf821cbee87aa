"""What tests of panels have in common."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS


def actions_for(qtbot: QtBot) -> Actions:
    """The actions of a window."""
    window = QWidget()
    qtbot.addWidget(window)
    actions = Actions(window)
    actions.add(COMMANDS)
    return actions


def open_report(qtbot: QtBot, session: ProjectSession, key: str) -> None:
    """Put a report on the page and wait for it."""
    session.open_report(key)
    qtbot.waitUntil(lambda: session.report_model.key == key)


def label(qtbot: QtBot, session: ProjectSession, start: int, end: int, category: str) -> None:
    """Label a place and wait until it is on disk and in the list."""
    key = session.report_model.key
    before = sum(session.rows[key].own.values())
    session.controller.label(start, end, category)
    qtbot.waitUntil(lambda: sum(session.rows[key].own.values()) == before + 1)
