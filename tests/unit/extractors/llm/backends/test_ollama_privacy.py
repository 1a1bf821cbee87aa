"""Nothing leaves this machine unasked, whatever the environment says."""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
from typing import NoReturn

import certifi
import httpx
import pytest

from extractors.llm.backends.ollama import OllamaClient
from extractors.llm.backends.transport import (
    ANSWER_SECONDS,
    Line,
    Manner,
    PinnedTransport,
    StatusError,
    _tls_context,
)
from extractors.llm.hosts import ServerAddress
from extractors.model.errors import RemoteRefusedError
from tests.scripted_behaviours import redirects
from tests.scripted_ollama import FakeModel, ScriptedOllama
from tests.unit.extractors.llm.backends.asking import PATIENCE, outcome, request


@pytest.mark.parametrize("host", ["192.0.2.7", "https://192.0.2.7:443", "[2001:db8::1]", "::ffff:192.0.2.7"])
def test_another_machine_is_refused_with_where_the_text_would_go(host: str) -> None:
    with pytest.raises(RemoteRefusedError, match=r"192\.0\.2\.7|2001:db8::1") as refused:
        OllamaClient(host)
    assert "--allow-remote" in str(refused.value)


def test_another_machine_is_named_where_it_is_allowed() -> None:
    client = OllamaClient("https://192.0.2.7", allow_remote=True)
    assert (client.where, client.remote) == ("https://192.0.2.7:443", "https://192.0.2.7:443")


def test_this_machine_is_no_other() -> None:
    with ScriptedOllama() as server:
        client = OllamaClient(server.host)
        assert (client.where, client.remote, client.about) == (server.url, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has them in a store of its own")
def test_whom_the_system_trusts_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = ssl.get_default_verify_paths()._replace(openssl_cafile=certifi.where())
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: paths)
    assert _tls_context().cert_store_stats()["x509_ca"] > 100


@pytest.mark.parametrize("proof", [False, True])
def test_the_next_address_is_tried_unless_the_first_could_not_prove_who_it_is(
    proof: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    wrong = ssl.SSLCertVerificationError(1, "wrong")
    wrong.reason = "CERTIFICATE_VERIFY_FAILED"

    async def connect(sent: httpx.Request) -> httpx.Response:
        tried.append(sent.url.host)
        raise httpx.ConnectError("no") from (wrong if proof else OSError("refused"))

    async def ask() -> None:
        pinned = PinnedTransport(ServerAddress("https", "model.local", 443, ("127.0.0.1", "127.0.0.2")))
        monkeypatch.setattr(pinned._inner, "handle_async_request", connect)
        await pinned.handle_async_request(httpx.Request("GET", "https://model.local/"))

    with pytest.raises(httpx.ConnectError):
        asyncio.run(ask())
    assert tried == ["127.0.0.1", "127.0.0.2"][: 1 if proof else 2]


def test_the_environment_has_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedOllama() as server, ScriptedOllama() as other:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "OLLAMA_HOST"):
            monkeypatch.setenv(name, other.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.setenv("OLLAMA_API_KEY", "secret")
        client = OllamaClient(server.host)
        client.card("tiny")
        assert outcome(client).error == ""
        assert other.requests == []
        for sent in server.requests:
            assert set(sent.headers) <= {
                "host",
                "accept-encoding",
                "connection",
                "content-type",
                "content-length",
            }
            assert "secret" not in str(sent)


def test_a_name_is_looked_up_once_and_what_was_checked_is_what_is_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def checked(name: str, port: int, **_: object) -> list[object]:
        assert name == "gpu.example.org"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    def looked_up_again(*asked: object, **_: object) -> NoReturn:
        raise AssertionError(asked)

    with ScriptedOllama() as server:
        monkeypatch.setattr(socket, "getaddrinfo", checked)
        client = OllamaClient(server.host.replace("127.0.0.1", "gpu.example.org"))
        monkeypatch.setattr(socket, "getaddrinfo", looked_up_again)
        assert outcome(client).error == ""
        assert {sent.headers["host"].partition(":")[0] for sent in server.requests} == {"gpu.example.org"}


def test_a_key_is_sent_only_where_it_was_given_for_this_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "environment")
    with ScriptedOllama() as server:
        outcome(OllamaClient(server.host))
        assert not any("authorization" in sent.headers for sent in server.requests)
        outcome(OllamaClient(server.host, key="mine"))
        assert server.calls[-1].headers["authorization"] == "Bearer mine"


def test_no_server_is_told_again_what_it_once_said() -> None:
    with ScriptedOllama() as server:
        server.on["/api/version"] = lambda call: call.status(
            200, {"version": "0.24.0"}, {"Set-Cookie": "you=42; Path=/"}
        )
        client = OllamaClient(server.host)
        client.version()
        assert outcome(client).error == ""
        assert not any("cookie" in sent.headers for sent in server.requests)


