"""Servers that speak OpenAI's protocol are asked as each can be, and fail in one sentence."""

from __future__ import annotations

import json
import threading
import time
from contextlib import nullcontext
from dataclasses import replace

import pytest

from extractors.llm.backends.openai import OpenAIClient, _end
from extractors.llm.types import Client, Outcome, Request
from extractors.model.errors import CallError, ModelNotFoundError, RemoteRefusedError, ServerError
from tests.scripted_behaviours import (
    Behaviour,
    Call,
    Json,
    cuts,
    drops,
    ends_without_done,
    fails,
    fails_midway,
    pages,
    redirects,
    replies,
    says,
    stays_silent,
    thinks,
    waits,
)
from tests.scripted_openai import CHAT, LLAMA_CPP, LM_STUDIO, VLLM, Dialect, ScriptedOpenAI
from tests.unit.extractors.llm.backends.asking import GOOD, OPTIONS, PATIENCE, SYSTEM, USER, request

BEGUN = '{"quotes": ["'
DIALECTS = {
    "plain": Dialect(),
    "vllm": VLLM,
    "older vllm": replace(VLLM, schema="guided_json"),
    "llama.cpp": LLAMA_CPP,
    "older llama.cpp": replace(LLAMA_CPP, schema="response_format.schema"),
    "lm studio": LM_STUDIO,
}


