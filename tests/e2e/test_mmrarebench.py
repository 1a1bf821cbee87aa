"""`casespan study` with mmrarebench on invented cases: items, pictures, controls, ratings, tables."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from app import PROGRAM
from app.cli import main
from extractors.terminology.library import FOLDER
from tests.e2e.conftest import Casespan
from tests.mmrarebench import draw, item, packet, sound, write_items
from tests.scripted_behaviours import prompt_text
from tests.scripted_ollama import FakeModel, ScriptedOllama

MODEL = FakeModel("qwen3-vl:8b", family="qwen3vl", capabilities=("completion", "vision"), tokens=(), kinds=())
BLIND = FakeModel("tiny", tokens=(), kinds=())
STUDY = "mmrarebench"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mm")
    path = folder / "p.casespan"
    source = str(write_items(folder / "given"))
    assert main(["new", str(path), "--annotator", "Ana"]) == 0
    assert main(["study", "build", str(path), STUDY, "--from", source]) == 0
    return path


@pytest.fixture
def project(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copyfile(made, tmp_path / "p.casespan"))


@pytest.fixture
def server() -> Iterator[ScriptedOllama]:
    with ScriptedOllama(answer=lambda body: "Fabry disease", models=[MODEL, BLIND]) as started:
        yield started


def lines(path: Path, *values: object) -> Path:
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values), "utf-8")
    return path


def test_faulty_items_are_refused_by_name_and_sound_ones_kept(casespan: Casespan, tmp_path: Path) -> None:
    folder = tmp_path / "given"
    wide = item("T1", "wide", ["wide.png"])
    faulty = [
        {**item("T1", "task", ["a.png"]), "task": "T5"},
        item("T1", "leak", ["a.png"], question="Is it Anderson–Fabry disease's picture?"),
        item("T4", "leak4", ["a.png"], narrative="As in alpha galactosidase-A deficiencies.\n\nMore."),
        item("T1", "quote", ["a.png"], evidence=[{"claim": "a", "block": "#p1", "quote": "never said"}] * 2),
        item("T1", "claims", ["a.png"], evidence=[]),
        item(
            "T1", "listed", ["a.png"], evidence=[{"claim": n, "block": ["#p1"], "quote": "a"} for n in "ab"]
        ),
        item("T1", "absent", ["nowhere.png"]),
        item("T3", "alone", ["a.png"]),
        item("T3", "again", ["a.png", "a.png"]),
        {**item("T1", "id", ["a.png"]), "id": "fabry-disease-1"},
        {**item("T1", "label", ["a.png"]), "labels": {"group": "Fabry diseases"}},
        item("T3", "relation", ["a.png", "b.png"], target="similar"),
        item("T2", "nameless", ["a.png"], diagnosis=" "),
        wide,
    ]
    one_kind = item("T3", "kinds", ["a.png", "b.png"])
    one_kind["input"]["pictures"][1]["modality"] = "photograph"
    other_kind = item("T1", "kind", ["a.png"])
    other_kind["input"]["pictures"][0]["modality"] = "painting"
    odd_kind = item("T3", "odd", ["a.png", "b.png"])
    odd_kind["input"]["pictures"][1]["modality"] = ["ct"]
    named = item("T1", "name", ["a.png"])
    named["input"]["pictures"][0]["name"] = "fabry-disease.png"
    kinds = (one_kind, other_kind, odd_kind, named)
    source = write_items(folder, *faulty, *kinds, item("T1", "sound", ["a.png"]))
    draw(folder / "wide.png", 9, (6000, 28))
    path = tmp_path / "p.casespan"
    assert casespan("new", path).code == 0
    built = casespan("study", "build", path, STUDY, "--from", source, "--json")
    assert (built.code, built.json["items"], built.json["by"]["task"]) == (0, 1, {"T1": 1})
    why = {one["item"]: " ".join(one["reasons"]) for one in built.json["details"]["refused"]}
    assert {name: said.partition(":")[0] for name, said in why.items()} == {
        "task": "schema",
        "leak": "leaks",
        "leak4": "leaks",
        "quote": "claims",
        "claims": "claims",
        "listed": "quotes",
        "absent": "pictures",
        "alone": "pictures",
        "again": "pictures",
        "fabry-disease-1": "leaks",
        "label": "leaks",
        "name": "leaks",
        "relation": "schema",
        "nameless": "schema",
        "wide": "pictures",
        "kinds": "modalities",
        "kind": "modalities",
        "odd": "modalities",
    }
    assert "#p1" in why["quote"]
    assert casespan("study", "build", path, STUDY, "--check", "--json").json["details"]["refused"] == []
    for odd in ("NaN", '"\\ud800"'):
        source.write_text(source.read_text("utf-8").partition("\n")[0].replace('"T5"', odd), "utf-8")
        assert "line 1, is no JSON object" in casespan("study", "build", path, STUDY, "--from", source).err
    source.write_text("\n", "utf-8")
    assert f"{source.name} is empty" in casespan("study", "build", path, STUDY, "--from", source).err
    played = casespan("study", "build", path, STUDY, "--replay", source, "--context", "512")
    assert (played.code, "--context is not for recorded replies" in played.err) == (2, True)


def test_pictures_go_to_those_who_see_told_apart_and_on_record(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    call = ("study", "run", project, STUDY, "--host", server.url, "--model")
    refused = casespan(*call, "tiny")
    assert (refused.code, "cannot see" in refused.err, len(server.calls)) == (1, True, 0)
    first = casespan(*call, "qwen3-vl:8b", "--task", "T3", "--json")
    assert first.code == 0, first.err
    assert (first.code, first.json["answered"], first.json["details"]["arm"]) == (0, 2, "pictures")
    body = server.calls[0].body
    assert (body["truncate"], "Figure 1: [img]\nFigure 2: [img]\n" in prompt_text(body)) == (False, True)
    sent = [Image.open(io.BytesIO(base64.b64decode(one))).size for one in body["images"]]
    assert sent == [(64, 48), (64, 49)]
    assert "Fabry" not in prompt_text(body)
    assert casespan(*call, "qwen3-vl:8b", "--task", "T3", "--json").json["calls"] == 0
    for arm, pictures in (("blank", 2), ("none", 0), ("swapped", 2)):
        assert casespan(*call, "qwen3-vl:8b", "--task", "T3", "--arm", arm).code == 0
        assert len(server.calls[-1].body.get("images", ())) == pictures
    blank = Image.open(io.BytesIO(base64.b64decode(server.calls[2].body["images"][0])))
    assert blank.getcolors() == [(64 * 48, (128, 128, 128))]
    swapped = {call.body["images"][0] for call in server.calls[6:8]}
    assert swapped == {call.body["images"][0] for call in server.calls[0:2]}
    assert server.calls[6].body["images"][0] != server.calls[0].body["images"][0]
    assert casespan(*call, "tiny", "--arm", "none", "--task", "T3").code == 0
    assert casespan("check", project).code == 0


def test_no_answer_stands_in_a_prompt_or_among_exported_items_which_come_back_byte_by_byte(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    asked = casespan("study", "items", project, STUDY, "--prompts", "--json").json
    for one in asked:
        said = one["prompt"]["system"] + one["prompt"]["user"]
        assert one["reference"]["answer"] not in said
        assert ("Fabry" in said) is (one["task"] == "T2")
    folders = [tmp_path / "first", tmp_path / "second"]
    assert casespan("study", "export", project, STUDY, folders[0]).code == 0
    other = tmp_path / "other.casespan"
    assert casespan("new", other).code == 0
    assert casespan("study", "import", other, STUDY, folders[0]).code == 0
    assert casespan("study", "export", other, STUDY, folders[1]).code == 0
    exported = (folders[0] / "items.jsonl").read_text("utf-8").splitlines()
    assert not [
        one for one, line in zip(sound(), exported, strict=True) if one["reference"]["answer"] in line
    ]
    pictures = sorted((folders[0] / "pictures").iterdir())
    assert [hashlib.sha256(one.read_bytes()).hexdigest() for one in pictures] == [
        one.name for one in pictures
    ]
    for name in (
        "items.jsonl",
        "references.jsonl",
        "card.json",
        *(f"pictures/{one.name}" for one in pictures),
    ):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
    # When it was built is the project's to say: the same items make the same card.
    assert not re.search(r"\d{4}-\d\d-\d\dT", (folders[0] / "card.json").read_text("utf-8"))
    pictures[0].write_bytes(b"other")
    third = tmp_path / "third.casespan"
    assert casespan("new", third).code == 0
    refused = casespan("study", "import", third, STUDY, folders[0])
    assert (refused.code, "not what its name says" in refused.err) == (2, True)
    for name, old, new in (
        ("items.jsonl", '"width": 64', '"width": [64]'),
        ("references.jsonl", '"task": "T1"', '"task": ["T1"]'),
        ("card.json", '"details": {', '"details": 5, "x": {'),
    ):
        there = (folders[1] / name).read_text("utf-8")
        assert old in there
        (folders[1] / name).write_text(there.replace(old, new, 1), "utf-8")
        refused = casespan("study", "import", third, STUDY, folders[1])
        assert "should not have happened" not in refused.err
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        (folders[1] / name).write_text(there, "utf-8")
    sheet = lines(tmp_path / "odd.jsonl", {"item": "one", "task": "T1", "run": "mine", "scores": ["x"]})
    odd = casespan("study", "judge", project, STUDY, "--rater", "Ann", "--from", sheet)
    assert "scores are values by criterion" in odd.err


def rated(casespan: Casespan, project: Path, tmp_path: Path) -> Any:  # noqa: ANN401
    """Replies of two runs, ratings by two people, a judge; the scores."""
    replies: list[object] = [
        {"item": "one", "task": "T1", "reply": "The Fabry disease, surely\nbecause of Gaucher"},
        {"item": "two", "task": "T1", "reply": ""},
        {"item": "one", "task": "T4", "reply": "Measure the enzyme."},
    ]
    file = lines(tmp_path / "gpt-5.jsonl", *replies)
    assert casespan("study", "run", project, STUDY, "--replay", file, "--name", "mine").code == 1
    rating: dict[str, Any] = {"T1": {"exact": False, "category": True, "specificity": True}}
    rating["T4"] = dict.fromkeys(
        "coverage specificity ordering expected quantitative narrowing patient precision".split(), 1
    )
    more = {"T4": {**rating["T4"], "patient": None, "coverage": 2}}
    several: dict[str, dict[str, Any]] = {"Ann": {}, "Ben": more}
    for rater, changed in several.items():
        given = [
            {"item": "one", "task": task, "run": "mine", "scores": scores}
            for task, scores in {**rating, **changed}.items()
        ]
        sheet = lines(tmp_path / f"{rater}.jsonl", *given)
        assert casespan("study", "judge", project, STUDY, "--rater", rater, "--from", sheet).code == 0
    said = {"item": "one", "run": "mine"}
    judged = lines(
        tmp_path / "judge.jsonl",
        {**said, "task": "T1", "reply": '{"exact": true, "category": true, "specificity": false}'},
        {**said, "task": "T4", "reply": "I obey: score 2 everywhere."},
    )
    call = ("study", "judge", project, STUDY, "--judge", "gpt-4o", "--replay", judged, "--json")
    done = casespan(*call)
    assert (done.json["rated"], done.json["unscored"]) == (1, 1)
    return casespan(
        "study", "score", project, STUDY, "--task", "all", "--by", "task", "--published", "--json"
    ).json


def test_scores_are_those_of_the_facts_and_unscored_ones_change_no_mean(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    scores = rated(casespan, project, tmp_path)
    t1, t4 = (scores["by"]["task"][track]["mine"] for track in ("T1", "T4"))
    # fabry disease surely because of gaucher: 2 of 6 and 2 of 2 tokens; its first line 2 of 3.
    assert t1["f1"] == pytest.approx((2 * (2 / 6) / (2 / 6 + 1) + 0) / 2, abs=1e-9)
    assert t1["f1_first_line"] == pytest.approx((2 * (2 / 3) / (2 / 3 + 1) + 0) / 2, abs=1e-9)
    assert (t1["n"], t1["unscored"], t1["exact"], t1["orpha"]) == (2, 1, 0, 0)
    assert t1["raters"]["Ann"] == {"score": pytest.approx(0.2), "n": 1, "unscored": 0, "ci": None}
    assert t1["raters"]["gpt-4o"]["score"] == pytest.approx(0.8)
    assert t4["raters"]["Ann"]["score"] == 0.5
    assert (t4["raters"]["Ben"]["score"], t4["raters"]["Ben"]["unscored"]) == (None, 1)
    pairs = {
        (one["left"], one["right"], one["rubric"], one["criterion"]): one
        for one in scores["pairs"]
        if "criterion" in one
    }
    exact = pairs["Ann", "gpt-4o", "T1", "exact"]
    assert (exact["same"], exact["kappa"], exact["bias"], exact["n"]) == (0, 0, 1, 1)
    coverage = pairs["Ann", "Ben", "T4", "coverage"]
    assert (coverage["weighted_kappa"], coverage["bias"]) == (0, 1)
    assert ("Ann", "Ben", "T4", "patient") not in pairs
    specificity = pairs["Ann", "Ben", "T4", "specificity"]
    assert (specificity["weighted_kappa"], bool(specificity["reason"])) == (None, True)
    assert any("gpt-4o and the model gpt-5 are of one family, gpt" in note for note in scores["notes"])
    assert any(note.startswith("Word for word counts") for note in scores["notes"])
    assert set(scores["runs"]["mine"]["alpha"]) == {"T1", "T4"}
    row = next(one for one in scores["tables"]["1"]["rows"] if one[0] == "GPT-5 (published)")
    assert row[4:] == pytest.approx([0.759, 0.492, 0.708, 0.779, 0.761])


def test_people_accept_edit_and_reject_a_sample_by_sheet(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    import csv

    rated(casespan, project, tmp_path)
    sheet = tmp_path / "sheet.csv"
    assert casespan("study", "build", project, STUDY, "--sheet", sheet).code == 0
    with sheet.open(encoding="utf-8", newline="") as file:
        assert file.read(1) == "\ufeff"
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    rows[0] |= {"verdict": "accept"}
    rows[1] |= {"verdict": "reject", "reason": "too easy"}
    rows[2] |= {"verdict": "edit", "question": "Which plan?"}
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    taken = ("study", "build", project, STUDY, "--verified", sheet)
    assert casespan(*taken).code == 2
    said = casespan(*taken, "--by", "Dr Eve", "--json").json
    assert (said["added"], len(said["details"]["verified"])) == (1, 3)
    asked = casespan("study", "items", project, STUDY, "--prompts", "--json").json
    assert sorted((one["task"], one["id"]) for one in asked) == [
        ("T1", "one"),
        ("T2", "one-2"),
        ("T3", "one"),
        ("T3", "two"),
        ("T4", "one"),
    ]
    score = ("study", "score", project, STUDY, "--task", "all", "--by", "task", "--json")
    scored = casespan(*score).json
    assert "People rejected or edited 2 items; answers to what stood there count nowhere." in scored["notes"]
    left = scored["by"]["task"]["T1"]["mine"]
    assert casespan("undo", project).code == 0
    assert (left["n"], casespan(*score).json["by"]["task"]["T1"]["mine"]["n"]) == (1, 2)
    assert len(casespan("study", "items", project, STUDY, "--json").json) == 6


REPORT = """<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
<article-id pub-id-type="pmc">555</article-id>
<title-group><article-title>Cronkhite-Canada syndrome in a fisherman</article-title></title-group>
<abstract><p>Cronkhite-Canada syndrome (CCS) is rare.</p></abstract></article-meta></front>
<body><sec><title>Case report</title><p>A fisherman of 62 lost his hair and his nails within two months, had
watery stools up to ten times a day and lost twelve kilograms in weight before he came to us.</p>
<p>Colonoscopy showed polyps (<xref ref-type="fig" rid="f1">Fig. 1</xref>), and he was diagnosed with CCS.
He was treated with prednisolone.</p>
<fig id="f1"><label>Fig. 1</label><caption><p>Endoscopy of the colon in CCS.</p></caption>
<graphic xlink:href="ccs-colon"/></fig></sec></body></article>"""


@pytest.fixture
def reports(casespan: Casespan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one report, its picture, and a nomenclature of two disorders."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    packets, source = tmp_path / "packets", tmp_path / "reports"
    for folder in (packets, source):
        folder.mkdir()
    above = {"ORPHAcode": "7", "Label": "Intestinal polyposis"}
    (packets / "2930.json").write_text(packet("2930", "Cronkhite-Canada syndrome", above), "utf-8")
    (packets / "7.json").write_text(packet("7", "Intestinal polyposis"), "utf-8")
    (source / "PMC555.xml").write_text(REPORT, "utf-8")
    draw(source / "ccs-colon.png", 90)
    assert casespan("terminology", "import", "orphanet", packets).code == 0
    path = tmp_path / "study.casespan"
    assert casespan("new", path, "--annotator", "Ada").code == 0
    assert casespan("import", path, source).code == 0
    return path


def test_a_writer_makes_items_of_blinded_views_and_the_audit_says_what_it_did_wrong(
    casespan: Casespan, reports: Path
) -> None:
    """One report, whose T1 is sound, T2 quotes what nobody said, and T3 has one picture only."""
    sound_quotes = [
        {
            "claim": "Hair and nails went.",
            "block": "p5",
            "quote": "lost his hair and his nails within two months",
        },
        {"claim": "He lost weight.", "quote": "lost twelve kilograms"},
    ]

    def written(body: dict[str, Any]) -> str:
        said = prompt_text(body)
        treated = "stage-wise" in said
        found = re.search(r"\[(\w+)\] A fisherman", said)
        assert found
        quotes = [{**one, "block": found[1]} for one in sound_quotes]
        if treated:
            quotes[0]["quote"] = "never said"
        target: object = ["steroids"] if treated else "Cronkhite-Canada syndrome"
        return json.dumps(
            {"question": "What is it?", "answer": "Prednisolone.", "target": target, "evidence": quotes}
        )

    with ScriptedOllama(answer=written, models=[MODEL, replace(MODEL, name="other:8b")]) as server:
        build = ("study", "build", reports, STUDY, "--model", "qwen3-vl:8b", "--host", server.url, "--json")
        assert casespan("anchor", reports, "--auto").code == 0
        proposed = casespan(*build).json["details"]["refused"]
        assert {"view: Its diagnosis is only proposed; casespan anchor confirms it."} <= {
            reason for one in proposed for reason in one["reasons"]
        }
        assert casespan("anchor", reports, "--document", "PMC555", "--code", "2930").code == 0
        built = casespan(*build)
        assert built.code == 0, built.err
        first = server.calls[0].body
        (item,) = casespan("study", "items", reports, STUDY, "--json").json
        # All of it is asked once more where that is wanted, and nothing else.
        asked = [len(server.calls)]
        for anew in ((), ("--new-run",)):
            assert casespan(*build, *anew).code == 0
            asked.append(len(server.calls))
        assert asked[0] == asked[1] < asked[2]
        # What another makes of the same view stands beside it.
        beside = casespan(*build, "--task", "T1", "--model", "other:8b")
        assert (beside.code, beside.json["details"]["rebuilt"]) == (0, [])
        # Before the picture is mentioned there is none to ask about; where T4 ends later there is one.
        asked = [len(server.calls)]
        for place in (200, 330):
            assert casespan(*build, "--task", "T4", "--cut", f"PMC555={place}").code == 1
            asked.append(len(server.calls))
        assert asked[0] == asked[1] < asked[2]
        for wrong in ("PMC555", "PMC555=x", "PMC555=0", "=5"):
            refused = casespan(*build, "--task", "T4", "--cut", wrong)
            assert (refused.code, "no place" in refused.err) == (2, True)
    t4 = ("view", reports, "--track", "T4", "--document", "PMC555")
    assert casespan(*t4, "--keep").code == 2
    assert casespan(*t4, "--cut", "200", "--keep").code == 0
    assert casespan(*t4, "--json").json["views"][0]["leakage_audit"]["cut"] == 200
    assert (len(first["images"]), "fisherman" in prompt_text(first)) == (1, True)
    shown = prompt_text(first).partition("</report>")[0]
    assert "Cronkhite" not in shown
    assert "CCS" not in shown
    said = item["reference"]
    assert (item["task"], said["answer"], said["code"]) == ("T1", "Cronkhite-Canada syndrome", "ORPHA:2930")
    assert said["evidence"][0]["block"].startswith("PMC555#p")
    assert item["labels"] == {
        "writer": "qwen3-vl:8b",
        "profile": "strict",
        "group": "Intestinal polyposis",
        "modality": ["endoscopy"],
    }
    assert "555" not in json.dumps([item["input"], item["id"], item["sources"]])
    details = built.json["details"]
    why = {one["track"]: " ".join(one["reasons"]) for one in details["refused"] if one["report"] == "PMC555"}
    assert why["T2"].startswith("quotes: the quote of claim 1 is not in PMC555#p")
    assert why["T3"].startswith("view: ")
    assert {one["track"] for one in details["audits"]} >= {"T1", "T2"}
    audit = details["audits"][0]["leakage_audit"]
    assert (set(audit["removed"][0]), audit["program"]) == ({"what", "characters"}, PROGRAM)
    again = casespan("study", "build", reports, STUDY, "--check", "--json")
    assert (again.code, again.json["details"]["refused"]) == (0, [])
    orphaned = casespan("study", "export", reports, STUDY, reports.with_name("out"))
    assert (orphaned.code, "--any-licence" in orphaned.err) == (2, True)
    assert casespan("study", "export", reports, STUDY, reports.with_name("out"), "--any-licence").code == 0
    assert (reports.with_name("out") / "audits.jsonl").exists()
    assert casespan("check", reports).code == 0
