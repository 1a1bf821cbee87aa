"""Long work as the window sees it: it reports, can be cancelled, and ends once; faults can be sent."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable, Generator
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeAlias

from PySide6.QtCore import QObject, QSettings, Qt, QTimer, Signal

from app import __version__
from app.gui.widgets.wording import in_window
from app.text import duration
from extractors.model.errors import CasespanError
from extractors.model.progress import Progress

Steps: TypeAlias = Generator[Progress, None, Any]
_REPORT_SECONDS = 0.05
# Work that takes no longer is not spoken of.
LONG_MS = 1000
# How long work must have gone on before it can be told how long it still takes.
_KNOWN_SECONDS = 2.0


def sentence_of(error: Exception, project: Path | None = None) -> str:
    """What to tell the user of an error, in the window's words; of an unexpected one a report is kept, which
    stderr has as well.

    Of a fault while a damaged project was in use that damage is told.
    """
    if isinstance(error, CasespanError):
        return in_window(str(error))
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}; nothing more was written."
    from app.operations.project.files import damage_behind

    if project and (damage := damage_behind(project)):
        return in_window(str(damage))
    return unexpected(error)


def unexpected(error: Exception) -> str:
    """What to tell of an error that nobody foresaw, whatever its kind; the report of it is kept."""
    words = f"This should not have happened ({type(error).__name__}: {error}); please report it"
    try:
        path, report = keep_fault(error)
    except (OSError, CasespanError):
        return f"{words}."
    logging.getLogger(__name__).error("unexpected\n%s", report)
    return f"{words}: {path} may be sent, no words of a project are in it."


class Job(QObject):
    """Steps that another thread takes. Signals arrive in the thread that made the job.

    Exactly one of `done` (with the result), `failed` (a sentence) and `stopped` is emitted unless it is
    dropped, then `ended`; before that `grew_long` after a second, from when on it is to be shown.
    """

    grew_long = Signal()
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
        # One that changes nothing, and of which several may be asked.
        self.question = False
        # One that reads thousands of records, which stay.
        self.reads = False
        self._dropped = False
        self.long = False
        self.progress = Progress(0, 0)
        self._began = time.monotonic()
        QTimer.singleShot(LONG_MS, self, self._grow_long)
        self._cancelled = Event()
        self._steps: Steps | None = None
        self._reported = 0.0
        self._delivered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def cancel(self) -> None:
        """Ask for the work to be given up before its next step."""
        self._cancelled.set()

    def far(self) -> str:
        """How far it is and how long it still takes, as far as that is known: "3 of 10, about 40 s left"."""
        done, total = self.progress.done, self.progress.total
        of = f" of {total:,}" if total else ""
        parts = [f"{done:,}{of}"] if done or total else []
        seconds = time.monotonic() - self._began
        if 0 < done < total and seconds >= _KNOWN_SECONDS and "left" not in self.progress.note:
            parts.append(f"about {duration(seconds / done * (total - done))} left")
        return ", ".join(parts)

    def drop(self) -> None:
        """Ask for the work to be given up; nobody is told but by `ended`."""
        self._dropped = True
        self.cancel()

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
            self._delivered.emit(lambda: self._show_progress(progress))

    def _end(self, say: Callable[[], None]) -> bool:
        self.over = True
        self._delivered.emit(lambda: self._finish(say))
        return False

    # In the thread that made the job

    def _deliver(self, call: Callable[[], None]) -> None:
        call()

    def _show_progress(self, progress: Progress) -> None:
        if not self._dropped:
            self.progress = progress
            self.progressed.emit(progress)

    def _grow_long(self) -> None:
        if self.running and not self._dropped:
            self.long = True
            self.grew_long.emit()

    def _finish(self, say: Callable[[], None]) -> None:
        self.running = False
        if not self._dropped:
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
    def steps() -> Steps:
        yield Progress(0, 0)
        return call()

    return steps


_NAME = "last-fault.txt"
_PARTS = 3


def keep_fault(error: BaseException) -> tuple[Path, str]:
    """Write down where the program was, in the place of the last such report: the file and what is in it.

    Messages of errors and values of variables may hold what a report says, full paths who the user is: both
    are left out.
    """
    from app.gui.dialogs.project.about import machine

    *lines, _settings = [f"Casespan {__version__}", *machine().splitlines()]
    one: BaseException | None = error
    while one is not None:
        lines += ["", type(one).__name__]
        for frame in traceback.extract_tb(one.__traceback__):
            where = "/".join(Path(frame.filename).parts[-_PARTS:])
            lines.append(f"  {where}:{frame.lineno} {frame.name}")
        one = one.__cause__ or one.__context__
    settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Casespan", "Casespan")
    path, text = Path(settings.fileName()).with_name(_NAME), "\n".join(lines) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path, text
