"""Servers are known by what they can do; a kind of server is one file and one line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

from extractors.llm import backends
from extractors.llm.backends import BACKEND_IDS, BACKENDS, SERVER_IDS, Access, Backend, backend, backend_at
from extractors.llm.backends.ollama import _capabilities
from extractors.llm.backends.replay import ReplayClient
from extractors.model.errors import RemoteRefusedError, UnknownNameError

HEADER = {
    "casespan_replies": 1,
    "model": "m",
    "about": "A test.",
    "invented": False,
    "strategy": "ucp",
    "prompting": "few-shot",
}


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """An address for each kind of server; that of recorded replies is a file that is there."""
    monkeypatch.chdir(tmp_path)
    Path(backend("replay").example).write_text(json.dumps(HEADER), encoding="utf-8")
    return {one.id: one.example for one in BACKENDS}


def test_an_address_tells_what_kind_of_server_it_is_or_else_it_is_the_first(places: dict[str, str]) -> None:
    assert {name: backend_at(place).id for name, place in places.items()} == {name: name for name in places}
    for place in ("", "localhost", "http://127.0.0.1:8000", "http://127.0.0.1:8000/", "gpu:1"):
        assert backend_at(place).id == BACKENDS[0].id == "ollama"
    assert backend_at("https://gpu.example.org/proxy/v1").id == "openai"


def test_ollama_is_looked_for_where_its_own_programs_look(monkeypatch: pytest.MonkeyPatch) -> None:
    for given, home in (("gpu:1", "gpu:1"), ("", "127.0.0.1:11434")):
        monkeypatch.setenv("OLLAMA_HOST", given)
        assert backend("ollama").home() == home
    assert [backend(name).home() for name in ("openai", "replay")] == ["", ""]


def test_an_older_ollama_gives_no_probabilities_and_one_of_ones_own_does() -> None:
    versions = ("0.9.0", "0.12.10", "0.12.11", "0.13.0", "0.0.0", "")
    found = [_capabilities(one).probabilities for one in versions]
    assert found == [False, False, True, True, True, False]


def test_every_client_can_do_what_its_kind_is_said_to_before_it_is_asked(places: dict[str, str]) -> None:
    for one in BACKENDS:
        client = one.connect(places[one.id], Access())
        assert client.capabilities == one.capabilities
        assert client.remote == ""


def test_another_machine_is_refused_by_every_kind_of_server() -> None:
    for name in SERVER_IDS:
        with pytest.raises(RemoteRefusedError, match="--allow-remote"):
            backend(name).connect("http://192.0.2.7:8000", Access())


def test_a_backend_that_is_not_there_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match=f"no backend vllm; those there are: {', '.join(BACKEND_IDS)}"):
        backend("vllm")


def test_one_more_backend_is_one_more_line(places: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(place: str, _: Access) -> ReplayClient:
        assert place == "echo:anything"
        client = backend("replay").connect(places["replay"], Access())
        assert isinstance(client, ReplayClient)
        return client

    more: Backend = replace(
        backend("replay"), id="echo", connect=connect, speaks=lambda place: place.startswith("echo:")
    )
    monkeypatch.setattr(backends, "BACKENDS", (*BACKENDS, more))
    found = backend_at("echo:anything")
    assert found is backend("echo")
    assert found.connect("echo:anything", Access()).card("m").name == "m"


def test_a_key_is_never_shown() -> None:
    assert "s3cret" not in repr(Access(key="s3cret"))


def test_the_registry_loads_none_of_the_libraries_that_clients_need() -> None:
    program = (
        "import sys; import extractors.llm.backends, app.cli.commands; app.cli.commands.build_parser(); "
        "sys.exit(bool({'httpx', 'ollama', 'anyio', 'asyncio', 'spacy', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[5], check=False)
    assert done.returncode == 0


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_while_a_client_s_library_is_loaded_is_not_lost(
    places: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # pydantic swallows it so in its own callbacks, within the import of ollama.
    class Swallowing(MetaPathFinder):
        def find_spec(self, name: str, path: object, target: object = None) -> None:
            if name == "extractors.llm.backends.ollama":
                with suppress(KeyboardInterrupt):
                    signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(backends, "ollama", None, raising=False)
    monkeypatch.delitem(sys.modules, "extractors.llm.backends.ollama", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Swallowing(), *sys.meta_path])
    with pytest.raises(KeyboardInterrupt):
        backend("ollama").connect(places["ollama"], Access())
