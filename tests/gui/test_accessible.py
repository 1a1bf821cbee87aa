"""What screen readers are told in the open window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.gui.shell.main_window import MainWindow
from app.gui.widgets.plain import quoted
from app.gui.widgets.tips import explain


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
