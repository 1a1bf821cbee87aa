"""HTTP to a model server: to the very address that was checked, deaf to the environment, called back at once.

httpx does the speaking, on one event loop in a thread of its own. Whoever waits for an answer waits on a
queue and can leave at any time; the call is then cancelled, which hangs up.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, TypeAlias

import httpx

from extractors.llm.hosts import ServerAddress
from extractors.llm.models import plain_words
from extractors.model.errors import ServerError

Json: TypeAlias = dict[str, Any]

CONNECT_SECONDS = 5.0
SILENCE_SECONDS = 1800.0
ANSWER_SECONDS = 60.0
ANSWER_LIMIT = 64 << 20
LINE_LIMIT = 16 << 20


class UnreachableError(ServerError):
    """Nobody answers at the server's address."""


class GivenUpError(ServerError):
    """The caller gave the call up."""


class StatusError(ServerError):
    """A status other than 200; `detail` is the server's error message, "" where it sent none in JSON."""

    def __init__(self, message: str, status: int, detail: str) -> None:
        super().__init__(message)
        self.status = status
        self.detail = detail


class _NoObjectError(Exception):
    """What came is no JSON object."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a kind of server is spoken of: `speaks` completes "not as ... does", `start` tells to start it.

    `otherwise` goes on where nothing is found at a path that every such server has.
    """

    speaks: str
    start: str
    otherwise: str = ""


