"""Above the text: which report this is, how far one is with it, and the section at the caret."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QSizePolicy, QToolButton, QWidget

from app.gui.modes.annotate.outline import about_categories, heading_of, section_state, spoken_of
from app.gui.session.housekeeping import mark
from app.gui.session.project_session import ProjectSession
from app.gui.session.report_list import MARKS, STATES, number_words
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import follow_keys, lined, stacked
from app.gui.widgets.flow import Fitted, Lettered
from app.gui.widgets.plain import ElidedButton, beside, bold, caption, layout_direction, one_line, two_lines
from app.gui.widgets.tips import explain

if TYPE_CHECKING:
    from app.store.annotate.reviews import ReviewState

_TITLE_SIZE = 1.35
# Where a line field begins its words, in pixels.
_INSET = 3
_MARGIN = 16
# How far the heading may reach beyond the right edge of the text.
_HANGING = 80
_NEXT = ("report.done_next", "report.park_next")


class TitleLabel(Lettered, QWidget):
    """A title in at most two lines of plain text, or one; the tool tip has all of it."""

    def __init__(self) -> None:
        super().__init__()
        self._title, self._most = "", 2
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.fit_letters()

    def say(self, title: str) -> None:
        self._title = one_line(title)
        explain(self, self._title)
        self.setAccessibleName(self._title)
        self.updateGeometry()
        self.update()

    def lines(self, width: int) -> tuple[str, ...]:
        if self._most == 1:
            return (QFontMetrics(self.font()).elidedText(self._title, Qt.TextElideMode.ElideRight, width),)
        return two_lines(self._title, self.font(), width)

    def set_most(self, lines: int) -> None:
        self._most = lines
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Room for the most lines, also where there are fewer."""
        return QSize(1, self._most * QFontMetrics(self.font()).lineSpacing())

    def fit_letters(self) -> None:
        """Keep the title's own letters: a new size or style gives back those of before."""
        font = bold(QApplication.font(), _TITLE_SIZE)
        if self.font() != font:
            self.setFont(font)
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        # The second line begins where the first does, whatever its own first letter is.
        painter.setLayoutDirection(layout_direction(self._title))
        height = QFontMetrics(self.font()).lineSpacing()
        for number, line in enumerate(self.lines(self.width() - 2 * _INSET)):
            place = QRect(_INSET, number * height, self.width() - 2 * _INSET, height)
            painter.drawText(place, beside(self._title), line)


class CopyField(Fitted, QLineEdit):
    """A line to read and, once it has the focus, to copy from; its middle is cut where there is no room."""

    def __init__(self) -> None:
        super().__init__()
        self._full = ""
        self.setReadOnly(True)
        self.setFrame(False)
        self.setTextMargins(0, 0, 0, 0)

    def say(self, text: str) -> None:
        self._full = text
        explain(self, text)
        self.arrange()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.arrange()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.arrange()

    def arrange(self) -> None:
        room = self.width() - 2 * _INSET
        cut = self.fontMetrics().elidedText(self._full, Qt.TextElideMode.ElideMiddle, room)
        shown = self._full if self.hasFocus() else cut
        if shown != self.text():
            self.setText(shown)
            self.setCursorPosition(0)


