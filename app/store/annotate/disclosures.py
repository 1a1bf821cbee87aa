"""Whose spans an annotator had shown in a report, how far it was, and when the own spans changed last."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from app.store.act import Act
from app.store.values import canonical, new_uuid

if TYPE_CHECKING:
    from app.store.annotate.reviews import ReviewState
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class Disclosure:
    """One look: `annotator` (name) had the spans of `shown` (UUID) turned on in a document (UUID).

    `state` is the annotator's review of the document `at` that moment (UTC). Report and set may have been
    undone since; the record stays.
    """

    uuid: str
    document: str
    annotator: str
    shown: str
    state: ReviewState
    at: str


def add_disclosure(act: Act, document: str, annotator: str, shown: str, state: ReviewState) -> None:
    """Record that an annotator (name) looks at a set (annotator's UUID) in a document (UUID).

    Raises sqlite3.IntegrityError (at once) where the same look in the same state is on record.
    """
    act.insert("disclosure", asdict(Disclosure(new_uuid(), document, annotator, shown, state, act.at)))


def disclosures(project: Project, document: str | None = None) -> list[Disclosure]:
    """All looks, or those at one document (UUID), the earliest first; raises what `Project.query` raises."""
    rows = project.query(
        "SELECT * FROM disclosure WHERE document = ifnull(?, document) ORDER BY rowid", [document]
    )
    return [Disclosure(**row) for row in rows]


def first_looks(
    project: Project, annotator: str, shown: Collection[str] | None = None
) -> Mapping[str, tuple[int, bool]]:
    """By document (UUID), where an annotator (name) looked at any set, or at those of `shown` (UUIDs).

    The place in the history of the first such look, and whether all of them came when the report was "done".
    Raises what `Project.query` raises.
    """
    only = "" if shown is None else "AND d.shown IN (SELECT value FROM json_each(?))"
    rows = project.query(
        "SELECT d.document, min(h.seq) AS seq, min(d.state = 'done') AS done "
        "FROM history h JOIN disclosure d ON d.uuid = h.row "
        f"WHERE h.table_name = 'disclosure' AND d.annotator = ? {only} GROUP BY d.document",
        [annotator, *([] if shown is None else [canonical(sorted(shown))])],
    )
    return {row["document"]: (row["seq"], bool(row["done"])) for row in rows}


def last_changes(project: Project, annotators: Collection[str]) -> Mapping[str, int]:
    """By document (UUID), the place in the history of the last change to what annotators (UUIDs) say of it.

    That is to their spans, or to what they state not to be found, whether undone since or not. Raises what
    `Project.query` raises.
    """
    rows = project.query(
        "SELECT document, max(seq) AS seq FROM ("
        "SELECT seq, table_name, json_extract(record, '$.document') AS document, "
        "json_extract(record, '$.annotator') AS annotator, "
        "ifnull(json_extract(before, '$.nothing_found'), '[]') AS silent_before, "
        "ifnull(json_extract(after, '$.nothing_found'), '[]') AS silent_after "
        "FROM (SELECT seq, table_name, before, after, coalesce(after, before) AS record FROM history "
        "WHERE table_name IN ('annotation', 'review') AND json_valid(coalesce(after, before)) "
        "AND (before IS NULL OR json_valid(before)))) "
        "WHERE annotator IN (SELECT value FROM json_each(?)) "
        "AND (table_name = 'annotation' OR silent_before <> silent_after) GROUP BY document",
        [canonical(sorted(annotators))],
    )
    return {row["document"]: row["seq"] for row in rows}
