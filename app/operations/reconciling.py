"""The queue of disagreements between two annotators, and the decisions that work it off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from app.operations.hands import exact_finding, name_reports, require_field, require_person, who
from app.operations.opening import opened
from app.operations.remarks import remarks
from app.operations.sides import read_sides
from app.operations.wording import counted
from app.reconcile.alike import alike
from app.reconcile.choices import CHOICES, REASONS, choices_for, outcome
from app.reconcile.queue import BELOW, ORDERS, build_queue
from app.store.annotations import find_annotations
from app.store.decisions import add_decision, decisions
from app.store.documents import document, texts
from extractors.errors import CallError, ProjectError, UnknownNameError
from extractors.finding import POLARITIES, Finding, Polarity

if TYPE_CHECKING:
    from app.operations.sides import Sides
    from app.reconcile.alike import Alike
    from app.reconcile.choices import Choice
    from app.reconcile.queue import ComparedReport, Order, QueueItem
    from app.reconcile.types import Difference
    from app.store.act import Act
    from app.store.annotators import Annotator
    from app.store.decisions import Decision
    from app.store.project import Project

State: TypeAlias = Literal["open", "asked", "decided"]
STATES: tuple[State, ...] = ("open", "asked", "decided")


@dataclass(frozen=True, slots=True)
class Queue:
    """Everything on which two annotators differ in the reports that both looked at, and what is decided.

    `decisions` are those that hold, by difference; `outdated` those on differences that are no longer there,
    because a side says something else now. `only_left` and `only_right` count reports that one alone looked
    at. `remarks` must be said wherever the queue is shown.
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
    remarks: tuple[str, ...]

    def state(self, difference: str) -> State:
        """How far a difference (id) is: undecided, put back as a question, or decided."""
        decision = self.decisions.get(difference)
        if decision is None:
            return "open"
        return "asked" if decision.choice == "ask" else "decided"

    def state_of(self, item: QueueItem) -> State:
        """How far an item is: decided when all its differences are, else open while one is."""
        states = {self.state(one.id) for one in item.differences}
        return next(state for state in STATES if state in states)

    @property
    def reports(self) -> int:
        """How many reports both looked at."""
        return len(self.compared)

    @property
    def decided(self) -> int:
        """How many of the differences are decided."""
        return sum(self.state(one) == "decided" for one in self.differences)

    def item(self, name: str) -> QueueItem:
        """The item of that id, also that of a difference within a pair; raises UnknownNameError."""
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


