"""Answers from a model server that speaks Ollama's protocol, on this machine unless the user allows another.

A call goes to /api/generate: there every server from 0.12 on applies the schema from the first token and
keeps its order of keys, while /api/chat, depending on version and model, sorts the keys (0.33) or forgets the
schema where thinking is off (0.24). With thinking it goes to /api/chat, which applies the schema after the
thoughts; so do gpt-oss models: their reply format (harmony) breaks under a schema from the first token, and
their thinking cannot be turned off, only low.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from extractors.llm import models
from extractors.llm.clients.exchange import OllamaExchange
from extractors.llm.clients.feed import Feed
from extractors.llm.clients.sockets import GivenUpError, Patience
from extractors.llm.clients.wire import Json, StatusError, call, lines, said_in, whole
from extractors.llm.hosts import DEFAULT_HOST, server_address
from extractors.llm.models import LoadedModel, ModelEntry
from extractors.llm.types import ModelCard, Request
from extractors.model.errors import ModelNotFoundError, RemoteRefusedError, ServerError

CallFor: TypeAlias = Callable[[ModelCard], tuple[str, Json]]

HARMONY_FAMILIES = ("gptoss", "gpt-oss")
KEEP_ALIVE = "30m"
SILENCE_SECONDS = 1800.0
ANSWER_SECONDS = 60.0
BUSY_WAITS = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
NAMED = 20
PULL_TICK = 0.25
PULL_LIMIT = 1 << 30


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far a model's download is; bytes, 0 where the step has none."""

    status: str
    completed: int = 0
    total: int = 0


