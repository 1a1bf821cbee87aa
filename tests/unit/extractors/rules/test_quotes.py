"""What the rules quote: findings as phrases and clauses, in the right categories."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from extractors.model.document import Document, Section
from extractors.model.finding import Finding
from extractors.model.scheme import Scheme, default_scheme
from extractors.rules import RulesExtractor

SCHEME = default_scheme()
EXTRACTOR = RulesExtractor(SCHEME)


def findings(text: str, category: str) -> list[Finding]:
    return [f for f in EXTRACTOR.extract(Document("", text, ())) if f.category == category]


def quotes(text: str, category: str) -> list[str]:
    return [f.quote for f in findings(text, category)]


@pytest.mark.parametrize(
    ("text", "category", "expected"),
    [
        (
            "On examination, she had spastic paraparesis and ataxia.",
            "Neuro",
            "spastic paraparesis and ataxia",
        ),
        (
            "The patient was found to have dilated cardiomyopathy (Figure 2A).",
            "CVS",
            "dilated cardiomyopathy",
        ),
        ("There were no palpable lymph nodes.", "LYMPH", "no palpable lymph nodes"),
        ("There was no history of fever or jaundice.", "Vitals_Hema", "no history of fever"),
        ("A 3-year-old boy presented with recurrent vomiting.", "GI", "recurrent vomiting"),
        (
            "Serum lactate was 6.8 mmol/L (normal 0.5–2.2).",
            "Lab_Image",
            "Serum lactate was 6.8 mmol/L (normal 0.5–2.2)",
        ),
        ("His BP was 140/90 mmHg.", "Vitals_Hema", "His BP was 140/90 mmHg"),
    ],
)
def test_empty_frames_and_figure_references_go_and_the_finding_stays(
    text: str, category: str, expected: str
) -> None:
    assert quotes(text, category) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He had cough but without dyspnoea.", [("cough", "present"), ("without dyspnoea", "negated")]),
        ("Without fever, she had a rash.", [("Without fever", "negated"), ("a rash", "present")]),
        ("He had dry skin but with tremor.", [("dry skin", "present"), ("tremor", "present")]),
        ("She was febrile and without rash.", [("febrile", "present"), ("without rash", "negated")]),
        (
            "Anuria was compatible with renal failure.",
            [("Anuria", "present"), ("renal failure", "uncertain")],
        ),
        ("She had a rash including tremor.", [("a rash", "present"), ("tremor", "present")]),
    ],
)
def test_what_only_leads_to_a_finding_goes_and_what_denies_it_stays(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert [(one.quote, one.polarity) for one in EXTRACTOR.extract(Document("", text, ()))] == expected


def test_an_enumeration_of_one_organ_system_is_one_quote_and_is_split_where_systems_change() -> None:
    text = "He had hypotonia, hyporeflexia and ataxia, dry skin and alopecia."
    assert quotes(text, "Neuro") == ["hypotonia, hyporeflexia and ataxia"]
    assert quotes(text, "DERM") == ["dry skin and alopecia"]


def test_the_members_of_a_subject_share_what_is_said_of_them() -> None:
    text = "The liver, heart and kidneys were enlarged."
    whole = "liver, heart and kidneys were enlarged"
    assert [quotes(text, c) for c in ("GI", "CVS", "GU")] == [[whole]] * 3


def test_a_list_of_tests_found_normal_is_a_result_and_says_nothing_of_each_organ() -> None:
    text = "Renal, liver and thyroid function tests were normal."
    assert [quotes(text, c) for c in ("GU", "GI", "ENDO")] == [[]] * 3
    assert quotes(text, "Lab_Image") == [text.rstrip(".")]


def test_a_name_of_an_organ_alone_takes_in_what_is_said_of_it() -> None:
    text = "There was bleeding in the kidney, liver and spleen."
    assert quotes(text, "GI") == ["bleeding in the kidney, liver and spleen"]


def test_neighbouring_clauses_of_one_category_are_one_quote() -> None:
    text = "Speech was normal and there was no tremor."
    assert quotes(text, "Neuro") == ["Speech was normal and there was no tremor"]


def test_a_negation_stays_with_the_enumeration_it_governs() -> None:
    assert quotes("There was no cough, rash and joint pain.", "MSK") == ["no cough, rash and joint pain"]


def test_what_a_wrong_decoding_garbled_is_read_as_it_was_and_quoted_as_it_stands() -> None:
    (found,) = findings("He didnâ€™t have ataxia. " + "Itâ€™s so. " * 5, "Neuro")
    assert (found.quote, found.start, found.polarity) == ("ataxia", 17, "negated")


def test_what_follows_an_examination_is_no_history() -> None:
    worse = "The pain worsened over the next weeks."
    assert quotes(worse, "History") == [worse[:-1]]
    assert quotes(f"On examination there was nothing. {worse}", "History") == []


def test_one_span_may_stand_in_several_categories() -> None:
    text = "Brain MRI was abnormal."
    assert quotes(text, "Neuro") == quotes(text, "Lab_Image") == ["Brain MRI was abnormal"]


def test_a_test_speaks_for_the_organ_it_found_something_in() -> None:
    assert quotes("Abdominal ultrasound revealed renal cysts.", "GI") == []
    assert quotes("Abdominal ultrasound revealed renal cysts.", "GU") == ["renal cysts"]


@pytest.mark.parametrize(
    "text",
    [
        "Ataxia has been reported in patients with this disorder.",
        "Cerebrotendinous xanthomatosis is a rare disease with ataxia.",
        "He was treated with carbamazepine 10 mg/kg for epilepsy prophylaxis.",
        "A brain MRI was performed.",
        "The brain stem was opened, and the clot was removed under endoscopic control.",
    ],
)
def test_literature_treatment_and_tests_without_result_are_no_findings(text: str) -> None:
    assert quotes(text, "Neuro") + quotes(text, "Lab_Image") == []


@pytest.mark.parametrize(
    "text",
    [
        "His mother had epilepsy and diabetes.",
        "His mother had epilepsy, migraine and stroke and later developed ataxia.",
        "His mother reported a family history of epilepsy.",
    ],
)
def test_a_relatives_illness_is_family_history_and_nothing_else(text: str) -> None:
    assert {f.category for f in EXTRACTOR.extract(Document("", text, ()))} == {"History"}
    assert findings(text, "History")[0].field == "family and genetics"


@pytest.mark.parametrize(
    "text",
    [
        "Her brother is well and she had ataxia.",
        "He, whose aunt has fits, had ataxia.",
        "According to his mother, he had ataxia.",
        "His mother was worried about his ataxia.",
        "Like his father, he had ataxia.",
        "The patient and her sister had ataxia.",
        "A mother and daughter with ataxia are reported.",
        "The proband, son of healthy parents, had ataxia.",
        "Since her mother's death she had ataxia.",
    ],
)
def test_what_is_told_behind_a_relative_of_the_patient_is_the_patient_s(text: str) -> None:
    assert quotes(text, "Neuro") == ["ataxia"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A 4-year-old girl presented with vomiting.", "chief complaint"),
        ("Her parents were consanguineous.", "family and genetics"),
        ("He had undergone adenoidectomy at 2 years.", "past surgical"),
        ("His past medical history was unremarkable.", "past medical"),
        ("He worked as a carpenter.", "social"),
    ],
)
def test_histories_are_told_apart_by_their_cues(text: str, name: str) -> None:
    assert [f.field for f in findings(text, "History")] == [name]


@pytest.mark.parametrize(
    ("text", "category", "polarity"),
    [
        ("She had seizures.", "Neuro", "present"),
        ("There was no ataxia.", "Neuro", "negated"),
        ("She denied headache.", "Neuro", "negated"),
        ("Encephalitis was suspected.", "Neuro", "uncertain"),
        ("He had café-au-lait spots.", "DERM", "present"),
        ("Diarrhoea? None.", "GI", "negated"),
        ("Cough (-).", "RESP", "negated"),
        ("Rheumatoid factor was positive, ANA was negative.", "Lab_Image", "present"),
    ],
)
def test_polarity_is_said(text: str, category: str, polarity: str) -> None:
    assert [f.polarity for f in findings(text, category)] == [polarity]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("BP was 120/80 mmHg.", "blood pressure"),
        ("Temperature was 38.5 °C.", "temperature"),
        ("Heart rate was 140 beats/min.", "pulse"),
        ("Oxygen saturation was 94%.", "oxygen saturation"),
        ("Hemoglobin was 7.2 g/dL.", "haematology measurements"),
        ("She had severe anaemia.", "haematological conditions"),
    ],
)
def test_vital_signs_and_haematology_name_their_field(text: str, name: str) -> None:
    assert [f.field for f in findings(text, "Vitals_Hema")] == [name]


def test_what_an_image_showed_runs_on_over_its_sentences() -> None:
    text = "Cranial CT was abnormal. The lesion was 3 cm wide with a calcified rim. He walked home."
    assert quotes(text, "Lab_Image") == [
        "Cranial CT was abnormal. The lesion was 3 cm wide with a calcified rim",
    ]


def test_what_a_clause_tells_before_it_turns_to_treatment_is_kept() -> None:
    assert quotes("He had transient loss of consciousness after administration of propofol.", "Neuro") == [
        "transient loss of consciousness"
    ]
    assert quotes("Seizures were treated with valproate.", "Neuro") == []


def test_no_sentence_of_a_caption_is_a_finding() -> None:
    text = (
        "Figure 1. Skin of the patient. (B) Bone marrow biopsy of the patient showed anemia.\nHe had a rash."
    )
    assert [f.quote for f in EXTRACTOR.extract(Document("", text, ()))] == ["a rash"]


def test_what_the_family_does_not_have_is_no_finding_of_the_patient() -> None:
    text = "There was no familial history of diabetes and hereditary anemia."
    assert quotes(text, "Vitals_Hema") == []
    assert quotes(text, "History") == [text[:-1]]


def test_findings_are_joined_only_while_they_stay_short() -> None:
    text = (
        "The liver was enlarged and tender on palpation in the right flank and the stool was pale and greasy."
    )
    assert len(quotes(text, "GI")) == 2


def test_an_abbreviation_the_report_defines_means_its_long_form() -> None:
    assert EXTRACTOR.notes == ()
    text = "He had a dilated myopathic heart disease (DMHD). The DMHD was severe."
    assert quotes(text, "CVS") == ["dilated myopathic heart disease (DMHD)", "DMHD was severe"]


def test_without_scispacy_the_rules_work_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scispacy.abbreviation", None)
    extractor = RulesExtractor(SCHEME)
    assert len(extractor.notes) == 1
    assert [f.quote for f in extractor.extract(Document("", "She had ataxia (AT).", ()))][-1] == "ataxia (AT)"


def sectioned(*parts: tuple[str, str, str, tuple[str, ...]]) -> Document:
    text, sections = "", []
    for heading, role, body, categories in parts:
        start = len(text)
        text += f"{heading}\n\n{body}\n\n"
        sections.append(Section(heading, (heading,), start, len(text), categories, role))  # type: ignore[arg-type]
    return Document("", text, tuple(sections))


def found(document: Document, category: str) -> list[str]:
    return [f.quote for f in EXTRACTOR.extract(document) if f.category == category]


def test_only_the_case_is_searched_where_there_is_one() -> None:
    every = SCHEME.ids
    document = sectioned(
        ("Introduction", "background", "He had ataxia.", every),
        ("Case", "case", "He had chorea.", every),
        ("Funding", "excluded", "He had tremor.", every),
    )
    assert found(document, "Neuro") == ["chorea"]


def test_without_a_case_section_everything_but_the_excluded_is_searched() -> None:
    every = SCHEME.ids
    document = sectioned(
        ("Introduction", "background", "He had ataxia.", every),
        ("Funding", "excluded", "He had tremor.", every),
    )
    assert found(document, "Neuro") == ["ataxia"]


def test_the_title_above_the_sections_of_a_printed_report_is_no_finding() -> None:
    title = "Ataxia in a boy"
    parts = [(title, "case", "He had chorea.", SCHEME.ids), ("Case", "case", "He had tremor.", SCHEME.ids)]
    document = sectioned(*parts)
    first = replace(document.sections[0], heading="", path=())
    printed = replace(document, title=title, sections=(first, *document.sections[1:]))
    assert found(printed, "Neuro") == ["chorea", "tremor"]
    # A note of one line may be its own title.
    alone = Document("He had ataxia.", "He had ataxia.\n", (replace(first, end=15),))
    assert found(alone, "Neuro") == ["ataxia"]


def test_a_heading_restricts_organs_but_never_results_and_history() -> None:
    body = "His father was well. He had ataxia and dry skin. Serum copper was low."
    document = sectioned(("Neurological examination", "case", body, ("Neuro",)))
    assert found(document, "DERM") == []
    assert found(document, "Neuro") == ["ataxia"]
    assert found(document, "Lab_Image") == ["Serum copper was low"]
    assert found(document, "History") == ["His father was well"]


def test_a_scheme_with_fewer_categories_gets_only_those() -> None:
    small = Scheme("own", "Own", "1", (SCHEME.category("Neuro"),))
    assert {
        f.category for f in RulesExtractor(small).extract(Document("", "He had ataxia and fever.", ()))
    } == {"Neuro"}


def test_the_version_names_rules_and_data() -> None:
    assert EXTRACTOR.version == RulesExtractor(SCHEME).version
    assert EXTRACTOR.version.startswith("rules ")
