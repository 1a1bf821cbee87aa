"""Two annotators' sets of a project, report by report, as far as both have looked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.agreement.tsr import paper_token_set_ratios
from app.messages import nothing_to_compare
from app.operations.annotation_sets import annotation_sets
from app.reconcile.differences import differences
from app.reconcile.queue import ComparedReport
from app.reconcile.types import Mark
from app.store.annotators import annotator
from app.store.documents import document_summaries
from extractors.model.errors import ProjectError

if TYPE_CHECKING:
    from app.store.annotations import Annotation
    from app.store.annotators import Annotator
    from app.store.documents import DocumentSummary
    from app.store.project import Project

Cells = dict[str, tuple[Mark, ...]]


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


def read_sides(project: Project, left: str, right: str) -> Sides:
    """Both annotators' quotes and where they differ.

    Raises UnknownNameError for an annotator that is not there, ProjectError where both looked at no report.
    """
    ours, theirs = annotator(project, left), annotator(project, right)
    left_cells, right_cells = side_cells(project, ours.uuid), side_cells(project, theirs.uuid)
    both = [
        report
        for report in document_summaries(project)
        if report.uuid in left_cells and report.uuid in right_cells
    ]
    if not both:
        raise ProjectError(nothing_to_compare(left, right))
    reports = _compared(both, (ours.uuid, theirs.uuid), left_cells, right_cells)
    return Sides(ours, theirs, reports, len(left_cells) - len(both), len(right_cells) - len(both))


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


def _quotes(marks: Sequence[Mark]) -> list[str]:
    return [mark.finding.quote for mark in marks]


def side_cells(project: Project, holder: str, document: str | None = None) -> dict[str, Cells]:
    """An annotator's (UUID) marks by document (UUID) and category; all documents, or one."""
    found = annotation_sets(project, (holder,), document)[holder]
    return {
        document: {category: tuple(map(_mark, given)) for category, given in categories.items()}
        for document, categories in found.items()
    }


def _mark(annotation: Annotation) -> Mark:
    return Mark(annotation.uuid, annotation.finding, annotation.places)
