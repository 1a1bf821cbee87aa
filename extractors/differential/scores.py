"""How well each disease explains a patient's findings, seen in five ways.

Each asks in another way how much of what is rare both have in common. Arrays are as long as the diseases.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from extractors.differential.index import Diseases, Features, Numbers, Rows

_FAMILY = 0.5
# What is known for a term above may be another kind of it: a ratio shrinks by this power of how much rarer
# the finding is than the term.
IMPRECISE = 0.5
# A frequency is known from few patients: a tenth and all are less apart than never and a tenth.
_FLATTENED = 0.25
# What so many diseases have stands above many terms, and is kept from one patient to the next.
_COMMON = 500
_SPECIAL = 1e-6


# How many ranks (as logarithms) one class of prevalence is worth: it breaks near ties, no more.
_PREVALENCE = 0.4
# Most diseases without a class have been seen in a few families.
_UNKNOWN_PREVALENCE = 1
# What has been reported often is met often; where no publication is cited there is half of one.
_UNCITED = 0.5
# Types of a disease are hard to tell apart, and what is known of one is expected of all: half of a score is
# the best of the family.
_OF_FAMILY = 0.5


@dataclass(frozen=True, slots=True)
class Best:
    """Of a term and all above it, by disease: the highest ratio of the share with a term to the usual one,
    the highest information content shared with the disease alone, and with its family."""

    ratio: Numbers
    alone: Numbers
    shared: Numbers

    def faded(self, by: np.float32) -> Best:
        """The same, of a term below."""
        return Best(self.ratio * by, self.alone, self.shared)

    def __or__(self, other: Best) -> Best:
        """The better of both, disease by disease."""
        return Best(
            np.maximum(self.ratio, other.ratio),
            np.maximum(self.alone, other.alone),
            np.maximum(self.shared, other.shared),
        )


def fade(diseases: Diseases, term: int, parent: int) -> np.float32:
    """By how much a ratio counts less for a term than for one above it."""
    apart = diseases.information[parent] - diseases.information[term]
    return np.float32(np.exp(IMPRECISE * apart))


@dataclass(frozen=True, slots=True)
class Column:
    """`own` are the shares of the first of `holders`; `shared` those of all of them, the others having the
    term but from their families; `flattened` the same with less between the high ones."""

    holders: Rows
    own: Numbers
    shared: Numbers
    flattened: Numbers


class _Reached(ABC):
    """The best of each term and all above it, a term above several others looked at once."""

    def __init__(self, diseases: Diseases, size: int) -> None:
        self.diseases = diseases
        self._size = size
        self._best: dict[int, Best] = {}

    def _usual(self, term: int) -> float:
        """The mean share of a term; of terms that say the same the more special one shall be the best."""
        return float(self.diseases.background[term]) / (1 + _SPECIAL * len(self.diseases.ancestors(term)))

    def best(self, term: int) -> Best:
        """The best of a term and of all above it."""
        if term not in self._best:
            parents = [
                self.best(parent).faded(fade(self.diseases, term, parent))
                for parent in self.diseases.terminology.parents(term)
            ]
            above = reduce(Best.__or__, parents) if parents else self._nothing
            known = self.diseases.background[term] > 0 and self.diseases.information[term] > 0
            self._best[term] = self._with(term, above) if known else above
        return self._best[term]

    @cached_property
    def _nothing(self) -> Best:
        empty = np.zeros(self._size, np.float32)
        return Best(empty, empty, empty)

    @abstractmethod
    def _with(self, term: int, above: Best) -> Best: ...


class Columns(_Reached):
    """The columns of an index, each made when it is first asked for and kept."""

    def __init__(self, diseases: Diseases) -> None:
        super().__init__(diseases, len(diseases))
        self._columns: dict[int, Column] = {}

    def __getitem__(self, term: int) -> Column:
        if term not in self._columns:
            self._columns[term] = self._shared(*self.diseases.column(term))
        return self._columns[term]

    def forget(self) -> None:
        """Let go of what only the last patient asked for."""
        counts = self.diseases.counts
        self._best = {term: best for term, best in self._best.items() if counts[term] >= _COMMON}

    def _with(self, term: int, above: Best) -> Best:
        column, information = self[term], self.diseases.information[term]
        holders = column.holders
        ratio, alone, shared = above.ratio.copy(), above.alone.copy(), above.shared.copy()
        ratio[holders] = np.maximum(ratio[holders], column.shared / self._usual(term))
        # No term above tells more than the term itself.
        alone[holders[: len(column.own)]] = information
        shared[holders] = np.maximum(shared[holders], column.flattened * information)
        return Best(ratio, alone, shared)

    @cached_property
    def _members(self) -> tuple[Rows, Rows, Rows]:
        """The members of all families behind each other, where each begins, and its size."""
        families = self.diseases.families
        order = np.argsort(families, kind="stable")
        members = order[np.searchsorted(families[order], 0) :]
        sizes = np.bincount(families[members])
        return members, np.cumsum(sizes) - sizes, sizes

    def _of(self, families: Rows) -> Rows:
        """The members of some families."""
        members, starts, sizes = self._members
        many = sizes[families]
        chosen: Rows = members[
            np.arange(many.sum()) + np.repeat(starts[families] - np.cumsum(many) + many, many)
        ]
        return chosen

    def _shared(self, holders: Rows, own: Numbers) -> Column:
        """With what those who have a term lend to their families."""
        families = self.diseases.families
        of = families[holders]
        within = of >= 0
        others = np.maximum(self._members[2] - 1, 1)
        sums = np.bincount(of[within], weights=own[within], minlength=len(others))
        rest = np.where(within, (sums[of] - own) / others[of], 0)
        touched = self._of(np.flatnonzero(sums > 0))
        known = np.zeros(len(self.diseases), np.bool_)
        known[holders] = True
        heirs = touched[~known[touched]]
        lent = sums[families[heirs]] / others[families[heirs]]
        values = np.concatenate([np.maximum(own, _FAMILY * rest), _FAMILY * lent]).astype(np.float32)
        return Column(np.concatenate([holders, heirs]), own, values, values**_FLATTENED)


class Kin(_Reached):
    """The diseases that have lost rows, with their families, for which what is left to them counts."""

    def __init__(self, diseases: Diseases, left: Mapping[int, Features]) -> None:
        of = diseases.families[list(left)] if left else np.empty(0, np.int32)
        kin = np.isin(diseases.families, of[of >= 0])
        kin[list(left)] = True
        self.rows: Rows = np.flatnonzero(kin)
        super().__init__(diseases, len(self.rows))
        self._families = np.unique(diseases.families[self.rows], return_inverse=True)[1]
        self._single = diseases.families[self.rows] < 0
        self._others = np.maximum(np.bincount(self._families)[self._families] - 1, 1) if left else 1
        self._own: dict[int, Numbers] = {}
        self._left = [(int(np.searchsorted(self.rows, disease)), one) for disease, one in left.items()]

    def own(self, term: int) -> Numbers:
        """The shares of a term in each of `rows`."""
        if term not in self._own:
            self._own[term] = self._shares(term)
        return self._own[term]

    def _shares(self, term: int) -> Numbers:
        holders, shares = self.diseases.column(term)
        own = np.zeros(len(self.rows), np.float32)
        if len(holders):
            at = np.minimum(np.searchsorted(holders, self.rows), len(holders) - 1)
            own = np.where(holders[at] == self.rows, shares[at], own)
        for place, features in self._left:
            own[place] = features.propagated.get(term, 0.0)
        return own

    def _with(self, term: int, above: Best) -> Best:
        own, information = self.own(term), self.diseases.information[term]
        sums = np.bincount(self._families, weights=own)
        rest = np.where(self._single, 0, _FAMILY * (sums[self._families] - own) / self._others)
        shared = np.maximum(own, rest).astype(np.float32)
        return Best(
            np.maximum(above.ratio, shared / self._usual(term)),
            np.where(own > 0, information, above.alone),
            np.maximum(above.shared, shared**_FLATTENED * information),
        )


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
        self._diseases = diseases
        self.left = left
        self._columns = columns
        self._kin = Kin(diseases, left)
        self._known: dict[int, Best] = {}

    def evidence(self, present: Sequence[int], denied: Sequence[int]) -> Evidence:
        """The likelihood ratio of each finding: how often it is seen in a disease, to how often in all; of
        its ancestors the best, which counts less the more general it is."""
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
        kin = self._kin.rows
        ratio: Numbers = self._columns.best(term).ratio[diseases]
        if len(kin):
            at = np.minimum(np.searchsorted(kin, diseases), len(kin) - 1)
            ratio = np.where(kin[at] == diseases, self._kin.best(term).ratio[at], ratio)
        return ratio

    def explained_back(self, present: Sequence[int]) -> Numbers:
        """Of what a disease is known for, the mean information content shared with the patient, by share."""
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
        information = self._diseases.information
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

    def scores(self, terms: Sequence[int], evidence: Evidence, *, prevalence: bool) -> Numbers:
        """Ranks by each measure, their logarithms added: a disease is first that is high by all of them."""
        total: Numbers = np.sum([*evidence.present.values(), *evidence.denied.values()], axis=0)
        alone, shared = self.shared_information(terms)
        back = shared / len(terms) + self.explained_back(terms)
        scores = np.zeros(len(self._diseases), np.float32)
        for measure in (total, alone, shared, back, self.overlap(terms)):
            scores -= np.log(_ranks(measure))
        scores = lifted(scores, self._diseases.families)
        if prevalence:
            known, papers = self._diseases.prevalence, self._diseases.papers.astype(np.float32)
            for disease, features in self.left.items():
                papers[disease] = features.papers
            scores += _PREVALENCE * np.where(known > 0, known, _UNKNOWN_PREVALENCE).astype(np.float32)
            scores += np.log1p(np.maximum(papers, _UNCITED))
        return scores


def lifted(scores: Numbers, families: NDArray[np.int32]) -> Numbers:
    """Half of each score replaced by the best of the family; `families` has -1 for none."""
    best = np.full(families.max(initial=-1) + 2, -np.inf, np.float32)
    np.maximum.at(best, families, scores)
    return np.where(families < 0, scores, (1 - _OF_FAMILY) * scores + _OF_FAMILY * best[families])


def _ranks(values: Numbers) -> Numbers:
    """1 for the highest; equal values share the mean of their ranks."""
    # Floats from zero on stand in order as the integers of their bits do, and are sorted with their places.
    behind = (values.max() - values).astype(np.float32).view(np.uint32).astype(np.uint64)
    keys = np.sort(behind << np.uint64(32) | np.arange(len(values), dtype=np.uint64))
    places, found = (keys & np.uint64(0xFFFFFFFF)).astype(np.intp), keys >> np.uint64(32)
    starts = np.flatnonzero(np.concatenate([[True], found[1:] != found[:-1]]))
    many = np.diff(np.append(starts, len(values)))
    ranks = np.empty(len(values), np.float32)
    ranks[places] = np.repeat(starts + (many + 1) / 2, many)
    return ranks
