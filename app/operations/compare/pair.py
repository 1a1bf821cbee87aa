"""Two annotators' sets of a project, report by report, as far as both have looked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.agreement.tsr import paper_token_set_ratios
from app.operations.compare.annotation_sets import nothing_shared
from app.reconcile.differences import differences
from app.reconcile.queue import ComparedReport
from app.reconcile.types import Mark
from app.store.annotations import read_annotations
from app.store.annotators import annotator
from app.store.documents import document_summaries
from app.store.golds import undecided_cells
from app.store.reviews import reviews
from extractors.model.progress import Progress, finished

if TYPE_CHECKING:
    from app.store.annotators import Annotator
    from app.store.documents import DocumentSummary
    from app.store.project import Project
    from app.store.reviews import Review

# Reports that are read or compared between two steps.
_AT_ONCE = 10
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
    with project.snapshot():
        return finished(reading_sides(project, left, right))


def reading_sides(project: Project, left: str, right: str) -> Generator[Progress, None, Sides]:
    """`read_sides`, some reports at a time: what changes meanwhile may be in it or not."""
    ours, theirs = annotator(project, left), annotator(project, right)
    summaries = document_summaries(project)
    undecided = undecided_cells(project)
    looked = [{one.document: one for one in reviews(project, holder.uuid)} for holder in (ours, theirs)]
    cells: tuple[dict[str, Cells], dict[str, Cells]] = ({}, {})
    for first in range(0, len(summaries), _AT_ONCE):
        some = summaries[first : first + _AT_ONCE]
        for report in some:
            for holder, found, known in zip((ours, theirs), cells, looked, strict=True):
                review = [known[report.uuid]] if report.uuid in known else []
                found |= _cells(project, holder.uuid, report.uuid, review, undecided)
        yield Progress(first + len(some), 2 * len(summaries), "reading both sides")
    left_cells, right_cells = cells
    both = [report for report in summaries if report.uuid in left_cells and report.uuid in right_cells]
    if not both:
        raise nothing_shared(left, right)
    reports: list[ComparedReport] = []
    for first in range(0, len(both), _AT_ONCE):
        reports += _compared(
            both[first : first + _AT_ONCE], (ours.uuid, theirs.uuid), left_cells, right_cells
        )
        yield Progress(len(both) + len(reports), 2 * len(both), "comparing")
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


def _quotes(marks: Sequence[Mark]) -> list[str]:
    return [mark.finding.quote for mark in marks]


def side_cells(project: Project, holder: str, document: str | None = None) -> dict[str, Cells]:
    """What an annotator (UUID) has by document (UUID) and category in scheme order; looked at in vain is ().

    All documents, or one.     A category of a gold set in which something is undecided is left out.
    """
    looked = [one for one in reviews(project, holder) if document in (None, one.document)]
    return _cells(project, holder, document, looked, undecided_cells(project))


def _cells(
    project: Project,
    holder: str,
    document: str | None,
    looked: Sequence[Review],
    undecided: frozenset[tuple[str, str, str]],
) -> dict[str, Cells]:
    found: dict[str, dict[str, list[Mark]]] = defaultdict(lambda: defaultdict(list))
    for review in looked:
        for category in review.looked_at:
            found[review.document][category] = []
    for annotation in read_annotations(project, document, holder):
        category = annotation.finding.category
        if (annotation.document, holder, category) not in undecided:
            mark = Mark(annotation.uuid, annotation.finding, annotation.places)
            found[annotation.document][category].append(mark)
    order = project.scheme.ids
    return {
        document: {category: tuple(cells[category]) for category in order if category in cells}
        for document, cells in found.items()
    }
