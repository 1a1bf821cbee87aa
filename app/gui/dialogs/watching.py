"""Long work under way: how far it is, a way to stop it, and a way to go on with something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QProgressBar, QWidget

from app.gui.dialogs.forms import FormDialog, Role, named, plain_label
from app.gui.dialogs.project.summary import show_message
from app.gui.widgets.plain import cut_in_middle
from app.gui.widgets.tips import explain

if TYPE_CHECKING:
    from app.gui.session.jobs import Job
    from app.gui.session.project_session import ProjectSession
    from extractors.model.progress import Progress


def busy_sentence(session: ProjectSession) -> str:
    """Why no other long work can begin now, "" where it can."""
    job = session.worker.job
    if job is None or not job.running:
        return ""
    return f"“{job.title}” is still at work; wait until it has ended, or stop it."


def follow(
    job: Job,
    parent: QWidget | None,
    about: str,
    on_stop: str,
    done: Callable[[Any], object],
    stopped: Callable[[], object],
    lost: str = "",
    reload: Callable[[], object] = lambda: None,
) -> None:
    """Show long work on the project, and what comes of it; a failure is told with what it `lost`."""
    # However it ends: what was asked for meanwhile may have been answered from before.
    for end in (job.done, job.stopped, job.failed):
        end.connect(lambda *_: reload())
    job.done.connect(done)
    job.stopped.connect(stopped)
    job.failed.connect(lambda problem: show_message(parent, job.title, f"{problem} {lost}".strip()))
    # Never where it ends before.
    job.grew_long.connect(JobDialog(job, about, on_stop, parent).show)


class JobDialog(FormDialog):
    """Shows a job until it ends. Closing the dialog stops nothing; only its button does.

    `about` says what may be done meanwhile, `on_stop` what is left where the work is stopped.
    """

    def __init__(self, job: Job, about: str, on_stop: str, parent: QWidget | None = None) -> None:
        super().__init__(job.title, parent)
        self._job = job
        self.bar = named(QProgressBar(textVisible=False), f"Progress: {job.title}")
        self.bar.setRange(0, 0)
        self.note = plain_label("Beginning…", "Step", lines=2)
        self.lay_out(plain_label(about), self.bar, self.note, None)
        self.say(on_stop)
        self.stop_button = self.add_button("&Stop", Role.ActionRole, self._stop)
        self.hide_button = self.add_button("&Hide", Role.RejectRole, default=True)
        explain(self.hide_button, "The work goes on.")
        job.progressed.connect(self._show_progress)
        job.ended.connect(self.close)

    def _stop(self) -> None:
        self.stop_button.setEnabled(False)
        self.say("Stopping after the step under way…")
        self._job.cancel()

    def _show_progress(self, progress: Progress) -> None:
        self.bar.setRange(0, progress.total)
        self.bar.setValue(progress.done)
        words = " · ".join(filter(None, (self._job.far(), progress.note)))
        self.note.setText(cut_in_middle(words, most=120))
