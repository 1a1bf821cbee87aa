"""Whether a quote and a place tell something of the same person."""

from __future__ import annotations

from collections.abc import Sequence

from extractors.grounding.align import Alignment
from extractors.text.persons import PHRASE, REACH, kin_of
from extractors.text.words import ESSENTIAL, Persons


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
        ours, theirs = kin_of(quote, at, persons), kin_of(text, place, persons)
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
