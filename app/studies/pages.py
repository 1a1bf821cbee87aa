"""Scores of a study for people: tables of runs and measures, a page with cases, a chart for each measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any

from app.tables import Cell, Column, Table, render
from app.text import shortened

if TYPE_CHECKING:
    from app.studies.results import Item, Measure, RunScores, Score, Scores
    from app.studies.study import Beside, Study

PUBLISHED = " (published)"


def by_run(
    measures: Sequence[str],
    published: Mapping[str, Mapping[str, float | None]] | None = None,
    *,
    label: str = "",
    ends: bool = False,
) -> Callable[[Scores], Table[Any] | None]:
    """A table with a row for each run, or for each value of a label and run, and a column for each measure.

    `published` rows (name -> measure -> value) stand below on request, marked as such. With `ends` files have
    both ends of each interval in columns of their own, and each n where measures differ in it.
    """

    def make(scores: Scores) -> Table[Any] | None:
        known = {measure.id: measure for measure in scores.measures}
        groups: Mapping[str, Mapping[str, RunScores]] = (
            scores.by.get(label, {}) if label else {"": scores.runs}
        )
        every = [one for of in groups.values() for own in of.values() for one in own.scores.values()]
        more = ("low", "high", "n")[: 3 if any(one.n is not None for one in every) else 2] if ends else ()
        columns = [
            *([Column(label.capitalize(), key=label, kind="words")] if label else []),
            Column("Run", key="run", kind="words"),
            Column("n", key="n"),
            *(
                Column(known[one].label, key=one, decimals=known[one].decimals, heading=(known[one].label,))
                for one in measures
            ),
            *(Column(f"{one}_{part}", key=f"{one}_{part}", places=()) for one in measures for part in more),
        ]
        rows: list[tuple[object, ...]] = [
            (
                *((value,) if label else ()),
                name,
                own.n,
                *(cell(own.scores.get(one)) for one in measures),
                *(part for one in measures for part in _more(own.scores.get(one), own.n)[: len(more)]),
            )
            for value, of_value in groups.items()
            for name, own in of_value.items()
            if any(one in own.scores for one in measures)
        ]
        if not rows:
            return None
        for name, values in (published or {}).items() if scores.published and not label else ():
            rows.append((f"{name}{PUBLISHED}", None, *(values.get(one) for one in measures)))
        return Table(tuple(columns), tuple(rows))

    return make


def cell(score: Score | None) -> Cell:
    """A score with its interval below it, or with why there is none, or with its own n."""
    if score is None:
        return Cell(None)
    low_high = score.interval
    note = score.reason or ("" if score.n is None else f"n {score.n:,}")
    return Cell(score.value, note, f"{low_high[0]:.3f} to {low_high[1]:.3f}" if low_high else "")


def _more(score: Score | None, n: int) -> tuple[float | None, ...]:
    if score is None:
        return None, None, None
    return *(score.interval or (None, None)), n if score.n is None else score.n


_ROW, _LEFT, _WIDE, _RIGHT = 28, 260, 420, 90
_LONGEST = 34


def scores_table(scores: Scores, label: str = "") -> Table[Any]:
    """Every run with every measure, of all answers or by the values of a label."""
    used = {name for own in scores.runs.values() for name in own.scores}
    measures = [one.id for one in scores.measures if one.id in used and one.listed]
    made = by_run(measures, label=label, ends=True)(scores)
    return made or Table((Column("Run", key="run", kind="words"),), ())


def pairs_table(scores: Scores, called: Callable[[str, str], str] | None = None) -> Table[Any] | None:
    """The left's measures less the right's, of every two runs; None where there is one. Values of labels are
    as they stand, or as they are `called`."""
    compared = {name for pair in scores.pairs for name in pair.differences}
    measures = [one for one in scores.measures if one.id in compared and one.listed]
    if not measures:
        return None
    columns = [Column("Run", key="left", kind="words"), Column("less", key="right", kind="words")]
    grouped = any(pair.label for pair in scores.pairs)
    columns += [Column("of", key="group", kind="words")] if grouped else []
    columns.append(Column("n", key="n"))
    columns += [
        Column(one.label, key=one.id, decimals=one.decimals, heading=(one.label,)) for one in measures
    ]

    def group(label: str, value: str) -> str:
        if not label:
            return "all"
        return f"{label} {value}" if called is None else f"{called(label, value)} ({label})"

    rows = tuple(
        (
            pair.left,
            pair.right,
            *((group(pair.label, pair.value),) if grouped else ()),
            pair.n,
            *(cell(pair.differences.get(one.id)) for one in measures),
        )
        for pair in scores.pairs
    )
    return Table(tuple(columns), rows, title="Differences")


def drawn_tables(
    scores: Scores, tables: Mapping[str, Table[Any]], called: Callable[[str, str], str] | None = None
) -> Iterator[Table[Any]]:
    """Every table there is under its title: runs, those by label, differences, and the paper's by number."""
    yield replace(scores_table(scores), title="Runs")
    for label in scores.by:
        yield replace(scores_table(scores, label), title=f"By {label}")
    if (differences := pairs_table(scores, called)) is not None:
        yield differences
    for number, table in tables.items():
        yield replace(table, title=f"Table {number}. {table.title}")


