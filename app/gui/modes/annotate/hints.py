"""One line below the text: which keys do what, here and now."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.gui.reader.view import Reader
from app.gui.session.project_session import ProjectSession
from app.gui.shell.acts.actions import Actions
from app.gui.widgets.plain import ElidedLabel
from app.gui.widgets.tips import with_key

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
