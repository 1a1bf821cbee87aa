"""A report's words as names are looked for in it, and a sentence's by their stems."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from extractors.phenotypes.names import TermName
from extractors.rules.reading import Reading

FEW = 2
REACH = 12
SHARED = 0.25
# One word that counts may stand between those of a name, no more however long the name is.
MOST = 1.0


class Match(NamedTuple):
    """A name at tokens (indices of the reading, rising), and how far its words are apart."""

    name: TermName
    tokens: tuple[int, ...]
    cost: float


@dataclass(slots=True)
class Known:
    """What is known of a word or sign wherever it stands; `depth` is 1 for "(", -1 for ")"; what is `idle`
    only counts."""

    joint: bool
    weight: float
    stem: str = ""
    single: TermName | None = None
    alone: bool = False
    prefix: str = ""
    depth: int = 0
    idle: bool = False


@dataclass(slots=True)
class Prepared:
    """What is known of each token of a reading, what it counts, and the places of those that are not idle."""

    reading: Reading
    known: list[Known]
    weights: list[float]
    busy: list[int]


@dataclass(slots=True)
class Sentence:
    """The tokens of a sentence by their stems; what each token of the report counts, and the joints.

    `spelled` has the stems of what an abbreviation stands for: "severe ID" is a name of three words.
    `prefixed` has the tokens that are one word with the one before them, and that word's stem.
    """

    reading: Reading
    weights: list[float]
    stems: dict[str, list[int]] = field(default_factory=dict)
    joints: list[int] = field(default_factory=list)
    spelled: dict[int, frozenset[str]] = field(default_factory=dict)
    prefixed: dict[int, str] = field(default_factory=dict)

    def parted(self, one: str, other: str) -> bool:
        """Whether two stems, each there once, stand too far apart to be a name of two words."""
        ours, theirs = self.stems[one], self.stems[other]
        first, last = ours[0], theirs[0]
        if -FEW < last - first < FEW or len(ours) > 1 or len(theirs) > 1:
            return False
        if first > last:
            first, last = last, first
        return last - first > REACH or self.least(first + 1, last) > MOST

    def least(self, first: int, last: int) -> float:
        """What it costs at least that tokens stand between two words of a name."""
        counted = sum(self.weights[first:last])
        joint = bisect_left(self.joints, first)
        shared = joint < len(self.joints) and self.joints[joint] < last
        return SHARED * counted if shared else counted


def spell(sentence: Sentence, at: int, alone: Sequence[Match]) -> None:
    """Let an abbreviation stand for the words that it is short for."""
    if alone and len(parts := alone[0].name.needed) > 1:
        sentence.spelled[at] = parts
        for part in parts:
            sentence.stems.setdefault(part, []).append(at)


def weigh_nothing(report: Prepared, brackets: Sequence[int], last: int) -> None:
    """What stands in brackets counts nothing; those that nobody closes go on to the sentence's end."""
    depth, opened = 0, 0
    for at in brackets:
        before, depth = depth, max(0, depth + report.known[at].depth)
        if depth and not before:
            opened = at + 1
        elif before and not depth:
            report.weights[opened : at + 1] = [0.0] * (at + 1 - opened)
    if depth:
        report.weights[opened:last] = [0.0] * (last - opened)
