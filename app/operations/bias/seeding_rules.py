"""Wrong spans that look like a run's own: how they are made, the same ones for the same seed."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from random import Random
from typing import Literal, TypeAlias

from app.operations.project.seeded_errors import overlap, place_of_finding
from app.store.annotate.annotations import Annotation
from extractors.grouping import grouped
from extractors.model.document import Section
from extractors.model.finding import Finding, Polarity
from extractors.text.boundaries import trimmed

MistakeKind: TypeAlias = Literal["spurious", "label", "boundary", "polarity"]
MISTAKES: tuple[MistakeKind, ...] = ("spurious", "label", "boundary", "polarity")
# A combining mark belongs to the letter before it.
_WORD = re.compile(r"\w+(?:[^\w\s]+\w+)*[\u0300-\u036f]*")
_CLAUSE_END = re.compile(r"[.;:,!?]+(?=\s|$)|[()\[\]\n]")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_STOP = re.compile(r"[.!?]\s|\n")
_TELLING_LETTERS = 4
_LEAST_WORDS, _MOST_CUT, _MOST_ADDED = 2, 3, 4
_NEAREST = 5

_Place: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class SourceReport:
    """A report with what a run (`own`) and everybody, the run as well, have in it.

    `looked_at` are the categories that the run was asked for there.
    """

    document: str
    text: str
    sections: tuple[Section, ...]
    own: tuple[Annotation, ...]
    everybody: tuple[Finding, ...]
    looked_at: frozenset[str]

    @cached_property
    def words(self) -> list[_Place]:
        """Where each word of the text stands."""
        return [match.span() for match in _WORD.finditer(self.text)]

    @cached_property
    def fragments(self) -> list[_Place]:
        """Clauses and whole sentences of sections that are not left out, each of a few words, none twice."""
        headings = {section.heading for section in self.sections}
        excluded = [(one.start, one.end) for one in self.sections if one.role == "excluded"]
        pieces = [place for end in (_CLAUSE_END, _SENTENCE_END) for place in _pieces(self.text, end)]
        return [
            (start, end)
            for start, end in dict.fromkeys(pieces)
            if self.count_words(start, end) >= _LEAST_WORDS
            and self.text[start:end] not in headings
            and self.text.count(self.text[start:end]) == 1
            and not any(overlap((start, end), place) for place in excluded)
        ]

    def count_words(self, start: int, end: int) -> int:
        """How many words begin between two offsets."""
        after = bisect_left(self.words, end, key=lambda word: word[0])
        return after - bisect_left(self.words, start, key=lambda word: word[0])

    def says(self, category: str, place: _Place, polarity: Polarity | None = None) -> bool:
        """Whether anybody has something in the category (with the polarity) that overlaps the place."""
        return any(
            one.category == category
            and polarity in (None, one.polarity)
            and one.start is not None
            and one.end is not None
            and overlap(place, (one.start, one.end))
            for one in self.everybody
        )


@dataclass(frozen=True, slots=True)
class Mistake:
    """A wrong finding in a report (its number), in the place of the run's own span of that number, if any."""

    report: int
    kind: MistakeKind
    finding: Finding
    instead_of: int | None
    like: Annotation


@dataclass(frozen=True, slots=True)
class Habits:
    """What a run does anywhere: fields by category, each as often as it gives it, and polarities."""

    fields: Mapping[str, Sequence[str]]
    polarities: frozenset[Polarity]


def habits_of(reports: Sequence[SourceReport]) -> Habits:
    """What a run does on its reports: a wrong span that did what no other one does would be found by that."""
    findings = [one.finding for report in reports for one in report.own]
    return Habits(
        grouped((finding.category, finding.field) for finding in findings),
        frozenset(finding.polarity for finding in findings),
    )


def make_mistakes(
    reports: Sequence[SourceReport], number: int, kinds: Sequence[MistakeKind], rng: Random
) -> list[Mistake]:
    """At most `number` mistakes, the kinds in turn, no span of the run's spoilt twice.

    There are fewer where a kind finds no more spans that it could spoil; the other kinds take its turns.
    """
    habits = habits_of(reports)
    spans = [
        (page, place)
        for page, report in enumerate(reports)
        for place, one in enumerate(report.own)
        if one.finding.start is not None
    ]
    spare: dict[MistakeKind, list[tuple[int, int]]] = {}
    for kind in kinds:
        rng.shuffle(spans)
        spare[kind] = list(spans)
    spoilt: set[tuple[int, int]] = set()
    taken: dict[int, list[_Place]] = {}
    made: list[Mistake] = []
    while spare and len(made) < number:
        for kind in list(spare):
            if len(made) == number:
                break
            mistake = _next(reports, kind, spare[kind], spoilt, taken, habits, rng)
            if mistake is None:
                del spare[kind]
            else:
                made.append(mistake)
    return made


