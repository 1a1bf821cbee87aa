"""The left side: the studies and what each needs, under them the runs with state and progress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QPushButton, QWidget

from app.gui.dialogs.forms import GRID, plain_label
from app.gui.widgets.boxes import FlexRow, heading_label, print_key, scrolled, stacked
from app.gui.widgets.lists import ListTable
from app.gui.widgets.wording import in_window
from app.text import counted

if TYPE_CHECKING:
    from app.gui.shell.acts.actions import Actions
    from app.operations.study.answers import Overview, RunLine
    from app.studies.study import Study

NO_RUN = "(items alone)"
_MOST = 6


class StudyLists(QWidget):
    """`study_chosen` has the study's place in the list, `run_chosen` comes with another run."""

    study_chosen = Signal(int)
    run_chosen = Signal()

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setAccessibleName("Studies and runs")
        self._shown: tuple[str, ...] = ()
        self._wanted = ""
        self.studies = ListTable("Studies", ("Study",), 0, 1)
        self.studies.horizontalHeader().hide()
        self.about = plain_label()
        self.about.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        self.needs = scrolled(self.about, "What the study needs")
        self.needs.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.runs = ListTable("Runs", ("Run", "Answers", "State"), 0, 4)
        # Names of runs may differ anywhere.
        self.runs.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.runs.setWordWrap(True)
        self.runs.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.build, self.run = QPushButton(), QPushButton()
        for button, words, command in ((self.build, "Build…", "build"), (self.run, "Run…", "run")):
            print_key(button, words, actions, f"study.{command}")
            button.clicked.connect(actions[f"study.{command}"].trigger)
        column = stacked(
            self,
            heading_label("Studies"),
            self.studies,
            self.needs,
            FlexRow((self.build, self.run)),
            heading_label("Runs"),
            self.runs,
            margins=(GRID, GRID, GRID, GRID),
        )
        column.setStretchFactor(self.needs, 1)
        column.setStretchFactor(self.runs, 1)
        self.studies.verticalHeader().geometriesChanged.connect(self._fit)
        self.studies.chosen.connect(lambda: self.study_chosen.emit(self.studies.row))
        self.runs.chosen.connect(self._choose)

    @property
    def chosen_run(self) -> str:
        """The run's name, "" for none."""
        row = self.runs.row
        return self._shown[row] if 0 <= row < len(self._shown) else ""

    def take_focus(self) -> None:
        """To the runs where there are any."""
        (self.runs if len(self._shown) > 1 else self.studies).setFocus()

    def show_studies(self, studies: Sequence[Study]) -> None:
        """List the studies there are."""
        self.studies.put([(one.title,) for one in studies])
        self._fit()

    def _fit(self) -> None:
        """As high as the studies are in sight together, with the size of letters that there is now."""
        rows = self.studies.verticalHeader()
        most = _MOST * rows.defaultSectionSize()
        self.studies.setFixedHeight(min(rows.length(), most) + 2 * self.studies.frameWidth() + GRID)

    def show_overview(self, study: Study, there: Overview) -> None:
        """What the project has of the chosen study. The run that was chosen stays so; at first there is none:
        whoever is going to answer reads the items alone."""
        kept = self._wanted or self.chosen_run
        lacks = "\n\n".join(study.lacks())
        number = counted(len(there.items), "item") + " here." if there.items else "No items yet: build them."
        words = f"{study.about}\n\n{study.needed}"
        self.about.setText(in_window("\n\n".join(filter(None, (words, lacks, number)))))
        self._shown = ("", *(one.name for one in there.runs))
        row = self._shown.index(kept) if kept in self._shown else 0
        self._wanted = "" if row else self._wanted
        rows = [(NO_RUN, "", "")]
        rows += [(one.name, f"{one.answered:,} of {one.asked:,}", _state(one)) for one in there.runs]
        self.runs.blockSignals(True)
        self.runs.put(rows, row)
        self.runs.setSpan(0, 0, 1, 3)
        self.runs.blockSignals(False)
        self.run.setEnabled(bool(there.items))

    def choose_run(self, name: str) -> None:
        """Choose a run as a click does, or once it is there."""
        if name in self._shown:
            self.runs.selectRow(self._shown.index(name))
        else:
            self._wanted = name

    def _choose(self) -> None:
        self.run_chosen.emit()


def _state(run: RunLine) -> str:
    return f"{run.failed:,} failed" if run.failed else run.state
