"""Blind first: whose spans to show in the open report, and what showing them early means."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.gui.dialogs.forms import FormDialog, Role, plain_label
from app.gui.session.project_session import ProjectSession
from app.gui.widgets.lists import TickList
from app.operations.annotate.exposure import OtherSet
from app.text import counted

EARLY = "You have not finished this report. That you see others' spans now is recorded in the project."
DONE = "You have finished this report; others' spans can no longer influence it."
NOBODY = "Nobody else has marked anything in this report yet."
KINDS = {"person": "annotator", "gold": "gold standard", "run": "extraction run"}
_MOST_ROWS = 12
_SCREEN_SHARE = 0.8


class OthersDialog(FormDialog):
    """Lists who has something in the open report; nothing is shown before it is asked for."""

    guide = "annotate"
    columns = 64

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__("Others' spans", parent)
        self._session, self._report_model = session, session.report_model
        self.words = plain_label()
        self.list = TickList("Who has spans in this report")
        self.lay_out(self.words, self.list, wide=self.list)
        self.notice.hide()
        self.add_cancel()
        self.show_them = self.add_button("&Show", Role.AcceptRole, default=True)
        self.hide_all = self.add_button("&Hide all", Role.ResetRole, self._hide_all)
        self.buttons.accepted.connect(self.accept)
        self.list.ticked.connect(self._allow)
        for signal in (session.others_listed, self._report_model.review_changed, self._report_model.opened):
            signal.connect(self._fill)
        self._fill()

    def chosen(self) -> tuple[str, ...]:
        return self.list.chosen()

    def accept(self) -> None:
        names = self.chosen()
        if names:
            self._session.show_others(names)
            super().accept()

    # Inside

    def _fill(self) -> None:
        there = self._session.others_there
        before = set(self.chosen()) or set(self._report_model.others)
        if len(there) == 1:
            before = {there[0].name}
        self.list.put(
            [(f"{other.name} – {KINDS[other.kind]}, {_amount(other)}", other.name) for other in there],
            before,
        )
        done = self._report_model.report is not None and self._report_model.review.state == "done"
        self.words.setText((DONE if done else EARLY) if there else NOBODY)
        self.show_them.setText("&Show" if done else "&Show and record")
        self._make_room()
        self._allow()

    def _make_room(self) -> None:
        """Grow, within the screen, to show every row whole."""
        around = 2 * self.list.frameWidth()
        row = max(self.list.sizeHintForRow(0), 0)
        self.list.setMinimumHeight(min(self.list.count(), _MOST_ROWS) * row + around)
        bar = self.list.verticalScrollBar().sizeHint().width()
        wide = self.list.sizeHintForColumn(0) + around + bar
        self.list.setMinimumWidth(min(wide, int(self.screen().availableSize().width() * _SCREEN_SHARE)))
        if self.isVisible():
            self.grow()

    def _allow(self) -> None:
        self.show_them.setEnabled(bool(self.chosen()))
        self.hide_all.setEnabled(bool(self._report_model.others))

    def _hide_all(self) -> None:
        self._session.show_others(())
        self.reject()


def _amount(other: OtherSet) -> str:
    """How much somebody has, under labels of other programs too."""
    spans = counted(other.quotes, "span")
    return f"{spans}, {other.kept:,} under labels that the scheme lacks" if other.kept else spans
