"""What the keys do to spans: they act on the selection, else on the current span, else on a word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.reader import motion
from app.gui.reader.report_page import Page
from app.gui.reader.spans import ShownSpan
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.shell.look.preferences import Preferences
from extractors.text.boundaries import cuts_character

if TYPE_CHECKING:
    from app.gui.dialogs.annotate.concepts import ConceptPopup
    from app.gui.session.terms import Terms
    from app.operations.profile.concepts import ModelRanking
    from app.store.annotate.annotations import Annotation
    from extractors.model.coding import Coding
    from extractors.model.finding import Polarity

_POLARITIES: dict[str, Polarity] = {
    "span.present": "present",
    "span.negated": "negated",
    "span.uncertain": "uncertain",
}


class Editing(QObject):
    """Connects the commands of the text to the reader and the span controller."""

    # A category was used on a span, which one wants to see then.
    category_used = Signal(str)

    def __init__(
        self, page: Page, session: ProjectSession, actions: Actions, preferences: Preferences
    ) -> None:
        super().__init__(page)
        self._page, self._reader, self._session = page, page.reader, session
        self._report_model, self._controller = session.report_model, session.controller
        self._say = session.message.emit
        self._preferences = preferences
        self._wider: list[tuple[int, int]] = []
        self._terms: Terms | None = None
        self._asking: ConceptPopup | None = None
        for category in session.scheme.ids:
            actions.on(f"label.{category}", partial(self.label, category))
            actions.on(f"relabel.{category}", partial(self.relabel, category))
        for command, polarity in _POLARITIES.items():
            actions.on(command, partial(self._on_own, self._controller.set_polarity, polarity))
        for command, call in self._commands().items():
            actions.on(command, call)
        edges = page.reader.edges
        edges.allowed, edges.moved = actions["span.end_on"].isEnabled, self._moved
        edges.dropped.connect(self._drop)

    def _commands(self) -> dict[str, Callable[[], object]]:
        return {
            "span.again": lambda: self.label(self._session.category),
            "span.widen": self.widen,
            "span.narrow": self.narrow,
            "span.next": lambda: self.step(1),
            "span.previous": lambda: self.step(-1),
            "span.accept": self.accept_and_next,
            "span.end_on": lambda: self.nudge(0, 1),
            "span.end_back": lambda: self.nudge(0, -1),
            "span.start_on": lambda: self.nudge(1, 0),
            "span.start_back": lambda: self.nudge(-1, 0),
            "span.repair": self.repair,
            "span.remove": self.remove,
            "span.concept": self.concept,
            "report.nothing": self.toggle_nothing,
        }

    # Labels

    def label(self, category: str) -> None:
        """Label the selection; without one the current span as well; without that the word at the caret."""
        start, end = self._reader.selection()
        current = self._report_model.current
        if start < end:
            self._label(*self._taken(start, end), category)
        elif current is not None:
            self._controller.label_also(current, category)
        else:
            self._label(*self._word_at(start), category)
        self._session.use_category(category)
        self.category_used.emit(category)

    def _word_at(self, offset: int) -> tuple[int, int]:
        """The word at the caret; empty at a lone sign, which nobody means."""
        start, end = motion.word_at(self._reader.text(), offset)
        is_word = any(sign.isalnum() for sign in self._reader.text()[start:end])
        return (start, end) if is_word else (offset, offset)

    def _taken(self, start: int, end: int) -> tuple[int, int]:
        """A selection as it will be labelled: whole words, unless characters are asked for."""
        if self._preferences.by_characters:
            return start, end
        return motion.snap(self._reader.text(), start, end)

    def _label(self, start: int, end: int, category: str) -> None:
        if start >= end:
            self._say("There is no word at the cursor; select some text first.")
            return
        # First the caret, then the span: the span at the caret stays the current one.
        self._page.put_caret(end)
        self._controller.label(start, end, category)
        lines = [line for line in self._reader.text()[start:end].split("\n") if line.strip()]
        if len(lines) > 1:
            self._say(f"This span goes over {len(lines)} paragraphs.")

    def relabel(self, category: str) -> None:
        if self._on_own(self._controller.relabel, category):
            self._session.use_category(category)
            self.category_used.emit(category)

    def remove(self) -> None:
        """Remove the current span; what is selected is never removed: the report stays as it is."""
        current = self._own()
        if current is not None:
            self._controller.remove([current.uuid])

    def accept_and_next(self) -> None:
        """Take over somebody else's current span, then go on to the next span."""
        current = self._report_model.current
        following = self._neighbour(1)
        taken = self._report_model.find(current) if current is not None else None
        if taken is not None and not self._report_model.is_own(taken.uuid):
            if any(_overlap(taken, mine) for mine in self._report_model.spans.values()):
                self._say("Accepted beside yours, which it overlaps; both are kept.")
            self._controller.accept([taken.uuid])
        if following:
            self._page.go_to_span(following)
        else:
            self._say("This is the last span of the report.")

    def repair(self) -> None:
        """Do what the first warning on the current span suggests, edges and polarity in one."""
        current = self._own()
        if current is None:
            return
        if current.uuid not in self._session.warnings and current.finding.start is not None:
            self._say("This span is being checked; try again in a moment.")
            return
        for warning in self._session.warnings.get(current.uuid, ()):
            target = warning.polarity or current.finding.polarity
            now = (current.finding.start, current.finding.end, current.finding.polarity)
            if (warning.start, warning.end, target) != now:
                self._controller.move(current.uuid, warning.start, warning.end, target)
                return
        self._say("The checks suggest no repair here.")

    def place(self, uuid: str) -> None:
        """Give a quote without a place the selected one."""
        start, end = self._reader.selection()
        if start < end:
            self._controller.move(uuid, *self._taken(start, end))
        else:
            self._say("Select the quote's place in the text first.")

    # What it stands for

    def concept(self) -> ConceptPopup | None:
        """Ask for a concept of the selection, of one's own current span, or of the word at the caret."""
        start, end = self._reader.selection()
        span: Annotation | None = None
        if start == end and self._report_model.current is not None:
            span = self._own()
            if span is None:
                return None
        else:
            start, end = self.target()
        if span is None and start == end:
            self._say("There is no word at the cursor; select some text first.")
            return None
        if span is None:
            there = self._report_model.spans.values()
            span = next((one for one in there if (one.finding.start, one.finding.end) == (start, end)), None)
        if span is None:
            category = self._session.category
            name = self._session.scheme.category(category).name
            words, becomes = self._reader.text()[start:end], f"It becomes a span in {name}."
            popup = self.ask_for_concept(words, (), start, end, becomes, category)
        else:
            start, end = span.finding.start or 0, span.finding.end or 0
            category = span.finding.category
            popup = self.ask_for_concept(span.finding.quote, span.concepts, start, end, "", category)
            popup.taken_away.connect(partial(self._controller.clear_concept, span.uuid))
            self._ask_for_ranking(span, popup)
        popup.given.connect(partial(self._give, span.uuid if span is not None else "", start, end))
        return popup

    def target(self) -> tuple[int, int]:
        """The selection as it will be taken, else the word at the caret; empty where there is none."""
        start, end = self._reader.selection()
        return self._taken(start, end) if start < end else self._word_at(start)

    def ask_for_concept(
        self, words: str, has: Sequence[Coding], start: int, end: int, becomes: str = "", category: str = ""
    ) -> ConceptPopup:
        """Open the field for what words stand for, and what they stand for so far, at their place.

        It asks in the terminology that was last chosen for the category (ID).
        """
        # Imported here: most spans stand for nothing but their category.
        from app.gui.dialogs.annotate.concepts import ConceptPopup
        from app.gui.session.terms import Terms

        if self._terms is None:
            self._terms = Terms(self, self._preferences.terminologies)
            self._terms.chosen.connect(self._preferences.keep_terminologies)
        self._terms.turn_to(category)
        # Not the reader's child: Qt would have the reader's keys act in it.
        popup = ConceptPopup(self._terms, words, has, self._reader.window(), becomes)
        self._asking = popup
        popup.left.connect(self._leave)
        port, place = self._reader.viewport(), self._reader.rect_of(start, end)
        seen = place.intersected(port.rect()) if start < end else port.rect()
        seen.moveTopLeft(port.mapToGlobal(seen.topLeft()))
        popup.open_at(seen)
        return popup

    def _ask_for_ranking(self, span: Annotation, popup: ConceptPopup) -> None:
        # Imported here: it knows how models are asked, and most windows ask none.
        from app.operations.profile.concepts import model_ranking

        ask = partial(model_ranking, span=span.uuid, report=span.document)
        self._session.worker.ask(ask, partial(self._rank, popup))

    def _rank(self, popup: ConceptPopup, ranking: ModelRanking | None) -> None:
        # Closed meanwhile, there is no field any more.
        if ranking is not None and self._asking is popup:
            popup.rank(ranking)

    def _leave(self) -> None:
        self._asking = None
        self._reader.setFocus()

    def _give(self, uuid: str, start: int, end: int, coding: Coding, beside: bool) -> None:
        if uuid:
            self._controller.set_concept(uuid, coding, beside=beside)
        else:
            category = self._session.category
            self._page.put_caret(end)
            self._controller.label(start, end, category, concepts=(coding,))
            self.category_used.emit(category)

    # Edges

    def nudge(self, start_by: int, end_by: int) -> None:
        """Move an edge of the current span by words (characters where asked for), on or back."""
        current = self._own()
        if current is None or current.finding.start is None or current.finding.end is None:
            return
        start = self._edge(current.finding.start, start_by, "start")
        end = self._edge(current.finding.end, end_by, "end")
        if start < end and self._reader.text()[start:end].strip():
            self._page.put_caret(end if end_by else start)
            self._controller.move(current.uuid, start, end)

    def _edge(self, offset: int, step: int, edge: motion.Edge) -> int:
        text = self._reader.text()
        if step == 0:
            return offset
        if self._preferences.by_characters:
            return _next_character(text, offset, step)
        move = motion.next_word_edge if step > 0 else motion.previous_word_edge
        return move(text, offset, edge)

    def _moved(self, span: ShownSpan, ends: bool, offset: int) -> tuple[int, int] | None:
        """What a span comes to whose edge is dragged there; None where that leaves nothing of it."""
        start, end = (span.start, max(offset, span.start)) if ends else (min(offset, span.end), span.end)
        taken = self._taken(start, end)
        start, end = (span.start, taken[1]) if ends else (taken[0], span.end)
        return (start, end) if start < end and self._reader.text()[start:end].strip() else None

    def _drop(self, uuid: str, start: int, end: int) -> None:
        span = self._report_model.spans.get(uuid)
        if span is not None:
            self._page.put_caret(end if span.finding.start == start else start)
            self._report_model.set_current(uuid)
            self._controller.move(uuid, start, end)

    # The selection

    def widen(self) -> None:
        """Select the word at the caret, then its sentence, its paragraph, its section."""
        place = self._reader.selection()
        if not self._wider or self._wider[-1] != place:
            self._wider = [place]
        sections = [(section.start, section.end) for section in self._report_model.sections]
        wider = motion.widen(self._reader.text(), sections, *place)
        if wider != place:
            self._wider.append(wider)
            self._page.select(*wider)

    def narrow(self) -> None:
        """Take the last widening back."""
        if len(self._wider) > 1 and self._wider[-1] == self._reader.selection():
            self._wider.pop()
            self._page.select(*self._wider[-1])

    # Other spans

    def step(self, by: int) -> None:
        uuid = self._neighbour(by)
        if uuid:
            self._page.go_to_span(uuid)
        else:
            self._say("This is the last span." if by > 0 else "This is the first span.")

    def _neighbour(self, by: int) -> str:
        """The span `by` places from the current one, or from the caret; "" where there is none."""
        spans = self._page.shown()
        ids = [span.id for span in spans]
        if self._report_model.current in ids:
            place = ids.index(self._report_model.current) + by
        else:
            caret = self._reader.caret()
            after = next((n for n, span in enumerate(spans) if span.start >= caret), len(spans))
            place = after if by > 0 else after - 1
        return ids[place] if 0 <= place < len(ids) else ""

    # The report

    def toggle_nothing(self) -> None:
        """State that the report says nothing of the category in use, or take that back."""
        if self._report_model.report is None:
            return
        category = self._session.category
        stated = category not in self._report_model.review.nothing_found
        if stated and self._report_model.counts()[category]:
            name = self._session.scheme.category(category).name
            self._say(f"The report has spans in {name}; delete them to state that it has none.")
        else:
            self._controller.state_nothing_found(category, stated=stated)

    def with_own(self, call: Callable[[], object]) -> None:
        """Do something with the current span, where it is one's own."""
        if self._own() is not None:
            call()

    # Inside

    def _own(self) -> Annotation | None:
        """The current span where it is one's own; says so where it is not."""
        current = self._report_model.current
        if current is None:
            self._say("No span is chosen; move the cursor into one.")
            return None
        if not self._report_model.is_own(current):
            name = self._report_model.holder_of(current)
            self._say(f"This is a span of {name}; accept it first to change it.")
            return None
        return self._report_model.spans[current]

    def _on_own(self, change: Callable[..., None], *arguments: object) -> bool:
        current = self._own()
        if current is not None:
            change(current.uuid, *arguments)
        return current is not None


def _overlap(one: Annotation, other: Annotation) -> bool:
    """Whether two spans of a category share some of their places, but not all."""
    (start, end), (first, last) = ((s.finding.start, s.finding.end) for s in (one, other))
    if start is None or end is None or first is None or last is None:
        return False
    shared = one.finding.category == other.finding.category and start < last and first < end
    return shared and (start, end) != (first, last)


def _next_character(text: str, offset: int, step: int) -> int:
    """The next place on (1) or back (-1) between two characters as they are seen."""
    place = offset + step
    while 0 < place < len(text) and cuts_character(text, place):
        place += step
    return min(max(place, 0), len(text))
