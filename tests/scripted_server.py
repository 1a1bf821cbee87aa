"""A scripted model server on a real loopback socket: what every kind of them shares."""

from __future__ import annotations

import contextlib
import json
import select
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self, TypeAlias

from tests.scripted_behaviours import TICK, Behaviour, Json

Answer: TypeAlias = Callable[[Json], str]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request as it came; header names in lower case, `body` {} where there was none."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Json


class ScriptedServer:
    """A server to be used as a context; what it was asked is in `requests`.

    Each call takes the next behaviour of the script and, when there is none left, `usual`. `on` holds, by
    path, what goes before all this. `most` is how many calls were under way at once.
    """

    stream = "application/x-ndjson"

    def __init__(self, script: tuple[Behaviour, ...], answer: Answer) -> None:
        self.answer = answer
        self.requests: list[Recorded] = []
        self.disconnections = 0
        self.disconnected = threading.Event()
        self.called = threading.Event()
        self.closing = threading.Event()
        self.on: dict[str, Behaviour] = {}
        self.failures: list[BaseException] = []
        self.most = self._under_way = 0
        self._script = deque(script)
        self._lock = threading.Lock()
        self._last_prompt = ""
        self._server = _Server(self)

    @property
    def host(self) -> str:
        """Address and port, as OLLAMA_HOST has it."""
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    @property
    def usual(self) -> Behaviour:
        """What is done with a call that no script says anything of."""
        raise NotImplementedError

    def route(self, line: Handler, path: str, body: Json) -> None:
        """Answer a request."""
        raise NotImplementedError

    def script(self, *behaviours: Behaviour) -> None:
        """Add behaviours for the next calls."""
        with self._lock:
            self._script.extend(behaviours)

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(TICK,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop listening and let go of every call, as a server that is shut down does."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if self.failures:
            raise RuntimeError("the scripted server itself failed") from self.failures[0]

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        """A call under way."""
        with self._lock:
            self._under_way += 1
            self.most = max(self.most, self._under_way)
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1

    def note_disconnection(self) -> None:
        with self._lock:
            self.disconnections += 1
        self.disconnected.set()

    def shared_with_last(self, prompt: str) -> int:
        """Characters that this prompt begins with as the last one did; it becomes the last."""
        with self._lock:
            shared = _shared(self._last_prompt, prompt)
            self._last_prompt = prompt
        return shared

    def behaviour(self) -> Behaviour:
        with self._lock:
            return self._script.popleft() if self._script else self.usual


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, owner: ScriptedServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), Handler)

    def handle_error(self, *_: object) -> None:
        """Keep the server's own failures for the end of the test, which they must fail."""
        failure = sys.exception()
        if failure is not None and not isinstance(failure, ConnectionError):
            self.owner.failures.append(failure)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: object) -> None:
        """Say nothing: what was asked is recorded."""

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        owner = self.server.owner
        self._streaming = False
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length)) if length else {}
        headers = {key.lower(): value for key, value in self.headers.items()}
        owner.requests.append(Recorded(self.command, self.path, headers, body))
        try:
            owner.route(self, self.path, body)
        except ConnectionError:
            owner.note_disconnection()
            self.close_connection = True

    def whole(self, code: int, body: Json | str, headers: Mapping[str, str] | None = None) -> None:
        page = isinstance(body, str)
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "text/html" if page else "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def chunk(self, data: bytes) -> None:
        if not self._streaming:
            self._streaming = True
            self.send_response(200)
            self.send_header("Content-Type", self.server.owner.stream)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
        if data:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    def end(self) -> None:
        self.chunk(b"")
        self.wfile.write(b"0\r\n\r\n")

    def drop(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def client_gone(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], 0)
        return bool(readable) and not self._peek()

    def _peek(self) -> bool:
        try:
            return bool(self.connection.recv(1, socket.MSG_PEEK))
        except ConnectionError:
            return False


def _shared(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