class OllamaClient:
    """A server at `host`; the environment (OLLAMA_HOST, OLLAMA_API_KEY, proxies) has no say.

    `silence` is how many seconds a reply may stay away without a byte before it counts as lost, `busy_waits`
    the pauses before another try where the server's queue is full. Raises RemoteRefusedError for a host that
    is not this machine, unless `allow_remote`, UnknownNameError or ServerError for a host that is none.
    """

    def __init__(
        self,
        host: str = DEFAULT_HOST,
        *,
        allow_remote: bool = False,
        silence: float = SILENCE_SECONDS,
        busy_waits: tuple[float, ...] = BUSY_WAITS,
    ) -> None:
        self._address = server_address(host)
        self._allow_remote = allow_remote
        self._silence = silence
        self._busy_waits = busy_waits
        self._cards: dict[str, ModelCard] = {}
        if not self._address.loopback and not allow_remote:
            target = ", ".join(self._address.addresses)
            raise RemoteRefusedError(
                f"The reports' text would leave this machine for {self._address.url} ({target}); add "
                "--allow-remote if it may."
            )

    @property
    def where(self) -> str:
        """The server's address."""
        return self._address.url

    @property
    def about(self) -> str:
        """Nothing: the answers are a model's own."""
        return ""

    @property
    def remote(self) -> str:
        """The server's address where it is another machine, else ""."""
        return "" if self._address.loopback else self.where

    def version(self, patience: Patience | None = None) -> str:
        """The server's version; raises ServerError."""
        return models.name(self._ask("/api/version", None, patience).get("version"))

    def loaded(self) -> tuple[LoadedModel, ...]:
        """The models in the server's memory; raises ServerError."""
        running = models.sequence(self._ask("/api/ps").get("models"))
        return tuple(models.loaded_model(models.mapping(one)) for one in running)

    def models(self) -> tuple[ModelEntry, ...]:
        """The models that the server has, in its order; raises ServerError."""
        loaded = self.loaded()
        entries = []
        for listed in self._listed():
            entry = models.entry(listed, loaded)
            # To show a cloud model, a server may ask the cloud.
            shown = {} if entry.remote else self._shown(entry.name)
            cache = models.cache_bytes(models.mapping(shown.get("model_info")))
            context = models.trained_context(shown)
            entries.append(replace(entry, context=context, cache_bytes=cache))
        return tuple(entries)

    def card(self, model: str) -> ModelCard:
        """The model's description with its vocabulary, fetched once.

        Raises ModelNotFoundError for a model that the server does not have, RemoteRefusedError for one that
        runs on another machine where that is not allowed, ServerError.
        """
        known = self._cards.get(model)
        return known if known and known.vocabulary else self._card(model, self._patience(), verbose=True)

    def allocated_context(self, model: str) -> int:
        """Tokens of context that the server gave the model, 0 while it is not loaded; raises ServerError."""
        return next((one.context for one in self.loaded() if models.same_model(one.name, model)), 0)

    def load(self, model: str, options: Mapping[str, int | float]) -> OllamaExchange:
        """Have the model loaded with these options; done_reason "load" is success.

        Give the options of the calls to come: a server loads anew where num_ctx or shift differ.
        """
        body = {
            "model": model,
            "stream": True,
            "options": dict(options),
            "shift": False,
            "keep_alive": KEEP_ALIVE,
        }
        return self._begin(model, lambda _: ("/api/generate", body), ("load",))

    def start(self, request: Request) -> OllamaExchange:
        """Send a request and return at once; whatever goes wrong is in the outcome."""
        return self._begin(request.model, lambda card: _call_for(request, card), ("stop", "length"))

    def pull(self, model: str) -> Generator[PullProgress, None, None]:
        """Have the server fetch a model; ends only where it is there. Closing the iterator gives it up.

        While the server is silent the last progress comes again, four times a second. Raises
        ModelNotFoundError where its library has no such model, RemoteRefusedError, ServerError.
        """
        self._refuse_cloud_name(model)
        body = {"model": model, "stream": True}
        patience = Patience(self._silence, limit=PULL_LIMIT)
        feed = Feed(lambda patience: self._stream("/api/pull", body, patience), patience)
        progress = PullProgress("waiting for the server")
        try:
            while progress.status != "success":
                with suppress(queue.Empty):
                    progress = _progress(feed.get(PULL_TICK), model)
                yield progress
        finally:
            feed.close()

    def _patience(self) -> Patience:
        """For what a server answers out of its head."""
        seconds = min(self._silence, ANSWER_SECONDS)
        return Patience(seconds, seconds)

    def _ask(self, path: str, body: Json | None = None, patience: Patience | None = None) -> Json:
        with call(self._address, path, body, patience or self._patience()) as response:
            return whole(response)

    def _stream(self, path: str, body: Json, patience: Patience) -> Iterator[Json]:
        with call(self._address, path, body, patience) as response:
            yield from lines(response)

    def _listed(self, patience: Patience | None = None) -> list[Json]:
        listed = models.sequence(self._ask("/api/tags", None, patience).get("models"))
        return [one for one in listed if isinstance(one, dict)]

    def _shown(self, name: str) -> Json:
        try:
            return self._ask("/api/show", {"model": name})
        except StatusError:
            return {}

    def _card(self, model: str, patience: Patience, verbose: bool) -> ModelCard:
        self._refuse_cloud_name(model)
        entries = [models.entry(listed) for listed in self._listed(patience)]
        listed = next((entry for entry in entries if models.same_model(entry.name, model)), None)
        self._refuse_remote(model, listed.remote if listed else "")
        try:
            shown = self._ask("/api/show", {"model": model, "verbose": verbose}, patience)
        except StatusError as error:
            if error.status == 404 and error.said:
                raise self._missing(model, entries) from error
            raise
        card = models.card(model, listed, shown, self.version(patience))
        self._refuse_remote(model, card.remote)
        self._cards[model] = card
        return card

    def _missing(self, model: str, entries: list[ModelEntry]) -> ModelNotFoundError:
        there = ", ".join(entry.name for entry in entries[:NAMED]) or "none"
        there += f" and {len(entries) - NAMED} more" if len(entries) > NAMED else ""
        return ModelNotFoundError(
            f"The server at {self.where} has no model {model}; those there are: {there}; "
            f"`casespan pull {model}` fetches it."
        )

    def _refuse_cloud_name(self, model: str) -> None:
        self._refuse_remote(model, "another machine" if models.is_cloud_name(model) else "")

    def _refuse_remote(self, model: str, remote: str) -> None:
        if remote and not self._allow_remote:
            raise RemoteRefusedError(
                f"The model {model} runs on {remote}, and the reports' text would go there; add "
                "--allow-remote if it may."
            )

    def _begin(self, model: str, call_for: CallFor, reasons: tuple[str, ...]) -> OllamaExchange:
        feed = Feed(lambda patience: self._reply(model, call_for, patience), Patience(self._silence))
        return OllamaExchange(feed, reasons, allow_remote=self._allow_remote)

    def _reply(self, model: str, call_for: CallFor, patience: Patience) -> Iterator[Json]:
        card = self._cards.get(model) or self._card(model, patience, verbose=False)
        begun = False
        try:
            for line in self._stream_when_free(*call_for(card), patience):
                begun = True
                yield line
        except GivenUpError:
            if not begun:
                self._unload(model)
            raise

    def _unload(self, model: str) -> None:
        # Servers up to 0.24 at least read a prompt to its end although the caller hung up, and the next call
        # waits for that; only unloading the model stops them.
        with suppress(ServerError):
            self._ask("/api/generate", {"model": model, "keep_alive": 0}, Patience(1.0))

    def _stream_when_free(self, path: str, body: Json, patience: Patience) -> Iterator[Json]:
        for wait in (*self._busy_waits, None):
            try:
                yield from self._stream(path, body, patience)
                return
            except StatusError as error:
                if error.status != 503 or wait is None:
                    raise
                patience.stop.wait(wait)


def _call_for(request: Request, card: ModelCard) -> tuple[str, Json]:
    """Path and body of a request to this model."""
    prompt = request.prompt
    harmony = card.family in HARMONY_FAMILIES
    thinks = request.think and "thinking" in card.capabilities
    body: dict[str, Any] = {
        "model": request.model,
        "stream": True,
        "format": prompt.form.schema(),
        "options": dict(request.options),
        "truncate": False,
        "shift": False,
        "think": "low" if harmony and not thinks else thinks,
        "keep_alive": KEEP_ALIVE,
    }
    if thinks or harmony:
        turns = (("system", prompt.system), ("user", prompt.user))
        return "/api/chat", body | {"messages": [{"role": role, "content": words} for role, words in turns]}
    return "/api/generate", body | {"system": prompt.system, "prompt": prompt.user}


def _progress(line: Json | None, model: str) -> PullProgress:
    if line is None:
        raise ServerError(f"The server stopped fetching {model} without saying that it succeeded; try again.")
    if "error" in line:
        said = said_in(line)
        if "file does not exist" in said or "not found" in said:
            raise ModelNotFoundError(f"The library that the server asks has no model {model}: {said}.")
        raise ServerError(f"The server could not fetch {model}: {said}.")
    numbers = (models.count(line.get(key)) or 0 for key in ("completed", "total"))
    return PullProgress(models.name(line.get("status")), *numbers)
