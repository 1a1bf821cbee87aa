"""Whatever button looks for a file or folder: what is chosen comes to the field that it is for alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from app.gui.dialogs.exchange.imports import ImportDialog
from app.gui.dialogs.models.extraction import ExtractionDialog
from app.gui.dialogs.project.corpus import CorpusDialog
from app.gui.dialogs.project.projects import NewProjectDialog
from app.gui.dialogs.project.terminologies import TerminologiesDialog
from app.gui.modes.phenotypes.asking import AskingDialog
from app.gui.modes.study.options import BuildDialog
from app.gui.modes.study.running import RunDialog
from app.gui.session.project_session import ProjectSession
from app.gui.shell.look.preferences import Preferences
from app.studies import study_named
from tests.gui.dialogs.test_handed_on import desk

__all__ = ["desk"]
MODE = QFileDialog.FileMode
FILE, FILES, FOLDER, NEW = MODE.ExistingFile, MODE.ExistingFiles, MODE.Directory, MODE.AnyFile
KEY, REPLIES = ("File with the server's key", FILE), ("File with recorded replies", FILE)
SOURCES = "Files and folders to build from"
NAMED = ("HPO annotations", "Orphanet", "Patients", "HPO itself")
Make = Callable[[ProjectSession], QDialog]
# Of each dialog its fields in the order of their buttons, and what is looked for.
CASES: dict[str, tuple[Make, tuple[tuple[str, QFileDialog.FileMode], ...]]] = {
    "extract": (lambda desk: ExtractionDialog(desk, ()), (KEY, REPLIES)),
    "terms": (AskingDialog, (KEY, REPLIES)),
    "answers": (lambda desk: RunDialog(desk, study_named("icd11"), print), (KEY, REPLIES)),
    "corpus": (lambda _: CorpusDialog(None), (("Corpus", FOLDER),)),
    "new": (
        lambda _: NewProjectDialog(Preferences()),
        (("Project file", NEW), ("Folder with another scheme", FOLDER)),
    ),
    "terminologies": (lambda _: TerminologiesDialog(), (("Files", FILES),)),
    "import": (
        ImportDialog,
        (
            ("Files and folders to import", FILES),
            ("Files and folders to import", FOLDER),
            ("Label table", FILE),
            ("Disease list", FILE),
        ),
    ),
    "items": (
        lambda desk: BuildDialog(desk, study_named("ebmqa"), print),
        ((SOURCES, FILES), (SOURCES, FOLDER), *((name, FILE) for name in NAMED)),
    ),
}


def words_in(dialog: QDialog) -> dict[str, str]:
    """All that may be typed or listed, by the name of the field."""
    found = {}
    for part in dialog.findChildren(QWidget):
        if isinstance(part, QLineEdit):
            found[part.accessibleName()] = part.text()
        elif isinstance(part, QPlainTextEdit):
            found[part.accessibleName()] = part.toPlainText()
        elif isinstance(part, QListWidget):
            found[part.accessibleName()] = "\n".join(part.item(row).text() for row in range(part.count()))
    return {name: words for name, words in found.items() if name}


@pytest.mark.parametrize("name", CASES)
def test_what_is_chosen_comes_to_its_field_beside_what_was_there(
    name: str, desk: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking: list[QFileDialog] = []
    monkeypatch.setattr(QFileDialog, "open", lambda one: looking.append(one))
    make, expected = CASES[name]
    dialog = make(desk)
    every = [one for one in dialog.findChildren(QPushButton) if one.text().endswith("…")]
    buttons = [one for one in every if one.isEnabled()]
    found = []
    for number, button in enumerate(buttons):
        before, path = words_in(dialog), str(Path.home() / f"{number}.casespan")
        button.click()
        looking[-1].filesSelected.emit([path])
        looking[-1].fileSelected.emit(path)
        after = words_in(dialog)
        (changed,) = (one for one in after if after[one] != before.get(one))
        found.append((changed, looking[-1].fileMode()))
        joined = before[changed] and changed in (SOURCES, "Files and folders to import")
        assert after[changed] == (f"{before[changed]}\n{path}" if joined else path)
    assert tuple(found) == expected
    assert len(looking) == len(expected)
