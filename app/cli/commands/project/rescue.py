"""`casespan rescue`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import Command, add_json, add_passphrase
from app.cli.console import tell
from app.operations.project.backups import describe_rescue, rescue_project


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "file", type=Path, metavar="FILE", help="the damaged project, which is left as it is"
    )
    command.add_argument("out", type=Path, metavar="OUT", help="the new project")
    add_passphrase(command)
    add_json(command)


def rescue(options: argparse.Namespace) -> int:
    """Save what can still be read of a damaged project."""
    found = rescue_project(options.file, options.out)
    lost = any(one.lost for one in found)
    value = {"out": str(options.out), "tables": {one.table: asdict(one) for one in found}}
    tell(options, value, [*describe_rescue(found), f"What was saved is in {options.out}."])
    return 1 if lost else 0


COMMAND = Command("damaged.casespan rescued.casespan", _arguments, rescue, project=False)
