"""Geometry of the report page's charts, in units of their SVG view boxes; markup is in the templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.agreement.measures import Measure
from app.agreement.types import Agreement, Confusion, ReportRow, Row
from app.messages import AVERAGE

BAR_LEFT, BAR_WIDTH, BAR_TOP, BAR_STEP, BAR_HEIGHT = 208, 248, 24, 24, 12
HEAT_LEFT, HEAT_TOP, HEAT_WIDTH, HEAT_HEIGHT = 232, 136, 48, 28
STRIP_WIDTH, STRIP_HEIGHT, STRIP_LEFT, STRIP_TOP, STRIP_WIDEST = 1072, 120, 32, 8, 80


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a bar chart: `length` and the `low`/`high` ends of its interval in x; None where undefined."""

    label: str
    colour: str
    y: int
    length: float | None
    low: float | None
    high: float | None
    text: str
    sentence: str


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars under each other on an axis from 0 to the measure's best value; `ticks` are (x, text)."""

    title: str
    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    height: int


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One square: `strength` 0-1 of the tint, `text` the share as percent or "", `sentence` in words.

    `row` and `column` are its place in the confusion matrix.
    """

    x: int
    y: int
    strength: float
    text: str
    diagonal: bool
    sentence: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class HeatMap:
    """`rows` are (y, name, count), `columns` are (x, name)."""

    cells: tuple[HeatCell, ...]
    rows: tuple[tuple[int, str, int], ...]
    columns: tuple[tuple[int, str], ...]
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class StripBar:
    """One report in the strip; `share` is its score between 0 and 1."""

    x: float
    width: float
    y: float
    height: float
    sentence: str
    key: str
    share: float


def bar_chart(
    agreement: Agreement,
    measure: Measure,
    names: Mapping[str, str],
    title: str,
    colours: Mapping[str, str] | None = None,
) -> BarChart:
    """A measure by category with its intervals, the average last.

    The bars have these colours by category id ("" for the average), or the page's own by their position.
    """
    painted = colours or {}
    rows: list[tuple[str, str, Row]] = [
        (names.get(category, category), painted.get(category, f"var(--c{place})"), row)
        for place, (category, row) in enumerate(agreement.categories.items())
    ]
    rows.append((AVERAGE, painted.get("", "var(--accent)"), agreement.average))
    bars = tuple(_bar(label, colour, row, measure, place) for place, (label, colour, row) in enumerate(rows))
    ticks = tuple((BAR_LEFT + BAR_WIDTH * part / 4, f"{measure.top * part / 4:g}") for part in range(0, 5))
    return BarChart(title, bars, ticks, BAR_TOP + BAR_STEP * len(rows) + 8)


def _bar(label: str, colour: str, row: Row, measure: Measure, place: int) -> Bar:
    score, interval = row.scores[measure.key], row.intervals[measure.key]
    text, sentence = measure.text(score), in_words(label, row, measure)
    y = BAR_TOP + BAR_STEP * place + (8 if label == AVERAGE else 0)
    low, high = interval or (None, None)
    return Bar(label, colour, y, _x(score, measure), _x(low, measure), _x(high, measure), text, sentence)


def in_words(label: str, row: Row, measure: Measure) -> str:
    """A score with its interval, or why there is none, as sentences that begin with the row's name."""
    score, interval = row.scores[measure.key], row.intervals[measure.key]
    text = measure.text(score)
    if score is None:
        return f"{label}: undefined. {row.reasons[measure.key]}"
    if interval is None:
        return f"{label}: {text}, without an interval."
    return f"{label}: {text}, 95 % interval {measure.spread(interval)}."


def _x(score: float | None, measure: Measure) -> float | None:
    return None if score is None else round(BAR_WIDTH * score / measure.top, 1)


def heat_map(confusion: Confusion, names: Mapping[str, str], left: str, right: str) -> HeatMap:
    """Rows: the left's categories; columns: what the right says of the same place; NONE last in both."""
    labels = [names.get(label, label) for label in confusion.labels]
    cells = []
    for row, counts in enumerate(confusion.counts):
        for column, (share, count) in enumerate(zip(confusion.shares(row), counts, strict=True)):
            if row == column == len(labels) - 1:
                continue
            cells.append(_heat_cell(row, column, share, count, labels, left, right))
    return HeatMap(
        cells=tuple(cells),
        rows=tuple(
            (HEAT_TOP + HEAT_HEIGHT * place, label, sum(confusion.counts[place]))
            for place, label in enumerate(labels)
        ),
        columns=tuple((HEAT_LEFT + HEAT_WIDTH * place, label) for place, label in enumerate(labels)),
        width=HEAT_LEFT + HEAT_WIDTH * len(labels) + 56,
        height=HEAT_TOP + HEAT_HEIGHT * len(labels) + 8,
    )


def _heat_cell(
    row: int, column: int, share: float | None, count: int, labels: Sequence[str], left: str, right: str
) -> HeatCell:
    last = len(labels) - 1
    quotes = "1 quote" if count == 1 else f"{count} quotes"
    if row == last:
        sentence = f"{quotes} that {right} has in {labels[column]} and {left} nowhere."
    elif column == last:
        sentence = f"{quotes} that {left} has in {labels[row]} and {right} nowhere."
    else:
        sentence = f"{quotes} that {left} has in {labels[row]} and {right} in {labels[column]}."
    return HeatCell(
        x=HEAT_LEFT + HEAT_WIDTH * column,
        y=HEAT_TOP + HEAT_HEIGHT * row,
        strength=round(share or 0.0, 3),
        text=_percent(share) if count else "",
        diagonal=row == column,
        sentence=sentence,
        row=row,
        column=column,
    )


def _percent(share: float | None) -> str:
    """A share in whole percent; "<1 %" for what would round to 0 and is not."""
    percent = 100 * (share or 0.0)
    return "<1 %" if 0 < percent < 0.5 else f"{percent:.0f} %"


def strip(reports: Sequence[ReportRow], measure: Measure) -> tuple[StripBar, ...]:
    """One bar per report that has a score, the lowest first."""
    scored = [(score, report) for report in reports if (score := report.row.scores[measure.key]) is not None]
    scored.sort(key=lambda pair: pair[0])
    step = min((STRIP_WIDTH - STRIP_LEFT) / max(len(scored), 1), STRIP_WIDEST)
    bars = []
    for place, (score, report) in enumerate(scored):
        height = round(STRIP_HEIGHT * score / measure.top, 1)
        bars.append(
            StripBar(
                x=round(STRIP_LEFT + step * place, 2),
                width=round(min(step * 0.75, STRIP_WIDEST / 2), 2),
                y=round(STRIP_TOP + STRIP_HEIGHT - height, 1),
                height=max(height, 1.0),
                sentence=f"{report.key}, {report.title}: {measure.name} {measure.text(score)}",
                key=report.key,
                share=score / measure.top,
            )
        )
    return tuple(bars)
