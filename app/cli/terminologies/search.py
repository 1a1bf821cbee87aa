"""`casespan terminology search`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json
from app.cli.console import say, say_json, say_table

if TYPE_CHECKING:
    import argparse


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="the terminology (HPO)")
    command.add_argument("text", metavar="TEXT", help="a name, its beginning, or a code")
    command.add_argument("--limit", type=int, default=10, metavar="N", help="at most so many (default: 10)")
    command.add_argument("--release", default="", metavar="R", help="this release (default: the newest)")
    add_json(command)


def search(options: argparse.Namespace) -> int:
    """Show the concepts, best first."""
    from extractors.model.errors import CallError
    from extractors.terminology.library import open_terminology
    from extractors.terminology.search import Search

    if options.limit < 1:
        raise CallError("--limit must be 1 or more.")
    terminology = open_terminology(options.name, options.release)
    hits = Search(terminology).find(options.text, options.limit)
    if options.json:
        say_json(
            [
                {
                    "code": hit.code,
                    "label": hit.label,
                    "uri": terminology.concept(hit.code).uri,
                    "matched": {"label": hit.matched.text, "kind": hit.matched.kind},
                    "leaf": hit.leaf,
                    "score": hit.score,
                }
                for hit in hits
            ]
        )
    elif hits:
        say_table(
            ("code", "label", "matched", "score"),
            [(hit.code, hit.label, hit.matched.text, f"{hit.score:.2f}") for hit in hits],
        )
    else:
        say(f"{terminology.name} {terminology.release} has nothing like “{options.text}”.")
    return 0


COMMAND = Command("HPO 'gait ataxia'", _arguments, search, project=False)
