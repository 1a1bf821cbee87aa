"""The whole main job on the bundled sample reports, and the invented case with drawn pictures."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.compare.agreement import measure_agreement, reporting_agreement
from app.operations.demo.sample import FIRST, SECOND, build_sample
from app.operations.exchange.exporting import ExportSummary, export_annotations
from app.operations.exchange.importing import GOLD
from app.operations.extract.options import ModelSummary, RunOptions
from app.operations.extract.rules import RULES
from app.operations.project.files import check_project
from app.operations.project.opening import opened
from app.operations.reconcile.queue import read_queue
from app.operations.study.building import build_items
from app.operations.study.judging import judge_answers
from app.operations.study.running import StudyOptions, run_with_replies
from app.studies import study_named
from app.studies.study import Study
from extractors.assets import asset
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.agreement.types import Agreement

STUDY, JUDGE = "mmrarebench", "invented-judge"
# Names by which nobody takes them for a model's.
_RUNS = (
    ("invented replies, pictures", "pictures", "invented-model.jsonl"),
    ("invented replies, no pictures", "none", "invented-model-blind.jsonl"),
)


@dataclass(frozen=True, slots=True)
class CaseSummary:
    """How many items the case makes, and what its runs are called."""

    items: int
    runs: tuple[str, ...]


def add_case(project_file: Path) -> Generator[Progress, None, CaseSummary]:
    """Build the items of the invented case, play its replies and its judge's. Raises what these raise."""
    study = study_named(STUDY)
    with opened(project_file, write=True) as project:
        source = _file("items.jsonl")
        unsaid = {one.key: one.default for one in study.options_of("build")}
        built = yield from build_items(project, study, [source], unsaid, 1)
        for name, arm, file in _RUNS:
            yield from run_with_replies(project, study, _file(file), _options(study, name, arm))
        judged = StudyOptions({}, model=RunOptions(model=JUDGE))
        replies = _file(f"{JUDGE}.jsonl")
        yield from judge_answers(project, study, None, (), judged, replay=replies)
    return CaseSummary(built.items, tuple(name for name, _, _ in _RUNS))


def _options(study: Study, name: str, arm: str) -> StudyOptions:
    unsaid = {one.key: one.default for one in study.options_of("run")}
    return StudyOptions(unsaid, arm, name=name)


def _file(name: str) -> Path:
    return asset("resources", "demo", "case", name)


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
