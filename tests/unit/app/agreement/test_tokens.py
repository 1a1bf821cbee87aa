"""Kappa and alpha on tokens say what independent implementations say, and nothing where there is 0/0."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from itertools import permutations
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agreement.compare import compare
from app.agreement.comparison import TokenCounts, count_tokens, tokens_of
from app.agreement.measures import BY_KEY, Place, shown_in
from app.agreement.output.tables import to_csv, to_json, to_table
from app.agreement.statistics.chance import cohen_kappa, krippendorff_alpha, ordinal
from app.agreement.types import PROFILES, Agreement, Item, ReportPair

RATINGS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), max_size=30)
COUNTS = st.tuples(*[st.integers(0, 40)] * 4)
TEXT = "The patient, 54, has fever."
# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): two observers, ten binary units (0.095);
# four observers with values missing (0.743 nominal, 0.815 ordinal).
BINARY = ("0100000000", "1110010100")
FOUR = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


def by_coincidences(units: list[list[str]]) -> float | None:
    """Nominal alpha from the matrix of coincidences, as the textbook lays it out, in matrices."""
    units = [unit for unit in units if len(unit) > 1]
    values = sorted({value for unit in units for value in unit})
    matrix = np.zeros((len(values), len(values)))
    for unit in units:
        for one, other in permutations(range(len(unit)), 2):
            matrix[values.index(unit[one]), values.index(unit[other])] += 1 / (len(unit) - 1)
    margins, every = matrix.sum(axis=0), matrix.sum()
    expected = (every**2 - (margins**2).sum()) / (every - 1) if every > 1 else 0.0
    return None if not expected else float(1 - (every - np.trace(matrix)) / expected)


def pairs_of(counts: tuple[int, ...]) -> list[tuple[int, int]]:
    return [pair for pair, number in zip(((1, 1), (1, 0), (0, 1), (0, 0)), counts, strict=True)
            for _ in range(number)]  # fmt: skip


def value(key: str, *vectors: tuple[float, ...]) -> float | None:
    found = float(BY_KEY[key].value(*np.array(vectors, float).sum(axis=0)[:, None])[0])
    return None if np.isnan(found) else found


def report(left: tuple[Item, ...], right: tuple[Item, ...], key: str = "1", text: str = TEXT) -> ReportPair:
    return ReportPair(key, "T", {"Neuro": left}, {"Neuro": right}, text)


def compared(*reports: ReportPair, resamples: int = 50) -> Agreement:
    return compare(reports, ("Neuro",), "ann", "ben", "strict", resamples=resamples)


@given(RATINGS)
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    found = cohen_kappa(pairs)
    if not pairs or len({rating for pair in pairs for rating in pair}) == 1:
        assert found is None
    else:
        metrics: Any = importlib.import_module("sklearn.metrics")  # comes without types
        assert found == pytest.approx(metrics.cohen_kappa_score(*zip(*pairs, strict=True)))


@given(RATINGS)
def test_alpha_is_that_of_the_matrix_of_coincidences(pairs: list[tuple[str, str]]) -> None:
    assert krippendorff_alpha(pairs) == pytest.approx(by_coincidences([list(pair) for pair in pairs]))


def test_alpha_is_that_of_the_published_examples() -> None:
    binary = krippendorff_alpha(list(zip(*BINARY, strict=True)))
    units = [[int(value) for value in unit if value != "."] for unit in zip(*FOUR, strict=True)]
    assert binary is not None
    assert round(binary, 3) == 0.095
    assert round(krippendorff_alpha(units) or 0.0, 3) == 0.743
    assert round(krippendorff_alpha(units, ordinal) or 0.0, 3) == 0.815


@given(COUNTS, COUNTS)
def test_sums_of_what_reports_add_come_to_the_score_of_all_their_tokens(
    one: tuple[int, ...], other: tuple[int, ...]
) -> None:
    pairs = [*pairs_of(one), *pairs_of(other)]
    assert value("cohen_kappa", one, other) == pytest.approx(cohen_kappa(pairs))
    vectors = [(2 * a + b + c, b + c + 2 * d, b + c) for a, b, c, d in (one, other)]
    assert value("krippendorff_alpha", *vectors) == pytest.approx(krippendorff_alpha(pairs))


def test_words_numbers_and_signs_are_tokens_and_blanks_are_not() -> None:
    starts, ends = tokens_of(TEXT)
    assert [TEXT[a:b] for a, b in zip(starts, ends, strict=True)] == [
        "The", "patient", ",", "54", ",", "has", "fever", ".",
    ]  # fmt: skip


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("ab1_é \n\u0660\u0a66\u3000-.")))
def test_any_letters_and_signs_are_told_apart_as_regular_expressions_do(text: str) -> None:
    found = [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]
    assert tokens_of("a_b1 ß.") == ([0, 5, 6], [4, 6, 7])
    assert tokens_of(text) == ([start for start, _ in found], [end for _, end in found])


@given(st.lists(st.tuples(st.integers(0, 27), st.integers(1, 9)), max_size=4))
def test_a_token_is_in_the_category_as_soon_as_a_span_covers_one_of_its_characters(
    spans: list[tuple[int, int]],
) -> None:
    items = tuple(Item("x", start, start + length) for start, length in spans)
    tokens = tokens_of(TEXT)
    covered = {place for start, length in spans for place in range(start, start + length)}
    expected = Counter(bool(covered & set(range(a, b))) for a, b in zip(*tokens, strict=True))
    assert count_tokens(tokens, items, ()) == TokenCounts(0, expected[True], 0, expected[False])
    assert count_tokens(tokens, items, items) == TokenCounts(expected[True], 0, 0, expected[False])


def test_a_comparison_has_both_with_intervals_where_the_texts_are_known() -> None:
    ours, theirs = (Item("fever", 21, 26),), (Item("has fever", 17, 26),)
    found = compared(*(report(ours, theirs, str(number)) for number in range(6)))
    # Of eight tokens one is marked by both, one by the right alone.
    pairs = [(1, 1), (0, 1), *[(0, 0)] * 6] * 6
    row = to_json(found)["categories"]["Neuro"]
    assert row["cohen_kappa"] == pytest.approx(cohen_kappa(pairs))
    assert row["krippendorff_alpha"] == pytest.approx(krippendorff_alpha(pairs))
    low, high = row["intervals"]["cohen_kappa"]
    assert low <= row["cohen_kappa"] <= high
    assert found.average.scores["cohen_kappa"] == row["cohen_kappa"]
    bare = report(ours, theirs, "7", text="")
    assert "cohen_kappa" not in compared(bare).average.scores
    assert "cohen_kappa" in compared(bare, report(ours, theirs)).average.scores


def test_nothing_over_nothing_is_undefined_with_a_reason() -> None:
    silent = compared(report((), ())).categories["Neuro"]
    everything = (Item(TEXT, 0, len(TEXT)),)
    whole = compared(report(everything, everything)).categories["Neuro"]
    unplaced = compared(report((Item("fever"),), everything)).categories["Neuro"]
    for key in ("cohen_kappa", "krippendorff_alpha"):
        assert [row.scores[key] for row in (silent, whole, unplaced)] == [None, None, None]
        assert silent.reasons[key] == "Neither ann nor ben found anything in any report."
        assert "all of them are rated alike by both" in whole.reasons[key]
        assert unplaced.reasons[key] == "No quote of ann has a place in the text."


def test_the_terminal_shows_them_on_demand_and_csv_keeps_its_columns() -> None:
    found = compared(report((Item("fever", 21, 26),), (Item("has fever", 17, 26),)))
    assert "kappa" not in to_table(found)
    assert " kappa alpha " in " ".join(to_table(found, tokens=True).split())
    assert "kappa" not in to_csv(found)


@pytest.mark.parametrize("place", get_args(Place))
def test_no_place_shows_a_measure_that_its_profile_lacks_or_that_is_not_worked_out_for_it(
    place: Place,
) -> None:
    for profile in PROFILES:
        for measure in shown_in(place, profile):
            assert measure.explanation(profile)
            assert not measure.tokens or place in ("tokens", "page", "figure"), f"{measure.key} needs texts"
            assert not measure.slow or place != "pairs", f"{measure.key} is slow"
