"""`casespan spans`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_annotator, add_json, echo, echo_json
from app.operations.annotate.several import relabel_spans
from app.operations.annotate.spans import Changed, remove_spans
from app.operations.find.search import list_spans, spans_table, whose
from app.operations.project.opening import opened
from app.operations.project.output import write_bytes
from app.tables import csv_text, text_lines
from app.text import counted
from extractors.model.errors import CallError, UnknownNameError

if TYPE_CHECKING:
    from app.store.annotate.listing import SpanRow
    from app.store.project import Project


def _arguments(command: argparse.ArgumentParser) -> None:
    add_annotator(command)
    command.add_argument("--document", metavar="ID", help="one report (default: all)")
    command.add_argument("--category", metavar="C", help="one category (default: all)")
    command.add_argument(
        "--id", dest="ids", action="append", metavar="ID", help="one span by its ID (may be repeated)"
    )
    act = command.add_mutually_exclusive_group()
    act.add_argument("--relabel", metavar="C", help="put all that is listed into another category")
    act.add_argument("--delete", action="store_true", help="remove all that is listed; undo brings it back")
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--csv", type=Path, metavar="FILE", help="write the table as CSV")


def spans(options: argparse.Namespace) -> int:
    """List spans, or change those listed."""
    changes = bool(options.relabel or options.delete)
    with opened(options.project) as project:
        name, viewer = whose(project, options.annotator)
    if not name:
        raise CallError("The project names no annotator; say whose spans, with --annotator.")
    with opened(options.project, write=changes or bool(viewer)) as project:
        rows = list_spans(project, name, report=options.document, category=options.category, viewer=viewer)
        if options.ids:
            rows = _chosen(rows, options.ids)
        if changes:
            return _change(project, rows, options.relabel)
    table = spans_table(rows)
    if options.json:
        echo_json([asdict(row) for row in rows])
    elif options.csv:
        write_bytes(options.csv, csv_text(table).encode())
        echo(f"{counted(len(rows), 'span')} were written to {options.csv}.")
    else:
        for line in text_lines(table):
            echo(line)
        echo(f"{counted(len(rows), 'span')} by {name}")
    return 0


def _chosen(rows: tuple[SpanRow, ...], ids: list[str]) -> tuple[SpanRow, ...]:
    missing = set(ids) - {row.uuid for row in rows}
    if missing:
        raise UnknownNameError(f"There is no span {min(missing)} among those listed.")
    return tuple(row for row in rows if row.uuid in ids)


def _change(project: Project, rows: tuple[SpanRow, ...], category: str | None) -> int:
    uuids = [row.uuid for row in rows]
    changed: Changed = relabel_spans(project, uuids, category) if category else remove_spans(project, uuids)
    done = len(changed.edited) + len(changed.removed)
    left = f"; {counted(len(uuids) - done, 'span')} stayed as they were" if done < len(uuids) else ""
    echo(f"{counted(done, 'span')} {'relabelled' if category else 'removed'}{left}.")
    return 0


# Opened to be changed only where spans are, or where it goes on record that others' were shown.
COMMAND = Command("study.casespan --category GI --csv spans.csv", _arguments, spans, writes=None)
