"""Beside and below the current disagreement: what each side says, choices, others alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication, QFrame, QPushButton, QSizePolicy, QWidget

from app.gui.modes.reconcile.queue.reading import Offer
from app.gui.modes.reconcile.queue.work import Work
from app.gui.modes.reconcile.words import about, likeness_words, why_not
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import follow_keys, lines_high, once, stacked
from app.gui.widgets.flow import FlowRow, Lettered
from app.gui.widgets.lists import WholeLines
from app.gui.widgets.plain import ElidedButton, ElidedLabel, bold, caption, one_line
from app.gui.widgets.tips import explain, with_key
from app.operations.reconcile.preview import CHOICES, word_differences
from app.reconcile.gold import Choice
from app.text import counted, shortened
from extractors.model.finding import Finding
from extractors.model.scheme import Scheme

_LINES, _MOST_LINES = 2, 9
_LARGER = 1.15


class SideView(Lettered, QWidget):
    """Its height depends on the room there is, not on what it shows; longer quotes scroll."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name, self._room = name, 0
        self.holder = ElidedLabel()
        self.quotes = WholeLines()
        self.quotes.document().setDocumentMargin(2)
        self.quotes.setReadOnly(True)
        self.quotes.setUndoRedoEnabled(False)
        self.quotes.setFrameShape(QFrame.Shape.NoFrame)
        self.quotes.setTabChangesFocus(True)
        self.quotes.setProperty("quotation", True)
        self.quotes.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        stacked(self, self.holder, self.quotes, wide=self.quotes, spacing=2)
        self.fit_letters()

    def show_side(
        self,
        holder: str,
        findings: Sequence[Finding],
        others: Sequence[Finding],
        scheme: Scheme,
        concepts: Sequence[str] = (),
        *,
        ahead: bool = False,
    ) -> None:
        """Show what `holder` has, against what the other side has; `concepts` are words on each finding.

        `ahead` where what is said of the quote stands above it, in sight however long the quote is.
        """
        self.holder.say(holder)
        self.quotes.setAccessibleName(f"{self._name}: {holder}")
        self.quotes.clear()
        cursor = QTextCursor(self.quotes.document())
        quiet = QTextCharFormat()
        quiet.setForeground(QApplication.palette().placeholderText())
        quiet.setFontPointSize(self.font().pointSizeF())
        if not findings:
            cursor.insertText("Nothing here", quiet)
        # Whether the quotes of both sides stand against each other one by one.
        paired = len(findings) == len(others)
        for number, finding in enumerate(findings):
            if number:
                cursor.insertBlock(_block(4))
            coded = concepts[number] if concepts else ""
            said = " · ".join(filter(None, [coded, about(finding, scheme)]))
            if ahead:
                cursor.insertText(said, quiet)
                cursor.insertBlock(_block(0))
            self._write(cursor, finding, others[number].quote if paired else None)
            if not ahead:
                cursor.insertBlock(_block(0))
                cursor.insertText(said, quiet)
        self.quotes.moveCursor(QTextCursor.MoveOperation.Start)
        self.quotes.show_whole_lines()

    def _write(self, cursor: QTextCursor, finding: Finding, other: str | None) -> None:
        """The quote; what the other one lacks is bold and underlined."""
        plain, own = QTextCharFormat(), QTextCharFormat()
        own.setFontWeight(QFont.Weight.Bold)
        own.setFontUnderline(True)
        cursor.insertText("“", plain)
        if other is None:
            cursor.insertText(one_line(finding.quote), plain)
        else:
            for run in word_differences(one_line(finding.quote), one_line(other)):
                if run.presence != "right":
                    cursor.insertText(run.text, own if run.presence == "left" else plain)
        cursor.insertText("”", plain)

    def fit_letters(self) -> None:
        font = bold(self.font())
        if self.holder.font() != font:
            self.holder.setFont(font)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * (1 if self._room else _LARGER))
        if self.quotes.font() != font:
            self.quotes.setFont(font)
        self.quotes.setMinimumHeight(max(self._room, lines_high(self.quotes, 1 if self._room else _LINES)))
        self.quotes.setMaximumHeight(lines_high(self.quotes, _MOST_LINES))

    def give(self, room: int) -> None:
        """So many pixels for the quotes, 0 for as many as usual."""
        if room != self._room:
            self._room = room
            self.fit_letters()

    def head_height(self) -> int:
        """How many pixels of it are not for quotes."""
        return self.minimumSizeHint().height() - self.quotes.minimumHeight()

    def usual_height(self) -> int:
        """How many pixels high it is at least where it is given no other room."""
        return self.head_height() + round(_LARGER * lines_high(self.holder, _LINES))

    def growth(self) -> int:
        """By how many pixels it may become higher than it must be."""
        return round(_LARGER * lines_high(self.holder, _MOST_LINES)) - self.quotes.minimumHeight()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


def _block(above: int) -> QTextBlockFormat:
    block = QTextBlockFormat()
    block.setTopMargin(above)
    block.setAlignment(Qt.AlignmentFlag.AlignLeading)
    return block


COMMANDS: Mapping[Choice, str] = {
    "left": "reconcile.left",
    "right": "reconcile.right",
    "both": "reconcile.both",
    "merged": "reconcile.merge",
    "edited": "reconcile.edit",
    "neither": "reconcile.neither",
    "ask": "reconcile.ask",
}
_WORDS: Mapping[Choice, str] = {
    "both": "Both",
    "merged": "Merge",
    "edited": "Edit",
    "neither": "Neither",
    "ask": "Ask again",
}
_LONGEST = 16


