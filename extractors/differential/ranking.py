"""All diseases in one list, best explanation first, each with its evidence finding by finding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extractors.differential.scores import Evidence, Scorer

if TYPE_CHECKING:
    from extractors.differential.index import Diseases, Numbers

# How many ranks (as logarithms) one class of prevalence is worth: it breaks near ties, no more.
_PREVALENCE = 0.4
# Most diseases without a class have been seen in a few families.
_UNKNOWN_PREVALENCE = 1
MOST_FINDINGS = 200


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one finding says of a disease: natural logarithm of the likelihood ratio. `matched` is the code of
    the term the disease is known for, the finding's own or one above it; "" where there is none."""

    code: str
    polarity: str
    matched: str
    value: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """A disease in its place. `evidence` is the sum of its contributions; `score`, by which the list is ordered,
    uses more: lower sums of logarithms of the ranks that five measures give it."""

    rank: int
    codes: tuple[str, ...]
    name: str
    score: float
    evidence: float
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """`left_out` rows of the annotations cite the case's own publications; `unknown` codes are no terms."""

    diseases: tuple[Ranked, ...]
    left_out: int
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """`top`: how long the list is; None for all. `leave_out`: rows that cite the case's own publications do not
    count."""

    top: int | None = 10
    prevalence: bool = True
    leave_out: bool = True


class Ranker:
    """Ranks all diseases of an index for a patient."""

    def __init__(self, diseases: Diseases) -> None:
        self.diseases = diseases

    def rank(
        self,
        present: Sequence[str],
        excluded: Sequence[str] = (),
        publications: Sequence[int] = (),
        options: Options | None = None,
    ) -> Ranking:
        """Codes present and denied -> the diseases that explain them.

        Merged and replaced codes are read as those in use, each once; a code both present and denied counts as
        present. Without a present finding the list is empty.
        """
        options = options or Options()
        terms, unknown = self._rows(present)
        denied, unknown_too = self._rows(excluded)
        denied = [row for row in denied if row not in terms]
        left, gone = self.diseases.without(publications) if options.leave_out and publications else ({}, 0)
        known = tuple(dict.fromkeys((*unknown, *unknown_too)))
        if not terms:
            return Ranking((), gone, known)
        scorer = Scorer(self.diseases, left)
        evidence = scorer.evidence(terms[:MOST_FINDINGS], denied[:MOST_FINDINGS])
        total = _total(evidence)
        scores = self._scores(scorer, terms[:MOST_FINDINGS], total, prevalence=options.prevalence)
        return Ranking(self._listed(scores, total, evidence, options.top), gone, known)

    def _rows(self, codes: Sequence[str]) -> tuple[list[int], list[str]]:
        terminology = self.diseases.terminology
        rows: dict[int, None] = {}
        unknown = []
        for code in codes:
            row = terminology.row(terminology.current(code) or "")
            if row is None:
                unknown.append(code)
            else:
                rows.setdefault(row)
        return list(rows), unknown

    def _scores(self, scorer: Scorer, terms: Sequence[int], total: Numbers, *, prevalence: bool) -> Numbers:
        """Ranks by each measure, their logarithms added: a disease is first that is high by all of them."""
        import numpy as np

        alone, shared = scorer.shared_information(terms)
        back = shared / len(terms) + scorer.explained_back(terms)
        scores = np.zeros(len(self.diseases), np.float32)
        for measure in (total, alone, shared, back, scorer.overlap(terms)):
            scores -= np.log(_ranks(measure))
        if prevalence:
            known = self.diseases.prevalence
            scores += _PREVALENCE * np.where(known > 0, known, _UNKNOWN_PREVALENCE).astype(np.float32)
        return scores

    def _listed(
        self, scores: Numbers, total: Numbers, evidence: Evidence, top: int | None
    ) -> tuple[Ranked, ...]:
        import numpy as np

        order = np.argsort(-scores, kind="stable")[:top].tolist()
        return tuple(
            Ranked(
                place,
                self.diseases.codes[disease],
                self.diseases.names[disease],
                round(float(scores[disease]), 4),
                round(float(total[disease]), 6),
                self._contributions(disease, evidence),
            )
            for place, disease in enumerate(order, 1)
        )

    def _contributions(self, disease: int, evidence: Evidence) -> tuple[Contribution, ...]:
        codes = self.diseases.terminology.codes
        found = []
        for term, (values, matched) in evidence.present.items():
            at = int(matched[disease])
            found.append(
                Contribution(codes[term], "present", codes[at] if at >= 0 else "", float(values[disease]))
            )
        for term, values in evidence.denied.items():
            found.append(Contribution(codes[term], "negated", codes[term], float(values[disease])))
        return tuple(found)


def _total(evidence: Evidence) -> Numbers:
    import numpy as np

    values = [*(value for value, _ in evidence.present.values()), *evidence.denied.values()]
    total: Numbers = np.sum(values, axis=0, dtype=np.float64)
    return total


def _ranks(values: Numbers) -> Numbers:
    """1 for the highest; equal values share the mean of their ranks."""
    from scipy.stats import rankdata

    ranks: Numbers = rankdata(-values)
    return ranks
