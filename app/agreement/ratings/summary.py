"""Rubrics and items as data, and ratings by run and item: means, spread, how far raters agree."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean, stdev
from typing import Any

from app.agreement.statistics.chance import krippendorff_alpha, ordinal
from app.messages import no_such
from extractors.assets import asset
from extractors.grouping import grouped
from extractors.model.errors import AssetError, ProjectError, UnknownNameError


@dataclass(frozen=True, slots=True)
class Criterion:
    """One question of a rubric. `means` says what values of the scale mean, where anything is said of them,
    `best` which end is the better one where the name does not. Where it is not fully met, `caps` is the most
    that the whole rubric may come to, None for no such limit."""

    id: str
    name: str
    question: str
    means: Mapping[Any, str]
    weight: float = 1
    best: str = ""
    caps: float | None = None

    @property
    def label(self) -> str:
        """The name, and which end is the better one where that is not plain."""
        return f"{self.name} ({self.best})" if self.best else self.name

    @property
    def scale(self) -> str:
        """What the values mean, on one line."""
        return "; ".join(f"{value} = {words}" for value, words in self.means.items())


@dataclass(frozen=True, slots=True)
class RubricFile:
    """A rubric: the values of its `scale` in order, the worst first, and its criteria, the same for all."""

    id: str
    title: str
    scale: tuple[Any, ...]
    criteria: tuple[Criterion, ...]

    def score(self, given: Mapping[str, Any]) -> float | None:
        """What values by criterion come to, from 0 to 1: their weighted share of the best; None where one is
        missing or null."""
        best = self.scale[-1]
        parts = [(one, value) for one in self.criteria if (value := given.get(one.id)) is not None]
        if len(parts) < len(self.criteria):
            return None
        whole = sum(one.weight for one in self.criteria) * float(best)
        share = sum(one.weight * float(value) for one, value in parts) / whole
        caps = [one.caps for one, value in parts if one.caps is not None and value != best]
        return min([share, *caps])


@lru_cache(maxsize=16)
def rubric_file(name: str) -> RubricFile:
    """The rubric of that name; raises AssetError where its file cannot be read."""
    path = asset("resources", "rubrics", f"{name}.toml")
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        scale = tuple(values["scale"])
        known = {str(value): value for value in scale}
        criteria = tuple(
            Criterion(**{**one, "means": {known[key]: words for key, words in one.get("means", {}).items()}})
            for one in values["criterion"]
        )
        found = RubricFile(values.get("id", name), values["title"], scale, criteria)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise AssetError(f"{path} cannot be read ({error}); please install Casespan again.") from None
    if len({one.id for one in criteria}) < len(criteria) or len(scale) < 2:
        raise AssetError(f"{path} has two criteria of the same id, or no scale; give each its own.")
    return found


LOWEST, HIGHEST = 1, 5
SCORES = range(LOWEST, HIGHEST + 1)


def rating_items() -> tuple[Criterion, ...]:
    """The items in the order in which they are asked; raises AssetError where the file cannot be read."""
    return rubric_file("extraction").criteria


def require_scores(scores: Mapping[str, int]) -> None:
    """Raise UnknownNameError for an item that there is not, ProjectError for a score outside 1 to 5."""
    known = {item.id: item for item in rating_items()}
    for name, score in scores.items():
        if name not in known:
            raise UnknownNameError(no_such("item", name, known))
        if score not in SCORES:
            raise ProjectError(
                f"{known[name].label} is rated from {LOWEST} to {HIGHEST}, not {score}; give a whole number."
            )


def is_whole(scores: Mapping[str, int]) -> bool:
    """Whether every item has a score."""
    return all(item.id in scores for item in rating_items())


ALL_ITEMS = "all"


@dataclass(frozen=True, slots=True)
class OutputRating:
    """What one rater said of what a run has in a report (key), all by name; items may be left out."""

    report: str
    run: str
    rater: str
    scores: Mapping[str, int]
    note: str
    blind: bool
    rated_at: str

    @property
    def whole(self) -> bool:
        """Whether every item has a score."""
        return is_whole(self.scores)


@dataclass(frozen=True, slots=True)
class ItemMean:
    """The `n` scores that a run was given in an item by `raters` people.

    `mean`, `low` and `high` are None without scores, `sd` (of a sample) is with fewer than two. `by_rater`
    has the mean of each rater (name) who gave a score.
    """

    item: str
    n: int
    raters: int
    mean: float | None
    sd: float | None
    low: int | None
    high: int | None
    by_rater: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RunRatings:
    """A run's ratings: `partial` of the `ratings` leave items out, `blind` were given without its name.

    `items` go by item id; `caveats` are sentences on the run.
    """

    run: str
    ratings: int
    partial: int
    blind: int
    items: Mapping[str, ItemMean]
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Krippendorff's alpha (ordinal) over the `outputs` that at least two of `raters` people rated.

    None where it is undefined, and `reason` says why in a sentence, "" otherwise.
    """

    item: str
    outputs: int
    raters: int
    alpha: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class RatingSummary:
    """Ratings of runs in the order given; `agreement` goes by item id, `ALL_ITEMS` for all at once."""

    raters: tuple[str, ...]
    runs: tuple[RunRatings, ...]
    agreement: Mapping[str, RaterAgreement]

    @property
    def ratings(self) -> int:
        """How many ratings there are."""
        return sum(run.ratings for run in self.runs)


