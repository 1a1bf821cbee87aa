"""Cuts sentences into clauses and clauses into the members of their enumerations, on tokens."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from extractors.rules.lexicon import CUE
from extractors.rules.reading import Reading

_FINITE = CUE["finite"]
_LINKS = frozenset({"and", "but", "while", "wherea", "whereas", "although", "though", "however", "yet", "so"})
_RELATIVES = frozenset({"that", "which", "who", "whose", "where", "when"})
MEMBERS = frozenset({"and", "or", "with", "without", "but", "including", "plus", "nor"})
_SUBJECTS = frozenset(
    "the his her he she it they there a an no this these those both all some its their".split()
    + "patient we our other".split()
)
# "A girl with epilepsy was admitted": what stands before is no subject of a finding told after it.
_ADMISSION = frozenset("admitted referred hospitalized brought seen evaluated transferred presented".split())
_REACH = 14


@dataclass(frozen=True, slots=True)
class Clause:
    """Tokens `first` to `last` (exclusive) of a reading; `verb` is the first finite verb's token or -1."""

    first: int
    last: int
    verb: int
    chunks: tuple[tuple[int, int], ...]


def clauses(reading: Reading, first: int, last: int) -> list[Clause]:
    """The clauses of the sentence that tokens `first` to `last` make."""
    cuts = [first]
    has_verb = False
    depth = 0
    for index in range(first, last):
        sign = reading.signs[index]
        if sign in ("(", "["):
            depth += 1
        elif sign in (")", "]"):
            depth = max(0, depth - 1)
        elif depth == 0:
            if reading.cues[index] & _FINITE:
                has_verb = True
            if sign == ";" or (has_verb and (sign == "," or reading.words[index] in _LINKS)):
                border = _border(reading, index, last)
                if border > cuts[-1]:
                    cuts.append(border)
                    has_verb = False
    cuts.append(last)
    return [clause_of(reading, a, b) for a, b in pairwise(cuts) if b > a]


def _border(reading: Reading, index: int, last: int) -> int:
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
        return index + 1 if link else -1
    if not comma and reading.words[start] not in _SUBJECTS:
        return -1
    return index + 1 if _has_own_verb(reading, start, last) else -1


def _has_own_verb(reading: Reading, start: int, last: int) -> bool:
    depth = 0
    for index in range(start, min(last, start + _REACH)):
        sign = reading.signs[index]
        if sign in ("(", "["):
            depth += 1
        elif sign in (")", "]"):
            depth -= 1
        elif depth == 0:
            if sign in (",", ";", ":") or reading.words[index] in _RELATIVES:
                return False
            if index > start and reading.cues[index] & _FINITE:
                return True
    return False


def clause_of(reading: Reading, first: int, last: int) -> Clause:
    """The clause that tokens `first` to `last` make."""
    verb = -1
    chunks: list[tuple[int, int]] = []
    start, depth = first, 0
    for index in range(first, last):
        sign = reading.signs[index]
        if sign in ("(", "["):
            depth += 1
        elif sign in (")", "]"):
            depth = max(0, depth - 1)
        if depth:
            continue
        if verb < 0 and reading.cues[index] & _FINITE:
            verb = index
            if index > start and not _ADMISSION.isdisjoint(reading.words[index : min(index + 2, last)]):
                chunks.append((start, index))
                start, verb = index, first
        if index > start and (sign in (",", ":") or reading.words[index] in MEMBERS):
            chunks.append((start, index))
            start = index + 1 if sign else index
    if start < last:
        chunks.append((start, last))
    return Clause(first, last, verb, tuple(chunks))
