"""The words of a corpus as an index beside its Parquet files: a database of its own, which holds no text.

A row is a report's text, or one quote; what it says is read from the Parquet files. It is made when it is
first asked, and again where the corpus was made anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from app.store.faults import meaning
from app.store.reports.search import marked_places, match_of
from app.store.search_index import TOKENS
from extractors.model.errors import ProjectBusyError, StorageError

_FILE = "search.sqlite"
_TABLES = f"""
CREATE TABLE part (part INTEGER PRIMARY KEY, sha256 TEXT NOT NULL) STRICT;
CREATE TABLE said (
    id INTEGER PRIMARY KEY, part INTEGER NOT NULL, report TEXT NOT NULL, number INTEGER, category TEXT
) STRICT;
CREATE VIRTUAL TABLE words USING fts5(text, content='', {TOKENS});
CREATE VIRTUAL TABLE words_words USING fts5vocab('words', 'row');
"""


class CorpusIndex:
    """The index of a corpus's folder, open for as long as it is used."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE
        with self._sound():
            self._db = sqlite3.connect(self._path, timeout=60)
            if not self.tuples("SELECT 1 FROM sqlite_master WHERE name = 'said'"):
                self._db.executescript(_TABLES)

    def __enter__(self) -> CorpusIndex:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()

    def tuples(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self._sound():
            return list(self._db.execute(sql, list(parameters)))

    def keep_only(self, parts: Mapping[int, str]) -> list[int]:
        """The parts (by number their hash) that are still to be added; of a corpus made anew, all."""
        there = dict(self.tuples("SELECT part, sha256 FROM part"))
        if any(parts.get(part) != sha256 for part, sha256 in there.items()):
            with self._sound(), self._db:
                self._db.execute("DELETE FROM part")
                self._db.execute("DELETE FROM said")
                self._db.execute("INSERT INTO words (words) VALUES ('delete-all')")
            there = {}
        return [part for part in parts if part not in there]

    def add(self, part: int, sha256: str, rows: Iterable[tuple[str, int | None, str | None, str]]) -> None:
        """Index a part, whole or not at all: report, number and category (None of a text), and words."""
        with self._sound(), self._db:
            (last,) = self.tuples("SELECT coalesce(max(id), 0) FROM said")[0]
            for at, (report, number, category, text) in enumerate(rows, start=last + 1):
                cells = (at, part, report, number, category)
                self._db.execute("INSERT INTO said VALUES (?, ?, ?, ?, ?)", cells)
                self._db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (at, text))
            self._db.execute("INSERT INTO part VALUES (?, ?)", (part, sha256))

    def find(self, typed: str, category: str = "") -> list[tuple[int, str, int | None]]:
        """Part, report and number (None for a text) of what has all the words near each other, in order.

        Texts, or with a category its quotes; nothing where nothing is asked for.
        """
        match = match_of(self, "words", typed)
        if not match:
            return []
        where = "category = ?" if category else "category IS NULL"
        return self.tuples(
            f"SELECT part, report, number FROM said WHERE {where} AND id IN "
            "(SELECT rowid FROM words WHERE words MATCH ?) ORDER BY id",
            [*([category] if category else []), match],
        )

    def categories(self) -> list[str]:
        """Those that quotes are in."""
        rows = self.tuples("SELECT DISTINCT category FROM said WHERE category IS NOT NULL ORDER BY 1")
        return [name for (name,) in rows]

    def places(self, typed: str, texts: Sequence[str]) -> list[tuple[tuple[int, int], ...]]:
        """Where the words stand in each of these texts, which `find` has found."""
        match = match_of(self, "words", typed)
        with closing(sqlite3.connect(":memory:")) as shown:
            shown.execute(f"CREATE VIRTUAL TABLE shown USING fts5(text, {TOKENS})")
            shown.executemany("INSERT INTO shown (rowid, text) VALUES (?, ?)", enumerate(texts))
            return marked_places(shown, "shown", match, typed, texts)

    @contextmanager
    def _sound(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            known = meaning(error, self._path)
            if not isinstance(known, StorageError | ProjectBusyError):
                known = StorageError(
                    f"{self._path} cannot be used ({error}); delete it, and it is made anew."
                )
            raise known from None
