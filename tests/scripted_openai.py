"""A model server on a real loopback socket that speaks OpenAI's wire format, in the dialects there are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.scripted_behaviours import Behaviour, Call, Json, empty_reply, replies
from tests.scripted_server import Answer, Handler, Recorded, ScriptedServer

CHAT = "/v1/chat/completions"


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a kind of server understands and says of itself.

    `schema` is the field that holds replies to a schema ("" for none), `strict` servers refuse fields that
    they do not know, and every server those that it `refuses`. `descriptions` are answers by path; `listed`
    is added to the model in the list.
    """

    schema: str = "response_format"
    strict: bool = False
    listed: Mapping[str, Any] | None = None
    descriptions: Mapping[str, Json] | None = None
    context: int = 8192
    refuses: tuple[str, ...] = ()


VLLM = Dialect("structured_outputs", False, {"max_model_len": 8192}, {"/version": {"version": "0.11.0"}})
LLAMA_CPP = Dialect(
    "json_schema",
    False,
    {"meta": {"n_ctx_train": 131_072, "n_params": 1_235_814_432, "size": 800_000}},
    {"/props": {"total_slots": 4, "default_generation_settings": {"n_ctx": 8192}, "build_info": "b6000"}},
)
LM_STUDIO = Dialect(
    "response_format",
    True,
    None,
    {
        "/api/v0/models": {
            "data": [{"id": "tiny", "max_context_length": 131_072, "loaded_context_length": 8192}]
        }
    },
)
KNOWN = {
    "model",
    "messages",
    "stream",
    "stream_options",
    "temperature",
    "top_p",
    "presence_penalty",
    "frequency_penalty",
    "seed",
    "max_tokens",
    "logprobs",
    "response_format",
}


class EventCall(Call):
    """A call whose reply is a stream of events."""

    finished = ""

    def line(self, line: Json | bytes) -> None:
        data = line if isinstance(line, bytes) else b"data: " + json.dumps(line).encode() + b"\n\n"
        super().line(data)

    def piece(self, text: str = "", thinking: str = "", **more: object) -> None:
        self.tokens_out += 1
        delta = {"content": text} | ({"reasoning_content": thinking} if thinking else {})
        self.line(self._chunk(delta, None) | more)

    def done(self, reason: str = "stop", **more: object) -> None:
        self.line(self._chunk({}, reason))
        usage = {"prompt_tokens": self.tokens_in, "completion_tokens": self.tokens_out}
        self.line({"object": "chat.completion.chunk", "choices": [], "usage": usage | more})
        self.line(b"data: [DONE]\n\n")
        self.end()

    def _chunk(self, delta: Json, reason: str | None) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {"object": "chat.completion.chunk", "model": self.body.get("model"), "choices": [choice]}


class ScriptedOpenAI(ScriptedServer):
    """A server of one `dialect` with the model "tiny"; with a `key` it answers nobody who lacks it.

    Calls that find out what it can do are answered apart from the script, and stand in `probes`.
    """

    stream = "text/event-stream"

    def __init__(
        self,
        *script: Behaviour,
        answer: Answer = empty_reply,
        dialect: Dialect | None = None,
        key: str = "",
    ) -> None:
        super().__init__(script, answer)
        self.dialect = dialect or Dialect()
        self.key = key

    @property
    def base(self) -> str:
        """The address that a client is given."""
        return f"{self.url}/v1"

    @property
    def usual(self) -> Behaviour:
        return replies()

    @property
    def calls(self) -> list[Recorded]:
        """The calls for a reply, in order."""
        return [one for one in self.requests if one.path == CHAT and one.body.get("stream")]

    @property
    def probes(self) -> list[Recorded]:
        """The calls that found out what the server can do."""
        return [one for one in self.requests if one.path == CHAT and not one.body.get("stream")]

    def route(self, line: Handler, path: str, body: Json) -> None:
        described = self.dialect.descriptions or {}
        if self.key and line.headers.get("Authorization") != f"Bearer {self.key}":
            line.whole(401, {"error": {"message": "invalid key"}})
        elif path in self.on:
            self.on[path](EventCall(self, line, path, body))
        elif path in described:
            line.whole(200, described[path])
        elif path == "/v1/models":
            line.whole(200, {"data": [{"id": "tiny", **(self.dialect.listed or {})}]})
        elif path == CHAT:
            self._call(line, path, body)
        else:
            line.whole(404, {"detail": "Not Found"})

    def _call(self, line: Handler, path: str, body: Json) -> None:
        refused = self.dialect.refuses
        unknown = [one for one in body if one in refused or (self.dialect.strict and one not in KNOWN)]
        if body.get("model") != "tiny":
            line.whole(404, {"error": {"message": "The model does not exist."}})
        elif unknown:
            line.whole(400, {"error": {"message": f"Unrecognized request argument: {unknown[0]}"}})
        elif not body.get("stream"):
            schema = self.schema_of(body)
            said = _filled(schema) if schema else "Good morning to you."
            line.whole(200, {"choices": [{"message": {"content": said}, "finish_reason": "stop"}]})
        else:
            self.called.set()
            # As the behaviours know a call: by Ollama's names.
            told = {
                **body,
                "format": self.schema_of(body) or {},
                "options": {"num_ctx": self.dialect.context},
            }
            with self.counted():
                self.behaviour()(EventCall(self, line, path, told))

    def schema_of(self, body: Json) -> Json | None:
        """The schema that the server heeds in a call."""
        kind = body.get("response_format") or {}
        found = {
            "response_format": kind.get("json_schema", {}).get("schema"),
            "structured_outputs": (body.get("structured_outputs") or {}).get("json"),
            "guided_json": body.get("guided_json"),
            "json_schema": body.get("json_schema"),
            "response_format.schema": kind.get("schema"),
        }
        schema: Json | None = found.get(self.dialect.schema)
        return schema


def _filled(schema: Json) -> str:
    """An object of a schema whose properties are all enumerations."""
    return json.dumps({key: one["enum"][0] for key, one in schema["properties"].items()})
