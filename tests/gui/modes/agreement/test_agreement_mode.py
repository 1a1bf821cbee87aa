"""Agreement in the window: numbers of the chosen pair, and what is behind them, on record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.gui.modes.agreement.page import AgreementPage, _EmptyAgreement
from app.gui.session.jobs import Job
from app.operations.annotate.spans import SpanPlace, add_span, set_review_state
from app.operations.project.files import create_project
from app.operations.project.history import undo_change
from app.store.act import begin_act
from app.store.annotate.annotations import add_annotations
from app.store.annotate.annotators import ensure_annotator
from app.store.project import Project
from app.store.reports.documents import document
from extractors.model.finding import Finding
from tests.gui.conftest import ME
from tests.gui.modes.agreement.conftest import BEN, GOLD, TEXT, Agreeing
from tests.gui.modes.annotate.parts import actions_for
from tests.verbs import asked, double_click


def test_the_first_pair_is_oneself_and_another_person(
    compared: Path, open_window: Callable[[Path], Agreeing]
) -> None:
    agreeing = open_window(compared)
    agreeing.enter()
    assert agreeing.mode.page.choice.pair == (ME, BEN)


def test_the_table_has_a_line_for_every_category_with_n_and_says_who_looked_alone(agreeing: Agreeing) -> None:
    n = agreeing.texts(agreeing.column("Reports"))
    assert (n["Neurology and cognition"], n["Musculoskeletal"], n["Respiratory"]) == ("3", "3", "0")
    assert agreeing.texts(agreeing.column("Exact span"))["Neurology and cognition"] == "0.800"
    assert f"1 report was annotated by {BEN} and not by {ME}" in agreeing.mode.page.sentence.text()


def test_every_number_says_in_words_what_it_is_and_an_undefined_one_why(agreeing: Agreeing) -> None:
    table = agreeing.mode.page.table
    rows = {row.label: row for row in table.numbers.rows}
    column = agreeing.column("Token set ratio")
    assert "without an interval" in rows["Neurology and cognition"].cells[column].sentence
    undefined = rows["Respiratory"].cells[column]
    assert undefined.text == "–"
    assert f"No report was annotated here by both {ME} and {BEN}." in undefined.sentence
    place = [row.label for row in table.numbers.rows].index("Respiratory")
    said = table.model().index(place, column).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == undefined.sentence


def test_swapping_and_the_other_profile_measure_anew_by_one_key(
    agreeing: Agreeing, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, known = agreeing.mode.page, []
    show = page.show_pairs

    def show_pairs(names: Sequence[str], figures: Mapping[Any, Any], *given: Any, **more: Any) -> None:  # noqa: ANN401
        known.append({pair: figure.text for pair, figure in figures.items()})
        show(names, figures, *given, **more)

    monkeypatch.setattr(page, "show_pairs", show_pairs)
    agreeing.press("x", page.table)
    # The numbers of before stay until there are others, but not under another profile.
    assert len(known[0]) == 6
    assert (known[-1][ME, BEN], known[-1][BEN, ME]) == ("71.50 (3)", "83.33 (3)")
    known.clear()
    assert agreeing.mode.page.choice.pair == (BEN, ME)
    assert f"1 report was annotated by {BEN}" in agreeing.mode.page.sentence.text()
    agreeing.press("p")
    assert agreeing.mode.page.choice.chosen_profile == "strict"
    assert known[0] == {}
    assert "F1" in [heading[0] for heading in agreeing.mode.page.table.numbers.headings]
    # The same both ways, it stands in both places.
    cells = [cell for row in agreeing.mode.page.pairs.numbers.rows for cell in row.cells]
    assert not any("still being worked out" in cell.sentence for cell in cells)


def test_every_pair_is_there_and_a_cell_of_it_chooses_the_pair(agreeing: Agreeing) -> None:
    pairs = agreeing.mode.page.pairs
    names = [row.label for row in pairs.numbers.rows]
    assert set(names) == {ME, BEN, GOLD}
    cells = [cell for row in pairs.numbers.rows for cell in row.cells]
    assert len(cells) == 9
    assert not any("still being worked out" in cell.sentence for cell in cells)
    pairs.setCurrentIndex(pairs.model().index(names.index(GOLD), names.index(ME)))
    agreeing.press(Qt.Key.Key_Return, pairs)
    assert agreeing.mode.page.choice.pair == (GOLD, ME)


def test_enter_on_a_number_lists_its_reports_worst_first(agreeing: Agreeing) -> None:
    table = agreeing.mode.page.table
    table.setCurrentIndex(table.model().index(1, agreeing.column("Token set ratio")))
    agreeing.press(Qt.Key.Key_Return, table)
    evidence = agreeing.mode.evidence
    assert "Neurology and cognition" in evidence.sentence.text()
    assert [row.key for row in evidence.list.reports.rows][-1] == "PMC1"
    values = [float(row.value) for row in evidence.list.reports.rows]
    assert values == sorted(values)
    # Behind a count stands the main measure, behind each measure its own.
    view, opened = agreeing.mode._view, list[tuple[str, str]]()
    assert view is not None
    keys = [one.key for one in view.measures]
    agreeing.mode.page.number_opened.connect(lambda *told: opened.append(told))
    wanted = {0: keys[0], 2: keys[0], 3: keys[0], len(keys) + 2: keys[-1]}
    for column in wanted:
        table.clicked.emit(table.model().index(1, column))
    assert opened == [("Neuro", key) for key in wanted.values()]


def test_a_table_higher_than_its_page_begins_with_its_heads_and_keys_bring_cells_into_sight(
    agreeing: Agreeing,
) -> None:
    agreeing.enter()
    page = agreeing.mode.page
    large = page.font()
    large.setPointSize(3 * large.pointSize())
    page.setFont(large)
    agreeing.settle()
    page.choice.left.setFocus()
    page.table.setFocus()
    assert page.table.height() > page.area.viewport().height()
    assert page.table.mapTo(page.area.viewport(), QPoint(0, 0)).y() == 0
    last = page.table.numbers.index(len(page.table.numbers.rows) - 1, agreeing.column("Exact match"))
    page.table.setCurrentIndex(last)
    cell = page.table.visualRect(last)
    at = page.table.viewport().mapTo(page.area.viewport(), cell.center())
    assert page.area.viewport().rect().contains(at)


def test_the_heat_map_is_walked_by_arrows_and_enter_lists_what_is_behind_a_cell(agreeing: Agreeing) -> None:
    heat = agreeing.mode.page.heat
    ids = list(agreeing.session.scheme.ids)
    heat.setCurrentIndex(heat.model().index(ids.index("Neuro"), ids.index("MSK") - 1))
    agreeing.press(Qt.Key.Key_Right, heat)
    current = heat.currentIndex()
    assert (current.row(), current.column()) == (ids.index("Neuro"), ids.index("MSK"))
    assert current.data(Qt.ItemDataRole.AccessibleTextRole).endswith(f"{BEN} in Musculoskeletal.")
    assert f"{BEN} in Musculoskeletal." in current.data(Qt.ItemDataRole.ToolTipRole)
    agreeing.press(Qt.Key.Key_Return)
    evidence = agreeing.mode.evidence
    assert [(row.key, row.value) for row in evidence.list.reports.rows] == [("PMC2", "1")]


def test_arrows_and_clicks_pass_over_cells_that_say_nothing(agreeing: Agreeing) -> None:
    pairs, chosen = agreeing.mode.page.pairs, agreeing.mode.page.choice.pair
    pairs.setFocus()
    assert pairs.currentIndex().row() != pairs.currentIndex().column()
    pairs.setCurrentIndex(pairs.model().index(1, 0))
    agreeing.press(Qt.Key.Key_Right, pairs)
    assert (pairs.currentIndex().row(), pairs.currentIndex().column()) == (1, 2)
    pairs.clicked.emit(pairs.model().index(1, 1))
    agreeing.settle()
    assert agreeing.mode.page.choice.pair == chosen


def test_a_bar_of_the_strip_chooses_its_report(agreeing: Agreeing) -> None:
    strip = agreeing.mode.page.strip
    agreeing.mode.page.number_opened.emit("MSK", "tsr")
    agreeing.settle()
    assert behind(agreeing) == "MSK"
    assert (strip.model().rowCount(), strip.model().columnCount()) == (1, 3)
    strip.setCurrentIndex(strip.model().index(0, 2))
    agreeing.press(Qt.Key.Key_Return, strip)
    current = agreeing.mode.evidence.current()
    assert current is not None
    assert current.key == strip.keys[2] == "PMC1"
    assert behind(agreeing) == "", "a bar is of all categories"


def behind(agreeing: Agreeing) -> str:
    """The category of the number whose reports are listed."""
    evidence = agreeing.mode.evidence.evidence
    assert evidence is not None
    return evidence.category


def test_numbers_are_shown_without_anybodys_spans_and_leave_nobody_less_blind(agreeing: Agreeing) -> None:
    agreeing.mode.page.table.setCurrentIndex(agreeing.mode.page.table.model().index(1, 3))
    agreeing.press(Qt.Key.Key_Return, agreeing.mode.page.table)
    assert "ataxia" not in agreeing.mode.evidence.quotes.toPlainText()
    assert BEN in agreeing.mode.evidence.quotes.toPlainText()
    assert agreeing.looks() == []


def test_quotes_are_shown_when_asked_for_and_each_report_seen_goes_on_record(agreeing: Agreeing) -> None:
    agreeing.press("q", agreeing.mode.page.table)
    evidence = agreeing.mode.evidence
    first = evidence.current()
    assert first is not None
    assert evidence.quotes.toPlainText().endswith(f"{ME}: nothing\n{BEN}:\n  • “ataxia”")
    assert agreeing.looks() == [(first.key, BEN)]
    agreeing.press(Qt.Key.Key_Down, evidence.list)
    second = evidence.current()
    assert second is not None
    assert sorted(agreeing.looks()) == sorted([(first.key, BEN), (second.key, BEN)])
    # Measured anew, as after anything is saved, it stays the chosen one.
    agreeing.session.worker.saved.emit()
    agreeing.settle()
    assert evidence.current() == second


def test_quotes_that_one_has_seen_before_are_shown_at_once_and_the_others_stay_hidden(
    agreeing: Agreeing,
) -> None:
    evidence = agreeing.mode.evidence
    seen = open_behind(agreeing)
    agreeing.enter()
    looks = agreeing.looks()
    keys = [row.key for row in evidence.list.reports.rows]
    evidence.list.selectRow(keys.index(seen))
    agreeing.settle()
    assert not evidence.with_quotes.isChecked()
    assert evidence.quotes.toPlainText().startswith("Neurology")
    evidence.list.selectRow(next(number for number, key in enumerate(keys) if key != seen))
    agreeing.settle()
    assert f"You have not seen yet what {BEN} marked" in evidence.quotes.toPlainText()
    assert agreeing.looks() == looks


def test_of_two_others_both_looks_go_on_record(agreeing: Agreeing) -> None:
    agreeing.compare(BEN, GOLD)
    agreeing.press("q", agreeing.mode.page.table)
    assert {name for _, name in agreeing.looks()} == {BEN, GOLD}


def test_another_annotator_is_shown_nothing_that_was_not_asked_for(agreeing: Agreeing) -> None:
    agreeing.press("q", agreeing.mode.page.table)
    agreeing.session.set_annotator("Chi")
    agreeing.settle()
    assert not agreeing.mode.evidence.with_quotes.isChecked()
    assert "ataxia" not in agreeing.mode.evidence.quotes.toPlainText()
    assert not agreeing.workbench.actions_["agreement.quotes"].isChecked()


def test_enter_in_the_list_opens_the_report_for_review_in_the_category(agreeing: Agreeing) -> None:
    table = agreeing.mode.page.table
    table.setCurrentIndex(table.model().index(1, agreeing.column("Token set ratio")))
    agreeing.press(Qt.Key.Key_Return, table)
    row = agreeing.mode.evidence.current()
    assert row is not None
    agreeing.press(Qt.Key.Key_Return, agreeing.mode.evidence.list)
    assert agreeing.workbench.frame.current == "review"
    assert (agreeing.session.report_model.key, agreeing.session.category) == (row.key, "Neuro")


def set_done(key: str, project: Project) -> None:
    set_review_state(project, ME, key, "done")


def open_behind(agreeing: Agreeing, row: int = 1, by: str = "Enter") -> str:
    """Open the first report behind a line's score by Enter, two clicks or the button; returns its key."""
    table = agreeing.mode.page.table
    table.setCurrentIndex(table.model().index(row, agreeing.column("Token set ratio")))
    agreeing.press(Qt.Key.Key_Return, table)
    current = agreeing.mode.evidence.current()
    assert current is not None
    evidence = agreeing.mode.evidence
    if by == "clicks":
        double_click(evidence.list, 0)
    elif by == "button":
        evidence.open_button.click()
    else:
        agreeing.press(Qt.Key.Key_Return, evidence.list)
    agreeing.settle()
    return current.key


