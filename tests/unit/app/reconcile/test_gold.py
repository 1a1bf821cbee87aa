"""What the gold set of a report is made of."""

from __future__ import annotations

import pytest

from app.reconcile.gold import Ruling, plan_gold
from tests.unit.app.reconcile.marks import CATEGORIES, TEXT, compared, mark


def test_what_both_say_is_gold_and_what_is_undecided_is_not() -> None:
    report = compared([mark("liver"), mark("fever", "DERM")], [mark("liver")])
    plan = plan_gold(report, {}, lambda: TEXT)
    assert [span.finding.quote for span in plan.spans] == ["liver"]
    assert (plan.agreed, plan.decided, plan.undecided) == (1, 0, 1)
    assert plan.complete == tuple(category for category in CATEGORIES if category != "DERM")


def test_the_lefts_field_is_taken_and_the_rights_where_the_left_has_none() -> None:
    fields = [
        plan_gold(compared([mark("liver", field=ours)], [mark("liver", field=theirs)]), {}, lambda: TEXT)
        for ours, theirs in (("a", "b"), ("", "b"), ("a", ""))
    ]
    assert [plan.spans[0].finding.field for plan in fields] == ["a", "b", "a"]
    assert [plan.fields_differ for plan in fields] == [1, 0, 0]


def test_a_quote_that_is_agreed_and_decided_stands_once_as_agreed() -> None:
    report = compared([mark("liver"), mark("fever")], [mark("liver")])
    again = Ruling("ruling", "edited", (mark("liver").finding,))
    plan = plan_gold(report, {report.differences[0].id: again}, lambda: TEXT)
    assert [(span.finding.quote, span.ruling) for span in plan.spans] == [("liver", None)]
    assert plan.undecided == 0


def test_quotes_stand_in_text_order_those_without_a_place_last() -> None:
    lost, late, early = mark("no such words"), mark("spleen"), mark("fever")
    plan = plan_gold(
        compared([lost, late, early], [mark("no such words"), mark("spleen"), mark("fever")]),
        {},
        lambda: TEXT,
    )
    assert [span.finding.quote for span in plan.spans] == ["fever", "spleen", "no such words"]


def test_only_what_no_side_had_is_edited() -> None:
    report = compared([mark("liver was")], [mark("liver")])
    (name,) = (one.id for one in report.differences)
    for choice, origin in (("left", "accepted"), ("merged", "edited"), ("edited", "edited")):
        plan = plan_gold(report, {name: Ruling("ruling", choice, (mark("liver").finding,))}, lambda: TEXT)
        assert plan.spans[0].origin == origin


def test_what_stands_exactly_as_the_text_has_it_is_not_looked_up_there_again() -> None:
    report = compared([mark("liver"), mark("fever", "DERM")], [mark("liver")])
    assert plan_gold(report, {}, pytest.fail).agreed == 1
