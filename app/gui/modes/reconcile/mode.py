"""Reconcile mode: the queue left, the disagreement above the text, why and gold at the right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from app.gui.modes.mode import Mode, ModeContext
from app.gui.modes.reconcile.beside.rationale_panel import RationalePanel
from app.gui.modes.reconcile.beside.right import ClausePanel, GoldPanel, RightSide
from app.gui.modes.reconcile.difference.around import COMMANDS
from app.gui.modes.reconcile.difference.card import Card
from app.gui.modes.reconcile.difference.span_edit import shown_spans
from app.gui.modes.reconcile.queue.panel import QueuePanel
from app.gui.modes.reconcile.queue.reading import Offer
from app.gui.modes.reconcile.queue.work import Work
from app.gui.modes.reconcile.words import codes_of, spoken, waiting_words, why_not
from app.gui.session.stopwatch import Stopwatch
from app.gui.widgets.swatch import theme_colours
from app.gui.widgets.tips import announce

if TYPE_CHECKING:
    from app.operations.reconcile.gold import GoldSummary
    from app.reconcile.gold import Choice

_EDITING = "A span is being edited: Return records it, Escape cancels."


class ReconcileMode(Mode):
    """Takes its place around the reader between `enter` and `leave`; the queue is read anew on entering."""

    id = "reconcile"

    def __init__(self, context: ModeContext) -> None:
        super().__init__()
        self._context, self._session = context, context.session
        scheme, actions = context.session.scheme, context.actions
        palette = theme_colours(scheme, context.preferences.theme)
        self.work = Work(context.session, self)
        self.work.resume(context.preferences.place(context.session.path))
        self.queue = QueuePanel(self.work, scheme, palette)
        self.card = Card(self.work, context.reader, scheme, palette, actions)
        self.rationale = RationalePanel(self.work, actions)
        self.clauses = ClausePanel(context.session, palette, actions)
        self.gold = GoldPanel(self.work, actions)
        self._side = RightSide(self.rationale, self.clauses, self.gold)
        self.left, self.above, self.right = self.queue, self.card, self._side
        self._watch = Stopwatch(self)
        self._active, self._stale = False, True
        self._place: tuple[str, str] | None = None
        self._coming = ""
        self._connect()
        self._command()

    def enter(self) -> None:
        """Read the queue, and show where one is in it."""
        self._active, self._place = True, None
        self._context.page.show_instead(())
        self.card.follow_in_tab_order(self.queue.outdated)
        if self.work.queue is None or self._stale:
            self._stale = False
            self.work.open()
        self._show_current()

    def leave(self) -> None:
        self.rationale.save()
        self._give_up_edit()
        self.card.offer.clear()
        if self._waiting():
            self._session.message.emit(self._waiting())
        self._active = False
        self._watch.pause()
        self._context.reader.set_marks(())
        self._context.page.show_instead(None)

    @property
    def unsaved(self) -> str:
        """Reasons and notes that wait for a decision, also one that is being written; an edit of a span."""
        self.rationale.save()
        edit = "The span that is being edited is not recorded yet." if self.card.edit.active else ""
        return f"{edit} {self._waiting()}".strip()

    def _waiting(self) -> str:
        queue = self.work.queue
        waiting = self.work.drafts.waiting(queue) if queue is not None else 0
        return waiting_words(waiting) if waiting else ""

    def take_focus(self) -> None:
        """Into the text: every key acts there."""
        self._context.reader.setFocus()

    def put_away(self) -> None:
        """Keep what is being written, and where one is."""
        self.rationale.save()
        place = self.work.place
        if place is not None:
            self._context.preferences.set_place(self._session.path, place)

    # Wires

    def _connect(self) -> None:
        session, work = self._session, self.work
        work.current_changed.connect(self._show_current)
        work.queue_changed.connect(self._paint)
        work.rationale_changed.connect(lambda: self.clauses.mark(work.rationale.clause))
        self.card.edit.changed.connect(self._follow_edit)
        self.card.offer.wanted.connect(self._look_at_alike)
        self.card.offer.nothing.connect(session.message)
        self.clauses.category_changed.connect(
            lambda category: self.rationale.set_category(category, session.scheme)
        )
        self.queue.outdated.clicked.connect(self._list_outdated)
        self.gold.export.clicked.connect(self._export_gold)
        for part in (self.queue, self.card, self.rationale):
            part.text_wanted.connect(self.take_focus)
        session.report_model.opened.connect(self._turn_page)
        session.undoing.turned.connect(self._follow_undo)
        session.controller.changed.connect(lambda _: self._mark_stale())
        session.rows_changed.connect(self._mark_stale)
        session.annotator_changed.connect(lambda _: self._mark_stale())
        session.scheme_changed.connect(self._read_guideline)
        self._context.preferences.changed.connect(self._prefer)

    def _command(self) -> None:
        on = self._context.actions.on
        for choice, command in COMMANDS.items():
            on(command, partial(self._choose, choice))
        for command, call in self.rationale.commands().items():
            on(command, partial(self._of_a_difference, call))
        on("reconcile.whole", partial(self._of_a_difference, self._turn_whole))
        on("reconcile.next", partial(self._step, 1))
        on("reconcile.previous", partial(self._step, -1))
        on("reconcile.next_open", self.work.go_to_open)
        on("reconcile.alike", self.card.offer.take)
        on("reconcile.amend", partial(self._of_a_difference, self._amend))
        on("reconcile.add", self._add_span)
        on("reconcile.record", self._record)
        on("reconcile.gold", self._build_gold)
        on("reconcile.corrections", self._list_corrections)

    def _prefer(self, name: str) -> None:
        if name == "theme":
            palette = theme_colours(self._session.scheme, self._context.preferences.theme)
            for part in (self.queue, self.card, self.clauses):
                part.set_page_palette(palette)

    def _read_guideline(self) -> None:
        self.clauses.renew()
        self.rationale.set_category(self.clauses.category, self._session.scheme)

    # Where one is

    def _show_current(self) -> None:
        if not self._active:
            return
        current = self.work.current
        name = current.name if current is not None else None
        moved, self._place = name != self._place, name
        if moved:
            self._give_up_edit()
            self._watch.start()
        else:
            self._watch.go_on()
        if current is None:
            self._paint()
            return
        one = current.difference
        if moved and self.work.queue is not None and self._context.reader.hasFocus():
            words = spoken(one, self.work.queue, codes_of(self._session.scheme))
            announce(self._context.reader, words)
        categories = (current.item.category,) if self.work.whole else one.group.categories
        self.clauses.show_categories(categories)
        self.rationale.set_category(self.clauses.category, self._session.scheme)
        self.clauses.mark(self.work.rationale.clause)
        report = current.item.report
        # Another one may be on its way to the page still.
        if self._session.report_model.key != report or self._coming not in ("", report):
            self._coming = report
            self._session.open_report(report)
        elif moved:
            self._turn_page()
        else:
            self._paint()

    def _turn_page(self) -> None:
        """Once the report is there: its spans, and the place in question in sight."""
        if self._session.report_model.key == self._coming:
            self._coming = ""
        if not self._active:
            return
        current = self.work.current
        here = current is not None and self._session.report_model.key == current.item.report
        if not here:
            # What is selected in another report is no place in this one.
            self._give_up_edit()
        self._paint()
        if current is None or not here:
            return
        place = current.difference.place
        if place is not None:
            # So that it is read in its context.
            self._context.reader.turn_to(place[0])

    def _paint(self) -> None:
        if not self._active:
            return
        queue, current = self.work.queue, self.work.current
        here = current is not None and self._session.report_model.key == current.item.report
        if queue is None or current is None or not here:
            self._context.reader.set_marks(())
            self._context.page.show_instead(())
            return
        targets = current.item.differences if self.work.whole else (current.difference,)
        compared = next((one for one in queue.compared if one.key == current.item.report), None)
        spans = shown_spans(compared, targets, self.card.edit.spans) if compared is not None else []
        self._context.page.show_instead(spans)
        places = [one.place for one in targets if one.place is not None]
        self._context.reader.set_marks(places)

    # Deciding

    def _choose(self, choice: Choice) -> None:
        current = self.work.current
        if current is None:
            self._of_a_difference(lambda: None, "; nothing was decided")
            return
        if self.work.busy or choice not in self.work.choices():
            self._session.message.emit(self.work.busy or why_not(choice))
            return
        if self.work.hidden:
            self._session.message.emit("The filters at the left hide this difference; nothing was decided.")
            return
        self.rationale.save()
        if choice == "edited":
            if self._session.report_model.key == current.item.report:
                self.card.edit.begin(current.difference)
            return
        self.card.offer.clear()
        self.work.decide(choice, self._watch.seconds)

    def _of_a_difference(self, call: Callable[[], object], what: str = "") -> None:
        """Do what is done with the difference on screen; where there is none, say so."""
        if self.work.current is not None:
            call()
            return
        filtered = self.work.counts.total() and not self.work.cursor.queue_places
        where = "matches the filters at the left" if filtered else "is shown here"
        self._session.message.emit(f"No difference {where}{what}.")

    def _step(self, by: int) -> None:
        go = partial(self.work.step, by)
        if self.work.cursor.queue_places:
            go()
        else:
            self._of_a_difference(go)

    def _turn_whole(self) -> None:
        if self.work.current is not None and self.work.current.item.kind == "pair":
            self.work.toggle_whole()
        else:
            limit = "where its score is below the number at the left"
            self._session.message.emit(f"All of a category is decided at once only {limit}.")

    def _follow_edit(self) -> None:
        self.work.busy = _EDITING if self.card.edit.active else ""
        self._paint()

    def _give_up_edit(self, before: str = "") -> None:
        if self.card.edit.active:
            self.card.edit.end()
            self._session.message.emit(f"{before} The edit that was under way was cancelled.".strip())

    def _add_span(self) -> None:
        if not self.card.edit.active:
            edit = self._context.actions.key("reconcile.edit") or "Edit"
            self._session.message.emit(f"No span is being edited; {edit} begins an edit.")
        elif not self.card.edit.take():
            self._session.message.emit("Select the right span in the text first.")

    def _record(self) -> None:
        edit = self.card.edit
        if not edit.active:
            if self.work.unseen:
                self.work.show_queue()
            else:
                self.work.go_to_open()
            return
        edit.take()
        if not edit.spans:
            self._session.message.emit("Select the right span in the text; if there is none, choose Neither.")
            return
        spans = tuple(edit.spans)
        edit.end()
        self.card.offer.clear()
        self.work.decide("edited", self._watch.seconds, spans)

    # Beside it

    def _look_at_alike(self, offer: Offer) -> None:
        from app.gui.modes.reconcile.dialogs import AlikeDialog

        if self.work.queue is None:
            return
        dialog = AlikeDialog(offer, self.work.queue, codes_of(self._session.scheme), self.card.window())

        def decide(names: list[str]) -> None:
            self.card.offer.clear()
            self.work.decide_alike(offer, names)

        dialog.chosen.connect(decide)
        self._open(dialog)

    def _amend(self) -> None:
        from app.gui.dialogs.guidelines.amendment import AmendmentDialog

        there, current = self.work.decision(), self.work.current
        if current is None or there is None:
            self._session.message.emit("Decide first: the amendment is drafted from the decision.")
            return
        self._open(
            AmendmentDialog(self._session, self._context.actions, current.difference.id, self.card.window())
        )

    def _build_gold(self) -> None:
        from app.gui.dialogs.watching import busy_sentence
        from app.operations.reconcile.gold import building_gold

        queue, by, message = self.work.queue, self._session.annotator, self._session.message
        if queue is None:
            return
        if busy := busy_sentence(self._session):
            message.emit(busy)
            return
        left, right = queue.left.name, queue.right.name

        def built(summary: GoldSummary) -> None:
            self.gold.show_built(summary)
            self._session.reload()

        job = self._session.worker.begin(
            "Building the gold set", lambda p: building_gold(p, by, left, right), reads=True
        )
        job.done.connect(built)
        job.failed.connect(self._session.failed)
        job.stopped.connect(lambda: message.emit("Stopped; the gold set is as it was."))

    def _export_gold(self) -> None:
        from app.gui.dialogs.exchange.export import ExportDialog

        offer = self.work.offer_of_sides
        name = offer.gold_of(self.work.left, self.work.right) if offer is not None else None
        self._open(ExportDialog(self._session, self.card.window(), annotator=name))

    def _list_corrections(self) -> None:
        from app.gui.modes.reconcile.dialogs import CorrectionsDialog

        if self.work.queue is not None:
            dialog = CorrectionsDialog(self._session, self.work, self.card.window())
            dialog.wanted.connect(self._go_to_decided)
            self._open(dialog)

    def _go_to_decided(self, report: str, difference: str) -> None:
        there = next((one for one in self.work.cursor.queue_places if one.difference.id == difference), None)
        if there is not None:
            self.work.go_to(there)
        else:
            self._session.message.emit(f"The queue as it is shown has no such difference in {report}.")

    def _list_outdated(self) -> None:
        from app.gui.modes.reconcile.dialogs import OutdatedDialog

        if self.work.queue is not None:
            self._open(OutdatedDialog(self._session, self.work.queue, self.card.window()))

    def _open(self, dialog: QDialog) -> None:
        dialog.finished.connect(lambda _: self.take_focus())
        dialog.open()

    # What others did

    def _follow_undo(self, sentence: str, turned: object) -> None:
        if turned is None:
            return
        self._give_up_edit(sentence)
        self.gold.forget()
        if self._active:
            self.card.offer.clear()
            self.work.read(turned=True)
        else:
            self._stale = True

    def _mark_stale(self) -> None:
        """Spans have changed; while the queue is on screen, it is read at once."""
        if self._active:
            self.work.open()
        else:
            self._stale = True
