"""Versions of annotations that wait beside the one that holds, until somebody decides."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from app.store.unite.branches import named_by
from app.store.unite.rules import version_of

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project
    from app.store.unite.changes import Cells, Change
    from app.store.values import Cell

_VERSIONS = "SELECT version FROM other_version WHERE annotation = ?"


def is_waiting(act: Act, annotation: Cells, version: Cells) -> bool:
    """Whether that version of an annotation waits already."""
    return version_of(version) in _waiting(act, annotation)


def keep_version(act: Act, annotation: Cells, version: Cells | None) -> None:
    """Keep a version of an annotation, None where it was deleted, beside the one that holds."""
    said = version_of(version)
    kept: dict[str, Cell] = {
        "uuid": named_by("version", str(annotation["uuid"]), said),
        "document": annotation["document"],
        "annotator": annotation["annotator"],
        "annotation": annotation["uuid"],
        "version": said,
    }
    if said not in _waiting(act, annotation):
        act.insert("other_version", kept)


def forget_versions(act: Act, annotation: Cells, versions: Collection[str]) -> bool:
    """Let versions of an annotation that went on to another wait no more; whether there were any."""
    gone = [uuid for version, uuid in _waiting(act, annotation).items() if version in versions]
    act.delete_all("other_version", gone)
    return bool(gone)


def forget_passed(act: Act, other: Project, annotation: Cells, change: Change) -> bool:
    """Let versions wait no more that a copy had, and went on from; whether there were any."""
    there = {version for (version,) in other.tuples(_VERSIONS, [annotation["uuid"]])}
    past = {version_of(one) for one in change.passed} - there - {version_of(change.after)}
    return forget_versions(act, annotation, past)


def _waiting(act: Act, annotation: Cells) -> dict[str, str]:
    rows = act.project.tuples(
        "SELECT version, uuid FROM other_version WHERE annotation = ?", [annotation["uuid"]]
    )
    return dict(rows)
