"""All diseases with their features, as one file of arrays beside a terminology's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from extractors.differential.families import family_of
from extractors.evidence.hpoa import Annotation
from extractors.model.errors import TerminologyError
from extractors.terminology.arrays import ArrayFile, flat, texts, write_arrays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from extractors.terminology.index import Terminology

    Numbers = NDArray[np.float32]
    Rows = NDArray[np.intp]

_FORMAT = 1
# Frequencies are kept in so many steps; what is said without one counts as always, which served best.
_STEPS = 250
_UNSAID = 255
# One of one is not all: to patients that were counted as many are added who have a feature as rarely as this.
_SUPPOSED = 2
_SUPPOSED_SHARE = 0.3
# The middles of Orphanet's classes of prevalence, as powers of ten a million.
PREVALENCES = {
    ">1 / 1000": 6,
    "6-9 / 10 000": 5,
    "1-5 / 10 000": 4,
    "1-9 / 100 000": 3,
    "1-9 / 1 000 000": 2,
    "<1 / 1 000 000": 1,
}


@dataclass(frozen=True, slots=True)
class Features:
    """What a disease is annotated with: row of the term -> share of patients, as asserted and with all that
    stands above."""

    asserted: Mapping[int, float]
    propagated: Mapping[int, float]


def write_diseases(
    path: Path,
    release: str,
    source: str,
    terminology: Terminology,
    rows: Iterable[Annotation],
    same: Mapping[str, str],
    prevalence: Mapping[str, str],
) -> int:
    """Write the index of all diseases of `rows`; returns how many.

    `same` gives codes that name the same disease as another (ORPHA -> OMIM), `prevalence` classes by code.
    A disease of another source that has the very name of one of OMIM's is the same as well.
    Only phenotypic abnormalities count for a ranking.
    """
    import numpy as np

    rows = list(rows)
    same = {**_same_by_name(rows, same), **same}
    codes: dict[str, dict[str, None]] = {}
    names: dict[str, str] = {}
    called: dict[str, dict[str, None]] = {}
    kept: dict[str, list[tuple[int, Annotation]]] = {}
    for row in rows:
        key = same.get(row.disease, row.disease)
        codes.setdefault(key, {}).setdefault(row.disease)
        called.setdefault(key, {}).setdefault(row.name)
        if row.disease == key or key not in names:
            names[key] = row.name
        current = terminology.current(row.term)
        if row.aspect == "P" and current is not None:
            kept.setdefault(key, []).append((_row(terminology, current), row))
    ordered = sorted(kept, key=lambda key: (key.partition(":")[0], key))
    numbers = {key: number for number, key in enumerate(ordered)}
    levels = {
        numbers[same.get(code, code)]: PREVALENCES[said]
        for code, said in prevalence.items()
        if same.get(code, code) in numbers and said in PREVALENCES
    }
    pairs = [(numbers[key], term, row) for key in ordered for term, row in kept[key]]
    frequencies = [_UNSAID if row.frequency is None else round(row.frequency * _STEPS) for *_, row in pairs]
    ancestors = _closure(terminology)
    feature = [
        _features([(term, row.frequency, row.patients) for term, row in kept[key]], ancestors.__getitem__)
        for key in ordered
    ]
    by_term: list[list[tuple[int, int]]] = [[] for _ in terminology.codes]
    for number, one in enumerate(feature):
        for term, share in one.propagated.items():
            by_term[term].append((number, max(1, round(share * _STEPS))))
    publications = [row.publications for *_, row in pairs]
    arrays = {
        "codes": texts(" ".join(codes[key]) for key in ordered),
        "names": texts(names[key] for key in ordered),
        "other_names": texts(
            "\t".join(name for name in called[key] if name != names[key]) for key in ordered
        ),
        "families": np.array(_families([names[key] for key in ordered]), np.int32),
        "prevalence": np.array([levels.get(number, 0) for number in range(len(ordered))], np.uint8),
        "row_diseases": np.array([number for number, *_ in pairs], np.uint16),
        "row_terms": np.array([term for _, term, _ in pairs], np.uint16),
        "row_frequencies": np.array(frequencies, np.uint8),
        "row_patients": np.array([min(row.patients, 255) for *_, row in pairs], np.uint8),
        **flat("publications", publications, np.int32),
        **flat("ancestors", ancestors, np.uint16),
        **flat("holders", [[number for number, _ in each] for each in by_term], np.uint16),
        "shares": np.array([share for each in by_term for _, share in each], np.uint8),
        "asserted_terms": np.array([term for one in feature for term in one.asserted], np.uint16),
        "asserted_shares": np.array(
            [share for one in feature for share in one.asserted.values()], np.float32
        ),
        "asserted_starts": np.cumsum([0, *(len(one.asserted) for one in feature)], dtype=np.int32),
    }
    about = {"format": _FORMAT, "release": release, "source": source, "terminology": terminology.release}
    write_arrays(path, about, arrays)
    return len(ordered)


def _same_by_name(rows: Iterable[Annotation], same: Mapping[str, str]) -> dict[str, str]:
    """Codes of other sources, not in `same`, by the one OMIM code that goes by the same name."""
    names = {row.disease: " ".join(re.findall(r"[^\W_]+", row.name.casefold())) for row in rows}
    known: dict[str, list[str]] = {}
    for code, name in names.items():
        if code.startswith("OMIM:"):
            known.setdefault(name, []).append(code)
    return {
        code: known[name][0]
        for code, name in names.items()
        if not code.startswith("OMIM:") and code not in same and len(known.get(name, ())) == 1
    }


def _row(terminology: Terminology, code: str) -> int:
    row = terminology.row(code)
    assert row is not None
    return row


def _closure(terminology: Terminology) -> list[list[int]]:
    """For each row itself and all above it."""
    known: dict[int, frozenset[int]] = {}

    def above(row: int) -> frozenset[int]:
        if row not in known:
            known[row] = frozenset({row}).union(*(above(parent) for parent in terminology.parents(row)))
        return known[row]

    return [sorted(above(row)) for row in range(len(terminology.codes))]


def _features(
    rows: Iterable[tuple[int, float | None, int]], above: Callable[[int], Iterable[int]]
) -> Features:
    """Counted patients weigh by their number, with a few supposed ones; a higher class that is said goes
    before."""
    said: dict[int, list[tuple[float | None, int]]] = {}
    for term, frequency, patients in rows:
        said.setdefault(term, []).append((frequency, patients))
    asserted = dict[int, float]()
    for term, each in said.items():
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
    return Features(asserted, _propagated(asserted, above))


def _propagated(asserted: Mapping[int, float], above: Callable[[int], Iterable[int]]) -> dict[int, float]:
    """Who has a term has all above it, at least as often."""
    propagated = dict[int, float]()
    for term, share in asserted.items():
        for one in above(term):
            propagated[one] = max(share, propagated.get(one, 0.0))
    return propagated


def _families(names: Sequence[str]) -> list[int]:
    """A number for each family of two or more, -1 for what stands alone."""
    members: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        members.setdefault(family_of(name), []).append(number)
    found = [-1] * len(names)
    for family, (_, each) in enumerate(
        (stem, each) for stem, each in members.items() if stem and len(each) > 1
    ):
        for number in each:
            found[number] = family
    return found


class Diseases:
    """The index, each part read when it is first asked for; diseases go by their numbers.

    Raises TerminologyError where the file is absent or damaged, or made for another release of the
    terminology than `terminology`.
    """

    def __init__(self, path: Path, terminology: Terminology) -> None:
        self._file = ArrayFile(path, _FORMAT)
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
        import numpy as np

        starts, rows = self.all_ancestors
        order = np.argsort(rows, kind="stable")
        below = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[order]
        counts = np.bincount(rows, minlength=len(starts) - 1)
        return [0, *np.cumsum(counts).tolist()], below

    @cached_property
    def _holders(self) -> tuple[list[int], Rows, Numbers]:
        import numpy as np

        shares = self._file.array("shares") / np.float32(_STEPS)
        return (
            self._file.array("holders_starts").tolist(),
            self._file.array("holders").astype(np.intp),
            shares,
        )

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many diseases have each term or one below it."""
        import numpy as np

        return np.diff(self._holders[0])

    @cached_property
    def information(self) -> Numbers:
        """The information content of each term: -ln(diseases with it / all); of one that none has as of half
        a disease."""
        import numpy as np

        content: Numbers = -np.log(np.maximum(self.counts, 0.5) / len(self)).astype(np.float32)
        return np.maximum(content, 0)

    @cached_property
    def background(self) -> Numbers:
        """The mean share of each term over all diseases."""
        import numpy as np

        starts, _, shares = self._holders
        sums = np.concatenate([[0.0], np.cumsum(shares, dtype=np.float64)])
        means: Numbers = ((sums[starts[1:]] - sums[starts[:-1]]) / len(self)).astype(np.float32)
        return means

    def column(self, term: int) -> tuple[Rows, Numbers]:
        """The diseases with a term (or one below it), and the share of patients with it in each."""
        starts, holders, shares = self._holders
        return holders[starts[term] : starts[term + 1]], shares[starts[term] : starts[term + 1]]

    @cached_property
    def contents(self) -> Numbers:
        """The information content of all that each disease is known for, by share."""
        import numpy as np

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
        return Features(asserted, _propagated(asserted, lambda term: self.ancestors(term).tolist()))

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
        import numpy as np

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
        import numpy as np

        rows = self._rows
        cited = np.flatnonzero(np.isin(rows["publications"], list(publications)))
        gone = np.unique(np.searchsorted(rows["publications_starts"], cited, side="right") - 1)
        left: dict[int, Features] = {}
        for disease in np.unique(rows["row_diseases"][gone]).tolist():
            stay = np.setdiff1d(np.flatnonzero(rows["row_diseases"] == disease), gone)
            terms, shares, patients = (
                rows[key][stay].tolist() for key in ("row_terms", "row_frequencies", "row_patients")
            )
            said = [None if share == _UNSAID else share / _STEPS for share in shares]
            left[disease] = _features(
                zip(terms, said, patients, strict=True), lambda term: self.ancestors(term).tolist()
            )
        return left, len(gone)
