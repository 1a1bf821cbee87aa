"""Rating in the window: keys, saving, blindness, the means."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget, QTabBar, QTableWidget, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.gui.dialogs.rating import RatingDialog
from app.gui.modes.review.rating.scale import ItemRow
from app.gui.session.project_session import ProjectSession
from app.gui.shell.look.theme import apply_theme
from app.operations.annotate.spans import SpanPlace, add_span
from app.operations.extract.rules import extract_with_rules
from app.operations.project.history import undo_change
from app.operations.project.opening import open_project
from app.operations.rate.ratings import list_ratings, rate_output
from app.operations.rate.sheets import list_items
from app.store.annotate.disclosures import disclosures
from extractors.model.errors import ProjectError
from tests.builders import Kept, is_blind, sample_reports
from tests.gui.conftest import ME, opened_window
from tests.gui.dialogs.conftest import Window
from tests.verbs import press, settle

REPORT = "PMC99000001"
SECOND = "PMC99000002"
ITEMS = len(list_items())
ALL = {item.id: 4 for item in list_items()}


def write_rated(path: Path) -> None:
    """The rules, and somebody called "zeta", have something in the first two reports."""
    sample_reports(path)
    for _ in extract_with_rules(path, [REPORT, SECOND]):
        pass
    with open_project(path) as opened:
        for key in (REPORT, SECOND):
            add_span(opened, "zeta", SpanPlace(key, 0, 4), "CVS")


@pytest.fixture
def rated(kept: Kept, tmp_path: Path) -> Path:
    return kept.copy(write_rated, tmp_path / "study.casespan")


@pytest.fixture
def dialog(
    qtbot: QtBot, window: Window, rated: Path, open_session: Callable[[Path], ProjectSession]
) -> RatingDialog:
    opened = RatingDialog(open_session(rated), window)
    opened.open()
    qtbot.waitUntil(lambda: len(opened.outputs) == 2)
    return opened


def seen(row: ItemRow) -> bool:
    return not row.visibleRegion().isEmpty()


def choose_both(qtbot: QtBot, dialog: RatingDialog) -> None:
    """Let zeta's set be rated as well."""
    dialog.start.form.put(blind=False)
    for row in range(dialog.start.list.count()):
        dialog.start.list.item(row).setCheckState(Qt.CheckState.Checked)
    dialog.start.form.put(blind=True)
    qtbot.waitUntil(lambda: len(dialog.outputs) == 4)


def begin(qtbot: QtBot, dialog: RatingDialog) -> None:
    dialog.next_button.click()
    wait_for_output(qtbot, dialog, None)


def wait_for_output(qtbot: QtBot, dialog: RatingDialog, before: object) -> None:
    qtbot.waitUntil(lambda: dialog.shown is not None and dialog.shown is not before)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), ItemRow))


def saved(
    qtbot: QtBot, dialog: RatingDialog, session: ProjectSession
) -> list[tuple[str, str, dict[str, int], str]]:
    """What is on disk once all that waits is there."""
    qtbot.waitUntil(lambda: session.worker.waiting == 0)
    with open_project(session.path, write=False) as project:
        return [(one.report, one.run, dict(one.scores), one.note) for one in list_ratings(project)]


def said(widget: QWidget) -> str:
    """Every word that a widget, all in it and the window's commands show or say to a screen reader."""
    words = [widget.windowTitle()]
    for one in (widget, *widget.findChildren(QWidget)):
        words += [one.toolTip(), one.accessibleName(), one.accessibleDescription(), one.statusTip()]
        words += [str(one.property(name) or "") for name in ("text", "plainText", "title", "placeholderText")]
        if isinstance(one, QTextEdit):
            words.append(one.toPlainText())
        if isinstance(one, QListWidget):
            words += [one.item(row).text() for row in range(one.count())]
        if isinstance(one, QTabBar):
            words += [one.tabText(tab) for tab in range(one.count())]
        if isinstance(one, QTableWidget):
            headers = [one.horizontalHeaderItem(column) for column in range(one.columnCount())]
            words += [header.text() for header in headers if header is not None]
    words += [action.text() for action in widget.findChildren(QAction)]
    return "\n".join(words)


