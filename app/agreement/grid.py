"""Models, strategies and promptings against one reference: the grid's rows, marks and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from app.agreement.measures import Measure, shown_in
from app.agreement.types import Agreement, Row
from app.messages import NO_TIME
from app.text import one_line
from extractors.grouping import grouped

GROUNDED = Measure(
    key="grounded",
    name="Grounded share",
    heading=("In the", "report"),
    paper="Of the run's quotes, the share that stands in the report: letter by letter (exact), but for "
    "spaces, punctuation and the like (normalised), or in nearly the same words (fuzzy).",
    contribution=lambda _: (),  # counted by run, not by report
)
_OWN = shown_in("grid", "strict")
CATEGORY_MEASURES: tuple[Measure, ...] = (
    *shown_in("grid", "paper"),
    *(replace(one, name=f"Strict {one.name}") for one in _OWN),
)
GRID_MEASURES: tuple[Measure, ...] = (*CATEGORY_MEASURES, GROUNDED)
_STRICT = {measure.key for measure in _OWN}


@dataclass(frozen=True, slots=True)
class GridCell:
    """One run against the reference; `run` is its annotator name, e.g. "qwen2.5:7b/ucp/few-shot".

    `paper` and `strict` compare the run (left) with the reference. The quotes are `exact`, `normalised`,
    `fuzzy`, `ungrounded` or, where the report says something else in that place, `conflicts`. `calls` were
    made, `incomplete` (cut or malformed) and `failed` among them; `missing` were planned beside them and
    never answered. Calls, tokens and `seconds` are those of the grid's reports, None where nothing was
    recorded; `shared` is the share 0-1 of prompt tokens in common with the call before. `about` is "" or a
    sentence that must stand wherever the row stands. `equal_to` names a row before it that was asked the very
    same prompts and replied the same, "" for none.
    """

    run: str
    model: str
    strategy: str
    prompting: str
    paper: Agreement
    strict: Agreement
    quotes: int
    exact: int
    normalised: int
    fuzzy: int
    conflicts: int
    ungrounded: int
    calls: int
    incomplete: int
    failed: int
    missing: int
    tokens_in: int | None
    tokens_out: int | None
    seconds: float | None
    shared: float | None
    about: str = ""
    equal_to: str = ""

    @property
    def label(self) -> str:
        """Strategy, as the paper writes it, prompting, and which run it is; its name where it has neither.

        "=" stands at the end of one that is equal to another.
        """
        number = re.search(r"#\d+$", self.run)
        name = f"{self.strategy.upper()} {self.prompting} {number[0] if number else ''}".strip() or self.run
        return f"{name} =" if self.equal_to else name

    @property
    def grounded(self) -> float | None:
        """Share 0-1 of the quotes that have a place in their report; None without quotes."""
        return (self.exact + self.normalised + self.fuzzy) / self.quotes if self.quotes else None

    @property
    def tokens(self) -> int | None:
        """Tokens read and written; None where either was not counted."""
        return None if self.tokens_in is None or self.tokens_out is None else self.tokens_in + self.tokens_out

    @property
    def warning(self) -> str:
        """A sentence on calls without a whole answer, "" where there are none."""
        parts = [
            f"{number} of {total} {what}"
            for number, total, what in (
                (self.incomplete, self.calls, "calls cut or malformed"),
                (self.failed, self.calls, "calls failed"),
                (self.missing, self.calls + self.missing, "planned calls never answered"),
            )
            if number
        ]
        return f"Incomplete: {', '.join(parts)}; the scores rest on less." if parts else ""


@dataclass(frozen=True, slots=True)
class Grid:
    """Runs against the annotator `against` over `documents` reports, all over the same categories.

    `left_out` has a sentence for every run that could not be made, `caveats` what must be said of `against`.
    """

    against: str
    documents: int
    cells: tuple[GridCell, ...]
    left_out: tuple[str, ...]
    caveats: tuple[str, ...] = ()

    @property
    def categories(self) -> tuple[str, ...]:
        """The category ids, in order."""
        return tuple(self.cells[0].paper.categories) if self.cells else ()


@dataclass(frozen=True, slots=True)
class GridLine:
    """A cell's scores in one `category`, or their average over the categories where that is None.

    `row` has the keys of `measures`: the paper profile's scores, the strict profile's F1, and in an average
    the grounded share. `reports` are those that both sides looked at. `averaged_over` has, of an average,
    each score's number of categories. `best` has the keys of the scores that no comparable line betters.
    """

    cell: GridCell
    category: str | None
    row: Row
    reports: int
    averaged_over: Mapping[str, int]
    best: frozenset[str] = frozenset()

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The columns that the line has scores for."""
        return GRID_MEASURES if self.category is None else CATEGORY_MEASURES


def grid_lines(grid: Grid, category: str | None = None) -> list[GridLine]:
    """A line per cell, in order: in `category`, or averaged over all for None."""
    return with_best([_line(cell, category) for cell in grid.cells])


