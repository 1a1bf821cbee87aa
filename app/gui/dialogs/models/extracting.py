"""What is extracted with what, how the work is begun, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtWidgets import QWidget

from app.gui.dialogs.forms import Role, sentence
from app.gui.dialogs.project.summary import Part, SummaryDialog, show_message
from app.gui.dialogs.watching import follow
from app.gui.widgets.tips import explain
from app.operations.extract.options import ModelOptions, ModelSummary

if TYPE_CHECKING:
    from app.gui.dialogs.models.server import Server
    from app.gui.session.jobs import Job, Steps
    from app.gui.session.project_session import ProjectSession
    from app.operations.extract.rules import ExtractionSummary
    from app.store.project import Project
    from extractors.model.progress import Progress

_QUOTE_WIDTH = 500
HIDDEN = (
    "What is found stays hidden until you choose to show it (Report > Show others' spans), so that your own "
    "reading comes first."
)
_TITLE = "Extract"


@dataclass(frozen=True, slots=True)
class ByRules:
    """The built-in rules; all reports (keys) and categories (ids) where none are named."""

    documents: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ByModel:
    """A model of a server."""

    options: ModelOptions
    server: Server


@dataclass(frozen=True, slots=True)
class ByReplies:
    """Replies recorded in a file; the file says of which model, strategy and prompting."""

    options: ModelOptions
    file: Path


def by_replies(file: Path, documents: tuple[str, ...] = (), categories: tuple[str, ...] = ()) -> ByReplies:
    """Replay a file; strategy and prompting stand in for those that it names."""
    return ByReplies(ModelOptions("", "ucp", "few-shot", documents=documents, categories=categories), file)


Choice: TypeAlias = ByRules | ByModel | ByReplies


def steps_of(choice: Choice) -> Callable[[Project], Steps]:
    """The work on a project, to be given to its worker."""
    if isinstance(choice, ByRules):
        return _rules(choice)
    return lambda project: _ask(project, choice)


def begin_extraction(session: ProjectSession, choice: Choice, parent: QWidget | None = None) -> Job:
    """Extract while one annotates, and show what came of it; raises RuntimeError while other work is running.

    Stopped, the rules leave everything as it was; a model run keeps every answer it has got.
    """
    by_rules = isinstance(choice, ByRules)
    title = "Extract with rules" if by_rules else "Extract with a model"
    job = session.worker.begin(title, steps_of(choice))
    if by_rules:
        about = "You can go on reading; what you change is saved when the rules have ended."
        stop = "If you stop the rules, nothing of what they found is kept."
    else:
        about = "You can go on annotating meanwhile."
        stop = "If you stop the run, every answer up to there is kept, and it can go on from there."

    def done(summary: ExtractionSummary | ModelSummary) -> None:
        if isinstance(summary, ModelSummary):
            ModelSummaryDialog(session, summary, choice, parent).open()
        else:
            _tell_rules(session, summary, parent)

    def stopped() -> None:
        if by_rules:
            session.message.emit("The rules were stopped; nothing of what they found was kept.")
        else:
            StoppedDialog(session, choice, parent).open()

    follow(job, parent, f"{about} {HIDDEN}", stop, done, stopped, reload=session.reload)
    return job


def going_on(choice: Choice) -> Choice:
    """The same work, taken up where it was left: calls that failed or were cut are made again."""
    if isinstance(choice, ByRules):
        return choice
    return replace(choice, options=replace(choice.options, resume=True, new_run=False))


class GoesOnDialog(SummaryDialog):
    """A summary from which the work can be taken up again."""

    guide = "extract"

    def offer(self, session: ProjectSession, choice: Choice) -> None:
        parent = self.parentWidget()

        def go_on() -> None:
            self.accept()
            if session.worker.job is not None and session.worker.job.running:
                show_message(
                    parent, _TITLE, f"“{session.worker.job.title}” is still at work; go on when it has ended."
                )
            else:
                begin_extraction(session, going_on(choice), parent)

        self.go_on_button = self.add_button("&Go on", Role.AcceptRole, go_on)
        explain(self.go_on_button, "Makes the calls again that failed or are missing.")


class ModelSummaryDialog(GoesOnDialog):
    """What a model run came to, in the words of the command line."""

    guide = "extract"

    def __init__(
        self, session: ProjectSession, summary: ModelSummary, choice: Choice, parent: QWidget | None = None
    ) -> None:
        from app.operations.extract.run_task import describe_model_run, list_troubles, list_unplaced_quotes

        if not summary.findings:
            super().__init__(_TITLE, _NO_REPORTS, parent=parent)
            return
        first, *more = describe_model_run(summary)
        more = [sentence(line) for line in more]
        if summary.stopped:
            more.insert(0, f"{summary.stopped} “Go on” takes it up from there.")
        parts = [
            Part("Quotes without a place", list_unplaced_quotes(summary, _QUOTE_WIDTH)),
            Part("Troubles", list_troubles(summary)),
            Part("Incomplete reports", summary.incomplete),
        ]
        super().__init__(_TITLE, first, [*more, HIDDEN], parts, parent)
        offer_review(self, session, summary)
        if not summary.whole and not summary.about:
            self.offer(session, choice)


class StoppedDialog(GoesOnDialog):
    """A model run that the user stopped."""

    guide = "extract"

    def __init__(self, session: ProjectSession, choice: Choice, parent: QWidget | None = None) -> None:
        stopped = "Stopped; every answer up to here is kept, and “Go on” goes on from there."
        there = "Once a question was asked, Project > Runs has the run."
        super().__init__(_TITLE, stopped, [there], parent=parent)
        self.offer(session, choice)


_NO_REPORTS = "There are no reports yet; import some first."


def offer_review(
    dialog: SummaryDialog, session: ProjectSession, summary: ExtractionSummary | ModelSummary
) -> None:
    """Put "Review now" beside "Close" where anything was found: in the open report, else in the first."""
    found = [key for key, number in summary.findings.items() if number]
    if not found:
        return
    button = dialog.add_button("&Review now", Role.AcceptRole)
    explain(
        button,
        f"Goes to Review with the spans of {summary.annotator} beside your own; Casespan records that you "
        "have seen them.",
    )

    def review() -> None:
        dialog.accept()
        key = session.report_model.key
        session.review_wanted.emit(summary.annotator, key if key in found else found[0])

    button.clicked.connect(review)


def _tell_rules(session: ProjectSession, summary: ExtractionSummary, parent: QWidget | None) -> None:
    from app.operations.extract.rules import describe_rules_run

    if not summary.findings:
        show_message(parent, _TITLE, _NO_REPORTS)
        return
    first, *more = describe_rules_run(summary)
    dialog = SummaryDialog(_TITLE, first, [*map(sentence, more), HIDDEN], parent=parent)
    offer_review(dialog, session, summary)
    dialog.open()


def _rules(choice: ByRules) -> Callable[[Project], Steps]:
    from app.operations.extract.rules import extract_with_rules

    return lambda project: extract_with_rules(project, choice.documents, choice.categories)


def _ask(project: Project, choice: ByModel | ByReplies) -> Generator[Progress, None, ModelSummary]:
    """Everything that waits for a server or a file is in here, away from the window's thread."""
    from app.operations.extract.models import replay
    from app.operations.extract.quotes import extract_with_model

    if isinstance(choice, ByReplies):
        client, recording = replay(choice.file)
        options = replace(
            choice.options,
            model=recording.model,
            strategy=recording.strategy,
            prompting=recording.prompting,
        )
        return (yield from extract_with_model(project, client, options))
    return (yield from extract_with_model(project, choice.server.connect(), choice.options))
