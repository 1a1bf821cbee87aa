"""Evidence is read, merged and put into questions by the rules of each profile."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from weakref import ref

import pytest

from app.studies.ebmqa import items
from app.studies.ebmqa.cohorts import FEMALES, Patient, _by_sex, add_phenopackets
from app.studies.ebmqa.edges import CLASSES, TYPES, Edge, Evidence, counted_edge, merged, one_id_each
from app.studies.ebmqa.ranges import Ranges, chosen, ranges_of
from app.studies.ebmqa.reading import add_gold, add_hpoa, add_orphanet, add_table
from app.studies.ebmqa.semantic import _groups, capped, compared, fours, interleaved
from app.studies.ebmqa.terms import Terms
from app.studies.ebmqa.words import Namer
from app.studies.results import Item
from app.studies.study import Reports
from extractors.evidence.hpoa import read_hpoa
from extractors.model.errors import FormatError
from extractors.model.finding import Finding
from extractors.terminology.library import shipped_hpo

HEAD = "database_id\tdisease_name\tqualifier\thpo_id\treference\tevidence\tonset\tfrequency\tsex\t"
SEIZURE, ATAXIA, FOCAL = "HP:0001250", "HP:0001251", "HP:0007359"
FREQUENT, VERY = "HP:0040282", "HP:0040281"


@pytest.fixture(scope="module")
def terms() -> Terms:
    return Terms(shipped_hpo())


def row(
    disease: str, name: str, term: str, said: str, *, no: str = "", sex: str = "", ref: str = "PMID:1"
) -> str:
    return "\t".join((disease, name, no, term, ref, "PCS", "", said, sex, "", "P", "x")) + "\n"


def read(path: Path, terms: Terms, *rows: str) -> Evidence:
    path.write_text("#version: 2025-01-16\n" + HEAD + "\n" + "".join(rows), "utf-8")
    evidence = Evidence()
    add_hpoa(evidence, path, terms)
    one_id_each(evidence, (), evidence.names)
    return evidence


def test_in_a_table_of_ones_own_every_term_is_looked_up_the_background_too(
    tmp_path: Path, terms: Terms
) -> None:
    rows = f"smoking,risk_factor,gout,hp:0001250,2\nsmoking,risk_factor,{ATAXIA},HP:9999999,2\n"
    path, evidence = tmp_path / "own.csv", Evidence()
    path.write_text("source,relation,target,background,mid\n" + rows, "utf-8")
    add_table(evidence, path, terms)
    assert [one.background for one in evidence.edges] == [SEIZURE]
    assert evidence.names == {"smoking": "smoking", "gout": "gout", SEIZURE: "Seizure"}
    assert evidence.faulty == [{"file": "own.csv", "line": 3, "reason": "an unknown term (HP:9999999)"}]


def test_rows_of_a_table_of_ones_own_say_what_is_possible_or_why_they_are_none(
    tmp_path: Path, terms: Terms
) -> None:
    head = "source,relation,target,min,mid,max,n,m,reference\n"
    good = (
        "gout,Sensitivity,fever,,,,5,5,PMID:1; PMID:2",
        "gout,prevalence,,0.1,,0.3,,,",
        "gout,plr,fever,,4,,,,",
        "gout,npv,fever,0.1,0.5,,,,",
    )
    bad = (
        "gout,sensitivity,fever,0.5,0.4,0.6,,,",
        "gout,sensitivity,fever,,1.5,,,,",
        "gout,sensitivity,fever,,,,6,5,",
        "gout,sensitivity,fever,,,,1,0,",
        "gout,plr,fever,,,,1,2,",
        "gout,plr,,,4,,,,",
        "gout,semantic,fever,,4,,,,",
        "gout,ppv,fever,0.5,,,,,",
        "gout,ppv,fever,x,,,,,",
    )
    path, evidence = tmp_path / "own.csv", Evidence()
    path.write_text(head + "\n".join((*good, *bad)), "utf-8")
    add_table(evidence, path, terms)
    told = [(one.type, one.low, one.high, one.mid, one.kind, one.references) for one in evidence.edges]
    assert told[1:] == [
        ("prevalence", Fraction(1, 10), Fraction(3, 10), Fraction(1, 5), "own", ()),
        ("plr", None, None, 4, "percent", ()),
        # One end alone is no interval.
        ("npv", None, None, Fraction(1, 2), "percent", ()),
    ]
    assert evidence.edges[0] == counted_edge(
        ("sensitivity", "gout", "fever", ""), 5, 5, ("PMID:1", "PMID:2"), 0
    )
    order = "min, mid and max are out of order or range"
    assert [one["reason"] for one in evidence.faulty] == [
        order,
        order,
        "n is more than m",
        "m is 0",
        "a count where a ratio is wanted",
        "no source or no target",
        "an unknown relation (semantic)",
        "neither min and max, nor mid, nor n and m",
        "a number that is none",
    ]
    assert [one["line"] for one in evidence.faulty] == list(range(6, 15))
    assert evidence.left_out[f"own.csv: {order}"] == 2


def test_what_was_asked_of_terms_goes_when_they_go() -> None:
    terms = Terms(shipped_hpo())
    assert terms.parents(FOCAL) == (SEIZURE,)
    assert terms.branches(FOCAL)
    assert "Neuro" in terms.categories(FOCAL)
    gone = ref(terms)
    del terms
    assert gone() is None


def test_a_finding_of_two_disciplines_counts_in_both_and_has_neither_alone(terms: Terms) -> None:
    labels = Namer({}, terms, {}).labels("existence", "HP:0000023", "ORPHA:1", "")
    assert (labels["disciplines"], labels["discipline"]) == (["digestive", "musculoskeletal"], None)


def test_a_sex_is_called_by_its_people_and_anything_else_by_its_own_name(terms: Terms) -> None:
    namer = Namer({"smoking": "tobacco smoking"}, terms, {})
    assert [namer.name(one) for one in ("sex:MALE", "sex:FEMALE", FEMALES, "smoking", "cats", SEIZURE)] == [
        *("males", "females", FEMALES, "tobacco smoking", "cats", "Seizure")
    ]


def test_a_disease_goes_by_no_id_of_which_nothing_is_said() -> None:
    evidence = Evidence(names={"OMIM:2": "Alpha", "ORPHA:1": "Beta", "ORPHA:2": "Gamma"})
    exact = [("OMIM:1", "ORPHA:1"), ("ORPHA:1", "OMIM:1"), ("OMIM:2", "ORPHA:2")]
    one_id_each(evidence, exact, evidence.names)
    assert evidence.same == {"OMIM:2": "OMIM:2", "ORPHA:1": "ORPHA:1", "ORPHA:2": "OMIM:2"}


def test_counts_are_summed_over_the_ids_of_a_disease_and_decide(tmp_path: Path, terms: Terms) -> None:
    evidence = read(
        tmp_path / "phenotype.hpoa",
        terms,
        row("OMIM:1", "Alpha disease", SEIZURE, "8/9"),
        row("ORPHA:1", "alpha disease", SEIZURE, "9/10", ref="PMID:2"),
        row("OMIM:1", "Alpha disease", ATAXIA, "1/2"),
        row("OMIM:2", "Beta", SEIZURE, VERY),
        row("ORPHA:2", "Beta", SEIZURE, FREQUENT),
        row("OMIM:3", "Gamma", SEIZURE, "40%"),
        row("OMIM:3", "Gamma", ATAXIA, FREQUENT, no="NOT"),
        row("OMIM:3", "Gamma", "HP:0003577", FREQUENT),
        row("OMIM:3", "Gamma", FOCAL, ""),
    )
    assert evidence.sources[0]["version"] == "2025-01-16"
    assert [one.frequency for one in read_hpoa(tmp_path / "phenotype.hpoa").rows if one.denied] == [0]
    kept, contested = merged(evidence, evidence.edges, "strict")
    assert [(one.source, one.n, one.m, one.references) for one in kept] == [
        ("OMIM:1", 17, 19, ("PMID:1", "PMID:2"))
    ]
    assert [one.source for one in contested] == ["OMIM:2"]
    assert dict(evidence.left_out) == {
        "the finding is denied": 1,
        "no phenotypic finding in use (course, inheritance, obsolete)": 1,
        "no frequency is given": 1,
        "fewer than 10 patients, and no class": 1,
        "a bare percentage, without an interval": 1,
    }
    averaged, nothing = merged(evidence, evidence.edges, "paper")
    assert nothing == []
    alpha = next(one for one in averaged if one.target == SEIZURE and one.source == "OMIM:1")
    assert alpha.mid == (Fraction(8, 9) + Fraction(9, 10)) / 2


def test_counts_of_one_disease_are_summed_whichever_id_it_has_as_source_or_background() -> None:
    ids = ("OMIM:1", "ORPHA:1", "OMIM:2")
    one_of = {"OMIM:1": "OMIM:1", "ORPHA:1": "OMIM:1", "OMIM:2": "OMIM:2"}
    evidence = Evidence(same=one_of)
    wanted: dict[tuple[str, ...], list[int]] = {}
    edges = []
    for place, (kind, source, target, background) in enumerate(
        product(("sensitivity", "ppv"), ids, (SEIZURE, ATAXIA), ("", *ids))
    ):
        n, m = place % 3, 3 + place % 4
        edges.append(counted_edge((kind, source, target, background), n, m, (f"PMID:{place}",), 0))
        known = wanted.setdefault((kind, one_of[source], target, one_of.get(background, "")), [0, 0])
        known[:] = known[0] + n, known[1] + m
    kept, contested = merged(evidence, edges, "strict")
    found = {(one.type, one.source, one.target, one_of.get(one.background, "")): one for one in kept}
    assert (contested, len(found)) == ([], len(kept))
    enough = {key: tuple(sums) for key, sums in wanted.items() if sums[1] >= 10}
    assert {key: (one.n, one.m) for key, one in found.items()} == enough
    assert evidence.left_out == {"fewer than 10 patients, and no class": len(wanted) - len(enough)}
    assert 0 < len(enough) < len(wanted)


def test_the_packets_of_orphanet_bring_what_the_hpo_file_lacks(tmp_path: Path, terms: Terms) -> None:
    evidence = read(tmp_path / "phenotype.hpoa", terms, row("OMIM:9", "Nine", SEIZURE, VERY))
    folder = tmp_path / "packets"
    folder.mkdir()
    prevalence = {"PrevalenceType": "Point prevalence", "PrevalenceClass": "1-9 / 100 000", "ValMoy": "2.5"}
    packet = {
        "ORPHAcode": "9",
        "Label": "Nine of Orphanet",
        "Prevalences": {
            "Prevalence": [
                {**prevalence, "PrevalenceGeographic": "Europe", "Source": "ORPHANET"},
                # A mean that its own class does not hold.
                {**prevalence, "PrevalenceGeographic": "Japan", "ValMoy": "50"},
            ]
        },
        "ExternalReferences": [{"Source": "OMIM", "Reference": "9", "DisorderMappingRelation": "E (Exact)"}],
        "Phenotypes": [
            {"Phenotype": {"HPOId": SEIZURE, "HPOFrequency": "Frequent (79-30%)"}},
            {"Phenotype": {"HPOId": ATAXIA, "HPOFrequency": "Occasional (29-5%)"}},
            {"Phenotype": {"HPOId": FOCAL, "HPOFrequency": "Excluded (0%)"}},
        ],
    }
    (folder / "one.json").write_text(json.dumps({"Orphapacket": packet}), "utf-8")
    assert add_orphanet(evidence, folder, terms) == [("ORPHA:9", "OMIM:9")]
    fresh = evidence.edges[1:]
    assert [(one.type, one.target, one.background) for one in fresh] == [
        ("prevalence", "", "place:Europe"),
        ("prevalence", "", "place:Japan"),
        ("sensitivity", ATAXIA, ""),
    ]
    assert [one.mid for one in fresh[:2]] == [Fraction(25, 1_000_000), Fraction(5, 100_000)]
    assert evidence.left_out["Orphanet: the HPO file has a frequency already"] == 1
    # What Orphanet says not to be there contradicts whoever says how often it is.
    assert evidence.denied == {("ORPHA:9", FOCAL)}


def test_patients_of_phenopackets_are_not_counted_twice(tmp_path: Path, terms: Terms) -> None:
    evidence = read(tmp_path / "phenotype.hpoa", terms, row("OMIM:7", "Seven", SEIZURE, "5/9", ref="PMID:77"))
    folder = tmp_path / "packets"
    folder.mkdir()
    for number in range(24):
        disease, there = ("OMIM:7", number % 2) if number < 12 else ("OMIM:8", number % 4 == 0)
        packet = {
            "id": f"PMID_{77 if number < 6 else 78}_p{number}",
            "subject": {"sex": "MALE"},
            "phenotypicFeatures": [{"type": {"id": SEIZURE}, "excluded": not there}],
            "interpretations": [{"diagnosis": {"disease": {"id": disease, "label": disease}}}],
            "metaData": {"phenopacketSchemaVersion": "2.0"},
        }
        (folder / f"{number}.json").write_text(json.dumps(packet), "utf-8")
    # What one is said to have and not to have counts as neither.
    both = [{"type": {"id": SEIZURE}}, {"type": {"id": SEIZURE}, "excluded": True}]
    unclear = {**packet, "id": "PMID_78_p", "phenotypicFeatures": both}
    (folder / "unclear.json").write_text(json.dumps(unclear), "utf-8")
    other = {**packet, "interpretations": [{"diagnosis": {"disease": {"id": one}}} for one in "ab"]}
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "two.json").write_text(json.dumps(other), "utf-8")
    with pytest.raises(FormatError, match="has no phenopackets of version 2 with a diagnosis"):
        add_phenopackets(Evidence(), tmp_path / "none", terms)
    add_phenopackets(evidence, folder, terms)
    assert evidence.left_out["phenopackets: the HPO file counts this patient's finding"] == 6
    by = {(one.type, one.source): one for one in evidence.edges[1:]}
    assert (by["sensitivity", "OMIM:7"].n, by["sensitivity", "OMIM:7"].m) == (3, 6)
    assert by["plr", "OMIM:7"].mid == Fraction(6, 12) / Fraction(3, 12)
    assert by["specificity", "OMIM:7"].mid == Fraction(9, 12)
    # What a finding foretells takes ten patients who have it: here nine have, and fifteen have not.
    assert (by["npv", "OMIM:7"].n, by["npv", "OMIM:7"].m) == (9, 15)
    assert ("ppv", "OMIM:7") not in by
    assert {*by["plr", "OMIM:8"].references} == {"PMID:77", "PMID:78"}, "those of the other disease, too"
    # Of a disease with fewer than ten patients nothing is held against another.
    for number in (9, 10, 11):
        (folder / f"{number}.json").unlink()
    few = Evidence()
    add_phenopackets(few, folder, terms)
    assert {one.type for one in few.edges} == {"sensitivity"}


def test_females_are_compared_with_males_of_a_disease_of_which_both_are_enough() -> None:
    def patients(disease: str, sex: str, present: int, absent: int) -> list[Patient]:
        said = [(frozenset({SEIZURE}), frozenset[str]())] * present
        said += [(frozenset[str](), frozenset({SEIZURE}))] * absent
        return [Patient(disease, sex, f"PMID:{number}", *one) for number, one in enumerate(said)]

    evidence = Evidence()
    given = [*patients("D", "FEMALE", 6, 6), *patients("D", "MALE", 2, 8), *patients("D", "UNKNOWN", 9, 0)]
    given += [*patients("E", "FEMALE", 12, 0), *patients("E", "MALE", 9, 0)]
    (found,) = _by_sex(given, 3, evidence)
    assert (found.key, found.mid) == (
        ("relative_risk", "D", SEIZURE, FEMALES),
        Fraction(6, 12) / Fraction(2, 10),
    )
    assert (found.n, found.m, found.file, not evidence.left_out) == (8, 22, 3, True)
    # Of all and all there is no interval.
    assert list(_by_sex([*given, *patients("E", "MALE", 9, 0)], 3, evidence)) == [found]
    assert evidence.left_out.total() == 1


def test_a_question_is_in_one_of_the_published_lists_and_what_they_lack_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(items, "LISTS", (("subject", ("a",), 2), ("length", ("short", "long"), 2)))
    labels = {"type": "plr", "subject": "a", "length": "short"}
    given = [Item(str(number), "numeric", {}, labels=labels) for number in range(3)]
    notes: list[str] = []
    assert items._benchmark(given, 1, notes) == given
    assert notes == [
        "length short: 1 of 2 in the published list, each drawn once.",
        "length long: 0 of 2 in the published list, each drawn once.",
    ]


def test_of_types_without_a_question_it_is_said_whether_they_were_asked_for() -> None:
    types: dict[str, str] = {}
    items._explain_types(types, [], [], {"kind": [], "type": ["plr", "nlr"]}, Evidence(), {"nlr"})
    assert {types[kind] for kind in TYPES if kind not in ("plr", "nlr")} == {"It was not asked for."}
    assert types["plr"] == "No source that was given says anything of this."
    assert types["nlr"].startswith("There is evidence, but none that could be asked: too few patients")


def test_the_middle_range_of_the_published_cuts_holds_both_its_ends() -> None:
    edges = [Edge("sensitivity", str(n), "t", "", None, None, Fraction(n, 10)) for n in range(1, 10)]
    ranges = ranges_of("sensitivity", edges, "paper")
    assert ranges.cuts == (Fraction(3, 10), Fraction(7, 10))
    places = [ranges.place(Fraction(n, 10)) for n in (2, 3, 7, 8, 10)]
    assert places == [0, 1, 1, 2, 2]
    assert [one.get("closed", False) for one in ranges.options()] == [False, True, False]
    strict = ranges_of("sensitivity", edges, "strict")
    assert strict.holding(counted_edge(("sensitivity", "s", "t", ""), 95, 100, (), 0)) == 2
    assert strict.holding(counted_edge(("sensitivity", "s", "t", ""), 8, 10, (), 0)) is None


def test_ratios_are_cut_at_one_and_at_the_medians_on_both_sides() -> None:
    edges = [Edge("plr", "s", str(n), "", None, None, Fraction(n, 10)) for n in (2, 4, 8, 10, 20, 30, 50)]
    ranges = ranges_of("plr", edges, "paper")
    assert ranges.cuts == (Fraction(4, 10), Fraction(1), Fraction(3))
    texts = [one["text"] for one in ranges.options()]
    assert texts[0] == "Makes it 3 times as high or higher"
    assert texts[-1] == "Makes it lower, to less than 0.4 times of what it was"
    assert isinstance(ranges, Ranges)


def test_in_a_four_neither_source_nor_target_tells_the_range() -> None:
    pairs = [("X", "F", 0), ("X", "G", 2), ("Y", "F", 2), ("Y", "G", 0), ("Z", "F", 0), ("Z", "G", 0)]
    found = fours(pairs, lambda one: one[0], lambda one: one[1], [one[2] for one in pairs], 1)
    assert [places for places, _ in found] == [(0, 2)]
    assert {pairs[at][:2] for at in found[0][1]} == {("X", "F"), ("X", "G"), ("Y", "F"), ("Y", "G")}


def test_no_edge_stands_in_two_fours() -> None:
    edges = [(source, target, source * target % 3) for source in range(12) for target in range(12)]
    found = fours(edges, lambda one: str(one[0]), lambda one: str(one[1]), [one[2] for one in edges], 1)
    used = [number for _, numbers in found for number in numbers]
    assert len(used) == len(set(used)) > 40


def test_any_first_part_of_an_order_has_the_groups_in_proportion() -> None:
    # What is one of four stands in their middle.
    assert "".join(interleaved("abbb", lambda one: one)) == "babb"
    ordered = interleaved([*("a" * 60), *("b" * 30)], lambda one: one)
    assert [ordered[:end].count("a") for end in (3, 30, 90)] == [2, 20, 60]


def test_the_largest_group_has_no_more_than_its_share_and_keeps_its_first_where_that_can_be() -> None:
    # Four of eight are half; of groups that are equal nothing goes, whatever their share.
    assert "".join(capped({0: [*"ab"], 1: [*"cd"], 2: [*"efghij"]}, 0.5)) == "abcdefgh"
    assert "".join(capped({0: [*"efghij"], 1: [*"ab"], 2: [*"cd"]}, 0.5)) == "efghabcd"
    assert "".join(capped({0: [*"abc"], 1: [*"def"]}, 0.3)) == "abcdef"
    assert capped({}, 0.5) == []


def test_a_finding_stands_under_every_category_above_it_each_once(terms: Terms) -> None:
    assert terms.categories("HP:0000026") == ("ENDO", "GU")
    assert terms.categories("HP:0000051") == ("GU",)
    assert terms.categories("HP:9999999") == ()


@pytest.mark.parametrize("profile", ["strict", "paper"])
def test_no_option_stands_above_another_and_the_right_one_is_supported(profile: str, terms: Terms) -> None:
    below, said = {}, ("HP:0040281", "HP:0040282", "HP:0040283", "HP:0040284")
    codes = [SEIZURE, FOCAL, ATAXIA, "HP:0001263", "HP:0001337", "HP:0002072", "HP:0001332", "HP:0002015"]
    edges = []
    for disease in range(40):
        for at, code in enumerate(codes):
            low, high = CLASSES[said[(disease * 3 + at * (disease % 5 + 1)) % 4]]
            edges.append(Edge("sensitivity", f"OMIM:{disease}", code, "", low, high, (low + high) / 2))
    onsets = []
    for disease in range(20):
        for at, code in enumerate(("HP:0030674", "HP:0011460", "HP:0011461", "HP:0003577", "HP:0003581")):
            low, high = CLASSES[said[(disease + at) % 4]]
            onsets.append(Edge("semantic", f"OMIM:{disease}", code, "", low, high, (low + high) / 2))
    # A risk beside another disease is no share of this one's patients.
    beside = [replace(one, background="OMIM:99") for one in (*edges[:8], *onsets[:5])]
    parts = [members for *_, members in _groups("disease", [*edges, *beside], (), terms)]
    assert Counter(one for members in parts for one in members) == Counter(edges)
    made = compared([*edges, *beside], [*onsets, *beside], terms, profile, 1)
    assert not any(edge.background for one in made for edge in one.edges)
    wanted = {"finding", "disease", "onset"} if profile == "paper" else {"disease"}
    assert {one.kind for one in made} >= wanted
    for one in made:
        entities = [edge.target for edge in one.edges]
        if one.kind != "disease":
            assert not any(terms.related(a, b) for a in entities for b in entities if a != b)
        best = max(edge.mid for edge in one.edges)
        right = tuple(at for at, edge in enumerate(one.edges) if best - edge.mid < Fraction(1, 10))
        assert one.right == right
        assert len(right) < len(one.edges)
        below[one.source, tuple(sorted(entities)), tuple(edge.source for edge in one.edges)] = one
    assert len(below) == len(made)


def test_the_most_usual_option_is_so_elsewhere_whatever_is_asked_about(terms: Terms) -> None:
    chorea, tenth = "HP:0002072", Fraction(1, 10)
    edges = [of("own", ATAXIA, 9 * tenth), of("own", FOCAL, tenth), of("own", chorea, tenth)]
    edges += [of("other", ATAXIA, 2 * tenth), of("other", chorea, 3 * tenth)]
    made = [one for one in compared(edges, (), terms, "paper", 1) if one.source == "own"]
    assert made
    for one in made:
        assert [one.edges[at].target for at in (*one.right, one.guess)] == [ATAXIA, chorea]


def test_gold_counts_the_reports_that_were_looked_through_not_only_those_with_a_finding() -> None:
    found = [
        Finding("Neuro", "Gait  ataxia", 0, 12),
        Finding("Neuro", "seizures", 20, 28, polarity="negated"),
    ]
    looked = {"1": ("Neuro", "CVS"), "2": ("Neuro",), "3": ("CVS",)}
    evidence = Evidence()
    add_gold(evidence, Reports({}, lambda name: {"1": found}, lambda name: looked), "gold")
    assert [(one.key, one.n, one.m) for one in evidence.edges] == [
        (("association", "gold:Neuro", "gait ataxia", ""), 1, 2)
    ]


def of(source: str, target: str, mid: Fraction, low: Fraction | None = None, kind: str = "count") -> Edge:
    return Edge("sensitivity", source, target, "", mid if low is None else low, mid, mid, kind=kind)


def test_an_interval_lies_in_one_range_or_in_none() -> None:
    ranges = Ranges("prevalence", (Fraction(1, 10), Fraction(1, 2)), Fraction(1), Fraction(1, 5), Fraction(0))
    tenth, third, half = Fraction(1, 10), Fraction(1, 3), Fraction(1, 2)
    for low, high, kind, place in (
        (Fraction(0), tenth, "class", 0),
        (Fraction(0), tenth, "count", None),
        (Fraction(1, 20), tenth, "class", None),
        (tenth, third, "class", 1),
        (third, half, "class", None),
        (half, Fraction(1), "class", 2),
        (None, half, "class", None),
    ):
        edge = Edge(
            "prevalence", "a", "", "", low, high, (low or Fraction(0)) + (high - (low or 0)) / 2, kind=kind
        )
        assert ranges.holding(edge) == place, (low, high, kind)


def test_guessers_know_all_but_the_edge_that_is_asked_about() -> None:
    low, high = Fraction(1, 10), Fraction(9, 10)
    edges = [*(of(f"d{at}", f"t{at}", low) for at in range(4)), of("own", "own", high)]
    units, _, _ = chosen(edges, ranges_of("sensitivity", edges, "strict"), "paper", 1)
    told = {one.edge.source: (one.place, set(one.guesses.values())) for (one,) in units}
    assert told["own"] == (2, {0})


def test_fours_of_every_two_ranges_are_as_many() -> None:
    shares = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))
    edges = []
    for number, (one, other) in enumerate([(0, 1), (0, 1), (0, 1), (1, 2)]):
        x, y, f, g = (f"{name}{number}" for name in "xyfg")
        edges += [
            of(x, f, shares[one]),
            of(y, g, shares[one]),
            of(x, g, shares[other]),
            of(y, f, shares[other]),
        ]
    units, left, matched = chosen(edges, ranges_of("sensitivity", edges, "strict"), "strict", 1)
    assert matched
    assert sorted(sorted({one.place for one in unit}) for unit in units) == [[0, 1], [1, 2]]
    assert left["no match that hides the answer"] == 8


@pytest.mark.parametrize("frequency", ["x%", "1/x", "x/2", "often", "HP:1"])
def test_a_frequency_that_is_none_and_an_unknown_term_are_counted_and_named(
    tmp_path: Path, terms: Terms, frequency: str
) -> None:
    evidence = read(
        tmp_path / "phenotype.hpoa",
        terms,
        row("OMIM:7", "Seven", SEIZURE, "5/9"),
        row("OMIM:7", "Seven", "HP:9999999", "1/9"),
        row("OMIM:7", "Seven", ATAXIA, frequency),
        row("OMIM:7", "Seven", "HP:0003577", "HP:0040285").replace("\tP\t", "\tC\t"),
    )
    assert ([one.n for one in evidence.edges], evidence.onsets) == ([5], [])
    assert evidence.left_out == {"an unknown term": 1, "hpoa: a frequency that is none": 1}
    reasons = [(one["line"], one["reason"]) for one in evidence.faulty]
    assert sorted(reasons) == [(4, "an unknown term (HP:9999999)"), (5, "a frequency that is none")]
