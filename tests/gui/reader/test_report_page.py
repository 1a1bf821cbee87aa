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
from tests.gui.modes.annotate.test_editing import SHIFT, Bench, make_bench


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


def test_a_report_without_spans_opens_at_its_start(bench: Bench) -> None:
    assert bench.reader.caret() == 0


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
