"""Where the phrase that holds a word begins and ends, to its left and to its right."""

from __future__ import annotations

from typing import NamedTuple

from extractors.rules.clauses import MEMBERS
from extractors.rules.context import cues_between
from extractors.rules.lexicon import BIT, CUE, FINDING, ORGAN_BITS
from extractors.rules.reading import Reading

FINITE, STOPS, SITES, LINKS, FRAME = (CUE[cue] for cue in ("finite", "stop", "site", "link", "frame"))
TREATING, _OCCURRING = CUE["treatment"], CUE["occurring"]
TEST, PLACES = CUE["heading"] | CUE["imaging"], CUE["organ"] | CUE["place"]
LAB = BIT["Lab_Image"]
DETERMINERS = frozenset({"the", "a", "an", "his", "her", "both", "their"})
NEGATIONS = frozenset({"no", "not", "without", "never", "nor", "absent"})
# What is told of a subject is not followed further than this many tokens.
_LONGEST_PREDICATE = 18
# Round brackets behind a finding go with it up to this many tokens.
_LONGEST_ASIDE = 14
# Within how many tokens behind a finding "was also noted" leads over to its site.
LONGEST_VERB = 5
# Within how many tokens before a finding its negation may stand.
_NEAR = 4
PLACING = frozenset({"in", "of", "on", "over", "under", "affecting", "involving", "around"})
_BEFORE_VALUES = frozenset({"from", "at", "by", "than", "about", "approximately"})
TIMES = frozenset(
    "year month week day hour minute age yr h min infancy childhood adolescence adulthood january february"
    " march april may june july august september october november december morning evening".split()
)
_YEAR = 4
# So end the adjectives of organs.
_ADJECTIVAL = ("al", "ic", "ar", "ary", "ory", "ine")
# Within how many tokens behind "on" a test is named: "on clinical and ultrasound examination".
_LONGEST_TEST = 4
# What may stand between "in" or "over" and a time: "over the last three weeks".
COUNTING = frozenset(
    "the a last past first second third previous following next early late few several one two three four"
    " five six".split()
)
# A verb behind one of these says nothing of what stands before it: "seizures since he was born".
SUBORDINATING = frozenset(
    "which that who whose where when while because although though since until if wherea".split()
)
# "Difficulty in | swallowing", "a fall in | platelets" say something else without their head.
_CHANGED = frozenset(
    "difficulty trouble increase decrease reduction rise fall drop decline change improvement loss".split()
)
# What is told goes on over a comma only to something alike: "soft, not distended and without tenderness".
TURNING = (STOPS | SITES | FRAME) & ~LINKS
# How many tokens before a treatment's name the word may stand that leads over to it.
TURN = 5


