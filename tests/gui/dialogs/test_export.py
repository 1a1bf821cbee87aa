"""Exporting one annotator's work from the window."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QScrollArea
from pytestqt.qtbot import QtBot

from app.formats import WRITE_FORMATS, format_of
from app.gui.dialogs.exchange.export import ExportDialog
from app.gui.session.project_session import ProjectSession
from app.gui.widgets.drop_down import DropDown
from app.operations.annotate.spans import set_review_state
from app.operations.exchange.importing import ImportOptions, import_reports
from app.operations.project.files import create_project, list_project
from app.store.annotate.reviews import ReviewState
from app.store.project import Project
from extractors.assets import asset
from tests.builders import Kept, sample_reports
from tests.gui.conftest import ME
from tests.gui.dialogs.conftest import Window
from tests.verbs import settle

BEN = "Dr Ben Okafor"


def exporting(
    qtbot: QtBot,
    session: ProjectSession,
    window: Window,
    reports: Sequence[str] = (),
    annotator: str | None = None,
) -> ExportDialog:
    dialog = ExportDialog(session, window, reports, annotator=annotator)
    dialog.open()
    qtbot.waitUntil(dialog.export_button.isEnabled)
    return dialog


def write_annotated(path: Path) -> None:
    sample_reports(path)
    source = asset("resources", "demo", "annotations", "annotator-1.json")
    for _ in import_reports(path, [source], ImportOptions("crb", BEN)):
        pass


@pytest.fixture
def annotated(kept: Kept, tmp_path: Path, open_session: Callable[[Path], ProjectSession]) -> ProjectSession:
    return open_session(kept.copy(write_annotated, tmp_path / "study.casespan"))


@pytest.fixture
def dialog(qtbot: QtBot, annotated: ProjectSession, window: Window) -> ExportDialog:
    """Ben's work, to be exported."""
    dialog = exporting(qtbot, annotated, window)
    dialog.form.put(annotator=BEN)
    return dialog


def write_as(dialog: ExportDialog, folder: Path, called: str) -> None:
    """Press the button, and choose a file or folder of that name in what opens."""
    dialog.export_button.click()
    chooser = dialog.findChild(QFileDialog)
    assert chooser is not None
    chooser.setDirectory(str(folder))
    name = chooser.findChild(QLineEdit)
    assert name is not None
    name.setText(called)
    chooser.accept()


def test_every_format_is_offered_and_explained_what_loses_nothing_first(dialog: ExportDialog) -> None:
    formats = dialog.form.box("format", DropDown)
    offered = [formats.itemData(row) for row in range(formats.count())]
    assert set(offered) == set(WRITE_FORMATS)
    assert dialog.form.value.format == "jsonl"
    for row in range(formats.count()):
        formats.setCurrentIndex(row)
        assert dialog.form.below("format") == format_of(offered[row]).about != ""


def test_a_format_of_many_files_is_written_into_a_folder(
    qtbot: QtBot, dialog: ExportDialog, tmp_path: Path
) -> None:
    dialog.form.put(format="brat")
    write_as(dialog, tmp_path, "ben")
    qtbot.waitUntil(lambda: f"written to {tmp_path / 'ben'}." in dialog.outcome.text())
    assert len(list((tmp_path / "ben").glob("*.ann"))) == 10


def test_whoever_has_annotations_is_offered_first_with_what_is_done_and_what_is_not(
    qtbot: QtBot, annotated: ProjectSession, window: Window
) -> None:
    states: tuple[ReviewState, ...] = ("untouched", "parked")
    annotated.worker.act(
        lambda p: [set_review_state(p, ME, list_project(p).documents[0].key, state) for state in states],
        lambda _: None,
    )
    dialog = exporting(qtbot, annotated, window)
    assert dialog.form.value.annotator == BEN
    assert dialog.form.below("annotator") == "10 reports: 10 done."
    dialog.form.put(annotator=ME)
    assert dialog.form.below("annotator") == "10 reports: 1 parked, 9 untouched; 10 not annotated."
    meant = exporting(qtbot, annotated, window, annotator=ME)
    assert meant.form.value.annotator == ME


def test_a_project_without_reports_has_nothing_to_export(
    qtbot: QtBot, tmp_path: Path, open_session: Callable[[Path], ProjectSession], window: Window
) -> None:
    create_project(tmp_path / "new.casespan", ME)
    dialog = exporting(qtbot, open_session(tmp_path / "new.casespan"), window)
    assert dialog.form.below("annotator").endswith("there is nothing to export.")


def test_json_lines_hold_every_report_that_was_looked_at(
    qtbot: QtBot, dialog: ExportDialog, tmp_path: Path
) -> None:
    out = tmp_path / "ben.jsonl"
    dialog.export_to(out)
    qtbot.waitUntil(lambda: f"of 10 reports written to {out}." in dialog.outcome.text())
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 10
    assert {one["annotator"] for line in lines for one in line["annotations"]} == {BEN}


