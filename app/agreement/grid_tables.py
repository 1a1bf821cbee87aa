"""The grid of models and strategies as a plain table for a terminal, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from app.agreement.grid import (
    GRID_MEASURES,
    Grid,
    GridCell,
    GridLine,
    by_model,
    grid_lines,
    grid_sentences,
    nothing_to_show,
    one_line,
    seconds_per_report,
)
from app.agreement.measures import Measure, scales
from app.agreement.reasons import footnote
from app.agreement.tables import stacked

_WIDTH = 136
_MODEL_WIDTH = 40
_LABEL_WIDTH = 20
_BEST = "*"
_COUNTS = ("n", "empty", "support", "support_left", "unplaced")
_NAMES = ("run", "model", "strategy", "prompting")
_WORK = (
    "quotes", "exact", "normalised", "fuzzy", "ungrounded", "conflicts", "calls", "incomplete", "failed",
    "missing", "tokens_in", "tokens_out", "shared", "seconds",
)  # fmt: skip
_LAST = ("seconds_per_report", "warning", "about")
# A spreadsheet takes a cell that begins so for a formula (the rule of the table of annotations).
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "'")


def grid_json(grid: Grid, *, per_category: bool = False) -> dict[str, Any]:
    """Plain values for `json.dump`: a dict per run with its averages, work and, if asked for, categories.

    Scales are those of `to_json`; grounded and shared run from 0 to 1. An undefined score is None and its
    sentence stands under "reasons". "best" names the scores that no comparable run betters.
    """
    runs: list[dict[str, Any]] = [
        {
            **{name: getattr(line.cell, name) for name in _NAMES},
            "about": line.cell.about,
            "warning": line.cell.warning,
            "equal_to": line.cell.equal_to,
            "reports": line.reports,
            **_plain(line),
            "averaged_over": dict(line.averaged_over),
            **{name: getattr(line.cell, name) for name in _WORK},
            "seconds_per_report": seconds_per_report(grid, line.cell)[0],
        }
        for line in grid_lines(grid)
    ]
    if per_category:
        for run in runs:
            run["categories"] = {}
        for category in grid.categories:
            for run, line in zip(runs, grid_lines(grid, category), strict=True):
                run["categories"][category] = _plain(line)
    return {
        "against": grid.against,
        "documents": grid.documents,
        "remarks": list(grid.remarks),
        "runs": runs,
        "left_out": list(grid.left_out),
    }


def _plain(line: GridLine) -> dict[str, Any]:
    row = line.row
    return {
        **row.scores,
        **{count: getattr(row, count) for count in _COUNTS},
        "intervals": {key: list(pair) if pair else None for key, pair in row.intervals.items()},
        "reasons": dict(row.reasons),
        "best": sorted(line.best),
    }


def grid_csv(grid: Grid, *, per_category: bool = False) -> str:
    """A line per run with "average" as its category, then, if asked for, a line per category and run.

    An apostrophe goes before cells that a spreadsheet would run. Work (quotes, calls, tokens, times) stands
    in the averages' lines only. What was left out has no line.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    bounds = [name for m in GRID_MEASURES for name in (m.key, f"{m.key}_low", f"{m.key}_high")]
    writer.writerow(
        [
            *_NAMES,
            "category",
            "reports",
            *_COUNTS,
            *bounds,
            "averaged_over",
            "best",
            "reasons",
            *_WORK,
            *_LAST,
            "remarks",
            "equal_to",
        ]
    )
    tables = [("average", grid_lines(grid))]
    if per_category:
        tables += [(category, grid_lines(grid, category)) for category in grid.categories]
    for category, lines in tables:
        for line in lines:
            values = [*_values(grid, line, category), one_line(" ".join(grid.remarks)), line.cell.equal_to]
            writer.writerow([_guarded(value) if isinstance(value, str) else value for value in values])
    return out.getvalue()


def _values(grid: Grid, line: GridLine, category: str) -> list[object]:
    cell, row = line.cell, line.row
    values: list[object] = [*(getattr(cell, name) for name in _NAMES), category, line.reports]
    values += [getattr(row, count) for count in _COUNTS]
    for measure in GRID_MEASURES:
        values += [row.scores.get(measure.key), *(row.intervals.get(measure.key) or (None, None))]
    values += [
        "; ".join(f"{key}: {number}" for key, number in line.averaged_over.items()),
        " ".join(sorted(line.best)),
        "; ".join(f"{key}: {sentence}" for key, sentence in row.reasons.items()),
    ]
    if line.category is None:
        values += [*(getattr(cell, name) for name in _WORK), seconds_per_report(grid, cell)[0]]
    else:
        values += [None] * (len(_WORK) + 1)
    return [*values, cell.warning, cell.about]


def _guarded(value: str) -> str:
    shown = one_line(value)
    return "'" + shown if shown.startswith(_DANGEROUS) else shown


def grid_table(grid: Grid, *, per_category: bool = False, names: Mapping[str, str] | None = None) -> str:
    """An aligned table, runs grouped by model, with the reasons of every dash below it.

    `names` maps category ids to the headings of the tables by category; without it the ids stand there.
    """
    left_out = [part for sentence in grid.left_out for part in _wrapped(one_line(sentence), "  - ")]
    left_out = ["", "Left out:", *left_out] if left_out else []
    if not grid.cells:
        return "\n".join([nothing_to_show(grid), *left_out]) + "\n"
    notes: list[str] = []
    lines = grid_lines(grid)
    reports = "1 report" if grid.documents == 1 else f"{grid.documents} reports"
    head = f"Models and strategies against {one_line(grid.against)}, {reports}"
    body = [head, *(one_line(remark) for remark in grid.remarks), "", *_block(grid, lines, notes)]
    if per_category:
        for category in grid.categories:
            heading = one_line((names or {}).get(category, category))
            body += ["", heading, "", *_block(grid, grid_lines(grid, category), notes)]
    body += ["", *_footer(grid, lines, per_category)]
    for place, note in enumerate(notes, 1):
        body += _wrapped(one_line(note), f"[{place}] ")
    return "\n".join([*body, *left_out]) + "\n"


