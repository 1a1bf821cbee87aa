"""From two sides' quotes to scores by category, by report and overall, and back to the quotes behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from app.agreement.cells import MeasuredCell, measure_cells, scores_of, sum_of
from app.agreement.measures import BY_KEY, Measure, measures_of, shown_in
from app.agreement.spans import count_confused, counterparts, tabulated
from app.agreement.statistics.intervals import with_intervals
from app.agreement.types import (
    NONE,
    PROFILES,
    Agreement,
    Cell,
    Counterpart,
    Profile,
    ReportPair,
    ReportRow,
    Row,
)
from app.messages import annotated_by_one, no_such, nothing_shared
from extractors.grouping import grouped
from extractors.model.errors import UnknownNameError
from extractors.model.progress import Progress, at_once


def reason(measure: Measure, cells: Sequence[Cell], left: str, right: str) -> str:
    """Why `measure` says nothing over `cells`; `left` and `right` are the names of the two sides."""
    if not cells:
        return f"No report was annotated here by both {left} and {right}."
    if measure.places and (side := unplaced_side(cells, left, right)):
        return f"No quote of {side} has a place in the text."
    return measure.reason(cells, left, right)


def unplaced_side(cells: Sequence[Cell], left: str, right: str) -> str:
    """The side (or "left and right") that has quotes but no place for any of them, "" if there is none.

    Span scores would then say 0 of sides that may well agree, so they are undefined instead.
    """
    sides = ((left, [cell.left for cell in cells]), (right, [cell.right for cell in cells]))
    names = [
        name for name, items in sides if any(items) and not any(item.span for side in items for item in side)
    ]
    return " and ".join(names)


OVERLAP = 0.5
RESAMPLES = 1000
SEED = 20250627
# Reports that are compared between two steps.
_AT_ONCE = 20


def comparing(
    reports: Sequence[ReportPair],
    categories: Sequence[str],
    left: str,
    right: str,
    profile: Profile,
    *,
    overlap: float = OVERLAP,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    joined: bool = True,
) -> Generator[Progress, None, Agreement]:
    """Measure `left` (prediction, or first annotator) against `right` (reference) over `reports`.

    A category's score is the mean over reports (for scores over items: the sum over all reports), the
    average is the mean over those `categories` in which the score is defined. `overlap` is the least
    intersection over union, in characters and above 0, at which two spans match. Intervals are the middle
    95 % of `resamples` tables drawn from the reports with replacement, None below five reports or where
    `resamples` is 0. Without `joined` the slow measures are left out, which take half of the time;
    those on tokens need the reports' texts.

    Raises UnknownNameError for another profile or overlap.
    """
    _require_profile(profile)
    if not 0 < overlap <= 1:
        raise UnknownNameError(
            f"Spans cannot match from an overlap of {overlap}; choose above 0 and at most 1."
        )
    measures = _measures(reports, profile, slow=joined)
    measured: list[MeasuredCell] = []
    report_rows: list[ReportRow] = []
    confused: Counter[tuple[str, str]] = Counter()
    for first in range(0, len(reports), _AT_ONCE):
        some = reports[first : first + _AT_ONCE]
        found = measure_cells(some, categories, profile, overlap, measures, first)
        measured += found
        report_rows += _report_rows(some, found, left, right, measures, first)
        confused += count_confused(some, categories, overlap)
        yield Progress(first + len(some), len(reports), "reports compared")
    rows = _category_rows(measured, categories, left, right, measures)
    yield Progress(len(reports), len(reports), "drawing intervals")
    average, averaged_over = _average(rows, measures)
    pooled = _rows([measured], left, right, measures)[0]
    agreement = Agreement(
        left=left,
        right=right,
        profile=profile,
        overlap=overlap,
        resamples=resamples,
        seed=seed,
        documents=len(reports),
        categories=rows,
        average=average,
        averaged_over=averaged_over,
        pooled=pooled,
        reports=tuple(report_rows),
        cells=tuple(m.cell for m in measured),
        confusion=tabulated(confused, categories),
    )
    return with_intervals(agreement, measured, measures)


compare = at_once(comparing)


def finding_headlines(
    reports: Sequence[ReportPair], categories: Sequence[str], left: str, right: str, profile: Profile
) -> Generator[Progress, None, Row]:
    """The average of `compare`, without intervals and without BLEU and ROUGE, in a third of the time.

    Raises UnknownNameError for another profile.
    """
    _require_profile(profile)
    measures = _measures(reports, profile, slow=False)
    measured: list[MeasuredCell] = []
    for first in range(0, len(reports), _AT_ONCE):
        some = reports[first : first + _AT_ONCE]
        measured += measure_cells(some, categories, profile, OVERLAP, measures, first)
        yield Progress(first + len(some), len(reports), "reports compared")
    return _average(_category_rows(measured, categories, left, right, measures), measures)[0]


def _measures(reports: Sequence[ReportPair], profile: Profile, *, slow: bool) -> tuple[Measure, ...]:
    """Those of the profile, on tokens only where reports have a text."""
    texts = any(report.text for report in reports)
    return tuple(one for one in measures_of(profile) if (slow or not one.slow) and (texts or not one.tokens))


def _require_profile(profile: Profile) -> None:
    if profile not in PROFILES:
        raise UnknownNameError(no_such("agreement profile", profile, PROFILES))


def _category_rows(
    measured: Sequence[MeasuredCell],
    categories: Sequence[str],
    left: str,
    right: str,
    measures: Sequence[Measure],
) -> dict[str, Row]:
    found = grouped((entry.cell.category, entry) for entry in measured)
    groups = [found.get(category, []) for category in categories]
    return dict(zip(categories, _rows(groups, left, right, measures), strict=True))


def _report_rows(
    reports: Sequence[ReportPair],
    measured: Sequence[MeasuredCell],
    left: str,
    right: str,
    measures: Sequence[Measure],
    first: int,
) -> tuple[ReportRow, ...]:
    found = grouped((entry.report, entry) for entry in measured)
    groups = [found.get(first + number, []) for number in range(len(reports))]
    rows = _rows(groups, left, right, measures)
    return tuple(ReportRow(report.key, report.title, row) for report, row in zip(reports, rows, strict=True))


def _rows(
    groups: Sequence[Sequence[MeasuredCell]], left: str, right: str, measures: Sequence[Measure]
) -> list[Row]:
    """The row of each group of cells."""
    sums = [sum_of(entries, measures) for entries in groups]
    return [
        _row([entry.cell for entry in entries], scores, left, right, measures)
        for entries, scores in zip(groups, scores_of(sums, measures), strict=True)
    ]


def _row(
    cells: Sequence[Cell], scores: dict[str, float | None], left: str, right: str, measures: Sequence[Measure]
) -> Row:
    if unplaced_side(cells, left, right):
        scores |= dict.fromkeys((measure.key for measure in measures if measure.places), None)
    return Row(
        scores=scores,
        intervals={},
        reasons={m.key: reason(m, cells, left, right) for m in measures if scores[m.key] is None},
        n=len(cells),
        empty=sum(cell.empty for cell in cells),
        support=sum(len(cell.right) for cell in cells),
        support_left=sum(len(cell.left) for cell in cells),
        unplaced=sum(item.span is None for cell in cells for item in (*cell.left, *cell.right)),
    )


def _average(rows: dict[str, Row], measures: Sequence[Measure]) -> tuple[Row, dict[str, int]]:
    """Mean over the categories in which a measure is defined, and over how many that is; counts are sums."""
    scores: dict[str, float | None] = {}
    averaged_over: dict[str, int] = {}
    for measure in measures:
        defined = [score for row in rows.values() if (score := row.scores[measure.key]) is not None]
        averaged_over[measure.key] = len(defined)
        scores[measure.key] = sum(defined) / len(defined) if defined else None
    average = Row(
        scores=scores,
        intervals={},
        reasons={key: "Undefined in every category." for key, score in scores.items() if score is None},
        n=sum(row.n for row in rows.values()),
        empty=sum(row.empty for row in rows.values()),
        support=sum(row.support for row in rows.values()),
        support_left=sum(row.support_left for row in rows.values()),
        unplaced=sum(row.unplaced for row in rows.values()),
    )
    return average, averaged_over


@dataclass(frozen=True, slots=True)
class PairScores:
    """Two of several annotators: the average over categories, from the left's side.

    `documents` counts the reports that both looked at, `left_only` and `right_only` those of one alone.
    Where both looked at none, `average` is None and `sentence` says so.
    """

    left: str
    right: str
    profile: Profile
    documents: int
    left_only: int
    right_only: int
    average: Row | None
    sentence: str = ""

    def score(self, measure: str) -> float | None:
        """A score of the average, None where it is undefined."""
        return self.average.scores[measure] if self.average else None

    def reason(self, measure: str) -> str:
        """Why that score is undefined, "" where it is not."""
        return self.average.reasons.get(measure, "") if self.average else self.sentence


def ordered_pairs(names: Sequence[str], profile: Profile) -> list[tuple[str, str]]:
    """The pairs to measure: the paper profile looks from left to right, so that each pair counts twice."""
    pairs = list(combinations(names, 2))
    if profile == "strict":
        return pairs
    return [(left, right) for left in names for right in names if left != right]


def scoring_pair(
    reports: Sequence[ReportPair],
    categories: Sequence[str],
    left: str,
    right: str,
    profile: Profile,
    only: tuple[int, int] = (0, 0),
) -> Generator[Progress, None, PairScores]:
    """One pair over the reports that both looked at; `only` counts those of the left and the right alone."""
    average = None
    if reports:
        average = yield from finding_headlines(reports, categories, left, right, profile)
    sentence = "" if average else nothing_shared(left, right)
    return PairScores(left, right, profile, len(reports), *only, average, sentence)


def pair_measures(profile: Profile) -> tuple[Measure, ...]:
    """The measures that stand in a line for a pair, the first of them alone where there is little room."""
    found = shown_in("pairs", profile)
    # What the profile is about comes first, then what it has alone.
    return tuple(
        sorted(found, key=lambda one: (one.leads != profile, profile == "strict" and bool(one.paper)))
    )


def direction(profile: Profile) -> str:
    """In which direction a pair is read."""
    if profile == "paper":
        return "The paper profile looks from the left to the right, so every pair stands here both ways."
    return "The strict profile is the same both ways, except that precision and recall change places."


def one_sided(pair: PairScores) -> list[str]:
    """Said once for a pair: how many reports one of the two alone looked at."""
    if pair.profile == "paper" and pair.left > pair.right:
        return []
    return annotated_by_one(pair.left, pair.left_only, pair.right, pair.right_only)


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
