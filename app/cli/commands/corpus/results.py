"""`casespan corpus sample`, `quality`, `summary` and `search`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from app.cli.arguments import Command, add_json, echo, echo_table, finish, tell
from app.cli.servers import number, positive
from app.operations.corpus.quality import (
    WIDTH,
    measure_quality,
    quality_json,
    quality_sentences,
    quality_tables,
)
from app.operations.corpus.sampling import WAYS, making_project, sample_corpus
from app.operations.corpus.searching import LIMIT, search_corpus
from app.operations.corpus.summary import (
    summarise_corpus,
    summary_json,
    summary_page,
    summary_sentences,
    summary_tables,
)
from app.operations.project.output import write_file
from app.tables import text_lines
from app.text import counted


def add_folder(command: argparse.ArgumentParser) -> None:
    """Add the corpus, as several commands name it."""
    command.add_argument("folder", type=Path, metavar="DIR", help="what casespan corpus extract made")


def _sample_arguments(command: argparse.ArgumentParser) -> None:
    add_folder(command)
    command.add_argument("to", type=Path, metavar="PROJECT", help="the new project")
    command.add_argument(
        "--count", type=number(2, 1_000_000), required=True, metavar="N", help="how many reports, about"
    )
    command.add_argument(
        "--by",
        choices=WAYS,
        default="plain",
        help="all alike (plain, the default), rare categories more often, or those where the model was least "
        "sure, or contradicts itself",
    )
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of the draw (default: 0)")
    add_json(command)


def sample(options: argparse.Namespace) -> int:
    made = finish(sample_corpus(options.folder, options.to, options.count, options.by, options.seed))
    strata = {label or "others": {"drawn": n, "reports": of} for label, (n, of) in made.strata.items()}
    told = {"project": str(made.project), "drawn": made.drawn, "reports": made.reports, "by": options.by}
    parts = [
        f"{counted(made.drawn, 'report')} of {made.reports:,} drawn into {made.project}.",
        "  what the corpus has in them is the run corpus: annotate without looking at it, then",
        f"  casespan corpus quality {options.folder} {made.project} --annotator NAME",
    ]
    code = tell(options, {**told, "seed": options.seed, "strata": strata}, parts)
    if not options.json and len(strata) > 1:
        echo_table(
            ("stratum", "drawn", "of"), [(k, str(v["drawn"]), str(v["reports"])) for k, v in strata.items()]
        )
    return code


SAMPLE = Command("corpus sample.casespan --count 100 --by category", _sample_arguments, sample, project=False)


def _quality_arguments(command: argparse.ArgumentParser) -> None:
    add_folder(command)
    command.add_argument("sample", type=Path, metavar="PROJECT", help="the project that was drawn from it")
    command.add_argument("--annotator", required=True, metavar="NAME", help="who annotated it")
    command.add_argument(
        "--width",
        type=positive(float),
        default=WIDTH,
        metavar="W",
        help=f"how wide intervals may be, for the number of reports still needed (default: {WIDTH:g})",
    )
    add_json(command)


def quality(options: argparse.Namespace) -> int:
    found = measure_quality(options.folder, options.sample, options.annotator, options.width)
    lines = quality_sentences(found)
    for table in quality_tables(found):
        lines += ["", table.title, "", *text_lines(table, []), *table.notes]
    return tell(options, quality_json(found), lines)


QUALITY = Command("corpus sample.casespan --annotator ana", _quality_arguments, quality, project=False)


def _summary_arguments(command: argparse.ArgumentParser) -> None:
    add_folder(command)
    output = command.add_mutually_exclusive_group()
    add_json(output)
    output.add_argument("--html", type=Path, metavar="FILE", help="write a self-contained page with charts")


def summary(options: argparse.Namespace) -> int:
    found = finish(summarise_corpus(options.folder))
    if options.html:
        write_file(options.html, summary_page(found, options.folder.name))
        echo(f"Summary of {options.folder} written to {options.html}.")
        return 0
    lines = summary_sentences(found)
    for table in summary_tables(found).values():
        if table.rows:
            lines += ["", table.title, "", *text_lines(table, [])]
    return tell(options, summary_json(found), lines)


SUMMARY = Command("corpus --html corpus.html", _summary_arguments, summary, project=False)


def _search_arguments(command: argparse.ArgumentParser) -> None:
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
        project = finish(making_project(options.folder, options.to, names))
        parts.append(f"{counted(len(names), 'report')} put into {project}.")
        told |= {"project": str(project), "reports": len(names)}
    return tell(options, told, parts)


SEARCH = Command("corpus 'hypert* nephropathy' --category GU", _search_arguments, search, project=False)
