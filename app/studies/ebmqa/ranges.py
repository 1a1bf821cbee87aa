"""The ranges that a numeric question offers: where they are cut, and in which of them a value lies."""

from __future__ import annotations

import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from app.studies.ebmqa.edges import RATIOS, Edge
from extractors.assets import asset

_STRICT = (Fraction(30, 100), Fraction(80, 100))
_RARE = tuple(Fraction(1, 10**power) for power in (6, 5, 4, 3))
_RARE_TYPES = ("prevalence", "incidence")
Number = Fraction | float


@lru_cache(maxsize=1)
def wording() -> dict[str, Any]:
    """The words of all questions."""
    text = asset("resources", "studies", "ebmqa", "wording.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ranges of a type, from low to high: `cuts` between them, `top` the end of the last (None: open).

    Each holds its lower end and not its upper, but for the last and, where `closed`, the middle one.
    """

    type: str
    cuts: tuple[Fraction, ...]
    top: Fraction | None
    median: Fraction
    mad: Fraction
    closed: bool = False

    def __len__(self) -> int:
        return len(self.cuts) + 1

    def place(self, value: Number) -> int:
        """In which range a value lies, from 0 for the lowest."""
        place = bisect_right(self.cuts, value)
        return place - 1 if self.closed and place and len(self.cuts) == 2 and value == self.cuts[1] else place

    def holding(self, edge: Edge) -> int | None:
        """The range that all of an edge's interval lies in; None where it has none or crosses a cut.

        Orphanet's "<1 / 1 000 000" ends where it says, without its end.
        """
        if edge.low is None or edge.high is None:
            return None
        first, last = self.place(edge.low), self.place(edge.high)
        if edge.kind == "class" and not edge.low and edge.high in self.cuts:
            last = self.cuts.index(edge.high)
        return first if first == last == self.place(edge.mid) else None

    def options(self) -> list[dict[str, Any]]:
        """From high to low, by keys A, B, C ..., in words."""
        ends = [Fraction(0), *self.cuts]
        highs = [*self.cuts, self.top]
        made: list[dict[str, Any]] = []
        for place in reversed(range(len(self))):
            low, high = ends[place], highs[place]
            option = {
                "key": "ABCDEF"[len(made)],
                "text": self._text(low, high),
                "low": float(low),
                "high": None if high is None else float(high),
            }
            if self.closed and place == 1:
                option["closed"] = True
            made.append(option)
        return made

    def key(self, place: int) -> str:
        """The key of a range."""
        return "ABCDEF"[len(self) - 1 - place]

    def _text(self, low: Fraction, high: Fraction | None) -> str:
        words = wording()["ranges"]
        if self.type in RATIOS:
            if high is not None and high <= 1:
                name, value = (
                    ("any", low) if not low and high == 1 else ("weak", low) if low else ("strong", high)
                )
                return str(words[f"decrease_{name}"].format(value=_number(value)))
            if low == 1:
                return str(
                    words["increase_weak" if high else "increase_any"].format(value=_number(high or low))
                )
            return str(words["increase_strong"].format(value=_number(low)))
        unit = "rare" if self.type in _RARE_TYPES else "share"
        if high == self.top:
            name = "above" if self.closed else "top"
        else:
            name = "bottom" if low == 0 else "closed" if self.closed else "between"
        show = _rare if unit == "rare" else _percent
        return str(words[f"{unit}_{name}"].format(low=show(low), high=show(high or Fraction(1))))


def ranges_of(kind: str, edges: Sequence[Edge], profile: str) -> Ranges:
    """The ranges for the values of a type."""
    counts = Counter(edge.mid for edge in edges)
    middle = _median(counts)
    away: Counter[Fraction] = Counter()
    for value, number in counts.items():
        away[abs(value - middle)] += number
    mad = _median(away)
    if kind in RATIOS:
        cuts = _ratio_cuts(counts)
        return Ranges(kind, cuts, None, middle, mad)
    one = Fraction(1)
    if profile == "strict":
        return Ranges(kind, _RARE if kind in _RARE_TYPES else _STRICT, one, middle, mad)
    cuts = tuple(cut for cut in (middle - mad, middle + mad) if 0 < cut < one)
    cuts = tuple(dict.fromkeys(cuts))
    return Ranges(kind, cuts, one, middle, mad, closed=len(cuts) == 2)


def _ratio_cuts(counts: Counter[Fraction]) -> tuple[Fraction, ...]:
    """1, with the median of what decreases before it and of what increases behind it."""
    less = Counter({value: number for value, number in counts.items() if value < 1})
    more = Counter({value: number for value, number in counts.items() if value > 1})
    cuts = [_median(less)] if less else []
    cuts += [Fraction(1), *([_median(more)] if more else [])]
    return tuple(cut for cut in cuts if cut > 0)


def _median(counts: Counter[Fraction]) -> Fraction:
    """The mean of the two in the middle, as exact as they are."""
    total, upto, low = counts.total(), 0, None
    for value in sorted(counts):
        upto += counts[value]
        if low is None and 2 * upto >= total:
            if 2 * upto > total:
                return value
            low = value
        elif low is not None:
            return (low + value) / 2
    return low or Fraction(0)


def _number(value: Number) -> str:
    return f"{float(value):.3g}"


def _percent(value: Number) -> str:
    return f"{float(value) * 100:.3g} %"


def _rare(value: Number) -> str:
    """Powers of ten as people say them."""
    share = 1 / float(value) if value else 0
    return f"1 in {round(share):,}" if share and abs(share - round(share)) < 1e-6 else f"{float(value):.3g}"
