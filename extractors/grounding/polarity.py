"""Whether a quote and a place deny, doubt and state the same things."""

from __future__ import annotations

from extractors.grounding.align import Alignment
from extractors.grounding.terms import CLAUSE, SENTENCE, Terms
from extractors.grounding.words import Kind, Words

_REACH = 12
_AUXILIARY = frozenset("was were is are be been being am has had have could did does do not".split())
_LISTING = frozenset({"or", "and", "nor"})


def _targets(terms: Terms, cue: int, words: Words) -> list[int]:
    """The terms a negation surely speaks of: those up to the first word of content, or what it follows."""
    found: list[int] = []
    place = cue + 1
    while place < len(terms) and place <= cue + _REACH and terms.breaks[place] != SENTENCE:
        if terms.kinds[place] != Kind.FUNCTION:
            found.append(place)
        if terms.kinds[place] > Kind.LIGHT:
            break
        place += 1
    behind = cue > 0 and terms.words[cue - 1] in _AUXILIARY
    closes = not found or terms.kinds[found[0]] == Kind.LIGHT or terms.words[cue] in words.negates_before
    if behind and closes:
        before = _content_before(terms, cue)
        if before is not None:
            return [before, *(found if terms.words[cue] not in words.negates_before else [])]
    return found


def _content_before(terms: Terms, place: int) -> int | None:
    for before in range(place - 1, max(-1, place - _REACH), -1):
        if terms.kinds[before] > Kind.LIGHT:
            return before
        if terms.breaks[before] == SENTENCE:
            return None
    return None


def negating(terms: Terms, place: int, words: Words) -> int | None:
    """The negation in whose reach a term stands, in the widest reading, if there is one."""
    if terms.kinds[place] == Kind.NEGATION:
        return place
    crossed = listed = False
    for cue in range(place - 1, max(-1, place - _REACH - 1), -1):
        edge = terms.breaks[cue + 1]
        if edge == SENTENCE or terms.words[cue] in words.stops or terms.kinds[cue] == Kind.NUMBER:
            break
        crossed = crossed or edge == CLAUSE
        listed = listed or terms.words[cue] in _LISTING
        if terms.kinds[cue] == Kind.NEGATION and not _closing(terms, cue, words):
            if not crossed or listed or _list_goes_on(terms, place):
                return cue
            break
    return _negated_behind(terms, place, words)


def _list_goes_on(terms: Terms, place: int) -> bool:
    """Whether "and" or "or" follows in the same sentence: no fever, cough, or chills."""
    for after in range(place + 1, min(len(terms), place + _REACH)):
        if terms.breaks[after] == SENTENCE:
            return False
        if terms.words[after] in _LISTING:
            return True
    return False


def _closing(terms: Terms, cue: int, words: Words) -> bool:
    return terms.words[cue] in words.negates_before and cue > 0 and terms.words[cue - 1] in _AUXILIARY


def _negated_behind(terms: Terms, place: int, words: Words) -> int | None:
    for cue in range(place + 1, min(len(terms), place + 7)):
        if terms.breaks[cue] == SENTENCE:
            return None
        if terms.kinds[cue] == Kind.NEGATION:
            return cue if place in _targets(terms, cue, words) else None
        if terms.kinds[cue] > Kind.LIGHT:
            return None
    return None


def check_negation(found: Alignment, words: Words) -> str:
    """A sentence saying what one side denies and the other does not, or "" where they agree."""
    quote, text, matched = found.quote, found.text, found.matched
    back = {p: q for q, p in matched.items()}
    for cue in (q for q, kind in enumerate(quote.kinds) if kind == Kind.NEGATION):
        joined = [q for q in _targets(quote, cue, words) if q in matched]
        if any(negating(text, matched[q], words) is None for q in joined) or (
            not joined and cue not in found.pairs
        ):
            return f'The quote negates ("{quote.words[cue]}") what the place does not.'
    around = range(max(0, found.first - _REACH), min(len(text), found.last + 5))
    for cue in (p for p in around if text.kinds[p] == Kind.NEGATION):
        joined = [p for p in _targets(text, cue, words) if p in back]
        if any(negating(quote, back[p], words) is None for p in joined):
            return f'The place negates ("{text.words[cue]}") what the quote does not.'
    return _check_reach(found, words)


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
    low = found.first
    while low > max(0, found.first - 2) and text.breaks[low] != SENTENCE:
        low -= 1
    joined = set(found.matched.values())
    for place in range(low, found.last + 1):
        follows = any(
            after in joined and text.kinds[after] >= Kind.CONTENT for after in range(place + 1, place + 3)
        )
        if text.kinds[place] == Kind.UNCERTAIN and place not in joined and follows:
            return f'The place doubts ("{text.words[place]}") what the quote states.'
    return ""


def cue_before(found: Alignment, words: Words) -> int | None:
    """The negation before the place that the quote repeats, so that the span can take it in."""
    if Kind.NEGATION not in found.quote.kinds:
        return None
    cues = [
        negating(found.text, p, words)
        for q, p in found.matched.items()
        if found.quote.kinds[q] == Kind.CONTENT
    ]
    before = [cue for cue in cues if cue is not None and cue < found.first]
    return min(before) if before else None
