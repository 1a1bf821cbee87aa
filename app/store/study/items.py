"""What studies ask: items, frozen by the build that brought them, and ratings of what was answered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID, uuid5

from app.store.faults import sound
from app.store.values import Cell, canonical, json_object, new_uuid, sha256
from extractors.grouping import grouped

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project
    from app.store.sqlite import Database


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item by UUID, with all that is in it as JSON (id, task, input, reference, labels, sources)."""

    uuid: str
    task: str
    id: str
    content: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Build:
    """One build or import of a study's items: how many, the digest over them, whose data they hold (`guard`,
    "" where nobody's), and what was said of it."""

    uuid: str
    study: str
    items: int
    digest: str
    guard: str
    summary: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ItemRating:
    """What a rater (name) says of a run's (UUID) answer about an item (UUID), or of the item ("" as run)."""

    subject: str
    run: str
    again: str
    rater: str
    kind: Literal["person", "judge"]
    scores: Mapping[str, Any]
    blind: bool = False


def add_items(
    act: Act, study: str, contents: Sequence[Mapping[str, Any]], guard: str, summary: Mapping[str, Any]
) -> Build:
    """Freeze items into the project: one row of history for all of them.

    Raises ProjectError (at the end of the act) for half a character.
    """
    texts = [canonical(content) for content in contents]
    hashes = [sha256(text) for text in texts]
    build = Build(new_uuid(), study, len(contents), digest_of(hashes), guard, dict(summary))
    db = act.project.db
    known = [{"sha256": one, "text": text} for one, text in zip(hashes, texts, strict=True)]
    db.table("text").insert_all(known, ignore=True)
    db.table("item").insert_all(
        {
            "uuid": item_uuid(build.uuid, position),
            "build": build.uuid,
            "position": position,
            "task": content["task"],
            "id": content["id"],
            "content_sha256": digest,
        }
        for position, (content, digest) in enumerate(zip(contents, hashes, strict=True))
    )
    row: dict[str, Cell] = {"uuid": build.uuid, "position": act.next_position("build"), "study": study}
    cells: dict[str, Cell] = {"items": build.items, "digest": build.digest, "guard": guard}
    act.insert("build", {**row, **cells, "summary": canonical(build.summary), "built_at": act.at})
    return build


def builds(project: Project, study: str | None = None) -> list[Build]:
    """The builds of a study, or of all, the earliest first; raises DamagedProjectError."""
    rows = project.tuples(
        "SELECT uuid, study, items, digest, guard, summary FROM build WHERE study = ifnull(?, study) "
        "ORDER BY position",
        [study],
    )
    with sound(project.path, "a study's build"):
        return [
            Build(uuid, of_study, number, digest, guard, json_object(summary))
            for uuid, of_study, number, digest, guard, summary in rows
        ]


def build_uuids(project: Project, study: str) -> tuple[str, ...]:
    """The builds of a study by UUID; quick."""
    rows = project.tuples("SELECT uuid FROM build WHERE study = ? ORDER BY position", [study])
    return tuple(uuid for (uuid,) in rows)


def items(project: Project, study: str) -> list[StoredItem]:
    """The items of a study in the order they came; raises DamagedProjectError."""
    rows = project.tuples(
        "SELECT i.uuid, i.task, i.id, t.text FROM item i JOIN build b ON b.uuid = i.build "
        "JOIN text t ON t.sha256 = i.content_sha256 WHERE b.study = ? ORDER BY b.position, i.position",
        [study],
    )
    with sound(project.path, "an item of a study"):
        return [StoredItem(uuid, task, name, json_object(text)) for uuid, task, name, text in rows]


def item_names(project: Project) -> dict[str, str]:
    """The ids of all items by their UUIDs."""
    return dict(project.tuples("SELECT uuid, id FROM item"))


def guards(project: Project) -> list[str]:
    """The licences that guard the project's data, also by builds that were undone, or of copies."""
    rows = project.query(
        "SELECT DISTINCT json_extract(after, '$.guard') AS guard FROM ("
        "SELECT table_name, after FROM history UNION ALL SELECT table_name, after FROM branch_row) "
        "WHERE table_name = 'build' AND after IS NOT NULL"
    )
    return sorted({row["guard"] for row in rows if row["guard"]})


