"""Let an extractor annotate the reports of a project."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app import __version__
from app.operations.project.opening import opened
from app.store.act import Act, begin_act
from app.store.values import canonical
from app.text import counted
from extractors.model.errors import UnknownNameError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.store.project import Project
    from app.store.reports.documents import StoredDocument
    from extractors.rules import RulesExtractor

RULES = "rules"


@dataclass(slots=True)
class ExtractionSummary:
    """What a run did: findings by report key, how many reports came out as before, what it could not do."""

    annotator: str
    version: str
    findings: dict[str, int] = field(default_factory=dict)
    unchanged: int = 0
    notes: tuple[str, ...] = ()


def extract_with_rules(
    where: Project | Path, documents: Sequence[str] = (), categories: Sequence[str] = ()
) -> Generator[Progress, None, ExtractionSummary]:
    """Run the built-in rules over the reports (all, or those of the given keys) in one act.

    Findings replace what the rules found before in the categories asked for (all by default); a report
    that comes out the same is left alone. Raises UnknownNameError for a report or category that is not there.
    """
    from app.store.annotate.annotators import ensure_annotator
    from app.store.extract.runs import finish_run, start_run
    from app.store.reports.documents import document
    from app.store.reports.documents import documents as all_documents
    from extractors.rules import RulesExtractor

    with opened(where, write=True) as project:
        asked = tuple(project.scheme.category(category).id for category in categories) or project.scheme.ids
        reports = [document(project, key) for key in documents] if documents else all_documents(project)
        extractor = RulesExtractor(project.scheme)
        wanted = [category for category in asked if category in extractor.categories]
        unknown = [category for category in asked if category not in extractor.categories]
        if not wanted:
            raise UnknownNameError(f"The rules know nothing of {', '.join(unknown)}; nothing was extracted.")
        notes = (f"The rules know nothing of {', '.join(unknown)}; left as it was.",) if unknown else ()
        summary = ExtractionSummary(RULES, extractor.version, notes=(*extractor.notes, *notes))
        with begin_act(project, "extract with rules", RULES) as act:
            settings = {"version": extractor.version, "categories": wanted}
            holder = ensure_annotator(act, RULES, "run", canonical(settings)).uuid
            run = start_run(act, holder, "rules", RULES, settings, __version__)
            for done, report in enumerate(reports, start=1):
                _extract_one(act, extractor, report, holder, wanted, summary)
                yield Progress(done, len(reports), report.key)
            finish_run(act, run.uuid, "done")
        return summary


def _extract_one(
    act: Act,
    extractor: RulesExtractor,
    report: StoredDocument,
    holder: str,
    wanted: Sequence[str],
    summary: ExtractionSummary,
) -> None:
    """Put a report's findings in the place of the earlier ones, where they differ."""
    from app.store.annotate.annotations import add_annotations, delete_annotations, read_annotations
    from app.store.annotate.reviews import review_of, set_review

    before = [annotation.finding for annotation in read_annotations(act.project, report.uuid, holder)]
    kept = [finding for finding in before if finding.category not in wanted]
    found = [finding for finding in extractor.extract(report.document) if finding.category in wanted]
    order = {category: number for number, category in enumerate(act.project.scheme.ids)}
    after = sorted([*kept, *found], key=lambda finding: order[finding.category])
    summary.findings[report.key] = len(found)
    review = review_of(act.project, report.uuid, holder)
    if before == after and set(wanted) <= set(review.looked_at):
        summary.unchanged += 1
    else:
        delete_annotations(act, report.uuid, holder)
        add_annotations(act, report.uuid, holder, after, "model")
    looked_at = {*wanted, *review.looked_at}
    silent = looked_at - {finding.category for finding in after}
    set_review(act, report.uuid, holder, state="done", looked_at=looked_at, nothing_found=silent)


def describe_rules_run(summary: ExtractionSummary) -> list[str]:
    """What the rules found, first how much, then what must be known of it."""
    total = sum(summary.findings.values())
    reports = counted(len(summary.findings), "report")
    parts = [f"{summary.annotator}: {counted(total, 'finding')} in {reports}."]
    if summary.unchanged:
        parts.append(f"{counted(summary.unchanged, 'report')} came out as before")
    return [*parts, *summary.notes]
