"""Ratings as tables, read and written: a row per score for statistics, a row per output to be filled in."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.agreement.ratings.summary import OutputRating, rating_items
from app.formats.writing import write_atomically
from app.tables import Table, csv_text, divider, without_guard
from app.text import text_of_file
from extractors.model.errors import FormatError

_LONG = ("report", "run", "rater", "item", "item_name", "score", "note", "blind", "whole", "rated_at")
_YES = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True, slots=True)
class RatingRow:
    """One row of a sheet: an output of a report (key), called `run`, and the scores given by item id.

    `line` counts the file's lines from 1. Scores are as they stand there, without those left empty; `blind`
    is None where the sheet does not say.
    """

    line: int
    report: str
    run: str
    rater: str
    scores: Mapping[str, str]
    note: str
    blind: bool | None


@dataclass(frozen=True, slots=True)
class EmptyOutput:
    """An output to be rated: what it is called, and its quotes as a text."""

    report: str
    title: str
    run: str
    quotes: str


def write_ratings(path: Path, ratings: Sequence[OutputRating]) -> None:
    """Write one row per rating and item, or without an item for a note alone; whether a rating was blind or
    is whole is "yes" or "no". Raises StorageError where the disk refuses."""
    names = {item.id: item.label for item in rating_items()}
    rows: list[tuple[str | int | None, ...]] = []
    for one in ratings:
        given: list[tuple[str, str, int | None]] = [
            (item, label, one.scores[item]) for item, label in names.items() if item in one.scores
        ]
        end = (one.note, yes_no(one.blind), yes_no(one.whole), one.rated_at)
        rows += [(one.report, one.run, one.rater, *score, *end) for score in given or [("", "", None)]]
    _write(path, _LONG, rows)


def write_sheet(
    path: Path, rater: str, outputs: Sequence[EmptyOutput], items: Mapping[str, str], *, blind: bool
) -> None:
    """Write one row per output with an empty cell for each item (id: what is asked, in the second row).

    Raises StorageError where the disk refuses.
    """
    asked = ["", "", "", "", "", "", *items.values(), ""]
    rows = [
        [one.report, one.title, one.run, rater, yes_no(blind), one.quotes, *("" for _ in items), ""]
        for one in outputs
    ]
    _write(path, ("report", "title", "run", "rater", "blind", "quotes", *items, "note"), [asked, *rows])


def read_sheet(path: Path, items: Sequence[str]) -> list[RatingRow]:
    """Read what either of the two wrote; rows without a report, such as that of the questions, are left out.

    Commas or semicolons divide cells. Raises FormatError where the file cannot be read or lacks a column.
    """
    text = text_of_file(path)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=divider(text), strict=True)
    try:
        columns = [name.strip() for name in reader.fieldnames or ()]
        _require_columns(path, columns, items)
        reader.fieldnames = columns
        return list(_rows(reader, items))
    except csv.Error as error:
        raise FormatError(f"{path} is no CSV ({error}); save the sheet as CSV again.") from None


def _require_columns(path: Path, columns: Sequence[str], items: Sequence[str]) -> None:
    twice = next((name for name in columns if name and columns.count(name) > 1), None)
    if twice is not None:
        raise FormatError(f"{path} has the column {twice!r} twice; leave one of the two.")
    missing = [name for name in ("report", "run") if name not in columns]
    if missing:
        raise FormatError(f"{path} has no column {missing[0]!r}; begin with the sheet of --template.")
    if not ({"item", "score"} <= set(columns) or set(items) & set(columns)):
        raise FormatError(f"{path} has no column of scores; begin with the sheet of --template.")


def _rows(reader: csv.DictReader[str], items: Sequence[str]) -> Iterator[RatingRow]:
    for row in reader:
        if None in row:
            raise FormatError(f"Line {reader.line_num} has more cells than there are columns.")
        cells = {name: without_guard((value or "").strip()) for name, value in row.items() if name}
        if not cells["report"]:
            continue
        if "score" in cells and "item" in cells:
            scores = {cells["item"]: cells["score"]}
        else:
            scores = {item: cells.get(item, "") for item in items}
        yield RatingRow(
            line=reader.line_num,
            report=cells["report"],
            run=cells["run"],
            rater=cells.get("rater", ""),
            scores={item: score for item, score in scores.items() if score},
            note=cells.get("note", ""),
            blind=_YES.get(cells.get("blind", "").lower()),
        )


def yes_no(value: bool) -> str:
    """The word for it in a cell."""
    return "yes" if value else "no"


def _write(path: Path, header: tuple[str, ...], rows: Sequence[Sequence[str | int | None]]) -> None:
    write_atomically(path, csv_text(Table(header, tuple(map(tuple, rows))), mark=True))
