"""What may tell who a patient is, is found; what medicine names after people is not."""

from __future__ import annotations

import pytest

from extractors.checks.identifiers import identifiers
from extractors.checks.identifying import PATTERNS
from extractors.checks.scanning import Scanner

# What is found of each, between strokes where that is not all of it.
PLANTED = (
    ("name", "Mr. {}", "van der Berg|J. Ødegård|Anna-Maria O'Connor|Şahin|McDonald"),
    ("name", "Dr {}", "Fatima Al-Hassan|García-López"),
    (
        "name",
        "{}",
        "patient's name: ¦Jürgen Müller¦|Frau ¦Weiß¦|Herrn ¦Yılmaz¦|Monsieur ¦Lefèvre¦|Mlle ¦Dubois¦|"
        "Doña ¦Núñez¦|Dra. ¦Ibáñez¦|Nombre: ¦José Vega¦|Patient: ¦DOE, Jonathan A.¦|Surname: ¦Achterberg¦|"
        "Attending: ¦Margaret Chu¦|MRS ¦PATTERSON¦|Prof. Dr. med. ¦Ekkehard von Rauch¦|Nom : ¦DUPONT¦|"
        "la doctora ¦Robles¦|Patientin: ¦Gerda Huber¦|patient ¦M.W.¦|Yours sincerely, ¦P. Oyelaran¦|"
        "GP: Dr. ¦N. O'Sullivan¦|Surname ¦Kowalski¦|daughter: ¦Ida Roe¦|SMITH, JOHN A.|"
        "the patient (¦Harold Finch¦)|a woman, Mrs. ¦B.¦ and|the twin brother (¦Marek¦)|with ¦Branka Okafor¦|"
        "From: ¦Goh, Siti¦;|we told ¦Cormac¦ to|as asked, ¦Niamh¦ had|S/o ¦Tunde Nair¦|Dear ¦Yann¦,|"
        "initials ¦Q.R.¦|Yours sincerely\n\n¦Orla Tan¦|Mr. ¦JOANNE BECKER¦|mrs ¦ó briain¦|Dhr. ¦Visser¦|"
        "Mr  ¦Đặng¦|née ¦Kowal¦|Patient ¦J.K¦ was|patient, ¦B.C.¦, was|twins ¦Ada and Ben¦|"
        "name: ¦ruth abel¦.|he is ¦Orla's¦ mother|seen by: ¦Rhea St. Cyr¦|MR ¦IVO DE WIT¦ was|"
        "¦Zanele¦ denies pain|¦Huda¦ weighed 12 kg|little ¦Sølvi¦ was|¦Joy and Abena¦ are twins|"
        "her children ¦Ada, Ben and Cai¦|Donor: ¦Ivo Roth¦|Recipient ¦Ivo Roth¦|Dr ¦A T Stone¦|"
        "his late brother ¦Kwame¦ died|wife ¦Moana¦ at|on ¦Q.R.¦|¦P.Q.¦ presented|fru ¦Lind¦|"
        "Lt. Col. ¦Ivo Thapa¦|his flatmate ¦Ivo¦|the girl, ¦Ada¦, fell|patient ¦Ada B.¦ was|"
        "known to staff as ¦Ada¦|young ¦Ada¦ was|by chance ¦Branka Okafor¦ The pain",
    ),
    (
        "name",
        "{},",
        "His wife ¦Martha¦|Her mother, ¦Yolanda Castellanos¦|This is ¦Henrietta Blackwood¦",
    ),
    (
        "date",
        "on {}",
        "12 March 2019|March 12th, 2019|2019-03-12|12/03/2019|12.03.19|3 Sept 2001|12 March",
    ),
    (
        "date",
        "{}",
        "am ¦3. März¦|am ¦1er août 1962¦|am ¦23 de abril de 1971¦|am ¦15/ene/2019¦|28 FEBRUARY 2021|"
        "04JUN2013|March 3-9, 2021|2021-3-9|DOB: ¦17 10 1956¦|5. Okt. 2018|on ¦1/9¦,|seen ¦21/6¦|"
        "born ¦21.VI.2018¦|on ¦05/19¦|1st to 5th June 2012|¦Monday, August 11¦.|11 Aug ’15|"
        "5 de setembro de 2015|25 februari 1996|2007OCT08|20/ago/17|March/7/2012|2012年3月4日|01 11 1931|"
        "5 ledna 2019|24 heinäkuuta 2019|8 апреля 2019|7-III-2018|Friday 13th|Easter Sunday 2018|"
        "10 Σεπτεμβρίου 2019|2019년 3월 4일|4 травня 2019",
    ),
    ("record number", "MRN: {}", "4471902|H279255|106-2671|A12"),
    (
        "record number",
        "({})",
        "Fallnummer ¦445566¦|Dossier n° ¦55443¦|Nº de historia ¦99887¦|DNI ¦12345678Z¦|"
        "Account #: ¦882300191¦|Accession: ¦S14-20391¦|MR# ¦10023345¦|Aadhaar no. ¦443211239987¦",
    ),
    (
        "record number",
        "{}",
        "Pathology number ¦14/H/20391¦|hospital no. ¦725/3905¦|(case number ¦11694060¦)|"
        "NHS number ¦943 476 5919¦|SSN ¦078-05-1120¦|Fall-Nr. ¦20193345¦|tarjeta sanitaria ¦44556677¦|"
        "URN ¦0482291¦|MRN#¦8820113¦|slide ¦S-19-3321¦|driving licence ¦D123-4567¦|our ref: ¦RP/MK/448¦|"
        "Our ref: ¦AB/xy/4411¦|NRIC ¦S1234567D¦|S19-31178|4166 2773 0689|PAN ¦HDMHS4082J¦|BUCVCR07D65C932X|"
        "SSN ¦xxx-xx-0125¦|S/N ¦7525-BDW-923¦|Ref: ¦EA/DF/3464¦|OHIP ¦1848 261 933¦|"
        "Health record ¦44844453¦|55/584183|6.898.841|1394-1176|576819E|T24.21724|84-07-41|"
        "card reads ¦ABHI/KA/5520193¦|230179-824K|54.08.11-203.67|CH-552/18|NHI: ¦ZAC5361¦|THIJ 5806 1214",
    ),
    (
        "telephone",
        "({})",
        "Telefon ¦089/123456¦|Móvil: ¦612345678¦|Tél. : ¦0142345678¦|WhatsApp ¦63012-09384¦|"
        "Durchwahl -¦2121¦",
    ),
    (
        "telephone",
        "{}",
        "(¦0816/762591¦)|phone ¦+44 20 7946 0958¦|phone ¦(555) 012-3456¦|phone ¦06 12 34 56 83¦|"
        "phone ¦01632 960123¦|reach him at ¦98450 12345¦|joignable au ¦0612345678¦|pager ¦55231¦|"
        "call ¦555-0147¦|ext. ¦2219¦|0043 1 40400 1234|1-800-555-0199|07911-123-456|"
        "the number ¦678 921 102¦|Telefono ¦946 53 97 84¦|"
        "at ¦0213 / 560299¦|Pager #¦793¦|+33(0)1 74 85 69 92|(0213) 560-2990|+7 (495) 123-45-67|"
        "from ¦+44 161 496 0219¦|paged at ¦4471¦|bleeped on ¦2217¦|switchboard ¦555 0199¦",
    ),
    ("address", "lives at {}", "12 Oak Street|4000 N. Main St.|19 rue de Rivoli|Springfield, IL 62704"),
    ("address", "of {}", "Hauptstraße 7|SW1A 2AA|P.O. Box 221"),
    ("address", "in {}", "10115 Berlin|Berliner Str. 17|C/ Alcalá, 45|Paseo de Gracia 12"),
    (
        "address",
        "{}",
        "Keizersgracht 174|Toronto ¦M5V 2T6¦|from ¦192.168.12.44¦|village ¦Kheri¦|H. No. 74-6-417|"
        "Flat 3, Queensway|lives in ¦Bangor, ME¦|45 W 4th St|zip code ¦02115¦|lives in ¦House No. 14¦|"
        "3 place de l'Europe|41 bd Voltaire|Cra. 15 No. 71-10|Ermou Caddesi No: 5|on Victoria ward|"
        "T12 YN60|P.O. Box 12, Wells|in Ward ¦7B¦|bed ¦12A¦|FL 44362|Rua XV de Novembro, 4|"
        "lives at ¦Fir Cottage¦|Andrássy út 22|Váci utca|Nishi-Shinjuku, ¦Shinjuku-ku¦|D02 X285|"
        "House 14, Road 7, Dhaka|to ¦Elm¦ Lodge",
    ),
    ("e-mail", "wrote to {}", "jane.doe@example.org"),
    ("link", "{}", "www.anna-heals.example/story|instagram.com/anna_heals|Twitter: ¦@anna_heals¦"),
    (
        "age",
        "{}",
        "Age/Sex: ¦91¦/M|F/¦91¦|(female, ¦96¦ years)|died at ¦94¦|turned ¦92¦|a man of ¦91¦,|"
        "her ¦91¦st birthday|¦94¦-yr-old|a ¦92¦-year-old|aged ¦101¦|at the age of ¦94¦ he fell|"
        "a woman of ¦98¦ years",
    ),
)
_AROUND = "🫀 She presented to the clinic, {} and was admitted with Wilson disease (ceruloplasmin 4.1 mg/dL)."


