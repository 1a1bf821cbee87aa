"""Reports in a project: frozen, found again, never taken twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.store.act import begin_act
from app.store.annotate.annotators import annotator
from app.store.history import history
from app.store.project import Project
from app.store.reports.documents import (
    StoredDocument,
    add_document,
    document,
    document_summaries,
    document_summary,
    documents,
    find_same,
    same_text,
    set_section_categories,
    tiling_fault,
)
from app.store.reports.figures import (
    Region,
    add_region,
    figure_faults,
    keep_picture,
    misplaced_regions,
    set_figures,
)
from app.store.reports.housekeeping import rename_document
from extractors.model.document import Document, Section
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.figure import Figure, FigureImage, FigureMention

Make = Callable[..., Document]


def _add(project: Project, report: Document, source: str = "one.xml") -> StoredDocument:
    with begin_act(project, "add", "Ann") as act:
        return add_document(act, report, source, hashlib.sha256(source.encode()).hexdigest())


def test_a_report_comes_back_as_it_went_in(project: Project, report: Make) -> None:
    given = report("Tabs\t, NBSP\u00a0, e\u0301, 𝑨 and 😊.", pmcid="12", doi="10.1/X", pmid="7")
    stored = _add(project, given)
    project.close()
    with Project.open(project.path) as reader:
        assert documents(reader) == [stored]
        assert document(reader, stored.uuid).document == given
    assert stored.text_sha256 == hashlib.sha256(given.text.encode()).hexdigest()
    assert stored.added_at.endswith("Z")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(codec="utf-8"), min_size=1, max_size=80))
def test_any_text_comes_back_to_the_last_code_point(project: Project, text: str) -> None:
    stored = _add(project, Document("T", text, (Section("", (), 0, len(text), ()),)))
    assert document(project, stored.uuid).document.text == text


def test_reports_stand_in_import_order(project: Project, report: Make) -> None:
    added = [_add(project, report(f"Text {n}.", pmcid=str(n))) for n in (9, 1, 5)]
    assert documents(project) == added
    assert [summary.key for summary in document_summaries(project)] == ["PMC9", "PMC1", "PMC5"]


def test_a_summary_counts_without_the_text(project: Project, report: Make) -> None:
    stored = _add(project, report(pmcid="3"))
    (summary,) = document_summaries(project)
    assert (summary.uuid, summary.key, summary.title) == (stored.uuid, "PMC3", "A report")
    assert (summary.characters, summary.sections) == (len(stored.document.text), 2)
    assert (summary.identifiers, summary.metadata) == ({"pmcid": "3"}, {"journal": "J Cases"})


@pytest.mark.parametrize(
    ("identifiers", "source", "key"),
    [
        ({"pmcid": "8017196", "doi": "10.1/x"}, "a.xml", "PMC8017196"),
        ({"pmcid": "PMC8017196"}, "a.xml", "PMC8017196"),
        ({"pmcid": "demo-4"}, "a.xml", "demo-4"),
        ({"doi": "10.1/X", "pmid": "7"}, "a.xml", "10.1/X"),
        ({"pmid": "7"}, "a.xml", "7"),
        ({"doi": " 10.1/X "}, "a.xml", "10.1/X"),
        ({}, "folder/Case no. 7 (final).txt", "Case-no.-7-final"),
        ({"pmcid": " "}, "", "A-report"),
    ],
)
def test_the_key_is_the_best_name_there_is(
    project: Project, report: Make, identifiers: dict[str, str], source: str, key: str
) -> None:
    assert _add(project, report(**identifiers), source).key == key


def test_keys_are_made_unique(project: Project, report: Make) -> None:
    keys = [_add(project, report(f"Text {n}."), "folder/case.txt").key for n in range(3)]
    assert keys == ["case", "case-2", "case-3"]


@pytest.mark.parametrize("name", ["PMC8017196", "pmc8017196", "8017196"])
def test_a_report_is_found_by_its_pmc_number_in_every_spelling(
    project: Project, report: Make, name: str
) -> None:
    stored = _add(project, report(pmcid="8017196"))
    assert document(project, name) == stored
    assert document_summary(project, name).uuid == stored.uuid


def test_an_unknown_report_is_answered_with_those_there_are(project: Project, report: Make) -> None:
    with pytest.raises(UnknownNameError, match="none yet"):
        document(project, "PMC1")
    for number in range(12):
        _add(project, report(f"Text {number}.", pmcid=str(100 + number)))
    with pytest.raises(UnknownNameError, match=r"PMC100, .*PMC109 and 2 more\."):
        document(project, "PMC1")
    # An act began while it was there; nobody types such a name.
    with pytest.raises(UnknownNameError, match=r"^The report is no longer in the project\.$"):
        document(project, "ca38cdb5-d95f-4a4d-a257-b5c7a3b5804b")


@pytest.mark.parametrize(
    "again",
    [
        {"pmcid": "PMC12"},
        {"doi": "10.1/ABC"},
        {"pmid": "77", "doi": "10.9/other"},
    ],
)
def test_the_same_report_is_known_by_any_identifier(
    project: Project, report: Make, again: dict[str, str]
) -> None:
    stored = _add(project, report(pmcid="12", doi="10.1/abc", pmid="77"))
    assert find_same(project, report("Quite another text.", **again)) == stored


def test_the_same_report_is_known_by_its_text(project: Project, report: Make) -> None:
    stored = _add(project, report())
    assert find_same(project, report(pmcid="5")) == stored


def test_reports_without_identifiers_are_not_taken_for_each_other(project: Project, report: Make) -> None:
    _add(project, report("One.", doi=""))
    assert find_same(project, report("Two.", doi="")) is None


@pytest.mark.parametrize("nothing", ["0", "000", "", " ", "-", "?", "n/a", "N/A", "None", "unknown"])
@pytest.mark.parametrize("kind", ["pmcid", "pmid", "doi"])
def test_a_placeholder_makes_no_two_reports_the_same(
    project: Project, report: Make, kind: str, nothing: str
) -> None:
    stored = _add(project, report("One.", **{kind: nothing}))
    assert stored.key == "one"
    assert find_same(project, report("Two.", **{kind: nothing})) is None
    assert find_same(project, report("One.", **{kind: nothing})) == stored


def test_pmc_number_nought_is_no_number(project: Project, report: Make) -> None:
    assert _add(project, report("One.", pmcid="PMC0")).key == "one"


def test_a_corrected_version_is_told_from_the_very_same_text(project: Project, report: Make) -> None:
    stored = _add(project, report("As printed.", pmcid="12"))
    assert same_text(stored, report("As printed.", pmcid="12"))
    corrected = report("As corrected.", pmcid="12")
    assert find_same(project, corrected) == stored
    assert not same_text(stored, corrected)


@pytest.mark.parametrize("key", ["100%_done", "a_b", "A-2", "%"])
def test_keys_with_any_signs_are_made_unique(project: Project, report: Make, key: str) -> None:
    others = ["100x-done-2", "aXb-2", "aXb", "a-2"]
    for number, other in enumerate(others):
        _add(project, report(f"Other {number}.", pmcid=other))
    keys = [_add(project, report(f"Text {n}.", pmcid=key, pmid=str(n))).key for n in range(3)]
    assert keys == [key, f"{key}-2", f"{key}-3"]


def test_a_report_is_called_by_a_new_name_that_is_one_and_may_keep_the_one_it_has(
    project: Project, report: Make
) -> None:
    stored, _ = _add(project, report("One.", doi="10.1/X")), _add(project, report("Two.", pmcid="12"))
    with begin_act(project, "rename", "Ann") as act:
        rename_document(act, stored.uuid, "10.1/X", "Another title")
        for key in ("10.1/Y", "", "x" * 61):
            with pytest.raises(ProjectError, match="cannot be a report's short name"):
                rename_document(act, stored.uuid, key, "T")
        with pytest.raises(ProjectError, match="There is another report 'PMC12'"):
            rename_document(act, stored.uuid, "PMC12", "T")
        rename_document(act, stored.uuid, "x" * 60, "Last")
    assert [(one.key, one.title) for one in document_summaries(project)] == [
        ("x" * 60, "Last"),
        ("PMC12", "A report"),
    ]


def test_a_region_is_on_its_picture_and_a_figure_in_its_text_up_to_the_last_pixel_and_character(
    project: Project, report: Make
) -> None:
    stored = _add(project, report())
    data, length = b"picture", len(stored.document.text)
    digest = hashlib.sha256(data).hexdigest()
    image = FigureImage("a", "a", "kept", "", digest, 40, 20)
    with begin_act(project, "mark", "Ann") as act:
        keep_picture(act, digest, data, "png", 40, 20)
        stranger = hashlib.sha256(b"another").hexdigest()
        keep_picture(act, stranger, b"another", "png", 40, 20)
        holder = annotator(project, "Ann").uuid
        places = ("in", 36, 16), ("corner", 0, 0), ("right", 37, 16), ("below", 0, 17), ("left", -1, 0)
        for uuid, x, y in places:
            add_region(act, Region(uuid, stored.uuid, holder, "f1", digest, x, y, 4, 4, "GI"))
        add_region(act, Region("other", stored.uuid, holder, "f1", stranger, 0, 0, 4, 4, "GI"))
        set_figures(act, stored.uuid, [Figure("f1", "F", 0, length, (), (image,))])
    assert {uuid for uuid, _ in misplaced_regions(project.db)} == {"right", "below", "left", "other"}
    faults = [what for _, what in figure_faults(project.db)]
    assert faults == ["it is on no picture of the report"] * 4
    beyond = Figure("f1", "F", mentions=(FigureMention(0, length + 1),))
    for figure in (Figure("f1", "F", 0, length + 1), beyond):
        with begin_act(project, "figures", "Ann") as act:
            set_figures(act, stored.uuid, [figure])
        assert "a figure's place is outside the text" in [what for _, what in figure_faults(project.db)]


def test_looking_for_a_free_key_never_reads_the_whole_table(project: Project, report: Make) -> None:
    said: list[str] = []
    project.db.conn.set_trace_callback(said.append)
    _add(project, report(), "folder/case.txt")
    project.db.conn.set_trace_callback(None)
    asked = [sql for sql in said if sql.startswith("SELECT key FROM document")]
    assert asked
    for sql in asked:
        plan = [row["detail"] for row in project.query(f"EXPLAIN QUERY PLAN {sql}")]
        assert not [detail for detail in plan if detail.startswith("SCAN")], plan


def test_sections_that_do_not_tile_the_text_are_refused(project: Project) -> None:
    gap = (Section("A", ("A",), 0, 3, ()), Section("B", ("B",), 4, 8, ()))
    with pytest.raises(ProjectError, match="starts at 4 instead of 3"):
        _add(project, Document("T", "12345678", gap))
    with pytest.raises(ProjectError, match="end at 3 of 8"):
        _add(project, Document("T", "12345678", gap[:1]))


def test_a_text_changed_behind_the_back_is_refused_by_name(
    project: Project, report: Make, tamper: Callable[[Path, str], None]
) -> None:
    _add(project, report(pmcid="12"))
    project.close()
    tamper(project.path, "UPDATE text SET text = replace(text, 'headache', 'no headache')")
    with Project.open(project.path) as reader:
        with pytest.raises(ProjectError, match=r"document PMC12.*casespan check"):
            documents(reader)
        assert len(document_summaries(reader)) == 1


def test_a_key_goes_before_a_number_and_sections_that_are_what_they_were_are_no_news(
    project: Project, report: Make
) -> None:
    _add(project, report("One.", pmcid="12"))
    with begin_act(project, "add", "Ann") as act:
        named = add_document(act, report("Two."), "two.xml", "0" * 64, "12")
    assert (document(project, "12").uuid, document(project, "PMC12").document.identifiers) == (
        named.uuid,
        {"pmcid": "12"},
    )
    before = history(project)
    with begin_act(project, "sections", "Ann") as act:
        assert set_section_categories(act, named.uuid, 1, ["Neuro"]).categories == ("Neuro",)
    assert history(project) == before
    parts = [Section("", (), start, end, ()) for start, end in ((0, 5), (5, 3), (3, 9))]
    assert tiling_fault(parts, 9)
    assert tiling_fault(parts[:1], 5) == ""