class Cut(NamedTuple):
    """The borders within which a phrase is looked for."""

    reading: Reading
    low: int
    high: int

    def left(self, place: int) -> int:
        """The first token of the noun phrase that holds `place`, a negation before it included."""
        reading = self.reading
        while place > self.low:
            before = place - 1
            word = reading.words[before]
            if word in NEGATIONS:
                return before
            if word in DETERMINERS and before - 1 > self.low and reading.words[before - 1] == "of":
                # "swelling of the knee"
                if not self._links(before - 1):
                    break
                place = before - 1
                continue
            changed = word == "in" and before > self.low and reading.words[before - 1] in _CHANGED
            if not word or (reading.cues[before] & (FINITE | STOPS | SITES | FRAME) and not changed):
                break
            if reading.cues[before] & LINKS and not self._links(before):
                break
            place = before
        return self._negation(place)

    def _negation(self, place: int) -> int:
        """The negation shortly before `place`, in the same breath ("no evidence of"), or `place` itself."""
        reading, crossed = self.reading, False
        for before in range(place - 1, max(self.low, place - _NEAR) - 1, -1):
            if reading.words[before] in NEGATIONS:
                # "could not be excluded and | lymphoma", "not found in | the brain": a verb's negation.
                return place if reading.words[before] == "not" and crossed else before
            crossed = crossed or reading.words[before] in MEMBERS or bool(reading.cues[before] & _OCCURRING)
            if not reading.words[before] or reading.cues[before] & (FINITE | STOPS):
                break
        return place

    def _links(self, place: int) -> bool:
        """Whether "of" or "to" joins a noun before it to what follows: loss of vision, unable to walk."""
        reading, before = self.reading, place - 1
        return (
            before >= self.low
            and bool(reading.words[before])
            and not reading.cues[before] & (FINITE | STOPS | SITES | LINKS | FRAME | CUE["heading"])
        )

    def right(self, place: int) -> int:
        """One behind the last token of the phrase that `place` ends: "pain in both legs | since birth"."""
        reading, at = self.reading, self._closed(place) + 1
        placed = False
        while at < self.high:
            if reading.signs[at] == "(":
                at = self._aside(at)
                break
            if reading.signs[at] and reading.signs[at] not in "%.":
                if reading.signs[at] != "," or not lacks_head(reading, at - 1):
                    break
            if reading.cues[at] & FINITE or self._stops(at):
                break
            if reading.words[at] in MEMBERS and not placed and not lacks_head(reading, at - 1):
                break
            placed = placed or bool(reading.cues[at] & SITES)
            at += 1
        return at

    def sited(self, place: int) -> int:
        """As `right`, and on over "was noted on the cheeks" where that says the site."""
        end = self.right(place)
        for at in range(end, min(self.high - 1, end + LONGEST_VERB)):
            if self.reading.words[at] in PLACING:
                return end if self._stops(at) else self.right(at)
        return end

    def _stops(self, place: int) -> bool:
        """Whether time, cause or circumstance begins here ("since birth"), and no value ("at 7 cells")."""
        reading = self.reading
        if reading.words[place] in ("in", "on", "over"):
            return self._dated(place + 1)
        if not reading.cues[place] & STOPS:
            return False
        number = reading.words[place + 1 : place + 2]
        if reading.words[place] not in _BEFORE_VALUES or not number or not number[0][:1].isdigit():
            return True
        return any(word in TIMES for word in reading.words[place + 2 : place + 4])

    def told(self, verb: int, last: int) -> int:
        """One behind what is told by `verb` and of the mark `last`, which may have a verb of its own."""
        end = max(self.right(last), self.predicate(verb))
        if end < self.high and self.reading.cues[end] & FINITE:
            # "reflexes were absent and plantar responses | were flexor"
            return self.predicate(end)
        return end

    def turns_away(self, place: int, mark: int) -> bool:
        """Whether what stands between `place` and the mark behind it parts that mark from those before."""
        reading = self.reading
        if reading.words[place] in SUBORDINATING:
            return has(reading, FINITE, place, mark)
        if reading.words[place] == "but":
            return True
        return self._stops(place) and says_wrong(reading, mark) and not has(reading, TEST, self.low, place)

    def _closed(self, place: int) -> int:
        """The bracket that closes the one in which `place` stands, or `place` itself."""
        signs = self.reading.signs
        inside = next((i for i in range(place, self.low - 1, -1) if signs[i] in ("(", ")")), -1)
        if inside < 0 or signs[inside] == ")":
            return place
        return next(
            (i for i in range(place, min(self.high, place + _LONGEST_ASIDE)) if signs[i] == ")"), place
        )

    def _dated(self, place: int) -> bool:
        """Whether a year, a time of life or a test follows: "in 2015", "in childhood", "on ultrasound"."""
        test = self.reading.words[place - 1] == "on"
        while place < self.high and self.reading.words[place] in COUNTING:
            place += 1
        if place >= self.high:
            return False
        word = self.reading.words[place]
        if word.isdigit() and self.reading.words[min(place + 1, self.high - 1)] in TIMES:
            return True
        if word in TIMES or (len(word) == _YEAR and word.isdigit()):
            return True
        return test and _has_test(self.reading, place, min(self.high, place + _LONGEST_TEST))

    def _aside(self, place: int) -> int:
        """One behind a short aside in brackets that begins at `place`, or `place` itself."""
        for at in range(place + 1, min(self.high, place + _LONGEST_ASIDE)):
            if self.reading.signs[at] == ")":
                return at + 1
        return place

    def predicate(self, verb: int) -> int:
        """One behind the last token of what is told by `verb`."""
        reading, border = self.reading, verb + 1
        for at in range(verb + 1, min(self.high, verb + _LONGEST_PREDICATE)):
            if reading.signs[at] == ";" or (at > verb + 1 and self._stops(at)):
                return at
            if reading.cues[at] & TREATING and border < at:
                turns = (i for i in range(at - 1, max(verb + 1, at - TURN), -1) if reading.cues[i] & TURNING)
                return next(turns, at)
            if reading.signs[at] == "," or reading.words[at] in MEMBERS:
                border = at
                if reading.signs[at] and at > verb + 1 and self._turns(at + 1):
                    return at
            elif reading.cues[at] & FINITE and border > verb + 1:
                # Another predicate, or another subject with its own.
                return border
        return min(self.high, verb + _LONGEST_PREDICATE)

    def _turns(self, place: int) -> bool:
        """Whether the predicate ends before the member at `place`: ", particularly around the navel"."""
        word = self.reading.words[place] if place < self.high else ""
        if word in MEMBERS or word in NEGATIONS:
            return False
        return not word or word.endswith("ly") or bool(self.reading.cues[place] & TURNING)


def lacks_head(reading: Reading, place: int) -> bool:
    """Whether an organ's adjective waits for its noun: "no respiratory | or gastrointestinal symptoms"."""
    return bool(
        reading.words[place].endswith(_ADJECTIVAL)
        and ((reading.strong[place] | reading.weak[place]) & ORGAN_BITS or reading.cues[place] & PLACES)
        and not reading.strong[place] & FINDING
    )


def _has_test(reading: Reading, first: int, last: int) -> bool:
    """Whether a test is named before anything ends the phrase at token `first`."""
    for at in range(first, last):
        if reading.strong[at] & LAB or reading.cues[at] & TEST:
            return True
        if not reading.words[at] or reading.cues[at] & (FINITE | STOPS):
            return False
    return False


def says_wrong(reading: Reading, place: int) -> bool:
    """Whether the token names a finding of its own, not an organ only."""
    return bool(reading.strong[place] & FINDING or reading.cues[place] & CUE["sign"])


def has(reading: Reading, mask: int, first: int, last: int) -> bool:
    return bool(cues_between(reading, first, last) & mask)
