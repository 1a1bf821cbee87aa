"""BLEU and ROUGE-L over the joined quotes are the libraries' values and behave on short texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from app.agreement.likeness.joined import JoinedScores, joined_scores, shared_runs
from app.agreement.likeness.pairs import words

TEXTS = st.lists(
    st.lists(st.sampled_from("a b c d no fever".split()), min_size=1, max_size=9).map(" ".join), min_size=1
)


def _of_one(left: list[str], right: list[str]) -> JoinedScores:
    (found,) = joined_scores([left], [right])
    return found


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5))
def test_a_cell_is_scored_alike_whatever_is_scored_beside_it(
    cells: list[tuple[list[str], list[str]]],
) -> None:
    found = joined_scores([left for left, _ in cells], [right for _, right in cells])
    assert found == [_of_one(left, right) for left, right in cells]


@given(TEXTS, TEXTS)
def test_bleu_is_sacrebleus_sentence_score(left: list[str], right: list[str]) -> None:
    ours, theirs = " ".join(words(" ".join(left))), " ".join(words(" ".join(right)))
    found = _of_one(left, right)
    for order, score in ((1, found.bleu_1), (4, found.bleu_4)):
        bleu = BLEU(tokenize="none", effective_order=True, max_ngram_order=order)
        assert score == pytest.approx(bleu.sentence_score(ours, [theirs]).score / 100)


def test_by_hand() -> None:
    found = _of_one(["No fever,", "no cough"], ["no fever"])
    assert found.bleu_1 == pytest.approx(2 / 4)
    assert found.rouge_l == pytest.approx(2 * 2 / 6)


def test_a_left_that_is_shorter_pays_a_penalty() -> None:
    assert _of_one(["fever"], ["fever and rash"]).bleu_1 == pytest.approx(2.718281828 ** (1 - 3))


@pytest.mark.parametrize("quotes", [["x"], ["no fever"], ["+++"]])
def test_equal_texts_score_one_however_short(quotes: list[str]) -> None:
    found = _of_one(quotes, list(quotes))
    assert (found.bleu_1, found.bleu_4, found.rouge_l) == (1.0, 1.0, 1.0)


def test_texts_without_common_words_or_without_words_score_zero() -> None:
    for left, right in ((["x"], ["y"]), (["+++"], ["---"]), (["x"], ["---"])):
        found = _of_one(left, right)
        assert (found.bleu_1, found.bleu_4, found.rouge_l) == (0.0, 0.0, 0.0)


def test_runs_of_more_words_than_numbers_can_tell_apart_are_counted() -> None:
    many = [f"w{number}" for number in range(47_000)]
    assert len(many) ** 4 > 1 << 62
    assert shared_runs([many, many], [many, many[::-1]], 4) == [
        [47_000, 46_999, 46_998, 46_997],
        [47_000, 0, 0, 0],
    ]
