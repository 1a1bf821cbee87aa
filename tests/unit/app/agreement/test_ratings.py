"""Ratings: the items as data, means by run and item, and agreement between raters."""

from __future__ import annotations

import pytest

from app.agreement.ratings.summary import (
    ALL_ITEMS,
    Criterion,
    OutputRating,
    RubricFile,
    rating_items,
    require_scores,
    summarise,
)
from app.agreement.ratings.tables import ratings_grid, ratings_html, ratings_json, ratings_table, run_table
from app.agreement.statistics.chance import krippendorff_alpha, ordinal
from app.tables import Cell
from extractors.model.errors import ProjectError, UnknownNameError

# Four observers, twelve units, two of the scores missing here and there: the worked example of Krippendorff,
# Computing Krippendorff's Alpha-Reliability (2011), whose ordinal alpha is 0.815.
OBSERVERS = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
ALL = {item.id: 4 for item in rating_items()}


def rated(report: str, rater: str, scores: dict[str, int], run: str = "rules") -> OutputRating:
    return OutputRating(report, run, rater, scores, "", False, "2026-01-01T00:00:00Z")


def test_there_are_the_twelve_items_of_the_paper_each_with_words_for_both_ends_and_the_middle() -> None:
    items = rating_items()
    assert [item.name for item in items] == [
        "Accuracy of key information",
        "Critical omissions",
        "Readability",
        "Conciseness",
        "Practicality",
        "Actionability",
        "Severity of errors",
        "Tolerance for hallucination",
        "Trustworthiness",
        "Contextual appropriateness",
        "Consistency",
        "Overall preference",
    ]
    assert all(item.question.endswith("?") and list(item.means) == [1, 3, 5] for item in items)
    assert all(all(item.means.values()) for item in items)


def test_items_whose_name_speaks_of_the_worse_end_say_that_5_is_the_better_one() -> None:
    labels = {item.id: item.label for item in rating_items()}
    assert labels["omissions"] == "Critical omissions (5 = none)"
    assert labels["severity"] == "Severity of errors (5 = no errors)"
    assert labels["hallucination"] == "Tolerance for hallucination (5 = nothing made up)"


@pytest.mark.parametrize("score", [0, 6, -1])
def test_a_score_outside_1_to_5_is_refused(score: int) -> None:
    with pytest.raises(ProjectError, match=f"from 1 to 5, not {score}"):
        require_scores({"accuracy": score})


def test_an_item_that_there_is_not_is_refused_and_those_there_are_are_named() -> None:
    with pytest.raises(UnknownNameError, match="no item 'charm'; choose one of accuracy, omissions"):
        require_scores({"charm": 3})


def test_alpha_is_that_of_the_published_example() -> None:
    columns = zip(*(row.split() for row in OBSERVERS), strict=True)
    units = [[int(score) for score in column if score != "."] for column in columns]
    alpha = krippendorff_alpha(units, ordinal)
    assert alpha is not None
    assert round(alpha, 3) == 0.815


def test_alpha_is_1_for_full_agreement_and_undefined_without_pairs_or_without_variation() -> None:
    assert krippendorff_alpha([(1, 1), (5, 5)], ordinal) == 1
    assert krippendorff_alpha([], ordinal) is None
    assert krippendorff_alpha([(1,), (5,)], ordinal) is None
    assert krippendorff_alpha([(3, 3), (3, 3)], ordinal) is None
    # What one rater alone rated counts for nothing.
    assert krippendorff_alpha([(1, 2), (2, 2), (9,)]) == krippendorff_alpha([(1, 2), (2, 2)]) == 0
    assert ordinal(1, 3, {1: 2, 2: 4, 3: 6, 4: 1}) == ordinal(3, 1, {1: 2, 2: 4, 3: 6, 4: 1}) == 8**2


def test_means_spread_range_and_each_raters_mean_are_by_run_and_item() -> None:
    summary = summarise(
        [
            rated("1", "Ann", {"accuracy": 2, "readability": 5}),
            rated("2", "Ann", {"accuracy": 4}),
            rated("1", "Bob", {**ALL, "accuracy": 3}),
            rated("1", "Bob", {"accuracy": 1}, run="other"),
        ]
    )
    rules, other = summary.runs
    accuracy = rules.items["accuracy"]
    assert (rules.run, rules.ratings, rules.partial, other.run) == ("rules", 3, 2, "other")
    assert (accuracy.n, accuracy.raters, accuracy.mean, accuracy.sd) == (3, 2, 3, 1)
    assert (accuracy.low, accuracy.high) == (2, 4)
    assert accuracy.by_rater == {"Ann": 3, "Bob": 3}
    readability = rules.items["readability"]
    assert readability.mean == 4.5
    assert readability.sd == pytest.approx(0.5**0.5)
    alone = other.items["accuracy"]
    assert (alone.mean, alone.sd) == (1, None)
    assert other.items["consistency"].mean is None


