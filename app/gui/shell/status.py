"""At the bottom of the window: who annotates, how far the project is, what happened, and what is on disk."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QSize, Qt, QTime, QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from app.gui.session.jobs import Job
from app.gui.session.project_session import ProjectSession
from app.gui.shell.actions import Actions
from app.gui.widgets.parts import follow_keys
from app.gui.widgets.plain import ElidedButton, ElidedLabel, caption, one_line
from app.gui.widgets.tips import explain
from app.text import counted
from extractors.model.progress import Progress

_PATIENCE = 300
_MESSAGE_STAYS = 10_000
_BAR_WIDTH, _BAR_HEIGHT = 64, 8
_WELL = "Everything is on disk"
_USUAL_SENTENCE = "12 changes not yet on disk"


class SavedLabel(ElidedLabel):
    """What is on disk, as a sentence. Changes on their way are told of only when they take long."""

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__(_USUAL_SENTENCE, parent)
        self._worker = session.worker
        self._waited = 0
        self._settled = _WELL
        self._late = False
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE)
        self._patience.timeout.connect(self._grow_impatient)
        self._worker.waiting_changed.connect(self._follow)
        self._worker.job_changed.connect(self._tell)
        self._worker.saved.connect(self._note_saved)
        self._tell()

    def minimumSizeHint(self) -> QSize:
        """What it says when all is well is never cut."""
        return QSize(self.fontMetrics().horizontalAdvance(_WELL) + 2, self.fontMetrics().height())

    def note_lost(self, sentence: str) -> None:
        """Say that a change is not on disk."""
        self._settled = f"The last change was not saved: {sentence}"
        self._tell()

    def _note_saved(self) -> None:
        self._settled = f"Saved on disk {QTime.currentTime().toString('HH:mm')}"
        self._tell()

    def _follow(self, waiting: int) -> None:
        if not waiting:
            self._patience.stop()
            self._late = False
        elif not self._late and not self._patience.isActive():
            self._patience.start()
        self._tell()

    def _grow_impatient(self) -> None:
        self._late = True
        self._tell()

    def _tell(self) -> None:
        self.say(self._waiting_sentence() if self._late else self._settled)

    def _waiting_sentence(self) -> str:
        waiting, job = self._worker.waiting, self._worker.job
        if job is None or not job.running:
            return f"{counted(waiting, 'change')} not yet on disk"
        verb = "waits" if waiting == 1 else "wait"
        return f"{counted(waiting, 'change')} {verb} for this to finish: {job.title}"


class JobLine(QWidget):
    """The work that is running, and the button that gives it up; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs: list[Job] = []
        self.said = ElidedLabel("Extracting with a model: 10 of 100, PMC99000001")
        self.cancel = QPushButton("Cancel")
        self.cancel.setAutoDefault(False)
        self.cancel.clicked.connect(self._cancel)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.said, 1)
        layout.addWidget(self.cancel)
        self.hide()

    def show_job(self, job: Job) -> None:
        """Follow a job until it ends; the one shown last is in front."""
        if not job.running or job in self._jobs:
            return
        self._jobs.append(job)
        job.progressed.connect(lambda progress: self._progress(job, progress))
        job.ended.connect(lambda: self._end(job))
        self._show_last()

    def _show_last(self) -> None:
        self.setVisible(bool(self._jobs))
        if self._jobs:
            job = self._jobs[-1]
            self.said.say(job.title)
            self.cancel.setEnabled(True)
            self.cancel.setAccessibleName(f"Cancel: {job.title}")

    def _progress(self, job: Job, progress: Progress) -> None:
        if job is self._jobs[-1] and self.cancel.isEnabled():
            self.said.say(_progress_words(job.title, progress))

    def _cancel(self) -> None:
        if not self._jobs:
            return
        job = self._jobs[-1]
        self.cancel.setEnabled(False)
        self.said.say(f"{job.title}: stops after this step")
        job.cancel()

    def _end(self, job: Job) -> None:
        self._jobs.remove(job)
        self._show_last()


