"""The list of all keys, found by words, changed by pressing others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QWidget

from app.gui.dialogs.forms import FormDialog, Role, named, plain_label
from app.gui.dialogs.keys.rules import as_text, owners, plain_words, refusal, without
from app.gui.modes import MODES
from app.gui.modes.command import Command
from app.gui.shell.acts.actions import Actions, native
from app.gui.shell.acts.commands import arranged, in_menu_order
from app.gui.shell.look.preferences import Preferences
from app.gui.widgets.boxes import push_button, row_of
from app.gui.widgets.lists import WholeRows

if TYPE_CHECKING:
    from extractors.model.scheme import Scheme

_ALONE = frozenset(
    {
        Qt.Key.Key_Shift,
        Qt.Key.Key_Control,
        Qt.Key.Key_Alt,
        Qt.Key.Key_AltGr,
        Qt.Key.Key_Meta,
        Qt.Key.Key_CapsLock,
        Qt.Key.Key_NumLock,
        Qt.Key.Key_unknown,
    }
)
_LEAVING = frozenset({Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape})


class KeyField(QLineEdit):
    """Tab and Escape act as everywhere, so that nobody is caught in it; `pressed` says the key (portable)."""

    pressed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setPlaceholderText("Press a key")
        self.setAccessibleName("Press the new key")

    def event(self, event: QEvent) -> bool:
        """Keep other shortcuts from acting while a key is awaited."""
        if event.type() == QEvent.Type.ShortcutOverride:
            if isinstance(event, QKeyEvent) and event.key() not in _LEAVING:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tell of the key, unless it leads out of the field or is a modifier alone."""
        if event.key() in _LEAVING:
            event.ignore()
        elif event.key() not in _ALONE:
            self.pressed.emit(_portable(event))


def _portable(event: QKeyEvent) -> str:
    """The key as command tables write it; Shift is part of a sign such as "?" and not named beside it."""
    key = QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)
    key = key.replace("Num+", "", 1)
    sign = event.text()
    if key.startswith("Shift+") and sign.isprintable() and sign.strip() and not sign.isalpha():
        key = key.removeprefix("Shift+")
    return key


_ID = Qt.ItemDataRole.UserRole
_SIZE = (52, 40)
_OF_SCREEN = 0.85
_ACTS: Mapping[str, str] = {
    "window": "everywhere in the window",
    "reader": "while the text has the focus",
    "text": "while the text has the focus, under Annotate",
    **{mode: f"in the text and the lists of {spec.menu}" for mode, spec in MODES.items()},
}


