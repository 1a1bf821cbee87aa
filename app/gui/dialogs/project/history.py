"""All that was done in a project, the last first: gone through, gone to, or back before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.gui.dialogs.forms import FormDialog, Role, here, named, plain_label, question_box
from app.gui.widgets.boxes import labelled
from app.gui.widgets.lists import ListTable
from app.operations.project.history import acts_after, acts_up_to, list_history, undoable_acts, undone_since
from app.text import counted
from extractors.model.errors import ProjectError

if TYPE_CHECKING:
    from app.gui.session.project_session import ProjectSession
    from app.store.history import Entry
    from extractors.model.scheme import Scheme

_COLUMNS = ("When", "Who", "What", "Now")
_LINES = 18
_KINDS = {"do": "", "undo": "Undo: ", "redo": "Redo: "}


@dataclass(frozen=True, slots=True)
class _Line:
    """Acts of the same name in a row, such as the answers of one run, the last of them in front."""

    entry: Entry
    cells: tuple[str, ...]


class HistoryDialog(FormDialog):
    """`wanted` says the act (UUID) that is to be gone to."""

    guide = "project"
    wanted = Signal(str)

    def __init__(self, session: ProjectSession, parent: QWidget | None = None) -> None:
        super().__init__("History", parent)
        self._session = session
        self._entries: Sequence[Entry] = ()
        self._undone: list[str] = []
        self._lines: list[_Line] = []
        self._shown: list[_Line] = []
        self.words = named(
            QLineEdit(placeholderText="A report, a category, a name, a day", clearButtonEnabled=True),
            "Find in the history",
        )
        self.words.textChanged.connect(lambda _: self._show())
        label = labelled("&Find:", self.words)
        self.table = ListTable("What was done, the last first", _COLUMNS, _COLUMNS.index("What"), _LINES)
        self.table.chosen.connect(self._choose)
        self.table.doubleClicked.connect(lambda _: self._go())
        self.about = plain_label("Reading…")
        self.lay_out(label, self.words, self.table, self.about, wide=self.table)
        self.go_button = self.add_button("&Go there", Role.AcceptRole, self._go, default=True)
        self.undo_button = self.add_button("&Undo all after this…", Role.ActionRole, self._ask)
        self.redo_button = self.add_button("&Redo up to here…", Role.ActionRole, self._ask_to_redo)
        self.add_button("&Close", Role.RejectRole)
        session.worker.saved.connect(self.read)
        self.table.setFocus()
        self._choose()
        self.read()

    @property
    def chosen(self) -> Entry | None:
        return self._shown[self.table.row].entry if 0 <= self.table.row < len(self._shown) else None

    def read(self) -> None:
        self._session.worker.ask(list_history, self._take, latest="history")

    # Inside

    def _take(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._undone = undone_since(entries)
        self._lines = _lines(entries, self._session.scheme)
        number = counted(len(entries), "change")
        self.about.setText(f"{number} on record. Nothing is ever taken out of the history.")
        self._show()

    def _show(self) -> None:
        before, words = self.chosen, self.words.text().casefold().split()
        self._shown = [
            line for line in self._lines if all(word in " ".join(line.cells).casefold() for word in words)
        ]
        acts = [line.entry.act for line in self._shown]
        place = acts.index(before.act) if before is not None and before.act in acts else 0
        self.table.put([line.cells for line in self._shown], place)

    def _choose(self) -> None:
        chosen = self.chosen
        self.go_button.setEnabled(chosen is not None)
        self.undo_button.setEnabled(chosen is not None and bool(self._after(chosen.act)))
        self.redo_button.setEnabled(chosen is not None and chosen.act in self._undone)

    def _after(self, act: str) -> tuple[str, ...]:
        """What undo would take back after an act, nothing where that was undone itself."""
        try:
            return acts_after(self._entries, act)
        except ProjectError:
            return ()

    def _go(self) -> None:
        chosen = self.chosen
        if chosen is not None:
            self.accept()
            self.wanted.emit(chosen.target or chosen.act)

    def _ask(self) -> None:
        if self.chosen is None:
            return
        act = self.chosen.act
        after = self._after(act)
        others = {one.who for one in self._entries if one.act in after} - {self._session.annotator}
        who = f" Some are on record as done by {', '.join(sorted(others))}." if others else ""
        question = (
            f"Undo {counted(len(after), 'change')} that came after this one?{who} Redo brings them back, one "
            "by one. What models answered is kept."
        )
        question_box(self, "Undo", question, "Undo", lambda: self._session.undoing.undo_to(act)).open()

    def _ask_to_redo(self) -> None:
        if self.chosen is None:
            return
        act = self.chosen.act
        number = counted(len(acts_up_to(self._entries, act)), "change")
        question = f"Make {number} again that had been undone, up to and with this one?"
        question_box(self, "Redo", question, "Redo", lambda: self._session.undoing.redo_to(act)).open()


def _lines(entries: Sequence[Entry], scheme: Scheme) -> list[_Line]:
    """The history as it is read, the last act first; what a run recorded of itself in a row is one line."""
    stands = undoable_acts(entries)
    names = {category.id: category.name for category in scheme.categories}
    # Files of before name categories by their ids.
    ids = re.compile(rf"\b(as|in|of) ({'|'.join(map(re.escape, names))})\b")
    lines: list[_Line] = []
    same = 1
    for entry in reversed(entries):
        above = lines[-1].entry if lines else None
        again = (
            above is not None and not entry.undoable and (entry.name, entry.who) == (above.name, above.who)
        )
        same = same + 1 if again else 1
        what = _KINDS[entry.kind] + ids.sub(lambda found: f"{found[1]} {names[found[2]]}", entry.name)
        what = what[:1].upper() + what[1:] + (f" ({same} times)" if again else "")
        undone = entry.undoable and entry.kind == "do" and entry.act not in stands
        cells = (here(entry.at), entry.who, what, "undone" if undone else "")
        if again and above is not None:
            lines[-1] = _Line(above, (lines[-1].cells[0], *cells[1:]))
        else:
            lines.append(_Line(entry, cells))
    return lines
