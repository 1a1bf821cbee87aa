"""Shares of a whole with their interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

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
