"""Blind first: what is said before others' spans are shown, and that the look is on record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.gui.dialogs.annotate.others import EARLY, NOBODY, OthersDialog
from app.gui.session.project_session import ProjectSession
from app.operations.exchange.importing import ImportOptions, import_reports
from extractors.assets import asset
from tests.builders import Kept, is_blind, sample_reports
from tests.verbs import asked, exposed


def of_both(path: Path) -> None:
    """The sample reports with both annotators."""
    sample_reports(path)
    for name in ("annotator-1", "annotator-2"):
        source = asset("resources", "demo", "annotations", f"{name}.json")
        for _ in import_reports(path, [source], ImportOptions(annotator=name)):
            pass


@pytest.fixture
def shared(
    kept: Kept, tmp_path: Path, open_session: Callable[[Path], ProjectSession], qtbot: QtBot
) -> ProjectSession:
    """At a report in which both have something."""
    session = open_session(kept.copy(of_both, tmp_path / "study.casespan"))
    with qtbot.waitSignal(session.report_model.opened):
        session.open_report(next(key for key, row in session.rows.items() if len(row.others) == 2))
    qtbot.waitUntil(lambda: len(session.others_there) == 2)
    return session


@pytest.fixture
def over(qtbot: QtBot) -> QWidget:
    """What dialogs open over; they are gone once they are closed."""
    over = QWidget()
    qtbot.addWidget(over)
    return over


@pytest.fixture
def dialog(shared: ProjectSession, over: QWidget, qtbot: QtBot) -> OthersDialog:
    dialog = OthersDialog(shared, over)
    with qtbot.waitExposed(dialog):
        dialog.show()
    return dialog


def blind(session: ProjectSession, qtbot: QtBot) -> bool:
    name, key = session.annotator, session.report_model.key
    return asked(session.worker, qtbot, lambda p: is_blind(p, name, key))


def tick(dialog: OthersDialog, row: int) -> None:
    dialog.list.setCurrentRow(row)
    QTest.keyClick(dialog.list, Qt.Key.Key_Space)


def test_before_one_is_done_it_says_that_looking_is_recorded(
    dialog: OthersDialog, shared: ProjectSession
) -> None:
    assert dialog.words.text() == EARLY
    assert dialog.show_them.text().replace("&", "") == "Show and record"
    # Who is there alone is ticked.
    for number, names in ((2, ()), (1, (shared.others_there[0].name,))):
        shared.others_there = shared.others_there[:number]
        shared.others_listed.emit()
        assert dialog.chosen() == names


def test_everybody_who_has_spans_is_listed_with_how_many(
    dialog: OthersDialog, shared: ProjectSession
) -> None:
    lines = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert [line.partition(" – ")[0] for line in lines] == ["annotator-1", "annotator-2"]
    assert f"{shared.others_there[0].quotes} spans" in lines[0]
    assert dialog.list.isVisible()


def test_opening_the_dialog_shows_and_records_nothing(
    dialog: OthersDialog, shared: ProjectSession, qtbot: QtBot
) -> None:
    assert dialog.chosen() == ()
    assert not dialog.show_them.isEnabled()
    assert blind(shared, qtbot)
    assert shared.report_model.others == {}


def test_only_those_ticked_are_shown_and_the_look_is_on_record(
    dialog: OthersDialog, shared: ProjectSession, qtbot: QtBot
) -> None:
    tick(dialog, 1)
    dialog.show_them.click()
    qtbot.waitUntil(lambda: set(shared.report_model.others) == {"annotator-2"})
    qtbot.waitUntil(lambda: not isValid(dialog))
    assert not blind(shared, qtbot)


def test_once_done_it_is_plain_show(dialog: OthersDialog, shared: ProjectSession, qtbot: QtBot) -> None:
    shared.controller.set_state("done")
    qtbot.waitUntil(lambda: dialog.show_them.text().replace("&", "") == "Show")
    assert "recorded" not in dialog.words.text()
    tick(dialog, 0)
    dialog.show_them.click()
    qtbot.waitUntil(lambda: "annotator-1" in shared.report_model.others)
    assert blind(shared, qtbot)


def test_enter_shows_those_who_are_ticked(dialog: OthersDialog, shared: ProjectSession, qtbot: QtBot) -> None:
    tick(dialog, 0)
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: set(shared.report_model.others) == {"annotator-1"})


def test_hide_all_takes_them_off_the_page(
    dialog: OthersDialog, shared: ProjectSession, over: QWidget, qtbot: QtBot
) -> None:
    assert not dialog.hide_all.isEnabled()
    shared.show_others(("annotator-1",))
    qtbot.waitUntil(lambda: bool(shared.report_model.others))
    again = OthersDialog(shared, over)
    assert again.chosen() == ("annotator-1",)
    again.hide_all.click()
    assert shared.report_model.others == {}


def test_where_nobody_has_anything_it_says_so(session: ProjectSession, qtbot: QtBot) -> None:
    dialog = OthersDialog(session)
    qtbot.addWidget(dialog)
    assert dialog.words.text() == NOBODY
    assert not dialog.show_them.isEnabled()


def test_whoever_comes_while_it_is_open_is_listed_and_ticks_are_kept(
    dialog: OthersDialog, shared: ProjectSession
) -> None:
    tick(dialog, 0)
    shared.others_there = tuple(reversed(shared.others_there))
    shared.others_listed.emit()
    assert dialog.chosen() == ("annotator-1",)
    assert dialog.list.item(0).text().startswith("annotator-2")


def test_long_names_and_all_rows_have_room(shared: ProjectSession, qtbot: QtBot) -> None:
    more = [
        replace(shared.others_there[0], name=f"Dr Ana Ruiz de la Fuente y Castellanos, hospital {n}")
        for n in range(9)
    ]
    dialog = exposed(qtbot, OthersDialog(shared))
    shared.others_there = tuple(more)
    shared.others_listed.emit()
    view = dialog.list
    qtbot.waitUntil(lambda: view.viewport().width() >= view.sizeHintForColumn(0))
    assert view.verticalScrollBar().maximum() == 0
