"""Rating outputs: what is refused, in which order they come, what a blind rater may know, and sheets."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from app.operations.annotate.spans import set_review_state
from app.operations.project.files import check_project
from app.operations.project.history import list_history, next_undo, redo_change, undo_change
from app.operations.rate.ratings import (
    Output,
    following,
    list_outputs,
    list_ratings,
    list_sets,
    rate_output,
    read_rating,
    remove_rating,
    show_output,
    show_quotes,
    summarise_ratings,
)
from app.operations.rate.sheets import export_ratings, list_items, read_rating_sheet, write_rating_sheet
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import annotators, ensure_annotator
from app.store.annotate.disclosures import disclosures
from app.store.annotate.reviews import set_review
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import add_document, document_summary
from extractors.model.document import Document
from extractors.model.errors import CasespanError, FormatError, ProjectError, UnknownNameError
from extractors.model.finding import Finding
from tests.builders import Kept, is_blind

OWNER, RATER = "Ann", "Dr Who"
RUNS = ("m1", "m2", "m3")
REPORTS = tuple(f"PMC{number}" for number in range(1, 7))
ALL = {item.id: 4 for item in list_items()}


def write_looked_at(path: Path) -> None:
    """Six reports that three runs looked at; "late" only at the first, and found nothing. Bob is a person."""
    with create_project_file(path, None, OWNER) as made, begin_act(made, "add", OWNER) as act:
        documents = [
            add_document(act, Document("R", "=A headache.", (), {"pmcid": key[3:]}), "r.xml", "0" * 64)
            for key in REPORTS
        ]
        for name in RUNS:
            run = ensure_annotator(act, name, "run").uuid
            for stored in documents:
                add_annotations(act, stored.uuid, run, [Finding("Neuro", "headache", 3, 11)], "model")
        late = ensure_annotator(act, "late", "run").uuid
        set_review(act, documents[0].uuid, late, looked_at=["Neuro"])
        ensure_annotator(act, "Bob", "person")


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Iterator[Project]:
    with kept.open(write_looked_at, tmp_path / "study.casespan") as made:
        yield made
        assert check_project(made) == []


def refused(
    project: Project,
    kind: type[CasespanError],
    *,
    rater: str = RATER,
    run: str = "m1",
    report: str = "PMC1",
    scores: Mapping[str, int] = MappingProxyType({"accuracy": 3}),
) -> str:
    """The sentence with which a rating is refused; nothing is in the project then."""
    with pytest.raises(kind) as caught:
        rate_output(project, rater, run, report, scores)
    assert list_ratings(project) == ()
    return str(caught.value)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_rating_is_one_act_that_names_no_run_and_one_undo_takes_it_back(project: Project) -> None:
    rate_output(project, RATER, "m1", "PMC1", {"accuracy": 3}, " fair ", blind=True)
    found = read_rating(project, RATER, "m1", "PMC1")
    assert found is not None
    assert (found.scores, found.note, found.blind, found.whole) == ({"accuracy": 3}, "fair", True, False)
    last = list_history(project)[-1]
    assert last.name == "rate an output of PMC1"
    undo = next_undo(project)
    assert undo is not None
    undo_change(project)
    assert read_rating(project, RATER, "m1", "PMC1") is None


def test_a_look_at_what_is_to_be_rated_names_no_run_in_the_history(project: Project) -> None:
    before = len(list_history(project))
    show_output(project, RATER, "m1", "PMC1", annotates=True)
    outputs = list_outputs(project, RATER, ["m1", "m2"])
    show_quotes(project, RATER, outputs)
    names = [entry.name for entry in list_history(project)[before:]]
    assert names
    assert all(name.startswith("show what is to be rated in ") for name in names)


def test_rating_the_same_output_again_replaces_what_the_same_rater_said(project: Project) -> None:
    rate_output(project, RATER, "m1", "PMC1", {"accuracy": 3, "readability": 1})
    rate_output(project, RATER, "m1", "PMC1", {"accuracy": 5})
    rate_output(project, "Bob", "m1", "PMC1", ALL)
    assert [(one.rater, dict(one.scores)) for one in list_ratings(project)] == [
        ("Bob", ALL),
        (RATER, {"accuracy": 5}),
    ]
    assert [one.rater for one in list_ratings(project, raters=["Bob"])] == ["Bob"]
    with pytest.raises(UnknownNameError, match=f"'nobody' has rated nothing; choose one of Bob, {RATER}"):
        list_ratings(project, raters=["nobody"])
    summary = summarise_ratings(project, runs=["m1"])
    assert summary.runs[0].partial == 1


def test_a_rating_can_be_removed_and_one_that_is_not_there_cannot(project: Project) -> None:
    rate_output(project, RATER, "m1", "PMC1", ALL)
    remove_rating(project, RATER, "m1", "PMC1")
    assert list_ratings(project) == ()
    with pytest.raises(UnknownNameError, match="nothing to remove"):
        remove_rating(project, RATER, "m1", "PMC1")


def test_what_cannot_be_rated_is_refused_in_a_sentence(project: Project) -> None:
    assert "from 1 to 5, not 6" in refused(project, ProjectError, scores={"accuracy": 6})
    assert "no item 'charm'" in refused(project, UnknownNameError, scores={"charm": 3})
    assert "a score or a note" in refused(project, ProjectError, scores={})
    assert "PMC77" in refused(project, UnknownNameError, report="PMC77")
    assert "no annotator 'm9'" in refused(project, UnknownNameError, run="m9")
    assert "late has not annotated PMC2" in refused(project, ProjectError, run="late", report="PMC2")
    assert "Bob has not annotated PMC1" in refused(project, ProjectError, run="Bob")
    assert "Bob's own" in refused(project, ProjectError, run="Bob", rater="Bob")
    assert "a person who rates" in refused(project, ProjectError, rater="m2")
    assert "a person who rates" in refused(project, ProjectError, rater="gold")
    assert "needs a name" in refused(project, ProjectError, rater=" ")
    # It can be by the path of its project.
    project.close()
    assert rate_output(project.path, RATER, "m1", "PMC1", {"accuracy": 3}).whole is False


def test_a_run_that_looked_and_found_nothing_and_a_person_who_is_done_can_be_rated(project: Project) -> None:
    rate_output(project, RATER, "late", "PMC1", {"omissions": 1})
    set_review_state(project, "Bob", "PMC1", "done")
    rate_output(project, RATER, "Bob", "PMC1", {"omissions": 2})
    assert [one.run for one in list_ratings(project)] == ["Bob", "late"]
    assert [one.name for one in list_sets(project, "Bob")] == ["late", *RUNS]


def test_outputs_come_report_by_report_each_once_and_runs_in_no_fixed_order(project: Project) -> None:
    outputs = list_outputs(project, RATER)
    assert [one.report for one in outputs] == sorted(one.report for one in outputs)
    assert len({(one.report, one.run) for one in outputs}) == len(outputs) == 3 * 6 + 1
    orders = {
        tuple(one.run for one in outputs if one.report == report and one.run != "late") for report in REPORTS
    }
    assert len(orders) > 1
    assert list_outputs(project, RATER) == outputs
    # People's are rated where they are named.
    with begin_act(project, "look", OWNER) as act:
        bob = ensure_annotator(act, "Bob", "person").uuid
        set_review(act, document_summary(project, "PMC1").uuid, bob, looked_at=["Neuro"])
    assert list_outputs(project, RATER) == outputs
    assert [one.report for one in list_outputs(project, RATER, ["Bob"])] == ["PMC1"]
    assert [one.run for one in outputs] != [one.run for one in list_outputs(project, "Somebody else")]


def test_blind_labels_are_letters_that_tell_a_report_s_outputs_apart_and_are_drawn_anew_for_the_next(
    project: Project,
) -> None:
    outputs = list_outputs(project, RATER, blind=True)
    letters = {(one.report, one.run): one.label for one in outputs}
    assert all(label.startswith("Output ") and label[7:].isupper() for label in letters.values())
    for report in REPORTS:
        of_report = [label for (key, _), label in letters.items() if key == report]
        assert len(set(of_report)) == len(of_report)
        assert of_report == sorted(of_report)
    assert all(len({letters[report, run] for report in REPORTS}) > 1 for run in RUNS)


def test_blind_labels_stay_when_others_come_and_when_fewer_are_rated(project: Project) -> None:
    before = {(one.report, one.run): one.label for one in list_outputs(project, RATER, blind=True)}
    with begin_act(project, "add", OWNER) as act:
        report = document_summary(project, "PMC1").uuid
        for number in range(30):
            new = ensure_annotator(act, f"new {number}", "run").uuid
            set_review(act, report, new, looked_at=["CVS"])
    after = {(one.report, one.run): one.label for one in list_outputs(project, RATER, blind=True)}
    assert all(after[output] == label for output, label in before.items())
    first = [label for (report, _), label in after.items() if report == "PMC1"]
    assert len(set(first)) == len(first) == 34
    few = list_outputs(project, RATER, ["m2"], blind=True)
    assert all(before[one.report, one.run] == one.label for one in few)


def letters_of(project: Project) -> dict[tuple[str, str], str]:
    return {(one.report, one.run): one.label for one in list_outputs(project, RATER, blind=True)}


def test_blind_labels_stay_where_a_set_is_undone_and_redone_under_later_ones(project: Project) -> None:
    with begin_act(project, "one more", OWNER) as act:
        early = ensure_annotator(act, "early", "run").uuid
        for key in REPORTS:
            set_review(act, document_summary(project, key).uuid, early, looked_at=["Neuro"])
    with begin_act(project, "runs", OWNER, undoable=False) as act:
        for name in ("r1", "r2", "r3", "r4", "r5"):
            run = ensure_annotator(act, name, "run").uuid
            for key in REPORTS:
                set_review(act, document_summary(project, key).uuid, run, looked_at=["Neuro"])
    before = letters_of(project)
    assert len(before) == 9 * 6 + 1
    undo_change(project, past_runs=True)
    after = letters_of(project)
    assert len(after) == 8 * 6 + 1
    assert after.items() <= before.items()
    redo_change(project)
    assert letters_of(project) == before


def test_a_letter_of_a_set_that_is_gone_is_refused_and_stands_for_no_other(
    project: Project, tmp_path: Path
) -> None:
    with begin_act(project, "one more", OWNER) as act:
        early = ensure_annotator(act, "early", "run").uuid
        set_review(act, document_summary(project, "PMC1").uuid, early, looked_at=["Neuro"])
    label = letters_of(project)["PMC1", "early"]
    undo_change(project)
    with begin_act(project, "another", OWNER) as act:
        for number in range(22):
            new = ensure_annotator(act, f"new {number}", "run").uuid
            set_review(act, document_summary(project, "PMC1").uuid, new, looked_at=["Neuro"])
    sheet = write(tmp_path / "s.csv", f"report,run,rater,blind,accuracy\nPMC1,{label},{RATER},yes,4\n")
    (line,) = read_rating_sheet(project, sheet).refused
    assert line == f"line 2: {label} of PMC1 was taken out of the project; leave it out."
    assert list_ratings(project) == ()


def test_a_blind_rater_may_name_an_output_by_its_letter(project: Project) -> None:
    output = list_outputs(project, RATER, blind=True)[0]
    rate_output(project, RATER, output.label, output.report, {"accuracy": 2}, blind=True)
    (found,) = list_ratings(project)
    assert (found.report, found.run, found.blind) == (output.report, output.run, True)


def test_next_is_the_first_that_is_not_rated_then_those_rated_in_part_then_nothing(project: Project) -> None:
    outputs = list_outputs(project, RATER, ["m1", "m2"])
    first, second = outputs[:2]

    def after(output: Output | None) -> Output | None:
        place = (output.report, output.run) if output else None
        return following(list_outputs(project, RATER, ["m1", "m2"]), place)

    assert after(None) == first
    assert after(first) == second
    assert after(outputs[-1]) == first
    rate_output(project, RATER, first.run, first.report, {"accuracy": 3})
    assert after(outputs[-1]) == second
    for one in outputs[1:]:
        rate_output(project, RATER, one.run, one.report, ALL)
    last = after(outputs[-1])
    assert last is not None
    assert (last.run, last.state) == (first.run, "partial")
    assert after(first) is None
    rate_output(project, RATER, first.run, first.report, ALL)
    assert after(None) is None


def test_a_look_for_rating_is_on_record_for_those_who_annotate_and_for_nobody_else(project: Project) -> None:
    shown = show_output(project, RATER, "m1", "PMC1")
    assert [finding.quote for finding in shown.quotes["Neuro"]] == ["headache"]
    assert shown.text == "=A headache."
    assert disclosures(project) == []
    show_output(project, OWNER, "m1", "PMC1")
    show_output(project, OWNER, "m1", "PMC1")
    show_output(project, "Bob", "m1", "PMC2")
    show_output(project, "New here", "m1", "PMC3", annotates=True)
    assert [look.annotator for look in disclosures(project)] == [OWNER, "Bob", "New here"]
    assert not is_blind(project, OWNER, "PMC1")
    assert is_blind(project, OWNER, "PMC2")


def test_a_blind_sheet_names_no_run_and_comes_back_as_the_ratings_of_the_right_ones(
    project: Project, tmp_path: Path
) -> None:
    sheet = tmp_path / "sheet.csv"
    assert write_rating_sheet(project, RATER, sheet, ["m1", "m2"], blind=True) == 12
    text = sheet.read_text(encoding="utf-8")
    assert "m1" not in text
    assert "m2" not in text
    rows = rows_of(sheet)
    assert "5 = none" in rows[0]["omissions"]
    labels = {(one.report, one.label): one.run for one in list_outputs(project, RATER, blind=True)}
    filled = rows[1:5]
    for row in filled:
        row["accuracy"] = "2" if labels[row["report"], row["run"]] == "m1" else "5"
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    done = read_rating_sheet(project, sheet)
    assert (done.rated, done.partial, done.empty, done.refused) == (4, 4, 8, ())
    found = list_ratings(project)
    assert all(one.blind and one.rater == RATER for one in found)
    assert all(one.scores == {"accuracy": 2 if one.run == "m1" else 5} for one in found)
    assert list_history(project)[-1].name == "rate outputs of 2 reports"


def test_of_a_sheet_with_wrong_lines_each_is_named_and_nothing_is_recorded(
    project: Project, tmp_path: Path
) -> None:
    sheet = write(
        tmp_path / "s.csv",
        "report;run;rater;accuracy;charm;note\n"
        "PMC1;m1;Bob;4;;\n"
        "PMC1;m1;Bob;4;;\n"
        "PMC9;m1;Bob;4;;\n"
        "PMC2;m1;Bob;six;;\n"
        "PMC2;m2;;7;;\n"
        "PMC2;m3;Bob;;;\n",
    )
    acts = len(list_history(project))
    done = read_rating_sheet(project, sheet, RATER)
    assert [line.split(":")[0] for line in done.refused] == ["line 3", "line 4", "line 5", "line 6"]
    assert "leave one of the two" in done.refused[0]
    assert "whole number from 1 to 5" in done.refused[2]
    assert "from 1 to 5, not 7" in done.refused[3]
    assert (done.rated, len(list_history(project)), list_ratings(project)) == (0, acts, ())


def test_a_second_note_on_the_same_output_is_refused_and_the_same_one_again_is_not(
    project: Project, tmp_path: Path
) -> None:
    rows = "report,run,rater,item,score,note\nPMC1,m1,Bob,accuracy,4,terse\nPMC1,m1,Bob,omissions,2,"
    (line,) = read_rating_sheet(project, write(tmp_path / "two.csv", rows + "wordy\n")).refused
    assert line == "line 3: Bob has another note on this output of PMC1 above; put both into one."
    assert list_ratings(project) == ()
    for again in ("terse", ""):
        assert read_rating_sheet(project, write(tmp_path / "one.csv", f"{rows}{again}\n")).rated == 1
        (found,) = list_ratings(project)
        assert (found.note, found.scores) == ("terse", {"accuracy": 4, "omissions": 2})


def test_a_sheet_shows_what_the_outputs_say(project: Project, tmp_path: Path) -> None:
    # What is rated in part is still to be rated.
    rate_output(project, RATER, "m1", "PMC1", {"accuracy": 3})
    write_rating_sheet(project, RATER, tmp_path / "s.csv", ["m1", "late"])
    shown = {(row["report"], row["run"]): row["quotes"] for row in rows_of(tmp_path / "s.csv")[1:]}
    neuro = project.scheme.category("Neuro")
    assert shown["PMC1", "m1"] == f"{neuro.name} ({neuro.code})\n- headache"
    assert shown["PMC1", "late"] == "Nothing was found."


def test_the_looks_of_a_sheet_are_one_act_and_those_at_what_it_shows(
    project: Project, tmp_path: Path
) -> None:
    acts = len(list_history(project))
    write_rating_sheet(project, "Bob", tmp_path / "s.csv", ["m1", "m2"])
    assert len({entry.act for entry in list_history(project)[acts:]}) == 1
    names = {one.uuid: one.name for one in annotators(project)}
    keys = {document_summary(project, key).uuid: key for key in REPORTS}
    looks = {(keys[look.document], names[look.shown], look.annotator) for look in disclosures(project)}
    assert looks == {(key, run, "Bob") for key in REPORTS for run in ("m1", "m2")}
    write_rating_sheet(project, "Bob", tmp_path / "s.csv")
    looks = {(keys[look.document], names[look.shown], look.annotator) for look in disclosures(project)}
    assert looks == {(key, run, "Bob") for key in REPORTS for run in RUNS} | {("PMC1", "late", "Bob")}
    write_rating_sheet(project, RATER, tmp_path / "s.csv")
    assert {look.annotator for look in disclosures(project)} == {"Bob"}


def test_who_looked_at_what_is_read_as_often_for_many_rows_as_for_one(
    project: Project, tmp_path: Path
) -> None:
    def reads(rows: str) -> int:
        sheet = write(tmp_path / "s.csv", f"report,run,rater,accuracy\n{rows}")
        said: list[str] = []
        project.db.conn.set_trace_callback(said.append)
        assert read_rating_sheet(project, sheet).refused == ()
        project.db.conn.set_trace_callback(None)
        return sum(one.startswith("SELECT review.*") for one in said)

    assert reads("".join(f"{key},{run},Bob,4\n" for key in REPORTS for run in RUNS)) == reads(
        "PMC1,m1,Bob,3\n"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no column 'report'"),
        ("report,accuracy\n", "no column 'run'"),
        ("report,run,charm\n", "no column of scores"),
        ("report,run,accuracy,accuracy\n", "'accuracy' twice"),
        ("report,run,accuracy\nPMC1,rules,4,5\n", "Line 2 has more cells"),
        ('report,run,accuracy\nPMC1,m1,"4\n', "is no CSV"),
    ],
)
def test_what_is_no_sheet_is_refused_in_a_sentence(
    project: Project, tmp_path: Path, text: str, sentence: str
) -> None:
    with pytest.raises(FormatError, match=sentence):
        read_rating_sheet(project, write(tmp_path / "s.csv", text), RATER)


def test_exported_scores_are_a_row_each_safe_in_a_spreadsheet_and_come_back_as_they_were(
    project: Project, tmp_path: Path
) -> None:
    rate_output(project, "=Bob", "m1", "PMC1", {"accuracy": 4, "readability": 2}, "=1+1", blind=True)
    rate_output(project, RATER, "m2", "PMC1", {}, "no words for it")
    out = tmp_path / "scores.csv"
    assert export_ratings(project, out) == 2
    rows = rows_of(out)
    assert [(row["item"], row["score"]) for row in rows] == [
        ("accuracy", "4"),
        ("readability", "2"),
        ("", ""),
    ]
    assert (rows[0]["rater"], rows[0]["note"], rows[0]["blind"], rows[0]["whole"]) == (
        "'=Bob",
        "'=1+1",
        "yes",
        "no",
    )
    before = [(one.run, one.rater, one.scores, one.note, one.blind) for one in list_ratings(project)]
    for blind in (False, True):
        for one in list_ratings(project):
            remove_rating(project, one.rater, one.run, one.report)
        # Of rows that say who rated, and how, nothing that is said beside the file holds.
        assert read_rating_sheet(project, out, "Zoe", blind=blind).rated == 2
        again = [(one.run, one.rater, one.scores, one.note, one.blind) for one in list_ratings(project)]
        assert again == before


def test_a_sheet_is_not_written_where_nothing_is_left_to_rate(project: Project, tmp_path: Path) -> None:
    rate_output(project, RATER, "late", "PMC1", ALL)
    with pytest.raises(ProjectError, match="no output that Dr Who has not rated"):
        write_rating_sheet(project, RATER, tmp_path / "s.csv", ["late"])
    assert not (tmp_path / "s.csv").exists()
