"""`casespan encrypt`."""

from __future__ import annotations

import argparse

from app.cli.arguments import Command, read_passphrase
from app.cli.console import echo
from app.operations.project.encryption import WARNING, encrypt_project, is_encrypted
from app.text import counted
from extractors.model.errors import CallError


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--new-passphrase-file",
        metavar="FILE",
        help="the passphrase from now on, where the project has one already",
    )


def encrypt(options: argparse.Namespace) -> int:
    """Encrypt the project and the copies beside it, or give them another passphrase."""
    given = options.passphrases
    if is_encrypted(options.project):
        if not options.new_passphrase_file:
            raise CallError(
                f"{options.project} is encrypted already; --new-passphrase-file gives it another passphrase."
            )
        given = (read_passphrase(options.new_passphrase_file),)
    elif options.new_passphrase_file or len(given) != 1:
        raise CallError("Give the passphrase by --passphrase-file FILE; its first line is taken.")
    echo(WARNING)
    files = encrypt_project(options.project, given[0])
    echo(f"Encrypted: {options.project} and {counted(len(files) - 1, 'copy', 'copies')} beside it.")
    return 0


COMMAND = Command("study.casespan --passphrase-file secret.txt", _arguments, encrypt, writes=None)
