"""The guideline beside the text follows amendments at once, and says what is new and by whom."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QDateTime
from PySide6.QtWidgets import QTextBrowser
from pytestqt.qtbot import QtBot

from app.gui.modes.annotate.guideline import SINCE, GuidelinePanel
from app.gui.session.project_session import ProjectSession
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.guidelines.amendments import amend_guideline
from extractors.model.guideline import Example, ExampleQuote
from tests.gui.conftest import ME
from tests.verbs import exposed

CLAUSE = "<b>Hiccups</b> after anaesthesia: `RESP`."
SHOWN = "<b>Hiccups</b> after anaesthesia: Respiratory."
EXAMPLE = Example("Odd", "Hiccups for days.", (ExampleQuote("Hiccups", "", "present", ()),), "")


def panel_of(session: ProjectSession, qtbot: QtBot) -> GuidelinePanel:
    return exposed(qtbot, GuidelinePanel(session), 300, 240)


def amend(
    session: ProjectSession,
    clause: str = CLAUSE,
    example: Example | None = None,
    category: str = "GI",
    by: str = "Dr Ruiz",
) -> None:
    session.worker.act(lambda p: amend_guideline(p, by, category, "Exclude", clause, example), lambda _: None)


def said(browser: QTextBrowser) -> str:
    return browser.toPlainText()


@pytest.fixture
def worked_on(project: Path, open_session: Callable[[Path], ProjectSession]) -> ProjectSession:
    """The sample reports; in the one that is open GI was annotated."""
    from app.store.project import Project

    with Project.open(project, write=True) as opened:
        add_span(opened, ME, SpanPlace("PMC99000001", 0, 4), "GI")
    session = open_session(project)
    assert session.report_model.key == "PMC99000001"
    session.use_category("GI")
    return session


def test_an_amendment_is_shown_at_once_with_day_and_author(session: ProjectSession, qtbot: QtBot) -> None:
    panel = panel_of(session, qtbot)
    session.use_category("GI")
    assert "amended" not in said(panel.text)
    with qtbot.waitSignal(session.scheme_changed):
        amend(session, example=EXAMPLE)
    today = QDateTime.currentDateTime().toString("d MMM yyyy")
    note = f" – amended {today}, Dr Ruiz"
    qtbot.waitUntil(lambda: f"{SHOWN}{note}" in said(panel.text))
    assert f"Odd{note}" in said(panel.text)
    assert said(panel.text).count("– amended") == 2
    assert CLAUSE in session.scheme.category("GI").guideline


def test_undo_and_redo_are_followed_and_the_place_is_kept(session: ProjectSession, qtbot: QtBot) -> None:
    panel = panel_of(session, qtbot)
    session.use_category("GI")
    panel.text.verticalScrollBar().setValue(120)
    amend(session, by=session.annotator)
    qtbot.waitUntil(lambda: SHOWN in said(panel.text))
    assert panel.text.verticalScrollBar().value() == 120
    session.undoing.undo()
    qtbot.waitUntil(lambda: SHOWN not in said(panel.text))
    assert "Hiccups" not in session.scheme.category("GI").guideline
    session.undoing.redo()
    qtbot.waitUntil(lambda: SHOWN in said(panel.text))


def test_an_amendment_from_before_is_shown_when_the_project_is_opened(
    project: Path, open_session: Callable[[Path], ProjectSession], qtbot: QtBot
) -> None:
    amend_guideline(project, "Dr Ruiz", "Vitals_Hema", "Include", "Pulse waves.")
    panel = panel_of(open_session(project), qtbot)
    qtbot.waitUntil(lambda: "Pulse waves. – amended" in said(panel.text))


def test_a_report_worked_on_before_is_told_what_is_new_and_where(
    worked_on: ProjectSession, qtbot: QtBot
) -> None:
    panel = panel_of(worked_on, qtbot)
    assert panel.since.isHidden()
    amend(worked_on)
    qtbot.waitUntil(panel.since.isVisible)
    assert panel.since.text() == f"{SINCE}: {CLAUSE}"
    assert SINCE in panel.since.accessibleDescription()
    panel.text.verticalScrollBar().setValue(0)
    panel.since.click()
    assert panel.text.verticalScrollBar().value() > 0
    worked_on.use_category("GU")
    assert panel.since.isHidden()
    worked_on.use_category("GI")
    assert panel.since.isVisible()
    with qtbot.waitSignal(worked_on.report_model.opened):
        worked_on.open_report("PMC99000002")
    assert panel.since.isHidden(), "before anybody was asked about the other report"
    worked_on.open_report("PMC99000001")
    qtbot.waitUntil(panel.since.isVisible)
    # Where nothing of the category is left, nothing was worked on before.
    worked_on.controller.remove(list(worked_on.report_model.spans))
    qtbot.waitUntil(panel.since.isHidden)


def test_what_is_taken_back_is_not_told(worked_on: ProjectSession, qtbot: QtBot) -> None:
    panel = panel_of(worked_on, qtbot)
    amend(worked_on, by=worked_on.annotator)
    qtbot.waitUntil(panel.since.isVisible)
    worked_on.undoing.undo()
    qtbot.waitUntil(panel.since.isHidden)


def test_the_sentence_takes_no_room_from_the_guideline(worked_on: ProjectSession, qtbot: QtBot) -> None:
    panel = panel_of(worked_on, qtbot)
    before = panel.minimumSizeHint().height()
    amend(worked_on)
    qtbot.waitUntil(panel.since.isVisible)
    assert panel.minimumSizeHint().height() >= before + panel.since.sizeHint().height()
