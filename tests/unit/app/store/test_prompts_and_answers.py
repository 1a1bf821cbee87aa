"""What was asked, and what was answered to tasks that make no annotations."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable

import pytest

from app.store.act import begin_act
from app.store.annotate.annotators import ensure_annotator
from app.store.check import check
from app.store.extract.prompts import keep_prompt, prompts
from app.store.extract.runs import Answer, CallRecord, add_generation, answers, put_answer, start_run
from app.store.faults import DamagedProjectError
from app.store.history import history, undo
from app.store.project import Project
from app.store.reports.documents import add_document
from app.store.study.items import ItemRating, put_rating
from extractors.model.document import Document
from extractors.model.errors import ProjectError

SCHEMA = {"type": "object", "properties": {"b": {}, "a": {}}}


@pytest.fixture
def asked(project: Project, report: Callable[..., Document]) -> tuple[str, str]:
    """A report and a run (UUIDs) with two calls about it."""
    with begin_act(project, "add", "Ann") as act:
        subject = add_document(act, report(pmcid="12"), "one.xml", "0" * 64).uuid
    with begin_act(project, "run", "Ann", undoable=False) as act:
        run = start_run(act, ensure_annotator(act, "m/ucp", "run").uuid, "model", "m/ucp", {}, "1").uuid
        for question in ("GI", "Neuro"):
            digest = keep_prompt(act, "Rules", ("The report. 😀", f"Task: {question}"), SCHEMA)
            add_generation(act, run, CallRecord(subject, question, digest, "{}", act.at))
    return subject, run


def test_prompts_can_be_read_as_they_were_sent(project: Project, asked: tuple[str, str]) -> None:
    found = prompts(project, asked[1])
    assert [one.user for one in found] == ["The report. 😀Task: GI", "The report. 😀Task: Neuro"]
    assert {one.system for one in found} == {"Rules"}
    assert [list(one.form["properties"]) for one in found] == [["b", "a"]] * 2
    sent = json.dumps(["Rules", "The report. 😀Task: GI", SCHEMA], ensure_ascii=False).encode()
    assert found[0].sha256 == hashlib.sha256(sent).hexdigest()


def test_what_prompts_have_in_common_is_stored_once(project: Project, asked: tuple[str, str]) -> None:
    stored = project.query("SELECT text FROM text WHERE text IN ('Rules', 'The report. 😀', 'Task: GI')")
    assert len(stored) == 3


@pytest.mark.parametrize("column", ["form", "system_sha256", "user_sha256"])
def test_a_prompt_that_was_changed_is_found(project: Project, asked: tuple[str, str], column: str) -> None:
    other = {"form": "{}", "system_sha256": hashlib.sha256(b"Task: GI").hexdigest(), "user_sha256": "[]"}
    project.db.execute(f"UPDATE prompt SET {column} = ? WHERE rowid = 1", [other[column]])
    with pytest.raises(DamagedProjectError, match="not what was sent"):
        prompts(project, asked[1])
    project.close()
    assert [one.message for one in check(project.path)] == ["it is not what was sent"]


def test_a_prompt_that_only_looks_otherwise_is_found(project: Project, asked: tuple[str, str]) -> None:
    project.db.execute("UPDATE prompt SET pictures = '[ ]' WHERE rowid = 1")
    project.close()
    assert [one.message for one in check(project.path)] == ["it is not what was sent"]


def test_an_answer_takes_the_place_of_an_earlier_one_to_the_same_question(
    project: Project, asked: tuple[str, str]
) -> None:
    subject, run = asked
    given = [Answer(subject, "rank", ["A", "B"]), Answer(subject, "rank", None, "seed 2")]
    later = Answer(subject, "rank", {"first": "B"})
    with begin_act(project, "answer", "Ann", undoable=False) as act:
        for one in (*given, later):
            put_answer(act, run, one)
    assert answers(project, run) == [later, given[1]]
    project.close()
    assert check(project.path) == []


def test_a_report_that_calls_are_about_cannot_be_taken_back(
    project: Project, asked: tuple[str, str], report: Callable[..., Document]
) -> None:
    before = history(project)
    with pytest.raises(ProjectError, match="records made since then stand on it"):
        undo(project, "Ann")
    about = pytest.raises(sqlite3.IntegrityError, match="generation is about a document")
    with about, begin_act(project, "delete", "Ann") as act:
        act.delete("document", asked[0])
    assert history(project) == before
    with begin_act(project, "rate", "Ann") as act:
        rated = add_document(act, report(pmcid="13"), "two.xml", "0" * 64).uuid
        put_rating(act, ItemRating(rated, asked[1], "", "Ann", "person", {"good": 1}))
    about = pytest.raises(sqlite3.IntegrityError, match="item_rating is about a document")
    with about, begin_act(project, "delete", "Ann") as act:
        act.delete("document", rated)
