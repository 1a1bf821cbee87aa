"""What is behind a number: counts and quotes come from one computation, reports are sorted worst first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.agreement.compare import compare, confused, drill_down
from app.agreement.types import PROFILES, Item, ReportPair
from tests.unit.app.agreement.table import SHAPE, large_table, pair

CATEGORIES = ("A", "B")
ITEMS = st.lists(
    st.one_of(
        st.tuples(st.integers(0, 20), st.integers(1, 9)).map(lambda p: Item("x", p[0], p[0] + p[1])),
        st.sampled_from([Item("fever"), Item("Fever."), Item("cough")]),
    ),
    max_size=4,
).map(tuple)
SIDES = st.fixed_dictionaries({}, optional={"A": ITEMS, "B": ITEMS})
REPORTS = st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=3)


@given(REPORTS)
def test_every_place_of_the_heat_map_has_as_many_quotes_behind_it_as_it_counts(
    sides: list[tuple[dict[str, tuple[Item, ...]], dict[str, tuple[Item, ...]]]],
) -> None:
    reports = [ReportPair(f"R{n}", "T", left, right) for n, (left, right) in enumerate(sides)]
    agreement = compare(reports, CATEGORIES, "ann", "ben", "paper", resamples=0, joined=False)
    labels = agreement.confusion.labels
    for row, counts in zip(labels, agreement.confusion.counts, strict=True):
        for column, count in zip(labels, counts, strict=True):
            found = confused(agreement, row, column)
            assert len(found) == count
            assert all((one.left is None) == (row == "NONE") for one in found)
            assert all((one.right is None) == (column == "NONE") for one in found)


def test_a_place_of_the_heat_map_names_report_and_both_quotes() -> None:
    left = {"A": (Item("no fever", 0, 8),), "B": ()}
    right = {"A": (), "B": (Item("fever", 3, 8), Item("cough", 20, 25))}
    agreement = compare([ReportPair("R1", "A girl", left, right)], CATEGORIES, "ann", "ben", "paper")
    (one,) = confused(agreement, "A", "B")
    assert (one.key, one.title, one.left, one.right) == ("R1", "A girl", left["A"][0], right["B"][0])
    assert [missed.right for missed in confused(agreement, "NONE", "B")] == [right["B"][1]]


def test_reports_behind_a_score_come_worst_first_and_those_without_a_say_last() -> None:
    reports = [
        pair({"A": ["fever"]}, {"A": ["fever"]}, "same"),
        pair({"A": []}, {"A": []}, "silent"),
        pair({"A": ["fever"]}, {"A": ["cough"]}, "other"),
        pair({"A": []}, {"A": ["cough", "fever", "chills"]}, "missed"),
    ]
    agreement = compare(reports, ("A",), "ann", "ben", "strict")
    behind = drill_down(agreement, "exact_match", "A")
    assert [one.key for one in behind] == ["missed", "other", "same", "silent"]
    assert [one.text for one in behind] == ["0.000", "0.000", "1.000", "–"]
    assert (behind[0].left, behind[0].right) == (0, 3)


def test_of_an_error_the_greatest_is_the_worst() -> None:
    reports = [pair({"A": ["x"]}, {"A": ["x"]}, "kept"), pair({"A": []}, {"A": ["x"]}, "omitted")]
    agreement = compare(reports, ("A",), "ann", "ben", "paper")
    assert [one.key for one in drill_down(agreement, "omission", "A")] == ["omitted", "kept"]


def test_behind_all_categories_stand_the_reports_with_all_their_quotes() -> None:
    reports = [pair({"A": ["x"], "B": []}, {"A": ["x"], "B": ["y"]}, "1")]
    agreement = compare(reports, CATEGORIES, "ann", "ben", "strict")
    (behind,) = drill_down(agreement, "f1")
    assert (behind.left, behind.right) == (1, 2)
    # A report of which nothing can be compared is not behind anything.
    other = [*reports, pair({"A": ["x"]}, {"B": ["x"]}, "2"), pair({"A": ["x", "z"]}, {"A": ["y"]}, "3")]
    agreement = compare(other, CATEGORIES, "ann", "ben", "strict")
    assert [(one.key, one.text) for one in drill_down(agreement, "exact_match")] == [
        ("3", "0.000"),
        ("1", "0.500"),
    ]


def test_what_is_left_out_to_save_time_changes_no_other_score() -> None:
    table = large_table(12)
    for profile in PROFILES:
        whole = compare(table, tuple(SHAPE), "a", "b", profile)
        quick = compare(table, tuple(SHAPE), "a", "b", profile, joined=False)
        kept = {key: score for key, score in whole.average.scores.items() if key in quick.average.scores}
        assert quick.average.scores == kept
        assert set(whole.average.scores) - set(kept) == {"bleu_1", "bleu_4", "rouge_l"}