def mark(act: Act, licences: Iterable[str]) -> None:
    """Have these licences guard the project, those that do not yet, though it has no items under them."""
    for licence in sorted(set(licences) - set(guards(act.project))):
        add_items(act, licence, [], licence, {})


def put_rating(act: Act, rating: ItemRating) -> None:
    """Store a rating in the place of an earlier one by the same rater."""
    key = {"subject": rating.subject, "run": rating.run, "again": rating.again, "rater": rating.rater}
    cells: dict[str, Cell] = {
        "kind": rating.kind,
        "scores": canonical(dict(rating.scores)),
        "blind": int(rating.blind),
        "rated_at": act.at,
    }
    act.put("item_rating", key, cells)


def item_ratings(project: Project, runs: Iterable[str], subject: str | None = None) -> list[ItemRating]:
    """The ratings of these runs' (UUIDs) answers, "" for those of items, about all or one subject (UUID).

    Raises DamagedProjectError where one cannot be read.
    """
    wanted = json.dumps(list(dict.fromkeys(runs)))
    rows = project.tuples(
        "SELECT subject, run, again, rater, kind, scores, blind FROM item_rating "
        "WHERE run IN (SELECT value FROM json_each(?)) AND subject = ifnull(?, subject) ORDER BY position",
        [wanted, subject],
    )
    with sound(project.path, "a rating"):
        return [
            ItemRating(about, run, again, rater, kind, json_object(scores), bool(blind))
            for about, run, again, rater, kind, scores, blind in rows
        ]


def build_faults(db: Database) -> Iterator[tuple[str, str]]:
    """Builds whose items are not those that came by them, undone ones among them: (where, what)."""
    hashes = grouped(db.execute("SELECT build, content_sha256 FROM item ORDER BY build, position"))
    for (words,) in db.execute(_BUILDS):
        row = json_object(words)
        own = hashes.pop(row["uuid"], [])
        where = f"study {row['study']}, build {row['uuid'][:8]}"
        if len(own) != row["items"]:
            yield where, f"it brought {row['items']} items, and {len(own)} are there"
        elif digest_of(own) != row["digest"]:
            yield where, "its items are not those that it brought"
    for build in hashes:
        yield f"build {build[:8]}", "it has items, and never was"
    for uuid, name, message in misnamed_items(db):
        yield f"item {name} ({uuid[:8]})", message


# That a build in its table is the one of the history is found elsewhere.
_BUILDS = """
SELECT coalesce(after, before) FROM history WHERE table_name = 'build' GROUP BY row HAVING seq = max(seq)
"""


def misnamed_items(db: Database) -> Iterator[tuple[str, str, str]]:
    """Items that are called otherwise than their build called them: (UUID, name, what)."""
    # Before there were names by place items had random ones; since there are, all builds have them.
    placed = {build for build, uuid in db.execute("SELECT build, uuid FROM item") if _by_place(uuid)}
    ordered = [build for (build,) in db.execute("SELECT uuid FROM build ORDER BY built_at, position")]
    placed.update(dropwhile(lambda build: build not in placed, ordered))
    for uuid, build, position, task, name, text in db.execute(
        "SELECT uuid, build, position, task, id, text FROM item JOIN text ON sha256 = content_sha256"
    ):
        content = json_object(text)
        if build in placed and uuid != item_uuid(build, position):
            yield uuid, name, "its UUID was changed outside the program"
        if (content.get("task"), content.get("id")) != (task, name):
            yield uuid, name, "its name is not the one in it"


def item_uuid(build: str, position: int) -> str:
    """What answers call the item at a place of a build (UUID); no history row holds it."""
    return str(uuid5(UUID(build), str(position)))


def _by_place(uuid: str) -> bool:
    try:
        return UUID(uuid).version == 5
    except ValueError:
        return False


def digest_of(hashes: Sequence[str]) -> str:
    """What tells a build's items from others, by the hashes of what is in them, in their order."""
    return sha256("\n".join(hashes))
