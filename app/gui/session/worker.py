"""The thread that owns the open project: acts in the order given, long work step by step between them."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from shiboken6 import isValid

from app.gui.session.jobs import Job, Steps, sentence_of
from app.gui.shell.collector import collector_resting
from extractors.model.errors import CasespanError, LockedProjectError, StorageError

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.model.progress import Progress

T = TypeVar("T")
_TURN_SECONDS = 0.0005
# For how long questions are worked on before it is seen whether anything else is waiting.
_FIRST_LOOK_SECONDS, _LOOK_SECONDS = 0.1, 0.02


@dataclass(frozen=True, slots=True)
class _Order:
    """One call on the project, and who hears of it; `latest` takes the place of those of the same name.

    `counts` says that it is a change of the user's own, of which is told when it is on disk; `says`, that
    `otherwise` tells what was refused where it still stands.
    """

    call: Callable[[Project], Any]
    then: Callable[[Any], object]
    otherwise: Callable[[str], object]
    changes: bool
    latest: str = ""
    counts: bool = False
    says: bool = False


class Worker(QObject):
    """Calls are made one by one in the worker's thread; what comes back arrives in the thread of the window.

    While long work holds an act open (an import), acts wait and `waiting` says how many, and questions
    overtake them; nothing is acknowledged before it is on disk.
    """

    opened = Signal()
    refused = Signal(str)
    # Encrypted, and its key is not at hand.
    locked = Signal()
    waiting_changed = Signal(int)
    saved = Signal()
    change_refused = Signal(str)
    failed = Signal(str)
    job_changed = Signal()
    # A long question that was begun, as a job.
    looking = Signal(object)
    _delivered = Signal(object)

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # The store hides number libraries while it is imported, from every thread: so here, in the first one.
        import app.operations.project.files  # noqa: F401

        self._path = path
        self._orders: deque[_Order] = deque()
        self._called = Condition()
        self._closing = False
        self._starting: list[tuple[Job, Callable[[Project], Steps]]] = []
        self._queries: dict[str, Job] = {}
        # What the worker's thread is at; its own affair.
        self._running: list[Job] = []
        self.job: Job | None = None
        self.waiting = 0
        self._delivered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._thread = Thread(target=self._run, name="project")

    def start(self) -> None:
        """Open the project; `opened`, `locked` or `refused` (a sentence) follows."""
        # Python's 5 ms are a third of the time that a key may take: the window's thread asks sooner.
        sys.setswitchinterval(_TURN_SECONDS)
        self._thread.start()

    def ask(
        self,
        call: Callable[[Project], T],
        then: Callable[[T], object],
        otherwise: Callable[[str], object] | None = None,
        *,
        latest: str = "",
    ) -> None:
        """Read from the project; an earlier question of the same `latest` name not yet asked is dropped."""
        self._order(_Order(call, then, otherwise or self.failed.emit, changes=False, latest=latest))

    def act(
        self,
        call: Callable[[Project], T],
        then: Callable[[T], None],
        otherwise: Callable[[str], None] | None = None,
        *,
        says: bool = False,
    ) -> None:
        """Change the project; `then` is called once the change is on disk.

        Where `otherwise` `says` what was refused, and what was asked still stands there, nothing is lost but
        by the disk.
        """
        self._wait(1)
        self._order(_Order(call, then, otherwise or self.failed.emit, changes=True, counts=True, says=says))

    def note(self, call: Callable[[Project], T], then: Callable[[T], None]) -> None:
        """Put something on record that is no change of the user's own: nothing is said of its being saved."""
        self._order(_Order(call, then, self.failed.emit, changes=True))

    def begin(self, title: str, steps: Callable[[Project], Steps], *, reads: bool = False) -> Job:
        """Start long work on the project, which may `read` much of it; raises RuntimeError while other work
        is running.
        """
        if self.job is not None and self.job.running:
            raise RuntimeError(f"{self.job.title} is still running")
        job = Job(title, self)
        job.reads = reads
        self.job = job
        if not reads:
            job.done.connect(lambda _: self._tell_saved())
        job.ended.connect(self.job_changed)
        with self._called:
            self._starting.append((job, steps))
            self._called.notify()
        self.job_changed.emit()
        return job

    def query(
        self,
        title: str,
        steps: Callable[[Project], Generator[Progress, None, T]],
        then: Callable[[T], None],
        otherwise: Callable[[str], None] | None = None,
        *,
        latest: str,
    ) -> Job:
        """Read at length, some steps at a time between all else; one of the same `latest` name is dropped."""
        self.drop(latest)
        job = self._queries[latest] = Job(title, self)
        job.question = job.reads = True
        job.done.connect(then)
        job.failed.connect(otherwise or self.failed.emit)
        job.ended.connect(partial(_let_go, job))

        def begin(project: Project) -> None:
            # What is soon answered is answered in its turn, as any question.
            if self._begun(project, job, steps) and self._go_on(job, _FIRST_LOOK_SECONDS):
                self._running.append(job)

        self._order(_Order(begin, lambda _: None, self.failed.emit, changes=False))
        self.looking.emit(job)
        return job

    def drop(self, latest: str) -> None:
        """Give up the long question of that name, if it is still asked."""
        job = self._queries.pop(latest, None)
        if job is not None and isValid(job):
            job.drop()

    def close(self) -> None:
        """Give up long work, finish what is waiting, close the project; returns when all is on disk."""
        if self.job is not None:
            self.job.cancel()
        for name in tuple(self._queries):
            self.drop(name)
        with self._called:
            self._closing = True
            self._called.notify()
        if self._thread.is_alive():
            self._thread.join()
        # What was answered meanwhile is told now: whoever asked may be gone in a moment.
        for teller in filter(None, (self, self.job)):
            QCoreApplication.sendPostedEvents(teller, QEvent.Type.MetaCall.value)

    # In the thread of the window

    def _order(self, order: _Order) -> None:
        with self._called:
            if order.latest:
                kept = [one for one in self._orders if one.latest != order.latest]
                self._orders = deque(kept)
            self._orders.append(order)
            self._called.notify()

    def _wait(self, more: int) -> None:
        self.waiting += more
        self.waiting_changed.emit(self.waiting)

    def _deliver(self, call: Callable[[], None]) -> None:
        call()

    def _answered(self, order: _Order, say: Callable[[], None], *, well: bool) -> None:
        if order.counts:
            self._wait(-1)
        say()
        if order.counts and well:
            self._tell_saved()

    def _tell_saved(self) -> None:
        if not self.waiting:
            self.saved.emit()

    def _refuse(self, order: _Order, sentence: str, *, lost: bool) -> None:
        _tell(order.otherwise, sentence)
        if order.counts and lost:
            self.change_refused.emit(sentence)

    # In the worker's thread

    def _run(self) -> None:
        from app.operations.project.opening import open_project

        try:
            with collector_resting():
                project = open_project(self._path)
        except LockedProjectError:
            self._delivered.emit(self.locked.emit)
            return
        except Exception as error:
            sentence = sentence_of(error)
            self._delivered.emit(lambda: self.refused.emit(sentence))
            return
        self._delivered.emit(self.opened.emit)
        try:
            with project:
                self._serve(project)
        except Exception as error:
            # The project itself is at fault, not a call: nothing more can be asked of it.
            fault = sentence_of(error, self._path)
            self._delivered.emit(lambda: self.refused.emit(fault))

    def _serve(self, project: Project) -> None:
        while True:
            with self._called:
                while not (self._running or self._orders or self._starting or self._closing):
                    self._called.wait()
                starting, self._starting = self._starting, []
                order = self._next_order(project)
                if self._closing and order is None and not (self._running or starting):
                    return
            with collector_resting():
                self._running += [job for job, steps in starting if self._begun(project, job, steps)]
                if order is not None:
                    self._carry_out(project, order)
                self._running = [job for job in self._running if self._go_on(job, _LOOK_SECONDS)]

    def _go_on(self, job: Job, seconds: float) -> bool:
        """Take a step of work, or of a question as many as there is time for; False once it has ended."""
        if not job.reads:
            return job.step()
        now = time.monotonic()
        soon, until = now + _LOOK_SECONDS, now + (seconds if job.question else 0)
        with collector_resting(kept=True):
            while job.step():
                now = time.monotonic()
                if now > until or (now > soon and self._orders):
                    return True
            return False

    def _begun(self, project: Project, job: Job, steps: Callable[[Project], Steps]) -> bool:
        try:
            job.begin(steps(project))
        except Exception as error:
            job.fail(error)
            return False
        return True

    def _next_order(self, project: Project) -> _Order | None:
        """The next call; while long work holds an act open, the next question."""
        if not self._orders:
            return None
        if not project.acting:
            return self._orders.popleft()
        question = next((order for order in self._orders if not order.changes), None)
        if question is not None:
            self._orders.remove(question)
        return question

    def _carry_out(self, project: Project, order: _Order) -> None:
        try:
            result = order.call(project)
        except Exception as error:
            sentence = sentence_of(error, self._path)
            asked = isinstance(error, CasespanError) and not isinstance(error, StorageError)
            refuse = partial(self._refuse, order, sentence, lost=not (order.says and asked))
            self._delivered.emit(lambda: self._answered(order, refuse, well=False))
        else:
            tell = partial(_tell, order.then, result)
            self._delivered.emit(lambda: self._answered(order, tell, well=True))


def _tell(call: Callable[[Any], object], told: object) -> None:
    """Call who is to hear of it; a method as long as its widget is there: its dialog may have been closed."""
    method = call.func if isinstance(call, partial) else call
    if isValid(getattr(method, "__self__", None)):
        call(told)


def _let_go(job: Job) -> None:
    """Take a job that has ended apart, away from its worker first.

    With it go those who were to hear of it, and with the last of them may go session and worker: which would
    take its children apart, this one a second time.
    """
    job.setParent(None)
    job.deleteLater()
