"""Study as a mode of the window: what there is, run, answered by hand, rated, and what it came to."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QElapsedTimer, Qt, QTimer

from app.gui.dialogs.watching import busy_sentence
from app.gui.figures.pictures import Pictures
from app.gui.modes.mode import Mode, ModeContext
from app.gui.modes.study.answering import AnswerPage
from app.gui.modes.study.items import HIDDEN, ItemsPage
from app.gui.modes.study.lists import ScorePanel, StudyLists
from app.gui.modes.study.options import settings_by_default
from app.gui.modes.study.rating import RatePage, Rating
from app.gui.modes.study.tables import DrillDown, TablesPage
from app.gui.modes.study.verifying import VerifyPage
from app.gui.modes.study.work import Sittings, StudyWork
from app.gui.widgets.boxes import Tabs, is_narrow
from app.operations.study.answers import (
    Answered,
    Entry,
    Overview,
    list_answers,
    list_counting,
    reading_overview,
    studies_with_items,
)
from app.operations.study.building import list_sample, verify_item
from app.operations.study.items import BuildSummary, built_details
from app.operations.study.judging import rate_answer
from app.operations.study.running import StudyOptions
from app.operations.study.scoring import scoring_study
from app.studies import studies
from app.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.store.project import Project
    from app.studies.results import Item, Profile, Scores
    from app.studies.study import Study

_NO_RUN = "No run has answered yet, so there is nothing to score: start one, or answer as a person."
_NO_ITEMS = "There are no items yet, so there is nothing to score: build them first."
_NO_SAMPLE = "{study} draws no sample of its items that people verify."
_ITEMS, _VERIFY, _ANSWER, _RATE, _TABLES = range(5)
# What changes is read again after ten times as long as reading took, at most this.
_AGAIN_MS = 1000


class StudyMode(Mode):
    """Everything is asked of the project's thread; what comes late for another study is dropped."""

    id = "study"
    hides_right = True

    def __init__(self, context: ModeContext) -> None:
        super().__init__()
        self._context, self._session = context, context.session
        self.studies: Sequence[Study] = studies()
        self._study: Study | None = None
        self._there: Overview | None = None
        self._scores: Scores | None = None
        self._drill_down: DrillDown | None = None
        self._shown = False
        self._later, self._since = QTimer(self, singleShot=True, interval=_AGAIN_MS), QElapsedTimer()
        self._later.timeout.connect(self._read)
        self.lists = StudyLists(context.actions)
        self.items, self.answering, self.tables = ItemsPage(), AnswerPage(), TablesPage()
        self.rating, self.verifying = RatePage(), VerifyPage()
        self.score = ScorePanel()
        self.tabs = Tabs("Items, answers and tables")
        self.work = StudyWork(self._session, self.tabs)
        self._pictures = Pictures(self._session.worker, self.tabs)
        self._rating = Rating(self._session, self.rating, lambda: self._study, self._options)
        self._sittings = Sittings(self._session, self.answering, self.work)
        self.tabs.setDocumentMode(True)
        pages = (self.items, self.verifying, self.answering, self.rating, self.tables)
        for page, title in zip(pages, ("Items", "Verify", "Answer", "Rate", "Tables"), strict=True):
            self.tabs.addTab(page, title)
        self._connect()
        self.verifying.ask(self._session.annotator)
        self.left, self.centre, self.right = self.lists, self.tabs, self.score
        self.lists.show_studies(self.studies)

    def enter(self) -> None:
        """Read what there is, which may have changed elsewhere; at first of a study that has items."""
        self._shown = True
        self._leave_room()
        if self._there is None and self._study is not None:
            self._session.worker.ask(studies_with_items, self._begin, latest="studies")
        else:
            self._read()

    def leave(self) -> None:
        """Read nothing while nobody sees it."""
        self._shown = False
        self._later.stop()
        for name in ("study", "study scores"):
            self._session.worker.drop(name)

    @property
    def unsaved(self) -> str:
        """An answer in words, or an edit of an item, that was begun."""
        begun = self.answering.unsaved or self.verifying.unsaved
        return "What you wrote in Study is not saved." if begun else ""

    def take_focus(self) -> None:
        """To the page in the middle, while there is nothing in it to the studies."""
        page = self.tabs.currentWidget()
        if self._there is None or not self._there.items:
            self.lists.build.setFocus()
        elif isinstance(page, (ItemsPage, VerifyPage, AnswerPage, RatePage, TablesPage)):
            page.take_focus()

    # Wires

    def _connect(self) -> None:
        on, worker = self._context.actions.on, self._session.worker
        self.lists.studies.chosen.connect(lambda: self._choose(self.lists.studies.row))
        self.lists.runs.chosen.connect(self._choose_run)
        self.items.chosen.connect(self._offer_rating)
        self.items.all_button.clicked.connect(self._show_all)
        self.verifying.answered.connect(self._verify)
        self.answering.closing.connect(self._sittings.close)
        self.answering.start.model.clicked.connect(self._run)
        self.tables.opened.connect(self._open)
        self.tables.changed.connect(self._score)
        self.tables.export_wanted.connect(self._export)
        self.score.rated.connect(self._rate)
        for page in (self.items, self.verifying, self.answering, self.rating):
            page.pictures.use(self._pictures)
        self.tabs.currentChanged.connect(lambda _: self._turn())
        # A click leads to where the page's keys act, as its letter does; arrows stay among the tabs.
        self.tabs.tabBarClicked.connect(self.take_focus, Qt.ConnectionType.QueuedConnection)
        # The dialog still has the focus when it says that it is closed.
        self.work.returned.connect(self.take_focus, Qt.ConnectionType.QueuedConnection)
        on("study.build", self._build)
        on("study.run", self._run)
        on("study.close", self._sittings.close)
        for place, name in enumerate(("items", "verify", "answer", "rate", "tables")):
            on(f"study.{name}", partial(self._go_to, place))
        worker.saved.connect(self._read_soon)
        worker.job_changed.connect(self._follow_job)
        self._session.annotator_changed.connect(lambda _: self._forget())

    def _go_to(self, place: int) -> None:
        if self.tabs.isTabVisible(place):
            self.tabs.setCurrentIndex(place)
            self.take_focus()
        elif self._study is not None:
            self._session.message.emit(_NO_SAMPLE.format(study=self._study.title))

    def _begin(self, begun: frozenset[str]) -> None:
        rows = [row for row, study in enumerate(self.studies) if study.id in begun]
        if rows and self._there is None and self._study is self.studies[0] is not self.studies[rows[0]]:
            self.lists.studies.selectRow(rows[0])
        else:
            self._read()

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self.studies) and self.studies[row] is not self._study:
            self._study, self._there, self._scores, self._drill_down = self.studies[row], None, None, None
            self._sittings.choose(self._study)
            reading = f"Reading {self._study.title}…"
            self.items.wait(reading)
            self._rating.ask(reading)
            sampled = any(one.key == "verified" for one in self._study.options_of("build"))
            self.tabs.setTabVisible(_VERIFY, sampled)
            self.verifying.put(self._study, (), reading)
            self._read()

    def _forget(self) -> None:
        """Somebody else answers and rates now."""
        self._sittings.choose(self._study)
        self.verifying.ask(self._session.annotator)
        self.rating.to_rate = None
        self._read_soon()
        self._offer_rating()

    # What there is

    def _read_soon(self) -> None:
        """Once nothing has been answered for a while: to read it takes longer than the next question."""
        if self._shown:
            self._later.start()

    def _follow_job(self) -> None:
        job = self._session.worker.job
        if job is not None and job.running:
            self._read_soon()
        else:
            # What has been built or answered is there: whoever waited for it waits no longer.
            self._read()

    def _read(self) -> None:
        self._later.stop()
        study = self._study
        if study is None or not self._shown:
            return
        self._since.start()
        self._session.worker.query(
            f"Reading {study.title}",
            lambda project: reading_overview(project, study),
            partial(self._take, study),
            latest="study",
        )

    def _take(self, study: Study, there: Overview) -> None:
        if study is not self._study:
            return
        first, had = self._there is None, self._there is not None and bool(self._there.items)
        self._there = there
        self._pace()
        self.lists.show_overview(study, there)
        self.tables.offer(tuple(there.by))
        self._list()
        if self._scores is None or not busy_sentence(self._session):
            # While a run goes on its scores would never come to an end.
            self._score()
        self._sittings.take(there)
        self._ask_to_rate()
        if first or bool(there.items) != had:
            self.take_focus()

    def _pace(self) -> None:
        self._later.setInterval(min(_AGAIN_MS, 10 * self._since.elapsed()))

    def _choose_run(self) -> None:
        self._drill_down = None
        self._list()
        self._show_score()

    def _show_all(self) -> None:
        self._drill_down = None
        self._list()
        self.items.take_focus()

    def _list(self) -> None:
        """The items with the answers of the chosen run, or of the number that was opened."""
        study, drill_down, scores = self._study, self._drill_down, self._scores
        if study is None:
            return
        name, sits = self._run_shown(), self._sits
        if sits and self.tabs.currentIndex() == _ANSWER and not self.items.reference.isEnabled():
            return  # Nobody sees it, after every answer: it is read when the page is turned.
        if sits:
            # Nobody else's answers, and no number's, before the own ones are closed.
            name, drill_down = name if name == self._session.annotator else "", None

        def read(project: Project) -> tuple[list[Entry], Mapping[str, Any]]:
            entries, built = list_answers(project, study, name), built_details(project, study)
            if drill_down is None or scores is None:
                return entries, built
            rows = scores.rows.get(name, ())
            return list_counting(entries, drill_down.measure, rows, drill_down.label, drill_down.value), built

        def show(found: tuple[list[Entry], Mapping[str, Any]]) -> None:
            entries, built = found
            if study is self._study:
                group = (
                    f" in {drill_down.label} {drill_down.value}" if drill_down and drill_down.label else ""
                )
                words = f"{drill_down.measure.label} of {name}{group}: " if drill_down else ""
                words = words and f"{words}{counted(len(entries), 'answer counts', 'answers count')}."
                self.items.put(study, name, entries, words, built, sits=sits)
                sample = list_sample(self._there.items if self._there else (), built)
                self.verifying.put(study, () if sits else sample, HIDDEN if sits else "")

        self._session.worker.ask(read, show, latest="study items")

    @property
    def _sits(self) -> bool:
        runs = self._there.runs if self._there is not None else ()
        return any(one.sits and one.name == self._session.annotator for one in runs)

    def _run_shown(self) -> str:
        return self._drill_down.run if self._drill_down else self.lists.chosen_run

    def _verify(self, item: Item, answers: Mapping[str, str]) -> None:
        study, by = self._study, self._session.annotator
        if study is None:
            return

        def taken(_: BuildSummary) -> None:
            self.verifying.taken(item, answers["verdict"])
            self._read()

        self._session.worker.act(
            lambda p: verify_item(p, study, item, answers, by), taken, self.verifying.refuse, says=True
        )

    # Scores

    def _score(self) -> None:
        study, there = self._study, self._there
        if study is None or there is None:
            return
        if not there.runs or self._sits:
            # A score tells, after one answer, whether that was right.
            self._scores = None
            self._show_score()
            self.tables.say(HIDDEN if there.runs else _NO_RUN if there.items else _NO_ITEMS)
            return
        label = self.tables.by.currentData()
        profile = cast("Profile", self.tables.profile.currentData())
        published = bool(self.tables.published.currentData())
        settings = settings_by_default(study, "score")

        def show(scores: Scores) -> None:
            if study is self._study:
                self._scores = scores
                self._pace()
                self.tables.show_scores(study, scores)
                self._show_score()

        self._session.worker.query(
            f"Scoring {study.title}",
            lambda p: scoring_study(
                p, study, (), (label,) if label else (), profile, settings, published=published
            ),
            show,
            self.tables.say,
            latest="study scores",
        )

    def _show_score(self) -> None:
        self.score.show_score(self.lists.chosen_run, self._there, self._scores, HIDDEN if self._sits else "")
        self._leave_room()

    def _leave_room(self) -> None:
        """Where letters are large for the window, a score of nothing leaves its place to the items."""
        place = self.score.parentWidget()
        if self._shown and place is not None:
            place.setHidden(is_narrow(self.tabs) and not self.lists.chosen_run)

    def _open(self, drill_down: DrillDown) -> None:
        self.lists.choose_run(drill_down.run)
        self._drill_down = drill_down
        self._list()
        self._go_to(_ITEMS)

    def _export(self) -> None:
        if self._study is not None and self._scores is not None:
            self.work.export(self._study, self._scores)

    def _build(self) -> None:
        if self._study is not None:
            self.work.build(self._study)

    def _run(self) -> None:
        if self._study is not None and self._there is not None:
            self.work.run(self._study, bool(self._there.items), self._read_soon, self._ran)

    def _ran(self, name: str) -> None:
        # Nothing moves under somebody who answers meanwhile.
        if self.tabs.currentIndex() != _ANSWER:
            self.lists.choose_run(name)

    # Answering

    def _turn(self) -> None:
        # What is rated is what one sees.
        self._offer_rating()
        if self.tabs.currentIndex() == _ANSWER:
            self._sittings.ask()
        elif self._sits:
            self._list()
        self._ask_to_rate()

    def _options(self, study: Study) -> StudyOptions:
        return StudyOptions(settings_by_default(study, "answer"))

    # Rating

    def _ask_to_rate(self) -> None:
        # Beside what is rated stands what is right.
        if self.tabs.currentIndex() == _RATE and self._there is not None:
            self._rating.ask(HIDDEN if self._sits else "")

    def _offer_rating(self) -> None:
        entry, study = self.items.entry, self._study
        answer = entry.answer if entry and self.tabs.currentIndex() == _ITEMS else None
        rubric = study.rubric(answer.row.item) if study is not None and answer is not None else None
        self.score.show_rating(rubric, answer, self._run_shown(), self._session.annotator)

    def _rate(self, answer: Answered, given: Mapping[str, Any]) -> None:
        study, rater = self._study, self._session.annotator
        run = self._run_shown()
        if study is not None:
            self._session.worker.act(
                lambda p: rate_answer(p, study, rater, run, answer, given), lambda _: None
            )
