"""The sample project, the invented case with drawn pictures, and the whole main job on them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from app.agreement.types import Agreement
from app.operations.compare.agreement import measure_agreement, reporting_agreement
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
from app.store.project import Project
from app.studies import study_named
from app.studies.study import Study
from extractors.assets import asset
from extractors.model.errors import ProjectError
from extractors.model.progress import Progress

FIRST, SECOND = "annotator-1", "annotator-2"


@dataclass(frozen=True, slots=True)
class Sample:
    """A project of the samples: its file, how many reports it has, what the rules and the model run found.

    The replies of the model run were written by hand, and its name says so.
    """

    project: Path
    documents: int
    rules_findings: int
    replayed: ModelSummary


def make_sample(path: Path, annotator: str | None) -> Generator[Progress, None, Path]:
    """Make a project as `build_sample`, which names what is raised, and return its path.

    It is there only once it is whole, whatever ends the program meanwhile. Raises ProjectError where there is
    one already.
    """
    from app.store.creation import with_suffix

    path = with_suffix(path)
    if path.exists():
        raise ProjectError(f"{path} exists already; open it, or choose another name.")
    building = path.with_name(f"unfinished-{path.name}")
    _clear(building)
    yield from build_sample(building, annotator)
    building.rename(path)
    _clear(building)
    return path


def _clear(path: Path) -> None:
    """Remove what an attempt that was broken off has left."""
    for ending in ("", "-wal", "-shm", ".lock"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def build_sample(path: Path, annotator: str | None = None) -> Generator[Progress, None, Sample]:
    """Import the samples, both annotators and gold into a new project; extract with rules and a model run.

    ".casespan" is added where `path` lacks it; `annotator` becomes the project's owner. Closing the generator
    early, or an error, leaves no file behind. Raises what `create_project_file` raises.
    """
    from app.store.creation import create_project_file, remove_project

    with create_project_file(path, None, annotator) as project:
        try:
            return (yield from _fill(project))
        except BaseException:
            remove_project(project)
            raise


def _fill(project: Project) -> Generator[Progress, None, Sample]:
    from app.operations.exchange.importing import GOLD, ImportOptions, import_reports
    from app.operations.extract.models import replay
    from app.operations.extract.options import ModelOptions
    from app.operations.extract.quotes import extract_with_model
    from app.operations.extract.rules import extract_with_rules

    imported = yield from import_reports(project, [asset("resources", "demo", "reports")])
    for name in (FIRST, SECOND, GOLD):
        source = asset("resources", "demo", "annotations", f"{name}.json")
        yield from import_reports(project, [source], ImportOptions("crb", name))
    extracted = yield from extract_with_rules(project)
    client, recording = replay(asset("resources", "demo", "replies.jsonl"))
    wanted = ModelOptions(recording.model, recording.strategy, recording.prompting)
    replayed = yield from extract_with_model(project, client, wanted)
    return Sample(project.path, len(imported.added), sum(extracted.findings.values()), replayed)


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
