"""`casespan view`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from app.cli.arguments import Command, add_json, add_only, echo, echo_json, echo_whole, finish
from app.operations.annotate.anchors import move_cut
from app.operations.annotate.views import check_cuts, save_views, tick_views, tracks_named, view_json, viewing
from app.text import counted
from extractors.blinding.view import PROFILES, Track
from extractors.model.errors import CallError


def _arguments(command: argparse.ArgumentParser) -> None:
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
    """Show views with their audits."""
    tracks = tracks_named(options.track)
    cuts = _cuts(options, tracks)
    if options.tick and not options.document:
        raise CallError("--tick is about the pictures you looked at: name their report with --document.")
    check_cuts(options.project, cuts)
    for report, cut in cuts.items() if options.keep else ():
        move_cut(options.project, report, cut)
    if options.tick:
        tick_views(options.project, *options.document)
    found = finish(
        viewing(
            options.project,
            tracks,
            options.profile,
            reports=tuple(options.document or ()),
            hints=options.hints,
            cuts=cuts,
        )
    )
    saved = save_views(options.project, found, options.save) if options.save else None
    if options.json:
        echo_json({"views": list(map(view_json, found))})
        return 0
    for one in found:
        audit = one.view.audit
        hidden = sum(audit.masked.values())
        kept = f"{audit.case_words_kept:.0%} of the case's words"
        words = (
            f"{audit.verdict}, {counted(hidden, 'mask')}, {kept}, {counted(len(audit.hints), 'hint')} left"
        )
        echo(f"{one.report}  {one.view.track}  {one.view.state}  {one.view.reason or words}")
        if len(found) == 1 and saved is None and one.view.state == "ready":
            echo()
            echo_whole(one.view.text)
    if saved is not None:
        written, missing = saved
        echo(f"{counted(written, 'view')} written to {options.save}, with audits.jsonl.")
        if missing:
            echo(f"{counted(missing, 'picture')} that cannot be decoded left out; see audits.jsonl.")
    return 0


COMMAND = Command(
    "study.casespan --track T1 --document PMC123",
    _arguments,
    view,
    writes=lambda options: bool(options.tick or options.keep),
)
