"""The paper profile is the published formula to the last digit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rapidfuzz.distance import Levenshtein

from app.agreement.compare import compare
from app.agreement.types import Agreement, Item, ReportPair
from tests.unit.app.agreement.table import SHAPE, large_table, pair
from tests.unit.app.agreement.test_pairs import published


def paper(*reports: ReportPair, categories: tuple[str, ...] = ("A",)) -> Agreement:
    return compare(reports, categories, "left", "right", "paper")


def loops(reports: list[ReportPair], category: str) -> tuple[float, float, float]:
    """TSR, Levenshtein and exact match of a category as nested loops, one pair at a time."""
    cells = []
    for report in reports:
        left = [item.quote for item in report.left[category]]
        right = [item.quote for item in report.right[category]]
        if not left and not right:
            cells.append((100.0, 1.0, 1.0))
        elif not left or not right:
            cells.append((0.0, 0.0, 0.0))
        else:
            tsr = sum(max(published(a, b) for b in right) for a in left) / len(left)
            similar = [
                max(1 - Levenshtein.distance(a, b) / max(len(a), len(b), 1) for b in right) for a in left
            ]
            cells.append((tsr, sum(similar) / len(left), float(left == right)))
    columns: Any = zip(*cells, strict=True)
    tsr, levenshtein, exact = (sum(column) / len(reports) for column in columns)
    return tsr, levenshtein, exact


def test_every_category_of_a_large_table_equals_the_nested_loops_to_the_last_digit() -> None:
    reports = large_table(40)
    agreement = compare(reports, tuple(SHAPE), "left", "right", "paper", resamples=10)
    expected = {category: loops(reports, category) for category in SHAPE}
    for category, row in agreement.categories.items():
        got = tuple(row.scores[key] for key in ("tsr", "levenshtein", "exact_match"))
        assert got == expected[category], category
    assert agreement.average.scores["tsr"] == sum(tsr for tsr, _, _ in expected.values()) / len(SHAPE)


def test_the_dataset_shaped_table_has_the_reference_scripts_averages() -> None:
    """Values printed by the reference script, fuzzywuzzy and Levenshtein one pair at a time."""
    average = compare(large_table(), tuple(SHAPE), "left", "right", "paper", resamples=10).average
    printed = [f"{average.scores[key]:.6f}" for key in ("tsr", "levenshtein", "exact_match")]
    assert printed == ["91.658802", "0.819358", "0.517598"]


@pytest.mark.parametrize(
    ("left", "right", "tsr", "levenshtein", "exact"),
    [
        ([], [], 100.0, 1.0, 1.0),
        (["fever"], [], 0.0, 0.0, 0.0),
        ([], ["fever"], 0.0, 0.0, 0.0),
        (["fever"], ["fever"], 100.0, 1.0, 1.0),
        (["a", "b"], ["b", "a"], 100.0, 1.0, 0.0),
        (["no fever"], ["fever"], 100.0, 0.625, 0.0),
        (["abcd", "x"], ["abcf"], 37.5, 0.375, 0.0),
    ],
)
def test_one_cell_by_hand(
    left: list[str], right: list[str], tsr: float, levenshtein: float, exact: float
) -> None:
    scores = paper(pair({"A": left}, {"A": right})).categories["A"].scores
    assert (scores["tsr"], scores["levenshtein"], scores["exact_match"]) == (tsr, levenshtein, exact)


def test_what_only_the_right_found_costs_nothing() -> None:
    scores = paper(pair({"A": ["fever"]}, {"A": ["fever", "cough", "rash"]})).categories["A"].scores
    assert scores["tsr"] == 100.0


def test_a_category_that_one_side_did_not_look_at_is_not_compared() -> None:
    reports = [pair({"A": ["x"]}, {"A": ["x"]}), pair({}, {"A": ["x"]}), pair({"A": []}, {})]
    row = paper(*reports).categories["A"]
    assert (row.n, row.scores["tsr"]) == (1, 100.0)


def test_omission_and_hallucination_have_their_own_denominators() -> None:
    reports = [
        pair({"A": []}, {"A": ["x"]}),
        pair({"A": ["x"]}, {"A": ["x"]}),
        pair({"A": ["x"]}, {"A": ["x"]}),
        pair({"A": []}, {"A": ["x"]}),
        pair({"A": ["y"]}, {"A": []}),
        pair({"A": []}, {"A": []}),
        pair({"A": []}, {"A": []}),
    ]
    scores = paper(*reports).categories["A"].scores
    assert scores["omission"] == 50.0
    assert scores["hallucination"] == pytest.approx(100 / 3)


def test_a_denominator_of_zero_is_undefined_with_a_reason() -> None:
    row = paper(pair({"A": ["x"]}, {"A": ["x"]})).categories["A"]
    assert row.scores["hallucination"] is None
    assert "right found something in every report" in row.reasons["hallucination"]
    silent = paper(pair({"A": ["x"]}, {"A": []})).categories["A"]
    assert silent.scores["omission"] is None
    assert "nothing to omit" in silent.reasons["omission"]


def test_the_average_runs_over_defined_categories_and_says_how_many() -> None:
    agreement = paper(pair({"A": [], "B": []}, {"A": ["x"], "B": []}), categories=("A", "B"))
    assert agreement.average.scores["omission"] == 100.0
    assert agreement.averaged_over["omission"] == 1
    assert agreement.averaged_over["tsr"] == 2


def test_precision_and_recall_over_items_belong_to_the_strict_profile() -> None:
    assert "f1" not in paper(pair({"A": []}, {"A": []})).average.scores


def test_no_reports_leave_everything_undefined_with_reasons() -> None:
    agreement = paper()
    assert set(agreement.average.scores.values()) == {None}
    assert set(agreement.categories["A"].reasons) == set(agreement.categories["A"].scores)


def test_items_keep_their_side_and_place_in_the_cells() -> None:
    report = ReportPair("7", "T", {"A": (Item("x", 1, 2),)}, {"A": ()})
    (cell,) = paper(report).cells
    assert (cell.key, cell.left, cell.right, cell.scores["tsr"]) == ("7", (Item("x", 1, 2),), (), 0.0)


def test_no_library_is_loaded_while_two_threads_compare() -> None:
    program = """
import sys, threading
late = []
class Watch:
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is not threading.main_thread():
            late.append(name)
sys.meta_path.insert(0, Watch())
from app.agreement.comparison import likenesses
likenesses([["fever"]], [["a fever"]], "paper")
sys.exit(", ".join(late) or 0)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parents[4], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
