"""A text made ready for looking up many quotes, and which of several equally good places is meant."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from extractors.model.document import Section
from extractors.text.boundaries import cuts_number, is_edge
from extractors.text.terms import Terms, read_terms
from extractors.text.tokens import Tokens, tokenise
from extractors.text.words import Kind, Words, differ_by_prefix, load_words, spelled_alike

Span = tuple[int, int]
_LAST_WORD = re.compile(r"(\bnegative\s+for|[^\W\d_]+)\s+$", re.IGNORECASE)
_LONGEST_PREFIX, _LONGEST_TAIL = 8, 40


class TextIndex:
    """What the searches need to know of a text, each part worked out once, when first asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def words(self) -> Words:
        return load_words()

    @cached_property
    def tokens(self) -> Tokens:
        return tokenise(self.text)

    @cached_property
    def terms(self) -> Terms:
        return read_terms(self.tokens, self.words)

    @cached_property
    def postings(self) -> dict[str, list[int]]:
        """Canonical form -> the terms that have it, in text order."""
        found: dict[str, list[int]] = {}
        for place, form in enumerate(self.terms.forms):
            found.setdefault(form, []).append(place)
        return found

    @cached_property
    def _by_letters(self) -> dict[str, list[str]]:
        """Content forms by their first letter, for spelling variants."""
        found: dict[str, list[str]] = {}
        for form, places in self.postings.items():
            if self.terms.kinds[places[0]] == Kind.CONTENT and len(form) > 6:
                found.setdefault(form[0], []).append(form)
        return found

    def term_at(self, offset: int) -> int:
        """The first term that begins at or behind a code point."""
        return bisect_left(self.terms.firsts, bisect_left(self.tokens.starts, offset))

    def negated_before(self, offset: int) -> bool:
        """Whether the word right before a code point negates what follows it."""
        if not offset or not self.text[offset - 1].isspace():
            return False
        before = _LAST_WORD.search(self.text, max(0, offset - 40), offset)
        if before is None:
            return False
        word = before.group(1).casefold()
        return self.words.canonical(word)[1] == Kind.NEGATION or word == "negative for"

    def respelled(self, form: str) -> str:
        """The text's own spelling of a content form that the text does not have, or the form itself."""
        if form in self.postings or len(form) < 7:
            return form
        alike = [
            other for other in self._by_letters.get(form[0], ()) if spelled_alike(form, other, self.words)
        ]
        return alike[0] if len(alike) == 1 else form

    def find_exact(self, quote: str) -> list[Span]:
        """Every place between token edges where the text has the very characters of the quote."""
        text, length, found = self.text, len(quote), list[Span]()
        place = text.find(quote)
        while place >= 0:
            if is_edge(text, place):
                if is_edge(text, place + length):
                    found.append((place, place + length))
                    place = text.find(quote, place + length)
                    continue
                place = text.find(quote, place + 1)
            else:
                place = text.find(quote, self._next_start(place))
        return found

    def _next_start(self, place: int) -> int:
        """The next offset where a token begins: one long token is not searched letter by letter."""
        size = len(self.text)
        place += 1
        while place < size and not is_edge(self.text, place):
            place += 1
        return place

    def find_inside(self, quote: str) -> list[Span]:
        """Places with the very characters of the quote that cut a word, where the rest keeps its meaning."""
        text, length, found = self.text, len(quote), list[Span]()
        place = text.find(quote)
        while place >= 0:
            end = place + length
            if not cuts_number(text, place) and not cuts_number(text, end) and not self._turned(place):
                found.append((place, end))
            place = text.find(quote, end)
        return found

    def _turned(self, place: int) -> bool:
        """Whether a cut at `place` leaves the opposite of the word it cuts: ab|normal, a|symptomatic."""
        start, end = place, place
        while start > max(0, place - _LONGEST_PREFIX) and self.text[start - 1].isalpha():
            start -= 1
        if start in (place, place - _LONGEST_PREFIX):
            return False
        while end < min(len(self.text), place + _LONGEST_TAIL) and self.text[end].isalpha():
            end += 1
        whole = self.text[start:end].casefold()
        return differ_by_prefix(whole, whole[place - start :], self.words.opposed)

    def find_normalised(self, key: str) -> list[Span]:
        """Every place between token edges whose key is `key`."""
        tokens, found = self.tokens, list[Span]()
        if not key:
            return found
        place = tokens.key.find(key)
        while place >= 0:
            end = place + len(key)
            first, last = tokens.token_at(place), tokens.token_at(end - 1)
            begins = tokens.places[first] == place
            if begins and tokens.places[last] + len(tokens.norms[last]) == end:
                span = tokens.starts[first], tokens.ends[last]
                if is_edge(self.text, span[0]) and is_edge(self.text, span[1]):
                    found.append(span)
                    place = tokens.key.find(key, end)
                    continue
            after = first + 1
            place = tokens.key.find(key, tokens.places[after]) if after < len(tokens.places) else -1
        return found


