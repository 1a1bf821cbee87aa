"""`casespan phenotypes`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from app.cli.arguments import Command, add_json, add_only
from app.cli.console import finish, say, say_json
from app.operations.profile.phenotypes import RELATIVE, describe_phenotype_run, find_phenotypes
from app.tables import Column, Table, text_lines
from app.text import shortened

if TYPE_CHECKING:
    from app.operations.profile.phenotypes import PhenotypeRun, ReportTerms
    from app.store.annotate.annotations import Annotation
    from app.store.annotate.concepts import Coding

_WIDTH = 60


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
    for report in run.reports:
        say(report.report)
        for line in text_lines(_table(report)):
            say(line)
        say()
    for sentence in describe_phenotype_run(run):
        say(sentence)
    return 0


def _table(report: ReportTerms) -> Table[str]:
    columns = tuple(Column(title, kind="words") for title in ("Code", "Term", "Said", "Quote"))
    rows = [
        (coding.code, coding.label, _polarity(one), shortened(one.finding.quote, _WIDTH))
        for one, coding in report.terms
    ]
    return Table(columns, tuple(rows))


def _json(run: PhenotypeRun) -> dict[str, Any]:
    return {
        "ontology": {"name": "HPO", "version": run.release},
        "annotator": run.annotator,
        "notes": list(run.notes),
        "documents": [
            {
                "id": report.report,
                "phenotypes": [_term(one, coding) for one, coding in report.terms],
                "profile": {"present": list(report.present), "excluded": list(report.excluded)},
            }
            for report in run.reports
        ],
    }


def _term(one: Annotation, coding: Coding) -> dict[str, Any]:
    finding = one.finding
    return {
        "hpo_id": coding.code,
        "label": coding.label,
        "quote": finding.quote,
        "start": finding.start,
        "end": finding.end,
        "polarity": _polarity(one),
        "origin": one.origin,
        "status": "suggested" if one.origin == "model" else "accepted",
    }


def _polarity(one: Annotation) -> str:
    """Present, negated or uncertain of the patient; of a relative just that."""
    return RELATIVE if one.finding.field == RELATIVE else one.finding.polarity


COMMAND = Command("study.casespan --with rules --document PMC3518197", _arguments, phenotypes, writes=True)
