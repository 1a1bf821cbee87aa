"""Let a language model say which disorder a report is about, as a proposal."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from typing import TYPE_CHECKING

from app.operations.annotate.anchors import disorders, list_anchors, put_proposal
from app.operations.extract.calling.asking import Answered, Asking, keep_values
from app.operations.extract.run_task import run_task
from app.operations.extract.summary import summarise
from app.operations.project.opening import opened
from app.store.reports.documents import documents
from extractors.blinding.anchor import named_in
from extractors.blinding.case import Case
from extractors.tasks.anchor import NONE, QUESTION, AnchorTask

if TYPE_CHECKING:
    from pathlib import Path

    from app.operations.annotate.anchors import Anchor
    from app.operations.extract.entry import Source
    from app.operations.extract.options import ModelSummary, RunOptions
    from app.store.act import Act
    from app.store.extract.runs import Run
    from app.store.project import Project
    from extractors.llm.types import Client
    from extractors.model.progress import Progress


def ask_for_anchors(
    where: Project | Path, client: Client, options: RunOptions
) -> Generator[Progress, None, tuple[tuple[Anchor, ...], ModelSummary]]:
    """Ask a model which of the disorders that a report names is its diagnosis; what a person said stays.

    Works and raises as `run_task`; UnknownNameError where Orphanet is not here.
    """
    with opened(where, write=True) as project:
        ended = yield from run_task(project, client, options, lambda: _asking(project))
        summary = summarise(project, ended.work, ended.made, ended.stopped)
        return list_anchors(project, [one.key for one in ended.work.reports]), summary


def _asking(project: Project) -> Asking:
    names = disorders()
    label = names.terminology.label
    named: dict[str, list[tuple[str, str]]] = {}
    for report in documents(project):
        rows = named_in(Case(report.document), names)
        codes = [(names.terminology.codes[row], label(row)) for row in rows if not names.group(row)]
        named[report.document.text] = codes
    task = AnchorTask(lambda text: named.get(text, []))
    release = names.terminology.release
    return Asking(
        task=task,
        label="anchor",
        questions=(QUESTION,),
        every=(QUESTION,),
        identity={"prompts_sha256": task.sha256, "release": release},
        keep=_keep,
    )


def _keep(act: Act, run: Run, report: Source, answered: Sequence[Answered], asked: Collection[str]) -> None:
    """Store the answer, and propose what it chose."""
    keep_values(act, run, report, answered, asked)
    for one in answered:
        for record, form in one.calls:
            value = form.read(record.raw_reply or "").value if record and record.state == "done" else None
            if value and value[0] != NONE:
                put_proposal(act, report.uuid, value[0], run.name)
