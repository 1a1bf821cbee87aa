"""What a text tells of a relative is not placed for a quote about the patient, nor the other way round."""

from __future__ import annotations

import pytest

from extractors.grounding import Grounder
from extractors.model.document import Section
from extractors.model.finding import PLACED


@pytest.mark.parametrize(
    ("text", "quote", "who"),
    [
        ("Her mother had diabetes.", "She had diabetes", "mother"),
        ("There was diabetes in her mother.", "the patient had diabetes", "mother"),
        ("There was diabetes mellitus in her mother.", "the patient had diabetes", "mother"),
        ("Her mother had diabetes, hypertension and a stroke.", "She had hypertension and stroke", "mother"),
        ("His mother's brother had seizures.", "mother had seizures", "brother"),
        ("Her mother had diabetes and she had asthma.", "she had diabetes and asthma", "mother"),
        ("She had diabetes and her mother had asthma.", "she had diabetes and asthma", "mother"),
        ("He was born to a mother who had severe asthma.", "he had severe asthma", "mother"),
        ("He was born to a mother with severe asthma.", "he had severe asthma", "mother"),
        ("The boy's mother had severe asthma.", "boy had severe asthma", "mother"),
        ("Two of his siblings had died of liver failure.", "he died of liver failure", "siblings"),
        ("There was a family history of breast cancer.", "history of the breast cancer", "family"),
        ("Family history was positive for breast cancer.", "the patient had breast cancer", "family"),
        ("Family history: diabetes and asthma.", "patient had diabetes and asthma", "family"),
        ("Maternal fever was noted at night.", "the patient had fever at night", "maternal"),
        ("Her mother had ataxia and her sister asthma.", "Her mother had asthma, sister ataxia", "sister"),
        ("She had diabetes.", "Her mother had diabetes", "mother"),
        (
            "She had gout, ataxia, rash, fever, cough, asthma and epilepsy.",
            "Her mother had gout, ataxia, rash, fever, cough, asthma and epilepsy",
            "mother",
        ),
    ],
)
def test_another_person_is_a_conflict_that_names_the_relative(text: str, quote: str, who: str) -> None:
    found = Grounder(text).ground(quote)
    assert (found.status, found.start, found.end) == ("conflict", None, None)
    assert f'"{who}"' in found.reason


@pytest.mark.parametrize(
    ("text", "quote", "place"),
    [
        ("Her mother had diabetes.", "mother: diabetes", "mother had diabetes"),
        ("Her mother had diabetes.", "diabetes in her mother", "Her mother had diabetes"),
        ("There was diabetes in her mother.", "mother had diabetes", "diabetes in her mother"),
        ("She had diabetes and her mother had asthma.", "she has diabetes", "She had diabetes"),
        ("She had diabetes, rash in her mother.", "the patient had diabetes", "had diabetes"),
        (
            "Her mother had diabetes and the blood pressure was 140/90 mmHg.",
            "blood pressure of 140/90 mmHg",
            "blood pressure was 140/90 mmHg",
        ),
        ("His mother reported that he had high fever.", "patient had high fever", "had high fever"),
        ("His mother noticed a weak cry.", "the patient had a weak cry", "a weak cry"),
        (
            "He came with his mother and had a high fever.",
            "the patient had high fever",
            "had a high fever",
        ),
        (
            "He was born to healthy parents and had severe asthma.",
            "he had severe asthma",
            "had severe asthma",
        ),
        ("The family physician found a high fever.", "the patient had a high fever", "a high fever"),
        (
            "The patient and his wife had severe vomiting.",
            "patient had severe vomiting",
            "had severe vomiting",
        ),
        ("The brother of the patient had severe ataxia.", "brother had severe ataxia", None),
        ("Mother and father had bad asthma.", "mother had bad asthma", None),
        ("Family history of ataxia in his sister.", "family history ataxia sister", None),
        ("Two of his siblings had died young.", "siblings died young", "siblings had died young"),
        ("No family history of seizures or consanguinity.", "no parental consanguinity", None),
        ("His relative afferent defect was severe.", "severe relative afferent defect", None),
    ],
)
def test_the_same_person_in_other_words_is_no_conflict(text: str, quote: str, place: str | None) -> None:
    found = Grounder(text).ground(quote)
    assert "someone else" not in found.reason
    if place is not None:
        assert found.status == "fuzzy"
        assert text[found.start : found.end] == place


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Her mother had diabetes.", "had diabetes"),
        ("Her mother had diabetes.", "diabetes"),
        ("Her mother had diabetes.", "had Diabetes ."),
    ],
)
def test_the_very_words_are_placed_whoever_they_are_about(text: str, quote: str) -> None:
    assert Grounder(text).ground(quote).status in ("exact", "normalised")


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("She had diabetes.", "Family history: diabetes"),
        ("Family history: diabetes.", "Past history: diabetes"),
        ("Her mother had diabetes.", "Endocrine: diabetes"),
    ],
)
def test_a_label_does_not_hide_another_person(text: str, quote: str) -> None:
    assert Grounder(text).ground(quote).status not in PLACED


def test_a_label_of_relatives_is_left_aside_where_the_heading_has_it() -> None:
    text = "Her mother had diabetes."
    grounder = Grounder(text, (Section("Family history", ("Family history",), 0, len(text), ()),))
    places = [grounder.ground(f"{label}: diabetes") for label in ("Family history", "Medical history")]
    assert [one.start and text[one.start : one.end] for one in places] == ["diabetes", None]


@pytest.mark.parametrize(
    ("text", "quote", "number"),
    [
        ("Two brothers had seizures and one had deafness.", "one brother had seizures", "one"),
        ("One had deafness and two brothers had seizures.", "one brother had seizures", "one"),
        (
            "Two cousins were affected by deafness and three aunts by ataxia.",
            "three cousins affected by deafness",
            "three",
        ),
        ("MRI showed three lesions and one cyst.", "one lesion", "one"),
    ],
)
def test_a_number_counts_what_it_stands_before(text: str, quote: str, number: str) -> None:
    found = Grounder(text).ground(quote)
    assert found.status == "conflict"
    assert f"number {number}" in found.reason


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Two brothers had seizures and one had deafness.", "two brothers with seizures"),
        ("MRI showed three lesions and one cyst.", "three lesions on MRI"),
        ("The liver with 2 lesions was large.", "2 liver lesions"),
        ("There were two episodes of bloody vomiting.", "two bloody vomiting episodes"),
    ],
)
def test_a_number_before_its_own_noun_is_placed(text: str, quote: str) -> None:
    assert Grounder(text).ground(quote).status == "fuzzy"
