"""Above the text: the current disagreement in large, both sides in full, and what can be decided."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QMargins, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QStackedWidget,
    QWidget,
)

from app.gui.modes.reconcile.difference.around import AlikeBar, ChoiceRow, SideView, standing_words
from app.gui.modes.reconcile.difference.span_edit import SpanEdit
from app.gui.modes.reconcile.queue.reading import Rationale
from app.gui.modes.reconcile.queue.work import Work
from app.gui.modes.reconcile.words import MARKS, STATE_WORDS, WAITING, codes_of, decided_words, kind_words
from app.gui.reader.view import Reader
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import Panel, for_command, lined, stacked
from app.gui.widgets.flow import Fitted, Lettered
from app.gui.widgets.plain import ElidedButton, ElidedLabel, bold
from app.gui.widgets.swatch import Swatch
from app.gui.widgets.tips import with_key
from app.operations.reconcile.preview import concepts_in_words
from app.operations.reconcile.queue import Queue
from app.palette import PagePalette
from app.reconcile.types import Difference, SideQuote
from app.text import counted
from extractors.model.finding import Finding
from extractors.model.scheme import Scheme

_HEADING = 1.2
_LEAST_SHARE, _MOST_TOLD = 0.48, 0.45
_MARGIN, _SPACING = 8, 4
# Kinds that turn on what is said of the quotes.
_SAID_AHEAD = ("label", "polarity", "concept")


class Card(Lettered, Fitted, Panel):
    """Its height is the same whatever it shows, so that the text below never jumps.

    Where there is little room, one line says what two say else, so that the choices stay in sight.

    `text_wanted`: the step that had the focus has been taken, so that it would go to whatever comes next.
    """

    text_wanted = Signal()

    def __init__(
        self, work: Work, reader: Reader, scheme: Scheme, palette: PagePalette, actions: Actions
    ) -> None:
        super().__init__()
        self._work, self._scheme, self._actions = work, scheme, actions
        self.kind, self.where = ElidedLabel(), ElidedLabel()
        self.swatch = Swatch(palette, scheme.ids[0])
        self.state = ElidedLabel(f"{MARKS['asked']}  {STATE_WORDS['asked']}")
        self.whole = ElidedButton(flat=False)
        self.whole.setCheckable(True)
        for_command(self.whole, "All of the pair", actions, "reconcile.whole")
        # It is pressed where that is so, not where it was clicked.
        self.whole.clicked.connect(self._show_words)
        self.left, self.right = SideView("Left side"), SideView("Right side")
        self.choices = ChoiceRow(work, actions)
        self.edit = SpanEdit(reader, scheme, actions)
        self.outcome = ElidedLabel()
        self.outcome.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.offer = AlikeBar(work, actions)
        self.message = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.standing = ElidedLabel()
        self.build = for_command(QPushButton(), "Build the gold set", actions, "reconcile.gold")
        self.look = for_command(QPushButton(), "Show the differences", actions, "reconcile.record")
        self.bring = for_command(QPushButton(), "Import another set…", actions, "project.import")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._made_item())
        self._pages.addWidget(self._made_message())
        self.setWidget(self._pages)
        self._pages.installEventFilter(self)
        work.queue_changed.connect(self._show_words)
        work.current_changed.connect(self._show_words)
        work.states_changed.connect(lambda _: self._tell_state())
        work.rationale_changed.connect(self._tell_state)
        self.offer.turned.connect(self._tell_state)
        self.edit.changed.connect(self._turn)
        self._tight, self._kind = False, ""
        self.fit_letters()
        self._show_words()

    def set_page_palette(self, palette: PagePalette) -> None:
        self.swatch.set_page_palette(palette)
        self._show_words()

    def follow_in_tab_order(self, before: QWidget) -> None:
        """Let Tab lead from another part of the window to this one."""
        edit = self.edit
        stops = (
            *(before, self.build, self.look, self.bring, self.whole, self.left.quotes, self.right.quotes),
            *self.choices.buttons.values(),
            self.offer,
            *(edit.category, edit.polarity, edit.field, edit.add, edit.record, edit.give_up),
        )
        for one, next_ in pairwise(stops):
            QWidget.setTabOrder(one, next_)

    def sizeHint(self) -> QSize:
        """As high as its parts with long quotes; the window may give it less, and in the end it scrolls."""
        return self._pages.sizeHint().grownBy(QMargins(0, 0, 0, self.left.growth()))

    def minimumSizeHint(self) -> QSize:
        """As high as its parts must be, as far as the window has that room."""
        least = max(self._pages.minimumSizeHint().height(), self._loose_height())
        most = round(_LEAST_SHARE * self.window().height())
        return QSize(super().minimumSizeHint().width(), min(least, most))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._pages and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self.arrange()
        return super().eventFilter(watched, event)

    # Layout

    def _fit_head(self) -> None:
        """The state keeps its mark alone where its words would cut those before it."""
        words = self.state.sizeHint().width()
        others = self.swatch.sizeHint().width() + self.kind.sizeHint().width() + 2 * self._head.spacing()
        fits = others + words <= self.viewport().width() - 2 * _MARGIN
        mark = max(self.state.fontMetrics().horizontalAdvance(f"{each} ") for each in MARKS.values())
        self.state.setMaximumWidth(words if fits else mark)

    def arrange(self) -> None:
        self._fit_head()
        high = self.viewport().height()
        tight = high < self._loose_height()
        # The line below the choices is scrolled to before the quotes are.
        around = _MARGIN + 3 * _SPACING + self._head_height() + self.left.head_height()
        room = high - around - self.choices.sizeHint().height()
        for side in (self.left, self.right):
            side.give(max(room, 1) if tight else 0)
        if tight == self._tight:
            return
        self._tight = tight
        (self._told if tight else self._below).addWidget(self.whole)
        for part in (self.where, self.state):
            part.setVisible(not tight)
        self._show_words()

    def _loose_height(self) -> int:
        """What it takes to say everything, whether it does so now or not."""
        below = max(part.sizeHint().height() for part in (self.where, self.whole))
        above = self._head_height() + below + self.left.usual_height()
        return 2 * _MARGIN + 3 * _SPACING + above + self._deciding.minimumSize().height()

    def _head_height(self) -> int:
        return max(part.sizeHint().height() for part in (self.swatch, self.kind, self.state))

    def _made_item(self) -> QWidget:
        page = QWidget()
        self._head = lined(None, self.swatch, self.kind, self.state, wide=self.kind)
        self._below = lined(None, self.where, self.whole, wide=self.where)
        sides = QGridLayout()
        sides.setHorizontalSpacing(16)
        sides.addWidget(self.left, 0, 0)
        sides.addWidget(self.right, 0, 1)
        sides.setRowStretch(0, 1)
        sides.setColumnStretch(0, 1)
        sides.setColumnStretch(1, 1)
        self._deciding = QStackedLayout()
        self._deciding.setContentsMargins(0, 0, 0, 0)
        deciding = QWidget()
        deciding.setLayout(self._deciding)
        choosing = QWidget()
        self._told = lined(None, self.outcome, self.offer, wide=self.outcome)
        stacked(choosing, self.choices, self._told, None, spacing=4)
        self._deciding.addWidget(choosing)
        self._deciding.addWidget(self.edit)
        margins = (16, _MARGIN, 16, _MARGIN)
        parts = (self._head, self._below, sides, deciding)
        stacked(page, *parts, wide=sides, margins=margins, spacing=_SPACING)
        return page

    def _made_message(self) -> QWidget:
        page = QWidget()
        column = stacked(page, self.standing, self.message, margins=(16, 8, 16, 16))
        column.addSpacing(8)
        for button in (self.build, self.look, self.bring):
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            button.setDefault(True)
        column.addStretch(1)
        return page

    def fit_letters(self) -> None:
        if self.widget() is None:
            return
        font = bold(self.font(), _HEADING)
        for heading in (self.kind, self.standing):
            if heading.font() != font:
                heading.setFont(font)
        self.arrange()

    # What it says

    def _turn(self) -> None:
        """To the choices, or to the span that is being edited, which is brought into sight."""
        self._deciding.setCurrentIndex(1 if self.edit.active else 0)
        QTimer.singleShot(0, self, self._bring_into_sight)

    def _bring_into_sight(self) -> None:
        if self.edit.active:
            self.ensureWidgetVisible(self.edit, 0, 0)
        else:
            self.verticalScrollBar().setValue(0)

    def _show_words(self) -> None:
        work = self._work
        queue, current = work.queue, work.current
        words, step = standing_words(work)
        steps = {"build": self.build, "look": self.look, "import": self.bring}
        taken = any(button.hasFocus() for name, button in steps.items() if name != step)
        self._pages.setCurrentIndex(1 if words else 0)
        self.message.setText(words)
        self.standing.say(" and ".join(dict.fromkeys(filter(None, (work.left, work.right)))))
        for name, button in steps.items():
            button.setVisible(name == step)
        if taken:
            self.text_wanted.emit()
        if queue is None or current is None:
            return
        item, one = current.item, current.difference
        name = self._scheme.category(item.category).name
        if work.whole:
            self._kind = f"All of {name} in this report: {counted(len(work.targets()), 'difference')}"
        else:
            self._kind = kind_words(one, queue)
        self.kind.say(self._kind)
        self.swatch.set_category(item.category if work.whole else one.category)
        names = [name] if work.whole else [self._scheme.category(each).name for each in one.group.categories]
        within = f" · {current.number + 1} of {len(item.differences)} in this pair"
        number = within if item.kind == "pair" and not work.whole else ""
        self.where.say(f"{' / '.join(names)}{number} · {item.report}")
        # Of the category as a whole: beside a single difference it would be taken for that one's.
        if item.kind == "pair":
            self.where.say(f"{self.where.full_text()} · score {item.tsr:.0f}")
        self.whole.setEnabled(item.kind == "pair")
        self.whole.setChecked(work.whole)
        self._show_sides(queue)
        self._tell_state()

    def _show_sides(self, queue: Queue) -> None:
        work = self._work
        if work.current is None:
            return
        item, one = work.current.item, work.current.difference
        left, right = (item.left, item.right) if work.whole else (one.left, one.right)
        ours, theirs = _findings(left), _findings(right)
        for side, whose, quotes, found, others in (
            (self.left, queue.left, left, ours, theirs),
            (self.right, queue.right, right, theirs, ours),
        ):
            ahead = not work.whole and one.kind in _SAID_AHEAD
            side.show_side(whose.name, found, others, self._scheme, _concepts(quotes, one), ahead=ahead)

    def _tell_state(self) -> None:
        work, there = self._work, self._work.decision()
        if work.queue is None or work.current is None:
            return
        if work.whole:
            state = work.queue.state_of(work.current.item)
        else:
            state = work.queue.state(work.current.difference.id)
        self.state.say(f"{MARKS[state]}  {STATE_WORDS[state].capitalize()}", MARKS[state])
        self._fit_head()
        if self._tight:
            in_one = (f"{MARKS[state]}  {self._kind}", self.where.full_text(), STATE_WORDS[state])
            self.kind.say(" · ".join(in_one))
        if there is not None:
            words = decided_words(there, work.queue, codes_of(self._scheme))
        elif work.rationale != Rationale():
            words = WAITING
        else:
            # What is offered needs the line.
            words = self._keys() if self.offer.offer is None else ""
        self.outcome.say(words)
        # What is offered beside it leaves it as much as can be read.
        most = 0 if self._tight else round(_MOST_TOLD * self.viewport().width())
        self.outcome.setMinimumWidth(min(self.outcome.sizeHint().width(), most))

    def _keys(self) -> str:
        keys = (("next", "Next"), ("previous", "Back"), ("next_open", "Next undecided"))
        named = ((self._actions.key(f"reconcile.{command}"), words) for command, words in keys)
        return " · ".join(with_key(words, key) for key, words in named if key)


def _concepts(quotes: tuple[SideQuote, ...], one: Difference) -> list[str]:
    """What each mark stands for, in words; that it is nothing where the difference turns on that."""
    return [concepts_in_words([quote]) if quote.concepts or one.kind == "concept" else "" for quote in quotes]


def _findings(quotes: tuple[SideQuote, ...]) -> list[Finding]:
    return [quote.finding for quote in quotes]
