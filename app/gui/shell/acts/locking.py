"""Encrypted projects in the window: opened with their passphrase, locked, given another one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QDialog, QWidget

    from app.gui.session.project_session import ProjectSession


class Opener(Protocol):
    """What opens and closes projects: the window."""

    @property
    def session(self) -> ProjectSession | None: ...

    def open_project(self, path: Path, annotator: str = "") -> None: ...

    def close_project(self, *, keep_key: bool = False) -> bool: ...

    def while_closed(self, saying: str, call: Callable[[], str]) -> None: ...

    def show_dialog(self, dialog: QDialog) -> None: ...


class Locking:
    """Asks for passphrases over the window; what they are needed for is imported when they are."""

    def __init__(self, window: Opener, over: QWidget) -> None:
        self._window, self._over = window, over

    def asks(self, path: Path) -> bool:
        """Ask for the passphrase of a project, then open it; False where it opens without."""
        from app.operations.project.encryption import is_locked

        if is_locked(path):
            self._ask(path)
            return True
        return False

    def ask(self, session: ProjectSession) -> None:
        """Ask for the passphrase of a project that does not open without, then open it."""
        if session is self._window.session:
            self._window.close_project()
            self._ask(session.path)

    def _ask(self, path: Path) -> None:
        from app.gui.dialogs.project.passphrases import UnlockDialog

        dialog = UnlockDialog(path, self._over)
        dialog.accepted.connect(lambda: self._window.open_project(path))
        self._window.show_dialog(dialog)

    def lock(self, path: Path) -> None:
        """Close the project and forget its key; who has the passphrase may go on at once."""
        if self._window.close_project():
            self._ask(path)

    def encrypt(self, path: Path) -> None:
        """Ask for a passphrase, and encrypt the project and its copies while it is closed."""
        from app.gui.dialogs.project.passphrases import EncryptDialog
        from app.operations.project.encryption import encrypt_project, is_encrypted

        def encrypt() -> None:
            passphrase = dialog.form.value.passphrase
            said = "Encrypted with the passphrase you chose"
            self._window.while_closed(
                f"Encrypting {path.name}…", lambda: _done(said, path, encrypt_project(path, passphrase))
            )

        dialog = EncryptDialog(self._over, changes=is_encrypted(path))
        dialog.accepted.connect(encrypt)
        self._window.show_dialog(dialog)

    def decrypt(self, path: Path) -> None:
        """Ask first, and take the encryption off the project and its copies while it is closed."""
        from app.gui.dialogs.forms import question_box
        from app.operations.project.encryption import decrypt_project

        box = question_box(
            self._over,
            "Remove the encryption",
            f"Let everybody who has the file open {path.name} and the copies beside it?",
            "Remove the encryption",
        )
        box.accepted.connect(
            lambda: self._window.while_closed(
                f"Decrypting {path.name}…", lambda: _done("Plain again", path, decrypt_project(path))
            )
        )
        self._window.show_dialog(box)

    def forget(self, besides: Path | None = None) -> None:
        from app.operations.project.encryption import lock

        lock(besides)

    def mark(self, path: Path) -> str:
        """What the window's title says of a project's encryption."""
        from app.operations.project.encryption import is_encrypted

        return " (encrypted)" if is_encrypted(path) else ""


def _done(said: str, path: Path, files: Sequence[Path]) -> str:
    """What was written anew: the project, and how many copies."""
    return f"{said}: {path.name} and {counted(len(files) - 1, 'copy', 'copies')} beside it."
