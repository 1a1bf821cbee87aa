"""The whole main job on the bundled sample reports."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.comparing import list_queue, measure_agreement, report_agreement
from app.operations.exporting import ExportSummary, export_annotations
from app.operations.extraction import RULES, extract_with_rules
from app.operations.importing import GOLD, ImportOptions, import_reports
from app.operations.model_extraction import extract_with_model
from app.operations.model_options import ModelOptions, ModelSummary
from app.operations.models import replay
from app.operations.projects import check_project, create_project
from extractors.assets import asset
from extractors.progress import Progress

if TYPE_CHECKING:
    from app.agreement import Agreement

FIRST, SECOND = "annotator-1", "annotator-2"


@dataclass(frozen=True, slots=True)
class DemoSummary:
    """What the demonstration made, and what it found."""

    project: Path
    report: Path
    gold: Path
    documents: int
    rules_findings: int
    replayed: ModelSummary
    between_annotators: Agreement
    rules_against_gold: Agreement
    queue: int
    exported: ExportSummary
    problems: int


def run_demo(folder: Path) -> Generator[Progress, None, DemoSummary]:
    """Import the samples and both annotators, extract, compare, list the queue, export gold, and check.

    Beside the rules a model run is shown; its replies were written by hand, and its name says so.

    An earlier demonstration in `folder` is left as it is: the files of this one get the next free number.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = next(name for name in _names() if not (folder / f"{name}.casespan").exists())
    project = create_project(folder / f"{stem}.casespan")
    imported = yield from import_reports(project, [asset("resources", "demo", "reports")])
    for annotator in (FIRST, SECOND, GOLD):
        source = asset("resources", "demo", "annotations", f"{annotator}.json")
        yield from import_reports(project, [source], ImportOptions("crb", annotator))
    extracted = yield from extract_with_rules(project)
    client, recording = replay(asset("resources", "demo", "replies.jsonl"))
    wanted = ModelOptions(recording.model, recording.strategy, recording.prompting)
    replayed = yield from extract_with_model(project, client, wanted)
    yield Progress(0, 0, "comparing")
    between = measure_agreement(project, FIRST, SECOND, "paper")
    against_gold = measure_agreement(project, RULES, GOLD, "paper")
    report = folder / f"{stem}-agreement.html"
    report_agreement(project, FIRST, SECOND, report)
    queue, _ = list_queue(project, FIRST, SECOND)
    gold = folder / f"{stem}-gold.jsonl"
    exported = export_annotations(project, gold, "jsonl", GOLD)
    return DemoSummary(
        project=project,
        report=report,
        gold=gold,
        documents=len(imported.added),
        rules_findings=sum(extracted.findings.values()),
        replayed=replayed,
        between_annotators=between,
        rules_against_gold=against_gold,
        queue=len(queue),
        exported=exported,
        problems=len(check_project(project)),
    )


def _names() -> Generator[str, None, None]:
    yield "demo"
    yield from (f"demo-{number}" for number in count(2))
