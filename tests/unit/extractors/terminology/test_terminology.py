"""A terminology is read from OBO, kept as arrays, searched as one types and walked up and down."""

from __future__ import annotations

from pathlib import Path

import pytest

from extractors.assets import asset
from extractors.evidence.orphanet import _merged, _require_no_circle
from extractors.model.errors import TerminologyError
from extractors.terminology.arrays import write_arrays
from extractors.terminology.browsing import Browser
from extractors.terminology.concept import Concept, Name
from extractors.terminology.exact import OF_BEFORE, ExactNames
from extractors.terminology.hierarchy import ancestors, descendants, distance
from extractors.terminology.index import Terminology, write_index
from extractors.terminology.nearest import Nearest
from extractors.terminology.obo import read_obo
from extractors.terminology.search import Search

_OBO = """format-version: 1.2
data-version: hp/releases/2025-01-16

[Term]
id: HP:1
name: All

[Term]
id: HP:2
name: Gait ataxia
alt_id: HP:9
def: "Unsteady \\"drunken\\" gait." [https://example.org]
synonym: "gait ataxia" EXACT []
synonym: "Ataxic gait" EXACT []
synonym: "Unsteady walk" EXACT layperson [ORCID:1]
synonym: "Drunken gait" EXACT obsolete_synonym []
xref: UMLS:C0001 {source="x"}
is_a: HP:1 ! All

[Term]
id: HP:3
name: Severe gait ataxia
is_a: HP:2 {comment="x"} ! Gait ataxia

[Term]
id: HP:4
name: obsolete Wobbly gait
is_obsolete: true
replaced_by: HP:9

[Term]
id: HP:5
name: Anemia
is_a: HP:1

[Typedef]
id: part_of
name: part of
"""


@pytest.fixture
def small(tmp_path: Path) -> Terminology:
    obo = tmp_path / "hp.obo"
    obo.write_text(_OBO, encoding="utf-8")
    ontology = read_obo(obo)
    path = tmp_path / "small.zip"
    write_index(path, "HPO", ontology.release, "a test", ontology.concepts)
    return Terminology(path)


@pytest.fixture(scope="module")
def hpo() -> Search:
    return Search(Terminology(asset("resources", "terminology", "hpo.zip")))


def test_what_is_written_is_read_again(small: Terminology) -> None:
    assert (small.name, small.release, small.source) == ("HPO", "2025-01-16", "a test")
    assert small.codes == ["HP:1", "HP:2", "HP:3", "HP:4", "HP:5"]
    assert small.concept("HP:9") == Concept(
        "HP:2",
        (
            Name("Gait ataxia", "label"),
            Name("Ataxic gait", "exact"),
            Name("Unsteady walk", "layperson"),
            Name("Drunken gait", "related"),
        ),
        ("HP:1",),
        'Unsteady "drunken" gait.',
        "http://purl.obolibrary.org/obo/HP_2",
        ("HP:9",),
        xrefs=("UMLS:C0001",),
    )


def test_a_merged_or_replaced_code_leads_to_the_one_in_use(small: Terminology, tmp_path: Path) -> None:
    assert [small.current(code) for code in ("HP:2", "HP:9", "HP:4", "HP:77")] == ["HP:2"] * 3 + [None]
    found = [ExactNames(small).of_code(code) for code in ("HP:2", "HP:9", "HP:4", "HP:77")]
    assert [one and one.by for one in found] == ["code", OF_BEFORE, OF_BEFORE, None]
    assert ExactNames(small).of_name("obsolete wobbly gait") is None
    alike = [
        Concept("HP:1", (Name("Wobble", "label"), Name("Sway", "exact"))),
        Concept("HP:2", (Name("Sway", "label"), Name("Wobble", "exact"))),
    ]
    write_index(tmp_path / "alike.zip", "HPO", "1", "", alike)
    known = [ExactNames(Terminology(tmp_path / "alike.zip")).of_name(one) for one in ("wobble", "sway")]
    assert [one and one.code for one in known] == ["HP:1", "HP:2"], "a label goes before another's synonym"
    kept = small.concept("HP:2"), small.concept("HP:1"), Concept("HP:9", (Name("Own", "label"),))
    write_index(tmp_path / "own.zip", "HPO", "1", "", kept)
    assert Terminology(tmp_path / "own.zip").row("HP:9") == 2, "a code of its own is no other's"
    (near,) = Nearest(small).near(["obsolete wobbly gait"], 5)
    assert sorted(small.codes[row] for row, _ in near) == ["HP:2", "HP:3"]
    assert [len(hits) for hits in Nearest(small).near(["anemia"] * 65, 1)] == [1] * 65


def test_what_is_out_of_use_is_found_behind_what_is_in_use(tmp_path: Path) -> None:
    names = {"HP:1": "Wobbly gait", "HP:2": "Wobbly gait of childhood"}
    concepts = [
        Concept(code, (Name(name, "label"),), obsolete=code == "HP:1") for code, name in names.items()
    ]
    write_index(tmp_path / "own.zip", "Own", "1", "a test", concepts)
    assert [hit.code for hit in Search(Terminology(tmp_path / "own.zip")).find("wobbly gait")] == [
        "HP:2",
        "HP:1",
    ]


def test_the_same_concepts_give_the_same_bytes(small: Terminology, tmp_path: Path) -> None:
    concepts = [small.concept(code) for code in small.codes]
    paths = [tmp_path / name for name in ("a.zip", "b.zip")]
    for path in paths:
        write_index(path, "HPO", "1", "", concepts)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_above_below_and_apart(small: Terminology) -> None:
    assert ancestors(small, 2) == {2: 0, 1: 1, 0: 2}
    assert descendants(small, 1) == {1: 0, 2: 1}
    assert [distance(small, 2, other) for other in (2, 1, 4, 3)] == [0, 1, 3, None]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("hello", "has no terms"),
        ("[Term]\nname: x\n", "no id"),
        ("[Term]\nid: HP:1\n", "no name"),
    ],
)
def test_a_file_that_is_no_ontology_is_refused(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "x.obo"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TerminologyError, match=said):
        read_obo(path)


