"""What screen readers are told in the open window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QColor, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QMainWindow,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.gui.modes import ANNOTATE, MODES
from app.gui.reader import report_page
from app.gui.shell.lines import status
from app.gui.shell.look.preferences import THEMES
from app.gui.shell.look.theme import apply_theme, is_contrast
from app.gui.shell.main_window import MainWindow
from app.gui.widgets.plain import quoted
from app.gui.widgets.tips import explain
from app.palette import contrast, rgb
from tests.gui.conftest import open_in, pixels
from tests.verbs import exposed


def parts_of(interface: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    yield interface
    for number in range(interface.childCount()):
        child = interface.child(number)
        if child is not None and child.isValid():
            yield from parts_of(child)


def said_in(window: MainWindow) -> list[str]:
    """Every name and description."""
    kinds = (QAccessible.Text.Name, QAccessible.Text.Description)
    whole = QAccessible.queryAccessibleInterface(window)
    return [part.text(kind) for part in parts_of(whole) for kind in kinds]


def test_no_markup_is_read_out(window: MainWindow, project: Path, qtbot: QtBot) -> None:
    said = said_in(window)
    workbench = open_in(window, project, qtbot)
    workbench.session.controller.label(0, 8, "GU")
    qtbot.waitUntil(lambda: workbench.inspector.list.count() == 1)
    said += said_in(window)
    assert len(said) > 200
    assert any("Previous (Shift+Enter)" in words for words in said)
    assert [words for words in said if "<" in words] == []


def test_an_explanation_is_shown_as_it_is_and_said_without_markup(qtbot: QtBot) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    explain(label, "a <b> & c")
    assert label.toolTip() == "<qt>a &lt;b&gt; &amp; c</qt>"
    assert label.accessibleDescription() == "a <b> & c"


def test_what_an_act_does_is_said_once(
    window: MainWindow, project: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    for place in (status, report_page):
        monkeypatch.setattr(place, "announce", lambda _widget, words: said.append(words))
    bench = open_in(window, project, qtbot)
    exposed(qtbot, window, 1280, 720)
    bench.reader.setFocus()
    bench.reader.select(0, 8)
    for command in ("label.GU", "edit.undo", "edit.redo"):
        bench.actions_[command].trigger()
        qtbot.waitUntil(lambda: bench.session.worker.waiting == 0)
    span = f"Genitourinary, no field, present, yours: “{bench.reader.text()[:8]}”"
    act = f"label span as Genitourinary in {bench.session.report_model.key}."
    assert said == [span, f"Undone: {act}", f"Redone: {act}", span]


def test_a_right_to_left_quote_keeps_apart_from_the_sentence_around_it() -> None:
    assert quoted("fever 38 °C") == "“fever 38 °C”"
    assert quoted("حمى 38") == "“\u2068حمى 38\u2069”"


_ROLE = QAccessible.Role
# Cells may be empty: of their rows `_rows_without_words` asks.
_CELLS = (_ROLE.Cell, _ROLE.TreeItem)
# Qt's own dialogs, and what needs more than a project: those are in tests of their own.
_ELSEWHERE = ("project.open", "project.copy", "project.merge", "help.tour", "edit.find")


def faults_in(window: QWidget) -> Iterator[str]:
    """What on a screen has no role, name, value or state, or is out of reach of the keyboard."""
    menus = window.menuBar().actions() if isinstance(window, QMainWindow) else ()
    taken = {QKeySequence.mnemonic(menu.text()) for menu in menus} - {QKeySequence()}
    for part in parts_of(QAccessible.queryAccessibleInterface(window)):
        widget, role, state = part.object(), part.role(), part.state()
        if state.invisible or (isinstance(widget, QWidget) and not widget.isVisible()):
            continue
        name, value = (part.text(kind) for kind in (QAccessible.Text.Name, QAccessible.Text.Value))
        said = f"{role.name} {type(widget).__name__} “{name}”"
        if role == _ROLE.NoRole or (state.focusable and not name and role not in _CELLS):
            yield f"no role or no name: {said}"
        if role in (_ROLE.Slider, _ROLE.SpinBox, _ROLE.ProgressBar) and part.valueInterface() is None:
            yield f"no value: {said}"
        if role == _ROLE.ComboBox and not value and getattr(widget, "count", int)():
            yield f"no value: {said}"
        if role in (_ROLE.CheckBox, _ROLE.RadioButton) and not state.checkable:
            yield f"no state: {said}"
        if isinstance(widget, QAbstractItemView):
            yield from (f"nothing said of row {row}: {said}" for row in _rows_without_words(widget))
        if isinstance(widget, QAbstractButton) and widget.isEnabled() and not _reached(widget):
            yield f"out of reach: {said}"
        if isinstance(widget, QAbstractButton | QLabel) and QKeySequence.mnemonic(widget.text()) in taken:
            yield f"a menu has its letter: {said}"


def _rows_without_words(view: QAbstractItemView) -> Iterator[int]:
    model, roles = view.model(), (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
    # A list keeps its columns to itself.
    columns = view.header().count() if isinstance(view, QTreeView) else 1
    for row in range(min(model.rowCount(), 20)):
        cells = [model.index(row, column) for column in range(columns)]
        if not any(cell.data(role) for cell in cells for role in roles):
            yield row


def _reached(button: QAbstractButton) -> bool:
    """Whether Tab comes to it, or to one of its kind beside it, from which arrows go on, or to its row."""
    part: QWidget | None = button
    while part is not None and not part.isWindow():
        holder = part.parentWidget()
        if holder is not None and isinstance(part, QAbstractButton):
            here = Qt.FindChildOption.FindDirectChildrenOnly
            kind = holder.findChildren(type(part), options=here)
            if any(one.focusPolicy() & Qt.FocusPolicy.TabFocus for one in kind):
                return True
        part = holder
    # A field's own button, or one that says its key.
    return isinstance(button.parentWidget(), QLineEdit) or button.accessibleDescription().endswith(")")


def test_every_screen_says_what_is_on_it_and_is_in_reach(
    window: MainWindow, project: Path, qtbot: QtBot
) -> None:
    faults = {"start": [*faults_in(window)]}
    bench = open_in(window, project, qtbot)
    bench.session.controller.label(0, 8, "GU")
    qtbot.waitUntil(lambda: bench.inspector.list.count() == 1)

    def settled() -> bool:
        return bench.session.worker.waiting == 0

    for mode in (*MODES, ANNOTATE.id):
        bench.frame.open_mode(mode)
        qtbot.waitUntil(settled)
        faults[mode] = [*faults_in(window)]
    asked = [one for one in window.actions_.commands() if one.text.endswith("…") or one.menu == "Help"]
    shown = 0
    for command in asked:
        action = window.actions_[command.id]
        if not action.isEnabled() or command.id in _ELSEWHERE:
            continue
        action.trigger()
        qtbot.waitUntil(settled)
        for other in QApplication.topLevelWidgets():
            if other is not window and other.isVisible():
                shown += 1
                faults[command.id] = [*faults_in(other)]
                other.close()
        faults.setdefault(command.id, [*faults_in(window)] if command.menu == "Edit" else [])
    assert {where: found for where, found in faults.items() if found} == {}
    assert shown > 20


def test_words_stand_out_from_their_ground_as_they_are_painted(
    window: MainWindow, project: Path, qapp: QApplication, qtbot: QtBot
) -> None:
    window.setUpdatesEnabled(True)
    open_in(window, project, qtbot)
    parts = [part for kind in (QLabel, QAbstractButton) for part in window.findChildren(kind)]
    # A thin letter alone may have no pixel of its full colour.
    shown = [one for one in parts if one.isVisible() and one.isEnabled() and len(one.property("text")) > 1]
    faint = {}
    for theme in THEMES[1:]:
        apply_theme(qapp, theme, 100, window)
        qapp.processEvents()
        whole = window.grab().toImage()
        for part in shown:
            piece = whole.copy(QRect(part.mapTo(window, QPoint(0, 0)), part.size()))
            colours = Counter(chain(*pixels(piece)))
            ground = rgb(QColor(colours.most_common(1)[0][0]).name())
            best = max(contrast(rgb(QColor(one).name()), ground) for one in colours)
            if best < (7 if is_contrast(theme) else 4.5):
                faint[theme, part.property("text")] = best
    assert faint == {}
    assert len(shown) > 20