class PinnedTransport(httpx.AsyncBaseTransport):
    """Connects to the numeric addresses that a name stood for when it was checked; it looks none up again.

    The name stays in the Host header and is what a certificate must prove. Every call has a connection of its
    own: one that was kept could have been dropped by a server that was started anew.
    """

    def __init__(self, address: ServerAddress) -> None:
        self._address = address
        self._inner = httpx.AsyncHTTPTransport(
            verify=_tls_context() if address.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            trust_env=False,
            limits=httpx.Limits(max_keepalive_connections=0),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Ask the first of the addresses that takes a connection."""
        failure: httpx.TransportError | None = None
        for numeric in self._address.addresses:
            pinned = httpx.Request(
                request.method,
                request.url.copy_with(host=numeric),
                headers=request.headers,
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": self._address.host},
            )
            try:
                return await self._inner.handle_async_request(pinned)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                failure = error
                if _certificate(error):
                    break
        raise failure or httpx.ConnectError("no address")

    async def aclose(self) -> None:
        """Let go of every connection."""
        await self._inner.aclose()


def client_settings(address: ServerAddress, silence: float) -> dict[str, Any]:
    """What makes an httpx client of ours: pinned, without proxies, keys, redirects or cookies of others."""
    return {
        "transport": PinnedTransport(address),
        "trust_env": False,
        "follow_redirects": False,
        "timeout": httpx.Timeout(silence, connect=CONNECT_SECONDS),
        # No server is to know a client again.
        "cookies": CookieJar(DefaultCookiePolicy(allowed_domains=())),
    }


class Line:
    """A server's address with the client that asks it; after `silence` seconds without a byte, it is lost."""

    def __init__(
        self, http: httpx.AsyncClient, address: ServerAddress, manner: Manner, silence: float, key: str = ""
    ) -> None:
        self._http, self._address, self._manner, self._silence = http, address, manner, silence
        # Whatever a library or the environment put there: nothing goes out that was not asked for.
        for name in ("authorization", "user-agent", "accept", "content-type"):
            http.headers.pop(name, None)
        # Whole bytes as they are: what is packed could unpack to more than any limit.
        http.headers["accept-encoding"] = "identity"
        if key:
            http.headers["authorization"] = f"Bearer {key}"

    async def lines(
        self, path: str, body: Json | None = None, limit: int = ANSWER_LIMIT
    ) -> AsyncGenerator[bytes, None]:
        """The lines of an answer as they come: GET without a body, POST with one.

        Split at newlines alone, as JSON allows them nowhere else: httpx would split at U+0085, too, which
        servers send as it is. Raises StatusError for any status but 200, UnreachableError where nobody
        answers, ServerError where the connection breaks off, stays silent or speaks no HTTP.
        """
        with self.errors_in_words():
            async with self._opened(path, body, self._silence) as response:
                async with aclosing(_split(response, limit)) as pieces:
                    async for line in pieces:
                        yield line

    async def objects(
        self, path: str, body: Json | None = None, limit: int = ANSWER_LIMIT
    ) -> AsyncGenerator[Json, None]:
        """The JSON objects of an answer, one a line; raises what `lines` raises."""
        async with aclosing(self.lines(path, body, limit)) as lines:
            async for line in lines:
                with self.errors_in_words():
                    found = json_object(line)
                if found is not None:
                    yield found

    async def ask(self, path: str, body: Json | None = None, seconds: float | None = None) -> Json:
        """The one JSON object of an answer, {} for an empty one; raises what `lines` raises.

        For what a server answers out of its head, within ANSWER_SECONDS; `seconds` allows another time.
        """
        total = seconds or min(self._silence, ANSWER_SECONDS)
        with self.errors_in_words(total):
            async with asyncio.timeout(total), self._opened(path, body, total) as response:
                return json_object(await _whole(response)) or {}

    @asynccontextmanager
    async def _opened(self, path: str, body: Json | None, silence: float) -> AsyncIterator[httpx.Response]:
        # ASCII, because a text with half a character is sent all the same.
        content = None if body is None else json.dumps(body).encode("ascii")
        headers = {"content-type": "application/json"} if content else {}
        request = self._http.build_request(
            "GET" if content is None else "POST",
            f"{self._address.url}{self._address.path}{path}",
            content=content,
            headers=headers,
            timeout=httpx.Timeout(silence, connect=CONNECT_SECONDS),
        )
        response = await self._http.send(request, stream=True)
        try:
            await self._check_status(response)
            yield response
        finally:
            # A call that is given up while it hangs up would leave the connection open.
            await asyncio.shield(response.aclose())

    async def _check_status(self, response: httpx.Response) -> None:
        status, url = response.status_code, self._address.url
        if status == 200:
            return
        if 300 <= status < 400:
            target = plain_words(response.headers.get("Location", "another place"))
            message = f"The server at {url} sends the call on to {target}; Casespan does not follow."
            raise StatusError(message, status, "")
        sentence = ""
        with suppress(ServerError, httpx.HTTPError, _NoObjectError):
            sentence = error_message(json_object(await _whole(response)) or {})
        words = (
            f"refused with status {status}: {sentence}"
            if sentence
            else f"answered with status {status}, not as {self._manner.speaks} does"
            + (self._manner.otherwise if status == 404 else "")
        )
        raise StatusError(f"The server at {url} {words}.", status, sentence)

    @contextmanager
    def errors_in_words(self, total: float = 0.0) -> Iterator[None]:
        """Whatever goes wrong, as a sentence."""
        url = self._address.url
        try:
            yield
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            reason = _certificate(error)
            if reason:
                raise UnreachableError(
                    f"The server at {url} could not prove that it is {self._address.host}: {reason}."
                ) from error
            raise UnreachableError(
                f"No model server answers at {url}: {self._manner.start}, or say with --host where it runs."
            ) from error
        except httpx.TimeoutException as error:
            seconds = f"{total or self._silence:g}"
            raise ServerError(f"The server at {url} said nothing for {seconds} seconds.") from error
        except TimeoutError as error:
            raise ServerError(f"The server at {url} did not end in {total:g} seconds.") from error
        except (httpx.ProtocolError, httpx.InvalidURL, _NoObjectError) as error:
            if "complete" in str(error):
                raise ServerError(_broke_off(url)) from error
            if "disconnected" in str(error):
                raise ServerError(
                    f"The server at {url} broke the connection off without an answer that a model server "
                    "gives; check --host."
                ) from error
            raise ServerError(
                f"What answers at {url} does not speak as a model server does; check --host."
            ) from error
        except (httpx.HTTPError, OSError) as error:
            raise ServerError(_broke_off(url)) from error


def json_object(line: bytes) -> Json | None:
    """The JSON object that the bytes are, None for blank ones."""
    if not line.strip():
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _NoObjectError from error
    if not isinstance(value, dict):
        raise _NoObjectError
    return value


def error_message(line: Mapping[str, Any]) -> str:
    """The message in {"error": ...} or {"message": ...}, also where it wraps one of a server further down."""
    error = line.get("error") or line.get("message") or ""
    for _ in range(4):
        if isinstance(error, dict):
            error = error.get("error") or error.get("message") or ""
        elif isinstance(error, str) and error.lstrip().startswith("{"):
            try:
                error = json.loads(error)
            except (ValueError, RecursionError):
                break
    return plain_words(str(error)).removesuffix(".")


async def _chunks(response: httpx.Response, limit: int) -> AsyncGenerator[bytes, None]:
    """The bytes as they come; not by `aiter_raw`, which hangs up at the end where that can be broken off."""
    left = limit
    stream = response.stream
    if not isinstance(stream, httpx.AsyncByteStream):
        raise TypeError(stream)
    async for data in stream:
        left -= len(data)
        if left < 0:
            raise ServerError(f"The server sent more than {limit >> 20} MB in one answer.")
        yield data


async def _split(response: httpx.Response, limit: int) -> AsyncGenerator[bytes, None]:
    parts: list[bytes] = []
    size = 0
    async for data in _chunks(response, limit):
        first, *others = data.split(b"\n")
        parts.append(first)
        size += len(first)
        if size > LINE_LIMIT:
            raise ServerError(f"The server sent a line of more than {LINE_LIMIT >> 20} MB.")
        for other in others:
            yield b"".join(parts)
            parts, size = [other], len(other)
    yield b"".join(parts)


async def _whole(response: httpx.Response) -> bytes:
    return b"".join([data async for data in _chunks(response, ANSWER_LIMIT)])


def _broke_off(url: str) -> str:
    return f"The server at {url} broke the connection off in the middle of its answer."


def _certificate(error: BaseException) -> str:
    """What was wrong with the proof of who the server is, "" where nothing was."""
    cause: BaseException | None = error
    for _ in range(8):
        if isinstance(cause, ssl.SSLError):
            return cause.reason or "no reason given"
        cause = cause and (cause.__cause__ or cause.__context__)
    return ""


def _tls_context() -> ssl.SSLContext:
    # A default context would obey SSL_CERT_FILE and write the session's keys to SSLKEYLOGFILE.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if sys.platform == "win32":
        for certificate, encoding, _ in ssl.enum_certificates("ROOT"):
            if encoding == "x509_asn":
                context.load_verify_locations(cadata=certificate)
        return context
    paths = ssl.get_default_verify_paths()
    for file, folder in ((paths.openssl_cafile, None), (None, paths.openssl_capath)):
        with suppress(OSError):
            context.load_verify_locations(file, folder)
    return context
