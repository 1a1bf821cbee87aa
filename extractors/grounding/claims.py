"""Whether what a quote says of a thing is said of the same thing in the place."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from extractors.grounding.align import Alignment
from extractors.text.clauses import Clause, clauses, essentials, is_border, segments, sentence_at, statements
from extractors.text.terms import CLAUSE, Terms, group
from extractors.text.words import ESSENTIAL, Grammar, Kind, Words

_OTHER = "The quote says of one thing what the text says of another"
_NEAR = 5


def check_claims(found: Alignment, words: Words) -> str:
    """Why the quote joins a subject and a predicate, or a thing and a site, that the text does not, or ""."""
    text, grammar = found.text, words.grammar
    if len(segments(text, found.first, found.last + 1, grammar)) < 2:
        return _check_turned(found, grammar)
    low, high = sentence_at(text, found.first, found.last)
    told = [clause for clause in clauses(text, low, high, grammar) if clause.verb < clause.end]
    parts = statements(found.quote, grammar)
    placed = [sorted(found.matched[q] for q in one if q in found.matched) for one in parts]
    placed = [one for one in _with_subject(found, placed, told) if one]
    everywhere = sorted({p for one in placed for p in one})
    if not everywhere:
        return ""
    if _word_for_word(found):
        return _check_bare(text, everywhere, told) or _check_ends(text, [everywhere], told, words)
    return (
        _check_clauses(text, placed, told)
        or _check_bare(text, everywhere, told)
        or _check_ends(text, placed, told, words)
        or _check_sites(text, placed, segments(text, low, high, grammar), grammar)
        or _check_turned(found, grammar)
    )


def _word_for_word(found: Alignment) -> bool:
    """Whether the place has the quote's words of weight in their order and no others."""
    return not found.moved and not any(found.text.kinds[p] in ESSENTIAL for p in found.free())


def _with_subject(found: Alignment, placed: list[list[int]], told: list[Clause]) -> list[list[int]]:
    """Statements with what stands before "with" joined to each, where it only names whom they are about."""
    subject, *others = placed or [[]]
    subjects = {place for clause in told for place in range(clause.start, clause.verb)}
    named = subject and all(
        place in subjects and group(found.text.forms[place]) != "@sex" for place in subject
    )
    if named and others and found.quote.words.count("with") == 1:
        return [[*subject, *one] for one in others]
    return placed


def _check_clauses(text: Terms, placed: list[list[int]], told: list[Clause]) -> str:
    """Why a statement that takes words from several clauses is not said in each of them."""
    for one in placed:
        touched = [clause for clause in told if any(clause.start <= p < clause.end for p in one)]
        if any(_tells(text, clause, one) for clause in touched):
            continue
        predicates = {text.forms[p] for clause in touched for p in one if clause.verb <= p < clause.end}
        for clause in touched if len(touched) > 1 else ():
            if not predicates or not predicates <= set(text.forms[clause.start : clause.end]):
                return f"{_OTHER} ({_list(text, one)})."
    return ""


def _check_bare(text: Terms, everywhere: list[int], told: list[Clause]) -> str:
    """Why a quote may not take from a clause its subject alone, beside words of another clause."""
    names = {text.forms[p] for clause in told for p in everywhere if clause.verb <= p < clause.end}
    touched = [clause for clause in told if any(clause.start <= p < clause.end for p in everywhere)]
    for clause in touched if len(touched) > 1 else ():
        own = {text.forms[p] for p in essentials(text, range(clause.verb, clause.end))}
        if own and not own & names:
            subject = [p for p in everywhere if clause.start <= p < clause.verb]
            return f"The quote leaves out what the text says of {_list(text, subject)}."
    return ""


def _tells(text: Terms, clause: Clause, places: list[int]) -> bool:
    return {text.forms[p] for p in places} <= set(text.forms[clause.start : clause.end])


def _list(text: Terms, places: list[int]) -> str:
    return ", ".join(f'"{text.words[place]}"' for place in places[:5])


