"""Rows of many spans, numbers over them, and labels on the same words, read without any text."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from extractors.grouping import grouped

if TYPE_CHECKING:
    from app.store.annotate.annotations import Origin
    from app.store.project import Project
    from extractors.model.finding import Polarity

# A longer pause between two acts is no work.
_PAUSE_SECONDS = 300


@dataclass(frozen=True, slots=True)
class SpanRow:
    """A quote as a list shows it: `report` by its key, its `section`'s heading and the `outer`most one above
    it, "" without a place, as start and end are None then."""

    uuid: str
    document: str
    report: str
    annotator: str
    category: str
    field: str
    quote: str
    start: int | None
    end: int | None
    section: str
    outer: str
    polarity: Polarity
    origin: Origin
    note: str

    @property
    def words(self) -> int:
        """How many words the quote has."""
        return len(self.quote.split())


def span_rows(
    project: Project,
    annotator: str,
    *,
    documents: Sequence[str] | None = None,
    category: str | None = None,
    uuids: Sequence[str] | None = None,
) -> list[SpanRow]:
    """An annotator's (UUID) quotes, of some documents (UUIDs), a category, some UUIDs, or all: by place.

    Raises what `Project.query` raises.
    """
    # Conditions that are not there would hide from SQLite which index serves.
    lists = {"a.document": documents, "a.uuid": uuids}
    given = {column: json.dumps(list(these)) for column, these in lists.items() if these is not None}
    where = "".join(f" AND {column} IN (SELECT value FROM json_each(?))" for column in given)
    rows = project.tuples(
        "SELECT a.uuid, a.document, d.key, r.name, a.category, a.field, a.quote, a.span_start, a.span_end, "
        "a.polarity, a.origin, a.note FROM annotation a JOIN document d ON d.uuid = a.document "
        "JOIN annotator r ON r.uuid = a.annotator "
        f"WHERE a.annotator = ? AND a.layer = 'category'{' AND a.category = ?' if category else ''}{where} "
        "ORDER BY d.position, a.span_start IS NULL, a.span_start, a.span_end, a.category, a.rank",
        [annotator, *([category] if category else []), *given.values()],
    )
    starts, heads = _sections(project, {row[1] for row in rows})
    found: list[SpanRow] = []
    for row in rows:
        document, start = row[1], row[7]
        at = bisect_right(starts.get(document, ()), start) - 1 if start is not None else -1
        found.append(SpanRow(*(*row[:9], *(heads[document][at] if at >= 0 else ("", "")), *row[9:])))
    return found


def documents_with_spans(project: Project, annotator: str) -> list[str]:
    """The documents (UUIDs) in which an annotator (UUID) has quotes, in import order."""
    rows = project.tuples(
        "SELECT uuid FROM document WHERE uuid IN (SELECT document FROM annotation WHERE annotator = ? "
        "AND layer = 'category') "
        "ORDER BY position",
        [annotator],
    )
    return [uuid for (uuid,) in rows]


def _sections(
    project: Project, documents: set[str]
) -> tuple[dict[str, list[int]], dict[str, list[tuple[str, str]]]]:
    """Where the sections of documents (UUIDs) begin, and their own and outermost headings."""
    rows = project.tuples(
        "SELECT document, span_start, heading, json_extract(path, '$[0]') FROM section "
        "WHERE document IN (SELECT value FROM json_each(?)) ORDER BY document, position",
        [json.dumps(sorted(documents))],
    )
    starts: dict[str, list[int]] = defaultdict(list)
    heads: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for document, start, heading, outer in rows:
        starts[document].append(start)
        heads[document].append((heading, outer or ""))
    return starts, heads


def categories_at(
    project: Project, annotator: str, stretches: Sequence[tuple[str, int, int]]
) -> dict[str, list[tuple[int, int, str]]]:
    """Where an annotator (UUID) has spans of which categories in stretches (start, end) of documents (UUIDs)
    that are named once each, by document."""
    rows = project.tuples(
        "SELECT document, span_start, span_end, category FROM (SELECT json_extract(value, '$[0]') AS wanted, "
        "json_extract(value, '$[1]') AS low, json_extract(value, '$[2]') AS high FROM json_each(?)) "
        "CROSS JOIN annotation ON document = wanted WHERE annotator = ? AND layer = 'category' "
        "AND span_start < high AND span_end > low",
        [json.dumps(stretches), annotator],
    )
    return grouped((document, (start, end, category)) for document, start, end, category in rows)


def words_of_reports(project: Project) -> dict[str, int]:
    """How many words each report (UUID) has, as the index has counted them."""
    rows = project.tuples(
        "SELECT d.uuid, i.sz FROM document d JOIN text t ON t.sha256 = d.text_sha256 "
        "JOIN text_search_docsize i ON i.id = t.rowid"
    )
    return {uuid: _count(size) for uuid, size in rows}


def headings(project: Project) -> list[tuple[str, str, int]]:
    """Each section's report (UUID), outermost heading, and length in code points, as they follow."""
    rows = project.tuples(
        "SELECT document, json_extract(path, '$[0]'), span_end - span_start FROM section "
        "ORDER BY document, position"
    )
    return [(document, heading or "", length) for document, heading, length in rows]


def seconds_at_work(project: Project) -> dict[str, dict[str, float]]:
    """How long each annotator (UUID) was at work on spans, by category; "" is work on no span.

    The time between two acts counts for the later one, where it is no more than five minutes. The beginning
    of a piece of work, before its first act, is in none. What was done in copies that were brought back is
    work as well.
    """
    acts = "seq, at, undoable, kind, step, table_name, before, after"
    rows = project.tuples(
        "SELECT at, coalesce(json_extract(record, '$.annotator'), json_extract(record, '$.reviewer')), "
        "CASE table_name WHEN 'annotation' THEN json_extract(record, '$.category') ELSE '' END "
        "FROM (SELECT branch, seq, at, table_name, coalesce(after, before) AS record FROM "
        f"(SELECT '' AS branch, {acts} FROM history UNION ALL SELECT branch, {acts} FROM branch_row "
        "WHERE branch IN (SELECT uuid FROM branch)) WHERE undoable "
        "AND kind = 'do' AND step = 0 AND table_name IN ('annotation', 'review', 'verdict') "
        "AND json_valid(coalesce(after, before))) ORDER BY branch, seq"
    )
    found: dict[str, dict[str, float]] = {}
    before: dict[str, datetime] = {}
    for at, annotator, category in rows:
        now = datetime.fromisoformat(at)
        passed = (now - before[annotator]).total_seconds() if annotator in before else -1.0
        if 0 <= passed <= _PAUSE_SECONDS:
            own = found.setdefault(annotator, {})
            own[category] = own.get(category, 0.0) + passed
        before[annotator] = now
    return found


def _count(size: bytes) -> int:
    """The first of SQLite's variable-length numbers: words of the first column of an index."""
    number = 0
    for byte in size:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number


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
