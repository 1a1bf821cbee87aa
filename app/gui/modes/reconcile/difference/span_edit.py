"""The span that is to hold instead, selected in the text; and what of both sides is painted there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QWidget

from app.gui.reader.spans import ShownSpan
from app.gui.reader.view import Reader
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import FlexRow, for_command, lined, push_button, stacked
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.plain import ElidedLabel, one_line, quoted
from app.gui.widgets.tips import with_key
from app.operations.reconcile.decisions import EditedSpan
from app.reconcile.types import Difference
from app.text import counted
from extractors.model.finding import POLARITIES
from extractors.model.scheme import Scheme

if TYPE_CHECKING:
    from app.reconcile.queue import ComparedReport
    from app.reconcile.types import SideQuote


_NO_FIELD = "no field"


class SpanEdit(QWidget):
    """Begun at a difference's place; `changed` when a span was added or it ends."""

    changed = Signal()

    def __init__(
        self, reader: Reader, scheme: Scheme, actions: Actions, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._reader, self._scheme = reader, scheme
        self.active = False
        self.spans: list[EditedSpan] = []
        self.selected = ElidedLabel("“Some words”")
        self.category = DropDown("Category", 7, entries=[(one.name, one.id) for one in scheme.categories])
        self.polarity = DropDown("Polarity", 7, entries=[(one, one) for one in POLARITIES])
        self.field = DropDown("Field", 7)
        self.category.currentIndexChanged.connect(lambda _: self._list_fields())
        self.add = for_command(QPushButton(), "Add another", actions, "reconcile.add")
        self.record = for_command(QPushButton(), "Record", actions, "reconcile.record")
        self.give_up = push_button(with_key("Cancel", "Esc"), self.end)
        # Escape is nobody's to give away, and without a span being edited it is the text's.
        self._escapes = [QShortcut(QKeySequence("Esc"), widget) for widget in (reader, self)]
        for escape in self._escapes:
            escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            escape.setEnabled(False)
            escape.activated.connect(self.end)
        buttons = FlowRow(self.add, self.record, self.give_up)
        row = lined(None, self.selected, buttons, wide=self.selected, spacing=4)
        stacked(self, FlexRow([self.category, self.polarity, self.field]), row, spacing=4)
        reader.selection_changed.connect(lambda *_: self._show_words())

    def begin(self, difference: Difference) -> None:
        """Select the difference's place in the text and take over its category, polarity and field."""
        self.active, self.spans = True, []
        self._let_escape()
        first = difference.group.quotes[0].finding
        self.category.setCurrentIndex(self.category.findData(first.category))
        self._list_fields()
        self.polarity.setCurrentIndex(self.polarity.findData(first.polarity))
        self.field.setCurrentIndex(max(self.field.findData(first.field), 0))
        place = next((quote.place for quote in difference.group.quotes if quote.place is not None), None)
        if place is not None:
            self._reader.select(*place)
        self._reader.setFocus()
        self._show_words()
        self.changed.emit()

    def end(self) -> None:
        if self.active:
            self.active, self.spans = False, []
            self._let_escape()
            caret = self._reader.caret()
            self._reader.select(caret, caret)
            self.changed.emit()

    def take(self) -> bool:
        """Add the selection to the spans; False where nothing is selected."""
        start, end = self._reader.selection()
        text = self._reader.text()
        # White space at the edges is no part of what is meant.
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start == end:
            return False
        polarity = next(one for one in POLARITIES if one == self.polarity.currentData())
        span = EditedSpan(start, end, self.category.currentData(), polarity, self.field.currentData() or "")
        if span not in self.spans:
            self.spans.append(span)
        self._reader.select(end, end)
        self._show_words()
        self.changed.emit()
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return in a closed list is nobody's but the edit's: it records."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.record.click()
        else:
            super().keyPressEvent(event)

    def _let_escape(self) -> None:
        for escape in self._escapes:
            escape.setEnabled(self.active)

    def _list_fields(self) -> None:
        category = self.category.currentData()
        fields = self._scheme.category(category).fields if category else ()
        self.field.fill([(_NO_FIELD, ""), *((field, field) for field in fields)])
        self.field.setEnabled(bool(fields))

    def _show_words(self) -> None:
        if not self.active:
            return
        start, end = self._reader.selection()
        there = f"{counted(len(self.spans), 'span')} so far. " if self.spans else ""
        words = one_line(self._reader.text()[start:end])
        self.selected.say(there + (quoted(words) if words else "Select the right span in the text."))
        self.record.setEnabled(bool(words or self.spans))
        self.add.setEnabled(bool(words))


def shown_spans(
    report: ComparedReport, targets: Sequence[Difference], edited: Sequence[EditedSpan]
) -> list[ShownSpan]:
    """The left's as one's own, the right's as another's; where both agree, the left's alone."""
    concerned = {quote.uuid for one in targets for quote in one.group.quotes}
    agreed = {quote.uuid for group in report.agreed for quote in group.right}
    spans = [
        _span(quote, mine=mine, dimmed=quote.uuid not in concerned)
        for side, mine in ((report.left, True), (report.right, False))
        for quotes in side.values()
        for quote in quotes
        if quote.place is not None and quote.uuid not in agreed
    ]
    spans += [
        ShownSpan(f"edited {number}", one.start, one.end, one.category, one.polarity)
        for number, one in enumerate(edited)
    ]
    return spans


def _span(quote: SideQuote, *, mine: bool, dimmed: bool) -> ShownSpan:
    start, end = quote.place or (0, 0)
    finding = quote.finding
    return ShownSpan(quote.uuid, start, end, finding.category, finding.polarity, dimmed, mine)
