"""Why a disease stands where it does, and what one would look for next, in plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from extractors.differential.ranking import Contribution, Ranking

if TYPE_CHECKING:
    from extractors.differential.features import Features
    from extractors.differential.index import Diseases

# A finding is explained by a term that says at least half as much (in information content) as it does, or
# that few diseases have.
EXPLAINED = 0.5
FEW = 0.05
# A profile fits a disease that explains at least half of its findings.
FITS = 0.5
_NEXT = 5


@dataclass(frozen=True, slots=True)
class Parting:
    """A finding that parts two diseases: how many of each have it, as shares."""

    code: str
    label: str
    here: float
    there: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """What speaks for a disease, what against it (findings denied that it has as a rule), and what it leaves
    unexplained; `next` are findings to look for that part it from the first disease, or the first from the
    second."""

    support: tuple[Contribution, ...]
    against: tuple[Contribution, ...]
    unexplained: tuple[Contribution, ...]
    next: tuple[Parting, ...]


def explain(diseases: Diseases, ranking: Ranking) -> list[Explanation]:
    """One explanation for each disease of the list, in its order."""
    features = [ranking.left.get(one.number) or _features(diseases, one.number) for one in ranking.diseases]
    near = _near(diseases, ranking)
    found = []
    for place, disease in enumerate(ranking.diseases):
        other = 0 if place else 1
        parting = _parting(diseases, near, features[place], features[other]) if other < len(features) else ()
        present = [one for one in disease.contributions if one.polarity == "present"]
        support = [one for one in present if _explained(diseases, one)]
        told = {one.code for one in support}
        found.append(
            Explanation(
                tuple(sorted(support, key=lambda one: -one.value)),
                tuple(one for one in disease.contributions if one.polarity == "negated" and one.value < 0),
                tuple(one for one in present if one.code not in told),
                parting,
            )
        )
    return found


def fits(reasons: Sequence[Explanation]) -> bool:
    """Whether any disease of a list explains at least half of the findings present."""
    return any(len(one.support) >= FITS * (len(one.support) + len(one.unexplained)) for one in reasons)


@lru_cache(maxsize=64)
def _features(diseases: Diseases, number: int) -> Features:
    """Most of a list stays from one change of a profile to the next."""
    return diseases.features(number)


def _explained(diseases: Diseases, one: Contribution) -> bool:
    finding, matched = diseases.terminology.row(one.code), diseases.terminology.row(one.matched)
    if finding is None or matched is None or one.value <= 0:
        return False
    information = diseases.information
    few = diseases.counts[matched] <= FEW * len(diseases)
    return bool(few or information[matched] >= EXPLAINED * information[finding])


def _near(diseases: Diseases, ranking: Ranking) -> set[int]:
    """What is known of the patient, with all above and below it."""
    near = set[int]()
    for one in ranking.diseases[0].contributions if ranking.diseases else ():
        if (row := diseases.terminology.row(one.code)) is not None:
            near.update(diseases.ancestors(row).tolist(), diseases.descendants(row).tolist())
    return near


def _parting(diseases: Diseases, near: set[int], here: Features, there: Features) -> tuple[Parting, ...]:
    """Findings that one of two diseases has far more often, those that say most first, but for those `near`
    what is known."""
    terminology, information = diseases.terminology, diseases.information
    worth: dict[int, float] = {}
    for term in {*here.asserted, *there.asserted} - near:
        apart = abs(here.propagated.get(term, 0.0) - there.propagated.get(term, 0.0))
        worth[term] = apart * float(information[term])
    best = sorted((term for term in worth if worth[term] > 0), key=lambda term: (-worth[term], term))[:_NEXT]
    return tuple(
        Parting(
            terminology.codes[term],
            terminology.label(term),
            round(here.propagated.get(term, 0.0), 3),
            round(there.propagated.get(term, 0.0), 3),
        )
        for term in best
    )
