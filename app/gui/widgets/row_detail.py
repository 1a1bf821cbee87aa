"""A row of a list in full: what its cells must cut, to be read and copied by keyboard too."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.gui.widgets.parts import lines_high

_LINES = 6


class Detail(QPlainTextEdit):
    """As high whatever it shows; longer texts scroll."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.setFixedHeight(lines_high(self, _LINES))
