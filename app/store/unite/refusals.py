"""What cannot be brought together: another scheme, and reports whose texts are not the same."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.unite.changes import Copy

_NUMBERS = ("pmcid", "pmid", "doi")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A report of a copy (key and the UUID it has there) that cannot come, and why."""

    report: str
    document: str
    reason: str


def scheme_fault(project: Project, other: Project) -> str:
    """Why annotations by another project's scheme would mean something else here, "" where they would not."""
    ours, theirs = ([(one.id, one.fields) for one in each.scheme.categories] for each in (project, other))
    if ours == theirs:
        return ""
    return (
        f"{other.path} follows another scheme ({other.scheme.name}) than {project.path} "
        f"({project.scheme.name}); export its annotations and import them by a table of labels."
    )


def refusals(project: Project, other: Project, copy: Copy) -> list[Refusal]:
    """The reports that a copy changed or brings and that have another text here; by key."""
    changed = [uuid for uuid, change in copy.changes["document"].items() if change.after is not None]
    rows = other.query(
        "SELECT * FROM document WHERE uuid IN (SELECT value FROM json_each(?)) ORDER BY key",
        [json.dumps(changed)],
    )
    found = []
    for row in rows:
        here = project.query("SELECT * FROM document WHERE uuid = ?", [row["uuid"]])
        if not here:
            if project.tuples("SELECT 1 FROM document WHERE text_sha256 = ?", [row["text_sha256"]]):
                continue
            here = project.query("SELECT * FROM document WHERE key = ?", [row["key"]])
            for name in _NUMBERS:
                if not here and row[name]:
                    here = project.query(f"SELECT * FROM document WHERE {name} = ?", [row[name]])
        if here and here[0]["text_sha256"] != row["text_sha256"]:
            reason = (
                f"its text differs: SHA-256 {row['text_sha256']} in {other.path.name}, "
                f"{here[0]['text_sha256']} here; nothing about it was brought in."
            )
            found.append(Refusal(row["key"], row["uuid"], reason))
    return found
