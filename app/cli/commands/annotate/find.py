"""`casespan search`, `spans` and `figures`: words, spans, numbers, and figures with their pictures."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.arguments import (
    Command,
    add_annotator,
    add_json,
    add_only,
    echo,
    echo_json,
    echo_lines,
    finish,
    tell,
)
from app.operations.annotate.several import relabel_spans
from app.operations.annotate.spans import Changed, remove_spans
from app.operations.exchange.figures import FigureSummary, find_figures, save_pictures
from app.operations.find.figures import count_project
from app.operations.find.search import Found, FoundReport, list_spans, search_project, spans_table, whose
from app.operations.project.figures import count_figures, list_figures
from app.operations.project.opening import opened
from app.operations.project.output import write_file
from app.tables import Column, Table, csv_text, records, text_lines
from app.text import counted
from extractors.model.errors import CallError, UnknownNameError

if TYPE_CHECKING:
    from app.store.annotate.listing import SpanRow
    from app.store.project import Project
    from extractors.model.figure import Figure

_NOBODY = "The project names no annotator; say whose spans, with --annotator."


def _search_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "words",
        nargs="+",
        metavar="WORDS",
        help="found together, with up to ten others between them, in any of their forms; one argument of "
        "several words is a phrase; "
        "word* finds all that begins so",
    )
    add_annotator(command)
    add_json(command)


def search(options: argparse.Namespace) -> int:
    words = " ".join(f'"{word}"' if len(word.split()) > 1 else word for word in options.words)
    with opened(options.project) as project:
        name, viewer = whose(project, options.annotator)
    with opened(options.project, write=bool(viewer)) as project:
        found = search_project(project, words, name, most=None, viewer=viewer)
    if options.json:
        echo_json({**asdict(found), "places": found.places})
    else:
        _show_found(found)
    return 0


def _show_found(found: Found) -> None:
    for one in found.categories:
        spans_there = f"{counted(one.spans, 'span')} in {counted(one.reports, 'report')}"
        echo(f"Category {one.code} {one.name}: {spans_there}")
    for report in found.reports:
        _show_report(report)
    if not found.asks:
        echo("Type words or numbers to search for.")
    elif not found.total:
        echo("No report has these words together. For the beginnings of words, write an asterisk: hypert*")
    else:
        echo(f"{counted(found.places, 'place')} in {counted(found.total, 'report')}")


def _show_report(report: FoundReport) -> None:
    echo(f"{report.key}  {report.title}")
    for place in report.places:
        labels = f"  ({', '.join(place.categories)})" if place.categories else ""
        echo(f"  {place.start:>6}  …{place.left} [{place.text}] {place.right}…{labels}")
    for span in report.spans:
        note = f"  note: {span.note}" if span.note else ""
        echo(f"    span  {span.category}: {span.quote}{note}")


# Opened to be changed only where it goes on record that others' spans were shown.
SEARCH = Command("study.casespan ventricular 'hypert*'", _search_arguments, search, writes=None)


def _spans_arguments(command: argparse.ArgumentParser) -> None:
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
    changes = bool(options.relabel or options.delete)
    if changes and options.csv:
        raise CallError("--csv is for a list of spans; --relabel and --delete write none.")
    with opened(options.project) as project:
        name, viewer = whose(project, options.annotator)
    if not name:
        raise CallError(_NOBODY)
    with opened(options.project, write=changes or bool(viewer)) as project:
        rows = list_spans(project, name, report=options.document, category=options.category, viewer=viewer)
        if options.ids:
            rows = _chosen(rows, options.ids)
        if changes:
            return _change(options, project, rows)
    table = spans_table(rows)
    if options.json:
        echo_json([asdict(row) for row in rows])
    elif options.csv:
        write_file(options.csv, csv_text(table))
        echo(f"{counted(len(rows), 'span')} were written to {options.csv}.")
    else:
        echo_lines(text_lines(table))
        echo(f"{counted(len(rows), 'span')} by {name}")
    return 0


def _chosen(rows: tuple[SpanRow, ...], ids: list[str]) -> tuple[SpanRow, ...]:
    missing = set(ids) - {row.uuid for row in rows}
    if missing:
        raise UnknownNameError(f"There is no span {min(missing)} among those listed.")
    return tuple(row for row in rows if row.uuid in ids)


def _change(options: argparse.Namespace, project: Project, rows: tuple[SpanRow, ...]) -> int:
    uuids, category = [row.uuid for row in rows], options.relabel
    changed: Changed = relabel_spans(project, uuids, category) if category else remove_spans(project, uuids)
    done = len(changed.edited) + len(changed.removed)
    act, same = "relabelled" if category else "removed", len(uuids) - done
    left = f"; {counted(same, 'span')} stayed as they were" if same else ""
    return tell(options, {act: done, "unchanged": same}, [f"{counted(done, 'span')} {act}{left}."])


# Opened to be changed only where spans are, or where it goes on record that others' were shown.
SPANS = Command("study.casespan --category GI --csv spans.csv", _spans_arguments, spans, writes=None)


def _figures_arguments(command: argparse.ArgumentParser) -> None:
    add_annotator(command)
    add_only(command, "document", "ID")
    command.add_argument(
        "--from",
        dest="sources",
        action="append",
        type=Path,
        metavar="PATH",
        help="bring figures and pictures from a package, XML or folder into reports that are there",
    )
    command.add_argument("--save", type=Path, metavar="DIR", help="write the pictures into a new folder")
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--csv", type=Path, metavar="FILE", help="write the project's numbers as CSV")


def figures(options: argparse.Namespace) -> int:
    if options.csv and (options.document or options.sources or options.save):
        raise CallError("--csv is of the whole project's numbers; leave --document, --from and --save out.")
    taken = None
    if options.sources:
        taken = finish(find_figures(options.project, options.sources, options.document))
    saved = save_pictures(options.project, options.save, options.document) if options.save else None
    listed = list_figures(options.project, options.document)
    totals = count_figures(listed.values())
    failed = 1 if taken is not None and taken.left_out else 0
    if options.json:
        reports = [{"report": key, "figures": list(map(asdict, own))} for key, own in listed.items()]
        values: dict[str, object] = {"reports": reports, "totals": totals}
        if taken is not None:
            values["left_out"] = [{"source": source, "reason": reason} for source, reason in taken.left_out]
        echo_json({**_numbers(options), **values})
        return failed
    if taken is not None:
        _echo_taken(taken)
    if saved is not None:
        echo(f"{counted(saved, 'picture')} written to {options.save}.")
    if options.document or taken is not None or saved is not None:
        for key, own in listed.items():
            echo_lines(_lines(key, own))
        echo(", ".join(f"{name} {number}" for name, number in totals.items()))
        return failed
    _show_project(options, totals)
    return 0


def _numbers(options: argparse.Namespace) -> dict[str, object]:
    found = count_project(options.project, whose(options.project, options.annotator)[0])
    # "reports" has the figures of each; how many reports are in which state is "states".
    tables = {"states" if key == "reports" else key: records(table) for key, table in found.tables.items()}
    return {"whose": found.annotator, "summary": found.summary, **tables}


def _show_project(options: argparse.Namespace, totals: dict[str, int]) -> None:
    found = count_project(options.project, whose(options.project, options.annotator)[0])
    if options.csv:
        parts = [f"{table.title}\n{csv_text(table)}" for table in found.tables.values()]
        write_file(options.csv, "\n".join(parts))
        echo(f"The figures were written to {options.csv}.")
        return
    echo(found.summary if found.annotator else f"{found.summary} {_NOBODY}")
    columns = (Column("What", "what", kind="words"), Column("Number", "number"))
    notes = ("Kept, missing and refused are pictures; --document ID lists them.",)
    pictures = Table(columns, tuple(totals.items()), "Figures in reports", notes)
    tables: list[Table[Any]] = [*found.tables.values(), pictures]
    for table in tables:
        echo()
        echo(table.title)
        echo_lines([*text_lines(table), *table.notes] if table.rows else ["none"])


def _echo_taken(taken: FigureSummary) -> None:
    echo(f"{counted(len(taken.changed), 'report')} with other figures now, {len(taken.same)} as before.")
    for source, reason in taken.left_out:
        echo(f"  {source}: {reason}")


def _lines(report: str, figures: Sequence[Figure]) -> Iterator[str]:
    yield f"{report}: {counted(len(figures), 'figure')}"
    for figure in figures:
        caption = "no caption" if figure.start is None else f"caption at {figure.start}-{figure.end}"
        panels = f", panels {', '.join(figure.panels)}" if figure.panels else ""
        mentions = counted(len(figure.mentions), "mention")
        yield f"  {figure.id} {figure.called}: {caption}{panels}, {mentions}"
        for image in figure.images:
            size = f" {image.width} x {image.height}" if image.width else ""
            yield f"    {image.file or image.href}: {image.state}{size} {image.reason}".rstrip()


FIGURES = Command(
    "study.casespan --json", _figures_arguments, figures, writes=lambda options: bool(options.sources)
)
