"""Above the text: what the current item is about, and what can be done with it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.gui.dialogs.annotate.field_menu import NO_FIELD, FieldMenu
from app.gui.modes.review.cells import Cell, about
from app.gui.modes.review.edit_item import ItemEdit
from app.gui.modes.review.reviewing import ReviewSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import follow_keys, for_command, pages_of, stacked
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.plain import ElidedButton, ElidedLabel, caption
from app.gui.widgets.tips import with_key
from extractors.model.scheme import Scheme

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
