"""Decisions on differences of a queue: what they come to, and putting them on record in one act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.messages import no_such
from app.operations.annotate.edits import exact_finding
from app.operations.project.sets import name_reports, require_field, require_person, who
from app.operations.reconcile.queue import Queue, list_alike
from app.reconcile.gold import CHOICES, REASONS, Choice, choices_for, outcome
from app.store.act import Act, begin_act
from app.store.annotate.annotations import find_annotations
from app.store.reconcile.decisions import Decision, add_decision
from app.store.reports.documents import document
from app.text import counted
from extractors.model.errors import CallError, ProjectError, UnknownNameError
from extractors.model.finding import Finding, Polarity

if TYPE_CHECKING:
    from app.reconcile.queue import Likeness
    from app.reconcile.types import Difference
    from app.store.project import Project

_LONGEST = 10_000_000


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


def decide(
    project: Project, by: str, queue: Queue, names: Sequence[str], resolution: Resolution
) -> tuple[Decision, ...]:
    """Decide on differences of the queue (ids), or all undecided ones of a pair; as `decide_all`."""
    return decide_all(project, by, queue, [(names, resolution)])


def decide_all(
    project: Project, by: str, queue: Queue, orders: Sequence[tuple[Sequence[str], Resolution]]
) -> tuple[Decision, ...]:
    """Decide on differences and pairs of the queue (ids, with what is decided on them) in one act of `by`.

    A pair stands for those of its differences that are undecided and not named by themselves. The sides stay
    as they are. A later decision on the same difference replaces an earlier one, which stays on record.
    Edited spans hold for all the differences of their order together. Raises UnknownNameError for what is not
    in the queue, CallError for a choice, reason or confidence that makes no sense there, ProjectError where a
    side says something else by now; then nothing was changed.
    """
    require_person(by)
    taken = _plan(project, queue, orders)
    if not taken:
        return ()
    with begin_act(project, _title(queue, taken), who(project, by)) as act:
        return tuple(_record(act, queue, by, one) for one in taken)


def preview_decisions(
    project: Project, queue: Queue, orders: Sequence[tuple[Sequence[str], Resolution]]
) -> tuple[Difference, ...]:
    """What `decide_all` would decide on; raises what it raises, and changes nothing."""
    return tuple(one.difference for one in _plan(project, queue, orders))


def _plan(project: Project, queue: Queue, orders: Sequence[tuple[Sequence[str], Resolution]]) -> list[_Taken]:
    taken: list[_Taken] = []
    for resolution, chosen in choose(queue, orders):
        _require_sense(resolution, chosen)
        _require_unchanged(project, chosen)
        taken += [
            _Taken(one, resolution, _findings(project, one, resolution, first=place == 0), len(chosen))
            for place, one in enumerate(chosen)
        ]
    return taken


@dataclass(frozen=True, slots=True)
class _Taken:
    """A difference on its way to a decision; `shared` is how many were decided on at once."""

    difference: Difference
    resolution: Resolution
    findings: tuple[Finding, ...]
    shared: int


def _record(act: Act, queue: Queue, by: str, taken: _Taken) -> Decision:
    decided = drafted(queue, taken.difference, by, taken.resolution, taken.findings)
    seconds = None if decided.seconds is None else decided.seconds / taken.shared
    return add_decision(act, replace(decided, seconds=seconds))


def drafted(
    queue: Queue, difference: Difference, by: str, resolution: Resolution, findings: tuple[Finding, ...]
) -> Decision:
    """A decision that is not on record."""
    return Decision(
        document=difference.document,
        category=difference.category,
        left=queue.left.uuid,
        right=queue.right.uuid,
        choice=resolution.choice,
        findings=findings,
        reason_code=resolution.reason,
        note=resolution.note,
        clause=resolution.clause,
        confidence=resolution.confidence,
        difference=difference.id,
        kind=difference.kind,
        decided_by=by,
        seconds=resolution.seconds,
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


def _require_sense(resolution: Resolution, chosen: Sequence[Difference]) -> None:
    if resolution.reason and resolution.reason not in REASONS:
        raise CallError(no_such("reason", resolution.reason, REASONS))
    if resolution.confidence is not None and not 0 <= resolution.confidence <= 1:
        raise CallError(f"A confidence of {resolution.confidence} makes no sense; choose 0 to 1.")
    if resolution.choice == "edited" and not resolution.spans:
        raise CallError("An edited decision needs a span; if there is none, choose neither.")
    if resolution.seconds is not None and not 0 <= resolution.seconds < _LONGEST:
        raise CallError(f"{resolution.seconds} seconds make no sense for a decision.")
    if resolution.choice == "edited" and len({one.document for one in chosen}) > 1:
        raise CallError("An edited span has its place in one report; decide on the others by themselves.")
    if resolution.choice != "edited" and resolution.spans:
        raise CallError(f"A span goes with the choice edited, not with {resolution.choice}.")


def choose(
    queue: Queue, orders: Sequence[tuple[Sequence[str], Resolution]]
) -> list[tuple[Resolution, list[Difference]]]:
    """What each order of a call decides on, each difference once.

    Of pairs those that are undecided, unless an order names them by themselves or an earlier pair has them.
    Raises UnknownNameError for what is not in the queue, CallError where a difference is named twice.
    """
    named = Counter(name for names, _ in orders for name in names if name in queue.differences)
    twice = next((name for name, times in named.items() if times > 1), None)
    if twice is not None:
        raise CallError(f"{twice} is decided twice in one call; decide it once.")
    settled = set(named)
    chosen = []
    for names, resolution in orders:
        found = []
        for name in names:
            for one in queue.find(name):
                if name == one.id or (one.id not in settled and queue.state(one.id) != "decided"):
                    settled.add(one.id)
                    found.append(one)
        chosen.append((resolution, found))
    return chosen


def with_alike(
    project: Project,
    queue: Queue,
    orders: Sequence[tuple[Sequence[str], Resolution]],
    wherein: Sequence[Likeness],
) -> list[tuple[Sequence[str], Resolution]]:
    """The orders, and after each the undecided differences that are alike and can be decided the same way.

    What an order names, and what is alike to an earlier one, is left to that order. Raises CallError for an
    edited span, which has its place in one report only, and what `choose` raises.
    """
    taken = choose(queue, orders)
    settled = {one.id for _, chosen in taken for one in chosen}
    whole: list[tuple[Sequence[str], Resolution]] = []
    for (names, resolution), (_, chosen) in zip(orders, taken, strict=True):
        if resolution.choice == "edited":
            raise CallError(
                "An edited span has its place in one report; it cannot be decided on what is alike."
            )
        more = dict.fromkeys(
            other.difference.id
            for one in chosen
            for other in list_alike(project, queue, one.id)
            if other.likeness in wherein and resolution.choice in choices_for(other.difference)
        )
        new = [name for name in more if name not in settled]
        settled |= set(new)
        whole += [(names, resolution), (new, resolution)]
    return whole


def _require_unchanged(project: Project, chosen: Sequence[Difference]) -> None:
    """Raise ProjectError where a quote in question was changed or removed since the queue was read."""
    quotes = [quote for one in chosen for quote in one.group.quotes]
    try:
        now = find_annotations(project, [quote.uuid for quote in quotes])
    except UnknownNameError:
        now = []
    if [(one.finding, one.concepts) for one in now] != [(quote.finding, quote.concepts) for quote in quotes]:
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
