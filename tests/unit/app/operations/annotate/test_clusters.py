"""Spans are coded in ICD-11: single codes and clusters, in agreement, and out and in again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.agreement.output.tables import to_json
from app.operations.annotate.concepts import current_codings, set_concept
from app.operations.annotate.report import open_report
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.compare.concepts import measure_concepts
from app.operations.exchange.exporting import export_annotations
from app.operations.exchange.importing import ImportOptions, import_reports
from app.store.annotate.annotations import Annotation
from app.store.project import Project
from extractors.model.coding import Coding
from extractors.model.errors import UnknownNameError
from extractors.model.progress import finished
from extractors.terminology.browsing import Browser
from extractors.terminology.library import FOLDER, import_terminology, open_terminology
from tests.icd11 import write_tables
from tests.unit.app.operations.helped import ME, make_helped

CLUSTER = "QA00.0&XQ2B/QB10"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    import_terminology("ICD11", write_tables(tmp_path))
    with make_helped(tmp_path / "p.casespan", 1) as made:
        yield made


def span(project: Project, annotator: str = ME, words: str = "headache") -> Annotation:
    start = open_report(project, "PMC1", annotator).text.index(words)
    return add_span(project, annotator, SpanPlace("PMC1", start, start + len(words)), "Neuro").added[0]


def test_a_cluster_is_kept_with_titles_and_uris_and_says_what_no_table_knows(project: Project) -> None:
    own = Coding("icd11", "", "QA00.0", "As they call it", "", "imported")
    ((taken,),), _ = current_codings([(own,)])
    assert (taken.label, taken.uri.partition(".int/")[0]) == ("As they call it", "http://id.who")
    done = set_concept(project, span(project).uuid, "icd11", "qa00.0 & XQ2B / qb10")
    (coding,) = done.edited[0].concepts
    assert (coding.code, coding.release) == (CLUSTER, "2024-01")
    assert coding.label == "Acute plume rot & Severe plume / Beak fever"
    assert coding.uri.count("http://id.who.int/") == 3
    assert "which extensions a stem allows" in done.notes[0]
    assert not set_concept(project, span(project, words="fever").uuid, "icd11", "QA00.0/QB10").notes


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("QA00.0&XQ9Z", "XQ9Z is not there in ICD11 2024-01"),
        ("BlockL1-QA0", "BlockL1-QA0 is a block of ICD11 2024-01; choose one of its categories"),
        ("QA00.0/", "A code is not there"),
        ("QA00.0/XQ1A", "XQ1A is an extension code"),
        ("QA00.0&QB10", "QB10 is no extension code; join stems by /"),
        ("XQ1A", "XQ1A is an extension code"),
        ("01", "01 is a chapter"),
    ],
)
def test_each_part_of_a_cluster_is_checked(project: Project, code: str, said: str) -> None:
    with pytest.raises(UnknownNameError, match=said):
        set_concept(project, span(project).uuid, "ICD11", code)


def test_codes_agree_by_themselves_and_by_category_block_and_chapter(project: Project) -> None:
    for annotator, code in ((ME, "QA00.0"), ("Ben", "QA00.1")):
        set_concept(project, span(project, annotator).uuid, "ICD11", code)
    found = to_json(measure_concepts(project, ME, "Ben", "icd11", "paper"))["categories"]
    assert {way: one["concept_f1"] for way, one in found.items()} == {
        "ICD11": 0.0, "ICD11 category": 1.0, "ICD11 block": 1.0, "ICD11 chapter": 1.0,
    }  # fmt: skip


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_codes_go_out_with_title_uri_release_and_source_and_come_back(
    project: Project, tmp_path: Path, form: str
) -> None:
    set_concept(project, span(project).uuid, "ICD11", CLUSTER)
    out = tmp_path / f"out.{form}"
    export_annotations(project, out, form, ME)
    said = out.read_text("utf-8")
    for needed in ("Acute plume rot & Severe plume / Beak fever", "http://id.who.int/", "CC BY-ND 3.0 IGO"):
        assert needed in said
    if form == "jsonl":
        assert json.loads(said)["annotations"][0]["concepts"][0]["origin"] == "human"
    else:
        assert "icd11_title,icd11_uri,icd11_release,icd11_origin,icd11_source" in said
    finished(import_reports(project, [out], ImportOptions(annotator="Ben")))
    (coding,) = open_report(project, "PMC1", "Ben").annotations[0].concepts
    assert (coding.code, coding.release, coding.label.count("/")) == (CLUSTER, "2024-01", 1)


def test_what_is_typed_after_a_joint_is_found_and_a_class_is_seen_with_its_neighbours(
    project: Project,
) -> None:
    browser = Browser(open_terminology("ICD11"))
    assert [one.code for one in browser.find("QA00.0&severe", 5)] == ["QA00.0&XQ2B"]
    assert browser.find("QA00.0/beak fe", 5)[0].code == "QA00.0/QB10"
    # Behind "&" stand extension codes alone; where nothing fits, the code before is all there is.
    assert [one.code for one in browser.find("QA00.0&plume", 9)] == ["QA00.0&XQ2B"]
    assert [one.code for one in browser.find("QA00.0&beak", 5)] == ["QA00.0"]
    view = browser.view("QA00.0")
    assert [one.code for one in view.parents] == ["QA00"]
    assert {one.code for one in view.siblings} == {"QA00.1", "QA00.Y", "QA00.Z"}
    assert "CC BY-ND" in view.source
    assert [one.code for one in browser.view("BlockL1-QA0").children] == ["QA00", "QA01"], "in WHO's order"
    assert browser.view("QA00.0&XQ2B").label == "Acute plume rot & Severe plume"
