"""Terms of texts: names in other words, what is said of them, values, and where they stand."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from extractors.assets import asset
from extractors.model.document import Document
from extractors.phenotypes import assertion
from extractors.phenotypes.engine import Phenotype, PhenotypeRules, telling
from extractors.phenotypes.values import load_tests
from extractors.rules.lexicon import load_lexicon
from extractors.rules.reading import Reading, read
from extractors.terminology.library import shipped_hpo


@cache
def rules() -> PhenotypeRules:
    return PhenotypeRules()


def found(text: str) -> list[Phenotype]:
    return rules().find(text)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("The corpus callosum was hypoplastic.", "Hypoplasia of the corpus callosum"),
        ("She had seizures.", "Seizure"),
        ("Microcephalic from birth.", "Microcephaly"),
        ("She was anosmic.", "Anosmia"),
        ("syndactylous toes", "Toe syndactyly"),
        ("lachrymal duct stenosis", "Lacrimal duct stenosis"),
        ("brain stem anomalies", "Abnormal brainstem morphology"),
        ("a nasal bridge that was broad", "Wide nasal bridge"),
        ("Anaemia was found.", "Anemia"),
        ("He was short of breath.", "Dyspnea"),
        ("VSD was repaired.", "Ventricular septal defect"),
        ("with pre-auricular pits", "Preauricular pit"),
        ("Anti-nuclear antibodies were positive.", "Antinuclear antibody positivity"),
        ("He has bilateral sensorineural hearing loss.", "Bilateral sensorineural hearing impairment"),
        ("Obese.", "Obesity"),
        ("Hyperactive.", "Hyperactivity"),
        ("down-slanting palpebral fissures", "Downslanted palpebral fissures"),
        ("Respiratory failure followed.", "Respiratory failure"),
        ("She has ID.", "Intellectual disability"),
        ("Moderate ID.", "Intellectual disability, moderate"),
        ("He has ASD.", "Autistic behavior"),
        ("An echocardiogram showed ASD.", "Atrial septal defect"),
        ("ASD was seen on the echocardiogram.", "Atrial septal defect"),
        ("VSD 5 mm.", "Ventricular septal defect"),
        ("Two VSDs were closed.", "Ventricular septal defect"),
        ("Secundum ASD.", "Secundum atrial septal defect"),
        ("Bilateral undescended testes.", "Bilateral cryptorchidism"),
        ("Agenesis of the CC.", "Agenesis of corpus callosum"),
        ("A bulbous nasal tip.", "Bulbous nose"),
        ("Laxity of skin.", "Cutis laxa"),
        ("School was difficult. Walked at 26 months.", "Delayed ability to walk"),
        ("A high pain threshold.", "Impaired pain sensation"),
        ("Progressive proximal weakness.", "Progressive proximal muscle weakness"),
        ("NG tube feeding.", "Nasogastric tube feeding"),
        ("Multiple café-au-lait macules.", "Multiple cafe-au-lait spots"),
    ],
)
def test_a_term_is_found_in_other_forms_order_and_everyday_words(text: str, label: str) -> None:
    assert [one.label for one in found(text)] == [label]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("conductive or mixed hearing loss", ["Conductive hearing impairment", "Mixed hearing impairment"]),
        (
            "hypoplasia or agenesis of the corpus callosum",
            ["Hypoplasia of the corpus callosum", "Agenesis of corpus callosum"],
        ),
        ("a nose with a bulbous tip", ["Prominent nasal tip"]),
        ("sparse hair, eyebrows and eyelashes", ["Sparse hair", "Sparse eyebrow", "Sparse eyelashes"]),
        ("sparse scalp hair, absent eyelashes", ["Sparse scalp hair", "Absent eyelashes"]),
        ("broad nose, ears low-set", ["Wide nose", "Low-set ears"]),
        (
            "elevated serum lactate, and ferritin",
            ["Increased circulating lactate concentration", "Increased circulating ferritin concentration"],
        ),
        ("elevated serum lactate 3, and ferritin 5", ["Increased circulating lactate concentration"]),
        ("elevated serum lactate, ferritin was seen", ["Increased circulating lactate concentration"]),
        ("elevated serum lactate and ferritin was 50", ["Increased circulating lactate concentration"]),
        (
            "elevated lactate, and ferritin level was normal",
            ["Increased circulating lactate concentration"],
        ),
        ("large low-set ears", ["Macrotia", "Low-set ears"]),
        ("tracheo-oesophageal fistula", ["Tracheoesophageal fistula"]),
        ("hyper- or hypotonia", ["Hypertonia", "Hypotonia"]),
        (
            "pre- and postnatal growth retardation",
            ["Intrauterine growth retardation", "Postnatal growth retardation"],
        ),
        ("ectopic gastric mucosa", []),
        ("short philtrum and 5th finger clinodactyly", ["Short philtrum", "Clinodactyly of the 5th finger"]),
        (
            "a short and webbed neck, and a barrel-shaped chest",
            ["Short neck", "Webbed neck", "Barrel-shaped chest"],
        ),
        ("imperforate anus and rectovaginal fistula", ["Anal atresia", "Rectovaginal fistula"]),
        (
            "He was calm. The oncology team was ordering tests. Tumour necrosis factor; stroke risk factors.",
            [],
        ),
    ],
)
def test_words_are_shared_within_a_phrase_and_no_further(text: str, labels: list[str]) -> None:
    assert [one.label for one in found(text)] == labels


def test_what_brackets_deny_stays_in_them() -> None:
    said = found(
        "Brachydactyly (no polydactyly), ataxia, and deafness. No rash (or petechiae), fever or cough."
    )
    assert [one.label for one in said if one.polarity == "present"] == [
        "Brachydactyly",
        "Ataxia",
        "Hearing impairment",
    ]


def test_words_that_share_a_noun_are_terms_of_their_own_with_their_places() -> None:
    text = "Examination showed short and broad thumbs, and branchial fistulas or cysts. Dry, scaly skin."
    said = {one.label: text[one.start : one.end] for one in found(text)}
    assert said["Short thumb"] == "short and broad thumbs"
    assert said["Broad thumb"] == "broad thumbs"
    assert (said["Dry skin"], said["Scaling skin"]) == ("Dry, scaly skin", "scaly skin")
    [slanted] = found("He has down-slanting palpebral fissures.")
    assert slanted.text == "down-slanting palpebral fissures"
    assert {"Branchial fistula", "Branchial cyst"} <= said.keys()
    assert not found("A deformity, short stay, broad knowledge and thin evidence of thumbs up.")


def test_a_comma_joins_no_words_of_one_name() -> None:
    text = (
        "Thin corpus callosum, enlarged ventricles, flat nasal bridge, short neck, open mouth, cleft palate."
    )
    assert [one.label for one in found(text)] == [
        "Thin corpus callosum",
        "Ventriculomegaly",
        "Depressed nasal bridge",
        "Short neck",
        "Open mouth",
        "Cleft palate",
    ]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("optic nerve hypoplasia and absent reflexes", ["Optic nerve hypoplasia", "Areflexia"]),
        (
            "progressive spastic paraplegia and peripheral neuropathy",
            ["Progressive spastic paraplegia", "Peripheral neuropathy"],
        ),
        (
            "ID, progressive ataxia and IUGR",
            ["Intellectual disability", "Progressive cerebellar ataxia", "Intrauterine growth retardation"],
        ),
        (
            "agenesis of the corpus callosum and hypoplasia of the brainstem",
            ["Agenesis of corpus callosum", "Hypoplasia of the brainstem"],
        ),
        ("long face, prominent nose, hypoplastic nails", ["Long face", "Prominent nose", "Small nail"]),
        ("High forehead, frontal bossing.", ["High forehead", "Frontal bossing"]),
        ("Hands and feet are small.", ["Small hand", "Short foot"]),
        ("iris and retinal colobomas", ["Iris coloboma", "Retinal coloboma"]),
        ("cerebellar atrophy with a hypoplastic mandible", ["Cerebellar atrophy", "Micrognathia"]),
        ("Skin is soft and hyperelastic with scars.", ["Soft skin", "Hyperextensible skin"]),
        ("Cerebellar atrophy on brain MRI.", ["Cerebellar atrophy"]),
        (
            "polydactyly of both hands and the left foot",
            ["Hand polydactyly", "Foot polydactyly"],
        ),
        ("syndactyly of the second and third toes", ["2-3 toe syndactyly"]),
        ("contractures of the knees, ankles and neck", ["Knee contracture", "Ankle contracture"]),
    ],
)
def test_what_is_said_of_the_next_finding_is_not_said_of_this_one(text: str, labels: list[str]) -> None:
    assert [one.label for one in found(text)] == labels


def test_a_list_with_or_is_denied_as_a_whole() -> None:
    text = "There was no history of trauma to the knees, seizures, chronic diarrhoea or steatorrhoea."
    assert [one.polarity for one in found(text)] == ["negated"] * 3
    telegraphic = found("No seizures, hypotonia, ptosis, cataract, microcephaly, and an open mouth.")
    assert telegraphic[-1].polarity == "present"


@pytest.mark.parametrize(
    ("text", "polarity", "relative"),
    [
        ("He had no seizures.", "negated", False),
        ("She denied chest pain.", "negated", False),
        ("Seizures were denied by the parents.", "negated", False),
        ("Weight loss - no.", "negated", False),
        ("Ataxia - no other signs were found.", "present", False),
        ("He was not without pain, and not infrequently.", "present", False),
        ("She had not only seizures.", "present", False),
        ("Possible seizures were reported.", "uncertain", False),
        ("The biopsy was consistent with hepatic fibrosis.", "present", False),
        ("Absent speech was noted.", "present", False),
        ("The ears are protruding with absent lobes.", "present", False),
        ("Her mother had seizures.", "present", True),
        ("His parents noticed seizures.", "present", False),
        ("The mother told us of seizures.", "present", False),
        ("Both affected brothers had seizures.", "present", False),
        ("The patient and his brother had seizures.", "present", False),
        ("She described a family history of seizures.", "present", True),
        ("The mother, who has ptosis, was 30 years old.", "present", True),
        ("He was born to parents with epilepsy.", "present", True),
        ("A mother and son with ataxia were seen.", "present", False),
        ("Sibling 2 has ataxia.", "present", False),
        ("Two siblings (a boy of 6, a girl of 3 years) with ataxia.", "present", False),
        ("Two brothers had seizures.", "present", True),
        ("Seven familial cases had ataxia.", "present", False),
        ("Features of our proband (e.g. ataxia), as well as her healthy sister, are told.", "present", False),
        ("Two brothers with epilepsy were seen.", "present", False),
        ("Seizures have never been observed.", "negated", False),
        ("Black stools had not been noticed.", "negated", False),
        ("Ataxia has not been reported in this syndrome.", "present", False),
        ("Seizures were never reported.", "negated", False),
        ("Seizure-free since then.", "negated", False),
        ("Non-progressive ataxia.", "present", False),
        ("Ragged red fibres and COX-negative fibres were seen.", "present", False),
        ("He is at risk of scoliosis.", "uncertain", False),
        ("Epilepsy was suspected.", "uncertain", False),
        ("Deafness was suspected at birth and confirmed at 2 months.", "present", False),
        ("Ataxia was likely caused by a toxin.", "present", False),
        ("It was suspected because of ataxia.", "present", False),
        ("If fever occurs, he is to return.", "uncertain", False),
        ("Without treatment she developed ataxia.", "present", False),
        ("A woman with ataxia was denied treatment.", "present", False),
        ("His mother's hemoglobin was 7.9 g/dL.", "present", True),
        ("The parents reported a hemoglobin of 7.9 g/dL.", "present", False),
        ("His mother had a hemoglobin of 7.9 g/dL, but he was well.", "present", True),
        ("His mother was well, but his hemoglobin was 7.9 g/dL.", "present", False),
        ("Both parents have short stature.", "present", True),
        ("Ptosis was present in her mother.", "present", True),
        ("Autism is found in two of his brothers.", "present", True),
        ("Ptosis in the patient and her mother.", "present", False),
        ("Ptosis in our patient, the mother was well.", "present", False),
        ("Ptosis was seen in her mother and the patient.", "present", False),
        ("Ataxia was found in two brothers.", "present", False),
        ("He did not have seizures until the age of 5 years.", "present", False),
        ("No seizures until now.", "negated", False),
        ("He no longer has seizures.", "present", False),
        ("It is unclear whether she has ataxia.", "uncertain", False),
        ("It is discussed whether the ataxia is part of it.", "present", False),
        ("Sepsis was unlikely.", "uncertain", False),
        ("(-) fever", "negated", False),
        ("Hallucinations? Not reported.", "negated", False),
        ("Unlike her brother, she has no ataxia.", "negated", False),
        ("Unlike her brother, she has ataxia.", "present", False),
        ("Differential diagnosis included epilepsy.", "uncertain", False),
    ],
)
def test_what_is_denied_doubted_or_said_of_relatives_is_told_apart(
    text: str, polarity: str, relative: bool
) -> None:
    assert [(one.polarity, one.relative) for one in found(text)] == [(polarity, relative)]


def test_an_abbreviation_that_the_report_defines_stands_for_its_term() -> None:
    text = "She had intellectual disability (ID). Her ID was noted early."
    assert [text[one.start : one.end] for one in found(text) if one.label == "Intellectual disability"] == [
        "intellectual disability",
        "ID",
        "ID",
    ]
    assert [one.text for one in found("A syndrome(ABC) with seizures (SZ).")] == ["seizures", "SZ"]
    assert not found("She had a very small duct (VSD). The VSD was seen.")
    severe = found("She had severe intellectual developmental disability (SIDD). SIDD was noted.")
    assert [one.text for one in severe if one.label == "Intellectual disability, severe"][1:] == ["SIDD"] * 2
    # What it was short for first counts.
    twice = found("Optic atrophy (OA) was seen. Later osteoarthritis (OA) was found. OA progressed.")
    assert [one.label for one in twice if one.text == "OA"] == ["Optic atrophy"] * 3


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Haemoglobin was 7.9 g/dL.", ["Anemia"]),
        ("Hb 13 g/dL, platelets 45 x 10^9/L.", ["Thrombocytopenia"]),
        ("Platelet count was 45,000/µL.", ["Thrombocytopenia"]),
        ("Sodium of 139 mmol/L (normal 140-150).", ["Hyponatremia"]),
        ("Sodium of 131 mmol/L (normal 130-150).", []),
        ("Creatinine was normal at 14 years.", []),
        ("BMI 35.3 kg/m2 (>99th centile).", ["Obesity"]),
        ("Birth weight was 1800 g (below P3).", ["Small for gestational age"]),
        ("Her height is 102 cm (-3.2 SD).", ["Short stature"]),
        ("Her weight was at the 25th percentile, OFC 3 SD above the mean.", ["Macrocephaly"]),
        ("Ferritin 812 (reference: <300).", ["Increased circulating ferritin concentration"]),
        ("Its activity in leukocytes was 0.9 nmol/h/mg (normal 32-60); leukocytes 2.1 G/l.", ["Leukopenia"]),
        ("Its activity in leukocytes was 0.9 nmol/h/mg (normal 32-60).", []),
        ("Urea 120 mg/dl.", ["Increased blood urea nitrogen"]),
        ("Serum urea was 15.2 mmol/l, 6 mmol/l later.", ["Increased blood urea nitrogen"]),
        ("Blood urea of 40 mg/dl, urine urea 200 mmol/l.", []),
        ("There was an increase in direct bilirubin.", ["Conjugated hyperbilirubinemia"]),
        ("Raised indirect bilirubin.", ["Unconjugated hyperbilirubinemia"]),
        ("Testosterone was 3.9 nmol/L (normal <2.5).", ["Increased serum testosterone level"]),
        ("Testosterone was 3.9 nmol/L.", []),
        ("Sodium was 131 (≥135), later sodium was 140 (≥135).", ["Hyponatremia"]),
        ("Ferritin 812 (≤300), later ferritin 200 (≤300).", ["Increased circulating ferritin concentration"]),
        ("Her height was at the 3rd centile, OFC at the 97th centile.", []),
        ("Height -2 SD, OFC >97th centile.", ["Short stature", "Macrocephaly"]),
        ("IQ > 50.", []),
        ("Walked at 11 years.", []),
        ("Blood pressure was 160/100 mmHg, heart rate 90/min.", ["Hypertension"]),
        ("Normal height, wide ears (OFC 3 SD above the mean).", ["Macrocephaly"]),
        ("INR was 4.5 and Hct 41%.", ["Prolonged prothrombin time"]),
        ("INR 2.3 (0.9-2.5), eosinophils 12,300/µL.", ["Eosinophilia"]),
        ("Full-scale IQ was 48.", ["Intellectual disability, moderate"]),
        ("IQ < 50, later an IQ of 92.", ["Intellectual disability"]),
        ("IQ below 20.", ["Intellectual disability, profound"]),
        ("IQ < 21.", ["Intellectual disability"]),
        ("HC 98th %ile, wt 50th %ile, height 80 cm (<3rd).", ["Macrocephaly", "Short stature"]),
        ("Length 43 cm, HC 29 cm (-3.5 SD).", ["Microcephaly"]),
        ("Height 80 cm, HC 44 cm (both < 3rd centile).", ["Short stature", "Microcephaly"]),
        ("He walked independently at the age of 3 years.", ["Delayed ability to walk"]),
        ("Walked at 13 months. She stopped walking at 5 years.", []),
        ("Born to a 30-year-old mother by caesarean section at 33+4 weeks.", ["Premature birth"]),
        ("She was delivered vaginally at 39 weeks.", []),
        ("CSF glucose 1.2 mmol/L (2.5-4.0), urine sodium 10 mmol/L (40-220).", ["Hypoglycorrhachia"]),
        ("CSF lactate was 4.1 mmol/L.", ["Increased CSF lactate"]),
        (
            "CK was ten times the upper limit of normal.",
            ["Elevated circulating creatine kinase concentration"],
        ),
        ("QTc 500 ms, QT interval 400 ms.", ["Prolonged QTc interval"]),
        ("A prolonged QTc was seen.", ["Prolonged QTc interval"]),
        (
            "Lactate dehydrogenase was 900 U/L.",
            ["Increased circulating lactate dehydrogenase concentration"],
        ),
        ("IgA was undetectable.", ["Decreased circulating IgA concentration"]),
        ("Temp 39.5 C, eGFR 38 ml/min/1.73m2.", ["Fever", "Decreased glomerular filtration rate"]),
        ("PT 25 s (11-14), fibrinogen 0.6 g/L.", ["Prolonged prothrombin time", "Hypofibrinogenemia"]),
        ("Physical therapy (PT) 3 times weekly.", []),
        ("Sat at 7/12, walked 28/12.", ["Delayed ability to walk"]),
        ("Walked 28/12/2019.", []),
        ("Walked at 3 YEARS, leukocytes 8.0 x 10^9/L.", ["Delayed ability to walk"]),
        ("BW 2.1 kg (<0.4th centile).", ["Small for gestational age"]),
    ],
)
def test_values_beyond_their_range_are_terms_and_the_reports_own_range_comes_first(
    text: str, labels: list[str]
) -> None:
    assert [one.label for one in found(text)] == labels


def test_of_every_test_a_value_at_a_bound_is_no_term_and_one_beyond_is() -> None:
    written = {"none": "{:g}", "months": "at {:g} months", "weeks": "at {:g} weeks", "count": "{:g} x 10^9/L"}
    for words, test in (named for same in load_tests().names.values() for named in same):
        for unit, (low, high) in test.units.items() if "" not in test.units else ():
            values = [(low, ""), (high, ""), (0.9 * low, test.low if low else ""), (1.1 * high, test.high)]
            # Nobody speaks of fifty weeks.
            for value, code in values[: 3 if unit == "weeks" else 4]:
                text = f"{' '.join(words)} {written.get(unit, '{:g} ' + unit).format(value)}.".capitalize()
                assert [one.code for one in found(text)] == [code] * bool(code), text


def test_words_that_only_look_like_a_term_are_none() -> None:
    assert not found(
        "Antibodies to hepatitis C virus and tumour markers. Patient ID: 7. "
        "Testing missed one. A 44-year-old man with negative tests slowly walked to many oral collections."
    )


def test_places_hold_in_texts_that_were_garbled() -> None:
    text = "Dose 5 Âµg. She had seizures."
    one = rules().extract(Document("A report", text, ()))[-1]
    assert (one.text, text[one.start : one.end]) == ("seizures", "seizures")
    [one] = rules().extract(Document("A report", "Multiple cafÃ©-au-lait macules.", ()))
    assert one.text == "Multiple cafÃ©-au-lait macules"


def test_a_profile_has_the_patients_own_findings_each_as_present_or_denied() -> None:
    text = "He had seizures. He had no seizures since. No ataxia was seen. Her mother had deafness."
    assert rules().profile(text) == (["HP:0001250"], ["HP:0001251"])


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("He had no seizures.\nShe has ataxia.", "seizures", ("negated", False)),
        ("He was born to parents with epilepsy.", "epilepsy", ("present", True)),
        ("Ptosis was found in her mother.", "Ptosis", ("present", True)),
        ("Seizures\nwere absent.", "Seizures", ("present", False)),
        ("No fever. Ataxia.", "Ataxia", ("present", False)),
    ],
)
def test_what_is_said_at_a_place_is_read_off_its_sentence_and_line(
    text: str, place: str, said: tuple[str, bool]
) -> None:
    start = text.index(place)
    assert telling(text, start, start + len(place)) == said


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("vitreous haemorrhages in both eyes", ["Vitreous hemorrhage"]),
        ("cysts of the mesentery, and renal anomalies", ["Mesenteric cyst", "Abnormality of the kidney"]),
        ("rib anomalies and calcification of the falx", ["Abnormal rib morphology"]),
        ("stiffness at the wrist joint and a rash", ["Stiff wrist", "Skin rash"]),
        ("In the left eye, there was a combined hamartoma of the retina.", ["Retinal hamartoma"]),
        ("an abnormal fetal echocardiogram", []),
        ("presence or absence of retinal hamartomas", ["Retinal hamartoma"]),
        ("Seizures were absent.", ["Seizure"]),
        ("a sleepiness scale, a low normal growth hormone", []),
        ("urinary methylmalonic acid was elevated", []),
        ("signal changes of the globus pallidus", []),
        ("Total and low-density lipoprotein cholesterol were normal.", []),
        ("She had cancer and was a candidate of blood transfusion.", ["Neoplasm"]),
    ],
)
def test_words_that_are_said_of_something_else_make_no_term(text: str, labels: list[str]) -> None:
    assert [one.label for one in found(text)] == labels


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("sparse axillary and pubic hair", {"Sparse axillary hair", "Sparse pubic hair"}),
        ("low sodium, calcium and magnesium", {"Hyponatremia", "Hypocalcemia", "Hypomagnesemia"}),
        ("recurrent otitis, sinusitis and pneumonia", {"Recurrent sinusitis", "Recurrent pneumonia"}),
        ("recurrent pneumonia, ataxia and seizures", {"Recurrent pneumonia", "Ataxia", "Seizure"}),
        ("ovarian calcification or fibroma", {"Ovarian fibroma"}),
        ("large ear lobes", {"Large earlobe"}),
        ("non-progressive ataxia and hearing loss", {"Ataxia", "Hearing impairment"}),
        ("inappropriate bursts of laughter", {"Paroxysmal bursts of laughter"}),
        ("A dehydrated, cachectic girl", {"Dehydration", "Cachexia"}),
        ("an abnormal clavicular shape", {"Abnormal clavicle morphology"}),
        ("weakness of limbs", {"Limb muscle weakness"}),
        ("shortening of the big toes", {"Short hallux"}),
        ("a renal defect, cortical lens opacities", {"Abnormality of the kidney", "Cortical cataract"}),
        ("paralysis of the left hemidiaphragm", {"Diaphragmatic paralysis"}),
        ("Thumbs and great toes were broad.", {"Broad thumb", "Broad hallux"}),
        ("hypo- and hyperthyroidism", {"Hypothyroidism", "Hyperthyroidism"}),
        ("He went under and overweight followed.", {"Overweight"}),
    ],
)
def test_lists_compounds_and_forms_are_read_as_the_names_they_stand_for(text: str, labels: set[str]) -> None:
    assert {one.label for one in found(text)} == labels


def test_words_that_deny_belong_to_the_names_that_have_them() -> None:
    terms, deny = shipped_hpo(), re.compile(r"\b(?:non|without|free|lack|negative)\b")
    codes: dict[str, set[str]] = {}
    for name, row in zip(map(str.lower, terms.names), terms.name_rows.tolist(), strict=True):
        if deny.search(name):
            codes.setdefault(name, set()).add(terms.codes[row])
    lost = [
        name
        for name, known in codes.items()
        if not known & {one.code for one in found(f"She had {name}.") if one.polarity == "present"}
    ]
    assert 6 * len(lost) < len(codes), lost


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("He denied fever, chills, night sweats, weight loss, cough, chest pain and dyspnea.", 7),
        ("Headache, vomiting, and tremor were absent.", 3),
        ("Seizures, ataxia and tremor were absent to light touch.", 3),
        ("She did not report any seizures.", 1),
        ("His history was unremarkable except for chronic back pain.", 0),
        ("Fever (-), tremor (-), cough: no", 3),
        ("No dysmorphic features other than hypertelorism were seen.", 1),
        ("She had hypotonia, no seizures, ataxia and tremor.", 1),
        ("None of them had hearing loss, cardiac defects or cleft palate.", 3),
        ("Cupped ears without seizures, facial palsy on the left, tetralogy of Fallot.", 1),
        ("No cause of her anemia was found.", 0),
        ("The cause of her anemia was not found.", 0),
        ("There was no improvement in her seizures.", 0),
        ("These must be ruled out in all with ataxia.", 0),
        ("Patients may have tremor.", 0),
    ],
)
def test_a_denial_reaches_its_whole_list_and_nothing_beyond(text: str, denied: int) -> None:
    polarities = [one.polarity for one in found(text)]
    assert polarities.count("negated") == denied
    assert "uncertain" not in polarities


def test_what_is_asked_or_feared_is_not_there() -> None:
    text = "He was screened for deafness. It could lead to bowel ischaemia. CT was done to exclude cancer."
    assert [one.polarity for one in found(text)] == ["uncertain"] * 3


def test_an_irritable_bowel_is_no_irritability() -> None:
    assert [one.label for one in found("He had irritable bowel syndrome.")] == ["Bowel irritability"]


def test_what_is_said_of_a_relative_in_passing_ends_with_it() -> None:
    text = "The patient, whose mother has epilepsy, had ataxia. Like her mother, she has ptosis."
    text += " Her father had migraine, vertigo and later died of a brain abscess, and was deaf."
    assert {one.label: one.relative for one in found(text)} == {
        "Seizure": True,
        "Ataxia": False,
        "Ptosis": False,
        "Migraine": True,
        "Vertigo": True,
        "Brain abscess": True,
        "Hearing impairment": True,
    }


def test_every_test_is_read_by_its_unit_or_by_the_range_of_the_report_and_says_what_its_table_says() -> None:
    table = tomllib.loads(asset("resources", "terminology", "tests.toml").read_text("utf-8"))
    ranges = 0
    for told in table.values():
        units = told.get("units", {})
        if not units or {"months", "weeks"} & units.keys():
            continue
        name = told["names"].split(",")[0]
        for unit, (least, most) in ((one, bounds) for one, bounds in units.items() if one != "count"):
            # Beyond the table's bounds by a quarter, within them, and beyond what the report calls normal.
            below, within, above = (
                f"{value:.5f}" for value in (least * 0.75, (least + most) / 2, most * 1.25)
            )
            for value, code in ((below, least and told.get("low")), (within, ""), (above, told.get("high"))):
                codes = [one.code for one in found(f"{name} was {value} {unit}.")] if unit else []
                assert codes == ([code] if unit and code else []), (name, value, unit)
            for given, code in ((3, told.get("low")), (7, ""), (15, told.get("high"))):
                codes = [one.code for one in found(f"{name} was {given} {unit} (normal 5-10).")]
                assert codes == ([code] if code else []), (name, given, unit)
                ranges += bool(code)
    assert ranges > 100


def test_what_stands_around_a_finding_is_looked_at_word_by_word() -> None:
    def at(text: str) -> Reading:
        return read(text, load_lexicon())

    clause: Any = SimpleNamespace(first=0, last=20)
    for before, another in (("He no longer had fits", True), ("He had a longer stay without fits", False)):
        assert assertion._at_another_time(at(before), clause, len(before.split()) - 1, len(before)) == another
    assert assertion.within(at("low density"), [0])
    assert not assertion.within(at("low density"), [0, 1]), "both are words of the term"
    told = "his mother, who fell, was seen and had fits"
    assert not assertion.in_family(at(told), clause, len(at(told).words) - 1), "too much was done since"
    assert assertion.in_family(at("his mother, who had fits"), clause, 5)
    assert assertion.in_family(at("a family history of fits"), clause, 4)
    assert not assertion.in_family(at("a past history of fits"), clause, 4)
    assert not assertion.in_family(at("a family likeness of fits"), clause, 4)
    assert not {"son", "daughter"} & assertion._elders()
