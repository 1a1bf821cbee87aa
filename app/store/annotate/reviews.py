"""How far each annotator is with each report, and what was looked at and found empty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from app.store.act import Act
from app.store.faults import sound
from app.store.values import canonical, new_uuid, strings

if TYPE_CHECKING:
    from app.store.project import Project

ReviewState: TypeAlias = Literal["untouched", "in progress", "parked", "done"]


@dataclass(frozen=True, slots=True)
class Review:
    """One annotator's (UUID) state with one document (UUID).

    `looked_at` are the categories that were examined; `nothing_found` those of which the annotator states
    that the report says nothing. Both are category ids in scheme order.
    """

    document: str
    annotator: str
    state: ReviewState
    nothing_found: tuple[str, ...]
    looked_at: tuple[str, ...]


def set_review(
    act: Act,
    document: str,
    annotator: str,
    *,
    state: ReviewState | None = None,
    nothing_found: Iterable[str] | None = None,
    looked_at: Iterable[str] | None = None,
) -> Review:
    """Set what is given and leave the rest as it was ("untouched" and empty at first).

    Raises UnknownNameError for a category that the scheme lacks, DamagedProjectError where the record there
    is cannot be read.
    """
    uuid, before = _find(act.project, document, annotator)
    after = Review(
        document=document,
        annotator=annotator,
        state=state or before.state,
        nothing_found=before.nothing_found if nothing_found is None else _ordered(act, nothing_found),
        looked_at=before.looked_at if looked_at is None else _ordered(act, looked_at),
    )
    values = {
        "state": after.state,
        "nothing_found": canonical(after.nothing_found),
        "looked_at": canonical(after.looked_at),
        "changed_at": act.at,
    }
    if uuid is None:
        act.insert("review", {"uuid": new_uuid(), "document": document, "annotator": annotator, **values})
    elif after != before:
        act.update("review", uuid, values)
    return after


def reviews(project: Project, annotator: str | None = None) -> list[Review]:
    """All reviews, or those of one annotator (UUID), by document in import order, then annotator name.

    A pair never touched has none. Raises DamagedProjectError where a record cannot be read.
    """
    rows = project.query(
        "SELECT review.* FROM review JOIN document d ON d.uuid = review.document "
        "JOIN annotator a ON a.uuid = review.annotator "
        "WHERE review.annotator = ifnull(?, review.annotator) ORDER BY d.position, a.name",
        [annotator],
    )
    return [_review(project, row) for row in rows]


def review_of(project: Project, document: str, annotator: str) -> Review:
    """One annotator's review of one document (UUIDs), "untouched" and empty where there is none yet.

    Raises DamagedProjectError where the record cannot be read.
    """
    return _find(project, document, annotator)[1]


def _find(project: Project, document: str, annotator: str) -> tuple[str | None, Review]:
    """The row's UUID and the review; None and an untouched one where there is no row."""
    rows = project.query("SELECT * FROM review WHERE document = ? AND annotator = ?", [document, annotator])
    if not rows:
        return None, Review(document, annotator, "untouched", (), ())
    return rows[0]["uuid"], _review(project, rows[0])


def _ordered(act: Act, categories: Iterable[str]) -> tuple[str, ...]:
    """Category ids without repeats in scheme order; raises UnknownNameError for one that the scheme lacks."""
    wanted, scheme = {*categories}, act.project.scheme
    for unknown in wanted.difference(scheme.ids):
        scheme.category(unknown)
    return tuple(category for category in scheme.ids if category in wanted)


def _review(project: Project, row: Mapping[str, Any]) -> Review:
    with sound(project.path, "a review"):
        return Review(
            document=row["document"],
            annotator=row["annotator"],
            state=row["state"],
            nothing_found=strings(row["nothing_found"]),
            looked_at=strings(row["looked_at"]),
        )
