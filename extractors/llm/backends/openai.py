"""Answers from a server that speaks OpenAI's protocol: vLLM, llama.cpp, LM Studio and others.

What such a server can do is found out by asking it, never by its name: how it holds replies to a schema and
which sampler options it takes by a call of a few tokens, its context and how many calls it works on at once
by the descriptions that servers of this kind give.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

import httpx

from extractors.llm import models
from extractors.llm.backends.dialects import CONSTRAINTS, Way, body_of, follows, for_probabilities, probing
from extractors.llm.backends.exchange import Piece, ServerExchange, probabilities_in, wait_for
from extractors.llm.backends.transport import (
    SILENCE_SECONDS,
    Json,
    Line,
    Manner,
    StatusError,
    client_settings,
    error_message,
    json_object,
)
from extractors.llm.hosts import refuse_other_machine, refuse_remote_model, server_address
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
from extractors.model.errors import CallError, ModelNotFoundError

BASE = "/v1"
MANNER = Manner("a model server", "start it")
# Where servers of this kind describe themselves, beside the base path.
DESCRIPTIONS = ("/props", "/version", "/api/v0/models")


@dataclass(frozen=True, slots=True)
class _Described:
    """What a server says of itself; by model, what it says of that. `vision` is false where it says that it
    takes no pictures; those that say nothing refuse them in words."""

    label: str = "OpenAI-compatible server"
    version: str = ""
    context: int = 0
    parallel: int = 0
    within_report: bool = False
    vision: bool = True
    models: Mapping[str, Mapping[str, Any]] | None = None


class OpenAIClient(Client):
    """A server at a base address, "/v1" where it has no path; the environment has no say.

    `key` goes to that address as a bearer token. Raises RemoteRefusedError for a host that is not this
    machine, unless `allow_remote`, UnknownNameError or ServerError for a host that is none.
    """

    def __init__(
        self, host: str, *, allow_remote: bool = False, key: str = "", silence: float = SILENCE_SECONDS
    ) -> None:
        address = server_address(host, with_path=True)
        self._address = replace(address, path=address.path or BASE)
        self._allow_remote = allow_remote
        self._silence = silence
        refuse_other_machine(self._address, allow_remote)
        http = httpx.AsyncClient(**client_settings(self._address, silence))
        self._line = Line(http, self._address, MANNER, silence, key)
        root = replace(self._address, path=self._address.path.removesuffix(BASE))
        self._root = Line(http, root, MANNER, silence, key)
        self._described: _Described | None = None
        self._ways: dict[str, Way] = {}
        # Models that think, of a server that heeds nothing of what templates are told: Ollama.
        self._thinkers: set[str] = set()

    @property
    def label(self) -> str:
        """What the server turned out to be."""
        return self._description().label

    @property
    def where(self) -> str:
        """The server's base address."""
        return f"{self._address.url}{self._address.path}"

    @property
    def remote(self) -> str:
        """The server's address where it is another machine, else ""."""
        return "" if self._address.loopback else self.where

    @property
    def capabilities(self) -> Capabilities:
        """What was found out so far."""
        given = self._described or _Described()
        way = next(iter(self._ways.values()), None)
        return Capabilities(
            schema=way.schema if way else "",
            probabilities=way is None or way.probabilities,
            parallel=given.parallel,
            within_report=given.within_report,
        )

    def version(self) -> str:
        """The server's version, "" where it does not say."""
        return self._description().version

    def models(self) -> tuple[ModelEntry, ...]:
        """The models that the server offers, in its order; raises ServerError."""
        return tuple(self._entry(one) for one in wait_for(self._listed()))

    def card(self, model: str) -> ModelCard:
        """The model as far as the server describes it.

        Raises ModelNotFoundError, RemoteRefusedError for one that runs on another machine where that is not
        allowed, ServerError.
        """
        entries = list(self.models())
        entry = _named(entries, model)
        if entry is None:
            raise ModelNotFoundError(
                f"The server at {self.where} has no model {model}; those there are: {models.named(entries)}."
            )
        shown = {} if entry.context else wait_for(self._beside("/api/show", {"model": entry.name}))
        remote = models.remote_of(shown) or models.remote_by_name(entry.name if shown else "")
        refuse_remote_model(entry.name, remote, self._allow_remote)
        supposed = ("thinking", *(("vision",) if self._description().vision else ()))
        told = tuple(map(models.text, models.sequence(shown.get("capabilities"))))
        self._thinkers |= {entry.name} if "thinking" in told else set()
        if shown:
            entry = wait_for(self._as_stored(entry))
        server = f"{self.label} {self.version()}".strip()
        return ModelCard(
            **asdict(replace(entry, remote=remote)), capabilities=told or supposed, server=server
        )

    def loaded_model(self, model: str) -> LoadedModel | None:
        """The context that the server has for the model, which no call can change."""
        entry = _named(self.models(), model)
        context = entry and (entry.context or wait_for(self._held(entry.name)))
        return LoadedModel(model, context) if context else None

    def load(
        self, model: str, options: Mapping[str, int | float], keep_alive: str = KEEP_ALIVE
    ) -> ServerExchange:
        """Find out how the model is held to a schema, which loads it where the server does that on demand."""
        return ServerExchange(self._loaded(model), ("load",), allow_remote=self._allow_remote)

    def start(self, request: Request, wake: Callable[[], None] | None = None) -> ServerExchange:
        """Send a request and return at once; whatever goes wrong is in the outcome."""
        return ServerExchange(
            self._reply(request), ("stop", "length"), allow_remote=self._allow_remote, wake=wake
        )

    def pull(self, model: str) -> Iterator[PullProgress]:
        """Nothing that such a server can do; raises CallError."""
        raise CallError(f"The server at {self.where} fetches no models; give it {model} by its own means.")

    def _description(self) -> _Described:
        if self._described is None:
            self._described = wait_for(self._describe())
        return self._described

    async def _describe(self) -> _Described:
        """Ask at every place where servers describe themselves; what is not there says nothing."""
        answers: dict[str, Json] = {}
        for path in DESCRIPTIONS:
            with suppress(StatusError):
                answers[path] = await self._root.ask(path)
        props, version, listed = (answers.get(path, {}) for path in DESCRIPTIONS)
        slots = models.count(props.get("total_slots")) or 0
        context = models.count(models.mapping(props.get("default_generation_settings")).get("n_ctx")) or 0
        by_model = {
            models.name(one.get("id")): one
            for one in map(models.mapping, models.sequence(listed.get("data")))
            if "max_context_length" in one
        }
        if slots:
            sees = models.mapping(props.get("modalities")).get("vision") is not False
            return _Described("llama.cpp", models.name(props.get("build_info")), context, slots, vision=sees)
        if by_model:
            return _Described("LM Studio", models=by_model)
        number = models.name(version.get("version"))
        return _Described("vLLM", number, within_report=True) if number else _Described()

    async def _listed(self) -> list[Mapping[str, Any]]:
        if self._described is None:
            self._described = await self._describe()
        listed = await self._line.ask("/models")
        return [models.mapping(one) for one in models.sequence(listed.get("data"))]

    async def _held(self, model: str) -> int:
        listed = models.sequence((await self._beside("/api/ps")).get("models"))
        held = [models.loaded_model(models.mapping(one)) for one in listed]
        own = [one for one in held if models.same_model(one.name, model)]
        # Two names of the same weights are held once, under one of them; what was just asked is held.
        asked = held if model in self._ways else []
        return min((one.context for one in own or asked), default=0)

    async def _as_stored(self, entry: ModelEntry) -> ModelEntry:
        """The model as Ollama lists it at its own path, with its digest."""
        listed = models.sequence((await self._beside("/api/tags")).get("models"))
        return _named([models.entry(models.mapping(one)) for one in listed], entry.name) or entry

    async def _beside(self, path: str, body: Json | None = None) -> Json:
        """What Ollama says at its own paths and nowhere else: {} from any other server.

        Under this protocol it cuts a prompt in silence, leaves out pictures that a model cannot see, and
        passes on what is asked of a model on another machine.
        """
        with suppress(StatusError):
            return await self._root.ask(path, body)
        return {}

    def _entry(self, listed: Mapping[str, Any]) -> ModelEntry:
        given = self._described or _Described()
        name = models.name(listed.get("id"))
        meta = models.mapping(listed.get("meta"))
        more = (given.models or {}).get(name, {})
        parameters = models.count(meta.get("n_params"))
        contexts = (
            models.count(listed.get("max_model_len")),
            given.context,
            models.count(more.get("loaded_context_length")),
            models.count(more.get("max_context_length")),
            models.count(meta.get("n_ctx_train")),
        )
        return ModelEntry(
            name=name,
            size=models.count(meta.get("size")) or 0,
            family=models.name(more.get("arch")),
            parameters=f"{parameters / 1e9:.2f}B" if parameters else "",
            quantisation=models.name(more.get("quantization")),
            context=next(filter(None, contexts), 0),
        )

    async def _loaded(self, model: str) -> AsyncGenerator[Piece | Outcome, None]:
        await self._way(model)
        yield Outcome(done_reason="load")

    async def _way(self, model: str) -> Way:
        """How the model is asked, found out once by calls of a few tokens; raises ServerError."""
        if model not in self._ways:
            way = await self._probe(model)
            try:
                await self._line.ask("/chat/completions", for_probabilities(model, way), self._silence)
            except StatusError as error:
                if error.status >= 502:
                    raise
                way = replace(way, probabilities=False)
            self._ways[model] = way
        return self._ways[model]

    async def _probe(self, model: str) -> Way:
        """The first way in which a greeting is answered as the schema has it, with more options if it may.

        Where a server takes the calls and heeds no schema, replies are read as they come. Raises what a plain
        call raises.
        """
        taken: Way | None = None
        # Servers before 0.12.6 refuse the effort of none.
        efforts = (True, False) if model in self._thinkers else (False,)
        for effort, further, name in product(efforts, (True, False), CONSTRAINTS):
            way = Way(name, further, effort=effort)
            try:
                given = await self._line.ask("/chat/completions", probing(model, way), self._silence)
            except StatusError as error:
                if error.status in (401, 403, 404) or error.status >= 502:
                    raise
                continue
            taken = taken or replace(way, schema="")
            if follows(given):
                return way
        if taken is None:
            way = Way("", further=False)
            await self._line.ask("/chat/completions", probing(model, way), self._silence)
            return way
        return taken

    async def _reply(self, request: Request) -> AsyncGenerator[Piece | Outcome, None]:
        body = body_of(request, await self._way(request.model))
        reason = ""
        usage: Json = {}
        timings: Json = {}
        async with aclosing(self._line.lines("/chat/completions", body)) as lines:
            async for line in lines:
                with self._line.errors_in_words():
                    event = _event(line)
                if event is None:
                    continue
                usage, timings = event.get("usage") or usage, event.get("timings") or timings
                choice = models.mapping(next(iter(models.sequence(event.get("choices"))), None))
                reason = models.text(choice.get("finish_reason")) or reason
                yield _piece(choice)
        if reason:
            yield _end(models.plain_words(reason), usage, timings)


