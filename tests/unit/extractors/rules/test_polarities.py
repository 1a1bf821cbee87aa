"""Polarity of spans that somebody else marked."""

from __future__ import annotations

import re

import pytest

from extractors.model.guideline import parse_guideline
from extractors.model.scheme import default_scheme
from extractors.rules import PolarityReader

READER = PolarityReader()
# Of the guidelines' worked examples, so many may be read otherwise than a person does.
MISREAD_AT_MOST = 4


def polarity(text: str, quote: str) -> str:
    start = text.index(quote)
    return READER.polarities(text, [(start, start + len(quote))])[0]


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("There was no fever.", "fever", "negated"),
        ("She didn’t have a fever.", "fever", "negated"),
        ("There weren't any seizures.", "seizures", "negated"),
        ("He had ataxia without seizures.", "ataxia without seizures", "present"),
        ("The culture of the urine was negative.", "culture of the urine was negative", "negated"),
        ("Hearing was normal.", "Hearing was normal", "negated"),
        ("CK rose to 900 U/L (normal < 190).", "CK rose to 900 U/L (normal < 190)", "present"),
        ("Necrosis of the hip could not be excluded.", "Necrosis of the hip", "uncertain"),
        ("Necrosis could not be excluded.", "Necrosis could not be excluded", "uncertain"),
        ("A possible infarct was seen.", "infarct", "uncertain"),
        ("No fever. He had ataxia.", "ataxia", "present"),
        ("Without treatment she developed ataxia.", "ataxia", "present"),
        ("He denied vomiting but reported nausea.", "nausea", "present"),
        ("He denied vomiting but reported nausea.", "vomiting", "negated"),
        ("She denied headache, reported nausea.", "nausea", "present"),
        ("Epilepsy was suspected but not confirmed.", "Epilepsy", "uncertain"),
        ("Epilepsy was suspected and later confirmed.", "Epilepsy", "present"),
        ("Fever was absent.", "Fever", "negated"),
        ("Rash and itching were absent.", "Rash", "negated"),
        ("Seizures were not controlled.", "Seizures", "present"),
        ("Fever was present but rash was absent.", "Fever", "present"),
        ("Protruding ears with absent lobes.", "Protruding ears", "present"),
        ("Vomiting, normal weight.", "Vomiting, normal weight", "present"),
        ("She had tremor and absent speech.", "tremor and absent speech", "present"),
        ("He denied fever, night sweats, chest pain, cough and back pain.", "back pain", "negated"),
        ("There was no perforation, spread of mucin into tissue, or ileus.", "ileus", "negated"),
        ("There was no fever, and three weeks later, after a long voyage, cough.", "cough", "present"),
        ("A man without allergies had fits.", "A man without allergies had fits", "present"),
        ("A man with no allergies had fits.", "A man with no allergies had fits", "present"),
        ("Nosebleeds had not been noticed.", "Nosebleeds had not been noticed", "negated"),
        ("Never ill, without aid was well.", "Never ill, without aid was well", "negated"),
        ("The palms were uninvolved.", "The palms were uninvolved", "negated"),
        ("A breast cancer (ER negative).", "breast cancer (ER negative)", "present"),
        ("Raised IgE without blasts.", "Raised IgE without blasts", "present"),
        ("Biopsy of the mass showed no blasts.", "Biopsy of the mass showed no blasts", "negated"),
        ("Tumour markers were normal.", "Tumour markers were normal", "negated"),
        ("PTH was elevated and TSH was normal.", "PTH was elevated and TSH was normal", "present"),
        ("Coma, which we believed was caused by bleeding.", "bleeding", "uncertain"),
        ("Positive for A, negative for B.", "Positive for A, negative for B", "present"),
        ("A positive smear. Virus negative.", "Virus negative", "negated"),
        ("On May 5 fever began.", "fever", "present"),
        ("In May, fever began.", "fever", "present"),
        ("Well. May be fever.", "fever", "uncertain"),
        ("It may 5 days later be fever.", "fever", "uncertain"),
        ("Symptoms May Include Fever.", "Fever", "uncertain"),
        ("May-Hegglin anomaly, fever.", "fever", "present"),
        ("Patient No 5 had fever.", "fever", "present"),
        ("In case no. 4 fever rose.", "fever", "present"),
        ("No 2nd fever was seen.", "fever", "negated"),
        ("Gram-negative sepsis came.", "Gram-negative sepsis", "present"),
        ("Not otherwise specified fever.", "fever", "present"),
        ("Atresia of one and a normal left ear.", "Atresia of one and a normal left ear", "present"),
        ("Reflexes were brisk and normal.", "Reflexes were brisk and normal", "negated"),
        ("He smoked, but took no drugs.", "He smoked, but took no drugs", "present"),
        ("MRI was reported as normal.", "MRI was reported as normal", "negated"),
        ("A girl treated without success.", "A girl treated without success", "present"),
        ("Normal rhythm, with a rate of 125.", "a rate of 125", "present"),
        ("Nerves were normal with full movements.", "Nerves were normal with full movements", "negated"),
        ("She was HIV-negative.", "She was HIV-negative", "negated"),
        ("There were no visual changes, headache or fever.", "headache", "negated"),
        ("No relief of pain, fever or cough.", "fever", "negated"),
        ("There was no response, cough or gag.", "cough", "negated"),
        (
            "A tumour was considered but was ruled out.",
            "A tumour was considered but was ruled out",
            "negated",
        ),
        ("Fever was suspected and excluded.", "Fever was suspected", "negated"),
        ("MRI was done, but no mass was seen.", "MRI was done, but no mass was seen", "negated"),
        ("Many, but not fatal, fits came.", "fits", "present"),
        ("IT IS LATE; IT MAY BE FEVER.", "FEVER", "uncertain"),
        ("The rash didn’t improve.", "The rash didn’t improve", "present"),
        ("The rash did not resolve.", "The rash did not resolve", "present"),
        ("There was no relief of pain.", "no relief of pain", "present"),
        ("No change in dysphagia.", "dysphagia", "present"),
        ("No change in bowel habits.", "bowel habits", "negated"),
        ("He denied vomiting or changes in stools.", "vomiting or changes in stools", "negated"),
        ("Seizures did not recur.", "Seizures", "negated"),
        ("The rate fell and fits did not recur.", "The rate fell", "present"),
        ("Water was the negative control.", "Water was the negative control", "present"),
        ("\U0001f60a No fe\u0301ver at all", "fe\u0301ver", "negated"),
    ],
)
def test_polarity_is_read_off_the_quote_and_what_stands_before_it(
    text: str, quote: str, expected: str
) -> None:
    assert polarity(text, quote) == expected


