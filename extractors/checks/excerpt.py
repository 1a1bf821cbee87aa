"""A span with its sentence round it, as the checks read it, and what they say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from extractors.model.finding import Polarity
from extractors.text import cues
from extractors.text.sentences import sentences
from extractors.text.terms import Terms, read_terms
from extractors.text.tokens import tokenise
from extractors.text.words import Kind, load_words

WarningKind = Literal[
    "cut word",
    "cut value",
    "cut unit",
    "value alone",
    "range outside",
    "negation outside",
    "uncertainty outside",
    "family outside",
    "edge punctuation",
    "edge word",
    "edge reference",
    "open bracket",
    "labelled otherwise",
]
NAMING = (Kind.CONTENT, Kind.CONTRAST)
_SENTENCES_KEPT = 512


@dataclass(frozen=True, slots=True)
class SpanWarning:
    """What may be wrong with a span, in a sentence, and what would mend it.

    `start` and `end` (code points of the text) are the place to take instead, the span's own where another
    place is no remedy; `polarity` is the one to choose, None where it may stay.
    """

    kind: WarningKind
    sentence: str
    start: int
    end: int
    polarity: Polarity | None = None


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A span (code points of `text`, no white space at its edges) and the sentences it stands in.

    `terms` are those of the sentences, which begin at `base`; `first` to `last` (inclusive) those that the
    span touches, `last` before `first` where it touches none.
    """

    text: str
    start: int
    end: int
    base: int
    terms: Terms
    first: int
    last: int

    @property
    def sentence_end(self) -> int:
        """Where the sentences end, in code points of the text."""
        return self.base + len(self.terms.tokens.text)

    def place(self, first: int, last: int) -> tuple[int, int]:
        """Where the terms `first` to `last` (inclusive) stand in the text."""
        start, end = self.terms.span(first, last)
        return self.base + start, self.base + end

    def named(self) -> list[int]:
        """The terms of the span that name something."""
        return [at for at in range(self.first, self.last + 1) if self.terms.kinds[at] in NAMING]

    def has(self, kind: Kind) -> bool:
        """Whether the span touches a term of that kind."""
        return kind in self.terms.kinds[self.first : self.last + 1]

    def widened(self, start: int, end: int) -> tuple[int, int]:
        """The place of the span and of that place (code points of the text), with what lies between."""
        return min(self.start, start), max(self.end, end)


def read_excerpt(text: str, start: int, end: int) -> Excerpt:
    """Read the sentences round a span that has no white space at its edges; line ends end sentences."""
    low = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line = text[low : line_end if line_end >= 0 else len(text)]
    touched = [(a, b) for a, b in _sentences(line) if low + b > start and low + a < end]
    base, stop = (low + touched[0][0], low + touched[-1][1]) if touched else (start, end)
    terms = _terms(text[base:stop])
    starts, ends = terms.tokens.starts, terms.tokens.ends
    inside = [
        at
        for at in range(len(terms))
        if ends[terms.lasts[at]] > start - base and starts[terms.firsts[at]] < end - base
    ]
    first, last = (inside[0], inside[-1]) if inside else (0, -1)
    return Excerpt(text, start, end, base, terms, first, last)


@lru_cache(maxsize=64)
def _sentences(line: str) -> tuple[tuple[int, int], ...]:
    return tuple(sentences(line))


@lru_cache(maxsize=_SENTENCES_KEPT)
def _terms(sentence: str) -> Terms:
    return read_terms(tokenise(sentence), load_words())


@lru_cache(maxsize=1)
def listed() -> dict[str, frozenset[str]]:
    """The lists of words by name. Raises AssetError where the file is missing."""
    table = cues.load_cues()["checks"]
    return {name: frozenset(cues.listed(table, name)) for name in table}


@lru_cache(maxsize=2)
def told_behind(name: Literal["behind", "open"]) -> re.Pattern[str]:
    """Phrases right behind a finding that deny it ("was absent") or leave it open ("cannot be excluded")."""
    table = cues.load_cues()["polarity"]
    phrases = cues.listed(table, name) + cues.listed(table, f"{name}_be")
    alike = (re.escape(phrase).replace(r"\ ", r"\s+") for phrase in sorted(phrases, key=len, reverse=True))
    being = r"(?:(?:has|have|had)\s+been|was|were|is|are)\s+"
    optional = "?" if name == "open" else ""
    return re.compile(rf"\s+(?:{being}){optional}({'|'.join(alike)})\b", re.IGNORECASE)


def shown(quote: str, most: int = 40) -> str:
    """A few words of the text for a sentence, white space evened out, in quotation marks."""
    plain = " ".join(quote.split())
    return f'"{plain if len(plain) <= most else plain[:most].rstrip() + "…"}"'
