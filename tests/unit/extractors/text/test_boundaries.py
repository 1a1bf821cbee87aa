"""Where words, numbers and signs may be cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.text.boundaries import cuts_character, cuts_word


def edges(text: str) -> list[str]:
    """The text cut at every edge of a word."""
    places = [0, *(p for p in range(1, len(text)) if not cuts_word(text, p)), len(text)]
    return [text[a:b] for a, b in pairwise(places)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("at 39.5 °C", ["at", " ", "39.5", " ", "°", "C"]),
        ("1,200 mg", ["1,200", " ", "mg"]),
        ("K 3·5 and .8", ["K", " ", "3·5", " ", "and", " ", ".", "8"]),
        ("day 1,2 of 1,20", ["day", " ", "1", ",", "2", " ", "of", " ", "1", ",", "20"]),
        ("e\u0301tat", ["e\u0301tat"]),
        ("hy\u00adphen", ["hy\u00adphen"]),
        ("fever\u200b today", ["fever", "\u200b", " ", "today"]),
        ("a😀b", ["a", "😀", "b"]),
        ("👩🏽\u200d⚕️ 👍🏿", ["👩🏽\u200d⚕️", " ", "👍🏿"]),
        ("🇨🇭🇫🇷", ["🇨🇭", "🇫🇷"]),
        ("白内障", ["白", "内", "障"]),
        ("ผู้ป่วย", ["ผู้", "ป่", "ว", "ย"]),
        ("one\r\ntwo", ["one", "\r\n", "two"]),
    ],
)
def test_a_text_is_cut_between_words_only(text: str, parts: list[str]) -> None:
    assert edges(text) == parts


@given(st.text(max_size=30), st.integers(-2, 32))
def test_an_edge_that_parts_a_sign_parts_its_word(text: str, place: int) -> None:
    assert cuts_word(text, place) or not cuts_character(text, place)
    assert not (cuts_word(text, place) and not 0 < place < len(text))
