"""An agreement as one HTML page, and as one SVG picture, that need nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.agreement.compare import PairScores
from app.agreement.measures import MEASURES, Measure, leading, shown_in
from app.agreement.output import charts
from app.agreement.output.pair_tables import pairs_scores, shares_table
from app.agreement.output.tables import measure_column, measures_in, not_compared, score_table
from app.agreement.pooled import sizes_table
from app.agreement.shares import AnnotatedShares
from app.agreement.statistics.intervals import LEAST_REPORTS
from app.agreement.types import NONE, Agreement, Cell, Item, ReportRow, Row
from app.tables import Column, Table, render
from app.text import shortened, xml_text

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
    paper: str
    strict: str
    left: tuple[Item, ...]
    right: tuple[Item, ...]
    left_more: int
    right_more: int


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
    paper_lead, strict_lead = leading("paper"), leading("strict")
    labels = {**names, NONE: "Nothing"}
    worst = [report for report in strict.reports if report.row.scores[strict_lead.key] is not None]
    worst.sort(key=lambda report: report.row.scores[strict_lead.key] or 0.0)
    return render(
        "agreement.html.j2",
        paper=paper,
        strict=strict,
        measures=tuple(
            one for one in MEASURES if one.key in {**paper.average.scores, **strict.average.scores}
        ),
        lead=paper_lead.key,
        figures=tuple(
            figure
            for agreement in (paper, strict)
            for figure in ((one, agreement) for one in measures_in(agreement, "figure"))
        ),
        charts=charts,
        least_reports=LEAST_REPORTS,
        palette=_palette(paper.categories, colours, colours_dark or colours),
        bars=(
            charts.bar_chart(paper, paper_lead, labels, f"{paper_lead.name}, paper profile"),
            charts.bar_chart(strict, strict_lead, labels, f"{strict_lead.name} over quotes, strict profile"),
        ),
        heat=charts.heat_map(strict.confusion, labels, strict.left, strict.right),
        strip=charts.strip(strict.reports, strict_lead),
        tables=(
            score_table(paper, _columns(paper), labels),
            score_table(strict, _columns(strict), labels),
            sizes_table(paper, labels),
        ),
        worst_reports=_worst_reports(paper, strict, worst[:WORST_REPORTS]),
        worst_cells=_worst_cells(paper, strict, labels),
        not_compared=not_compared(strict),
        shares=shares_table(shares, names) if shares else None,
        pair_tables=tuple(pairs_scores(found) for found in pairs if found),
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


def _worst_reports(paper: Agreement, strict: Agreement, worst: Sequence[ReportRow]) -> Table[object]:
    """Reports with what the strict profile has alone and what leads the paper's."""
    own = [one for one in _columns(strict) if not one.paper]
    first = leading("paper")
    rows = {report.key: report.row for report in paper.reports}
    every = len(worst) == len([one for one in strict.reports if one.row.scores[own[0].key] is not None])
    return Table(
        columns=(
            Column("Report", kind="words"),
            Column("Title", kind="words"),
            Column("Quotes"),
            *map(measure_column, own),
            Column(f"{first.name}, paper", decimals=first.decimals),
        ),
        rows=tuple(
            (
                report.key,
                report.title,
                f"{report.row.support_left}\u202f/\u202f{report.row.support}",
                *(report.row.scores[one.key] for one in own),
                rows[report.key].scores[first.key],
            )
            for report in worst
        ),
        title="All reports, lowest agreement first"
        if every
        else f"The {len(worst)} reports with the lowest agreement",
    )


def _columns(agreement: Agreement) -> tuple[Measure, ...]:
    """A table's measures; what a profile is about leads the others, then what it has alone."""
    strict = agreement.profile == "strict"
    found = measures_in(agreement, "page")
    return tuple(sorted(found, key=lambda one: strict and (bool(one.paper), one.leads != "strict")))


def _worst_cells(paper: Agreement, strict: Agreement, names: Mapping[str, str]) -> tuple[WorstCell, ...]:
    """Pairs with the lowest token set ratio in the paper profile, most quotes first among equals."""
    paper_lead, strict_lead = leading("paper"), leading("strict")
    pairs = [
        (ours, theirs)
        for ours, theirs in zip(paper.cells, strict.cells, strict=True)
        if not ours.empty and theirs.scores[strict_lead.key] != 1.0
    ]
    places = {category: place for place, category in enumerate(paper.categories)}
    pairs.sort(
        key=lambda pair: (pair[0].scores[paper_lead.key] or 0.0, -len((*pair[0].left, *pair[0].right)))
    )
    return tuple(
        WorstCell(
            cell=cell,
            category=names.get(cell.category, cell.category),
            place=places[cell.category],
            paper=f"{paper_lead.name} {paper_lead.text(cell.scores[paper_lead.key])}",
            strict=f"{strict_lead.name} {strict_lead.text(other.scores[strict_lead.key])}",
            left=cell.left[:QUOTES_SHOWN],
            right=cell.right[:QUOTES_SHOWN],
            left_more=max(len(cell.left) - QUOTES_SHOWN, 0),
            right_more=max(len(cell.right) - QUOTES_SHOWN, 0),
        )
        for cell, other in pairs[:WORST_CELLS]
    )


ACCENT = "#1f5f8b"
_TITLE = 96


def to_svg(agreement: Agreement, names: Mapping[str, str], colours: Mapping[str, str]) -> str:
    """The picture; `names` and `colours` ("#rrggbb", on white) go by category id.

    Everything that comes from reports and annotators is escaped. Fonts are named by family only, so that the
    picture looks the same enough wherever it is opened.
    """
    labels = {**names, NONE: "Nothing"}
    painted = {category: safe_colour(colours.get(category, "")) for category in agreement.categories}
    painted[""] = ACCENT
    first = leading(agreement.profile)
    others = shown_in("chart", agreement.profile)
    picture = render(
        "charts.svg.j2",
        a=agreement,
        title=shortened(f"Agreement of {agreement.left} (left) with {agreement.right} (right)", _TITLE),
        g=charts,
        bars=tuple(
            charts.bar_chart(agreement, measure, labels, measure.name, painted)
            for measure in (first, *others)
        ),
        heat=charts.heat_map(agreement.confusion, labels, agreement.left, agreement.right),
        left=shortened(agreement.left, _TITLE),
        right=shortened(agreement.right, _TITLE),
        strip=charts.strip(agreement.reports, first),
        first=first,
        least_reports=LEAST_REPORTS,
    )
    return xml_text(picture)
