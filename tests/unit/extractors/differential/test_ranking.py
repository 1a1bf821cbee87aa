"""Diseases are ranked by what explains a patient's findings, each with its evidence finding by finding."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from extractors.assets import asset
from extractors.differential.families import family_of
from extractors.differential.index import Diseases, features_of
from extractors.differential.ranking import Options, Ranker, Ranking, codes_of_names, shipped_ranker
from extractors.differential.report import codes_in_words, explain, fits, left_out_in_words
from extractors.differential.scores import Columns, Scorer, lifted
from extractors.differential.writing import write_diseases
from extractors.evidence.hpoa import Annotation
from extractors.model.errors import TerminologyError
from extractors.terminology.concept import Concept, Name
from extractors.terminology.index import Terminology, write_index

_TERMS = {
    "HP:1": ("All", ()),
    "HP:2": ("Abnormality of the eye", ("HP:1",)),
    "HP:3": ("Cataract", ("HP:2",)),
    "HP:4": ("Congenital cataract", ("HP:3",)),
    "HP:5": ("Abnormality of the heart", ("HP:1",)),
    "HP:6": ("Arrhythmia", ("HP:5",)),
    "HP:7": ("Deafness", ("HP:1",)),
    "HP:8": ("Seizure", ("HP:1",)),
}


def _row(disease: str, name: str, term: str, share: float | None = None, *papers: int) -> Annotation:
    return Annotation(disease, name, term, share, 0, papers, "P")


_ROWS = (
    _row("OMIM:1", "Lens disease 1", "HP:4", 0.9, 11),
    _row("OMIM:1", "Lens disease 1", "HP:7", 0.5, 11),
    _row("ORPHA:9", "Disease of the lens", "HP:8", 0.1),
    _row("OMIM:2", "Lens disease 2", "HP:3", 0.8),
    _row("OMIM:3", "Heart disease", "HP:6", None),
    _row("OMIM:3", "Heart disease", "HP:4", 0.0),
    _row("OMIM:4", "Fits", "HP:8", 1.0),
    _row("ORPHA:4", "FITS", "HP:8", 1.0),
)


@pytest.fixture
def small(tmp_path: Path) -> Diseases:
    concepts = [Concept(code, (Name(label, "label"),), up) for code, (label, up) in _TERMS.items()]
    concepts[-1] = replace(concepts[-1], alternatives=("HP:80",))
    write_index(tmp_path / "terms.zip", "HPO", "1", "a test", concepts)
    terminology = Terminology(tmp_path / "terms.zip")
    write_diseases(
        tmp_path / "diseases.zip",
        "2",
        "a test",
        terminology,
        _ROWS,
        {"ORPHA:9": "OMIM:1"},
        {"ORPHA:9": "1-9 / 100 000"},
        [
            Concept(
                "DOID:1", (Name("convulsions", "label"), Name("Falling sickness", "exact")), xrefs=("MIM:4",)
            )
        ],
        [("LENS2", "ORPHA:9"), ("LENS1", "OMIM:1"), ("NONE1", "OMIM:99")],
    )
    return Diseases(tmp_path / "diseases.zip", terminology)


@pytest.fixture(scope="module")
def shipped() -> Ranker:
    terminology = Terminology(asset("resources", "terminology", "hpo.zip"))
    return Ranker(Diseases(asset("resources", "terminology", "diseases.zip"), terminology))


def test_one_disease_under_two_codes_is_one_entry(small: Diseases) -> None:
    assert small.codes == [("OMIM:1", "ORPHA:9"), ("OMIM:2",), ("OMIM:3",), ("OMIM:4", "ORPHA:4")]
    assert small.names[0] == "Lens disease 1"
    assert small.numbers["ORPHA:9"] == small.numbers["OMIM:1"] == 0
    assert small.prevalence.tolist() == [3, 0, 0, 0]
    assert small.genes[:2] == [{"LENS1", "LENS2"}, set()]
    assert small.synonyms[2:] == [(), ("convulsions", "Falling sickness")]


def test_every_known_finding_contributes_once_and_all_add_up_to_the_evidence(small: Diseases) -> None:
    found = Ranker(small).rank(["HP:4", "HP:80", "HP:8", "HP:404"], ["HP:6", "HP:4"])
    assert found.unknown == ("HP:404",)
    assert found.mapped == (("HP:80", "HP:8"),)
    assert Ranker(small).rank(["HP:4"], ["HP:80"]).mapped == (("HP:80", "HP:8"),), "of what is denied, too"
    assert {one.codes[0] for one in found.diseases} == {"OMIM:1", "OMIM:2", "OMIM:3", "OMIM:4"}
    for disease in found.diseases:
        named = [(one.code, one.polarity) for one in disease.contributions]
        assert named == [("HP:4", "present"), ("HP:8", "present"), ("HP:6", "negated")]
        assert disease.evidence == pytest.approx(sum(one.value for one in disease.contributions))
    assert found.diseases[0].codes == ("OMIM:1", "ORPHA:9")


def test_the_ratio_is_of_the_share_in_the_disease_to_the_mean_share(small: Diseases) -> None:
    best, *_, last = Ranker(small).rank(["HP:4"], options=Options(top=None)).diseases
    assert best.contributions[0].value == pytest.approx(np.log(0.99 * 0.9 / (0.9 / 4) + 0.01), abs=0.01)
    assert best.contributions[0].matched == "HP:4"
    assert last.contributions[0].value == pytest.approx(np.log(0.01), abs=1e-5)
    assert last.contributions[0].matched == ""


@pytest.mark.parametrize(
    ("rows", "share"),
    [
        ([(None, 0)], 1.0),
        ([(0.0, 0)], None),
        ([(0.0, 12)], None),
        ([(0.0, 12), (None, 0)], None),
        ([(0.55, 0)], 0.55),
        ([(0.17, 0), (0.55, 0), (None, 0)], 0.55),
        ([(0.5, 10)], 5.6 / 12),
        ([(1.0, 1)], 1.6 / 3),
        ([(0.2, 10), (0.6, 5), (0.0, 3)], 5.6 / 20),
        ([(0.5, 10), (0.9, 0)], 0.9),
        ([(0.5, 10), (0.17, 0)], 5.6 / 12),
    ],
)
def test_rows_of_a_feature_come_to_one_share_or_to_none(
    rows: list[tuple[float | None, int]], share: float | None
) -> None:
    found = features_of([(7, *row) for row in rows], lambda term: (term, 3))
    assert found.asserted == ({} if share is None else {7: pytest.approx(share)})
    assert found.propagated == ({} if share is None else {7: pytest.approx(share), 3: pytest.approx(share)})


def test_what_stands_above_is_as_frequent_as_the_most_frequent_below() -> None:
    rows: list[tuple[int, float | None, int]] = [(7, 0.9, 0), (8, 0.2, 0), (9, 0.4, 0)]
    above = {7: (7, 3, 1), 8: (8, 3, 1), 9: (9, 1)}
    assert features_of(rows, above.__getitem__).propagated == {7: 0.9, 8: 0.2, 9: 0.4, 3: 0.9, 1: 0.9}


@pytest.mark.parametrize("papers", [[], [11]])
def test_overlap_and_what_is_explained_are_of_what_is_left_of_each_disease(
    small: Diseases, papers: list[int]
) -> None:
    left, _ = small.without(papers)
    present = [row for code in ("HP:4", "HP:8") if (row := small.terminology.row(code)) is not None]
    patient = {above for term in present for above in small.ancestors(term).tolist()}
    content = small.information.tolist()
    scorer = Scorer(small, Columns(small), left)
    overlap, back = scorer.overlap(present).tolist(), scorer.explained_back(present).tolist()
    for disease in range(len(small)):
        known = left.get(disease) or small.features(disease)
        whole = sum(share * content[term] for term, share in known.propagated.items())
        both = sum(known.propagated.get(term, 0.0) * content[term] for term in patient)
        either = whole + sum(content[term] for term in patient) - both
        assert overlap[disease] == pytest.approx(both / (either + 1e-9), abs=1e-5)
        shared = [
            (
                share,
                max((content[one] for one in small.ancestors(term).tolist() if one in patient), default=0.0),
            )
            for term, share in known.asserted.items()
        ]
        weight = sum(share for share, _ in shared)
        mean = sum(share * most for share, most in shared) / (weight + 1e-9)
        assert back[disease] == pytest.approx(mean, abs=1e-5)


def test_without_a_paper_its_rows_are_gone_and_the_papers_of_the_others_are_counted_once(
    small: Diseases, tmp_path: Path
) -> None:
    rows = (
        _row("OMIM:1", "One", "HP:4", 0.9, 11, 12),
        _row("OMIM:1", "One", "HP:7", 0.5, 12, 13),
        _row("OMIM:1", "One", "HP:8", None, 13),
        _row("OMIM:2", "Two", "HP:8", 1.0, 11),
        _row("OMIM:3", "Three", "HP:8", 1.0, 14),
        _row("DECIPHER:4", "FOUR", "HP:8", 1.0),
        _row("OMIM:4", "Four", "HP:8", 1.0),
        # Which of two diseases of its name it is nobody knows.
        _row("OMIM:5", "Twice", "HP:8", 1.0),
        _row("OMIM:6", "Twice", "HP:8", 1.0),
        _row("ORPHA:5", "Twice", "HP:8", 1.0),
    )
    path = tmp_path / "papers.zip"
    write_diseases(path, "2", "a test", small.terminology, rows, {}, {}, [], [])
    found = Diseases(path, small.terminology)
    assert found.codes[3:] == [("DECIPHER:4", "OMIM:4"), ("OMIM:5",), ("OMIM:6",), ("ORPHA:5",)]
    assert found.names[3] == "Four", "as OMIM has it, whichever row comes first"
    left, gone = found.without([11])
    assert gone == 2
    assert {
        found.codes[disease]: (one.papers, sorted(one.asserted.values())) for disease, one in left.items()
    } == {
        ("OMIM:1",): (2, [0.5, 1.0]),
        ("OMIM:2",): (0, []),
    }
    assert found.without([99]) == ({}, 0)


def test_what_is_denied_speaks_against_who_has_it_and_never_for_a_match(small: Diseases) -> None:
    ranker = Ranker(small)
    by_code = {one.codes[0]: one for one in ranker.rank(["HP:8"], ["HP:6"]).diseases}
    assert by_code["OMIM:3"].contributions[1].value < 0 < by_code["OMIM:4"].contributions[1].value
    # A row that denies a feature, or says none of n, is no feature.
    assert small.features(small.numbers["OMIM:3"]).asserted == {5: 1.0}


def test_own_publications_help_neither_the_disease_nor_its_family(small: Diseases) -> None:
    ranker = Ranker(small)
    kept = ranker.rank(["HP:4", "HP:7"], publications=[11], options=Options(leave_out=False))
    left = ranker.rank(["HP:4", "HP:7"], publications=[11])
    assert (kept.left_out, left.left_out) == (0, 2)
    of_kept, of_left = ({one.codes[0]: one for one in found.diseases} for found in (kept, left))
    nothing = pytest.approx(np.log(0.01), abs=1e-5)
    # Deafness is known of the first type alone, from that paper: its sibling has half of it, or nothing.
    assert of_kept["OMIM:2"].contributions[1].value > 0
    assert of_left["OMIM:2"].contributions[1].value == nothing
    assert of_left["OMIM:1"].contributions[1].value == nothing
    # Half of what the sibling has stays.
    assert of_left["OMIM:1"].contributions[0].matched == "HP:3"
    # Any cataract may be another kind than the congenital one that half as many diseases have.
    ratio = 0.5 * 0.8 / ((0.9 + 0.8) / 4) * np.sqrt(1 / 2)
    assert of_left["OMIM:1"].contributions[0].value == pytest.approx(np.log(0.99 * ratio + 0.01), abs=0.01)
    assert small.families.tolist() == [0, 0, -1, -1]
    # Nor against it: what is denied stands as with who never had it.
    denied = ranker.rank(["HP:8"], ["HP:4", "HP:7"], publications=[11])
    lost, never = (
        [one.value for one in disease.contributions[1:]]
        for code in ("OMIM:1", "OMIM:4")
        for disease in denied.diseases
        if disease.codes[0] == code
    )
    assert lost == never
    assert min(lost) > 0


@pytest.mark.parametrize(("own", "papers"), [((), 1), ((11,), 0.5)])
def test_how_often_a_disease_is_met_can_be_switched_off(
    small: Diseases, own: tuple[int, ...], papers: float
) -> None:
    """By prevalence and by the publications that report it, the case's own left out."""
    with_it, without = (
        Ranker(small).rank(["HP:8"], (), own, Options(prevalence=on)).scores for on in (True, False)
    )
    assert with_it is not None
    assert without is not None
    unknown = 0.4 + np.log1p(0.5)
    assert with_it - without == pytest.approx([1.2 + np.log1p(papers), unknown, unknown, unknown])


