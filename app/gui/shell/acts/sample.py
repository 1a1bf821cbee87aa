"""The sample project: opened, or made first where there is none yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths, QTimer
from PySide6.QtWidgets import QWidget

from app.gui.dialogs.watching import JobDialog
from app.gui.session.jobs import Job, sentence_of, start_apart
from app.operations.demo.sample import make_sample

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession

_ABOUT = (
    "Ten invented case reports are being prepared, with the annotations of two invented annotators, of the "
    "built-in rules and of a recorded model."
)
_THEN = "The sample opens when it is ready."
_CLOSED = "The project that is open now is closed then; all of it is saved."
_HIDDEN = "The sample project is being prepared."
_TITLE = "Sample project"


@dataclass(frozen=True, slots=True)
class SampleProject:
    """Opens the sample over a window: `session` gives the project that is open there, `show_message` says
    something where there is none."""

    window: QWidget
    annotator: str
    session: Callable[[], ProjectSession | None]
    open_project: Callable[[Path], None]
    show_message: Callable[[str], None]

    def open(self) -> None:
        """Show the sample project in the place of the open one; making it takes a few seconds.

        Where the user hides that it is being made and goes on in another project, it is not opened unasked.
        """
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        path = Path(folder) / "Casespan" / "sample.casespan"
        session = self.session()
        if session is not None and session.path.resolve() == path.resolve():
            session.message.emit("This is the sample project.")
        elif path.exists():
            self.open_project(path)
        else:
            self._watch(self._under_way() or self._begin(path))

    def _under_way(self) -> Job | None:
        """The making that was hidden before, if it goes on still."""
        jobs = self.window.findChildren(Job)
        return next((job for job in jobs if job.title == _TITLE and job.running), None)

    def _begin(self, path: Path) -> Job | None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._refuse(sentence_of(error))
            return None
        # The store is loaded in the first thread, see there.
        import app.operations.project.files  # noqa: F401

        job = start_apart(_TITLE, lambda: make_sample(path, self.annotator), self.window)
        # Qt holds bound methods of what is no QObject weakly.
        job.failed.connect(lambda sentence: self._refuse(sentence))
        job.done.connect(lambda _: self._show(path))
        job.stopped.connect(lambda: self._say("The sample project was not made."))
        return job

    def _watch(self, job: Job | None) -> None:
        if job is not None:
            words = (_ABOUT, _THEN, *((_CLOSED,) if self.session() is not None else ()))
            dialog = JobDialog(job, " ".join(words), "Stopping leaves nothing behind.", self.window)
            dialog.finished.connect(lambda _: self._tell_hidden() if job.running else None)
            dialog.open()

    def _tell_hidden(self) -> None:
        opens = "" if self.session() is not None else " It opens when it is ready."
        self._say(f"{_HIDDEN}{opens}")

    def _show(self, path: Path) -> None:
        """Open it, unless the user has gone on in another project meanwhile."""
        dialogs = self.window.findChildren(JobDialog)
        waited_for = any(one.isVisible() and one.windowTitle() == _TITLE for one in dialogs)
        session = self.session()
        if session is None or waited_for:
            # Once the dialog has closed: what is open may ask whether it may be closed.
            QTimer.singleShot(0, self.window, lambda: self.open_project(path))
        else:
            session.message.emit("The sample project is ready; open it from the menu Project.")

    def _say(self, sentence: str) -> None:
        session = self.session()
        (session.message.emit if session is not None else self.show_message)(sentence)

    def _refuse(self, sentence: str) -> None:
        session = self.session()
        if session is not None:
            session.failed.emit(sentence)
        else:
            self.show_message(sentence)
