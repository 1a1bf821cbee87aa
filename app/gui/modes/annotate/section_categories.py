"""The dialog in which it is corrected what a section speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.gui.widgets.plain import ElidedLabel, caption, one_line

if TYPE_CHECKING:
    from extractors.model.document import Section
    from extractors.model.scheme import Scheme


class SectionCategoriesDialog(QDialog):
    """A tick for each category of the scheme."""

    def __init__(self, scheme: Scheme, section: Section, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Section categories")
        self.boxes: dict[str, QCheckBox] = {}
        heading = ElidedLabel("m" * 24)
        font = heading.font()
        font.setBold(True)
        heading.setFont(font)
        heading.say(one_line(section.heading) or "Without a heading")
        question = QLabel("Which categories does this section speak of?")
        question.setWordWrap(True)
        grid = QGridLayout()
        half = (len(scheme.categories) + 1) // 2
        for place, category in enumerate(scheme.categories):
            box = QCheckBox(caption(f"{category.code}  {category.name}"))
            box.setChecked(category.id in section.categories)
            self.boxes[category.id] = box
            grid.addWidget(box, place % half, place // half)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(16)
        layout.addWidget(heading)
        layout.addWidget(question)
        layout.addLayout(grid)
        layout.addLayout(self._buttons())
        next(iter(self.boxes.values())).setFocus()

    def categories(self) -> tuple[str, ...]:
        """The ids of the categories that are ticked, in the order of the scheme."""
        return tuple(category for category, box in self.boxes.items() if box.isChecked())

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        for words, ticked in (("&All", True), ("&None", False)):
            button = QPushButton(words)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, ticked=ticked: self._tick(ticked))
            row.addWidget(button)
        ends = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        ends.accepted.connect(self.accept)
        ends.rejected.connect(self.reject)
        row.addStretch()
        row.addWidget(ends)
        return row

    def _tick(self, ticked: bool) -> None:
        for box in self.boxes.values():
            box.setChecked(ticked)
