"""Long work in the status line: a bar, figures, time left, and the button that gives it up."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget
from shiboken6 import isValid

from app.gui.dialogs.forms import named
from app.gui.session.jobs import Job
from app.gui.widgets.boxes import lined
from app.gui.widgets.plain import ElidedLabel

if TYPE_CHECKING:
    from app.gui.session.worker import Worker
    from app.store.project import Project
    from extractors.model.progress import Progress

T = TypeVar("T")
V = TypeVar("V")
_BAR_WIDTH, _BAR_HEIGHT = 120, 8


def slim_bar(width: int, name: str) -> QProgressBar:
    bar = named(QProgressBar(textVisible=False), name)
    bar.setFixedSize(width, _BAR_HEIGHT)
    bar.setStyleSheet("QProgressBar::chunk { background: palette(highlight); }")
    return bar


class JobLine(QWidget):
    """The work that has taken a second already, and the button that stops it; hidden while there is none."""

    def __init__(self) -> None:
        super().__init__()
        self._jobs: list[Job] = []
        self.label = ElidedLabel("Extracting with a model: 10 of 100, PMC99000001")
        self.bar = slim_bar(_BAR_WIDTH, "How far it is")
        self.cancel = QPushButton("Stop", flat=True, autoDefault=False)
        self.cancel.clicked.connect(self._cancel)
        lined(self, self.bar, self.label, self.cancel, wide=self.label)
        kept = self.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.setSizePolicy(kept)
        self.hide()

    def show_job(self, job: Job) -> None:
        """Follow a job, once it has taken a second, until it ends; the one shown last is in front."""
        if not isValid(self) or not job.running or job in self._jobs:
            return
        if not job.long:
            job.grew_long.connect(lambda: self.show_job(job))
            return
        self._jobs.append(job)
        job.progressed.connect(lambda _: self._progress(job))
        job.ended.connect(lambda: self._end(job))
        self._show_last()

    def query(
        self,
        worker: Worker,
        title: str,
        steps: Callable[[Project], Generator[Progress, None, T]],
        then: Callable[[T], None],
        otherwise: Callable[[str], None],
        *,
        latest: str,
    ) -> Job:
        """Ask at length, as `Worker.query`, and show it here; once this is gone, nobody is told any more."""
        job = worker.query(title, steps, self._if_here(then), self._if_here(otherwise), latest=latest)
        job.stopped.connect(lambda: self._if_here(otherwise)("Stopped."))
        self.show_job(job)
        return job

    def _if_here(self, call: Callable[[V], None]) -> Callable[[V], None]:
        return lambda value: call(value) if isValid(self) else None

    def _show_last(self) -> None:
        self.setVisible(bool(self._jobs))
        if self._jobs:
            job = self._jobs[-1]
            self.cancel.setEnabled(True)
            self.cancel.setAccessibleName(f"Stop: {job.title}")
            self._progress(job)

    def _progress(self, job: Job) -> None:
        if not isValid(self) or job is not self._jobs[-1] or not self.cancel.isEnabled():
            return
        self.bar.setRange(0, job.progress.total)
        self.bar.setValue(job.progress.done)
        words = ", ".join(filter(None, (job.far(), job.progress.note)))
        self.label.say(f"{job.title}: {words}" if words else job.title)

    def _cancel(self) -> None:
        if not self._jobs:
            return
        job = self._jobs[-1]
        self.cancel.setEnabled(False)
        self.label.say(f"{job.title}: stops after this step")
        job.cancel()

    def _end(self, job: Job) -> None:
        if isValid(self):
            self._jobs.remove(job)
            self._show_last()
