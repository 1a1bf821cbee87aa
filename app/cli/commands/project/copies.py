"""`casespan backup`, `restore`, `rescue`, `encrypt` and `decrypt`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import (
    Command,
    add_json,
    add_passphrase,
    echo,
    echo_json,
    echo_table,
    read_passphrase,
    tell,
)
from app.operations.project.backups import (
    describe_rescue,
    list_backups,
    rescue_project,
    restore_project,
    save_backup,
)
from app.operations.project.encryption import WARNING, decrypt_project, encrypt_project, is_encrypted
from app.text import counted
from extractors.model.errors import CallError, ProjectError


def _backup_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("out", type=Path, metavar="OUT", help="the copy to make (NAME.casespan)")


def backup(options: argparse.Namespace) -> int:
    echo(f"Saved a copy: {save_backup(options.project, options.out)}")
    return 0


BACKUP = Command("study.casespan /media/stick/study.casespan", _backup_arguments, backup, writes=None)


def _restore_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "backup", nargs="?", type=Path, metavar="COPY", help="the copy to go back to (without: list them)"
    )
    command.add_argument("--folder", type=Path, help="where copies are kept (default: beside the project)")
    add_json(command)


def restore(options: argparse.Namespace) -> int:
    if options.backup is not None:
        kept = restore_project(options.project, options.backup, options.folder)
        value = {"restored": str(options.backup), "kept": str(kept) if kept else None}
        lines = [f"{options.project} is as it was in {options.backup.name}."]
        lines += [f"What was there is kept as {kept}."] if kept else []
        return tell(options, value, lines)
    if options.folder is not None and not options.folder.is_dir():
        raise ProjectError(f"There is no folder {options.folder}; check its name.")
    if not options.project.name:
        raise ProjectError(f"{options.project} is a folder, not a project; name the .casespan file in it.")
    found = list_backups(options.project, options.folder)
    if not found and not options.project.is_file():
        raise ProjectError(f"There is no project {options.project}, and no copy of it.")
    rows = [(f"{one.made:%Y-%m-%d %H:%M:%S}", one.reason, str(one.path)) for one in found]
    if options.json:
        echo_json([dict(zip(("made", "reason", "file"), row, strict=True)) for row in rows])
    elif rows:
        echo_table(("made (UTC)", "when", "file"), rows)
    else:
        echo("No copies are kept of this project yet; `casespan backup` makes one anywhere.")
    return 0


RESTORE = Command("study.casespan study.backups/COPY.casespan", _restore_arguments, restore, writes=None)


def _rescue_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "file", type=Path, metavar="FILE", help="the damaged project, which is left as it is"
    )
    command.add_argument("out", type=Path, metavar="OUT", help="the new project")
    add_passphrase(command)
    add_json(command)


def rescue(options: argparse.Namespace) -> int:
    found = rescue_project(options.file, options.out)
    lost = any(one.lost or one.in_doubt for one in found)
    value = {"out": str(options.out), "tables": {one.table: asdict(one) for one in found}}
    said = [*describe_rescue(found), f"What was saved is in {options.out}."]
    beside = options.out.with_name(f"{options.out.stem}.lost.jsonl")
    if beside.exists():
        said.append(f"Rows without a place, and what is said of those in doubt, are in {beside}.")
    tell(options, value, said)
    return 1 if lost else 0


RESCUE = Command("damaged.casespan rescued.casespan", _rescue_arguments, rescue, project=False)


def _encrypt_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--new-passphrase-file",
        metavar="FILE",
        help="the passphrase from now on, where the project has one already",
    )


def encrypt(options: argparse.Namespace) -> int:
    passphrases = options.passphrases
    if is_encrypted(options.project):
        if not options.new_passphrase_file:
            raise CallError(
                f"{options.project} is encrypted already; --new-passphrase-file gives it another passphrase."
            )
        passphrases = (read_passphrase(options.new_passphrase_file),)
    elif options.new_passphrase_file or len(passphrases) != 1:
        raise CallError("Give the passphrase by --passphrase-file FILE; its first line is taken.")
    echo(WARNING)
    files = encrypt_project(options.project, passphrases[0])
    echo(f"Encrypted: {options.project} and {counted(len(files) - 1, 'copy', 'copies')} beside it.")
    return 0


ENCRYPT = Command("study.casespan --passphrase-file secret.txt", _encrypt_arguments, encrypt, writes=None)


def decrypt(options: argparse.Namespace) -> int:
    files = decrypt_project(options.project)
    echo(f"Plain again: {options.project} and {counted(len(files) - 1, 'copy', 'copies')} beside it.")
    return 0


DECRYPT = Command("study.casespan --passphrase-file secret.txt", lambda _: None, decrypt, writes=None)
