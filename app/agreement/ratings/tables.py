"""A summary of ratings as JSON, as a table for a terminal and as a page."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from app.agreement.ratings.summary import (
    ALL_ITEMS,
    Criterion,
    ItemMean,
    RaterAgreement,
    RatingSummary,
    RunRatings,
    rating_items,
)
from app.tables import DASH, Cell, Column, Table, footnote, numbered, render, text_lines, wrapped
from app.text import counted, shortened

NOTHING = "Nobody has rated an output yet."
_WIDTH, _NAME_WIDTH = 100, 16
_ALPHA = "Alpha is Krippendorff's for ordinal data: 1 is full agreement, 0 what chance would give."


def ratings_grid(summary: RatingSummary) -> Table[Any]:
    """The means as texts, a row for each item, a column for each run and one for alpha, under what they rest
    on; a cell's note is what more there is to know of it."""
    if not summary.runs:
        return Table((), (), NOTHING)
    rows = []
    notes: list[str] = []
    for item, label in _labels():
        found = summary.agreement[item]
        number = footnote(found.reason, notes)
        alpha = f"{alpha_text(found)}[{number}]" if number else alpha_text(found)
        means = [run.items.get(item) for run in summary.runs]
        cells = [Cell(f"{mean_text(mean)} ({mean.n})", _each(mean)) if mean else Cell("") for mean in means]
        rows.append((label, *cells, Cell(alpha, found.reason)))
    columns = ("Item", *(run.run for run in summary.runs), "Alpha")
    return Table(columns, tuple(rows), rating_head(summary), tuple(numbered(notes)))


def _each(mean: ItemMean) -> str:
    """The range and the mean of each rater, a line each."""
    lines = [f"{rater}: {value:.2f}" for rater, value in mean.by_rater.items()]
    return "\n".join([f"From {mean.low} to {mean.high}", *lines]) if mean.n else ""


def ratings_json(summary: RatingSummary) -> dict[str, Any]:
    """Plain values for `json.dump`; means by run and item, alpha by item, None where undefined."""
    return {
        "scale": {"lowest": 1, "highest": 5, "better": 5},
        "items": [_item_json(item) for item in rating_items()],
        "raters": list(summary.raters),
        "ratings": summary.ratings,
        "runs": [_run_json(run) for run in summary.runs],
        "agreement": {name: asdict(found) for name, found in summary.agreement.items()},
    }


def _item_json(item: Criterion) -> dict[str, Any]:
    names = {"id": item.id, "name": item.name, "question": item.question}
    ends = zip(("one", "three", "five"), (1, 3, 5), strict=True)
    return {**names, **{name: item.means[score] for name, score in ends}, "best": item.best}


def _run_json(run: RunRatings) -> dict[str, Any]:
    plain = {**asdict(run), "items": {name: asdict(mean) for name, mean in run.items.items()}}
    return {"remarks" if key == "caveats" else key: value for key, value in plain.items()}


def rating_head(summary: RatingSummary) -> str:
    """What the table rests on, in one sentence."""
    ratings, people, partial = summary.ratings, len(summary.raters), sum(r.partial for r in summary.runs)
    words = f"{counted(ratings, 'rating')} by {counted(people, 'rater')}"
    words += f", {sum(r.blind for r in summary.runs)} of them blind"
    return words + (f", {partial} with items left out." if partial else ".")


def mean_text(mean: ItemMean) -> str:
    """Mean and, of two or more, standard deviation; a dash without scores."""
    if mean.mean is None:
        return DASH
    return f"{mean.mean:.2f}" + (f" ± {mean.sd:.2f}" if mean.sd is not None else "")


def alpha_text(found: RaterAgreement) -> str:
    """Alpha to two digits, a dash where it is undefined."""
    return DASH if found.alpha is None else f"{found.alpha:.2f}"


def run_table(run: RunRatings, raters: tuple[str, ...]) -> Table[object]:
    """What a run was given in each item, and by whom."""
    by = (
        Column(f"Mean of {one}", heading=(f"by {shortened(one, _NAME_WIDTH)}",), decimals=2) for one in raters
    )
    return Table(
        columns=(
            Column("Item", kind="words"),
            Column("Mean ± SD", heading=("mean ± SD",)),
            Column("Range", heading=("range",)),
            Column("n"),
            Column("Raters", heading=("raters",)),
            *by,
        ),
        rows=tuple(
            (
                item.label,
                mean_text(mean),
                DASH if mean.low is None else f"{mean.low}-{mean.high}",
                mean.n,
                mean.raters,
                *(mean.by_rater.get(one) for one in raters),
            )
            for item in rating_items()
            for mean in [run.items[item.id]]
        ),
        title=f"Ratings of {run.run}",
    )


def agreement_table(summary: RatingSummary) -> Table[object]:
    """How far the raters agree, item by item."""
    rows = []
    for item, label in _labels():
        found = summary.agreement[item]
        rows.append((label, Cell(found.alpha, found.reason), found.outputs, found.raters))
    heads = (
        Column("Outputs rated by two or more", heading=("outputs",)),
        Column("Raters", heading=("raters",)),
    )
    first = Column("Agreement between raters", kind="words")
    alpha = Column("Alpha", heading=("alpha",), decimals=2)
    return Table((first, alpha, *heads), tuple(rows), "Agreement between raters", (_ALPHA,))


def ratings_table(summary: RatingSummary) -> str:
    """A table for each run, then agreement by item; reasons of what is undefined stand below."""
    if not summary.runs:
        return NOTHING + "\n"
    lines = [rating_head(summary), "Every item runs from 1 to 5, and 5 is always the better end."]
    for run in summary.runs:
        title = f"{run.run}: {run.ratings} rated" + (f", {run.partial} in part" if run.partial else "")
        table = text_lines(run_table(run, tuple(sorted(_raters(run)))), rule=False)
        lines += ["", title, *run.caveats, *table]
    notes: list[str] = []
    agreement = text_lines(agreement_table(summary), notes, rule=False)
    return "\n".join([*lines, "", *agreement, *wrapped(_ALPHA, width=_WIDTH), *numbered(notes)]) + "\n"


def _raters(run: RunRatings) -> set[str]:
    return {rater for mean in run.items.values() for rater in mean.by_rater}


def _labels() -> list[tuple[str, str]]:
    return [*((item.id, item.label) for item in rating_items()), (ALL_ITEMS, "All items together")]


def ratings_html(summary: RatingSummary) -> str:
    """One page that needs nothing else; everything that people have written is escaped."""
    return render(
        "ratings.html.j2",
        palette=(),
        runs=[(run, run_table(run, summary.raters)) for run in summary.runs],
        head=rating_head(summary) if summary.runs else NOTHING,
        items=rating_items(),
        agreement=agreement_table(summary),
    )
