"""Pages of which one is in sight, by tabs that a wheel leaves as they are."""

from __future__ import annotations

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QTabBar, QTabWidget


class TabBar(QTabBar):
    """Tabs alone."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A wheel scrolls what is around: it would turn to a page that nobody asked for."""
        event.ignore()


class Tabs(QTabWidget):
    """The pages and their tabs have one name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setTabBar(TabBar())
        for part in (self, self.tabBar()):
            part.setAccessibleName(name)
