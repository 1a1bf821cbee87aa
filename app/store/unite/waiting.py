"""Versions of annotations that wait beside the one that holds, until somebody decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.store.unite.branches import named_by
from app.store.unite.rules import version_of

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.unite.changes import Cells
    from app.store.values import Cell


def keep_versions(act: Act, annotation: Cells, versions: Sequence[Cells | None]) -> None:
    """Let these versions of an annotation wait, None where it was deleted, and no others."""
    waiting: dict[str, str] = dict(
        act.project.tuples(
            "SELECT version, uuid FROM other_version WHERE annotation = ?", [annotation["uuid"]]
        )
    )
    wanted = {version_of(one) for one in versions}
    act.delete_all("other_version", [uuid for value, uuid in waiting.items() if value not in wanted])
    new: list[dict[str, Cell]] = [
        {
            "uuid": named_by("version", str(annotation["uuid"]), value),
            "document": annotation["document"],
            "annotator": annotation["annotator"],
            "annotation": annotation["uuid"],
            "version": value,
        }
        for value in sorted(wanted - waiting.keys())
    ]
    act.insert_all("other_version", new)
