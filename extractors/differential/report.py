"""Why a disease stands where it does, as plain data, JSON and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from extractors.differential.ranking import Contribution, Options, Ranked, Ranking

if TYPE_CHECKING:
    from extractors.differential.index import Diseases, Features

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


ADVICE = "A research tool, not advice."
NO_FINDING = "No finding is present that the knowledge has; without one there is no ranking."
FREQUENCIES = "What the annotations give no frequency for is read as being there always (100%)."
NO_FIT = (
    f"None of these explains {FITS:.0%} of the findings: the profile may fit no known disease. (A finding is "
    f"explained by a term with at least {EXPLAINED:.0%} of its information content, or that at most "
    f"{FEW:.0%} of all diseases have.)"
)


def knowledge_as_json(diseases: Diseases) -> dict[str, Any]:
    """Releases and size of what the diseases are ranked by."""
    return {
        "hpo": diseases.terminology.release,
        "annotations": diseases.release,
        "diseases": len(diseases),
        "source": diseases.source,
    }


def order_in_words(options: Options) -> str:
    """By what a list is ordered, and where that may part from the evidence."""
    met = (
        ", and how often it is met counts: by prevalence and by how many publications report it"
        if options.prevalence
        else "; prevalence and the number of publications are left out"
    )
    return (
        "Ordered by score, the joined ranks by evidence, by shared and by mutual information and by overlap, "
        f"half of it the best of the disease's family{met}; the evidence alone may order them otherwise."
    )


def releases_in_words(diseases: Diseases) -> str:
    """By which releases diseases are ranked."""
    return f"HPO {diseases.terminology.release}, annotations {diseases.release}"


def left_out_in_words(publications: Sequence[int], ranking: Ranking, options: Options) -> str:
    """What became of the annotations that cite a patient's own publications."""
    papers = ", ".join(f"PMID:{number}" for number in publications)
    if not options.leave_out:
        return f"Counted, as asked for: rows citing {papers}"
    rows = "1 row" if ranking.left_out == 1 else f"{ranking.left_out:,} rows"
    return f"Left out: {rows} citing {papers}"


def codes_in_words(ranking: Ranking) -> list[str]:
    """Which codes are no terms, and which were read as another, in sentences."""
    parts = (
        [f"No terms of this release, and not counted: {', '.join(ranking.unknown)}."]
        if ranking.unknown
        else []
    )
    if ranking.mapped:
        pairs = ", ".join(f"{code} as {current}" for code, current in ranking.mapped)
        parts.append(f"Read as the code in use: {pairs}.")
    return parts


def finding_in_words(diseases: Diseases, one: Contribution) -> str:
    """A finding, the term above it that stood for it where it was not itself, and what it says."""
    denied = "no " if one.polarity == "negated" else ""
    row = diseases.terminology.row(one.matched)
    told = row is not None and diseases.tells(row) and one.matched != one.code
    by = f" (as {diseases.terminology.label_of(one.matched)})" if told else ""
    return f"{denied}{diseases.terminology.label_of(one.code)}{by} {one.value:+.1f}"


def parting_in_words(one: Parting) -> str:
    """A finding to look for, and how many have it in both diseases."""
    return f"{one.label} ({one.here:.0%} here, {one.there:.0%} there)"


def parted(ranking: Ranking) -> bool:
    """Whether the evidence alone would order the list otherwise."""
    evidence = [one.evidence for one in ranking.diseases]
    return evidence != sorted(evidence, reverse=True)


def ranking_as_json(diseases: Diseases, ranking: Ranking, *, explained: bool) -> dict[str, Any]:
    """Contributions add up to the evidence; the explanation of each disease beside it where asked for."""
    reasons = explain(diseases, ranking) if explained else []
    found: dict[str, Any] = {
        "left_out": ranking.left_out,
        "unknown_terms": list(ranking.unknown),
        "mapped_terms": dict(ranking.mapped),
        "ordered_as_evidence": not parted(ranking),
        "ranking": [
            {**_disease(one), **({"explanation": _explanation(reason)} if reason else {})}
            for one, reason in zip_longest(ranking.diseases, reasons)
        ],
    }
    if not ranking.diseases:
        found["note"] = NO_FINDING
    elif explained:
        found["fits"] = fits(reasons)
        if not found["fits"]:
            found["note"] = NO_FIT
    return found


def _disease(one: Ranked) -> dict[str, Any]:
    return {
        "rank": one.rank,
        "codes": list(one.codes),
        "name": one.name,
        "score": one.score,
        "evidence": one.evidence,
        "contributions": [_contribution(each) for each in one.contributions],
    }


def _contribution(one: Contribution) -> dict[str, Any]:
    return {
        "hpo_id": one.code,
        "polarity": one.polarity,
        "matched": one.matched or None,
        "contribution": one.value,
    }


def _explanation(reason: Explanation) -> dict[str, Any]:
    return {
        "for": [one.code for one in reason.support],
        "against": [one.code for one in reason.against],
        "unexplained": [one.code for one in reason.unexplained],
        "next": [asdict(one) for one in reason.next],
    }
