"""Where the words of names stand together in a sentence, with what may stand between them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from extractors.phenotypes.names import TermName, TermNames
from extractors.rules.lexicon import CUE
from extractors.rules.reading import Reading
from extractors.text.folding import fold
from extractors.text.tokens import normalise

_JOINTS = frozenset({"and", "or", ",", "/", "nor"})
_PARTING = frozenset(
    {";", ":", ".", "?", "!", "but", "no", "not", "without", "although", "while", "which", "who"}
)
_LEADING = frozenset("of in on affecting involving was were is are appeared appear".split())
_PLACING = frozenset({"of", "in", "on"})
_LAST = frozenset({"and", "or", "/", "nor"})
_FINITE = CUE["finite"]
_COPULA = CUE["copula"]
# Words with these endings share no noun with the next: "deformity, short fissures".
_NOUNS = ("y", "ion", "ia", "ism", "osis", "sm", "ae")
# "Pre-auricular" is preauricular, "down-turned" downturned.
_PREFIXES = frozenset(
    "pre post sub supra infra hypo hyper micro macro brachy inter intra peri down up over under mid non "
    "multi para dys retro extra".split()
)
# "ID: 12" names somebody.
_NUMBERED = re.compile(r"\s?[:#]|[-\s]?\d")
_ADVERBS = ("tly", "lly", "rly", "ely", "dly", "sly")
_REACH = 12
_SHARED = 0.25
_AFTER = 0.5
_PARTED = 8.0
_LISTED = 3
_FEW = 2
_FAR = 1000
_WAYS: tuple[Callable[[int], int], ...] = (
    lambda apart: 0,
    lambda apart: _FAR * (apart < 0),
    lambda apart: _FAR * (apart > 0),
)
_WITH = 1.25
# One word that counts may stand between those of a name, no more however long the name is.
_MOST = 1.0


@dataclass(frozen=True, slots=True)
class Match:
    """A name at tokens (indices of the reading, rising), and how far its words are apart."""

    name: TermName
    tokens: tuple[int, ...]
    cost: float


@dataclass(slots=True)
class _Known:
    """What is known of a word or sign wherever it stands; `depth` is 1 for "(", -1 for ")"; what is `idle`
    only counts."""

    joint: bool
    weight: float
    stem: str = ""
    single: TermName | None = None
    alone: bool = False
    prefix: str = ""
    depth: int = 0
    idle: bool = False


@dataclass(slots=True)
class _Sentence:
    """The tokens of a sentence by their stems; what each counts, from token `first` on, and the joints."""

    reading: Reading
    first: int
    stems: dict[str, list[int]] = field(default_factory=dict)
    weights: list[float] = field(default_factory=list)
    joints: list[int] = field(default_factory=list)

    def parted(self, one: str, other: str) -> bool:
        """Whether two stems, each there once, stand too far apart to be a name of two words."""
        ours, theirs = self.stems[one], self.stems[other]
        if len(ours) > 1 or len(theirs) > 1:
            return False
        first, last = (ours[0], theirs[0]) if ours[0] < theirs[0] else (theirs[0], ours[0])
        if last - first == 1:
            return False
        return last - first > _REACH or self.least(first + 1, last) > _MOST

    def least(self, first: int, last: int) -> float:
        """What it costs at least that tokens stand between two words of a name."""
        counted = sum(self.weights[first - self.first : last - self.first])
        joint = bisect_left(self.joints, first)
        shared = joint < len(self.joints) and self.joints[joint] < last
        return _SHARED * counted if shared else counted


class Matcher:
    """Finds names in sentences of a reading."""

    def __init__(self, names: TermNames) -> None:
        self._names = names
        self._seen: dict[str, _Known] = {}

    def matches(
        self, reading: Reading, first: int, last: int, local: Mapping[str, TermName | None]
    ) -> list[Match]:
        """The names in tokens `first` to `last` (exclusive), the longest where one holds another.

        `local` are the abbreviations that the report defines, with None for what is no term.
        """
        sentence = _Sentence(reading, first)
        found = self._read(sentence, last, local)
        stems, by_stem, seconds = sentence.stems, self._names.by_stem, self._names.seconds
        present = set(stems)
        for stem in stems:
            if stem in seconds:
                for second in present & seconds[stem]:
                    far = sentence.parted(stem, second)
                    for name in by_stem[stem][second]:
                        if name.needed <= present and not (far and len(name.needed) == _FEW):
                            found += self._placed(sentence, name, stem)
        return [self._as_said(reading, match) for match in _longest(found)]

    def _as_said(self, reading: Reading, match: Match) -> Match:
        """The same, or the name that has the very words."""
        name = self._names.exact.get(tuple(sorted(reading.words[at] for at in match.tokens)))
        return match if name is None else Match(name, match.tokens, match.cost)

    def _read(self, sentence: _Sentence, last: int, local: Mapping[str, TermName | None]) -> list[Match]:
        """Fill a sentence up to token `last` (exclusive); the names that single words of it are."""
        reading, first, stems, seen = sentence.reading, sentence.first, sentence.stems, self._seen
        said = zip(reading.words[first:last], reading.signs[first:last], strict=True)
        tokens = [seen.get(word or sign) or self._learn(word or sign) for word, sign in said]
        sentence.weights = [known.weight for known in tokens]
        found: list[Match] = []
        defined = set(map(fold, local))
        prefix, follows, depth = "", -1, 0
        for at, known in enumerate(tokens, first):
            if depth:
                sentence.weights[at - first] = 0.0
            if known.idle and follows != at and not defined:
                continue
            if known.joint:
                sentence.joints.append(at)
            depth = max(0, depth + known.depth)
            word = reading.words[at]
            if known.alone or word in defined:
                found += self._alone(reading, at, local, known.single)
            stem = known.stem
            if follows == at:
                joined = seen.get(prefix + word) or self._learn(prefix + word)
                stem = joined.stem or stem
                found += [] if joined.single is None else [Match(joined.single, (at - 1, at), 0.0)]
            if known.prefix:
                prefix, follows = known.prefix, at + 1
            if stem:
                stems.setdefault(stem, []).append(at)
        return found

    def _learn(self, word: str) -> _Known:
        """What a word or sign is by itself, and its stem, "" where no name of several words has it."""
        known = _Known(joint=word in _JOINTS, weight=self._weight(word))
        if not word[0].isalnum():
            known.depth = (word in "([") - (word in ")]")
        elif word not in self._names.function:
            plain = word if word.isascii() else normalise(word)
            stem = self._names.stems.of(plain)
            known.stem = stem if stem in self._names.stock else ""
            known.single = self._names.single(plain)
            known.alone = known.single is not None or word in self._names.short
            known.prefix = word if word in _PREFIXES else ""
        known.idle = not (known.joint or known.alone or known.stem or known.prefix or known.depth)
        self._seen[word] = known
        return known

    def _weight(self, word: str) -> float:
        """How much a word or sign counts that stands between two words of a name."""
        if word in _PARTING:
            return _PARTED
        if word == "with":
            return _WITH
        names = self._names
        free = word in names.function or word in names.free or word in _JOINTS or word in "()[]"
        return 0.0 if free or word.endswith(_ADVERBS) else 1.0

    def _alone(
        self, reading: Reading, at: int, local: Mapping[str, TermName | None], single: TermName | None
    ) -> list[Match]:
        """The name that a word is as it is written: abbreviations, those of the report first."""
        if local or reading.words[at] in self._names.short:
            written = reading.text[reading.starts[at] : reading.ends[at]]
            if len(written) == _FEW and _NUMBERED.match(reading.text, reading.ends[at]):
                return []
            written = written.removesuffix("s") if written[:-1].isupper() else written
            known = self._names.abbreviations.get(written, single)
            if written in self._names.near:
                words, meant = self._names.near[written]
                around = reading.words[max(0, at - _REACH) : at + _REACH]
                known = known if words.isdisjoint(around) else meant
            single = local.get(written, known)
        return [Match(single, (at,), 0.0)] if single is not None else []

    def _placed(self, sentence: _Sentence, name: TermName, key: str) -> list[Match]:
        stems = sentence.stems
        if all(len(stems[stem]) == 1 for stem in name.needed):
            cost = self._cost(sentence, name, [stems[stem][0] for stem in name.order])
            return (
                [Match(name, tuple(sorted(stems[stem][0] for stem in name.order)), cost)]
                if cost <= _MOST
                else []
            )
        placed: list[Match] = []
        for anchor in stems[key]:
            # Each word where it is nearest; where that does not hold together, the nearest after and before.
            for weight in _WAYS:
                places = [
                    anchor
                    if stem == key
                    else min(stems[stem], key=lambda place: abs(place - anchor) + weight(place - anchor))
                    for stem in name.order
                ]
                cost = self._cost(sentence, name, places)
                if cost <= _MOST:
                    placed.append(Match(name, tuple(sorted(places)), cost))
                    break
        return placed

    def _cost(self, sentence: _Sentence, name: TermName, places: list[int]) -> float:
        """How far the words of a name are apart where they stand; `places` in the name's order."""
        tokens = sorted(places)
        far = tokens[-1] - tokens[0]
        if far < len(tokens):
            return 0.0
        if far > _REACH + len(tokens):
            return _PARTED
        gaps = [(before + 1, after) for before, after in pairwise(tokens) if after - before > 1]
        least = 0.0
        for first, last in gaps:
            least += sentence.least(first, last)
            if least > _MOST:
                return _PARTED
        return sum(self._gap(sentence.reading, *gap, places == tokens) for gap in gaps)

    def _gap(self, reading: Reading, first: int, last: int, ordered: bool) -> float:
        """What it costs that tokens stand between two words of a name."""
        said = [reading.words[at] or reading.signs[at] for at in range(first, last)]
        counted = self._counted(reading, first, said)
        joined = any(word in _JOINTS for word in said)
        if said[0] in _JOINTS:
            # "short and broad thumbs": what is joined comes before what both are said of.
            if not counted:
                return _PARTED  # "blood and urine" is no blood of urine
            listed = "," in said
            apart = not ordered or any(
                self._is_noun(reading, at, listed=listed) for at in self._shared(reading, first, said)
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
        if not _PLACING.isdisjoint(said):
            return _PARTED  # "renal disease in the absence"
        return counted + _WITH * joined + (not ordered)

    def _shared(self, reading: Reading, first: int, said: Sequence[str]) -> list[int]:
        """The words of which none may be a head: the one before a joint and those up to the next."""
        last = max(at for at, word in enumerate(said) if word in _JOINTS)
        return [first - 1, *(first + at for at in range(last) if said[at] not in _JOINTS)]

    def _counted(self, reading: Reading, first: int, said: Sequence[str]) -> float:
        """How many words of those that follow token `first` count; brackets are passed over."""
        counted, depth = 0.0, 0
        for at, word in enumerate(said, start=first):
            depth += (word in "([") - (word in ")]")
            if depth > 0 or word in ")]":
                continue
            cue = reading.cues[at]
            told = cue & _FINITE and not cue & _COPULA and word not in _LEADING
            counted += _PARTED if told else self._seen[word].weight
        return counted if not depth else _PARTED

    def _is_noun(self, reading: Reading, at: int, *, listed: bool) -> bool:
        """Whether a word is a head of its own: a plural, by its ending, in a list where most names have it
        last."""
        word = reading.text[reading.starts[at] : reading.ends[at]].lower()
        if word.endswith(_NOUNS) or (word.endswith("s") and not word.endswith(("ous", "us", "ss"))):
            return True
        return listed and self._names.stems.of(reading.words[at]) in self._names.heads


def _longest(found: Sequence[Match]) -> list[Match]:
    """Matches without those whose words another has, too; of one place, the most trusted name."""
    if len(found) < _FEW:
        return list(found)
    kept: list[tuple[int, Match]] = []
    for match in sorted(found, key=_most_words_first):
        own = sum(1 << at - match.tokens[0] for at in match.tokens) << match.tokens[0]
        for other, _ in kept:
            if not own & ~other:
                break
        else:
            kept.append((own, match))
    return sorted((match for _, match in kept), key=lambda one: one.tokens)


def _most_words_first(match: Match) -> tuple[int, float, int, int]:
    return -len(match.tokens), match.cost, match.name.trust, match.name.row
