"""A difference in what a span stands for is told by the concepts of both sides."""

from __future__ import annotations

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
