"""Quiet lines below the text: which keys do what, where else the same words stand, what is grey."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStackedWidget, QWidget

from app.gui.reader.view import Reader
from app.gui.session.project_session import Offer, ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.boxes import AFTER_THE_TEXT, is_low, lined
from app.gui.widgets.plain import ElidedLabel, quoted
from app.gui.widgets.tips import explain, with_key
from app.operations.annotate.spans import Changed
from app.text import counted

_GAP = "   ·   "


class HintLine(ElidedLabel):
    """Follows the selection and the current span; keys are named as they are set."""

    def __init__(
        self, session: ProjectSession, reader: Reader, actions: Actions, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self._session, self._reader, self._actions = session, reader, actions
        self.setContentsMargins(16, 0, 16, 0)
        self.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        reader.selection_changed.connect(self._show_words)
        for signal in (
            session.report_model.current_changed,
            session.report_model.opened,
            session.report_model.reset,
        ):
            signal.connect(self._show_words)
        actions["help.keys"].changed.connect(self._show_words)
        self._show_words()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as many as there is room for."""
        super().resizeEvent(event)
        self._show_words()

    def _show_words(self, *_: int) -> None:
        """The hints that fit, the most useful first."""
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


class SameWordsOffer(QWidget):
    """Keeps its height when there is nothing to offer; `offer` is what the line speaks of."""

    text_wanted = Signal()
    changed = Signal()

    def __init__(self, session: ProjectSession, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self.offer: Offer | None = None
        self.button = QPushButton(flat=True)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        kept = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        kept.setRetainSizeWhenHidden(True)
        self.button.setSizePolicy(kept)
        self.button.clicked.connect(self._take)
        lined(self, self.button, margins=(8, 0, 8, 0)).addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        session.same_found.connect(self._show)
        session.report_model.opened.connect(self.clear)
        session.report_model.reset.connect(self.clear)
        session.controller.changed.connect(self._follow)
        actions["span.same"].changed.connect(self._write)
        self.clear()

    def clear(self) -> None:
        """Offer nothing."""
        self.offer = None
        self._write()

    def _show(self, offer: Offer) -> None:
        self.offer = offer if offer.same.total else None
        self._write()

    def _follow(self, changed: Changed) -> None:
        if changed.added or changed.removed:
            self.clear()

    def _write(self) -> None:
        self.button.setVisible(self.offer is not None)
        self.changed.emit()
        if self.offer is None:
            self.button.setText(" ")
            return
        total = self.offer.same.total
        words = counted(total, "more place")
        key = self._actions.key("span.same")
        self.button.setText(with_key(f"{words} with these words", key))
        explain(self.button, f"{quoted(self.offer.quote)} elsewhere in this report")

    def _take(self) -> None:
        self._actions["span.same"].trigger()
        self.text_wanted.emit()


_MOST = 12


class KeptLabelsLine(QStackedWidget):
    """Counts them, says which labels they are and leads to what these stand for.

    It is the place of `offer`, which comes first where there is something to offer: no line is taken from
    the panels above, but in a low window, where it has one only while it says something.
    """

    def __init__(self, session: ProjectSession, actions: Actions, offer: SameWordsOffer) -> None:
        super().__init__()
        self._model, self._offer = session.report_model, offer
        self._own, self._any = QWidget(), False
        self.button = QPushButton(flat=True)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(actions["project.labels"].trigger)
        lined(self._own, self.button, margins=(8, 0, 8, 0)).addStretch(1)
        for page in (offer, self._own):
            self.addWidget(page)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        offer.changed.connect(self._turn)
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

    def sizeHint(self) -> QSize:
        return self._if_needed(super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        return self._if_needed(super().minimumSizeHint())

    def _if_needed(self, size: QSize) -> QSize:
        silent = not self._any and self._offer.offer is None
        return QSize(size.width(), 0) if silent and is_low(self) else size

    def moveEvent(self, event: QMoveEvent) -> None:
        """At the foot of the window it moves whenever that is of another height."""
        super().moveEvent(event)
        self.updateGeometry()

    def _turn(self) -> None:
        self.setCurrentWidget(self._own if self._any and self._offer.offer is None else self._offer)
        self.updateGeometry()
