"""The pages of a rating: where it begins, an output beside its report with the items and a note, means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFont, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QTableWidget,
    QTableWidgetItem,
    QTextEdit,
    QWidget,
)

from app.gui.dialogs.annotate.others import KINDS
from app.gui.dialogs.fields import Ask, Form, asked, line, tick
from app.gui.dialogs.files import ask_save
from app.gui.dialogs.forms import GRID, SELECTABLE, indented, named, plain_label
from app.gui.modes.review.rating.scale import RatingScale
from app.gui.widgets.boxes import labelled, pages_of, push_button, row_of, split, stacked
from app.gui.widgets.lists import TickList
from app.gui.widgets.plain import ElidedLabel, one_line
from app.gui.widgets.swatch import colours_of, lettering_on
from app.gui.widgets.tips import tip
from app.operations.rate.sheets import (
    export_ratings,
    field_and_polarity,
    list_items,
    report_ratings,
    tabulate_ratings,
)
from app.text import counted

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.operations.rate.ratings import Output, ShownOutput
    from app.store.annotate.annotators import Annotator
    from app.tables import Table
    from extractors.model.finding import Finding
    from extractors.model.scheme import Scheme


class OutputView(QTextEdit):
    """Can be read, selected and copied, and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(SELECTABLE)

    def put(self, scheme: Scheme, quotes: Mapping[str, Sequence[Finding]]) -> None:
        """Show quotes by category id; a sentence where there are none."""
        self.clear()
        cursor = self.textCursor()
        colours = colours_of(scheme, self)
        if not quotes:
            cursor.insertText("Nothing was found in this report.")
        for place, (category, findings) in enumerate(quotes.items()):
            known = scheme.category(category)
            _begin(cursor, first=place == 0, above=GRID if place else 0, left=0)
            code = QTextCharFormat()
            code.setBackground(QColor(*colours.colours[category]))
            code.setForeground(QColor(*lettering_on(colours, category)))
            code.setFontWeight(QFont.Weight.Bold)
            cursor.insertText(f" {known.code} ", code)
            head = QTextCharFormat()
            head.setFontWeight(QFont.Weight.DemiBold)
            cursor.insertText(f"  {known.name}", head)
            for finding in findings:
                _begin(cursor, first=False, above=GRID // 2, left=2 * GRID)
                cursor.insertText(one_line(finding.quote), QTextCharFormat())
                quiet = QTextCharFormat()
                quiet.setForeground(self.palette().placeholderText())
                quiet.setFontItalic(True)
                cursor.insertText(field_and_polarity(finding), quiet)
        self.moveCursor(QTextCursor.MoveOperation.Start)


def _begin(cursor: QTextCursor, *, first: bool, above: int, left: int) -> None:
    block = QTextBlockFormat()
    block.setTopMargin(above)
    block.setLeftMargin(left)
    if first:
        cursor.setBlockFormat(block)
    else:
        cursor.insertBlock(block, QTextCharFormat())


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
        self.text = named(QPlainTextEdit(readOnly=True, tabChangesFocus=True), "Text of the report")
        self.scale = RatingScale(list_items())
        self.note = named(QLineEdit(placeholderText="What the scores do not say"), "Note")
        self.progress = ElidedLabel()
        self._lay_out()

    def scores(self) -> dict[str, int]:
        return self.scale.scores()

    def note_text(self) -> str:
        return self.note.text().strip()

    def put(self, output: Output, shown: ShownOutput, scheme: Scheme) -> None:
        self.title.say(output.label)
        self.report.say(f"{output.report}: {output.title}" if output.title else output.report)
        self.output.setAccessibleName(f"{output.label}, by category")
        self.output.put(scheme, shown.quotes)
        if self.text.toPlainText() != shown.text:
            self.text.setPlainText(shown.text)
        rating = shown.rating
        self.note.setText(rating.note if rating else "")
        self.scale.set_scores(rating.scores if rating else {})
        self.scale.take_focus()

    def restore(self, scores: Mapping[str, int], note: str) -> None:
        """Show what was said of the output, but could not be saved."""
        self.note.setText(note)
        self.scale.set_scores(scores)

    def _lay_out(self) -> None:
        texts = split(Qt.Orientation.Vertical)
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
        columns = split(Qt.Orientation.Horizontal, texts, right, shares=(1, 1))
        columns.setSizes([1000, 1000])
        stacked(self, columns).setContentsMargins(0, GRID, 0, 0)


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


@dataclass(frozen=True, slots=True)
class Rating:
    """Who rates, and whether he is to be told no names."""

    rater: str = asked("", Ask(line, "&Rater:"))
    blind: bool = asked(True, Ask(tick, "&Blind: hide who or what made the output"))


class StartPage(QWidget):
    """`changed` comes with every choice."""

    changed = Signal()

    def __init__(self, rater: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sets: tuple[Annotator, ...] = ()
        self._chosen: set[str] = set()
        self.form = Form(Rating(rater))
        self.form.changed.connect(self._turn)
        self.list = TickList("Annotation sets to rate")
        self.list.setMinimumHeight(6 * self.fontMetrics().lineSpacing())
        self.list.ticked.connect(self._tick)
        self.hidden = plain_label(name="Annotation sets to rate", top=True)
        self._pages = pages_of(self.hidden, self.list)
        self.progress = plain_label("Reading…", "Progress")
        sets = indented(self._pages)
        whole = stacked(self, plain_label(ABOUT), plain_label(RECORDED), self.form, sets, self.progress)
        whole.setContentsMargins(0, GRID, 0, 0)
        whole.setSpacing(2 * GRID)
        whole.setStretchFactor(sets, 1)
        self._turn()

    def names(self) -> tuple[str, ...]:
        """The names of all sets, rated or not."""
        return tuple(one.name for one in self._sets)

    def name(self) -> str:
        return self.form.value.rater

    def chosen(self) -> tuple[str, ...]:
        return tuple(one.name for one in self._sets if one.name in self._chosen)

    def put(self, sets: Sequence[Annotator]) -> None:
        """Offer sets; at first all runs are chosen."""
        new = {one.name for one in sets} - {one.name for one in self._sets}
        self._sets = tuple(sets)
        self._chosen |= {one.name for one in sets if one.name in new and one.kind == "run"}
        self._turn()

    def _turn(self) -> None:
        """Names, or how many there are; nobody who is blind reads a name."""
        blind = self.form.value.blind
        shown = () if blind else self._sets
        self.list.put([(f"{one.name} – {KINDS[one.kind]}", one.name) for one in shown], self._chosen)
        there = len(self._sets)
        self.hidden.setText(
            f"{len(self.chosen())} of {counted(there, 'set')} of annotations are rated: all runs at first. "
            "They are called “Output A” and so on; the letters are drawn anew for each report. To choose "
            "others, turn this off for a moment."
            if there
            else NOTHING
        )
        self._pages.setCurrentWidget(self.list if self._sets and not blind else self.hidden)
        self.changed.emit()

    def _tick(self) -> None:
        self._chosen = set(self.list.chosen())
        self.changed.emit()


HIDDEN = "The means name the runs. They are shown here once blind rating is turned off on the first page."
_ABOUT = (
    "Mean ± standard deviation, and how many scores. Every item runs from 1 to 5, and 5 is the better "
    "end. Alpha is Krippendorff's for ordinal data: 1 is full agreement, 0 what chance would give."
)


class ResultsPage(QWidget):
    """Read anew each time it is shown; `say` is the dialog's, for sentences."""

    def __init__(self, session: ProjectSession, say: Callable[[str], None]) -> None:
        super().__init__()
        self._session, self._say = session, say
        self._hidden = False
        self.head = plain_label(name="Ratings so far")
        self.table = named(QTableWidget(), "Means by item and run")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.setMinimumHeight(6 * self.fontMetrics().lineSpacing())
        self.about = plain_label(_ABOUT)
        self.export_button = push_button("Export &scores as CSV…", lambda: self._choose("csv"))
        self.page_button = push_button("Save as &HTML…", lambda: self._choose("html"))
        buttons = row_of(self.export_button, self.page_button)
        whole = stacked(self, self.head, self.table, self.about, buttons)
        whole.setStretchFactor(self.table, 1)
        whole.setAlignment(buttons, Qt.AlignmentFlag.AlignRight)
        whole.setContentsMargins(0, GRID, 0, 0)
        self._show_nothing("Reading…")

    def read(self, *, hidden: bool) -> None:
        """Show the means as they are now; where `hidden`, nothing that names a run."""
        self._hidden = hidden
        if hidden:
            self._show_nothing(HIDDEN)
        else:
            self._session.worker.ask(tabulate_ratings, self._show, self._say, latest="ratings")

    def export_to(self, out: Path) -> None:
        self._session.worker.ask(lambda p: export_ratings(p, out), partial(self._exported, out), self._say)

    def report_to(self, out: Path) -> None:
        self._session.worker.ask(lambda p: report_ratings(p, out), partial(self._reported, out), self._say)

    def _exported(self, out: Path, number: int) -> None:
        self._say(f"{counted(number, 'rating')} written to {out}.")

    def _reported(self, out: Path, _: object) -> None:
        self._say(f"The means are written to {out}.")

    def _show_nothing(self, sentence: str) -> None:
        self.head.setText(sentence)
        self.table.clear()
        self.table.setRowCount(0)
        self.table.setColumnCount(0)
        for widget in (self.table, self.about):
            widget.setVisible(False)
        for button in (self.export_button, self.page_button):
            button.setEnabled(False)

    def _show(self, grid: Table[Any]) -> None:
        if self._hidden:
            # Turned blind while this was being read.
            return
        if not grid.rows:
            self._show_nothing(grid.title)
            return
        self.head.setText(grid.title)
        self.about.setText("\n".join([_ABOUT, *grid.notes]))
        self.table.setColumnCount(len(grid.header) - 1)
        self.table.setRowCount(len(grid.rows))
        self.table.setHorizontalHeaderLabels(grid.header[1:])
        self.table.setVerticalHeaderLabels([label for label, *_ in grid.rows])
        for place, (_, *cells) in enumerate(grid.rows):
            for beside, one in enumerate(cells):
                cell = QTableWidgetItem(one.value)
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                cell.setToolTip(tip(one.note))
                self.table.setItem(place, beside, cell)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        for widget in (self.table, self.about):
            widget.setVisible(True)
        for button in (self.export_button, self.page_button):
            button.setEnabled(True)

    def _choose(self, suffix: str) -> None:
        write = self.export_to if suffix == "csv" else self.report_to
        name = f"{self._session.path.stem}-ratings.{suffix}"
        ask_save(self, "Ratings", "exports", write, self._session.path, name)
