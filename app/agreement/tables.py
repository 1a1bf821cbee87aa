"""An agreement as JSON, as CSV and as a plain table for a terminal."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Mapping
from typing import Any

from app.agreement.bootstrap import LEAST_REPORTS, LEVEL
from app.agreement.measures import Measure, shown_in
from app.agreement.reasons import footnote
from app.agreement.types import NONE, Agreement, Cell, Confusion, Row
from app.messages import looked_at_by_one

_AVERAGE = "Average"
_POOLED = "All together"
_NAME_WIDTH = 20
_HEADLINES = ("tsr", "levenshtein", "exact_match", "span_f1", "f1")
_COUNTS = ("n", "empty", "support", "support_left", "unplaced")


def to_json(agreement: Agreement) -> dict[str, Any]:
    """Plain values for `json.dump`: scores by category id, average, pooled, per report; confusion shares.

    tsr is 0-100, omission and hallucination are percent, every other score is 0-1. An undefined score is
    None and its sentence stands under "reasons" of the same row. Counts are explained at `types.Row`.
    """
    return {
        "left": agreement.left,
        "right": agreement.right,
        "profile": agreement.profile,
        "remarks": list(agreement.remarks),
        "documents": agreement.documents,
        "left_only": agreement.left_only,
        "right_only": agreement.right_only,
        "overlap": agreement.overlap,
        "bootstrap": {
            "resamples": agreement.resamples,
            "seed": agreement.seed,
            "level": LEVEL,
            "least_reports": LEAST_REPORTS,
        },
        "categories": {category: _plain(row) for category, row in agreement.categories.items()},
        "average": _plain(agreement.average),
        "averaged_over": dict(agreement.averaged_over),
        "pooled": _plain(agreement.pooled),
        "reports": [
            {"key": report.key, "title": report.title, **_plain(report.row, intervals=False)}
            for report in agreement.reports
        ],
        "confusion": _confusion_shares(agreement.confusion),
        "confusion_counts": _confusion_counts(agreement.confusion),
    }


def _plain(row: Row, *, intervals: bool = True) -> dict[str, Any]:
    bounds = {key: list(pair) if pair else None for key, pair in row.intervals.items()}
    return {
        **row.scores,
        **{count: getattr(row, count) for count in _COUNTS},
        **({"intervals": bounds} if intervals else {}),
        "reasons": dict(row.reasons),
    }


def _confusion_shares(confusion: Confusion) -> dict[str, dict[str, float | None]]:
    """Row id -> column id -> share of the row; None where the row is empty, and always at NONE/NONE."""
    shares = {
        label: dict(zip(confusion.labels, confusion.shares(place), strict=True))
        for place, label in enumerate(confusion.labels)
    }
    shares[NONE][NONE] = None
    return shares


def _confusion_counts(confusion: Confusion) -> dict[str, dict[str, int]]:
    rows = zip(confusion.labels, confusion.counts, strict=True)
    return {label: dict(zip(confusion.labels, counts, strict=True)) for label, counts in rows}


def to_csv(agreement: Agreement) -> str:
    """A line per category, then "average" and "pooled": scores with bounds, counts, reasons, remarks."""
    measures = shown_in("csv", agreement.profile)
    names = [name for m in measures for name in (m.key, f"{m.key}_low", f"{m.key}_high")]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["category", *names, *_COUNTS, "reasons", "remarks"])
    for label, row in {
        **agreement.categories,
        "average": agreement.average,
        "pooled": agreement.pooled,
    }.items():
        values: list[object] = [label]
        for measure in measures:
            values += [row.scores[measure.key], *(row.intervals[measure.key] or (None, None))]
        reasons = "; ".join(f"{key}: {sentence}" for key, sentence in row.reasons.items())
        counts = (getattr(row, count) for count in _COUNTS)
        writer.writerow([*values, *counts, reasons, " ".join(agreement.remarks)])
    return out.getvalue()


def to_table(agreement: Agreement, names: Mapping[str, str] | None = None, *, tokens: bool = False) -> str:
    """An aligned table for a terminal of 110 columns, with the reasons of every dash below it.

    `names` maps category ids to what stands in the first column; the ids stand there where it is None. With
    `tokens` there are the measures on tokens as well, in some 15 columns more.
    """
    if not agreement.pooled.n:
        return f"{_head(agreement)}\n\n{agreement.pooled.reasons['tsr']}\n"
    measures = shown_in("table", agreement.profile)
    if tokens:
        measures += shown_in("tokens", agreement.profile)
    notes: list[str] = []
    rows = {**agreement.categories, _AVERAGE: agreement.average, _POOLED: agreement.pooled}
    labels = {label: _cut((names or {}).get(label, label)) for label in rows}
    width = max(map(len, ("Category", *labels.values())))
    header = " ".join(["Category".ljust(width), "   n", "empty", *(_column(m, m.short) for m in measures)])
    lines = [_head(agreement), *agreement.remarks, *not_compared(agreement), "", header, "-" * len(header)]
    for label, row in rows.items():
        if label == _AVERAGE:
            lines.append("-" * len(header))
        cells = [labels[label].ljust(width), f"{row.n:4}", f"{row.empty:5}"]
        cells += [_column(m, m.text(row.scores[m.key]) + _mark(row, m.key, notes)) for m in measures]
        lines.append(" ".join(cells))
    lines += [
        "",
        *_footer(agreement, measures),
        *(f"[{place}] {note}" for place, note in enumerate(notes, 1)),
    ]
    return "\n".join(lines) + "\n"


def not_compared(agreement: Agreement) -> list[str]:
    """Sentences on the reports that one side alone looked at."""
    return looked_at_by_one(agreement.left, agreement.left_only, agreement.right, agreement.right_only)


def reports_rows(agreement: Agreement) -> list[list[object]]:
    """A header, then a row for every report and category and one ("all") for the report, for CSV."""
    keys = [measure.key for measure in shown_in("csv", agreement.profile)]
    rows: list[list[object]] = [["report", "title", "category", "left", "right", *keys]]
    cells: dict[str, list[Cell]] = {}
    for cell in agreement.cells:
        cells.setdefault(cell.key, []).append(cell)
    for report in agreement.reports:
        for cell in cells.get(report.key, []):
            counts = [len(cell.left), len(cell.right)]
            rows.append(
                [cell.key, cell.title, cell.category, *counts, *(cell.scores.get(key) for key in keys)]
            )
        row = report.row
        counts = [row.support_left, row.support]
        rows.append([report.key, report.title, "all", *counts, *(row.scores[key] for key in keys)])
    return rows


def confusion_rows(confusion: Confusion) -> list[list[object]]:
    """A header with the right's categories, then a row of counts for each of the left's, for CSV."""
    header: list[object] = ["left \\ right", *confusion.labels]
    counts = zip(confusion.labels, confusion.counts, strict=True)
    return [header, *([label, *row] for label, row in counts)]


def _head(agreement: Agreement) -> str:
    reports = "1 report" if agreement.documents == 1 else f"{agreement.documents} reports"
    return (
        f"{agreement.left} (left) against {agreement.right} (right), {reports}, profile {agreement.profile}"
    )


def _cut(name: str) -> str:
    return name if len(name) <= _NAME_WIDTH else name[: _NAME_WIDTH - 1].rstrip() + "…"


def _column(measure: Measure, text: str) -> str:
    return text.rjust(max(len(measure.short), 6 if measure.top == 100 else 5))


def _mark(row: Row, key: str, notes: list[str]) -> str:
    """The footnote mark of an undefined score; equal sentences share one note."""
    number = footnote(row.reasons.get(key, ""), notes)
    return f"[{number}]" if number else ""


def _footer(agreement: Agreement, measures: tuple[Measure, ...]) -> list[str]:
    """What the columns rest on: counts, thresholds, and the average's intervals."""
    average, over, every = agreement.average, agreement.averaged_over, len(agreement.categories)
    text = (
        "n: reports that both sides looked at in the category; empty: both found nothing. Average: "
        "mean over categories; all together: every report and category at once. TSR runs from 0 to "
        "100, Omit% and Hall% are errors in percent, the rest runs from 0 to 1. Span~ asks for an "
        f"overlap of {agreement.overlap:.0%}. Quotes: {average.support_left} left, {average.support} right, "
        f"{average.unplaced} of them without a place."
    )
    partial = [f"{m.short} over {over[m.key]}" for m in measures if 0 < over[m.key] < every]
    if partial:
        text += f" Averages over fewer than {every} categories: {', '.join(partial)}."
    bounds = [
        f"{one.short} {' to '.join(map(one.text, pair))}"
        for one in shown_in("interval", agreement.profile)
        if (pair := average.intervals.get(one.key))
    ]
    if bounds:
        text += f" 95 % intervals of the average, {agreement.resamples} resamples: {', '.join(bounds)}."
    else:
        text += f" There are no intervals: they need at least {LEAST_REPORTS} reports."
    return textwrap.wrap(text, 100)