def test_without_outputs_it_is_said_how_there_come_to_be_some(
    qtbot: QtBot, window: Window, session: ProjectSession
) -> None:
    dialog = RatingDialog(session, window)
    dialog.open()
    qtbot.waitUntil(lambda: "There is nothing to rate yet" in dialog.start.hidden.text())
    assert not dialog.next_button.isEnabled()


def test_digits_rate_and_go_on_and_enter_saves_and_shows_the_next(qtbot: QtBot, dialog: RatingDialog) -> None:
    session = dialog._session
    begin(qtbot, dialog)
    first = dialog.shown
    assert first is not None
    assert dialog.page.scale.current.item.id == "accuracy"
    for number in range(ITEMS):
        press("12345"[number % 5])
    assert dialog.page.scale.current is dialog.page.scale.rows[-1]
    press(Qt.Key.Key_Return)
    wait_for_output(qtbot, dialog, first)
    scores = {item.id: number % 5 + 1 for number, item in enumerate(list_items())}
    assert saved(qtbot, dialog, session) == [(first.report, "rules", scores, "")]
    assert dialog.page.progress.full_text().startswith("1 of 2 outputs rated")
    assert dialog.page.scores() == {}
    assert dialog.page.scale.current.item.id == "accuracy"
    for _ in range(ITEMS):
        press("5")
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "no other output left" in dialog.notice.text())
    assert len(saved(qtbot, dialog, session)) == 2


def test_digits_typed_before_the_next_output_is_there_are_for_the_next(
    qtbot: QtBot, dialog: RatingDialog
) -> None:
    begin(qtbot, dialog)
    first = dialog.shown
    press("2")
    press(Qt.Key.Key_Return)
    press("5")
    press("4")
    assert dialog.shown is first
    wait_for_output(qtbot, dialog, first)
    assert dialog.page.scores() == {"accuracy": 5, "omissions": 4}
    dialog.close()
    found = [scores for _, _, scores, _ in saved(qtbot, dialog, dialog._session)]
    assert found == [{"accuracy": 2}, {"accuracy": 5, "omissions": 4}]


def test_of_two_choices_the_later_one_counts(qtbot: QtBot, dialog: RatingDialog) -> None:
    dialog.start.form.put(blind=False)
    for row in range(dialog.start.list.count()):
        dialog.start.list.item(row).setCheckState(Qt.CheckState.Unchecked)
    settle(dialog._session.worker, qtbot)
    assert dialog.outputs == ()
    # Offered again, for another rater, what was left out stays so.
    dialog._offer()
    settle(dialog._session.worker, qtbot)
    assert dialog.start.chosen() == ()


def test_what_cannot_be_saved_is_said_without_a_name_to_a_blind_rater(
    qtbot: QtBot, dialog: RatingDialog
) -> None:
    begin(qtbot, dialog)
    press("2")
    for _ in range(3):
        dialog._session.worker.act(undo_change, lambda _: None)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "not there as it was" in dialog.notice.text())
    assert "rules" not in said(dialog)
    qtbot.waitUntil(lambda: dialog.outputs == ())
    assert not dialog.next_button.isEnabled()


