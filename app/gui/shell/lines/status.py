"""The line at the bottom of the window: annotator, messages, jobs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, QTime, QTimer, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.gui.session.jobs import Job
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.shell.lines.job_line import JobLine, slim_bar
from app.gui.widgets.boxes import follow_keys, lined, print_key, stacked
from app.gui.widgets.plain import ElidedButton, ElidedLabel, caption, one_line
from app.gui.widgets.tips import announce, explain
from app.gui.widgets.wording import in_window
from app.text import counted

_WHO = "project.annotator"


class AnnotatorButton(ElidedButton):
    """Names the annotator of an open project."""

    def __init__(self, session: ProjectSession, actions: Actions) -> None:
        super().__init__()
        follow_keys(self, actions, [_WHO], lambda: explain(self, actions.hint(_WHO)))
        self.clicked.connect(actions[_WHO].trigger)
        session.annotator_changed.connect(self._name)
        self._name(session.annotator)

    def _name(self, name: str) -> None:
        self.setText(caption(one_line(name) or "Annotate as…"))
        self.setAccessibleName(f"Annotator: {name or 'nobody'}")


_COMMAND = "view.messages"


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence, and when it was said."""

    time: str
    sentence: str


class MessageLine(QWidget):
    """Shows a message until it is taken away; its tool tip has all of it, and so has the log."""

    text_wanted = Signal()

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.log: list[Message] = []
        self.message = ElidedLabel()
        self.open_log = QPushButton(flat=True)
        self.open_log.setStyleSheet("QPushButton { padding: 1px 6px; }")
        self.open_log.clicked.connect(actions[_COMMAND].trigger)
        print_key(self.open_log, "Messages", actions, _COMMAND)
        self.take_offer = QPushButton()
        self.take_offer.setVisible(False)
        self.take_offer.setStyleSheet("QPushButton { padding: 1px 6px; }")
        self.take_offer.clicked.connect(self._take)
        self._offer: Callable[[], object] | None = None
        lined(self, self.message, self.take_offer, self.open_log, wide=self.message, spacing=16)

    def offer(self, sentence: str, words: str, call: Callable[[], object], short: str = "") -> None:
        """Show a message with a button of these words, which calls; both are there until the next message.
        Where it has no room it is said in `short`."""
        self.show_message(sentence, short)
        self._offer = call
        self.take_offer.setText(words)
        self.take_offer.setVisible(True)

    def take_back(self, sentence: str) -> None:
        """Leave a message out of the log that was the last one, and is said in other words now."""
        if self.log and self.log[-1].sentence == one_line(in_window(sentence)):
            self.log.pop()

    def show_message(self, sentence: str, short: str = "") -> None:
        """Show a message until the next one, put it into the log, and read it out."""
        sentence = in_window(sentence)
        self.log.append(Message(QTime.currentTime().toString("HH:mm:ss"), one_line(sentence)))
        self.clear()
        self.message.say(sentence, short)
        announce(self.message, sentence)

    def clear(self) -> None:
        """Take the message away; it stays in the log."""
        self.message.say("")
        self._offer = None
        self.take_offer.setVisible(False)

    def _take(self) -> None:
        call, self._offer = self._offer, None
        if call is not None:
            # The button is about to go, and would hand the focus on to the next one.
            self.text_wanted.emit()
            call()

    def show_log(self) -> None:
        """List what was said since the project was opened, the last first."""
        from app.gui.dialogs.project.summary import Part, SummaryDialog
        from app.text import counted

        lines = [f"{one.time}  {one.sentence}" for one in reversed(self.log)]
        since = "since the project was opened, the last one first."
        headline = f"{counted(len(lines), 'message')} {since}" if lines else "There are no messages yet."
        SummaryDialog("Messages", headline, parts=[Part("Messages", lines)], parent=self.window()).open()


_PATIENCE = 300
_BAR_WIDTH = 64
_WELL = "Everything is on disk"
_LOST = "The last change was not saved"


