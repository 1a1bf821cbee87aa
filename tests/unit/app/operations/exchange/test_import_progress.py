"""What is said while reports are being read."""

from __future__ import annotations

from pathlib import Path

from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.exchange.exporting import export_annotations
from app.operations.exchange.importing import import_reports
from app.operations.exchange.previewing import preview_import
from app.store.creation import create_project_file
from extractors.assets import asset
from extractors.model.progress import finished


def test_progress_names_reports_by_their_titles_and_no_path(tmp_path: Path) -> None:
    (tmp_path / "empty.xml").write_text("", encoding="utf-8")
    sources = [asset("resources", "demo", "reports"), tmp_path / "empty.xml"]
    with create_project_file(tmp_path / "study.casespan", None, "Ann") as project:
        notes = [progress.note for progress in import_reports(project, sources)]
    assert len(notes) == 11
    assert "Chronic diarrhea" in " ".join(notes)
    assert not any(str(tmp_path) in note or "resources" in note for note in notes)


def test_a_preview_says_that_annotations_would_be_added_to_a_report_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("She coughs.", encoding="utf-8")
    with create_project_file(tmp_path / "study.casespan", None, "Ann") as project:
        finished(import_reports(project, [tmp_path / "a.txt"]))
        add_span(project, "Ann", SpanPlace("a", 4, 10), "RESP")
        export_annotations(project, tmp_path / "a.jsonl", "jsonl", "Ann")
        (tmp_path / "a.json").write_text('[{"pmcid": "a", "title": "A", "RESP": ["coughs"]}]', "utf-8")
        files = [tmp_path / f"a.{suffix}" for suffix in ("txt", "jsonl", "json")]
        text, spans, bare = finished(preview_import(project, files)).reports
    assert text.left_out == "It is in the project already, as a."
    added = "It is in the project already, as a; what is annotated in it is added to that."
    # A file without texts names a report as the import finds it: by its short name where it has no number.
    assert [(one.left_out, one.notes) for one in (spans, bare)] == [("", (added,))] * 2
    with create_project_file(tmp_path / "other.casespan", None, "Ann") as other:
        (bare,) = finished(preview_import(other, files[2:])).reports
    assert bare.notes[0].startswith("It has no text here")


def test_a_preview_ends_after_so_many_reports_and_files_of_other_kinds_are_none(tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    for name in ("1.bin", "2.txt", "3.txt"):
        (given / name).write_text("She coughs.", encoding="utf-8")
    with create_project_file(tmp_path / "study.casespan", None, "Ann") as project:
        some = finished(preview_import(project, [given], most=1))
        every = finished(preview_import(project, [given], most=2))
    assert ([one.title for one in some.reports], some.more) == (["1.bin", "2"], True)
    assert (len(every.reports), every.more) == (3, False)
