"""What a sentence says of a finding in it: present, denied or doubted, and whether a relative has it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from extractors.model.finding import Polarity
from extractors.rules import assertion
from extractors.rules.clauses import Clause
from extractors.rules.lexicon import CUE, FINDING
from extractors.rules.reading import Reading
from extractors.text.words import load_words

DECIDING = CUE["negated"] | CUE["uncertain"] | CUE["normal"] | CUE["open"] | CUE["behind"]
_DENYING = CUE["negated"] | CUE["denied"]
_BEHIND = CUE["behind"] | CUE["denied"]
# What agrees with a finding shows it.
_AGREEING = frozenset({"consistent", "compatible", "keeping"})
_AGENTS = frozenset(
    "virus viruse marker vaccine vaccination serology antigen scale score inventory questionnaire index"
    " clinic".split()
)
_LEVELS = frozenset({"low", "high", "upper", "lower"})
_LEVELLED = frozenset({"normal", "density", "dose", "resolution", "molecular"})
_FAMILY_REACH = 12
_WHO = frozenset({"who", "whose"})
# "Two brothers who", "a mother and son with": these are the patients.
_SEVERAL_OF = frozenset("and affected both two three four five six 2 3 4 5 6 these".split())
_CHILDREN = frozenset("son sons daughter daughters family families kindred siblings".split())
# "He did not have seizures until the age of 5 years."
_UNTIL = re.compile(
    r"[^.;]{0,30}?\b(?:until|till|before)\s+(?:(?:the|her|his)\s+)?"
    r"(?:(?:early|late)\s+)?(?:age|\d|adolescence|puberty|adulthood|childhood|teens|first|second|third)",
    re.IGNORECASE,
)
# "Ptosis was present in her mother"; "in two brothers" may be of the patients.
_IN_RELATIVE = re.compile(
    r"\s+(?:(?:was|were|is|are|also|present|found|noted|reported|seen|observed|diagnosed|documented|known|described)"
    r"\s+)*in\s+(?:(?:one|two|three|both|several|some|of|the)\s+)*"
    r"(?:his|her|their|the|(?:the\s+)?(?:patient|proband)['’]s|a\s+(?:maternal|paternal)|maternal|paternal)\s+"
    r"(?:(?:maternal|paternal|older|younger|elder|half)\s+)*"
    r"(?:mother|father|parents?|brothers?|sisters?|grand\w+|aunts?|uncles?|cousins?|relatives)\b"
    r"(?!\s+and\s+(?:the\s+|in\s+)*(?:patient|proband|his|her|son|daughter|child|him|herself|himself))",
    re.IGNORECASE,
)
_NOT_YET = frozenset({"not", "never", "no"})
_LISTING = frozenset({"or", "nor", "and"})
_ANOTHER = frozenset({"a", "an", "the", "his", "her"})
_EITHER = frozenset({"or", "nor"})
_ENDING = frozenset(
    "but with although though however except due because since until despite after during when while"
    " owing".split()
)
_PASSIVE = frozenset({"ruled", "excluded"})
_SEVERAL = frozenset({"may", "might"})
_SHOWING = frozenset("have show develop present exhibit include suffer display experience".split())


def quieten(reading: Reading, first: int, last: int, tokens: Sequence[int]) -> None:
    """Take away cues that deny or doubt nothing: words of terms ("absent speech"), "consistent with", "no
    cause of", "ruled out" behind what it rules out, "patients may have"."""
    for at in tokens:
        reading.cues[at] &= ~(DECIDING | _DENYING)
    words, cues = reading.words, reading.cues
    for at in range(first, last):
        word = words[at]
        if word in _AGREEING:
            cues[at] &= ~CUE["uncertain"]
        elif word in _PASSIVE and at > first and words[at - 1] in assertion.BE:
            cues[at] &= ~CUE["negated"]
            if words[at + 1 : at + 2] == ["out"]:
                cues[at + 1] &= ~CUE["negated"]
        elif word in _SEVERAL and words[at + 1 : at + 2] and words[at + 1] in _SHOWING and at > first:
            if reading.text[reading.ends[at - 1] - 1] == "s":
                cues[at] &= ~CUE["uncertain"]


def polarity_of(
    reading: Reading, clause: Clause, last: int, tokens: Sequence[int], place: tuple[int, int]
) -> Polarity:
    """What is said at a place (its tokens, its characters); what a list denies it denies as a whole."""
    given = assertion.polarity(reading, (clause.first, last), place)
    if given == "negated" and _at_another_time(reading, clause, tokens[0], place[1]):
        return "present"
    if given == "negated" and (denial := _denies_one(reading, clause, tokens[0])):
        cues = [reading.cues[at] for at in denial]
        for at in denial:
            reading.cues[at] &= ~_DENYING
        given = assertion.polarity(reading, (clause.first, last), place)
        for at, cue in zip(denial, cues, strict=True):
            reading.cues[at] = cue
    elif given == "present" and _denied_in_list(reading, clause, tokens[0]):
        return "negated"
    return given


