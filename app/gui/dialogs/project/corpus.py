"""Search a corpus, and open what was found as a new project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.gui.dialogs.fields import Ask, SettingsDialog, asked, line
from app.gui.dialogs.files import ask_open, ask_save
from app.gui.dialogs.forms import Role, plain_label
from app.gui.widgets.lists import ListTable
from app.operations.corpus.sampling import making_project
from app.operations.corpus.schema import MANIFEST
from app.operations.corpus.searching import Hit, Hits, search_corpus
from app.text import counted, shortened

_MOST, _TITLE, _LEAD = 200, 28, 20
_ABOUT = (
    "A corpus is a folder made by the command “casespan corpus extract”. Several words are found near each "
    "other and in any form; hypert* finds all that begins so. The first search of a corpus makes its index."
)


def _choose(edit: QLineEdit) -> None:
    ask_open(edit.window(), "Folder of a corpus", "corpora", edit.setText, folder=True)


def _words(hit: Hit) -> str:
    """A hit with the last words before it: with more of them a narrow column would end before the hit."""
    lead = hit.left if len(hit.left) <= _LEAD else f"…{hit.left[-_LEAD:].partition(' ')[2]}"
    return f"{lead}{hit.text}{hit.right}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for, and where."""

    folder: str = asked("", Ask(line, "&Corpus:", choose=_choose, button="C&hoose…"))
    words: str = asked("", Ask(line, "&Words:"))
    category: str = asked("", Ask(line, "In &quotes of:", hint="Whole texts", letters=12))

    @property
    def problem(self) -> str:
        if not self.folder:
            return "Choose the folder of a corpus."
        if not (Path(self.folder).expanduser() / MANIFEST).is_file():
            return f"{self.folder} holds no corpus."
        return "" if self.words else "Type words to search for."


class CorpusDialog(SettingsDialog[Wanted]):
    """Lists the first hits; the report of one, or those of all, become a project, which `made` names."""

    guide = "project"
    made = Signal(object)

    def __init__(self, folder: Path | None, parent: QWidget | None = None) -> None:
        super().__init__("Search a corpus", Wanted(str(folder or "")), "&Search", parent)
        self.body.insertWidget(0, plain_label(_ABOUT))
        self.table = ListTable("Hits", ("Report", "Year", "Title", "Words"), 3, 10)
        self.body.addWidget(self.table, 1)
        role = Role.ActionRole
        self.one_button = self.add_button("Open this &report…", role, lambda: self._ask([self.table.row]))
        self.all_button = self.add_button(
            "Open &all shown…", role, lambda: self._ask(range(len(self.table.texts)))
        )
        self.table.doubleClicked.connect(lambda index: self._ask([index.row()]))
        self.check()

    def problem(self) -> str:
        return self.form.value.problem

    def check(self) -> None:
        """Say what is missing; while it is at work, nothing else can be begun."""
        super().check()
        for button in (self.one_button, self.all_button):
            button.setEnabled(bool(self.table.texts) and not self._at_work)

    def act(self) -> None:
        wanted = self.form.value
        folder = Path(wanted.folder).expanduser()
        search = partial(search_corpus, folder, wanted.words, wanted.category, _MOST)
        self.act_apart("Search", search, self._show)
        self.say("Searching…")

    def _show(self, found: Hits) -> None:
        self.table.put(
            [
                (hit.report, str(hit.year or ""), shortened(hit.title, _TITLE), _words(hit))
                for hit in found.hits
            ]
        )
        shown = f", the first {len(found.hits):,} of them are shown" if found.total > len(found.hits) else ""
        self.end(f"{counted(found.total, 'hit')}{shown}.")

    def _ask(self, rows: Sequence[int]) -> None:
        """Ask where the project goes that has the reports of these rows."""
        if self._at_work:
            return
        names = list(dict.fromkeys(self.table.texts[row][0] for row in rows))
        name = f"{names[0] if len(names) == 1 else 'found'}.casespan"
        title = "New project of what was found"
        ask_save(self, title, "projects", lambda path: self.take(path, names), None, name, may_replace=False)

    def take(self, path: Path, names: Sequence[str]) -> None:
        folder = Path(self.form.value.folder).expanduser()
        self.act_apart("New project", partial(making_project, folder, path, names), self._finish)
        self.say("Making the project…")

    def _finish(self, path: Path) -> None:
        self.made.emit(path)
        self.accept()
