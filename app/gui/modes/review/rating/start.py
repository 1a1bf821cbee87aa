"""Before rating begins: who rates, what is rated, and whether the rater is to be blind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.gui.dialogs.forms import GRID, indented, plain_label
from app.gui.dialogs.others import KINDS
from app.gui.widgets.tips import tip
from app.text import counted

if TYPE_CHECKING:
    from app.store.annotators import Annotator

NOTHING = (
    "There is nothing to rate yet: nobody but you has annotated a report. Extract with the rules or a model "
    "first (Project, Extract with rules or a model…)."
)
ABOUT = (
    "You are shown what a run has found in a report, beside the report's text, and rate it on twelve items "
    "from 1 to 5. Each rating is saved as you go on; you can stop at any time."
)
RECORDED = (
    "If you annotate here, rating shows you others' spans, and Casespan records that for "
    "each report: finish your own work on a report before you rate outputs of it."
)
_NAME = Qt.ItemDataRole.UserRole


class StartPage(QWidget):
    """`changed` comes with every choice."""

    changed = Signal()

    def __init__(self, rater: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sets: tuple[Annotator, ...] = ()
        self._chosen: set[str] = set()
        self.rater = QLineEdit(rater)
        self.rater.setAccessibleName("Rater")
        self.rater.textChanged.connect(lambda _: self.changed.emit())
        self.blind = QCheckBox("&Blind: hide who or what made the output")
        self.blind.setChecked(True)
        self.blind.toggled.connect(lambda _: self._turn())
        self.list = QListWidget()
        self.list.setAccessibleName("Annotation sets to rate")
        self.list.setMinimumHeight(6 * self.fontMetrics().lineSpacing())
        self.list.itemChanged.connect(self._tick)
        self.hidden = plain_label()
        self.hidden.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.hidden.setAccessibleName("Annotation sets to rate")
        self._whose = QStackedWidget()
        self._whose.addWidget(self.hidden)
        self._whose.addWidget(self.list)
        self.progress = plain_label("Reading…")
        self.progress.setAccessibleName("Progress")
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setVerticalSpacing(GRID)
        form.addRow("&Rater:", self.rater)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID, 0, 0)
        column.setSpacing(2 * GRID)
        column.addWidget(plain_label(ABOUT))
        column.addWidget(plain_label(RECORDED))
        column.addLayout(form)
        column.addWidget(self.blind)
        column.addWidget(indented(self._whose), 1)
        column.addWidget(self.progress)
        self._turn()

    def names(self) -> tuple[str, ...]:
        """The names of all sets, rated or not."""
        return tuple(one.name for one in self._sets)

    def name(self) -> str:
        """Who rates."""
        return self.rater.text().strip()

    def chosen(self) -> tuple[str, ...]:
        """The names of the sets to be rated."""
        return tuple(one.name for one in self._sets if one.name in self._chosen)

    def put(self, sets: Sequence[Annotator]) -> None:
        """Offer sets; at first all runs are chosen."""
        new = {one.name for one in sets} - {one.name for one in self._sets}
        self._sets = tuple(sets)
        self._chosen |= {one.name for one in sets if one.name in new and one.kind == "run"}
        self._turn()

    def _turn(self) -> None:
        """Names, or how many there are; nobody who is blind reads a name."""
        blind = self.blind.isChecked()
        self.list.blockSignals(True)
        self.list.clear()
        for one in () if blind else self._sets:
            item = QListWidgetItem(f"{one.name} – {KINDS[one.kind]}", self.list)
            item.setData(_NAME, one.name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            ticked = one.name in self._chosen
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
            item.setToolTip(tip(one.name))
        self.list.blockSignals(False)
        there = len(self._sets)
        self.hidden.setText(
            f"{len(self.chosen())} of {counted(there, 'set')} of annotations are rated: all runs at first. "
            "They are called “Output A” and so on; the letters are drawn anew for each report. To choose "
            "others, turn this off for a moment."
            if there
            else NOTHING
        )
        self._whose.setCurrentWidget(self.list if self._sets and not blind else self.hidden)
        self.changed.emit()

    def _tick(self, item: QListWidgetItem) -> None:
        name = str(item.data(_NAME))
        if item.checkState() == Qt.CheckState.Checked:
            self._chosen.add(name)
        else:
            self._chosen.discard(name)
        self.changed.emit()
