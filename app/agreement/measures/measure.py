"""What a measure is: what a report adds to it in a category, and the score that such sums come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from app.agreement.types import Cell, Profile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.agreement.comparison import Comparison

Array: TypeAlias = "NDArray[np.float64]"

Vector = tuple[float, ...]
# Texts are read for "tokens", "page" and "figure" alone, and nothing slow is measured for "pairs".
Place = Literal[
    "table",  # of a terminal, which is full
    "tokens",  # in that table where they are asked for
    "concepts",  # in table, CSV and page where somebody has given a concept
    "csv",
    "window",  # the table of the mode Agreement, which is full
    "page",  # the tables of the HTML report
    "interval",  # in the sentence on intervals below the table
    "figure",  # a bar chart of the HTML report
    "pairs",  # in the line of each pair of several sides
    "grid",  # of models, strategies and ways of prompting
    "contrast",  # with a run's suggestions against without
    "chart",  # a bar chart of the picture, beside that of the leading measure
]
Shown = Mapping[Place, tuple[Profile, ...]]
PAPER: tuple[Profile, ...] = ("paper",)
STRICT: tuple[Profile, ...] = ("strict",)
BOTH: tuple[Profile, ...] = (*PAPER, *STRICT)
TABLES: Shown = {"table": BOTH, "csv": BOTH, "window": BOTH}
# A table for a terminal has no room for more, and that in CSV is read by scripts.
TOKENS: Shown = {"tokens": BOTH, "page": PAPER}
# Shown where somebody has given a concept.
CONCEPTS: Shown = {"concepts": BOTH}


def quotient(above: Array, below: Array) -> Array:
    """`above` over `below`, NaN where `below` is nothing (0/0)."""
    import numpy as np

    return np.divide(above, below, out=np.full_like(above, np.nan), where=below != 0)


def no_tokens(cells: Sequence[Cell], left: str, right: str) -> str:
    """Why a measure on tokens is undefined."""
    if not any(cell.left or cell.right for cell in cells):
        return found_nothing(cells, left, right)
    return "There is no token on which the two could have differed: all of them are rated alike by both."


def found_nothing(cells: Sequence[Cell], left: str, right: str) -> str:
    """Why most measures are undefined."""
    return f"Neither {left} nor {right} found anything in any report."


@dataclass(frozen=True, slots=True)
class Measure:
    """One number on how far two sides agree.

    `contribution` is what one report adds in one category, always of the same length, and `value` the scores
    that sums of such vectors come to, an array for each place of the vector; NaN is undefined, for which
    `reason` has a sentence. So the bootstrap sums vectors again, and knows no measure.

    `heading` heads a narrow column, in lines. `paper` and `strict` say in words how a profile arrives at the
    number; `strict` is empty where both do the same, `paper` where that profile does not have it. `top` is
    the best possible score (100 or 1); for an `error`, in percent, the worst. A measure of `places` is
    undefined where a side has quotes and none of them has a place; `slow` ones are left out where speed
    counts, those of `tokens` need the reports' texts. `leads` is the profile that it stands for where there
    is room for one. `caption` is a sentence for its figure on the page, `note` one below tables for a
    terminal; both may hold {overlap}. `shown_in` says where it stands, and in which profiles; JSON has them
    all.
    """

    key: str
    name: str
    heading: tuple[str, ...]
    paper: str
    contribution: Callable[[Comparison], Vector]
    strict: str = ""
    top: float = 1
    decimals: int = 3
    error: bool = False
    places: bool = False
    slow: bool = False
    tokens: bool = False
    leads: Profile | None = None
    caption: str = ""
    note: str = ""
    value: Callable[..., Array] = quotient
    reason: Callable[[Sequence[Cell], str, str], str] = found_nothing
    shown_in: Shown = field(default_factory=dict, hash=False)

    @property
    def unit(self) -> str:
        """What stands behind every value: errors are percent."""
        return " %" if self.error else ""

    def explanation(self, profile: Profile) -> str:
        """The sentence that says how `profile` computes this measure."""
        return self.strict if profile == "strict" and self.strict else self.paper

    def stands_in(self, place: Place, profile: Profile) -> bool:
        """Whether a place shows it in this profile."""
        return bool(self.explanation(profile)) and profile in self.shown_in.get(place, ())

    def range_text(self, interval: tuple[float, float] | None) -> str:
        """An interval to one decimal less than the score, "" where there is none."""
        text = "–".join(f"{bound:z.{self.decimals - 1}f}" for bound in interval or ())
        return text and text + self.unit

    def text(self, value: float | None) -> str:
        """The value as shown everywhere, an error as percent, a dash where it is undefined."""
        return "–" if value is None else f"{value:z.{self.decimals}f}{self.unit}"

    def spread(self, interval: tuple[float, float]) -> str:
        """An interval in words, as exact as the score."""
        low, high = interval
        return f"{low:z.{self.decimals}f} to {self.text(high)}"
