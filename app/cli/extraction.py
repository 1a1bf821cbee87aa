"""`casespan extract`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from app.cli.console import complain, counted, finish, say, say_json, shortened
from app.operations.extraction import extract_with_rules

if TYPE_CHECKING:
    from app.operations.model_options import ModelSummary
    from extractors.llm.types import Client

_SHOWN = 20
_WIDTH = 160
_NOT_RECORDED = ("strategy", "prompting", "seed", "context", "reply_tokens", "think", "host", "allow_remote")
_MODEL_ONLY = (*_NOT_RECORDED, "resume", "new_run")


def extract(options: argparse.Namespace) -> int:
    """Run the built-in rules, or a model."""
    if options.extractor is None:
        return _with_model(options)
    from app.cli.models import refuse

    refuse(options, _MODEL_ONLY, "is for models; the rules do without it.")
    return _with_rules(options)


def _with_rules(options: argparse.Namespace) -> int:
    summary = finish(extract_with_rules(options.project, options.document or (), options.category or ()))
    if options.json:
        say_json(
            {
                "annotator": summary.annotator,
                "version": summary.version,
                "findings": summary.findings,
                "unchanged": summary.unchanged,
                "notes": list(summary.notes),
            }
        )
        return 0
    total = sum(summary.findings.values())
    if not summary.findings:
        _say_no_reports(options)
        return 0
    reports = counted(len(summary.findings), "report")
    say(f"{summary.annotator}: {counted(total, 'finding')} in {reports} ({summary.version}).")
    if summary.unchanged:
        say(f"  {counted(summary.unchanged, 'report')} came out as before")
    for note in summary.notes:
        say(f"  {note}")
    return 0


def _say_no_reports(options: argparse.Namespace) -> None:
    say(f"There are no reports yet. Next: casespan import {options.project} REPORTS")


def _with_model(options: argparse.Namespace) -> int:
    # Imported here: the rules and the help need none of it.
    from app.cli.models import model_options, refuse, stopped, warn_of_remote
    from app.operations.model_extraction import extract_with_model
    from app.operations.models import connect, replay

    wanted = replace(
        model_options(options, options.model or ""),
        strategy=options.strategy or "ucp",
        prompting=options.prompting or "few-shot",
        categories=tuple(options.category or ()),
        new_run=options.new_run,
    )
    client: Client
    if options.replay:
        refuse(options, _NOT_RECORDED, "is not for recorded replies, which are played as they are.")
        client, recording = replay(options.replay)
        wanted = replace(
            wanted, model=recording.model, strategy=recording.strategy, prompting=recording.prompting
        )
    else:
        client = connect(options.host, allow_remote=options.allow_remote)
        warn_of_remote(client, options.model)
    try:
        summary = finish(extract_with_model(options.project, client, wanted))
    except KeyboardInterrupt:
        again = "the same command without --new-run" if options.new_run else "the same command"
        raise stopped(again) from None
    if options.json:
        say_json(_as_json(summary))
    elif not summary.findings:
        _say_no_reports(options)
    else:
        _show(summary)
    if summary.stopped:
        again = "without --new-run, and with --resume," if options.new_run else "with --resume"
        complain(f"{summary.stopped} The same command {again} goes on from there.")
    return 0 if summary.whole else 1


def _as_json(summary: ModelSummary) -> dict[str, object]:
    return {
        "annotator": summary.annotator,
        "about": summary.about,
        "planned": summary.planned,
        "made": summary.made,
        "calls": dict([*summary.calls.items(), ("missing", summary.missing)]),
        "findings": summary.findings,
        "groundings": dict(summary.groundings),
        "unasked": summary.unasked,
        "unplaced": [asdict(quote) for quote in summary.unplaced],
        "nothing_found": summary.nothing_found,
        "incomplete": summary.incomplete,
        "troubles": [asdict(trouble) for trouble in summary.troubles],
        "tokens_in": summary.tokens_in,
        "tokens_out": summary.tokens_out,
        "seconds": summary.seconds,
        "prefill_seconds": summary.prefill_seconds,
        "prompt_tokens": summary.prompt_tokens,
        "shared_tokens": summary.shared_tokens,
        "shared": summary.shared,
        "stopped": summary.stopped,
        "notes": summary.notes,
    }


def _show(summary: ModelSummary) -> None:
    quotes = sum(summary.findings.values())
    say(f"{summary.annotator}: {counted(quotes, 'quote')} in {counted(len(summary.findings), 'report')}.")
    if summary.about:
        say(f"  {summary.about}")
    states = [f"{number} {state}" for state, number in summary.calls.items()]
    states += [f"{summary.missing} missing"] if summary.missing else []
    made = f"{summary.made} made now"
    if not summary.made:
        made = "nothing was left to do" if summary.whole else "none made now; --resume repeats what failed"
    say(f"  {counted(summary.planned, 'call')}: {', '.join([*states, made])}")
    placed = [f"{number} {status}" for status, number in summary.groundings.items()]
    say(f"  quotes: {', '.join(placed) or 'none'}; nothing found in {_cells(summary.nothing_found)}")
    if summary.unasked:
        say(f"  no section to show in {_cells(summary.unasked)}, which count as nothing found")
    for note in filter(None, (_tokens(summary), *summary.notes)):
        say(f"  {note}")
    if summary.incomplete:
        say(f"  incomplete: {', '.join(summary.incomplete)}")
    _list([f"{t.report} {t.category or 'all categories'}: {t.sentence}" for t in summary.troubles])
    if summary.unplaced:
        say("  kept, although the report does not say so, or says otherwise:")
    _list(
        [
            f"{q.report} {q.category}: {shortened(q.quote, _WIDTH)!r}  ({q.status}: {q.reason})"
            for q in summary.unplaced
        ]
    )


def _list(lines: Sequence[str]) -> None:
    """The first lines, each indented, and how many more there are."""
    for line in lines[:_SHOWN]:
        say(f"    {line}")
    if len(lines) > _SHOWN:
        say(f"    and {len(lines) - _SHOWN} more (--json lists them all)")


def _cells(number: int) -> str:
    return counted(number, "report-category pair")


def _tokens(summary: ModelSummary) -> str:
    """Tokens, time, and how much of the prompts the server could take over from the call before."""
    from app.operations.model_answers import duration

    if summary.tokens_in is None or summary.tokens_out is None or summary.seconds is None:
        return ""
    said = f"{summary.tokens_in:,} tokens read, {summary.tokens_out:,} written, {duration(summary.seconds)}"
    if summary.shared is not None:
        said += f"; {summary.shared:.0%} of the prompts' tokens stood in the call before"
    return said