@dataclass(frozen=True, slots=True)
class EditedSpan:
    """A span as the adjudicator wants it, in code points of the report's text."""

    start: int
    end: int
    category: str
    polarity: Polarity = "present"
    field: str = ""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What is decided and why: `reason` is one of REASONS or "", `confidence` 0-1.

    `spans` are what holds instead where the choice is "edited". `seconds` is how long it took.
    """

    choice: Choice
    reason: str = ""
    note: str = ""
    clause: str = ""
    confidence: float | None = None
    spans: tuple[EditedSpan, ...] = ()
    seconds: float | None = None


def read_queue(
    where: Project | Path, left: str, right: str, *, below: float | None = None, order: Order = "worst"
) -> Queue:
    """Where two annotators differ: report-category pairs under `below` (30 for None) first, then the rest.

    Raises UnknownNameError for an annotator or order that is not there, ProjectError where both looked at no
    report.
    """
    if order not in ORDERS:
        raise UnknownNameError(f"There is no order {order!r}; choose one of {', '.join(ORDERS)}.")
    with opened(where) as project, project.snapshot():
        sides = read_sides(project, left, right)
        said = tuple(dict.fromkeys((*remarks(project, left), *remarks(project, right))))
        taken = decisions(project, (sides.left.uuid, sides.right.uuid))
    return _queue(sides, taken, BELOW if below is None else below, order, said)


def _queue(
    sides: Sides, taken: Sequence[Decision], below: float, order: Order, said: tuple[str, ...]
) -> Queue:
    found = {one.id: one for report in sides.reports for one in report.differences}
    last = {decision.difference: _seen_from(sides.left.uuid, decision) for decision in taken}
    return Queue(
        left=sides.left,
        right=sides.right,
        below=below,
        items=tuple(build_queue(sides.reports, below, order)),
        differences=found,
        decisions={name: decision for name, decision in last.items() if name in found},
        outdated=tuple(decision for name, decision in last.items() if name not in found),
        compared=sides.reports,
        agreed=sum(len(report.agreed) for report in sides.reports),
        only_left=sides.only_left,
        only_right=sides.only_right,
        remarks=said,
    )


def _seen_from(left: str, decision: Decision) -> Decision:
    """A decision with that annotator (UUID) on the left, who may have been on the right when it was taken."""
    if decision.left == left:
        return decision
    turned = {"left": "right", "right": "left"}
    choice = turned.get(decision.choice, decision.choice)
    return replace(decision, left=decision.right, right=decision.left, choice=choice)


def list_alike(project: Project, queue: Queue, difference: str) -> tuple[Alike, ...]:
    """Undecided differences of the same kind as the one of that id, the most alike first.

    Raises UnknownNameError where it is not in the queue.
    """
    one = queue.find(difference)[0]
    undecided = [other for other in queue.differences.values() if queue.state(other.id) != "decided"]
    return tuple(alike(one, undecided, texts(project)))


def decide(
    project: Project, by: str, queue: Queue, names: Sequence[str], resolution: Resolution
) -> tuple[Decision, ...]:
    """Decide on differences of the queue (ids), or all undecided ones of a pair; as `decide_all`."""
    return decide_all(project, by, queue, [(names, resolution)])


def decide_all(
    project: Project, by: str, queue: Queue, orders: Sequence[tuple[Sequence[str], Resolution]]
) -> tuple[Decision, ...]:
    """Decide on differences and pairs of the queue (ids, with what is decided on them) in one act of `by`.

    The sides stay as they are. A later decision on the same difference replaces an earlier one, which stays
    on record. Edited spans hold for all the differences of their order together. Raises UnknownNameError for
    what is not in the queue, CallError for a choice, reason or confidence that makes no sense there,
    ProjectError where a side says something else by now; then nothing was changed.
    """
    require_person(by)
    taken: list[_Taken] = []
    for names, resolution in orders:
        _require_sense(resolution)
        chosen = _chosen(queue, names)
        _require_unchanged(project, chosen)
        taken += [
            _Taken(one, resolution, _findings(project, one, resolution, first=place == 0), len(chosen))
            for place, one in enumerate(chosen)
        ]
    if not taken:
        return ()
    with project.act(_title(queue, taken), who(project, by)) as act:
        return tuple(_record(act, queue, by, one) for one in taken)


@dataclass(frozen=True, slots=True)
class _Taken:
    """A difference on its way to a decision; `shared` is how many were decided on at once."""

    difference: Difference
    resolution: Resolution
    findings: tuple[Finding, ...]
    shared: int


def _record(act: Act, queue: Queue, by: str, taken: _Taken) -> Decision:
    one, resolution = taken.difference, taken.resolution
    return add_decision(
        act,
        one.document,
        one.category,
        queue.left.uuid,
        queue.right.uuid,
        resolution.choice,
        taken.findings,
        reason_code=resolution.reason,
        note=resolution.note,
        clause=resolution.clause,
        confidence=resolution.confidence,
        difference=one.id,
        kind=one.kind,
        decided_by=by,
        seconds=None if resolution.seconds is None else resolution.seconds / taken.shared,
    )


def _title(queue: Queue, taken: Sequence[_Taken]) -> str:
    choices = dict.fromkeys(one.resolution.choice for one in taken)
    reports = dict.fromkeys(one.difference.report for one in taken)
    how = f"{_named(queue, next(iter(choices)))} " if len(choices) == 1 else ""
    return f"decide {how}on {counted(len(taken), 'difference')} in {name_reports(list(reports))}"


def choice_named(word: str) -> Choice:
    """The choice of that name; raises CallError."""
    for choice in CHOICES:
        if choice == word:
            return choice
    raise CallError(f"One cannot decide {word!r}; choose one of {', '.join(CHOICES)}.")


def polarity_named(word: str) -> Polarity:
    """The polarity of that name; raises CallError."""
    for polarity in POLARITIES:
        if polarity == word:
            return polarity
    raise CallError(f"There is no polarity {word!r}; choose one of {', '.join(POLARITIES)}.")


def _require_sense(resolution: Resolution) -> None:
    if resolution.reason and resolution.reason not in REASONS:
        raise CallError(f"There is no reason {resolution.reason!r}; choose one of {', '.join(REASONS)}.")
    if resolution.confidence is not None and not 0 <= resolution.confidence <= 1:
        raise CallError(f"A confidence of {resolution.confidence} makes no sense; choose 0 to 1.")
    if resolution.choice == "edited" and not resolution.spans:
        raise CallError(
            "Say what holds instead: an edited decision needs a span; for nothing, choose neither."
        )
    if resolution.choice != "edited" and resolution.spans:
        raise CallError(f"A span goes with the choice edited, not with {resolution.choice}.")


def _chosen(queue: Queue, names: Sequence[str]) -> list[Difference]:
    """The differences named, each once; of a pair those that are undecided."""
    chosen: dict[str, Difference] = {}
    for name in names:
        for one in queue.find(name):
            if name == one.id or queue.state(one.id) != "decided":
                chosen[one.id] = one
    return list(chosen.values())


def _require_unchanged(project: Project, chosen: Sequence[Difference]) -> None:
    """Raise ProjectError where a quote in question was changed or removed since the queue was read."""
    marks = [mark for one in chosen for mark in one.group.marks]
    try:
        now = find_annotations(project, [mark.uuid for mark in marks])
    except UnknownNameError:
        now = []
    if [one.finding for one in now] != [mark.finding for mark in marks]:
        raise ProjectError("A quote in question was changed since the queue was read; read the queue again.")


def _findings(
    project: Project, one: Difference, resolution: Resolution, *, first: bool
) -> tuple[Finding, ...]:
    """What holds on a difference; edited spans, given once for several, hold with the `first` of them."""
    choice = resolution.choice
    if choice not in choices_for(one):
        offered = ", ".join(choices_for(one))
        raise CallError(f"{one.id} cannot be decided as {choice} ({one.kind}); choose one of {offered}.")
    report = document(project, one.document)
    if choice != "edited":
        return outcome(one, choice, report.document.text)
    found = []
    for span in resolution.spans if first else ():
        require_field(project, span.category, span.field)
        like = Finding(span.category, "", None, None, span.field, span.polarity)
        found.append(exact_finding(report, span.start, span.end, like))
    return tuple(found)


def _named(queue: Queue, choice: Choice) -> str:
    names: dict[Choice, str] = {"left": f"for {queue.left.name}", "right": f"for {queue.right.name}"}
    return {**names, "ask": "to ask again"}.get(choice, choice)
