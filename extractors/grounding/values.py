"""Whether the numbers of a quote and a place agree: values, whose they are, limits and units."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from extractors.grounding.align import Alignment
from extractors.text.persons import PHRASE, REACH, relatives_of
from extractors.text.terms import essential, names, parted
from extractors.text.values import has_number, limit, next_number, number_before, other_end, unit
from extractors.text.words import ESSENTIAL, Kind, Persons, Words


def check_numbers(found: Alignment, words: Words) -> str:
    """A sentence saying which number disagrees, or "" where all agree."""
    quote, text = found.quote, found.text
    there = [p for p in range(found.first, found.last + 1) if text.kinds[p] == Kind.NUMBER]
    for at in (q for q, kind in enumerate(quote.kinds) if kind == Kind.NUMBER):
        place = found.pairs.get(at)
        if place is None and at in found.moved and len(there) == 1:
            place = found.moved[at]
        if place is None:
            says = (
                ", ".join(text.words[p] for p in there if p not in found.pairs.values()) or "another or none"
            )
            return f"The quote's number {quote.words[at]} does not stand there like that (the place: {says})."
        reason = (
            _check_range(found, at, place, words)
            or _check_owner(found, at, place)
            or _check_between(found, at, place)
            or _check_limit(found, at, place)
            or _check_unit(found, at, place)
        )
        if reason:
            return reason
    return ""


def _check_owner(found: Alignment, at: int, place: int) -> str:
    """Why a value whose name stands elsewhere in the text than in the quote may be another name's."""
    owners = [q for q in essential(found.quote) if q in found.matched and found.quote.kinds[q] != Kind.NUMBER]
    owner = max((q for q in owners if q < at), default=min((q for q in owners if q > at), default=-1))
    if owner not in found.matched or (owner < at and owner in found.pairs and at in found.pairs):
        return ""
    if owner > at and _counts_another(found, at, place, owner):
        return f"The number {found.quote.words[at]} belongs to something else in the text."
    in_order = owner in found.pairs and at in found.pairs and parted(found.quote, at, owner)
    if owner > at and (in_order or (owner in found.pairs and not has_number(found.text, found.pairs[owner]))):
        return ""
    low, high = sorted((found.matched[owner], place))
    others = [p for p in found.free() if low < p < high and found.text.kinds[p] in ESSENTIAL]
    if others or parted(found.text, low, high):
        return f"The number {found.quote.words[at]} belongs to something else in the text."
    return ""


def _counts_another(found: Alignment, at: int, place: int, owner: int) -> bool:
    """Whether a number that the quote has before a noun stands before another in the text.

    "one brother had fits" from "two brothers had fits and one had none".
    """
    name, text = found.matched[owner], found.text
    phrase = takewhile(lambda q: found.quote.kinds[q] != Kind.FUNCTION, range(at + 1, len(found.quote)))
    if any(found.matched.get(q) == place + 1 for q in phrase):
        return False
    between = range(min(name, place) + 1, max(name, place))
    taken = set(found.matched.values())
    if place < name and any(text.kinds[p] == Kind.NUMBER and p not in taken for p in between):
        return True
    return owner == at + 1 and (name < place or parted(text, place, name))


def _check_between(found: Alignment, at: int, place: int) -> str:
    """Why a value may belong to another name in the text: something is named or measured in between."""
    quote, text = found.quote, found.text
    named = (Kind.LIGHT, Kind.CONTENT, Kind.CONTRAST, Kind.NUMBER, Kind.UNIT)
    before = [q for q in found.pairs if q < at and quote.kinds[q] in named]
    if not before or quote.kinds[max(before)] in (Kind.NUMBER, Kind.UNIT):
        return ""
    between = range(found.pairs[max(before)] + 1, place)
    numbers = [p for p in between if text.kinds[p] == Kind.NUMBER]
    words = [text.words[p] for p in between]
    if numbers and not ("from" in words and words[-1] in ("to", "-")):
        return f"Another number stands before {quote.words[at]} in the text ({text.words[numbers[0]]})."
    others = [p for p in between if names(text, p)]
    if len(others) > 2 or (others and parted(text, min(others), place)):
        return f"Other things are named between the words and the number {quote.words[at]}."
    return ""


def _check_range(found: Alignment, at: int, place: int, words: Words) -> str:
    """Why an end of a range is no value of its own, nor a value an end of a range."""
    ours, theirs = other_end(found.quote, at, words), other_end(found.text, place, words)
    if ours == theirs:
        return ""
    beside = (next_number(found.quote, at), number_before(found.quote, at))
    if any(number is not None and found.quote.forms[number] == theirs for number in beside):
        return ""
    if not ours:
        return f"The quote says just {found.quote.words[at]}, the place gives a range."
    return (
        f"The quote gives a range, the place says {'another' if theirs else 'just'} {found.quote.words[at]}."
    )


def _check_limit(found: Alignment, at: int, place: int) -> str:
    ours, theirs = limit(found.quote, at), limit(found.text, place)
    if ours == theirs:
        return ""
    number = found.quote.words[at]
    return f"The quote says {ours or 'just '}{number}, the place {theirs or 'just '}{number}."


def _check_unit(found: Alignment, at: int, place: int) -> str:
    ours, theirs = unit(found.quote, at), unit(found.text, place)
    if not ours or not theirs or ours == theirs:
        return ""
    return f"The quote gives {found.quote.words[at]} in {ours[2:]}, the place in {theirs[2:]}."


def check_signs(found: Alignment) -> str:
    """Why signs of comparison away from numbers disagree, as in variants of genes."""
    there = [p for p in found.free() if found.text.kinds[p] == Kind.COMPARATOR]
    for at in (
        q for q, kind in enumerate(found.quote.kinds) if kind == Kind.COMPARATOR and q not in found.pairs
    ):
        if there:
            return f"The quote says {found.quote.words[at]}, the place {found.text.words[there[0]]}."
    return ""


def check_person(found: Alignment, persons: Persons) -> str:
    """A sentence saying which side speaks of a relative and the other does not, or "" where they agree."""
    quote, text, matched = found.quote, found.text, found.matched
    near = text.words[max(0, found.first - REACH) : found.last + PHRASE]
    if persons.kin.isdisjoint(quote.words) and persons.kin.isdisjoint(near):
        return ""
    taken = set(matched.values())
    for at, place in matched.items():
        word = quote.words[at]
        if quote.kinds[at] not in ESSENTIAL or word in persons.kin or word in persons.shared:
            continue
        ours, theirs = relatives_of(quote, at, persons), relatives_of(text, place, persons)
        known = any(one in matched for one in ours)
        if theirs and (known or not ours) and taken.isdisjoint(theirs):
            return f'The place says it of someone else ("{text.words[theirs[0]]}").'
        if known and theirs and not _share(found, ours, theirs, persons):
            return f'The place says it of someone else ("{text.words[theirs[0]]}").'
        if ours and not theirs and not known:
            return f'The quote says it of someone else ("{quote.words[ours[0]]}").'
    return ""


def _share(found: Alignment, ours: Sequence[int], theirs: Sequence[int], persons: Persons) -> bool:
    """Whether one relative stands on both sides, or a generic word that another may stand beside."""
    words = {*(found.quote.words[one] for one in ours), *(found.text.words[one] for one in theirs)}
    return not words.isdisjoint(persons.generic) or any(found.matched.get(one) in theirs for one in ours)