def test_a_server_that_cannot_prove_who_it_is_gets_nothing() -> None:
    with ScriptedOllama() as server:
        ended = outcome(OllamaClient(f"https://{server.host}"))
        assert server.requests == []
    assert ended.fatal
    assert "could not prove that it is 127.0.0.1" in ended.error


def test_a_redirect_is_not_followed() -> None:
    with ScriptedOllama() as other, ScriptedOllama(redirects(f"{other.url}/api/generate")) as server:
        ended = outcome(OllamaClient(server.host))
        assert other.requests == []
    assert ended.fatal


@pytest.mark.parametrize("model", ["gpt-oss:120b-cloud", "big:cloud", "big-cloud", "BIG:CLOUD"])
def test_a_cloud_name_is_refused_without_asking_anybody(model: str) -> None:
    with ScriptedOllama(models=[FakeModel(model)]) as server:
        client = OllamaClient(server.host)
        with pytest.raises(RemoteRefusedError, match="--allow-remote"):
            client.card(model)
        with pytest.raises(RemoteRefusedError, match="--allow-remote"):
            next(iter(client.pull(model)))
        ended = outcome(client, request(model))
        assert server.requests == []
    assert ended.fatal
    assert "--allow-remote" in ended.error


def test_a_model_that_runs_elsewhere_is_refused_before_any_text_is_sent() -> None:
    with ScriptedOllama(models=[FakeModel(remote_host="https://ollama.com:443")]) as server:
        client = OllamaClient(server.host)
        with pytest.raises(RemoteRefusedError, match=r"runs on https://ollama\.com:443"):
            client.card("tiny")
        ended = outcome(client)
        assert {sent.path for sent in server.requests} == {"/api/tags"}
    assert ended.fatal
    assert "https://ollama.com:443" in ended.error


def test_a_model_whose_description_alone_says_elsewhere_is_refused_too() -> None:
    with ScriptedOllama() as server:
        shown = FakeModel(remote_host="https://ollama.com:443").shown(False)
        server.on["/api/show"] = lambda call: call.status(200, shown)
        ended = outcome(OllamaClient(server.host))
        assert server.calls == []
    assert ended.fatal


def test_a_model_that_runs_elsewhere_is_described_and_asked_where_that_is_allowed() -> None:
    with ScriptedOllama(models=[FakeModel(remote_host="https://ollama.com:443")]) as server:
        client = OllamaClient(server.host, allow_remote=True)
        assert client.card("tiny").remote == "https://ollama.com:443"
        assert outcome(client).error == ""


def test_listing_a_cloud_model_asks_nobody_about_it() -> None:
    models = [FakeModel("big:cloud"), FakeModel("far", remote_host="https://ollama.com:443")]
    with ScriptedOllama(models=models) as server:
        entries = OllamaClient(server.host).models()
        assert "/api/show" not in {sent.path for sent in server.requests}
    assert [entry.remote for entry in entries] == ["another machine", "https://ollama.com:443"]


def test_text_with_half_a_character_is_sent_all_the_same() -> None:
    with ScriptedOllama() as server:
        with OllamaClient(server.host).start(request(user="fever \ud800")) as exchange:
            ended = exchange.poll(PATIENCE)
    assert ended is not None
    assert ended.error == ""


def test_a_server_is_asked_plainly_and_told_in_words_what_it_did() -> None:
    asked: list[httpx.Request] = []

    def answer(sent: httpx.Request) -> httpx.Response:
        asked.append(sent)
        status = int(sent.url.path.strip("/"))
        return httpx.Response(status, headers={"Location": "elsewhere"}, content=b"{}")

    async def ask(path: str, silence: float) -> None:
        async with httpx.AsyncClient(
            transport=httpx.MockTransport(answer), headers={"content-type": "text/plain"}
        ) as http:
            address = ServerAddress("http", "model.local", 80, ("127.0.0.1",))
            await Line(http, address, Manner("Ollama", "start it", "; is it Ollama?"), silence).ask(path)

    for status, said, silent in (
        (300, "to elsewhere; Casespan does not follow", 2.0),
        (404, r"not as Ollama does; is it Ollama\?\.$", 2.0),
        (500, r"not as Ollama does\.$", ANSWER_SECONDS + 1),
    ):
        with pytest.raises(StatusError, match=said):
            asyncio.run(ask(f"/{status}", silent))
        assert asked[-1].extensions["timeout"]["read"] == min(silent, ANSWER_SECONDS)
        assert "content-type" not in asked[-1].headers
