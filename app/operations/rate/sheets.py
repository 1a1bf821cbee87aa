"""Ratings as files: sheets to fill in, scores for statistics, the means as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.operations.project.opening import opened
from app.operations.project.output import require_writable_name, write_file
from app.operations.rate.checks import RatingCheck
from app.operations.rate.ratings import (
    list_outputs,
    list_ratings,
    rate_outputs,
    show_quotes,
    summarise_ratings,
)
from app.text import shortened
from extractors.model.errors import CasespanError, ProjectError

if TYPE_CHECKING:
    from app.agreement.ratings.summary import Criterion, OutputRating
    from app.formats.tabular.rating_csv import RatingRow
    from app.store.project import Project
    from app.tables import Table
    from extractors.model.finding import Finding
    from extractors.model.scheme import Scheme

_LONGEST_SCORE, _SHOWN = 9, 40


@dataclass(frozen=True, slots=True)
class RecordedRatings:
    """What a sheet came to: `rated` outputs, `partial` of them with items left out, `empty` rows.

    Where there are `refused` lines, each a sentence, nothing was recorded.
    """

    rated: int
    partial: int
    empty: int
    refused: tuple[str, ...]


def list_items() -> tuple[Criterion, ...]:
    """The items on which outputs are rated, in the order in which they are asked."""
    from app.agreement.ratings.summary import rating_items

    return rating_items()


def write_rating_sheet(
    where: Project | Path, rater: str, out: Path, runs: Sequence[str] = (), *, blind: bool = False
) -> int:
    """Write a sheet with the outputs that the rater has not rated whole, and return how many there are.

    Where `blind`, outputs are called "Output A" and so on. The sheet shows what they say, which is a look as
    `show_quotes` records it. Raises ProjectError where nothing is left to rate, and what `list_outputs` and
    `show_quotes` raise.
    """
    from app.formats.tabular.rating_csv import EmptyOutput, write_sheet

    require_writable_name(out)
    with opened(where, write=True) as project:
        left = [one for one in list_outputs(project, rater, runs, blind=blind) if one.state != "rated"]
        if not left:
            raise ProjectError(f"There is no output that {rater} has not rated; nothing was written.")
        shown = show_quotes(project, rater, left)
        rows = [
            EmptyOutput(one.report, one.title, one.label, output_text(project.scheme, quotes))
            for one, quotes in zip(left, shown, strict=True)
        ]
    asked = {item.id: f"{item.label}: {item.question} {item.scale}" for item in list_items()}
    write_sheet(out, rater, rows, asked, blind=blind)
    return len(rows)


def read_rating_sheet(
    where: Project | Path, path: Path, rater: str = "", *, blind: bool = False
) -> RecordedRatings:
    """Record the ratings of a sheet, or of what `export_ratings` wrote, in one act; all of them or none.

    `rater` and `blind` hold for rows that do not say. Raises FormatError where the file cannot be read.
    """
    from app.formats.tabular.rating_csv import read_sheet

    rows = read_sheet(path, [item.id for item in list_items()])
    with opened(where, write=True) as project:
        check = RatingCheck(project)
        refused: list[str] = []
        found: dict[tuple[str, str, str], OutputRating] = {}
        empty = 0
        for row in rows:
            if not row.scores and not row.note:
                empty += 1
                continue
            try:
                _add(found, check.checked(_rating(row, rater, blind=blind)))
            except CasespanError as error:
                refused.append(f"line {row.line}: {error}")
        if refused or not found:
            return RecordedRatings(0, 0, empty, tuple(refused))
        rated = rate_outputs(project, list(found.values()))
        return RecordedRatings(len(rated), sum(not one.whole for one in rated), empty, ())


def export_ratings(
    where: Project | Path, out: Path, runs: Sequence[str] = (), raters: Sequence[str] = ()
) -> int:
    """Write one row per rating and item as CSV, and return how many ratings there are.

    Raises what `list_ratings` raises, StorageError where `out` is refused.
    """
    from app.formats.tabular.rating_csv import write_ratings

    require_writable_name(out)
    found = list_ratings(where, runs, raters)
    write_ratings(out, found)
    return len(found)


def report_ratings(
    where: Project | Path, out: Path, runs: Sequence[str] = (), raters: Sequence[str] = ()
) -> None:
    """Write the means as a self-contained page; raises as `export_ratings`."""
    from app.agreement.ratings.tables import ratings_html

    require_writable_name(out)
    write_file(out, ratings_html(summarise_ratings(where, runs, raters)))


def tabulate_ratings(where: Project | Path) -> Table[Any]:
    """The means of all ratings as a grid of texts."""
    from app.agreement.ratings.tables import ratings_grid

    return ratings_grid(summarise_ratings(where))


def output_text(scheme: Scheme, quotes: Mapping[str, Sequence[Finding]]) -> str:
    """An output as plain text: a line for each category, and one for each of its quotes."""
    lines = []
    for category, findings in quotes.items():
        known = scheme.category(category)
        lines.append(f"{known.name} ({known.code})")
        lines += [f"- {finding.quote}{field_and_polarity(finding)}" for finding in findings]
    return "\n".join(lines) or "Nothing was found."


def field_and_polarity(finding: Finding) -> str:
    """What stands behind a quote: its field, and its polarity unless it is present."""
    parts = [finding.field] if finding.field else []
    parts += [finding.polarity] if finding.polarity != "present" else []
    return f" ({', '.join(parts)})" if parts else ""


def _rating(row: RatingRow, rater: str, *, blind: bool) -> OutputRating:
    from app.agreement.ratings.summary import OutputRating

    scores = {}
    for item, text in row.scores.items():
        if not text.isascii() or not text.isdigit() or len(text) > _LONGEST_SCORE:
            shown = shortened(text, _SHOWN)
            raise ProjectError(f"{shown!r} is no score for {item!r}; give a whole number from 1 to 5.")
        scores[item] = int(text)
    unmasked = blind if row.blind is None else row.blind
    return OutputRating(row.report, row.run, row.rater or rater, scores, row.note, unmasked, "")


def _add(found: dict[tuple[str, str, str], OutputRating], new: OutputRating) -> None:
    """Put a rating among those found; rows of the same output and rater are parts of one rating."""
    key = (new.report, new.run, new.rater)
    before = found.get(key)
    if before is None:
        found[key] = new
        return
    twice = before.scores.keys() & new.scores.keys()
    if twice:
        raise ProjectError(
            f"{new.rater} has rated this output of {new.report} above, in {sorted(twice)[0]!r}; "
            "leave one of the two."
        )
    if before.note and new.note not in ("", before.note):
        raise ProjectError(
            f"{new.rater} has another note on this output of {new.report} above; put both into one."
        )
    found[key] = replace(before, scores={**before.scores, **new.scores}, note=before.note or new.note)
