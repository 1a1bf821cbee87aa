"""One output to rate: what it says and the report left, the items and a note right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSplitter, QWidget

from app.gui.dialogs.forms import GRID
from app.gui.modes.review.rating.output import OutputView
from app.gui.modes.review.rating.scale import RatingScale
from app.gui.widgets.boxes import labelled, row_of, stacked
from app.gui.widgets.plain import ElidedLabel
from app.operations.rate.sheets import list_items

if TYPE_CHECKING:
    from app.operations.rate.ratings import Output, ShownOutput
    from extractors.model.scheme import Scheme


class RatingPage(QWidget):
    """Shows an output and keeps what is said of it until it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.title, self.report = ElidedLabel(), ElidedLabel()
        bold = QFont(self.title.font())
        bold.setWeight(QFont.Weight.DemiBold)
        for label in (self.title, self.report):
            label.setFont(bold)
        self.output = OutputView()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName("Text of the report")
        self.scale = RatingScale(list_items())
        self.note = QLineEdit()
        self.note.setAccessibleName("Note")
        self.note.setPlaceholderText("What the scores do not say")
        self.progress = ElidedLabel()
        self._note_before = ""
        self._lay_out()

    def scores(self) -> dict[str, int]:
        """The scores given, by item id."""
        return self.scale.scores()

    def note_text(self) -> str:
        """The note; one of several lines that was not touched is as it was."""
        return self.note.text().strip() if self.note.isModified() else self._note_before

    def put(self, output: Output, shown: ShownOutput, scheme: Scheme) -> None:
        """Show an output with what was said of it before."""
        self.title.say(output.label)
        self.report.say(f"{output.report}: {output.title}" if output.title else output.report)
        self.output.setAccessibleName(f"{output.label}, by category")
        self.output.put(scheme, shown.quotes)
        if self.text.toPlainText() != shown.text:
            self.text.setPlainText(shown.text)
        rating = shown.rating
        self._note_before = rating.note if rating else ""
        self.note.setText(self._note_before)
        self.scale.set_scores(rating.scores if rating else {})
        self.scale.take_focus()

    def restore(self, scores: Mapping[str, int], note: str) -> None:
        """Show what was said of the output, but could not be saved."""
        self._note_before = note
        self.note.setText(note)
        self.scale.set_scores(scores)

    def _lay_out(self) -> None:
        texts = QSplitter(Qt.Orientation.Vertical)
        texts.setChildrenCollapsible(False)
        for label, text in ((self.title, self.output), (self.report, self.text)):
            text.setMinimumHeight(4 * self.fontMetrics().lineSpacing())
            part = QWidget()
            inside = stacked(part, label, text)
            inside.setSpacing(GRID // 2)
            inside.setStretchFactor(text, 1)
            texts.addWidget(part)
        right = QWidget()
        note = row_of(labelled("&Note:", self.note), self.note)
        stacked(right, self.progress, self.scale, note).setStretchFactor(self.scale, 1)
        columns = QSplitter(Qt.Orientation.Horizontal)
        columns.setChildrenCollapsible(False)
        columns.addWidget(texts)
        columns.addWidget(right)
        columns.setStretchFactor(0, 1)
        columns.setStretchFactor(1, 1)
        columns.setSizes([1000, 1000])
        stacked(self, columns).setContentsMargins(0, GRID, 0, 0)
