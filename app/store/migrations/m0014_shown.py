"""Version 14: the pictures that a prompt showed."""

from __future__ import annotations

from app.store.sqlite import Database, run_script

# JSON, a list: which picture stood behind each mark of the prompt, and what was done to it before sending.
_TABLES = "ALTER TABLE prompt ADD COLUMN pictures TEXT NOT NULL DEFAULT '[]';"


def shown(db: Database) -> None:
    """Add the column; runs inside the caller's transaction."""
    run_script(db, _TABLES)
