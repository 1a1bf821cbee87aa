"""Headings to categories and roles."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.model.document import Section
from extractors.model.errors import AssetError
from extractors.model.scheme import default_scheme
from extractors.text.sections import case_start, classify, default_section_rules, load_section_rules

ALL = default_scheme().ids


def judged(*path: str) -> tuple[tuple[str, ...], str, str]:
    return classify(path, default_section_rules(), ALL)


@pytest.mark.parametrize(
    ("heading", "categories"),
    [
        ("Neurological examination", ("Neuro",)),
        ("3.2. Cardiac and renal findings", ("CVS", "GU")),
        ("Skin", ("DERM",)),
        ("Otorrinolaringología: oftalmología", ("EENT",)),
        ("Nutrition in pregnancy", ("GI", "Pregnancy")),
    ],
)
def test_a_heading_maps_to_the_categories_it_speaks_of(heading: str, categories: tuple[str, ...]) -> None:
    assert judged(heading)[0] == categories


@pytest.mark.parametrize(
    "heading", ["Research", "Early years", "Diagnosis", "Guidance", "Heard of", "Case presentation", ""]
)
def test_roots_match_only_where_words_start(heading: str) -> None:
    assert judged(heading)[0] == ALL


def test_laboratory_sections_also_take_the_tests_of_the_organs_but_no_history() -> None:
    found = judged("Laboratory findings")[0]
    assert {"Lab_Image", "ENDO", "Vitals_Hema"} <= set(found)
    assert "History" not in found


def test_a_sub_heading_inherits_where_it_says_nothing_and_decides_where_it_does() -> None:
    assert judged("Cardiology", "Day 3")[0] == ("CVS",)
    assert judged("Cardiology", "Brain")[0] == ("Neuro",)
    assert judged("Cardiology", "Examination")[0] == ALL


@pytest.mark.parametrize(
    ("heading", "reason"),
    [
        ("References", "references"),
        ("Ethics Statement", "ethics"),
        ("Consent for publication", "consent"),
        ("Patient consent", "consent"),
        ("Data Availability Statement", "data availability"),
        ("Authors’ contributions", "author information"),
        ("Conflict of Interest", "conflict of interest"),
        ("Funding", "funding"),
        ("Acknowledgments", "acknowledgements"),
        ("Abbreviations", "abbreviations"),
        ("Supplementary Material", "supplementary material"),
        ("Publisher's Note", "publisher's matter"),
        ("Literature review", "literature review"),
        ("Review of reported cases", "literature review"),
        ("4. Treatment", "treatment only"),
        ("Surgical treatment and management", "treatment only"),
        ("Tratamiento", "treatment only"),
        ("Conflito de interesses", "conflict of interest"),
        ("Remerciements", "acknowledgements"),
        ("Literaturverzeichnis", "references"),
    ],
)
def test_what_surrounds_the_case_is_left_out_with_the_reason(heading: str, reason: str) -> None:
    assert judged(heading)[1:] == ("excluded", reason)


@pytest.mark.parametrize(
    "heading",
    [
        "Introduction",
        "Background",
        "Discussion",
        "Conclusions",
        "Abstract",
        "Discussion of the case",
        "Case discussion",
        "Discussion and literature review",
        "Discusión",
        "Discussão",
        "Schlussfolgerung",
        "Lessons learned",
        "Significance",
    ],
)
def test_what_explains_the_case_is_background(heading: str) -> None:
    assert judged(heading)[1:] == ("background", "")


@pytest.mark.parametrize(
    "heading",
    [
        "Case presentation",
        "Case report and review of the literature",
        "Introduction and case report",
        "Case 1",
        "Methods",
        "Treatment and outcome",
        "Investigations and treatment",
        "Treatment, final diagnosis, and prognosis",
        "Caso clínico",
        "Relato de caso",
        "Patient perspective",
        "Timeline",
        "Surgical findings",
        "Something else",
    ],
)
def test_what_tells_the_case_is_kept(heading: str) -> None:
    assert judged(heading)[1:] == ("case", "")


def test_what_is_below_an_excluded_or_background_heading_follows_it() -> None:
    assert judged("Declarations", "Case details")[1] == "excluded"
    assert judged("Discussion", "Cardiac aspects")[:2] == (("CVS",), "background")
    assert judged("Case report", "Treatment")[1:] == ("excluded", "treatment only")


def test_a_case_below_the_introduction_is_still_a_case() -> None:
    assert judged("Introduction", "Case 2")[1] == "case"


def test_categories_that_a_scheme_lacks_are_not_given() -> None:
    assert classify(("Cardiac findings",), default_section_rules(), ("Mood", "Neuro"))[0] == ("Mood", "Neuro")


@given(st.lists(st.text(max_size=40), max_size=3))
def test_any_headings_get_categories_in_scheme_order(path: list[str]) -> None:
    categories, _, _ = judged(*path)
    assert categories
    assert list(categories) == [name for name in ALL if name in categories]


def test_the_case_begins_at_the_first_section_that_tells_it() -> None:
    sections = [
        Section("Abstract", ("Abstract",), 0, 10, (), "background"),
        Section("Case report", ("Case report",), 10, 20, ()),
        Section("Case 2", ("Case 2",), 20, 30, ()),
    ]
    assert case_start(sections) == 10
    assert case_start(sections[:1]) == case_start([]) == 0


@pytest.mark.parametrize("heading", ["Case report", "Presentation of case", "Description of the case"])
def test_a_title_before_the_first_heading_is_passed_over_where_a_heading_names_the_case(heading: str) -> None:
    title = Section("", (), 0, 10, ())
    assert case_start([title, Section(heading, (heading,), 10, 20, ())]) == 10
    assert case_start([title, Section("Findings", ("Findings",), 10, 20, ())]) == 0


def test_a_case_begins_behind_the_abstract_that_tells_it_in_short() -> None:
    short = Section("Case presentation", ("Abstract", "Case presentation"), 10, 20, ())
    whole = Section("Case presentation", ("Case presentation",), 30, 90, ())
    assert case_start([short, whole]) == 30
    assert case_start([short, Section("Methods", ("Methods",), 30, 90, ())]) == 10


def test_broken_rules_are_an_installation_error(tmp_path: Path) -> None:
    path = tmp_path / "sections.toml"
    path.write_text("[categories]\n", encoding="utf-8")
    with pytest.raises(AssetError, match=r"sections\.toml"):
        load_section_rules(path)
