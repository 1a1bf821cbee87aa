"""Runs with a model on a scripted server: every strategy, what is recorded, repeated and taken up again."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.conftest import Casespan
from tests.e2e.models import (
    CATEGORIES,
    LETTER,
    MODEL,
    NOTHING,
    ONE_CALL,
    ledger,
    new_project,
    on,
    quoting,
    recorded,
    review_states,
    shown,
)
from tests.scripted_behaviours import fails, lacks_model, replies, sorts_keys, thinks
from tests.scripted_ollama import FakeModel, ScriptedOllama

RUN = "tiny/ucp/few-shot"
THINKER = replace(MODEL, capabilities=("completion", "thinking"))


@pytest.mark.parametrize("prompting", ["zero-shot", "few-shot", "zero-shot-cot"])
@pytest.mark.parametrize("strategy", ["fcsp", "ucp", "ugp"])
def test_every_strategy_and_prompting_finds_quotes_or_says_nothing(
    casespan: Casespan, project: Path, server: ScriptedOllama, strategy: str, prompting: str
) -> None:
    chosen = ("--strategy", strategy, "--prompting", prompting, "--document", LETTER, "--json")
    outcome = casespan("extract", project, *on(server, *chosen))
    assert outcome.code == 0, outcome.out + outcome.err
    result = outcome.json
    assert result["annotator"] == f"tiny/{strategy}/{prompting}"
    assert result["calls"] == {"done": len(server.calls), "missing": 0}
    assert set(result["groundings"]) == {"exact"}
    quotes = sum(result["findings"].values())
    assert quotes + result["nothing_found"] == CATEGORIES
    assert review_states(casespan, project) == ["done"]
    assert casespan("check", project).code == 0


def test_the_same_command_again_asks_nothing_and_adds_nothing(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    first = casespan("extract", project, *on(server, "--json")).json
    before, calls = casespan("list", project, "--json").json, len(server.calls)
    again = casespan("extract", project, *on(server, "--json"))
    assert again.code == 0
    assert again.json["made"] == 0
    assert {**again.json, "made": 0} == {**first, "made": 0}
    assert len(server.calls) == calls
    assert casespan("list", project, "--json").json == before


def test_a_new_run_is_another_annotator(casespan: Casespan, project: Path, server: ScriptedOllama) -> None:
    casespan("extract", project, *on(server, *ONE_CALL))
    again = casespan("extract", project, *on(server, *ONE_CALL, "--new-run")).json
    assert again["annotator"] == f"{RUN}#2"


def test_reports_imported_later_are_added_to_the_run(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    casespan("extract", project, *on(server, "--document", LETTER))
    result = casespan("extract", project, *on(server, "--json")).json
    assert result["made"] == CATEGORIES
    assert result["planned"] == 2 * CATEGORIES
    assert ledger(casespan, project)["calls"] == {"done": 2 * CATEGORIES}


def test_a_run_records_what_it_was_made_with(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    casespan("extract", project, *on(server, "--category", "GI", "--seed", 7))
    settings = ledger(casespan, project)["settings"]
    assert settings["digest"] == MODEL.digest
    assert settings["quantisation"] == MODEL.quantisation
    assert settings["server"] == "0.24.0"
    assert settings["host"] == server.url
    assert settings["options"]["seed"] == 7
    assert settings["options"]["temperature"] == 0
    assert re.fullmatch("[0-9a-f]{64}", settings["prompts_sha256"])
    for call in server.calls:
        sent = call.body["options"]
        assert settings["options"].items() <= sent.items()
        assert sent["num_ctx"] == settings["num_ctx"]
        assert sent["num_predict"] > 0
        assert call.body["truncate"] is False
        assert call.body["shift"] is False


@pytest.mark.parametrize(
    "other",
    [
        ("--seed", 2),
        ("--think",),
        ("--context", 8192),
        ("--prompting", "zero-shot"),
    ],
)
def test_other_settings_make_another_run(
    casespan: Casespan, project: Path, other: tuple[object, ...]
) -> None:
    with ScriptedOllama(answer=quoting, models=[THINKER]) as server:
        first = casespan("extract", project, *on(server, *ONE_CALL)).json
        second = casespan("extract", project, *on(server, *ONE_CALL, *other)).json
        assert second["made"] == 1
        assert second["annotator"] != first["annotator"]
        assert casespan("extract", project, *on(server, *ONE_CALL, *other)).json["made"] == 0


@pytest.mark.parametrize(
    "other", [replace(MODEL, digest="e" * 64), replace(MODEL, remote_host="https://example.org:443")]
)
def test_another_model_under_the_same_name_makes_another_run(
    casespan: Casespan, project: Path, server: ScriptedOllama, other: FakeModel
) -> None:
    casespan("extract", project, *on(server, *ONE_CALL))
    server.models[MODEL.name] = other
    second = casespan("extract", project, *on(server, *ONE_CALL, "--allow-remote")).json
    assert (second["annotator"], second["made"]) == (f"{RUN}#2", 1)


def test_which_categories_one_prompt_asks_for_makes_another_run(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    narrow = ("--strategy", "ugp", "--document", LETTER, "--json")
    two = ("--category", "GI", "--category", "CVS")
    assert casespan("extract", project, *on(server, *narrow)).json["annotator"] == "tiny/ugp/few-shot"
    assert casespan("extract", project, *on(server, *narrow, *two)).json["annotator"] == "tiny/ugp/few-shot#2"
    assert casespan("extract", project, *on(server, *narrow, *two)).json["made"] == 0


@pytest.mark.parametrize("names", [("tiny", "tiny:latest"), ("tiny:latest", "tiny")])
def test_a_model_with_and_without_its_usual_tag_is_one_run(
    casespan: Casespan, project: Path, server: ScriptedOllama, names: tuple[str, str]
) -> None:
    for made, name in enumerate(reversed(names)):
        result = casespan("extract", project, "--model", name, "--host", server.url, *ONE_CALL).json
        assert (result["annotator"], result["made"]) == (RUN, 1 - made)


def test_each_answer_names_the_server_that_gave_it(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    server.script(replies(), lacks_model())
    narrow = ("--document", LETTER, "--category", "GI", "--category", "CVS")
    assert casespan("extract", project, *on(server, *narrow)).code == 1
    with ScriptedOllama(answer=quoting, models=[MODEL], version="0.25.1") as other:
        assert casespan("extract", project, *on(other, *narrow, "--resume")).code == 0
        first, _, last = recorded(project)
        assert (first.details["host"], first.details["server"]) == (server.url, "0.24.0")
        assert (last.details["host"], last.details["server"]) == (other.url, "0.25.1")


def test_a_review_is_open_while_another_category_of_its_report_has_failed(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    narrow = ("--document", LETTER)
    server.script(fails(500, "crashed"), fails(500, "crashed"))
    casespan("extract", project, *on(server, *narrow, "--category", "GI", "--category", "CVS"))
    for category, state in (("CVS", "in progress"), ("RESP", "in progress"), ("GI", "done")):
        outcome = casespan("extract", project, *on(server, *narrow, "--category", category, "--resume"))
        assert outcome.code == 0
        assert review_states(casespan, project) == [state]


def test_a_category_without_a_section_is_recorded_and_counts_as_nothing_found(
    casespan: Casespan, tmp_path: Path, server: ScriptedOllama
) -> None:
    text = "Cardiac findings\n\nThe heart was enlarged.\n\nSkin\n\nThere was a red rash.\n"
    project = new_project(casespan, tmp_path / "heart.casespan", "heart", text)
    narrow = ("--strategy", "fcsp", "--category", "CVS", "--category", "RESP", "--category", "GU")
    outcome = casespan("extract", project, *on(server, *narrow, "--json"))
    assert outcome.code == 0, outcome.out + outcome.err
    assert outcome.json["planned"] == outcome.json["made"] == 1
    assert "red rash" not in shown(server.calls[0].body)
    assert outcome.json["unasked"] == outcome.json["nothing_found"] == 2
    assert review_states(casespan, project) == ["done"]
    unasked = {one.question for one in recorded(project) if "unasked" in one.details}
    assert unasked == {"RESP", "GU"}
    again = casespan("extract", project, *on(server, *narrow))
    assert again.code == 0
    assert len(recorded(project)) == 3
    assert casespan("check", project).code == 0


def test_keys_in_alphabetical_order_change_nothing(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    narrow = ("--document", LETTER, "--strategy", "ugp", "--prompting", "zero-shot-cot", "--json")
    expected = casespan("extract", project, *on(server, *narrow)).json
    server.script(sorts_keys())
    sorted_keys = casespan("extract", project, *on(server, *narrow, "--new-run")).json
    assert sorted_keys["findings"] == expected["findings"]
    assert sorted_keys["troubles"] == []


def test_what_a_model_thinks_is_kept(casespan: Casespan, project: Path) -> None:
    with ScriptedOllama(answer=quoting, models=[THINKER]) as server:
        casespan("extract", project, *on(server, *ONE_CALL))
        assert server.calls[-1].body["think"] is False
        server.script(thinks("Let me see.", NOTHING))
        assert casespan("extract", project, *on(server, *ONE_CALL, "--think")).code == 0
        assert server.calls[-1].body["think"] is True
        assert recorded(project)[-1].details["thinking"] == "Let me see."


def test_what_is_for_models_alone_is_refused_for_the_rules(casespan: Casespan, project: Path) -> None:
    outcome = casespan("extract", project, "--with", "rules", "--strategy", "ugp")
    assert outcome.code == 2
    assert "--strategy" in outcome.err


def test_a_run_is_recorded_and_played_again_without_its_server(
    casespan: Casespan, project: Path, server: ScriptedOllama, tmp_path: Path
) -> None:
    first = casespan("extract", project, *on(server, "--strategy", "fcsp", "--json")).json
    replies_file = tmp_path / "replies.jsonl"
    written = casespan(
        "export", project, replies_file, "--format", "replies", "--annotator", first["annotator"]
    )
    assert written.code == 0, written.err
    server.stop()
    longer = re.sub(r'"tokens_in": ?\d+', '"tokens_in": 9000', replies_file.read_text("utf-8"))
    replies_file.write_text(longer, "utf-8")
    played = casespan("extract", project, "--replay", replies_file, "--json")
    assert (played.code, "context was raised" in str(played.json["notes"])) == (0, False)
    assert played.json["annotator"] == first["annotator"] + "#2"
    assert played.json["findings"] == first["findings"]
    assert first["annotator"] in played.json["about"]
