"""The projects that were open before, each with its folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from app.gui.shell.preferences import Preferences
from app.gui.widgets.large import ElidedWords, LargeButton, Words

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent

_EMPTY = "Projects that you have opened are listed here."


class RecentList(QWidget):
    """A button for each project; Delete, or its menu, takes it off the list and leaves the file alone."""

    project_chosen = Signal(object)

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self._shown: list[Path] | None = None
        self._buttons: list[RecentProject] = []
        self._empty = Words(_EMPTY, 1.0, quiet=True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._empty)
        self.refresh()

    def take_focus(self) -> bool:
        """Put the focus on the project that was open last, if there is any."""
        for button in self._buttons[:1]:
            button.setFocus()
        return bool(self._buttons)

    def refresh(self) -> None:
        """Show what the preferences remember."""
        paths = self._preferences.recent
        if paths == self._shown:
            return
        self._shown = paths
        for old in self._buttons:
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._buttons = [RecentProject(path) for path in paths]
        for button in self._buttons:
            button.clicked.connect(partial(self._choose, button.path))
            button.removal_wanted.connect(partial(self._remove, button.path))
            self._column.addWidget(button)
            button.show()
        self._empty.setVisible(not paths)

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
    """A project's name over its folder."""

    removal_wanted = Signal()

    def __init__(self, path: Path) -> None:
        super().__init__(Words(path.stem, 1.0), ElidedWords(str(path.parent)), (12, 6))
        self.path = path
        self.setFlat(True)
        self.setAccessibleDescription(f"Recent project in {path.parent}; Delete takes it off the list")

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
