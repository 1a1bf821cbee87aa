"""Clauses of a text, with subject and predicate, and the parts of a quote that speak of one thing each."""

from __future__ import annotations

from dataclasses import dataclass

from extractors.text.terms import CLAUSE, SENTENCE, Terms
from extractors.text.words import ESSENTIAL, Grammar, Kind

_RELATIVE = frozenset({"who", "which", "that", "whose", "whom"})
_PERSONS = frozenset({"he", "she", "they", "it", "patient", "who"})
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Clause:
    """Terms from `start` up to before `end`; `verb` is the first finite verb, `end` where there is none."""

    start: int
    verb: int
    end: int


def is_border(terms: Terms, place: int, grammar: Grammar) -> bool:
    """Whether a comma, colon, sentence end or conjunction stands right before a term."""
    return terms.breaks[place] >= CLAUSE or (place > 0 and terms.words[place - 1] in grammar.joining)


def is_verb(terms: Terms, place: int, grammar: Grammar) -> bool:
    """Whether a term is a finite verb; participles that may stand before a noun are none there."""
    word = terms.words[place]
    if word in grammar.verbs:
        return True
    if word not in grammar.participles or not place:
        return False
    if terms.kinds[place - 1] <= Kind.LIGHT and terms.words[place - 1] not in _PERSONS:
        return False
    after = place + 1
    ends = after >= len(terms) or bool(terms.breaks[after]) or terms.words[after] in grammar.joining
    return ends or terms.kinds[after] == Kind.FUNCTION


def sentence_at(terms: Terms, first: int, last: int) -> tuple[int, int]:
    """The sentences that hold terms `first` to `last`: first term, and the one after the last."""
    low, high = first, last + 1
    while low > max(0, first - _LONGEST) and terms.breaks[low] != SENTENCE:
        low -= 1
    while high < min(len(terms), last + _LONGEST) and terms.breaks[high] != SENTENCE:
        high += 1
    return low, high


def clauses(terms: Terms, low: int, high: int, grammar: Grammar) -> list[Clause]:
    """The clauses from term `low` up to before `high`: a new one begins where a new subject has its verb."""
    starts, verbs = [low], dict[int, int]()
    borders: list[int] = []
    for place in range(low, high):
        if place > low and terms.breaks[place] == SENTENCE:
            starts.append(place)
            borders = []
        elif place > low and is_border(terms, place, grammar):
            borders.append(place)
        if not is_verb(terms, place, grammar):
            continue
        if starts[-1] in verbs and borders:
            start = _opening(terms, borders, grammar)
            if _has_subject(terms, start, place, grammar):
                starts.append(start)
        if not (borders and terms.words[borders[-1]] in _RELATIVE):
            borders = []
        verbs.setdefault(starts[-1], place)
    ends = [*starts[1:], high]
    return [
        Clause(start, verbs.get(start, end), end)
        for start, end in zip(starts, ends, strict=True)
        if not _procedure(terms, verbs.get(start, end), end, grammar)
    ]


def _opening(terms: Terms, borders: list[int], grammar: Grammar) -> int:
    """Of the borders before a verb the one where its subject begins: red, swollen, and | the tonsils were."""
    for place in reversed(borders):
        if terms.words[place] in grammar.determiners or terms.words[place - 1] in grammar.contrary:
            return place
    for place in reversed(borders):
        if terms.words[place - 1] in grammar.joining and terms.breaks[place - 1] >= CLAUSE:
            return place
    return borders[-1]


def _has_subject(terms: Terms, start: int, verb: int, grammar: Grammar) -> bool:
    if any(terms.words[place] in _RELATIVE for place in range(start, verb)):
        return False
    named = sum(terms.kinds[place] in (Kind.CONTENT, Kind.CONTRAST) for place in range(start, verb))
    return named > (1 if terms.words[start] in grammar.prepositions else 0)


def _procedure(terms: Terms, verb: int, end: int, grammar: Grammar) -> bool:
    """Whether a clause only says that something was done, so that what comes next is its result."""
    inside = range(verb, end)
    done = any(terms.words[place] in grammar.procedures for place in inside)
    return done and not any(terms.kinds[place] in ESSENTIAL for place in inside)


def segments(terms: Terms, low: int, high: int, grammar: Grammar, *, split_with: bool = True) -> list[range]:
    """The stretches between borders and, unless told otherwise, the preposition "with"."""
    found: list[range] = []
    start = low
    for place in range(low + 1, high):
        apart = split_with and terms.words[place - 1] in ("with", "without")
        if apart or terms.words[place] in _RELATIVE or is_border(terms, place, grammar):
            found.append(range(start, place))
            start = place
    return [*found, range(start, high)] if start < high else found


def essentials(terms: Terms, inside: range) -> list[int]:
    return [place for place in inside if terms.kinds[place] in ESSENTIAL]


def statements(quote: Terms, grammar: Grammar) -> list[list[int]]:
    """The terms of weight of a quote by what is said together: a subject and each of its predicates.

    Without a verb, and where the verb adds nothing, each member of a list stands for itself.
    """
    found: list[list[int]] = []
    for clause in clauses(quote, 0, len(quote), grammar):
        parts = segments(quote, clause.verb, clause.end, grammar)
        listed = [one for part in parts if (one := essentials(quote, part))]
        subject = essentials(quote, range(clause.start, clause.verb))
        if clause.verb < clause.end and listed:
            found += [[*subject, *one] for one in listed]
        else:
            parts = segments(
                quote, clause.start, clause.end, grammar, split_with=quote.words.count("with") < 2
            )
            found += [one for part in parts if (one := essentials(quote, part))]
    return found
