"""Tests of shares and means are SciPy's, and the published examples come out as printed."""

from __future__ import annotations

import pytest

from app.agreement.statistics.tests_of_shares import (
    Mean,
    Share,
    TwoByTwo,
    holm,
    mcnemar,
    mean_of,
    one_sample,
    quartiles,
    spearman,
    two_by_two,
    welch,
)

LEFT, RIGHT = (0.61, 0.55, 0.64, 0.57), (0.82, 0.79, 0.86, 0.81, 0.84)


def test_the_published_pair_comes_out_as_printed() -> None:
    accuracy = two_by_two(1592.78, 2320, 1708.85, 2499)
    assert accuracy.p == pytest.approx(0.8364, abs=5e-5)
    rate = two_by_two(2320, 2542, 2499, 2542)
    assert rate.odds_ratio == pytest.approx(0.180, abs=5e-4)
    assert rate.interval == pytest.approx((0.129, 0.250), abs=5e-4)


def test_shares_are_compared_as_by_scipy() -> None:
    # Every process collects the tests, one runs these: it alone waits for the library.
    from scipy import stats

    found = two_by_two(1593, 2320, 1709, 2499)
    told = stats.chi2_contingency([[1593, 727], [1709, 790]], correction=False)
    assert (found.chi2, found.p) == pytest.approx((told.statistic, told.pvalue), abs=1e-6)
    assert mcnemar(7, 19) == pytest.approx(stats.binomtest(7, 26, 0.5).pvalue, abs=1e-6)
    told_share = stats.binomtest(17, 40).proportion_ci(method="wilson")
    assert Share(17, 40).interval == pytest.approx((told_share.low, told_share.high), abs=1e-6)


def test_means_are_compared_as_by_scipy() -> None:
    from scipy import stats

    left, right = mean_of(LEFT), mean_of(RIGHT)
    assert left is not None
    assert right is not None
    assert one_sample(left, 0.47) == pytest.approx(stats.ttest_1samp(LEFT, 0.47).pvalue, abs=1e-6)
    assert welch(left, right) == pytest.approx(stats.ttest_ind(LEFT, RIGHT, equal_var=False).pvalue, abs=1e-6)
    values = [0.3, 0.5, 0.5, 0.9, 0.7]
    told = stats.spearmanr(values, (*LEFT, 0.1))
    assert spearman(values, [*LEFT, 0.1]) == pytest.approx((told.statistic, told.pvalue), abs=1e-6)


def test_what_is_undefined_is_none() -> None:
    assert (two_by_two(0, 0, 1, 2), mcnemar(0, 0), mean_of(())) == (TwoByTwo(*[None] * 4), None, None)
    for empty in (two_by_two(0, 5, 3, 5), two_by_two(5, 5, 2, 5)):
        assert empty.chi2 == pytest.approx(30 / 7)
        assert (empty.odds_ratio, empty.interval) == (None, None)
    apart = Mean(1, 0.0, 3), Mean(2, 0.0, 3), Mean(2, 1.0, 3), Mean(2, None, 1)
    assert [one_sample(apart[at], 1) for at in (0, 3)] == [None, None]
    assert [welch(apart[0], apart[at]) for at in (1, 3)] == [welch(apart[3], apart[2]), None] == [None, None]
    assert welch(apart[0], apart[2]) == welch(apart[2], apart[0]) == pytest.approx(0.2254033)
    assert (spearman([1, 1, 1], [1, 2, 3]), spearman([1, 2, 3], [4, 4, 4]), quartiles([])) == (None,) * 3
    assert (spearman([1, 2], [2, 1]), spearman([3, 2, 1], [1, 2, 3])) == (None, (-1.0, 0.0))


def test_of_few_values_there_is_what_can_be_said() -> None:
    assert mean_of([2.0]) == Mean(2.0, None, 1)
    assert (quartiles([4]), quartiles([1, 2, 3, 4, 10])) == ((4, 4, 4), (2, 3, 4))
    assert (mcnemar(3, 3), mcnemar(0, 4), mcnemar(4, 0)) == (1.0, 0.125, 0.125)
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "c": 0.06, "b": 0.06})
    assert holm({"a": 0.5, "b": 0.6}) == {"a": 1.0, "b": 1.0}
