"""Packets: who was given which reports, and a project file for each that holds nobody else's work."""

from __future__ import annotations

import json
import stat
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.store import database
from app.store.act import Act, Header
from app.store.chain import TRACKED, read_chain
from app.store.project import Project
from app.store.sqlite import Database, insert_rows
from app.store.study.items import guards, mark
from app.store.values import Cell, new_uuid

if TYPE_CHECKING:
    from app.store.annotate.annotators import Annotator

# What of each table goes into a packet, by one parameter: {"annotator", "packet", "documents"}. Other tables
# hold others' work.
_MINE = "annotator = json_extract(?1, '$.annotator')"
_GIVEN = "document IN (SELECT value FROM json_each(?1, '$.documents'))"
_CONTENTS: Mapping[str, str] = {
    "scheme_file": "?1 <> ''",
    "annotator": "uuid = json_extract(?1, '$.annotator')",
    "document": "uuid IN (SELECT value FROM json_each(?1, '$.documents'))",
    "section": _GIVEN,
    "figures": _GIVEN,
    "annotation": f"{_MINE} AND {_GIVEN}",
    "concept": f"annotation IN (SELECT uuid FROM annotation WHERE {_MINE} AND {_GIVEN})",
    "carried": f"{_MINE} AND {_GIVEN}",
    "label_meaning": "?1 <> ''",
    "region": f"{_MINE} AND {_GIVEN}",
    "review": f"{_MINE} AND {_GIVEN}",
    "amendment": "?1 <> ''",
    "packet": "uuid = json_extract(?1, '$.packet')",
    "assignment": f"{_MINE} AND {_GIVEN}",
}
_TEXTS = """
SELECT sha256, text FROM text WHERE sha256 IN (
    SELECT text_sha256 FROM scheme_file
    UNION SELECT before_sha256 FROM amendment UNION SELECT after_sha256 FROM amendment
    UNION SELECT text_sha256 FROM document WHERE uuid IN (SELECT value FROM json_each(?1, '$.documents'))
    UNION SELECT digest FROM figures WHERE document IN (SELECT value FROM json_each(?1, '$.documents')))
"""
_PICTURES = """
SELECT p.* FROM picture p WHERE sha256 IN (
    SELECT json_extract(i.value, '$.sha256') FROM figures f JOIN text t ON t.sha256 = f.digest,
    json_each(t.text) g, json_each(g.value, '$.images') i
    WHERE f.document IN (SELECT value FROM json_each(?1, '$.documents')))
"""


@dataclass(frozen=True, slots=True)
class Packet:
    """A packet of an annotator (name): the base it was cut at (`head` and `count` of the chain), and how."""

    uuid: str
    annotator: str
    head: str
    count: int
    overlap: int
    seed: int
    cut_at: str


@dataclass(frozen=True, slots=True)
class Assignment:
    """A report (UUID) of so many words that an annotator (UUID) was given."""

    document: str
    annotator: str
    words: int
    assigned_at: str


def add_packet(
    act: Act, annotator: Annotator, words: Mapping[str, int], *, overlap: int, seed: int
) -> Packet:
    """Record that an annotator is given reports (UUIDs, with their words); those had before stay."""
    head, count = read_chain(act.project.db)
    packet = Packet(new_uuid(), annotator.name, head, count, overlap, seed, act.at)
    act.insert("packet", asdict(packet))
    had = {one.document for one in assignments(act.project) if one.annotator == annotator.uuid}
    new: list[dict[str, Cell]] = [
        {
            "uuid": new_uuid(),
            "document": document,
            "annotator": annotator.uuid,
            "words": number,
            "assigned_at": act.at,
        }
        for document, number in words.items()
        if document not in had
    ]
    act.insert_all("assignment", new)
    return packet


def assignments(project: Project) -> list[Assignment]:
    """Who was given what, by annotator and in the order of the reports."""
    rows = project.query(
        "SELECT s.document, s.annotator, s.words, s.assigned_at FROM assignment s "
        "JOIN document d ON d.uuid = s.document JOIN annotator a ON a.uuid = s.annotator "
        "ORDER BY a.name, d.position"
    )
    return [Assignment(**row) for row in rows]


def write_packet(
    project: Project, path: Path, packet: Packet, annotator: Annotator, documents: Sequence[str]
) -> None:
    """Write a project file with these reports (UUIDs), the guidelines and the annotator's own work.

    Raises ProjectError where `path` exists, StorageError where it cannot be written.
    """
    wanted = json.dumps({"annotator": annotator.uuid, "packet": packet.uuid, "documents": list(documents)})

    def fill(db: Database) -> None:
        copy = Project(path, db, project.scheme, None)
        db.table("text").insert_all(project.query(_TEXTS, [wanted]), ignore=True)
        for picture in project.db.query(_PICTURES, [wanted]):
            insert_rows(db, "picture", [picture])
        act = Act(copy, Header("cut packet", annotator.name, undoable=False))
        for table in TRACKED:
            if table in _CONTENTS:
                rows = project.query(
                    f"SELECT * FROM {table} WHERE {_CONTENTS[table]} ORDER BY rowid", [wanted]
                )
                act.insert_all(table, rows)
        mark(act, guards(project))
        db.table("meta").insert({"key": "owner", "value": annotator.name})
        act.write_history()

    database.create_database(path, fill, project.db.key)
    if guards(project):
        path.chmod(stat.S_IRUSR | stat.S_IWUSR)
