"""Below the text: words, spans and figures of the whole project, by keyboard and by mouse."""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from app.gui.finder import words as page
from app.gui.finder.panel import FinderPanel
from app.gui.finder.spans_model import (
    BY_PLACE,
    CATEGORY,
    FIELD,
    NOTE,
    POLARITY,
    QUOTE,
    REPORT,
    SECTION,
    SpansModel,
)
from app.gui.modes.review.mode import ReviewMode
from app.gui.shell.main_window import MainWindow
from app.gui.shell.workbench import Workbench
from app.gui.widgets.lists import MORE, PLACE
from app.operations.annotate.exposure import list_others
from app.operations.annotate.spans import SpanPlace, add_spans, set_span_note
from app.operations.extract.rules import extract_with_rules
from app.operations.find.search import search_project
from app.operations.project.files import create_project
from app.operations.project.opening import open_project
from app.store.annotate.disclosures import disclosures
from app.store.annotate.listing import SpanRow
from extractors.model.scheme import default_scheme
from tests.builders import ME, Kept, sample_reports
from tests.gui.conftest import open_in
from tests.verbs import press, settle

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
FABRY, HELLP = "PMC99000001", "PMC99000002"


def write_labelled(path: Path) -> None:
    """The sample reports with four spans of one's own, one of them with a note, and those of the rules."""
    sample_reports(path)
    for _ in extract_with_rules(path):
        pass
    with open_project(path) as project:
        places = [SpanPlace(key, 800 + at, 812 + at) for key in (FABRY, HELLP) for at in (0, 40)]
        added = add_spans(project, ME, places, "Neuro").added
        set_span_note(project, added[0].uuid, "strangely worded")


@pytest.fixture
def bench(kept: Kept, tmp_path: Path, window: MainWindow, qtbot: QtBot) -> Workbench:
    return open_in(window, kept.copy(write_labelled, tmp_path / "study.casespan"), qtbot)


def opened(bench: Workbench, qtbot: QtBot, command: str) -> FinderPanel:
    """The page that a command opens, once it has read what it shows."""
    shown = {"edit.spans": bench.finder.spans.shown, "edit.figures": bench.finder.figures.shown}
    if command not in shown:
        bench.actions_[command].trigger()
    else:
        with qtbot.waitSignal(shown[command]):
            bench.actions_[command].trigger()
    return bench.finder


def found(panel: FinderPanel, words: str, qtbot: QtBot) -> list[QTreeWidgetItem]:
    """The places that are listed once these words were typed."""
    with qtbot.waitSignal(panel.words.shown):
        panel.words.words.setText(words)
    groups = [item_at(panel, row) for row in range(panel.words.tree.topLevelItemCount())]
    children = [group.child(row) for group in groups for row in range(group.childCount())]
    return [child for child in children if child is not None]


def item_at(panel: FinderPanel, row: int) -> QTreeWidgetItem:
    """A report or category that was found."""
    item = panel.words.tree.topLevelItem(row)
    assert item is not None
    return item


def listed(panel: FinderPanel) -> list[str]:
    """Categories and reports, and what leads to more of these."""
    return [item_at(panel, row).text(0) for row in range(panel.words.tree.topLevelItemCount())]


def codes(panel: FinderPanel) -> list[str]:
    """The categories of the spans listed."""
    model = panel.spans.model
    return [model.index(row, CATEGORY).data() for row in range(model.rowCount())]


def lists(panel: FinderPanel, wanted: list[str]) -> bool:
    return codes(panel) == wanted


def selected(bench: Workbench) -> str:
    start, end = bench.reader.selection()
    return bench.reader.text()[start:end]


def framed(bench: Workbench) -> list[tuple[int, int]]:
    """The places that are framed in the text."""
    return list(bench.reader._found._places)


def test_a_place_found_is_a_return_away_and_selected_in_the_text(bench: Workbench, qtbot: QtBot) -> None:
    panel = opened(bench, qtbot, "edit.search")
    assert panel.words.words.hasFocus()
    assert len(found(panel, "seizure", qtbot)) == 4
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Down)
    assert panel.words.tree.hasFocus()
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: selected(bench) == "seizures")
    assert bench.session.report_model.key == "PMC99000003"
    assert bench.reader.selection() in framed(bench)
    # No key goes through the panel to what is below it.
    key = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(panel, key)
    assert key.isAccepted()
    press(Qt.Key.Key_Escape)
    assert framed(bench) == []
    assert bench.reader.hasFocus()
    assert not panel.isVisible()
    assert selected(bench) == "seizures"


