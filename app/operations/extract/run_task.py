"""A run with a model from its plan to its last answer, whatever the task."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future, wait
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from app.operations.extract.answers import Clock, no_probabilities
from app.operations.extract.calling.calls import POLL_SECONDS, Calls
from app.operations.extract.notes import about_server, require_permission
from app.operations.extract.work import Work
from extractors.llm.pictures import sees_first_only
from extractors.model.errors import ServerError
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.operations.extract.calling.asking import Asking
    from app.operations.extract.options import RunOptions
    from app.store.project import Project
    from extractors.llm.types import Client, LoadedModel

T = TypeVar("T")

_LEAST_CONTEXT = 2048


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
        work.notes += about_server(client.capabilities, options.parallel)
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
    ServerError where it cannot be loaded at all.
    """
    loaded = yield from _loaded(work)
    if loaded and loaded.on_gpu and work.widen() and work.pending:
        loaded = yield from _loaded(work)
    if loaded and 0 < loaded.context < work.context:
        work.shrink(loaded.context, "the server gave no more")


def _loaded(work: Work) -> Generator[Progress, None, LoadedModel | None]:
    """Have the model loaded, with less context where the memory does not suffice; how the server holds it."""
    while True:
        options = {**work.options.sampling(), **work.options.machine(), "num_ctx": work.context}
        with work.client.load(work.card.name, options, work.options.keep_alive) as exchange:
            while (outcome := exchange.poll(POLL_SECONDS)) is None:
                yield Progress(0, work.pending, f"loading {work.card.name}")
        if not outcome.error:
            break
        if "memory" not in outcome.error.lower() or work.context // 2 < _LEAST_CONTEXT:
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