def test_scores_that_could_not_be_saved_are_told_of_and_stand_there_when_one_comes_back(
    qtbot: QtBot, dialog: RatingDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ProjectError("The disk is full.")

    begin(qtbot, dialog)
    first = dialog.shown
    press("2")
    with monkeypatch.context() as patch:
        patch.setattr("app.gui.dialogs.rating.rate_output", refuse)
        press(Qt.Key.Key_Return)
        wait_for_output(qtbot, dialog, first)
    assert "was not saved. The disk is full." in dialog.notice.text()
    second = dialog.shown
    dialog.previous_button.click()
    wait_for_output(qtbot, dialog, second)
    assert dialog.page.scores() == {"accuracy": 2}
    assert not dialog.notice.text()
    # Once it is saved, what is shown is what was said last.
    dialog.page.scale.rows[0].button(3).click()
    for turn in (dialog.next_button, dialog.previous_button):
        before = dialog.shown
        turn.click()
        wait_for_output(qtbot, dialog, before)
    assert dialog.page.scores() == {"accuracy": 3}
    dialog.close()
    assert [one[2] for one in saved(qtbot, dialog, dialog._session)] == [{"accuracy": 3}]


def test_arrows_move_and_zero_clears(qtbot: QtBot, dialog: RatingDialog) -> None:
    begin(qtbot, dialog)
    press(Qt.Key.Key_Up)
    assert dialog.page.scale.current.item.id == "accuracy"
    press(Qt.Key.Key_Down)
    press("3")
    assert dialog.page.scores() == {"omissions": 3}
    assert dialog.page.scale.rows[1].accessibleName() == "Critical omissions (5 = none): 3 of 5"
    press(Qt.Key.Key_Up)
    press("0")
    assert dialog.page.scores() == {}
    assert dialog.page.scale.rows[1].button(3).isChecked() is False


def test_a_click_rates_and_a_second_one_takes_it_back(qtbot: QtBot, dialog: RatingDialog) -> None:
    begin(qtbot, dialog)
    row = dialog.page.scale.rows[2]
    row.button(4).click()
    assert dialog.page.scores() == {"readability": 4}
    assert dialog.page.scale.current is row
    row.button(4).click()
    assert dialog.page.scores() == {}


def test_digits_rate_while_the_output_is_read_and_are_typed_in_the_note(
    qtbot: QtBot, dialog: RatingDialog
) -> None:
    begin(qtbot, dialog)
    dialog.page.output.setFocus()
    press("4")
    assert dialog.page.scores() == {"accuracy": 4}
    dialog.page.text.setFocus()
    press("2")
    assert dialog.page.scores() == {"accuracy": 4, "omissions": 2}
    dialog.page.note.setFocus()
    press("5")
    assert dialog.page.note.text() == "5"
    assert len(dialog.page.scores()) == 2


@pytest.mark.parametrize("leave", ["close", "escape", "means", "whose"])
def test_what_was_said_in_part_is_saved_however_it_is_left(
    qtbot: QtBot, dialog: RatingDialog, leave: str
) -> None:
    session = dialog._session
    begin(qtbot, dialog)
    assert dialog.shown is not None
    report = dialog.shown.report
    press("2")
    dialog.page.note.setFocus()
    QTest.keyClicks(dialog.page.note, "hm")
    if leave == "close":
        dialog.close()
    elif leave == "escape":
        press(Qt.Key.Key_Escape)
    elif leave == "means":
        dialog.tabs.setCurrentIndex(1)
    else:
        dialog.settings_button.click()
    assert saved(qtbot, dialog, session) == [(report, "rules", {"accuracy": 2}, "hm")]


def test_looking_without_a_word_saves_nothing(qtbot: QtBot, dialog: RatingDialog) -> None:
    begin(qtbot, dialog)
    first = dialog.shown
    assert not dialog.previous_button.isEnabled()
    dialog.page.note.setText(" ")
    press(Qt.Key.Key_Return)
    wait_for_output(qtbot, dialog, first)
    assert dialog.previous_button.isEnabled()
    assert (dialog.notice.text(), [one.state for one in dialog.outputs]) == ("", ["unrated", "unrated"])
    dialog.close()
    assert saved(qtbot, dialog, dialog._session) == []


def test_previous_shows_what_was_said_and_clearing_all_of_it_removes_the_rating(
    qtbot: QtBot, dialog: RatingDialog
) -> None:
    begin(qtbot, dialog)
    first = dialog.shown
    press("2")
    press(Qt.Key.Key_Return)
    wait_for_output(qtbot, dialog, first)
    second = dialog.shown
    dialog.previous_button.click()
    wait_for_output(qtbot, dialog, second)
    assert dialog.page.scores() == {"accuracy": 2}
    assert dialog.page.scale.current.item.id == "omissions"
    press(Qt.Key.Key_Up)
    press("0")
    press(Qt.Key.Key_Return)
    assert saved(qtbot, dialog, dialog._session) == []


def test_rating_goes_on_with_what_was_left_out_the_next_day(
    qtbot: QtBot, window: Window, rated: Path, open_session: Callable[[Path], ProjectSession]
) -> None:
    with open_project(rated) as project:
        rate_output(project, ME, "rules", REPORT, ALL)
        rate_output(project, ME, "rules", SECOND, {"accuracy": 3}, "two\nlines")
    dialog = RatingDialog(open_session(rated), window)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.start.progress.text() == "1 of 2 outputs rated, 1 in part.")
    begin(qtbot, dialog)
    assert dialog.shown is not None
    assert dialog.shown.report == SECOND
    assert dialog.page.scores() == {"accuracy": 3}
    press("4")
    dialog.close()
    assert saved(qtbot, dialog, dialog._session)[1][3] == "two\nlines"


