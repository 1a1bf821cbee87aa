"""What a negation reaches, ahead, behind it, and over lists, and what a word of doubt does."""

from __future__ import annotations

from itertools import pairwise

from extractors.text.terms import CLAUSE, SENTENCE, Terms
from extractors.text.words import Kind, Words

REACH, _REACH_BACK = 12, 16
LISTING = frozenset({"or", "and", "nor"})
_ALTERNATIVES = frozenset({"or", "nor"})
# How many terms before what it speaks of a doubt may stand, and how many small words may lead to one behind.
_DOUBTED = 2
_LINKS = frozenset({"and", "but", "in", "on", "at"})


def targets(terms: Terms, cue: int, words: Words) -> list[int]:
    """The terms a negation surely speaks of: those up to the first word of content, or what it follows."""
    found: list[int] = []
    place = cue + 1
    while place < len(terms) and place <= cue + REACH and terms.breaks[place] != SENTENCE:
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


def members(terms: Terms, cue: int, words: Words) -> list[int]:
    """The other members of the list that a negation speaks of: chills of "no fever or chills"."""
    found: list[int] = []
    listing = _ALTERNATIVES if terms.words[cue] not in words.grammar.denying else LISTING
    joined = False
    for place in range(cue + 1, min(len(terms), cue + REACH)):
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
    for before in range(place - 1, max(-1, place - REACH), -1):
        if terms.kinds[before] > Kind.LIGHT:
            return before
        if terms.breaks[before] >= CLAUSE:
            return None
    return None


def negating(terms: Terms, place: int, words: Words) -> int | None:
    """The negation in whose reach a term stands, in the widest reading, if there is one."""
    if terms.kinds[place] == Kind.NEGATION:
        return place
    before = range(place - 1, max(-1, place - REACH - 1), -1)
    sure = (
        cue for cue in before if terms.kinds[cue] == Kind.NEGATION and place in targets(terms, cue, words)
    )
    cue = next(sure, None)
    return _reaching(terms, place, words) if cue is None else cue


def may_negate(terms: Terms, place: int, words: Words) -> bool:
    """Whether any reading puts a term under a negation, a list with commas alone (no fever, chills) too."""
    if negating(terms, place, words) is not None:
        return True
    for before in range(place - 1, max(-1, place - REACH - 1), -1):
        if terms.breaks[before + 1] == SENTENCE:
            return False
        if terms.kinds[before] == Kind.NEGATION:
            return True
        if terms.words[before] in words.stops:
            return False
    return False


def _reaching(terms: Terms, place: int, words: Words) -> int | None:
    crossed = listed = False
    for cue in range(place - 1, max(-1, place - REACH - 1), -1):
        edge = terms.breaks[cue + 1]
        if edge == SENTENCE:
            break
        crossed = crossed or edge == CLAUSE
        listed = listed or terms.words[cue] in LISTING
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
    for after in range(place + 1, min(len(terms), place + REACH)):
        if terms.breaks[after] == SENTENCE:
            return False
        if terms.words[after] in LISTING:
            return True
    return False


def _negated_behind(terms: Terms, place: int, words: Words) -> int | None:
    """The negation that follows a term or the list it stands in: fever and cough were absent."""
    for cue in range(place + 1, min(len(terms), place + _REACH_BACK)):
        if terms.breaks[cue] == SENTENCE:
            return None
        if terms.kinds[cue] == Kind.NEGATION:
            before = _content_before(terms, cue)
            return cue if before is not None and before in targets(terms, cue, words) else None
        follows = cue + 1 < len(terms) and terms.kinds[cue + 1] == Kind.NEGATION
        if terms.words[cue] in words.stops and not follows:
            return None
    return None


def doubled(terms: Terms, low: int, high: int) -> bool:
    """Whether two negations stand so close that one undoes the other: not excluded, no lack of."""
    cues = [i for i in range(low, high) if terms.kinds[i] == Kind.NEGATION]
    return any(
        right - left <= 2
        and not any(terms.breaks[left + 1 : right + 1])
        and all(terms.kinds[i] <= Kind.LIGHT for i in range(left + 1, right))
        for left, right in pairwise(cues)
    )


def doubting(terms: Terms, place: int, words: Words) -> int | None:
    """The word of doubt that speaks of a term, if one does.

    That of "possible lobar pneumonia" or, of each word of a subject, "pneumonia of the lobe was suspected".
    """
    for cue in range(place - 1, max(-1, place - _DOUBTED - 1), -1):
        if terms.breaks[cue + 1] == SENTENCE or terms.words[cue] in words.stops:
            break
        stated = cue > 0 and terms.words[cue - 1] in words.be and _ends_at(terms, cue)
        if terms.kinds[cue] == Kind.UNCERTAIN and not stated:
            return cue
    borders = words.stops | words.grammar.verbs | LISTING
    for last in range(place, min(len(terms) - 1, place + REACH)):
        if terms.breaks[last + 1]:
            break
        if terms.words[last + 1] in words.be:
            return doubt_behind(terms, last, words)
        if terms.words[last + 1] in borders:
            break
    return None


def doubt_behind(terms: Terms, last: int, words: Words) -> int | None:
    """The doubt right behind the last term of "X was suspected", not that of "X was possibly due to Y"."""
    at = last + 1
    while (
        at < len(terms) and not terms.breaks[at] and terms.kinds[at] <= Kind.LIGHT and at - last <= _DOUBTED
    ):
        at += 1
    linked = words.be.intersection(terms.words[last + 1 : at])
    if not linked or at >= len(terms) or terms.breaks[at] or terms.words[at] not in words.doubted:
        return None
    return at if _ends_at(terms, at) else None


def _ends_at(terms: Terms, place: int) -> bool:
    """Whether nothing goes on behind a term that it could speak of."""
    following = place + 1
    return following == len(terms) or bool(terms.breaks[following]) or terms.words[following] in _LINKS
