"""Two annotators' sets of a project, report by report, as far as both have looked."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from app.agreement.likeness.pairs import paper_token_set_ratios
from app.messages import nothing_to_compare
from app.operations.compare.annotation_sets import quotes_by_report
from app.reconcile.alignment import differences
from app.reconcile.queue import ComparedReport
from app.reconcile.types import SideQuote
from app.store.annotate.annotators import Annotator, annotator
from app.store.reports.documents import DocumentSummary, document_summaries
from app.store.unite.versions import other_sets
from extractors.model.errors import ProjectError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.project import Project

# Reports that are compared between two steps.
_AT_ONCE = 20
Cells = dict[str, tuple[SideQuote, ...]]
_Read: TypeAlias = "tuple[DocumentSummary, Cells, Cells]"


@dataclass(frozen=True, slots=True)
class Sides:
    """Two annotators over the reports that both looked at, in import order.

    `only_left` and `only_right` count the reports that one of them alone looked at.
    """

    left: Annotator
    right: Annotator
    reports: tuple[ComparedReport, ...]
    only_left: int
    only_right: int


def reading_sides(
    project: Project, left: str, right: str, *, scored: bool = True
) -> Generator[Progress, None, Sides]:
    """Both annotators' quotes and where they differ, with how far if `scored`, which takes half of the time;
    what changes meanwhile may be in it or not.

    Raises UnknownNameError for an annotator that is not there, ProjectError where both looked at no report.
    """
    ours, theirs = annotator(project, left), annotator(project, right)
    sides = (ours.uuid, theirs.uuid)
    copies = [one.copy[0] for one in other_sets(project) if {one.holder[0], one.copy[0]} == {*sides}]
    summaries = {one.uuid: one for one in document_summaries(project)}
    reports: list[ComparedReport] = []
    alone, waiting = [0, 0], list[_Read]()
    for step, document, found in quotes_by_report(project, sides, SideQuote):
        here = [found.get(side) for side in sides]
        if here[0] is not None and here[1] is not None:
            waiting.append((summaries[document], here[0], here[1]))
        else:
            alone = [count + (side is not None) for count, side in zip(alone, here, strict=True)]
        if len(waiting) == _AT_ONCE or step.done == step.total:
            reports += _compared(waiting, sides, copies, scored)
            waiting = []
        yield step
    if not reports:
        raise ProjectError(nothing_to_compare(left, right))
    return Sides(ours, theirs, tuple(reports), *alone)


def shared_cells(
    sides: tuple[str, str], ours: Cells, theirs: Cells, copies: Collection[str]
) -> tuple[Cells, Cells]:
    """What two sides have in the categories that both looked at, or that one of the `copies` stands for: sets
    of the other side's versions."""
    told = {one for side, cells in zip(sides, (ours, theirs), strict=True) if side in copies for one in cells}
    looked_at = [one for one in {**ours, **theirs} if one in told or (one in ours and one in theirs)]
    left, right = ({one: side.get(one, ()) for one in looked_at} for side in (ours, theirs))
    return left, right


def _compared(
    both: Sequence[_Read], sides: tuple[str, str], copies: Collection[str], scored: bool
) -> tuple[ComparedReport, ...]:
    shared = [(report, *shared_cells(sides, ours, theirs, copies)) for report, ours, theirs in both]
    scores = iter(
        paper_token_set_ratios(
            [_quotes(marks) for _, ours, _ in shared for marks in ours.values()],
            [_quotes(marks) for _, _, theirs in shared for marks in theirs.values()],
        )
        if scored
        else ()
    )
    compared = []
    for report, ours, theirs in shared:
        left, right = ([mark for marks in side.values() for mark in marks] for side in (ours, theirs))
        agreed, differing = differences(report.key, report.uuid, sides, left, right)
        tsr = {category: next(scores) for category in ours} if scored else {}
        compared.append(
            ComparedReport(
                report.key, report.uuid, report.title, tsr, ours, theirs, tuple(agreed), tuple(differing)
            )
        )
    return tuple(compared)


def _quotes(marks: Sequence[SideQuote]) -> list[str]:
    return [mark.finding.quote for mark in marks]


def side_cells(project: Project, holder: str, document: str | None = None) -> dict[str, Cells]:
    """An annotator's (UUID) marks by document (UUID) and category; all documents, or one."""
    read = quotes_by_report(project, (holder,), SideQuote, document)
    return {report: found[holder] for _, report, found in read if holder in found}
