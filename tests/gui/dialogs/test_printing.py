"""Printing the open report."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtPrintSupport import QPrinter
from pytestqt.qtbot import QtBot

from app.gui.dialogs.exchange import printing
from app.gui.dialogs.exchange.printing import PrintPreview, paint, print_report
from app.gui.session.project_session import ProjectSession
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.exchange.exporting import printing_report
from extractors.model.progress import finished
from tests.gui.conftest import ME
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
    # Of some pages alone the first begins on the first sheet.
    printer.setOutputFileName(str(tmp_path / "second.pdf"))
    printer.setFromTo(2, 2)
    paint(pdf, printer)
    assert len(pypdfium2.PdfDocument(tmp_path / "second.pdf")) == 1


def test_what_is_printed_is_ones_own(
    qtbot: QtBot, window: Window, session: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = next(iter(session.rows))
    session.open_report(key)
    qtbot.waitUntil(lambda: session.report_model.key == key)
    made: list[tuple[str, bytes, object]] = []
    monkeypatch.setattr(printing, "PrintPreview", lambda *shown: shown)
    with qtbot.waitSignal(session.worker.saved):
        session.worker.act(lambda p: add_span(p, ME, SpanPlace(key, 0, 11), "GI"), lambda _: None)
    print_report(session, window, made.append)  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: bool(made))
    pages = pypdfium2.PdfDocument(made[0][1])
    words = " ".join(page.get_textpage().get_text_range() for page in pages)
    assert ME in words
