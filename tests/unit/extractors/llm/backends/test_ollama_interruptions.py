"""A call ends whatever the server does: busy, gone, silent, without end, or no model server at all."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from extractors.llm.backends.ollama import OllamaClient
from tests.scripted_behaviours import floods, is_busy, says, stays_silent, waits
from tests.scripted_ollama import ScriptedOllama
from tests.unit.extractors.llm.backends.asking import GOOD, PATIENCE, outcome, request

BEGUN = '{"quotes": ["'


def test_a_full_queue_is_tried_again() -> None:
    with ScriptedOllama(is_busy(), is_busy()) as server:
        ended = outcome(OllamaClient(server.host, busy_waits=(0.0, 0.0)))
        assert len(server.calls) == 3
    assert (ended.text, ended.error) == (GOOD, "")


def test_a_queue_that_stays_full_is_an_error() -> None:
    with ScriptedOllama(is_busy(), is_busy()) as server:
        ended = outcome(OllamaClient(server.host, busy_waits=(0.0,)))
    assert "server busy, please try again" in ended.error
    assert not ended.fatal


def test_waiting_for_a_full_queue_can_be_given_up() -> None:
    with ScriptedOllama(is_busy()) as server:
        exchange = OllamaClient(server.host, busy_waits=(3600.0,)).start(request())
        assert server.called.wait(PATIENCE)
        exchange.close()
        ended = exchange.poll(0)
    assert ended is not None
    assert ended.error == "The call was given up."


def test_a_missing_model_is_fatal_and_names_those_there_are() -> None:
    with ScriptedOllama() as server:
        ended = outcome(OllamaClient(server.host), request("absent"))
        assert server.calls == []
    assert ended.fatal
    assert "no model absent" in ended.error
    assert "tiny:latest" in ended.error
    assert "casespan pull absent" in ended.error


def test_a_server_that_is_gone_is_fatal_and_says_how_to_start_it() -> None:
    with ScriptedOllama() as server:
        client = OllamaClient(server.host)
        outcome(client)
    ended = outcome(client)
    assert ended.fatal
    assert "ollama serve" in ended.error
    assert "--host" in ended.error


def test_a_server_stopped_in_mid_stream_keeps_what_came() -> None:
    gate = threading.Event()
    with ScriptedOllama(waits(gate, BEGUN)) as server:
        with OllamaClient(server.host).start(request()) as exchange:
            while exchange.tokens < 2:
                assert exchange.poll(0.01) is None
            server.stop()
            ended = exchange.poll(PATIENCE)
    assert ended is not None
    assert ended.text == BEGUN
    assert "broke the connection off" in ended.error


def test_a_slow_call_shows_what_came_so_far_and_goes_on() -> None:
    gate = threading.Event()
    with (
        ScriptedOllama(waits(gate, BEGUN), answer=lambda _: BEGUN + '"]}') as server,
        OllamaClient(server.host).start(request()) as exchange,
    ):
        while exchange.tokens < 2:
            assert exchange.poll(0.01) is None
        gate.set()
        ended = exchange.poll(PATIENCE)
    assert ended is not None
    assert ended.text == BEGUN + '"]}'


@pytest.mark.parametrize("before", ["", BEGUN])
def test_giving_a_call_up_hangs_up(before: str) -> None:
    gate = threading.Event()
    behaviour = waits(gate, before) if before else stays_silent(gate)
    with ScriptedOllama(behaviour) as server:
        with OllamaClient(server.host).start(request()) as exchange:
            assert server.called.wait(PATIENCE)
            while exchange.tokens * 8 < len(before):
                assert exchange.poll(0.01) is None
        assert server.disconnected.wait(PATIENCE)
        ended = exchange.poll(0)
        exchange.close()
        assert exchange.poll(0) is ended
    assert ended is not None
    assert (ended.text, ended.error) == (before, "The call was given up.")
    assert not gate.is_set()


def test_a_prompt_that_is_still_being_read_is_stopped_by_unloading_the_model() -> None:
    gate = threading.Event()
    with ScriptedOllama(stays_silent(gate)) as server:
        with OllamaClient(server.host).start(request()):
            assert server.called.wait(PATIENCE)
        assert server.unloaded.wait(PATIENCE)
        assert server.requests[-1].body == {"model": "tiny", "keep_alive": 0}


def test_a_reply_given_up_half_way_leaves_the_model_loaded() -> None:
    gate = threading.Event()
    with ScriptedOllama(waits(gate, BEGUN)) as server:
        with OllamaClient(server.host).start(request()) as exchange:
            while exchange.tokens < 2:
                assert exchange.poll(0.01) is None
        assert server.disconnected.wait(PATIENCE)
        assert not server.unloaded.is_set()


def test_silence_beyond_the_limit_is_an_error() -> None:
    gate = threading.Event()
    with ScriptedOllama(stays_silent(gate)) as server:
        client, patient = OllamaClient(server.host, silence=0.3), OllamaClient(server.host)
        patient.card("tiny")
        # Nothing else is to be asked, for which a busy machine may take as long.
        client._cards |= patient._cards
        ended = outcome(client)
    assert "said nothing for 0.3 seconds" in ended.error
    assert not ended.fatal


def test_a_line_without_end_is_refused_before_it_fills_the_memory() -> None:
    with ScriptedOllama(floods()) as server:
        ended = outcome(OllamaClient(server.host))
        assert server.disconnected.wait(PATIENCE)
    assert "a line of more than 16 MB" in ended.error


def test_an_answer_without_end_is_refused_before_it_fills_the_memory() -> None:
    line = {"response": "x" * (1 << 20)}
    with ScriptedOllama(says(*[line] * 80)) as server:
        ended = outcome(OllamaClient(server.host))
    assert "more than 64 MB" in ended.error


@contextmanager
def answering(data: bytes) -> Iterator[str]:
    """A server that answers everything with these bytes."""

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(1 << 16)
            connection.sendall(data)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        thread.join()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"SSH-2.0-OpenSSH_9.6\r\n", "without an answer that a model server gives; check --host"),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", "does not speak as a model server does"),
        (b"", "broke the connection off"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n{",
            "broke the connection off in the middle",
        ),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{",
            "does not speak as a model server does",
        ),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500, "without an answer that a model server gives"),
        (b"HTTP/1.1 500 Oops\r\nContent-Length: 3\r\n\r\n\xff\xfe[", "answered with status 500"),
    ],
)
def test_something_else_behind_the_port_is_named_as_such(data: bytes, sentence: str) -> None:
    with answering(data) as host:
        ended = outcome(OllamaClient(host))
    assert sentence in ended.error
    assert not ended.text
