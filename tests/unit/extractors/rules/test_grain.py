"""How large quotes are: passages, sentences and phrases, as the scheme says of each category."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from extractors.model.document import Document
from extractors.model.finding import POLARITIES
from extractors.model.scheme import Scheme, default_scheme
from extractors.rules import RulesExtractor
from extractors.rules.collecting import Candidate, Collection

EXTRACTOR = RulesExtractor(default_scheme())


def quotes(text: str, category: str, extractor: RulesExtractor = EXTRACTOR) -> list[str]:
    return [one.quote for one in extractor.extract(Document("", text, ())) if one.category == category]


@pytest.mark.parametrize(
    ("category", "text"),
    [
        ("Vitals_Hema", "His temperature was 38.2 °C and pulse 110/min. Blood pressure was 90/60 mmHg."),
        ("Lab_Image", "Sodium was 128 mmol/L (Table 1). Potassium was 5.9 mmol/L and ammonia 212 µmol/L."),
        ("Lab_Image", "Skin biopsy showed hyperkeratosis. The epidermis was thickened."),
        ("History", "A boy of 3 presented with vomiting. It had begun two weeks earlier."),
        ("Pregnancy", "The pregnancy was uneventful. He was born at 38 weeks of gestation."),
        ("DERM", "There were papules on the trunk and the knees. They were 3 mm wide."),
    ],
)
def test_measurements_results_stories_and_descriptions_are_one_quote_of_several_sentences(
    category: str, text: str
) -> None:
    (quote,) = quotes(text, category)
    assert ". " in quote


def test_a_bracket_that_nothing_opened_keeps_no_clauses_together() -> None:
    text = "1) The patient denied fever, and his cough worsened."
    found = [(one.quote, one.polarity) for one in EXTRACTOR.extract(Document("", text, ()))]
    assert found == [("fever", "negated"), ("cough", "present")]


def test_another_story_begins_another_passage_and_so_does_a_paragraph() -> None:
    told = "A boy of 3 presented with vomiting. His parents are first cousins."
    assert quotes(told, "History") == [
        "A boy of 3 presented with vomiting",
        "His parents are first cousins",
    ]
    assert len(quotes("Sodium was 128 mmol/L.\nAmmonia was 212 µmol/L.", "Lab_Image")) == 2


@pytest.mark.parametrize(
    ("category", "text", "phrase"),
    [
        ("Neuro", "He had been drowsy since the morning of admission.", "drowsy"),
        ("GI", "Abdominal ultrasound showed marked hepatomegaly in 2015.", "marked hepatomegaly"),
        ("ENDO", "She had raised TSH and low free T4.", "raised TSH and low free T4"),
        (
            "GI",
            "The liver was enlarged 4 cm below the costal margin.",
            "liver was enlarged 4 cm below the costal margin",
        ),
        ("GI", "Diarrhoea was noted after weaning.", "Diarrhoea"),
        ("GI", "No evidence of hepatomegaly was found.", "No evidence of hepatomegaly"),
        ("Neuro", "He could not walk.", "could not walk"),
        ("GI", "The spleen was palpable.", "spleen was palpable"),
        ("LYMPH", "The lymph nodes were not palpable.", "lymph nodes were not palpable"),
        ("GU", "There was bleeding in the kidney, liver and spleen.", "bleeding in the kidney"),
        ("Neuro", "He had seizures which were treated late.", "seizures"),
        ("EENT", "Cataracts were found in early childhood.", "Cataracts"),
        (
            "Neuro",
            "His parents noticed increasing irritability over the last 3 weeks.",
            "increasing irritability",
        ),
        ("Neuro", "There was hyperintensity in the thalamus.", "hyperintensity in the thalamus"),
        ("GI", "Her abdomen was distended, particularly around the navel.", "abdomen was distended"),
        (
            "GU",
            "Creatinine level was kept at 1.7 mg/dL with maintenance therapy.",
            "Creatinine level was kept at 1.7 mg/dL",
        ),
        (
            "EENT",
            "The movements of the tongue and soft palate were normal.",
            "movements of the tongue and soft palate were normal",
        ),
        (
            "ENDO",
            "A nodule (1 cm) was palpable in the thyroid lobe.",
            "nodule (1 cm) was palpable in the thyroid lobe",
        ),
        (
            "GI",
            "Two colonoscopies revealed a stenosis in the area of the sigmoid colon.",
            "stenosis in the area of the sigmoid colon",
        ),
        ("GI", "Inguinal hernias were evident on clinical examination.", "Inguinal hernias"),
        ("GI", "On abdominal examination, the abdomen was soft.", "abdomen was soft"),
        ("RESP", "He had no respiratory or renal symptoms.", "no respiratory or renal symptoms"),
        ("MSK", "It was associated with pain in the wrist.", "pain in the wrist"),
        ("Neuro", "He had weakness on the thoracic, neck and leg.", "weakness on the thoracic, neck and leg"),
        ("GU", "She was diagnosed with renal failure 6 years ago.", "renal failure"),
        ("Neuro", "Lesions were not found in the brain.", "Lesions were not found in the brain"),
        ("GU", "We also found renal cysts.", "renal cysts"),
        ("EENT", "He had difficulty in swallowing and dysphonia.", "difficulty in swallowing and dysphonia"),
        ("Neuro", "There were seizures Figure 2.", "seizures"),
        ("Neuro", "There was ataxia of the trunk.1, 2", "ataxia of the trunk"),
        (
            "Neuro",
            "Reflexes were absent and plantar responses were flexor.",
            "Reflexes were absent and plantar responses were flexor",
        ),
    ],
)
def test_an_organ_s_quote_is_the_finding_s_phrase_alone(category: str, text: str, phrase: str) -> None:
    assert quotes(text, category) == [phrase]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (
            "Pathology of the resection specimen confirmed it.",
            "Pathology of the resection specimen confirmed it",
        ),
        (
            "Biopsy of the lung revealed breast cancer 2 years after surgery.",
            "Biopsy of the lung revealed breast cancer",
        ),
        ("CT of the leg revealed a mass so he underwent surgery.", "CT of the leg revealed a mass"),
        ("Legend: BUN: blood urea nitrogen.", ""),
        ("We performed a PCR from a blood culture.", ""),
        ("CSF from another patient had a protein of 2 g/L.", ""),
    ],
)
def test_a_result_is_the_patient_s_and_ends_with_what_it_says(text: str, result: str) -> None:
    assert "".join(quotes(text, "Lab_Image")) == result


@pytest.mark.parametrize(
    ("behind", "ends"),
    [
        ("in 2015", True),
        ("in 2 weeks", True),
        ("in childhood", True),
        ("over the last three weeks", True),
        ("on ultrasound", True),
        ("since 2015", True),
        ("in 3 of 10 places", False),
        ("over 12 fields", False),
        ("in all places", False),
        ("on both sides", False),
    ],
)
def test_a_phrase_ends_where_a_time_or_test_is_told_and_not_where_a_number_or_site_is(
    behind: str, ends: bool
) -> None:
    said = "seizures" if ends else f"seizures {behind}"
    assert quotes(f"She had seizures {behind}.", "Neuro") == [said]


def test_what_a_clause_of_its_own_says_of_the_same_organ_is_another_quote() -> None:
    told = "He had seizures that were preceded by days of headache."
    assert quotes(told, "Neuro") == ["seizures", "headache"]


@pytest.mark.parametrize(
    ("text", "category", "expected"),
    [
        (
            "She was drowsy over two days with frequent seizures.",
            "Neuro",
            [("drowsy", "present"), ("frequent seizures", "present")],
        ),
        (
            "There was hepatic steatosis, but no cirrhosis.",
            "GI",
            [("hepatic steatosis", "present"), ("no cirrhosis", "negated")],
        ),
        (
            "Cysts could not be excluded and lymphoma was ruled out.",
            "LYMPH",
            [("lymphoma was ruled out", "negated")],
        ),
    ],
)
def test_what_time_or_contrast_parts_is_not_one_finding(
    text: str, category: str, expected: list[tuple[str, str]]
) -> None:
    found = EXTRACTOR.extract(Document("", text, ()))
    assert [(one.quote, one.polarity) for one in found if one.category == category] == expected


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("He was found to have ammonia of 90 µmol/L.", "ammonia of 90 µmol/L"),
        ("One year later, an ECG showed a delta wave.", "an ECG showed a delta wave"),
        ("Sodium fell to 120 mmol/L with diuretic therapy.", "Sodium fell to 120 mmol/L"),
    ],
)
def test_a_result_is_told_without_person_time_and_treatment(text: str, result: str) -> None:
    assert quotes(text, "Lab_Image") == [result]


@pytest.mark.parametrize(
    ("text", "category", "expected"),
    [
        ("Two days after this therapy, he was afebrile.", "Vitals_Hema", ["afebrile"]),
        ("Days after administration of iron, his nausea, and emesis ceased.", "GI", ["nausea, and emesis"]),
        ("After treatment blood pressure was 120/80.", "Vitals_Hema", ["blood pressure was 120/80"]),
        ("The patient was given a dose of valproate therapy.", "Neuro", []),
    ],
)
def test_a_treatment_that_only_tells_when_hides_no_finding(
    text: str, category: str, expected: list[str]
) -> None:
    assert quotes(text, category) == expected


def test_a_word_of_an_organ_opens_its_category_where_what_is_wrong_stands_beside_it() -> None:
    assert quotes("There was swelling of the lower extremities.", "MSK") == [
        "swelling of the lower extremities"
    ]
    assert quotes("He moved the lower extremities.", "MSK") == []


def test_once_examined_a_move_to_a_ward_is_no_history() -> None:
    text = "A boy of 3 presented with vomiting. The CT was normal. He was admitted to the ward."
    assert quotes(text, "History") == ["A boy of 3 presented with vomiting"]


def test_a_test_that_was_done_belongs_to_what_it_showed_and_is_nothing_without() -> None:
    assert quotes("A CT was performed. It showed atrophy.", "Lab_Image") == [
        "A CT was performed. It showed atrophy"
    ]
    assert quotes("The ECG was normal. A CT was performed. He went home.", "Lab_Image") == [
        "The ECG was normal"
    ]


def test_a_passage_says_that_something_is_there_where_any_part_of_it_does() -> None:
    text = "The ECG was normal. Sodium was low. Potassium was normal."
    (found,) = (one for one in EXTRACTOR.extract(Document("", text, ())) if one.category == "Lab_Image")
    assert (found.quote, found.polarity) == (text[:-1], "present")


def test_of_two_quotes_as_one_what_is_there_counts_most_and_what_differs_else_is_open() -> None:
    text = "fever was denied, rash was seen"
    for first, second in product(POLARITIES, repeat=2):
        collection = Collection({"DERM": "passage"})
        collection.add("DERM", Candidate((0, 16), True, "", first))
        collection.add("DERM", Candidate((18, 31), True, "", second))
        (one,) = collection.kept("DERM", text)
        told = {first, second}
        said = told.pop() if len(told) == 1 else "present" if "present" in told else "uncertain"
        assert (one.span, one.polarity) == ((0, 31), said), (first, second)


def test_what_stands_within_another_quote_is_none_whatever_it_says() -> None:
    text = "no fever, rash or cough since then"
    for inner, polarity in product([(3, 8), (0, 8), (18, 23), (0, 23)], POLARITIES):
        collection = Collection({"DERM": "phrase"})
        collection.add("DERM", Candidate(inner, True, "", polarity))
        collection.add("DERM", Candidate((0, 23), True, "", "negated"))
        (kept,) = collection.kept("DERM", text)
        said = polarity if inner == (0, 23) else "negated"
        assert (kept.span, kept.polarity) == ((0, 23), said), (inner, polarity)


def test_another_scheme_sets_another_grain() -> None:
    gi = replace(default_scheme().category("GI"), grain="sentence")
    scheme = Scheme("own", "Own", "1", (gi,))
    text = "Diarrhoea was noted after weaning."
    assert quotes(text, "GI", RulesExtractor(scheme)) == ["Diarrhoea was noted after weaning"]


def test_a_run_on_examination_is_cut_at_its_labels() -> None:
    text = "Chest Clear Spine Mild scoliosis Abdomen Soft with hepatomegaly"
    assert quotes(text, "RESP") == ["Chest Clear"]
    assert quotes(text, "MSK") == ["Spine Mild scoliosis"]
    assert quotes(text, "GI") == ["Abdomen Soft with hepatomegaly"]


@pytest.mark.parametrize(
    "text",
    [
        "Physical examination Hepatomegaly was noted.",
        "Case report Hepatomegaly was noted.",
        "Table 2 Findings of the patient Hepatomegaly was noted.",
    ],
)
def test_a_heading_or_caption_does_not_stick_to_the_first_quote(text: str) -> None:
    assert quotes(text, "GI") == ["Hepatomegaly"]


@pytest.mark.parametrize(
    ("category", "text"),
    [
        ("EENT", "The disease involved the nasal cavity."),
        ("Neuro", "She was seen at the Department of Paediatric Neurology."),
        ("CVS", "He was sent to a cardiologist."),
        ("Neuro", "The pupils had a normal light reflex."),
        ("DERM", "Skin biopsy showed hyperkeratosis. The epidermis was thickened."),
        ("Vitals_Hema", "Skin biopsy showed a lymphocytic infiltrate."),
        ("EENT", "There were brown macules on the trunk."),
        ("History", "The patient underwent resection of the tumour."),
        ("ENDO", "The diagnosis followed a subtotal thyroidectomy."),
        ("CVS", "A coronary intervention was performed in the distal segment with a new device."),
        ("RESP", "They discussed the pulmonary test results."),
        ("MSK", "There was a tender hernia."),
        ("Neuro", "Brain natriuretic peptide was raised."),
        ("RESP", "A mass of the chest wall was found."),
        ("EENT", "The flexor retinaculum was thickened."),
    ],
)
def test_places_clinics_other_meanings_histology_and_operations_are_no_findings(
    category: str, text: str
) -> None:
    assert quotes(text, category) == []