def test_a_damaged_index_is_refused(tmp_path: Path, small: Terminology) -> None:
    path = tmp_path / "damaged.zip"
    path.write_bytes((tmp_path / "small.zip").read_bytes()[:-200])
    with pytest.raises(TerminologyError, match="cannot be read"):
        Terminology(path)
    with pytest.raises(TerminologyError, match="cannot be read"):
        Terminology(tmp_path / "absent.zip")
    with pytest.raises(TerminologyError, match="no code"):
        small.concept("HP:77")
    for other in (-1, 99):
        write_arrays(path, {"format": other}, {})
        with pytest.raises(TerminologyError, match="another version of Casespan; import it again"):
            Terminology(path)


@pytest.mark.parametrize(
    ("concepts", "said"),
    [
        ([Concept("A", (Name("a", "label"),))] * 2, "twice"),
        ([Concept("A", (Name("a", "label"),), ("B",))], "B is a parent"),
    ],
)
def test_concepts_that_do_not_hang_together_are_refused(
    tmp_path: Path, concepts: list[Concept], said: str
) -> None:
    with pytest.raises(TerminologyError, match=said):
        write_index(tmp_path / "x.zip", "X", "1", "", concepts)


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        ("HP:0001250", "Seizure"),
        ("hp:0001250", "Seizure"),
        ("seiz", "Seizure"),
        ("Seizures", "Seizure"),
        ("anaemia", "Anemia"),
        ("hearing loss", "Hearing impairment"),
        ("low blood sugar", "Hypoglycemia"),
        ("gait atax", "Gait ataxia"),
        ("ataxai", "Ataxia"),
        ("no words", "Absent speech"),
        ("gingival hypertrofy", "Gingival overgrowth"),
        ("gingival hypertro", "Gingival overgrowth"),
        ("intelectual dis", "Intellectual disability"),
        ("café-au-lait", "Cafe-au-lait spot"),
        ("developmental delay global", "Global developmental delay"),
    ],
)
def test_the_first_hit_is_what_is_meant(hpo: Search, typed: str, label: str) -> None:
    assert hpo.find(typed)[0].label == label


def test_each_concept_is_found_once_and_says_by_which_name(hpo: Search) -> None:
    hits = hpo.find("squint", 10)
    assert (hits[0].code, hits[0].matched) == ("HP:0000486", Name("Squint", "layperson"))
    assert len({hit.code for hit in hits}) == len(hits)
    assert all(0 < hit.score <= 1 for hit in hits)
    assert hpo.find("hp:0000486")[0].score == 1 > hpo.find("hp:000048")[0].score


def test_words_in_a_row_are_looked_for_and_what_stands_below_a_term_is_in_order(
    hpo: Search, tmp_path: Path
) -> None:
    browser = Browser(hpo.terminology)
    assert browser.suggest("unsteady gait ataxia", 5)[0].label == "Gait ataxia"
    # A history says who came before it says with what.
    history = "A 41-year-old man was seen in the clinic because of exertional dyspnoea and palpitations"
    labels = [one.label for one in browser.suggest(history, 3)]
    assert labels == ["Exertional dyspnea", "Dyspnea", "Palpitations"]
    below = [Concept(label, (Name(label, "label"),), ("All",)) for label in ("Zeta", "alpha")]
    write_index(tmp_path / "x.zip", "X", "1", "", [Concept("All", (Name("All", "label"),)), *below])
    view = Browser(Terminology(tmp_path / "x.zip")).view("All")
    assert [one.label for one in view.children] == ["alpha", "Zeta"]


@pytest.mark.parametrize("typed", ["", "  ", "!?", "zzzzqq", "%", "(", '"'])
def test_what_means_nothing_finds_nothing(hpo: Search, typed: str) -> None:
    assert hpo.find(typed) == []


def test_a_disorder_that_one_of_two_files_has_in_use_is_in_use() -> None:
    retired, used = (Concept("ORPHA:1", (Name("A", "label"),), obsolete=gone) for gone in (True, False))
    assert not _merged(retired, used).obsolete
    assert _merged(retired, retired).obsolete


def test_a_group_is_one_whichever_of_two_files_comes_first() -> None:
    told, plain = (Concept("ORPHA:1", (Name("A", "label"),), kind=kind) for kind in ("group", "disorder"))
    assert _merged(told, plain).kind == _merged(plain, told).kind == "group"


def test_a_disorder_that_stands_above_itself_is_damage() -> None:
    one, other = Concept("ORPHA:1", (), ("ORPHA:2",)), Concept("ORPHA:2", ())
    _require_no_circle([one, other])
    for up in ("ORPHA:1", "ORPHA:2"):
        with pytest.raises(TerminologyError, match=r"damaged: ORPHA:[12] stands above or below itself"):
            _require_no_circle([one, Concept("ORPHA:2", (), (up,))])
    with pytest.raises(TerminologyError, match="ORPHA:1 stands above"):
        _require_no_circle([other, Concept("ORPHA:1", (), ("ORPHA:1",))])


def test_an_everyday_word_counts_the_more_the_more_of_it_is_typed(hpo: Search) -> None:
    words = "gingival hypertrophy"
    scores = [hpo.find(words[:end])[0].score for end in (16, 17, 18, len(words))]
    assert scores == sorted(set(scores))
