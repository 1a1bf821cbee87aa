"""A difference in what a span stands for is told by the concepts of both sides."""

from __future__ import annotations

from dataclasses import replace

from app.gui.modes.reconcile.difference.card import _concepts
from app.gui.modes.reconcile.words import sides_in_short
from app.reconcile.alignment import differences
from app.reconcile.types import SideQuote
from extractors.model.coding import Coding
from extractors.model.finding import Finding


def mark(uuid: str, code: str, label: str) -> SideQuote:
    return SideQuote(
        uuid, Finding("Neuro", "fits", 10, 14), (), (Coding("HPO", "2025", code, label, "", "human"),)
    )


def test_both_sides_are_told_by_their_concepts() -> None:
    left, right = [mark("1", "HP:0001250", "Seizure")], [mark("2", "HP:0007359", "Focal-onset seizure")]
    agreed, (one,) = differences("R", "u", ("a", "b"), left, right)
    assert (agreed, one.kind) == ([], "concept")
    assert sides_in_short(one, {"Neuro": "NE"}) == (
        "HP:0001250 Seizure: “fits”",
        "HP:0007359 Focal-onset seizure: “fits”",
    )


def test_a_side_without_a_concept_says_so_where_the_difference_turns_on_that() -> None:
    bare = SideQuote("3", Finding("Neuro", "fits", 10, 14))
    # Who codes something else in the report says of what has no code that it is none.
    gait = replace(mark("2", "HP:0001288", "Gait disturbance"), finding=Finding("Neuro", "gait", 30, 34))
    left = [mark("1", "HP:0001250", "Seizure"), gait]
    _, (one,) = differences("R", "u", ("a", "b"), left, [bare, gait])
    assert one.kind == "concept"
    assert [_concepts(side, one) for side in (one.left, one.right)] == [
        ["HP:0001250 Seizure"],
        ["no concept"],
    ]
    assert _concepts(one.right, replace(one, group=replace(one.group, relation="boundary"))) == [""]
