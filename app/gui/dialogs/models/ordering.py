"""Have a model of a server order the terms that spans may stand for, while one goes on reading."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.gui.dialogs.fields import Ask, asked, choice, radio
from app.gui.dialogs.forms import plain_label
from app.gui.dialogs.models.answering import AnsweringDialog, reports_of
from app.gui.dialogs.project.summary import show_message
from app.gui.dialogs.watching import JobDialog
from app.gui.widgets.wording import in_window
from app.operations.extract.models import connect
from app.operations.extract.options import RunOptions
from app.operations.profile.concepts import ask_for_concepts
from app.text import counted
from extractors.terminology.library import installed_releases

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.gui.session.project_session import ProjectSession
    from app.store.project import Project
    from extractors.model.progress import Progress

_TITLE = "Rank terms with a model"
_SUGGESTED = (
    "It is asked once about each of your spans without a term: which of the ten nearest fit, the best first. "
    "Where you ask what a span stands for, they come in that order; none counts until you give it."
)
_STOP = "If you stop it, every answer up to there is kept; asking the same again goes on from there."


@dataclass(frozen=True, slots=True)
class OrderSettings:
    """In which terminology, for the spans of which reports."""

    terminology: str = asked("", Ask(choice, "Termi&nology:"))
    reports: str = asked("all", Ask(radio, "Reports"))


class OrderDialog(AnsweringDialog[OrderSettings]):
    """Which model, for which spans."""

    guide = "annotate"

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        names = list(dict.fromkeys(one.name for one in installed_releases()))
        super().__init__(
            session,
            _TITLE,
            OrderSettings(names[0], "this" if session.report_model.key else "all"),
            "As&k",
            parent,
            {"terminology": {"choices": [(name, name) for name in names]}, "reports": reports_of(session)},
        )
        self.form.insert(0, self.server)
        self.body.addWidget(plain_label(_SUGGESTED))
        self.follow()

    def problem(self) -> str:
        return self.unready() or self.server.problem()

    def act(self) -> None:
        """Ask, and say how many spans it came to."""
        session, parent = self._session, self.parentWidget()
        wanted, chosen = self.form.value, self.server.chosen
        here = (session.report_model.key,) if wanted.reports == "this" else ()
        options = RunOptions(model=chosen.name if chosen else "", documents=here, resume=True)
        asking = _Asked(options, self.server.address, self.server.allowed, self.server.key.path)
        person, name = session.annotator, wanted.terminology
        self.accept()
        job = session.worker.begin(_TITLE, lambda project: asking.steps(project, person, name))
        watch = JobDialog(job, f"You can go on reading meanwhile. {_SUGGESTED}", _STOP, parent)
        job.done.connect(lambda given: show_message(parent, _TITLE, given))
        job.stopped.connect(lambda: show_message(parent, _TITLE, "Stopped; every answer up to here is kept."))
        job.failed.connect(lambda problem: show_message(parent, _TITLE, in_window(problem)))
        watch.show_when_long()


@dataclass(frozen=True, slots=True)
class _Asked:
    options: RunOptions
    host: str
    allowed: bool
    key: Path | None

    def steps(self, project: Project, person: str, terminology: str) -> Generator[Progress, None, str]:
        """Everything that waits for a server, away from the window's thread; says what came of it."""
        server = connect(self.host, allow_remote=self.allowed, key_file=self.key)
        found, summary = yield from ask_for_concepts(project, server, self.options, person, terminology)
        ordered = sum(bool(one.by) for one in found)
        words = f"{counted(len(found), 'span')} without a term; those of {ordered:,} are in order now."
        return f"{words} {summary.stopped}".strip()