def test_a_blind_rater_reads_the_name_of_no_set_anywhere(qtbot: QtBot, dialog: RatingDialog) -> None:
    choose_both(qtbot, dialog)
    for _ in range(4):
        before = dialog.shown
        dialog.next_button.click()
        wait_for_output(qtbot, dialog, before)
        assert dialog.page.title.full_text().startswith("Output ")
        words = said(dialog)
        assert "zeta" not in words
        assert "rules" not in words
        press("3")
    dialog.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: "turned off" in dialog.results.head.text())
    assert "rules" not in said(dialog)
    assert not dialog.results.export_button.isEnabled()


def test_the_name_of_an_act_that_undo_would_take_back_has_no_run_in_it(
    qtbot: QtBot, dialog: RatingDialog
) -> None:
    begin(qtbot, dialog)
    press("3")
    names: list[str] = []
    dialog._session.undoing.named.connect(lambda undo, _redo: names.append(undo))
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any("rate an output of" in name for name in names))
    assert not any("rules" in name for name in names)


def test_who_is_not_blind_reads_whose_output_it_is(qtbot: QtBot, dialog: RatingDialog) -> None:
    dialog.start.form.put(blind=False)
    qtbot.waitUntil(lambda: bool(dialog.outputs) and dialog.outputs[0].label == "rules")
    begin(qtbot, dialog)
    assert dialog.page.title.full_text() == "rules"
    press("3")
    dialog.close()
    qtbot.waitUntil(lambda: dialog._session.worker.waiting == 0)
    with open_project(dialog._session.path, write=False) as project:
        assert [one.blind for one in list_ratings(project)] == [False]


def test_the_look_is_on_record_for_whoever_annotates_and_not_for_a_guest(
    qtbot: QtBot, dialog: RatingDialog
) -> None:
    session = dialog._session
    begin(qtbot, dialog)
    assert dialog.shown is not None
    report = dialog.shown.report
    dialog.settings_button.click()
    dialog.start.form.put(rater="A guest")
    qtbot.waitUntil(lambda: len(dialog.outputs) == 2)
    begin(qtbot, dialog)
    session.close()
    with open_project(session.path, write=False) as project:
        assert [look.annotator for look in disclosures(project)] == [ME]
        assert not is_blind(project, ME, report)


def test_the_output_is_shown_as_plain_text_under_its_categories(qtbot: QtBot, dialog: RatingDialog) -> None:
    begin(qtbot, dialog)
    text = dialog.page.output.toPlainText()
    assert " VH   Vital signs and haematology" in text
    assert dialog.page.text.toPlainText()
    assert dialog.page.output.isReadOnly()


def test_a_name_that_is_no_person_s_is_refused_before_anything_is_shown(
    qtbot: QtBot, dialog: RatingDialog
) -> None:
    dialog.start.form.put(blind=False)
    dialog.start.form.put(rater="gold")
    qtbot.waitUntil(lambda: "a person who rates" in dialog.notice.text())
    assert not dialog.next_button.isEnabled()
    dialog.start.form.put(rater="")
    qtbot.waitUntil(lambda: "Enter the name of the rater." in dialog.notice.text())
    dialog.start.form.put(rater="Eva")
    qtbot.waitUntil(dialog.next_button.isEnabled)
    assert dialog.notice.text() == ""