def test_half_of_a_score_is_the_best_of_its_family() -> None:
    scores, families = np.array([-1, -5, -3, -4], np.float32), np.array([0, 0, -1, -1], np.int32)
    assert lifted(scores, families).tolist() == [-1, -3, -3, -4]


def test_without_a_present_finding_there_is_no_list(small: Diseases) -> None:
    found = Ranker(small).rank([], ["HP:6"])
    assert (found.diseases, found.scores) == ((), None)


def test_an_explanation_says_what_speaks_for_and_against_and_what_to_look_for(small: Diseases) -> None:
    found = Ranker(small).rank(["HP:3", "HP:8"], ["HP:7"])
    first, *_ = explain(small, found)
    assert found.diseases[0].codes[0] == "OMIM:1"
    assert [one.code for one in first.support] == ["HP:3"]
    assert [one.code for one in first.against] == ["HP:7"]
    assert [one.code for one in first.unexplained] == ["HP:8"]
    asked = {one.code for reason in explain(small, found) for one in reason.next}
    assert asked.isdisjoint({"HP:3", "HP:7", "HP:8"}), "what is known is not to be looked for"
    assert fits(explain(small, found))
    # What is denied speaks against those alone that have it.
    against = {
        one.codes[0]: reason.against
        for one, reason in zip(found.diseases, explain(small, found), strict=True)
    }
    assert {code for code, told in against.items() if told} == {"OMIM:1"}
    # What either of two has parts them.
    told = explain(small, Ranker(small).rank(["HP:3"]))
    assert [[one.code[3:] for one in reason.next] for reason in told] == [
        ["7", "8"], ["7", "8"], ["6", "7", "8"], ["7", "8"],
    ]  # fmt: skip


