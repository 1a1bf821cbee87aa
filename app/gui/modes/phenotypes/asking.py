"""Have a model of a server name the terms of reports, or play again what one said."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.gui.dialogs.fields import ASK, Ask, asked, choice, number, radio, tick
from app.gui.dialogs.forms import plain_label, sentence
from app.gui.dialogs.models.answering import AnsweringDialog, ask_meanwhile, reports_of
from app.gui.dialogs.models.server import Server
from app.gui.dialogs.project.summary import Part, SummaryDialog
from app.gui.widgets.boxes import stacked
from app.operations.profile.asked import TermOptions, ask_for_phenotypes, replay_terms
from app.operations.profile.profile import PhenotypeRun, describe_phenotype_run

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.store.project import Project
    from extractors.model.progress import Progress
    from extractors.tasks.prompting.variants import Level, TermPrompting

_TITLE = "Ask a model for phenotypes"
_SUGGESTED = "What it names are suggestions, each at its place in the text: they count once you accept them."
_LEVELS = {
    "pte": "Terms at once (PTE): The findings with their quotes and HPO names.",
    "gee": "Findings in the report's own words (GEE): No terms yet.",
    "ges": "Terms of findings that are there (GES): Those of level GEE, or of the rules.",
}
_PROMPTINGS = {
    "zero-shot": "Without examples",
    "few-shot": "With examples",
    "zero-shot-cot": "With reasoning before the answer; slower",
    "retrieval": "With the nearest terms of HPO to choose from; not for GEE",
}
_ENTITIES = (("What the same model found by GEE", ""), ("What the rules found", "phenotypes/rules"))


@dataclass(frozen=True, slots=True)
class TermSettings:
    """How a model is asked for terms, in which reports."""

    by: str = asked("model", Ask(radio, "Answered by", choices=(
        ("A &model of a server", "model"), ("Recor&ded replies", "replies"))))  # fmt: skip
    reports: str = asked("all", Ask(radio, "Reports"))
    level: Level = field(default="pte", metadata={ASK: Ask(
        choice, "What is asked:", choices=[(words.partition(":")[0], key) for key, words in _LEVELS.items()],
        below={key: words.partition(": ")[2] for key, words in _LEVELS.items()})})  # fmt: skip
    entities: str = asked("", Ask(choice, "Findin&gs of:", choices=_ENTITIES))
    prompting: TermPrompting = field(default="zero-shot", metadata={ASK: Ask(
        choice, "Prompt&ing:", choices=[(words, key) for key, words in _PROMPTINGS.items()])})  # fmt: skip
    seed: int = asked(1, Ask(number, "S&eed:", advanced=True))
    parallel: int = asked(1, Ask(number, "Calls at once:", least=1, most=64, advanced=True))
    think: bool = asked(False, Ask(tick, "Let a model that can think do so first", advanced=True))
    resume: bool = asked(False, Ask(tick, "Ask again &what failed", advanced=True))
    new_run: bool = asked(False, Ask(tick, "&Begin a new run even if there is one with the same settings",
                                     advanced=True))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """What is asked, of which server, or which file of replies."""

    options: TermOptions
    answers: Server | Path


class AskingDialog(AnsweringDialog[TermSettings]):
    """Which model, at which level, prompted how."""

    guide = "phenotypes"

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            _TITLE,
            TermSettings(reports="this" if session.report_model.key else "all"),
            "As&k",
            parent,
            {"reports": reports_of(session)},
        )
        pages = QWidget()
        stacked(pages, self.server, self.recording)
        self.form.insert(1, pages)
        self.body.addWidget(plain_label(_SUGGESTED))
        self.follow()

    def problem(self) -> str:
        wanted = self.form.value
        if sentence := self.unready():
            return sentence
        if wanted.level == "gee" and wanted.prompting == "retrieval":
            return (
                "Findings in the report's own words have no terms to choose from; choose another prompting."
            )
        return self.unanswered(by_model=wanted.by == "model", by_replies=wanted.by == "replies")

    def check(self) -> None:
        wanted = self.form.value
        pages = {self.server: wanted.by == "model", self.recording: wanted.by == "replies"}
        self.show_pages(pages, entities=wanted.level == "ges")

    def choice(self) -> Choice:
        wanted, chosen = self.form.value, self.server.chosen
        here = (self._session.report_model.key,) if wanted.reports == "this" else ()
        options = TermOptions(
            model=chosen.name if chosen and wanted.by == "model" else "",
            documents=here,
            level=wanted.level,
            prompting=wanted.prompting,
            entities=wanted.entities if wanted.level == "ges" else "",
            seed=wanted.seed,
            parallel=wanted.parallel,
            think=wanted.think,
            resume=wanted.resume,
            new_run=wanted.new_run,
        )
        return Choice(options, self.file if wanted.by == "replies" else self.server.server)

    def act(self) -> None:
        choice = self.choice()
        self.accept()
        begin_asking(self._session, choice, self.parentWidget())


def begin_asking(session: ProjectSession, choice: Choice, parent: QWidget | None) -> None:
    show = partial(_show_summary, parent)
    ask_meanwhile(session, _TITLE, lambda project: _steps(project, choice), _SUGGESTED, show, parent)


def _show_summary(parent: QWidget | None, run: PhenotypeRun) -> None:
    first, *more = describe_phenotype_run(run)
    troubles = [f"{one.report}: {one.sentence}" for one in run.model.troubles] if run.model else []
    unknown = [f"{report}: {name}" for report, name in run.unknown]
    parts = [Part("Troubles", troubles), Part("Names that no term has", unknown)]
    SummaryDialog(_TITLE, first, [*map(sentence, more)], parts, parent).open()


def _steps(project: Project, choice: Choice) -> Generator[Progress, None, PhenotypeRun]:
    """Everything that waits for a server or a file, away from the window's thread."""
    if isinstance(choice.answers, Server):
        return (yield from ask_for_phenotypes(project, choice.answers.connect(), choice.options))
    client, model = replay_terms(project, choice.answers, choice.options.level)
    return (yield from ask_for_phenotypes(project, client, replace(choice.options, model=model)))
