"""The whole main job on the bundled sample reports."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.compare.agreement import measure_agreement
from app.operations.compare.files import reporting_agreement
from app.operations.demo.case import CaseSummary, add_case
from app.operations.demo.sample import FIRST, SECOND, build_sample
from app.operations.exchange.exporting import ExportSummary, export_annotations
from app.operations.exchange.importing import GOLD
from app.operations.extract.options import ModelSummary
from app.operations.extract.rules import RULES
from app.operations.project.files import check_project
from app.operations.project.opening import opened
from app.operations.reconcile.queue import read_queue
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.agreement import Agreement


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
    differences: int
    far_apart: int
    exported: ExportSummary
    case: CaseSummary
    problems: int


def run_demo(folder: Path) -> Generator[Progress, None, DemoSummary]:
    """Import the samples and both annotators, extract, compare, list the queue, export gold, and check.

    Beside the rules a model run is shown; its replies were written by hand, and its name says so.

    An earlier demonstration in `folder` is left as it is: the files of this one get the next free number.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = next(name for name in _names() if not (folder / f"{name}.casespan").exists())
    sample = yield from build_sample(folder / f"{stem}.casespan")
    project = sample.project
    yield Progress(0, 0, "comparing")
    between = measure_agreement(project, FIRST, SECOND, "paper")
    against_gold = measure_agreement(project, RULES, GOLD, "paper")
    report = folder / f"{stem}-agreement.html"
    with opened(project) as sampled:
        yield from reporting_agreement(sampled, FIRST, SECOND, report)
    queue = read_queue(project, FIRST, SECOND)
    gold = folder / f"{stem}-gold.jsonl"
    exported = export_annotations(project, gold, "jsonl", GOLD)
    case = yield from add_case(project)
    return DemoSummary(
        project=project,
        report=report,
        gold=gold,
        documents=sample.documents,
        rules_findings=sample.rules_findings,
        replayed=sample.replayed,
        between_annotators=between,
        rules_against_gold=against_gold,
        differences=len(queue.differences),
        far_apart=sum(item.kind == "pair" for item in queue.items),
        exported=exported,
        case=case,
        problems=len(check_project(project)),
    )


def _names() -> Generator[str, None, None]:
    yield "demo"
    yield from (f"demo-{number}" for number in count(2))
