"""`casespan code`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_annotator, add_json
from app.cli.console import say, say_json, say_source, say_table
from app.operations.annotate.concepts import clear_concept, set_concept, suggest_concepts
from app.operations.find.spans import whose
from app.operations.project.opening import opened
from app.text import counted, shortened
from extractors.model.errors import CallError

if TYPE_CHECKING:
    from extractors.model.coding import Coding

_WIDTH = 50


def _arguments(command: argparse.ArgumentParser) -> None:
    add_annotator(command)
    command.add_argument("--report", metavar="ID", help="one report (default: all)")
    command.add_argument("--terminology", required=True, metavar="NAME", help="such as HPO")
    command.add_argument("--span", metavar="ID", help="the span to be coded, by its ID (see spans)")
    act = command.add_mutually_exclusive_group(required=True)
    act.add_argument("--suggest", action="store_true", help="list the best concept for each span without one")
    act.add_argument("--set", dest="code", metavar="CODE", help="let the span stand for this code")
    act.add_argument("--clear", action="store_true", help="take what the span has of the terminology away")
    command.add_argument("--beside", action="store_true", help="with --set: beside the codes it has")
    add_json(command)


def code(options: argparse.Namespace) -> int:
    """Code a span, or list what its words may stand for."""
    if bool(options.span) == options.suggest:
        raise CallError("--set and --clear go with --span, --suggest without it.")
    if options.suggest:
        return _suggest(options)
    with opened(options.project, write=True) as project:
        if options.clear:
            changed = clear_concept(project, options.span, options.terminology)
        else:
            changed = set_concept(
                project, options.span, options.terminology, options.code, beside=options.beside
            )
    said = [_json(coding) for one in changed.edited for coding in one.concepts]
    if options.json:
        say_json(
            {
                "span": options.span,
                "changed": bool(changed.edited),
                "concepts": said,
                "notes": list(changed.notes),
            }
        )
        return 0
    for sentence in changed.notes:
        say(sentence)
    if changed.edited:
        say("; ".join(f"{one['code']} {one['label']}" for one in said) or "It stands for nothing now.")
    else:
        say("It was so before; nothing was changed.")
    return 0


def _suggest(options: argparse.Namespace) -> int:
    from extractors.terminology.library import open_terminology

    with opened(options.project) as project:
        name, _ = whose(project, options.annotator)
        if not name:
            raise CallError("The project names no annotator; say whose spans, with --annotator.")
        found = suggest_concepts(project, name, options.terminology, report=options.report)
    if options.json:
        say_json(
            [
                {
                    "span": one.uuid,
                    "report": one.report,
                    "quote": one.quote,
                    "code": one.hit.code,
                    "label": one.hit.label,
                    "matched": one.hit.matched.text,
                    "score": one.hit.score,
                }
                for one in found
            ]
        )
    elif found:
        say_table(
            ("report", "quote", "code", "label", "score", "ID"),
            [
                (
                    one.report,
                    shortened(one.quote, _WIDTH),
                    one.hit.code,
                    one.hit.label,
                    f"{one.hit.score:.2f}",
                    one.uuid,
                )
                for one in found
            ],
        )
    if found and (known := open_terminology(options.terminology)).classes:
        say_source(known.source, json=options.json)
    if not options.json:
        say(f"{counted(len(found), 'suggestion')}; none counts until --set takes it.")
    return 0


def _json(coding: Coding) -> dict[str, str]:
    return {
        "terminology": coding.terminology,
        "release": coding.release,
        "code": coding.code,
        "label": coding.label,
        "uri": coding.uri,
        "origin": coding.origin,
    }


COMMAND = Command(
    "study.casespan --terminology HPO --span ID --set HP:0001250", _arguments, code, writes=None
)
