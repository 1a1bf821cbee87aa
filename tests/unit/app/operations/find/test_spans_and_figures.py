"""Spans as a list, several changed at once, and the figures of a project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.operations.annotate.several import relabel_spans
from app.operations.annotate.spans import (
    SpanPlace,
    add_span,
    add_spans,
    remove_spans,
    set_review_state,
    set_span_polarity,
    state_nothing_found,
)
from app.operations.find.figures import count_project
from app.operations.find.search import list_spans, spans_table, whose
from app.operations.project.history import list_history, undo_change
from app.operations.project.reports import list_assignments
from app.store.act import begin_act
from app.store.annotate.annotators import annotator
from app.store.annotate.disclosures import disclosures
from app.store.project import Project
from app.store.reports.documents import document_summaries
from app.store.unite.packets import add_packet
from app.tables import csv_text, records
from extractors.model.errors import ProjectError, UnknownNameError
from tests.builders import Kept
from tests.unit.app.operations.helped import ME, RUN, make_helped, report_text


def write_helped(path: Path) -> None:
    with make_helped(path, 2) as project:
        text = report_text(1)
        start = text.index("severe headache")
        places = [SpanPlace(key, start, start + 15) for key in ("PMC1", "PMC2")]
        uuids = [one.uuid for one in add_spans(project, ME, places, "Neuro").added]
        set_span_polarity(project, uuids[0], "uncertain")
        add_span(project, ME, SpanPlace("PMC2", start + 7, start + 15), "GI")
        state_nothing_found(project, ME, "PMC1", "CVS")


@pytest.fixture
def project(kept: Kept, tmp_path: Path) -> Iterator[Project]:
    with Project.open(kept.copy(write_helped, tmp_path / "study.casespan"), write=True) as opened:
        yield opened


def listed(project: Project, **wanted: str) -> list[tuple[str, str, str]]:
    return [(row.report, row.category, row.quote) for row in list_spans(project, ME, **wanted)]


def test_spans_of_a_report_or_category_are_listed_by_place(project: Project) -> None:
    headache = "severe headache"
    everything = [("PMC1", "Neuro", headache), ("PMC2", "Neuro", headache), ("PMC2", "GI", "headache")]
    assert listed(project) == everything
    assert listed(project, report="PMC2") == everything[1:]
    assert listed(project, category="Neuro") == everything[:2]
    assert listed(project, report="PMC1", category="GI") == []
    with pytest.raises(UnknownNameError):
        listed(project, category="Dreams")
    table = spans_table(list_spans(project, ME))
    assert csv_text(table).splitlines()[1].startswith("PMC1,Case 1,Neuro,,severe headache,uncertain,,")
    first = replace(list_spans(project, ME)[0], start=0, end=5)
    assert spans_table([first]).rows[0][7] == "0-5"


def test_somebody_elses_spans_are_listed_on_record_alone(project: Project) -> None:
    assert list_spans(project, "nobody") == ()
    assert whose(project, None) == (ME, "")
    name, viewer = whose(project, RUN)
    assert (name, viewer) == (RUN, ME)
    assert len(list_spans(project, name, report="PMC1", viewer=viewer)) == 6
    assert [look.annotator for look in disclosures(project)] == [ME]
    with pytest.raises(UnknownNameError):
        whose(project, "nobody")


def test_several_spans_of_several_reports_are_relabelled_and_removed_in_one_undo(project: Project) -> None:
    before, acts = listed(project), len(list_history(project.path))
    uuids = [row.uuid for row in list_spans(project, ME)]
    changed = relabel_spans(project, uuids, "CVS")
    assert [one.finding.category for one in changed.edited] == ["CVS"] * 3
    assert {category for _, category, _ in listed(project)} == {"CVS"}
    assert len(list_history(project.path)) == acts + 1
    assert list_history(project.path)[-1].name.startswith("relabel 3 spans as ")
    # The statement that nothing was found there is taken back in the same act.
    assert [one.nothing_found for one in changed.reviews if one.nothing_found] == []
    remove_spans(project, uuids)
    assert listed(project) == []
    undo_change(project)
    undo_change(project)
    assert listed(project) == before


def test_a_place_that_is_labelled_so_already_is_not_labelled_twice(project: Project) -> None:
    row = list_spans(project, ME, report="PMC1")[0]
    second = add_span(project, ME, SpanPlace("PMC1", row.start or 0, row.end or 0), "GI").added[0].uuid
    assert relabel_spans(project, [second, row.uuid], "Neuro").edited == ()
    assert len(relabel_spans(project, [second, row.uuid], "CVS").edited) == 1
    assert sorted(category for _, category, _ in listed(project, report="PMC1")) == ["CVS", "Neuro"]


def test_what_a_run_found_is_not_relabelled(project: Project) -> None:
    with pytest.raises(ProjectError):
        relabel_spans(project, [list_spans(project, RUN)[0].uuid], "GI")


def test_figures_count_reports_spans_words_and_what_is_open(project: Project) -> None:
    tables = count_project(project, ME).tables
    rows = {name: {next(iter(row.values())): row for row in records(of)} for name, of in tables.items()}
    words = sum(len(report_text(number).replace("-", " ").split()) for number in (1, 2))
    assert rows["reports"]["All"] == {"state": "All", "reports": 2, "words": words, "spans": 3}
    assert rows["reports"]["in progress"]["reports"] == 2
    neuro = next(row for name, row in rows["category"].items() if name.startswith("NE "))
    assert (neuro["spans"], neuro["reports"], neuro["words"], neuro["nothing_found"]) == (2, 2, 4, 0)
    assert next(row for name, row in rows["category"].items() if name.startswith("CV "))["nothing_found"] == 1
    assert [rows["polarity"][name]["spans"] for name in ("present", "negated", "uncertain")] == [2, 0, 1]
    assert rows["annotator"][RUN]["spans"] == 12
    assert rows["section"]["Case 2"]["spans"] == 2
    assert rows["unfinished"]["PMC1"]["open"] == 12
    assert "NE" not in str(rows["unfinished"]["PMC1"]["open_categories"]).split()


def test_time_at_work_is_what_passes_between_acts_without_long_pauses(project: Project) -> None:
    ends = ("00:00", "00:40", "01:00", "59:00", "59:30")
    own = project.tuples("SELECT seq FROM history WHERE step = 0 AND who = ? ORDER BY seq", [ME])[-5:]
    for (seq,), end in zip(own[-4:], ends, strict=False):
        project.db.execute(f"UPDATE history SET at = '2026-03-01T09:{end}Z' WHERE seq = {seq}")
    project.db.conn.commit()
    minutes = {
        row["category"]: row["minutes"] for row in records(count_project(project, ME).tables["category"])
    }
    assert {name: round(of * 60) for name, of in minutes.items() if of} == {
        next(name for name in minutes if name.startswith("NE ")): 40,
        next(name for name in minutes if name.startswith("GI ")): 20,
        "All": 60,
    }
    with begin_act(project, "give", ME) as act:
        given = {one.key: one.uuid for one in document_summaries(project)}
        add_packet(act, annotator(project, ME), {given["PMC1"]: 30, given["PMC2"]: 50}, overlap=1, seed=1)
    set_review_state(project, ME, "PMC1", "done")
    (given_out,) = list_assignments(project)
    assert given_out.done == 1
    assert given_out.pace == pytest.approx(30 * 60)
