"""What goes wrong with real servers: models that loop or are replaced, equal prompts, parts to replay."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from app.operations.extract.models import connect
from app.operations.extract.options import ModelOptions
from app.operations.extract.quotes import extract_with_model
from app.store.extract.runs import generations, runs
from app.store.project import Project
from tests.e2e.conftest import Casespan
from tests.e2e.models import (
    CATEGORIES,
    EVERY_WEEK,
    LETTER,
    MODEL,
    ONE_CALL,
    WEEKS,
    WEEKS_TEXT,
    findings,
    good,
    ledger,
    new_project,
    on,
    quoting,
    quoting_all,
    recorded,
    shown,
)
from tests.scripted_behaviours import Behaviour, Call, cuts, ends_without_done, fails, fails_midway
from tests.scripted_ollama import ScriptedOllama

LOOPS = {
    "older server": ends_without_done('{"gastrointestinal": ["and and and'),
    "newer server": fails_midway('{"gastrointestinal": ["', "token repeat limit reached"),
    "nothing said": cuts(""),
}


@pytest.mark.parametrize("loop", LOOPS)
def test_a_model_that_runs_in_circles_does_not_end_the_run(
    casespan: Casespan, project: Path, server: ScriptedOllama, loop: str
) -> None:
    server.script(*[LOOPS[loop]] * 7)
    outcome = casespan("extract", project, *on(server, "--document", LETTER, "--json"))
    assert outcome.code == 1
    assert outcome.json["stopped"] == ""
    assert outcome.json["calls"] == {"failed": 7, "done": CATEGORIES - 7, "missing": 0}


def test_what_was_never_asked_is_asked_before_what_failed(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    crash = fails(500, "model runner crashed")
    server.script(*[crash] * 5)
    stopped = casespan("extract", project, *on(server, "--document", LETTER, "--json"))
    assert stopped.json["calls"] == {"failed": 5, "missing": CATEGORIES - 5}
    server.script(*[good] * (CATEGORIES - 5), *[crash] * 5)
    resumed = casespan("extract", project, *on(server, "--document", LETTER, "--json", "--resume")).json
    assert resumed["calls"] == {"failed": 5, "done": CATEGORIES - 5, "missing": 0}
    prompts = [call.body["prompt"] for call in server.calls]
    assert prompts[CATEGORIES:] == prompts[:5]
    last = casespan("extract", project, *on(server, "--document", LETTER, "--json", "--resume"))
    assert (last.code, last.json["made"]) == (0, 5)


def test_recorded_loops_do_not_end_a_replay(
    casespan: Casespan, project: Path, server: ScriptedOllama, tmp_path: Path
) -> None:
    server.script(*[LOOPS["older server"]] * 6)
    casespan("extract", project, *on(server, "--document", LETTER))
    out = tmp_path / "replies.jsonl"
    casespan("export", project, out, "--format", "replies", "--annotator", "tiny/ucp/few-shot")
    played = casespan("extract", project, "--replay", out, "--document", LETTER, "--json").json
    assert (played["stopped"], played["calls"]) == ("", {"failed": 6, "done": CATEGORIES - 6, "missing": 0})


def test_a_model_that_is_replaced_under_its_name_is_noticed_and_its_answers_not_mixed(
    casespan: Casespan, project: Path, server: ScriptedOllama, tmp_path: Path
) -> None:
    def replaced(call: Call) -> None:
        server.models[MODEL.name] = replace(MODEL, digest="e" * 64)
        good(call)

    server.script(good, good, replaced)
    stopped = casespan("extract", project, *on(server, "--document", LETTER, "--json"))
    assert stopped.code == 1
    assert "was replaced on the server during the run" in stopped.json["stopped"]
    assert stopped.json["calls"] == {"done": 2, "missing": CATEGORIES - 2}
    assert len(server.calls) == 3
    assert recorded(project)[-1].raw_reply
    assert recorded(project)[-1].state == "cancelled"
    export = ("export", project, tmp_path / "r.jsonl", "--format", "replies", "--annotator")
    # What was answered by the other one is no reply of it.
    assert casespan(*export, "tiny/ucp/few-shot").out.startswith("2 replies written")
    other = casespan("extract", project, *on(server, "--document", LETTER, "--json")).json
    assert (other["annotator"], other["made"]) == ("tiny/ucp/few-shot#2", CATEGORIES)


def in_parts(casespan: Casespan, weeks: Path, server: ScriptedOllama, *more: Behaviour) -> Path:
    """A recording of a run that showed its report in parts."""
    server.answer = quoting_all(EVERY_WEEK)
    server.script(*more)
    narrow = ("--category", "GI", "--prompting", "zero-shot", "--context", 4096, "--json")
    assert casespan("extract", weeks, *on(server, *narrow)).json["planned"] >= 3
    out = weeks.with_name("replies.jsonl")
    wrote = casespan("export", weeks, out, "--format", "replies", "--annotator", "tiny/ucp/zero-shot")
    assert wrote.code == 0, wrote.err
    return out


def test_a_run_that_showed_a_report_in_parts_is_played_again_in_the_same_parts(
    casespan: Casespan, weeks: Path, server: ScriptedOllama, tmp_path: Path
) -> None:
    recording = in_parts(casespan, weeks, server)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    fresh = new_project(casespan, folder / "fresh.casespan", "weeks", WEEKS_TEXT)
    played = casespan("extract", fresh, "--replay", recording, "--category", "GI", "--json")
    assert played.code == 0, played.out + played.err
    assert played.json["planned"] == len(server.calls)
    assert played.json["findings"] == {"weeks": WEEKS}
    assert {one.start for one in findings(fresh)} == {one.start for one in findings(weeks)}
    again = casespan("extract", fresh, "--replay", recording, "--category", "GI", "--json").json
    assert (again["made"], again["annotator"]) == (0, played.json["annotator"])


def test_parts_that_were_never_answered_are_missing_from_the_replay_too(
    casespan: Casespan, weeks: Path, server: ScriptedOllama
) -> None:
    recording = in_parts(casespan, weeks, server, good, fails(404, "model 'tiny' not found"))
    played = casespan("extract", weeks, "--replay", recording, "--category", "GI", "--json")
    assert played.code == 1
    assert played.json["calls"]["done"] == 1
    assert played.json["incomplete"] == ["weeks"]
    again = casespan("extract", weeks, "--replay", recording, "--category", "GI").out
    assert "none made now; the recording has no more" in again
    assert "--resume" not in again


def test_parts_of_another_text_are_not_shown(
    casespan: Casespan, weeks: Path, server: ScriptedOllama, tmp_path: Path
) -> None:
    recording = in_parts(casespan, weeks, server)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    other = new_project(casespan, folder / "other.casespan", "weeks", "Case report\n\nShort.\n")
    played = casespan("extract", other, "--replay", recording, "--category", "GI", "--json")
    assert played.json["calls"] == {"failed": 1, "missing": 0}
    assert "no recorded reply" in played.json["troubles"][0]["sentence"]


def test_equal_prompts_are_asked_once_and_it_is_said(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    first = casespan("extract", project, *on(server, "--document", LETTER, "--json")).json
    assert len(server.calls) == CATEGORIES
    second = casespan("extract", project, *on(server, "--document", LETTER, "--strategy", "fcsp", "--json"))
    assert second.code == 0
    result = second.json
    assert len(server.calls) == CATEGORIES
    assert (result["annotator"], result["made"]) == ("tiny/fcsp/few-shot", 0)
    for key in ("calls", "findings", "groundings", "nothing_found"):
        assert result[key] == first[key]
    assert any("tiny/ucp/few-shot" in note and "taken over" in note for note in result["notes"])
    assert any("1 of 1 report" in note and "as ucp" in note for note in result["notes"])
    with Project.open(project) as opened:
        one, other = (generations(opened, run.uuid) for run in runs(opened))
    assert [call.record.reused for call in other] == [call.uuid for call in one]
    assert not any(call.record.reused for call in one)
    assert len(other) == CATEGORIES
    assert (
        casespan("extract", project, *on(server, *ONE_CALL, "--strategy", "fcsp", "--new-run")).json["made"]
        == 1
    )
    assert casespan("check", project).code == 0


def test_that_a_strategy_shows_nothing_else_is_said_before_anything_is_asked(
    project: Path, server: ScriptedOllama
) -> None:
    options = ModelOptions("tiny", "fcsp", "few-shot", documents=(LETTER,))
    for step in extract_with_model(project, connect(server.url), options):
        if "1 of 1 report" in step.note:
            break
        assert server.calls == []
    assert server.calls == []
    assert server.loaded == {}


def test_only_whole_answers_of_the_same_model_are_taken_over(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    server.script(cuts('{"gas'))
    casespan("extract", project, *on(server, *ONE_CALL))
    other = (*ONE_CALL, "--strategy", "fcsp")
    assert casespan("extract", project, *on(server, *other)).json["made"] == 1
    server.models[MODEL.name] = replace(MODEL, digest="e" * 64)
    assert casespan("extract", project, *on(server, *other)).json["made"] == 1


def test_sampling_and_the_machine_can_be_set_and_are_recorded(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    machine = ("--keep-alive", "2h", "--gpu-layers", 12, "--threads", 4)
    first = casespan("extract", project, *on(server, *ONE_CALL, "--temperature", "0.7", *machine)).json
    sent = server.calls[-1].body
    assert (sent["options"]["temperature"], sent["keep_alive"]) == (0.7, "2h")
    assert (sent["options"]["num_gpu"], sent["options"]["num_thread"]) == (12, 4)
    load = next(
        one.body for one in server.requests if one.path == "/api/generate" and not one.body.get("prompt")
    )
    assert (load["keep_alive"], load["options"]["num_gpu"]) == ("2h", 12)
    settings = ledger(casespan, project)["settings"]
    assert settings["options"]["temperature"] == 0.7
    assert settings["machine"] == {"num_gpu": 12, "num_thread": 4}
    assert settings["keep_alive"] == "2h"
    # Another machine gives the same answers, another temperature gives others.
    assert casespan("extract", project, *on(server, *ONE_CALL, "--temperature", "0.7")).json["made"] == 0
    other = casespan("extract", project, *on(server, *ONE_CALL)).json
    assert (other["made"], other["annotator"] != first["annotator"]) == (1, True)


@pytest.mark.parametrize("wrong", [("--temperature", "3"), ("--keep-alive", "long"), ("--parallel", "0")])
def test_settings_that_make_no_sense_are_refused(
    casespan: Casespan, project: Path, server: ScriptedOllama, wrong: tuple[str, str]
) -> None:
    outcome = casespan("extract", project, *on(server, *wrong))
    assert outcome.code == 2
    assert wrong[1] in outcome.err


def test_thinking_that_a_model_cannot_do_is_said(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    outcome = casespan("extract", project, *on(server, *ONE_CALL, "--think"))
    assert outcome.code == 0
    assert any("cannot think" in note for note in outcome.json["notes"])
    able = replace(MODEL, name="able:latest", capabilities=("completion", "thinking"))
    server.models[able.name] = able
    said = casespan("extract", project, "--model", "able", "--host", server.url, *ONE_CALL, "--think").json
    assert not any("cannot think" in note for note in said["notes"])


def test_a_run_stopped_with_replies_in_flight_is_taken_up_where_it_was(
    casespan: Casespan, project: Path
) -> None:
    gate = threading.Event()
    gate.set()
    with ScriptedOllama(answer=quoting, models=[MODEL]) as server:
        server.script(good, fails(404, "model 'tiny' not found"))
        asked = ("--category", "GI", "--parallel", 2, "--json")
        stopped = casespan("extract", project, *on(server, *asked)).json
        assert stopped["stopped"]
        assert casespan("extract", project, *on(server, *asked, "--resume")).code == 0


def test_a_dry_run_says_what_it_would_take_and_asks_nothing(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    before = project.read_bytes()
    asked = on(server, "--document", LETTER, "--dry-run")
    told = casespan("extract", project, *asked, "--json")
    assert told.code == 0, told.err
    said = told.json
    assert server.calls == []
    assert server.loaded == {}
    assert project.read_bytes() == before
    assert (said["run"], said["planned"], said["calls"], said["measured"]) == ("", CATEGORIES, CATEGORIES, 0)
    made = casespan("extract", project, *on(server, "--document", LETTER, "--json")).json
    assert (said["prompt_tokens"], said["shared_tokens"]) == (made["prompt_tokens"], made["shared_tokens"])
    assert said["reply_tokens"] >= 1024 * CATEGORIES
    assert said["seconds"] > 0
    then = casespan("extract", project, *asked, "--json").json
    assert (then["run"], then["calls"], then["measured"]) == ("tiny/ucp/few-shot", 0, CATEGORIES)
    other = casespan("extract", project, *asked, "--strategy", "fcsp")
    assert "0 of 14 calls" in other.out
    assert "14 answers are taken over" in other.out
    twice = casespan("extract", project, *asked, "--new-run", "--parallel", 2, "--json").json
    alone = casespan("extract", project, *asked, "--new-run", "--json").json
    assert twice["seconds"] == pytest.approx(alone["seconds"] / 2)


def test_sections_can_be_inferred_where_one_heading_speaks_of_everything(
    casespan: Casespan, tmp_path: Path, server: ScriptedOllama
) -> None:
    heart = "The electrocardiogram showed atrial fibrillation with a heart murmur and mild hypertension."
    bowel = "She had abdominal pain with nausea, vomiting and chronic diarrhoea for more than three weeks."
    text = f"Case presentation\n\n{heart}\n\n{bowel}\n"
    project = new_project(casespan, tmp_path / "broad.casespan", "broad", text)
    fcsp = ("--strategy", "fcsp", "--category", "GI", "--category", "CVS", "--json")
    plain = casespan("extract", project, *on(server, *fcsp)).json
    assert any("1 of 1 report" in note for note in plain["notes"])
    assert all(heart in shown(call.body) and bowel in shown(call.body) for call in server.calls)
    inferred = casespan("extract", project, *on(server, *fcsp, "--sections", "inferred"))
    assert inferred.code == 0, inferred.err
    assert inferred.json["annotator"] == "tiny/fcsp/few-shot#2"
    assert not any("1 of 1 report" in note for note in inferred.json["notes"])
    by_category = {"cardiac" in str(call.body["format"]): shown(call.body) for call in server.calls[2:]}
    assert heart in by_category[True]
    assert bowel not in by_category[True]
    assert bowel in by_category[False]
    assert casespan("extract", project, *on(server, *fcsp)).json["annotator"] == plain["annotator"]
    assert casespan("extract", project, *on(server, *fcsp, "--sections", "inferred")).json["made"] == 0
    for other in ("ucp", "ugp"):
        refused = casespan("extract", project, *on(server, "--strategy", other, "--sections", "inferred"))
        assert refused.code == 2
        assert "fcsp" in refused.err
