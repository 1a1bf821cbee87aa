"""Where the right disease stands in an answer, and by what it was recognised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from app.studies.results import Measure, Row, Settings
from extractors.differential.knowledge import shipped_ranker
from extractors.differential.naming import Naming

BEYOND = 11
_LISTED = 10


def grade(rows: Sequence[Row], _: Settings) -> Sequence[Mapping[str, Any]]:
    """The rank in each answer, None where the disease is not there; a list of names stops at ten."""
    return [_graded(row) for row in rows]


def _graded(row: Row) -> dict[str, Any]:
    if isinstance(row.value, dict):
        rank = row.value.get("rank")
        return {"scores": {"rank": rank, "stops": False}, "matched": None}
    names = [str(one) for one in row.value] if isinstance(row.value, list) else []
    wanted = [
        number
        for code in row.item.reference["diagnoses"]
        if (number := shipped_ranker().diseases.numbers.get(code)) is not None
    ]
    for rank, text in enumerate(names[:_LISTED], 1):
        found = _naming().match(text, wanted)
        if found is not None:
            code = shipped_ranker().diseases.codes[found.disease][0]
            return {
                "scores": {"rank": rank, "stops": True},
                "matched": {"text": text, "code": code, "by": found.by},
            }
    return {"scores": {"rank": None, "stops": True}, "matched": None}


@lru_cache(maxsize=1)
def _naming() -> Naming:
    return Naming(shipped_ranker().diseases)


def _rank(row: Row) -> int | None:
    rank: int | None = row.graded["scores"]["rank"]
    return rank


def _within(most: int) -> Measure:
    def hit(row: Row) -> float:
        return float((_rank(row) or BEYOND) <= most)

    return Measure(f"hit@{most}", f"Hit@{most}", hit)


def _published_rank(row: Row) -> float:
    return float(min(_rank(row) or BEYOND, BEYOND))


def _full_rank(row: Row) -> float | None:
    rank = _rank(row)
    return None if row.graded["scores"]["stops"] or rank is None else float(rank)


def _reciprocal(row: Row) -> float:
    rank = _rank(row)
    return 1 / rank if rank else 0.0


def _median(numbers: Any) -> float:  # noqa: ANN401 (an array of numpy)
    import numpy as np

    return float(np.median(numbers))


MEASURES = (
    _within(1),
    _within(3),
    _within(10),
    Measure("median_rank", "Median rank", _published_rank, over=_median, decimals=1, higher=False),
    Measure(
        "median_rank_full",
        "Median rank, full",
        _full_rank,
        over=_median,
        decimals=1,
        higher=False,
        why="The method stops at ten diseases; beyond them it has no rank.",
    ),
    Measure("mrr", "Mean reciprocal rank", _reciprocal),
)
