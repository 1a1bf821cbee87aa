"""Layouts that say how widgets stand, and the small parts that most of them hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QBoxLayout,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.shell.acts.actions import Actions
from app.gui.widgets.flow import Arranging, Lettered, Unwheeled
from app.gui.widgets.tips import explain, with_key

Box = TypeVar("Box", bound=QBoxLayout)
Button = TypeVar("Button", bound=QAbstractButton)
Margins = tuple[int, int, int, int]
_NONE: Margins = (0, 0, 0, 0)
_GRID = 8


def stacked(
    holder: QWidget | None,
    *parts: QWidget | QLayout | None,
    wide: object = None,
    margins: Margins = _NONE,
    spacing: int = _GRID,
) -> QVBoxLayout:
    """Lays parts one below the other in a widget; the `wide` one, or None, takes the room that is left."""
    layout = QVBoxLayout(holder) if holder is not None else QVBoxLayout()
    return _filled(layout, parts, wide, margins, spacing)


def lined(
    holder: QWidget | None,
    *parts: QWidget | QLayout | None,
    wide: object = None,
    margins: Margins = _NONE,
    spacing: int = _GRID,
) -> QHBoxLayout:
    """Lays parts beside each other in a widget; the `wide` one, or None, takes the room that is left."""
    layout = QHBoxLayout(holder) if holder is not None else QHBoxLayout()
    return _filled(layout, parts, wide, margins, spacing)


def add_to(layout: QBoxLayout, *parts: QWidget | QLayout | None, wide: object = None) -> None:
    """Adds parts; the `wide` one, or None, takes the room that is left."""
    for part in parts:
        if part is None:
            layout.addStretch(1)
        elif isinstance(part, QWidget):
            layout.addWidget(part, 1 if part is wide else 0)
        else:
            layout.addLayout(part, 1 if part is wide else 0)


def row_of(*parts: QWidget, wide: QWidget | None = None) -> QWidget:
    """Parts beside each other, of which the `wide` one, or a field for words, takes what room there is."""
    holder = QWidget()
    lined(holder, *parts, wide=wide or next((one for one in parts if isinstance(one, QLineEdit)), None))
    return holder


def split(orientation: Qt.Orientation, *parts: QWidget, shares: Sequence[int] = ()) -> QSplitter:
    """Parts with a line between them that can be moved, though none goes; they grow by their `shares`."""
    splitter = QSplitter(orientation, childrenCollapsible=False)
    for part in parts:
        splitter.addWidget(part)
    for place, share in enumerate(shares):
        splitter.setStretchFactor(place, share)
    return splitter


def pages_of(*parts: QWidget) -> QStackedWidget:
    """Parts of which one is shown, at first the first."""
    pages = QStackedWidget()
    for part in parts:
        pages.addWidget(part)
    return pages


def empty(layout: QLayout) -> None:
    """Take everything out of a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


def labelled(words: str, widget: QWidget) -> QLabel:
    """The words before a field, whose key leads into it."""
    label = QLabel(words)
    label.setBuddy(widget)
    return label


def field_rows(*rows: tuple[QWidget, QWidget]) -> QFormLayout:
    """Fields below each other, each beside its words, or below them where there is little room."""
    form = QFormLayout()
    form.setContentsMargins(0, 0, 0, 0)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setSpacing(_GRID)
    for words, field in rows:
        form.addRow(words, field)
    return form


class LeadsBack:
    """Beside a kind of widget: Escape that none of its parts has a use for leads back to the text."""

    text_wanted: Signal

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.text_wanted.emit()  # type: ignore[call-overload]
        else:
            super().keyPressEvent(event)  # type: ignore[misc]


class Panel(QScrollArea):
    """What stands at a side: it scrolls up and down, by the pointer and by what is inside."""

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)


_ACTION = QAbstractSlider.SliderAction
_ENDS: dict[int, QAbstractSlider.SliderAction] = {
    Qt.Key.Key_Home: _ACTION.SliderToMinimum,
    Qt.Key.Key_End: _ACTION.SliderToMaximum,
}


class _Scrolled(QScrollArea):
    """Goes to its start and end by key, as it goes by lines and pages."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        end = _ENDS.get(event.key()) if not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier else None
        if end is None:
            super().keyPressEvent(event)
        else:
            self.verticalScrollBar().triggerAction(end)


class _WholeLines(_Scrolled):
    """Ends below a whole line of its words, all in letters of one size."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        high = self.viewport().height() + self.viewportMargins().bottom()
        line, inside = self.fontMetrics().lineSpacing(), self.widget()
        above = inside.contentsMargins().top() if inside is not None else 0
        self.setViewportMargins(0, 0, 0, (high - above) % line if high > above + line else 0)


def scrolled(inside: QWidget, name: str = "") -> QScrollArea:
    """What scrolls where there is less room than it needs; with a name it is reached by keys itself, without
    one what is inside is."""
    area = _WholeLines() if isinstance(inside, QLabel) else _Scrolled()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(inside)
    area.setAccessibleName(name)
    area.setProperty("reached", bool(name))
    area.setFocusPolicy(Qt.FocusPolicy.StrongFocus if name else Qt.FocusPolicy.NoFocus)
    return area


