"""`casespan phenotypes`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from app.cli.arguments import Command, add_json, add_only
from app.cli.console import finish, say, say_json
from app.cli.profiles import profile_json, term_json, terms_table
from app.operations.profile.phenotypes import describe_phenotype_run, find_phenotypes
from app.tables import text_lines

if TYPE_CHECKING:
    from app.operations.profile.phenotypes import PhenotypeRun


def _arguments(command: argparse.ArgumentParser) -> None:
    extractor = command.add_mutually_exclusive_group(required=True)
    extractor.add_argument("--with", dest="extractor", choices=("rules",), help="the built-in rules")
    add_only(command, "document", "ID")
    add_json(command)


def phenotypes(options: argparse.Namespace) -> int:
    """Find the terms of reports by the built-in rules."""
    run = finish(find_phenotypes(options.project, options.document or ()))
    if options.json:
        say_json(_json(run))
        return 0
    for profile in run.profiles:
        say(profile.report)
        for line in text_lines(terms_table(run.suggestions(profile))):
            say(line)
        say()
    for sentence in describe_phenotype_run(run):
        say(sentence)
    return 0


def _json(run: PhenotypeRun) -> dict[str, Any]:
    return {
        "ontology": {"name": "HPO", "version": run.release},
        "annotator": run.annotator,
        "notes": list(run.notes),
        "documents": [
            {
                "id": profile.report,
                "phenotypes": [
                    term_json(one.annotation, one.coding, one.status) for one in run.suggestions(profile)
                ],
                "profile": profile_json(profile),
            }
            for profile in run.profiles
        ],
    }


COMMAND = Command("study.casespan --with rules --document PMC3518197", _arguments, phenotypes, writes=True)