class StatusLine(QWidget):
    """One line. The message takes the room that is left, so that nothing else moves with it."""

    def __init__(self, session: ProjectSession, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._waiting = 0
        self._session, self._actions = session, actions
        self.annotator = ElidedButton()
        follow_keys(self.annotator, actions, ["project.annotator"], self._explain_annotator)
        self.annotator.clicked.connect(actions["project.annotator"].trigger)
        self.progress = ElidedLabel()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(_BAR_WIDTH, _BAR_HEIGHT)
        self.bar.setAccessibleName("Reports done")
        self.bar.setStyleSheet("QProgressBar::chunk { background: palette(highlight); }")
        self.message = ElidedLabel()
        self.job = JobLine()
        self.saved = SavedLabel(session)
        self.saved.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.setSpacing(16)
        layout.addWidget(self.annotator)
        layout.addWidget(self.progress)
        layout.addWidget(self.bar)
        layout.addWidget(self.message, 1)
        layout.addWidget(self.job)
        layout.addWidget(self.saved)
        self._lost = False
        self._message_stays = QTimer(self, singleShot=True, interval=_MESSAGE_STAYS)
        self._message_stays.setObjectName("message")
        self._message_stays.timeout.connect(lambda: self.message.say(""))
        self._connect()
        self._name_annotator(session.annotator)
        self._count()
        self._follow_worker()

    def show_job(self, job: Job) -> None:
        """Follow long work: how far it is, and how it ends unless well."""
        if not job.running:
            return
        job.failed.connect(lambda sentence: self.tell(f"{job.title} failed: {sentence}"))
        job.stopped.connect(lambda: self.tell(f"{job.title} was cancelled."))
        self.job.show_job(job)

    def take_focus(self) -> None:
        """Put the focus on the first part."""
        self.annotator.setFocus(Qt.FocusReason.TabFocusReason)

    def tell(self, sentence: str) -> None:
        """Show a message for a while or until the next one, and read it out."""
        self._lost = False
        self.message.say(sentence)
        self._message_stays.start()
        QAccessible.updateAccessibility(QAccessibleEvent(self.message, QAccessible.Event.Alert))

    # Inside

    def _make_room(self, waiting: int) -> None:
        """What was said before a new deed is no longer so; a lost change is told of until one is saved."""
        begun, self._waiting = waiting > self._waiting, waiting
        if begun and not self._lost:
            self.message.say("")

    def _connect(self) -> None:
        session = self._session
        session.said.connect(self.tell)
        session.failed.connect(self.tell)
        session.annotator_changed.connect(self._name_annotator)
        session.rows_changed.connect(self._count)
        session.row_changed.connect(lambda _key: self._count())
        session.worker.job_changed.connect(self._follow_worker)
        session.worker.change_refused.connect(self._lose)
        session.worker.waiting_changed.connect(self._make_room)
        session.worker.saved.connect(self._note_saved)

    def _explain_annotator(self) -> None:
        explain(self.annotator, self._actions.hint("project.annotator"))

    def _name_annotator(self, name: str) -> None:
        self.annotator.setText(caption(one_line(name) or "Annotate as…"))
        self.annotator.setAccessibleName(f"Annotator: {name or 'nobody'}")

    def _count(self) -> None:
        states = Counter(row.state for row in self._session.rows.values())
        done, total = states["done"], len(self._session.rows)
        said = f"{done:,} of {counted(total, 'report')} done, {states['in progress']:,} in progress"
        self.progress.say(said if total else "No reports yet")
        self.progress.reserve(f"{total:,} of {total:,} reports done, {total:,} in progress")
        self.bar.setRange(0, max(total, 1))
        self.bar.setValue(done)
        explain(self.bar, said)

    def _follow_worker(self) -> None:
        job = self._session.worker.job
        if job is not None and job.running:
            self.show_job(job)

    def _lose(self, sentence: str) -> None:
        self.saved.note_lost(sentence)
        self.tell(f"Not saved: {sentence}")
        # This one must be seen: it stays until something is on disk again.
        self._message_stays.stop()
        self._lost = True

    def _note_saved(self) -> None:
        if self._lost:
            self._lost = False
            self.message.say("")


def _progress_words(title: str, progress: Progress) -> str:
    of = f" of {progress.total:,}" if progress.total else ""
    far = f": {progress.done:,}{of}" if progress.done or progress.total else ""
    note = f", {progress.note}" if progress.note else ""
    return f"{title}{far}{note}"
