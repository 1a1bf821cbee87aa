"""The sample project: opened, or made first where there is none yet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths, QTimer

from app.gui.dialogs.watching import JobDialog
from app.gui.session.jobs import Job, sentence_of, start_apart
from app.operations.demo.sample import make_sample

if TYPE_CHECKING:
    from app.gui.shell.main_window import MainWindow

_ABOUT = "Ten invented reports are being read and annotated by two samples, the rules and a recorded run."
_THEN = "It is opened when it is ready; a project that is open is closed then, with all that was done in it."
_TITLE = "Sample project"


def open_sample(window: MainWindow) -> None:
    """Show the sample project in the window, in the place of the open one; making it takes a few seconds.

    Where the user hides that it is being made and goes on in another project, it is not opened unasked.
    """
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    path = Path(folder) / "Casespan" / "sample.casespan"
    if window.session is not None and window.session.path.resolve() == path.resolve():
        window.session.said.emit("This is the sample project.")
    elif path.exists():
        window.open_project(path)
    else:
        _watch(window, _under_way(window) or _begin(window, path))


def _under_way(window: MainWindow) -> Job | None:
    """The making that was hidden before, if it goes on still."""
    jobs = window.findChildren(Job)
    return next((job for job in jobs if job.title == _TITLE and job.running), None)


def _begin(window: MainWindow, path: Path) -> Job | None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _say(window, sentence_of(error))
        return None
    # The store is loaded in the first thread, see there.
    import app.operations.project.files  # noqa: F401

    name = window.preferences.annotator_or_login
    job = start_apart(_TITLE, lambda: make_sample(path, name), window)
    job.failed.connect(lambda sentence: _say(window, sentence))
    job.done.connect(lambda _: _show(window, path))
    return job


def _watch(window: MainWindow, job: Job | None) -> None:
    if job is not None:
        JobDialog(job, f"{_ABOUT} {_THEN}", "Stopping leaves nothing behind.", window).open()


def _show(window: MainWindow, path: Path) -> None:
    """Open it, unless the user has gone on in another project meanwhile."""
    dialogs = window.findChildren(JobDialog)
    waited_for = any(one.isVisible() and one.windowTitle() == _TITLE for one in dialogs)
    if window.session is None or waited_for:
        # Once the dialog has closed: what is open may ask whether it may be closed.
        QTimer.singleShot(0, window, lambda: window.open_project(path))
    else:
        window.session.said.emit("The sample project is ready; open it from the menu Project.")


def _say(window: MainWindow, sentence: str) -> None:
    if window.session is not None:
        window.session.failed.emit(sentence)
    else:
        window.start_page.show_message(sentence)
