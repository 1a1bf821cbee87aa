"""How long a whole table takes to score, against the same formulas one pair of quotes at a time."""

from __future__ import annotations

import importlib
from typing import Any

from app.agreement.comparison import likenesses
from tests.bench.measure import Measure, interleaved_ratio
from tests.unit.app.agreement.table import SHAPE, side

REPORTS = 138
Cells = list[tuple[list[str], list[str]]]
Sums = tuple[float, float, float]


def measures() -> list[Measure]:
    """The paper profile's three text measures over a table of the dataset's shape; both ways must agree."""
    cells = _table()
    ours, theirs = _all_at_once(cells), _one_pair_at_a_time(cells)
    if ours != theirs:
        raise AssertionError(f"The two ways differ: {ours} and {theirs}.")
    ratio = interleaved_ratio(lambda: _all_at_once(cells), lambda: _one_pair_at_a_time(cells), repeats=5)
    baseline = "fuzzywuzzy and Levenshtein, one pair at a time"
    return [Measure("agreement, paper profile, 138 x 14", ratio, 0.1, baseline)]


def _table() -> Cells:
    left, right = side(1, REPORTS), side(2, REPORTS)
    return [(ours[c], theirs[c]) for ours, theirs in zip(left, right, strict=True) for c in SHAPE]


def _all_at_once(cells: Cells) -> Sums:
    full = [(left, right) for left, right in cells if left and right]
    scored = iter(likenesses([left for left, _ in full], [right for _, right in full], "paper"))
    sums = [0.0, 0.0, 0.0]
    for left, right in cells:
        if left and right:
            found = next(scored)
            scores = (found.words, found.letters, found.equal)
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
