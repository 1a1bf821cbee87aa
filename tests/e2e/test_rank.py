"""`casespan rank` and `casespan terminology`: without a project, on files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.cli.commands.extract import rank
from extractors.differential.ranking import shipped_ranker
from extractors.evidence.cases import Case
from tests.e2e.conftest import Casespan

SCATTERED = ["HP:0003345", "HP:0008833", "HP:0002963", "HP:0100670", "HP:0040162", "HP:0012805", "HP:0006863"]
MARFAN = ["HP:0001166", "HP:0001083", "HP:0002616", "HP:0001519"]


def cases(folder: Path, *values: dict[str, Any]) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in values), encoding="utf-8")
    return path


def test_contributions_name_every_known_finding_once_and_add_up(casespan: Casespan, tmp_path: Path) -> None:
    case = {"id": "A", "present": [*MARFAN, "HP:9999999"], "excluded": ["HP:0001250"]}
    outcome = casespan("rank", cases(tmp_path, case), "--top", "3", "--explain", "--json")
    assert outcome.code == 0
    assert outcome.json["knowledge"]["diseases"] > 10_000
    [found] = outcome.json["cases"]
    assert (found["id"], found["left_out"], found["unknown_terms"]) == ("A", 0, ["HP:9999999"])
    assert [one["rank"] for one in found["ranking"]] == [1, 2, 3]
    for one in found["ranking"]:
        named = [each["hpo_id"] for each in one["contributions"]]
        assert named == [*MARFAN, "HP:0001250"]
        assert one["evidence"] == pytest.approx(sum(each["contribution"] for each in one["contributions"]))
        assert one["explanation"]["next"]
    assert found["fits"]
    assert "OMIM:154700" in {code for one in found["ranking"] for code in one["codes"]}


def test_cases_are_ranked_and_written_one_by_one(
    casespan: Casespan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks for all diseases of hundreds of cases needs the memory of one."""
    ranked: list[str] = []
    written: list[dict[str, Any]] = []

    def seen(case: Case) -> Case:
        ranked.append(case.id)
        return case

    monkeypatch.setattr(rank, "_with_findings", seen)

    def first(value: dict[str, Any]) -> None:
        written.append(next(iter(value["cases"])))

    monkeypatch.setattr(rank, "echo_json", first)
    path = cases(tmp_path, {"id": "A", "present": MARFAN}, {"id": "B", "present": MARFAN})
    assert casespan("rank", path, "--json").code == 0
    assert (ranked, written[0]["id"]) == (["A"], "A")


def test_own_publications_are_left_out_unless_they_are_to_be_kept(casespan: Casespan, tmp_path: Path) -> None:
    diseases = shipped_ranker().diseases
    paper, rows = next(
        (number, gone)
        for number in sorted(set(diseases._rows["publications"].tolist()))
        if number > 10_000_000 and (gone := diseases.without([number])[1]) > 3
    )
    path = cases(tmp_path, {"id": "A", "present": MARFAN, "publications": [f"PMID:{paper}"]})
    left = casespan("rank", path, "--json").json["cases"][0]
    kept = casespan("rank", path, "--own-publication", "keep", "--no-prevalence", "--json").json["cases"][0]
    assert (left["left_out"], kept["left_out"]) == (rows, 0)
    plain = casespan("rank", path, "--no-prevalence").out
    assert "prevalence and the number of publications are left out" in plain
    said = casespan("rank", path).out
    assert "by prevalence and by how many publications" in said
    assert f"Left out: {rows} rows citing PMID:{paper}" in said
    assert "research tool" in said
    assert "evidence alone may order them otherwise" in said


def test_a_profile_that_nothing_listed_explains_is_said_to_fit_none(
    casespan: Casespan, tmp_path: Path
) -> None:
    for present, fits in ((MARFAN, True), (SCATTERED, False)):
        path = cases(tmp_path, {"id": "A", "present": present})
        said = casespan("rank", path, "--explain", "--top", "2").out
        assert ("may fit no known disease" not in said) is fits
        first, second = re.findall(r"^ +[12]  (.+) \(\S+:", said, re.MULTILINE)
        # What would part the first from the second, and every other from the first.
        assert re.findall(r"look for, against (.+?): ", said) == [second, first]


