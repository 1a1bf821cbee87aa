"""Choices among several, and numbers: a wheel leaves them as they are, it scrolls what is around them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TypeAlias

from PySide6.QtCore import QEvent, QRect, QSignalBlocker, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QKeyEvent, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
)

from app.gui.widgets.flow import Unwheeled
from app.gui.widgets.tips import tip

# What is shown of an entry where there is no room for all its words.
SHORT = Qt.ItemDataRole.UserRole + 1
_ROWS = 20
Entry: TypeAlias = tuple[str, object] | tuple[str, object, str]


class DropDown(Unwheeled, QComboBox):
    """With `letters` it asks for the room of so many, however long its entries are; its list does not.

    `entries` are the words of each, what they stand for, and for some a tool tip.
    """

    def __init__(self, name: str, letters: int = 0, *, entries: Iterable[Entry] = ()) -> None:
        super().__init__()
        # A wheel does not take the focus to it either.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setAccessibleDescription("")
        # Qt's own delegate for these lists takes no room for its rows from the style sheet.
        self.setItemDelegate(QStyledItemDelegate(self))
        self.setMaxVisibleItems(_ROWS)
        if letters:
            self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            self.setMinimumContentsLength(letters)
        self.fill(entries)

    @property
    def values(self) -> list[object]:
        """What the entries stand for."""
        return [self.itemData(place) for place in range(self.count())]

    def fill(self, entries: Iterable[Entry], chosen: object = None) -> None:
        """List these in the place of those there, without a word about it, and choose what stands for
        `chosen`, else the first."""
        with QSignalBlocker(self):
            self.clear()
            for words, value, *about in entries:
                self.addItem(words, value)
                if about:
                    self.setItemData(self.count() - 1, tip(str(about[0])), Qt.ItemDataRole.ToolTipRole)
            self.setCurrentIndex(max(self.findData(chosen), 0))

    def setAccessibleDescription(self, words: str) -> None:
        """What screen readers say behind its name, or its name, as Qt names it by what is chosen on Linux."""
        self._about = words
        super().setAccessibleDescription(words or self.accessibleName() * (sys.platform == "linux"))

    def showPopup(self) -> None:
        """List the entries, in a list as wide as the longest of them."""
        view = self.view()
        view.setAccessibleName(self.accessibleName())
        beside = view.verticalScrollBar().sizeHint().width() + 2 * view.frameWidth()
        wanted = view.sizeHintForColumn(0) + beside
        view.setMinimumWidth(min(wanted, self.screen().availableSize().width() // 2))
        super().showPopup()

    def event(self, event: QEvent) -> bool:
        """Say under the mouse what has no room, above what the tool tip says else."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            _, room = self._room()
            if self.fontMetrics().horizontalAdvance(self.currentText()) > room:
                words = "\n".join(filter(None, (self.currentText(), self._about)))
                QToolTip.showText(event.globalPos(), tip(words), self)
                return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Leave out the middle of what has no room, since names often differ only at their ends."""
        option, room = self._room()
        text = option.currentText
        if self.isEditable() or option.fontMetrics.horizontalAdvance(text) <= room:
            # Its own line shows what is typed.
            super().paintEvent(event)
            return
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        # The style keeps a pixel free at either side.
        metrics, room, box = option.fontMetrics, room - 2, self._field(option)
        short = self.currentData(SHORT) or text
        words = metrics.elidedText(short, Qt.TextElideMode.ElideMiddle, room)
        if box.height() >= 2 * metrics.lineSpacing():
            words = _two_lines(text, metrics, room) or _two_lines(short, metrics, room) or words
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        role = QPalette.ColorRole.ButtonText
        painter.drawItemText(box.adjusted(1, 0, -1, 0), side, self.palette(), self.isEnabled(), words, role)

    def _room(self) -> tuple[QStyleOptionComboBox, int]:
        """How it is painted, and the width that its words have."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return option, self._field(option).width()

    def _field(self, option: QStyleOptionComboBox) -> QRect:
        field = QStyle.SubControl.SC_ComboBoxEditField
        return self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self)


def _two_lines(text: str, metrics: QFontMetrics, room: int) -> str:
    """The words in two lines, parted behind a sign if that will do; "" where there is no room for them."""
    fits = max((n for n in range(len(text)) if metrics.horizontalAdvance(text[:n]) <= room), default=0)
    signs = [n for n in range(fits, 0, -1) if not text[n - 1].isalnum()]
    for cut in (*signs[:1], fits):
        if metrics.horizontalAdvance(text[cut:].lstrip()) <= room:
            return f"{text[:cut].rstrip()}\n{text[cut:].lstrip()}"
    return ""


_WALKING = frozenset(
    {
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
    }
)


class DeliberateChoice(DropDown):
    """Arrows and letters open the list and go through it there; Return, or a click, chooses."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What would step from entry to entry opens the list instead."""
        commanding = event.modifiers() & ~(
            Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        )
        typed = event.text() if event.text().isprintable() else ""
        walks = event.key() in _WALKING or bool(typed.strip())
        if not walks or commanding != Qt.KeyboardModifier.NoModifier or not self.count():
            super().keyPressEvent(event)
            return
        self.showPopup()
        if typed.strip():
            self.view().keyboardSearch(typed)

    def showPopup(self) -> None:
        """Where nothing is chosen yet, what would be chosen first is what Return chooses."""
        super().showPopup()
        if self.currentIndex() < 0:
            self.view().setCurrentIndex(self.model().index(0, self.modelColumn()))


class NumberBox(Unwheeled, QSpinBox):
    """A whole number."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


class DecimalBox(Unwheeled, QDoubleSpinBox):
    """A number with decimals."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
