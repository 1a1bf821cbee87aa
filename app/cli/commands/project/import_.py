"""`casespan import` and `labels`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import (
    Command,
    add_filter,
    add_json,
    echo,
    echo_json,
    echo_lines,
    echo_whole,
    finish,
    tell,
)
from app.formats import READ_FORMATS
from app.operations.exchange.importing import (
    DEFAULT_ANNOTATOR,
    ImportOptions,
    ImportSummary,
    describe_annotations,
    import_reports,
    list_unplaced_imports,
    pasted,
)
from app.operations.exchange.labels import KeptLabel, LabelSummary, kept_labels, label_table, set_labels
from app.operations.exchange.previewing import ImportPreview, ReportPreview, preview_import
from app.text import counted
from extractors.grouping import grouped

if TYPE_CHECKING:
    from app.formats.record import LeftOut

_QUOTE_WIDTH = 160
_STDIN = "-"


def _import_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "paths",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="files, folders, PMC .tar.gz packages, - for a text that is piped in",
    )
    command.add_argument(
        "--format", choices=READ_FORMATS, default="auto", help="what the files are (default: found out)"
    )
    command.add_argument(
        "--annotator",
        metavar="NAME",
        help="the annotator of the annotations in the files (default: imported)",
    )
    command.add_argument(
        "--dry-run", action="store_true", help="say how each file would be read, and import nothing"
    )
    add_filter(command)
    command.add_argument(
        "--labels",
        type=Path,
        metavar="MAP.toml",
        help='what labels of the files stand for, as Sign_symptom = "GI"; remembered in the project',
    )
    command.add_argument(
        "--no-pictures", action="store_true", help="keep figures and captions, but not the bytes of pictures"
    )
    add_json(command)


def import_(options: argparse.Namespace) -> int:
    """Add reports and annotations; exit 1 where a file could not be read."""
    chosen = ImportOptions(
        file_format=options.format,
        annotator=DEFAULT_ANNOTATOR if options.annotator is None else options.annotator,
        only_case_reports=options.only_case_reports,
        exclude_titles=options.exclude_titles,
        terms=options.terms,
        labels=options.labels,
        pictures=not options.no_pictures,
    )
    sources = [pasted(sys.stdin.read()) if str(path) == _STDIN else path for path in options.paths]
    if options.dry_run:
        return _preview(finish(preview_import(options.project, sources, chosen)), as_json=options.json)
    summary = finish(import_reports(options.project, sources, chosen))
    if options.json:
        echo_json(_as_json(summary))
    else:
        _show(summary)
    return 1 if any(entry.failed for entry in summary.left_out) else 0


def _preview(preview: ImportPreview, *, as_json: bool) -> int:
    """Say how each file would be read; exit 1 where one cannot be."""
    if as_json:
        echo_json([_preview_json(one) for one in preview.reports])
    for one in () if as_json else preview.reports:
        echo(f"{one.source}: {one.left_out or one.title}")
        if one.document is not None:
            echo(f"  read as: {', '.join(one.about)}")
            for path in one.headings:
                echo(f"  {'  ' * len(path)}{path[-1]}")
        for note in one.notes:
            echo(f"  note: {note}")
    if not as_json:
        echo("Nothing was imported.")
    return 1 if any(one.failed for one in preview.reports) else 0


def _preview_json(one: ReportPreview) -> dict[str, object]:
    return {
        "source": one.source,
        "title": one.title,
        "read_as": one.read_as,
        "words": one.words,
        "headings": [list(path) for path in one.headings],
        "annotations": one.annotations,
        "notes": list(one.notes),
        "left_out": one.left_out or None,
        "failed": one.failed,
    }


def _show(summary: ImportSummary) -> None:
    echo(f"{counted(len(summary.added), 'report')} added.")
    if summary.empty:
        echo("There was nothing to import in what was given.")
    sources = grouped(((note.source.partition("#")[0], note.text), note.source) for note in summary.notes)
    for (_, text), (first, *more) in sources.items():
        echo(f"  {first}{f' and {len(more):,} more' if more else ''}: {text}")
    _show_records("already there", summary.repeated)
    _show_records("left out", summary.left_out)
    echo_lines(describe_annotations(summary))
    for line in list_unplaced_imports(summary, _QUOTE_WIDTH):
        echo(f"  no place in {line}")


def _show_records(heading: str, records: Sequence[LeftOut]) -> None:
    if records:
        echo(f"{counted(len(records), 'record')} {heading}:")
    for record in records:
        echo(f"  {record.source}: {record.reason}")


def _as_json(summary: ImportSummary) -> dict[str, object]:
    return {
        "added": [
            {"id": report.key, "title": report.title, "source": report.source} for report in summary.added
        ],
        "repeated": [asdict(record) for record in summary.repeated],
        "left_out": [asdict(record) for record in summary.left_out],
        "notes": [asdict(note) for note in summary.notes],
        "nothing_found": summary.nothing_found,
        "annotations": dict(summary.annotations),
        "labels": dict(summary.labels),
        "figures": dict(summary.figures),
        "unplaced": [
            {
                "id": unplaced.key,
                "category": unplaced.category,
                "quote": unplaced.quote,
                "grounding": unplaced.grounding.status,
                "reason": unplaced.grounding.reason,
            }
            for unplaced in summary.unplaced
        ],
    }


IMPORT = Command("study.casespan reports/ --only-case-reports", _import_arguments, import_, writes=True)


def _labels_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--set",
        type=Path,
        metavar="MAP.toml",
        help="what labels stand for; annotations kept under them become quotes of those categories",
    )
    command.add_argument("--toml", action="store_true", help="print the table as it would be set")
    add_json(command)


def labels(options: argparse.Namespace) -> int:
    if options.set is not None:
        summary = finish(set_labels(options.project, options.set))
    else:
        summary = LabelSummary(kept_labels(options.project))
    if options.toml:
        table = label_table(options.project)
        if not options.json:
            echo_whole(table)
        return tell(options, {"toml": table}, ())
    lines = [_line(one) for one in summary.labels] or ["No label but the scheme's own came along."]
    if options.set is not None:
        lines.append(f"{counted(summary.moved, 'annotation')} became quotes.")
    return tell(options, _labels_json(summary), [*lines, *summary.notes])


def _line(one: KeptLabel) -> str:
    kept = counted(one.annotations, "annotation")
    if one.meaning is None:
        return f"{one.label}: {kept} kept as they are" + (", as was said" if one.decided else "")
    more = ", ".join(filter(None, (one.meaning.field, one.meaning.polarity)))
    return f"{one.label}: stands for {one.meaning.category}{f' ({more})' if more else ''}, {kept} kept"


def _labels_json(summary: LabelSummary) -> dict[str, object]:
    return {
        "labels": [
            {
                "label": one.label,
                "annotations": one.annotations,
                "category": one.meaning.category if one.meaning else None,
                "field": one.meaning.field if one.meaning else "",
                "polarity": one.meaning.polarity if one.meaning else None,
                "decided": one.decided,
            }
            for one in summary.labels
        ],
        "moved": summary.moved,
        "notes": list(summary.notes),
    }


LABELS = Command(
    "study.casespan --set map.toml", _labels_arguments, labels, writes=lambda options: options.set is not None
)
