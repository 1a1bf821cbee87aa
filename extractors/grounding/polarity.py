"""Whether a quote and a place deny, doubt and state the same things."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from extractors.grounding.align import Alignment
from extractors.text.terms import CLAUSE, SENTENCE, Terms
from extractors.text.words import Kind, Words

_REACH, _REACH_BACK = 12, 16
_LISTING = frozenset({"or", "and", "nor"})
_ALTERNATIVES = frozenset({"or", "nor"})


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
    if not _looks_back(terms, cue, words, found):
        return found
    before = _content_before(terms, cue)
    own = [] if terms.words[cue] in words.negates_before else found
    return own if before is None else [before, *own]


def _listed(terms: Terms, cue: int, words: Words) -> list[int]:
    """The other members of the list that a negation speaks of: chills of "no fever or chills"."""
    found: list[int] = []
    listing = _ALTERNATIVES if terms.words[cue] not in words.grammar.denying else _LISTING
    joined = False
    for place in range(cue + 1, min(len(terms), cue + _REACH)):
        word = terms.words[place]
        if terms.breaks[place] == SENTENCE or word in words.stops or terms.kinds[place] > Kind.CONTRAST:
            break
        joined = joined or word in listing
        if joined and terms.kinds[place] == Kind.CONTENT:
            found.append(place)
            joined = False
    return found


def _looks_back(terms: Terms, cue: int, words: Words, ahead: list[int]) -> bool:
    """Whether a negation speaks of what stands before it: "was absent", "not found", or nothing follows."""
    if cue == 0 or terms.breaks[cue] >= CLAUSE:
        return False
    if not ahead:
        return True
    behind = terms.words[cue - 1] in words.be
    if terms.words[cue] in words.negates_before:
        return behind
    return terms.words[cue] == "not" and terms.kinds[ahead[0]] == Kind.LIGHT


def _content_before(terms: Terms, place: int) -> int | None:
    for before in range(place - 1, max(-1, place - _REACH), -1):
        if terms.kinds[before] > Kind.LIGHT:
            return before
        if terms.breaks[before] >= CLAUSE:
            return None
    return None


def negating(terms: Terms, place: int, words: Words) -> int | None:
    """The negation in whose reach a term stands, in the widest reading, if there is one."""
    if terms.kinds[place] == Kind.NEGATION:
        return place
    before = range(place - 1, max(-1, place - _REACH - 1), -1)
    sure = (
        cue for cue in before if terms.kinds[cue] == Kind.NEGATION and place in _targets(terms, cue, words)
    )
    cue = next(sure, None)
    return _reaching(terms, place, words) if cue is None else cue


def _may_negate(terms: Terms, place: int, words: Words) -> bool:
    """Whether any reading puts a term under a negation, a list with commas alone (no fever, chills) too."""
    if negating(terms, place, words) is not None:
        return True
    for before in range(place - 1, max(-1, place - _REACH - 1), -1):
        if terms.breaks[before + 1] == SENTENCE:
            return False
        if terms.kinds[before] == Kind.NEGATION:
            return True
        if terms.words[before] in words.stops:
            return False
    return False


def _reaching(terms: Terms, place: int, words: Words) -> int | None:
    crossed = listed = False
    for cue in range(place - 1, max(-1, place - _REACH - 1), -1):
        edge = terms.breaks[cue + 1]
        if edge == SENTENCE:
            break
        crossed = crossed or edge == CLAUSE
        listed = listed or terms.words[cue] in _LISTING
        if terms.kinds[cue] == Kind.NEGATION:
            looks_back = (
                _looks_back(terms, cue, words, [cue + 1]) and terms.words[cue] in words.negates_before
            )
            if not looks_back and (not crossed or listed or _list_goes_on(terms, place)):
                return cue
            break
        stops = terms.words[cue] in words.stops or terms.kinds[cue] == Kind.NUMBER
        if stops and (cue == 0 or terms.kinds[cue - 1] != Kind.NEGATION):
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


def _negated_behind(terms: Terms, place: int, words: Words) -> int | None:
    """The negation that follows a term or the list it stands in: fever and cough were absent."""
    for cue in range(place + 1, min(len(terms), place + _REACH_BACK)):
        if terms.breaks[cue] == SENTENCE:
            return None
        if terms.kinds[cue] == Kind.NEGATION:
            before = _content_before(terms, cue)
            return cue if before is not None and before in _targets(terms, cue, words) else None
        follows = cue + 1 < len(terms) and terms.kinds[cue + 1] == Kind.NEGATION
        if terms.words[cue] in words.stops and not follows:
            return None
    return None


def _sentence_around(found: Alignment) -> tuple[int, int]:
    """The place with up to two terms on either side, within its sentence (last one excluded)."""
    low, high, breaks = found.first, found.last, found.text.breaks
    while low > max(0, found.first - 2) and breaks[low] != SENTENCE:
        low -= 1
    while high + 1 < min(len(breaks), found.last + 3) and breaks[high + 1] != SENTENCE:
        high += 1
    return low, high + 1


def _doubled(terms: Terms, low: int, high: int) -> bool:
    """Whether two negations stand so close that one undoes the other: not excluded, no lack of."""
    cues = [i for i in range(low, high) if terms.kinds[i] == Kind.NEGATION]
    return any(
        right - left <= 2
        and not any(terms.breaks[left + 1 : right + 1])
        and all(terms.kinds[i] <= Kind.LIGHT for i in range(left + 1, right))
        for left, right in pairwise(cues)
    )


def check_negation(found: Alignment, words: Words) -> str:
    """A sentence saying what one side denies and the other does not, or "" where they agree."""
    quote, text, matched = found.quote, found.text, found.matched
    back = {p: q for q, p in matched.items()}
    for cue in (q for q, kind in enumerate(quote.kinds) if kind == Kind.NEGATION):
        joined = [q for q in _targets(quote, cue, words) if q in matched]
        listed = [q for q in _listed(quote, cue, words) if q in matched]
        if (
            any(negating(text, matched[q], words) is None for q in joined)
            or any(not _may_negate(text, matched[q], words) for q in listed)
            or (not joined and cue not in found.pairs)
        ):
            return f'The quote negates ("{quote.words[cue]}") what the place does not.'
    around = range(max(0, found.first - _REACH), min(len(text), found.last + 5))
    for cue in (p for p in around if text.kinds[p] == Kind.NEGATION):
        joined = [p for p in _targets(text, cue, words) if p in back]
        listed = [p for p in _listed(text, cue, words) if p in back]
        if any(negating(quote, back[p], words) is None for p in joined) or any(
            not _may_negate(quote, back[p], words) for p in listed
        ):
            return f'The place negates ("{text.words[cue]}") what the quote does not.'
    if _doubled(quote, 0, len(quote)) != _doubled(text, *_sentence_around(found)):
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
    joined = terms.breaks[between.stop] >= CLAUSE or any(terms.words[p] in _LISTING for p in between)
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
