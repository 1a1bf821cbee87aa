"""What the scripted model server can do with a call: answer well, or fail in every way that is known."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

Json: TypeAlias = dict[str, Any]
TICK = 0.01
# Characters of a token, and the most pieces in which a text comes.
_TOKEN, _PIECES = 8, 24


class Line(Protocol):
    """The connection that a call came on."""

    def whole(self, code: int, body: Json | str, headers: Mapping[str, str]) -> None: ...

    def chunk(self, data: bytes) -> None: ...

    def end(self) -> None: ...

    def drop(self) -> None: ...

    def client_gone(self) -> bool: ...


class Stage(Protocol):
    """What a call needs of its server."""

    closing: threading.Event

    def answer(self, body: Json) -> str: ...

    def note_disconnection(self) -> None: ...

    def shared_with_last(self, prompt: str) -> int: ...


class Call:
    """A chat or generate call under way, in the hands of a behaviour."""

    def __init__(self, server: Stage, handler: Line, path: str, body: Json) -> None:
        self.server = server
        self.body = body
        self._handler = handler
        self.chat = path == "/api/chat"
        self.prompt = prompt_text(body)
        self.tokens_in = -(-len(self.prompt) // 4)
        self.reused = -(-server.shared_with_last(self.prompt) // 4)
        self.tokens_out = 0

    def status(self, code: int, body: Json | str, headers: Mapping[str, str] | None = None) -> None:
        """Answer with a status and a whole body: JSON, or a page where it is text."""
        self._handler.whole(code, body, headers or {})

    def line(self, line: Json | bytes) -> None:
        """Stream one line of the reply."""
        self._handler.chunk(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")

    def piece(self, text: str = "", thinking: str = "", **more: object) -> None:
        """Stream a piece of the reply's text or of the model's thinking."""
        self.tokens_out += 1
        self.line(self._said(text, thinking) | {"done": False} | more)

    def text(self, text: str) -> None:
        """Stream a text in tokens of eight characters, those of a long one several in a piece."""
        size = _TOKEN * max(1, -(-len(text) // (_TOKEN * _PIECES)))
        for start in range(0, len(text), size):
            self.piece(part := text[start : start + size])
            self.tokens_out += -(-len(part) // _TOKEN) - 1

    def done(self, reason: str = "stop", **more: object) -> None:
        """Stream the last line, with the counts a real server gives; `more` adds to it or replaces."""
        counts = {
            "total_duration": 10**9,
            "load_duration": 10**6,
            "prompt_eval_count": self.tokens_in,
            "prompt_eval_duration": max(1, self.tokens_in - self.reused) * 10**6,
            "eval_count": self.tokens_out,
            "eval_duration": max(1, self.tokens_out) * 10**7,
        }
        self.line(self._said("", "") | {"done": True, "done_reason": reason} | counts | more)
        self.end()

    def end(self) -> None:
        """End the stream in good order, whether or not it was done."""
        self._handler.end()

    def drop(self) -> None:
        """Break the connection off."""
        self._handler.drop()

    def wait(self, event: threading.Event) -> bool:
        """Say nothing until the event comes; False where the client went away first, which is counted."""
        while not event.wait(TICK):
            if self.server.closing.is_set():
                self.drop()
                return False
            if self._handler.client_gone():
                self.server.note_disconnection()
                return False
        return True

    def answer(self) -> str:
        """What the server's answering function says, by default an empty reply in the form asked for."""
        return self.server.answer(self.body)

    def _said(self, text: str, thinking: str) -> Json:
        line: Json = {"model": self.body.get("model", ""), "created_at": "2025-01-01T00:00:00Z"}
        if self.chat:
            message = {"role": "assistant", "content": text}
            return line | {"message": message | ({"thinking": thinking} if thinking else {})}
        return line | {"response": text} | ({"thinking": thinking} if thinking else {})


Behaviour: TypeAlias = Callable[[Call], None]


def prompt_text(body: Json) -> str:
    """All that the model reads of a chat or generate call, in order."""
    messages = body.get("messages")
    if isinstance(messages, list):
        return "\n".join(message["content"] for message in messages)
    return f"{body.get('system', '')}\n{body.get('prompt', '')}"


def empty_reply(body: Json) -> str:
    """The empty reply in the form that the call asks for: no quotes, no analysis."""
    return json.dumps(_empty(body.get("format") or {}))


def _empty(schema: Json) -> object:
    if schema.get("type") == "object":
        return {key: _empty(value) for key, value in schema.get("properties", {}).items()}
    return [] if schema.get("type") == "array" else ""


def replies(text: str | None = None) -> Behaviour:
    """A good reply: this text, or what the server's answering function says."""

    def behave(call: Call) -> None:
        call.text(call.answer() if text is None else text)
        call.done()

    return behave


