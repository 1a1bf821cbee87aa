"""What belongs to a number: its limit, its unit, and the other end of its range."""

from __future__ import annotations

import pytest

from extractors.text.terms import read_terms
from extractors.text.tokens import tokenise
from extractors.text.values import limit, other_end, unit, value_extent
from extractors.text.words import load_words


@pytest.mark.parametrize(
    ("text", "number", "told"),
    [
        ("Platelets were below 5 days", "5", ("<", "u:day", "")),
        ("Fever was rarer than before, and less than. 5 days later", "5", ("", "u:day", "")),
        ("Platelets were over\n5 days", "5", ("", "u:day", "")),
        ("CRP > 5 mg/L", "5", (">", "u:mg/l", "")),
        ("more than the 12 cells", "12", (">", "u:cells", "")),
        ("at least 3 to 5 mg", "3", (">=", "u:mg", "#5")),
        ("at least 3 to 5 mg", "5", ("", "u:mg", "#3")),
        ("between 4 and 6 kg", "4", ("", "u:kg", "#6")),
        ("4 and 6 kg", "4", ("", "u:kg", "")),
        ("from 3 to 5 mg", "3", ("", "u:mg", "")),
        ("ranging from 3 to 5 mg", "5", ("", "u:mg", "#3")),
        ("3-5 cm", "5", ("", "u:cm", "#3")),
        ("3 -5 cm", "3", ("", "u:cm", "")),
        ("between us 4 and 6 kg", "4", ("", "u:kg", "")),
        ("it was 5. Mg was low", "5", ("", "", "")),
    ],
)
def test_a_number_has_what_stands_with_it_in_its_sentence(
    text: str, number: str, told: tuple[str, str, str]
) -> None:
    terms, words = read_terms(tokenise(text), load_words()), load_words()
    at = next(one for one in range(len(terms)) if text[slice(*terms.span(one, one))] == number)
    assert (limit(terms, at), unit(terms, at), other_end(terms, at, words)) == told


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("it was 41 10^9 /L of blood", "41 10^9 /L"),
        ("it was 41, 10^9 /L elsewhere", "41"),
        ("120/80 mmHg and 90", "120/80 mmHg"),
        ("from 3 to 5 mg", "3"),
        ("between 3 and 5 mg daily", "3 and 5 mg"),
    ],
)
def test_a_value_ends_behind_its_power_its_unit_or_the_other_end_of_its_range(text: str, value: str) -> None:
    terms, words = read_terms(tokenise(text), load_words()), load_words()
    first = next(one for one in range(len(terms)) if text[slice(*terms.span(one, one))].isdecimal())
    last, _ = value_extent(terms, first, words)
    assert text[slice(*terms.span(first, last))] == value