class SavedLabel(ElidedLabel):
    """What is on disk, as a sentence. Changes on their way are told of only when they take long."""

    def __init__(self, session: ProjectSession) -> None:
        super().__init__(f"{_LOST}: …")
        self._worker = session.worker
        self._settled = _WELL
        self._late = False
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._patience.timeout.connect(self._grow_impatient)
        self._worker.waiting_changed.connect(self._follow)
        self._worker.job_changed.connect(self._show_words)
        self._worker.saved.connect(self._note_saved)
        self._show_words()

    def minimumSizeHint(self) -> QSize:
        """What it says when all is well is never cut."""
        return QSize(self.fontMetrics().horizontalAdvance(_WELL) + 2, self.fontMetrics().height())

    def note_lost(self, sentence: str) -> None:
        self._settled = f"{_LOST}: {sentence}"
        self._show_words()

    def _note_saved(self) -> None:
        self._settled = f"Saved on disk {QTime.currentTime().toString('HH:mm')}"
        self._show_words()

    def _follow(self, waiting: int) -> None:
        if not waiting:
            self._patience.stop()
            self._late = False
        elif not self._late and not self._patience.isActive():
            self._patience.start()
        self._show_words()

    def _grow_impatient(self) -> None:
        self._late = True
        self._show_words()

    def _show_words(self) -> None:
        self.say(self._waiting_sentence() if self._late else self._settled)

    def _waiting_sentence(self) -> str:
        waiting, job = self._worker.waiting, self._worker.job
        if job is None or not job.running:
            return f"{counted(waiting, 'change')} not yet on disk"
        verb = "waits" if waiting == 1 else "wait"
        return f"{counted(waiting, 'change')} {verb} for this to finish: {job.title}"


class StatusLine(QWidget):
    """The message has a line of its own; in the line below nothing moves with what is said there."""

    def __init__(self, session: ProjectSession, actions: Actions) -> None:
        super().__init__()
        self._waiting = 0
        self._session = session
        self.messages = MessageLine(actions)
        self.message = self.messages.message
        self.progress = ElidedLabel()
        self.bar = slim_bar(_BAR_WIDTH, "Reports done")
        self.job = JobLine()
        self.saved = SavedLabel(session)
        self.saved.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = lined(None, self.progress, self.bar, self.job, self.saved, wide=self.job, spacing=16)
        stacked(self, self.messages, row, margins=(8, 2, 8, 2), spacing=0)
        self._lost = False
        self._connect()
        self._count()
        self._follow_worker()

    def show_job(self, job: Job) -> None:
        """Follow long work: how far it is, and how it ends unless well."""
        if not job.running:
            return
        job.failed.connect(lambda sentence: self.show_message(f"{job.title} failed: {sentence}"))
        job.stopped.connect(lambda: self.show_message(f"{job.title} was stopped."))
        self.job.show_job(job)

    def take_focus(self) -> None:
        """Put the focus on what is offered, else on what opens the log."""
        messages = self.messages
        there = messages.open_log if messages.take_offer.isHidden() else messages.take_offer
        there.setFocus(Qt.FocusReason.TabFocusReason)

    def show_message(self, sentence: str) -> None:
        """Show a message until the next act or message, and read it out."""
        self._lost = False
        self.messages.show_message(sentence)

    # Inside

    def _make_room(self, waiting: int) -> None:
        """What was said before a new command is no longer so; a lost change is told of until one is saved."""
        begun, self._waiting = waiting > self._waiting, waiting
        if begun:
            self._clear()

    def _clear(self) -> None:
        if not self._lost:
            self.messages.clear()

    def _connect(self) -> None:
        session = self._session
        session.message.connect(self.show_message)
        session.failed.connect(self.show_message)
        session.offered.connect(self.messages.offer)
        session.rows_changed.connect(self._count)
        session.row_changed.connect(lambda _key: self._count())
        session.worker.job_changed.connect(self._follow_worker)
        session.worker.looking.connect(self._follow_question)
        session.worker.change_refused.connect(self._lose)
        session.worker.waiting_changed.connect(self._make_room)
        session.worker.saved.connect(self._note_saved)

    def _count(self) -> None:
        states = Counter(row.state for row in self._session.rows.values())
        done, total = states["done"], len(self._session.rows)
        words = f"{done:,} of {counted(total, 'report')} done, {states['in progress']:,} in progress"
        self.progress.say(words if total else "No reports yet")
        self.progress.reserve(f"{total:,} of {total:,} reports done, {total:,} in progress")
        self.bar.setRange(0, max(total, 1))
        self.bar.setValue(done)
        explain(self.bar, words)

    def _follow_worker(self) -> None:
        job = self._session.worker.job
        if job is not None and job.running:
            self._clear()
            self.show_job(job)

    def _follow_question(self, job: Job) -> None:
        """Who asked says what came of it, but for its having been stopped here."""
        job.stopped.connect(lambda: self.show_message(f"{job.title} was stopped."))
        self.job.show_job(job)

    def _lose(self, sentence: str) -> None:
        self.saved.note_lost(sentence)
        self.messages.take_back(sentence)
        self.show_message(f"Not saved: {sentence}")
        # This one must be seen: it stays until something is on disk again.
        self._lost = True

    def _note_saved(self) -> None:
        if self._lost:
            self._lost = False
            self.messages.clear()
