"""`casespan regions`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.agreement.regions import THRESHOLD, RegionScore
from app.cli.arguments import Command, add_annotator, add_json, echo, echo_json, echo_lines, tell
from app.operations.annotate.regions import (
    Marked,
    add_region,
    compare_regions,
    list_regions,
    region_records,
    remove_region,
)
from app.operations.find.search import whose
from app.operations.project.opening import opened
from app.operations.project.output import write_file
from app.tables import Column, Table, csv_text, text_lines
from app.text import counted
from extractors.model.errors import CallError

_OF_A_MARK = "box", "picture", "category", "finding", "note", "span"
_COLUMNS = tuple("id report figure picture x y width height category finding note span annotator".split())


def _arguments(command: argparse.ArgumentParser) -> None:
    add_annotator(command)
    command.add_argument("--document", metavar="ID", help="one report (default: all)")
    act = command.add_mutually_exclusive_group()
    act.add_argument("--add", metavar="FIGURE", help="mark a box on a figure (as f2) of the report")
    act.add_argument("--remove", metavar="ID", help="take a region away; undo brings it back")
    act.add_argument("--against", metavar="NAME", help="measure how far this annotator's regions agree")
    command.add_argument("--box", nargs=4, type=int, metavar=("X", "Y", "W", "H"), help="in pixels")
    command.add_argument("--picture", default="", metavar="SHA256", help="which of the figure's pictures")
    command.add_argument("--category", metavar="C", help="what the region shows belongs to")
    command.add_argument("--finding", default="", metavar="WORDS", help="what is seen there")
    command.add_argument("--note", default="", metavar="WORDS")
    command.add_argument("--span", metavar="ID", help="the span that says it in the text")
    command.add_argument(
        "--iou", type=float, default=THRESHOLD, help=f"least overlap of a pair (default: {THRESHOLD})"
    )
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--out", type=Path, metavar="FILE", help="write them as .jsonl or .csv")


def regions(options: argparse.Namespace) -> int:
    if not 0 < options.iou <= 1:
        raise CallError("--iou is the share of two boxes that overlaps: above 0, 1 at most.")
    if options.out and (options.against or options.remove):
        raise CallError("--out is for a list of regions; --against and --remove write none.")
    if not options.add and (given := next(filter(vars(options).get, _OF_A_MARK), None)):
        raise CallError(f"--{given} is of a region to be marked, with --add FIGURE.")
    with opened(options.project) as project:
        name, viewer = whose(project, options.annotator)
        other = whose(project, options.against)[0]
    if not name:
        raise CallError("The project names no annotator; say whose regions, with --annotator.")
    with opened(options.project, write=bool(options.add or options.remove or viewer)) as project:
        if options.against:
            score = compare_regions(project, name, other, options.iou, options.document)
            return tell(options, asdict(score), _score_lines(score))
        if options.remove:
            remove_region(project, options.remove)
            return tell(options, {"removed": 1}, ["1 region removed."])
        if options.add:
            if not (options.box and options.category and options.document):
                raise CallError("A region needs --document, --box X Y W H and --category.")
            marked = Marked(options.category, options.finding, options.note, options.span)
            picture = (options.document, options.add, options.picture)
            found = [add_region(project, name, picture, tuple(options.box), marked)]
        else:
            found = list_regions(project, name, options.document, viewer)
        return _show(options, region_records(project, found, name), name)


def _show(options: argparse.Namespace, records: list[dict[str, Any]], name: str) -> int:
    rows = tuple(tuple(record[column] for column in _COLUMNS) for record in records)
    table = Table(tuple(Column(one.capitalize(), one, kind="words") for one in _COLUMNS), rows)
    if options.json:
        echo_json(records)
    elif options.out:
        lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        is_csv = options.out.suffix.lower() == ".csv"
        write_file(options.out, csv_text(table) if is_csv else lines)
        echo(f"{counted(len(records), 'region')} written to {options.out}.")
    else:
        echo_lines(text_lines(table))
        echo(f"{counted(len(records), 'region')} by {name}")
    return 0


def _score_lines(score: RegionScore) -> Iterator[str]:
    sides = f"{score.left} and {score.right} regions"
    yield f"Overlap (IoU) of at least {score.threshold:g}: {counted(score.pairs, 'pair')} of {sides}."
    for what in ("f1", "mean_iou", "same_category"):
        value = getattr(score, what)
        yield f"  {what}: {'nothing to measure' if value is None else format(value, '.3f')}"


# Opened to be changed only where regions are, or where it goes on record that others' were shown.
COMMAND = Command("study.casespan --document PMC123 --json", _arguments, regions, writes=None)