def test_review_shows_the_other_of_the_pair_and_not_whom_it_or_the_reader_showed_before(
    agreeing: Agreeing,
) -> None:
    agreeing.compare(ME, GOLD)
    key = open_behind(agreeing)
    assert agreeing.looks() == [(key, GOLD)]
    agreeing.session.show_others((GOLD,))
    agreeing.enter()
    agreeing.compare(ME, BEN)
    before = set(agreeing.looks())
    button = agreeing.mode.evidence.open_button
    other = open_behind(agreeing, by="button")
    assert button.text() == "Open in Review"
    assert f"what {BEN} marked" in button.accessibleDescription()
    assert agreeing.workbench.frame.current == "review"
    assert (agreeing.session.report_model.key, tuple(agreeing.session.report_model.others)) == (other, (BEN,))
    assert set(agreeing.looks()) - before == {(other, BEN)}
    assert other != key


def test_a_report_of_two_others_is_opened_to_annotate_with_nobody_shown(agreeing: Agreeing) -> None:
    for number in (1, 2, 3):
        # In reports that are done, whom one chose to show is shown again.
        agreeing.session.worker.act(partial(set_done, f"PMC{number}"), lambda _: None)
    agreeing.workbench.frame.open_mode("annotate")
    agreeing.session.show_others((GOLD,))
    agreeing.enter()
    agreeing.compare(BEN, GOLD)
    before = agreeing.looks()
    button = agreeing.mode.evidence.open_button
    key = open_behind(agreeing, by="clicks")
    assert button.text() == "Open the report"
    assert "nobody else's quotes" in button.accessibleDescription()
    assert agreeing.workbench.frame.current == "annotate"
    assert (agreeing.session.report_model.key, dict(agreeing.session.report_model.others)) == (key, {})
    assert agreeing.session.showing == ()
    assert agreeing.looks() == before


