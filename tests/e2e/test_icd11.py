"""`casespan study` with icd11 on invented people in MIMIC's shape, from the files to the tables."""

from __future__ import annotations

import gzip
import json
import math
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np
import pytest

from app.cli import main
from app.studies.icd11.fixture import write_fixture
from app.studies.icd11.funnel import split_of
from app.studies.icd11.sheet import Sheet
from extractors.terminology.library import FOLDER
from tests.builders import lines
from tests.e2e.conftest import ROOT, Casespan
from tests.e2e.models import wait_for_calls
from tests.scripted_behaviours import Behaviour, Call, cuts, prompt_text, replies, stays_silent
from tests.scripted_ollama import FakeModel, ScriptedOllama
from tests.scripted_openai import Dialect, ScriptedOpenAI

MODEL = FakeModel("tiny", tokens=(), kinds=())


@pytest.fixture(scope="module")
def fixture(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("mimic") / "f"
    return folder, write_fixture(folder, 240, 3)


@pytest.fixture(scope="module")
def imported(fixture: tuple[Path, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of terminologies that has the fixture's."""
    folder = tmp_path_factory.mktemp("terminologies")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(folder))
        given = map(str, sorted((fixture[0] / "tables").iterdir()))
        assert main(["terminology", "import", "ICD11", *given]) == 0
    return folder


@pytest.fixture
def tables(
    imported: Path,
    fixture: tuple[Path, dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Path:
    monkeypatch.setenv(FOLDER, str(imported))
    capsys.readouterr()
    return fixture[0]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, Path, int], Path]:
    """Copies of a project with the items of the fixture; the classes are those of so many admissions."""
    folder = tmp_path_factory.mktemp("built")

    def copy(tables: Path, path: Path, least: int) -> Path:
        first = folder / f"{least}.casespan"
        if not first.exists():
            assert main(["new", str(first), "--annotator", "Ana"]) == 0
            given = ("--mimic", str(tables), "--reports-from", str(tables / "reports.csv"))
            assert main(["study", "build", str(first), "icd11", *given, "--min-count", str(least)]) == 0
        return Path(copyfile(first, path))

    return copy


@pytest.fixture
def copied(
    built: Callable[[Path, Path, int], Path],
    tables: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> Callable[[int], Path]:
    def copy(least: int) -> Path:
        path = built(tables, tmp_path / f"{least}.casespan", least)
        capsys.readouterr()
        return path

    return copy


@pytest.fixture
def project(copied: Callable[[int], Path]) -> Path:
    return copied(9)


@pytest.fixture
def few(copied: Callable[[int], Path]) -> Path:
    """With few classes, of which a model is asked one by one."""
    return copied(20)


def classes_of(casespan: Casespan, project: Path) -> list[str]:
    said = casespan("study", "items", project, "icd11", "--count", "1", "--prompts", "--json").json
    found: list[str] = said[0]["prompt"]["candidates"]
    return found


def test_a_fixture_is_built_as_it_says_itself_and_the_same_seed_gives_the_same_bytes(
    casespan: Casespan, tables: Path, fixture: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    again = tmp_path / "again"
    assert casespan("icd11", "fixture", again, "--admissions", "240", "--seed", "3").code == 0
    for path in sorted(tables.rglob("*.*")):
        assert path.read_bytes() == (again / path.relative_to(tables)).read_bytes()
    assert casespan("icd11", "fixture", again).code == 2
    path, expected = tmp_path / "p.casespan", fixture[1]
    assert casespan("new", path).code == 0
    path.chmod(0o644)
    call: tuple[object, ...]
    call = ("study", "build", path, "icd11", "--mimic", tables, "--min-count", expected["min_count"])
    built = casespan(*call, "--reports-from", tables / "reports.csv", "--json")
    details = built.json["details"]
    assert (built.code, built.json["items"]) == (0, expected["items"])
    assert details["funnel"] == expected["funnel"]
    assert details["leaks"] == expected["leaks"] == built.json["by"]["leak"]
    given = next(one for one in built.json["sources"] if one["file"] == "reports.csv")
    assert given["rows"] == len((tables / "reports.csv").read_text("utf-8").splitlines()) - 1
    assert {one["code"]: one["admissions"] for one in details["classes"]} == expected["classes"]
    counts = [one["count"] for one in details["classes"]]
    assert counts == sorted(counts, reverse=True)
    items = casespan("study", "items", path, "icd11", "--json").json
    number = [len(one["reference"]["codes"]) for one in items]
    mean = sum(number) / len(number)
    spread = math.sqrt(sum((one - mean) ** 2 for one in number) / (len(number) - 1))
    assert details["classes_per_item"]["mean"] == pytest.approx(mean, abs=1e-12)
    assert details["classes_per_item"]["sd"] == pytest.approx(spread, abs=1e-12)
    assert sum(built.json["by"]["split"].values()) == expected["items"]
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    card = casespan("study", "export", path, "icd11", tmp_path / "out")
    assert "derived from MIMIC, credentialed" in card.out
    other = casespan("study", "run", path, "icd11", "--model", "m", "--host", "192.0.2.1", "--allow-remote")
    assert (other.code, "MIMIC" in other.err) == (2, True), other.err
    dropped = tmp_path / "q.casespan"
    assert casespan("new", dropped).code == 0
    call = (*call[:2], dropped, *call[3:], "--reports-from", tables / "reports.csv")
    less = casespan(*call, "--drop-leaks", "--split", "report", "--json").json
    assert less["details"]["leaks"] == {}
    assert less["left_out"]["leaking report"] >= sum(expected["leaks"].values())


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def _without_column(path: Path) -> None:
    text = gzip.decompress(path.read_bytes()).decode().replace("seq_num", "sequence", 1)
    path.write_bytes(gzip.compress(text.encode()))


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (lambda mimic: shutil.rmtree(mimic / "note"), "no folder note"),
        (lambda mimic: _cut(mimic / "note" / "discharge.csv.gz"), "ends too early"),
        (lambda mimic: _without_column(mimic / "hosp" / "diagnoses_icd.csv.gz"), "no column seq_num"),
    ],
)
def test_a_damaged_folder_is_refused_in_a_sentence_and_nothing_is_built(
    casespan: Casespan, tables: Path, tmp_path: Path, harm: Callable[[Path], None], why: str
) -> None:
    path, mimic = tmp_path / "p.casespan", tmp_path / "mimic"
    assert casespan("new", path).code == 0
    shutil.copytree(tables, mimic)
    harm(mimic)
    call = ("study", "build", path, "icd11", "--mimic", mimic, "--min-count", "5")
    refused = casespan(*call, "--reports-from", mimic / "reports.csv")
    assert (refused.code, why in refused.err, refused.err.count("\n")) == (2, True, 1)
    assert casespan("study", "items", path, "icd11", "--json").json == []


def test_a_build_that_no_class_is_frequent_enough_for_is_refused(
    casespan: Casespan, project: Path, tables: Path
) -> None:
    before = project.read_bytes()
    call = ("study", "build", project, "icd11", "--mimic", tables, "--min-count", "1234")
    refused = casespan(*call, "--reports-from", tables / "reports.csv")
    said = "No class occurs 1,234 times; choose a smaller --min-count."
    assert (refused.code, said in refused.err, project.read_bytes() == before) == (2, True, True)


def test_a_build_that_would_make_no_item_is_refused_and_leaves_the_last_one_as_it_was(
    casespan: Casespan, project: Path, tables: Path, tmp_path: Path
) -> None:
    names, others = classes_of(casespan, project), tmp_path / "others.csv"
    others.write_text("hadm_id,self_report\n7,I ache.\n", "utf-8")
    call = ("study", "build", project, "icd11", "--mimic", tables, "--min-count", "9")
    refused = casespan(*call, "--reports-from", others)
    assert (refused.code, "1 of no admission that was kept" in refused.err) == (2, True)
    assert classes_of(casespan, project) == names


def test_a_second_build_keeps_patients_in_their_part_and_counts_all_items(
    casespan: Casespan, tables: Path, tmp_path: Path
) -> None:
    path, (head, *lines) = tmp_path / "p.casespan", (tables / "reports.csv").read_text("utf-8").splitlines()
    assert casespan("new", path).code == 0
    call = ("study", "build", path, "icd11", "--mimic", tables, "--min-count", "9", "--reports-from")
    for place in (0, 1, 1):
        half = tmp_path / f"{place}.csv"
        half.write_text("\n".join([head, *lines[place::2]]), "utf-8")
        built = casespan(*call, half, "--json").json
    assert built["added"] == 0
    items = casespan("study", "items", path, "icd11", "--json").json
    train = [one["reference"]["codes"] for one in items if one["labels"]["split"] == "train"]
    first = built["details"]["classes"][0]
    assert first["count"] == sum(first["code"] in codes for codes in train)
    rows = gzip.decompress((tables / "hosp" / "admissions.csv.gz").read_bytes()).decode().splitlines()[1:]
    patient = {hadm: subject for subject, hadm, *_ in (row.split(",") for row in rows)}
    parts = {(patient[one["id"]], one["labels"]["split"]) for one in items}
    assert len(parts) == len({subject for subject, _ in parts})
    # Patients who were not there before are divided among themselves.
    before = {patient[line.partition(",")[0]] for line in lines[::2]}
    fresh: dict[str, list[str]] = {}
    for hadm in sorted(one["id"] for one in items if patient[one["id"]] not in before):
        fresh.setdefault(patient[hadm], []).append(hadm)
    drawn = split_of(fresh, 1)
    assert len(fresh) > 1
    assert {one["id"]: one["labels"]["split"] for one in items if one["id"] in drawn} == drawn
    refused = casespan(*call, half, "--seed", "5")
    assert (refused.code, "with seed 1, not 5" in refused.err) == (2, True)


def test_a_build_without_tables_says_what_to_fetch(
    casespan: Casespan, fixture: tuple[Path, dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "none"))
    path = tmp_path / "p.casespan"
    assert casespan("new", path).code == 0
    call = (
        "study",
        "build",
        path,
        "icd11",
        "--mimic",
        fixture[0],
        "--reports-from",
        fixture[0] / "reports.csv",
    )
    refused = casespan(*call)
    assert (refused.code, "import ICD11" in refused.err) == (2, True)


def test_the_five_orders_are_what_they_say(casespan: Casespan, project: Path) -> None:
    call = ("study", "items", project, "icd11", "--prompts", "--json")
    origin = [one["prompt"]["candidates"] for one in casespan(*call).json]
    assert all(one == origin[0] for one in origin)
    drawn = [one["prompt"]["candidates"] for one in casespan(*call, "--order", "random").json]
    assert all(sorted(one) == sorted(origin[0]) for one in drawn)
    assert len({tuple(one) for one in drawn}) > 1
    assert drawn == [one["prompt"]["candidates"] for one in casespan(*call, "--order", "random").json]
    (frequent,) = {
        tuple(one["prompt"]["candidates"]) for one in casespan(*call, "--order", "freq-first").json
    }
    train = casespan("study", "items", project, "icd11", "--label", "split=train", "--json").json
    counts = [sum(name in one["reference"]["names"] for one in train) for name in frequent]
    assert counts == sorted(counts, reverse=True)
    for order, at_end in (("correct-first", False), ("correct-last", True)):
        for one in casespan(*call, "--order", order).json:
            truths = one["reference"]["names"]
            rest = [name for name in origin[0] if name not in truths]
            expected = [*rest, *truths] if at_end else [*truths, *rest]
            assert one["prompt"]["candidates"] == expected


@pytest.mark.parametrize("profile", ["strict", "paper"])
@pytest.mark.parametrize("repeats", [1, 3])
def test_scores_are_the_means_over_samples_of_the_plain_formulas(
    casespan: Casespan, project: Path, fixture: tuple[Path, dict[str, Any]], profile: str, repeats: int
) -> None:
    how = ("--count", "15", "--repeats", repeats)
    replay = fixture[0] / "invented-replies.jsonl"
    assert casespan("study", "run", project, "icd11", "--replay", replay, "--json", *how).code == 0
    scored = casespan("study", "score", project, "icd11", "--profile", profile, "--json").json
    (own,) = scored["runs"].values()
    names = classes_of(casespan, project)
    items = casespan("study", "items", project, "icd11", *how, "--json").json
    said = {one["item"]: one["reply"] for one in map(json.loads, replay.read_text("utf-8").splitlines())}
    samples = [
        [(one["reference"]["names"], said[one["id"]]) for one in items if number in one["samples"]]
        for number in range(1, repeats + 1)
    ]
    assert all(len(one) == 15 for one in samples)
    expected = [plainly(one, names, profile) for one in samples]
    for key in expected[0]:
        values = [one[key] for one in expected]
        assert own[key] == pytest.approx(sum(values) / repeats, abs=1e-9), key
        if repeats > 1:
            mean = sum(values) / repeats
            sd = math.sqrt(sum((one - mean) ** 2 for one in values) / (repeats - 1))
            assert own["sd"][key] == pytest.approx(sd, abs=1e-9), key
        else:
            assert own["sd"][key] is None
    assert [len(one["classes"]) for one in own["groups"]][:-1] == [math.ceil(len(names) / 10)] * (
        len(own["groups"]) - 1
    )
    assert own["lifted"]["chapter"]["micro_f1"] >= own["micro_f1"]
    assert set(scored["tables"]) == {"1", "2", "figure 2", "4", "figure 3", "figure 4"}
    call = ("study", "score", project, "icd11", "--min-count")
    (own,) = casespan(*call, "60", "--json").json["runs"].values()
    view = casespan(*call[:1], "items", *call[2:], "60", "--json").json
    left = {one["id"] for one in view} & {one["id"] for one in items}
    assert (own["n"], own["unscored"]) == (len(left), 0) != (len(items), 0)
    assert casespan(*call, "0").err == "casespan: --min-count is 0; 1 is the least.\n"
    less = casespan(*call, "8")
    assert (less.code, "built with --min-count 9; a smaller one" in less.err) == (2, True)


def test_settings_that_do_not_go_together_make_no_run(casespan: Casespan, project: Path) -> None:
    refused = casespan(
        "study", "run", project, "icd11", "--with", "lexical", "--count", "5", "--order", "random"
    )
    assert (refused.code, casespan("list", project, "--json").json["runs"]) == (2, [])


def test_a_run_that_was_stopped_before_its_first_answer_adds_up_to_nothing() -> None:
    sheet = Sheet((), ("one", "other"), 3)
    weights = np.ones((4, 0))
    assert sheet.sums(("answers",), weights).tolist() == [[[0.0]] * 3] * 4
    assert sheet.by_class(weights)[0].shape == (4, 3, 3, 2)


def plainly(sample: list[tuple[list[str], str]], names: list[str], profile: str) -> dict[str, float]:
    """The formulas as they are written down, once more."""
    n = len(sample)
    hits = {first: 0.0 for first in (1, 3, 5, 10)}
    right = wrong = missed = 0
    f1 = valid = given = all_valid = 0.0
    of_class = {name: [0, 0, 0] for name in names}
    chance = 0.0
    for truths, reply in sample:
        said = list(dict.fromkeys(filter(None, (one.strip() for one in reply.split(";")))))
        known = [one for one in said if one in names]
        counted = said if profile == "strict" else known
        for first in hits:
            hits[first] += any(one in truths for one in said[:first])
        both = len(set(truths) & set(said))
        right, wrong, missed = right + both, wrong + len(counted) - both, missed + len(truths) - both
        f1 += 2 * both / (len(truths) + len(counted))
        given, valid = given + len(said), valid + len(known)
        all_valid += bool(said) and said == known
        if counted:
            chance += 2 * len(counted) * len(truths) / len(names) / (len(counted) + len(truths))
        for name in names:
            of_class[name][0] += name in truths and name in said
            of_class[name][1] += name not in truths and name in said
            of_class[name][2] += name in truths and name not in said
    each = [2 * a / (2 * a + b + c) if a + b + c else None for a, b, c in of_class.values()]
    macro = [one or 0.0 for one in each if one is not None or profile == "paper"]
    return {
        **{f"hit@{first}": number / n for first, number in hits.items()},
        "micro_f1": 2 * right / (2 * right + wrong + missed),
        "macro_f1": sum(macro) / len(macro),
        "sample_f1": f1 / n,
        "predicted": given / n,
        "valid": valid / given,
        "valid_items": all_valid / n,
        "random_sample_f1": chance / n,
    }


class Labels:
    """Makes a model of a scripted server write the label asked for, in pieces with planted probabilities.

    Without a report a label is cut otherwise; `shares` are labels whose quote shares a token with a letter.
    """

    def __init__(self, shares: str = "", cut: str = "") -> None:
        self.shares, self.cut = shares, cut
        self.dropped = False

    def pieces(self, label: str, *, prior: bool) -> list[str]:
        size = 5 if prior else 3
        return [label[start : start + size] for start in range(0, len(label), size)]

    def logarithm(self, piece: str, *, prior: bool) -> float:
        return -(sum(map(ord, piece)) % 97 + 1) / (41 if prior else 53)

    def told(self, label: str, *, prior: bool) -> tuple[float, int]:
        """The sum and number that must come of it."""
        pieces = self.pieces(label, prior=prior)
        return sum(self.logarithm(one, prior=prior) for one in pieces), len(pieces)

    def __call__(self, call: Call) -> None:
        prior = "What the patient says" not in prompt_text(call.body)
        (label,) = call.body["format"]["enum"]
        assert label not in prompt_text(call.body)
        assert call.body["options"]["top_k"] == 0, "probabilities are those of all tokens"
        pieces = self.pieces(label, prior=prior)
        said = [(one, self.logarithm(one, prior=prior)) for one in pieces]
        said = [('"' + said[0][0], said[0][1]), *said[1:]] if label == self.shares else [('"', -0.5), *said]
        for token, logarithm in [*said, ('"', -0.25)]:
            call.piece(token, logprobs=[{"token": token, "logprob": logarithm}])
            if label == self.cut and not prior and not self.dropped:
                self.dropped = True
                call.drop()
                return
        call.done()


@pytest.fixture
def server() -> Iterator[ScriptedOllama]:
    with ScriptedOllama(models=[MODEL]) as started:
        yield started


def always(server: ScriptedOllama, behaviour: Behaviour) -> None:
    server.script(*[behaviour] * 400)


def test_labels_are_ranked_by_likelihood_and_asked_once_with_one_prior(
    casespan: Casespan, few: Path, server: ScriptedOllama
) -> None:
    names = classes_of(casespan, few)
    asked = casespan(
        "study", "items", few, "icd11", "--count", "3", "--arm", "rank", "--prompts", "--json"
    ).json
    words = {
        f"▁{word}" for one in asked for text in ("system", "user") for word in one["prompt"][text].split()
    }
    tokens = (*sorted(words), *sorted({letter for name in names for letter in name}))
    server.models["tiny"] = FakeModel("tiny", tokens=tokens, kinds=(1,) * len(tokens))
    labels = Labels(shares=sorted(names)[0], cut=sorted(names)[1])
    always(server, labels)
    how = ("--count", "2", "--repeats", "1", "--arm", "rank")
    call = ("study", "run", few, "icd11", "--model", "tiny", "--host", server.url, *how, "--json")
    first = casespan(*call)
    assert f"{len(names)} calls lie ahead" in first.err
    assert f"{2 * len(names)} calls lie ahead" in first.err
    assert (first.code, first.json["calls"], first.json["items"]) == (1, 2 * len(names), 2)
    assert len(server.calls) == 3 * len(names)
    again = casespan(*call, "--resume")
    assert (again.code, again.json["calls"], again.json["answered"]) == (0, 1, 2)
    assert casespan(*call).json["calls"] == 0
    other = casespan(*call, "--alpha", "0.5", "--normalise", "sum")
    assert (other.code, other.json["calls"], other.json["answered"]) == (0, 0, 2)
    assert len(server.calls) == 3 * len(names) + 1
    out = few.with_name("answers.jsonl")
    for run, alpha, mean in ((first.json["run"], 1.0, True), (other.json["run"], 0.5, False)):
        assert casespan("study", "answers", few, "icd11", "--run", run, "--out", out).code == 0
        value = json.loads(out.read_text("utf-8").splitlines()[0])["value"]
        assert len(value["scores"]) == len(names)
        best = [one["score"] for one in value["scores"]]
        assert best == sorted(best, reverse=True)
        assert value["predicted"] == [one["name"] for one in value["scores"]]
        for one in value["scores"]:
            given, number = labels.told(one["name"], prior=False)
            prior, parts = labels.told(one["name"], prior=True)
            conditional, without = (-given / number, -prior / parts) if mean else (-given, -prior)
            assert one["score"] == pytest.approx(-conditional + alpha * without, abs=1e-9)
            assert one["conditional"] == pytest.approx(conditional, abs=1e-9)
            assert (one["tokens"], one["exact"]) == (number, one["name"] != labels.shares)
    scored = casespan("study", "score", few, "icd11", "--json").json
    assert {"alpha", "length"} <= set(scored["tables"])
    runs = scored["runs"]
    assert 0 < runs[first.json["run"]]["other_splits"] <= 1
    alphas = {(row[0], row[1]): row[2:] for row in scored["tables"]["alpha"]["rows"]}
    assert alphas[first.json["run"], "1.0"][0] == runs[first.json["run"]]["hit@1"]
    assert casespan("check", few).code == 0


def test_recorded_rankings_make_the_ablations_and_are_written_as_they_are_read(
    casespan: Casespan, project: Path, fixture: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    call = ("study", "run", project, "icd11", "--arm", "rank", "--count", "2", "--repeats", "1", "--replay")
    answers = []
    given = fixture[0] / "invented-rankings.jsonl"
    for name in ("a", "b"):
        run = casespan(*call, given, "--name", name, "--json")
        assert (run.code, run.json["answered"], run.json["failed"]) == (0, 2, {}), run.err
        out = tmp_path / f"{name}.jsonl"
        assert casespan("study", "answers", project, "icd11", "--run", name, "--out", out).code == 0
        answers.append([json.loads(line)["value"] for line in out.read_text("utf-8").splitlines()])
        given = out
    assert answers[0] == answers[1]
    assert run.json["notes"] == []
    assert {"alpha", "length"} <= set(casespan("study", "score", project, "icd11", "--json").json["tables"])
    files = tmp_path / "files"
    page = files / "page.html"
    call_for_files = ("study", "score", project, "icd11", "--csv", files, "--svg", files, "--html", page)
    assert casespan(*call_for_files).code == 0
    assert {"figure-3.svg", "figure-4.svg", "figure-4.csv"} <= {path.name for path in files.iterdir()}
    assert "All 2 that were asked about." in page.read_text("utf-8")
    assert page.read_text("utf-8").count("candidates, best first") == 8, "as caption and name, of two runs"
    assert all("credentialed" in path.read_text("utf-8") for path in files.iterdir())
    given.write_text('{"item": "x", "replies": [1]}', "utf-8")
    assert casespan(*call, given).code == 2


def test_a_server_without_probabilities_is_refused_before_the_first_report(
    casespan: Casespan, project: Path
) -> None:
    with ScriptedOllama(models=[MODEL], version="0.12.1") as server:
        call = ("study", "run", project, "icd11", "--model", "tiny", "--host", server.url, "--arm", "rank")
        refused = casespan(*call)
        assert (refused.code, "log-probabilities" in refused.err, server.calls) == (1, True, [])
    with ScriptedOpenAI(dialect=Dialect(refuses=("logprobs",))) as refusing:
        refused = casespan(*call[:7], refusing.base, *call[8:])
        assert (refused.code, "log-probabilities" in refused.err, refusing.calls) == (1, True, [])
    # A server whose kind can, but that leaves them out, is found out by the first label's prior.
    with ScriptedOpenAI(answer=lambda body: json.dumps(body["format"]["enum"][0])) as other:
        refused = casespan(*call[:7], other.base, *call[8:])
        assert (refused.code, "log-probabilities" in refused.err, len(other.calls)) == (1, True, 1)


def test_generated_choices_and_short_lists_come_of_what_models_said(
    casespan: Casespan, project: Path, server: ScriptedOllama
) -> None:
    names = classes_of(casespan, project)
    how = ("--count", "3", "--repeats", "1", "--model", "tiny", "--host", server.url, "--json")
    call = ("study", "run", project, "icd11", *how)
    refused = casespan(*call, "--list", "short")
    assert (refused.code, "--order freq-first" in refused.err) == (2, True)
    always(server, replies(f"1. {names[0].upper()};\n- {names[1]}\n; swamp chill; {names[0]}"))
    for order in ("freq-first", "correct-first", "origin"):
        assert casespan(*call, "--order", order).json["answered"] == 3
    out = project.with_name("answers.jsonl")
    run = "tiny/icd11/generate"
    assert casespan("study", "answers", project, "icd11", "--run", run, "--out", out).code == 0
    value = json.loads(out.read_text("utf-8").splitlines()[0])["value"]
    assert (value["predicted"], value["outside"]) == ([names[0], names[1], "swamp chill"], ["swamp chill"])
    for which, more in (("short", set()), ("short-paper", {"swamp chill"})):
        listed = ("study", "items", project, "icd11", "--prompts", "--list", which, "--json")
        for one in casespan(*listed, "--count", "3", "--repeats", "1").json:
            expected = {names[0], names[1], *one["reference"]["names"], *more}
            assert set(one["prompt"]["candidates"]) == expected
    assert casespan(*call, "--list", "short").json["answered"] == 3
    assert casespan(*call, "--list", "short-paper", "--order", "freq-first").json["answered"] == 3
    tables = casespan("study", "score", project, "icd11", "--json").json["tables"]
    assert [row[1] for row in tables["3"]["rows"]] == [
        "long",
        "short",
        "change",
        "long",
        "short-paper",
        "change",
    ]
    orders = {row[0]: row[1] for row in tables["figure 2"]["rows"]}
    assert sorted(orders.values()) == ["correct-first", "freq-first", "origin"]
    assert [orders[tables["3"]["rows"][at][0]] for at in (0, 3)] == ["origin", "freq-first"]
    server.answer = lambda body: json.dumps({"ranking": [names[1], names[0]]})
    while server._script:
        server._script.popleft()
    chosen = casespan(*call, "--arm", "choose")
    assert (chosen.code, chosen.json["answered"]) == (0, 3)
    assert casespan(*call, "--arm", "genmap", "--list", "short").code == 2
    assert casespan(*call, "--arm", "genmap").json["answered"] == 3


def test_self_reports_are_written_by_a_local_model_and_what_leaks_is_asked_for_once_more(
    casespan: Casespan, tables: Path, server: ScriptedOllama, tmp_path: Path
) -> None:
    path = tmp_path / "p.casespan"
    assert casespan("new", path).code == 0
    asked: list[str] = []
    leaking = [2]

    def write(body: dict[str, Any]) -> str:
        said = prompt_text(body)
        asked.append(said)
        leaking[0] -= 1
        again = sum("a measured value" in one for one in asked)
        if leaking[0] >= 0 or (again == 2 and "a measured value" in said):
            return "My blood pressure was 150/90 mmHg."
        return "My head hurts every morning."

    server.answer = write
    write_fixture(mimic := tmp_path / "mimic", 30, 3)
    call = ("study", "build", path, "icd11", "--mimic", mimic, "--min-count", "3", "--reports", "tiny")
    remote = casespan(*call, "--host", "http://192.0.2.1:11434", "--allow-remote")
    assert (remote.code, "--i-have-permission-for" in remote.err) == (2, True)
    alone = casespan(*call, "--host", "http://192.0.2.1:11434", "--i-have-permission-for", "192.0.2.1")
    assert alone.code == 2
    built = casespan(*call, "--host", server.url, "--json")
    assert built.code == 0, built.err
    assert built.json["details"]["leaks"] == {}
    assert "a measured value" in asked[-1]
    # The second that leaked did so again.
    assert built.json["left_out"]["leaking report"] == 1
    assert len(asked) == built.json["items"] + 3
    assert "Chief Complaint" not in built.out + built.err
    asked.clear()
    assert casespan(*call, "--host", server.url, "--json").json["added"] == len(asked) == 0
    leaking[0] = 1
    anew = casespan(*call, "--host", server.url, "--new-run", "--json").json
    assert (anew["added"], len(asked)) == (1, anew["items"] + 1)
    server.script(cuts("My"))
    built = casespan(*call, "--host", server.url, "--new-run")
    assert "1 reply was cut at its limit of tokens; --resume with a larger --reply-tokens asks" in built.out
    server.script(*[cuts("My")] * len(asked))
    assert "replies were cut at their limit" in casespan(*call, "--host", server.url, "--new-run").err


@pytest.mark.skipif(sys.platform == "win32", reason="no signals as the test needs them")
def test_a_ranking_that_was_killed_loses_the_call_in_flight_alone(
    casespan: Casespan, few: Path, server: ScriptedOllama
) -> None:
    names, labels = classes_of(casespan, few), Labels()
    server.script(*[labels] * (len(names) + 5), stays_silent(threading.Event()), *[labels] * 400)
    how = ("--count", "2", "--repeats", "1", "--arm", "rank", "--model", "tiny", "--host", server.url)
    call = ("study", "run", str(few), "icd11", *how)
    process = subprocess.Popen([sys.executable, "-m", "app.cli", *call], cwd=ROOT, stderr=subprocess.DEVNULL)
    wait_for_calls(server, len(names) + 6)
    process.kill()
    process.wait(30)
    outcome = casespan(*call, "--json")
    assert (outcome.code, outcome.json["answered"]) == (0, 2)
    assert len(server.calls) == 3 * len(names) + 1


def test_codes_and_the_mark_of_a_licence_go_through_exports_packets_and_gold(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    for name, code in (("Ana", "1A00"), ("Ben", "1A02")):
        concept = {"terminology": "ICD11", "release": "2024-01", "code": code}
        entry = {"category": "Neuro", "quote": "fever", "start": 10, "end": 15, "concepts": [concept]}
        line = {"id": "c1", "text": "She had a fever.", "looked_at": ["Neuro"], "annotations": [entry]}
        given = tmp_path / f"{name}.jsonl"
        given.write_text(json.dumps(line), "utf-8")
        assert casespan("import", project, given, "--annotator", name).code == 0
    assert casespan("packet", project, tmp_path / "out", "--to", "Ana").code == 0
    packet = tmp_path / "out" / "ana.casespan"
    (span,) = casespan("spans", packet, "--annotator", "Ana", "--json").json
    call = ("code", packet, "--terminology", "icd11", "--span", span["uuid"], "--set")
    assert casespan(*call, "nothing").code == 2
    assert casespan(*call, "1a02").code == 0
    assert casespan("merge", project, packet).code == 0
    assert casespan("gold", project, "--left", "Ana", "--right", "Ben").code == 0
    out, table = tmp_path / "gold.jsonl", tmp_path / "gold.csv"
    assert casespan("export", project, out, "--format", "jsonl", "--annotator", "gold").code == 0
    assert casespan("export", project, table, "--format", "csv", "--annotator", "gold").code == 0
    report = json.loads(out.read_text("utf-8"))
    (coded,) = report["annotations"][0]["concepts"]
    assert (coded["code"], coded["label"], coded["release"]) == ("1A02", "Brellic colic", "2024-01")
    assert coded["uri"].startswith("http")
    assert "1A02" in table.read_text("utf-8-sig")
    other = tmp_path / "other.casespan"
    assert casespan("new", other).code == 0
    other.chmod(0o644)
    # The mark of one report guards all, whatever comes behind it.
    free = lines(tmp_path / "free.jsonl", {"id": "c2", "text": "He had a cough."})
    assert casespan("import", other, out, free).code == 0
    assert "credentialed" in report["metadata"]["licence"]
    for path in (packet, other):
        call = ("extract", path, "--model", "m", "--host", "http://192.0.2.1", "--allow-remote")
        refused = casespan(*call)
        assert (refused.code, "MIMIC" in refused.err) == (2, True)
        if sys.platform != "win32":
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "credentialed" in table.read_text("utf-8-sig")
