"""The right side: the ranking of the report, what speaks for a disease, and the profile below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QPushButton, QSizePolicy, QStackedWidget, QWidget

from app.gui.dialogs.forms import plain_label
from app.gui.modes.phenotypes.diseases import (
    DiseaseList,
    disease_rows,
    nothing_words,
    order_words,
    publication_words,
    side_by_side,
)
from app.gui.modes.phenotypes.items import ProfileTree
from app.gui.widgets.boxes import (
    FlexRow,
    LeadsBack,
    Panel,
    for_command,
    heading_label,
    lines_high,
    pages_of,
    stacked,
)
from app.gui.widgets.flow import Splitter
from app.gui.widgets.lists import Detail, ListTable
from app.gui.widgets.plain import ElidedLabel
from app.gui.widgets.tips import explain
from app.text import counted
from extractors.differential.report import ADVICE, releases_in_words

if TYPE_CHECKING:
    from app.gui.modes.phenotypes.work import ProfileWork
    from app.gui.shell.acts.actions import Actions
    from app.operations.profile.differential import OpenDifferential

_PAD, _GAP = 8, 4
_EMPTY = (
    "Here the phenotypes of a report are corrected, and the rare diseases that explain them are read beside "
    "the text.\n\nNobody has looked for phenotypes in this project yet. Let the rules find them: what they "
    "find are suggestions, which count once you accept them."
)

# The head's share of the height at most: with a ranking below it, and without.
_MOST_HEAD, _MOST_ALONE = 0.5, 0.7
_SHARES, _LOWER_SHARES = (0.42, 0.58), (0.38, 0.62)
_LEAST_LINES, _ANY = 2, 16_777_215


class _Head(Panel):
    """What stands over the lists; it scrolls rather than take more than its share of the height."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        self.most = _MOST_ALONE
        self.setWidget(inside)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().viewportEvent(event)

    def heightForWidth(self, width: int) -> int:
        """That of its words beside a scroll bar, as far as it may: a bar that is there must be able to go."""
        page = self.parentWidget()
        wanted = self._inside.heightForWidth(width - self.verticalScrollBar().sizeHint().width())
        return wanted if page is None else min(wanted, round(self.most * page.height()))


