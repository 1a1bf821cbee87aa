"""The assertion status of a finding, its polarity: present, denied or left in doubt where it stands."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise

from extractors.model.finding import Polarity
from extractors.rules.clauses import MEMBERS
from extractors.rules.context import cues_between
from extractors.rules.lexicon import BIT, CUE, FINDING
from extractors.rules.reading import Reading

# Without any of these nothing is denied or doubted.
_DECIDING = CUE["negated"] | CUE["uncertain"] | CUE["normal"] | CUE["open"] | CUE["behind"]
# Something is there: by its name, or by a word of what is wrong.
_NAMED, _FOUND = 1 << len(CUE), 3 << len(CUE)
_WRONG = CUE["sign"] | CUE["abnormal"]
# How many characters before a quote a negation or doubt may stand, and how many tokens before it the denial
# that begins its list.
_BEFORE, _LISTED = 40, 40
# Within how many tokens behind its verb a subject is judged: "had all been normal".
_JUDGED = 4
# How many tokens behind a quote its denial may stand.
_BEHIND = 5

# "Did not report seizures": denied, these verbs turn nothing.
_TELLING = frozenset("report reported describe described endorse endorsed admit admitted complained".split())

_WHO = frozenset({"he", "she", "they"})
# Where these are denied, what they are of is there: "no relief of pain"; of a change only what is a finding.
_BETTER = frozenset({"improvement", "relief", "resolution", "regression", "recovery"})
_CHANGES, _OF_WHAT = _BETTER | {"change", "changes"}, frozenset({"in", "of", "from"})
_GROUNDS = frozenset({"because", "due", "given", "based"})
# "Epilepsy was suspected": doubt that stands behind what it is about.
_DOUBTED = frozenset("suspected possible probable likely unlikely questionable doubtful presumed".split())
BE = frozenset("is are was were be been".split())
_GOING_ON = frozenset(
    "and but or because based on in at by clinically initially from after before given when".split()
)

# Behind "and" these go on with the subject before: "was suspected and excluded".
_SAME_SUBJECT = CUE["negated"] | CUE["denied"] | CUE["behind"] | CUE["finite"]
_PREPOSITIONS = CUE["site"] | CUE["link"] | CUE["stop"]
_ARTICLES = frozenset({"a", "an", "the"})
_ENDING, _LISTING, _EITHER = frozenset(";:"), frozenset({"or", "nor", "and"}), frozenset({"or", "nor"})

Span = tuple[int, int]
_DONE, _HEALTHY = CUE["treatment"] | CUE["surgical"], CUE["negated"] | CUE["normal"]


def may_deny(cues: int) -> bool:
    """Whether anything with these cues denies, doubts or calls normal what stands near it."""
    return bool(cues & _DECIDING)


def polarity(reading: Reading, clause: Span, quote: Span) -> Polarity:
    """Polarity of the quote at characters `quote` in the clause at tokens `clause`.

    Its own cues count, and those that stand shortly before it in the clause. A negation behind a finding
    speaks of something else ("ataxia without seizures"); what is called normal is negated where nothing is
    found.
    """
    start, end = quote
    first = max(clause[0], bisect_left(reading.starts, start - _BEFORE))
    first = min(first, _denial_before(reading, clause, bisect_left(reading.starts, start)))
    last = min(clause[1], bisect_left(reading.starts, end))
    mask = 0
    if cues_between(reading, first, last) & _DECIDING:
        mask = _told_within(reading, first, last, start)
    found = mask & _FOUND
    mask |= _told_behind(reading, last, clause[1], start)
    if mask & CUE["open"]:
        return "uncertain"
    if mask & CUE["negated"] or (mask & CUE["normal"] and not found):
        return "negated"
    return "uncertain" if mask & CUE["uncertain"] else "present"


def _denial_before(reading: Reading, clause: Span, quote: int) -> int:
    """The denial that begins the list of which token `quote` is a member, "denied cough, chills and pain";
    else `quote`."""
    if quote == clause[0] or not (reading.signs[quote - 1] == "," or reading.words[quote - 1] in _LISTING):
        return quote
    for at in range(quote - 1, max(clause[0], quote - _LISTED) - 1, -1):
        if reading.cues[at] & (CUE["negated"] | CUE["denied"]) == CUE["negated"]:
            either = reading.cues[at] & CUE["finite"] or not _EITHER.isdisjoint(reading.words[at : clause[1]])
            return at if either else quote
        verb = reading.cues[at] & CUE["finite"] and not reading.cues[max(clause[0], at - 1)] & CUE["negated"]
        if verb or reading.signs[at] in _ENDING or reading.words[at] == "with":
            break
    return quote


def _told_within(reading: Reading, first: int, last: int, start: int) -> int:
    """The cues of the tokens that bear on a quote that begins at character `start`; _FOUND for a finding."""
    mask = depth = found = before = outside = 0
    for index in range(first, last):
        cue = reading.cues[index]
        depth += (reading.signs[index] == "(") - (reading.signs[index] == ")")
        if reading.signs[index] == "(":
            before, outside = mask, found
        elif reading.signs[index] == ")" and (reading.starts[index] < start or outside):
            mask = before  # "brachydactyly (no polydactyly), ataxia": what brackets deny stays in them
        if depth > 0:
            cue &= ~CUE["normal"]  # "(normal < 50)" gives a range
        if found and (not cue & (CUE["denied"] | CUE["behind"]) or _describes(reading, first, index, last)):
            cue &= ~CUE["negated"]
        if cue & CUE["turn"] and not mask & _HEALTHY and _is_said(reading, start, index):
            break  # "he quit smoking, but received no treatment"
        mask = mask & ~_taken_back(reading, first, index, start) | cue & ~_of_a_part(reading, start, index)
        if reading.starts[index] < start and (reading.signs[index] == "," or reading.words[index] in MEMBERS):
            mask &= ~CUE["open"]  # "meningitis could not be excluded, lymphoma was ruled out"
        if reading.starts[index] >= start:
            found = _found_at(reading, start, index, mask, found)
    return mask | found


def _found_at(reading: Reading, start: int, place: int, mask: int, found: int) -> int:
    """What is `found` up to the token at `place` of a quote that begins at character `start`, where `mask`
    bears on it."""
    cue = reading.cues[place]
    if reading.strong[place] & FINDING:
        return _FOUND
    if cue & CUE["reporting"] or (cue & CUE["normal"] and _of_subject(reading, start, place)):
        return found & _NAMED  # "biopsy of the mass showed no malignancy", "tumour markers were normal"
    return found | _FOUND & ~_NAMED if cue & _WRONG and not mask & CUE["negated"] else found


def _of_subject(reading: Reading, start: int, place: int) -> bool:
    """Whether the token at `place` judges the subject of a quote that begins at character `start`."""
    tokens = range(bisect_left(reading.starts, start), place)
    verb = next((at for at in tokens if reading.cues[at] & CUE["finite"]), place)
    return 0 < place - verb <= _JUDGED


def _taken_back(reading: Reading, first: int, place: int, start: int) -> int:
    """The cues of the tokens `first` to `place` that do not bear on what follows the token at `place`."""
    word, cue = reading.words[place], reading.cues[place]
    denied = word in _TELLING and reading.cues[max(first, place - 1)] & CUE["negated"]
    if cue & CUE["turn"] and not cue & CUE["negated"] and reading.starts[place] < start and not denied:
        return CUE["negated"]  # "no rash except on the face", but not "did not report"
    if word in _GROUNDS and reading.starts[place] < start:
        return CUE["uncertain"]  # "myopathy was suspected because of weakness"
    if word == "with" and reading.signs[place - 1] == ",":
        return CUE["normal"]  # "showed normal rhythm, with ST elevation"
    if reading.signs[place] == "," and reading.words[place - 3 : place - 1] == ["but", "not"]:
        return CUE["negated"]  # "many, but not fatal, episodes of pulmonary edema"
    if reading.words[place - 1] in _CHANGES and word in _OF_WHAT:
        return _left_standing(reading, place, start)
    if (word in _WHO and reading.words[place - 1] != "that") or cue & CUE["finite"]:
        before = reading.words[first:place]
        if "without" in before or ("with", "no") in pairwise(before):
            # "Without therapy she had ataxia", "a man with no allergies had fits".
            denials = sum(bool(cue & CUE["negated"]) for cue in reading.cues[first:place])
            return CUE["negated"] if denials == 1 else 0
    return 0


def _left_standing(reading: Reading, place: int, start: int) -> int:
    """The cue "negated" where the preposition at `place` leads to a quote from character `start` on, or is in
    it right behind its denial; "no relief of pain, fever" says nothing of fever."""
    quote = bisect_left(reading.starts, start)
    if quote <= place:
        return CUE["negated"] if reading.words[place - 1] in _BETTER and place - quote <= _JUDGED else 0
    listed = any(reading.signs[at] == "," or reading.words[at] in _LISTING for at in range(place, quote))
    standing = reading.words[place - 1] in _BETTER or reading.strong[quote] & FINDING
    return CUE["negated"] if standing and not listed else 0


def _is_said(reading: Reading, start: int, place: int) -> bool:
    """Whether a quote that begins at character `start` has said something when the token at `place` turns.

    A test that was done, or what was only suspected, says nothing.
    """
    first = bisect_left(reading.starts, start)
    cues = cues_between(reading, first, place)
    if reading.cues[place] & CUE["finite"] or cues & CUE["uncertain"]:
        return False  # "was reported as normal"
    done = reading.masks(first, place)[0] & BIT["Lab_Image"] and not cues & (CUE["reporting"] | _WRONG)
    return bool(cues & CUE["finite"] and not done)


def _of_a_part(reading: Reading, start: int, place: int) -> int:
    """The cues of the token at `place` that bear on the end alone of a quote from character `start` on:
    "atresia of the right and a normal left canal", "was treated without success"."""
    if not reading.cues[place] & _HEALTHY:
        return 0
    first, words = bisect_left(reading.starts, start), reading.words
    if words[place] == "without" and cues_between(reading, max(first, place - _LISTED), place) & _DONE:
        return CUE["negated"]
    if not words[place + 1 : place + 2] or not words[place + 1] or reading.cues[place + 1] & _PREPOSITIONS:
        return 0
    joint = place - 1 - (words[place - 1] in _ARTICLES)
    return CUE["normal"] if joint > first and words[joint] == "and" else 0


def _describes(reading: Reading, first: int, place: int, last: int) -> bool:
    """Whether a denial speaks of what is behind it alone: "pallor and absent reflexes", "positive for A and
    negative for B"."""
    if reading.words[place] == "negative":
        return "positive" in reading.words[first:place]
    return reading.words[place] == "absent" and place + 1 < last and bool(reading.strong[place + 1])


