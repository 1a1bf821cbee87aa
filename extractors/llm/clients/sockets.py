"""A connection to the very address that was checked, whose reader looks all the time whether to give up."""

from __future__ import annotations

import io
import math
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from extractors.llm.hosts import ServerAddress
from extractors.model.errors import ServerError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

TICK = 0.1
CONNECT_SECONDS = 5.0
ANSWER_LIMIT = 64 << 20


class UnreachableError(ServerError):
    """Nobody answers at the server's address."""


class GivenUpError(ServerError):
    """The caller gave the call up."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds of silence, seconds in all and bytes to put up with, and the sign that the call is given up."""

    silence: float
    total: float = math.inf
    limit: int = ANSWER_LIMIT
    stop: threading.Event = field(default_factory=threading.Event)


@contextmanager
def connected(address: ServerAddress, patience: Patience) -> Iterator[PatientSocket]:
    """A connection to the first of the addresses that takes one; raises UnreachableError where none does."""
    failure: OSError | None = None
    for numeric in address.addresses:
        try:
            plain = _connect(numeric, address)
        except ssl.SSLError as error:
            raise UnreachableError(
                f"The server at {address.url} could not prove that it is {address.host}: {error.reason}."
            ) from error
        except OSError as error:
            failure = error
            continue
        with plain:
            plain.settimeout(TICK)
            yield PatientSocket(plain, patience, address)
        return
    raise UnreachableError(
        f"No model server answers at {address.url}: start Ollama (its app, or `ollama serve`), or say with "
        "--host where it runs."
    ) from failure


def _connect(numeric: str, address: ServerAddress) -> socket.socket:
    plain = socket.create_connection((numeric, address.port), CONNECT_SECONDS)
    if address.scheme == "http":
        return plain
    try:
        return _tls_context().wrap_socket(plain, server_hostname=address.host)
    except OSError:
        plain.close()
        raise


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


class PatientSocket(io.RawIOBase):
    """A socket as http.client uses it. It waits TICK seconds at a time, which wakes it on every platform.

    Reading and sending raise GivenUpError once `patience.stop` is set, and ServerError where the server stays
    silent too long or sends more than `patience.limit` bytes.
    """

    def __init__(self, plain: socket.socket, patience: Patience, address: ServerAddress) -> None:
        self._plain = plain
        self._patience = patience
        self._address = address
        self._left = patience.limit
        self._begun = time.monotonic()

    def sendall(self, data: bytes) -> None:
        """Send all of it."""
        rest = memoryview(data)
        for _ in self._ticks():
            with suppress(TimeoutError):
                rest = rest[self._plain.send(rest) :]
            if not rest:
                return

    def makefile(self, *_: object) -> io.BufferedReader:
        """What the server sends, as a file."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """What has come, at least one byte; 0 at the end."""
        count = 0
        for _ in self._ticks():
            with suppress(TimeoutError):
                count = self._plain.recv_into(buffer)
                break
        self._left -= count
        if self._left < 0:
            raise ServerError(f"The server sent more than {self._patience.limit >> 20} MB in one answer.")
        return count

    def close(self) -> None:
        """Nothing: http.client closes its socket before it reads the answer; `connected` hangs up."""

    def _ticks(self) -> Iterator[None]:
        start = time.monotonic()
        while True:
            if self._patience.stop.is_set():
                raise GivenUpError("The call was given up.")
            if time.monotonic() - start > self._patience.silence:
                seconds = f"{self._patience.silence:g}"
                raise ServerError(f"The server at {self._address.url} said nothing for {seconds} seconds.")
            if time.monotonic() - self._begun > self._patience.total:
                seconds = f"{self._patience.total:g}"
                raise ServerError(f"The server at {self._address.url} did not end in {seconds} seconds.")
            yield
