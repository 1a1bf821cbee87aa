"""`casespan differential`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json, add_only
from app.cli.console import echo, echo_json, finish
from app.cli.rankings import add_ranking, options_of, show_knowledge, show_ranking
from app.operations.project.output import require_writable_name
from app.text import counted

if TYPE_CHECKING:
    from app.operations.profile.differential import Differential


def _arguments(command: argparse.ArgumentParser) -> None:
    add_only(command, "document", "ID")
    command.add_argument(
        "--annotator",
        metavar="NAME",
        help="by whose terms (default: those of the project's annotator, else of whoever alone has some)",
    )
    add_ranking(command)
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--html", type=Path, metavar="FILE", help="write a self-contained page, with reasons")
    output.add_argument(
        "--csv", type=Path, metavar="FILE", help="write a row for each disease of each report, with reasons"
    )


def differential(options: argparse.Namespace) -> int:
    """Rank the diseases that explain each report; 1 where a report has no finding to rank by."""
    from app.operations.profile.differential import rank_reports
    from app.operations.profile.ranking_files import (
        differential_json,
        write_differential_csv,
        write_differential_page,
    )

    out: Path | None = options.html or options.csv
    if out is not None:
        require_writable_name(out)
    found = finish(
        rank_reports(options.project, options.annotator, options.document or (), options_of(options))
    )
    if options.json:
        echo_json(differential_json(found, explained=options.explain))
    elif out is not None:
        (write_differential_page if options.html else write_differential_csv)(found, out)
        echo(f"Diseases that explain {counted(len(found.reports), 'report')} written to {out}.")
    else:
        _show(found, options.explain)
    return 0 if found.reports and all(one.ranking.diseases for one in found.reports) else 1


def _show(found: Differential, explained: bool) -> None:
    show_knowledge(found.diseases, found.options, explained)
    for note in found.notes:
        echo(note)
    for one in found.reports:
        echo()
        present, denied = counted(len(one.profile.present), "finding"), len(one.profile.excluded)
        title = f"{one.report}: {present}, {denied} denied, by {found.annotator}"
        show_ranking(found.diseases, title, one.publications, one.ranking, found.options, explained)


COMMAND = Command("study.casespan --document PMC3518197 --explain", _arguments, differential)
