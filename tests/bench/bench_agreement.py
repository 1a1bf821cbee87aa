"""How long a whole table takes to score, against the same formulas one pair of quotes at a time."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any

from app.agreement.cells import paper_scores
from tests.unit.app.agreement.table import SHAPE, side

REPORTS = 138
LIMIT = 0.1
Cells = list[tuple[list[str], list[str]]]
Sums = tuple[float, float, float]


def measures() -> list[tuple[str, float, float, str]]:
    """(name, ratio of our time to the baseline's, limit, baseline)."""
    cells = _table()
    ours, our_sums = _best_of(5, lambda: _all_at_once(cells))
    theirs, their_sums = _best_of(2, lambda: _one_pair_at_a_time(cells))
    if our_sums != their_sums:
        raise AssertionError(f"The two ways differ: {our_sums} and {their_sums}.")
    baseline = "fuzzywuzzy and Levenshtein, one pair at a time"
    return [("agreement, paper profile, 138 x 14", ours / theirs, LIMIT, baseline)]


def _table() -> Cells:
    left, right = side(1, REPORTS), side(2, REPORTS)
    return [(ours[c], theirs[c]) for ours, theirs in zip(left, right, strict=True) for c in SHAPE]


def _best_of(times: int, work: Callable[[], Sums]) -> tuple[float, Sums]:
    best, result = float("inf"), (0.0, 0.0, 0.0)
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return best, result


def _all_at_once(cells: Cells) -> Sums:
    full = [(left, right) for left, right in cells if left and right]
    scored = iter(paper_scores([left for left, _ in full], [right for _, right in full]))
    sums = [0.0, 0.0, 0.0]
    for left, right in cells:
        if left and right:
            scores = next(scored)
        else:
            scores = (0.0, 0.0, 0.0) if left or right else (100.0, 1.0, 1.0)
        sums = [total + score for total, score in zip(sums, scores, strict=True)]
    return sums[0], sums[1], sums[2]


def _one_pair_at_a_time(cells: Cells) -> Sums:
    fuzz: Any = importlib.import_module("fuzzywuzzy.fuzz")  # comes without types
    from Levenshtein import distance

    tsr = levenshtein = exact = 0.0
    for left, right in cells:
        if not left and not right:
            tsr, levenshtein, exact = tsr + 100, levenshtein + 1, exact + 1
        elif left and right:
            tsr += sum(max(fuzz.token_set_ratio(a.lower(), b.lower()) for b in right) for a in left) / len(
                left
            )
            near = (max(1 - distance(a, b) / max(len(a), len(b), 1) for b in right) for a in left)
            levenshtein += sum(near) / len(left)
            exact += left == right
    return tsr, levenshtein, exact