class ChoiceRow(FlowRow):
    """The choice that was taken stays pressed."""

    def __init__(self, work: Work, actions: Actions) -> None:
        super().__init__()
        self._work, self._actions = work, actions
        self.buttons: dict[Choice, QPushButton] = {}
        for choice in CHOICES:
            button = self.buttons[choice] = QPushButton()
            button.setCheckable(True)
            once(button)
            button.clicked.connect(actions[COMMANDS[choice]].trigger)
            # It is pressed where that is decided, not where it was clicked.
            button.clicked.connect(self._show_words)
            self.add(button)
        work.queue_changed.connect(self._write)
        work.current_changed.connect(self._show_words)
        work.states_changed.connect(lambda _: self._show_words())
        follow_keys(self, actions, tuple(COMMANDS.values()), self._write)

    def _write(self) -> None:
        words = {**_WORDS, "left": self._work.left or "Left", "right": self._work.right or "Right"}
        for choice, button in self.buttons.items():
            key = self._actions.key(COMMANDS[choice])
            text = shortened(words[choice], _LONGEST)
            button.setText(caption(with_key(text, key)))
        self.arrange()
        self._show_words()

    def _show_words(self) -> None:
        work = self._work
        offered, there = work.choices(), work.decision()
        targets = work.targets()
        many = f" on {counted(len(targets), 'difference')}" if work.whole else ""
        for choice, button in self.buttons.items():
            button.setEnabled(choice in offered)
            button.setChecked(there is not None and there.choice == choice)
            hint = self._actions.hint(COMMANDS[choice]) + many
            explain(button, hint if choice in offered or not targets else why_not(choice))


Step = Literal["", "build", "import", "look"]


def standing_words(work: Work) -> tuple[str, Step]:
    """What to say instead of showing a disagreement ("" where one is shown), and the next step to offer."""
    offer, queue = work.offer_of_sides, work.queue
    if offer is None:
        return "Reading who has annotated…", ""
    if len(offer.holders) < 2:
        return (
            "Here two sets of annotations are reconciled: each disagreement is decided, one by one, towards "
            "a gold set. It takes two who have annotated the same reports; "
            f"{_there(len(offer.holders))}. Import another set, annotate under another name, or let rules or "
            "a model extract; all three are in the menu Project.",
            "import",
        )
    if work.unseen:
        return (
            f"In {counted(len(work.unseen), 'report')} you have not seen what others "
            "marked. Reconciling shows it in all of them, and Casespan records that you "
            "have seen it. Annotate first what you want to annotate unseen.",
            "look",
        )
    if queue is None:
        return work.refusal or "Reading where both sides differ…", ""
    if not queue.differences:
        where = f"{counted(queue.agreed, 'span')} in {counted(queue.reports, 'report')}"
        both = f"{queue.left.name} and {queue.right.name}"
        return f"{both} agree everywhere ({where}); there is nothing to decide.", "build"
    if work.current is not None:
        return "", ""
    if not work.cursor.queue_places:
        return "No difference matches the filters; choose others at the left.", ""
    if work.counts["open"]:
        return "Everything that is shown is decided; choose other filters at the left to go on.", ""
    if work.counts["asked"]:
        asked = f"{work.counts['decided']:,} decided, {work.counts['asked']:,} to be asked again"
        return f"{asked}; choose other filters at the left to come to them.", ""
    many = len(queue.differences)
    decided = f"All {many:,} differences have" if many > 1 else "The only difference has"
    return f"{decided} been decided on.", "build"


def _there(number: int) -> str:
    return "one is there" if number else "nobody has annotated any yet"


_DECIDE_FIRST = "Decide on a difference first; those like it are offered then."
_NOTHING_ALIKE = "Nothing that is undecided is like the difference decided last."
_ALONE = {
    "edited": "An edited span has its place in one report; it is not decided on others.",
    "ask": "What is to be asked again is not decided on others.",
}


class AlikeBar(ElidedButton):
    """Keeps its height where there is nothing to offer; takes no focus of its own accord."""

    wanted = Signal(object)
    # Why there is nothing to list.
    nothing = Signal(str)
    # Something is offered, or no more.
    turned = Signal()

    def __init__(self, work: Work, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self.offer: Offer | None = None
        self._why_not = _DECIDE_FIRST
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        kept = self.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.setSizePolicy(kept)
        self.clicked.connect(self.take)
        work.offered.connect(self._show)
        follow_keys(self, actions, ["reconcile.alike"], self._write)

    def clear(self) -> None:
        self.offer, self._why_not = None, _DECIDE_FIRST
        self._write()

    def take(self) -> None:
        """Ask for the offered ones to be listed; where there are none, say why."""
        if self.offer is not None:
            self.wanted.emit(self.offer)
        else:
            self.nothing.emit(self._why_not)

    def _show(self, offer: Offer) -> None:
        self.offer = offer if offer.items else None
        self._why_not = _ALONE.get(offer.resolution.choice, _NOTHING_ALIKE)
        self._write()

    def _write(self) -> None:
        self.setVisible(self.offer is not None)
        self.turned.emit()
        if self.offer is None:
            self.setText(" ")
            return
        kinds = {likeness_words(item): item.total for item in self.offer.items}
        number = sum(kinds.values())
        wherein = ", ".join(f"{words} ({count:,})" for words, count in kinds.items())
        key = self._actions.key("reconcile.alike")
        others = "1 other is" if number == 1 else f"{number:,} others are"
        self.setText(caption(f"{others} alike{f' ({key})' if key else ''}: {wherein}"))
        explain(self, f"{others} alike: {wherein}. Decide on them at once, after checking each.")
