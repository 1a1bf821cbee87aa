"""Answers from a model server that speaks Ollama's protocol, on this machine unless the user allows another.

A call goes to /api/generate: there every server from 0.12 on applies the schema from the first token and
keeps its order of keys, while /api/chat, depending on version and model, sorts the keys (0.33) or forgets the
schema where thinking is off (0.24). With thinking it goes to /api/chat, which applies the schema after the
thoughts; so do gpt-oss models: their reply format (harmony) breaks under a schema from the first token, and
their thinking cannot be turned off, only low.
"""

from __future__ import annotations

import asyncio
import queue
import re
import time
from base64 import b64encode
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import cache

import ollama

from extractors.llm import models
from extractors.llm.backends.exchange import Feed, Piece, ServerExchange, probabilities_in, wait_for
from extractors.llm.backends.transport import (
    SILENCE_SECONDS,
    Json,
    Line,
    Manner,
    StatusError,
    client_settings,
    error_message,
)
from extractors.llm.hosts import (
    DEFAULT_HOST,
    ServerAddress,
    refuse_other_machine,
    refuse_remote_model,
    server_address,
)
from extractors.llm.types import (
    KEEP_ALIVE,
    Capabilities,
    Client,
    LoadedModel,
    ModelCard,
    ModelEntry,
    Outcome,
    PullProgress,
    Request,
)
from extractors.model.errors import ModelNotFoundError, ServerError

HARMONY_FAMILIES = ("gptoss", "gpt-oss")
BUSY_WAITS = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
# In which a server has looked up which model a call is about.
TAKEN_SECONDS = 0.02
PULL_TICK = 0.25
PULL_LIMIT = 1 << 30
# In which the word to unload has gone out: a silent server heeds it when it wakes.
UNLOAD_SECONDS = 0.5
# The first that gives probabilities of a reply's tokens.
PROBABILITIES_SINCE = (0, 12, 11)
MANNER = Manner(
    "Ollama",
    "start Ollama (its app, or `ollama serve`)",
    "; for an OpenAI-compatible server write the address with its path, like /v1, or --backend openai",
)


class PinnedOllama(ollama.AsyncClient):
    """The package's client, bound to checked addresses, with the two fields of a call that it lacks.

    Its own generate and chat take neither `truncate` nor `shift`, leave out which machine a reply came from,
    end a line where a reply holds U+0085 and give up at a number that is none: so a call goes through `line`.
    """

    def __init__(self, address: ServerAddress, silence: float, key: str) -> None:
        super().__init__(address.url, **client_settings(address, silence))
        self.line = Line(self._client, address, MANNER, silence, key)

    def call(self, path: str, body: Json) -> AsyncGenerator[Json, None]:
        """The lines of a reply; the server is told to cut no prompt in silence, before or while it writes."""
        asks = "prompt" in body or "messages" in body
        return self.line.objects(path, {**body, **({"truncate": False} if asks else {}), "shift": False})


@cache
def _capabilities(version: str) -> Capabilities:
    numbers = re.match(r"(\d+)\.(\d+)\.(\d+)", version)
    # One that was built from source says 0.0.0.
    older = numbers is not None and (0, 0, 0) < tuple(map(int, numbers.groups())) < PROBABILITIES_SINCE
    probabilities = bool(version) and not older
    return Capabilities(sets_context=True, fetches=True, schema="format", probabilities=probabilities)


