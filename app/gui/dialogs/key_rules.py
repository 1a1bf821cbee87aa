"""Which keys a command may have, and what becomes of the key's owner when it is taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.gui.commands import Command

_MODIFIERS = ("Ctrl", "Alt", "Meta")
# They move the caret, the focus, or end a dialog.
_KEPT = frozenset({"Tab", "Backtab", "Esc", "Left", "Right", "Up", "Down", "Home", "End", "PgUp", "PgDown"})
_EXCEPT_WITH = ("Alt", "Meta")


def plain_words(command: Command) -> str:
    """The words of a command without mnemonic and dots."""
    return command.text.replace("&", "").rstrip("…")


def refusal(command: Command, key: str) -> str:
    """Why a command cannot have a key (portable text), as a sentence; "" where it can."""
    *modifiers, last = key.replace("++", "+Plus").split("+")
    if last in _KEPT and not any(name in modifiers for name in _EXCEPT_WITH):
        return f"{key} moves the caret or the focus, so it cannot be given to a command."
    typed = not any(name in modifiers for name in _MODIFIERS) and not _is_function_key(last)
    if typed and command.where == "window":
        return (
            f"“{plain_words(command)}” works in the whole window, where {key} is typed into fields. "
            "Press it with Ctrl or Alt, or press a function key."
        )
    return ""


def owners(commands: Iterable[Command], key: str, beside: str) -> tuple[Command, ...]:
    """The commands that have a key, the one of id `beside` left out."""
    return tuple(command for command in commands if key in command.keys and command.id != beside)


def without(
    keys: Mapping[str, str], commands: Iterable[Command], key: str, command_id: str
) -> dict[str, str]:
    """The user's keys after `key` was taken from all but one command; who loses it keeps another, or none."""
    changed = dict(keys)
    for owner in owners(commands, key, command_id):
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
