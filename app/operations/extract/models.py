"""The models there are to ask: those of an Ollama server, or a file of recorded replies."""

from __future__ import annotations

import os
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from extractors.llm.context import fits, free_memory
from extractors.llm.types import ModelCard
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from extractors.llm.clients.ollama import OllamaClient
    from extractors.llm.clients.replay import Recording, ReplayClient
    from extractors.llm.models import ModelEntry

_MEGABYTE = 1_000_000
_HOST = "OLLAMA_HOST"  # where Ollama's own programs look for their server


@dataclass(frozen=True, slots=True)
class ModelLine:
    """A model of the server; sizes in bytes, contexts in tokens, 0 or "" where the server does not say.

    `fits` is the longest context that the free memory holds beside the model; `allocated` the one that it was
    loaded with; `remote` the machine that a cloud-backed model runs on.
    """

    name: str
    size: int
    parameters: str
    quantisation: str
    context: int
    fits: int
    loaded: bool
    allocated: int
    remote: str


def default_host() -> str:
    """Where a server is looked for: where OLLAMA_HOST says, else on this computer."""
    from extractors.llm.hosts import DEFAULT_HOST

    return os.environ.get(_HOST) or DEFAULT_HOST


def connect(host: str | None = None, *, allow_remote: bool = False) -> OllamaClient:
    """The Ollama server at `host`; without one, where OLLAMA_HOST says, else on this computer.

    Nothing is sent yet. Raises UnknownNameError for what is no address, RemoteRefusedError for a server on
    another machine that was not allowed.
    """
    from extractors.llm.clients.ollama import OllamaClient

    return OllamaClient(host or default_host(), allow_remote=allow_remote)


def replay(file: Path) -> tuple[ReplayClient, Recording]:
    """A client that answers from recorded replies, and the recording; raises ReplayError."""
    from extractors.llm.clients.replay import ReplayClient, read_recording

    recording = read_recording(file)
    return ReplayClient(recording, file.name), recording


def list_models(client: OllamaClient) -> tuple[str, list[ModelLine]]:
    """The server's version and its models; raises ServerError where it does not answer."""
    memory = None if client.remote else free_memory()
    return client.version(), [_line(entry, memory) for entry in client.models()]


def _line(entry: ModelEntry, memory: int | None) -> ModelLine:
    # The weights of a loaded model have their place in memory already.
    size = 0 if entry.loaded else entry.size
    card = ModelCard(entry.name, size=size, context=entry.context, cache_bytes=entry.cache_bytes)
    return ModelLine(
        name=entry.name,
        size=entry.size,
        parameters=entry.parameters,
        quantisation=entry.quantisation,
        context=entry.context,
        fits=0 if entry.remote else fits(card, memory),
        loaded=entry.loaded is not None,
        allocated=entry.loaded.context if entry.loaded else 0,
        remote=entry.remote,
    )


def pull_model(client: OllamaClient, model: str) -> Generator[Progress, None, None]:
    """Have the server fetch a model; progress in megabytes. Closing the generator gives the download up.

    Raises ModelNotFoundError where Ollama's library has no such model, RemoteRefusedError, ServerError.
    """
    for step in client.pull(model):
        done, total = step.completed // _MEGABYTE, step.total // _MEGABYTE
        yield Progress(done, total, f"MB  {step.status}" if total else step.status)
