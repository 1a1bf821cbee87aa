"""`casespan new` and `open`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import Command, echo, show


def _new_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--annotator", metavar="NAME", help="the person who will annotate")
    command.add_argument(
        "--scheme", type=Path, metavar="DIR", help="a folder with another scheme.toml and its guidelines"
    )


def new(options: argparse.Namespace) -> int:
    # Imported here: the window that `open` shows needs none of it at first.
    from app.operations.project.encryption import WARNING, encrypt_project
    from app.operations.project.files import create_project

    path = create_project(options.project, options.annotator, options.scheme)
    if options.passphrases:
        echo(WARNING)
        encrypt_project(path, options.passphrases[0])
    echo(f"Made {path}. Next: casespan import {path} REPORTS")
    return 0


NEW = Command("study.casespan --annotator 'Dr Ana Ruiz'", _new_arguments, new, writes=None)


def _open_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "project", nargs="?", type=Path, metavar="PROJECT", help="the project file (NAME.casespan)"
    )


def open_(options: argparse.Namespace) -> int:
    return show(options, options.project)


OPEN = Command("study.casespan", _open_arguments, open_, project=False)
