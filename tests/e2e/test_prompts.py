"""What was asked can be read word for word; runs of older files go on, and say what they do not know."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from app.store.extract.prompts import prompts
from app.store.extract.runs import runs
from app.store.project import Project
from tests.e2e.conftest import Casespan
from tests.e2e.models import CATEGORIES, LETTER, ONE_CALL, findings, good, new_project, on, recorded
from tests.older_files import as_version_4
from tests.scripted_behaviours import fails
from tests.scripted_ollama import ScriptedOllama

RUN = "tiny/ucp/few-shot"


def test_prompts_are_listed_as_the_server_got_them(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    casespan("extract", project, *on(server, "--document", LETTER))
    listed = casespan("list", project, "--prompts", "--json").json
    assert listed.keys() - casespan("list", project, "--json").json.keys() == {"prompts"}
    (run,) = listed["prompts"]
    assert (run["run"], run["unknown"], len(run["prompts"])) == (RUN, 0, CATEGORIES)
    for prompt, call in zip(run["prompts"], server.calls, strict=True):
        assert prompt["report"] == LETTER
        assert (prompt["system"], prompt["user"]) == (call.body["system"], call.body["prompt"])
        assert prompt["form"] == call.body["format"]
        assert list(prompt["form"]["properties"]) == list(call.body["format"]["properties"])
    assert len({prompt["category"] for prompt in run["prompts"]}) == CATEGORIES
    assert {prompt["sha256"] for prompt in run["prompts"]} == {
        call.prompt_sha256 for call in recorded(project)
    }


def test_a_person_reads_prompts_in_full_whatever_their_length(
    casespan: Casespan, tmp_path: Path, server: ScriptedOllama
) -> None:
    line = "The abdomen was soft. " * 400
    project = new_project(casespan, tmp_path / "long.casespan", "long", f"Case report\n\n{line}The end.\n")
    casespan("extract", project, *on(server, "--category", "GI", "--category", "CVS"))
    outcome = casespan("list", project, "--prompts")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.count(f"{line}The end.") == 2
    assert outcome.out.count("system: as before") == 1
    assert "long GI" in outcome.out


def test_a_project_without_runs_of_a_model_has_no_prompts(casespan: Casespan, project: Path) -> None:
    assert casespan("list", project, "--prompts").out.strip() == "No model was asked anything yet."
    assert casespan("list", project, "--prompts", "--json").json["prompts"] == []


def test_a_reports_text_is_stored_once_for_all_its_prompts(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    casespan("extract", project, *on(server, "--document", LETTER))
    with closing(sqlite3.connect(project)) as db:
        (shown,) = db.execute(
            "SELECT count(DISTINCT json_extract(user_sha256, '$[0]')) FROM prompt JOIN text "
            "ON text.sha256 = json_extract(user_sha256, '$[0]') WHERE text LIKE '%</report>%'"
        ).fetchone()
        (kept,) = db.execute("SELECT count(*) FROM prompt").fetchone()
    assert (shown, kept) == (1, CATEGORIES)
    assert casespan("check", project).code == 0


def test_prompts_of_calls_that_failed_or_were_taken_over_are_kept_too(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    server.script(fails(500, "out of luck"))
    casespan("extract", project, *on(server, *ONE_CALL))
    casespan("extract", project, *on(server, *ONE_CALL, "--resume"))
    casespan("extract", project, *on(server, *ONE_CALL, "--strategy", "fcsp"))
    asked, taken = casespan("list", project, "--prompts", "--json").json["prompts"]
    assert len(server.calls) == 2
    assert asked["prompts"] == taken["prompts"]
    assert len(asked["prompts"]) == 1


def test_a_run_of_version_4_goes_on_and_says_which_prompts_are_unknown(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    server.script(good, good, good, *[fails(500, "out of luck")] * 5)
    casespan("extract", project, *on(server, "--document", LETTER))
    before, found = recorded(project), findings(project)
    as_version_4(project)
    assert casespan("check", project).code == 0
    assert recorded(project) == before
    assert findings(project) == found
    outcome = casespan("list", project, "--prompts")
    assert "Of 8 prompts only the hash is on record" in outcome.out
    again = casespan("extract", project, *on(server, "--document", LETTER, "--json", "--resume")).json
    assert (again["annotator"], again["made"]) == (RUN, CATEGORIES - 3)
    assert again["calls"] == {"done": CATEGORIES, "missing": 0}
    (run,) = casespan("list", project, "--prompts", "--json").json["prompts"]
    assert (len(run["prompts"]), run["unknown"]) == (CATEGORIES - 3, 3)
    assert casespan("check", project).code == 0


def test_a_run_of_version_4_is_exported_replayed_and_taken_over(
    casespan: Casespan, project: Path, server: ScriptedOllama, tmp_path: Path
) -> None:
    casespan("extract", project, *on(server, "--document", LETTER))
    found = findings(project)
    as_version_4(project)
    out = tmp_path / "replies.jsonl"
    assert casespan("export", project, out, "--format", "replies", "--annotator", RUN).code == 0
    played = casespan("extract", project, "--replay", out, "--document", LETTER, "--json").json
    assert played["calls"] == {"done": CATEGORIES, "missing": 0}
    assert len(findings(project)) == 2 * len(found)
    taken = casespan("extract", project, *on(server, "--document", LETTER, "--strategy", "fcsp", "--json"))
    assert taken.json["made"] == 0
    with Project.open(project) as opened:
        assert len(prompts(opened, runs(opened)[-1].uuid)) == CATEGORIES


def test_prompts_cut_short_in_parts_name_their_part(
    casespan: Casespan, weeks: Path, server: ScriptedOllama
) -> None:
    casespan("extract", weeks, *on(server, "--category", "GI", "--context", 4096))
    (run,) = casespan("list", weeks, "--prompts", "--json").json["prompts"]
    places = [(prompt["part"], prompt["parts"]) for prompt in run["prompts"]]
    assert places == [(part, len(places)) for part in range(len(places))]
    assert "GI, part 1 of" in casespan("list", weeks, "--prompts").out
