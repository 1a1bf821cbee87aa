"""The queue of disagreements between two annotators, decisions that work it off, and what they corrected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from app.messages import no_such
from app.operations.compare.pair import Sides, reading_sides
from app.operations.project.caveats import caveats
from app.operations.project.opening import opened
from app.reconcile.queue import (
    BELOW,
    CUED,
    ORDERS,
    Alike,
    AlikeIndex,
    ComparedReport,
    Order,
    QueueItem,
    build_queue,
)
from app.reconcile.types import Difference, finding_content
from app.store.annotate.annotators import Annotator, annotators
from app.store.reconcile.decisions import Decision, decisions
from app.store.reports.documents import document_summary, texts
from app.text import counted
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.progress import Progress, at_once, finished, stage

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.model.finding import Finding

State: TypeAlias = Literal["open", "asked", "decided"]
STATES: tuple[State, ...] = ("open", "asked", "decided")
# Differences that are looked up between two steps.
_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Queue:
    """Everything on which two annotators differ in the reports that both looked at, and what is decided.

    `decisions` are those that hold, by difference; `outdated` those on differences that are no longer there,
    because a side says something else now. `only_left` and `only_right` count reports that one alone looked
    at. `caveats` must be said wherever the queue is shown. `alikes` fills as it is asked, and stays with its
    differences.
    """

    left: Annotator
    right: Annotator
    below: float
    items: tuple[QueueItem, ...]
    differences: Mapping[str, Difference]
    decisions: Mapping[str, Decision]
    outdated: tuple[Decision, ...]
    compared: tuple[ComparedReport, ...]
    agreed: int
    only_left: int
    only_right: int
    caveats: tuple[str, ...]
    alikes: AlikeIndex = field(default_factory=AlikeIndex, repr=False, compare=False)

    def state(self, difference: str) -> State:
        """How far a difference (id) is: undecided, put back as a question, or decided."""
        decision = self.decisions.get(difference)
        if decision is None:
            return "open"
        return "asked" if decision.choice == "ask" else "decided"

    def state_of(self, item: QueueItem) -> State:
        """How far an item is: decided when all its differences are, else open while one is."""
        if len(item.differences) == 1:
            return self.state(item.differences[0].id)
        states = {self.state(one.id) for one in item.differences}
        return next(state for state in STATES if state in states)

    @property
    def reports(self) -> int:
        """How many reports both looked at."""
        return len(self.compared)

    @property
    def decided(self) -> int:
        """How many of the differences are decided."""
        return self.counts()["decided"]

    def counts(self) -> Counter[State]:
        """How many of the differences are in each state."""
        counts: Counter[State] = Counter(map(self.state, self.decisions))
        counts["open"] = len(self.differences) - counts.total()
        return counts

    def item(self, name: str) -> QueueItem:
        """The item of that id; raises UnknownNameError."""
        for item in self.items:
            if item.id == name:
                return item
        raise UnknownNameError(
            f"There is no {name!r} in the queue of {self.left.name} and {self.right.name}; casespan queue "
            "lists what there is."
        )

    def find(self, name: str) -> tuple[Difference, ...]:
        """The difference of that id, or those of a pair's; raises UnknownNameError."""
        if name in self.differences:
            return (self.differences[name],)
        return self.item(name).differences


def read_queue(
    where: Project | Path, left: str, right: str, *, below: float | None = None, order: Order = "worst"
) -> Queue:
    """Where two annotators differ: report-category pairs under `below` (30 for None) first, then the rest.

    Raises UnknownNameError for an annotator or order that is not there, ProjectError where both looked at no
    report.
    """
    with opened(where) as project, project.snapshot():
        return finished(reading_queue(project, left, right, below=below, order=order))


def reading_queue(
    where: Project | Path,
    left: str,
    right: str,
    *,
    below: float | None = None,
    order: Order = "worst",
    scored: bool = True,
) -> Generator[Progress, None, Queue]:
    """`read_queue`, some reports at a time; the decisions, which are taken meanwhile, are read last.

    Whoever needs no order of what is to be decided does without scores, and so without items.
    """
    if order not in ORDERS:
        raise UnknownNameError(no_such("order", order, ORDERS))
    with opened(where) as project:
        sides = yield from reading_sides(project, left, right, scored=scored)
        caveats_of_both = tuple(dict.fromkeys((*caveats(project, left), *caveats(project, right))))
        taken = decisions(project, (sides.left.uuid, sides.right.uuid))
    limit = BELOW if below is None else below
    items = build_queue(sides.reports, limit, order) if scored else ()
    return _queue(sides, taken, items, limit, caveats_of_both)


def _queue(
    sides: Sides, taken: Sequence[Decision], items: Sequence[QueueItem], below: float, words: tuple[str, ...]
) -> Queue:
    found = {one.id: one for report in sides.reports for one in report.differences}
    last = {decision.difference: _seen_from(sides.left.uuid, decision) for decision in taken}
    return Queue(
        left=sides.left,
        right=sides.right,
        below=below,
        items=tuple(items),
        differences=found,
        decisions={name: decision for name, decision in last.items() if name in found},
        outdated=tuple(decision for name, decision in last.items() if name not in found),
        compared=sides.reports,
        agreed=sum(len(report.agreed) for report in sides.reports),
        only_left=sides.only_left,
        only_right=sides.only_right,
        caveats=words,
    )


