"""Underlines stay between the lines of text, however many they are."""

from __future__ import annotations

import pytest

from app.gui.reader.painting import Edge, LineBox, Mark, close_ranks, lanes_of
from app.gui.reader.spans import ShownSpan

BOX = LineBox(top=0, baseline=15, descent=4, bottom=28.5, left=56, right=600)


@pytest.mark.parametrize("depth", range(1, 30))
def test_every_underline_ends_before_the_next_line_begins(depth: int) -> None:
    lanes = lanes_of(BOX, depth, 1.0)
    assert 1 <= lanes.shown <= depth
    assert lanes.top > BOX.baseline
    assert lanes.top + (lanes.shown - 1) * lanes.step + lanes.thick < BOX.bottom
    assert lanes.step > lanes.thick


def test_three_overlaps_have_lines_of_full_thickness_and_four_have_all_theirs() -> None:
    assert [lanes_of(BOX, depth, 1.0).thick for depth in (1, 2, 3)] == [2.0, 2.0, 2.0]
    assert lanes_of(BOX, 4, 1.0).shown == 4


def test_a_deep_lane_alone_on_its_line_takes_the_first_place() -> None:
    def mark(name: str, lane: int) -> Mark:
        return Mark(ShownSpan(name, 0, 5, "GI"), lane, ((0.0, 9.0),), Edge(0.0, 1), Edge(9.0, -1))

    ranked = close_ranks([mark("a", 7), mark("b", 3), mark("c", 7)])
    assert [found.lane for found in ranked] == [1, 0, 1]
