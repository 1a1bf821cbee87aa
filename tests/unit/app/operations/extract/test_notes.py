"""What is said of a model, its server and what a run would take before anything is asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from app.operations.extract.models import list_models, pull_model
from app.operations.extract.notes import about_model, about_server, require_permission
from app.operations.extract.options import RunOptions
from app.operations.extract.quotes import READ, REPLY, WRITTEN, Forecast, describe_forecast
from app.operations.extract.quotes import _speeds as speeds_of
from app.store.act import begin_act
from app.store.creation import create_project_file
from app.store.extract.runs import CallRecord
from app.store.study.items import mark
from extractors.llm.schedule import RESERVE
from extractors.llm.types import Capabilities, Client, LoadedModel, ModelCard, ModelEntry, PullProgress
from extractors.model.errors import RemoteRefusedError
from extractors.model.progress import Progress

OPTIONS = RunOptions(model="tiny")
CAN = Capabilities(sets_context=True, schema="format")


@pytest.mark.parametrize(
    ("can", "options", "words"),
    [
        (CAN, OPTIONS, []),
        (CAN, replace(OPTIONS, threads=2), []),
        (replace(CAN, sets_context=False), OPTIONS, []),
        (replace(CAN, sets_context=False), replace(OPTIONS, threads=2), ["Graphics card"]),
        (replace(CAN, sets_context=False), replace(OPTIONS, gpu_layers=0), ["Graphics card"]),
        (replace(CAN, sets_context=False), replace(OPTIONS, keep_alive="2h"), ["Graphics card"]),
        (replace(CAN, parallel=2), replace(OPTIONS, parallel=2), []),
        (replace(CAN, parallel=2), replace(OPTIONS, parallel=3), ["The server works on 2 calls"]),
        (CAN, replace(OPTIONS, parallel=3), []),
        (replace(CAN, schema=""), OPTIONS, ["The server holds replies to no schema"]),
    ],
)
def test_what_a_server_cannot_do_is_said_where_it_was_asked_for(
    can: Capabilities, options: RunOptions, words: list[str]
) -> None:
    notes = about_server(can, options)
    assert len(notes) == len(words)
    assert all(note.startswith(begin) for note, begin in zip(notes, words, strict=True))


@pytest.mark.parametrize(
    ("server", "old"),
    [("0.12.5", True), ("0.12.6", False), ("0.9.10", True), ("1.0.0", False), ("0.0.0", False), ("x", False)],
)
def test_a_server_that_cuts_in_silence_is_named_and_a_model_that_cannot_think(server: str, old: bool) -> None:
    card, thinking = ModelCard("tiny", server=server), replace(OPTIONS, think=True)
    assert [note[:24] for note in about_model(card, OPTIONS, recorded=False)] == (
        ["This server is older tha"] if old else []
    )
    assert about_model(card, thinking, recorded=False)[old:] == [
        "tiny cannot think: --think changes nothing of its replies."
    ]
    assert about_model(card, thinking, recorded=True)[old:] == []
    able = replace(card, capabilities=("thinking",))
    assert about_model(able, thinking, recorded=False)[old:] == []


def test_data_under_a_licence_goes_to_no_other_machine_than_those_permitted(tmp_path: Path) -> None:
    with create_project_file(tmp_path / "p.casespan", None, "Ann") as project:
        require_permission(project, "http://gpu.example:80", ())
        with pytest.raises(RemoteRefusedError, match=r"under Own, and gpu\.example is another machine"):
            require_permission(project, "gpu.example", (), "Own")
        with begin_act(project, "mark", "Ann") as act:
            mark(act, ["B", "A"])
        require_permission(project, "", ())
        require_permission(project, "http://gpu.example:80", ("other", "https://gpu.example/v1"))
        with pytest.raises(RemoteRefusedError, match=r"under A, B, C, .*-permission-for gpu\.example"):
            require_permission(project, "http://gpu.example:80", ("other", "gpu"), "C")


def test_a_forecast_says_what_it_goes_by_and_what_is_taken_over() -> None:
    new = Forecast("", 9, 7, 0, 12_000, 3000, 700, 90.0, 0, ("A note.",))
    assert describe_forecast(new) == [
        "a new run: 7 of 9 calls are to be made; nothing was asked.",
        "about 12,000 tokens of prompts, 3,000 of them as in the call before, and replies of at most "
        "700 tokens",
        "about 2 min, if the model reads 500 tokens a second and writes 30",
        "A note.",
    ]
    known = describe_forecast(replace(new, run="tiny/ucp", taken_over=2, measured=5, notes=()))
    assert known[:2] == [
        "tiny/ucp: 7 of 9 calls are to be made; nothing was asked.",
        "2 answers are taken over from another run.",
    ]
    assert known[3:] == ["about 2 min, by 5 calls that this model has answered"]


def test_how_fast_a_model_reads_goes_by_what_no_call_before_had_read() -> None:
    def call(tokens: int, shared: int, prefill: float, written: int, reply: float) -> CallRecord:
        took = {"prefill_seconds": prefill, "reply_seconds": reply}
        details = {"estimated_tokens": tokens, "shared_tokens": shared, **took}
        return CallRecord("d", "GI", "p", "[]", "", tokens_out=written, details=details)

    first, second = call(1000, 0, 2.0, 60, 3.0), call(1000, 800, 1.0, 20, 1.0)
    uncounted = [call(900, 0, 0.0, 50, 1.0), call(900, 0, 1.0, 50, 0.0), call(900, 0, 1.0, 0, 1.0)]
    assert speeds_of([first, second, *uncounted]) == (1200 / 3, 20.0, 40.0, 2)
    # More shared than there was to read is no reading backwards; nothing read is no speed.
    assert speeds_of([first, call(10, 30, 1.0, 60, 3.0)]) == (1000 / 3, 20.0, 60.0, 2)
    for none in (uncounted, [call(800, 800, 1.0, 20, 1.0)]):
        assert speeds_of(none) == (READ, WRITTEN, REPLY, 0)


class Server:
    """A server with a model that is not loaded, one in main memory, one on a graphics card, one elsewhere."""

    def __init__(self, remote: str = "") -> None:
        self.remote = remote

    def version(self) -> str:
        return "1.2"

    def models(self) -> list[ModelEntry]:
        plain = ModelEntry("plain", size=10**9, context=4096, cache_bytes=10**6)
        held = replace(plain, loaded=LoadedModel("held", context=2048, size=10**9))
        card = replace(plain, loaded=LoadedModel("card", context=1024, size=10**9, vram=10**9))
        return [plain, held, card, replace(plain, remote="far.example")]

    def pull(self, model: str) -> list[PullProgress]:
        return [PullProgress("looking"), PullProgress(f"pulling {model}", 3 * 10**6, 7 * 10**6)]


def test_models_are_listed_with_the_context_that_free_memory_holds_and_a_download_tells_megabytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.operations.extract.models.free_memory", lambda: 10**9 + RESERVE + 1100 * 10**6)
    version, lines = list_models(cast("Client", Server()))
    assert version == "1.2"
    assert [(one.fits, one.loaded, one.allocated) for one in lines] == [
        (1024, False, 0),
        (2048, True, 2048),
        (4096, True, 1024),
        (0, False, 0),
    ]
    assert list_models(cast("Client", Server("gpu.example")))[1][0].fits == 4096
    assert list(pull_model(cast("Client", Server()), "tiny")) == [
        Progress(0, 0, "looking"),
        Progress(3, 7, "MB  pulling tiny"),
    ]
