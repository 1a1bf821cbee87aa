"""Extraction as a run asks it: the categories as questions, and quotes that become annotations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.operations.extract.calling.asking import Answered, Asking
from app.operations.extract.cells import CellResult, read_cell, write_cells
from app.operations.extract.notes import about_amended, about_equal_strategies
from app.operations.extract.options import ModelOptions, identity_of_quotes
from app.operations.guidelines.amendments import guideline_versions
from extractors.rules import PolarityReader
from extractors.tasks.findings import ReportReader
from extractors.tasks.quotes import QuotesTask

if TYPE_CHECKING:
    from app.operations.extract.entry import Source
    from app.store.act import Act
    from app.store.extract.runs import Run
    from app.store.project import Project
    from extractors.model.document import Document


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
