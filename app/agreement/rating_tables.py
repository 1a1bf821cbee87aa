"""A summary of ratings as JSON, as a table for a terminal and as a page."""

from __future__ import annotations

import textwrap
from dataclasses import asdict, dataclass
from typing import Any

from app.agreement.page import render
from app.agreement.rating_items import rating_items
from app.agreement.rating_summary import ALL_ITEMS, ItemMean, RaterAgreement, RatingSummary
from app.agreement.reasons import footnote

NOTHING = "Nobody has rated an output yet."
_WIDTH = 100
_DASH = "–"


@dataclass(frozen=True, slots=True)
class RatingGrid:
    """The means as texts: a row for each item, a column for each run and one for alpha.

    A cell is its text and what more there is to know of it; there are no rows where nobody has rated.
    `notes` say why an alpha is undefined, which refers to them by number.
    """

    head: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    notes: tuple[str, ...] = ()


def ratings_grid(summary: RatingSummary) -> RatingGrid:
    """The summary as a grid of texts."""
    if not summary.runs:
        return RatingGrid(NOTHING, (), ())
    rows = []
    notes: list[str] = []
    for item, label in _labels():
        found = summary.agreement[item]
        alpha = _marked(alpha_text(found), found.reason, notes)
        means = [run.items.get(item) for run in summary.runs]
        cells = [(f"{mean_text(mean)} ({mean.n})", _each(mean)) if mean else ("", "") for mean in means]
        rows.append((label, (*cells, (alpha, found.reason))))
    columns = (*(run.run for run in summary.runs), "Alpha")
    return RatingGrid(rating_head(summary), columns, tuple(rows), _numbered(notes))


def _marked(text: str, reason: str, notes: list[str]) -> str:
    """A value and the number of its reason among the notes, if it has one."""
    number = footnote(reason, notes)
    return f"{text}[{number}]" if number else text


def _numbered(notes: list[str]) -> tuple[str, ...]:
    return tuple(f"[{place}] {note}" for place, note in enumerate(notes, 1))


def _each(mean: ItemMean) -> str:
    """The range and the mean of each rater, a line each."""
    lines = [f"{rater}: {value:.2f}" for rater, value in mean.by_rater.items()]
    return "\n".join([f"From {mean.low} to {mean.high}", *lines]) if mean.n else ""


def ratings_json(summary: RatingSummary) -> dict[str, Any]:
    """Plain values for `json.dump`; means by run and item, alpha by item, None where undefined."""
    return {
        "scale": {"lowest": 1, "highest": 5, "better": 5},
        "items": [asdict(item) for item in rating_items()],
        "raters": list(summary.raters),
        "ratings": summary.ratings,
        "runs": [
            {**asdict(run), "items": {name: asdict(mean) for name, mean in run.items.items()}}
            for run in summary.runs
        ],
        "agreement": {name: asdict(found) for name, found in summary.agreement.items()},
    }


def rating_head(summary: RatingSummary) -> str:
    """What the table rests on, in one sentence."""
    ratings, people, partial = summary.ratings, len(summary.raters), sum(r.partial for r in summary.runs)
    said = f"{ratings} rating{'s' * (ratings != 1)} by {people} rater{'s' * (people != 1)}"
    said += f", {sum(r.blind for r in summary.runs)} of them blind"
    return said + (f", {partial} with items left out." if partial else ".")


def mean_text(mean: ItemMean) -> str:
    """Mean and, of two or more, standard deviation; a dash without scores."""
    if mean.mean is None:
        return _DASH
    return f"{mean.mean:.2f}" + (f" ± {mean.sd:.2f}" if mean.sd is not None else "")


def alpha_text(found: RaterAgreement) -> str:
    """Alpha to two digits, a dash where it is undefined."""
    return _DASH if found.alpha is None else f"{found.alpha:.2f}"


def ratings_table(summary: RatingSummary) -> str:
    """Agreement by item, then a table for each run; reasons of what is undefined stand below."""
    if not summary.runs:
        return NOTHING + "\n"
    items = rating_items()
    width = max(len(item.label) for item in items)
    lines = [rating_head(summary), "Every item runs from 1 to 5, and 5 is always the better end."]
    for run in summary.runs:
        title = f"{run.run}: {run.ratings} rated" + (f", {run.partial} in part" if run.partial else "")
        lines += ["", title, *run.remarks]
        lines.append(f"{'Item'.ljust(width)}  {'mean ± SD':>11}  range    n  raters  mean of each rater")
        for item in items:
            mean = run.items[item.id]
            low_high = _DASH if mean.low is None else f"{mean.low}-{mean.high}"
            each = ", ".join(f"{rater} {value:.2f}" for rater, value in mean.by_rater.items())
            cells = f"{mean_text(mean):>11}  {low_high:>5}  {mean.n:3}  {mean.raters:6}  {each}"
            lines.append(f"{item.label.ljust(width)}  {cells}".rstrip())
    lines += ["", *_agreement_lines(summary, width)]
    return "\n".join(lines) + "\n"


def _agreement_lines(summary: RatingSummary, width: int) -> list[str]:
    notes: list[str] = []
    lines = [f"{'Agreement between raters'.ljust(width)}  alpha    outputs  raters"]
    for item, label in _labels():
        found = summary.agreement[item]
        alpha = _marked(alpha_text(found), found.reason, notes).rjust(5)
        lines.append(f"{label.ljust(width)}  {alpha:7}  {found.outputs:7}  {found.raters:6}")
    about = "Alpha is Krippendorff's for ordinal data: 1 is full agreement, 0 what chance would give."
    return [*lines, *textwrap.wrap(about, _WIDTH), *_numbered(notes)]


def _labels() -> list[tuple[str, str]]:
    return [*((item.id, item.label) for item in rating_items()), (ALL_ITEMS, "All items together")]


def ratings_html(summary: RatingSummary) -> str:
    """One page that needs nothing else; everything that people have written is escaped."""
    notes: list[str] = []
    agreement = [
        (label, found := summary.agreement[item], alpha_text(found), footnote(found.reason, notes))
        for item, label in _labels()
    ]
    return render(
        "ratings.html.j2",
        palette=(),
        summary=summary,
        head=rating_head(summary) if summary.runs else NOTHING,
        items=rating_items(),
        mean_text=mean_text,
        agreement=agreement,
        notes=notes,
    )