@pytest.mark.parametrize(
    ("kind", "frame", "planted"),
    [(kind, frame, one) for kind, frame, several in PLANTED for one in several.split("|")],
)
def test_planted_identifiers_are_found_at_their_place(kind: str, frame: str, planted: str) -> None:
    before, wanted, after = planted.split("¦") if "¦" in planted else ("", planted, "")
    text = _AROUND.format(frame.format(before + wanted + after))
    (found,) = identifiers(text)
    start = _AROUND.index("{") + frame.index("{") + len(before)
    assert (found.kind, found.text, found.start) == (kind, wanted, start)
    assert text[found.start : found.end] == found.text


def test_a_name_is_found_beside_a_list_of_references() -> None:
    text = "By chance we saw Branka Okafor at noon.\nCho M, Rye L. Spines that never ached. 2014;6:80-86."
    assert [one.text for one in identifiers(text)] == ["Branka Okafor"]


def test_one_pass_finds_what_every_pattern_does_by_itself() -> None:
    told = " ".join(frame.format(one) for _, frame, several in PLANTED for one in several.split("|"))
    text = told.replace("¦", "")
    scanner = Scanner([pattern for _, pattern in PATTERNS])
    for pattern, found in zip(scanner.patterns, scanner.scan(text), strict=True):
        assert [one.span() for one in found] == [one.span() for one in pattern.finditer(text)]


