"""One key, one command; one letter, one entry of a menu."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QMenu, QPushButton, QTextEdit
from pytestqt.qtbot import QtBot

from app.gui.modes.command import Command
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import (
    COMMANDS,
    MENU_ORDER,
    arranged,
    category_commands,
    commands_on,
    in_menu_order,
    lost_keys,
    meet,
    with_keys,
)
from app.gui.shell.acts.menus import _SEPARATED
from app.gui.shell.look.preferences import Preferences
from app.gui.shell.main_window import MainWindow
from app.gui.widgets.boxes import for_command
from extractors.model.scheme import Scheme, default_scheme
from tests.verbs import exposed


def scheme_with(*shortcuts: str) -> Scheme:
    """The default scheme, its first categories with these shortcuts and the others with none of COMMANDS'."""
    scheme = default_scheme()
    free = (letter for letter in "cdeghijklmnopqruvyz456789" if letter not in shortcuts)
    keys = (*shortcuts, *free)
    categories = [
        replace(category, shortcut=key) for category, key in zip(scheme.categories, keys, strict=False)
    ]
    return replace(scheme, categories=tuple(categories))


def clashes(commands: Iterable[Command]) -> list[str]:
    """The keys that two commands have which can act at the same time."""
    pairs = combinations(commands, 2)
    return [key for a, b in pairs for key in a.keys if key in b.keys and meet(a.where, b.where)]


def keys_of(commands: tuple[Command, ...]) -> dict[str, tuple[str, ...]]:
    assert clashes(commands) == []
    return {command.id: command.keys for command in commands}


def test_a_category_has_its_key_and_the_command_keeps_its_others_or_none() -> None:
    scheme = scheme_with(*"wsftxab0123")
    keys = keys_of(arranged(scheme, {}))
    for category in scheme.categories:
        assert keys[f"label.{category.id}"] == (category.shortcut.upper(),)
        assert keys[f"relabel.{category.id}"] == (f"Shift+{category.shortcut.upper()}",)
    assert keys["span.field"] == ("F2",)
    assert keys["span.note"] == ()
    assert keys_of(arranged(None, {}))["span.note"] == ("T",)


def test_a_key_of_the_users_is_taken_from_every_other_command() -> None:
    first = default_scheme().categories[0]
    keys = keys_of(arranged(default_scheme(), {"span.note": first.shortcut.upper(), "span.same": "Ctrl+R"}))
    assert keys["span.note"] == (first.shortcut.upper(),)
    assert keys[f"label.{first.id}"] == ()
    assert keys["span.same"] == ("Ctrl+R",)
    assert keys["project.runs"] == ()


def test_of_two_commands_with_the_same_key_of_the_users_the_first_keeps_it() -> None:
    first = default_scheme().categories[0]
    chosen = {f"label.{first.id}": "J", "span.note": "J", "project.runs": "F11", "help.keys": "F11"}
    keys = keys_of(arranged(default_scheme(), chosen))
    assert keys["span.note"] == ("J",)
    assert keys[f"label.{first.id}"] == ()
    assert keys["project.runs"] == ("F11",)
    assert keys["help.keys"] == ()
    lost = [(loser.id, key, holder.id) for loser, key, holder in lost_keys(default_scheme(), chosen)]
    assert lost == [("help.keys", "F11", "project.runs"), (f"label.{first.id}", "J", "span.note")]


def keys_given(*places: str) -> list[bool]:
    """Which of commands in these places, all of which want one key, have it."""
    commands = [Command(str(number), "", ("E",), "Span", where) for number, where in enumerate(places)]
    return [bool(command.keys) for command in with_keys(commands, {})]


def test_a_key_is_shared_only_by_places_that_never_act_at_the_same_time() -> None:
    assert keys_given("text", "review", "agreement", "reconcile") == [True] * 4
    assert keys_given("text", "review", "text", "review") == [True, True, False, False]
    assert keys_given("window", "text", "review") == keys_given("reader", "text", "review")
    assert keys_given("window", "text", "review") == [True, False, False]
    assert keys_given("text", "review", "window", "reader") == [True, True, False, False]


def test_a_category_takes_no_key_from_a_mode() -> None:
    first = default_scheme().categories[0]
    edit = Command("review.edit", "Edit", (first.shortcut.upper(),), "Review", "review")
    keys = keys_of(with_keys((edit, *category_commands(default_scheme())), {}))
    assert keys["review.edit"] == keys[f"label.{first.id}"] == (first.shortcut.upper(),)


def test_no_key_is_taken_for_nothing() -> None:
    assert keys_of(arranged(None, {"span.note": ""}))["span.note"] == ()
    assert not lost_keys(default_scheme(), {"span.note": "", "label.of another scheme": "T"})


def test_nothing_needs_shift_where_digits_do() -> None:
    keys = keys_of(commands_on("linux"))
    for command, sign in zip(
        ("span.present", "span.negated", "span.uncertain", "report.nothing", "span.next"),
        '&É"À;',
        strict=True,
    ):
        assert sign in keys[command]


def test_on_macos_no_key_is_one_of_the_systems() -> None:
    keys = [key for given in keys_of(commands_on("darwin")).values() for key in given]
    taken = (
        "Ctrl+H",
        "Ctrl+M",
        "Ctrl+Space",
        "F3",
        "Alt+Left",
        "Alt+Right",
        "Alt+Shift+Left",
        "Alt+Shift+Right",
    )
    assert not set(taken) & set(keys)


