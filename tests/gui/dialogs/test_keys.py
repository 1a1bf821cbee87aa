"""Keys can be looked up, changed and printed, and no key ever does two things."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QTextEdit
from pytestqt.qtbot import QtBot

from app.gui.dialogs.keys.dialog import KeysDialog, _portable
from app.gui.dialogs.keys.rules import owners, plain_words, refusal
from app.gui.modes.command import Command
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS, MENU_ORDER, arranged, category_commands, lost_keys, meet
from app.gui.shell.look.preferences import Preferences
from extractors.model.scheme import Scheme, default_scheme
from tests.verbs import double_click

LABELS = category_commands(default_scheme())
NEUROLOGY = next(command for command in LABELS if command.keys == ("N",))
NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def dialog(qtbot: QtBot) -> KeysDialog:
    window = QMainWindow()
    text = QTextEdit()
    window.setCentralWidget(text)
    qtbot.addWidget(window)
    preferences = Preferences()
    preferences.keys = {}
    actions = Actions(window)
    # As the window does: what the start page needs comes first.
    actions.add(command for command in COMMANDS if command.needs == "nothing")
    actions.add(arranged(default_scheme(), {}))
    actions.set_place("text", [text])

    def add_labels(name: str) -> None:
        if name == "keys":
            actions.add(arranged(default_scheme(), preferences.keys))

    preferences.changed.connect(add_labels)
    dialog = KeysDialog(actions, preferences, window, default_scheme())
    with qtbot.waitExposed(window):
        window.show()
    with qtbot.waitExposed(dialog):
        dialog.show()
    dialog.activateWindow()
    return dialog


def press(dialog: KeysDialog, command: str, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    dialog.tree.setCurrentItem(dialog._items[command])
    dialog.field.setFocus()
    QTest.keyClick(dialog.field, key, modifiers)


def keys(dialog: KeysDialog, command: str) -> tuple[str, ...]:
    pairs = combinations(dialog._actions.commands(), 2)
    assert not [a for a, b in pairs if meet(a.where, b.where) and set(a.keys) & set(b.keys)]
    return dialog._actions.command(command).keys


def test_every_command_is_listed_with_its_keys(dialog: KeysDialog) -> None:
    assert set(dialog._items) == {command.id for command in (*COMMANDS, *LABELS)}
    assert dialog._items["edit.redo"].text(1) == "Ctrl+Shift+Z, Ctrl+Y"
    assert dialog._items[NEUROLOGY.id].text(1) == "N"


def test_the_list_ends_below_a_whole_row(dialog: KeysDialog, qtbot: QtBot) -> None:
    row = dialog.tree.visualRect(dialog.tree.model().index(0, 0)).height()
    for height in range(500, 500 + row):
        dialog.resize(dialog.width(), height)
        qtbot.waitUntil(lambda: dialog.tree.viewport().height() % row == 0)


def test_a_free_key_is_given_at_once_and_remembered(dialog: KeysDialog) -> None:
    press(dialog, "project.runs", Qt.Key.Key_J, CTRL)
    assert keys(dialog, "project.runs") == ("Ctrl+J",)
    words = plain_words(dialog._actions.command("project.runs"))
    assert dialog.message.text() == f"“{words}” has the key Ctrl+J now."
    assert dialog._actions["project.runs"].shortcut().toString() == "Ctrl+J"
    assert Preferences().keys == {"project.runs": "Ctrl+J"}


def test_a_key_that_is_taken_changes_hands_only_when_that_is_confirmed(dialog: KeysDialog) -> None:
    press(dialog, "span.note", Qt.Key.Key_N)
    assert dialog.message.text() == f"N is the key of “{NEUROLOGY.text}”."
    assert keys(dialog, "span.note") == ("T",)
    dialog.confirm.click()
    assert keys(dialog, "span.note") == ("N",)
    assert keys(dialog, NEUROLOGY.id) == ()


def test_a_key_of_another_mode_is_free(dialog: KeysDialog) -> None:
    dialog._actions.add([Command("review.edit", "Edit", (), "Review", "review")])
    assert owners(dialog._actions.commands(), "V", dialog._actions.command("review.edit")) == ()
    assert owners(dialog._actions.commands(), "Ctrl+R", dialog._actions.command("review.edit")) != ()


def test_who_loses_one_of_two_keys_keeps_the_other(dialog: KeysDialog) -> None:
    press(dialog, NEUROLOGY.id, Qt.Key.Key_Backspace)
    dialog.confirm.click()
    assert keys(dialog, NEUROLOGY.id) == ("Backspace",)
    assert keys(dialog, "span.remove") == ("Del",)


@pytest.mark.parametrize("key", [Qt.Key.Key_N, Qt.Key.Key_Space, Qt.Key.Key_5])
def test_what_is_typed_into_fields_is_no_key_of_the_window(dialog: KeysDialog, key: Qt.Key) -> None:
    press(dialog, "project.runs", key)
    assert "typed into fields" in dialog.message.text()
    assert keys(dialog, "project.runs") == ("Ctrl+R",)


@pytest.mark.parametrize("key", ["Left", "Shift+Down", "Ctrl+Home", "PgUp"])
def test_keys_that_move_the_caret_are_not_given_away(key: str) -> None:
    command = next(command for command in COMMANDS if command.id == "span.note")
    assert "moves the cursor" in refusal(command, key)


def test_the_keys_that_come_with_the_program_keep_the_rules() -> None:
    refused = [refusal(command, key) for command in (*COMMANDS, *LABELS) for key in command.keys]
    assert not any(refused)


@pytest.mark.parametrize(
    "key", ["F10", "Shift+F10", "Alt+F4", "Alt+V", "Alt+Shift+P", "Ctrl+Alt+E", "Ctrl+Alt+2"]
)
def test_keys_of_the_system_and_the_menus_are_not_given_away(key: str) -> None:
    for command in ("span.note", "edit.find"):
        known = next(known for known in COMMANDS if known.id == command)
        assert "cannot be given" in refusal(known, key, "linux")
    assert refusal(known, "Alt+J", "linux") == refusal(known, "Ctrl+Alt+F7", "linux") == ""


def test_on_macos_other_keys_are_the_systems() -> None:
    command = COMMANDS[0]
    assert "cannot be given" in refusal(command, "Ctrl+H", "darwin")
    assert refusal(command, "Ctrl+H", "linux") == refusal(command, "Ctrl+Alt+E", "darwin") == ""


def test_a_lost_key_is_told_with_who_has_it_and_what_is_left() -> None:
    def lost(scheme: Scheme | None, keys: dict[str, str]) -> list[tuple[str, tuple[str, ...], str, str]]:
        return [(old.id, old.keys, key, new.id) for old, key, new in lost_keys(scheme, keys)]

    assert lost(default_scheme(), {}) == []
    keys = {"span.note": "N", "span.field": "F", "project.runs": "F2"}
    assert lost(default_scheme(), keys) == [(NEUROLOGY.id, (), "N", "span.note")]
    assert lost(None, {"span.note": "2"}) == [("span.negated", ("É",), "2", "span.note")]


def test_commands_are_listed_as_in_the_menus(dialog: KeysDialog) -> None:
    listed = list(dialog._menus)
    there = {command.menu for command in (*COMMANDS, *LABELS)}
    assert listed == [menu for menu in MENU_ORDER if menu in there]
    assert list(dialog._items) == [
        command.id for menu in listed for command in (*COMMANDS, *LABELS) if command.menu == menu
    ]


def test_signs_are_written_without_shift_and_letters_with_it(dialog: KeysDialog) -> None:
    shift = Qt.KeyboardModifier.ShiftModifier
    dialog.tree.setCurrentItem(dialog._items["span.note"])
    seen: list[str] = []
    dialog.field.pressed.connect(seen.append)
    for key, words in ((Qt.Key.Key_Question, "?"), (Qt.Key.Key_J, "J"), (Qt.Key.Key_F11, "")):
        QApplication.sendEvent(dialog.field, QKeyEvent(QEvent.Type.KeyPress, key, shift, words))
    assert seen == ["?", "Shift+J", "Shift+F11"]


def test_a_key_can_be_taken_away_and_restored(dialog: KeysDialog) -> None:
    dialog.tree.setCurrentItem(dialog._items["edit.redo"])
    dialog.clear.click()
    assert keys(dialog, "edit.redo") == ()
    assert dialog.message.text() == "“Redo” has no key now."
    dialog.restore.click()
    assert dialog.message.text() == "“Redo” has its own keys again."
    assert keys(dialog, "edit.redo") == ("Ctrl+Shift+Z", "Ctrl+Y")
    assert Preferences().keys == {}


def test_a_restored_key_is_taken_back_only_when_that_is_confirmed(dialog: KeysDialog) -> None:
    press(dialog, "span.note", Qt.Key.Key_N)
    dialog.confirm.click()
    dialog.tree.setCurrentItem(dialog._items[NEUROLOGY.id])
    dialog.restore.click()
    assert keys(dialog, NEUROLOGY.id) == ()
    assert "“Note”" in dialog.message.text()
    dialog.confirm.click()
    assert keys(dialog, NEUROLOGY.id) == ("N",)
    assert keys(dialog, "span.note") == ()


def test_all_keys_are_restored_only_when_that_is_confirmed(dialog: KeysDialog) -> None:
    press(dialog, "project.runs", Qt.Key.Key_J, CTRL)
    dialog.restore_all.click()
    assert keys(dialog, "project.runs") == ("Ctrl+J",)
    dialog.confirm.click()
    assert keys(dialog, "project.runs") == ("Ctrl+R",)
    assert Preferences().keys == {}


def test_tab_and_escape_lead_out_of_the_field(dialog: KeysDialog) -> None:
    press(dialog, "span.note", Qt.Key.Key_Tab)
    assert dialog.clear.hasFocus()
    dialog.field.setFocus()
    QTest.keyClick(dialog.field, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert keys(dialog, "span.note") == ("T",)


def test_a_command_clicked_twice_waits_for_its_key(dialog: KeysDialog) -> None:
    dialog.tree.setFocus()
    double_click(dialog.tree, 0)
    assert dialog.field.hasFocus()


def test_enter_in_the_field_is_a_key_and_closes_nothing(dialog: KeysDialog) -> None:
    press(dialog, "span.note", Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert "Accept and next span" in dialog.message.text()


def test_search_finds_words_keys_and_menus(dialog: KeysDialog) -> None:
    for words, command in (("next report", "report.done_next"), ("ctrl+k", "report.section")):
        dialog.search.setText(words)
        shown = [name for name, item in dialog._items.items() if not item.isHidden()]
        assert command in shown
        assert len(shown) < 6
        assert dialog.tree.currentItem() in [dialog._items[name] for name in shown]
    dialog.search.setText("nothing at all")
    assert all(menu.isHidden() for menu in dialog._menus.values())
    assert (dialog.about.text(), dialog.field.text()) == ("No command has these words.", "")
    assert not dialog.field.isEnabled(), "no key is given to a command that is not in sight"
    dialog.search.setText("next report")
    assert dialog.field.isEnabled()
    assert dialog.about.text() != "No command has these words."


def test_the_list_can_be_copied_as_text(dialog: KeysDialog) -> None:
    dialog.copy_text.click()
    text = QGuiApplication.clipboard().text()
    assert "Project\n  New project" in text
    assert all(plain_words(command) in text for command in dialog._actions.commands())


def test_a_search_leaves_what_it_shows_chosen_and_a_digit_is_one_wherever_it_is_pressed(
    dialog: KeysDialog,
) -> None:
    last = list(dialog._items)[-1]
    dialog.tree.setCurrentItem(dialog._items[last])
    dialog.search.setText(dialog._items[last].text(0)[0])
    assert dialog.tree.currentItem() is dialog._items[last]
    digit = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_5, Qt.KeyboardModifier.KeypadModifier, "5")
    assert _portable(digit) == "5"
