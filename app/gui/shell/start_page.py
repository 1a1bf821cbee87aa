"""What the window shows without a project: how to begin, and what was open before.

Values of the namespace Qt are named as properties here: loading it takes a tenth of the first window's time.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.gui.shell.acts.actions import Actions
from app.gui.shell.look.preferences import Preferences
from app.gui.shell.recent import RecentList
from app.gui.widgets.large import LargeButton, Words
from app.gui.widgets.tips import explain

_BEGINNINGS = (
    ("project.new", "New project", "One file on this computer for your reports and annotations."),
    ("project.open", "Open project", "Go on where you left off."),
    ("project.sample", "Open the sample project", "Ten invented case reports to try everything on."),
    ("help.tour", "Two-minute tour", "Shows what is where, on the sample project; Escape leaves it."),
)
_COLUMN = 30
_GAP = 32


class StartPage(QScrollArea):
    """The first page; everything on it is reached by Tab, and it scrolls where the window is small."""

    project_chosen = Signal(object)

    def __init__(self, actions: Actions, preferences: Preferences) -> None:
        super().__init__()
        self._actions = actions
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setProperty("horizontalScrollBarPolicy", "ScrollBarAlwaysOff")
        self.setProperty("focusPolicy", "NoFocus")
        self._title = Words("Casespan", 2.2)
        self._message = Words("", 1.0)
        self._message.setAccessibleName("Message")
        self._message.setFrameShape(QLabel.Shape.Box)
        self._message.setMargin(8)
        self._message.setMinimumHeight(self._message_height())
        self._buttons = {one[0]: self._button(*one) for one in _BEGINNINGS}
        self.recent = RecentList(preferences)
        self.recent.project_chosen.connect(self.project_chosen)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.setWidget(self._laid_out())
        preferences.changed.connect(self._follow)
        self.show_message("")

    def refresh(self) -> None:
        """Show the recent projects as they are now: they come first where there are any."""
        self.recent.refresh()
        # Tab goes by what is read first.
        order = [*self.recent.buttons(), *self._buttons.values()]
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)
        self._arrange()

    def take_focus(self) -> None:
        """Put the focus on the project of last time, so that Enter opens it; else on the first button."""
        if not self.recent.take_focus():
            self._buttons["project.new"].setFocus()

    def show_message(self, sentence: str) -> None:
        """Say something here, plainly; "" for nothing. Its place is always kept."""
        self._message.setText(sentence)
        self._message.setVisible(bool(sentence))
        if sentence:
            from PySide6.QtGui import QAccessible, QAccessibleEvent

            QAccessible.updateAccessibility(QAccessibleEvent(self._message, QAccessible.Event.Alert))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the columns side by side where there is room for both."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.widget() is not None:
            for words in self.findChildren(Words):
                words.fit()
            self._message.setMinimumHeight(self._message_height())
            self._arrange()

    def _message_height(self) -> int:
        """Room for two lines: what stands below does not move for the longest message there is."""
        return 2 * self.fontMetrics().lineSpacing() + 24

    def _laid_out(self) -> QWidget:
        page = _Sheet()
        kept = self._message.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._message.setSizePolicy(kept)
        recent, beginnings = QVBoxLayout(), QVBoxLayout()
        for column in (recent, beginnings):
            column.setSpacing(8)
            self._columns.addLayout(column, 1)
        beginnings.addWidget(Words("Begin", 1.2))
        for one in self._buttons.values():
            beginnings.addWidget(one)
        beginnings.addStretch(1)
        recent.addWidget(Words("Recent projects", 1.2))
        recent.addWidget(self.recent)
        recent.addWidget(Words("A project file can also be dropped on this window.", 1.0, quiet=True))
        recent.addStretch(1)
        self._columns.setSpacing(_GAP)
        self._middle = QWidget()
        column = QVBoxLayout(self._middle)
        column.setContentsMargins(_GAP, 24, _GAP, 24)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(
            Words(
                "Turns clinical case reports into data: annotate, extract, compare, reconcile, export.", 1.0
            )
        )
        column.addWidget(Words("Nothing leaves this computer.", 1.0, quiet=True))
        column.addWidget(self._message)
        column.addSpacing(8)
        column.addLayout(self._columns)
        outer = QGridLayout(page)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._middle, 1, 1)
        for stretch, first, last in ((outer.setRowStretch, 1, 2), (outer.setColumnStretch, 1, 1)):
            stretch(0, first)
            stretch(2, last)
        return page

    def _button(self, command: str, words: str, about: str) -> LargeButton:
        button = LargeButton(Words(words, 1.15), Words(about, 1.0, quiet=True), (16, 12))
        button.clicked.connect(lambda: self._actions[command].trigger())
        self._show_key(command, button)
        return button

    def _show_key(self, command: str, button: LargeButton) -> None:
        button.set_key(self._actions.key(command))
        explain(button, self._actions.hint(command))

    def _arrange(self) -> None:
        width = self.maximumViewportSize().width()
        column = _COLUMN * self.fontMetrics().height()
        beside = width >= 1.5 * column + 3 * _GAP
        direction = QBoxLayout.Direction
        if self.recent.buttons():
            self._columns.setDirection(direction.LeftToRight if beside else direction.TopToBottom)
        else:
            # What can be begun comes first where there is nothing to go on with.
            self._columns.setDirection(direction.RightToLeft if beside else direction.BottomToTop)
        whole = 2 * column + 3 * _GAP if beside else column + 2 * _GAP
        self._middle.setFixedWidth(min(width, whole))

    def _follow(self, name: str) -> None:
        if name == "keys":
            for command, one in self._buttons.items():
                self._show_key(command, one)
        elif name == "recent" and self.isVisible():
            self.refresh()


class _Sheet(QWidget):
    """What is scrolled: as high as its words are at its width."""

    def minimumSizeHint(self) -> QSize:
        """Nothing: Qt would ask for the height that wrapped words need where they are narrowest."""
        return QSize(0, 0)
