"""What goes into a comparison and what comes out: plain frozen data, no store and no window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from extractors.model.coding import Coding
from extractors.model.finding import Polarity

Profile = Literal["paper", "strict"]
PROFILES: tuple[Profile, ...] = ("paper", "strict")
NONE = "NONE"  # the confusion matrix's name for "nothing there"


@dataclass(frozen=True, slots=True)
class Item:
    """One quote of one side; `start` and `end` are code points of the report's text, None without a place.

    `concepts` are what it stands for.
    """

    quote: str
    start: int | None = None
    end: int | None = None
    polarity: Polarity = "present"
    field: str = ""
    concepts: tuple[Coding, ...] = ()

    @property
    def span(self) -> tuple[int, int] | None:
        """Start and end, or None for a quote without a place."""
        return None if self.start is None or self.end is None else (self.start, self.end)


@dataclass(frozen=True, slots=True)
class ReportPair:
    """One report seen by two sides: category id -> quotes in rank order.

    The keys of a side are the categories it looked at; an empty tuple says "looked, found nothing". Only a
    category that both sides looked at is compared. Measures on tokens need the report's `text`.
    """

    key: str
    title: str
    left: Mapping[str, tuple[Item, ...]]
    right: Mapping[str, tuple[Item, ...]]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One report in one category; `scores` are what it alone says, None where that is nothing."""

    key: str
    title: str
    category: str
    left: tuple[Item, ...]
    right: tuple[Item, ...]
    scores: Mapping[str, float | None]

    @property
    def empty(self) -> bool:
        """Both sides looked and neither found anything."""
        return not self.left and not self.right


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of one line: a category, a report, the average over categories, or all items pooled.

    `scores`: measure key -> score, None where undefined, with the sentence why in `reasons`. `intervals`:
    the 95 % bootstrap interval (low, high) or None. `n`: report-category pairs that both sides looked at;
    `empty`: those among them where both sides found nothing; `support` and `support_left`: quotes of the
    right and left side; `unplaced`: quotes of either side without a place in the text.
    """

    scores: Mapping[str, float | None]
    intervals: Mapping[str, tuple[float, float] | None]
    reasons: Mapping[str, str]
    n: int
    empty: int
    support: int
    support_left: int
    unplaced: int


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One report's scores over the categories that both sides looked at."""

    key: str
    title: str
    row: Row


@dataclass(frozen=True, slots=True)
class Confusion:
    """Left's quotes (rows) by the category right gave the same place (columns); both end with NONE.

    `counts[row][column]` counts quotes: of the left side in a category's row, and in the row NONE those of
    the right side that no quote of the left overlaps. The place NONE/NONE is always 0.
    """

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def shares(self, row: int) -> tuple[float | None, ...]:
        """The row's counts as shares of its sum; None throughout for an empty row."""
        total = sum(self.counts[row])
        return tuple(count / total if total else None for count in self.counts[row])


@dataclass(frozen=True, slots=True)
class Counterpart:
    """One quote that the confusion matrix counts, and what the other side has in its place.

    `row` and `column` are labels of the matrix; `left` is None in the row NONE, `right` in the column NONE.
    """

    key: str
    title: str
    row: str
    column: str
    left: Item | None
    right: Item | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Everything one profile says about two sides over a set of reports.

    `averaged_over`: measure key -> number of categories in which it is defined and over which the average
    runs. `caveats` are sentences that must stand wherever the scores stand. `left_only` and `right_only`
    count the reports that one side alone looked at; they are in none of the scores.
    """

    left: str
    right: str
    profile: Profile
    overlap: float
    resamples: int
    seed: int
    documents: int
    categories: Mapping[str, Row]
    average: Row
    averaged_over: Mapping[str, int]
    pooled: Row
    reports: tuple[ReportRow, ...]
    cells: tuple[Cell, ...]
    confusion: Confusion
    caveats: tuple[str, ...] = ()
    left_only: int = 0
    right_only: int = 0
