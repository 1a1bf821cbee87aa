"""Version 16: items, and the rows of copies' histories, are counted as they come, as texts are."""

from __future__ import annotations

from app.store.sqlite import Database


def counted(db: Database) -> None:
    """The seal that follows counts those that are there."""
