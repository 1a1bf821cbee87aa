"""The terminologies on this computer, and bringing in a release as it was downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QPlainTextEdit, QWidget

from app.gui.dialogs.fields import Ask, SettingsDialog, asked, choice, text
from app.gui.dialogs.files import file_dialog
from app.gui.dialogs.forms import Role, named, plain_label
from app.gui.session.jobs import one_step
from app.gui.widgets.lists import ListTable
from extractors.terminology.library import installed_releases

if TYPE_CHECKING:
    from app.operations.project.terminologies import Imported

_ABOUT = (
    "HPO comes along. Other terminologies are brought in as their owners hand them out, and stay in your own "
    "folder on this computer; nothing is fetched."
)
_WHAT = (
    ("WHO's ICD-11", "ICD11", "SimpleTabulation-ICD-11-MMS-en.zip, other languages, mapping.zip; CMS's GEM"),
    ("Orphanet", "Orphanet", "ORPHApackets or product 1; HPO's phenotype.hpoa for the names of OMIM"),
    ("HPO, another release", "HPO", "hp.obo, or a zip that has it"),
)


@dataclass(frozen=True, slots=True)
class Release:
    """Which terminology, and its files, one a line."""

    name: str = asked("ICD11", Ask(choice, "&Terminology:", choices=tuple(one[:2] for one in _WHAT)))
    paths: str = asked("", Ask(text, "&Files:", below="Or folders, one a line, as they were downloaded."))


class TerminologiesDialog(SettingsDialog[Release]):
    """Stays open: what was kept, and what was left out, stands in the list and below the form."""

    guide = "project"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Terminologies", Release(), "&Import", parent)
        self.table = ListTable("Terminologies on this computer", ("Name", "Release", "From"), 2, 5)
        self.body.insertWidget(0, plain_label(_ABOUT))
        self.body.insertWidget(1, self.table)
        self.add_button("C&hoose files…", Role.ActionRole).clicked.connect(self._choose)
        self.came = named(QPlainTextEdit(readOnly=True, tabChangesFocus=True), "What came of the import")
        self.came.hide()
        self.body.addWidget(self.came, 1)
        self._list()
        self.check()

    def problem(self) -> str:
        missing = next((path for path in self._paths() if not path.exists()), None)
        if missing is not None:
            return f"There is no {missing}."
        return "" if self._paths() else f"Choose its files: {self._files()}."

    def act(self) -> None:
        from app.operations.project.terminologies import import_release

        name, paths = self.form.value.name, self._paths()
        self.act_apart("Import", one_step(lambda: import_release(name, paths)), self._show)
        self.say("Reading…")

    def _show(self, found: Sequence[Imported]) -> None:
        from app.operations.project.terminologies import import_sentences

        self.came.setPlainText("\n".join(line for one in found for line in import_sentences(one)))
        self.came.show()
        self.form.put(paths="")
        self._at_work = False
        self._list()
        self.check()

    def _list(self) -> None:
        self.table.put([(one.name, one.release, one.source) for one in installed_releases()])

    def _paths(self) -> list[Path]:
        lines = (line.strip() for line in self.form.value.paths.splitlines())
        return [Path(line).expanduser() for line in lines if line]

    def _files(self) -> str:
        return next(files for _, name, files in _WHAT if name == self.form.value.name)

    def _choose(self) -> None:
        dialog = file_dialog(self, "Files of a terminology", "terminologies")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda names: self.form.put(paths="\n".join(names)))
        dialog.open()
