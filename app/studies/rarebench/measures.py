"""What T3 and T4 are measured by: hits and ranks, by name and by code, by disease, and as seen."""

from __future__ import annotations

import math
from collections.abc import Callable

from app.studies.rarebench.grading import RANKED
from app.studies.results import Measure, Row
from app.studies.scoring import median

BEYOND = 11
HITS = (1, 3, 10)
_NOT_SEEN = "Only a run with --own-publication both ranks every case twice."
_NO_EXAMPLES = "Its prompts show no examples."


def hit(rank: int | None, most: int) -> float:
    """1 where a rank is among the first so many."""
    return float((rank or BEYOND) <= most)


def _rank(row: Row) -> int | None:
    rank: int | None = row.graded["scores"]["rank"]
    return rank


def _hit(most: int, which: str = "rank") -> Callable[[Row], float | None]:
    """Of the rank that is meant; None where the answer has no such rank."""

    def found(row: Row) -> float | None:
        scores = row.graded["scores"]
        return hit(scores[which], most) if which in scores else None

    return found


def _seen_rank(row: Row) -> float | None:
    scores = row.graded["scores"]
    return float(min(scores["seen_rank"] or BEYOND, BEYOND)) if "seen_rank" in scores else None


def _disease(row: Row) -> str:
    return str(row.item.labels["disease"])


def _published_rank(row: Row) -> float:
    return float(min(_rank(row) or BEYOND, BEYOND))


def _full_rank(row: Row) -> float | None:
    return None if row.graded["scores"]["stops"] else float(_rank(row) or math.inf)


def _reciprocal(row: Row) -> float:
    rank = _rank(row)
    return 1 / rank if rank else 0.0


def _named(row: Row) -> float | None:
    scores = row.graded["scores"]
    return float(scores["named"]) if "named" in scores else None


MEASURES = (
    *(Measure(f"hit@{most}", f"Hit@{most}", _hit(most), tasks=RANKED) for most in HITS),
    Measure("median_rank", "Median rank", _published_rank, over=median, tasks=RANKED, decimals=1),
    Measure(
        "median_rank_full",
        "Median rank, full",
        _full_rank,
        over=median,
        tasks=RANKED,
        decimals=1,
        reason="The method stops at ten diseases, or does not have half of the right ones.",
    ),
    Measure("mrr", "Mean reciprocal rank", _reciprocal, tasks=RANKED),
    *(
        Measure(
            f"hit@{most}_code", f"Hit@{most}, no family", _hit(most, "code_rank"), tasks=RANKED, listed=False
        )
        for most in HITS
    ),
    *(
        Measure(
            f"hit@{most}_macro",
            f"Hit@{most}, mean of diseases",
            _hit(most),
            within=_disease,
            tasks=RANKED,
            listed=False,
        )
        for most in HITS
    ),
    *(
        Measure(
            f"hit@{most}_seen",
            f"Hit@{most}, seen",
            _hit(most, "seen_rank"),
            tasks=RANKED,
            reason=_NOT_SEEN,
            listed=False,
        )
        for most in HITS
    ),
    Measure(
        "median_rank_seen",
        "Median rank, seen",
        _seen_rank,
        over=median,
        tasks=RANKED,
        decimals=1,
        reason=_NOT_SEEN,
        listed=False,
    ),
    Measure(
        "named",
        "Prompts that named the answer",
        _named,
        tasks=RANKED,
        reason=_NO_EXAMPLES,
        listed=False,
    ),
)
