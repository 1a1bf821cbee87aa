"""`casespan differential`: the diseases that explain a report, by the terms found in it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import get_args

import pytest

from app.operations.profile.differential import read_differential
from app.store.act import begin_act
from app.store.annotate.anchors import AnchorState, put_anchor
from app.store.project import Project
from app.store.reports.documents import document
from extractors.differential.ranking import Options, shipped_ranker
from extractors.model.coding import Coding
from tests.e2e.conftest import Casespan

MARFAN = "He had arachnodactyly, ectopia lentis, scoliosis and an aortic root aneurysm. He denied seizures."
DENIED = "She had no fever. She denied headache."
PLAIN = "We thank all who helped."
RULES = "phenotypes/rules"


@pytest.fixture(scope="module")
def paper() -> tuple[int, int]:
    """A PubMed id that rows of the annotations cite, and how many."""
    number = 10_022_408
    gone = shipped_ranker().diseases.without([number])[1]
    assert gone > 3
    return number, gone


@pytest.fixture
def ranked(casespan: Casespan, tmp_path: Path, paper: tuple[int, int]) -> Path:
    """Three reports, one of them published in `paper`, with the terms that the rules find."""
    reports = [
        {"pmcid": "1", "pmid": str(paper[0]), "title": "<script>alert(1)</script>", "case": {"": MARFAN}},
        {"pmcid": "2", "title": "Denied", "case": {"": DENIED}},
        {"pmcid": "3", "title": "Nothing", "case": {"": PLAIN}},
    ]
    (tmp_path / "reports.json").write_text(json.dumps(reports), encoding="utf-8")
    project = tmp_path / "ranked.casespan"
    assert casespan("new", project, "--annotator", "ann").code == 0
    assert casespan("import", project, tmp_path / "reports.json").code == 0
    assert casespan("phenotypes", project, "--with", "rules").code == 0
    return project


def test_a_report_is_ranked_as_a_case_is_without_what_cites_it(
    casespan: Casespan, ranked: Path, paper: tuple[int, int]
) -> None:
    said = casespan("differential", ranked, "--document", "PMC1", "--explain", "--json")
    assert said.code == 0
    assert (said.json["annotator"], said.json["suggested"]) == (RULES, True)
    [found] = said.json["cases"]
    assert (found["id"], found["publications"], found["left_out"]) == ("PMC1", [f"PMID:{paper[0]}"], paper[1])
    assert found["excluded"] == ["HP:0001250"]
    case = {key: found[key] for key in ("id", "present", "excluded", "publications")}
    path = ranked.with_name("case.jsonl")
    path.write_text(json.dumps(case), encoding="utf-8")
    [plain] = casespan("rank", path, "--explain", "--json").json["cases"]
    assert plain == {key: found[key] for key in plain}
    kept = casespan("differential", ranked, "--own-publication", "keep", "--json").json
    assert kept["cases"][0]["left_out"] == 0
    assert not any("PubMed" in note for note in kept["notes"])


def test_what_cannot_be_ranked_is_said_and_the_rest_is_ranked(casespan: Casespan, ranked: Path) -> None:
    said = casespan("differential", ranked, "--top", "2")
    assert said.code == 1
    assert "A research tool, not advice. HPO 2025-01-16, annotations 2025-01-16, 10,634 diseases" in said.out
    assert "suggestions that nobody has accepted" in said.out
    assert "1 report names no PubMed id" in said.out
    assert "PMC2: 0 findings, 2 denied" in said.out
    assert "No finding is present" in said.out
    assert "PMC3" not in said.out
    assert "PMC3" in casespan("differential", ranked, "--document", "PMC3").out


def test_only_what_a_person_said_a_report_is_about_is_told_with_its_rank(ranked: Path) -> None:
    with Project.open(ranked, write=True) as project:
        shown = read_differential(project, "PMC1", RULES, Options())
        best = shown.ranking.diseases[0]
        coding = Coding("ORPHA", "", best.codes[0], best.name, "", "human")
        told, states = [], get_args(AnchorState)
        for state in states:
            with begin_act(project, "say", "ann") as act:
                put_anchor(act, document(project, "PMC1").uuid, state, coding, {})
            shown = read_differential(project, "PMC1", RULES, Options())
            told.append((shown.diagnosis, shown.rank))
    assert dict(zip(states, told, strict=True)) == {
        "proposed": ("", None), "confirmed": (best.name, 1), "none": ("", None),
    }  # fmt: skip


def test_a_page_and_a_table_hold_the_reasons_and_no_markup_of_a_report(
    casespan: Casespan, ranked: Path, tmp_path: Path
) -> None:
    page, table = tmp_path / "d.html", tmp_path / "d.csv"
    assert casespan("differential", ranked, "--document", "PMC1", "--html", page).code == 0
    html = page.read_text("utf-8")
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert not any(word in html for word in ("http://", "https://", "src="))
    for words in ("research tool, not advice", "2025-01-16", "rows citing PMID:", "Look for, against"):
        assert words in html
    assert casespan("differential", ranked, "--document", "PMC1", "--top", "3", "--csv", table).code == 0
    rows = list(csv.DictReader(table.read_text("utf-8-sig").splitlines()))
    assert [(row["report"], row["rank"]) for row in rows] == [("PMC1", "1"), ("PMC1", "2"), ("PMC1", "3")]
    assert "Arachnodactyly" in rows[0]["for"]


def test_phenopackets_come_back_as_the_reports_that_they_were_written_of(
    casespan: Casespan, ranked: Path, tmp_path: Path
) -> None:
    who = ("--annotator", RULES)
    said = casespan("export", ranked, tmp_path / "packets", "--format", "phenopacket", *who)
    assert (said.code, said.out.splitlines()[1]) == (
        0, "  1 report not written: phenotypes/rules has no terms of a profile there",
    )  # fmt: skip
    packet = json.loads((tmp_path / "packets" / "PMC1.json").read_text("utf-8"))
    assert packet["subject"]["id"].startswith("patient-")
    assert packet["metaData"]["resources"][0]["version"] == "2025-01-16"
    features = packet["phenotypicFeatures"]
    assert [one["type"]["id"] for one in features if one.get("excluded")] == ["HP:0001250"]
    assert features[0]["evidence"][0]["reference"]["id"].startswith("PMID:")
    assert {one["evidence"][0]["evidenceCode"]["id"] for one in features} == {"ECO:0000501"}
    of_files = casespan("rank", tmp_path / "packets", "--json").json["cases"]
    of_project = casespan("differential", ranked, "--json").json["cases"]
    assert len(of_files) == 2
    for read, written in zip(of_files, of_project, strict=True):
        assert read == {key: written[key] for key in read}
    assert casespan("export", ranked, tmp_path / "p.csv", "--format", "profile", *who).code == 0
    rows = list(csv.DictReader((tmp_path / "p.csv").read_text("utf-8-sig").splitlines()))
    denied = [(row["code"], row["quotes"]) for row in rows if row["polarity"] == "negated"]
    assert ("HP:0001250", "seizures") in denied
    assert (
        casespan("export", ranked, tmp_path / "none", "--format", "phenopacket", "--annotator", "x").code == 2
    )


def test_what_a_person_accepted_and_added_is_what_counts_and_goes_out(
    casespan: Casespan, ranked: Path, tmp_path: Path
) -> None:
    for act in (["--accept", "all"], ["--add", "HP:0000545", "--onset", "P3Y"], ["--add", "HP:0001519"]):
        assert casespan("profile", ranked, "--document", "PMC1", *act).code == 0
    said = casespan("differential", ranked, "--json").json
    assert (said["annotator"], said["suggested"]) == ("ann", False)
    [found] = said["cases"]
    assert {"HP:0000545", "HP:0001166"} <= {*found["present"]}
    packets = tmp_path / "packets"
    assert casespan("export", ranked, packets, "--format", "phenopacket", "--annotator", "ann").code == 0
    features = json.loads((packets / "PMC1.json").read_text("utf-8"))["phenotypicFeatures"]
    [myopia] = [one for one in features if one["type"]["id"] == "HP:0000545"]
    assert myopia["onset"] == {"age": {"iso8601duration": "P3Y"}}
    codes = {one["evidence"][0]["evidenceCode"]["id"] for one in features}
    assert codes == {"ECO:0000304"}
    assert casespan("rank", packets, "--json").json["cases"][0]["ranking"] == found["ranking"]


def test_what_is_not_there_is_one_sentence(casespan: Casespan, ranked: Path, project: Path) -> None:
    for wrong, code in (
        ([ranked, "--document", "nobody"], 2),
        ([ranked, "--annotator", "nobody"], 2),
        ([ranked, "--top", "0"], 2),
        ([ranked, "--html", ranked], 2),
        ([project], 1),
    ):
        said = casespan("differential", *wrong)
        assert (said.code, said.err.count("\n")) == (code, 1)


def test_where_relatives_alone_have_terms_there_is_nothing_to_rank_by(
    casespan: Casespan, tmp_path: Path
) -> None:
    project, note = tmp_path / "p.casespan", tmp_path / "note.txt"
    note.write_text("Her mother had seizures.", encoding="utf-8")
    assert casespan("new", project).code == 0
    assert casespan("import", project, note).code == 0
    assert casespan("phenotypes", project, "--with", "rules").code == 0
    assert casespan("differential", project).code == 1
