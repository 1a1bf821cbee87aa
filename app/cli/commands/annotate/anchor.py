"""`casespan anchor`."""

from __future__ import annotations

import argparse
from dataclasses import replace

from app.cli.arguments import Command, add_json, add_only, complain, echo, echo_json, finish
from app.cli.servers import FOR_MODELS, add_model_options, client_of, refuse, run_options, warn_of_remote
from app.operations.annotate.anchors import Anchor, add_alias, list_anchors, proposing_anchors, set_anchor
from app.text import counted
from extractors.model.errors import CallError

_FOR_SERVERS = tuple(name for name in FOR_MODELS if name != "sections")


def _arguments(command: argparse.ArgumentParser) -> None:
    add_only(command, "document", "ID")
    act = command.add_mutually_exclusive_group()
    act.add_argument("--auto", action="store_true", help="propose diagnoses by where reports name disorders")
    act.add_argument("--model", metavar="NAME", help="let a model of the server choose among what is named")
    act.add_argument("--code", metavar="ORPHA:N", help="the diagnosis of the report, by Orphanet's code")
    act.add_argument("--none", action="store_true", help="the report is about no rare disorder")
    command.add_argument(
        "--alias", action="append", metavar="TEXT", help="another name to be hidden (may be repeated)"
    )
    command.add_argument("--by", default="", metavar="NAME", help="who says so (default: the project's own)")
    add_model_options(command, sections=False)
    command.set_defaults(resume=True)
    add_json(command)


def anchor(options: argparse.Namespace) -> int:
    """Set, propose or list what reports are about."""
    _require_sense(options)
    reports = tuple(options.document or ())
    found: tuple[Anchor, ...]
    if options.code or options.none:
        code = None if options.none else options.code
        found = (set_anchor(options.project, reports[0], code, options.alias or (), options.by),)
    elif options.alias:
        found = (add_alias(options.project, reports[0], options.alias, options.by),)
    elif options.model:
        found = _asked(options)
    elif options.auto:
        found = finish(proposing_anchors(options.project, reports, options.by))
    else:
        found = list_anchors(options.project, reports)
    if options.json:
        echo_json({"reports": list(map(_as_json, found))})
        return 0
    for one in found:
        _show(one)
    proposed = sum(one.state == "proposed" for one in found)
    if proposed:
        echo(f"{counted(proposed, 'proposal')}; a person confirms one with --document ID --code CODE.")
    return 0


def _require_sense(options: argparse.Namespace) -> None:
    """Raises CallError where the options do not go together."""
    if not options.model:
        refuse(options, _FOR_SERVERS, "is for models; it goes with --model.")
    if (options.code or options.none or options.alias) and len(options.document or ()) != 1:
        raise CallError("--code, --none and --alias are about one report: name it with --document.")
    if options.alias and (options.none or options.auto or options.model):
        raise CallError("--alias goes with --code, or adds a name to the diagnosis that is there.")


def _asked(options: argparse.Namespace) -> tuple[Anchor, ...]:
    # Imported here: rules, people and the help need none of it.
    from app.operations.profile.concepts import ask_for_anchors

    client = client_of(options)
    warn_of_remote(options, client, options.model)
    wanted = replace(run_options(options, options.model), documents=tuple(options.document or ()))
    found, summary = finish(ask_for_anchors(options.project, client, wanted))
    if summary.stopped:
        complain(f"{summary.stopped} The same command goes on from there.")
    return found


def _as_json(one: Anchor) -> dict[str, object]:
    return {
        "report": one.report,
        "state": one.state,
        "code": one.code,
        "label": one.label,
        "aliases": list(one.aliases),
        "evidence": [{"start": start, "end": end, "why": reason} for start, end, reason in one.evidence],
        "others": list(one.others),
        "by": one.by or None,
    }


def _show(one: Anchor) -> None:
    if one.code is None:
        echo(f"{one.report}  none" if one.by else f"{one.report}  nothing said yet")
        return
    reason = "; ".join(dict.fromkeys(reason for _, _, reason in one.evidence))
    others = f"; also names {', '.join(one.others[:5])}" if one.others else ""
    echo(f"{one.report}  {one.state}  {one.code}  {one.label}  ({reason or one.by}{others})")


COMMAND = Command(
    "study.casespan --document PMC123 --code ORPHA:909",
    _arguments,
    anchor,
    writes=lambda options: bool(
        options.auto or options.code or options.none or options.alias or options.model
    ),
)
