"""Dialogs for files open where the work is, and never where the program was started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QApplication, QFileDialog, QFileSystemModel
from pytestqt.qtbot import QtBot

from app.gui.dialogs.exchange.export import ExportDialog
from app.gui.dialogs.exchange.imports import ImportDialog
from app.gui.dialogs.files import ask_save, documents, file_dialog, folder_for
from app.gui.dialogs.project.projects import NewProjectDialog
from app.gui.session.project_session import ProjectSession
from app.gui.shell.look.preferences import Preferences
from app.gui.shell.look.theme import apply_theme
from tests.gui.dialogs.conftest import Window


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working directory that no dialog may open in."""
    (tmp_path / "working").mkdir()
    monkeypatch.chdir(tmp_path / "working")
    QStandardPaths.setTestModeEnabled(True)
    Preferences().forget_recent()


def test_a_dialog_opens_at_the_project_until_another_folder_is_used_for_the_same(
    qtbot: QtBot, tmp_path: Path
) -> None:
    project, other = tmp_path / "study.casespan", tmp_path / "letters"
    other.mkdir()
    (other / "a.txt").touch()
    first = file_dialog(None, "Files", "reports", project)
    qtbot.addWidget(first)
    assert Path(first.directory().absolutePath()) == tmp_path
    first.setDirectory(str(other))
    first.accepted.emit()
    assert folder_for("reports", project) == other
    assert folder_for("exports", project) == tmp_path
    (other / "a.txt").unlink()
    other.rmdir()
    assert folder_for("reports", project) == tmp_path


def test_a_dialog_is_no_wider_than_the_screen_where_letters_are_large(
    qtbot: QtBot, qapp: QApplication
) -> None:
    apply_theme(qapp, "light", 200)
    dialog = file_dialog(None, "Files", "reports")
    qtbot.addWidget(dialog)
    screen = dialog.screen().availableSize().width()
    assert 116 * dialog.fontMetrics().averageCharWidth() > screen
    assert dialog.width() < screen


def test_without_a_project_a_dialog_opens_in_the_documents() -> None:
    assert folder_for("projects") == documents()
    assert documents().is_absolute()
    assert documents().is_dir()
    assert documents() != Path.cwd()


def test_imports_and_exports_open_beside_the_project(window: Window, session: ProjectSession) -> None:
    imports = ImportDialog(session, window)
    imports._choose_files()
    imports._choose_folder()
    imports._choose_terms()
    exports = ExportDialog(session, window)
    exports._choose_file()
    dialogs = [*imports.findChildren(QFileDialog), *exports.findChildren(QFileDialog)]
    assert len(dialogs) == 4
    assert {Path(dialog.directory().absolutePath()) for dialog in dialogs} == {session.path.parent}
    for dialog in dialogs:
        dialog.close()


def test_the_programs_own_file_dialogs_are_all_made_in_one_place() -> None:
    source = Path(__file__).parents[3] / "app" / "gui"
    makers = [path.name for path in source.rglob("*.py") if "QFileDialog(" in path.read_text("utf-8")]
    assert makers == ["files.py"]


def test_a_new_project_is_proposed_beside_the_one_that_is_open(window: Window, tmp_path: Path) -> None:
    dialog = NewProjectDialog(Preferences(window), window, tmp_path / "study.casespan")
    assert dialog.form.value.path.parent == tmp_path


def test_a_dialog_for_saving_names_the_kind_of_file(window: Window, session: ProjectSession) -> None:
    exports = ExportDialog(session, window)
    exports._choose_file()
    asked = exports.findChildren(QFileDialog)[0]
    assert asked.nameFilters() == ["JSON lines (*.jsonl)"]
    asked = ask_save(window, "Ratings", "exports", print, session.path, "ratings.csv")
    assert asked.nameFilters() == ["CSV files (*.csv)"]
    assert asked.defaultSuffix() == "csv"
    # What may not be written over is not asked about: that it is there is said.
    unasked = QFileDialog.Option.DontConfirmOverwrite
    other = ask_save(window, "New", "projects", print, session.path, "p.casespan", may_replace=False)
    assert (asked.testOption(unasked), other.testOption(unasked)) == (False, True)


@pytest.mark.skipif(sys.platform == "win32", reason="locks are of processes where files are POSIX's")
def test_a_dialog_for_files_reads_into_none_so_that_the_open_project_stays_locked(
    tmp_path: Path, qtbot: QtBot
) -> None:
    import fcntl

    path = tmp_path / "study.casespan"
    path.write_bytes(b"SQLite format 3\0")
    dialog = file_dialog(None, "Files", "open", path)
    dialog.setDirectory(str(tmp_path))
    with path.open("rb+") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)
        dialog.show()
        model = dialog.findChild(QFileSystemModel)
        assert model is not None
        index = model.index(str(path))
        qtbot.waitUntil(lambda: model.data(index.siblingAtColumn(2)) == "CASESPAN file")
        other = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'rb+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
        assert subprocess.run([sys.executable, "-c", other, str(path)], stderr=subprocess.DEVNULL).returncode
    dialog.close()