def outcome(client: OpenAIClient, asked: Request | None = None) -> Outcome:
    with client.start(asked or request()) as exchange:
        ended = exchange.poll(PATIENCE)
    assert ended is not None
    return ended


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_server_is_held_to_the_schema_in_its_own_way(dialect: str) -> None:
    with ScriptedOpenAI(dialect=DIALECTS[dialect]) as server:
        client = OpenAIClient(server.base)
        asked: Client = client
        with asked.load("tiny", OPTIONS) as exchange:
            loaded = exchange.poll(PATIENCE)
        assert loaded is not None
        assert (loaded.done_reason, loaded.error) == ("load", "")
        assert client.capabilities.schema == DIALECTS[dialect].schema
        probed = len(server.probes)
        ended = outcome(client)
        assert len(server.probes) == probed
        (sent,) = server.calls
        assert server.schema_of(sent.body) == request().prompt.form.schema()
    assert (ended.text, ended.done_reason, ended.error) == (GOOD, "stop", "")
    assert (ended.tokens_in, ended.tokens_out) == (-(-len(f"{SYSTEM}\n{USER}") // 4), 2)


def test_a_call_says_every_option_by_the_name_that_the_server_knows() -> None:
    sampled = replace(request(), options={**OPTIONS, "top_k": 40, "repeat_penalty": 1.0, "num_ctx": 2048})
    with ScriptedOpenAI() as server, ScriptedOpenAI(dialect=LM_STUDIO) as strict:
        for one in (server, strict):
            assert outcome(OpenAIClient(one.base), sampled).error == ""
        lax, exact = server.calls[0].body, strict.calls[0].body
    assert (exact["temperature"], exact["seed"], exact["max_tokens"]) == (0, 1, 256)
    assert exact["messages"] == [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": USER},
    ]
    assert "num_ctx" not in lax
    assert (lax["top_k"], lax["repeat_penalty"]) == (40, 1.0)
    assert lax["chat_template_kwargs"] == {"enable_thinking": False}
    assert not {"top_k", "repeat_penalty", "chat_template_kwargs"} & set(exact)


def test_a_server_that_heeds_no_schema_is_asked_all_the_same() -> None:
    with ScriptedOpenAI(replies(GOOD), dialect=Dialect(schema="")) as server:
        client = OpenAIClient(server.base)
        assert outcome(client).text == GOOD
        assert client.capabilities.schema == ""
        assert "response_format" not in server.calls[0].body
        assert "chat_template_kwargs" in server.calls[0].body, "as many options as it takes"


def test_a_server_that_refuses_every_way_is_asked_plainly() -> None:
    dialect = Dialect(schema="", strict=True)
    with ScriptedOpenAI(replies(GOOD), dialect=dialect) as server:

        def refuse(call: Call) -> None:
            if "response_format" in call.body:
                call.status(400, {"error": {"message": "response_format is not supported"}})
            elif call.body.get("stream"):
                replies(GOOD)(call)
            else:
                call.status(200, {"choices": [{"message": {"content": "Hello"}}]})

        server.on[CHAT] = refuse
        assert outcome(OpenAIClient(server.base)).text == GOOD


def test_what_a_server_says_of_itself_is_found_out() -> None:
    found = {}
    for name in ("plain", "vllm", "llama.cpp", "lm studio"):
        with ScriptedOpenAI(dialect=DIALECTS[name]) as server:
            client = OpenAIClient(server.base)
            card = client.card("tiny")
            can = client.capabilities
            found[name] = (client.label, client.version(), card.context, can.parallel, can.within_report)
            loaded = client.loaded_model("tiny")
            assert (loaded.context if loaded else 0) == card.context
    assert found == {
        "plain": ("OpenAI-compatible server", "", 0, 0, False),
        "vllm": ("vLLM", "0.11.0", 8192, 0, True),
        "llama.cpp": ("llama.cpp", "b6000", 8192, 4, False),
        "lm studio": ("LM Studio", "", 8192, 0, False),
    }


@pytest.mark.parametrize(
    ("modalities", "sees"), [({"vision": False}, False), ({"vision": True}, True), ({}, True)]
)
def test_llama_cpp_says_whether_its_model_sees_and_who_says_nothing_may(
    modalities: dict[str, bool], sees: bool
) -> None:
    props = {**(LLAMA_CPP.descriptions or {})["/props"], "modalities": modalities}
    with ScriptedOpenAI(dialect=replace(LLAMA_CPP, descriptions={"/props": props})) as server:
        assert ("vision" in OpenAIClient(server.base).card("tiny").capabilities) is sees


OLLAMA = Dialect(
    listed={"id": "tiny:latest"},
    descriptions={
        "/api/ps": {"models": [{"name": "tiny:latest", "context_length": 4096}]},
        "/api/show": {"capabilities": ["completion"]},
        "/api/tags": {"models": [{"name": "tiny:latest", "digest": "d1", "size": 7}]},
    },
)


def test_ollama_says_beside_this_protocol_what_context_and_powers_a_model_has() -> None:
    with ScriptedOpenAI(dialect=OLLAMA) as server:
        client = OpenAIClient(server.base)
        card = client.card("tiny")
        assert (card.name, card.context, card.capabilities) == ("tiny:latest", 0, ("completion",))
        assert (card.digest, card.size) == ("d1", 7)
        loaded = client.loaded_model("tiny")
        assert loaded is not None
        assert loaded.context == 4096


def test_a_model_that_ollama_holds_under_another_name_has_the_context_of_that() -> None:
    held = {"/api/ps": {"models": [{"name": "other", "context_length": 4096}]}}
    with ScriptedOpenAI(dialect=Dialect(descriptions=held)) as server:
        client = OpenAIClient(server.base)
        assert client.loaded_model("tiny") is None, "nothing says that it is loaded"
        outcome(client)
        loaded = client.loaded_model("tiny")
    assert (loaded and loaded.context) == 4096


@pytest.mark.parametrize(
    ("refuses", "think", "effort"),
    [((), False, "none"), ((), True, None), (("reasoning_effort",), False, None)],
)
def test_ollama_is_told_by_the_effort_that_a_model_is_not_to_think(
    refuses: tuple[str, ...], think: bool, effort: str | None
) -> None:
    described = {"/api/show": {"capabilities": ["completion", "thinking"]}}
    with ScriptedOpenAI(dialect=Dialect(descriptions=described, refuses=refuses)) as server:
        client = OpenAIClient(server.base)
        client.card("tiny")
        assert outcome(client, request(think=think)).error == ""
        (sent,) = server.calls
    assert (sent.body.get("reasoning_effort"), "response_format" in sent.body) == (effort, True)


@pytest.mark.parametrize(
    ("name", "shown", "remote"),
    [
        ("far:latest", {"remote_host": "https://example.org:443"}, "https://example.org:443"),
        ("big:cloud", {"capabilities": ["completion"]}, "another machine"),
        ("big:cloud", None, ""),
    ],
)
def test_a_model_that_ollama_has_on_another_machine_is_refused(
    name: str, shown: Json | None, remote: str
) -> None:
    dialect = Dialect(listed={"id": name}, descriptions={"/api/show": shown} if shown else None)
    with ScriptedOpenAI(dialect=dialect) as server:
        assert OpenAIClient(server.base, allow_remote=True).card(name).remote == remote
        with pytest.raises(RemoteRefusedError, match=remote) if remote else nullcontext():
            OpenAIClient(server.base).card(name)


def test_a_missing_model_is_answered_with_those_there_are() -> None:
    with ScriptedOpenAI() as server:
        client = OpenAIClient(server.base)
        with pytest.raises(ModelNotFoundError, match=r"no model absent; those there are: tiny\."):
            client.card("absent")
        ended = outcome(client, request("absent"))
        assert ended.fatal
        with pytest.raises(CallError, match="fetches no models"):
            client.pull("absent")


def test_the_key_goes_to_the_server_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedOpenAI(key="s3cret") as server, ScriptedOpenAI() as other:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "OPENAI_BASE_URL"):
            monkeypatch.setenv(name, other.url)
        monkeypatch.setenv("OPENAI_API_KEY", "environment")
        client = OpenAIClient(server.base, key="s3cret")
        assert outcome(client).error == ""
        server.script(redirects(f"{other.url}/v1/chat/completions"))
        assert outcome(client).fatal
        assert other.requests == []
        assert "environment" not in str(server.requests)
        assert "s3cret" not in repr(client) + client.where
        without = OpenAIClient(server.base)
        ended = outcome(without)
        with pytest.raises(ServerError, match="status 401: invalid key"):
            without.card("tiny")
    assert ended.fatal
    assert "status 401" in ended.error


def test_another_machine_is_refused_with_where_the_text_would_go() -> None:
    with pytest.raises(RemoteRefusedError, match=r"192\.0\.2\.7.*--allow-remote"):
        OpenAIClient("https://192.0.2.7/v1")
    allowed = OpenAIClient("https://192.0.2.7/proxy/v1", allow_remote=True)
    assert allowed.where == allowed.remote == "https://192.0.2.7:443/proxy/v1"


def test_the_path_is_v1_where_none_is_given() -> None:
    with ScriptedOpenAI() as server:
        client = OpenAIClient(server.url)
        assert client.where == server.base
        assert outcome(client).error == ""


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        (ends_without_done(BEGUN), "without the server saying that it was done"),
        (fails_midway(BEGUN, "engine died"), "broke the reply off: engine died"),
        (drops(BEGUN), "broke the connection off"),
        (
            says(b'data: {"choices": [{"delta": {"content": "{\\"quotes\\": [\\""}}]}\n', b"data: <html>\n"),
            "speak",
        ),
    ],
)
def test_a_reply_that_breaks_off_keeps_what_came_and_says_why(behaviour: Behaviour, sentence: str) -> None:
    with ScriptedOpenAI(behaviour) as server:
        ended = outcome(OpenAIClient(server.base))
    assert sentence in ended.error
    assert ended.text == BEGUN
    assert not ended.fatal


