"""Which disorder a report is about, proposed by the places that name it: a mention is no diagnosis."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from extractors.blinding.case import Case, cue
from extractors.blinding.naming import Disorders, Named
from extractors.blinding.words import Words

# What places count. A name within the case or the discussion alone proposes nothing.
_TITLE, _KEYWORD, _SAID, _CONCLUSION, _SUMMARY, _CASE, _AROUND = 100.0, 30.0, 12.0, 6.0, 5.0, 0.5, 0.1
_LEAST = 6.0
_MOST_EVIDENCE = 8
_BEFORE, _AFTER = 60, 40


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place that speaks for a diagnosis, in code points; None where the title or keywords do."""

    start: int | None
    end: int | None
    reason: str
    weight: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """The disorder that most speaks for, its evidence (the best first), and the others that are named."""

    code: str
    evidence: tuple[Evidence, ...]
    others: tuple[str, ...]


def propose(case: Case, disorders: Disorders) -> Proposal | None:
    """The primary diagnosis of a report as far as its words tell it; None where no such place names one.

    A group of disorders is proposed only where the title names it and no disorder.
    """
    found: dict[int, list[Evidence]] = {}
    for row, one in _mentions(case, disorders):
        found.setdefault(row, []).append(one)
    if not found:
        return None
    scores = {row: sum(one.weight for one in given) for row, given in found.items()}
    firsts = {row: min(one.start or 0 for one in given) for row, given in found.items()}
    ranked = sorted(found, key=lambda row: (disorders.group(row), -scores[row], firsts[row]))
    likely = [row for row in ranked if scores[row] >= (_TITLE if disorders.group(row) else _LEAST)]
    if not likely:
        return None
    # A group in the title stands before a disorder that is named elsewhere alone.
    if not disorders.group(likely[0]) and scores[likely[0]] < _TITLE:
        likely.sort(key=lambda row: scores[row] < _TITLE)
    best = likely[0]
    codes = disorders.terminology.codes
    evidence = sorted(found[best], key=lambda one: (-one.weight, one.start or 0))[:_MOST_EVIDENCE]
    return Proposal(codes[best], tuple(evidence), tuple(codes[row] for row in ranked if row != best))


def named_in(case: Case, disorders: Disorders) -> list[int]:
    """The concepts (rows) that a report names, those that most speaks for first."""
    scores: dict[int, float] = {}
    for row, one in _mentions(case, disorders):
        scores[row] = scores.get(row, 0.0) + one.weight
    return sorted(scores, key=lambda row: -scores[row])


def _mentions(case: Case, disorders: Disorders) -> Iterator[tuple[int, Evidence]]:
    document = case.document
    for text, reason, weight in (
        (document.title, "title", _TITLE),
        (document.metadata.get("keywords", ""), "keywords", _KEYWORD),
    ):
        words = Words(text)
        for number, one in enumerate(disorders.find(words)):
            yield _meant(disorders, words, one), Evidence(None, None, reason, weight - 10 * number)
    words = case.words
    starts = [one.start for one in case.blocks]
    for one in disorders.find(words):
        start, end = words.place(one.first, one.end)
        block = case.blocks[max(0, bisect_right(starts, start) - 1)]
        reason, weight = _place(case, block.what, block.section, start, end)
        if weight:
            yield _meant(disorders, words, one), Evidence(start, end, reason, weight)


def _place(case: Case, what: str, heading: str, start: int, end: int) -> tuple[str, float]:
    """Why a place speaks for what it names, and how much."""
    if what not in ("case", "summary", "background"):
        return what, 0.0
    text = case.low
    before = text[max(0, start - _BEFORE) : start].rpartition(". ")[2]
    after = text[end : end + _AFTER].partition(". ")[0]
    said = cue("diagnosis", "before").search(before) and not cue("diagnosis", "not_said").search(before)
    if said and "?" not in after:
        if what != "background":
            return "stated as the diagnosis", _SAID
    if what == "summary":
        return ("conclusion", _CONCLUSION) if "conclu" in heading.lower() else ("abstract", _SUMMARY)
    return ("case", _CASE) if what == "case" else ("around the case", _AROUND)


def _meant(disorders: Disorders, words: Words, named: Named) -> int:
    """Of the concepts that share a name the one whose label it is, else the first."""
    if len(named.rows) == 1:
        return named.rows[0]
    terminology, text = disorders.terminology, words.stems[named.first : named.end]
    labels = (row for row in named.rows if Words(terminology.label(row)).stems == text)
    return next(labels, named.rows[0])
