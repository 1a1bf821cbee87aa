"""What annotations and reports stand for in a terminology: codes with the release they were taken from."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.store.values import matching, new_uuid
from extractors.model.coding import Coding as Coding

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project

_SAID = "terminology, release, code, label, uri, origin, onset"


def add_codings(act: Act, document: str, coded: Sequence[tuple[str | None, Coding]]) -> None:
    """Store what annotations (UUIDs) of a document (UUID) stand for; None stands for the report itself."""
    act.insert_all(
        "concept",
        [
            {
                "uuid": new_uuid(),
                "document": document,
                "annotation": annotation,
                "state": "",
                "said": "",
                **asdict(coding),
            }
            for annotation, coding in coded
        ],
    )


def set_codings(act: Act, document: str, annotation: str, wanted: Sequence[Coding]) -> None:
    """Let an annotation (UUID) of a document (UUID) stand for what is wanted and for nothing else."""
    rows = act.project.tuples(
        f"SELECT uuid, {_SAID} FROM concept WHERE annotation = ? ORDER BY rowid", [annotation]
    )
    there = {Coding(*cells): uuid for uuid, *cells in rows}
    take_codings_out(act, [uuid for coding, uuid in there.items() if coding not in wanted])
    add_codings(act, document, [(annotation, coding) for coding in wanted if coding not in there])


def take_codings_out(
    act: Act,
    gone: Collection[str],
    mixed: Collection[str] = (),
    places: Mapping[str, tuple[str, int]] = MappingProxyType({}),
) -> None:
    """Remove concepts (UUIDs); those of `mixed` annotations (UUIDs) are put in the order of their `places`.

    The first of an annotation counts as its main one, so what stays behind one that goes is added again: an
    undo then brings all of them back as they stood.
    """
    rows = act.project.query(
        "SELECT * FROM concept WHERE annotation IN (SELECT value FROM json_each(?1) UNION "
        "SELECT annotation FROM concept WHERE uuid IN (SELECT value FROM json_each(?2))) ORDER BY rowid",
        [json.dumps(sorted(mixed)), json.dumps(sorted(gone))],
    )
    kept = [row for row in rows if row["uuid"] not in gone]
    kept.sort(
        key=lambda row: (
            (*places.get(row["uuid"], ("", 0)), row["terminology"], row["code"])
            if row["annotation"] in mixed
            else ()
        )
    )
    if kept != rows:
        act.delete_all("concept", [row["uuid"] for row in rows])
        act.insert_all("concept", kept)


def coded_of(project: Project, annotations: Sequence[str]) -> set[str]:
    """Those of annotations (UUIDs) that stand for something."""
    rows = project.tuples(
        "SELECT annotation FROM concept WHERE annotation IN (SELECT value FROM json_each(?))",
        [json.dumps(list(annotations))],
    )
    return {uuid for (uuid,) in rows}


def span_codings(
    project: Project, document: str | None = None, annotation: str | None = None
) -> dict[str, tuple[Coding, ...]]:
    """What annotations (UUIDs) stand for, all of them or those of a document, or the one.

    Raises what `Project.query` raises.
    """
    where, given = matching(document=document, annotation=annotation)
    found: dict[str, tuple[Coding, ...]] = {}
    query = f"SELECT annotation, {_SAID} FROM concept WHERE annotation IS NOT NULL AND {where} ORDER BY rowid"
    for one, *cells in project.tuples(query, given):
        found[one] = (*found.get(one, ()), Coding(*cells))
    return found


def coded_terminologies(project: Project) -> list[str]:
    """The terminologies of which annotations have concepts, by name."""
    rows = project.tuples(
        "SELECT DISTINCT terminology FROM concept WHERE annotation IS NOT NULL ORDER BY terminology", []
    )
    return [name for (name,) in rows]


def holders_of(project: Project, annotations: Sequence[str]) -> set[str]:
    """Whose annotations (UUIDs) these are, as UUIDs; those that are gone are nobody's."""
    rows = project.tuples(
        "SELECT DISTINCT annotator FROM annotation WHERE uuid IN (SELECT value FROM json_each(?))",
        [json.dumps(list(annotations))],
    )
    return {annotator for (annotator,) in rows}
