"""Patients as vectors of their findings, and how alike they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from extractors.differential.index import Diseases, Numbers

_SAME, _ROUNDS = 1 - 1e-9, 100


def term_vectors(diseases: Diseases, patients: Sequence[Sequence[str]]) -> csr_array:
    """A row for each patient (codes of findings), with the information content of each term and of all that
    stand above it."""
    import numpy as np
    from scipy.sparse import csr_array

    rows, terms = [], []
    for patient, codes in enumerate(patients):
        found = {above for row in _rows(diseases, codes) for above in diseases.ancestors(row).tolist()}
        rows += [patient] * len(found)
        terms += sorted(found)
    weights = diseases.information[np.array(terms, np.intp)]
    return csr_array((weights, (rows, terms)), shape=(len(patients), len(diseases.information)))


def embedded(diseases: Diseases, vectors: Numbers, patients: Sequence[Sequence[str]]) -> Numbers:
    """A row for each patient: the mean of the terms' vectors, weighted by information content
    (sum IC(t) f(t) / sum IC(t), Chen et al., KDD 2024)."""
    import numpy as np

    found = np.zeros((len(patients), vectors.shape[1]), np.float32)
    for patient, codes in enumerate(patients):
        rows = _rows(diseases, codes)
        weights = diseases.information[rows]
        if weights.sum() > 0:
            found[patient] = weights @ vectors[rows] / weights.sum()
    return found


def _rows(diseases: Diseases, codes: Sequence[str]) -> list[int]:
    terminology = diseases.terminology
    rows = (terminology.row(terminology.current(code) or "") for code in codes)
    return list(dict.fromkeys(row for row in rows if row is not None))


def similarities(vectors: csr_array | Numbers, others: csr_array | Numbers, *, cosine: bool) -> Numbers:
    """Of each row the similarity to each of the others: the cosine, or the plain dot product."""
    import numpy as np

    product = vectors @ others.T
    dense: Numbers = np.asarray(product if isinstance(product, np.ndarray) else product.toarray())
    if cosine:
        dense = dense / (_lengths(vectors)[:, None] * _lengths(others)[None, :] + 1e-12)
    return dense


def _lengths(vectors: csr_array | Numbers) -> Numbers:
    import numpy as np

    given: Any = vectors
    lengths: Numbers = np.sqrt(np.asarray((given * given).sum(axis=1)).ravel())
    return lengths


def clusters(vectors: csr_array, number: int, seed: int) -> list[list[int]]:
    """The rows in up to so many clusters of like direction (k-means by cosine), of each those next to its
    middle first. A first middle is drawn, each further one is the row least like those before."""
    import numpy as np

    used = np.unique(vectors.indices)
    dense = vectors[:, used].toarray().astype(np.float64)
    dense /= np.linalg.norm(dense, axis=1, keepdims=True) + 1e-12
    middles = dense[[int(np.random.default_rng(seed).integers(len(dense)))]]
    while len(middles) < number:
        like = (dense @ middles.T).max(axis=1)
        if like.min() > _SAME:
            break
        middles = np.vstack([middles, dense[like.argmin()]])
    of = (dense @ middles.T).argmax(axis=1)
    for _ in range(_ROUNDS):
        sums = np.array([dense[of == one].sum(axis=0) for one in range(len(middles))])
        middles = sums / (np.linalg.norm(sums, axis=1, keepdims=True) + 1e-12)
        before, of = of, (dense @ middles.T).argmax(axis=1)
        if (of == before).all():
            break
    like = np.round((dense @ middles.T)[np.arange(len(of)), of], 9)
    found = [np.flatnonzero(of == one) for one in range(len(middles))]
    return [rows[np.argsort(-like[rows], kind="stable")].tolist() for rows in found if len(rows)]
