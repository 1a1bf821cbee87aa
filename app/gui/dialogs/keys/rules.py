"""Which keys a command may have, and what becomes of the key's owner when it is taken."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from app.gui.modes.command import Command
from app.gui.shell.acts.actions import native
from app.gui.shell.acts.commands import MENUS, meet

_MODIFIERS = ("Ctrl", "Alt", "Meta")
# They move the caret, the focus, or end a dialog.
_KEPT = frozenset({"Tab", "Backtab", "Esc", "Left", "Right", "Up", "Down", "Home", "End", "PgUp", "PgDown"})
_EXCEPT_WITH = ("Alt", "Meta")
_OPEN_MENUS = frozenset(menu[0] for menu in MENUS)
_OF_MACOS = frozenset({"Ctrl+H", "Ctrl+M", "Ctrl+Space", "Meta+Space"})
_OF_OTHERS = frozenset({"F10", "Alt+F4", "Alt+Space"})


def plain_words(command: Command) -> str:
    """The words of a command without mnemonic and dots."""
    return command.text.replace("&", "").rstrip("…")


def refusal(command: Command, key: str, platform: str = sys.platform) -> str:
    """Why a command cannot have a key (portable text), as a sentence; "" where it can."""
    *modifiers, last = key.replace("++", "+Plus").split("+")
    shown = native(key)
    if last in _KEPT and not any(name in modifiers for name in _EXCEPT_WITH):
        return f"{shown} moves the cursor or the focus, so it cannot be given to a command."
    if reason := _taken_by_the_system(modifiers, last, key, platform):
        return f"{shown} {reason}, so it cannot be given to a command."
    typed = not any(name in modifiers for name in _MODIFIERS) and not _is_function_key(last)
    if typed and command.where == "window":
        return (
            f"“{plain_words(command)}” works in the whole window, where {shown} is typed into fields. "
            "Press it with Ctrl or Alt, or press a function key."
        )
    return ""


def owners(commands: Iterable[Command], key: str, beside: Command) -> tuple[Command, ...]:
    """The other commands that have a key where it would act for `beside`."""
    return tuple(
        command
        for command in commands
        if key in command.keys and command.id != beside.id and meet(command.where, beside.where)
    )


def without(
    keys: Mapping[str, str], commands: Iterable[Command], key: str, beside: Command
) -> dict[str, str]:
    """The user's keys after `key` was taken from its `owners`; who loses it keeps another, or none."""
    changed = dict(keys)
    for owner in owners(commands, key, beside):
        changed[owner.id] = next((other for other in owner.keys if other != key), "")
    return changed


def as_text(groups: Mapping[str, Iterable[tuple[str, str]]]) -> str:
    """Commands and keys by menu, to be printed: one line each, the keys in a column of their own."""
    rows = {menu: list(lines) for menu, lines in groups.items()}
    width = max((len(words) for lines in rows.values() for words, _ in lines), default=0)
    parts = []
    for menu, lines in rows.items():
        listed = "\n".join(f"  {words:<{width}}  {key}".rstrip() for words, key in lines)
        parts.append(f"{menu}\n{listed}\n")
    return "\n".join(parts)


def _is_function_key(name: str) -> bool:
    return name[:1] == "F" and name[1:].isdigit()


def _taken_by_the_system(modifiers: list[str], last: str, key: str, platform: str) -> str:
    """What a key does before any command hears of it, "" for nothing."""
    macos = platform == "darwin"
    if key == "Shift+F10":
        return "opens the menu of the text"
    if key in (_OF_MACOS if macos else _OF_OTHERS):
        return "belongs to the system or to the menu bar"
    if macos or "Alt" not in modifiers:
        return ""
    # With Shift as well: keyboards differ in whether Shift counts beside a letter.
    if last in _OPEN_MENUS and not {"Ctrl", "Meta"} & set(modifiers):
        return "opens a menu"
    return "types a sign on many keyboards, as AltGr does" if "Ctrl" in modifiers and len(last) == 1 else ""
