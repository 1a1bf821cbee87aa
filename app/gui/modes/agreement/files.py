"""Writes the agreement on screen to a file that the user chooses."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from app.gui.dialogs.files import file_dialog

if TYPE_CHECKING:
    from app.agreement import Profile
    from app.gui.session.project_session import ProjectSession
    from app.store.project import Project
    from extractors.model.progress import Progress

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
    from app.operations.compare.files import (
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
