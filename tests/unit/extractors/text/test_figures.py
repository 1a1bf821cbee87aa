"""Figures and panels as a text names them."""

from __future__ import annotations

import pytest

from extractors.model.figure import Figure
from extractors.text.figures import mentions_in, with_mentions


@pytest.mark.parametrize(
    ("said", "panels"),
    [
        ("2b", "B"),
        ("2 A–C", "ABC"),
        ("2 (a, b)", "AB"),
        ("2a-c, e", "ABCE"),
        ("2A and C to E", "ACDE"),
        ("2A, C", "AC"),
        ("2", ""),
    ],
)
def test_panels_are_letters_and_what_lies_between_the_ends_of_a_range(said: str, panels: str) -> None:
    (one,) = mentions_in(f"The rash (Fig. {said}) went.")
    assert (one.number, "".join(one.panels)) == (2, panels)


def test_of_several_figures_of_a_number_the_first_is_meant() -> None:
    text = "It grew (Figure 1)."
    found = with_mentions(text, (Figure("a", "Figure 1"), Figure("b", "Fig. 1."), Figure("c", "Figure S1")))
    assert [[text[one.start : one.end] for one in each.mentions] for each in found] == [["Figure 1"], [], []]
