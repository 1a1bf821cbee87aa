"""Have a study's items answered: by a built-in method, a model of a server, or recorded replies."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.gui.dialogs.fields import Ask, Form, asked, choice, decimal, line, number, radio, tick, ticks
from app.gui.dialogs.models.answering import AnsweringDialog
from app.gui.dialogs.watching import busy_sentence
from app.gui.modes.study.options import OwnOptions
from app.gui.widgets.boxes import stacked
from app.gui.widgets.plain import caption
from app.operations.extract.options import RunOptions
from app.operations.study.running import RunSummary, StudyOptions
from app.text import counted

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.store.project import Project
    from app.studies.study import Study
    from extractors.model.progress import Progress

Steps = Callable[["Project"], Generator["Progress", None, RunSummary]]
_MODEL, _REPLIES = "/model", "/replies"


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked; what hardly anybody changes."""

    arm: str = asked("", Ask(choice, "Way of as&king:"))
    temperature: float = asked(0.0, Ask(decimal, "Temperat&ure:", most=2, step=0.1, advanced=True))
    reply_tokens: int | None = asked(
        None,
        Ask(
            number,
            "Longest repl&y, tokens:",
            "Longest reply in tokens",
            nothing="as the study says",
            least=16,
            most=1_000_000,
            step=256,
            advanced=True,
        ),
    )
    parallel: int = asked(1, Ask(number, "Calls at once:", least=1, most=64, advanced=True))
    think: bool = asked(False, Ask(tick, "Let a model that can think do so first", advanced=True))


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Who answers which items."""

    by: str = asked("", Ask(radio, "Who answers"))
    tasks: tuple[str, ...] = asked((), Ask(ticks, "Tasks (none: all):", "Tasks"))
    count: int | None = asked(
        None,
        Ask(
            number,
            "At most:",
            nothing="all items",
            suffix=" answers now",
            least=1,
            help="The rest can follow.",
        ),
    )
    minutes: int | None = asked(
        None,
        Ask(
            number,
            "For:",
            "Minutes at most",
            nothing="as long as it takes",
            suffix=" minutes",
            least=1,
            help="After a few calls it is said how many fit.",
            advanced=True,
        ),
    )
    seed: int = asked(1, Ask(number, "S&eed:", advanced=True))
    name: str = asked("", Ask(line, "N&ame of the run:", hint="by its settings", advanced=True))
    resume: bool = asked(False, Ask(tick, "Ask again &what failed", advanced=True))
    new_run: bool = asked(
        False, Ask(tick, "&Begin a new run even if there is one with the same settings", advanced=True)
    )


class RunDialog(AnsweringDialog[RunSettings]):
    """Who answers, with what; the page below says more of the one that is chosen."""

    guide = "study"

    def __init__(
        self,
        session: ProjectSession,
        study: Study,
        begin: Callable[[Steps], object],
        parent: QWidget | None = None,
    ) -> None:
        about = [(one.id, *one.about.partition("; ")[::2]) for one in study.methods]
        who = [(f"{caption(name)}: {caption(words)}", name, more) for name, words, more in about]
        if study.ask is not None:
            who += [("A &model of a server", _MODEL, ""), ("Recor&ded replies", _REPLIES, "")]
        tasks = [(caption(study.called("task", one)), one, "") for one in study.tasks]
        super().__init__(
            session,
            f"Run {study.title}",
            RunSettings(by=who[0][1]),
            "&Run",
            parent,
            {"by": {"choices": who}, "tasks": {"choices": tasks}},
        )
        self._study, self._begin = study, begin
        self.form.show_field("tasks", len(tasks) > 1)
        arms = [(caption(study.called("arm", one)), one) for one in study.arms]
        self.asking = Form(
            Asking(arm=study.arms[0] if arms else ""),
            {"arm": {"choices": arms or [("–", "")]}},
            folded="Model settin&gs",
        )
        self.asking.show_field("arm", bool(arms))
        self.model = QWidget()
        stacked(self.model, self.server, self.asking)
        self.own = OwnOptions(study.options_of("run"))
        pages: list[QWidget] = [self.model, self.recording, *([self.own.form] if self.own.form else [])]
        for place, page in enumerate(pages, start=1):
            self.form.insert(place, page)
        self.follow(self.asking.changed, *([self.own.form.changed] if self.own.form else []))

    def problem(self) -> str:
        by = self.form.value.by
        sentence = busy_sentence(self._session) or self.own.problem()
        return sentence or self.unanswered(by_model=by == _MODEL, by_replies=by == _REPLIES)

    def check(self) -> None:
        by = self.form.value.by
        self.show_pages({self.model: by == _MODEL, self.recording: by == _REPLIES})

    def options(self) -> StudyOptions:
        wanted, asking, by = self.form.value, self.asking.value, self.form.value.by
        chosen = self.server.chosen
        model = RunOptions(
            model=chosen.name if chosen and by == _MODEL else "",
            seed=wanted.seed,
            think=asking.think,
            resume=wanted.resume,
            new_run=wanted.new_run,
            reply_tokens=asking.reply_tokens,
            temperature=asking.temperature,
            parallel=asking.parallel,
        )
        arm = asking.arm if by in (_MODEL, _REPLIES) else ""
        return StudyOptions(
            self.own.settings(),
            arm,
            wanted.tasks,
            name=wanted.name,
            model=model,
            count=wanted.count,
            minutes=wanted.minutes,
        )

    def act(self) -> None:
        options, by = self.options(), self.form.value.by
        study, file, server = self._study, self.file, self.server.server

        def steps(project: Project) -> Generator[Progress, None, RunSummary]:
            if by == _REPLIES:
                from app.operations.study.running import run_with_replies

                return (yield from run_with_replies(project, study, file, options))
            if by != _MODEL:
                from app.operations.study.methods import run_with_method

                return (yield from run_with_method(project, study, by, options))
            from app.operations.study.running import run_with_model

            return (yield from run_with_model(project, study, server.connect(), options))

        self.accept()
        self._begin(steps)


def about_run(summary: RunSummary) -> str:
    """What a run came to, in a line."""
    words = f"{summary.run}: {counted(summary.answered, 'answer')} to {counted(summary.items, 'item')}"
    failed = sum(summary.failed.values())
    parts = [f"{failed:,} failed ({next(iter(summary.failed))})"] if failed else []
    parts += [f"{summary.unasked:,} not asked yet"] if summary.unasked > 0 else []
    whole = "; ".join([words, *parts])
    return " ".join(filter(None, [f"{whole.rstrip('.')}.", summary.stopped, *summary.notes]))
