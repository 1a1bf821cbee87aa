"""Sentences of clinical prose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.text.sentences import sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Lactate was 3.5 mmol/L (Fig. 2) and rose.",
        "Dr. Smith saw P. multocida in the culture.",
        "He weighed approx. 3 kg vs. 4 kg before.",
        "The value was 1.2. and normal.",
        "It was given at max. 40 mg.",
        "Drug J. Smith gave helped (by A. Jones).",
        "Was it fever? perhaps it was.",
        "He was well!, she said.",
    ],
)
def test_a_full_stop_that_ends_no_sentence_is_passed_over(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("He had fever. She had none.", 2),
        ("Hearing was poor. eGFR was 52 mL/min.", 2),
        ("His pulse was 76/min. There was ataxia.", 2),
        ("Common in childhood.4 A sister was well.", 2),
        ("First line\nsecond line", 2),
        ("Was it fever? No!", 2),
        ("He was short of vitamin-K. He bled.", 2),
        ("He took vitamin B. It helped.", 1),
        ("He took 3 mg/K. It helped.", 2),
        ("It was max. He left.", 2),
        ("Did it help him, Dr? He left.", 2),
    ],
)
def test_sentences_end_where_they_end(text: str, count: int) -> None:
    assert len(split(text)) == count


def test_a_long_number_behind_a_full_stop_is_read_once() -> None:
    assert len(split(f"The code is below.{'9' * 5000} x")) == 1


@given(st.text(alphabet="aB. \n?(1)é", max_size=60))
def test_no_character_but_blanks_is_lost(text: str) -> None:
    assert "".join("".join(split(text)).split()) == "".join(text.split())
