"""A run is reviewed from the command line: listed, judged span by span, judged again, undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Casespan

ME, KEY = "Dr Ana Ruiz", "PMC99000001"


@pytest.fixture
def ruled(casespan: Casespan, study: Path) -> Path:
    """The samples with a run of the rules; annotator-1 has spans of the same reports."""
    assert casespan("extract", study, "--with", "rules", "--document", KEY).code == 0
    return study


def report_review(casespan: Casespan, project: Path, name: str = ME, *more: object) -> dict[str, Any]:
    outcome = casespan(
        "review", project, "--run", "rules", "--annotator", name, "--document", KEY, "--json", *more
    )
    assert outcome.code == 0, outcome.err
    (found,) = outcome.json
    return dict(found)


def items(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for row in found["rows"] for one in row["right"]]


def test_every_quote_of_the_run_is_listed_once_with_how_it_stands(casespan: Casespan, ruled: Path) -> None:
    found = report_review(casespan, ruled, "annotator-1")
    ids = [one["id"] for one in items(found)]
    assert len(ids) == len(set(ids)) == found["items"]
    assert found["judged"] == 0
    relations = {row["relation"] for row in found["rows"]}
    assert {"same", "only left", "only right"} <= relations
    assert all(row["words"] for row in found["rows"] if row["left"] and row["right"])


def test_verdicts_are_kept_and_the_run_stays_as_it_was(
    casespan: Casespan, ruled: Path, tmp_path: Path
) -> None:
    before = exported(casespan, ruled, tmp_path / "before.jsonl")
    first, second, third = (one["id"] for one in items(report_review(casespan, ruled))[:3])
    call = ("review", ruled, "--run", "rules", "--annotator", ME)
    outcome = casespan(*call, "--accept", first[:8], second)
    assert outcome.out.splitlines() == [f"{one[:8]}  accepted (only right)" for one in (first, second)]
    assert casespan(*call, "--reject", third).code == 0
    found = report_review(casespan, ruled)
    assert found["judged"] == 3
    said = {one["id"]: one["verdict"]["verdict"] for one in items(found) if one["verdict"]}
    assert said == {first: "accepted", second: "accepted", third: "rejected"}
    assert casespan(*call, "--reject", first).code == 0
    mine = [one for row in report_review(casespan, ruled)["rows"] for one in row["left"]]
    assert [one["origin"] for one in mine] == ["accepted"]
    assert exported(casespan, ruled, tmp_path / "after.jsonl") == before
    assert casespan("check", ruled).code == 0


def exported(casespan: Casespan, project: Path, out: Path) -> str:
    assert casespan("export", project, out, "--format", "jsonl", "--annotator", "rules").code == 0
    return out.read_text()


def test_one_undo_takes_all_verdicts_of_a_call_back(casespan: Casespan, ruled: Path) -> None:
    ids = [one["id"] for one in items(report_review(casespan, ruled))[:3]]
    casespan("review", ruled, "--run", "rules", "--annotator", ME, "--accept", *ids)
    assert "Undone: accept 3 spans of rules" in casespan("undo", ruled).out
    assert report_review(casespan, ruled)["judged"] == 0


def test_a_span_is_edited_by_its_place_and_label(casespan: Casespan, ruled: Path) -> None:
    first = items(report_review(casespan, ruled))[0]["id"]
    edit = ("--edit", first, "--place", "0-20", "--category", "History", "--polarity", "uncertain")
    found = report_review(casespan, ruled, ME, *edit)
    (mine,) = (one for row in found["rows"] for one in row["left"])
    assert (mine["start"], mine["end"], mine["category"], mine["polarity"]) == (0, 20, "History", "uncertain")
    assert mine["origin"] == "edited"


def test_what_accepting_would_replace_is_said_and_both_are_kept_where_asked_for(
    casespan: Casespan, ruled: Path
) -> None:
    found = report_review(casespan, ruled, "annotator-1")
    replacing = next(one for one in items(found) if one["replaces"])
    rows = [row for row in found["rows"] if replacing in row["right"]]
    assert set(replacing["replaces"]) <= {mine["id"] for row in rows for mine in row["left"]}
    lines = casespan("review", ruled, "--run", "rules", "--annotator", "annotator-1").out
    assert "accepting replaces yours: " in lines
    again = report_review(casespan, ruled, "annotator-1", "--accept", replacing["id"], "--beside")
    kept = {mine["id"] for row in again["rows"] for mine in row["left"]}
    assert set(replacing["replaces"]) < kept


def test_what_both_have_is_accepted_at_once(casespan: Casespan, ruled: Path) -> None:
    rows = [row for row in report_review(casespan, ruled, "annotator-1")["rows"] if row["relation"] == "same"]
    same, category = len(rows), rows[0]["category"]
    judged = report_review(casespan, ruled, "annotator-1", "--accept-same", "--category", category)["judged"]
    assert judged == sum(row["category"] == category for row in rows) < same
    assert report_review(casespan, ruled, "annotator-1", "--accept-same")["judged"] >= same > 0
    call = ("review", ruled, "--run", "rules", "--annotator", "annotator-1", "--document", KEY)
    assert casespan(*call, "--accept-same").out == "Nothing is left to accept.\n"


def test_looking_at_a_run_is_on_record(casespan: Casespan, ruled: Path) -> None:
    report_review(casespan, ruled)
    acts = casespan("history", ruled, "--json").json
    assert [one["name"] for one in acts if one["name"].startswith("show rules")] == [f"show rules in {KEY}"]


def test_all_reports_of_a_run_are_listed_in_words(casespan: Casespan, ruled: Path) -> None:
    out = casespan("review", ruled, "--run", "rules", "--annotator", ME).out
    assert out.startswith(f"{KEY}  0 of ")
    assert "only right" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--accept", "123"), "too short"),
        (("--accept", "00000000-ffff"), "has no span"),
        (("--edit", "00000000"), "needs --place"),
        (("--place", "1-2"), "goes with --edit"),
        (("--edit", "00000000", "--place", "1"), "is not START-END"),
        (("--accept-same",), "needs --document"),
        (("--accept-same", "--document", KEY, "--field", "x"), "--field goes with --edit"),
        (("--reject", "00000000", "--beside"), "goes with --accept"),
        (("--document", "PMC0"), "PMC0"),
        (("--accept", "00000000", "--reject", "00000000"), "not allowed with"),
    ],
)
def test_a_wrong_call_is_one_sentence_and_changes_nothing(
    casespan: Casespan, ruled: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    before = casespan("history", ruled).out
    outcome = casespan("review", ruled, "--run", "rules", "--annotator", ME, *arguments)
    assert (outcome.code, outcome.out, len(outcome.err.splitlines())) == (2, "", 1)
    assert sentence in outcome.err
    assert casespan("history", ruled).out == before


def test_a_run_cannot_be_reviewed_by_itself(casespan: Casespan, ruled: Path) -> None:
    outcome = casespan("review", ruled, "--run", "rules", "--annotator", "rules")
    assert (outcome.code, len(outcome.err.splitlines())) == (2, 1)
