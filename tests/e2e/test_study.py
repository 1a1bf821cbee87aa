"""`casespan study` from the items to the tables, with the toy study: nothing here knows another."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from app.studies import STUDIES
from tests.builders import lines
from tests.e2e.conftest import ROOT, Casespan
from tests.e2e.models import wait_for_calls
from tests.scripted_behaviours import Behaviour, cuts, prompt_text, replies, stays_silent
from tests.scripted_ollama import FakeModel, ScriptedOllama

TOY = "tests.toy_study.study:STUDY"
MODEL = FakeModel("tiny", tokens=(), kinds=())
FINDINGS = ("jaundice", "haematuria", "ascites")


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STUDIES, "toy", TOY)


@pytest.fixture
def project(casespan: Casespan, tmp_path: Path) -> Path:
    path = tmp_path / "p.casespan"
    assert casespan("new", path, "--annotator", "Ana").code == 0
    assert casespan("study", "build", path, "toy").code == 0
    return path


@pytest.fixture
def server() -> Iterator[ScriptedOllama]:
    def choose(body: dict[str, Any]) -> str:
        said = prompt_text(body)
        if body["format"].get("required") == ["answer"]:
            return json.dumps({"answer": "B" if "haematuria" in said else "A"})
        return json.dumps({"true": True, "clear": 2} if "jaundice" in said else {"true": "yes"})

    with ScriptedOllama(answer=choose, models=[MODEL]) as started:
        yield started


def with_model(server: ScriptedOllama) -> tuple[str, ...]:
    return ("--model", "tiny", "--host", server.url)


def test_items_are_built_once_and_stay_as_they_are(casespan: Casespan, project: Path, tmp_path: Path) -> None:
    more = lines(tmp_path / "more.jsonl", {"finding": "cast", "organ": "B"})
    built = casespan("study", "build", project, "toy", "--from", more, "--seed", "7", "--json")
    assert (built.code, built.json["items"], built.json["added"]) == (0, 1, 1)
    assert built.json["by"] == {"task": {"organ": 1}, "organ": {"kidney": 1}}
    assert (built.json["left_out"], built.json["details"]) == ({"too easy": 1}, {"seed": 7})
    again = casespan("study", "build", project, "toy", "--json")
    assert (again.json["items"], again.json["added"]) == (3, 0)
    other = lines(tmp_path / "other.jsonl", {"finding": "jaundice", "organ": "B"})
    refused = casespan("study", "build", project, "toy", "--from", other)
    assert (refused.code, "other content" in refused.err) == (2, True)
    listed = casespan("study", "items", project, "toy", "--label", "organ=kidney", "--json").json
    assert [one["id"] for one in listed] == ["haematuria", "cast"]
    asked = casespan("study", "items", project, "toy", "--please", "now", "--prompts", "--json").json
    assert asked[0]["prompt"]["user"].endswith("kidney now")
    assert casespan("list", project, "--json").json["studies"] == {"toy": 4}
    assert casespan("history", project, "--json").json[-1]["changes"] == 1
    assert casespan("undo", project).code == 0
    assert len(casespan("study", "items", project, "toy", "--json").json) == 3
    assert casespan("check", project).code == 0


def test_what_a_build_brought_is_checked_and_kept_while_answers_stand_on_it(
    casespan: Casespan, project: Path
) -> None:
    import sqlite3
    from contextlib import closing

    assert casespan("study", "run", project, "toy", "--with", "liver").code == 0
    undone = casespan("undo", project, "--past-runs")
    assert (undone.code, "stand on it" in undone.err) == (2, True)
    with closing(sqlite3.connect(project)) as db, db:
        db.execute("DELETE FROM item WHERE id = 'ascites'")
    problems = {one["kind"]: one["message"] for one in casespan("check", project, "--json").json}
    assert sorted(problems) == ["history", "item"]
    assert "brought 3 items" in problems["item"]


def test_a_model_is_asked_each_item_once_and_equal_settings_go_on(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    call = ("study", "run", project, "toy", *with_model(server))
    first = casespan(*call, "--count", "1", "--json")
    assert (first.code, first.json["calls"], first.json["answered"]) == (0, 1, 1)
    second = casespan(*call, "--json")
    assert (second.json["run"], second.json["calls"], second.json["answered"]) == ("tiny/toy/plain", 2, 3)
    assert casespan(*call, "--json").json["calls"] == 0
    polite = casespan(*call, "--please", "now", "--json")
    assert (polite.json["run"], polite.json["calls"], len(server.calls)) == ("tiny/toy/plain#2", 3, 6)
    named = casespan(*call, "--name", "mine", "--json")
    assert (named.json["run"], named.json["calls"], named.json["reused"]) == ("mine", 0, 3)
    assert casespan(*call, "--name", "mine", "--please", "now").code == 2
    loud = casespan(*call, "--arm", "loud", "--json").json
    assert (loud["run"], "JAUNDICE" in prompt_text(server.calls[6].body)) == ("tiny/toy/loud", True)
    over = casespan(*call, "--seed", "2", "--minutes", "0.000001", "--json")
    assert (over.code, over.json["calls"], len(server.calls)) == (0, 0, 9)
    four = casespan(*call, "--orders", "4", "--parallel", "2", "--name", "four", "--json").json
    assert (four["items"], four["answered"]) == (3, 12)
    replies = ("--format", "replies", "--annotator", "mine")
    assert "study answers" in casespan("export", project, project.with_name("r.jsonl"), *replies).err
    asked = casespan("list", project, "--prompts", "--json").json["prompts"][0]["prompts"]
    assert [prompt["report"] for prompt in asked] == ["jaundice", "haematuria", "ascites"]
    out = project.with_name("four.jsonl")
    assert casespan("study", "answers", project, "toy", "--run", "four", "--out", out).code == 0
    assert [json.loads(line)["order"] for line in out.read_text("utf-8").splitlines()] == [0, 1, 2, 3] * 3
    played = casespan("study", "run", project, "toy", "--replay", out, "--orders", "4", "--json").json
    assert (played["answered"], played["failed"]) == (12, {})
    server.script(cuts("The organ"), cuts(""))
    cut = casespan(*call, "--new-run", "--json")
    (note,) = cut.json["notes"]
    assert note.startswith("2 replies were cut at their limit of tokens; --resume with a larger --reply-t")
    assert casespan("check", project).code == 0


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no signals as the test needs them")
def test_a_run_that_was_killed_goes_on_and_asks_nothing_twice(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    good: Behaviour = replies()
    server.script(good, good, stays_silent(threading.Event()))
    program = (
        f"import sys; from app.studies import STUDIES; STUDIES['toy'] = {TOY!r}; "
        "from app.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    call = ("study", "run", str(project), "toy", *with_model(server))
    process = subprocess.Popen([sys.executable, "-c", program, *call], cwd=ROOT, stderr=subprocess.DEVNULL)
    wait_for_calls(server, 3)
    assert process.poll() is None
    process.kill()
    process.wait(30)
    outcome = casespan(*call, "--json")
    assert (outcome.code, outcome.json["calls"], outcome.json["answered"]) == (0, 1, 3)
    assert len(server.calls) == 4
    assert casespan("check", project).code == 0


def test_replies_in_words_are_read_by_rule_and_what_cannot_be_read_is_no_answer(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    given = {"jaundice": "A patient? **A**", "haematuria": "the answer is B.", "ascites": "Hard to say."}
    file = lines(tmp_path / "r.jsonl", *({"item": item, "reply": reply} for item, reply in given.items()))
    played = casespan("study", "run", project, "toy", "--replay", file, "--json")
    assert (played.code, played.json["answered"]) == (1, 2)
    assert played.json["failed"] == {"The reply is none of the options.": 1}
    assert casespan("study", "run", project, "toy", "--with", "liver").code == 0
    scored = casespan("study", "score", project, "toy", "--by", "organ", "--published", "--json").json
    assert scored["runs"]["r/toy/plain"] | {"ci": {}} == {
        "n": 3,
        "unscored": 1,
        "accuracy": pytest.approx(2 / 3),
        "ci": {},
        "raters": {},
    }
    assert scored["by"]["organ"]["kidney"]["liver/toy"]["accuracy"] == 0
    (pair,) = (one for one in scored["pairs"] if one["label"] is None)
    assert (pair["n"], pair["differences"]["accuracy"]["value"]) == (3, 0)
    assert scored["tables"]["1"]["columns"] == ["run", "n", "accuracy"]
    assert [row[0] for row in scored["tables"]["1"]["rows"]] == [
        "r/toy/plain",
        "liver/toy",
        "Someone (published)",
    ]
    assert "1 of 3 answers" in scored["notes"][0]
    out = tmp_path / "page.html"
    call = ("study", "score", project, "toy", "--csv", tmp_path / "c", "--html", out, "--svg", tmp_path / "s")
    said = casespan(*call)
    assert said.code == 0
    assert all(line.startswith("Written: ") for line in said.out.splitlines())
    assert "<svg" in out.read_text("utf-8")
    assert sorted(one.name for one in (tmp_path / "c").iterdir()) == [
        "differences.csv",
        "runs.csv",
        "table-1.csv",
    ]
    for wrong in ("{}", '{"item": "jaundice", "reply": 1}', '{"item": "nonesuch", "reply": "A"}'):
        file.write_text(wrong, "utf-8")
        assert casespan("study", "run", project, "toy", "--replay", file, "--new-run").code == 2


def test_a_new_run_is_begun_where_it_is_asked_for(casespan: Casespan, project: Path) -> None:
    asked = ("study", "run", project, "toy", "--with", "liver")
    first, again, new = (
        casespan(*asked, "--json"),
        casespan(*asked, "--json"),
        casespan(*asked, "--new-run", "--json"),
    )
    assert first.json["run"] == again.json["run"] != new.json["run"]
    assert again.json["calls"] == 0 < new.json["calls"] == first.json["calls"]


def test_a_person_answers_item_by_item_until_it_is_closed(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    call = ("study", "answer", project, "toy", "--person", "Dr Ben Ode", "--json")
    first = casespan(*call, "--next").json
    assert (first["item"], first["round"], first["left"]) == ("jaundice", 1, 3)
    assert first["input"] == {"finding": "jaundice"}
    assert casespan(*call, "--item", "jaundice", "--value", '"C"').code == 2
    assert casespan(*call, "--item", "jaundice", "--value", '"A"').json == {"answers": 1}
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("item,value,seconds\nhaematuria,A,soon\n", "utf-8")
    assert "'soon' are no seconds" in casespan(*call, "--from", sheet).err
    sheet.write_text("item,value\nhaematuria,A\nascites,liver\n", "utf-8")
    assert casespan(*call, "--from", sheet).json == {"answers": 2}
    assert casespan(*call, "--next").json["item"] is None
    scored = casespan("study", "score", project, "toy", "--run", "Dr Ben Ode", "--json").json
    assert scored["runs"]["Dr Ben Ode"]["accuracy"] == pytest.approx(2 / 3)
    assert casespan(*call, "--close").json == {"closed": True, "answers": 3}
    assert casespan(*call, "--item", "jaundice", "--value", '"B"').code == 2
    assert casespan("check", project).code == 0


def test_judges_and_raters_score_answers_and_what_cannot_be_read_is_unscored(
    casespan: Casespan, project: Path, server: ScriptedOllama, tmp_path: Path
) -> None:
    assert casespan("study", "run", project, "toy", "--with", "liver").code == 0
    # What was cut is unscored, however much of it can be read.
    server.script(replies(), cuts('{"true": true, "clear": 2}'))
    call = ("study", "judge", project, "toy", "--judge", "tiny", "--host", server.url, "--json")
    judged = casespan(*call)
    assert (judged.code, judged.json["rated"], judged.json["unscored"]) == (1, 1, 2)
    assert "1 reply was cut at its limit" in judged.json["notes"][-1]
    assert casespan(*call).json["calls"] == 0
    sheet = tmp_path / "sheet.csv"
    rate = ("study", "judge", project, "toy", "--rater", "Ana")
    assert casespan(*rate, "--template", sheet, "--blind").code == 0
    head, *rows = sheet.read_text("utf-8").splitlines()
    # It begins with a mark, as a sheet of ratings does: spreadsheets take it for another encoding else.
    assert head == "\ufeffanswer,item,task,reply,true,clear"
    sheet.write_text("\n".join([head, *(row.removesuffix(",,") + ",no,1" for row in rows)]), "utf-8")
    assert casespan(*rate, "--from", sheet, "--blind", "--json").json["rated"] == 3
    raters = casespan("study", "score", project, "toy", "--json").json["runs"]["liver/toy"]["raters"]
    assert raters["tiny"] == {"score": 1.0, "n": 1, "unscored": 2, "ci": None}
    assert raters["Ana"] == {"score": pytest.approx(1 / 3), "n": 3, "unscored": 0, "ci": None}
    sheet.write_text("item,run,true,clear\njaundice,liver/toy,maybe,1\n", "utf-8")
    assert casespan(*rate, "--from", sheet).code == 2
    file = tmp_path / "judged.jsonl"
    lines(file, *({"item": item, "question": "true", "reply": '{"true": true}'} for item in FINDINGS))
    per = ("study", "judge", project, "toy", "--judge", "other", "--per", "criterion", "--replay", file)
    assert casespan(*per, "--json").json["unscored"] == 3
    assert casespan("check", project).code == 0


def test_items_travel_as_a_folder_and_come_back_equal(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "shared"
    assert casespan("study", "export", project, "toy", folder).code == 0
    assert sorted(one.name for one in folder.iterdir()) == ["card.json", "items.jsonl", "references.jsonl"]
    assert "reference" not in (folder / "items.jsonl").read_text("utf-8")
    bare = tmp_path / "items.jsonl"
    assert casespan("study", "items", project, "toy", "--out", bare).code == 0
    before = casespan("study", "items", project, "toy", "--json").json
    for number, source in enumerate((folder, bare)):
        other = tmp_path / f"other-{number}.casespan"
        assert casespan("new", other).code == 0
        assert casespan("study", "import", other, "toy", source, "--json").json["added"] == 3
        assert casespan("study", "items", other, "toy", "--json").json == before
    # What guards the items stands in the card alone.
    for damage in ("{", "[]", "null", '{"guards": [NaN]}', '{"guards": "us"}'):
        (folder / "card.json").write_text(damage, "utf-8")
        damaged = casespan("study", "import", project, "toy", folder)
        said = "card.json is not as it was exported; export the items again." in damaged.err
        assert (damaged.code, said) == (2, True), damage
    bare.write_text('{"id": "x"}\n', "utf-8")
    assert casespan("study", "import", project, "toy", bare).code == 2


def test_data_under_a_licence_leave_this_machine_only_by_permission(
    casespan: Casespan, project: Path, server: ScriptedOllama, tmp_path: Path
) -> None:
    more = lines(tmp_path / "more.jsonl", {"finding": "cast", "organ": "B"})
    build = ("study", "build", project, "toy", "--from", more, "--licence", "Credentialed Data Licence")
    assert casespan(*build).code == 0
    there = "https://elsewhere.example:443"
    server.models["cloud"] = FakeModel("cloud", remote_host=there, tokens=(), kinds=())
    here = casespan("study", "run", project, "toy", *with_model(server))
    assert here.code == 0
    call = ("--model", "cloud", "--host", server.url)
    permission = ("--i-have-permission-for", "elsewhere.example")
    for command in (("study", "run", project, "toy"), ("extract", project)):
        assert casespan(*command, *call, *permission).code == 2
        elsewhere = ("--i-have-permission-for", "other.example")
        assert casespan(*command, *call, "--allow-remote", *elsewhere).code == 2
        refused = casespan(*command, *call, "--allow-remote")
        assert (refused.code, "Credentialed Data Licence" in refused.err) == (2, True)
    assert len(server.calls) == 4
    allowed = casespan("study", "run", project, "toy", *call, "--allow-remote", *permission)
    assert (allowed.code, len(server.calls)) == (0, 8)
    report = ROOT / "resources" / "demo" / "reports" / "alkaptonuria-letter.txt"
    assert casespan("import", project, report).code == 0
    assert casespan("extract", project, "--with", "rules", "--category", "GI").code == 0
    out = ("--format", "jsonl", "--annotator", "rules", "--json")
    notes = casespan("export", project, tmp_path / "rules.jsonl", *out).json["notes"]
    assert "Credentialed Data Licence" in " ".join(notes)
    folder = tmp_path / "shared"
    assert "Credentialed Data Licence" in casespan("study", "export", project, "toy", folder).out
    second = tmp_path / "other.casespan"
    assert casespan("new", second).code == 0
    assert casespan("study", "import", second, "toy", folder).code == 0
    assert casespan("study", "run", second, "toy", *call, "--allow-remote").code == 2


def test_calls_that_make_no_sense_are_one_sentence_and_exit_2(casespan: Casespan, project: Path) -> None:
    rating = ("judge", project, "toy", "--rater", "Ana")
    for sentence, *wrong in (
        ("Prompts are long; add --json", "items", project, "toy", "--prompts"),
        (
            "'size'; choose another for --label",
            "items",
            project,
            "toy",
            "--label",
            "size=1",
        ),
        (
            "'size'; choose another for --by",
            "score",
            project,
            "toy",
            "--by",
            "size",
        ),
        ("Eve has answered nothing of toy yet", "answer", project, "toy", "--person", "Eve", "--close"),
        ("no answers of toy that a rubric", *rating, "--template", "x.csv"),
        ("--count is for a --judge", *rating, "--template", "x.csv", "--count", "1"),
        ("'rules' is kept", *rating[:-1], "rules", "--from", "x.csv"),
        ("blanks around it", *rating[:-1], " Ana", "--from", "x.csv"),
        ("--run is for --template", *rating, "--from", "x.csv", "--run", "liver/toy"),
        ("nothing of toy to judge", "judge", project, "toy", "--judge", "m", "--replay", os.devnull),
        ("", "run", project, "toy"),
        ("", "run", project, "toy", "--with", "kidney"),
        ("", "run", project, "toy", "--with", "liver", "--arm", "loud"),
        ("--context is for models", "run", project, "toy", "--with", "liver", "--context", "512"),
        ("", "run", project, "toy", "--replay", "nowhere.jsonl", "--arm", "soft"),
        ("--host is not for recorded", "run", project, "toy", "--replay", "no.jsonl", "--host", "http://x"),
        ("--think is not for", "judge", project, "toy", "--judge", "m", "--replay", "no.jsonl", "--think"),
        ("", "run", project, "toy", "--with", "liver", "--label", "organ"),
        ("", "run", project, "toy", "--with", "liver", "--label", "organ=heart"),
        ("", "score", project, "toy"),
        ("", "score", project, "toy", "--run", "nobody"),
        ("", "build", project, "nonesuch"),
        ("", "answers", project, "toy", "--run", "nobody", "--out", "x.jsonl"),
    ):
        outcome = casespan("study", *wrong)
        assert (outcome.code, outcome.out) == (2, ""), wrong
        assert len(outcome.err.splitlines()) == 1
        assert sentence.casefold() in outcome.err.casefold()
    listed = casespan("study", "list", "--json")
    assert listed.code == 0, listed.err
    (entry,) = (one for one in listed.json if one["id"] == "toy")
    assert (entry["tasks"], entry["methods"][0]["id"], entry["models"]) == (["organ"], "liver", True)


def test_what_was_answered_in_copies_comes_together_also_about_items_built_apart(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    copy, apart = Path(copyfile(project, tmp_path / "copy.casespan")), tmp_path / "apart.casespan"
    assert casespan("study", "run", project, "toy", "--with", "liver").code == 0
    person = ("study", "answer", copy, "toy", "--person", "Dr Ben Ode", "--item", "jaundice")
    assert casespan(*person, "--value", '"A"').code == 0
    assert casespan("new", apart, "--annotator", "Eve").code == 0
    assert casespan("study", "build", apart, "toy").code == 0
    assert casespan("study", "run", apart, "toy", "--with", "liver").code == 0
    alone = casespan("study", "score", project, "toy", "--json").json
    merged = casespan("merge", project, copy, apart, "--json")
    assert merged.code == 0, merged.err
    assert casespan("check", project).code == 0
    runs = casespan("study", "score", project, "toy", "--json").json["runs"]
    assert runs["liver/toy"] == alone["runs"]["liver/toy"]
    assert set(runs) == {"liver/toy", "Dr Ben Ode"}
    assert len(casespan("study", "items", project, "toy", "--json").json) == 3
