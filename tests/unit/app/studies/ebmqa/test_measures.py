"""What each measure takes from an answer, and what that comes to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from app.studies.ebmqa.asking import ANSWERED
from app.studies.ebmqa.measures import MEASURES
from app.studies.ebmqa.words import CONTROL, evidence, fault
from app.studies.results import Item, Row

USUAL: Mapping[str, object] = {
    "state": ANSWERED, "offered": True, "second": False, "kept": False, "main": True, "credit": 1.0,
    "exact": True, "confidence": None, "position": None, "same": None,
}  # fmt: skip


def row(*, task: str = "sensitivity", guess: float | None = None, **graded: object) -> Row:
    reference = {} if guess is None else {"guess": {"target_prior": guess}}
    return Row(Item("i", task, {}, reference), "A", graded={**USUAL, **graded})


RIGHT = row(guess=0.5, confidence=0.95, position=0, same=True)
WRONG = row(guess=1.0, credit=0.0, exact=False, confidence=0.65, position=0, same=False)
PASSED = row(state="idk", credit=0.0, exact=False)
FORCED = row(offered=False, main=False, credit=0.5, position=3)
GUESSED = row(second=True, kept=True, main=False, credit=0.5)
INVENTED = row(task=CONTROL, state="idk", main=False)


def value(name: str, *rows: Row) -> float | None:
    """A measure over these answers, added up as all are."""
    (measure,) = (one for one in MEASURES if one.id == name)
    given = [one for one in map(measure.each, rows) if one is not None]
    if not given:
        return None
    numbers = [(float(one),) if isinstance(one, (int, float)) else tuple(one) for one in given]
    sums = [sum(part) for part in zip(*numbers, strict=True)]
    return measure.total(sums) if measure.total is not None else sums[0] / len(given)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("accuracy", (1 + 0 + 0.5) / 3),
        ("answer_rate", 2 / 3),
        ("accuracy_all", 1 / 3),
        ("above_guess", (1 - 1.5) / 2),
        ("accuracy_without_idk", 0.5),
        ("credit", 0.5),
        ("exact", 0.5),
        ("brier", (0.05**2 + 0.65**2) / 2),
        ("calibration_error", (0.05 + 0.65) / 2),
        ("position_rstd", None),
        ("consistency", 0.5),
        ("controls_answered", 0.0),
    ],
)
def test_a_measure_is_over_the_answers_that_it_speaks_of(name: str, expected: float | None) -> None:
    found = value(name, RIGHT, WRONG, PASSED, GUESSED, INVENTED, row(offered=False, main=False, credit=0.5))
    assert found == (None if expected is None else pytest.approx(expected))


def test_the_spread_over_positions_takes_two_of_them() -> None:
    assert value("position_rstd", RIGHT, WRONG) is None
    assert value("position_rstd", RIGHT, WRONG, FORCED) == 0
    assert value("position_rstd", RIGHT, FORCED) == pytest.approx(0.25)


ASKED: dict[str, Any] = {
    "question": "Q?",
    "idk": "X",
    "options": [{"key": "A", "text": "gout"}, {"key": "B", "text": "scurvy"}],
}
KNOWN: dict[str, Any] = {"correct": ["A"], "guess": {}}


@pytest.mark.parametrize(
    ("given", "reference", "said"),
    [
        ({}, {}, ""),
        ({"question": None}, {}, "a “question”, and a key “idk”"),
        ({"idk": 7}, {}, "a “question”, and a key “idk”"),
        ({"options": [{"key": "A"}]}, {}, "options need keys and texts"),
        ({"options": []}, {}, "the right answer A is none of its options"),
        ({}, {"correct": "A"}, "right answers are no list"),
        ({}, {"guess": []}, "guesses no object"),
        ({}, {"correct": ["C"]}, "the right answer C is none of its options"),
    ],
)
def test_an_item_that_cannot_be_asked_says_why(
    given: dict[str, Any], reference: dict[str, Any], said: str
) -> None:
    found = fault(Item("i", CONTROL, ASKED | given, KNOWN | reference, {}))
    assert said in found
    assert bool(found) == bool(said)


def test_what_is_right_stands_beside_an_item_with_its_numbers_and_sources() -> None:
    numbers = {"min": 0.25, "mid": 0.5, "max": 0.75}
    counted = {"option": "A", **numbers, "n": 1200, "m": 2400, "references": ["PMID:1", "PMID:2"]}
    reference = {**KNOWN, "evidence": [counted, {"option": "B", "mid": 0.125}, {"option": "X"}]}
    assert evidence(Item("i", CONTROL, ASKED, reference, {}, ["PMC7", 8])) == [
        ("Right", "A  gout"),
        ("Evidence for A  gout", "0.5 (0.25 to 0.75)\n1,200 of 2,400 patients\nPMID:1, PMID:2"),
        ("Evidence for B  scurvy", "0.125"),
        ("Evidence for X  I do not know: there is nothing of that name", "no value"),
        ("Source", "PMC7, 8"),
    ]
