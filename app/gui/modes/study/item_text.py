"""An item as a page to be read, untrusted words as plain text, and a study's table beside them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication, QFrame, QSizePolicy, QTextEdit, QWidget

from app.gui.dialogs.forms import GRID, SELECTABLE
from app.gui.widgets.boxes import heading_label, stacked
from app.gui.widgets.flow import Lettered
from app.gui.widgets.lists import ListTable
from app.operations.study.answers import in_words
from app.text import as_label
from extractors.tasks import choice
from extractors.tasks.forms import Choice

if TYPE_CHECKING:
    from app.studies.study import Beside

_SCALE, _LINE, _MARGIN, _ABOVE = 1.2, 130, 24, 12
_LEAST_LINES = 4
# What blinded views put in the place of words (`extractors.blinding.view`).
_MASKS = re.compile(r"(\[(?:[A-Z]+_MASKED|REMOVED)\])")
Parts = Iterable[tuple[str, str]]


class ItemText(Lettered, QTextEdit):
    """Headings and words below each other; nothing in them is taken for markup."""

    def __init__(self, name: str, *, snug: bool = False, scale: float = _SCALE) -> None:
        """A `snug` one is no higher than its words; words without a heading are by `scale` larger."""
        super().__init__()
        self._snug, self._scale = snug, scale
        if snug:
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
            self.document().documentLayout().documentSizeChanged.connect(lambda _: self.updateGeometry())
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(name)
        self.setTextInteractionFlags(SELECTABLE)
        self.document().setDocumentMargin(_MARGIN)
        self._parts: tuple[tuple[str, str], ...] = ()

    def put(self, parts: Parts) -> None:
        """Show these; a heading may be "". The same again stays where it is."""
        wanted = tuple(parts)
        if wanted != self._parts:
            self._parts = wanted
            self._write()

    def enlarge(self, scale: float) -> None:
        """Words without a heading are by so much larger from now on."""
        if scale != self._scale:
            self._scale = scale
            self._write()

    def _write(self) -> None:
        self.clear()
        cursor = QTextCursor(self.document())
        words, heading, block, above = _formats()
        large = QTextCharFormat(words)
        large.setFontPointSize(QApplication.font().pointSizeF() * self._scale)
        first = True
        for title, given in self._parts:
            for text, shape in ((title, heading), (given, words)):
                if not text:
                    continue
                if not first:
                    cursor.insertBlock()
                first = False
                cursor.setBlockFormat(above if shape is heading else block)
                drawn = large if shape is words and not title else shape
                for place, piece in enumerate(_MASKS.split(text)):
                    cursor.insertText(piece, _mask() if place % 2 else drawn)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def sizeHint(self) -> QSize:
        """Of a snug one as high as the words in the width there is."""
        if not self._snug:
            return super().sizeHint()
        high = math.ceil(self.document().size().height()) + self.fontMetrics().lineSpacing()
        return QSize(super().sizeHint().width(), high)

    def minimumSizeHint(self) -> QSize:
        """Some lines of a snug one are read without scrolling, whatever stands below."""
        least = super().minimumSizeHint()
        if not self._snug:
            return least
        line = self.fontMetrics().lineSpacing() * self._scale * _LINE / 100
        return QSize(least.width(), min(self.sizeHint().height(), 2 * _MARGIN + round(_LEAST_LINES * line)))

    def fit_letters(self) -> None:
        if self._parts:
            self._write()


CHOICES = (Choice, choice.Options)
IDK = "I do not know"


def options_of(form: Choice | choice.Options, *, idk: bool = True) -> dict[str, str]:
    """The words of a choice's options by key; `idk` with "I do not know", where the form knows that."""
    if isinstance(form, Choice):
        return dict(form.options)
    return {**form.words, **({form.idk: IDK} if idk else {})}


def input_parts(given: Mapping[str, Any]) -> Parts:
    pictured = bool(shown_pictures(given))
    # Of a case the question comes first; its pictures are shown, not spelled out.
    for name, value in sorted(given.items(), key=lambda one: pictured and one[0] != "question"):
        if name == "pictures" and pictured:
            continue
        yield as_label(name), _lines(value)


def shown_pictures(given: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The pictures of an item: what each is called for people, and its SHA-256."""
    listed = given.get("pictures")
    found = []
    for place, one in enumerate(listed if isinstance(listed, list) else (), start=1):
        if isinstance(one, Mapping) and isinstance(one.get("sha256"), str):
            kind = f", {one['modality']}" if one.get("modality") else ""
            found.append((f"Figure {place}{kind}", one["sha256"]))
    return found


def _mask() -> QTextCharFormat:
    """A plain block in the place of words that are not to be read."""
    shape = QTextCharFormat()
    colour = QApplication.palette().placeholderText()
    shape.setBackground(colour)
    shape.setForeground(colour)
    return shape


def _lines(value: Any) -> str:  # noqa: ANN401 (any JSON value)
    if isinstance(value, Mapping):
        return "\n".join(f"{name}: {in_words(one)}" for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return "\n".join(f"– {in_words(one)}" for one in value)
    return in_words(value)


def _formats() -> tuple[QTextCharFormat, QTextCharFormat, QTextBlockFormat, QTextBlockFormat]:
    size = QApplication.font().pointSizeF()
    words, heading = QTextCharFormat(), QTextCharFormat()
    words.setFontPointSize(size * _SCALE)
    heading.setFontPointSize(size)
    heading.setFontWeight(QFont.Weight.DemiBold)
    heading.setForeground(QApplication.palette().placeholderText())
    block, above = QTextBlockFormat(), QTextBlockFormat()
    for shape in (block, above):
        shape.setLineHeight(_LINE, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    above.setTopMargin(_ABOVE)
    return words, heading, block, above


_WIDE, _LINES = 1, 3
# So many letters wide are the words of the one column, and each of the others.
_WORDS, _EACH = 32, 8


class BesidePanel(QWidget):
    """Heading and table; hidden where there is nothing to show. Whose titles they are stands among the words,
    where there is room for it."""

    def __init__(self) -> None:
        super().__init__()
        self._heads: tuple[str, ...] = ()
        self.title = heading_label("")
        self.table: ListTable | None = None
        self._column = stacked(self, self.title, margins=(GRID, 0, 0, 0))
        self.hide()

    @property
    def letters(self) -> int:
        """How many letters wide it must be to be read."""
        return _WORDS + _EACH * (len(self._heads) - 1)

    def put(self, beside: Beside | None) -> None:
        self.setVisible(beside is not None)
        if beside is None:
            return
        if self.table is None or beside.heads != self._heads:
            # Headings are a table's own.
            if self.table is not None:
                self._column.removeWidget(self.table)
                self.table.deleteLater()
            self._heads = beside.heads
            self.table = ListTable(beside.title, beside.heads, min(_WIDE, len(beside.heads) - 1), _LINES)
            self._column.insertWidget(1, self.table, 1)
        self.table.setAccessibleName(beside.title)
        self.title.setText(beside.title)
        if [tuple(row) for row in beside.rows] != self.table.texts:
            self.table.put(beside.rows)
