"""Project files as earlier versions of the program wrote them."""

from __future__ import annotations

import json
import lzma
import sqlite3
from contextlib import closing
from pathlib import Path

from app.store.chain import chained, write_chain
from app.store.database import APPLICATION_ID, remove
from app.store.migrations import STEPS, migrate
from app.store.sqlite import Database
from app.store.values import canonical

# A small project of each version, made by the program of then: a report, spans by hand and by rules.
OLDER = Path(__file__).parent / "data" / "projects"
_OLD = {"subject": "document", "question": "category"}
# What the steps themselves fill in.
_OWN = ("_sqlite_migrations", "sqlite_sequence")


def as_written(version: int, path: Path) -> Path:
    """Put the project that the program of that version wrote at `path`."""
    path.write_bytes(lzma.decompress((OLDER / f"v{version:02d}.casespan.xz").read_bytes()))
    return path


def as_version_4(path: Path) -> None:
    """Write the project again with the steps of version 4: no prompts, calls by document and category."""
    draft = path.with_name(f"{path.name}.v4")
    with closing(sqlite3.connect(path)) as now, closing(Database(draft)) as then:
        now.row_factory = sqlite3.Row
        then.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
        migrate(then, STEPS[:4])
        then.execute("PRAGMA foreign_keys = OFF")
        for table in then.table_names():
            if table not in (*_OWN, "history"):
                rows = [_as_it_was(dict(row)) for row in now.execute(f"SELECT * FROM {table}")]
                columns = set(then.table(table).columns_dict)
                then.table(table).insert_all(
                    ({key: row[key] for key in row if key in columns} for row in rows), replace=True
                )
        _rewrite_history(now, then)
    remove(path)
    draft.rename(path)


def _as_it_was(row: dict[str, object]) -> dict[str, object]:
    return {_OLD.get(name, name): value for name, value in row.items()} if "prompt_sha256" in row else row


def _rewrite_history(now: sqlite3.Connection, then: Database) -> None:
    """The history as the older program would have written it, chained anew."""
    head, count = "0" * 64, 0
    for found in now.execute("SELECT * FROM history ORDER BY seq"):
        row = dict(found)
        del row["hash"]
        if row["table_name"] == "generation":
            after = _as_it_was(json.loads(row["after"]))
            del after["again"], after["reused"]
            row["after"] = canonical(after)
        head, count = chained(head, row), row["seq"]
        then.table("history").insert({**row, "hash": head})
    with then.atomic():
        write_chain(then, head, count)
        # What nobody counted yet.
        then.execute("DELETE FROM meta WHERE key = 'seal' OR key LIKE 'kept%'")