class OllamaClient(Client):
    """A server at `host`; the environment (OLLAMA_HOST, OLLAMA_API_KEY, proxies) has no say.

    `silence` is how many seconds a reply may stay away without a byte before it counts as lost, `busy_waits`
    the pauses before another try where the server's queue is full. Raises RemoteRefusedError for a host that
    is not this machine, unless `allow_remote`, UnknownNameError or ServerError for a host that is none.
    """

    label = "Ollama"

    def __init__(
        self,
        host: str = DEFAULT_HOST,
        *,
        allow_remote: bool = False,
        key: str = "",
        silence: float = SILENCE_SECONDS,
        busy_waits: tuple[float, ...] = BUSY_WAITS,
    ) -> None:
        self._address = server_address(host)
        self._allow_remote = allow_remote
        self._busy_waits = busy_waits
        self._cards: dict[str, ModelCard] = {}
        # Those that were fetched with the vocabulary, which some models keep to themselves.
        self._whole: set[str] = set()
        self._looking = asyncio.Lock()
        self._looked_at = 0.0
        self._entries: list[ModelEntry] = []
        refuse_other_machine(self._address, allow_remote)
        self._ollama = PinnedOllama(self._address, silence, key)
        self._line = self._ollama.line

    @property
    def where(self) -> str:
        """The server's address."""
        return self._address.url

    @property
    def remote(self) -> str:
        """The server's address where it is another machine, else ""."""
        return "" if self._address.loopback else self.where

    @property
    def capabilities(self) -> Capabilities:
        """The same for every server, but for probabilities, which came with a version."""
        return _capabilities(next((card.server for card in self._cards.values()), ""))

    def version(self) -> str:
        """The server's version; raises ServerError."""
        return wait_for(self._version())

    def loaded(self) -> tuple[LoadedModel, ...]:
        """The models in the server's memory; raises ServerError."""
        running = models.sequence(wait_for(self._line.ask("/api/ps")).get("models"))
        return tuple(models.loaded_model(models.mapping(one)) for one in running)

    def models(self) -> tuple[ModelEntry, ...]:
        """The models that the server has, in its order; raises ServerError."""
        loaded = self.loaded()
        entries = []
        for listed in wait_for(self._listed()):
            entry = models.entry(listed, loaded)
            # To show a cloud model, a server may ask the cloud.
            shown = {} if entry.remote else wait_for(self._shown(entry.name))
            cache = models.cache_bytes(models.mapping(shown.get("model_info")))
            context = models.trained_context(shown)
            entries.append(replace(entry, context=context, cache_bytes=cache))
        return tuple(entries)

    def card(self, model: str) -> ModelCard:
        """The model's description with its vocabulary, fetched once.

        Raises ModelNotFoundError for a model that the server does not have, RemoteRefusedError for one that
        runs on another machine where that is not allowed, ServerError.
        """
        return self._cards[model] if model in self._whole else wait_for(self._card(model, verbose=True))

    def loaded_model(self, model: str) -> LoadedModel | None:
        """How the server holds the model, None while it is not loaded; raises ServerError."""
        return next((one for one in self.loaded() if models.same_model(one.name, model)), None)

    def load(
        self, model: str, options: Mapping[str, int | float], keep_alive: str = KEEP_ALIVE
    ) -> ServerExchange:
        """Have the model loaded with these options; done_reason "load" is success.

        Give the options of the calls to come: a server loads anew where num_ctx or shift differ.
        """
        body: Json = {"model": model, "stream": True, "options": dict(options), "keep_alive": keep_alive}
        reply = self._reply(model, lambda _: ("/api/generate", body), asks=False)
        return ServerExchange(reply, ("load",), allow_remote=self._allow_remote)

    def start(self, request: Request, wake: Callable[[], None] | None = None) -> ServerExchange:
        """Send a request and return at once; whatever goes wrong is in the outcome."""
        reply = self._reply(request.model, lambda card: _call_for(request, card), asks=True)
        return ServerExchange(reply, ("stop", "length"), allow_remote=self._allow_remote, wake=wake)

    def pull(self, model: str) -> Generator[PullProgress, None, None]:
        """Have the server fetch a model; ends only where it is there. Closing the iterator gives it up.

        While the server is silent the last progress comes again, four times a second. Raises
        ModelNotFoundError where its library has no such model, RemoteRefusedError, ServerError.
        """
        self._refuse_cloud_name(model)
        feed = Feed(_all(self._line, "/api/pull", {"model": model, "stream": True}))
        progress = PullProgress("waiting for the server")
        try:
            while progress.status != "success":
                with suppress(queue.Empty):
                    progress = _progress(feed.get(PULL_TICK), model)
                yield progress
        finally:
            feed.close()

    async def _version(self) -> str:
        return models.name((await self._line.ask("/api/version")).get("version"))

    async def _listed(self) -> list[Json]:
        listed = models.sequence((await self._line.ask("/api/tags")).get("models"))
        return [one for one in listed if isinstance(one, dict)]

    async def _shown(self, name: str) -> Json:
        try:
            return await self._line.ask("/api/show", {"model": name})
        except StatusError:
            return {}

    async def _card(self, model: str, *, verbose: bool) -> ModelCard:
        self._refuse_cloud_name(model)
        entries = [models.entry(listed) for listed in await self._listed()]
        listed = next((entry for entry in entries if models.same_model(entry.name, model)), None)
        self._refuse_remote(model, listed.remote if listed else "")
        try:
            shown = await self._line.ask("/api/show", {"model": model, "verbose": verbose})
        except StatusError as error:
            if error.status == 404 and error.detail:
                raise self._missing(model, entries) from error
            raise
        card = models.card(model, listed, shown, await self._version())
        self._refuse_remote(model, card.remote)
        self._cards[model] = card
        if verbose:
            self._whole.add(model)
        return card

    async def _digest(self, model: str, asked: float) -> str:
        """The digest of what the model's name stood for when a call was taken, "" where that cannot be told.

        One look at the list tells it of all calls that the server had taken when it began.
        """
        taken = min(time.monotonic(), asked + TAKEN_SECONDS)
        async with self._looking:
            if self._looked_at < taken:
                begun = time.monotonic()
                self._entries = []
                with suppress(ServerError):
                    self._entries = [models.entry(listed) for listed in await self._listed()]
                    self._looked_at = begun
            entries = self._entries
        return next((entry.digest for entry in entries if models.same_model(entry.name, model)), "")

    def _missing(self, model: str, entries: list[ModelEntry]) -> ModelNotFoundError:
        return ModelNotFoundError(
            f"The server at {self.where} has no model {model}; those there are: {models.named(entries)}; "
            f"`casespan pull {model}` fetches it."
        )

    def _refuse_cloud_name(self, model: str) -> None:
        self._refuse_remote(model, models.remote_by_name(model))

    def _refuse_remote(self, model: str, remote: str) -> None:
        refuse_remote_model(model, remote, self._allow_remote)

    async def _reply(
        self, model: str, call_for: Callable[[ModelCard], tuple[str, Json]], *, asks: bool
    ) -> AsyncGenerator[Piece | Outcome, None]:
        card = self._cards.get(model) or await self._card(model, verbose=False)
        last: Json = {}
        asked = 0.0
        try:
            async with aclosing(self._when_free(*call_for(card))) as lines:
                async for last in lines:
                    if not last:
                        asked = time.monotonic()
                        continue
                    # Before anything else that the line says: whether it came from another machine.
                    yield Piece(remote=models.remote_of(last))
                    yield _piece(last)
                    if last.get("done") is True:
                        break
        except asyncio.CancelledError:
            if not last:
                await self._unload(model)
            raise
        if last.get("done") is True:
            yield replace(_end(last), digest=await self._digest(model, asked) if asks else "")

    async def _unload(self, model: str) -> None:
        # Servers up to 0.24 at least read a prompt to its end although the caller hung up, and the next call
        # waits for that; only unloading the model stops them.
        with suppress(ServerError):
            await self._line.ask("/api/generate", {"model": model, "keep_alive": 0}, UNLOAD_SECONDS)

    async def _when_free(self, path: str, body: Json) -> AsyncGenerator[Json, None]:
        """The lines of a reply, an empty one each time that it is asked for."""
        for wait in (*self._busy_waits, None):
            yield {}
            try:
                async with aclosing(self._ollama.call(path, body)) as lines:
                    async for line in lines:
                        yield line
                return
            except StatusError as error:
                if error.status != 503 or wait is None:
                    raise
                await asyncio.sleep(wait)


