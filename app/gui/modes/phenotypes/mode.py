"""The mode Phenotypes: terms in the text, above it what can be done with them, profile and ranking right."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QPushButton, QToolTip, QWidget

from app.gui.dialogs.project.summary import show_message
from app.gui.dialogs.watching import busy_sentence
from app.gui.modes.mode import Mode
from app.gui.modes.phenotypes.asking import AskingDialog
from app.gui.modes.phenotypes.items import spans_of
from app.gui.modes.phenotypes.pane import RightPane
from app.gui.modes.phenotypes.work import ProfileWork
from app.gui.widgets.boxes import for_command, stacked
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.plain import ElidedButton, ElidedLabel, quoted
from app.gui.widgets.tips import tip
from app.gui.widgets.wording import in_window
from app.operations.profile.profile import TERMINOLOGY, PhenotypeRun, describe_phenotype_run, find_phenotypes
from extractors.model.finding import POLARITIES

if TYPE_CHECKING:
    from app.gui.modes.mode import ModeContext
    from app.gui.modes.phenotypes.items import Item
    from app.gui.shell.acts.actions import Actions
    from app.store.annotate.concepts import Coding


_BUTTONS = (
    ("accept", "Accept"),
    ("reject", "Reject"),
    ("present", "Present"),
    ("negated", "Denied"),
    ("uncertain", "Uncertain"),
    ("term", "Term"),
    ("next", "Next"),
    ("previous", "Previous"),
    ("accept_all", "Accept all"),
)
_OF_A_TERM = ("accept", "reject", "present", "negated", "uncertain")
STANDING = {
    "own": "in the profile",
    "suggested": "suggested: it does not count until you accept it",
    "rejected": "rejected",
    "relative": "of a relative: it never counts",
}
_PAD, _GAP = 8, 4


class TermStrip(QWidget):
    """A sentence, and below it the keys as buttons."""

    def __init__(self, work: ProfileWork, actions: Actions) -> None:
        super().__init__()
        self._work = work
        self.sentence = ElidedLabel()
        self.buttons: dict[str, QPushButton] = {}
        row = FlowRow()
        for name, words in _BUTTONS:
            button = for_command(ElidedButton(flat=False), words, actions, f"phenotypes.{name}")
            self.buttons[name] = button
            row.add(button)
        stacked(self, self.sentence, row, margins=(_PAD, _GAP, _PAD, _GAP), spacing=_GAP)
        work.message.connect(self.sentence.say)
        work.changed.connect(self.refresh)
        work.current_changed.connect(self.refresh)

    def take_focus(self) -> None:
        self.buttons["next"].setFocus()

    def refresh(self) -> None:
        item = self._work.item
        for name in _OF_A_TERM:
            self.buttons[name].setEnabled(item is not None)
        left = sum(map(self._work.is_open, self._work.items))
        self.buttons["next"].setEnabled(bool(left))
        self.buttons["accept_all"].setEnabled(bool(left))
        self.buttons["previous"].setEnabled(bool(self._work.items))
        if item is not None:
            self.sentence.say(_about(item))
        elif left:
            self.sentence.say(f"{left} suggested here and not judged yet.")
        else:
            self.sentence.say("Nothing here is left to judge." if self._work.items else "")


def _about(item: Item) -> str:
    quote = quoted(item.annotation.finding.quote)
    return f"{item.words} ({item.coding.code}), {STANDING[item.standing]} · {quote}"


class PhenotypesMode(Mode):
    """Paints terms instead of categories while it is on screen; the one under the caret is current."""

    id = "phenotypes"
    hides_right = True

    def __init__(self, context: ModeContext) -> None:
        super().__init__()
        self.session = context.session
        self._page, self.reader, self._editing = context.page, context.reader, context.editing
        self._lit: Collection[str] | None = None
        self._busy = False
        self.work = ProfileWork(context.session, self)
        self.strip = TermStrip(self.work, context.actions)
        self.pane = RightPane(self.work, context.actions)
        self.above = self.strip
        self.right = self.pane
        for command, call in self._commands().items():
            context.actions.on(f"phenotypes.{command}", call)
        for polarity in POLARITIES:
            context.actions.on(f"phenotypes.{polarity}", partial(self.work.set_polarity, polarity))
        self.work.changed.connect(self._paint)
        self.work.current_changed.connect(self._go)
        self.pane.lit.connect(self._light)
        self.pane.text_wanted.connect(self.reader.setFocus)
        context.reader.caret_moved.connect(self._follow_caret)
        context.reader.span_activated.connect(self._activate)
        context.reader.hovered.connect(self._show_tip)

    def enter(self) -> None:
        """Paint the report's terms as soon as they are read."""
        self._page.show_instead(())
        self.work.enter()

    def leave(self) -> None:
        self.work.leave()
        self._page.show_instead(None)

    def take_focus(self) -> None:
        """Into the text, or to what can be done where nothing was found yet."""
        found = self.work.found
        if found is not None and not found.found:
            self.pane.take_focus()
        else:
            self.reader.setFocus()

    def find_phenotypes(self) -> None:
        title = "Find phenotypes"
        if sentence := busy_sentence(self.session):
            show_message(self.pane, title, sentence)
            return
        job = self.session.worker.begin(title, lambda project: find_phenotypes(project))
        job.failed.connect(lambda problem: show_message(self.pane, title, in_window(problem)))
        job.stopped.connect(lambda: self.session.message.emit("Stopped; nothing was found yet."))
        job.done.connect(self._found)

    def ask_a_model(self) -> None:
        AskingDialog(self.session, self.pane.window()).open()

    def ask_for_term(self) -> None:
        """Ask for a term of the selection, else for another one of the current term, else of the word."""
        start, end = self.reader.selection()
        item = self.work.item if start == end else None
        under = {span.id for span in self.reader.spans_under_caret()}
        if item is not None and (item.uuid in under or not self.reader.hasFocus()):
            finding = item.annotation.finding
            start, end = finding.start or 0, finding.end or 0
            popup = self._editing.ask_for_concept(finding.quote, (item.coding,), start, end)
            popup.given.connect(partial(self._give, item.uuid, start, end))
            popup.taken_away.connect(lambda _: self.work.reject())
            return
        start, end = self._editing.target()
        if start == end:
            self.work.message.emit("There is no word at the cursor; select some text first.")
            return
        words = self.reader.text()[start:end]
        popup = self._editing.ask_for_concept(words, (), start, end, "It becomes a term of the profile.")
        popup.given.connect(partial(self._give, "", start, end))

    # Inside

    def _give(self, uuid: str, start: int, end: int, coding: Coding, beside: bool) -> None:
        if coding.terminology != TERMINOLOGY:
            self.work.message.emit(f"A profile is made of {TERMINOLOGY} alone; F4 in the field goes back.")
        elif uuid and not beside:
            self.work.set_current(uuid)
            self.work.set_term(coding.code)
        elif start < end:
            self.work.add_term(coding.code, (start, end))

    def _commands(self) -> dict[str, Callable[[], object]]:
        work = self.work
        return {
            "accept": work.accept,
            "reject": work.reject,
            "next": work.next,
            "previous": work.previous,
            "accept_all": work.accept_all,
            "term": self.ask_for_term,
            "diseases": self.pane.go_to_diseases,
            "profile": self.pane.tree.take_focus,
            "compare": self.pane.compare,
            "diagnosis": self._know,
            "find": self.find_phenotypes,
            "ask": self.ask_a_model,
        }

    def _know(self) -> None:
        """What the chosen disease is, as the report's diagnosis."""
        found, row = self.work.found, self.pane.diseases.row
        if found is None or not 0 <= row < len(found.ranking.diseases):
            self.work.message.emit("Choose the disease first that the report is about.")
        else:
            self.work.set_diagnosis(found.ranking.diseases[row])

    def _found(self, run: PhenotypeRun) -> None:
        self.session.message.emit(" ".join(describe_phenotype_run(run)))
        self.session.undoing.ask_for_names()
        self.work.read()
        self.reader.setFocus()

    def _paint(self) -> None:
        if not self.work.active:
            return
        found = self.work.found
        if found is not None and not found.found and self.reader.hasFocus():
            self.pane.take_focus()
        here = found is not None and found.profile.report == self.session.report_model.key
        self._page.show_instead(spans_of(self.work.items, self._lit) if here else ())
        self._outline()

    def _outline(self) -> None:
        there = {span.id for span in self.reader.spans()}
        self.reader.set_selected_span(self.work.current if self.work.current in there else None)

    def _light(self, codes: Collection[str] | None) -> None:
        if codes != self._lit:
            self._lit = codes
            self._paint()

    def _go(self) -> None:
        item = self.work.item
        if not self.work.active or item is None:
            return
        start, end = item.annotation.finding.start, item.annotation.finding.end
        if start is not None and end is not None and not self._busy:
            self._busy = True
            self._page.show_place(start, end)
            self._busy = False
        self._outline()

    def _follow_caret(self, _place: int) -> None:
        """The term under the caret is the current one; beside all terms the last one stays."""
        if not self.work.active or self._busy:
            return
        under = [span.id for span in self.reader.spans_under_caret()]
        if under and self.work.current not in under:
            self._busy = True
            self.work.set_current(under[0])
            self._busy = False

    def _activate(self, uuid: str) -> None:
        if self.work.active:
            self.work.set_current(uuid)

    def _show_tip(self, uuids: list[str], place: QPoint) -> None:
        if self.work.active and uuids:
            lines = [
                f"{item.words} ({item.coding.code}), {STANDING[item.standing]}"
                for item in self.work.items
                if item.uuid in uuids
            ]
            QToolTip.showText(place, tip("\n".join(lines)), self.reader)
