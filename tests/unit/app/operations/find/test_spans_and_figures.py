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
    set_span_note,
    set_span_polarity,
    state_nothing_found,
)
from app.operations.find.figures import count_project
from app.operations.find.search import list_spans, spans_table, whose
from app.operations.project.history import list_history, undo_change
from app.operations.project.reports import list_assignments
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import annotator
from app.store.annotate.disclosures import disclosures
from app.store.project import Project
from app.store.reports.documents import add_document, document, document_summaries
from app.store.unite.packets import add_packet
from app.tables import csv_text, records
from extractors.model.document import Document, Section
from extractors.model.errors import ProjectError, UnknownNameError
from extractors.model.finding import Finding
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
    set_span_note(project, list_spans(project, ME)[0].uuid, "since\n May")
    table = spans_table(list_spans(project, ME))
    assert [row[:8] for row in table.rows] == [
        ("PMC1", "Case 1", "Neuro", "", headache, "uncertain", "since May", "32-47"),
        ("PMC2", "Case 2", "Neuro", "", headache, "present", "", "32-47"),
        ("PMC2", "Case 2", "GI", "", "headache", "present", "", "39-47"),
    ]
    assert csv_text(table).splitlines()[0] == "report,section,category,field,quote,polarity,note,place,id"
    first = replace(list_spans(project, ME)[0], start=0, end=5)
    assert spans_table([first]).rows[0][7] == "0-5"


def test_somebody_elses_spans_are_listed_on_record_alone(project: Project) -> None:
    assert list_spans(project, "nobody") == ()
    assert whose(project, None) == whose(project, ME) == (ME, "")
    name, viewer = whose(project, RUN)
    assert (name, viewer) == (RUN, ME)
    assert len(list_spans(project, name, report="PMC1", viewer=viewer)) == 6
    assert [look.annotator for look in disclosures(project)] == [ME]
    list_spans(project, name, viewer="Cy")
    assert len({look.document for look in disclosures(project) if look.annotator == "Cy"}) == 2
    with pytest.raises(UnknownNameError):
        whose(project, "nobody")


def test_several_spans_of_several_reports_are_relabelled_and_removed_in_one_undo(project: Project) -> None:
    before, acts = listed(project), len(list_history(project.path))
    uuids = [row.uuid for row in list_spans(project, ME)]
    state_nothing_found(project, ME, "PMC2", "CVS")
    acts += 1
    changed = relabel_spans(project, uuids, "CVS")
    assert [one.finding.category for one in changed.edited] == ["CVS"] * 3
    assert {category for _, category, _ in listed(project)} == {"CVS"}
    assert len(list_history(project.path)) == acts + 1
    assert list_history(project.path)[-1].name.startswith("relabel 3 spans as ")
    # The statement that nothing was found there is taken back in the same act.
    assert [one.nothing_found for one in changed.reviews] == [(), ()]
    remove_spans(project, uuids)
    assert listed(project) == []
    for _ in range(3):
        undo_change(project)
    assert listed(project) == before


def test_a_place_that_is_labelled_so_already_is_not_labelled_twice(project: Project) -> None:
    row = list_spans(project, ME, report="PMC1")[0]
    second = add_span(project, ME, SpanPlace("PMC1", row.start or 0, row.end or 0), "GI").added[0].uuid
    assert relabel_spans(project, [second, row.uuid], "Neuro").edited == ()
    assert len(relabel_spans(project, [second, row.uuid], "CVS").edited) == 1
    assert sorted(category for _, category, _ in listed(project, report="PMC1")) == ["CVS", "Neuro"]


def test_quotes_without_a_place_are_relabelled_each_of_them(project: Project) -> None:
    with begin_act(project, "import", ME) as act:
        lost = [Finding("GI", words, None, None, grounding="ungrounded", reason="Absent.") for words in "ab"]
        holder, report = annotator(project, ME).uuid, document(project, "PMC1").uuid
        uuids = [one.uuid for one in add_annotations(act, report, holder, lost, "imported")]
    changed = relabel_spans(project, uuids, "CVS")
    assert [(one.finding.category, one.finding.quote) for one in changed.edited] == [
        ("CVS", "a"),
        ("CVS", "b"),
    ]