def test_words_that_are_selected_are_searched_as_they_stand_together(bench: Workbench, qtbot: QtBot) -> None:
    panel = bench.finder
    text = bench.reader.text()
    start = text.index(" ", 40)
    end = text.index(" ", text.index(" ", start + 1) + 1)
    for left, right in ((start, end), (start + 1, text.index(" ", start + 1))):
        bench.reader.select(left, right)
        opened(bench, qtbot, "edit.search")
        quoted = '"' if left == start else ""
        assert panel.words.words.text() == f"{quoted}{text[left:right].strip()}{quoted}"
        press(Qt.Key.Key_Escape)
    # What is searched for stays where nothing or too much is selected, and where the panel is open.
    panel.words.words.setText("fever")
    for span, closes in (((0, 0), True), ((0, 120), False), ((start, end), True)):
        bench.reader.select(*span)
        opened(bench, qtbot, "edit.search")
        assert (panel.words.words.text(), panel.words.words.hasFocus()) == ("fever", True), span
        if closes:
            press(Qt.Key.Key_Escape)
    bench.reader.select(start, end)
    opened(bench, qtbot, "edit.spans")
    assert (panel.words.words.text(), panel.tabs.currentIndex()) == ("fever", 1)


def test_a_place_found_stays_in_sight_where_its_report_is_reviewed(bench: Workbench, qtbot: QtBot) -> None:
    bench.frame.open_review("rules")
    mode = bench.frame.mode
    assert isinstance(mode, ReviewMode)
    qtbot.waitUntil(lambda: mode.reviewing.current == 0)
    panel = opened(bench, qtbot, "edit.search")
    panel.words.tree.itemActivated.emit(found(panel, "seizures", qtbot)[-1], 0)
    qtbot.waitUntil(lambda: bench.session.report_model.key != FABRY and mode.reviewing.current >= 0)
    assert selected(bench).startswith("seizure")
    item = mode.reviewing.item
    assert item is not None
    assert (item.finding.start or 0) >= bench.reader.selection()[0]
    # The card after it, as of another category, leads to its own place again.
    other = next(
        cell.right.finding.category
        for cell in mode.reviewing.cells
        if cell.right is not None and cell.right.finding.category != item.finding.category
    )
    mode.reviewing.set_category(other)
    item = mode.reviewing.item
    assert item is not None
    assert (item.finding.category, bench.session.report_model.current) == (other, item.uuid)


def test_a_click_goes_there_and_a_key_labels_it(bench: Workbench, qtbot: QtBot) -> None:
    panel = opened(bench, qtbot, "edit.search")
    item = found(panel, "cornstarch", qtbot)[0]
    tree = panel.words.tree
    QTest.mouseClick(
        tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualItemRect(item).center() + QPoint(60, 0)
    )
    qtbot.waitUntil(lambda: selected(bench) == "cornstarch")
    bench.reader.setFocus()
    press("g")
    settle(bench.session.worker, qtbot, 2)
    own = bench.session.report_model.spans.values()
    assert [(one.finding.category, one.finding.quote) for one in own] == [("GI", "cornstarch")]
    qtbot.waitUntil(lambda: item.text(MORE) == "GI")
    bench.session.undoing.undo()
    settle(bench.session.worker, qtbot, 3)

    def first() -> QTreeWidgetItem:
        """What is listed first now: after undo it was searched for anew."""
        return next(panel.words._places_listed())

    qtbot.waitUntil(lambda: first().text(MORE) == "")
    # A part of the words is enough, what stands beside them is not.
    goal = first().data(0, PLACE)
    start, end = goal.places[goal.current]
    for left, right, category in (
        (start - 8, start, "CVS"),
        (end, end + 5, "DERM"),
        (start + 2, start + 6, "GU"),
    ):
        bench.session.controller.label(left, right, category)
    qtbot.waitUntil(lambda: first().text(MORE) == "GU")
    places = found(panel, "was", qtbot)
    bench.session.controller.label(0, len(bench.reader.text()), "GU")
    here = {one.data(0, PLACE).report == bench.session.report_model.key for one in places}
    assert here == {True, False}
    qtbot.waitUntil(lambda: any("GU" in one.text(MORE) for one in places))
    labelled = {one.data(0, PLACE).report for one in places if "GU" in one.text(MORE)}
    assert labelled == {bench.session.report_model.key}


