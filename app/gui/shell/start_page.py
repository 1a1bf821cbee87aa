"""The start page, and the projects that were open before."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QMenu, QScrollArea, QVBoxLayout, QWidget

from app.gui.shell.acts.actions import Actions
from app.gui.shell.look.preferences import Preferences
from app.gui.widgets.large import ElidedWords, LargeButton, Words
from app.gui.widgets.tips import announce, explain
from app.gui.widgets.wording import in_window

_MISSING = "Missing"
_MENU_LETTERS = 70
_EMPTY = "Projects that you have opened are listed here."


class RecentList(QWidget):
    """A button for each project; Delete, or its menu, takes it off the list and leaves the file alone."""

    project_chosen = Signal(object)

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self._shown: list[tuple[Path, bool]] | None = None
        self._buttons: list[RecentProject] = []
        self._empty = Words(_EMPTY, 1.0, quiet=True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._empty)
        self.refresh()

    def take_focus(self) -> bool:
        """Put the focus on the project that was open last and is still there, if there is any."""
        there = [button for button in self._buttons if not button.missing]
        for button in there[:1]:
            button.setFocus()
        return bool(there)

    def refresh(self) -> None:
        shown = [(path, not _is_there(path)) for path in self._preferences.recent]
        if shown == self._shown:
            return
        self._shown = shown
        for old in self._buttons:
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._buttons = [RecentProject(path, missing=missing) for path, missing in shown]
        for button in self._buttons:
            button.clicked.connect(lambda _=False, path=button.path: self.project_chosen.emit(path))
            button.removal_wanted.connect(partial(self._remove, button.path))
            self._column.addWidget(button)
            button.show()
        self._empty.setVisible(not shown)

    def buttons(self) -> tuple[RecentProject, ...]:
        return tuple(self._buttons)

    def _remove(self, path: Path) -> None:
        """Forget a project; the focus goes to the one that takes its place."""
        paths = self._preferences.recent
        place = paths.index(path) if path in paths else 0
        self._preferences.forget_recent()
        for kept in reversed([other for other in paths if other != path]):
            self._preferences.remember(kept)
        self.refresh()
        if self._buttons:
            self._buttons[min(place, len(self._buttons) - 1)].setFocus()


class RecentProject(LargeButton):
    """A project's name over its folder; one whose file is `missing` says so and stays."""

    removal_wanted = Signal()

    def __init__(self, path: Path, *, missing: bool = False) -> None:
        super().__init__(Words(path.stem, 1.0, quiet=missing), ElidedWords(str(path.parent)), (12, 6))
        self.path, self.missing = path, missing
        self.setFlat(True)
        if missing:
            self.set_key(_MISSING)
        words = f"{_MISSING}, was in" if missing else "Recent project in"
        self.setAccessibleDescription(f"{words} {path.parent}; Delete takes it off the list")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Imported here: the namespace Qt takes long to load, and the first window shows this.
        from PySide6.QtCore import Qt

        if event.key() == Qt.Key.Key_Delete:
            self.removal_wanted.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        from PySide6.QtCore import Qt

        menu = self.own_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def own_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction("&Open", self.click)
        menu.addAction("&Remove from the list\tDel", self.removal_wanted.emit)
        return menu


class RecentMenu(QMenu):
    """The same projects as a menu, read anew whenever it opens; a missing one cannot be chosen."""

    def __init__(self, preferences: Preferences, open_: Callable[[Path], object], parent: QWidget) -> None:
        super().__init__("Recent pro&jects", parent)
        self._preferences = preferences
        self.aboutToShow.connect(self._fill)
        self.triggered.connect(lambda action: open_(action.data()))

    def _fill(self) -> None:
        # Imported here: it loads the namespace Qt, and the first window shows before its menus are opened.
        from app.gui.widgets.plain import caption, cut_in_middle

        self.clear()
        paths = self._preferences.recent
        for number, path in enumerate(paths, start=1):
            there = _is_there(path)
            words = caption(cut_in_middle(f"{path.stem} — {path.parent}", _MENU_LETTERS))
            # Ten are remembered; a digit leads to each.
            action = self.addAction(f"&{number % 10}  {words}" + ("" if there else f" ({_MISSING.lower()})"))
            action.setEnabled(there)
            action.setData(path)
        if not paths:
            self.addAction(_EMPTY).setEnabled(False)


def _is_there(path: Path) -> bool:
    """Whether a file can be seen; one that cannot be asked for is as good as gone."""
    try:
        return path.exists()
    except OSError:
        return False


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
        self.verticalScrollBar().setValue(0)

    def show_message(self, sentence: str) -> None:
        """Say something here, plainly; "" for nothing. Its place is always kept."""
        sentence = in_window(sentence)
        self._message.setText(sentence)
        self._message.setVisible(bool(sentence))
        if sentence:
            announce(self._message, sentence)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
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
