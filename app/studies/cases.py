"""Cases of a study for its page: what was asked, and what each run said beside what is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.tables import Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.studies.results import Item, Scores
    from app.studies.study import Beside, Study

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
