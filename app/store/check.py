"""Whether a project file is still what was written: one problem per thing that is not."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypeAlias

from app.store import database
from app.store.annotate.annotations import context
from app.store.chain import chain_faults, replay_faults
from app.store.extract.prompts import prompt_faults
from app.store.faults import DamagedProjectError
from app.store.project import readable, stored_scheme
from app.store.reports.documents import section_of, tiling_fault
from app.store.reports.figures import figure_faults
from app.store.seal import seal_faults
from app.store.search_index import index_faults
from app.store.sqlite import Database
from app.store.study.items import build_faults
from app.store.unite.branches import branch_faults
from app.store.values import sha256
from extractors.model.scheme import Scheme

ProblemKind: TypeAlias = Literal[
    "file", "scheme", "text", "item", "picture", "section", "annotation", "history", "index"
]
_Faults: TypeAlias = Iterator[tuple[str, str]]  # where, and what
_Part: TypeAlias = tuple[ProblemKind, Callable[[Path, Database], _Faults]]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is not as it was written: what kind, where, and a sentence."""

    kind: ProblemKind
    where: str
    message: str


def check(project_path: Path, *, indexes: bool = True) -> list[Problem]:
    """Everything wrong with the project file; an empty list means that it is whole.

    Without `indexes` those for searching, which can be made anew from the rows, are not looked at.

    Compares the file with SQLite's own rules, texts with their hashes, sections and spans with the texts, the
    history with its chain of hashes, and every row with what the history says of it. Somebody who rewrites
    rows, history and hashes together can only be found out with a copy of the last hash kept elsewhere.

    Raises ProjectError where the file is no project or is newer than the program.
    """
    database.require_project(project_path)
    try:
        with closing(readable(project_path)) as db, db.atomic():
            return _problems(project_path, db, [one for one in _PARTS if indexes or one[0] != "index"])
    except (DamagedProjectError, sqlite3.DatabaseError) as error:
        return [Problem("file", str(project_path), str(error))]


