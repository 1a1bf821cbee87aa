"""The other versions of annotations that two copies changed, as a set beside the annotator's own."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.store.annotate.annotations import remove_annotations
from app.store.unite.branches import named_by
from app.store.unite.changes import Cells
from app.store.unite.rules import version_of
from app.store.unite.standing import foreign_keys, stood_on
from app.store.values import Cell, canonical, strings

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project
    from app.store.unite.changes import Cells
    from app.store.values import Cell


@dataclass(frozen=True, slots=True)
class OtherSet:
    """A set that holds the other versions of an annotator's (`holder`) annotations: both UUID and name."""

    holder: tuple[str, str]
    copy: tuple[str, str]


def other_sets(project: Project) -> list[OtherSet]:
    """Every such set that there is, by name."""
    names: dict[str, str] = dict(project.tuples("SELECT uuid, name FROM annotator"))
    found = []
    for holder, name in sorted(names.items(), key=lambda one: one[1]):
        number = 0
        while (copy := _copy_uuid(holder, number)) in names:
            found.append(OtherSet((holder, name), (copy, names[copy])))
            number += 1
    return found


def reports_of(project: Project, annotator: str) -> list[str]:
    """The reports (UUIDs) in which an annotator (UUID) has annotations that have other versions."""
    rows = project.tuples("SELECT DISTINCT document FROM other_version WHERE annotator = ?", [annotator])
    return [document for (document,) in rows]


def lay_out_versions(act: Act, pairs: Collection[tuple[str, str]]) -> None:
    """Make the sets of other versions follow from what is kept of reports and annotators (UUIDs).

    Such a set has, in each category of a report where versions differ, all that the annotator has, with the
    other version in the place of the one that holds: so the two differ in nothing else.
    """
    for document, holder in sorted(set(pairs)):
        kept = act.project.tuples(
            "SELECT annotation, version FROM other_version WHERE document = ? AND annotator = ? "
            "ORDER BY annotation, version DESC",
            [document, holder],
        )
        versions: dict[str, list[str]] = {}
        for annotation, version in kept:
            versions.setdefault(annotation, []).append(version)
        number = 0
        # A set that is no longer needed is emptied, too.
        while number < max(map(len, versions.values()), default=0) or _is_there(act, holder, number):
            some = {uuid: all_[number] for uuid, all_ in versions.items() if number < len(all_)}
            _lay_out(act, document, holder, number, some)
            number += 1
    _take_out_empty(act, {holder for _, holder in pairs})


def _take_out_empty(act: Act, holders: Collection[str]) -> None:
    """Sets that stand for nothing any more go, unless something was said of them."""
    foreign = foreign_keys(act.project)
    copies = [one.copy[0] for one in other_sets(act.project) if one.holder[0] in holders]
    for copy in reversed(copies):
        rows = act.project.tuples(
            "SELECT uuid, looked_at FROM review WHERE annotator = ? "
            "AND NOT EXISTS (SELECT 1 FROM annotation a WHERE a.annotator = review.annotator "
            "AND a.document = review.document)",
            [copy],
        )
        act.delete_all("review", [uuid for uuid, looked_at in rows if looked_at == "[]"])
        if not stood_on(act.project, foreign, "annotator", copy):
            act.delete("annotator", copy)


def _lay_out(act: Act, document: str, holder: str, number: int, versions: Mapping[str, str]) -> None:
    copy = _copy_of(act, holder, number)
    rows = act.project.query(
        "SELECT * FROM annotation WHERE document = ? AND annotator = ? AND layer = 'category'",
        [document, holder],
    )
    main = {str(row["uuid"]): row for row in rows}
    changed = {
        uuid: {**main.get(uuid, {}), **json.loads(version)} if version else None
        for uuid, version in versions.items()
    }
    touched = {str(row["category"]) for row in changed.values() if row is not None}
    touched |= {str(main[uuid]["category"]) for uuid in versions if uuid in main}
    wanted: dict[str, Cells] = {}
    for uuid in sorted({*main, *changed}):
        row = changed[uuid] if uuid in changed else main[uuid]
        if row is not None and (uuid in changed or row["category"] in touched):
            name = named_by("copy", copy, uuid)
            rank = main[uuid]["rank"] if uuid in main else 0
            wanted[name] = {**row, "uuid": name, "document": document, "annotator": copy, "rank": rank}
    _replace(act, document, copy, wanted)
    _look(act, document, copy, touched, max((str(row["created_at"]) for row in main.values()), default=""))


