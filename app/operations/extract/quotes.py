"""Extraction as a run asks it: the categories as questions, and quotes that become annotations."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.operations.extract.calling.asking import Answered, Asking
from app.operations.extract.notes import about_amended, about_equal_strategies
from app.operations.extract.options import ModelOptions, ModelSummary, identity_of_quotes
from app.operations.extract.run_task import run_task
from app.operations.extract.summary import summarise
from app.operations.guidelines.amendments import guideline_versions
from app.operations.project.opening import opened
from app.store.annotate.annotations import add_annotations, delete_annotations
from app.store.annotate.reviews import ReviewState, review_of, set_review
from app.store.project import Project
from extractors.llm.types import Client
from extractors.model.progress import Progress
from extractors.rules import PolarityReader
from extractors.tasks.findings import ReportReader
from extractors.tasks.quotes import QuotesTask
from extractors.tasks.replies import Reply

if TYPE_CHECKING:
    from app.operations.extract.entry import Source
    from app.store.act import Act
    from app.store.extract.runs import CallRecord, Run
    from extractors.model.document import Document
    from extractors.model.finding import Finding, Grounding
    from extractors.tasks.base import Form


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


def quotes_of(project: Project, options: ModelOptions) -> Asking:
    """What extraction asks; raises UnknownNameError for a category that is not there."""
    scheme = project.scheme
    named = {scheme.category(category).id for category in options.categories} or set(scheme.ids)
    wanted = tuple(category for category in scheme.ids if category in named)
    task = QuotesTask(scheme, options.strategy, options.prompting, wanted, options.sections)
    guidelines = guideline_versions(project)

    def caveats(identity: Mapping[str, Any], run: Run | None, reports: Sequence[Document]) -> list[str]:
        new = run is None and not options.new_run
        parts = about_amended(project, identity, guidelines) if new else []
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
        ended = yield from run_task(project, client, options, lambda: quotes_of(project, options))
        return summarise(project, ended.work, ended.made, ended.stopped)
