"""Every pair, annotated shares, and the published table's arithmetic on constructed data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.agreement.compare import compare, one_sided, ordered_pairs, pair_measures, scoring_pair
from app.agreement.output.pair_tables import (
    pairs_data,
    pairs_html,
    pairs_json,
    pairs_scores,
    pairs_table,
    shares_data,
    shares_json,
    shares_table,
)
from app.agreement.shares import Looked, annotated_shares
from app.agreement.types import PROFILES, Item, ReportPair
from app.messages import annotated_by_one
from app.tables import Cell
from extractors.model.progress import finished
from tests.unit.app.agreement.table import SHAPE, items, pair

# Of 138 reports a category has so many that agree in full and one that agrees in part, so that History comes
# out at the published 42.5, LYMPH at 98.6, and the mean of the fourteen at 74.65.
REPORTS = 138
IN_FULL = {"History": 58, "LYMPH": 136, "Neuro": 103}
IN_PART = {"History": 65, "Neuro": 59}


def _alike(percent: int) -> tuple[str, str]:
    """Two words that share so many percent of their letters, in the same order."""
    return "a" * percent + "x" * (100 - percent), "a" * percent + "y" * (100 - percent)


def _constructed() -> list[ReportPair]:
    reports = []
    for number in range(REPORTS):
        left, right = {}, {}
        for category in SHAPE:
            full = IN_FULL.get(category, 104)
            ours, theirs = _alike(IN_PART.get(category, 0) if number == full else 0)
            left[category], right[category] = ([ours], [theirs]) if number >= full else (["fever"], ["fever"])
        reports.append(pair(left, right, str(number)))
    return reports


def test_the_published_average_is_the_mean_over_categories_of_means_over_reports() -> None:
    agreement = compare(_constructed(), tuple(SHAPE), "ann", "ben", "paper", resamples=0)
    tsr = {category: row.scores["tsr"] or 0.0 for category, row in agreement.categories.items()}
    assert tsr["History"] == min(tsr.values()) == 42.5
    assert tsr["LYMPH"] == max(tsr.values())
    assert round(tsr["LYMPH"], 1) == 98.6
    average = agreement.average.scores["tsr"]
    assert average == pytest.approx(sum(tsr.values()) / 14)
    assert round(average or 0.0, 2) == 74.65
    assert agreement.average.n == 14 * REPORTS
    full = 58 + 136 + 103 + 11 * 104
    assert agreement.average.scores["exact_match"] == pytest.approx(full / (14 * REPORTS))
    assert finished(scoring_pair(_constructed(), tuple(SHAPE), "ann", "ben", "paper")).score("tsr") == average


def test_a_category_counts_the_same_in_the_average_however_few_reports_speak_of_it() -> None:
    reports = [pair({"A": ["x"], "B": ["x"]}, {"A": ["x"], "B": []}, "0")]
    reports += [pair({"A": ["x"]}, {"A": ["x"]}, str(number)) for number in range(1, 10)]
    agreement = compare(reports, ("A", "B"), "ann", "ben", "paper")
    assert agreement.average.scores["tsr"] == 50.0
    assert agreement.pooled.scores["tsr"] == pytest.approx(1000 / 11)


def test_overlapping_spans_of_one_annotator_are_not_agreement_with_a_single_one() -> None:
    left = (Item("chest pain", 0, 10), Item("chest", 0, 5), Item("pain", 6, 10))
    right = (Item("chest pain", 0, 10),)
    report = ReportPair("1", "T", {"A": left}, {"A": right})
    for one in (report, ReportPair("1", "T", {"A": right}, {"A": left})):
        scores = compare([one], ("A",), "ann", "ben", "strict").categories["A"].scores
        for key in ("span_f1", "span_f1_overlap", "f1", "tsr", "levenshtein", "exact_match"):
            score = scores[key]
            assert score is not None
            assert score < (100 if key == "tsr" else 1), key
    paper = compare([report], ("A",), "ann", "ben", "paper").categories["A"].scores
    assert paper["exact_match"] == 0.0
    assert paper["span_f1"] == 0.5


def test_two_empty_sets_agree_by_the_published_formula_and_say_nothing_in_the_strict_one() -> None:
    reports = [pair({"A": []}, {"A": []})]
    paper = compare(reports, ("A",), "ann", "ben", "paper").average
    strict = compare(reports, ("A",), "ann", "ben", "strict")
    assert (paper.scores["tsr"], paper.scores["exact_match"]) == (100.0, 1.0)
    assert paper.scores["span_f1"] is None
    assert [strict.average.scores[key] for key in ("tsr", "f1", "precision", "span_f1")] == [None] * 4
    assert strict.categories["A"].reasons["f1"] == "Neither ann nor ben found anything in any report."


def test_one_empty_set_is_no_agreement_in_either_profile() -> None:
    for left, right in (([], ["x"]), (["x"], [])):
        reports = [pair({"A": left}, {"A": right})]
        assert compare(reports, ("A",), "ann", "ben", "paper").average.scores["tsr"] == 0.0
        strict = compare(reports, ("A",), "ann", "ben", "strict").average.scores
        assert (strict["tsr"], strict["f1"]) == (0.0, 0.0)
        reasons = compare(reports, ("A",), "ann", "ben", "strict").categories["A"].reasons
        silent = ("recall", "ben") if left else ("precision", "ann")
        assert reasons[silent[0]] == f"{silent[1]} found nothing in any report."


def test_a_pair_without_a_common_report_is_a_sentence_in_every_form() -> None:
    alone = finished(scoring_pair([], ("A",), "ann", "ben", "paper", (3, 1)))
    shares = [annotated_shares("ann", [{"A": items(["x"])}], ("A",)), annotated_shares("ben", [], ("A",))]
    assert alone.score("tsr") is None
    said = "No report was annotated by both ann and ben."
    assert said in pairs_table([alone], shares)
    plain = pairs_json([alone], shares)["pairs"][0]
    assert plain["average"]["tsr"] is None
    assert plain["reasons"]["tsr"] == said
    row = pairs_data([alone]).rows[0]
    assert row[-2] == said
    assert (plain["left_only"], plain["right_only"]) == row[4:6] == (3, 1)


def test_the_paper_profile_measures_both_ways_and_the_strict_one_once() -> None:
    assert ordered_pairs(("a", "b", "c"), "strict") == [("a", "b"), ("a", "c"), ("b", "c")]
    assert ordered_pairs(("a", "b"), "paper") == [("a", "b"), ("b", "a")]
    assert len(ordered_pairs(("a", "b", "c"), "paper")) == 6
    keys = [[one.key for one in pair_measures(profile)] for profile in PROFILES]
    shared = ["levenshtein", "span_f1", "span_f1_overlap"]
    assert keys == [
        ["tsr", "levenshtein", "exact_match", "omission", "hallucination", *shared[1:]],
        ["f1", "precision", "recall", "tsr", *shared],
    ]


def test_a_pair_scores_the_same_as_a_comparison_of_the_two() -> None:
    reports = [pair({"A": ["fever", "cough"]}, {"A": ["high fever"]}), pair({"A": []}, {"A": ["x"]}, "2")]
    for left, right in (("ann", "ben"), ("ben", "ann")):
        found = finished(scoring_pair(reports, ("A",), left, right, "paper"))
        whole = compare(reports, ("A",), left, right, "paper").average
        assert found.score("tsr") == whole.scores["tsr"]
        assert found.average is not None
        assert found.average.n == whole.n


def test_reports_that_one_side_alone_looked_at_are_said() -> None:
    assert annotated_by_one("ann", 0, "ben", 0) == []
    assert annotated_by_one("ann", 0, "ben", 7) == [
        "7 reports were annotated by ben and not by ann, and are in none of the scores."
    ]
    assert annotated_by_one("ann", 1, "ben", 0) == [
        "1 report was annotated by ann and not by ben, and is in none of the scores."
    ]


def test_shares_count_the_reports_looked_at_and_the_words_of_those_with_a_quote() -> None:
    reports: list[Looked] = [
        {"A": items(["two words", "and three more"]), "B": ()},
        {"A": ()},
        {"A": items(["one"]), "B": ()},
    ]
    found = annotated_shares("ann", reports, ("A", "B", "C"))
    assert (found.categories["A"].looked_at, found.categories["A"].found) == (3, 2)
    assert found.categories["A"].share == pytest.approx(200 / 3)
    assert found.categories["A"].words == 3.0
    assert (found.categories["B"].share, found.categories["B"].words) == (0.0, None)
    assert found.categories["C"].share is None
    assert (found.reports, found.words) == (3, 2.0)
    only = annotated_shares("ann", [{"B": items(["one"])}, {"A": (), "Z": items(["x"])}], ("A",))
    assert (only.reports, only.words, list(only.categories)) == (1, 0.0, ["A"])
    assert annotated_shares("ann", [{}], ("A",)).words is None
    assert annotated_shares("ann", [{"A": items(["two words", "as many"])}], ("A",)).words == 4.0
    assert shares_json(found) == {
        "reports": 3,
        "words": 2.0,
        "categories": {
            "A": {"looked_at": 3, "found": 2, "share": pytest.approx(200 / 3), "words": 3.0},
            "B": {"looked_at": 2, "found": 0, "share": 0.0, "words": None},
            "C": {"looked_at": 0, "found": 0, "share": None, "words": None},
        },
    }
    assert shares_data([only, found]).rows[:3] == (
        ("ann", "A", 1, 0, 0.0, None),
        ("ann", "all", 1, None, None, 0.0),
        ("ann", "A", 3, 2, pytest.approx(200 / 3), 3.0),
    )
    table = shares_table([only, found], {"A": "Aches"})
    assert table.rows[0] == ("Aches", 0.0, "0 / 1", None, pytest.approx(200 / 3), "2 / 3", 3.0)


def test_a_table_of_pairs_has_what_each_rests_on_and_says_once_who_looked_alone() -> None:
    reports = [pair({"A": ["fever"], "B": []}, {"A": ["fever"], "B": ["x"]})]
    both = [
        finished(scoring_pair(reports, ("A", "B"), *names, "paper", only))
        for names, only in ((("ann", "ben"), (2, 0)), (("ben", "ann"), (0, 2)))
    ]
    table = pairs_scores(both)
    fifty = Cell(50.0)
    assert [row[:5] for row in table.rows] == [("ann", "ben", 1, 2, fifty), ("ben", "ann", 1, 2, fifty)]
    alone = "2 reports were annotated by ann and not by ben, and are in none of the scores."
    assert table.notes[1:-1] == (alone,)
    assert one_sided(replace(both[1], profile="strict")) == [alone], "there it stands one way only"
    assert pairs_scores(both[::-1]).notes[1:-1] == (alone,), "whichever of them stands first"
    assert [(one["n"], one["left_only"], one["right_only"]) for one in pairs_json(both, [])["pairs"]] == [
        (2, 2, 0),
        (2, 0, 2),
    ]
    assert [row[3:7] for row in pairs_data(both, ("Said.",)).rows] == [(1, 2, 0, 2), (1, 0, 2, 2)]
    shares = [
        annotated_shares(name, [{"A": items(["fever"]), "B": ()}], ("A", "B")) for name in ("ann", "ben")
    ]
    lines = pairs_table(both, shares, ("Said.",)).splitlines()
    assert [line.split() for line in lines if line.startswith(("A ", "B ", "Words", "Reports "))] == [
        ["A", "100.0", "100.0"],
        ["B", "0.0", "0.0"],
        ["Words", "per", "report", "1.0", "1.0"],
        ["Reports", "1", "1"],
    ]
    assert lines.count(alone) == lines.count("Said.") == 1
    page = pairs_html([[], both], shares, {})
    assert page.count("<caption>Every pair in the paper profile") == 1
