"""What annotators and reports are called once copies have come: the same, whichever copy came first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.store.values import json_object, sha256

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project
    from app.store.unite.changes import Cells

# What a merge under way brings is in no history yet, but in a branch.
_FIRST_RUN = """
SELECT json_extract(after, '$.settings') FROM (
    SELECT 0 AS place, seq, verb, table_name, after FROM history
    UNION ALL SELECT 1, seq, verb, table_name, after FROM branch_row
    WHERE branch IN (SELECT uuid FROM branch)
) WHERE table_name = 'run' AND verb = 'insert' AND json_extract(after, '$.annotator') = ?
ORDER BY place, seq LIMIT 1
"""
# What reports were called, but by acts that bring copies together and cut packets.
_CALLED = """
SELECT at, before, after FROM (
    SELECT act, at, verb, table_name, before, after FROM history
    UNION ALL SELECT act, at, verb, table_name, before, after FROM branch_row
    WHERE branch IN (SELECT uuid FROM branch)
) WHERE table_name = 'document' AND verb <> 'delete' AND act NOT IN (
    SELECT act FROM history WHERE table_name IN ('branch', 'packet')
    UNION SELECT act FROM branch_row WHERE table_name IN ('branch', 'packet')
)
"""


def name_reports(act: Act) -> None:
    """Call each report as it was renamed last, in whatever copy, or as it was first imported."""
    first: dict[tuple[str, str], tuple[str, str]] = {}
    last: dict[tuple[str, str], tuple[str, str]] = {}
    for at, before, after in act.project.tuples(_CALLED):
        row, old = json_object(after), json_object(before) if before else {}
        for column in ("key", "title"):
            name, said = (row["text_sha256"], column), row[column]
            if not old:
                first[name] = min((row["added_at"], said), first.get(name, (row["added_at"], said)))
            elif old[column] != said:
                last[name] = max((at, said), last.get(name, (at, said)))
    for row in act.project.query("SELECT uuid, key, title, text_sha256 FROM document ORDER BY position"):
        called = {
            column: (last.get(name) or first.get(name) or ("", row[column]))[1]
            for column in ("key", "title")
            if (name := (row["text_sha256"], column))
        }
        if act.project.tuples(
            "SELECT 1 FROM document WHERE key = ? AND uuid <> ?", [called["key"], row["uuid"]]
        ):
            del called["key"]
        act.update("document", row["uuid"], called)


def same_annotators(
    act: Act, other: Project, rows: Mapping[str, Cells], names: dict[str, str]
) -> dict[str, str]:
    """Which annotators (UUIDs) of another project, of which the `rows` are new, are which here.

    People are the same by their names, runs by the settings of their first run as well. Of several runs that
    only share a name all but one get their settings' hash behind it: ours at once, theirs by an entry in
    `names`. All this follows from names and settings, whichever project comes first.
    """
    here: dict[str, dict[str, str]] = {}
    for row in act.project.query("SELECT * FROM annotator ORDER BY name"):
        name, mark = _told(act.project, row)
        here.setdefault(name, {})[mark] = str(row["uuid"])
    same: dict[str, str] = {}
    for theirs, row in rows.items():
        name, mark = _told(other, row)
        known = here.setdefault(name, {})
        # Who has no run is told by the name alone.
        like = known.get(mark) or (next(iter(known.values()), "") if not mark or "" in known else "")
        if like:
            same[theirs] = like
            continue
        known[mark] = theirs
        for which, uuid in known.items():
            called = name if which == min(known) else f"{name} ({which})"
            if uuid in rows:
                names[uuid] = called
            else:
                _rename(act, uuid, called)
    return same


def _told(project: Project, row: Cells) -> tuple[str, str]:
    """What an annotator was called at first, and what tells a run from others of that name."""
    name = str(row["name"])
    first = project.tuples(_FIRST_RUN, [row["uuid"]]) if row["kind"] == "run" else []
    mark = sha256(first[0][0])[:6] if first else ""
    return name.removesuffix(f" ({mark})"), mark


def _rename(act: Act, annotator: str, name: str) -> None:
    act.update("annotator", annotator, {"name": name})
    for (run,) in act.project.tuples("SELECT uuid FROM run WHERE annotator = ?", [annotator]):
        act.update("run", run, {"name": name})
