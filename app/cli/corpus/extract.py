"""`casespan corpus extract`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json
from app.cli.console import complain, finish, say, say_json
from app.cli.servers import number, positive
from app.operations.corpus.extracting import extract_corpus
from app.operations.corpus.options import TERMINOLOGY, CorpusOptions
from app.operations.corpus.reading import TASKS
from app.operations.corpus.workers import Place
from app.text import counted
from extractors.model.errors import InterruptedRunError

if TYPE_CHECKING:
    from app.operations.corpus.options import CorpusSummary

_SECONDS = 60.0


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "paths",
        nargs="+",
        type=Path,
        metavar="IN",
        help="folders, bulk archives of JATS (.tar.gz), JSON Lines, Parquet tables with a column of texts",
    )
    command.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help="the corpus: a new folder, or one to go on with",
    )
    extractor = command.add_mutually_exclusive_group(required=True)
    extractor.add_argument("--with", dest="extractor", choices=("rules",), help="the built-in rules")
    command.add_argument(
        "--task",
        choices=TASKS,
        default="quotes",
        help="quotes of the categories, HPO terms, or quotes with the nearest concept (default: quotes)",
    )
    command.add_argument(
        "--terminology",
        default=TERMINOLOGY,
        metavar="NAME",
        help=f"whose concepts the task codes takes (default: {TERMINOLOGY})",
    )
    _add_filter(command)
    _add_sharing(command)
    add_json(command)


def _add_filter(command: argparse.ArgumentParser) -> None:
    command.add_argument("--only-case-reports", action="store_true", help="leave out articles of other types")
    command.add_argument(
        "--exclude-titles",
        action="store_true",
        help="leave out articles about a procedure or a treatment, by title",
    )
    command.add_argument(
        "--terms",
        type=Path,
        metavar="FILE",
        help="keep only reports that mention a term of this list (one a line)",
    )
    command.add_argument(
        "--limit",
        type=number(1, 1_000_000_000),
        metavar="N",
        help="read so many files, lines or rows",
    )


def _add_sharing(command: argparse.ArgumentParser) -> None:
    where = command.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", type=number(1, 1024), default=1, metavar="N", help="workers on this machine (default: 1)"
    )
    where.add_argument(
        "--cluster", default="", metavar="ADDRESS", help="a Dask scheduler, like tls://host:8786"
    )
    command.add_argument(
        "--allow-remote", action="store_true", help="allow other machines: the reports' text is sent there"
    )
    command.add_argument(
        "--part-size",
        type=number(1, 1_000_000),
        default=100,
        metavar="N",
        help="files in a part (default: 100)",
    )
    command.add_argument(
        "--timeout",
        type=positive(float),
        metavar="S",
        help=f"seconds that a report may take (default: {_SECONDS:g})",
    )


def extract(options: argparse.Namespace) -> int:
    """Extract from all that is given; exit 1 where something failed or could not be read."""
    wanted = CorpusOptions(
        task=options.task,
        terminology=options.terminology,
        only_case_reports=options.only_case_reports,
        exclude_titles=options.exclude_titles,
        terms=options.terms,
        part_size=options.part_size,
        limit=options.limit,
        timeout=options.timeout or _SECONDS,
        place=Place(options.workers, options.cluster, options.allow_remote),
    )
    try:
        summary = finish(extract_corpus(options.paths, options.out, wanted, complain))
    except KeyboardInterrupt:
        raise InterruptedRunError(
            "Stopped; finished parts are kept, and the same command goes on from there."
        ) from None
    if options.json:
        say_json(_as_json(options.out, summary))
    else:
        _show(options.out, summary)
    return 0 if summary.whole else 1


def _as_json(out: Path, summary: CorpusSummary) -> dict[str, object]:
    return {
        "out": str(out),
        "reports": summary.reports,
        "parts": {"made": summary.made, "reused": summary.reused},
        "quotes": summary.quotes,
        "left_out": dict(summary.left_out),
        "failed": dict(summary.failed),
        "seconds": round(summary.seconds, 3),
        "reports_per_second": round(summary.rate, 2),
    }


def _show(out: Path, summary: CorpusSummary) -> None:
    say(f"{out}: {counted(summary.reports, 'report')} with {counted(summary.quotes, 'quote')}.")
    say(
        f"  {counted(summary.made, 'part')} made, {summary.reused} there already; {summary.new} reports in "
        f"{summary.seconds:.1f} seconds, {summary.rate:.1f} a second"
    )
    for what, counts in (("left out", summary.left_out), ("set aside", summary.failed)):
        for reason, times in counts.items():
            say(f"  {what}, {reason}: {times}")
    if summary.left_out or summary.failed:
        say(f"  each with its sentence in {out / 'left_out'}")


COMMAND = Command("articles/ --out corpus --with rules", _arguments, extract, project=False)
