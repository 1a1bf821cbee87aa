"""Plant errors into a copy of a run: from which run, how many, of which kinds, under what name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.gui.dialogs.forms import GRID, plain_label, while_alive
from app.gui.widgets.plain import quoted
from app.gui.widgets.tips import explain

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.operations.bias.seeding import PlantedSummary
    from app.operations.bias.seeding_rules import MistakeKind
    from app.operations.bias.sets import BiasSets

ABOUT = (
    "A copy of a run is made as a set of its own, in which some spans are wrong; nothing tells them apart in "
    "a review. How many of them are rejected or mended says how closely suggestions are looked at."
)
WARNING = (
    "The copy holds wrong spans: do not use it as results, and take accepted errors out of a set before that "
    "is used."
)
_KINDS: tuple[tuple[MistakeKind, str, str], ...] = (
    ("spurious", "S&purious spans", "Words that have nothing to do with their category."),
    ("label", "Wrong cate&gory", "A span of the run, put into another category."),
    ("boundary", "Wrong e&dges", "A span of the run, some words too long or too short."),
    ("polarity", "Wrong polar&ity", "Present where it is negated, or the other way round."),
)


class PlantingForm(QWidget):
    """Makes a copy with errors; `planted` says what it came to, `refused` why nothing did."""

    planted = Signal(object)
    refused = Signal(str)

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._taken: tuple[str, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(plain_label(ABOUT))
        self.warning = plain_label(WARNING)
        self.warning.setAccessibleName("Warning")
        font = self.warning.font()
        font.setBold(True)
        self.warning.setFont(font)
        column.addWidget(self.warning)
        column.addLayout(self._form())
        self.button = QPushButton("P&lant errors")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self._plant)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.outcome = plain_label()
        self.outcome.setAccessibleName("What was planted")
        self.outcome.setMinimumHeight(2 * self.outcome.fontMetrics().lineSpacing())
        self.outcome.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        column.addWidget(self.outcome)
        self.run.currentIndexChanged.connect(self._propose_name)
        self.name.textChanged.connect(self._check)
        self._check()

    def offer(self, sets: BiasSets) -> None:
        """Let the runs be chosen that there are."""
        before = self.run.currentText()
        self._taken = sets.taken
        self.run.clear()
        for name in sets.sources:
            self.run.addItem(name, name)
        self.run.setCurrentIndex(max(self.run.findData(before), 0))
        self._propose_name()

    def tell(self, sentence: str) -> None:
        """Say below the button what was planted."""
        self.outcome.setText(sentence)

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setVerticalSpacing(GRID)
        self.run = QComboBox()
        self.run.setAccessibleName("Run to copy")
        self.run.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.run.setMinimumContentsLength(24)
        form.addRow("Run to cop&y:", self.run)
        self.name = QLineEdit()
        self.name.setAccessibleName("Name of the copy")
        explain(self.name, "Reviewers see this name: let it say nothing of errors.")
        form.addRow("Na&me of the copy:", self.name)
        self.share = QSpinBox()
        self.share.setRange(1, 100)
        self.share.setValue(10)
        self.share.setSuffix(" % of the spans")
        self.share.setAccessibleName("Errors, in percent of the spans")
        form.addRow("&Number of errors:", self.share)
        self.seed = QSpinBox()
        self.seed.setRange(0, 2**31 - 1)
        self.seed.setValue(1)
        self.seed.setAccessibleName("Seed")
        explain(self.seed, "The same seed plants the same errors in the same project.")
        form.addRow("S&eed:", self.seed)
        boxes = QGridLayout()
        boxes.setSpacing(GRID)
        self.kinds: dict[MistakeKind, QCheckBox] = {}
        for place, (kind, words, about) in enumerate(_KINDS):
            box = QCheckBox(words)
            box.setChecked(True)
            explain(box, about)
            box.toggled.connect(self._check)
            self.kinds[kind] = box
            boxes.addWidget(box, place // 2, place % 2)
        form.addRow("Kinds:", boxes)
        return form

    def _propose_name(self) -> None:
        run = self.run.currentData()
        names = [
            f"{run} for review",
            *(f"{run} for review {number}" for number in range(2, len(self._taken) + 3)),
        ]
        self.name.setText(next(name for name in names if name not in self._taken) if run else "")
        self._check()

    def _check(self) -> None:
        name = self.name.text().strip()
        free = bool(name) and name not in self._taken
        if name in self._taken:
            self.tell(f"There is a set called {quoted(name)} already; give the copy another name.")
        kinds = any(box.isChecked() for box in self.kinds.values())
        self.button.setEnabled(self.run.count() > 0 and free and kinds)

    def _plant(self) -> None:
        from app.operations.bias.seeding import plant_errors

        run, name = str(self.run.currentData()), self.name.text().strip()
        share, seed = self.share.value() / 100, self.seed.value()
        kinds = [kind for kind, box in self.kinds.items() if box.isChecked()]
        self.button.setEnabled(False)
        self._session.worker.act(
            lambda project: plant_errors(project, run, name, share=share, seed=seed, kinds=kinds),
            while_alive(self, self._done),
            while_alive(self, self._fail),
        )

    def _done(self, summary: PlantedSummary) -> None:
        self._session.reload()
        self.planted.emit(summary)

    def _fail(self, sentence: str) -> None:
        self._check()
        self.refused.emit(sentence)
