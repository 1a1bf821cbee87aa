"""A ranking as it is written: the JSON of `rank` and `differential`, and the words beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from extractors.differential.explaining import EXPLAINED, FEW, FITS, Explanation, Parting, explain, fits
from extractors.differential.ranking import Contribution, Options, Ranked, Ranking

if TYPE_CHECKING:
    from extractors.differential.index import Diseases

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
    by = f" (as {label_of(diseases, one.matched)})" if told else ""
    return f"{denied}{label_of(diseases, one.code)}{by} {one.value:+.1f}"


def label_of(diseases: Diseases, code: str) -> str:
    """The label of a term; the code where there is none."""
    row = diseases.terminology.row(code)
    return code if row is None else diseases.terminology.label(row)


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
