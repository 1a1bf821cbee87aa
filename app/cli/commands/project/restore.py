"""`casespan restore`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import Command, add_json
from app.cli.console import echo, echo_json, echo_table
from app.operations.project.backups import list_backups, restore_project
from extractors.model.errors import ProjectError


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "backup", nargs="?", type=Path, metavar="COPY", help="the copy to go back to (without: list them)"
    )
    command.add_argument("--folder", type=Path, help="where copies are kept (default: beside the project)")
    add_json(command)


def restore(options: argparse.Namespace) -> int:
    """List the copies that were kept, or put one in the project's place."""
    if options.backup is not None:
        kept = restore_project(options.project, options.backup, options.folder)
        value = {"restored": str(options.backup), "kept": str(kept) if kept else None}
        if options.json:
            echo_json(value)
        else:
            echo(f"{options.project} is as it was in {options.backup.name}.")
            if kept:
                echo(f"What was there is kept as {kept}.")
        return 0
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


COMMAND = Command("study.casespan study.backups/COPY.casespan", _arguments, restore, writes=None)
