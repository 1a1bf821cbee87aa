"""What a server says about its models, read with suspicion: size, context, vocabulary, where they run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from extractors.llm.types import LoadedModel, ModelCard, ModelEntry, Vocabulary

CONTROL = 3
BYTES_PER_VALUE = 2
MOST = 2**53  # beyond that a number is no count of anything here, and neither JSON nor SQLite keeps it
NAME_LENGTH = 300
NAMED = 20
CLOUD_ENDINGS = ("-cloud", ":cloud")


def remote_by_name(model: str) -> str:
    """Somebody else's machine, where the name alone says that the model runs there, else ""."""
    return "another machine" if model.strip().casefold().endswith(CLOUD_ENDINGS) else ""


def same_model(one: str, other: str) -> bool:
    """Whether two names mean the same model: "tiny" is "tiny:latest", in any case."""
    return _full(one) == _full(other)


def _full(name: str) -> str:
    name = name.strip().casefold()
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"


def entry(listed: Mapping[str, Any], loaded: Sequence[LoadedModel] = ()) -> ModelEntry:
    """A model of /api/tags, with what /api/ps says of it."""
    own = name(listed.get("name"))
    details = mapping(listed.get("details"))
    return ModelEntry(
        name=own,
        digest=name(listed.get("digest")),
        size=count(listed.get("size")) or 0,
        family=name(details.get("family")),
        parameters=name(details.get("parameter_size")),
        quantisation=name(details.get("quantization_level")),
        remote=remote_of(listed) or remote_by_name(own),
        loaded=next((model for model in loaded if same_model(model.name, own)), None),
    )


def named(entries: Sequence[ModelEntry]) -> str:
    """The models of a server in a sentence."""
    there = ", ".join(entry.name for entry in entries[:NAMED]) or "none"
    return there + (f" and {len(entries) - NAMED} more" if len(entries) > NAMED else "")


def loaded_model(listed: Mapping[str, Any]) -> LoadedModel:
    """A model of /api/ps."""
    numbers = (count(listed.get(key)) or 0 for key in ("context_length", "size", "size_vram"))
    return LoadedModel(name(listed.get("name")), *numbers)


def card(model: str, listed: ModelEntry | None, shown: Mapping[str, Any], server: str) -> ModelCard:
    """A model as /api/tags (`listed`) and /api/show (`shown`, verbose for the vocabulary) describe it.

    Its name is the server's, however the user spelled it, without the tag that is meant where none is given.
    """
    details = mapping(shown.get("details"))
    info = mapping(shown.get("model_info"))
    quantisation = name(details.get("quantization_level"))
    listed = listed or ModelEntry(model)
    if quantisation in ("", "unknown"):
        quantisation = listed.quantisation or quantisation
    return ModelCard(
        name=listed.name.removesuffix(":latest"),
        digest=listed.digest,
        size=listed.size,
        family=name(details.get("family")),
        parameters=name(details.get("parameter_size")),
        quantisation=quantisation,
        context=trained_context(shown),
        cache_bytes=cache_bytes(info),
        capabilities=tuple(text(one) for one in sequence(shown.get("capabilities"))),
        remote=remote_of(shown) or listed.remote,
        server=server,
        sight=_sight(mapping(shown.get("projector_info"))),
        vocabulary=_vocabulary(info),
    )


def _sight(projector: Mapping[str, Any]) -> str:
    """How a model sees that got its sight by a projector of LLaVA's kind: its family is that of its words."""
    if not projector.get("clip.has_llava_projector"):
        return ""
    return "llava-next" if "clip.vision.image_grid_pinpoints" in projector else "llava"


def trained_context(shown: Mapping[str, Any]) -> int:
    """The longest context the model was trained for, in tokens; 0 where /api/show does not say."""
    info = mapping(shown.get("model_info"))
    return count(info.get(f"{text(info.get('general.architecture'))}.context_length")) or 0


def cache_bytes(info: Mapping[str, Any]) -> int:
    """Bytes that one token of context takes: keys and values of every layer, two bytes (f16) a number.

    An upper bound: layers with a sliding window and compressed (latent) attention need less. 0 where the
    model's description lacks a number.
    """
    architecture = text(info.get("general.architecture"))

    def number(key: str) -> int:
        return count(info.get(f"{architecture}.{key}")) or 0

    layers, heads = number("block_count"), number("attention.head_count")
    width = number("embedding_length") // heads if heads else 0
    lengths = (number("attention.key_length") or width) + (number("attention.value_length") or width)
    by_layer = sequence(info.get(f"{architecture}.attention.head_count_kv"))
    all_heads = sum(count(value) or 0 for value in by_layer)
    if not by_layer:
        all_heads = layers * (number("attention.head_count_kv") or heads)
    return all_heads * lengths * BYTES_PER_VALUE


def _vocabulary(info: Mapping[str, Any]) -> Vocabulary | None:
    tokens = [text(token) for token in sequence(info.get("tokenizer.ggml.tokens"))]
    if not tokens:
        return None
    kinds = sequence(info.get("tokenizer.ggml.token_type"))
    control = (token for token, kind in zip(tokens, kinds, strict=False) if kind == CONTROL)
    return Vocabulary(text(info.get("tokenizer.ggml.model")), frozenset(tokens), frozenset(control))


def remote_of(values: Mapping[str, Any]) -> str:
    """The other machine that an answer names as the model's, "" for none; what cannot be read is one, too."""
    host = values.get("remote_host") or values.get("remote_model")
    return plain_words(text(values.get("remote_host"))) or ("another machine" if host else "")


def plain_words(text: str) -> str:
    """What a server said, fit for one line anywhere: printable, NAME_LENGTH characters at the most."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return words if len(words) <= NAME_LENGTH else words[: NAME_LENGTH - 1] + "…"


def name(value: object) -> str:
    """The value where it is a string, in plain words, else ""."""
    return plain_words(text(value))


def text(value: object) -> str:
    """The value where it is a string, else ""."""
    return value if isinstance(value, str) else ""


def count(value: object) -> int | None:
    """The value where it is a whole number from 0 to MOST, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST else None


def mapping(value: object) -> Mapping[str, Any]:
    """The value where it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> Sequence[Any]:
    """The value where it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else ()
