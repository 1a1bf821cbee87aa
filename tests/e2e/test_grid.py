"""`casespan grid`: runs its cells or takes those there are, and compares them with a reference."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.conftest import SAMPLES, Casespan, Outcome
from tests.e2e.models import CATEGORIES, LETTER, MODEL, good, on, quoting, shown
from tests.scripted_behaviours import cuts, fails, lacks_model
from tests.scripted_ollama import ScriptedOllama

GOLD = ("--against", "gold")
OTHER = replace(MODEL, name="other:latest", digest="f" * 64)
TINY_CONTEXT = replace(MODEL, name="cramped:latest", context=1024)


@pytest.fixture
def project(casespan: Casespan, project: Path, tmp_path: Path) -> Path:
    """Two reports, of which a reference has looked at one."""
    _import_gold(casespan, project, tmp_path / "gold.json", LETTER)
    return project


def _import_gold(casespan: Casespan, project: Path, file: Path, *reports: str) -> None:
    gold = json.loads((SAMPLES / "annotations" / "gold.json").read_text(encoding="utf-8"))
    file.write_text(json.dumps([entry for entry in gold if entry["pmcid"] in reports]), encoding="utf-8")
    assert casespan("import", project, file, "--format", "crb", "--annotator", "gold").code == 0


def _grid(casespan: Casespan, project: Path, *arguments: object) -> Outcome:
    return casespan("grid", project, *GOLD, *arguments, "--json")


def test_every_cell_is_run_once_on_the_reports_of_the_reference(casespan: Casespan, project: Path) -> None:
    with ScriptedOllama(answer=quoting, models=[MODEL, OTHER]) as server:
        promptings = ("--prompting", "zero-shot", "--prompting", "few-shot")
        cells = on(server, "--model", "other", "--strategy", "ugp", *promptings)
        first = _grid(casespan, project, *cells)
        assert first.code == 0, first.out + first.err
        assert len(server.calls) == 4
        assert all("HGD gene" in shown(call.body) for call in server.calls)
        again = _grid(casespan, project, *cells)
        assert len(server.calls) == 4
        assert casespan("extract", project, "--with", "rules").code == 0
        made = _grid(casespan, project, *cells)
    assert again.json == first.json == made.json
    # Without a server all runs that there are, but for what they are held against.
    held = casespan("grid", project, "--against", "rules", "--json").json["runs"]
    assert [run["run"] for run in held] == [run["run"] for run in first.json["runs"]]
    assert first.json["documents"] == 1
    assert first.json["left_out"] == []
    runs = {run["run"]: run for run in first.json["runs"]}
    assert list(runs) == [
        f"{model}/ugp/{prompting}" for model in ("tiny", "other") for prompting in ("zero-shot", "few-shot")
    ]
    assert [run["calls"] for run in runs.values()] == [1] * 4
    for run in runs.values():
        assert run["reports"] == 1
        assert run["missing"] == run["failed"] == run["incomplete"] == run["ungrounded"] == 0
        assert 0 < run["tsr"] < 100
        assert run["grounded"] == 1
        assert run["tokens_in"] > run["tokens_out"] > 0


def test_runs_of_extract_are_taken_and_the_strategies_that_lack_are_run(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    # Of both reports: what was asked of the one that is not compared counts nowhere.
    casespan("extract", project, *on(server))
    calls = len(server.calls)
    outcome = _grid(casespan, project, *on(server, "--strategy", "all"))
    assert outcome.code == 0
    assert {run["strategy"] for run in outcome.json["runs"]} == {"fcsp", "ucp", "ugp"}
    # The letter has one section for everything: what fcsp would show is what ucp has shown already.
    assert len(server.calls) == calls + 1
    rows = {run["strategy"]: run for run in outcome.json["runs"]}
    assert [rows[strategy]["calls"] for strategy in ("fcsp", "ucp", "ugp")] == [CATEGORIES, CATEGORIES, 1]
    assert rows["fcsp"]["tsr"] == rows["ucp"]["tsr"]
    assert [rows[strategy]["equal_to"] for strategy in ("fcsp", "ucp", "ugp")] == [
        "tiny/ucp/few-shot",
        "",
        "",
    ]
    table = casespan("grid", project, *GOLD)
    assert "FCSP few-shot =" in table.out
    assert "same prompts as tiny/ucp/few-shot" in " ".join(table.out.split())


@pytest.mark.parametrize("lacking", ["absent", "cramped"])
def test_a_model_that_cannot_be_run_is_left_out_with_a_sentence(
    casespan: Casespan, project: Path, lacking: str
) -> None:
    with ScriptedOllama(answer=quoting, models=[MODEL, TINY_CONTEXT]) as server:
        outcome = _grid(casespan, project, "--model", lacking, *on(server))
    assert outcome.code == 1
    (sentence,) = outcome.json["left_out"]
    assert sentence.endswith(".")
    assert lacking in sentence
    assert [run["run"] for run in outcome.json["runs"]] == ["tiny/ucp/few-shot"]
    assert outcome.json["runs"][0]["calls"] == CATEGORIES


def test_what_a_run_lacks_is_told_then_and_later_without_a_server(
    casespan: Casespan, project: Path, server: ScriptedOllama, tmp_path: Path
) -> None:
    _import_gold(casespan, project, tmp_path / "more.json", "late-onset-pompe")
    server.script(*[good] * CATEGORIES, fails(500, "crashed"), good, lacks_model())
    then = _grid(casespan, project, *on(server))
    later = _grid(casespan, project)
    assert then.code == later.code == 1
    assert len(then.json["left_out"]) == 1
    for outcome in (then, later):
        (run,) = outcome.json["runs"]
        assert (run["calls"], run["failed"]) == (CATEGORIES + 3, 2)
        assert run["missing"] == CATEGORIES - 3
        assert run["warning"].endswith(".")
    resumed = _grid(casespan, project, *on(server, "--resume"))
    assert resumed.code == 0
    assert resumed.json["runs"][0]["missing"] == 0


def test_reports_that_a_stopped_run_never_began_are_missing(
    casespan: Casespan, project: Path, server: ScriptedOllama, tmp_path: Path
) -> None:
    _import_gold(casespan, project, tmp_path / "more.json", "late-onset-pompe")
    server.script(good, cuts('{"vitals"'), lacks_model())
    for arguments in (on(server), ()):
        outcome = _grid(casespan, project, *arguments)
        assert outcome.code == 1
        (run,) = outcome.json["runs"]
        assert (run["calls"], run["incomplete"], run["missing"]) == (3, 1, 2 * CATEGORIES - 3)


def test_the_grid_is_written_as_table_csv_and_page(
    casespan: Casespan, project: Path, server: ScriptedOllama, tmp_path: Path
) -> None:
    cells = on(server, "--strategy", "ugp")
    table = casespan("grid", project, *GOLD, *cells)
    assert table.code == 0, table.err
    assert "UGP few-shot" in table.out
    assert "CVS" not in table.out
    per_category = casespan("grid", project, *GOLD, "--per-category").out
    assert "CVS" in per_category
    page, file = tmp_path / "grid.html", tmp_path / "grid.csv"
    assert casespan("grid", project, *GOLD, "--html", page, "--per-category").code == 0
    assert "UGP few-shot" in page.read_text(encoding="utf-8")
    assert casespan("grid", project, *GOLD, "--csv", file, "--per-category").code == 0
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["category"] for row in rows][:3] == ["average", "Vitals_Hema", "Neuro"]
    assert {row["run"] for row in rows} == {"tiny/ugp/few-shot"}
    assert len(rows) == 1 + CATEGORIES
    categories = _grid(casespan, project, "--per-category").json["runs"][0]["categories"]
    assert len(categories) == CATEGORIES


def test_a_reference_that_has_looked_at_nothing_or_is_not_there_is_refused(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    nothing = casespan("grid", project, *GOLD, *on(server, "--document", "late-onset-pompe"))
    unknown = casespan("grid", project, "--against", "nobody", *on(server))
    assert nothing.code == unknown.code == 2
    assert "nobody" in unknown.err
    assert server.calls == []
