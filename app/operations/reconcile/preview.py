"""What whoever reconciles has to know beside the queue: whose sets there are, and what a choice comes to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.operations.reconcile.decisions import Resolution, drafted
from app.operations.reconcile.gold import GOLD
from app.operations.reconcile.queue import Queue, listing_alike
from app.reconcile.gold import CHOICES as CHOICES
from app.reconcile.gold import REASONS as REASONS
from app.reconcile.gold import Choice, outcome
from app.reconcile.gold import choices_for as choices_for
from app.reconcile.habits import habit
from app.reconcile.queue import BELOW as BELOW
from app.reconcile.queue import NARROW as NARROW
from app.reconcile.queue import ORDERS as ORDERS
from app.reconcile.queue import Alike, Likeness, cue
from app.reconcile.types import KINDS as KINDS
from app.reconcile.types import Difference
from app.reconcile.types import concepts_in_words as concepts_in_words
from app.reconcile.words import word_differences as word_differences
from app.store.annotate.annotators import AnnotatorKind, annotators
from app.store.annotate.reviews import reviews
from app.store.reconcile.decisions import Decision, decisions, gold_builds
from app.store.reports.counting import count_annotations
from app.store.reports.documents import texts
from extractors.model.finding import Finding
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from app.store.project import Project

_CONTEXT = 90
MOST_ALIKE = 300
_HABITS = {
    "joined": "has one span for several",
    "sentence": "has the whole sentence",
    "determiner": "takes in an article before it",
    "signs": "takes in punctuation",
    "value": "takes in a number or unit",
    "joining": "takes in small words beside it",
    "clause": "takes in a clause more",
    "before": "takes in a few words before it",
    "after": "takes in a few words after it",
    "measured": "alone has something with a number",
    "single": "alone has a single word",
    "long": "alone has a whole sentence or more",
}


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who has looked at `reports` reports."""

    name: str
    kind: AnnotatorKind
    reports: int


@dataclass(frozen=True, slots=True)
class SidesOffer:
    """Who can be set against whom, and whose sets were decided between last (names), if any were.

    `golds` are the gold sets that were built last, by their two sides.
    """

    holders: tuple[Holder, ...]
    last: tuple[str, str] | None
    golds: Mapping[frozenset[str], str] = field(default_factory=dict)

    def gold_of(self, left: str, right: str) -> str:
        """The name of the gold set of two sides, the usual one where none was built."""
        return self.golds.get(frozenset((left, right)), GOLD)


@dataclass(frozen=True, slots=True)
class AlikeItem:
    """An undecided difference like one just decided: wherein, its report, and the words around it.

    `cue` are the few words on which both turn, or what both have in common in words; "" where the likeness
    says it all. `total` is how many there are of that likeness.
    """

    difference: Difference
    likeness: Likeness
    cue: str
    total: int
    title: str
    before: str
    words: str
    after: str
    outcome: tuple[Finding, ...]


def offer_sides(project: Project) -> SidesOffer:
    """Everybody who has looked at a report: people first, then the gold set, then runs."""
    seen = {(review.document, review.annotator) for review in reviews(project) if review.looked_at}
    seen |= count_annotations(project).keys()
    looked = Counter(annotator for _, annotator in seen)
    there = annotators(project)
    holders = tuple(Holder(one.name, one.kind, looked[one.uuid]) for one in there if looked[one.uuid])
    names = {one.uuid: one.name for one in there}
    taken = [one for one in decisions(project) if one.left in names and one.right in names]
    golds = {
        frozenset((names[one.annotator_left], names[one.annotator_right])): names[one.annotator]
        for one in gold_builds(project)
        if names.keys() >= {one.annotator, one.annotator_left, one.annotator_right}
    }
    return SidesOffer(holders, (names[taken[-1].left], names[taken[-1].right]) if taken else None, golds)


