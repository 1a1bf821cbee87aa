"""From a folder of reports to a gold file, by the command line alone."""

from __future__ import annotations

import json
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from app.cli import main
from app.launch import open_window
from app.operations.demo.sample import FIRST, SECOND
from tests.builders import Kept
from tests.e2e.conftest import SAMPLES, Casespan, write_study

CATEGORIES = 14


@pytest.fixture(scope="module")
def demonstrated(tmp_path_factory: pytest.TempPathFactory, kept: Kept) -> Path:
    """A second demonstration in a folder, whose display does not answer; what it says is in two files."""
    folder = tmp_path_factory.mktemp("demo")
    kept.copy(write_study, folder / "demo.casespan")
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
            patch.delenv(name, raising=False)
        patch.setenv("DISPLAY", ":997")
        assert main(["demo", str(folder)], open_window if sys.platform == "linux" else None) == 0
    (folder / "out.txt").write_text(out.getvalue(), encoding="utf-8")
    (folder / "err.txt").write_text(err.getvalue(), encoding="utf-8")
    return folder


def test_the_demonstration_does_the_whole_job(casespan: Casespan, demonstrated: Path) -> None:
    said = (demonstrated / "out.txt").read_text("utf-8")
    report, gold = demonstrated / "demo-2-agreement.html", demonstrated / "demo-2-gold.jsonl"
    for path in (report, gold):
        assert str(path) in said
    assert not re.search(r"(?:src|href|url)\s*[=(]\s*[\"']?(?:https?:)?//", report.read_text("utf-8"))
    apart = re.search(r"differ (\d+) times; (\d+) report-category pairs", said)
    queue = casespan(
        "queue", demonstrated / "demo-2.casespan", "--left", FIRST, "--right", SECOND, "--json"
    ).json
    names = {one["id"] for item in queue for one in item["differences"]}
    pairs = [item for item in queue if item["kind"] == "pair"]
    assert apart is not None
    assert apart.groups() == (str(len(names)), str(len(pairs)))
    for left, right in ((FIRST, SECOND), ("rules", "gold")):
        sides = ("--left", left, "--right", right, "--profile", "paper", "--json")
        scores = casespan("agree", demonstrated / "demo-2.casespan", *sides).json["average"]
        assert f"{left} with {right}: token set ratio {scores['tsr']:.1f}, Lev" in said
    records = [json.loads(line) for line in gold.read_text(encoding="utf-8").splitlines()]
    assert len(records) == 10
    for record in records:
        for annotation in record["annotations"]:
            if annotation["grounding"] == "exact":
                assert record["text"][annotation["start"] : annotation["end"]] == annotation["quote"]
    assert casespan("check", demonstrated / "demo-2.casespan").code == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
def test_a_demonstration_that_cannot_be_looked_at_says_why_and_is_done(demonstrated: Path) -> None:
    said = (demonstrated / "err.txt").read_text("utf-8")
    assert said == "casespan: The display :997 cannot be reached; see casespan --help for the commands.\n"


def test_a_second_demonstration_leaves_the_first_alone(
    kept: Kept, demonstrated: Path, tmp_path: Path
) -> None:
    first = kept.copy(write_study, tmp_path / "first.casespan")
    assert (demonstrated / "demo.casespan").read_bytes() == first.read_bytes()
    assert (demonstrated / "demo-2.casespan").exists()


def test_the_demonstration_shows_a_model_run_and_says_that_it_is_invented(
    casespan: Casespan, demonstrated: Path, tmp_path: Path
) -> None:
    said = "written by hand for the demonstration"
    assert said in (demonstrated / "out.txt").read_text("utf-8")
    project, run = demonstrated / "demo-2.casespan", "invented-replies/ucp/few-shot"
    assert said in casespan("list", project).out
    sides = ("--left", run, "--right", "gold")
    assert said in casespan("agree", project, *sides).out
    assert said in str(casespan("agree", project, *sides, "--json").json["remarks"])
    assert said in casespan("grid", project, "--against", "gold").out
    for kind in ("agree", "grid"):
        out = tmp_path / f"{kind}.html"
        arguments = sides if kind == "agree" else ("--against", "gold")
        assert casespan(kind, project, *arguments, "--html", out).code in (0, 1)
        assert said in out.read_text(encoding="utf-8")
    exported = casespan("export", project, tmp_path / "x.json", "--format", "crb", "--annotator", run)
    assert said in exported.out


def test_importing_the_same_reports_twice_adds_nothing_and_says_so(casespan: Casespan, study: Path) -> None:
    before = casespan("list", study, "--json").json
    again = casespan("import", study, SAMPLES / "reports", "--json")
    assert again.code == 0
    assert again.json["added"] == []
    assert len(again.json["repeated"]) == 10
    assert casespan("list", study, "--json").json == before


