"""A report of an unexpected fault, beside the settings, to be sent or not; no word of a project is in it."""

from __future__ import annotations

import traceback
from pathlib import Path

from PySide6.QtCore import QSettings

_NAME = "last-fault.txt"
_PARTS = 3


def keep_fault(error: BaseException) -> tuple[Path, str]:
    """Write down where the program was, in the place of the last such report: the file and what is in it.

    Messages of errors and values of variables may hold what a report says, full paths who the user is: both
    are left out.
    """
    from app import __version__
    from app.gui.dialogs.project.about import machine

    *lines, _settings = [f"Casespan {__version__}", *machine().splitlines()]
    one: BaseException | None = error
    while one is not None:
        lines += ["", type(one).__name__]
        for frame in traceback.extract_tb(one.__traceback__):
            where = "/".join(Path(frame.filename).parts[-_PARTS:])
            lines.append(f"  {where}:{frame.lineno} {frame.name}")
        one = one.__cause__ or one.__context__
    settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Casespan", "Casespan")
    path, text = Path(settings.fileName()).with_name(_NAME), "\n".join(lines) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path, text
