"""Several servers of one model, spoken to as if they were one: a server that fails is left to the others.

Each gets as many calls at once as it may have and, where it can be, those about the report that it had last,
which it has read already. Nothing waits in a queue: a call without a place looks for one when it is polled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from extractors.llm.types import (
    KEEP_ALIVE,
    Capabilities,
    Client,
    Exchange,
    LoadedModel,
    ModelCard,
    ModelEntry,
    Outcome,
    PullProgress,
    Request,
)
from extractors.model.errors import CallError, CasespanError, ServerError

T = TypeVar("T")
_MOST_FAILURES = 3
_GIVEN_UP = Outcome(error="The call was given up.")


@dataclass(slots=True, eq=False)
class _Server:
    """One of them: calls in flight there, failures one after the other, and why it was `left`, if so."""

    client: Client
    flying: int = 0
    failures: int = 0
    left: str = ""
    report: str = ""

    def failed(self, outcome: Outcome) -> None:
        self.failures += 1
        if outcome.fatal or self.failures >= _MOST_FAILURES:
            self.left = self.left or outcome.error


class SeveralServers(Client):
    """A client of clients; `parallel` calls are in flight at each, and `silence` seconds are a failure."""

    def __init__(self, clients: Sequence[Client], parallel: int, silence: float) -> None:
        self._servers = [_Server(client) for client in clients]
        self._parallel, self.silence = parallel, silence

    @property
    def number(self) -> int:
        """How many there are, with those that were left."""
        return len(self._servers)

    @property
    def left(self) -> dict[str, str]:
        """Which servers were left, and why."""
        return {one.client.where: one.left for one in self._servers if one.left}

    @property
    def label(self) -> str:
        return self._servers[0].client.label

    @property
    def where(self) -> str:
        return ", ".join(one.client.where for one in self._servers)

    @property
    def remote(self) -> str:
        return " and ".join(dict.fromkeys(one.client.remote for one in self._servers if one.client.remote))

    @property
    def capabilities(self) -> Capabilities:
        """What all of them can do; `parallel` is what those that are left can do together."""
        known = [one.client.capabilities for one in self._alive]
        if not known:
            return self._servers[0].client.capabilities
        return replace(
            known[0],
            probabilities=all(one.probabilities for one in known),
            parallel=sum(map(self._room, self._alive)),
            within_report=all(one.within_report for one in known),
        )

    def version(self) -> str:
        return self._first(lambda client: client.version())

    def models(self) -> tuple[ModelEntry, ...]:
        return self._first(lambda client: client.models())

    def pull(self, model: str) -> Iterator[PullProgress]:
        raise CallError(f"Have each server fetch {model} by itself: casespan pull {model} --host URL.")

    def card(self, model: str) -> ModelCard:
        """The model's description, the same everywhere; a server that does not answer is left.

        Raises CallError where servers have different models under that name.
        """
        found = self._each(lambda client: client.card(model))
        if len({card.digest for card in found if card.digest}) > 1:
            raise CallError(f"These servers have different models under the name {model}; fetch it again.")
        return found[0]

    def loaded_model(self, model: str) -> LoadedModel | None:
        """The one that has least: a context that all can keep."""
        found = [one for one in self._each(lambda client: client.loaded_model(model)) if one is not None]
        return min(found, key=lambda one: (one.on_gpu, one.context), default=None)

    def load(self, model: str, options: Mapping[str, int | float], keep_alive: str = KEEP_ALIVE) -> Exchange:
        return _Loading([(one, one.client.load(model, options, keep_alive)) for one in self._alive])

    def start(self, request: Request, wake: Callable[[], None] | None = None) -> Exchange:
        return _Call(self, request, wake)

    def place(self, request: Request, tried: Sequence[_Server]) -> _Server | None:
        """The server for a call, None where none has room now: who had its report, else who has least."""
        free = [one for one in self._alive if one not in tried and one.flying < self._room(one)]
        report = request.subject.report if request.subject else ""
        found = min(free, key=lambda one: (one.report != report, one.flying), default=None)
        if found is not None:
            found.flying, found.report = found.flying + 1, report
        return found

    def others(self, tried: Sequence[_Server]) -> bool:
        """Whether there is another server to try, now or later."""
        return any(one not in tried for one in self._alive)

    @property
    def _alive(self) -> list[_Server]:
        return [one for one in self._servers if not one.left]

    def _room(self, server: _Server) -> int:
        return min(self._parallel, server.client.capabilities.parallel or self._parallel)

    def _first(self, ask: Callable[[Client], T]) -> T:
        return self._each(ask)[0]

    def _each(self, ask: Callable[[Client], T]) -> list[T]:
        """What each says; raises what the last one did where none answers."""
        found: list[T] = []
        trouble: CasespanError = ServerError("None of the servers answers.")
        for one in self._alive:
            try:
                found.append(ask(one.client))
            except ServerError as error:
                one.left, trouble = str(error), error
        if not found:
            raise trouble
        return found


class _Call(Exchange):
    """A call at one server, and at another where that one fails."""

    def __init__(self, servers: SeveralServers, request: Request, wake: Callable[[], None] | None) -> None:
        self._servers, self._request, self._wake = servers, request, wake
        self._tried: list[_Server] = []
        self._outcome: Outcome | None = None
        self._failure = _GIVEN_UP
        self._where = ""
        self._begin()

    @property
    def where(self) -> str:
        """The server that was asked last."""
        return self._where

    @property
    def tokens(self) -> int:
        return self._inner.tokens if self._inner is not None else 0

    def poll(self, seconds: float) -> Outcome | None:
        """Wait for the end; a call that failed is begun again elsewhere."""
        if self._outcome is None and self._inner is None:
            self._begin()
        if self._outcome is None and self._inner is not None:
            outcome = self._inner.poll(seconds) or self._trouble()
            if outcome is not None:
                self._ended(outcome)
        return self._outcome

    def hang_up(self) -> None:
        if self._inner is not None:
            self._inner.hang_up()

    def close(self) -> None:
        if self._outcome is None and self._inner is not None:
            self._inner.close()
            self._outcome = self._inner.poll(0)
            self._leave()
        self._outcome = self._outcome or _GIVEN_UP

    def _begin(self) -> None:
        """Begin where there is room; without another server it has failed."""
        self._inner: Exchange | None = None
        self._server = self._servers.place(self._request, self._tried)
        self._seen, self._since = 0, time.monotonic()
        if self._server is not None:
            self._where = self._server.client.where
            self._inner = self._server.client.start(self._request, self._wake)
        elif not self._servers.others(self._tried):
            self._outcome = replace(self._failure, fatal=len(self._servers.left) == self._servers.number)

    def _trouble(self) -> Outcome | None:
        """What is wrong with a call that goes on: its server was left, or says nothing for too long."""
        if self._server is None or self._inner is None:
            return None
        if self._server.left:
            return Outcome(error=self._server.left, fatal=True)
        if self._inner.tokens > self._seen:
            self._seen, self._since = self._inner.tokens, time.monotonic()
        if time.monotonic() - self._since <= self._servers.silence:
            return None
        where = self._server.client.where
        return Outcome(error=f"{where} said nothing for {self._servers.silence:.0f} seconds.", fatal=True)

    def _ended(self, outcome: Outcome) -> None:
        server = self._server
        if server is None or not outcome.error or outcome.reply_only or outcome.overflow:
            if server is not None:
                server.failures = 0
            self._outcome = outcome
            self._leave()
            return
        self._tried.append(server)
        server.failed(outcome)
        self._failure = outcome
        if self._inner is not None:
            self._inner.close()
        self._leave()
        self._begin()

    def _leave(self) -> None:
        if self._server is not None:
            self._server.flying -= 1
        self._server = None


class _Loading(Exchange):
    """The model being loaded everywhere; it has ended when all have, and a server that cannot is left."""

    tokens = 0

    def __init__(self, loading: Sequence[tuple[_Server, Exchange]]) -> None:
        self._loading = loading
        self._outcome: Outcome | None = None

    def poll(self, seconds: float) -> Outcome | None:
        until = time.monotonic() + seconds
        found = [one.poll(max(0.0, until - time.monotonic())) for _, one in self._loading]
        ended = [outcome for outcome in found if outcome is not None]
        if self._outcome is None and len(ended) == len(found):
            good = [outcome for outcome in ended if not outcome.error]
            for (server, _), outcome in zip(self._loading, ended, strict=True):
                # Where memory is short everywhere, less context is tried on all of them.
                server.left = outcome.error if good else ""
            self._outcome = next(iter(good), ended[0] if ended else _GIVEN_UP)
        return self._outcome

    def hang_up(self) -> None:
        for _, one in self._loading:
            one.hang_up()

    def close(self) -> None:
        for _, one in self._loading:
            one.close()
        self._outcome = self._outcome or _GIVEN_UP
