"""An agreement as one HTML page that needs nothing else: no script, no network, light, dark and on paper."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.agreement import charts
from app.agreement.bootstrap import LEAST_REPORTS
from app.agreement.every_pair import PairScores
from app.agreement.measures import BY_KEY, MEASURES, Measure, leading, shown_in
from app.agreement.page import render, score_texts
from app.agreement.pairs_html import pair_table, share_rows
from app.agreement.shares import AnnotatedShares
from app.agreement.tables import not_compared
from app.agreement.types import NONE, Agreement, Cell, Item, Row

WORST_REPORTS = 10
WORST_CELLS = 16
QUOTES_SHOWN = 8
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_FALLBACK = "#767676"


@dataclass(frozen=True, slots=True)
class WorstCell:
    """A report-category pair with its scores as text.

    `place` is the category's position, which its colour goes by; `left_more` and `right_more` count the
    quotes not shown.
    """

    cell: Cell
    category: str
    place: int
    tsr: str
    f1: str
    left: tuple[Item, ...]
    right: tuple[Item, ...]
    left_more: int
    right_more: int


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a score table: per measure value, interval and footnote number, "" where there is none."""

    label: str
    row: Row
    values: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """One profile's table with the footnotes of its dashes."""

    agreement: Agreement
    measures: tuple[Measure, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...]
    partial: tuple[str, ...]


def to_html(
    paper: Agreement,
    strict: Agreement,
    names: Mapping[str, str],
    colours: Mapping[str, str],
    colours_dark: Mapping[str, str] | None = None,
    *,
    shares: Sequence[AnnotatedShares] = (),
    pairs: Sequence[Sequence[PairScores]] = (),
) -> str:
    """The page for both profiles of the same comparison.

    `names` and `colours` ("#rrggbb", `colours_dark` on a dark background) go by category id; `shares` are of
    whoever is to be listed, `pairs` every pair of one profile each. Everything that comes from reports and
    annotators is escaped.
    """
    tsr, f1 = leading("paper"), leading("strict")
    labels = {**names, NONE: "Nothing"}
    worst = [report for report in strict.reports if report.row.scores["f1"] is not None]
    worst.sort(key=lambda report: report.row.scores["f1"] or 0.0)
    return render(
        "agreement.html.j2",
        paper=paper,
        strict=strict,
        measures=MEASURES,
        by_key=BY_KEY,
        charts=charts,
        least_reports=LEAST_REPORTS,
        palette=_palette(paper.categories, colours, colours_dark or colours),
        bars=(
            charts.bar_chart(paper, tsr, labels, "Token set ratio, paper profile"),
            charts.bar_chart(strict, f1, labels, "F1 over quotes, strict profile"),
        ),
        heat=charts.heat_map(strict.confusion, labels, strict.left, strict.right),
        strip=charts.strip(strict.reports, f1),
        tables=(_table(paper, labels), _table(strict, labels)),
        worst_reports=worst[:WORST_REPORTS],
        paper_reports={report.key: report for report in paper.reports},
        worst_cells=_worst_cells(paper, strict, labels),
        not_compared=not_compared(strict),
        shares=shares,
        share_rows=share_rows(shares, names),
        pair_tables=tuple(pair_table(found) for found in pairs if found),
    )


def _palette(
    categories: Mapping[str, Row], light: Mapping[str, str], dark: Mapping[str, str]
) -> tuple[tuple[int, str, str], ...]:
    """(place, light, dark) per category; grey where a colour is missing or not of the form #rrggbb."""
    return tuple(
        (place, safe_colour(light.get(category, "")), safe_colour(dark.get(category, "")))
        for place, category in enumerate(categories)
    )


def safe_colour(value: str) -> str:
    """The colour where it is of the form #rrggbb, else grey."""
    return value if _COLOUR.fullmatch(value) else _FALLBACK


def _table(agreement: Agreement, names: Mapping[str, str]) -> ScoreTable:
    measures = _columns(agreement)
    notes: list[str] = []
    rows = [(names.get(category, category), row) for category, row in agreement.categories.items()]
    rows += [
        ("Average of the categories", agreement.average),
        ("All reports and categories", agreement.pooled),
    ]
    every = len(agreement.categories)
    return ScoreTable(
        agreement=agreement,
        measures=measures,
        rows=tuple(TableRow(label, row, score_texts(row, measures, notes)) for label, row in rows),
        notes=tuple(notes),
        partial=tuple(
            f"{m.name} over {agreement.averaged_over[m.key]}"
            for m in measures
            if 0 < agreement.averaged_over[m.key] < every
        ),
    )


def _columns(agreement: Agreement) -> tuple[Measure, ...]:
    """A table's measures; what a profile has alone leads the others."""
    strict = agreement.profile == "strict"
    found = [one for one in shown_in("page", agreement.profile) if one.key in agreement.average.scores]
    return tuple(sorted(found, key=lambda one: strict and bool(one.paper)))


def _worst_cells(paper: Agreement, strict: Agreement, names: Mapping[str, str]) -> tuple[WorstCell, ...]:
    """Pairs with the lowest token set ratio in the paper profile, most quotes first among equals."""
    pairs = [
        (ours, theirs)
        for ours, theirs in zip(paper.cells, strict.cells, strict=True)
        if not ours.empty and theirs.scores["f1"] != 1.0
    ]
    places = {category: place for place, category in enumerate(paper.categories)}
    pairs.sort(key=lambda pair: (pair[0].scores["tsr"] or 0.0, -len(pair[0].left) - len(pair[0].right)))
    return tuple(
        WorstCell(
            cell=cell,
            category=names.get(cell.category, cell.category),
            place=places[cell.category],
            tsr=BY_KEY["tsr"].text(cell.scores["tsr"]),
            f1=BY_KEY["f1"].text(other.scores["f1"]),
            left=cell.left[:QUOTES_SHOWN],
            right=cell.right[:QUOTES_SHOWN],
            left_more=max(len(cell.left) - QUOTES_SHOWN, 0),
            right_more=max(len(cell.right) - QUOTES_SHOWN, 0),
        )
        for cell, other in pairs[:WORST_CELLS]
    )
