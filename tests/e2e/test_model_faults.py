"""Runs with a model whose calls fail, are cut or stopped: nothing is lost, nothing is taken for an answer."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.e2e.conftest import ROOT, Casespan
from tests.e2e.models import (
    CATEGORIES,
    LETTER,
    MODEL,
    NOTHING,
    ONE_CALL,
    good,
    ledger,
    on,
    quoting,
    recorded,
    review_states,
    wait_for_calls,
)
from tests.scripted_behaviours import (
    Behaviour,
    Call,
    cuts,
    drops,
    ends_without_done,
    fails,
    fails_midway,
    ignores_schema,
    lacks_model,
    replies,
    stays_silent,
)
from tests.scripted_ollama import ScriptedOllama

FAULTS = {
    "error in mid-stream": fails_midway('{"gastrointestinal": ["', "model runner has stopped"),
    "no done": ends_without_done(),
    "500": fails(500, "model runner crashed"),
    "400": fails(400, "invalid options"),
    "dropped": drops(),
}
QUOTED = '{"gastrointestinal": ["had passed a kidney stone"], "tests": []}'
NOT_AT_THE_END = {"cut": cuts, "error": fails_midway, "no done": ends_without_done, "dropped": drops}
# Taken by name: there is no such signal on Windows.
KILL = getattr(signal, "SIGKILL", None)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failed_call_is_told_and_only_it_is_repeated(
    casespan: Casespan, project: Path, server: ScriptedOllama, fault: str
) -> None:
    three = ("--document", LETTER, "--category", "GI", "--category", "GU", "--category", "CVS", "--json")
    server.script(FAULTS[fault])
    outcome = casespan("extract", project, *on(server, *three))
    assert outcome.code == 1
    result = outcome.json
    assert result["calls"] == {"failed": 1, "done": 2, "missing": 0}
    assert result["incomplete"] == [LETTER]
    assert result["troubles"][0]["sentence"].endswith(".")
    assert result["nothing_found"] + sum(result["findings"].values()) < 3
    calls = len(server.calls)
    casespan("extract", project, *on(server, *three))
    assert len(server.calls) == calls
    repaired = casespan("extract", project, *on(server, *three, "--resume"))
    assert repaired.code == 0
    assert repaired.json["made"] == 1
    assert repaired.json["calls"] == {"done": 3, "missing": 0}
    assert casespan("check", project).code == 0


@pytest.mark.parametrize("fault", NOT_AT_THE_END)
@pytest.mark.parametrize(("said", "quotes"), [(NOTHING, 0), (QUOTED, 1)])
def test_a_whole_reply_in_a_call_that_did_not_come_to_its_end_is_no_whole_answer(
    casespan: Casespan, project: Path, server: ScriptedOllama, fault: str, said: str, quotes: int
) -> None:
    server.script(NOT_AT_THE_END[fault](said))
    outcome = casespan("extract", project, *on(server, *ONE_CALL))
    assert outcome.code == 1
    assert outcome.json["calls"] == {"incomplete" if fault == "cut" else "failed": 1, "missing": 0}
    assert outcome.json["findings"] == {LETTER: quotes}
    assert outcome.json["nothing_found"] == 0
    assert outcome.json["incomplete"] == [LETTER]
    assert review_states(casespan, project) == ["in progress"]


def test_a_cut_reply_keeps_what_parses_and_is_asked_for_again_at_more_length(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    server.script(cuts('{"gastrointestinal": ["Black urine", "and the'))
    outcome = casespan("extract", project, *on(server, *ONE_CALL))
    assert outcome.code == 1
    assert outcome.json["calls"] == {"incomplete": 1, "missing": 0}
    assert outcome.json["findings"] == {LETTER: 1}
    assert outcome.json["nothing_found"] == 0
    assert review_states(casespan, project) == ["in progress"]
    assert "--reply-tokens asks again" in outcome.json["troubles"][0]["sentence"]
    out, run = project.with_name("replies.jsonl"), outcome.json["annotator"]
    assert casespan("export", project, out, "--format", "replies", "--annotator", run).code == 0
    assert casespan("extract", project, *on(server, *ONE_CALL, "--resume")).json["made"] == 0
    longer = casespan("extract", project, *on(server, *ONE_CALL, "--resume", "--reply-tokens", 4096))
    assert longer.code == 0
    assert server.calls[-1].body["options"]["num_predict"] == 4096
    assert review_states(casespan, project) == ["done"]
    # A recording cannot be asked again.
    played = casespan("extract", project, "--replay", out, "--json").json["troubles"]
    assert not any("asks again" in one["sentence"] for one in played)


@pytest.mark.parametrize(
    ("prompting", "reply"),
    [
        ("few-shot", ignores_schema()),
        ("zero-shot-cot", replies(f'{{"findings": {NOTHING}}}')),
        ("zero-shot-cot", replies(f'{{"findings": {NOTHING}, "analysis": "Nothing speaks of the bowel."}}')),
    ],
    ids=["another form", "no analysis", "analysis last"],
)
def test_a_reply_in_another_form_is_incomplete_and_kept(
    casespan: Casespan, project: Path, server: ScriptedOllama, prompting: str, reply: Behaviour
) -> None:
    server.script(reply)
    outcome = casespan("extract", project, *on(server, *ONE_CALL, "--prompting", prompting))
    assert outcome.code == 1
    assert outcome.json["calls"] == {"incomplete": 1, "missing": 0}
    assert outcome.json["nothing_found"] == 0
    assert review_states(casespan, project) == ["in progress"]
    assert recorded(project)[0].raw_reply


def test_no_call_is_made_after_one_that_none_can_follow(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    server.script(good, lacks_model())
    outcome = casespan("extract", project, *on(server, "--document", LETTER, "--json"))
    assert outcome.code == 1
    assert outcome.json["stopped"]
    assert outcome.json["made"] == len(server.calls) == 2
    assert outcome.json["calls"] == {"done": 1, "failed": 1, "missing": CATEGORIES - 2}
    assert ledger(casespan, project)["state"] == "failed"


def test_five_failures_in_a_row_end_the_run_and_fewer_do_not(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    crash = fails(500, "model runner crashed")
    server.script(*[crash] * 4, good, *[crash] * 5)
    outcome = casespan("extract", project, *on(server, "--document", LETTER, "--json"))
    assert outcome.code == 1
    assert outcome.json["stopped"]
    assert outcome.json["made"] == len(server.calls) == 10
    assert outcome.json["calls"] == {"done": 1, "failed": 9, "missing": CATEGORIES - 10}


def test_a_server_that_goes_away_ends_the_run_in_a_sentence_and_resume_goes_on(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    def goes_away(call: Call) -> None:
        server.stop()
        call.drop()

    server.script(good, goes_away)
    outcome = casespan("extract", project, *on(server, "--document", LETTER, "--json"))
    assert outcome.code == 1
    assert outcome.json["stopped"]
    assert "--resume" in outcome.err
    assert outcome.json["calls"] == {"done": 1, "failed": 2, "missing": CATEGORIES - 3}
    assert ledger(casespan, project)["state"] == "failed"
    assert casespan("check", project).code == 0
    with ScriptedOllama(answer=quoting, models=[MODEL]) as other:
        resumed = casespan("extract", project, *on(other, "--document", LETTER, "--resume", "--json"))
        assert resumed.code == 0
        assert resumed.json["made"] == len(other.calls) == CATEGORIES - 1


@pytest.mark.skipif(KILL is None, reason="no signals as the test needs them")
@pytest.mark.parametrize("how", [signal.SIGINT, KILL])
def test_a_stopped_run_loses_at_most_the_call_in_flight(
    casespan: Casespan, project: Path, how: signal.Signals
) -> None:
    # Whoever runs the tests in the background may have SIGINT ignored, which children inherit.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from app.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    with ScriptedOllama(answer=quoting, models=[MODEL]) as server:
        first = casespan("extract", project, *on(server, "--document", LETTER, "--category", "GI")).code
        assert first == 0
        server.script(*[good] * 4, stays_silent(threading.Event()))
        command = [sys.executable, "-c", program, "extract", str(project), *map(str, on(server))]
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
        wait_for_calls(server, 1 + 5)
        process.send_signal(how)
        _, error = process.communicate(timeout=30)
        assert server.disconnected.wait(5)
        if how == signal.SIGINT:
            assert process.returncode == 130
            assert "is kept" in error
            assert ledger(casespan, project)["state"] == "cancelled"
        outcome = casespan("extract", project, *on(server, "--resume", "--json"))
    assert outcome.code == 0
    assert outcome.json["calls"] == {"done": 2 * CATEGORIES, "missing": 0}
    assert outcome.json["made"] == 2 * CATEGORIES - 1 - 4
    assert casespan("check", project).code == 0
