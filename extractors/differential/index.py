"""All diseases with their features, as one file of arrays beside a terminology's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from extractors.grouping import grouped
from extractors.model.errors import TerminologyError
from extractors.terminology.arrays import ArrayFile

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from extractors.terminology.index import Terminology

Numbers: TypeAlias = "NDArray[np.float32]"
Rows: TypeAlias = "NDArray[np.intp]"

# One of one is not all: to patients that were counted as many are added who have a feature as rarely as this.
_SUPPOSED = 2
_SUPPOSED_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Features:
    """What a disease is annotated with: row of the term -> share of patients, as asserted and with all that
    stands above; and how many publications are cited for it."""

    asserted: Mapping[int, float]
    propagated: Mapping[int, float]
    papers: int = 0


def features_of(
    rows: Iterable[tuple[int, float | None, int]], above: Callable[[int], Iterable[int]]
) -> Features:
    """Counted patients weigh by their number, with a few supposed ones; a higher class that is said goes
    before."""
    asserted = dict[int, float]()
    for term, each in grouped((term, (frequency, patients)) for term, frequency, patients in rows).items():
        counted = sum(patients for _, patients in each)
        classes = [frequency for frequency, patients in each if not patients and frequency is not None]
        seen = sum((frequency or 0.0) * patients for frequency, patients in each)
        if seen:
            supposed = _SUPPOSED * _SUPPOSED_SHARE
            share = max((seen + supposed) / (counted + _SUPPOSED), *classes, 0.0)
        else:
            share = max(classes, default=0.0 if counted else 1.0)
        if share > 0:
            asserted[term] = share
    return Features(asserted, propagated(asserted, above))


def propagated(asserted: Mapping[int, float], above: Callable[[int], Iterable[int]]) -> dict[int, float]:
    """Who has a term has all above it, at least as often."""
    propagated = dict[int, float]()
    for term, share in asserted.items():
        for one in above(term):
            propagated[one] = max(share, propagated.get(one, 0.0))
    return propagated


FORMAT = 3
# Frequencies are kept in so many steps; what is said without one counts as always, which served best.
STEPS = 250
UNSAID = 255
# A term that all but one in a hundred have tells no diseases apart.
_ROOT = 0.01


class Diseases:
    """The index, each part read when it is first asked for; diseases go by their numbers.

    Raises TerminologyError where the file is absent or damaged, or made for another release of the
    terminology than `terminology`.
    """

    def __init__(self, path: Path, terminology: Terminology) -> None:
        self._file = ArrayFile(path, FORMAT)
        about = self._file.about
        if about["terminology"] != terminology.release:
            raise TerminologyError(
                f"{path.name} was made for HPO {about['terminology']}, not for {terminology.release}."
            )
        self.release: str = about["release"]
        self.source: str = about["source"]
        self.terminology = terminology

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def names(self) -> list[str]:
        """The name of each disease."""
        return self._file.texts("names")

    @cached_property
    def other_names(self) -> list[tuple[str, ...]]:
        """What each disease is called besides, by another source."""
        return [tuple(filter(None, each.split("\t"))) for each in self._file.texts("other_names")]

    @cached_property
    def synonyms(self) -> list[tuple[str, ...]]:
        """What else each disease goes by, for who looks for a name; it is shown nowhere."""
        return [tuple(filter(None, each.split("\t"))) for each in self._file.texts("synonyms")]

    @cached_property
    def genes(self) -> list[frozenset[str]]:
        """The genes of each disease, by their symbols."""
        return [frozenset(each.split()) for each in self._file.texts("genes")]

    @cached_property
    def codes(self) -> list[tuple[str, ...]]:
        """All codes of each disease, the leading one first."""
        return [tuple(each.split()) for each in self._file.texts("codes")]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The disease of each code."""
        return {code: number for number, codes in enumerate(self.codes) for code in codes}

    @cached_property
    def families(self) -> NDArray[np.int32]:
        """The family of each disease, -1 for none."""
        return self._file.array("families")

    @cached_property
    def prevalence(self) -> NDArray[np.uint8]:
        """The class of each, from 1 (under one in a million) to 6 (over one in a thousand); 0 unknown."""
        return self._file.array("prevalence")

    @cached_property
    def papers(self) -> NDArray[np.uint16]:
        """How many publications are cited for each."""
        return self._file.array("papers")

    def ancestors(self, term: int) -> NDArray[np.uint16]:
        """The rows of a term itself and of all above it."""
        starts, rows = self.all_ancestors
        return rows[starts[term] : starts[term + 1]]

    @cached_property
    def all_ancestors(self) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        """Those of all terms behind each other, and where each begins."""
        return self._file.array("ancestors_starts"), self._file.array("ancestors")

    def descendants(self, term: int) -> Rows:
        """The rows of a term itself and of all below it."""
        starts, rows = self._all_descendants
        return rows[starts[term] : starts[term + 1]]

    @cached_property
    def _all_descendants(self) -> tuple[list[int], Rows]:
        starts, rows = self.all_ancestors
        order = np.argsort(rows, kind="stable")
        below = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[order]
        counts = np.bincount(rows, minlength=len(starts) - 1)
        return [0, *np.cumsum(counts).tolist()], below

    @cached_property
    def _holders(self) -> tuple[list[int], Rows, Numbers]:
        shares = self._file.array("shares") / np.float32(STEPS)
        return (
            self._file.array("holders_starts").tolist(),
            self._file.array("holders").astype(np.intp),
            shares,
        )

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many diseases have each term or one below it."""
        return np.diff(self._holders[0])

    @cached_property
    def information(self) -> Numbers:
        """The information content of each term: -ln(diseases with it / all); of one that none has as of half
        a disease."""
        content: Numbers = -np.log(np.maximum(self.counts, 0.5) / len(self)).astype(np.float32)
        return np.maximum(content, 0)

    def tells(self, term: int) -> bool:
        """Whether a term or one above it tells diseases apart: inheritance and onset do not, nor does a root,
        which all but a few diseases have."""
        return self._telling[term]

    @cached_property
    def _telling(self) -> list[bool]:
        starts, rows = self.all_ancestors
        content = np.where(self.counts > 0, self.information, 0)
        telling: list[bool] = (np.maximum.reduceat(content[rows], starts[:-1]) > _ROOT).tolist()
        return telling

    @cached_property
    def background(self) -> Numbers:
        """The mean share of each term over all diseases."""
        starts, _, shares = self._holders
        held = np.flatnonzero(self.counts)
        means = np.zeros(len(self.counts), np.float32)
        means[held] = np.add.reduceat(shares, np.array(starts)[held], dtype=np.float64) / len(self)
        return means

    def column(self, term: int) -> tuple[Rows, Numbers]:
        """The diseases with a term (or one below it), and the share of patients with it in each."""
        starts, holders, shares = self._holders
        return holders[starts[term] : starts[term + 1]], shares[starts[term] : starts[term + 1]]

    @cached_property
    def contents(self) -> Numbers:
        """The information content of all that each disease is known for, by share."""
        starts, holders, shares = self._holders
        weights = np.repeat(self.information, np.diff(starts)) * shares
        sums: Numbers = np.bincount(holders, weights=weights, minlength=len(self)).astype(np.float32)
        return sums

    @cached_property
    def asserted(self) -> tuple[NDArray[np.int32], NDArray[np.uint16], Numbers]:
        """The terms that diseases are annotated with, as asserted: starts, rows, shares."""
        names = ("asserted_starts", "asserted_terms", "asserted_shares")
        starts, terms, shares = map(self._file.array, names)
        return starts, terms, shares

    def features(self, disease: int) -> Features:
        """What a disease is annotated with."""
        starts, terms, shares = self.asserted
        part = slice(starts[disease], starts[disease + 1])
        asserted = dict(zip(terms[part].tolist(), shares[part].tolist(), strict=True))
        return Features(asserted, propagated(asserted, lambda term: self.ancestors(term).tolist()))

    @cached_property
    def asserted_matrix(self) -> csr_array:
        """The same as a sparse matrix of diseases by terms."""
        from scipy.sparse import csr_array

        starts, terms, shares = self.asserted
        size = (len(self), len(self.terminology.codes))
        return csr_array((shares, terms.astype("int32"), starts), shape=size)

    @cached_property
    def asserted_weights(self) -> Numbers:
        """The sum of the shares of each disease."""
        starts, _, shares = self.asserted
        whole = np.bincount(np.repeat(np.arange(len(self)), np.diff(starts)), shares, len(self))
        weights: Numbers = whole.astype(np.float32)
        return weights

    @cached_property
    def _rows(self) -> dict[str, NDArray[np.int64]]:
        rows = ("row_diseases", "row_terms", "row_frequencies", "row_patients")
        return {name: self._file.array(name) for name in (*rows, "publications_starts", "publications")}

    def without(self, publications: Sequence[int]) -> tuple[dict[int, Features], int]:
        """The diseases with rows that cite one of these publications, without them; and how many rows go."""
        rows = self._rows
        cited = np.flatnonzero(np.isin(rows["publications"], list(publications)))
        gone = np.unique(np.searchsorted(rows["publications_starts"], cited, side="right") - 1)
        left: dict[int, Features] = {}
        for disease in np.unique(rows["row_diseases"][gone]).tolist():
            stay = np.setdiff1d(np.flatnonzero(rows["row_diseases"] == disease), gone)
            terms, shares, patients = (
                rows[key][stay].tolist() for key in ("row_terms", "row_frequencies", "row_patients")
            )
            parts = [None if share == UNSAID else share / STEPS for share in shares]
            features = features_of(
                zip(terms, parts, patients, strict=True), lambda term: self.ancestors(term).tolist()
            )
            starts, cited_by = rows["publications_starts"], rows["publications"]
            papers = {
                one for row in stay.tolist() for one in cited_by[starts[row] : starts[row + 1]].tolist()
            }
            left[disease] = replace(features, papers=len(papers))
        return left, len(gone)
