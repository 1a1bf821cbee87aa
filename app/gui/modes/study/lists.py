"""Left the studies and their runs with state and progress; right the score of the chosen run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, make_dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QPushButton, QVBoxLayout, QWidget

from app.gui.dialogs.fields import ASK, Ask, Form, choice
from app.gui.dialogs.forms import GRID, plain_label
from app.gui.widgets.boxes import FlexRow, empty, for_command, heading_label, scrolled, stacked
from app.gui.widgets.lists import ListTable
from app.gui.widgets.wording import in_window
from app.operations.study.answers import Answered, Overview, RunLine, in_words
from app.text import counted

if TYPE_CHECKING:
    from app.gui.shell.acts.actions import Actions
    from app.studies.results import Measure, Score, Scores
    from app.studies.study import Rubric, Study

NO_RUN = "(items alone)"
_MOST = 6
# Of so few letters, none would be left for the name of a run beside all that is said of it.
_NARROW, _ANSWERS = 34, 1


class StudyLists(QWidget):
    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setAccessibleName("Studies and runs")
        self._shown: tuple[str, ...] = ()
        self._wanted = ""
        self.studies = ListTable("Studies", ("Study",), 0, 1)
        self.studies.horizontalHeader().hide()
        self.about = plain_label(top=True)
        self.needs = scrolled(self.about, "What the study needs")
        self.needs.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.runs = ListTable("Runs", ("Run", "Answers", "State"), 0, 4)
        # Names of runs may differ anywhere.
        self.runs.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.runs.setWordWrap(True)
        self.runs.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.build = for_command(QPushButton(), "Build…", actions, "study.build")
        self.run = for_command(QPushButton(), "Run…", actions, "study.run")
        column = stacked(
            self,
            heading_label("Studies"),
            self.studies,
            self.needs,
            FlexRow((self.build, self.run)),
            heading_label("Runs"),
            self.runs,
            margins=(GRID,) * 4,
        )
        column.setStretchFactor(self.needs, 2)
        column.setStretchFactor(self.runs, 3)
        self.studies.verticalHeader().geometriesChanged.connect(self._fit)

    @property
    def chosen_run(self) -> str:
        """The run's name, "" for none."""
        row = self.runs.row
        return self._shown[row] if 0 <= row < len(self._shown) else ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, runs have a name and a state alone."""
        super().resizeEvent(event)
        narrow = self.width() < _NARROW * self.fontMetrics().averageCharWidth()
        self.runs.setColumnHidden(_ANSWERS, narrow)

    def take_focus(self) -> None:
        (self.runs if len(self._shown) > 1 else self.studies).setFocus()

    def show_studies(self, studies: Sequence[Study]) -> None:
        self.studies.put([(one.title,) for one in studies])
        self._fit()

    def _fit(self) -> None:
        """As high as the studies are in sight together, with the size of letters that there is now."""
        rows = self.studies.verticalHeader()
        most = _MOST * rows.defaultSectionSize()
        self.studies.setFixedHeight(min(rows.length(), most) + 2 * self.studies.frameWidth() + GRID)

    def show_overview(self, study: Study, there: Overview) -> None:
        """What the project has of the chosen study. The run that was chosen stays so; at first there is none:
        whoever is going to answer reads the items alone."""
        kept = self._wanted or self.chosen_run
        lacks = "\n\n".join(study.lacks())
        number = counted(len(there.items), "item") + " here." if there.items else "No items yet: build them."
        words = f"{study.about}\n\n{study.needed}"
        self.about.setText(in_window("\n\n".join(filter(None, (words, lacks, number)))))
        self._shown = ("", *(one.name for one in there.runs))
        row = self._shown.index(kept) if kept in self._shown else 0
        self._wanted = "" if row else self._wanted
        rows = [(NO_RUN, "", "")]
        rows += [(one.name, f"{one.answered:,} of {one.asked:,}", _state(one)) for one in there.runs]
        with QSignalBlocker(self.runs):
            self.runs.put(rows, row)
            self.runs.setSpan(0, 0, 1, 3)
        self.run.setEnabled(bool(there.items))

    def choose_run(self, name: str) -> None:
        """Choose a run as a click does, or once it is there."""
        if name in self._shown:
            self.runs.selectRow(self._shown.index(name))
        else:
            self._wanted = name


def _state(run: RunLine) -> str:
    return f"{run.failed:,} failed" if run.failed else run.state


_NOTHING = "Choose a run to see what it is worth."
_NO_RUNS = "Nothing was answered yet, so there is nothing to score."
_INTERVALS = "Intervals: the middle 95 % of 1,000 drawings of items; none where there are too few."


class ScorePanel(QWidget):
    """`rated` has the answer and what was said of it, by criterion."""

    rated = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Score and rating")
        self.score = plain_label(_NOTHING, "Score")
        self.rating_title = heading_label("Your rating")
        self.rating = QWidget()
        self._rating = QVBoxLayout(self.rating)
        self._rating.setContentsMargins(0, 0, 0, 0)
        self.form: Form[Any] | None = None
        self._of: tuple[str, ...] = ()
        self._names: dict[str, str] = {}
        inside = QWidget()
        column = stacked(
            inside, heading_label("Score"), self.score, self.rating_title, self.rating, margins=(GRID,) * 4
        )
        column.addStretch(1)
        stacked(self, scrolled(inside, "Score and rating"))
        self.show_rating(None, None, "", "")

    def show_score(self, run: str, there: Overview | None, scores: Scores | None, hidden: str = "") -> None:
        """What a run is worth, with the line that built-in methods reach; or why that is `hidden`."""
        if hidden or not run or there is None or scores is None or run not in scores.runs:
            self.score.setText(hidden or (_NOTHING if there is None or there.runs else _NO_RUNS))
            return
        own, lines = scores.runs[run], [run]
        lines.append(f"n {own.n:,}" + (f", {own.unscored:,} of them without a value" if own.unscored else ""))
        # Who answered nothing of the same is no line to reach, whatever the measures are called.
        beside = {
            name
            for pair in scores.pairs
            for name in (pair.left, pair.right)
            if not pair.label and run in (pair.left, pair.right)
        }
        others = [
            one.name for one in there.runs if one.kind == "method" and one.name in beside and one.name != run
        ]
        for measure in scores.measures:
            score = own.scores.get(measure.id)
            if score is None or not measure.listed:
                continue
            lines += ["", measure.label, _score_words(measure, score)]
            for name in others:
                other = scores.runs[name].scores.get(measure.id) if name in scores.runs else None
                if other is not None and other.value is not None:
                    lines.append(f"Built in, {name}: {other.value:z.{measure.decimals}f}")
        for rater, of in own.raters.items():
            words = "–" if of.score is None else f"{of.score:.3f}{_interval(of.interval)}"
            lines += ["", f"Rated by {rater}", f"{words}, n {of.n:,}"]
        self.score.setText("\n".join([*lines, "", _INTERVALS]))

    def show_rating(self, rubric: Rubric | None, answer: Answered | None, run: str, rater: str) -> None:
        """Ask for a rating of an answer, where the study has a rubric for it."""
        given = dict(answer.row.ratings.get(rater, {})) if answer is not None else {}
        of = (answer.subject, str(answer.row.again), run, rater) if answer is not None else ()
        if self.form is not None and of == self._of and given in ({}, self._ratings_of_form()):
            # What was just said comes back from the disk; the form stays under the hand.
            return
        self._of = of
        self.form = None
        empty(self._rating)
        there = rubric is not None and answer is not None and answer.row.value is not None
        self.rating_title.setVisible(there)
        self.rating.setVisible(there)
        if not there or rubric is None or answer is None:
            return
        self.rating_title.setText(f"Rating by {rater}")
        fields = []
        # Names of criteria are the study's own words, and need not be names of Python.
        self._names = {f"criterion_{place}": name for place, name in enumerate(rubric.criteria)}
        for key, name in self._names.items():
            values = [("not rated", None), *((in_words(one), one) for one in rubric.criteria[name])]
            ask = Ask(
                choice,
                f"{rubric.called(name)}:".replace("&", "&&"),
                below=rubric.about.get(name, ""),
                choices=values,
                letters=9,
            )
            fields.append((key, object, field(default=given.get(name), metadata={ASK: ask})))
        form = self.form = Form(make_dataclass("Rated", fields, frozen=True)())
        self._rating.addWidget(form)
        form.changed.connect(lambda: self.rated.emit(answer, self._ratings_of_form()))

    def _ratings_of_form(self) -> dict[str, Any]:
        form = self.form
        return {name: getattr(form.value, key) for key, name in self._names.items()} if form else {}


def _score_words(measure: Measure, score: Score) -> str:
    own = "" if score.n is None else f", n {score.n:,}"
    if score.value is None:
        return f"– {in_window(score.reason)}"
    return f"{score.value:z.{measure.decimals}f}{_interval(score.interval)}{own}"


def _interval(ends: tuple[float, float] | None) -> str:
    return f" (95 % interval {ends[0]:z.3f} to {ends[1]:z.3f})" if ends else ""
