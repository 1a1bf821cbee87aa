"""The project's thread: order, acknowledgement, long work, and closing."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from threading import Event, get_ident

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from app.gui.session.jobs import Job, one_step, start_apart
from app.gui.session.project_session import ProjectSession
from app.gui.session.worker import Worker
from app.gui.shell.collector import collect_due, collect_here
from app.operations.annotate.report import open_report
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.exchange.importing import import_reports
from app.operations.project.files import list_project
from app.store.project import Project
from extractors.model.errors import ProjectError
from extractors.model.progress import Progress
from tests.gui.conftest import ME
from tests.gui.session.test_project_session import at_long_work

KEY = "PMC99000001"


@pytest.fixture
def worker(project: Path, qtbot: QtBot) -> Iterator[Worker]:
    worker = Worker(project)
    with qtbot.waitSignal(worker.opened):
        worker.start()
    yield worker
    worker.close()


def label(start: int) -> Callable[[Project], object]:
    return lambda project: add_span(project, ME, SpanPlace(KEY, start, start + 5), "Neuro")


def counting(project: Project) -> Generator[Progress, None, str]:
    """Long work that holds no act open."""
    for done in range(1, 1000):
        yield Progress(done, 1000)
    return "counted"


def test_calls_are_made_in_another_thread_and_answers_arrive_in_this_one(
    worker: Worker, qtbot: QtBot
) -> None:
    heard: list[tuple[int, int]] = []
    worker.ask(lambda project: get_ident(), lambda there: heard.append((there, get_ident())))
    qtbot.waitUntil(lambda: bool(heard))
    assert heard[0][0] != heard[0][1] == get_ident()


def test_a_widget_that_is_gone_is_told_of_nothing(worker: Worker, qtbot: QtBot) -> None:
    gone, heard = QLabel(), list[str]()
    methods: tuple[Callable[[str], object], ...] = (gone.setText, partial(gone.setProperty, "told"))
    for method in methods:
        worker.ask(lambda project: "words", method)
        worker.ask(open_report_of_nobody, heard.append, method)
    delete(gone)
    worker.ask(lambda project: "asked last", heard.append)
    qtbot.waitUntil(lambda: heard == ["asked last"])


def open_report_of_nobody(project: Project) -> str:
    raise ProjectError("There is no such report.")


def test_acts_are_carried_out_in_the_order_given(worker: Worker, qtbot: QtBot) -> None:
    done: list[int] = []
    for number in range(50):
        worker.act(partial(lambda number, _: number, number), done.append)
    qtbot.waitUntil(lambda: len(done) == 50)
    assert done == list(range(50))


def test_an_act_is_on_disk_before_it_is_acknowledged(worker: Worker, project: Path, qtbot: QtBot) -> None:
    seen: list[int] = []

    def acknowledged(_: object) -> None:
        with Project.open(project) as other:
            seen.append(len(open_report(other, KEY, ME).annotations))

    worker.act(label(10), acknowledged)
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [1]


def test_saved_is_said_once_nothing_waits_any_more(worker: Worker, qtbot: QtBot) -> None:
    waiting: list[int] = []
    worker.waiting_changed.connect(waiting.append)
    with qtbot.waitSignal(worker.saved):
        worker.act(label(10), lambda _: None)
        worker.act(label(20), lambda _: None)
    assert waiting == [1, 2, 1, 0]
    # What is put on record is no change of the user's own.
    saved: list[bool] = []
    worker.saved.connect(lambda: saved.append(True))
    worker.note(label(30), lambda _: saved.append(False))
    qtbot.waitUntil(lambda: bool(saved))
    assert (saved, waiting) == ([False], [1, 2, 1, 0])
    with qtbot.waitSignal(worker.begin("Count", counting, reads=True).done):
        pass
    assert saved == [False]


def test_a_refused_act_is_told_in_a_sentence_and_is_not_called_saved(worker: Worker, qtbot: QtBot) -> None:
    saved: list[bool] = []
    worker.saved.connect(lambda: saved.append(True))

    def refuse(project: Project) -> None:
        raise ProjectError("The disk is full.")

    with qtbot.waitSignal(worker.failed) as told:
        worker.act(refuse, lambda _: None)
    assert told.args == ["The disk is full."]
    assert worker.waiting == 0
    assert not saved


def test_of_questions_with_one_name_only_the_latest_that_waits_is_asked(worker: Worker, qtbot: QtBot) -> None:
    go = Event()
    heard: list[int] = []
    worker.ask(lambda project: go.wait(10), lambda _: None)
    worker.ask(lambda _: -1, heard.append, latest="another name")
    for number in range(5):
        worker.ask(partial(lambda number, _: number, number), heard.append, latest="rows")
    go.set()
    qtbot.waitUntil(lambda: bool(heard))
    with qtbot.waitSignal(worker.saved):
        worker.act(lambda project: None, lambda _: None)
    assert heard == [-1, 4]


def test_acts_are_carried_out_between_the_steps_of_long_work(worker: Worker, qtbot: QtBot) -> None:
    order: list[str] = []
    started: list[bool] = []

    def work(project: Project) -> Generator[Progress, None, str]:
        while not started:
            yield Progress(0, 0)
        return "worked"

    job = worker.begin("work", work)
    job.done.connect(lambda result: order.append(result))
    worker.act(lambda project: started.append(True), lambda _: order.append("acted"))
    qtbot.waitUntil(lambda: len(order) == 2)
    assert order == ["acted", "worked"]


def test_acts_wait_while_long_work_holds_one_open(worker: Worker, qtbot: QtBot) -> None:
    order: list[str] = []
    job, enough = at_long_work(worker, qtbot)
    job.done.connect(lambda _: order.append("worked"))
    worker.act(label(10), lambda _: order.append("acted"))
    with qtbot.waitSignal(job.progressed):
        pass
    assert worker.waiting == 1
    enough.append(True)
    with qtbot.waitSignal(worker.saved):
        pass
    assert order == ["worked", "acted"]


def test_cancelled_long_work_leaves_the_project_as_it_was(
    worker: Worker, project: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    for number in range(40):
        text = f"Case\nReport {number} of a man with ataxia.\n"
        (tmp_path / f"more{number}.txt").write_text(text, encoding="utf-8")
    job = worker.begin("import", lambda open_: import_reports(open_, sorted(tmp_path.glob("*.txt"))))
    job.cancel()
    with qtbot.waitSignal(job.stopped):
        pass
    assert not job.running
    assert len(list_project(project).documents) == 10


def test_only_one_long_work_runs_at_a_time(worker: Worker, qtbot: QtBot) -> None:
    job = worker.begin("count", counting)
    with pytest.raises(RuntimeError, match="count is still running"):
        worker.begin("count again", counting)
    with qtbot.waitSignal(job.done) as result:
        pass
    assert result.args == ["counted"]
    worker.begin("count again", counting).cancel()


def test_closing_waits_until_everything_is_on_disk(project: Path, qtbot: QtBot) -> None:
    worker = Worker(project)
    with qtbot.waitSignal(worker.opened):
        worker.start()
    for number in range(30):
        worker.act(label(10 * number), lambda _: None)
    worker.close()
    with Project.open(project) as other:
        assert len(open_report(other, KEY, ME).annotations) == 30


def test_what_was_done_is_acknowledged_before_closing_returns(project: Path, qtbot: QtBot) -> None:
    worker = Worker(project)
    with qtbot.waitSignal(worker.opened):
        worker.start()
    heard: list[bool] = []
    worker.act(label(10), lambda _: heard.append(True))
    worker.close()
    assert heard == [True]


def test_closing_ends_long_work(project: Path, qtbot: QtBot) -> None:
    worker = Worker(project)
    with qtbot.waitSignal(worker.opened):
        worker.start()

    def endless(_: Project) -> Generator[Progress, None, None]:
        while True:
            yield Progress(0, 0)

    job = worker.begin("endless", endless)
    worker.close()
    qtbot.waitUntil(lambda: not job.running)


def test_how_long_work_ended_is_told_before_closing_returns(worker: Worker, qtbot: QtBot) -> None:
    def endless(_: Project) -> Generator[Progress, None, None]:
        while True:
            yield Progress(0, 0)

    ends: list[str] = []
    job = worker.begin("endless", endless)
    job.stopped.connect(lambda: ends.append("stopped"))
    job.ended.connect(lambda: ends.append("ended"))
    worker.close()
    assert (job.running, ends) == (False, ["stopped", "ended"])


def test_a_project_that_is_open_elsewhere_is_refused_in_a_sentence(
    worker: Worker, project: Path, qtbot: QtBot
) -> None:
    second = Worker(project)
    with qtbot.waitSignal(second.refused) as told:
        second.start()
    assert "another" in told.args[0].lower()
    second.close()


def test_work_apart_needs_no_project(qtbot: QtBot) -> None:
    job = start_apart("look", one_step(lambda: 42))
    with qtbot.waitSignal(job.done) as result:
        pass
    assert result.args == [42]


def test_work_apart_tells_what_went_wrong_in_a_sentence(qtbot: QtBot) -> None:
    def fail() -> None:
        raise ProjectError("No server answers.")

    job = start_apart("look", one_step(fail))
    with qtbot.waitSignal(job.failed) as told:
        pass
    assert told.args == ["No server answers."]


def test_the_last_step_is_told_however_quickly_it_follows(qtbot: QtBot) -> None:
    def steps() -> Generator[Progress, None, None]:
        for done in range(1, 4):
            yield Progress(done, 3)

    told: list[Progress] = []
    job = start_apart("count", steps)
    job.progressed.connect(told.append)
    with qtbot.waitSignal(job.ended):
        pass
    assert told[-1] == Progress(3, 3)
    # How long it still takes is told once, and by who knows best.
    job._began -= 60
    for progress, far in (
        (Progress(1, 3), "1 of 3, about 2 min left"),
        (Progress(1, 3, "a minute left"), "1 of 3"),
        (Progress(1200, 0), "1,200"),
        (Progress(0, 3), "0 of 3"),
        (Progress(3, 3), "3 of 3"),
    ):
        job.progress = progress
        assert job.far() == far
    # What was given up is spoken of no more.
    for given_up in (False, True):
        job = Job("look")
        if given_up:
            job.drop()
        job._grow_long()
        assert job.long != given_up


def test_a_long_question_leaves_room_for_acts_and_the_later_of_a_name_takes_its_place(
    qtbot: QtBot, session: ProjectSession
) -> None:
    release = Event()

    def steps(project: Project) -> Generator[Progress, None, str]:
        done = 0
        while not release.is_set():
            release.wait(0.01)
            done += 1
            yield Progress(done, 0)
        return "first"

    answers: list[str] = []
    told: list[str] = []
    first = session.worker.query("Counting", steps, answers.append, latest="count")
    first.stopped.connect(lambda: told.append("stopped"))
    first.failed.connect(told.append)
    # An act is on disk while the question is still being worked on.
    with qtbot.waitSignal(session.worker.saved):
        session.controller.label(0, 5, "Neuro")
    assert answers == []

    def short(project: Project) -> Generator[Progress, None, str]:
        yield Progress(1, 1)
        return "second"

    with qtbot.waitSignal(first.ended):
        session.worker.query("Counting", short, answers.append, latest="count")
    qtbot.waitUntil(lambda: answers == ["second"])
    release.set()
    assert told == []


def test_a_long_question_is_asked_after_what_was_asked_before_it(
    qtbot: QtBot, session: ProjectSession
) -> None:
    seen: list[str] = []

    def steps(project: Project) -> Generator[Progress, None, str]:
        seen.append("question")
        yield Progress(1, 1)
        return "answer"

    session.worker.act(lambda _: seen.append("act"), lambda _: None)
    session.worker.query("Looking", steps, seen.append, latest="look")
    session.worker.ask(lambda _: seen.append("later"), lambda _: None)
    qtbot.waitUntil(lambda: {"answer", "later"} <= set(seen))
    # The answer is told in the window's thread, sooner or later than what comes next.
    assert [one for one in seen if one != "answer"] == ["act", "question", "later"]


def test_no_other_thread_takes_circles_apart_and_what_was_read_is_not_looked_at(
    worker: Worker, qtbot: QtBot
) -> None:
    """A widget that is taken apart in a thread other than its own ends the program."""
    where, reading, looked = list[int](), Event(), Event()

    class Circle:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            where.append(get_ident())

    def steps(project: Project) -> Generator[Progress, None, list[list[int]]]:
        read = []
        for number in range(20_000):
            read.append([number])
            if number == 10_000:
                reading.set()
                looked.wait(10)
            yield Progress(number, 20_000)
        return read

    before = gc.get_freeze_count()
    answers: list[list[list[int]]] = []
    holder = QObject()
    worker.query("Reading", steps, answers.append, latest="read")
    qtbot.waitUntil(reading.is_set)
    Circle()
    kept = [[number] for number in range(1_000)]
    gc.set_threshold(700)
    collect_here(holder)
    collect_due()
    assert not where
    looked.set()
    # The answer is told before the thread has put all away.
    qtbot.waitUntil(lambda: bool(answers) and gc.get_freeze_count() - before >= 20_000)
    Circle()
    kept += [[number] for number in range(1_000)]
    qtbot.waitUntil(lambda: bool(where))
    assert set(where) == {get_ident()}
    assert len(kept) == 2_000
    gc.unfreeze()
    gc.set_threshold(20_000)


def test_what_a_long_question_alone_keeps_goes_with_it_unharmed(project: Path, qtbot: QtBot) -> None:
    """Its callback holds the worker's last reference: the worker ends while the question is taken apart."""
    gone: list[str] = []

    def reading(_: Project) -> Generator[Progress, None, int]:
        while True:
            yield Progress(0, 1)

    def ask() -> None:
        worker = Worker(project)
        told: list[Worker] = []
        weakref.finalize(worker, gone.append, "worker")
        with qtbot.waitSignal(worker.opened):
            worker.start()
        worker.query("Reading", reading, lambda _: told.append(worker), latest="reading")
        worker.close()

    ask()
    gc.collect()
    qtbot.waitUntil(lambda: gone == ["worker"])
