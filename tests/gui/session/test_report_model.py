"""The report on the page by itself: what is on its way, what is answered, whose it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.gui.session.report_model import Arrival, ReportModel
from app.operations.annotate.edits import new_span
from app.operations.annotate.report import OpenReport, open_report
from app.operations.annotate.spans import Changed
from app.store.annotate.annotations import Annotation
from app.store.annotate.carried import Carried
from app.store.annotate.reviews import Review
from app.store.project import Project
from tests.gui.conftest import ME

FIRST, SECOND = "PMC99000001", "PMC99000002"


@pytest.fixture
def reports(project: Path) -> dict[str, OpenReport]:
    with Project.open(project) as open_:
        return {key: open_report(open_, key, ME) for key in (FIRST, SECOND)}


@pytest.fixture
def report_model(qtbot: QtBot, reports: dict[str, OpenReport]) -> ReportModel:
    report_model = ReportModel()
    report_model.open(reports[FIRST])
    return report_model


def span(report: OpenReport, uuid: str = "one", start: int = 0, end: int = 8) -> Annotation:
    return new_span(report, uuid, start, end, "Neuro")


def grown(one: Annotation, end: int) -> Annotation:
    return replace(one, finding=replace(one.finding, end=end))


def test_of_two_changes_on_their_way_the_answer_to_the_first_changes_nothing(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    one = span(reports[FIRST])
    report_model.expect(one)
    report_model.expect(grown(one, 10))
    report_model.settle(["one"])
    report_model.confirm(Changed(added=(one,)))
    assert report_model.spans["one"].finding.end == 10
    report_model.settle(["one"])
    report_model.confirm(Changed(edited=(grown(one, 10),)))
    assert report_model.spans["one"].finding.end == 10


def test_the_answer_to_the_last_change_counts(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    one = span(reports[FIRST])
    report_model.expect(one)
    report_model.settle(["one"])
    report_model.confirm(Changed(added=(grown(one, 12),)))
    assert report_model.spans["one"].finding.end == 12


def test_a_removal_on_its_way_is_not_undone_by_an_earlier_answer(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    one = span(reports[FIRST])
    report_model.expect(one)
    report_model.expect_removed(["one"])
    report_model.settle(["one"])
    report_model.confirm(Changed(added=(one,)))
    assert "one" not in report_model.spans


def test_a_span_set_anew_after_its_removal_outlives_the_answer_to_that(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    one = span(reports[FIRST])
    report_model.expect(one)
    report_model.settle(["one"])
    report_model.expect_removed(["one"])
    report_model.expect(one)
    report_model.settle(["one"])
    report_model.confirm(Changed(removed=(one,)))
    assert "one" in report_model.spans


def test_refreshing_keeps_what_is_on_its_way(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    report = replace(reports[FIRST], annotations=(span(reports[FIRST], "gone"), span(reports[FIRST], "kept")))
    report_model.refresh(report)
    report_model.expect_removed(["gone"])
    report_model.expect(span(reports[FIRST], "new", 20, 30))
    report_model.refresh(report)
    assert set(report_model.spans) == {"kept", "new"}


def test_refreshing_takes_what_is_on_disk_of_everything_else(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    report_model.expect(span(reports[FIRST]))
    report_model.settle(["one"])
    report_model.refresh(reports[FIRST])
    assert report_model.spans == {}


def test_another_report_has_nothing_on_its_way(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    report_model.expect(span(reports[FIRST]))
    carried = Carried("kept", "d", "a", None, "Label", "words", 0, 5, {})
    report_model.show_others({"ben": ()}, {"ben": (carried,)})
    assert report_model.kept == {"kept": carried}
    report_model.close()
    assert report_model.kept == {}
    report_model.open(reports[FIRST])
    report_model.show_others({"ben": ()}, {"ben": (carried,)})
    report_model.expect(span(reports[FIRST]))
    report_model.went_to_place = True
    report_model.open(reports[SECOND])
    # Nor is it there for the place that the one before was opened for.
    assert not report_model.went_to_place
    assert (report_model.spans, report_model.kept) == ({}, {})
    report_model.open(replace(reports[FIRST], annotations=(span(reports[FIRST], end=12),)))
    report_model.confirm(Changed(edited=(span(reports[FIRST], end=14),)))
    assert report_model.spans["one"].finding.end == 14


def test_answers_for_another_report_change_nothing_here(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    there = reports[SECOND]
    before = report_model.review
    review = Review(there.stored.uuid, before.annotator, "done", (), ())
    report_model.confirm(Changed(added=(span(there),), reviews=(review,)))
    assert (report_model.spans, report_model.review) == ({}, before)


def test_a_review_of_this_report_is_taken_over(report_model: ReportModel, qtbot: QtBot) -> None:
    assert report_model.report is not None
    review = Review(report_model.report.stored.uuid, report_model.review.annotator, "parked", (), ())
    with qtbot.waitSignal(report_model.review_changed):
        report_model.confirm(Changed(reviews=(review,)))
    assert report_model.review.state == "parked"


def test_no_span_is_current_that_is_not_there(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    one = span(reports[FIRST])
    ways: tuple[Callable[[], None], ...] = (
        lambda: report_model.expect_removed(["one"]),
        lambda: report_model.confirm(Changed(removed=(one,))),
        lambda: report_model.refresh(reports[FIRST]),
        lambda: report_model.open(reports[SECOND]),
        report_model.close,
    )
    for take_away in ways:
        report_model.open(replace(reports[FIRST], annotations=(one,)))
        report_model.set_current("one")
        take_away()
        assert report_model.current is None


def test_hiding_others_leaves_none_of_their_spans_current(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    report_model.show_others({"rules": [span(reports[FIRST], "theirs")]})
    report_model.set_current("theirs")
    several = {"ben": [span(reports[FIRST], "bens")], "rules": [span(reports[FIRST], "theirs")]}
    report_model.show_others(several)
    assert [report_model.holder_of(uuid) for uuid in ("theirs", "bens", "mine")] == ["rules", "ben", ""]
    assert report_model.current == "theirs"
    report_model.show_others({})
    assert report_model.current is None


def test_only_what_was_asked_for_last_is_done_once_its_report_is_there(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    done: list[str] = []
    holder = QObject()
    arrival = Arrival(report_model, holder)
    arrival.wait_for(SECOND, lambda: done.append("given up"))
    arrival.wait_for(FIRST, lambda: done.append("at once"))
    report_model.open(reports[SECOND])
    assert (done, report_model.went_to_place) == (["at once"], False)
    arrival.wait_for(FIRST, lambda: done.append("there"))
    report_model.open(reports[FIRST])
    assert (done, report_model.went_to_place) == (["at once", "there"], True)
    arrival.wait_for(SECOND, lambda: done.append("passed over"))
    for key in (FIRST, SECOND):
        report_model.open(reports[key])
    assert done == ["at once", "there"]


def test_what_is_being_written_is_asked_for_before_the_report_goes(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    left: list[str] = []
    report_model.leaving.connect(lambda: left.append(report_model.key))
    report_model.open(reports[SECOND])
    report_model.close()
    report_model.close()
    assert left == [FIRST, SECOND]


def test_answers_to_another_annotator_change_nothing_here(
    report_model: ReportModel, reports: dict[str, OpenReport]
) -> None:
    before = report_model.review
    theirs = replace(span(reports[FIRST]), annotator="somebody else")
    review = Review(reports[FIRST].stored.uuid, "somebody else", "done", (), ())
    report_model.confirm(Changed(added=(theirs,), reviews=(review,)))
    assert (report_model.spans, report_model.review) == ({}, before)
