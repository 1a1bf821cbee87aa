"""Writing the index of all diseases, from annotations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from extractors.differential.families import family_of
from extractors.differential.index import FORMAT, STEPS, UNSAID, features_of
from extractors.differential.synonyms import synonyms_of
from extractors.evidence.hpoa import Annotation
from extractors.grouping import grouped
from extractors.terminology.arrays import Array, flat, texts, write_arrays

if TYPE_CHECKING:
    from extractors.terminology.concept import Concept
    from extractors.terminology.index import Terminology

# The middles of Orphanet's classes of prevalence, as powers of ten a million.
PREVALENCES = {
    ">1 / 1000": 6,
    "6-9 / 10 000": 5,
    "1-5 / 10 000": 4,
    "1-9 / 100 000": 3,
    "1-9 / 1 000 000": 2,
    "<1 / 1 000 000": 1,
}


def write_diseases(
    path: Path,
    release: str,
    source: str,
    terminology: Terminology,
    rows: Iterable[Annotation],
    same: Mapping[str, str],
    prevalence: Mapping[str, str],
    named: Iterable[Concept] = (),
    genes: Iterable[tuple[str, str]] = (),
) -> int:
    """Write the index of all diseases of `rows`; returns how many.

    `same` gives codes that name the same disease as another (ORPHA -> OMIM), `prevalence` classes by code,
    `named` what the diseases are called besides, `genes` each with a code of its diseases.
    A disease of another source that has the very name of one of OMIM's is the same as well.
    Only phenotypic abnormalities count for a ranking.
    """
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
        numbers[same.get(code, code)]: PREVALENCES[value]
        for code, value in prevalence.items()
        if same.get(code, code) in numbers and value in PREVALENCES
    }
    pairs = [(numbers[key], term, row) for key in ordered for term, row in kept[key]]
    frequencies = [UNSAID if row.frequency is None else round(row.frequency * STEPS) for *_, row in pairs]
    ancestors = _closure(terminology)
    feature = [
        features_of([(term, row.frequency, row.patients) for term, row in kept[key]], ancestors.__getitem__)
        for key in ordered
    ]
    by_term: list[list[tuple[int, int]]] = [[] for _ in terminology.codes]
    for number, one in enumerate(feature):
        for term, share in one.propagated.items():
            by_term[term].append((number, max(1, round(share * STEPS))))
    publications = [row.publications for *_, row in pairs]
    caused: list[set[str]] = [set() for _ in ordered]
    for gene, code in genes:
        if (key := same.get(code, code)) in numbers:
            caused[numbers[key]].add(gene)
    synonyms = synonyms_of(named, [[*codes[key]] for key in ordered], [[*called[key]] for key in ordered])
    arrays: dict[str, Array] = {
        "codes": texts(" ".join(codes[key]) for key in ordered),
        "names": texts(names[key] for key in ordered),
        "other_names": texts(
            "\t".join(name for name in called[key] if name != names[key]) for key in ordered
        ),
        "synonyms": texts("\t".join(each) for each in synonyms),
        "genes": texts(" ".join(sorted(each)) for each in caused),
        "families": np.array(_families([names[key] for key in ordered]), np.int32),
        "prevalence": np.array([levels.get(number, 0) for number in range(len(ordered))], np.uint8),
        "papers": np.array(
            [len({paper for _, row in kept[key] for paper in row.publications}) for key in ordered], np.uint16
        ),
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
    about = {"format": FORMAT, "release": release, "source": source, "terminology": terminology.release}
    write_arrays(path, about, arrays)
    return len(ordered)


def _same_by_name(rows: Iterable[Annotation], same: Mapping[str, str]) -> dict[str, str]:
    """Codes of other sources, not in `same`, by the one OMIM code that goes by the same name."""
    names = {row.disease: " ".join(re.findall(r"[^\W_]+", row.name.casefold())) for row in rows}
    known = grouped((name, code) for code, name in names.items() if code.startswith("OMIM:"))
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


def _families(names: Sequence[str]) -> list[int]:
    """A number for each family of two or more, -1 for what stands alone."""
    members = grouped((family_of(name), number) for number, name in enumerate(names))
    found = [-1] * len(names)
    for family, (_, each) in enumerate(
        (stem, each) for stem, each in members.items() if stem and len(each) > 1
    ):
        for number in each:
            found[number] = family
    return found