async def _all(line: Line, path: str, body: Json) -> AsyncGenerator[Json, None]:
    async with aclosing(line.objects(path, body, PULL_LIMIT)) as lines:
        async for one in lines:
            yield one


def _call_for(request: Request, card: ModelCard) -> tuple[str, Json]:
    """Path and body of a request to this model."""
    prompt = request.prompt
    harmony = card.family in HARMONY_FAMILIES
    thinks = request.think and "thinking" in card.capabilities
    common: Json = {
        "model": request.model,
        "stream": True,
        **({"format": schema} if (schema := prompt.form.schema()) else {}),
        "options": dict(request.options),
        "think": "low" if harmony and not thinks else thinks,
        "keep_alive": request.keep_alive,
        **({"logprobs": True} if request.probabilities else {}),
    }
    if thinks or harmony:
        turns = (("system", prompt.system), ("user", prompt.user))
        messages: list[Json] = [{"role": role, "content": words} for role, words in turns]
        messages[-1] |= _images(request)
        return "/api/chat", common | {"messages": messages}
    return "/api/generate", common | {"system": prompt.system, "prompt": prompt.user} | _images(request)


def _images(request: Request) -> Json:
    """The pictures, for the marks of the user's turn in their order."""
    pictures = [b64encode(one.read()).decode("ascii") for one in request.prompt.pictures]
    return {"images": pictures} if pictures else {}


def _piece(line: Json) -> Piece:
    if "error" in line:
        reason = error_message(line) or "an error without a name"
        raise StatusError(f"The server broke the reply off: {reason}.", 0, reason)
    message = models.mapping(line.get("message"))
    return Piece(
        models.text(message.get("content")) or models.text(line.get("response")),
        models.text(message.get("thinking")) or models.text(line.get("thinking")),
        probabilities=probabilities_in(line.get("logprobs")),
    )


def _end(line: Json) -> Outcome:
    return Outcome(
        done_reason=models.plain_words(models.text(line.get("done_reason"))),
        tokens_in=models.count(line.get("prompt_eval_count")) or None,
        tokens_out=models.count(line.get("eval_count")),
        load_seconds=_seconds(line.get("load_duration")),
        prefill_seconds=_seconds(line.get("prompt_eval_duration")),
        reply_seconds=_seconds(line.get("eval_duration")),
    )


def _seconds(nanoseconds: object) -> float | None:
    whole = models.count(nanoseconds)
    return None if whole is None else whole / 1e9


def _progress(line: Json | None, model: str) -> PullProgress:
    if line is None:
        raise ServerError(f"The server stopped fetching {model} without saying that it succeeded; try again.")
    if "error" in line:
        reason = error_message(line)
        if "file does not exist" in reason or "not found" in reason:
            raise ModelNotFoundError(f"The library that the server asks has no model {model}: {reason}.")
        raise ServerError(f"The server could not fetch {model}: {reason}.")
    numbers = (models.count(line.get(key)) or 0 for key in ("completed", "total"))
    return PullProgress(models.name(line.get("status")), *numbers)
