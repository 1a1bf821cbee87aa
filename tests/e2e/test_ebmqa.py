"""The study of evidence questions: the small examination, models' replies, people, scores."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Casespan
from tests.scripted_behaviours import Call, fails, prompt_text, replies
from tests.scripted_ollama import FakeModel, ScriptedOllama

OWN = """source,relation,target,background,min,max,mid,n,m,reference
smoking,risk factor,lung cancer,adults,10,25,15,,,PMID:1
tea,risk factor,gout,adults,0.6,0.8,0.7,,,
coffee,risk factor,gout,adults,0.3,0.5,0.4,,,
beer,risk factor,gout,adults,1.3,1.9,1.6,,,
asthma,association,rhinitis,children,,,,90,100,PMID:2
asthma,association,fever,children,,,,9,3,
asthma,association,cough,children,,,,0,0,
asthma,fondness,cats,children,,,,1,3,
asthma,association,HP:9999999,children,,,,1,3,
"""


@pytest.fixture
def project(casespan: Casespan, tmp_path: Path) -> Path:
    path = tmp_path / "p.casespan"
    assert casespan("new", path, "--annotator", "Ana").code == 0
    return path


def lines(path: Path, values: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values), "utf-8")
    return path


def replied(
    casespan: Casespan, project: Path, path: Path, values: list[dict[str, Any]], *more: object
) -> Any:  # noqa: ANN401
    ran = casespan("study", "run", project, "ebmqa", "--replay", lines(path, values), *more, "--json")
    return ran.json["run"]


def test_the_small_examination_is_built_without_a_source_and_is_balanced(
    casespan: Casespan, project: Path
) -> None:
    built = casespan("study", "build", project, "ebmqa", "--json").json
    assert (built["items"], built["by"]["task"]["control"], len(built["by"]["type"])) == (600, 30, 13)
    assert built["sources"][0]["version"] == "2025-01-16"
    assert built["by"]["type"]["plr"] == 0
    assert built["details"]["types"]["plr"]
    items = casespan("study", "items", project, "ebmqa", "--json").json
    first = Counter(one["reference"]["correct"][0] for one in items[:300] if one["task"] == "numeric")
    assert max(first.values()) / first.total() - 1 / 3 < 0.06
    questions = Counter((one["input"]["question"], json.dumps(one["input"]["options"])) for one in items)
    assert max(questions.values()) == 1
    for task, found in built["details"]["guess"].items():
        of_task = [one["reference"]["guess"] for one in items if one["task"] == task]
        for line, value in found.items():
            assert value == pytest.approx(sum(one[line] for one in of_task) / len(of_task))
    guess = built["details"]["guess"]["numeric"]
    assert max(guess["majority"], guess["target_prior"], guess["both_priors"]) < 0.43


def test_rows_of_a_table_that_say_nothing_possible_are_left_out_and_counted(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own.csv"
    own.write_text(OWN, "utf-8")
    built = casespan("study", "build", project, "ebmqa", "--evidence", own, "--controls", "2", "--json").json
    assert (built["by"]["type"]["risk_factor"], built["by"]["type"]["association"]) == (4, 1)
    assert sorted(built["left_out"]) == [
        "own.csv: an unknown relation (fondness)",
        "own.csv: an unknown term (HP:9999999)",
        "own.csv: m is 0",
        "own.csv: n is more than m",
    ]
    items = casespan("study", "items", project, "ebmqa", "--json").json
    smoking = next(one for one in items if one["input"]["source"]["id"] == "smoking")
    assert [one["low"] for one in smoking["input"]["options"]] == [8.3, 1.0, 0.55, 0.0]
    assert (smoking["input"]["options"][0]["high"], smoking["reference"]["correct"]) == (None, ["A"])
    numbers = {"min": 10, "max": 25, "mid": 15, "n": None, "m": None}
    assert smoking["reference"]["evidence"] == [{"option": "A", **numbers, "references": ["PMID:1"]}]
    again = casespan("study", "build", project, "ebmqa", "--evidence", own, "--controls", "2", "--json").json
    assert again["added"] == 0


def test_replies_are_read_by_the_places_that_were_shown(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    casespan("study", "build", project, "ebmqa", "--kind", "numeric", "--count", "6")
    items = casespan("study", "items", project, "ebmqa", "--json").json
    said: list[dict[str, Any]] = [
        {"reply": '{"answer": "B"}'},
        {"reply": "A", "shown": ["C", "A", "B"]},
        {"reply": "**B**", "shown": ["C", "B", "A", "X"]},
        {"reply": "Don't know"},
        # A letter that stood nowhere: "I do not know" has its own.
        {"reply": "D", "shown": ["A", "B", "C", "X"]},
        {"reply": "X"},
    ]
    replies = [{"item": item["id"], **one} for item, one in zip(items, said, strict=True)]
    run = replied(casespan, project, tmp_path / "r.jsonl", replies)
    # Places that are none would give the reply another meaning.
    for shown in ("CAB", ["A", "A", "B"], ["A", "Q"]):
        path = lines(tmp_path / "wrong.jsonl", [{"item": items[0]["id"], "reply": "A", "shown": shown}])
        wrong = casespan("study", "run", project, "ebmqa", "--replay", path)
        assert (wrong.code, "each once" in wrong.err) == (2, True)
    out = tmp_path / "answers.jsonl"
    assert casespan("study", "answers", project, "ebmqa", "--run", run, "--out", out).code == 0
    answers = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [one["value"] for one in answers] == [["B"], ["C"], ["B"], ["X"], None, ["X"]]
    for task, number in (("numeric", 6), ("control", 0)):
        listed = ("study", "answers", project, "ebmqa", "--run", run, "--out", out)
        assert casespan(*listed, "--task", task).out.startswith(f"{number} answer")
    assert [one["error"] for one in answers] == [None, None, None, None, "invalid", None]
    assert answers[0]["shown"] == ["A", "B", "C", "X"]
    score = casespan("study", "score", project, "ebmqa", "--json").json["runs"][run]
    assert (score["n"], score["answered"], score["idk"], score["invalid"], score["unscored"]) == (
        6,
        3,
        2,
        1,
        1,
    )
    assert score["answer_rate"] == 0.5


@pytest.mark.parametrize(
    ("keys", "right", "said"),
    [("ABA", "A", "stands there twice"), ("ABC", "D", "none of its options"), ("ABCDEFG", "A", "7 options")],
)
def test_items_that_cannot_be_asked_are_refused(
    casespan: Casespan, project: Path, tmp_path: Path, keys: str, right: str, said: str
) -> None:
    options = [{"key": key, "text": key} for key in keys]
    item = {"id": "1", "task": "numeric", "input": {"question": "?", "options": options, "idk": "X"}}
    path = lines(tmp_path / "items.jsonl", [{**item, "reference": {"correct": [right]}}])
    refused = casespan("study", "import", project, "ebmqa", path)
    assert (refused.code, said in refused.err) == (2, True)


def test_bare_items_are_asked_and_scored_and_the_published_verdict_goes_by_the_published_test(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    options = [{"key": key, "text": key} for key in "AB"]
    given = {"question": "?", "options": options, "idk": "X"}
    items = [
        {"id": str(n), "task": "numeric", "input": given, "reference": {"correct": ["A"]}} for n in range(100)
    ]
    path = lines(tmp_path / "items.jsonl", items)
    assert casespan("study", "import", project, "ebmqa", path).code == 0
    # Where both answered the few are ahead; of everything that each answered they have less right.
    said = {"few": "A" * 2 + "B" * 6 + "X" * 32, "many": "B" * 8 + "A" * 32}
    for name, keys in said.items():
        replies = [{"item": str(n), "reply": key} for n, key in enumerate(keys)]
        replied(casespan, project, tmp_path / f"{name}.jsonl", replies, "--name", name)
    scored = casespan("study", "score", project, "ebmqa", "--profile", "paper", "--json").json
    (pair,) = (one for one in scored["pairs"] if not one["label"])
    assert (pair["differences"]["accuracy"]["value"], pair["odds_ratio"] < 1) == (0.25, True)
    assert any(note.startswith("many does better than few") for note in scored["notes"])
    assert scored["runs"]["few"]["above_guess"] is None


def test_orders_seeds_and_idk_are_told_apart(casespan: Casespan, project: Path, tmp_path: Path) -> None:
    casespan("study", "build", project, "ebmqa", "--kind", "numeric", "--count", "4")
    items = casespan("study", "items", project, "ebmqa", "--json").json
    asked = [
        {"item": item["id"], "order": order, "idk": idk, "reply": "A" if order else "B"}
        for item in items
        for order in (0, 1)
        for idk in (True, False)
    ]
    run = replied(casespan, project, tmp_path / "r.jsonl", asked, "--orders", "2", "--idk", "both")
    scores = casespan("study", "score", project, "ebmqa", "--json").json
    score = scores["runs"][run]
    assert (score["n"], score["items"], score["missing"], score["consistency"]) == (16, 4, 0, 0.0)
    assert score["accuracy"] is not None
    assert score["accuracy_without_idk"] is not None
    assert scores["tables"]["S3"]["columns"][:3] == ["left", "left_arm", "left_mean"]
    arms = {row[1] for row in scores["tables"]["S3"]["rows"]}
    assert arms == {"idk", "no idk"}


def test_people_answer_with_idk_first_and_then_guess(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    casespan("study", "build", project, "ebmqa", "--kind", "semantic", "--count", "2")
    person = ("study", "answer", project, "ebmqa", "--person", "Dr B")
    first = casespan(*person, "--next", "--json").json
    assert (first["round"], first["left"], "reference" in first) == (1, 2, False)
    assert casespan(*person, "--item", first["item"], "--value", '["X"]').code == 0
    second = casespan(*person, "--next", "--json").json
    assert "not a number above 0" in casespan(*person, "--count", 0, "--next").err
    sheet = tmp_path / "s.csv"
    sheet.write_text(f"item,value,seconds,guess\n{second['item']},A B,12,\n", "utf-8")
    assert casespan(*person, "--from", sheet).code == 0
    sheet.write_text(f"item,value,seconds,guess\n{second['item']},A B,12,A\n", "utf-8")
    known = casespan(*person, "--from", sheet)
    assert (known.code, "nothing is asked here in round 2" in known.err) == (2, True)
    guess = casespan(*person, "--next", "--json").json
    assert (guess["item"], guess["round"]) == (first["item"], 2)
    for value, said in (('["Q"]', "choose of"), ('["X"]', "asked for a guess")):
        refused = casespan(*person, "--item", guess["item"], "--value", value)
        assert (refused.code, said in refused.err) == (2, True)
    sheet.write_text(f"item,value\n{second['item']},A\n{second['item']},B\n", "utf-8")
    twice = casespan(*person, "--from", sheet)
    assert (twice.code, "answered above" in twice.err) == (2, True)
    assert casespan(*person, "--item", guess["item"], "--value", '["A"]').code == 0
    assert casespan(*person, "--next", "--json").json["item"] is None
    out = tmp_path / "open.jsonl"
    listed = ("study", "answers", project, "ebmqa", "--run", "Dr B", "--out", out)
    assert casespan(*listed).code == 0
    assert ("credit" in out.read_text("utf-8"), '"seconds": 12.0' in out.read_text("utf-8")) == (False, True)
    assert casespan(*person, "--close").code == 0
    assert casespan(*listed).code == 0
    assert "credit" in out.read_text("utf-8")
    assert casespan(*person, "--next").code == 2
    score = casespan("study", "score", project, "ebmqa", "--json").json["runs"]["Dr B"]
    assert (score["n"], score["answered"], score["idk"], score["answer_rate"]) == (2, 1, 1, 0.5)
    assert score["accuracy_without_idk"] is not None


@pytest.fixture
def server() -> Iterator[ScriptedOllama]:
    def choose(body: dict[str, Any]) -> str:
        several = body["format"]["properties"]["answer"]["type"] == "array"
        return json.dumps({"answer": ["A"] if several else "A"} if prompt_text(body) else {})

    model = FakeModel("tiny", tokens=(), kinds=())
    with ScriptedOllama(answer=choose, models=[model]) as started:
        yield started


def test_a_model_sits_the_examination_by_one_command(
    casespan: Casespan, project: Path, tmp_path: Path, server: ScriptedOllama
) -> None:
    assert casespan("study", "build", project, "ebmqa", "--count", "12").code == 0
    page = tmp_path / "page.html"
    said = casespan("examine", project, "--model", "tiny", "--host", server.url, "--html", page)
    assert (said.code, "about 12 fit into 60 minutes" in said.err) == (0, True)
    assert "of the questions, and" in said.out
    assert "\ncontrol   tiny/ebmqa  1 " in said.out
    assert "[2] “I do not know” was never offered, but for invented questions.\n" in said.out
    told = page.read_text("utf-8")
    assert told.count('class="lead"') == 3
    assert "Somebody who guesses" in told
    assert [number for number in ("1", "2", "3", "S1", "S2", "S3") if f"Figure {number}." in told] == [
        "1", "3", "S1", "S2", "S3"
    ]  # fmt: skip
    drawn = ("--svg", tmp_path / "svg", "--csv", tmp_path / "csv")
    assert casespan("study", "score", project, "ebmqa", *drawn).code == 0
    assert (tmp_path / "svg" / "figure-3.svg").read_text("utf-8").startswith("<svg")
    by_label = (tmp_path / "csv" / "figure-3.csv").read_text("utf-8")
    assert (by_label.startswith("panel,"), "Neurology and cognition" in by_label) == (True, True)
    again = casespan("examine", project, "--model", "tiny", "--host", server.url, "--json")
    assert (again.code, again.json["runs"]["tiny/ebmqa"]["n"]) == (0, 11)
    server.script(fails(500, "odd"))
    anew = casespan("examine", project, "--model", "tiny", "--host", server.url, "--new-run", "--json")
    assert (anew.code, list(anew.json["runs"])) == (1, ["tiny/ebmqa#2"])

    def replaced(call: Call) -> None:
        server.models["tiny"] = replace(server.models["tiny"], digest="e" * 64)
        replies('{"answer": "A"}')(call)

    server.script(replaced)
    stopped = casespan("examine", project, "--model", "tiny", "--host", server.url, "--new-run", "--json")
    assert (stopped.code, "was replaced on the server" in stopped.err) == (1, True)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--count", "0"), "is the least"),
        (("--discipline", "nosuch"), "There is no discipline"),
        (("--hpoa", "{own}"), "is it phenotype.hpoa?"),
        (("--evidence", "{none}"), "There is no"),
        # Without evidence there would be the small examination, as if it were made of that file or profile.
        (("--from", "{own}"), "say what it is"),
        (("--profile", "paper"), "needs evidence"),
    ],
)
def test_what_cannot_be_built_is_refused_in_a_sentence(
    casespan: Casespan, project: Path, tmp_path: Path, given: tuple[str, str], said: str
) -> None:
    own = tmp_path / "own.csv"
    own.write_text(OWN, "utf-8")
    value = given[1].format(own=own, none=tmp_path / "none.csv")
    refused = casespan("study", "build", project, "ebmqa", given[0], value)
    assert (refused.code, said in refused.err) == (2, True)
    assert casespan("study", "items", project, "ebmqa", "--json").json == []
    told = casespan("study", "build", project, "ebmqa", "--type", "plr", "--controls", "1").out
    assert ("0 questions of positive likelihood ratio: No source" in told, "control 1" in told) == (
        True,
        True,
    )
