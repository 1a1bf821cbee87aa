"""Whose spans an annotator had shown in a report, and how far the annotator was with it at that moment."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from app.store.act import Act
from app.store.values import new_uuid

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
