"""Estimates from reports drawn in strata."""

from app.agreement.survey import Stratum, joined

_WIDE, _THIN = Stratum(10, ((1, 2), (2, 2))), Stratum(5, ((1, 2),))


def test_a_stratum_of_which_one_report_was_looked_at_joins_its_neighbour() -> None:
    assert joined([_WIDE, _THIN]) == [Stratum(15, _WIDE.counts + _THIN.counts)]
    assert joined([_THIN, _WIDE]) == [Stratum(15, _THIN.counts + _WIDE.counts)]
    assert joined([_THIN]) == [_THIN]


def test_one_that_was_looked_at_whole_stands_alone() -> None:
    whole = Stratum(1, ((1, 1),))
    assert joined([whole, _WIDE, whole]) == [whole, _WIDE, whole]
