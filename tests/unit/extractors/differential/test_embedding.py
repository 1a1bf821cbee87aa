"""The graph of terms and diseases, walks that prefer what tells most, and vectors made once of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from extractors.differential.embedding import (
    Embedding,
    Graph,
    Walking,
    graph_of,
    kept_embedding,
    make_embedding,
    path_of,
    walks,
)
from extractors.differential.neighbours import clusters, embedded, similarities, term_vectors
from extractors.differential.ranking import shipped_ranker
from extractors.terminology.library import FOLDER

_DISEASES = shipped_ranker().diseases
_TERMS = len(_DISEASES.information)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return graph_of(_DISEASES)


def _row(code: str) -> int:
    row = _DISEASES.terminology.row(code)
    assert row is not None
    return row


def test_a_term_leads_up_down_and_to_its_diseases_by_information_content(graph: Graph) -> None:
    term = _row("HP:0001083")
    start, end = graph.starts[term], graph.starts[term + 1]
    near = graph.near[start:end]
    weights = np.diff(np.concatenate([[0.0], graph.sums]))[start:end]
    parents = set(_DISEASES.terminology.parents(term))
    below = set(_DISEASES.terminology.children[term])
    assert parents | below == set(near[near < _TERMS].tolist())
    assert _DISEASES.numbers["OMIM:154700"] + _TERMS in near
    content = np.append(_DISEASES.information, _DISEASES.information[term])
    expected = content[np.where(near < _TERMS, near, _TERMS)]
    assert weights == pytest.approx(np.maximum(expected, 1e-3), abs=1e-6)


def test_walks_follow_edges_and_take_them_as_often_as_they_weigh() -> None:
    # From 0 to 1 (1 of 4) or to 2 (3 of 4), and back.
    graph = Graph(
        np.array([0, 2, 3, 4]), np.array([1, 2, 0, 0], np.int32), np.cumsum(np.array([1.0, 3.0, 2.0, 2.0]))
    )
    steps = Counter(
        int(walk[step + 1])
        for found in walks(graph, 400, 5, 3)
        for walk in found
        for step in range(4)
        if walk[step] == 0
    )
    assert set(steps) == {1, 2}
    assert steps[2] / steps.total() == pytest.approx(0.75, abs=0.03)


def test_every_node_with_an_edge_begins_a_walk_in_each_round(graph: Graph) -> None:
    (found,) = walks(graph, 1, 3, 1)
    assert sorted(found[:, 0].tolist()) == np.flatnonzero(np.diff(graph.starts)).tolist()


def _made(job: Generator[Any, None, Embedding]) -> Embedding:
    while True:
        try:
            next(job)
        except StopIteration as end:
            made: Embedding = end.value
            return made


def test_one_seed_gives_the_same_vectors_twice_and_they_are_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    how = Walking(1, 2, seed=4, length=5, dimensions=8)
    assert kept_embedding(_DISEASES, how) is None
    made = _made(make_embedding(_DISEASES, how))
    kept = kept_embedding(_DISEASES, how)
    assert kept is not None
    assert np.array_equal(kept.vectors, made.vectors)
    assert kept.vectors.shape == (_TERMS, 8)
    assert {"seed", "number", "window", "sha256", "seconds", "hpo"} <= kept.about.keys()
    path_of(_DISEASES, how).unlink()
    assert _made(make_embedding(_DISEASES, how)).about["sha256"] == kept.about["sha256"]
    assert path_of(_DISEASES, Walking(1, 2, seed=5, length=5, dimensions=8)) != path_of(_DISEASES, how)
    newer = copy(_DISEASES)
    newer.release = "another"
    assert path_of(newer, how) != path_of(_DISEASES, how)
    newer.release, newer.terminology = _DISEASES.release, copy(_DISEASES.terminology)
    newer.terminology.release = "another"
    assert path_of(newer, how) != path_of(_DISEASES, how)
    path_of(_DISEASES, how).write_bytes(b"damaged")
    assert kept_embedding(_DISEASES, how) is None


def test_a_patient_is_the_mean_of_his_terms_by_information_content() -> None:
    vectors = np.zeros((_TERMS, 2), np.float32)
    one, other = _row("HP:0001083"), _row("HP:0001250")
    vectors[one, 0], vectors[other, 1] = 1, 1
    content = _DISEASES.information[[one, other]]
    found = embedded(_DISEASES, vectors, [["HP:0001083", "HP:0001250"], ["HP:none"]])
    assert found[0] == pytest.approx(content / content.sum())
    assert found[1].tolist() == [0, 0]


def test_similarity_is_the_cosine_or_the_plain_product() -> None:
    one, other = np.array([[1.0, 1.0]], np.float32), np.array([[3.0, 3.0], [1.0, 0.0]], np.float32)
    assert similarities(one, other, cosine=True)[0] == pytest.approx([1, 0.5**0.5])
    assert similarities(one, other, cosine=False)[0].tolist() == [6, 1]
    patients = term_vectors(_DISEASES, [["HP:0001083"], ["HP:0001083"], ["HP:0001250"]])
    same, part = similarities(patients[[0]], patients, cosine=True)[0][1:]
    assert same == pytest.approx(1)
    assert part < 0.1
    above = _DISEASES.terminology.codes[_DISEASES.terminology.parents(_row("HP:0001083"))[0]]
    assert similarities(patients[[0]], term_vectors(_DISEASES, [[above]]), cosine=True)[0, 0] > 0.5


def test_clusters_part_what_is_unlike_and_name_the_middle_first() -> None:
    eye, heart = ["HP:0001083"], ["HP:0002616"]
    patients = [eye, heart, [*eye, "HP:0000518"], heart, ["HP:0000518"]]
    found = clusters(term_vectors(_DISEASES, patients), 2, 1)
    assert sorted(map(sorted, found)) == [[0, 2, 4], [1, 3]]
    assert next(rows[0] for rows in found if 2 in rows) == 2
    assert len(clusters(term_vectors(_DISEASES, [eye, eye]), 3, 1)) == 1


def test_a_term_that_a_patient_has_under_two_codes_counts_once() -> None:
    merged, current = "HP:0000038", "HP:0000054"
    vectors = np.zeros((_TERMS, 2), np.float32)
    vectors[_row(current), 0], vectors[_row("HP:0001083"), 1] = 1, 1
    once, twice = [current, "HP:0001083"], [current, merged, "HP:0001083", current, "HP:none"]
    found = embedded(_DISEASES, vectors, [once, twice, [merged, "HP:0001083"]])
    assert found[0].all()
    assert found.tolist() == [found[0].tolist()] * 3
    sparse = term_vectors(_DISEASES, [once, twice]).toarray()
    assert sparse[0].tolist() == sparse[1].tolist()
