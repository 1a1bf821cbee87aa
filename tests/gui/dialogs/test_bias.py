"""Measuring bias and planting errors from the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QTableWidgetItem, QWidget
from pytestqt.qtbot import QtBot

from app.gui.dialogs.bias.dialog import BiasDialog
from app.gui.dialogs.bias.section import SectionView, SmallTable, _halves
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.commands import COMMANDS
from app.gui.widgets.drop_down import DropDown
from app.operations.annotate.exposure import disclose
from app.operations.annotate.reports import list_reports
from app.operations.annotate.spans import set_review_state
from app.operations.bias.tables import Part, Table
from app.operations.project.seeded_errors import list_planted_accepted, planted_sets
from app.operations.review.verdicts import judge_spans
from app.store.extract.runs import planted
from app.store.project import Project
from app.tables import Column
from tests.builders import Kept
from tests.gui.conftest import opened_window
from tests.gui.dialogs.conftest import Window
from tests.unit.app.operations.helped import GOLD, ME, RUN, copy_set, make_helped, spans_by_report, spans_of


def write_helped(path: Path) -> None:
    """Twelve reports: six done with the run shown and taken over, five done blind with nothing in them."""
    with make_helped(path, 12) as project:
        copy_set(project, RUN, GOLD)
        of = spans_by_report(project, RUN)
        for number, report in enumerate(list_reports(project, ME)[:11]):
            if number < 6:
                disclose(project, ME, report.key, [RUN])
                judge_spans(project, ME, [one.uuid for one in of[report.uuid]], "accepted", seconds=3)
            set_review_state(project, ME, report.key, "done")


@pytest.fixture
def helped(kept: Kept, tmp_path: Path) -> Path:
    return kept.copy(write_helped, tmp_path / "helped.casespan")


def measured(qtbot: QtBot, session: ProjectSession, window: Window) -> BiasDialog:
    dialog = BiasDialog(session, window)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.bias is not None, timeout=20_000)
    return dialog


def choose(qtbot: QtBot, dialog: BiasDialog, reference: str) -> None:
    before = dialog.bias
    dialog.form.put(against=reference)
    qtbot.waitUntil(lambda: dialog.bias is not before, timeout=20_000)


def cells(table: SmallTable) -> list[list[str]]:
    return [
        [text_of(table.item(row, column)) for column in range(table.columnCount())]
        for row in range(table.rowCount())
    ]


def text_of(item: QTableWidgetItem | None) -> str:
    return item.text() if item is not None else ""


def test_ones_own_work_is_measured_with_the_run_that_was_shown(
    qtbot: QtBot, window: Window, helped: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    dialog = measured(qtbot, open_session(helped), window)
    assert dialog.form.value.annotator == ME
    assert "Ann has done 11 reports, 5 of them blind: 45.5 %" in dialog.section.words()
    judged, times, agreement = dialog.section.tables()
    assert ["Accepted, unchanged", "36"] in cells(judged)
    assert cells(times)[0] == ["helper, accepted", "36", "0", "3.0", "3.0 to 3.0"]
    assert agreement.accessibleName() == "Agreement with helper"
    assert text_of(agreement.horizontalHeaderItem(1)) == "Shown (n = 6)"


def test_the_tables_have_room_as_soon_as_the_dialog_opens(
    qtbot: QtBot, window: Window, helped: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    dialog = BiasDialog(open_session(helped), window)
    dialog.open()
    screen = dialog.screen().availableSize()
    assert dialog.height() >= min(46 * dialog.fontMetrics().lineSpacing(), int(screen.height() * 0.92))
    assert dialog.height() <= screen.height()
    qtbot.waitUntil(lambda: dialog.bias is not None, timeout=20_000)


def test_another_reference_measures_anew(
    qtbot: QtBot, window: Window, helped: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    dialog = measured(qtbot, open_session(helped), window)
    choose(qtbot, dialog, GOLD)
    assert dialog.section.tables()[-1].accessibleName() == "Agreement with gold"
    assert "no independent sign of truth" in dialog.section.words()


def test_what_cannot_be_measured_is_a_sentence_and_nothing_can_be_exported(
    qtbot: QtBot, window: Window, helped: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    dialog = measured(qtbot, open_session(helped), window)
    dialog.form.put(against=ME)
    qtbot.waitUntil(lambda: "three different sets" in dialog.notice.text())
    assert dialog.section.words() == ""
    assert not dialog.export_button.isEnabled()
    choose(qtbot, dialog, GOLD)
    assert dialog.export_button.isEnabled()
    assert dialog.notice.text() == ""


def test_before_there_is_anything_the_next_step_is_named(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = measured(qtbot, session, window)
    assert "there is no blind-first share" in dialog.section.words()
    assert "Finish a report, or review what a run found" in dialog.notice.text()
    assert not dialog.planting.button.isEnabled()


def test_the_section_is_written_as_a_page_or_a_table_and_copied_as_text(
    qtbot: QtBot, window: Window, helped: Path, open_session: Callable[[Path], ProjectSession], tmp_path: Path
) -> None:
    dialog = measured(qtbot, open_session(helped), window)
    dialog.export_button.click()
    chooser = dialog.findChild(QFileDialog)
    assert chooser is not None
    chooser.setDirectory(str(tmp_path))
    name = chooser.findChild(QLineEdit)
    assert name is not None
    name.setText("section")
    chooser.accept()
    qtbot.waitUntil(lambda: "section.html" in dialog.notice.text())
    assert "<h1>Automation bias of Ann</h1>" in (tmp_path / "section.html").read_text(encoding="utf-8")
    dialog.export_to(tmp_path / "numbers.CSV")
    qtbot.waitUntil(lambda: "numbers.CSV" in dialog.notice.text())
    assert "blind-first share" in (tmp_path / "numbers.CSV").read_text(encoding="utf-8")
    dialog.export_to(helped)
    qtbot.waitUntil(lambda: "another database" in dialog.notice.text())
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text().startswith("Automation bias of Ann\n===")


def test_errors_are_planted_where_they_are_asked_for_and_the_dialog_says_what_they_are(
    qtbot: QtBot, window: Window, helped: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    session = open_session(helped)
    dialog = measured(qtbot, session, window)
    form = dialog.planting
    assert not form.isVisible()
    dialog.fold.click()
    assert form.isVisible()
    assert "holds wrong spans" in form.warning.text()
    assert form.form.value.name == "helper for review"
    form.form.put(name=GOLD)
    assert not form.button.isEnabled()
    assert "already" in form.outcome.text()
    form.form.put(name="helper for review", kinds=())
    assert (form.button.isEnabled(), form.outcome.text()) == (False, "")
    form.form.put(kinds=("boundary",))
    dialog.form.put(run=RUN)
    with qtbot.waitSignal(form.planted):
        form.button.click()
    qtbot.waitUntil(lambda: "holds 7 planted errors" in dialog.section.words(), timeout=20_000)
    assert "7 of them wrong on purpose (7 boundary; seed 1)" in form.outcome.text()
    assert form.form.box("run", DropDown).findData("helper for review") == -1
    assert dialog.form.box("run", DropDown).findData("helper for review") > 0
    assert dialog.form.value.run == RUN
    assert form.form.value.name == "helper for review 2"
    session.close()
    with Project.open(helped) as project:
        assert planted_sets(project) == {"helper for review": RUN}


def test_accepted_errors_are_taken_out_of_the_set_by_one_button(
    qtbot: QtBot, window: Window, helped: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    from app.operations.bias.seeding import plant_errors

    with Project.open(helped, write=True) as project:
        plant_errors(project, RUN, "second look", count=4)
        judge_spans(project, ME, [planted(project)[0].annotation], "accepted")
        before = len(spans_of(project, ME))
    session = open_session(helped)
    dialog = measured(qtbot, session, window)
    assert "remove it before use" in dialog.section.words()
    assert dialog.remove_button.isVisible()
    dialog.remove_button.click()
    qtbot.waitUntil(lambda: "before use" not in dialog.section.words(), timeout=20_000)
    assert not dialog.remove_button.isVisible()
    session.close()
    with Project.open(helped) as project:
        assert list_planted_accepted(project) == ()
        assert len(spans_of(project, ME)) <= before


def test_everything_that_takes_the_focus_has_a_name_and_no_two_letters_are_the_same(
    qtbot: QtBot, window: Window, helped: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    dialog = measured(qtbot, open_session(helped), window)
    dialog.fold.click()
    dialog.remove_button.setVisible(True)
    focused = [one for one in dialog.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
    focused = [one for one in focused if one.isVisible() and one.objectName() != "qt_spinbox_lineedit"]
    assert len(focused) > 15
    for one in focused:
        assert one.accessibleName() or getattr(one, "text", str)(), one
    words = [one.text() for one in dialog.findChildren(QLabel) if one.buddy() is not None]
    words += [text() for one in focused if "&" in (text := getattr(one, "text", str))()]
    letters = [text[text.index("&") + 1].upper() for text in words if "&" in text]
    assert len(letters) > 12
    assert len(set(letters)) == len(letters), sorted(letters)


def test_a_table_is_as_high_as_its_rows_however_wide_it_may_be(qtbot: QtBot) -> None:
    view = SectionView()
    qtbot.addWidget(view)
    numbers = (f"A column of numbers {number}" for number in range(5))
    header: tuple[Column | str, ...] = ("What", Column("A column of words", kind="words"), *numbers)
    view.show_parts([Part("Numbers", ("A sentence.",), Table(header, (("a",) * 7, ("b",) * 7)))])
    view.show()
    (table,) = view.tables()
    cells = [table.item(0, column) for column in range(3)]
    sides = [bool(one.textAlignment() & Qt.AlignmentFlag.AlignRight) for one in cells if one is not None]
    assert sides == [False, False, True]
    bar = table.horizontalScrollBar()

    def is_as_wanted(width: int) -> bool:
        return bar.isVisible() == (width == 240)

    for width in (1200, 240):
        view.resize(width, 400)
        qtbot.waitUntil(partial(is_as_wanted, width))
        qtbot.waitUntil(lambda: table.viewport().height() >= table.verticalHeader().length())


def test_long_headings_are_parted_as_evenly_as_they_go() -> None:
    for words, halves in {
        "Rejected": ("Rejected", ""),
        "Sixteen letters.": ("Sixteen letters.", ""),
        "Spans that were rejected": ("Spans that", "were rejected"),
        "Pseudohypoparathyroidism": ("Pseudohypoparathyroidism", ""),
        "Agreement with all the others": ("Agreement with", "all the others"),
    }.items():
        assert _halves(words) == halves


def test_the_menu_opens_the_dialog(qtbot: QtBot, helped: Path) -> None:
    window = opened_window(helped, qtbot)
    (command,) = (one for one in COMMANDS if one.id == "project.bias")
    assert command.menu == "Project"
    workbench = window.workbench
    assert workbench is not None
    workbench.actions_["project.bias"].trigger()
    qtbot.waitUntil(lambda: bool(workbench.findChildren(BiasDialog)))
    (dialog,) = workbench.findChildren(BiasDialog)
    qtbot.waitUntil(lambda: dialog.bias is not None, timeout=20_000)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not workbench.findChildren(BiasDialog))
    window.close()
    window.deleteLater()
