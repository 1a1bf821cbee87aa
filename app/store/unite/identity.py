"""Which rows of all histories that a project knows are the same, made apart under other UUIDs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from app.store.chain import present_names
from app.store.study.items import item_uuid
from app.store.unite.branches import ALL
from app.store.unite.changes import Cells, Change, item_places, rows_of
from app.store.unite.lineage import Lineage
from app.store.unite.names import same_annotators, told
from app.store.unite.rules import KEYS, LINKS, MADE, NAMED

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.values import Cell

_MADE_ROWS = f"""
SELECT chain, min(seq), row, after FROM {ALL} WHERE table_name = ?1 AND verb = 'insert'
AND act NOT IN (SELECT value FROM json_each(?2)) AND ({{some}}) GROUP BY chain, row ORDER BY chain, seq
"""

# Of many rows only those are looked for that several histories made of what this column names.
_MADE_OF = {
    **dict.fromkeys(MADE, "annotator"),
    "concept": "annotation",
    "answer": "run",
    "item_rating": "run",
}
_SEVERAL = f"""
SELECT table_name, row, json_group_array(DISTINCT chain), max(coalesce(after, before)) FROM {ALL}
WHERE act NOT IN (SELECT value FROM json_each(?)) GROUP BY table_name, row HAVING count(DISTINCT chain) > 1
"""
_BROUGHT = """
SELECT table_name, row, max(coalesce(after, before)) FROM history
WHERE act IN (SELECT value FROM json_each(?1)) AND table_name LIKE ?2 GROUP BY table_name, row
"""
_MAKERS = f"""
SELECT DISTINCT json_extract(after, '$.{{column}}'), chain FROM {ALL} WHERE table_name = ?1
AND verb = 'insert' AND act NOT IN (SELECT value FROM json_each(?2))
"""
_BUILDS = f"""
WITH made AS (SELECT DISTINCT row, json_extract(after, '$.study') || json_extract(after, '$.digest') AS told
FROM {ALL} WHERE table_name = 'build' AND verb = 'insert')
SELECT one.row, min(other.row) FROM made one JOIN made other USING (told) GROUP BY one.row
"""
_IN = "json_extract(after, '$.{column}') IN (SELECT value FROM json_each(?3))"


class Identity:
    """Of each row the UUIDs that it goes by; `links` says which rows here stand for those of other copies.

    `items` are the builds (UUIDs) and places of all items of studies.
    """

    def __init__(
        self, project: Project, other: Project, lineage: Lineage, links: dict[str, str], chain: str
    ) -> None:
        self._project, self._other = project, other
        self._lineage, self._links, self._chain = lineage, links, chain
        self._first: dict[str, str] = {}
        self._holders: dict[str, str] = {}
        same: dict[str, set[str]] = {}
        for uuid, digest in lineage.reports.items():
            same.setdefault(digest, set()).add(uuid)
        for uuids in same.values():
            self._first |= dict.fromkeys(uuids, min(uuids))
        for uuid, kind in lineage.holders.items():
            self._holders[uuid] = "/".join(told(project, uuid, kind))
        self.items = item_places(project, other)
        self._names = {place: uuid for uuid, place in self.items.items()}
        builds = dict(project.tuples(_BUILDS))
        for uuid, (build, at) in self.items.items():
            # Copies that met call the items of one build by the names of either.
            self._first[uuid] = item_uuid(builds.get(build, build), at)
        # What runs gave is told by theirs.
        self.classes("run", {uuid: json.loads(after) for *_, uuid, after in self._inserted("run", "1")})

    def called(self, uuid: str) -> str:
        """What a row, or an item of a build, that goes by this UUID anywhere is called here."""
        build, at = self.items.get(uuid, ("", 0))
        return self._names[self._links.get(build, build), at] if build else self._links.get(uuid, uuid)

    def known_as(self, table: str, rows: Mapping[str, Cells]) -> dict[str, Cells]:
        """The rows here that are the same as rows of the other project, by the UUIDs of these: linked."""
        if not rows:
            return {}
        if table == "annotator":
            pairs = same_annotators(self._project, self._other, rows)
            classes = {uuid: frozenset({here}) for uuid, here in pairs.items()}
        else:
            classes = self.classes(table, rows)
        here = rows_of(self._project, table, sorted(frozenset[str]().union(*classes.values())))
        same = {uuid: min(names & here.keys()) for uuid, names in classes.items() if names & here.keys()}
        self._links.update(same)
        return {uuid: here[one] for uuid, one in same.items()}

    def classes(self, table: str, rows: Mapping[str, Cells]) -> dict[str, frozenset[str]]:
        """By UUID of the rows all UUIDs of the same row."""
        if table in NAMED:
            found = self._named(table, rows)
        elif table in MADE:
            found = self._made(table, rows)
        else:
            found = {}
        classes = {uuid: found.get(uuid, frozenset({uuid})) for uuid in rows}
        for uuids in classes.values():
            if len(uuids) > 1:
                self._first |= dict.fromkeys(uuids, min(uuids))
        return classes

    def brought(self, table: str) -> dict[str, dict[str, Change]]:
        """What was changed where copies came, of a table or of all ("%"): by table and UUID.

        Statements that were taken back because of what a copy brought may stand again, and what was taken for
        another's may be told from it by what came since.
        """
        rows = self._project.tuples(_BROUGHT, [json.dumps(sorted(self._lineage.meetings)), table])
        found: dict[str, dict[str, Change]] = {}
        for name, uuid, words in rows:
            found.setdefault(name, {})[uuid] = Change.of(present_names(name, json.loads(words)))
        return found

    def shared(self) -> dict[str, dict[str, Change]]:
        """What several histories speak of, and what may be the same, made apart: by table and UUID."""
        found = self.brought("%")
        meetings = json.dumps(sorted(self._lineage.meetings))
        for table, uuid, chains, words in self._project.tuples(_SEVERAL, [meetings]):
            if not self._lineage.goes_on(json.loads(chains)):
                found.setdefault(table, {})[uuid] = Change.of(json.loads(words))
        for table in (*MADE, *NAMED):
            column = _MADE_OF.get(table, "")
            # What is not here may have been taken for another till now.
            some = f"{_IN.format(column=column)} OR row NOT IN (SELECT uuid FROM {table})" if column else "1"
            given = [self._by_several(table, column)] if column else []
            for chain, _, uuid, after in self._inserted(table, some, *given):
                if chain:
                    found.setdefault(table, {})[uuid] = Change.of(json.loads(after))
        return found

    def _by_several(self, table: str, column: str) -> list[str]:
        """What (UUIDs) the rows are of that several histories made."""
        chains: dict[Cell, set[str]] = {}
        meetings = json.dumps(sorted(self._lineage.meetings))
        made = self._project.tuples(_MAKERS.format(column=column), [table, meetings])
        for uuid, chain in made:
            chains.setdefault(self._told(uuid), set()).add(chain)
        return [uuid for uuid, _ in made if len(chains[self._told(uuid)]) > 1]

    def _key(self, table: str, row: Cells) -> tuple[Cell, ...]:
        return tuple(self._told(row[name]) if name in LINKS else row[name] for name in KEYS[table])

    def _told(self, cell: Cell) -> Cell:
        uuid = str(cell)
        return self._first.get(uuid) or self._holders.get(uuid) or self._links.get(uuid) or cell

    def _named(self, table: str, rows: Mapping[str, Cells]) -> dict[str, frozenset[str]]:
        # Concepts are many.
        some, *wanted = self._some("document", rows.values()) if table == "concept" else ("1",)
        made = {
            uuid: self._key(table, json.loads(after))
            for *_, uuid, after in self._inserted(table, some, *wanted)
        }
        # Builds that brought no items are told by nothing, others by what they were made as: what is said
        # where copies come together may be told by less.
        keys = {
            uuid: made.get(uuid) or self._key(table, row) for uuid, row in rows.items() if row.get("items", 1)
        }
        same: dict[tuple[Cell, ...], set[str]] = {key: set() for key in keys.values()}
        for uuid, key in (made | keys).items():
            if key in same:
                same[key].add(uuid)
        return {uuid: frozenset(same[key]) for uuid, key in keys.items()}

    def _made(self, table: str, rows: Mapping[str, Cells]) -> dict[str, frozenset[str]]:
        """The n-th that a copy made of what is alike is the n-th of every other."""
        some, wanted = self._some("annotator", rows.values())
        others = (self._lineage.makers(table, one) for one in self._lineage.chains() if one != self._chain)
        if all(made.isdisjoint(wanted) for made in others):
            return {}
        found = list(self._inserted(table, some, wanted))
        if len({chain for chain, *_ in found}) < 2:
            return {}
        made: dict[tuple[Cell, ...], list[tuple[str, int, str]]] = {}
        for chain, seq, uuid, after in found:
            made.setdefault(self._key(table, json.loads(after)), []).append((chain, seq, uuid))
        same: dict[tuple[Any, ...], set[str]] = {}
        for key, places in made.items():
            seen = set[str]()
            for chain, seq, uuid in places:
                before = {
                    other
                    for where, place, other in places
                    if self._lineage.is_before((where, place), (chain, seq))
                }
                if uuid not in before and uuid not in seen:
                    seen.add(uuid)
                    same.setdefault((key, len(before)), set()).add(uuid)
        return {uuid: frozenset(group) for group in same.values() for uuid in group}

    def _some(self, column: str, rows: Iterable[Cells]) -> tuple[str, list[str]]:
        """Only what is of the annotators, or about the reports, in question."""
        told = {self._told(row[column]) for row in rows}
        known = {*self._holders, *self._first, *self._links, *(str(row[column]) for row in rows)}
        return _IN.format(column=column), [uuid for uuid in known if self._told(uuid) in told]

    def _inserted(self, table: str, some: str, *given: list[str]) -> list[tuple[str, int, str, str]]:
        meetings = json.dumps(sorted(self._lineage.meetings))
        return self._project.tuples(
            _MADE_ROWS.format(some=some), [table, meetings, *(json.dumps(one) for one in given)]
        )