_ROLES = ("case", "background", "excluded")


class SectionMap:
    """The sections of a text by offset."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._sections = sorted(sections, key=lambda section: section.start)
        self._starts = [section.start for section in self._sections]

    def at(self, offset: int) -> Section | None:
        """The section that holds a code point, if any."""
        section = self._sections[bisect_right(self._starts, offset) - 1] if self._sections else None
        return section if section is not None and section.start <= offset < section.end else None


class Places:
    """The places of one quote, two or more, ranked once.

    Places without a negation before them come first, then those in case, background, excluded sections.
    """

    def __init__(self, spans: Sequence[Span], index: TextIndex, sections: SectionMap) -> None:
        ranked: dict[tuple[bool, int], list[Span]] = {}
        for span in sorted(spans):
            section = sections.at(span[0])
            role = 0 if section is None else _ROLES.index(section.role)
            ranked.setdefault((index.negated_before(span[0]), role), []).append(span)
        self.groups = [ranked[rank] for rank in sorted(ranked)]
        self._spans = sorted(spans)

    def best(self) -> Span:
        """The first place of the best rank."""
        return self.groups[0][0]

    def closest(self, near: int) -> Span:
        """The place that begins closest to an offset; of two equally close ones the first."""
        after = bisect_left(self._spans, (near,))
        candidates = self._spans[after : after + 1]
        if after:
            candidates.append(self._spans[bisect_left(self._spans, (self._spans[after - 1][0],))])
        return min(candidates, key=lambda span: (abs(span[0] - near), span))


class Turns:
    """The places of one quote in the order in which repeats of it take them.

    `used` counts how often each place was taken by any quote, and is kept by the caller. Every place is
    passed over at most once per round, so that n repeats over n places take about n steps, not n times n.
    """

    def __init__(self, places: Places, used: Mapping[Span, int]) -> None:
        self._groups = places.groups
        self._used = used
        self._round = 0
        self._open = self._all_open()

    def next(self, follows: int, section_start: int) -> Span:
        """The least used place of the best rank: the first one from `follows` on.

        Where there is none, the first in the section that begins at `section_start`, else the first of all.
        """
        while True:
            for number in range(len(self._groups)):
                for offset in (follows, section_start, 0):
                    found = self._first(number, offset)
                    if found is not None:
                        return found
            self._round = min(self._used.get(span, 0) for group in self._groups for span in group)
            self._open = self._all_open()

    def _all_open(self) -> list[list[int]]:
        """For every place of a group the next one, itself included, that may still be open in this round."""
        return [list(range(len(group) + 1)) for group in self._groups]

    def _first(self, number: int, offset: int) -> Span | None:
        group, following = self._groups[number], self._open[number]
        place = _resolved(following, bisect_left(group, (offset,)))
        while place < len(group) and self._used.get(group[place], 0) > self._round:
            following[place] = place + 1
            place = _resolved(following, place)
        return group[place] if place < len(group) else None


def _resolved(following: list[int], place: int) -> int:
    """The end of the chain that begins at `place`; the chain is halved on the way."""
    while following[place] != place:
        following[place] = following[following[place]]
        place = following[place]
    return place
