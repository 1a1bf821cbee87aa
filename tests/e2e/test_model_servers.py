"""Runs on servers of the other kind, and with several calls in flight: the same answers, the same ledger."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli import main
from app.operations.extract.models import connect
from app.operations.extract.options import ModelOptions
from app.operations.extract.quotes import extract_with_model
from tests.builders import Kept
from tests.e2e.conftest import Casespan
from tests.e2e.models import CATEGORIES, LETTER, MODEL, ONE_CALL, good, ledger, on, quoting, recorded, shown
from tests.scripted_behaviours import Behaviour, Call, fails, overflows, waits
from tests.scripted_ollama import ScriptedOllama
from tests.scripted_openai import LLAMA_CPP, VLLM, Dialect, ScriptedOpenAI


def at(server: ScriptedOpenAI, *more: object) -> tuple[object, ...]:
    return ("--model", "tiny", "--host", server.base, *more)


def write_many(path: Path) -> None:
    assert main(["new", str(path)]) == 0
    for number in range(9):
        file = path.with_name(f"report-{number}.txt")
        file.write_text(f"Case {number}\n\nThe boy of {number} years had a fever.\n", encoding="utf-8")
        assert main(["import", str(path), str(file)]) == 0


@pytest.fixture
def many(kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A project with nine short reports."""
    path = kept.copy(write_many, tmp_path / "many.casespan")
    capsys.readouterr()
    return path


def gathered(number: int) -> Behaviour:
    """Replies as soon as so many calls are under way."""
    everybody = threading.Barrier(number)

    def behave(call: Call) -> None:
        everybody.wait(timeout=20)
        good(call)

    return behave


