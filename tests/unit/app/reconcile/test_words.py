"""In which words two quotes differ, whatever they are made of."""

from __future__ import annotations

import random

import pytest

from app.reconcile.words import word_differences


def plain(text: str) -> str:
    return "".join(text.split()).casefold()


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("ataxia", "ataxia", [("both", "ataxia")]),
        ("severe ataxia", "ataxia", [("left", "severe "), ("both", "ataxia")]),
        ("ataxia", "ataxia of gait", [("both", "ataxia"), ("right", "of gait")]),
        ("left arm", "right arm", [("left", "left "), ("right", "right "), ("both", "arm")]),
        ("fever.", "fever", [("both", "fever"), ("left", ".")]),
        ("Gait  Ataxia", "gait ataxia", [("both", "Gait  Ataxia")]),
        ("", "fever", [("right", "fever")]),
        ("", "", []),
        ("fièvre 39,5 °C 😊", "fièvre 39,5 °C", [("both", "fièvre 39,5 °C "), ("left", "😊")]),
    ],
)
def test_words_that_one_side_alone_has_are_told_from_those_of_both(
    left: str, right: str, expected: list[tuple[str, str]]
) -> None:
    assert list(word_differences(left, right)) == expected


@pytest.mark.parametrize("longest", [12, 900])
def test_both_quotes_can_be_put_together_again(longest: int) -> None:
    chance = random.Random(longest)
    for _ in range(60):
        words = [
            chance.choice(["fever", "no", "gait", "e\u0301te\u0301", "😊", ",", "39.5", " ", "\n"])
            for _ in range(9)
        ]
        left = " ".join(chance.choices(words, k=chance.randrange(longest)))
        right = " ".join(chance.choices(words, k=chance.randrange(longest)))
        runs = word_differences(left, right)
        assert "".join(run.text for run in runs if run.presence != "right") == left
        assert plain("".join(run.text for run in runs if run.presence != "left")) == plain(right)


def test_quotes_as_long_as_a_page_are_compared_from_both_ends() -> None:
    page = " ".join(f"word{number}" for number in range(3000))
    runs = word_differences(page, page.replace("word1500 ", "other "))
    assert [run.presence for run in runs] == ["both", "left", "right", "both"]
    assert runs[1].text.strip() == "word1500"
    assert word_differences("fever " * 900, "fever " * 901) == (("both", "fever " * 900), ("right", "fever "))
