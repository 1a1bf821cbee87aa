"""Estimates for a whole from reports drawn in strata: quotients of weighted sums, with 95 % intervals.

The variance is that of the linearised quotient within strata, each residual divided by what its report leaves
to the others (as a jackknife has it); the interval is Student's t of the logit, its degrees of freedom those
of the strata's sizes. `python -m tests.bench.check_survey` shows how often it holds the truth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.agreement.statistics.intervals import LEVEL

# A report with more than that of all that counts would be its own judge.
_MOST = 0.5


@dataclass(frozen=True, slots=True)
class Stratum:
    """`reports` of the whole, of which some were looked at: what of each counts above, and below the line."""

    reports: int
    counts: tuple[tuple[float, float], ...]

    @property
    def weight(self) -> float:
        """How many reports of the whole each one stands for."""
        return self.reports / len(self.counts)


@dataclass(frozen=True, slots=True)
class Share:
    """A quotient over the whole, 0-1, and its interval; None where nothing counts, or too little is known."""

    value: float | None = None
    interval: tuple[float, float] | None = None

    @property
    def width(self) -> float | None:
        """From the lower end of the interval to the upper."""
        return None if self.interval is None else self.interval[1] - self.interval[0]


def joined(strata: Sequence[Stratum]) -> list[Stratum]:
    """Strata of which at least two reports, or all there are, were looked at: others join a neighbour."""
    found: list[Stratum] = []
    for one in strata:
        if found and (_is_thin(one) or _is_thin(found[-1])):
            before = found.pop()
            one = Stratum(before.reports + one.reports, before.counts + one.counts)
        found.append(one)
    while len(found) > 1 and _is_thin(found[-1]):
        last, before = found.pop(), found.pop()
        found.append(Stratum(before.reports + last.reports, before.counts + last.counts))
    return found


def _is_thin(one: Stratum) -> bool:
    return len(one.counts) < min(2, one.reports)


def estimate(strata: Sequence[Stratum]) -> Share:
    """The quotient of what the whole has above and below the line; strata are as `joined` leaves them."""
    above, below = (
        sum(one.weight * sum(each[side] for each in one.counts) for one in strata) for side in (0, 1)
    )
    if not below:
        return Share()
    value = above / below
    variance = square = spread = 0.0
    for one in strata:
        number = len(one.counts)
        if number < 2 or number >= one.reports:
            continue
        rest = [
            (top - value * low) / below / (1 - min(one.weight * low / below, _MOST))
            for top, low in one.counts
        ]
        mean = sum(rest) / number
        part = one.reports**2 * (1 - number / one.reports) / number
        variance += part * sum((each - mean) ** 2 for each in rest) / (number - 1)
        square += part
        spread += part**2 / (number - 1)
    if all(len(one.counts) >= one.reports for one in strata):
        return Share(value, (value, value))
    if not spread:
        return Share(value)
    return Share(value, _interval(value, variance, square**2 / spread, _worth(strata)))


def _worth(strata: Sequence[Stratum]) -> float:
    """How many things below the line, drawn alone, would tell as much as these with their weights."""
    below = [(one.weight, sum(each[1] for each in one.counts)) for one in strata]
    reports = sum(len(one.counts) for one in strata)
    weighted = sum(weight * number for weight, number in below)
    return min(weighted**2 / sum(weight**2 * number for weight, number in below), reports)


def _interval(value: float, variance: float, freedom: float, worth: float) -> tuple[float, float]:
    from scipy.special import stdtrit

    t = float(stdtrit(freedom, (1 + LEVEL) / 2))
    if variance and 0 < value < 1:
        centre, half = math.log(value / (1 - value)), t * math.sqrt(variance) / (value * (1 - value))
        return 1 / (1 + math.exp(half - centre)), 1 / (1 + math.exp(-half - centre))
    # Wilson's, where nothing varies.
    shift = t * t / worth
    middle, half = value + shift / 2, math.sqrt(shift * (value * (1 - value) + shift / 4))
    # In whole digits: rounding must not leave out the value itself.
    return max(0.0, min(value, (middle - half) / (1 + shift))), min(
        1.0, max(value, (middle + half) / (1 + shift))
    )


def further_reports(shares: Sequence[Share], looked_at: int, reports: int, width: float) -> int | None:
    """How many more of `reports` are to be looked at until no interval is wider; None where that is unknown.

    The square of a width goes with 1/number - 1/reports, as it does where the draw stays the same.
    """
    widths = [share.width for share in shares]
    if not looked_at or any(one is None for one in widths):
        return None
    widest = max((one for one in widths if one is not None), default=0.0)
    if widest <= width:
        return 0
    inverse = 1 / reports + (1 / looked_at - 1 / reports) * (width / widest) ** 2
    return max(0, math.ceil(1 / inverse - 1e-9) - looked_at)
