"""What dialogs have in common in which a model of a server, or replies that were recorded, may answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QLineEdit, QWidget

from app.gui.dialogs.fields import Ask, Form, Settings, SettingsDialog, asked, line
from app.gui.dialogs.files import ask_open
from app.gui.dialogs.models.server import ModelServer
from app.gui.dialogs.project.summary import show_message
from app.gui.dialogs.watching import busy_sentence, follow
from app.gui.session.project_session import ProjectSession
from app.gui.widgets.plain import caption

if TYPE_CHECKING:
    from app.gui.session.jobs import Steps
    from app.store.project import Project

_REPLIES = "What a model said in an earlier run is played again from its file; no model is asked."


@dataclass(frozen=True, slots=True)
class Recording:
    """Replies that were recorded."""

    file: str = asked("", Ask(line, "File:", "File with recorded replies", button="C&hoose…", below=_REPLIES))


def reports_of(session: ProjectSession, *more: tuple[str, str]) -> dict[str, object]:
    """What reports can be chosen (for the `Form`): the open one ("this"), `more`, and all ("all")."""
    key = session.report_model.key
    here = [(f"&This report ({caption(key)})", "this")] if key else []
    return {"choices": [*here, *more, (f"&All reports ({len(session.rows):,})", "all")]}


def ask_meanwhile(
    session: ProjectSession,
    title: str,
    steps: Callable[[Project], Steps],
    suggested: str,
    done: Callable[[Any], object],
    parent: QWidget | None,
) -> None:
    """Ask while one goes on reading, and give what came of it; every answer is kept, stopped or not."""
    job = session.worker.begin(title, steps)
    stop = "If you stop it, every answer up to there is kept; asking the same again goes on from there."
    stopped = partial(show_message, parent, title, "Stopped; every answer up to here is kept.")
    follow(job, parent, f"You can go on reading meanwhile. {suggested}", stop, done, stopped)


class AnsweringDialog(SettingsDialog[Settings]):
    """Settings below which one page says more of who answers: a server's model, or a file of replies."""

    def __init__(
        self,
        session: ProjectSession,
        title: str,
        settings: Settings,
        act: str,
        parent: QWidget | None = None,
        now: Mapping[str, Mapping[str, object]] | None = None,
    ) -> None:
        """`now` is for the `Form`."""
        super().__init__(title, settings, act, parent, now)
        self._session = session
        self.server = ModelServer()
        self.recording = Form(Recording(), {"file": {"choose": self._choose_file}})

    def follow(self, *more: SignalInstance) -> None:
        """Look again at what is wrong whenever something changes, here or in the project's work."""
        self.body.addStretch(1)
        for signal in (self.server.changed, self.recording.changed, self._session.worker.job_changed, *more):
            signal.connect(self.check)
        self.finished.connect(lambda _: self.server.stop())
        self.check()

    def show_pages(self, shown: Mapping[QWidget, bool], **fields: bool) -> None:
        """Show and hide pages and fields, make room where there are more, and say what is wrong."""
        turned = any(page.isHidden() == wanted for page, wanted in shown.items())
        for page, wanted in shown.items():
            page.setVisible(wanted)
        for name, wanted in fields.items():
            turned = turned or self.form.is_shown(name) != wanted
            self.form.show_field(name, wanted)
        super().check()
        if turned and self.isVisible():
            self.grow()

    def unready(self) -> str:
        """Why nothing can be asked about reports now, "" where it can."""
        none = "" if self._session.rows else "There are no reports yet; import some first."
        return busy_sentence(self._session) or none

    def unanswered(self, *, by_model: bool, by_replies: bool) -> str:
        """What is missing of who answers, "" for nothing."""
        if by_model:
            return self.server.problem()
        chosen = self.recording.value.file or not by_replies
        return "" if chosen else "Choose the file with the recorded replies."

    @property
    def file(self) -> Path:
        return Path(self.recording.value.file).expanduser()

    def _choose_file(self, edit: QLineEdit) -> None:
        filters = ("Recorded replies (*.jsonl)", "All files (*)")
        ask_open(self, "Recorded replies", "replies", edit.setText, self._session.path, *filters)
