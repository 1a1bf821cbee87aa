"""The two narrow columns beside the text: one's own quotes left, those under review right."""

from __future__ import annotations

from bisect import bisect_left

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.gui.dialogs.forms import plain_label
from app.gui.modes.review.cards import CardList, CardSizes
from app.gui.modes.review.cells import Side
from app.gui.modes.review.reviewing import ReviewSession, progress
from app.gui.reader.view import Reader
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import follow_keys, for_command, pages_of, scrolled, stacked
from app.gui.widgets.drop_down import SHORT, DeliberateChoice, DropDown
from app.gui.widgets.flow import Lettered
from app.gui.widgets.plain import ElidedLabel, one_line
from app.palette import PagePalette
from extractors.model.scheme import Scheme

_PAD, _GAP = 8, 4
_NARROW = 168
_CHARACTERS, _SHARE = 28, 0.16
_LETTERS = 8
_ALL = "All categories"


class Column(Lettered, QWidget):
    """Two lines of head, then the cards of a side or a page that says what to do."""

    def __init__(self, cards: CardList, first: QWidget, second: QWidget) -> None:
        super().__init__()
        self.list = cards
        self.window_width = 0
        self.setMinimumWidth(_NARROW)
        self.pages = pages_of(cards)
        self._lines = (first, second)
        self.fit_letters()
        head = stacked(None, first, second, margins=(_PAD, _PAD, _PAD, _GAP), spacing=_GAP)
        stacked(self, head, self.pages, wide=self.pages, spacing=0)

    def sizeHint(self) -> QSize:
        """Room for a few words a line, more in a wide window; the text needs the rest."""
        least = _CHARACTERS * self.fontMetrics().averageCharWidth()
        width = max(least, min(round(_SHARE * self.window_width), 2 * least))
        return QSize(width, super().sizeHint().height())

    def fit_letters(self) -> None:
        # Each side has a drop-down list: equally high, so that the cards of a row stand beside each other.
        # Both together have room for three lines, of which a long name may take two.
        three = 3 * self.fontMetrics().lineSpacing() // 2 + _PAD
        high = max(three, *(line.sizeHint().height() for line in self._lines))
        for line in self._lines:
            line.setFixedHeight(high)


class OwnColumn(Column):
    """One's own quotes; a category can be chosen to which both columns keep."""

    def __init__(self, reviewing: ReviewSession, scheme: Scheme, cards: CardList, name: str) -> None:
        self.title = ElidedLabel()
        categories = [(f"{one.code} {one.name}", one.id) for one in scheme.categories]
        self.filter = DropDown("Category under review", _LETTERS, entries=[(_ALL, ""), *categories])
        super().__init__(cards, self.title, self.filter)
        self.title.say(name)
        self.pages.addWidget(QWidget())
        reviewing.changed.connect(lambda: self.pages.setCurrentIndex(0 if reviewing.cells else 1))
        self.filter.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.filter.currentIndexChanged.connect(lambda _: reviewing.set_category(self.filter.currentData()))

    def take_focus(self) -> None:
        self.list.setFocus(Qt.FocusReason.TabFocusReason)


