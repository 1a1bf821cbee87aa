"""`casespan terminology search`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json
from app.cli.console import echo, echo_json, echo_source, echo_table

if TYPE_CHECKING:
    import argparse

    from extractors.terminology.search import Hit


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="the terminology (HPO, ICD11 or Orphanet)")
    command.add_argument("text", metavar="TEXT", help="a name, its beginning, or a code")
    command.add_argument("--limit", type=int, default=10, metavar="N", help="at most so many (default: 10)")
    command.add_argument("--release", default="", metavar="R", help="this release (default: the newest)")
    command.add_argument(
        "--language", default="en", metavar="L", help="the language of titles, where they were imported (en)"
    )
    command.add_argument(
        "--extensions", action="store_true", help="of ICD11: find extension codes (chapter X) as well"
    )
    add_json(command)


def search(options: argparse.Namespace) -> int:
    """Show the concepts, best first."""
    from extractors.model.errors import CallError
    from extractors.terminology.library import open_terminology
    from extractors.terminology.search import Search

    if options.limit < 1:
        raise CallError("--limit must be 1 or more.")
    terminology = open_terminology(options.name, options.release)
    search_in = Search(terminology, extensions=options.extensions, language=options.language)
    hits = search_in.find(options.text, options.limit)
    if options.json:
        echo_json(
            [
                {
                    "code": hit.code,
                    "label": hit.label,
                    "uri": terminology.concept(hit.code).uri,
                    "matched": {"label": hit.matched.text, "kind": hit.matched.kind},
                    "leaf": hit.leaf,
                    **({"residual": hit.residual} if terminology.classes else {}),
                    "score": hit.score,
                }
                for hit in hits
            ]
        )
    elif hits:
        echo_table(
            ("code", "label", "matched", "score"),
            [(hit.code, hit.label, _matched(hit), f"{hit.score:.2f}") for hit in hits],
        )
    else:
        echo(f"{terminology.name} {terminology.release} has nothing like “{options.text}”.")
    if hits and (terminology.classes or not options.json):
        echo_source(terminology.source, json=options.json)
    return 0


def _matched(hit: Hit) -> str:
    """What matched, words of ours and other revisions' marked."""
    mark = {"lexicon": " (our words)", "icd10": " (ICD-10)"}.get(hit.matched.kind, "")
    return f"{hit.matched.text}{mark}"


COMMAND = Command("HPO 'gait ataxia'", _arguments, search, project=False)
