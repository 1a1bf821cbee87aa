"""The tables of a study, with intervals; a number opens the items behind it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from app.gui.dialogs.forms import GRID, plain_label
from app.gui.modes.agreement.numbers import FigureDelegate, NumberRow, NumberTable
from app.gui.widgets.boxes import (
    empty,
    heading_label,
    is_low,
    labelled,
    push_button,
    row_of,
    scrolled,
    stacked,
)
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.flow import Fitted, FlowRow
from app.operations.compare.view import Figure
from app.operations.study.scoring import notes_of, tables_of
from app.studies.pages import drawn_tables
from app.tables import Cell, Column, Table

if TYPE_CHECKING:
    from app.studies.results import Measure, Score, Scores
    from app.studies.study import Study

# Measures of what was answered, with which a guesser's line can be compared.
LINED = ("accuracy", "accuracy_without_idk")
_HINT = "A click on a measure of a run, or Enter, shows the items behind it."


@dataclass(frozen=True, slots=True)
class DrillDown:
    """A number: the measure of a run, in a group where a `label` is named."""

    run: str
    measure: Measure
    label: str = ""
    value: str = ""


class TablesPage(Fitted, QWidget):
    """`opened` has the number (`DrillDown`) whose items are wanted; `changed` comes with another wish."""

    opened = Signal(object)
    changed = Signal()
    export_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[NumberTable] = []
        self._shown: tuple[Study, Scores] | None = None
        self._options: tuple[tuple[str, ...], str] = ((), "")
        self.about = plain_label(_HINT)
        self.by = DropDown("Tables by", 12)
        self.profile = DropDown("Profile", 12, entries=(("strict", "strict"), ("as published", "paper")))
        rows = (("one's own", False), ("with the paper's", True))
        self.published = DropDown("Published rows", 12, entries=rows)
        self.bars = DropDown("Bars of", 16)
        self.export = push_button("Export…", self.export_wanted.emit)
        self.export.setEnabled(False)
        boxes: tuple[tuple[str, QComboBox], ...] = (
            ("B&y:", self.by),
            ("Meas&ured:", self.profile),
            ("Ro&ws:", self.published),
        )
        top = FlowRow()
        for words, box in boxes:
            top.add(row_of(labelled(words, box), box))
            box.currentIndexChanged.connect(lambda _: self.changed.emit())
        self._bars_row = row_of(labelled("B&ars:", self.bars), self.bars)
        self.bars.currentIndexChanged.connect(lambda _: self._draw())
        top.add(self._bars_row)
        top.add(self.export)
        self._head, inside, self._column = QWidget(), QWidget(), QVBoxLayout()
        stacked(self._head, top, self.about)
        self._area = scrolled(inside)
        self._still = stacked(self, self._head, self._area, wide=self._area, margins=(GRID,) * 4)
        self._moving = stacked(inside, self._column, wide=self._column)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.arrange()

    def arrange(self) -> None:
        """Where letters are large for the window, what is chosen above scrolls with the tables."""
        place = self._moving if is_low(self) else self._still
        if place.indexOf(self._head) < 0:
            place.insertWidget(0, self._head)
        # No wider than what is in sight, whatever the tables are.
        self._head.setMaximumWidth(
            self.width() - 2 * GRID - self._area.verticalScrollBar().sizeHint().width()
        )

    def take_focus(self) -> None:
        """To the first table, else to their place: a choice above would take letters as its own."""
        (self.tables[0] if self.tables else self._area).setFocus()

    def offer(self, labels: tuple[str, ...]) -> None:
        entries = [("all items", ""), *((label, label) for label in labels)]
        self.by.fill(entries, self.by.currentData())

    def say(self, sentence: str) -> None:
        """Say why there is nothing to be seen."""
        self._shown = None
        self.export.setEnabled(False)
        self._clear()
        self.about.setText(sentence)
        self._column.addStretch(1)

    def show_scores(self, study: Study, scores: Scores) -> None:
        self._shown = study, scores
        self.export.setEnabled(True)
        self._offer_bars(scores)
        self._draw()

    def _offer_bars(self, scores: Scores) -> None:
        there = {name for own in scores.runs.values() for name, one in own.scores.items() if _is_share(one)}
        measures = [one for one in scores.measures if one.listed and one.id in there]
        if self.bars.values != [one.id for one in measures]:
            self.bars.fill([(one.label, one.id) for one in measures], self.bars.currentData())

    def _draw(self) -> None:
        if self._shown is None:
            return
        study, scores = self._shown
        self._clear()
        lead = study.lead(scores)
        self.about.setText("\n".join([*lead, _HINT]) if lead else " ".join([_HINT, *notes_of(study, scores)]))
        measure = next((one for one in scores.measures if one.id == self.bars.currentData()), None)
        if measure is not None:
            self._draw_bars(study, scores, measure)
        for table in drawn_tables(scores, tables_of(study, scores), study.called):
            self._column.addWidget(heading_label(table.title))
            drawn = self._drawn(table, study, scores)
            self.tables.append(drawn)
            self._column.addWidget(drawn, 0, Qt.AlignmentFlag.AlignLeft)
        if lead:
            self._column.addWidget(heading_label("Notes"))
            self._column.addWidget(plain_label("\n".join(notes_of(study, scores))))
        self._column.addStretch(1)

    def _draw_bars(self, study: Study, scores: Scores, measure: Measure) -> None:
        """Every run beside the others, over all and by the values of labels, each bar with its items."""
        groups = [("", "", scores.runs)]
        groups += [(label, value, runs) for label, of in scores.by.items() for value, runs in of.items()]
        drill_down: dict[tuple[int, int], DrillDown] = {}
        rows: list[NumberRow] = []
        for label, value, runs in groups:
            named = f"{study.called(label, value)} ({label})" if label else "all"
            cells: list[Figure] = []
            for column, name in enumerate(scores.runs):
                score = runs[name].scores.get(measure.id) if name in runs else None
                line = study.line(runs[name]) if name in runs and measure.id in LINED else None
                cells.append(_bar_of(f"{named}, {name}, {measure.label}", score, measure, line))
                if score is not None and score.value is not None:
                    drill_down[len(rows), column] = DrillDown(name, measure, label, value)
            rows.append(NumberRow(named, tuple(cells), total=not label))
        title = f"{measure.label}, side by side"
        self._column.addWidget(heading_label(title))
        drawn = NumberTable(title, partial(self._open, drill_down), FigureDelegate(large=True))
        drawn.numbers.show_rows([(name, "") for name in scores.runs], rows)
        self.tables.append(drawn)
        self._column.addWidget(drawn, 0, Qt.AlignmentFlag.AlignLeft)

    def _clear(self) -> None:
        self.tables = []
        empty(self._column)

    def _drawn(self, table: Table[Any], study: Study, scores: Scores) -> NumberTable:
        heads = [column for column in table.heads if column.places]
        places = [place for place, column in enumerate(table.heads) if column.places]
        names = [place for place in places if table.heads[place].kind == "words"]
        drill_down: dict[tuple[int, int], DrillDown] = {}
        rows: list[NumberRow] = []
        for number, row in enumerate(table.rows):
            if table.kinds.get(number, "") not in ("", "total"):
                continue
            keyed = {
                column.key: cell.value if isinstance(cell, Cell) else cell
                for column, cell in zip(table.heads, row, strict=False)
            }
            words = keyed | {key: study.called(key, str(keyed[key])) for key in scores.by if key in keyed}
            label = _label([(table.heads[place].title, words[table.heads[place].key]) for place in names])
            cells: list[Figure] = []
            for place in (one for one in places if one not in names):
                found = _drill_down(keyed, table.heads[place], scores)
                if found is not None:
                    drill_down[len(rows), len(cells)] = found
                cells.append(_figure(table.heads[place], row[place], label, bars="left" not in keyed))
            rows.append(NumberRow(label, tuple(cells), total=table.kinds.get(number) == "total"))
        drawn = NumberTable(table.title, partial(self._open, drill_down))
        headings = [("\n".join(one.heading) or one.title, one.about) for one in heads if one.kind != "words"]
        drawn.numbers.show_rows(headings, rows)
        return drawn

    def _open(self, drill_down: dict[tuple[int, int], DrillDown], row: int, column: int) -> None:
        if (row, column) in drill_down:
            self.opened.emit(drill_down[row, column])


def _is_share(score: Score) -> bool:
    ends = score.interval or ()
    return score.value is not None and all(0 <= one <= 1 for one in (score.value, *ends))


def _bar_of(words: str, score: Score | None, measure: Measure, line: float | None) -> Figure:
    """A measure of a run as a bar with its interval, and the line that a guesser reaches."""
    if score is None or score.value is None:
        return Figure("–", f"{words}: {score.reason if score else 'nothing was asked'}")
    low, high = score.interval or (None, None)
    text = f"{score.value:z.{measure.decimals}f}"
    words += f": {text}" + (f", 95 % interval {low:.3f} to {high:.3f}" if low is not None else "")
    words += f"; a guesser reaches {line:.3f}" if line is not None else ""
    if not _is_share(score):
        return Figure(text, words)
    return Figure(text, words, score.value, low, high, line=line)


def _label(named: list[tuple[str, object]]) -> str:
    """A row's names in one; a heading in small letters is a word between them ("less")."""
    words = ""
    for title, value in named:
        words += (f" {title} " if title.islower() else " · ") if words else ""
        words += str(value)
    return words


