"""The page on which a person answers questions of evidence: by keys alone."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QWidget
from pytestqt.qtbot import QtBot

from app.gui.modes.study.answering import AnswerPage, Options
from app.gui.modes.study.start import Wanted
from app.operations.study.items import KeptItem
from app.operations.study.people import Question, Sitting
from app.studies.ebmqa.study import STUDY
from app.studies.results import Item
from extractors.tasks.forms import Choice, Ranking, Text
from tests.toy_study.study import STUDY as TOY
from tests.verbs import double_click

KEYS = {"A": "80 % or more", "B": "30 % or more", "C": "less than 30 %"}


def question(*, several: bool = False, round_: int = 1) -> Question:
    options = [{"key": key, "text": text} for key, text in KEYS.items()]
    given = {"question": "How many?", "options": options, "idk": "X", "several": several}
    again = {} if round_ == 1 else {"idk": False}
    return Question(KeptItem("1", Item("1", "numeric", given)), again, round_, 3, 5)


@pytest.fixture
def page(qtbot: QtBot) -> AnswerPage:
    made = AnswerPage()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    ("keys", "several", "value"),
    [("b", False, "B"), ("3", False, "C"), ("4", False, None), ("k", False, "X"), ("0", False, "X"),
     ("ac", True, ["A", "C"]), ("ak", True, ["X"]), ("kb", True, ["B"]), ("aa", True, None)],
)  # fmt: skip
def test_letters_and_digits_take_options_and_k_or_0_is_i_do_not_know(
    page: AnswerPage, keys: str, several: bool, value: object
) -> None:
    page.show_question(STUDY, "Ana", question(several=several))
    QTest.keyClicks(page.options, keys)
    assert page.options.value == value


def test_an_option_clicked_twice_is_the_answer(page: AnswerPage, qtbot: QtBot) -> None:
    page.show_question(STUDY, "Ana", question())
    with qtbot.waitSignal(page.options.given):
        double_click(page.options, 1)
    assert page.options.value is not None


def test_an_item_is_asked_with_the_keys_that_answer_it_and_once(page: AnswerPage) -> None:
    keys = "Enter saves · Backspace goes back · P parks"
    parts = (page.options, page.words, page.bar)
    page.show_question(TOY, "Ana", None)
    assert page.progress.text() == "Ana has answered everything there is to answer."
    assert [part.isHidden() for part in parts] == [True] * 3
    assert not page.button.isEnabled()
    liver = Question(KeptItem("7", Item("7", "organ", {"finding": "ascites"})), {}, 1, 1, 4, "B")
    page.show_question(TOY, "Ana", liver)
    assert page.progress.text() == "Ana answers: 1 item left."
    assert page.text.toPlainText() == "Finding\nascites\nItem\n7"
    assert [page.options.item(row).text() for row in (0, 1)] == ["1   A   liver", "2   B   kidney"]
    assert (page.options.value, page._hint.text()) == ("B", f"A digit or letter takes an option · {keys}")
    assert page._hint.text() in page.options.toolTip()
    page.show_question(TOY, "Ana", replace(liver, allowed=(("Only these count", "ascites"),)))
    assert page.text.toPlainText().endswith("7\nOnly these count\nascites")
    page.show_question(TOY, "Ana", liver)
    assert ([part.isHidden() for part in parts], page.bar.value()) == ([False, True, False], 3)
    assert page.button.isEnabled()
    # What is asked already stays as it is.
    QTest.keyClick(page.options, Qt.Key.Key_1, Qt.KeyboardModifier.KeypadModifier)
    QTest.keyClick(page.options, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    page.show_question(TOY, "Ana", replace(liver))
    assert page.options.value == "A"
    page.show_question(STUDY, "Ana", question(several=True))
    taken = "A digit or letter takes an option"
    assert (
        page._hint.text() == f"{taken} · K or 0: I do not know · several may be right, Space ticks · {keys}"
    )
    assert page.options.item(3).text() == "K   I do not know"
    page.show_question(STUDY, "Ana", question(round_=2))
    said = "Ana answers: 3 items left, second round: a guess for what you did not know."
    assert (page.progress.text(), page._hint.text()) == (said, f"{taken} · {keys}")
    assert page.options.value is None
    page.refuse("No.")
    page.show_nothing("There is nothing.")
    assert not any(button.isEnabled() for button in page._buttons)
    assert (page.progress.text(), page.problem.text(), page.text.toPlainText()) == (
        "There is nothing.",
        "",
        "",
    )
    assert [part.isHidden() for part in parts] == [True] * 3


def test_words_answer_where_there_are_no_options_and_the_clock_runs_on(
    page: AnswerPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("app.gui.modes.study.answering.time.monotonic", lambda: now[0])
    given: list[tuple[object, float]] = []
    page.answered.connect(lambda value, seconds: given.append((value, seconds)))
    keep = partial(QTest.keyClick, page.words, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    keep()
    assert page.problem.text() == ""
    first, second = (Question(KeptItem(one, Item(one, "organ", {})), {}, 1, 1) for one in "12")
    ranked = replace(TOY, form=lambda item: Ranking(10))
    page.show_question(ranked, "Ana", first)
    assert page._hint.text() == "One name a line, the likeliest first · Ctrl+Enter saves and goes on"
    page.words.setPlainText(" \n ")
    now[0] += 5
    keep()
    assert (page.problem.text(), given) == ("Choose an option first, or write an answer.", [])
    # What another looked at before is no time of hers.
    page.show_question(ranked, "Ben", second)
    now[0] += 60
    page.leave()
    page.show_question(replace(TOY, form=lambda item: Text()), "Ana", second)
    assert (page._hint.text(), page.words.toPlainText()) == ("Ctrl+Enter saves and goes on", "")
    page.words.setPlainText(" \n")
    page.button.click()
    assert (page.problem.text(), given) == ("Choose an option first, or write an answer.", [])
    page.words.setPlainText(" gout \n")
    now[0] += 7
    keep()
    # Of a question that was left the time before counts as well.
    page.show_question(ranked, "Ana", first)
    page.words.setPlainText(" gout \n\nague\n")
    QTest.keyClick(page.words, Qt.Key.Key_Return)
    now[0] += 0.5
    page.button.click()
    page.refuse("Not saved.")
    now[0] += 2
    page.button.click()
    assert given == [("gout", 7.0), (["gout", "ague"], 5.5), (["gout", "ague"], 7.5)]
    assert page.question is not None
    page.keep_nothing_of(page.question, "Ana")
    # Who goes back finds what was written.
    for study, value, written in (
        (ranked, ["gout", "ague"], "gout\nague"),
        (replace(TOY, form=lambda item: Text()), "gout", "gout"),
    ):
        page.show_question(study, "Ana", replace(first, given=value))
        assert page.words.toPlainText() == written


def test_words_that_are_no_answer_yet_wait_until_their_question_is_asked_again(page: AnswerPage) -> None:
    study = replace(TOY, form=lambda item: Text())
    first, second = (Question(KeptItem(one, Item(one, "organ", {})), {}, 1, 1) for one in "12")
    page.show_question(study, "Ana", replace(first, given="ague"))
    page.show_question(study, "Ana", first)
    assert not page.unsaved, "what was answered is on disk"
    QTest.keyClicks(page.words, "gout")
    assert page.unsaved
    for person, question, written in (
        ("Ana", second, ""),
        ("Ben", first, ""),
        ("Ana", replace(first, given="ague"), "gout"),
    ):
        page.leave()
        assert page.unsaved
        page.show_question(study, person, question)
        assert page.words.toPlainText() == written
    page.leave()
    page.keep_nothing_of(first, "Ana")
    assert not page.unsaved
    page.show_question(study, "Ana", replace(first, given="gout"))
    assert not page.unsaved


def test_a_guess_has_no_i_do_not_know_and_keys_go_on_go_back_and_park(page: AnswerPage, qtbot: QtBot) -> None:
    page.show_question(STUDY, "Ana", question(round_=2))
    assert page.options.count() == len(KEYS)
    assert (page.bar.value(), page.bar.maximum()) == (2, 5)
    for key, signal in (
        (Qt.Key.Key_Backspace, page.back),
        (Qt.Key.Key_P, page.parked),
    ):
        with qtbot.waitSignal(signal):
            QTest.keyClick(page.options, key)
        with qtbot.assertNotEmitted(signal):
            QTest.keyClick(page.options, key, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(page.options, Qt.Key.Key_B)
    with qtbot.waitSignal(page.answered) as given:
        QTest.keyClick(page.options, Qt.Key.Key_Return)
    assert given.args is not None
    assert given.args[0] == "B"
    assert given.args[1] >= 0


def test_options_that_all_but_fit_are_scrolled_by_what_is_lacking(qtbot: QtBot) -> None:
    options = Options()
    qtbot.addWidget(options)
    options.put(Choice({key: "a finding" for key in "abcd"}))
    options.setFixedHeight(4 * options.sizeHintForRow(0) - 4)
    options.show()
    QTest.keyClick(options, Qt.Key.Key_D)
    assert options.verticalScrollBar().value() > 0
    assert options.visualItemRect(options.item(0)).bottom() > 0


def test_digits_that_are_options_themselves_are_no_places(qtbot: QtBot) -> None:
    options = Options()
    qtbot.addWidget(options)
    options.put(Choice({"2": "two", "3": "three"}))
    QTest.keyClick(options, Qt.Key.Key_1)
    assert options.value is None
    QTest.keyClick(options, Qt.Key.Key_2)
    assert options.value == "2"


def test_a_sitting_goes_on_with_its_groups_as_far_as_there_are_items_of_them(page: AnswerPage) -> None:
    grouped = replace(TOY, groups="organ", called=lambda label, value: value.capitalize())
    there = Sitting(3, count=7, groups=("liver", "gone"))
    assert [page.start.put(grouped, "Ana", there, {"liver": 2, "kidney": 1}) for _ in range(2)] == [
        True,
        False,
    ]
    form = page.start.form
    assert form is not None
    assert form.value == Wanted(7, ("liver",))
    assert [box.text() for box in form.box("groups", QWidget).findChildren(QCheckBox)] == [
        "Liver (2)",
        "Kidney (1)",
    ]
    page.start.put(grouped, "Ana", replace(there, answered=0, groups=()), {"liver": 2})
    assert page.start.form is not None
    assert page.start.form.value == Wanted(20, ())


def test_what_begins_a_sitting_has_letters_that_no_menu_has(page: AnswerPage) -> None:
    texts = (page.start.begin.text(), page.start.model.text())
    assert not {text[text.index("&") + 1].casefold() for text in texts} & set("persmvh")


def test_in_few_lines_the_question_has_the_room_of_the_field(page: AnswerPage) -> None:
    page.show()
    line = page.fontMetrics().lineSpacing()
    heights = []
    for lines in (18, 40):
        page.resize(60 * line, lines * line)
        heights.append(page.words.height())
    assert heights[0] < 3 * line < 5 * line < heights[1]


def test_the_question_is_read_before_many_options(page: AnswerPage) -> None:
    asked = question()
    given = asked.kept.item.input
    many = [{"key": key, "text": f"a disease of which the name is long {key}"} for key in "ABCDEFGHI"]
    item = replace(asked.kept.item, input={**given, "question": "How many? " * 8, "options": many})
    page.resize(450, 25 * page.fontMetrics().lineSpacing())
    page.show()
    page.show_question(STUDY, "Ana", replace(asked, kept=KeptItem("1", item)))
    QTest.qWait(0)
    assert page.text.verticalScrollBar().maximum() == 0
    assert page.options.verticalScrollBar().maximum() > 0
