"""The queue lists what differs most, worst first, and nothing that both sides say."""

from __future__ import annotations

from app.reconcile.queue import build_queue
from tests.unit.app.reconcile.marks import compared, mark


def test_a_pair_below_the_threshold_holds_all_its_differences_and_both_sides_quotes() -> None:
    both, mine, theirs = mark("liver"), mark("fever"), mark("spleen")
    report = compared([both, mine], [mark("liver"), theirs], tsr={"GI": 29.9})
    (item,) = build_queue([report])
    assert (item.id, item.kind, item.tsr) == ("R1/GI", "pair", 29.9)
    assert item.differences == report.differences
    assert item.left == (both, mine)


def test_from_the_threshold_on_differences_stand_alone() -> None:
    report = compared([mark("fever")], [mark("spleen")], tsr={"GI": 30.0})
    assert [item.kind for item in build_queue([report])] == ["missing", "missing"]
    assert [item.kind for item in build_queue([report], below=30.1)] == ["pair"]


def test_a_pair_in_which_both_say_the_same_is_not_queued_however_low_its_score() -> None:
    assert build_queue([compared([mark("fever")], [mark("fever")], tsr={"GI": 0.0})]) == []


def test_pairs_come_worst_first_then_those_with_more_to_decide_then_the_rest() -> None:
    few = compared([mark("fever")], [], key="few", tsr={"GI": 0.0})
    many = compared([mark("fever"), mark("liver")], [], key="many", tsr={"GI": 0.0})
    better = compared([mark("fever")], [mark("spleen")], key="better", tsr={"GI": 10.0})
    fair = compared([mark("fever")], [], key="fair", tsr={"GI": 50.0})
    order = [item.report for item in build_queue([fair, few, better, many])]
    assert order == ["many", "few", "better", "fair"]


def test_a_difference_of_two_categories_stands_in_the_pairs_of_both() -> None:
    report = compared([mark("liver", "GI")], [mark("liver", "DERM")], tsr={"GI": 0.0, "DERM": 0.0})
    items = build_queue([report])
    assert [item.id for item in items] == ["R1/GI", "R1/DERM"]
    assert items[0].differences == items[1].differences


def test_what_is_said_alike_most_often_comes_first_when_asked_for() -> None:
    reports = [
        compared([mark("spleen")], [], key="once"),
        compared([mark("fever")], [], key="R2"),
        compared([mark("fever", nth=1)], [], key="R3"),
        compared([mark("fever"), mark("liver")], [], key="pair", tsr={"GI": 0.0}),
    ]
    assert [item.report for item in build_queue(reports, order="frequent")] == ["pair", "R2", "R3", "once"]


def test_single_differences_come_worst_first_by_the_lowest_score_of_their_categories() -> None:
    fair = compared([mark("fever")], [], key="fair", tsr={"GI": 50.0})
    worse = compared(
        [mark("liver", "GI")], [mark("liver", "DERM")], key="worse", tsr={"GI": 90.0, "DERM": 40.0}
    )
    assert [(item.report, item.tsr) for item in build_queue([fair, worse])] == [
        ("worse", 40.0),
        ("fair", 50.0),
    ]
