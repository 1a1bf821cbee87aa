"""Version 9: since when somebody has what an annotation stands for."""

from __future__ import annotations

from app.store.sqlite import Database, run_script


def profiles(db: Database) -> None:
    """Add the column; runs inside the caller's transaction."""
    run_script(db, "ALTER TABLE concept ADD COLUMN onset TEXT NOT NULL DEFAULT '';")
