"""`casespan labels`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import Command, add_json, finish, tell
from app.operations.exchange.labels import KeptLabel, LabelSummary, kept_labels, label_table, set_labels
from app.text import counted


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--set",
        type=Path,
        metavar="MAP.toml",
        help="what labels stand for; annotations kept under them become quotes of those categories",
    )
    command.add_argument("--toml", action="store_true", help="print the table as it would be set")
    add_json(command)


def labels(options: argparse.Namespace) -> int:
    """Labels that other programs' files brought along, and what they stand for."""
    if options.set is not None:
        summary = finish(set_labels(options.project, options.set))
    else:
        summary = LabelSummary(kept_labels(options.project))
    if options.toml:
        table = label_table(options.project)
        return tell(options, {"toml": table}, [table.rstrip()])
    lines = [_line(one) for one in summary.labels] or ["No label but the scheme's own came along."]
    if options.set is not None:
        lines.append(f"{counted(summary.moved, 'annotation')} became quotes.")
    return tell(options, _as_json(summary), [*lines, *summary.notes])


def _line(one: KeptLabel) -> str:
    kept = counted(one.annotations, "annotation")
    if one.meaning is None:
        return f"{one.label}: {kept} kept as they are" + (", as was said" if one.decided else "")
    more = ", ".join(filter(None, (one.meaning.field, one.meaning.polarity)))
    return f"{one.label}: stands for {one.meaning.category}{f' ({more})' if more else ''}, {kept} kept"


def _as_json(summary: LabelSummary) -> dict[str, object]:
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


COMMAND = Command(
    "study.casespan --set map.toml", _arguments, labels, writes=lambda options: options.set is not None
)
