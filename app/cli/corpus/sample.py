"""`casespan corpus sample`."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import Command, add_json
from app.cli.console import echo_table, finish, tell
from app.cli.servers import number
from app.operations.corpus.drawing import WAYS
from app.operations.corpus.sampling import sample_corpus
from app.text import counted


def add_folder(command: argparse.ArgumentParser) -> None:
    """Add the corpus, as several commands name it."""
    command.add_argument("folder", type=Path, metavar="DIR", help="what casespan corpus extract made")


def _arguments(command: argparse.ArgumentParser) -> None:
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
    """Draw reports into a project."""
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


COMMAND = Command("corpus sample.casespan --count 100 --by category", _arguments, sample, project=False)
