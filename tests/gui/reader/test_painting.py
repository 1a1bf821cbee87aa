"""Underlines stay between the lines of text, however many they are."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from app.gui.reader.page import page_font
from app.gui.reader.painting import Edge, LineBox, LineSpan, close_ranks, code_sizes, lanes_of
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
    def mark(name: str, lane: int) -> LineSpan:
        return LineSpan(ShownSpan(name, 0, 5, "GI"), lane, ((0.0, 9.0),), Edge(0.0, 1), Edge(9.0, -1))

    ranked = close_ranks([mark("a", 7), mark("b", 3), mark("c", 7)])
    assert [found.lane for found in ranked] == [1, 0, 1]


def test_codes_are_nine_pixels_high_or_more_and_grow_with_the_text(qapp: QApplication) -> None:
    sizes = [code_sizes(page_font(percent)) for percent in (80, 100, 150, 200)]
    assert all(size >= 9 for pair in sizes for size in pair)
    assert all(9 <= size <= 10 for size in sizes[1])
    assert sizes == sorted(sizes)
    assert all(later > sooner for sooner, later in zip(sizes[1], sizes[3], strict=True))
