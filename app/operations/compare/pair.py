"""Two annotators' sets of a project, report by report, as far as both have looked."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.agreement.likeness.tsr import paper_token_set_ratios
from app.messages import nothing_to_compare
from app.operations.compare.annotation_sets import annotation_sets, reading_annotation_sets
from app.reconcile.differences import differences
from app.reconcile.queue import ComparedReport
from app.reconcile.types import SideQuote
from app.store.annotate.annotators import annotator
from app.store.reports.documents import document_summaries
from extractors.model.errors import ProjectError
from extractors.model.progress import Progress, stage

if TYPE_CHECKING:
    from app.operations.compare.annotation_sets import AnnotationSet
    from app.store.annotate.annotations import Annotation
    from app.store.annotate.annotators import Annotator
    from app.store.project import Project
    from app.store.reports.documents import DocumentSummary

# Reports that are compared between two steps.
_AT_ONCE = 10
Cells = dict[str, tuple[SideQuote, ...]]


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


def reading_sides(project: Project, left: str, right: str) -> Generator[Progress, None, Sides]:
    """Both annotators' quotes and where they differ; what changes meanwhile may be in it or not.

    Raises UnknownNameError for an annotator that is not there, ProjectError where both looked at no report.
    """
    ours, theirs = annotator(project, left), annotator(project, right)
    summaries = document_summaries(project)
    both_sides = reading_annotation_sets(project, (ours.uuid, theirs.uuid))
    found = yield from stage(both_sides, 0, 2, "reading both sides")
    left_cells, right_cells = _cells(found[ours.uuid]), _cells(found[theirs.uuid])
    both = [report for report in summaries if report.uuid in left_cells and report.uuid in right_cells]
    if not both:
        raise ProjectError(nothing_to_compare(left, right))
    reports: list[ComparedReport] = []
    for first in range(0, len(both), _AT_ONCE):
        reports += _compared(
            both[first : first + _AT_ONCE], (ours.uuid, theirs.uuid), left_cells, right_cells
        )
        yield Progress((len(both) + len(reports)) // 2, len(both), "comparing")
    return Sides(ours, theirs, tuple(reports), len(left_cells) - len(both), len(right_cells) - len(both))


def _compared(
    both: Sequence[DocumentSummary],
    sides: tuple[str, str],
    left_cells: Mapping[str, Cells],
    right_cells: Mapping[str, Cells],
) -> tuple[ComparedReport, ...]:
    shared: list[tuple[DocumentSummary, Cells, Cells]] = []
    for report in both:
        ours, theirs = left_cells[report.uuid], right_cells[report.uuid]
        looked_at = [category for category in ours if category in theirs]
        shared.append(
            (
                report,
                {category: ours[category] for category in looked_at},
                {category: theirs[category] for category in looked_at},
            )
        )
    scores = iter(
        paper_token_set_ratios(
            [_quotes(marks) for _, ours, _ in shared for marks in ours.values()],
            [_quotes(marks) for _, _, theirs in shared for marks in theirs.values()],
        )
    )
    compared = []
    for report, ours, theirs in shared:
        left, right = ([mark for marks in side.values() for mark in marks] for side in (ours, theirs))
        agreed, differing = differences(report.key, report.uuid, sides, left, right)
        tsr = {category: next(scores) for category in ours}
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
    return _cells(annotation_sets(project, (holder,), document)[holder])


def _cells(found: AnnotationSet) -> dict[str, Cells]:
    return {
        document: {category: tuple(map(_mark, given)) for category, given in categories.items()}
        for document, categories in found.items()
    }


def _mark(annotation: Annotation) -> SideQuote:
    return SideQuote(annotation.uuid, annotation.finding, annotation.places, annotation.concepts)
