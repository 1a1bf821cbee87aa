"""Concepts of spans go out and come back, in every format that has a place for them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.formats import write
from app.formats.record import ExportedAnnotation, ExportedTerm, ReportExport
from app.operations.annotate.concepts import set_concept
from app.operations.annotate.report import open_report
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.exchange.exporting import export_annotations
from app.operations.exchange.importing import ImportOptions, import_reports
from app.store.act import begin_act
from app.store.creation import create_project_file
from app.store.project import Project
from app.store.reports.documents import add_document
from extractors.model.document import Document, Section
from extractors.model.finding import Finding
from extractors.model.progress import finished

ME = "Ann"
TEXT = "A boy had seizures and no fever.\n"
Coded = list[tuple[str, tuple[str, ...]]]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = create_project_file(tmp_path / "p.casespan", None, ME)
    with begin_act(made, "add", ME) as act:
        section = Section("Case", ("Case",), 0, len(TEXT), ())
        add_document(act, Document("R", TEXT, (section,), {"pmcid": "1"}), "r.txt", "0" * 64)
    for words, codes in (("seizures", ("HP:0001250", "HP:0000707")), ("no fever", ())):
        start = TEXT.index(words)
        span = add_span(made, ME, SpanPlace("PMC1", start, start + len(words)), "Neuro").added[0]
        for code in codes:
            set_concept(made, span.uuid, "HPO", code, beside=True)
    return made


def coded(project: Project, annotator: str) -> Coded:
    return [
        (one.finding.quote, tuple(f"{c.terminology} {c.release} {c.code} {c.label}" for c in one.concepts))
        for one in open_report(project, "PMC1", annotator).annotations
    ]


def test_json_lines_bring_concepts_back_as_they_were(project: Project, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    export_annotations(project, out, "jsonl", ME)
    given = json.loads(out.read_text("utf-8"))["annotations"]
    assert given[0]["concepts"][0] == {
        "terminology": "HPO", "release": "2025-01-16", "code": "HP:0001250", "label": "Seizure",
        "uri": "http://purl.obolibrary.org/obo/HP_0001250", "origin": "human",
    }  # fmt: skip
    assert "concepts" not in given[1]
    finished(import_reports(project, [out], ImportOptions(annotator="Ben")))
    assert coded(project, "Ben") == coded(project, ME)
    project.close()


def test_brat_has_a_normalisation_for_each_concept_and_reads_it(project: Project, tmp_path: Path) -> None:
    summary = export_annotations(project, tmp_path / "brat", "brat", ME)
    lines = (tmp_path / "brat" / "PMC1.ann").read_text("utf-8").splitlines()
    assert "N1\tReference T1 HPO:HP:0001250\tSeizure" in lines
    assert any("without release" in note for note in summary.notes)
    retired = tmp_path / "brat" / "PMC1.ann"
    retired.write_text(retired.read_text("utf-8").replace("HPO:HP:0001250", "HPO:HP:0001275"), "utf-8")
    done = finished(import_reports(project, [tmp_path / "brat"], ImportOptions(annotator="Ben")))
    assert coded(project, "Ben") == coded(project, ME)
    assert any("merged or retired" in note.text for note in done.notes)
    project.close()


def test_a_terminology_that_is_not_here_is_kept_and_said(project: Project, tmp_path: Path) -> None:
    export_annotations(project, tmp_path / "brat", "brat", ME)
    file = tmp_path / "brat" / "PMC1.ann"
    file.write_text(file.read_text("utf-8").replace("HPO:HP:0001250", "UMLS:C0036572"), "utf-8")
    done = finished(import_reports(project, [tmp_path / "brat"], ImportOptions(annotator="Ben")))
    assert coded(project, "Ben")[0][1][0] == "UMLS  C0036572 Seizure"
    assert any("UMLS is not here" in note.text for note in done.notes)
    project.close()


def test_tables_have_a_column_of_codes_for_each_terminology(project: Project, tmp_path: Path) -> None:
    summary = export_annotations(project, tmp_path / "out.csv", "csv", ME)
    rows = [line.split(",") for line in (tmp_path / "out.csv").read_text("utf-8-sig").splitlines()]
    assert [row[-1] for row in rows] == ["concept_HPO", "HP:0001250 HP:0000707", ""]
    assert any("without release and label" in note for note in summary.notes)
    crb = export_annotations(project, tmp_path / "out.json", "crb", ME)
    assert any(note.endswith(": 1 annotation's concept.") for note in crb.notes)
    project.close()


def test_a_phenopacket_says_who_found_a_term_when_it_began_and_what_it_does_not_name(tmp_path: Path) -> None:
    def told(*origins: str, terminology: str = "HPO", onset: str = "") -> tuple[dict[str, Any], str]:
        finding = Finding("", "seizures", 0, 8)
        found = tuple(ExportedAnnotation(finding, origin, "Ann") for origin in origins)
        term = ExportedTerm(terminology, "", "HP:0001250", "Seizure", False, found, onset)
        given = ReportExport(Document("R", TEXT, ()), "r", (), (), profile=(term,))
        said = " ".join(write(tmp_path / "out", "phenopacket", [given]))
        written = json.loads(next((tmp_path / "out").glob("*.json")).read_bytes())
        shutil.rmtree(tmp_path / "out")
        return written["phenotypicFeatures"][0], said

    def code(*origins: str) -> object:
        return told(*origins)[0]["evidence"][0]["evidenceCode"]

    assert code("model") == code("model", "model") != code("human")
    assert code("human") == code("model", "human") == code("accepted")
    assert told("human", onset="P3Y")[0]["onset"] == {"age": {"iso8601duration": "P3Y"}}
    for onset, label in (("HP:0003577", "Congenital onset"), ("HP:9", "HP:9")):
        assert told("human", onset=onset)[0]["onset"] == {"ontologyClass": {"id": onset, "label": label}}
    assert "HPO alone, not Own." in told("human", terminology="Own")[1]
    assert "HPO alone" not in told("human")[1]
