"""A model server on a real loopback socket that speaks Ollama's wire format and plays every fault on cue."""

from __future__ import annotations

import contextlib
import json
import select
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self, TypeAlias

from tests.scripted_behaviours import TICK, Behaviour, Call, Json, empty_reply, obeys_context, says

Answer: TypeAlias = Callable[[Json], str]

CALLS = ("/api/chat", "/api/generate")


@dataclass(frozen=True, slots=True)
class FakeModel:
    """A model that the server has; `remote_host` makes it a cloud-backed one."""

    name: str = "tiny:latest"
    digest: str = "d" * 64
    size: int = 470_016
    family: str = "llama"
    parameters: str = "113.79K"
    quantisation: str = "F32"
    context: int = 8192
    capabilities: tuple[str, ...] = ("completion",)
    remote_host: str = ""
    tokens: tuple[str, ...] = ("<s>", "</s>", "\u2581the", "\u2581pain", "<0x0A>")
    kinds: tuple[int, ...] = (3, 3, 1, 1, 6)
    info: Mapping[str, Any] = field(default_factory=dict)

    def details(self) -> Json:
        return {
            "parent_model": "",
            "format": "gguf",
            "family": self.family,
            "families": [self.family],
            "parameter_size": self.parameters,
            "quantization_level": self.quantisation,
        }

    def listed(self) -> Json:
        entry = {
            "name": self.name,
            "model": self.name,
            "modified_at": "2025-01-01T00:00:00Z",
            "size": self.size,
            "digest": self.digest,
            "details": self.details(),
        }
        if self.remote_host:
            entry |= {"remote_host": self.remote_host, "remote_model": self.name.partition("-cloud")[0]}
        return entry

    def shown(self, verbose: bool) -> Json:
        info = {
            "general.architecture": self.family,
            f"{self.family}.context_length": self.context,
            f"{self.family}.block_count": 2,
            f"{self.family}.embedding_length": 64,
            f"{self.family}.attention.head_count": 4,
            f"{self.family}.attention.head_count_kv": 2,
            "tokenizer.ggml.model": "llama",
            "tokenizer.ggml.tokens": list(self.tokens) if verbose else None,
            "tokenizer.ggml.token_type": list(self.kinds) if verbose else None,
        } | dict(self.info)
        shown = {
            "details": self.details(),
            "model_info": info,
            "capabilities": list(self.capabilities),
            "template": "{{ .Prompt }}",
        }
        return shown | ({"remote_host": self.remote_host} if self.remote_host else {})


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request as it came; header names in lower case, `body` {} where there was none."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Json


class ScriptedOllama:
    """A server to be used as a context; what it was asked is in `requests`.

    Each chat or generate call takes the next behaviour of the script and, when there is none left, a good
    reply: `answer(body)`, by default empty. Prompt tokens are characters / 4. A prompt above num_ctx is
    refused when the call says truncate false, as servers since 0.13 do, or cut in silence where
    `cuts_silently`, as older ones do. `on` holds, by path, what goes before all this.
    """

    def __init__(
        self,
        *script: Behaviour,
        answer: Answer = empty_reply,
        models: Sequence[FakeModel] = (FakeModel(),),
        version: str = "0.24.0",
        cuts_silently: bool = False,
    ) -> None:
        self.answer = answer
        self.models = {model.name: model for model in models}
        self.version = version
        self.cuts_silently = cuts_silently
        self.requests: list[Recorded] = []
        self.loaded: dict[str, int] = {}
        self.disconnections = 0
        self.disconnected = threading.Event()
        self.called = threading.Event()
        self.unloaded = threading.Event()
        self.closing = threading.Event()
        self.on: dict[str, Behaviour] = {
            "/api/pull": says({"status": "pulling manifest"}, {"status": "success"})
        }
        self.failures: list[BaseException] = []
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
    def calls(self) -> list[Recorded]:
        """The chat and generate calls in order, without those that only load or unload."""
        return [one for one in self.requests if one.path in CALLS and _asks(one.body)]

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

    def unload(self, name: str) -> None:
        self.loaded.pop(name, None)
        self.unloaded.set()

    def find(self, name: str) -> FakeModel | None:
        return self.models.get(name) or self.models.get(f"{name}:latest")

    def behaviour(self) -> Behaviour:
        with self._lock:
            return self._script.popleft() if self._script else obeys_context(self.cuts_silently)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, owner: ScriptedOllama) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, *_: object) -> None:
        """Keep the server's own failures for the end of the test, which they must fail."""
        failure = sys.exception()
        if failure is not None and not isinstance(failure, ConnectionError):
            self.owner.failures.append(failure)


class _Handler(BaseHTTPRequestHandler):
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
            self._route(owner, body)
        except ConnectionError:
            owner.note_disconnection()
            self.close_connection = True

    def _route(self, owner: ScriptedOllama, body: Json) -> None:
        if self.path in owner.on:
            owner.on[self.path](Call(owner, self, self.path, body))
        elif self.path in CALLS:
            self._call(owner, body)
        elif self.path == "/api/version":
            self.whole(200, {"version": owner.version})
        elif self.path == "/api/tags":
            self.whole(200, {"models": [model.listed() for model in owner.models.values()]})
        elif self.path == "/api/ps":
            self.whole(200, {"models": self._running(owner)})
        elif self.path == "/api/show":
            self._show(owner, body)
        else:
            self.whole(404, "404 page not found")

    def _call(self, owner: ScriptedOllama, body: Json) -> None:
        model = owner.find(body.get("model", ""))
        if model is None:
            self.whole(404, {"error": f"model '{body.get('model')}' not found"})
            return
        unload = not _asks(body) and body.get("keep_alive") == 0
        if unload:
            owner.unload(model.name)
        else:
            owner.loaded[model.name] = min(body.get("options", {}).get("num_ctx", 4096), model.context)
        if _asks(body):
            owner.called.set()
            owner.behaviour()(Call(owner, self, self.path, body))
        else:
            reason = "unload" if unload else "load"
            self.whole(200, {"model": model.name, "response": "", "done": True, "done_reason": reason})

    def _show(self, owner: ScriptedOllama, body: Json) -> None:
        model = owner.find(body.get("model", ""))
        if model is None:
            self.whole(404, {"error": f"model '{body.get('model')}' not found"})
        else:
            self.whole(200, model.shown(bool(body.get("verbose"))))

    @staticmethod
    def _running(owner: ScriptedOllama) -> list[Json]:
        return [
            owner.models[name].listed() | {"size_vram": 0, "context_length": context}
            for name, context in owner.loaded.items()
        ]

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
            self.send_header("Content-Type", "application/x-ndjson")
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


def _asks(body: Json) -> bool:
    return bool(body.get("prompt") or body.get("messages"))


def _shared(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
