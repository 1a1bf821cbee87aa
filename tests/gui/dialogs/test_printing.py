"""Printing the open report."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
from PySide6.QtPrintSupport import QPrinter
from pytestqt.qtbot import QtBot

from app.gui.dialogs.exchange.printing import PrintPreview, paint, print_report
from app.gui.session.project_session import ProjectSession
from app.operations.exchange.exporting import printing_report
from extractors.model.progress import finished
from tests.gui.dialogs.conftest import Window


def test_the_open_report_is_shown_as_it_will_be_printed(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    key = next(iter(session.rows))
    session.open_report(key)
    qtbot.waitUntil(lambda: session.report_model.key == key)
    shown: list[object] = []
    print_report(session, window, shown.append)
    qtbot.waitUntil(lambda: bool(shown))
    (preview,) = shown
    assert isinstance(preview, PrintPreview)
    qtbot.addWidget(preview)
    assert preview.windowTitle() == f"Print: {session.rows[key].title}"


def test_every_page_of_the_report_is_on_paper(project: Path, session: ProjectSession, tmp_path: Path) -> None:
    _, pdf = finished(printing_report(project, next(iter(session.rows)), "nobody yet"))
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "paper.pdf"))
    paint(pdf, printer)
    assert len(pypdfium2.PdfDocument(tmp_path / "paper.pdf")) == len(pypdfium2.PdfDocument(pdf)) > 1
