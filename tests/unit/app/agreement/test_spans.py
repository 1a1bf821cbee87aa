"""Places match one to one, and the confusion matrix shows what the other side called the same place."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from app.agreement.compare import compare
from app.agreement.spans import (
    count_confused,
    exact_matches,
    intersection_over_union,
    overlap_matches,
    tabulated,
)
from app.agreement.types import Confusion, Item, ReportPair

Quotes = Mapping[str, tuple[Item, ...]]
SPANS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 9)).map(lambda pair: Item("x", pair[0], pair[0] + pair[1])),
    max_size=6,
)


def spans(*places: tuple[int, int]) -> tuple[Item, ...]:
    return tuple(Item("x", start, end) for start, end in places)


@given(SPANS, SPANS)
def test_matches_are_symmetric_and_exact_ones_are_overlaps_of_one(
    left: list[Item], right: list[Item]
) -> None:
    assert exact_matches(left, right) == exact_matches(right, left) == overlap_matches(left, right, 1.0)
    assert overlap_matches(left, right, 0.5) == overlap_matches(right, left, 0.5)
    assert exact_matches(left, right) <= overlap_matches(left, right, 0.5) <= min(len(left), len(right))


@given(SPANS, SPANS, st.sampled_from((0.2, 0.5, 0.8)))
def test_as_many_spans_match_as_can_be_paired_at_once(
    left: list[Item], right: list[Item], threshold: float
) -> None:
    places = [[(item.start or 0, item.end or 0) for item in side] for side in (left, right)]
    matches = intersection_over_union(*places) >= threshold
    assert overlap_matches(left, right, threshold) == matches[linear_sum_assignment(matches, True)].sum()


@given(SPANS)
def test_the_same_spans_match_throughout(left: list[Item]) -> None:
    assert exact_matches(left, left[::-1]) == len(left)


def test_intersection_over_union_by_hand() -> None:
    found = intersection_over_union([(0, 10), (5, 5)], [(0, 10), (5, 15), (20, 30)])
    assert found.tolist() == [[1.0, 5 / 15, 0.0], [0.0, 0.0, 0.0]]


def test_the_threshold_is_reached_by_equality() -> None:
    assert overlap_matches(spans((0, 10)), spans((0, 5)), 0.5) == 1
    assert overlap_matches(spans((0, 11)), spans((0, 5)), 0.5) == 0


def test_a_span_matches_only_once_and_pairs_are_chosen_to_match_most() -> None:
    assert overlap_matches(spans((0, 10)), spans((0, 9), (1, 10)), 0.5) == 1
    # Greedy from the left would give (0, 10) to the first and leave the second without a partner.
    assert overlap_matches(spans((0, 10), (0, 14)), spans((0, 10), (0, 6)), 0.5) == 2


def report(left: Quotes, right: Quotes) -> ReportPair:
    nothing: dict[str, tuple[Item, ...]] = {"A": (), "B": ()}
    return ReportPair("1", "T", {**nothing, **left}, {**nothing, **right})


def confusion(left: Quotes, right: Quotes) -> Confusion:
    return tabulated(count_confused([report(left, right)], ("A", "B"), 0.5), ("A", "B"))


def counts(left: Quotes, right: Quotes) -> list[list[int]]:
    return [list(row) for row in confusion(left, right).counts]


def test_the_overlap_that_is_asked_for_holds_for_the_heat_map_as_well() -> None:
    sides: tuple[Quotes, Quotes] = {"A": (Item("x", 0, 10),)}, {"A": (Item("x", 0, 7),)}
    for overlap, same in ((0.7, 1), (0.8, 0)):
        found = compare([report(*sides)], ("A", "B"), "l", "r", "strict", overlap=overlap, resamples=0)
        assert found.confusion.counts[0][0] == same


def test_confusion_by_hand() -> None:
    left = {"A": spans((0, 10), (20, 30), (40, 50))}
    right = {"A": spans((0, 9)), "B": spans((21, 30), (60, 70))}
    assert counts(left, right) == [[1, 1, 1], [0, 0, 0], [0, 1, 0]]


def test_what_any_quote_of_the_left_overlaps_is_not_missed_though_another_is_its_counterpart() -> None:
    left, right = spans((0, 10), (0, 10)), spans((0, 10), (1, 10))
    assert counts({"A": left}, {"A": right}) == [[2, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_the_own_category_goes_before_a_greater_overlap_in_another() -> None:
    assert counts({"A": spans((0, 10))}, {"A": spans((0, 6)), "B": spans((0, 10))})[0] == [1, 0, 0]


def test_a_span_in_two_categories_agrees_in_both() -> None:
    both = {"A": spans((0, 10)), "B": spans((0, 10))}
    assert counts(both, both) == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_a_quote_without_a_place_is_the_same_only_with_the_same_words() -> None:
    left = {"A": (Item("No fever."), Item("cough"))}
    assert counts(left, {"B": (Item("no fever", 3, 11),)}) == [[0, 1, 1], [0, 0, 0], [0, 0, 0]]


def test_shares_add_up_to_one_or_are_undefined() -> None:
    matrix = confusion({"A": spans((0, 3), (5, 8))}, {"A": spans((0, 3))})
    assert matrix.shares(0) == (0.5, 0.0, 0.5)
    assert matrix.shares(1) == (None, None, None)


def test_span_f1_counts_quotes_of_both_sides() -> None:
    pairs = [report({"A": spans((0, 10), (20, 30))}, {"A": spans((0, 10), (21, 30), (50, 60))})]
    scores = compare(pairs, ("A", "B"), "left", "right", "strict").categories["A"].scores
    assert scores["span_f1"] == pytest.approx(2 / 5)
    assert scores["span_f1_overlap"] == pytest.approx(4 / 5)


def test_span_f1_of_a_side_without_any_place_is_undefined_and_says_which() -> None:
    pairs = [report({"A": (Item("x"),)}, {"A": spans((0, 10))})]
    row = compare(pairs, ("A", "B"), "ann", "ben", "paper").categories["A"]
    assert row.scores["span_f1"] is None
    assert row.reasons["span_f1"] == "No quote of ann has a place in the text."
    assert row.unplaced == 1
    turned = [report({"A": spans((0, 10))}, {"A": (Item("x"), Item("y"))})]
    assert compare(turned, ("A",), "ann", "ben", "paper").categories["A"].unplaced == 2


def test_a_quote_without_a_place_among_others_counts_as_a_miss() -> None:
    pairs = [report({"A": (Item("x"), *spans((0, 10)))}, {"A": spans((0, 10))})]
    assert compare(pairs, ("A",), "a", "b", "paper").categories["A"].scores["span_f1"] == pytest.approx(2 / 3)
