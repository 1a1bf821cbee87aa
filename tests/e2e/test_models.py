"""`casespan models` and `casespan pull` on a scripted server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.operations.extract import models as operations
from extractors.llm.schedule import RESERVE
from tests.e2e.conftest import Casespan
from tests.e2e.models import MODEL
from tests.scripted_behaviours import Behaviour, Json, says
from tests.scripted_ollama import ScriptedOllama

# What one token of context takes of the scripted models, in bytes.
CACHE = 256
LARGE = replace(MODEL, name="large:7b", size=10**9)
CLOUD = replace(MODEL, name="big:latest", remote_host="https://example.org:443")


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory for the small model with 8192 tokens of context, and far less than the large one takes."""
    free = RESERVE + MODEL.size + CACHE * 8192
    monkeypatch.setattr(operations, "free_memory", lambda: free)


def _listed(casespan: Casespan, server: ScriptedOllama) -> dict[str, Json]:
    outcome = casespan("models", "--host", server.url, "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.json["host"] == server.url
    assert outcome.json["version"] == "0.24.0"
    return {line["name"]: line for line in outcome.json["models"]}


def test_models_are_listed_with_what_fits_into_memory(casespan: Casespan) -> None:
    with ScriptedOllama(models=[MODEL, LARGE, CLOUD]) as server:
        listed = _listed(casespan, server)
        text = casespan("models", "--host", server.url)
    assert list(listed) == ["tiny:latest", "large:7b", "big:latest"]
    tiny, large, big = listed.values()
    assert (tiny["fits"], tiny["context"], tiny["loaded"]) == (8192, 131_072, False)
    assert (tiny["size"], tiny["quantisation"], tiny["parameters"]) == (MODEL.size, "F32", "113.79K")
    assert large["fits"] == 0
    assert (big["fits"], "example.org" in big["remote"]) == (0, True)
    rows = text.out.splitlines()
    assert text.code == 0
    assert any("tiny:latest" in row and "8,192" in row and "131,072" in row for row in rows)
    assert any("big:latest" in row and "example.org" in row for row in rows)


def test_a_model_in_memory_is_listed_with_its_context_and_takes_no_room_again(casespan: Casespan) -> None:
    with ScriptedOllama(models=[LARGE]) as server:
        server.loaded[LARGE.name] = 4096
        line = _listed(casespan, server)[LARGE.name]
        assert (line["loaded"], line["allocated"]) == (True, 4096)
        assert line["fits"] >= 8192
        assert "4,096" in casespan("models", "--host", server.url).out


def test_a_model_on_a_graphics_card_is_not_measured_by_main_memory(casespan: Casespan) -> None:
    with ScriptedOllama(models=[LARGE], vram=1.0) as server:
        server.loaded[LARGE.name] = 4096
        assert _listed(casespan, server)[LARGE.name]["fits"] == LARGE.context


def test_a_server_without_models_says_how_to_get_one(casespan: Casespan) -> None:
    with ScriptedOllama(models=[]) as server:
        outcome = casespan("models", "--host", server.url)
        assert outcome.code == 0
        assert "casespan pull" in outcome.out
        assert _listed(casespan, server) == {}


@pytest.mark.parametrize("command", [("models",), ("pull", "tiny")])
def test_a_server_that_is_not_there_is_one_sentence(casespan: Casespan, command: tuple[str, ...]) -> None:
    with ScriptedOllama() as server:
        server.stop()
        outcome = casespan(*command, "--host", server.url)
    assert outcome.code == 1
    assert outcome.out == ""
    assert "ollama serve" in outcome.err


def test_a_model_is_fetched(casespan: Casespan, server: ScriptedOllama) -> None:
    steps = [{"status": f"pulling {done}", "completed": done, "total": 4_000_000} for done in (1, 4_000_000)]
    server.on["/api/pull"] = says({"status": "pulling manifest"}, *steps, {"status": "success"})
    outcome = casespan("pull", "qwen2.5:7b", "--host", server.url)
    assert outcome.code == 0
    assert "qwen2.5:7b" in outcome.out
    (asked,) = [one for one in server.requests if one.path == "/api/pull"]
    assert asked.body["model"] == "qwen2.5:7b"


@pytest.mark.parametrize(
    ("how", "code"),
    [
        (says({"status": "pulling manifest"}, {"error": "max retries exceeded"}), 1),
        (says({"status": "pulling manifest"}, {"error": "pull model manifest: file does not exist"}), 2),
        (says({"status": "pulling manifest"}, {"status": "verifying sha256 digest"}), 1),
        (says(), 1),
    ],
    ids=["error", "not in the library", "no success", "nothing"],
)
def test_a_model_that_was_not_fetched_is_not_said_to_be_there(
    casespan: Casespan, server: ScriptedOllama, how: Behaviour, code: int
) -> None:
    server.on["/api/pull"] = how
    outcome = casespan("pull", "nosuch", "--host", server.url)
    assert outcome.code == code
    assert outcome.out == ""
    assert "nosuch" in outcome.err


def test_a_cloud_model_is_not_fetched_unless_allowed(casespan: Casespan, server: ScriptedOllama) -> None:
    outcome = casespan("pull", "big-cloud", "--host", server.url)
    assert outcome.code == 2
    assert "--allow-remote" in outcome.err
    assert server.requests == []
