"""Above the text: which report this is, how far one is with it, and the section at the caret."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.gui.modes.annotate.outline import about_categories, heading_of, spoken_of, standing
from app.gui.session.project_session import ProjectSession
from app.gui.session.report_list import MARKS, STATES
from app.gui.shell.actions import Actions
from app.gui.widgets.parts import follow_keys
from app.gui.widgets.plain import ElidedButton, beside, caption, layout_direction, one_line, two_lines
from app.gui.widgets.tips import explain

if TYPE_CHECKING:
    from app.store.reviews import ReviewState

_TITLE_SIZE = 1.35
# Where a line field begins its words, in pixels.
_INSET = 3
_NEXT = ("report.done_next", "report.park_next")


class TitleLabel(QWidget):
    """A title in at most two lines of plain text; the tool tip has all of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def say(self, title: str) -> None:
        """Show a title."""
        self._title = one_line(title)
        explain(self, self._title)
        self.setAccessibleName(self._title)
        self.updateGeometry()
        self.update()

    def lines(self, width: int) -> tuple[str, ...]:
        """What is shown at a width."""
        return two_lines(self._title, self.font(), width)

    def sizeHint(self) -> QSize:
        """Room for two lines, also where there is one."""
        return QSize(1, 2 * QFontMetrics(self.font()).lineSpacing())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines."""
        painter = QPainter(self)
        # The second line begins where the first does, whatever its own first letter is.
        painter.setLayoutDirection(layout_direction(self._title))
        height = QFontMetrics(self.font()).lineSpacing()
        for number, line in enumerate(self.lines(self.width() - 2 * _INSET)):
            place = QRect(_INSET, number * height, self.width() - 2 * _INSET, height)
            painter.drawText(place, beside(self._title), line)


class ReportHeading(QWidget):
    """Its height depends on nothing that is said in it, so that the text below never jumps."""

    def __init__(self, session: ProjectSession, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._report_model, self._actions = session, session.report_model, actions
        self._offset = 0
        self.title = TitleLabel()
        self.names = _plain_field()
        self.state = QToolButton()
        self.state.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.state.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.state.setMenu(self._state_menu())
        self.section = ElidedButton()
        # Its words stand below the title's.
        self.section.setStyleSheet("QPushButton { padding: 4px 1px; }")
        self.section.clicked.connect(actions["report.section"].trigger)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.names, 1)
        row.addWidget(self.state)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 8, 16, 8)
        layout.setSpacing(4)
        layout.addWidget(self.title)
        layout.addLayout(row)
        layout.addWidget(self.section, 0, Qt.AlignmentFlag.AlignLeft)
        report_model = self._report_model
        report_model.opened.connect(self._fill)
        report_model.reset.connect(self._fill)
        report_model.review_changed.connect(self._tell_state)
        report_model.sections_changed.connect(self._tell_section)
        follow_keys(self.state, actions, _NEXT, self._explain_state)
        follow_keys(self.section, actions, ["report.section"], self._tell_section)
        self._fill()

    def take_focus(self) -> None:
        """Put the focus on the first part."""
        self.state.setFocus(Qt.FocusReason.TabFocusReason)

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
            action.triggered.connect(self._setter(state))
        menu.addSeparator()
        for command in _NEXT:
            menu.addAction(self._actions[command])
        return menu

    def _setter(self, state: ReviewState) -> Callable[[], None]:
        def set_state() -> None:
            self._session.controller.set_state(state)
            # The tick shows what is on disk, which follows in a moment.
            self._tell_state()

        return set_state

    def changeEvent(self, event: QEvent) -> None:
        """Follow size and style, which take the title's own letters away."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._letter()

    def _letter(self) -> None:
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * _TITLE_SIZE)
        font.setBold(True)
        if self.title.font() != font:
            self.title.setFont(font)

    def _fill(self) -> None:
        report = self._report_model.report
        self.setVisible(report is not None)
        if report is None:
            return
        self._letter()
        self.title.say(report.stored.document.title or report.stored.key)
        known = report.stored.document.identifiers
        key = report.stored.key
        numbers = [f"{kind.upper()} {value}" for kind, value in known.items() if value not in key]
        self.names.setText(" · ".join([key, *numbers]))
        self.names.setCursorPosition(0)
        explain(self.names, self.names.text())
        self._tell_state()
        self._tell_section()

    def _tell_state(self) -> None:
        if self._report_model.report is None:
            return
        state = self._report_model.review.state
        self.state.setText(f"{MARKS[state]}  {STATES[state]}")
        self.state.setAccessibleName(f"State of the report: {STATES[state]}")
        self.state.setMinimumWidth(self._widest_state())
        for action in self.state.menu().actions():
            if action.data():
                action.setChecked(action.data() == state)

    def _explain_state(self) -> None:
        explain(self.state, "\n".join(self._actions.hint(command) for command in _NEXT))

    def _widest_state(self) -> int:
        texts = [f"{MARKS[state]}  {words}" for state, words in STATES.items()]
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
        words = " · ".join(filter(None, [heading_of(section), codes, standing(section)]))
        self.section.setText(caption(words))
        names = about_categories(section, scheme)
        explain(self.section, f"{words}\n{names}\n{self._actions.hint('report.section')}")
        self.section.setAccessibleName(f"Section at the caret: {heading_of(section)}, speaks of {names}")


def _plain_field() -> QLineEdit:
    """A line to read and copy from, as far as there is room for it."""
    field = QLineEdit()
    field.setReadOnly(True)
    field.setFrame(False)
    field.setAccessibleName("Key and identifiers of the report")
    field.setStyleSheet(
        "QLineEdit { background: transparent; border: 1px solid transparent; padding: 0; }"
        "QLineEdit:focus { border-color: palette(highlight); }"
    )
    field.setTextMargins(0, 0, 0, 0)
    return field
