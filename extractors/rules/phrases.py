"""From clauses to quotes: which members of an enumeration go together, and what is only frame."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from extractors.rules.borders import lacks_head
from extractors.rules.clauses import MEMBERS as _MEMBERS
from extractors.rules.clauses import Clause
from extractors.rules.lexicon import CUE, FINDING, ORGAN_BITS
from extractors.rules.reading import Reading
from extractors.text import cues

_FINITE = CUE["finite"]
# With at most this many words that name no organ a run is a fragment ("liver" of "bleeding in liver").
_FRAGMENT = 1
_PLACING = frozenset({"in", "of", "on", "under", "affecting", "involving"})
# Negations that govern what follows them, and within how many tokens before a finding they still do.
_GOVERNING = frozenset({"no", "denied", "without", "nor", "never"})
_NEAR = 5
# Nothing is looked for further away than this: tokens, and characters (a text may be one endless clause).
_FAR = 60
_FAR_CHARACTERS = 400
_TAIL_CHARACTERS = 120
_BRIDGE = 3
# Text with more loose brackets than this is no prose.
_MOST_CUTS = 8
_TRAILING = "%°"
# With one of these every frame of `lead` begins.
_LEADING = frozenset(
    "and but however moreover furthermore in additionally also then subsequently thus therefore beside"
    " besides nevertheless interestingly notably of apparently fortunately unfortunately meanwhile yet"
    " so wherea whereas although though while which that who overall finally similarly indeed currently"
    " presently on at upon during by".split()
)
# Without any of these in its last part a quote ends with no reference.
_REFERENCES = ("fig", "table", "[", "video", "image", "panel", "appendix", "file")
# What no quote ends with.
_EDGE = " ,;:.–-\t\n"
_DANGLING = frozenset("and or but with which that while who as including where so".split())
_BRACKETS = re.compile(r"[()\[\]]")
_CLOSING = frozenset(")]")
_PAIRS = {")": "(", "]": "["}

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Frames:
    """Compiled frames: `lead` and `tail` go everywhere, `subject` from findings, `result` from results.

    `anchor` marks what may stand before a finding.
    """

    lead: re.Pattern[str]
    subject: re.Pattern[str]
    anchor: re.Pattern[str]
    result: re.Pattern[str]
    tail: re.Pattern[str]


def load_frames() -> Frames:
    """Compile resources/rules/frames.toml."""
    table = cues.load_rules("frames")
    flags = re.IGNORECASE | re.VERBOSE

    def joined(key: str) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{pattern})" for pattern in table[key]), flags)

    # The tail is written without free spacing: its spaces count.
    return Frames(
        joined("lead"),
        joined("subject"),
        joined("anchor"),
        joined("result"),
        re.compile(table["tail"], re.IGNORECASE),
    )


def spans_of(reading: Reading, clause: Clause, named: Sequence[int], bit: int) -> list[Span]:
    """Token spans of the clause that speak for the category `bit`, [] where nothing does.

    `named` are the categories that each member of its enumerations names, none where all name one organ.
    """
    if not named:
        return [(clause.first, clause.last)]
    # 1 the category's, 2 another organ's, 0 nobody's: results, pregnancy and history look across organs.
    marks = [1 if mask & bit else 2 if mask & ORGAN_BITS else 0 for mask in named]
    if 1 not in marks:
        return []
    if 2 not in marks or _in_subject(clause, marks):
        return [(clause.first, clause.last)]
    return [
        _with_negation(reading, clause, _whole(reading, clause, span))
        for span in _runs(reading, clause, marks)
    ]


def _in_subject(clause: Clause, marks: Sequence[int]) -> bool:
    """The members of a subject share what is said of them: "renal, liver and thyroid tests were normal"."""
    of_verb = bisect_right(clause.chunks, (clause.verb, clause.last)) - 1
    return marks.index(1) <= of_verb and any(marks[:of_verb])


def _runs(reading: Reading, clause: Clause, marks: Sequence[int]) -> list[Span]:
    """Runs of members of one category; nobody's members go with the run before, short gaps are bridged."""
    runs: list[list[int]] = []
    for position, mark in enumerate(marks):
        if mark != 1:
            continue
        if runs and _bridged(clause, marks, runs[-1][1], position):
            runs[-1][1] = position
        else:
            runs.append([position, position])
    spans: list[Span] = []
    for start, end in runs:
        while end + 1 < len(marks) and (
            lacks_head(reading, clause.chunks[end][1] - 1)
            or (marks[end + 1] == 0 and not reading.cues[clause.chunks[end + 1][0]] & _FINITE)
        ):
            end += 1
        spans.append((clause.chunks[start][0], clause.chunks[end][1]))
    return spans


def _bridged(clause: Clause, marks: Sequence[int], left: int, right: int) -> bool:
    between = [clause.chunks[i] for i in range(left + 1, right) if marks[i] == 2]
    return sum(last - first for first, last in between) <= _BRIDGE