def test_a_name_of_two_diseases_tells_the_first_and_its_own_name_before_what_others_call_it() -> None:
    diseases = SimpleNamespace(
        names=["Alpha", "Beta", "alpha"],
        other_names=[("Beta", "Common"), ("Common", "Own"), ()],
        codes=[("A:1", "A:9"), ("B:1",), ("C:1",)],
    )
    assert codes_of_names(diseases) == {  # type: ignore[arg-type]
        "alpha": "A:1", "beta": "B:1", "common": "A:1", "own": "B:1",
    }  # fmt: skip


def test_what_different_diseases_alone_have_fits_none(shipped: Ranker) -> None:
    diseases = shipped.diseases
    alone = np.flatnonzero(diseases.counts == 1)[::150].tolist()
    found = shipped.rank([diseases.terminology.codes[row] for row in alone])
    assert len(alone) > 10
    assert not fits(explain(diseases, found))


def test_what_tells_no_diseases_apart_is_named_and_counts_nothing(shipped: Ranker) -> None:
    """Autosomal recessive inheritance, congenital onset, and the root of all."""
    asides = ["HP:0000007", "HP:0003577", "HP:0000118"]
    assert shipped.rank(asides).diseases == ()
    first = shipped.rank(["HP:0001166", *asides]).diseases[0]
    assert [one.value for one in first.contributions[1:]] == [0, 0, 0]


