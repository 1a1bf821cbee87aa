"""A finding's phrase out of its clause: a noun with what describes it, a subject with what is told of it."""

from __future__ import annotations

from typing import NamedTuple

from extractors.rules.clauses import MEMBERS, Clause
from extractors.rules.lexicon import BIT, CUE, FINDING, ORGAN_BITS
from extractors.rules.reading import Reading

Span = tuple[int, int]

_FINITE, _REPORTING = CUE["finite"], CUE["reporting"]
_STOPS, _SITES, _LINKS = CUE["stop"], CUE["site"], CUE["link"]
_OCCURRING, _FRAME, _COPULA = CUE["occurring"], CUE["frame"], CUE["copula"]
_DETERMINERS = frozenset({"the", "a", "an", "his", "her", "both", "their"})
_NEGATIONS = frozenset({"no", "not", "without", "never", "nor", "absent"})
# What is told of a subject is not followed further than this many tokens.
_LONGEST_PREDICATE = 18
# Round brackets behind a finding go with it up to this many tokens.
_LONGEST_ASIDE = 14
# Within how many tokens behind a finding "was also noted" leads over to its site.
_LONGEST_VERB = 5
# Within how many tokens before a finding its negation may stand.
_NEAR = 4
_PLACING = frozenset({"in", "of", "on", "over", "under", "affecting", "involving", "around"})
_BEFORE_VALUES = frozenset({"from", "at", "by", "than", "about", "approximately"})
_TIMES = frozenset(
    "year month week day hour minute age yr h min infancy childhood adolescence adulthood january february"
    " march april may june july august september october november december morning evening".split()
)
_YEAR = 4
# What may stand between "in" or "over" and a time: "over the last three weeks".
_COUNTING = frozenset(
    "the a last past first second third previous following next early late few several one two three four"
    " five six".split()
)
# A verb behind one of these says nothing of what stands before it: "seizures since he was born".
_SUBORDINATING = frozenset(
    "which that who whose where when while because although though since until if wherea".split()
)
# What a result is told with, and says nothing of it.
_CIRCUMSTANCES = frozenset(
    "since after before during until when while because although by using following".split()
)
# What is told goes on over a comma only to something alike: "soft, not distended and without tenderness".
_TURNING = (_STOPS | _SITES | _FRAME) & ~_LINKS
_EMPTY = _STOPS | _SITES | _LINKS | _FRAME | CUE["organ"] | CUE["place"]
_LAB = BIT["Lab_Image"]
_PERSON, _TREATING = CUE["person"], CUE["treatment"]
_SAYING = _FINITE | CUE["normal"] | CUE["negated"] | CUE["result"]
# How many tokens before a treatment's name the word may stand that leads over to it.
_TURN = 5


