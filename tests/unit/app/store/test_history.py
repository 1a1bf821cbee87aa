"""Undo and redo: any act, any number, across restarts, never rewriting what was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.store import act as act_module
from app.store import database
from app.store.act import Act, begin_act
from app.store.annotate.annotations import add_annotations, delete_annotations
from app.store.annotate.annotators import annotator, annotators, ensure_annotator
from app.store.annotate.reviews import set_review
from app.store.check import check
from app.store.creation import create_project_file
from app.store.extract.runs import start_run
from app.store.history import changes, ever_called, history, redo, redoable, run_after, undo, undoable
from app.store.locks import WriterLock
from app.store.migrations import STEPS
from app.store.project import Project, stored_scheme
from app.store.reports.documents import add_document, document_summaries, documents
from app.store.sqlite import Database
from extractors.model.document import Document, Section
from extractors.model.errors import ProjectError
from extractors.model.finding import Finding

Read = Callable[[Project], dict[str, list[tuple[Any, ...]]]]


def _rename(project: Project, name: str) -> None:
    with begin_act(project, f"rename to {name}", "Ann") as act:
        act.update("annotator", annotators(project)[0].uuid, {"name": name})


def _add_report(act: Act, text: str) -> None:
    section = Section("", (), 0, len(text), ())
    add_document(act, Document("T", text, (section,)), f"{text}.txt", "0" * 64)


def test_with_nothing_done_there_is_nothing_to_undo(project: Project, tables: Read) -> None:
    before = tables(project)
    assert (undo(project, "Ann"), redo(project, "Ann")) == (None, None)
    assert (undoable(project), redoable(project)) == (None, None)
    assert tables(project) == before


def test_a_change_that_changes_nothing_leaves_no_trace(project: Project) -> None:
    before = len(history(project))
    _rename(project, "Ann")
    assert len(history(project)) == before


def test_a_row_comes_back_by_the_columns_that_there_are_now(project: Project) -> None:
    with begin_act(project, "add", "Ann") as act:
        ben = ensure_annotator(act, "Ben", "person").uuid
        (row,) = act.rows("annotator", [ben])
        act.delete("annotator", ben)
        act.restore_all("annotator", [{**row, "taken_since": 1}])
        assert act.rows("annotator", [ben]) == [row]
    assert check(project.path) == []


def test_no_place_is_given_twice(project: Project) -> None:
    def place() -> int:
        with begin_act(project, "look", "Ann") as act:
            return act.next_position("document")

    assert place() >= 0
    with begin_act(project, "import", "Ann") as act:
        _add_report(act, "one")
    after = place()
    undo(project, "Ann")
    assert place() >= after > 0


def test_whoever_had_a_name_once_is_found_by_it(project: Project) -> None:
    with begin_act(project, "add", "Ann") as act:
        first, second = (ensure_annotator(act, name, "person").uuid for name in ("Ben", "Cas"))
    for one, name in ((first, "Bea"), (second, "Ben")):
        with begin_act(project, "rename", "Ann") as act:
            act.update("annotator", one, {"name": name})
    assert ever_called(project, "Ben") == {first, second}
    assert ever_called(project, "Bea") == {first}
    assert not ever_called(project, "Dee")


def test_two_undos_go_two_acts_back(project: Project) -> None:
    for name in ("B", "C", "D"):
        _rename(project, name)
    assert [undo(project, "Ann"), undo(project, "Ann")] == [history(project)[3], history(project)[2]]
    assert annotators(project)[0].name == "B"
    redone = redo(project, "Ann")
    assert redone is not None
    assert redone.name == "rename to C"
    assert annotators(project)[0].name == "C"


def test_a_long_act_puts_its_changes_on_record_on_the_way_and_is_undone_whole(
    project: Project, tables: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(act_module, "_WAITING", 10)
    before, count = tables(project), len(history(project))
    with begin_act(project, "add many", "Ann") as act:
        for number in range(30):
            ensure_annotator(act, f"N{number}", "person")
        assert len(act._changes) <= 10
    assert len(history(project)) == count + 1
    assert not check(project.path)
    undo(project, "Ann")
    assert tables(project) == before


def test_undo_survives_closing_the_program(project: Project, tables: Read) -> None:
    before = tables(project)
    with begin_act(project, "add", "Ann") as act:
        _add_report(act, "One")
    after = tables(project)
    project.close()
    with Project.open(project.path, write=True) as again:
        undo(again, "Ben")
        assert tables(again) == before
    with Project.open(project.path, write=True) as again:
        redo(again, "Ben")
        assert tables(again) == after
        assert len(documents(again)) == 1


def test_a_new_act_after_an_undo_leaves_nothing_to_redo(project: Project) -> None:
    _rename(project, "B")
    undo(project, "Ann")
    _rename(project, "C")
    assert redo(project, "Ann") is None
    undo(project, "Ann")
    assert annotators(project)[0].name == "Ann"


def test_undoing_adds_to_the_history_and_alters_nothing_in_it(project: Project) -> None:
    _rename(project, "B")
    before = project.query("SELECT * FROM history ORDER BY seq")
    undone = undo(project, "Ben")
    after = project.query("SELECT * FROM history ORDER BY seq")
    assert after[: len(before)] == before
    last = history(project)[-1]
    assert undone is not None
    assert (last.kind, last.target, last.who, last.name) == ("undo", undone.act, "Ben", "rename to B")
    (change,) = changes(project, last.act)
    assert change.before is not None
    assert change.after is not None
    assert (change.verb, change.before["name"], change.after["name"]) == ("update", "B", "Ann")


def test_the_creation_of_the_project_cannot_be_undone(project: Project) -> None:
    assert [(entry.name, entry.undoable) for entry in history(project)] == [("create project", False)]
    assert history(project)[0].changes == 5


def test_an_act_that_later_records_stand_on_is_not_undone(project: Project, tables: Read) -> None:
    with begin_act(project, "add annotator", "Ann") as act:
        holder = ensure_annotator(act, "rules", "run")
    with begin_act(project, "run", "rules", undoable=False) as act:
        start_run(act, holder.uuid, "rules", "rules", {}, "0.1.0")
    before = tables(project), history(project)
    with pytest.raises(ProjectError, match="'add annotator' cannot be undone"):
        undo(project, "Ann")
    assert (tables(project), history(project)) == before


@pytest.mark.parametrize("deed", ["update", "insert"])
def test_a_row_changed_behind_the_back_is_not_undone_over(
    project: Project, tables: Read, tamper: Callable[[Path, str], None], deed: str
) -> None:
    if deed == "update":
        _rename(project, "B")
    else:
        with begin_act(project, "add", "Ann") as act:
            ensure_annotator(act, "B", "person")
    project.close()
    tamper(project.path, "UPDATE annotator SET name = 'X' WHERE name = 'B'")
    with Project.open(project.path, write=True) as again:
        before = tables(again), history(again)
        with pytest.raises(ProjectError, match="outside the program"):
            undo(again, "Ann")
        assert (tables(again), history(again)) == before


# One project's history grows from example to example.
@settings(
    max_examples=min(200, settings().max_examples),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(st.sampled_from(["do", "record", "undo", "redo"]), max_size=60))
def test_what_undo_and_redo_would_do_is_known_without_doing_it(project: Project, steps: list[str]) -> None:
    standing: list[str] = []
    undone: list[str] = []
    _rename(project, first := str(uuid4()))
    standing.append(f"rename to {first}")
    for step in steps:
        if step == "do":
            _rename(project, name := str(uuid4()))
            standing.append(f"rename to {name}")
            undone.clear()
        elif step == "record":
            with begin_act(project, "record", "Ann", undoable=False) as act:
                ensure_annotator(act, str(uuid4()), "run")
        elif step == "undo" and standing != ["rename to " + first]:
            undo(project, "Ann")
            undone.append(standing.pop())
        elif step == "redo" and redo(project, "Ann") is not None:
            standing.append(undone.pop())
        next_undo, next_redo = undoable(project), redoable(project)
        assert next_undo in history(project)
        assert next_undo is not None
        assert next_undo.name == standing[-1]
        assert (next_redo.name if next_redo else None) == (undone[-1] if undone else None)


def test_what_undo_would_do_is_read_from_the_end_of_the_history(project: Project) -> None:
    for number in range(40):
        _rename(project, f"A{number}")
    read: list[str] = []
    project.db.conn.set_trace_callback(read.append)
    undoable(project)
    project.db.conn.set_trace_callback(None)
    queries = [query for query in read if query.startswith("SELECT") and "LIMIT 16" in query]
    assert len(queries) == 1
    (plan,) = project.query(f"EXPLAIN QUERY PLAN {queries[0]}")
    assert "history_acts" in plan["detail"]


def test_a_history_with_gaps_is_not_undone_over(
    project: Project, tables: Read, tamper: Callable[[Path, str], None]
) -> None:
    for name in ("B", "C"):
        _rename(project, name)
    undo(project, "Ann")
    project.close()
    tamper(project.path, "DELETE FROM history WHERE name = 'rename to C' AND kind = 'do'")
    with Project.open(project.path, write=True) as again:
        before = tables(again)
        with pytest.raises(ProjectError, match="the history has gaps"):
            undo(again, "Ann")
        assert tables(again) == before


def test_an_undo_of_an_act_that_the_history_lacks_is_a_gap(
    project: Project, tamper: Callable[[Path, str], None]
) -> None:
    _rename(project, "B")
    undo(project, "Ann")
    project.close()
    tamper(project.path, "DELETE FROM history WHERE name = 'rename to B' AND kind = 'do'")
    with Project.open(project.path, write=True) as again:
        assert annotators(again)[0].name == "Ann"
        with pytest.raises(ProjectError, match="the history has gaps"):
            undo(again, "Ann")


def test_a_redo_of_an_act_whose_undo_the_history_lacks_is_a_gap(
    project: Project, tamper: Callable[[Path, str], None]
) -> None:
    _rename(project, "B")
    undo(project, "Ann")
    redo(project, "Ann")
    project.close()
    tamper(project.path, "DELETE FROM history WHERE kind = 'undo'")
    with Project.open(project.path, write=True) as again, pytest.raises(ProjectError, match="has gaps"):
        redo(again, "Ann")


def test_only_runs_that_undo_passes_over_are_named_as_what_came_after_an_act(project: Project) -> None:
    _rename(project, "B")
    act_uuid = history(project)[-1].act
    for name, can_be_undone in (("stays on record", False), ("can be undone", True)):
        with begin_act(project, name, "rules", undoable=can_be_undone) as act:
            holder = ensure_annotator(act, name, "run")
            start_run(act, holder.uuid, "rules", name, {}, "0.1.0")
    assert run_after(project, act_uuid) == "stays on record"
    undo(project, "Ann")
    assert run_after(project, act_uuid) == "stays on record"
    assert run_after(project, history(project)[-1].act) == ""


def test_an_act_from_before_a_migration_can_be_undone_and_redone(project: Project) -> None:
    def add_ward(db: Database) -> None:
        db.execute("ALTER TABLE annotator ADD COLUMN ward TEXT NOT NULL DEFAULT 'none'")

    _rename(project, "B")
    with begin_act(project, "add", "Ann") as act:
        ensure_annotator(act, "Cy", "person")
    project.close()
    path = project.path
    db = database.open_for_writing(path, (*STEPS, add_ward))
    with Project(
        path, db, stored_scheme(path, db), WriterLock(FileLock(f"{path}.lock"), alone=False)
    ) as migrated:
        undo(migrated, "Ann")
        undo(migrated, "Ann")
        assert [known.name for known in annotators(migrated)] == ["Ann"]
        redo(migrated, "Ann")
        redo(migrated, "Ann")
        assert [known.name for known in annotators(migrated)] == ["B", "Cy"]
        assert migrated.query("SELECT DISTINCT ward FROM annotator") == [{"ward": "none"}]


def _annotate(act: Act, number: int, *, replace: bool) -> None:
    """Three findings in one of the reports, before or in the place of those there."""
    summaries = document_summaries(act.project)
    if not summaries:
        return
    document = summaries[number % len(summaries)].uuid
    holder = ensure_annotator(act, f"reader {number % 2}", "person").uuid
    findings = [Finding(c, f"{number}", None, None, grounding="ungrounded") for c in ("GI", "Neuro", "GI")]
    if replace:
        delete_annotations(act, document, holder)
    add_annotations(act, document, holder, findings, "human")


def _clear(act: Act, number: int) -> None:
    for summary in document_summaries(act.project):
        delete_annotations(act, summary.uuid, ensure_annotator(act, f"reader {number % 2}", "person").uuid)


def _review(act: Act, number: int) -> None:
    holder = annotator(act.project, "Ann").uuid
    for summary in document_summaries(act.project):
        set_review(act, summary.uuid, holder, state="parked" if number % 2 else "done", looked_at=["GI"])


def _come_and_go(act: Act, number: int) -> None:
    """Rows that are inserted, changed and removed within one act."""
    passing = ensure_annotator(act, f"passing {number}", "run")
    act.update("annotator", passing.uuid, {"name": f"passed {number}"})
    act.delete("annotator", passing.uuid)
    ensure_annotator(act, f"stays {number}", "run")


DEEDS: dict[str, Callable[[Act, int], None]] = {
    "report": lambda act, number: _add_report(act, f"Text {number}"),
    "annotate": lambda act, number: _annotate(act, number, replace=False),
    "replace": lambda act, number: _annotate(act, number, replace=True),
    "clear": _clear,
    "review": _review,
    "come and go": _come_and_go,
}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plan=st.lists(st.sampled_from([*DEEDS, "undo", "redo"]), max_size=12))
def test_undoing_all_restores_the_start_and_redoing_all_the_end(
    tmp_path: Path, scheme_folder: Path, tables: Read, plan: list[str]
) -> None:
    with create_project_file(tmp_path / f"{uuid4()}.casespan", scheme_folder, "Ann") as project:
        _follow(project, tables, plan)


def _follow(project: Project, tables: Read, plan: list[str]) -> None:
    states = [tables(project)]
    ahead: list[Any] = []
    for number, step in enumerate(plan):
        if step == "undo":
            if undo(project, "Ann"):
                ahead.append(states.pop())
        elif step == "redo":
            if redo(project, "Ann"):
                states.append(ahead.pop())
        else:
            acts = len(history(project))
            with begin_act(project, step, "Ann") as act:
                DEEDS[step](act, number)
            if len(history(project)) > acts:
                states.append(tables(project))
                ahead.clear()
        assert tables(project) == states[-1]
    for expected in reversed(states[:-1]):
        assert undo(project, "Ann")
        assert tables(project) == expected
    assert undo(project, "Ann") is None
    for expected in [*states[1:], *reversed(ahead)]:
        assert redo(project, "Ann")
        assert tables(project) == expected
    assert redo(project, "Ann") is None
    assert check(project.path) == []
