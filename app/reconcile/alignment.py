"""Which quotes of two sides belong together, how they stand to each other, and differences by name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from app.reconcile.types import Difference, Group, Relation, SideQuote, words_of
from extractors.grouping import grouped

# Quotes of two categories are about the same place from this share of the characters that both cover on.
LABEL_OVERLAP = 0.5
_Pairs = Iterator[tuple[int, int]]


def align(left: Sequence[SideQuote], right: Sequence[SideQuote]) -> list[Group]:
    """Every quote of both sides in exactly one group, in text order, those without a place last.

    Equal quotes come first, also where one that was given without a place could as well stand where the other
    does; then equal places with another polarity, then overlapping places in one category (all that hang
    together make one group), then nearly equal places in different categories; what is left stands alone.
    Quotes without a place belong together where category and words are the same, or the words alone. A quote
    that a side has twice stands twice in its group.
    """
    ours, theirs = list(left), list(right)
    groups = [
        *_equal("same", ours, theirs, _content),
        *_same_words(ours, theirs),
        *_equal("polarity", ours, theirs, _as_placed),
        *_joined("boundary", ours, theirs, _overlapping),
        *_joined("label", ours, theirs, _on_one_place),
        *_equal("label", ours, theirs, _as_worded),
    ]
    groups += [Group("missing", tuple(quotes), ()) for quotes in _by(ours, _content).values()]
    groups += [Group("missing", (), tuple(quotes)) for quotes in _by(theirs, _content).values()]
    return sorted(groups, key=_text_order)


def _content(quote: SideQuote) -> Hashable:
    one = quote.finding
    return one.category, one.polarity, one.start, quote.subject if one.start is None else one.end


def _as_placed(quote: SideQuote) -> Hashable:
    return quote.finding.category, quote.subject


def _as_worded(quote: SideQuote) -> Hashable:
    """Where a place tells, it has told; quotes without words are all different."""
    words = words_of(quote.finding.quote) if quote.place is None else ()
    return words or quote.uuid


def _by(quotes: Iterable[SideQuote], key: Callable[[SideQuote], Hashable]) -> dict[Hashable, list[SideQuote]]:
    return grouped((key(quote), quote) for quote in quotes)


def _equal(
    relation: Relation, ours: list[SideQuote], theirs: list[SideQuote], key: Callable[[SideQuote], Hashable]
) -> list[Group]:
    """Groups of equal key that both sides have; their quotes are taken out of both lists."""
    left, right = _by(ours, key), _by(theirs, key)
    groups = [Group(relation, tuple(left[one]), tuple(right[one])) for one in left if one in right]
    _take_out(groups, ours, theirs)
    return groups


def _take_out(groups: Sequence[Group], ours: list[SideQuote], theirs: list[SideQuote]) -> None:
    if groups:
        taken = {id(quote) for group in groups for quote in group.quotes}
        for side in (ours, theirs):
            side[:] = [quote for quote in side if id(quote) not in taken]


def _same_words(ours: list[SideQuote], theirs: list[SideQuote]) -> list[Group]:
    """Pairs of equal quotes of which one could as well stand where the other does; taken out of both lists.

    Which of several places a quote without one was given depends on the quotes before it, which are others on
    the other side.
    """
    if not any(quote.places for quote in (*ours, *theirs)):
        return []
    waiting = _by([quote for quote in theirs if quote.place is not None], _as_quoted)
    groups: list[Group] = []
    for quote in ours:
        alike = waiting.get(_as_quoted(quote), []) if quote.place is not None else []
        other = next((one for one in alike if one.place in quote.places or quote.place in one.places), None)
        if other is not None:
            alike.remove(other)
            groups.append(Group("same", (quote,), (other,)))
    _take_out(groups, ours, theirs)
    return groups


def _as_quoted(quote: SideQuote) -> Hashable:
    return quote.finding.category, quote.finding.polarity, quote.finding.quote


def _joined(
    relation: Relation,
    ours: list[SideQuote],
    theirs: list[SideQuote],
    pairs: Callable[[list[SideQuote], list[SideQuote]], _Pairs],
) -> list[Group]:
    """Groups of all quotes that hang together by pairs (left, right); taken out of both lists."""
    root = list(range(len(ours) + len(theirs)))

    def find(one: int) -> int:
        while root[one] != one:
            root[one] = root[root[one]]
            one = root[one]
        return one

    for left, right in pairs(ours, theirs):
        root[find(left)] = find(len(ours) + right)
    members = grouped((find(one), one) for one in range(len(root)))
    together = [group for group in members.values() if len(group) > 1]
    split = len(ours)
    groups = [
        Group(
            relation,
            tuple(ours[one] for one in group if one < split),
            tuple(theirs[one - split] for one in group if one >= split),
        )
        for group in together
    ]
    _take_out(groups, ours, theirs)
    return groups


def _overlapping(ours: list[SideQuote], theirs: list[SideQuote]) -> _Pairs:
    """Pairs of the same category that share a character."""
    for one, other, _ in _sharing(ours, theirs):
        if ours[one].finding.category == theirs[other].finding.category:
            yield one, other


def _on_one_place(ours: list[SideQuote], theirs: list[SideQuote]) -> _Pairs:
    """Pairs that share most of what they cover, whatever the category."""
    for one, other, shared in _sharing(ours, theirs):
        covered = _length(ours[one]) + _length(theirs[other]) - shared
        if shared >= LABEL_OVERLAP * covered:
            yield one, other


def _sharing(ours: list[SideQuote], theirs: list[SideQuote]) -> Iterator[tuple[int, int, int]]:
    """Positions of a left and a right quote that share characters, and how many; one pass over the text."""
    sides = (ours, theirs)
    placed = sorted(
        (place, side, number)
        for side, quotes in enumerate(sides)
        for number, quote in enumerate(quotes)
        if (place := quote.place) is not None
    )
    reaching: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for (start, end), side, number in placed:
        others = reaching[1 - side]
        others[:] = [(there, other) for there, other in others if there > start]
        for there, other in others:
            shared = min(end, there) - start
            yield (number, other, shared) if side == 0 else (other, number, shared)
        reaching[side].append((end, number))


def _length(quote: SideQuote) -> int:
    start, end = quote.place or (0, 0)
    return end - start


def _text_order(group: Group) -> tuple[bool, tuple[int, int]]:
    place = group.place
    return place is None, place or (0, 0)


_LETTERS = 12
_SAID, _CONTENT = (json.JSONEncoder(ensure_ascii=False, separators=one) for one in (None, (",", ":")))


def differences(
    report: str, document: str, sides: tuple[str, str], left: Sequence[SideQuote], right: Sequence[SideQuote]
) -> tuple[list[Group], list[Difference]]:
    """What two sides (UUIDs of the annotators) agree on in a report, and where they differ, in text order.

    `report` is the key, `document` the UUID. The quotes are those of categories that both sides looked at.
    """
    agreed: list[Group] = []
    found: list[Difference] = []
    name = _naming(document, sides)
    # Who coded nothing by a terminology in a report is silent on it, and does not deny every code.
    both = frozenset(_terminologies(left) & _terminologies(right))
    for group in align(left, right):
        if both and group.relation == "same" and _coded(group.left, both) != _coded(group.right, both):
            group = replace(group, relation="concept")
        if group.relation == "same":
            agreed.append(group)
        else:
            found.append(Difference(name(group), report, document, group))
    return agreed, found


def _naming(document: str, sides: tuple[str, str]) -> Callable[[Group], str]:
    """Twelve hexadecimal digits of what a group says, whichever side is called left."""
    # Thousands of differences of a report are named: what they have in common is written out once.
    turned = sides[1] < sides[0]
    opening, second = f"[{_CONTENT.encode(document)},[[", f"],[{_CONTENT.encode(max(sides))},"
    opening += f"{_CONTENT.encode(min(sides))},"

    def name(group: Group) -> str:
        coded = group.relation == "concept"
        said = [_said(quotes, coded) for quotes in (group.left, group.right)]
        content = f"{opening}{said[turned]}{second}{said[not turned]}]]]"
        return hashlib.sha256(content.encode()).hexdigest()[:_LETTERS]

    return name


def _said(quotes: Sequence[SideQuote], coded: bool) -> str:
    if not quotes:
        return '"[]"'  # most differences have one side alone
    if len(quotes) == 1 and not coded and (place := quotes[0].place):
        before, after = _around(quotes[0].finding.category, quotes[0].finding.polarity)
        return f"{before}{place[0]}, {place[1]}{after}"  # as below, and most of them are of this kind
    codes = sorted(code for quote in quotes for code in quote.codes) if coded else ()
    return ",".join(map(_CONTENT.encode, (_identity(quotes), *codes)))


@cache
def _around(category: str, polarity: str) -> tuple[str, str]:
    """What stands before and behind the place of one quote's identity."""
    before, _, after = _CONTENT.encode(_SAID.encode([(category, (), polarity)])).rpartition("[]")
    return f"{before}[", f"]{after}"


def _identity(quotes: Sequence[SideQuote]) -> str:
    """Category, place or words, and polarity of each quote; of equal ones once."""
    names = {(quote.finding.category, quote.subject, quote.finding.polarity) for quote in quotes}
    return _SAID.encode(sorted(names, key=repr) if len(names) > 1 else [*names])


def _terminologies(quotes: Sequence[SideQuote]) -> set[str]:
    return {coding.terminology for quote in quotes for coding in quote.concepts}


def _coded(quotes: Sequence[SideQuote], terminologies: frozenset[str]) -> set[tuple[str, str]]:
    """What quotes of one place stand for in these terminologies."""
    return {code for quote in quotes for code in quote.codes if code[0] in terminologies}