def test_commands_come_as_the_menus_list_them() -> None:
    every = arranged(default_scheme(), {})
    assert in_menu_order(reversed(COMMANDS)) == in_menu_order(COMMANDS) == COMMANDS
    menus = [command.menu for command in in_menu_order(every)]
    assert list(dict.fromkeys(menus)) == [menu for menu in MENU_ORDER if menu in menus]


def test_a_key_that_changes_hands_is_never_that_of_two_actions(qtbot: QtBot) -> None:
    window, text = QMainWindow(), QTextEdit()
    text.setReadOnly(True)
    window.setCentralWidget(text)
    qtbot.addWidget(window)
    actions = Actions(window)
    actions.add(arranged(default_scheme(), {}))
    actions.set_place("text", [text])
    seen: list[tuple[str, ...]] = []

    def look() -> None:
        active = (*window.actions(), *text.actions())
        keys = [key.toString() for action in active for key in action.shortcuts()]
        seen.append(tuple(key for key, count in Counter(keys).items() if count > 1))

    for action in window.findChildren(QAction):
        action.changed.connect(look)
    actions.add(arranged(default_scheme(), {"span.note": "S", "span.same": "T"}))
    actions.add(arranged(scheme_with("t", "s"), {}))
    assert seen
    assert not any(seen)
    given: list[str] = []
    for command in actions.commands():
        actions.on(command.id, partial(given.append, command.id))
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    text.setFocus()
    qtbot.waitUntil(text.hasFocus)
    QTest.keyClick(text, Qt.Key.Key_T)
    assert given == [f"label.{default_scheme().categories[0].id}"]


def test_only_quit_and_about_go_to_the_menu_of_the_program(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    actions = Actions(window)
    actions.add((*arranged(default_scheme(), {}), Command("label.S", "Setup", (), "Label")))
    roles = {
        command.id: actions[command.id].menuRole()
        for command in actions.commands()
        if actions[command.id].menuRole() != QAction.MenuRole.NoRole
    }
    # A key that is held goes on through what there is, and decides on nothing.
    steps = {one.id for one in actions.commands() if actions[one.id].autoRepeat()}
    assert {"span.next", "review.previous", "reconcile.next_open", "edit.undo", "view.larger"} < steps
    assert not steps & {"review.accept", "reconcile.left", "report.done_next", "span.remove", "label.S"}
    assert roles == {"project.quit": QAction.MenuRole.QuitRole, "help.about": QAction.MenuRole.AboutRole}


def test_a_double_click_decides_once_and_steps_twice(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    actions, given = Actions(window), list[str]()
    actions.add(arranged(default_scheme(), {}))
    actions.enable("nothing", "project", "report")
    for command in ("report.done_next", "report.next"):
        actions.on(command, partial(given.append, command))
        button = for_command(QPushButton(window), "Go", actions, command)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        QTest.mouseDClick(button, Qt.MouseButton.LeftButton)
        QTest.mouseRelease(button, Qt.MouseButton.LeftButton)
    assert given == ["report.done_next", "report.next", "report.next"]


def letters_of(menu: QMenu) -> list[tuple[str, str]]:
    """The letters that choose entries of a menu, with the entries, in it and in those below it."""
    found = []
    for action in menu.actions():
        words = action.text().replace("&&", "")
        if "&" in words:
            found.append((f"{menu.title()} {words[words.index('&') + 1].upper()}", words))
    return found


def test_no_letter_chooses_two_entries_of_a_menu(qtbot: QtBot, project: Path) -> None:
    window = exposed(qtbot, MainWindow(Preferences()))
    window.open_project(project)
    qtbot.waitUntil(lambda: window.workbench is not None)
    menus = [menu for menu in window.menuBar().findChildren(QMenu) if menu.actions()]
    titles = {menu.title().replace("&", ""): menu.actions() for menu in menus}
    behind = [
        after.objectName()
        for menu in ("Project", "Edit", "Report", "Span")
        for line, after in pairwise(titles[menu])
        if line.isSeparator()
    ]
    assert [name for name in behind if name] == [one.id for one in COMMANDS if one.id in behind]
    assert set(behind) - {""} == {
        one for one in _SEPARATED if one.partition(".")[0] in ("project", "edit", "report", "span")
    }
    ticked = {
        menu: [one.text() for one in titles[menu] if one.isChecked()] for menu in ("Theme", "Interface size")
    }
    assert ticked == {"Theme": ["System"], "Interface size": ["100 %"]}
    found = [entry for menu in menus for entry in letters_of(menu)]
    assert len(found) > 60
    assert [letter for letter, count in Counter(letter for letter, _ in found).items() if count > 1] == []
    window.close()


@pytest.mark.parametrize(
    "group",
    [
        (
            "span.present",
            "span.negated",
            "span.uncertain",
            "span.field",
            "span.note",
            "span.repair",
            "span.same",
        ),
        ("span.accept", "span.remove", "span.widen", "edit.copy", "report.nothing"),
    ],
)
def test_no_letter_chooses_two_entries_of_the_texts_own_menu(group: tuple[str, ...]) -> None:
    letters = [
        command.text[command.text.index("&") + 1].upper() for command in COMMANDS if command.id in group
    ]
    assert not {"L", "R"} & set(letters)
    assert len(letters) == len(set(letters)) == len(group)
