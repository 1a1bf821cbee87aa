"""Blind first: whose spans to show in the open report, and what showing them early means."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.dialogs.forms import CANCEL
from app.gui.session.project_session import ProjectSession
from app.gui.widgets.tips import tip
from app.text import counted

EARLY = "You have not finished this report. That you see others' spans now is recorded in the project."
DONE = "You have finished this report; others' spans can no longer influence it."
NOBODY = "Nobody else has marked anything in this report yet."
KINDS = {"person": "annotator", "gold": "gold standard", "run": "extraction run"}
_NAME = Qt.ItemDataRole.UserRole
_WIDTH = 480
_MOST_ROWS = 12
_SCREEN_SHARE = 0.92


class OthersDialog(QDialog):
    """Lists who has something in the open report; nothing is shown before it is asked for."""

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._report_model = session, session.report_model
        self.setWindowTitle("Others' spans")
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName("Who has spans in this report")
        # The name gives way, not the number behind it.
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.buttons = QDialogButtonBox()
        self.buttons.addButton(CANCEL, QDialogButtonBox.ButtonRole.RejectRole)
        self.show_them = self.buttons.addButton("&Show", QDialogButtonBox.ButtonRole.AcceptRole)
        self.hide_all = self.buttons.addButton("&Hide all", QDialogButtonBox.ButtonRole.ResetRole)
        self._column = column = QVBoxLayout(self)
        column.setSpacing(8)
        for part in (self.words, self.list, self.buttons):
            column.addWidget(part, 1 if part is self.list else 0)
        # Only now: a default button is one of the dialog that it is in.
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        self.show_them.setDefault(True)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.hide_all.clicked.connect(self._hide_all)
        self.list.itemChanged.connect(lambda _item: self._allow())
        for signal in (session.others_listed, self._report_model.review_changed, self._report_model.opened):
            signal.connect(self._fill)
        self._fill()

    def chosen(self) -> tuple[str, ...]:
        """The names that are ticked."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return tuple(item.data(_NAME) for item in items if item.checkState() == Qt.CheckState.Checked)

    def accept(self) -> None:
        """Show the spans of those who are ticked."""
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
        self.list.blockSignals(True)
        self.list.clear()
        for other in there:
            quotes = counted(other.quotes, "span")
            item = QListWidgetItem(f"{other.name} – {KINDS[other.kind]}, {quotes}", self.list)
            item.setData(_NAME, other.name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            ticked = other.name in before
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
            item.setToolTip(tip(other.name))
        if there:
            self.list.setCurrentRow(0)
        self.list.blockSignals(False)
        done = self._report_model.report is not None and self._report_model.review.state == "done"
        self.words.setText((DONE if done else EARLY) if there else NOBODY)
        self.show_them.setText("&Show" if done else "&Show and record")
        self._make_room()
        self._allow()

    def _make_room(self) -> None:
        """Grow, within the screen, to show every row whole."""
        around = 2 * self.list.frameWidth()
        rows = sum(self.list.sizeHintForRow(row) for row in range(self.list.count()))
        self.list.setMinimumHeight(min(rows, _MOST_ROWS * max(self.list.sizeHintForRow(0), 0)) + around)
        margins = self._column.contentsMargins()
        bar = self.list.verticalScrollBar().sizeHint().width()
        width = self.list.sizeHintForColumn(0) + around + bar + margins.left() + margins.right()
        screen = self.screen().availableSize() * _SCREEN_SHARE
        wanted = QSize(max(_WIDTH, width), self.sizeHint().height()).boundedTo(screen)
        self.resize(self.size().expandedTo(wanted) if self.isVisible() else wanted)

    def _allow(self) -> None:
        self.show_them.setEnabled(bool(self.chosen()))
        self.hide_all.setEnabled(bool(self._report_model.others))

    def _hide_all(self) -> None:
        self._session.show_others(())
        self.reject()
