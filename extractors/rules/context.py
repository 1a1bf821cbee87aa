"""What kind of clause it is: literature, treatment, a relative's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from operator import or_

from extractors.rules.clauses import SUBJECTS, Clause, clause_of, is_adverb
from extractors.rules.lexicon import BIT, CUE, FINDING, ORGAN_BITS
from extractors.rules.reading import Reading
from extractors.text.words import load_words

# A clause without a verb: its subject stands within this many tokens.
_REACH = 6
# How many tokens before a treatment's name the word may stand that leads over to it.
_TURN = 5
_LEADS_OVER = frozenset(
    "after and before because by despite during for following on under until upon with".split()
)
# At least this many tokens from the verb on: "seizures were treated" says nothing of its own.
_SAID = 3
# What may stand between two verbs of one subject, signs as "".
_BETWEEN = frozenset(["", *"and but has had was is".split()])
# Who has a finding in common with a relative.
_OWN = frozenset({"patient", "proband", "child", "son", "daughter", "he", "she", "both"})
# "Three affected siblings with", "both brothers have": these are the patients.
_TOGETHER = frozenset({"affected", "both"})
# "Both parents have" tells of no patient.
_OLDER = ("parent", "mother", "father", "grand", "aunt", "uncle")
_CASES = frozenset({"case", "proband", "propositi", "propositus", "patient"})
_TOLD = frozenset("affected both the these all two three four five six 2 3 4 5 6 of our".split())
_SUBJECT = 6
_OF_RELATIVES = frozenset({"pregnancy", "death", "delivery"})
# "Like her mother, she has", "according to his mother".
_SHARING = frozenset({"like", "unlike", "according"})
_HEALTHY = CUE["negated"] | CUE["normal"]


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
    """True where a relative is the subject, who does not tell of the patient or have it in common, and the
    patient is not introduced."""
    if not _is_of_relative(reading, clause):
        return False
    words = reading.words[clause.first : clause.last]
    persons = load_words().persons
    kin = next((at for at, word in enumerate(words) if word in persons.kin and word != "familial"), None)
    if kin is None:
        # "Seven familial cases had": these are the patients, too.
        return "affected" not in words[:_SUBJECT] and _CASES.isdisjoint(words)
    if words[kin + 1 : kin + 2] and words[kin + 1].isdigit():
        return False  # "sibling 2 is affected, too"
    if kin < _SUBJECT and _TOLD.issuperset(words[:kin]):
        rest = words[kin : clause.verb - clause.first] if clause.verb >= 0 else words
        together = not words[kin].startswith(_OLDER) and not _TOGETHER.isdisjoint(words[:kin])
        if together or (kin and "with" in rest):
            return False  # "two siblings (a boy and a girl) with"
    told = not _is_family_history(words) and not persons.reporting.isdisjoint(words[kin + 1 : kin + 6])
    beside = not _OF_RELATIVES.isdisjoint(words[kin + 1 : kin + 2])
    named = "," in reading.signs[clause.first + 1 : clause.first + 3] and not _CASES.isdisjoint(words[:2])
    if told or beside or (named and "whose" not in words[:kin]):
        return False  # "his mother noticed", "her mother's pregnancy", "the proband, son of healthy parents,"
    before, after = words[max(0, kin - 5) : kin], words[kin + 1 : kin + 4]
    if not _SHARING.isdisjoint(before[-3:]) or ("well" in before and not _OWN.isdisjoint(words[:kin])):
        return False  # "features of our proband, as well as her sister"
    return not ("and" in before and not _OWN.isdisjoint(before)) and not (
        "and" in after and not _OWN.isdisjoint(after)
    )


def _is_family_history(words: Sequence[str]) -> bool:
    return ("family", "history") in pairwise(words)


def _is_of_relative(reading: Reading, clause: Clause) -> bool:
    if clause.cues & CUE["own"] or not clause.cues & CUE["relative"]:
        return False
    last = clause.verb
    if last >= 0 and reading.cues[last] & CUE["telling"]:
        return _is_family_history(reading.words[clause.first : clause.last])  # "his parents noticed a tremor"
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
    return not (clause.cues & shown or clause.strong & FINDING)


def lists_tests(reading: Reading, clause: Clause, named: int) -> bool:
    """True where a clause that names these categories says of several organs' tests that they are normal."""
    if clause.verb < 0 or not clause.cues & _HEALTHY or not named & BIT["Lab_Image"]:
        return False
    if not cues_between(reading, clause.verb, clause.last) & _HEALTHY:
        return False
    strong, weak = reading.masks(clause.first, clause.verb)
    organs = (strong | weak) & ORGAN_BITS
    return bool(strong & BIT["Lab_Image"]) and len(clause.chunks) > 1 and organs.bit_count() > 1
