"""The assertion status of a finding, its polarity: present, denied or left in doubt where it stands."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise

from extractors.model.finding import Polarity
from extractors.rules.clauses import MEMBERS, is_adverb
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

# "Walks without support" denies nothing.
_AIDS = frozenset("support help aid assistance supervision".split())
_WHO = frozenset({"he", "she", "they"})
# Where these are denied, what they are of is there: "no relief of pain", "no cause of the anaemia was found";
# of a change only what is a finding.
_BETTER = frozenset("improvement relief resolution regression recovery response".split())
_BEYOND = _BETTER | frozenset(
    "worsening exacerbation aggravation deterioration progression difference cause explanation reason"
    " etiology source treatment therapy workup biopsy resection investigation".split()
)
_CHANGES, _OF_WHAT = _BEYOND | {"change", "changes"}, frozenset({"in", "of", "from", "for"})
_UNTIL = frozenset({"until", "till", "before", "when"})
_GROUNDS = frozenset({"because", "due", "given", "based"})
# Without any of these, or a comma, nothing said before is taken back.
_TURNING = CUE["turn"] | CUE["finite"]
_TURNS = _UNTIL | _GROUNDS | _WHO | _OF_WHAT | {"with"}
# Without a cue of their own these bear on what is near them.
_BEARING = _TURNS | MEMBERS
# "Possible epilepsy" doubts one thing; "epilepsy was suspected" what it stands behind.
_DOUBTFUL = frozenset("suspected possible probable likely unlikely questionable doubtful presumed".split())
_DOUBTED = _DOUBTFUL | {"considered"}
# "Seizures did not develop".
_ARISING = frozenset("appear appeared arise develop developed ensue".split())
_NEVER = frozenset({"not", "never"})
# Behind these it is no list of subjects any more.
_APART = frozenset("but that what when where which while who whose with without".split())
BE = frozenset("is are was were be been".split())
_SEEMS = BE | {"seems", "seemed", "appears", "appeared", "remains", "remained"}
_GOING_ON = frozenset(
    "and but or because based on in at by clinically initially from after before given when".split()
)

# Behind "and" these go on with the subject before: "was suspected and excluded".
_SAME_SUBJECT = CUE["negated"] | CUE["denied"] | CUE["behind"] | CUE["finite"]
_PREPOSITIONS = CUE["site"] | CUE["link"] | CUE["stop"]
_ARTICLES = frozenset({"a", "an", "the"})
_OPENING = frozenset(",(")
_STOPS = frozenset(".;:\n")
_ENDING, _LISTING, _EITHER = frozenset(";:"), frozenset({"or", "nor", "and"}), frozenset({"or", "nor"})

_TICKED_OFF = re.compile(
    r"\s?\(\s?[-–−]\s?\)|\s?[:=]\s?(?:no|none|nil|absent|negative|denied)\b"
    r"|\s[-–]\s?(?:no|none|nil|absent|negative|denied)(?=\s*(?:[.,;]|$))"
    r"|\s?\?\s+(?:no|none|nil|never|absent|denied|not (?:reported|seen|found|present|noted))\b"
    r"|-free\b|\sfree (?:for|since|at|after|from|on|until|during)\b",
    re.IGNORECASE,
)
_TICKED_BEFORE = re.compile(r"\(\s?[-–−]\s?\)\s?$")
# With one of these begins what ticks off.
_SIGNS_OF_TICKS = frozenset("(:=?-–fF")
_TICK, _TICKS = 8, (")", " no", ":no", " none")
_DONE, _HEALTHY = CUE["treatment"] | CUE["surgical"], CUE["negated"] | CUE["normal"]

Span = tuple[int, int]


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
    mask |= _told_behind(reading, last, clause, start)
    if is_ticked_off(reading.text, start, end):
        return "negated"
    if mask & CUE["open"]:
        return "uncertain"
    if mask & CUE["negated"] or (mask & CUE["normal"] and not found):
        return "negated"
    return "uncertain" if mask & CUE["uncertain"] else "present"


def is_ticked_off(text: str, start: int, end: int) -> bool:
    """Whether a finding from character `start` to `end` is denied right there: "fever (-)", "(-) fever",
    "fever: no", "seizure-free"; what denies it may be its end."""
    if text[end : end + 2].lstrip()[:1] in _SIGNS_OF_TICKS and _TICKED_OFF.match(text, end):
        return True
    if text.endswith(_TICKS, start, end) and text.count("(", start, end) < 2:
        within = _TICKED_OFF.search(text, max(start, end - _TICK), end)
        if within is not None and within.end() == end:
            return True
    before = text[max(0, start - _TICK) : start]
    return before.endswith((")", ") ")) and bool(_TICKED_BEFORE.search(before))


def _denial_before(reading: Reading, clause: Span, quote: int) -> int:
    """The denial that begins the list of which token `quote` is a member, "denied cough, chills and pain";
    else `quote`."""
    if quote == clause[0] or not (reading.signs[quote - 1] == "," or reading.words[quote - 1] in _LISTING):
        return quote
    cues, words = reading.cues, reading.words
    for at in range(quote - 1, max(clause[0], quote - _LISTED) - 1, -1):
        cue = cues[at]
        if cue & (CUE["negated"] | CUE["denied"]) == CUE["negated"]:
            either = cue & CUE["finite"] or not _EITHER.isdisjoint(words[at : clause[1]])
            return at if either else quote
        # "The differential diagnosis included" doubts ahead of its verb.
        doubt = (
            at - 2 if cue & CUE["finite"] and at - 2 >= clause[0] and cues[at - 2] & CUE["uncertain"] else at
        )
        if cues[doubt] & CUE["uncertain"] and words[doubt] not in _DOUBTFUL:
            return doubt
        verb = cue & CUE["finite"] and not cues[max(clause[0], at - 1)] & CUE["negated"]
        if verb or reading.signs[at] in _ENDING or _leads_apart(reading, at):
            break
    return quote


def _leads_apart(reading: Reading, place: int) -> bool:
    """Whether "including" stands here, or a "with" that is not of "consistent with"."""
    doubted = reading.cues[place - 1] & CUE["uncertain"]
    return reading.words[place] == "including" or (reading.words[place] == "with" and not doubted)


def _told_within(reading: Reading, first: int, last: int, start: int) -> int:
    """The cues of the tokens that bear on a quote that begins at character `start`; _FOUND for a finding."""
    mask = depth = found = before = outside = 0
    for index in _bearing(reading, first, last):
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


def _bearing(reading: Reading, first: int, last: int) -> list[int]:
    """The tokens from `first` to before `last` that may bear on another."""
    cues, signs, strong, words = reading.cues, reading.signs, reading.strong, reading.words
    return [
        at
        for at in range(first, last)
        if cues[at] or signs[at] or strong[at] & FINDING or words[at] in _BEARING
    ]


def _found_at(reading: Reading, start: int, place: int, mask: int, found: int) -> int:
    """What is `found` up to the token at `place` of a quote that begins at character `start`, where `mask`
    bears on it."""
    cue = reading.cues[place]
    if reading.strong[place] & FINDING or _is_unaided(reading, place):
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
    if cue & _TURNING or word in _TURNS or reading.signs[place] == ",":
        return _turned(reading, first, place, start)
    return 0


def _turned(reading: Reading, first: int, place: int, start: int) -> int:
    """The same of a token that may turn."""
    word, cue = reading.words[place], reading.cues[place]
    denied = word in _TELLING and reading.cues[max(first, place - 1)] & CUE["negated"]
    if cue & CUE["turn"] and not cue & CUE["negated"] and reading.starts[place] < start and not denied:
        # "No rash except on the face", "afebrile but tachycardic", but not "did not report".
        return CUE["negated"] | CUE["normal"]
    if word in _UNTIL and reading.starts[place] < start and _begins(reading, start):
        return CUE["negated"] | CUE["uncertain"]  # "no symptoms until seizures began"
    if word in _GROUNDS and reading.starts[place] < start:
        return CUE["uncertain"]  # "myopathy was suspected because of weakness"
    if word == "with" and reading.signs[place - 1] == ",":
        return CUE["normal"]  # "showed normal rhythm, with ST elevation"
    if reading.signs[place] == "," and reading.words[place - 3 : place - 1] == ["but", "not"]:
        return CUE["negated"]  # "many, but not fatal, episodes of pulmonary edema"
    if _leads_beyond(reading, place):
        return _left_standing(reading, place, start)
    if cue & CUE["finite"] and reading.signs[place - 1] == "," and reading.starts[place] < start:
        return CUE["negated"]  # "had no oedema, had a raised creatinine"
    who = word in _WHO and reading.words[place - 1] != "that"
    if who or cue & CUE["finite"] or closes_opening(reading, place, start):
        before = reading.words[first:place]
        if "without" in before or ("with", "no") in pairwise(before):
            # "Without therapy she had ataxia", "a man with no allergies had fits".
            denials = sum(bool(cue & CUE["negated"]) for cue in reading.cues[first:place])
            return CUE["negated"] if denials == 1 else 0
    return 0


def _leads_beyond(reading: Reading, place: int) -> bool:
    """Whether the token at `place` leads from a change, cause or treatment to what it is of."""
    return reading.words[place] in _OF_WHAT and reading.words[place - 1] in _CHANGES


def closes_opening(reading: Reading, place: int, start: int) -> bool:
    """Whether the comma at `place` ends what a sentence opens with, before a quote from character `start` on:
    "with no relief of pain, | dyspnoea followed"."""
    signs, words, first = reading.signs, reading.words, place
    if signs[place] != "," or reading.starts[place] >= start:
        return False
    while first > max(0, place - _LISTED) and signs[first - 1] not in _STOPS:
        first -= 1
    if words[first] not in ("with", "without") or (first and signs[first - 1] not in _STOPS):
        return False
    behind = range(place + 1, min(len(words), place + _LISTED))
    ends = next((at for at in behind if signs[at] in _STOPS), behind.stop)
    return "," not in signs[place + 1 : ends] and _LISTING.isdisjoint(words[place + 1 : ends])


def _begins(reading: Reading, start: int) -> bool:
    """Whether a quote from character `start` on is the subject of a verb right behind it."""
    quote = bisect_left(reading.starts, start)
    return any(cue & CUE["finite"] for cue in reading.cues[quote + 1 : quote + _JUDGED])


def _left_standing(reading: Reading, place: int, start: int) -> int:
    """The cue "negated" where the preposition at `place` leads to a quote from character `start` on, or is in
    it right behind its denial; "no relief of pain, fever" says nothing of fever."""
    quote = bisect_left(reading.starts, start)
    if quote <= place:
        return CUE["negated"] if reading.words[place - 1] in _BETTER and place - quote <= _JUDGED else 0
    listed = any(reading.signs[at] == "," or reading.words[at] in _LISTING for at in range(place, quote))
    standing = reading.words[place - 1] in _BEYOND or reading.strong[quote] & FINDING
    return CUE["negated"] if standing and not listed else 0


def _is_said(reading: Reading, start: int, place: int) -> bool:
    """Whether a quote that begins at character `start` has said something when the token at `place` turns.

    A test that was done, or what was only suspected, says nothing.
    """
    first = bisect_left(reading.starts, start)
    cues = cues_between(reading, first, place)
    if reading.cues[place] & CUE["finite"] or not cues & CUE["finite"] or cues & CUE["uncertain"]:
        return False  # "was reported as normal"
    told = cues & (CUE["reporting"] | _WRONG)
    return bool(told or not reading.masks(first, place)[0] & BIT["Lab_Image"])


def _of_a_part(reading: Reading, start: int, place: int) -> int:
    """The cues of the token at `place` that bear on the end alone of a quote from character `start` on:
    "atresia of the right and a normal left canal", "was treated without success", "walks without support"."""
    if not reading.cues[place] & _HEALTHY:
        return 0
    first, words = bisect_left(reading.starts, start), reading.words
    if words[place] == "without" and first < place:
        if _is_unaided(reading, place) or cues_between(reading, max(first, place - _LISTED), place) & _DONE:
            return CUE["negated"]
    if not words[place + 1 : place + 2] or not words[place + 1] or reading.cues[place + 1] & _PREPOSITIONS:
        return 0
    joint = place - 1 - (words[place - 1] in _ARTICLES)
    return CUE["normal"] if joint > first and words[joint] == "and" else 0


def _is_unaided(reading: Reading, place: int) -> bool:
    return reading.words[place] == "without" and not _AIDS.isdisjoint(reading.words[place + 1 : place + 2])


def _describes(reading: Reading, first: int, place: int, last: int) -> bool:
    """Whether a denial speaks of what is behind it alone: "pallor and absent reflexes", "positive for A and
    negative for B"."""
    if reading.words[place] == "negative":
        return "positive" in reading.words[first:place]
    if reading.words[place] != "absent" or place + 1 >= last or not reading.words[place + 1]:
        return False
    return not (reading.cues[place + 1] & _PREPOSITIONS or is_adverb(reading.words[place + 1]))


