"""Which model, which strategy: run the cells of a grid, or take those there are, and compare them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from app.agreement.grid import Grid, GridCell
from app.agreement.output.grid_tables import grid_csv, grid_html
from app.operations.compare.agreement import measure_agreement
from app.operations.extract.calling.ledger import Ledger
from app.operations.extract.options import ModelOptions, is_extraction, total
from app.operations.extract.quotes import extract_with_model
from app.operations.project.caveats import about_of, caveats
from app.operations.project.opening import opened
from app.operations.project.output import write_file
from app.store.annotate.annotations import read_annotations
from app.store.annotate.annotators import annotator
from app.store.annotate.reviews import reviews
from app.store.extract.runs import Run, runs
from app.store.project import Project
from app.store.reports.documents import document, document_summaries
from extractors.llm.types import Client
from extractors.model.errors import (
    ContextError,
    ModelNotFoundError,
    ProjectError,
    RemoteRefusedError,
    ServerError,
)
from extractors.model.progress import Progress

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class GridOptions:
    """`models` x `variants` of the task are run with what else `settings` say, `against` a reference.

    Without models the runs that the project has are compared.
    """

    models: tuple[str, ...]
    variants: tuple[str, ...]
    against: str
    settings: ModelOptions


def run_grid(
    where: Project | Path, client: Client | None, options: GridOptions
) -> Generator[Progress, None, Grid]:
    """Run or reuse every cell on the reports that the reference has looked at, and compare.

    A cell that cannot be run is left out with a sentence; the others go on. Raises UnknownNameError for a
    reference, report or model run that is not there, ProjectError where the reference has looked at nothing.
    """
    keys = _reports(where, options)
    left_out: list[str] = []
    made: dict[str, None] = {}
    if client is not None:
        made = yield from _run_cells(where, client, options, keys, left_out)
    yield Progress(0, 0, "comparing")
    with opened(where) as project:
        annotating = [run for run in runs(project) if run.kind == "rules" or is_extraction(run)]
        chosen = [run for run in _latest(annotating) if client is None or run.name in made]
        rows = [_row(project, run, keys) for run in chosen if run.name != options.against]
        warnings = caveats(project, options.against)
    _find_equal(rows)
    compared = [cell for one in rows if (cell := _compared(where, one, options.against, keys, left_out))]
    return Grid(options.against, len(keys), tuple(compared), tuple(left_out), warnings)


def _run_cells(
    where: Project | Path, client: Client, options: GridOptions, keys: Sequence[str], left_out: list[str]
) -> Generator[Progress, None, dict[str, None]]:
    """Run each cell, or what is left of it; the names of the runs, in order."""
    made: dict[str, None] = {}
    there = [model for model in options.models if _is_there(client, model, left_out)]
    cells = list(product(there, options.variants))
    for number, (model, variant) in enumerate(cells, start=1):
        wanted = replace(options.settings.varied(variant), model=model, documents=tuple(keys))
        name = f"{model}/{variant}"
        try:
            job = extract_with_model(where, client, wanted)
            summary = yield from _named(job, f"run {number} of {len(cells)}: {name}")
        except (ContextError, ModelNotFoundError, RemoteRefusedError, ServerError) as error:
            left_out.append(f"{name}: {error}")
            continue
        made[summary.annotator] = None
        if summary.stopped:
            left_out.append(f"{summary.annotator} stopped early: {summary.stopped}")
    return made


def _is_there(client: Client, model: str, left_out: list[str]) -> bool:
    """Whether the server has the model and may be asked; why not, goes to what is left out."""
    try:
        client.card(model)
    except (ModelNotFoundError, RemoteRefusedError) as error:
        left_out.append(str(error))
        return False
    return True


def _named(job: Generator[Progress, None, Result], name: str) -> Generator[Progress, None, Result]:
    """A run's own progress, with which run of the grid it is."""
    try:
        while True:
            step = next(job)
            yield Progress(step.done, step.total, f"{name} · {step.note}")
    except StopIteration as end:
        result: Result = end.value
        return result
    finally:
        job.close()


def tabulate_grid(grid: Grid, out: Path, *, per_category: bool) -> None:
    """Write the grid as CSV; raises StorageError or ProjectError where `out` is refused."""
    write_file(out, grid_csv(grid, per_category=per_category))


