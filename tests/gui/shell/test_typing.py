"""Who hears a key where two windows ask."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialogButtonBox, QLineEdit
from pytestqt.qtbot import QtBot

from app.gui.dialogs.forms import FormDialog
from app.gui.shell.acts.typing import KeysKept
from app.gui.widgets.boxes import push_button

NONE = Qt.KeyboardModifier.NoModifier


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


def test_return_presses_the_button_that_has_the_focus_and_from_a_field_the_default(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.gui.shell.acts.typing._X", qapp.platformName())
    dialog, pressed = FormDialog("Test"), list[str]()
    qtbot.addWidget(dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    KeysKept(qapp, dialog)
    field, inside = QLineEdit(), push_button("Inside", lambda: pressed.append("inside"))
    dialog.body.addWidget(field)
    dialog.body.addWidget(inside)
    go_on = dialog.add_button("Go on", QDialogButtonBox.ButtonRole.AcceptRole, default=True)
    go_on.clicked.connect(lambda: pressed.append("go on"))
    cancel = dialog.add_cancel()
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.activateWindow()
    for place in (field, inside, cancel):
        place.setFocus()
        qtbot.waitUntil(place.hasFocus)
        QTest.keyClick(place, Qt.Key.Key_Return)
        held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, NONE, "\r", autorep=True)
        qapp.sendEvent(place, held)
        # X tells of a key that is held by times alone: it is released when it is pressed again.
        for kind in (QEvent.Type.KeyRelease, QEvent.Type.KeyPress):
            told = QKeyEvent(kind, Qt.Key.Key_Return, NONE, "\r")
            told.setTimestamp(5)
            qapp.sendEvent(place, told)
    assert pressed == ["go on", "inside"]
    assert not dialog.isVisible()


def test_alt_and_a_letter_that_is_underlined_nowhere_types_and_chooses_nothing(
    qtbot: QtBot, qapp: QApplication
) -> None:
    dialog, field, box = FormDialog("Test"), QLineEdit(), QComboBox()
    qtbot.addWidget(dialog)
    KeysKept(qapp, dialog)
    box.addItems(["axial", "frontal"])
    dialog.body.addWidget(field)
    dialog.body.addWidget(box)
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.activateWindow()
    for held, found in ((Qt.KeyboardModifier.AltModifier, ("", "axial")), (NONE, ("f", "frontal"))):
        for place in (field, box):
            place.setFocus()
            qtbot.waitUntil(place.hasFocus)
            QTest.keyClick(place, Qt.Key.Key_F, held)
        assert (field.text(), box.currentText()) == found


@pytest.mark.parametrize(("held", "kept"), [(NONE, True), (Qt.KeyboardModifier.ControlModifier, False)])
def test_a_closed_list_keeps_return_from_commands_but_not_with_control(
    qtbot: QtBot, qapp: QApplication, held: Qt.KeyboardModifier, kept: bool
) -> None:
    box = QComboBox()
    qtbot.addWidget(box)
    KeysKept(qapp, box)
    with qtbot.waitExposed(box):
        box.show()
    box.activateWindow()
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    # Control comes first, as from a keyboard: what was held before, in a menu, is forgotten.
    for key, typed in ((Qt.Key.Key_Control, ""), (Qt.Key.Key_Return, "\r")):
        asked = QKeyEvent(QEvent.Type.ShortcutOverride, key, held, typed)
        asked.ignore()
        qapp.sendEvent(box, asked)
    assert asked.isAccepted() is kept
