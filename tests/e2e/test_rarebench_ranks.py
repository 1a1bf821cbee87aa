"""T3 and T4 of RareBench: own papers, examples and their rules, corrections, judges, measures, exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.studies.rarebench.judging import rubric
from app.studies.results import Item, Row
from extractors.differential.embedding import Embedding, Walking, keep_embedding
from extractors.differential.ranking import shipped_ranker
from extractors.terminology.library import FOLDER
from tests.builders import lines
from tests.e2e.conftest import Casespan
from tests.scripted_behaviours import prompt_text
from tests.scripted_ollama import FakeModel, ScriptedOllama

MARFAN = ["HP:0001166", "HP:0001083", "HP:0002616"]
BARDET = ["HP:0000510", "HP:0001513", "HP:0010442"]
TIETZ = ["HP:0001100", "HP:0000635", "HP:0007894", "HP:0002227", "HP:0007513", "HP:0008527", "HP:0002226"]
# Names of ten diseases that are neither.
OTHERS = [
    "Phenylketonuria",
    "Wilson disease",
    "Fabry disease",
    "Gaucher disease",
    "Pompe disease",
    "Cystic fibrosis",
    "Huntington disease",
    "Menkes disease",
    "Alkaptonuria",
    "Canavan disease",
]


def case(name: str, present: list[str], code: str, **more: object) -> dict[str, Any]:
    return {"id": name, "present": present, "diagnoses": [code], **more}


def built(casespan: Casespan, tmp_path: Path, *cases: object, task: str = "t4", **more: object) -> Path:
    path = tmp_path / "p.casespan"
    assert casespan("new", path, "--annotator", "Ana").code == 0
    options = [word for name, value in more.items() for word in (f"--{name}", value)]
    source = lines(tmp_path / "cases.jsonl", *cases)
    done = casespan("study", "build", path, "rarebench", "--task", task, "--from", source, *options, "--json")
    assert done.code == 0, done.err
    return path


def replies(path: Path, **texts: list[str]) -> Path:
    numbered = {
        item: "\n".join(f"{place}. {name}" for place, name in enumerate(names, 1))
        for item, names in texts.items()
    }
    return lines(path, *({"item": item, "reply": reply} for item, reply in numbered.items()))


def scored(casespan: Casespan, project: Path, *options: object) -> dict[str, Any]:
    value: dict[str, Any] = casespan("study", "score", project, "rarebench", *options, "--json").json
    return value


def answers(casespan: Casespan, project: Path, run: str, out: Path) -> list[dict[str, Any]]:
    assert casespan("study", "answers", project, "rarebench", "--run", run, "--out", out).code == 0
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


def test_a_case_is_ranked_without_its_own_paper_and_with_it_in_two_columns(
    casespan: Casespan, tmp_path: Path
) -> None:
    project = built(casespan, tmp_path, case("A", TIETZ, "OMIM:103500", publications=["PMID:10851256"]))
    run = ("study", "run", project, "rarebench", "--with", "ranker", "--own-publication")
    assert casespan(*run, "both", "--name", "both").code == 0
    assert casespan(*run, "keep", "--name", "keep").code == 0
    [both] = answers(casespan, project, "both", tmp_path / "both.jsonl")
    assert both["scores"]["rank"] > 10
    assert both["scores"]["seen_rank"] == 1
    assert both["value"]["left_out"] == 7
    scores = scored(casespan, project)
    assert [scores["runs"]["both"][one] for one in ("hit@1", "hit@1_seen")] == [0, 1]
    assert (scores["runs"]["keep"]["hit@1"], scores["runs"]["keep"]["hit@1_seen"]) == (1, None)
    table = scores["tables"]["T4"]
    assert {"hit@1", "hit@1_seen", "median_rank_seen"} <= set(table["columns"])


def _pool(tmp_path: Path) -> Path:
    return lines(
        tmp_path / "pool.jsonl",
        case("itself", MARFAN, "OMIM:154700"),
        case("twin", MARFAN[::-1], "OMIM:154700"),
        case("paper", MARFAN[:2], "OMIM:261600", publications=["PMID:5"]),
        case("same", [*MARFAN[:2], "HP:0000545"], "OMIM:154700"),
        case("other", MARFAN[1:], "OMIM:277900"),
    )


@pytest.mark.parametrize(
    ("rule", "allowed", "rank"),
    [
        ("as-published", {"twin", "paper", "same", "other"}, 1),
        ("no-twins", {"same", "other"}, 2),
        ("no-same-disease", {"other"}, None),
    ],
)
def test_the_rule_of_the_pool_says_which_cases_are_examples(
    casespan: Casespan, tmp_path: Path, rule: str, allowed: set[str], rank: int | None
) -> None:
    project = built(casespan, tmp_path, case("itself", MARFAN, "OMIM:154700", publications=["PMID:5"]))
    pool = ("--pool", _pool(tmp_path), "--pool-rule", rule, "--shots", 9, "--prompting", "few-shot")
    said = replies(tmp_path / "r.jsonl", itself=["Marfan syndrome"])
    run = casespan("study", "run", project, "rarebench", "--replay", said, "--name", "r", *pool, "--json")
    assert run.json["details"]["examples"]["named"] == float("same" in allowed)
    [answer] = answers(casespan, project, "r", tmp_path / "a.jsonl")
    assert set(answer["value"]["examples"]) == allowed
    [item] = casespan("study", "items", project, "rarebench", "--prompts", *pool, "--json").json
    assert item["prompt"]["user"].count("Patient ") == 2 * len(allowed)
    neighbours = ("study", "run", project, "rarebench", "--with", "neighbours", "--name", "n", *pool[:4])
    assert casespan(*neighbours).code == 0
    [alone] = answers(casespan, project, "n", tmp_path / "n.jsonl")
    assert alone["scores"]["rank"] == rank
    scores = scored(casespan, project)
    [line] = [row for row in scores["tables"]["T4"]["rows"] if row[0] == "r: neighbours alone"]
    assert line[2] == scores["runs"]["n"]["hit@1"] == float(rank == 1)
    assert any("named the answer in an example; the neighbours alone" in note for note in scores["notes"])


def test_dynamic_examples_are_those_nearest_in_the_embedding_which_is_on_record(
    casespan: Casespan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    diseases = shipped_ranker().diseases
    # A dimension for each of two organs: the eye and the vessels.
    vectors = np.zeros((len(diseases.information), 2), np.float32)
    for code, axis in (("HP:0000510", 0), ("HP:0001083", 0), ("HP:0002616", 1), ("HP:0001166", 1)):
        vectors[diseases.terminology.row(code), axis] = 1
    keep_embedding(diseases, Walking(3, 2, seed=7), Embedding(vectors, {"sha256": "abc", "seconds": 61.0}))
    project = built(
        casespan,
        tmp_path,
        case("eye", ["HP:0000510"], "OMIM:615981"),
        case("lens", ["HP:0001083"], "OMIM:154700"),
        case("vessel", ["HP:0002616"], "OMIM:154700"),
        case("finger", ["HP:0001166"], "OMIM:154700"),
    )
    said = replies(
        tmp_path / "r.jsonl", **{name: ["Marfan syndrome"] for name in ("eye", "lens", "vessel", "finger")}
    )
    options = ("--prompting", "dynamic", "--walks", 3, "--window", 2, "--seed", 7, "--shots", 1)
    run = casespan("study", "run", project, "rarebench", "--replay", said, "--name", "d", *options, "--json")
    assert run.code == 0, run.err
    found = answers(casespan, project, "d", tmp_path / "a.jsonl")
    assert {one["item"]: one["value"]["examples"][0] for one in found} == {
        "eye": "lens",
        "lens": "eye",
        "vessel": "finger",
        "finger": "vessel",
    }
    assert {one["value"]["embedding"] for one in found} == {"abc"}
    assert run.json["details"]["examples"]["named"] == 0.5
    assert "The terms' vectors were made in 61 s and are kept." in run.json["notes"]
    assert casespan("study", "run", project, "rarebench", "--replay", said, *options[:3], 41).code == 2


def test_auto_cot_shows_an_example_of_each_cluster_with_the_models_own_reasoning(
    casespan: Casespan, tmp_path: Path
) -> None:
    project = built(
        casespan,
        tmp_path,
        case("A", MARFAN, "OMIM:154700"),
        case("B", [*MARFAN[:2], "HP:0000545"], "OMIM:154700"),
        case("C", BARDET, "OMIM:615981"),
        case("D", [*BARDET[:2], "HP:0000077"], "OMIM:615981"),
    )
    said = replies(tmp_path / "r.jsonl", A=["Marfan syndrome"], B=["Marfan syndrome"], C=["No"], D=["x"])
    with said.open("a", encoding="utf-8") as file:
        for name in "ABCD":
            file.write("\n" + json.dumps({"item": name, "task": "auto-cot", "reply": f"Because of {name}."}))
    options = ("--prompting", "auto-cot", "--shots", 2)
    run = casespan("study", "run", project, "rarebench", "--replay", said, "--name", "r", *options, "--json")
    assert run.json["details"]["examples"]["prompts"] == 3
    found = {one["item"]: one for one in answers(casespan, project, "r", tmp_path / "a.jsonl")}
    assert {one in "AB" for one in found["A"]["value"]["examples"]} == {True, False}
    assert "A" not in found["A"]["value"]["examples"]


def test_a_model_writes_the_reasoning_of_its_own_examples_once(casespan: Casespan, tmp_path: Path) -> None:
    project = built(
        casespan,
        tmp_path,
        case("A", MARFAN, "OMIM:154700"),
        case("B", [*MARFAN[:2], "HP:0000545"], "OMIM:154700"),
        case("C", BARDET, "OMIM:615981"),
    )

    def say(body: dict[str, Any]) -> str:
        reasons = "say in three to six sentences" in prompt_text(body)
        return "The findings fit." if reasons else "1. Marfan syndrome\n2. Bardet-Biedl syndrome 2"

    with ScriptedOllama(answer=say, models=[FakeModel("tiny", tokens=(), kinds=())]) as server:
        call = ("study", "run", project, "rarebench", "--model", "tiny", "--host", server.url)
        options = ("--prompting", "auto-cot", "--shots", 2, "--json")
        first = casespan(*call, *options)
        assert (first.code, first.json["answered"]) == (0, 3), first.err
        drafts = len(server.calls) - 3
        assert 0 < drafts <= 3
        assert all("The findings fit." in prompt_text(one.body) for one in server.calls[drafts:])
        again = casespan(*call, *options)
        assert (again.json["calls"], len(server.calls)) == (0, drafts + 3)
    # What it wrote for its own prompts is no run to be scored.
    assert len(scored(casespan, project)["runs"]) == 1


def test_a_correction_by_hand_holds_for_every_run(casespan: Casespan, tmp_path: Path) -> None:
    project = built(
        casespan, tmp_path, case("A", MARFAN, "OMIM:154700"), case("B", MARFAN[:2], "OMIM:154700")
    )
    first = replies(tmp_path / "1.jsonl", A=["Marfan syndrome", "Long-finger disease"], B=["Wilson disease"])
    second = replies(tmp_path / "2.jsonl", A=["Gout"], B=["long-finger disease", "Marfan syndrome"])
    for name, path in (("one", first), ("two", second)):
        run = ("study", "run", project, "rarebench", "--replay", path, "--name", name)
        assert casespan(*run).code == 0
    assert scored(casespan, project)["runs"]["two"]["mrr"] == 0.25
    rated = lines(tmp_path / "rated.jsonl", {"item": "A", "run": "one", "scores": {"rank": 2}})
    judge = ("study", "judge", project, "rarebench", "--rater", "Ana", "--from", rated)
    assert casespan(*judge).code == 0
    runs = scored(casespan, project)["runs"]
    assert (runs["one"]["mrr"], runs["two"]["mrr"]) == (0.25, 0.5)
    answer = answers(casespan, project, "two", tmp_path / "a.jsonl")[1]
    assert answer["matched"] == {"text": "long-finger disease", "code": "OMIM:154700", "by": "correction"}
    # 0 says that none of the names is the disease.
    none = lines(tmp_path / "none.jsonl", {"item": "B", "run": "two", "scores": {"rank": 0}})
    assert casespan(*judge[:-1], none).code == 0
    assert scored(casespan, project)["runs"]["two"]["mrr"] == 0


def test_a_judge_is_asked_in_both_orders_and_measured_by_a_labelled_sample(
    casespan: Casespan, tmp_path: Path
) -> None:
    project = built(casespan, tmp_path, *(case(name, MARFAN, "OMIM:154700") for name in "ABCD"))
    listed = ["Wilson disease", "Long-finger disease", "Gout"]
    said = replies(tmp_path / "r.jsonl", A=listed, B=listed, C=[*OTHERS[:3], "Marfan syndrome"], D=listed)
    assert casespan("study", "run", project, "rarebench", "--replay", said, "--name", "r").code == 0
    spoken = {"A": ("2", "2"), "B": ("2", "1"), "C": ("4", "1"), "D": ("No", '{"backward": 0}')}
    judged = lines(
        tmp_path / "judge.jsonl",
        *(
            {"item": item, "run": "r", "question": question, "reply": reply}
            for item, both in spoken.items()
            for question, reply in zip(("forward", "backward"), both, strict=True)
        ),
    )
    done = casespan("study", "judge", project, "rarebench", "--judge", "J", "--replay", judged, "--json")
    # B's orders part: what it says of B is nothing.
    assert (done.json["rated"], done.json["unscored"]) == (3, 1)
    rated = lines(
        tmp_path / "rated.jsonl",
        {"item": "D", "run": "r", "scores": {"rank": 2}},
        {"item": "C", "run": "r", "scores": {"rank": 4}},
    )
    assert casespan("study", "judge", project, "rarebench", "--rater", "Ana", "--from", rated).code == 0
    without, counted = scored(casespan, project), scored(casespan, project, "--judge", "J")
    # Ana's D teaches that the name is right, and so A and B are, too: names go before any judge.
    assert without["runs"]["r"]["hit@3"] == counted["runs"]["r"]["hit@3"] == 0.75
    assert "r: J says the same as Ana of 1 of 2 answers." in counted["notes"]
    assert any(note.startswith("r: J says the same as matching by names of ") for note in counted["notes"])


def test_what_a_judge_finds_counts_on_request_and_is_marked(casespan: Casespan, tmp_path: Path) -> None:
    project = built(casespan, tmp_path, case("A", MARFAN, "OMIM:154700"))
    said = replies(tmp_path / "r.jsonl", A=["Gout", "Long-finger disease"])
    assert casespan("study", "run", project, "rarebench", "--replay", said, "--name", "r").code == 0
    judged = lines(
        tmp_path / "judge.jsonl",
        {"item": "A", "run": "r", "question": "forward", "reply": "2"},
        {"item": "A", "run": "r", "question": "backward", "reply": "1."},
    )
    assert casespan("study", "judge", project, "rarebench", "--judge", "J", "--replay", judged).code == 0
    assert scored(casespan, project)["runs"]["r"]["hit@3"] == 0
    assert scored(casespan, project, "--judge", "J")["runs"]["r"]["hit@3"] == 1
    # What a person says of a name goes before what a judge says of it.
    rated = lines(tmp_path / "rated.jsonl", {"item": "A", "run": "r", "scores": {"rank": 0}})
    assert casespan("study", "judge", project, "rarebench", "--rater", "Ana", "--from", rated).code == 0
    assert scored(casespan, project, "--judge", "J")["runs"]["r"]["hit@3"] == 0


def test_ranks_are_measured_by_code_by_disease_and_by_group(casespan: Casespan, tmp_path: Path) -> None:
    project = built(
        casespan,
        tmp_path,
        case("A", MARFAN, "OMIM:154700", set="S"),
        case("B", MARFAN[:2], "OMIM:154700", set="S"),
        case("C", MARFAN[1:], "OMIM:154700", set="S"),
        case("D", BARDET, "OMIM:615981", set="T"),
    )
    said = replies(
        tmp_path / "r.jsonl",
        A=["Marfan's syndrome"],
        B=[*OTHERS[:3], "MFS"],
        C=[*OTHERS, "Marfan syndrome"],
        D=["Bardet-Biedl syndrome 3", "Bardet-Biedl syndrome", "BBS2"],
    )
    run = casespan("study", "run", project, "rarebench", "--replay", said, "--name", "r", "--json")
    assert run.json["notes"] == ["1 reply: The reply has 11 names; the first 10 count."]
    scores = scored(casespan, project, "--by", "set", "--by", "findings")
    own = scores["runs"]["r"]
    assert [own[f"hit@{most}"] for most in (1, 3, 10)] == [0.25, 0.5, 0.75]
    assert [own[f"hit@{most}_code"] for most in (1, 3, 10)] == [0.25, 0.5, 0.75]
    assert own["hit@1_macro"] == pytest.approx((1 / 3 + 0) / 2)
    assert own["hit@10_macro"] == pytest.approx((2 / 3 + 1) / 2)
    assert own["mrr"] == pytest.approx((1 + 1 / 4 + 0 + 1 / 2) / 4)
    assert (own["median_rank"], own["median_rank_full"]) == (3, None)
    assert scores["by"]["set"]["T"]["r"]["hit@3"] == 1
    [answer] = [one for one in answers(casespan, project, "r", tmp_path / "a.jsonl") if one["item"] == "D"]
    assert (answer["scores"]["rank"], answer["scores"]["code_rank"]) == (2, 3)
    assert answer["matched"]["by"] == "family"
    assert any("1 of 3 matches" in note for note in scores["notes"])


def test_t3_takes_any_list_and_keeps_rare_and_common_apart(casespan: Casespan, tmp_path: Path) -> None:
    listed = tmp_path / "candidates.txt"
    listed.write_text(
        "OMIM:154700\nPneumonia\nGastric ulcer\tcommon\nBroken heart\trare\nvEDS\n", encoding="utf-8"
    )
    project = built(
        casespan,
        tmp_path,
        case("A", MARFAN, "OMIM:154700"),
        case("B", BARDET, "Pneumonia"),
        case("C", BARDET, "Appendicitis"),
        task="t3",
        candidates=listed,
    )
    said = replies(tmp_path / "r.jsonl", A=["Pneumonia", "Marfan syndrome"], B=["Gastric ulcer", "Pnuemonia"])
    assert casespan("study", "run", project, "rarebench", "--replay", said, "--name", "r").code == 0
    assert casespan("study", "run", project, "rarebench", "--with", "ranker", "--name", "k").code == 0
    item = casespan("study", "items", project, "rarebench", "--json").json[0]
    assert item["input"]["candidates"][-1] == "Ehlers-Danlos syndrome, Vascular type"
    scores = scored(casespan, project)
    assert (scores["runs"]["r"]["n"], scores["runs"]["r"]["hit@3"], scores["runs"]["r"]["hit@1"]) == (2, 1, 0)
    groups = {(row[0], row[1]): row[3] for row in scores["tables"]["T3 groups"]["rows"]}
    assert groups == {("common", "k"): 0, ("common", "r"): 0, ("rare", "k"): 1, ("rare", "r"): 0}


def test_a_build_that_leaves_everything_out_says_so(casespan: Casespan, tmp_path: Path) -> None:
    project = built(casespan, tmp_path, case("A", MARFAN, "OMIM:154700"))
    source = ("--from", tmp_path / "cases.jsonl")
    done = casespan("study", "build", project, "rarebench", *source, "--input", "text")
    assert (done.code, "Nothing was built" in done.out, "left out: 1  no text" in done.out) == (1, True, True)


def test_a_judge_of_the_list_turned_round_is_asked_for_the_last_line_that_is_right() -> None:
    item = Item("A", "t4", {}, {"names": ["Marfan syndrome"], "diagnoses": []}, {}, [])
    asked = rubric(item)
    assert asked is not None
    assert asked.prompt is not None
    row = Row(item, ["Marfan", "Gout", "MFS"])
    said = {order: asked.prompt(item, row, [order])[1] for order in ("forward", "backward")}
    assert "the first such line" in said["forward"]
    assert "1. Marfan" in said["forward"]
    assert "the last such line" in said["backward"]
    assert "3. Marfan" in said["backward"]


def test_a_model_writes_no_reasoning_for_a_task_that_is_not_asked_so_or_not_now(
    casespan: Casespan, tmp_path: Path
) -> None:
    project = built(
        casespan,
        tmp_path,
        case("A", MARFAN, "OMIM:154700"),
        case("B", [*MARFAN[:2], "HP:0000545"], "OMIM:154700"),
    )
    build = ("study", "build", project, "rarebench", "--from")
    asked = ("--task", "t2", "--disease", "OMIM:154700")
    assert casespan(*build, tmp_path / "cases.jsonl", *asked).code == 0
    others = case("C", BARDET, "OMIM:615981"), case("D", [*BARDET[:2], "HP:0000077"], "OMIM:615981")
    (tmp_path / "candidates.txt").write_text("OMIM:154700\nOMIM:615981\n", encoding="utf-8")
    chosen = ("--task", "t3", "--candidates", tmp_path / "candidates.txt")
    assert casespan(*build, lines(tmp_path / "others.jsonl", *others), *chosen).code == 0
    with ScriptedOllama(models=[FakeModel("tiny", tokens=(), kinds=())]) as server:
        call = ("study", "run", project, "rarebench", "--model", "tiny", "--host", server.url)
        refused = casespan(*call, "--task", "t2", "--prompting", "auto-cot")
        assert (refused.code, len(server.calls)) == (2, 0)
        assert "t2 is asked by zero-shot, zero-shot-cot, not by auto-cot" in refused.err
        casespan(*call, "--task", "t4", "--prompting", "auto-cot", "--shots", 1)
        reasons = [one for one in server.calls if "say in three to six sentences" in prompt_text(one.body)]
        assert len(reasons) == 2
