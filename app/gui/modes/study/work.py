"""What is begun from the mode Study: building, running, a person's sitting, exporting; what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.gui.dialogs.files import ask_save
from app.gui.dialogs.forms import question_box
from app.gui.dialogs.project.summary import show_message
from app.gui.dialogs.watching import busy_sentence
from app.gui.modes.study.options import BuildDialog, settings_by_default
from app.gui.modes.study.running import RunDialog, Steps, about_run
from app.gui.widgets.wording import in_window
from app.operations.study.building import build_items
from app.operations.study.people import (
    Given,
    Question,
    Sitting,
    close_answers,
    next_question,
    record_answer,
    sitting_of,
)
from app.operations.study.running import StudyOptions
from app.operations.study.scoring import page_labels, scoring_study, write_scores
from app.text import counted

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QDialog, QWidget

    from app.gui.modes.study.answering import AnswerPage
    from app.gui.session.jobs import Job
    from app.gui.session.jobs import Steps as JobSteps
    from app.gui.session.project_session import ProjectSession
    from app.operations.study.answers import Overview
    from app.operations.study.items import BuildSummary
    from app.operations.study.running import RunSummary
    from app.store.project import Project
    from app.studies.results import Scores
    from app.studies.study import Study
    from extractors.model.progress import Progress


class StudyWork(QObject):
    """Dialogs stand over `parent`; `returned` comes when one of them has been closed."""

    returned = Signal()

    def __init__(self, session: ProjectSession, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._parent = session, parent

    def build(self, study: Study) -> None:
        def begin(
            paths: Sequence[Path], settings: Mapping[str, object], seed: int, tasks: tuple[str, ...]
        ) -> None:
            job = self._begin(
                f"Build {study.title}", lambda p: build_items(p, study, paths, settings, seed, tasks)
            )
            if job is not None:
                job.done.connect(self._built)
                job.stopped.connect(lambda: self._session.message.emit("Stopped; nothing was built."))

        self._open(BuildDialog(self._session, study, begin, self._parent))

    def run(
        self,
        study: Study,
        has_items: bool,
        progressed: Callable[[], object],
        ended: Callable[[str], object],
    ) -> None:
        """Ask who is to answer, and have it answered; `progressed` is called as it goes on, `ended` with the
        run's name."""
        if not has_items or not (study.methods or study.ask):
            reason = "only people answer this study" if has_items else "build items first"
            self._session.message.emit(f"Nothing can be run: {reason}.")
            return

        def ran(summary: RunSummary) -> None:
            ended(summary.run)
            self._session.message.emit(in_window(about_run(summary)))

        def begin(steps: Steps) -> None:
            job = self._begin(f"Run {study.title}", steps)
            if job is not None:
                stopped = "Stopped; every answer up to here is kept. The same run goes on from there."
                job.progressed.connect(lambda _: progressed())
                job.done.connect(ran)
                job.stopped.connect(lambda: self._session.message.emit(stopped))

        self._open(RunDialog(self._session, study, begin, self._parent))

    def close_answers(
        self, study: Study, closed: Callable[[], object], refuse: Callable[[str], None]
    ) -> None:
        """Ask, then end the person's answers for good."""
        person, act = self._session.annotator, self._session.worker.act

        def done(number: int) -> None:
            self._session.message.emit(f"Closed with {counted(number, 'answer')}.")
            closed()

        box = question_box(
            self._parent,
            "Close answers",
            f"Close what {person} has answered of {study.title}? Closed is final: nothing can be answered or "
            "changed after it.",
            "Close my answers",
            lambda: act(lambda p: close_answers(p, study, person), done, refuse, says=True),
        )
        box.finished.connect(box.deleteLater)
        self._open(box)

    def export(self, study: Study, scores: Scores) -> None:
        """Ask for a file, and write the scores as a page, by all labels that it has pictures of."""
        settings = settings_by_default(study, "score")

        def steps(project: Project, out: Path) -> Generator[Progress, None, list[Path]]:
            labels = list(dict.fromkeys([*scores.by, *page_labels(project, study)]))
            more = yield from scoring_study(
                project, study, (), labels, scores.profile, settings, published=scores.published
            )
            return write_scores(study, more, None, out, None)

        def write(out: Path) -> None:
            self._session.worker.query(
                f"Writing {out.name}",
                lambda project: steps(project, out),
                lambda files: self._session.message.emit(f"Written: {', '.join(map(str, files))}."),
                self._session.message.emit,
                latest="study page",
            )

        name = f"{self._session.path.stem}-{study.id}.html"
        ask_save(
            self._parent, "Export the scores", "exports", write, self._session.path, name, "Page (*.html)"
        )

    def _open(self, dialog: QDialog) -> None:
        dialog.finished.connect(lambda _: self.returned.emit())
        dialog.open()

    def _begin(self, title: str, steps: Callable[[Project], JobSteps]) -> Job | None:
        if sentence := busy_sentence(self._session):
            show_message(self._parent, title, sentence)
            return None
        job = self._session.worker.begin(title, steps)
        job.failed.connect(lambda problem: show_message(self._parent, title, in_window(problem)))
        return job

    def _built(self, summary: BuildSummary) -> None:
        left = sum(summary.left_out.values())
        words = f"{counted(summary.items, 'item')}, {summary.added:,} of them new"
        words += f"; {left:,} left out ({', '.join(summary.left_out)})" if left else ""
        self._session.message.emit(" ".join([f"{words}.", *summary.notes]))
        self._session.undoing.ask_for_names()