def _next(
    reports: Sequence[SourceReport],
    kind: MistakeKind,
    spare: list[tuple[int, int]],
    spoilt: set[tuple[int, int]],
    taken: dict[int, list[_Place]],
    habits: Habits,
    rng: Random,
) -> Mistake | None:
    """The next mistake of a kind; spans that are of no use for it are gone from `spare` after."""
    while spare:
        page, place = spare.pop()
        report = reports[page]
        like = report.own[place]
        if kind == "spurious":
            finding = _spurious(report, like, taken.get(page, []), rng)
        elif (page, place) in spoilt:
            continue
        else:
            finding = _SPOIL[kind](report, like, habits, rng)
        if finding is None:
            continue
        if kind == "spurious":
            taken.setdefault(page, []).append(place_of_finding(finding))
            return Mistake(page, kind, finding, None, like)
        spoilt.add((page, place))
        return Mistake(page, kind, finding, place, like)
    return None


def _spurious(report: SourceReport, like: Annotation, taken: Sequence[_Place], rng: Random) -> Finding | None:
    """Words of about the same number, in the same category, that have nothing to do with it for anybody."""
    model = like.finding
    wanted = max(report.count_words(*place_of_finding(model)), 1)
    shaped = [
        place
        for place in report.fragments
        if (report.text[place[1] - 1] == ".") == model.quote.endswith(".")
        and report.count_words(*place) <= 2 * wanted + _LEAST_WORDS
    ]
    shaped.sort(key=lambda place: (abs(report.count_words(*place) - wanted), place))
    own = [place_of_finding(one.finding) for one in report.own if one.finding.start is not None]
    told = {
        word for one in report.everybody if one.category == model.category for word in _telling(one.quote)
    }
    fitting = (
        place
        for place in shaped
        if not report.says(model.category, place)
        and not any(overlap(place, other) for other in (*own, *taken))
        and not told & _telling(report.text[place[0] : place[1]])
    )
    near = list(islice(fitting, _NEAREST))
    if not near:
        return None
    start, end = rng.choice(near)
    return Finding(model.category, report.text[start:end], start, end, model.field)


def _label(report: SourceReport, like: Annotation, habits: Habits, rng: Random) -> Finding | None:
    """The same span in another category, in which nobody has it."""
    finding = like.finding
    others = [
        category
        for category in habits.fields
        if category != finding.category
        and category in report.looked_at
        and not report.says(category, place_of_finding(finding))
    ]
    if not others:
        return None
    category = rng.choice(others)
    return replace(finding, category=category, field=rng.choice(habits.fields[category]))


def _boundary(report: SourceReport, like: Annotation, habits: Habits, rng: Random) -> Finding | None:
    """The span some words shorter or longer at one end, within its sentence, as nobody has it."""
    finding = like.finding
    start, end = place_of_finding(finding)
    first = bisect_right(report.words, start, key=lambda word: word[1])
    after = bisect_left(report.words, end, key=lambda word: word[0])
    words, number = report.words, after - first
    places: list[_Place] = []
    for cut in range(1, min(_MOST_CUT, number - 1) + 1):
        places += [(words[first + cut][0], end), (start, words[after - 1 - cut][1])]
    for more in range(_LEAST_WORDS, _MOST_ADDED + 1):
        if first - more >= 0 and not _STOP.search(report.text, words[first - more][0], start):
            places.append((words[first - more][0], end))
        if after - 1 + more < len(words) and not _STOP.search(
            report.text, end - 1, words[after - 1 + more][1]
        ):
            places.append((start, words[after - 1 + more][1]))
    known = {(one.start, one.end) for one in report.everybody if one.category == finding.category}
    # A grounding would say of words that stand in several places that they do.
    once = like.score is not None
    free = [
        (left, right)
        for left, right in dict.fromkeys(places)
        if left < right
        and (left, right) not in known
        and not (once and report.text.count(report.text[left:right]) > 1)
    ]
    if not free:
        return None
    left, right = rng.choice(free)
    quote = report.text[left:right]
    return Finding(finding.category, quote, left, right, finding.field, finding.polarity)


def _polarity(report: SourceReport, like: Annotation, habits: Habits, rng: Random) -> Finding | None:
    """The same span said to be there where it is not, or not where it is."""
    finding = like.finding
    flipped: Polarity = "negated" if finding.polarity == "present" else "present"
    if flipped not in habits.polarities or report.says(finding.category, place_of_finding(finding), flipped):
        return None
    return replace(finding, polarity=flipped)


_SPOIL: Mapping[MistakeKind, Callable[[SourceReport, Annotation, Habits, Random], Finding | None]] = {
    "label": _label,
    "boundary": _boundary,
    "polarity": _polarity,
}


def _pieces(text: str, end: re.Pattern[str]) -> list[_Place]:
    """The stretches between what `end` matches, without blanks around them."""
    borders = [0, *(edge for match in end.finditer(text) for edge in match.span()), len(text)]
    pieces = []
    for start, stop in zip(borders[::2], borders[1::2], strict=True):
        left, right = trimmed(text, start, stop)
        if left < right and _on_words(text, left, right):
            pieces.append((left, right))
    return pieces


def _on_words(text: str, start: int, end: int) -> bool:
    """Whether a stretch begins with a word and cuts none."""
    match = _WORD.match(text, start)
    return match is not None and match.end() <= end and not (start and text[start - 1].isalnum())


def _telling(quote: str) -> frozenset[str]:
    """The words of a quote that tell what it is about, as far as their length says so."""
    words = (match.group().casefold() for match in _WORD.finditer(quote))
    return frozenset(word for word in words if len(word) >= _TELLING_LETTERS)
