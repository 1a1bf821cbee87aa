"""The line that chooses what is compared, left, right and profile, and writes the result to a file."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QWidget

from app.gui.dialogs.files import file_dialog
from app.gui.widgets.boxes import for_command, labelled, row_of, stacked
from app.gui.widgets.drop_down import DropDown
from app.gui.widgets.flow import FlowRow
from app.gui.widgets.tips import explain

if TYPE_CHECKING:
    from app.agreement.types import Profile
    from app.gui.session.project_session import ProjectSession
    from app.gui.shell.acts.actions import Actions
    from app.store.project import Project
    from extractors.model.progress import Progress

EXPORTS = ("agreement.html", "agreement.csv", "agreement.svg", "agreement.png")
_PROFILES: tuple[tuple[str, Profile, str], ...] = (
    ("Paper", "paper", "The published formulas, from the left to the right; agreed silence counts in full."),
    ("Strict", "strict", "Quotes are paired one to one; agreed silence is left out."),
)
_LETTERS = 16


class Choice(QWidget):
    """`changed` follows every choice of the user's, and none of the program's."""

    changed = Signal()

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.left = DropDown("Left side", _LETTERS)
        self.right = DropDown("Right side, the reference", _LETTERS)
        self.profile = DropDown("Profile", entries=_PROFILES)
        self.swap_button = for_command(QPushButton(), "Swap", actions, "agreement.swap")
        self.export_button = QPushButton("Export")
        self.export_button.setAccessibleName("Export")
        menu = QMenu(self.export_button)
        menu.addActions([actions[command] for command in EXPORTS])
        self.export_button.setProperty("menu", True)
        self.export_button.setMenu(menu)
        row = FlowRow()
        for words, box in (("Left", self.left), ("Right", self.right), ("Profile", self.profile)):
            row.add(row_of(labelled(words, box), box))
            if box is self.left:
                row.add(self.swap_button)
        row.add(self.export_button)
        stacked(self, row)
        for box in (self.left, self.right, self.profile):
            box.currentIndexChanged.connect(lambda _: self._explain())
            # The same once more is a choice, too: it goes on with what was stopped.
            box.activated.connect(lambda _: self.changed.emit())
        self._explain()

    @property
    def pair(self) -> tuple[str, str]:
        """Left and right, "" where there is nobody."""
        return str(self.left.currentData() or ""), str(self.right.currentData() or "")

    @property
    def chosen_profile(self) -> Profile:
        return "strict" if self.profile.currentData() == "strict" else "paper"

    def offer(self, names: Sequence[str], pair: tuple[str, str]) -> None:
        for box, chosen in ((self.left, pair[0]), (self.right, pair[1])):
            with QSignalBlocker(box):
                if box.values != list(names):
                    box.fill([(name, name, name) for name in names])
                box.setCurrentIndex(box.findData(chosen))
        self._explain()
        self.export_button.setEnabled(bool(names))

    def choose(self, pair: tuple[str, str]) -> None:
        """Choose a pair, as the user would."""
        self.offer([str(name) for name in self.left.values], pair)
        self.changed.emit()

    def swap(self) -> None:
        left, right = self.pair
        self.choose((right, left))

    def next_profile(self) -> None:
        self.profile.setCurrentIndex((self.profile.currentIndex() + 1) % self.profile.count())
        self.changed.emit()

    def _explain(self) -> None:
        for box in (self.left, self.right):
            # Cut where there is little room, two names may begin alike.
            explain(box, box.currentText())
        explain(self.profile, _PROFILES[self.profile.currentIndex()][2])


_TITLES = {
    "html": "Export the agreement as an HTML report",
    "csv": "Export the agreement as CSV",
    "svg": "Export the charts as SVG",
    "png": "Export the charts as PNG",
}


def choose_file(
    parent: QWidget, session: ProjectSession, kind: str, pair: tuple[str, str], profile: Profile
) -> None:
    """Ask for a file, then write it; what was written, or why not, is said in the status line."""
    dialog = file_dialog(parent, _TITLES[kind], "exports", session.path)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(kind)
    dialog.selectFile(f"{session.path.stem}-agreement.{kind}")
    dialog.fileSelected.connect(lambda name: write(session, kind, pair, profile, Path(name)))
    dialog.open()


def write(session: ProjectSession, kind: str, pair: tuple[str, str], profile: Profile, out: Path) -> None:
    """Write a pair to a file in the project's thread, as the project is then."""
    session.worker.query(
        "Export",
        lambda project: _writing(project, kind, pair, profile, out),
        lambda files: session.message.emit(f"Written: {', '.join(map(str, files))}."),
        latest="export",
    ).stopped.connect(lambda: session.message.emit(f"Stopped; {out} was not written."))


def _writing(
    project: Project, kind: str, pair: tuple[str, str], profile: Profile, out: Path
) -> Generator[Progress, None, list[Path]]:
    from app.gui.widgets.svg import paint
    from app.operations.compare.agreement import (
        drawing_agreement,
        reporting_agreement,
        tabulating_agreement,
        writing_drawing,
    )

    if kind == "csv":
        return (yield from tabulating_agreement(project, *pair, profile, out))
    if kind == "html":
        return (yield from reporting_agreement(project, *pair, out))
    if kind == "svg":
        return (yield from writing_drawing(project, *pair, profile, out))
    picture = yield from drawing_agreement(project, *pair, profile)
    paint(picture, out)
    return [out]
