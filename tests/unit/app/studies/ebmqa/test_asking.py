"""What is seen in answers: their state, which count as guesses, how sure and how steady they are."""

from __future__ import annotations

from typing import Any

import pytest

from app.studies.ebmqa.asking import (
    ANSWERED,
    IDK_SAID,
    INVALID,
    MISSING,
    PASSED,
    choose,
    counts,
    form_of,
    grade,
    person,
    shown_keys,
    times,
)
from app.studies.ebmqa.words import CONTROL
from app.studies.results import Item, Row

OPTIONS = [{"key": key, "text": key.lower()} for key in "ABC"]
IDK = ["D"]


def row(name: str, value: list[str] | None, *, task: str = "existence", error: str = "", **again: Any) -> Row:  # noqa: ANN401
    given = {"options": OPTIONS, "idk": "D", "question": "?"}
    return Row(Item(name, task, given, {"correct": ["A"]}), value, error, again)


def test_every_order_is_asked_with_and_without_idk_but_invented_questions_only_with_it() -> None:
    own, invented = row("a", None).item, row("b", None, task=CONTROL).item
    settings = {"idk": "both", "orders": 2, "seeds": 1}
    assert times(own, settings) == [{}, {"idk": False}, {"order": 1}, {"order": 1, "idk": False}]
    assert times(invented, settings) == [{}, {"order": 1}]
    assert times(own, {"idk": "no", "orders": 1, "seeds": 2}) == [{"idk": False}, {"seed": 1, "idk": False}]
    asked = {idk: list(choose([own, invented], {"idk": idk})) for idk in ("yes", "no", "both", None)}
    assert asked == {"yes": [own, invented], "no": [own], "both": [own, invented], None: [own, invented]}
    # IDK goes along with the options in the paper's prompt, and stands last in ours, if it is there at all.
    orders: tuple[dict[str, Any], ...] = ({}, {"order": 1}, {"idk": False}, {"order": 1, "idk": False})
    assert ["".join(shown_keys(own, again, "ours")) for again in orders] == ["ABCD", "CBAD", "ABC", "CBA"]
    assert ["".join(shown_keys(own, again, "paper")) for again in orders] == ["ABCD", "DCBA", "ABC", "CBA"]
    # Whoever is held to the form may say IDK where it is offered: by its own key, or the letter of its place.
    forms = [
        form_of(own, shown_keys(own, again, style), lettered_idk=style == "paper").schema()
        for style in ("ours", "paper")
        for again in ({}, {"order": 1}, {"idk": False})
    ]
    allowed = ["".join(one["properties"]["answer"]["enum"]) for one in forms]
    assert allowed == ["ABCD", "ABCD", "ABC", "ABCD", "ABCD", "ABC"]
    # A person is asked for a guess once where the answer was not known, never about what is invented.
    passed = [row("a", IDK)]
    assert [
        person(own, given, {}) for given in ([], passed, [*passed, row("a", ["A"])], [row("a", ["A"])])
    ] == [
        {},
        {"idk": False},
        None,
        None,
    ]
    assert person(invented, passed, {}) is None


def graded(kind: str, *rows: Row) -> dict[str, list[Any]]:
    found = grade(rows, {"kind": kind, "prompt": "ours"})
    return {key: [one[key] for one in found] for key in found[0]}


def test_an_answer_is_right_wrong_unknown_unread_or_not_there() -> None:
    rows = (row("a", ["A"]), row("b", ["C"]), row("c", IDK), row("d", None, error=INVALID), row("e", None))
    found = graded("model", *rows, row("f", ["B"], task=CONTROL))
    assert found["state"] == [ANSWERED, ANSWERED, IDK_SAID, INVALID, MISSING, ANSWERED]
    assert found["credit"] == [1, 0, 0, 0, 0, 0]
    assert found["exact"] == [True, False, False, False, False, False]
    assert found["main"] == [True] * 5 + [False]
    assert found["position"] == [0] * 6
    assert not any(found["second"] + found["kept"])


@pytest.mark.parametrize(
    ("rows", "state", "second", "kept", "same"),
    [
        # A guess after "I do not know" is a second answer, and says nothing of steadiness.
        ([(IDK, True), (["A"], False)], [IDK_SAID, ANSWERED], [0, 1], [0, 0], [None, None]),
        ([(["B"], True)], [ANSWERED], [0], [1], [None]),
        # Who knows after all has no guess any more.
        ([(["A"], True), (["B"], False)], [ANSWERED, PASSED], [0, 1], [1, 0], [None, None]),
        ([(IDK, True)], [IDK_SAID], [0], [0], [None]),
    ],
)
def test_a_persons_second_answer_is_a_guess_where_the_first_was_none(
    rows: list[tuple[list[str], bool]], state: list[str], second: list[int], kept: list[int], same: list[Any]
) -> None:
    found = graded("person", *(row("a", value, idk=idk) for value, idk in rows))
    assert (found["state"], found["second"], found["kept"], found["same"]) == (state, second, kept, same)
    # What a model says without "I do not know" is an answer of its own.
    of_model = graded("model", *(row("a", value, idk=idk) for value, idk in rows))
    assert not any(of_model["second"] + of_model["kept"])
    assert of_model["main"] == [idk for _, idk in rows]


def test_guesses_of_one_question_do_not_speak_of_its_other_answers() -> None:
    rows = [row("a", IDK), *(row("a", [key], idk=False, seed=seed) for seed, key in enumerate("AB"))]
    assert graded("person", *rows)["same"] == [None] * 3
    assert graded("model", *rows)["same"] == [None, False, None]
    assert graded("person", *rows, row("b", ["A"]))["kept"] == [False, False, False, True]
    told = [
        row("a", ["A"]),
        row("a", ["A"], order=1),
        row("b", ["A"]),
        row("b", IDK, order=1),
        row("c", None),
    ]
    found = graded("model", *told, row("a", ["A"], task=CONTROL), row("a", ["B"], task=CONTROL, order=1))
    assert found["same"] == [True, None, False, None, None, None, None]


def test_without_probabilities_repeated_answers_say_how_sure_a_model_is() -> None:
    values = (["A"], ["A"], ["B"], None, IDK)
    seeds = [row("a", value, seed=seed) for seed, value in enumerate(values)]
    found = graded("model", *seeds, row("a", ["A"], order=1), row("b", ["A"]))
    assert found["confidence"] == [2 / 4, 2 / 4, 1 / 4, None, None, None, None]
    rows = [
        Row(one.item, one.value, one.error, one.again, graded=it)
        for one, it in zip(seeds, grade(seeds, {}), strict=True)
    ]
    told = counts(rows)
    assert [told[key] for key in ("n", "items", "unscored", ANSWERED, IDK_SAID, MISSING)] == [
        5,
        1,
        1,
        3,
        1,
        1,
    ]
