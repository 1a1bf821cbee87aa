"""The commands as actions of Qt: made once, found by id, with keys that can be changed.

Values of the namespace Qt are named as properties here: loading it takes a tenth of the first window's time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from app.gui.modes.command import Command
from app.gui.widgets.tips import with_key

# Where the system has a menu of the program's own (macOS), these go there; by their words others would, too.
_ROLES = {"project.quit": "QuitRole", "help.about": "AboutRole"}

# What goes on for as long as its key is held; all else would be done to what nobody has seen.
_STEPS = frozenset(
    "next previous next_open find_next find_previous next_pane previous_pane end_on end_back start_on "
    "start_back widen narrow larger smaller undo redo".split()
)


@cache
def native(key: str) -> str:
    """A key as this system writes it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


class Actions(QObject):
    """Actions by command id. Those of a place act while the focus is in one of its widgets; where there is no
    such widget, they cannot be given."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._places: dict[str, tuple[QWidget, ...]] = {}
        self._met: tuple[str, ...] = ("nothing", "project", "report")
        self._commands: dict[str, Command] = {}
        self._actions: dict[str, QAction] = {}
        self._calls: dict[str, Callable[[bool], object]] = {}
        # One signal for all: to connect each took a tenth of the time in which a project opens.
        self._all = QActionGroup(self)
        # As an argument of its constructor it would be passed over.
        self._all.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
        self._all.triggered.connect(self._call)

    def __getitem__(self, command: str) -> QAction:
        return self._actions[command]

    def __contains__(self, command: str) -> bool:
        return command in self._actions

    def command(self, command: str) -> Command:
        """The command of that id, with the keys it has now."""
        return self._commands[command]

    def commands(self) -> tuple[Command, ...]:
        """All commands, in the order in which they were added."""
        return tuple(self._commands.values())

    def add(self, commands: Iterable[Command]) -> None:
        """Make actions for commands, or give those that are there their new keys."""
        commands = tuple(command for command in commands if self._commands.get(command.id) != command)
        # A key that changes hands is nobody's first: two actions with the same key would both be deaf.
        for command in commands:
            if command.id in self._commands and self._commands[command.id].keys != command.keys:
                self._actions[command.id].setShortcuts([])
        for command in commands:
            self._commands[command.id] = command
            there = self._actions.get(command.id)
            action = there or self._made(command)
            action.setShortcuts([QKeySequence(key) for key in command.keys])
            action.setToolTip(self.hint(command.id))
            action.setStatusTip(command.about)
            if there is None:
                self._put_in(command, action)

    def remove(self, commands: Iterable[str]) -> None:
        """Take actions away, for instance those of a scheme whose project was closed."""
        for command in commands:
            self._commands.pop(command)
            self._calls.pop(command, None)
            action = self._actions.pop(command)
            for widget in action.associatedObjects():
                if isinstance(widget, QWidget):
                    widget.removeAction(action)
            action.deleteLater()

    def set_place(self, where: str, widgets: Iterable[QWidget]) -> None:
        """Let the commands of a place act in these widgets and in what they hold, and nowhere else.

        In a widget of "text" those of modes do not act. What is typed into a field stays the field's.
        """
        before = {place: self._widgets(place) for place in self._places}
        self._places[where] = tuple(widgets)
        for place in self._places:
            old, new = before.get(place, ()), self._widgets(place)
            if old != new or place == where:
                self._move(place, old, new)

    def keep_keys(self, application: QApplication) -> None:
        """From now on let no key be a command's that belongs to an open menu, a list or a field."""
        # Imported here: the first window shows without it.
        from app.gui.shell.acts.typing import KeysKept

        KeysKept(application, self)

    def on(self, command: str, call: Callable[[], object]) -> None:
        """Call this, and nothing else, when the command is given."""
        self._calls[command] = lambda _checked: call()

    def on_toggled(self, command: str, call: Callable[[bool], object]) -> None:
        """Call this, and nothing else, with the new state when a checkable command is given."""
        self._calls[command] = call

    def forget(self, *needs: str) -> None:
        """Call nothing any more for the commands with these needs: what they spoke to goes away."""
        for command, known in self._commands.items():
            if known.needs in needs:
                self._calls.pop(command, None)

    def enable(self, *needs: str) -> None:
        """Let those commands be given whose needs are among these."""
        self._met = needs
        can: dict[tuple[str, str], bool] = {}
        for command, action in self._actions.items():
            known = self._commands[command]
            if (known.needs, known.where) not in can:
                can[known.needs, known.where] = self._can(known)
            action.setEnabled(can[known.needs, known.where])

    def key(self, command: str) -> str:
        """The first key of a command as this system writes it, "" for none."""
        keys = self._commands[command].keys
        return native(keys[0]) if keys else ""

    def hint(self, command: str) -> str:
        """What a tool tip says: what the command does, and its key."""
        known = self._commands[command]
        words = known.about or known.text.replace("&", "").rstrip("…")
        return with_key(words, self.key(command))

    def _made(self, command: Command) -> QAction:
        # With its text as an argument, every name of an icon that desktops have would be loaded.
        action = QAction(self, text=command.text)
        action.setObjectName(command.id)
        action.setCheckable(command.checkable)
        action.setAutoRepeat(command.id.partition(".")[2] in _STEPS)
        action.setProperty("menuRole", _ROLES.get(command.id, "NoRole"))
        window = command.where == "window"
        action.setProperty("shortcutContext", "WindowShortcut" if window else "WidgetWithChildrenShortcut")
        return action

    def _put_in(self, command: Command, action: QAction) -> None:
        """Once it is complete: of every change those are told in whom it stands."""
        self._actions[command.id] = action
        if command.where in self._places:
            action.setEnabled(self._can(command))
        self._all.addAction(action)
        for widget in (self._window,) if command.where == "window" else self._widgets(command.where):
            widget.addAction(action)

    def _move(self, where: str, old: Iterable[QWidget], new: Iterable[QWidget]) -> None:
        for command, action in self._actions.items():
            if self._commands[command].where == where:
                for widget in old:
                    widget.removeAction(action)
                for widget in new:
                    widget.addAction(action)
                action.setEnabled(self._can(self._commands[command]))

    def _widgets(self, where: str) -> tuple[QWidget, ...]:
        there = self._places.get(where, ())
        if where in ("reader", "text"):
            return there
        return tuple(widget for widget in there if widget not in self._places.get("text", ()))

    def _can(self, command: Command) -> bool:
        return command.needs in self._met and (
            command.where == "window" or bool(self._widgets(command.where))
        )

    def _call(self, action: QAction) -> None:
        checked = action.isChecked()
        if QApplication.activeModalWidget() is not None:
            # Until a dialog that was asked for has the focus, Qt goes on giving keys to what it covers.
            if action.isCheckable():
                action.setChecked(not checked)
            return
        call = self._calls.get(action.objectName())
        if call is not None:
            call(checked)
