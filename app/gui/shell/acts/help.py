"""What the menu Help gives: the guide at the right page, the tour, the keys, and what this program is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from app.gui.shell.acts.actions import Actions
from app.gui.shell.look.preferences import Preferences

if TYPE_CHECKING:
    from app.gui.shell.workbench import Workbench


class HelpCommands(QObject):
    """`workbench` gives what is open in the window, `open_sample` opens the project that the tour is for."""

    def __init__(
        self,
        window: QWidget,
        workbench: Callable[[], Workbench | None],
        actions: Actions,
        preferences: Preferences,
        show: Callable[[QDialog], None],
        open_sample: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._window, self._workbench = window, workbench
        self._actions, self._preferences = actions, preferences
        self._show, self._open_sample = show, open_sample
        self._tour_wanted = False
        actions.on("help.guide", self._show_guide)
        actions.on("help.tour", self._begin_tour)
        actions.on("help.keys", self._show_keys)
        actions.on("help.about", self._show_about)

    def arrived(self, workbench: Workbench) -> None:
        """A project is on the screen: the tour begins there, if it was waiting for one."""
        wanted, self._tour_wanted = self._tour_wanted, False
        if wanted:
            self._tour(workbench)

    def leave(self) -> None:
        from app.gui.guide.window import close_guide

        close_guide()

    def _show_guide(self) -> None:
        from app.gui.guide.pages import FIRST
        from app.gui.guide.window import show_guide

        workbench = self._workbench()
        show_guide(workbench.frame.current if workbench is not None else FIRST, self._key)

    def _key(self, command: str) -> str:
        return self._actions.key(command) if command in self._actions else ""

    def _begin_tour(self) -> None:
        workbench = self._workbench()
        if workbench is not None and workbench.session.rows:
            self._tour(workbench)
        else:
            self._tour_wanted = True
            self._open_sample()

    def _tour(self, workbench: Workbench) -> None:
        from app.gui.guide.tour import Tour

        if not workbench.findChildren(Tour):
            workbench.actions_["mode.annotate"].trigger()
            Tour(workbench)

    def _show_keys(self) -> None:
        from app.gui.dialogs.keys.dialog import KeysDialog

        workbench = self._workbench()
        scheme = workbench.session.scheme if workbench is not None else None
        self._show(KeysDialog(self._actions, self._preferences, self._window, scheme))

    def _show_about(self) -> None:
        from app.gui.dialogs.project.about import AboutDialog

        self._show(AboutDialog(self._window))