def test_where_there_is_one_set_the_button_leads_to_another(qtbot: QtBot) -> None:
    actions = actions_for(qtbot)
    empty = _EmptyAgreement(actions)
    qtbot.addWidget(empty)
    with qtbot.waitSignal(actions["project.extract"].triggered):
        empty.button.click()


def test_where_nothing_is_behind_a_number_nothing_can_be_opened(agreeing: Agreeing) -> None:
    table, heat, evidence = agreeing.mode.page.table, agreeing.mode.page.heat, agreeing.mode.evidence
    table.setCurrentIndex(table.model().index(1, agreeing.column("Token set ratio")))
    agreeing.press(Qt.Key.Key_Return, table)
    assert evidence.open_button.isEnabled()
    heat.setCurrentIndex(heat.model().index(0, 0))
    agreeing.press(Qt.Key.Key_Return, heat)
    assert evidence.list.reports.rows == ()
    assert not evidence.open_button.isEnabled()
    evidence.list.report_opened.emit(-1)
    assert agreeing.workbench.frame.current == "agreement"
    agreeing.press(Qt.Key.Key_Return, table)
    assert evidence.open_button.isEnabled()
    evidence.clear()
    assert not evidence.open_button.isEnabled()


def test_both_sides_are_named_in_full_where_the_boxes_cut_them(agreeing: Agreeing) -> None:
    choice = agreeing.mode.page.choice
    assert (choice.left.accessibleDescription(), choice.right.accessibleDescription()) == (ME, BEN)
    assert BEN in choice.right.toolTip()
    assert f"6 quotes of {ME} (left), 5 of {BEN} (right)" in agreeing.mode.page.sentence.text()
    choice.right.setCurrentIndex(choice.right.findData(GOLD))
    assert choice.right.accessibleDescription() == GOLD


