"""From two sides' quotes to scores per category, per report and overall, with intervals and reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence

from app.agreement.cells import MeasuredCell, measure_cells, scores_of, sum_of
from app.agreement.measures import Measure, measures_of
from app.agreement.reasons import reason, unplaced_side
from app.agreement.spans import count_confused, tabulated
from app.agreement.statistics.intervals import with_intervals
from app.agreement.types import PROFILES, Agreement, Cell, Profile, ReportPair, ReportRow, Row
from app.messages import no_such
from extractors.model.errors import UnknownNameError
from extractors.model.progress import Progress, at_once

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
    groups: dict[str, list[MeasuredCell]] = {category: [] for category in categories}
    for entry in measured:
        groups[entry.cell.category].append(entry)
    return dict(zip(groups, _rows(list(groups.values()), left, right, measures), strict=True))


def _report_rows(
    reports: Sequence[ReportPair],
    measured: Sequence[MeasuredCell],
    left: str,
    right: str,
    measures: Sequence[Measure],
    first: int,
) -> tuple[ReportRow, ...]:
    groups: list[list[MeasuredCell]] = [[] for _ in reports]
    for entry in measured:
        groups[entry.report - first].append(entry)
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
