"""A person's sitting in the window: of which groups, how many, parked, gone back to, taken up again."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from app.gui.modes.study.answering import AnswerPage
from app.gui.modes.study.mode import StudyMode
from app.gui.modes.study.start import Wanted
from app.gui.shell.main_window import MainWindow
from app.operations.study.answers import answered, study_runs
from app.operations.study.items import KeptItem
from app.operations.study.people import Question
from app.store.project import Project
from app.studies import STUDIES
from app.studies.results import Item
from extractors.tasks.forms import Text
from tests.gui.conftest import ME
from tests.gui.modes.study.test_study_mode import RETURN, Enter, built, enter, no_other, recorded, starts
from tests.toy_study.study import STUDY
from tests.verbs import press

__all__ = ["enter", "no_other"]
IN_WORDS = replace(STUDY, form=lambda item: Text())
GROUPED = replace(STUDY, groups="organ", called=lambda label, value: value.capitalize())


def asks(page: AnswerPage, finding: str, qtbot: QtBot) -> None:
    """Wait until that is asked."""
    qtbot.waitUntil(
        lambda: (
            page.question is not None and page.question.kept.item.id == finding and page.options.isVisible()
        )
    )
    qtbot.waitUntil(page.options.hasFocus)


def answers(page: AnswerPage, finding: str, key: str, qtbot: QtBot) -> None:
    asks(page, finding, qtbot)
    press(key)
    press(RETURN)


def given(project: Project) -> dict[str, Any]:
    (run,) = study_runs(project, GROUPED, [ME])
    return {one.row.item.id: one.row.value for one in answered(project, GROUPED, run)}


def test_words_stay_with_their_question_until_they_are_its_answer(
    enter: Enter, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STUDIES, "toy", f"{__name__}:IN_WORDS")
    monkeypatch.setattr(QMessageBox, "exec", lambda box: None)
    mode = enter()
    page = mode.answering
    built(mode, window, qtbot)
    press("a")
    qtbot.waitUntil(page.words.hasFocus)
    QTest.keyClicks(page.words, "icterus")
    bench = window.workbench
    assert bench is not None
    for person, written in (("Ben Okafor", ""), (ME, "icterus")):
        bench.session.set_annotator(person)
        qtbot.waitUntil(partial(starts, page.progress, person))
        assert page.words.toPlainText() == written
    first = page.question
    page.button.click()
    qtbot.waitUntil(lambda: page.question not in (None, first))
    assert (page.words.toPlainText(), page.unsaved) == ("", False)


def lists(mode: StudyMode, told: set[str]) -> bool:
    return {answer for _, _, answer, _ in mode.items.list.texts} == told


def test_a_project_is_closed_over_words_that_are_no_answer_yet_only_when_that_is_said(
    enter: Enter, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = enter().answering
    asked, answers = [], ["Cancel", "Throw away"]

    def answer(box: QMessageBox) -> None:
        asked.append(box.text())
        next(button for button in box.buttons() if button.text() == answers[len(asked) - 1]).click()

    monkeypatch.setattr(QMessageBox, "exec", answer)
    question = Question(KeptItem("1", Item("1", "organ", {})), {}, 1, 1)
    page.show_question(replace(STUDY, form=lambda item: Text()), ME, question)
    QTest.keyClicks(page.words, "Fabry disease, because")
    page.leave()
    assert [window.close_project(), window.close_project()] == [False, True]
    assert asked[0].startswith("What you wrote in Study is not saved.")


def test_a_sitting_is_of_the_groups_that_are_chosen_and_is_taken_up_again(
    enter: Enter, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STUDIES, "toy", f"{__name__}:GROUPED")
    mode = enter()
    page = mode.answering
    press("a")
    qtbot.waitUntil(lambda: page.progress.text().startswith("There are no items to be answered yet"))
    built(mode, window, qtbot)
    press("a")
    qtbot.waitUntil(lambda: page.start.form is not None)
    assert page.start.isVisible()
    assert (page.start.title.text(), page.start.begin.text()) == (f"{ME}: Toy study", "&Begin")
    assert page.start.form is not None
    assert page.start.form.value == Wanted(20, ())
    page.start.form.put(groups=("liver",), count=None)
    page.start.begin.click()
    asks(page, "jaundice", qtbot)
    assert page.start.isHidden()
    # What waits comes again in the order in which it was put off.
    for finding in ("jaundice", "ascites", "jaundice"):
        asks(page, finding, qtbot)
        press("p")
    answers(page, "ascites", "a", qtbot)
    asks(page, "jaundice", qtbot)
    press(Qt.Key.Key_Backspace)
    asks(page, "ascites", qtbot)
    assert page.options.value == "A"
    press("b")
    press(RETURN)
    asks(page, "jaundice", qtbot)
    assert recorded(mode, qtbot, given) == {"ascites": "B"}
    press(Qt.Key.Key_Backspace)
    asks(page, "ascites", qtbot)
    assert page.options.value == "B", "what was answered last"
    press(RETURN)
    asks(page, "jaundice", qtbot)
    # The list of items, which is not read at every answer, has them once it is looked at.
    for run, told in ((ME, {"B", ""}), ("", {""})):
        mode.lists.choose_run(run)
        press("i")
        qtbot.waitUntil(partial(lists, mode, told))
        press("a")
        asks(page, "jaundice", qtbot)
    # Nobody goes back to what another was asked.
    bench = window.workbench
    assert bench is not None
    bench.session.set_annotator("Ben Okafor")
    qtbot.waitUntil(lambda: page.start.title.text().startswith("Ben Okafor"))
    page.start.begin.click()
    qtbot.waitUntil(lambda: page.question is not None and page.options.hasFocus())
    asked = page.question
    press(Qt.Key.Key_Backspace)
    assert page.question is asked
    bench.session.set_annotator(ME)
    window.close_project()
    mode = enter()
    press("a")
    again = mode.answering.start
    qtbot.waitUntil(partial(starts, again.about, "You have given 1 answer and go on where you stopped. "))
    assert again.isVisible()
    assert again.begin.text() == "&Go on"
    assert again.form is not None
    assert again.form.value == Wanted(None, ("liver",))
    again.begin.click()
    asks(mode.answering, "jaundice", qtbot)
    press(Qt.Key.Key_Backspace)
    assert "Undo takes back" in mode.answering.problem.text(), (
        "what was answered before cannot be gone back to"
    )
    answers(mode.answering, "jaundice", "a", qtbot)
    qtbot.waitUntil(lambda: "answered everything" in mode.answering.progress.text())
    assert recorded(mode, qtbot, given) == {"ascites": "B", "jaundice": "A"}
