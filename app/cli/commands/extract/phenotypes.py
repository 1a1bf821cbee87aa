"""`casespan phenotypes`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.cli.arguments import Command, add_json, add_only, echo, echo_json, echo_lines, finish
from app.cli.profiles import profile_json, term_json, terms_table, unnamed_json
from app.cli.servers import (
    FOR_SERVERS,
    RECORDED,
    add_model_options,
    add_resume,
    asked_client,
    complain_of_stop,
    finish_run,
    options_of,
    refuse,
)
from app.operations.extract.options import ModelSummary
from app.operations.profile.profile import PhenotypeRun, called, describe_phenotype_run, find_phenotypes
from app.tables import text_lines
from extractors.llm.types import Client
from extractors.tasks.prompting.variants import LEVELS, TERM_PROMPTINGS, Level

_SHOWN = 20
_MODEL_ONLY = ("prompting", *FOR_SERVERS, "level", "entities", "resume", "new_run")


def _arguments(command: argparse.ArgumentParser) -> None:
    extractor = command.add_mutually_exclusive_group(required=True)
    extractor.add_argument("--with", dest="extractor", choices=("rules",), help="the built-in rules")
    extractor.add_argument("--model", metavar="NAME", help="a model of the server (see --host)")
    extractor.add_argument(
        "--replay", type=Path, metavar="FILE", help='replies recorded in a file, or {"item","reply"} a line'
    )
    command.add_argument(
        "--level",
        choices=LEVELS,
        help="pte: terms with their quotes; gee: entities in the report's words; ges: terms of given "
        "entities (default: pte)",
    )
    command.add_argument(
        "--prompting",
        choices=TERM_PROMPTINGS,
        help="without examples, with some, with reasoning, or with the nearest terms offered for choice "
        "(default: zero-shot)",
    )
    command.add_argument(
        "--entities",
        metavar="ANNOTATOR",
        help="whose entities ges names, such as phenotypes/rules (default: the model's own at level gee)",
    )
    add_only(command, "document", "ID")
    add_resume(command)
    command.add_argument("--new-run", action="store_true", help="begin another run with the same settings")
    add_model_options(command, sections=False)
    add_json(command)


def phenotypes(options: argparse.Namespace) -> int:
    if options.extractor:
        refuse(options, _MODEL_ONLY, "is for models; the rules do without it.")
        _show(options, run := finish(find_phenotypes(options.project, options.document or ())))
        return 0
    run = _asked(options)
    _show(options, run)
    if run.model is None or run.model.whole:
        return 0
    complain_of_stop(options, run.model.stopped)
    return 1


def _asked(options: argparse.Namespace) -> PhenotypeRun:
    # Imported here: the rules and the help need none of it.
    from app.operations.profile.asked import TermOptions, ask_for_phenotypes, replay_terms

    level: Level = options.level or "pte"
    if level != "ges":
        refuse(options, ("entities",), "goes with --level ges.")
    model = options.model or ""
    client: Client
    if options.replay:
        refuse(options, FOR_SERVERS, RECORDED)
        client, model = replay_terms(options.project, options.replay, level)
    else:
        client = asked_client(options, model)
    wanted = options_of(
        TermOptions,
        options,
        model,
        documents=tuple(options.document or ()),
        level=level,
        prompting=options.prompting or "zero-shot",
        entities=options.entities or "",
    )
    return finish_run(options, ask_for_phenotypes(options.project, client, wanted))


def _show(options: argparse.Namespace, run: PhenotypeRun) -> None:
    if options.json:
        echo_json(_json(run))
        return
    for profile in run.profiles:
        echo(profile.report)
        unnamed = [(called(one), one) for one in run.unnamed.get(profile.report, ())]
        echo_lines(text_lines(terms_table(run.suggestions(profile), unnamed)))
        echo()
    echo_lines(describe_phenotype_run(run))
    troubles = [f"{one.report}: {one.sentence}" for one in run.model.troubles] if run.model else []
    for line in troubles[:_SHOWN]:
        echo(f"  {line}")
    if len(troubles) > _SHOWN:
        echo(f"  and {len(troubles) - _SHOWN} more (--json lists them all)")


def _json(run: PhenotypeRun) -> dict[str, Any]:
    return {
        "ontology": {"name": "HPO", "version": run.release},
        "annotator": run.annotator,
        "notes": [*run.notes, *(run.model.notes if run.model else ())],
        **(_calls(run, run.model) if run.model else {}),
        "documents": [
            {
                "id": profile.report,
                "phenotypes": [
                    *(
                        term_json(one.annotation, one.coding, one.status, one.run)
                        for one in run.suggestions(profile)
                    ),
                    *(unnamed_json(one, called(one)) for one in run.unnamed.get(profile.report, ())),
                ],
                "profile": profile_json(run.own.get(profile.report, profile)),
            }
            for profile in run.profiles
        ],
    }


def _calls(run: PhenotypeRun, summary: ModelSummary) -> dict[str, Any]:
    """How a model's calls went, and what it named that is no term."""
    return {
        "about": summary.about,
        "planned": summary.planned,
        "made": summary.made,
        "calls": dict([*summary.calls.items(), ("missing", summary.missing)]),
        "unknown_terms": [
            {"document": report, "said": value, "times": times}
            for (report, value), times in run.unknown.items()
        ],
        "incomplete": summary.incomplete,
        "troubles": [asdict(one) for one in summary.troubles],
        "stopped": summary.stopped,
    }


COMMAND = Command("study.casespan --with rules --document PMC3518197", _arguments, phenotypes, writes=True)
