"""`casespan profile`."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json, echo, echo_json, echo_lines
from app.cli.profiles import profile_json, profile_table, term_json, terms_table
from app.operations.find.search import whose
from app.operations.profile.profile import Profile, profile_of
from app.operations.profile.terms import ProfileChange, accept, add, change, reject
from app.operations.project.opening import opened
from app.tables import text_lines
from extractors.model.errors import CallError
from extractors.model.finding import POLARITIES

if TYPE_CHECKING:
    from app.store.project import Project

_PLACE = re.compile(r"(\d+)-(\d+)")


def _arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--document", required=True, metavar="ID", help="the report")
    command.add_argument(
        "--annotator", metavar="NAME", help="whose profile (default: that of the project's annotator)"
    )
    act = command.add_mutually_exclusive_group()
    act.add_argument("--accept", action="append", metavar="ID", help="a suggestion (may be repeated), or all")
    act.add_argument("--reject", action="append", metavar="ID", help="a suggestion or term (may be repeated)")
    act.add_argument("--change", metavar="ID", help="a term or suggestion, to what --code and others say")
    act.add_argument("--add", metavar="CODE", help="a term, at --place or without a place in the text")
    command.add_argument("--code", metavar="CODE", help="for --change")
    command.add_argument(
        "--place", metavar="START-END", help="characters of the text, for --change and --add"
    )
    command.add_argument("--said", choices=POLARITIES, help="for --change and --add (default: as the text)")
    command.add_argument(
        "--onset", metavar="WHEN", help="an age (P3Y, P2M) or a code, for --change and --add"
    )
    add_json(command)


def profile(options: argparse.Namespace) -> int:
    changes = bool(options.accept or options.reject or options.change or options.add)
    changed = _given(options)
    if changed and not (options.change or options.add):
        raise CallError(f"--{changed[0]} goes with --change or --add.")
    with opened(options.project, write=changes) as project:
        name, _ = whose(project, options.annotator)
        if not name:
            raise CallError("The project names no annotator; say whose profile, with --annotator.")
        done = _change(project, name, options) if changes else None
        found = done.profile if done else profile_of(project, options.document, name)
    notes = list(done.notes) if done else []
    if options.json:
        echo_json(_json(found, notes))
        return 0
    for title, table in (
        (f"{found.report}, {name}", profile_table(found)),
        (
            "Suggested (does not count)",
            terms_table([s for s in found.suggestions if s.status == "suggested"]),
        ),
    ):
        echo(title)
        echo_lines(text_lines(table))
        echo()
    echo_lines(notes)
    return 0


def _given(options: argparse.Namespace) -> list[str]:
    return [name for name in ("code", "place", "said", "onset") if getattr(options, name) is not None]


def _change(project: Project, name: str, options: argparse.Namespace) -> ProfileChange:
    place = _place(options.place)
    if options.accept:
        return accept(project, name, _suggested(project, name, options))
    if options.reject:
        return reject(project, name, options.reject)
    if options.change:
        return change(
            project,
            name,
            options.change,
            code=options.code,
            polarity=options.said,
            onset=options.onset,
            place=place,
        )
    if options.code:
        raise CallError("--add names the code itself; leave --code out.")
    whole = (project, name, options.document, options.add)
    return add(*whole, place=place, polarity=options.said, onset=options.onset)


def _suggested(project: Project, name: str, options: argparse.Namespace) -> list[str]:
    if options.accept != ["all"]:
        return list(options.accept)
    found = profile_of(project, options.document, name).suggestions
    named = [one.annotation.uuid for one in found if one.status == "suggested" and not one.relative]
    if not named:
        raise CallError(f"Nothing is suggested for {options.document} that has not been judged.")
    return named


def _place(words: str | None) -> tuple[int, int] | None:
    if words is None:
        return None
    match = _PLACE.fullmatch(words.strip())
    if match is None:
        raise CallError(f"“{words}” is no place; give two numbers of characters, such as 120-134.")
    return int(match[1]), int(match[2])


def _json(found: Profile, notes: list[str]) -> dict[str, object]:
    own = [
        term_json(one, term.coding_of(one), "accepted")
        for term in (*found.terms, *found.relatives)
        for one in term.spans
    ]
    return {
        "id": found.report,
        "ontology": {"name": found.terminology, "versions": list(found.releases)},
        "profile": profile_json(found),
        "phenotypes": own,
        "suggestions": [
            {**term_json(one.annotation, one.coding, one.status, one.run), "run": one.run}
            for one in found.suggestions
        ],
        "notes": notes,
    }


COMMAND = Command("study.casespan --document PMC3518197 --accept all", _arguments, profile, writes=None)
