"""`casespan search`, `spans` and `figures`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from app.cli.console import say, say_json, say_lines
from app.operations.annotate.several import relabel_spans
from app.operations.annotate.spans import Changed, remove_spans
from app.operations.find.figures import count_project
from app.operations.find.search import Found, search_project
from app.operations.find.spans import list_spans, spans_table, whose
from app.operations.project.opening import opened
from app.operations.project.output import write_bytes
from app.tables import csv_text, records, text_lines
from app.text import counted
from extractors.model.errors import CallError, UnknownNameError

if TYPE_CHECKING:
    from app.operations.find.search import FoundReport
    from app.store.listing import SpanRow
    from app.store.project import Project


def search(options: argparse.Namespace) -> int:
    """Show every place in its context, by report."""
    words = " ".join(f'"{word}"' if len(word.split()) > 1 else word for word in options.words)
    name, viewer = _whose(options)
    with opened(options.project, write=bool(viewer)) as project:
        found = search_project(project, words, name, most=None, viewer=viewer)
    if options.json:
        say_json({**asdict(found), "places": found.places})
    else:
        _show(found)
    return 0


def spans(options: argparse.Namespace) -> int:
    """List spans, or change those listed."""
    changes = bool(options.relabel or options.delete)
    name, viewer = _whose(options)
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
        say_json([asdict(row) for row in rows])
    elif options.csv:
        write_bytes(options.csv, csv_text(table).encode())
        say(f"{counted(len(rows), 'span')} were written to {options.csv}.")
    else:
        for line in text_lines(table):
            say(line)
        say(f"{counted(len(rows), 'span')} by {name}")
    return 0


def figures(options: argparse.Namespace) -> int:
    """Show the figures, table by table."""
    with opened(options.project) as project:
        found = count_project(project, whose(project, options.annotator)[0])
    if options.json:
        tables = {key: records(table) for key, table in found.tables.items()}
        say_json({"annotator": found.annotator, "summary": found.summary, **tables})
        return 0
    if options.csv:
        parts = [f"{table.title}\n{csv_text(table)}" for table in found.tables.values()]
        write_bytes(options.csv, "\n".join(parts).encode())
        say(f"The figures were written to {options.csv}.")
        return 0
    say(found.summary)
    for table in found.tables.values():
        say()
        say(table.title)
        say_lines("\n".join([*text_lines(table), *table.notes]) if table.rows else "none")
    return 0


def _whose(options: argparse.Namespace) -> tuple[str, str]:
    """Whose spans are shown, and who sees them where that is to be put on record."""
    with opened(options.project) as project:
        return whose(project, options.annotator)


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
    say(f"{counted(done, 'span')} {'relabelled' if category else 'removed'}{left}.")
    return 0


def _show(found: Found) -> None:
    for one in found.categories:
        spans_there = f"{counted(one.spans, 'span')} in {counted(one.reports, 'report')}"
        say(f"Category {one.code} {one.name}: {spans_there}")
    for report in found.reports:
        _show_report(report)
    if not found.asks:
        say("Type words or numbers to search for.")
    elif not found.total:
        say("No report has all these words. For the beginnings of words, write an asterisk: hypert*")
    else:
        say(f"{counted(found.places, 'place')} in {counted(found.total, 'report')}")


def _show_report(report: FoundReport) -> None:
    say(f"{report.key}  {report.title}")
    for place in report.places:
        labels = f"  ({', '.join(place.categories)})" if place.categories else ""
        say(f"  {place.start:>6}  …{place.left} [{place.text}] {place.right}…{labels}")
    for span in report.spans:
        note = f"  note: {span.note}" if span.note else ""
        say(f"    span  {span.category}: {span.quote}{note}")
