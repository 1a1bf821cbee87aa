"""What T1's answers are worth: terms by id, strict and by nearest relative; entities by words, one to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import Any

from app.agreement.likeness.pairs import token_set_ratios
from app.studies.pages import PUBLISHED
from app.studies.rarebench.t1 import T1, is_scored, level_of
from app.studies.results import Measure, Row, Scores
from app.studies.scoring import f1, ratio
from app.tables import Column, Table
from extractors.terminology.hierarchy import ancestors
from extractors.terminology.library import shipped_hpo

LEAST_ALIKE = 90
_LEVELS = {"pte": "PTE", "gee": "GEE", "ges": "GES"}
# Chen et al., KDD 2024: F1.
_PUBLISHED = {
    "GPT-4": (0.245, 0.649, 0.387),
    "GPT-4, 3-shot": (0.260, 0.619, 0.420),
    "GPT-4, chain of thought": (0.251, 0.659, 0.397),
    "GPT-3.5": (0.172, 0.484, 0.323),
    "Gemini Pro": (0.101, 0.508, 0.343),
    "GLM4": (0.159, 0.568, 0.240),
    "Mistral-7B": (0.033, 0.264, 0.088),
}


def graded(row: Row) -> dict[str, Any]:
    """An answer's right, wrong and missed, what each entry was matched with, nearness to the terms."""
    if level_of(row.item) == "gee":
        return _of_entities([str(one) for one in row.value or ()], row.item.reference["entities"])
    return _of_terms(row)


def _of_entities(words: Sequence[str], wanted: Sequence[str]) -> dict[str, Any]:
    """Pairs of at least the likeness, as many as there can be and of these the most alike."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    pairs: dict[int, int] = {}
    if words and wanted:
        (likeness,) = token_set_ratios([list(words)], [list(wanted)])
        worth = np.where(np.asarray(likeness) >= LEAST_ALIKE, 1000 + np.asarray(likeness), 0)
        rows, columns = linear_sum_assignment(worth, maximize=True)
        pairs = {int(r): int(c) for r, c in zip(rows, columns, strict=True) if worth[r, c] > 0}
    matched = [
        {"text": one, "code": None, "by": "words" if at in pairs else None, "entity": wanted[pairs[at]]}
        if at in pairs
        else {"text": one, "code": None, "by": None}
        for at, one in enumerate(words)
    ]
    counts = (len(pairs), len(words) - len(pairs), len(wanted) - len(pairs))
    return {"scores": _counts_in_json(counts), "matched": matched}


def _of_terms(row: Row) -> dict[str, Any]:
    """By id: each once in a report; of given entities one that is right for another alone is wrong."""
    wanted: list[str] = row.item.reference["terms"]
    parts = [one for one in row.value or () if one["said"] and not one.get("denied")]
    aside = [one for one in parts if one["code"] and not is_scored(one["code"])]
    unknown = [one for one in parts if not one["code"]]
    given = [one["code"] or one["said"].casefold() for one in parts if one not in aside]
    right = set(given) & set(wanted)
    if level_of(row.item) == "ges":
        right = {code for code, one in zip(wanted, row.value or (), strict=False) if one["code"] == code}
    predicted, reference = dict.fromkeys(given), dict.fromkeys(wanted)
    wrong = [one for one in predicted if one not in right]
    counts = (len(right), len(wrong), len(set(wanted) - right))
    nearness = (
        sum(_nearest(code, reference) for code in predicted),
        float(len(predicted)),
        sum(_nearest(code, predicted) for code in reference),
        float(len(reference)),
    )
    scores = {
        **_counts_in_json(counts),
        "unknown": len(unknown),
        "aside": len(aside),
        "nearness": list(nearness),
    }
    matched = [
        {"text": one["said"], "code": one["code"] or None, "by": one["by"] or None, "quote": one["quote"]}
        for one in parts
    ]
    return {"scores": scores, "matched": matched}


def _counts_in_json(counts: tuple[int, int, int]) -> dict[str, Any]:
    right, wrong, missed = counts
    return {"right": right, "wrong": wrong, "missed": missed, "f1": f1(counts)}


def _nearest(code: str, others: Iterable[str]) -> float:
    """1 / (1 + steps) to the nearest of the others that is the same, above or below; 0 without one."""
    return max((_nearness(*sorted((code, other))) for other in others), default=0.0)


@lru_cache(maxsize=65536)
def _nearness(one: str, other: str) -> float:
    terminology = shipped_hpo()
    row, beside = terminology.row(one), terminology.row(other)
    if row is None or beside is None:
        return 0.0
    steps = ancestors(terminology, row).get(beside)
    if steps is None:
        steps = ancestors(terminology, beside).get(row)
    return 0.0 if steps is None else 1 / (1 + steps)


def counts(row: Row) -> tuple[float, float, float]:
    """Right, wrong and missed."""
    scores = row.graded["scores"]
    return scores["right"], scores["wrong"], scores["missed"]


def _nearness_of(row: Row) -> Sequence[float] | None:
    found: Sequence[float] | None = row.graded["scores"].get("nearness")
    return found


def _own_f1(total: Callable[[Sequence[float]], float | None], take: Callable[[Row], Any]) -> Any:  # noqa: ANN401
    def own(row: Row) -> float | None:
        numbers = take(row)
        return None if numbers is None else total(numbers)

    return own


def _near_f1(sums: Sequence[float]) -> float | None:
    precision, recall = ratio(0, 1)(sums), ratio(2, 3)(sums)
    if precision is None or recall is None:
        return None if precision is None and recall is None else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


_NOTHING_SAID = "Nothing was named, so that no share of it can be right."
_NOTHING_TO_FIND = "There is nothing to find, and nothing was named."
_WORDS = "Entities are words, which have no relatives."


def _precision(sums: Sequence[float]) -> float | None:
    right, wrong, _ = sums
    return right / (right + wrong) if right + wrong else None


_of = partial(Measure, tasks=(T1,))
_near = partial(_of, reason=_WORDS)
MEASURES = (
    _of("precision", "Precision", counts, total=_precision, reason=_NOTHING_SAID),
    _of("f1", "F1", counts, total=f1, reason=_NOTHING_TO_FIND),
    _of("f1_mean", "F1, mean of reports", _own_f1(f1, counts), reason=_NOTHING_TO_FIND),
    _near("precision_nearest", "Precision, nearest relative", _nearness_of, total=ratio(0, 1)),
    _near("recall_nearest", "Recall, nearest relative", _nearness_of, total=ratio(2, 3)),
    _near("f1_nearest", "F1, nearest relative", _nearness_of, total=_near_f1),
    _near("f1_mean_nearest", "F1, nearest relative, mean of reports", _own_f1(_near_f1, _nearness_of)),
)


def table(scores: Scores) -> Table[Any] | None:
    """F1 by run and level."""
    rows: list[tuple[object, ...]] = []
    for name, answered in scores.rows.items():
        of_level = {
            level: [counts(row) for row in answered if row.item.task == f"{T1}/{level}"] for level in _LEVELS
        }
        if any(of_level.values()):
            values = [
                f1([sum(part) for part in zip(*own, strict=True)]) if own else None
                for own in of_level.values()
            ]
            rows.append((name, max(map(len, of_level.values())), *values))
    if not rows:
        return None
    if scores.published:
        rows += [(f"{name}{PUBLISHED}", None, *values) for name, values in _PUBLISHED.items()]
    columns = (
        Column("Run", key="run", kind="words"),
        Column("n", key="n"),
        *(Column(label, key=level, decimals=3, heading=(label,)) for level, label in _LEVELS.items()),
    )
    return Table(columns, tuple(rows))
