"""What a project holds as plain rows, for notebooks: reports, quotes, runs and decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from app.operations.compare.annotation_sets import annotations_by_report
from app.operations.extract.runs import calls_of
from app.operations.project.files import list_project
from app.store.annotate.annotators import annotator, annotators
from app.store.project import Project
from app.store.reconcile.decisions import decisions
from app.store.reports.documents import document_summaries, documents

Row: TypeAlias = dict[str, Any]
REPORT = (
    *("report", "title", "text", "characters", "sections", "source"),
    *("pmcid", "pmid", "doi", "journal", "date", "licence", "added_at", "id"),
)
QUOTE = (
    *("report", "annotator", "kind", "category", "field", "quote", "start", "end", "polarity", "grounding"),
    *("origin", "concepts", "note", "created_at", "id"),
)
RUN = (
    *("annotator", "kind", "name", "state", "started_at", "finished_at", "software"),
    *("calls", "calls_done", "held", "settings", "id"),
)
DECISION = (
    *("report", "category", "kind", "left", "right", "choice", "quotes", "reason", "note", "clause"),
    *("confidence", "decided_by", "decided_at", "seconds", "difference", "latest", "id"),
)


def report_rows(project: Project) -> Iterator[Row]:
    """A row of REPORT for each report, in the order of their import."""
    for one in documents(project):
        about: Mapping[str, str] = {**one.document.metadata, **one.document.identifiers}
        yield {
            **{name: about.get(name, "") for name in ("pmcid", "pmid", "doi", "journal", "date", "licence")},
            "report": one.key,
            "title": one.document.title,
            "text": one.document.text,
            "characters": len(one.document.text),
            "sections": len(one.document.sections),
            "source": one.source,
            "added_at": one.added_at,
            "id": one.uuid,
        }


def quote_rows(project: Project, name: str | None = None) -> Iterator[Row]:
    """A row of QUOTE for each quote of each annotator, or that of a name, report by report, by category.

    Raises UnknownNameError for an annotator that is not there.
    """
    with project.snapshot():
        holders = annotators(project) if name is None else [annotator(project, name)]
        read = annotations_by_report(project, [one.uuid for one in holders], undecided=True)
        sets = {report: found for _, report, found in read}
        reports = document_summaries(project)
    for report in reports:
        for holder in holders:
            for annotation in (
                one for some in sets[report.uuid].get(holder.uuid, {}).values() for one in some
            ):
                finding = annotation.finding
                yield {
                    "report": report.key,
                    "annotator": holder.name,
                    "kind": holder.kind,
                    **{name: getattr(finding, name) for name in finding.__dataclass_fields__},
                    "origin": annotation.origin,
                    "concepts": " ".join(coding.code for coding in annotation.concepts),
                    "note": annotation.note,
                    "created_at": annotation.created_at,
                    "id": annotation.uuid,
                }


def run_rows(project: Project) -> Iterator[Row]:
    """A row of RUN for each run, the earliest first."""
    with project.snapshot():
        overview = list_project(project)
        name_of = {one.uuid: one.name for one in annotators(project, every=True)}
    for run in overview.runs:
        calls = calls_of(run, overview.calls)
        yield {
            "annotator": name_of[run.annotator],
            "kind": run.kind,
            "name": run.name,
            "state": run.state,
            "started_at": run.started_at,
            "finished_at": run.finished_at,
            "software": run.software,
            "calls": sum(calls.values()),
            "calls_done": calls.get("done", 0),
            "held": sum(n for (_, by), n in overview.annotations.items() if by == run.annotator),
            "settings": dict(run.settings),
            "id": run.uuid,
        }


def decision_rows(project: Project) -> Iterator[Row]:
    """A row of DECISION for each decision in the order taken; the latest on a difference holds."""
    with project.snapshot():
        taken = decisions(project)
        name_of = {one.uuid: one.name for one in annotators(project, every=True)}
        key_of = {one.uuid: one.key for one in document_summaries(project)}
    last = {(one.document, one.difference): one.uuid for one in taken}
    for one in taken:
        yield {
            "report": key_of[one.document],
            "category": one.category,
            "kind": one.kind,
            "left": name_of[one.left],
            "right": name_of[one.right],
            "choice": one.choice,
            "quotes": [finding.quote for finding in one.findings],
            "reason": one.reason_code,
            "note": one.note,
            "clause": one.clause,
            "confidence": one.confidence,
            "decided_by": one.decided_by,
            "decided_at": one.decided_at,
            "seconds": one.seconds,
            "difference": one.difference,
            "latest": last[one.document, one.difference] == one.uuid,
            "id": one.uuid,
        }
