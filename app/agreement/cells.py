"""What every report-category pair contributes to every measure: a numerator and a denominator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.agreement.joined import joined_scores
from app.agreement.measures import BY_KEY
from app.agreement.pairs import (
    Texts,
    best_levenshtein,
    best_token_set_ratios,
    indel_similarities,
    levenshtein_similarities,
    token_set_ratios,
)
from app.agreement.spans import exact_matches, overlap_matches
from app.agreement.types import Cell, Item, Profile, ReportPair

if TYPE_CHECKING:
    from app.agreement.pairs import Matrix

Share = tuple[float, float]
NOTHING: Share = (0.0, 0.0)
JOINED = ("bleu_1", "bleu_4", "rouge_l")


@dataclass(frozen=True, slots=True)
class MeasuredCell:
    """A cell and, per measure, what it adds to numerator and denominator of every score it takes part in.

    `report` is the position of its report in the list that was compared.
    """

    report: int
    cell: Cell
    shares: Mapping[str, Share]


@dataclass(frozen=True, slots=True)
class _Raw:
    """One report-category pair before measuring."""

    number: int
    report: ReportPair
    category: str
    left: tuple[Item, ...]
    right: tuple[Item, ...]

    @property
    def full(self) -> bool:
        return bool(self.left and self.right)


def measure_cells(
    reports: Sequence[ReportPair],
    categories: Sequence[str],
    profile: Profile,
    overlap: float,
    *,
    joined: bool = True,
    first: int = 0,
) -> list[MeasuredCell]:
    """Every category of every report that both sides looked at, report by report, categories in order.

    `first` is the position of the first of these reports among all that are compared.

    Without `joined`, the measures of `JOINED`, which take most of the time, are left out.
    """
    raw = [
        _Raw(number, report, category, tuple(report.left[category]), tuple(report.right[category]))
        for number, report in enumerate(reports, first)
        for category in categories
        if category in report.left and category in report.right
    ]
    full = [entry for entry in raw if entry.full]
    left, right = _quotes(full)
    texts = _paper(left, right) if profile == "paper" else _strict(left, right)
    if joined:
        for shares, ours, theirs in zip(texts, left, right, strict=True):
            shares.update(_joined(ours, theirs))
    found = iter(texts)
    return [_measured(entry, next(found) if entry.full else None, profile, overlap) for entry in raw]


def _measured(
    entry: _Raw, texts: Mapping[str, Share] | None, profile: Profile, overlap: float
) -> MeasuredCell:
    if texts is None:
        texts = _one_sided(entry, profile)
    shares = {**texts, **_presence(entry), **_spans(entry, overlap)}
    scores = {key: _ratio(*share) for key, share in shares.items()}
    report = entry.report
    cell = Cell(report.key, report.title, entry.category, entry.left, entry.right, scores)
    return MeasuredCell(entry.number, cell, shares)


def _ratio(numerator: float, denominator: float) -> float | None:
    return numerator / denominator if denominator else None


def _one_sided(entry: _Raw, profile: Profile) -> dict[str, Share]:
    """Text measures where a side found nothing: 0 for a miss; full marks or none for agreed silence."""
    silent = not entry.left and not entry.right
    keys = ("tsr", "levenshtein", "exact_match", *JOINED)
    if profile == "paper":
        return {key: (BY_KEY[key].top if silent else 0.0, 1.0) for key in keys}
    shares = {key: NOTHING if silent else (0.0, 1.0) for key in keys}
    return {**shares, **_over_items(0.0, len(entry.left), len(entry.right))}


def _presence(entry: _Raw) -> dict[str, Share]:
    """Omission: left silent where right found something; hallucination: the reverse. In percent."""
    left, right = bool(entry.left), bool(entry.right)
    return {
        "omission": (100.0 * (right and not left), float(right)),
        "hallucination": (100.0 * (left and not right), float(not right)),
    }


def _spans(entry: _Raw, overlap: float) -> dict[str, Share]:
    items = float(len(entry.left) + len(entry.right))
    return {
        "span_f1": (2.0 * exact_matches(entry.left, entry.right), items),
        "span_f1_overlap": (2.0 * overlap_matches(entry.left, entry.right, overlap), items),
    }


def _over_items(total: float, left: int, right: int) -> dict[str, Share]:
    return {"precision": (total, left), "recall": (total, right), "f1": (2 * total, left + right)}


def _paper(left: Texts, right: Texts) -> list[dict[str, Share]]:
    return [
        {"tsr": (tsr, 1.0), "levenshtein": (levenshtein, 1.0), "exact_match": (exact, 1.0)}
        for tsr, levenshtein, exact in paper_scores(left, right)
    ]


def paper_scores(left: Texts, right: Texts) -> list[tuple[float, float, float]]:
    """The published formulas for cells in which both sides found something: TSR, Levenshtein, exact match.

    Per cell the left's mean of its best match on the right, and whether the lists are equal, order and all.
    """
    from concurrent.futures import ThreadPoolExecutor

    # Sorting words keeps one core busy and comparing letters leaves Python free: side by side they take less.
    with ThreadPoolExecutor(1) as beside:
        letters = beside.submit(best_levenshtein, left, right)
        rows = zip(left, right, best_token_set_ratios(left, right), letters.result(), strict=True)
    return [
        (_mean(tsr), _mean(levenshtein), float(ours == theirs)) for ours, theirs, tsr, levenshtein in rows
    ]


def _mean(values: Sequence[float]) -> float:
    """Added up in order, as a plain loop would; other orders differ in the last digit."""
    return sum(values) / len(values)


def _strict(left: Texts, right: Texts) -> list[dict[str, Share]]:
    """One-to-one formulas: twice the best total over pairs / quotes of both sides, each measure by itself."""
    matrices = zip(
        left,
        right,
        token_set_ratios(left, right),
        levenshtein_similarities(left, right),
        indel_similarities(left, right),
        strict=True,
    )
    best = _best_total()
    result = []
    for ours, theirs, tsr, levenshtein, indel in matrices:
        items = len(ours) + len(theirs)
        equal = (Counter(ours) & Counter(theirs)).total()
        result.append(
            {
                "tsr": (2 * best(_whole_where_equal(tsr, ours, theirs)) / items, 1.0),
                "levenshtein": (2 * best(levenshtein) / items, 1.0),
                "exact_match": (2 * equal / items, 1.0),
                **_over_items(best(indel), len(ours), len(theirs)),
            }
        )
    return result


def _whole_where_equal(matrix: Matrix, ours: Sequence[str], theirs: Sequence[str]) -> Matrix:
    """Token set ratios, 100 for equal quotes even without words, to which the published formula gives 0."""
    whole = matrix.copy()
    for row, quote in enumerate(ours):
        for column, other in enumerate(theirs):
            if quote == other:
                whole[row, column] = 100.0
    return whole


def _best_total() -> Callable[[Matrix], float]:
    """A function for the greatest sum over one-to-one pairs of a matrix; scipy is imported only now."""
    from scipy.optimize import linear_sum_assignment

    def best(matrix: Matrix) -> float:
        rows, columns = linear_sum_assignment(matrix, maximize=True)
        return float(matrix[rows, columns].sum())

    return best


def _joined(ours: Sequence[str], theirs: Sequence[str]) -> dict[str, Share]:
    scores = joined_scores(ours, theirs)
    return {key: (getattr(scores, key), 1.0) for key in JOINED}


def _quotes(cells: Sequence[_Raw]) -> tuple[list[list[str]], list[list[str]]]:
    left = [[item.quote for item in entry.left] for entry in cells]
    right = [[item.quote for item in entry.right] for entry in cells]
    return left, right
