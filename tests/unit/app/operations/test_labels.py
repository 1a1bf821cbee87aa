"""Labels that the scheme lacks: kept as they came, written back, made categories where somebody says so."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.formats.labels import Meaning
from app.formats.record import QuoteDetails
from app.operations.annotate.exposure import list_others
from app.operations.annotate.report import open_report
from app.operations.annotate.spans import remove_spans, state_nothing_found
from app.operations.exchange import labels
from app.operations.exchange.exporting import export_annotations
from app.operations.exchange.importing import ImportOptions, ImportSummary, import_reports
from app.operations.exchange.labels import kept_labels, set_labels
from app.operations.project.files import create_project
from app.operations.project.history import undo_change
from app.store.annotate.annotations import read_annotations
from app.store.annotate.carried import kept_counts, kept_under_labels
from app.store.check import check
from app.store.project import Project
from extractors.model.errors import FormatError
from extractors.model.finding import Finding, Grounding
from extractors.model.progress import finished

TEXT = "A man 😀 had no seizures.\nHe was\nill.\n"
LINES = [
    "T1\tSign_symptom 15 23\tseizures",
    "T2\tNeuro 2 5;32 35\tman ill",
    "T7\tAge 0 1\tA",
    "T9\tWhere 90 99\tbeyond it",
    "A4\tNegation T1",
    "A1\tSeverity T2 high",
    "N1\tReference T1 HP:0001250\tSeizure",
    "#1\tAnnotatorNotes T7\tsure  of it?",
    "E1\tSign_symptom:T1 Theme:T7",
    "R1\tCAUSE Arg1:T1 Arg2:T2",
    "R2\tCAUSE Arg1:E1 Arg2:T7",
    "A5\tSpeculation R1",
    "#2\tAnnotatorNotes A5\tsays who?",
    "*\tEquiv T2 T7",
    "T4 Neuro 0 1 A",
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    create_project(tmp_path / "p.casespan", "Me")
    return tmp_path / "p.casespan"


def bring(project: Path, lines: list[str], **more: object) -> ImportSummary:
    folder = project.parent / "in"
    folder.mkdir(exist_ok=True)
    (folder / "a.txt").write_text(TEXT, encoding="utf-8")
    (folder / "a.ann").write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = ImportOptions("brat", "Anna", **more)  # type: ignore[arg-type]
    return finished(import_reports(project, [folder], options))


def taken_out(project: Path, format: str = "brat", name: str = "out") -> str:
    out = project.parent / name
    export_annotations(project, out, format, "Anna")
    return (out / "a.ann" if format == "brat" else out).read_text(encoding="utf-8")


def meaning(project: Path, text: str) -> Path:
    path = project.parent / "map.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_line_of_brat_comes_back_as_it_was(project: Path) -> None:
    summary = bring(project, LINES)
    assert summary.labels == {"Sign_symptom": 1, "Age": 1, "Where": 1}
    assert sorted(taken_out(project).splitlines()) == sorted(LINES)
    assert check(project) == []


def test_json_lines_carry_all_of_it_to_another_project(project: Path, tmp_path: Path) -> None:
    bring(project, LINES)
    taken_out(project, "jsonl", "out.jsonl")
    other = tmp_path / "other"
    other.mkdir()
    create_project(other / "p.casespan", "Me")
    finished(import_reports(other / "p.casespan", [tmp_path / "out.jsonl"], ImportOptions(annotator="Anna")))
    assert sorted(taken_out(other / "p.casespan").splitlines()) == sorted(LINES)
    one, two = (json.loads(taken_out(each, "jsonl", "again")) for each in (project, other / "p.casespan"))
    assert one["spans"] == two["spans"]


def test_a_label_that_is_said_to_stand_for_a_category_makes_quotes_of_what_was_kept(project: Path) -> None:
    bring(project, LINES)
    with Project.open(project, write=True) as opened:
        for category in ("GI", "DERM"):
            state_nothing_found(opened, "Anna", "a", category)
    summary = finished(set_labels(project, meaning(project, '[labels]\nSign_symptom = "GI"\nAge = ""\n')))
    assert summary.moved == 1
    with Project.open(project) as opened:
        assert open_report(opened, "a", "Anna").review.nothing_found == ("DERM",)
        assert open_report(opened, "a", "Anna").review.state == "done"
        found = {one.finding.category: one.finding for one in read_annotations(opened)}
        assert (found["GI"].start, found["GI"].quote, found["GI"].polarity) == (15, "seizures", "negated")
        kept = {one.label: (one.annotations, one.decided) for one in kept_labels(opened)}
    assert kept == {"Age": (1, True), "Sign_symptom": (0, True), "Where": (1, False)}
    # Its attributes, and what is said of it, are written with it.
    assert sorted(taken_out(project).splitlines()) == sorted(
        line.replace("Sign_symptom 15", "GI 15") for line in LINES
    )
    assert finished(set_labels(project, {})).moved == 0, "they are quotes already"
    undo_change(project)
    assert sorted(taken_out(project, name="undone").splitlines()) == sorted(LINES)
    assert check(project) == []


def test_those_that_became_quotes_are_kept_under_their_labels_no_more(project: Path) -> None:
    def kept() -> list[int]:
        with Project.open(project) as opened:
            (document,) = (uuid for (uuid,) in opened.tuples("SELECT uuid FROM document"))
            by_count = list(kept_counts(opened, document).values())
            (holder,) = (uuid for (uuid,) in opened.tuples("SELECT uuid FROM annotator WHERE name = 'Anna'"))
            labels = kept_under_labels(opened, holder, document)
            assert by_count == [len(labels)]
            (anna,) = list_others(opened, "a", "Me")
            assert (anna.name, anna.kept) == ("Anna", len(labels))
            assert anna.quotes == len(read_annotations(opened))
            assert list_others(opened, "a", "Anna") == ()
            return by_count

    bring(project, LINES)
    assert kept() == [3]
    finished(set_labels(project, {"Sign_symptom": Meaning("GI"), "Age": None}))
    assert kept() == [2]


def test_a_report_of_which_only_labels_came_is_done_once_these_are_quotes(project: Path) -> None:
    bring(project, LINES[:1])
    finished(set_labels(project, {"Sign_symptom": Meaning("GI")}))
    with Project.open(project) as opened:
        review = open_report(opened, "a", "Anna").review
    assert (review.state, review.looked_at) == ("done", ("GI",))


def test_a_table_given_with_the_files_is_used_and_remembered(project: Path) -> None:
    table = meaning(project, 'Sign_symptom = { category = "Neuro", polarity = "uncertain" }\n')
    summary = bring(project, ["T1\tSign_symptom 15 23\tseizures"], labels=table)
    assert summary.labels == {}
    with Project.open(project) as opened:
        (one,) = read_annotations(opened)
        assert (one.finding.category, one.finding.polarity) == ("Neuro", "uncertain")
        (kept,) = kept_labels(opened)
    assert kept.meaning is not None
    assert kept.meaning.category == "Neuro"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('A = "Nowhere"', "categories are"),
        ('A = { category = "GI", field = "skin" }', "lacks"),
        ('A = { category = "GI", polarity = "maybe" }', "polarities are"),
        ("A = 3", "must name a category"),
        ("A = ", "cannot be read"),
    ],
)
def test_a_bad_table_is_one_sentence_and_changes_nothing(project: Path, table: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        bring(project, LINES, labels=meaning(project, table))
    with Project.open(project) as opened:
        assert read_annotations(opened) == []
        assert kept_labels(opened) == ()


def test_labels_come_once_and_quotes_of_a_category_that_is_new_come_all_the_same(project: Path) -> None:
    bring(project, LINES)
    again = bring(project, LINES)
    (quotes, labels) = (one.reason for one in again.repeated)
    assert "annotated a already in all categories given" in quotes
    assert "other programs' labels in a already" in labels
    assert not again.labels
    more = bring(project, ["T1\tGI 0 1\tA"])
    assert (more.repeated, more.annotations.total()) == ([], 1)
    with Project.open(project) as opened:
        places = [place for (place,) in opened.tuples("SELECT position FROM carried ORDER BY rowid")]
    assert places == sorted(set(places)), "in the order in which they came"


def test_what_is_about_a_span_that_was_deleted_is_not_written(project: Path) -> None:
    bring(project, LINES)
    with Project.open(project, write=True) as opened:
        remove_spans(opened, [one.uuid for one in read_annotations(opened)])
    # Also what is about a line that goes for that, and what is about this one.
    gone = ("T2", "A1", "R1", "A5", "#2", "*")
    assert sorted(taken_out(project).splitlines()) == sorted(
        line for line in LINES if not line.startswith(gone)
    )
    assert check(project) == []


def test_of_quotes_with_places_those_are_told_that_had_to_be_moved_and_fields_that_there_are_not() -> None:
    text = "fever, then fever"
    scheme = SimpleNamespace(category=lambda _: SimpleNamespace(fields=("sign",)))
    act: Any = SimpleNamespace(project=SimpleNamespace(scheme=scheme))
    stored: Any = SimpleNamespace(key="R1", document=SimpleNamespace(text=text))
    findings = [Finding("GI", "fever", 0, 5)] * 3
    found = labels.Placed(groundings=[Grounding("exact", 0, 5, 100.0, places=((0, 5), (12, 17)))] * 3)
    details = [QuoteDetails((12, 17), field="sign"), QuoteDetails((10, 15), field="odd"), QuoteDetails()]
    kept = labels._with_details(act, stored, findings, details, found)
    assert [(one.start, one.field) for one in kept] == [(12, "sign"), (12, ""), (0, "")]
    assert [note.rpartition(" ")[2] for note in found.notes] == ["(1).", "1)."]
