"""A review under way: whose spans are reviewed, which card is current, what was said of it and how fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from app.gui.modes.review.cells import UNPLACED, Cell, cells_of
from app.gui.session.stopwatch import Stopwatch
from app.operations.review.items import ReportReview, next_to_review, read_review
from app.operations.review.verdicts import Judged, SpanEdit, accept_all_same, edit_judged_span, judge_spans

if TYPE_CHECKING:
    from app.gui.reader.report_page import Page
    from app.gui.session.project_session import ProjectSession
    from app.gui.shell.acts.actions import Actions
    from app.store.annotate.annotations import Annotation
    from app.store.project import Project
    from app.store.reconcile.verdicts import Verdict

_Answer = tuple[Judged, ReportReview]


class ReviewSession(QObject):
    """Reads the review anew after every change; acts go to disk while the next item is already shown."""

    # Other cards, or other verdicts on them.
    changed = Signal()
    current_changed = Signal()
    message = Signal(str)

    def __init__(
        self, session: ProjectSession, page: Page, actions: Actions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._page, self._actions = session, page, actions
        self.run = ""
        self.report_review: ReportReview | None = None
        self.cells: tuple[Cell, ...] = ()
        self.category = ""
        self.current = -1
        self.active = False
        # A quote is being edited: what is selected in the text for it makes no other card the current one.
        self.editing = False
        self._key = ""
        self._pending: set[str] = set()
        self._watch = Stopwatch(self)
        self._marked = False
        # The verdicts before undo or redo, until those after it are there.
        self._turned: Mapping[str, Verdict] | None = None
        self.changed.connect(self._fade)
        session.undoing.turned.connect(self._follow_undo)
        report_model = session.report_model
        report_model.opened.connect(self._forget)
        session.annotator_changed.connect(self._begin_anew)
        session.rows_changed.connect(self._show)
        session.others_listed.connect(self._show)
        report_model.others_changed.connect(self._ask)
        report_model.reset.connect(self._ask)
        report_model.current_changed.connect(self._follow_text)

    # Whose spans

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody else who has something in any report."""
        found = {name: None for row in self._session.rows.values() for name in row.others}
        return tuple(name for name in found if name != self._session.annotator)

    @property
    def here(self) -> dict[str, int]:
        """How many quotes each of the others has in the open report."""
        row = self._session.rows.get(self._session.report_model.key)
        return dict(row.others) if row is not None else {}

    def choose(self, run: str) -> None:
        """Review the spans of that name from now on; looking at them is recorded, report by report."""
        if run != self.run:
            self.run = run
            self._forget()
            self._show()

    def enter(self) -> None:
        """Go on where the review was left."""
        self.active = True
        if not self.run and len(self._session.report_model.others) == 1:
            self.run = next(iter(self._session.report_model.others))
        self._session.report_model.went_to_place = False
        self._watch.start()
        self._show()

    def leave(self) -> None:
        """Show nothing and measure nothing until `enter`."""
        self.active = False
        self._watch.pause()
        self._mark(None)
        self._page.set_settled(frozenset())

    def key(self, command: str) -> str:
        """The key of a command as this system writes it."""
        return self._actions.key(command)

    # Where one is

    @property
    def cell(self) -> Cell | None:
        return self.cells[self.current] if 0 <= self.current < len(self.cells) else None

    @property
    def item(self) -> Annotation | None:
        """The span or quote to be judged now, None where the current card has none."""
        return self.cell.right if self.cell is not None else None

    def set_category(self, category: str) -> None:
        """Show the cards of one category, "" for all."""
        self.category = category
        self._fill()

    def set_current(self, number: int, *, show: bool = True) -> None:
        """Make a card the current one; the time for it begins, and the text goes there."""
        if not 0 <= number < len(self.cells) or self.cells[number].heading:
            return
        if self.cells[number].key != self._key:
            self._watch.start()
        self.current, self._key = number, self.cells[number].key
        if show:
            self._go_to(self.cells[number])
        self.current_changed.emit()

    def next(self) -> None:
        """Go to the next item without a verdict, round the end; where none is left, say where there are."""
        if self.lacks_set():
            return
        turn = [*range(self.current + 1, len(self.cells)), *range(self.current + 1)]
        for number in turn:
            if self.is_open(self.cells[number]):
                self.set_current(number)
                return
        self._offer()

    def previous(self) -> None:
        if self.lacks_set():
            return
        for number in range(self.current - 1, -1, -1):
            if self.cells[number].right is not None:
                self.set_current(number)
                return
        self.message.emit("This is the first one.")

    def lacks_set(self) -> bool:
        """Whether no set to judge has been chosen yet; then this is said."""
        if not self.run:
            self.message.emit("Choose an annotation set to review first.")
        return not self.run

    def is_open(self, cell: Cell) -> bool:
        one = cell.right
        if one is None or self.report_review is None:
            return False
        return one.uuid not in self.report_review.verdicts and one.uuid not in self._pending

    # Verdicts

    def keep_both(self) -> None:
        """Accept the current item beside one's own that it would replace else, and go to the next."""
        if self.cell is not None and self.cell.keeps_both:
            self.judge("accepted", beside=True)
        elif not self.lacks_set():
            self.message.emit(
                f"Nothing of yours would be replaced here; {self.key('review.accept')} accepts it."
            )

    def judge(self, verdict: Literal["accepted", "rejected"], *, beside: bool = False) -> None:
        """Accept or reject the current item, and go to the next."""
        one = self._judged_one()
        if one is None:
            return
        if verdict == "accepted" and one.finding.start is None:
            key = self._actions.key("review.edit")
            self.message.emit(f"This quote has no place in the text; give it one by editing it ({key}).")
            return
        name, seconds = self._session.annotator, round(self._watch.seconds, 2)
        self._send(
            [one.uuid],
            lambda p: judge_spans(p, name, [one.uuid], verdict, beside=beside, seconds=seconds),
        )

    def take(self, edit: SpanEdit) -> None:
        """Take the current item over as edited, and go to the next."""
        one = self._judged_one()
        if one is not None:
            name, seconds = self._session.annotator, round(self._watch.seconds, 2)
            self._send([one.uuid], lambda p: edit_judged_span(p, name, one.uuid, edit, seconds=seconds))

    def accept_same(self) -> None:
        """Accept all that is the same in both sets, in one act; of the category under review, if one is."""
        if self.lacks_set():
            return
        same = [c.right.uuid for c in self.cells if c.relation == "same" and c.right and self.is_open(c)]
        if self.report_review is None or not same:
            self.message.emit("Nothing that is the same in both is left to accept.")
            return
        whole = self._session.annotator, self.run, self.report_review.report, self.category
        self._send(same, lambda p: accept_all_same(p, *whole))

    def open_next_report(self) -> None:
        """Open the next report in which something waits for a verdict."""

        def open_(following: str | None) -> None:
            if following is not None:
                self._session.open_report(following)
            else:
                self.message.emit(f"No other report has anything of {what} left to judge.")

        if not self.lacks_set():
            what = self._ask_for_next(open_)

    # Inside

    def _judged_one(self) -> Annotation | None:
        if self.item is None and not self.lacks_set():
            yours = "This span is yours alone; there is nothing to judge."
            self.message.emit(
                yours if self.cell is not None else f"Nothing of {self.run} is to be judged here."
            )
        return self.item

    def _send(self, uuids: list[str], call: Callable[[Project], Judged]) -> None:
        name, run, key = self._session.annotator, self.run, self._session.report_model.key
        self._pending.update(uuids)

        def act(project: Project) -> _Answer:
            return call(project), read_review(project, name, run, key)

        def done(answer: _Answer) -> None:
            judged, report_review = answer
            self._pending.difference_update(uuids)
            if self._session.annotator == name:
                self._session.report_model.confirm(judged.changed)
                self._session.controller.changed.emit(judged.changed)
                self._take(report_review)

        def refused(sentence: str) -> None:
            self._pending.difference_update(uuids)
            self._session.failed.emit(sentence)
            self._ask()

        self._session.worker.act(act, done, refused)
        self._fade()
        self.next()

    def _offer(self) -> None:
        """Say where the next unjudged items are, without going there."""
        if self.report_review is None or not self.report_review.items:
            return
        done = (
            f"All {len(self.report_review.items)} are judged here"
            if not self.category
            else "All here are judged"
        )

        def offered(following: str | None) -> None:
            if following is None:
                self.message.emit(f"{done}; no other report has anything of {what} left.")
            else:
                go_on = self._actions.key("review.next_report")
                self.message.emit(f"{done}. {go_on} opens {following}, where more of {what} waits.")

        what = self._ask_for_next(offered)

    def _ask_for_next(self, then: Callable[[str | None], None]) -> str:
        """Ask which other report has something to judge; returns what that is, in words."""
        name, run, key = self._session.annotator, self.run, self._session.report_model.key
        category = self.category
        self._session.worker.ask(
            lambda p: next_to_review(p, name, run, key, category), then, latest="next review"
        )
        return f"{run} in {self._session.scheme.category(category).name}" if category else run

    def _forget(self) -> None:
        self._mark(None)
        self.report_review, self.current, self._key = None, -1, ""
        self.cells = ()
        self._pending.clear()
        self.changed.emit()

    def _begin_anew(self, _annotator: str) -> None:
        """Somebody else reviews now, to whom nobody's spans were shown yet."""
        self.run = ""
        self._forget()

    def _show(self) -> None:
        """Have the chosen one's spans shown, on record, where there are some in the open report."""
        if not self.active:
            return
        if self.run and self.run in self.here:
            if tuple(self._session.report_model.others) != (self.run,):
                self._session.show_others((self.run,))
            else:
                self._ask()
        self.changed.emit()

    def _ask(self) -> None:
        if not self.active or self.run not in self._session.report_model.others:
            return
        name, run, key = self._session.annotator, self.run, self._session.report_model.key
        self._session.worker.ask(lambda p: read_review(p, name, run, key), self._take, latest="review")

    def _take(self, report_review: ReportReview) -> None:
        wanted = self._session.report_model.key, self._session.annotator, self.run
        if self.active and (report_review.report, report_review.reviewer, report_review.run) == wanted:
            self.report_review = report_review
            if self._turned is not None:
                self._go_to_turned(self._turned, report_review)
                self._turned = None
            self._fill()

    def _follow_undo(self, _sentence: str, turned: object) -> None:
        if turned is not None and self.active and self.report_review is not None:
            self._turned = self.report_review.verdicts

    def _go_to_turned(self, before: Mapping[str, Verdict], report_review: ReportReview) -> None:
        """Make the item current of which undo or redo has changed the verdict."""
        for one in report_review.items:
            if before.get(one.uuid) != report_review.verdicts.get(one.uuid):
                self._key = one.uuid
                self._watch.start()
                return

    def _fill(self) -> None:
        """Put the cards anew; the current one stays, or else the first that is open becomes it."""
        self.cells = cells_of(self.report_review, self.category) if self.report_review is not None else ()
        keys = [cell.key for cell in self.cells]
        if self._key in keys:
            moved, self.current = self.current != keys.index(self._key), keys.index(self._key)
            self.changed.emit()
            if moved:
                self._go_to(self.cells[self.current])
                self.current_changed.emit()
            return
        self.current = -1
        self.changed.emit()
        is_open = [number for number, cell in enumerate(self.cells) if self.is_open(cell)]
        if is_open:
            self._begin(is_open)
        elif self.report_review is not None:
            self._offer()

    def _begin(self, is_open: Sequence[int]) -> None:
        """Go to the first; where the report was opened for a place in it, to the first after that."""
        report_model, here = self._session.report_model, self._page.reader.caret()
        stays, report_model.went_to_place = report_model.went_to_place, False
        places = ((number, self.cells[number].right) for number in is_open if stays)
        after = (number for number, one in places if one is not None and (one.finding.start or 0) >= here)
        self.set_current(next(after, is_open[0]), show=not stays)

    def _go_to(self, cell: Cell) -> None:
        one = cell.right or cell.left
        if one is None:
            return
        self._mark(one.candidate if cell.relation in UNPLACED else None)
        shown = cell.left if cell.relation in UNPLACED and cell.left is not None else one
        self._page.go_to_span(shown.uuid)

    def _mark(self, place: tuple[int, int] | None) -> None:
        """Frame the place that a quote without one proposes."""
        reader = self._page.reader
        if place is not None and place[1] <= len(reader.text()):
            reader.set_marks([place], 0)
            self._page.show_place(*place)
        elif self._marked:
            reader.set_marks([])
        self._marked = place is not None

    def _fade(self) -> None:
        """What is judged steps back in the text."""
        judged = frozenset(self.report_review.verdicts) if self.report_review is not None else frozenset()
        self._page.set_settled(judged | self._pending if self.active else frozenset())

    def _follow_text(self) -> None:
        """The span that was chosen in the text is the current card."""
        chosen = self._session.report_model.current
        cell = self.cell
        if not self.active or self.editing or chosen is None:
            return
        if cell is not None and chosen in (cell.left and cell.left.uuid, cell.right and cell.right.uuid):
            return
        for number, one in enumerate(self.cells):
            if chosen in (one.left and one.left.uuid, one.right and one.right.uuid):
                self.set_current(number, show=False)
                return


def progress(reviewing: ReviewSession) -> str:
    report_review = reviewing.report_review
    return (
        f"{report_review.judged} of {len(report_review.items):,} judged" if report_review is not None else ""
    )
