"""A two-minute tour: one part of the window after the other is lit and explained; Escape leaves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from app.gui.widgets.boxes import lined, push_button, stacked

if TYPE_CHECKING:
    from app.gui.shell.workbench import Workbench

_LETTERS = 44
_GAP = 12
_SHADE = QColor(0, 0, 0, 120)
_ON = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_PageDown)
_BACK = (Qt.Key.Key_Left, Qt.Key.Key_Backspace, Qt.Key.Key_PageUp)


@dataclass(frozen=True, slots=True)
class Stop:
    """What is lit, what it is called, and what is said of it; `{COMMAND}` in that is the command's key."""

    part: Callable[[Workbench], QWidget]
    name: str
    words: str


STOPS: tuple[Stop, ...] = (
    Stop(
        lambda workbench: workbench.columns.in_sight(workbench.reports),
        "The reports",
        "Each is untouched, in progress, parked or done. A click opens one; {report.done_next} says that you "
        "are done with it and goes on to the next.",
    ),
    Stop(
        lambda workbench: workbench.reader,
        "The text",
        "Select words with the mouse, or with Shift and the arrows; {span.widen} widens to the word, the "
        "sentence, the paragraph. The text itself can never be changed.",
    ),
    Stop(
        lambda workbench: workbench.palette_,
        "The categories",
        "Press the letter beside a category, and what you selected is labelled. A span may have several. "
        "{report.nothing} says that you found nothing in the category in use.",
    ),
    Stop(
        lambda workbench: workbench.guideline,
        "The guideline",
        "What belongs to the category in use and what does not, with examples. The same words are put to "
        "models.",
    ),
    Stop(
        lambda workbench: workbench.inspector,
        "The span under the cursor",
        "Its field, whether it is present, negated or uncertain ({span.present}, {span.negated}, "
        "{span.uncertain}), a note, and what the checks have to say.",
    ),
    Stop(
        lambda workbench: workbench.modes,
        "The modes",
        "Review goes through what a model or the rules found. Agreement measures how far two sets are the "
        "same. Reconcile decides where they differ, and makes the gold set.",
    ),
    Stop(
        lambda workbench: workbench.status,
        "Saved, always",
        "Every act is on disk at once. {edit.undo} takes it back, also tomorrow. Nothing leaves this "
        "computer. {help.guide} opens the guide at the page about what is on the screen.",
    ),
)


class Tour(QWidget):
    """Lies over the workbench and goes with it; nothing in the project is changed by it."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self.number = -1
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Tour")
        self.card = QFrame(self)
        self.card.setObjectName("tour")
        self.card.setAutoFillBackground(True)
        self.card.setFrameShape(QFrame.Shape.Box)
        self.name, self.words = QLabel(), QLabel()
        for label in (self.name, self.words):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * 1.2)
        font.setWeight(QFont.Weight.DemiBold)
        self.name.setFont(font)
        self.leave: QPushButton = push_button("Leave (Esc)", self.close)
        self.back: QPushButton = push_button("Back", lambda: self._step(-1))
        self.next: QPushButton = push_button("Next", lambda: self._step(1))
        for button in (self.leave, self.back, self.next):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        buttons = lined(None, self.leave, self.back, self.next)
        buttons.insertStretch(1)
        stacked(self.card, self.name, self.words, buttons, margins=(16, 12, 16, 12))
        workbench.installEventFilter(self)
        self._step(1)
        self.show()
        self.raise_()
        self.setFocus()

    @property
    def lit(self) -> QRect:
        """What is lit, in pixels of the workbench."""
        part = STOPS[self.number].part(self._workbench)
        place = QRect(part.mapTo(self._workbench, QPoint()), part.size())
        return place.intersected(self._workbench.rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """It stays as large as what it lies over."""
        if watched is self._workbench and event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def event(self, event: QEvent) -> bool:
        """No key is a command's meanwhile."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return, Space and the arrows go on and back, Escape leaves; no key does anything below."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.key() in _ON:
            self._step(1)
        elif event.key() in _BACK:
            self._step(-1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Nothing below is pressed."""
        event.accept()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Work goes on where it was."""
        self._workbench.removeEventFilter(self)
        self._workbench.go_on()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Shade everything but what is lit."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole, hole = QPainterPath(), QPainterPath()
        whole.addRect(QRectF(self.rect()))
        hole.addRoundedRect(QRectF(self.lit), 6, 6)
        painter.fillPath(whole.subtracted(hole), _SHADE)
        painter.setPen(QPen(self.palette().highlight().color(), 2))
        painter.drawPath(hole)

    def _step(self, by: int) -> None:
        """Go on, or back; after the last stop it is over."""
        number = max(self.number + by, 0)
        if number == len(STOPS):
            self.close()
            return
        self.number = number
        stop, keys = STOPS[number], self._workbench.actions_
        words = stop.words
        for command in keys.commands():
            words = words.replace(f"{{{command.id}}}", keys.key(command.id) or "no key")
        self.name.setText(f"{stop.name}   {number + 1} of {len(STOPS)}")
        self.words.setText(words)
        self.back.setEnabled(number > 0)
        self.next.setText("Next (Return)" if number + 1 < len(STOPS) else "Done (Return)")
        self.setAccessibleDescription(f"{stop.name}. {words}")
        self._place()

    def _place(self) -> None:
        """The words stand beside what is lit: where there is room, nearest to it."""
        self.setGeometry(self._workbench.rect())
        wide = min(self.fontMetrics().averageCharWidth() * _LETTERS, self.width() - 2 * _GAP)
        wide = max(wide, self.card.minimumSizeHint().width())
        self.card.resize(wide, max(self.card.heightForWidth(wide), self.card.sizeHint().height()))
        self.card.move(beside(self.lit, self.card.size(), self.rect()))
        self.update()


def beside(lit: QRect, card: QSize, whole: QRect) -> QPoint:
    """Where a card stands: right of what is lit, left, below or above it, else within it at the bottom."""
    y = min(max(lit.center().y() - card.height() // 2, _GAP), whole.height() - card.height() - _GAP)
    x = min(max(lit.center().x() - card.width() // 2, _GAP), whole.width() - card.width() - _GAP)
    if whole.right() - lit.right() >= card.width() + 2 * _GAP:
        return QPoint(lit.right() + _GAP, y)
    if lit.left() >= card.width() + 2 * _GAP:
        return QPoint(lit.left() - _GAP - card.width(), y)
    if whole.bottom() - lit.bottom() >= card.height() + 2 * _GAP:
        return QPoint(x, lit.bottom() + _GAP)
    if lit.top() >= card.height() + 2 * _GAP:
        return QPoint(x, lit.top() - _GAP - card.height())
    return QPoint(x, max(lit.bottom() - card.height() - _GAP, _GAP))
