"""Long work beside which one waits: figures after a second, and a button that stops it."""

from __future__ import annotations

from collections.abc import Generator
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from app.gui.session.project_session import ProjectSession
from app.gui.shell.lines.job_line import JobLine
from app.store.project import Project
from extractors.model.progress import Progress


class Work(QObject):
    """Stands for work that has grown long."""

    progressed, ended, grew_long = Signal(object), Signal(), Signal()
    running = long = True

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title, self.progress, self.cancelled = title, Progress(1, 2, "reports"), 0

    def far(self) -> str:
        return "1 of 2"

    def cancel(self) -> None:
        self.cancelled += 1


def test_of_several_the_one_begun_last_is_shown_and_stopped_until_it_ends(qtbot: QtBot) -> None:
    line = JobLine()
    qtbot.addWidget(line)
    first, second = works = [Work("First"), Work("Second")]
    jobs: list[Any] = [*works, first]
    for job in jobs:
        line.show_job(job)
    assert line.label.full_text() == "Second: 1 of 2, reports"
    line.cancel.click()
    for job in works:
        job.progressed.emit(job.progress)
    assert (first.cancelled, second.cancelled, line.cancel.isEnabled()) == (0, 1, False)
    assert line.label.full_text() == "Second: stops after this step"
    second.ended.emit()
    assert (line.label.full_text(), line.cancel.isEnabled()) == ("First: 1 of 2, reports", True)
    assert line.cancel.accessibleName() == "Stop: First"
    first.ended.emit()
    assert line.isHidden()


def test_a_long_question_shows_figures_beside_it_and_stops_when_told(
    qtbot: QtBot, session: ProjectSession
) -> None:
    line, given_up, said = JobLine(), Event(), list[str]()
    qtbot.addWidget(line)

    def endless(_: Project) -> Generator[Progress, None, None]:
        try:
            while True:
                given_up.wait(0.01)
                yield Progress(3, 10, "reports read")
        finally:
            given_up.set()

    line.query(session.worker, "Reading", endless, lambda _: None, said.append, latest="endless")
    assert line.isHidden()
    qtbot.waitUntil(lambda: not line.isHidden())
    qtbot.waitUntil(lambda: line.label.text().startswith("Reading: 3 of 10"))
    line.cancel.click()
    qtbot.waitUntil(lambda: said == ["Stopped."])
    assert given_up.is_set()
    assert line.isHidden()