def _told_behind(reading: Reading, first: int, clause: Span, start: int) -> int:
    """The cue "negated", "open" or "uncertain" where a quote from character `start` to before token `first`
    is denied, left open or doubted behind it, else 0."""
    subject = reading.cues[first + 1 : first + 2] and not reading.cues[first + 1] & _SAME_SUBJECT
    if reading.words[first : first + 1] == ["and"] and subject and _is_said(reading, start, first):
        return 0  # "the rate fell and fever did not recur"
    begin, last = bisect_left(reading.starts, start), clause[1]
    before = range(max(clause[0] + 1, begin - _JUDGED), begin)
    led = not _OF_WHAT.isdisjoint(reading.words[before.start : begin])
    if led and any(_leads_beyond(reading, at) for at in before):
        return 0  # "the cause of her anaemia was not found"
    behind = max(0, _verb_of_list(reading, first, clause))
    for index in range(behind or first, min(last, (behind or first) + _BEHIND)):
        if reading.signs[index] or reading.cues[index] & CUE["turn"] or reading.words[index] == "with":
            break  # "protruding ears with absent lobes"
        if told := _denies_before(reading, index, first, last):
            return told
    return 0


def _denies_before(reading: Reading, place: int, first: int, last: int) -> int:
    """The cue "negated", "open" or "uncertain" where the token at `place` says so of what stands before token
    `first`, else 0."""
    cue, word, before = reading.cues[place], reading.words[place], reading.words[place - 1]
    if cue & CUE["open"]:
        return CUE["open"]
    if cue & CUE["behind"] and not _describes(reading, first, place, last):
        return CUE["negated"]
    doubts = word in _DOUBTED and (before in _SEEMS or word == "unlikely")
    arises = word in _ARISING and before in _NEVER
    if (doubts or arises) and _ends(reading, place, last):
        return CUE["uncertain"] if doubts else CUE["negated"]
    return 0


