"""What the menu Help gives: the guide at the right page, the tour, the keys, and what this program is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.gui.shell.acts.actions import Actions
from app.gui.shell.look.preferences import Preferences

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog

    from app.gui.shell.workbench import Workbench


class HelpCommands(QObject):
    """`bench` gives what is open in the window, `open_sample` opens the project that the tour is for."""

    def __init__(
        self,
        window: QWidget,
        bench: Callable[[], Workbench | None],
        actions: Actions,
        preferences: Preferences,
        show: Callable[[QDialog], None],
        open_sample: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._window, self._bench = window, bench
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
        """Close what is open beside the window."""
        from app.gui.guide.window import close_guide

        close_guide()

    def _show_guide(self) -> None:
        from app.gui.guide.pages import FIRST
        from app.gui.guide.window import show_guide

        bench = self._bench()
        show_guide(bench.frame.current if bench is not None else FIRST, self._key)

    def _key(self, command: str) -> str:
        return self._actions.key(command) if command in self._actions else ""

    def _begin_tour(self) -> None:
        bench = self._bench()
        if bench is not None and bench.session.rows:
            self._tour(bench)
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

        bench = self._bench()
        scheme = bench.session.scheme if bench is not None else None
        self._show(KeysDialog(self._actions, self._preferences, self._window, scheme))

    def _show_about(self) -> None:
        from app.gui.dialogs.project.about import AboutDialog

        self._show(AboutDialog(self._window))
