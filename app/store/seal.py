"""What no history row speaks of and yet must stay as it was: texts, prompts, migrations, tables."""

from __future__ import annotations

from collections.abc import Iterator

from app.store.sqlite import Database, insert_rows
from app.store.values import canonical, json_object, sha256

# Rows that are only ever added, by what tells them. Undo leaves them: redo needs them.
_KEPT = {
    "text": "sha256",
    "prompt": "sha256",
    "picture": "sha256 || ' ' || format || ' ' || width || ' ' || height",
    "item": "json_array(uuid, build, position, task, id, content_sha256)",
    "branch_row": "branch || ' ' || seq || ' ' || hash",
}
_SEAL, _BROKEN = "seal", "broken"
_CHAIN = ("chain_head", "chain_count")


def count_kept(db: Database) -> None:
    """Take rows of these kinds that came since the last time into their chains, before the commit."""
    for table, told in _KEPT.items():
        if not db.table(table).exists():
            continue  # a file of an earlier version, on its way
        last, head = _read(db, table)
        rows = db.execute(
            f"SELECT rowid, {told} FROM {table} WHERE rowid > ? ORDER BY rowid", [last]
        ).fetchall()
        if rows:
            for rowid, digest in rows:
                last, head = rowid, sha256(f"{head} {rowid} {digest}")
            _write(db, f"kept_{table}", canonical({"last": last, "head": head}))


def seal(db: Database) -> None:
    """Put on record what a project is made of, when it has been made or brought to another version."""
    count_kept(db)
    _write(db, _SEAL, _digest(db))


def break_seal(db: Database) -> None:
    """Let what the project is made of change, in the transaction of that change."""
    _write(db, _SEAL, _BROKEN)


def seal_if_open(db: Database) -> None:
    """Seal what was changed; a change that was ended before it was sealed, too."""
    if db.execute("SELECT value FROM meta WHERE key = ?", [_SEAL]).fetchone() == (_BROKEN,):
        with db.atomic():
            seal(db)


def seal_faults(db: Database) -> Iterator[tuple[str, str]]:
    """Where that is not as it was: (where, what)."""
    for table, told in _KEPT.items():
        head, last = "", 0
        for rowid, digest in db.execute(f"SELECT rowid, {told} FROM {table} ORDER BY rowid"):
            last, head = rowid, sha256(f"{head} {rowid} {digest}")
        if canonical({"last": last, "head": head}) != _recorded(db, table):
            yield f"table {table}", "a row was added, removed or moved outside the program"
    rows = dict(db.execute("SELECT key, value FROM meta WHERE key = ?", [_SEAL]).fetchall())
    if rows.get(_SEAL) != _digest(db):
        yield (
            "the project's own record",
            "owner, versions or tables were changed outside the program",
        )


def _digest(db: Database) -> str:
    """The hash over the schema, the migrations and what `meta` says, but for what each act changes there."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    changing = (*_CHAIN, _SEAL, *(f"kept_{table}" for table in _KEPT))
    marks = ", ".join("?" * len(changing))
    parts = (
        db.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_master "
            "WHERE type IN ('table', 'index') ORDER BY type, name"
        ),
        db.execute("SELECT rowid, * FROM _sqlite_migrations ORDER BY rowid"),
        db.execute(f"SELECT rowid, * FROM meta WHERE key NOT IN ({marks}) ORDER BY rowid", changing),
    )
    return sha256(canonical([version, *([list(row) for row in rows] for rows in parts)]))


def _recorded(db: Database, table: str) -> str:
    rows = db.execute("SELECT value FROM meta WHERE key = ?", [f"kept_{table}"]).fetchall()
    return str(rows[0][0]) if rows else canonical({"last": 0, "head": ""})


def _read(db: Database, table: str) -> tuple[int, str]:
    values = json_object(_recorded(db, table))
    return int(values.get("last", 0)), str(values.get("head", ""))


def _write(db: Database, key: str, value: str) -> None:
    insert_rows(db, "meta", [{"key": key, "value": value}], "REPLACE")