@pytest.mark.parametrize(
    ("behaviour", "sentence", "fatal"),
    [
        (fails(500, "out of memory"), "refused with status 500: out of memory.", False),
        (pages(502), "answered with status 502, not as a model server does", False),
        (fails(403, "forbidden"), "status 403: forbidden", True),
    ],
)
def test_a_refusal_is_one_sentence(behaviour: Behaviour, sentence: str, fatal: bool) -> None:
    with ScriptedOpenAI(behaviour) as server:
        ended = outcome(OpenAIClient(server.base))
    assert sentence in ended.error
    assert (ended.text, ended.fatal, ended.overflow) == ("", fatal, False)


def test_a_server_that_is_away_is_not_asked_in_every_way_and_one_that_counts_nothing_says_nothing() -> None:
    with ScriptedOpenAI() as server:
        server.on[CHAT] = pages(503)
        assert "503" in outcome(OpenAIClient(server.base)).error
        assert len(server.probes) == 1
    ended = _end("stop", {"prompt_tokens": 0, "completion_tokens": 0}, {})
    assert (ended.tokens_in, ended.tokens_out) == (None, 0)


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        (
            "This model's maximum context length is 4096 tokens. However, you requested 5012 tokens "
            "(4500 in the messages, 512 in the completion). Please reduce the length.",
            4500,
        ),
        (
            "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 "
            "tokens.",
            5000,
        ),
        ("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 5000),
        ("The number of tokens to keep is greater than the context length: too large for the context", None),
    ],
)
def test_a_prompt_too_long_is_known_by_every_server_s_words(message: str, tokens: int | None) -> None:
    with ScriptedOpenAI(lambda call: call.status(400, {"error": {"message": message}})) as server:
        ended = outcome(OpenAIClient(server.base))
    assert (ended.overflow, ended.fatal, ended.tokens_in) == (True, False, tokens)