def _problems(path: Path, db: Database, parts: Sequence[_Part]) -> list[Problem]:
    """The findings of these parts of the check; a part that cannot even read its rows says so."""
    found: list[Problem] = []
    for kind, part in parts:
        try:
            found += (Problem(kind, where, message) for where, message in part(path, db))
        except (sqlite3.Error, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            found.append(Problem(kind, str(path), f"cannot be read ({error})"))
    return found


def _file(path: Path, db: Database) -> _Faults:
    for (message,) in db.execute("PRAGMA integrity_check(20)"):
        if message != "ok":
            yield str(path), message
    for row in db.query("SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')"):
        yield f"{row['type']} {row['name']}", "no Casespan made it; it may change what is stored"
    for row in db.query("PRAGMA foreign_key_check"):
        yield f"{row['table']} row {row['rowid']}", f"its {row['parent']} is missing"


def _scheme(path: Path, db: Database) -> _Faults:
    try:
        stored_scheme(path, db)
    except DamagedProjectError as error:
        yield str(path), str(error)


def _texts(path: Path, db: Database) -> _Faults:
    for row in db.query(
        "SELECT sha256, text, (SELECT group_concat(key, ', ') FROM document "
        "WHERE text_sha256 = sha256) AS keys FROM text"
    ):
        if sha256(row["text"]) != row["sha256"]:
            where = f"document {row['keys']}" if row["keys"] else f"text {row['sha256'][:12]}"
            yield where, "the text was changed after it was stored"


def _sections(path: Path, db: Database) -> _Faults:
    sections: dict[str, list[dict[str, Any]]] = {}
    for row in db.query("SELECT * FROM section ORDER BY document, position"):
        sections.setdefault(row["document"], []).append(row)
    for row in db.query("SELECT uuid, key, text FROM document JOIN text ON sha256 = text_sha256"):
        own = [section_of(section) for section in sections.get(row["uuid"], ())]
        fault = tiling_fault(own, len(row["text"])) if own else ""
        if fault:
            yield f"document {row['key']}", fault


def _categories(path: Path, db: Database) -> _Faults:
    try:
        scheme = stored_scheme(path, db)
    except DamagedProjectError:
        return  # said by the scheme's own part
    found = ((table, key, category) for table, _, _, key, category in unknown_categories(db, scheme))
    for table, key, category in dict.fromkeys(found):
        yield f"document {key}", f"a row of {table} speaks of {category!r}, which the scheme lacks"


def unknown_categories(db: Database, scheme: Scheme) -> Iterator[tuple[str, str, str, str, str]]:
    """Rows that speak of a category that the scheme lacks, or whose list of them is none: table, UUID, report
    (UUID and key) and category."""
    unknown = "(category IS NULL OR category NOT IN (SELECT value FROM json_each(?1)))"
    yield from db.execute(
        "WITH list AS (SELECT 'section' AS named, uuid, document, categories AS said FROM section "
        "UNION ALL SELECT 'review', uuid, document, nothing_found FROM review "
        "UNION ALL SELECT 'review', uuid, document, looked_at FROM review "
        "UNION ALL SELECT 'decision', uuid, document, findings FROM decision), "
        # Most lists are the same: each is looked through once.
        "told AS (SELECT said, iif(type = 'object', value ->> 'category', value) AS category "
        "FROM (SELECT DISTINCT said FROM list), json_each(iif(json_valid(said), said, json_array(said)))), "
        "speaking AS (SELECT 'annotation' AS named, uuid, document, category FROM annotation "
        f"WHERE layer = 'category' AND {unknown} "
        f"UNION ALL SELECT 'region', uuid, document, category FROM region WHERE {unknown} "
        f"UNION ALL SELECT 'decision', uuid, document, category FROM decision WHERE {unknown} "
        "UNION ALL SELECT named, uuid, document, category "
        f"FROM list JOIN (SELECT * FROM told WHERE {unknown}) USING (said)) "
        "SELECT named, s.uuid, document, key, category FROM speaking s JOIN document d ON d.uuid = document "
        "ORDER BY d.position",
        [json.dumps(scheme.ids)],
    )


def _annotations(path: Path, db: Database) -> _Faults:
    texts = dict(db.execute("SELECT uuid, text FROM document JOIN text ON sha256 = text_sha256").fetchall())
    for row in db.query(
        "SELECT a.*, d.key FROM annotation a JOIN document d ON d.uuid = a.document "
        "ORDER BY d.position, a.category, a.rank"
    ):
        fault = span_fault(row, texts[row["document"]])
        if fault:
            where = f"document {row['key']}, {row['category']}, {row['quote'][:40]!r}"
            yield where, fault


def span_fault(row: Mapping[str, Any], text: str) -> str:
    """What is wrong with an annotation's place, "" if nothing is."""
    start, end = row["span_start"], row["span_end"]
    if start is None:
        return ""
    if not 0 <= start < end <= len(text):
        return f"its place {start}-{end} is outside the text"
    if text[start:end] != row["surface"]:
        return f"the text says {text[start:end][:40]!r} at its place"
    if context(text, start, end) != (row["context_left"], row["context_right"]):
        return "the text around its place is another"
    if row["grounding"] == "exact" and row["quote"] != row["surface"]:
        return "its quote is not the text at its place"
    return ""


_OF_HISTORY = (chain_faults, replay_faults, branch_faults, seal_faults)
_PARTS: tuple[_Part, ...] = (
    ("file", _file),
    ("scheme", _scheme),
    ("scheme", _categories),
    ("text", _texts),
    ("text", lambda _, db: prompt_faults(db)),
    ("item", lambda _, db: build_faults(db)),
    ("picture", lambda _, db: figure_faults(db)),
    ("section", _sections),
    ("annotation", _annotations),
    ("history", lambda _, db: chain.from_iterable(faults(db) for faults in _OF_HISTORY)),
    ("index", lambda _, db: index_faults(db)),
)
