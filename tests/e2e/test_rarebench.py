"""RareBench as a study: cases become items, the ranker and replies in words are scored by rank."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import lines
from tests.e2e.conftest import Casespan

_CASES = (
    {
        "id": "A",
        "set": "S",
        "present": ["HP:0001166", "HP:0001083", "HP:0002616"],
        "diagnoses": ["OMIM:154700", "OMIM:999998"],
    },
    {
        "id": "B",
        "set": "R",
        "present": ["HP:0000510", "HP:0001513", "HP:0010442"],
        "diagnoses": ["OMIM:615981"],
    },
    {"id": "C", "present": ["HP:0001250"], "diagnoses": ["OMIM:999999"]},
    {"id": "D", "present": ["HP:0001250"]},
)


@pytest.fixture
def project(casespan: Casespan, tmp_path: Path) -> Path:
    path = tmp_path / "p.casespan"
    assert casespan("new", path, "--annotator", "Ana").code == 0
    return path


def test_t4_counts_ranks_of_the_ranker_and_of_replies(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    cases = lines(tmp_path / "cases.jsonl", *_CASES)
    built = casespan("study", "build", project, "rarebench", "--task", "t4", "--from", cases, "--json").json
    assert (built["items"], built["sources"][0]["rows"]) == (2, 4)
    assert built["left_out"] == {"the knowledge has no such diagnosis": 1, "no diagnosis": 1}
    # A case of which no diagnosis is known has no further ones.
    assert built["details"]["cases_with_further_unknown_diagnoses"] == 1
    assert casespan("study", "run", project, "rarebench", "--with", "ranker", "--name", "ours").code == 0
    replies = lines(
        tmp_path / "replies.jsonl",
        {"item": "A", "reply": "1. Loeys-Dietz syndrome 1\n2. **Marfan's syndrome**\n3. Marfan syndrome"},
        {"item": "B", "reply": "1. Bardet-Biedl syndrome 1\n2. Alstrom syndrome"},
    )
    run = ("study", "run", project, "rarebench", "--replay", replies, "--name", "theirs")
    assert casespan(*run).code == 0
    scores = casespan("study", "score", project, "rarebench", "--by", "set", "--json").json
    theirs, ours = scores["runs"]["theirs"], scores["runs"]["ours"]
    assert [theirs[one] for one in ("hit@1", "hit@3", "hit@10", "mrr")] == [0, 0.5, 0.5, 0.25]
    assert (theirs["median_rank"], theirs["median_rank_full"]) == (6.5, None)
    assert ours["hit@10"] == 1
    assert ours["median_rank_full"] == ours["median_rank"]
    assert "T4" in scores["tables"]
    assert "T3" not in scores["tables"]
    out = tmp_path / "out.jsonl"
    assert casespan("study", "answers", project, "rarebench", "--run", "theirs", "--out", out).code == 0
    first, second = (json.loads(line) for line in out.read_text("utf-8").splitlines())
    assert first["scores"]["rank"] == 2
    assert first["matched"] == {"text": "Marfan's syndrome", "code": "OMIM:154700", "by": "name"}
    assert (second["scores"]["rank"], second["matched"]) == (None, None)
    assert casespan("study", "answers", project, "rarebench", "--run", "ours", "--out", out).code == 0
    known = [json.loads(line)["matched"] for line in out.read_text("utf-8").splitlines()]
    assert [one["code"] for one in known] == ["OMIM:154700", "OMIM:615981"]


def test_t3_ranks_the_candidates_alone(casespan: Casespan, project: Path, tmp_path: Path) -> None:
    cases = lines(tmp_path / "cases.jsonl", *_CASES[:2])
    candidates = tmp_path / "candidates.txt"
    candidates.write_text("Marfan syndrome\nOMIM:600151\n", encoding="utf-8")
    build = ("study", "build", project, "rarebench", "--task", "t3", "--from", cases)
    assert casespan(*build).code == 2
    none = tmp_path / "none.txt"
    assert casespan(*build, "--candidates", none).err == f"casespan: {none} is not there.\n"
    none.write_text("\n", encoding="utf-8")
    assert (
        casespan(*build, "--candidates", none).err == "casespan: none.txt names no disease to choose from.\n"
    )
    built = casespan(*build, "--candidates", candidates, "--json").json
    assert built["items"] == 1
    assert built["left_out"] == {"t3: the diagnosis is none of the candidates": 1}
    missing = casespan("study", "run", project, "rarebench", "--replay", tmp_path / "no.jsonl")
    assert (missing.code, missing.err) == (2, f"casespan: {tmp_path / 'no.jsonl'} is not there.\n")
    asked = casespan("study", "run", project, "rarebench", "--with", "ranker", "--prompting", "few-shot")
    assert (asked.code, asked.err) == (
        2,
        "casespan: --prompting few-shot is for models; ranker is not asked in words.\n",
    )
    assert casespan("study", "run", project, "rarebench", "--with", "ranker").code == 0
    [scores] = casespan("study", "score", project, "rarebench", "--json").json["runs"].values()
    assert (scores["hit@1"], scores["median_rank_full"]) == (1, 1)
    [item] = casespan("study", "items", project, "rarebench", "--prompts", "--json").json
    assert "Marfan syndrome\nBardet-Biedl syndrome 3" in item["prompt"]["user"]


def test_a_run_over_two_tasks_stands_in_the_tables_of_both(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    cases = lines(tmp_path / "cases.jsonl", *_CASES[:2])
    candidates = lines(tmp_path / "candidates.txt")
    candidates.write_text("Marfan syndrome\nOMIM:600151\n", encoding="utf-8")
    build = ("study", "build", project, "rarebench", "--task", "t3", "--task", "t4", "--from", cases)
    assert casespan(*build, "--candidates", candidates).code == 0
    assert casespan("study", "run", project, "rarebench", "--with", "ranker", "--name", "both").code == 0
    tables = casespan("study", "score", project, "rarebench", "--json").json["tables"]
    assert [(task, tables[task]["rows"][0][:2]) for task in ("T3", "T4")] == [
        ("T3", ["both", 1]),
        ("T4", ["both", 2]),
    ]
