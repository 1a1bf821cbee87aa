"""Which of several places a quote takes: always the best by the rules, and at once however many there are."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractors.grounding import Grounder
from extractors.grounding.choice import Places, SectionMap, TextIndex
from extractors.model.document import Section, SectionRole
from extractors.text.tokens import tokenise

SIZE = 20_000
ROLES: tuple[SectionRole, ...] = ("case", "background", "excluded")
Span = tuple[int, int]


@st.composite
def reports(draw: st.DrawFn) -> tuple[str, tuple[Section, ...]]:
    """Texts of few words, so that quotes come again, in sections of any size and role."""
    words = draw(
        st.lists(st.sampled_from(("fever", "Fever", "no", "rash", "and", ".")), min_size=2, max_size=25)
    )
    text = " ".join(words)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=4)))
    edges = [0, *cuts, len(text)]
    roles = draw(st.lists(st.sampled_from(ROLES), min_size=len(edges), max_size=len(edges)))
    sections = tuple(
        Section("", (), start, end, (), role=role)
        for start, end, role in zip(edges, edges[1:], roles, strict=False)
    )
    return text, sections if draw(st.booleans()) else ()


def _section(sections: tuple[Section, ...], offset: int) -> Section | None:
    return next((one for one in sections if one.start <= offset < one.end), None)


def _rank(text: str, sections: tuple[Section, ...], place: Span) -> tuple[bool, int]:
    section = _section(sections, place[0])
    negated = re.search(r"\bno\s$", text[: place[0]]) is not None
    return negated, ROLES.index(section.role) if section else 0


@given(reports(), st.lists(st.sampled_from(("fever", "Fever", "fever and", "rash", "FEVER")), max_size=12))
def test_repeats_take_places_in_the_order_of_the_rules(
    report: tuple[str, tuple[Section, ...]], quotes: list[str]
) -> None:
    text, sections = report
    used: Counter[Span] = Counter()
    before: int | None = None
    for found in Grounder(text, sections).ground_all(quotes):
        if found.start is None or found.end is None:
            continue
        home = None if before is None else _section(sections, before)

        def order(place: Span, home: Section | None = home, follows: int = before or 0) -> tuple[object, ...]:
            elsewhere = home is not None and _section(sections, place[0]) != home
            return used[place], _rank(text, sections, place), place[0] < follows, elsewhere, place

        place = found.start, found.end
        assert place == min(found.places or [place], key=order)
        used[place] += 1
        before = found.start


@given(reports(), st.integers(0, 150))
def test_one_quote_takes_the_best_or_the_closest_place(
    report: tuple[str, tuple[Section, ...]], near: int
) -> None:
    text, sections = report
    grounder = Grounder(text, sections)
    places = grounder.ground("fever").places
    if places:
        best, closest = grounder.ground("fever"), grounder.ground("fever", near)
        assert (best.start, best.end) == min(places, key=lambda place: (_rank(text, sections, place), place))
        assert (closest.start, closest.end) == min(places, key=lambda place: (abs(place[0] - near), place))


@pytest.mark.parametrize("quote", ["ab", "ab ab", "ab ab ab"])
@pytest.mark.parametrize("find", ["find_exact", "find_normalised", "find_inside"])
def test_places_of_a_quote_follow_each_other_and_share_nothing(find: str, quote: str) -> None:
    text = " ".join(["ab"] * 7)
    asked = tokenise(quote).key if find == "find_normalised" else quote
    size = len(quote) + 1
    assert getattr(TextIndex(text), find)(asked) == [
        (at, at + len(quote)) for at in range(0, len(text) - len(quote) + 1, size)
    ]


def _crowd() -> Grounder:
    """One word, again and again, in many sections: enough that looking at all places for each quote hangs."""
    sections = tuple(Section("Gait", ("Gait",), at, at + 100, ()) for at in range(0, 2 * SIZE, 100))
    return Grounder("a " * SIZE, sections)


def test_as_many_repeats_as_places_are_answered() -> None:
    found = _crowd().ground_all(["a"] * (SIZE + 1))
    assert [one.start for one in found] == [*range(0, 2 * SIZE, 2), 2 * SIZE - 2]


def test_repeats_in_two_spellings_share_the_places() -> None:
    found = _crowd().ground_all(["a", "A"] * (SIZE // 2))
    assert [one.start for one in found] == list(range(0, 2 * SIZE, 2))


def test_any_number_of_single_questions_is_answered() -> None:
    grounder = _crowd()
    assert [grounder.ground("a", near).start for near in range(0, 2 * SIZE, 2)] == list(range(0, 2 * SIZE, 2))
    assert {grounder.ground("a").start for _ in range(SIZE)} == {0}


def test_parts_of_an_ellipsis_that_come_again_are_answered() -> None:
    grounder = _crowd()
    found = grounder.ground(" ... ".join(["a"] * (SIZE // 10)))
    assert "too far apart" in found.reason
    assert found.candidate == (0, SIZE // 5 - 1)


def test_labels_in_one_endless_sentence_are_answered() -> None:
    assert _crowd().ground("Gait: a").status == "fuzzy"


def test_signs_and_blanks_without_end_are_answered() -> None:
    grounder = Grounder("fever")
    for filler in ("!", " ", "[", "'"):
        assert grounder.ground("x" + filler * SIZE + "y ... z").start is None


def test_no_section_holds_what_stands_between_two_and_of_places_as_close_the_first_is_taken() -> None:
    sections = SectionMap([Section("b", (), 20, 30, ()), Section("a", (), 0, 10, ())])
    assert [one and one.heading for one in map(sections.at, (9, 10, 20, 30))] == ["a", None, "b", None]
    text = "fits and now fits"
    assert Places([(0, 4), (10, 14)], TextIndex(text), sections).closest(5) == (0, 4)
    assert Places([(0, 4), (0, 8), (13, 17)], TextIndex(text), sections).closest(5) == (0, 4)
    assert TextIndex("xa12").find_inside("a1") == [], "it would cut a number"
