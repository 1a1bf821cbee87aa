"""What may tell who a patient is, is listed with its place, and said before an export."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from app.operations.project.files import create_project


def test_identifiers_are_listed_by_report_and_said_at_an_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project, report = tmp_path / "study.casespan", tmp_path / "one.txt"
    text = "A case 🫀\n\nMr. J. Ødegård (MRN: 4471902) left 4 Oak Street for 9 Elm Road on 12 March 2019.\n"
    report.write_text(text, encoding="utf-8")
    create_project(project, "Ann")
    assert main(["import", str(project), str(report)]) == 0
    capsys.readouterr()
    assert main(["identifiers", str(project), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["totals"] == {"address": 2, "date": 1, "name": 1, "record number": 1}
    (found,) = said["reports"]
    told = [one["text"] for one in found["identifiers"]]
    assert told == ["J. Ødegård", "4471902", "4 Oak Street", "9 Elm Road", "12 March 2019"]
    out = str(tmp_path / "out.jsonl")
    assert main(["export", str(project), out, "--format", "jsonl", "--annotator", "Ann"]) == 0
    assert "1 report may tell who a patient is: 2 addresses, " in capsys.readouterr().err
