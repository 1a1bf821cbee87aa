"""Which answers of a run count, and what they make of a report's categories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from app.operations.extract.calling.ledger import Ledger, begin_run, find_run
from app.operations.extract.quotes import CellResult, read_cell, write_cells
from app.store.act import begin_act
from app.store.annotate.annotations import read_annotations
from app.store.annotate.reviews import review_of
from app.store.creation import create_project_file
from app.store.extract.runs import BEST_LAST, CallRecord, GenerationState, add_generation
from app.store.project import Project
from app.store.reports.documents import StoredDocument, add_document
from extractors.model.document import Document, Section
from extractors.model.finding import Finding, Grounding
from extractors.rules import PolarityReader
from extractors.tasks.findings import ReportReader
from extractors.tasks.replies import ReplyForm

TEXT = "In May she had colic. In June she had colic. In July she had a rash."
COLIC = "she had colic"
AT = "2025-01-01T00:00:00Z"
STEM = "tiny/ucp/few-shot"
SETTINGS = {"model": "tiny", "strategy": "ucp", "prompting": "few-shot", "digest": "d"}
ONE = ReplyForm({"quotes": ("GI", "")})
THREE = ReplyForm({category: (category, "") for category in ("GI", "CVS", "DERM")})
Placed: TypeAlias = tuple[Finding, Grounding]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with create_project_file(tmp_path / "p.casespan") as created:
        yield created


@pytest.fixture
def report(project: Project) -> StoredDocument:
    document = Document("A report", TEXT, (Section("Case", ("Case",), 0, len(TEXT), ("GI",)),))
    with begin_act(project, "add", "Ann") as act:
        return add_document(act, document, "one.txt", "0" * 64)


@pytest.fixture
def reader(report: StoredDocument) -> ReportReader:
    return ReportReader(report.document, PolarityReader())


def answer(
    state: GenerationState = "done",
    reply: str | None = None,
    *,
    category: str = "GI",
    prompt: str = "1",
    error: str = "",
    details: Mapping[str, Any] | None = None,
) -> CallRecord:
    return CallRecord(
        "report", category, prompt, reply, AT, AT, state=state, error=error, details=details or {}
    )


def quote(text: str, category: str = "GI") -> Placed:
    start = TEXT.index(text)
    finding = Finding(category, text, start, start + len(text), grounding="exact")
    return finding, Grounding("exact", start, start + len(text), 100.0)


@pytest.mark.parametrize("later", BEST_LAST)
@pytest.mark.parametrize("earlier", BEST_LAST)
def test_an_answer_gives_way_only_to_one_that_says_as_much(
    project: Project, earlier: GenerationState, later: GenerationState
) -> None:
    ledger = Ledger(project, None)
    ledger.add(answer(earlier, "earlier"))
    ledger.add(answer(later, "later"))
    order = ("cancelled", "failed", "incomplete", "divided", "done")
    kept = ledger.answer("report", "GI", "1")
    assert kept is not None
    assert kept.raw_reply == ("later" if order.index(later) >= order.index(earlier) else "earlier")


def test_a_ledger_reads_what_the_project_recorded_of_its_run(
    project: Project, report: StoredDocument
) -> None:
    run, other = begin_run(project, STEM, SETTINGS, "Ann"), begin_run(project, STEM, SETTINGS, "Ann")
    with begin_act(project, "answer", "Ann") as act:
        for state in ("done", "failed"):
            recorded = CallRecord(report.uuid, "GI", "a" * 64, None, AT, AT, state=state)
            add_generation(act, run.uuid, recorded)
    assert [one.state for one in Ledger(project, run).answers] == ["done"]
    assert Ledger(project, other).answers == ()


def test_calls_that_were_divided_are_no_answers(project: Project) -> None:
    ledger = Ledger(project, None)
    ledger.add(answer("divided"))
    ledger.add(answer("done", prompt="2"))
    assert [one.prompt_sha256 for one in ledger.answers] == ["2"]


def test_every_category_that_was_asked_for_is_known_by_report(project: Project) -> None:
    ledger = Ledger(project, None)
    ledger.add(answer("failed"))
    ledger.add(answer("cancelled", category="", prompt="2", details={"categories": ["CVS", "DERM"]}))
    assert ledger.questions("report") == {"GI", "CVS", "DERM"}
    assert ledger.questions("another") == set()


def missing(ledger: Ledger, *asked: str, all_at_once: bool = False, begun: bool = False) -> int:
    return ledger.missing({"report", "another"}, asked, all_at_once=all_at_once, begun=begun)


def test_what_was_asked_for_and_never_answered_is_missing(project: Project) -> None:
    ledger = Ledger(project, None)
    assert missing(ledger, "GI", "CVS") == 4
    assert missing(ledger, "GI", "CVS", all_at_once=True) == 2
    ledger.add(answer("failed"))
    ledger.add(answer("cancelled", category="CVS"))
    assert missing(ledger, "GI", "CVS") == 3
    assert missing(ledger, "GI", "CVS", begun=True) == 1
    assert missing(ledger, "GI", "CVS", "DERM", begun=True) == 2


def test_parts_that_were_never_answered_are_missing_however_they_were_divided(project: Project) -> None:
    ledger = Ledger(project, None)
    ledger.add(replace(answer(prompt="first"), part=0, parts=3))
    assert missing(ledger, "GI", begun=True) == 2
    ledger.add(replace(answer("divided", prompt="second"), part=1, parts=3))
    ledger.add(replace(answer("incomplete", prompt="third"), part=2, parts=3))
    assert missing(ledger, "GI", begun=True) == 1
    for part in (2, 3):
        ledger.add(replace(answer(prompt=f"half {part}"), part=part, parts=6))
    assert missing(ledger, "GI", begun=True) == 0


def test_a_run_is_found_by_all_of_its_settings_and_the_latest_first(project: Project) -> None:
    assert find_run(project, SETTINGS) is None
    begin_run(project, STEM, SETTINGS, "Ann")
    second = begin_run(project, STEM, {**SETTINGS, "num_ctx": 8192}, "Ann")
    assert second.name == "tiny/ucp/few-shot#2"
    found = find_run(project, SETTINGS)
    assert found is not None
    assert found.uuid == second.uuid
    assert find_run(project, {**SETTINGS, "digest": "e"}) is None
    assert find_run(project, {**SETTINGS, "think": False}) is None


def test_all_parts_speak_for_a_category_each_of_what_it_showed(reader: ReportReader) -> None:
    said = f'{{"quotes": ["{COLIC}"]}}'
    places = [TEXT.index(COLIC), TEXT.rindex(COLIC)]
    border = TEXT.index("In June")
    spans = ([0, border], [border, len(TEXT)])
    parts = [(answer(reply=said, details={"spans": [span]}), ONE) for span in spans]
    cell = read_cell("GI", parts, reader)
    assert [finding.start for finding, _ in cell.findings] == places
    assert cell.whole
    (only,) = read_cell("GI", [(None, ONE), parts[1]], reader).findings
    assert only[0].start == places[1]


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("lacking", [None, answer("failed"), answer("cancelled"), answer("incomplete")])
def test_a_category_is_whole_only_where_every_part_is(
    reader: ReportReader, lacking: CallRecord | None, place: int
) -> None:
    parts = [(answer(reply='{"quotes": []}'), ONE), (answer(reply='{"quotes": []}'), ONE)]
    assert read_cell("GI", parts, reader).whole
    assert not read_cell("GI", _with(parts, place, lacking), reader).whole


def _with(
    parts: list[tuple[CallRecord, ReplyForm]], place: int, lacking: CallRecord | None
) -> list[tuple[CallRecord | None, ReplyForm]]:
    return [(lacking if number == place else one, form) for number, (one, form) in enumerate(parts)]


@pytest.mark.parametrize(
    ("state", "details", "whole"),
    [
        ("done", {}, {"GI", "CVS", "DERM"}),
        ("incomplete", {}, {"GI", "CVS"}),
        ("incomplete", {"cut_prompt": True}, set()),
        ("failed", {}, set()),
        ("cancelled", {}, set()),
    ],
)
def test_of_a_reply_without_a_good_end_what_stands_last_is_not_whole(
    reader: ReportReader, state: GenerationState, details: dict[str, Any], whole: set[str]
) -> None:
    said = answer(state, f'{{"GI": ["{COLIC}"], "CVS": [], "DERM": []}}', details=details)
    cells = [read_cell(category, [(said, THREE)], reader) for category in THREE.categories]
    assert {cell.category for cell in cells if cell.whole} == whole
    assert [len(cell.findings) for cell in cells] == [1, 0, 0]


def test_last_is_what_stands_last_in_the_reply_whatever_order_was_asked_for(reader: ReportReader) -> None:
    said = answer("incomplete", '{"DERM": [], "CVS": [], "GI": []')
    cells = [read_cell(category, [(said, THREE)], reader) for category in THREE.categories]
    assert {cell.category for cell in cells if cell.whole} == {"CVS", "DERM"}


def _write(
    project: Project, report: StoredDocument, run: str, *cells: CellResult, wanted: str = "GI"
) -> None:
    with begin_act(project, "answer", "Ann", undoable=False) as act:
        write_cells(act, report, run, cells, wanted.split())


def _quotes(project: Project, report: StoredDocument, run: str) -> list[str]:
    return [one.finding.quote for one in read_annotations(project, report.uuid, run)]


def test_a_failed_repetition_never_takes_a_whole_cells_quotes(
    project: Project, report: StoredDocument
) -> None:
    run = begin_run(project, STEM, SETTINGS, "Ann").annotator
    _write(project, report, run, CellResult("GI", (quote(COLIC),), whole=True))
    _write(project, report, run, CellResult("GI", (), whole=False))
    _write(project, report, run, CellResult("GI", (quote("a rash"),), whole=False))
    assert _quotes(project, report, run) == [COLIC]
    review = review_of(project, report.uuid, run)
    assert (review.state, review.looked_at, review.nothing_found) == ("done", ("GI",), ())


def test_what_was_said_in_part_gives_way_to_the_next_answer(project: Project, report: StoredDocument) -> None:
    run = begin_run(project, STEM, SETTINGS, "Ann").annotator
    _write(project, report, run, CellResult("GI", (quote("a rash"),), whole=False))
    review = review_of(project, report.uuid, run)
    assert (review.state, review.looked_at, review.nothing_found) == ("in progress", (), ())
    _write(project, report, run, CellResult("GI", (quote(COLIC),), whole=True))
    assert _quotes(project, report, run) == [COLIC]


def test_nothing_found_is_said_of_whole_cells_without_quotes_alone(
    project: Project, report: StoredDocument
) -> None:
    run = begin_run(project, STEM, SETTINGS, "Ann").annotator
    cells = (
        CellResult("GI", (quote(COLIC),), whole=True),
        CellResult("CVS", (), whole=True),
        CellResult("DERM", (), whole=False),
    )
    _write(project, report, run, *cells, wanted="GI CVS")
    review = review_of(project, report.uuid, run)
    assert (review.state, review.looked_at, review.nothing_found) == ("done", ("CVS", "GI"), ("CVS",))
    _write(project, report, run, wanted="GI CVS DERM")
    assert review_of(project, report.uuid, run).state == "in progress"
    # Nor where something is found there when it is asked for again.
    _write(project, report, run, CellResult("CVS", (quote("a rash"),), whole=True))
    assert review_of(project, report.uuid, run).nothing_found == ()
