"""Cues left outside: what denies a finding, doubts it, or says that it is a relative's."""

from __future__ import annotations

from collections.abc import Iterator

from extractors.checks.denial import check_denial
from extractors.checks.excerpt import NAMING, Excerpt, SpanWarning, listed, shown, told_behind
from extractors.model.finding import Polarity
from extractors.text.persons import kin_of
from extractors.text.terms import Terms
from extractors.text.words import Kind, load_words

_REACH = 4
_LINKS = frozenset({"and", "but", "in", "on", "at"})


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
        cue = _doubt_behind(excerpt)
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
            month = excerpt.text[excerpt.place(at, at)[0]] == "M" and at > 0
            return None if month else at
        if terms.kinds[at] > Kind.LIGHT or terms.words[at] in listed()["between"]:
            return None
    return None


def _doubt_behind(excerpt: Excerpt) -> int | None:
    """The doubt of "X was suspected", not that of "X was possibly due to Y"."""
    terms, words = excerpt.terms, load_words()
    at = excerpt.last + 1
    while at < len(terms) and terms.words[at] in words.be and not terms.breaks[at]:
        at += 1
    if at == excerpt.last + 1 or at >= len(terms) or terms.breaks[at]:
        return None
    if terms.words[at] not in listed()["doubted"]:
        return None
    ends = at + 1 == len(terms) or terms.breaks[at + 1] or terms.words[at + 1] in _LINKS
    return at if ends else None


def _check_family(excerpt: Excerpt) -> Iterator[SpanWarning]:
    """A relative outside of whom all that the span names is told."""
    terms = excerpt.terms
    kin = _relatives(excerpt)
    if not kin:
        return
    start, end = excerpt.place(_with_adjectives(terms, min(kin)), max(kin))
    relative = shown(excerpt.text[slice(*excerpt.place(min(kin), min(kin)))])
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
    told = [kin_of(terms, at, persons) for at in excerpt.named() if terms.words[at] not in persons.shared]
    return [at for one in told for at in one] if told and all(told) else []


def _with_adjectives(terms: Terms, noun: int) -> int:
    """The first term of "older sister"."""
    while noun > 0 and not terms.breaks[noun] and terms.kinds[noun - 1] in (*NAMING, Kind.NUMBER):
        noun -= 1
    return noun
