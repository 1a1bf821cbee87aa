"""Compare two annotators of a project: agreement, and the queue of what needs reconciling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.opening import opened
from app.operations.output import require_writable_name
from app.operations.remarks import remarks
from extractors.errors import ProjectError

if TYPE_CHECKING:
    from app.agreement import Agreement, Item, Profile, ReportPair
    from app.reconcile.queue import QueueItem
    from app.store.project import Project


def measure_agreement(
    where: Project | Path, left: str, right: str, profile: Profile, documents: Sequence[str] = ()
) -> Agreement:
    """Agreement of two annotators over the reports (all, or those of the given keys) that both looked at.

    Raises UnknownNameError for an annotator that is not there, ProjectError where both looked at no report.
    """
    from app.agreement import compare

    with opened(where) as project:
        pairs = _pairs(project, left, right)
        if documents:
            pairs = [pair for pair in pairs if pair.key in documents]
        agreement = compare(pairs, project.scheme.ids, left, right, profile)
        return replace(agreement, remarks=_remarks(project, left, right))


def agreement_table(agreement: Agreement) -> str:
    """The agreement as an aligned table for a terminal, with the reasons of what is undefined."""
    from app.agreement import to_table

    return to_table(agreement)


def agreement_json(agreement: Agreement) -> dict[str, object]:
    """The agreement as plain values, as `casespan agree --json` promises them."""
    from app.agreement import to_json

    return to_json(agreement)


def report_agreement(where: Project | Path, left: str, right: str, out: Path) -> None:
    """Write a self-contained HTML report on both profiles to `out`; raises as `measure_agreement`."""
    from app.agreement import PROFILES, compare, to_html
    from app.formats.writing import write_atomically

    require_writable_name(out)
    with opened(where) as project:
        pairs, categories = _pairs(project, left, right), project.scheme.categories
        said = _remarks(project, left, right)
    paper, strict = (
        replace(compare(pairs, [c.id for c in categories], left, right, profile), remarks=said)
        for profile in PROFILES
    )
    page = to_html(
        paper,
        strict,
        {category.id: category.name for category in categories},
        {category.id: category.colour_light for category in categories},
        {category.id: category.colour_dark for category in categories},
    )
    write_atomically(out, page)


def tabulate_agreement(where: Project | Path, left: str, right: str, profile: Profile, out: Path) -> None:
    """Write one profile's table as CSV to `out`; raises the same as `measure_agreement`."""
    from app.agreement import to_csv
    from app.formats.writing import write_atomically

    require_writable_name(out)
    write_atomically(out, to_csv(measure_agreement(where, left, right, profile)))


def list_queue(
    where: Project | Path, left: str, right: str, below: float | None = None
) -> tuple[list[QueueItem], tuple[str, ...]]:
    """The report-category pairs whose token set ratio is under `below` (30 for None), the worst first.

    Beside them what must be said of the two annotators. Raises the same as `measure_agreement`.
    """
    from app.reconcile.queue import BELOW, QueueItem, build_queue

    agreement = measure_agreement(where, left, right, "paper")
    items = build_queue(
        [
            QueueItem(
                cell.key,
                cell.title,
                cell.category,
                cell.scores["tsr"] or 0.0,
                tuple(item.quote for item in cell.left),
                tuple(item.quote for item in cell.right),
            )
            for cell in agreement.cells
        ],
        BELOW if below is None else below,
    )
    return items, agreement.remarks


def _remarks(project: Project, left: str, right: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*remarks(project, left), *remarks(project, right))))


def _pairs(project: Project, left: str, right: str) -> list[ReportPair]:
    """Both annotators' items of every report that both have looked at."""
    from app.agreement import ReportPair
    from app.store.documents import document_summaries

    left_cells, right_cells = _cells(project, left), _cells(project, right)
    pairs = [
        ReportPair(report.key, report.title, left_cells[report.uuid], right_cells[report.uuid])
        for report in document_summaries(project)
        if report.uuid in left_cells and report.uuid in right_cells
    ]
    if not pairs:
        raise ProjectError(
            f"No report was looked at by both {left} and {right}; there is nothing to compare."
        )
    return pairs


def _cells(project: Project, name: str) -> dict[str, dict[str, tuple[Item, ...]]]:
    """One annotator's items by document UUID and category; looked at in vain is an empty tuple."""
    from app.agreement import Item
    from app.store.annotations import read_annotations
    from app.store.annotators import annotator
    from app.store.reviews import reviews

    holder = annotator(project, name).uuid
    items: dict[str, dict[str, list[Item]]] = defaultdict(lambda: defaultdict(list))
    for review in reviews(project):
        if review.annotator == holder:
            for category in review.looked_at:
                items[review.document][category] = []
    for annotation in read_annotations(project, annotator=holder):
        finding = annotation.finding
        item = Item(finding.quote, finding.start, finding.end, finding.polarity, finding.field)
        items[annotation.document][finding.category].append(item)
    return {
        document: {category: tuple(found) for category, found in cells.items()}
        for document, cells in items.items()
    }
