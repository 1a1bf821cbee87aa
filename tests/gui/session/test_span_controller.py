"""Deeds on the report: what comes back late changes nothing elsewhere, and what is no change is not sent."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.gui.session.project_session import ProjectSession
from app.operations.annotate.report import open_report
from app.store.project import Project
from extractors.model.coding import Coding
from tests.gui.conftest import ME
from tests.gui.session.test_project_session import at_long_work, held, on_disk, place
from tests.verbs import settle

OTHER = "Dr Ben Okafor"


def another(session: ProjectSession) -> str:
    return next(key for key in session.rows if key != session.report_model.key)


def test_what_was_done_for_one_annotator_does_not_appear_on_the_sheet_of_the_next(
    session: ProjectSession, qtbot: QtBot
) -> None:
    _, enough = at_long_work(session.worker, qtbot)
    told: list[object] = []
    session.controller.changed.connect(told.append)
    # While long work goes on acts wait, and questions overtake them.
    session.controller.label(*place(session, "41-year-old"), "History")
    session.set_annotator(OTHER)
    qtbot.waitUntil(
        lambda: session.report_model.report is not None and session.report_model.report.annotator == OTHER
    )
    enough.append(True)
    settle(session.worker, qtbot)
    assert len(on_disk(session)) == 1
    assert session.report_model.spans == {}
    assert told == []


def test_what_is_read_again_after_a_refusal_does_not_replace_another_report(
    session: ProjectSession, qtbot: QtBot
) -> None:
    start, end = place(session, "41-year-old")
    session.controller.label(start, end, "History")
    longer = session.controller.label(start, end + 4, "History")
    settle(session.worker, qtbot)
    other = another(session)
    refused: list[str] = []
    session.controller.failed.connect(refused.append)
    with held(session):
        session.controller.move(longer, start, end)
        session.open_report(other)
    settle(session.worker, qtbot)
    qtbot.waitUntil(lambda: bool(refused))
    settle(session.worker, qtbot)
    assert session.report_model.key == other
    assert session.report_model.spans == {}


def test_corrected_sections_of_a_report_that_was_left_are_not_shown_in_the_next(
    session: ProjectSession, qtbot: QtBot
) -> None:
    first, other = session.report_model.key, another(session)
    with held(session):
        session.open_report(other)
        session.controller.set_section_categories(0, ["Neuro"])
    settle(session.worker, qtbot)
    with Project.open(session.path) as project:
        assert open_report(project, first, ME).sections[0].categories == ("Neuro",)
        there = open_report(project, other, ME).sections
    assert (session.report_model.key, session.report_model.sections) == (other, there)


def test_what_would_change_nothing_is_not_sent(session: ProjectSession, qtbot: QtBot) -> None:
    deeds, where = session.controller, place(session, "41-year-old")
    uuid = deeds.label(*where, "History")
    settle(session.worker, qtbot)
    sent: list[int] = []
    session.worker.waiting_changed.connect(sent.append)
    failed: list[str] = []
    deeds.failed.connect(failed.append)
    blank = session.report_model.text.index("\n")
    deeds.move(uuid, *where)
    deeds.move(uuid, *where, "present")
    deeds.move(uuid, blank, blank + 1)
    deeds.move("gone", 0, 5)
    deeds.relabel(uuid, "History")
    deeds.set_field(uuid, "")
    deeds.set_polarity(uuid, "present")
    deeds.set_note(uuid, "")
    deeds.clear_concept(uuid, "HP")
    deeds.clear_concept("gone", "HP")
    assert [deeds.label_also("gone", "Neuro"), deeds.label_also(uuid, "History")] == ["", ""]
    assert (sent, failed) == ([], [])
    assert deeds.label(blank, blank + 1, "History") == ""
    assert (sent, len(failed), list(session.report_model.spans)) == ([], 1, [uuid])
    fever, tired = (Coding("HPO", "2026", code, "", "", "human") for code in ("HP:0001945", "HP:0012378"))
    for coding, has in ((fever, (fever,)), (tired, (fever, tired))):
        deeds.set_concept(uuid, coding, beside=True)
        deeds.set_concept(uuid, coding, beside=True)
        assert (session.report_model.spans[uuid].concepts, len(sent)) == (has, len(has))
    deeds.clear_concept(uuid, "MONDO")
    deeds.set_concept(uuid, fever)
    assert (session.report_model.spans[uuid].concepts, len(sent)) == ((fever,), 3)
    deeds.clear_concept(uuid, "HPO")
    assert (session.report_model.spans[uuid].concepts, len(sent)) == ((), 4)


def test_a_move_that_sets_the_polarity_alone_is_sent(session: ProjectSession, qtbot: QtBot) -> None:
    where = place(session, "41-year-old")
    uuid = session.controller.label(*where, "History")
    session.controller.move(uuid, *where, "negated")
    settle(session.worker, qtbot)
    assert [one.finding.polarity for one in on_disk(session)] == ["negated"]


def test_of_spans_to_be_removed_those_of_others_stay(with_rules: ProjectSession, qtbot: QtBot) -> None:
    session = with_rules
    session.show_others(("rules",))
    mine = session.controller.label(*place(session, "41-year-old"), "History")
    settle(session.worker, qtbot)
    theirs = session.report_model.others["rules"]
    refused: list[str] = []
    session.controller.failed.connect(refused.append)
    session.controller.remove([theirs[0].uuid])
    assert session.worker.waiting == 0
    session.controller.remove([mine, theirs[0].uuid])
    settle(session.worker, qtbot)
    assert (refused, on_disk(session)) == ([], [])
    assert session.report_model.others["rules"] == theirs


def test_a_span_shown_before_it_is_on_disk_is_as_the_disk_will_have_it(
    session: ProjectSession, qtbot: QtBot
) -> None:
    fields = {one.id: set(one.fields) for one in session.scheme.categories}
    pairs = ((a, b, sorted(fields[a] & fields[b])) for a in fields for b in fields if a != b)
    first, second, shared = next(pair for pair in pairs if pair[2])
    uuid = session.controller.label(*place(session, "41-year-old"), first)
    session.controller.set_field(uuid, shared[0])
    settle(session.worker, qtbot)
    with held(session):
        session.controller.relabel(uuid, second)
        shown = session.report_model.spans[uuid]
    settle(session.worker, qtbot)
    (stored,) = on_disk(session)
    assert (stored.finding.category, stored.finding.field) == (second, shared[0])
    assert shown.finding == stored.finding
    with held(session):
        session.controller.move(uuid, shown.finding.start or 0, (shown.finding.end or 0) + 4, "negated")
        shown = session.report_model.spans[uuid]
    settle(session.worker, qtbot)
    (stored,) = on_disk(session)
    assert (shown.finding, shown.surface, shown.origin) == (stored.finding, stored.surface, stored.origin)