def _whole(reading: Reading, clause: Clause, span: Span) -> Span:
    """A fragment takes in the members before it, back to the one that says what is in or of them."""
    position = bisect_left(clause.chunks, (span[0],))
    widened = span
    while position and clause.last - widened[0] < _FAR and _is_fragment(reading, widened):
        position -= 1
        widened = (clause.chunks[position][0], span[1])
        if not _PLACING.isdisjoint(reading.words[widened[0] : clause.chunks[position][1]]):
            return widened
    return span


def _is_fragment(reading: Reading, span: Span) -> bool:
    """Names of organs or substances with hardly a word on them."""
    depth = others = 0
    for index in range(*span):
        depth += reading.signs[index] in ("(", "[")
        depth -= reading.signs[index] in (")", "]")
        word, strong = reading.words[index], reading.strong[index]
        if strong & FINDING:
            return False
        others += bool(depth <= 0 and word and word not in _MEMBERS and not strong | reading.weak[index])
    return others <= _FRAGMENT


def _with_negation(reading: Reading, clause: Clause, span: Span) -> Span:
    """Take in the negation that governs the span's enumeration ("no cough, rash and joint pain")."""
    for index in range(span[0] - 1, max(clause.first, span[0] - _FAR) - 1, -1):
        if index == clause.verb and reading.words[index] not in _GOVERNING:
            break
        if reading.words[index] in _GOVERNING:
            return (index, span[1])
    return span


def quote_span(
    reading: Reading, span: Span, frames: Frames, strip: re.Pattern[str] | None, bare: bool = False
) -> Span | None:
    """Characters of the quote for a token span: frames and figure references taken off, brackets balanced.

    A `bare` one has no frame.
    """
    text = reading.text
    start, end = reading.starts[span[0]], reading.ends[span[1] - 1]
    while end < len(text) and text[end] in _TRAILING:
        end += 1
    if not bare and (strip is not None or reading.words[span[0]] in _LEADING or not reading.words[span[0]]):
        start = _unframed(text, start, end, frames, strip)
    return _balanced(text, start, end, frames)


def anchored(reading: Reading, span: Span, bit: int, frames: Frames) -> Span:
    """The token span from the last anchor before the category's first word on, else the span itself."""
    first = next((i for i in range(*span) if (reading.strong[i] | reading.weak[i]) & bit), span[0])
    begin = reading.starts[span[0]]
    piece = reading.text[begin : reading.starts[first]]
    place, seen = 0, max(0, len(piece) - _FAR_CHARACTERS)
    while match := frames.anchor.search(piece, seen):
        place = seen = match.end()
    start = span[0]
    while start < first and reading.starts[start] < begin + place:
        start += 1
    # "no history of fever" keeps its negation.
    for index in range(start - 1, max(span[0], start - _NEAR) - 1, -1):
        if reading.words[index] in _GOVERNING:
            start = index
    return (start, span[1])


def _unframed(text: str, start: int, end: int, frames: Frames, strip: re.Pattern[str] | None) -> int:
    """Where the quote begins once frames are taken off, again and again."""
    while True:
        match = frames.lead.match(text, start, end) or (strip.match(text, start, end) if strip else None)
        if match is None or not start < match.end() < end:
            return start
        start = match.end()


def _balanced(text: str, start: int, end: int, frames: Frames) -> Span | None:
    for _ in range(_MOST_CUTS):
        piece = text[start:end]
        stripped = piece.lstrip(" ,;:.-–\n\t)]")
        start += len(piece) - len(stripped)
        stripped = _without_tail(stripped, frames)
        end = start + len(stripped)
        if not stripped:
            return None
        loose = _loose_bracket(stripped)
        if loose < 0:
            return (start, end)
        if loose == 0:
            start += 1
        else:
            end = start + loose
    return None


def _without_tail(piece: str, frames: Frames) -> str:
    """The quote without what only leads on or refers to a figure, a table or the literature."""
    while True:
        piece = piece.rstrip(_EDGE)
        cut = max(piece.rfind(" "), piece.rfind(",")) + 1
        if cut and piece[cut:].lower() in _DANGLING:
            piece = piece[:cut].removesuffix("as well ")
            continue
        cited = piece[-1:].isdigit()
        if not cited and piece[-1:] not in _CLOSING and " in " not in piece[-_TAIL_CHARACTERS:]:
            return piece
        last = piece[-_TAIL_CHARACTERS:].lower()
        if not cited and not any(sign in last for sign in _REFERENCES):
            return piece
        tail = frames.tail.search(piece, max(0, len(piece) - _TAIL_CHARACTERS))
        if tail is None:
            return piece
        piece = piece[: tail.start()]


def _loose_bracket(piece: str) -> int:
    """Index of the first bracket without partner, -1 where all have one."""
    if "(" not in piece and ")" not in piece and "[" not in piece and "]" not in piece:
        return -1
    stack: list[int] = []
    for match in _BRACKETS.finditer(piece):
        index, sign = match.start(), match.group()
        if sign in "([":
            stack.append(index)
        elif sign in ")]":
            if not stack or piece[stack[-1]] != _PAIRS[sign]:
                return index
            stack.pop()
    return stack[0] if stack else -1
