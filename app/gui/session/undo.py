"""Undo and redo of everything, whoever did it, in whichever report: never unasked or unseen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.session.worker import Worker
from app.operations.annotate.report import (
    OpenReport,
    open_report,
    touched_annotators,
    touched_place,
    touched_reports,
    touched_spans,
    where_left_off,
)
from app.operations.project.history import next_redo, next_undo, redo_change, redo_to, undo_change, undo_to
from app.text import counted
from extractors.model.errors import UnknownNameError

if TYPE_CHECKING:
    from app.gui.session.jobs import Job
    from app.store.history import Entry
    from app.store.project import Project


@dataclass(frozen=True, slots=True)
class Turned:
    """What undo or redo did ("" for nothing), and the report that shows it, None where there is none left.

    `spans` (UUIDs, by place) are those of that report which it gave back or changed, `place` is where the
    first span stands or stood that it touched, whosever it is. Where it is a `question` about an `act`
    (UUID), nothing was done: the user may mean something else.
    """

    name: str = ""
    report: OpenReport | None = None
    spans: tuple[str, ...] = ()
    place: tuple[int, int] | None = None
    question: str = ""
    act: str = ""


class Undoing(QObject):
    """Takes acts back and makes them again; `turned` says what was done, `named` what would be next.

    `asked` has a question and the act that it is about.
    """

    named = Signal(str, str)
    turned = Signal(str, object)
    asked = Signal(str, str)

    def __init__(self, worker: Worker, here: Callable[[], tuple[str, str]], parent: QObject) -> None:
        """`here` gives the report on the page (key) and who annotates."""
        super().__init__(parent)
        self._worker, self._here = worker, here

    def undo(self, *, only: str = "") -> None:
        """Take the last act back, wherever it was.

        What others than the annotator did is asked about first, then taken back where it is `only` that act.
        """
        key, annotator = self._here()
        job = self._worker.job if self._worker.job is not None and self._worker.job.running else None

        def call(project: Project) -> Turned:
            entry = next_undo(project)
            if entry is None:
                return Turned()
            question = "" if only else _doubt(project, entry, annotator, job)
            if question:
                return Turned(question=question, act=entry.act)
            undo_change(project, past_runs=True, only=only or None)
            return _shown(project, entry, key, annotator)

        self._turn(call, "Undone", "undo")

    def undo_to(self, act: str) -> None:
        """Take back all that was done after an act (UUID)."""
        self._turn(partial(_several, undo_to, act, *self._here()), "Undone", "undo")

    def redo_to(self, act: str) -> None:
        """Make all again that was undone, up to and with an act (UUID)."""
        self._turn(partial(_several, redo_to, act, *self._here()), "Redone", "redo")

    def redo(self) -> None:
        """Make the act again that was undone last, and show where."""
        key, annotator = self._here()

        def call(project: Project) -> Turned:
            entry = redo_change(project)
            return Turned() if entry is None else _shown(project, entry, key, annotator)

        self._turn(call, "Redone", "redo")

    def _turn(self, call: Callable[[Project], Turned], done: str, verb: str) -> None:
        # Of an act that stays no change of the user's is lost.
        self._worker.act(call, lambda turned: self._show_turned(done, verb, turned), self._fail, says=True)

    def ask_for_names(self) -> None:
        """Ask what undo and redo would do; `named` follows."""

        def names(project: Project) -> tuple[str, str]:
            undo, redo = next_undo(project), next_redo(project)
            return undo.name if undo else "", redo.name if redo else ""

        self._worker.ask(names, lambda told: self.named.emit(*told), latest="undo")

    def _show_turned(self, done: str, verb: str, turned: Turned) -> None:
        if turned.question:
            self.asked.emit(turned.question, turned.act)
        elif turned.name:
            self.turned.emit(f"{done}: {turned.name}.", turned)
        else:
            self.turned.emit(f"Nothing to {verb}.", None)

    def _fail(self, sentence: str) -> None:
        self._worker.failed.emit(sentence)
        self.ask_for_names()


def report_or_first(project: Project, key: str, annotator: str) -> OpenReport | None:
    """The report of that key; where it is gone, the one where one left off, if any is left."""
    try:
        return open_report(project, key, annotator)
    except UnknownNameError:
        there = where_left_off(project, annotator)
        return open_report(project, there, annotator) if there is not None else None


def _doubt(project: Project, entry: Entry, annotator: str, job: Job | None) -> str:
    """Why an act may not be what the user means to take back, as a question; "" where it is.

    `job` is long work that was under way when undo was asked for.
    """
    touched = touched_annotators(project, entry.act)
    others = [name for name in touched if name != annotator]
    if others:
        return f"“{entry.name}” is about the work of {', '.join(others)}. Undo it?"
    if job is not None and job.over and annotator not in touched:
        return f"“{job.title}” has ended meanwhile; the last act is now “{entry.name}”. Undo it?"
    return ""


def shown_by(project: Project, act: str, key: str, annotator: str) -> Turned | None:
    """Where an act (UUID) was done, in the open report (key) before others; None where no report is left."""
    touched = touched_reports(project, act)
    if not touched:
        return None
    report = open_report(project, key if key in touched else touched[0], annotator)
    spans = touched_spans(project, act, report)
    return Turned("", report, spans, touched_place(project, act, report))


def _several(
    turn: Callable[[Project, str], list[Entry]], act: str, key: str, annotator: str, project: Project
) -> Turned:
    """Undo or redo up to an act, and what is shown of it then: the last one's place."""
    turned = turn(project, act)
    if not turned:
        return Turned()
    return replace(_shown(project, turned[-1], key, annotator), name=counted(len(turned), "change"))


def _shown(project: Project, entry: Entry, key: str, annotator: str) -> Turned:
    """The first report that an act touched, the open one before others."""
    there = shown_by(project, entry.act, key, annotator) or Turned(
        report=report_or_first(project, key, annotator)
    )
    return replace(there, name=entry.name)
