"""What is behind a number: its reports, worst first, and below them both sides' quotes, shown on record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QHeaderView, QPushButton, QTableView, QWidget

from app.gui.dialogs.forms import GRID, named, plain_label
from app.gui.modes.agreement.numbers import PlainHeader
from app.gui.widgets.boxes import follow_keys, lines_high, split, stacked
from app.gui.widgets.flow import Lettered
from app.gui.widgets.lists import Index, RowsModel, WholeLines, WholeRows
from app.gui.widgets.plain import one_line, quoted
from app.gui.widgets.tips import explain, tip
from app.text import counted

if TYPE_CHECKING:
    from app.agreement.types import Item
    from app.gui.shell.acts.actions import Actions
    from app.operations.compare.view import Evidence, EvidenceRow, QuoteBlock

_VALUE, _QUOTES, _REPORT = range(3)
_SENTENCE_LINES = 3
# So many rows tell how wide the numbers are.
_ROWS_MEASURED = 100


class EvidenceModel(RowsModel):
    """Reports with their value and both sides' numbers of quotes."""

    headings = ("", "Quotes\nleft / right", "Report")
    rows: tuple[EvidenceRow, ...] = ()

    def show_rows(self, column: str, rows: Sequence[EvidenceRow]) -> None:
        """Show these reports; `column` heads their values."""
        self.beginResetModel()
        self.headings, self.rows = (column, *self.headings[1:]), tuple(rows)
        self.endResetModel()

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (row.value, f"{row.left} / {row.right}", f"{row.key}\n{one_line(row.title)}")[
                index.column()
            ]
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() != _REPORT:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            quotes = f"{counted(row.left, 'quote')} left, {row.right} right"
            words = f"{row.key}, {row.title}: {self.headings[0]} {row.value}, {quotes}"
            return tip(words) if role == Qt.ItemDataRole.ToolTipRole else words
        return None


