"""What became of a row in all histories that a project knows: the versions that nobody went on from."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.store.chain import present_names, read_chain
from app.store.unite.branches import ALL, told_of
from app.store.unite.rules import MADE, alike, version_of

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.unite.changes import Cells

_FOUND = told_of("{} AS chain, seq, hash, before, after, act, row, kind", "1")
# What says where histories met, and what is called how.
_LANDMARKS = """
SELECT seq, act, kind, target, verb, table_name, row, CASE table_name
    WHEN 'document' THEN json_extract(after, '$.text_sha256')
    WHEN 'annotator' THEN json_extract(after, '$.kind')
END FROM {} AND table_name IN ('branch', 'document', 'annotator') ORDER BY seq
"""
_FIRST_ACT = "SELECT seq FROM {0} AND act <> (SELECT act FROM {0} AND seq = 1) ORDER BY seq LIMIT 1"
# What is made where a packet is cut, after what it was cut at.
_CUT_WITH = frozenset({"annotator", "packet", "assignment"})
# What the annotator of a packet made before it was cut, and guidelines, which follow from amendments.
_OWN_WORK = frozenset({"annotation", "concept", "carried", "region", "review", "scheme_file"})


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """What a row was made (None: taken out) by an act, and the acts' rows (hashes) that whoever did it knew.

    One that is only `given` came with a packet whose project is not known.
    """

    id: str
    cells: Cells | None
    past: frozenset[str]
    given: bool = False


Heads = frozenset[Version]
_NONE: Heads = frozenset()


@dataclass(frozen=True, slots=True)
class _Mark:
    """Copies (branches) that went into a chain at a place of it, or went out again."""

    act: str
    kind: str
    target: str
    branches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Event:
    """A row of a chain: what it says of a row, which was something `before`."""

    seq: int
    id: str
    before: str | None
    cells: Cells | None
    cut: bool


@dataclass(slots=True)
class Row:
    """A row under all UUIDs that it goes by: what each chain says of it, and what is worked out."""

    table: str
    made: set[str] = field(default_factory=set)
    events: dict[str, list[_Event]] = field(default_factory=dict)
    versions: dict[str, Version] = field(default_factory=dict)
    known: dict[tuple[str, int], Heads] = field(default_factory=dict)
    walking: set[tuple[str, int]] = field(default_factory=set)


class Lineage:
    """The histories that a project knows: its own and those of its branches, and where they part and meet."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._ends: dict[str, int] = {}
        self._packed: dict[str, tuple[dict[str, Any], int]] = {}
        self._bases: dict[str, tuple[str, int] | None] = {}
        self._clocks: dict[tuple[str, int], dict[str, int]] = {}
        self._marks: dict[str, list[tuple[int, _Mark]]] = {}
        self._made_by: dict[tuple[str, str], set[str]] = {}
        self.meetings: set[str] = set()
        self.reports: dict[str, str] = {}
        self.holders: dict[str, str] = {}
        self.learn()

    def learn(self) -> set[str]:
        """Take note of the histories that came since; the branches of which the base was unknown till now."""
        waiting = {chain for chain, base in self._bases.items() if base is None and chain in self._packed}
        branches = self._project.tuples("SELECT uuid, count, base_count, base_head FROM branch")
        new = [("", read_chain(self._project.db)[1], 0, ""), *branches]
        for chain, count, *_ in new:
            if chain not in self._ends:
                self._ends[chain] = count
                self._note(chain)
        self._clocks = {}
        for chain, _, base_count, base_head in new:
            if self._bases.get(chain) is None:
                self._bases[chain] = self._base(chain, base_count, base_head)
        return {chain for chain in waiting if self._bases[chain] is not None}

    def _note(self, chain: str) -> None:
        """Read where other histories met this one, and how reports and annotators are called in it."""
        rows = "branch_row WHERE branch = ?1" if chain else "history WHERE ?1 = ''"
        acts: dict[str, tuple[int, str, str, list[str]]] = {}
        for seq, act, kind, target, verb, table, row, words in self._project.tuples(
            _LANDMARKS.format(rows), [chain]
        ):
            if table == "branch":
                acts.setdefault(act, (seq, kind, target, []))[3].append(row)
            elif verb == "insert" and table == "document":
                self.reports[row] = words
            elif verb == "insert":
                self.holders[row] = words
        for act, (seq, kind, target, met) in acts.items():
            self._marks.setdefault(chain, []).append((seq, _Mark(act, kind, target, tuple(met))))
            self.meetings.add(act)
        after = self._project.tuples(_FIRST_ACT.format(rows), [chain])
        last = after[0][0] - 1 if after else self._ends[chain]
        for (packet,) in self._project.tuples(
            f"SELECT after FROM {rows} AND seq <= ?2 AND table_name = 'packet' AND verb = 'insert' "
            f"AND act = (SELECT act FROM {rows} AND seq = 1)",
            [chain, last],
        ):
            self._packed[chain] = json.loads(packet), last

    def met(self) -> bool:
        """Whether copies have come that others had come into, or that are of a project that is not known."""
        return any(chain and (chain in self._marks or not base) for chain, base in self._bases.items())

    def goes_on(self, chains: Sequence[str]) -> bool:
        """Whether of two histories one is a copy that went on from the other."""
        return len(chains) == 2 and any(
            (self._bases[one] or ("",))[0] == other and one for one, other in (chains, chains[::-1])
        )

    def elsewhere(self, table: str, uuids: Collection[str], chain: str) -> set[str]:
        """Those of the rows of which anything is said outside that chain and what it was copied from.

        So is what an act only brought from others.
        """
        base, count = self._bases[chain] or ("", 0)
        rows = self._project.tuples(
            told_of(
                "row",
                "act IN (SELECT value FROM json_each(?6)) OR {0} <> ?3 AND NOT ({0} = ?4 AND seq <= ?5)",
            ),
            [table, json.dumps([*uuids]), chain, base, count, json.dumps([*self.meetings])],
        )
        return {uuid for (uuid,) in rows}

    def makers(self, table: str, chain: str) -> set[str]:
        """The annotators (UUIDs) of whom rows were made in a history, by other acts than brought others."""
        if (table, chain) not in self._made_by:
            rows = "branch_row WHERE branch = ?1" if chain else "history WHERE ?1 = ''"
            asked = (
                f"SELECT DISTINCT json_extract(after, '$.annotator') FROM {rows} AND table_name = ?2 "
                "AND verb = 'insert' AND act NOT IN (SELECT value FROM json_each(?3))"
            )
            given = [chain, table, json.dumps([*self.meetings])]
            self._made_by[table, chain] = {uuid for (uuid,) in self._project.tuples(asked, given)}
        return self._made_by[table, chain]

    def chains(self) -> list[str]:
        """The histories that are known: "" for the project's own, and its branches (UUIDs)."""
        return [*self._ends]

    def read(self, table: str, classes: Iterable[Collection[str]]) -> list[Row]:
        """What is known of rows, each by all UUIDs that it goes by."""
        groups = [frozenset(one) for one in classes]
        if not groups:
            return []
        place = {uuid: number for number, group in enumerate(groups) for uuid in group}
        rows, seen = [Row(table) for _ in groups], set[tuple[str, str]]()
        found = self._project.tuples(f"{_FOUND} ORDER BY chain, seq", [table, json.dumps([*place])])
        for chain, seq, digest, before, after, act, uuid, kind in found:
            cut = chain in self._packed and seq <= self._packed[chain][1]
            if act in self.meetings or (cut and self._bases[chain] and table not in _CUT_WITH):
                continue
            row, cells = rows[place[uuid]], _cells(table, after)
            if len(groups[place[uuid]]) > 1 and before is None and kind == "do" and (chain, uuid) not in seen:
                row.made.add(digest)
            seen.add((chain, uuid))
            row.events.setdefault(chain, []).append(_Event(seq, digest, before, cells, cut))
        return rows

    def parts(self, table: str, documents: Collection[str]) -> dict[str, Cells]:
        """What was ever said of rows of that table about reports (UUIDs), by UUID."""
        rows = self._project.tuples(
            f"SELECT row, after FROM {ALL} WHERE table_name = ? AND verb = 'insert' "
            "AND json_extract(after, '$.document') IN (SELECT value FROM json_each(?))",
            [table, json.dumps(sorted(documents))],
        )
        return {uuid: _cells(table, after) or {} for uuid, after in rows}

    def made(self, table: str, rows: Mapping[str, Collection[str]]) -> dict[str, tuple[str, int]]:
        """When each of the rows was made first, by whatever of its UUIDs, and where in that history."""
        place = {one: uuid for uuid, uuids in rows.items() for one in uuids}
        found: dict[str, tuple[str, int]] = {}
        for uuid, at, seq in self._project.tuples(
            f"SELECT row, at, seq FROM {ALL} WHERE table_name = ?1 AND verb = 'insert' AND act NOT IN "
            "(SELECT value FROM json_each(?2)) AND row IN (SELECT value FROM json_each(?3))",
            [table, json.dumps(sorted(self.meetings)), json.dumps([*place])],
        ):
            found[place[uuid]] = min((at, seq), found.get(place[uuid], (at, seq)))
        return found

    def last(self, table: str, uuid: str) -> dict[str, Cells]:
        """What was said of a row, by its UUID; empty where nothing ever was."""
        rows = self._project.tuples(
            f"SELECT after FROM {ALL} WHERE table_name = ? AND row = ? AND after IS NOT NULL LIMIT 1",
            [table, uuid],
        )
        return {uuid: _cells(table, rows[0][0]) or {}} if rows else {}

    def heads(self, row: Row) -> list[Version]:
        """The versions of a row that nobody went on from, in a fixed order."""
        heads = self._state(row, "", self._ends[""])
        for branch, count in self._ends.items():
            heads = _latest(heads | self._state(row, branch, count))
        if any(not one.given for one in heads):
            heads = frozenset(one for one in heads if not one.given)
        return _changed(row, sorted(heads, key=lambda one: one.id))

    def is_before(self, one: tuple[str, int], other: tuple[str, int]) -> bool:
        """Whether whoever wrote a row of a chain (by its number) knew that other one."""
        chain, seq = other
        return one[1] <= self._clock(chain, seq - 1).get(one[0], 0)

    def _clock(self, chain: str, upto: int) -> Mapping[str, int]:
        """How much of each chain was known where so many rows of one were written."""
        if (chain, upto) not in self._clocks:
            met = [step for seq, step in self._marks.get(chain, ()) if seq <= upto and step.kind == "do"]
            parts = [(one, self._ends[one]) for mark in met for one in mark.branches if one in self._ends]
            clock = {chain: upto}
            for part in [*parts, *filter(None, [self._bases[chain]])]:
                for one, number in self._clock(*part).items():
                    clock[one] = max(number, clock.get(one, 0))
            self._clocks[chain, upto] = clock
        return self._clocks[chain, upto]

    def _state(self, row: Row, chain: str, upto: int) -> Heads:
        """The versions of a row that stood in a chain after so many rows of it."""
        if (chain, upto) not in row.known:
            row.walking.add((chain, upto))
            base = self._bases[chain]
            heads = self._state(row, *base) if base else _NONE
            row.known[chain, upto] = self._walked(row, chain, upto, heads)
            row.walking.remove((chain, upto))
        return row.known[chain, upto]

    def _walked(self, row: Row, chain: str, upto: int, heads: Heads) -> Heads:
        steps: list[tuple[int, Any]] = [
            (one.seq, one) for one in row.events.get(chain, ()) if one.seq <= upto
        ]
        steps += [(seq, mark) for seq, mark in self._marks.get(chain, ()) if seq <= upto]
        met: dict[str, tuple[Heads, Heads]] = {}
        for _, step in sorted(steps, key=lambda one: one[0]):
            if not isinstance(step, _Mark):
                heads = self._gone_on(row, chain, heads, step)
            elif step.kind == "do":
                before = heads
                for branch in step.branches:
                    if branch in self._ends:
                        heads = _latest(heads | self._state(row, branch, self._ends[branch]))
                met[step.act] = before, heads
            elif step.target in met:
                before, after = met[step.target]
                left, came = (after, before) if step.kind == "undo" else (before, after)
                heads = came if heads == left else heads
        return heads

    def _gone_on(self, row: Row, chain: str, heads: Heads, event: _Event) -> Heads:
        """An act goes on from what stood; other versions of an annotation that is edited wait on."""
        if event.cut and (place := self._uncut(row, chain, event)):
            return self._state(row, *place)
        waiting = _NONE
        if (
            row.table == "annotation"
            and event.before is not None
            and event.cells is not None
            and len(heads) > 1
        ):
            stood = version_of(_cells(row.table, event.before))
            waiting = frozenset(one for one in heads if version_of(one.cells) != stood)
            waiting = waiting if len(waiting) < len(heads) else _NONE
        past = frozenset[str]().union(*({one.id, *one.past} for one in heads - waiting))
        given = event.cut and row.table not in _OWN_WORK
        # The same row of a history may stand in several branches.
        version = row.versions.setdefault(event.id, Version(event.id, event.cells, past, given))
        return waiting | {version}

    def _uncut(self, row: Row, chain: str, event: _Event) -> tuple[str, int] | None:
        """Where a row stood as a packet has it of a project that is not known.

        Of two such packets the one may have it of the other, never each of the other.
        """
        places = [
            (one.id, where, one.seq)
            for where, events in row.events.items()
            if where != chain and self._packet(where) < self._packet(chain)
            for one in events
            if not one.cut and _same(one.cells, event.cells) and (where, one.seq) not in row.walking
            if not self.is_before((chain, 1), (where, one.seq + 1))
        ]
        return min(places)[1:] if places else None

    def _packet(self, chain: str) -> str:
        """The packet that a chain is of, or was copied from, "" for what is none."""
        while chain not in self._packed:
            if (base := self._bases[chain]) is None:
                return ""
            chain = base[0]
        return str(self._packed[chain][0]["uuid"])

    def _base(self, chain: str, count: int, head: str) -> tuple[str, int] | None:
        """Where what a chain was copied, or cut, from stands."""
        if count == 0:
            if chain not in self._packed:
                return None
            packet = self._packed[chain][0]
            count, head = packet["count"], packet["head"]
        for (
            where,
            seq,
        ) in self._project.tuples(f"SELECT chain, seq FROM {ALL} WHERE seq = ? AND hash = ?", [count, head]):
            if where != chain:
                return where, seq
        return None


