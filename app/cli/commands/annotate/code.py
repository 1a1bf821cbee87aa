"""`casespan code`."""

from __future__ import annotations

import argparse
from dataclasses import replace

from app.cli.arguments import (
    Command,
    add_annotator,
    add_json,
    echo,
    echo_json,
    echo_source,
    echo_table,
    finish,
    tell,
)
from app.cli.servers import (
    FOR_SERVERS,
    add_model_options,
    add_resume,
    asked_client,
    complain_of_calls,
    refuse,
    run_options,
)
from app.operations.annotate.concepts import ConceptSuggestion, clear_concept, find_concepts, set_concept
from app.operations.annotate.exposure import disclose_all
from app.operations.extract.options import ModelSummary
from app.operations.find.search import whose
from app.operations.project.opening import opened
from app.text import counted, shortened
from extractors.model.errors import CallError

_WIDTH = 50
_SAID = ("terminology", "release", "code", "label", "uri", "origin")


def _arguments(command: argparse.ArgumentParser) -> None:
    add_annotator(command)
    command.add_argument("--report", metavar="ID", help="one report (default: all)")
    command.add_argument("--terminology", required=True, metavar="NAME", help="such as HPO")
    command.add_argument("--span", metavar="ID", help="the span to be coded, by its ID (see spans)")
    act = command.add_mutually_exclusive_group(required=True)
    act.add_argument("--suggest", action="store_true", help="list the best concept for each span without one")
    act.add_argument("--set", dest="code", metavar="CODE", help="let the span stand for this code")
    act.add_argument("--clear", action="store_true", help="take what the span has of the terminology away")
    command.add_argument(
        "--model", metavar="NAME", help="with --suggest: let a model of the server order the ten best"
    )
    command.add_argument("--beside", action="store_true", help="with --set: beside the codes it has")
    add_model_options(command, sections=False)
    add_resume(command, always=True)
    add_json(command)


def code(options: argparse.Namespace) -> int:
    if bool(options.span) == options.suggest:
        raise CallError("--set and --clear go with --span, --suggest without it.")
    if not options.suggest:
        refuse(options, ("annotator", "report"), "is for --suggest; --span names the one span.")
    if options.code is None:
        refuse(options, ("beside",), "goes with --set.")
    if not options.model:
        refuse(options, (*FOR_SERVERS, "resume"), "is for models; it goes with --model.")
    elif not options.suggest:
        raise CallError("--model goes with --suggest.")
    if options.suggest:
        return _suggest(options)
    with opened(options.project, write=True) as project:
        if options.clear:
            changed = clear_concept(project, options.span, options.terminology)
        else:
            changed = set_concept(
                project, options.span, options.terminology, options.code, beside=options.beside
            )
    parts = [
        {name: getattr(coding, name) for name in _SAID} for one in changed.edited for coding in one.concepts
    ]
    value = {
        "span": options.span,
        "changed": bool(changed.edited),
        "concepts": parts,
        "notes": list(changed.notes),
    }
    now = "; ".join(f"{one['code']} {one['label']}" for one in parts) or "It stands for nothing now."
    words = now if changed.edited else "It was so before; nothing was changed."
    return tell(options, value, [*changed.notes, words])


def _suggest(options: argparse.Namespace) -> int:
    from extractors.terminology.library import open_terminology

    known = open_terminology(options.terminology)
    with opened(options.project) as project:
        name, viewer = whose(project, options.annotator)
        if not name:
            raise CallError("The project names no annotator; say whose spans, with --annotator.")
        found = () if options.model else find_concepts(project, name, known, report=options.report)
    summary: ModelSummary | None = None
    if options.model:
        found, summary = _ranked(options, name)
    if viewer:
        with opened(options.project, write=True) as project:
            disclose_all(project, viewer, [one.report for one in found], [name])
    if options.json:
        echo_json(
            [
                {
                    "span": one.uuid,
                    "report": one.report,
                    "quote": one.quote,
                    "code": one.hit.code,
                    "label": one.hit.label,
                    "matched": one.hit.matched.text,
                    "score": one.hit.score,
                    **(
                        {"ranking": [hit.code for hit in one.hits], "by": one.by or None}
                        if options.model
                        else {}
                    ),
                }
                for one in found
            ]
        )
    elif found:
        echo_table(
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
    if found and known.classes:
        echo_source(known.source, json=options.json)
    if not options.json:
        ranked = sum(bool(one.by) for one in found)
        order = f", {ranked:,} of them in the order of {options.model}" if options.model else ""
        echo(f"{counted(len(found), 'suggestion')}{order}; none counts until --set takes it.")
    return 0 if summary is None else complain_of_calls(summary)


def _ranked(options: argparse.Namespace, name: str) -> tuple[tuple[ConceptSuggestion, ...], ModelSummary]:
    # Imported here: words alone, people and the help need none of it.
    from app.operations.profile.concepts import ask_for_concepts

    client = asked_client(options, options.model)
    only = (options.report,) if options.report else ()
    wanted = replace(run_options(options, options.model), documents=only)
    return finish(ask_for_concepts(options.project, client, wanted, name, options.terminology))


COMMAND = Command(
    "study.casespan --terminology HPO --span ID --set HP:0001250", _arguments, code, writes=None
)
