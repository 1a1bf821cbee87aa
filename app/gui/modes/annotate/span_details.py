"""What can be changed of one's own span: its field, its polarity, its note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QWidget

from app.gui.dialogs.annotate.field_menu import NO_FIELD, FieldMenu
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import stacked
from app.gui.widgets.note_edit import NoteEdit
from app.gui.widgets.parts import FlexRow, print_key
from app.gui.widgets.plain import ElidedButton, caption
from app.gui.widgets.span_words import stands_for
from app.gui.widgets.tips import explain, with_key
from extractors.model.finding import POLARITIES

if TYPE_CHECKING:
    from app.store.annotate.annotations import Annotation

_NOTE_LETTERS = 2000


class SpanDetails(QWidget):
    """Changes go to the session's span controller; then the text is wanted again."""

    text_wanted = Signal()

    def __init__(self, session: ProjectSession, actions: Actions) -> None:
        super().__init__()
        self._session, self._controller, self._actions = session, session.controller, actions
        self._uuid = ""
        self._category = ""
        self._field = ""
        self.field = ElidedButton()
        self.field.setFlat(False)
        self.field.clicked.connect(lambda: self.edit_field())
        self.concept = ElidedButton()
        self.concept.setFlat(False)
        self.concept.clicked.connect(lambda: actions["span.concept"].trigger())
        self.polarities = {polarity: QToolButton() for polarity in POLARITIES}
        self._group = QButtonGroup(self)
        for polarity, button in self.polarities.items():
            button.setCheckable(True)
            self._group.addButton(button)
            button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            print_key(button, polarity.capitalize(), actions, f"span.{polarity}")
        self._group.buttonClicked.connect(self._set_polarity)
        self.note = NoteEdit()
        self.note.setMaxLength(_NOTE_LETTERS)
        self.note.setAccessibleName("Note")
        self.note.saved.connect(self._save_note)
        self.note.left.connect(self.text_wanted)
        self._print_note_key()
        actions["span.note"].changed.connect(self._print_note_key)
        row = FlexRow([self.field, self.concept])
        parts = (row, FlexRow(list(self.polarities.values())), self.note)
        stacked(self, *parts, spacing=4)

    def put(self, span: Annotation) -> None:
        """Show a span; what was being typed about another one is saved first."""
        finding = span.finding
        if span.uuid != self._uuid:
            self.leave()
            self._uuid = span.uuid
            self.note.put(span.note)
        elif not self.note.isModified():
            self.note.put(span.note)
        self._category, self._field = finding.category, finding.field
        words = with_key(f"Field: {finding.field or NO_FIELD}", self._actions.key("span.field"))
        self.field.setText(caption(f"{words} ▾"))
        self.field.setAccessibleName(f"Field: {finding.field or NO_FIELD}")
        explain(self.field, self._actions.hint("span.field"))
        self.field.setEnabled(bool(self._fields()))
        concept = stands_for(span)
        self.concept.setText(with_key("Concept…", self._actions.key("span.concept")))
        self.concept.setAccessibleName(f"Concept: {concept or 'none'}")
        explain(self.concept, concept or self._actions.hint("span.concept"))
        self.polarities[finding.polarity].setChecked(True)

    def leave(self) -> None:
        """Save the note that is being typed, and speak of no span."""
        self.note.save()
        self._uuid = ""
        self.note.put("")

    def edit_field(self) -> FieldMenu:
        """Open the list of fields; whichever way it is closed, the text is wanted again."""
        menu = FieldMenu(self._fields(), self._field, self)
        uuid = self._uuid
        menu.picked.connect(lambda field: self._controller.set_field(uuid, field))
        menu.aboutToHide.connect(self.text_wanted)
        menu.popup(self.field.mapToGlobal(self.field.rect().bottomLeft()))
        return menu

    def edit_note(self) -> None:
        """Put the focus into the note."""
        self.note.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.note.selectAll()

    def _fields(self) -> tuple[str, ...]:
        return self._session.scheme.category(self._category).fields

    def _set_polarity(self, button: QToolButton) -> None:
        for polarity in POLARITIES:
            if self.polarities[polarity] is button:
                self._controller.set_polarity(self._uuid, polarity)
        self.text_wanted.emit()

    def _save_note(self, note: str) -> None:
        self._controller.set_note(self._uuid, note.strip())

    def _print_note_key(self) -> None:
        self.note.setPlaceholderText(with_key("Note", self._actions.key("span.note")))
