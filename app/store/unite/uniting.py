"""The changes of a copy brought into a project: row by row, against what both have in common."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.store.annotate.annotations import remove_annotations
from app.store.annotate.concepts import coded_of, take_codings_out
from app.store.chain import TRACKED
from app.store.unite.changes import Cells, Change, Copy
from app.store.unite.frozen import PARTS, keep_items, keep_texts, parts_of
from app.store.unite.names import name_reports
from app.store.unite.places import ORDERED, make_room
from app.store.unite.rules import (
    KEPT,
    LINKS,
    alike,
    changed_alone,
    derived,
    earlier,
    first_made,
    own_columns,
    ranked,
    say_the_same,
    stronger,
    united_review,
    version_of,
)
from app.store.unite.standing import (
    coded_since,
    deleted_somewhere,
    foreign_keys,
    spoken_of,
    stood_on,
    to_come,
)
from app.store.unite.twins import MANY, twins
from app.store.unite.waiting import forget_passed, forget_versions, is_waiting, keep_version
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.project import Project
    from app.store.values import Cell

# What other rows name, in the order in which they stand on each other.
_HUNG_ON = ("annotator", "document", "section", "run", "build")
_OURS = frozenset({"branch", "other_version", "packet"})


class Uniting:
    """One bringing together under way; what has come is counted by table, and conflicts are kept.

    `pairs` are the reports and annotators (UUIDs) whose annotations changed, `reviewed` those whose reviews
    did, `amended` the names of guidelines that were amended on both sides, `settled` what both sides changed
    and the later version of which holds: tables and UUIDs.
    """

    def __init__(self, act: Act) -> None:
        self.act = act
        self.project = act.project
        self.added: Counter[str] = Counter()
        self.changed: Counter[str] = Counter()
        self.removed: Counter[str] = Counter()
        self.same = 0
        self.settled: list[tuple[str, str]] = []
        self.pairs: set[tuple[str, str]] = set()
        self.amended: set[str] = set()
        self._foreign = foreign_keys(self.project)

    def taking(self, other: Project, copy: Copy, refused: frozenset[str]) -> Generator[Progress, None, None]:
        """Bring a copy's changes in, but for those about reports (UUIDs) that were refused."""
        self._other, self._refused, self._changes = other, refused, copy.changes
        self._links: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._deleted_here: list[Cells] = []
        self._present: set[str] = set()
        self._held: set[str] = set()
        self._deleted: dict[str, list[str]] = {}
        self._coded: set[str] = set()
        keep_texts(self.project, other)
        self._link_known(copy.changes)
        number = sum(map(len, copy.changes.values()))
        done = 0
        for table in TRACKED:
            if changes := to_come(self.project, other, table, copy.changes.get(table, {})):
                self._take_table(table, changes)
                done += len(changes)
                yield Progress(done, number, f"{other.path.name}: brought together")
        for table in sorted(copy.tables & ORDERED):
            make_room(self.act, table, ())
        self._delete()
        if copy.changes.get("document") or self.act.changed("document"):
            name_reports(self.act)

    def _take_table(self, table: str, changes: Mapping[str, Change]) -> None:
        wanted = {
            uuid: self._adopted(table, change)
            for uuid, change in changes.items()
            if not self._left_out(table, uuid, change)
        }
        here = self._rows(table, list(wanted))
        for uuid in wanted.keys() - here.keys():
            if wanted[uuid].copied:
                wanted[uuid] = replace(wanted[uuid], before=None)
            if wanted[uuid].before is None and wanted[uuid].after is None:
                del wanted[uuid]
        new = [uuid for uuid in wanted if uuid not in here]
        found = self._twins(table, {uuid: wanted[uuid].before or wanted[uuid].after or {} for uuid in new})
        known = [uuid for uuid in new if table == "annotation" and wanted[uuid].before is not None]
        gone = deleted_somewhere(self.project, self._other, known)
        coming: list[Cells] = []
        for uuid, change in wanted.items():
            there = here.get(uuid)
            twin = found.get(uuid)
            if there is None and twin is not None and (change.before is None or table not in MANY):
                self._settle_linked(table, uuid, twin, change)
            elif there is None:
                self._settle_absent(change, coming, deleted=uuid in gone)
            else:
                self._settle(table, there, change)
        self._insert(table, coming)
        for row in self._deleted_here:
            self._rival(row, None)
        self._deleted_here = []

    def _settle_linked(self, table: str, uuid: str, twin: Cells, change: Change) -> None:
        """A row that is here under another UUID, which the copy may have had, too, and taken out."""
        self._links[uuid] = str(twin["uuid"])
        if change.after is not None:
            self._held.add(str(twin["uuid"]))
        if change.before is None:
            self._settle_twin(table, twin, change.after)
        else:
            self._settle(table, twin, change)

    def _left_out(self, table: str, uuid: str, change: Change) -> bool:
        row = change.after or change.before or {}
        if self._refused and ({uuid, row.get("document"), row.get("subject")} & self._refused):
            return True
        holder = uuid if table == "annotator" else row.get("annotator")
        return table in ("annotator", "annotation", "review") and derived(holder)

    def _linked(self, row: Cells | None) -> Cells | None:
        if row is None or not self._links:
            return row
        return {
            name: self._links.get(value, value) if name in LINKS and isinstance(value, str) else value
            for name, value in row.items()
        }

    def _adopted(self, table: str, change: Change) -> Change:
        """A change as it would have been made here: by the names that what it speaks of has."""
        if not self._links and table != "run":
            return change
        before, after, *passed = map(self._linked, (change.before, change.after, *change.passed))
        for row in filter(None, (before, after, *passed) if table == "run" else ()):
            self._name_run(row)
        return replace(
            change, before=before, after=after, passed=tuple(one for one in passed if one is not None)
        )

    def _name_run(self, run: Cells) -> None:
        """A run is called as its annotator, whose name may be another one here."""
        holder = str(run["annotator"])
        here = self.project.tuples("SELECT name FROM annotator WHERE uuid = ?", [holder])
        run["name"] = self._names.get(holder) or (here[0][0] if here else run["name"])

    def _rows(self, table: str, uuids: Sequence[str]) -> dict[str, Cells]:
        found = self.project.query(
            f"SELECT * FROM {table} WHERE uuid IN (SELECT value FROM json_each(?))", [json.dumps(list(uuids))]
        )
        return {row["uuid"]: row for row in found}

    def _twins(self, table: str, rows: Mapping[str, Cells]) -> dict[str, Cells]:
        return twins(self.act, self._other, table, rows, self._names)

    def _link_known(self, changes: Mapping[str, Mapping[str, Change]]) -> None:
        """What came before and is the same as rows here, under other UUIDs, goes by these again."""
        for table in _HUNG_ON:
            here, there = (
                {uuid for (uuid,) in each.tuples(f"SELECT uuid FROM {table}")}
                for each in (self.project, self._other)
            )
            absent = json.dumps(sorted(there - here - changes.get(table, {}).keys()))
            rows = self._other.query(
                f"SELECT * FROM {table} WHERE uuid IN (SELECT value FROM json_each(?))", [absent]
            )
            known = {str(row["uuid"]): self._linked(row) or {} for row in rows}
            for uuid, twin in self._twins(table, known).items():
                self._links[uuid] = str(twin["uuid"])
                if table == "build":
                    self._link_items(uuid, str(twin["uuid"]))

    def _settle_twin(self, table: str, here: Cells, after: Cells | None) -> None:
        """The same work done twice: one row, of whose versions always the same one holds."""
        self.same += 1
        if table == "concept":
            self._coded.add(str(here["annotation"]))
        if table == "build" and after is not None:
            self._link_items(str(after["uuid"]), str(here["uuid"]))
        if after is None or table == "annotator":
            return
        if table in KEPT:
            holds = first_made(table, here, after)
            if holds is after and not alike(here, after):
                self._update(table, here, own_columns(after))
            return
        self._rank_first(table, here, after)
        if alike(here, after):
            return
        if table == "scheme_file":
            self._amend(here, after)
        elif table == "review":
            self._update(table, here, united_review(here, after, None, self.project.scheme.ids))
        else:
            self._update(table, here, own_columns(stronger(table, here, after)))

    def _rank_first(self, table: str, here: Cells, after: Cells) -> None:
        """Of two that say the same the place that was given first holds."""
        if found := earlier(table, here, after):
            self.act.update(table, str(here["uuid"]), found)

    def _settle_absent(self, change: Change, coming: list[Cells], *, deleted: bool) -> None:
        """A row that is not here: new, `deleted`, or here by another UUID; an edit outlives a deletion."""
        before, after = change.before, change.after
        if after is None or (before is not None and alike(before, after)):
            self.same += 1
            return
        coming.append(dict(after))
        if before is not None and deleted:
            self._deleted_here.append(after)

    def _settle(self, table: str, here: Cells, change: Change) -> None:
        """A row that both have: who changed it alone is right; where both did, nothing is lost."""
        after = change.after
        before = self._base(table, here, change) if change.passed else change.before
        if after is None:
            if before is not None and alike(here, before):
                self._deleted.setdefault(table, []).append(str(here["uuid"]))
            elif table == "annotation":
                self._rival(here, None)
            else:
                self._held.add(str(here["uuid"]))
                self.settled.append((table, str(here["uuid"])))
        elif before is not None and alike(before, after):
            self.same += 1
        elif alike(here, after):
            self.same += 1
            self._rank_first(table, here, after)
        elif before is not None and alike(here, before):
            self._update(table, here, {**own_columns(after), **ranked(after)})
        elif table == "annotation" and not say_the_same(here, after):
            self._both_changed(here, before, after)
        elif table == "review":
            self._update(table, here, united_review(here, after, before, self.project.scheme.ids))
        elif table == "scheme_file":
            self._amend(here, after)
        else:
            self._hold(table, here, before, after)

    def _hold(self, table: str, here: Cells, before: Cells | None, after: Cells) -> None:
        """Of two versions one holds, but for what the copy alone changed of a row that others hang on."""
        changed = changed_alone(here, before, after) if table in KEPT else {}
        if not changed:
            self.settled.append((table, str(here["uuid"])))
            changed = own_columns((first_made if table in KEPT else stronger)(table, here, after))
        self._update(table, here, changed)
        self._rank_first(table, here, after)

    def _both_changed(self, here: Cells, before: Cells | None, after: Cells) -> None:
        """Both versions of an annotation are kept: one holds, the other waits in the queue."""
        if is_waiting(self.act, here, after):
            self.same += 1
            return
        if before is not None:
            forget_versions(self.act, here, {version_of(before)})
        holds = stronger("annotation", here, after)
        self._rival(here, here if holds is after else after)
        if holds is after:
            self._update("annotation", here, {**own_columns(after), **ranked(after)})

    def _base(self, table: str, here: Cells, change: Change) -> Cells | None:
        """What a row was before a copy changed it that had, and went on from, what others brought here."""
        if table == "annotation" and forget_passed(self.act, self._other, here, change):
            self.pairs.add((str(here["document"]), str(here["annotator"])))
        return here if any(alike(here, one) for one in change.passed) else change.before

    def _rival(self, row: Cells, version: Cells | None) -> None:
        self.pairs.add((str(row["document"]), str(row["annotator"])))
        keep_version(self.act, row, version)

    def _amend(self, here: Cells, after: Cells) -> None:
        self.amended.add(str(here["name"]))
        self.settled.append(("scheme_file", str(here["uuid"])))

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
        if not rows:
            return
        for row in rows if table == "annotator" else ():
            row["name"] = self._names.get(str(row["uuid"]), row["name"])
        for row in rows if table == "run" else ():
            self._name_run(row)
        if table == "concept":
            self._coded |= coded_of(self.project, [str(row["annotation"]) for row in rows])
        make_room(self.act, table, list(rows))
        self.act.insert_all(table, rows)
        if table == "build":
            keep_items(self.project, self._other, [str(row["uuid"]) for row in rows])
        for part in PARTS if table == "document" else ():
            self._insert(part, parts_of(self._other, self._changes, part, [str(row["uuid"]) for row in rows]))
        if table in ("annotation", "other_version"):
            self.pairs |= {(str(row["document"]), str(row["annotator"])) for row in rows}
        if table not in _OURS:
            self.added[table] += len(rows)

    def _with_parents(self, table: str, rows: Sequence[Cells]) -> Sequence[Cells]:
        """Those of the rows of which all that they refer to is here, and that did not come with it."""
        if self._foreign[table]:
            rows = [row for row in rows if self._bring_parents(table, row)]
        there = self._rows(table, [str(row["uuid"]) for row in rows]) if table in PARTS else {}
        return [row for row in rows if row["uuid"] not in there]

    def _bring_parents(self, table: str, row: Cells) -> bool:
        """Whether all that a row refers to is here, or could be brought from the copy."""
        for column, parent in self._foreign[table]:
            uuid = row[column]
            if uuid is not None:
                if not self._is_here(parent, str(uuid)):
                    return False
                row[column] = self._links.get(str(uuid), uuid)
        return True

    def _is_here(self, table: str, uuid: str) -> bool:
        if (
            uuid in self._links
            or uuid in self._present
            or self.project.tuples(f"SELECT 1 FROM {table} WHERE uuid = ?", [uuid])
        ):
            self._present.add(uuid)
            return True
        there = self._other.query(f"SELECT * FROM {table} WHERE uuid = ?", [uuid])
        if not there or uuid in self._refused:
            return False
        rows = [self._linked(row) or {} for row in there]
        if twin := self._twins(table, {uuid: rows[0]}).get(uuid):
            self._links[uuid] = str(twin["uuid"])
            return True
        self._insert(table, rows)
        return True

    def _link_items(self, theirs: str, ours: str) -> None:
        """Items of a build that both made go by the names that they have here."""
        query = "SELECT uuid FROM item WHERE build = ? ORDER BY position"
        there, here = self._other.tuples(query, [theirs]), self.project.tuples(query, [ours])
        self._links |= {old: new for (old,), (new,) in zip(there, here, strict=False)}

    def _delete(self) -> None:
        """Take out what the copy took out, unless something that came since stands on it."""
        kept, reports = self._held, set(self._deleted.get("document", ()))
        for table in reversed(TRACKED):
            rows = self._rows(table, self._deleted.get(table, ()))
            if table == PARTS[-1]:
                going = {uuid for part in PARTS for uuid in self._deleted.get(part, ())} - kept
                kept |= {uuid for uuid in reports if spoken_of(self.project, uuid, going)}
            elif table == "annotation":
                kept |= coded_since(self.project, self._other, list(rows))
            elif table in ("annotator", "run"):
                kept |= {uuid for uuid in rows if stood_on(self.project, self._foreign, table, uuid)}
            self.settled += [(table, uuid) for uuid in rows if uuid in kept]
            uuids = [
                uuid
                for uuid, row in rows.items()
                if not ({uuid, row["document"]} if table in PARTS else {uuid}) & kept
            ]
            if table == "concept":
                about_reports = [uuid for uuid in uuids if rows[uuid]["annotation"] is None]
                self.act.delete_all(table, about_reports)
                take_codings_out(self.act, set(uuids) - set(about_reports), self._coded)
            elif table == "annotation":
                self.pairs |= {(str(rows[one]["document"]), str(rows[one]["annotator"])) for one in uuids}
                remove_annotations(self.act, uuids)
            elif uuids:
                self.act.delete_all(table, uuids)
            self.removed[table] += len(uuids)
