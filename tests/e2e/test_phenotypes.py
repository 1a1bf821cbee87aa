"""`casespan phenotypes`: the terms of reports, a layer of their own in the project."""

from __future__ import annotations

from pathlib import Path

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
    assert "HP:0001945" in report["profile"]["excluded"]
    assert "HP:0001009" in report["profile"]["present"]
    exported = casespan(
        "export", study, tmp_path / "texts.jsonl", "--format", "jsonl", "--annotator", "annotator-1"
    )
    assert exported.code == 0
    assert lists() == before
    assert "phenotypes/rules (run)" not in casespan("list", study).out
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
