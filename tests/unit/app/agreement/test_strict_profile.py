"""The strict profile pairs one to one, counts misses and never rewards silence."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from app.agreement.compare import compare
from app.agreement.measures import BY_KEY
from app.agreement.types import PROFILES, Agreement, Profile, ReportPair
from extractors.model.errors import UnknownNameError
from tests.unit.app.agreement.table import pair

SYMMETRIC = ("tsr", "levenshtein", "exact_match", "rouge_l", "f1", "span_f1", "span_f1_overlap")
QUOTES = st.lists(
    st.one_of(
        st.sampled_from(["fever", "no fever", "Fever!", "rash", "+++", "a b c d e", "a b c d f"]),
        st.text(max_size=9),
    ),
    max_size=4,
)


def strict(*reports: ReportPair) -> Agreement:
    return compare(reports, ("A",), "left", "right", "strict", resamples=20)


def plain(text: str) -> str:
    return " ".join(text.split()) or text


def scores(left: list[str], right: list[str]) -> dict[str, float | None]:
    return dict(strict(pair({"A": left}, {"A": right})).categories["A"].scores)


@given(QUOTES, QUOTES)
def test_every_score_is_undefined_or_within_its_bounds(left: list[str], right: list[str]) -> None:
    for key, score in scores(left, right).items():
        assert score is None or 0 <= score <= BY_KEY[key].top, key


@given(QUOTES, QUOTES)
def test_exchanging_the_sides_exchanges_precision_and_recall_and_nothing_else(
    left: list[str], right: list[str]
) -> None:
    one, other = scores(left, right), scores(right, left)
    assert [one[key] for key in SYMMETRIC] == pytest.approx([other[key] for key in SYMMETRIC])
    assert (one["precision"], one["recall"]) == pytest.approx((other["recall"], other["precision"]))


@given(QUOTES.filter(bool))
def test_a_side_agrees_fully_with_itself(quotes: list[str]) -> None:
    for key, score in scores(quotes, quotes).items():
        if not BY_KEY[key].error and not key.startswith(("span", "concept")):
            assert score == pytest.approx(BY_KEY[key].top), key


@pytest.mark.parametrize("profile", PROFILES)
def test_signs_without_words_agree_with_no_other_by_any_measure(profile: Profile) -> None:
    told = compare([pair({"A": ["+++"]}, {"A": ["---"]})], ("A",), "left", "right", profile, resamples=20)
    found = {key: score for key, score in told.categories["A"].scores.items() if not BY_KEY[key].error}
    assert {score for score in found.values() if score is not None} == {0}, found


@given(QUOTES, QUOTES.flatmap(lambda quotes: st.tuples(st.just(quotes), st.permutations(quotes))))
def test_the_order_of_quotes_does_not_matter_to_pairing(
    left: list[str], orders: tuple[list[str], list[str]]
) -> None:
    one, other = (scores(left, order) for order in orders)
    for key in ("tsr", "levenshtein", "exact_match", "precision", "recall", "f1"):
        assert one[key] == pytest.approx(other[key]), key


@given(
    st.lists(st.text("ab ", min_size=1, max_size=5), min_size=1, max_size=4),
    st.text("ab ", min_size=1, max_size=5),
)
def test_f1_takes_the_best_of_all_pairings(left: list[str], extra: str) -> None:
    right = [quote[::-1] for quote in left] + [extra]
    best = max(
        sum([Indel.normalized_similarity(plain(a), plain(b)) for a, b in zip(left, order, strict=False)])
        for order in permutations(right)
    )
    assert scores(left, right)["f1"] == pytest.approx(2 * best / (len(left) + len(right)))


def test_a_sprayed_sentence_cannot_be_matched_twice() -> None:
    found = scores(["fever and cough"], ["fever", "cough"])
    assert found["exact_match"] == 0.0
    assert found["precision"] == pytest.approx(2 * 5 / 20)
    assert found["recall"] == pytest.approx(2 * 5 / 20 / 2)


def test_scores_by_hand() -> None:
    found = scores(["fever", "rash"], ["fever", "cough", "rash "])
    assert found["precision"] == 1.0
    assert found["recall"] == pytest.approx(2 / 3)
    assert found["f1"] == pytest.approx(4 / 5)
    assert found["exact_match"] == pytest.approx(2 / 5)
    assert scores(["rash", "rash"], ["rash", "rash", "fever"])["exact_match"] == pytest.approx(4 / 5)
    assert found["tsr"] == pytest.approx(2 * 200 / 5)
    assert found["levenshtein"] == pytest.approx(2 * 1.8 / 5)


def test_agreed_silence_is_left_out_and_counted() -> None:
    silent, found = pair({"A": []}, {"A": []}), pair({"A": ["x"]}, {"A": ["y"]})
    row = strict(silent, found, silent).categories["A"]
    assert (row.n, row.empty, row.scores["tsr"]) == (3, 2, 0.0)


def test_silence_alone_is_undefined_with_a_reason() -> None:
    row = strict(pair({"A": []}, {"A": []})).categories["A"]
    for key in (
        "tsr",
        "levenshtein",
        "exact_match",
        "bleu_1",
        "bleu_4",
        "rouge_l",
        "precision",
        "recall",
        "f1",
    ):
        assert row.scores[key] is None
        assert row.reasons[key] == "Neither left nor right found anything in any report."


def test_a_miss_counts_as_zero() -> None:
    row = strict(pair({"A": ["x"]}, {"A": ["x"]}), pair({"A": []}, {"A": ["x"]})).categories["A"]
    assert (row.scores["tsr"], row.scores["recall"], row.scores["precision"]) == (50.0, 0.5, 1.0)


def test_precision_is_undefined_where_the_left_found_nothing() -> None:
    row = strict(pair({"A": []}, {"A": ["x"]})).categories["A"]
    assert (row.scores["precision"], row.scores["recall"], row.scores["f1"]) == (None, 0.0, 0.0)
    assert row.reasons["precision"] == "left found nothing in any report."


def test_reports_and_all_together_are_scored_too() -> None:
    agreement = strict(pair({"A": ["x"]}, {"A": ["x"]}, "1"), pair({"A": ["x", "y"]}, {"A": []}, "2"))
    assert [(row.key, row.row.scores["f1"]) for row in agreement.reports] == [("1", 1.0), ("2", 0.0)]
    assert agreement.pooled.scores["f1"] == pytest.approx(2 / 4)


@pytest.mark.parametrize(("profile", "overlap"), [("best", 0.5), ("strict", 0.0), ("strict", 1.5)])
def test_an_unknown_profile_or_a_senseless_overlap_is_refused(profile: str, overlap: float) -> None:
    with pytest.raises(UnknownNameError, match="choose"):
        compare([], ("A",), "left", "right", profile, overlap=overlap)  # type: ignore[arg-type]
