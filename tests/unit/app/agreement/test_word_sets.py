"""Bounds of token set ratios are never below them, and rule out most pairs of a real table."""

from __future__ import annotations

from itertools import chain, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from app.agreement.likeness.pairs import Pairs, WordSets, prepared, token_set_bounds, word_sets
from tests.unit.app.agreement.table import side

WORDS = "a ab abc b ba bab c cab w001 w010 w100 β 𝐀 _ no fever fevers".split()
TEXTS = st.lists(
    st.one_of(
        st.text(max_size=12).map(lambda text: prepared([[text]])[0][0]),
        st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join),
    ),
    min_size=1,
    max_size=6,
)
CELLS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3)
Cells = list[tuple[list[str], list[str]]]


def all_pairs(cells: Cells) -> tuple[WordSets, Pairs]:
    """The texts of a table as word sets, and every pair of every cell."""
    texts = [
        *chain.from_iterable(left for left, _ in cells),
        *chain.from_iterable(right for _, right in cells),
    ]
    first_right = sum(len(left) for left, _ in cells)
    pairs: list[tuple[int, int]] = []
    ours, theirs = 0, first_right
    for left, right in cells:
        pairs += product(range(ours, ours + len(left)), range(theirs, theirs + len(right)))
        ours, theirs = ours + len(left), theirs + len(right)
    of_left = [number for number, (left, _) in enumerate(cells) for _ in left]
    of_right = [number for number, (_, right) in enumerate(cells) for _ in right]
    rows, columns = np.array(pairs).T
    return word_sets(texts), Pairs(rows, columns, np.array(of_left + of_right), first_right)


def bounds_and_ratios(cells: Cells) -> tuple[list[float], list[float]]:
    sets, pairs = all_pairs(cells)
    texts = [(sets.texts[a], sets.texts[b]) for a, b in zip(pairs.left, pairs.right, strict=True)]
    common = np.array([float(LCSseq.similarity(a, b)) for a, b in texts])
    ratios = [fuzz.token_set_ratio(a, b) for left, right in cells for a, b in product(left, right)]
    return token_set_bounds(sets, pairs, common).tolist(), ratios


@given(TEXTS)
def test_word_sets_are_the_distinct_words_in_order(texts: list[str]) -> None:
    sets = word_sets(texts)
    expected = [sorted(set(text.split())) for text in texts]
    assert sets.texts == [" ".join(words) for words in expected]
    assert np.diff(sets.starts).tolist() == [len(words) for words in expected]
    sizes = sets.sizes[sets.words].tolist()
    assert sizes == [len(word) + 1 for words in expected for word in words]


@given(CELLS)
def test_a_ratio_is_never_above_its_bound(cells: Cells) -> None:
    bounds, ratios = bounds_and_ratios(cells)
    assert all(bound + 1e-9 >= ratio for bound, ratio in zip(bounds, ratios, strict=True))


def test_words_that_one_side_has_all_of_make_the_bound_exact() -> None:
    bounds, ratios = bounds_and_ratios([(["no fever at all", "x"], ["fever no", "y"])])
    assert bounds == ratios == [100.0, 0.0, 0.0, 0.0]


def test_words_shared_with_another_cell_raise_no_bound() -> None:
    alone, _ = bounds_and_ratios([(["aaaa bbbb"], ["cccc dddd"])])
    with_others, _ = bounds_and_ratios([(["aaaa bbbb"], ["cccc dddd"]), (["cccc"], ["aaaa"])])
    assert with_others[0] == alone[0]


def test_bounds_rule_out_most_pairs_of_a_large_table() -> None:
    rows = zip(side(1, 6), side(2, 6), strict=True)
    cells = [(ours["Lab_Image"], theirs["Lab_Image"]) for ours, theirs in rows if ours["Lab_Image"]]
    bounds, ratios = bounds_and_ratios(cells)
    hopeless, start = 0, 0
    for left, right in cells:
        for _ in left:
            best = max(ratios[start : start + len(right)])
            hopeless += sum(bound < best for bound in bounds[start : start + len(right)])
            start += len(right)
    assert hopeless > 0.7 * len(ratios)
