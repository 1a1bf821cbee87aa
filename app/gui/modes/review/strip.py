"""Above the text: what the current item is about, what can be done with it, the edit that is under way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.gui.dialogs.annotate.field_menu import NO_FIELD, FieldMenu
from app.gui.modes.review.cells import Cell, about
from app.gui.modes.review.reviewing import ReviewSession
from app.gui.reader import motion
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import follow_keys, for_command, pages_of, stacked
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.plain import ElidedButton, ElidedLabel, caption
from app.gui.widgets.tips import with_key
from app.operations.review.verdicts import SpanEdit
from extractors.model.finding import POLARITIES, Polarity
from extractors.model.scheme import Scheme

if TYPE_CHECKING:
    from app.gui.reader.report_page import Page
    from app.gui.shell.look.preferences import Preferences
    from app.store.annotate.annotations import Annotation


@dataclass(frozen=True, slots=True)
class Draft:
    """What is being made of an item (`key`); `place` is where it stood when the edit began, if anywhere."""

    key: str
    place: tuple[int, int] | None
    category: str
    polarity: Polarity
    field: str


class ItemEdit(QObject):
    """Begun, changed, then finished or given up; going to another item gives it up."""

    changed = Signal()
    # It was given up by going elsewhere.
    abandoned = Signal()

    def __init__(
        self, reviewing: ReviewSession, page: Page, scheme: Scheme, preferences: Preferences, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._reviewing, self._page, self._scheme, self._preferences = reviewing, page, scheme, preferences
        self.draft: Draft | None = None
        reviewing.current_changed.connect(self._follow)
        reviewing.changed.connect(self._follow)

    def begin(self) -> None:
        """Begin, or where text is selected, take the item over at once as selected."""
        one, reader = self._reviewing.item, self._page.reader
        if self.draft is not None:
            self.finish()
            return
        if self._reviewing.lacks_set():
            return
        if one is None:
            self._reviewing.message.emit("There is nothing to edit here; go to a quote of the other set.")
            return
        finding = one.finding
        placed = finding.start is not None and finding.end is not None
        place = (finding.start or 0, finding.end or 0) if placed else one.candidate
        self.draft = Draft(one.uuid, place, finding.category, finding.polarity, finding.field)
        self._reviewing.editing = True
        start, end = reader.selection()
        if start < end:
            self.finish()
            return
        if place is not None:
            reader.select(*place)
        reader.setFocus()
        self.changed.emit()

    def finish(self) -> None:
        draft = self.draft
        if draft is None:
            return
        place = self._page.reader.selection()
        if place[0] >= place[1]:
            self._reviewing.message.emit("Select in the text what the quote is to be.")
            return
        if place != draft.place and not self._preferences.by_characters:
            place = motion.snap(self._page.reader.text(), *place)
        one = self._reviewing.item
        self._end()
        edit = SpanEdit(*place, draft.category, draft.polarity, draft.field)
        if one is not None and edit == _as_it_is(one):
            self._reviewing.judge("accepted")
        else:
            self._reviewing.take(edit)

    def give_up(self) -> None:
        if self.draft is not None:
            self._end()
            # The text may be at another quote by now.
            self._reviewing.set_current(self._reviewing.current)

    def set_category(self, category: str) -> None:
        """Choose another category; the field stays where that has it."""
        if self.draft is not None:
            field = self.draft.field if self.draft.field in self._scheme.category(category).fields else ""
            self._put(replace(self.draft, category=category, field=field))

    def set_polarity(self, polarity: Polarity) -> None:
        if self.draft is not None:
            self._put(replace(self.draft, polarity=polarity))

    def next_polarity(self) -> None:
        if self.draft is not None:
            self.set_polarity(POLARITIES[(POLARITIES.index(self.draft.polarity) + 1) % len(POLARITIES)])

    def set_field(self, field: str) -> None:
        """Choose a field, "" for none."""
        if self.draft is not None:
            self._put(replace(self.draft, field=field))

    def nudge(self, start_by: int, end_by: int) -> None:
        """Move an edge of the selection by a word, on (1) or back (-1)."""
        text, (start, end) = self._page.reader.text(), self._page.reader.selection()
        if self.draft is None or start >= end:
            return
        moves = {1: motion.next_word_edge, -1: motion.previous_word_edge}
        start = moves[start_by](text, start, "start") if start_by else start
        end = moves[end_by](text, end, "end") if end_by else end
        if start < end and text[start:end].strip():
            self._page.select(start, end)

    def busy(self) -> bool:
        """Whether an edit is under way, which no other key is to throw away; says so."""
        if self.draft is not None:
            take = self._reviewing.key("review.take")
            self._reviewing.message.emit(f"A quote is being edited: {take} takes it, Esc cancels.")
        return self.draft is not None

    def idle(self) -> bool:
        """Whether no edit is under way, of which a key would be; says so."""
        if self.draft is None and not self._reviewing.lacks_set():
            edit = self._reviewing.key("review.edit") or "Edit"
            self._reviewing.message.emit(f"No quote is being edited; {edit} begins an edit.")
        return self.draft is None

    def _put(self, draft: Draft) -> None:
        self.draft = draft
        self.changed.emit()

    def _end(self) -> None:
        self.draft, self._reviewing.editing = None, False
        self._page.put_caret(self._page.reader.selection()[0])
        self.changed.emit()

    def leave(self) -> None:
        """Give it up, if it was begun, and say so."""
        if self.draft is not None:
            self._end()
            self.abandoned.emit()

    def _follow(self) -> None:
        one = self._reviewing.item
        if self.draft is not None and (one is None or one.uuid != self.draft.key):
            self.leave()


def _as_it_is(one: Annotation) -> SpanEdit:
    """What taking an item over without a change would say."""
    finding = one.finding
    place = (finding.start or 0, finding.end or 0)
    return SpanEdit(*place, finding.category, finding.polarity, finding.field)


_JUDGING = (
    ("review.accept", "Accept"),
    ("review.both", "Keep both"),
    ("review.edit", "Edit"),
    ("review.reject", "Reject"),
    ("review.next", "Next"),
    ("review.previous", "Previous"),
    ("review.same", "Accept all same"),
)
_CHANGING = ("review.category", "review.field")
_POLARITIES = ("review.present", "review.negated", "review.uncertain")
_PAD, _GAP = 8, 4


class Strip(QWidget):
    """A sentence, and below it the keys as buttons: other ones while an item is being edited."""

    def __init__(
        self, reviewing: ReviewSession, item_edit: ItemEdit, scheme: Scheme, actions: Actions
    ) -> None:
        super().__init__()
        self._reviewing, self._item_edit, self._scheme, self._actions = reviewing, item_edit, scheme, actions
        self.sentence = ElidedLabel()
        self._told: Cell | None = None
        self.buttons: dict[str, QPushButton] = {}
        self.category, self.polarity, self.field = (ElidedButton(flat=False) for _ in range(3))
        judging = FlowRow(*(self._button(command, words) for command, words in _JUDGING))
        self.give_up = ElidedButton("Cancel (Esc)", flat=False)
        self.give_up.clicked.connect(item_edit.give_up)
        finishing = [self._button("review.take", "Take"), self.give_up]
        self._rows = pages_of(judging, FlowRow(self.category, self.polarity, self.field, *finishing))
        stacked(self, self.sentence, self._rows, margins=(_PAD, _GAP, _PAD, _GAP), spacing=_GAP)
        self.category.clicked.connect(self.pick_category)
        self.polarity.clicked.connect(item_edit.next_polarity)
        self.field.clicked.connect(self.pick_field)
        reviewing.message.connect(self.sentence.say)
        reviewing.current_changed.connect(self.refresh)
        reviewing.changed.connect(self._follow)
        item_edit.changed.connect(self.refresh)
        follow_keys(self, actions, (*_CHANGING, *_POLARITIES), self._name)
        self.refresh()

    def _follow(self) -> None:
        """Say anew how the current quote stands to one's own, where that has changed or there is none now."""
        cell, told = self._reviewing.cell, self._told
        if told is not None and (cell is None or (cell != told and cell.key == told.key)):
            self.refresh()
        self._allow()

    def refresh(self) -> None:
        """Say what the current item is about, or how its edit goes on."""
        editing = self._item_edit.draft is not None
        self._rows.setCurrentIndex(1 if editing else 0)
        if editing:
            take = self._actions.key("review.take")
            words = f"Select in the text what the quote is to be; {take} takes it, Esc cancels."
            self._name()
        else:
            words = self._about()
        self._told = self._reviewing.cell
        self.sentence.say(words)
        self._allow()

    def _about(self) -> str:
        """What the current item is about, first of all what accepting it would do to one's own."""
        cell = self._reviewing.cell
        if cell is None or not cell.replaces or not self._reviewing.is_open(cell):
            return about(cell, self._scheme) if cell is not None else ""
        accept, both = (self._actions.key(f"review.{command}") for command in ("accept", "both"))
        kept = f", {both or 'Keep both'} keeps both" if cell.keeps_both else ""
        return f"{accept or 'Accepting'} {cell.replaces}{kept}. {about(cell, self._scheme)}"

    def pick_category(self) -> QMenu:
        """Open the list of categories; behind each stands the letter that labels."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName("Category")
        draft = self._item_edit.draft
        for category in self._scheme.categories:
            action = menu.addAction(f"{caption(category.name)}\t&{category.shortcut.upper()}")
            action.triggered.connect(partial(self._item_edit.set_category, category.id))
            if draft is not None and draft.category == category.id:
                menu.setActiveAction(action)
        menu.popup(self.category.mapToGlobal(QPoint(0, self.category.height())))
        return menu

    def pick_field(self) -> QMenu | None:
        draft = self._item_edit.draft
        if draft is None:
            return None
        menu = FieldMenu(self._scheme.category(draft.category).fields, draft.field, self)
        menu.picked.connect(self._item_edit.set_field)
        menu.popup(self.field.mapToGlobal(QPoint(0, self.field.height())))
        return menu

    def _button(self, command: str, words: str) -> QPushButton:
        # The focus stays where the keys of the text are.
        button = for_command(ElidedButton(flat=False), words, self._actions, command)
        self.buttons[command] = button
        return button

    def _name(self) -> None:
        draft = self._item_edit.draft
        if draft is None:
            return
        code = self._scheme.category(draft.category).code
        polarities = " ".join(filter(None, map(self._actions.key, _POLARITIES)))
        for button, name, value, key in (
            (self.category, "Category", code, self._actions.key("review.category")),
            (self.polarity, "Polarity", draft.polarity, polarities),
            (self.field, "Field", draft.field or NO_FIELD, self._actions.key("review.field")),
        ):
            opens = "" if button is self.polarity else " ▾"
            button.setText(caption(f"{with_key(value, key)}{opens}"))
            button.setAccessibleName(f"{name}: {value}")

    def _allow(self) -> None:
        there = self._reviewing.item is not None
        for command in ("review.accept", "review.edit", "review.reject"):
            self.buttons[command].setEnabled(there)
        cell = self._reviewing.cell
        self.buttons["review.both"].setEnabled(cell is not None and cell.keeps_both)
        for command in ("review.next", "review.previous", "review.same"):
            self.buttons[command].setEnabled(bool(self._reviewing.cells))
