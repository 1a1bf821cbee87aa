"""`casespan corpus search`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import Command, add_json
from app.cli.console import finish, tell
from app.cli.corpus.sample import add_folder
from app.cli.servers import number
from app.operations.corpus.sampling import open_reports
from app.operations.corpus.searching import LIMIT, search_corpus
from app.text import counted


def _arguments(command: argparse.ArgumentParser) -> None:
    add_folder(command)
    command.add_argument(
        "text", metavar="TEXT", help='words near each other in any form, "phrases", and beginnings* of words'
    )
    command.add_argument("--category", default="", metavar="C", help="in quotes of this category alone")
    command.add_argument(
        "--limit", type=number(1, 10**6), default=LIMIT, metavar="N", help=f"show so many (default: {LIMIT})"
    )
    command.add_argument("--to", type=Path, metavar="PROJECT", help="put these reports into a new project")
    add_json(command)


def search(options: argparse.Namespace) -> int:
    """Show what is found, and put it into a project where that is asked."""
    found = finish(search_corpus(options.folder, options.text, options.category, options.limit))
    parts = []
    for hit in found.hits:
        year = "" if hit.year is None else f"  {hit.year}"
        shown = " ".join(f"{hit.left}[{hit.text}]{hit.right}".split())
        parts += [f"{hit.report}  {hit.title}{year}", f"    …{shown}…"]
    parts.append(f"{counted(found.total, 'hit')}, {len(found.hits)} of them shown.")
    told: dict[str, object] = {"total": found.total, "hits": [asdict(hit) for hit in found.hits]}
    if options.to is not None and found.hits:
        names = list(dict.fromkeys(hit.report for hit in found.hits))
        project = open_reports(options.folder, options.to, names)
        parts.append(f"{counted(len(names), 'report')} put into {project}.")
        told |= {"project": str(project), "reports": len(names)}
    return tell(options, told, parts)


COMMAND = Command("corpus 'hypert* nephropathy' --category GU", _arguments, search, project=False)
