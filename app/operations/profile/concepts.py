"""Let a language model say which disorder a report is about, or order what spans may stand for."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.operations.annotate.anchors import Anchor, disorders, list_anchors, put_proposal
from app.operations.annotate.concepts import ConceptSuggestion, find_concepts
from app.operations.extract.calling.asking import Answered, Asking, keep_values
from app.operations.extract.run_task import run_task, summarise
from app.operations.project.opening import opened
from app.store.extract.runs import Answer, Run, answers, put_answer, runs
from app.store.reports.documents import documents
from extractors.blinding.anchor import named_in
from extractors.blinding.case import Case
from extractors.tasks import CONCEPTS
from extractors.tasks.choice import NONE, QUESTION, AnchorTask
from extractors.tasks.concepts import Coded, ConceptsTask
from extractors.terminology.library import open_terminology

if TYPE_CHECKING:
    from pathlib import Path

    from app.operations.extract.entry import Source
    from app.operations.extract.options import ModelSummary, RunOptions
    from app.store.act import Act
    from app.store.project import Project
    from extractors.llm.types import Client
    from extractors.model.progress import Progress

_OFFERED = 10


@dataclass(frozen=True, slots=True)
class ModelRanking:
    """The codes of a terminology in the order in which a run (name) says that they fit a span."""

    run: str
    terminology: str
    codes: tuple[str, ...]


def ask_for_concepts(
    where: Project | Path, client: Client, options: RunOptions, annotator: str, terminology: str
) -> Generator[Progress, None, tuple[tuple[ConceptSuggestion, ...], ModelSummary]]:
    """Ask a model which of the ten best concepts each uncoded span of an annotator stands for.

    What it orders comes first; a span that it was not asked about, or of which its reply says nothing, keeps
    the order of the words. Works and raises as `run_task`; UnknownNameError for a terminology not here.
    """
    known = open_terminology(terminology)
    with opened(where, write=True) as project:
        only = options.documents[0] if options.documents else None
        found = find_concepts(project, annotator, known, _OFFERED, report=only)
        text_of = {one.key: one.document.text for one in documents(project)}
        spans: dict[str, list[Coded]] = {}
        code_of: dict[str, dict[str, str]] = {}
        for one in found:
            if one.place is not None and len(one.hits) > 1:
                code_of[one.uuid] = {hit.label.casefold(): hit.code for hit in reversed(one.hits)}
                labels = tuple(dict.fromkeys(hit.label for hit in one.hits))
                spans.setdefault(text_of[one.report], []).append(Coded(one.uuid, *one.place, labels))
        task = ConceptsTask(known.name, lambda text: spans.get(text, ()))
        asked = tuple(one.id for listed in spans.values() for one in listed)
        asking = Asking(
            task=task,
            label=f"concepts/{known.name}",
            questions=asked,
            identity={
                "prompts_sha256": task.sha256,
                "terminology": known.name,
                "release": known.release,
                "annotator": annotator,
            },
            keep=_Keeper(code_of),
        )
        ended = yield from run_task(project, client, options, lambda: asking)
        run = ended.work.run
        answered = {one.question: one.value for one in answers(project, run.uuid)} if run is not None else {}
        ranked = tuple(_ranked(one, answered.get(one.uuid) or (), run.name if run else "") for one in found)
        return ranked, summarise(project, ended.work, ended.made, ended.stopped)


def model_ranking(project: Project, span: str, report: str) -> ModelRanking | None:
    """How the last model that was asked about a span (UUID) of a report (UUID) ordered its concepts."""
    for run in reversed(runs(project)):
        if run.settings.get("task") == CONCEPTS:
            for one in answers(project, run.uuid, report):
                if one.question == span and one.value:
                    return ModelRanking(run.name, run.settings["terminology"], tuple(one.value))
    return None


@dataclass(frozen=True, slots=True)
class _Keeper:
    """Stores the codes of the labels that answers name, by span; what is no label of it is left out."""

    code_of: Mapping[str, Mapping[str, str]]

    def __call__(
        self, act: Act, run: Run, report: Source, answered: Sequence[Answered], asked: Collection[str]
    ) -> None:
        for one in answered:
            for record, form in one.calls:
                if record is not None and record.state == "done":
                    value = form.read(record.raw_reply or "").value or ()
                    known = self.code_of[one.question]
                    codes = [known[label.casefold()] for label in value if label.casefold() in known]
                    put_answer(act, run.uuid, Answer(report.uuid, one.question, codes, one.again))


def _ranked(one: ConceptSuggestion, codes: Sequence[str], run: str) -> ConceptSuggestion:
    if not codes:
        return one
    order = sorted(one.hits, key=lambda hit: codes.index(hit.code) if hit.code in codes else len(codes))
    return replace(one, hits=tuple(order), by=run)


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