def previewing_alike(
    project: Project, queue: Queue, difference: str, choice: Choice
) -> Generator[Progress, None, tuple[AlikeItem, ...]]:
    """Undecided differences like the one of that id on which the same can be decided, the most alike first.

    With what would hold then, and of each likeness no more than one can look through. Raises UnknownNameError
    where the difference is not in the queue.
    """
    every = yield from listing_alike(project, queue, difference)
    found = [one for one in every if choice in choices_for(one.difference)]
    if not found:
        return ()
    one_decided, names = queue.differences[difference], (queue.left.name, queue.right.name)
    text_of = texts(project, one_decided.document)
    turning = {
        "cue": _cue_words(one_decided, text_of),
        "habit": _habit_words(one_decided, text_of, names),
        "scope": _scope_words(project, one_decided, names),
    }
    titles = {report.document: report.title for report in queue.compared}
    totals: Counter[Likeness] = Counter(one.likeness for one in found)
    items: list[AlikeItem] = []
    for one in (one for wherein in totals for one in _of(found, wherein)[:MOST_ALIKE]):
        document = one.difference.document
        if document not in text_of:
            yield Progress(len(items), 0)
            text_of |= texts(project, document)
        item = _item(one.difference, text_of[document], choice)
        title, cue_words = titles[document], turning.get(one.likeness, "")
        items.append(AlikeItem(one.difference, one.likeness, cue_words, totals[one.likeness], title, *item))
    return tuple(items)


def _item(one: Difference, text: str, choice: Choice) -> tuple[str, str, str, tuple[Finding, ...]]:
    """The words of a difference with those around them, and what would hold."""
    start, end = one.place or (0, 0)
    before, after = text[max(0, start - _CONTEXT) : start], text[end : end + _CONTEXT] if end else ""
    return before, text[start:end], after, outcome(one, choice, text)


def _of(found: list[Alike], wherein: Likeness) -> list[Alike]:
    return [one for one in found if one.likeness == wherein]


def _habit_words(difference: Difference, text_of: Mapping[str, str], names: tuple[str, str]) -> str:
    """Who has what more at the edges, or what is like the quote of one side alone."""
    values = habit(difference, text_of.get(difference.document, "")) or ()
    return ", ".join(f"{names[one[0] == '-']} {_HABITS[one[1:]]}" for one in values if one[1:] in _HABITS)


def _scope_words(project: Project, difference: Difference, names: tuple[str, str]) -> str:
    """What all have in common that are alike in nothing else."""
    left, right = difference.left, difference.right
    within = " and ".join(project.scheme.category(one).name for one in difference.group.categories)
    if difference.kind == "missing":
        return f"all that {names[0] if left else names[1]} alone has in {within}"
    if difference.kind == "polarity":
        parts = (
            f"{quotes[0].finding.polarity} for {name}"
            for quotes, name in zip((left, right), names, strict=True)
        )
        return f"all that is {' and '.join(parts)} in {within}"
    if difference.kind == "concept":
        coded = (
            f"{concepts_in_words(quotes)} for {name}"
            for quotes, name in zip((left, right), names, strict=True)
        )
        return f"all that is {' and '.join(coded)}"
    return f"all other edges of the same side in {within}"


def _cue_words(difference: Difference, text_of: Mapping[str, str]) -> str:
    parts = cue(difference, text_of) or ()
    # A polarity turns on its negation, edges on what one side has more.
    words = parts[-1:] if difference.kind == "polarity" else [part.lstrip("+-") for part in parts]
    return " … ".join(filter(None, words))


def draft_decision(
    queue: Queue, difference: Difference, by: str, resolution: Resolution, text: str | None
) -> Decision:
    """The decision as it will be on disk, but for its UUID and time.

    Without findings where `text`, that of the report, is None because it is not at hand.
    """
    findings = _what_holds(difference, resolution, text) if text is not None else ()
    return drafted(queue, difference, by, resolution, findings)


def _what_holds(difference: Difference, resolution: Resolution, text: str) -> tuple[Finding, ...]:
    if resolution.choice != "edited":
        return outcome(difference, resolution.choice, text)
    return tuple(
        Finding(one.category, text[one.start : one.end], one.start, one.end, one.field, one.polarity)
        for one in resolution.spans
    )