def _line(cell: GridCell, category: str | None) -> GridLine:
    if category is not None:
        row = _merged(cell.paper.categories[category], cell.strict.categories[category])
        return GridLine(cell, category, row, row.n, {})
    paper, strict = cell.paper, cell.strict
    row = _merged(_explained(paper), _explained(strict))
    scores, intervals = {**row.scores, GROUNDED.key: cell.grounded}, {**row.intervals, GROUNDED.key: None}
    reasons = dict(row.reasons)
    if cell.grounded is None:
        reasons[GROUNDED.key] = f"{cell.run} has no quotes."
    return GridLine(
        cell,
        None,
        replace(row, scores=scores, intervals=intervals, reasons=reasons),
        sum(bool(report.row.n) for report in paper.reports),
        {m.key: (strict if m.key in _STRICT else paper).averaged_over[m.key] for m in CATEGORY_MEASURES},
    )


def _explained(agreement: Agreement) -> Row:
    """The average, with the reasons that hold for all reports together, which say more than its own."""
    average, pooled = agreement.average, agreement.pooled.reasons
    return replace(
        average, reasons={key: pooled.get(key, sentence) for key, sentence in average.reasons.items()}
    )


def _merged(paper: Row, strict: Row) -> Row:
    """The grid's columns from both profiles in one row; counts are the same in both."""
    source = {m.key: strict if m.key in _STRICT else paper for m in CATEGORY_MEASURES}
    return replace(
        paper,
        scores={key: row.scores[key] for key, row in source.items()},
        intervals={key: row.intervals[key] for key, row in source.items()},
        reasons={key: row.reasons[key] for key, row in source.items() if key in row.reasons},
    )


def comparable(lines: Sequence[GridLine]) -> list[GridLine]:
    """Lines measured over the most report-category pairs, but for those that stand with a remark."""
    most = max((line.row.n for line in lines if not line.cell.about), default=0)
    return [line for line in lines if line.row.n == most > 0 and not line.cell.about]


def with_best(lines: Sequence[GridLine]) -> list[GridLine]:
    """The lines with `best` filled in: equal as shown is equally good; where all are equal, none is best."""
    rivals = comparable(lines)
    tops = {}
    for measure in lines[0].measures if lines else ():
        shown = {score for line in rivals if (score := _shown(line, measure)) is not None}
        if len(shown) > 1:
            tops[measure] = min(shown) if measure.error else max(shown)
    return [
        replace(line, best=frozenset(m.key for m, top in tops.items() if _shown(line, m) == top))
        if line in rivals
        else line
        for line in lines
    ]


def _shown(line: GridLine, measure: Measure) -> float | None:
    score = line.row.scores[measure.key]
    return None if score is None else round(score, measure.decimals)


def by_model(lines: Sequence[GridLine]) -> dict[str, list[GridLine]]:
    """The lines of each model, models and lines in order of first appearance."""
    return grouped((line.cell.model, line) for line in lines)


def seconds_per_report(grid: Grid, cell: GridCell) -> tuple[float | None, str]:
    """Seconds for one report, or None and the sentence why not."""
    if cell.seconds is None:
        return None, NO_TIME
    if not (cell.calls and grid.documents):
        return None, "No call was made."
    if cell.failed or cell.missing:
        return None, "Calls failed or were never answered, so the time is not that of whole reports."
    return cell.seconds / grid.documents, ""


def grid_sentences(grid: Grid, lines: Sequence[GridLine], mark: str) -> Iterator[str]:
    """What the rows stand on, which can be compared, what `mark` means, and over what averages run."""
    reports, pairs = {line.reports for line in lines}, {line.row.n for line in lines}
    over = (
        f"{_span(reports)} report{'' if reports == {1} else 's'}, {_span(pairs)} pairs of report and category"
    )
    if len(reports) > 1 or len(pairs) > 1:
        yield f"The rows do not rest on the same: {over}. Compare only rows measured over the same."
    else:
        yield f"Measured over {over}."
    rivals = comparable(lines)
    caveats = " and no remark" if any(line.cell.about for line in lines) else ""
    if any(line.best for line in lines):
        yield (
            f"{mark} marks the best score of a column among the {len(rivals)} rows over "
            f"{rivals[0].row.n} pairs{caveats}; of errors the lowest is best."
        )
    elif len(lines) > 1:
        yield f"No score is marked as best: no two rows over the most pairs{caveats} differ."
    for cell in grid.cells:
        if cell.equal_to:
            yield (
                f"= {one_line(cell.run)} was asked the very same prompts as {one_line(cell.equal_to)} and "
                "has the same replies: one result, not two."
            )
    every = len(grid.categories)
    counts = {m: {line.averaged_over[m.key] for line in lines} - {0} for m in CATEGORY_MEASURES}
    partial = [f"{m.name} over {_span(counts[m])}" for m in CATEGORY_MEASURES if counts[m] - {every}]
    if partial:
        yield f"Averages over fewer than {every} categories, the others undefined: {', '.join(partial)}."


def _span(numbers: set[int]) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"


def nothing_to_show(grid: Grid) -> str:
    """What stands in place of an empty grid."""
    against = one_line(grid.against)
    if grid.left_out:
        return f"No run could be compared with {against}."
    return f"There is no run of a model to compare with {against}."
