"""Cuts sentences into clauses and clauses into the members of their enumerations, on tokens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import NamedTuple

from extractors.rules.lexicon import CUE
from extractors.rules.reading import Reading

_FINITE = CUE["finite"]
_LINKS = frozenset({"and", "but", "while", "wherea", "whereas", "although", "though", "however", "yet", "so"})
# Behind one of these any noun may be a subject.
_CONTRARY = _LINKS - {"and", "so", "yet"}
_RELATIVES = frozenset({"that", "which", "who", "whose", "where", "when"})
MEMBERS = frozenset({"and", "or", "with", "without", "but", "including", "plus", "nor"})
_JOINING = _LINKS | MEMBERS
SUBJECTS = frozenset(
    "the his her he she it they there a an no this these those both all some its their".split()
    + "patient we our other".split()
)
# "A girl with epilepsy was admitted": what stands before is no subject of a finding told after it.
_ADMISSION = frozenset("admitted referred hospitalized brought seen evaluated transferred presented".split())
# With one of these begins what tells only when, where or why: the clause itself begins behind its comma.
_ADVERBIAL = frozenset(
    "after at because before besides by considering despite due during following given in on over since upon"
    " with within without".split()
)
# So does what has one of these among its first words: "several days after | three years later".
_DATING = frozenset({"after", "before", "following", "later", "earlier"})
# So end adverbs, but not "cardiomegaly".
ADVERBIAL = ("tly", "lly", "rly", "ely", "dly", "sly")
_ADVERBS = frozenset("then later now also still soon".split())
_REACH = 14
_OPENING, _CLOSING, _DIVIDING = frozenset("(["), frozenset(")]"), frozenset(",:")


class Clause(NamedTuple):
    """Tokens `first` to `last` (exclusive) of a reading; `verb` is the first finite verb's token or -1.

    `chunks` are the members of its enumerations, `cues`, `strong` and `weak` all its tokens' masks.
    """

    first: int
    last: int
    verb: int
    chunks: tuple[tuple[int, int], ...]
    cues: int
    strong: int
    weak: int


def clauses(reading: Reading, first: int, last: int) -> list[Clause]:
    """The clauses of the sentence that tokens `first` to `last` make."""
    cuts = [first]
    has_verb = False
    adverbial = reading.words[first] in _ADVERBIAL or not _DATING.isdisjoint(reading.words[first : first + 4])
    depth = 0
    signs, words, cues = reading.signs, reading.words, reading.cues
    joints = _joints(reading, first, last)
    last_verb = max((i for i in joints if cues[i] & _FINITE), default=-1) if adverbial else -1
    for index in joints:
        sign = signs[index]
        if sign in _OPENING:
            depth += 1
        elif sign in _CLOSING:
            depth = max(0, depth - 1)
        elif depth == 0:
            if cues[index] & _FINITE:
                has_verb = True
            if sign == "," and adverbial and not has_verb and _begins_behind(reading, index, last, last_verb):
                cuts.append(_first_member(reading, cuts[-1], index) + 1)
                adverbial = False
            elif sign == ";" or (has_verb and (sign == "," or words[index] in _LINKS)):
                border = _border(reading, cuts[-1], index, last)
                if border > cuts[-1]:
                    cuts.append(border)
                    has_verb = False
    cuts.append(last)
    if len(cuts) == 2:
        return [clause_of(reading, first, last, joints)]
    return [
        clause_of(reading, a, b, [at for at in joints if a <= at < b]) for a, b in pairwise(cuts) if b > a
    ]


def _joints(reading: Reading, first: int, last: int) -> list[int]:
    """The tokens at which a clause or one of its members may begin or end."""
    signs, words, cues = reading.signs, reading.words, reading.cues
    return [i for i in range(first, last) if signs[i] or cues[i] & _FINITE or words[i] in _JOINING]


def _border(reading: Reading, first: int, index: int, last: int) -> int:
    """Token at which a new clause begins if one begins at this sign or link behind a verb, else -1."""
    if reading.signs[index] == ";":
        return index + 1
    comma = reading.signs[index] == ","
    link = reading.words[index] in _LINKS
    start = index + 1
    if comma and start < last and reading.words[start] in _LINKS:
        start, link = start + 1, True
    if start >= last:
        return -1
    if reading.cues[start] & _FINITE:
        return index + 1 if link or (comma and _closes_aside(reading, first, index)) else -1
    if not comma and reading.words[index] not in _CONTRARY and reading.words[start] not in SUBJECTS:
        return -1
    return index + 1 if _has_own_verb(reading, start, last) else -1


def _closes_aside(reading: Reading, first: int, comma: int) -> bool:
    """Whether a comma closes an aside on a relative: "the patient, whose mother has fits, | had ataxia"."""
    opened = next((at for at in range(comma - 1, first - 1, -1) if reading.words[at] in _RELATIVES), -1)
    beside = opened > 0 and (reading.signs[opened - 1] == "," or reading.words[opened - 1] == "and")
    return beside and bool(reduce(or_, reading.cues[opened:comma], 0) & CUE["relative"])


def _begins_behind(reading: Reading, comma: int, last: int, last_verb: int) -> bool:
    """Whether the clause itself begins behind the comma of an adverbial: "after weaning, | fits began".

    `last_verb` is the sentence's last finite verb.
    """
    start = comma + 1
    if start < last and reading.words[start] in SUBJECTS:
        return start < last_verb
    return start < last and reading.words[start] not in _LINKS and _has_own_verb(reading, start, last)


def _first_member(reading: Reading, first: int, comma: int) -> int:
    """The comma behind which the list begins that ends behind `comma`: "then, | T3, T4 and TSH were low"."""
    verb = next((i for i in range(comma + 1, len(reading.words)) if reading.cues[i] & _FINITE), comma)
    begin = comma
    for at in range(comma - 1, first, -1) if "and" in reading.words[comma:verb] else ():
        if reading.signs[at] == ",":
            word = reading.words[at + 1]
            if word in _ADVERBIAL or not word[:1].isalpha():
                break
            begin = at
    return begin


def _has_own_verb(reading: Reading, start: int, last: int) -> bool:
    depth = 0
    for index in range(start, min(last, start + _REACH)):
        sign = reading.signs[index]
        if sign in _OPENING:
            depth += 1
        elif sign in _CLOSING:
            depth = max(0, depth - 1)
        elif depth == 0:
            if sign in (",", ";", ":") or reading.words[index] in _RELATIVES:
                return False
            if index > start and reading.cues[index] & _FINITE:
                # "Seizures | and later died" is a member of a list and another verb of the subject before.
                while is_adverb(reading.words[index - 1]):
                    index -= 1
                return reading.words[index - 1] not in _LINKS
    return False


def is_adverb(word: str) -> bool:
    return word in _ADVERBS or word.endswith(ADVERBIAL)


def clause_of(reading: Reading, first: int, last: int, joints: Sequence[int] | None = None) -> Clause:
    """The clause that tokens `first` to `last` make."""
    verb = -1
    chunks: list[tuple[int, int]] = []
    start, depth = first, 0
    signs, words, cues = reading.signs, reading.words, reading.cues
    for index in _joints(reading, first, last) if joints is None else joints:
        sign = signs[index]
        if sign in _OPENING:
            depth += 1
        elif sign in _CLOSING:
            depth = max(0, depth - 1)
        if depth:
            continue
        if verb < 0 and cues[index] & _FINITE:
            verb = index
            if index > start and not _ADMISSION.isdisjoint(words[index : min(index + 2, last)]):
                chunks.append((start, index))
                start, verb = index, first
        if index > start and (sign in _DIVIDING or words[index] in MEMBERS):
            chunks.append((start, index))
            start = index + 1 if sign else index
    if start < last:
        chunks.append((start, last))
    said = reduce(or_, cues[first:last], 0)
    return Clause(first, last, verb, tuple(chunks), said, *reading.masks(first, last))
