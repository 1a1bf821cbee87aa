"""Going on in the real window: to the next quote, difference and question of a study of its usual size."""

from __future__ import annotations

from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.driving import Painted, let_go, settle, show_window, the_application, wait, workbench_of

# isort: split

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.cli import main
from app.gui.modes.reconcile.mode import ReconcileMode
from app.gui.modes.review.mode import ReviewMode
from app.gui.modes.study.mode import StudyMode
from app.gui.shell.workbench import Workbench
from tests.bench.bench_agreement_view import PEOPLE, study
from tests.bench.measure import Measure

STEPS = 100
ITEM_SECONDS = 0.05
_CONTROL = Qt.KeyboardModifier.ControlModifier


def measures() -> list[Measure]:
    """From the key to the next quote, or difference, on the page, whichever report it is in."""
    application = the_application()
    with TemporaryDirectory() as folder:
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        path = study(Path(folder))
        with redirect_stdout(StringIO()):
            assert main(["study", "build", str(path), "ebmqa"]) == 0
        window = show_window(application, path)
        workbench = workbench_of(window)
        settle(workbench)
        reviewing, reconciling = _reviewing(workbench), _reconciling(workbench)
        opening, answering = _opening(workbench), _answering(workbench)
        window.close()
        let_go(window)
    return [
        Measure("review: key to next quote, p95", _p95(reviewing) / ITEM_SECONDS, 1, "50 ms"),
        Measure("reconcile: key to next item, p95", _p95(reconciling) / ITEM_SECONDS, 1, "50 ms"),
        Measure(
            "examination: next question", _p95(answering) / _p95(opening), 1, "opening a report, p95 of both"
        ),
    ]


def _p95(seconds: list[float]) -> float:
    return sorted(seconds)[ceil(len(seconds) * 0.95) - 1]


def _press(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key, modifier)


def _reviewing(workbench: Workbench) -> list[float]:
    """Seconds from rejecting a quote to the next one on the page."""
    _press(Qt.Key.Key_2, _CONTROL)
    mode = workbench.frame.mode
    assert isinstance(mode, ReviewMode)
    reviewing = mode.reviewing
    wait(lambda: PEOPLE[1] in reviewing.names)
    reviewing.choose(PEOPLE[1])
    wait(lambda: reviewing.report_review is not None)
    settle(workbench)
    painted = Painted(workbench.reader.viewport())
    workbench.reader.setFocus()
    seconds = []
    for _ in range(min(STEPS, len(reviewing.report_review.items) - 1) if reviewing.report_review else 0):
        seconds.append(painted.seconds_after(lambda: _press(Qt.Key.Key_R)))
        settle(workbench)
    return seconds


def _reconciling(workbench: Workbench) -> list[float]:
    """Seconds from a decision to the next difference with its report on the page."""
    _press(Qt.Key.Key_4, _CONTROL)
    mode = workbench.frame.mode
    assert isinstance(mode, ReconcileMode)
    work = mode.work
    wait(lambda: work.queue is not None or bool(work.unseen))
    if work.unseen:
        _press(Qt.Key.Key_Return)
    wait(lambda: work.current is not None)
    settle(workbench)

    def there() -> bool:
        return work.current is not None and workbench.session.report_model.key == work.current.item.report

    painted = Painted(workbench.reader.viewport(), there)
    workbench.reader.setFocus()
    seconds = []
    for _ in range(STEPS):
        seconds.append(painted.seconds_after(lambda: _press(Qt.Key.Key_L)))
        settle(workbench)
    return seconds


def _opening(workbench: Workbench) -> list[float]:
    """Seconds from asking for a report to its being on the page."""
    _press(Qt.Key.Key_1, _CONTROL)
    settle(workbench)
    session, before = workbench.session, ""
    painted = Painted(workbench.reader.viewport(), lambda: session.report_model.key != before)
    seconds = []
    for number in range(1, STEPS + 1):
        before = session.report_model.key
        seconds.append(painted.seconds_after(partial(session.open_report, f"PMC{number}")))
        settle(workbench)
    return seconds


def _answering(workbench: Workbench) -> list[float]:
    """Seconds from the key that gives an answer to the next question on the page."""
    _press(Qt.Key.Key_5, _CONTROL)
    mode = workbench.frame.mode
    assert isinstance(mode, StudyMode)
    page = mode.answering
    wait(lambda: len(mode.items.list.texts) > STEPS)
    _press(Qt.Key.Key_A)
    wait(page.start.isVisible)
    page.start.begun.emit(None, ())
    wait(lambda: page.question is not None)
    before = page.question
    painted = Painted(page.text.viewport(), lambda: page.question is not before)
    seconds = []
    for _ in range(STEPS):
        before = page.question
        _press(Qt.Key.Key_A)
        seconds.append(painted.seconds_after(lambda: _press(Qt.Key.Key_Return)))
        settle(workbench)
    return seconds
