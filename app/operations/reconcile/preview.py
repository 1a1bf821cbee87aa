"""What whoever reconciles has to know beside the queue: whose sets there are, and what a choice comes to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.operations.reconcile.queue import list_alike
from app.reconcile.alike import cue
from app.reconcile.choices import CHOICES as CHOICES
from app.reconcile.choices import REASONS as REASONS
from app.reconcile.choices import choices_for as choices_for
from app.reconcile.choices import outcome
from app.reconcile.queue import BELOW as BELOW
from app.reconcile.queue import ORDERS as ORDERS
from app.reconcile.types import KINDS as KINDS
from app.reconcile.words import word_differences as word_differences
from app.store.annotations import count_annotations
from app.store.annotators import annotators
from app.store.decisions import Decision, decisions
from app.store.documents import document_summaries, texts
from app.store.reviews import reviews
from extractors.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.operations.reconcile.decisions import Resolution
    from app.operations.reconcile.queue import Queue
    from app.reconcile.alike import Likeness
    from app.reconcile.choices import Choice
    from app.reconcile.types import Difference
    from app.store.annotators import AnnotatorKind
    from app.store.project import Project

_CONTEXT = 90


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who has looked at `reports` reports."""

    name: str
    kind: AnnotatorKind
    reports: int


@dataclass(frozen=True, slots=True)
class SidesOffer:
    """Who can be set against whom, and whose sets were decided between last (names), if any were."""

    holders: tuple[Holder, ...]
    last: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class AlikeItem:
    """An undecided difference like one just decided: wherein, its report, and the words around it.

    `cue` are the few words on which both turn, "" where it is something else that makes them alike.
    """

    difference: Difference
    likeness: Likeness
    cue: str
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
    return SidesOffer(holders, (names[taken[-1].left], names[taken[-1].right]) if taken else None)


def preview_alike(project: Project, queue: Queue, difference: str, choice: Choice) -> tuple[AlikeItem, ...]:
    """Undecided differences like the one of that id on which the same can be decided, the most alike first.

    With what would hold then. Raises UnknownNameError where the difference is not in the queue.
    """
    found = [one for one in list_alike(project, queue, difference) if choice in choices_for(one.difference)]
    if not found:
        return ()
    text_of, titles = texts(project), {one.uuid: one.title for one in document_summaries(project)}
    turning = _cue_words(queue.differences[difference], text_of)
    items = []
    for one in found:
        text = text_of[one.difference.document]
        start, end = one.difference.place or (0, 0)
        items.append(
            AlikeItem(
                difference=one.difference,
                likeness=one.likeness,
                cue=turning if one.likeness == "cue" else "",
                title=titles[one.difference.document],
                before=text[max(0, start - _CONTEXT) : start],
                words=text[start:end],
                after=text[end : end + _CONTEXT] if end else "",
                outcome=outcome(one.difference, choice, text),
            )
        )
    return tuple(items)


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
    return Decision(
        uuid="",
        document=difference.document,
        category=difference.category,
        left=queue.left.uuid,
        right=queue.right.uuid,
        choice=resolution.choice,
        reason_code=resolution.reason,
        note=resolution.note,
        clause=resolution.clause,
        confidence=resolution.confidence,
        decided_at="",
        findings=_what_holds(difference, resolution, text) if text is not None else (),
        difference=difference.id,
        kind=difference.kind,
        decided_by=by,
        seconds=resolution.seconds,
    )


def _what_holds(difference: Difference, resolution: Resolution, text: str) -> tuple[Finding, ...]:
    if resolution.choice != "edited":
        return outcome(difference, resolution.choice, text)
    return tuple(
        Finding(one.category, text[one.start : one.end], one.start, one.end, one.field, one.polarity)
        for one in resolution.spans
    )
