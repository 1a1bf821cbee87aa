"""`casespan terminology show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json
from app.cli.console import say, say_json

if TYPE_CHECKING:
    import argparse


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="the terminology (HPO or ICD11)")
    command.add_argument("code", metavar="CODE", help="the concept; of one that was merged the one in use")
    command.add_argument("--release", default="", metavar="R", help="this release (default: the newest)")
    add_json(command)


def show(options: argparse.Namespace) -> int:
    """Show one concept."""
    from extractors.terminology.library import open_terminology

    terminology = open_terminology(options.name, options.release)
    concept = terminology.concept(options.code.upper())
    row = terminology.row(concept.code)
    children = [] if row is None else [terminology.codes[one] for one in terminology.children[row]]
    labels = {code: terminology.concept(code).label for code in (*concept.parents, *children)}
    if options.json:
        say_json(
            {
                "code": concept.code,
                "label": concept.label,
                "definition": concept.definition,
                "uri": concept.uri,
                "release": terminology.release,
                "obsolete": concept.obsolete,
                "replaced_by": concept.replaced_by or None,
                "alternatives": list(concept.alternatives),
                "synonyms": [
                    {"label": one.text, "kind": one.kind, "language": one.language}
                    for one in concept.names[1:]
                ],
                "parents": [{"code": code, "label": labels[code]} for code in concept.parents],
                "children": [{"code": code, "label": labels[code]} for code in children],
                "xrefs": list(concept.xrefs),
            }
        )
        return 0
    say(f"{concept.code}  {concept.label}  ({terminology.name} {terminology.release})")
    if concept.obsolete:
        successor = f"; {concept.replaced_by} stands in its place" if concept.replaced_by else ""
        say(f"  no longer in use{successor}")
    if concept.definition:
        say(f"  {concept.definition}")
    for title, lines in (
        ("also called", [f"{one.text} ({one.kind})" for one in concept.names[1:]]),
        ("more general", [f"{code} {labels[code]}" for code in concept.parents]),
        ("more special", [f"{code} {labels[code]}" for code in children]),
        ("elsewhere", concept.xrefs),
    ):
        if lines:
            say(f"  {title}: {'; '.join(lines)}")
    return 0


COMMAND = Command("HPO HP:0002066", _arguments, show, project=False)
