"""Measures over answers, their intervals, and runs against each other, counted by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from app.studies.ebmqa.measures import MEASURES as EVIDENCE
from app.studies.rarebench.measures import MEASURES as RANKS
from app.studies.raters import SAME_VALUE, rater_alphas, rater_pairs
from app.studies.results import Item, Measure, Profile, Row
from app.studies.scoring import f1, median, ratio, scoring_runs
from app.studies.study import Study
from extractors.model.progress import finished
from tests.toy_study.study import RUBRIC, STUDY

HIT = Measure("hit", "Hit", lambda row: float(row.value == "A"), decimals=2)
RANK = Measure("rank", "Rank", lambda row: row.graded.get("rank"), over=median)
PROFILES: tuple[Profile, ...] = ("strict", "paper")
PAIRS = Measure("f1", "F1", lambda row: row.graded.get("counts"), total=f1)
RECALL = Measure("recall", "Recall", lambda row: row.graded.get("counts"), total=ratio(0, 1), reason="None.")


def study(grade: Sequence[Mapping[str, object]] = ()) -> Study:
    return replace(STUDY, measures=(HIT, RANK, PAIRS, RECALL), grade=lambda rows, settings: grade)


def rows(values: str, label: str = "x") -> list[Row]:
    """An answer for each letter, "-" for one that is missing."""
    return [
        Row(Item(f"i{n}", "organ", {}, {}, {"set": label if n % 2 else "even"}), None if one == "-" else one)
        for n, one in enumerate(values)
    ]


def test_a_measure_is_over_all_answers_a_missing_one_is_a_miss_where_it_says_so() -> None:
    graded = [
        {"rank": rank, "counts": counts} for rank, counts in ((1, (1, 0, 1)), (4, (1, 1, 0)), (11, None))
    ]
    scores = finished(scoring_runs(study(graded), {"m": rows("AB-")}, (), "strict", {"m": {}}))
    own = scores.runs["m"]
    assert (own.n, own.unscored) == (3, 1)
    assert own.scores["hit"].value == pytest.approx(1 / 3)
    assert own.scores["rank"].value == 4
    assert own.scores["f1"].value == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))
    hit, (first, second) = replace(HIT, tasks=("organ",)), rows("AB")
    both = [first, replace(second, item=replace(second.item, task="other"))]
    asked = replace(STUDY, measures=(hit,), grade=lambda rows, settings: ())
    two = finished(scoring_runs(asked, {"m": both, "o": both}, (), "strict", {"m": {}, "o": {}}))
    of_task = two.runs["m"].scores["hit"]
    assert (two.runs["m"].n, of_task.value, of_task.n, two.pairs[0].differences["hit"].n) == (2, 1, 1, 1)
    assert own.scores["hit"].n is None
    undefined = (
        finished(scoring_runs(study(), {"m": rows("A")}, (), "strict", {"m": {}})).runs["m"].scores["recall"]
    )
    assert (undefined.value, undefined.reason) == (None, "None.")


def test_intervals_are_drawn_over_clusters_and_the_same_for_the_same_answers() -> None:
    answers = rows("AB" * 40)
    one, other = (
        finished(scoring_runs(study(), {"m": answers}, ("set",), "strict", {"m": {}})).runs["m"].scores["hit"]
        for _ in range(2)
    )
    assert one == other
    assert one.interval is not None
    low, high = one.interval
    assert low == pytest.approx(0.5 - 1.96 * 0.5 / np.sqrt(80), abs=0.03)
    assert high == pytest.approx(0.5 + 1.96 * 0.5 / np.sqrt(80), abs=0.03)
    together = replace(study(), cluster=lambda item: str(int(item.id[1:]) // 8))
    wide = finished(scoring_runs(together, {"m": rows("A" * 40 + "B" * 40)}, (), "strict", {"m": {}}))
    interval = wide.runs["m"].scores["hit"].interval
    assert interval is not None
    assert interval[1] - interval[0] > high - low
    few = replace(study(), cluster=lambda item: str(int(item.id[1:]) % 4))
    own = finished(scoring_runs(few, {"m": answers}, (), "strict", {"m": {}})).runs["m"].scores["hit"]
    assert (own.value, own.interval) == (0.5, None), "many answers of four clusters"


def test_medians_of_drawn_tables_are_those_that_each_would_have() -> None:
    graded: list[dict[str, object]] = [{"rank": 1 + n * 7 % 13} for n in range(31)]
    plain = replace(RANK, id="plain", over=lambda numbers: float(np.median(numbers[:, 0])))
    measured = replace(study(graded), measures=(RANK, plain), cluster=lambda item: str(int(item.id[1:]) // 2))
    own = finished(scoring_runs(measured, {"m": rows("A" * 31)}, (), "strict", {"m": {}})).runs["m"].scores
    assert own["rank"] == own["plain"]
    assert own["rank"].interval is not None


def test_a_mean_of_groups_counts_each_group_once_and_is_not_compared_where_it_is_not_listed() -> None:
    groups = replace(HIT, id="groups", within=lambda row: row.item.id[0], listed=False)
    answers = [
        replace(row, item=replace(row.item, id=f"{'xy'[n >= 12]}{n}"))
        for n, row in enumerate(rows("A" * 6 + "B" * 6 + "A" * 2))
    ]
    measured = replace(study(), measures=(HIT, groups))
    runs = {"m": answers, "n": answers}
    scores = finished(scoring_runs(measured, runs, (), "strict", {"m": {}, "n": {}}))
    own = scores.runs["m"].scores
    assert own["hit"].value == pytest.approx(8 / 14)
    assert own["groups"].value == pytest.approx((0.5 + 1) / 2)
    assert own["groups"].interval is not None
    right = [replace(row, value="A") for row in answers]
    all_right = finished(scoring_runs(measured, {"m": right}, (), "strict", {"m": {}})).runs["m"].scores
    assert all_right["groups"].interval == (1, 1), "a group that no answer was drawn of counts for nothing"
    assert list(scores.pairs[0].differences) == ["hit"]


def test_two_runs_are_compared_on_what_both_were_asked_and_by_group() -> None:
    left, right = rows("AAAAAABB"), rows("ABABABAB")[:-2]
    scores = finished(scoring_runs(study(), {"l": left, "r": right}, ("set",), "strict", {"l": {}, "r": {}}))
    (whole, *parts) = scores.pairs
    assert (whole.left, whole.right, whole.n) == ("l", "r", 6)
    assert whole.differences["hit"].value == pytest.approx(1 - 0.5)
    turned = finished(scoring_runs(study(), {"r": right, "l": left}, (), "strict", {"l": {}, "r": {}})).pairs
    assert turned[0].differences["hit"].value == pytest.approx(0.5 - 1)
    graded = [{"counts": (1, 1, 0)}, {"counts": (0, 1, 0)}, {"counts": (1, 1, 0)}]
    given = iter((graded, [{"counts": (1, 1, 0)}, {}, {"counts": (0, 1, 0)}]))
    uneven = replace(study(), grade=lambda rows, settings: next(given))
    (pair,) = finished(
        scoring_runs(uneven, {"l": rows("AAA"), "r": rows("AAA")}, (), "strict", {"l": {}, "r": {}})
    ).pairs
    assert pair.differences["recall"].value == pytest.approx(2 / 2 - 1 / 2)
    assert {(one.value, one.n) for one in parts} == {("even", 3), ("x", 3)}
    assert scores.by["set"]["even"]["r"].scores["hit"].value == 1


def test_a_run_without_answers_of_a_group_has_no_line_there() -> None:
    runs = {"m": rows("AB", "x"), "n": rows("AB", "y")}
    scores = finished(scoring_runs(study(), runs, ("set",), "strict", {"m": {}, "n": {}}))
    assert {value: [*own] for value, own in scores.by["set"].items()} == {
        "even": ["m", "n"],
        "x": ["m"],
        "y": ["n"],
    }


def test_an_item_asked_several_times_is_paired_with_the_same_time_of_the_other_run() -> None:
    (one,) = rows("A")
    twice = [replace(one, value=value, again={"order": order}) for order, value in enumerate("AB")]
    runs = {"l": twice, "r": twice[1:]}
    (pair,) = finished(scoring_runs(study(), runs, (), "strict", {"l": {}, "r": {}})).pairs
    assert (pair.n, pair.differences["hit"].value) == (1, 0)


def test_raters_agree_beyond_chance_by_criterion_and_in_all() -> None:
    given = {
        "a": [(True, 2), (True, 1), (False, 0), (False, 2)],
        "b": [(True, 2), (False, 1), (False, 1), (False, 2)],
    }
    answers = [
        replace(
            row,
            ratings={name: dict(zip(("true", "clear"), of[n], strict=True)) for name, of in given.items()},
        )
        for n, row in enumerate(rows("AAAA"))
    ]
    answers += [replace(rows("A")[0], ratings={"a": {"true": True, "clear": None}, "b": {"true": True}})]
    true, clear, total = rater_pairs(STUDY, {"m": answers})
    assert (true["criterion"], true["n"]) == ("true", 5)
    assert true["same"] == pytest.approx(4 / 5)
    assert true["kappa"] == pytest.approx((4 / 5 - 12 / 25) / (1 - 12 / 25))
    assert clear["n"] == 4
    assert clear["bias"] == pytest.approx(1 / 4)
    # By squares: one difference of 1 in four, against 5 of 16 expected pairs of 1, 4 of 4.
    assert clear["weighted_kappa"] == pytest.approx(
        1 - (1 / 4) / ((2 * 2 + 1 * 2 + 1 * 2) / 16 + 4 * (1 * 2) / 16)
    )
    assert (total["criterion"], total["n"], "weighted_kappa" in total) == ("total", 4, True)
    same = [replace(row, ratings={"a": {"true": True}, "b": {"true": True}}) for row in rows("AA")]
    (constant,) = rater_pairs(STUDY, {"m": same})
    assert [pair["run"] for pair in rater_pairs(STUDY, {"m": same, "n": same})] == [None, "m", "n"]
    assert constant == {
        "left": "a", "right": "b", "label": None, "value": None, "run": "m", "rubric": true["rubric"],
        "criterion": "true", "n": 2, "same": 1.0, "kappa": None, "bias": 0.0, "ci": None,
        "reason": SAME_VALUE,
    }  # fmt: skip
    assert (list(constant), true["reason"]) == (list(true), None)
    # A judge stands on the right of a person, whatever both are called: its bias is what it gives beyond.
    said = {"a-model": {"true": False}, "zoe": {"true": True}}
    judged = [replace(row, ratings=said, judges=frozenset({"a-model"})) for row in rows("AA")]
    (beyond,) = rater_pairs(STUDY, {"m": judged})
    assert (beyond["left"], beyond["right"], beyond["bias"]) == ("zoe", "a-model", -1.0)


def test_measures_know_the_profile() -> None:
    published = Measure("p", "P", lambda row: float(row.profile == "paper"))
    toy = replace(STUDY, measures=(published,))
    by_profile = {
        profile: finished(scoring_runs(toy, {"m": rows("A")}, (), profile, {"m": {}})) for profile in PROFILES
    }
    values = {name: one.runs["m"].scores["p"].value for name, one in by_profile.items()}
    assert values == {"strict": 0, "paper": 1}


def test_an_answer_that_somebody_rated_in_full_is_scored() -> None:
    rated = replace(study(), ratings_are_scores=True)
    whole: Mapping[str, object] = {"true": True, "clear": 2}
    part: Mapping[str, object] = {"true": True, "clear": None}
    first, second = rows("AA")
    answers = [replace(first, ratings={"a": whole, "b": part}), replace(second, ratings={"a": part})]
    scored = finished(
        scoring_runs(rated, {"m": answers, "none": []}, ("set",), "strict", {"m": {}, "none": {}})
    )
    assert scored.runs["m"].unscored == 1
    assert [(one.score, one.n, one.unscored) for one in scored.runs["m"].raters.values()] == [
        (RUBRIC.score(whole), 1, 1),
        (None, 0, 1),
    ]
    # A run without an answer is there, with none; of a label it has nothing.
    assert (scored.runs["none"].n, {name for of in scored.by["set"].values() for name in of}) == (0, {"m"})
    # Two runs are compared by the raters of both, on what each rated of both.
    both = [replace(row, ratings={"a": whole, "b": whole}) for row in (first, second)]
    one_only = [replace(first, ratings={"a": whole}), replace(second, ratings={})]
    runs = {"l": both, "r": one_only}
    (pair,) = finished(scoring_runs(rated, runs, (), "strict", {"l": {}, "r": {}})).pairs
    assert {name: one.value for name, one in pair.raters.items()} == {"a": 0.0}


def test_answers_that_say_nothing_of_the_item_are_out_and_lists_of_labels_are_in_every_group() -> None:
    first, second = rows("AB")
    several = replace(first, item=replace(first.item, labels={"set": ["x", "y"]}))
    graded = replace(study(), grade=lambda rows, settings: ({"rank": 1}, None))
    scores = finished(scoring_runs(graded, {"m": [several, second]}, ("set",), "strict", {"m": {}}))
    assert (scores.runs["m"].n, list(scores.by["set"])) == (1, ["x", "y"])


def test_what_is_measured_of_all_answers_together_is_drawn_by_cluster() -> None:
    def halves(rows: Sequence[Row], weights: NDArray[np.float64]) -> list[float | None]:
        assert weights.shape[1] == len(rows)
        hits = np.array([row.value == "A" for row in rows], float)
        return [float(of @ hits / of.sum()) for of in weights]

    together = Measure("t", "T", lambda row: 1.0, together=halves)
    clustered = replace(STUDY, measures=(HIT, together), grade=lambda rows, settings: ())
    clustered = replace(clustered, cluster=lambda item: str(int(item.id[1:]) // 2))
    own = (
        finished(scoring_runs(clustered, {"m": rows("AAABBBABAA")}, (), "strict", {"m": {}})).runs["m"].scores
    )
    assert own["t"].value == own["hit"].value
    assert own["t"].interval == pytest.approx(own["hit"].interval)


def test_alpha_takes_three_raters_and_an_interval_of_kappa_five_clusters() -> None:
    def rated(count: int, *names: str) -> list[Row]:
        return [
            replace(row, ratings={name: {"true": n % 2 == 0, "clear": n % 3} for name in names})
            for n, row in enumerate(rows("A" * count))
        ]

    assert rater_alphas(STUDY, rated(6, "a", "b")) == {}
    assert rater_alphas(STUDY, rated(6, "a", "b", "c")) == {RUBRIC.id: {"true": 1.0, "clear": 1.0}}
    few = replace(STUDY, cluster=lambda item: str(int(item.id[1:]) % 4))
    for known, interval in ((STUDY, [1.0, 1.0]), (few, None)):
        assert rater_pairs(known, {"m": rated(8, "a", "b")})[0]["ci"] == interval
    # Of answers that one of the two did not rate nothing is said.
    mixed = [*rated(3, "a", "b"), *rated(2, "a")]
    assert {one["n"] for one in rater_pairs(STUDY, {"m": mixed})} == {3}


def test_a_rank_behind_the_tenth_counts_by_its_own_reciprocal_and_as_eleventh_in_the_papers_median() -> None:
    each = {one.id: one.each for one in RANKS}
    row = replace(rows("A")[0], graded={"scores": {"rank": 20, "stops": False}})
    found = [each[name](row) for name in ("mrr", "hit@10", "median_rank", "median_rank_full")]
    assert found == [1 / 20, 0, 11, 20]


def test_confidence_is_compared_with_credit_tenth_by_tenth_and_guesses_after_idk_count_without_idk() -> None:
    graded = {"state": "answered", "offered": True, "kept": True, "main": True, "second": False}
    answers = [
        replace(one, graded={**graded, "confidence": sure, "credit": credit})
        for one, sure, credit in zip(rows("AB"), (0.86, 0.94), (1.0, 0.0), strict=True)
    ]
    measure = {one.id: one for one in EVIDENCE}
    sums = [sum(of_one) for of_one in zip(*map(measure["calibration_error"].each, answers), strict=True)]
    error = measure["calibration_error"].total
    assert error is not None
    assert error(sums) == pytest.approx((0.14 + 0.94) / 2)
    assert list(map(measure["accuracy_without_idk"].each, answers)) == [1.0, 0.0]
    passed = replace(answers[0], graded={**answers[0].graded, "kept": False})
    assert measure["accuracy_without_idk"].each(passed) is None