def test_what_a_run_found_is_not_relabelled(project: Project) -> None:
    with pytest.raises(ProjectError):
        relabel_spans(project, [list_spans(project, RUN)[0].uuid], "GI")


def test_figures_count_reports_spans_words_and_what_is_open(project: Project) -> None:
    figures = count_project(project, ME)
    assert figures.summary.startswith("0 reports of 2 done by Ann, 3 spans, ")
    assert count_project(project, RUN).summary == "2 reports of 2 done by helper, 12 spans."
    assert count_project(project, "").summary == "2 reports, 0 spans."
    words = sum(len(report_text(number).replace("-", " ").split()) for number in (1, 2))
    rows = {name: figures.tables[name].rows for name in figures.tables}
    assert rows["reports"] == (
        ("done", 0, 0, 0),
        ("in progress", 2, words, 3),
        ("parked", 0, 0, 0),
        ("untouched", 0, 0, 0),
        ("All", 2, words, 3),
    )
    assert [row[:5] for row in rows["category"] if any(row[1:5])] == [
        ("NE Neurology and cognition", 2, 2, 0, 4),
        ("CV Cardio- and cerebrovascular", 0, 0, 1, 0),
        ("GI Gastrointestinal", 1, 1, 0, 1),
        ("All", 3, None, 1, 5),
    ]
    assert [row[:6] for row in rows["annotator"]] == [
        (ME, "person", 3, 2, 0, words),
        (RUN, "run", 12, 2, None, words),
    ]
    assert rows["annotator"][1][6] is None
    assert rows["polarity"] == (
        ("present", 2, 1, 3),
        ("negated", 0, 0, 0),
        ("uncertain", 1, 1, 2),
        ("All", 3, None, 5),
    )
    assert rows["section"] == (("Case 1", 1, 50.0, 1), ("Case 2", 1, 50.0, 2))
    assert rows["unfinished"] == (
        ("PMC1", "A case", "in progress", 1, 12, "VH EE RS GI GU MS DE LY EN PR LI HX"),
        ("PMC2", "A case", "in progress", 2, 12, "VH EE CV RS GU MS DE LY EN PR LI HX"),
    )


def test_figures_of_many_headings_put_the_rarest_together_and_name_each_as_most_do(project: Project) -> None:
    texts = report_text(1), "".join(f"Part {number:02}\n" for number in range(31)) + "tail " * 100
    with begin_act(project, "add", ME) as act:
        for number, (text, headings) in enumerate(
            ((texts[0], ["CASE 1"]), (texts[0], ["CASE 1"]), (texts[1], [f"Part {n:02}" for n in range(31)]))
        ):
            at = [text.index(one) for one in headings] if len(headings) > 1 else [0]
            ends = [*at[1:], len(text)]
            paths = [("", "Sub") if name == "Part 30" else (name,) for name in headings]
            within = zip(paths, at, ends, strict=True)
            sections = [Section(path[-1], path, start, end, ()) for path, start, end in within]
            document = Document("More", text, tuple(sections), {"pmcid": f"9{number}"})
            uuid = add_document(act, document, "r.txt", "0" * 64).uuid
        lost = Finding("GI", "sick", None, None, grounding="ungrounded", reason="absent")
        add_annotations(act, uuid, annotator(project, ME).uuid, [lost], "human")
    add_span(project, ME, SpanPlace("PMC92", 8 * 30, 8 * 30 + 7), "GI")
    set_review_state(project, ME, "PMC2", "done")
    set_review_state(project, ME, "PMC92", "parked")
    tables = count_project(project, ME).tables
    whole = sum(map(len, (report_text(1), report_text(2), texts[0], texts[0], texts[1])))
    rows = tables["section"].rows
    assert rows[0] == ("CASE 1", 3, 300 * len(texts[0]) / whole, 1)
    assert [row[0] for row in rows[1:]] == [
        *("without a heading", "Case 2", *(f"Part {number:02}" for number in range(27))),
        *("3 other headings", "no place in the text"),
    ]
    assert rows[1][1:] == (1, 100 * (8 + 5 * 100) / whole, 1)
    assert [(row.start, row.section) for row in list_spans(project, ME, report="PMC92")] == [
        (8 * 30, "Sub"),
        (None, ""),
    ]
    assert rows[-2][1:] == (1, 100 * (8 * 3) / whole, 0)
    assert rows[-1][1:] == (1, None, 1)
    assert [row[1] for row in tables["reports"].rows] == [1, 1, 1, 2, 5]
    assert [(row[0], row[2], row[3]) for row in tables["unfinished"].rows] == [
        ("PMC1", "in progress", 1),
        ("PMC92", "parked", 2),
    ]
    assert [row[4] for row in tables["annotator"].rows] == [1, None]
    of_both = sum(len(report_text(number).replace("-", " ").split()) for number in (1, 2))
    assert [row[5] for row in tables["annotator"].rows] == [of_both + 2 * 31 + 100, of_both]