def _verb_of_list(reading: Reading, first: int, clause: Span) -> int:
    """The verb of a list of subjects, or behind an aside, where the first ends before token `first`:
    "fever, rash and cough were absent"; -1 where there is none."""
    words, cues, last = reading.words, reading.cues, clause[1]
    if first >= last or not (reading.signs[first] in _OPENING or words[first] in _LISTING):
        return -1
    verb = next((at for at in range(first, min(last, first + _LISTED)) if cues[at] & CUE["finite"]), -1)
    if verb < 0:
        return -1
    begin, between = max(clause[0], first - _LISTED), words[first:verb]
    own = cues_between(reading, begin, first) & CUE["finite"] or not _WHO.isdisjoint(words[begin:first])
    apart = not _ENDING.isdisjoint(reading.signs[first:verb]) or not _APART.isdisjoint(between)
    listed = reading.signs[first] == "(" or not _LISTING.isdisjoint(between)
    return verb if listed and not own and not apart else -1


def _ends(reading: Reading, place: int, last: int) -> bool:
    """Whether doubt ends with a token: "was likely", not "was likely caused by"; not if it is confirmed."""
    after = place + 1
    for at in range(after, last):
        if reading.words[at] == "confirmed":
            return reading.words[at - 1] == "not"
    return after >= last or bool(reading.signs[after]) or reading.words[after] in _GOING_ON
