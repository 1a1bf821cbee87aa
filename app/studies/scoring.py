"""What runs of a study are worth: its measures with intervals, by label, in pairs, and by rater."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from app.agreement.statistics.intervals import LEAST_REPORTS, Array, drawn_weights, percentile_intervals
from app.studies.results import (
    Interval,
    Item,
    Measure,
    Pair,
    Profile,
    RaterScore,
    Row,
    RunScores,
    Score,
    Scores,
)
from app.text import counted
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.studies.study import Study

RESAMPLES = 1000
SEED = 1


def scoring_runs(
    study: Study,
    rows: Mapping[str, Sequence[Row]],
    labels: Sequence[str],
    profile: Profile,
    settings: Mapping[str, Mapping[str, Any]],
    *,
    published: bool = False,
    items: Sequence[Item] = (),
) -> Generator[Progress, None, Scores]:
    """Score every run as a whole and by the values of `labels`, and every two of them against each other.

    `settings` are those of each run and of the scoring together. The same answers give the same numbers.
    """
    yield Progress(0, 0, "reading the answers")
    graded = {name: _graded(study, of_run, profile, settings[name]) for name, of_run in rows.items()}
    every = [row for of_run in graded.values() for row in of_run]
    answers = {name: _Answers(study, of_run) for name, of_run in graded.items()}
    groups = [("", ""), *((label, value) for label in labels for value in _values(every, label))]
    runs: dict[str, RunScores] = {}
    by: dict[str, dict[str, dict[str, RunScores]]] = {label: {} for label in labels}
    pairs: list[Pair] = []
    for done, (label, value) in enumerate(groups):
        yield Progress(done, len(groups), f"scoring {label} {value}".rstrip())
        part = {
            name: [at for at, row in enumerate(of_run) if not label or value in row.item.values(label)]
            for name, of_run in graded.items()
        }
        part = {name: own for name, own in part.items() if own or not label}
        scored = {}
        for name, own in part.items():
            yield Progress(done, len(groups), f"scoring {name} {value}".rstrip())
            scored[name] = _scored(study, answers[name], own)
        if label:
            by[label][value] = scored
        else:
            runs = scored
        for pair in _pairs(study, answers, part, label, value):
            pairs.append(pair)
            yield Progress(done, len(groups), f"comparing {pair.left} and {pair.right}")
    return Scores(study.measures, profile, graded, runs, by, pairs, settings, published, items)


def _values(rows: Sequence[Row], label: str) -> list[str]:
    return sorted({value for row in rows for value in row.item.values(label)})


def _graded(study: Study, rows: Sequence[Row], profile: Profile, settings: Mapping[str, Any]) -> list[Row]:
    named = [row if row.profile == profile else replace(row, profile=profile) for row in rows]
    grades = study.grade(named, settings)
    if not grades:
        return named
    return [replace(row, graded=one) for row, one in zip(named, grades, strict=True) if one is not None]


class _Answers:
    """The answers of a run, with what is asked of each of them for more than one number."""

    def __init__(self, study: Study, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.clusters = [study.cluster(row.item) for row in rows]
        self._numbers: dict[str, list[Sequence[float] | None]] = {}

    def numbers(self, measure: Measure) -> list[Sequence[float] | None]:
        """What a measure takes from each, None where one does not count."""
        if measure.id not in self._numbers:
            self._numbers[measure.id] = [
                _numbers(measure.each(row)) if measure.about(row) else None for row in self.rows
            ]
        return self._numbers[measure.id]

    @cached_property
    def places(self) -> dict[tuple[object, ...], int]:
        """Where the answer to each item and time stands."""
        return {row.key: at for at, row in enumerate(self.rows)}


def _scored(study: Study, answers: _Answers, places: Sequence[int]) -> RunScores:
    rows = [answers.rows[at] for at in places]
    scores = {
        measure.id: replace(_Numbers(measure, answers, places).score(), n=n if n < len(rows) else None)
        for measure in study.measures
        if (n := sum(map(measure.about, rows))) or not measure.tasks
    }
    unscored = sum(
        row.value is None
        if not study.ratings_are_scores
        else all(_given(study, row, rater) is None for rater in row.ratings)
        for row in rows
    )
    return RunScores(len(rows), unscored, scores, _raters(study, rows))


class _Numbers:
    """What a measure takes from each answer, for the table and for tables drawn from its clusters."""

    def __init__(self, measure: Measure, answers: _Answers, places: Sequence[int]) -> None:
        """Of the answers at these places."""
        import numpy as np

        self._measure = measure
        every, names = answers.numbers(measure), answers.clusters
        given = [at for at in places if every[at] is not None]
        self._counting = [answers.rows[at] for at in given]
        clusters: dict[str, int] = {}
        groups: dict[str, int] = {}
        self._of = np.array([clusters.setdefault(names[at], len(clusters)) for at in given], np.int64)
        self._rows = np.array([every[at] for at in given], np.float64)
        if (within := measure.within) is not None:
            named = [within(answers.rows[at]) for at in given]
            self._in = np.array([groups.setdefault(group, len(groups)) for group in named], np.int64)
        self.clusters, self._groups = len(clusters), len(groups)

    def value(self) -> float | None:
        """The measure over all; None where nothing counts."""
        import numpy as np

        if not len(self._rows):
            return None
        if self._measure.within is not None:
            return self._of_groups(np.ones((1, self.clusters)))[0]
        if self._measure.over is not None:
            return self._measure.over(self._rows)
        if self._measure.together is not None:
            return self._measure.together(self._counting, np.ones((1, len(self._counting))))[0]
        return self._of_sums(self._rows.sum(axis=0).tolist(), len(self._rows))

    def drawn(self, weights: Array) -> list[float | None]:
        """The measure of each table in which clusters stand as often as a row of `weights` says."""
        import numpy as np

        if self._measure.within is not None:
            return self._of_groups(weights)
        if self._measure.over is median:
            return self._medians(weights)
        if self._measure.over is not None:
            times = weights.astype(np.int64)
            return [self._measure.over(np.repeat(self._rows, one[self._of], axis=0)) for one in times]
        if self._measure.together is not None:
            alone = np.array_equal(self._of, np.arange(self.clusters))
            return self._measure.together(self._counting, weights if alone else weights[:, self._of])
        columns = (*self._rows.T, np.ones(len(self._rows)))
        sums = np.column_stack([np.bincount(self._of, one, self.clusters) for one in columns])
        return [self._of_sums(one[:-1], one[-1]) for one in (weights @ sums).tolist()]

    def _of_groups(self, weights: Array) -> list[float | None]:
        """The mean over the groups of the mean in each, for each table."""
        import numpy as np

        sums, counts = np.zeros((2, self.clusters, self._groups))
        np.add.at(sums, (self._of, self._in), self._rows[:, 0])
        np.add.at(counts, (self._of, self._in), 1)
        there = weights @ counts
        means = np.divide(weights @ sums, there, out=np.zeros_like(there), where=there > 0)
        found: list[float | None] = (means.sum(axis=1) / np.maximum((there > 0).sum(axis=1), 1)).tolist()
        return found

    def _medians(self, weights: Array) -> list[float | None]:
        """The median of each table: the mean of the two numbers in its middle."""
        import numpy as np

        order = np.argsort(self._rows[:, 0], kind="stable")
        values, upto = self._rows[order, 0], np.cumsum(weights[:, self._of[order]], axis=1)
        whole = upto[:, -1].astype(np.int64)
        low, high = (
            values[(upto > middle[:, None]).argmax(axis=1)] for middle in ((whole - 1) // 2, whole // 2)
        )
        return [one if math.isfinite(one) else None for one in ((low + high) / 2).tolist()]

    def score(self) -> Score:
        """The measure with its interval, or with why there is none."""
        value = self.value()
        if value is None:
            return Score(None, None, self._measure.reason)
        if self.clusters < LEAST_REPORTS:
            return Score(value)
        return Score(value, interval_of(self.drawn(_weights(self.clusters))))

    def _of_sums(self, sums: Sequence[float], number: float) -> float | None:
        if self._measure.total is not None:
            return self._measure.total(sums)
        return sums[0] / number if number else None


@lru_cache(maxsize=2)
def _weights(clusters: int) -> Array:
    """How often each cluster stands in each table drawn; the same for all measures and both of a pair."""
    return drawn_weights(clusters, RESAMPLES, SEED)


def drawn_places(number: int) -> list[list[int]]:
    """The places of each table of as many, drawn with replacement."""
    import numpy as np

    every = np.arange(number)
    return [np.repeat(every, one.astype(np.int64)).tolist() for one in _weights(number)]


def _numbers(each: float | Sequence[float] | None) -> Sequence[float] | None:
    if each is None:
        return None
    return (float(each),) if isinstance(each, (int, float)) else each


def interval_of(drawn: Sequence[float | None]) -> Interval:
    """The middle 95 % of the values drawn that are defined."""
    import numpy as np

    values = np.array([[np.nan if one is None else one] for one in drawn], np.float64)
    return percentile_intervals(values)[0]


def _pairs(
    study: Study, answers: Mapping[str, _Answers], part: Mapping[str, Sequence[int]], label: str, value: str
) -> Iterator[Pair]:
    for left, right in combinations(part, 2):
        one, other = answers[left], answers[right]
        own, there = set(part[left]), other.places
        both = [(at, there[key]) for key, at in one.places.items() if at in own and key in there]
        if both:
            rows = [(one.rows[at], other.rows[beside]) for at, beside in both]
            differences = {
                measure.id: replace(_difference(measure, one, other, both), n=n if n < len(rows) else None)
                for measure in study.measures
                if measure.listed and ((n := sum(measure.about(row) for row, _ in rows)) or not measure.tasks)
            }
            raters = _rater_differences(study, one, other, both)
            yield Pair(left, right, label, value, len(both), differences, study.pair(rows), raters)


def _difference(measure: Measure, one: _Answers, other: _Answers, both: Sequence[tuple[int, int]]) -> Score:
    """The left's score less the right's over the answers that count on both sides, drawn together."""
    here, there = one.numbers(measure), other.numbers(measure)
    counting = [pair for pair in both if here[pair[0]] is not None and there[pair[1]] is not None]
    left = _Numbers(measure, one, [at for at, _ in counting])
    right = _Numbers(measure, other, [at for _, at in counting])
    value = less(left.value(), right.value())
    if value is None:
        return Score(None, None, measure.reason)
    if left.clusters < LEAST_REPORTS:
        return Score(value)
    weights = _weights(left.clusters)
    both_drawn = zip(left.drawn(weights), right.drawn(weights), strict=True)
    return Score(value, interval_of([less(*one) for one in both_drawn]))


def _given(study: Study, row: Row, rater: str) -> float | None:
    """The score that a rater gave an answer, None where he did not in full."""
    rubric = study.rubric(row.item)
    return rubric.score(row.ratings[rater]) if rubric is not None and rater in row.ratings else None


def _rater_differences(
    study: Study, one: _Answers, other: _Answers, both: Sequence[tuple[int, int]]
) -> dict[str, Score]:
    """What each rater gave the left less what he gave the right, over answers that he rated on both sides."""
    found = {}
    rated = ({*one.rows[at].ratings} & {*other.rows[beside].ratings} for at, beside in both)
    for rater in sorted(set().union(*rated)):
        measure = Measure(f"rater {rater}", rater, partial(_given, study, rater=rater))
        found[rater] = _difference(measure, one, other, both)
    return found


def less(left: float | None, right: float | None) -> float | None:
    """The difference, None where one of the two is undefined."""
    return None if left is None or right is None else left - right


def _raters(study: Study, rows: Sequence[Row]) -> dict[str, RaterScore]:
    """The mean score that each rater gave, of those answers that he rated in full."""
    found: dict[str, list[float | None]] = {}
    for row in rows:
        rubric = study.rubric(row.item)
        for rater, given in row.ratings.items() if rubric else ():
            found.setdefault(rater, []).append(rubric.score(given) if rubric else None)
    return {rater: _rated(given) for rater, given in sorted(found.items())}


def _rated(given: Sequence[float | None]) -> RaterScore:
    import numpy as np

    values = np.array([one for one in given if one is not None], np.float64)
    if not len(values):
        return RaterScore(None, 0, len(given))
    interval = None
    if len(values) >= LEAST_REPORTS:
        drawn = _weights(len(values)) @ values / len(values)
        interval = interval_of(drawn.tolist())
    return RaterScore(float(values.mean()), len(values), len(given) - len(values), interval)


def median(rows: Any) -> float | None:  # noqa: ANN401 (an array of numbers)
    """For `Measure.over`: the median of the first number; None where that is beyond all numbers."""
    import numpy as np

    found = float(np.median(rows[:, 0]))
    return found if math.isfinite(found) else None


def ratio(part: int, whole: int) -> Callable[[Sequence[float]], float | None]:
    """For `Measure.total`: one sum over another."""
    return lambda sums: sums[part] / sums[whole] if sums[whole] else None


def f1(sums: Sequence[float]) -> float | None:
    """For `Measure.total`: F1 of right, wrong and missed."""
    right, wrong, missed = sums[:3]
    return 2 * right / (2 * right + wrong + missed) if right + wrong + missed else None


def about_unscored(study: Study, name: str, scores: RunScores) -> str:
    """How many answers of a run are unscored, in a sentence; "" for none."""
    if not scores.unscored:
        return ""
    if study.ratings_are_scores:
        number = counted(scores.n, "answer")
        return (
            f"{name}: {scores.unscored:,} of {number} unscored: nobody rated them in full; no mean has them."
        )
    return f"{name}: {scores.unscored:,} of {counted(scores.n, 'answer')} missing, failed or unreadable."