def test_time_at_work_is_what_passes_between_acts_without_long_pauses(project: Project) -> None:
    ends = ("00:00", "00:40", "01:00", "59:00", "59:30")
    own = project.tuples("SELECT seq FROM history WHERE step = 0 AND who = ? ORDER BY seq", [ME])[-5:]
    for (seq,), end in zip(own[-4:], ends, strict=False):
        project.db.execute(f"UPDATE history SET at = '2026-03-01T09:{end}Z' WHERE seq = {seq}")
    project.db.conn.commit()
    tables = count_project(project, ME).tables
    minutes = {row["category"]: row["minutes"] for row in records(tables["category"])}
    assert [row[6] for row in tables["annotator"].rows] == [1, None]
    assert (tables["given"].rows, tables["given"].notes) == ((), ())
    assert {name: round(of * 60) for name, of in minutes.items() if of} == {
        next(name for name in minutes if name.startswith("NE ")): 40,
        next(name for name in minutes if name.startswith("GI ")): 20,
        "All": 60,
    }
    # What is no work of a person, or takes work back, is none.
    for value, name in ((0, "undoable"), ("undo", "kind")):
        ((before,),) = project.tuples(f"SELECT {name} FROM history WHERE seq = {own[-3][0]}")
        for one in (value, before):
            project.db.execute(f"UPDATE history SET {name} = ? WHERE seq = {own[-3][0]}", [one])
            project.db.conn.commit()
            rows = records(count_project(project, ME).tables["category"])
            assert [round(row["minutes"] * 60) for row in rows if row["minutes"]] == (
                [40, 20, 60] if one == before else [60, 60]
            )
    with begin_act(project, "give", ME) as act:
        given = {one.key: one.uuid for one in document_summaries(project)}
        add_packet(act, annotator(project, ME), {given["PMC1"]: 30, given["PMC2"]: 50}, overlap=1, seed=1)
    set_review_state(project, ME, "PMC1", "done")
    (given_out,) = list_assignments(project)
    assert given_out.done == 1
    assert given_out.pace == pytest.approx(30 * 60)
    assert given_out.sentence == ("given to Ann: 2 reports, 80 words; 1 done, 1 begun, 1,800 words an hour")
    given_table = count_project(project, ME).tables["given"]
    assert given_table.rows == ((ME, 2, 80, 1, 1, given_out.hours, 1800),)
    assert given_table.notes == ("What is done in a packet is seen once it was brought back.",)
    project.db.execute("UPDATE history SET at = '2026-03-01T09:59:20Z' WHERE name LIKE 'mark done%'")
    project.db.conn.commit()
    last = count_project(project, ME).tables["category"].rows[-2:]
    assert [row[:5] for row in last[:1]] == [("Reports set done, parked, or empty of something", 0, 0, 0, 0)]
    assert [round(float(row[5] or 0) * 60) for row in last] == [20, 80]
    # In a copy that was brought back one was at work at the same time; what was taken back again is none.
    project.db.execute("INSERT INTO branch VALUES ('copy', '', 2, '', 0, '', '')")
    for copy in ("copy", "gone"):
        for (seq,), end in zip(own[-4:-2], ("00:10", "00:30"), strict=True):
            project.db.execute(
                "INSERT INTO branch_row SELECT ?, seq, act, step, name, kind, target, undoable, who, ?, "
                f"verb, table_name, row, before, after, hash FROM history WHERE seq = {seq}",
                [copy, f"2026-03-01T09:{end}Z"],
            )
    project.db.conn.commit()
    last = count_project(project, ME).tables["category"].rows[-2:]
    assert [round(float(row[5] or 0) * 60) for row in last] == [20, 100]
