"""Long work beside which one waits: figures after a second, and a button that stops it."""

from __future__ import annotations

from collections.abc import Generator
from threading import Event

from pytestqt.qtbot import QtBot

from app.gui.session.project_session import ProjectSession
from app.gui.shell.lines.job_line import JobLine
from app.store.project import Project
from extractors.model.progress import Progress


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
