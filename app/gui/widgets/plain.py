"""Untrusted texts shown as they are, and cut where there is no room."""

from __future__ import annotations

from unicodedata import bidirectional

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy

from app.gui.widgets.flow import Fitted
from app.gui.widgets.tips import explain

_LEAST_CHARACTERS = 6
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"


def caption(text: str) -> str:
    """The text for a menu or a button, where a single "&" would mark a key."""
    return text.replace("&", "&&")


def one_line(text: str) -> str:
    """The text without line ends and runs of white space."""
    return " ".join(text.split())


def cut_in_middle(text: str, most: int = 160) -> str:
    """The text on one line, its middle left out where it is long: the end of a path tells it from others."""
    line = one_line(text)
    return line if len(line) <= most else f"{line[: most // 2]} … {line[-most // 2 :]}"


def is_right_to_left(text: str) -> bool:
    """Whether the first letter of the text is of a right-to-left script."""
    strong = (kind for kind in map(bidirectional, text) if kind in {"L", *_RIGHT_TO_LEFT})
    return next(strong, "L") in _RIGHT_TO_LEFT


def quoted(text: str) -> str:
    """The text in quotation marks, apart from the order of the sentence where it runs from right to left."""
    apart = not text.isascii() and any(bidirectional(character) in _RIGHT_TO_LEFT for character in text)
    return f"“{_ISOLATE}{text}{_END_ISOLATE}”" if apart else f"“{text}”"


def layout_direction(text: str) -> Qt.LayoutDirection:
    """The direction in which the text is read."""
    right_to_left = is_right_to_left(text)
    return Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight


def beside(text: str) -> Qt.AlignmentFlag:
    """On the side at which the text begins, half-way up."""
    side = Qt.AlignmentFlag.AlignRight if is_right_to_left(text) else Qt.AlignmentFlag.AlignLeft
    # Absolute: a painter that draws from right to left would else turn the sides round.
    return side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter


def bold(font: QFont, scale: float = 1.0) -> QFont:
    """The letters in bold, so many times as large."""
    letters = QFont(font)
    letters.setBold(True)
    if scale != 1.0 and font.pointSizeF() > 0:
        letters.setPointSizeF(font.pointSizeF() * scale)
    return letters


def two_lines(text: str, font: QFont, width: int) -> tuple[str, ...]:
    """The text in one or two lines of `width` pixels; what does not fit into the second is cut."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    if not line.isValid():
        return (text,)
    line.setLineWidth(max(width, 1))
    layout.endLayout()
    # Qt counts in UTF-16.
    units = text.encode("utf-16-le", "surrogatepass")
    cut = 2 * line.textLength()
    first, rest = (part.decode("utf-16-le", "surrogatepass").strip() for part in (units[:cut], units[cut:]))
    if not rest:
        return (first,)
    return first, QFontMetrics(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)


class ElidedLabel(Fitted, QLabel):
    """One line of plain text, cut where there is no room, or said in `short`; the tool tip has all of it.

    It asks for the room of `reserve`, whatever it says, so that nothing beside it moves.
    """

    def __init__(self, reserve: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._reserve = reserve
        self._full = self._short = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def full_text(self) -> str:
        """What it says, cut or not."""
        return self._full

    def say(self, text: str, short: str = "") -> None:
        if one_line(text) != self._full:
            # Where there was no room the letters that are drawn stay none, and nobody else asks for it.
            self.updateGeometry()
        self._full, self._short = one_line(text), short
        explain(self, text)
        self.setAccessibleName(self._full)
        self.arrange()

    def reserve(self, text: str) -> None:
        """Ask for the room of this text from now on."""
        self._reserve = text
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        wanted = self._reserve or self._full
        return QSize(self.fontMetrics().horizontalAdvance(wanted) + 2, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        least = self.fontMetrics().averageCharWidth() * _LEAST_CHARACTERS
        return QSize(min(least, self.sizeHint().width()), self.fontMetrics().height())

    def arrange(self) -> None:
        metrics, room = self.fontMetrics(), self.contentsRect().width()
        elided = metrics.elidedText(self._full, Qt.TextElideMode.ElideRight, room)
        short = elided != self._full and 0 < metrics.horizontalAdvance(self._short) <= room
        self.setText(self._short if short else elided)


class ElidedButton(QPushButton):
    """A button, flat as a rule, whose words are cut where there is no room."""

    def __init__(self, words: str = "", *, flat: bool = True) -> None:
        super().__init__(words, flat=flat)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        least = self.fontMetrics().averageCharWidth() * (_LEAST_CHARACTERS + 4)
        return QSize(min(least, hint.width()), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it as the style does, with the words cut."""
        # Imported here: to name all that a style can draw would hold up the first window.
        from PySide6.QtWidgets import QStyle, QStyleOptionButton

        option = QStyleOptionButton()
        self.initStyleOption(option)
        lacking = self.sizeHint().width() - self.width()
        if lacking > 0:
            metrics = self.fontMetrics()
            room = metrics.horizontalAdvance(self.text()) - lacking
            option.text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        self.style().drawControl(QStyle.ControlElement.CE_PushButton, option, QPainter(self), self)
