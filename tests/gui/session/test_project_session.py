"""The open project: what is shown at once is on disk a moment later, and undo goes everywhere."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.gui.dialogs.project import backups
from app.gui.session.jobs import Job
from app.gui.session.project_session import Offer, ProjectSession
from app.gui.session.worker import Worker
from app.operations.annotate.report import open_report
from app.operations.annotate.spans import SpanPlace, add_spans, set_review_state
from app.operations.exchange.importing import import_reports
from app.operations.project.backups import list_backups
from app.operations.project.files import check_project, create_project
from app.operations.project.history import list_history
from app.store.act import begin_act
from app.store.annotate.annotations import Annotation, add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.extract.runs import start_run
from app.store.project import Project
from app.store.reports.documents import add_document
from extractors.model.document import Document
from extractors.model.finding import Finding
from extractors.model.progress import Progress
from tests.builders import is_blind
from tests.gui.conftest import ME
from tests.verbs import settle


def on_disk(session: ProjectSession, key: str = "") -> list[Annotation]:
    """What one has in a report, read by another connection."""
    with Project.open(session.path) as project:
        return list(open_report(project, key or session.report_model.key, ME).annotations)


def at_long_work(worker: Worker, qtbot: QtBot) -> tuple[Job, list[bool]]:
    """Work that holds an act open until there is something in the list."""
    enough: list[bool] = []

    def work(project: Project) -> Generator[Progress, None, None]:
        with begin_act(project, "long work", ME):
            while not enough:
                yield Progress(1, 1)

    job = worker.begin("import", work)
    with qtbot.waitSignal(job.progressed):
        pass
    return job, enough


@contextmanager
def held(session: ProjectSession) -> Iterator[None]:
    """Within, everything is asked for and nothing is answered; after it all is answered in that order."""
    go = Event()
    session.worker.ask(lambda project: go.wait(30), lambda _: None)
    try:
        yield
    finally:
        go.set()


def place(session: ProjectSession, words: str) -> tuple[int, int]:
    start = session.report_model.text.index(words)
    return start, start + len(words)


def test_a_span_is_on_the_sheet_at_once_and_on_disk_under_the_same_uuid(
    session: ProjectSession, qtbot: QtBot
) -> None:
    where = place(session, "41-year-old")
    uuid = session.controller.label(*where, "History")
    shown = session.report_model.spans[uuid].finding
    settle(session.worker, qtbot)
    (stored,) = on_disk(session)
    assert (stored.uuid, stored.finding) == (uuid, shown)
    assert session.report_model.spans[uuid] == stored


def test_a_new_span_is_the_current_one(session: ProjectSession) -> None:
    uuid = session.controller.label(*place(session, "41-year-old"), "History")
    assert session.report_model.current == uuid


def test_labelling_the_same_place_again_chooses_the_span_that_is_there(
    session: ProjectSession, qtbot: QtBot
) -> None:
    where = place(session, "41-year-old")
    uuid = session.controller.label(*where, "History")
    session.report_model.set_current(None)
    assert session.controller.label(*where, "History") == ""
    assert session.report_model.current == uuid
    settle(session.worker, qtbot)
    assert len(on_disk(session)) == 1


def test_a_second_label_has_the_place_and_the_polarity_of_the_first(
    session: ProjectSession, qtbot: QtBot
) -> None:
    uuid = session.controller.label(*place(session, "41-year-old"), "History")
    session.controller.set_polarity(uuid, "negated")
    second = session.controller.label_also(uuid, "Neuro")
    settle(session.worker, qtbot)
    stored = {one.uuid: one.finding for one in on_disk(session)}
    assert (stored[second].start, stored[second].polarity) == (stored[uuid].start, "negated")


def test_changes_that_follow_each_other_quickly_end_as_the_last_one(
    session: ProjectSession, qtbot: QtBot
) -> None:
    start, end = place(session, "41-year-old")
    uuid = session.controller.label(start, end, "History")
    seen: list[int | None] = []
    session.report_model.span_set.connect(lambda _: seen.append(session.report_model.spans[uuid].finding.end))
    for more in range(1, 8):
        session.controller.move(uuid, start, end + more)
    settle(session.worker, qtbot)
    assert on_disk(session)[0].finding.end == end + 7
    assert [step for step in seen if step is not None] == sorted(step for step in seen if step is not None)


def test_what_the_disk_refuses_is_taken_off_the_sheet_with_a_sentence(
    session: ProjectSession, qtbot: QtBot
) -> None:
    start, end = place(session, "41-year-old")
    session.controller.label(start, end, "History")
    other = session.controller.label(start, end + 4, "History")
    with qtbot.waitSignal(session.failed) as told:
        session.controller.move(other, start, end)
    assert "labelled History there already" in told.args[0]
    settle(session.worker, qtbot)
    assert session.report_model.spans[other].finding.end == end + 4


def test_a_removed_span_is_gone_from_sheet_and_disk(session: ProjectSession, qtbot: QtBot) -> None:
    uuid = session.controller.label(*place(session, "41-year-old"), "History")
    session.controller.remove([uuid])
    assert uuid not in session.report_model.spans
    assert session.report_model.current is None
    settle(session.worker, qtbot)
    assert on_disk(session) == []


def test_undo_and_redo_show_what_is_on_disk(session: ProjectSession, qtbot: QtBot) -> None:
    where = place(session, "41-year-old")
    uuid = session.controller.label(*where, "History")
    shown: list[object] = []
    session.span_turned.connect(shown.append)
    session.place_turned.connect(lambda *there: shown.append(there))
    session.message.connect(shown.append)
    session.undoing.undo()
    settle(session.worker, qtbot)
    assert uuid not in session.report_model.spans
    session.undoing.redo()
    settle(session.worker, qtbot)
    assert uuid in session.report_model.spans
    assert [one.uuid for one in on_disk(session)] == [uuid]
    session.undoing.redo()
    settle(session.worker, qtbot)
    name = list_history(session.path)[-1].name
    assert shown == [f"Undone: {name}.", where, f"Redone: {name}.", uuid, "Nothing to redo."]
    # Of several the one that one is at; what was done in no span has no place.
    shown.clear()
    other = session.controller.label(*place(session, "man"), "History")
    settle(session.worker, qtbot)
    session.controller.remove([uuid, other])
    session.undoing.undo()
    session.report_model.set_current(other)
    settle(session.worker, qtbot)
    acts = {entry.name.split()[0]: entry.act for entry in list_history(session.path)}
    for kind in ("remove", "import", "create"):
        session.go_to_act(acts[kind])
        settle(session.worker, qtbot)
    nowhere = "What was done there is in no report, or in one that was deleted."
    assert shown == ["Undone: remove 2 spans in PMC99000001.", other, other, nowhere]
    # What is gone has left its place.
    session.controller.remove([uuid])
    settle(session.worker, qtbot)
    shown.clear()
    session.go_to_act(list_history(session.path)[-1].act)
    settle(session.worker, qtbot)
    assert shown == [where]


def test_undo_opens_the_report_that_it_changed(session: ProjectSession, qtbot: QtBot) -> None:
    first = session.report_model.key
    session.controller.label(*place(session, "41-year-old"), "History")
    other = next(key for key in session.rows if key != first)
    session.open_report(other)
    qtbot.waitUntil(lambda: session.report_model.key == other)
    session.undoing.undo()
    qtbot.waitUntil(lambda: session.report_model.key == first)
    assert not session.report_model.spans


def test_all_since_an_act_is_taken_back_and_made_again_in_the_open_report(
    session: ProjectSession, qtbot: QtBot
) -> None:
    words = ("41-year-old", "man", "pain")
    uuids = [session.controller.label(*place(session, one), "History") for one in words]
    settle(session.worker, qtbot)
    acts = [entry.act for entry in list_history(session.path)][-3:]
    shown: list[object] = []
    session.span_turned.connect(shown.append)
    session.place_turned.connect(lambda *there: shown.append(there))
    session.message.connect(shown.append)
    session.undoing.undo_to(acts[0])
    settle(session.worker, qtbot)
    assert list(session.report_model.spans) == uuids[:1] == [one.uuid for one in on_disk(session)]
    session.undoing.redo_to(acts[2])
    settle(session.worker, qtbot)
    # Shown is what was turned last.
    where = place(session, "man")
    assert shown == ["Undone: 2 changes.", where, "Redone: 2 changes.", uuids[2]]
    assert sorted(session.report_model.spans) == sorted(uuids) == sorted(one.uuid for one in on_disk(session))


def test_undo_goes_on_after_a_restart(
    project: Path, open_session: Callable[[Path], ProjectSession], qtbot: QtBot
) -> None:
    before = open_session(project)
    before.controller.label(*place(before, "41-year-old"), "History")
    before.close()
    after = open_session(project)
    assert len(after.report_model.spans) == 1
    after.undoing.undo()
    settle(after.worker, qtbot)
    assert not after.report_model.spans


def test_a_label_that_is_on_its_way_survives_an_undo_before_it(session: ProjectSession, qtbot: QtBot) -> None:
    session.controller.label(*place(session, "41-year-old"), "History")
    session.undoing.undo()
    kept = session.controller.label(*place(session, "man"), "Neuro")
    settle(session.worker, qtbot)
    assert list(session.report_model.spans) == [kept]
    assert [one.uuid for one in on_disk(session)] == [kept]


def test_undoing_an_import_leaves_an_empty_page(
    tmp_path: Path, session: ProjectSession, qtbot: QtBot
) -> None:
    enough: list[bool] = []

    def look(project: Project) -> Generator[Progress, None, None]:
        while not enough:
            yield Progress(0, 0)

    # Long work that has not ended is not what one might mean.
    session.worker.begin("look", look)
    session.undoing.undo()
    qtbot.waitUntil(lambda: session.report_model.key == "")
    enough.append(True)
    settle(session.worker, qtbot)
    assert not session.rows


def test_the_row_of_a_report_follows_its_spans(session: ProjectSession, qtbot: QtBot) -> None:
    assert session.rows[session.report_model.key].state == "untouched"
    session.controller.label(*place(session, "41-year-old"), "History")
    settle(session.worker, qtbot)
    row = session.rows[session.report_model.key]
    assert (row.state, dict(row.own)) == ("in progress", {"History": 1})


def test_the_same_words_in_the_report_are_offered_after_a_label(
    session: ProjectSession, qtbot: QtBot
) -> None:
    offers: list[Offer] = []
    session.same_found.connect(offers.append)
    session.controller.label(*place(session, "Fabry"), "History")
    settle(session.worker, qtbot)
    expected = session.report_model.text.lower().count("fabry") - 1
    assert [(offer.quote, offer.same.total) for offer in offers] == [("Fabry", expected)]
    # Whoever labels several places at once has looked for them.
    places = [SpanPlace(session.report_model.key, *place(session, words)) for words in ("man", "pain")]
    session.controller.label_places(places, "History")
    settle(session.worker, qtbot)
    assert len(offers) == 1


def test_checks_are_told_of_the_span_just_made(session: ProjectSession, qtbot: QtBot) -> None:
    start, _ = place(session, "41-year-old")
    uuid = session.controller.label(start, start + 4, "History")
    settle(session.worker, qtbot)
    assert session.warnings[uuid]
    other = session.controller.label(start + 1, start + 5, "History")
    settle(session.worker, qtbot)
    assert set(session.warnings) == {uuid, other}


def test_others_are_hidden_until_asked_for_and_asking_is_recorded(
    with_rules: ProjectSession, qtbot: QtBot
) -> None:
    session = with_rules
    settle(session.worker, qtbot)
    assert [one.name for one in session.others_there] == ["rules"]
    assert not session.report_model.others
    session.show_others(("rules",))
    settle(session.worker, qtbot)
    assert session.report_model.others["rules"]
    with Project.open(session.path) as other:
        assert not is_blind(other, ME, session.report_model.key)


def test_others_are_hidden_again_in_the_next_report_but_in_one_that_is_done(
    with_rules: ProjectSession, qtbot: QtBot
) -> None:
    session = with_rules
    other, done = list(session.rows)[1:3]
    session.worker.act(lambda p: set_review_state(p, ME, done, "done"), lambda _: None)
    session.show_others(("rules",))
    for key, seen in ((other, []), (done, ["rules"]), (other, [])):
        settle(session.worker, qtbot)
        assert list(session.report_model.others) != seen
        session.open_report(key)
        settle(session.worker, qtbot, 3)
        assert (session.report_model.key, list(session.report_model.others)) == (key, seen)
    session.show_others(())
    session.open_report(done)
    qtbot.waitUntil(lambda: session.report_model.key == done)
    settle(session.worker, qtbot)
    assert session.report_model.others == {}


def test_a_span_of_a_model_becomes_ones_own_by_accepting_it(with_rules: ProjectSession, qtbot: QtBot) -> None:
    session = with_rules
    session.show_others(("rules",))
    settle(session.worker, qtbot)
    theirs = session.report_model.others["rules"][0]
    session.controller.accept([theirs.uuid])
    settle(session.worker, qtbot)
    (mine,) = on_disk(session)
    assert (mine.origin, mine.finding.quote) == ("accepted", theirs.surface)
    assert session.report_model.is_own(mine.uuid)


def test_annotating_under_another_name_shows_that_names_spans_only(
    session: ProjectSession, qtbot: QtBot
) -> None:
    session.controller.label(*place(session, "41-year-old"), "History")
    session.set_annotator("Dr Ben Okafor")
    settle(session.worker, qtbot)
    assert not session.report_model.spans
    qtbot.waitUntil(lambda: [one.name for one in session.others_there] == [ME])
    session.set_annotator(ME)
    settle(session.worker, qtbot)
    assert len(session.report_model.spans) == 1


def test_what_was_on_its_way_stays_with_whoever_did_it(session: ProjectSession, qtbot: QtBot) -> None:
    session.controller.label(*place(session, "41-year-old"), "History")
    session.set_annotator("Dr Ben Okafor")
    assert not session.report_model.spans
    settle(session.worker, qtbot)
    assert not session.report_model.spans
    assert len(on_disk(session)) == 1


def test_places_in_several_reports_are_labelled_in_one_act(session: ProjectSession, qtbot: QtBot) -> None:
    keys = list(session.rows)[:2]
    session.controller.label_places([SpanPlace(key, 0, 5) for key in keys], "History")
    settle(session.worker, qtbot)
    assert [dict(session.rows[key].own) for key in keys] == [{"History": 1}, {"History": 1}]
    session.undoing.undo()
    settle(session.worker, qtbot)
    assert [dict(session.rows[key].own) for key in keys] == [{}, {}]


@pytest.mark.parametrize(
    "words",
    ["fe\u0301ver 😊 today", "140\u00a0mmHg\tat rest", "line one\nline two", "👩‍⚕️ said"],
)
def test_spans_on_disk_are_the_characters_selected(
    words: str, tmp_path: Path, open_session: Callable[[Path], ProjectSession], qtbot: QtBot
) -> None:
    path = create_project(tmp_path / "signs.casespan", ME)
    source = tmp_path / "signs.txt"
    source.write_bytes(f"Case 😊\r\nHe had {words} 𝑨 and more.\r\n".encode())
    for _ in import_reports(path, [source]):
        pass
    session = open_session(path)
    session.controller.label(*place(session, words), "Neuro")
    settle(session.worker, qtbot)
    (stored,) = on_disk(session)
    assert stored.finding.quote == stored.surface == words
    session.close()
    assert check_project(path) == []


def test_the_project_opens_where_one_left_off(
    project: Path, open_session: Callable[[Path], ProjectSession], qtbot: QtBot
) -> None:
    session = open_session(project)
    third = list(session.rows)[2]
    with_third = [SpanPlace(third, 0, 5)]
    session.worker.act(lambda p: add_spans(p, ME, with_third, "History"), lambda _: None)
    settle(session.worker, qtbot)
    session.close()
    session = open_session(project)
    assert session.report_model.key == third
    session.close()
    # So it does where the report that was open last on this computer is gone.
    session = ProjectSession(project)
    session.last_report = "gone"
    session.start()
    qtbot.waitUntil(lambda: session.report_model.key == third)
    session.close()


def test_a_span_is_checked_when_it_becomes_the_current_one(
    project: Path, open_session: Callable[[Path], ProjectSession], qtbot: QtBot
) -> None:
    before = open_session(project)
    start, _ = place(before, "41-year-old")
    uuid, key = before.controller.label(start, start + 4, "History"), before.report_model.key
    settle(before.worker, qtbot)
    before.close()
    session = open_session(project)
    session.open_report(key)
    settle(session.worker, qtbot)
    session.report_model.set_current(None)
    session.warnings.clear()
    session.report_model.set_current(uuid)
    qtbot.waitUntil(lambda: bool(session.warnings.get(uuid)))


def test_a_label_that_an_act_before_it_made_already_is_no_second_span(
    with_rules: ProjectSession, qtbot: QtBot
) -> None:
    session = with_rules
    session.show_others(("rules",))
    settle(session.worker, qtbot)
    theirs = session.report_model.others["rules"][0]
    session.controller.accept([theirs.uuid])
    session.controller.label(theirs.finding.start or 0, theirs.finding.end or 0, theirs.finding.category)
    settle(session.worker, qtbot)
    qtbot.waitUntil(lambda: list(session.report_model.spans) == [one.uuid for one in on_disk(session)])


def test_keys_pressed_faster_than_the_disk_answers_end_as_the_disk_has_it(
    session: ProjectSession, qtbot: QtBot
) -> None:
    where = place(session, "41-year-old")
    first = session.controller.label(*where, "History")
    settle(session.worker, qtbot)
    session.controller.remove([first])
    session.undoing.undo()
    session.controller.label(*where, "History")
    settle(session.worker, qtbot)
    qtbot.waitUntil(lambda: list(session.report_model.spans) == [one.uuid for one in on_disk(session)])
    assert len(session.report_model.spans) == 1


@pytest.fixture
def asked(
    project: Path, open_session: Callable[[Path], ProjectSession], qtbot: QtBot
) -> tuple[ProjectSession, str]:
    """A session in which undo has asked about the work of somebody else, and the act that it asked about."""
    session = open_session(project)
    session.controller.label(*place(session, "41-year-old"), "History")
    session.set_annotator("Dr Ben Okafor")
    settle(session.worker, qtbot)
    with qtbot.waitSignal(session.undoing.asked) as told:
        session.undoing.undo()
    name = list_history(session.path)[-1].name
    assert told.args[0] == f"“{name}” is about the work of {ME}. Undo it?"
    return session, told.args[1]


def test_what_others_did_is_only_taken_back_after_asking(
    asked: tuple[ProjectSession, str], qtbot: QtBot
) -> None:
    session, act = asked
    settle(session.worker, qtbot)
    assert len(on_disk(session)) == 1
    session.undoing.undo(only=act)
    settle(session.worker, qtbot)
    assert on_disk(session) == []
    # So it is asked where one has done something oneself in the same act.
    report = session.report_model.report
    assert report is not None
    document, finding = report.stored.uuid, Finding("Neuro", report.text[:5], 0, 5)

    def both(project: Project) -> None:
        with begin_act(project, "work of both", ME) as one:
            for name in (ME, session.annotator):
                holder = ensure_annotator(one, name, "person").uuid
                add_annotations(one, document, holder, [finding], "human")

    session.worker.act(both, lambda _: None)
    with qtbot.waitSignal(session.undoing.asked) as told:
        session.undoing.undo()
    assert told.args[0] == f"“work of both” is about the work of {ME}. Undo it?"


def test_a_confirmed_undo_takes_back_only_what_was_asked_about(
    asked: tuple[ProjectSession, str], qtbot: QtBot
) -> None:
    session, act = asked
    session.controller.label(*place(session, "man"), "Neuro")
    with qtbot.waitSignal(session.failed):
        session.undoing.undo(only=act)
    settle(session.worker, qtbot)
    assert len(on_disk(session)) == 1
    assert len(session.report_model.spans) == 1


@pytest.mark.parametrize("since", [False, True])
def test_undo_asked_for_during_long_work_does_not_take_that_work_back(
    session: ProjectSession, qtbot: QtBot, *, since: bool
) -> None:
    session.controller.label(*place(session, "41-year-old"), "History")
    settle(session.worker, qtbot)
    enough: list[bool] = []

    def work(project: Project) -> Generator[Progress, None, None]:
        with begin_act(project, "long work", ME) as act:
            add_document(act, Document("More", "Case\nMore.", ()), "more.txt", "0" * 64)
            while not enough:
                yield Progress(1, 1)

    job = session.worker.begin("import", work)
    with qtbot.waitSignal(job.progressed):
        pass
    if since:
        session.controller.label(*place(session, "man"), "Neuro")
    told: list[str] = []
    session.undoing.asked.connect(lambda question, _: told.append(question))
    session.undoing.undo()
    enough.append(True)
    settle(session.worker, qtbot)
    # What one did oneself since then is what one means.
    question = "“import” has ended meanwhile; the last act is now “long work”. Undo it?"
    assert told == [question] * (not since)
    assert len(on_disk(session)) == 1


def test_reading_goes_on_while_an_act_waits_for_long_work(session: ProjectSession, qtbot: QtBot) -> None:
    other = list(session.rows)[3]
    _, enough = at_long_work(session.worker, qtbot)
    session.controller.label(*place(session, "41-year-old"), "History")
    session.open_report(other)
    qtbot.waitUntil(lambda: session.report_model.key == other)
    assert session.worker.waiting == 1
    enough.append(True)
    settle(session.worker, qtbot)


def test_a_reload_keeps_the_report_that_was_asked_for_last(session: ProjectSession, qtbot: QtBot) -> None:
    other = list(session.rows)[3]
    session.open_report(other)
    session.reload()
    settle(session.worker, qtbot)
    assert session.report_model.key == other
    said: list[str] = []
    session.message.connect(said.append)
    # Asked for under a key that it has no more, it is the one that has taken that one's place.
    session.open_report("before")
    session.reload({"before": other, other: "gone"})
    settle(session.worker, qtbot)
    assert session.report_model.key == other
    session.reload({other: "gone", "another": other})
    settle(session.worker, qtbot)
    assert session.report_model.key == next(iter(session.rows))
    keys, last = [*list(session.rows)[:2], other], "This is the last report of the list."
    steps = ((1, keys[1], 0), (1, other, 0), (1, other, 1), (-2, keys[0], 1), (-1, keys[0], 2))
    for step, key, told in steps:
        session.step_report(step, keys)
        settle(session.worker, qtbot)
        assert (session.report_model.key, len(said)) == (key, told)
    assert said == [last, "This is the first report."]
    # From one that the list does not hold it goes to the first one.
    session.step_report(1, [])
    session.step_report(1, [other, keys[1]])
    settle(session.worker, qtbot)
    assert (session.report_model.key, len(said)) == (other, 2)
    # What cannot be opened leaves the page as it is, and what comes next as well.
    failed: list[str] = []
    session.failed.connect(failed.append)
    session.open_report("nowhere")
    settle(session.worker, qtbot)
    session.reload()
    settle(session.worker, qtbot)
    assert (session.report_model.key, len(failed)) == (other, 1)


def test_others_that_are_gone_are_no_longer_shown(with_rules: ProjectSession, qtbot: QtBot) -> None:
    session = with_rules
    session.show_others(("rules",))
    settle(session.worker, qtbot)
    lost: list[str] = []
    session.worker.change_refused.connect(lost.append)
    with qtbot.waitSignal(session.undoing.asked) as asked:
        session.undoing.undo()
    session.undoing.undo(only=asked.args[1])
    settle(session.worker, qtbot)
    settle(session.worker, qtbot)
    assert not session.report_model.others
    assert not session.showing
    assert not lost


def test_looking_goes_on_record_again_where_a_done_report_is_taken_up(
    with_rules: ProjectSession, qtbot: QtBot
) -> None:
    session = with_rules
    key = session.report_model.key
    session.controller.set_state("done")
    settle(session.worker, qtbot)
    session.show_others(("rules",))
    settle(session.worker, qtbot)
    with Project.open(session.path) as other:
        assert is_blind(other, ME, key)
    session.undoing.undo()
    settle(session.worker, qtbot)
    settle(session.worker, qtbot)
    with Project.open(session.path) as other:
        assert not is_blind(other, ME, key)


def test_whoever_annotates_next_is_shown_no_others_unasked(with_rules: ProjectSession, qtbot: QtBot) -> None:
    session = with_rules
    key = session.report_model.key
    session.worker.act(lambda p: set_review_state(p, "Dr Ben Okafor", key, "done"), lambda _: None)
    session.show_others(("rules",))
    settle(session.worker, qtbot)
    assert session.report_model.others
    session.set_annotator("Dr Ben Okafor")
    settle(session.worker, qtbot)
    settle(session.worker, qtbot)
    assert session.report_model.review.state == "done"
    assert (session.showing, session.report_model.others) == ((), {})


def test_the_report_of_another_annotator_is_opened_anew_and_not_refreshed(
    session: ProjectSession, qtbot: QtBot
) -> None:
    session.controller.label(*place(session, "41-year-old"), "History")
    settle(session.worker, qtbot)
    opened: list[str] = []
    session.report_model.opened.connect(
        lambda: opened.append(session.report_model.report.annotator if session.report_model.report else "")
    )
    with held(session):
        # What undo shows is still for whoever asked for it.
        session.undoing.undo()
        session.set_annotator("Dr Ben Okafor")
    settle(session.worker, qtbot)
    assert opened[-1] == "Dr Ben Okafor"


def test_others_spans_in_a_report_that_was_left_are_not_shown_in_the_next(
    with_rules: ProjectSession, qtbot: QtBot
) -> None:
    session = with_rules
    settle(session.worker, qtbot)
    other = next(key for key in session.rows if key != session.report_model.key)
    with held(session):
        session.open_report(other)
        session.show_others(("rules",))
    settle(session.worker, qtbot)
    assert (session.report_model.key, session.report_model.others) == (other, {})


def test_others_that_were_hidden_before_they_came_are_not_shown(
    with_rules: ProjectSession, qtbot: QtBot
) -> None:
    session = with_rules
    settle(session.worker, qtbot)
    with held(session):
        session.show_others(("rules",))
        session.show_others(())
    settle(session.worker, qtbot)
    assert session.report_model.others == {}


def test_the_same_words_of_a_report_that_was_left_are_not_offered(
    session: ProjectSession, qtbot: QtBot
) -> None:
    offers: list[object] = []
    session.same_found.connect(offers.append)
    other = next(key for key in session.rows if key != session.report_model.key)
    with held(session):
        session.controller.label(*place(session, "Fabry"), "History")
        session.open_report(other)
    settle(session.worker, qtbot)
    assert session.report_model.key == other
    assert offers == []


def test_checks_of_a_report_that_was_left_are_not_told_of_in_the_next(
    session: ProjectSession, qtbot: QtBot
) -> None:
    other = next(key for key in session.rows if key != session.report_model.key)
    start, _ = place(session, "41-year-old")
    with held(session):
        session.controller.label(start, start + 4, "History")
        session.open_report(other)
    settle(session.worker, qtbot)
    assert session.report_model.key == other
    assert session.warnings == {}


def test_undo_takes_back_what_came_before_a_model_run(session: ProjectSession, qtbot: QtBot) -> None:
    session.controller.label(*place(session, "41-year-old"), "History")

    def run(project: Project) -> None:
        with begin_act(project, "run a model", "tiny", undoable=False) as act:
            holder = ensure_annotator(act, "tiny", "run")
            start_run(act, holder.uuid, "rules", "tiny", {}, "0.1.0")

    session.worker.act(run, lambda _: None)
    refused: list[str] = []
    session.failed.connect(refused.append)
    session.undoing.undo()
    settle(session.worker, qtbot)
    assert (refused, on_disk(session)) == ([], [])


def test_undo_stays_in_the_open_report_where_it_changed_that_too(
    session: ProjectSession, qtbot: QtBot
) -> None:
    first, second = list(session.rows)[:2]
    session.open_report(second)
    qtbot.waitUntil(lambda: session.report_model.key == second)
    session.controller.label_places([SpanPlace(key, 0, 5) for key in (first, second)], "History")
    settle(session.worker, qtbot)
    assert session.report_model.spans
    session.undoing.undo()
    settle(session.worker, qtbot)
    assert (session.report_model.key, session.report_model.spans) == (second, {})


def test_what_undo_would_do_is_named_once_a_change_is_saved(session: ProjectSession, qtbot: QtBot) -> None:
    settle(session.worker, qtbot)
    named: list[tuple[str, str]] = []
    session.undoing.named.connect(lambda undo, redo: named.append((undo, redo)))
    session.controller.label(*place(session, "41-year-old"), "History")
    settle(session.worker, qtbot)
    assert named
    assert "History" in named[-1][0]


def test_an_answer_to_somebody_who_left_is_not_put_before_the_next_one(
    session: ProjectSession, qtbot: QtBot
) -> None:
    session.controller.label(*place(session, "41-year-old"), "History")
    session.undoing.undo()
    settle(session.worker, qtbot)

    def work(project: Project) -> Generator[Progress, None, None]:
        with begin_act(project, "long work", ME):
            while True:
                yield Progress(1, 1)

    job = session.worker.begin("import", work)
    with qtbot.waitSignal(job.progressed):
        pass
    session.undoing.redo()
    session.set_annotator("Dr Ben Okafor")
    qtbot.waitUntil(lambda: session.report_model.report is not None)
    job.cancel()
    settle(session.worker, qtbot)
    settle(session.worker, qtbot)
    assert session.report_model.report is not None
    assert (session.report_model.report.annotator, session.report_model.spans) == ("Dr Ben Okafor", {})


def test_a_copy_is_kept_without_asking_once_long_work_has_ended(
    session: ProjectSession, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "_FIRST_MS", 0)
    enough, failures = Event(), list[str]()
    session.failed.connect(failures.append)

    def work(project: Project) -> Generator[Progress, None, None]:
        with begin_act(project, "add", ME) as act:
            ensure_annotator(act, "Dr Ben Okafor", "person")
            while not enough.is_set():
                yield Progress(1, 1)

    job = session.worker.begin("work", work)
    with qtbot.waitSignal(job.progressed):
        backups.keep_backups(session)
    session.opened.emit()
    answers: list[bool] = []
    QTimer.singleShot(10, lambda: session.worker.ask(lambda _: True, answers.append))
    qtbot.waitUntil(lambda: bool(answers))
    enough.set()
    qtbot.waitUntil(lambda: bool(list_backups(session.path)))
    assert failures == []
    # The next follows after half an hour.
    assert 30 * 60_000 in [timer.interval() for timer in session.findChildren(QTimer)]


def test_of_spans_that_an_act_touched_the_current_one_stays_current(session: ProjectSession) -> None:
    model, turned = session.report_model, list[object]()
    session.span_turned.connect(turned.append)
    session.place_turned.connect(lambda *place: turned.append(place))
    model.spans = dict.fromkeys("ab")  # type: ignore[assignment]
    for current, spans, place in (
        ("b", "cab", None),
        (None, "cab", None),
        ("z", "c", (3, 5)),
        ("z", "c", None),
    ):
        model.current = current
        session._turn_to(SimpleNamespace(spans=tuple(spans), place=place))  # type: ignore[arg-type]
    assert turned == ["b", "a", (3, 5)]


def test_what_is_shown_is_looked_at_once_more_until_the_report_is_done(
    session: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, ...]] = []
    monkeypatch.setattr(session, "show_others", shown.append)
    model = session.report_model
    for others, state in (({"ben": ()}, "in progress"), ({"ben": ()}, "done"), ({}, "in progress")):
        model.others = others  # type: ignore[assignment]
        model._review = replace(model.review, state=state)  # type: ignore[arg-type]
        session._look_on()
    assert shown == [("ben",)]
