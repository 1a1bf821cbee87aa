"""What annotators and reports are called, and where rows stand, once copies have come in whatever order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING

from app.store.unite.branches import ALL, UNMOVED
from app.store.values import Cell, json_object, sha256

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project
    from app.store.unite.changes import Cells
    from app.store.values import Cell

# What a merge under way brings is in no history yet, but in a branch.
_FIRST_RUN = f"""
SELECT json_extract(after, '$.settings') AS settings FROM {ALL}
WHERE table_name = 'run' AND verb = 'insert' AND json_extract(after, '$.annotator') = ? AND act NOT IN (
    SELECT act FROM history WHERE table_name = 'branch'
    UNION SELECT act FROM branch_row WHERE table_name = 'branch'
)
ORDER BY at, seq, settings LIMIT 1
"""
_NAME = """
SELECT min(json_extract(after, '$.name')) FROM (
    SELECT table_name, row, after FROM history UNION ALL SELECT table_name, row, after FROM branch_row
) WHERE table_name = 'annotator' AND row = ?1 AND json_extract(after, '$.name') <> ?1
"""
_CALLED = f"""
SELECT at, before, after FROM {ALL} WHERE table_name = 'document' AND verb <> 'delete' AND {UNMOVED}
"""


_Called = dict[tuple[str, str], tuple[str, str]]


def imported_keys(project: Project) -> dict[str, str]:
    """By the hash of a report's text the key that it was imported under first, whatever it is called now."""
    first, _ = _first_and_last(project)
    return {digest: key for (digest, column), (_, key) in first.items() if column == "key"}


def _first_and_last(project: Project) -> tuple[_Called, _Called]:
    """When, and how, reports were called first and last, by the hash of their text and the column."""
    first: _Called = {}
    last: _Called = {}
    for at, before, after in project.tuples(_CALLED):
        row, old = json_object(after), json_object(before) if before else {}
        for column in ("key", "title"):
            name, given = (row["text_sha256"], column), row[column]
            if not old:
                first[name] = min((row["added_at"], given), first.get(name, (row["added_at"], given)))
            elif old[column] != given:
                last[name] = max((at, given), last.get(name, (at, given)))
    return first, last


def name_reports(act: Act) -> None:
    """Call each report as it was renamed last, in whatever copy, or as it was first imported.

    Of several that would have one key the one that was called so first has it.
    """
    first, last = _first_and_last(act.project)
    claims = []
    for row in act.project.query("SELECT uuid, key, title, text_sha256 FROM document"):
        names = [(row["text_sha256"], column) for column in ("key", "title")]
        claim, (_, title) = (last.get(one) or first.get(one) or ("", row[one[1]]) for one in names)
        imported = first.get(names[0], claim)[1]
        claims.append((claim, imported, title, row))
    taken: dict[str, str] = {}
    titles = {}
    for (_, key), imported, title, row in sorted(claims, key=lambda one: (one[0], one[3]["text_sha256"])):
        key = next(one for one in chain((key, imported), _numbered(key)) if one not in taken)
        taken[key] = str(row["uuid"])
        titles[str(row["uuid"])] = title
    keys = {uuid: key for key, uuid in taken.items()}
    moved = [row for *_, row in claims if keys[row["uuid"]] != row["key"]]
    # First out of each other's way.
    for row in (one for one in moved if one["key"] in taken):
        act.update("document", row["uuid"], {"key": row["uuid"]})
    for uuid, key in keys.items():
        act.update("document", uuid, {"key": key, "title": titles[uuid]})


def name_new(project: Project, table: str, rows: Sequence[Cells]) -> None:
    """Give new rows names that nothing here has."""
    for row in rows if table == "annotator" else ():
        like = [one for one in rows if one["name"] == row["name"]]
        if like[1:] or project.tuples("SELECT 1 FROM annotator WHERE name = ?", [row["name"]]):
            row["name"] = row["uuid"]
    if table == "document":
        keys = {key for (key,) in project.tuples("SELECT key FROM document")}
        for row in rows:
            # Reports get their keys once all has come, those of which no history tells this one.
            names = chain((row["key"],), _numbered(str(row["key"])))
            row["key"] = next(one for one in names if one not in keys)
            keys.add(row["key"])
    for row in rows if table == "run" else ():
        name_run(project, row)


def name_run(project: Project, run: Cells) -> None:
    """Call a run as its annotator, whose name may be another one here."""
    here = project.tuples("SELECT name FROM annotator WHERE uuid = ?", [run["annotator"]])
    run["name"] = here[0][0] if here else run["name"]


def _numbered(key: str) -> Iterator[str]:
    """What a report may be called whose key another has."""
    return (f"{key}-{number}" for number in count(2))


