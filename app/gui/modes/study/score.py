"""The right side: the score of the chosen run, and the rating of the answer in view."""

from __future__ import annotations

from dataclasses import field, make_dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.gui.dialogs.fields import ASK, Ask, Form, choice
from app.gui.dialogs.forms import GRID, plain_label
from app.gui.widgets.boxes import heading_label, scrolled, stacked
from app.operations.study.answers import Overview, in_words

if TYPE_CHECKING:
    from app.operations.study.answers import Answered
    from app.studies.results import Measure, Score, Scores
    from app.studies.study import Rubric

_NOTHING = "Choose a run to see what it is worth."
_INTERVALS = "Intervals: the middle 95 % of 1,000 drawings of items; none where there are too few."


class ScorePanel(QWidget):
    """`rated` has the answer and what was said of it, by criterion."""

    rated = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Score and rating")
        self.score = plain_label(_NOTHING)
        self.score.setAccessibleName("Score")
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
            self.score.setText(hidden or _NOTHING)
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
                    lines.append(f"Built in, {name}: {other.value:.{measure.decimals}f}")
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
        if self.form is not None:
            self.form.hide()
            self._rating.removeWidget(self.form)
            self.form.deleteLater()
            self.form = None
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
                f"{name}:".replace("&", "&&"),
                below=rubric.about.get(name, ""),
                choices=values,
                letters=9,
            )
            fields.append((key, object, field(default=given.get(name), metadata={ASK: ask})))
        form = self.form = Form(make_dataclass("Rated", fields, frozen=True)())
        self._rating.addWidget(form)

        form.changed.connect(lambda: self.rated.emit(answer, self._ratings_of_form()))

    def _ratings_of_form(self) -> dict[str, Any]:
        """What the form says, by criterion."""
        form = self.form
        return {name: getattr(form.value, key) for key, name in self._names.items()} if form else {}


def _score_words(measure: Measure, score: Score) -> str:
    if score.value is None:
        return f"– {score.reason}"
    return f"{score.value:.{measure.decimals}f}{_interval(score.interval)}"


def _interval(ends: tuple[float, float] | None) -> str:
    return f" (95 % interval {ends[0]:.3f} to {ends[1]:.3f})" if ends else ""
