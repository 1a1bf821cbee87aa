"""The report on the page by itself: what is on its way, what is answered, whose it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.gui.session.report_model import Sheet
from app.operations.annotate.report import OpenReport, open_report
from app.operations.annotate.spans import Changed
from app.operations.drafts import draft_span
from app.store.annotations import Annotation
from app.store.project import Project
from app.store.reviews import Review
from tests.gui.conftest import ME

FIRST, SECOND = "PMC99000001", "PMC99000002"


@pytest.fixture
def reports(project: Path) -> dict[str, OpenReport]:
    with Project.open(project) as open_:
        return {key: open_report(open_, key, ME) for key in (FIRST, SECOND)}


@pytest.fixture
def sheet(qtbot: QtBot, reports: dict[str, OpenReport]) -> Sheet:
    sheet = Sheet()
    sheet.open(reports[FIRST])
    return sheet


def span(report: OpenReport, uuid: str = "one", start: int = 0, end: int = 8) -> Annotation:
    return draft_span(report, uuid, start, end, "Neuro")


def grown(one: Annotation, end: int) -> Annotation:
    return replace(one, finding=replace(one.finding, end=end))


def test_of_two_changes_on_their_way_the_answer_to_the_first_changes_nothing(
    sheet: Sheet, reports: dict[str, OpenReport]
) -> None:
    one = span(reports[FIRST])
    sheet.expect(one)
    sheet.expect(grown(one, 10))
    sheet.settle(["one"])
    sheet.confirm(Changed(added=(one,)))
    assert sheet.spans["one"].finding.end == 10
    sheet.settle(["one"])
    sheet.confirm(Changed(edited=(grown(one, 10),)))
    assert sheet.spans["one"].finding.end == 10


def test_the_answer_to_the_last_change_counts(sheet: Sheet, reports: dict[str, OpenReport]) -> None:
    one = span(reports[FIRST])
    sheet.expect(one)
    sheet.settle(["one"])
    sheet.confirm(Changed(added=(grown(one, 12),)))
    assert sheet.spans["one"].finding.end == 12


def test_a_removal_on_its_way_is_not_undone_by_an_earlier_answer(
    sheet: Sheet, reports: dict[str, OpenReport]
) -> None:
    one = span(reports[FIRST])
    sheet.expect(one)
    sheet.expect_removed(["one"])
    sheet.settle(["one"])
    sheet.confirm(Changed(added=(one,)))
    assert "one" not in sheet.spans


def test_a_span_set_anew_after_its_removal_outlives_the_answer_to_that(
    sheet: Sheet, reports: dict[str, OpenReport]
) -> None:
    one = span(reports[FIRST])
    sheet.expect(one)
    sheet.settle(["one"])
    sheet.expect_removed(["one"])
    sheet.expect(one)
    sheet.settle(["one"])
    sheet.confirm(Changed(removed=(one,)))
    assert "one" in sheet.spans


def test_refreshing_keeps_what_is_on_its_way(sheet: Sheet, reports: dict[str, OpenReport]) -> None:
    report = replace(reports[FIRST], annotations=(span(reports[FIRST], "gone"), span(reports[FIRST], "kept")))
    sheet.refresh(report)
    sheet.expect_removed(["gone"])
    sheet.expect(span(reports[FIRST], "new", 20, 30))
    sheet.refresh(report)
    assert set(sheet.spans) == {"kept", "new"}


def test_refreshing_takes_what_is_on_disk_of_everything_else(
    sheet: Sheet, reports: dict[str, OpenReport]
) -> None:
    sheet.expect(span(reports[FIRST]))
    sheet.settle(["one"])
    sheet.refresh(reports[FIRST])
    assert sheet.spans == {}


def test_another_report_has_nothing_on_its_way(sheet: Sheet, reports: dict[str, OpenReport]) -> None:
    sheet.expect(span(reports[FIRST]))
    sheet.open(reports[SECOND])
    assert sheet.spans == {}
    sheet.open(replace(reports[FIRST], annotations=(span(reports[FIRST], end=12),)))
    sheet.confirm(Changed(edited=(span(reports[FIRST], end=14),)))
    assert sheet.spans["one"].finding.end == 14


def test_answers_for_another_report_change_nothing_here(sheet: Sheet, reports: dict[str, OpenReport]) -> None:
    there = reports[SECOND]
    before = sheet.review
    review = Review(there.stored.uuid, before.annotator, "done", (), ())
    sheet.confirm(Changed(added=(span(there),), reviews=(review,)))
    assert (sheet.spans, sheet.review) == ({}, before)


def test_a_review_of_this_report_is_taken_over(sheet: Sheet, qtbot: QtBot) -> None:
    assert sheet.report is not None
    review = Review(sheet.report.stored.uuid, sheet.review.annotator, "parked", (), ())
    with qtbot.waitSignal(sheet.review_changed):
        sheet.confirm(Changed(reviews=(review,)))
    assert sheet.review.state == "parked"


def test_no_span_is_current_that_is_not_there(sheet: Sheet, reports: dict[str, OpenReport]) -> None:
    one = span(reports[FIRST])
    ways: tuple[Callable[[], None], ...] = (
        lambda: sheet.expect_removed(["one"]),
        lambda: sheet.confirm(Changed(removed=(one,))),
        lambda: sheet.refresh(reports[FIRST]),
        lambda: sheet.open(reports[SECOND]),
        sheet.close,
    )
    for take_away in ways:
        sheet.open(replace(reports[FIRST], annotations=(one,)))
        sheet.set_current("one")
        take_away()
        assert sheet.current is None


def test_hiding_others_leaves_none_of_their_spans_current(
    sheet: Sheet, reports: dict[str, OpenReport]
) -> None:
    sheet.show_others({"rules": [span(reports[FIRST], "theirs")]})
    sheet.set_current("theirs")
    assert sheet.holder_of("theirs") == "rules"
    sheet.show_others({})
    assert sheet.current is None


def test_what_is_being_written_is_asked_for_before_the_report_goes(
    sheet: Sheet, reports: dict[str, OpenReport]
) -> None:
    left: list[str] = []
    sheet.leaving.connect(lambda: left.append(sheet.key))
    sheet.open(reports[SECOND])
    sheet.close()
    sheet.close()
    assert left == [FIRST, SECOND]


def test_answers_to_another_annotator_change_nothing_here(
    sheet: Sheet, reports: dict[str, OpenReport]
) -> None:
    before = sheet.review
    theirs = replace(span(reports[FIRST]), annotator="somebody else")
    review = Review(reports[FIRST].stored.uuid, "somebody else", "done", (), ())
    sheet.confirm(Changed(added=(theirs,), reviews=(review,)))
    assert (sheet.spans, sheet.review) == ({}, before)