_RESULTS = "closed is final. What came out stands under Tables, and the right answers under Items."
_NO_WAY_BACK = "Nothing was answered here since you came. Undo takes back what you answered last."


class Sittings(QObject):
    """What the page asks for goes to the project's thread; what comes late for another study is dropped."""

    def __init__(self, session: ProjectSession, page: AnswerPage, work: StudyWork) -> None:
        super().__init__(page)
        self._session, self._page, self._work = session, page, work
        self._study: Study | None = None
        self._there: Overview | None = None
        self._options: StudyOptions | None = None
        self._trail: list[Question] = []
        self._parked: list[str] = []
        page.answered.connect(self._answer)
        page.back.connect(self._go_back)
        page.parked.connect(self._park)
        page.start.begun.connect(self._begin)

    def choose(self, study: Study | None) -> None:
        """Somebody else, or of something else, is asked from now on."""
        self._study, self._there, self._options = study, None, None
        self._trail, self._parked = [], []
        self._page.leave()

    def take(self, there: Overview) -> None:
        """What there is of the study; ask, where nothing is asked yet."""
        first, self._there = self._there is None, there
        if first or self._page.question is None:
            self.ask()

    def ask(self) -> None:
        """What the person is to answer next; before the first question, how long and of what."""
        study, person = self._study, self._session.annotator
        if study is None or self._there is None:
            return
        if not self._there.items:
            self._page.show_nothing("There are no items to be answered yet; build them first.")
            return
        if study.groups and self._options is None:
            self._offer(study, person)
            return
        options = self._options or StudyOptions(settings_by_default(study, "answer"))
        parked = tuple(self._parked)

        def show(question: Question | None) -> None:
            if study is self._study and person == self._session.annotator:
                self._page.show_question(study, person, question)

        self._session.worker.ask(
            lambda p: next_question(p, study, person, options, parked),
            show,
            self._page.show_nothing,
            latest="question",
        )

    def close(self) -> None:
        """Ask, then end the person's answers for good."""
        if self._study is not None:
            self._work.close_answers(self._study, self._closed, self._page.refuse)

    def _closed(self) -> None:
        there = self._there
        self.choose(self._study)
        if there is not None:
            self.take(there)

    def _offer(self, study: Study, person: str) -> None:
        groups = self._there.by.get(study.groups, {}) if self._there is not None else {}

        def show(sitting: Sitting) -> None:
            if study is not self._study or self._options is not None:
                return
            if sitting.closed:
                self._page.show_nothing(f"{person} has closed these answers; {_RESULTS}")
            elif self._page.start.put(study, person, sitting, groups) or self._page.start.isHidden():
                self._page.show_start()

        self._session.worker.ask(
            lambda p: sitting_of(p, study, person), show, self._page.show_nothing, latest="question"
        )

    def _begin(self, count: int | None, groups: Sequence[str]) -> None:
        study = self._study
        if study is not None:
            labels = {study.groups: tuple(groups)} if groups else {}
            self._options = StudyOptions(settings_by_default(study, "answer"), labels=labels, count=count)
            self.ask()

    def _go_back(self) -> None:
        if not self._trail:
            self._page.refuse(_NO_WAY_BACK)
        elif self._study is not None:
            self._page.show_question(self._study, self._session.annotator, self._trail.pop())

    def _park(self) -> None:
        question = self._page.question
        if question is not None:
            # Parked again it waits until the others that wait have had their turn.
            others = [one for one in self._parked if one != question.kept.uuid]
            self._parked = [*others, question.kept.uuid]
            self.ask()

    def _answer(self, value: Any, seconds: float) -> None:  # noqa: ANN401 (any JSON value)
        study, question, person = self._study, self._page.question, self._session.annotator
        if study is None or question is None:
            return
        item = question.kept.item
        options = self._options or StudyOptions(settings_by_default(study, "answer"))
        given = Given(item.id, item.task, value, question.round, seconds)

        def went_on(_: int) -> None:
            self._trail.append(replace(question, given=value))
            self._page.keep_nothing_of(question, person)
            self.ask()

        self._session.worker.act(
            lambda p: record_answer(p, study, person, [given], options),
            went_on,
            self._page.refuse,
            says=True,
        )
