"""Taking an item over with changes: its edges are the selection of the text, the rest is chosen here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.reader import motion
from app.operations.review.verdicts import SpanEdit
from extractors.model.finding import POLARITIES, Polarity

if TYPE_CHECKING:
    from app.gui.modes.review.reviewing import ReviewSession
    from app.gui.reader.report_page import Page
    from app.gui.shell.look.preferences import Preferences
    from app.store.annotate.annotations import Annotation
    from extractors.model.scheme import Scheme


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

    def __init__(
        self, reviewing: ReviewSession, page: Page, scheme: Scheme, preferences: Preferences, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._reviewing, self._page, self._scheme, self._preferences = reviewing, page, scheme, preferences
        self.draft: Draft | None = None
        reviewing.current_changed.connect(self._leave)
        reviewing.changed.connect(self._leave)

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
        self.draft = None
        self._page.put_caret(self._page.reader.selection()[0])
        self.changed.emit()

    def _leave(self) -> None:
        one = self._reviewing.item
        if self.draft is not None and (one is None or one.uuid != self.draft.key):
            self.draft = None
            self.changed.emit()


def _as_it_is(one: Annotation) -> SpanEdit:
    """What taking an item over without a change would say."""
    finding = one.finding
    place = (finding.start or 0, finding.end or 0)
    return SpanEdit(*place, finding.category, finding.polarity, finding.field)
