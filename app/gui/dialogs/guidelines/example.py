"""The worked example of an amendment: its text, what is to be marked in it, or why nothing is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.gui.dialogs.forms import GRID, indented, named
from app.gui.widgets.boxes import labelled, lines_high, row_of, stacked
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.plain import one_line
from app.gui.widgets.tips import explain
from extractors.model.finding import POLARITIES
from extractors.model.guideline import Example, ExampleQuote

_COLUMNS = ("Quote", "Field", "Polarity", "Also in")
_QUOTE, _FIELD, _POLARITY, _ALSO = range(4)
_OTHERS = Qt.ItemDataRole.UserRole
_NO_FIELD = "no field"
_TEXT_LINES, _ROWS = 3, 3


class ExampleEditor(QWidget):
    """Edits one example; `changed` follows whatever is changed in it."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._fields: tuple[str, ...] = ()
        self._title = ""
        self.wanted = QCheckBox("Add a worked &example")
        self.text = named(QPlainTextEdit(tabChangesFocus=True), "Text of the example")
        self.text.setFixedHeight(lines_high(self.text, _TEXT_LINES) + 2 * GRID)
        self.quotes = QTableWidget(0, len(_COLUMNS))
        self._arrange_quotes()
        self.add = QPushButton("Mark the &selected words")
        explain(self.add, "Select in the text of the example what is to be marked in it.")
        self.remove = QPushButton("Take the mar&k away")
        self.reason = named(QLineEdit(), "Why nothing is to be marked")
        self._lay_out()
        self.wanted.toggled.connect(self._follow)
        self.text.textChanged.connect(self._follow)
        self.text.selectionChanged.connect(self._allow)
        self.quotes.itemChanged.connect(lambda _item: self._follow())
        self.quotes.currentCellChanged.connect(lambda *_: self._allow())
        self.reason.textChanged.connect(lambda _text: self.changed.emit())
        self.add.clicked.connect(self._mark_selected)
        self.remove.clicked.connect(self._remove_mark)
        self._allow()

    @property
    def example(self) -> Example | None:
        """The example as it stands, None where there is to be none."""
        if not self.wanted.isChecked():
            return None
        quotes = tuple(self._quote(row) for row in range(self.quotes.rowCount()))
        return Example(self._title, self.text.toPlainText(), quotes, "" if quotes else self.reason.text())

    def set_fields(self, fields: Sequence[str]) -> None:
        """Offer the fields of another category; a field that it has not goes."""
        self._fields = tuple(fields)
        for place in range(self.quotes.rowCount()):
            box = self._box(place, _FIELD)
            box.fill([(one, one) for one in (_NO_FIELD, *self._fields)], box.currentText())

    def show_example(self, example: Example | None) -> None:
        self.wanted.setChecked(example is not None)
        self.quotes.setRowCount(0)
        if example is not None:
            self._title = example.title
            self.text.setPlainText(example.text)
            self.reason.setText(example.reason)
            for quote in example.quotes:
                self._append(quote)
        self._follow()

    # Inside

    def _lay_out(self) -> None:
        holder = QWidget()
        buttons = row_of(self.add, self.remove)
        why = row_of(labelled("&Nothing to mark, because:", self.reason), self.reason)
        inside = stacked(holder, labelled("&Text:", self.text), self.text, buttons, self.quotes, why)
        inside.setAlignment(buttons, Qt.AlignmentFlag.AlignLeft)
        self._inside = indented(holder)
        stacked(self, self.wanted, self._inside)

    def _arrange_quotes(self) -> None:
        table = self.quotes
        table.setHorizontalHeaderLabels(list(_COLUMNS))
        table.setAccessibleName("What is to be marked in the example")
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.verticalHeader().setVisible(False)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_QUOTE, QHeaderView.ResizeMode.Stretch)
        row = DropDown("").sizeHint().height() + 2
        table.verticalHeader().setDefaultSectionSize(row)
        table.setFixedHeight(header.sizeHint().height() + _ROWS * row + 2 * table.frameWidth())

    def _append(self, quote: ExampleQuote) -> None:
        row = self.quotes.rowCount()
        self.quotes.blockSignals(True)
        self.quotes.insertRow(row)
        self.quotes.setItem(row, _QUOTE, QTableWidgetItem(quote.quote))
        others = QTableWidgetItem(", ".join(quote.also))
        others.setData(_OTHERS, quote.also)
        others.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        self.quotes.setItem(row, _ALSO, others)
        for place, choices, chosen in (
            (_FIELD, (_NO_FIELD, *self._fields), quote.field or _NO_FIELD),
            (_POLARITY, POLARITIES, quote.polarity),
        ):
            box = DropDown(f"{_COLUMNS[place]} of “{quote.quote}”")
            box.addItems(list(choices))
            box.setCurrentText(chosen)
            box.currentTextChanged.connect(lambda _text: self.changed.emit())
            self.quotes.setCellWidget(row, place, box)
        self.quotes.blockSignals(False)
        self.quotes.setCurrentCell(row, _QUOTE)

    def _quote(self, row: int) -> ExampleQuote:
        item, others = self.quotes.item(row, _QUOTE), self.quotes.item(row, _ALSO)
        field = self._box(row, _FIELD).currentText()
        words = self._box(row, _POLARITY).currentText()
        polarity = next(known for known in POLARITIES if known == words)
        also = tuple(others.data(_OTHERS)) if others is not None else ()
        quote = item.text() if item is not None else ""
        return ExampleQuote(quote, "" if field == _NO_FIELD else field, polarity, also)

    def _box(self, row: int, column: int) -> DropDown:
        box = self.quotes.cellWidget(row, column)
        if not isinstance(box, DropDown):
            raise TypeError(f"there is no choice in column {column}")
        return box

    def _selected(self) -> str:
        # Qt has U+2029 where a selection goes over a line's end.
        return one_line(self.text.textCursor().selectedText())

    def _mark_selected(self) -> None:
        self._append(ExampleQuote(self._selected(), "", "present", ()))
        self._follow()

    def _remove_mark(self) -> None:
        self.quotes.removeRow(self.quotes.currentRow())
        self._follow()

    def _follow(self) -> None:
        self._allow()
        self.changed.emit()

    def _allow(self) -> None:
        self._inside.setEnabled(self.wanted.isChecked())
        self.add.setEnabled(bool(self._selected()))
        self.remove.setEnabled(self.quotes.currentRow() >= 0)
        self.reason.setEnabled(not self.quotes.rowCount())
