"""How the parts of the window share out their room: kept for each size of the interface."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray

from app.gui.shell.look.preferences import Preferences
from app.gui.widgets.flow import Splitter

_USUAL = 100


class Shapes:
    """Sizes that splitters were given at one size of the interface say nothing about those at another."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        self._at = preferences.interface_size
        self._kept: dict[str, QByteArray] = {}

    def keep(self, splitters: Mapping[str, Splitter]) -> None:
        """Keep what the user set of splitters, by their names, until it is written down."""
        self._kept |= {self._named(name): splitter.shape() for name, splitter in splitters.items()}

    def follow(self) -> None:
        """Speak of the size that the interface has now."""
        self._at = self._preferences.interface_size

    def restore(self, name: str, splitter: Splitter) -> None:
        """Give a splitter what the user set last at this size of the interface, or each part its share."""
        named = self._named(name)
        splitter.take_shape(self._kept.get(named, self._preferences.shape(named)))

    def write(self) -> None:
        for named, shape in self._kept.items():
            self._preferences.set_shape(named, shape)

    def _named(self, name: str) -> str:
        return name if self._at == _USUAL else f"{name} at {self._at}"
