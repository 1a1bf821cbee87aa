"""Looking for a concept by the words of a text, and going from one to what stands above and below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from extractors.terminology.index import Terminology
from extractors.terminology.search import Hit, Search

# What is looked for in the words of a longer text; more words than these say no name.
_MOST_WORDS, _LONGEST_PART = 12, 4
# A name found by some of the words only stands below one that all of them name.
_PER_WORD_LEFT_OUT = 0.06


@dataclass(frozen=True, slots=True)
class Entry:
    """A concept in a list: `why` is the name that matched where that is not its label."""

    code: str
    label: str
    why: str = ""
    leaf: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A concept with its definition, its other names, and what stands right above and below it."""

    code: str
    label: str
    definition: str
    names: tuple[str, ...]
    parents: tuple[Entry, ...]
    children: tuple[Entry, ...]


class Browser:
    """Searches a terminology and shows what is around a concept."""

    def __init__(self, terminology: Terminology) -> None:
        self.terminology = terminology
        self._search = Search(terminology)

    def find(self, typed: str, limit: int) -> tuple[Entry, ...]:
        """What is meant by a code, a name or its beginning, best first."""
        return tuple(
            Entry(hit.code, hit.label, _why(hit), hit.leaf) for hit in self._search.find(typed, limit)
        )

    def suggest(self, text: str, limit: int) -> tuple[Entry, ...]:
        """What the words of a text may stand for, all of them together or a few in a row, best first."""
        found: dict[str, tuple[float, Entry]] = {}
        words = text.split()[:_MOST_WORDS]
        for part in _parts(words):
            left_out = _PER_WORD_LEFT_OUT * (len(words) - len(part))
            for hit in self._search.find(" ".join(part), limit):
                entry = (hit.score - left_out, Entry(hit.code, hit.label, _why(hit), hit.leaf))
                if hit.code not in found or found[hit.code][0] < entry[0]:
                    found[hit.code] = entry
            if len(part) == len(words) and len(found) >= limit:
                break
        best = sorted(found.values(), key=lambda one: (-one[0], one[1].label, one[1].code))
        return tuple(entry for _, entry in best[:limit])

    def view(self, code: str) -> View:
        """All around a concept; raises TerminologyError for a code that is not there."""
        concept = self.terminology.concept(code)
        row = self.terminology.row(concept.code) or 0
        return View(
            concept.code,
            concept.label,
            concept.definition,
            tuple(dict.fromkeys(one.text for one in concept.names[1:])),
            self._entries(self.terminology.parents(row)),
            self._entries(self.terminology.children[row]),
        )

    def _entries(self, rows: Iterable[int]) -> tuple[Entry, ...]:
        known = self.terminology
        found = [Entry(known.codes[row], known.label(row), "", not known.children[row]) for row in rows]
        return tuple(sorted(found, key=lambda one: one.label.casefold()))


def _why(hit: Hit) -> str:
    return "" if hit.matched.text in (hit.code, hit.label) else hit.matched.text


def _parts(words: list[str]) -> Iterator[list[str]]:
    """The words, then what stands in a row in them, the longest first."""
    yield words
    for size in range(min(_LONGEST_PART, len(words) - 1), 0, -1):
        for first in range(len(words) - size + 1):
            yield words[first : first + size]