def test_the_file_is_chosen_in_a_dialog_and_what_the_format_cannot_hold_is_said(
    qtbot: QtBot, dialog: ExportDialog, tmp_path: Path
) -> None:
    dialog.form.put(format="crb")
    write_as(dialog, tmp_path, "ben")
    out = tmp_path / "ben.json"
    qtbot.waitUntil(lambda: f"written to {out}." in dialog.outcome.text())
    assert len(json.loads(out.read_text(encoding="utf-8"))) == 10


def test_closing_the_dialog_stops_the_export_and_says_so(
    qtbot: QtBot, annotated: ProjectSession, dialog: ExportDialog, tmp_path: Path
) -> None:
    told: list[str] = []
    annotated.message.connect(told.append)
    # Something is before it, until the dialog is closed.
    closed = Event()
    annotated.worker.ask(lambda _: closed.wait(20), lambda _: None)
    out = tmp_path / "ben.jsonl"
    dialog.export_to(out)
    dialog.close()
    closed.set()
    qtbot.waitUntil(lambda: told == ["The export was stopped; nothing was written."])
    settle(annotated.worker, qtbot)
    assert not out.exists()


def test_a_project_is_never_written_over(qtbot: QtBot, dialog: ExportDialog, project: Path) -> None:
    dialog.export_to(project)
    qtbot.waitUntil(lambda: "another database" in dialog.notice.text())
    assert dialog.export_button.isEnabled()


def test_nothing_is_exported_while_an_import_may_still_be_taken_back(
    qtbot: QtBot, window: Window, session: ProjectSession, tmp_path: Path
) -> None:
    dialog = exporting(qtbot, session, window)
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(200):
        (folder / f"r{number}.txt").write_text(f"Case {number}\n\nA man had pain.\n", encoding="utf-8")
    job = session.worker.begin("Import", lambda project: import_reports(project, [folder]))
    with qtbot.waitSignal(job.progressed):
        pass
    dialog.export_to(tmp_path / "out.jsonl")
    qtbot.waitUntil(lambda: "still at work" in dialog.notice.text())
    assert not (tmp_path / "out.jsonl").exists()
    job.cancel()


def test_what_came_of_it_is_read_without_scrolling(
    qtbot: QtBot, dialog: ExportDialog, tmp_path: Path
) -> None:
    out = tmp_path / f"{'annotations of the whole study ' * 3}.csv"
    dialog.export_to(out)
    qtbot.waitUntil(lambda: "written to" in dialog.outcome.text())
    (area,) = dialog.findChildren(QScrollArea)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)


def test_losses_are_said_before_it_is_written_and_what_was_read_back_after(
    qtbot: QtBot, annotated: ProjectSession, window: Window, tmp_path: Path
) -> None:
    dialog = exporting(qtbot, annotated, window, list(annotated.rows)[:2])
    dialog.form.put(annotator=BEN)
    qtbot.waitUntil(lambda: dialog.outcome.text() == "The format has a place for all of it.")
    dialog.form.put(format="csv")
    qtbot.waitUntil(lambda: "CSV has no place for the texts of the reports." in dialog.outcome.text())
    dialog.form.put(reports="meant")
    qtbot.waitUntil(lambda: ": 3 categories looked at without" in dialog.outcome.text())
    dialog.form.put(format="docx")
    out = tmp_path / "two.docx"
    dialog.export_to(out)
    qtbot.waitUntil(lambda: f"of 2 reports written to {out}." in dialog.outcome.text())
    assert "Read back by python-docx" in dialog.outcome.text()


def test_words_of_what_is_written_that_may_tell_who_a_patient_is_are_listed_below_the_warning(
    qtbot: QtBot, window: Window, open_session: Callable[[Path], ProjectSession], tmp_path: Path
) -> None:
    project, reports = tmp_path / "study.casespan", [tmp_path / "one.txt", tmp_path / "two.txt"]
    for report, name in zip(reports, ("Ødegård", "Nobody"), strict=True):
        report.write_text(f"A case\n\nMr. J. {name} was admitted on 12 March 2019.\n", encoding="utf-8")
    create_project(project, ME)
    assert len(list(import_reports(project, reports)))
    with Project.open(project, write=True) as there:
        set_review_state(there, ME, "one", "done")
    dialog = ExportDialog(open_session(project), window)
    dialog.open()
    qtbot.waitUntil(dialog.look.isVisible)
    assert dialog.warning.text().endswith("before it leaves this computer.")
    dialog.look.click()
    assert dialog.suspected.isVisible()
    lines = dialog.suspected.toPlainText().splitlines()
    assert lines == ["one, name in the text: “J. Ødegård”", "one, date in the text: “12 March 2019”"]
    assert dialog.findChildren(QScrollArea)[0].verticalScrollBar().maximum() == 0
