"""The lexicon: what opens, what only adds, what silences; and the script that makes it."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from extractors.assets import asset
from extractors.model.scheme import default_scheme
from extractors.rules import lexicon
from extractors.rules.lexicon import BIT, CATEGORIES, Lexicon, _add_terms, load_lexicon
from extractors.rules.reading import read
from extractors.text import cues
from extractors.text.folding import fold_phrase

LEXICON = load_lexicon()
SCRIPT = Path(__file__).resolve().parents[4] / "build" / "make_lexicon.py"


def opened(text: str) -> set[str]:
    strong = 0
    for mask in read(text, LEXICON).strong:
        strong |= mask
    return {category for category in CATEGORIES if strong & BIT[category]}


def test_a_beginning_of_words_may_speak_for_several_categories(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        lexicon, "load_rules", lambda _: {name: {"stems": "hepatorenal"} for name in ("GI", "GU")}
    )
    made = Lexicon()
    _add_terms(made)
    assert made.word_mask("hepatorenally") == BIT["GI"] | BIT["GU"]
    assert made.word_mask("hepato") == 0


def test_a_table_of_words_is_all_that_the_rules_need_to_know_a_category(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terms = {**cues.load_rules("terms"), "Social": {"phrases": "lives alone, works as"}}
    monkeypatch.setattr(cues, "load_rules", lambda _: terms)
    fresh = runpy.run_path(lexicon.__file__, run_name=lexicon.__name__)
    made = fresh["Lexicon"]()
    fresh["_add_terms"](made)
    assert made.strong.masks[fold_phrase("lives alone")] == fresh["BIT"]["Social"]


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("generalised seizures", "Neuro"),
        ("sensorineural hearing impairment", "EENT"),
        ("dilated cardiomyopathy", "CVS"),
        ("obstructive sleep apnoea", "RESP"),
        ("hepatosplenomegaly", "GI"),
        ("proteinuria", "GU"),
        ("joint contractures", "MSK"),
        ("angiokeratoma", "DERM"),
        ("lymphadenopathy", "LYMPH"),
        ("hypothyroidism", "ENDO"),
        ("birth weight", "Pregnancy"),
        ("methylmalonic acid", "Lab_Image"),
        ("thrombocytopaenia", "Vitals_Hema"),
    ],
)
def test_a_typical_term_opens_its_category(text: str, category: str) -> None:
    assert category in opened(text)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("respiratory chain complex I", "RESP"),
        ("cervical spine", "GU"),
        ("bone marrow", "MSK"),
        ("thrombocytopenia", "CVS"),
        ("premature ventricular beats", "Pregnancy"),
        ("analysis", "GI"),
        ("laboratory", "Pregnancy"),
        ("lipid", "EENT"),
        ("hepatosplenomegaly", "LYMPH"),
    ],
)
def test_a_word_that_only_looks_like_a_category_does_not_open_it(text: str, category: str) -> None:
    assert category not in opened(text)


def test_the_rules_know_every_category_of_the_scheme() -> None:
    assert set(CATEGORIES) >= set(default_scheme().ids)


def test_the_ontology_index_is_sorted_unique_and_names_its_release() -> None:
    lines = asset("resources", "lexicons", "hpo.tsv").read_text(encoding="utf-8").splitlines()
    phrases = [line.split("\t")[0] for line in lines[1:]]
    assert "hp/releases/" in lines[0]
    assert phrases == sorted(set(phrases))
    assert all(name in CATEGORIES for line in lines[1:] for name in line.split("\t")[1].split())


def make(tmp_path: Path, terms: str) -> subprocess.CompletedProcess[str]:
    source = tmp_path / "hp.obo"
    source.write_text(f"data-version: test\n\n{terms}", encoding="utf-8")
    target = tmp_path / "out.tsv"
    command = [sys.executable, str(SCRIPT), str(source), "--target", str(target)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_an_ontology_without_the_mapped_branches_is_refused(tmp_path: Path) -> None:
    result = make(tmp_path, "[Term]\nid: HP:1\nname: Something else\n")
    assert result.returncode != 0
    assert "not in this ontology" in result.stderr