def cuts(text: str) -> Behaviour:
    """The reply reaches num_predict: it stops in the middle with done_reason "length"."""

    def behave(call: Call) -> None:
        call.text(text)
        call.done("length")

    return behave


def ends_without_done(text: str = '{"quotes": ["') -> Behaviour:
    """The stream just ends, as it does when the model says the same token over and over."""

    def behave(call: Call) -> None:
        call.text(text)
        call.end()

    return behave


def fails_midway(text: str = '{"quotes": ["', message: str = "model runner has stopped") -> Behaviour:
    """An error line in mid-stream, under the 200 that was sent before."""

    def behave(call: Call) -> None:
        call.text(text)
        call.line({"error": message})
        call.end()

    return behave


def fails(code: int, message: str) -> Behaviour:
    """An error in place of a reply: 400, 404, 500, 503, as JSON."""
    return lambda call: call.status(code, {"error": message})


def overflows(message: str = "the input length exceeds the context length") -> Behaviour:
    """The prompt is refused as longer than the context."""
    return fails(400, message)


def lacks_model(name: str = "tiny") -> Behaviour:
    """The model is not there."""
    return fails(404, f"model '{name}' not found")


def is_busy() -> Behaviour:
    """The queue is full, as it can be while a model is loaded."""
    return fails(503, "server busy, please try again.  maximum pending requests exceeded")


def pages(code: int = 502, page: str = "<html><body>Bad Gateway</body></html>") -> Behaviour:
    """A page of HTML, as a machine in between would send it."""
    return lambda call: call.status(code, page)


def redirects(location: str, status: int = 307) -> Behaviour:
    """The call is sent elsewhere."""
    return lambda call: call.status(status, "", {"Location": location})


def waits(gate: threading.Event, after: str = "") -> Behaviour:
    """Say `after`, then nothing until the gate opens, then the rest of a good reply (a slow server)."""

    def behave(call: Call) -> None:
        call.text(after)
        if call.wait(gate):
            call.text(call.answer().removeprefix(after))
            call.done()

    return behave


def stays_silent(gate: threading.Event) -> Behaviour:
    """Not even a status until the gate opens: the model is loading, or reading the prompt."""

    def behave(call: Call) -> None:
        if call.wait(gate):
            replies()(call)

    return behave


def drops(text: str = '{"quotes": ["') -> Behaviour:
    """The connection breaks off in mid-stream: the server was killed."""

    def behave(call: Call) -> None:
        call.text(text)
        call.drop()

    return behave


def sorts_keys() -> Behaviour:
    """A good reply with its keys in alphabetical order, at every depth."""

    def behave(call: Call) -> None:
        call.text(json.dumps(json.loads(call.answer()), sort_keys=True))
        call.done()

    return behave


def ignores_schema(text: str = '{"answer": "no findings"}') -> Behaviour:
    """A reply that ends well but is not in the form asked for (the grammar failed open)."""
    return replies(text)


def thinks(thinking: str = "The report says so.", text: str | None = None) -> Behaviour:
    """A thinking model: thoughts first, then the reply."""

    def behave(call: Call) -> None:
        call.piece(thinking=thinking)
        call.text(call.answer() if text is None else text)
        call.done()

    return behave


def leaves_counts_out(text: str | None = None) -> Behaviour:
    """A good reply whose last line lacks every count and time."""

    def behave(call: Call) -> None:
        call.text(call.answer() if text is None else text)
        call.line({"model": "tiny", "done": True, "done_reason": "stop"})
        call.end()

    return behave


def comes_from(host: str = "https://ollama.com:443") -> Behaviour:
    """A reply that names another machine as its source."""

    def behave(call: Call) -> None:
        call.piece("{", remote_host=host, remote_model="big")
        call.done(remote_host=host, remote_model="big")

    return behave


def unloads(reason: str = "unload") -> Behaviour:
    """The server only loaded or unloaded the model and answers nothing."""
    return lambda call: call.done(reason)


def says(*lines: Json | bytes) -> Behaviour:
    """These lines and nothing else, then the end of the stream."""

    def behave(call: Call) -> None:
        for line in lines:
            call.line(line)
        call.end()

    return behave


def floods(size: int = 1 << 16) -> Behaviour:
    """Bytes without a line end, until the client goes away."""

    def behave(call: Call) -> None:
        while not call.server.closing.is_set():
            call.line(b"x" * size)

    return behave


def obeys_context(cuts_silently: bool) -> Behaviour:
    """A good reply, where the prompt fits num_ctx; else 400, or a silent cut as servers before 0.13 do it."""

    def behave(call: Call) -> None:
        limit = call.body.get("options", {}).get("num_ctx", 4096)
        if call.tokens_in > limit and call.body.get("truncate") is False and not cuts_silently:
            overflows()(call)
            return
        call.tokens_in = min(call.tokens_in, limit)
        replies()(call)

    return behave