def same_annotators(project: Project, other: Project, rows: Mapping[str, Cells]) -> dict[str, str]:
    """Which annotators (UUIDs) of another project, of which the `rows` are new, are which here.

    People are the same by their names, runs by the settings of their first run as well.
    """
    here: dict[tuple[str, bool], dict[str, str]] = {}
    for row in project.query("SELECT * FROM annotator ORDER BY name"):
        name, mark = told(project, row["uuid"], row["kind"])
        here.setdefault((name, row["kind"] == "run"), {})[mark] = str(row["uuid"])
    same: dict[str, str] = {}
    for theirs, row in rows.items():
        name, mark = told(other, theirs, row["kind"])
        known = here.get((name, row["kind"] == "run"), {})
        # Who has no run is told by the name alone.
        like = known.get(mark) or (next(iter(known.values()), "") if not mark or "" in known else "")
        if like:
            same[theirs] = like
    return same


def name_annotators(act: Act) -> None:
    """Of several runs that only share a name all but one get their settings' hash behind it, and all of them
    where a person has it."""
    rows = act.project.tuples("SELECT uuid, name, kind FROM annotator")
    claims = sorted(
        (kind == "run", told(act.project, uuid, kind) if uuid == name or kind == "run" else (name, ""), uuid)
        for uuid, name, kind in rows
    )
    # Who is called so from the first has a name before those who would get it.
    taken = {first: uuid for _, (first, _), uuid in reversed(claims)}
    for _, (first, mark), uuid in claims:
        name = first
        while taken.setdefault(name, uuid) != uuid:
            name += f" ({mark})"
    # First out of each other's way.
    for uuid, name, _ in rows:
        if taken.get(name, uuid) != uuid:
            act.update("annotator", uuid, {"name": uuid})
    for name, uuid in taken.items():
        act.update("annotator", uuid, {"name": name})
    for run in act.project.query("SELECT * FROM run"):
        name_run(act.project, run)
        act.update("run", run["uuid"], run)


def told(project: Project, annotator: str, kind: Cell) -> tuple[str, str]:
    """What an annotator (UUID) was called at first, and what tells a run from others of that name."""
    first = project.tuples(_FIRST_RUN, [annotator]) if kind == "run" else []
    mark = sha256(first[0][0])[:6] if first else ""
    ((name,),) = project.tuples(_NAME, [annotator])
    return str(name or annotator), mark


# The tables in which no two rows may have the same position.
ORDERED = frozenset(
    "document run generation decision amendment gold_build build answer item_rating carried".split()
)
_FIRST = f"""
SELECT row, json_extract(after, '$.position') FROM {ALL}
WHERE table_name = ?1 AND verb = 'insert' AND {UNMOVED}
"""


def _first_places(act: Act, table: str, same: Mapping[str, str]) -> dict[str, tuple[int, str, int]]:
    """Where each row was made first, itself or by the name that it has elsewhere, the least such name, and
    where it was made itself."""
    least: dict[str, tuple[int, str]] = {}
    own: dict[str, int] = {}
    for row, position in act.project.tuples(_FIRST, [table]):
        key = same.get(row, row)
        least[key] = min((position, row), least.get(key, (position, row)))
        own[row] = min(position, own.get(row, position))
    return {row: (*least[same.get(row, row)], place) for row, place in own.items()}


def make_room(act: Act, table: str, coming: Sequence[dict[str, Cell]], same: Mapping[str, str]) -> None:
    """Set the positions of rows that are to come, and move those there out of their way.

    `same` has one name for all the UUIDs of rows that are the same, made apart.

    Each row keeps the place it was made with (the first, where it was made more than once), or takes the next
    free one after rows made with the same or an earlier one; so the order follows from all rows together.
    """
    there: dict[str, int] = dict(act.project.tuples(f"SELECT uuid, position FROM {table}"))
    first = _first_places(act, table, same)
    new = {str(row["uuid"]): row for row in coming}
    asked = {**there, **{uuid: int(row["position"] or 0) for uuid, row in new.items()}}
    last, moved = -1, []
    for uuid in sorted(asked, key=lambda one: first.get(one, (asked[one], one, 0))):
        last = max(first[uuid][0] if uuid in first else asked[uuid], last + 1)
        if uuid in new:
            new[uuid]["position"] = last
        elif last != there[uuid]:
            moved.append((uuid, last))
    # Those that move up from above, so that each finds its place free, once the others are out of the way.
    down = [one for one in moved if one[1] < there[one[0]]]
    behind = max([last, *there.values()]) + 1
    aside = [(uuid, behind + place) for place, (uuid, _) in enumerate(down)]
    up = [one for one in reversed(moved) if one not in down]
    for uuid, position in (*aside, *up, *down):
        act.update(table, uuid, {"position": position})