class ReportHeading(Lettered, QWidget):
    """Its height depends on nothing that is said in it, so that the text below never jumps."""

    def __init__(self, session: ProjectSession, actions: Actions) -> None:
        super().__init__()
        self._session, self._report_model, self._actions = session, session.report_model, actions
        self._offset = 0
        self._refit = QTimer(self, singleShot=True, interval=0)
        self._refit.timeout.connect(self._tell_state)
        self.title = TitleLabel()
        self.names = _plain_field()
        self.state = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.state.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.state.setMenu(self._state_menu())
        self.section = ElidedButton()
        # Its words stand below the title's.
        self.section.setStyleSheet("QPushButton { padding: 4px 1px; }")
        self.section.clicked.connect(actions["report.section"].trigger)
        self._first = lined(None, self.title, wide=self.title)
        self._last = lined(None, self.section, self.state)
        self._last.insertStretch(1, 1)
        stacked(self, self._first, self.names, self._last, margins=(0, 8, 0, 8), spacing=4)
        self.set_inset(_MARGIN)
        report_model = self._report_model
        report_model.opened.connect(self._fill)
        report_model.reset.connect(self._fill)
        report_model.review_changed.connect(self._tell_state)
        report_model.sections_changed.connect(self._tell_section)
        follow_keys(self.state, actions, _NEXT, self._explain_state)
        follow_keys(self.section, actions, ["report.section"], self._tell_section)
        self._fill()

    def take_focus(self) -> None:
        self.state.setFocus(Qt.FocusReason.TabFocusReason)

    def fit_letters(self) -> None:
        """Give the state the room that its words need, once its parts have heard of it in their turn."""
        self._refit.start()

    def set_inset(self, pixels: int) -> None:
        """Begin all words so far from the left edge, where those of the text begin."""
        self.setContentsMargins(pixels - _INSET, 0, max(_MARGIN, pixels - _HANGING), 0)

    def set_lines(self, lines: int) -> None:
        """Do with two lines, or one, of the four where the height is wanted for something else."""
        if self.names.isHidden() != (lines < 4) or self.section.isHidden() != (lines < 2):
            self.names.setHidden(lines < 4)
            self.title.set_most(2 if lines == 4 else 1)
            self.section.setHidden(lines < 2)
            (self._first if lines < 2 else self._last).addWidget(self.state)
            self._tell_state()

    def set_caret(self, offset: int) -> None:
        """Name the section that holds a code point."""
        self._offset = offset
        self._tell_section()

    # Inside

    def _state_menu(self) -> QMenu:
        menu = QMenu(self.state)
        for state, words in STATES.items():
            action = menu.addAction(f"{MARKS[state]}  {words}")
            action.setData(state)
            action.setCheckable(True)
            action.triggered.connect(partial(self._set_state, state))
        menu.addSeparator()
        for command in _NEXT:
            menu.addAction(self._actions[command])
        return menu

    def _set_state(self, state: ReviewState) -> None:
        mark(self._session, state)
        # The tick shows what is on disk, which follows in a moment.
        self._tell_state()

    def _fill(self) -> None:
        report = self._report_model.report
        self.setVisible(report is not None)
        if report is None:
            return
        self.title.say(report.stored.document.title or report.stored.key)
        known = report.stored.document.identifiers
        key = report.stored.key
        numbers = {kind: value for kind, value in known.items() if value not in key}
        self.names.say(" · ".join([key, *number_words(numbers)]))
        self._tell_state()
        self._tell_section()

    def _tell_state(self) -> None:
        if self._report_model.report is None:
            return
        state = self._report_model.review.state
        self.state.setText(self._words(state))
        self.state.setAccessibleName(f"State of the report: {STATES[state]}")
        self._explain_state()
        self.state.setMinimumWidth(self._widest_state())
        for action in self.state.menu().actions():
            if action.data():
                action.setChecked(action.data() == state)

    def _explain_state(self) -> None:
        hints = map(self._actions.hint, _NEXT)
        explain(self.state, "\n".join([self.state.accessibleName(), *hints]))

    def _words(self, state: ReviewState) -> str:
        """Of a state; beside the title the mark alone, as the title needs the room."""
        return MARKS[state] if self.section.isHidden() else f"{MARKS[state]}  {STATES[state]}"

    def _widest_state(self) -> int:
        texts = map(self._words, STATES)
        metrics = self.state.fontMetrics()
        around = self.state.sizeHint().width() - metrics.horizontalAdvance(self.state.text())
        return around + max(metrics.horizontalAdvance(text) for text in texts)

    def _tell_section(self) -> None:
        sections = self._report_model.sections
        self.section.setEnabled(bool(sections))
        if not sections:
            self.section.setText("This report has no sections")
            return
        position = max(bisect_right(sections, self._offset, key=lambda one: one.start) - 1, 0)
        section, scheme = sections[position], self._session.scheme
        codes = " ".join(spoken_of(section, scheme))
        if not codes:
            codes = "no category" if not section.categories else "all categories"
        words = " · ".join(filter(None, [heading_of(section), codes, section_state(section)]))
        self.section.setText(caption(words))
        names = about_categories(section, scheme)
        explain(self.section, f"{words}\n{names}\n{self._actions.hint('report.section')}")
        self.section.setAccessibleName(f"Section at the cursor: {heading_of(section)}, speaks of {names}")


def _plain_field() -> CopyField:
    field = CopyField()
    field.setAccessibleName("Key and identifiers of the report")
    field.setStyleSheet(
        "QLineEdit { background: transparent; border: 1px solid transparent; padding: 0; }"
        "QLineEdit:focus { border-color: palette(highlight); }"
    )
    return field