def _seen_from(left: str, decision: Decision) -> Decision:
    """A decision with that annotator (UUID) on the left, who may have been on the right when it was taken."""
    if decision.left == left:
        return decision
    turned = {"left": "right", "right": "left"}
    choice = turned.get(decision.choice, decision.choice)
    return replace(decision, left=decision.right, right=decision.left, choice=choice)


def keys_named(project: Project, names: Sequence[str]) -> frozenset[str]:
    """The keys of reports by whatever names; raises UnknownNameError for one that is not there."""
    return frozenset(document_summary(project, name).key for name in names)


def listing_alike(
    project: Project, queue: Queue, difference: str
) -> Generator[Progress, None, tuple[Alike, ...]]:
    """Undecided differences of the same kind as the one of that id, the most alike first.

    Raises UnknownNameError where it is not in the queue.
    """
    one, index, number = queue.find(difference)[0], queue.alikes, len(queue.compared)
    while (done := index.read[one.kind]) < number:
        report = queue.compared[done]
        same = [other for other in report.differences if other.kind == one.kind]
        index.add(same, _texts(project, one, report.document) if same else {})
        index.read[one.kind] = done + 1
        yield Progress(done, number, "compared")
    found = []
    for place, (name, wherein) in enumerate(index.alike(one, _texts(project, one, one.document)), start=1):
        if queue.state(name) != "decided":
            found.append(Alike(queue.differences[name], wherein))
        if place % _AT_ONCE == 0:
            yield Progress(number, number, "compared")
    return tuple(found)


list_alike = at_once(listing_alike)


def _texts(project: Project, one: Difference, document: str) -> dict[str, str]:
    return texts(project, document) if one.kind in CUED else {}


def queue_sentences(queue: Queue) -> list[str]:
    """How far the queue of two annotators is, and what does not stand in it."""
    left, right = queue.left.name, queue.right.name
    parts = [
        f"{counted(queue.reports, 'report')} that both {left} and {right} annotated: they agree on "
        f"{counted(queue.agreed, 'quote')} and differ on {len(queue.differences):,}, of which "
        f"{queue.decided:,} decided."
    ]
    for name, number in ((left, queue.only_left), (right, queue.only_right)):
        if number:
            parts.append(f"{counted(number, 'report')} annotated by {name} alone, not compared.")
    if queue.outdated:
        parts.append(f"{counted(len(queue.outdated), 'decision')} on what neither side has any more.")
    return parts


@dataclass(frozen=True, slots=True)
class Correction:
    """A difference in which an annotator took part, as it was decided: `kept` where nothing of it changed.

    `mine` are the annotator's quotes, `gold` what holds; both may be empty. `other` is the name on the other
    side.
    """

    report: str
    title: str
    kind: str
    category: str
    other: str
    mine: tuple[Finding, ...]
    gold: tuple[Finding, ...]
    kept: bool
    reason: str
    note: str
    clause: str
    decided_by: str
    decided_at: str


def listing_corrections(
    where: Project | Path, annotator: str
) -> Generator[Progress, None, tuple[Correction, ...]]:
    """How what an annotator (name) had was decided wherever it differed from somebody else's.

    In the order of the reports. Raises UnknownNameError for an annotator that is not there.
    """
    with opened(where) as project:
        holders = {one.uuid: one.name for one in annotators(project)}
        own = next((uuid for uuid, name in holders.items() if name == annotator), None)
        if own is None:
            raise UnknownNameError(no_such("annotator", annotator, holders.values()))
        taken = [one for one in decisions(project) if own in (one.left, one.right)]
        others = dict.fromkeys(one.right if one.left == own else one.left for one in taken)
        found: list[Correction] = []
        for number, other in enumerate(others):
            found += yield from stage(_corrections(project, annotator, holders[other]), number, len(others))
        return tuple(found)


list_corrections = at_once(listing_corrections)


def _corrections(project: Project, annotator: str, other: str) -> Generator[Progress, None, list[Correction]]:
    try:
        queue = yield from reading_queue(project, annotator, other, scored=False)
    except ProjectError:
        # They share no report any more, and so nothing on which they could differ.
        return []
    titles = {report.key: report.title for report in queue.compared}
    return [
        _correction(queue, one, queue.decisions[one.id], titles[one.report])
        for one in queue.differences.values()
        if queue.state(one.id) == "decided"
    ]


def _correction(queue: Queue, one: Difference, decision: Decision, title: str) -> Correction:
    return Correction(
        report=one.report,
        title=title,
        kind=one.kind,
        category=one.category,
        other=queue.right.name,
        mine=tuple(mark.finding for mark in one.left),
        gold=decision.findings,
        kept={finding_content(mark.finding) for mark in one.left}
        == set(map(finding_content, decision.findings)),
        reason=decision.reason_code,
        note=decision.note,
        clause=decision.clause,
        decided_by=decision.decided_by,
        decided_at=decision.decided_at,
    )
