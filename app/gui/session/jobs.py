"""Long work as the window sees it: it reports, can be cancelled, and ends once."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator
from threading import Event, Thread
from typing import Any, TypeAlias

from PySide6.QtCore import QObject, Qt, Signal

from extractors.model.errors import CasespanError
from extractors.model.progress import Progress

Steps: TypeAlias = Generator[Progress, None, Any]
_REPORT_SECONDS = 0.05


def sentence_of(error: Exception) -> str:
    """What to tell the user of an error; an unexpected one is logged with its traceback, on stderr only."""
    if isinstance(error, CasespanError):
        return str(error)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}; nothing more was written."
    logging.getLogger(__name__).error("unexpected", exc_info=error)
    return f"This should not have happened ({type(error).__name__}: {error}); please report it."


class Job(QObject):
    """Steps that another thread takes. Signals arrive in the thread that made the job.

    Exactly one of `done` (with the result), `failed` (a sentence) and `stopped` is emitted, then `ended`.
    """

    progressed = Signal(object)
    done = Signal(object)
    failed = Signal(str)
    stopped = Signal()
    ended = Signal()
    _delivered = Signal(object)

    def __init__(self, title: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.title = title
        self.running = True
        # Told by the thread that does the work; `running` is what has been heard of it.
        self.over = False
        self._cancelled = Event()
        self._steps: Steps | None = None
        self._reported = 0.0
        self._delivered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def cancel(self) -> None:
        """Ask for the work to be given up before its next step."""
        self._cancelled.set()

    # In the other thread

    def begin(self, steps: Steps) -> None:
        """Take the steps on; called once, in the thread that will take them."""
        self._steps = steps

    def step(self) -> bool:
        """Take one step; False once the work has ended."""
        steps = self._steps
        if steps is None:
            raise RuntimeError("a job has no steps before it begins")
        try:
            if self._cancelled.is_set():
                steps.close()
                return self._end(self.stopped.emit)
            self._report(next(steps))
        except StopIteration as end:
            result = end.value
            return self._end(lambda: self.done.emit(result))
        except Exception as error:
            return self.fail(error)
        return True

    def fail(self, error: Exception) -> bool:
        """End the work with what went wrong."""
        sentence = sentence_of(error)
        return self._end(lambda: self.failed.emit(sentence))

    def _report(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._reported >= _REPORT_SECONDS or progress.done == progress.total:
            self._reported = now
            self._delivered.emit(lambda: self.progressed.emit(progress))

    def _end(self, say: Callable[[], None]) -> bool:
        self.over = True
        self._delivered.emit(lambda: self._finish(say))
        return False

    # In the thread that made the job

    def _deliver(self, call: Callable[[], None]) -> None:
        call()

    def _finish(self, say: Callable[[], None]) -> None:
        self.running = False
        say()
        self.ended.emit()


def start_apart(title: str, steps: Callable[[], Steps], parent: QObject | None = None) -> Job:
    """Start work that needs no project (a server's models, a download) in a thread of its own."""
    job = Job(title, parent)

    def run() -> None:
        try:
            job.begin(steps())
        except Exception as error:
            job.fail(error)
            return
        while job.step():
            pass

    # A thread that waits for a silent server must not keep the program from ending.
    Thread(target=run, name=title, daemon=True).start()
    return job


def one_step(call: Callable[[], object]) -> Callable[[], Steps]:
    """A plain call as steps."""

    def steps() -> Steps:
        yield Progress(0, 0)
        return call()

    return steps