def _check_ends(text: Terms, placed: list[list[int]], told: list[Clause], words: Words) -> str:
    """Why an adjective at the end of its own statement is not the next word's: "low" of "low, potassium"."""
    for one in placed:
        if any(_tells(text, clause, one) and not clause.start <= one[0] < clause.end for clause in told):
            continue
        for before, after in pairwise(one):
            borders = (p for p in range(before + 1, after + 1) if is_border(text, p, words.grammar))
            border = next(borders, None)
            if border is None or not _ends(text, range(before + 1, border), words.grammar):
                continue
            owner = _owner(text, before, words)
            if owner is not None and owner not in one and _new_subject(text, border, after, words.grammar):
                return f'{_OTHER} ("{text.words[before]}" of "{text.words[owner]}").'
    return ""


def _ends(text: Terms, behind: range, grammar: Grammar) -> bool:
    """Whether nothing of weight and no verb stands between an adjective and the border behind it."""
    return not essentials(text, behind) and all(text.words[p] not in grammar.verbs for p in behind)


def _owner(text: Terms, place: int, words: Words) -> int | None:
    """What an adjective behind its noun speaks of: liver of "liver enlarged" and of "liver was enlarged"."""
    linked = False
    closed = words.grammar.prepositions | words.grammar.determiners
    for before in range(place - 1, max(-1, place - 1 - _NEAR), -1):
        if text.breaks[before + 1] >= CLAUSE or text.words[before] in closed:
            return None
        linked = linked or text.words[before] in words.be
        if text.kinds[before] in (Kind.CONTENT, Kind.NUMBER) and (linked or before == place - 1):
            adjective = text.kinds[place] == Kind.CONTRAST or words.grammar.is_adjective(text.words[place])
            return before if linked or adjective else None
    return None


def _new_subject(text: Terms, border: int, place: int, grammar: Grammar) -> bool:
    """Whether what stands behind a border is a noun with something said of it."""
    if any(text.words[p] in grammar.prepositions for p in range(border, place)):
        return False
    if text.words[border] in grammar.determiners:
        return True
    after = place + 1
    while after < len(text) and not is_border(text, after, grammar):
        if text.kinds[after] in ESSENTIAL or text.words[after] in grammar.verbs:
            return True
        after += 1
    return False


@dataclass(frozen=True, slots=True)
class _Sited:
    """A stretch that puts a thing at a site: "ulcers" and "mouth" of "ulcers in the mouth"."""

    head: frozenset[str]
    site: frozenset[str]
    places: frozenset[int]
    of: bool


def _sited(text: Terms, part: range, grammar: Grammar) -> _Sited | None:
    at = [place for place in part if text.words[place] in grammar.sites]
    if not at:
        return None
    following = [place for place in part if place > at[0] and text.words[place] in grammar.prepositions]
    head = essentials(text, range(part.start, at[0]))
    site = essentials(text, range(at[0] + 1, following[0] if following else part.stop))
    if not head or not site:
        return None
    forms = frozenset(text.forms[p] for p in head), frozenset(text.forms[p] for p in site)
    return _Sited(*forms, frozenset(site), text.words[at[0]] == "of")


def _check_sites(text: Terms, placed: list[list[int]], parts: list[range], grammar: Grammar) -> str:
    """Why a thing has another's site: "ulcers on the face" of "rash on the face and ulcers in the mouth"."""
    split = [sited for part in parts if (sited := _sited(text, part, grammar)) is not None]
    everywhere = {text.forms[p] for one in placed for p in one}
    for one in placed:
        forms = {text.forms[p] for p in one}
        for before, after in pairwise(split):
            at_first = not before.places.isdisjoint(one) and after.head & forms and not after.site & forms
            at_second = not after.places.isdisjoint(one) and not after.of and not after.head & everywhere
            if at_first or (at_second and before.head & everywhere and not before.site & forms):
                return f"{_OTHER} ({_list(text, one)})."
    return ""


def _check_turned(found: Alignment, grammar: Grammar) -> str:
    """Why the two sides of a word such as "preceded" or "after" have changed places."""
    quote, text = found.quote, found.text
    for at, word in enumerate(quote.words):
        if word not in grammar.directed:
            continue
        there = [p for p in range(found.first, found.last + 1) if text.words[p] == word]
        left = max((q for q in found.matched if q < at and quote.kinds[q] == Kind.CONTENT), default=None)
        right = min((q for q in found.matched if q > at and quote.kinds[q] == Kind.CONTENT), default=None)
        if left is None or right is None or len(there) != 1:
            continue
        if found.matched[right] < there[0] < found.matched[left]:
            return f'What stands before and after "{word}" has changed places.'
    return ""
