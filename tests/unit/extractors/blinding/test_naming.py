"""Names of a nomenclature found in a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from extractors.blinding.anchor import Disorders, propose
from extractors.blinding.case import Case
from extractors.blinding.words import Words
from extractors.model.document import Document, Section
from extractors.terminology.concept import Concept, Name
from extractors.terminology.index import Terminology, write_index


def test_what_only_an_abbreviation_says_is_no_word_of_small_letters(tmp_path: Path) -> None:
    names = (Name("Self-limited epilepsy with spikes", "label"), Name("SeLECTS", "exact"))
    write_index(tmp_path / "terms.zip", "Test", "1", "a test", [Concept("ORPHA:1", names)])
    disorders = Disorders(Terminology(tmp_path / "terms.zip"))
    text = "She selects. Selects, SeLECTS, SELECTS and self-limited Epilepsy with spikes were read."
    words = Words(text)
    assert [words.place(one.first, one.end)[0] for one in disorders.find(words)] == [22, 31, 43]
    both = [Concept("ORPHA:0", (Name("Selects", "label"),)), Concept("ORPHA:1", names)]
    write_index(tmp_path / "both.zip", "Test", "1", "a test", both)
    assert len(Disorders(Terminology(tmp_path / "both.zip")).find(words)) == 5
    assert Words("One, one on one.").starts == [0, 5, 9, 12]


def test_a_name_of_one_word_is_found_where_a_longer_one_only_begins(tmp_path: Path) -> None:
    names = {"ORPHA:1": "Cystinosis", "ORPHA:2": "Cystinosis infantile form"}
    concepts = [Concept(code, (Name(name, "label"),)) for code, name in names.items()]
    write_index(tmp_path / "terms.zip", "Test", "1", "a test", concepts)
    disorders = Disorders(Terminology(tmp_path / "terms.zip"))
    text = "Cystinosis, cystinosis infantile onset, cystinosis infantile form and cystinosis."
    words = Words(text)
    found = [text[slice(*words.place(one.first, one.end))] for one in disorders.find(words)]
    assert found == ["Cystinosis", "cystinosis", "cystinosis infantile form", "cystinosis"]


def test_a_group_in_the_title_goes_before_a_disorder_that_the_text_alone_names(tmp_path: Path) -> None:
    names = {"ORPHA:1": ("Ciliopathy", "group"), "ORPHA:2": ("Meckel syndrome", "disorder")}
    concepts = [Concept(code, (Name(name, "label"),), kind=kind) for code, (name, kind) in names.items()]
    # What another concept is called besides, it is not.
    other = (Name("Gruber syndrome", "label"), Name("Meckel syndrome", "exact"))
    concepts.insert(0, Concept("ORPHA:0", other, kind="disorder"))
    write_index(tmp_path / "terms.zip", "Test", "1", "a test", concepts)
    disorders = Disorders(Terminology(tmp_path / "terms.zip"))
    text = "A girl was diagnosed with Meckel syndrome."

    def proposed(title: str, text: str = text) -> str:
        section = Section("Case", ("Case",), 0, len(text), (), "case")
        found = propose(Case(Document(title, text, (section,), {}), "PMC1", "PMC1.xml"), disorders)
        return found.code if found else ""

    titles = ("A ciliopathy in a girl", "Meckel syndrome, a ciliopathy", "A girl")
    assert [proposed(one) for one in titles] == ["ORPHA:1", "ORPHA:2", "ORPHA:2"]
    assert proposed("A girl", "A girl was diagnosed with a ciliopathy.") == ""


_MECKEL, _JOUBERT, _FABRY = "Meckel syndrome", "Joubert syndrome", "Fabry disease"


@pytest.mark.parametrize(
    ("title", "keywords", "summary", "told", "best"),
    [
        # Of two in a title the first, unless the text says the other.
        (f"{_MECKEL} or {_JOUBERT}?", "", "", "", [_MECKEL, 100, _JOUBERT]),
        (f"{_MECKEL} or {_JOUBERT}?", "", "", f"Like {_JOUBERT}.", [_MECKEL, 100, _JOUBERT]),
        (f"{_MECKEL} or {_JOUBERT}?", "", "", f"Diagnosed with {_JOUBERT}.", [_JOUBERT, 90, 12, _MECKEL]),
        (f"{_MECKEL}", f"{_JOUBERT}; {_FABRY}", "", "", [_MECKEL, 100, _JOUBERT, _FABRY]),
        ("", f"{_JOUBERT}; {_FABRY}", "", f"Diagnosed with {_FABRY}.", [_FABRY, 20, 12, _JOUBERT]),
        ("", f"{_JOUBERT}; {_MECKEL}; {_FABRY}", "", "", [_JOUBERT, 30, _MECKEL, _FABRY]),
        ("", "", f"{_FABRY} was seen.", f"Diagnosed with {_JOUBERT}.", [_JOUBERT, 12, _FABRY]),
        ("", "", f"{_FABRY} was seen.", f"{_FABRY}, {_FABRY}.", [_FABRY, 5, 0.5, 0.5]),
        ("", "", f"{_FABRY} was seen.", f"{_FABRY}.", []),
        ("", "", f"{_FABRY} was seen.", f"Diagnosed with {_FABRY}.", [_FABRY, 12, 5]),
        ("", "", f"{_FABRY}. {_FABRY}.", f"Like {_JOUBERT}.", [_FABRY, 5, 5, _JOUBERT]),
        ("", "", f"{_FABRY}. {_FABRY}. {_JOUBERT}. {_JOUBERT}.", "", [_FABRY, 5, 5, _JOUBERT]),
        # What may be, or is asked, is no diagnosis.
        ("", "", "", f"No suspicion of {_FABRY}.", []),
        ("", "", "", f"Suspected, not diagnosed with {_FABRY}.", []),
        ("", "", "", f"Diagnosed with {_FABRY} or not? Yes.", []),
        ("", "", "", "Nothing was found.", []),
    ],
)
def test_what_a_report_is_about_is_weighed_by_where_it_is_named(
    tmp_path: Path, title: str, keywords: str, summary: str, told: str, best: list[str | int]
) -> None:
    names = {f"ORPHA:{at}": name for at, name in enumerate((_MECKEL, _JOUBERT, _FABRY))}
    concepts = [Concept(code, (Name(name, "label"),), kind="disorder") for code, name in names.items()]
    write_index(tmp_path / "terms.zip", "Test", "1", "a test", concepts)
    text, sections = "", []
    for heading, words, role in (("Abstract", summary, "background"), ("Case", told, "case")):
        start, text = len(text), f"{text}{heading}\n\n{words}\n\n"
        sections.append(Section(heading, (heading,), start, len(text), (), role))  # type: ignore[arg-type]
    case = Case(Document(title, text, tuple(sections), metadata={"keywords": keywords}), "PMC1", "PMC1.xml")
    found = propose(case, Disorders(Terminology(tmp_path / "terms.zip")))
    said = [names[found.code], *(one.weight for one in found.evidence)] if found else []
    assert [*said, *(names[one] for one in (found.others if found else ()))] == best


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A small cell cancer, small cell cancers.", ["small cell cancer", "small cell cancers"]),
        # Within a longer name, behind "non" or in part none is named.
        ("A non-small cell cancer.", ["non-small cell cancer"]),
        ("Non small cell cancer of the lung.", ["Non small cell cancer of the lung"]),
        ("A small cell cancer of the lung.", ["small cell cancer of the lung"]),
        ("A small cell cancer of the liver.", ["small cell cancer"]),
        ("A small cell.", []),
        ("Non-Fabry disease and Fabry disease.", ["Fabry disease"]),
        ("Fabry non Fabry disease", []),
        ("Old name disease", []),
        # Numbers are written in either way.
        ("Ataxia type II, ataxia 3C.", ["Ataxia type II", "ataxia 3C"]),
        ("Ataxia type 2, ataxia IIIC.", ["Ataxia type 2", "ataxia IIIC"]),
        # A short name is a word.
        ("Gout of gout.", []),
    ],
)
def test_the_longest_name_in_use_is_found_at_each_place(tmp_path: Path, text: str, found: list[str]) -> None:
    names = ("small cell cancer", "non-small cell cancer", "small cell cancer of the lung", "Fabry disease")
    given = (
        *names,
        "non-small cell cancer of the lung",
        "gout",
        "old name disease",
        "ataxia type 2",
        "ataxia 3C",
    )
    concepts = [
        Concept(f"ORPHA:{at}", (Name(name, "label"),), obsolete=name.startswith("old"))
        for at, name in enumerate(given)
    ]
    write_index(tmp_path / "terms.zip", "Test", "1", "a test", concepts)
    disorders = Disorders(Terminology(tmp_path / "terms.zip"))
    words = Words(text)
    places = [(one.rows, words.place(one.first, one.end)) for one in disorders.find(words)]
    assert [text[start:end] for _, (start, end) in places] == found
    assert all(len(rows) == 1 for rows, _ in places)


def test_what_hints_at_a_name_is_rare_and_what_a_conclusion_names_counts_as_that(tmp_path: Path) -> None:
    label = "Common wordily fever"
    concepts = [Concept("ORPHA:0", (Name(label, "label"),), kind="disorder")]
    concepts += [Concept(f"ORPHA:{at}", (Name(f"Common thing {at}", "label"),)) for at in range(1, 27)]
    write_index(tmp_path / "terms.zip", "Test", "1", "a test", concepts)
    disorders = Disorders(Terminology(tmp_path / "terms.zip"))
    hints = disorders.hints("ORPHA:0", disorders.aliases("ORPHA:0"))
    assert [(one.text, one.kind) for one in hints] == [("wordily", "word")]
    text = f"Conclusions\n\n{label}."
    section = Section("Conclusions", ("Conclusions",), 0, len(text), (), "background")
    found = propose(Case(Document("", text, (section,))), disorders)
    assert found is not None
    assert [(one.reason, one.weight) for one in found.evidence] == [("conclusion", 6.0)]
