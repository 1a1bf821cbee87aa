"""Views of a case: what is hidden, in which forms, and what the second search says of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest

from extractors.blinding.audit import abbreviated, find_leaks
from extractors.blinding.case import Case, modalities_of
from extractors.blinding.forms import Alias, Hint, Occurrence, forms_in, longest
from extractors.blinding.masking import Diagnosis, Mask, Telling, laid
from extractors.blinding.view import DIAGNOSIS, FOUND_BY_AUDIT, Blinding, View
from extractors.blinding.words import Words
from extractors.model.document import Document, Section
from extractors.model.figure import Figure, FigureImage, FigureMention

TOLD = (
    "A woman of 40 came with a swollen neck, fever and night sweats that had gone on for two months, and "
    "pain in her left shoulder. {} Histology of a node showed hyaline vessels. She was treated with drugs."
)


def diagnosis(*names: str, short: str = "", hints: tuple[Hint, ...] = ()) -> Diagnosis:
    aliases = tuple(Alias(one) for one in (*names, *filter(None, [short])))
    return Diagnosis("ORPHA:1", names[0], aliases, hints)


def case(told: str, background: str = "", *, title: str = "A swollen neck and its cause") -> Case:
    parts = [("Abstract", background or "Nothing.", "background"), ("Case report", TOLD.format(told), "case")]
    text, sections = "", []
    for heading, body, role in parts:
        start = len(text)
        text += f"{heading}\n\n{body}\n\n"
        sections.append(Section(heading, (heading,), start, len(text), (), role))  # type: ignore[arg-type]
    return Case(
        Document(title, text, tuple(sections), {"pmcid": "PMC7654321"}), "PMC7654321", "PMC7654321.xml"
    )


def strict(told: str, names: Diagnosis, background: str = "") -> View:
    return Blinding(case(told, background), names).view("T1")


def test_a_picture_is_shown_from_its_first_mention_on_and_in_the_order_of_the_figures() -> None:
    told = case("It grew.")
    middle = told.document.text.index("Histology")
    early, late = FigureMention(middle - 9, middle - 4), FigureMention(middle + 4, middle + 9)
    figures = tuple(
        Figure(name, name, images=(FigureImage(name, name, "kept", "", name * 64),), mentions=there)
        for name, there in {"a": (late,), "b": (late, early), "c": ()}.items()
    )
    blinding = Blinding(replace(told, figures=figures), diagnosis("Castleman disease"))
    assert [one.figure for one in blinding.view("T1").pictures] == ["a", "b", "c"]
    for ticked, said in (("ab", "not read"), ("abc", "ticked"), ("", "not read")):
        seen = replace(told, figures=figures, ticked=frozenset(one * 64 for one in ticked))
        assert Blinding(seen, diagnosis("Castleman disease")).view("T1").audit.pictures == said
    # Where somebody says that it ends goes before where it was said to end.
    kept = replace(diagnosis("Castleman disease"), cut=middle - 20)
    assert Blinding(told, kept).view("T4").cut == middle - 20
    assert Blinding(told, kept).view("T4", cut=middle).cut == middle
    cut = blinding.view("T4", cut=middle)
    assert [(one.name, one.figure) for one in cut.pictures] == [("figure-1.png", "b")]


def test_pictures_are_compared_where_there_are_two_of_different_modalities() -> None:
    told = case("An axial CT of the chest beside a photograph was shown.")
    start = told.document.text.index("An axial")
    images = tuple(FigureImage(one, one, "kept", "", one * 64) for one in "ab")
    for shown in (1, 2):
        figure = Figure("f1", "f1", start, start + 45, (), images[:shown], (FigureMention(start, start + 9),))
        view = Blinding(replace(told, figures=(figure,)), diagnosis("Castleman disease")).view("T3")
        assert (view.reason == "It has no two pictures of different modalities.") == (shown == 1)


FORMS = {
    "Castleman disease": (
        "CASTLEMAN DISEASE", "Castleman's disease", "Castleman’s diseases", "castlemans disease",
        "Castleman 's disease", "Castleman-\ndisease", "Castleman | disease", "Castlemandisease",
        "Саstlеmаn disease", "Cast\u00adle\u200bman disease", "Castleman disease1,2", "Castle-\nman disease",
    ),
    "Cerebrotendinous xanthomatosis": (
        "cerebro-tendinous xanthomatoses", "Cerebrotendinous\u00a0xanthomatosis's",
    ),
    "Cronkhite-Canada syndrome": (
        "Cronkhite Canada syndrome", "Cronkhite–Canada syndromes", "CronkhiteCanada syndrome",
    ),
    "Beta-thalassemia": ("β-thalassaemia", "ß-thalassemia", "βthalassemia", "beta thalassaemias"),
    "Löfgren syndrome": ("Lofgren syndrome", "Loefgren's syndrome", "Lo\u0308fgren syndrome"),
    "Gaucher disease type 1": ("Gaucher disease type I", "Gaucher's disease, type-1"),
    "Giant cell tumor": ("giant-cell tumours",),
    "Xanthomatosis, cerebrotendinous": ("cerebrotendinous xanthomatosis",),
}  # fmt: skip


@pytest.mark.parametrize(("name", "form"), [(name, form) for name, forms in FORMS.items() for form in forms])
def test_every_form_of_a_name_is_masked_and_called_a_leak_where_it_is_not(name: str, form: str) -> None:
    view = strict(f"It was {form}, as feared.", diagnosis(name))
    assert f"It was {DIAGNOSIS}" in view.text
    assert form not in view.text
    assert (view.state, view.audit.verdict, view.audit.masked) == ("ready", "clean", {name: 1})
    if not name.startswith("Xanthomatosis") and "type I" not in form:  # what is turned round is heard by one
        assert find_leaks(f"It was {form}, as feared.", [], [name], frozenset())


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Castleman disease", "disease of Castleman"),
        ("Carcinoma of esophagus", "oesophagus carcinoma"),
        ("Carcinoma of esophagus", "carcinomas of the oesophagus"),
        ("Gaucher disease type 1", "Gaucher's disease I"),
        ("Mucolipidosis III", "mucolipidosis type 3"),
        ("Muscular dystrophy, limb-girdle, type 2L", "limb girdle muscular dystrophy 2L"),
        ("Carcinoma of gallbladder and EBT", "carcinoma of gallbladder & EBT"),
        ("Gaucher disease, type IIIC", "Gaucher's disease 3C"),
        ("Gaucher disease, type 2A", "Gaucher disease IIA"),
        ("Factor XI deficiency", "factor 11 deficiency"),
        ("Sialidosis type 2", "sialidosis type two"),
        ("Cardiac diverticulum", "cardiac diverticula"),
        ("Atrium defect", "defect of the atria"),
        ("ARSACS", "ＡＲＳＡＣＳ"),
        ("ARSACS", "ARS-\nACS"),
        ("ARSACS", "ARSACSʼs"),
        ("ARSACS", "АRSAСS"),
        ("ARSACS", "ARSACS¹²"),
        ("Idiopathic pulmonary fibrosis", "fibrosis, idiopathic pulmonary"),
        ("Idiopathic pulmonary fibrosis", "pulmonary fibrosis, idiopathic"),
        ("Hypohidrotic ectodermal dysplasia", "dysplasia of the ectodermal and hypohidrotic"),
        ("Autosomal dominant polycystic kidney disease", "kidney disease, polycystic, autosomal dominant"),
        ("Hemophilia A", "A hemophilia"),
        ("Variant of GBS", "GBS variant"),
    ],
)
def test_a_name_is_masked_with_its_words_turned_or_left_away(name: str, form: str) -> None:
    assert f"It was {DIAGNOSIS}, as feared." in strict(f"It was {form}, as feared.", diagnosis(name)).text


@pytest.mark.parametrize(
    "background",
    [
        "Castleman disease, abbreviated CD, is rare.",
        "Castleman disease (hereafter CD) is rare.",
        "Castleman disease (CD) is rare.",
        "CD (Castleman disease) is rare.",
        "We know Castleman disease [CD].",
        "CD: Castleman disease; MRI: magnetic resonance.",
        "Castleman disease, or CD, is rare.",
        "Idiopathic Castleman disease (CDs) are rare.",
    ],
)
def test_an_abbreviation_is_masked_where_the_report_defines_it_and_only_then(background: str) -> None:
    names = diagnosis("Castleman disease", short="CD")
    view = strict(
        "CD was likely, non-CD ruled out, and CD's course benign; an acdc and a cd-player were there.",
        names,
        background,
    )
    assert view.text.count(DIAGNOSIS) == 3
    assert "non-" not in view.text
    assert "acdc and a cd-player" in view.text
    assert abbreviated(background, ["Castleman disease"]) == {background.partition("CDs")[1] or "CD"}
    plain = strict("CD was likely.", names)
    assert DIAGNOSIS not in plain.text
    assert [(one.text, one.kind) for one in plain.audit.hints] == [("CD", "abbreviation")]


@pytest.mark.parametrize(
    "background",
    [
        "Castleman disease – CD – is rare.",
        "Castleman disease / CD is rare.",
        "Castleman disease, CD for short, is rare.",
        "Castleman disease, hereinafter CD, is rare.",
        "Castleman disease, also called CD, is rare.",
        "Castleman disease, commonly referred to as CD, is rare.",
        "Castleman disease（CD）is rare.",
        "CD\n\nCastleman disease",
        "CD, also known as Castleman disease, is rare.",
        "CD, which stands for Castleman disease, is rare.",
        "CD is short for Castleman disease.",
        "Castleman disease (the so-called CD) is rare.",
        "Castleman disease (AFH/CD) is rare.",
        "Castleman disease (OMIM 148000 or CD) is rare.",
        "Castleman disease [1, 2] (CD) is rare.",
        "Castleman disease1,2 (CD) is rare.",
    ],
)
def test_an_abbreviation_is_masked_however_it_is_introduced(background: str) -> None:
    view = strict("CD was likely.", diagnosis("Castleman disease"), background)
    assert f"{DIAGNOSIS} was likely" in view.text


def test_an_abbreviation_beside_one_name_of_a_diagnosis_may_stand_for_another() -> None:
    names = diagnosis("Castleman disease", "Angiofollicular hyperplasia", short="XQ")
    view = strict("CD was likely, or XQ, or C.", names, "Angiofollicular hyperplasia (CD/XQ; C). Ah, rare.")
    assert f"{DIAGNOSIS} was likely, or {DIAGNOSIS}, or C." in view.text


def test_a_word_that_begins_a_sentence_behind_a_name_is_no_abbreviation_of_it() -> None:
    told = "It was alpha thalassemia. At birth he was well, at home as well."
    view = strict(told, diagnosis("Alpha thalassemia"))
    assert f"It was {DIAGNOSIS}. At birth he was well, at home as well." in view.text


@pytest.mark.parametrize(
    ("short", "background"),
    [("cD27", "cD27 (Castleman disease 27) is rare."), ("CD27", "Castleman disease 27 “CD27”.")],
)
def test_an_abbreviation_is_masked_with_a_number_behind_it(short: str, background: str) -> None:
    view = strict(f"{short} was likely.", diagnosis("Castleman disease 27"), background)
    assert f"{DIAGNOSIS} was likely" in view.text


def test_an_abbreviation_is_masked_with_a_small_letter_before_it() -> None:
    names = diagnosis("Hemophagocytic lymphohistiocytosis")
    view = strict("It was sHLH, no pHLH.", names, "Hemophagocytic lymphohistiocytosis (HLH) is rare.")
    assert f"It was {DIAGNOSIS}, no {DIAGNOSIS}." in view.text


def test_a_long_list_in_a_bracket_behind_a_name_is_read_at_once() -> None:
    numbers = ",".join(map(str, range(1, 32)))
    assert DIAGNOSIS in strict(f"It was Castleman disease ({numbers})", diagnosis("Castleman disease")).text


def test_the_published_profile_leaks_and_its_audit_says_so() -> None:
    told = "Castleman disease was likely; CD it was, Castleman's disease."
    blinding = Blinding(case(told, "Castleman disease (CD) is rare."), diagnosis("Castleman disease"))
    paper = blinding.view("T1", "paper")
    assert (paper.state, paper.audit.verdict) == ("refused", "leak")
    assert {one.text for one in paper.audit.leaks} == {"CD", "Castleman's disease"}
    for leak in paper.audit.leaks:
        assert paper.text[leak.start : leak.end] == leak.text
    assert blinding.view("T1").audit.leaks == ()
    assert [one.start for one in find_leaks("CD, then CDs and C-D.", [], [], {"CD"})] == [0, 9, 17]
    assert [one.text for one in find_leaks("Fabry, CD, Fabry.", [(7, 9)], ["Fabry"], {"CD"})] == ["Fabry"] * 2
    # A name of too few consonants to go by is looked for letter by letter.
    told = "Weaue's sign, weaues and weaueson."
    assert [one.text for one in find_leaks(told, [], ["Weaue"], frozenset())] == ["Weaue's", "weaues"]


@pytest.mark.parametrize("name", ["Kuru", "Noma", "Yaws"])
def test_a_name_of_four_letters_that_is_a_word_is_masked_and_looked_for(name: str) -> None:
    view = strict(f"He had {name} and {name.lower()}, with {name.upper()}'s lesions.", diagnosis(name))
    assert (view.state, view.audit.verdict, view.audit.masked) == ("ready", "clean", {name: 3})
    assert name.casefold() not in view.text.casefold()
    assert [one.start for one in find_leaks(f"A {name.lower()} or {name}s.", [], [name], frozenset())] == [
        2,
        10,
    ]


def test_an_abbreviation_that_says_more_than_the_name_is_a_leak_of_the_published_profile() -> None:
    told = "Chikungunya virus (CHIKV) was found, and CHIKV grew."
    paper = Blinding(case(told), diagnosis("Chikungunya")).view("T1", "paper")
    assert {one.text for one in paper.audit.leaks} == {"CHIKV"}
    # What the second search alone hears is masked as well, and searched for again.
    heard = strict("It was Caisteleman disease, as feared.", diagnosis("Castleman disease"))
    assert (heard.state, heard.audit.verdict) == ("ready", "clean")
    assert heard.audit.masked == {FOUND_BY_AUDIT: 1}


def test_hints_are_counted_and_masked_on_request() -> None:
    names = diagnosis("Castleman disease", hints=(Hint("Castleman", "word"), Hint("IL6", "gene")))
    blinding = Blinding(case("Castleman described it; IL6 was high."), names)
    left = {one.text: one for one in blinding.view("T1").audit.hints}
    assert left.keys() == {"Castleman", "IL6"}
    shown = blinding.view("T1")
    assert [shown.text[start:end] for start, end in left["IL6"].places] == ["IL6"]
    hidden = blinding.view("T1", hints=True)
    assert "Castleman" not in hidden.text
    assert hidden.audit.hints == ()


def test_a_view_says_nothing_of_the_report_itself_and_its_masks_are_its_own() -> None:
    told = f"See PMC7654321, a swollen neck and its cause, doi:10.1000/xyz, {DIAGNOSIS}."
    view = strict(told, diagnosis("Castleman disease"))
    for telling in ("7654321", "neck and its cause", "10.1000", "Abstract"):
        assert telling.lower() not in view.text.lower()
    # What the report itself calls a mask is its own words.
    assert DIAGNOSIS not in {view.text[start:end] for start, end in view.masks}
    assert "summary" in dict(view.audit.removed)
    assert dict(view.audit.removed)["title"] > 0


def test_tracks_end_where_their_answer_begins() -> None:
    blinding = Blinding(case("Nothing else was found."), diagnosis("Castleman disease"))
    treatment, examination = blinding.view("T2"), blinding.view("T4")
    assert "hyaline" in treatment.text
    assert "drugs" not in treatment.text
    assert treatment.diagnosis == "Castleman disease"
    assert "Histology" not in examination.text
    text = blinding.case.document.text
    assert text[examination.cut or 0 :].startswith("Histology of a node")
    late = dict(examination.audit.removed)["what follows the end of the track"]
    assert late == len(text.rstrip()) - (examination.cut or 0)
    moved = blinding.view("T4", cut=text.index("She was treated"))
    assert "hyaline" in moved.text
    assert moved.audit.case_words_kept == 1.0
    early = blinding.view("T4", cut=text.index("Case report"))
    assert early.reason == "Hardly a word of the case stands before the end of this track."
    left = len("Case report") + len(TOLD.format("Nothing else was found."))
    assert dict(early.audit.removed)["what follows the end of the track"] == left
    floats = "Figures and tables\n\nFigure 1. A node.\n\n"
    section = Section(
        "Figures and tables", ("Figures and tables",), len(text), len(text + floats), (), "case"
    )
    document = replace(blinding.case.document, text=text + floats)
    document = replace(document, sections=(*document.sections, section))
    floating = Blinding(Case(document, "PMC1", "PMC1.xml"), blinding.diagnosis)
    assert "floating captions" in dict(floating.view("T1").audit.removed)
    assert "floating captions" not in dict(floating.view("T4").audit.removed), "it comes too late"
    assert blinding.view("T3").reason == "It has no two pictures of different modalities."
    assert modalities_of("An axial CT of the chest beside a photograph") == ("ct", "photograph")


def test_of_tables_the_words_over_them_are_hidden_and_the_rows_stay() -> None:
    told = "It grew.\n\nTable 1. Values of a sister.\nSodium | 140\n\nPotassium | 4\nCalcium | 2\n\nIt went."
    text = Blinding(case(told), diagnosis("Castleman disease")).view("T1").text
    assert "Table 1. [CAPTION_MASKED]\nSodium | 140\n\nPotassium | 4\nCalcium | 2\n\nIt went." in text


def test_a_report_is_told_by_paragraphs_and_tables_apart_from_captions_of_figures() -> None:
    told = "Case\n\nHe ran. He fell.\n\nTable 1. His values.\n\nA | B\n1 | 2\n\nFigure 1. His face.\n\n"
    section = Section("Case", ("Case",), 0, len(told), (), "case")
    found = Case(Document("A boy", told, (section,), {}), "PMC1", "PMC1.xml")
    assert [one.kind for one in found.blocks] == ["heading", "paragraph", "table", "table", "figure"]
    assert found.told == found.blocks[:-1]
    assert [told[start:end] for start, end in found.sentences] == ["He ran.", "He fell."]
    told += "Figure 2. His hand.\n\n"
    at = told.index("Figure 1")
    section = Section("Case", ("Case",), 0, len(told), (), "case")
    own = Case(Document("A boy", told, (section,)), figures=(Figure("f1", "Figure 1", at, at + 19),))
    assert [one.name for one in own.blocks] == ["h1", "p1", "t1", "t2", "f1", "f2"]
    floats = Section("Figures and tables", ("Figures and tables",), 0, len(told), (), "case")
    assert Case(Document("A boy", told, (floats,))).told == ()
    ends = [("", (), 0, at), ("Case report", ("Case report",), at, len(told))]
    split = tuple(Section(*one, (), "case") for one in ends)
    before = [one.what for one in Case(Document("A boy", told, split)).blocks if one.start < at]
    assert {*before} == {"front matter"}, "who wrote it, where the case has a heading of its own"
    parts = [("Conclusion",), ("Discussion", "Conclusion"), ("Discussion",)]
    sections = tuple(Section(one[-1], one, 0, len(told), (), "background") for one in parts)
    whole = [Case(Document("", told, (one,))).blocks[-1].what for one in sections]
    assert whole == ["summary", "background", "background"]
    assert Case(Document("", "İT WAS", ())).low == "İt was", "letters that would become two keep their place"


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Castleman disease", "Casrleman disease"),
        ("Castleman disease", "Casltemans' disease"),
        ("Cerebrotendinous xanthomatosis", "cerebrotendinous xantomatosis"),
        ("Craniosynostosis", "cranniosynostosis"),
        ("Acute intermittent porphyria", "porphyria, acute intermittant"),
        ("Fabry disease", "Farby disease"),
        ("Wolf disease", "Wlof disease"),
        ("Liver disease", "livre disease"),
        ("Say syndrome", "Say syndroem"),
    ],
)
def test_a_name_is_masked_with_a_letter_wrong(name: str, form: str) -> None:
    assert f"It was {DIAGNOSIS}" in strict(f"It was {form}, as feared.", diagnosis(name)).text


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Dysphasia", "He had dysphagia."),
        ("Foot disease", "It was a root disease."),
        ("Scurvy", "His skin was scurfy."),
    ],
)
def test_words_that_mean_something_else_are_no_misspelt_names(name: str, told: str) -> None:
    assert told in strict(told, diagnosis(name)).text


@pytest.mark.parametrize(
    ("name", "told", "found"),
    [
        # An abbreviation of four signs has to be defined, one of seven goes by its capitals.
        ("ABCD", "ABCD", []),
        ("ABCDE", "ABCDE", ["ABCDE"]),
        ("LEOPARD", "leopard", []),
        ("CADASILS", "cadasils", ["cadasils"]),
        # A slip is heard in seven letters, beside other words in four.
        ("Scurvy", "scarvy", []),
        ("Malaria", "malarla", ["malarla"]),
        ("Pox disease", "pax disease", []),
        ("Kuru disease", "kuro disease", ["kuro disease"]),
        # Five words before a name may be in its abbreviation.
        (
            "Morvan disease",
            "onset rare gentle known solid Morvan disease (ORGKSMD)",
            ["Morvan disease", "ORGKSMD"],
        ),
        (
            "Morvan disease",
            "early onset rare gentle known solid Morvan disease (EORGKSMD)",
            ["Morvan disease"],
        ),
    ],
)
def test_how_long_a_name_is_says_how_it_is_looked_for(name: str, told: str, found: list[str]) -> None:
    words = Words(told)
    places = forms_in([words], [Alias(name)]).find(words)
    assert [told[one.start : one.end] for one in places] == found


@pytest.mark.parametrize(
    "told",
    ["He had a disease. Castleman wrote of it.", "A disease with fever, described by Castleman, was not it."],
)
def test_words_of_a_name_apart_are_no_name(told: str) -> None:
    assert told in strict(told, diagnosis("Castleman disease")).text


@pytest.mark.parametrize(
    ("key", "hidden"),
    [
        ("swollen", ()),
        ("swollen-2", ("swollen-2",)),
        ("cd-2", ()),
        ("cde-2", ("cde-2",)),
        ("PMC1234567", ("PMC1234567",)),
    ],
)
def test_a_report_is_told_by_names_with_a_number_and_not_by_plain_or_short_words(
    key: str, hidden: tuple[str, ...]
) -> None:
    told = replace(case(f"It was swollen ({key})."), key=key, source=f"in/{key}.xml")
    found = Telling(told, diagnosis("Castleman disease")).identifying
    assert tuple(told.document.text[one.start : one.end] for one in found) == hidden
    told = replace(told, key="other")
    found = Telling(told, diagnosis("Castleman disease")).identifying
    assert tuple(told.document.text[one.start : one.end] for one in found) == hidden, "by its file's name"


def test_masks_that_overlap_become_one_and_hide_all_that_they_hid_together() -> None:
    places = list(combinations(range(5), 2))
    for one, other, third in product(places, repeat=3):
        whole = [Mask(*place, "x", (str(place),)) for place in (one, other, third)]
        kept = laid(whole)
        hidden = [at for mask in kept for at in range(mask.start, mask.end)]
        assert hidden == sorted({at for mask in whole for at in range(mask.start, mask.end)}), whole
        assert sorted(form for mask in kept for form in mask.forms) == sorted(
            form for mask in whole for form in mask.forms
        )


def test_masks_that_only_touch_stay_two_and_short_titles_and_names_of_omim_are_not_what_was_published() -> (
    None
):
    one, longer, apart = Occurrence(0, 5, "a"), Occurrence(3, 12, "b"), Occurrence(12, 14, "c")
    assert longest([one, longer, apart, longer]) == [longer, apart]
    assert len(laid([Mask(0, 5, "x", ("a",)), Mask(5, 9, "x", ("b",))])) == 2
    assert laid([Mask(0, 9, "x", ("a",)), Mask(2, 12, "y", ("b",))]) == [Mask(0, 12, "x", ("a",))]
    known = Diagnosis("ORPHA:1", "Fever", (Alias("fever"), Alias("SHE"), Alias("night sweats", "omim")), ())
    telling = Telling(case("", title="neck"), known)
    assert {one.form for one in telling.named_as_listed} == {"fever"}
    assert telling.identifying == []


_TREATED, _TESTED = "She was treated with iron.", "A CT of the chest showed a mass."
_ASKED, _PLAIN = "She was previously treated with zinc.", "It hurt."


@pytest.mark.parametrize(
    ("told", "heading", "begins"),
    [
        ((_PLAIN, _TESTED), "", None),
        ((_PLAIN, _TREATED, _TESTED), "", 1),
        # What was given before anything was looked into is not the treatment where more is given then.
        ((_TREATED, _TREATED, _TESTED, _PLAIN, _TREATED, _TREATED), "", 4),
        ((_ASKED, _TESTED, _PLAIN), "", None),
        ((_TESTED, _ASKED, _TREATED), "", 2),
        ((_TREATED, _PLAIN), "", 0),
        ((_PLAIN, _TESTED, _TREATED), "Treatment", 2),
        ((_PLAIN, _TESTED), "Management", 2),
        ((_PLAIN, _TESTED), "Differential", None),
    ],
)
def test_treatment_begins_at_its_heading_or_with_what_is_given_behind_the_first_test(
    told: tuple[str, ...], heading: str, begins: int | None
) -> None:
    parts = [*told, *([heading] if heading else [])]
    start = len("Case report\n\n")
    places = [start + sum(len(one) + 1 for one in parts[:place]) for place in range(len(parts))]
    text = f"Case report\n\n{' '.join(told)} {heading}" + f"\n\n{_PLAIN}\n" * bool(heading)
    end = places[-1] if heading else len(text)
    sections = [Section("Case report", ("Case report",), 0, end, ())]
    sections += [Section(heading, (heading,), end, len(text), ())] if heading else []
    found = Case(Document("A case", text, tuple(sections)))
    assert found.treatment == (None if begins is None else places[begins])
    tested = [places[place] for place, one in enumerate(told) if one == _TESTED]
    assert found.first_test == (tested[0] if tested else None)


@pytest.mark.parametrize(
    ("report", "short"),
    [
        ("Castleman disease (CD) was found.", {"CD"}),
        ("CD (Castleman disease) was found.", {"CD"}),
        ("Castleman disease, known as CAD, was found.", {"CAD"}),
        ("CD: Castleman disease.", {"CD"}),
        ("MCD (Castleman disease) of many nodes.", {"MCD"}),
        # Letters that the name has not, in another order, in small letters, or the name's own word.
        ("Castleman disease (CX) was found.", set()),
        ("Castleman disease (DSC) was found.", set()),
        ("Castleman disease (cd) was found.", set()),
        ("Castleman disease (CASTLE) was found.", set()),
        # Behind letters of words before it the name begins with its own first letter.
        ("Castleman disease (SAM) was found.", set()),
        ("A node (LN) was found.", set()),
    ],
)
def test_what_stands_beside_a_name_is_its_abbreviation_where_its_letters_spell_it(
    report: str, short: set[str]
) -> None:
    assert abbreviated(report, ["Castleman disease"]) == short


def test_a_name_that_only_the_audit_hears_is_masked_with_what_it_is_shortened_to() -> None:
    told = "Casstlemaan disease (CD) was found. CD grew."
    view = strict(told, diagnosis("Castleman disease"))
    assert "CD" not in view.text
    assert view.audit.masked[FOUND_BY_AUDIT] == 3
