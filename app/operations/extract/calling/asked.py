"""What runs asked models, word for word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.operations.project.opening import opened
from app.store.extract.prompts import prompts
from app.store.extract.runs import Run, generations, runs
from app.store.project import Project
from app.store.reports.documents import document_summaries
from app.store.study.items import item_names
from app.text import counted
from extractors.model.errors import UnknownNameError


@dataclass(frozen=True, slots=True)
class AskedPrompt:
    """A prompt by its hash: what it is about (a report's key), what it asks for ("" for all categories), in
    which part (from 0) of how many, and its words; `form` is the JSON schema of the reply."""

    sha256: str
    report: str
    category: str
    part: int
    parts: int
    system: str
    user: str
    form: Mapping[str, Any]

    @property
    def title(self) -> str:
        """Report, category and part in words."""
        part = f", part {self.part + 1} of {self.parts}" if self.parts > 1 else ""
        return f"{self.report} {self.category or 'all categories'}{part}"


@dataclass(frozen=True, slots=True)
class RunPrompts:
    """The prompts of a run in the order of its calls; of `unknown` more only the hash is on record."""

    run: str
    prompts: tuple[AskedPrompt, ...]
    unknown: int


def about_unknown(run: RunPrompts) -> str:
    """What cannot be shown of a run's prompts, in a sentence; "" where all can."""
    if not run.unknown:
        return ""
    return (
        f"Of {counted(run.unknown, 'prompt')} only the hash is on record: an earlier version of Casespan "
        "made these calls and did not keep the words."
    )


def list_prompts(where: Project | Path, name: str | None = None) -> tuple[RunPrompts, ...]:
    """What every run of a model asked, or the one called `name`, the earliest run first.

    Raises UnknownNameError where there is no such run, DamagedProjectError, and what opening raises.
    """
    with opened(where) as project:
        found = [run for run in runs(project) if run.kind == "model" and name in (None, run.name)]
        if name is not None and not found:
            raise UnknownNameError(f"{name} is no run of a model; only such a run has prompts.")
        key_of = {report.uuid: report.key for report in document_summaries(project)} | item_names(project)
        return tuple(_of_run(project, run, key_of) for run in found)


def _of_run(project: Project, run: Run, key_of: Mapping[str, str]) -> RunPrompts:
    stored = {prompt.sha256: prompt for prompt in prompts(project, run.uuid)}
    asked: dict[tuple[str, str, str], AskedPrompt] = {}
    unknown: set[tuple[str, str, str]] = set()
    for generation in generations(project, run.uuid):
        call = generation.record
        key = call.subject, call.question, call.prompt_sha256
        prompt = stored.get(call.prompt_sha256)
        if prompt is not None:
            about = key_of.get(call.subject, call.subject), call.question, call.part, call.parts
            asked[key] = AskedPrompt(prompt.sha256, *about, prompt.system, prompt.user, prompt.form)
        elif call.prompt_sha256:
            unknown.add(key)
    return RunPrompts(run.name, tuple(asked.values()), len(unknown))
