"""Models are described, listed and fetched, and what goes wrong says what to do."""

from __future__ import annotations

import json
import threading

import pytest

from extractors.llm.backends.ollama import OllamaClient
from extractors.llm.types import LoadedModel, PullProgress
from extractors.model.errors import ModelNotFoundError, ServerError
from tests.scripted_behaviours import Call, pages, redirects, says
from tests.scripted_ollama import FakeModel, ScriptedOllama
from tests.unit.extractors.llm.backends.asking import PATIENCE, outcome


def test_a_card_holds_what_the_server_knows() -> None:
    with ScriptedOllama() as server:
        card = OllamaClient(server.host).card("tiny")
    assert (card.name, card.digest, card.size) == ("tiny", "d" * 64, 470_016)
    assert (card.family, card.parameters, card.quantisation) == ("llama", "113.79K", "F32")
    assert (card.context, card.cache_bytes) == (8192, 2 * 2 * (16 + 16) * 2)
    assert (card.capabilities, card.remote, card.server) == (("completion",), "", "0.24.0")
    assert card.vocabulary is not None
    assert card.vocabulary.tokens == set(FakeModel().tokens)
    assert card.vocabulary.control == {"<s>", "</s>"}


def test_a_missing_model_is_answered_with_those_there_are_and_how_to_fetch_it() -> None:
    with (
        ScriptedOllama(models=[FakeModel("a:1b"), FakeModel("b:latest")]) as server,
        pytest.raises(ModelNotFoundError, match=r"no model c; .*a:1b, b:latest; `casespan pull c`"),
    ):
        OllamaClient(server.host).card("c")


def test_the_list_holds_context_and_what_is_loaded() -> None:
    models = [FakeModel("tiny:latest"), FakeModel("other:1b", context=2048)]
    with ScriptedOllama(models=models) as server:
        client = OllamaClient(server.host)
        outcome(client)
        tiny, other = client.models()
    assert (tiny.name, tiny.context, tiny.remote) == ("tiny:latest", 8192, "")
    assert tiny.loaded == LoadedModel("tiny:latest", 2048, 470_016, 0)
    assert (other.name, other.context, other.loaded) == ("other:1b", 2048, None)


def test_the_vocabulary_is_not_asked_for_in_a_list() -> None:
    with ScriptedOllama() as server:
        OllamaClient(server.host).models()
        shown = [request.body for request in server.requests if request.path == "/api/show"]
    assert shown == [{"model": "tiny:latest"}]


@pytest.mark.parametrize("tokens", [FakeModel().tokens, ()])
def test_a_model_is_described_once_also_where_it_keeps_its_vocabulary_to_itself(
    tokens: tuple[str, ...],
) -> None:
    with ScriptedOllama(models=[FakeModel(tokens=tokens, kinds=(1,) * len(tokens))]) as server:
        client = OllamaClient(server.host)
        outcome(client)
        card = client.card("tiny")
        assert client.card("tiny") is card
        shown = [request.body["verbose"] for request in server.requests if request.path == "/api/show"]
    # A call does without the vocabulary.
    assert shown == [False, True]
    assert (card.vocabulary is None) == (tokens == ())


def test_a_model_that_cannot_be_shown_is_listed_all_the_same() -> None:
    with ScriptedOllama() as server:
        server.on["/api/show"] = pages(500)
        (entry,) = OllamaClient(server.host).models()
    assert (entry.name, entry.context) == ("tiny:latest", 0)


def test_the_context_that_was_allocated_is_known_once_the_model_is_loaded() -> None:
    with ScriptedOllama() as server:
        client = OllamaClient(server.host)
        assert client.loaded_model("tiny") is None
        outcome(client)
        assert client.loaded_model("tiny") == LoadedModel("tiny:latest", 2048, 470_016, 0)


@pytest.mark.parametrize("lists", [{}, {"models": None}, {"models": [1, "x", {}]}])
def test_lists_of_the_wrong_kind_are_read_as_far_as_they_go(lists: dict[str, object]) -> None:
    with ScriptedOllama() as server:
        server.on["/api/ps"] = server.on["/api/tags"] = says(lists)
        client = OllamaClient(server.host)
        assert client.loaded_model("tiny") is None
        assert all(entry.name == "" for entry in client.models())


def test_no_server_is_answered_with_how_to_start_one() -> None:
    with ScriptedOllama() as server:
        client = OllamaClient(server.host)
    for ask in (client.version, client.models, client.loaded, lambda: client.card("tiny")):
        with pytest.raises(ServerError, match=r"start Ollama \(its app, or `ollama serve`\).*--host"):
            ask()


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        (pages(200), "does not speak as a model server does"),
        (pages(404, "404 page not found"), "answered with status 404, not as Ollama does"),
        (redirects("https://192.0.2.1/"), "sends the call on to https://192.0.2.1/"),
    ],
)
def test_something_else_behind_the_port_is_named_as_such(behaviour: object, sentence: str) -> None:
    assert callable(behaviour)
    with ScriptedOllama() as server:
        server.on["/api/tags"] = behaviour
        with pytest.raises(ServerError, match=sentence):
            OllamaClient(server.host).card("tiny")


def test_fetching_a_model_tells_how_far_it_is_and_ends_with_success() -> None:
    layer = {"status": "pulling 9fc2", "digest": "sha256:9fc2", "total": 10, "completed": 4}
    with ScriptedOllama() as server:
        server.on["/api/pull"] = says({"status": "pulling manifest"}, layer, {"status": "success"}, layer)
        steps = list(OllamaClient(server.host).pull("big"))
        assert server.requests[-1].body == {"model": "big", "stream": True}
    assert steps == [
        PullProgress("pulling manifest"),
        PullProgress("pulling 9fc2", 4, 10),
        PullProgress("success"),
    ]


@pytest.mark.parametrize(
    ("lines", "error", "sentence"),
    [
        ([{"status": "verifying sha256 digest"}], ServerError, "without saying that it succeeded"),
        ([{"error": "dial tcp: no such host"}], ServerError, "could not fetch big: dial tcp"),
        ([{"error": "pull model manifest: file does not exist"}], ModelNotFoundError, "no model big"),
    ],
)
def test_a_fetch_that_fails_half_way_is_no_success(
    lines: list[dict[str, object]], error: type[Exception], sentence: str
) -> None:
    with ScriptedOllama() as server:
        server.on["/api/pull"] = says({"status": "pulling manifest"}, *lines)
        steps = OllamaClient(server.host).pull("big")
        with pytest.raises(error, match=sentence):
            list(steps)


def test_a_silent_fetch_still_gives_its_caller_a_turn_and_can_be_given_up() -> None:
    gate = threading.Event()

    def stall(call: Call) -> None:
        call.line(json.loads('{"status": "verifying"}'))
        call.wait(gate)

    with ScriptedOllama() as server:
        server.on["/api/pull"] = stall
        steps = OllamaClient(server.host).pull("big")
        seen = [step.status for step, _ in zip(steps, range(3), strict=False)]
        steps.close()
        assert server.disconnected.wait(PATIENCE)
    assert seen[-2:] == ["verifying", "verifying"]
