"""What stands between the words of a name, and how far it parts them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from extractors.phenotypes.names import TermName, TermNames
from extractors.phenotypes.sentence import FEW, MOST, REACH, SHARED, Match, Sentence
from extractors.rules.clauses import ADVERBIAL
from extractors.rules.lexicon import CUE
from extractors.rules.reading import Reading

JOINTS = frozenset({"and", "or", ",", "/", "nor"})
_PARTING = frozenset(
    "; : . ? ! but no not without although while which who including urinary urine csf".split()
)
_FLUIDS = frozenset({"urinary", "urine", "csf"})
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
# In a list a word with these endings is no noun that others share: "long face, wide nose, hypoplastic nails".
_TELLING = ("ic", "ed", "ous", "al")
_ADJECTIVAL = ("al", "ar", "ic", "ac", "ous", "ary", "ory")
# "Abnormal cerebellar peduncles" are no abnormality of the cerebellum.
_PLAIN = frozenset(
    "shape morphology structure appearance anatomy contour configuration region area with".split()
)
_VAGUE = ("abnormal", "absent", "defect")
# "Low sodium, calcium and magnesium", "raised ESR, CRP and ferritin"
_SHARED_BY_LISTS = ("increased", "decreased")
# "Recurrent otitis, sinusitis and pneumonia"
# "elevated lactate and ferritin was 5 ng/ml"
_OWN_VALUE = re.compile(r"(?: levels?| concentrations?)? (?:was|is) (?:[<>≤≥~]? ?\d|normal|low|high|within)")
_AGAIN = "recurrent"
# "Inappropriate bursts of laughter" are laughter.
_LIGHT = frozenset("episode attack bout burst paroxysm spell period degree feature sign symptom form".split())
_IMAGING = frozenset("imaging mri mr ct scan tomography ultrasound neuroimaging".split())
_RANKS = frozenset("first second third fourth fifth 1st 2nd 3rd 4th 5th 1 2 3 4 5".split())
_SAID_OF_LISTS = (
    "sparse absent short small large broad narrow long thin thick hypoplastic dysplastic low high".split()
)
_AFTER = 0.5
PARTED = 8.0
_LISTED = 3
_SHORT_LIST = 2
WITH = 1.25


class Gaps:
    """Says what it costs that words of a name are apart."""

    def __init__(self, names: TermNames) -> None:
        self._names = names
        self._weights: dict[str, float] = {}
        self._shared_by_lists = frozenset(map(names.stems.of, _SHARED_BY_LISTS))
        self._said_of_lists = self._shared_by_lists | {names.stems.of(_AGAIN)}
        self._plain = frozenset(map(names.stems.of, _SAID_OF_LISTS))
        self._absent = names.stems.of("absent")
        self._vague = frozenset(map(names.stems.of, _VAGUE))

    def weight(self, word: str) -> float:
        """How much a word or sign counts that stands between two words of a name."""
        known = self._weights.get(word)
        if known is None:
            known = self._weights[word] = self._weigh(word)
        return known

    def _weigh(self, word: str) -> float:
        if word in _PARTING:
            return PARTED
        names = self._names
        free = (
            (word in names.function and word != "with")
            or word in names.free
            or word in JOINTS
            or word in "()[]"
        )
        return 0.0 if free or word.endswith(ADVERBIAL) else 1.0

    def cost(self, sentence: Sentence, name: TermName, places: list[int]) -> float:
        """How far the words of a name are apart where they stand; `places` in the name's order."""
        tokens = sorted(places)
        if sentence.spelled and not self._spelled(sentence, name, tokens):
            return PARTED
        far = tokens[-1] - tokens[0]
        if far < len(tokens) and (not sentence.spelled or far < len(set(tokens))):
            return 0.0
        if far > REACH + len(tokens):
            return PARTED
        gaps = [(before + 1, after) for before, after in pairwise(tokens) if after - before > 1]
        least = 0.0
        for first, last in gaps:
            least += sentence.least(first, last)
            if least > MOST:
                return PARTED
        return sum(self._gap(sentence, name, places, *gap) for gap in gaps)

    def of_another(self, reading: Reading, match: Match) -> bool:
        """Whether a name's last word speaks of what follows: "the retina, and absence of hamartomas"."""
        first, last = match.tokens[0], match.tokens[-1]
        of_fluid = not _FLUIDS.isdisjoint(reading.words[first - 1 : first])
        if of_fluid and not self._shared_by_lists.isdisjoint(match.name.needed):
            return True  # "urinary methylmalonic acid was raised" is nothing of the blood
        if self._vague.isdisjoint(match.name.needed):
            # "A large pelvic mass" is no large pelvis.
            word = reading.words[last]
            organ = len(match.tokens) == FEW and word != "ear" and self._names.stems.of(word)[0] == "="
            return organ and self._has_noun(reading, last, ())
        after = reading.words[last + 1 : last + 2]
        of_it = after == ["of"] and self._names.stems.of(reading.words[last]) == self._absent
        return of_it or self._has_noun(reading, last, ())

    @staticmethod
    def _spelled(sentence: Sentence, name: TermName, tokens: Sequence[int]) -> bool:
        """Whether a name has all words of the abbreviations in it, and more than one of these."""
        short = [sentence.spelled[at] for at in tokens if at in sentence.spelled]
        return not short or (tokens[0] < tokens[-1] and all(parts <= name.needed for parts in short))

    def _gap(self, sentence: Sentence, name: TermName, places: Sequence[int], first: int, last: int) -> float:
        """What it costs that tokens `first` to `last` (exclusive) stand between two words of a name."""
        reading, ordered = sentence.reading, list(places) == sorted(places)
        parts = [reading.words[at] or reading.signs[at] for at in range(first, last)]
        if parts[-1] == "of" and parts[-2:-1] and parts[-2] in _LIGHT:
            parts = parts[:-2]  # "inappropriate bursts of laughter"
            if not parts:
                return 0.0
        if len(parts) == FEW and ordered and reading.text.startswith("-", reading.ends[first]):
            return MOST  # "large low-set ears"
        counted = self._counted(reading, first, parts)
        if parts[0] in JOINTS:
            return self._joined(reading, parts, (first, last), counted, ordered=ordered)
        if parts[0] in _LEADING:
            return self._led(reading, places, parts, (first, last), counted)
        ended = ordered and parts[-1] in JOINTS
        valued = ended and _OWN_VALUE.match(reading.text, reading.ends[places[-1]])
        if (
            ended
            and not valued
            and parts[-1] in _LAST
            and counted < _LISTED
            and not self._of_itself(reading, name, places, last)
        ):
            return _AFTER * counted  # "branchial fistulas or cysts", but not "facial rash and oedema"
        if ended and not valued and self._shares(reading, name, places, first, parts):
            return SHARED * counted  # "low sodium, calcium and magnesium"
        if "with" in parts:
            # "a nose with a bulbous tip", but not "ataxia with a tremor"
            whole = parts[0] == "with" and len(name.needed) > FEW
            return counted if whole and not self._has_noun(reading, last, places) else PARTED
        if valued or not _PLACING.isdisjoint(parts):
            return PARTED  # "renal disease in the absence"
        return counted + WITH * any(word in JOINTS for word in parts) + (not ordered)

    def _joined(
        self, reading: Reading, words: Sequence[str], gap: tuple[int, int], counted: float, *, ordered: bool
    ) -> float:
        """What a gap costs that begins with "and" or a comma: "short and broad thumbs" have what is joined
        before what both are said of."""
        first, last = gap
        if not counted:
            # "toes 2 and 3", but "blood and urine" is no blood of urine
            return 0.0 if _RANKS.issuperset((reading.words[first - 1], reading.words[last])) else PARTED
        if words[2:3] == ["of"] and counted == 1 and not self._whole(reading.words[first - 1]):
            return SHARED  # "hypoplasia or agenesis of the corpus callosum"
        told = any(reading.cues[at] & _COPULA for at in range(first, last))
        if told and ordered:
            return PARTED  # "in the left eye, there was a hamartoma"
        if told and counted <= _SHORT_LIST and _PLACING.isdisjoint(words) and "," not in words:
            return SHARED * counted  # "hands and feet are small"
        listed = "," in words
        apart = (
            not ordered
            or self._ended(reading.words[first - 1], words)
            or (listed and reading.words[last].endswith(_TELLING))
            or any(self._is_noun(reading, at, listed=listed) for at in self._shared(first, words))
        )
        return PARTED if apart else SHARED * counted

    def _ended(self, word: str, words: Sequence[str]) -> bool:
        """Whether a comma follows a noun that a word makes a name with: "short and webbed neck, ..."."""
        nouns = [self._names.stems.of(noun) for noun, sign in pairwise(words) if sign == ","]
        return any(frozenset((self._names.stems.of(word), noun)) in self._names.whole for noun in nouns)

    def _whole(self, word: str) -> bool:
        """Whether a word is a finding without what it is of, or says too little of it."""
        stem = self._names.stems.of(word)
        return self._names.single(word) is not None or (stem in self._vague and stem != self._absent)

    def _led(
        self,
        reading: Reading,
        places: Sequence[int],
        words: Sequence[str],
        gap: tuple[int, int],
        counted: float,
    ) -> float:
        """What a gap costs that begins with "of" or "was": "polydactyly of both hands and the left foot", but
        not "agenesis of the corpus callosum and hypoplasia of the brainstem"."""
        first, last = gap
        shown = words[0] == "on" and last + 1 not in places and last + 1 < len(reading.words)
        if shown and reading.words[last + 1] in _IMAGING:
            return PARTED  # "cerebellar atrophy on brain MRI"
        if JOINTS.isdisjoint(words):
            # "ears that were set low", but not "cancer was a candidate of blood transfusion"
            return PARTED if words[0] not in _PLACING and not _PLACING.isdisjoint(words) else counted
        latest = next((word for word in reversed(words) if word in JOINTS or self.weight(word)), "")
        turned = places.index(first - 1) > places.index(last)
        goes_on = latest == "," and last + 1 < len(reading.words) and _joint_at(reading, last + 1)
        several = turned and (latest in _LAST or goes_on) and counted <= _LISTED
        return SHARED * counted if several and not self._has_noun(reading, last, places) else PARTED

    def _of_itself(self, reading: Reading, name: TermName, places: Sequence[int], last: int) -> bool:
        """Whether what a name has from token `last` on is a name by itself, or said of what follows it."""
        if self._names.single(reading.words[last]) is not None and reading.words[last - 1] != "or":
            return True
        rest = frozenset(stem for stem, at in zip(name.order, places, strict=True) if at >= last)
        if rest in self._names.whole:
            return True
        end = last + sum(last < at for at in places)
        after = "".join(reading.words[end + 1 : end + 2])
        if after in _PLACING and reading.words[last - 1] == "and" and reading.signs[last - 2] != ",":
            return True  # "rib anomalies and calcification of the falx"
        told = bool(after) and reading.cues[end + 1] & _FINITE
        plain = not after or after in self._names.function or bool(told)
        return end == max(places) and not plain and self.weight(after) > 0

    def _shares(
        self, reading: Reading, name: TermName, places: Sequence[int], first: int, words: Sequence[str]
    ) -> bool:
        """Whether what token `first` - 1 says of a value it says of the whole list that follows."""
        rest = [at for at in places if at >= first]
        after = rest[-1] + 1
        return (
            places[0] == first - 1
            and name.order[1] not in self._plain  # "sparse hair, absent eyelashes"
            and (name.order[0] in self._said_of_lists or self._of_all(reading, after, name.order[0], words))
            and rest == list(range(rest[0], after))
            and self._shared_by_lists.isdisjoint(self._names.stems.of(word) for word in words if word)
            and not any(word.isdigit() for word in words)
            and not any(cue & _FINITE for cue in reading.cues[first : after + 1])
        )

    def _of_all(self, reading: Reading, after: int, stem: str, words: Sequence[str]) -> bool:
        """Whether a plain adjective is said of a list, each thing of which would be a name with it: "sparse
        hair, eyebrows and lashes", but not "short stature, broad nose, ears low-set"."""
        stems = [self._names.stems.of(word) for word in words]
        last = [stem for stem, sign in pairwise(stems) if sign in JOINTS and stem not in JOINTS]
        ended = after >= len(reading.words) or not reading.words[after] or reading.words[after] in _LAST
        return (
            stem in self._plain
            and ended
            and self._plain.isdisjoint(stems)
            and all(frozenset((stem, one)) in self._names.whole for one in last)
        )

    def _has_noun(self, reading: Reading, at: int, places: Sequence[int]) -> bool:
        """Whether an adjective has a noun of its own: "cysts of the arch and renal anomalies"."""
        after = at + 1
        if after in places or after >= len(reading.words) or not reading.words[at].endswith(_ADJECTIVAL):
            return False
        noun = reading.words[after]
        return noun not in _PLAIN and self.weight(noun) == MOST and not reading.cues[after] & _FINITE

    @staticmethod
    def _shared(first: int, words: Sequence[str]) -> list[int]:
        """The words of which none may be a head: the one before a joint and those up to the next."""
        last = max(at for at, word in enumerate(words) if word in JOINTS)
        return [first - 1, *(first + at for at in range(last) if words[at] not in JOINTS)]

    def _counted(self, reading: Reading, first: int, words: Sequence[str]) -> float:
        """How many words of those that follow token `first` count; brackets are passed over."""
        counted, depth = 0.0, 0
        for at, word in enumerate(words, start=first):
            depth += (word in "([") - (word in ")]")
            if depth > 0 or word in ")]":
                continue
            cue = reading.cues[at]
            told = cue & _FINITE and not cue & _COPULA and word not in _LEADING
            counted += PARTED if told else self.weight(word)
        return counted if not depth else PARTED

    def _is_noun(self, reading: Reading, at: int, *, listed: bool) -> bool:
        """Whether a word is a head of its own: a plural, by its ending, in a list where most names have it
        last."""
        word = reading.text[reading.starts[at] : reading.ends[at]].lower()
        if (word.endswith(_NOUNS) and not _ADJECTIVE.fullmatch(word)) or (
            word.endswith("s") and not word.endswith(("ous", "us", "ss", "ris", "vis"))
        ):
            return True
        given = reading.words[at]
        return listed and not self._names.heads.isdisjoint((given, self._names.stems.of(given)))


def _joint_at(reading: Reading, at: int) -> bool:
    return (reading.words[at] or reading.signs[at]) in JOINTS
