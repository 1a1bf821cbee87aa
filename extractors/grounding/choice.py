"""Which of several equally good places of a quote is meant: looked up in order, never searched through."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from extractors.grounding.index import Span, TextIndex
from extractors.model.document import Section

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
