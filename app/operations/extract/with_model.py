"""Let a language model annotate the reports of a project: every answer is kept."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from app.operations.extract.options import ModelOptions, ModelSummary
from app.operations.extract.quotes import quotes_of
from app.operations.extract.run_task import run_task
from app.operations.extract.summary import summarise
from app.operations.project.opening import opened
from app.store.project import Project
from extractors.llm.types import Client
from extractors.model.progress import Progress


def extract_with_model(
    where: Project | Path, client: Client, options: ModelOptions
) -> Generator[Progress, None, ModelSummary]:
    """Ask the model for quotes, category by category or all at once, and ground them in the reports.

    Works and raises as `run_task`, UnknownNameError also for a category that is not there.
    """
    with opened(where, write=True) as project:
        ended = yield from run_task(project, client, options, lambda: quotes_of(project, options))
        return summarise(project, ended.work, ended.made, ended.stopped)
