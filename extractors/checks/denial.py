"""Cues left outside: what denies a finding, doubts it, or says that it is a relative's."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from extractors.checks.excerpt import NAMING, Excerpt, SpanWarning, listed, shown, told_behind
from extractors.model.finding import Polarity
from extractors.text.negation import doubt_behind, negating
from extractors.text.persons import relatives_of
from extractors.text.terms import CLAUSE, Terms
from extractors.text.words import Kind, load_words

# How many terms behind a member of a list its "or" may stand.
_LISTED = 8
# "Did not improve and his weight fell": another subject.
_OWNERS = frozenset({"his", "her", "their", "its"})
_ALTERNATIVES = frozenset({"or", "nor"})


def check_denial(excerpt: Excerpt) -> list[SpanWarning]:
    """A negation outside that reaches all that the span names."""
    terms, named = excerpt.terms, excerpt.named()
    if not named:
        return []
    if _beheaded(excerpt):
        return [_beginning(excerpt, excerpt.first - 1, None if _tells(excerpt) else "negated")]
    if excerpt.has(Kind.NEGATION):
        return []
    told = _tells(excerpt)
    behind = told_behind("behind").match(excerpt.text, excerpt.end, excerpt.sentence_end)
    if behind and not told:
        place = excerpt.widened(excerpt.end, behind.end())
        return [_denied(excerpt, behind.group(1), place, "negated")]
    cues = [negating(terms, at, load_words()) for at in named]
    outside = [cue for cue in cues if cue is not None and _reaches(excerpt, cue)]
    if len(outside) < len(cues):
        return []
    low, high = min(outside), max(outside)
    if high > excerpt.last:
        high = _with_participle(terms, high)
        if told or _has_object(terms, high):
            return []
    start, end = excerpt.place(low, high)
    cue = low if low < excerpt.first else high
    return [
        _denied(
            excerpt,
            excerpt.text[slice(*excerpt.place(cue, cue))],
            excerpt.widened(start, end),
            None if _undecided(terms, low) else "negated",
        )
    ]


def _beheaded(excerpt: Excerpt) -> bool:
    """Whether a negation stands right before a span that does not begin with another."""
    kinds, cue = excerpt.terms.kinds, excerpt.first - 1
    if cue < 0 or kinds[cue] != Kind.NEGATION or kinds[excerpt.first] == Kind.NEGATION:
        return False
    return not excerpt.terms.breaks[excerpt.first] and _reaches(excerpt, cue)


def _beginning(excerpt: Excerpt, cue: int, polarity: Polarity | None) -> SpanWarning:
    start, end = excerpt.place(cue, cue)
    decided = None if _undecided(excerpt.terms, cue) else polarity
    return _denied(excerpt, excerpt.text[start:end], excerpt.widened(start, end), decided)


def _denied(excerpt: Excerpt, cue: str, place: tuple[int, int], polarity: Polarity | None) -> SpanWarning:
    return SpanWarning(
        "negation outside", f"{shown(cue)} belongs to this and is left outside.", *place, polarity
    )


def _reaches(excerpt: Excerpt, cue: int) -> bool:
    """Whether the reach that grounding gives a negation, in the widest reading, is the likely one here."""
    terms, lists = excerpt.terms, listed()
    if cue < excerpt.first:
        low, high = cue, excerpt.first
        between = excerpt.text[excerpt.place(low, low)[0] : excerpt.start]
    else:
        low, high = excerpt.last, cue
        between = excerpt.text[excerpt.end : excerpt.place(high, high)[0]]
    if not lists["turning"].isdisjoint(terms.words[low : high + 1]) or any(sign in between for sign in "|\t"):
        return False
    if _brackets_differ(between):
        return False
    if cue > excerpt.last:
        return _is_predicate(terms, excerpt.last + 1, cue)
    # "Non-blanching papules": what is denied is the adjective.
    adjective = terms.words[cue].startswith("non") and terms.words[cue] != "none"
    if adjective or terms.words[cue + 1] in lists["partial"]:
        return False
    if _joined_apart(terms.words[cue : excerpt.first + 1]):
        return False
    comma = any(at == CLAUSE for at in terms.breaks[cue + 1 : excerpt.first + 1])
    if not comma:
        return True
    after = terms.words[excerpt.last + 1 : excerpt.last + 1 + _LISTED]
    if load_words().grammar.verbs.intersection(after[:1]):
        return False
    alternative = not _ALTERNATIVES.isdisjoint(terms.words[cue : excerpt.first] + after)
    return alternative or not _undecided(terms, cue)


def _joined_apart(words: list[str]) -> bool:
    """Whether "and" between a negation (the first word) and a span begins something else.

    "Did not improve and his weight fell", "not aerated and filled with fluid".
    """
    after = [second for first, second in pairwise(words) if first == "and"]
    return bool(after) and (words[0] == "not" or not _OWNERS.isdisjoint(after))


def _is_predicate(terms: Terms, first: int, cue: int) -> bool:
    """Whether a negation behind stands right at the verb: not "are features of a disease not seen"."""
    verbs = load_words().grammar.verbs
    verb = next((at for at in range(first, cue) if terms.words[at] in verbs), cue)
    return not any(kind in NAMING for kind in terms.kinds[verb + 1 : cue])


def _brackets_differ(between: str) -> bool:
    return between.count("(") != between.count(")") or between.count("[") != between.count("]")


def _tells(excerpt: Excerpt) -> bool:
    """Whether the span has a verb or is what is told of something, so that no verb behind it is its own."""
    words = load_words()
    before = excerpt.terms.words[max(0, excerpt.first - 1) : excerpt.last + 1]
    return not words.grammar.verbs.isdisjoint(before)


def _with_participle(terms: Terms, cue: int) -> int:
    """The last term of "not found", which the cue "not" begins."""
    following = cue + 1
    goes_on = following < len(terms) and not terms.breaks[following]
    return following if goes_on and terms.kinds[following] == Kind.LIGHT else cue


def _has_object(terms: Terms, verb: int) -> bool:
    """Whether a noun follows that is denied instead: "electrophoresis did not reveal M-protein"."""
    following = verb + 1
    if following >= len(terms) or terms.breaks[following]:
        return False
    determined = terms.words[following] in load_words().grammar.determiners
    return determined or terms.kinds[following] in NAMING


def _undecided(terms: Terms, cue: int) -> bool:
    """Whether the finding may well be there in spite of the negation: unable to walk, could not walk."""
    first = terms.words[cue].partition(" ")[0]
    before = terms.words[cue - 1] if cue else ""
    return first in listed()["undecided"] or (first == "not" and before in listed()["ability"])


_REACH = 4


def check_cues(excerpt: Excerpt, polarity: Polarity) -> Iterator[SpanWarning]:
    """Warnings on cues left outside a span; denial and doubt only where it is taken as present."""
    if polarity == "present":
        yield from _check_doubt(excerpt) or check_denial(excerpt)
    yield from _check_family(excerpt)


def _check_doubt(excerpt: Excerpt) -> list[SpanWarning]:
    """A word of doubt right before the span or behind it."""
    if not excerpt.named() or excerpt.has(Kind.UNCERTAIN):
        return []
    left_open = told_behind("open").match(excerpt.text, excerpt.end, excerpt.sentence_end)
    if left_open:
        return [_doubted(excerpt, left_open.group(1), excerpt.end, left_open.end())]
    cue = _doubt_before(excerpt)
    if cue is None:
        cue = doubt_behind(excerpt.terms, excerpt.last, load_words())
    if cue is None:
        return []
    start, end = excerpt.place(cue, cue)
    return [_doubted(excerpt, excerpt.text[start:end], start, end)]


def _doubted(excerpt: Excerpt, cue: str, start: int, end: int) -> SpanWarning:
    place = excerpt.widened(start, end)
    return SpanWarning(
        "uncertainty outside", f"{shown(cue)} doubts this and is left outside.", *place, "uncertain"
    )


def _doubt_before(excerpt: Excerpt) -> int | None:
    terms = excerpt.terms
    for at in range(excerpt.first - 1, max(-1, excerpt.first - 1 - _REACH), -1):
        if terms.breaks[at + 1]:
            return None
        if terms.kinds[at] == Kind.UNCERTAIN:
            return at
        if terms.kinds[at] > Kind.LIGHT or terms.words[at] in listed()["between"]:
            return None
    return None


def _check_family(excerpt: Excerpt) -> Iterator[SpanWarning]:
    """A relative outside of whom all that the span names is told."""
    terms = excerpt.terms
    relatives = _relatives(excerpt)
    if not relatives:
        return
    start, end = excerpt.place(_with_adjectives(terms, min(relatives)), max(relatives))
    relative = shown(excerpt.text[slice(*excerpt.place(min(relatives), min(relatives)))])
    place = excerpt.widened(start, end)
    yield SpanWarning("family outside", f"It is said of {relative}, left outside.", *place)


def _relatives(excerpt: Excerpt) -> list[int]:
    """The terms outside that name whom the span tells of, none where one is named within."""
    terms, persons = excerpt.terms, load_words().persons
    if persons.kin.isdisjoint(terms.words) or excerpt.first > excerpt.last:
        return []
    before = excerpt.first - 1
    goes_on = before >= 0 and not terms.breaks[excerpt.first]
    if goes_on and terms.words[before] in persons.kin and terms.words[excerpt.first] in persons.verbs:
        return [before]
    if not persons.kin.isdisjoint(terms.words[excerpt.first : excerpt.last + 1]):
        return []
    relatives = [
        relatives_of(terms, at, persons) for at in excerpt.named() if terms.words[at] not in persons.shared
    ]
    return [at for one in relatives for at in one] if relatives and all(relatives) else []


def _with_adjectives(terms: Terms, noun: int) -> int:
    """The first term of "older sister"."""
    while noun > 0 and not terms.breaks[noun] and terms.kinds[noun - 1] in (*NAMING, Kind.NUMBER):
        noun -= 1
    return noun
