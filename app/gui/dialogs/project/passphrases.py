"""The passphrase of an encrypted project: asked for, and chosen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QLineEdit, QWidget

from app.gui.dialogs.fields import Ask, SettingsDialog, asked, secret
from app.gui.dialogs.forms import plain_label
from app.gui.session.jobs import one_step
from app.operations.project.encryption import WARNING, unlock


@dataclass(frozen=True, slots=True)
class Passphrase:
    """What opens a project."""

    passphrase: str = asked("", Ask(secret, "&Passphrase:"))


class UnlockDialog(SettingsDialog[Passphrase]):
    """Asks for the passphrase of a project; accepted once its key is known."""

    guide = "project"

    def __init__(self, path: Path, parent: QWidget) -> None:
        super().__init__("Encrypted project", Passphrase(), "&Open", parent)
        self._path = path
        self.body.insertWidget(0, plain_label(f"{path.name} opens with its passphrase."))
        self.check()
        self.form.box("passphrase", QLineEdit).setFocus()

    def check(self) -> None:
        super().check()
        self.ok_button.setEnabled(self.ok_button.isEnabled() and bool(self.form.value.passphrase))

    def act(self) -> None:
        """Try it; that takes a moment, so that nobody can try many."""
        passphrase = self.form.value.passphrase
        self.act_apart("Opening", one_step(lambda: unlock(self._path, passphrase)), self.accept)

    def end(self, sentence: str) -> None:
        super().end(sentence)
        edit = self.form.box("passphrase", QLineEdit)
        edit.setFocus()
        edit.selectAll()


@dataclass(frozen=True, slots=True)
class NewPassphrase:
    """A passphrase, typed twice."""

    passphrase: str = asked("", Ask(secret, "&Passphrase:", below="Several words that nobody guesses."))
    again: str = asked("", Ask(secret, "The same a&gain:"))


class EncryptDialog(SettingsDialog[NewPassphrase]):
    """Asks for the passphrase from now on, and says first what is lost with it."""

    guide = "project"

    def __init__(self, parent: QWidget, *, changes: bool) -> None:
        """`changes` says that the project has one already."""
        title, act = ("Change the passphrase", "&Change") if changes else ("Encrypt the project", "&Encrypt")
        super().__init__(title, NewPassphrase(), act, parent)
        about = "The project and the copies beside it are written anew."
        self.body.insertWidget(0, plain_label(f"{WARNING} {about}"))
        self.body.addStretch(1)
        self.check()
        self.form.box("passphrase", QLineEdit).setFocus()

    def problem(self) -> str:
        wanted = self.form.value
        if not wanted.passphrase:
            return "Choose a passphrase."
        return "" if wanted.passphrase == wanted.again else "The two are not the same yet."