def push_button(words: str, call: Callable[[], object]) -> QPushButton:
    """A button in the body of a dialog, which Return presses only where it has the focus."""
    button = QPushButton(words)
    button.setAutoDefault(False)
    button.clicked.connect(lambda _checked=False: call())
    return button


def sign_button(sign: str, hint: str, call: Callable[[], object]) -> QToolButton:
    """A small flat button of one sign, which Tab reaches and a click leaves without the focus."""
    button = QToolButton(autoRaise=True)
    button.setText(sign)
    button.setStyleSheet("QToolButton { padding: 0px 3px; }")
    button.clicked.connect(lambda _checked=False: call())
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(hint)
    explain(button, hint)
    return button


def _filled(
    layout: Box, parts: tuple[QWidget | QLayout | None, ...], wide: object, margins: Margins, spacing: int
) -> Box:
    layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    add_to(layout, *parts, wide=wide)
    return layout


_SPACING = 4
# What a button says with its key, and without.
_WORDS = "words"
_LOW, _NARROW = 36, 120

# Milliseconds that a panel waits after a change, so that the text is painted first.
AFTER_THE_TEXT = 20


def follow_keys(
    widget: QWidget, actions: Actions, commands: Sequence[str], written: Callable[[], None]
) -> None:
    """Call now, and after every change of these commands' keys for as long as the widget is there."""
    connections = [actions[command].changed.connect(written) for command in commands]

    def leave() -> None:
        for connection in connections:
            QObject.disconnect(connection)

    # The commands outlive the project's panels.
    widget.destroyed.connect(leave)
    written()


def print_key(button: QAbstractButton, words: str, actions: Actions, command: str) -> None:
    """Give a button words and the key of a command, as it is now and after every change of keys."""

    def written() -> None:
        whole = with_key(words, actions.key(command))
        button.setProperty(_WORDS, (whole, words))
        button.setText(whole)
        explain(button, actions.hint(command))

    follow_keys(button, actions, [command], written)


class _Once(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return event.type() == QEvent.Type.MouseButtonDblClick


def once(button: QAbstractButton) -> None:
    """A double click presses it once: the second would be for what comes next, which nobody has seen."""
    button.installEventFilter(_Once(button))


def for_command(button: Button, words: str, actions: Actions, command: str) -> Button:
    """The button, which carries a command out and shows its key."""
    print_key(button, words, actions, command)
    if not actions[command].autoRepeat():
        once(button)
    button.clicked.connect(actions[command].trigger)
    return button


def heading_label(words: str) -> QLabel:
    """The heading of a group of parts."""
    label = QLabel(words)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("heading", True)
    return label


class FlexRow(Lettered, Arranging):
    """Widgets beside each other where there is room, below each other where there is not.

    Buttons that `shed` their keys stand beside each other without them before they go below each other.
    """

    def __init__(self, widgets: Sequence[QWidget], shed: Sequence[QAbstractButton] = ()) -> None:
        super().__init__()
        self._widgets, self._shed = tuple(widgets), tuple(shed)
        # What buttons asked for with these words: reckoned from others it may be a pixel off,
        # and they would come and go.
        self._wanted: dict[tuple[QAbstractButton, str], int] = {}
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(_SPACING)
        for widget in widgets:
            self._box.addWidget(widget, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """The width of all of them beside each other, also while they are not."""
        return QSize(self._beside(), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        widest = max(widget.minimumSizeHint().width() for widget in self._widgets)
        return QSize(widest, super().minimumSizeHint().height())

    def arrange(self) -> None:
        width, short = self.width(), self._beside(keys=False)
        keys = not short <= width < self._beside()
        for button in self._shed:
            words = button.property(_WORDS)[0 if keys else 1]
            if button.text() != words:
                button.setText(words)
        beside = QBoxLayout.Direction.LeftToRight
        direction = beside if width >= short else QBoxLayout.Direction.TopToBottom
        if direction != self._box.direction():
            self._box.setDirection(direction)
            self.updateGeometry()

    def fit_letters(self) -> None:
        self._wanted.clear()

    def _beside(self, *, keys: bool = True) -> int:
        wanted = sum(widget.sizeHint().width() + _SPACING for widget in self._widgets) - _SPACING
        for button in self._shed:
            now, words = button.sizeHint().width(), button.property(_WORDS)[0 if keys else 1]
            self._wanted[button, button.text()] = now
            advance = button.fontMetrics().horizontalAdvance
            reckoned = now + advance(words) - advance(button.text())
            wanted += self._wanted.get((button, words), reckoned) - now
        return wanted


def is_low(widget: QWidget) -> bool:
    """Whether its window is so few lines of the interface high that all parts must do with less."""
    return widget.window().height() < _LOW * widget.fontMetrics().lineSpacing()


def is_narrow(widget: QWidget) -> bool:
    """Whether its window is so few letters of the interface wide that what shows nothing takes no room."""
    return widget.window().width() < _NARROW * widget.fontMetrics().averageCharWidth()


def lines_high(widget: QFrame, lines: int) -> int:
    """Height in pixels of a framed list or text that shows so many lines."""
    return (widget.fontMetrics().height() + 3) * lines + 2 * (widget.frameWidth() + 1)


class TabBar(Unwheeled, QTabBar):
    """Tabs alone."""


class Tabs(QTabWidget):
    """The pages and their tabs have one name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setTabBar(TabBar())
        for part in (self, self.tabBar()):
            part.setAccessibleName(name)
