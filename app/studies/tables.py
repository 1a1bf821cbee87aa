"""Tables of runs and measures, as most papers have them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.tables import Cell, Column, Table

if TYPE_CHECKING:
    from app.studies.results import RunScores, Score, Scores

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
    both ends of each interval in columns of their own.
    """

    def make(scores: Scores) -> Table[Any] | None:
        known = {measure.id: measure for measure in scores.measures}
        columns = [
            *([Column(label.capitalize(), key=label, kind="words")] if label else []),
            Column("Run", key="run", kind="words"),
            Column("n", key="n"),
            *(
                Column(known[one].label, key=one, decimals=known[one].decimals, heading=(known[one].label,))
                for one in measures
            ),
            *(
                Column(f"{one}_{end}", key=f"{one}_{end}", places=())
                for one in (measures if ends else ())
                for end in ("low", "high")
            ),
        ]
        groups: Mapping[str, Mapping[str, RunScores]] = (
            scores.by.get(label, {}) if label else {"": scores.runs}
        )
        rows: list[tuple[object, ...]] = [
            (
                *((value,) if label else ()),
                name,
                own.n,
                *(cell(own.scores.get(one)) for one in measures),
                *(end for one in (measures if ends else ()) for end in _ends(own.scores.get(one))),
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
    """A score with its interval below it, or with why there is none."""
    if score is None:
        return Cell(None)
    low_high = score.interval
    return Cell(score.value, score.reason, f"{low_high[0]:.3f} to {low_high[1]:.3f}" if low_high else "")


def _ends(score: Score | None) -> tuple[float | None, float | None]:
    return (score and score.interval) or (None, None)