def test_a_run_on_another_kind_of_server_is_recorded_and_taken_up_like_any_other(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    with ScriptedOpenAI(answer=quoting) as server:
        server.script(good, fails(500, "engine died"))
        first = casespan("extract", project, *at(server, "--document", LETTER, "--json"))
        assert first.code == 1
        assert first.json["calls"] == {"done": CATEGORIES - 1, "failed": 1, "missing": 0}
        assert casespan("extract", project, *at(server, "--document", LETTER, "--json")).json["made"] == 0
        again = casespan("extract", project, *at(server, "--document", LETTER, "--resume", "--json"))
        assert again.code == 0
        assert again.json["made"] == 1
        settings = ledger(casespan, project)["settings"]
        assert settings["host"] == server.base
        assert settings["schema"] == "response_format"
    assert recorded(project)[0].tokens_in
    out = tmp_path / "replies.jsonl"
    assert (
        casespan("export", project, out, "--format", "replies", "--annotator", "tiny/ucp/few-shot").code == 0
    )
    played = casespan("extract", project, "--replay", out, "--document", LETTER, "--json")
    assert played.json["calls"] == {"done": CATEGORIES, "missing": 0}
    assert played.json["findings"] == again.json["findings"]
    assert casespan("check", project).code == 0


def test_what_such_a_server_is_not_told_of_the_machine_is_said_and_not_recorded(
    casespan: Casespan, project: Path
) -> None:
    with ScriptedOpenAI(answer=quoting) as server:
        machine = ("--gpu-layers", 3, "--threads", 2, "--keep-alive", "2h")
        asked = casespan("extract", project, *at(server, *ONE_CALL, *machine))
        assert not {"num_gpu", "num_thread"} & set(server.calls[0].body)
    assert any("not sent to it" in note for note in asked.json["notes"])
    settings = ledger(casespan, project)["settings"]
    assert (settings["machine"], "keep_alive" in settings) == ({}, False)


def test_what_the_address_does_not_tell_is_said_by_name(casespan: Casespan, project: Path) -> None:
    with ScriptedOpenAI(answer=quoting) as server:
        taken_for_ollama = casespan("extract", project, "--model", "tiny", "--host", server.url, *ONE_CALL)
        assert taken_for_ollama.code == 1
        assert "not as Ollama does" in taken_for_ollama.err
        told = ("--backend", "openai")
        assert (
            casespan("extract", project, "--model", "tiny", "--host", server.url, *told, *ONE_CALL).code == 0
        )
    nowhere = casespan("extract", project, "--model", "tiny", *told)
    assert nowhere.code == 2
    assert "--host" in nowhere.err


def test_the_models_of_another_kind_of_server_are_listed_and_none_is_fetched(casespan: Casespan) -> None:
    with ScriptedOpenAI(dialect=LLAMA_CPP) as server:
        listed = casespan("models", "--host", server.base, "--json").json
        text = casespan("models", "--host", server.base)
        fetched = casespan("pull", "tiny", "--host", server.base)
    assert (listed["host"], listed["version"]) == (server.base, "b6000")
    assert [(line["name"], line["context"]) for line in listed["models"]] == [("tiny", 8192)]
    assert f"llama.cpp b6000 at {server.base}" in text.out
    assert fetched.code == 2
    assert "fetches no models" in fetched.err


def test_a_key_comes_from_a_file_and_is_nowhere_written_down(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    file = tmp_path / "key"
    file.write_text("s3cret\n", encoding="ascii")
    with ScriptedOpenAI(answer=quoting, key="s3cret") as server:
        without = casespan("extract", project, *at(server, *ONE_CALL))
        assert without.code == 1
        assert "status 401" in without.err
        given = casespan("extract", project, *at(server, *ONE_CALL, "--api-key-file", file))
        assert given.code == 0
    assert "s3cret" not in given.out + given.err + str(casespan("list", project, "--json").json)
    assert b"s3cret" not in project.read_bytes()


@pytest.mark.parametrize("content", [b"", b"two words", b"one\ntwo", "schlüssel".encode()])
def test_a_file_that_holds_no_key_is_refused(
    casespan: Casespan, project: Path, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "key"
    file.write_bytes(content)
    with ScriptedOpenAI() as server:
        outcome = casespan("extract", project, *at(server, "--api-key-file", file))
        missing = casespan("extract", project, *at(server, "--api-key-file", tmp_path / "nothing"))
        assert server.requests == []
    assert (outcome.code, missing.code) == (2, 2)
    assert "holds no key" in outcome.err
    assert "cannot be read" in missing.err


def test_a_key_comes_from_the_keyring_where_there_is_one(
    casespan: Casespan, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedOpenAI(answer=quoting, key="s3cret") as server:
        (tmp_path / "keyring.py").write_text(
            "class errors:\n    class KeyringError(Exception): ...\n"
            f"def get_password(*asked):\n    return {{('casespan', {server.base!r}): 's3cret'}}.get(asked)\n",
            encoding="utf-8",
        )
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "keyring", raising=False)
        assert casespan("extract", project, *at(server, *ONE_CALL)).code == 0
        monkeypatch.delitem(sys.modules, "keyring")


def test_a_prompt_that_another_kind_of_server_refuses_is_divided(casespan: Casespan, weeks: Path) -> None:
    with ScriptedOpenAI(overflows(), answer=quoting, dialect=VLLM) as server:
        outcome = casespan("extract", weeks, *at(server, "--category", "GI", "--json"))
        assert outcome.code == 0, outcome.err
        assert outcome.json["planned"] >= 2
        assert len(server.calls) == 1 + outcome.json["planned"]


def test_calls_in_flight_are_about_different_reports_and_say_the_same(
    casespan: Casespan, many: Path, tmp_path: Path
) -> None:
    one_by_one = ("--category", "GI", "--category", "CVS")
    asked = ("--parallel", 8, "--new-run", "--json")
    with ScriptedOllama(answer=quoting, models=[MODEL]) as server:
        alone = casespan("extract", many, *on(server, *one_by_one, "--json")).json
        assert server.most == 1
        server.script(*[gathered(8)] * 8)
        together = casespan("extract", many, *on(server, *one_by_one, *asked)).json
        assert server.most == 8
        first = [shown(call.body) for call in server.calls[18:26]]
    assert len(set(first)) == 8
    for key in ("calls", "findings", "groundings", "unplaced", "nothing_found", "made"):
        assert together[key] == alone[key]
    said = []
    for name in ("tiny/ucp/few-shot", "tiny/ucp/few-shot#2"):
        out = tmp_path / "out.jsonl"
        casespan("export", many, out, "--format", "jsonl", "--annotator", name)
        said.append(out.read_text(encoding="utf-8").replace(f'"{name}"', '""'))
        out.unlink()
    assert said[0] == said[1]
    assert casespan("check", many).code == 0


def test_one_report_is_asked_about_by_one_call_at_a_time_unless_the_server_gains_by_more(
    casespan: Casespan, project: Path
) -> None:
    one = ("--document", LETTER, "--parallel", 4)
    with ScriptedOllama(answer=quoting, models=[MODEL]) as server:
        casespan("extract", project, *on(server, *one))
        assert server.most == 1
    with ScriptedOpenAI(answer=quoting, dialect=VLLM) as server:
        server.script(*[gathered(4)] * 4)
        outcome = casespan("extract", project, *at(server, *one))
        assert outcome.code == 0
        assert server.most == 4
        # Four in flight at once take longer together than the run itself.
        assert " s of calls; " in outcome.out


def test_no_more_calls_are_in_flight_than_the_server_can_work_on(casespan: Casespan, many: Path) -> None:
    with ScriptedOpenAI(answer=quoting, dialect=LLAMA_CPP) as server:
        server.script(*[gathered(4)] * 4)
        outcome = casespan("extract", many, *at(server, "--category", "GI", "--parallel", 8, "--json"))
        assert server.most == 4
        assert ledger(casespan, many)["settings"]["parallel"] == 4
    assert outcome.json["calls"] == {"done": 9, "missing": 0}
    assert any("works on 4 calls at once" in note for note in outcome.json["notes"])


def test_a_run_with_calls_in_flight_goes_on_where_its_server_went_away(
    casespan: Casespan, many: Path
) -> None:
    def goes_away(call: Call) -> None:
        threading.Thread(target=server.stop).start()
        call.wait(threading.Event())

    asked = ("--category", "GI", "--parallel", 4, "--json")
    with ScriptedOllama(good, good, goes_away, answer=quoting, models=[MODEL]) as server:
        stopped = casespan("extract", many, *on(server, *asked))
        assert stopped.code == 1
        assert stopped.json["stopped"]
    done = stopped.json["calls"]["done"]
    assert 2 <= done < 9
    with ScriptedOllama(answer=quoting, models=[MODEL]) as other:
        resumed = casespan("extract", many, *on(other, *asked, "--resume"))
        assert resumed.code == 0
        assert resumed.json["made"] == len(other.calls) == 9 - done
    assert casespan("check", many).code == 0


def test_a_stopped_run_hangs_up_on_every_call_in_flight(casespan: Casespan, many: Path) -> None:
    gate = threading.Event()
    with ScriptedOllama(*[waits(gate, '{"gas')] * 4, answer=quoting, models=[replace(MODEL)]) as server:
        options = ModelOptions("tiny", "ucp", "few-shot", categories=("GI",), parallel=4)
        job = extract_with_model(many, connect(server.url), options)
        for _ in job:
            if server.most == 4:
                break
        job.close()
        for _ in range(2000):
            if server.disconnections == 4:
                break
            server.closing.wait(0.01)
        assert server.disconnections == 4
    assert [answer.state for answer in recorded(many)] == ["cancelled"] * 4


def test_a_plain_server_that_counts_nothing_runs_to_its_end(casespan: Casespan, project: Path) -> None:
    def silent_counts(call: Call) -> None:
        call.text(call.answer())
        call.line({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        call.end()

    with ScriptedOpenAI(silent_counts, answer=quoting, dialect=Dialect()) as server:
        outcome = casespan("extract", project, *at(server, *ONE_CALL))
    assert outcome.code == 0
    assert outcome.json["tokens_in"] is None


@pytest.mark.parametrize("held", [4096, 0])
def test_a_dry_run_plans_with_the_context_that_a_server_gives_or_says_that_it_does_not_know_it(
    casespan: Casespan, project: Path, held: int
) -> None:
    listed = {"/api/ps": {"models": [{"name": "tiny", "context_length": held}] if held else []}}
    with ScriptedOpenAI(answer=quoting, dialect=Dialect(descriptions=listed)) as server:
        asked = at(server, "--category", "GI", "--json")
        told = casespan("extract", project, *asked, "--dry-run").json
        made = casespan("extract", project, *asked).json
        again = casespan("extract", project, *asked, "--dry-run").json
    assert (again["calls"], any(note.startswith("How much context") for note in again["notes"])) == (0, False)
    assert (told["calls"], told["prompt_tokens"]) == (made["made"], made["prompt_tokens"])
    assert any(note.startswith("How much context") for note in told["notes"]) == (not held)
    assert any("read in parts that overlap" in note for note in told["notes"]) == bool(held)
