"""An amendment in the window: drafted, edited, seen, adopted, listed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.gui.dialogs.guidelines.amendment import AmendmentDialog
from app.gui.dialogs.guidelines.amendments import _UP_TO_DATE, EMPTY, AmendmentsDialog
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS
from app.operations.annotate.spans import SpanPlace, add_span, set_review_state
from app.operations.guidelines.amendments import WorkedOn, amend_guideline, list_amendments
from app.operations.reconcile.decisions import Resolution, decide
from app.operations.reconcile.queue import read_queue
from app.store.project import Project
from extractors.model.guideline import parse_guideline
from tests.gui.conftest import ME
from tests.gui.dialogs.conftest import Window
from tests.verbs import double_click

REPORT, OTHER = "PMC99000001", "Ben"
CLAUSE = "Hiccups after anaesthesia: `RESP`."


@pytest.fixture
def decision(project: Path) -> str:
    """A decision for one of two labels of the first words of the first report."""
    with Project.open(project, write=True) as opened:
        for name, category in ((ME, "GI"), (OTHER, "GU")):
            add_span(opened, name, SpanPlace(REPORT, 0, 11), category)
            set_review_state(opened, name, REPORT, "done")
        queue = read_queue(opened, ME, OTHER)
        return decide(opened, ME, queue, list(queue.differences), Resolution("left"))[0].uuid


def actions_on(window: QWidget) -> Actions:
    actions = Actions(window)
    actions.add(COMMANDS)
    return actions


def dialog_on(qtbot: QtBot, session: ProjectSession, window: Window, decision: str = "") -> AmendmentDialog:
    dialog = AmendmentDialog(session, actions_on(window), decision, window)
    dialog.open()
    if decision:
        qtbot.waitUntil(lambda: dialog.draft.decision != "")
    return dialog


def test_the_draft_of_a_decision_is_edited_and_adopted(
    qtbot: QtBot, window: Window, decision: str, project: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    session = open_session(project)
    dialog = dialog_on(qtbot, session, window, decision)
    assert REPORT in dialog.about.text()
    assert dialog.form.value.category == "GU"
    assert dialog.form.value.section == "Exclude"
    assert dialog.form.value.clause.endswith("`GI`.")
    assert not dialog.example.quotes.rowCount()
    assert dialog.example.reason.text().endswith("is `GI`.")
    assert "Gastrointestinal. – new" in dialog.preview.toPlainText()
    dialog.form.put(clause="Of another\norgan: `GI`.")
    qtbot.waitUntil(lambda: dialog.reports.count() == 1)
    assert dialog.reports.item(0).text() == f"{REPORT} – {OTHER}, {ME}"
    said: list[str] = []
    session.message.connect(said.append)
    with qtbot.waitSignals([session.scheme_changed, session.message, dialog.accepted]):
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert said == ["The guideline of Genitourinary was amended. Ctrl+Z undoes it."]
    made = list_amendments(project)
    assert [(one.category, one.clause, one.author, one.decision) for one in made] == [
        ("GU", "Of another organ: `GI`.", ME, decision)
    ]
    assert "### 8. From PMC99000001" in session.scheme.category("GU").guideline


def test_a_clause_that_was_written_is_thrown_away_only_when_asked(
    qtbot: QtBot,
    window: Window,
    project: Path,
    open_session: Callable[[Path], ProjectSession],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session, raised = open_session(project), list[str]()
    monkeypatch.setattr(window, "activateWindow", lambda: raised.append("the window"))
    for written in (False, True):
        dialog = dialog_on(qtbot, session, window)
        clause = dialog.form.box("clause", QPlainTextEdit)
        clause.setPlainText("Of a draft.")
        if written:
            QTest.keyClicks(clause, "Mine.")
        for act in ("Cancel", "Throw away") if written else ():
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
            assert dialog.isVisible()
            box = dialog.findChildren(QMessageBox)[-1]
            next(one for one in box.buttons() if one.text() == act).click()
            assert dialog.isVisible() is (act == "Cancel")
            assert len(raised) == (act != "Cancel"), "the keyboard is the window's again"
        if not written:
            with qtbot.waitSignal(dialog.rejected):
                QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_the_id_of_a_difference_will_do(
    qtbot: QtBot, window: Window, decision: str, project: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    difference = next(iter(read_queue(project, ME, OTHER).differences))
    assert dialog_on(qtbot, open_session(project), window, difference).draft.decision == decision


def test_where_nothing_can_be_drafted_it_says_why_and_one_may_write(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = AmendmentDialog(session, actions_on(window), "nope", window)
    dialog.open()
    qtbot.waitUntil(lambda: "no decision 'nope'" in dialog.about.text())
    assert not dialog.amend_button.isEnabled()
    dialog.form.put(clause=CLAUSE)
    assert dialog.amend_button.isEnabled()
    assert dialog.draft.clause == CLAUSE
    dialog.form.put(section="")
    assert dialog.draft.clause == ""


def test_without_a_decision_it_begins_empty_for_the_category_in_use(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    session.use_category("DERM")
    dialog = dialog_on(qtbot, session, window)
    assert dialog.form.value.category == "DERM"
    assert (dialog.notice.text(), dialog.amend_button.isEnabled()) == ("", False)
    qtbot.waitUntil(lambda: "Nobody" in dialog.affected.text())
    # What comes late of a category that was left is not this one's.
    dialog._list_reports(("GI", [WorkedOn(REPORT, OTHER, "2026-01-01T00:00:00Z")]))
    assert ("Nobody" in dialog.affected.text(), dialog.reports.count()) == (True, 0)


def test_what_cannot_be_added_is_said_before_it_is_tried(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    session.use_category("GI")
    dialog = dialog_on(qtbot, session, window)
    dialog.form.put(clause="# Exclude")
    assert "cannot begin" in dialog.notice.text()
    assert not dialog.amend_button.isEnabled()
    there = parse_guideline(session.scheme.category("GI").guideline, "GI").exclude[0]
    dialog.form.put(section="Exclude")
    dialog.form.put(clause=there)
    assert "stands in Exclude already" in dialog.notice.text()
    dialog.form.put(clause=CLAUSE)
    assert (dialog.notice.text(), dialog.amend_button.isEnabled()) == ("", True)


def test_an_example_is_marked_by_selecting_its_words(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    session.use_category("GI")
    dialog = dialog_on(qtbot, session, window)
    example = dialog.example
    assert not example.text.isEnabled()
    dialog.form.put(section="")
    assert not dialog.form.box("clause", QPlainTextEdit).isEnabled()
    example.wanted.click()
    assert dialog.notice.text()
    example.text.setPlainText("No <i>colic</i> 😊 today.")
    assert "names no quote" in dialog.notice.text()
    example.text.moveCursor(QTextCursor.MoveOperation.Start)
    assert not example.add.isEnabled()
    cursor = example.text.textCursor()
    cursor.setPosition(18, QTextCursor.MoveMode.KeepAnchor)
    example.text.setTextCursor(cursor)
    # Why there was nothing to mark is no reason any more once something is marked.
    example.reason.setText("It is denied.")
    example.add.click()
    assert dialog.notice.text() == ""
    box = example.quotes.cellWidget(0, 1)
    assert isinstance(box, QWidget)
    assert "“No <i>colic</i> 😊”" in box.accessibleName()
    example._box(0, 1).setCurrentText("gastrointestinal")
    example._box(0, 2).setCurrentText("negated")
    made = dialog.draft.example
    assert made is not None
    assert made.reason == ""
    example.reason.clear()
    assert [(one.quote, one.field, one.polarity) for one in made.quotes] == [
        ("No <i>colic</i> 😊", "gastrointestinal", "negated")
    ]
    assert "“No <i>colic</i> 😊” – gastrointestinal, negated" in dialog.preview.toPlainText()
    # What is marked may be typed as well, and is looked for in the text at once.
    quote = example.quotes.item(0, 0)
    assert quote is not None
    for words, says in (("pain", "pain"), ("No <i>colic</i> 😊", "")):
        quote.setText(words)
        assert says in dialog.notice.text()
    dialog.form.put(category="GU")
    assert dialog.draft.example_quotes[0].field == ""
    # The mark that is chosen can be taken away.
    for row in (-1, 0):
        example.quotes.setCurrentCell(row, 0)
        assert example.remove.isEnabled() == (row == 0)
    example.remove.click()
    assert "names no quote" in dialog.notice.text()
    example.reason.setText("It is absent.")
    with qtbot.waitSignals([session.scheme_changed, dialog.accepted]):
        dialog.amend_button.click()
    assert (
        parse_guideline(session.scheme.category("GU").guideline, "GU").examples[-1].reason == "It is absent."
    )


def test_without_amendments_it_is_said_what_they_are_for(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = AmendmentsDialog(session, actions_on(window), window)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.about.text() == EMPTY)
    assert not dialog.open_button.isEnabled()
    dialog.add.click()
    adding = window.wait_for(AmendmentDialog)
    adding.form.put(clause=CLAUSE)
    adding.amend_button.click()
    qtbot.waitUntil(lambda: len(dialog.table.texts) == 1)
    assert dialog.about.isHidden()
    name = session.scheme.category(session.category).name
    assert (dialog.words.text(), dialog.open_button.isEnabled()) == (_UP_TO_DATE.format(name), False)


def test_the_list_tells_what_was_added_and_opens_an_older_report(
    qtbot: QtBot, window: Window, decision: str, project: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    amend_guideline(project, "Dr Ruiz", "DERM", "Include", "Blush.")
    amend_guideline(project, "Dr Ruiz", "GU", "Exclude", CLAUSE)
    session = open_session(project)
    session.open_report("PMC99000002")
    qtbot.waitUntil(lambda: session.report_model.key == "PMC99000002")
    dialog = AmendmentsDialog(session, actions_on(window), window)
    dialog.open()
    qtbot.waitUntil(lambda: len(dialog.table.texts) == 2)
    assert dialog.table.texts[0][1:] == ("Genitourinary", f"Exclude: {CLAUSE}", "Dr Ruiz")
    qtbot.waitUntil(lambda: dialog.difference.toPlainText() == f"Exclude:\n• {CLAUSE}")
    assert dialog.reports.item(0).text().startswith(f"{REPORT} – {OTHER}, worked on ")
    assert dialog.words.text() == "Worked on under the older text of Genitourinary; review them again:"
    dialog.table.selectRow(1)
    qtbot.waitUntil(lambda: dialog.difference.toPlainText() == "Include:\n• Blush.")
    assert dialog.words.text() == "Worked on under the older text of Dermatology; review them again:"
    dialog.table.selectRow(0)
    double_click(dialog.reports, 0)
    qtbot.waitUntil(lambda: session.report_model.key == REPORT)
    assert session.category == "GU"
