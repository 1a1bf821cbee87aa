"""`casespan anchor` and `view`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from app.cli.arguments import Command, add_json, add_only, echo, echo_json, echo_whole, finish
from app.cli.servers import (
    FOR_SERVERS,
    add_model_options,
    add_resume,
    asked_client,
    complain_of_calls,
    refuse,
    run_options,
)
from app.operations.annotate.anchors import (
    Anchor,
    add_alias,
    list_anchors,
    move_cut,
    proposing_anchors,
    set_anchor,
)
from app.operations.annotate.views import check_cuts, save_views, tick_views, tracks_named, view_json, viewing
from app.text import counted
from extractors.blinding.view import PROFILES, Track
from extractors.model.errors import CallError


def _view_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--track",
        required=True,
        metavar="T",
        help="T1 diagnosis, T2 treatment, T3 pictures beside each other, T4 next examination, or all",
    )
    command.add_argument(
        "--profile",
        choices=PROFILES,
        default="strict",
        help="strict (default) hides the diagnosis in every form and ends with the track; "
        "paper masks as published, and leaks",
    )
    command.add_argument("--hints", action="store_true", help="mask words that hint at the diagnosis, too")
    add_only(command, "document", "ID")
    command.add_argument(
        "--cut", type=int, metavar="OFFSET", help="where T4 ends in the report's text (default: as proposed)"
    )
    command.add_argument("--keep", action="store_true", help="let T4 end at that --cut from now on")
    command.add_argument("--save", type=Path, metavar="DIR", help="write the ready ones to numbered folders")
    command.add_argument(
        "--tick",
        action="store_true",
        help="say that you looked at the pictures of the --document and no words in them tell the answer",
    )
    add_json(command)


def _cuts(options: argparse.Namespace, tracks: Sequence[Track]) -> dict[str, int]:
    if options.cut is None:
        if options.keep:
            raise CallError("--keep is about a place: say which with --cut.")
        return {}
    if len(options.document or ()) != 1:
        raise CallError("--cut is a place in one report's text: name the report with --document.")
    if "T4" not in tracks:
        raise CallError("--cut is where T4 ends: name that --track, or all.")
    return {options.document[0]: options.cut}


def view(options: argparse.Namespace) -> int:
    tracks = tracks_named(options.track)
    cuts = _cuts(options, tracks)
    if options.tick and not options.document:
        raise CallError("--tick is about the pictures you looked at: name their report with --document.")
    check_cuts(options.project, cuts)
    for report, cut in cuts.items() if options.keep else ():
        move_cut(options.project, report, cut)
    if options.tick:
        tick_views(options.project, *options.document)
    reports, hints = tuple(options.document or ()), options.hints
    found = finish(viewing(options.project, tracks, options.profile, reports=reports, hints=hints, cuts=cuts))
    saved = save_views(options.project, found, options.save) if options.save else None
    if options.json:
        echo_json({"views": list(map(view_json, found))})
        return 0
    for report, one in found:
        audit = one.audit
        hidden = sum(audit.masked.values())
        kept = f"{audit.case_words_kept:.0%} of the case's words"
        words = (
            f"{audit.verdict}, {counted(hidden, 'mask')}, {kept}, {counted(len(audit.hints), 'hint')} left"
        )
        echo(f"{report}  {one.track}  {one.state}  {one.reason or words}")
        if len(found) == 1 and saved is None and one.state == "ready":
            echo()
            echo_whole(one.text)
    if saved is not None:
        written, missing = saved
        echo(f"{counted(written, 'view')} written to {options.save}, with audits.jsonl.")
        if missing:
            echo(f"{counted(missing, 'picture')} that cannot be decoded left out; see audits.jsonl.")
    return 0


VIEW = Command(
    "study.casespan --track T1 --document PMC123",
    _view_arguments,
    view,
    writes=lambda options: bool(options.tick or options.keep),
)


def _anchor_arguments(command: argparse.ArgumentParser) -> None:
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
    add_resume(command, always=True)
    add_json(command)


def anchor(options: argparse.Namespace) -> int:
    _require_sense(options)
    reports = tuple(options.document or ())
    found: tuple[Anchor, ...]
    exit_code = 0
    if options.code or options.none:
        code = None if options.none else options.code
        found = (set_anchor(options.project, reports[0], code, options.alias or (), options.by),)
    elif options.alias:
        found = (add_alias(options.project, reports[0], options.alias, options.by),)
    elif options.model:
        found, exit_code = _asked(options)
    elif options.auto:
        found = finish(proposing_anchors(options.project, reports, options.by))
    else:
        found = list_anchors(options.project, reports)
    if options.json:
        echo_json({"reports": list(map(asdict, found))})
        return exit_code
    for one in found:
        _show_anchor(one)
    proposed = sum(one.state == "proposed" for one in found)
    if proposed:
        echo(f"{counted(proposed, 'proposal')}; a person confirms one with --document ID --code CODE.")
    return exit_code


def _require_sense(options: argparse.Namespace) -> None:
    """Raises CallError where the options do not go together."""
    if not options.model:
        refuse(options, (*FOR_SERVERS, "resume"), "is for models; it goes with --model.")
    if (options.code or options.none or options.alias) and len(options.document or ()) != 1:
        raise CallError("--code, --none and --alias are about one report: name it with --document.")
    if options.alias and (options.none or options.auto or options.model):
        raise CallError("--alias goes with --code, or adds a name to the diagnosis that is there.")


def _asked(options: argparse.Namespace) -> tuple[tuple[Anchor, ...], int]:
    """What the model made of the reports, and the exit code."""
    # Imported here: rules, people and the help need none of it.
    from app.operations.profile.concepts import ask_for_anchors

    client = asked_client(options, options.model)
    wanted = replace(run_options(options, options.model), documents=tuple(options.document or ()))
    found, summary = finish(ask_for_anchors(options.project, client, wanted))
    return found, complain_of_calls(summary)


def _show_anchor(one: Anchor) -> None:
    if one.code is None:
        echo(f"{one.report}  none" if one.by else f"{one.report}  nothing said yet")
        return
    others = f"; also names {', '.join(one.others[:5])}" if one.others else ""
    echo(f"{one.report}  {one.state}  {one.code}  {one.label}  ({one.reasons or one.by}{others})")


ANCHOR = Command(
    "study.casespan --document PMC123 --code ORPHA:909",
    _anchor_arguments,
    anchor,
    writes=lambda options: bool(
        options.auto or options.code or options.none or options.alias or options.model
    ),
)
