"""A run with a model from its plan to its last answer, whatever the task."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from app.operations.extract.answers import Clock, no_probabilities
from app.operations.extract.calling.calls import POLL_SECONDS, Calls
from app.operations.extract.notes import about_server, require_permission
from app.operations.extract.options import ModelSummary, RunOptions, Trouble, Unplaced, total
from app.operations.extract.work import Work
from app.store.annotate.annotations import read_annotations
from app.store.annotate.reviews import reviews
from app.text import counted, duration, shortened
from extractors.llm.schedule import LEAST
from extractors.llm.tokens import sees_first_only
from extractors.model.errors import ServerError
from extractors.model.finding import PLACED
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.operations.extract.calling.asking import Asking
    from app.store.extract.runs import CallRecord
    from app.store.project import Project
    from extractors.llm.types import Client, LoadedModel

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ended:
    """A run as it stands: what it was to do, how many calls were made now, why it ended early ("" if not)."""

    work: Work
    made: int
    stopped: str


def run_task(
    project: Project,
    client: Client,
    options: RunOptions,
    asking: Callable[[], Asking],
    before: Callable[[Work], None] | None = None,
) -> Generator[Progress, None, Ended]:
    """Ask the model what the run with these settings has not been answered yet, and record every answer.

    Each answer is on disk, with what the task makes of it, before the next call starts; closing the generator
    gives up the calls under way and keeps the rest. No act is under way at a yield, so that whoever has lent
    an open project may change it in between. `before` hears of the work before the first call.

    Raises what `asking` raises, UnknownNameError for a report that
    is not there, ModelNotFoundError, ServerError or RemoteRefusedError before anything is recorded; later
    trouble with the server is told by the result.
    """
    clock = Clock()
    yield Progress(0, 0, "planning")
    require_permission(project, client.remote, options.permitted)
    # The client keeps the card; fetching it here leaves others their turn while the server is silent.
    yield from _waited(lambda: client.card(options.model), "asking the server")
    work = Work(project, client, options, asking())
    for note in work.notes:
        yield Progress(0, 0, note)
    made, stopped = 0, ""
    if work.pending:
        _require_vision(work)
    if before is not None:
        before(work)
    if work.pending:
        yield from _load(work)
        _require_probabilities(work)
        work.notes += about_server(client.capabilities, options)
    if work.unwritten or (work.run and work.run.state == "running"):
        calls = Calls(project, work, clock)
        stopped = yield from calls.run()
        made = calls.made
    return Ended(work, made, stopped)


def _require_vision(work: Work) -> None:
    """Raise ServerError where pictures are to be shown to a model that cannot see: servers do not ask."""
    if getattr(work.task, "shows_pictures", False) and not work.client.about:
        if "vision" not in work.card.capabilities:
            raise ServerError(
                f"The model {work.card.name} cannot see (its server names no vision among its powers), and "
                "nothing was asked. Choose a vision model."
            )
        if sees_first_only(work.card.sight or work.card.family):
            work.notes.append("Models of this family are known to look at the first picture of a call only.")


def _require_probabilities(work: Work) -> None:
    """Raise ServerError where replies are worth nothing without probabilities and the server gives none."""
    if work.client.about or work.client.capabilities.probabilities:
        return
    if any(
        entry.pending and getattr(work.task.form(entry.item), "probabilities", False)
        for entry in work.entries
    ):
        raise ServerError(no_probabilities(work.client))


def _load(work: Work) -> Generator[Progress, None, None]:
    """Have the model loaded with the context chosen, or with less where the memory does not suffice.

    Where a graphics card turns out to hold it, with more, since main memory is no limit then. Raises
    ServerError where it cannot be loaded at all, ContextError where main memory is too short and holds it.
    """
    if work.refusal is not None:
        loaded = yield from _loaded(work, LEAST)
        if not (loaded and loaded.on_gpu):
            raise work.refusal
        work.widen()
    loaded = yield from _loaded(work)
    if loaded and loaded.on_gpu and work.widen() and work.pending:
        loaded = yield from _loaded(work)
    work.keep_within(loaded)


def _loaded(work: Work, context: int | None = None) -> Generator[Progress, None, LoadedModel | None]:
    """Have the model loaded, with less context where the memory does not suffice; how the server holds it.

    With a `context` of its own that is only to see how it holds it.
    """
    while True:
        options = {**work.options.sampling(), **work.options.machine(), "num_ctx": context or work.context}
        with work.client.load(work.card.name, options, work.options.keep_alive) as exchange:
            while (outcome := exchange.poll(POLL_SECONDS)) is None:
                yield Progress(0, work.pending, f"loading {work.card.name}")
        if not outcome.error:
            break
        if context or "memory" not in outcome.error.lower() or work.context // 2 < LEAST:
            raise ServerError(outcome.error)
        work.shrink(work.context // 2, "the server has not enough memory for more")
    return (yield from _waited(lambda: work.client.loaded_model(work.card.name), f"loading {work.card.name}"))


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
    while not wait([answer], POLL_SECONDS).done:
        yield Progress(0, 0, note)
    return answer.result()


def summarise(project: Project, work: Work, made: int, stopped: str) -> ModelSummary:
    """Add up the answers that the reports asked for have, and what was found in them."""
    summary = ModelSummary(work.run.name if work.run else "", work.client.about)
    summary.made, summary.stopped = made, stopped
    summary.planned = len(work.entries)
    summary.unasked = len(work.unasked)
    summary.notes = list(work.notes)
    _count_calls(work, summary)
    _count_findings(project, work, summary)
    return summary


def _count_calls(work: Work, summary: ModelSummary) -> None:
    incomplete: dict[str, None] = {}
    harmless: list[Trouble] = []
    for entry in work.entries:
        key, category = entry.report.key, entry.item.question
        answer = work.ledger.of(entry)
        summary.prompt_tokens += entry.call.tokens
        summary.shared_tokens += entry.call.shared
        if answer is None or answer.state != "done":
            incomplete[key] = None
        if answer is not None and answer.state != "cancelled":
            summary.calls[answer.state] += 1
            troubles = harmless if answer.state == "done" else summary.troubles
            troubles += [Trouble(key, category, sentence) for sentence in _troubles(answer, work)]
    summary.troubles += harmless
    answers = list(filter(None, map(work.ledger.of, work.entries)))
    passed_on = {answer.details.get("remote") for answer in answers}
    summary.notes += [f"The reports' text was passed on to {name}." for name in passed_on if name]
    summary.incomplete = list(incomplete)
    summary.tokens_in = total(answer.tokens_in for answer in answers)
    summary.tokens_out = total(answer.tokens_out for answer in answers)
    summary.seconds = total(answer.seconds for answer in answers)
    summary.prefill_seconds = total(answer.details.get("prefill_seconds") for answer in answers)


def _troubles(answer: CallRecord, work: Work) -> Iterator[str]:
    """What went wrong in a call, a sentence each."""
    details = answer.details
    if answer.error:
        yield answer.error
    if details.get("cut_prompt"):
        yield (
            f"The server cut the prompt: it counted {answer.tokens_in} tokens where about "
            f"{details['estimated_tokens']} were sent into a context of {details['num_ctx']}; --resume asks "
            "again."
        )
    if answer.state == "incomplete" and answer.done_reason == "length" and not work.client.about:
        yield (
            f"The reply was cut at its limit of {details['num_predict']} tokens; --resume with a larger "
            "--reply-tokens asks again."
        )
    yield from details.get("problems", ())


def _count_findings(project: Project, work: Work, summary: ModelSummary) -> None:
    key_of = {report.uuid: report.key for report in work.reports}
    summary.findings = dict.fromkeys(key_of.values(), 0)
    if work.run is None:
        return
    for annotation in read_annotations(project, annotator=work.run.annotator):
        if annotation.document in key_of and annotation.finding.category in work.wanted:
            key, finding = key_of[annotation.document], annotation.finding
            summary.findings[key] += 1
            summary.groundings[finding.grounding] += 1
            if finding.grounding not in PLACED:
                summary.unplaced.append(
                    Unplaced(key, finding.category, finding.quote, finding.grounding, finding.reason)
                )
    for review in reviews(project):
        if review.annotator == work.run.annotator and review.document in key_of:
            summary.nothing_found += len(set(review.nothing_found) & set(work.wanted))


def describe_model_run(summary: ModelSummary) -> list[str]:
    """What a run found, then its calls, quotes, tokens and notes; without the lists."""
    quotes = sum(summary.findings.values())
    parts = [
        f"{summary.annotator}: {counted(quotes, 'quote')} in {counted(len(summary.findings), 'report')}."
    ]
    if summary.about:
        parts.append(summary.about)
    states = [f"{number} {state}" for state, number in summary.calls.items()]
    states += [f"{summary.missing} missing"] if summary.missing else []
    parts.append(f"{counted(summary.planned, 'call')}: {', '.join([*states, _made(summary)])}")
    placed = [f"{number} {status}" for status, number in summary.groundings.items()]
    parts.append(f"quotes: {', '.join(placed) or 'none'}; nothing found in {_cells(summary.nothing_found)}")
    if summary.unasked:
        parts.append(f"no section to show in {_cells(summary.unasked)}, which count as nothing found")
    return [*parts, *filter(None, (_tokens(summary), *summary.notes))]


def list_troubles(summary: ModelSummary) -> list[str]:
    """What went wrong in which report and category."""
    return [f"{one.report} {one.category or 'all categories'}: {one.sentence}" for one in summary.troubles]


def list_unplaced_quotes(summary: ModelSummary, width: int) -> list[str]:
    """The model's quotes that have no place, each cut to `width` characters, and why."""
    return [
        f"{one.report} {one.category}: {shortened(one.quote, width)!r}  ({one.status}: {one.reason})"
        for one in summary.unplaced
    ]


def _made(summary: ModelSummary) -> str:
    if summary.made:
        return f"{summary.made} made now"
    if summary.whole:
        return "nothing was left to do"
    again = "the recording has no more" if summary.about else "--resume repeats what failed"
    return f"none made now; {again}"


def _cells(number: int) -> str:
    return counted(number, "report-category pair")


def _tokens(summary: ModelSummary) -> str:
    """Tokens, the time of all calls, also of those in flight at once, and how much of the prompts the server
    could take over from the call before."""
    if summary.tokens_in is None or summary.tokens_out is None or summary.seconds is None:
        return ""
    words = f"{summary.tokens_in:,} tokens read, {summary.tokens_out:,} written, "
    words += f"{duration(summary.seconds)} of calls"
    if summary.shared is not None:
        words += f"; {summary.shared:.0%} of the prompts' tokens stood in the call before"
    return words
