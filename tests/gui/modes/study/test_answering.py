"""The page on which a person answers questions of evidence: by keys alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.modes.study.answering import AnswerPage
from app.operations.study.items import KeptItem
from app.operations.study.people import Question
from app.studies.ebmqa.study import STUDY
from app.studies.results import Item

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
    [("b", False, "B"), ("3", False, "C"), ("k", False, "X"), ("0", False, "X"),
     ("ac", True, ["A", "C"]), ("ak", True, ["X"]), ("kb", True, ["B"]), ("aa", True, None)],
)  # fmt: skip
def test_letters_and_digits_take_options_and_k_or_0_is_i_do_not_know(
    page: AnswerPage, keys: str, several: bool, value: object
) -> None:
    page.show_question(STUDY, "Ana", question(several=several))
    QTest.keyClicks(page.options, keys)
    assert page.options.value == value


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
    QTest.keyClick(page.options, Qt.Key.Key_B)
    with qtbot.waitSignal(page.answered) as given:
        QTest.keyClick(page.options, Qt.Key.Key_Return)
    assert given.args is not None
    assert given.args[0] == "B"
    assert given.args[1] >= 0


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
