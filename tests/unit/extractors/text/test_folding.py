"""One spelling per word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.text.folding import fold, fold_phrase


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Anaemias", "anemia"),
        ("oedema", "edema"),
        ("tumours", "tumor"),
        ("biopsies", "biopsy"),
        ("Wilson’s", "wilson"),
    ],
)
def test_spellings_of_one_word_fold_together(left: str, right: str) -> None:
    assert fold(left) == fold(right)


@pytest.mark.parametrize("word", ["ataxia", "pancreas", "virus", "abscess", "diagnosis"])
def test_an_ending_that_is_no_plural_stays(word: str) -> None:
    assert fold(word) == fold_phrase(word)
    assert len(fold(word)) >= len(word) - 1


def test_punctuation_does_not_divide_phrases() -> None:
    assert fold_phrase("Deep-tendon  reflexes") == fold_phrase("deep tendon reflex")


@given(st.text())
def test_a_folded_phrase_folds_to_words_without_blanks_around(text: str) -> None:
    assert fold_phrase(text) == " ".join(fold_phrase(text).split())