def test_what_others_have_is_neither_found_nor_listed_nor_put_on_record(
    bench: Workbench, qtbot: QtBot
) -> None:
    panel = opened(bench, qtbot, "edit.search")
    places = found(panel, "hypertrophy", qtbot)
    assert [item.text(3) for item in places] == [""] * len(places)
    assert [item.text(1) for item in found(panel, "strangely", qtbot)] == ["strangely worded"]
    assert item_at(panel, 0).text(0).endswith(" (1)")
    for name, said in (("Dr. Other", "No report has these words"), (ME, "")):
        with qtbot.waitSignal(panel.words.shown):
            bench.session.set_annotator(name)
        assert panel.words.note.text().startswith(said) == (name != ME or not said)
    opened(bench, qtbot, "edit.spans")
    assert len(panel.spans.model.rows) == 4
    opened(bench, qtbot, "edit.figures")
    session = bench.session
    told: list[tuple[int, int]] = []
    session.worker.ask(
        lambda p: (len(list_others(p, FABRY, ME)), len(disclosures(p))), lambda found: told.append(found)
    )
    qtbot.waitUntil(lambda: told == [(1, 0)])


def test_without_reports_it_says_what_to_do_first(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window.open_project(create_project(tmp_path / "empty.casespan", ME), ME)
    qtbot.waitUntil(lambda: window.workbench is not None)
    assert window.workbench is not None
    said: list[str] = []
    window.workbench.session.message.connect(said.append)
    for command in ("edit.search", "edit.spans", "edit.figures"):
        window.workbench.actions_[command].trigger()
    assert [sentence.startswith("There are no reports") for sentence in said] == [True] * 3


def test_where_letters_are_large_finding_here_and_in_all_reports_take_turns(
    bench: Workbench, qtbot: QtBot
) -> None:
    large = bench.font()
    large.setPointSize(2 * large.pointSize())
    bench.setFont(large)
    panel = opened(bench, qtbot, "edit.search")
    bench.actions_["edit.find"].trigger()
    assert (bench.find_bar.isVisible(), panel.isVisible()) == (True, False)
    opened(bench, qtbot, "edit.search")
    assert (bench.find_bar.isVisible(), panel.isVisible()) == (False, True)


def test_searched_again_the_place_that_one_was_at_is_the_current_one_still(
    bench: Workbench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "AT_ONCE", 1)
    panel = opened(bench, qtbot, "edit.search")
    found(panel, "with", qtbot)
    with qtbot.waitSignal(panel.words.shown):
        panel.words.search(1)
    *_, last = panel.words._places_listed()
    panel.words.tree.setCurrentItem(last)
    before = listed(panel), last.text(2), last.data(0, PLACE)
    with qtbot.waitSignal(panel.words.shown):
        bench.session.rows_changed.emit()
    now = panel.words.tree.currentItem()
    assert now is not None
    assert (listed(panel), now.text(2), now.data(0, PLACE)) == before


def test_what_is_not_found_says_what_to_type(bench: Workbench, qtbot: QtBot) -> None:
    panel = opened(bench, qtbot, "edit.search")
    for words, said in (("qqq", "No report"), ("( *", "Signs alone"), ("", "Find words")):
        assert found(panel, words, qtbot) == []
        assert panel.words.note.text().startswith(said)
        assert panel.words.note.isVisible()
        assert panel.words.count.full_text() == ""
    # Return before anything was found goes there, unless one types on meanwhile.
    later = panel.words._later
    for typed_on in (True, False):
        panel.words.words.setFocus()
        with qtbot.waitSignal(panel.words.shown):
            later.setInterval(60_000)
            panel.words.words.setText("cornstarch")
            press(Qt.Key.Key_Return)
            later.setInterval(20)
            if typed_on:
                panel.words.words.setText("seizures")
        assert (panel.words.words.hasFocus(), panel.words.tree.hasFocus()) == (typed_on, not typed_on)
    # What was found while nobody looked may have changed: it is searched for anew once it is looked at.
    found(panel, "seizure", qtbot)
    assert panel.words.count.full_text() == "4 places in 3 reports"
    press(Qt.Key.Key_Escape)
    with qtbot.assertNotEmitted(panel.words.shown):
        opened(bench, qtbot, "edit.search")
        settle(bench.session.worker, qtbot)
    press(Qt.Key.Key_Escape)
    with qtbot.assertNotEmitted(panel.words.shown):
        bench.session.rows_changed.emit()
        settle(bench.session.worker, qtbot)
    with qtbot.waitSignal(panel.words.shown):
        opened(bench, qtbot, "edit.search")


def test_a_category_found_leads_to_its_spans(
    bench: Workbench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = opened(bench, qtbot, "edit.search")
    # Each is listed once, however many reports are shown by and by.
    monkeypatch.setattr(page, "search_project", partial(search_project, most=1))
    monkeypatch.setattr(page, "AT_ONCE", 1)
    monkeypatch.setattr(page, "_MOST_PLACES", 2)
    *_, more = found(panel, "and", qtbot)
    before = listed(panel)
    assert before[-1] == "Show the next 1 of 9 more reports"
    # Of those in a report that are not listed one comes to the first; by its title to the first of all.
    places = more.data(0, PLACE).places
    assert more.text(2) == f"{len(places) - 2} more in this report"
    for item, place in ((more, 2), (item_at(panel, len(before) - 2), 0)):
        panel.words.tree.itemActivated.emit(item, 0)
        qtbot.waitUntil(partial(lambda wanted: bench.reader.selection() == wanted, places[place]))
    assert panel.words.count.full_text().endswith(" in the first 1 of 10 reports")
    with qtbot.waitSignal(panel.words.shown):
        panel.words.tree.itemActivated.emit(item_at(panel, len(before) - 1), 0)
    assert [row.startswith("Category") for row in listed(panel)].count(True) == len(before) - 2 > 0
    assert panel.words.tree.currentItem() is item_at(panel, len(before) - 1).child(0)
    found(panel, "Dermatology", qtbot)
    panel.spans.words.setText("of before")
    panel.spans.where.setCurrentIndex(1)
    about = "Category DE  Dermatology: 0 spans of yours in 0 reports"
    assert (item_at(panel, 0).text(0), panel.words.count.full_text()) == (about, "In no report")
    panel.words.tree.setFocus()
    panel.words.tree.setCurrentItem(item_at(panel, 0))
    press(Qt.Key.Key_Return)
    assert panel.tabs.currentWidget() is panel.spans
    chosen = panel.spans.category.currentData(), panel.spans.where.currentText(), panel.spans.words.text()
    assert chosen == ("DERM", "All reports", "")
    qtbot.waitUntil(panel.spans.note.isVisible)


def test_several_spans_are_selected_relabelled_and_deleted_each_in_one_undo(
    bench: Workbench, qtbot: QtBot
) -> None:
    panel = opened(bench, qtbot, "edit.spans")
    page = panel.spans
    assert page.table.hasFocus()
    buttons = page.relabel_button, page.delete_button
    assert [one.isEnabled() for one in buttons] == [False, False]
    first = page.table.visualRect(page.model.index(0, QUOTE)).center()
    with qtbot.assertNotEmitted(page.table.gone_to):
        QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, CTRL, first)
    with qtbot.waitSignal(page.table.gone_to):
        QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=first)
    page.table.setFocus()
    assert page.table.selected() == [0]
    for modifier in (Qt.KeyboardModifier.NoModifier, SHIFT, SHIFT):
        press(Qt.Key.Key_Down, modifier)
    assert page.count.full_text() == "3 of 4 spans selected"
    assert [one.isEnabled() for one in buttons] == [True, True]
    said: list[str] = []
    bench.session.message.connect(said.append)
    page.relabel_button.setFocus()
    next(one for one in page.relabel_menu.actions() if one.text().startswith("DE")).trigger()
    qtbot.waitUntil(lambda: codes(panel) == ["NE", "DE", "DE", "DE"])
    assert said[-1] == "3 spans relabelled as Dermatology."
    assert page.table.hasFocus()
    assert len(page.table.selected()) == 3
    next(one for one in page.relabel_menu.actions() if one.text().startswith("DE")).trigger()
    qtbot.waitUntil(lambda: said[-1].startswith("0 spans relabelled as Dermatology; 3 stood there"))
    page.delete_button.setFocus()
    press(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: codes(panel) == ["NE"])
    assert said[-1] == "3 spans deleted."
    assert page.table.hasFocus()
    press(Qt.Key.Key_Delete)
    assert codes(panel) == ["NE"]
    for categories in (["NE", "DE", "DE", "DE"], ["NE"] * 4):
        bench.session.undoing.undo()
        qtbot.waitUntil(partial(lists, panel, categories))
    # The same by a key, and by the menu.
    page.table.selectRow(2)
    press(Qt.Key.Key_Delete)
    qtbot.waitUntil(partial(lists, panel, ["NE"] * 3))
    assert page.table.currentIndex().row() == 2, "the one in its place"
    bench.session.undoing.undo()
    qtbot.waitUntil(partial(lists, panel, ["NE"] * 4))
    page.table.selectRow(2)
    page.table.menu_wanted.emit(QPoint(5, 5))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    show, relabel, delete = menu.actions()
    show.trigger()
    qtbot.waitUntil(lambda: bench.session.report_model.current == page.model.rows[2].uuid)
    below = relabel.menu()
    assert isinstance(below, QMenu)
    assert below.actions() == page.relabel_menu.actions()
    delete.trigger()
    qtbot.waitUntil(partial(lists, panel, ["NE"] * 3))
    menu.close()