class RightPane(LeadsBack, QWidget):
    """`lit` has the codes of findings that are to be lit, None for none."""

    lit = Signal(object)
    text_wanted = Signal()

    def __init__(self, work: ProfileWork, actions: Actions) -> None:
        super().__init__()
        self.setAccessibleName("Diseases and profile")
        self._work = work
        self._held = -1
        # The lines that must be in plain sight are never squeezed; what is cut is in their tips.
        self.knowledge, self.publication, self.order = ElidedLabel(), ElidedLabel(), ElidedLabel()
        self.advice, self.nothing = plain_label(ADVICE), plain_label()
        self.prevalence = _switch(
            "Prevalence", "What is more frequent goes first among near ties.", self._rank
        )
        self.own_publication = _switch(
            "Own publication", "Annotations that cite the report itself count, too.", self._rank
        )
        self.diseases = DiseaseList()
        self.detail = Detail("What speaks for and against the disease")
        self.comparison = _Comparison(actions)
        # Otherwise than in lists of findings it has what room there is.
        self.detail.setMinimumHeight(lines_high(self.detail, _LEAST_LINES))
        self.detail.setMaximumHeight(_ANY)
        self.tree = ProfileTree()
        self.about = QStackedWidget()
        self.about.addWidget(self._profile())
        self.about.addWidget(self.comparison)
        self.pages = pages_of(self._working(), self._empty(actions))
        stacked(self, self.pages, wide=self.pages, spacing=0)
        work.changed.connect(self._show)
        work.current_changed.connect(lambda: self.tree.show_current(work.current))
        self.tree.chosen.connect(work.set_current)
        self.diseases.lit.connect(self._light)
        self.diseases.chosen.connect(self._explain)
        self._show()

    def take_focus(self) -> None:
        """To the diseases, or where there are none to the profile or what can be done."""
        if self.pages.currentIndex():
            self.find_button.setFocus(Qt.FocusReason.TabFocusReason)
        elif self.diseases.diseases.rows:
            self.diseases.take_focus()
        else:
            self.tree.take_focus()

    def go_to_diseases(self) -> None:
        """Into their list; where there is none, say why: it would take the focus once it comes."""
        if self.diseases.isVisible():
            self.diseases.take_focus()
        else:
            self._work.message.emit(self.nothing.text() or "There are no diseases here yet.")

    def compare(self) -> None:
        """Hold the chosen disease and set others beside it, or end that."""
        rows = len(self.diseases.diseases.rows)
        if self._held >= 0:
            self._held = -1
        elif rows > 1:
            self.diseases.take_focus()
            self._held = self.diseases.row
            self.diseases.setCurrentIndex(self.diseases.diseases.index(1 if self._held == 0 else 0))
        else:
            self._work.message.emit("There are no two diseases here to compare.")
        self._explain(self.diseases.row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._head.updateGeometry()

    # Inside

    def _working(self) -> QWidget:
        inside = QWidget()
        stacked(
            inside,
            heading_label("Diseases that explain it"),
            self.advice,
            self.knowledge,
            self.publication,
            self.order,
            FlexRow((self.prevalence, self.own_publication)),
            self.nothing,
            margins=(_PAD, _PAD, _PAD, _GAP),
            spacing=_GAP,
        )
        split = self._splits[0]
        page = QWidget()
        self._head = _Head(inside)
        split.setContentsMargins(_PAD, 0, _PAD, 0)
        stacked(page, self._head, split, wide=split, spacing=0)
        return page

    def _profile(self) -> QWidget:
        """What speaks for the chosen disease, over the profile."""
        below = QWidget()
        title = heading_label("Profile")
        stacked(below, title, self.tree, wide=self.tree, margins=(0, _GAP, 0, 0), spacing=_GAP)
        self._splits = tuple(
            _split(*parts)
            for parts in ((_SHARES, self.diseases, self.about), (_LOWER_SHARES, self.detail, below))
        )
        return self._splits[1]

    def _empty(self, actions: Actions) -> QWidget:
        page = QWidget()
        self.find_button = for_command(QPushButton(), "Find phenotypes", actions, "phenotypes.find")
        ask = for_command(QPushButton(), "Ask a model…", actions, "phenotypes.ask")
        rest = plain_label(_EMPTY), self.find_button, ask
        stacked(page, *rest, margins=(_PAD, _PAD, _PAD, _PAD), spacing=_PAD).addStretch(1)
        return page

    def _show(self) -> None:
        """What there is now; nothing moves that says the same."""
        found = self._work.found
        self.pages.setCurrentIndex(1 if found is not None and not found.found else 0)
        if found is None:
            self.tree.put((), {})
            self.diseases.put(())
            self._give_room(ranks=False)
            return
        for switch, on in (
            (self.prevalence, found.options.prevalence),
            (self.own_publication, not found.options.leave_out),
        ):
            with QSignalBlocker(switch):
                switch.setChecked(on)
        self.knowledge.say(releases_in_words(found.diseases))
        self.advice.setText(f"{ADVICE} {counted(len(found.diseases), 'disease')}.")
        self.publication.say(publication_words(found))
        self.order.say(order_words(found))
        self.nothing.setText(nothing_words(found))
        self.nothing.setVisible(bool(self.nothing.text()))
        self.tree.put(self._work.items, found.organs)
        self.tree.show_current(self._work.current)
        rows = disease_rows(found)
        self._held = self._held if self._held < len(rows) else -1
        self._give_room(ranks=bool(rows))
        self.diseases.put(rows)
        self._explain(self.diseases.row)

    def _give_room(self, *, ranks: bool) -> None:
        """Leave to the profile what the ranking does not need, where there is none."""
        if not ranks and self.diseases.hasFocus():
            self.tree.take_focus()
        self._head.most = _MOST_HEAD if ranks else _MOST_ALONE
        self._head.updateGeometry()
        if ranks == self.diseases.isHidden():
            for split, part in zip(self._splits, (self.diseases, self.detail), strict=True):
                part.setVisible(ranks)
                split.share_out()

    def _rank(self, _on: bool) -> None:
        self._work.set_options(
            prevalence=self.prevalence.isChecked(), leave_out=not self.own_publication.isChecked()
        )

    def _light(self, row: int) -> None:
        rows = self.diseases.diseases.rows
        self.lit.emit(rows[row].supports if 0 <= row < len(rows) else None)

    def _explain(self, row: int) -> None:
        found, rows = self._work.found, self.diseases.diseases.rows
        if found is None or not 0 <= row < len(rows):
            self.about.setCurrentIndex(0)
            self.detail.setPlainText(
                "Choose a disease to see what speaks for it and against it." if rows else ""
            )
        elif self._held >= 0 and self._held != row:
            self.about.setCurrentIndex(1)
            self.comparison.put(found, self._held, row)
        else:
            self.about.setCurrentIndex(0)
            if self.detail.toPlainText() != rows[row].about:
                self.detail.setPlainText(rows[row].about)


class _Comparison(QWidget):
    """Two diseases, finding by finding."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.left, self.right = ElidedLabel(), ElidedLabel()
        self.table = ListTable("Two diseases, finding by finding", ("Finding", "First", "Second"), 0, 2)
        self.table.setFrameShape(self.table.Shape.NoFrame)
        self.end = for_command(QPushButton(), "End comparing", actions, "phenotypes.compare")
        stacked(
            self, self.left, self.right, self.table, self.end, wide=self.table, margins=(0, _GAP, 0, _GAP),
            spacing=_GAP,
        )  # fmt: skip

    def put(self, found: OpenDifferential, left: int, right: int) -> None:
        for label, words, place in ((self.left, "First", left), (self.right, "Second", right)):
            one = found.ranking.diseases[place]
            label.say(f"{words}: {one.rank} {one.name}")
        self.table.put(side_by_side(found, left, right))


def _split(shares: Sequence[float], *parts: QWidget) -> Splitter:
    split = Splitter(Qt.Orientation.Vertical, *parts)
    split.share = lambda height: [round(share * height) for share in shares]
    return split


def _switch(words: str, about: str, call: Callable[[bool], None]) -> QCheckBox:
    switch = QCheckBox(words)
    explain(switch, about)
    switch.toggled.connect(call)
    return switch