def _drill_down(keyed: dict[str, Any], column: Column, scores: Scores) -> DrillDown | None:
    """The number in a row of that run, where the column is a measure."""
    measure = next((one for one in scores.measures if one.id == column.key), None)
    run = keyed.get("run")
    if measure is None or not isinstance(run, str) or run not in scores.rows:
        return None
    label = next((one for one in scores.by if one in keyed), "")
    return DrillDown(run, measure, label, str(keyed[label]) if label else "")


def _figure(column: Column, cell: object, label: str, *, bars: bool) -> Figure:
    """A cell as text with its interval, and as a bar where it is a share."""
    value = cell.value if isinstance(cell, Cell) else cell
    text = column.text(value)
    below = cell.below if isinstance(cell, Cell) else ""
    words = f"{label}, {column.title}: {text}" + (f", 95 % interval {below}" if below else "")
    if isinstance(cell, Cell) and cell.note:
        words = f"{words}. {cell.note}"
    ends = below.split(" to ") if below else []
    reach = [value, *map(float, ends)] if isinstance(value, float) and bars else [-1.0]
    share = value if isinstance(value, float) and all(0 <= one <= 1 for one in reach) else None
    low, high = (reach[1], reach[2]) if len(reach) == 3 and share is not None else (None, None)
    beside = (
        ", ".join(filter(None, (below, cell.note))) if isinstance(cell, Cell) and value is not None else ""
    )
    return Figure(f"{text}  ({beside})" if beside else text, words, share, low, high)
