"""Names of a nomenclature found in a text."""

from __future__ import annotations

from pathlib import Path

from extractors.blinding.naming import Disorders
from extractors.blinding.words import Words
from extractors.terminology.concept import Concept, Name
from extractors.terminology.index import Terminology, write_index


def test_what_only_an_abbreviation_says_is_no_word_of_small_letters(tmp_path: Path) -> None:
    names = (Name("Self-limited epilepsy with spikes", "label"), Name("SeLECTS", "exact"))
    write_index(tmp_path / "terms.zip", "Test", "1", "a test", [Concept("ORPHA:1", names)])
    disorders = Disorders(Terminology(tmp_path / "terms.zip"))
    text = "She selects. Selects, SeLECTS, SELECTS and self-limited Epilepsy with spikes were read."
    words = Words(text)
    assert [words.place(one.first, one.end)[0] for one in disorders.find(words)] == [22, 31, 43]
