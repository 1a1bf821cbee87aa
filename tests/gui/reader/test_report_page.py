"""Where in the text one is: the caret of each report, and which span is the current one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.gui.session.project_session import ProjectSession
from app.operations.annotate.spans import SpanPlace, add_span
from app.store.project import Project
from tests.gui.conftest import ME
from tests.gui.modes.annotate.test_editing import CTRL, SHIFT, Bench, make_bench
from tests.gui.session.test_project_session import on_disk
from tests.verbs import settle


@pytest.fixture
def bench(session: ProjectSession, qtbot: QtBot) -> Bench:
    return make_bench(session, qtbot)


def go_to_report(bench: Bench, key: str) -> None:
    bench.session.open_report(key)
    bench.qtbot.waitUntil(lambda: bench.session.report_model.key == key)


def two_on_one_place(bench: Bench) -> tuple[str, str]:
    """A span of two words, and a shorter one of the first of them."""
    start = bench.session.report_model.text.index("exertional dyspnoea")
    longer = bench.session.controller.label(start, start + len("exertional dyspnoea"), "History")
    shorter = bench.session.controller.label(start, start + len("exertional"), "Neuro")
    bench.stored()
    return longer, shorter


def test_each_report_opens_where_its_caret_was(bench: Bench) -> None:
    first, second = list(bench.session.rows)[:2]
    go_to_report(bench, first)
    bench.reader.go_to(120)
    go_to_report(bench, second)
    bench.reader.go_to(70)
    go_to_report(bench, first)
    assert bench.reader.caret() == 120
    go_to_report(bench, second)
    assert bench.reader.caret() == 70
    # The report left last is the one that the project opens with.
    assert list(bench.page.carets) == [second, first]


def test_a_report_opens_first_at_the_span_made_last(
    project: Path, open_session: Callable[[Path], ProjectSession], qtbot: QtBot
) -> None:
    with Project.open(project, write=True) as open_:
        for start, day in ((300, "02"), (200, "03"), (100, "01")):
            (made,) = add_span(open_, ME, SpanPlace("PMC99000003", start, start + 20), "Neuro").added
            open_.db.table("annotation").update(made.uuid, {"created_at": f"2026-01-{day}T09:00:00Z"})
    bench = make_bench(open_session(project), qtbot)
    go_to_report(bench, "PMC99000003")
    assert bench.reader.caret() == 200


def caret_at_third(bench: Bench) -> bool:
    """Whether the caret's line ends the top third of the reader."""
    caret = bench.reader.cursorRect()
    return abs(caret.top() - bench.reader.viewport().height() // 3) <= caret.height()


def test_a_report_without_spans_opens_at_its_case_and_not_at_its_abstract(bench: Bench) -> None:
    case = next(one.start for one in bench.session.report_model.sections if one.role == "case")
    assert bench.session.report_model.text[:8] == "Abstract"
    assert bench.reader.caret() == case > 0
    assert caret_at_third(bench)


def test_coming_back_to_a_report_puts_the_place_where_one_was_at_the_top_third(bench: Bench) -> None:
    first, second = list(bench.session.rows)[:2]
    go_to_report(bench, first)
    left = bench.session.report_model.text.index("exertional")
    bench.reader.go_to(left)
    go_to_report(bench, second)
    go_to_report(bench, first)
    assert bench.reader.caret() == left
    assert caret_at_third(bench)


def test_a_span_out_of_view_comes_to_the_top_third_and_one_in_view_moves_nothing(bench: Bench) -> None:
    text = bench.session.report_model.text
    far = text.rindex("Fabry")
    uuid = bench.session.controller.label(far, far + 5, "History")
    bench.reader.verticalScrollBar().setValue(0)
    bench.page.go_to_span(uuid)
    bar = bench.reader.verticalScrollBar()
    assert caret_at_third(bench) or bar.value() == bar.maximum()
    bar.setValue(bar.value() + 40)
    before = bar.value()
    bench.page.go_to_span(uuid)
    assert bar.value() == before


def test_undo_of_a_deletion_makes_the_span_current_so_that_the_next_key_acts_on_it(bench: Bench) -> None:
    start = bench.go_to("exertional")
    bench.press("h")
    uuid = bench.session.report_model.current
    bench.press(Qt.Key.Key_Delete)
    bench.stored()
    bench.reader.go_to(0)
    bench.press("z", CTRL)
    bench.stored()
    assert bench.session.report_model.current == bench.reader.selected_span == uuid
    assert bench.reader.caret() == start
    bench.press("2")
    bench.stored()
    assert [one.finding.polarity for one in on_disk(bench.session)] == ["negated"]


def test_redo_of_a_deletion_takes_the_span_away_again(bench: Bench) -> None:
    bench.go_to("exertional")
    bench.press("h")
    bench.press(Qt.Key.Key_Delete)
    bench.press("z", CTRL)
    bench.stored()
    bench.session.undoing.redo()
    assert bench.stored() == []
    assert bench.session.report_model.current is None


def test_undo_of_a_label_elsewhere_leaves_no_span_out_of_sight_to_the_next_key(bench: Bench) -> None:
    kept = bench.session.controller.label(2000, 2010, "History")
    bench.session.controller.label(100, 110, "Neuro")
    bench.stored()
    bench.page.go_to_span(kept)
    bench.session.undoing.undo()
    bench.stored()
    bench.press(Qt.Key.Key_Delete)
    bench.stored()
    assert bench.reader.caret() == 100
    assert list(bench.session.report_model.spans) == [kept]


def test_of_several_spans_given_back_the_first_becomes_current(bench: Bench) -> None:
    text = bench.session.report_model.text
    places = sorted(text.index(words) for words in ("palpitations", "exertional", "Fabry"))
    uuids = [bench.session.controller.label(place, place + 5, "History") for place in reversed(places)]
    bench.stored()
    bench.session.controller.remove(uuids)
    bench.stored()
    bench.reader.go_to(len(text))
    bench.session.undoing.undo()
    bench.stored()
    assert bench.session.report_model.current == uuids[-1]
    assert bench.reader.caret() == places[0]


def test_of_several_spans_that_undo_changes_the_current_one_stays_current(bench: Bench) -> None:
    text = bench.session.report_model.text
    places = sorted(text.index(words) for words in ("palpitations", "exertional"))
    for place in places:
        bench.session.controller.label(place, place + 5, "History")
    bench.stored()
    last = bench.session.report_model.current
    bench.session.controller.set_polarity(last or "", "negated")
    bench.stored()
    bench.session.undoing.undo()
    bench.stored()
    assert bench.session.report_model.current == last


def test_undo_of_a_deletion_in_another_report_goes_to_the_span_there(bench: Bench) -> None:
    first, second = list(bench.session.rows)[:2]
    go_to_report(bench, first)
    bench.go_to("exertional")
    bench.press("h")
    uuid = bench.session.report_model.current
    bench.press(Qt.Key.Key_Delete)
    bench.stored()
    go_to_report(bench, second)
    bench.session.undoing.undo()
    bench.qtbot.waitUntil(lambda: bench.session.report_model.key == first)
    bench.stored()
    assert bench.session.report_model.current == uuid


def test_undo_of_a_deletion_after_a_restart_makes_the_span_current(
    project: Path, open_session: Callable[[Path], ProjectSession], qtbot: QtBot
) -> None:
    session = open_session(project)
    start = session.report_model.text.index("exertional")
    uuid = session.controller.label(start, start + 10, "History")
    session.controller.remove([uuid])
    settle(session.worker, qtbot)
    session.close()
    bench = make_bench(open_session(project), qtbot)
    bench.press("z", CTRL)
    bench.stored()
    assert bench.session.report_model.current == uuid
    assert bench.reader.caret() == start


def test_the_shortest_span_under_the_caret_becomes_the_current_one(bench: Bench) -> None:
    _, shorter = two_on_one_place(bench)
    bench.reader.go_to(1)
    assert bench.session.report_model.current is None
    bench.go_to("ertional dyspnoea")
    assert bench.session.report_model.current == shorter


def test_the_current_span_stays_the_current_one_while_the_caret_is_in_it(bench: Bench) -> None:
    longer, shorter = two_on_one_place(bench)
    bench.page.go_to_span(longer)
    bench.press(Qt.Key.Key_Right)
    bench.press(Qt.Key.Key_Right)
    assert shorter in [span.id for span in bench.reader.spans_under_caret()]
    assert bench.session.report_model.current == longer


def test_no_span_is_current_while_text_is_selected(bench: Bench) -> None:
    longer, _ = two_on_one_place(bench)
    bench.page.go_to_span(longer)
    bench.press(Qt.Key.Key_Right, SHIFT)
    bench.press(Qt.Key.Key_Right, SHIFT)
    assert bench.reader.spans_under_caret()
    assert bench.session.report_model.current is None