def test_one_set_on_both_sides_is_said_to_say_nothing_about_agreement(agreeing: Agreeing) -> None:
    said = f"{BEN} is on both sides: one set against itself says nothing about agreement."
    assert said not in agreeing.mode.page.sentence.text()
    agreeing.compare(BEN, BEN)
    assert said in agreeing.mode.page.sentence.text()


def test_a_span_that_was_saved_is_measured_at_once(agreeing: Agreeing) -> None:
    before = agreeing.texts(agreeing.column("Quotes left / right"))["Neurology and cognition"]
    place = TEXT.index("fever")
    agreeing.session.worker.act(
        lambda p: add_span(p, ME, SpanPlace("PMC1", place, place + 5), "Neuro"), lambda _: None
    )
    agreeing.qtbot.waitUntil(lambda: agreeing.session.worker.waiting == 0)
    agreeing.settle()
    after = agreeing.texts(agreeing.column("Quotes left / right"))["Neurology and cognition"]
    assert (before, after) == ("6 / 4", "7 / 4")


def test_shares_say_how_much_each_annotator_marked(agreeing: Agreeing) -> None:
    shares = agreeing.mode.page.shares.numbers
    names = [heading[0] for heading in shares.headings]
    rows = {row.label: row for row in shares.rows}
    ben = rows["Musculoskeletal"].cells[names.index(BEN)]
    assert ben.text == "1 / 4   25.0 %"
    assert "in 1 of 4 reports" in ben.sentence
    assert rows["Words per report"].cells[names.index(ME)].text == "2"
    page = agreeing.mode.page
    page.show_shares(["m" * 99, *names[1:]], [(row.label, row.cells) for row in shares.rows])
    assert len({page.shares.columnWidth(column) for column in range(len(names))}) == 1, "one scale for all"


