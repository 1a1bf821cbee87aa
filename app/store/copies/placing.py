"""Rows that could be read of a damaged project, put together to one in which everything has its place."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeAlias

from app.store import database
from app.store.chain import START, TRACKED, as_left, chained, present_names
from app.store.check import span_fault, unknown_categories
from app.store.extract.prompts import prompt_faults
from app.store.project import stored_scheme
from app.store.reports.documents import section_of, tiling_fault
from app.store.reports.figures import misplaced_regions
from app.store.sqlite import Database
from app.store.study.items import digest_of, misnamed_items
from app.store.unite.branches import broken_branches, named_by
from app.store.values import canonical, sha256
from extractors.assets import asset
from extractors.grouping import grouped
from extractors.model.errors import CasespanError
from extractors.model.figure import from_record
from extractors.model.scheme import Scheme, load_scheme

Row: TypeAlias = dict[str, Any]
# Rows that no act changes; texts and prompts go by the hash of what they hold.
KEPT = ("text", "prompt", "picture", "item", "branch_row")
# The scheme of a project whose own is lost.
FALLBACK = asset("guidelines", "clinical14")
_HASHED = {"text": "text", "picture": "bytes"}
_TEXTS = "SELECT uuid, text FROM document JOIN text ON sha256 = text_sha256"


def sound_part(history: Sequence[Row]) -> list[Row]:
    """The history up to its first fault."""
    return [row for row, _ in takewhile(lambda one: one[1], _with_soundness(history))]


def _with_soundness(history: Sequence[Row]) -> Iterator[tuple[Row, bool]]:
    """Each row, and whether it is as it was written behind the one before."""
    before = (0, START)
    for row in history:
        values = {name: value for name, value in row.items() if name != "hash"}
        yield row, row["seq"] == before[0] + 1 and row["hash"] == chained(before[1], values)
        before = (row["seq"], row["hash"])


def as_last_known(rows: dict[str, list[Row]], count: int) -> tuple[dict[str, list[Row]], list[Row]]:
    """Of each tracked table the rows as the history, which had `count` rows, left them; and what is in doubt.

    Where the history is damaged at its last word of a row, or lost rows behind it, the row stays as it was
    read. Each such row of which the two say otherwise is in doubt: its table and UUID, and what each says.
    """
    words, until = _last_words(rows.pop("history"), count)
    doubts: list[Row] = []
    for table, last in words.items():
        merged = {row["uuid"]: row for row in rows[table]}
        for uuid, (seq, after) in last.items():
            read = merged.get(uuid)
            certain = seq > max(until[""], until.get(uuid, 0))
            if not (certain or as_left(read, after)):
                doubts.append({"table": table, "uuid": uuid, "read": read, "history": after})
            if after is not None and (certain or read is None):
                merged[uuid] = {**(read or {}), **after}
            elif certain:
                merged.pop(uuid, None)
        rows[table] = list(merged.values())
    for table, content in _HASHED.items():
        rows[table] = [row for row in rows[table] if row["sha256"] == sha256(row[content])]
    return rows, doubts


def _last_words(
    history: Sequence[Row], count: int
) -> tuple[dict[str, dict[str, tuple[int, Row | None]]], dict[str, int]]:
    """What the history says last of each row, and up to which of its rows that may not be the last of a row
    (by UUID), and of any (by "")."""
    words: dict[str, dict[str, tuple[int, Row | None]]] = {table: {} for table in TRACKED}
    until = {"": 0}
    before = 0
    for row, sound in _with_soundness(history):
        after = _after(row)
        if row["seq"] != before + 1:
            until[""] = row["seq"] - 1
        if not sound:
            until[row["row"]] = until[str(after and after["uuid"])] = row["seq"]
        if row["table_name"] in words:
            words[row["table_name"]][row["row"]] = (row["seq"], after)
        before = row["seq"]
    if count > before:
        until[""] = count
    return words, until


def _after(row: Row) -> Row | None:
    """A row as a row of the history left it; one without a name where that cannot be read."""
    try:
        after = None if row["after"] is None else json.loads(row["after"])
        return after and {"uuid": None, **present_names(row["table_name"], after)}
    except (ValueError, AttributeError):
        return {"uuid": None, "after": row["after"]}


def add_branch(rows: dict[str, list[Row]], former: Sequence[Row], source: str, owner: str) -> None:
    """Let the former history be that of a copy: packets and copies of before are known by it."""
    if former:
        end: str = former[-1]["hash"]
        base = {"base_head": START, "base_count": 0, "source": source, "owner": owner}
        rows["branch"].append({"uuid": named_by("branch", end), "head": end, "count": len(former), **base})
        rows["branch_row"] += ({"branch": named_by("branch", end), **row} for row in former)


def placed(rows: dict[str, list[Row]]) -> tuple[sqlite3.Connection, list[Row]]:
    """A project in memory with every row that has its place there, and the rows that have none."""
    scratch = sqlite3.connect(":memory:")
    scratch.deserialize(database.empty())
    scratch.execute("PRAGMA foreign_keys = OFF")
    orphans: list[Row] = []
    for table in (*KEPT, *TRACKED):
        columns = {one[1] for one in scratch.execute(f"PRAGMA table_info([{table}])")}
        for row in rows[table]:
            own = {name: value for name, value in row.items() if name in columns}
            names, marks = ", ".join(f"[{name}]" for name in own), ", ".join("?" * len(own))
            try:
                scratch.execute(f"INSERT INTO [{table}] ({names}) VALUES ({marks})", list(own.values()))
            except sqlite3.Error:
                orphans.append({"table": table, **row})
    orphans += _without_parents(scratch)
    db = Database(scratch, execute_plugins=False)
    try:
        scheme = stored_scheme(Path("damaged"), db)
    except CasespanError:
        scratch.execute("DELETE FROM scheme_file")
        scheme = load_scheme(FALLBACK)
    orphans += _without_pictures(db)
    for table, column, value in list(_unsound(db, scheme)):
        orphans += _taken(scratch, table, column, value)
    while broken := _broken_branches(db):
        for branch in broken:
            orphans += _taken(scratch, "branch", "uuid", branch)
            orphans += _taken(scratch, "branch_row", "branch", branch)
    orphans += _without_parents(scratch)
    _recount_builds(db)
    return scratch, orphans


def _without_parents(scratch: sqlite3.Connection) -> list[Row]:
    """Take out what names a row that is not there, until nothing does."""
    taken: list[Row] = []
    while lost := scratch.execute("PRAGMA foreign_key_check").fetchall():
        for table, rowid, _, _ in lost:
            taken += _taken(scratch, table, "rowid", rowid)
    return taken


def _taken(scratch: sqlite3.Connection, table: str, column: str, value: object) -> list[Row]:
    cursor = scratch.execute(f"DELETE FROM [{table}] WHERE {column} = ? RETURNING *", [value])
    names = [one[0] for one in cursor.description]
    return [{"table": table, **dict(zip(names, cells, strict=True))} for cells in cursor]


def _unsound(db: Database, scheme: Scheme) -> Iterator[tuple[str, str, object]]:
    """Sections that do not make up their report any more, spans that are not in its text, rows that speak of
    what the scheme lacks, and the like: table, column and value."""
    texts = {uuid: text for uuid, text in db.execute(_TEXTS)}
    yield from (("section", "document", document) for document in _untiled(db, texts))
    for table, uuid, document, _, _ in unknown_categories(db, scheme):
        # Sections make up their report together.
        yield (table, "document", document) if table == "section" else (table, "uuid", uuid)
    for row in db.query("SELECT * FROM annotation"):
        if span_fault(row, texts[row["document"]]):
            yield "annotation", "uuid", row["uuid"]
    for where, _ in prompt_faults(db):
        yield "prompt", "'prompt ' || substr(sha256, 1, 12)", where
    for uuid, _, _ in misnamed_items(db):
        yield "item", "uuid", uuid
    for uuid, _ in misplaced_regions(db):
        yield "region", "uuid", uuid


def _untiled(db: Database, texts: Mapping[str, str]) -> Iterator[str]:
    """The reports of which the sections do not make up the text, or cannot be read."""
    sections = db.query("SELECT * FROM section ORDER BY document, position")
    for document, rows in grouped((row["document"], row) for row in sections).items():
        try:
            fault = tiling_fault([section_of(row) for row in rows], len(texts[document]))
        except ValueError as error:
            fault = str(error)
        if fault:
            yield document


def _broken_branches(db: Database) -> set[str]:
    try:
        return broken_branches(db)
    except (KeyError, ValueError, TypeError):
        # One tells of another what cannot be read.
        found = db.execute("SELECT uuid FROM branch UNION SELECT branch FROM branch_row")
        return {uuid for (uuid,) in found}


def _without_pictures(db: Database) -> list[Row]:
    """Say of figures whose pictures are lost that these are missing; what they were called."""
    there = {one for (one,) in db.execute("SELECT sha256 FROM picture")}
    lost = dict[str, None]()
    for uuid, text in db.execute("SELECT uuid, text FROM figures JOIN text ON sha256 = digest").fetchall():
        figures = [from_record(one) for one in json.loads(text)]
        lost |= dict.fromkeys(
            one.sha256
            for figure in figures
            for one in figure.images
            if one.sha256 is not None and one.sha256 not in there
        )
        left = [
            replace(
                figure,
                images=tuple(
                    one
                    if one.sha256 is None or one.sha256 in there
                    else replace(one, state="missing", reason="lost", sha256=None, width=None, height=None)
                    for one in figure.images
                ),
            )
            for figure in figures
        ]
        if left != figures:
            told = canonical([asdict(one) for one in left])
            db.execute("INSERT OR IGNORE INTO text (sha256, text) VALUES (?, ?)", [sha256(told), told])
            db.execute("UPDATE figures SET digest = ? WHERE uuid = ?", [sha256(told), uuid])
    return [{"table": "picture", "sha256": one} for one in lost]


def _recount_builds(db: Database) -> None:
    """Have the builds of studies say which of their items are left; those of undone ones go."""
    db.execute("DELETE FROM item WHERE build NOT IN (SELECT uuid FROM build)")
    for (build,) in db.execute("SELECT uuid FROM build").fetchall():
        found = db.execute("SELECT content_sha256 FROM item WHERE build = ? ORDER BY position", [build])
        hashes = [one for (one,) in found]
        db.execute(
            "UPDATE build SET items = ?, digest = ? WHERE uuid = ?", [len(hashes), digest_of(hashes), build]
        )
