"""The ways in which servers of OpenAI's protocol are asked: fields that differ from one to the other."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from extractors.llm import models
from extractors.llm.backends.transport import Json
from extractors.llm.types import Request
from extractors.tasks.base import PICTURE_MARK, Prompt, object_schema

Constraint: TypeAlias = Callable[[Json], Json]

# The ways of holding a reply to a schema, by the field of a call that does it; the first that works is taken.
CONSTRAINTS: Mapping[str, Constraint] = {
    "response_format": lambda schema: {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": schema},
        }
    },
    "structured_outputs": lambda schema: {"structured_outputs": {"json": schema}},
    "guided_json": lambda schema: {"guided_json": schema},
    "json_schema": lambda schema: {"json_schema": schema},
    "response_format.schema": lambda schema: {"response_format": {"type": "json_object", "schema": schema}},
}
# Nobody who is greeted answers so, unless the schema makes him.
PROBE = object_schema({"probe": {"type": "string", "enum": ["q7x"]}}, closed=True)
PROBED = {"probe": "q7x"}
PROBE_TOKENS = 512
# By which name a server of this kind knows a sampler option; those of the protocol itself come first.
PROTOCOL_OPTIONS = {
    "temperature": "temperature",
    "top_p": "top_p",
    "presence_penalty": "presence_penalty",
    "frequency_penalty": "frequency_penalty",
    "seed": "seed",
    "num_predict": "max_tokens",
}
FURTHER_OPTIONS = {"top_k": "top_k", "min_p": "min_p", "repeat_penalty": "repeat_penalty"}


@dataclass(frozen=True, slots=True)
class Way:
    """How a model is asked: the field that holds its replies to a schema, whether it takes more options.

    Without `probabilities` it refuses calls for those of a reply's tokens. `effort` where only the effort
    that it is told keeps it from thinking.
    """

    schema: str
    further: bool
    probabilities: bool = True
    effort: bool = False


def body_of(request: Request, way: Way) -> Json:
    """A call for a reply, as a stream of events."""
    prompt = request.prompt
    options = dict(request.options)
    named = PROTOCOL_OPTIONS | (FURTHER_OPTIONS if way.further else {})
    body: Json = {
        "model": request.model,
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": _content(prompt)},
        ],
        **{theirs: options[ours] for ours, theirs in named.items() if ours in options},
        **_thinking(request.think, way),
        **({"logprobs": True} if request.probabilities and way.probabilities else {}),
    }
    schema = prompt.form.schema()
    return body | (CONSTRAINTS[way.schema](schema) if way.schema and schema else {})


def _content(prompt: Prompt) -> str | list[Json]:
    """The user's turn, its pictures where their marks stand."""
    if not prompt.pictures:
        return prompt.user
    words = prompt.user.split(PICTURE_MARK)
    parts: list[Json] = []
    for place, word in enumerate(words):
        parts += [{"type": "text", "text": word}] if word else []
        if place < len(prompt.pictures):
            encoded = b64encode(prompt.pictures[place].read()).decode("ascii")
            url = f"data:image/png;base64,{encoded}"
            parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts


def _thinking(think: bool, way: Way) -> Json:
    # Templates that know no thinking take no notice.
    told: Json = {"chat_template_kwargs": {"enable_thinking": think}} if way.further else {}
    return told | ({"reasoning_effort": "none"} if way.effort and not think else {})


def probing(model: str, way: Way) -> Json:
    """A call of a few tokens that shows whether the way works."""
    body: Json = {
        "model": model,
        "messages": [{"role": "user", "content": "Good morning."}],
        "temperature": 0.0,
        "max_tokens": PROBE_TOKENS,
        **({"top_k": 40, "min_p": 0.0, "repeat_penalty": 1.0} if way.further else {}),
        **_thinking(False, way),
    }
    return body | (CONSTRAINTS[way.schema](PROBE) if way.schema else {})


def for_probabilities(model: str, way: Way) -> Json:
    """A call of one token that shows whether the server refuses to give probabilities."""
    return {**probing(model, replace(way, schema="")), "max_tokens": 1, "logprobs": True}


def follows(values: Json) -> bool:
    """Whether the answer to such a call is as its schema has it."""
    choice = models.mapping(next(iter(models.sequence(values.get("choices"))), None))
    content = models.text(models.mapping(choice.get("message")).get("content"))
    with suppress(ValueError, RecursionError):
        return bool(json.loads(content) == PROBED)
    return False
