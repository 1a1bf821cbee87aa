"""Garbled text is read as what it was, and every place leads back to the text as it came."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.grounding import Grounder
from extractors.model.document import Document
from extractors.model.scheme import default_scheme
from extractors.rules import RulesExtractor
from extractors.text.repair import repair

GARBLED = "Ferritin was 5 Âµg / mL. The patientâ€™s temperature was 38.5 Â°C with Î²-hCG â‰¥ 5 and 2 Ã— 3 cm."
READ = "Ferritin was 5 µg / mL. The patient’s temperature was 38.5 °C with β-hCG ≥ 5 and 2 × 3 cm."


def test_what_a_wrong_decoding_garbled_is_read_as_what_it_was_and_nothing_else_is_touched() -> None:
    assert repair(GARBLED).text == READ
    sound = "Sjögren naïve Ångström 37 °C ± 2 µmol/L “β–γ” ½ ²³ Mâle été À la Ôté"
    assert repair(sound).text == sound


@given(st.integers(0, len(READ)), st.integers(0, len(READ)))
def test_places_lead_to_the_same_words_in_both_texts(one: int, other: int) -> None:
    start, end = min(one, other), max(one, other)
    repaired = repair(GARBLED)
    back = repaired.back(start, end)
    assert repair(GARBLED[slice(*back)]).text == READ[start:end]
    assert repaired.forth(*back) == (start, end)


def test_a_place_within_signs_that_were_garbled_together_leads_to_all_of_them() -> None:
    repaired = repair("Ã¤Ã¶")
    assert repaired.text == "äö"
    assert repaired.back(0, 1) == repaired.back(1, 2) == (0, 4)
    assert repaired.forth(0, 1) == repaired.forth(3, 4) == (0, 2)


@pytest.mark.parametrize("quote", ["5 µg / mL", "5 Âµg / mL", "patient’s temperature was 38.5 °C"])
def test_a_quote_is_found_however_it_is_garbled(quote: str) -> None:
    found = Grounder(GARBLED).ground(quote)
    assert found.start is not None
    assert repair(GARBLED[found.start : found.end]).text == repair(quote).text


def test_the_rules_read_the_repaired_copy_and_quote_the_text_as_it_came() -> None:
    found = RulesExtractor(default_scheme()).extract(Document("", GARBLED, ()))
    assert any("38.5 Â°C" in one.quote for one in found)
    assert all(GARBLED[one.start : one.end] == one.quote for one in found)


def test_the_rules_read_what_was_meant_and_quote_what_stands_there() -> None:
    text = "The patientâ€™s motherâ€™s ataxia. She didnâ€™t have seizures. Her temperature was 38.5 Â°C."
    found = RulesExtractor(default_scheme()).extract(Document("", text, ()))
    assert all(text[one.start : one.end] == one.quote for one in found)
    assert [(one.quote, one.category, one.polarity) for one in found] == [
        (text[:33], "History", "present"),
        ("seizures", "Neuro", "negated"),
        ("Her temperature was 38.5 Â°C", "Vitals_Hema", "present"),
    ]
