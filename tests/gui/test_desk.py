"""The open project: what is shown at once is on disk a moment later, and undo goes everywhere."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from app.gui.session.project_session import Desk, Offer
from app.operations.annotate.exposure import is_blind
from app.operations.annotate.report import open_report
from app.operations.annotate.spans import SpanPlace, add_spans, set_review_state
from app.operations.exchange.importing import import_reports
from app.operations.extract.rules import extract_with_rules
from app.operations.project.files import check_project, create_project
from app.store.act import begin_act
from app.store.annotations import Annotation
from app.store.annotators import ensure_annotator
from app.store.documents import add_document
from app.store.project import Project
from app.store.runs import start_run
from extractors.model.document import Document
from extractors.model.progress import Progress
from tests.gui.conftest import ME


def on_disk(desk: Desk, key: str = "") -> list[Annotation]:
    """What one has in a report, read by another connection."""
    with Project.open(desk.path) as project:
        return list(open_report(project, key or desk.sheet.key, ME).annotations)


def settled(desk: Desk, qtbot: QtBot) -> None:
    """Until every act has been answered, and every question asked before now."""
    answers: list[bool] = []
    qtbot.waitUntil(lambda: desk.worker.waiting == 0)
    desk.worker.ask(lambda project: True, answers.append)
    qtbot.waitUntil(lambda: bool(answers))


@contextmanager
def held(desk: Desk) -> Iterator[None]:
    """Within, everything is asked for and nothing is answered; after it all is answered in that order."""
    go = Event()
    desk.worker.ask(lambda project: go.wait(30), lambda _: None)
    try:
        yield
    finally:
        go.set()


def place(desk: Desk, words: str) -> tuple[int, int]:
    start = desk.sheet.text.index(words)
    return start, start + len(words)


def test_a_span_is_on_the_sheet_at_once_and_on_disk_under_the_same_uuid(desk: Desk, qtbot: QtBot) -> None:
    where = place(desk, "41-year-old")
    uuid = desk.hand.label(*where, "History")
    shown = desk.sheet.spans[uuid].finding
    settled(desk, qtbot)
    (stored,) = on_disk(desk)
    assert (stored.uuid, stored.finding) == (uuid, shown)
    assert desk.sheet.spans[uuid] == stored


def test_a_new_span_is_the_current_one(desk: Desk) -> None:
    uuid = desk.hand.label(*place(desk, "41-year-old"), "History")
    assert desk.sheet.current == uuid


def test_labelling_the_same_place_again_chooses_the_span_that_is_there(desk: Desk, qtbot: QtBot) -> None:
    where = place(desk, "41-year-old")
    uuid = desk.hand.label(*where, "History")
    desk.sheet.set_current(None)
    assert desk.hand.label(*where, "History") == ""
    assert desk.sheet.current == uuid
    settled(desk, qtbot)
    assert len(on_disk(desk)) == 1


def test_a_second_label_has_the_place_and_the_polarity_of_the_first(desk: Desk, qtbot: QtBot) -> None:
    uuid = desk.hand.label(*place(desk, "41-year-old"), "History")
    desk.hand.set_polarity(uuid, "negated")
    second = desk.hand.label_also(uuid, "Neuro")
    settled(desk, qtbot)
    stored = {one.uuid: one.finding for one in on_disk(desk)}
    assert (stored[second].start, stored[second].polarity) == (stored[uuid].start, "negated")


def test_changes_that_follow_each_other_quickly_end_as_the_last_one(desk: Desk, qtbot: QtBot) -> None:
    start, end = place(desk, "41-year-old")
    uuid = desk.hand.label(start, end, "History")
    seen: list[int | None] = []
    desk.sheet.span_set.connect(lambda _: seen.append(desk.sheet.spans[uuid].finding.end))
    for more in range(1, 8):
        desk.hand.move(uuid, start, end + more)
    settled(desk, qtbot)
    assert on_disk(desk)[0].finding.end == end + 7
    assert [step for step in seen if step is not None] == sorted(step for step in seen if step is not None)


def test_what_the_disk_refuses_is_taken_off_the_sheet_with_a_sentence(desk: Desk, qtbot: QtBot) -> None:
    start, end = place(desk, "41-year-old")
    desk.hand.label(start, end, "History")
    other = desk.hand.label(start, end + 4, "History")
    with qtbot.waitSignal(desk.failed) as told:
        desk.hand.move(other, start, end)
    assert "labelled History there already" in told.args[0]
    settled(desk, qtbot)
    assert desk.sheet.spans[other].finding.end == end + 4


def test_a_removed_span_is_gone_from_sheet_and_disk(desk: Desk, qtbot: QtBot) -> None:
    uuid = desk.hand.label(*place(desk, "41-year-old"), "History")
    desk.hand.remove([uuid])
    assert uuid not in desk.sheet.spans
    assert desk.sheet.current is None
    settled(desk, qtbot)
    assert on_disk(desk) == []


def test_undo_and_redo_show_what_is_on_disk(desk: Desk, qtbot: QtBot) -> None:
    uuid = desk.hand.label(*place(desk, "41-year-old"), "History")
    desk.undo()
    settled(desk, qtbot)
    assert uuid not in desk.sheet.spans
    desk.redo()
    settled(desk, qtbot)
    assert uuid in desk.sheet.spans
    assert [one.uuid for one in on_disk(desk)] == [uuid]


def test_undo_opens_the_report_that_it_changed(desk: Desk, qtbot: QtBot) -> None:
    first = desk.sheet.key
    desk.hand.label(*place(desk, "41-year-old"), "History")
    other = next(key for key in desk.rows if key != first)
    desk.open_report(other)
    qtbot.waitUntil(lambda: desk.sheet.key == other)
    desk.undo()
    qtbot.waitUntil(lambda: desk.sheet.key == first)
    assert not desk.sheet.spans


def test_undo_goes_on_after_a_restart(project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot) -> None:
    before = open_desk(project)
    before.hand.label(*place(before, "41-year-old"), "History")
    before.close()
    after = open_desk(project)
    assert len(after.sheet.spans) == 1
    after.undo()
    settled(after, qtbot)
    assert not after.sheet.spans


def test_a_label_that_is_on_its_way_survives_an_undo_before_it(desk: Desk, qtbot: QtBot) -> None:
    desk.hand.label(*place(desk, "41-year-old"), "History")
    desk.undo()
    kept = desk.hand.label(*place(desk, "man"), "Neuro")
    settled(desk, qtbot)
    assert list(desk.sheet.spans) == [kept]
    assert [one.uuid for one in on_disk(desk)] == [kept]


def test_undoing_an_import_leaves_an_empty_page(tmp_path: Path, desk: Desk, qtbot: QtBot) -> None:
    desk.undo()
    qtbot.waitUntil(lambda: desk.sheet.key == "")
    settled(desk, qtbot)
    assert not desk.rows


def test_the_row_of_a_report_follows_its_spans(desk: Desk, qtbot: QtBot) -> None:
    assert desk.rows[desk.sheet.key].state == "untouched"
    desk.hand.label(*place(desk, "41-year-old"), "History")
    settled(desk, qtbot)
    row = desk.rows[desk.sheet.key]
    assert (row.state, dict(row.own)) == ("in progress", {"History": 1})


def test_the_same_words_in_the_report_are_offered_after_a_label(desk: Desk, qtbot: QtBot) -> None:
    offers: list[Offer] = []
    desk.same_found.connect(offers.append)
    desk.hand.label(*place(desk, "Fabry"), "History")
    settled(desk, qtbot)
    expected = desk.sheet.text.lower().count("fabry") - 1
    assert [(offer.quote, offer.same.total) for offer in offers] == [("Fabry", expected)]


def test_checks_are_told_of_the_span_just_made(desk: Desk, qtbot: QtBot) -> None:
    start, _ = place(desk, "41-year-old")
    uuid = desk.hand.label(start, start + 4, "History")
    settled(desk, qtbot)
    assert desk.remarks[uuid]


def test_others_are_hidden_until_asked_for_and_asking_is_recorded(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    for _ in extract_with_rules(project):
        pass
    desk = open_desk(project)
    settled(desk, qtbot)
    assert [one.name for one in desk.others_there] == ["rules"]
    assert not desk.sheet.others
    desk.show_others(("rules",))
    settled(desk, qtbot)
    assert desk.sheet.others["rules"]
    with Project.open(project) as other:
        assert not is_blind(other, ME, desk.sheet.key)


def test_others_are_hidden_again_in_the_next_report(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    for _ in extract_with_rules(project):
        pass
    desk = open_desk(project)
    desk.show_others(("rules",))
    settled(desk, qtbot)
    other = next(key for key in desk.rows if key != desk.sheet.key)
    desk.open_report(other)
    qtbot.waitUntil(lambda: desk.sheet.key == other)
    settled(desk, qtbot)
    assert not desk.sheet.others


def test_a_span_of_a_model_becomes_ones_own_by_accepting_it(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    for _ in extract_with_rules(project):
        pass
    desk = open_desk(project)
    desk.show_others(("rules",))
    settled(desk, qtbot)
    theirs = desk.sheet.others["rules"][0]
    desk.hand.accept([theirs.uuid])
    settled(desk, qtbot)
    (mine,) = on_disk(desk)
    assert (mine.origin, mine.finding.quote) == ("accepted", theirs.surface)
    assert desk.sheet.is_own(mine.uuid)


def test_annotating_under_another_name_shows_that_names_spans_only(desk: Desk, qtbot: QtBot) -> None:
    desk.hand.label(*place(desk, "41-year-old"), "History")
    desk.set_annotator("Dr Ben Okafor")
    settled(desk, qtbot)
    assert not desk.sheet.spans
    assert [one.name for one in desk.others_there] == [ME]
    desk.set_annotator(ME)
    settled(desk, qtbot)
    assert len(desk.sheet.spans) == 1


def test_what_was_on_its_way_stays_with_whoever_did_it(desk: Desk, qtbot: QtBot) -> None:
    desk.hand.label(*place(desk, "41-year-old"), "History")
    desk.set_annotator("Dr Ben Okafor")
    assert not desk.sheet.spans
    settled(desk, qtbot)
    assert not desk.sheet.spans
    assert len(on_disk(desk)) == 1


def test_places_in_several_reports_are_labelled_in_one_act(desk: Desk, qtbot: QtBot) -> None:
    keys = list(desk.rows)[:2]
    desk.hand.label_places([SpanPlace(key, 0, 5) for key in keys], "History")
    settled(desk, qtbot)
    assert [dict(desk.rows[key].own) for key in keys] == [{"History": 1}, {"History": 1}]
    desk.undo()
    settled(desk, qtbot)
    assert [dict(desk.rows[key].own) for key in keys] == [{}, {}]


@pytest.mark.parametrize(
    "words",
    ["fe\u0301ver 😊 today", "140\u00a0mmHg\tat rest", "line one\nline two", "👩‍⚕️ said"],
)
def test_spans_on_disk_are_the_characters_selected(
    words: str, tmp_path: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    path = create_project(tmp_path / "signs.casespan", ME)
    source = tmp_path / "signs.txt"
    source.write_bytes(f"Case 😊\r\nHe had {words} 𝑨 and more.\r\n".encode())
    for _ in import_reports(path, [source]):
        pass
    desk = open_desk(path)
    desk.hand.label(*place(desk, words), "Neuro")
    settled(desk, qtbot)
    (stored,) = on_disk(desk)
    assert stored.finding.quote == stored.surface == words
    desk.close()
    assert check_project(path) == []


def test_the_project_opens_where_one_left_off(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    desk = open_desk(project)
    third = list(desk.rows)[2]
    with_third = [SpanPlace(third, 0, 5)]
    desk.worker.act(lambda p: add_spans(p, ME, with_third, "History"), lambda _: None)
    settled(desk, qtbot)
    desk.close()
    assert open_desk(project).sheet.key == third


def test_a_span_is_checked_when_it_becomes_the_current_one(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    before = open_desk(project)
    start, _ = place(before, "41-year-old")
    uuid, key = before.hand.label(start, start + 4, "History"), before.sheet.key
    settled(before, qtbot)
    before.close()
    desk = open_desk(project)
    desk.open_report(key)
    settled(desk, qtbot)
    desk.sheet.set_current(None)
    desk.remarks.clear()
    desk.sheet.set_current(uuid)
    qtbot.waitUntil(lambda: bool(desk.remarks.get(uuid)))


def test_a_label_that_an_act_before_it_made_already_is_no_second_span(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    for _ in extract_with_rules(project):
        pass
    desk = open_desk(project)
    desk.show_others(("rules",))
    settled(desk, qtbot)
    theirs = desk.sheet.others["rules"][0]
    desk.hand.accept([theirs.uuid])
    desk.hand.label(theirs.finding.start or 0, theirs.finding.end or 0, theirs.finding.category)
    settled(desk, qtbot)
    qtbot.waitUntil(lambda: list(desk.sheet.spans) == [one.uuid for one in on_disk(desk)])


def test_keys_pressed_faster_than_the_disk_answers_end_as_the_disk_has_it(desk: Desk, qtbot: QtBot) -> None:
    where = place(desk, "41-year-old")
    first = desk.hand.label(*where, "History")
    settled(desk, qtbot)
    desk.hand.remove([first])
    desk.undo()
    desk.hand.label(*where, "History")
    settled(desk, qtbot)
    qtbot.waitUntil(lambda: list(desk.sheet.spans) == [one.uuid for one in on_disk(desk)])
    assert len(desk.sheet.spans) == 1


def test_what_others_did_is_only_taken_back_after_asking(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    desk = open_desk(project)
    desk.hand.label(*place(desk, "41-year-old"), "History")
    desk.set_annotator("Dr Ben Okafor")
    settled(desk, qtbot)
    with qtbot.waitSignal(desk.undoing.asked) as asked:
        desk.undo()
    assert ME in asked.args[0]
    settled(desk, qtbot)
    assert len(on_disk(desk)) == 1
    desk.undo(only=asked.args[1])
    settled(desk, qtbot)
    assert on_disk(desk) == []


def test_a_confirmed_undo_takes_back_only_what_was_asked_about(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    desk = open_desk(project)
    desk.hand.label(*place(desk, "41-year-old"), "History")
    desk.set_annotator("Dr Ben Okafor")
    settled(desk, qtbot)
    with qtbot.waitSignal(desk.undoing.asked) as asked:
        desk.undo()
    desk.hand.label(*place(desk, "man"), "Neuro")
    with qtbot.waitSignal(desk.failed):
        desk.undo(only=asked.args[1])
    settled(desk, qtbot)
    assert len(on_disk(desk)) == 1
    assert len(desk.sheet.spans) == 1


def test_undo_asked_for_during_long_work_does_not_take_that_work_back(desk: Desk, qtbot: QtBot) -> None:
    desk.hand.label(*place(desk, "41-year-old"), "History")
    settled(desk, qtbot)
    enough: list[bool] = []

    def work(project: Project) -> Generator[Progress, None, None]:
        with begin_act(project, "long work", ME) as act:
            add_document(act, Document("More", "Case\nMore.", ()), "more.txt", "0" * 64)
            while not enough:
                yield Progress(1, 1)

    job = desk.worker.begin("import", work)
    with qtbot.waitSignal(job.progressed):
        pass
    desk.undo()
    with qtbot.waitSignal(desk.undoing.asked) as asked:
        enough.append(True)
    assert "import" in asked.args[0]
    settled(desk, qtbot)
    assert len(on_disk(desk)) == 1


def test_reading_goes_on_while_an_act_waits_for_long_work(desk: Desk, qtbot: QtBot) -> None:
    other = list(desk.rows)[3]
    enough: list[bool] = []

    def work(project: Project) -> Generator[Progress, None, None]:
        with begin_act(project, "long work", ME):
            while not enough:
                yield Progress(1, 1)

    job = desk.worker.begin("import", work)
    with qtbot.waitSignal(job.progressed):
        pass
    desk.hand.label(*place(desk, "41-year-old"), "History")
    desk.open_report(other)
    qtbot.waitUntil(lambda: desk.sheet.key == other)
    assert desk.worker.waiting == 1
    enough.append(True)
    settled(desk, qtbot)


def test_a_reload_keeps_the_report_that_was_asked_for_last(desk: Desk, qtbot: QtBot) -> None:
    other = list(desk.rows)[3]
    desk.open_report(other)
    desk.reload()
    settled(desk, qtbot)
    assert desk.sheet.key == other


def test_others_that_are_gone_are_no_longer_shown(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    for _ in extract_with_rules(project):
        pass
    desk = open_desk(project)
    desk.show_others(("rules",))
    settled(desk, qtbot)
    lost: list[str] = []
    desk.worker.change_refused.connect(lost.append)
    with qtbot.waitSignal(desk.undoing.asked) as asked:
        desk.undo()
    desk.undo(only=asked.args[1])
    settled(desk, qtbot)
    settled(desk, qtbot)
    assert not desk.sheet.others
    assert not desk.showing
    assert not lost


def test_looking_goes_on_record_again_where_a_done_report_is_taken_up(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    for _ in extract_with_rules(project):
        pass
    desk = open_desk(project)
    key = desk.sheet.key
    desk.hand.set_state("done")
    settled(desk, qtbot)
    desk.show_others(("rules",))
    settled(desk, qtbot)
    with Project.open(project) as other:
        assert is_blind(other, ME, key)
    desk.undo()
    settled(desk, qtbot)
    settled(desk, qtbot)
    with Project.open(project) as other:
        assert not is_blind(other, ME, key)


def test_whoever_annotates_next_is_shown_no_others_unasked(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    for _ in extract_with_rules(project):
        pass
    desk = open_desk(project)
    key = desk.sheet.key
    desk.worker.act(lambda p: set_review_state(p, "Dr Ben Okafor", key, "done"), lambda _: None)
    desk.show_others(("rules",))
    settled(desk, qtbot)
    assert desk.sheet.others
    desk.set_annotator("Dr Ben Okafor")
    settled(desk, qtbot)
    settled(desk, qtbot)
    assert desk.sheet.review.state == "done"
    assert (desk.showing, desk.sheet.others) == ((), {})


def test_the_report_of_another_annotator_is_opened_anew_and_not_refreshed(desk: Desk, qtbot: QtBot) -> None:
    desk.hand.label(*place(desk, "41-year-old"), "History")
    settled(desk, qtbot)
    opened: list[str] = []
    desk.sheet.opened.connect(lambda: opened.append(desk.sheet.report.annotator if desk.sheet.report else ""))
    with held(desk):
        # What undo shows is still for whoever asked for it.
        desk.undo()
        desk.set_annotator("Dr Ben Okafor")
    settled(desk, qtbot)
    assert opened[-1] == "Dr Ben Okafor"


def test_others_spans_in_a_report_that_was_left_are_not_shown_in_the_next(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    for _ in extract_with_rules(project):
        pass
    desk = open_desk(project)
    settled(desk, qtbot)
    other = next(key for key in desk.rows if key != desk.sheet.key)
    with held(desk):
        desk.open_report(other)
        desk.show_others(("rules",))
    settled(desk, qtbot)
    assert (desk.sheet.key, desk.sheet.others) == (other, {})


def test_others_that_were_hidden_before_they_came_are_not_shown(
    project: Path, open_desk: Callable[[Path], Desk], qtbot: QtBot
) -> None:
    for _ in extract_with_rules(project):
        pass
    desk = open_desk(project)
    settled(desk, qtbot)
    with held(desk):
        desk.show_others(("rules",))
        desk.show_others(())
    settled(desk, qtbot)
    assert desk.sheet.others == {}


def test_the_same_words_of_a_report_that_was_left_are_not_offered(desk: Desk, qtbot: QtBot) -> None:
    offers: list[object] = []
    desk.same_found.connect(offers.append)
    other = next(key for key in desk.rows if key != desk.sheet.key)
    with held(desk):
        desk.hand.label(*place(desk, "Fabry"), "History")
        desk.open_report(other)
    settled(desk, qtbot)
    assert desk.sheet.key == other
    assert offers == []


def test_checks_of_a_report_that_was_left_are_not_told_of_in_the_next(desk: Desk, qtbot: QtBot) -> None:
    other = next(key for key in desk.rows if key != desk.sheet.key)
    start, _ = place(desk, "41-year-old")
    with held(desk):
        desk.hand.label(start, start + 4, "History")
        desk.open_report(other)
    settled(desk, qtbot)
    assert desk.sheet.key == other
    assert desk.remarks == {}


def test_undo_takes_back_what_came_before_a_model_run(desk: Desk, qtbot: QtBot) -> None:
    desk.hand.label(*place(desk, "41-year-old"), "History")

    def run(project: Project) -> None:
        with begin_act(project, "run a model", "tiny", undoable=False) as act:
            holder = ensure_annotator(act, "tiny", "run")
            start_run(act, holder.uuid, "rules", "tiny", {}, "0.1.0")

    desk.worker.act(run, lambda _: None)
    refused: list[str] = []
    desk.failed.connect(refused.append)
    desk.undo()
    settled(desk, qtbot)
    assert (refused, on_disk(desk)) == ([], [])


def test_undo_stays_in_the_open_report_where_it_changed_that_too(desk: Desk, qtbot: QtBot) -> None:
    first, second = list(desk.rows)[:2]
    desk.open_report(second)
    qtbot.waitUntil(lambda: desk.sheet.key == second)
    desk.hand.label_places([SpanPlace(key, 0, 5) for key in (first, second)], "History")
    settled(desk, qtbot)
    assert desk.sheet.spans
    desk.undo()
    settled(desk, qtbot)
    assert (desk.sheet.key, desk.sheet.spans) == (second, {})


def test_what_undo_would_do_is_named_once_a_change_is_saved(desk: Desk, qtbot: QtBot) -> None:
    settled(desk, qtbot)
    named: list[tuple[str, str]] = []
    desk.undoing.named.connect(lambda undo, redo: named.append((undo, redo)))
    desk.hand.label(*place(desk, "41-year-old"), "History")
    settled(desk, qtbot)
    assert named
    assert "History" in named[-1][0]


def test_an_answer_to_somebody_who_left_is_not_put_before_the_next_one(desk: Desk, qtbot: QtBot) -> None:
    desk.hand.label(*place(desk, "41-year-old"), "History")
    desk.undo()
    settled(desk, qtbot)

    def work(project: Project) -> Generator[Progress, None, None]:
        with begin_act(project, "long work", ME):
            while True:
                yield Progress(1, 1)

    job = desk.worker.begin("import", work)
    with qtbot.waitSignal(job.progressed):
        pass
    desk.redo()
    desk.set_annotator("Dr Ben Okafor")
    qtbot.waitUntil(lambda: desk.sheet.report is not None)
    job.cancel()
    settled(desk, qtbot)
    settled(desk, qtbot)
    assert desk.sheet.report is not None
    assert (desk.sheet.report.annotator, desk.sheet.spans) == ("Dr Ben Okafor", {})
