"""Agreement in one group of reports against another, and shares with their interval."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from app.agreement.statistics.contrast import Contrast, contrast
from app.agreement.statistics.tests_of_shares import Share
from app.agreement.types import Item, ReportPair


def pair(number: int, left: Sequence[str], right: Sequence[str], *, placed: bool = True) -> ReportPair:
    """A report in one category; equal quotes stand in equal places."""

    def items(quotes: Sequence[str]) -> tuple[Item, ...]:
        places = [(10 * ord(quote[0]), 10 * ord(quote[0]) + len(quote)) for quote in quotes]
        return tuple(
            Item(quote, *place) if placed else Item(quote)
            for quote, place in zip(quotes, places, strict=True)
        )

    return ReportPair(str(number), "", {"Neuro": items(left)}, {"Neuro": items(right)})


def contrasted(first: Sequence[ReportPair], second: Sequence[ReportPair]) -> Contrast:
    return contrast(first, second, ["Neuro", "CVS"], "ana", "helper")


AGREED = [pair(number, ["ataxia", "gait"], ["ataxia", "gait"]) for number in range(5)]
HALF = [pair(number, ["ataxia", "oooo"], ["ataxia", "gait"]) for number in range(5)]


def test_scores_are_those_of_all_reports_of_a_group_together() -> None:
    made = contrasted(AGREED, [*HALF[:3], *AGREED[:1]])
    assert (made.left, made.right, made.first, made.second) == ("ana", "helper", 5, 4)
    tsr, f1, span = made.rows
    assert [(row.profile, row.measure) for row in made.rows] == [
        ("paper", "tsr"),
        ("strict", "f1"),
        ("paper", "span_f1"),
    ]
    # Of the two quotes one is the same, and "oooo" shares nothing with any: (3 * 50 + 100) / 4.
    assert (tsr.first.value, tsr.second.value, tsr.difference.value) == (100, 62.5, 37.5)
    assert (span.first.value, span.second.value, span.difference.value) == (1, 10 / 16, 6 / 16)
    assert (f1.first.value, f1.second.value) == (1, 10 / 16)


def test_intervals_are_given_from_five_reports_on_and_of_a_difference_where_both_groups_have_them() -> None:
    few = contrasted(AGREED, HALF[:4]).rows[0]
    assert (few.first.interval, few.second.interval, few.difference.interval) == ((100, 100), None, None)
    both = [
        ReportPair(
            one.key, "", {**one.left, "CVS": other.left["Neuro"]}, {**one.right, "CVS": other.right["Neuro"]}
        )
        for one, other in zip(AGREED, HALF, strict=True)
    ]
    assert contrasted(both, AGREED).rows[2].first.interval == (0.75, 0.75), "of all categories together"
    enough = contrasted(AGREED, HALF).rows[0]
    assert enough.second.interval == (50, 50)
    assert enough.difference.interval == (50, 50)
    silent = [pair(number, [], []) for number in range(5)]
    _, f1, span = contrasted([*AGREED[:4], *silent], AGREED).rows
    assert (f1.first.interval, span.first.interval) == (None, None), "five must have something to say"


def test_both_groups_are_drawn_apart() -> None:
    mixed = [*AGREED, *HALF]
    row = contrasted(mixed, mixed).rows[0]
    assert row.difference.value == 0
    low, high = row.difference.interval or (0, 0)
    assert low < 0 < high, "drawn alike, the difference would always be 0"


def test_what_is_undefined_says_why() -> None:
    nothing = contrasted([], HALF).rows[0]
    assert nothing.first.value is None
    assert nothing.difference.value is None
    assert nothing.first.reason == "No report was annotated here by both ana and helper."
    silent = [pair(number, [], []) for number in range(5)]
    tsr, f1, _ = contrasted(silent, HALF).rows
    assert tsr.first.value == 100
    assert f1.first.value is None
    assert f1.difference.reason == "Neither ana nor helper found anything in any report."
    unplaced = [pair(number, ["gait"], ["gait"], placed=False) for number in range(5)]
    span = contrasted(unplaced, HALF).rows[2]
    assert span.first.reason == "No quote of ana and helper has a place in the text."


@pytest.mark.parametrize(
    ("part", "n", "low", "high"),
    [(7, 10, 0.39678, 0.89221), (0, 10, 0.0, 0.27753), (10, 10, 0.72247, 1.0), (81, 263, 0.25527, 0.36622)],
)
def test_shares_have_wilsons_interval(part: int, n: int, low: float, high: float) -> None:
    share = Share(part, n)
    assert share.value == part / n
    assert share.interval == pytest.approx((low, high), abs=1e-4)


def test_a_share_of_nothing_is_undefined() -> None:
    assert (Share(0, 0).value, Share(0, 0).interval) == (None, None)