def _replace(act: Act, document: str, copy: str, wanted: Mapping[str, Cells]) -> None:
    there = act.project.query(
        "SELECT * FROM annotation WHERE document = ? AND annotator = ?", [document, copy]
    )
    remove_annotations(act, [row["uuid"] for row in there if row["uuid"] not in wanted])
    known = {row["uuid"] for row in there}
    for uuid in known & wanted.keys():
        act.update("annotation", uuid, wanted[uuid])
    act.insert_all("annotation", [row for uuid, row in wanted.items() if uuid not in known])


def _look(act: Act, document: str, copy: str, touched: Collection[str], at: str) -> None:
    """The set has looked at the categories in which it stands for something, and at no others."""
    uuid = named_by("review", copy, document)
    looked = canonical([category for category in act.project.scheme.ids if category in touched])
    rows = act.project.query("SELECT uuid FROM review WHERE uuid = ?", [uuid])
    cells: dict[str, Cell] = {"looked_at": looked, "changed_at": at}
    if rows:
        act.update("review", uuid, cells)
    elif touched:
        row: dict[str, Cell] = {"uuid": uuid, "document": document, "annotator": copy}
        act.insert("review", {**row, **cells, "state": "in progress", "nothing_found": "[]"})


def _copy_uuid(holder: str, number: int) -> str:
    return named_by("other", holder, str(number))


def _is_there(act: Act, holder: str, number: int) -> bool:
    return bool(act.project.tuples("SELECT 1 FROM annotator WHERE uuid = ?", [_copy_uuid(holder, number)]))


def _copy_of(act: Act, holder: str, number: int) -> str:
    """The annotator that holds the other versions, added where there is none."""
    uuid = _copy_uuid(holder, number)
    if not _is_there(act, holder, number):
        of = act.rows("annotator", [holder])[0]
        name = f"{of['name']} (copy{f' {number + 1}' if number else ''})"
        while act.project.tuples("SELECT 1 FROM annotator WHERE name = ?", [name]):
            name += "*"
        act.insert("annotator", {**of, "uuid": uuid, "name": name, "kind": "person"})
    return uuid


def clear_statements(act: Act, pairs: Iterable[tuple[str, str]]) -> None:
    """Nobody states that there is nothing of a category where a copy brought what was found."""
    for document, holder in sorted(set(pairs)):
        rows = act.project.query(
            "SELECT uuid, nothing_found FROM review WHERE document = ? AND annotator = ?", [document, holder]
        )
        if not rows or rows[0]["nothing_found"] == "[]":
            continue
        found = act.project.tuples(
            "SELECT DISTINCT category FROM annotation WHERE document = ? AND annotator = ?",
            [document, holder],
        )
        stated = strings(rows[0]["nothing_found"])
        left = [category for category in stated if (category,) not in found]
        act.update("review", rows[0]["uuid"], {"nothing_found": canonical(left)})


def keep_versions(act: Act, annotation: Cells, versions: Sequence[Cells | None]) -> None:
    """Let these versions of an annotation wait, None where it was deleted, and no others."""
    waiting: dict[str, str] = dict(
        act.project.tuples(
            "SELECT version, uuid FROM other_version WHERE annotation = ?", [annotation["uuid"]]
        )
    )
    wanted = {version_of(one) for one in versions}
    act.delete_all("other_version", [uuid for value, uuid in waiting.items() if value not in wanted])
    new: list[dict[str, Cell]] = [
        {
            "uuid": named_by("version", str(annotation["uuid"]), value),
            "document": annotation["document"],
            "annotator": annotation["annotator"],
            "annotation": annotation["uuid"],
            "version": value,
        }
        for value in sorted(wanted - waiting.keys())
    ]
    act.insert_all("other_version", new)