def test_the_means_are_shown_by_run_and_written_to_files(
    qtbot: QtBot, window: Window, rated: Path, open_session: Callable[[Path], ProjectSession], tmp_path: Path
) -> None:
    with open_project(rated) as project:
        rate_output(project, "Eva", "rules", REPORT, ALL)
        rate_output(project, ME, "rules", REPORT, {**ALL, "accuracy": 2})
    dialog = RatingDialog(open_session(rated), window)
    dialog.open()
    dialog.start.form.put(blind=False)
    dialog.tabs.setCurrentIndex(1)
    table = dialog.results.table
    qtbot.waitUntil(lambda: table.rowCount() == ITEMS + 1)
    cell, header = table.item(0, 0), table.horizontalHeaderItem(0)
    assert header is not None
    assert cell is not None
    assert (header.text(), cell.text()) == ("rules", "3.00 ± 1.41 (2)")
    assert "Eva: 4.00" in cell.toolTip()
    assert "Agreement is undefined" in dialog.results.about.text()
    # What was being read when the rater turned blind is not shown.
    dialog.results.read(hidden=False)
    dialog.results.read(hidden=True)
    answered: list[bool] = []
    dialog.results._session.worker.ask(lambda _: True, answered.append)
    qtbot.waitUntil(lambda: answered == [True])
    assert table.rowCount() == 0
    dialog.results.read(hidden=False)
    qtbot.waitUntil(lambda: table.rowCount() == ITEMS + 1)
    dialog.results.export_to(tmp_path / "s.csv")
    qtbot.waitUntil(lambda: "2 ratings written" in dialog.notice.text())
    dialog.results.report_to(tmp_path / "m.html")
    qtbot.waitUntil(lambda: (tmp_path / "m.html").exists())


def test_it_fits_a_small_screen_and_each_row_can_be_reached_with_letters_twice_as_large(
    qapp: QApplication,
    qtbot: QtBot,
    window: Window,
    rated: Path,
    open_session: Callable[[Path], ProjectSession],
) -> None:
    # The theme with the widest edges.
    apply_theme(qapp, "high contrast dark", 200, window)
    dialog = RatingDialog(open_session(rated), window)
    dialog.resize(QSize(1178, 662))
    dialog.open()
    qtbot.waitUntil(lambda: len(dialog.outputs) == 2)
    begin(qtbot, dialog)
    assert (dialog.width(), dialog.height()) == (1178, 662)
    for _ in range(ITEMS):
        row = dialog.page.scale.current
        qtbot.waitUntil(partial(seen, row))
        assert row.button(5).visibleRegion().boundingRect().width() == row.button(5).width()
        press("3")
    dialog.close()


def test_every_widget_that_takes_the_focus_has_a_name(qtbot: QtBot, dialog: RatingDialog) -> None:
    begin(qtbot, dialog)
    nameless = [
        one
        for one in dialog.findChildren(QWidget)
        if one.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not (one.accessibleName() or one.property("text") or isinstance(one, QTabBar))
        and not one.objectName().startswith("qt_")
    ]
    assert nameless == []


def test_the_menu_opens_it_and_closing_the_project_saves_what_was_said(qtbot: QtBot, rated: Path) -> None:
    main = opened_window(rated, qtbot)
    workbench = main.workbench
    assert workbench is not None
    workbench.actions_["project.rate"].trigger()
    (dialog,) = workbench.findChildren(RatingDialog)
    qtbot.waitUntil(lambda: len(dialog.outputs) == 2)
    begin(qtbot, dialog)
    press("4")
    main.close()
    main.deleteLater()
    with open_project(rated, write=False) as project:
        assert [dict(one.scores) for one in list_ratings(project)] == [{"accuracy": 4}]
