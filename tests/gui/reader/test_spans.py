"""The index answers as a search through all spans would."""

from __future__ import annotations

import random

import pytest

from app.gui.reader.spans import ShownSpan, SpanIndex


def many(count: int) -> list[ShownSpan]:
    chance = random.Random(3)
    spans = [ShownSpan("all", 0, 100_000, "History")]
    for number in range(count - 1):
        start = chance.randrange(99_900)
        spans.append(ShownSpan(str(number), start, start + chance.randint(1, 90), "Neuro"))
    return spans


def test_it_finds_what_a_search_through_all_finds_among_5000() -> None:
    spans = many(5000)
    index = SpanIndex(spans)
    for start in range(0, 99_000, 997):
        for end in (start + 1, start + 70, start + 5000):
            expected = {span.id for span in spans if span.start < end and span.end > start}
            assert {span.id for span in index.within(start, end)} == expected


def test_it_answers_by_start_and_the_longest_first() -> None:
    inner, outer, later = (ShownSpan(i, s, e, "GI") for i, s, e in (("a", 1, 4), ("b", 1, 9), ("c", 2, 3)))
    assert SpanIndex([later, inner, outer]).within(0, 10) == [outer, inner, later]
    assert SpanIndex([later, inner, outer]).at(2) == [later, inner, outer]
    assert SpanIndex([later, inner, outer]).at(9) == []


def test_adding_and_removing_leave_it_as_if_built_anew() -> None:
    spans = many(700)
    index = SpanIndex(spans[:350])
    for span in spans[350:]:
        index.add(span)
    for span in spans[:350]:
        assert index.remove(span.id) == span
    fresh = SpanIndex(spans[350:])
    assert len(index) == len(fresh) == 350
    for start in range(0, 100_000, 1500):
        found, expected = index.within(start, start + 700), fresh.within(start, start + 700)
        assert sorted(s.id for s in found) == sorted(s.id for s in expected)


def test_however_many_begin_in_one_place_each_is_found_up_to_its_end() -> None:
    spans = [ShownSpan(str(end), 0, end, "GI") for end in range(1, 201)]
    index = SpanIndex(spans)
    assert [len(index.within(place, place + 1)) for place in range(200)] == list(range(200, 0, -1))
    index.remove("200")
    assert [span.id for span in index.within(198, 300)] == ["199"]
    assert not index.within(199, 300)


def test_an_id_stands_for_one_span() -> None:
    span = ShownSpan("a", 0, 3, "GI")
    with pytest.raises(ValueError, match="same id"):
        SpanIndex([span, span])
    index = SpanIndex([span])
    with pytest.raises(ValueError, match="already"):
        index.add(span)
    with pytest.raises(KeyError):
        index.remove("b")


def test_what_lies_in_one_place_is_by_category_however_it_came() -> None:
    spans = [
        ShownSpan("z", 1, 4, "Neuro"),
        ShownSpan("y", 1, 4, "GI"),
        ShownSpan("a", 1, 4, "GI", mine=False),
        ShownSpan("x", 1, 4, "Vitals_Hema"),
    ]
    for seed in range(6):
        shuffled = random.Random(seed).sample(spans, 4)
        given = SpanIndex(shuffled, ("Vitals_Hema", "Neuro", "GI"))
        added = SpanIndex((), ("Vitals_Hema", "Neuro", "GI"))
        for span in shuffled:
            added.add(span)
        # As undo gives back what was taken away.
        added.add(added.remove("x"))
        assert [span.id for span in given] == [span.id for span in added] == ["x", "z", "y", "a"]