def _block(grid: Grid, lines: Sequence[GridLine], notes: list[str]) -> list[str]:
    """Header and rows; averages go with the work that they cost and with warnings."""
    whole = lines[0].category is None
    measures = lines[0].measures
    labels = {id(line): _label(line.cell) for line in lines}
    width = max(len("  Run"), *map(len, labels.values()))
    header = _header(measures, width, whole)
    result = [*header, "-" * len(header[-1])]
    shown = _model_names([line.cell.model for line in lines])
    for model, group in by_model(lines).items():
        result.append(shown[model])
        for line in group:
            counts = f"{f' {line.reports:5}' if whole else ''} {line.row.n:{5 if whole else 7}}"
            scores = [_score(line, measure, notes) for measure in measures]
            text = " ".join([labels[id(line)].ljust(width) + counts, *scores])
            result.append((text + (_work(grid, line.cell, notes) if whole else "")).rstrip())
            remarks = (line.cell.warning if whole else "", line.cell.about)
            result += [part for remark in remarks if remark for part in _wrapped(one_line(remark), "      ")]
    return result


def _header(measures: Sequence[Measure], width: int, whole: bool) -> list[str]:
    """The lines over a block's columns."""
    work = (
        [("Con-", "flicts"), ("Calls",), ("Tokens",), ("Sec-", "onds"), ("s per", "report")] if whole else []
    )
    counts = [("Re-", "ports"), ("Pairs",)] if whole else [("Reports",)]
    widths = [max(map(len, count)) for count in counts] + [_width(measure) for measure in measures]
    widths += [6, 5, 6, 5, 6] if whole else []
    return [
        " ".join([run.ljust(width), *(words.rjust(wide) for words, wide in zip(others, widths, strict=True))])
        for run, *others in stacked(
            [("  Run",), *counts, *(_heading(measure) for measure in measures), *work]
        )
    ]


def _heading(measure: Measure) -> tuple[str, ...]:
    """In narrower lines than elsewhere where it can be, since there are many columns."""
    return ("Token", "set", "ratio") if measure.key == "tsr" else measure.heading


def _width(measure: Measure) -> int:
    """Room for the heading, and for the longest number and the mark behind it."""
    return max(*map(len, _heading(measure)), len(measure.text(measure.top)) + 1)


def _model_names(models: Sequence[str]) -> dict[str, str]:
    """Long names without their middle, since the end has the version; whole where two would look the same."""
    whole = {model: one_line(model) for model in models}
    short = {model: _without_middle(name, _MODEL_WIDTH) for model, name in whole.items()}
    alike = Counter(short.values())
    return {
        model: name if alike[name] == 1 else _without_middle(whole[model], _WIDTH)
        for model, name in short.items()
    }


def _without_middle(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    end = width // 3
    return f"{text[: width - 1 - end]}…{text[-end:]}"


def _label(cell: GridCell) -> str:
    """Two columns for the mark of incomplete runs, then strategy and prompting."""
    return ("! " if cell.warning else "  ") + _without_middle(one_line(cell.label), _LABEL_WIDTH)


def _score(line: GridLine, measure: Measure, notes: list[str]) -> str:
    number = footnote(line.row.reasons.get(measure.key, ""), notes)
    mark = f"[{number}]" if number else _BEST if measure.key in line.best else " "
    return _column(measure, measure.text(line.row.scores[measure.key]), mark)


def _column(measure: Measure, text: str, mark: str) -> str:
    """Right-aligned with one column kept for the mark."""
    return f"{text}{mark}".rjust(_width(measure))


def _work(grid: Grid, cell: GridCell, notes: list[str]) -> str:
    each, why = seconds_per_report(grid, cell)
    tokens = _dash("The tokens were not counted.", notes) if cell.tokens is None else _thousands(cell.tokens)
    seconds = _dash("No time was recorded.", notes) if cell.seconds is None else f"{cell.seconds:.0f}"
    per_report = _dash(why, notes) if each is None else f"{each:.1f}"
    return f" {cell.conflicts:6} {cell.calls:5} {tokens:>6} {seconds:>5} {per_report:>6}"


def _dash(reason: str, notes: list[str]) -> str:
    return f"–[{footnote(reason, notes)}]"


def _thousands(number: int) -> str:
    """At most five digits and a unit."""
    if number < 10_000:
        return str(number)
    return f"{number / 1000:.0f}k" if number < 10_000_000 else f"{number / 1_000_000:.1f}M"


def _footer(grid: Grid, lines: Sequence[GridLine], per_category: bool) -> list[str]:
    """What the columns rest on."""
    against = one_line(grid.against)
    text = [
        *grid_sentences(grid, lines, _BEST),
        f"Reports, and pairs of report and category: those that both the run and {against} annotated. "
        "Scores are means over categories, in the paper profile; F1 is the strict profile's. "
        f"{scales()} In the report: share of the run's quotes that stand in their report. Conflicts: quotes "
        "where the report says something else. Tokens: read and written.",
    ]
    if per_category:
        text.append(f"By category, {_BEST} marks the best among rows with the most reports.")
    if any(line.cell.warning for line in lines):
        text.append("! Some calls have no whole answer.")
    return [part for sentence in text for part in _wrapped(sentence)]


def _wrapped(text: str, head: str = "") -> list[str]:
    return textwrap.wrap(
        text, 110, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False
    )
