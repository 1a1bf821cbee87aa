"""`casespan decrypt`."""

from __future__ import annotations

import argparse

from app.cli.arguments import Command
from app.cli.console import echo
from app.operations.project.encryption import decrypt_project
from app.text import counted


def decrypt(options: argparse.Namespace) -> int:
    """Take the encryption off the project and the copies beside it."""
    files = decrypt_project(options.project)
    echo(f"Plain again: {options.project} and {counted(len(files) - 1, 'copy', 'copies')} beside it.")
    return 0


COMMAND = Command("study.casespan --passphrase-file secret.txt", lambda _: None, decrypt, writes=None)