def test_agreement_rests_on_outputs_that_two_rated_and_is_a_sentence_where_undefined() -> None:
    one = summarise([rated("1", "Ann", {"accuracy": 2}), rated("2", "Ann", {"accuracy": 4})])
    assert one.agreement["accuracy"].alpha is None
    assert "fewer than two people" in one.agreement["accuracy"].reason
    apart = summarise([rated("1", "Ann", {"accuracy": 2}), rated("2", "Bob", {"accuracy": 4})])
    assert "no output was rated by two people" in apart.agreement["accuracy"].reason
    same = summarise([rated("1", name, {"accuracy": 2}) for name in ("Ann", "Bob")])
    assert "all scores are the same" in same.agreement["accuracy"].reason
    both = summarise(
        [
            rated(report, name, dict.fromkeys(("accuracy", "readability"), int(report)))
            for report in "15"
            for name in ("Ann", "Bob")
        ]
    )
    found = both.agreement["accuracy"]
    assert (found.alpha, found.outputs, found.raters, found.reason) == (1, 2, 2, "")
    assert (both.agreement[ALL_ITEMS].alpha, both.agreement[ALL_ITEMS].outputs) == (1, 2)


def test_the_table_says_which_end_is_better_and_why_an_alpha_is_missing() -> None:
    table = ratings_table(summarise([rated("1", "Ann", {"accuracy": 2})]))
    assert "1 rating by 1 rater, 0 of them blind, 1 with items left out." in table
    assert "5 is always the better end" in table
    assert "Severity of errors (5 = no errors)" in table
    assert "[1] Agreement is undefined where fewer than two people have given a score." in table
    assert "Nobody has rated" in ratings_table(summarise([]))
    whole = summarise([rated("1", name, ALL | {"accuracy": at}) for at, name in enumerate(("Ann", "Bob"), 3)])
    assert "2 ratings by 2 raters, 0 of them blind.\n" in ratings_table(whole)
    (run,) = summarise([rated("1", "Ann", {"accuracy": 2}), rated("2", "Ann", {"accuracy": 5})]).runs
    rows = run_table(run, ("Ann", "Bob")).rows
    assert [rows[at][1:] for at in (0, 1)] == [
        ("3.50 ± 2.12", "2-5", 2, 1, 3.5, None),
        ("–", "–", 0, 0, None, None),
    ]


def test_json_and_grid_have_every_item_and_none_where_nothing_was_said() -> None:
    summary = summarise([rated("1", "Ann", {"accuracy": 2})])
    value = ratings_json(summary)
    assert value["runs"][0]["items"]["accuracy"]["mean"] == 2
    assert value["runs"][0]["items"]["consistency"]["mean"] is None
    grid = ratings_grid(summary)
    assert grid.header == ("Item", "rules", "Alpha")
    assert len(grid.rows) == len(rating_items()) + 1
    assert grid.rows[0][1] == Cell("2.00 (1)", "From 2 to 2\nAnn: 2.00")
    assert grid.rows[1][1] == Cell("– (0)", "")
    assert ratings_grid(summarise([])).rows == ()


def test_the_page_escapes_whatever_people_have_written() -> None:
    page = ratings_html(summarise([rated("1", "<b>Ann", {"accuracy": 2}, run="<script>")]))
    assert "<script>" not in page
    assert "1 rating by 1 rater, 0 of them blind, 1 with items left out." in page
    assert "1 rating" not in ratings_html(summarise([]))
    assert "&lt;b&gt;Ann" in page


def test_a_rubric_is_a_weighted_share_of_the_best_and_what_is_not_fully_met_may_cap_it() -> None:
    first = Criterion("a", "A", "?", {}, weight=3)
    capped, strict = (Criterion(name, name, "?", {}, caps=most) for name, most in (("b", 0.5), ("c", 0.25)))
    rubric = RubricFile("r", "R", (0, 1, 2), (first, capped, strict))
    for values, score in (
        ((2, 2, 2), 1.0), ((0, 2, 2), 0.4), ((2, 1, 2), 0.5), ((2, 0, 2), 0.5), ((2, 1, 1), 0.25),
        ((0, 0, 2), 0.2), ((2, 2, None), None),
    ):  # fmt: skip
        assert rubric.score(dict(zip("abc", values, strict=True))) == score, values
    assert rubric.score({"a": 2, "b": 2}) is None
