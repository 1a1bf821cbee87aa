"""The models there are to ask: those of a server, or a file of recorded replies."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.operations.project.encryption import kept_secret
from extractors.llm.backends import BACKENDS, Access, backend_at
from extractors.llm.backends import backend as named_backend
from extractors.llm.schedule import fits, free_memory
from extractors.llm.types import Client, ModelCard, ModelEntry
from extractors.model.errors import CallError, ReplayError
from extractors.model.progress import Progress
from extractors.tasks import QUOTES

if TYPE_CHECKING:
    from extractors.llm.backends.replay import Recording, ReplayClient

_MEGABYTE = 1_000_000


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
    return BACKENDS[0].home()


def connect(
    host: str | None = None,
    *,
    allow_remote: bool = False,
    backend: str | None = None,
    key_file: Path | None = None,
) -> Client:
    """The server at `host`; without one, where OLLAMA_HOST says, else on this computer.

    `backend` says what kind of server it is where the address does not; the key, for a server that wants one,
    stands in a file or, under "casespan" and the address, in the system's keyring. Nothing is sent yet.
    Raises UnknownNameError for what is no address, CallError where the address is missing or the file holds
    no key, RemoteRefusedError for a server on another machine that was not allowed.
    """
    kind = named_backend(backend) if backend else backend_at(host or default_host())
    place = host or kind.home()
    if not place:
        raise CallError(f"Say with --host where the {kind.label} is, like {kind.example}.")
    key = _key_in(key_file) if key_file else kept_secret(place) if kind.keyed else ""
    return kind.connect(place, Access(allow_remote, key))


def _key_in(file: Path) -> str:
    try:
        key = file.read_text(encoding="ascii").strip()
    except OSError as error:
        raise CallError(f"The key file {file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        key = ""
    if not key or not key.isprintable() or " " in key:
        raise CallError(f"{file} holds no key: write it there on a line of its own, and nothing else.")
    return key


def replay(file: Path) -> tuple[ReplayClient, Recording]:
    """A client that gives the recorded replies of an extraction, and the recording; raises ReplayError."""
    from extractors.llm.backends.replay import ReplayClient, read_recording

    recording = read_recording(file)
    if recording.task != QUOTES:
        raise ReplayError(f"{file} holds replies to another task ({recording.task}); it extracts nothing.")
    return ReplayClient(recording, file.name), recording


def list_models(client: Client) -> tuple[str, list[ModelLine]]:
    """The server's version and its models; raises ServerError where it does not answer."""
    memory = None if client.remote else free_memory()
    return client.version(), [_line(entry, memory) for entry in client.models()]


def _line(entry: ModelEntry, memory: int | None) -> ModelLine:
    # The weights of a loaded model have their place in memory already.
    size = 0 if entry.loaded else entry.size
    card = ModelCard(entry.name, size=size, context=entry.context, cache_bytes=entry.cache_bytes)
    if entry.loaded and entry.loaded.on_gpu:
        memory = None
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


def pull_model(client: Client, model: str) -> Generator[Progress, None, None]:
    """Have the server fetch a model; progress in megabytes. Closing the generator gives the download up.

    Raises CallError for a server that fetches none, ModelNotFoundError where its library has no such model,
    RemoteRefusedError, ServerError.
    """
    for step in client.pull(model):
        done, total = step.completed // _MEGABYTE, step.total // _MEGABYTE
        yield Progress(done, total, f"MB  {step.status}" if total else step.status)
