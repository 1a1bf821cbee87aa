"""Names to tick."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from app.gui.widgets.tips import tip

_NAME = Qt.ItemDataRole.UserRole


class TickList(QListWidget):
    """What is listed says more than the name that it stands for; `ticked` comes with each tick."""

    ticked = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        # The name gives way, not the number behind it.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemChanged.connect(lambda _item: self.ticked.emit())

    def put(self, entries: Sequence[tuple[str, str]], chosen: Collection[str]) -> None:
        """List entries (words, name) in the place of those there, without a word about it."""
        self.blockSignals(True)
        self.clear()
        for words, name in entries:
            item = QListWidgetItem(words, self)
            item.setData(_NAME, name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if name in chosen else Qt.CheckState.Unchecked)
            item.setToolTip(tip(name))
        self.setCurrentRow(0)
        self.blockSignals(False)

    def chosen(self) -> tuple[str, ...]:
        """The names that are ticked."""
        items = (self.item(row) for row in range(self.count()))
        return tuple(item.data(_NAME) for item in items if item.checkState() == Qt.CheckState.Checked)
