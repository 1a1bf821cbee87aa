"""The page on which a person rates: what it asks and shows, what a key gives, and what is left for later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.modes.study.rating import Criteria, RatePage, Rating, _spoken
from app.gui.session.project_session import ProjectSession
from app.operations.study.answers import Answered
from app.operations.study.judging import ToRate
from app.studies.results import Item, Row
from tests.gui.conftest import ME
from tests.toy_study.study import RUBRIC, STUDY

REFERENCE = {"from": "a book", "report": "PMC1", "answer": "gout", "evidence": "a tophus", "note": ""}


def to_rate(name: str = "one", given: Mapping[str, Any] | None = None, left: int = 2) -> ToRate:
    item = Item(name, "organ", {"question": "What is it?", "case": "A toe hurts."}, REFERENCE)
    answer = Answered("uuid", Row(item, ["ague", "gout"]), "Ague, gout")
    return ToRate(name, "run", answer, RUBRIC, "answer B", given or {}, left)


@pytest.fixture
def page(qtbot: QtBot) -> RatePage:
    made = RatePage()
    qtbot.addWidget(made)
    return made


def lines(criteria: Criteria) -> list[str]:
    return [criteria.item(row).text() for row in range(criteria.count())]


def test_an_answer_is_shown_with_the_reference_and_without_where_either_is_from(page: RatePage) -> None:
    parts = (page.criteria, page.save, page.later)
    assert ([part.isHidden() for part in parts], page.progress.text()) == ([True] * 3, "")
    page.show_answer("Ana", to_rate())
    assert not any(part.isHidden() for part in parts)
    said = "Ana rates: 2 answers left. This is answer B; whose it is stays hidden."
    assert page.progress.text() == said
    assert page.text.toPlainText() == (
        "Answer: answer B\nague, gout\nReference\nAnswer: gout\nFrom: a book\n"
        "Question\nWhat is it?\nCase\nA toe hurts."
    )
    assert page._hint.text() == "digits give values · Backspace takes back · Enter saves"
    page.show_answer("Ben", to_rate())
    assert page.progress.text() == said, "what is in view stays"
    page.show_answer("Ben", to_rate(given={"true": True}, left=1))
    assert page.progress.text().startswith("Ben rates: 1 answer left.")
    assert lines(page.criteria) == ["YES   True\nIt is so.", "–   Well put\nIt is well put."]
    assert page.criteria.currentRow() == 1
    yes_no = replace(RUBRIC, criteria={"true": (True, False)}, about={})
    page.show_answer("Ana", replace(to_rate("two"), rubric=yes_no))
    assert (page._hint.text().split(" · ")[0], lines(page.criteria)) == ("Y yes, N no", ["–   True"])
    page.show()
    page.take_focus()
    page.show_answer("Ana", None)
    assert page.focusWidget() is page.text, "the keys of the mode go on"
    assert page.progress.text() == "Nothing is left for Ana to rate."
    assert all(part.isHidden() for part in parts)


def test_keys_give_the_values_of_the_criterion_in_view_and_no_others(page: RatePage) -> None:
    rated: list[tuple[str, Mapping[str, Any]]] = []
    passed: list[str] = []
    page.rated.connect(lambda one, given: rated.append((one.id, given)))
    page.passed.connect(lambda one: passed.append(one.id))
    page.save.click()
    page.later.click()
    assert (rated, passed) == ([], [])
    page.show_answer("Ana", to_rate())
    criteria, key = page.criteria, QTest.keyClick
    key(criteria, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    key(criteria, Qt.Key.Key_2)
    assert (criteria.values, criteria.currentRow()) == ({"true": None, "clear": None}, 0)
    key(criteria, Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier)
    assert (criteria.values, criteria.currentRow()) == ({"true": False, "clear": None}, 1)
    key(criteria, Qt.Key.Key_3)
    assert criteria.values["clear"] is None
    key(criteria, Qt.Key.Key_0, Qt.KeyboardModifier.KeypadModifier)
    assert (criteria.values, criteria.currentRow()) == ({"true": False, "clear": 0}, 1)
    assert lines(criteria) == ["NO   True\nIt is so.", "0   Well put\nIt is well put."]
    key(criteria, Qt.Key.Key_Enter)
    # What is taken back is asked again, and the next is not gone to.
    criteria.setCurrentRow(0)
    key(criteria, Qt.Key.Key_Backspace)
    assert (criteria.values, criteria.currentRow()) == ({"true": None, "clear": 0}, 0)
    page.save.click()
    page.later.click()
    assert rated == [("one", {"true": False, "clear": 0}), ("one", {"true": None, "clear": 0})]
    assert passed == ["one"]


def test_what_is_passed_or_rated_in_part_comes_last_in_that_order(
    session: ProjectSession, page: RatePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(
        "app.gui.modes.study.rating.next_to_rate", lambda p, s, r, o, passed: asked.append((r, *passed))
    )
    monkeypatch.setattr("app.gui.modes.study.rating.rate_answer", lambda *_, **__: None)
    monkeypatch.setattr(session.worker, "ask", lambda call, then, *_, **__: then(call(None)))
    monkeypatch.setattr(session.worker, "act", lambda call, then: then(call(None)))
    rating = Rating(session, page, lambda: STUDY, lambda study: None)  # type: ignore[arg-type, return-value]
    rating.ask()
    page.passed.emit(to_rate("one"))
    page.rated.emit(to_rate("two"), {"true": None})
    page.passed.emit(to_rate("one"))
    page.rated.emit(to_rate("three"), {"true": False})
    first, last = (ME, "one", "two"), (ME, "two", "one")
    assert asked == [(ME,), (ME, "one"), first, last, last]
    assert page.progress.text() == f"Nothing is left for {ME} to rate."
    monkeypatch.setattr(type(session), "annotator", "Ben Okafor")
    rating.ask()
    assert asked[-1] == ("Ben Okafor",), "what another put off"
    monkeypatch.setattr(session.worker, "ask", lambda call, then, refused, **_: refused("No rubric."))
    rating.ask()
    assert page.progress.text() == "No rubric."


def test_of_a_reference_the_answer_comes_first_and_where_it_is_from_is_not_told() -> None:
    given = {"code": "1", "aliases": ["ague"], "answer": "gout", "evidence": ["a tophus"], "note": ""}
    assert list(_spoken(given)) == ["answer", "code", "aliases"]
