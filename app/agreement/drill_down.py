"""What is behind a number: the reports it comes from with their values, and the quotes of both sides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.agreement.measures import BY_KEY
from app.agreement.spans import counterparts
from app.agreement.types import NONE, Agreement, Cell, Counterpart, ReportPair
from extractors.grouping import grouped


@dataclass(frozen=True, slots=True)
class DrilledReport:
    """One report behind a number: its own value as text ("–" where it has none) and both sides' quotes.

    `score` is None where the report says nothing of the measure; `left` and `right` count quotes.
    """

    key: str
    title: str
    score: float | None
    text: str
    left: int
    right: int


def drill_down(agreement: Agreement, measure: str, category: str = "") -> tuple[DrilledReport, ...]:
    """The reports behind a measure in a category ("": in all of them), worst first, those without a say last.

    Raises KeyError for a measure that the profile lacks.
    """
    known = BY_KEY[measure]
    if category:
        found = [
            (cell.key, cell.title, cell.scores[measure], len(cell.left), len(cell.right))
            for cell in agreement.cells
            if cell.category == category
        ]
    else:
        found = [
            (one.key, one.title, one.row.scores[measure], one.row.support_left, one.row.support)
            for one in agreement.reports
            if one.row.n
        ]
    reports = [
        DrilledReport(key, title, score, known.text(score), left, right)
        for key, title, score, left, right in found
    ]
    sign = -1 if known.error else 1
    # More quotes first among equals: there is more to see.
    reports.sort(key=lambda one: (one.score is None, sign * (one.score or 0.0), -one.left - one.right))
    return tuple(reports)


def confused(agreement: Agreement, row: str, column: str) -> tuple[Counterpart, ...]:
    """The quotes that stand in one place of the confusion matrix, report by report."""
    wanted = {row, column} - {NONE}
    # The counterpart of a quote may be in any category: leaving others out would change who it is.
    pairs = _pairs(agreement.cells)
    keys = {cell.key for cell in agreement.cells if cell.category in wanted and not cell.empty}
    return tuple(
        one
        for one in counterparts(
            (pair for pair in pairs if pair.key in keys), tuple(agreement.categories), agreement.overlap
        )
        if (one.row, one.column) == (row, column)
    )


def _pairs(cells: Iterable[Cell]) -> list[ReportPair]:
    """The reports of an agreement as they went into it, in the categories that both sides looked at."""
    return [
        ReportPair(
            key,
            found[0].title,
            {cell.category: cell.left for cell in found},
            {cell.category: cell.right for cell in found},
        )
        for key, found in grouped((cell.key, cell) for cell in cells).items()
    ]
