"""`casespan phenotypes`: the terms of reports, a layer of their own in the project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.e2e.conftest import Casespan

REPORT = "telangiectasia-in-pregnancy"


def test_terms_are_kept_with_places_profile_and_release_and_change_no_list(
    casespan: Casespan, study: Path, tmp_path: Path
) -> None:
    def lists() -> list[str]:
        exported = tmp_path / "out.jsonl"
        casespan("export", study, exported, "--format", "jsonl", "--annotator", "annotator-1")
        agreed = casespan("agree", study, "--left", "annotator-1", "--right", "annotator-2", "--json").out
        figures = casespan("figures", study).out
        return [exported.read_text("utf-8"), agreed, figures]

    before = lists()
    said = casespan("phenotypes", study, "--with", "rules", "--document", REPORT, "--json").json
    assert said["ontology"]["version"] == "2025-01-16"
    (report,) = said["documents"]
    terms = {(one["hpo_id"], one["polarity"], one["status"]) for one in report["phenotypes"]}
    assert ("HP:0000421", "relative", "suggested") in terms
    assert ("HP:0001945", "negated", "suggested") in terms
    assert ("HP:0001009", "present", "suggested") in terms
    # The run's own profile, of what the patient has; that of a person is empty until something is accepted.
    assert report["profile"]["annotator"] == "phenotypes/rules"
    assert "HP:0001009" in report["profile"]["present"]
    assert "HP:0001945" in report["profile"]["excluded"]
    mine = casespan("profile", study, "--document", REPORT, "--annotator", "annotator-1", "--json").json
    assert (mine["profile"]["present"], mine["profile"]["excluded"]) == ([], [])
    exported = casespan(
        "export", study, tmp_path / "texts.jsonl", "--format", "jsonl", "--annotator", "annotator-1"
    )
    assert exported.code == 0
    assert lists() == before
    assert "phenotypes/rules (run)" not in casespan("list", study).out
    assert [one["annotator"] for one in casespan("list", study, "--json").json["runs"]] == [
        "phenotypes/rules"
    ]
    assert casespan("check", study).code == 0


def test_what_a_person_says_of_a_profile_counts_and_is_told_by_every_command(
    casespan: Casespan, tmp_path: Path, study: Path
) -> None:
    def profile(*more: object) -> Any:  # noqa: ANN401
        said = casespan("profile", study, "--document", REPORT, "--annotator", "annotator-1", *more, "--json")
        assert said.code == 0, said.err
        return said.json

    casespan("phenotypes", study, "--with", "rules", "--document", REPORT)
    suggested = profile()["suggestions"]
    assert {one["status"] for one in suggested} == {"suggested"}
    assert {one["origin"] for one in suggested} == {"rules"}
    fever = next(one["id"] for one in suggested if one["hpo_id"] == "HP:0001945")
    assert profile("--reject", fever)["profile"]["excluded"] == []
    after = profile("--accept", "all")
    nothing = ("profile", study, "--document", REPORT, "--annotator", "annotator-1", "--accept", "all")
    assert "Nothing is suggested" in casespan(*nothing).err
    assert "HP:0001009" in after["profile"]["present"]
    assert "HP:0001945" not in after["profile"]["excluded"]
    statuses = {(one["polarity"] == "relative", one["status"]) for one in after["suggestions"]}
    assert statuses == {(True, "suggested"), (False, "accepted"), (False, "rejected")}
    assert after["ontology"]["versions"] == ["2025-01-16"]
    relative = next(one["id"] for one in after["suggestions"] if one["polarity"] == "relative")
    accepted = profile("--accept", relative)["phenotypes"]
    assert [one["polarity"] for one in accepted].count("relative") == 1
    assert casespan("undo", study).code == 0
    added = profile("--add", "HP:0001275", "--said", "negated", "--onset", "P3Y")
    assert "HP:0001275 is now HP:0001250" in added["notes"][0]
    assert added["phenotypes"][-1] | {"id": ""} == {
        "id": "", "hpo_id": "HP:0001250", "label": "Seizure", "quote": None, "start": None, "end": None,
        "polarity": "negated", "onset": "P3Y", "origin": "human", "status": "accepted",
    }  # fmt: skip
    assert casespan("undo", study).code == 0
    assert profile() == after
    # What is said of a relative is listed among one's own, and counts for nothing.
    relative = next(one["id"] for one in after["suggestions"] if one["polarity"] == "relative")
    with_relative = profile("--accept", relative)
    assert len(with_relative["phenotypes"]) == len(after["phenotypes"]) + 1
    assert with_relative["profile"] == after["profile"]
    for call, sentence in (
        (("--accept", "no"), "no annotation no"),
        (("--add", "HP:1", "--code", "HP:1"), "--add names the code itself"),
        (("--add", "HP:0001250", "--place", "120"), "is no place; give two numbers"),
    ):
        wrong = casespan("profile", study, "--document", REPORT, "--annotator", "annotator-1", *call)
        assert (wrong.code, wrong.err.count("\n"), sentence in wrong.err) == (2, 1, True), wrong.err
    assert casespan("check", study).code == 0


def test_a_persons_terms_and_what_a_run_suggests_are_compared(casespan: Casespan, study: Path) -> None:
    casespan("phenotypes", study, "--with", "rules", "--document", REPORT)
    whose = ("--document", REPORT, "--annotator", "annotator-1")
    casespan("profile", study, *whose, "--accept", "all")
    agree = ("agree", study, "--concepts", "hpo", "--left", "annotator-1", "--right", "phenotypes/rules")
    found = casespan(*agree, "--json").json
    row = found["categories"]["HPO"]
    assert (found["documents"], row["concept_f1"], row["concept_nearness"]) == (1, 1.0, 1.0)
    terms = casespan("profile", study, *whose, "--json").json["phenotypes"]
    codes = [one["hpo_id"] for one in terms]
    term = next(one for one in terms if codes.count(one["hpo_id"]) == 1)
    shown = casespan("terminology", "show", "hpo", term["hpo_id"].lower(), "--json").json
    assert shown["label"] not in [one["label"] for one in shown["synonyms"]]
    above = shown["parents"][0]["code"]
    casespan("profile", study, *whose, "--change", term["id"], "--code", above)
    row = casespan(*agree, "--json").json["pooled"]
    assert 0 < row["concept_f1"] < row["concept_nearness"] < 1
    assert "Same" in casespan(*agree).out
    assert casespan("agree", study, "--concepts", "hpo").code == 2


def test_a_span_is_coded_and_cleared_by_its_id(casespan: Casespan, study: Path) -> None:
    spans = casespan("spans", study, "--annotator", "annotator-1", "--json").json
    code = ("code", study, "--terminology", "hpo")
    said = casespan(*code, "--span", spans[0]["uuid"], "--set", "HP:0001945", "--json").json
    assert (said["changed"], said["concepts"][0]["label"]) == (True, "Fever")
    left = casespan(*code, "--suggest", "--annotator", "annotator-1", "--json").json
    assert spans[0]["uuid"] not in {one["span"] for one in left}
    assert left
    assert casespan(*code, "--span", spans[0]["uuid"], "--clear").out == "It stands for nothing now.\n"
    assert casespan(*code, "--set", "HP:0001945").code == 2
    assert casespan("check", study).code == 0


def test_running_again_changes_nothing_and_undo_takes_the_terms_back(casespan: Casespan, study: Path) -> None:
    assert casespan("phenotypes", study, "--with", "rules", "--document", REPORT).code == 0
    assert (
        "1 report came out as before."
        in casespan("phenotypes", study, "--with", "rules", "--document", REPORT).out
    )
    for command in ("undo", "undo", "redo"):
        assert casespan(command, study).code == 0
        assert casespan("check", study).code == 0
    assert casespan("delete", study, REPORT).code == 0
    assert casespan("check", study).code == 0
    assert casespan("undo", study).code == 0
    assert "as before" in casespan("phenotypes", study, "--with", "rules", "--document", REPORT).out


def test_a_report_that_is_not_there_is_one_sentence(casespan: Casespan, study: Path) -> None:
    said = casespan("phenotypes", study, "--with", "rules", "--document", "nobody")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert casespan("phenotypes", study).code == 2