@pytest.mark.parametrize(
    ("expected", "marked"),
    [
        ("present", "He had no fever, had [a headache]."),
        ("present", "She denied pain, reported [nausea]."),
        ("negated", "No fever, [a rash] or cough."),
        ("uncertain", "[Tuberculosis] must be excluded."),
        ("uncertain", "[Tuberculosis] has to be ruled out."),
        ("uncertain", "[Tuberculosis] has not been excluded."),
        ("negated", "[Tuberculosis] was ruled out."),
        ("uncertain", "The differential diagnosis included sarcoidosis, [lymphoma] and tuberculosis."),
        ("present", "Features consistent with a syndrome including bossing, [pits] and cysts."),
        ("uncertain", "Findings in keeping with [sarcoidosis]."),
        ("uncertain", "[Lymphoma] or sarcoidosis was considered."),
        ("uncertain", "The possibility of [sarcoma] was raised."),
        ("negated", "Biopsy argued against [sarcoma]."),
        ("negated", "[Seizures] did not develop."),
        ("present", "[The boy with ataxia] did not develop seizures."),
        ("negated", "[Fever], rash and cough were absent."),
        ("negated", "Tests for [HIV], HBV and syphilis were all negative."),
        ("present", "He had [fever], rash and cough were absent."),
        ("present", "[Fever], which began in May, and rash were absent in June."),
        ("present", "She had no symptoms until [seizures] began."),
        ("negated", "She had no [seizures] until age 3."),
        ("present", "No cause of the [anaemia] was found."),
        ("present", "The cause of the [anaemia] was not found."),
        ("present", "With no relief of pain, [dyspnoea] followed."),
        ("negated", "Without fever, cough or [rash], he went home."),
        ("present", "At 16 months he [walks without support], and bleeds have not recurred."),
        ("negated", "There was [no worsening of headache]."),
        ("negated", "[Rash (on the legs)] or [itching] (of the arms) was not seen."),
        ("present", "No biopsy of the [mass] was taken."),
        ("present", "He was afebrile but [tachycardic]."),
        ("present", "[Amenorrhea] and absent breasts were noted."),
        ("present", "[Speech] was absent."),
        ("present", "The left [kidney was absent]."),
        ("present", "She had [no deep tendon reflexes] in the legs."),
        ("present", "[Absence of the corpus callosum] was seen."),
        ("present", "There was [absence of facial hairs], sparse pubic hair."),
        ("negated", "[No kidney disease] was found."),
        ("negated", "There were [no seizures]."),
        ("negated", "There was [no hair, skin or nail change]."),
        ("negated", "[Pain in the right thumb] was absent."),
        ("negated", "[Jaundice] was absent."),
        ("present", "He [could not walk] and [did not speak]."),
        ("present", "[The wound] did not heal."),
        ("negated", "[Fever]: no. Rash: absent."),
        ("negated", "[Fever (-)], rash (+)."),
        ("present", "Fever (-), [rash (+)]."),
        ("negated", "(-) [fever]."),
        ("present", "[Stained positive for A(+) and negative for B(-)]."),
    ],
)
def test_polarity_is_read_off_what_stands_around_a_quote(expected: str, marked: str) -> None:
    text, quotes = marked.replace("[", "").replace("]", ""), re.findall(r"\[(.+?)\]", marked)
    assert {polarity(text, quote) for quote in quotes} == {expected}


def test_the_guidelines_examples_are_read_as_they_say() -> None:
    examples = [
        (example.text, quote)
        for category in default_scheme().categories
        for example in parse_guideline(category.guideline, category.id).examples
        for quote in example.quotes
    ]
    misread = [quote.quote for text, quote in examples if polarity(text, quote.quote) != quote.polarity]
    assert len(examples) > 100
    assert len(misread) <= MISREAD_AT_MOST, misread


def test_places_are_those_of_the_text_as_it_came_however_garbled() -> None:
    text = f"It was {'39 Â°C, ' * 20}then. There was no fever. He had a cough."
    assert [polarity(text, words) for words in ("fever", "cough")] == ["negated", "present"]
