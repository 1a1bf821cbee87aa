"""`casespan search`, `spans` and `figures` on real files."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.store.annotate.disclosures import disclosures
from app.store.project import Project
from tests.e2e.conftest import Casespan
from tests.e2e.models import on
from tests.scripted_ollama import ScriptedOllama

CODE = ("code", "--suggest", "--terminology", "HPO")


def test_words_are_found_in_their_context_and_by_report(casespan: Casespan, study: Path) -> None:
    said = casespan("search", study, "seizure").out
    assert "[seizures]" in said
    assert said.rstrip().endswith("places in 3 reports")
    assert "[left ventricular]" in casespan("search", study, "ventricular", "left").out
    found = casespan("search", study, "left ventricular", "--json").json
    assert {place["text"].lower() for one in found["reports"] for place in one["places"]} == {
        "left ventricular"
    }
    assert casespan("search", study, "ventricular left", "--json").json["total"] == 0
    assert casespan("search", study, "ventricular", "left", "--json").json["total"] == found["total"] > 0
    assert "hypert*" in casespan("search", study, "qqq").out
    assert casespan("search", study, "a:(b* OR").code == 0
    assert casespan("search", study, "x", "--annotator", "nobody").code == 2


def test_the_index_of_words_can_be_made_anew(casespan: Casespan, study: Path) -> None:
    assert casespan("check", study, "--new-index").code == 0
    assert "[seizures]" in casespan("search", study, "seizure").out


@pytest.mark.parametrize("act", ["--relabel", "--delete"])
def test_spans_are_listed_and_changed_together_and_given_back(
    casespan: Casespan, study: Path, tmp_path: Path, act: str
) -> None:
    assert casespan("spans", study).code == 2
    chosen = ("spans", study, "--annotator", "annotator-1", "--document", "PMC99000001")
    before = casespan(*chosen, "--json").json
    assert casespan(*chosen, "--csv", tmp_path / "spans.csv").code == 0
    assert len((tmp_path / "spans.csv").read_text("utf-8").splitlines()) == len(before) + 1
    some = [one for one in before if one["category"] == "GI"]
    named = [part for one in some for part in ("--id", one["uuid"])]
    assert casespan(*chosen, *named, "--json").json == some
    changed = casespan(*chosen, *named, act, *(["DERM"] if act == "--relabel" else []))
    assert changed.out == f"{len(some)} spans {'relabelled' if act == '--relabel' else 'removed'}.\n"
    now = casespan(*chosen, "--category", "GI", "--json").json
    assert now == []
    assert casespan("undo", study).code == 0
    assert casespan(*chosen, "--json").json == before


@pytest.mark.parametrize(
    ("call", "asks"), [(("spans",), False), (("search", "fever"), False), (CODE, False), (CODE, True)]
)
def test_that_anothers_spans_were_shown_is_on_record(
    casespan: Casespan, tmp_path: Path, server: ScriptedOllama, call: tuple[str, ...], asks: bool
) -> None:
    project, report = tmp_path / "p.casespan", tmp_path / "one.txt"
    report.write_text("Case report\n\nHe had fever and a cough.\n", encoding="utf-8")
    casespan("new", project, "--annotator", "Ben")
    casespan("import", project, report)
    casespan("extract", project, "--with", "rules")
    command, *words = call
    for whose, looks in (((), 0), (("--annotator", "rules"), 1)):
        assert casespan(command, project, *words, *whose, *(on(server) if asks else ())).code == 0
        with Project.open(project) as opened:
            assert len(disclosures(opened)) == looks


def test_figures_are_shown_as_tables_json_and_csv(casespan: Casespan, study: Path, tmp_path: Path) -> None:
    found = casespan("figures", study, "--annotator", "annotator-1", "--json").json
    assert found["whose"] == "annotator-1"
    total = next(row for row in found["category"] if row["category"] == "All")
    listed = casespan("spans", study, "--annotator", "annotator-1", "--json").json
    assert total["spans"] == len(listed)
    shown = casespan("figures", study).out
    assert "names no annotator" in shown
    assert "By section" in shown
    assert casespan("figures", study, "--csv", tmp_path / "figures.csv").code == 0
    # Of one report there is no such table, and none is passed over in silence.
    assert casespan("figures", study, "--csv", tmp_path / "one.csv", "--document", "PMC99000001").code == 2
    assert "By polarity" in (tmp_path / "figures.csv").read_text("utf-8")