def test_what_comes_below_the_table_squeezes_nothing_until_the_page_has_grown(agreeing: Agreeing) -> None:
    page = agreeing.mode.page
    numbers = page.shares.numbers
    names, lines = [name for name, _ in numbers.headings], [(row.label, row.cells) for row in numbers.rows]
    page._shares_box.hide()
    agreeing.settle()
    page.show_shares(names, lines)
    assert page.shares.isVisible()
    assert page.table.height() == page.table.sizeHint().height()


def test_without_two_sets_the_page_says_what_to_do_next(
    project: Path, open_window: Callable[[Path], Agreeing]
) -> None:
    agreeing = open_window(project)
    agreeing.enter()
    page = agreeing.mode.page
    assert page.empty.isVisible()
    assert "compares two annotation sets" in page.empty.words.text()
    assert "Nobody has annotated a report yet." in page.empty.words.text()
    assert page.empty.button.hasFocus()
    page.show_nothing(["rules"])
    assert "So far, rules is the only one." in page.empty.words.text()
    page.show_nothing([ME, BEN])
    assert f"these have no report in common: {ME}, {BEN}." in page.empty.words.text()


def test_a_project_without_reports_can_be_entered(
    tmp_path: Path, open_window: Callable[[Path], Agreeing]
) -> None:
    agreeing = open_window(create_project(tmp_path / "empty.casespan", ME))
    agreeing.enter()
    assert agreeing.mode.page.empty.isVisible()