def page(
    title: str,
    scores: Scores,
    tables: Mapping[str, Table[Any]],
    notes: Sequence[str],
    figures: Mapping[str, tuple[str, str]],
    lead: Sequence[str] = (),
    cases: tuple[Sequence[Case], int] = ((), 0),
) -> str:
    """A self-contained page: `lead` on top, `figures` (title: SVG, how to read it), the scores, those by
    label, the paper's tables, the notes, and the first of so many cases."""
    return render(
        "study.html.j2",
        palette=(),
        title=title,
        tables=list(drawn_tables(scores, tables)),
        notes=notes,
        charts=[] if figures else list(charts(scores).values()),
        figures=figures,
        lead=lead,
        cases=cases[0],
        of_cases=cases[1],
    )


def charts(scores: Scores) -> dict[str, str]:
    """An SVG picture for each measure: a dot for each run, its interval as a line."""
    drawn = {}
    for measure in filter(lambda one: one.listed, scores.measures):
        found = [own.scores.get(measure.id) for own in scores.runs.values()]
        if any(one is not None and one.value is not None for one in found):
            drawn[measure.id.replace("@", "-at-").replace("/", "-")] = _chart(scores, measure)
    return drawn


def _chart(scores: Scores, measure: Measure) -> str:
    found = [(name, own.scores[measure.id]) for name, own in scores.runs.items() if measure.id in own.scores]
    values = [end for _, one in found if one.value is not None for end in (one.value, *(one.interval or ()))]
    low, high = float(min(0.0, *values)), float(max(1.0, *values))

    def x(value: float) -> float:
        return _LEFT + (value - low) / (high - low) * _WIDE

    height = _ROW * (len(found) + 2)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDE + _RIGHT}" height="{height}" '
        f'font-family="sans-serif" font-size="13" fill="currentColor" role="img" '
        f'aria-label="{escape(measure.label)}">',
        f'<text x="8" y="20" font-weight="bold">{escape(measure.label)}</text>',
        f'<line x1="{x(low):.1f}" x2="{x(high):.1f}" y1="{height - 18}" y2="{height - 18}" stroke="#999"/>',
        *(
            f'<text x="{x(at):.1f}" y="{height - 4}" text-anchor="middle" fill="#555">{at:g}</text>'
            for at in (low, high)
        ),
    ]
    for place, (name, one) in enumerate(found, start=1):
        y = _ROW * place + 14
        lines.append(f'<text x="8" y="{y + 4}">{escape(shortened(name, _LONGEST))}</text>')
        if one.value is None:
            lines.append(f'<text x="{_LEFT}" y="{y + 4}" fill="#555">{escape(one.reason)}</text>')
            continue
        if one.interval:
            ends = f'x1="{x(one.interval[0]):.1f}" x2="{x(one.interval[1]):.1f}"'
            lines.append(f'<line {ends} y1="{y}" y2="{y}" stroke="#4a6fa5" stroke-width="2"/>')
        lines.append(f'<circle cx="{x(one.value):.1f}" cy="{y}" r="4" fill="#1f4e8c"/>')
        text = f"{one.value:z.{measure.decimals}f}"
        lines.append(f'<text x="{_LEFT + _WIDE + 10}" y="{y + 4}">{text}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


# So many cases are shown, and of each answer so many rows, with those further down that are right.
_CASES, _ROWS = 50, 10


@dataclass(frozen=True, slots=True)
class Case:
    """An item by its id, its words under their headings, and a table for each run."""

    name: str
    words: Sequence[tuple[str, str]]
    tables: Sequence[Table[Any]]


def cases_of(study: Study, scores: Scores) -> tuple[list[Case], int]:
    """The first cases that were answered, and how many there are; none where a study shows nothing beside."""
    if study.beside is None:
        return [], 0
    tables: dict[tuple[str, str], list[Table[Any]]] = {}
    items: dict[tuple[str, str], Item] = {}
    for name, rows in scores.rows.items():
        built = scores.settings[name].get("built") or {}
        for row in rows:
            key = row.item.task, row.item.id
            items.setdefault(key, row.item)
            wanted = key in tables or len(tables) < _CASES
            shown = study.beside(row.item, row, built, True) if wanted else None
            if shown is not None:
                tables.setdefault(key, []).append(_table(name, shown))
    found = [Case(key[1], _words(study, items[key]), own) for key, own in tables.items()]
    return found, len(items)


def _words(study: Study, item: Item) -> list[tuple[str, str]]:
    if study.item_words is not None:
        return list(study.item_words(item))
    return [(key.capitalize(), value) for key, value in item.input.items() if isinstance(value, str)]


def _table(run: str, shown: Beside) -> Table[Any]:
    columns = tuple(Column(head, key=str(at), kind="words") for at, head in enumerate(shown.heads))
    # Where the right answer may be seen, the last column says so.
    rows = [row for at, row in enumerate(shown.rows) if at < _ROWS or row[-1]]
    return Table(columns, tuple(map(tuple, rows)), title=f"{run}: {shown.title.lower()}")