def _latest(versions: Heads) -> Heads:
    """Those that none of the others went on from."""
    past = frozenset[str]().union(*(one.past for one in versions))
    return frozenset(one for one in versions if one.id not in past)


def _changed(row: Row, heads: Sequence[Version]) -> list[Version]:
    """Those that changed what all had in common, where any did."""
    if len(heads) < 2:
        return list(heads)
    if row.table in MADE and (made := [one for one in heads if one.id in row.made]):
        # What was made alike apart is no change of what became of it; who takes it out means their own.
        others = [one for one in heads if one.id not in row.made and one.cells is not None]
        heads = others or made
    bases = common(row, heads)
    changed = [one for one in heads if not any(_same(one.cells, base) for base in bases)]
    return changed or list(heads[:1])


def common(row: Row, heads: Sequence[Version]) -> list[Cells | None]:
    """What all of some versions went on from last."""
    shared = frozenset.intersection(*(one.past | {one.id} for one in heads))
    latest = _latest(frozenset(row.versions[one] for one in shared if one in row.versions))
    return [one.cells for one in sorted(latest, key=lambda one: one.id)]


def revived(row: Row) -> list[Cells]:
    """The versions of a row that nobody went on from but by taking it out."""
    alive = frozenset(one for one in row.versions.values() if one.cells is not None)
    return [one.cells for one in sorted(_latest(alive), key=lambda one: one.id) if one.cells is not None]


def _same(one: Cells | None, other: Cells | None) -> bool:
    return one is other if one is None or other is None else alike(one, other)


def _cells(table: str, text: str | None) -> Cells | None:
    if text is None:
        return None
    value: dict[str, Any] = present_names(table, json.loads(text))
    return value
