"""Where the words of names stand together in a sentence, with what may stand between them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from extractors.phenotypes.gaps import JOINTS, Gaps
from extractors.phenotypes.names import TermName, TermNames
from extractors.phenotypes.sentence import (
    FEW,
    MOST,
    REACH,
    Known,
    Match,
    Prepared,
    Sentence,
    spell,
    weigh_nothing,
)
from extractors.rules.reading import Reading
from extractors.terminology.hierarchy import ancestors
from extractors.text.folding import fold
from extractors.text.tokens import normalise

# "Pre-auricular" is preauricular, "down-turned" downturned, "ear lobe" earlobe.
_PREFIXES = frozenset(
    "pre post sub supra infra hypo hyper micro macro brachy inter intra peri down up over under mid non "
    "multi para dys retro extra poly oligo tetra hemi anti ear eye fore finger toe".split()
)
# "ID: 12" names somebody.
_NUMBERED = re.compile(r"\s?[:#]|[-\s]?\d")
# "Tracheo-oesophageal" begins with a form that is none by itself.
_SHORTEST = 4
_COMPOUND = re.compile(r"(?<=[a-z])(?<!\bnon)-(?=[a-z])")
_FAR = 1000
_WAYS: tuple[Callable[[int], int], ...] = (
    lambda apart: 0,
    lambda apart: _FAR * (apart < 0),
    lambda apart: _FAR * (apart > 0),
)


class Matcher:
    """Finds names in sentences of a reading."""

    def __init__(self, names: TermNames) -> None:
        self._names = names
        self._gaps = Gaps(names)
        self._seen: dict[str, Known] = {}
        self._ancestors: dict[int, dict[int, int]] = {}
        self._absences = frozenset(map(names.stems.of, ("absent", "seizure")))

    def prepared(self, reading: Reading) -> Prepared:
        """Look the words of a reading up, once for all of its sentences."""
        seen, learn = self._seen, self._learn
        given = zip(reading.words, reading.signs, strict=True)
        known = [seen.get(word or sign) or learn(word or sign) for word, sign in given]
        weights = [one.weight for one in known]
        for hyphen in _COMPOUND.finditer(reading.text):
            # "Low-set" counts as one word.
            weights[bisect_left(reading.ends, hyphen.start())] = 0.0
        return Prepared(reading, known, weights, [at for at, one in enumerate(known) if not one.idle])

    def matches(
        self, report: Prepared, first: int, last: int, local: Mapping[str, TermName | None]
    ) -> list[Match]:
        """The names in tokens `first` to `last` (exclusive), the longest where one holds another.

        `local` are the abbreviations that the report defines, with None for what is no term.
        """
        sentence, reading = Sentence(report.reading, report.weights), report.reading
        found = self._read(sentence, report, (first, last), local)
        stems, by_stem, seconds = sentence.stems, self._names.by_stem, self._names.seconds
        if len(stems) < FEW:
            return _longest(found)
        present = set(stems)
        for stem in stems:
            if stem in seconds:
                for second in present & seconds[stem]:
                    far = sentence.parted(stem, second)
                    for name in by_stem[stem][second]:
                        if name.needed <= present and not (far and len(name.needed) == FEW):
                            found += [
                                one
                                for one in self._placed(sentence, name, stem)
                                if not self._gaps.of_another(reading, one)
                            ]
        if sentence.prefixed:
            found = [_with_prefixes(match, sentence.prefixed) for match in found]
        whole = {one.tokens[-1] for one in found if not one.cost and len(one.tokens) > 1}
        found = [
            one for one in found if not (self._denies(reading, one) or _lends_its_noun(reading, one, whole))
        ]
        return [self._as_said(reading, match) for match in self._most_specific(reading, _longest(found))]

    def _denies(self, reading: Reading, match: Match) -> bool:
        """Whether a word of a name is said not to be: "non-progressive ataxia"; or "absent" denies what has a
        kind of its own by that name: "seizures were absent"."""
        words = reading.words
        if any(at and words[at - 1] == "non" and at - 1 not in match.tokens for at in match.tokens):
            return True
        return match.name.needed == self._absences and any(words[at] == "absent" for at in match.tokens)

    def _most_specific(self, reading: Reading, matches: list[Match]) -> list[Match]:
        """Matches without those that share words with one of a narrower term: "vitreous haemorrhages in both
        eyes" is no other haemorrhage of the eye; "conductive or mixed hearing loss" are two."""
        rows = {match.name.row for match in matches}
        if len(rows) < FEW or len({at for one in matches for at in one.tokens}) == sum(
            len(one.tokens) for one in matches
        ):
            return matches
        return [
            one
            for one in matches
            if not any(
                one.name.row in self._above(other.name.row)
                and not set(one.tokens).isdisjoint(other.tokens)
                and not _in_list(reading, one.tokens, other.tokens)
                for other in matches
                if other.name.row != one.name.row
            )
        ]

    def _above(self, row: int) -> dict[int, int]:
        known = self._ancestors.get(row)
        if known is None:
            known = self._ancestors[row] = ancestors(self._names.terminology, row)
        return known

    def _as_said(self, reading: Reading, match: Match) -> Match:
        """The same, or the name that has the very words."""
        if match.name.needed not in self._names.ambiguous:
            return match
        name = self._names.exact.get(tuple(sorted(reading.words[at] for at in match.tokens)))
        return match if name is None else Match(name, match.tokens, match.cost)

    def _read(
        self,
        sentence: Sentence,
        report: Prepared,
        tokens: tuple[int, int],
        local: Mapping[str, TermName | None],
    ) -> list[Match]:
        """Fill a sentence with its tokens (first and last, exclusive); the names that single words are."""
        reading, known, stems = report.reading, report.known, sentence.stems
        defined = set(map(fold, local))
        busy = report.busy[bisect_left(report.busy, tokens[0]) : bisect_left(report.busy, tokens[1])]
        found: list[Match] = []
        brackets: list[int] = []
        joined = (-1, "")
        for at in range(*tokens) if defined else busy:
            one = known[at]
            if one.joint:
                sentence.joints.append(at)
            if one.depth:
                brackets.append(at)
            if one.alone or reading.words[at] in defined:
                alone = self._alone(reading, at, local, one.single)
                found += alone
                spell(sentence, at, alone)
            if joined[0] == at and joined[1] not in ("", one.stem):
                stems.setdefault(joined[1], []).append(at)
            if one.stem:
                stems.setdefault(one.stem, []).append(at)
            if one.prefix and at + 1 < tokens[1] and reading.words[at + 1]:
                joined = at + 1, self._join(sentence, report, at, found, listed=not defined)
                self._complete(sentence, report, at, found)
        if brackets:
            weigh_nothing(report, brackets, tokens[1])
        return found

    def _join(
        self, sentence: Sentence, report: Prepared, at: int, found: list[Match], *, listed: bool
    ) -> str:
        """The stem of the one word that a prefix at token `at` makes with the next, "" where no name has it;
        what that word is by itself is added to `found`."""
        word = fold(report.known[at].prefix + report.reading.words[at + 1])
        whole = self._seen.get(word) or self._learn(word)
        if whole.single is not None:
            found.append(Match(whole.single, (at, at + 1), 0.0))
        if whole.stem:
            sentence.prefixed[at + 1] = whole.stem
            if listed and report.known[at + 1].idle:  # it is not looked at again
                sentence.stems.setdefault(whole.stem, []).append(at + 1)
        return whole.stem

    def _complete(self, sentence: Sentence, report: Prepared, at: int, found: list[Match]) -> None:
        """Read a prefix with what the word behind the joint has after its own: "pre- and postnatal"."""
        reading, other = report.reading, at + 2
        hung = reading.text[reading.ends[at] : reading.ends[at] + 1] in ("-", "‐", "–")
        if not hung or reading.words[at + 1] not in JOINTS or other >= len(reading.words):
            return
        word = reading.words[other]
        rests = (word[end:] for end in range(len(word)) if word[:end] in _PREFIXES)
        wholes = (report.known[at].prefix + rest for rest in rests)
        known = next((one for one in map(self._learn, wholes) if one.stem or one.single), None)
        if known is not None and known.single is not None:
            found.append(Match(known.single, (at,), 0.0))
        if known is not None and known.stem:
            sentence.stems.setdefault(known.stem, []).append(at)

    def _learn(self, word: str) -> Known:
        """What a word or sign is by itself, and its stem, "" where no name of several words has it."""
        known = Known(joint=word in JOINTS, weight=self._gaps.weight(word))
        if not word[0].isalnum():
            known.depth = (word in "([") - (word in ")]")
        elif word not in self._names.function:
            plain = word if word.isascii() else normalise(word)
            stem = self._names.stems.of(plain)
            known.stem = stem if stem in self._names.stock else ""
            known.single = self._names.single(plain)
            known.alone = known.single is not None or word in self._names.short
            joins = word in _PREFIXES or (word.endswith("o") and len(word) > _SHORTEST)
            known.prefix = word if joins else ""
        known.idle = not (known.joint or known.alone or known.stem or known.prefix or known.depth)
        self._seen[word] = known
        return known

    def _alone(
        self, reading: Reading, at: int, local: Mapping[str, TermName | None], single: TermName | None
    ) -> list[Match]:
        """The name that a word is as it is written: abbreviations, those of the report first."""
        if local or reading.words[at] in self._names.short:
            written = reading.text[reading.starts[at] : reading.ends[at]]
            if len(written) == FEW and _NUMBERED.match(reading.text, reading.ends[at]):
                return []
            written = written.removesuffix("s") if written[:-1].isupper() else written
            known = self._names.abbreviations.get(written, single)
            if written in self._names.near:
                words, meant = self._names.near[written]
                around = reading.words[max(0, at - REACH) : at + REACH]
                known = known if words.isdisjoint(around) else meant
            single = local.get(written, known)
        return [Match(single, (at,), 0.0)] if single is not None else []

    def _placed(self, sentence: Sentence, name: TermName, key: str) -> list[Match]:
        stems = sentence.stems
        found = [stems[stem] for stem in name.order]
        if max(map(len, found)) == 1:
            only = [place for (place,) in found]
            cost = self._gaps.cost(sentence, name, only)
            return [Match(name, tuple(sorted(set(only))), cost)] if cost <= MOST else []
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
                cost = self._gaps.cost(sentence, name, places)
                if cost <= MOST:
                    placed.append(Match(name, tuple(sorted(set(places))), cost))
                    break
        return placed


