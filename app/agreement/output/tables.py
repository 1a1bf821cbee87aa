"""An agreement as JSON, and as tables: for a terminal and a page, and as CSV."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.agreement.measures import Measure, Place, leading, shown_in
from app.agreement.pooled import pooled, sizes_json, sizes_table
from app.agreement.statistics.intervals import LEAST_REPORTS, LEVEL
from app.agreement.types import NONE, Agreement, Confusion, Profile, Row
from app.messages import AVERAGE, POOLED, annotated_by_one
from app.tables import Cell as TableCell
from app.tables import Column, Table, csv_text, numbered, text_lines, wrapped
from app.text import counted
from extractors.grouping import grouped

COUNTS = ("n", "empty", "support", "support_left", "unplaced")
_NAME_WIDTH, _WIDTH = 20, 100
_WITH_CONCEPTS: frozenset[Place] = frozenset({"table", "csv", "page"})


def to_json(agreement: Agreement) -> dict[str, Any]:
    """Plain values for `json.dump`: scores by category id, average, pooled, per report; confusion shares.

    "pooled" has those of `pooled.pooled` as well, but for what the profile itself has, and "sizes" quotes and
    words by id.

    tsr is 0-100, omission and hallucination are percent, every other score is 0-1. An undefined score is
    None and its sentence stands under "reasons" of the same row. Counts are explained at `types.Row`.
    """
    return {
        "left": agreement.left,
        "right": agreement.right,
        "profile": agreement.profile,
        "remarks": list(agreement.caveats),
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
        "categories": {category: plain(row) for category, row in agreement.categories.items()},
        "average": plain(agreement.average),
        "averaged_over": dict(agreement.averaged_over),
        "pooled": _pooled(agreement),
        "sizes": sizes_json(agreement),
        "reports": [
            {"key": report.key, "title": report.title, **plain(report.row, intervals=False)}
            for report in agreement.reports
        ],
        "confusion": _confusion_shares(agreement.confusion),
        "confusion_counts": _confusion_counts(agreement.confusion),
    }


def plain(row: Row, *, intervals: bool = True) -> dict[str, Any]:
    """The scores of a row and what they rest on, as plain values."""
    bounds = {key: list(pair) if pair else None for key, pair in row.intervals.items()}
    return {
        **row.scores,
        **{count: getattr(row, count) for count in COUNTS},
        **({"intervals": bounds} if intervals else {}),
        "reasons": dict(row.reasons),
    }


def _pooled(agreement: Agreement) -> dict[str, Any]:
    row = plain(agreement.pooled)
    values, reasons = pooled(agreement.cells)
    # Where the profile has a measure of that name, its score stands: its interval does, too.
    return {**row, **{key: one for key, one in values.items() if key not in row}} | {
        "reasons": {**reasons, **row["reasons"]}
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


def measures_in(agreement: Agreement, *places: Place) -> tuple[Measure, ...]:
    """The measures that stand in these places, as far as they were worked out; on concepts where some are."""
    every = (*places, "concepts") if not _WITH_CONCEPTS.isdisjoint(places) else places
    found = [one for place in every for one in shown_in(place, agreement.profile)]
    silent = {one for one in shown_in("concepts", agreement.profile) if not _is_told(agreement, one)}
    return tuple(one for one in found if one.key in agreement.average.scores and one not in silent)


def _is_told(agreement: Agreement, measure: Measure) -> bool:
    return agreement.pooled.scores.get(measure.key) is not None


def measure_column(measure: Measure, profile: Profile = "paper") -> Column:
    """The column of a measure, with how the profile computes it."""
    about = measure.explanation(profile) or measure.strict
    return Column(
        measure.name, measure.key, measure.heading, decimals=measure.decimals, unit=measure.unit, about=about
    )


def score_cell(measure: Measure, row: Row, *, best: bool = False) -> TableCell:
    """A score with its interval, or with the reason why there is none."""
    interval = measure.range_text(row.intervals.get(measure.key))
    return TableCell(row.scores[measure.key], row.reasons.get(measure.key, ""), interval, best)


def score_table(
    agreement: Agreement, measures: tuple[Measure, ...], names: Mapping[str, str] | None = None
) -> Table[object]:
    """A row per category, then the average and all of them together; ids stand there without `names`."""
    rows = [((names or {}).get(category, category), row) for category, row in agreement.categories.items()]
    rows += [(AVERAGE, agreement.average), (POOLED, agreement.pooled)]
    over, every = agreement.averaged_over, len(agreement.categories)
    partial = [f"{one.name} over {over[one.key]}" for one in measures if 0 < over[one.key] < every]
    notes = [
        "Reports: those that both sides annotated in the category, in the last two lines pairs of report and "
        "category. Both empty: neither side found anything. Quotes: left / right. Below a score its 95 % "
        "interval."
    ]
    notes += [f"Averages over fewer than {every} categories: {', '.join(partial)}."] if partial else []
    return Table(
        columns=(
            Column("Category", kind="words", width=_NAME_WIDTH),
            Column("Reports", "n"),
            Column("Both empty", "empty", ("Both", "empty")),
            Column("Quotes", places=("html",)),
            *(measure_column(measure, agreement.profile) for measure in measures),
        ),
        rows=tuple(
            (
                label,
                row.n,
                row.empty,
                f"{row.support_left}\u202f/\u202f{row.support}",
                *(score_cell(measure, row) for measure in measures),
            )
            for label, row in rows
        ),
        title=f"Scores in the {agreement.profile} profile",
        notes=tuple(notes),
        kinds={len(rows) - 2: "total", len(rows) - 1: "total"},
    )


def to_csv(agreement: Agreement) -> str:
    """A line per category, then "average" and "pooled": scores with bounds, counts, reasons, caveats."""
    measures = measures_in(agreement, "csv")
    names = [name for m in measures for name in (m.key, f"{m.key}_low", f"{m.key}_high")]
    rows = {**agreement.categories, "average": agreement.average, "pooled": agreement.pooled}
    words = " ".join(agreement.caveats)
    data = tuple(
        (label, *bounded(row, measures), *counts(row), reasons(row), words) for label, row in rows.items()
    )
    return csv_text(Table(("category", *names, *COUNTS, "reasons", "remarks"), data))


def bounded(row: Row, measures: tuple[Measure, ...]) -> list[float | None]:
    """Each score with the ends of its interval."""
    return [
        value
        for measure in measures
        for value in (row.scores.get(measure.key), *(row.intervals.get(measure.key) or (None, None)))
    ]


def counts(row: Row) -> list[int]:
    """What the scores of a row rest on."""
    return [getattr(row, count) for count in COUNTS]


def reasons(row: Row) -> str:
    """Why scores of a row are undefined."""
    return "; ".join(f"{key}: {sentence}" for key, sentence in row.reasons.items())


def to_table(agreement: Agreement, names: Mapping[str, str] | None = None, *, tokens: bool = False) -> str:
    """An aligned table for a terminal, with the reasons of every dash below it.

    It has up to 110 columns, 130 in the strict profile. `names` maps category ids to what stands in the first
    column; the ids stand there where it is None. With `tokens` there are the measures on tokens as well, in
    some 15 columns more.
    """
    if not agreement.pooled.n:
        return f"{_head(agreement)}\n\n{agreement.pooled.reasons[leading(agreement.profile).key]}\n"
    measures = measures_in(agreement, "table", *(("tokens",) if tokens else ()))
    notes: list[str] = []
    table = text_lines(score_table(agreement, measures, names), notes, gap=" ")
    lines = [_head(agreement), *agreement.caveats, *not_compared(agreement), "", *table]
    lines += ["", *_footer(agreement, measures), *numbered(notes)]
    sizes = sizes_table(agreement, names)
    lines += ["", sizes.title, "", *text_lines(sizes, [], gap=" "), *sizes.notes]
    return "\n".join(lines) + "\n"


def not_compared(agreement: Agreement) -> list[str]:
    """Sentences on the reports that one side alone looked at."""
    return annotated_by_one(agreement.left, agreement.left_only, agreement.right, agreement.right_only)


def reports_table(agreement: Agreement) -> Table[object]:
    """A row for every report and category and one ("all") for the report, for CSV."""
    keys = [measure.key for measure in measures_in(agreement, "csv")]
    rows: list[tuple[object, ...]] = []
    cells = grouped((cell.key, cell) for cell in agreement.cells)
    for report in agreement.reports:
        for cell in cells.get(report.key, []):
            scores = [cell.scores.get(key) for key in keys]
            rows.append((cell.key, cell.title, cell.category, len(cell.left), len(cell.right), *scores))
        row = report.row
        scores = [row.scores[key] for key in keys]
        rows.append((report.key, report.title, "all", row.support_left, row.support, *scores))
    return Table(("report", "title", "category", "left", "right", *keys), tuple(rows))


def confusion_table(confusion: Confusion) -> Table[object]:
    """A row of counts for each of the left's categories, a column for each of the right's, for CSV."""
    rows = zip(confusion.labels, confusion.counts, strict=True)
    return Table(("left \\ right", *confusion.labels), tuple((label, *numbers) for label, numbers in rows))


def scales(measures: tuple[Measure, ...]) -> str:
    """From where to where the measures run, by their names."""
    points = " and ".join(one.name.lower() for one in measures if one.top == 100 and not one.error)
    errors = " and ".join(one.name.lower() for one in measures if one.error)
    parts = [f"{points} runs from 0 to 100"] if points else []
    parts += [f"{errors} are errors, in percent"] if errors else []
    text = "; ".join([*parts, "the rest runs from 0 to 1"])
    return f"{text[0].upper()}{text[1:]}."


def notes_of(measures: tuple[Measure, ...], overlap: float) -> str:
    """What measures have to say below a table."""
    return " ".join(one.note.format(overlap=100 * overlap) for one in measures if one.note)


def _head(agreement: Agreement) -> str:
    reports = counted(agreement.documents, "report")
    return (
        f"{agreement.left} (left) against {agreement.right} (right), {reports}, profile {agreement.profile}"
    )


def _footer(agreement: Agreement, measures: tuple[Measure, ...]) -> list[str]:
    """What the columns rest on: counts, thresholds, and the average's intervals."""
    average, over, every = agreement.average, agreement.averaged_over, len(agreement.categories)
    text = (
        "Reports: those that both sides annotated in the category, in the last two lines pairs of report and "
        "category; both empty: neither side found anything. Average: mean over categories; all together: "
        f"every report and category at once. {scales(measures)} "
        f"{notes_of(measures, agreement.overlap)} Quotes: {average.support_left} left, {average.support} "
        f"right, {average.unplaced} of them without a place."
    )
    partial = [f"{m.name} over {over[m.key]}" for m in measures if 0 < over[m.key] < every]
    if partial:
        text += f" Averages over fewer than {every} categories: {', '.join(partial)}."
    bounds = [
        f"{one.name} {one.spread(pair)}"
        for one in measures_in(agreement, "interval", "tokens")
        if one in measures and (pair := average.intervals.get(one.key))
    ]
    if bounds:
        text += f" 95 % intervals of the average, {agreement.resamples} resamples: {'; '.join(bounds)}."
    else:
        text += f" There are no intervals: they need at least {LEAST_REPORTS} reports."
    return wrapped(text, width=_WIDTH)
