"""`casespan corpus extract`."""

from __future__ import annotations

import argparse
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_filter, add_json, complain, echo, echo_json, finish
from app.cli.servers import (
    FOR_MODELS,
    add_model_options,
    add_strategy,
    client_of,
    number,
    options_of,
    positive,
    quotes_options,
    refuse,
)
from app.operations.corpus.extracting import TERMINOLOGY, CorpusOptions, CorpusSummary, extract_corpus
from app.operations.corpus.reading import TASKS
from app.operations.corpus.workers import Place
from app.operations.extract.options import ModelOptions
from app.text import counted
from extractors.model.errors import CallError, InterruptedRunError

if TYPE_CHECKING:
    from app.operations.profile.asked import TermOptions
    from extractors.model.progress import Progress

_SECONDS, _SILENCE = 60.0, 300.0
_MODEL_ONLY = ("strategy", "prompting", "category", *(name for name in FOR_MODELS if name != "allow_remote"))


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
    extractor.add_argument("--model", metavar="NAME", help="a model of the servers (see --host)")
    command.add_argument(
        "--task",
        choices=TASKS,
        default="quotes",
        help="quotes of the categories, HPO terms, or quotes with the nearest concept (default: quotes)",
    )
    command.add_argument(
        "--terminology", metavar="NAME", help=f"whose concepts the task codes takes (default: {TERMINOLOGY})"
    )
    add_filter(command)
    command.add_argument(
        "--limit", type=number(1, 1_000_000_000), metavar="N", help="read so many files, lines or rows"
    )
    _add_sharing(command)
    add_strategy(command)
    add_model_options(command, several=True)
    add_json(command)


def _add_sharing(command: argparse.ArgumentParser) -> None:
    where = command.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", type=number(1, 1024), default=1, metavar="N", help="workers on this machine (default: 1)"
    )
    where.add_argument(
        "--cluster", default="", metavar="ADDRESS", help="a Dask scheduler, like tls://host:8786"
    )
    command.add_argument(
        "--part-size", type=number(1, 10**6), default=100, metavar="N", help="files in a part (default: 100)"
    )
    command.add_argument(
        "--timeout",
        type=positive(float),
        metavar="S",
        help=f"seconds that reading a report may take (default: {_SECONDS:g}), and a server be silent "
        f"(default: {_SILENCE:g})",
    )


def extract(options: argparse.Namespace) -> int:
    """Extract from all that is given; exit 1 where something failed or could not be read."""
    if options.task != "codes":
        refuse(options, ("terminology",), "is for the task codes.")
    wanted = CorpusOptions(
        task=options.task,
        terminology=options.terminology or TERMINOLOGY,
        only_case_reports=options.only_case_reports,
        exclude_titles=options.exclude_titles,
        terms=options.terms,
        part_size=options.part_size,
        limit=options.limit,
        timeout=options.timeout or _SECONDS,
        place=Place(options.workers, options.cluster, options.allow_remote),
    )
    if options.extractor:
        refuse(options, _MODEL_ONLY, "is for models; the rules do without it.")
        job = extract_corpus(options.paths, options.out, wanted, complain)
    else:
        if options.cluster:
            raise CallError("--cluster is for the rules; models are asked by this program alone.")
        job = _asked(options, wanted)
    try:
        summary = finish(job)
    except KeyboardInterrupt:
        raise InterruptedRunError(
            "Stopped; finished parts are kept, and the same command goes on from there."
        ) from None
    if options.json:
        echo_json(_as_json(options.out, summary))
    else:
        _show(options.out, summary)
    return 0 if summary.whole else 1


def _asked(options: argparse.Namespace, wanted: CorpusOptions) -> Generator[Progress, None, CorpusSummary]:
    """What a model is asked, at every server that was named."""
    # Imported here: the rules and the help need none of it.
    from app.operations.corpus.asking import ask_corpus
    from app.operations.profile.asked import TermOptions
    from extractors.llm.backends.several import SeveralServers

    hosts = tuple(dict.fromkeys(options.host or [None]))
    clients = [client_of(options, host) for host in hosts]
    client = SeveralServers(clients, options.parallel or 1, options.timeout or _SILENCE)
    options.document, options.resume = (), False
    options.parallel = (options.parallel or 1) * len(hosts)
    remote = " and ".join(dict.fromkeys(filter(None, (client.remote, client.card(options.model).remote))))
    if remote:
        complain(f"The reports' text goes to {remote} (--allow-remote).")
    if wanted.task == "phenotypes":
        refuse(options, ("strategy", "prompting", "category"), "is for the tasks quotes and codes.")
        asked: ModelOptions | TermOptions = options_of(TermOptions, options, options.model)
    else:
        asked = quotes_options(options, options.model)
    return ask_corpus(options.paths, options.out, wanted, client, asked, complain)


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
    echo(f"{out}: {counted(summary.reports, 'report')} with {counted(summary.quotes, 'quote')}.")
    echo(
        f"  {counted(summary.made, 'part')} made, {summary.reused} there already; "
        f"{counted(summary.new, 'report')} in {summary.seconds:.1f} seconds, {summary.rate:.1f} a second"
    )
    for what, counts in (("left out", summary.left_out), ("set aside", summary.failed)):
        for reason, times in counts.items():
            echo(f"  {what}, {reason}: {times}")
    if summary.left_out or summary.failed:
        echo(f"  each with its sentence in {out / 'left_out'}")


COMMAND = Command("articles/ --out corpus --with rules", _arguments, extract, project=False)