def _told_behind(reading: Reading, first: int, last: int, start: int) -> int:
    """The cue "negated", "open" or "uncertain" where a quote from character `start` to before token `first`
    is denied, left open or doubted behind it, else 0."""
    subject = reading.cues[first + 1 : first + 2] and not reading.cues[first + 1] & _SAME_SUBJECT
    if reading.words[first : first + 1] == ["and"] and subject and _is_said(reading, start, first):
        return 0  # "the rate fell and fever did not recur"
    for index in range(first, min(last, first + _BEHIND)):
        if reading.signs[index] or reading.cues[index] & CUE["turn"] or reading.words[index] == "with":
            break  # "protruding ears with absent lobes"
        if reading.cues[index] & CUE["open"]:
            return CUE["open"]
        if reading.cues[index] & CUE["behind"]:
            return CUE["negated"]
        if (
            reading.words[index] in _DOUBTED
            and (reading.words[index - 1] in BE or reading.words[index] == "unlikely")
            and _ends(reading, index, last)
        ):
            return CUE["uncertain"]
    return 0


def _ends(reading: Reading, place: int, last: int) -> bool:
    """Whether doubt ends with a token: "was likely", not "was likely caused by"; not if it is confirmed."""
    after = place + 1
    for at in range(after, last):
        if reading.words[at] == "confirmed":
            return reading.words[at - 1] == "not"
    return after >= last or bool(reading.signs[after]) or reading.words[after] in _GOING_ON
