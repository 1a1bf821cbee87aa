"""What all dialogs have in common: plain words, a body that scrolls, buttons that are always in sight."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QDateTime, QSize, Qt, QTimer
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLayout,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QStyle,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from app.gui.widgets.boxes import add_to, scrolled, stacked
from app.gui.widgets.wording import in_window

Value = TypeVar("Value")
Named = TypeVar("Named", bound=QWidget)
Role = QDialogButtonBox.ButtonRole
GRID = 8
# Beside the verb of the act; Escape is its key, and so no letter is underlined.
CANCEL = "Cancel"
# By mouse and keys, to be copied.
SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
_LEAST_COLUMNS = 40
_SCREEN_SHARE = 0.92


def sentence(line: str) -> str:
    """A line of a summary as a sentence: a capital first, a full stop last."""
    return line[:1].upper() + line[1:] + ("" if line.endswith(".") else ".")


def here(moment: str) -> str:
    """A time in UTC as the clock here had it, in every language alike: "2026-11-22 21:30:05"."""
    return QDateTime.fromString(moment, Qt.DateFormat.ISODate).toLocalTime().toString("yyyy-MM-dd HH:mm:ss")


def named(widget: Named, name: str) -> Named:
    """The widget, which screen readers call so."""
    widget.setAccessibleName(name)
    return widget


def plain_label(text: str = "", name: str = "", lines: int = 0, *, top: bool = False) -> QLabel:
    """Words that wrap and are never taken for markup; at the top, as in room for so many `lines`."""
    label = named(QLabel(text, textFormat=Qt.TextFormat.PlainText, wordWrap=True), name)
    if lines:
        label.setMinimumHeight(lines * label.fontMetrics().lineSpacing())
    if lines or top:
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    return label


def heading(text: str = "", name: str = "") -> QLabel:
    """Words over others."""
    label = plain_label(text, name)
    font = label.font()
    font.setWeight(QFont.Weight.DemiBold)
    label.setFont(font)
    return label


def indented(widget: QWidget) -> QWidget:
    """The widget under the words of a box or a radio button."""
    holder = QWidget()
    stacked(holder, widget, margins=(3 * GRID, 0, 0, 0))
    return holder


def fold(title: str, widget: QWidget) -> QToolButton:
    """A button that folds a widget in and out; at first it is folded in."""
    button = QToolButton()
    button.setText(title)
    button.setCheckable(True)
    button.setAutoRaise(True)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setArrowType(Qt.ArrowType.RightArrow)
    widget.setVisible(False)

    def turn(open_: bool) -> None:
        button.setArrowType(Qt.ArrowType.DownArrow if open_ else Qt.ArrowType.RightArrow)
        widget.setVisible(open_)
        window = button.window()
        if isinstance(window, FormDialog) and window.isVisible():
            window.grow()
            if open_:
                # What is folded out has its place once it is laid out.
                QTimer.singleShot(0, window, lambda: window.bring(widget, button))

    button.toggled.connect(turn)
    return button


def question_box(
    parent: QWidget, title: str, question: str, act: str, call: Callable[[], object] | None = None
) -> QMessageBox:
    """Asks before an act: its verb is on the button that accepts and calls, and Return leaves all as it is.

    The verb has no underlined letter: Qt's box would take that letter typed alone for the answer.
    """
    box = QMessageBox(parent)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(question)
    box.addButton(act, QMessageBox.ButtonRole.AcceptRole)
    cancel = box.addButton(CANCEL, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(cancel)
    box.setEscapeButton(cancel)
    if call is not None:
        box.accepted.connect(call)
    return box


def while_alive(widget: QWidget, call: Callable[[Value], None]) -> Callable[[Value], None]:
    """The call, for as long as the widget is there: an answer may come after its dialog was closed."""

    def guarded(value: Value) -> None:
        if isValid(widget):
            call(value)

    return guarded


class FormDialog(QDialog):
    """A dialog whose body scrolls where the screen is too small for it; it is gone once it is closed.

    `notice` says, above the buttons, why the dialog cannot go on; `columns` is how many letters wide it is,
    `guide` the page of the guide that F1 shows.
    """

    columns = 112
    guide = "index"

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setSizeGripEnabled(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._inside = QWidget()
        self.body = stacked(self._inside, margins=(2 * GRID, 2 * GRID, 2 * GRID, GRID))
        self._area = area = scrolled(self._inside)
        self.notice = plain_label(name="Remark")
        self.notice.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.buttons = QDialogButtonBox()
        self.buttons.rejected.connect(self.reject)
        self.foot = stacked(None, self.notice, self.buttons, margins=(2 * GRID, 0, 2 * GRID, 2 * GRID))
        layout = stacked(self, area, self.foot, wide=area)
        # The body scrolls, so that its minimum must not keep the dialog from fitting a small screen.
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.setMinimumSize(_LEAST_COLUMNS * self.fontMetrics().averageCharWidth(), 20 * GRID)

    def lay_out(self, *parts: QWidget | QLayout | None, wide: object = None) -> None:
        """Put parts into the body, below each other; the `wide` one, or None, takes the room that is left."""
        add_to(self.body, *parts, wide=wide)

    def add_button(
        self, text: str, role: Role, call: Callable[[], object] | None = None, *, default: bool = False
    ) -> QPushButton:
        """A button at the foot that calls something; Return presses the default one."""
        button = self.buttons.addButton(text, role)
        button.setAutoDefault(default)
        button.setDefault(default)
        if call is not None:
            button.clicked.connect(call)
        return button

    def add_cancel(self) -> QPushButton:
        """The button that leaves all as it is."""
        return self.add_button(CANCEL, Role.RejectRole)

    def say(self, sentence: str) -> None:
        """Put a sentence above the buttons; its place is kept while there is none."""
        self.notice.setText(in_window(sentence))

    def grow(self) -> None:
        """Take the size that the words need now, and move up as far as the screen then wants."""
        self.resize(self.size().expandedTo(self.sizeHint()))
        below = self.frameGeometry().bottom() - self.screen().availableGeometry().bottom()
        if below > 0:
            self.move(self.x(), max(self.y() - below, self.screen().availableGeometry().top()))

    def bring(self, *parts: QWidget) -> None:
        """Scroll the body until these are in sight, if need be the last of them alone."""
        for part in parts:
            self._area.ensureWidgetVisible(part)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.HelpContents):
            from app.gui.guide.window import show_guide

            show_guide(self.guide)
        else:
            super().keyPressEvent(event)

    def written(self) -> bool:
        """Whether somebody wrote something in a field of several lines that is not kept."""
        fields = self.findChildren(QPlainTextEdit)
        return any(one.document().isModified() and one.toPlainText().strip() for one in fields)

    def reject(self) -> None:
        """Close, once it is asked whether what was written may go."""
        if self.isVisible() and self.written():
            title, question = self.windowTitle(), "What you wrote here is not kept. Throw it away?"
            question_box(self, title, question, "Throw away", self._throw_away).open()
        else:
            super().reject()

    def _throw_away(self) -> None:
        super().reject()
        # Of two windows that close at once some window managers give the keyboard to the one that is gone.
        if over := self.parentWidget():
            over.activateWindow()

    def setVisible(self, visible: bool) -> None:
        """Take the size that the words need; Qt alone would stop at two thirds of the screen."""
        if visible and not self.testAttribute(Qt.WidgetAttribute.WA_Resized):
            self.resize(self.sizeHint())
        super().setVisible(visible)

    def sizeHint(self) -> QSize:
        """Wide enough for the words and as high as the body needs, within the screen."""
        whole = self.screen().availableSize()
        screen = whole * _SCREEN_SHARE
        self.notice.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        width = min(self.fontMetrics().averageCharWidth() * self.columns, screen.width())
        # Rather over all of the screen than scrolled to the side.
        width = max(width, min(self._widest(), whole.width()))
        inside = self.body.heightForWidth(width) if self.body.hasHeightForWidth() else 0
        height = max(inside, self._inside.sizeHint().height() if inside <= 0 else 0)
        height += self.foot.sizeHint().height() + 2 * GRID
        return QSize(width, min(height, screen.height()))

    def _widest(self) -> int:
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        return max(self._inside.minimumSizeHint().width() + bar, self.buttons.sizeHint().width() + 4 * GRID)
