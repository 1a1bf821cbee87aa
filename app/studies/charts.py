"""Figures of a study as SVG without outside parts: bars with intervals, a line to compare with; and flows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from app.tables import Column, Table
from app.text import shortened

# Okabe and Ito's, told apart also without red and green.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
_NAMES, _WIDE, _NUMBERS, _BAR, _GAP, _HEAD = 240, 400, 110, 12, 8, 34
_LONGEST, _ASIDE = 34, 62


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a group and a series: `value` with the ends of its interval, a `line` to compare it with, and
    a `dot` for a second value on the same scale; None for what there is not."""

    group: str
    series: str
    value: float | None
    interval: tuple[float, float] | None = None
    line: float | None = None
    dot: float | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """Bars below each other, those of a group together. Shares run from 0 to 1, other numbers, shown with so
    many decimals, to the largest."""

    title: str
    bars: Sequence[Bar]
    shares: bool = True
    decimals: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """A box of a flow; what is `aside` stands beside it. To one that `branches` no arrow leads."""

    words: Sequence[str]
    aside: Sequence[str] = ()
    branches: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """What a figure shows: `panels` of bars, or a flow of `steps`; `about` says how to read it."""

    about: str
    panels: Sequence[Panel] = ()
    steps: Sequence[Step] = ()


def svg(title: str, picture: Picture) -> str:
    """The figure as SVG, in the colour of the words around it."""
    lines, height = _flow(picture.steps) if picture.steps else _bars(picture.panels)
    width = _NAMES + _WIDE + _NUMBERS
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="12" fill="currentColor" role="img" '
        f'aria-label="{escape(f"{title}. {picture.about}")}">'
    )
    return "\n".join([head, *lines, "</svg>"]) + "\n"


def figure_table(title: str, picture: Picture) -> Table[Any]:
    """The numbers of a figure, for files."""
    if picture.steps:
        columns = (Column("Step", key="step"), Column("Words", key="words", kind="words"),
                   Column("Beside", key="beside", kind="words"))  # fmt: skip
        steps = enumerate(picture.steps, start=1)
        return Table(columns, tuple((at, " ".join(one.words), "; ".join(one.aside)) for at, one in steps),
                     title=title)  # fmt: skip
    words = [Column(name.capitalize(), key=name, kind="words") for name in ("panel", "group", "series")]
    numbers = [
        Column(name.capitalize(), key=name, decimals=4) for name in ("value", "low", "high", "line", "dot")
    ]
    rows = tuple(
        (panel.title, bar.group, bar.series, bar.value, *(bar.interval or (None, None)), bar.line, bar.dot)
        for panel in picture.panels
        for bar in panel.bars
    )
    return Table((*words, *numbers), rows, title=title)


def _bars(panels: Sequence[Panel]) -> tuple[list[str], int]:
    series = list(dict.fromkeys(bar.series for panel in panels for bar in panel.bars))
    colours = {name: COLOURS[at % len(COLOURS)] for at, name in enumerate(series)}
    lines: list[str] = []
    y = 8
    if len(series) > 1:
        for name in series:
            lines.append(f'<rect x="8" y="{y}" width="12" height="12" fill="{colours[name]}"/>')
            lines.append(f'<text x="26" y="{y + 10}">{escape(shortened(name, 3 * _LONGEST))}</text>')
            y += 18
    for panel in panels:
        lines.append(f'<text x="8" y="{y + 18}" font-weight="bold">{escape(panel.title)}</text>')
        y += _HEAD
        top = 1.0 if panel.shares else max((bar.value or 0.0 for bar in panel.bars), default=1.0) or 1.0
        group, begun = None, y
        for bar in panel.bars:
            if bar.group != group:
                y += _GAP if group is not None else 0
                lines.append(f'<text x="8" y="{y + 10}">{escape(shortened(bar.group, _LONGEST))}</text>')
                group = bar.group
            lines += _bar(bar, y, top, colours[bar.series], panel)
            y += _BAR + 2
        y += 4
        lines.append(
            f'<line x1="{_NAMES}" x2="{_NAMES}" y1="{begun - 4}" y2="{y}" stroke="currentColor" '
            'stroke-opacity=".5"/>'
        )
        for at in (0.0, 0.5, 1.0) if panel.shares else (0.0, 1.0):
            words = f"{at:.0%}" if panel.shares else f"{at * top:z,.{panel.decimals}f}"
            lines.append(
                f'<text x="{_NAMES + at * _WIDE:.0f}" y="{y + 12}" text-anchor="middle" font-size="10" '
                f'fill-opacity=".7">{words}</text>'
            )
        y += 22
    return lines, y


def _bar(bar: Bar, y: int, top: float, colour: str, panel: Panel) -> list[str]:
    def x(value: float) -> float:
        return _NAMES + min(max(value / top, 0.0), 1.0) * _WIDE

    middle = y + _BAR / 2
    if bar.value is None:
        return [f'<text x="{_NAMES + 6}" y="{y + 10}" fill-opacity=".7">nothing to show</text>']
    words = f"{bar.value * 100:.1f} %" if panel.shares else f"{bar.value:z,.{panel.decimals}f}"
    lines = [
        f'<rect x="{_NAMES}" y="{y}" width="{x(bar.value) - _NAMES:.1f}" height="{_BAR}" fill="{colour}">'
        f"<title>{escape(f'{bar.group}, {bar.series}: {words}')}</title></rect>",
        f'<text x="{_NAMES + _WIDE + 12}" y="{y + 10}">{words}</text>',
    ]
    if bar.interval is not None:
        low, high = map(x, bar.interval)
        lines.append(
            f'<path d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} {y + 2}V{y + _BAR - 2}M{high:.1f} {y + 2}'
            f'V{y + _BAR - 2}" stroke="currentColor" fill="none"/>'
        )
    if bar.dot is not None:
        lines.append(
            f'<circle cx="{x(bar.dot):.1f}" cy="{middle}" r="4" fill="none" stroke="currentColor" '
            'stroke-width="1.5"/>'
        )
    if bar.line is not None:
        lines.append(
            f'<line x1="{x(bar.line):.1f}" x2="{x(bar.line):.1f}" y1="{y - 2}" y2="{y + _BAR + 2}" '
            'stroke="#C00000" stroke-width="2" stroke-dasharray="3 1"/>'
        )
    return lines


def _flow(steps: Sequence[Step]) -> tuple[list[str], int]:
    """Boxes from top to bottom with arrows between them."""
    lines: list[str] = []
    y, left, wide = 8, 8, 330
    for number, step in enumerate(steps):
        high = 16 * max(len(step.words), len(step.aside), 1) + 12
        lines.append(
            f'<rect x="{left}" y="{y}" width="{wide}" height="{high}" fill="none" stroke="currentColor"/>'
        )
        for at, words in enumerate(step.words):
            lines.append(f'<text x="{left + 8}" y="{y + 18 + 16 * at}">{escape(shortened(words, 52))}</text>')
        for at, words in enumerate(step.aside):
            x = left + wide + 16
            lines.append(
                f'<text x="{x}" y="{y + 18 + 16 * at}" fill-opacity=".8">'
                f"{escape(shortened(words, _ASIDE))}</text>"
            )
        y += high
        if number + 1 < len(steps) and steps[number + 1].branches:
            y += 6
        elif number + 1 < len(steps):
            x = left + wide // 2
            lines.append(f'<path d="M{x} {y}v18m-5 -6l5 6l5 -6" fill="none" stroke="currentColor"/>')
            y += 20
    return lines, y + 8
