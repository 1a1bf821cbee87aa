"""`casespan anchor`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.arguments import Command, add_json, add_only
from app.cli.console import finish, say, say_json
from app.operations.annotate.anchors import add_alias, list_anchors, proposing_anchors, set_anchor
from app.text import counted
from extractors.model.errors import CallError

if TYPE_CHECKING:
    from app.operations.annotate.anchors import Anchor


def _arguments(command: argparse.ArgumentParser) -> None:
    add_only(command, "document", "ID")
    act = command.add_mutually_exclusive_group()
    act.add_argument("--auto", action="store_true", help="propose diagnoses by where reports name disorders")
    act.add_argument("--code", metavar="ORPHA:N", help="the diagnosis of the report, by Orphanet's code")
    act.add_argument("--none", action="store_true", help="the report is about no rare disorder")
    command.add_argument(
        "--alias", action="append", metavar="TEXT", help="another name to be hidden (may be repeated)"
    )
    command.add_argument("--by", default="", metavar="NAME", help="who says so (default: the project's own)")
    add_json(command)


def anchor(options: argparse.Namespace) -> int:
    """Set, propose or list what reports are about."""
    said = options.code or options.none
    if (said or options.alias) and len(options.document or ()) != 1:
        raise CallError("--code, --none and --alias are about one report: name it with --document.")
    if options.alias and (options.none or options.auto):
        raise CallError("--alias goes with --code, or adds a name to the diagnosis that is there.")
    reports = tuple(options.document or ())
    found: tuple[Anchor, ...]
    if said:
        code = None if options.none else options.code
        found = (set_anchor(options.project, reports[0], code, options.alias or (), options.by),)
    elif options.alias:
        found = (add_alias(options.project, reports[0], options.alias, options.by),)
    elif options.auto:
        found = finish(proposing_anchors(options.project, reports, options.by))
    else:
        found = list_anchors(options.project, reports)
    if options.json:
        say_json({"reports": list(map(_as_json, found))})
        return 0
    for one in found:
        _show(one)
    proposed = sum(one.state == "proposed" for one in found)
    if proposed:
        say(f"{counted(proposed, 'proposal')}; a person confirms one with --document ID --code CODE.")
    return 0


def _as_json(one: Anchor) -> dict[str, object]:
    return {
        "report": one.report,
        "state": one.state,
        "code": one.code,
        "label": one.label,
        "aliases": list(one.aliases),
        "evidence": [{"start": start, "end": end, "why": why} for start, end, why in one.evidence],
        "others": list(one.others),
        "by": one.by or None,
    }


def _show(one: Anchor) -> None:
    if one.code is None:
        say(f"{one.report}  none" if one.by else f"{one.report}  nothing said yet")
        return
    why = "; ".join(dict.fromkeys(why for _, _, why in one.evidence))
    others = f"; also names {', '.join(one.others[:5])}" if one.others else ""
    say(f"{one.report}  {one.state}  {one.code}  {one.label}  ({why or one.by}{others})")


COMMAND = Command(
    "study.casespan --document PMC123 --code ORPHA:909",
    _arguments,
    anchor,
    writes=lambda options: bool(options.auto or options.code or options.none or options.alias),
)
