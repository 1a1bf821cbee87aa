"""What kind of clause it is (literature, treatment, a relative's), and a finding's polarity."""

from __future__ import annotations

from bisect import bisect_left
from functools import reduce
from itertools import pairwise
from operator import or_

from extractors.model.finding import Polarity
from extractors.rules.clauses import MEMBERS, SUBJECTS, Clause, clause_of, is_adverb
from extractors.rules.lexicon import BIT, CUE, FINDING, ORGAN_BITS
from extractors.rules.reading import Reading

# A clause without a verb: its subject stands within this many tokens.
_REACH = 6
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
# How many tokens before a treatment's name the word may stand that leads over to it.
_TURN = 5
_LEADS_OVER = frozenset(
    "after and before because by despite during for following on under until upon with".split()
)
# At least this many tokens from the verb on: "seizures were treated" says nothing of its own.
_SAID = 3

_WHO = frozenset({"he", "she", "they"})
# Where these are denied, what they are of is there: "no relief of pain"; of a change only what is a finding.
_BETTER = frozenset({"improvement", "relief", "resolution", "regression", "recovery"})
_CHANGES, _OF_WHAT = _BETTER | {"change", "changes"}, frozenset({"in", "of", "from"})
# What may stand between two verbs of one subject, signs as "".
_BETWEEN = frozenset(["", *"and but has had was is".split()])
_GROUNDS = frozenset({"because", "due", "given", "based"})
# "Epilepsy was suspected": doubt that stands behind what it is about.
_DOUBTED = frozenset("suspected possible probable likely unlikely questionable doubtful presumed".split())
BE = frozenset("is are was were be been".split())
_GOING_ON = frozenset(
    "and but or because based on in at by clinically initially from after before given when".split()
)

# Behind "and" these go on with the subject before: "was suspected and excluded".
_SAME_SUBJECT = CUE["negated"] | CUE["denied"] | CUE["behind"] | CUE["finite"]
_DONE, _HEALTHY = CUE["treatment"] | CUE["surgical"], CUE["negated"] | CUE["normal"]
_PREPOSITIONS = CUE["site"] | CUE["link"] | CUE["stop"]
_ARTICLES = frozenset({"a", "an", "the"})
_ENDING, _LISTING, _EITHER = frozenset(";:"), frozenset({"or", "nor", "and"}), frozenset({"or", "nor"})

Span = tuple[int, int]


def cues_between(reading: Reading, first: int, last: int) -> int:
    """All cues of the tokens `first` to `last` (exclusive), as one mask."""
    return reduce(or_, reading.cues[first:last], 0)


def is_literature(mask: int) -> bool:
    """True for a sentence on other patients or the paper, unless it opens this patient's case."""
    if mask & CUE["own"]:
        return False
    general = mask & CUE["general"] and mask & CUE["generic"] and not mask & CUE["patient"]
    return bool(mask & CUE["literature"] or general)


def is_treatment(mask: int) -> bool:
    """True for a clause that tells a treatment and no finding with it."""
    return bool(mask & CUE["treatment"]) and not mask & CUE["result"]


def beside_treatment(reading: Reading, clause: Clause) -> Clause | None:
    """What a clause says beside a treatment, if anything.

    That is what follows where the treatment only tells when ("after this therapy, he was well"), or what it
    says before it turns to treatment ("had fits and was given valproate").
    """
    verb = next((i for i in range(clause.first, clause.last) if reading.cues[i] & CUE["finite"]), -1)
    ends = [i for i in range(clause.first + 1, verb) if _ends_adverbial(reading, i)]
    # "After this therapy, his fever, cough and rash resolved": where a subject begins, else the last.
    end = next((i for i in ends if reading.words[i + 1] in SUBJECTS), ends[-1] if ends else -1)
    if end > 0 and not _LEADS_OVER.isdisjoint(reading.words[clause.first : end]):
        rest = clause_of(reading, end + 1, clause.last)
        if not is_treatment(rest.cues):
            return rest
    cue = next(i for i in range(clause.first, clause.last) if reading.cues[i] & CUE["treatment"])
    last = next((i for i in range(cue - 1, cue - _TURN, -1) if reading.words[i] in _LEADS_OVER), cue)
    if clause.verb < 0 or last - clause.verb < _SAID:
        return None
    return clause_of(reading, clause.first, last)


def _ends_adverbial(reading: Reading, place: int) -> bool:
    """Whether what tells when may end here: at a comma, or at a treatment before what is examined."""
    if reading.signs[place] == ",":
        return True
    return bool(reading.cues[place] & CUE["treatment"] and reading.strong[place + 1])


def is_relatives(reading: Reading, clause: Clause) -> bool:
    """True where a relative is the subject and the patient is not introduced."""
    if clause.cues & CUE["own"] or not clause.cues & CUE["relative"]:
        return False
    last = clause.verb
    if last >= 0 and reading.cues[last] & CUE["telling"]:
        return False  # "his parents noticed a tremor"
    if last < 0 or reading.words[clause.first] == "there":
        # Without a verb, or in "there was no familial anaemia", the subject stands further on.
        last = min(clause.last, max(last, clause.first) + _REACH)
    return bool(cues_between(reading, clause.first, last) & CUE["relative"])


def goes_on(reading: Reading, clause: Clause) -> bool:
    """Whether a clause has no subject of its own and keeps the one before: "and later died", not what follows
    an aside, "he, whose mother has fits, | had ataxia"."""
    aside = reading.cues[clause.first] & CUE["finite"] and reading.signs[clause.first - 1] == ","
    if clause.verb < 0 or aside:
        return False
    before = reading.words[clause.first : clause.verb]
    return all(word in _BETWEEN or is_adverb(word) for word in before)


def beside_signs(reading: Reading, clause: Clause) -> int:
    """Organs in whose member of an enumeration something is wrong: "swelling of the lower extremities"."""
    weak = 0
    for chunk in clause.chunks:
        if cues_between(reading, *chunk) & CUE["sign"]:
            weak |= reading.masks(*chunk)[1]
    return weak & ORGAN_BITS & ~(BIT["Vitals_Hema"] | BIT["DERM"])


def told_by_test(reading: Reading, clause: Clause) -> int:
    """Organs of what a test showed: "abdominal ultrasound revealed renal cysts" speaks of the kidney alone.

    0 where the clause is no such statement or its result names no organ.
    """
    verb = clause.verb
    if verb < 0 or not reading.cues[verb] & CUE["reporting"]:
        return 0
    strong, weak = reading.masks(verb + 1, clause.last)
    return strong & ORGAN_BITS or weak & ORGAN_BITS & ~BIT["Vitals_Hema"]


def finds_nothing(reading: Reading, clause: Clause) -> bool:
    """Whether nothing in the clause is wrong or shown: "an intervention was performed"."""
    shown = CUE["sign"] | CUE["reporting"] | CUE["negated"] | CUE["normal"]
    return not (clause.cues & shown or reading.masks(clause.first, clause.last)[0] & FINDING)


def lists_tests(reading: Reading, clause: Clause, named: int) -> bool:
    """True where a clause that names these categories says of several organs' tests that they are normal."""
    if clause.verb < 0 or not clause.cues & _HEALTHY or not named & BIT["Lab_Image"]:
        return False
    if not cues_between(reading, clause.verb, clause.last) & _HEALTHY:
        return False
    strong, weak = reading.masks(clause.first, clause.verb)
    organs = (strong | weak) & ORGAN_BITS
    return bool(strong & BIT["Lab_Image"]) and len(clause.chunks) > 1 and organs.bit_count() > 1


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
