"""The real window on a report of 100,000 characters with 5,000 overlapping spans of one's own, on disk."""

from __future__ import annotations

import random
from functools import partial
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from app.gui.shell.workbench import Workbench
from app.operations.annotate.reports import list_reports
from app.operations.annotate.spans import SpanPlace, add_spans
from app.operations.exchange.importing import import_reports
from app.operations.project.files import create_project
from app.operations.project.opening import open_project
from extractors.model.scheme import default_scheme
from tests.bench.bench_reader import FRAME_SECONDS, KEY_SECONDS, long_report
from tests.bench.driving import ME, Painted, let_go, settle, show_window, the_application, wait, workbench_of
from tests.bench.measure import Measure, best_seconds

SPANS, KEYS, OPENINGS = 5_000, 300, 9
TEXT_SIZE = (1000, 800)


def measures() -> list[Measure]:
    """Opening a report, a key to its painted span while the project is being written, and frames."""
    application = the_application()
    with TemporaryDirectory() as folder:
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        text = long_report()
        window = show_window(application, _project(Path(folder), text))
        workbench = workbench_of(window)
        pairs = [(_opening(workbench), best_seconds(partial(_show_bare, text), 1)) for _ in range(OPENINGS)]
        opening = min(pair[0] for pair in pairs) / min(pair[1] for pair in pairs)
        frames = _scrolling(workbench)
        painted = _labelling(workbench)
        window.close()
        let_go(window)
    p99 = sorted(painted)[ceil(len(painted) * 0.99) - 1]
    return [
        Measure("window: open 5,000 spans", opening, 6, "plain text in a bare QPlainTextEdit"),
        Measure("window: key to painted span, p99", p99 / KEY_SECONDS, 1, "16 ms"),
        Measure("window: slowest frame scrolling", max(frames) / FRAME_SECONDS, 1, "33 ms"),
    ]


def _project(folder: Path, text: str) -> Path:
    """A project with a long report, thousands of spans in it, and a short one."""
    (folder / "long.txt").write_text(text, "utf-8")
    (folder / "short.txt").write_text("A girl of sixteen had bilateral cataracts.", "utf-8")
    path = create_project(folder / "study.casespan", ME)
    for _ in import_reports(path, [folder / "long.txt", folder / "short.txt"]):
        pass
    chance = random.Random(14)
    ids = default_scheme().ids
    with open_project(path) as project:
        report = next(row for row in list_reports(project, ME) if row.characters > len(text) // 2)
        for number, category in enumerate(ids):
            share = SPANS * (number + 1) // len(ids) - SPANS * number // len(ids)
            add_spans(project, ME, [_place(report.uuid, text, chance) for _ in range(share)], category)
    return path


def _place(report: str, text: str, chance: random.Random) -> SpanPlace:
    start = chance.randrange(len(text) - 80)
    return SpanPlace(report, start, start + chance.randint(5, 80))


def _opening(workbench: Workbench) -> float:
    """Seconds from asking for the long report to its being on the screen in the place of the short one."""
    session = workbench.session
    session.open_report("short")
    wait(lambda: session.report_model.key == "short")
    settle(workbench)
    painted = Painted(workbench.reader.viewport(), lambda: session.report_model.key == "long")
    seconds = painted.seconds_after(lambda: session.open_report("long"))
    painted.deleteLater()
    return seconds


def _show_bare(text: str) -> None:
    widget = QPlainTextEdit()
    widget.resize(*TEXT_SIZE)
    widget.setPlainText(text)
    widget.show()
    QApplication.processEvents()
    widget.grab()
    let_go(widget)


def _labelling(workbench: Workbench) -> list[float]:
    """Seconds from a category's key to the painted span, all down the report.

    The span is put on disk meanwhile, and what follows from the one before it is read; nobody types faster.
    """
    reader, report_model = workbench.reader, workbench.session.report_model
    painted = Painted(reader.viewport())
    seconds = []
    workbench.window().activateWindow()
    reader.setFocus()
    wait(reader.hasFocus)
    for number in range(KEYS):
        place = len(reader.text()) * number // KEYS
        start = reader.text().find(" ", place) + 1
        reader.select(start, min(start + 30, len(reader.text())))
        QApplication.processEvents()
        wait(lambda: workbench.session.worker.waiting == 0)
        before = len(report_model.spans)
        seconds.append(painted.seconds_after(lambda: QTest.keyClick(reader, Qt.Key.Key_N)))
        if len(report_model.spans) != before + 1:
            raise AssertionError("the key labelled nothing")
    settle(workbench)
    return seconds


def _scrolling(workbench: Workbench) -> list[float]:
    """Seconds of each frame while the whole report is scrolled through, a third of a page a frame."""
    bar = workbench.reader.verticalScrollBar()
    painted = Painted(workbench.reader.viewport())
    step = workbench.reader.viewport().height() // 3
    bar.setValue(0)
    QApplication.processEvents()
    seconds = []
    while bar.value() < bar.maximum():
        seconds.append(painted.seconds_after(lambda: bar.setValue(bar.value() + step)))
    return seconds