def report_grid(where: Project | Path, grid: Grid, out: Path, *, per_category: bool) -> None:
    """Write the grid as a self-contained page; raises StorageError or ProjectError where `out` is refused."""
    with opened(where) as project:
        names = {category.id: category.name for category in project.scheme.categories}
    write_file(out, grid_html(grid, names, per_category=per_category))


def _reports(where: Project | Path, options: GridOptions) -> list[str]:
    """Keys of the reports that the grid stands on: those asked for that the reference has looked at."""
    with opened(where) as project:
        holder = annotator(project, options.against).uuid
        seen = {review.document for review in reviews(project) if review.annotator == holder}
        seen |= {annotation.document for annotation in read_annotations(project, annotator=holder)}
        asked = {document(project, key).uuid for key in options.settings.documents}
        keys = [
            report.key
            for report in document_summaries(project)
            if report.uuid in seen and (not asked or report.uuid in asked)
        ]
    if not keys:
        raise ProjectError(
            f"{options.against} has annotated none of these reports; there is nothing to compare with."
        )
    return keys


def _latest(records: Sequence[Run]) -> list[Run]:
    """The runs, each annotator's latest: the rules keep one annotator through all their runs."""
    return list({run.annotator: run for run in records}.values())


def _find_equal(rows: Sequence[dict[str, Any]]) -> None:
    """Mark the runs of a model that were asked and replied the same as another before them."""
    first: dict[tuple[object, ...], str] = {}
    for row in rows:
        digest, replies = row.pop("digest"), row.pop("replies")
        if replies:
            equal = first.setdefault((row["model"], digest, replies), row["run"])
            row["equal_to"] = "" if equal == row["run"] else equal


def _row(project: Project, run: Run, keys: Sequence[str]) -> dict[str, Any]:
    """A run's cell but for the scores; `replies` is what it was asked and what it replied."""
    uuids = {document(project, key).uuid for key in keys}
    quotes = Counter(
        annotation.finding.grounding
        for annotation in read_annotations(project, annotator=run.annotator)
        if annotation.document in uuids
    )
    ledger = Ledger(project, run)
    answers = [a for a in ledger.answers if a.subject in uuids and a.prompt_sha256]
    states = Counter(answer.state for answer in answers)
    estimated = sum(answer.details.get("estimated_tokens", 0) for answer in answers)
    shared = sum(answer.details.get("shared_tokens", 0) for answer in answers)
    settings, about = run.settings, about_of(run.settings)
    return {
        "run": run.name,
        "model": settings.get("model", run.name),
        "strategy": settings.get("strategy", ""),
        "prompting": settings.get("prompting", ""),
        "quotes": quotes.total(),
        **{status: quotes[status] for status in ("exact", "normalised", "fuzzy", "ungrounded")},
        "conflicts": quotes["conflict"],
        "calls": states["done"] + states["incomplete"] + states["failed"],
        "incomplete": states["incomplete"],
        "failed": states["failed"],
        "missing": _missing(ledger, run, uuids),
        "tokens_in": total(answer.tokens_in for answer in answers),
        "tokens_out": total(answer.tokens_out for answer in answers),
        "seconds": total(answer.seconds for answer in answers),
        "shared": shared / estimated if estimated and not about else None,
        "about": about,
        "digest": settings.get("digest"),
        "replies": frozenset((a.subject, a.question, a.prompt_sha256, a.raw_reply) for a in answers),
    }


def _missing(ledger: Ledger, run: Run, documents: set[str]) -> int:
    """Calls of a model run without an answer; a run that went to its end was asked for no other reports."""
    if run.kind != "model":
        return 0
    return ledger.missing(
        documents,
        run.settings["asked"],
        all_at_once=run.settings["strategy"] == "ugp" and len(run.settings["asked"]) > 1,
        begun=run.state == "done",
    )


def _compared(
    where: Project | Path, row: Mapping[str, Any], against: str, keys: Sequence[str], left_out: list[str]
) -> GridCell | None:
    """The row with its scores; None, and a sentence, where the run and the reference share no report."""
    try:
        paper, strict = (
            measure_agreement(where, row["run"], against, profile, keys) for profile in ("paper", "strict")
        )
    except ProjectError as error:
        left_out.append(str(error))
        return None
    return GridCell(paper=paper, strict=strict, **row)
