"""Two sides of a report: which quotes belong together, and that none is lost or told of twice."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import count

import pytest

from app.reconcile.alignment import align
from app.reconcile.types import Group, SideQuote
from extractors.model.finding import POLARITIES, Finding, Polarity

_NUMBERS = count()


def mark(start: int, end: int, category: str = "Neuro", polarity: Polarity = "present") -> SideQuote:
    finding = Finding(category, f"{start}-{end}", start, end, polarity=polarity)
    return SideQuote(f"m{next(_NUMBERS)}", finding)


def lost(quote: str, category: str = "Neuro", polarity: Polarity = "present") -> SideQuote:
    finding = Finding(category, quote, None, None, polarity=polarity, grounding="ungrounded")
    return SideQuote(f"m{next(_NUMBERS)}", finding)


def only(left: list[SideQuote], right: list[SideQuote]) -> Group:
    (group,) = align(left, right)
    assert (Counter(group.left), Counter(group.right)) == (Counter(left), Counter(right))
    return group


@pytest.mark.parametrize(
    ("left", "right", "relation"),
    [
        (mark(0, 5), mark(0, 5), "same"),
        (mark(0, 5), mark(0, 5, polarity="negated"), "polarity"),
        (mark(0, 5), mark(4, 9), "boundary"),
        (mark(0, 5), mark(0, 6, polarity="negated"), "boundary"),
        (mark(0, 5), mark(0, 5, "CVS"), "label"),
        (mark(0, 4), mark(0, 8, "CVS"), "label"),
        (mark(0, 5), mark(0, 5, "CVS", "negated"), "label"),
        (lost("No Fever!"), lost("no fever"), "same"),
        (lost("fever"), lost("fever", polarity="negated"), "polarity"),
        (lost("fever"), lost("fever", "CVS"), "label"),
    ],
)
def test_two_quotes_of_the_same_thing_are_one_group_that_says_how_they_differ(
    left: SideQuote, right: SideQuote, relation: str
) -> None:
    assert only([left], [right]).relation == relation


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (mark(0, 5), mark(5, 9)),
        (mark(0, 5), mark(4, 9, "CVS")),
        (mark(0, 4), mark(0, 9, "CVS")),
        (mark(0, 5), lost("0-5")),
        (lost("fever"), lost("a fever")),
        (lost("?"), lost("!", "CVS")),
        (lost("?"), lost("!")),
    ],
)
def test_quotes_that_speak_of_different_things_stand_alone(left: SideQuote, right: SideQuote) -> None:
    groups = align([left], [right])
    assert [group.relation for group in groups] == ["missing", "missing"]
    assert Counter(mark for group in groups for mark in group.quotes) == Counter([left, right])


def test_all_that_hangs_together_in_one_category_is_one_group() -> None:
    left, right = [mark(0, 5), mark(8, 14)], [mark(4, 9), mark(13, 20)]
    assert only(left, right).relation == "boundary"


def test_an_equal_place_is_not_drawn_into_a_chain_of_overlaps() -> None:
    same, chain = [mark(0, 5), mark(0, 5)], [mark(2, 9), mark(7, 12)]
    groups = align([same[0], chain[0]], [same[1], chain[1]])
    assert [(group.relation, group.quotes) for group in groups] == [
        ("same", tuple(same)),
        ("boundary", tuple(chain)),
    ]


def test_a_quote_that_a_side_has_twice_stands_twice_in_its_group() -> None:
    assert only([mark(0, 5), mark(0, 5)], [mark(0, 5)]).relation == "same"
    assert only([lost("fever"), lost("fever")], []).relation == "missing"


def test_overlapping_quotes_of_one_side_alone_are_not_joined() -> None:
    assert [group.relation for group in align([mark(0, 5), mark(3, 8)], [])] == ["missing", "missing"]


def test_two_categories_on_one_place_meet_their_own_kind_first() -> None:
    groups = align([mark(0, 5), mark(0, 5, "CVS")], [mark(0, 5, "CVS")])
    assert sorted((group.relation, group.categories) for group in groups) == [
        ("missing", ("Neuro",)),
        ("same", ("CVS",)),
    ]


def test_groups_stand_in_text_order_and_those_without_a_place_last() -> None:
    left, right = [lost("fever"), mark(30, 35), mark(0, 5)], [mark(10, 12), mark(31, 40)]
    places = [group.place for group in align(left, right)]
    assert places == [(0, 5), (10, 12), (30, 40), None]


@pytest.mark.parametrize("text", ["😊 fever 😊", "fie\u0301vre", "𝑨taxia", "\u0645\u0631\u064a\u0636 fever"])
def test_places_count_code_points(text: str) -> None:
    """One character beyond the end of a quote is another place, whatever the characters are."""
    whole, shorter = mark(0, len(text)), mark(0, len(text) - 1)
    assert only([whole], [replace(whole, uuid="other")]).relation == "same"
    assert only([whole], [shorter]).relation == "boundary"
    after = mark(len(text), len(text) + 1)
    assert len(align([whole], [after])) == 2


def scattered(chance: random.Random) -> list[SideQuote]:
    """Quotes of one side, crowded so that every relation comes up."""
    marks = []
    for _ in range(chance.randrange(14)):
        category, polarity = chance.choice(["Neuro", "CVS", "GI"]), chance.choice(POLARITIES)
        if chance.random() < 0.2:
            marks.append(lost(chance.choice(["fever", "Fever.", "no fever", "…"]), category, polarity))
        else:
            start = chance.randrange(40)
            marks.append(mark(start, start + 1 + chance.randrange(9), category, polarity))
    return marks


@pytest.mark.parametrize("seed", range(300))
def test_every_quote_stands_in_exactly_one_group(seed: int) -> None:
    chance = random.Random(seed)
    left, right = scattered(chance), scattered(chance)
    groups = align(left, right)
    assert Counter(one for group in groups for one in group.left) == Counter(left)
    assert Counter(one for group in groups for one in group.right) == Counter(right)
    for group in groups:
        assert group.quotes
        assert (group.relation == "missing") == (not group.left or not group.right)
        _require_true(group)


@pytest.mark.parametrize("seed", range(300))
def test_swapped_sides_give_the_same_groups_the_other_way_round(seed: int) -> None:
    chance = random.Random(seed)
    left, right = scattered(chance), scattered(chance)
    one = {(g.relation, frozenset(g.left), frozenset(g.right)) for g in align(left, right)}
    other = {(g.relation, frozenset(g.right), frozenset(g.left)) for g in align(right, left)}
    assert one == other


@pytest.mark.parametrize("seed", range(100))
def test_the_order_in_which_quotes_are_given_does_not_matter(seed: int) -> None:
    chance = random.Random(seed)
    left, right = scattered(chance), scattered(chance)
    before = {(g.relation, frozenset(g.left), frozenset(g.right)) for g in align(left, right)}
    chance.shuffle(left)
    chance.shuffle(right)
    assert {(g.relation, frozenset(g.left), frozenset(g.right)) for g in align(left, right)} == before


def test_a_side_against_itself_differs_nowhere() -> None:
    for seed in range(100):
        marks = scattered(random.Random(seed))
        assert {group.relation for group in align(marks, marks)} <= {"same"}


def several(start: int, *places: int) -> SideQuote:
    """A quote of five characters that came without a place and could stand at any of these."""
    finding = Finding("Neuro", "fever", start, start + 5)
    return SideQuote(f"m{next(_NUMBERS)}", finding, tuple((place, place + 5) for place in places))


def test_a_quote_that_could_as_well_stand_where_the_other_does_is_the_same() -> None:
    assert only([several(10, 10, 50)], [several(50, 10, 50)]).relation == "same"
    chosen = replace(mark(50, 55), finding=Finding("Neuro", "fever", 50, 55))
    assert only([several(10, 10, 50)], [chosen]).relation == "same"
    assert only([chosen], [several(10, 10, 50)]).relation == "same"


def test_two_places_that_were_chosen_are_no_choice_of_ours() -> None:
    one = replace(mark(10, 15), finding=Finding("Neuro", "fever", 10, 15))
    other = replace(mark(50, 55), finding=Finding("Neuro", "fever", 50, 55))
    assert [group.relation for group in align([one], [other])] == ["missing", "missing"]
    elsewhere = several(10, 10, 30)
    assert [group.relation for group in align([elsewhere], [other])] == ["missing", "missing"]


def test_as_many_quotes_as_both_have_are_the_same_and_no_more() -> None:
    twice = [several(10, 10, 50, 90), several(50, 10, 50, 90)]
    relations = [group.relation for group in align(twice, [several(90, 10, 50, 90)])]
    assert sorted(relations) == ["missing", "same"]
    # The very place comes before what could as well stand there.
    one, elsewhere, there = several(10, 10, 50), several(50, 10, 50), several(10, 10, 50)
    same = next(group for group in align([one], [elsewhere, there]) if group.relation == "same")
    assert same.right == (there,)


def _require_true(group: Group) -> None:
    """What a group says of its quotes is so."""
    said = {(m.finding.category, m.place or m.finding.quote, m.finding.polarity) for m in group.quotes}
    categories = {m.finding.category for m in group.quotes}
    places = {m.place for m in group.quotes}
    if group.relation in ("same", "polarity", "boundary"):
        assert len(categories) == 1
    if group.relation in ("same", "polarity"):
        assert len(places) == 1
    if group.relation == "same" and None not in places:
        assert len(said) == 1
    if group.relation == "label":
        assert len(categories) > 1
    if group.relation == "boundary":
        assert len(places) > 1
        assert None not in places
