"""The real window on a report with ten tables of results, against the same report without them."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.gui.shell.workbench import Workbench
from app.operations.exchange.importing import import_reports
from app.operations.project.files import create_project
from extractors.text.tables import Cell, table_lines, tables_in
from tests.bench.bench_reader import KEY_SECONDS
from tests.bench.driving import ME, Painted, let_go, settle, show_window, the_application, wait, workbench_of
from tests.bench.measure import Measure
from tests.bench.samples import sample_reports

TABLES, ROWS, DAYS = 10, 12, 4
LENGTH, OPENINGS = 30_000, 15


def measures() -> list[Measure]:
    """Opening, and a key in a cell to its painted span."""
    application = the_application()
    with TemporaryDirectory() as folder:
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        window = show_window(application, _project(Path(folder)))
        workbench = workbench_of(window)
        pairs = [(_opening(workbench, "with"), _opening(workbench, "without")) for _ in range(OPENINGS)]
        painted = _labelling(workbench)
        window.close()
        let_go(window)
    opening = min(pair[0] for pair in pairs) / min(pair[1] for pair in pairs)
    p99 = sorted(painted)[ceil(len(painted) * 0.99) - 1]
    return [
        Measure("window: open ten tables", opening, 1.3, "the same report without tables"),
        Measure("window: key to painted cell, p99", p99 / KEY_SECONDS, 1, "16 ms"),
    ]


def _project(folder: Path) -> Path:
    blocks = "\n\n".join(report.document.text for report in sample_reports())[:LENGTH].split("\n\n")
    blocks = [block for block in blocks if not tables_in(block)]
    (folder / "without.txt").write_text("\n\n".join(blocks), "utf-8")
    for number in range(TABLES, 0, -1):
        blocks.insert(len(blocks) * number // TABLES, _table(number))
    (folder / "with.txt").write_text("\n\n".join(blocks), "utf-8")
    path = create_project(folder / "study.casespan", ME)
    for _ in import_reports(path, [folder / "with.txt", folder / "without.txt"]):
        pass
    return path


def _table(number: int) -> str:
    heading = [Cell("Test"), *(Cell(f"Day {day}") for day in range(DAYS)), Cell("Normal range")]
    rows = [
        [Cell(f"Haemoglobin {row}"), *(Cell(f"{row + day}.4") for day in range(DAYS)), Cell("12.0–16.0 g/dl")]
        for row in range(ROWS)
    ]
    return "\n".join([f"Table {number}. Laboratory results.", *table_lines([heading, *rows])])


def _opening(workbench: Workbench, key: str) -> float:
    """Seconds from asking for a report to its being on the screen in the place of the other."""
    session = workbench.session
    session.open_report("without" if key == "with" else "with")
    wait(lambda: session.report_model.key not in ("", key))
    settle(workbench)
    workbench.page.carets.clear()
    painted = Painted(workbench.reader.viewport(), lambda: session.report_model.key == key)
    seconds = painted.seconds_after(lambda: session.open_report(key))
    painted.deleteLater()
    return seconds


def _labelling(workbench: Workbench) -> list[float]:
    """Seconds from a category's key to the painted span, cell by cell."""
    session, reader = workbench.session, workbench.reader
    session.open_report("with")
    wait(lambda: session.report_model.key == "with")
    settle(workbench)
    painted = Painted(reader.viewport())
    workbench.window().activateWindow()
    reader.setFocus()
    wait(reader.hasFocus)
    seconds = []
    for table in tables_in(reader.text()):
        for row in table.rows[1:]:
            for start, end in row[1:3]:
                reader.select(start, end)
                QApplication.processEvents()
                wait(lambda: session.worker.waiting == 0)
                seconds.append(painted.seconds_after(lambda: QTest.keyClick(reader, Qt.Key.Key_V)))
    return seconds
