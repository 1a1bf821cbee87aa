"""Items with what a run answered to them: all of them, or those behind a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHeaderView, QPushButton, QWidget

from app.gui.dialogs.forms import GRID, plain_label
from app.gui.figures.row import PictureRow
from app.gui.modes.study.item_text import (
    CHOICES,
    BesidePanel,
    ItemText,
    input_parts,
    options_of,
    shown_pictures,
)
from app.gui.widgets.boxes import is_narrow, lined, split, stacked
from app.gui.widgets.flow import Fitted
from app.gui.widgets.lists import ListTable
from app.gui.widgets.plain import one_line
from app.gui.widgets.tips import explain
from app.operations.study.answers import Entry, in_words
from app.text import shortened

if TYPE_CHECKING:
    from app.studies.study import Beside, Study

_LONGEST, _LINES = 80, 5
# Letters of a line of words that stands beside a table.
_READ = 45
HIDDEN = "Right answers, and what others answered, stay hidden until you close your own answers."


class ItemsPage(Fitted, QWidget):
    """The list, and below it one item large. `chosen` comes with another item; `all_button` is the way
    back from those behind a number."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._entries: Sequence[Entry] = ()
        self._study: Study | None = None
        self._run = self._drill_down = ""
        self._built: Mapping[str, Any] = {}
        self.about = plain_label(name="Which items these are")
        self.all_button = QPushButton("All items", autoDefault=False)
        self.reference = QCheckBox("Show re&ferences")
        explain(self.reference, "What the right answer is. Whoever still answers should not look.")
        self.reference.toggled.connect(lambda _: self._show())
        self.list = ListTable("Items", ("Item", "Task", "Answer", "Counts"), 0, _LINES)
        self.text = ItemText("Item and answer")
        self.pictures = PictureRow("Pictures of the item")
        self.beside = BesidePanel()
        self._item = split(Qt.Orientation.Horizontal, self.text, self.beside)
        self._item.setSizes([500, 500])
        parts = split(Qt.Orientation.Vertical, self.list, self._item, shares=(1, 3))
        # The item is what is read, however high the list would like to be.
        parts.setSizes([300, 700])
        top = lined(None, self.about, self.reference, self.all_button, wide=self.about)
        stacked(self, top, parts, self.pictures, wide=parts, margins=(GRID,) * 4)
        self.list.chosen.connect(self._show)

    def arrange(self) -> None:
        """Side by side where both can be read so."""
        wide = self.width() >= (_READ + self.beside.letters) * self.fontMetrics().averageCharWidth()
        self._item.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)

    @property
    def entry(self) -> Entry | None:
        return self._entries[self.list.row] if 0 <= self.list.row < len(self._entries) else None

    def take_focus(self) -> None:
        self.list.setFocus()

    def wait(self, reading: str) -> None:
        """Say that another study is being read."""
        self.about.setText(reading)
        self.all_button.setVisible(False)
        self._entries = ()
        self.list.put([], 0)
        self.text.put([])
        self.pictures.put(())

    def put(
        self,
        study: Study,
        run: str,
        entries: Sequence[Entry],
        drill_down: str = "",
        built: Mapping[str, Any] | None = None,
        *,
        sits: bool = False,
    ) -> None:
        """Show items with the answers of a run, "" for none; `behind` says behind which number they stand,
        `built` is what the study said of its last build.

        Who still `sits` is shown no references.
        """
        self._built = built or {}
        self.reference.setEnabled(not sits)
        if sits:
            self.reference.setChecked(False)
        elif drill_down and drill_down != self._drill_down:
            self.reference.setChecked(True)
        self._drill_down = drill_down
        row = max(self.list.row, 0) if (study, run) == (self._study, self._run) else 0
        self._study, self._run, self._entries = study, run, entries
        plain = f"What {run} answered." if run else "The items, without answers."
        self.about.setText(HIDDEN if sits else drill_down or plain)
        self.all_button.setVisible(bool(drill_down))
        self.list.setColumnHidden(3, not drill_down)
        self.list.setColumnHidden(2, not run)
        # Where letters are large for the window, items and answers share its width.
        modes = QHeaderView.ResizeMode
        wide = modes.Stretch if is_narrow(self) else modes.ResizeToContents
        self.list.horizontalHeader().setSectionResizeMode(2, wide)
        self.list.setColumnHidden(1, len(study.tasks) < 2)
        rows = [
            (
                _named_in_list(study, one),
                study.called("task", one.kept.item.task),
                shortened(self._answer_words(one), _LONGEST),
                one.counts,
            )
            for one in entries
        ]
        if rows and [tuple(map(one_line, one)) for one in rows] == self.list.texts:
            self._show()
        else:
            self.list.put(rows, min(row, max(len(rows) - 1, 0)))

    def _show(self) -> None:
        entry = self.entry
        self.pictures.put(shown_pictures(entry.kept.item.input) if entry is not None else ())
        self.text.put(self._parts(entry) if entry is not None else [("", "There is no item here yet.")])
        self.beside.put(self._beside(entry, told=self.reference.isChecked()) if entry is not None else None)
        self.arrange()
        self.chosen.emit()

    def _parts(self, entry: Entry) -> Iterator[tuple[str, str]]:
        item, study = entry.kept.item, self._study
        if study is not None and study.item_words is not None:
            yield from study.item_words(item)
        else:
            yield "Item", item.id
            yield from input_parts(item.input)
        form = study.form(item) if study is not None and study.form is not None else None
        if isinstance(form, CHOICES):
            given = entry.answer.row.value if entry.answer else None
            taken = given if isinstance(given, list) else [given]
            marked = [
                f"{'●' if key in taken else '○'}  {key}  {words}" for key, words in options_of(form).items()
            ]
            yield "Options", "\n".join(marked)
        yield from self._answer_parts(entry)
        if self.reference.isChecked():
            if study is not None and study.evidence is not None:
                yield from study.evidence(item)
            else:
                yield "Reference", _named(item.reference) or "None."
            if item.labels:
                yield "Labels", _named(item.labels)
        if (beside := self._beside(entry, told=self.reference.isChecked())) is not None and beside.source:
            yield "Titles", beside.source

    def _answer_parts(self, entry: Entry) -> Iterator[tuple[str, str]]:
        if entry.answer is not None:
            row = entry.answer.row
            asked = ", ".join(f"{name} {in_words(value)}" for name, value in row.again.items())
            yield f"Answer of {self._run}{f' ({asked})' if asked else ''}", self._answer_words(entry)
            if entry.answer.reply and entry.answer.reply != self._answer_words(entry):
                yield "Reply as it came", entry.answer.reply
            for rater, scores in row.ratings.items():
                yield f"Rated by {rater}", _named(scores)
        elif self._run:
            yield f"Answer of {self._run}", "None yet."

    def _beside(self, entry: Entry, *, told: bool) -> Beside | None:
        if self._study is None or self._study.beside is None:
            return None
        row = entry.answer.row if entry.answer is not None else None
        return self._study.beside(entry.kept.item, row, self._built, told)

    def _answer_words(self, entry: Entry) -> str:
        """The answer in words, in short where the study has a way to say it so."""
        value = entry.answer.row.value if entry.answer is not None else None
        short = self._study.short if self._study is not None and value is not None else None
        return short(value) if short is not None else _answer(entry)


def _named_in_list(study: Study, entry: Entry) -> str:
    """An item's question where the study words it, else its id."""
    item_words = study.item_words(entry.kept.item) if study.item_words is not None else ()
    return next((shortened(words, 2 * _LONGEST) for _, words in item_words), entry.kept.item.id)


def _named(values: Mapping[str, Any]) -> str:
    return "\n".join(f"{name}: {in_words(value) or 'not rated'}" for name, value in values.items())


def _answer(entry: Entry) -> str:
    if entry.answer is None:
        return ""
    row = entry.answer.row
    if isinstance(row.value, dict):
        return "\n".join(
            f"{name}:\n{words}" if "\n" in words else f"{name}: {words or '–'}"
            for name, words in input_parts(row.value)
        )
    return in_words(row.value) if row.value is not None else row.error or "No answer."