def test_a_case_with_denied_findings_alone_is_said_to_have_no_ranking(
    casespan: Casespan, tmp_path: Path
) -> None:
    # What its text says counts only where the case says nothing itself.
    case = {"id": "A", "excluded": MARFAN, "text": "He had seizures."}
    outcome = casespan("rank", cases(tmp_path, case), "--json")
    assert outcome.code == 1
    assert outcome.json["cases"][0]["ranking"] == []
    assert "No finding is present" in outcome.json["cases"][0]["note"]
    told = casespan("rank", cases(tmp_path, case, {"id": "B", "text": "He had seizures."})).out
    assert [line for line in told.splitlines() if line.startswith(("A:", "B:"))] == [
        "A: 0 findings, 4 denied",
        "B: 1 finding, 0 denied, found in its text by rules",
    ]


def test_five_hundred_findings_are_each_named(casespan: Casespan, tmp_path: Path) -> None:
    diseases = shipped_ranker().diseases
    many = [code for code, count in zip(diseases.terminology.codes, diseases.counts, strict=True) if count][
        100:600
    ]
    outcome = casespan("rank", cases(tmp_path, {"id": "A", "present": many}), "--top", "1", "--json")
    assert [one["hpo_id"] for one in outcome.json["cases"][0]["ranking"][0]["contributions"]] == many


def test_what_is_no_case_is_named_and_the_rest_ranked(casespan: Casespan, tmp_path: Path) -> None:
    path = cases(tmp_path, {"id": "A", "present": MARFAN}, {"present": MARFAN})
    outcome = casespan("rank", path, "--json")
    assert outcome.code == 1
    assert len(outcome.json["cases"]) == 1
    assert outcome.err == "casespan: cases.jsonl:2 has no id; it was left out.\n"
    assert casespan("rank", tmp_path / "none.jsonl").code == 2
    alone = casespan("rank", cases(tmp_path, {"present": MARFAN}))
    assert (alone.code, alone.err) == (1, "casespan: No case could be read: cases.jsonl has no id.\n")
    odd = [{"id": "A", "present": [*MARFAN, "HP:9999999", "HP:0001505"]}, {"id": "B", "excluded": MARFAN}]
    for how in ([], ["--json"]):
        told = casespan("rank", cases(tmp_path, *odd), *how)
        assert told.code == 1
        assert told.err == (
            "casespan: 1 code not counted, no terms of this release: HP:9999999.\n"
            "casespan: 1 code read as the code in use: HP:0001505 -> HP:0001166 (1 time).\n"
            "casespan: 1 case without a present finding to rank by: B.\n"
        )
    assert casespan("rank", path, "--top", "0").code == 2


def test_a_terminology_is_listed_searched_shown_and_imported(
    casespan: Casespan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CASESPAN_DATA", str(tmp_path / "data"))
    [shipped] = casespan("terminology", "list", "--json").json
    assert (shipped["name"], shipped["shipped"]) == ("HPO", True)
    best, *_ = casespan("terminology", "search", "hpo", "gait ataxai", "--json").json
    assert (best["code"], best["matched"]["label"], best["leaf"]) == ("HP:0002066", "Gait ataxia", False)
    for most in ("1", "3"):
        few = casespan("terminology", "search", "hpo", "gait", "--limit", most, "--json").json
        assert len(few) == int(most)
    shown = casespan("terminology", "show", "HPO", "HP:0002066", "--json").json
    assert {"code": "HP:0001251", "label": "Ataxia"} in shown["parents"]
    assert "no code" in casespan("terminology", "show", "HPO", "HP:99").err
    assert "has nothing like “zzzzqqq”" in casespan("terminology", "search", "hpo", "zzzzqqq").out
    listed = casespan("terminology", "list").out
    assert [f"{name} is not here" in listed for name in ("ICD-11", "Orphanet")] == [True, True]
    obo = tmp_path / "hp.obo"
    obo.write_text("data-version: hp/releases/2099-01-01\n\n[Term]\nid: HP:1\nname: All\n", encoding="utf-8")
    assert casespan("terminology", "import", "HPO", obo).code == 0
    assert casespan("terminology", "show", "HPO", "HP:1", "--json").json["release"] == "2099-01-01"
    older = ("--release", shipped["release"], "--json")
    assert casespan("terminology", "search", "HPO", "Seizure", *older).json[0]["code"] == "HP:0001250"
    assert casespan("terminology", "show", "HPO", "HP:0001250", *older).json["label"] == "Seizure"
    for wrong in (
        ["show", "ICD-12", "1"],
        ["import", "HPO", tmp_path],
        ["search", "HPO", "a", "--limit", "0"],
    ):
        outcome = casespan("terminology", *wrong)
        assert (outcome.code, outcome.err.count("\n")) == (2, 1)
