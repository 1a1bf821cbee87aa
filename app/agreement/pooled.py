"""All cells at once: quotes and words that both sides share, and cells where one side alone has something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from app.agreement.comparison import best_total
from app.agreement.types import Agreement, Cell, Item
from app.tables import Column, Table
from extractors.grouping import grouped

_NO_QUOTE = "Neither side has a quote."
_NO_WORD = "Neither side has a word."


@dataclass(frozen=True, slots=True)
class Side:
    """What one side has: quotes, their words, and the median of their words (None without a quote)."""

    quotes: int
    words: int
    median: float | None


@dataclass(frozen=True, slots=True)
class Sizes:
    """Both sides of some cells; `missed` counts those where the right side alone has quotes, `invented` the
    left side alone.
    """

    left: Side
    right: Side
    missed: int
    invented: int


def pooled(cells: Iterable[Cell]) -> tuple[dict[str, float | int | None], dict[str, str]]:
    """f1, word_f1, cells_invented and cells_missed of the left against the right, and reasons for None.

    Texts are taken as RapidFuzz's `default_process` leaves them. f1: in each cell equal quotes count once and
    quotes are paired one to one so that the sum of their normalised Indel similarities is greatest; twice
    these sums over the quotes of both sides. word_f1: twice the words that both sides have in a cell, as
    often as both have them, over the words of both.
    """
    from rapidfuzz.utils import default_process

    alike, quotes, shared, words, sizes = 0.0, 0, 0, 0, [0, 0]
    for cell in cells:
        if cell.empty:
            continue
        left, right = ([one.quote for one in side] for side in (cell.left, cell.right))
        ours, theirs = ([default_process(quote) for quote in dict.fromkeys(side)] for side in (left, right))
        alike += _paired(ours, theirs)
        quotes += len(ours) + len(theirs)
        own, other = (default_process(" ".join(side)).split() for side in (left, right))
        shared += len(own) if own == other else (Counter(own) & Counter(other)).total()
        words += len(own) + len(other)
        sizes[0] += bool(left) and not right
        sizes[1] += bool(right) and not left
    values = {
        "f1": 2 * alike / quotes if quotes else None,
        "word_f1": 2 * shared / words if words else None,
        "cells_invented": sizes[0],
        "cells_missed": sizes[1],
    }
    lacking = {"f1": _NO_QUOTE, "word_f1": _NO_WORD}
    return values, {key: value for key, value in lacking.items() if values[key] is None}


def _paired(left: Sequence[str], right: Sequence[str]) -> float:
    """The greatest sum of similarities over one-to-one pairs."""
    import numpy as np
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    if left == right:
        return float(len(left))
    if not left or not right:
        return 0.0
    scores = process.cdist(left, right, scorer=Indel.normalized_similarity, dtype=np.float64)
    return best_total(scores)


def sizes(agreement: Agreement) -> Mapping[str, Sizes]:
    """How much each side has, category by category."""
    cells = grouped((cell.category, cell) for cell in agreement.cells)
    return {category: _sizes(cells.get(category, ())) for category in agreement.categories}


def _sizes(cells: Sequence[Cell]) -> Sizes:
    return Sizes(
        _side([one for cell in cells for one in cell.left]),
        _side([one for cell in cells for one in cell.right]),
        sum(1 for cell in cells if cell.right and not cell.left),
        sum(1 for cell in cells if cell.left and not cell.right),
    )


def _side(items: Sequence[Item]) -> Side:
    words = [len(item.quote.split()) for item in items]
    return Side(len(words), sum(words), float(median(words)) if words else None)


def sizes_json(agreement: Agreement) -> dict[str, Any]:
    """`sizes` as plain values."""
    return {
        category: {
            **{
                name: {"quotes": side.quotes, "words": side.words, "median_words": side.median}
                for name, side in (("left", one.left), ("right", one.right))
            },
            "cells_missed": one.missed,
            "cells_invented": one.invented,
        }
        for category, one in sizes(agreement).items()
    }


def sizes_table(agreement: Agreement, names: Mapping[str, str] | None = None) -> Table[object]:
    """A row per category: quotes, words and median of either side, cells missed and invented."""
    rows = [
        (
            (names or {}).get(category, category),
            *(value for side in (one.left, one.right) for value in (side.quotes, side.words, side.median)),
            one.missed,
            one.invented,
        )
        for category, one in sizes(agreement).items()
    ]
    columns = [Column("Category", kind="words", width=20)]
    for name in ("Left", "Right"):
        columns += [
            Column(f"{name} quotes", heading=(name, "quotes")),
            Column(f"{name} words", heading=(name, "words")),
            Column(f"{name} median", heading=(name, "median"), decimals=1),
        ]
    columns += [Column("Missed"), Column("Invented")]
    return Table(
        columns=tuple(columns),
        rows=tuple(rows),
        title="Quotes and words by category",
        notes=(
            "Words: of all quotes, and the median of a quote. Missed: reports in which the right side alone "
            "has quotes in the category; invented: the left side alone.",
        ),
    )
