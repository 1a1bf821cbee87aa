"""What stands in the place of the text while a project has no reports."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.gui.dialogs.forms import plain_label
from app.gui.shell.acts.actions import Actions

_COLUMNS = 60


class EmptyProject(QWidget):
    """Says what this place is for, and what to do; the list beside it has the button."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        key = actions.key("project.import")
        self.words = plain_label(
            "Reports are read and annotated here.\n\n"
            f"Import case reports{f' ({key})' if key else ''}, or drop files and folders on this window: "
            "PDF, Word, saved web pages, JATS XML, plain text and more. Their text is frozen as it is, and "
            "nothing leaves this computer."
        )

        column = QVBoxLayout(self)
        column.addStretch(2)
        column.addWidget(self.words, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        width = self.words.fontMetrics().averageCharWidth() * _COLUMNS
        self.words.setFixedSize(width, self.words.heightForWidth(width))