def test_an_index_of_another_release_is_refused(small: Diseases, tmp_path: Path) -> None:
    write_index(tmp_path / "other.zip", "HPO", "3", "a test", [Concept("HP:1", (Name("All", "label"),))])
    with pytest.raises(TerminologyError, match="made for HPO 1, not for 3"):
        Diseases(tmp_path / "diseases.zip", Terminology(tmp_path / "other.zip"))


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Ehlers-Danlos syndrome, type VI", "ehlers-danlos syndrome"),
        ("Bardet-Biedl syndrome 10", "bardet-biedl syndrome"),
        ("Deafness, autosomal recessive 99", "deafness"),
        ("Mucopolysaccharidosis type IIIA", "mucopolysaccharidosis"),
    ],
)
def test_types_of_a_disease_are_one_family(name: str, family: str) -> None:
    assert family_of(name) == family


def test_what_comes_along_ranks_a_textbook_case(shipped: Ranker) -> None:
    """Arachnodactyly, ectopia lentis, aortic root aneurysm, high palate: Marfan syndrome."""
    found = shipped.rank(["HP:0001166", "HP:0001083", "HP:0002616", "HP:0000218"])
    assert "Marfan syndrome" in [one.name for one in found.diseases[:3]]
    assert len(shipped.diseases) > 10_000


def test_rows_that_cite_a_patients_own_papers_are_said_to_be_left_out_or_counted() -> None:
    said = [
        left_out_in_words((7, 8), Ranking((), None, rows, {}, (), ()), Options(leave_out=leave_out))
        for rows, leave_out in ((1, True), (1200, True), (0, False))
    ]
    papers = "citing PMID:7, PMID:8"
    assert said == [
        f"Left out: 1 row {papers}",
        f"Left out: 1,200 rows {papers}",
        f"Counted, as asked for: rows {papers}",
    ]


def test_codes_that_are_no_terms_or_were_merged_into_others_are_said() -> None:
    ranker = shipped_ranker()
    ranking = ranker.rank(["HP:0001505", "HP:9999999"], ["HP:0001250"])
    assert codes_in_words(ranking) == [
        "No terms of this release, and not counted: HP:9999999.",
        "Read as the code in use: HP:0001505 as HP:0001166.",
    ]
    assert codes_in_words(ranker.rank(["HP:0001166"])) == []
