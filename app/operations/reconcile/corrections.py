"""How what an annotator had was decided wherever it differed from somebody else's."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.messages import no_such
from app.operations.project.opening import opened
from app.operations.reconcile.queue import Queue, reading_queue
from app.reconcile.types import Difference, finding_content
from app.store.annotate.annotators import annotators
from app.store.reconcile.decisions import Decision, decisions
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.progress import Progress, at_once, stage

if TYPE_CHECKING:
    from app.store.project import Project
    from extractors.model.finding import Finding


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
