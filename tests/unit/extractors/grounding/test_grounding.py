"""A quote is placed where the text says the same, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from extractors.grounding import Grounder
from extractors.model.document import Section
from extractors.model.finding import PLACED, Grounding

TEXT = (
    "A 3-year-old boy was admitted with fever of 39.2 °C. Creatinine was 9.8 mg/dL, and bilirubin 1.8 "
    "mg/dL. He denied fever, chills, and cough. No organomegaly was found. There was weakness of the "
    "right arm. Hb had increased from 54 to 112 g/L. He received 40 mg of prednisone, 1,200 units of "
    "heparin and 0.50 mg of folate. Lactate was elevated at 4.5 mmol/L (blood pressure 140/90 mmHg). "
    "Brain MRI showed cerebellar atrophy without white matter lesions. Hearing was normal. Left kidney "
    "10 cm, right kidney 12 cm. Onset was at 13 years of age. CRP <5 mg/L. The liver was enlarged and "
    "the spleen was normal. Platelets were 8 × 109/L. His maternal uncle had hypotonia of the upper "
    "limbs. Blood cultures were positive. Pneumonia was suspected. Gait was not ataxic. ECG was "
    "abnormal."
)
GROUNDER = Grounder(TEXT)


def said(found: Grounding, text: str = TEXT) -> str | None:
    return None if found.start is None or found.end is None else text[found.start : found.end]


def test_the_very_words_are_exact_and_need_no_reason() -> None:
    found = GROUNDER.ground("Hearing was normal")
    assert (found.status, said(found), found.score, found.reason) == (
        "exact",
        "Hearing was normal",
        100.0,
        "",
    )


@pytest.mark.parametrize(
    ("quote", "place"),
    [
        ("( blood pressure 140 / 90 mmHg )", "(blood pressure 140/90 mmHg)"),
        ("hearing WAS\u00a0 normal .", "Hearing was normal."),
        ("A 3‑year–old boy", "A 3-year-old boy"),
        ("'Hearing was normal'", "Hearing was normal"),
        ("hearing was nor\u00admal", "Hearing was normal"),
        ("2. **Hearing** was normal", "Hearing was normal"),
        ("Hearing &#119;as normal", "Hearing was normal"),
        ("fever of 39.2 ℃", "fever of 39.2 °C"),
        ("Left kidney 10 cm , right kidney 12 cm .", "Left kidney 10 cm, right kidney 12 cm."),
    ],
)
def test_case_space_and_typography_do_not_matter(quote: str, place: str) -> None:
    found = GROUNDER.ground(quote)
    assert (found.status, said(found)) == ("normalised", place)
    assert found.reason


@pytest.mark.parametrize(
    ("quote", "place"),
    [
        ("creatinine 9.8 mg/dL", "Creatinine was 9.8 mg/dL"),
        ("right arm weakness", "weakness of the right arm"),
        ("right-sided arm weakness", "weakness of the right arm"),
        ("a 3 year old male", "A 3-year-old boy"),
        ("1200 units of heparin", "1,200 units of heparin"),
        ("0.5 mg folate", "0.50 mg of folate"),
        ("Hb increased to 112 g/L", "Hb had increased from 54 to 112 g/L"),
        ("elevated lactate (4.5 mmol/L)", "Lactate was elevated at 4.5 mmol/L"),
        ("cerebellar atrophy on brain MRI", "Brain MRI showed cerebellar atrophy"),
        ("platelets 8 x 10^9/L", "Platelets were 8 × 109/L"),
        ("CRP less than 5 mg/L", "CRP <5 mg/L"),
        ("no cough", "denied fever, chills, and cough"),
        ("spleen normal", "spleen was normal"),
        (
            "Brain MRI ... without white matter lesions",
            TEXT[TEXT.index("Brain MRI") : TEXT.index(". Hearing")],
        ),
        ("Neurological: right arm weakness", "weakness of the right arm"),
        ("onset at age of thirteen years", "Onset was at 13 years"),
    ],
)
def test_the_same_content_in_other_words_is_fuzzy(quote: str, place: str) -> None:
    found = GROUNDER.ground(quote)
    assert (found.status, said(found)) == ("fuzzy", place)
    assert found.reason


@pytest.mark.parametrize(
    ("quote", "disagrees"),
    [
        ("Creatinine was 1.8 mg/dL", "1.8"),
        ("bilirubin of 9.8 mg/dL", "9.8"),
        ("elevated bilirubin of 9.8 mg/dL", "elevated"),
        ("total bilirubin of 9.8 mg/dL", "9.8"),
        ("9.8 mg/dL bilirubin", "9.8"),
        ("weakness of the left arm", "left"),
        ("He reported fever, chills, and cough", "denied"),
        ("chills and cough", "denied"),
        ("Organomegaly was found", "no"),
        ("white matter lesions on brain MRI", "without"),
        ("He received 60 mg of prednisone", "60"),
        ("40 ug of prednisone", "ug"),
        ("Lactate was decreased at 4.5 mmol/L", "decreased"),
        ("Lactate was elevated at 4.5 umol/L", "umol"),
        ("abnormal hearing", "abnormal"),
        ("right kidney 10 cm", "right"),
        ("onset at 3 years of age", "3"),
        ("3 years of age at onset", "3"),
        ("onset at 13 months of age", "month"),
        ("CRP >5 mg/L", ">5"),
        ("CRP 5 mg/L", "<5"),
        ("A 3-year-old girl was admitted with fever", "girl"),
        ("paternal uncle had hypotonia", "paternal"),
        ("his maternal uncle had hypertonia of the upper limbs", "hypertonia"),
        ("uncle had hypotonia of the lower limbs", "lower"),
        ("Blood cultures were negative", "negative"),
        ("Gait was ataxic", "not"),
        ("platelets 8 × 10^12/L", "12"),
        ("no weakness of the right arm", "no"),
        ("There was no fever of 39.2 °C", "no"),
    ],
)
def test_a_contradiction_is_a_conflict_that_names_what_disagrees(quote: str, disagrees: str) -> None:
    found = GROUNDER.ground(quote)
    assert (found.status, found.start, found.end) == ("conflict", None, None)
    assert disagrees in found.reason
    assert found.candidate is not None


@pytest.mark.parametrize(
    "quote",
    [
        "liver was normal",
        "cerebral atrophy on brain MRI",
        "hepatosplenomegaly",
        "kidney weakness",
        "the patient",
    ],
)
def test_what_the_text_does_not_say_is_ungrounded(quote: str) -> None:
    found = GROUNDER.ground(quote)
    assert (found.status, found.start, found.end) == ("ungrounded", None, None)
    assert found.reason


@pytest.mark.parametrize("quote", ["", "  \n", "\u00a0"])
def test_an_empty_quote_is_ungrounded_and_says_so(quote: str) -> None:
    assert GROUNDER.ground(quote) == Grounding("ungrounded", None, None, 0.0, "The quote is empty.")


@pytest.mark.parametrize("quote", ["8 mg/dL", "3 years of age", "00 units of heparin", "200 units"])
def test_a_number_is_never_cut_in_two(quote: str) -> None:
    assert GROUNDER.ground(quote).status not in ("exact", "normalised")


def test_a_cut_word_is_placed_unless_the_rest_means_the_opposite() -> None:
    assert said(GROUNDER.ground("erebellar atro")) == "erebellar atro"
    assert Grounder("The ECG was abnormal.").ground("normal").status not in PLACED


def test_a_repeated_quote_takes_the_next_place() -> None:
    text = "Ataxia at birth. Fever. Ataxia later. Ataxia still."
    found = Grounder(text).ground_all(["Ataxia", "Fever", "Ataxia", "Ataxia", "Ataxia"])
    assert [one.start for one in found] == [0, 17, 24, 38, 38]
    assert all(one.places == ((0, 6), (24, 30), (38, 44)) for one in found if one.places)


def test_a_place_behind_the_quote_before_and_in_its_section_is_preferred() -> None:
    text = "Ataxia. Onset at birth. Ataxia.\nAtaxia again."
    sections = (Section("", (), 0, 32, ()), Section("", (), 32, len(text), ()))
    found = Grounder(text, sections).ground_all(["Onset at birth", "Ataxia"])
    assert found[1].start == text.index("Ataxia", 5)
    # Where none follows, the first of the section goes before the first of all.
    later = Grounder(text + " At last.", (sections[0], replace(sections[1], end=len(text) + 9)))
    assert later.ground_all(["At last", "Ataxia"])[1].start == 32


def test_a_section_that_tells_the_case_is_preferred_to_background() -> None:
    text = "Ataxia.\nAtaxia again."
    sections = (Section("", (), 0, 8, (), role="background"), Section("", (), 8, len(text), ()))
    assert Grounder(text, sections).ground("Ataxia").start == 8
    assert Grounder(text, sections).ground_all(["Ataxia"])[0].start == 8


def test_the_place_closest_to_a_wanted_offset_is_taken() -> None:
    found = Grounder("fever and fever and fever").ground("fever", near=11)
    assert found.start == 10
    assert found.places == ((0, 5), (10, 15), (20, 25))
    garbled = "Itâ€™s so. " * 5 + "A fever and one more fever."
    found = Grounder(garbled).ground("fever", near=garbled.index("fever"))
    assert found.start == garbled.index("fever")
    assert [garbled[start:end] for start, end in found.places] == ["fever"] * 2
    (found,) = Grounder(garbled).ground_all(["fever"], [(garbled.index("one more"), len(garbled))])
    assert found.start == garbled.rindex("fever")
    denied = f"{garbled[:55]}No fever."
    assert Grounder(denied).ground("A fever").candidate == (58, 63)
    assert denied[58:63] == "fever"


def test_a_place_without_negation_is_preferred() -> None:
    assert Grounder("No fever at first, then fever.").ground("fever").start == 24
    # What begins in small letters is cut out of its sentence, as one that is there to the letter.
    assert Grounder("She had no fever and chills.").ground("fever  and chills").start == 11


def test_a_quote_without_its_label_counts_a_little_less() -> None:
    found = Grounder("A rash was seen.").ground("Skin: a rash was seen")
    assert (found.status, found.score, found.start) == ("fuzzy", 90.0, 0)


@pytest.mark.parametrize("quote", ["[a-z]+(", "(?P<x>", "\\d+", "a" * 5000, "fever " * 900])
def test_odd_quotes_are_answered(quote: str) -> None:
    assert GROUNDER.ground(quote).status not in PLACED


def test_many_repeats_are_answered_at_once() -> None:
    text = "fever and cough. " * 6000
    grounder = Grounder(text)
    assert len(grounder.ground("fever and cough").places) == 6000
    assert grounder.ground("cough with fever and rash").status not in PLACED
    assert grounder.ground("a" * 3000).status not in PLACED
    assert Grounder("a" * 100_000).ground("a" * 50_000).start == 0
    assert Grounder("").ground("fever").status == "ungrounded"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("MRI showed wide sulci with normal ventricles.", "MRI normal"),
        ("There was no fever (38 °C) on day 2.", "fever on day 2"),
        ("CRP (12) and SpO2 (98%) fell.", "CRP (21) and SpO2 fell"),
        ("It was (12). CRP (21) and SpO2 (98%) fell.", "CRP (12) and SpO2 fell"),
        ("A low count (44 000/mL) was seen.", "A low count (77"),
        ("HCO3 (9) and pH (7) and SpO2 (98%) fell.", "HCO3 (7) and pH (9) and SpO2 fell"),
        ("Treatment was (not) continued on day 2.", "Treatment was continued on day 2"),
        ("WBC (mother's) was 9.", "WBC was 9"),
        ("Iron (and zinc) were 9 and 7.", "Iron were 9 and 7"),
        ("No (obvious) fever (38) was noted.", "Fever was noted"),
        ("The 5. finger was short.", "4. finger was short"),
        ("On day 3, he fell early, and died on day 10.", "he fell early, and died on day 3"),
        ("At age 2, he had fever, and by age 5 cough.", "he had fever, cough at age 2"),
        ("Fever began and cough and rash were severe.", "severe fever, cough and rash"),
        ("Before surgery, he had no fever.", "he had fever before surgery"),
        ("On day 3, fever began, on day 5, rash.", "rash on day 3"),
        ("Tone was poor, reflexes were normal.", "normal tone and reflexes"),
        ("FVC was 2.99 L and FEV1 was 2.45 L.", "FVC: 2.45 L"),
        ("Mitral valve was thick. The outflow was blocked.", "outflow of the mitral valve thick"),
        (
            "There was chest pain with a loss of consciousness.",
            "severe chest pain with a loss of consciousness",
        ),
        ("The parents were non-consanguineous.", "consanguineous parents"),
        ("The variant c.515G>A was found.", "variant of c.515G<A"),
        ("Tumour spread was not excluded.", "tumour spread excluded"),
        ("Fever, cough and rash were absent.", "The patient had fever and cough"),
        ("He had fever. Rash was absent.", "no fever"),
        ("Weight was -2.5 SD.", "weight of 2.5 SD"),
        ("The girl was not without abdominal pain.", "girl without abdominal pain"),
        ("It was not without fever.", "denies fever"),
        ("Myasthenia was possible.", "possibly ataxia, myasthenia"),
        ("CT showed pneumonia.", "CT showed possible pneumonia"),
        ("CT showed possible pneumonia.", "CT showed pneumonia"),
        ("Pneumonia of the left lobe was considered possible.", "pneumonia in the left lobe"),
        ("Pneumonia was suspected.", "pneumonia present"),
        ("Ataxia was seen, and possible myasthenia.", "possible ataxia and myasthenia"),
        ("She had hypokalaemia and cramps.", "hyperkalaemia with cramps"),
        ("There was thrombasthenia in him and thrombostenia in her.", "thrombastenia"),
    ],
)
def test_words_of_the_text_put_together_otherwise_are_no_match(text: str, quote: str) -> None:
    assert Grounder(text).ground(quote).status not in PLACED


@pytest.mark.parametrize(
    ("text", "quote", "place"),
    [
        (
            "The parents were nonconsanguineous.",
            "non-consanguineous parents",
            "parents were nonconsanguineous",
        ),
        ("The heart rate (HR): 115 beats/min at rest.", "HR 115 bpm", "(HR): 115 beats/min"),
        (
            "Lobar pneumonia was initially suspected and he had fever.",
            "possible lobar pneumonia",
            "Lobar pneumonia was initially suspected",
        ),
        (
            "It was possible pneumonia of the lobe.",
            "pneumonia in lobe was suspected",
            "possible pneumonia of the lobe",
        ),
        ("Hepatitis was questionable but splenitis was clear.", "clear splenitis", "splenitis was clear"),
        (
            "Pale oedematous tumour of the skin.",
            "pale edematous tumor in the skin",
            "Pale oedematous tumour of the skin",
        ),
        ("He had hepatosplenomegaly and rash.", "hepatosplenomegally, rash", "hepatosplenomegaly and rash"),
        ("A fever. He had no cough, and no rash was seen.", "He had no rash", "no rash"),
        (
            "Signs of heart failure were absent.",
            "no signs of heart failure",
            "Signs of heart failure were absent",
        ),
        ("A woman, aged 40-years-old, came.", "woman aged 40 years", "woman, aged 40-years-old"),
        (
            "At the age of 5 years, he had fits.",
            "had fits at the age of 5 years",
            "At the age of 5 years, he had fits",
        ),
        ("It was well. On day 3, 2 fits began.", "2 fits began on day 3", "On day 3, 2 fits began"),
        ("Oximetry (SpO2) was 98% (Fig. 1).", "oximetry was 98%", "Oximetry (SpO2) was 98%"),
        (
            "Tone, power and reflexes were normal.",
            "normal tone, power and reflexes",
            "Tone, power and reflexes were normal",
        ),
        (
            "He was 76 years old, with a mass index of 21.",
            "He was 76 years old, with mass index of 21",
            "He was 76 years old, with a mass index of 21",
        ),
        ("Fits began in case No. 2.", "case No. 2 began fits", "Fits began in case No. 2"),
        ("Fits began in May 2016.", "In May 2016 fits began", "Fits began in May 2016"),
        ("The left and right leg was weak.", "weak legs", "leg was weak"),
        ("The MRI was normal apart from sinuses.", "normal MRI", "MRI was normal"),
        ("There was thrombasthenia.", "thrombastenia", "thrombasthenia"),
        (
            "High fever, severe cough (possibly viral) and rash were seen.",
            "high fever, severe cough and rash",
            "High fever, severe cough (possibly viral) and rash",
        ),
    ],
)
def test_spelling_abbreviation_and_form_of_negation_may_differ(text: str, quote: str, place: str) -> None:
    found = Grounder(text).ground(quote)
    assert (found.status, said(found, text)) == ("fuzzy", place)


@pytest.mark.parametrize("sentences", [2, 12])
def test_parts_around_an_ellipsis_that_stand_far_apart_are_not_placed(sentences: int) -> None:
    text = "Ataxia began. " + "Nothing else was seen at that visit. " * sentences + "Death followed."
    found = Grounder(text).ground("Ataxia began ... Death followed")
    assert (found.status, found.candidate) == ("ungrounded", (0, len(text) - 1))
    assert "far apart" in found.reason


def test_ligatures_and_letters_that_grow_in_lower_case_keep_the_offsets_right() -> None:
    text = "İİİ 😀 e\u0301tat: ﬁbrosis of the ﬂoor — severe"
    found = Grounder(text).ground("FIBROSIS OF THE FLOOR - SEVERE")
    assert (found.status, said(found, text)) == ("normalised", "ﬁbrosis of the ﬂoor — severe")
    assert said(Grounder(text).ground("Etat"), text) == "e\u0301tat"


def test_a_quote_is_exact_only_where_the_text_as_it_came_says_it_to_the_letter() -> None:
    garbled = "The patientâ€™s fever was high."
    for text, quote, status in (
        (garbled, "patient’s fever", "normalised"),
        (garbled, "patientâ€™s fever", "exact"),
        ("The patient’s fever was high.", "patientâ€™s fever", "normalised"),
    ):
        found = Grounder(text).ground(quote)
        assert found.status == status
        assert text[found.start : found.end].endswith("s fever")
