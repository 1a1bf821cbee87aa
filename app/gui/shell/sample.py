"""The sample project: opened, or made first where there is none yet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths

from app.gui.dialogs.watching import JobDialog
from app.gui.session.jobs import sentence_of, start_apart
from app.operations.demo.sample import make_sample

if TYPE_CHECKING:
    from app.gui.shell.main_window import MainWindow

_ABOUT = "Ten invented reports are being read and annotated by two samples, the rules and a recorded run."


def open_sample(window: MainWindow) -> None:
    """Show the sample project in the window; making it takes a few seconds and can be stopped."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    path = Path(folder) / "Casespan" / "sample.casespan"
    if path.exists():
        window.open_project(path)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        window.start_page.show_message(sentence_of(error))
        return
    # The store is loaded in the first thread, see there.
    import app.operations.project.files  # noqa: F401

    name = window.preferences.annotator_or_login
    job = start_apart("Sample project", lambda: make_sample(path, name), window)

    def show() -> None:
        if window.session is None:
            window.open_project(path)
        else:
            window.session.said.emit("The sample project is ready; open it from the menu Project.")

    job.done.connect(show)
    job.failed.connect(window.start_page.show_message)
    JobDialog(job, _ABOUT, "Stopping leaves nothing behind.", window).open()
