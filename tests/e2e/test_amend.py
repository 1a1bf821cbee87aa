"""`casespan amend`: the guideline learns, later runs are told, and older work is listed."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.conftest import Casespan
from tests.e2e.models import ONE_CALL, on
from tests.scripted_behaviours import prompt_text
from tests.scripted_ollama import ScriptedOllama

CLAUSE = "Hiccups after anaesthesia: `RESP`."
SIDES = ("--left", "annotator-1", "--right", "annotator-2")


def test_a_later_run_reads_the_clause_and_an_earlier_one_is_listed(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    assert casespan("extract", project, *on(server, *ONE_CALL)).code == 0
    made = casespan(
        *("amend", project, "--category", "GI", "--section", "exclude", "--clause", CLAUSE),
        *("--example", "He had # hiccups.", "--quote", "# hiccups", "--by", "Dr Ruiz", "--json"),
    )
    assert (made.json["section"], made.json["clause"], made.json["author"]) == ("Exclude", CLAUSE, "Dr Ruiz")
    second = casespan("extract", project, *on(server, *ONE_CALL, "--resume"))
    assert second.json["annotator"].endswith("#2")
    assert any("was amended since" in note for note in second.json["notes"])
    prompts = [prompt_text(call.body) for call in server.calls if "prompt" in call.body]
    first_prompt, last_prompt = (one for one in prompts if "Gastrointestinal" in one)
    assert "Hiccups" not in first_prompt
    assert "- Hiccups after anaesthesia: RESP.\n" in last_prompt
    listed = casespan("amend", project, "--outdated", "--json").json
    assert [(one["annotator"], one["category"]) for one in listed] == [
        (second.json["annotator"].removesuffix("#2"), "GI")
    ]
    assert listed[0]["amendments_since"] == [made.json["uuid"]]
    runs = casespan("list", project, "--json").json["runs"]
    assert [run["settings"]["guidelines"]["GI"] for run in runs] == [
        made.json["before_sha256"],
        made.json["after_sha256"],
    ]
    refused = casespan("undo", project)
    assert (refused.code, "--past-runs" in refused.err) == (2, True)
    assert casespan("undo", project, "--past-runs").code == 0
    assert casespan("amend", project, "--list", "--json").json == []
    assert casespan("check", project).code == 0


def test_a_decision_is_shown_then_adopted(casespan: Casespan, study: Path) -> None:
    item = casespan("queue", study, *SIDES, "--json").json[0]
    difference = item["differences"][0]["id"]
    assert (
        casespan("resolve", study, "--id", difference, *SIDES, "--take", "left", "--by", "Dr Ruiz").code == 0
    )
    shown = casespan("amend", study, "--from-decision", difference, "--dry-run")
    assert shown.out.startswith(
        f"Would amend the guideline of {item['category']}:\n  Include: Passages such as"
    )
    assert casespan("amend", study, "--list").out == "No guideline was amended yet.\n"
    draft = casespan("amend", study, "--from-decision", difference, "--dry-run", "--json").json
    made = casespan("amend", study, "--from-decision", difference, "--by", "Dr Ruiz", "--json").json
    assert (made["clause"], made["decision"]) == (draft["clause"], draft["decision"])
    listed = casespan("amend", study, "--list").out
    assert made["clause"] in listed
    outdated = casespan("amend", study, "--outdated", "--category", item["category"])
    assert "annotator-1" in outdated.out
    other = "GU" if item["category"] != "GU" else "GI"
    assert "No report" in casespan("amend", study, "--outdated", "--category", other).out
    again = casespan("amend", study, "--from-decision", difference, "--by", "Dr Ruiz")
    assert (again.code, "already" in again.err) == (2, True)


def test_a_call_that_makes_no_sense_says_why_in_a_sentence(casespan: Casespan, project: Path) -> None:
    for more, why in (
        ((), "Say what to add"),
        (("--category", "GI", "--clause", "x"), "needs a --section"),
        (("--category", "GI", "--section", "include"), "Say what to add"),
        (("--category", "GI", "--section", "include", "--clause", "x", "--quote", "y"), "--example"),
        (("--category", "GI", "--example", "a b", "--quote", "a", "--nothing", "b", "--by", "A"), "not both"),
        (
            ("--category", "GI", "--section", "exclude", "--clause", "c", "--nothing", "b", "--by", "A"),
            "go with --example",
        ),
        (("--category", "GI", "--section", "include", "--clause", "# x", "--by", "A"), "cannot begin"),
        (("--category", "GI", "--section", "include", "--clause", "x"), "--by NAME"),
        (("--category", "Toes", "--section", "include", "--clause", "x", "--by", "A"), "no category"),
        (("--from-decision", "x", "--category", "GI"), "leave the other options out"),
        (("--from-decision", "x"), "no decision"),
    ):
        outcome = casespan("amend", project, *more)
        assert (outcome.code, outcome.out) == (2, ""), more
        assert why in outcome.err
        assert outcome.err.count("\n") == 1
    assert (
        casespan("amend", project, "--outdated").out == "No report was worked on under an older guideline.\n"
    )
