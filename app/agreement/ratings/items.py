"""The items on which clinicians rate an output, from 1 to 5; they are data, in a rubric as others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from app.agreement.ratings.rubrics import rubric_file
from app.messages import no_such
from extractors.model.errors import ProjectError, UnknownNameError

LOWEST, HIGHEST = 1, 5
SCORES = range(LOWEST, HIGHEST + 1)


@dataclass(frozen=True, slots=True)
class RatingItem:
    """One item: `one`, `three` and `five` say what these scores mean, 5 being the better end.

    `best` says so where the name alone would let one think otherwise, "" elsewhere.
    """

    id: str
    name: str
    question: str
    one: str
    three: str
    five: str
    best: str = ""

    @property
    def label(self) -> str:
        """The name, and which end is the better one where that is not plain."""
        return f"{self.name} ({self.best})" if self.best else self.name

    @property
    def scores(self) -> Mapping[int, str]:
        """Every score and what it means, "" for those in between."""
        meanings = {LOWEST: self.one, 3: self.three, HIGHEST: self.five}
        return {score: meanings.get(score, "") for score in SCORES}

    @property
    def scale(self) -> str:
        """What the scores mean, on one line."""
        return "; ".join(f"{score} = {meaning}" for score, meaning in self.scores.items() if meaning)


@lru_cache(maxsize=1)
def rating_items() -> tuple[RatingItem, ...]:
    """The items in the order in which they are asked; raises AssetError where the file cannot be read."""
    return tuple(
        RatingItem(
            one.id, one.name, one.question, one.means[LOWEST], one.means[3], one.means[HIGHEST], one.best
        )
        for one in rubric_file("extraction").criteria
    )


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
