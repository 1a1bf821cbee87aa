"""`casespan merge`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import Command, add_json
from app.cli.console import finish, tell
from app.operations.exchange.merging import bring_together, describe_merge


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("others", nargs="+", type=Path, metavar="OTHER", help="packets and copies")
    command.add_argument("--preview", action="store_true", help="say what would come, and change nothing")
    add_json(command)


def merge(options: argparse.Namespace) -> int:
    """Bring packets and copies of a project back together."""
    merged = finish(bring_together(options.project, options.others, preview=options.preview))
    value = {
        "added": dict(merged.added),
        "changed": dict(merged.changed),
        "removed": dict(merged.removed),
        "same": merged.same,
        "settled": merged.settled,
        "conflicts": [asdict(one) for one in merged.conflicts],
        "refused": [asdict(one) for one in merged.refused],
    }
    tell(options, value, describe_merge(merged, preview=options.preview))
    return 1 if merged.refused else 0


COMMAND = Command("study.casespan packets/anna.casespan packets/ben.casespan", _arguments, merge, writes=True)
