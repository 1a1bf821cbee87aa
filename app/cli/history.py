"""`casespan undo`, `redo` and `history`."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.cli.console import say, say_json, say_table
from app.operations.project.history import list_history, redo_change, undo_change, undo_to
from app.text import counted


def undo(options: argparse.Namespace) -> int:
    """Take the last change back."""
    if options.to is not None:
        undone = undo_to(options.project, options.to)
        for one in undone:
            say(f"Undone: {one.name} ({one.who}, {one.at}).")
        say(f"{counted(len(undone), 'change')} undone.")
        return 0
    entry = undo_change(options.project, past_runs=options.past_runs)
    say(f"Undone: {entry.name} ({entry.who}, {entry.at})." if entry else "There is nothing to undo.")
    return 0


def redo(options: argparse.Namespace) -> int:
    """Make the change again that was taken back last."""
    entry = redo_change(options.project)
    say(f"Done again: {entry.name} ({entry.who}, {entry.at})." if entry else "There is nothing to redo.")
    return 0


def history(options: argparse.Namespace) -> int:
    """List every change."""
    entries = list_history(options.project)
    if options.json:
        say_json([asdict(entry) for entry in entries])
        return 0
    rows = [(entry.at, entry.who, entry.kind, entry.name, str(entry.changes)) for entry in entries]
    say_table(("when (UTC)", "who", "what", "act", "rows"), rows)
    return 0