def test_spans_are_narrowed_sorted_and_gone_to(bench: Workbench, qtbot: QtBot) -> None:
    page = bench.finder.spans
    with qtbot.waitSignal(page.shown):
        bench.actions_["edit.spans"].trigger()
        # Whoever types while the list is read goes on.
        page.words.setFocus()
    assert page.words.hasFocus()
    page.order.setCurrentIndex(page.order.findText("By quote"))
    quotes = [page.model.index(row, QUOTE).data() for row in range(4)]
    assert quotes == sorted(quotes, key=str.casefold)
    page.order.setCurrentIndex(0)
    assert [row.report for row in page.model.rows] == [FABRY, FABRY, HELLP, HELLP]
    hidden, header = page.table.isColumnHidden, page.table.horizontalHeader()
    assert [hidden(FIELD), hidden(NOTE)] == [True, False]
    letter = page.table.fontMetrics().averageCharWidth()
    for letters in (60, 70, 80, 150):
        # The last column that has room ends with the list.
        page.table.setFixedWidth(letters * letter)
        QApplication.processEvents()
        assert page.table.viewport().width() in accumulate(map(header.sectionSize, range(header.count())))
    page.table.setMaximumWidth(10_000)
    header.setSortIndicator(REPORT, Qt.SortOrder.DescendingOrder)
    assert page.order.currentText() == "By report"
    # What is equal stays by place, and what was selected stays so, from above.
    places = [(row.report, row.start) for row in page.model.rows]
    assert places == [(HELLP, 800), (HELLP, 840), (FABRY, 800), (FABRY, 840)]
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for row in (2, 0):
        page.table.selectionModel().select(page.model.index(row, QUOTE), flags)
    assert page.table.selected() == [0, 2]
    chosen = {page.model.rows[row].uuid for row in (0, 2)}
    with qtbot.waitSignal(page.shown):
        page.read()
    assert {page.model.rows[row].uuid for row in page.table.selected()} == chosen
    assert page.count.full_text() == "2 of 4 spans selected"
    assert page.table.currentIndex().row() == 0
    page.order.setCurrentIndex(0)
    assert {page.model.rows[row].uuid for row in page.table.selected()} == chosen
    assert (page.table.selected(), page.count.full_text()) == ([0, 2], "2 of 4 spans selected")
    page.words.setText("STRANGELY")
    assert [row.note for row in page.model.rows] == ["strangely worded"]
    assert page.count.full_text() == "1 span"
    page.words.setText(" never written ")
    narrowed = "None of your spans here has these words."
    assert (page.note.text(), page.note.isVisible(), page.count.full_text()) == (narrowed, True, "")
    assert [hidden(FIELD), hidden(NOTE)] == [True, True]
    page.words.setText(HELLP.lower())
    assert [row.report for row in page.model.rows] == [HELLP, HELLP]
    page.words.setText("STRANGELY")
    page.table.setFocus()
    bench.reader.set_marks([(0, 5)])
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Return)
    uuid = page.model.rows[0].uuid
    qtbot.waitUntil(lambda: bench.session.report_model.current == uuid)
    assert framed(bench) == []
    page.words.clear()
    page.where.setCurrentIndex(1)
    for key in (FABRY, HELLP):
        bench.session.open_report(key)
        qtbot.waitUntil(partial(lambda wanted: {row.report for row in page.model.rows} == {wanted}, key))


