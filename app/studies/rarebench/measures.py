"""What T3 and T4 are measured by, and the paper's tables of them, of one's own runs."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from app.studies.pages import by_run
from app.studies.rarebench.judging import RANKED, T3, T4
from app.studies.results import Measure, Row, RunScores, Score, Scores
from app.studies.scoring import median
from app.studies.study import Table
from app.tables import Table as DrawnTable

BEYOND = 11
HITS = (1, 3, 10)
_STOPS = "The method stops at ten diseases, or does not have half of the right ones."
_NOT_SEEN = "Only a run with --own-publication both ranks every case twice."
_NO_EXAMPLES = "Its prompts show no examples."


def hit(rank: int | None, most: int) -> float:
    """1 where a rank is among the first so many."""
    return float((rank or BEYOND) <= most)


def _disease(row: Row) -> str:
    return str(row.item.labels["disease"])


def _capped(rank: int | None) -> float:
    return float(min(rank or BEYOND, BEYOND))


def _full_rank(row: Row) -> float | None:
    scores = row.graded["scores"]
    return None if scores["stops"] else float(scores["rank"] or math.inf)


def _scored(which: str, value: Callable[[Any], float]) -> Callable[[Row], float | None]:
    """The value of one of an answer's scores; None where it has no such score."""

    def found(row: Row) -> float | None:
        scores = row.graded["scores"]
        return value(scores[which]) if which in scores else None

    return found


def _hits(end: str, about: str, which: str, **more: Any) -> list[Measure]:  # noqa: ANN401 (fields of a measure)
    return [
        _of(f"hit@{most}{end}", f"Hit@{most}{about}", _scored(which, partial(hit, most=most)), **more)
        for most in HITS
    ]


_of = partial(Measure, tasks=RANKED)
_median = partial(_of, over=median, decimals=1)
MEASURES = (
    *_hits("", "", "rank"),
    _median("median_rank", "Median rank", _scored("rank", _capped)),
    _median("median_rank_full", "Median rank, full", _full_rank, reason=_STOPS),
    _of("mrr", "Mean reciprocal rank", _scored("rank", lambda rank: 1 / rank if rank else 0.0)),
    *_hits("_code", ", no family", "code_rank", listed=False),
    *_hits("_macro", ", mean of diseases", "rank", listed=False, within=_disease),
    *_hits("_seen", ", seen", "seen_rank", listed=False, reason=_NOT_SEEN),
    _median(
        "median_rank_seen", "Median rank, seen", _scored("seen_rank", _capped), reason=_NOT_SEEN, listed=False
    ),
    _of("named", "Prompts that named the answer", _scored("named", float), reason=_NO_EXAMPLES, listed=False),
)


_COLUMNS = (*(f"hit@{most}" for most in HITS), "median_rank")
_SEEN = tuple(f"{one}_seen" for one in _COLUMNS)
_TOLD_APART = (*(f"hit@{most}_code" for most in HITS), *(f"hit@{most}_macro" for most in HITS))
# Chen et al., KDD 2024; a median beyond ten counts as 11.
_PUBLISHED: Mapping[str, Mapping[str, tuple[float, float, float, int]]] = {
    T3: {
        "GPT-4": (0.461, 0.596, 0.721, 3),
        "GPT-4, chain of thought": (0.474, 0.620, 0.750, 2),
        "GPT-3.5": (0.332, 0.454, 0.581, 5),
        "GLM4": (0.313, 0.425, 0.571, 8),
        "GLM3-Turbo": (0.258, 0.378, 0.512, 10),
        "Gemini Pro": (0.243, 0.326, 0.448, BEYOND),
        "Mistral-7B": (0.137, 0.192, 0.290, BEYOND),
    },
    T4: {
        "GPT-4": (0.323, 0.454, 0.589, 5),
        "GPT-4, three random examples": (0.304, 0.438, 0.579, 5),
        "GPT-4, chain of thought": (0.332, 0.464, 0.595, 4),
        "GPT-3.5": (0.211, 0.342, 0.482, BEYOND),
        "GLM4": (0.191, 0.304, 0.455, BEYOND),
        "GLM3-Turbo": (0.124, 0.210, 0.332, BEYOND),
        "Gemini Pro": (0.146, 0.227, 0.330, BEYOND),
        "Mistral-7B": (0.072, 0.125, 0.189, BEYOND),
    },
}


def of_task(scores: Scores, task: str) -> Scores:
    """The runs that answered this task, as far as they did."""
    runs = scores.by.get("task", {}).get(task, {})
    rows = {name: [row for row in scores.rows[name] if row.item.task == task] for name in runs}
    return replace(scores, runs=runs, rows=rows)


def _ranks(task: str) -> Callable[[Scores], DrawnTable[Any] | None]:
    """Left out and seen in columns side by side; below a run with examples, what these alone would give."""
    published = {name: dict(zip(_COLUMNS, one, strict=True)) for name, one in _PUBLISHED[task].items()}

    def make(scores: Scores) -> DrawnTable[Any] | None:
        own = of_task(scores, task)
        runs: dict[str, RunScores] = {}
        for name, one in own.runs.items():
            runs[name] = one
            if alone := neighbours_alone(own.rows[name]):
                runs[f"{name}: neighbours alone"] = replace(one, scores=alone, unscored=0)
        seen = any(one.scores[_SEEN[0]].value is not None for one in own.runs.values())
        columns = (*_COLUMNS, *(_SEEN if seen else ()))
        return by_run(columns, published)(replace(own, runs=runs)) if runs else None

    return make


def neighbours_alone(rows: Sequence[Row]) -> dict[str, Score]:
    """What the diagnoses of the most similar cases would score without a model; {} without examples."""
    ranks = [row.graded["scores"].get("neighbours_rank", 0) for row in rows]
    shown = [rank for rank in ranks if rank != 0]
    if not shown:
        return {}
    scores = {f"hit@{most}": Score(sum(hit(one, most) for one in shown) / len(shown)) for most in HITS}
    return {**scores, "median_rank": Score(statistics.median(map(_capped, shown)))}


def _groups(scores: Scores) -> DrawnTable[Any] | None:
    """Rare and common apart, of T3."""
    own = of_task(scores, T3)
    by = {
        value: {name: one for name, one in runs.items() if name in own.runs}
        for value, runs in scores.by.get("rarity", {}).items()
    }
    return by_run(_COLUMNS, label="rarity")(replace(own, by={"rarity": by}))


def _told_apart(task: str) -> Callable[[Scores], DrawnTable[Any] | None]:
    def make(scores: Scores) -> DrawnTable[Any] | None:
        own = of_task(scores, task)
        return by_run(_TOLD_APART)(own) if own.runs else None

    return make


_T3, _T4 = "T3, of a list of candidates", "T4, any rare disease"
_STRICT = "without families, and the mean of diseases"
TABLES = (
    Table("T3", _T3, _ranks(T3)),
    Table("T3 groups", f"{_T3}: rare and common apart", _groups),
    Table("T3 strict", f"{_T3}: {_STRICT}", _told_apart(T3)),
    Table("T4", _T4, _ranks(T4)),
    Table("T4 strict", f"{_T4}: {_STRICT}", _told_apart(T4)),
)
