"""One category of the palette: its tick, swatch, name, number of spans and key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QLabel,
    QSizePolicy,
    QStackedLayout,
    QToolButton,
    QToolTip,
    QWidget,
)

from app.gui.dialogs.forms import named
from app.gui.widgets.boxes import lined
from app.gui.widgets.guideline_text import definition_of
from app.gui.widgets.plain import ElidedLabel, bold
from app.gui.widgets.swatch import Swatch
from app.gui.widgets.tips import explain, tip
from app.palette import PagePalette
from app.text import counted
from extractors.model.scheme import Category

NONE_STATED, NONE_YET = "none", "–"
_BAR = 3
# What the column of numbers has room for, and how "none" is written where there is room for a letter or two.
_MOST, _FEW, _NONE_IN_SHORT = "9999", "99", "0"
# Of how many letters names have room as they are; the text needs its own.
_LETTERS = 32
_KEYS = "Enter labels, Space shows or hides, minus states that nothing was found, the menu key has more."


@dataclass(frozen=True, slots=True)
class RowState:
    """What a row shows beside its name; `nothing` says that "nothing found" is stated, `ready` that a report
    is open."""

    count: int = 0
    nothing: bool = False
    shown: bool = True
    in_use: bool = False
    ready: bool = False


class CategoryRow(QAbstractButton):
    """Says what the user asks for and shows what it is told; a click leaves the focus where it is."""

    label_wanted = Signal(str)
    visibility_wanted = Signal(str)
    nothing_wanted = Signal(str)
    menu_wanted = Signal(str, QPoint)
    moved = Signal(str, int)
    focused = Signal(str)

    def __init__(self, category: Category, palette: PagePalette) -> None:
        super().__init__()
        self.setAccessibleDescription(_KEYS)
        # A button's own would be those of a raised one.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setBackgroundRole(QPalette.ColorRole.NoRole)
        self.setForegroundRole(QPalette.ColorRole.NoRole)
        self.category = category
        self._state = RowState()
        self._key, self._beside = "", 0
        self.tick = self._made_tick()
        self.swatch = Swatch(palette, category.id)
        self.name = ElidedLabel()
        self.count = QLabel()
        self.nothing = self._made_nothing()
        self.key = QLabel()
        for label in (self.count, self.key):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._count_cell = QWidget()
        self._counts = QStackedLayout(self._count_cell)
        self._counts.addWidget(self.count)
        self._counts.addWidget(self.nothing)
        self._lay_out()
        self.clicked.connect(lambda: self.label_wanted.emit(category.id))
        self._keys: dict[int, Callable[[], None]] = {
            Qt.Key.Key_Return: lambda: self.label_wanted.emit(category.id),
            Qt.Key.Key_Enter: lambda: self.label_wanted.emit(category.id),
            Qt.Key.Key_Space: lambda: self.visibility_wanted.emit(category.id),
            Qt.Key.Key_Minus: self._toggle_nothing,
            Qt.Key.Key_Up: lambda: self.moved.emit(category.id, -1),
            Qt.Key.Key_Down: lambda: self.moved.emit(category.id, 1),
            Qt.Key.Key_Left: lambda: self.moved.emit(category.id, -self._beside),
            Qt.Key.Key_Right: lambda: self.moved.emit(category.id, self._beside),
        }
        self.name.installEventFilter(self)

    # What is shown

    def show_state(self, state: RowState) -> None:
        if state != self._state:
            self._state = state
            self._write()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A new style or size takes the name's own letters away: give them back."""
        changed = event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange)
        if changed and watched is self.name and self.name.font().bold() != self._state.in_use:
            self.name.setFont(self._lettering())
        return super().eventFilter(watched, event)

    def _lettering(self) -> QFont:
        font = self.font()
        font.setBold(self._state.in_use)
        return font

    def _write(self) -> None:
        state = self._state
        self.tick.setChecked(state.shown)
        self.count.setText(str(state.count))
        self.nothing.setChecked(state.nothing)
        self.nothing.setText(self._none_stated() if state.nothing else NONE_YET)
        self.nothing.setEnabled(state.ready)
        self._counts.setCurrentWidget(self.count if state.count else self.nothing)
        self.name.setFont(self._lettering())
        short = self.category.id.partition("_")[0]
        self.name.say(self.category.name, short)
        self.swatch.say(*((self.category.name, short) if self._beside else ()))
        self.swatch.setHidden(self._beside > 0 and not state.shown)
        self.name.setHidden(self._beside > 0 and state.shown)
        # The row's own tip has the name and the definition.
        explain(self.name, "")
        self.name.setForegroundRole(
            QPalette.ColorRole.WindowText if state.shown else QPalette.ColorRole.PlaceholderText
        )
        self._describe()
        self.update()

    def show_key(self, key: str) -> None:
        self._key = key
        self.key.setText(key)
        self._describe()

    def set_page_palette(self, palette: PagePalette) -> None:
        self.swatch.set_page_palette(palette)

    def sizeHint(self) -> QSize:
        """Room for the whole name, also while it is bold, unless it is very long."""
        hint, metrics = super().sizeHint(), QFontMetrics(bold(self.font()))
        wanted = min(metrics.horizontalAdvance(self.category.name), _LETTERS * metrics.averageCharWidth()) + 2
        wide = hint.width() + wanted - (0 if self.name.isHidden() else self.name.sizeHint().width())
        return QSize(wide // 2, self._least_height()) if self._beside else QSize(wide, self.height_alone())

    def height_alone(self) -> int:
        """Its height with no row beside it, whether there is one now or not."""
        parts = (self.nothing.sizeHint().height(), self.tick.sizeHint().height(), self._least_height())
        return max(parts) + 2

    def fold(self, beside: int) -> None:
        """Take half the width, beside the row `beside` rows further, without the tick; all of it for 0.

        A word on the colour stands for letters and name, and without the colour where the category is hidden,
        which Space and the row's menu still do.
        """
        self._beside = beside
        self.tick.setHidden(beside > 0)
        self._write()
        self.updateGeometry()

    def fit(self, key_width: int) -> None:
        """Give the columns widths that no count and no state changes."""
        metrics = self.fontMetrics()
        self.key.setFixedWidth(key_width)
        shown = self.nothing.text()
        self.nothing.setText(self._none_stated())
        most = metrics.horizontalAdvance(_FEW if self._beside else _MOST)
        width = max(self.nothing.sizeHint().width(), most)
        self.nothing.setText(shown)
        if self.name.font() != self._lettering():
            self._write()
        self._count_cell.setFixedWidth(width)
        # Where the window is low, wide borders leave the air between the rows to the last of them.
        for part in (self.tick, self.nothing):
            part.setMinimumHeight(self._least_height())

    # Inside

    def _none_stated(self) -> str:
        return _NONE_IN_SHORT if self._beside else NONE_STATED

    def _least_height(self) -> int:
        return self.fontMetrics().height() + (1 if self._beside else 4)

    def _made_tick(self) -> QCheckBox:
        tick = named(QCheckBox(), f"Show {self.category.name} in the text")
        tick.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        explain(tick, "Show in the text")
        tick.clicked.connect(lambda: self.visibility_wanted.emit(self.category.id))
        return tick

    def _made_nothing(self) -> QToolButton:
        button = named(QToolButton(), f"Nothing found of {self.category.name}")
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.setStyleSheet("QToolButton { padding: 0px 3px; }")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        explain(button, "State that the report says nothing of it")
        button.clicked.connect(self._toggle_nothing)
        return button

    def _lay_out(self) -> None:
        parts = (self.tick, self.swatch, self.name, self._count_cell, self.key)
        lined(self, *parts, wide=self.name, margins=(_BAR + 5, 0, 4, 0), spacing=6)

    def _describe(self) -> None:
        state = self._state
        parts = [self.category.name, f"key {self._key}" if self._key else "no key"]
        parts.append("nothing found" if state.nothing and not state.count else counted(state.count, "span"))
        parts += [] if state.shown else ["hidden"]
        parts += ["in use"] if state.in_use else []
        self.setAccessibleName(", ".join(parts))

    def _toggle_nothing(self) -> None:
        # What is stated is what is on disk, not what was clicked.
        self.nothing.setChecked(self._state.nothing)
        if self._state.ready and not self._state.count:
            self.nothing_wanted.emit(self.category.id)

    # Events

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = f"{self.category.name}\n{definition_of(self.category)}"
            QToolTip.showText(event.globalPos(), tip(words), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._keys.get(event.key())
        if act is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
            return
        act()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        place = self.mapToGlobal(self.rect().bottomLeft()) if by_key else event.globalPos()
        self.menu_wanted.emit(self.category.id, place)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(self.category.id)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._state.in_use:
            painter.fillRect(self.rect(), self.palette().color(QPalette.ColorRole.AlternateBase))
            bar = QRectF(0, 0, _BAR, self.height())
            painter.fillRect(bar, self.palette().color(QPalette.ColorRole.Highlight))
        if self.hasFocus():
            painter.setPen(self.palette().color(QPalette.ColorRole.Highlight))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
