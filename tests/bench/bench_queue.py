"""The queue of a study of the dataset's size, against reading its annotations from the project."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from app.operations.annotate.report import open_report
from app.operations.reconcile.decisions import Resolution, decide
from app.operations.reconcile.queue import Queue, list_alike, read_queue
from app.store.annotate.annotations import read_annotations
from app.store.annotate.annotators import annotator
from app.store.project import Project
from tests.bench.bench_agreement_view import PEOPLE, study
from tests.bench.measure import Measure, interleaved_ratio

_LEFT, _RIGHT = PEOPLE[:2]


def measures() -> list[Measure]:
    """Reading the queue; then a decision on disk, what is alike, and the report of the next item."""
    with TemporaryDirectory() as folder, Project.open(study(Path(folder)), write=True) as project:
        rows = partial(_rows, project)
        queue = interleaved_ratio(partial(read_queue, project, _LEFT, _RIGHT), rows, repeats=5)
        found = read_queue(project, _LEFT, _RIGHT)
        following = interleaved_ratio(
            partial(_next, project, found, iter(found.differences)), rows, repeats=5
        )
    baseline = "reading both annotators' quotes"
    return [
        Measure("queue: 138 reports x 14 categories", queue, 6, baseline),
        Measure("queue: decision, alike, next report", following, 1, baseline),
    ]


def _rows(project: Project) -> None:
    for name in (_LEFT, _RIGHT):
        read_annotations(project, annotator=annotator(project, name).uuid)


def _next(project: Project, queue: Queue, names: Iterator[str]) -> None:
    name = next(names)
    decide(project, _LEFT, queue, [name], Resolution("left"))
    list_alike(project, queue, name)
    open_report(project, queue.differences[next(names)].report, _LEFT)
