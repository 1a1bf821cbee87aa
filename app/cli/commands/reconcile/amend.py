"""`casespan amend`."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from app.cli.arguments import Command, add_json, echo, echo_json, echo_table
from app.operations.guidelines.amendments import (
    Outdated,
    amend_guideline,
    list_amendments,
    list_outdated,
    preview_amendment,
)
from app.operations.guidelines.drafts import Draft, draft_amendment
from app.text import counted, shortened
from extractors.model.errors import CallError
from extractors.model.finding import POLARITIES
from extractors.model.guideline import ExampleQuote

_WIDTH = 60
_WRITTEN = ("section", "clause", "example", "quote", "field", "polarity", "nothing")


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--category", metavar="C", help="the category of the guideline")
    command.add_argument(
        "--section", choices=("include", "exclude", "boundaries"), help="where the clause goes"
    )
    command.add_argument("--clause", metavar="TEXT", help="the clause, on one line")
    command.add_argument("--example", metavar="TEXT", help="the text of a worked example")
    command.add_argument(
        "--quote", action="append", metavar="Q", help="what is to be marked in the example (may be repeated)"
    )
    command.add_argument("--field", metavar="F", help="the field of these quotes")
    command.add_argument("--polarity", choices=POLARITIES, help="the polarity of these quotes")
    command.add_argument("--nothing", metavar="REASON", help="why nothing is to be marked in the example")
    command.add_argument(
        "--from-decision", metavar="ID", help="adopt what a decision, or that on a difference, proposes"
    )
    command.add_argument("--dry-run", action="store_true", help="show what would be added, and add nothing")
    command.add_argument("--by", metavar="NAME", help="who amends it (default: the project's annotator)")
    command.add_argument("--list", action="store_true", help="list the amendments")
    command.add_argument(
        "--outdated", action="store_true", help="list the reports worked on before the guideline was amended"
    )
    add_json(command)


def amend(options: argparse.Namespace) -> int:
    if options.list or options.outdated:
        return _list(options)
    draft = _draft(options)
    what = (draft.category, draft.section, draft.clause, draft.example)
    if options.dry_run:
        preview_amendment(options.project, *what)
        _show_draft(draft, as_json=options.json)
        return 0
    made = amend_guideline(options.project, options.by or "", *what, draft.decision)
    if options.json:
        echo_json(asdict(made))
        return 0
    echo(f"Amended the guideline of {made.category} ({made.author}).")
    _show_parts(made.section, made.clause, made.example)
    reports = {one.report for one in list_outdated(options.project, made.category)}
    if reports:
        echo(f"{counted(len(reports), 'report')} worked on before: casespan amend {options.path} --outdated")
    return 0


def _draft(options: argparse.Namespace) -> Draft:
    """What is to be added, from a decision or from the options; raises CallError."""
    given = [name for name in _WRITTEN if getattr(options, name) is not None]
    if options.from_decision is not None:
        if given or options.category:
            raise CallError("--from-decision says itself what is added; leave the other options out.")
        return draft_amendment(options.project, options.from_decision)
    if not options.category or not (options.clause or options.example):
        raise CallError(
            "Say what to add: --category and --clause with --section, or --example, or --from-decision."
        )
    if bool(options.clause) != bool(options.section):
        raise CallError("A clause needs a --section, and a section its --clause.")
    if not options.example and set(given) - {"section", "clause"}:
        raise CallError("--quote, --field, --polarity and --nothing go with --example.")
    quotes = tuple(
        ExampleQuote(quote, options.field or "", options.polarity or "present", ())
        for quote in options.quote or ()
    )
    if quotes and options.nothing:
        raise CallError("An example has a --quote, or says with --nothing why it has none; not both.")
    return Draft(
        options.category,
        options.section or "",
        options.clause or "",
        options.example or "",
        quotes,
        options.nothing or "",
    )


def _list(options: argparse.Namespace) -> int:
    if options.outdated:
        outdated = list_outdated(options.project, options.category)
        if options.json:
            echo_json([_as_json(one) for one in outdated])
        elif outdated:
            rows = [_row(one) for one in outdated]
            echo_table(("report", "annotator", "category", "worked on (UTC)", "amended (UTC)", "since"), rows)
        else:
            echo("No report was worked on under an older guideline.")
        return 0
    made = list_amendments(options.project, options.category)
    if options.json:
        echo_json([asdict(one) for one in made])
        return 0
    if not made:
        echo("No guideline was amended yet.")
    for one in made:
        echo(f"{one.amended_at}  {one.category}  {one.author}")
        _show_parts(one.section, one.clause, one.example)
    return 0


def _row(one: Outdated) -> tuple[str, ...]:
    return (
        one.report,
        shortened(one.annotator, _WIDTH),
        one.category,
        one.worked_on,
        one.amended_at,
        counted(len(one.amendments_since), "amendment"),
    )


def _as_json(one: Outdated) -> dict[str, object]:
    return {
        "report": one.report,
        "annotator": one.annotator,
        "category": one.category,
        "worked_on": one.worked_on,
        "amended_at": one.amended_at,
        "amendments_since": [made.uuid for made in one.amendments_since],
    }


def _show_draft(draft: Draft, *, as_json: bool) -> None:
    from extractors.model.amending import example_markdown

    if as_json:
        echo_json(asdict(draft))
        return
    echo(f"Would amend the guideline of {draft.category}:")
    _show_parts(draft.section, draft.clause, example_markdown(draft.example) if draft.example else "")


def _show_parts(section: str, clause: str, example: str) -> None:
    if clause:
        echo(f"  {section}: {clause}")
    for line in example.split("\n"):
        if line:
            echo(f"  {line}")


COMMAND = Command(
    "study.casespan --category GI --section exclude --clause 'Hiccups after anaesthesia: `RESP`.'",
    _arguments,
    amend,
    writes=lambda options: not (options.list or options.outdated),
)
