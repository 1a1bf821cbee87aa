"""Rows of many spans and numbers over them, read without any text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.annotations import Origin
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
    report: str | None = None,
    category: str | None = None,
    documents: Sequence[str] | None = None,
    uuids: Sequence[str] | None = None,
) -> list[SpanRow]:
    """An annotator's (UUID) quotes, of one report (key), category, some documents or UUIDs, or all: by place.

    Raises what `Project.query` raises.
    """
    rows = project.tuples(
        "SELECT a.uuid, a.document, d.key, r.name, a.category, a.field, a.quote, a.span_start, a.span_end, "
        "s.heading, json_extract(s.path, '$[0]'), a.polarity, a.origin, a.note FROM annotation a "
        "JOIN document d ON d.uuid = a.document JOIN annotator r ON r.uuid = a.annotator "
        "LEFT JOIN section s ON s.document = a.document AND s.position = (SELECT max(position) FROM section "
        "WHERE document = a.document AND span_start <= a.span_start) "
        "WHERE a.annotator = ? AND (? IS NULL OR d.key = ?) AND (? IS NULL OR a.category = ?) "
        "AND (? IS NULL OR a.document IN (SELECT value FROM json_each(?))) "
        "AND (? IS NULL OR a.uuid IN (SELECT value FROM json_each(?))) "
        "ORDER BY d.position, a.span_start IS NULL, a.span_start, a.span_end, a.category, a.rank",
        [
            *(annotator, report, report, category, category),
            *(None if documents is None else json.dumps(list(documents)),) * 2,
            *(None if uuids is None else json.dumps(list(uuids)),) * 2,
        ],
    )
    return [SpanRow(*(*row[:9], row[9] or "", row[10] or "", *row[11:])) for row in rows]


def categories_at(
    project: Project, annotator: str, documents: Sequence[str]
) -> dict[str, list[tuple[int, int, str]]]:
    """Where an annotator (UUID) has spans of which categories, by document (UUID)."""
    rows = project.tuples(
        "SELECT document, span_start, span_end, category FROM annotation WHERE annotator = ? "
        "AND document IN (SELECT value FROM json_each(?)) AND span_start IS NOT NULL",
        [annotator, json.dumps(list(documents))],
    )
    found: dict[str, list[tuple[int, int, str]]] = {}
    for document, start, end, category in rows:
        found.setdefault(document, []).append((start, end, category))
    return found


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


def seconds_at_work(project: Project, annotator: str) -> dict[str, float]:
    """How long an annotator (UUID) was at work on spans, by category; "" is work on no span.

    The time between two acts counts for the later one; no more than five minutes of it are work. The
    beginning of a piece of work, before its first act, is in none.
    """
    rows = project.tuples(
        "SELECT at, CASE table_name WHEN 'annotation' THEN json_extract(record, '$.category') ELSE '' END "
        "FROM (SELECT seq, at, table_name, coalesce(after, before) AS record FROM history WHERE undoable "
        "AND kind = 'do' AND step = 0 AND table_name IN ('annotation', 'review', 'verdict') "
        "AND json_valid(coalesce(after, before))) WHERE "
        "coalesce(json_extract(record, '$.annotator'), json_extract(record, '$.reviewer')) = ? ORDER BY seq",
        [annotator],
    )
    found: dict[str, float] = {}
    before: datetime | None = None
    for at, category in rows:
        now = datetime.fromisoformat(at)
        passed = (now - before).total_seconds() if before is not None else _PAUSE_SECONDS + 1
        if 0 <= passed <= _PAUSE_SECONDS:
            found[category] = found.get(category, 0.0) + passed
        before = now
    return found


def _count(size: bytes) -> int:
    """The first of SQLite's variable-length numbers: words of the first column of an index."""
    number = 0
    for byte in size:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number
