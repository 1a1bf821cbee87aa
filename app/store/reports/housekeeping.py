"""Reports under another name, and reports taken out with all that is about them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.store.chain import TRACKED
from extractors.model.errors import ProjectError

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project

_KEY = re.compile(r"[\w.-]+")
_LONGEST_KEY = 60


def rename_document(act: Act, document: str, key: str, title: str) -> None:
    """Give a report (UUID) a key and a title; the text and what is said of it stay as they are.

    Raises UnknownNameError where there is no such report, ProjectError for a key that another report has or
    that is no key.
    """
    before = act.rows("document", [document])[0]
    if key != before["key"] and (len(key) > _LONGEST_KEY or not _KEY.fullmatch(key)):
        raise ProjectError(
            f"{key!r} cannot be a report's short name; take letters, digits, dots, hyphens and underscores, "
            f"{_LONGEST_KEY} at most."
        )
    if act.project.query("SELECT 1 FROM document WHERE key = ? AND uuid <> ?", [key, document]):
        raise ProjectError(f"There is another report {key!r}; choose another short name.")
    act.update("document", document, {"key": key, "title": title})


def rows_about(project: Project, document: str) -> dict[str, list[str]]:
    """The UUIDs of the rows about a report (UUID), by table, in an order in which they can be removed.

    Looks are left out: who saw whose spans stays on record. Raises what `Project.query` raises.
    """
    found: dict[str, list[str]] = {}
    # Rows stand in `TRACKED` behind those that they refer to.
    for table in (name for name in reversed(TRACKED) if name != "disclosure"):
        column = {"document", "subject"} & project.columns(table)
        for name in column:
            rows = project.query(f"SELECT uuid FROM {table} WHERE {name} = ? ORDER BY rowid", [document])
            found[table] = [row["uuid"] for row in rows]
    return found


def remove_document(act: Act, document: str) -> None:
    """Take a report (UUID) out with all that is about it: the history keeps every row, for undo.

    Raises UnknownNameError where there is no such report.
    """
    for table, uuids in rows_about(act.project, document).items():
        act.delete_all(table, uuids)
    act.delete("document", document)
