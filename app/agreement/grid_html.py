"""The grid of models and strategies as one HTML page that needs nothing else, on a screen and on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.agreement.bootstrap import LEAST_REPORTS
from app.agreement.grid import (
    GRID_MEASURES,
    Grid,
    GridCell,
    GridLine,
    by_model,
    comparable,
    grid_lines,
    grid_sentences,
    nothing_to_show,
    one_line,
    seconds_per_report,
)
from app.agreement.measures import Measure
from app.agreement.page import render, score_texts
from app.agreement.reasons import footnote

BEST = "★"


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A run's scores as text: per measure value, interval, footnote number ("" for none), best or not."""

    line: GridLine
    values: tuple[tuple[str, str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """One table of scores with its footnotes; `groups` are (model, rows), `note` says what is marked."""

    title: str
    measures: tuple[Measure, ...]
    groups: tuple[tuple[str, tuple[ScoreRow, ...]], ...]
    notes: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class WorkRow:
    """A run's quotes and calls; `values` are (text, footnote number)."""

    cell: GridCell
    values: tuple[tuple[str, str], ...]


def grid_html(grid: Grid, names: Mapping[str, str], *, per_category: bool = False) -> str:
    """The page; `names` go by category id. Everything that comes from models and annotators is escaped."""
    lines = grid_lines(grid)
    tables = []
    if per_category:
        for category in grid.categories:
            rows = grid_lines(grid, category)
            tables.append(_score_table(names.get(category, category), rows, _marked(rows)))
    notes: list[str] = []
    work = tuple(
        (model, tuple(_work_row(grid, line.cell, notes) for line in group))
        for model, group in by_model(lines).items()
    )
    return render(
        "grid.html.j2",
        palette=(),
        grid=grid,
        best=BEST,
        one_line=one_line,
        nothing=nothing_to_show(grid),
        sentences=tuple(grid_sentences(grid, lines, BEST)) if lines else (),
        overall=_score_table("Scores, averaged over categories", lines) if lines else None,
        tables=tables,
        work=work,
        work_notes=notes,
        measures=GRID_MEASURES,
        least_reports=LEAST_REPORTS,
    )


def _score_table(title: str, lines: Sequence[GridLine], note: str = "") -> ScoreTable:
    notes: list[str] = []
    measures = lines[0].measures
    groups = tuple(
        (model, tuple(_score_row(line, notes) for line in group)) for model, group in by_model(lines).items()
    )
    return ScoreTable(title, measures, groups, tuple(notes), note)


def _score_row(line: GridLine, notes: list[str]) -> ScoreRow:
    texts = score_texts(line.row, line.measures, notes)
    return ScoreRow(
        line,
        tuple((*text, m.key in line.best) for m, text in zip(line.measures, texts, strict=True)),
    )


def _marked(lines: Sequence[GridLine]) -> str:
    """What the marks of a category's table mean, "" where it has none."""
    rivals = comparable(lines)
    if not any(line.best for line in lines):
        return ""
    return f"{BEST} the best of the {len(rivals)} rows measured over {rivals[0].row.n} reports."


def _work_row(grid: Grid, cell: GridCell, notes: list[str]) -> WorkRow:
    each, why = seconds_per_report(grid, cell)
    shared = None if cell.shared is None else f"{cell.shared:.0%}".replace("%", "\u202f%")
    counts = (
        cell.quotes, cell.exact, cell.normalised, cell.fuzzy, cell.ungrounded, cell.conflicts, cell.calls,
        cell.incomplete, cell.failed, cell.missing,
    )  # fmt: skip
    measured = (
        (_number(cell.tokens_in), "The tokens were not counted."),
        (_number(cell.tokens_out), "The tokens were not counted."),
        (shared, "No call came before that could share a prompt, or none was recorded."),
        (_number(cell.seconds), "No time was recorded."),
        (None if each is None else f"{each:,.1f}", why),
    )
    return WorkRow(
        cell,
        (
            *((f"{count:,}", "") for count in counts),
            *(("–", footnote(why, notes)) if text is None else (text, "") for text, why in measured),
        ),
    )


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:,.0f}"