def summarise(
    rated: Sequence[OutputRating], caveats: Mapping[str, tuple[str, ...]] | None = None
) -> RatingSummary:
    """The summary of ratings, runs in the order of their first rating; `caveats` go by run."""
    by_run = grouped((one.run, one) for one in rated)
    names = [item.id for item in rating_items()]
    return RatingSummary(
        raters=tuple(sorted({one.rater for one in rated})),
        runs=tuple(_run(run, found, (caveats or {}).get(run, ())) for run, found in by_run.items()),
        agreement={name: _agreement(rated, name, [name]) for name in names}
        | {ALL_ITEMS: _agreement(rated, ALL_ITEMS, names)},
    )


def _run(run: str, rated: Sequence[OutputRating], caveats: tuple[str, ...]) -> RunRatings:
    return RunRatings(
        run=run,
        ratings=len(rated),
        partial=sum(not one.whole for one in rated),
        blind=sum(one.blind for one in rated),
        items={item.id: _mean(item.id, rated) for item in rating_items()},
        caveats=caveats,
    )


def _mean(item: str, rated: Iterable[OutputRating]) -> ItemMean:
    by_rater = grouped((one.rater, one.scores[item]) for one in rated if item in one.scores)
    scores = [score for found in by_rater.values() for score in found]
    return ItemMean(
        item=item,
        n=len(scores),
        raters=len(by_rater),
        mean=fmean(scores) if scores else None,
        sd=stdev(scores) if len(scores) > 1 else None,
        low=min(scores, default=None),
        high=max(scores, default=None),
        by_rater={rater: fmean(found) for rater, found in sorted(by_rater.items())},
    )


def _agreement(rated: Iterable[OutputRating], name: str, items: Sequence[str]) -> RaterAgreement:
    """Agreement over these items; every item of an output is a unit of its own."""
    units: dict[tuple[str, str, str], dict[str, int]] = defaultdict(dict)
    for one in rated:
        for item in items:
            if item in one.scores:
                units[one.report, one.run, item][one.rater] = one.scores[item]
    shared = {unit: scores for unit, scores in units.items() if len(scores) > 1}
    raters = {rater for scores in shared.values() for rater in scores}
    everybody = {rater for scores in units.values() for rater in scores}
    alpha = krippendorff_alpha([tuple(scores.values()) for scores in shared.values()], ordinal)
    outputs = len({(report, run) for report, run, _ in shared})
    return RaterAgreement(
        name, outputs, len(raters), alpha, "" if alpha is not None else _why(len(everybody), outputs)
    )


def _why(raters: int, outputs: int) -> str:
    if raters < 2:
        return "Agreement is undefined where fewer than two people have given a score."
    if not outputs:
        return "Agreement is undefined where no output was rated by two people."
    return "Agreement is undefined where all scores are the same: chance would give that, too."
