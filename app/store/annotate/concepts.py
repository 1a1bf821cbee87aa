"""What annotations and reports stand for in a terminology: codes with the release they were taken from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from app.store.values import Origin, new_uuid

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class Coding:
    """A code of a terminology ("HPO") in a release, and its label there."""

    terminology: str
    release: str
    code: str
    label: str
    uri: str
    origin: Origin


def add_codings(act: Act, document: str, coded: Sequence[tuple[str | None, Coding]]) -> None:
    """Store what annotations (UUIDs) of a document (UUID) stand for; None stands for the report itself."""
    act.insert_all(
        "concept",
        [
            {"uuid": new_uuid(), "document": document, "annotation": annotation, **asdict(coding)}
            for annotation, coding in coded
        ],
    )


def codings(project: Project, document: str) -> dict[str | None, tuple[Coding, ...]]:
    """What the annotations (UUIDs) of a document (UUID) stand for; under None what the report does.

    Raises what `Project.query` raises.
    """
    found: dict[str | None, tuple[Coding, ...]] = {}
    rows = project.tuples(
        "SELECT annotation, terminology, release, code, label, uri, origin FROM concept WHERE document = ? "
        "ORDER BY rowid",
        [document],
    )
    for annotation, *said in rows:
        found[annotation] = (*found.get(annotation, ()), Coding(*said))
    return found


def remove_codings(act: Act, annotations: Sequence[str]) -> None:
    """Remove what annotations (UUIDs) stand for, before they are removed themselves."""
    rows = act.project.query(
        "SELECT uuid FROM concept WHERE annotation IN (SELECT value FROM json_each(?)) ORDER BY rowid",
        [json.dumps(list(annotations))],
    )
    act.delete_all("concept", [row["uuid"] for row in rows])
