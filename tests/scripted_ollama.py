"""A model server on a real loopback socket that speaks Ollama's wire format and plays every fault on cue."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.scripted_behaviours import Behaviour, Call, Json, empty_reply, obeys_context, says
from tests.scripted_server import Answer, Handler, Recorded, ScriptedServer

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


class ScriptedOllama(ScriptedServer):
    """A server to be used as a context; what it was asked is in `requests`.

    Each chat or generate call takes the next behaviour of the script and, when there is none left, a good
    reply: `answer(body)`, by default empty. Prompt tokens are characters / 4. A prompt above num_ctx is
    refused when the call says truncate false, as servers since 0.13 do, or cut in silence where
    `cuts_silently`, as older ones do. `on` holds, by path, what goes before all this. `vram` is the share of
    a loaded model that a graphics card holds.
    """

    def __init__(
        self,
        *script: Behaviour,
        answer: Answer = empty_reply,
        models: Sequence[FakeModel] = (FakeModel(),),
        version: str = "0.24.0",
        cuts_silently: bool = False,
        vram: float = 0.0,
    ) -> None:
        super().__init__(script, answer)
        self.models = {model.name: model for model in models}
        self.version = version
        self.cuts_silently = cuts_silently
        self.vram = vram
        self.loaded: dict[str, int] = {}
        self.unloaded = threading.Event()
        self.on["/api/pull"] = says({"status": "pulling manifest"}, {"status": "success"})

    @property
    def calls(self) -> list[Recorded]:
        """The chat and generate calls in order, without those that only load or unload."""
        return [one for one in self.requests if one.path in CALLS and _asks(one.body)]

    @property
    def usual(self) -> Behaviour:
        return obeys_context(self.cuts_silently)

    def unload(self, name: str) -> None:
        self.loaded.pop(name, None)
        self.unloaded.set()

    def find(self, name: str) -> FakeModel | None:
        return self.models.get(name) or self.models.get(f"{name}:latest")

    def route(self, line: Handler, path: str, body: Json) -> None:
        if path in self.on:
            self.on[path](Call(self, line, path, body))
        elif path in CALLS:
            self._call(line, path, body)
        elif path == "/api/version":
            line.whole(200, {"version": self.version})
        elif path == "/api/tags":
            line.whole(200, {"models": [model.listed() for model in self.models.values()]})
        elif path == "/api/ps":
            line.whole(200, {"models": self._running()})
        elif path == "/api/show":
            self._show(line, body)
        else:
            line.whole(404, "404 page not found")

    def _call(self, line: Handler, path: str, body: Json) -> None:
        model = self.find(body.get("model", ""))
        if model is None:
            line.whole(404, {"error": f"model '{body.get('model')}' not found"})
            return
        unload = not _asks(body) and body.get("keep_alive") == 0
        if unload:
            self.unload(model.name)
        else:
            self.loaded[model.name] = min(body.get("options", {}).get("num_ctx", 4096), model.context)
        if _asks(body):
            self.called.set()
            with self.counted():
                self.behaviour()(Call(self, line, path, body))
        else:
            reason = "unload" if unload else "load"
            line.whole(200, {"model": model.name, "response": "", "done": True, "done_reason": reason})

    def _show(self, line: Handler, body: Json) -> None:
        model = self.find(body.get("model", ""))
        if model is None:
            line.whole(404, {"error": f"model '{body.get('model')}' not found"})
        else:
            line.whole(200, model.shown(bool(body.get("verbose"))))

    def _running(self) -> list[Json]:
        return [
            self.models[name].listed()
            | {"size_vram": int(self.vram * self.models[name].size), "context_length": context}
            for name, context in self.loaded.items()
        ]


def _asks(body: Json) -> bool:
    return bool(body.get("prompt") or body.get("messages"))
