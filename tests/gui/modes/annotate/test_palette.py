"""The palette of categories on a real project: counts, keys, what is hidden, how it is reached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.gui.modes.annotate.category_row import CategoryRow, RowState
from app.gui.modes.annotate.palette import CategoryPalette
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS, category_commands, with_keys
from app.gui.shell.look.theme import apply_theme
from app.gui.widgets.swatch import lettering_on
from app.palette import CODE_CONTRAST, contrast, page_palette
from extractors.model.scheme import default_scheme
from tests.verbs import exposed


class Bench:
    """A palette beside something that can have the focus, as the text has in the window."""

    def __init__(self, session: ProjectSession) -> None:
        self.window = QMainWindow()
        self.session = session
        self.actions = Actions(self.window)
        self.actions.add((*COMMANDS, *category_commands(session.scheme)))
        self.palette = CategoryPalette(session, self.actions)
        self.text = QLineEdit()
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.addWidget(self.palette)
        column.addWidget(self.text)
        self.window.setCentralWidget(whole)
        self.labelled: list[str] = []
        for category in session.scheme.ids:
            self.actions.on(f"label.{category}", partial(self.labelled.append, category))
        self.palette.text_wanted.connect(self.text.setFocus)


@pytest.fixture
def bench(session: ProjectSession, qtbot: QtBot) -> Bench:
    bench = Bench(session)
    exposed(qtbot, bench.window, 320, 720)
    bench.text.setFocus()
    return bench


def stated(bench: Bench, category: str) -> Callable[[], bool]:
    return lambda: bench.palette.rows[category].nothing.text() == "none"


def test_a_click_on_a_row_does_what_its_key_does_and_leaves_the_focus_in_the_text(bench: Bench) -> None:
    row = bench.palette.rows["Neuro"]
    QTest.mouseClick(row.name, Qt.MouseButton.LeftButton)
    assert bench.labelled == ["Neuro"]
    assert bench.text.hasFocus()


def test_a_screen_reader_finds_a_button_that_it_can_press(bench: Bench, qtbot: QtBot) -> None:
    row = bench.palette.rows["Neuro"]
    found = QAccessible.queryAccessibleInterface(row)
    assert found.role() == QAccessible.Role.Button
    assert found.text(QAccessible.Text.Name).startswith(f"{row.category.name}, key ")
    assert found.text(QAccessible.Text.Description).startswith("Enter labels")
    assert "Press" in found.actionInterface().actionNames()
    found.actionInterface().doAction("Press")
    qtbot.waitUntil(lambda: bench.labelled == ["Neuro"])
    assert bench.text.hasFocus()


def test_keys_that_a_row_has_no_use_for_press_it_not(bench: Bench) -> None:
    row = bench.palette.rows["Neuro"]
    row.setFocus()
    QTest.keyClick(row, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(row, Qt.Key.Key_Right)
    assert bench.labelled == []
    assert row.hasFocus()


def test_a_press_that_is_let_go_elsewhere_labels_nothing(bench: Bench) -> None:
    row = bench.palette.rows["Neuro"]
    QTest.mousePress(row, Qt.MouseButton.LeftButton, pos=QPoint(60, 4))
    QTest.mouseRelease(row, Qt.MouseButton.LeftButton, pos=QPoint(60, row.height() + 40))
    assert bench.labelled == []


def test_a_row_counts_ones_own_spans_as_they_come_and_go_beside_which_nothing_can_be_stated(
    bench: Bench, qtbot: QtBot
) -> None:
    session, row = bench.session, bench.palette.rows["CVS"]
    start = session.report_model.text.index("heart")
    uuid = session.controller.label(start, start + 5, "CVS")
    qtbot.waitUntil(lambda: row.count.isVisible() and row.count.text() == "1")
    with qtbot.assertNotEmitted(row.nothing_wanted):
        QTest.keyClick(row, Qt.Key.Key_Minus)
    assert row.accessibleName() == f"{row.category.name}, key C, 1 span"
    session.controller.remove([uuid])
    qtbot.waitUntil(lambda: row.nothing.isVisible())


def test_the_dash_states_that_nothing_was_found_and_takes_it_back(bench: Bench, qtbot: QtBot) -> None:
    row = bench.palette.rows["GU"]
    QTest.mouseClick(row.nothing, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(stated(bench, "GU"))
    assert bench.session.report_model.review.nothing_found == ("GU",)
    assert row.accessibleName() == f"{row.category.name}, key U, nothing found"
    assert bench.labelled == []
    QTest.mouseClick(row.nothing, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not bench.session.report_model.review.nothing_found)


def test_a_tick_hides_a_category_and_shows_it_again(bench: Bench, qtbot: QtBot) -> None:
    row = bench.palette.rows["GI"]
    with qtbot.waitSignal(bench.palette.visibility_changed) as heard:
        row.tick.click()
    assert heard.args == [frozenset({"GI"})]
    assert bench.palette.hidden == {"GI"}
    assert row.accessibleName() == f"{row.category.name}, key G, 0 spans, hidden"
    row.tick.click()
    assert bench.palette.hidden == frozenset()


def test_the_menu_shows_one_category_alone_and_all_again(bench: Bench) -> None:
    bench.palette.rows["GI"].menu_wanted.emit("GI", QPoint(5, 5))
    shown = QApplication.activePopupWidget()
    assert isinstance(shown, QMenu)
    shown.close()
    words = [action.text().partition("\t")[0] for action in bench.palette.menu_of("GI").actions()]
    menu = dict(zip(words, bench.palette.menu_of("GI").actions(), strict=True))
    menu["&Only this category"].trigger()
    assert bench.palette.hidden == frozenset(bench.session.scheme.ids) - {"GI"}
    menu["Show &all"].trigger()
    assert bench.palette.hidden == frozenset()


def test_the_menu_relabels_only_ones_own_current_span(bench: Bench) -> None:
    def relabel(category: str) -> bool:
        return next(a for a in bench.palette.menu_of(category).actions() if "Relabel" in a.text()).isEnabled()

    assert not relabel("GI")
    own = bench.session.controller.label(0, 8, "GU")
    assert relabel("GI")
    model = bench.session.report_model
    model.show_others({"Ben": [replace(model.spans[own], uuid="theirs")]})
    model.set_current("theirs")
    assert not relabel("GI")


def test_nothing_found_cannot_be_stated_in_the_menu_beside_a_span(bench: Bench) -> None:
    bench.session.controller.label(0, 8, "GU")
    nothing = next(a for a in bench.palette.menu_of("GU").actions() if "Nothing" in a.text())
    assert not nothing.isEnabled()


def test_every_deed_is_within_reach_of_the_keyboard(bench: Bench, qtbot: QtBot) -> None:
    bench.palette.take_focus()
    first, second = (bench.palette.rows[one] for one in bench.session.scheme.ids[:2])
    QTest.keyClick(first, Qt.Key.Key_Up)
    assert first.hasFocus()
    QTest.keyClick(first, Qt.Key.Key_Down)
    assert second.hasFocus()
    QTest.keyClick(second, Qt.Key.Key_Space)
    # With Shift it is no key of the row's.
    QTest.keyClick(second, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    assert bench.palette.hidden == {second.category.id}
    QTest.keyClick(second, Qt.Key.Key_Minus)
    qtbot.waitUntil(stated(bench, second.category.id))
    QTest.keyClick(second, Qt.Key.Key_Return)
    assert bench.labelled == [second.category.id]
    assert bench.text.hasFocus()


def test_tab_stops_once_at_the_palette(bench: Bench) -> None:
    policies = [row.focusPolicy() for row in bench.palette.rows.values()]
    assert policies.count(Qt.FocusPolicy.TabFocus) == 1
    inside = bench.palette.rows["GI"].findChildren(QWidget)
    assert all(child.focusPolicy() == Qt.FocusPolicy.NoFocus for child in inside)
    # While one is in it, that is where one is, whatever category comes into use.
    bench.palette.rows["GI"].setFocus()
    bench.session.use_category("MSK")
    reached = [one for one, row in bench.palette.rows.items() if row.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert reached == ["GI"]


def test_the_category_in_use_is_marked_by_more_than_colour(bench: Bench) -> None:
    bench.session.use_category("MSK")
    bold = [one for one, row in bench.palette.rows.items() if row.name.font().bold()]
    assert bold == ["MSK"]
    row = bench.palette.rows["MSK"]
    assert row.accessibleName() == f"{row.category.name}, key M, 0 spans, in use"
    # Beside a span nothing is told of what was stated before; without a key that is said.
    row.show_state(RowState(count=2, nothing=True, in_use=True, shown=False))
    row.show_key("")
    assert row.accessibleName() == f"{row.category.name}, no key, 2 spans, hidden, in use"


def test_a_changed_key_is_printed(bench: Bench) -> None:
    assert bench.palette.rows["Neuro"].key.text() == "N"
    bench.actions.add(with_keys(category_commands(bench.session.scheme), {"label.Neuro": "Ctrl+7"}))
    assert bench.palette.rows["Neuro"].key.text() == "Ctrl+7"


def test_no_count_and_no_statement_moves_the_columns(bench: Bench, qtbot: QtBot) -> None:
    row = bench.palette.rows["GU"]
    places = [widget.geometry() for widget in (row.tick, row.swatch, row.name, row.key)]
    bench.session.controller.state_nothing_found("GU")
    qtbot.waitUntil(stated(bench, "GU"))
    bench.session.use_category("GU")
    bench.palette.toggle("GU")
    assert places == [widget.geometry() for widget in (row.tick, row.swatch, row.name, row.key)]
    assert row.nothing.sizeHint().width() <= row.nothing.width()


def test_all_rows_fit_at_the_usual_size_and_scroll_at_the_largest(
    qapp: QApplication, bench: Bench, qtbot: QtBot
) -> None:
    bar = bench.palette.verticalScrollBar()
    assert bench.palette.minimumSizeHint().height() <= 336
    assert bar.maximum() == 0
    font = bench.window.font()
    font.setPointSizeF(font.pointSizeF() * 2.5)
    bench.palette.setFont(font)
    bench.window.setFixedHeight(300)
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    last = bench.session.scheme.ids[-1]
    bench.session.use_category(last)
    row = bench.palette.rows[last]
    assert (
        bench.palette.viewport()
        .rect()
        .intersects(row.rect().translated(row.mapTo(bench.palette.viewport(), QPoint(0, 0))))
    )
    assert row.swatch.width() >= row.swatch.sizeHint().width()


def test_in_two_columns_the_colours_bear_whole_words_but_for_hidden_categories(bench: Bench) -> None:
    row = bench.palette.rows["GI"]
    bench.window.setFixedHeight(200)
    bench.palette.fold()
    for one in bench.palette.rows.values():
        one.swatch.resize(round(5.5 * one.fontMetrics().height()), one.height())
        assert one.swatch.shown_words() in {one.category.name, one.category.id.partition("_")[0]}
        # Where neither has room the shorter is cut.
        one.swatch.say("A long name", "Shorter")
        one.swatch.resize(one.fontMetrics().horizontalAdvance("Short"), one.height())
        assert one.swatch.shown_words().startswith("Sh")
    assert (row.swatch.isHidden(), row.name.isHidden()) == (False, True)
    bench.palette.toggle("GI")
    assert (row.swatch.isHidden(), row.name.isHidden()) == (True, False)
    moved: list[int] = []
    row.moved.connect(lambda _, by: moved.append(by))

    def pressed() -> list[int]:
        moved.clear()
        for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            QTest.keyClick(row, key)
        return list(moved)

    # Up and down a column, left and right to the other one.
    assert pressed() == [-1, 1, -7, 7]
    bench.window.setFixedHeight(900)
    bench.palette.fold()
    assert pressed() == [-1, 1, 0, 0]
    assert (row.swatch.isHidden(), row.name.isHidden()) == (False, False)
    assert not row.swatch.words


def test_wide_borders_leave_room_for_all_rows_in_a_low_window(qapp: QApplication, bench: Bench) -> None:
    apply_theme(qapp, "high contrast dark", 100)
    metrics = bench.palette.fontMetrics()
    bench.palette.setFixedHeight(14 * (metrics.height() + 5))
    qapp.processEvents()
    assert bench.palette.verticalScrollBar().maximum() == 0
    apply_theme(qapp, "light", 100)


@pytest.mark.parametrize(("dark", "stark"), [(False, False), (True, False), (False, True), (True, True)])
def test_the_letters_on_every_swatch_can_be_read(dark: bool, stark: bool) -> None:
    palette = page_palette(default_scheme(), dark, stark)
    for category in palette.codes:
        assert contrast(lettering_on(palette, category), palette.colours[category]) >= CODE_CONTRAST


def test_it_asks_for_the_room_of_its_widest_name_in_bold(bench: Bench) -> None:
    palette = bench.palette
    palette.setFixedWidth(palette.sizeHint().width())
    bench.window.resize(500, 720)
    for category, row in palette.rows.items():
        bench.session.use_category(category)
        assert row.name.text() == row.category.name


def test_a_very_long_name_of_a_category_leaves_the_text_its_room(qapp: QApplication) -> None:
    scheme = default_scheme()
    own, *_ = scheme.categories
    rows = (own, replace(own, name="Falls, near falls and everything that has to do with walking about"))
    usual, long = (CategoryRow(one, page_palette(scheme, dark=False)).sizeHint().width() for one in rows)
    assert usual < long < 1.3 * usual
