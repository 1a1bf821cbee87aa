"""Models are described by what their server says, as far as it is of the right kind."""

from __future__ import annotations

import pytest

from extractors.llm.models import (
    NAME_LENGTH,
    NAMED,
    cache_bytes,
    card,
    count,
    entry,
    loaded_model,
    named,
    plain_words,
    remote_by_name,
    same_model,
)
from extractors.llm.tokens import picture_tokens, sees_first_only

INFO = {
    "general.architecture": "llama",
    "llama.block_count": 32,
    "llama.embedding_length": 4096,
    "llama.attention.head_count": 32,
    "llama.attention.head_count_kv": 8,
}


def test_a_count_is_a_whole_number_from_nought_on() -> None:
    given = (0, 1, 2**53, 2**53 + 1, -1, True, 1.0, "1", None)
    assert [count(one) for one in given] == [0, 1, 2**53, *[None] * 6]


def test_one_token_of_context_takes_keys_and_values_of_every_layer() -> None:
    assert cache_bytes(INFO) == 32 * 8 * (128 + 128) * 2


def test_key_and_value_lengths_go_before_the_width_of_a_head() -> None:
    lengths = {"llama.attention.key_length": 64, "llama.attention.value_length": 32}
    assert cache_bytes(INFO | lengths) == 32 * 8 * (64 + 32) * 2


def test_heads_may_differ_from_layer_to_layer() -> None:
    assert cache_bytes(INFO | {"llama.attention.head_count_kv": [8, 0, 4]}) == 12 * 256 * 2


def test_without_key_heads_every_head_has_its_own() -> None:
    info = {key: value for key, value in INFO.items() if not key.endswith("head_count_kv")}
    assert cache_bytes(info) == 32 * 32 * 256 * 2


@pytest.mark.parametrize("info", [{}, {"general.architecture": 7}, INFO | {"llama.block_count": "32"}])
def test_a_size_that_cannot_be_known_is_nought(info: dict[str, object]) -> None:
    assert cache_bytes(info) == 0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("tiny", "tiny:latest", True),
        ("Tiny:LATEST", "tiny", True),
        ("hf.co/a/b:Q4", "hf.co/a/b:q4", True),
        ("localhost:5000/a/b", "localhost:5000/a/b:latest", True),
        ("tiny:1b", "tiny", False),
    ],
)
def test_names_mean_the_same_with_and_without_latest(one: str, other: str, same: bool) -> None:
    assert same_model(one, other) is same


@pytest.mark.parametrize(
    ("name", "cloud"),
    [("gpt-oss:120b-cloud", True), ("x:CLOUD ", True), ("x-cloud", True), ("cloudy:7b", False)],
)
def test_cloud_models_are_known_by_their_names(name: str, cloud: bool) -> None:
    assert bool(remote_by_name(name)) is cloud


def test_only_control_tokens_are_control() -> None:
    info = {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.tokens": ["a", "<|end|>", "<h1>", "<0x0A>"],
        "tokenizer.ggml.token_type": [1, 3, 4, 6],
    }
    vocabulary = card("m", None, {"model_info": info}, "0.24.0").vocabulary
    assert vocabulary is not None
    assert vocabulary.kind == "gpt2"
    assert vocabulary.tokens == {"a", "<|end|>", "<h1>", "<0x0A>"}
    assert vocabulary.control == {"<|end|>"}


@pytest.mark.parametrize(
    "shown", [{}, {"model_info": None}, {"model_info": [], "details": "x", "capabilities": 5}]
)
def test_a_description_of_the_wrong_kind_is_an_empty_one(shown: dict[str, object]) -> None:
    described = card("m", None, shown, "")
    assert (described.name, described.context, described.cache_bytes, described.vocabulary) == (
        "m",
        0,
        0,
        None,
    )


def test_numbers_of_the_wrong_kind_are_nought() -> None:
    loaded = loaded_model({"name": "m", "context_length": True, "size": -1, "size_vram": 2.5})
    assert (loaded.context, loaded.size, loaded.vram) == (0, 0, 0)


def test_a_remote_host_is_told_and_a_cloud_name_is_enough() -> None:
    assert entry({"name": "big", "remote_host": "https://ollama.com:443"}).remote == "https://ollama.com:443"
    assert entry({"name": "big:cloud"}).remote == "another machine"
    # A model that is another one's elsewhere is away, also where it is not said where.
    assert entry({"name": "big", "remote_model": "bigger"}).remote == "another machine"
    assert entry({"name": "big", "remote_host": ["x"]}).remote == "another machine"
    assert entry({"name": "big"}).remote == ""
    # Which of a server's answers says so is one: the list, or what is told of the model alone.
    away = {"remote_host": "https://ollama.com:443"}
    for listed, shown, remote in (("big:cloud", {}, "another machine"), ("big", away, away["remote_host"])):
        assert card("big", entry({"name": listed}), shown, "").remote == remote


def test_what_a_server_says_is_named_as_far_as_it_fits() -> None:
    entries = [entry({"name": f"m{number}"}) for number in range(NAMED + 1)]
    assert named(entries[:NAMED]) == ", ".join(one.name for one in entries[:NAMED])
    assert named(entries) == f"{named(entries[:NAMED])} and 1 more"
    assert named([]) == "none"
    long = "m" * NAME_LENGTH
    assert (plain_words(f" {long}\n"), plain_words(f"{long}m")) == (long, f"{long[1:]}…")
    assert plain_words("a\u202eb\x00 c") == "a b c"


def test_a_model_whose_sight_is_of_another_family_than_its_words_is_known_by_its_projector() -> None:
    projector: dict[str, object] = {"clip.has_llava_projector": True}
    shown = {"details": {"family": "llama"}, "projector_info": projector}
    seen = card("m", None, shown, "")
    assert (seen.family, seen.sight) == ("llama", "llava")
    assert sees_first_only(seen.sight)
    projector["clip.vision.image_grid_pinpoints"] = None
    assert picture_tokens(card("m", None, shown, "").sight, 4000, 3000) == 2880
    assert card("m", None, {"details": {"family": "gemma3"}}, "").sight == ""


@pytest.mark.parametrize(
    ("shown", "listed", "found"),
    [
        ("unknown", "MXFP4", "MXFP4"),
        ("", "Q4_0", "Q4_0"),
        ("Q8_0", "Q4_0", "Q8_0"),
        ("unknown", "", "unknown"),
    ],
)
def test_a_quantisation_that_is_not_shown_is_that_of_the_list(shown: str, listed: str, found: str) -> None:
    of_list = entry({"name": "m", "details": {"quantization_level": listed}})
    assert card("m", of_list, {"details": {"quantization_level": shown}}, "").quantisation == found
