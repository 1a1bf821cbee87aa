"""`casespan terminology` and `casespan icd11 map` on WHO's files as downloaded."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from extractors.terminology.library import FOLDER
from tests.e2e.conftest import Casespan
from tests.icd11 import tabulation, write_tables


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))


def rows(folder: Path) -> Path:
    path = folder / "rows.csv"
    path.write_text("code,title\nZ90.0,Sudden rot of plumes\nK12,Nothing of the kind\n", encoding="utf-8")
    return path


def test_without_tables_every_command_says_what_to_fetch_and_where_it_goes(
    casespan: Casespan, tmp_path: Path
) -> None:
    for call in (
        ("terminology", "search", "icd11", "rot"),
        ("terminology", "show", "ICD11", "QA00"),
        ("icd11", "map", rows(tmp_path), "--from", "icd10cm", "--json"),
    ):
        outcome = casespan(*call)
        assert outcome.code == 2
        for said in (
            "SimpleTabulation-ICD-11-MMS-en.zip",
            "terminology import ICD11",
            str(tmp_path / "data"),
        ):
            assert said in outcome.err


def test_what_was_imported_is_counted_searched_and_shown(casespan: Casespan, tmp_path: Path) -> None:
    outcome = casespan("terminology", "import", "icd11", *write_tables(tmp_path), "--json")
    assert outcome.code == 0
    said = outcome.json
    assert len(said.pop("maps")) == 4
    assert said == {
        "release": "2024-01", "languages": ["en"], "categories": 12, "leaves": 10, "left_out": {},
    }  # fmt: skip
    found = casespan("terminology", "search", "icd11", "pyrexia of the bill", "--json").json[0]
    assert found == {
        "code": "QB10.Z", "label": "Beak fever, unspecified", "uri": "http://id.who.int/icd/release/11/mms/12",
        "matched": {"label": "Pyrexia of the bill", "kind": "icd10"}, "leaf": True, "residual": True,
        "score": found["score"],
    }  # fmt: skip
    for words, codes in (((), []), (("--extensions",), ["XQ2B"])):
        plumes = casespan("terminology", "search", "icd11", "severe plume", *words, "--json").json
        assert [one["code"] for one in plumes if one["code"].startswith("X")] == codes
    assert "CC BY-ND 3.0 IGO" in casespan("terminology", "search", "icd11", "rot").out
    assert "CC BY-ND 3.0 IGO" in casespan("terminology", "search", "icd11", "rot", "--json").err
    assert casespan("terminology", "show", "icd11", "QB10.Z", "--json").json["icd10"] == ["Z91"]
    cluster = casespan("terminology", "show", "icd11", "QA00.0&XQ2B", "--json").json
    assert [one["code"] for one in cluster["parts"]] == ["QA00.0", "XQ2B"]
    head, *lines = casespan("terminology", "show", "icd11", "QA00.0&XQ2B").out.splitlines()
    assert head.startswith("QA00.0&XQ2B  Acute plume rot")
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == ["QA00.0", "XQ2B"]
    assert sum("CC BY-ND 3.0 IGO" in line for line in lines) == 2
    listed = casespan("terminology", "list").out
    assert "ICD-11 is not here" not in listed
    assert "Orphanet is not here" in listed


def test_of_several_releases_all_are_told(casespan: Casespan, tmp_path: Path) -> None:
    for year, rows in ((2024, tabulation()), (2025, tabulation(version="Version:2025 Jan 21") + "odd\n")):
        (tmp_path / f"{year}.txt").write_text(rows, "utf-8")
    outcome = casespan("terminology", "import", "icd11", *sorted(tmp_path.glob("*.txt")), "--json")
    told = [one["release"] for one in (outcome.json, *outcome.json["others"])]
    assert (outcome.code, told) == (1, ["2025-01", "2024-01"])


def test_rows_are_mapped_or_explained_and_who_is_cited(casespan: Casespan, tmp_path: Path) -> None:
    casespan("terminology", "import", "ICD11", *write_tables(tmp_path))
    by_table = ("icd11", "map", rows(tmp_path), "--from", "icd10cm", "--json")
    first, second = casespan(*by_table).json
    (one, none) = casespan(*by_table, "--top", "1").json
    assert (one["candidates"], none) == (first["candidates"][:1], second)
    assert len(first["candidates"]) > 1
    assert (first["candidates"][0]["code"], first["reason"]) == ("QA00.0", None)
    assert (second["candidates"], second["reason"]) == ([], "no table has the code, cut or whole")
    out = tmp_path / "out.csv"
    for share, code in (("0", 2), ("1.1", 2), ("1", 0)):
        mapping = ("icd11", "map", rows(tmp_path), "--from", "icd10cm", "--share", share, "--out", out)
        assert casespan(*mapping).code == code
    with out.open(encoding="utf-8-sig", newline="") as lines:
        said = list(csv.DictReader(lines))
    assert said[0]["icd11_title"] == "Acute plume rot"
    assert "release 2024-01" in said[0]["source"]
    assert said[-1]["reason"]
    titles = tmp_path / "titles.csv"
    titles.write_text("title\nvery severe chronic plume rot left fan\n", encoding="utf-8")
    for share, codes in (("0.7", ["QA00.1"]), ("0.8", [])):
        by_words = ("icd11", "map", titles, "--from", "text", "--via", "text", "--share", share, "--json")
        assert [each["code"] for each in casespan(*by_words).json[0]["candidates"]] == codes
    missing = tmp_path / "missing.csv"
    missing.write_text("title\nrot\n", encoding="utf-8")
    outcome = casespan("icd11", "map", missing, "--from", "icd10", "--json")
    assert (outcome.code, "no column “code”" in outcome.err) == (2, True)
