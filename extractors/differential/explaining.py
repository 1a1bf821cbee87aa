"""Why a disease stands where it does, and what one would look for next, in plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extractors.differential.ranking import Contribution, Ranked, Ranking

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
    features = [ranking.left.get(one.number) or diseases.features(one.number) for one in ranking.diseases]
    found = []
    for place, disease in enumerate(ranking.diseases):
        other = 0 if place else 1
        parting = _parting(diseases, disease, features, place, other) if other < len(features) else ()
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


def fits(diseases: Diseases, ranking: Ranking) -> bool:
    """Whether any disease of the list explains at least half of the findings present."""
    shares = []
    for disease in ranking.diseases:
        present = [one for one in disease.contributions if one.polarity == "present"]
        shares.append(sum(_explained(diseases, one) for one in present) / len(present))
    return max(shares, default=0.0) >= FITS


def _explained(diseases: Diseases, one: Contribution) -> bool:
    finding, matched = diseases.terminology.row(one.code), diseases.terminology.row(one.matched)
    if finding is None or matched is None or one.value <= 0:
        return False
    information = diseases.information
    few = diseases.counts[matched] <= FEW * len(diseases)
    return bool(few or information[matched] >= EXPLAINED * information[finding])


def _parting(
    diseases: Diseases, disease: Ranked, features: Sequence[Features], place: int, other: int
) -> tuple[Parting, ...]:
    """Findings that one of two diseases has far more often, those that say most first; what is known of the
    patient is left out, with all above and below it."""
    terminology = diseases.terminology
    asked = [row for one in disease.contributions if (row := terminology.row(one.code)) is not None]
    known = {above for row in asked for above in diseases.ancestors(row).tolist()}
    here, there = features[place], features[other]
    worth: dict[int, float] = {}
    for term in {*here.asserted, *there.asserted} - known:
        if not set(asked).isdisjoint(diseases.ancestors(term).tolist()):
            continue
        apart = abs(here.propagated.get(term, 0.0) - there.propagated.get(term, 0.0))
        worth[term] = apart * float(diseases.information[term])
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
