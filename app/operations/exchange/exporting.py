"""Write an annotator's work to a file for others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.caveats import remarks
from app.operations.project.opening import opened
from app.operations.project.output import require_writable_name
from app.operations.reconcile.gold import gold_remarks
from app.text import counted
from extractors.model.errors import ProjectError
from extractors.model.finding import PLACED

if TYPE_CHECKING:
    from app.formats.record import ReportExport
    from app.operations.reconcile.gold import GoldSummary
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """What was written and what was not.

    `not_looked_at` reports were left out, `unplaced` annotations have no place in their text, and `notes` say
    what the format cannot carry and what must be known of the annotator. `undecided` differences left nothing
    in a gold set that was built here; None for others.
    """

    out: Path
    reports: int
    not_looked_at: int
    annotations: int
    unplaced: int
    notes: tuple[str, ...]
    undecided: int | None = None


def export_annotations(where: Project | Path, out: Path, file_format: str, annotator: str) -> ExportSummary:
    """Write one annotator's annotations of every report to `out`; a report not looked at is not written.

    Raises UnknownNameError for an annotator or format that is not there, StorageError where `out` is
    refused, ProjectError where a database stands there.
    """
    from app.formats import WRITE_FORMATS, format_of, write
    from app.store.documents import document_summaries

    if file_format not in WRITE_FORMATS or not format_of(file_format).folder:
        require_writable_name(out)
    with opened(where) as project:
        reports = _exports(project, annotator)
        not_looked_at = len(document_summaries(project)) - len(reports)
        said = remarks(project, annotator)
        gold, trouble = _gold(project, annotator)
    said = (*said, *trouble)
    if gold is not None:
        said = (*said, *gold_remarks(gold), *_behind(gold))
    notes = (*said, *write(out, file_format, reports))
    annotations = [annotation for report in reports for annotation in report.annotations]
    unplaced = sum(annotation.finding.grounding not in PLACED for annotation in annotations)
    undecided = None if gold is None else gold.undecided
    return ExportSummary(out, len(reports), not_looked_at, len(annotations), unplaced, notes, undecided)


def _gold(project: Project, annotator: str) -> tuple[GoldSummary | None, tuple[str, ...]]:
    """How a set that was built stands to its sides; where they can no longer be compared, why."""
    from app.operations.reconcile.gold import gold_summary

    try:
        return gold_summary(project, annotator), ()
    except ProjectError as error:
        return None, (f"It is not known how much of {annotator} is undecided: {error}",)


def _behind(gold: GoldSummary) -> list[str]:
    if not (gold.added or gold.removed):
        return []
    return [
        f"{gold.name} no longer follows from its sides and the decisions ({gold.added:,} quotes would come, "
        f"{gold.removed:,} go): build it anew."
    ]


def _exports(project: Project, name: str) -> list[ReportExport]:
    """What one annotator has on each report, by category in scheme order and rank.

    A category in which a gold set is not complete does not count as looked at, though it may have quotes.
    """
    from app.formats.record import ExportedAnnotation, ReportExport
    from app.operations.compare.annotation_sets import annotation_sets
    from app.store.annotators import annotator
    from app.store.documents import documents
    from app.store.golds import undecided_cells

    holder = annotator(project, name).uuid
    incomplete = undecided_cells(project)
    sets = annotation_sets(project, (holder,), undecided=True)[holder]
    return [
        ReportExport(
            report.document,
            report.key,
            tuple(
                ExportedAnnotation(one.finding, one.origin, name, one.source)
                for found in sets[report.uuid].values()
                for one in found
            ),
            tuple(one for one in sets[report.uuid] if (report.uuid, holder, one) not in incomplete),
        )
        for report in documents(project)
        if report.uuid in sets
    ]


def describe_export(summary: ExportSummary, annotator: str) -> list[str]:
    """What was written of an annotator (name), then what was not and what must be known of it."""
    annotations, reports = counted(summary.annotations, "annotation"), counted(summary.reports, "report")
    said = [f"{annotations} of {reports} written to {summary.out}."]
    if summary.unplaced:
        said.append(f"{summary.unplaced} of them have no place in their report; they are written without one")
    if summary.not_looked_at:
        left = counted(summary.not_looked_at, "report")
        said.append(f"{left} not written: {annotator} has not annotated them")
    return [*said, *summary.notes]
