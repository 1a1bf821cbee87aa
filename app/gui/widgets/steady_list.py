"""A list of thousands of rows of one height, not laid out anew when one of them says something else."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtWidgets import QAbstractItemView, QListView


class SteadyList(QListView):
    """Rows keep their height whatever they say, so that only what is in sight is painted anew."""

    def __init__(self) -> None:
        super().__init__()
        self.setUniformItemSizes(True)

    def dataChanged(
        self,
        first: QModelIndex | QPersistentModelIndex,
        last: QModelIndex | QPersistentModelIndex,
        roles: Sequence[int] = (),
    ) -> None:
        """As any view does; a QListView would go through all of its rows."""
        QAbstractItemView.dataChanged(self, first, last, roles)
