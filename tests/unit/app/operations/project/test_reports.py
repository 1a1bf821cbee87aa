"""Reports are deleted and renamed, and undo brings all back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli import main
from app.operations.annotate.anchors import set_anchor
from app.operations.annotate.exposure import disclose
from app.operations.annotate.report import open_report, touched_reports
from app.operations.annotate.spans import (
    SpanPlace,
    add_span,
    set_review_state,
    state_nothing_found,
    state_nothing_in_rest,
)
from app.operations.annotate.views import keep_guess
from app.operations.exchange.exporting import export_annotations
from app.operations.extract.rules import extract_with_rules
from app.operations.profile.terms import add as add_term
from app.operations.project.files import check_project, list_project
from app.operations.project.history import (
    list_history,
    next_undo,
    redo_change,
    undo_change,
    undo_to,
    undoable_acts,
)
from app.operations.project.opening import open_project
from app.operations.project.reports import contents_of, delete_reports, rename_report
from app.store.act import begin_act
from app.store.annotate.annotators import annotator, ensure_annotator
from app.store.annotate.carried import Carried, add_carried
from app.store.annotate.disclosures import disclosures
from app.store.extract.runs import CallRecord, add_generation, start_run
from app.store.history import undo
from app.store.project import Project
from extractors.model.errors import ProjectError, UnknownNameError
from tests.builders import ME, Kept, sample_reports


@pytest.fixture
def path(kept: Kept, tmp_path: Path) -> Path:
    return kept.copy(sample_reports, tmp_path / "study.casespan")


@pytest.fixture
def project(path: Path) -> Iterator[Project]:
    with open_project(path) as opened:
        yield opened


def rows(project: Project) -> dict[str, list[str]]:
    """Every table that undo can change, whatever order its rows are in."""
    tables = ("document", "section", "annotation", "review", "run", "generation", "annotator")
    return {table: sorted(map(str, project.query(f"SELECT * FROM {table}"))) for table in tables}


def ask(project: Project, report: str) -> None:
    """A model's call about a report, recorded as a run does it."""
    uuid = open_report(project, report, ME).stored.uuid
    with begin_act(project, "answer", "m", undoable=False) as act:
        run = start_run(act, ensure_annotator(act, "m", "run").uuid, "model", "m", {}, "1")
        add_generation(act, run.uuid, CallRecord(uuid, "EYE", "0" * 64, "nothing", act.at))


def test_a_deleted_report_is_gone_everywhere_and_undo_brings_back_all_of_it(
    project: Project, path: Path, tmp_path: Path
) -> None:
    for _ in extract_with_rules(project):
        pass
    first, second = (one.key for one in list_project(project).documents[:2])
    add_span(project, ME, SpanPlace(first, 0, 5), project.scheme.ids[0])
    ask(project, first)
    disclose(project, ME, first, ["rules"])
    looks = disclosures(project)
    before = rows(project)
    told = contents_of(project, first)
    assert told.spans[ME] == 1
    assert told.spans["rules"] > 0
    assert told.besides == ("1 call of a model",)
    # What is no quote goes, too.
    add_term(project, ME, second, "HP:0001945")
    set_anchor(project, second, None)
    keep_guess(project, second, "T1", 1, "Gout?", "0" * 64)
    with begin_act(project, "carry", ME) as carrying:
        of = (open_report(project, second, ME).stored.uuid, annotator(project, ME).uuid)
        add_carried(carrying, [Carried("", *of, None, "Odd", "gout", None, None, {})])
    others = ("1 term of a profile", "1 annotation under another label", "1 diagnosis", "1 guess of a reader")
    assert contents_of(project, second).besides == others
    before = rows(project)
    assert delete_reports(project, [first]) == (told,)
    assert disclosures(project) == looks, "who saw whose spans stays on record"
    overview = list_project(project)
    assert first not in [one.key for one in overview.documents]
    assert not any(overview.calls.values())
    with pytest.raises(UnknownNameError):
        open_report(project, first, ME)
    out = tmp_path / "rules.jsonl"
    export_annotations(project, out, "jsonl", "rules")
    assert first not in [json.loads(line)["id"] for line in out.read_text("utf-8").splitlines()]
    # A model at work meanwhile takes no place that a deleted call had.
    ask(project, second)
    act = next_undo(project)
    assert act is not None
    assert act.name == f"delete report {first}"
    assert touched_reports(project, act.act) == ()
    undo_change(project, past_runs=True)
    assert touched_reports(project, act.act) == (first,)
    after = rows(project)
    assert all(set(before[table]) <= set(after[table]) for table in before)
    assert after["document"] == before["document"]
    assert redo_change(project) is not None
    assert undo_change(project, past_runs=True) is not None
    assert rows(project) == after
    assert check_project(project) == []


