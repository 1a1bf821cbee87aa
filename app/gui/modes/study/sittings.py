"""A person's sitting: begun, answered question by question, taken up again, closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.gui.modes.study.options import settings_by_default
from app.operations.study.people import Given, Question, Sitting, next_question, record_answer, sitting_of
from app.operations.study.running import StudyOptions

if TYPE_CHECKING:
    from app.gui.modes.study.answering import AnswerPage
    from app.gui.modes.study.work import StudyWork
    from app.gui.session.project_session import ProjectSession
    from app.operations.study.answers import Overview
    from app.studies.study import Study

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
