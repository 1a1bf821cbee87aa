"""The twelve items of a rating, each with five buttons; all of it by keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QWidget

from app.agreement.ratings.summary import SCORES, Criterion
from app.gui.dialogs.forms import GRID, named, plain_label
from app.gui.widgets.boxes import lined, scrolled, stacked
from app.gui.widgets.tips import explain

KEYS = "1–5 rate and go on · 0 clears · ↑ ↓ move · Enter saves and goes to the next output"
_CLEAR: tuple[int, ...] = (Qt.Key.Key_0, Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
_STEPS: Mapping[int, int] = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_LEAST_LINES = 7


class ItemRow(QWidget):
    """One item: name, question and five buttons."""

    reached = Signal()

    def __init__(self, item: Criterion, press: Callable[[QKeyEvent], None]) -> None:
        """`press` is given every key: a scroll area around would keep the arrows to itself."""
        super().__init__()
        self.item, self._press = item, press
        # 1 to 5, 0 for none.
        self.score = 0
        self._current = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        name, question = plain_label(item.label), plain_label(item.question)
        bold = QFont(name.font())
        bold.setWeight(QFont.Weight.DemiBold)
        name.setFont(bold)
        question.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        words = stacked(None, name, question, spacing=0)
        row = lined(self, words, wide=words, margins=(GRID, GRID // 2) * 2, spacing=GRID // 2)
        self._group = QButtonGroup(self)
        # Exclusive groups let no button go out again.
        self._group.setExclusive(False)
        for score in SCORES:
            meaning = item.means.get(score, "")
            button = named(QToolButton(), f"{item.label}: {score} of 5")
            button.setText(f" {score} ")
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            explain(button, f"{score} = {meaning}" if meaning else f"{score} of 5")
            self._group.addButton(button, score)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self._group.idClicked.connect(self._click)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.set_score(0)

    def button(self, score: int) -> QToolButton:
        button = self._group.button(score)
        assert isinstance(button, QToolButton)
        return button

    def set_score(self, score: int) -> None:
        """Show a score, 0 for none."""
        self.score = score
        for button in self._group.buttons():
            button.setChecked(self._group.id(button) == score)
        self.setAccessibleName(f"{self.item.label}: {f'{score} of 5' if score else 'not rated'}")
        self.setAccessibleDescription(f"{self.item.question} {self.item.scale}.")

    def set_current(self, current: bool) -> None:
        """Mark the row as the one that digits speak of."""
        self._current = current
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.reached.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._press(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A frame and a mark at the current row, both stronger while it has the focus."""
        if not self._current:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        role = QPalette.ColorRole.Accent if self.hasFocus() else QPalette.ColorRole.Dark
        colour = self.palette().color(role)
        painter.setPen(QPen(colour, 2 if self.hasFocus() else 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        middle = self.height() / 2
        painter.drawPolygon([QPointF(0, middle - 5), QPointF(6, middle), QPointF(0, middle + 5)])

    def _click(self, score: int) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.set_score(0 if score == self.score else score)


class RatingScale(QWidget):
    """The rows below each other."""

    def __init__(self, items: Sequence[Criterion]) -> None:
        super().__init__()
        self.rows = tuple(ItemRow(item, self.keyPressEvent) for item in items)
        self._inside = QWidget()
        stacked(self._inside, *self.rows, spacing=0).addStretch(1)
        for number, row in enumerate(self.rows):
            row.reached.connect(lambda number=number: self._set_current(number))
        self._area = scrolled(self._inside)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setMinimumHeight(_LEAST_LINES * self.fontMetrics().lineSpacing())
        self.meaning = plain_label(name="What the scores mean", top=True)
        self.keys = plain_label(KEYS)
        self.keys.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        stacked(self, self._area, self.meaning, self.keys, wide=self._area)
        self._current = 0
        self._held: list[int] | None = None
        self._set_current(0)

    @property
    def current(self) -> ItemRow:
        return self.rows[self._current]

    def scores(self) -> dict[str, int]:
        return {row.item.id: row.score for row in self.rows if row.score}

    def set_scores(self, scores: Mapping[str, int]) -> None:
        """Show scores; the first item without one is the current one."""
        for row in self.rows:
            row.set_score(scores.get(row.item.id, 0))
        self._set_current(next((n for n, row in enumerate(self.rows) if not row.score), 0))

    def hold(self) -> None:
        """Keep keys from now on for the output that comes next, until `release`."""
        self._held = []

    def release(self) -> None:
        """Do what the keys kept meanwhile say."""
        held, self._held = self._held or (), None
        for key in held:
            self.take_key(key)

    def take_focus(self) -> None:
        self.current.setFocus(Qt.FocusReason.OtherFocusReason)

    def take_key(self, key: int) -> bool:
        """Do what a key says; whether it says anything here."""
        score = key - Qt.Key.Key_0
        if self._held is not None:
            self._held.append(key)
        elif score in SCORES:
            self._give(score)
        elif key in _CLEAR:
            self.current.set_score(0)
        elif key in _STEPS:
            self._go(self._current + _STEPS[key])
        else:
            return False
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits, arrows and those that clear; all others are the dialog's."""
        commands = (
            event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier & ~Qt.KeyboardModifier.ShiftModifier
        )
        if commands or not self.take_key(event.key()):
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the room that the words of any item need at this width."""
        super().resizeEvent(event)
        wrapped, width = Qt.TextFlag.TextWordWrap, self.width()
        for label, texts in (
            (self.meaning, [_meaning(row.item) for row in self.rows]),
            (self.keys, [KEYS]),
        ):
            metrics, room = label.fontMetrics(), QRect(0, 0, width, 0)
            heights = [metrics.boundingRect(room, wrapped.value, text).height() for text in texts]
            label.setMinimumHeight(max(heights))

    def showEvent(self, event: QShowEvent) -> None:
        """Insist on the width of the rows, now that their words and borders are known."""
        super().showEvent(event)
        bar = self._area.verticalScrollBar().sizeHint().width()
        self._area.setMinimumWidth(self._inside.minimumSizeHint().width() + bar)

    def _give(self, score: int) -> None:
        self.current.set_score(score)
        self._go(self._current + 1)

    def _go(self, number: int) -> None:
        self._set_current(min(max(number, 0), len(self.rows) - 1))
        self.take_focus()

    def _set_current(self, number: int) -> None:
        self._current = number
        for place, row in enumerate(self.rows):
            row.set_current(place == number)
        self.meaning.setText(_meaning(self.current.item))
        self._area.ensureWidgetVisible(self.current, 0, GRID)


def _meaning(item: Criterion) -> str:
    return f"{item.label}: {item.scale}"
