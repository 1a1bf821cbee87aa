"""Where a model's answers come from: the kinds of servers there are, each registered by one line."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from extractors.llm.types import Capabilities, Client
from extractors.model.errors import UnknownNameError
from extractors.model.interruption import uninterrupted


@dataclass(frozen=True, slots=True)
class Access:
    """What the user allows and knows: whether text may leave this machine, and the server's key, "" for none.

    The key goes to the server's own address and nowhere else; it is neither shown nor recorded.
    """

    allow_remote: bool = False
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Backend:
    """A kind of server. `connect` takes its address (a recording's is its file) and sends nothing yet.

    `speaks` tells from an address alone whether it is one of this kind, as `example` is; `capabilities` are
    what every server of the kind can do, before any is asked. `home` is where such a server is looked for
    when nobody says, "" for nowhere; `keyed` servers may want a key.
    """

    id: str
    label: str
    connect: Callable[[str, Access], Client]
    capabilities: Capabilities
    speaks: Callable[[str], bool]
    example: str
    home: Callable[[], str] = lambda: ""
    keyed: bool = False


def backend(name: str) -> Backend:
    """The backend of that id; raises UnknownNameError."""
    for one in BACKENDS:
        if one.id == name:
            return one
    raise UnknownNameError(f"There is no backend {name}; those there are: {', '.join(BACKEND_IDS)}.")


def backend_at(place: str) -> Backend:
    """The backend that an address speaks of: the first that claims it, else the first of all."""
    return next((one for one in BACKENDS if one.speaks(place)), BACKENDS[0])


# What a client needs is imported when one is made: httpx and ollama take a third of a second. Ctrl-C waits
# for that: pydantic, which ollama needs, swallows it or makes another error of it.


def _ollama(place: str, access: Access) -> Client:
    with uninterrupted():
        from extractors.llm.backends.ollama import OllamaClient

    return OllamaClient(place, allow_remote=access.allow_remote, key=access.key)


def _ollama_home() -> str:
    from extractors.llm.hosts import DEFAULT_HOST

    # Where Ollama's own programs look for their server.
    return os.environ.get("OLLAMA_HOST") or DEFAULT_HOST


def _openai(place: str, access: Access) -> Client:
    from extractors.llm.backends.openai import OpenAIClient

    return OpenAIClient(place, allow_remote=access.allow_remote, key=access.key)


def _replay(place: str, _: Access) -> Client:
    from pathlib import Path

    from extractors.llm.backends.replay import ReplayClient, read_recording

    return ReplayClient(read_recording(Path(place)), Path(place).name)


def _has_path(place: str) -> bool:
    return bool(place.strip().rpartition("://")[2].partition("/")[2].strip("/"))


def _is_recording(place: str) -> bool:
    return place.strip().casefold().endswith(".jsonl")


_OLLAMA_CAN = Capabilities(sets_context=True, fetches=True, schema="format")
_REPLAY_CAN = Capabilities(sets_context=True, schema="recorded", parallel=1)
_OPENAI_CAN = Capabilities(probabilities=True)
_OPENAI_AT = "http://127.0.0.1:8000/v1"

BACKENDS = (
    Backend("ollama", "Ollama", _ollama, _OLLAMA_CAN, lambda _: False, "127.0.0.1:11434", home=_ollama_home),
    Backend("replay", "recorded replies", _replay, _REPLAY_CAN, _is_recording, "replies.jsonl"),
    Backend("openai", "OpenAI-compatible server", _openai, _OPENAI_CAN, _has_path, _OPENAI_AT, keyed=True),
)
BACKEND_IDS = tuple(one.id for one in BACKENDS)
# Those that a server's address can be given for.
SERVER_IDS = tuple(one.id for one in BACKENDS if one.id != "replay")
