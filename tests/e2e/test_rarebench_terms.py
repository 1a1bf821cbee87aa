"""RareBench's T1: terms of a text, its entities, terms of given entities; exact for planted replies."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.studies.rarebench.t1_scores import _of_entities
from tests.builders import lines
from tests.e2e.conftest import Casespan
from tests.e2e.models import MODEL, on
from tests.scripted_ollama import ScriptedOllama

LONG, LENS, AORTA, SEIZURE, SPINE = "HP:0001166", "HP:0001083", "HP:0002616", "HP:0001250", "HP:0002650"
CASES = (
    {
        "id": "A",
        "text": "The boy has long fingers and a dislocated lens. There are no seizures.",
        "present": [LONG, LENS, "HP:0000006"],
        "excluded": [SEIZURE],
        "entities": [{"text": "long fingers", "hpo_id": LONG}, {"text": "dislocated lens", "hpo_id": LENS}],
    },
    {
        "id": "B",
        "text": "She had epilepsy with absences and a curved spine.",
        "present": [SEIZURE, SPINE],
        "entities": [
            {"text": "epilepsy with absences", "hpo_id": SEIZURE},
            {"text": "curved spine", "hpo_id": SPINE},
        ],
    },
    {"id": "C", "text": "He is well.", "present": ["HP:9999999"]},
    {"id": "D", "present": [LONG]},
)


@pytest.fixture
def project(casespan: Casespan, tmp_path: Path) -> Path:
    path = tmp_path / "p.casespan"
    assert casespan("new", path, "--annotator", "Ana").code == 0
    lines(tmp_path / "cases.jsonl", *CASES)
    return path


def built(casespan: Casespan, project: Path, level: str) -> Any:  # noqa: ANN401 (the command's JSON)
    cases = project.with_name("cases.jsonl")
    build = ("study", "build", project, "rarebench", "--task", "t1", "--level", level)
    return casespan(*build, "--from", cases, "--json").json


@pytest.fixture
def scored(casespan: Casespan, project: Path) -> Callable[..., Any]:
    """Scores and answers of replies to the items of a level."""

    def score(level: str, **replies: str) -> tuple[Any, list[Any]]:
        file = lines(
            project.with_name(f"{level}.jsonl"),
            *({"item": item, "reply": reply} for item, reply in replies.items()),
        )
        run = ("study", "run", project, "rarebench", "--level", level, "--replay", file, "--name", level)
        details = casespan(*run, "--json").json["details"]
        asked = ("study", "score", project, "rarebench", "--run", level, "--json")
        out = project.with_name("out.jsonl")
        assert casespan("study", "answers", project, "rarebench", "--run", level, "--out", out).code == 0
        answers = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        return {**casespan(*asked).json["runs"][level], "details": details}, answers

    return score


def test_terms_of_a_text_count_by_id_and_a_denied_or_invented_one_never_as_right(
    casespan: Casespan, project: Path, scored: Callable[..., Any]
) -> None:
    said = built(casespan, project, "pte")
    assert said["items"] == 2
    assert said["left_out"] == {"t1: no term that is scored": 1, "t1: no text": 1}
    assert said["notes"] == ["1 finding unknown to this release, and not counted: HP:9999999."]
    assert said["details"]["aside"] == {"no phenotypic abnormality": 1, "no term of this release": 1}
    scores, answers = scored(
        "pte",
        A="1. HP:0001505\n2. HP:9999999 Bluish\n3. Seizure - denied\n4. Autosomal dominant inheritance",
        B='{"findings":[{"quote":"fits","term":"Focal-onset seizure"},{"quote":"x","term":"HP:0002650"}]}',
    )
    # A: 1 right, 1 wrong, 1 missed; B: 1 right, 1 wrong (one below the reference), 1 missed.
    assert [scores[one] for one in ("precision", "recall", "f1", "f1_mean")] == [0.5, 0.5, 0.5, 0.5]
    assert scores["precision_nearest"] == scores["recall_nearest"] == (1 + 1 + 0.5) / 4
    assert (scores["f1_nearest"], scores["f1_mean_nearest"]) == (0.625, (0.5 + 0.75) / 2)
    assert "hit@1" not in scores
    assert scores["details"] == {"unknown_terms": 1, "not_scored": 1, "mapped": 1}
    assert [one["code"] for one in answers[0]["matched"]] == [LONG, None, "HP:0000006"]
    assert (answers[0]["scores"]["unknown"], answers[0]["scores"]["aside"]) == (1, 1)
    assert (answers[0]["task"], answers[0]["item"]) == ("t1/pte", "A")


def test_entities_count_by_their_words_one_to_one(
    casespan: Casespan, project: Path, scored: Callable[..., Any]
) -> None:
    said = built(casespan, project, "gee")
    assert (said["items"], said["left_out"]) == (2, {"t1: no entities": 1, "t1: no text": 1})
    scores, answers = scored(
        "gee",
        A="1. long fingers\n2. the long fingers\n3. lens",
        B="- absences with epilepsy\n- curved spines",
    )
    # Words alike from 90 on: "lens" is within "dislocated lens", a second one has no entity left.
    assert [one["entity"] for one in answers[0]["matched"] if one["by"]] == [
        "long fingers",
        "dislocated lens",
    ]
    assert (scores["precision"], scores["recall"]) == (4 / 5, 1)
    (exactly,) = _of_entities(["absencesliq childhood"], ["absences in childhood"])["matched"]
    assert exactly["by"] == "words"
    assert scores["f1"] == 2 * 4 / 9
    assert scores["f1_mean"] == (0.8 + 1) / 2
    assert scores["f1_nearest"] is None
    assert scores["why"]["f1_nearest"] == "Entities are words, which have no relatives."


def test_given_entities_are_asked_in_order_and_an_answer_that_fails_misses_all(
    casespan: Casespan, project: Path, scored: Callable[..., Any]
) -> None:
    built(casespan, project, "ges")
    asked = casespan(
        "study", "items", project, "rarebench", "--prompts", "--prompting", "retrieval", "--json"
    ).json
    assert asked[0]["input"] == {"entities": ["long fingers", "dislocated lens"]}
    assert "<entities>\nlong fingers\ndislocated lens\n</entities>" in asked[0]["prompt"]["user"]
    assert f"{LENS} Ectopia lentis" in asked[0]["prompt"]["user"]
    scores, answers = scored(
        "ges", A="1. Ectopia lentis\n2. Ectopia lentis", B="I am not sure what is meant. Sorry."
    )
    assert [one["code"] for one in answers[0]["matched"]] == [LENS, LENS]
    assert [scores[one] for one in ("precision", "recall", "f1", "f1_mean")] == [
        1,
        1 / 4,
        0.4,
        (2 / 3 + 0) / 2,
    ]
    assert scores["unscored"] == 1


def test_levels_stand_side_by_side_and_the_rules_answer_all_of_them(
    casespan: Casespan, project: Path
) -> None:
    strange = {"text": "qwertyish", "hpo_id": LONG}
    other = {"id": "E", "text": "He is well.", "entities": [strange]}
    lines(project.with_name("cases.jsonl"), *CASES, other)
    for level in ("pte", "gee", "ges"):
        assert built(casespan, project, level)["by"]["task"] == {"t1": 3}
    run = casespan("study", "run", project, "rarebench", "--task", "t1", "--with", "rules", "--json")
    assert (run.code, run.json["answered"]) == (0, 9)
    out = project.with_name("answers.jsonl")
    of_rules = ("study", "answers", project, "rarebench", "--run", "rules/rarebench", "--out", out)
    assert casespan(*of_rules).code == 0
    last = json.loads(out.read_text("utf-8").splitlines()[-1])["value"]
    assert [(one["quote"], one["code"]) for one in last] == [("qwertyish", "")], "near no name is no term"
    scores = casespan(
        "study", "score", project, "rarebench", "--task", "t1", "--by", "level", "--published", "--json"
    )
    ours = {level: of["rules/rarebench"] for level, of in scores.json["by"]["level"].items()}
    assert set(ours) == {"pte", "gee", "ges"}
    assert all(of["recall"] > 0 for of in ours.values())
    table = scores.json["tables"]["T1"]
    assert table["columns"] == ["run", "n", "pte", "gee", "ges"]
    assert table["rows"][0][2:] == [ours[level]["f1"] for level in ("pte", "gee", "ges")]
    assert table["rows"][1] == ["GPT-4 (published)", None, 0.245, 0.649, 0.387]
    refused = casespan("study", "run", project, "rarebench", "--task", "t1", "--with", "ranker")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    asked = ("--prompts", "--prompting", "retrieval", "--label", "level=gee")
    choice = casespan("study", "items", project, "rarebench", *asked)
    assert (choice.code, choice.err.count("\n")) == (2, 1)


def test_a_model_is_asked_in_every_way_there_is_and_never_twice(casespan: Casespan, project: Path) -> None:
    for level in ("pte", "gee", "ges"):
        built(casespan, project, level)
    cases = project.with_name("cases.jsonl")
    lines(cases, {"id": "A", "present": [LONG], "text": "Long fingers.", "diagnoses": ["OMIM:154700"]})
    assert casespan("study", "build", project, "rarebench", "--task", "t2", "--from", cases).code == 0
    with ScriptedOllama(answer=lambda body: "Yes: [1, {", models=[MODEL]) as server:
        for prompting in ("zero-shot", "few-shot", "zero-shot-cot", "retrieval"):
            for level in ("pte", "gee", "ges"):
                run = ("study", "run", project, "rarebench", *on(server), "--level", level)
                before = len(server.calls)
                asked = casespan(*run, "--prompting", prompting, "--json")
                if (level, prompting) == ("gee", "retrieval"):
                    assert asked.code == 2
                    continue
                assert (asked.json["items"], len(server.calls) - before) == (2, 2)
                assert casespan(*run, "--prompting", prompting, "--json").json["calls"] == 0
        for prompting, room in (("zero-shot", 64), ("zero-shot-cot", 2048)):
            screened = casespan(
                "study",
                "run",
                project,
                "rarebench",
                *on(server),
                "--task",
                "t2",
                "--prompting",
                prompting,
                "--json",
            )
            assert (screened.code, screened.json["answered"]) == (0, 1)
            assert server.calls[-1].body["options"]["num_predict"] == room
        refused = casespan(
            "study", "run", project, "rarebench", *on(server), "--task", "t2", "--prompting", "few-shot"
        )
        assert (refused.code, refused.err.count("\n")) == (2, 1)


def test_a_text_alone_is_ranked_by_the_terms_that_the_rules_find_in_it(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    marfan = {"id": "A", "text": "She has arachnodactyly, ectopia lentis and no seizures."}
    cases = lines(tmp_path / "cases.jsonl", {**marfan, "diagnoses": ["OMIM:154700"]}, {"id": "B"})
    build = ("study", "build", project, "rarebench", "--input", "text", "--from", cases, "--json")
    built = casespan(*build)
    assert (built.code, built.json["items"]) == (1, 1)  # B could not be read
    assert casespan("study", "run", project, "rarebench", "--with", "ranker", "--json").json["answered"] == 1
    ranked = casespan("rank", cases, "--top", "1", "--json").json["cases"][0]["ranking"][0]["contributions"]
    assert {(one["hpo_id"], one["polarity"]) for one in ranked} == {
        ("HP:0001166", "present"),
        ("HP:0001083", "present"),
        ("HP:0001250", "negated"),
    }
