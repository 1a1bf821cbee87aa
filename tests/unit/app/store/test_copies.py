"""What of a damaged project is put together again."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from app.store import database
from app.store.copies import placing
from app.store.sqlite import Database
from app.store.study.items import digest_of


def test_builds_of_a_damaged_project_say_which_of_their_items_are_left() -> None:
    with closing(sqlite3.connect(":memory:")) as scratch:
        scratch.deserialize(database.empty())
        scratch.execute("PRAGMA foreign_keys = OFF")
        scratch.execute("INSERT INTO build VALUES ('b', 0, 'toy', 3, 'digest of three', '', '{}', '')")
        for at, build in enumerate(("b", "b", "undone")):
            scratch.execute("INSERT INTO item VALUES (?, ?, ?, 't', ?, ?)", [at, build, at, at, f"h{at}"])
        placing._recount_builds(Database(scratch, execute_plugins=False))
        of_build = scratch.execute("SELECT items, digest FROM build").fetchall()
        assert of_build == [(2, digest_of(["h0", "h1"]))]
        assert scratch.execute("SELECT count(*) FROM item").fetchone() == (2,)
