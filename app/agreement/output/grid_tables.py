"""The grid of models and strategies as JSON, as CSV, as a plain table for a terminal and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

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
    seconds_per_report,
)
from app.agreement.output.tables import (
    COUNTS,
    bounded,
    counts,
    measure_column,
    plain,
    reasons,
    scales,
    score_cell,
)
from app.agreement.statistics.intervals import LEAST_REPORTS
from app.messages import NO_TIME, NO_TOKENS
from app.tables import Cell, Column, Kind, Place, Table, csv_text, numbered, render, text_lines, wrapped
from app.text import counted, one_line

_WIDTH = 136
_MODEL_WIDTH = 40
_LABEL_WIDTH = 20
_STAR = {"text": "*", "html": "★"}
_NAMES = ("run", "model", "strategy", "prompting")
_WORK = (
    "quotes", "exact", "normalised", "fuzzy", "ungrounded", "conflicts", "calls", "incomplete", "failed",
    "missing", "tokens_in", "tokens_out", "shared", "seconds",
)  # fmt: skip
_LAST = ("seconds_per_report", "warning", "about")
_COST = (
    Column("Conflicts", heading=("Con-", "flicts")),
    Column("Calls"),
    Column("Tokens"),
    Column("Seconds", heading=("Sec-", "onds")),
    Column("Seconds per report", heading=("s per", "report"), decimals=1),
)
_NO_PROMPT = "No call came before that could share a prompt, or none was recorded."


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
            **plain(line.row),
            "best": sorted(line.best),
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
                run["categories"][category] = {**plain(line.row), "best": sorted(line.best)}
    return {
        "against": grid.against,
        "documents": grid.documents,
        "remarks": list(grid.caveats),
        "runs": runs,
        "left_out": list(grid.left_out),
    }


def grid_csv(grid: Grid, *, per_category: bool = False) -> str:
    """A line per run with "average" as its category, then, if asked for, a line per category and run.

    An apostrophe goes before cells that a spreadsheet would run. Work (quotes, calls, tokens, times) stands
    in the averages' lines only. What was left out has no line.
    """
    bounds = [name for m in GRID_MEASURES for name in (m.key, f"{m.key}_low", f"{m.key}_high")]
    head = (*_NAMES, "category", "reports", *COUNTS, *bounds, "averaged_over", "best", "reasons")
    tables = [("average", grid_lines(grid))]
    if per_category:
        tables += [(category, grid_lines(grid, category)) for category in grid.categories]
    rows = tuple(
        tuple(one_line(value) if isinstance(value, str) else value for value in _values(grid, line, category))
        for category, lines in tables
        for line in lines
    )
    return csv_text(Table((*head, *_WORK, *_LAST, "remarks", "equal_to"), rows))


def _values(grid: Grid, line: GridLine, category: str) -> list[object]:
    cell, row = line.cell, line.row
    values: list[object] = [*(getattr(cell, name) for name in _NAMES), category, line.reports, *counts(row)]
    values += bounded(row, GRID_MEASURES)
    values += [
        "; ".join(f"{key}: {number}" for key, number in line.averaged_over.items()),
        " ".join(sorted(line.best)),
        reasons(row),
    ]
    if line.category is None:
        values += [*(getattr(cell, name) for name in _WORK), seconds_per_report(grid, cell)[0]]
    else:
        values += [None] * (len(_WORK) + 1)
    return [*values, cell.warning, cell.about, " ".join(grid.caveats), cell.equal_to]


def score_table(
    grid: Grid, lines: Sequence[GridLine], place: Place, title: str = "", notes: tuple[str, ...] = ()
) -> Table[object]:
    """Runs by model with their scores; averages go with warnings, in a terminal with their cost."""
    whole = lines[0].category is None
    terminal = place == "text"
    columns = [Column("Run", kind="words")]
    if whole:
        columns += [Column("Reports", heading=("Re-", "ports")), Column("Pairs", "n")]
    else:
        columns.append(Column("Reports", "n"))
    if not (whole or terminal):
        columns += [Column("Both empty", "empty"), Column("Quotes")]
    columns += [_narrow(measure_column(measure)) for measure in lines[0].measures]
    columns += _COST if whole and terminal else ()

    def row(line: GridLine) -> tuple[object, ...]:
        found = line.row
        marked = line.cell.warning and (terminal or not whole)
        values: list[object] = [_run(line.cell, terminal, "incomplete" if marked else "")]
        values += [line.reports, found.n] if whole else [found.n]
        if not (whole or terminal):
            values += [found.empty, f"{found.support_left}\u202f/\u202f{found.support}"]
        values += [score_cell(one, found, best=one.key in line.best) for one in line.measures]
        return (*values, *(_cost(grid, line.cell) if whole and terminal else ()))

    return _grouped(lines, columns, row, title, notes, warn=whole, names=_short_names if terminal else _names)


def _narrow(column: Column) -> Column:
    """A column whose heading stands in more lines, where these are narrower."""
    words = tuple(word for line in column.heading for word in line.split(" "))
    return replace(column, heading=words) if max(map(len, words)) < max(map(len, column.heading)) else column


def work_table(grid: Grid, lines: Sequence[GridLine]) -> Table[object]:
    """Runs by model with their quotes and calls, for a page."""
    heads = (
        ("Quotes, by their place in the report", "All Exact Normalised Fuzzy Ungrounded Conflict"),
        ("Calls", "Made Incomplete Failed Missing"),
        ("Tokens", "Read Written Shared"),
        ("Seconds", "All Per\u00a0report"),
    )
    columns = [Column("Run", kind="words")]
    columns += [
        Column(one, over=over, decimals=int(one.startswith("Per")))
        for over, of in heads
        for one in of.split(" ")
    ]

    def row(line: GridLine) -> tuple[object, ...]:
        cell = line.cell
        each, why = seconds_per_report(grid, cell)
        shared = None if cell.shared is None else f"{cell.shared:.0%}".replace("%", "\u202f%")
        return (
            _run(cell, False),
            *(cell.quotes, cell.exact, cell.normalised, cell.fuzzy, cell.ungrounded, cell.conflicts),
            *(cell.calls, cell.incomplete, cell.failed, cell.missing),
            *(
                Cell(number, "" if number is not None else NO_TOKENS)
                for number in (cell.tokens_in, cell.tokens_out)
            ),
            Cell(shared, "" if shared else _NO_PROMPT),
            Cell(cell.seconds, "" if cell.seconds is not None else NO_TIME),
            Cell(each, why),
        )

    return _grouped(lines, columns, row, "Quotes and work", _ABOUT_WORK, warn=True, names=_names)


def _grouped(
    lines: Sequence[GridLine],
    columns: Sequence[Column],
    row: Callable[[GridLine], tuple[object, ...]],
    title: str,
    notes: tuple[str, ...],
    *,
    warn: bool,
    names: Callable[[Sequence[str]], Mapping[str, str]],
) -> Table[object]:
    """The rows under the heading of their model, each followed by what must be said of it."""
    rows: list[tuple[object, ...]] = []
    kinds: dict[int, Kind] = {}

    def say(kind: Kind, text: str) -> None:
        kinds[len(rows)] = kind
        rows.append((text,))

    shown = names([line.cell.model for line in lines])
    for model, group in by_model(lines).items():
        say("group", shown[model])
        for line in group:
            rows.append(row(line))
            if warn and line.cell.warning:
                say("warning", one_line(line.cell.warning))
            if line.cell.about:
                say("remark", one_line(line.cell.about))
    return Table(tuple(columns), tuple(rows), title, notes, kinds)


def _run(cell: GridCell, terminal: bool, warning: str = "") -> Cell:
    label = one_line(cell.label)
    return Cell(_without_middle(label, _LABEL_WIDTH) if terminal else label, warning=warning)


def _names(models: Sequence[str]) -> dict[str, str]:
    return {model: one_line(model) for model in models}


def _short_names(models: Sequence[str]) -> dict[str, str]:
    """Long names without their middle, since the end has the version; whole where two would look the same."""
    whole = _names(models)
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


def _cost(grid: Grid, cell: GridCell) -> tuple[object, ...]:
    each, why = seconds_per_report(grid, cell)
    return (
        cell.conflicts,
        str(cell.calls),
        Cell(_thousands(cell.tokens), "" if cell.tokens is not None else NO_TOKENS),
        Cell(
            None if cell.seconds is None else f"{cell.seconds:.0f}",
            "" if cell.seconds is not None else NO_TIME,
        ),
        Cell(each, why),
    )


def _thousands(number: int | None) -> str | None:
    """At most five digits and a unit."""
    if number is None or number < 10_000:
        return None if number is None else str(number)
    return f"{number / 1000:.0f}k" if number < 10_000_000 else f"{number / 1_000_000:.1f}M"


def grid_table(grid: Grid, *, per_category: bool = False, names: Mapping[str, str] | None = None) -> str:
    """An aligned table, runs grouped by model, with the reasons of every dash below it.

    `names` maps category ids to the headings of the tables by category; without it the ids stand there.
    """
    left_out = [part for sentence in grid.left_out for part in wrapped(one_line(sentence), "  - ")]
    left_out = ["", "Left out:", *left_out] if left_out else []
    if not grid.cells:
        return "\n".join([nothing_to_show(grid), *left_out]) + "\n"
    notes: list[str] = []
    lines = grid_lines(grid)
    head = f"Models and strategies against {one_line(grid.against)}, {counted(grid.documents, 'report')}"
    body = [
        head,
        *map(one_line, grid.caveats),
        "",
        *text_lines(score_table(grid, lines, "text"), notes, gap=" "),
    ]
    for category in grid.categories if per_category else ():
        heading = one_line((names or {}).get(category, category))
        table = score_table(grid, grid_lines(grid, category), "text")
        body += ["", heading, "", *text_lines(table, notes, gap=" ")]
    body += ["", *_footer(grid, lines, per_category), *numbered([one_line(note) for note in notes], 110)]
    return "\n".join([*body, *left_out]) + "\n"


def _footer(grid: Grid, lines: Sequence[GridLine], per_category: bool) -> list[str]:
    """What the columns rest on."""
    against, star = one_line(grid.against), _STAR["text"]
    own = " and ".join(" ".join(one.heading) for one in GRID_MEASURES if not one.paper)
    text = [
        *grid_sentences(grid, lines, star),
        f"Reports, and pairs of report and category: those that both the run and {against} annotated. "
        f"Scores are means over categories, in the paper profile; {own} is the strict profile's. "
        f"{scales(GRID_MEASURES)} In the report: share of the run's quotes that stand in their report. "
        "Conflicts: quotes where the report says something else. Tokens: read and written.",
    ]
    if per_category:
        text.append(f"By category, {star} marks the best among rows with the most reports.")
    if any(line.cell.warning for line in lines):
        text.append("! Some calls have no whole answer.")
    return [part for sentence in text for part in wrapped(sentence)]


_ABOUT_WORK = (
    "Conflict: the report says something else in that place, such as another number or the opposite. "
    "Ungrounded: no place was found. Incomplete: cut or malformed replies, of which what could be read was "
    "kept. Missing: planned, but never answered. Shared: part of the prompt that is the same as in the call "
    "before, which a server need not read again.",
)


def grid_html(grid: Grid, names: Mapping[str, str], *, per_category: bool = False) -> str:
    """The page; `names` go by category id. Everything that comes from models and annotators is escaped."""
    lines, star = grid_lines(grid), _STAR["html"]
    sentences = tuple(grid_sentences(grid, lines, star)) if lines else ()
    against = one_line(grid.against)
    below = (
        *sentences[1:],
        f"Reports, and pairs of report and category: those that both the run and {against} annotated.",
        f"Below a score its 95 % interval, for which it takes {LEAST_REPORTS} reports; scores whose "
        "intervals overlap may differ by chance.",
    )
    tables = []
    for category in grid.categories if per_category else ():
        rows = grid_lines(grid, category)
        tables.append(score_table(grid, rows, "html", names.get(category, category), _marked(rows)))
    title = "Scores, averaged over categories"
    return render(
        "grid.html.j2",
        palette=(),
        grid=grid,
        one_line=one_line,
        nothing=nothing_to_show(grid),
        sentences=sentences,
        overall=score_table(grid, lines, "html", title, below) if lines else None,
        work=work_table(grid, lines) if lines else None,
        tables=tables,
        measures=GRID_MEASURES,
    )


def _marked(lines: Sequence[GridLine]) -> tuple[str, ...]:
    """What the marks of a category's table mean, where it has any."""
    rivals = comparable(lines)
    if not any(line.best for line in lines):
        return ()
    return (f"{_STAR['html']} the best of the {len(rivals)} rows measured over {rivals[0].row.n} reports.",)
