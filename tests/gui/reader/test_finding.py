"""Finding forgives case, accents and blanks, and its places are the text's own."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.gui.reader.finding import find_all


def found(text: str, words: str, whole: bool = False) -> list[str]:
    return [text[start:end] for start, end in find_all(text, words, whole)]


@pytest.mark.parametrize(
    ("text", "words", "strings"),
    [
        ("Fever, fever and FEVER", "fever", ["Fever", "fever", "FEVER"]),
        ("a 😀 b 😀 Fever 𝑨 fever", "FEVER", ["Fever", "fever"]),
        ("état e\u0301tat etat", "etat", ["état", "e\u0301tat", "etat"]),
        ("état e\u0301tat etat", "état", ["état", "e\u0301tat"]),
        ("cafe\u0301 au lait", "cafe", ["cafe\u0301"]),
        ("39\u00a0°C, 39 \u2009\n°C, 39°C", "39 °C", ["39\u00a0°C", "39 \u2009\n°C"]),
        ("two words", "two \u00a0 words", ["two words"]),
        ("Straße, STRASSE", "strasse", ["Straße", "STRASSE"]),
        ("Straße, STRASSE", "straße", ["Straße", "STRASSE"]),
        ("😀ßß.", "s", ["ß", "ß"]),
        ("ısı İstanbul ISI", "isi", ["ısı", "ISI"]),
        ("ısı İstanbul", "istanbul", ["İstanbul"]),
        ("ısı isi ISI", "ısı", ["ısı"]),
        ("hypo\u00adtonia and hypotonia", "hypotonia", ["hypo\u00adtonia", "hypotonia"]),
        ("aaa", "aa", ["aa"]),
        ("1+1 (x) [y]", "1+1 (x) [", ["1+1 (x) ["]),
        ("ΟΔΟΣ οδος", "οδοσ", ["ΟΔΟΣ", "οδος"]),
    ],
)
def test_words_are_found_as_a_reader_means_them(text: str, words: str, strings: list[str]) -> None:
    assert found(text, words) == strings


def test_a_plain_letter_beside_an_accent_asked_for_is_not_found_with_another_accent() -> None:
    assert found("é e, é é", "é e") == ["é e"]


def test_whole_words_only_leave_out_parts_of_words_and_numbers() -> None:
    text = "tic, tics, cystic, TIC; 5 mg, 15 mg, 0.5"
    assert found(text, "tic", whole=True) == ["tic", "TIC"]
    assert found(text, "5", whole=True) == ["5"]
    assert len(found(text, "tic")) == 4


@pytest.mark.parametrize("words", ["", " ", "\u00a0\n"])
def test_nothing_and_blanks_are_found_nowhere(words: str) -> None:
    assert find_all("a b \u00a0 c", words) == []


@given(st.text(max_size=40), st.text(max_size=40), st.text(st.characters(categories=["L", "N"]), min_size=1))
def test_a_text_holds_whatever_was_put_into_it(before: str, after: str, words: str) -> None:
    text = f"{before} {words} {after}"
    places = find_all(text, words)
    start = len(before) + 1
    assert any(one <= start < other for one, other in places)
    assert places == sorted(places)
    assert all(0 <= one < other <= len(text) for one, other in places)
    assert all(one[1] <= other[0] for one, other in pairwise(places))


@given(st.text("aeiouAEIOU ßıİéàü\u0301\u0323", max_size=30), st.text("aeiou", min_size=1, max_size=2))
def test_composed_and_decomposed_accents_are_found_alike(text: str, words: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert len(find_all(composed, words)) == len(find_all(decomposed, words))
