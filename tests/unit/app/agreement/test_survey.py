"""Estimates from reports drawn in strata."""

import pytest

from app.agreement.survey import Share, Stratum, estimate, further_reports, joined

_WIDE, _THIN = Stratum(10, ((1, 2), (2, 2))), Stratum(5, ((1, 2),))


def test_a_stratum_of_which_one_report_was_looked_at_joins_its_neighbour() -> None:
    assert joined([_WIDE, _THIN]) == [Stratum(15, _WIDE.counts + _THIN.counts)]
    assert joined([_THIN, _WIDE]) == [Stratum(15, _THIN.counts + _WIDE.counts)]
    assert joined([_THIN]) == [_THIN]


def test_one_that_was_looked_at_whole_stands_alone() -> None:
    whole = Stratum(1, ((1, 1),))
    assert joined([whole, _WIDE, whole]) == [whole, _WIDE, whole]
    # What two make together may still be too little.
    assert joined([_WIDE, whole, Stratum(5, ())]) == [Stratum(16, (*_WIDE.counts, *whole.counts))]


def test_a_share_weighs_reports_by_their_stratum_and_its_interval_is_that_of_those_drawn() -> None:
    drawn, whole = Stratum(10, ((1, 2), (2, 2), (0, 1))), Stratum(2, ((1, 1), (1, 2)))
    found = estimate([drawn, Stratum(5, ((1, 2), (3, 3))), whole])
    # Each of the three stands for 10 / 3 reports, each of the two for 5 / 2, and the last for themselves.
    assert found.value == pytest.approx((10 / 3 * 3 + 5 / 2 * 4 + 2) / (10 / 3 * 5 + 5 / 2 * 5 + 3))
    assert found.interval == pytest.approx((0.1634102, 0.9599567))
    assert estimate([whole]) == Share(2 / 3, (2 / 3, 2 / 3))
    assert (estimate([_THIN]), estimate([Stratum(5, ((0, 0), (0, 0)))])) == (Share(0.5), Share())


def test_where_nothing_varies_the_interval_is_wilsons_and_holds_the_value() -> None:
    shares = [estimate([Stratum(10, ((part, 2), (part, 2)))]) for part in (0, 1, 2)]
    assert [one.value for one in shares] == [0, 0.5, 1]
    assert [one.interval for one in shares] == [
        pytest.approx(pair, abs=1e-6) for pair in ((0.0, 0.9877637), (0.0030685, 0.9969315), (0.0122363, 1.0))
    ]


def test_how_many_more_reports_make_intervals_narrow_enough_is_told_where_it_can_be() -> None:
    wide, narrow = Share(0.5, (0.1, 0.9)), Share(0.5, (0.4, 0.6))
    # 1 / (1 / 17 + (1 / 7 - 1 / 17) * (0.4 / 0.8) ** 2), rounded up.
    assert further_reports([narrow, wide], 7, 17, 0.4) == 6
    assert further_reports([narrow, wide], 7, 17, 0.001) == 10
    assert further_reports([narrow, wide], 7, 17, 0.8) == 0, "as narrow as is wanted"
    assert (further_reports([narrow], 7, 17, narrow.width or 0), further_reports([], 7, 17, 0.1)) == (0, 0)
    assert (further_reports([wide, Share()], 7, 17, 0.4), further_reports([wide], 0, 17, 0.4)) == (None, None)
