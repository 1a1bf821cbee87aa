"""`casespan figures`: the numbers of a project, and the figures of its reports with their pictures."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.cli.arguments import Command, add_annotator, add_json, add_only, echo, echo_json, echo_lines, finish
from app.operations.exchange.figures import FigureSummary, find_figures, save_pictures
from app.operations.find.figures import count_project
from app.operations.find.search import whose
from app.operations.project.figures import FigureList, list_figures
from app.operations.project.output import write_bytes
from app.tables import Column, Table, csv_text, records, text_lines
from app.text import counted


def _arguments(command: argparse.ArgumentParser) -> None:
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
    """Show the figures of reports, and what there is in the project, table by table."""
    taken = None
    if options.sources:
        taken = finish(find_figures(options.project, options.sources, options.document))
    saved = save_pictures(options.project, options.save, options.document) if options.save else None
    listed = list_figures(options.project, options.document)
    failed = 1 if taken is not None and taken.left_out else 0
    if options.json:
        reports = [
            {"report": one.report, "figures": list(map(asdict, one.figures))} for one in listed.reports
        ]
        told: dict[str, object] = {"reports": reports, "totals": listed.totals}
        if taken is not None:
            told["left_out"] = [{"source": source, "reason": reason} for source, reason in taken.left_out]
        echo_json({**_numbers(options), **told})
        return failed
    if taken is not None:
        _echo_taken(taken)
    if saved is not None:
        echo(f"{counted(saved, 'picture')} written to {options.save}.")
    if options.document or taken is not None or saved is not None:
        echo_lines("\n".join(_lines(listed)))
        return failed
    _show_project(options, listed)
    return 0


def _numbers(options: argparse.Namespace) -> dict[str, object]:
    found = count_project(options.project, whose(options.project, options.annotator)[0])
    # "reports" has the figures of each; how many reports are in which state is "states".
    tables = {"states" if key == "reports" else key: records(table) for key, table in found.tables.items()}
    return {"annotator": found.annotator, "summary": found.summary, **tables}


def _show_project(options: argparse.Namespace, listed: FigureList) -> None:
    found = count_project(options.project, whose(options.project, options.annotator)[0])
    if options.csv:
        parts = [f"{table.title}\n{csv_text(table)}" for table in found.tables.values()]
        write_bytes(options.csv, "\n".join(parts).encode())
        echo(f"The figures were written to {options.csv}.")
        return
    echo(found.summary)
    tables: list[Table[Any]] = [*found.tables.values(), _totals(listed)]
    for table in tables:
        echo()
        echo(table.title)
        echo_lines("\n".join([*text_lines(table), *table.notes]) if table.rows else "none")


def _totals(listed: FigureList) -> Table[str | int]:
    columns = (Column("What", "what", kind="words"), Column("Number", "number"))
    notes = ("Kept, missing and refused are pictures; --document ID lists them.",)
    return Table(columns, tuple(listed.totals.items()), "Figures in reports", notes)


def _echo_taken(taken: FigureSummary) -> None:
    echo(f"{counted(len(taken.changed), 'report')} with other figures now, {len(taken.same)} as before.")
    for source, reason in taken.left_out:
        echo(f"  {source}: {reason}")


def _lines(listed: FigureList) -> Iterator[str]:
    for one in listed.reports:
        yield f"{one.report}: {counted(len(one.figures), 'figure')}"
        for figure in one.figures:
            caption = "no caption" if figure.start is None else f"caption at {figure.start}-{figure.end}"
            panels = f", panels {', '.join(figure.panels)}" if figure.panels else ""
            mentions = counted(len(figure.mentions), "mention")
            yield f"  {figure.id} {figure.called}: {caption}{panels}, {mentions}"
            for image in figure.images:
                size = f" {image.width} x {image.height}" if image.width else ""
                yield f"    {image.file or image.href}: {image.state}{size} {image.reason}".rstrip()
    yield ", ".join(f"{name} {number}" for name, number in listed.totals.items())


COMMAND = Command("study.casespan --json", _arguments, figures, writes=lambda options: bool(options.sources))
