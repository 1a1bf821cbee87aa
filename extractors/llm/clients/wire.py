"""One HTTP call to a model server, which can be given up at any time, by the standard library's http.client.

http.client because it obeys nothing in the environment (proxies, keys, .netrc) and follows no redirect. httpx
would have to be talked out of both, and a thread that waits in it for a silent server cannot be called back.
"""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, cast

from extractors.llm.clients.sockets import Patience, connected
from extractors.llm.hosts import ServerAddress
from extractors.llm.models import plain_words
from extractors.model.errors import ServerError

Json: TypeAlias = dict[str, Any]

LINE_LIMIT = 16 << 20
PIECE = 1 << 16


class StatusError(ServerError):
    """A status other than 200; `said` is the server's error message, "" where it sent none as Ollama does."""

    def __init__(self, message: str, status: int, said: str) -> None:
        super().__init__(message)
        self.status = status
        self.said = said


class _NoObjectError(Exception):
    """What came is no JSON object."""


@contextmanager
def call(
    address: ServerAddress, path: str, body: Json | None, patience: Patience
) -> Iterator[http.client.HTTPResponse]:
    """Ask (GET without a body, POST with one) and give the answer, for `lines` or `whole`; leaving hangs up.

    Raises StatusError for any status but 200, UnreachableError where nobody answers, GivenUpError as soon as
    `patience.stop` is set, ServerError where the connection breaks off, stays silent or speaks no HTTP.
    """
    connection = http.client.HTTPConnection(address.host, address.port)
    data = None if body is None else json.dumps(body).encode("ascii")
    headers = {"Connection": "close"} | ({"Content-Type": "application/json"} if data else {})
    with connected(address, patience) as patient, _told(address):
        # http.client asks of a socket no more than sendall, makefile and close.
        connection.sock = cast("socket.socket", patient)
        connection.request("GET" if data is None else "POST", path, data, headers)
        with connection.getresponse() as response:
            _check_status(response, address)
            yield response


def lines(response: http.client.HTTPResponse) -> Iterator[Json]:
    """The JSON objects of a streamed answer, one a line, as they come."""
    parts: list[bytes] = []
    size = 0
    while data := response.read1(PIECE):
        first, *others = data.split(b"\n")
        parts.append(first)
        size += len(first)
        if size > LINE_LIMIT:
            raise ServerError(f"The server sent a line of more than {LINE_LIMIT >> 20} MB.")
        for other in others:
            yield from _objects(parts)
            parts, size = [other], len(other)
    yield from _objects(parts)


def whole(response: http.client.HTTPResponse) -> Json:
    """The one JSON object that an answer consists of; {} for an empty answer."""
    # read() would reserve as much memory as the server claims that it will send.
    return next(_objects(list(iter(lambda: response.read1(PIECE), b""))), {})


def said_in(line: Json) -> str:
    """The message in {"error": ...}, also where it wraps the error of a server further down; "" for none."""
    error = line.get("error") or ""
    for _ in range(4):
        if isinstance(error, dict):
            error = error.get("error") or error.get("message") or ""
        elif isinstance(error, str) and error.lstrip().startswith("{"):
            try:
                error = json.loads(error)
            except (ValueError, RecursionError):
                break
    return plain_words(str(error)).removesuffix(".")


def _objects(parts: list[bytes]) -> Iterator[Json]:
    line = b"".join(parts).strip()
    if not line:
        return
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _NoObjectError from error
    if not isinstance(value, dict):
        raise _NoObjectError
    yield value


def _check_status(response: http.client.HTTPResponse, address: ServerAddress) -> None:
    status = response.status
    if status == 200:
        return
    if 300 <= status < 400:
        target = plain_words(response.headers.get("Location", "another place"))
        message = f"The server at {address.url} sends the call on to {target}; Casespan does not follow."
        raise StatusError(message, status, "")
    try:
        said = said_in(whole(response))
    except (ServerError, _NoObjectError):
        said = ""
    words = (
        f"refused with status {status}: {said}"
        if said
        else f"answered with status {status}, not as Ollama does"
    )
    raise StatusError(f"The server at {address.url} {words}.", status, said)


@contextmanager
def _told(address: ServerAddress) -> Iterator[None]:
    try:
        yield
    except (OSError, http.client.IncompleteRead) as error:
        message = f"The server at {address.url} broke the connection off in the middle of its answer."
        raise ServerError(message) from error
    except (http.client.HTTPException, _NoObjectError) as error:
        message = f"What answers at {address.url} does not speak as a model server does; check --host."
        raise ServerError(message) from error
