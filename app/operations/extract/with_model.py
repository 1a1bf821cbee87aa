"""Let a language model annotate the reports of a project: one recorded call after the other."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future, wait
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from app.operations.extract.answers import Pace, answer_of, prompt_was_cut, unasked_answer
from app.operations.extract.ledger import CellResult, begin_run, read_cell, write_cells
from app.operations.extract.options import ModelOptions, ModelSummary
from app.operations.extract.summary import summarise
from app.operations.extract.work import Entry, Work
from app.operations.project.actor import actor
from app.operations.project.opening import opened
from app.store.act import begin_act
from app.store.project import Project
from app.store.runs import Answer, GenerationState, Run, RunState, add_generation, finish_run, go_on_with_run
from extractors.llm.findings import ReportReader
from extractors.llm.schedule import observe, reused
from extractors.llm.types import Client, Outcome, Prompt, Request, Subject
from extractors.model.errors import CasespanError, ServerError
from extractors.model.progress import Progress
from extractors.rules import PolarityReader

if TYPE_CHECKING:
    from app.store.act import Act
    from app.store.documents import StoredDocument

T = TypeVar("T")

_POLL_SECONDS = 0.2
_MOST_FAILURES = 5
_LEAST_CONTEXT = 2048
_TOO_LONG = Outcome(error="The model needs more tokens for this text than estimated; it is shown in parts.")


def extract_with_model(
    where: Project | Path, client: Client, options: ModelOptions
) -> Generator[Progress, None, ModelSummary]:
    """Ask the model what the run with these settings has not been answered yet, and record every answer.

    Each answer is on disk, with what was found in it, before the next call starts; closing the generator
    gives up the call under way and keeps the rest. No act is under way at a yield, so that whoever has lent
    an open project may change it in between. Raises UnknownNameError for a report or category that is
    not there, ModelNotFoundError, ServerError or RemoteRefusedError before anything is recorded; later
    trouble with the server is told by the summary.
    """
    with opened(where, write=True) as project:
        yield Progress(0, 0, "planning")
        # The client keeps the card; fetching it here leaves others their turn while the server is silent.
        yield from _waited(lambda: client.card(options.model), "asking the server")
        work = Work(project, client, options)
        made, stopped = 0, ""
        if work.pending:
            yield from _load(work)
        if work.pending or work.unrecorded or (work.run and work.run.state == "running"):
            calls = _Calls(project, work)
            stopped = yield from calls.run()
            made = calls.made
        return summarise(project, work, made, stopped)


def _load(work: Work) -> Generator[Progress, None, None]:
    """Have the model loaded with the context chosen, or with less where the memory does not suffice.

    Raises ServerError where it cannot be loaded at all.
    """
    while True:
        options = {**work.options.sampling(), "num_ctx": work.context}
        with work.client.load(work.card.name, options) as exchange:
            while (outcome := exchange.poll(_POLL_SECONDS)) is None:
                yield Progress(0, work.pending, f"loading {work.card.name}")
        if not outcome.error:
            break
        if "memory" not in outcome.error.lower() or work.context // 2 < _LEAST_CONTEXT:
            raise ServerError(outcome.error)
        work.shrink(work.context // 2, "the server has not enough memory for more")
    allocated = yield from _waited(
        lambda: work.client.allocated_context(work.card.name), f"loading {work.card.name}"
    )
    if 0 < allocated < work.context:
        work.shrink(allocated, "the server gave no more")


def _waited(call: Callable[[], T], note: str) -> Generator[Progress, None, T]:
    """The result of a call that may wait for a silent server; closing the generator stops waiting for it.

    Raises what the call raises.
    """
    answer: Future[T] = Future()

    def run() -> None:
        try:
            answer.set_result(call())
        except Exception as error:
            answer.set_exception(error)

    Thread(target=run, name=note, daemon=True).start()
    while not wait([answer], _POLL_SECONDS).done:
        yield Progress(0, 0, note)
    return answer.result()


class _Calls:
    """Makes the pending calls of one run and writes down what comes back."""

    def __init__(self, project: Project, work: Work) -> None:
        self._project, self._work = project, work
        self._who = actor(project)
        self.made = 0
        self._pace = Pace(len(work.reports), work.pending)
        self._failures = 0
        self._sent: dict[str, object] = {}
        self._before: Prompt | None = None
        self._reading: tuple[str, ReportReader] | None = None
        self._polarities: PolarityReader | None = None
        self._run: Run = self._begin()

    def run(self) -> Generator[Progress, None, str]:
        """Make the calls; returns why the run ended early, "" if it did not."""
        state: RunState = "failed"
        stopped = ""
        try:
            yield from self._write_unasked()
            while not stopped and (entry := self._work.next()) is not None:
                prompt = self._work.prompt(entry.call)
                room = self._work.reply_room(prompt, entry.call)
                if not room and (self._work.grow() or self._divide(entry, prompt, _TOO_LONG)):
                    continue
                outcome = yield from self._ask(entry, prompt, room or self._work.context // 4)
                self._take(entry, prompt, outcome)
                stopped = self._why_stop(outcome)
            if not stopped and not self._work.failed:
                state = "done"
        except (GeneratorExit, KeyboardInterrupt):
            state = "cancelled"
            raise
        finally:
            self._finish(state)
        return stopped

    def _begin(self) -> Run:
        work = self._work
        if work.run is None:
            work.run = begin_run(self._project, work.settings(), self._who)
        else:
            with begin_act(
                self._project, f"go on with run {work.run.name}", self._who, undoable=False
            ) as act:
                work.run = go_on_with_run(act, work.run, {**work.run.settings, **work.asked()})
        return work.run

    def _finish(self, state: RunState) -> None:
        """Record how the run ended; a disk that refuses even that has been complained of already."""
        name = f"end run {self._run.name}"
        with suppress(CasespanError), begin_act(self._project, name, self._who, undoable=False) as act:
            finish_run(act, self._run.uuid, state)

    def _ask(self, entry: Entry, prompt: Prompt, room: int) -> Generator[Progress, None, Outcome]:
        """Make one call; given up where the generator is closed."""
        call, work = entry.call, self._work
        subject = Subject(entry.report.key, call.categories, call.part, call.parts)
        self._pace.start()
        # Before every call, so that others get their turn also where replies come at once.
        yield self._pace.progress(subject, call.report, 0)
        options = {**work.options.sampling(), "num_ctx": work.context, "num_predict": room}
        self._sent = {"num_ctx": work.context, "num_predict": room, **work.place()}
        self.made += 1
        self._pace.start()
        exchange = work.client.start(Request(work.card.name, prompt, options, work.options.think, subject))
        try:
            with exchange:
                while (outcome := exchange.poll(_POLL_SECONDS)) is None:
                    yield self._pace.progress(subject, call.report, exchange.tokens)
        except (GeneratorExit, KeyboardInterrupt):
            self._record(entry, prompt, exchange.poll(0) or Outcome(), "cancelled")
            raise
        return outcome

    def _take(self, entry: Entry, prompt: Prompt, outcome: Outcome) -> None:
        """Record an answer together with what it completes; a prompt that was too long is divided."""
        work = self._work
        estimated = work.counter.unscaled(prompt.system + prompt.user)
        cut = prompt_was_cut(estimated, work.context, outcome, exact=work.card.vocabulary is not None)
        if outcome.overflow:
            observe(work.counter, prompt, max(outcome.tokens_in or 0, work.context))
        elif outcome.tokens_in and not outcome.thinking:
            observe(work.counter, prompt, outcome.tokens_in)
        long = outcome.overflow or cut
        if long and work.grow():
            # Given up for a better one; where the run is stopped before that, it is asked again.
            self._record(entry, prompt, outcome, "cancelled", cut_prompt=cut)
            entry.pending = True
        elif not (long and self._divide(entry, prompt, outcome)):
            self._failures = self._failures + 1 if outcome.error else 0
            self._record(entry, prompt, outcome, cut_prompt=cut)

    def _divide(self, entry: Entry, prompt: Prompt, outcome: Outcome) -> bool:
        """Put parts in the place of a call that does not fit; False where it cannot be divided."""
        parts = self._work.divide(entry)
        if parts:
            if outcome is _TOO_LONG:
                self._pace.start()
            self._pace.stop(outcome, parts)
            with begin_act(
                self._project, f"divide a call of {self._run.name}", self._who, undoable=False
            ) as act:
                self._keep(act, answer_of(entry, prompt, outcome, self._pace, "divided", self._sent))
        return bool(parts)

    def _record(
        self,
        entry: Entry,
        prompt: Prompt,
        outcome: Outcome,
        state: GenerationState | None = None,
        *,
        cut_prompt: bool = False,
    ) -> None:
        """Write an answer down, and with the last answer of a category what was found in it."""
        entry.pending = False
        self._pace.stop(outcome)
        counter = self._work.counter
        shared = reused(self._before, prompt, counter) / counter.scale
        self._before = prompt
        details = {
            "estimated_tokens": counter.unscaled(prompt.system + prompt.user),
            "shared_tokens": round(shared),
            "cut_prompt": cut_prompt,
        }
        recorded = bool(self._work.client.about)
        answer = answer_of(
            entry, prompt, outcome, self._pace, state, {**self._sent, **details}, recorded=recorded
        )
        with begin_act(self._project, f"answer to {self._run.name}", self._who, undoable=False) as act:
            self._keep(act, answer)
            if state is None:
                complete = [c for c in entry.call.categories if self._complete(entry, c)]
                self._write(act, entry.report, [self._cell(entry.report, c) for c in complete])

    def _write(self, act: Act, report: StoredDocument, cells: list[CellResult]) -> None:
        wanted = self._work.ledger.categories(report.uuid).union(self._work.wanted)
        write_cells(act, report, self._run.annotator, cells, wanted)

    def _keep(self, act: Act, answer: Answer) -> None:
        add_generation(act, self._run.uuid, answer)
        self._work.ledger.add(answer)

    def _complete(self, entry: Entry, category: str) -> bool:
        return not any(other.pending for other in self._work.of_category(entry.report.uuid, category))

    def _cell(self, report: StoredDocument, category: str) -> CellResult:
        work = self._work
        answers = [
            (work.answer(entry), work.prompts.form(entry.call.categories))
            for entry in work.of_category(report.uuid, category)
        ]
        return read_cell(category, answers, self._reader(report))

    def _reader(self, report: StoredDocument) -> ReportReader:
        """What grounds quotes in the report; prepared once for all its calls."""
        if self._polarities is None:
            self._polarities = PolarityReader()
        if self._reading is None or self._reading[0] != report.uuid:
            self._reading = report.uuid, ReportReader(report.document, self._polarities)
        return self._reading[1]

    def _write_unasked(self) -> Generator[Progress, None, None]:
        """Record the categories for which a report has no section to show: nothing asked, nothing found."""
        for report, category in self._work.unrecorded:
            yield Progress(0, self._work.pending, f"{report.key} {category}")
            with begin_act(self._project, f"answer to {self._run.name}", self._who, undoable=False) as act:
                self._keep(act, unasked_answer(report.uuid, category))
                self._write(act, report, [CellResult(category, (), whole=True)])

    def _why_stop(self, outcome: Outcome) -> str:
        if outcome.fatal:
            return outcome.error
        if self._failures >= _MOST_FAILURES:
            return f"{self._failures} calls failed one after the other, the last: {outcome.error}"
        return ""
