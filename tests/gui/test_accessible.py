"""What screen readers are told in the open window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.gui.shell.main_window import MainWindow
from app.gui.widgets.plain import quoted
from app.gui.widgets.tips import explain
from tests.gui.modes.test_open_menus import DIALOGS, Opened, opened
from tests.verbs import press

__all__ = ["opened"]
_ROLE = QAccessible.Role
_ENTRIES = (_ROLE.ListItem, _ROLE.MenuItem, _ROLE.PageTab)
# An empty one says nothing to the eye either.
_CELLS = (_ROLE.Cell, _ROLE.TreeItem)
_VALUED = (_ROLE.SpinBox, _ROLE.Slider, _ROLE.ProgressBar)


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
    window.open_project(project)
    qtbot.waitUntil(lambda: window.workbench is not None and window.workbench.reader.text() != "")
    workbench = window.workbench
    assert workbench is not None
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


def test_a_right_to_left_quote_keeps_apart_from_the_sentence_around_it() -> None:
    assert quoted("fever 38 °C") == "“fever 38 °C”"
    assert quoted("حمى 38") == "“\u2068حمى 38\u2069”"


def unsaid(within: QWidget, where: str) -> list[tuple[str, str]]:
    """What can have the focus, or is an entry, and does not say what it is, what it is called or holds."""
    found = []
    for part in parts_of(QAccessible.queryAccessibleInterface(within)):
        state, role, name = part.state(), part.role(), part.text(QAccessible.Text.Name)
        if state.invisible or role in _CELLS or not (state.focusable or role in _ENTRIES):
            continue
        told = name.strip() and role != _ROLE.NoRole
        if not told or (role in _VALUED and part.valueInterface() is None):
            found.append((where, f"{role.name} {type(part.object()).__name__} {name!r} {part.rect()}"))
    return found


def test_every_screen_and_dialog_says_to_a_screen_reader_what_it_is(opened: Opened) -> None:
    nameless = []
    for mode in ("1", "2", "3", "4", "5", "6"):
        press(mode, Qt.KeyboardModifier.ControlModifier)
        opened.settle()
        nameless += unsaid(opened.window, mode)
    for command in DIALOGS:
        opened.window.actions_[command].trigger()
        opened.qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        opened.settle()
        assert dialog.windowTitle()
        nameless += unsaid(dialog, command)
        dialog.reject()
        opened.settle()
    assert not nameless, "\n".join(map(str, sorted(set(nameless))))
