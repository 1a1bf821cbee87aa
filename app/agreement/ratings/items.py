"""The items on which clinicians rate an output, from 1 to 5; they are data, in a rubric as others."""

from __future__ import annotations

from collections.abc import Mapping

from app.agreement.ratings.rubrics import Criterion, rubric_file
from app.messages import no_such
from extractors.model.errors import ProjectError, UnknownNameError

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
