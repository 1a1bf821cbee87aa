"""The program's entry: the window, or the command line that can open it."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from app.cli import main as command_line
from app.display import why_no_window
from extractors.model.errors import CasespanError


class NoPaintingError(CasespanError):
    """This installation cannot paint pictures."""

    exit_code = 2


class NoWindowError(CasespanError):
    """This installation or this machine cannot show a window."""

    exit_code = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `casespan`; returns the exit code."""
    if getattr(sys, "frozen", False):
        # The frozen program calls itself for the process that reads files from outside.
        from multiprocessing import freeze_support

        freeze_support()
    return command_line(arguments, open_window, paint_picture)


def open_window(project: Path | None) -> int:
    """Show the window, with a project where one is given, until it is closed.

    Raises NoWindowError where Qt is not installed, a library that it needs is absent, or no display answers.
    """
    if why := why_no_window(os.environ):
        raise NoWindowError(why)
    # Nothing becomes garbage while modules are loaded and the window is built, but looking takes a while.
    gc.disable()
    # Imported here: the commands do without Qt.
    try:
        from app.gui.shell.application import run
    except ImportError as error:
        if not (error.name or "").startswith("PySide6"):
            raise
        raise NoWindowError(f"The window cannot be shown ({error}); install casespan[window].") from error
    return run(project)


def paint_picture(picture: str, out: Path) -> None:
    """Paint the text of an SVG picture into a PNG file; needs Qt, but no display.

    Raises NoPaintingError where Qt or what it needs is absent, StorageError where the file cannot be written.
    """
    if why := why_no_window({"QT_QPA_PLATFORM": "offscreen", **os.environ}):
        raise NoPaintingError(f"PNG cannot be painted here, --svg can. {why}")
    try:
        from app.gui.widgets.svg import paint
    except ImportError as error:
        if not (error.name or "").startswith("PySide6"):
            raise
        raise NoPaintingError(
            f"PNG needs Qt, which is not there ({error}); install casespan[window], or choose --svg."
        ) from error
    paint(picture, out)


if __name__ == "__main__":
    sys.exit(main())
