"""The invented case with drawn pictures: items, replies with and without pictures, a judge, all by hand."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from app.operations.extract.options import RunOptions
from app.operations.project.opening import opened
from app.operations.study.building import build_items
from app.operations.study.judging import judge_answers
from app.operations.study.running import StudyOptions, run_with_replies
from app.studies import study_named
from app.studies.study import Study
from extractors.assets import asset
from extractors.model.progress import Progress

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
