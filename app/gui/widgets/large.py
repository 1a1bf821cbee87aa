"""Plain words in sizes that follow the interface, and the large buttons of the start page."""

from __future__ import annotations

from bisect import bisect_right

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QLabel, QPushButton, QSizePolicy


class Words(QLabel):
    """Plain words, `scale` times as large as the interface's; quiet ones are for what may be overlooked."""

    def __init__(self, words: str, scale: float, quiet: bool = False) -> None:
        super().__init__()
        # By name: the namespace Qt takes long to load, and the first window shows this.
        self.setProperty("textFormat", "PlainText")
        self.setText(words)
        self.setWordWrap(True)
        self._scale = scale
        if quiet:
            self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.fit()

    def fit(self) -> None:
        """Keep the scale after the interface's text has changed its size."""
        if self._scale != 1.0:
            font = QApplication.font()
            font.setPointSizeF(font.pointSizeF() * self._scale)
            self.setFont(font)

    def changeEvent(self, event: QEvent) -> None:
        """Scale again: a style sheet that is set anew gives back the font of before."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.fit()


class ElidedWords(Words):
    """Quiet words on one line, their middle left out where there is no room for it."""

    def __init__(self, words: str) -> None:
        super().__init__(words, 1.0, quiet=True)
        self.setWordWrap(False)
        self._whole = words
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self.setText(self._elided(self.contentsRect().width()))

    def _elided(self, width: int) -> str:
        measure = self.fontMetrics().horizontalAdvance
        if measure(self._whole) <= width:
            return self._whole

        def shortened(kept: int) -> str:
            end = len(self._whole) - kept // 2
            return f"{self._whole[: kept - kept // 2]}…{self._whole[end:]}"

        fitting = bisect_right(range(len(self._whole)), width, key=lambda kept: measure(shortened(kept)))
        return shortened(max(fitting - 1, 0))


class LargeButton(QPushButton):
    """A title, a key beside it, and below it `about` in quiet words."""

    def __init__(self, title: Words, about: Words, margins: tuple[int, int]) -> None:
        """`margins` are those at the sides and those above and below, in pixels."""
        super().__init__()
        self.setAccessibleName(title.text())
        self.setAccessibleDescription(about.text())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._key = Words("", 1.0, quiet=True)
        self._key.setWordWrap(False)
        sides, ends = margins
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(sides, ends, sides, ends)
        grid.setVerticalSpacing(4)
        grid.addWidget(title, 0, 0)
        grid.addWidget(self._key, 0, 1)
        grid.addWidget(about, 1, 0, 1, 2)
        grid.setColumnStretch(0, 1)

    def set_key(self, key: str) -> None:
        """Show a key, "" for none."""
        self._key.setText(key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return presses it like Space, also before the menus stand (app/gui/shell/acts/typing.py)."""
        # Imported here: the namespace Qt takes long to load, and the first window shows this.
        from PySide6.QtCore import Qt

        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return self._grid.totalSizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._grid.totalMinimumSize()
