"""`casespan agree` on real files: one pair, every pair, tables and pictures."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import ROOT, Casespan

SIDES = ("--left", "annotator-1", "--right", "gold")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, key: str, **categories: list[str]) -> Path:
    path.write_text(json.dumps([{"pmcid": key, "text": f"Report {key}: ataxia and fever.\n", **categories}]))
    return path


def test_without_sides_every_pair_is_measured_in_both_directions(casespan: Casespan, few: Path) -> None:
    result = casespan("agree", few, "--json").json
    assert result["annotators"] == ["annotator-1", "annotator-2", "gold"]
    pairs = {(pair["left"], pair["right"]): pair for pair in result["pairs"]}
    assert len(pairs) == 6
    single = casespan("agree", few, *SIDES, "--json").json
    found = pairs["annotator-1", "gold"]
    assert found["average"]["tsr"] == single["average"]["tsr"]
    assert found["average"]["tsr"] != pairs["gold", "annotator-1"]["average"]["tsr"]
    assert (found["documents"], found["n"]) == (single["documents"], single["average"]["n"])


def test_named_annotators_alone_are_paired(casespan: Casespan, study: Path) -> None:
    names = ("--annotator", "gold", "--annotator", "annotator-2")
    result = casespan("agree", study, *names, "--profile", "strict", "--json").json
    assert [(pair["left"], pair["right"]) for pair in result["pairs"]] == [("gold", "annotator-2")]
    table = casespan("agree", study, *names).out
    assert "Every pair of 2 annotators" in table
    assert "Words per report" in table


def test_shares_say_how_many_reports_have_something(casespan: Casespan, study: Path) -> None:
    shares = casespan("agree", study, "--json").json["shares"]["gold"]
    neuro = shares["categories"]["Neuro"]
    assert neuro["share"] == pytest.approx(100 * neuro["found"] / neuro["looked_at"])
    assert shares["reports"] == 10


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--left", "gold"), "both --left and --right"),
        ((*SIDES, "--annotator", "gold"), "either"),
        (("--annotator", "gold"), "two annotators or more"),
        (("--svg", "x.svg"), "one pair"),
        (("--annotator", "gold", "--annotator", "nobody"), "nobody"),
        *(
            (((*SIDES, "--concepts", "hpo", one, "x")), "as a table")
            for one in ("--html", "--csv", "--svg", "--png")
        ),
    ],
)
def test_a_call_that_cannot_be_meant_is_one_sentence(
    casespan: Casespan, study: Path, arguments: tuple[str, ...], words: str
) -> None:
    outcome = casespan("agree", study, *arguments)
    assert outcome.code == 2
    assert words in outcome.err
    assert outcome.err.count("\n") == 1


def test_csv_writes_reports_and_confusion_counts_beside_the_table(
    casespan: Casespan, study: Path, tmp_path: Path
) -> None:
    out = tmp_path / "a.csv"
    said = casespan("agree", study, *SIDES, "--csv", out).out
    result = casespan("agree", study, *SIDES, "--json").json
    reports = rows(tmp_path / "a-reports.csv")
    assert len(reports) == 10 * 15
    wholes = {row["report"]: float(row["tsr"]) for row in reports if row["category"] == "all"}
    assert wholes == {report["key"]: report["tsr"] for report in result["reports"]}
    counts = {row.pop("left \\ right"): row for row in rows(tmp_path / "a-confusion.csv")}
    assert {label: {k: int(v) for k, v in row.items()} for label, row in counts.items()} == result[
        "confusion_counts"
    ]
    assert all(str(tmp_path / f"a{end}.csv") in said for end in ("", "-reports", "-confusion"))


def test_csv_of_every_pair_has_the_shares_beside_it(casespan: Casespan, few: Path, tmp_path: Path) -> None:
    casespan("agree", few, "--csv", tmp_path / "p.csv")
    assert len(rows(tmp_path / "p.csv")) == 6
    assert {row["annotator"] for row in rows(tmp_path / "p-shares.csv")} == {
        "annotator-1",
        "annotator-2",
        "gold",
    }


def test_a_title_that_a_spreadsheet_would_run_is_guarded(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    source = tmp_path / "1.json"
    source.write_text(json.dumps([{"pmcid": "7", "title": "=1+1", "text": "ataxia", "Neuro": ["ataxia"]}]))
    casespan("import", project, source)
    casespan("agree", project, "--left", "imported", "--right", "imported", "--csv", tmp_path / "a.csv")
    assert {row["title"] for row in rows(tmp_path / "a-reports.csv")} == {"'=1+1"}


def test_the_html_report_has_shares_and_every_pair_in_both_profiles(
    casespan: Casespan, few: Path, tmp_path: Path
) -> None:
    for arguments in (SIDES, ()):
        out = tmp_path / "a.html"
        assert casespan("agree", few, *arguments, "--html", out).code == 0
        page = out.read_text(encoding="utf-8")
        assert "What each annotator marked" in page
        assert "Every pair in the paper profile" in page
        assert "Every pair in the strict profile" in page
        assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_svg_is_written_without_qt(casespan: Casespan, study: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    assert casespan("agree", study, *SIDES, "--svg", out).code == 0
    assert out.read_text(encoding="utf-8").startswith("<?xml")


def test_png_without_qt_is_one_sentence(casespan: Casespan, study: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.png"
    outcome = casespan("agree", study, *SIDES, "--png", out)
    assert outcome.code == 2
    assert "--svg" in outcome.err
    assert not out.exists()


def test_png_is_painted_where_there_is_no_display(few: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.png"
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    call = [sys.executable, "-m", "app.launch", "agree", str(few), *SIDES, "--png", str(out)]
    done = subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    data = out.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 2 * 1136


def test_no_picture_takes_the_place_of_a_project(casespan: Casespan, study: Path) -> None:
    before = study.read_bytes()
    assert casespan("agree", study, *SIDES, "--svg", study).code == 2
    assert study.read_bytes() == before


def test_reports_that_one_side_alone_looked_at_are_counted_and_said(
    casespan: Casespan, tmp_path: Path
) -> None:
    project = tmp_path / "p.casespan"
    casespan("new", project)
    for name, keys in (("ann", "12"), ("ben", "234")):
        for key in keys:
            source = write(tmp_path / f"{name}{key}.json", key, Neuro=["ataxia"])
            assert casespan("import", project, source, "--annotator", name).code == 0
    sides = ("--left", "ann", "--right", "ben")
    said = casespan("agree", project, *sides).out
    assert "1 report was annotated by ann and not by ben" in said
    assert "2 reports were annotated by ben and not by ann" in said
    result = casespan("agree", project, *sides, "--json").json
    assert (result["documents"], result["left_only"], result["right_only"]) == (1, 1, 2)


def test_two_annotators_without_a_common_report_are_a_sentence(casespan: Casespan, tmp_path: Path) -> None:
    project = tmp_path / "p.casespan"
    casespan("new", project)
    for name, key in (("ann", "1"), ("ben", "2")):
        casespan(
            "import", project, write(tmp_path / f"{name}.json", key, Neuro=["ataxia"]), "--annotator", name
        )
    assert "No report was annotated by both ann and ben." in casespan("agree", project).out
    (first, _) = casespan("agree", project, "--json").json["pairs"]
    assert first["average"]["tsr"] is None
    assert casespan("agree", project, "--left", "ann", "--right", "ben").code == 2


def test_agreement_on_tokens_stands_in_json_and_on_demand_in_the_terminal(
    casespan: Casespan, few: Path
) -> None:
    sides = ("agree", few, *SIDES)
    found = casespan(*sides, "--json").json
    for key in ("cohen_kappa", "krippendorff_alpha"):
        assert key in found["average"]
        assert all(key in row for row in (*found["categories"].values(), *found["reports"], found["pooled"]))
    assert "kappa" not in casespan(*sides).out
    assert "kappa" in casespan(*sides, "--tokens").out
    assert casespan("agree", few, "--tokens").code == 2