def test_rows_of_spans_are_sorted_and_narrowed_by_every_column() -> None:
    def row(name: str, category: str, *cells: str, start: int | None = 0) -> SpanRow:
        quote, report, section, polarity, field, note = cells
        end = None if start is None else start + 4
        kept: Any = (
            name,
            "",
            report,
            ME,
            category,
            field,
            quote,
            start,
            end,
            section,
            "",
            polarity,
            "human",
            note,
        )
        return SpanRow(*kept)

    model = SpansModel(default_scheme())
    model.set_rows(
        (
            row("a", "Neuro", "Ataxia", "R1", "Case", "present", "", "see\nboth"),
            row("b", "DERM", "rash", "R1", "Exam", "negated", "Onset", "", start=None),
            row("c", "Neuro", "fits", "R2", "Exam", "uncertain", "", "Zebra"),
            row("d", "GI", "rash", "R2", "case", "present", "onset", ""),
        )
    )
    down = Qt.SortOrder.DescendingOrder
    for column, up, turned in (
        (CATEGORY, "acdb", "bdac"),
        (QUOTE, "acdb", "bdca"),
        (REPORT, "abcd", "cdab"),
        (SECTION, "adbc", "bcad"),
        (POLARITY, "badc", "cadb"),
        (FIELD, "acbd", "bdac"),
        (NOTE, "bdac", "cabd"),
        (BY_PLACE, "abcd", "abcd"),
    ):
        for order, wanted in ((Qt.SortOrder.AscendingOrder, up), (down, turned)):
            model.sort(column, order)
            assert "".join(one.uuid for one in model.rows) == wanted, (column, order)
    for words, wanted in (
        (" RASH ", "bd"),
        ("r2", "cd"),
        ("exam", "bc"),
        ("ONSET", "bd"),
        ("zebra", "c"),
        ("", "abcd"),
    ):
        model.set_words(words)
        assert "".join(one.uuid for one in model.rows) == wanted, words
    tip = Qt.ItemDataRole.ToolTipRole
    assert [model.index(1, column).data() for column in (CATEGORY, QUOTE, FIELD)] == [
        "DE",
        "rash  (no place)",
        "Onset",
    ]
    assert [model.index(0, column).data(tip) for column in (CATEGORY, NOTE)] == [
        "<qt>Neurology and cognition</qt>",
        "<qt>see both</qt>",
    ]
    assert (model.rowCount(QModelIndex()), model.rowCount(model.index(0, 0))) == (4, 0)