def _at_another_time(reading: Reading, clause: Clause, token: int, end: int) -> bool:
    """Whether a finding is denied of another time: "no seizures until the age of 5 years", "no longer"."""
    before = reading.words[clause.first : token]
    if "longer" in before[1:] and before[before.index("longer", 1) - 1] == "no":
        return True
    return not _NOT_YET.isdisjoint(before) and bool(_UNTIL.match(reading.text, end))


def _denies_one(reading: Reading, clause: Clause, token: int) -> range | None:
    """The tokens of a denial of one thing in a list of findings that goes on with others: "she had
    hypotonia, no seizures, ataxia and tremor"."""
    listed = False
    for at in range(token - 1, clause.first, -1):
        if reading.cues[at] & _DENYING:
            listed = listed and (reading.signs[at - 1] == "," or reading.words[at] == "without")
            found = any(strong & FINDING for strong in reading.strong[clause.first : at])
            if not listed or not found or not _EITHER.isdisjoint(reading.words[at : clause.last]):
                return None
            return range(at, at + 1)
        if reading.cues[at] & CUE["finite"] or reading.signs[at] in (";", ":"):
            return None
        listed = listed or reading.signs[at] == ","
    return None


def _denied_in_list(reading: Reading, clause: Clause, token: int) -> bool:
    """Whether a list begins with a denial: "denied fever, chills, weight loss and cough"."""
    first, listed, depth = token, False, 0
    for at in range(token - 1, clause.first - 1, -1):
        depth = max(0, depth + (reading.signs[at] == ")") - (reading.signs[at] == "("))
        if depth:
            continue
        if reading.cues[at] & _DENYING:
            # "Hypotonia, no seizures, ataxia": of a list that began before, it denies one thing.
            before = at > clause.first and (reading.signs[at - 1] == "," or reading.words[at - 1] in _LISTING)
            either = not _EITHER.isdisjoint(reading.words[at : clause.last])
            again = reading.words[token - 1] in _ANOTHER or reading.words[at] == "without"
            listed = listed and not before and not again
            return first < token and (either or listed)
        opens = assertion.closes_opening(reading, at, reading.starts[token])
        if opens or reading.words[at] in _ENDING or reading.signs[at] in (";", ":"):
            return False
        if reading.cues[at] & (CUE["finite"] | CUE["turn"]):
            return listed and _none_has(reading, clause, at)
        listed = listed or reading.signs[at] == ","
        first = at
    return False


def _none_has(reading: Reading, clause: Clause, verb: int) -> bool:
    """Whether nobody is a list's subject: "none of them had deafness, heart defects or cleft palate"."""
    subject = range(clause.first, verb)
    denied = any(reading.cues[at] & _DENYING for at in subject)
    return denied and not any(reading.strong[at] & FINDING for at in subject)


def is_agent(reading: Reading, after: int) -> bool:
    """Whether a name goes on as that of a germ, test or risk: "hepatitis C virus", "tumour markers", "stroke
    risk factors", "tumour necrosis factor"."""
    words = reading.words
    if after < len(words) and len(words[after]) == 1:
        after += 1
    return after < len(words) and (words[after] in _AGENTS or words[after + 1 : after + 2] == ["factor"])


def within(reading: Reading, tokens: Sequence[int]) -> bool:
    """Whether "low" or "high" is said of something else: "low normal", "low density lipoprotein"."""
    followed = ((reading.words[at], at + 1) for at in tokens if at + 1 < len(reading.words))
    return any(
        word in _LEVELS and reading.words[after] in _LEVELLED and after not in tokens
        for word, after in followed
    )


def in_family(reading: Reading, clause: Clause, token: int) -> bool:
    """Whether "family history of" or "parents with" stands before a token, with no verb between, or "his
    mother, who has"."""
    kin, words, verbs = _elders(), reading.words, 0
    for at in range(token - 1, max(clause.first, token - _FAMILY_REACH) - 1, -1):
        word = words[at]
        if word in _WHO or (word == "with" and not verbs):
            before = at - 1 - (at > 0 and reading.signs[at - 1] == ",")
            if before >= 0 and words[before] in kin and words[before - 1] not in _SEVERAL_OF:
                return True
        if word in _WHO:
            return False
        verbs += bool(reading.cues[at] & CUE["finite"])
        if verbs > 1 or reading.signs[at] == ";":
            return False
        if not verbs and word == "family" and words[at + 1 : at + 2] == ["history"]:
            return True
    return False


def in_relative_behind(text: str, end: int) -> bool:
    """Whether a finding that ends at character `end` is a relative's: "ptosis was found in her mother"."""
    return bool(_IN_RELATIVE.match(text, end))


@cache
def _elders() -> frozenset[str]:
    return load_words().persons.kin - _CHILDREN
