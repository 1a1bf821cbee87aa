"""A row of small pictures, each with its name; one is opened large, over everything, until Escape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QSizePolicy, QToolButton, QWidget

from app.gui.dialogs.forms import named, plain_label
from app.gui.figures.canvas import Canvas
from app.gui.figures.pictures import LONGEST, Pictures
from app.gui.widgets.boxes import is_low, lined, stacked

# Half as high in low windows.
_HIGH, _WIDE, _SPACING = 110, 200, 8
_HINT = "PgUp PgDn pictures · + − 0 zoom · arrows pan · Esc back"
# A name for people, and the SHA-256.
Named = tuple[str, str]


class PictureRow(QScrollArea):
    """Buttons in a row: Tab goes through them, Space opens one large. Empty it takes no room."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.buttons: list[QToolButton] = []
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.named: tuple[Named, ...] = ()
        self.large: LargePictures | None = None
        self._pictures: Pictures | None = None
        inside = QWidget()
        self._row = lined(inside, None, spacing=_SPACING)
        self.setWidget(inside)
        self.setVisible(False)

    def use(self, pictures: Pictures) -> None:
        """Where pictures come from."""
        self._pictures = pictures
        pictures.arrived.connect(lambda digest, longest: self._draw())
        self._draw()

    def put(self, named: Sequence[Named]) -> None:
        """Show these; the same again stay as they are."""
        told = tuple(named)
        if told == self.named:
            return
        self.named = told
        for button in self.buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self.buttons = [self._button(place, name) for place, (name, _) in enumerate(told)]
        # New ones would be the last that Tab comes to.
        before: QWidget | None = self.previousInFocusChain()
        while before not in (None, self) and before.focusPolicy() == Qt.FocusPolicy.NoFocus:
            before = before.previousInFocusChain()
        for first, second in pairwise((before or self, *self.buttons)):
            QWidget.setTabOrder(first, second)
        self.setVisible(bool(told))
        self._fit()
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """The room is there before the pictures are, so that nothing moves when they come."""
        high = _HIGH // 2 if is_low(self) else _HIGH
        words = self.fontMetrics().height() + _SPACING
        for button in self.buttons:
            button.setIconSize(QSize(_WIDE, high))
            button.setMinimumHeight(high + words)
        self.setFixedHeight(high + words + _SPACING + self.horizontalScrollBar().sizeHint().height())

    def _draw(self) -> None:
        for button, (_, digest) in zip(self.buttons, self.named, strict=True):
            image = self._pictures.picture(digest, _WIDE) if self._pictures is not None else None
            if image is not None and not image.isNull() and button.icon().isNull():
                button.setIcon(QIcon(QPixmap.fromImage(image)))

    def _button(self, place: int, name: str) -> QToolButton:
        button = named(QToolButton(), f"{name}, opens large")
        button.setText(name)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(partial(self._open, place))
        self._row.insertWidget(place, button)
        return button

    def _open(self, place: int) -> None:
        if self._pictures is not None:
            self.large = LargePictures(self._pictures, self.named, place, self.window())
            self.large.open()


class LargePictures(QDialog):
    """One picture after the other, as large as the window."""

    def __init__(self, pictures: Pictures, named: Sequence[Named], place: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._pictures, self._named, self._place = pictures, tuple(named), place
        self.canvas, self.about = Canvas(marks=False), plain_label()
        stacked(self, self.about, self.canvas, plain_label(_HINT), wide=self.canvas)
        self.resize(parent.size())
        pictures.arrived.connect(self._arrived)
        self._show()
        self.canvas.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From one picture to the next."""
        step = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}.get(Qt.Key(event.key()), 0)
        if step:
            self._place = (self._place + step) % len(self._named)
            self._show()
        else:
            super().keyPressEvent(event)

    def _arrived(self, digest: str, longest: int) -> None:
        """Others that come, small ones among them, leave zoom and place as they are."""
        if (digest, longest) == (self._named[self._place][1], LONGEST):
            self._show()

    def _show(self) -> None:
        name, digest = self._named[self._place]
        self.setWindowTitle(name)
        self.about.setText(f"{name} ({self._place + 1} of {len(self._named)})")
        image, words = self._pictures.large(digest, name)
        self.canvas.show_picture(image, image.size(), words)
