"""Errors planted into a copy of a run, to see whether reviewers find them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from app.store.act import Act
from app.store.values import new_uuid

if TYPE_CHECKING:
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class Planted:
    """One wrong span (`annotation`) of a planted set (`annotator`) in a document; all are UUIDs.

    `kind` says what is wrong with it: spurious, label, boundary or polarity.
    """

    uuid: str
    document: str
    annotator: str
    annotation: str
    kind: str
    planted_at: str


def add_planted(act: Act, annotator: str, errors: Sequence[tuple[str, str, str]]) -> list[Planted]:
    """Record planted errors of a set (UUID): (document, annotation, kind) each."""
    added = [Planted(new_uuid(), document, annotator, span, kind, act.at) for document, span, kind in errors]
    act.insert_all("planted", [asdict(one) for one in added])
    return added


def planted(project: Project, annotator: str | None = None) -> list[Planted]:
    """All planted errors, or those of one set (UUID), in the order in which they were planted."""
    rows = project.query(
        "SELECT * FROM planted WHERE annotator = ifnull(?, annotator) ORDER BY rowid", [annotator]
    )
    return [Planted(**row) for row in rows]