def _lends_its_noun(reading: Reading, one: Match, whole: set[int]) -> bool:
    """Whether a name begins with the last word of another: "imperforate anus and rectovaginal fistula"."""
    first = one.tokens[0]
    joined = reading.words[first + 1 : first + 2] or [""]
    return bool(one.cost) and first in whole and (joined[0] or reading.signs[first + 1]) in JOINTS


def _in_list(reading: Reading, one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two names are parts of a list: "conductive or mixed hearing loss", "sparse hair, eyebrows", but
    not "retarded, and lacking speech"."""
    if one[0] in other:
        at = one[-1] + 1
        return other[-1] > at and (reading.words[at] or reading.signs[at]) in JOINTS
    after = range(one[0] + 1, min(one[0] + 3, len(reading.words)))
    joined = [(reading.words[at] or reading.signs[at]) in JOINTS for at in after]
    return joined == [True, False]


def _with_prefixes(match: Match, prefixed: Mapping[int, str]) -> Match:
    """The same with the words before those of its words that are one with them."""
    before = {at - 1 for at in match.tokens if prefixed.get(at) in match.name.needed}
    return Match(match.name, tuple(sorted(before.union(match.tokens))), match.cost) if before else match


def _longest(found: Sequence[Match]) -> list[Match]:
    """Matches without those whose words another has, too; of one place, the most trusted name."""
    if len(found) < FEW:
        return list(found)
    if len(found) == FEW and found[0].tokens[-1] < found[1].tokens[0]:
        return list(found)
    kept, there = list[Match](), defaultdict[int, list[Match]](list)
    for match in sorted(found, key=_most_words_first):
        own = frozenset(match.tokens)
        if not any(_has(one, match, own) for at in match.tokens for one in there[at]):
            kept.append(match)
            for at in match.tokens:
                there[at].append(match)
    return sorted(kept, key=lambda one: one.tokens)


def _has(known: Match, match: Match, own: frozenset[int]) -> bool:
    """Whether a match has all words of another, or is a better one of the same name."""
    return own.issubset(known.tokens) or (match.name.row == known.name.row and match.cost > known.cost)


def _most_words_first(match: Match) -> tuple[int, float, int, int]:
    return -len(match.tokens), match.cost, match.name.trust, match.name.row