def test_what_is_on_screen_is_written_to_the_file_that_is_asked_for(
    agreeing: Agreeing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    looking: list[QFileDialog] = []
    agreeing.session.message.connect(told.append)
    monkeypatch.setattr(QFileDialog, "open", lambda one: looking.append(one))
    agreeing.compare(GOLD, BEN)
    agreeing.press("p")
    for kind in ("html", "csv", "svg", "png"):
        out = tmp_path / f"a.{kind}"
        told.clear()
        agreeing.workbench.actions_[f"agreement.{kind}"].trigger()
        assert (looking[-1].defaultSuffix(), looking[-1].acceptMode()) == (
            kind,
            QFileDialog.AcceptMode.AcceptSave,
        )
        looking[-1].fileSelected.emit(str(out))
        agreeing.qtbot.waitUntil(lambda: bool(told))
        assert out.stat().st_size > 500, kind
        assert str(out) in told[0]
    title = (tmp_path / "a.html").read_text("utf-8").partition("</title>")[0]
    assert (GOLD in title, BEN in title, ME in title) == (True, True, False)


def test_every_part_that_takes_the_focus_says_what_it_is(agreeing: Agreeing) -> None:
    page, evidence = agreeing.mode.page, agreeing.mode.evidence
    parts = (page.table, page.heat, page.strip, page.pairs, page.shares, evidence.list, evidence.quotes)
    assert all(part.accessibleName() for part in parts)
    choice = page.choice
    assert all(box.accessibleName() for box in (choice.left, choice.right, choice.profile))


def test_a_pair_without_a_common_report_is_a_sentence_and_another_can_be_chosen(
    agreeing: Agreeing,
) -> None:
    agreeing.session.worker.act(
        lambda p: add_span(p, "Chi", SpanPlace("PMC4", 0, 6), "Neuro"), lambda _: None
    )
    agreeing.qtbot.waitUntil(lambda: agreeing.session.worker.waiting == 0)
    agreeing.settle()
    agreeing.compare(ME, "Chi")
    page = agreeing.mode.page
    assert page.problem.isVisible()
    assert f"No report was annotated by both {ME} and Chi" in page.problem.text()
    for theme in ("dark", "light"):
        agreeing.workbench.preferences.theme = theme
        assert page.problem.isVisible()
    assert agreeing.mode.evidence.evidence is None
    agreeing.compare(BEN, "Chi")
    assert page.table.isVisible()
    # Where one of the two is gone, another pair is chosen.
    agreeing.session.worker.act(undo_change, lambda _: None)
    agreeing.qtbot.waitUntil(lambda: page.choice.pair == (ME, BEN))
    agreeing.settle()
    # Runs are many: one stands among the pairs while it is chosen.
    report = asked(agreeing.session.worker, agreeing.qtbot, lambda p: document(p, "PMC1").uuid)

    def run(project: Project) -> None:
        with begin_act(project, "run", ME) as act:
            holder = ensure_annotator(act, "rules", "run").uuid
            add_annotations(act, report, holder, [Finding("Neuro", TEXT[:6], 0, 6)], "model")

    agreeing.session.worker.act(run, lambda _: None)
    agreeing.qtbot.waitUntil(lambda: page.choice.right.findData("rules") >= 0)
    agreeing.settle()
    for right, there in ((BEN, False), ("rules", True)):
        agreeing.compare(ME, right)
        assert ("rules" in [row.label for row in page.pairs.numbers.rows]) == there


def test_numbers_stay_while_the_next_ones_are_worked_out_and_the_page_says_so(agreeing: Agreeing) -> None:
    page = agreeing.mode.page
    before = agreeing.texts(agreeing.column("Token set ratio"))
    lacking: list[bool] = []

    def look() -> None:
        cells = [cell for row in page.pairs.numbers.rows for cell in row.cells]
        lacking.append(any("still being worked out" in cell.sentence for cell in cells))

    page.pairs.numbers.dataChanged.connect(look)
    page.choice.choose((ME, GOLD))
    assert page.sentence.text() == f"Measuring {ME} against {GOLD}…"
    assert agreeing.texts(agreeing.column("Token set ratio")) == before
    agreeing.settle()
    assert "Measuring" not in page.sentence.text()
    assert set(lacking) == {False}
    assert agreeing.texts(agreeing.column("Token set ratio"))["Neurology and cognition"] == "100.00"


def test_a_stop_says_what_goes_on_where_there_is_a_pair_to_choose_and_where_not(
    compared: Path, open_window: Callable[[Path], Agreeing]
) -> None:
    agreeing = open_window(compared)
    worker, begun = agreeing.session.worker, Event()
    worker.ask(lambda _: begun.wait(), lambda _: None)
    stop = worker.looking.connect(Job.cancel)
    agreeing.workbench.frame.open_mode("agreement")
    begun.set()
    agreeing.settle()
    problem = agreeing.mode.page.problem
    assert problem.text().startswith("Reading was stopped, so there is no pair to choose.")
    worker.looking.disconnect(stop)
    agreeing.workbench.frame.open_mode("annotate")
    agreeing.enter()
    assert agreeing.mode.page.choice.pair == (ME, BEN)


def test_what_a_stop_left_unmeasured_says_so_until_the_pair_is_chosen_again(agreeing: Agreeing) -> None:
    worker, choice = agreeing.session.worker, agreeing.mode.page.choice
    stopped = Event()

    def stop(job: Job) -> None:
        if "BLEU" in job.title:
            job.cancel()
            stopped.set()
        else:
            # What comes after it waits, or might be done before it can be stopped.
            worker.ask(lambda _: stopped.wait(5), lambda _: None)

    worker.looking.connect(stop)
    agreeing.compare(ME, BEN)
    worker.looking.disconnect(stop)
    assert set(agreeing.texts(agreeing.column("BLEU-1")).values()) == {"stopped"}
    choice.left.activated.emit(choice.left.currentIndex())
    agreeing.settle()
    assert "stopped" not in agreeing.texts(agreeing.column("BLEU-1")).values()


def test_no_table_is_shown_before_there_are_numbers(agreeing: Agreeing) -> None:
    page = AgreementPage(agreeing.workbench.actions_)
    agreeing.qtbot.addWidget(page)
    assert not page.table.isVisibleTo(page)
    assert not page.shares.isVisibleTo(page.area)
    page.show_problem("They have no report in common.")
    page.show_working("Measuring…")
    assert not page.problem.isVisibleTo(page)
    panel = agreeing.mode.evidence
    assert panel.splitter.isVisibleTo(panel)
    panel.clear()
    assert not panel.splitter.isVisibleTo(panel)


def test_columns_are_headed_by_words_and_errors_are_said_as_percent(agreeing: Agreeing) -> None:
    headings = [" ".join(words.split("\n")) for words, _ in agreeing.mode.page.table.numbers.headings]
    assert headings[:4] == ["Reports", "Both empty", "Quotes left / right", "Token set ratio"]
    assert {"Omission", "Hallu- cination", "Exact span", "Overlap span"} <= set(headings)
    assert agreeing.texts(agreeing.column("Omission"))["Neurology and cognition"] == "0.0 %"
    rows = agreeing.mode.page.heat.numbers.rows
    assert {row.cells[row.marked or 0].text for row in rows} >= {"67 %"}


def test_in_a_wide_window_bars_stay_at_their_numbers_and_the_heat_map_stands_beside_the_table(
    agreeing: Agreeing, qtbot: QtBot
) -> None:
    page = agreeing.mode.page
    agreeing.window.resize(2560, 1400)
    table, widest = page.table, page.table.fontMetrics().horizontalAdvance("0" * 13)
    qtbot.waitUntil(lambda: page.heat.mapTo(page, QPoint()).x() > table.geometry().right())
    assert max(table.columnWidth(place) for place in range(table.numbers.columnCount())) < widest
    assert page.heat.mapTo(page, QPoint()).y() < table.mapTo(page, QPoint()).y() + table.height()
    agreeing.window.resize(1366, 768)
    qtbot.waitUntil(lambda: page.heat.mapTo(page, QPoint()).x() < table.geometry().right())
    # What is said below the charts is read without going to the side.
    agreeing.window.resize(960, 600)
    qtbot.waitUntil(lambda: page.area.horizontalScrollBar().maximum() > 0)
    assert page.heat_about.width() <= page.area.viewport().width()


@pytest.mark.parametrize(("profile", "wide"), [("paper", 1280), ("strict", 1366)])
def test_all_columns_fit_a_small_screen(agreeing: Agreeing, qtbot: QtBot, profile: str, wide: int) -> None:
    page = agreeing.mode.page
    agreeing.window.resize(wide, 720)
    if profile != page.choice.chosen_profile:
        page.choice.next_profile()
    agreeing.settle()
    assert page.choice.chosen_profile == profile
    assert agreeing.column("Recall" if profile == "strict" else "Overlap span") > 10
    qtbot.waitUntil(lambda: page.table.horizontalScrollBar().maximum() == 0)
    assert page.area.horizontalScrollBar().maximum() == 0
