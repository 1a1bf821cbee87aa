"""The program's own icon."""

from __future__ import annotations

from PySide6.QtGui import QIcon


def application_icon() -> QIcon:
    """A span's bracket under a line of text; drawn only where a desktop asks for it."""
    from extractors.assets import asset

    return QIcon(str(asset("resources", "icons", "casespan.svg")))
