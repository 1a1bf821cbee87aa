"""Writes the agreement on screen to a file that the user chooses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

if TYPE_CHECKING:
    from app.agreement import Profile
    from app.gui.session.project_session import ProjectSession
    from app.store.project import Project

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
    dialog = QFileDialog(parent, _TITLES[kind])
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDirectory(str(session.path.parent))
    dialog.setDefaultSuffix(kind)
    dialog.selectFile(f"{session.path.stem}-agreement.{kind}")
    dialog.fileSelected.connect(lambda name: write(session, kind, pair, profile, Path(name)))
    dialog.open()


def write(session: ProjectSession, kind: str, pair: tuple[str, str], profile: Profile, out: Path) -> None:
    """Write a pair to a file in the project's thread, as the project is then."""
    call: Callable[[Project], list[Path]] = partial(_write, kind=kind, pair=pair, profile=profile, out=out)
    session.worker.ask(call, lambda files: session.said.emit(f"Written: {', '.join(map(str, files))}."))


def _write(project: Project, kind: str, pair: tuple[str, str], profile: Profile, out: Path) -> list[Path]:
    from app.operations.compare.files import (
        draw_agreement,
        report_agreement,
        tabulate_agreement,
        write_drawing,
    )

    if kind == "csv":
        return tabulate_agreement(project, *pair, profile, out)
    if kind == "html":
        report_agreement(project, *pair, out)
    elif kind == "svg":
        write_drawing(project, *pair, profile, out)
    else:
        from app.gui.widgets.svg import paint

        paint(draw_agreement(project, *pair, profile), out)
    return [out]
