"""Importing by dialog and by dropping, on real files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPlainTextEdit, QScrollArea
from pytestqt.qtbot import QtBot

from app.formats.record import LeftOut
from app.gui.dialogs.exchange.imports import (
    ImportDialog,
    ImportSummaryDialog,
    RefusedDropError,
    accept_copies,
    dropped_paths,
    headline,
    start_import,
)
from app.gui.dialogs.exchange.labels import LabelsDialog
from app.gui.dialogs.exchange.paste import PasteDialog
from app.gui.dialogs.project.summary import SummaryDialog
from app.gui.dialogs.watching import JobDialog
from app.gui.session.project_session import ProjectSession
from app.operations.exchange.importing import ImportedReport, ImportOptions, ImportSummary
from app.operations.project.files import create_project, list_project
from extractors.assets import asset
from tests.documents import printed_report
from tests.gui.dialogs.conftest import Window

REPORTS = asset("resources", "demo", "reports")
ANNOTATIONS = asset("resources", "demo", "annotations", "annotator-1.json")


@pytest.fixture
def empty(tmp_path: Path, open_session: Callable[[Path], ProjectSession]) -> ProjectSession:
    return open_session(create_project(tmp_path / "empty.casespan", "Dr Ana Ruiz"))


def test_reports_chosen_in_the_dialog_are_imported_and_listed(
    qtbot: QtBot, window: Window, empty: ProjectSession
) -> None:
    dialog = ImportDialog(empty, window)
    dialog.open()
    assert not dialog.import_button.isEnabled()
    # Return asks for files where there are none yet.
    assert (dialog.focusWidget(), dialog.remove_button.isEnabled()) == (dialog.files_button, False)
    dialog.add_paths([REPORTS, REPORTS])
    assert dialog.remove_button.isEnabled()
    dialog.add_paths([REPORTS])
    assert dialog.paths == [REPORTS]
    with qtbot.waitSignal(empty.rows_changed, timeout=20_000):
        dialog.import_button.click()
    summary = window.wait_for(ImportSummaryDialog)
    assert summary.headline.text() == "10 reports added."
    assert len(summary.lines_of("Added")) == 10
    assert len(empty.rows) == 10
    summary.copy_button.click()
    assert "PMC99000001" in QGuiApplication.clipboard().text()


def test_files_that_can_be_read_are_offered_first(
    qtbot: QtBot, window: Window, empty: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = ImportDialog(empty, window, [Path("a.pdf")])
    dialog.open()
    # Of another format it is read anew.
    asked: list[str] = []
    monkeypatch.setattr(dialog.pane, "ask", lambda paths, options: asked.append(options.file_format))
    dialog.format.setCurrentIndex(1)
    assert asked == [dialog.format.currentData()]
    dialog.files_button.click()
    (files,) = dialog.findChildren(QFileDialog)
    offered, every = files.nameFilters()
    assert {"*.pdf", "*.docx", "*.nxml", "*.tar.gz"} <= {*offered.rpartition("(")[2].rstrip(")").split()}
    assert every == "All files (*)"
    files.reject()


def test_what_would_be_kept_is_shown_beforehand_with_what_may_be_wrong(
    qtbot: QtBot, window: Window, empty: ProjectSession, tmp_path: Path
) -> None:
    (tmp_path / "case.pdf").write_bytes(printed_report())
    (tmp_path / "x.pdf").write_text("Case report\n\nA man had pain.\n", encoding="utf-8")
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 word/document.xml")
    dialog = ImportDialog(empty, window, [tmp_path / "case.pdf"])
    dialog.open()
    pane = dialog.pane
    qtbot.waitUntil(lambda: pane.headings.count() == 4, timeout=20_000)
    assert "PDF, 2 pages, two columns" in pane.headline.text()
    assert "Running heads and feet removed: “Annals" in pane.notes.text()
    assert "the follow-up visit was put off" in pane.text.toPlainText()
    pane.headings.setCurrentRow(2)
    assert pane.text.textCursor().block().text() == "Discussion"
    dialog.add_paths([tmp_path / "x.pdf", tmp_path / "broken.docx"])
    qtbot.waitUntil(lambda: "it was read as Plain text" in pane.notes.text(), timeout=20_000)
    dialog.sources.setCurrentRow(2)
    qtbot.waitUntil(lambda: "damaged" in pane.notes.text(), timeout=20_000)
    assert not pane.split.isVisible()
    empty.close()
    assert list_project(empty.path).documents == ()


def test_a_folder_is_looked_at_report_by_report_and_no_farther_than_is_read(
    qtbot: QtBot, window: Window, empty: ProjectSession
) -> None:
    dialog = ImportDialog(empty, window, [REPORTS])
    dialog.open()
    qtbot.waitUntil(lambda: dialog.pane.choice.count() == 10, timeout=20_000)
    dialog.pane.choice.setCurrentIndex(3)
    assert dialog.pane.headline.text().startswith("Massive splenomegaly")


def test_one_report_of_which_there_is_nothing_to_tell_is_opened_at_once(
    qtbot: QtBot, window: Window, empty: ProjectSession
) -> None:
    QGuiApplication.clipboard().setText("A boy with fever\n" + "He had a fever for nine days. " * 5)
    dialog = PasteDialog(empty, window)
    with qtbot.waitSignal(empty.message, timeout=20_000) as said:
        dialog.import_button.click()
    assert said.args == ["Added: A boy with fever"]
    assert not window.findChildren(ImportSummaryDialog)
    qtbot.waitUntil(lambda: [empty.report_model.key] == list(empty.rows))


def test_a_pasted_megabyte_is_a_report_and_its_broken_lines_are_joined(
    qtbot: QtBot, window: Window, empty: ProjectSession
) -> None:
    lines = "He had a fever for nine days and a rash of trunk and\nlimbs, and his mother said so to us.\n"
    QGuiApplication.clipboard().setText("A boy with fever\n\nCase presentation\n\n" + lines * 12_000)
    dialog = PasteDialog(empty, window)
    dialog.open()
    assert len(dialog.text.toPlainText()) < 3_000
    assert dialog.broken.isChecked()
    qtbot.waitUntil(lambda: "1 heading" in dialog.pane.headline.text(), timeout=20_000)
    assert "23,999 broken lines joined" in dialog.pane.notes.text()
    with qtbot.waitSignal(empty.rows_changed, timeout=20_000):
        dialog.import_button.click()
    assert window.wait_for(ImportSummaryDialog).headline.text() == "1 report added."
    (row,) = empty.rows.values()
    assert row.title == "A boy with fever"


def test_a_report_that_came_in_alone_is_opened(
    qtbot: QtBot, window: Window, session: ProjectSession, tmp_path: Path
) -> None:
    file = tmp_path / "alone.txt"
    file.write_text("A boy with fever\n\nHe had pain.\n", encoding="utf-8")
    start_import(session, [file], ImportOptions(), window)
    qtbot.waitUntil(lambda: session.report_model.key == "alone")


def test_the_preview_finds_its_room_in_the_dialog_and_nothing_is_scrolled_out(
    qtbot: QtBot, window: Window, empty: ProjectSession, tmp_path: Path
) -> None:
    file = tmp_path / "long.txt"
    file.write_text(
        "A long title of a report " * 5 + "\n\nCase presentation\n\nHe had pain.\n", encoding="utf-8"
    )
    dialog = ImportDialog(empty, window, [file])
    dialog.open()
    qtbot.waitUntil(lambda: "1 heading" in dialog.pane.headline.text(), timeout=20_000)
    (bars,) = [
        area.verticalScrollBar()
        for area in dialog.findChildren(QScrollArea)
        if area.isAncestorOf(dialog.pane)
    ]
    QApplication.processEvents()
    assert bars.maximum() == 0


def test_pasting_once_more_into_the_dialog_changes_nothing(
    qtbot: QtBot, window: Window, empty: ProjectSession
) -> None:
    text = "A boy with fever\n\nCase presentation\n\nHe had a fever for nine days.\n"
    QGuiApplication.clipboard().setText(text)
    dialog = PasteDialog(empty, window)
    dialog.open()
    qtbot.waitUntil(lambda: "1 heading" in dialog.pane.headline.text(), timeout=20_000)
    focused = dialog.focusWidget()
    assert focused is not None
    paste = QKeySequence(QKeySequence.StandardKey.Paste)
    QTest.keySequence(focused, paste)
    assert (dialog.title.text(), dialog.text.whole()) == ("", text)
    dialog.text.clear()
    missing = "Paste the words of a report into the field."
    assert (dialog.notice.text(), dialog.import_button.isEnabled()) == (missing, False)
    assert dialog.pane.headline.text() == "What is pasted is shown here as it would be kept."
    # A long one takes the place of all, and makes way as a whole.
    for pasted in (text * 2_000, text):
        QGuiApplication.clipboard().setText(pasted)
        dialog.text.selectAll()
        QTest.keySequence(dialog.text, paste)
        assert (dialog.notice.text(), dialog.import_button.isEnabled()) == ("", True)
        assert dialog.text.whole() == pasted
        assert (len(dialog.text.toPlainText()) < 3_000, dialog.text.isReadOnly()) == (True, pasted != text)


def test_annotations_come_in_under_the_name_given(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = ImportDialog(session, window, [ANNOTATIONS])
    dialog.open()
    dialog.annotator.setText("Dr Ben Okafor")
    with qtbot.waitSignal(session.rows_changed, timeout=20_000):
        dialog.import_button.click()
    assert "annotations added" in window.wait_for(ImportSummaryDialog).sentences.text()
    assert any("Dr Ben Okafor" in row.others for row in session.rows.values())


def test_what_labels_of_other_programs_stand_for_can_be_said_once_they_came(
    window: Window, empty: ProjectSession, tmp_path: Path
) -> None:
    span = {"start": 7, "end": 12, "label": "Fever"}
    line = {"text": "He had fever.", "spans": [span], "answer": "accept", "_task_hash": 1}
    (tmp_path / "tasks.jsonl").write_text(json.dumps(line), encoding="utf-8")
    start_import(empty, [tmp_path / "tasks.jsonl"], ImportOptions(annotator="Ana"), window)
    window.wait_for(ImportSummaryDialog).labels_button.click()
    window.wait_for(LabelsDialog)


def test_a_name_kept_for_runs_is_refused_before_anything_is_read(
    window: Window, session: ProjectSession
) -> None:
    dialog = ImportDialog(session, window, [ANNOTATIONS])
    dialog.annotator.setText("rules")
    assert "kept for runs" in dialog.notice.text()
    assert not dialog.import_button.isEnabled()
    dialog.annotator.setText("gold")
    assert dialog.import_button.isEnabled()


def test_a_bad_file_is_listed_with_its_reason_and_the_rest_imported(
    qtbot: QtBot, window: Window, empty: ProjectSession, tmp_path: Path
) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "broken.xml").write_text("<article><front>", encoding="utf-8")
    (folder / "good.txt").write_text("Case\n\nA man had pain.\n", encoding="utf-8")
    start_import(empty, [folder], ImportOptions(), window)
    summary = window.wait_for(ImportSummaryDialog)
    assert summary.headline.text() == "1 report added, 1 left out."
    assert "broken.xml" in summary.lines_of("Left out")[0]


def test_an_import_stopped_on_the_way_leaves_the_project_as_it_was(
    qtbot: QtBot, window: Window, empty: ProjectSession, tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(400):
        (folder / f"r{number}.txt").write_text(
            f"Case {number}\n\nA man had pain {number}.\n", encoding="utf-8"
        )
    with qtbot.waitSignal(empty.message, timeout=20_000) as said:
        job = start_import(empty, [folder], ImportOptions(), window)
        watch = window.findChildren(JobDialog)[-1]
        assert "nothing of this import is kept" in watch.notice.text()
        job.progressed.connect(lambda _: watch.stop_button.click() if watch.stop_button.isEnabled() else None)
    assert said.args == ["The import was stopped; nothing of it was kept."]
    empty.close()
    assert list_project(empty.path).documents == ()


def test_hiding_the_progress_stops_nothing(qtbot: QtBot, window: Window, empty: ProjectSession) -> None:
    start_import(empty, [REPORTS], ImportOptions(), window)
    window.findChildren(JobDialog)[-1].reject()
    assert window.wait_for(ImportSummaryDialog).headline.text() == "10 reports added."


def test_a_second_import_is_refused_while_one_is_running(
    qtbot: QtBot, window: Window, empty: ProjectSession
) -> None:
    job = start_import(empty, [REPORTS], ImportOptions(), window)
    dialog = ImportDialog(empty, window, [REPORTS])
    assert "still at work" in dialog.notice.text()
    assert not dialog.import_button.isEnabled()
    with qtbot.waitSignal(job.ended, timeout=20_000):
        pass
    assert dialog.import_button.isEnabled()


def test_a_disease_list_that_is_not_there_is_told_and_nothing_imported(
    qtbot: QtBot, window: Window, empty: ProjectSession, tmp_path: Path
) -> None:
    job = start_import(empty, [REPORTS], ImportOptions(terms=tmp_path / "none.txt"), window)
    with qtbot.waitSignal(job.ended, timeout=20_000):
        pass
    assert "Nothing was imported" in window.wait_for(SummaryDialog).headline.text()


def test_only_files_of_this_computer_may_be_dropped(tmp_path: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "a b.xml"))])
    assert dropped_paths(mime) == [tmp_path / "a b.xml"]
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path)), QUrl("https://example.org/a.xml")])
    with pytest.raises(RefusedDropError, match="not on this computer"):
        dropped_paths(mime)
    with pytest.raises(RefusedDropError, match="Drop files"):
        dropped_paths(QMimeData())


@pytest.mark.parametrize(
    "offered", [Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, Qt.DropAction.MoveAction]
)
def test_dropped_files_are_never_moved_away(offered: Qt.DropAction, tmp_path: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.xml"))])
    shift = Qt.KeyboardModifier.ShiftModifier
    event = QDragEnterEvent(QPoint(), offered, mime, Qt.MouseButton.LeftButton, shift)
    event.ignore()
    accept_copies(event)
    taken = event.dropAction() if event.isAccepted() else None
    assert taken == (Qt.DropAction.CopyAction if offered & Qt.DropAction.CopyAction else None)
    words = QMimeData()
    words.setText("He had a fever.")
    event = QDragEnterEvent(QPoint(), offered, words, Qt.MouseButton.LeftButton, shift)
    event.ignore()
    accept_copies(event)
    assert not event.isAccepted()


def test_an_import_says_in_one_sentence_what_came_of_it() -> None:
    one, gone = ImportedReport("R1", "A title", "a.xml"), LeftOut("b.xml", "R2", "It is no article.")
    all_three = ImportSummary(added=[one], repeated=[gone], left_out=[gone] * 3)
    for summary, words in (
        (ImportSummary(added=[one, one]), "2 reports added."),
        (all_three, "1 report added, 1 there already, 3 left out."),
        (ImportSummary(annotations=Counter(gold=3)), "0 reports added."),
        (ImportSummary(labels=Counter(Age=3)), "0 reports added."),
        (ImportSummary(), "There was nothing to import in what was given."),
    ):
        assert headline(summary) == words


def test_markup_in_a_title_is_shown_as_it_stands(qtbot: QtBot) -> None:
    summary = ImportSummary(added=[ImportedReport("R1", "<b>bold</b>\nand more", "a.xml")])
    dialog = ImportSummaryDialog(summary)
    qtbot.addWidget(dialog)
    assert dialog.lines_of("Added") == ["R1  <b>bold</b> and more  (a.xml)"]


def test_five_thousand_entries_are_shown_in_one_list(qtbot: QtBot) -> None:
    added = [ImportedReport(f"R{number}", "A title", "a.xml") for number in range(5000)]
    dialog = ImportSummaryDialog(ImportSummary(added=added))
    qtbot.addWidget(dialog)
    dialog.show()
    page = dialog.tabs.currentWidget()
    assert isinstance(page, QPlainTextEdit)
    assert page.blockCount() == 5000
    assert dialog.tabs.tabText(0) == "Added (5000)"
