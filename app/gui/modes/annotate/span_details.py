"""What can be changed of one's own span, and quotes that have no place in the report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QListWidget, QListWidgetItem, QSizePolicy, QToolButton, QWidget

from app.gui.dialogs.annotate.field_menu import NO_FIELD, FieldMenu
from app.gui.dialogs.forms import named
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import FlexRow, lined, lines_high, print_key, push_button, stacked
from app.gui.widgets.note_edit import NoteEdit
from app.gui.widgets.plain import ElidedButton, ElidedLabel, caption, cut_in_middle, quoted
from app.gui.widgets.span_words import in_full, stands_for
from app.gui.widgets.swatch import swatch_icon, swatch_size
from app.gui.widgets.tips import explain, tip, with_key
from app.palette import PagePalette
from extractors.model.finding import POLARITIES

if TYPE_CHECKING:
    from app.store.annotate.annotations import Annotation
    from extractors.model.finding import Polarity

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
        self.field = ElidedButton(flat=False)
        self.field.clicked.connect(lambda: self.edit_field())
        self.concept = ElidedButton(flat=False)
        self.concept.clicked.connect(lambda: actions["span.concept"].trigger())
        self.polarities = {polarity: QToolButton() for polarity in POLARITIES}
        self._group = QButtonGroup(self)
        for polarity, button in self.polarities.items():
            button.setCheckable(True)
            self._group.addButton(button)
            button.clicked.connect(lambda _=False, polarity=polarity: self._set_polarity(polarity))
            button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            print_key(button, polarity.capitalize(), actions, f"span.{polarity}")
        self.note = named(NoteEdit(), "Note")
        self.note.setMaxLength(_NOTE_LETTERS)
        self.note.saved.connect(lambda note: self._controller.set_note(self._uuid, note.strip()))
        self.note.left.connect(self.text_wanted)
        self._print_note_key()
        actions["span.note"].changed.connect(self._print_note_key)
        # Their words can be cut, so that they keep to one line.
        row = QWidget()
        beside = lined(row, self.field, self.concept, spacing=4)
        for part in (0, 1):
            beside.setStretch(part, 1)
        polarities = list(self.polarities.values())
        parts = (row, FlexRow(polarities, shed=polarities), self.note)
        stacked(self, *parts, spacing=4)

    def put(self, span: Annotation) -> None:
        """Show a span; what was being typed about another one is saved first."""
        finding = span.finding
        if span.uuid != self._uuid:
            self.leave()
            self._uuid = span.uuid
        if not self.note.isModified():
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
        self.note.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.note.selectAll()

    def _fields(self) -> tuple[str, ...]:
        return self._session.scheme.category(self._category).fields

    def _set_polarity(self, polarity: Polarity) -> None:
        self._controller.set_polarity(self._uuid, polarity)
        self.text_wanted.emit()

    def _print_note_key(self) -> None:
        self.note.setPlaceholderText(with_key("Note", self._actions.key("span.note")))


_LINES = 3
_UUID = Qt.ItemDataRole.UserRole


class UnplacedQuotes(QWidget):
    """Hidden where there are none; says which quote is looked at and which is to be placed."""

    chosen = Signal(str)
    place_wanted = Signal(str)

    def __init__(self, session: ProjectSession, palette: PagePalette) -> None:
        super().__init__()
        self._session, self._report_model, self._palette = session, session.report_model, palette
        self._shown: tuple[tuple[str, Annotation], ...] = ()
        self.title = ElidedLabel()
        self.list = named(QListWidget(), "Quotes without a place")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._choose)
        self.list.itemClicked.connect(self._choose)
        self.place = push_button("Place at the selection", self._place)
        stacked(self, self.title, self.list, self.place, margins=(0, 4, 0, 0), spacing=4)
        self.hide()

    def set_page_palette(self, palette: PagePalette) -> None:
        self._palette = palette
        self._shown = ()
        self.refresh()

    def refresh(self) -> None:
        """Show the quotes there are now; the chosen one stays chosen."""
        found = tuple(self._unplaced())
        if found != self._shown:
            self._shown = found
            self._fill()
        self.setVisible(bool(found))

    def _unplaced(self) -> Iterator[tuple[str, Annotation]]:
        yield from (("", span) for span in self._report_model.spans.values() if span.finding.start is None)
        for name, spans in self._report_model.others.items():
            yield from ((name, span) for span in spans if span.finding.start is None)

    def _fill(self) -> None:
        item = self.list.currentItem()
        before = item.data(_UUID) if item is not None else ""
        self.list.blockSignals(True)
        self.list.clear()
        self.list.setIconSize(swatch_size(self.font()))
        self.list.setFixedHeight(lines_high(self.list, _LINES))
        for name, span in self._shown:
            item = self._item(name, span)
            self.list.addItem(item)
            if span.uuid == before:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        self.title.say(f"Quotes without a place ({len(self._shown)})")
        self._allow(self.list.currentItem())

    def _item(self, holder: str, span: Annotation) -> QListWidgetItem:
        finding = span.finding
        who = f"{holder}: " if holder else ""
        quote = quoted(cut_in_middle(finding.quote))
        item = QListWidgetItem(f"{who}{quote} – {finding.reason or 'no place'}")
        item.setIcon(swatch_icon(self._palette, finding.category, self.font(), self.list.devicePixelRatioF()))
        item.setData(_UUID, span.uuid)
        words = in_full(span, self._session.scheme.category(finding.category).name, holder)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{words} {finding.reason}")
        item.setToolTip(tip(f"{words} {finding.reason}"))
        return item

    def _choose(self, item: QListWidgetItem | None, _before: QListWidgetItem | None = None) -> None:
        self._allow(item)
        if item is not None:
            self.chosen.emit(item.data(_UUID))

    def _allow(self, item: QListWidgetItem | None) -> None:
        """Only one's own quotes can be placed: those of others stay as they are."""
        self.place.setEnabled(item is not None and self._report_model.is_own(item.data(_UUID)))

    def _place(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.place_wanted.emit(item.data(_UUID))
