"""Where the words of names stand together in a sentence, with what may stand between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from extractors.phenotypes.names import TermName, TermNames
from extractors.rules.lexicon import CUE
from extractors.rules.reading import Reading

_JOINTS = frozenset({"and", "or", ",", "/", "nor"})
_PARTING = frozenset(
    {";", ":", ".", "?", "!", "but", "no", "not", "without", "although", "while", "which", "who"}
)
_LEADING = frozenset("of in on affecting involving was were is are appeared appear".split())
_LAST = frozenset({"and", "or", "/", "nor"})
_FINITE = CUE["finite"]
_COPULA = CUE["copula"]
# Words with these endings share no noun with the next: "deformity, short fissures".
_NOUNS = ("y", "ion", "ia", "ism", "osis", "sm", "ae")
_PREFIXES = frozenset("pre post sub supra infra hypo hyper micro macro brachy inter intra peri".split())
_REACH = 12
_SHARED = 0.25
_AFTER = 0.5
_PARTED = 8.0
_LISTED = 3
_FEW = 2
_NO_PAIRS: Mapping[str, list[TermName]] = {}
_FAR = 1000
_WAYS: tuple[Callable[[int], int], ...] = (
    lambda apart: 0,
    lambda apart: _FAR * (apart < 0),
    lambda apart: _FAR * (apart > 0),
)
_WITH = 1.25


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
        self._seen: dict[str, tuple[str, TermName | None]] = {}

    def matches(
        self, reading: Reading, first: int, last: int, local: Mapping[str, TermName | None]
    ) -> list[Match]:
        """The names in tokens `first` to `last` (exclusive), the longest where one holds another.

        `local` are the abbreviations that the report defines, with None for what is no term.
        """
        stems: dict[str, list[int]] = {}
        found: list[Match] = []
        words, seen = reading.words, self._seen
        for at in range(first, last):
            word = words[at]
            known = seen.get(word)
            if known is None:
                known = self._learn(word)
            stem, single = known
            if not stem:
                continue
            if single is not None or local or word in self._names.short:
                found += self._alone(reading, at, local, single)
            if at > first and words[at - 1] in _PREFIXES:
                stem = self._names.stems.of(words[at - 1] + word)
            stems.setdefault(stem, []).append(at)
        present = set(stems)
        by_stem = self._names.by_stem
        for stem in stems:
            pairs = by_stem.get(stem, _NO_PAIRS)
            for name in chain.from_iterable(pairs[second] for second in present.intersection(pairs)):
                if name.needed <= present:
                    found += self._placed(reading, name, stems, stem)
        return _longest(found)

    def _learn(self, word: str) -> tuple[str, TermName | None]:
        """A word's stem, "" where it counts for nothing, and the name that it is by itself."""
        counts = word and word not in self._names.function
        known = (self._names.stems.of(word), self._names.single(word)) if counts else ("", None)
        self._seen[word] = known
        return known

    def _alone(
        self, reading: Reading, at: int, local: Mapping[str, TermName | None], single: TermName | None
    ) -> list[Match]:
        """The name that a word is as it is written: abbreviations, those of the report first."""
        if local or reading.words[at] in self._names.short:
            written = reading.text[reading.starts[at] : reading.ends[at]]
            written = written.removesuffix("s") if written[:-1].isupper() else written
            known = self._names.abbreviations.get(written, single)
            single = local.get(written, known)
        return [Match(single, (at,), 0.0)] if single is not None else []

    def _placed(self, reading: Reading, name: TermName, stems: dict[str, list[int]], key: str) -> list[Match]:
        placed: list[Match] = []
        allowed = 1.0 if len(name.needed) <= _FEW else 1.5
        others = [stem for stem in name.needed if stem != key]
        for anchor in stems[key]:
            # Each word where it is nearest; where that does not hold together, the nearest after and before.
            for weight in _WAYS if any(len(stems[stem]) > 1 for stem in others) else _WAYS[:1]:
                at = {key: anchor}
                for stem in others:
                    at[stem] = min(
                        stems[stem], key=lambda place: abs(place - anchor) + weight(place - anchor)
                    )
                cost = self._cost(reading, name, at)
                if cost <= allowed:
                    placed.append(Match(name, tuple(sorted(at.values())), cost))
                    break
        return placed

    def _cost(self, reading: Reading, name: TermName, at: Mapping[str, int]) -> float:
        """How far the words of a name are apart where they stand."""
        tokens = sorted(at.values())
        if tokens[-1] - tokens[0] > _REACH + len(tokens):
            return _PARTED
        ordered = [at[stem] for stem in dict.fromkeys(name.stems)] == tokens
        return sum(
            self._gap(reading, before + 1, after, ordered)
            for before, after in pairwise(tokens)
            if after - before > 1
        )

    def _gap(self, reading: Reading, first: int, last: int, ordered: bool) -> float:
        """What it costs that tokens stand between two words of a name."""
        said = [reading.words[at] or reading.signs[at] for at in range(first, last)]
        counted = self._counted(reading, first, said)
        joined = any(word in _JOINTS for word in said)
        if said[0] in _JOINTS:
            # "short and broad thumbs": what is joined comes before what both are said of.
            apart = not ordered or any(
                self._is_noun(reading, at) for at in self._shared(reading, first, said)
            )
            return _PARTED if apart else _SHARED * counted
        if said[0] in _LEADING:
            if not joined:
                return counted
            return _SHARED * counted if said[-1] in _LAST and counted <= _LISTED else _PARTED
        if (
            ordered
            and said[-1] in _LAST
            and counted < _LISTED
            and self._names.single(reading.words[last]) is None
        ):
            return _AFTER * counted  # "branchial fistulas or cysts", but not "facial rash and oedema"
        return counted + joined + (not ordered)

    def _shared(self, reading: Reading, first: int, said: Sequence[str]) -> list[int]:
        """The words of which none may be a head: the one before a joint and those up to the next."""
        last = max(at for at, word in enumerate(said) if word in _JOINTS)
        return [first - 1, *(first + at for at in range(last) if said[at] not in _JOINTS)]

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
            elif word == "with":
                counted += _WITH
            elif word not in names.function and word not in names.free and word not in _JOINTS:
                counted += 1
        return counted if not depth else _PARTED

    def _is_noun(self, reading: Reading, at: int) -> bool:
        """Whether a word looks like a head of its own: a plural, or by its ending."""
        word = reading.text[reading.starts[at] : reading.ends[at]].lower()
        return word.endswith(_NOUNS) or (word.endswith("s") and not word.endswith(("ous", "us", "ss")))


def _longest(found: Sequence[Match]) -> list[Match]:
    """Matches without those whose words another has, too; of one place, the most trusted name."""
    if len(found) < _FEW:
        return list(found)
    kept: list[tuple[set[int], Match]] = []
    for match in sorted(found, key=_most_words_first):
        own = set(match.tokens)
        if not any(own <= other for other, _ in kept):
            kept.append((own, match))
    return sorted((match for _, match in kept), key=lambda one: one.tokens)


def _most_words_first(match: Match) -> tuple[int, float, int, int]:
    return -len(match.tokens), match.cost, match.name.trust, match.name.row
