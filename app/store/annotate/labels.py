"""Which words an annotator labelled how, without reading a text."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.project import Project

# More wordings than this are compared here, since SQLite would search each row for each of them.
_MOST_PATTERNS = 20
_LONGEST_PATTERN = 200
_CAPITAL_SHARP_S = re.compile("ss", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Label:
    """One category on one place: the report's key, code points of its text."""

    category: str
    report: str
    start: int
    end: int


def same_words(surface: str) -> str:
    """What two wordings share that differ in case and in the kind and width of blanks only."""
    return " ".join(surface.split()).casefold()


def labels_on(project: Project, annotator: str, surfaces: Collection[str]) -> dict[str, list[Label]]:
    """The annotator's (UUID) labels on those words, by `same_words`, in import order and place.

    Raises what `Project.query` raises.
    """
    wanted = {same_words(surface) for surface in surfaces}
    patterns = sorted({_pattern(surface) for surface in surfaces})
    alike = "1"
    if len(patterns) <= _MOST_PATTERNS:
        alike = " OR ".join(["a.surface LIKE ? ESCAPE '\\'"] * len(patterns)) or "0"
    else:
        patterns = []
    rows = project.query(
        "SELECT a.category, a.surface, a.span_start, a.span_end, d.key FROM annotation a "
        "JOIN document d ON d.uuid = a.document WHERE a.annotator = ? AND a.layer = 'category' "
        "AND a.surface IS NOT NULL "
        f"AND ({alike}) ORDER BY d.position, a.span_start, a.span_end",
        [annotator, *patterns],
    )
    found: dict[str, list[Label]] = {}
    for row in rows:
        words = same_words(row["surface"])
        if words in wanted:
            label = Label(row["category"], row["key"], row["span_start"], row["span_end"])
            found.setdefault(words, []).append(label)
    return found


def uuids_there(project: Project, document: str, annotator: str, uuids: Sequence[str]) -> list[str]:
    """Those of the annotations (UUIDs) that the annotator has in the document (UUIDs), in the order given.

    Raises what `Project.query` raises.
    """
    marks = ", ".join("?" * len(uuids))
    rows = project.query(
        f"SELECT uuid FROM annotation WHERE uuid IN ({marks}) AND document = ? AND annotator = ?",
        [*uuids, document, annotator],
    )
    there = {row["uuid"] for row in rows}
    return [uuid for uuid in uuids if uuid in there]


def _pattern(surface: str) -> str:
    """What LIKE finds at least all the same words by: it knows no case beyond ASCII and no blanks."""
    start = _CAPITAL_SHARP_S.sub("ß", surface.strip())[:_LONGEST_PATTERN]
    signs = ("%" if not char.isascii() or char.isspace() else _escaped(char) for char in start)
    return f"%{''.join(signs)}%"


def _escaped(char: str) -> str:
    return f"\\{char}" if char in "%_\\" else char
