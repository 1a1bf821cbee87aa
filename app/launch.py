"""The program's entry: the window, or the command line that can open it."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from app.cli import main as command_line
from extractors.model.errors import CasespanError

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


class NoPaintingError(CasespanError):
    """This installation cannot paint pictures."""


class NoWindowError(CasespanError):
    """This installation or this machine cannot show a window."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `casespan`; returns the exit code."""
    return command_line(arguments, open_window, paint_picture)


def open_window(project: Path | None) -> int:
    """Show the window, with a project where one is given, until it is closed.

    Raises NoWindowError where Qt is not installed or no display is named; one that is named but does not
    answer ends the program with Qt's own message.
    """
    if sys.platform == "linux" and not any(os.environ.get(name) for name in _DISPLAYS):
        raise NoWindowError("There is no display to show a window on; see casespan --help for the commands.")
    # Nothing becomes garbage while modules are loaded and the window is built, but looking takes a while.
    gc.disable()
    # Imported here: the commands do without Qt.
    try:
        from app.gui.shell.application import run
    except ImportError as error:
        if not (error.name or "").startswith("PySide6"):
            raise
        raise NoWindowError(
            f"The window cannot be shown ({error}); install casespan[window] and what Qt needs."
        ) from error
    return run(project)


def paint_picture(picture: str, out: Path) -> None:
    """Paint the text of an SVG picture into a PNG file; needs Qt, but no display.

    Raises NoPaintingError where Qt is not installed, StorageError where the file cannot be written.
    """
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
