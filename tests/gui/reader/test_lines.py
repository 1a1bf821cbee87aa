"""Places found in a text are found again on their lines, however many they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFontMetricsF, QTextLayout
from PySide6.QtWidgets import QApplication

from app.gui.reader.lines import FoundPlaces, LineMarks, pieces

PLACES = st.lists(
    st.tuples(st.integers(0, 90), st.integers(1, 20)).map(lambda pair: (pair[0], pair[0] + pair[1])),
    max_size=30,
    unique=True,
)


@given(PLACES, st.integers(0, 100), st.integers(1, 40))
def test_it_finds_what_a_search_through_all_finds(
    places: list[tuple[int, int]], start: int, length: int
) -> None:
    end = start + length
    current = len(places) // 2 if places else None
    found = FoundPlaces(places, current).within(start, end)
    assert [(low, high) for low, high, _ in found] == sorted(p for p in places if p[0] < end and p[1] > start)
    assert [(low, high) for low, high, now in found if now] == [
        p for p in places if current is not None and p == places[current] and p[0] < end and p[1] > start
    ]


def test_two_thousand_places_are_not_looked_through_for_a_line() -> None:
    found = FoundPlaces([(n * 50, n * 50 + 8) for n in range(2000)])
    assert found.within(50_000, 50_080) == [(50_000, 50_008, False), (50_050, 50_058, False)]


def test_blanks_that_hang_over_the_end_of_a_line_are_not_painted(qapp: QApplication) -> None:
    layout = QTextLayout("fever     and a rash")
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(QFontMetricsF(layout.font()).horizontalAdvance("fever  "))
    layout.endLayout()
    assert line.textLength() == 10
    (whole,), (word,) = pieces(line, 0, 10, False), pieces(line, 0, 5, False)
    assert whole == word
    ((left, right),) = pieces(line, 5, 10, False)
    assert left == right == word[1]


def test_what_was_worked_out_is_forgotten_in_the_paragraph_that_is_named_or_in_all() -> None:
    marks = LineMarks()
    marks._lanes = {place: {} for place in (0, 10, 20)}
    marks._marks = {place: {} for place in (0, 10)}
    marks.forget(10)
    marks.forget(30)
    assert (set(marks._lanes), set(marks._marks)) == ({0, 20}, {0})
    marks.clear()
    assert not marks._lanes
    assert not marks._marks
