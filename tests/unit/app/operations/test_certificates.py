"""A certificate stands beside every export: what was written, read back and compared."""

from __future__ import annotations

import hashlib
import json
import pickle
from pathlib import Path

import pytest

import app.formats.jsonl
from app.formats import WRITE_FORMATS, format_of
from app.formats.record import ReportExport, Whole
from app.operations.exchange.exporting import Selection, export_annotations
from app.operations.exchange.importing import ImportOptions, import_reports
from app.operations.exchange.packing import PackedReports
from app.operations.profile.terms import add
from app.operations.project.files import create_project
from app.store.project import Project
from extractors.model.document import Document
from extractors.model.errors import UnknownNameError
from extractors.model.progress import finished

TEXT = "A man 😀 had no seizures.\r\n=He was\nill\x01.\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certified")
    create_project(folder / "p.casespan", "Me")
    lines = "T1\tNeuro 15 23\tseizures\nA1\tNegation T1\nT2\tMood 2 5\tman\nT3\tGI 24 31\t=He was\n"
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_bytes((name + TEXT[1:]).encode())
        (folder / f"{name}.ann").write_text(lines.replace("=He", "=He"), encoding="utf-8")
    finished(
        import_reports(
            folder / "p.casespan", [folder / "a.ann", folder / "b.ann"], ImportOptions("brat", "Anna")
        )
    )
    with Project.open(folder / "p.casespan", write=True) as opened:
        for report in ("a", "b"):
            add(opened, "Anna", report, "HP:0001250", polarity="negated")
            add(opened, "Anna", report, "HP:0001945", onset="P3Y")
    return folder / "p.casespan"


@pytest.mark.parametrize("name", WRITE_FORMATS)
def test_every_format_is_read_back_and_says_the_same(project: Path, tmp_path: Path, name: str) -> None:
    known = format_of(name)
    out = tmp_path / ("out" if known.folder else f"out{known.suffixes[0]}")
    summary = export_annotations(project, out, name, "Anna")
    value = json.loads((tmp_path / f"{out.name}.certificate.json").read_text(encoding="utf-8"))
    assert value["read_back"]["same"], value["read_back"]
    assert value["read_back"]["reports"] == value["reports"] == 2
    assert value["losses"] == list(summary.notes)
    assert value["files"]
    for file, digest in value["files"].items():
        assert hashlib.sha256((tmp_path / file).read_bytes()).hexdigest() == digest


def test_an_export_that_lost_lines_since_is_told_by_its_certificate(project: Path, tmp_path: Path) -> None:
    for name in ("csv", "brat"):
        out = tmp_path / name
        export_annotations(project, out, name, "Anna")
        create_project(tmp_path / f"{name}.casespan", "Me")
        options = ImportOptions(name, "Anna")
        told = finished(import_reports(tmp_path / f"{name}.casespan", [out], options)).notes
        assert not [one.text for one in told if "as it was exported" in one.text]
        cut = out if out.is_file() else out / "a.ann"
        cut.write_bytes(cut.read_bytes().rsplit(b"\n", 2)[0] + b"\n")
        if out.is_dir():
            (out / "b.ann").unlink()
        told = finished(import_reports(tmp_path / f"{name}.casespan", [out], options)).notes
        (note,) = [one.text for one in told if one.source == str(out)]
        assert f"with 4 annotations of 2 reports: {1 + out.is_dir()} of" in note


def test_a_writer_that_loses_something_unsaid_is_found_out(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = app.formats.jsonl._annotation
    monkeypatch.setattr(
        app.formats.jsonl, "_annotation", lambda one, length: {**entry(one, length), "polarity": "present"}
    )
    summary = export_annotations(project, tmp_path / "out.jsonl", "jsonl", "Anna")
    value = json.loads((tmp_path / "out.jsonl.certificate.json").read_text(encoding="utf-8"))
    assert not value["read_back"]["same"]
    assert (value["read_back"]["missing_number"], value["read_back"]["unexpected_number"]) == (2, 2)
    assert "not there again (a: Neuro 'seizures'" in summary.notes[-1]


def test_a_writer_that_changes_a_text_where_nothing_is_labelled_is_found_out(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = app.formats.jsonl._line

    def changed(report: ReportExport) -> dict[str, object]:
        return {**line(report), "text": report.document.text.replace("ill", "well")}

    monkeypatch.setattr(app.formats.jsonl, "_line", changed)
    export_annotations(project, tmp_path / "out.jsonl", "jsonl", "Anna")
    value = json.loads((tmp_path / "out.jsonl.certificate.json").read_text(encoding="utf-8"))
    assert value["read_back"]["missing"] == ["a: its text", "b: its text"]


def test_one_report_can_be_written_alone(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "one.html"
    summary = export_annotations(project, out, "html", "Anna", Selection(("b",)))
    assert (summary.reports, summary.not_looked_at) == (1, 0)
    assert out.read_text(encoding="utf-8").count("<article") == 1
    assert summary.checked.startswith("Read back by lxml")
    with pytest.raises(UnknownNameError):
        export_annotations(project, out, "html", "Anna", Selection(("c",)))


def test_reports_wait_packed_and_come_as_they_were_added() -> None:
    packed = PackedReports(Whole(seed=3))
    packed.append(ReportExport(Document("Case", "pain " * 9999, ()), "a", (), ("GI",)))
    (report,) = packed
    assert report == packed[0] == packed[:][0]
    assert (report.document.text, report.whole.seed) == ("pain " * 9999, 3)
    assert len(pickle.dumps(packed)) < 2000