def test_importing_the_same_annotations_twice_adds_nothing(casespan: Casespan, study: Path) -> None:
    source = SAMPLES / "annotations" / "gold.json"
    again = casespan("import", study, source, "--format", "crb", "--annotator", "gold", "--json")
    assert again.json["annotations"] == {}
    assert len(again.json["repeated"]) == 10


def test_rules_find_something_in_every_sample_and_twice_the_same(casespan: Casespan, study: Path) -> None:
    first = casespan("extract", study, "--with", "rules", "--json").json
    assert len(first["findings"]) == 10
    assert all(first["findings"].values())
    assert casespan("extract", study, "--with", "rules", "--json").json["unchanged"] == 10


def test_extraction_of_one_category_keeps_the_others(casespan: Casespan, few: Path, tmp_path: Path) -> None:
    casespan("extract", few, "--with", "rules")
    whole = _crb(casespan, few, "rules", tmp_path / "before.json")
    casespan("extract", few, "--with", "rules", "--category", "Neuro")
    assert _crb(casespan, few, "rules", tmp_path / "after.json") == whole


def test_agreement_json_has_the_promised_keys(casespan: Casespan, study: Path) -> None:
    for profile in ("paper", "strict"):
        arguments = ("--left", "annotator-1", "--right", "annotator-2", "--profile", profile, "--json")
        result = casespan("agree", study, *arguments).json
        assert (result["left"], result["right"]) == ("annotator-1", "annotator-2")
        assert (result["profile"], result["documents"]) == (profile, 10)
        promised = {
            *("tsr", "levenshtein", "exact_match", "bleu_1", "bleu_4", "rouge_l", "omission"),
            *("hallucination", "span_f1", "support"),
        }
        assert len(result["categories"]) == CATEGORIES
        for scores in [*result["categories"].values(), result["average"]]:
            assert promised <= scores.keys()
        assert "NONE" in result["confusion"]


def test_an_annotator_agrees_fully_with_themselves(casespan: Casespan, study: Path) -> None:
    result = casespan("agree", study, "--left", "gold", "--right", "gold", "--json").json
    assert result["average"]["tsr"] == 100
    assert result["average"]["exact_match"] == 1
    assert casespan("queue", study, "--left", "gold", "--right", "gold", "--json").json == []


def test_the_queue_begins_with_pairs_below_the_threshold_worst_first(casespan: Casespan, study: Path) -> None:
    sides = ("--left", "annotator-1", "--right", "annotator-2")
    queue = casespan("queue", study, *sides, "--json").json
    pairs = [item for item in queue if item["kind"] == "pair"]
    assert pairs
    assert queue[: len(pairs)] == pairs
    assert all(item["tsr"] < 30 for item in pairs)
    assert [item["tsr"] for item in queue] == sorted(item["tsr"] for item in queue)
    assert all(item["left"] or item["right"] for item in queue)
    more = casespan("queue", study, *sides, "--below", "60", "--json").json
    assert sum(item["kind"] == "pair" for item in more) > len(pairs)


def test_exported_annotations_come_back_the_same(casespan: Casespan, study: Path, tmp_path: Path) -> None:
    first = _crb(casespan, study, "gold", tmp_path / "gold.json")
    other = tmp_path / "other.casespan"
    casespan("new", other)
    back = casespan("import", other, tmp_path / "gold.json", "--annotator", "gold", "--json")
    assert len(back.json["added"]) == 10
    assert _crb(casespan, other, "gold", tmp_path / "again.json") == first


@pytest.mark.parametrize("file_format", ["jsonl", "csv"])
def test_every_annotation_is_in_every_export(
    casespan: Casespan, study: Path, tmp_path: Path, file_format: str
) -> None:
    outcome = casespan("export", study, tmp_path / "out", "--format", file_format, "--annotator", "gold")
    assert outcome.code == 0
    listed = casespan("list", study, "--json").json["documents"]
    total = sum(report["annotations"]["gold"] for report in listed)
    assert f"{total} annotations of 10 reports" in outcome.out


def test_undo_takes_an_import_back_and_redo_brings_it_again(casespan: Casespan, few: Path) -> None:
    full = casespan("list", few, "--json").json
    for _ in range(4):
        assert "Undone" in casespan("undo", few).out
    assert casespan("list", few, "--json").json["documents"] == []
    for _ in range(4):
        assert "Done again" in casespan("redo", few).out
    assert casespan("list", few, "--json").json == full
    assert casespan("check", few).code == 0


def _crb(casespan: Casespan, project: Path, annotator: str, out: Path) -> object:
    assert casespan("export", project, out, "--format", "crb", "--annotator", annotator).code == 0
    return json.loads(out.read_text(encoding="utf-8"))
