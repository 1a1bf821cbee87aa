"""The projects that were open before, each with its folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from app.gui.shell.look.preferences import Preferences
from app.gui.widgets.large import ElidedWords, LargeButton, Words

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent

_MISSING = "Missing"
_MENU_LETTERS = 70
_EMPTY = "Projects that you have opened are listed here."


class RecentList(QWidget):
    """A button for each project; Delete, or its menu, takes it off the list and leaves the file alone."""

    project_chosen = Signal(object)

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self._shown: list[tuple[Path, bool]] | None = None
        self._buttons: list[RecentProject] = []
        self._empty = Words(_EMPTY, 1.0, quiet=True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._empty)
        self.refresh()

    def take_focus(self) -> bool:
        """Put the focus on the project that was open last and is still there, if there is any."""
        there = [button for button in self._buttons if not button.missing]
        for button in there[:1]:
            button.setFocus()
        return bool(there)

    def refresh(self) -> None:
        """Show what the preferences remember."""
        shown = [(path, not _is_there(path)) for path in self._preferences.recent]
        if shown == self._shown:
            return
        self._shown = shown
        for old in self._buttons:
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._buttons = [RecentProject(path, missing=missing) for path, missing in shown]
        for button in self._buttons:
            button.clicked.connect(partial(self._choose, button.path))
            button.removal_wanted.connect(partial(self._remove, button.path))
            self._column.addWidget(button)
            button.show()
        self._empty.setVisible(not shown)

    def buttons(self) -> tuple[RecentProject, ...]:
        """The buttons, the project last opened first."""
        return tuple(self._buttons)

    def _choose(self, path: Path, _checked: bool = False) -> None:
        self.project_chosen.emit(path)

    def _remove(self, path: Path) -> None:
        """Forget a project; the focus goes to the one that takes its place."""
        paths = self._preferences.recent
        place = paths.index(path) if path in paths else 0
        self._preferences.forget_recent()
        for kept in reversed([other for other in paths if other != path]):
            self._preferences.remember(kept)
        self.refresh()
        if self._buttons:
            self._buttons[min(place, len(self._buttons) - 1)].setFocus()


class RecentProject(LargeButton):
    """A project's name over its folder; one whose file is `missing` says so and stays."""

    removal_wanted = Signal()

    def __init__(self, path: Path, *, missing: bool = False) -> None:
        super().__init__(Words(path.stem, 1.0, quiet=missing), ElidedWords(str(path.parent)), (12, 6))
        self.path, self.missing = path, missing
        self.setFlat(True)
        if missing:
            self.set_key(_MISSING)
        words = f"{_MISSING}, was in" if missing else "Recent project in"
        self.setAccessibleDescription(f"{words} {path.parent}; Delete takes it off the list")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes the project off the list."""
        # Imported here: the namespace Qt takes long to load, and the first window shows this.
        from PySide6.QtCore import Qt

        if event.key() == Qt.Key.Key_Delete:
            self.removal_wanted.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the menu."""
        from PySide6.QtCore import Qt

        menu = self.own_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def own_menu(self) -> QMenu:
        """What can be done with a project of the list."""
        menu = QMenu(self)
        menu.addAction("&Open", self.click)
        menu.addAction("&Remove from the list\tDel", self.removal_wanted.emit)
        return menu


class RecentMenu(QMenu):
    """The same projects as a menu, read anew whenever it opens; a missing one cannot be chosen."""

    def __init__(self, preferences: Preferences, open_: Callable[[Path], object], parent: QWidget) -> None:
        super().__init__("Recent pro&jects", parent)
        self._preferences, self._open = preferences, open_
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        # Imported here: it loads the namespace Qt, and the first window shows before its menus are opened.
        from app.gui.widgets.plain import caption, cut_in_middle

        self.clear()
        paths = self._preferences.recent
        for number, path in enumerate(paths, start=1):
            there = _is_there(path)
            words = caption(cut_in_middle(f"{path.stem} — {path.parent}", _MENU_LETTERS))
            # Ten are remembered; a digit leads to each.
            action = self.addAction(f"&{number % 10}  {words}" + ("" if there else f" ({_MISSING.lower()})"))
            action.setEnabled(there)
            action.triggered.connect(partial(self._choose, path))
        if not paths:
            self.addAction(_EMPTY).setEnabled(False)

    def _choose(self, path: Path, _checked: bool = False) -> None:
        self._open(path)


def _is_there(path: Path) -> bool:
    """Whether a file can be seen; one that cannot be asked for is as good as gone."""
    try:
        return path.exists()
    except OSError:
        return False