class KeysDialog(FormDialog):
    """Changes are saved and act at once; `scheme` is that of the open project."""

    guide = "keys"

    def __init__(
        self,
        actions: Actions,
        preferences: Preferences,
        parent: QWidget | None = None,
        scheme: Scheme | None = None,
    ) -> None:
        super().__init__("Keys", parent)
        self._actions, self._preferences, self._scheme = actions, preferences, scheme
        self._pending: dict[str, str] | None = None
        self._menus: dict[str, QTreeWidgetItem] = {}
        self._items: dict[str, QTreeWidgetItem] = {}
        self._chosen = ""
        self.search = named(QLineEdit(placeholderText="Search commands and keys"), "Search commands and keys")
        self.tree = named(QTreeWidget(), "Commands and their keys")
        self.tree.setHeaderLabels(["Command", "Keys"])
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setStretchLastSection(False)
        WholeRows(self.tree)
        self.about, self.message = plain_label(), plain_label()
        self.field = KeyField()
        self.confirm = push_button("", self._confirm)
        self.clear = push_button("No &key", lambda: self._give(""))
        self.restore = push_button("&Restore", self._restore)
        self.restore_all = self.add_button("Restore &all…", Role.ResetRole, self._ask_restore_all)
        self.copy_text = self.add_button("Copy as &text", Role.ActionRole, self._copy)
        # Enter belongs to the field here, not to a button.
        self.add_button("&Close", Role.RejectRole)
        self._lay_out()
        self._connect()
        self._fill()
        wanted = QSize(*(side * self.fontMetrics().height() for side in _SIZE))
        self.resize(wanted.boundedTo(self.screen().availableSize() * _OF_SCREEN))
        self.search.setFocus()

    def as_text(self) -> str:
        groups: dict[str, list[tuple[str, str]]] = {}
        for command in in_menu_order(self._actions.commands()):
            groups.setdefault(command.menu, []).append((plain_words(command), _shown(command)))
        return as_text(groups)

    # Layout

    def _lay_out(self) -> None:
        kept = self.confirm.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.confirm.setSizePolicy(kept)
        for label in (self.about, self.message):
            label.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        keys = row_of(self.field, self.clear, self.restore)
        message = row_of(self.message, self.confirm, wide=self.message)
        self.lay_out(self.search, self.tree, self.about, keys, message, wide=self.tree)
        self.notice.hide()

    def _connect(self) -> None:
        self.search.textChanged.connect(self._filter)
        self.tree.currentItemChanged.connect(self._show_current)
        self.tree.itemActivated.connect(lambda: self.field.setFocus())
        self.field.pressed.connect(self._offer)

    def _fill(self) -> None:
        for command in in_menu_order(self._actions.commands()):
            if command.menu not in self._menus:
                menu = self._menus[command.menu] = QTreeWidgetItem(self.tree, [command.menu])
                menu.setFlags(Qt.ItemFlag.ItemIsEnabled)
                menu.setExpanded(True)
            item = QTreeWidgetItem(self._menus[command.menu], [plain_words(command), _shown(command)])
            item.setData(0, _ID, command.id)
            self._items[command.id] = item
        first = next(iter(self._items.values()), None)
        if first is not None:
            self.tree.setCurrentItem(first)

    def _refresh(self) -> None:
        for command_id, item in self._items.items():
            item.setText(1, _shown(self._actions.command(command_id)))
        self.field.setText(_shown(self._command()))

    def _filter(self, words: str) -> None:
        wanted = words.casefold().split()
        for command_id, item in self._items.items():
            menu = self._actions.command(command_id).menu
            text = f"{menu} {item.text(0)} {item.text(1)}".casefold()
            item.setHidden(not all(word in text for word in wanted))
        for menu_item in self._menus.values():
            children = [menu_item.child(number) for number in range(menu_item.childCount())]
            menu_item.setHidden(all(child.isHidden() for child in children if child is not None))
        shown = [item for item in self._items.values() if not item.isHidden()]
        if shown and self.tree.currentItem() not in shown:
            self.tree.setCurrentItem(shown[0])
        for part in (self.field, self.clear, self.restore):
            part.setEnabled(bool(shown))
        if shown:
            self._show_current(self.tree.currentItem())
        else:
            self._say("")
            self.about.setText("No command has these words.")
            self.field.clear()

    # The command that is chosen

    def _command(self) -> Command:
        return self._actions.command(self._chosen)

    def _show_current(self, item: QTreeWidgetItem | None) -> None:
        if item is None or item.data(0, _ID) is None:
            return
        self._chosen = item.data(0, _ID)
        self._say("")
        command = self._command()
        self.about.setText(
            " ".join(
                filter(None, [plain_words(command) + ".", command.about, f"Acts {_ACTS[command.where]}."])
            )
        )
        self.field.setText(item.text(1))

    def _offer(self, key: str) -> None:
        """A key was pressed for the chosen command: refuse it, ask about its owners, or give it."""
        command = self._command()
        reason = refusal(command, key)
        taken = owners(self._actions.commands(), key, command)
        if reason:
            self._say(reason)
        elif taken:
            names = " and ".join(f"“{plain_words(owner)}”" for owner in taken)
            changed = without(self._preferences.keys, self._actions.commands(), key, command)
            self.field.setText(native(key))
            self._ask(
                f"{native(key)} is the key of {names}.", "&Take it from there", changed | {command.id: key}
            )
        else:
            self._give(key)

    def _give(self, key: str) -> None:
        command = self._command()
        self._apply(self._preferences.keys | {command.id: key})
        words = f"“{plain_words(command)}” has"
        self._say(f"{words} the key {native(key)} now." if key else f"{words} no key now.")

    def _restore(self) -> None:
        chosen, commands = self._command(), self._actions.commands()
        settled = {name: key for name, key in self._preferences.keys.items() if name != chosen.id}
        own = next(command.keys for command in arranged(self._scheme, {}) if command.id == chosen.id)
        names = list[str]()
        for key in own:
            names.extend(f"“{plain_words(owner)}”" for owner in owners(commands, key, chosen))
            settled = without(settled, commands, key, chosen)
        if names:
            self._ask(f"Its own key is that of {' and '.join(names)} now.", "&Take it from there", settled)
        else:
            self._apply(settled)
            self._say(f"“{plain_words(self._command())}” has its own keys again.")

    def _ask_restore_all(self) -> None:
        count = len(self._preferences.keys)
        if count:
            sentence = f"{count} changed {'key' if count == 1 else 'keys'} will be forgotten."
            self._ask(sentence, "Restore a&ll keys", {})
        else:
            self._say("No key has been changed.")

    def _confirm(self) -> None:
        if self._pending is not None:
            self._apply(self._pending)
            self._say("Done.")
            self.tree.setFocus()

    def _apply(self, keys: dict[str, str]) -> None:
        """The actions first: whoever hears of the change asks for their keys."""
        self._actions.add(arranged(self._scheme, keys))
        self._preferences.keys = keys
        self._refresh()

    def _ask(self, sentence: str, yes: str, keys: dict[str, str]) -> None:
        self._say(sentence)
        self._pending = keys
        self.confirm.setText(yes)
        self.confirm.show()

    def _say(self, sentence: str) -> None:
        self._pending = None
        self.confirm.hide()
        self.message.setText(sentence)
        self.field.setAccessibleDescription(sentence)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.as_text())
        self._say("Copied: paste it into a document to print it.")


def _shown(command: Command) -> str:
    return ", ".join(native(key) for key in command.keys)
