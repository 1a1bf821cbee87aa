"""The changes of a copy brought into a project: row by row, by all that both know of its history."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Generator, Mapping, Sequence
from typing import TYPE_CHECKING

from app.store.annotate.annotations import remove_annotations
from app.store.annotate.concepts import coded_of, take_codings_out
from app.store.chain import TRACKED
from app.store.unite.branches import head_of, named_by
from app.store.unite.changes import PARTS, Cells, Change, Copy, keep_items, keep_texts, rows_of
from app.store.unite.identity import Identity
from app.store.unite.lineage import Lineage, Row, common, revived
from app.store.unite.names import ORDERED, make_room, name_annotators, name_new, name_reports, name_run
from app.store.unite.rules import (
    KEYS,
    LINKS,
    alike,
    derived,
    own_columns,
    ranked,
    say_the_same,
    united,
    version_of,
)
from app.store.unite.standing import foreign_keys, not_held, refused_before, spoken_of, stood_on, touched
from app.store.unite.versions import keep_versions
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project
    from app.store.values import Cell

# What other rows name, in the order in which they stand on each other.
_HUNG_ON = ("annotator", "document", "section", "run", "build")
# What is told by a run or by who looked, which more histories may tell better.
_HELD_APART = frozenset({"answer", "item_rating", "rating", "disclosure"})
# What follows from the rest.
_DERIVED = frozenset({"branch", "other_version", "packet"})


class Uniting:
    """One bringing together under way; what has come is counted by table, and conflicts are kept.

    `pairs` are the reports and annotators (UUIDs) whose annotations or reviews changed, `amended` the names
    of guidelines that were amended on both sides, `settled` what both sides changed and one version of which
    holds, `kept` what one took out and stays, since something stands on it: tables and UUIDs.
    """

    def __init__(self, act: Act) -> None:
        self.act = act
        self.project = act.project
        self.added: Counter[str] = Counter()
        self.changed: Counter[str] = Counter()
        self.removed: Counter[str] = Counter()
        self.same = 0
        self.settled: list[tuple[str, str]] = []
        self.kept: list[tuple[str, str]] = []
        self.pairs: set[tuple[str, str]] = set()
        self.amended: set[str] = set()
        self._foreign = foreign_keys(self.project)
        self._lineage = Lineage(self.project)
        self._met = self._lineage.met()
        # Long acts record on the way what is nobody's work.
        self._lineage.meetings.add(act.uuid)

    def taking(
        self, other: Project, copy: Copy, refused: frozenset[str], branches: Sequence[str]
    ) -> Generator[Progress, None, None]:
        """Bring in what a copy changed, and what the histories (`branches`) that are new with it say, but for
        what is about reports (UUIDs) that were refused."""
        based = self._lineage.learn()
        # What a copy had refused is in its history all the same.
        refused |= refused_before(self.project)
        self._begin(other, refused, named_by("branch", head_of(other)))
        keep_texts(self.project, other)
        self._link_known(copy.changes)
        changes = touched(self.project, copy.changes, {*branches, *based} - {self._chain})
        yield from self._take_all(changes)

    def settling(self) -> Generator[Progress, None, None]:
        """Work out again all of which several histories speak: one copy may tell what others mean."""
        # What was of a project that was not known may be told by its base now.
        met = self._met or self._lineage.met()
        self._begin(self.project, frozenset(refused_before(self.project)), "")
        self.act.write_history()
        changes = self._identity.shared() if met else self._identity.brought("review")
        yield from self._take_all(changes)

    def _begin(self, other: Project, refused: frozenset[str], chain: str) -> None:
        self._other, self._refused, self._chain = other, refused, chain
        self._links: dict[str, str] = {}
        self._coming: list[Cells] = []
        self._waiting: dict[str, tuple[Cells, list[Cells | None]]] = {}
        self._deleted: dict[str, list[str]] = {}
        self._dead: dict[str, Row] = {}
        self._present, self._coded, self._bare = set[str](), set[str](), set[str]()
        self._identity = Identity(self.project, other, self._lineage, self._links, self._chain)

    def _take_all(self, changes: Mapping[str, Mapping[str, Change]]) -> Generator[Progress, None, None]:
        number, done = sum(map(len, changes.values())), 0
        for table in TRACKED:
            if table in changes and table not in _DERIVED:
                self._take_table(table, changes[table])
                done += len(changes[table])
                yield Progress(done, number, f"{self._other.path.name}: brought together")
        for table in (one for one in sorted(ORDERED) if one in changes or self.act.changed(one)):
            self._make_room(table, ())
        self._delete()
        for part in PARTS:
            # A report that stands, though a copy took it out, has all its parts.
            self._insert(part, self._parts(part, sorted(rows_of(self.project, "document", self._bare))))
        for annotation, versions in self._waiting.values():
            keep_versions(self.act, annotation, versions)
        if self.act.changed("annotator"):
            name_annotators(self.act)
        if "document" in changes or self.act.changed("document"):
            name_reports(self.act)

    def _take_table(self, table: str, changes: Mapping[str, Change]) -> None:
        wanted = {uuid: one for uuid, one in changes.items() if not self._left_out(table, uuid, one.said)}
        values = {uuid: self._mapped(table, one.said) for uuid, one in wanted.items()}
        here = rows_of(self.project, table, list(values))
        if table == "annotator":
            here |= self._identity.known_as(table, {one: values[one] for one in values.keys() - here.keys()})
        classes = self._identity.classes(table, values)
        both = {uuid for uuid, names in classes.items() if len(names) > 1}
        for uuid, twin in here.items():
            classes[uuid] |= {str(twin["uuid"])}
        known = self._lineage.elsewhere(table, set[str]().union(*classes.values()), self._chain)
        # What was taken out may have to stand for others, as it was last; at the end all follows from all.
        known |= {uuid for uuid, one in wanted.items() if one.after is None or not self._chain}
        both |= {uuid for uuid, names in classes.items() if names & known}
        for uuid in (one for one in values if one not in both):
            self._take(table, here.get(uuid), values[uuid])
        self._settle_all(table, {classes[uuid] for uuid in both})
        self._insert(table, self._coming)
        self._coming = []

    def _take(self, table: str, here: Cells | None, after: Cells) -> None:
        """A row of which nobody else said anything."""
        if here is None:
            self._coming.append(dict(after))
        elif table == "annotator" or (alike(here, after) and ranked(here) == ranked(after)):
            # What annotators are called follows from all of them.
            self.same += 1
        else:
            self._update(table, here, {**own_columns(after), **ranked(after)})

    def _settle_all(self, table: str, classes: Collection[frozenset[str]]) -> None:
        """Rows of which several said something: what stands follows from all histories together."""
        groups = sorted(classes, key=min)
        here = rows_of(self.project, table, [uuid for uuids in groups for uuid in uuids])
        taken = set[str]()
        for row, uuids in zip(self._lineage.read(table, groups), groups, strict=True):
            # Where two are no longer the same, as was thought, only one of them is the row that is here.
            free = sorted(uuids - taken) or sorted(uuids)
            there = next((here[uuid] for uuid in free if uuid in here), None)
            uuid = free[0] if there is None else str(there["uuid"])
            self._links |= dict.fromkeys(uuids - {uuid}, uuid)
            taken.add(uuid)
            self._settle(table, uuid, there, row)
        # What was taken for another, and is the same, goes, once nothing stands on it.
        double = sorted(here.keys() - taken)
        self.act.delete_all(table, double if table in _HELD_APART else ())
        self._deleted.setdefault(table, []).extend(double)

    def _settle(self, table: str, uuid: str, here: Cells | None, row: Row) -> None:
        heads = self._lineage.heads(row)
        if not any(one.cells for one in heads):
            if here is not None and row.versions:
                self._deleted.setdefault(table, []).append(uuid)
                self._dead[uuid] = row
            elif here is None and table in PARTS and (ever := revived(row)):
                self._bare.add(str(self._mapped(table, ever[0])["document"]))
            return
        cells = self._content(table, row)
        if len(heads) > 1 and table == "scheme_file":
            self.amended.add(str(cells["name"]))
        if len(heads) > 1 and table != "annotation":
            self.settled.append((table, uuid))
        if here is None:
            here = {**cells, "uuid": uuid}
            self._coming.append(here)
        elif table == "annotator" or (alike(here, cells) and ranked(here) == ranked(cells)):
            self.same += 1
        else:
            self._bring_parents(table, cells)
            if table in _HELD_APART and any(here[name] != cells[name] for name in KEYS[table]):
                # Another may be what this one becomes, till it has become something else, too.
                self.act.delete(table, uuid)
                self._coming.append({**here, **own_columns(cells)})
            else:
                self._update(table, here, {**own_columns(cells), **ranked(cells)})
        self._follow(table, here, cells, [one.cells for one in heads])

    def _follow(self, table: str, here: Cells, cells: Cells, heads: Sequence[Cells | None]) -> None:
        if table == "annotation":
            self._wait(here, cells, heads)
        elif table == "concept":
            self._coded.add(str(here["annotation"]))
        elif table == "review":
            self.pairs.add((str(here["document"]), str(here["annotator"])))

    def _content(self, table: str, row: Row) -> Cells:
        """What a row is by all histories, also where it stands only because others stand on it."""
        heads = self._lineage.heads(row)
        alive = [one.cells for one in heads if one.cells is not None]
        bases = common(row, heads) if alive else []
        return self._mapped(table, united(table, alive or revived(row), bases, self.project.scheme.ids))

    def _order_concepts(self, gone: Collection[str]) -> None:
        """Concepts of spans to which several added stand as they were made."""
        if not self._coded and not gone:
            return
        rows = self.project.query(
            "SELECT * FROM concept WHERE annotation IN (SELECT value FROM json_each(?))",
            [json.dumps(sorted(self._coded))],
        )
        classes = self._identity.classes("concept", {str(row["uuid"]): row for row in rows})
        take_codings_out(self.act, gone, self._coded, self._lineage.made("concept", classes))

    def _wait(self, here: Cells, holds: Cells, heads: Sequence[Cells | None]) -> None:
        """Versions of an annotation that say something else than the one that holds wait in the queue."""
        waiting: list[Cells | None] = [None] if None in heads else []
        for one in sorted(filter(None, heads), key=version_of):
            if not any(say_the_same(one, other) for other in (holds, *filter(None, waiting))):
                waiting.append(one)
        self.pairs.add((str(here["document"]), str(here["annotator"])))
        self._waiting[str(here["uuid"])] = (here, waiting)

    def _left_out(self, table: str, uuid: str, row: Cells) -> bool:
        if self._refused and ({uuid, row.get("document"), row.get("subject")} & self._refused):
            return True
        holder = uuid if table == "annotator" else row.get("annotator")
        return table in ("annotator", "annotation", "review") and derived(holder)

    def _mapped(self, table: str, row: Cells) -> Cells:
        """A row as it would have been made here: by the names that what it speaks of has."""
        if not self._links and table != "run":
            return row
        mapped = {
            name: self._identity.called(value) if name in LINKS and isinstance(value, str) else value
            for name, value in row.items()
        }
        if table == "run":
            name_run(self.project, mapped)
        return mapped

    def _link_known(self, changes: Mapping[str, Mapping[str, Change]]) -> None:
        """What came before and is the same as rows here, under other UUIDs, goes by these again."""
        for table in _HUNG_ON:
            here, there = (
                {uuid for (uuid,) in each.tuples(f"SELECT uuid FROM {table}")}
                for each in (self.project, self._other)
            )
            rows = rows_of(self._other, table, sorted(there - here - changes.get(table, {}).keys()))
            self._identity.known_as(table, {uuid: self._mapped(table, row) for uuid, row in rows.items()})

    def _update(self, table: str, here: Cells, values: Mapping[str, Cell]) -> None:
        # Reports get their keys once all has come: another may have this one still.
        changes = {name: cell for name, cell in values.items() if (table, name) != ("document", "key")}
        self.act.update(table, str(here["uuid"]), changes)
        # That somebody said the same later is nothing new.
        self.changed[table] += any(here[name] != values[name] for name in values if name != "changed_at")
        if table == "annotation":
            self.pairs.add((str(here["document"]), str(here["annotator"])))

    def _insert(self, table: str, rows: Sequence[Cells]) -> None:
        """Add rows with what they stand on, where that was deleted here or is new."""
        rows = self._with_parents(table, rows)
        if table in _HELD_APART:
            rows = not_held(self.project, table, rows)
        if not rows:
            return
        name_new(self.project, table, rows)
        if table == "concept":
            self._coded |= coded_of(self.project, [str(row["annotation"]) for row in rows])
        if table in ORDERED:
            self._make_room(table, rows)
        self.act.insert_all(table, rows)
        if table == "build":
            new = {str(row["uuid"]): str(row["uuid"]) for row in rows}
            linked = {theirs: ours for theirs, ours in self._links.items() if ours in new}
            keep_items(self.project, self._other, new | linked)
        for part in PARTS if table == "document" else ():
            self._insert(part, self._parts(part, [str(row["uuid"]) for row in rows]))
        if table in ("annotation", "review"):
            self.pairs |= {(str(row["document"]), str(row["annotator"])) for row in rows}
        self.added[table] += len(rows)

    def _make_room(self, table: str, coming: Sequence[Cells]) -> None:
        rows = {str(row["uuid"]): row for row in self.project.query(f"SELECT * FROM {table}")}
        classes = self._identity.classes(table, rows | {str(row["uuid"]): row for row in coming})
        make_room(self.act, table, coming, {one: min(same) for same in classes.values() for one in same})

    def _with_parents(self, table: str, rows: Sequence[Cells]) -> Sequence[Cells]:
        """Those of the rows that did not come with what they refer to, which is brought back."""
        if self._foreign[table] or table == "item_rating":
            for row in rows:
                self._bring_parents(table, row)
        there = rows_of(self.project, table, [str(row["uuid"]) for row in rows]) if table in PARTS else {}
        return [row for row in rows if row["uuid"] not in there]

    def _parts(self, table: str, documents: Sequence[str]) -> list[Cells]:
        """The parts of reports that came, but for those that come by themselves."""
        names = {uuid for uuid, here in self._links.items() if here in documents} | set(documents)
        rows = {uuid: self._mapped(table, one) for uuid, one in self._lineage.parts(table, names).items()}
        classes = set(self._identity.classes(table, rows).values())
        found = []
        for row, uuids in zip(self._lineage.read(table, classes), classes, strict=True):
            self._lineage.heads(row)
            if revived(row) and not rows_of(self.project, table, list(uuids)):
                found.append({**self._content(table, row), "uuid": min(uuids)})
        return sorted(found, key=lambda one: str(one.get("position", "")))

    def _bring_parents(self, table: str, row: Cells) -> None:
        """Bring back all that a row refers to and that is not here; a row of what was refused never comes."""
        if (subject := str(row.get("subject"))) in self._identity.items:
            self._bring("build", self._identity.items[subject][0])
            row["subject"] = self._identity.called(subject)
        for column, parent in self._foreign[table]:
            uuid = row[column]
            if uuid is not None:
                self._bring(parent, str(uuid))
                row[column] = self._links.get(str(uuid), uuid)

    def _bring(self, table: str, uuid: str) -> None:
        uuid = self._links.get(uuid, uuid)
        if uuid in self._present or self.project.tuples(f"SELECT 1 FROM {table} WHERE uuid = ?", [uuid]):
            self._present.add(uuid)
            return
        rows = {uuid: self._mapped(table, one) for uuid, one in self._lineage.last(table, uuid).items()}
        if self._identity.known_as(table, rows):
            return
        uuids = self._identity.classes(table, rows)[uuid]
        (row,) = self._lineage.read(table, [uuids])
        self._lineage.heads(row)
        self._links |= dict.fromkeys(uuids - {min(uuids)}, min(uuids))
        # What follows from other rows is in no history as such.
        cells = self._content(table, row) if revived(row) else rows[uuid]
        self._insert(table, [{**cells, "uuid": min(uuids)}])

    def _delete(self) -> None:
        """Take out what the copy took out, unless something that came since stands on it."""
        kept, reports = set[str](), set(self._deleted.get("document", ()))
        for table in reversed(TRACKED):
            rows = rows_of(self.project, table, self._deleted.get(table, ()))
            if table == PARTS[-1]:
                going = {uuid for part in PARTS for uuid in self._deleted.get(part, ())} - kept
                kept |= {uuid for uuid in reports if spoken_of(self.project, uuid, going)}
            elif table in ("annotation", "annotator", "run", "build"):
                kept |= {uuid for uuid in rows if stood_on(self.project, self._foreign, table, uuid)}
            self.kept += [(table, uuid) for uuid in rows if uuid in kept]
            uuids = [
                uuid
                for uuid, row in rows.items()
                if uuid not in kept and (table not in PARTS or row["document"] in reports - kept)
            ]
            for uuid in rows.keys() - set(uuids):
                if uuid in self._dead and table != "annotator":
                    self._update(table, rows[uuid], own_columns(self._content(table, self._dead[uuid])))
            if table == "concept":
                about_reports = [uuid for uuid in uuids if rows[uuid]["annotation"] is None]
                self.act.delete_all(table, about_reports)
                self._order_concepts(set(uuids) - set(about_reports))
            elif table == "annotation":
                self.pairs |= {(str(rows[one]["document"]), str(rows[one]["annotator"])) for one in uuids}
                remove_annotations(self.act, uuids)
                for row in rows.values():
                    keep_versions(self.act, row, ())
            elif uuids:
                self.act.delete_all(table, uuids)
            self.removed[table] += len(uuids)
