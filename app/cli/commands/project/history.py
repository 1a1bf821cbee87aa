"""`casespan undo`, `redo` and `history`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import Command, add_json, echo, echo_json, echo_table, tell
from app.operations.project.history import (
    check_trail,
    export_history,
    list_history,
    redo_change,
    redo_to,
    undo_change,
    undo_to,
)
from app.text import counted
from extractors.model.errors import CallError


def _history_arguments(command: argparse.ArgumentParser) -> None:
    chosen = command.add_mutually_exclusive_group()
    chosen.add_argument(
        "--out", type=Path, metavar="FILE", help="write every row, with its hash, for auditors"
    )
    chosen.add_argument(
        "--verify", action="store_true", help="PROJECT is such a file: check it; exit 1 if altered"
    )
    command.add_argument(
        "--key-file", type=Path, metavar="FILE", help="seal the file with this secret, or check the seal"
    )
    add_json(command)


def history(options: argparse.Namespace) -> int:
    if options.key_file and not (options.out or options.verify):
        raise CallError("--key-file goes with --out or --verify.")
    key = _key(options.key_file)
    if options.verify:
        return _verify(options, key)
    if options.out is not None:
        rows = export_history(options.project, options.out, key)
        words = f"{counted(rows, 'row')} of the history written to {options.out}."
        return tell(options, {"out": str(options.out), "rows": rows, "sealed": bool(key)}, [words])
    entries = list_history(options.project)
    if options.json:
        echo_json([asdict(entry) for entry in entries])
        return 0
    lines = [(entry.at, entry.who, entry.kind, entry.name, str(entry.changes)) for entry in entries]
    echo_table(("when (UTC)", "who", "what", "act", "rows"), lines)
    return 0


def _verify(options: argparse.Namespace, key: bytes) -> int:
    faults = check_trail(options.project, key)
    lines = [f"{where}: {message}" for where, message in faults]
    whole = f"Nothing was altered{', and the seal is by this key' if key else ''}."
    tell(options, [{"where": where, "message": message} for where, message in faults], lines or [whole])
    return 1 if faults else 0


def _key(path: Path | None) -> bytes:
    if path is None:
        return b""
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        raise CallError(f"{path} cannot be read: {error.strerror or error}.") from error
    if not key:
        raise CallError(f"{path} is empty; put a secret in it.")
    return key


HISTORY = Command("study.casespan --out history.jsonl", _history_arguments, history, writes=None)


def _undo_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--past-runs", action="store_true", help="also where a model run came after it, which is kept"
    )
    command.add_argument(
        "--to",
        metavar="ACT",
        help="take back all that was done after this act of the history (its `act` in history --json)",
    )


def undo(options: argparse.Namespace) -> int:
    if options.to is not None:
        undone = undo_to(options.project, options.to)
        for one in undone:
            echo(f"Undone: {one.name} ({one.who}, {one.at}).")
        echo(f"{counted(len(undone), 'change')} undone.")
        return 0
    entry = undo_change(options.project, past_runs=options.past_runs)
    echo(f"Undone: {entry.name} ({entry.who}, {entry.at})." if entry else "There is nothing to undo.")
    return 0


UNDO = Command("study.casespan", _undo_arguments, undo, writes=True)


def _redo_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--to",
        metavar="ACT",
        help="make all again up to this act of the history (its `act` in history --json)",
    )


def redo(options: argparse.Namespace) -> int:
    if options.to is not None:
        redone = redo_to(options.project, options.to)
        for one in redone:
            echo(f"Done again: {one.name} ({one.who}, {one.at}).")
        echo(f"{counted(len(redone), 'change')} done again.")
        return 0
    entry = redo_change(options.project)
    echo(f"Done again: {entry.name} ({entry.who}, {entry.at})." if entry else "There is nothing to redo.")
    return 0


REDO = Command("study.casespan", _redo_arguments, redo, writes=True)