def test_figures_follow_what_is_done(bench: Workbench, qtbot: QtBot) -> None:
    panel = opened(bench, qtbot, "edit.figures")
    assert "4 spans" in panel.figures.section.words()
    for name, number in (("Dr. Other", "0 spans"), (ME, "4 spans")):
        bench.session.set_annotator(name)
        qtbot.waitUntil(partial(lambda wanted: wanted in panel.figures.section.words(), number))
    # What has nothing in it is left out, and one stays where one has scrolled to.
    tables = panel.figures.section.tables()
    told = ["Reports", "Begun and not done", "By category", "By annotator", "By polarity", "By section"]
    assert [table.accessibleName() for table in tables] == told
    bar = panel.figures.area.verticalScrollBar()
    bar.setValue(30)
    bench.session.undoing.undo()
    bench.session.undoing.undo()
    qtbot.waitUntil(lambda: "0 spans" in panel.figures.section.words())
    assert panel.figures.section.tables()
    assert bar.value() == 30
    # Reports may be others by work that saved nothing as it ended, since it was stopped.
    with qtbot.waitSignal(panel.figures.shown):
        bench.session.rows_changed.emit()


def test_words_searched_for_in_the_list_of_reports_are_gone_to(bench: Workbench, qtbot: QtBot) -> None:
    bench.actions_["report.search"].trigger()
    assert bench.reports.search.hasFocus()
    bench.reports.search.setText("cornstarch uncooked")
    qtbot.waitUntil(lambda: bench.reports.shown_keys() == ["PMC99000006"])
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: selected(bench) == "cornstarch")
    assert bench.session.report_model.key == "PMC99000006"
    assert bench.find_bar.isVisible()
    assert bench.find_bar.count.full_text().startswith("1 of ")
