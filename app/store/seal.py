"""What no history row speaks of and yet must stay as it was: texts, prompts, migrations, tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from app.store.sqlite import Database, put_meta
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


def count_kept(db: Database, tables: Collection[str] = _KEPT) -> None:
    """Take rows of these tables that came since the last time into their chains, before the commit."""
    records = _records(db)
    for table in tables:
        values = json_object(records[table])
        last, head = int(values.get("last", 0)), str(values.get("head", ""))
        rows = db.execute(
            f"SELECT rowid, {_KEPT[table]} FROM {table} WHERE rowid > ? ORDER BY rowid", [last]
        ).fetchall()
        if rows:
            for rowid, digest in rows:
                last, head = rowid, sha256(f"{head} {rowid} {digest}")
            put_meta(db, {f"kept_{table}": canonical({"last": last, "head": head})})


def seal(db: Database) -> None:
    """Put on record what a project is made of, when it has been made or brought to another version."""
    # A file of an earlier version, on its way, has not all of them.
    count_kept(db, [table for table in _KEPT if db.table(table).exists()])
    put_meta(db, {_SEAL: _digest(db)})


def break_seal(db: Database) -> None:
    """Let what the project is made of change, in the transaction of that change."""
    put_meta(db, {_SEAL: _BROKEN})


def seal_if_open(db: Database) -> None:
    """Seal what was changed; a change that was ended before it was sealed, too."""
    if db.execute("SELECT value FROM meta WHERE key = ?", [_SEAL]).fetchone() == (_BROKEN,):
        with db.atomic():
            seal(db)


def seal_faults(db: Database) -> Iterator[tuple[str, str]]:
    """Where that is not as it was: (where, what)."""
    records = _records(db)
    for table, told in _KEPT.items():
        head, last = "", 0
        for rowid, digest in db.execute(f"SELECT rowid, {told} FROM {table} ORDER BY rowid"):
            last, head = rowid, sha256(f"{head} {rowid} {digest}")
        if canonical({"last": last, "head": head}) != records[table]:
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


def _records(db: Database) -> dict[str, str]:
    """What is on record of each of these tables."""
    found = dict(db.execute("SELECT key, value FROM meta WHERE key LIKE 'kept%'").fetchall())
    return {table: found.get(f"kept_{table}", canonical({"last": 0, "head": ""})) for table in _KEPT}
