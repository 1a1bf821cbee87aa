"""Deeds on the report: what comes back late changes nothing elsewhere, and what is no change is not sent."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

from pytestqt.qtbot import QtBot

from app.gui.session.project_session import Desk
from app.operations.annotate.report import open_report
from app.operations.extract.rules import extract_with_rules
from app.store.act import begin_act
from app.store.project import Project
from extractors.model.progress import Progress
from tests.gui.conftest import ME
from tests.gui.test_desk import held, on_disk, place, settled

OTHER = "Dr Ben Okafor"


def another(desk: Desk) -> str:
    return next(key for key in desk.rows if key != desk.sheet.key)


def test_what_was_done_for_one_annotator_does_not_appear_on_the_sheet_of_the_next(
    desk: Desk, qtbot: QtBot
) -> None:
    enough: list[bool] = []

    def work(project: Project) -> Generator[Progress, None, None]:
        with begin_act(project, "long work", ME):
            while not enough:
                yield Progress(1, 1)

    job = desk.worker.begin("import", work)
    with qtbot.waitSignal(job.progressed):
        pass
    told: list[object] = []
    desk.hand.changed.connect(told.append)
    # While long work goes on acts wait, and questions overtake them.
    desk.hand.label(*place(desk, "41-year-old"), "History")
    desk.set_annotator(OTHER)
    qtbot.waitUntil(lambda: desk.sheet.report is not None and desk.sheet.report.annotator == OTHER)
    enough.append(True)
    settled(desk, qtbot)
    assert len(on_disk(desk)) == 1
    assert desk.sheet.spans == {}
    assert told == []


def test_what_is_read_again_after_a_refusal_does_not_replace_another_report(desk: Desk, qtbot: QtBot) -> None:
    start, end = place(desk, "41-year-old")
    desk.hand.label(start, end, "History")
    longer = desk.hand.label(start, end + 4, "History")
    settled(desk, qtbot)
    other = another(desk)
    refused: list[str] = []
    desk.hand.failed.connect(refused.append)
    with held(desk):
        desk.hand.move(longer, start, end)
        desk.open_report(other)
    settled(desk, qtbot)
    qtbot.waitUntil(lambda: bool(refused))
    settled(desk, qtbot)
    assert desk.sheet.key == other
    assert desk.sheet.spans == {}


def test_corrected_sections_of_a_report_that_was_left_are_not_shown_in_the_next(
    desk: Desk, qtbot: QtBot
) -> None:
    first, other = desk.sheet.key, another(desk)
    with held(desk):
        desk.open_report(other)
        desk.hand.set_section_categories(0, ["Neuro"])
    settled(desk, qtbot)
    with Project.open(desk.path) as project:
        assert open_report(project, first, ME).sections[0].categories == ("Neuro",)
        there = open_report(project, other, ME).sections
    assert (desk.sheet.key, desk.sheet.sections) == (other, there)


def test_a_move_to_where_the_span_is_is_not_sent(desk: Desk, qtbot: QtBot) -> None:
    where = place(desk, "41-year-old")
    uuid = desk.hand.label(*where, "History")
    settled(desk, qtbot)
    sent: list[int] = []
    desk.worker.waiting_changed.connect(sent.append)
    desk.hand.move(uuid, *where)
    desk.hand.move(uuid, *where, "present")
    assert sent == []


def test_a_move_that_sets_the_polarity_alone_is_sent(desk: Desk, qtbot: QtBot) -> None:
    where = place(desk, "41-year-old")
    uuid = desk.hand.label(*where, "History")
    desk.hand.move(uuid, *where, "negated")
    settled(desk, qtbot)
    assert [one.finding.polarity for one in on_disk(desk)] == ["negated"]


def test_of_spans_to_be_removed_those_of_others_stay(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    for _ in extract_with_rules(project):
        pass
    desk = open_desk(project)
    desk.show_others(("rules",))
    mine = desk.hand.label(*place(desk, "41-year-old"), "History")
    settled(desk, qtbot)
    theirs = desk.sheet.others["rules"]
    refused: list[str] = []
    desk.hand.failed.connect(refused.append)
    desk.hand.remove([theirs[0].uuid])
    assert desk.worker.waiting == 0
    desk.hand.remove([mine, theirs[0].uuid])
    settled(desk, qtbot)
    assert (refused, on_disk(desk)) == ([], [])
    assert desk.sheet.others["rules"] == theirs
