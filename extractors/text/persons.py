"""Of whom a text tells something: the patient, or a relative."""

from __future__ import annotations

from extractors.text.terms import CLAUSE, SENTENCE, Terms
from extractors.text.words import Kind, Persons

REACH, PHRASE = 40, 6
_PART_OF = frozenset({"all", "both", "none", "some", "several", "most", "neither", "either"})
_JOINING = frozenset({"and", "or"})


def relatives_of(terms: Terms, place: int, persons: Persons) -> tuple[int, ...]:
    """The relatives, as terms, of whom the sentence tells the term at `place`; () where of the patient.

    They stand behind it ("diabetes in her mother"), with it ("maternal diabetes") or are the subject of its
    clause, which is looked for from the term back to the beginning of the sentence.
    """
    behind = _relative_behind(terms, place, persons)
    if behind is not None:
        return (behind,)
    if _is_subject(terms, place, persons):
        start = _phrase_start(terms, place, persons)
        if not _hangs_on(terms, start, persons):
            return _named_in(terms, start, place, persons)
    at = place
    while at > max(0, place - REACH) and terms.breaks[at] != SENTENCE:
        at -= 1
        word = terms.words[at]
        if word in persons.kin and _leads(terms, at, persons):
            return _joint(terms, at, persons)
        if word in persons.patient and not _hangs_on(terms, at, persons) and not _owns(terms, at):
            return ()
        if word in persons.verbs and _has_noun_before(terms, at, persons):
            start = _phrase_start(terms, at - 1, persons)
            if not _hangs_on(terms, start, persons):
                return _named_in(terms, start, at - 1, persons)
    return ()


def _relative_behind(terms: Terms, place: int, persons: Persons) -> int | None:
    """The relative in or of whom something is: seizures in two older brothers."""
    at, end = place + 1, min(len(terms), place + PHRASE)
    while at < end and not terms.breaks[at] and terms.kinds[at] != Kind.FUNCTION:
        if terms.words[at] in persons.verbs:
            return None
        at += 1
    if at >= end or terms.breaks[at] or terms.words[at] not in persons.within:
        return None
    for relative in range(at + 1, min(len(terms), at + PHRASE)):
        word = terms.words[relative]
        if terms.breaks[relative] or word in persons.verbs or word in _JOINING or word in persons.patient:
            return None
        if word in persons.kin:
            return relative
    return None


def _is_subject(terms: Terms, place: int, persons: Persons) -> bool:
    """Whether the phrase of a term is followed by a verb: the blood pressure was."""
    for at in range(place + 1, min(len(terms), place + PHRASE)):
        if terms.breaks[at]:
            return False
        if terms.words[at] in persons.verbs:
            return True
        if terms.kinds[at] in (Kind.FUNCTION, Kind.NEGATION):
            return False
    return False


def _has_noun_before(terms: Terms, verb: int, persons: Persons) -> bool:
    """Whether a verb has a subject of its own right before it, other than a person or "who"."""
    if verb == 0 or terms.breaks[verb]:
        return False
    word = terms.words[verb - 1]
    named = terms.kinds[verb - 1] in (Kind.LIGHT, Kind.CONTENT, Kind.UNIT, Kind.CONTRAST, Kind.NUMBER)
    return named and word not in persons.kin and word not in persons.patient and word not in persons.verbs


def _phrase_start(terms: Terms, place: int, persons: Persons) -> int:
    """The first term of the noun phrase that a term stands in: mother's blood pressure."""
    while place > 0 and not terms.breaks[place]:
        before = terms.words[place - 1]
        if before in persons.verbs or (terms.kinds[place - 1] == Kind.FUNCTION and before != "s"):
            break
        place -= 1
    return place


def _named_in(terms: Terms, start: int, end: int, persons: Persons) -> tuple[int, ...]:
    named = [at for at in range(start, end + 1) if terms.words[at] in persons.kin]
    return (named[-1],) if named else ()


def _leads(terms: Terms, relative: int, persons: Persons) -> bool:
    """Whether a sentence tells something of a relative, who is not only mentioned or quoted in it."""
    after = [at for at in range(relative + 1, min(len(terms), relative + 3)) if terms.breaks[at] != SENTENCE]
    words = [terms.words[at] for at in after]
    following = next((at for at in after if terms.words[at] != "s"), None)
    if following is not None and not terms.breaks[following]:
        word = terms.words[following]
        if word in persons.kin or word in persons.trades:
            return False
    if words and words[0] in persons.relating:
        return True
    if not persons.reporting.isdisjoint(words):
        return False
    return not _hangs_on(terms, relative, persons)


def _hangs_on(terms: Terms, place: int, persons: Persons) -> bool:
    """Whether a preposition before a noun makes it part of something else: accompanied by his mother."""
    for at in range(place, max(0, place - PHRASE), -1):
        before = terms.words[at - 1]
        if terms.breaks[at] or before in persons.verbs:
            return False
        if before in persons.aside:
            counted = at >= 2 and (terms.kinds[at - 2] == Kind.NUMBER or terms.words[at - 2] in _PART_OF)
            return not (before == "of" and counted)
    return False


def _owns(terms: Terms, place: int) -> bool:
    """Whether a noun is a possessor only: the boy's mother."""
    return place + 1 < len(terms) and terms.words[place + 1] == "s"


def _joint(terms: Terms, relative: int, persons: Persons) -> tuple[int, ...]:
    """A relative and those named with it, "mother and father"; () where the patient is one of them."""
    heads, joined = [relative], False
    for at in range(relative - 1, max(-1, relative - 2 * PHRASE), -1):
        word = terms.words[at]
        if terms.breaks[at + 1] > CLAUSE or (terms.kinds[at] > Kind.LIGHT and word not in persons.kin):
            break
        joined = joined or word in _JOINING or bool(terms.breaks[at + 1])
        if joined and word in persons.patient:
            return ()
        if joined and word in persons.kin:
            heads.append(at)
    return tuple(heads)
