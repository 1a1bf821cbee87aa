"""Have a model of a server order the terms that spans may stand for, while one goes on reading."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from app.gui.dialogs.fields import Ask, asked, choice, radio
from app.gui.dialogs.forms import plain_label
from app.gui.dialogs.models.answering import AnsweringDialog, ask_meanwhile, reports_of
from app.gui.dialogs.project.summary import show_message
from app.operations.extract.options import RunOptions
from app.operations.profile.concepts import ask_for_concepts
from app.text import counted
from extractors.terminology.library import installed_releases

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.gui.dialogs.models.server import Server
    from app.gui.session.project_session import ProjectSession
    from app.store.project import Project
    from extractors.model.progress import Progress

_TITLE = "Rank terms with a model"
_SUGGESTED = (
    "It is asked once about each of your spans without a term: which of the ten nearest fit, the best first. "
    "Where you ask what a span stands for, they come in that order; none counts until you give it."
)


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
        steps = partial(_steps, self.server.server, options, session.annotator, wanted.terminology)
        self.accept()
        ask_meanwhile(session, _TITLE, steps, _SUGGESTED, partial(show_message, parent, _TITLE), parent)


def _steps(
    server: Server, options: RunOptions, person: str, terminology: str, project: Project
) -> Generator[Progress, None, str]:
    """Everything that waits for a server, away from the window's thread; says what came of it."""
    found, summary = yield from ask_for_concepts(project, server.connect(), options, person, terminology)
    ordered = sum(bool(one.by) for one in found)
    words = f"{counted(len(found), 'span')} without a term; those of {ordered:,} are in order now."
    return f"{words} {summary.stopped}".strip()