class EvidenceList(Lettered, QTableView):
    """The reports; Enter or a double click opens one."""

    report_opened = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.reports = EvidenceModel(self)
        self.setModel(self.reports)
        self.setAccessibleName("Reports behind the number")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        # All are equally high: of thousands, none is asked.
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.fit_letters()
        WholeRows(self)
        header = PlainHeader(Qt.Orientation.Horizontal, self)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        self.setHorizontalHeader(header)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(_ROWS_MEASURED)
        header.setSectionResizeMode(_REPORT, QHeaderView.ResizeMode.Stretch)
        self.doubleClicked.connect(lambda index: self.report_opened.emit(index.row()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open by Enter; letters are keys of the page."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.report_opened.emit(self.currentIndex().row())
        elif event.text().isprintable() and event.text().strip():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def fit_letters(self) -> None:
        """Two lines: the report's key, and its title below."""
        self.verticalHeader().setDefaultSectionSize(2 * self.fontMetrics().lineSpacing() + GRID)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 34, lines_high(self, 12))


class EvidencePanel(QWidget):
    """Stands where the list of reports stands else. What others have is shown where it was seen before, else
    only when asked for."""

    report_wanted = Signal(str)
    # Of the chosen report, seen before or not; `show_quotes` follows.
    quotes_wanted = Signal()

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.evidence: Evidence | None = None
        self._annotator = ""
        self.sentence = plain_label(lines=_SENTENCE_LINES)
        self.list = EvidenceList()
        self.open_button = QPushButton()
        self.with_quotes = QCheckBox()
        self.quotes = named(WholeLines(), "Quotes of both sides")
        self.quotes.setTabChangesFocus(True)
        below = QWidget()
        parts = (self.open_button, self.with_quotes, self.quotes)
        stacked(below, *parts, wide=self.quotes, margins=(0, GRID // 2, 0, 0), spacing=GRID // 2)
        self.splitter = split(Qt.Orientation.Vertical, self.list, below)
        stacked(self, self.sentence, self.splitter, wide=self.splitter, margins=(GRID, GRID, 0, GRID))
        self.list.selectionModel().currentRowChanged.connect(lambda *_: self._choose())
        self.list.report_opened.connect(self._open)
        self.open_button.clicked.connect(lambda: self._open(self.list.currentIndex().row()))
        self.with_quotes.toggled.connect(lambda _: self._choose())

        def written() -> None:
            key = actions.key("agreement.quotes")
            self.with_quotes.setText(f"Show unseen quotes{f' ({key})' if key else ''}")
            about = "Show what both sides have also in reports in which you have not seen it yet."
            explain(self.with_quotes, about)

        follow_keys(self, actions, ["agreement.quotes"], written)
        self.clear()

    def clear(self) -> None:
        """Show nothing, and no empty list either."""
        self.evidence = None
        self.splitter.hide()
        self.sentence.setText("")
        self.list.reports.show_rows("", ())
        self._say("")
        self._offer_to_open()

    def show_evidence(self, evidence: Evidence, annotator: str, key: str = "") -> None:
        """Show what is behind a number to an annotator, with this report (else the first) chosen."""
        self.evidence, self._annotator = evidence, annotator
        self.sentence.setText(evidence.sentence)
        self.splitter.show()
        self.list.reports.show_rows(evidence.column, evidence.rows)
        place = next((number for number, row in enumerate(evidence.rows) if row.key == key), 0)
        if evidence.rows:
            self.list.selectRow(place)
        else:
            self._say("There is no report behind this number.")
        self._offer_to_open()

    def current(self) -> EvidenceRow | None:
        index = self.list.currentIndex()
        return self.list.reports.rows[index.row()] if index.isValid() else None

    def others(self) -> tuple[str, ...]:
        """Whose quotes are behind the number, but for the annotator's own."""
        if self.evidence is None:
            return ()
        names = dict.fromkeys((self.evidence.left, self.evidence.right))
        return tuple(name for name in names if name != self._annotator)

    def to_review(self) -> str:
        """Whose quotes the annotator can review: the other side's, "" where neither side is one's own."""
        others = self.others()
        own = self.evidence is not None and self._annotator in (self.evidence.left, self.evidence.right)
        return others[0] if own and others else ""

    def show_quotes(self, key: str, *, seen: bool) -> None:
        """Show both sides' quotes of a report, if it is still the chosen one, or say that they are unseen."""
        row = self.current()
        if self.evidence is None or row is None or row.key != key:
            return
        if seen:
            self._show_all(row)
        elif not self.with_quotes.isChecked():
            names = " and ".join(self.others())
            self._say(
                f"You have not seen yet what {names} marked in {key}. It stays hidden so that it cannot sway "
                "your own reading; the box above shows it."
            )

    # Inside

    def _say(self, words: str) -> None:
        self.quotes.setPlainText(words)
        self.quotes.show_whole_lines()

    def _choose(self) -> None:
        row = self.current()
        if row is None or self.evidence is None:
            return
        if not self.others():
            # One's own quotes, which nobody needs to ask for.
            self._show_all(row)
        else:
            self._say("")
            self.quotes_wanted.emit()

    def _show_all(self, row: EvidenceRow) -> None:
        if self.evidence is not None:
            self._say(_in_words(row.blocks, (self.evidence.left, self.evidence.right)))

    def _offer_to_open(self) -> None:
        name = self.to_review()
        self.open_button.setText("Open in Review" if name else "Open the report")
        about = (
            f"Review what {name} marked in the chosen report; Casespan records that you have seen it"
            if name
            else "Open the chosen report to annotate it, with nobody else's quotes shown"
        )
        explain(self.open_button, f"{about} (Enter in the list).")
        self.open_button.setEnabled(bool(self.list.reports.rows))

    def _open(self, number: int) -> None:
        rows = self.list.reports.rows
        if 0 <= number < len(rows):
            self.report_wanted.emit(rows[number].key)


def _in_words(blocks: Sequence[QuoteBlock], names: tuple[str, str]) -> str:
    lines: list[str] = []
    for block in blocks:
        lines += [block.heading]
        for name, items in zip(names, (block.left, block.right), strict=True):
            lines += (
                [f"{name}:", *(f"  • {_quote(item)}" for item in items)] if items else [f"{name}: nothing"]
            )
        lines.append("")
    return "\n".join(lines).rstrip() or "Neither side has anything here."


def _quote(item: Item) -> str:
    words: list[str] = [item.polarity] if item.polarity != "present" else []
    words += ["no place in the text"] if item.span is None else []
    details = f" ({', '.join(words)})" if words else ""
    return quoted(one_line(item.quote)) + details
