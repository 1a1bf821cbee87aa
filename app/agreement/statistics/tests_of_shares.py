"""Shares of a whole with their interval, and tests of shares and means; probabilities are two-sided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import erfc, exp, inf, log, sqrt
from statistics import correlation, fmean, quantiles, stdev
from typing import TypeVar

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class TwoByTwo:
    """Right of answered, left and right: chi-square with one degree of freedom and no correction of Yates,
    its p, the odds ratio with Wald's 95 % interval; None where a row or column is empty."""

    chi2: float | None
    p: float | None
    odds_ratio: float | None
    interval: tuple[float, float] | None


def two_by_two(left: float, of_left: int, right: float, of_right: int) -> TwoByTwo:
    """Compare two shares on whole numbers, as rounded."""
    a, c = round(left), round(right)
    b, d = of_left - a, of_right - c
    rows = (a + b) * (c + d) * (a + c) * (b + d)
    chi2 = p = ratio = interval = None
    if rows:
        chi2 = (a * d - b * c) ** 2 * (a + b + c + d) / rows
        p = erfc(sqrt(chi2 / 2))
    if b * c and a * d:
        ratio = a * d / (b * c)
        reach = _Z * sqrt(1 / a + 1 / b + 1 / c + 1 / d)
        interval = (exp(log(ratio) - reach), exp(log(ratio) + reach))
    return TwoByTwo(chi2, p, ratio, interval)


def mcnemar(left_only: int, right_only: int) -> float | None:
    """McNemar's exact binomial p of those on which two differ; None where they never do."""
    from scipy.special import bdtr

    both = left_only + right_only
    if not both:
        return None
    return min(1.0, 2 * float(bdtr(min(left_only, right_only), both, 0.5)))


def holm(found: Mapping[Key, float]) -> dict[Key, float]:
    """Holm's adjustment of several p."""
    adjusted: dict[Key, float] = {}
    highest = 0.0
    for place, (key, p) in enumerate(sorted(found.items(), key=lambda one: one[1])):
        highest = max(highest, min(1.0, p * (len(found) - place)))
        adjusted[key] = highest
    return adjusted


@dataclass(frozen=True, slots=True)
class Mean:
    """Mean and sample SD of `n` values."""

    mean: float
    sd: float | None
    n: int


def mean_of(values: Sequence[float]) -> Mean | None:
    """None of nothing; the SD is None of one."""
    if not values:
        return None
    return Mean(fmean(values), stdev(values) if len(values) > 1 else None, len(values))


def one_sample(values: Mean, against: float) -> float | None:
    """p of Student's t test of a mean against a number; None without spread."""
    if not values.sd:
        return None
    return _t_test((values.mean - against) / (values.sd / sqrt(values.n)), values.n - 1)


def welch(left: Mean, right: Mean) -> float | None:
    """p of Welch's t test of two means; None where neither has a spread."""
    if left.sd is None or right.sd is None or not (left.sd or right.sd):
        return None
    one, other = left.sd**2 / left.n, right.sd**2 / right.n
    freedom = (one + other) ** 2 / (one**2 / (left.n - 1) + other**2 / (right.n - 1))
    return _t_test((left.mean - right.mean) / sqrt(one + other), freedom)


def spearman(left: Sequence[float], right: Sequence[float]) -> tuple[float, float] | None:
    """Spearman's rho and its p by Student's t; None for fewer than three or where one never changes."""
    if len(left) < 3 or len(set(left)) < 2 or len(set(right)) < 2:
        return None
    rho = max(-1.0, min(1.0, correlation(_ranks(left), _ranks(right))))
    freedom = len(left) - 2
    t = inf if abs(rho) == 1 else rho * sqrt(freedom / (1 - rho**2))
    return rho, _t_test(t, freedom)


def quartiles(values: Sequence[float]) -> tuple[float, float, float] | None:
    """The quartiles, between values in proportion; None of nothing."""
    if not values:
        return None
    # `quantiles` wants two values at least.
    low, middle, high = quantiles([*values, *values] if len(values) == 1 else values, method="inclusive")
    return low, middle, high


def _t_test(t: float, freedom: float) -> float:
    from scipy.special import stdtr

    return 2 * float(stdtr(freedom, -abs(t)))


def _ranks(values: Sequence[float]) -> list[float]:
    """From 1; equal values share the mean of their ranks."""
    import numpy as np

    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    ranks: list[float] = (np.cumsum(times) - (times - 1) / 2)[place].tolist()
    return ranks


_Z = 1.959963984540054  # the standard normal quantile of 97.5 %


@dataclass(frozen=True, slots=True)
class Share:
    """`part` of `n` things; credit may be a part of one."""

    part: float
    n: int

    @property
    def value(self) -> float | None:
        """The share, 0-1; None of nothing."""
        return self.part / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % score interval (Wilson 1927) without continuity correction; None of nothing.

        It takes the things for independent of each other.
        """
        if not self.n:
            return None
        share, of_z = self.part / self.n, _Z * _Z / self.n
        middle = (share + of_z / 2) / (1 + of_z)
        reach = _Z * sqrt(share * (1 - share) / self.n + of_z / (4 * self.n)) / (1 + of_z)
        return max(middle - reach, 0.0), min(middle + reach, 1.0)