def test_a_renamed_report_keeps_its_text_and_spans_and_undo_gives_back_its_name(project: Project) -> None:
    first, second = list_project(project).documents[:2]
    add_span(project, ME, SpanPlace(first.key, 0, 5), project.scheme.ids[0])
    after = rename_report(project, first.key, title=" Ataxia in  two sisters", key="sisters-1")
    assert (after.key, after.title) == ("sisters-1", "Ataxia in two sisters")
    assert len(open_report(project, "sisters-1", ME).annotations) == 1
    for key in (second.key, "two words", "x" * 61):
        with pytest.raises(ProjectError, match="short name"):
            rename_report(project, "sisters-1", key=key)
    acts = len(list_history(project))
    rename_report(project, "sisters-1", title="Ataxia in two sisters")
    assert len(list_history(project)) == acts
    rename_report(project, "sisters-1", title="Two sisters")
    renamed = f"rename report {first.key} to sisters-1", "rename report sisters-1"
    assert tuple(entry.name for entry in list_history(project)[-2:]) == renamed
    undo(project, ME)
    undo(project, ME)
    assert open_report(project, first.key, ME).stored.document.title == first.title
    assert check_project(project) == []


def test_undo_to_an_act_takes_back_what_came_after_it_and_redo_goes_forward_again(project: Project) -> None:
    key = list_project(project).documents[0].key
    for place in range(4):
        add_span(project, ME, SpanPlace(key, place, place + 1), project.scheme.ids[0])
    stands = tuple(undoable_acts(list_history(project)))
    undo_change(project)
    assert tuple(undoable_acts(list_history(project))) == stands[:-1]
    assert [one.act for one in undo_to(project, stands[1])] == [stands[3], stands[2]]
    assert tuple(undoable_acts(list_history(project))) == stands[:2]
    with pytest.raises(ProjectError, match="was undone"):
        undo_to(project, stands[3])
    assert redo_change(project) is not None
    assert tuple(undoable_acts(list_history(project))) == stands[:3]


def test_nothing_is_stated_of_all_open_categories_in_one_act(project: Project) -> None:
    key = list_project(project).documents[0].key
    add_span(project, ME, SpanPlace(key, 0, 5), project.scheme.ids[3])
    set_review_state(project, ME, key, "done")
    acts = len(list_history(project))
    changed = state_nothing_in_rest(project, ME, key)
    rest = tuple(one for one in project.scheme.ids if one != project.scheme.ids[3])
    assert (changed.reviews[0].nothing_found, changed.reviews[0].state) == (rest, "done")
    assert len(list_history(project)) == acts + 1
    assert state_nothing_in_rest(project, ME, key).reviews == ()
    undo_change(project)
    assert open_report(project, key, ME).review.nothing_found == ()
    named = [project.scheme.category(one).name for one in rest[-2:]]
    for left, told in ((3, "3 categories"), (2, ", ".join(named))):
        for category in rest[:-left]:
            state_nothing_found(project, ME, key, category)
        state_nothing_in_rest(project, ME, key)
        assert list_history(project)[-1].name == f"state nothing found in {told} in {key}"
        undo_change(project)


def test_reports_are_deleted_and_renamed_on_the_command_line(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (one.key for one in list_project(path).documents[:2])
    assert main(["rename", str(path), first, "--title", "Two sisters", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"id": first, "title": "Two sisters"}
    assert main(["rename", str(path), first]) == 2
    assert main(["delete", str(path), first, second, "--json"]) == 0
    out = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in out] == [first, second]
    assert out[0] == {"id": first, "title": "Two sisters", "annotations": {}, "besides": []}
    assert main(["delete", str(path), first]) == 2
    assert first in capsys.readouterr().err
    acts = [one.act for one in list_history(path)]
    assert main(["undo", str(path), "--to", acts[0]]) == 0
    assert "3 changes undone." in capsys.readouterr().out
    assert main(["redo", str(path)]) == 0
    assert [one.title for one in list_project(path).documents if one.key == first] != ["Two sisters"]
    capsys.readouterr()
    assert main(["redo", str(path), "--to", acts[-1]]) == 0
    *told, last = capsys.readouterr().out.splitlines()
    assert (len(told), told[-1].startswith("Done again: delete"), last) == (2, True, "2 changes done again.")
    assert first not in {one.key for one in list_project(path).documents}
