"""Which field of its category a quote is filed under."""

from __future__ import annotations

import pytest

from extractors.rules.fields import FieldRules

RULES = FieldRules()
EENT, GU = ("eyes", "ears", "nose", "throat"), ("urinary", "genital", "tests")


@pytest.mark.parametrize(
    ("category", "known", "quote", "field"),
    [
        ("EENT", EENT, "pain", "eyes"),
        ("EENT", EENT, "Deafness", "ears"),
        # The most hits win, of as many the first field, wherever they stand.
        ("EENT", EENT, "Hearing loss, deafness and cataracts", "ears"),
        ("EENT", EENT, "Deafness and cataracts", "eyes"),
        ("EENT", EENT, "Hoarse voice, epistaxis, earache", "throat"),
        ("EENT", EENT, "Hoarseness, epistaxis, earache", "ears"),
        ("GU", GU, "An ovary on ultrasound", "genital"),
        ("GU", GU, "Ultrasound and biopsy of an ovary", "tests"),
        ("GU", GU, "bovarism", "urinary"),  # within a word nothing is found
        # What the scheme has no such field for has none.
        ("EENT", EENT[1:], "pain", ""),
        ("GU", GU[:1], "ovary", ""),
        ("None", ("eyes",), "eyes", ""),
    ],
)
def test_a_quote_goes_to_the_first_field_with_the_most_words(
    category: str, known: tuple[str, ...], quote: str, field: str
) -> None:
    assert RULES.field(category, quote, known) == field
