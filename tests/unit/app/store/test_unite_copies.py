"""Histories of copies: what of one is known, what it brings, and whether it is as the copy wrote it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from app.store.chain import START, chained
from app.store.study.items import item_uuid
from app.store.unite import branches, changes, frozen
from extractors.model.progress import finished

BUILDS = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"


class Small:
    """A project of a few tables in memory, as far as histories are read from it."""

    def __init__(self, tables: Mapping[str, str], rows: Mapping[str, Sequence[Sequence[object]]]) -> None:
        self.db = sqlite3.connect(":memory:")
        self.path = SimpleNamespace(name="copy.casespan")
        for table, columns in tables.items():
            self.db.execute(f"CREATE TABLE {table} ({columns})")
            for row in rows.get(table, ()):
                self.db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)

    def tuples(self, sql: str, given: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self.db.execute(sql, given).fetchall()

    def query(self, sql: str, given: Sequence[Any] = ()) -> list[dict[str, Any]]:
        found = self.db.execute(sql, given)
        return [dict(zip([one[0] for one in found.description], row, strict=True)) for row in found]

    def columns(self, table: str) -> frozenset[str]:
        return frozenset({"uuid", "name"}) if table == "annotator" else frozenset({"uuid"})


def test_a_row_is_known_that_stands_in_the_own_history_or_in_one_that_came_and_was_not_undone() -> None:
    tables = {"history": "seq, hash", "branch": "uuid", "branch_row": "branch, seq, hash"}
    rows: dict[str, list[tuple[object, ...]]] = {
        "history": [(1, "a")],
        "branch": [("b",)],
        "branch_row": [("b", 2, "c"), ("undone", 3, "d")],
    }
    project: Any = Small(tables, rows)
    asked = [(0, "x"), (1, "a"), (1, "c"), (2, "c"), (3, "d")]
    assert [branches.knows(project, *one) for one in asked] == [True, True, False, True, False]


def test_of_a_branch_each_row_that_was_altered_and_an_end_that_is_missing_or_forged_is_told() -> None:
    def written(*words: str) -> list[dict[str, Any]]:
        rows, head = [], START
        for seq, word in enumerate(words, start=1):
            row: dict[str, Any] = {"seq": seq, "after": word}
            head = chained(head, row)
            rows.append({**row, "hash": head})
        return rows

    whole = written("a", "b", "c")
    branch = {"base_head": START, "base_count": 0, "head": whole[-1]["hash"], "count": 3}

    def faults(rows: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
        db: Any = SimpleNamespace(query=lambda *_: [dict(row) for row in rows])
        return list(branches._row_faults(db, "b", branch))

    altered = "it was altered, or one before it is missing"
    assert faults(whole) == []
    assert faults([whole[0], {**whole[1], "after": "x"}, whole[2]]) == [(", row 2", altered)]
    assert faults([whole[0], whole[2]]) == [(", row 3", altered)]
    assert faults(whole[:2]) == faults(written("a", "b", "x")) == [("", "its last rows are missing")]


def test_a_copy_brings_each_row_once_as_it_is_now_and_a_packet_what_its_project_lacks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def row(
        seq: int, act: str, table: str, uuid: str, after: object, before: object = None
    ) -> tuple[object, ...]:
        return seq, act, table, uuid, *(one and json.dumps(one) for one in (after, before))

    ann, ben, cas = ({"uuid": one, "name": one} for one in ("ann", "ben", "cas"))
    other: Any = Small(
        {"history": "seq, act, table_name, row, after, before", "packet": "uuid, count, head",
         "annotator": "uuid, name"},
        {
            "history": [
                row(1, "cut", "annotator", "ann", ann), row(2, "cut", "packet", "p", {"uuid": "p"}),
                row(3, "work", "annotator", "ben", {"uuid": "ben"}), row(4, "work", "annotator", "cas", cas),
                row(5, "more", "annotator", "cas", None, cas), row(6, "more", "guess", "g", {"uuid": "g"}),
            ],
            "packet": [("p", 9, "head")],
            "annotator": [("ben", "Ben as a migration left him")],
        },
    )  # fmt: skip
    told: list[tuple[object, ...]] = []
    monkeypatch.setattr(changes, "TRACKED", ("annotator", "packet", "guess", "run", "branch"))

    def read(known_rows: int, *, base: bool) -> dict[str, object]:
        monkeypatch.setattr(changes, "known_rows", lambda *_: known_rows)

        def knows(_: object, *given: object) -> bool:
            told.append(given)
            return base

        monkeypatch.setattr(changes, "knows", knows)
        copy = finished(changes.reading_copy(other, other))
        assert (copy.known, copy.changes["run"]) == (known_rows, {})
        assert copy.tables == {table for table, some in copy.changes.items() if some}
        return {uuid: one.after for some in copy.changes.values() for uuid, one in some.items()}

    # Ben's row was written before names were: it is as it is now.
    work = {"ben": {"uuid": "ben", "name": "Ben as a migration left him"}, "cas": None, "g": {"uuid": "g"}}
    assert read(0, base=True) == work
    assert told == [(9, "head")]
    assert read(0, base=False) == {"ann": ann, "p": {"uuid": "p"}, **work}
    assert read(2, base=False) == work
    assert read(4, base=True) == {"cas": None, "g": {"uuid": "g"}}
    assert ben["name"] == "ben"


def test_items_come_under_the_names_that_their_build_has_here(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = BUILDS
    kept: list[dict[str, Any]] = []
    monkeypatch.setattr(frozen, "insert_rows", lambda db, table, rows, _: kept.extend(rows))
    items = [(item_uuid(theirs, at), theirs, at) for at in (0, 1)]
    other: Any = Small({"item": "uuid, build, position"}, {"item": items})
    for called in (ours, theirs):
        kept.clear()
        frozen.keep_items(other, other, {theirs: called})
        assert kept == [{"uuid": item_uuid(called, at), "build": called, "position": at} for at in (0, 1)]
