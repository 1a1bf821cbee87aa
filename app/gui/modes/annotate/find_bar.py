"""Find in the report: a bar below the text whose room is always kept, so that the text stays where it is."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSizePolicy, QWidget

from app.gui.reader.finding import find_all
from app.gui.reader.view import Reader
from app.gui.widgets.boxes import lined, sign_button
from app.gui.widgets.plain import ElidedLabel

_LONGEST = 200
# So few letters wide, it has no room for all its words.
_NARROW = 60
# Least widths of the field and of a button with a sign, in letters.
_FIELD, _SIGN = 13, 3


class FindBar(QWidget):
    """Finds as one types; Enter goes on, Shift+Enter back; Escape clears words not found, then closes."""

    text_wanted = Signal()

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self._reader = reader
        self._text = ""
        self._places: list[tuple[int, int]] = []
        self._starts: list[int] = []
        self._anchor = 0
        self.words = QLineEdit(placeholderText="Find in this report", maxLength=_LONGEST)
        self.words.setAccessibleName("Find in this report")
        self.count = ElidedLabel("10 of 100")
        self.whole = QCheckBox()
        self._previous = sign_button("↑", "Previous (Shift+Enter)", self.find_previous)
        self._next = sign_button("↓", "Next (Enter)", self.find_next)
        close = sign_button("×", "Close (Escape)", self.close_bar)
        parts = (self.words, self._previous, self._next, self.count, self.whole, close)
        row = lined(self, *parts, wide=self.words, margins=(8, 4, 8, 4), spacing=4)
        row.setStretchFactor(self.count, 1)
        self._buttons = (self._previous, self._next, close)
        self.setTabOrder(self.words, self._previous)
        kept = self.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        kept.setVerticalPolicy(QSizePolicy.Policy.Fixed)
        self.setSizePolicy(kept)
        self.words.textChanged.connect(self._find_anew)
        self.whole.toggled.connect(self._find_anew)
        reader.caret_moved.connect(self._follow)
        self._say("")
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Few words where letters are large for the room, so that it is still said what was found."""
        super().resizeEvent(event)
        letter = self.fontMetrics().averageCharWidth()
        self.whole.setText("Whole &words" if self.width() > _NARROW * letter else "&Whole")
        self.words.setMinimumWidth(_FIELD * letter)
        for button in self._buttons:
            button.setFixedWidth(_SIGN * letter)

    def open(self) -> None:
        """Show the bar and take the focus; a short selection becomes what is searched."""
        start, end = self._reader.selection()
        selected = self._reader.text()[start:end]
        self._anchor = start
        self.show()
        if selected and len(selected) <= _LONGEST and "\n" not in selected:
            self.words.setText(selected)
        self._search()
        self._show_words()
        self.words.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.words.selectAll()

    def show_first(self, candidates: Sequence[str]) -> None:
        """Go to the first place of the first of these words that the report has, and leave the focus."""
        text = self._reader.text()
        there = next((words for words in candidates if find_all(text, words)), None)
        if there is None:
            return
        self.show()
        self.words.blockSignals(True)
        self.words.setText(there)
        self.words.blockSignals(False)
        self.whole.setChecked(False)
        self._anchor = 0
        self._find_anew()

    def close_bar(self) -> None:
        """Hide the bar; what was found last stays selected, and the text wants the focus."""
        self._reader.set_marks(())
        self.hide()
        self.text_wanted.emit()

    def find_next(self) -> None:
        """Go to the next place after the caret, from the end on to the first."""
        if self._ready():
            start, end = self._reader.selection()
            look = bisect_right if (start, end) in self._places else bisect_left
            place = look(self._starts, start)
            self._go(place % len(self._places), "from the start" if place == len(self._places) else "")

    def find_previous(self) -> None:
        """Go to the last place before the caret, from the first on to the last."""
        if self._ready():
            place = bisect_left(self._starts, self._reader.selection()[0]) - 1
            self._go(place % len(self._places), "from the end" if place < 0 else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter, Shift+Enter and Escape; no other key reaches what is behind the bar."""
        if event.key() == Qt.Key.Key_Escape and self.words.text() and not self._places:
            # Stay: the letter typed next is meant for what was not found and would label where the caret is.
            self.words.clear()
            self._say("None")
        elif event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            (self.find_previous if back else self.find_next)()
        event.accept()

    def _ready(self) -> bool:
        """Whether there is a place to go to; the bar is shown, for it says where one is."""
        if not self.words.text():
            self.open()
            return False
        if not self.isVisible():
            self.show()
            self._search()
            self._show_words()
        return bool(self._places)

    def _find_anew(self) -> None:
        """The words have changed: go to the first place at or after where the search began."""
        self._search()
        if not self._places:
            # Back: a key would label what only began like it.
            self._reader.go_to(self._anchor)
            self._show_words()
            return
        place = bisect_left(self._starts, self._anchor)
        self._go(place % len(self._places), "from the start" if place == len(self._places) else "")

    def _search(self) -> None:
        self._text = self._reader.text()
        self._places = find_all(self._text, self.words.text(), self.whole.isChecked())
        self._starts = [start for start, _ in self._places]

    def _go(self, place: int, wrapped: str) -> None:
        self._reader.show_place(*self._places[place], selected=True)
        self._reader.set_marks(self._places, place)
        number = f"{place + 1} of {len(self._places)}"
        self._say(f"{number}, {wrapped}" if wrapped else number)

    def _show_words(self) -> None:
        """Mark and count the places without going to any."""
        self._reader.set_marks(self._places)
        if not self.words.text().strip():
            self._say("")
        else:
            self._say(f"{len(self._places)} found" if self._places else "None")

    def _say(self, sentence: str) -> None:
        self.count.say(sentence)
        self.words.setAccessibleDescription(sentence)
        for button in (self._previous, self._next):
            button.setEnabled(bool(self._places))

    def _follow(self) -> None:
        """Search another report as soon as it is on the page."""
        if self.isVisible() and self._reader.text() is not self._text:
            self._anchor = 0
            self._search()
            self._show_words()