class TheirColumn(Column):
    """The quotes under review; above them, whose they are and how far one is."""

    def __init__(self, reviewing: ReviewSession, cards: CardList, actions: Actions) -> None:
        self.choice = DeliberateChoice("Annotation set under review", _LETTERS)
        self.choice.setPlaceholderText("Choose a set…")
        self.progress = ElidedLabel("100 of 100 judged")
        super().__init__(cards, self.choice, self.progress)
        self._reviewing, self._actions = reviewing, actions
        self.choice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.words = plain_label(top=True)
        self.extract = for_command(QPushButton(), "Extract", actions, "project.extract")
        self.go_on = for_command(QPushButton(), "Next report", actions, "review.next_report")
        empty = QWidget()
        pads = (_PAD, _PAD, _PAD, _PAD)
        stacked(empty, self.words, self.extract, self.go_on, margins=pads, spacing=_PAD).addStretch(1)
        self.pages.addWidget(scrolled(empty))
        self.choice.activated.connect(lambda _: reviewing.choose(self.choice.currentData() or ""))
        reviewing.changed.connect(self.refresh)
        follow_keys(self, actions, ["project.extract", "review.next_report"], self.refresh)

    def take_focus(self) -> None:
        """Into the cards, or where somebody is chosen."""
        there = self.pages.currentIndex() == 0
        choice = self.choice if self.choice.isEnabled() else self.extract
        (self.list if there else choice).setFocus(Qt.FocusReason.TabFocusReason)

    def fit_letters(self) -> None:
        # What the other line leaves is a second one for a long name.
        super().fit_letters()
        choice, progress = self._lines
        low = progress.sizeHint().height()
        choice.setFixedHeight(choice.height() + progress.height() - low)
        progress.setFixedHeight(low)

    def refresh(self) -> None:
        """Say whose quotes there are and how far the review is; where there are none, what to do."""
        reviewing = self._reviewing
        self._fill()
        self.progress.say(progress(reviewing))
        words = _empty(reviewing)
        self.words.setText(words)
        self.extract.setVisible(not reviewing.names)
        self.go_on.setVisible(bool(reviewing.run) and bool(reviewing.names))
        self.pages.setCurrentIndex(1 if words else 0)

    def _fill(self) -> None:
        here = self._reviewing.here
        names = dict.fromkeys((*here, *self._reviewing.names))
        wanted = [(f"{one_line(name)} – {here.get(name, 0)} here", name) for name in names]
        there = [(self.choice.itemText(n), self.choice.itemData(n)) for n in range(self.choice.count())]
        with QSignalBlocker(self.choice):
            if wanted != there:
                self.choice.clear()
                for number, (words, name) in enumerate(wanted):
                    self.choice.addItem(words, name)
                    self.choice.setItemData(number, one_line(name), SHORT)
            self.choice.setCurrentIndex(self.choice.findData(self._reviewing.run))
        self.choice.setEnabled(bool(names))


def _empty(reviewing: ReviewSession) -> str:
    """Why there are no cards, and what to do; "" where there are some, or they are on their way."""
    if not reviewing.names:
        return (
            "Here a model's findings are gone through beside your own. Nobody else has marked anything in "
            "this project yet; let the rules or a model do so first."
        )
    if not reviewing.run:
        return (
            "Choose a run or an annotator above, to review their spans beside your own. "
            "Casespan records that you have seen them; to annotate a report blind, finish"
            " it before you review."
        )
    if reviewing.run not in reviewing.here:
        return f"{reviewing.run} has nothing in this report."
    if reviewing.report_review is not None and not reviewing.cells:
        return "Neither of you has anything in this category."
    return ""


class Columns:
    """Both columns, kept at the same height and beside the text."""

    def __init__(
        self,
        reviewing: ReviewSession,
        scheme: Scheme,
        actions: Actions,
        reader: Reader,
        palette: PagePalette,
        name: str,
    ) -> None:
        self._reviewing, self._reader = reviewing, reader
        self._sizes = CardSizes(reviewing, reviewing)
        lists = {side: CardList(reviewing, scheme, self._sizes, side, palette) for side in _SIDES}
        self.own = OwnColumn(reviewing, scheme, lists["left"], name)
        self.theirs = TheirColumn(reviewing, lists["right"], actions)
        for column in (self.own, self.theirs):
            # Its own window comes only after it was asked how wide it would be.
            column.window_width = reader.window().width()
        self._lists = lists
        one, other = (lists[side].verticalScrollBar() for side in _SIDES)
        one.valueChanged.connect(other.setValue)
        other.valueChanged.connect(one.setValue)
        self._following = QTimer(reviewing, singleShot=True, interval=0)
        self._following.timeout.connect(self.follow)
        reader.verticalScrollBar().valueChanged.connect(lambda _: self._following.start())
        reviewing.current_changed.connect(self._following.start)
        reviewing.changed.connect(self._following.start)

    def set_page_palette(self, palette: PagePalette) -> None:
        for cards in self._lists.values():
            cards.painter.page = palette
            cards.viewport().update()

    def set_font(self) -> None:
        self._sizes.set_font(self._lists["left"].font())

    def follow(self) -> None:
        """Show the cards of what is in view in the text; the current one too, where its span is in view."""
        cells, current = self._reviewing.cells, self._reviewing.cell
        if not self._reviewing.active or not cells:
            return
        top = self._reader.offset_at(QPoint(0, 0))
        starts = [cell.start for cell in cells if cell.start is not None]
        number = bisect_left(starts, top)
        if current is not None and current.start is None:
            number = self._reviewing.current
        for cards in self._lists.values():
            cards.show_from(min(number, len(cells) - 1))
            if current is not None and self._in_view(current.start):
                cards.show_whole(self._reviewing.current)

    def _in_view(self, start: int | None) -> bool:
        if start is None:
            return True
        place = self._reader.rect_of(start, start + 1)
        return self._reader.viewport().rect().intersects(place)


_SIDES: tuple[Side, Side] = ("left", "right")