class _Cut(NamedTuple):
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
            if word in _NEGATIONS:
                return before
            if word in _DETERMINERS and before - 1 > self.low and reading.words[before - 1] == "of":
                # "swelling of the knee"
                if not self._links(before - 1):
                    break
                place = before - 1
                continue
            if not word or reading.cues[before] & (_FINITE | _STOPS | _SITES | _FRAME):
                break
            if reading.cues[before] & _LINKS and not self._links(before):
                break
            place = before
        return self._negation(place)

    def _negation(self, place: int) -> int:
        """The negation shortly before `place`, in the same breath ("no evidence of"), or `place` itself."""
        reading = self.reading
        for before in range(place - 1, max(self.low, place - _NEAR) - 1, -1):
            if reading.words[before] in _NEGATIONS:
                return before
            if not reading.words[before] or reading.cues[before] & (_FINITE | _STOPS):
                break
        return place

    def _links(self, place: int) -> bool:
        """Whether "of" or "to" joins a noun before it to what follows: loss of vision, unable to walk."""
        reading, before = self.reading, place - 1
        return (
            before >= self.low
            and bool(reading.words[before])
            and not reading.cues[before] & (_FINITE | _STOPS | _SITES | _LINKS | _FRAME)
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
                break
            if reading.cues[at] & _FINITE or self._stops(at) or (reading.words[at] in MEMBERS and not placed):
                break
            placed = placed or bool(reading.cues[at] & _SITES)
            at += 1
        return at

    def sited(self, place: int) -> int:
        """As `right`, and on over "was noted on the cheeks" where that says the site."""
        end = self.right(place)
        for at in range(end, min(self.high - 1, end + _LONGEST_VERB)):
            if self.reading.words[at] in _PLACING:
                return end if self._stops(at) else self.right(at)
        return end

    def _stops(self, place: int) -> bool:
        """Whether time, cause or circumstance begins here ("since birth"), and no value ("at 7 cells")."""
        reading = self.reading
        if reading.words[place] in ("in", "on", "over"):
            return self._dated(place + 1)
        if not reading.cues[place] & _STOPS:
            return False
        number = reading.words[place + 1 : place + 2]
        if reading.words[place] not in _BEFORE_VALUES or not number or not number[0][:1].isdigit():
            return True
        return any(word in _TIMES for word in reading.words[place + 2 : place + 4])

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
        while place < self.high and self.reading.words[place] in _COUNTING:
            place += 1
        if place >= self.high:
            return False
        word = self.reading.words[place]
        if word.isdigit() and self.reading.words[min(place + 1, self.high - 1)] in _TIMES:
            return True
        if word in _TIMES or (len(word) == _YEAR and word.isdigit()):
            return True
        return bool(test and self.reading.strong[place] & _LAB)

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
            if reading.cues[at] & _TREATING and border < at:
                turns = (
                    i for i in range(at - 1, max(verb + 1, at - _TURN), -1) if reading.cues[i] & _TURNING
                )
                return next(turns, at)
            if reading.signs[at] == "," or reading.words[at] in MEMBERS:
                border = at
                if reading.signs[at] and at > verb + 1 and self._turns(at + 1):
                    return at
            elif reading.cues[at] & _FINITE and border > verb + 1:
                # Another predicate, or another subject with its own.
                return border
        return min(self.high, verb + _LONGEST_PREDICATE)

    def _turns(self, place: int) -> bool:
        """Whether the predicate ends before the member at `place`: ", particularly around the navel"."""
        word = self.reading.words[place] if place < self.high else ""
        if word in MEMBERS or word in _NEGATIONS:
            return False
        return not word or word.endswith("ly") or bool(self.reading.cues[place] & _TURNING)


def parted(reading: Reading, span: Span, bit: int) -> list[Span]:
    """The span, in two where a clause of its own says more of the category: "fits | that followed pain"."""
    if _SUBORDINATING.isdisjoint(reading.words[span[0] : span[1]]):
        return [span]
    marks = [i for i in range(*span) if (reading.strong[i] | reading.weak[i]) & bit]
    if len(marks) > 1:
        for at in range(marks[0] + 1, marks[-1]):
            if reading.words[at] in _SUBORDINATING and _has(reading, _FINITE, at, marks[-1]):
                return [(span[0], at), (at, span[1])]
    return [span]


def phrase(reading: Reading, clause: Clause, span: Span, bit: int) -> Span | None:
    """The phrase that says something of the category `bit` in a span of a clause, None where none does."""
    cut = finding(reading, clause, span, bit)
    if reading.cues[cut[1] - 1] & _OCCURRING and not _has(reading, _FINITE, *cut):
        # "inflammation observed"
        cut = cut[0], max(cut[0] + 1, cut[1] - 1)
    if not _has_finding(reading, cut):
        cut = with_head(reading, clause, cut)
    if not says(reading, cut):
        cut = of_list(reading, span, cut)
    return cut if says(reading, cut) else None


def _has_finding(reading: Reading, span: Span) -> bool:
    return any(mark & FINDING for mark in reading.strong[span[0] : span[1]])


def _has(reading: Reading, mask: int, first: int, last: int) -> bool:
    return any(cue & mask for cue in reading.cues[first:last])


def finding(reading: Reading, clause: Clause, span: Span, bit: int) -> Span:
    """The tokens of `span`, in the clause, that say what speaks for the category `bit`."""
    marks = [i for i in range(*span) if (reading.strong[i] | reading.weak[i]) & bit]
    if not marks:
        return span
    first, last = marks[0], marks[-1]
    cut = _Cut(reading, max(clause.first, span[0]), span[1])
    if reading.words[span[0]] in _NEGATIONS and not any(
        reading.cues[i] & _FINITE for i in range(span[0], first)
    ):
        # "no cough, rash and joint pain": the negation governs the list.
        return span[0], cut.right(last)
    verb = next((i for i in range(first + 1, span[1]) if reading.cues[i] & _FINITE), -1)
    if verb < 0 or not _SUBORDINATING.isdisjoint(reading.words[first + 1 : verb]):
        return _with_auxiliary(reading, cut.left(first), clause), cut.right(last)
    told = [mark for mark in marks if mark > verb]
    if reading.cues[verb] & _REPORTING and told:
        return _Cut(reading, verb + 1, span[1]).left(told[0]), cut.right(last)
    if not told:
        # The members of a subject share what is said of them.
        organs = (i for i in range(cut.low, first) if (reading.strong[i] | reading.weak[i]) & ORGAN_BITS)
        first = cut.left(next(organs, first))
        if first - 1 > cut.low and reading.words[first - 1] == "and" and reading.words[first - 2]:
            first = cut.left(first - 2)
        alone = first, cut.sited(last)
        # "Rash was noted", but "the spleen was palpable".
        if _occurs(reading, verb, cut.high) and says(reading, (alone[0], cut.right(last))):
            return alone
        if not reading.cues[verb] & _COPULA and any(reading.strong[mark] & FINDING for mark in marks):
            return first, cut.right(last)
        return first, max(cut.right(last), cut.predicate(verb))
    if told[0] < verb + 4 and _occurs(reading, verb, cut.high):
        return cut.left(first), cut.right(last)
    return cut.left(first), max(cut.right(last), cut.predicate(verb))


def result(reading: Reading, clause: Clause) -> Span:
    """The clause's tokens that tell a result: without whom it was found in, and without what was done then.

    "He was found to have | anaemia with haemoglobin of 8 g/dl | for which he received iron".
    """
    marked = [i for i in range(clause.first, clause.last) if reading.strong[i] | reading.weak[i]]
    if not marked:
        return clause.first, clause.last
    first, last = clause.first, clause.last
    if clause.first < clause.verb < marked[0] and _has(reading, _PERSON, clause.first, clause.verb):
        first = _Cut(reading, clause.verb + 1, clause.last).left(marked[0])
    elif marked[0] < clause.verb:
        # "One year later, | an MRI of the brain showed ...".
        first = next((i + 1 for i in range(marked[0] - 1, first, -1) if reading.signs[i] == ","), first)
    behind = next((i for i in range(marked[-1] + 1, last) if reading.cues[i] & _TREATING), last)
    if behind < last:
        turns = (
            i for i in range(behind - 1, max(marked[-1], behind - _TURN), -1) if reading.cues[i] & _TURNING
        )
        last = next(turns, behind)
    elif not _has(reading, _SAYING, marked[-1] + 1, last):
        told = max((i for i in range(marked[-1], last) if reading.words[i][:1].isdigit()), default=marked[-1])
        last = next((i for i in range(told + 1, last) if reading.words[i] in _CIRCUMSTANCES), last)
    return first, max(last, marked[-1] + 1)


def _occurs(reading: Reading, verb: int, high: int) -> bool:
    """Whether a predicate says only that something was there: "was noted", "occurred"."""
    for at in range(verb, min(high, verb + 4)):
        if reading.cues[at] & _OCCURRING:
            return True
        if (
            at > verb
            and not reading.cues[at] & _FINITE
            and reading.words[at] not in ("also", "first", "then")
        ):
            return False
    return False


def _with_auxiliary(reading: Reading, start: int, clause: Clause) -> int:
    """A negated verb keeps what it is negated by: could not walk."""
    if reading.words[start] == "not" and start > clause.first and reading.cues[start - 1] & _FINITE:
        return start - 1
    return start


def says(reading: Reading, span: Span) -> bool:
    """Whether the tokens say something, rather than name an organ, a place or a test."""
    for index in range(*span):
        cues, marks = reading.cues[index], reading.strong[index]
        if marks & FINDING or cues & (_FINITE | CUE["sign"]):
            return True
        empty = cues & _EMPTY or marks & _LAB or not reading.words[index]
        if not empty and not reading.words[index].isdigit():
            return True
    return False


def with_head(reading: Reading, clause: Clause, span: Span) -> Span:
    """The place that `span` names with what is there, if anything: "bleeding in the kidney"."""
    at = span[0] - 1
    while at > clause.first and reading.cues[at] & _FRAME and not reading.cues[at] & _FINITE:
        at -= 1
    if at <= clause.first or reading.words[at] not in _PLACING or not reading.words[at - 1]:
        return span
    predicate = (
        clause.first < clause.verb < at <= clause.verb + _LONGEST_VERB
        and reading.words[clause.verb - 1] != "there"
    )
    if predicate and (reading.cues[at - 1] & _OCCURRING or reading.cues[clause.verb] & _COPULA):
        # "A nodule (1 cm) was palpable in the thyroid": what is there is the subject.
        head = clause.verb - 1
        if reading.signs[head] == ")":
            opened = (i for i in range(head, clause.first, -1) if reading.signs[i] == "(")
            head = next(opened, head + 1) - 1
        return (_Cut(reading, clause.first, at).left(head), span[1])
    if reading.cues[at - 1] & (_FINITE | _STOPS | CUE["treatment"] | CUE["surgical"]):
        return span
    return (_Cut(reading, clause.first, at).left(at - 1), span[1])


def of_list(reading: Reading, widest: Span, span: Span) -> Span:
    """A member of a list with what the list is of: "bleeding in the kidney, liver and spleen"."""
    start = max((i + 1 for i in range(*widest) if reading.cues[i] & _FINITE), default=widest[0])
    if start >= span[0] or reading.cues[start] & _OCCURRING:
        return span
    if _PLACING.isdisjoint(reading.words[start : span[0]]):
        return span
    while start < span[0] and reading.cues[start] & _FRAME:
        start += 1
    return start, span[1]
