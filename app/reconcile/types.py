"""What two sides say of a report, and where they differ: plain frozen data, no store and no window."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Literal

from extractors.model.coding import Coding
from extractors.model.finding import Finding

# How a group of quotes of two sides stands to each other. "same": place, category and polarity (of a quote
# that came without a place, one of those where its words stand); "polarity": the same place and category,
# another polarity; "concept": the same, but it stands for something else; "boundary": one category,
# overlapping places; "label": the same or nearly the same place, another category; "missing": one side alone.
Relation = Literal["same", "boundary", "label", "polarity", "concept", "missing"]
KINDS: tuple[Relation, ...] = ("missing", "boundary", "label", "polarity", "concept")
_WORD = re.compile(r"\w+")


def words_of(text: str) -> tuple[str, ...]:
    """The words of a quote, upper and lower case alike, without signs."""
    return tuple(_WORD.findall(text.casefold()))


def finding_content(finding: Finding) -> Hashable:
    """Equal for findings that say the same: category, place (without one the quote) and polarity."""
    place = finding.quote if finding.start is None else (finding.start, finding.end)
    return finding.category, place, finding.polarity


@dataclass(frozen=True, slots=True)
class SideQuote:
    """One quote of one side: the annotation (UUID) it comes from, and what it says.

    `places` are those where its words stand equally well, if it came without a place and there are several;
    `concepts` what it stands for.
    """

    uuid: str
    finding: Finding
    places: tuple[tuple[int, int], ...] = ()
    concepts: tuple[Coding, ...] = ()

    @property
    def codes(self) -> frozenset[tuple[str, str]]:
        """Terminology and code of what it stands for."""
        return frozenset((one.terminology, one.code) for one in self.concepts)

    @property
    def place(self) -> tuple[int, int] | None:
        """Start and end in code points, None for a quote without a place."""
        start, end = self.finding.start, self.finding.end
        return None if start is None or end is None else (start, end)

    @property
    def subject(self) -> Hashable:
        """What it speaks of: its place, else its words, else whatever signs it is made of."""
        return self.place or words_of(self.finding.quote) or self.finding.quote


def concepts_in_words(quotes: Iterable[SideQuote]) -> str:
    """Code and label of all that quotes stand for, or that it is nothing."""
    values = {one.code: f"{one.code} {one.label}".rstrip() for quote in quotes for one in quote.concepts}
    return ", ".join(values.values()) or "no concept"


@dataclass(frozen=True, slots=True)
class Group:
    """Quotes of both sides that speak of the same thing; one side may be empty, never both."""

    relation: Relation
    left: tuple[SideQuote, ...]
    right: tuple[SideQuote, ...]

    @property
    def quotes(self) -> tuple[SideQuote, ...]:
        """Both sides' quotes."""
        return self.left + self.right

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories it touches, each once, the left's first."""
        return tuple(dict.fromkeys([quote.finding.category for quote in self.quotes]))

    @property
    def place(self) -> tuple[int, int] | None:
        """From the first character of its quotes to the last, None where none has a place."""
        places = [place for quote in self.quotes if (place := quote.place) is not None]
        if len(places) < 2:
            return places[0] if places else None
        return min(start for start, _ in places), max(end for _, end in places)


@dataclass(frozen=True, slots=True)
class Difference:
    """A group on which two sides differ, in one report.

    `id` names it by its content: it changes as soon as a side says something else. `report` is the report's
    key, `document` its UUID.
    """

    id: str
    report: str
    document: str
    group: Group

    @property
    def kind(self) -> Relation:
        """Of what kind the difference is, one of KINDS."""
        return self.group.relation

    @property
    def left(self) -> tuple[SideQuote, ...]:
        """The left side's quotes, none where it is silent."""
        return self.group.left

    @property
    def right(self) -> tuple[SideQuote, ...]:
        """The right side's quotes, none where it is silent."""
        return self.group.right

    @property
    def category(self) -> str:
        """The first category it touches."""
        return self.group.quotes[0].finding.category

    @property
    def place(self) -> tuple[int, int] | None:
        """From its first character to its last, None where none of its quotes has a place."""
        return self.group.place
