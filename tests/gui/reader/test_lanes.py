"""Overlapping spans never share a lane; the others keep theirs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.gui.reader.lines import assign_lanes

SPANS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(1, 15)).map(lambda pair: (pair[0], pair[0] + pair[1])),
    max_size=40,
).map(lambda spans: sorted(spans, key=lambda span: (span[0], -span[1])))


def test_spans_apart_share_the_first_lane() -> None:
    assert assign_lanes([(0, 5), (5, 9), (12, 20)]) == [0, 0, 0]


def test_each_overlap_goes_one_lane_down() -> None:
    assert assign_lanes([(0, 9), (1, 8), (2, 7), (8, 10), (9, 12)]) == [0, 1, 2, 1, 0]


def test_equal_spans_lie_below_each_other() -> None:
    assert assign_lanes([(3, 6)] * 20) == list(range(20))


@given(SPANS)
def test_there_are_as_many_lanes_as_the_deepest_overlap(spans: list[tuple[int, int]]) -> None:
    lanes = assign_lanes(spans)
    for place in range(80):
        here = [lane for lane, (start, end) in zip(lanes, spans, strict=True) if start <= place < end]
        assert len(here) == len(set(here))
    deepest = max((sum(s <= place < e for s, e in spans) for place in range(80)), default=0)
    assert max(lanes, default=-1) + 1 == deepest


@given(SPANS, st.integers(100, 120))
def test_a_span_added_elsewhere_moves_no_lane(spans: list[tuple[int, int]], start: int) -> None:
    assert assign_lanes([*spans, (start, start + 5)])[:-1] == assign_lanes(spans)
    later = [(s + 200, e + 200) for s, e in spans]
    assert assign_lanes([(start, start + 5), *later])[1:] == assign_lanes(later)
