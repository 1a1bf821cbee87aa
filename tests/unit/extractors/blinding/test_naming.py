"""Names of a nomenclature found in a text."""

from __future__ import annotations

from pathlib import Path

from extractors.blinding.anchor import propose
from extractors.blinding.case import Case
from extractors.blinding.naming import Disorders
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


def test_a_group_in_the_title_goes_before_a_disorder_that_the_text_alone_names(tmp_path: Path) -> None:
    names = {"ORPHA:1": ("Ciliopathy", "group"), "ORPHA:2": ("Meckel syndrome", "disorder")}
    concepts = [Concept(code, (Name(name, "label"),), kind=kind) for code, (name, kind) in names.items()]
    write_index(tmp_path / "terms.zip", "Test", "1", "a test", concepts)
    disorders = Disorders(Terminology(tmp_path / "terms.zip"))
    text = "A girl was diagnosed with Meckel syndrome."

    def proposed(title: str) -> str:
        section = Section("Case", ("Case",), 0, len(text), (), "case")
        found = propose(Case(Document(title, text, (section,), {}), "PMC1", "PMC1.xml"), disorders)
        return found.code if found else ""

    titles = ("A ciliopathy in a girl", "Meckel syndrome, a ciliopathy", "A girl")
    assert [proposed(one) for one in titles] == ["ORPHA:1", "ORPHA:2", "ORPHA:2"]
