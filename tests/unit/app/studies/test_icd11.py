"""Words of diseases, leaks and splits of the ICD-11 study, against formulas written down once more."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from app.studies.icd11.building import code_mapper
from app.studies.icd11.funnel import Coded, Mapped, split_of, spread, steps_of
from app.studies.icd11.leaks import leak_of
from app.studies.icd11.scores import grade, groups, macro, ranked_again
from app.studies.icd11.sheet import COLUMNS, Judged, Sheet, judged, lifted
from app.studies.icd11.views import View, term_finder, vocabularies
from app.studies.results import Item, Profile, Row
from extractors.tasks.coding import generate_prompt, genmap_order, lr_scores
from extractors.terminology.icd11.classes import open_icd11
from extractors.terminology.library import FOLDER, import_terminology
from tests.icd11 import write_tables

REPORTS = {
    "a": ("My head hurts, I've a well-known ache", ["gout"]),
    "b": ("Chest pain and chest pain again", ["gout", "ague"]),
    "c": ("The pain in my head", ["ague"]),
    "d": ("Nothing but an ache", ["gout"]),
}


def test_vocabulary_and_exclusiveness_of_terms_are_the_published_formulas(tmp_path: object) -> None:
    items = [
        Item(name, "coding", {"report": text}, {"names": names}) for name, (text, names) in REPORTS.items()
    ]
    view = View(1, (), ("gout", "ague"), frozenset(("gout", "ague")))
    terms = ("chest pain", "ache", "head", "pain")
    path = tmp_path / "terms.txt"  # type: ignore[operator]
    path.write_text("\n".join(terms), "utf-8")
    about, find = term_finder({"terms": str(path)})
    found = {one["name"]: one for one in vocabularies(items, view, find)}

    def words(text: str) -> set[str]:
        return set(re.findall(r"[a-z]+(?:[-'][a-z]+)*", text.lower()))

    def said(text: str) -> set[str]:
        return {term for term in terms if re.search(rf"\b{term}\b", text.lower())}

    assert "terms.txt" in about
    for name, other in (("gout", "ague"), ("ague", "gout")):
        own = [text for text, names in REPORTS.values() if name in names]
        others = [text for text, names in REPORTS.values() if other in names]
        vocabulary = set().union(*map(words, own))
        mine = set().union(*map(said, own))
        often = [float(sum(term in said(text) for text in others)) for term in mine]
        one = found[name]
        assert (one["df"], one["vocabulary"], one["terms"]) == (len(own), len(vocabulary), len(mine))
        assert one["df_vs"] == pytest.approx(len(vocabulary) / len(own), abs=1e-9)
        assert one["df_mvs"] == pytest.approx(len(mine) / len(own), abs=1e-9)
        assert one["mtes_mean"] == pytest.approx(sum(often) / len(often), abs=1e-9)
        reciprocal = sum(1 / (each + 1e-6) for each in often) / len(often)
        assert one["mtes_reciprocal"] == pytest.approx(reciprocal, rel=1e-9)
    # The rarest has two reports: drawn to its own size it stays as it is.
    assert found["ague"]["df_vs_matched"] == pytest.approx(found["ague"]["df_vs"], abs=1e-9)
    assert found["gout"]["df_vs_matched"] > found["gout"]["df_vs"]
    alone = vocabularies(items, View(1, (), ("gout",), frozenset(("gout",))), find)
    assert alone[0]["mtes_mean"] is None


@pytest.mark.parametrize(
    ("report", "leak"),
    [
        ("They say my kidneys have a chronic disease, 5 mg daily, ___", "name"),
        ("It was 120/80 mmHg, and I take 5 mg", "value"),
        ("My sugar was 180 mg/dL", "value"),
        ("I take 2 tablets at night, says Dr. ___", "dose"),
        ("Dr. ___ saw me", "mask"),
        ("I am 54 and walked 2 miles; my kidney hurts", ""),
    ],
)
def test_a_self_report_leaks_by_the_first_rule_that_holds(report: str, leak: str) -> None:
    assert leak_of(report, ["chronic kidney disease, unspecified"]) == leak


def test_a_patients_stays_fall_into_one_part_and_the_parts_have_their_shares() -> None:
    draw = Random(1)
    groups = {str(one): [f"{one}-{stay}" for stay in range(draw.randrange(1, 4))] for one in range(500)}
    parts = split_of(groups, 7)
    assert parts == split_of(groups, 7) != split_of(groups, 8)
    assert split_of(dict(reversed(groups.items())), 7) == parts, "in whatever order they come"
    ten = split_of({str(one): [str(one)] for one in range(10)}, 1)
    assert sorted(ten.values()) == ["test", *["train"] * 8, "validation"]
    assert all(len({parts[stay] for stay in stays}) == 1 for stays in groups.values())
    for part, share in (("train", 0.8), ("validation", 0.1), ("test", 0.1)):
        assert list(parts.values()).count(part) / len(parts) == pytest.approx(share, abs=0.01)


def test_one_number_has_no_spread_and_none_have_no_mean() -> None:
    assert list(spread([3]).values()) == [3, None, 3, 3, 3]
    assert set(spread([]).values()) == {None}


def test_names_are_read_off_a_reply_as_they_stand_and_an_empty_one_is_an_empty_list() -> None:
    form = generate_prompt("I ache", ["gout", "ague"], analysis=False).form
    assert form.read("1) Gout; **Ague.**\n3. gout\n").value == ["gout", "ague"]
    assert (form.read("").value, form.read("").complete) == ([], True)
    odd = ["leukaemia, t(9:22)(q34; q11)", "leukaemia", "use of ketamine [pcp]", "disorders\xa0of eyelid"]
    form = generate_prompt("I ache", odd, analysis=False).form
    assert form.read(f"1. {'; '.join(odd)}; q11").value == [*odd, "q11"]
    steps = generate_prompt("I ache", ["gout"], analysis=True).form
    assert steps.read("It may be ague; or not.\nDiagnoses: gout; ague").value == ["gout", "ague"]
    order = genmap_order(("kidney failure", "heart failure", "gout"), "failure of the heart")
    assert [name for name, _ in order] == ["heart failure", "kidney failure", "gout"]
    assert order[0][1] == pytest.approx(1 / 3 + 1 / 2)


def test_a_code_is_mapped_by_its_title_where_the_table_says_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    import_terminology("ICD11", write_tables(tmp_path))
    find = code_mapper(open_icd11(), {("Z90", "10"): "Chronic plume rot of the left fan"}, "both")
    assert find("Z90", "10") == Mapped("QA00.1", "full title", True)
    assert find("Z90", "8").reason == "a version that is neither 9 nor 10"


@pytest.mark.parametrize("profile", ["paper", "strict"])
@pytest.mark.parametrize("answers", [0, 4])
def test_macro_measures_are_means_over_the_classes_that_a_profile_counts(
    profile: Profile, answers: int
) -> None:
    random = Random(3)
    for _ in range(60):
        size = random.randrange(1, 5)
        cells = [[answers and random.choice((0, 0, 1, 3)) for _ in range(size)] for _ in range(3)]
        classes = [one for one in zip(*cells, strict=True) if profile == "paper" or any(one)]

        def share(part: float, whole: float) -> float:
            return part / whole if whole else 0.0

        wanted = [
            [
                share(right, right + wrong),
                share(right, right + missed),
                share(2 * right, 2 * right + wrong + missed),
            ]
            for right, wrong, missed in classes
        ]
        found = macro(np.array(cells, float), np.array(answers), profile).tolist()
        if not answers or not classes:
            assert np.isnan(found).all(), "undefined, not 0"
        else:
            assert found == pytest.approx([fmean(column) for column in zip(*wanted, strict=True)])


@pytest.mark.parametrize("profile", ["strict", "paper"])
@pytest.mark.parametrize("outside", [(), ("c", "y")])
@pytest.mark.parametrize("ranked", [False, True])
@pytest.mark.parametrize("said", ["", "a", "cab", "xby", "dcxab", "cc", "xyz"])
def test_what_an_answer_adds_is_counted_name_by_name(
    said: str, ranked: bool, outside: tuple[str, ...], profile: Profile
) -> None:
    view = View(1, (), tuple("abcd"), frozenset("abcd"))
    scores = [{"name": one, "score": 1.0} for one in said] if ranked else []
    value = {"predicted": list(said), "outside": list(outside), "scores": scores, "listed": 8, "samples": [2]}
    row = Row(Item("i", "coding", {}, {"names": ["b", "a", "z"]}), value, profile=profile)
    sheet = Sheet([judged(row, view, {"top": 2}), judged(Row(row.item), view, {})], view.names, 3)
    order = list(dict.fromkeys(said))
    picked = order[:2] if ranked and said else order
    own = [one for one in picked if one in "abcd" and one not in outside]
    alien = len(picked) - len(own) if profile == "strict" else 0
    right, first = (
        sum(one in "ab" for one in own),
        min([order.index(one) for one in "ab" if one in order] or [99]),
    )
    counted = {
        **{f"hit@{most}": float(first < most) for most in (1, 3, 5, 10)},
        "right": right,
        "wrong": len(own) - right + alien,
        "missed": 2 - right,
        "f1": 2 * right / (2 + len(own) + alien),
        "given": len(picked),
        "valid": len(own),
        "all valid": float(bool(picked) and len(own) == len(picked)),
        # Of as many names drawn from the eight that were listed each is right in two of eight cases.
        "guessed": 2 * (len(own) + alien) * (2 / 8) / (len(own) + alien + 2),
        "answers": 1,
    }
    sums = sheet.sums(COLUMNS, sheet.every())[0]
    assert not sums[[0, 2]].any()
    added = dict(zip(COLUMNS, sums[1].tolist(), strict=True))
    assert {name: added[name] for name in counted} == pytest.approx(counted)
    by_class, answers = sheet.by_class(sheet.every())
    assert answers.tolist() == [[0, 1, 0]]
    wanted = [
        [one in own and one in "ab", one in own and one in "cd", one in "ab" and one not in own]
        for one in "abcd"
    ]
    assert by_class[0, 1].T.tolist() == wanted


def graded(*given: tuple[str, dict[str, object]]) -> list[Row]:
    """Rows (what is true, and the answer) as measures get them, of a view with the classes a to d."""
    classes = [{"name": name, "admissions": 9} for name in "abcd"]
    rows = [
        Row(Item(truths, "coding", {}, {"names": [*truths]}), value, profile="strict")
        for truths, value in given
    ]
    found = grade(rows, {"built": {"classes": classes, "min_count": 1}})
    return [replace(row, graded=one or {}) for row, one in zip(rows, found, strict=True)]


def test_labels_are_ranked_again_as_if_they_had_been_ranked_so_from_the_start() -> None:
    labels, random = [*"abcdef"], Random(5)
    given, prior = (
        {one: {"sum": -random.uniform(1, 9), "tokens": random.randint(1, 4), "exact": True} for one in labels}
        for _ in range(2)
    )
    ways = [{"alpha": alpha, "normalise": how} for alpha in (0.0, 0.5, 1.5) for how in ("mean", "sum")]

    def ranked(alpha: float, normalise: str) -> list[dict[str, Any]]:
        return lr_scores(labels, given, prior, alpha=alpha, normalise=normalise)

    for own in ways:
        scores = ranked(**own)  # type: ignore[arg-type]
        rows = graded(("ab", {"scores": scores, "predicted": [one["name"] for one in scores]}))
        for other, (again,) in zip(ways, ranked_again(rows, own, ways, 2), strict=True):
            assert again is not None
            names = [one["name"] for one in ranked(**other)]  # type: ignore[arg-type]
            known = frozenset("abcd").intersection(names[:2])
            assert [*again.ranking] == names
            assert (again.given, again.own, again.wrong) == (tuple(names[:2]), known, 2 - len(known))


def test_a_groups_share_is_of_the_answers_of_each_sample_however_much_is_true_of_one() -> None:
    rows = graded(("ab", {"samples": [1]}), ("c", {"samples": [1, 2]}))
    assert [(one["classes"], one["share"]) for one in groups(rows)] == [
        (["a"], 0.25), (["b"], 0.25), (["c"], 0.75), (["d"], 0.0)
    ]  # fmt: skip


def test_rows_of_diagnoses_come_to_classes_by_number_and_what_is_lost_is_said() -> None:
    known = {"x": Mapped("QA", "table", True), "y": Mapped("QB", "family", True), "z": Mapped("QC", "table")}
    coded = Coded()
    for row in (
        ("p", "1", "10", "y", "9"), ("p", "1", "2", " x ", "9 "), ("p", "1", "11", "x", "9"),
        ("p", "2", "1", "z", "9"),
        ("q", "3", "1", "none", "9"), ("q", "3", "2", "y", "9"),
    ):  # fmt: skip
        coded.add(row, lambda code, version: known.get(code, Mapped()) if version == "9" else Mapped())
    codes = list(coded.codes)
    named = {hadm: [codes[place] for place in coded.ordered(hadm)] for hadm in coded.found}
    assert named == {"1": ["QA", "QB"], "3": ["QB"]}
    assert coded.subjects == {"1": "p", "3": "q"}
    assert coded.steps == {"table": 3, "family": 2}
    assert coded.counts(["1", "3"]) == {coded.codes["QA"]: 1, coded.codes["QB"]: 2}
    lost = {"note": {"no discharge note": 0}, "report": {"no report": 1}}
    steps = [(one["step"], one["kept"], one["lost"]) for one in steps_of(coded, 2, lost, 1, 0)]
    assert steps == [
        ("read", 6, {}),
        ("mapped", 5, {"not mapped": 1}),
        ("leaf", 4, {"not a leaf": 1}),
        ("coded", 2, {"another row of the same admission": 2}),
        ("note", 2, {}),
        ("report", 1, {"no report": 1}),
        ("frequent", 0, {"no frequent class": 1}),
    ]


def test_an_answer_that_is_lifted_has_each_name_above_once_on_both_sides() -> None:
    above = {name: {"block": name[0]} for name in ("A1", "A2", "B1")}
    names = ("A1", "B1", "A2", "x")
    one = Judged(("A2",), names, ("A1", "A2"), frozenset({"A1", "A2"}), 1, 4, (1,))
    up = lifted(one, above, "block")
    assert (up.truths, up.ranking, up.given, *up.own) == (("A",), ("A",), ("A",), "A")
    assert lifted(replace(one, given=names), above, "block").given == ("A", "B", "x")
