"""Commands on the whole project or the open report that ask something first, or go on to another report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QWidget

from app.gui.dialogs.files import ask_save
from app.gui.session.housekeeping import mark, open_categories

if TYPE_CHECKING:
    from app.gui.session.project_session import Offer, ProjectSession
    from app.gui.shell.acts.actions import Actions
    from app.store.annotate.reviews import ReviewState

# Those that are about the project and nothing else, "module:NAME" by the command that opens them.
_DIALOGS = {
    "project.import": "exchange.imports:ImportDialog",
    "project.paste": "exchange.paste:PasteDialog",
    "project.order": "models.ordering:OrderDialog",
    "project.runs": "models.runs:RunsDialog",
    "project.rate": "rating:RatingDialog",
    "project.bias": "bias.dialog:BiasDialog",
    "project.labels": "exchange.labels:LabelsDialog",
    "project.packets": "project.copies:PacketsDialog",
    "report.others": "annotate.others:OthersDialog",
}


class ProjectCommands(QObject):
    """Opens the dialogs of one project; each is imported when it is first asked for."""

    def __init__(
        self,
        over: QWidget,
        session: ProjectSession,
        actions: Actions,
        shown_keys: Callable[[], list[str]],
        meant: Callable[[], list[str]],
        go_on: Callable[[], None],
        text_size: Callable[[], int],
    ) -> None:
        """`over` is what dialogs open over, `shown_keys` the reports that the list shows, `meant` those
        chosen there, or the open one; `go_on` puts the focus where work goes on; `text_size` is that of
        the report's text in percent."""
        super().__init__(over)
        self._over, self._session, self._actions = over, session, actions
        self._shown_keys, self._meant, self._go_on, self._text_size = shown_keys, meant, go_on, text_size
        self._offer: Offer | None = None
        on = actions.on
        for command, dialog in _DIALOGS.items():
            on(command, partial(self._open, dialog))
        on("project.extract", self._extract)
        on("project.amendments", self._amendments)
        on("project.export", self._export)
        on("report.print", self._print)
        on("project.copy", self._save_copy)
        on("project.merge", self._merge)
        on("project.annotator", self._annotate_as)
        on("edit.history", self._history)
        on("report.done_next", lambda: self._close_report("done"))
        on("report.park_next", lambda: self._close_report("parked"))
        on("report.reopen", lambda: self._session.controller.set_state("in progress"))
        on("report.rename", self._rename)
        on("report.delete", self._delete)
        on("report.next", lambda: self._step(1))
        on("report.previous", lambda: self._step(-1))
        on("report.blinded", self._blinded)
        on("span.same", self._same_words)
        self._session.same_found.connect(self._keep_offer)
        self._session.undoing.named.connect(self._name_undo)
        self._session.undoing.asked.connect(self._ask_before_undo)
        self._session.report_model.opened.connect(self._forget_offer)

    def put_away(self) -> None:
        """Close what is open, and name no acts of a project that goes."""
        self._name_undo("", "")
        for dialog in self._over.findChildren(QDialog):
            # Nobody is asked any more whether what was typed may go.
            dialog.done(QDialog.DialogCode.Rejected)

    # Reports

    def _step(self, by: int) -> None:
        self._session.step_report(by, self._shown_keys())
        self._go_on()

    def _close_report(self, state: ReviewState) -> None:
        """Mark the report, then go on to the next one of the list that is neither parked nor done."""
        session = self._session
        key = session.report_model.key
        if not key:
            return
        keys = self._shown_keys()
        here = keys.index(key) + 1 if key in keys else 0
        open_ = [
            k
            for k in keys[here:] + keys[:here]
            if k != key and session.rows[k].state in ("untouched", "in progress")
        ]
        mark(session, state)
        if open_:
            session.open_report(open_[0])
            self._go_on()
        elif state != "done" or not open_categories(session):
            session.message.emit(f"{key} is {state}. All other reports of the list are done or parked.")

    def _rename(self) -> None:
        from app.gui.dialogs.project.report import RenameDialog

        # Of several that are chosen none is meant more than the others.
        if len(self._meant()) == 1 and self._meant()[0] in self._session.rows:
            self._show(RenameDialog(self._session, self._meant()[0], self._over))

    def _delete(self) -> None:
        from app.gui.dialogs.project.report import ask_to_delete

        keys = self._shown_keys()
        gone = [key for key in self._meant() if key in self._session.rows]
        if gone:
            others = [other for other in keys if other not in gone]
            place = keys.index(gone[0]) if gone[0] in keys else 0
            then = others[min(place, len(others) - 1)] if others else ""
            ask_to_delete(self._session, gone, then, self._over, self._show)

    def _name_undo(self, undo: str, redo: str) -> None:
        for command, name in (("edit.undo", undo), ("edit.redo", redo)):
            action = self._actions[command]
            words = self._actions.command(command).text
            action.setText(f"{words} {name.replace('&', '&&')}" if name else words)

    def _ask_before_undo(self, question: str, act: str) -> None:
        from app.gui.dialogs.forms import question_box

        self._show(
            question_box(self._over, "Undo", question, "Undo", lambda: self._session.undoing.undo(only=act))
        )

    # Dialogs

    def import_paths(self, paths: Sequence[Path], sentence: str = "") -> None:
        """Ask how to import these paths; `sentence` says what could not be taken."""
        from app.gui.dialogs.exchange.imports import ImportDialog

        if sentence:
            self._session.failed.emit(sentence)
        elif paths:
            self._show(ImportDialog(self._session, self._over, paths))

    def _extract(self) -> None:
        from app.gui.dialogs.models.extraction import ExtractionDialog

        self._show(ExtractionDialog(self._session, self._shown_keys(), self._over))

    def _history(self) -> None:
        from app.gui.dialogs.project.history import HistoryDialog

        dialog = HistoryDialog(self._session, self._over)
        dialog.wanted.connect(self._go_to_act)
        self._show(dialog)

    def _go_to_act(self, act: str) -> None:
        self._actions["mode.annotate"].trigger()
        self._session.go_to_act(act)

    def _amendments(self) -> None:
        from app.gui.dialogs.guidelines.amendments import AmendmentsDialog

        self._show(AmendmentsDialog(self._session, self._actions, self._over))

    def _export(self) -> None:
        from app.gui.dialogs.exchange.export import ExportDialog

        self._show(ExportDialog(self._session, self._over, self._meant()))

    def _print(self) -> None:
        from app.gui.dialogs.exchange.printing import print_report

        print_report(self._session, self._over, self._show)

    def _save_copy(self) -> None:
        """Ask where to save all that is in the project, also where its own file is gone."""
        from app.operations.project.files import save_copy

        def save(out: Path) -> None:
            self._session.worker.ask(
                lambda project: save_copy(project, out),
                lambda path: self._session.message.emit(f"A copy was saved as {path}."),
            )

        path = self._session.path
        # A copy never takes the place of another project.
        dialog = ask_save(
            self._over,
            "Save a copy of the project",
            "copies",
            save,
            path,
            f"{path.stem} copy{path.suffix}",
            "Casespan projects (*.casespan)",
            may_replace=False,
        )
        dialog.finished.connect(lambda _: self._go_on())

    def _merge(self) -> None:
        from app.gui.dialogs.project.copies import ask_to_merge

        ask_to_merge(self._session, self._over)

    def _annotate_as(self) -> None:
        from app.gui.dialogs.project.projects import ask_annotator

        ask_annotator(self._session, self._over)

    def _blinded(self) -> None:
        from app.gui.dialogs.annotate.blinded import BlindedDialog

        if key := self._session.report_model.key:
            self._show(BlindedDialog(self._session, key, self._over, self._text_size()))

    def _same_words(self) -> None:
        """Offer the words labelled last, or those of the current span, where else they stand."""
        from app.gui.dialogs.annotate.same_words import SameWordsDialog

        report_model = self._session.report_model
        current = report_model.find(report_model.current) if report_model.current else None
        if current is not None:
            category, quote = current.finding.category, current.surface or current.finding.quote
        elif self._offer is not None:
            category, quote = self._offer.category, self._offer.quote
        else:
            self._session.message.emit(
                "Label some words, or move the cursor into a span, to look for the same words."
            )
            return
        self._show(SameWordsDialog(self._session, category, quote, self._over))

    def _keep_offer(self, offer: Offer) -> None:
        self._offer = offer

    def _forget_offer(self) -> None:
        self._offer = None

    def _open(self, where: str) -> None:
        module, _, name = where.partition(":")
        self._show(getattr(import_module(f"app.gui.dialogs.{module}"), name)(self._session, self._over))

    def _show(self, dialog: QDialog) -> None:
        """Open a dialog over the workbench; then work goes on where it was."""
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(lambda _: self._go_on())
        dialog.open()
