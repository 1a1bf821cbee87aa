"""How well each disease explains a patient's findings, seen in five ways.

Each asks in another way how much of what is rare both have in common. Arrays are as long as the diseases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extractors.differential.columns import Best, Columns, Kin, fade

if TYPE_CHECKING:
    from extractors.differential.index import Diseases, Features, Numbers, Rows

# A finding that a disease is not known for costs as much as one that it has a hundred times less than usual.
UNEXPLAINED = 0.01
# Denied findings come in long lists, and a list's length is its author's: they weigh a quarter.
DENIED = 0.25
_MOST_CERTAIN = 0.95


@dataclass(frozen=True, slots=True)
class Evidence:
    """Of each finding in each disease the natural logarithm of the likelihood ratio."""

    present: Mapping[int, Numbers]
    denied: Mapping[int, Numbers]


class Scorer:
    """Scores all diseases for one patient, `left` standing for the diseases that have lost rows."""

    def __init__(self, diseases: Diseases, columns: Columns, left: Mapping[int, Features]) -> None:
        import numpy as np

        self._np = np
        self._diseases = diseases
        self.left = left
        self._columns = columns
        self._kin = Kin(diseases, left)
        self._known: dict[int, Best] = {}

    def evidence(self, present: Sequence[int], denied: Sequence[int]) -> Evidence:
        """The likelihood ratio of each finding: how often it is seen in a disease, to how often in all; of
        its ancestors the best, which counts less the more general it is."""
        np = self._np
        found: dict[int, Numbers] = {}
        for term in present:
            if not self._diseases.tells(term):
                found[term] = np.zeros(len(self._diseases), np.float32)
                continue
            found[term] = np.log((1 - UNEXPLAINED) * self._best(term).ratio + UNEXPLAINED)
        against = {}
        for term in denied:
            column = self._columns[term]
            share = np.zeros(len(self._diseases), np.float32)
            share[column.holders[: len(column.own)]] = np.minimum(column.own, _MOST_CERTAIN)
            share[self._kin.rows] = np.minimum(self._kin.own(term), _MOST_CERTAIN)
            usual = 1 - min(float(self._diseases.background[term]), _MOST_CERTAIN)
            against[term] = (DENIED * np.log((1 - share) / usual)).astype(np.float32)
        return Evidence(found, against)

    def shared_information(self, present: Sequence[int]) -> tuple[Numbers, Numbers]:
        """Over the findings the sum of the highest information content shared with a disease (Resnik's
        measure), by the disease alone, and by its family with its shares."""
        np = self._np
        alone = np.zeros(len(self._diseases), np.float32)
        shared = np.zeros(len(self._diseases), np.float32)
        for term in present:
            best = self._best(term)
            alone += best.alone
            shared += best.shared
        return alone, shared

    def _best(self, term: int) -> Best:
        """The best of a term and of all above it, for the diseases that lost rows by what they have left."""
        if not len(kin := self._kin.rows):
            return self._columns.best(term)
        if term not in self._known:
            best, left = self._columns.best(term), self._kin.best(term)
            best = Best(best.ratio.copy(), best.alone.copy(), best.shared.copy())
            best.ratio[kin], best.alone[kin], best.shared[kin] = left.ratio, left.alone, left.shared
            self._known[term] = best
        return self._known[term]

    def matched(self, term: int, diseases: Rows) -> Rows:
        """For each of `diseases` the row of the term that stood for a finding, itself or one above it; -1
        where none does."""
        np = self._np
        found: Rows = np.full(len(diseases), -1)
        if self._diseases.tells(term):
            ratio = self._ratio(term, diseases)
            found[ratio > 0] = term
            for parent in self._diseases.terminology.parents(term):
                above = self._ratio(parent, diseases) * fade(self._diseases, term, parent) >= ratio
                if above.any():
                    found[above] = self.matched(parent, diseases[above])
        return found

    def _ratio(self, term: int, diseases: Rows) -> Numbers:
        """The highest ratio of a term and of all above it in some diseases."""
        np, kin = self._np, self._kin.rows
        ratio: Numbers = self._columns.best(term).ratio[diseases]
        if len(kin):
            at = np.minimum(np.searchsorted(kin, diseases), len(kin) - 1)
            ratio = np.where(kin[at] == diseases, self._kin.best(term).ratio[at], ratio)
        return ratio

    def explained_back(self, present: Sequence[int]) -> Numbers:
        """Of what a disease is known for, the mean information content shared with the patient, by share."""
        np = self._np
        information = self._diseases.information
        best = np.zeros(len(information), np.float32)
        patient = np.unique(np.concatenate([self._diseases.ancestors(term) for term in present]))
        for above in patient[np.argsort(information[patient])].tolist():
            best[self._diseases.descendants(above)] = information[above]
        shared: Numbers = (self._diseases.asserted_matrix @ best) / (self._diseases.asserted_weights + 1e-9)
        for disease, features in self.left.items():
            total = sum(features.asserted.values())
            value = sum(share * float(best[term]) for term, share in features.asserted.items())
            shared[disease] = value / (total + 1e-9)
        return shared

    def overlap(self, present: Sequence[int]) -> Numbers:
        """Information content of what both have over that of what either has (simGIC, by share)."""
        np, information = self._np, self._diseases.information
        patient = np.unique(np.concatenate([self._diseases.ancestors(term) for term in present]))
        both = np.zeros(len(self._diseases), np.float32)
        left = np.zeros(len(self._kin.rows), np.float32)
        for term in patient.tolist():
            if information[term] > 0:
                column = self._columns[term]
                both[column.holders[: len(column.own)]] += column.own * information[term]
                if len(left):
                    left += self._kin.own(term) * information[term]
        both[self._kin.rows] = left
        whole = self._diseases.contents.copy()
        for disease, features in self.left.items():
            whole[disease] = sum(share * float(information[at]) for at, share in features.propagated.items())
        overlap: Numbers = both / (whole + float(information[patient].sum()) - both + 1e-9)
        return overlap
