"""Packets cut and brought back together in the window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.gui.dialogs.project.copies import MergeDialog, PacketsDialog, merge
from app.gui.dialogs.project.summary import SummaryDialog
from app.gui.session.project_session import ProjectSession
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.exchange.merging import Merged, Refused
from app.store.project import Project
from tests.gui.dialogs.conftest import Window


def test_what_is_refused_takes_no_other_sentence_away(qtbot: QtBot) -> None:
    refused = [
        Refused("a.casespan", "", "It is damaged."),
        Refused("b.casespan", "PMC1", "Its text differs."),
    ]
    merged = Merged(added=Counter(annotation=1), same=3, refused=refused)
    dialog = MergeDialog(merged, preview=True)
    qtbot.addWidget(dialog)
    assert dialog.sentences.text() == "3 entries the same on both sides."
    assert len(dialog.lines_of("Not brought in")) == 2
    nothing = MergeDialog(Merged(same=3), preview=True)
    qtbot.addWidget(nothing)
    assert nothing.sentences.text() == dialog.sentences.text()
    assert (hasattr(dialog, "bring_button"), hasattr(nothing, "bring_button")) == (True, False)


def test_packets_are_cut_annotated_apart_previewed_and_brought_back(
    qtbot: QtBot,
    window: Window,
    project: Path,
    open_session: Callable[[Path], ProjectSession],
    tmp_path: Path,
) -> None:
    session = open_session(project)
    dialog = PacketsDialog(session, window)
    dialog.open()
    assert not dialog.cut_button.isEnabled()
    dialog.form.box("names", QPlainTextEdit).setPlainText("Anna\nBen\n")
    assert dialog.cut_button.isEnabled()
    dialog.form.box("names", QPlainTextEdit).setPlainText("Anna\nanna\n")
    dialog.cut(tmp_path / "packets")
    refused = window.wait_for(SummaryDialog)
    assert refused.headline.text().endswith("letters or digits. No packet was written.")
    refused.reject()
    assert dialog.isVisible()
    dialog.form.box("names", QPlainTextEdit).setPlainText("Anna\nBen\n")
    dialog.cut_button.click()
    folder = dialog.findChild(QFileDialog)
    assert folder is not None
    folder.fileSelected.emit(str(tmp_path / "packets"))
    assert not dialog.isVisible()
    shown = window.wait_for(SummaryDialog)
    assert len(shown.lines_of("Packets")) == 2
    shown.reject()
    again = PacketsDialog(session, window)
    qtbot.waitUntil(lambda: again.given.text().startswith("Given to Anna: 10 reports, "))
    again.reject()
    packet = tmp_path / "packets" / "anna.casespan"
    with Project.open(packet, write=True) as anna:
        add_span(anna, "Anna", SpanPlace(session.report_model.key, 0, 5), "GI")
    broken = tmp_path / "broken.casespan"
    broken.write_bytes(packet.read_bytes()[:5000])
    merge(session, [broken, packet], window)
    preview = window.wait_for(MergeDialog)
    assert preview.headline.text() == "Would be new: 1 annotation, 1 review state."
    assert len(preview.lines_of("Not brought in")) == 1
    assert not any(report.others for report in session.rows.values())
    preview.bring_button.click()
    qtbot.waitUntil(lambda: any(report.others for report in session.rows.values()))
