"""How well each disease explains a patient's findings, seen in five ways; all arrays are as long as the diseases.

Each asks in another way how much of what is rare both have in common. Types of one disease are reported one by
one, and a type that is known from a single report says little: what its family has counts for it, too, by half.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from extractors.differential.index import Diseases, Features, Numbers

# A finding that a disease is not known for costs as much as one that is known in a hundredth of the usual share.
UNEXPLAINED = 0.01
_FAMILY = 0.5
# A frequency is known from few patients: between a tenth and all there is less than between never and a tenth.
_FLATTENED = 0.25
# Denied findings come in long lists, and a list's length is its author's: they weigh a quarter.
DENIED = 0.25
_MOST_CERTAIN = 0.95


@dataclass(frozen=True, slots=True)
class Evidence:
    """Of each finding in each disease: the natural logarithm of the likelihood ratio, and for a present finding
    the row of the term that matched (itself or one above it; -1 where none does)."""

    present: Mapping[int, tuple[Numbers, NDArray[np.int32]]]
    denied: Mapping[int, Numbers]


class Scorer:
    """Scores all diseases for one patient, `left` standing for the diseases that have lost rows."""

    def __init__(self, diseases: Diseases, left: Mapping[int, Features]) -> None:
        import numpy as np

        self._np = np
        self._diseases = diseases
        self._left = left
        counts = np.maximum(diseases.counts, 0.5)
        self.information = np.maximum(-np.log(counts / len(diseases)), 0).astype(np.float32)
        self._members = np.flatnonzero(diseases.families >= 0)
        self._family = diseases.families[self._members]
        sizes = np.bincount(self._family)
        self._others = np.maximum(sizes[self._family] - 1, 1)
        self._columns: dict[int, tuple[Numbers, Numbers]] = {}

    def _column(self, term: int) -> tuple[Numbers, Numbers]:
        """The share of a term in each disease, and the same with what the rest of its family has."""
        if term not in self._columns:
            np = self._np
            own = self._diseases.column(term)
            for disease, features in self._left.items():
                own[disease] = features.propagated.get(term, 0.0)
            shared = own.copy()
            mine = own[self._members]
            sums = np.bincount(self._family, weights=mine)
            rest = _FAMILY * (sums[self._family] - mine) / self._others
            shared[self._members] = np.maximum(mine, rest)
            self._columns[term] = own, shared
        return self._columns[term]

    def evidence(self, present: Sequence[int], denied: Sequence[int]) -> Evidence:
        """The likelihood ratio of each finding: how often it or what it is a kind of is seen in a disease,
        to how often in all; the best of its ancestors counts."""
        np, background = self._np, self._diseases.background
        found: dict[int, tuple[Numbers, NDArray[np.int32]]] = {}
        for term in present:
            best = np.zeros(len(self._diseases), np.float32)
            matched = np.full(len(self._diseases), -1, np.int32)
            for above in self._diseases.ancestors(term).tolist():
                if background[above] > 0:
                    ratio = self._column(above)[1] / background[above]
                    better = ratio > best
                    best[better] = ratio[better]
                    matched[better] = above
            found[term] = np.log((1 - UNEXPLAINED) * best + UNEXPLAINED), matched
        against = {}
        for term in denied:
            share = np.minimum(self._column(term)[0], _MOST_CERTAIN)
            usual = 1 - min(float(background[term]), _MOST_CERTAIN)
            against[term] = DENIED * np.log((1 - share) / usual)
        return Evidence(found, against)

    def shared_information(self, present: Sequence[int]) -> tuple[Numbers, Numbers]:
        """Over the findings the sum of the highest information content shared with a disease (Resnik's
        measure), by the disease alone, and by its family with its shares."""
        np = self._np
        alone = np.zeros(len(self._diseases), np.float32)
        shared = np.zeros(len(self._diseases), np.float32)
        for term in present:
            by_itself, by_family = np.zeros_like(alone), np.zeros_like(shared)
            for above in self._diseases.ancestors(term).tolist():
                content = self.information[above]
                if content > 0:
                    own, family = self._column(above)
                    np.maximum(by_itself, (own > 0) * content, out=by_itself)
                    np.maximum(by_family, family**_FLATTENED * content, out=by_family)
            alone += by_itself
            shared += by_family
        return alone, shared

    def explained_back(self, present: Sequence[int]) -> Numbers:
        """Of what a disease is known for, the mean information content shared with the patient, by share."""
        np = self._np
        starts, closure = self._diseases.all_ancestors
        content = np.zeros(len(self.information), np.float32)
        for term in present:
            above = self._diseases.ancestors(term)
            content[above] = self.information[above]
        best = np.maximum.reduceat(content[closure], starts[:-1])
        starts, terms, shares = self._diseases.asserted
        sums = np.concatenate([[0.0], np.cumsum(best[terms] * shares, dtype=np.float64)])
        weights = np.concatenate([[0.0], np.cumsum(shares, dtype=np.float64)])
        shared = (sums[starts[1:]] - sums[starts[:-1]]) / (weights[starts[1:]] - weights[starts[:-1]] + 1e-9)
        for disease, features in self._left.items():
            total = sum(features.asserted.values())
            value = sum(share * float(best[term]) for term, share in features.asserted.items())
            shared[disease] = value / (total + 1e-9)
        mean: Numbers = shared.astype(np.float32)
        return mean

    def overlap(self, present: Sequence[int]) -> Numbers:
        """Information content of what both have over that of what either has (simGIC, by share)."""
        np = self._np
        patient = np.unique(np.concatenate([self._diseases.ancestors(term) for term in present]))
        both = np.zeros(len(self._diseases), np.float32)
        for term in patient.tolist():
            if self.information[term] > 0:
                both += self._column(term)[0] * self.information[term]
        whole = self._diseases.contents(self.information)
        for disease, features in self._left.items():
            whole[disease] = sum(
                share * float(self.information[at]) for at, share in features.propagated.items()
            )
        overlap: Numbers = both / (whole + float(self.information[patient].sum()) - both + 1e-9)
        return overlap
