"""What this program is, and what of it is on this machine."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from platform import platform, python_version

from PySide6.QtCore import QSettings, QSize, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from app import __version__
from app.gui.dialogs.forms import FormDialog, Role, named
from app.gui.shell.look.theme import application_icon
from app.gui.widgets.boxes import row_of

_ICON = 64
_SIZE = (42, 32)
_OF_SCREEN = 0.85
_PURPOSE = (
    "Turns clinical case reports into data: annotate, extract, compare, reconcile, export.\n"
    "A research tool, not a medical device; it gives no medical advice.\n\n"
    "Nothing leaves this computer, unless you name a model server elsewhere for an extraction.\n\n"
    "MIT licence, © 2026 The Casespan team. Lexicons, fonts and libraries have licences of their own."
)
_LIBRARIES = ("PySide6-Essentials", "spacy", "scispacy", "lxml", "sqlite-utils", "jinja2", "numpy")


class AboutDialog(FormDialog):
    """Plain, selectable text; nothing in it opens anything by itself."""

    guide = "privacy"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("About Casespan", parent)
        title = QLabel(f"Casespan {__version__}")
        font = title.font()
        font.setPointSizeF(font.pointSizeF() * 1.6)
        title.setFont(font)
        icon = QLabel(pixmap=application_icon().pixmap(_ICON, _ICON))
        self.text = named(
            QPlainTextEdit(f"{_PURPOSE}\n\n{machine()}", readOnly=True, tabChangesFocus=True),
            "About Casespan",
        )
        self.copy_text = self.add_button("Copy as &text", Role.ActionRole, self._copy)
        close = self.add_button("&Close", Role.RejectRole, default=True)
        self.lay_out(row_of(icon, title), self.text, wide=self.text)
        self.notice.hide()
        wanted = QSize(*(side * self.fontMetrics().height() for side in _SIZE))
        self.resize(wanted.boundedTo(self.screen().availableSize() * _OF_SCREEN))
        close.setFocus()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(f"Casespan {__version__}\n\n{self.text.toPlainText()}")


def machine() -> str:
    """System, versions and where the settings are, one a line."""
    settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Casespan", "Casespan")
    lines = [f"System: {platform(terse=True)}", f"Python {python_version()}, Qt {qVersion()}"]
    lines.append(", ".join(_library(name) for name in _LIBRARIES))
    lines.append(f"Settings: {settings.fileName()}")
    return "\n".join(lines)


def _library(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} is not installed"
