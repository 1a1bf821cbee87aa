"""Extraction as a run asks it, quotes that become annotations, and what such a run would take beforehand."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.operations.extract.calling.asking import Answered, Asking
from app.operations.extract.entry import Source
from app.operations.extract.notes import about_amended, about_equal_strategies, about_recorded
from app.operations.extract.options import ModelOptions, ModelSummary, identity_of_quotes
from app.operations.extract.run_task import run_task, summarise
from app.operations.extract.work import Work
from app.operations.guidelines.amendments import guideline_versions
from app.operations.project.opening import opened
from app.store.act import Act
from app.store.annotate.annotations import add_annotations, delete_annotations
from app.store.annotate.reviews import ReviewState, review_of, set_review
from app.store.extract.runs import CallRecord, Run, generations, runs
from app.store.project import Project
from app.text import duration
from extractors.llm.types import Client
from extractors.model.document import Document
from extractors.model.finding import Finding, Grounding
from extractors.model.progress import Progress
from extractors.rules import PolarityReader
from extractors.tasks.base import Form
from extractors.tasks.findings import ReportReader
from extractors.tasks.quotes import QuotesTask
from extractors.tasks.replies import Reply


@dataclass(frozen=True, slots=True)
class CellResult:
    """What a run says of one report in one category; `whole` where every part of it was answered in full."""

    category: str
    findings: tuple[tuple[Finding, Grounding], ...]
    whole: bool


def read_cell(
    category: str, answers: Iterable[tuple[CallRecord | None, Form]], reader: ReportReader
) -> CellResult:
    """Put together what the answers, part by part, say of a category."""
    parts = []
    whole = True
    for answer, form in answers:
        reply: Reply = form.read((answer and answer.raw_reply) or "").value
        shown = [(start, end) for start, end in answer.details.get("spans", ())] if answer else []
        parts.append(([quote for quote in reply.quotes if quote.category == category], shown))
        whole &= answer is not None and category in _whole(answer, reply)
    return CellResult(category, tuple(reader.place_quotes(parts)), whole)


def _whole(answer: CallRecord, reply: Reply) -> tuple[str, ...]:
    """The categories of which an answer says all it has to say.

    Of a reply that was cut or malformed these are the ones with another behind them: what stands last may
    have been followed by more. Where the call failed or the report was not read whole, there are none.
    """
    if answer.state == "done":
        return reply.answered
    if answer.state == "incomplete" and not answer.details.get("cut_prompt"):
        return tuple(category for category in reply.answered if category != reply.last)
    return ()


def write_cells(
    act: Act, report: Source, holder: str, cells: Sequence[CellResult], wanted: Iterable[str]
) -> None:
    """Put the cells in the place of what the run (its annotator's UUID) had there.

    Only a category answered in full counts as looked at, and then gives way only to one that is as well; the
    review is done when all `wanted` are.
    """
    before = review_of(act.project, report.uuid, holder)
    looked_at, nothing = set(before.looked_at), set(before.nothing_found)
    for cell in cells:
        if cell.category in looked_at and not cell.whole:
            continue
        findings = [finding for finding, _ in cell.findings]
        delete_annotations(act, report.uuid, holder, cell.category)
        groundings = [grounding for _, grounding in cell.findings]
        add_annotations(act, report.uuid, holder, findings, "model", groundings=groundings)
        looked_at.discard(cell.category)
        nothing.discard(cell.category)
        if cell.whole:
            looked_at.add(cell.category)
            nothing |= set() if findings else {cell.category}
    state: ReviewState = "done" if looked_at.issuperset(wanted) else "in progress"
    set_review(act, report.uuid, holder, state=state, looked_at=looked_at, nothing_found=nothing)


def quotes_of(project: Project, options: ModelOptions, recorded: Collection[str] = ()) -> Asking:
    """What extraction asks; raises UnknownNameError for a category that is not there.

    `recorded` are the categories that a recording has replies for.
    """
    scheme = project.scheme
    named = {scheme.category(category).id for category in options.categories} or set(scheme.ids)
    wanted = tuple(category for category in scheme.ids if category in named)
    task = QuotesTask(scheme, options.strategy, options.prompting, wanted, options.sections)
    guidelines = guideline_versions(project)

    def caveats(identity: Mapping[str, Any], run: Run | None, reports: Sequence[Document]) -> list[str]:
        new = run is None and not options.new_run
        parts = about_amended(project, identity, guidelines) if new else []
        parts += about_recorded([one for one in scheme.ids if one in recorded], wanted)
        return parts + (about_equal_strategies(reports, task) if options.strategy == "fcsp" else [])

    return Asking(
        task=task,
        label=f"{options.strategy}/{options.prompting}",
        questions=wanted,
        every=scheme.ids,
        identity=identity_of_quotes(options, task.prompts.sha256, wanted),
        keep=QuoteKeeper(options.parallel),
        widest=task if options.strategy == "ugp" else task.about(scheme.ids),
        settings={"guidelines": guidelines},
        caveats=caveats,
    )


class QuoteKeeper:
    """Grounds what answers quote and writes it down as annotations of the run, category by category.

    A report is prepared once for all its calls, of which `parallel` may be about different ones.
    """

    def __init__(self, parallel: int) -> None:
        self._parallel = parallel
        self._reading: dict[str, ReportReader] = {}
        self._polarities: PolarityReader | None = None

    def __call__(
        self, act: Act, run: Run, report: Source, answered: Sequence[Answered], asked: Collection[str]
    ) -> None:
        """Put what was answered in the place of what the run had there."""
        cells = [self._cell(report, one) for one in answered]
        write_cells(act, report, run.annotator, cells, asked)

    def _cell(self, report: Source, answered: Answered) -> CellResult:
        if not answered.calls:
            return CellResult(answered.question, (), whole=True)
        return read_cell(answered.question, answered.calls, self._reader(report))

    def _reader(self, report: Source) -> ReportReader:
        if self._polarities is None:
            self._polarities = PolarityReader()
        if report.uuid not in self._reading:
            # Of the reports that calls are about at once and the one before, no more.
            kept = list(self._reading)[-self._parallel :]
            self._reading = {uuid: self._reading[uuid] for uuid in kept}
            self._reading[report.uuid] = ReportReader(report.document, self._polarities)
        return self._reading[report.uuid]


def extract_with_model(
    where: Project | Path, client: Client, options: ModelOptions
) -> Generator[Progress, None, ModelSummary]:
    """Ask the model for quotes, category by category or all at once, and ground them in the reports.

    Works and raises as `run_task`, UnknownNameError also for a category that is not there.
    """
    with opened(where, write=True) as project:
        ended = yield from run_task(
            project, client, options, lambda: quotes_of(project, options, client.recorded)
        )
        return summarise(project, ended.work, ended.made, ended.stopped)


# Tokens a second where nothing is known of a model yet: a model of 7 to 8 billion weights on a laptop's
# graphics card. And what a reply takes on average.
READ, WRITTEN, REPLY = 500.0, 30.0, 150.0

_CONTEXT_UNKNOWN = (
    "How much context the server gives is not known yet; where that is little, reports are read in parts, "
    "which takes more calls."
)


@dataclass(frozen=True, slots=True)
class Forecast:
    """A run that has not been made. `run` is its annotator, "" for one that would be new.

    Of the `planned` calls `calls` are to be made and `taken_over` have the answers of another run; the others
    are answered. `prompt_tokens` are to be sent, `shared_tokens` of them as in the call before; replies take
    `reply_tokens` at the most. `seconds` is by `measured` calls of the same model, or where these are 0, by
    how fast models of middle size are.
    """

    run: str
    planned: int
    calls: int
    taken_over: int
    prompt_tokens: int
    shared_tokens: int
    reply_tokens: int
    seconds: float
    measured: int
    notes: tuple[str, ...]


def forecast_run(
    where: Project | Path, client: Client, options: ModelOptions
) -> Generator[Progress, None, Forecast]:
    """Plan a run without making it; nothing is written, and the model is not loaded.

    Raises what `extract_with_model` raises before it records anything.
    """
    with opened(where) as project:
        yield Progress(0, 0, "planning")
        work = Work(project, client, options, quotes_of(project, options, client.recorded))
        if work.pending and not client.capabilities.sets_context:
            loaded = client.loaded_model(work.card.name)
            work.keep_within(loaded)
            work.notes += [] if loaded else [_CONTEXT_UNKNOWN]
        pending = [entry.call for entry in work.entries if entry.pending]
        read, written, reply, measured = _speeds(_answers(project, work.card.name, work.card.digest))
        fresh = sum(call.tokens - call.shared for call in pending)
        seconds = fresh / read + len(pending) * reply / written
        return Forecast(
            run=work.run.name if work.run else "",
            planned=len(work.entries),
            calls=len(pending),
            taken_over=len(work.reused),
            prompt_tokens=sum(call.tokens for call in pending),
            shared_tokens=sum(call.shared for call in pending),
            reply_tokens=sum(call.reply_tokens for call in pending),
            seconds=0.0 if client.about else seconds / work.parallel,
            measured=measured,
            notes=tuple(work.notes),
        )


def describe_forecast(forecast: Forecast) -> list[str]:
    """The forecast in sentences."""
    run = forecast.run or "a new run"
    parts = [f"{run}: {forecast.calls} of {forecast.planned} calls are to be made; nothing was asked."]
    if forecast.taken_over:
        parts.append(f"{forecast.taken_over} answers are taken over from another run.")
    parts.append(
        f"about {forecast.prompt_tokens:,} tokens of prompts, {forecast.shared_tokens:,} of them as in the "
        f"call before, and replies of at most {forecast.reply_tokens:,} tokens"
    )
    basis = (
        f"by {forecast.measured} calls that this model has answered"
        if forecast.measured
        else f"if the model reads {READ:.0f} tokens a second and writes {WRITTEN:.0f}"
    )
    return [*parts, f"about {duration(forecast.seconds)}, {basis}", *forecast.notes]


def _answers(project: Project, model: str, digest: str) -> Iterable[CallRecord]:
    """What the model was asked in this project before, taken over answers left out."""
    for run in runs(project):
        if run.kind == "model" and (run.settings.get("model"), run.settings.get("digest")) == (model, digest):
            for generation in generations(project, run.uuid):
                record = generation.record
                # Older programs said it among the details.
                if not record.reused and "reused" not in record.details:
                    yield record


def _speeds(answers: Iterable[CallRecord]) -> tuple[float, float, float, int]:
    """Tokens a second read and written, tokens of a reply, and by how many answers these are known."""
    read = written = 0
    reading = writing = 0.0
    number = 0
    for answer in answers:
        details = answer.details
        prefill, reply = details.get("prefill_seconds"), details.get("reply_seconds")
        if prefill and reply and answer.tokens_out:
            number += 1
            # What stood in the call before was not read again.
            read += max(0, details.get("estimated_tokens", 0) - details.get("shared_tokens", 0))
            reading += prefill
            written += answer.tokens_out
            writing += reply
    if not number or not read:
        return READ, WRITTEN, REPLY, 0
    return read / reading, written / writing, written / number, number
