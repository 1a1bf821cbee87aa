"""Histories of copies: what of one is known, what it brings, and whether it is as the copy wrote it."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from app.store.chain import START, chained
from app.store.study.items import item_uuid
from app.store.unite import branches, changes
from app.store.unite.lineage import Lineage, Row, Version, _changed, common, revived
from app.store.unite.uniting import Uniting
from extractors.model.progress import finished

BUILDS = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"


class Small:
    """A project of a few tables in memory, as far as histories are read from it."""

    def __init__(self, tables: Mapping[str, str], rows: Mapping[str, Sequence[Sequence[object]]]) -> None:
        self.db = sqlite3.connect(":memory:")
        self.path = SimpleNamespace(name="copy.casespan")
        for table, columns in tables.items():
            self.db.execute(f"CREATE TABLE {table} ({columns})")
            for row in rows.get(table, ()):
                self.db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)

    def tuples(self, sql: str, given: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self.db.execute(sql, given).fetchall()

    def query(self, sql: str, given: Sequence[Any] = ()) -> list[dict[str, Any]]:
        found = self.db.execute(sql, given)
        return [dict(zip([one[0] for one in found.description], row, strict=True)) for row in found]

    def columns(self, table: str) -> frozenset[str]:
        return frozenset({"uuid", "name"}) if table == "annotator" else frozenset({"uuid"})


def test_a_row_is_known_that_stands_in_the_own_history_or_in_one_that_came_and_was_not_undone() -> None:
    tables = {"history": "seq, hash", "branch": "uuid", "branch_row": "branch, seq, hash"}
    rows: dict[str, list[tuple[object, ...]]] = {
        "history": [(1, "a")],
        "branch": [("b",)],
        "branch_row": [("b", 2, "c"), ("undone", 3, "d")],
    }
    project: Any = Small(tables, rows)
    asked = [(0, "x"), (1, "a"), (1, "c"), (2, "c"), (3, "d")]
    assert [branches.knows(project, *one) for one in asked] == [True, True, False, True, False]


def test_of_a_branch_each_row_that_was_altered_and_an_end_that_is_missing_or_forged_is_told() -> None:
    def written(*words: str) -> list[dict[str, Any]]:
        rows, head = [], START
        for seq, word in enumerate(words, start=1):
            row: dict[str, Any] = {"seq": seq, "after": word}
            head = chained(head, row)
            rows.append({**row, "hash": head})
        return rows

    whole = written("a", "b", "c")
    branch = {"base_head": START, "base_count": 0, "head": whole[-1]["hash"], "count": 3}

    def faults(rows: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
        db: Any = SimpleNamespace(query=lambda *_: [dict(row) for row in rows])
        return list(branches._row_faults(db, "b", branch))

    altered = "it was altered, or one before it is missing"
    assert faults(whole) == []
    assert faults([whole[0], {**whole[1], "after": "x"}, whole[2]]) == [(", row 2", altered)]
    assert faults([whole[0], whole[2]]) == [(", row 3", altered)]
    assert faults(whole[:2]) == faults(written("a", "b", "x")) == [("", "its last rows are missing")]


def test_a_copy_brings_each_row_once_as_it_is_now_and_a_packet_what_its_project_lacks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def row(
        seq: int, act: str, table: str, uuid: str, after: object, before: object = None
    ) -> tuple[object, ...]:
        return seq, act, table, uuid, *(one and json.dumps(one) for one in (after, before))

    ann, ben, cas = ({"uuid": one, "name": one} for one in ("ann", "ben", "cas"))
    other: Any = Small(
        {"history": "seq, act, table_name, row, after, before", "packet": "uuid, count, head",
         "annotator": "uuid, name"},
        {
            "history": [
                row(1, "cut", "annotator", "ann", ann), row(2, "cut", "packet", "p", {"uuid": "p"}),
                row(3, "work", "annotator", "ben", {"uuid": "ben"}), row(4, "work", "annotator", "cas", cas),
                row(5, "more", "annotator", "cas", None, cas), row(6, "more", "guess", "g", {"uuid": "g"}),
            ],
            "packet": [("p", 9, "head")],
            "annotator": [("ben", "Ben as a migration left him")],
        },
    )  # fmt: skip
    told: list[tuple[object, ...]] = []
    monkeypatch.setattr(changes, "TRACKED", ("annotator", "packet", "guess", "run", "branch"))

    def read(known_rows: int, *, base: bool) -> dict[str, object]:
        monkeypatch.setattr(changes, "known_rows", lambda *_: known_rows)

        def knows(_: object, *given: object) -> bool:
            told.append(given)
            return base

        monkeypatch.setattr(changes, "knows", knows)
        copy = finished(changes.reading_copy(other, other))
        assert (copy.known, copy.changes["run"]) == (known_rows, {})
        assert copy.tables == {table for table, some in copy.changes.items() if some}
        return {uuid: one.after for some in copy.changes.values() for uuid, one in some.items()}

    # Ben's row was written before names were: it is as it is now.
    work = {"ben": {"uuid": "ben", "name": "Ben as a migration left him"}, "cas": None, "g": {"uuid": "g"}}
    assert read(0, base=True) == work
    assert told == [(9, "head")]
    assert read(0, base=False) == {"ann": ann, "p": {"uuid": "p"}, **work}
    assert read(2, base=False) == work
    assert read(4, base=True) == {"cas": None, "g": {"uuid": "g"}}
    assert ben["name"] == "ben"


def test_items_come_under_the_names_that_their_build_has_here(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = BUILDS
    kept: list[dict[str, Any]] = []
    monkeypatch.setattr(changes, "insert_rows", lambda db, table, rows, _: kept.extend(rows))
    items = [(item_uuid(theirs, at), theirs, at) for at in (0, 1)]
    other: Any = Small({"item": "uuid, build, position"}, {"item": items})
    for called in (ours, theirs):
        kept.clear()
        changes.keep_items(other, other, {theirs: called})
        assert kept == [{"uuid": item_uuid(called, at), "build": called, "position": at} for at in (0, 1)]


def test_what_was_changed_counts_once_and_not_where_somebody_only_said_the_same_later() -> None:
    written: list[tuple[str, str, dict[str, Any]]] = []
    act = SimpleNamespace(update=lambda *given: written.append(given))
    uniting: Any = SimpleNamespace(act=act, changed=Counter(), pairs=set())
    here: dict[str, Any] = {
        "uuid": "u",
        "state": "done",
        "changed_at": "1",
        "document": "d",
        "annotator": "a",
        "key": "k",
    }
    for table, values in (
        ("review", {"state": "done", "changed_at": "2"}), ("review", {"state": "parked", "changed_at": "2"}),
        ("annotation", {"state": "x", "changed_at": "2"}), ("document", {"key": "other", "state": "x"}),
    ):  # fmt: skip
        Uniting._update(uniting, table, here, values)
    assert uniting.changed == Counter(review=1, annotation=1, document=1)
    assert uniting.pairs == {("d", "a")}
    # Reports get their keys once all has come.
    assert written[-1] == ("document", "u", {"state": "x"})


def test_versions_that_say_something_else_wait_each_once() -> None:
    plain: dict[str, Any] = {"span_start": 1, "span_end": 2, "note": "", "uuid": "u"}
    plain |= dict.fromkeys(("layer", "category", "polarity", "quote"), "x") | {
        "document": "d",
        "annotator": "a",
    }
    noted, negated, again = (
        {**plain, "note": "n"},
        {**plain, "polarity": "no"},
        {**plain, "polarity": "no", "note": "m"},
    )
    for heads, waiting in (
        ([plain, noted], []), ([plain, negated, again], [negated]), ([plain, None, negated], [None, negated]),
        ([None, plain], [None]),
    ):  # fmt: skip
        uniting: Any = SimpleNamespace(pairs=set(), _waiting={})
        Uniting._wait(uniting, plain, plain, heads)
        assert uniting._waiting == {"u": (plain, waiting)}
        assert uniting.pairs == {("d", "a")}


@pytest.mark.parametrize("several", [False, True])
def test_of_what_several_changed_the_kind_says_whether_one_version_holds_or_others_wait(
    several: bool,
) -> None:
    cells: dict[str, Any] = {"name": "GI.md", "uuid": "u", "note": "new"}
    heads = [SimpleNamespace(cells=cells)] * (1 + several)
    for table, settled, amended in (("annotation", [], set()), ("scheme_file", ["scheme_file"], {"GI.md"}),
                                    ("review", ["review"], set())):  # fmt: skip
        for here in (None, {**cells, "note": "old"}, cells):
            updated: list[str] = []
            uniting: Any = SimpleNamespace(
                _lineage=SimpleNamespace(heads=lambda _: heads), _content=lambda *_: cells, amended=set(),
                settled=[], _coming=[], same=0, _bring_parents=lambda *_: True, _follow=lambda *_: None,
                _update=lambda table, *_, updated=updated: updated.append(table),
            )  # fmt: skip
            row: Any = SimpleNamespace(versions={})
            Uniting._settle(uniting, table, "u", here, row)
            assert [one for one, _ in uniting.settled] == settled * several
            assert uniting.amended == (amended if several else set())
            assert (len(uniting._coming), updated, uniting.same) == (
                int(here is None), [table] if here not in (None, cells) else [], int(here == cells),
            )  # fmt: skip


def test_what_follows_from_other_rows_or_is_of_what_was_refused_is_left_out() -> None:
    made, follows = "00000000-0000-4000-8000-000000000000", "00000000-0000-5000-8000-000000000000"
    uniting: Any = SimpleNamespace(_refused=frozenset({"r"}))

    def left_out(table: str, uuid: str = "u", **row: str) -> bool:
        return Uniting._left_out(uniting, table, uuid, dict(row))

    assert [left_out("annotator", one) for one in (made, follows)] == [False, True]
    for table in ("annotation", "review", "verdict"):
        assert left_out(table, annotator=follows) == (table != "verdict")
        assert not left_out(table, annotator=made)
    assert [
        left_out("document", "r"),
        left_out("section", document="r"),
        left_out("answer", subject="r"),
    ] == [True] * 3
    assert not left_out("answer", subject="s", document="d")


def version(name: str, said: str | None, *past: str, given: bool = False) -> Version:
    return Version(name, None if said is None else {"said": said}, frozenset(past), given)


def of_row(*versions: Version, table: str = "review", made: Sequence[str] = ()) -> Row:
    return Row(table, set(made), versions={one.id: one for one in versions})


def test_of_versions_those_hold_that_changed_what_all_went_on_from() -> None:
    base = version("a", "x")
    same, other, third = version("b", "x", "a"), version("c", "y", "a"), version("d", "z", "a")
    row = of_row(base, same, other, third)
    assert common(row, [other, third]) == [{"said": "x"}]
    assert _changed(row, [same, other, third]) == [other, third]
    assert _changed(row, [same, other]) == [other]
    # Where nobody changed anything, one of them; what is taken out is a change.
    assert _changed(row, [same, version("e", "x", "a")]) == [same]
    gone = version("f", None, "a")
    assert _changed(of_row(base, same, gone), [gone, same]) == [gone]
    # What all had in common last is what none of the others went on from.
    later = version("g", "y", "a")
    ends = [version("h", "u", "a", "g"), version("i", "v", "a", "g")]
    assert common(of_row(base, later, *ends), ends) == [{"said": "y"}]
    # What two made alike apart is no change of what became of it.
    one, two = version("m", "x"), version("n", "x")
    became = version("o", "w", "n")
    twice = of_row(one, two, became, table="annotation", made=("m", "n"))
    assert _changed(twice, [one, became]) == [became]
    assert _changed(twice, [one, version("p", None, "n")]) == [one]


def test_what_stands_only_because_others_stand_on_it_is_as_it_was_last() -> None:
    first, last, gone = version("a", "x"), version("b", "y", "a"), version("c", None, "a", "b")
    assert revived(of_row(first, last, gone)) == [{"said": "y"}]
    assert revived(of_row(version("c", None))) == []
    lineage: Any = SimpleNamespace(_ends={"": 3, "b1": 2, "b2": 4})
    lone, came, work = version("p", "x", given=True), version("q", "y", given=True), version("r", "z")

    def heads(**found: Version) -> list[str]:
        lineage._state = lambda row, branch, upto: frozenset([found[branch or "own"]])
        return [one.id for one in Lineage.heads(lineage, of_row(*found.values()))]

    # What a packet was only given says nothing beside what somebody did.
    assert heads(own=lone, b1=work, b2=lone) == ["r"]
    assert heads(own=lone, b1=came, b2=lone) == ["p", "q"]
    assert heads(own=first, b1=last, b2=first) == ["b"]
    assert heads(own=work, b1=last, b2=first) == ["b", "r"]


def test_an_edit_goes_on_from_the_version_that_stood_and_others_wait_on() -> None:
    def event(before: str | None, after: str | None) -> Any:  # noqa: ANN401 (stands for an event)
        def words(said: str | None) -> str | None:
            return said and json.dumps({"said": said})

        cells = None if after is None else {"said": after}
        return SimpleNamespace(cut=False, id="new", before=words(before), cells=cells)

    ours, theirs = version("a", "x", "o"), version("b", "y")
    for table, said, left in (
        ("annotation", ("x", "z"), {"b"}), ("annotation", ("y", "z"), {"a"}),
        ("annotation", ("other", "z"), set()), ("annotation", ("x", None), set()),
        ("review", ("x", "z"), set()),
    ):  # fmt: skip
        row, lineage = of_row(ours, theirs, table=table), object.__new__(Lineage)
        found = lineage._gone_on(row, "", frozenset((ours, theirs)), event(*said))
        assert {one.id for one in found} == {*left, "new"}, (table, said)
        (new,) = (one for one in found if one.id == "new")
        assert new.past == {"a", "b", "o"} - left - ({"o"} if "a" in left else set())
