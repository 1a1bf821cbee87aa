"""Quiet lines below the text: which keys do what, where else the same words stand, what is grey."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.gui.reader.view import Reader
from app.gui.session.project_session import Offer, ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import AFTER_THE_TEXT, lined
from app.gui.widgets.plain import ElidedLabel, quoted
from app.gui.widgets.tips import explain, with_key
from app.operations.annotate.spans import Changed
from app.text import counted

_GAP = "   ·   "


class HintLine(ElidedLabel):
    """Follows the selection and the current span; keys are named as they are set."""

    def __init__(self, session: ProjectSession, reader: Reader, actions: Actions) -> None:
        super().__init__()
        self._session, self._reader, self._actions = session, reader, actions
        self.setContentsMargins(16, 0, 16, 0)
        self.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        reader.selection_changed.connect(self._show_words)
        model = session.report_model
        for changed in (model.current_changed, model.opened, model.reset):
            changed.connect(self._show_words)
        actions["help.keys"].changed.connect(self._show_words)
        self._show_words()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_words()

    def _show_words(self, *_: int) -> None:
        room, words = self.contentsRect().width(), ""
        for hint in self._hints():
            longer = f"{words}{_GAP}{hint}" if words else hint
            if self.fontMetrics().horizontalAdvance(longer) > room:
                break
            words = longer
        self.say(words)

    def _hints(self) -> tuple[str, ...]:
        key, report_model = self._actions.key, self._session.report_model
        if report_model.report is None:
            return ()
        start, end = self._reader.selection()
        everything = with_key("All keys", key("help.keys"))
        if start < end:
            return (
                everything,
                "Label the selection (a category's letter)",
                with_key("Widen it", key("span.widen")),
                with_key("Narrow it", key("span.narrow")),
            )
        if report_model.current is None:
            return (
                everything,
                with_key("Done, next report", key("report.done_next")),
                with_key("Select", key("span.widen")),
                "Label (a category's letter)",
                with_key("Next span", key("span.next")),
                with_key("Nothing found", key("report.nothing")),
            )
        if not report_model.is_own(report_model.current):
            return (
                everything,
                with_key("Accept", key("span.accept")),
                with_key("Next span", key("span.next")),
            )
        return (
            everything,
            with_key("Delete", key("span.remove")),
            "Add a label (letter)",
            "Relabel (Shift+letter)",
            with_key("Move the end", f"{key('span.end_on')} {key('span.end_back')}".strip()),
            with_key("Move the start", f"{key('span.start_back')} {key('span.start_on')}".strip()),
        )


class SameWordsOffer(QPushButton):
    """Not to be seen when there is nothing to offer; `offer` is what it speaks of."""

    text_wanted = Signal()
    changed = Signal()

    def __init__(self, session: ProjectSession, actions: Actions) -> None:
        super().__init__(flat=True)
        self._actions = actions
        self.offer: Offer | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self._take)
        session.same_found.connect(self._show)
        session.report_model.opened.connect(self.clear)
        session.report_model.reset.connect(self.clear)
        session.controller.changed.connect(self._follow)
        actions["span.same"].changed.connect(self._write)
        self.clear()

    def clear(self) -> None:
        self.offer = None
        self._write()

    def _show(self, offer: Offer) -> None:
        self.offer = offer if offer.same.total else None
        self._write()

    def _follow(self, changed: Changed) -> None:
        if changed.added or changed.removed:
            self.clear()

    def _write(self) -> None:
        self.setVisible(self.offer is not None)
        self.changed.emit()
        if self.offer is None:
            return
        total = self.offer.same.total
        words = counted(total, "more place")
        key = self._actions.key("span.same")
        self.setText(with_key(f"{words} with these words", key))
        explain(self, f"{quoted(self.offer.quote)} elsewhere in this report")

    def _take(self) -> None:
        self._actions["span.same"].trigger()
        self.text_wanted.emit()


_MOST = 12


class KeptLabelsLine(QWidget):
    """Counts them, says which labels they are and leads to what these stand for.

    It is the place of `offer`, which comes first where there is something to offer: no line is taken from
    the panels for either.
    """

    def __init__(self, session: ProjectSession, actions: Actions, offer: SameWordsOffer) -> None:
        super().__init__()
        self._model, self._offer = session.report_model, offer
        self._any = False
        self.button = QPushButton(flat=True)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(actions["project.labels"].trigger)
        lined(self, offer, self.button, margins=(8, 0, 8, 0), spacing=0)
        offer.changed.connect(self._turn)
        self._turn()
        self._later = QTimer(self, singleShot=True, interval=AFTER_THE_TEXT)
        self._later.timeout.connect(self._refresh)
        for signal in (self._model.opened, self._model.reset, self._model.others_changed):
            signal.connect(self._later.start)

    def _refresh(self) -> None:
        counts = Counter(one.label for one in self._model.kept.values())
        self._any = bool(counts)
        self._turn()
        if not counts:
            return
        number = counted(counts.total(), "annotation")
        self.button.setText(f"{number} under {counted(len(counts), 'other label')}…")
        amounts = [f"{label}: {amount}" for label, amount in counts.most_common(_MOST)]
        amounts += [f"and {len(counts) - _MOST} more"] if len(counts) > _MOST else []
        about = "Grey in the text: labels of other programs, which the scheme lacks."
        explain(self.button, "\n".join([about, *amounts]))

    def _turn(self) -> None:
        self.button.setVisible(self._any and self._offer.offer is None)