def _named(entries: Sequence[ModelEntry], model: str) -> ModelEntry | None:
    """The model of that name, or the one that Ollama means by it: it lists "tiny" as "tiny:latest"."""
    return next((one for one in entries if one.name == model), None) or next(
        (one for one in entries if models.same_model(one.name, model)), None
    )


def _event(line: bytes) -> Json | None:
    """The JSON object of one line of an event stream; None for what carries none."""
    field, _, data = line.strip().partition(b":")
    if field not in (b"data", b"error") or data.strip() == b"[DONE]":
        # A server that cannot stream any more answers with a plain object.
        if not line.startswith(b"{"):
            return None
        data = line
    event = json_object(data) or {}
    if field == b"error" or event.get("error"):
        reason = error_message(event) or "an error without a name"
        raise StatusError(f"The server broke the reply off: {reason}.", 0, reason)
    return event


def _piece(choice: Mapping[str, Any]) -> Piece:
    delta = models.mapping(choice.get("delta"))
    return Piece(
        models.text(delta.get("content")),
        models.text(delta.get("reasoning_content")) or models.text(delta.get("reasoning")),
        probabilities=probabilities_in(models.mapping(choice.get("logprobs")).get("content")),
    )


def _end(reason: str, usage: Json, timings: Json) -> Outcome:
    return Outcome(
        done_reason=reason,
        tokens_in=models.count(usage.get("prompt_tokens")) or None,
        tokens_out=models.count(usage.get("completion_tokens")),
        prefill_seconds=_seconds(timings.get("prompt_ms")),
        reply_seconds=_seconds(timings.get("predicted_ms")),
    )


def _seconds(milliseconds: object) -> float | None:
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, (int, float)) or milliseconds < 0:
        return None
    return milliseconds / 1000