def test_a_cut_reply_is_no_error_and_thoughts_are_kept_apart() -> None:
    with ScriptedOpenAI(cuts(BEGUN), thinks("First, the fever.")) as server:
        client = OpenAIClient(server.base)
        cut = outcome(client)
        thoughtful = outcome(client, request(think=True))
        assert server.calls[-1].body["chat_template_kwargs"] == {"enable_thinking": True}
    assert (cut.text, cut.done_reason, cut.error) == (BEGUN, "length", "")
    assert (thoughtful.thinking, thoughtful.text) == ("First, the fever.", GOOD)


def test_comments_and_next_lines_in_a_stream_end_nothing() -> None:
    text = json.dumps({"quotes": ["a\u0085b\u2028c"]}, ensure_ascii=False)
    event = {"choices": [{"delta": {"content": text}}]}
    whole = f": keep-alive\n\nevent: message\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode()
    end = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\r\n\r\ndata: [DONE]\n\n'
    with ScriptedOpenAI(says(whole, end)) as server:
        ended = outcome(OpenAIClient(server.base))
    assert (ended.text, ended.error) == (text, "")


def test_probabilities_are_given_where_they_are_asked_for() -> None:
    def behave(call: Call) -> None:
        assert call.body["logprobs"] is True
        tokens = [{"token": '{"', "logprob": -0.5}, {"token": "x", "logprob": -1.25}]
        choice = {"delta": {"content": GOOD}, "finish_reason": "stop", "logprobs": {"content": tokens}}
        call.line({"choices": [choice]})
        call.end()

    with ScriptedOpenAI(behave) as server:
        ended = outcome(OpenAIClient(server.base), replace(request(), probabilities=True))
    assert [(one.token, one.logarithm) for one in ended.probabilities] == [('{"', -0.5), ("x", -1.25)]


def test_a_server_that_refuses_probabilities_is_not_asked_for_them() -> None:
    with ScriptedOpenAI(replies(GOOD), dialect=Dialect(refuses=("logprobs",))) as server:
        client = OpenAIClient(server.base)
        ended = outcome(client, replace(request(), probabilities=True))
        assert "logprobs" not in server.calls[0].body
    assert (ended.text, ended.error, ended.probabilities) == (GOOD, "", ())
    assert not client.capabilities.probabilities


@pytest.mark.parametrize("before", ["", BEGUN])
def test_giving_a_call_up_hangs_up_within_a_second(before: str) -> None:
    gate = threading.Event()
    behaviour = waits(gate, before) if before else stays_silent(gate)
    with ScriptedOpenAI(behaviour) as server:
        exchange = OpenAIClient(server.base).start(request())
        assert server.called.wait(PATIENCE)
        while exchange.tokens * 8 < len(before):
            assert exchange.poll(0.01) is None
        start = time.monotonic()
        exchange.close()
        assert time.monotonic() - start < 1
        assert server.disconnected.wait(PATIENCE)
        ended = exchange.poll(0)
    assert ended is not None
    assert (ended.text, ended.error) == (before, "The call was given up.")


def test_a_server_that_is_gone_is_fatal_and_says_what_to_do() -> None:
    with ScriptedOpenAI() as server:
        client = OpenAIClient(server.base)
        outcome(client)
    ended = outcome(client)
    assert ended.fatal
    assert "start it, or say with --host where it runs" in ended.error
