"""Bootstrap intervals are reproducible, hold the score and are not given where they would say nothing."""

from __future__ import annotations

import numpy as np
import pytest

from app.agreement.compare import compare
from app.agreement.statistics.intervals import drawn_weights, mean_over, percentile_intervals
from app.agreement.types import Agreement, Item, ReportPair
from tests.unit.app.agreement.table import pair

REPORTS = [
    pair({"A": ["fever"]}, {"A": ["fever" if number % 3 else "rash"]}, str(number)) for number in range(30)
]


def strict(seed: int = 1, count: int = 30) -> Agreement:
    return compare(REPORTS[:count], ("A",), "left", "right", "strict", resamples=400, seed=seed)


def test_the_same_seed_gives_the_same_intervals_and_another_seed_others() -> None:
    assert strict() == strict()
    assert strict().average.intervals != strict(seed=2).average.intervals


def test_the_interval_of_a_share_is_about_the_binomial_one() -> None:
    interval = strict().categories["A"].intervals["exact_match"]
    assert interval is not None
    low, high = interval
    assert low < 2 / 3 < high
    assert (low, high) == pytest.approx((2 / 3 - 0.17, 2 / 3 + 0.17), abs=0.05)


def test_the_interval_of_an_average_is_of_the_mean_over_categories_whatever_they_weigh() -> None:
    both = {"B": ["rash", "itch"]}
    rights = ({"A": ["fever" if number % 3 else "cough"], **both} for number in range(30))
    reports = [pair({"A": ["fever"], **both}, right, str(n)) for n, right in enumerate(rights)]
    found = compare(reports, ("A", "B"), "left", "right", "strict", resamples=400, seed=1)
    alone, average = found.categories["A"].intervals["f1"], found.average.intervals["f1"]
    assert alone is not None
    assert average == pytest.approx(tuple((end + 1) / 2 for end in alone))


def test_fewer_than_five_reports_have_no_interval() -> None:
    assert set(strict(count=4).average.intervals.values()) == {None}
    assert strict(count=5).average.intervals["f1"] is not None


def test_an_undefined_score_has_no_interval() -> None:
    assert strict().categories["A"].intervals["hallucination"] is None
    assert strict().categories["A"].intervals["span_f1"] is None
    assert strict().pooled.intervals["span_f1"] is None
    # Nor does it count as 0 in the average of those that are defined.
    placed = (Item("fever", 0, 5),)
    sides = {"A": placed, "B": (Item("rash"),)}
    reports = [ReportPair(str(number), "", sides, sides) for number in range(5)]
    found = compare(reports, ("A", "B"), "left", "right", "strict", resamples=50)
    assert found.average.intervals["span_f1"] == (1.0, 1.0)


def test_an_average_rests_on_reports_that_have_a_say_in_any_category() -> None:
    said = {"A": (Item("x"),)}, {"B": (Item("x"),)}
    reports = [ReportPair(str(at), "", said[at % 2], said[at % 2]) for at in range(6)]
    found = compare(reports, ("A", "B"), "left", "right", "strict", resamples=50)
    assert found.categories["A"].intervals["f1"] is None
    assert found.average.intervals["f1"] == (1.0, 1.0)


def test_reports_that_say_nothing_about_a_score_do_not_count_towards_its_interval() -> None:
    silent = [pair({"A": []}, {"A": []}, str(number)) for number in range(20)]
    agreement = compare([*REPORTS[:4], *silent], ("A",), "left", "right", "strict", resamples=50)
    assert agreement.categories["A"].intervals["f1"] is None


def test_resampled_sums_draw_whole_reports() -> None:
    drawn = drawn_weights(2, 200, 0) @ np.array([[1.0, 1.0], [3.0, 1.0]])
    assert set(np.unique(drawn[:, 0] / drawn[:, 1])) == {1.0, 2.0, 3.0}


def test_percentiles_leave_out_what_is_undefined() -> None:
    values = np.column_stack([np.linspace(0, 1, 41), np.full(41, np.nan), np.r_[np.full(40, np.nan), 7.0]])
    first, second, third = percentile_intervals(values)
    assert first == pytest.approx((0.025, 0.975))
    assert second is None
    assert third == (7.0, 7.0)
    assert percentile_intervals(np.array([[0.0], [1.0]])) == [pytest.approx((0.025, 0.975))]


def test_means_leave_out_what_is_undefined() -> None:
    assert mean_over(np.array([[1.0, np.nan, 3.0]])).tolist() == [2.0]
    assert np.isnan(mean_over(np.array([[np.nan]]))).all()
