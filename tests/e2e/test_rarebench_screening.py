"""RareBench's T2: whether a patient has one disease; every measure exact for planted replies."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.operations.study.items import item_of
from app.studies.rarebench.examples import make_vectors
from app.studies.rarebench.study import STUDY
from app.studies.results import Item
from app.studies.study import Job
from extractors.tasks.screening import YesNo
from tests.builders import lines
from tests.e2e.conftest import Casespan

MARFAN, BBS1, BBS2, BBS = "OMIM:154700", "OMIM:209900", "OMIM:615981", "Bardet-Biedl syndrome"
CASES = (
    {
        "id": "A",
        "present": ["HP:0001166", "HP:0001083", "HP:0002616"],
        "diagnoses": [MARFAN],
        "text": "A boy.",
    },
    {"id": "B", "present": ["HP:0000510", "HP:0001513", "HP:0010442"], "diagnoses": [BBS2]},
    {"id": "C", "present": ["HP:0001250"], "diagnoses": ["OMIM:999999"]},
    {"id": "D", "present": ["HP:0001250"]},
)


@pytest.fixture
def project(casespan: Casespan, tmp_path: Path) -> Path:
    path = tmp_path / "p.casespan"
    assert casespan("new", path, "--annotator", "Ana").code == 0
    lines(tmp_path / "cases.jsonl", *CASES)
    return path


def built(project: Path) -> tuple[str | Path, ...]:
    """What the command line says to build T2 of the cases."""
    cases = project.with_name("cases.jsonl")
    return "study", "build", project, "rarebench", "--task", "t2", "--from", cases, "--json"


def test_recall_stands_beside_what_always_yes_gets(casespan: Casespan, project: Path, tmp_path: Path) -> None:
    said = casespan(
        *built(project), "--disease", "Marfan syndrome", "--disease", BBS2, "--disease", BBS1
    ).json
    assert (said["items"], said["left_out"]) == (9, {"t2: no diagnosis": 1})
    replies = {
        f"A/{MARFAN}": "Yes, very likely.",
        f"B/{MARFAN}": "**No.**",
        f"C/{MARFAN}": "Ja",
        f"A/{BBS2}": "不是",
        f"B/{BBS2}": "It is unlikely that he has it.",
        f"C/{BBS2}": "Hard to say, I would need more tests.",
        f"A/{BBS1}": "Non",
        f"B/{BBS1}": '{"answer": "no"}',
        f"C/{BBS1}": "Answer: No",
    }
    file = lines(tmp_path / "r.jsonl", *({"item": item, "reply": said} for item, said in replies.items()))
    run = casespan("study", "run", project, "rarebench", "--replay", file, "--name", "theirs", "--json")
    assert (run.code, run.json["answered"]) == (1, 8)
    scores = casespan("study", "score", project, "rarebench", "--by", "disease", "--published", "--json").json
    theirs = scores["runs"]["theirs"]
    # One of two who have it is found; of seven who have not five are told so, one of them got no answer.
    assert (theirs["recall"], theirs["specificity"]) == (1 / 2, 5 / 7)
    assert theirs["balanced_accuracy"] == (1 / 2 + 5 / 7) / 2
    assert (theirs["always_yes"], theirs["unscored"]) == (2 / 9, 1)
    table = scores["tables"]["T2"]
    assert table["rows"][1] == ["always yes", None, 1, 0, 0.5]
    assert table["rows"][2][:3] == ["GPT-4, ALS (published)", 8, 0.625]
    only = scores["by"]["disease"]["Bardet-Biedl syndrome 1"]["theirs"]
    assert (only["recall"], only["why"]["recall"]) == (None, "There is nothing that could be found.")
    assert only["specificity"] == 1


def test_the_ranker_says_yes_by_a_stated_rule_and_a_type_belongs_to_its_disease(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    assert casespan(*built(project), "--disease", "no such disease").code == 2
    assert casespan(*built(project), "--disease", MARFAN, "--disease", BBS).code == 0
    items = casespan("study", "items", project, "rarebench", "--prompts", "--json").json
    having = {one["id"] for one in items if one["reference"]["has"]}
    assert len(having) == 2
    assert f"A/{MARFAN}" in having
    assert STUDY.cluster(item_of(items[0])) == "A"
    assert "May this patient have Marfan syndrome? Answer Yes or No" in items[0]["prompt"]["user"]
    run = casespan("study", "run", project, "rarebench", "--with", "ranker", "--json").json
    assert "first 10 with evidence above 0" in run["details"]["rule"]
    [scores] = casespan("study", "score", project, "rarebench", "--json").json["runs"].values()
    assert (scores["recall"], scores["balanced_accuracy"] > 0.5) == (1, True)


def test_no_vectors_are_made_for_a_task_that_shows_no_examples() -> None:
    settings = {"prompting": "dynamic", "walks": 2, "window": 1}
    assert next(make_vectors(Job(settings, 987, [Item("A/OMIM:154700", "t2", {})])), None) is None


def test_a_report_is_shown_between_marks_and_without_a_name_all_diagnoses_are_asked(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    said = casespan(*built(project), "--input", "text").json
    assert (said["items"], said["left_out"]) == (2, {"t2: no diagnosis": 1, "t2: no text": 2})
    assert "all 2 diagnoses" in said["notes"][0]
    [first, _] = casespan("study", "items", project, "rarebench", "--prompts", "--json").json
    assert first["prompt"]["user"].startswith("<report>\nA boy.\n</report>")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("1. **Yes**, because the findings fit.", "yes"),
        ("No.", "no"),
        ("Let me think. No fever is seen.\nFinal answer: yes", "yes"),
        ("<think>No.</think>Sí, es posible", "yes"),
        ("是的，可能", "yes"),
        ("没有", "no"),
        ("Нет", "no"),
        ("The findings are consistent with it.", "yes"),
        ("None of the findings suggests it.", "no"),
        ("No doubt it is that.", "yes"),
        ("It is possible, but unlikely.", None),
        ("It cannot be ruled out.", None),
        ("Yes or no", None),
        ("", None),
        ('{"answer": true}', "yes"),
        ('{"answer": false}', "no"),
    ],
)
def test_yes_and_no_are_read_as_far_as_they_are_clear(reply: str, said: str | None) -> None:
    read = YesNo().read(reply)
    assert (read.complete, read.value) == (said is not None, said)
