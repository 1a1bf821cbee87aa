"""What is said while reports are being read."""

from __future__ import annotations

from pathlib import Path

from app.operations.exchange.importing import import_reports
from app.store.creation import create_project_file
from extractors.assets import asset


def test_progress_names_reports_by_their_titles_and_no_path(tmp_path: Path) -> None:
    (tmp_path / "empty.xml").write_text("", encoding="utf-8")
    sources = [asset("resources", "demo", "reports"), tmp_path / "empty.xml"]
    with create_project_file(tmp_path / "study.casespan", None, "Ann") as project:
        notes = [progress.note for progress in import_reports(project, sources)]
    assert len(notes) == 11
    assert "Chronic diarrhea" in " ".join(notes)
    assert not any(str(tmp_path) in note or "resources" in note for note in notes)
