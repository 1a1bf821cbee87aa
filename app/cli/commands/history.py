"""`casespan history`."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.cli.arguments import Command, add_json
from app.cli.console import say_json, say_table
from app.operations.project.history import list_history


def history(options: argparse.Namespace) -> int:
    """List every change."""
    entries = list_history(options.project)
    if options.json:
        say_json([asdict(entry) for entry in entries])
        return 0
    rows = [(entry.at, entry.who, entry.kind, entry.name, str(entry.changes)) for entry in entries]
    say_table(("when (UTC)", "who", "what", "act", "rows"), rows)
    return 0


COMMAND = Command("study.casespan", add_json, history)