@pytest.mark.parametrize("number", ["1234/56", "12345-2017"])
def test_a_number_in_parts_may_be_a_patients(number: str) -> None:
    assert [(one.kind, one.text) for one in identifiers(_AROUND.format(number))] == [
        ("record number", number)
    ]


@pytest.mark.parametrize("run", ["a", " ", "a.", "A. ", "Aa-"])
def test_a_long_run_of_the_same_is_read_once(run: str) -> None:
    assert [*identifiers(f"MRN{run * 5000}|name{run * 5000}|")] == []


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Sardjito Hospital ran the panel; a condition called Kawasaki disease was ruled out.",
        "Blood pressure 120/80, pH 7.35-7.45, chromosome 7q11.23, c.1583G>A, grade 2/6, 10.1371/journal.pone",
        "In March 2019 she took 2-3 tablets; 24/7 care; PMID 30215587; Fig. 3-2; dose 0.5-1.0-1.5 mg.",
        "IPP 40 mg, a 14 Fr. Foley catheter, M. tuberculosis, 20000 Da, 15000 Units; mars 21; SS 12 score.",
        "Trial NCT01234567, ethics approval no. 2019-12345, lot number 998877, SRA accession: PRJEB43515.",
        "CASE: A 28-year-old; MR IMAGING; power on 3/5, score on 9/10; the patient, Asian Female, rose.",
        "T4N0M0 (https://www.tool.example) by G*Power 3.1.9.2, approved by Ethics Committee; HP:0001250.",
        "The Ethics Committee of West China Hospital; Past Medical History; Supplementary Material.",
        "Die Patientin und die Befunde: Herz Lunge Niere; small cell: Small Cell Carcinoma; a Hickman Line.",
        "1. Cho M, Rye L. Spines that never ached. Ann Fict Genet. 2014;6:80-86. 2. Fict Orthop. 2011; 3.",
        "The so-called May-Thurner syndrome; day 12 after surgery; T1/T2-weighted images; L4/5.",
        "Pressure 130/100 and 83/34/53 mmHg; 250000 cells; 120-110 mmol; supported by grant no. 81800074.",
        "Symptoms never went; Fever came at 96 F; 91 mg at 93 days; SAMN18236131; the 95th centile.",
        "2R/4R/10L/11L; BCG (Bacillus Calmette-Guerin); CD34/CD117; 139-116; mRNA-1273; little English.",
        "Referral received; by Hale, Specialty Registrar, of the Servicio de Medicina; version 2.0.10.1.",
        "GBZ 97-2017 was met at the age of 98 months; 1.234.000 copies; see room temperature, ward rounds.",
        "Seen at first in Lyon He was pale; later in Porto She was well.",
        "Mr. A was seen first, then a boy called He; counts of 98/102/110; MRN: A1.",
    ],
)
def test_what_is_named_or_numbered_otherwise_is_not(text: str) -> None:
    assert list(identifiers(text)) == []


def test_a_name_stays_one_before_the_comma_of_an_institution() -> None:
    for told, names in (
        ("She was seen by Dr. Jane Smith, Hospital del Mar, in May.", ["Jane Smith"]),
        ("She was seen at Dr. Jane Smith Hospital, in May.", []),
    ):
        assert [one.text for one in identifiers(told) if one.kind == "name"] == names
