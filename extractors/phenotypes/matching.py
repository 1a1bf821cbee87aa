"""Where the words of names stand together in a sentence, with what may stand between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from extractors.phenotypes.names import TermName, TermNames
from extractors.rules.lexicon import CUE
from extractors.rules.reading import Reading

_JOINTS = frozenset({"and", "or", ",", "/", "nor"})
_PARTING = frozenset(
    {";", ":", ".", "?", "!", "but", "no", "not", "without", "although", "while", "which", "who"}
)
_LEADING = frozenset("of in on affecting involving to at was were is are appeared appear with".split())
_FINITE = CUE["finite"]
_COPULA = CUE["copula"]
# Words with these endings share no noun with the next: "deformity, short fissures".
_NOUNS = ("y", "ion", "ia", "ism", "osis", "sm")
_PREFIXES = frozenset("pre post sub supra infra hypo hyper micro macro brachy inter intra peri".split())
_REACH = 12
_SHARED = 0.25
_AFTER = 0.5
_PARTED = 2.0
_LISTED = 3


@dataclass(frozen=True, slots=True)
class Match:
    """A name at tokens (indices of the reading, rising), and how far its words are apart."""

    name: TermName
    tokens: tuple[int, ...]
    cost: float


class Matcher:
    """Finds names in sentences of a reading."""

    def __init__(self, names: TermNames) -> None:
        self._names = names

    def matches(
        self, reading: Reading, first: int, last: int, local: Mapping[str, TermName | None]
    ) -> list[Match]:
        """The names in tokens `first` to `last` (exclusive), the longest where one holds another.

        `local` are the abbreviations that the report defines, with None for what is no term.
        """
        names = self._names
        stems: dict[str, list[int]] = {}
        for at in range(first, last):
            word = reading.words[at]
            if word and word not in names.function:
                if at > first and reading.words[at - 1] in _PREFIXES:
                    word = reading.words[at - 1] + word
                stems.setdefault(names.stems.of(word), []).append(at)
        present = set(stems)
        found: list[Match] = []
        for stem in present:
            for name in names.by_stem.get(stem, ()):
                if name.needed <= present:
                    found += self._placed(reading, name, stems, stem)
            for at in stems[stem]:
                single = self._single(reading, at, local)
                if single is not None:
                    found.append(Match(single, (at,), 0.0))
        return _longest(found)

    def _single(self, reading: Reading, at: int, local: Mapping[str, TermName | None]) -> TermName | None:
        """The name that one word is; abbreviations as they are written."""
        names, word = self._names, reading.words[at]
        if word in names.short or local:
            written = reading.text[reading.starts[at] : reading.ends[at]]
            written = written.removesuffix("s") if written[:-1].isupper() else written
            if written in local:
                return local[written]
            if written in names.abbreviations:
                return names.abbreviations[written]
        return names.single(word)

    def _placed(self, reading: Reading, name: TermName, stems: dict[str, list[int]], key: str) -> list[Match]:
        placed: list[Match] = []
        for anchor in stems[key]:
            at = {key: anchor}
            for stem in name.needed:
                if stem != key:
                    at[stem] = min(stems[stem], key=lambda place: abs(place - anchor))
            tokens = sorted(at.values())
            if tokens[-1] - tokens[0] > _REACH + len(tokens):
                continue
            cost = 0.0
            allowed = 1.0 if len(tokens) <= 2 else 1.5
            ordered = [at[stem] for stem in dict.fromkeys(name.stems)] == tokens
            for before, after in pairwise(tokens):
                if after - before > 1:
                    cost += self._gap(reading, before + 1, after, ordered)
                if cost > allowed:
                    break
            else:
                placed.append(Match(name, tuple(tokens), cost))
        return placed

    def _gap(self, reading: Reading, first: int, last: int, ordered: bool) -> float:
        """What it costs that tokens stand between two words of a name."""
        said = [reading.words[at] or reading.signs[at] for at in range(first, last)]
        counted = self._counted(reading, first, said)
        joined = any(word in _JOINTS for word in said)
        if said[0] in _JOINTS:
            # "short and broad thumbs": what is joined comes before what both are said of.
            apart = not ordered or self._is_noun(reading, first - 1)
            return _PARTED if apart else _SHARED * counted
        if said[0] in _LEADING:
            if not joined:
                return counted
            return _SHARED * counted if said[-1] in _JOINTS and counted <= _LISTED else _PARTED
        if joined and ordered and said[-1] in _JOINTS and counted < _LISTED:
            return _AFTER * counted  # "branchial fistulas or cysts"
        return counted + joined + (not ordered)

    def _counted(self, reading: Reading, first: int, said: Sequence[str]) -> float:
        """How many words of those that follow token `first` count; brackets are passed over."""
        names, counted, depth = self._names, 0.0, 0
        for at, word in enumerate(said, start=first):
            depth += (word in "([") - (word in ")]")
            if depth > 0 or word in ")]":
                continue
            cue = reading.cues[at]
            told = cue & _FINITE and not cue & _COPULA and word not in _LEADING
            if told or word in _PARTING:
                counted += _PARTED
            elif word not in names.function and word not in names.free and word not in _JOINTS:
                counted += 1
        return counted if not depth else _PARTED

    def _is_noun(self, reading: Reading, at: int) -> bool:
        """Whether a word looks like a head of its own: a plural, or by its ending."""
        word = reading.text[reading.starts[at] : reading.ends[at]].lower()
        return word.endswith(_NOUNS) or (word.endswith("s") and not word.endswith(("ous", "us", "ss")))


def _longest(found: Sequence[Match]) -> list[Match]:
    """Matches without those whose words another has, too; of one place, the most trusted name."""
    kept: list[Match] = []
    for match in sorted(found, key=lambda one: (-len(one.tokens), one.cost, one.name.trust)):
        own = set(match.tokens)
        if not any(own <= set(other.tokens) for other in kept):
            kept.append(match)
    return sorted(kept, key=lambda one: one.tokens)
