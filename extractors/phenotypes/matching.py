"""Where the words of names stand together in a sentence, with what may stand between them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from extractors.phenotypes.names import TermName, TermNames
from extractors.phenotypes.sentence import (
    FEW,
    MOST,
    REACH,
    SHARED,
    Known,
    Match,
    Prepared,
    Sentence,
    spell,
    weigh_nothing,
)
from extractors.rules.lexicon import CUE
from extractors.rules.reading import Reading
from extractors.terminology.hierarchy import ancestors
from extractors.text.folding import fold
from extractors.text.tokens import normalise

_JOINTS = frozenset({"and", "or", ",", "/", "nor"})
_PARTING = frozenset(
    {";", ":", ".", "?", "!", "but", "no", "not", "without", "although", "while", "which", "who", "including"}
)
_LEADING = frozenset("of in on affecting involving was were is are appeared appear".split())
_PLACING = frozenset({"of", "in", "on"})
_LAST = frozenset({"and", "or", "/", "nor"})
_FINITE = CUE["finite"]
_COPULA = CUE["copula"]
# Words with these endings share no noun with the next: "deformity, short fissures".
_NOUNS = (
    "y",
    "ion",
    "ia",
    "ism",
    "osis",
    "sm",
    "ae",
    "ening",
    "narrowing",
    "thinning",
    "wasting",
    "swelling",
)
# "Dry, scaly skin": short words in y are of English, not of Greek, but for those of parts of the body.
# So are those in -ary and -ory: "axillary and pubic hair".
_ADJECTIVE = re.compile(
    r"(?!body|belly|ovary|palsy)[a-z]{2,4}y|unsteady|clumsy|(?!ovary|capillary|memory)[a-z]+(?:ary|ory)"
)
# "Pre-auricular" is preauricular, "down-turned" downturned, "ear lobe" earlobe.
_PREFIXES = frozenset(
    "pre post sub supra infra hypo hyper micro macro brachy inter intra peri down up over under mid non "
    "multi para dys retro extra ear eye fore finger toe".split()
)
# "ID: 12" names somebody.
_NUMBERED = re.compile(r"\s?[:#]|[-\s]?\d")
# In a list a word with these endings is no noun that others share: "long face, wide nose, hypoplastic nails".
_TELLING = ("ic", "ed", "ous", "al")
_ADJECTIVAL = ("al", "ar", "ic", "ous", "ary")
# "Abnormal cerebellar peduncles" are no abnormality of the cerebellum, "absence of retinal hamartomas" none of
# the retina.
_VAGUE = ("abnormal", "absent")
# "Low sodium, calcium and magnesium", "raised ESR, CRP and ferritin"
_SHARED_BY_LISTS = ("increased", "decreased")
# "Inappropriate bursts of laughter" are laughter.
_LIGHT = frozenset("episode attack bout burst paroxysm spell period degree feature sign symptom form".split())
_IMAGING = frozenset("imaging mri mr ct scan tomography ultrasound neuroimaging".split())
_RANKS = frozenset("first second third fourth fifth 1st 2nd 3rd 4th 5th 1 2 3 4 5".split())
_ADVERBS = ("tly", "lly", "rly", "ely", "dly", "sly")
_AFTER = 0.5
_PARTED = 8.0
_LISTED = 3
_SHORT_LIST = 2
_FAR = 1000
_WAYS: tuple[Callable[[int], int], ...] = (
    lambda apart: 0,
    lambda apart: _FAR * (apart < 0),
    lambda apart: _FAR * (apart > 0),
)
_WITH = 1.25


class Matcher:
    """Finds names in sentences of a reading."""

    def __init__(self, names: TermNames) -> None:
        self._names = names
        self._seen: dict[str, Known] = {}
        self._ancestors: dict[int, dict[int, int]] = {}
        self._shared_by_lists = frozenset(map(names.stems.of, _SHARED_BY_LISTS))
        self._vague = frozenset(map(names.stems.of, _VAGUE))

    def prepared(self, reading: Reading) -> Prepared:
        """Look the words of a reading up, once for all of its sentences."""
        seen, learn = self._seen, self._learn
        said = zip(reading.words, reading.signs, strict=True)
        known = [seen.get(word or sign) or learn(word or sign) for word, sign in said]
        weights = [one.weight for one in known]
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
                                if self._vague.isdisjoint(name.needed)
                                or not self._has_noun(reading, one.tokens[-1], ())
                            ]
        if sentence.prefixed:
            found = [_with_prefixes(match, sentence.prefixed) for match in found]
        return [self._as_said(reading, match) for match in self._most_specific(_longest(found))]

    def _most_specific(self, matches: list[Match]) -> list[Match]:
        """Matches without those that share words with one of a narrower term: "vitreous haemorrhages in both
        eyes" is no other haemorrhage of the eye."""
        rows = {match.name.row for match in matches}
        if len(rows) < FEW or len({at for one in matches for at in one.tokens}) == sum(
            len(one.tokens) for one in matches
        ):
            return matches
        return [
            one
            for one in matches
            if not any(
                one.name.row in self._above(other.name.row) and not set(one.tokens).isdisjoint(other.tokens)
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
            if one.prefix and at + 1 < tokens[1] and (word := reading.words[at + 1]):
                whole = self._seen.get(one.prefix + word) or self._learn(one.prefix + word)
                found += [] if whole.single is None else [Match(whole.single, (at, at + 1), 0.0)]
                joined = at + 1, whole.stem
                if whole.stem:
                    sentence.prefixed[at + 1] = whole.stem
                if whole.stem and known[at + 1].idle and not defined:
                    stems.setdefault(whole.stem, []).append(at + 1)
        if brackets:
            weigh_nothing(report, brackets, tokens[1])
        return found

    def _learn(self, word: str) -> Known:
        """What a word or sign is by itself, and its stem, "" where no name of several words has it."""
        known = Known(joint=word in _JOINTS, weight=self._weight(word))
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
            cost = self._cost(sentence, name, only)
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
                cost = self._cost(sentence, name, places)
                if cost <= MOST:
                    placed.append(Match(name, tuple(sorted(set(places))), cost))
                    break
        return placed

    def _cost(self, sentence: Sentence, name: TermName, places: list[int]) -> float:
        """How far the words of a name are apart where they stand; `places` in the name's order."""
        tokens = sorted(places)
        if sentence.spelled and not self._spelled(sentence, name, tokens):
            return _PARTED
        far = tokens[-1] - tokens[0]
        if far < len(tokens) and (not sentence.spelled or far < len(set(tokens))):
            return 0.0
        if far > REACH + len(tokens):
            return _PARTED
        gaps = [(before + 1, after) for before, after in pairwise(tokens) if after - before > 1]
        least = 0.0
        for first, last in gaps:
            least += sentence.least(first, last)
            if least > MOST:
                return _PARTED
        return sum(self._gap(sentence, name, places, *gap) for gap in gaps)

    @staticmethod
    def _spelled(sentence: Sentence, name: TermName, tokens: Sequence[int]) -> bool:
        """Whether a name has all words of the abbreviations in it, and more than one of these."""
        short = [sentence.spelled[at] for at in tokens if at in sentence.spelled]
        return not short or (tokens[0] < tokens[-1] and all(parts <= name.needed for parts in short))

    def _gap(self, sentence: Sentence, name: TermName, places: Sequence[int], first: int, last: int) -> float:
        """What it costs that tokens `first` to `last` (exclusive) stand between two words of a name."""
        reading, ordered = sentence.reading, list(places) == sorted(places)
        said = [reading.words[at] or reading.signs[at] for at in range(first, last)]
        if said[-1] == "of" and said[-2:-1] and said[-2] in _LIGHT:
            said = said[:-2]  # "inappropriate bursts of laughter"
            if not said:
                return 0.0
        counted = self._counted(reading, first, said)
        joined = any(word in _JOINTS for word in said)
        if said[0] in _JOINTS:
            # "short and broad thumbs": what is joined comes before what both are said of.
            if not counted:
                # "toes 2 and 3", but "blood and urine" is no blood of urine
                return 0.0 if _RANKS.issuperset((reading.words[first - 1], reading.words[last])) else _PARTED
            told = any(reading.cues[at] & _COPULA for at in range(first, last))
            if told and ordered:
                return _PARTED  # "in the left eye, there was a hamartoma"
            if told and counted <= _SHORT_LIST and "," not in said:
                return SHARED * counted  # "hands and feet are small"
            listed = "," in said
            apart = (
                not ordered
                or (listed and reading.words[last].endswith(_TELLING))
                or any(self._is_noun(reading, at, listed=listed) for at in self._shared(reading, first, said))
            )
            return _PARTED if apart else SHARED * counted
        if said[0] in _LEADING:
            shown = said[0] == "on" and last + 1 not in places and last + 1 < len(reading.words)
            if shown and reading.words[last + 1] in _IMAGING:
                return _PARTED  # "cerebellar atrophy on brain MRI"
            if not joined:
                return counted
            # "polydactyly of both hands and the left foot", but not "agenesis of the corpus callosum and
            # hypoplasia of the brainstem"
            latest = next((word for word in reversed(said) if word in _LAST or self._seen[word].weight), "")
            turned = places.index(first - 1) > places.index(last)
            shared = turned and latest in _LAST and counted <= _LISTED and not self._has_noun(reading, last, places)
            return SHARED * counted if shared else _PARTED
        if (
            ordered
            and said[-1] in _LAST
            and counted < _LISTED
            and not self._of_itself(reading, name, places, last)
        ):
            return _AFTER * counted  # "branchial fistulas or cysts", but not "facial rash and oedema"
        if ordered and said[-1] in _JOINTS and self._shares(reading, name, places, first, said):
            return SHARED * counted  # "low sodium, calcium and magnesium"
        if not _PLACING.isdisjoint(said):
            return _PARTED  # "renal disease in the absence"
        return counted + _WITH * joined + (not ordered)

    def _of_itself(self, reading: Reading, name: TermName, places: Sequence[int], last: int) -> bool:
        """Whether what a name has from token `last` on is a name by itself, or said of what follows it."""
        if self._names.single(reading.words[last]) is not None and reading.words[last - 1] != "or":
            return True
        rest = frozenset(stem for stem, at in zip(name.order, places, strict=True) if at >= last)
        if rest in self._names.whole:
            return True
        after = "".join(reading.words[last + 1 : last + 2])
        if after in _PLACING and reading.words[last - 1] == "and" and reading.signs[last - 2] != ",":
            return True  # "rib anomalies and calcification of the falx"
        told = bool(after) and reading.cues[last + 1] & _FINITE
        plain = not after or after in self._names.function or bool(told)
        return last == max(places) and not plain and self._weight(after) > 0

    def _shares(
        self, reading: Reading, name: TermName, places: Sequence[int], first: int, said: Sequence[str]
    ) -> bool:
        """Whether what token `first` - 1 says of a value it says of the whole list that follows."""
        rest = [at for at in places if at >= first]
        after = rest[-1] + 1
        return (
            places[0] == first - 1
            and name.order[0] in self._shared_by_lists
            and rest == list(range(rest[0], after))
            and self._shared_by_lists.isdisjoint(self._names.stems.of(word) for word in said if word)
            and not any(word.isdigit() for word in said)
            and not any(cue & _FINITE for cue in reading.cues[first : after + 1])
        )

    def _has_noun(self, reading: Reading, at: int, places: Sequence[int]) -> bool:
        """Whether an adjective has a noun of its own: "cysts of the arch and renal anomalies"."""
        after = at + 1
        if after in places or after >= len(reading.words) or not reading.words[at].endswith(_ADJECTIVAL):
            return False
        return self._weight(reading.words[after]) == MOST and not reading.cues[after] & _FINITE

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
        if (word.endswith(_NOUNS) and not _ADJECTIVE.fullmatch(word)) or (
            word.endswith("s") and not word.endswith(("ous", "us", "ss", "ris", "vis"))
        ):
            return True
        said = reading.words[at]
        return listed and not self._names.heads.isdisjoint((said, self._names.stems.of(said)))


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
    kept: list[tuple[int, Match]] = []
    base = min(match.tokens[0] for match in found)
    for match in sorted(found, key=_most_words_first):
        own = 0
        for at in match.tokens:
            own |= 1 << (at - base)
        for other, known in kept:
            again = match.name.row == known.name.row and match.cost > known.cost
            if not own & ~other or (again and own & other):
                break
        else:
            kept.append((own, match))
    return sorted((match for _, match in kept), key=lambda one: one.tokens)


def _most_words_first(match: Match) -> tuple[int, float, int, int]:
    return -len(match.tokens), match.cost, match.name.trust, match.name.row
