"""The line at the bottom: what it says of the project, of work, and of what is on disk."""

from __future__ import annotations

import re
from collections.abc import Generator
from threading import Event
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.dialogs.project.summary import SummaryDialog
from app.gui.session.jobs import start_apart
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS, with_keys
from app.gui.shell.lines.status import AnnotatorButton, StatusLine
from app.store.act import begin_act
from app.store.project import Project
from extractors.model.errors import ProjectError
from extractors.model.progress import Progress
from tests.gui.modes.annotate.parts import actions_for, label
from tests.verbs import exposed


@pytest.fixture
def actions(qtbot: QtBot) -> Actions:
    return actions_for(qtbot)


@pytest.fixture
def status(qtbot: QtBot, session: ProjectSession, actions: Actions) -> StatusLine:
    made = StatusLine(session, actions)
    exposed(qtbot, made, 1280, made.sizeHint().height())
    return made


def holding(release: Event) -> Generator[Progress, None, None]:
    """Steps until released."""
    done = 0
    while not release.is_set():
        release.wait(0.02)
        done += 1
        yield Progress(done, 10, "PMC1")


def holding_on(_project: Project) -> Generator[Progress, None, None]:
    """Steps that end well."""
    yield Progress(1, 1, "PMC1")


def test_patience_is_counted_from_the_first_change_that_waits(
    status: StatusLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved, begun = status.saved, list[bool]()
    start = saved._patience.start

    def begin() -> None:
        begun.append(True)
        start()

    monkeypatch.setattr(saved._patience, "start", begin)
    for waiting in (1, 2, 3, 2):
        saved._follow(waiting)
    assert len(begun) == 1
    saved._follow(0)
    assert not saved._patience.isActive()
    saved._follow(1)
    assert len(begun) == 2


def test_the_annotator_is_named_and_can_be_changed(
    qtbot: QtBot, session: ProjectSession, actions: Actions
) -> None:
    annotator = AnnotatorButton(session, actions)
    qtbot.addWidget(annotator)
    assert annotator.text() == "Dr Ana Ruiz"
    with qtbot.waitSignal(actions["project.annotator"].triggered):
        QTest.mouseClick(annotator, Qt.MouseButton.LeftButton)
    session.set_annotator("R & D")
    assert annotator.text() == "R && D"


def test_progress_counts_reports_that_are_done_and_in_progress(
    qtbot: QtBot, status: StatusLine, session: ProjectSession
) -> None:
    assert status.progress.full_text() == "0 of 10 reports done, 0 in progress"
    label(qtbot, session, 0, 5, "Neuro")
    assert status.progress.full_text() == "0 of 10 reports done, 1 in progress"
    session.controller.set_state("done")
    qtbot.waitUntil(lambda: status.progress.full_text() == "1 of 10 reports done, 0 in progress")
    assert (status.bar.value(), status.bar.maximum()) == (1, 10)


def test_what_is_saved_is_a_sentence_with_the_time(
    qtbot: QtBot, status: StatusLine, session: ProjectSession
) -> None:
    assert status.saved.full_text() == "Everything is on disk"
    label(qtbot, session, 0, 5, "Neuro")
    assert re.fullmatch(r"Saved on disk \d\d:\d\d", status.saved.full_text())


def test_changes_that_wait_for_long_are_counted_with_what_they_wait_for(
    qtbot: QtBot, status: StatusLine, session: ProjectSession
) -> None:
    release = Event()

    def steps(project: Project) -> Generator[Progress, None, None]:
        with begin_act(project, "hold", "Ann"):
            yield from holding(release)

    job = session.worker.begin("Importing", steps)
    qtbot.waitUntil(lambda: "PMC1" in status.job.label.full_text())
    session.controller.label(0, 5, "Neuro")
    session.controller.label(6, 9, "GI")
    assert status.saved.full_text() == "Everything is on disk"
    waiting = "2 changes wait for this to finish: Importing"
    qtbot.waitUntil(lambda: status.saved.full_text() == waiting)
    with qtbot.waitSignal(job.ended):
        release.set()
    qtbot.waitUntil(lambda: status.saved.full_text().startswith("Saved on disk"))
    assert not status.job.isVisible()


def test_changes_that_wait_for_long_without_other_work_are_counted(
    qtbot: QtBot, status: StatusLine, session: ProjectSession
) -> None:
    release = Event()
    session.worker.act(lambda _project: release.wait(), lambda _result: None)
    qtbot.waitUntil(lambda: status.saved.full_text() == "1 change not yet on disk")
    release.set()
    qtbot.waitUntil(lambda: status.saved.full_text().startswith("Saved on disk"))


def test_a_change_that_failed_is_told_of_until_another_one_is_saved(
    qtbot: QtBot, status: StatusLine, session: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_project: Project) -> None:
        raise ProjectError("The disk is full; later --resume.")

    session.worker.act(refuse, lambda _result: None)
    qtbot.waitUntil(lambda: status.message.full_text() == "Not saved: The disk is full; later “Go on”.")
    assert status.saved.full_text() == "The last change was not saved: The disk is full; later “Go on”."
    assert [one.sentence for one in status.messages.log] == ["Not saved: The disk is full; later “Go on”."]
    release = Event()
    session.worker.act(lambda _project: release.wait(), lambda _result: None)
    told = status.message.full_text()
    release.set()
    assert told == "Not saved: The disk is full; later “Go on”."
    qtbot.waitUntil(lambda: status.saved.full_text().startswith("Saved on disk"))
    assert status.message.full_text() == ""
    # So is what long work has written.
    session.worker.act(refuse, lambda _result: None)
    qtbot.waitUntil(lambda: status.message.full_text().startswith("Not saved"))
    session.worker.begin("Importing", holding_on)
    qtbot.waitUntil(lambda: status.saved.full_text().startswith("Saved on disk"))
    # What cannot be redone is no change that was lost.
    monkeypatch.setattr("app.gui.session.undo.redo_change", refuse)
    session.undoing.redo()
    qtbot.waitUntil(lambda: status.message.full_text() == "The disk is full; later “Go on”.")
    assert status.saved.full_text().startswith("Saved on disk")


def test_a_message_stays_until_the_next_act(
    qtbot: QtBot, status: StatusLine, session: ProjectSession
) -> None:
    session.message.emit("A copy was saved.")
    session.open_report(list(session.rows)[1])
    qtbot.waitUntil(lambda: session.report_model.key == list(session.rows)[1])
    assert status.message.full_text() == "A copy was saved."
    assert not status.message.findChildren(QTimer)
    assert not status.findChildren(QTimer, "message")
    label(qtbot, session, 0, 5, "Neuro")
    assert status.message.full_text() == ""
    session.message.emit("Undone: label span.")
    with qtbot.waitSignal(session.worker.begin("A", lambda _: (one for one in [Progress(1, 1)])).ended):
        assert status.message.full_text() == ""
    # What one act says stays while another that was begun before is written.
    for waiting, said in ((2, ""), (1, "Redone."), (0, "Redone."), (1, "")):
        session.worker.waiting_changed.emit(waiting)
        assert status.message.full_text() == said
        session.message.emit("Redone.")


def test_a_message_that_has_no_room_is_read_in_full_on_hover_and_in_the_log(
    qtbot: QtBot, status: StatusLine, session: ProjectSession, actions: Actions
) -> None:
    long = "The file cannot be written there: " + "a very long folder/" * 30
    session.message.emit("Undone: label span.")
    session.message.emit(long)
    assert status.message.text().endswith("…")
    assert long in status.message.toolTip()
    assert status.message.width() > 1000
    actions.on("view.messages", status.messages.show_log)
    QTest.mouseClick(status.messages.open_log, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(status.findChildren(SummaryDialog)))
    log = status.findChildren(SummaryDialog)[0]
    first, second = log.lines_of("Messages")
    assert re.fullmatch(rf"\d\d:\d\d:\d\d  {re.escape(long.strip())}", first)
    assert second.endswith("  Undone: label span.")
    log.copy_button.click()
    assert QGuiApplication.clipboard().text().split("\n") == [first, second]
    log.close()


def test_work_that_ends_within_a_second_is_not_shown(qtbot: QtBot, status: StatusLine) -> None:
    release = Event()
    release.set()
    job = start_apart("Short", lambda: holding(release), status)
    status.show_job(job)
    with qtbot.waitSignal(job.ended):
        pass
    assert not status.job.isVisible()
    assert not job.long


def test_long_work_tells_how_long_it_still_takes(qtbot: QtBot, status: StatusLine) -> None:
    release = Event()

    def steps() -> Generator[Progress, None, None]:
        for done in range(1, 1000):
            release.wait(0.02)
            yield Progress(done, 1000)

    job = start_apart("Measuring", steps, status)
    status.show_job(job)
    told = re.compile(r"Measuring: \d+ of 1,000, about \d+ s left")
    qtbot.waitUntil(lambda: told.fullmatch(status.job.label.full_text()) is not None)
    assert status.job.bar.maximum() == 1000
    job.cancel()
    with qtbot.waitSignal(job.ended):
        release.set()


def test_what_has_ended_is_neither_cancelled_nor_shown_and_an_offer_is_taken_once(status: StatusLine) -> None:
    status.job.cancel.click()
    status.show_job(SimpleNamespace(running=False))  # type: ignore[arg-type]
    taken: list[bool] = []
    status.messages.offer("All is said.", "Go on", lambda: taken.append(True))
    status.messages.take_offer.click()
    status.messages.take_offer.click()
    assert taken == [True]


def test_a_question_that_failed_loses_nothing_and_is_told_as_it_is(
    qtbot: QtBot, status: StatusLine, session: ProjectSession
) -> None:
    session.open_report("nowhere")
    qtbot.waitUntil(lambda: "nowhere" in status.message.full_text())
    assert not status.message.full_text().startswith("Not saved")
    assert status.saved.full_text() == "Everything is on disk"


def test_a_message_stays_until_the_next_one_and_is_plain_text(
    status: StatusLine, session: ProjectSession
) -> None:
    session.message.emit("Undone: <b>label</b>\nspan.")
    assert status.message.full_text() == "Undone: <b>label</b> span."
    assert status.message.textFormat() == Qt.TextFormat.PlainText
    assert "&lt;b&gt;" in status.message.toolTip()
    session.message.emit("Redone.")
    assert status.message.accessibleName() == "Redone."


def test_work_shows_how_far_it_is_and_is_cancelled_by_its_button_only(
    qtbot: QtBot, status: StatusLine, session: ProjectSession
) -> None:
    release = Event()
    job = start_apart("Looking for models", lambda: holding(release), status)
    status.show_job(job)
    far = re.compile(r"Looking for models: \d+ of 10, PMC1")
    assert not status.job.isVisible()
    qtbot.waitUntil(lambda: far.fullmatch(status.job.label.full_text()) is not None)
    status.job.cancel.setFocus()
    QTest.keyClick(status.job.cancel, Qt.Key.Key_Escape)
    assert status.job.cancel.isEnabled()
    with qtbot.waitSignal(job.stopped):
        QTest.mouseClick(status.job.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not status.job.isVisible())
    assert status.message.full_text() == "Looking for models was stopped."


def test_work_that_ends_gives_its_place_back_to_what_is_still_running(
    qtbot: QtBot, status: StatusLine
) -> None:
    first, second = Event(), Event()
    jobs = [
        start_apart("One", lambda: holding(first), status),
        start_apart("Two", lambda: holding(second), status),
    ]
    for job in jobs:
        status.show_job(job)
    qtbot.waitUntil(lambda: status.job.label.full_text().startswith("Two"))
    second.set()
    qtbot.waitUntil(lambda: status.job.label.full_text().startswith("One"))
    with qtbot.waitSignal(jobs[0].ended):
        first.set()
    assert not status.job.isVisible()


def test_nothing_else_moves_when_messages_and_sentences_change(
    qtbot: QtBot, status: StatusLine, session: ProjectSession
) -> None:
    layout = status.layout()
    assert layout is not None

    def places() -> list[int]:
        parts = (status.progress, status.bar, status.message, status.saved)
        return [part.x() for part in parts]

    before = places()
    session.message.emit("A long message. " * 30)
    label(qtbot, session, 0, 5, "Neuro")
    status.saved.note_lost("The disk is full, " * 10)
    layout.activate()
    assert places() == before


def test_the_annotator_tells_the_key_of_now(qtbot: QtBot, session: ProjectSession, actions: Actions) -> None:
    annotator = AnnotatorButton(session, actions)
    actions.add(with_keys(COMMANDS, {"project.annotator": "Ctrl+8"}))
    assert "(Ctrl+8)" in annotator.toolTip()
    # Keys that are changed after the project was closed have nobody to tell.
    gone: list[bool] = []
    annotator.destroyed.connect(lambda: gone.append(True))
    annotator.deleteLater()
    qtbot.waitUntil(lambda: bool(gone))
    actions.add(COMMANDS)
