"""Let a language model order the concepts that the words of spans may stand for."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.operations.annotate.concepts import find_concepts
from app.operations.extract.asking import Asking
from app.operations.extract.run_task import run_task
from app.operations.extract.summary import summarise
from app.operations.project.opening import opened
from app.store.extract.answers import answers
from app.store.reports.documents import documents
from extractors.tasks.concepts import Coded, ConceptsTask
from extractors.terminology.library import open_terminology

if TYPE_CHECKING:
    from pathlib import Path

    from app.operations.annotate.concepts import ConceptSuggestion
    from app.operations.extract.options import ModelSummary, RunOptions
    from app.store.project import Project
    from extractors.llm.types import Client
    from extractors.model.progress import Progress

_OFFERED = 10


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
        for one in found:
            if one.place is not None and len(one.hits) > 1:
                labels = tuple(dict.fromkeys(hit.label for hit in one.hits))
                spans.setdefault(text_of[one.report], []).append(Coded(one.uuid, *one.place, labels))
        task = ConceptsTask(known.name, lambda text: spans.get(text, ()))
        asked = tuple(one.id for listed in spans.values() for one in listed)
        asking = Asking(
            task=task,
            label=f"concepts/{known.name}",
            questions=asked,
            every=asked,
            identity={"prompts_sha256": task.sha256, "release": known.release, "annotator": annotator},
        )
        ended = yield from run_task(project, client, options, lambda: asking)
        run = ended.work.run
        said = {one.question: one.value for one in answers(project, run.uuid)} if run is not None else {}
        ranked = tuple(_ranked(one, said.get(one.uuid) or (), run.name if run else "") for one in found)
        return ranked, summarise(project, ended.work, ended.made, ended.stopped)


def _ranked(one: ConceptSuggestion, labels: Sequence[str], run: str) -> ConceptSuggestion:
    place = {label.casefold(): number for number, label in reversed([*enumerate(labels)])}
    order = sorted(one.hits, key=lambda hit: place.get(hit.label.casefold(), len(place)))
    named = any(hit.label.casefold() in place for hit in one.hits)
    return replace(one, hits=tuple(order), by=run) if named else one
