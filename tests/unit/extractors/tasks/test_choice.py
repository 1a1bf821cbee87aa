"""Replies that name options under letters are read by rule; the last answer counts."""

from __future__ import annotations

import json
from math import exp

import pytest

from extractors.tasks.choice import Options, sureness

WORDS = {"A": "80 % or more", "B": "30 % or more, but less than 80 %", "C": "less than 30 %"}
ONE = Options({key: key for key in WORDS}, WORDS, "X")
MANY = Options({key: key for key in "ABCD"}, {key: f"finding {key.lower()}" for key in "ABCD"}, "X", True)


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('{"answer": "B"}', ["B"]),
        ("b.", ["B"]),
        ("(C)", ["C"]),
        ("**B**", ["B"]),
        ("$B$", ["B"]),
        (r"The answer is $\boxed{\text{A}}$.", ["A"]),
        ("Answer: **C**) less than 30 %", ["C"]),
        ("less than 30 %", ["C"]),
        ("A patient with this disease is rare, so I pick C.", ["C"]),
        ("A. No, wait, that is wrong. The correct answer is B.", ["B"]),
        ("Don't know", ["X"]),
        ("I don’t know.", ["X"]),
        ("I do not know", ["X"]),
        ("IDK", ["X"]),
        ("X", ["X"]),
        ("First I thought B, but I really do not know.", ["X"]),
        ("The answer is B. No, I do not know.", ["X"]),
        ("A. 80 % or more\nThat is what the series say.", ["A"]),
        ("A. 80 % or more\nB. 30 % or more, but less than 80 %\nC. less than 30 %\nAnswer: A", ["A"]),
        ("Answer: A\nA. 80 % or more\nB. 30 % or more, but less than 80 %\nC. less than 30 %", ["A"]),
        ("The answer is D.", None),
        ("80% or more", ["A"]),
        ("A, no wait, B", ["B"]),
        ("Not A, but C", ["C"]),
        ("A is wrong. B is right.", ["B"]),
        ("My answer is (c).", ["C"]),
        ("<b>B</b>", ["B"]),
        ("I don't know, but if I must guess: B", ["B"]),
        ("is " * 30_000, None),
        ("Answer: A." + " Or so it goes." * 400 + " Answer: B.", ["B"]),
        ("A, B", None),
        ("purple", None),
        ("", None),
        ('{"answer": "Q"}', None),
    ],
)
def test_one_answer_is_read_in_whatever_form_it_comes(reply: str, value: list[str] | None) -> None:
    reading = ONE.read(reply)
    assert (reading.value, reading.problems) == (value, () if value else ("invalid",))


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('{"answer": ["C", "A"]}', ["A", "C"]),
        ("A and C", ["A", "C"]),
        ("AC", ["A", "C"]),
        ("- A\n- C", ["A", "C"]),
        ("**A, C**", ["A", "C"]),
        ("The answers are B, D.", ["B", "D"]),
        (json.dumps("A C"), ["A", "C"]),
        ('["X"]', ["X"]),
        ('["A", "X"]', None),
        ('["A", "Z"]', None),
        ("A, Z", None),
    ],
)
def test_several_answers_are_read_in_the_order_of_the_options(reply: str, value: list[str] | None) -> None:
    assert MANY.read(reply).value == value


def test_letters_mean_what_stood_behind_them() -> None:
    turned = Options({"A": "C", "B": "B", "C": "A"}, WORDS, "X", shown=("A", "B", "C", "X"))
    assert turned.read("A").value == ["C"]
    assert turned.schema()["properties"]["answer"]["enum"] == ["A", "B", "C", "X"]
    # A weak model says "B" until the reply is cut.
    assert MANY.schema()["properties"]["answer"]["maxItems"] == len(MANY.labels)


@pytest.mark.parametrize(
    ("tokens", "sure"),
    [
        ([('{"', -3.0), ("answer", -3.0), ('":', -3.0), (' "', 0.0), ("B", -0.5), ('"}', -3.0)], exp(-0.5)),
        ([('{"answer":["A', -0.3), ('","', -3.0), ('C"]}', -0.2)], exp(-0.5)),
        ([('{"answer":["A', -0.3), ('","A', -2.0), ('"]}', -0.2)], exp(-0.3)),
        ([("B", -0.2)], exp(-0.2)),
        ([("The best answer", -0.1), (" is B", -0.1)], None),
    ],
)
def test_how_sure_a_reply_is_goes_by_its_labels_alone(
    tokens: list[tuple[str, float]], sure: float | None
) -> None:
    assert sureness(tokens) == pytest.approx(sure)
