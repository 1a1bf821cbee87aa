"""One line below the text: which keys do what, here and now."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.gui.reader.view import Reader
from app.gui.session.project_session import ProjectSession
from app.gui.shell.actions import Actions
from app.gui.widgets.plain import ElidedLabel

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
        reader.selection_changed.connect(self._tell)
        for signal in (
            session.report_model.current_changed,
            session.report_model.opened,
            session.report_model.reset,
        ):
            signal.connect(self._tell)
        actions["help.keys"].changed.connect(self._tell)
        self._tell()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as many as there is room for."""
        super().resizeEvent(event)
        self._tell()

    def _tell(self, *_: int) -> None:
        """The hints that fit, the most useful first."""
        room, said = self.contentsRect().width(), ""
        for hint in self._hints():
            longer = f"{said}{_GAP}{hint}" if said else hint
            if self.fontMetrics().horizontalAdvance(longer) > room:
                break
            said = longer
        self.say(said)

    def _hints(self) -> tuple[str, ...]:
        key, report_model = self._actions.key, self._session.report_model
        if report_model.report is None:
            return ()
        start, end = self._reader.selection()
        everything = f"{key('help.keys')} all keys"
        if start < end:
            return (
                everything,
                "a category's letter labels the selection",
                f"{key('span.widen')} widens it",
                f"{key('span.narrow')} narrows it",
            )
        if report_model.current is None:
            return (
                everything,
                f"{key('report.done_next')} done",
                f"{key('span.widen')} selects",
                "letter labels",
                f"{key('span.next')} next span",
                f"{key('report.nothing')} nothing found",
            )
        if not report_model.is_own(report_model.current):
            return (everything, f"{key('span.accept')} accepts", f"{key('span.next')} next span")
        return (
            everything,
            f"{key('span.remove')} deletes",
            "letter adds a label",
            "Shift+letter relabels",
            f"{key('span.end_on')} {key('span.end_back')} move the end",
            f"{key('span.start_back')} {key('span.start_on')} the start",
        )
