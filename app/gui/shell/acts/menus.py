"""What the menus of the window hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from app.gui.modes import MODES
from app.gui.shell.acts.actions import Actions
from app.gui.shell.acts.commands import COMMANDS
from app.gui.shell.look.preferences import THEMES, Preferences
from app.gui.shell.start_page import RecentMenu

_SEPARATED = frozenset(
    {
        "project.import",
        "project.extract",
        "project.amendments",
        "project.export",
        "project.copy",
        "project.encrypt",
        "project.annotator",
        "project.close",
        "edit.copy",
        "edit.find",
        "edit.search",
        "report.done_next",
        "report.next",
        "report.nothing",
        "report.rename",
        "span.next",
        "span.end_on",
        "span.present",
        "span.repair",
        "span.characters",
        "view.hide",
        "view.next_pane",
    }
)
# What a command turns on and off: the preference, and what is said of it when it is off and when it is on.
SWITCHES = {
    "span.characters": (
        "by_characters",
        "Spans are widened to whole words.",
        "Spans are taken as they are selected, character by character",
    ),
    "span.two_clicks": (
        "two_clicks",
        "Text is selected by dragging.",
        "One click begins a selection and the next one ends it",
    ),
}
INTERFACE_SIZES = (80, 90, 100, 110, 125, 150, 175, 200, 250)


def fill_menus(
    menus: Mapping[str, QMenu], actions: Actions, preferences: Preferences, open_: Callable[[Path], object]
) -> None:
    """Put every command into its menu, the recent projects, which `open_` opens, behind those that open one,
    and the choices of how the window looks into View."""
    for command in COMMANDS:
        if command.menu in menus:
            if command.id in _SEPARATED:
                menus[command.menu].addSeparator()
            menus[command.menu].addAction(actions[command.id])
        if command.id == "project.sample":
            menus[command.menu].addMenu(RecentMenu(preferences, open_, menus[command.menu]))
    _add_modes(menus["Mode"], actions)
    view = menus["View"]
    view.addSeparator()
    themes = {theme.capitalize(): theme for theme in THEMES}
    _add_choices(view.addMenu("&Theme"), preferences, "theme", themes)
    sizes = {f"{size} %": size for size in INTERFACE_SIZES}
    _add_choices(view.addMenu("&Interface size"), preferences, "interface_size", sizes)


def _add_modes(menu: QMenu, actions: Actions) -> None:
    menu.addSeparator()
    for spec in MODES.values():
        if spec.commands:
            menu.addMenu(spec.menu_title).addActions([actions[command.id] for command in spec.commands])


def _add_choices(
    menu: QMenu, preferences: Preferences, preference: str, choices: Mapping[str, object]
) -> None:
    """A menu of which one entry is chosen: the preference of that name has its value."""
    group = QActionGroup(menu)
    for words, value in choices.items():
        action = menu.addAction(words)
        action.setCheckable(True)
        action.setChecked(getattr(preferences, preference) == value)
        action.setData(value)
        group.addAction(action)
    group.triggered.connect(lambda action: setattr(preferences, preference, action.data()))
