"""What may tell who a patient is, is listed with its place, and said before an export."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main
from app.operations.annotate.spans import set_review_state
from app.operations.project.files import create_project
from app.operations.project.opening import open_project
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import annotator, ensure_annotator
from app.store.annotate.carried import Carried, add_carried
from app.store.reports.documents import documents
from app.store.reports.figures import Region, add_region, keep_picture
from extractors.model.coding import Coding
from extractors.model.finding import Finding

TERM = Coding("HPO", "", "HP:0001250", "Seizure", "", "human")


def test_identifiers_are_listed_by_report_and_said_at_an_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project, report = tmp_path / "study.casespan", tmp_path / "one.txt"
    text = "A case 🫀\n\nMr. J. Ødegård (MRN: 4471902) left 4 Oak Street for 9 Elm Road on 12 March 2019.\n"
    report.write_text(text, encoding="utf-8")
    create_project(project, "Ann")
    assert main(["import", str(project), str(report)]) == 0
    capsys.readouterr()
    empty = str(tmp_path / "empty.casespan")
    create_project(Path(empty), "Ann")
    assert main(["identifiers", empty]) == 0
    assert "were found." in capsys.readouterr().out
    assert main(["identifiers", str(project), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["totals"] == {"address": 2, "date": 1, "name": 1, "record number": 1}
    (found,) = said["reports"]
    told = [one["text"] for one in found["identifiers"]]
    assert told == ["J. Ødegård", "4471902", "4 Oak Street", "9 Elm Road", "12 March 2019"]
    # In a quote it counts where that is not the text at its place, in whatever layer, and in a note.
    with open_project(project) as opened, begin_act(opened, "add", "Ann") as act:
        ann, uuid = annotator(opened, "Ann").uuid, documents(opened)[0].uuid
        start = text.index("4 Oak")
        fuzzy = Finding("GI", "Mrs. Pine", start, start + 5, "", "present", "fuzzy")
        exact = Finding("GI", text[start : start + 12], start, start + 12)
        add_annotations(act, uuid, ann, [fuzzy, exact], "human", notes=["Dr. Fir", ""])
        lost = Finding("", "Mrs. Yew", None, None, grounding="ungrounded")
        add_annotations(act, uuid, ann, [lost], "human", layer="phenotype", concepts=[(TERM,)])
    capsys.readouterr()
    assert main(["identifiers", str(project), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["reports"]
    assert sorted((one["where"], one["text"], one["annotator"]) for one in found["identifiers"][5:]) == [
        ("note", "Fir", "Ann"),
        ("quote", "Pine", "Ann"),
        ("quote", "Yew", "Ann"),
    ]
    assert main(["identifiers", str(project)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.endswith("may tell who a patient is: 4 names, 2 addresses, 1 record number, 1 date.")
    with open_project(project) as opened, begin_act(opened, "carry", "Ann") as act:
        own = Carried("", uuid, ann, None, "Odd", "Mrs. Larch", None, None, {"note": "Mrs. Pine"})
        add_carried(act, [own])
        keep_picture(act, "p" * 64, b"p", "png", 9, 9)
        add_region(act, Region("u", uuid, ann, "f1", "p" * 64, 0, 0, 9, 9, "GI", note="Mrs. Oak"))
    # An export tells of what it writes: tables have quotes alone, brat no words but the text's.
    for file_format, said in {
        "jsonl": "6 names, 2 addresses, 1 record number, 1 date.",
        "csv": "2 names, 1 address.",
        "brat": "2 names, 2 addresses, 1 record number, 1 date.",
        "profile": "1 name.",
    }.items():
        out = str(tmp_path / file_format)
        whole = ["--annotator", "Ann", "--document", uuid]
        main(["export", str(project), out, "--format", file_format, *whole])
        assert f"1 report may tell who a patient is: {said}" in capsys.readouterr().err
    with open_project(project) as opened, begin_act(opened, "add", "Ben") as act:
        ensure_annotator(act, "Ben", "person")
    # Whoever only looked has no row in a table.
    for name in ("none.jsonl", "none.csv", "looked.csv", "looked.jsonl"):
        if name == "looked.csv":
            with open_project(project) as opened:
                for looked in ("Ben", "Cid"):
                    set_review_state(opened, looked, "one", "done")
        out, file_format = str(tmp_path / name), name.partition(".")[2]
        assert main(["export", str(project), out, "--format", file_format, "--annotator", "Ben"]) == 0
        assert ("1 report may tell" in capsys.readouterr().err) == (name == "looked.jsonl")
