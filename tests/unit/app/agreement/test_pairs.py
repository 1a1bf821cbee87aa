"""Quote similarities are those of the published script, pair by pair."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel, Levenshtein

from app.agreement.likeness.pairs import (
    best_matches,
    best_token_set_ratios,
    indel_similarities,
    levenshtein_similarities,
    prepared,
    token_set_ratios,
    words,
)

QUOTES = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.lists(
            st.sampled_from("fever no 38.4°C café_au_lait β-blocker 10^9/L µmol ½ x y z 140/90 —".split())
        ).map(" ".join),
    ),
    min_size=1,
    max_size=4,
)

MANY_QUOTES = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.lists(
            st.sampled_from("a ab abc b ba bab fever fevers no of of the β-blocker 38.4°C 𝐀 _".split())
        ).map(" ".join),
    ),
    min_size=6,
    max_size=8,
)


def published(left: str, right: str) -> int:
    """token_set_ratio as fuzzywuzzy defines it, lower-cased first, one pair at a time and step by step."""
    ours, theirs = published_words(left), published_words(right)
    if not (ours and theirs):
        return 0
    shared = " ".join(sorted(ours & theirs))
    one = (shared + " " + " ".join(sorted(ours - theirs))).strip()
    other = (shared + " " + " ".join(sorted(theirs - ours))).strip()
    return max(ratio(shared, one), ratio(shared, other), ratio(one, other))


@cache
def published_words(text: str) -> frozenset[str]:
    ascii_only = "".join(letter for letter in text.lower() if not 128 <= ord(letter) < 256)
    return frozenset(re.sub(r"(?ui)\W", " ", ascii_only).lower().split())


def ratio(left: str, right: str) -> int:
    if not left and not right:
        return 100
    return round(100 * Indel.normalized_similarity(left, right)) if left and right else 0


@given(QUOTES, QUOTES)
def test_token_set_ratio_is_the_published_formula(left: list[str], right: list[str]) -> None:
    (matrix,) = token_set_ratios([left], [right])
    assert matrix.tolist() == [[published(one, other) for other in right] for one in left]


@given(st.lists(st.one_of(st.tuples(QUOTES, QUOTES), st.tuples(MANY_QUOTES, MANY_QUOTES)), max_size=4))
def test_best_token_set_ratios_are_the_greatest_of_all_pairs(
    cells: list[tuple[list[str], list[str]]],
) -> None:
    """In cells of few pairs and of many, where most pairs are ruled out by their bounds."""
    sides = [left for left, _ in cells], [right for _, right in cells]
    best = best_token_set_ratios(*sides)
    assert best == best_matches(*sides)[0]
    assert best == [[max(published(a, b) for b in right) for a in left] for left, right in cells]


@given(QUOTES, QUOTES)
def test_token_set_ratio_is_fuzzywuzzys(left: list[str], right: list[str]) -> None:
    fuzz = pytest.importorskip("fuzzywuzzy.fuzz", reason="fuzzywuzzy is installed for the benchmarks only")
    reference = cast("Callable[[str, str], Any]", fuzz.token_set_ratio)
    (matrix,) = token_set_ratios([left], [right])
    assert matrix.tolist() == [[reference(one.lower(), other.lower()) for other in right] for one in left]


def test_halves_round_as_the_published_formula_does() -> None:
    """33.5 as 100 * (1 - 133/200) is a hair above a half or below it, by the order of operations."""
    halves = [
        ("a" * length, "a" * shared + "b" * (200 - length - shared))
        for length in range(60, 100)
        for shared in range(1, 60, 2)
    ]
    left, right = [[one] for one, _ in halves], [[other] for _, other in halves]
    got = [int(matrix[0, 0]) for matrix in token_set_ratios(left, right)]
    assert got == [published(one, other) for one, other in halves]


@given(QUOTES, QUOTES)
def test_levenshtein_is_one_minus_distance_over_the_longer_length(left: list[str], right: list[str]) -> None:
    (matrix,) = levenshtein_similarities([left], [right])
    expected = [[1 - Levenshtein.distance(a, b) / max(len(a), len(b), 1) for b in right] for a in left]
    assert matrix.tolist() == expected
    assert best_matches([left], [right])[1] == [[max(row) for row in expected]]


@given(QUOTES)
def test_a_quote_is_fully_similar_to_itself(quotes: list[str]) -> None:
    (matrix,) = indel_similarities([quotes], [quotes])
    assert matrix.diagonal().tolist() == [1.0] * len(quotes)


def test_cells_are_not_mixed_up() -> None:
    first, second = levenshtein_similarities([["a"], ["b", "c"]], [["a", "x"], ["c"]])
    assert first.tolist() == [[1.0, 0.0]]
    assert second.tolist() == [[0.0], [1.0]]


def test_capitals_count_for_levenshtein_and_not_for_token_sets() -> None:
    assert levenshtein_similarities([["AB"]], [["ab"]])[0].tolist() == [[0.0]]
    assert token_set_ratios([["AB"]], [["ab"]])[0].tolist() == [[100.0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Haemoglobin 9.8 g/dL", "haemoglobin 9 8 g dl"),
        ("38.4 °C", "38 4 c"),
        ("café", "caf"),
        ("β₂ — x", "β₂   x"),
    ],
)
def test_prepared_text_loses_latin_1_and_punctuation_as_fuzzywuzzys(text: str, expected: str) -> None:
    assert prepared([[text]]) == [[expected]]


def test_words_keep_accents_however_they_are_composed() -> None:
    assert words("Café-au-lait spots") == words("Cafe\u0301-au-lait spots") == ["café", "au", "lait", "spots"]
