"""A field at a span for what it stands for: found as one types, looked around in by the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QLineEdit, QPlainTextEdit, QToolButton, QWidget

from app.gui.dialogs.forms import named
from app.gui.widgets.boxes import lined, stacked
from app.gui.widgets.lists import ListTable
from app.gui.widgets.plain import ElidedLabel, cut_in_middle, one_line, quoted
from app.gui.widgets.tips import explain
from extractors.model.errors import CasespanError
from extractors.terminology.browsing import Entry, View

if TYPE_CHECKING:
    from app.gui.session.terms import Looked, Terms
    from app.operations.profile.concepts import ModelRanking
    from extractors.model.coding import Coding

# As many are filled in, and so many follow what is typed.
_FILLED_IN, _TYPED = 5, 10
_LETTERS, _NAME_LETTERS, _CODE_LETTERS, _LEAST_LINES, _LINES, _MOST_LISTED = 120, 34, 14, 5, 11, 30
# Of the screen, and around the span.
_MOST, _GAP = 0.9, 4
_KEY = Qt.Key
_ROWS = (_KEY.Key_Up, _KEY.Key_Down, _KEY.Key_PageUp, _KEY.Key_PageDown)
_HINT = "Return gives it · ← more general · → more specific · Shift+Return adds it · Esc closes"
_TAKES_AWAY = " · Ctrl+Del takes it away"


class ConceptPopup(QFrame):
    """Opens on words and what they stand for so far; `given` says a concept, and whether beside the others.

    Every key is its own while it is open. `taken_away` says the terminology whose concepts the span is to
    lose; `left` comes whichever way it is closed.
    """

    given = Signal(object, bool)
    taken_away = Signal(str)
    left = Signal()

    def __init__(
        self, terms: Terms, words: str, has: Sequence[Coding], parent: QWidget, becomes: str = ""
    ) -> None:
        """`becomes` says in a sentence what Return makes of words that are no span yet."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("popup", True)
        self.setAccessibleName("Concept")
        self._terms, self._has = terms, tuple(has)
        self._entries: tuple[Entry, ...] = ()
        self._view: View | None = None
        self._came_from = ""
        self._ranking: ModelRanking | None = None
        self._words = one_line(words)
        self.field = named(
            QLineEdit(self._words, placeholderText="A name, its beginning, or a code"),
            "Concept: a name, its beginning, or a code",
        )
        self.field.selectAll()
        self.field.installEventFilter(self)
        self.source = QToolButton(autoRaise=True)
        self.source.setEnabled(False)
        self.source.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.source.clicked.connect(self._use_next)
        self.says = ElidedLabel()
        self.list = ListTable("Concepts", ("Concept", "Code", "Matched"), 0, _LEAST_LINES)
        self.list.horizontalHeader().hide()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.chosen.connect(self._look)
        self.list.doubleClicked.connect(lambda _: self._give(beside=False))
        self.about = named(QPlainTextEdit(readOnly=True), "About the concept")
        self.about.setMinimumHeight(self.list.minimumHeight())
        self.about.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hint = QLabel(" ".join(filter(None, [becomes, _HINT + (_TAKES_AWAY if has else "")])))
        self.hint.setTextFormat(Qt.TextFormat.PlainText)
        self.hint.setWordWrap(True)
        top = lined(None, self.field, self.source, wide=self.field)
        middle = lined(None, self.list, self.about)
        middle.setStretch(0, 3)
        middle.setStretch(1, 2)
        stacked(self, top, self.says, middle, self.hint, margins=(8, 8, 8, 8), spacing=4)
        self.field.textEdited.connect(self._type)
        self._fill_in()

    def open_at(self, place: QRect) -> None:
        """Show it below a place of the screen (global), above it where there is more room."""
        screen = QApplication.screenAt(place.center()) or self.screen()
        room = screen.availableGeometry()
        above, below = place.top() - _GAP - room.top(), room.bottom() - place.bottom() - _GAP
        wanted = self.sizeHint()
        width = min(wanted.width(), int(_MOST * room.width()))
        height = max(self.minimumSizeHint().height(), min(wanted.height(), max(above, below)))
        # Whatever the room is, the words it is about stay in sight where that can be.
        top = place.bottom() + _GAP if below >= min(height, above) else place.top() - _GAP - height
        top = max(room.top(), min(top, room.bottom() - height))
        left = max(room.left(), min(place.left(), room.right() - width))
        self.setGeometry(QRect(left, top, width, height))
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def rank(self, ranking: ModelRanking) -> None:
        """Put first what a model put first, that was asked before."""
        self._ranking = ranking
        if self.field.text() == self._words:
            self._fill_in()

    def sizeHint(self) -> QSize:
        """By the letters: a list beside a definition."""
        metrics = self.fontMetrics()
        least = super().sizeHint().height() + (_LINES - _LEAST_LINES) * (metrics.height() + 3)
        return QSize(_LETTERS * metrics.averageCharWidth(), least)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._terms.drop()
        self.left.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field's keys but for those that go through the list."""
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._obey(event)
        return super().eventFilter(watched, event)

    # Inside

    def _obey(self, event: QKeyEvent) -> bool:
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        alone = held == Qt.KeyboardModifier.NoModifier
        if key in _ROWS:
            self.list.keyPressEvent(event)
        elif key in (_KEY.Key_Return, _KEY.Key_Enter):
            self._give(beside=held == Qt.KeyboardModifier.ShiftModifier)
        elif key == _KEY.Key_Escape:
            self.close()
        elif key == _KEY.Key_F4 and alone:
            self._use_next()
        elif key == _KEY.Key_Left and alone:
            self._step(up=True)
        elif key == _KEY.Key_Right and alone:
            self._step(up=False)
        elif key == _KEY.Key_Delete and held == Qt.KeyboardModifier.ControlModifier and self._has:
            self.taken_away.emit(self._terms.name)
            self.close()
        else:
            return key in (_KEY.Key_Tab, _KEY.Key_Backtab)
        return True

    def _fill_in(self) -> None:
        self.says.say("Reading the terminology…" if not self._terms.release else "")
        self._terms.suggest(self._words, _FILLED_IN, self._filled_in)

    def _filled_in(self, looked: Looked) -> None:
        self._name_source()
        now = [
            Entry(one.code, one.label, "as it is now")
            for one in self._has
            if one.terminology == self._terms.name
        ]
        now += [one for one in self._ranked() if one.code not in {entry.code for entry in now}]
        codes = {one.code for one in now}
        entries = (*now, *(one for one in looked.entries if one.code not in codes))
        words = f"Best for {quoted(cut_in_middle(self._words))}" if self._words else "Type a name or a code."
        self._put(entries, looked.view, words if entries or not self._words else "")

    def _ranked(self) -> list[Entry]:
        """What a model ordered, in this terminology."""
        ranking, found = self._ranking, list[Entry]()
        if ranking is not None and ranking.terminology == self._terms.name:
            for place, code in enumerate(ranking.codes, start=1):
                with suppress(CasespanError):
                    label = self._terms.coding(code).label
                    found.append(Entry(code, label, f"{place}. by {ranking.run}"))
        return found

    def _type(self, typed: str) -> None:
        if not typed.strip():
            self._put((), None, "Type a name or a code.")
            return
        self._terms.find(typed, _TYPED, lambda looked: self._put(looked.entries, looked.view, ""))

    def _put(self, entries: tuple[Entry, ...], view: View | None, words: str, current: str = "") -> None:
        self._entries, self._view = entries, view
        rows = [(one.label, one.code, one.matched) for one in entries]
        codes = [one.code for one in entries]
        if not entries:
            words = words or f"Nothing here is called so in {self._terms.name}; try fewer or other words."
        self.says.say(words)
        letter = self.fontMetrics().averageCharWidth()
        # The name comes first, however long the words are that led to it; without any it has their room.
        room = self.list.viewport().width() - _CODE_LETTERS * letter
        least = _NAME_LETTERS * letter
        widest = least if any(one.matched for one in entries) else max(room, least)
        self.list.horizontalHeader().setMaximumSectionSize(widest)
        self.list.put(rows, codes.index(current) if current in codes else 0)

    def _current(self) -> Entry | None:
        row = self.list.row
        return self._entries[row] if 0 <= row < len(self._entries) else None

    def _look(self) -> None:
        entry = self._current()
        if entry is None:
            self.about.setPlainText("")
        elif self._view is not None and self._view.code == entry.code:
            self._show(self._view)
        else:
            self._terms.view(entry.code, self._show)

    def _show(self, view: View) -> None:
        self._view = view
        self.about.setPlainText(_in_words(view))

    def _step(self, *, up: bool) -> None:
        entry = self._current()
        if entry is not None:
            self._terms.view(entry.code, lambda view: self._stepped(view, up=up))

    def _stepped(self, view: View, *, up: bool) -> None:
        there = view.parents if up else view.children
        if not there:
            self.says.say(f"There is nothing more {'general' if up else 'specific'} than {view.label}.")
            return
        # Down again from above leads back to where one came from.
        self._came_from, back = (view.code if up else ""), self._came_from
        self._put(there, None, f"More {'general' if up else 'specific'} than {view.label}", back)

    def _give(self, *, beside: bool) -> None:
        entry = self._current()
        if entry is not None:
            try:
                coding = self._terms.coding(entry.code)
            except CasespanError as error:
                self.says.say(str(error))
                return
            self.close()
            self.given.emit(coding, beside)

    def _use_next(self) -> None:
        self._terms.use_next()
        if self.field.text() == self._words:
            self._fill_in()
        else:
            self._type(self.field.text())

    def _name_source(self) -> None:
        self.source.setText(f"{self._terms.name} {self._terms.release}")
        several = len(self._terms.names) > 1
        self.source.setEnabled(several)
        explain(self.source, "The next terminology (F4)" if several else "The terminology and its release")


def _in_words(view: View) -> str:
    """A concept on one page: definition, other names, what is above and below."""
    parts = [f"{view.label}  {view.code}", view.definition]
    if view.names:
        parts.append("Also: " + "; ".join(view.names[:_MOST_LISTED]))
    if view.ours:
        parts.append("In our words: " + "; ".join(view.ours))
    around = (
        ("More general (←)", view.parents),
        ("Beside it", view.siblings),
        ("More specific (→)", view.children),
    )
    for title, entries in around:
        listed = [f"  {one.label}" for one in entries[:_MOST_LISTED]]
        more = len(entries) - len(listed)
        if listed:
            parts.append("\n".join([title, *listed, *([f"  and {more} more"] if more > 0 else [])]))
    return "\n\n".join(filter(None, [*parts, view.source]))
