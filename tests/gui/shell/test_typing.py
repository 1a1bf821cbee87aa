"""Who hears a key where two windows ask."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from app.gui.shell.acts.typing import KeysKept


def test_a_window_that_stays_behind_takes_no_key_from_the_one_in_use(
    qtbot: QtBot, qapp: QApplication
) -> None:
    entered: list[int] = []
    for number in range(2):
        field = QLineEdit()
        qtbot.addWidget(field)
        KeysKept(qapp, field)
        field.returnPressed.connect(lambda number=number: entered.append(number))
        with qtbot.waitExposed(field):
            field.show()
        field.activateWindow()
        field.setFocus()
        qtbot.waitUntil(field.hasFocus)
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert entered == [0, 1]
