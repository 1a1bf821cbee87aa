"""Every way in which a call can end is one outcome with one sentence, and what was said is kept."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace

import pytest

from extractors.llm.backends.ollama import TAKEN_SECONDS, OllamaClient
from extractors.llm.types import Client
from extractors.tasks.base import PICTURE_MARK, Shown
from extractors.tasks.replies import ReplyForm
from tests.scripted_behaviours import (
    Behaviour,
    comes_from,
    cuts,
    drops,
    ends_without_done,
    fails,
    fails_midway,
    ignores_schema,
    leaves_counts_out,
    overflows,
    pages,
    redirects,
    says,
    sorts_keys,
    thinks,
    unloads,
    waits,
)
from tests.scripted_ollama import FakeModel, ScriptedOllama
from tests.unit.extractors.llm.backends.asking import GOOD, OPTIONS, PATIENCE, SYSTEM, USER, outcome, request

BEGUN = '{"quotes": ["'


def test_a_good_reply_has_text_counts_and_times() -> None:
    with ScriptedOllama() as server:
        client: Client = OllamaClient(server.host)
        assert isinstance(client, OllamaClient)
        ended = outcome(client)
    assert (ended.text, ended.done_reason, ended.error) == (GOOD, "stop", "")
    assert ended.tokens_in == -(-len(f"{SYSTEM}\n{USER}") // 4)
    assert ended.tokens_out == 2
    assert ended.prefill_seconds is not None
    assert ended.prefill_seconds > 0
    assert ended.load_seconds == 0.001


def test_a_call_says_everything_that_keeps_a_server_from_cutting_or_forgetting() -> None:
    with ScriptedOllama() as server:
        outcome(OllamaClient(server.host))
        (sent,) = server.calls
    assert sent.path == "/api/generate"
    assert sent.body == {
        "model": "tiny",
        "stream": True,
        "format": request().prompt.form.schema(),
        "options": OPTIONS,
        "truncate": False,
        "shift": False,
        "think": False,
        "keep_alive": "30m",
        "system": SYSTEM,
        "prompt": USER,
    }


def test_the_schema_is_sent_in_the_order_of_its_keys() -> None:
    form = ReplyForm({"zeta": ("X", "zeta"), "alpha": ("X", "alpha")}, analysis=True)
    with ScriptedOllama() as server:
        ended = outcome(OllamaClient(server.host), request(form=form))
    assert ended.text == '{"analysis": "", "findings": {"zeta": [], "alpha": []}}'


def test_a_model_is_loaded_with_the_options_of_the_calls_to_come() -> None:
    with ScriptedOllama() as server:
        client = OllamaClient(server.host)
        with client.load("tiny", OPTIONS) as exchange:
            ended = exchange.poll(PATIENCE)
        sent = server.requests[-1]
        loaded = client.loaded_model("tiny")
        assert loaded is not None
        assert loaded.context == OPTIONS["num_ctx"]
    assert ended is not None
    assert (ended.done_reason, ended.error) == ("load", "")
    assert sent.path == "/api/generate"
    assert (sent.body["options"], sent.body["shift"], sent.body["keep_alive"]) == (OPTIONS, False, "30m")


def test_loading_a_missing_model_is_fatal() -> None:
    with ScriptedOllama() as server, OllamaClient(server.host).load("absent", OPTIONS) as exchange:
        ended = exchange.poll(PATIENCE)
    assert ended is not None
    assert ended.fatal


def test_a_model_that_can_think_does_so_only_when_asked() -> None:
    with ScriptedOllama(models=[FakeModel(capabilities=("completion", "thinking"))]) as server:
        client = OllamaClient(server.host)
        outcome(client)
        server.script(thinks("First, the fever."))
        ended = outcome(client, request(think=True))
        shown = Shown("", 1, 1, {}, lambda: b"PNG")
        seen = request(think=True, user=f"{USER} {PICTURE_MARK}")
        outcome(client, replace(seen, prompt=replace(seen.prompt, pictures=(shown,))))
        quiet, thoughtful, seeing = server.calls
    assert [turn.get("images") for turn in seeing.body["messages"]] == [None, ["UE5H"]]
    assert (quiet.path, quiet.body["think"]) == ("/api/generate", False)
    assert (thoughtful.path, thoughtful.body["think"]) == ("/api/chat", True)
    assert [turn["role"] for turn in thoughtful.body["messages"]] == ["system", "user"]
    assert (ended.thinking, ended.text) == ("First, the fever.", GOOD)


def test_probabilities_are_asked_for_and_given_where_the_server_is_new_enough() -> None:
    tokens = [{"token": '{"', "logprob": -0.5, "top_logprobs": []}, {"token": "x", "logprob": -1.25}]
    lines = ({"response": GOOD, "logprobs": tokens}, {"done": True, "done_reason": "stop"})
    with ScriptedOllama(says(*lines)) as server:
        client = OllamaClient(server.host)
        client.card("tiny")
        assert client.capabilities.probabilities
        ended = outcome(client, replace(request(), probabilities=True))
        assert server.calls[0].body["logprobs"] is True
    assert [(one.token, one.logarithm) for one in ended.probabilities] == [('{"', -0.5), ("x", -1.25)]
    with ScriptedOllama(version="0.12.6") as older:
        client = OllamaClient(older.host)
        client.card("tiny")
        assert not client.capabilities.probabilities


def test_a_next_line_within_a_reply_ends_no_line() -> None:
    text = json.dumps({"quotes": ["a\u0085b\u2028c"]}, ensure_ascii=False)
    line = json.dumps({"response": text}, ensure_ascii=False).encode() + b"\n"
    with ScriptedOllama(says(line, {"done": True, "done_reason": "stop"})) as server:
        assert outcome(OllamaClient(server.host)).text == text


def test_a_reply_says_which_model_the_name_stood_for_when_it_was_taken() -> None:
    gate = threading.Event()
    with ScriptedOllama(waits(gate)) as server:
        client = OllamaClient(server.host)
        with client.start(request()) as slow:
            server.called.wait(PATIENCE)
            time.sleep(2 * TAKEN_SECONDS)
            assert outcome(client).digest == "d" * 64
            server.models["tiny:latest"] = FakeModel(digest="e" * 64)
            looks = len(server.requests)
            gate.set()
            ended = slow.poll(PATIENCE)
            assert ended is not None
            assert (ended.digest, len(server.requests)) == ("d" * 64, looks)
        assert outcome(client).digest == "e" * 64


def test_a_reply_that_runs_in_circles_is_no_failure_of_the_server() -> None:
    repeated = fails_midway(BEGUN, "prediction aborted, token repeat limit reached")
    with ScriptedOllama(ends_without_done(BEGUN), repeated, cuts(""), drops(BEGUN)) as server:
        client = OllamaClient(server.host)
        assert [outcome(client).reply_only for _ in range(4)] == [True, True, True, False]


def test_thoughts_without_a_reply_are_no_success() -> None:
    with ScriptedOllama(thinks(GOOD, ""), models=[FakeModel(capabilities=("thinking",))]) as server:
        ended = outcome(OllamaClient(server.host), request(think=True))
    assert (ended.text, ended.thinking) == ("", GOOD)
    assert "only thought and gave no reply: let it write more (--reply-tokens)" in ended.error


def test_an_empty_reply_is_no_success() -> None:
    with ScriptedOllama(cuts("")) as server:
        assert outcome(OllamaClient(server.host)).error == "The model gave an empty reply."


def test_a_model_that_cannot_think_is_not_asked_to() -> None:
    with ScriptedOllama() as server:
        assert outcome(OllamaClient(server.host), request(think=True)).error == ""
        assert server.calls[0].body["think"] is False


def test_a_harmony_model_thinks_little_in_a_chat() -> None:
    model = FakeModel("gpt-oss:20b", family="gptoss", capabilities=("completion", "thinking"))
    with ScriptedOllama(models=[model]) as server:
        outcome(OllamaClient(server.host), request("gpt-oss:20b"))
        (sent,) = server.calls
    assert (sent.path, sent.body["think"]) == ("/api/chat", "low")


def test_a_cut_reply_is_no_error_and_keeps_its_reason() -> None:
    with ScriptedOllama(cuts(BEGUN)) as server:
        ended = outcome(OllamaClient(server.host))
    assert (ended.text, ended.done_reason, ended.error) == (BEGUN, "length", "")


def test_sorted_keys_and_other_forms_are_passed_on_for_the_parser_to_judge() -> None:
    with ScriptedOllama(sorts_keys(), ignores_schema('{"answer": "none"}')) as server:
        client = OllamaClient(server.host)
        assert outcome(client).text == GOOD
        assert outcome(client).text == '{"answer": "none"}'


def test_counts_that_are_not_given_are_unknown() -> None:
    with ScriptedOllama(leaves_counts_out()) as server:
        ended = outcome(OllamaClient(server.host))
    assert (ended.text, ended.error) == (GOOD, "")
    assert (ended.tokens_in, ended.tokens_out, ended.prefill_seconds) == (None, None, None)


def test_counts_of_the_wrong_kind_are_unknown() -> None:
    line = {"response": GOOD, "done": True, "done_reason": "stop", "prompt_eval_count": "9", "eval_count": -1}
    with ScriptedOllama(says(line)) as server:
        ended = outcome(OllamaClient(server.host))
    assert (ended.text, ended.tokens_in, ended.tokens_out) == (GOOD, None, None)


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        (ends_without_done(BEGUN), "without the server saying that it was done"),
        (fails_midway(BEGUN, "runner has stopped"), "broke the reply off: runner has stopped"),
        (drops(BEGUN), "broke the connection off"),
        (says({"response": BEGUN}, b"<html>\n"), "does not speak as a model server does"),
        (says({"response": BEGUN}, b"[1]\n"), "does not speak as a model server does"),
        (says({"response": BEGUN}, b"[" * 200_000 + b"\n"), "does not speak as a model server does"),
        (says({"response": BEGUN}, b'"\xff"\n'), "does not speak as a model server does"),
        (says({"response": BEGUN, "done": True, "done_reason": "unload"}), "only unloaded the model"),
        (says({"response": BEGUN, "done": True, "done_reason": "load"}), "only loaded the model"),
        (says({"response": BEGUN, "done": True}), 'ended the call with ""'),
    ],
)
def test_a_reply_that_breaks_off_keeps_what_came_and_says_why(behaviour: Behaviour, sentence: str) -> None:
    with ScriptedOllama(behaviour) as server:
        ended = outcome(OllamaClient(server.host))
    assert sentence in ended.error
    assert ended.text == BEGUN
    assert not ended.fatal
    assert not ended.overflow


@pytest.mark.parametrize(
    ("behaviour", "sentence", "fatal"),
    [
        (fails(400, "invalid options"), "refused with status 400: invalid options.", False),
        (fails(500, "llama runner process has terminated"), "status 500: llama runner", False),
        (
            fails(500, "model requires more system memory (9 GiB) than is available"),
            "more system memory",
            True,
        ),
        (fails(400, '"tiny" does not support generate'), "does not support generate", True),
        (fails(401, "unauthorized"), "status 401: unauthorized", True),
        (fails(404, "model 'tiny' not found"), "status 404: model 'tiny' not found", True),
        (pages(502), "answered with status 502, not as Ollama does", False),
        (pages(200), "does not speak as a model server does", False),
        (redirects("http://192.0.2.1/api/generate"), "sends the call on to http://192.0.2.1", True),
        (redirects("http://192.0.2.1/", 308), "sends the call on to http://192.0.2.1", True),
        (unloads(), "only unloaded the model", False),
    ],
)
def test_a_refusal_is_one_sentence(behaviour: Behaviour, sentence: str, fatal: bool) -> None:
    with ScriptedOllama(behaviour) as server:
        ended = outcome(OllamaClient(server.host))
    assert sentence in ended.error
    assert "\n" not in ended.error
    assert (ended.text, ended.fatal, ended.overflow) == ("", fatal, False)


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        ("the input length exceeds the context length", None),
        ("the prompt is longer than the context length currently available to the model; shorten it", None),
        ("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 5000),
        (
            json.dumps(
                {
                    "error": {
                        "code": 400,
                        "type": "exceed_context_size_error",
                        "message": "the request exceeds the available context size: 5000 tokens",
                    }
                }
            ),
            5000,
        ),
        ("input length (5000 tokens) exceeds the model's maximum context length (4096 tokens)", 5000),
    ],
)
@pytest.mark.parametrize("midway", [False, True])
def test_a_prompt_too_long_is_known_by_every_version_s_words(
    message: str, tokens: int | None, midway: bool
) -> None:
    behaviour = fails_midway("", message) if midway else overflows(message)
    with ScriptedOllama(behaviour) as server:
        ended = outcome(OllamaClient(server.host))
    assert ended.overflow
    assert not ended.fatal
    assert ended.tokens_in == tokens
    assert ended.error.startswith("The prompt is longer than the model's context: ")
    assert "{" not in ended.error


def test_a_reply_from_another_machine_is_refused_though_its_model_seemed_local() -> None:
    with ScriptedOllama(comes_from("https://ollama.com:443")) as server:
        ended = outcome(OllamaClient(server.host))
    assert ended.fatal
    assert "https://ollama.com:443" in ended.error
    assert "--allow-remote" in ended.error


def test_a_reply_from_another_machine_is_taken_where_that_is_allowed() -> None:
    with ScriptedOllama(comes_from()) as server:
        ended = outcome(OllamaClient(server.host, allow_remote=True))
    assert (ended.text, ended.error) == ("{", "")


def test_a_character_in_two_halves_is_whole_again_and_half_a_one_is_marked() -> None:
    pieces = ({"response": "\ud83d"}, {"response": "\ude0a \ud83d"})
    with ScriptedOllama(says(*pieces, {"done": True, "done_reason": "stop"})) as server:
        assert outcome(OllamaClient(server.host)).text == "😊 \ufffd"


def test_what_a_server_says_cannot_steer_the_terminal() -> None:
    with ScriptedOllama(fails(400, "\x1b[2Jbad\r\n\x07request" + "x" * 1000)) as server:
        ended = outcome(OllamaClient(server.host))
    assert ended.error.isprintable()
    assert "[2Jbad request" in ended.error
    assert len(ended.error) < 400
