"""Where dialogs for files and folders open: where one was last for the same purpose, or at the project."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path

from PySide6.QtCore import QFileInfo, QStandardPaths, Qt
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QHeaderView, QTreeView, QWidget

from app.gui.shell.look.preferences import Preferences

_LETTERS, _OF_SCREEN = 116, 0.95


class _ByName(QFileIconProvider):
    """Tells files by their names. Qt reads into each to tell it, also into the open project: when a file is
    closed, a process loses all its locks on it, and the next program would take the project for unused."""

    def icon(self, one: QFileInfo | QAbstractFileIconProvider.IconType) -> QIcon:
        if isinstance(one, QFileInfo):
            kinds = QAbstractFileIconProvider.IconType
            return super().icon(kinds.Folder if one.isDir() else kinds.File)
        return super().icon(one)

    def type(self, info: QFileInfo) -> str:
        return "Folder" if info.isDir() else f"{info.suffix().upper()} file".strip()


_by_name = lru_cache(maxsize=1)(_ByName)


def file_dialog(parent: QWidget | None, title: str, purpose: str, project: Path | None = None) -> QFileDialog:
    """A dialog for files in the folder last used for that purpose, else the project's, else the documents'.

    Where something is chosen, its folder is the one last used from then on. `project` is the project's file.
    """
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setIconProvider(_by_name())
    dialog.setDirectory(str(folder_for(purpose, project)))
    # Qt's own dialog, where the desktop has none, cuts sizes, kinds and days.
    for files in dialog.findChildren(QTreeView):
        files.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        files.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        most = round(_OF_SCREEN * dialog.screen().availableSize().width())
        wide = min(_LETTERS * dialog.fontMetrics().averageCharWidth(), most)
        dialog.resize(wide, dialog.sizeHint().height())
    dialog.accepted.connect(partial(_remember, dialog, purpose))
    return dialog


def ask_open(
    parent: QWidget | None,
    title: str,
    purpose: str,
    call: Callable[[str], object],
    project: Path | None = None,
    *filters: str,
    folder: bool = False,
) -> None:
    """Call with the file, or folder, that is chosen, one that is there."""
    dialog = file_dialog(parent, title, purpose, project)
    dialog.setFileMode(QFileDialog.FileMode.Directory if folder else QFileDialog.FileMode.ExistingFile)
    if not folder:
        dialog.setNameFilters(list(filters))
    dialog.fileSelected.connect(call)
    dialog.open()


def ask_save(
    parent: QWidget | None,
    title: str,
    purpose: str,
    call: Callable[[Path], object],
    project: Path | None,
    name: str,
    *filters: str,
    suffix: str | None = None,
    may_replace: bool = True,
) -> QFileDialog:
    """Call with the file to be written, at first of that name or path; its suffix follows the filter.

    Where it may not replace a file, whoever writes says so.
    """
    proposed = Path(name)
    dialog = file_dialog(parent, title, purpose, project)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite, not may_replace)
    suffix = (proposed.suffix if suffix is None else suffix).lstrip(".")
    # A list of kinds with nothing in it would look broken.
    kind = f"{suffix.upper()} files (*.{suffix})" if suffix else "All files (*)"
    dialog.setNameFilters(list(filters) or [kind])
    dialog.setDefaultSuffix(suffix)
    if filters:
        dialog.filterSelected.connect(lambda s: dialog.setDefaultSuffix(s.rpartition("*.")[2].rstrip(")")))
    if proposed.is_absolute() and _is_folder(proposed.parent):
        dialog.setDirectory(str(proposed.parent))
    dialog.selectFile(proposed.name)
    dialog.fileSelected.connect(lambda chosen: call(Path(chosen)))
    dialog.open()
    return dialog


def folder_for(purpose: str, project: Path | None = None) -> Path:
    """The folder in which to begin to look; never the one that the program was started in."""
    known = [Preferences().folder(purpose), project.parent if project is not None else None]
    return next((folder for folder in known if folder is not None and _is_folder(folder)), documents())


def documents() -> Path:
    """The folder that this platform has for documents, else the home folder."""
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return folder if folder.is_absolute() and _is_folder(folder) else Path.home()


def _remember(dialog: QFileDialog, purpose: str) -> None:
    Preferences().set_folder(purpose, Path(dialog.directory().absolutePath()))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_absolute() and path.is_dir()
    except OSError:
        return False
