"""How a model is asked: strategy, way of prompting, and what hardly anybody changes."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QFormLayout, QSpinBox, QVBoxLayout, QWidget

from app.gui.dialogs.forms import GRID, fold, indented, plain_label
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.tips import explain
from app.operations.extract.options import ModelOptions

STRATEGIES = {
    "ucp": "A prompt for each category, on the whole report (UCP): the most thorough.",
    "fcsp": "A prompt for each category, on the sections that speak of it (FCSP): shorter prompts; what "
    "stands elsewhere is not seen.",
    "ugp": "One prompt for all categories, on the whole report (UGP): the fewest calls, the longest replies.",
}
PROMPTINGS = {
    "few-shot": "With examples: the guideline and its worked examples.",
    "zero-shot": "Without examples: the guideline alone.",
    "zero-shot-cot": "With reasoning: the guideline alone, and the model reasons in writing before it "
    "answers; slower.",
}
_MOST_AT_ONCE = 64
_LEAST_TOKENS, _MOST_TOKENS = 128, 10_000_000


class ModelSettings(QWidget):
    """Everything that a call to a model may be told, with the program's defaults."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setVerticalSpacing(GRID)
        self.strategy = _explained(form, "Strate&gy:", "Strategy", STRATEGIES)
        self.prompting = _explained(form, "Prompt&ing:", "Prompting", PROMPTINGS)
        layout.addLayout(form)
        advanced = self._advanced()
        self.fold = fold("Advanced", advanced)
        layout.addWidget(self.fold)
        layout.addWidget(indented(advanced))

    def options(
        self, model: str, documents: tuple[str, ...] = (), categories: tuple[str, ...] = ()
    ) -> ModelOptions:
        """What is asked of that model, about these reports (keys) and categories (ids)."""
        return ModelOptions(
            model=model,
            strategy=self.strategy.currentData(),
            prompting=self.prompting.currentData(),
            documents=documents,
            categories=categories,
            seed=self.seed.value(),
            think=self.think.isChecked(),
            new_run=self.new_run.isChecked(),
            context=_tokens(self.context),
            reply_tokens=_tokens(self.reply_tokens),
            temperature=self.temperature.value(),
            parallel=self.parallel.value(),
            sections="inferred" if self.inferred.isChecked() else "headings",
        )

    def _advanced(self) -> QWidget:
        holder = QWidget()
        form = QFormLayout(holder)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(GRID)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.seed = QSpinBox()
        self.seed.setRange(0, 2**31 - 1)
        self.seed.setValue(1)
        self.seed.setAccessibleName("Seed")
        form.addRow("S&eed:", self.seed)
        self.context = _token_box("Context in tokens", "as needed")
        form.addRow("Co&ntext, tokens:", self.context)
        self.reply_tokens = _token_box("Longest reply in tokens", "by strategy")
        form.addRow("Longest repl&y, tokens:", self.reply_tokens)
        self.temperature = QDoubleSpinBox()
        self.temperature.setRange(0, 2)
        self.temperature.setSingleStep(0.1)
        self.temperature.setAccessibleName("Temperature")
        form.addRow("Temperat&ure:", self.temperature)
        self.parallel = QSpinBox()
        self.parallel.setRange(1, _MOST_AT_ONCE)
        self.parallel.setAccessibleName("Calls at once")
        explain(self.parallel, "About different reports, as many as the server can work on.")
        form.addRow("Calls at once:", self.parallel)
        self.inferred = QCheckBox("For FCSP, tell also paragraphs apart by what they speak about")
        form.addRow(self.inferred)
        self.think = QCheckBox("Let a model that can thin&k do so first")
        form.addRow(self.think)
        self.new_run = QCheckBox("&Begin a new run even if there is one with the same settings")
        form.addRow(self.new_run)
        return holder


def _explained(form: QFormLayout, label: str, name: str, words: dict[str, str]) -> DropDown:
    """A choice whose entries are the part before the colon; the whole sentence stands below."""
    box = DropDown(name, 24)
    for key, sentence in words.items():
        box.addItem(sentence.partition(":")[0], key)
    about = plain_label()
    about.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    about.setMinimumHeight(2 * about.fontMetrics().lineSpacing())

    def explain() -> None:
        text = words[box.currentData()].partition(": ")[2]
        about.setText(text[0].upper() + text[1:])
        box.setAccessibleDescription(text)

    box.currentIndexChanged.connect(explain)
    explain()
    form.addRow(label, box)
    form.addRow("", about)
    return box


def _token_box(name: str, nothing: str) -> QSpinBox:
    """A number of tokens; its least value stands for the program's own choice."""
    box = QSpinBox()
    box.setAccessibleName(name)
    box.setRange(_LEAST_TOKENS - 1, _MOST_TOKENS)
    box.setSpecialValueText(nothing)
    box.setGroupSeparatorShown(True)
    box.setSingleStep(1024)
    return box


def _tokens(box: QSpinBox) -> int | None:
    return None if box.value() == box.minimum() else box.value()
