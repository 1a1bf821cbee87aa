"""Whether a quote and a place deny, doubt and state the same things."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from extractors.grounding.align import Alignment
from extractors.text.negation import LISTING, REACH, doubled, may_negate, members, negating, targets
from extractors.text.terms import CLAUSE, SENTENCE, Terms
from extractors.text.words import Kind, Words


def _sentence_around(found: Alignment) -> tuple[int, int]:
    """The place with up to two terms on either side, within its sentence (last one excluded)."""
    low, high, breaks = found.first, found.last, found.text.breaks
    while low > max(0, found.first - 2) and breaks[low] != SENTENCE:
        low -= 1
    while high + 1 < min(len(breaks), found.last + 3) and breaks[high + 1] != SENTENCE:
        high += 1
    return low, high + 1


def check_negation(found: Alignment, words: Words) -> str:
    """A sentence saying what one side denies and the other does not, or "" where they agree."""
    quote, text, matched = found.quote, found.text, found.matched
    back = {p: q for q, p in matched.items()}
    for cue in (q for q, kind in enumerate(quote.kinds) if kind == Kind.NEGATION):
        joined = [q for q in targets(quote, cue, words) if q in matched]
        listed = [q for q in members(quote, cue, words) if q in matched]
        if (
            any(negating(text, matched[q], words) is None for q in joined)
            or any(not may_negate(text, matched[q], words) for q in listed)
            or (not joined and cue not in found.pairs)
        ):
            return f'The quote negates ("{quote.words[cue]}") what the place does not.'
    around = range(max(0, found.first - REACH), min(len(text), found.last + 5))
    for cue in (p for p in around if text.kinds[p] == Kind.NEGATION):
        joined = [p for p in targets(text, cue, words) if p in back]
        listed = [p for p in members(text, cue, words) if p in back]
        if any(negating(quote, back[p], words) is None for p in joined) or any(
            not may_negate(quote, back[p], words) for p in listed
        ):
            return f'The place negates ("{text.words[cue]}") what the quote does not.'
    if doubled(quote, 0, len(quote)) != doubled(text, *_sentence_around(found)):
        return "One side negates twice what the other negates once."
    return _check_reach(found, words) or _check_turn(found, words)


def _check_turn(found: Alignment, words: Words) -> str:
    """Why a list under a negation may not be a contrast on the other side: "no A or B" for "no A but B"."""
    quote, text = found.quote, found.text
    contrary = words.grammar.contrary
    if contrary.isdisjoint(quote.words) and contrary.isdisjoint(text.words[found.first : found.last + 1]):
        return ""
    order = [q for q in sorted(found.matched) if quote.kinds[q] in (Kind.CONTENT, Kind.CONTRAST)]
    for before, after in pairwise(order):
        ours = range(before + 1, after)
        low, high = sorted((found.matched[before], found.matched[after]))
        theirs = range(low + 1, high)
        if _turns(quote, ours, words) == _turns(text, theirs, words):
            continue
        if negating(quote, before, words) is None or negating(text, found.matched[before], words) is None:
            continue
        if _lists(quote, ours, words) or _lists(text, theirs, words):
            return "One side negates a list of what the other sets against each other (but)."
    return ""


def _turns(terms: Terms, between: range, words: Words) -> bool:
    return any(terms.words[place] in words.grammar.contrary for place in between)


def _lists(terms: Terms, between: range, words: Words) -> bool:
    """Whether two terms are members of one list: only "or", "and" or a comma between them."""
    joined = terms.breaks[between.stop] >= CLAUSE or any(terms.words[p] in LISTING for p in between)
    return joined and not any(terms.words[place] in words.stops for place in between)


def _check_reach(found: Alignment, words: Words) -> str:
    """Whether the whole place stands in the reach of a negation that the quote leaves out."""
    if Kind.NEGATION in found.quote.kinds:
        return ""
    content = [p for q, p in found.matched.items() if found.quote.kinds[q] in (Kind.CONTENT, Kind.CONTRAST)]
    cues = [negating(found.text, p, words) for p in content]
    if cues and all(cue is not None for cue in cues):
        return f'The text negates this place ("{found.text.words[cues[0] or 0]}"), the quote does not.'
    return ""


def check_doubt(found: Alignment) -> str:
    """A sentence saying which side calls only possible what the other states, or "" where they agree."""
    quote, text = found.quote, found.text
    for at, kind in enumerate(quote.kinds):
        if kind == Kind.UNCERTAIN and at not in found.matched:
            return f'The quote doubts ("{quote.words[at]}") what the place states.'
    low, _ = _sentence_around(found)
    joined = set(found.matched.values())
    for place in range(low, found.last + 1):
        follows = any(
            after in joined and text.kinds[after] >= Kind.CONTENT for after in range(place + 1, place + 3)
        )
        if text.kinds[place] == Kind.UNCERTAIN and place not in joined and follows:
            return f'The place doubts ("{text.words[place]}") what the quote states.'
    return ""


def with_cue(found: Alignment, words: Words) -> Alignment:
    """The place with the negation around it that the quote repeats, so that it says the same."""
    if Kind.NEGATION not in found.quote.kinds:
        return found
    matched = found.matched.items()
    cues = [negating(found.text, p, words) for q, p in matched if found.quote.kinds[q] == Kind.CONTENT]
    ends = [found.first, found.last, *(cue for cue in cues if cue is not None)]
    return replace(found, first=min(ends), last=max(ends))
