"""Version 12: how many seconds a person took for an answer."""

from __future__ import annotations

from app.store.sqlite import Database, run_script


def seconds(db: Database) -> None:
    """Null where nobody measured: of models the seconds stand with their calls."""
    run_script(db, "ALTER TABLE answer ADD COLUMN seconds REAL;")
