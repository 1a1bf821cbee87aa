"""Annotations come in pieces and in any order, and nothing of them is lost."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from app.store.act import begin_act
from app.store.annotate.reviews import reviews, set_review
from app.store.project import Project
from tests.documents import pdf, printed_report
from tests.e2e.conftest import Casespan

TEXT = "Case report\n\nHe had ataxia and abdominal pain. There was no fever.\n"


@pytest.fixture
def project(casespan: Casespan, tmp_path: Path) -> Path:
    path = tmp_path / "p.casespan"
    casespan("new", path, "--annotator", "Zoe")
    return path


def _write(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text(json.dumps(list(records)), encoding="utf-8")
    return path


def _cells(casespan: Casespan, project: Path, annotator: str) -> dict[str, Any]:
    out = project.with_name("cells.json")
    casespan("export", project, out, "--format", "crb", "--annotator", annotator)
    (record,) = json.loads(out.read_text("utf-8"))
    return {key: value for key, value in record.items() if isinstance(value, list)}


def test_one_file_per_category_is_taken_piece_by_piece(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    first = _write(tmp_path / "1.json", {"pmcid": "7", "text": TEXT, "Neuro": ["ataxia"], "DERM": []})
    second = _write(tmp_path / "2.json", {"pmcid": "7", "GI": ["abdominal pain"], "EENT": []})
    for source in (first, second):
        assert casespan("import", project, source, "--annotator", "ana").code == 0
    expected = {"Neuro": ["ataxia"], "EENT": [], "GI": ["abdominal pain"], "DERM": []}
    assert _cells(casespan, project, "ana") == expected


def test_a_category_said_before_stays_and_the_repetition_is_named(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    first = _write(tmp_path / "1.json", {"pmcid": "7", "text": TEXT, "Neuro": []})
    second = _write(
        tmp_path / "2.json", {"pmcid": "7", "EENT": [], "Neuro": ["ataxia"], "GI": ["abdominal pain"]}
    )
    casespan("import", project, first, "--annotator", "ana")
    for which in ("Neuro", "all categories given"):
        outcome = casespan("import", project, second, "--annotator", "ana", "--json")
        assert f" already in {which};" in outcome.json["repeated"][0]["reason"]
    assert _cells(casespan, project, "ana") == {"Neuro": [], "EENT": [], "GI": ["abdominal pain"]}
    with Project.open(project) as opened:
        assert {*reviews(opened)[0].nothing_found} == {"Neuro", "EENT"}


@pytest.mark.parametrize("own", [{}, {"text": TEXT}])
def test_annotations_wait_for_the_report_of_the_same_import(
    casespan: Casespan, project: Path, tmp_path: Path, own: dict[str, str]
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    _write(folder / "a-annotations.json", {"pmcid": "six", **own, "Neuro": ["ataxia"]})
    (folder / "six.txt").write_text(TEXT, encoding="utf-8")
    outcome = casespan("import", project, folder, "--annotator", "ana", "--json")
    assert outcome.code == 0
    assert (outcome.json["annotations"], outcome.json["repeated"]) == ({"exact": 1}, [])


def test_quotes_of_a_report_that_is_not_there_are_a_failure_that_is_named(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    outcome = casespan(
        "import", project, _write(tmp_path / "x.json", {"pmcid": "9", "Neuro": ["a"]}), "--json"
    )
    assert outcome.code == 1
    assert "no report of that number" in outcome.json["left_out"][0]["reason"]


def test_a_category_the_scheme_lacks_is_named_even_for_a_report_that_is_there(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    casespan("import", project, _write(tmp_path / "1.json", {"pmcid": "7", "text": TEXT}))
    second = _write(tmp_path / "2.json", {"pmcid": "7", "Neuro": ["ataxia"], "Neurology": ["a typo"]})
    assert "Neurology" in casespan("import", project, second).out
    with Project.open(project, write=True) as opened, begin_act(opened, "go on", "Zoe") as act:
        (before,) = reviews(opened)
        set_review(act, before.document, before.annotator, state="in progress", looked_at=before.looked_at)
    # Who is not done with a report is not so by what else comes.
    assert casespan("import", project, _write(tmp_path / "3.json", {"pmcid": "7", "CVS": []})).code == 0
    with Project.open(project) as opened:
        ((state, nothing),) = [(one.state, one.nothing_found) for one in reviews(opened)]
    assert (state, nothing) == ("in progress", ("CVS",))
    # The table that is printed is one that can be set.
    table = tmp_path / "map.toml"
    table.write_text(casespan("labels", project, "--toml").out.replace('""', '"Neuro"'), "utf-8")
    assert "1 annotation became quotes." in casespan("labels", project, "--set", table).out
    with Project.open(project) as opened:
        assert [one.state for one in reviews(opened)] == ["in progress"]


def test_another_text_of_the_same_report_is_told_and_the_first_kept(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    for text in (TEXT, TEXT + "Corrected.\n"):
        outcome = casespan(
            "import", project, _write(tmp_path / "1.json", {"pmcid": "7", "text": text}), "--json"
        )
    assert "text differs" in outcome.json["notes"][0]["text"]


def test_two_texts_under_one_name_are_two_reports_and_that_is_said(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    texts = [TEXT, TEXT.replace("He", "She")]
    documents = [{"id": "7", "passages": [{"offset": 0, "text": text}]} for text in texts]
    source = tmp_path / "two.json"
    source.write_text(json.dumps({"documents": documents}), encoding="utf-8")
    outcome = casespan("import", project, source, "--annotator", "ana", "--json")
    assert [one["id"] for one in outcome.json["added"]] == ["7", "7-2"]
    assert "another report is called 7 already" in str(outcome.json["notes"])
    source.write_text(json.dumps({"documents": documents}, ensure_ascii=False).replace("H", "É"), "cp1252")
    told = casespan("import", project, source).out
    assert f"{source}#1 and 1 more: The text was read as Windows-1252" in told
    (garbled := tmp_path / "garbled.txt").write_text("Itâ€™s 38 Â°C.", encoding="utf-8")
    notes = casespan("import", project, garbled, "--json").json["notes"]
    assert "garbled garbled in 2 places; the text stays" in str(notes)


def test_an_export_never_takes_the_place_of_a_project(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    casespan(
        "import", project, _write(tmp_path / "1.json", {"pmcid": "7", "text": TEXT, "Neuro": ["ataxia"]})
    )
    before = project.read_bytes()
    sides = ("--left", "imported", "--right", "imported")
    for arguments in (
        ("export", project, project, "--format", "csv", "--annotator", "imported"),
        ("agree", project, *sides, "--html", project),
        ("agree", project, *sides, "--csv", project),
    ):
        assert casespan(*arguments).code == 2
    assert project.read_bytes() == before


def test_a_run_and_a_person_never_share_a_name(casespan: Casespan, project: Path, tmp_path: Path) -> None:
    assert casespan("new", tmp_path / "q.casespan", "--annotator", "rules").code == 2
    assert not (tmp_path / "q.casespan").exists()
    source = _write(tmp_path / "1.json", {"pmcid": "7", "text": TEXT, "Neuro": ["ataxia"]})
    assert casespan("import", project, source, "--annotator", "rules").code == 2
    assert casespan("list", project, "--json").json["documents"] == []


def test_the_history_names_the_projects_person_and_not_whose_quotes_came(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    source = _write(tmp_path / "1.json", {"pmcid": "7", "text": TEXT, "Neuro": ["ataxia"]})
    casespan("import", project, source, "--annotator", "ana")
    casespan("undo", project)
    assert {entry["who"] for entry in casespan("history", project, "--json").json[1:]} == {"Zoe"}


def test_rules_stay_silent_on_categories_they_do_not_know(casespan: Casespan, tmp_path: Path) -> None:
    scheme = tmp_path / "teeth"
    scheme.mkdir()
    (scheme / "scheme.toml").write_text(
        'id = "t"\nname = "Teeth"\nversion = "1"\n\n[[category]]\nid = "Teeth"\nname = "Teeth"\ncode = "TE"\n'
        'shortcut = "t"\ncolour = { light = "#000000", dark = "#ffffff" }\nfields = ["tooth"]\n',
        encoding="utf-8",
    )
    (scheme / "Teeth.md").write_text("# Teeth\n\n## Definition\n\nTeeth.\n", encoding="utf-8")
    project = tmp_path / "t.casespan"
    assert casespan("new", project, "--scheme", scheme).code == 0
    casespan("import", project, _write(tmp_path / "1.json", {"pmcid": "7", "text": TEXT}))
    outcome = casespan("extract", project, "--with", "rules")
    assert outcome.code == 2
    assert "Teeth" in outcome.err
    listed = casespan("list", project, "--json").json
    assert (listed["reviews"], listed["runs"]) == ([], [])


def test_control_characters_of_a_report_do_not_reach_the_terminal(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    casespan(
        "import", project, _write(tmp_path / "1.json", {"pmcid": "7", "title": "\x1b[31mred", "text": TEXT})
    )
    assert "\x1b" not in casespan("list", project).out


def test_brat_goes_out_as_a_folder_and_comes_back_span_for_span(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    source = _write(
        tmp_path / "1.json",
        {"pmcid": "7", "text": TEXT, "Neuro": ["ataxia"], "GI": ["abdominal pain"], "DERM": []},
    )
    casespan("import", project, source, "--annotator", "ana")
    out = tmp_path / "brat"
    outcome = casespan("export", project, out, "--format", "brat", "--annotator", "ana")
    assert outcome.code == 0
    assert "has no place for it: 1 category looked at without finding anything." in outcome.out
    assert "\tataxia\n" in (out / "PMC7.ann").read_text("utf-8")
    outcome = casespan("import", project, out, "--annotator", "back")
    assert (outcome.code, "2 annotations added: 2 exact." in outcome.out) == (0, True)
    assert _cells(casespan, project, "back") == {"Neuro": ["ataxia"], "GI": ["abdominal pain"]}
    # A folder that holds something, and a project, stay as they were.
    for taken in (out, project):
        before = sorted(out.iterdir()), project.read_bytes()
        outcome = casespan("export", project, taken, "--format", "brat", "--annotator", "ana")
        assert (outcome.code, "name a new folder" in outcome.err) == (2, True)
        assert (sorted(out.iterdir()), project.read_bytes()) == before


def test_an_empty_file_of_annotations_is_written_again_with_its_text(
    casespan: Casespan, project: Path, tmp_path: Path
) -> None:
    source = tmp_path / "in"
    source.mkdir()
    for name, content in {"a.txt": TEXT, "a.ann": "", "b.txt": "Alone."}.items():
        (source / name).write_text(content, "utf-8")
    casespan("import", project, source, "--format", "brat", "--annotator", "ana")
    casespan("export", project, tmp_path / "out", "--format", "brat", "--annotator", "ana")
    written = {one.name: one.read_text("utf-8") for one in (tmp_path / "out").glob("*.*")}
    del written["annotation.conf"]
    assert written == {"a.txt": TEXT, "a.ann": ""}


def test_a_dry_run_says_how_files_would_be_read_and_imports_nothing(
    casespan: Casespan, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "case.pdf").write_bytes(printed_report())
    (tmp_path / "scan.pdf").write_bytes(pdf([b"0 0 9 9 re f"]))
    outcome = casespan("import", project, tmp_path / "case.pdf", tmp_path / "scan.pdf", "--dry-run")
    assert outcome.code == 1
    assert "read as: PDF, 2 pages, two columns, " in outcome.out
    assert "scan.pdf: The PDF has no text" in outcome.out
    found = casespan("import", project, tmp_path / "case.pdf", "--dry-run", "--json").json
    assert found[0]["headings"][1] == ["Case presentation"]
    assert found[0]["annotations"] is None
    spans = [{"start": 7, "end": 12, "label": "Fever"}, {"start": 3, "end": 6, "label": "had"}]
    (tmp_path / "tasks.jsonl").write_text(json.dumps({"text": "He had fever.", "spans": spans}), "utf-8")
    assert (
        "3 words, 0 headings, 2 annotations"
        in casespan("import", project, tmp_path / "tasks.jsonl", "--dry-run").out
    )
    assert casespan("list", project, "--json").json["documents"] == []
    monkeypatch.setattr("sys.stdin", io.StringIO("A boy with fever\n\nCase presentation\n\nHe had fever.\n"))
    assert casespan("import", project, "-").code == 0
    assert casespan("list", project, "--json").json["documents"][0]["title"] == "A boy with fever"
