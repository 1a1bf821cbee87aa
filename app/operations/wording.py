"""What a model's run came to, in the sentences that the command line and the window both say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.text import counted, shortened

if TYPE_CHECKING:
    from app.operations.extract.options import ModelSummary


def describe_model_run(summary: ModelSummary) -> list[str]:
    """What a run found, then its calls, quotes, tokens and notes; without the lists."""
    quotes = sum(summary.findings.values())
    said = [f"{summary.annotator}: {counted(quotes, 'quote')} in {counted(len(summary.findings), 'report')}."]
    if summary.about:
        said.append(summary.about)
    states = [f"{number} {state}" for state, number in summary.calls.items()]
    states += [f"{summary.missing} missing"] if summary.missing else []
    said.append(f"{counted(summary.planned, 'call')}: {', '.join([*states, _made(summary)])}")
    placed = [f"{number} {status}" for status, number in summary.groundings.items()]
    said.append(f"quotes: {', '.join(placed) or 'none'}; nothing found in {_cells(summary.nothing_found)}")
    if summary.unasked:
        said.append(f"no section to show in {_cells(summary.unasked)}, which count as nothing found")
    return [*said, *filter(None, (_tokens(summary), *summary.notes))]


def list_troubles(summary: ModelSummary) -> list[str]:
    """What went wrong in which report and category."""
    return [f"{one.report} {one.category or 'all categories'}: {one.sentence}" for one in summary.troubles]


def list_unplaced_quotes(summary: ModelSummary, width: int) -> list[str]:
    """The model's quotes that have no place, each cut to `width` characters, and why."""
    return [
        f"{one.report} {one.category}: {shortened(one.quote, width)!r}  ({one.status}: {one.reason})"
        for one in summary.unplaced
    ]


def _made(summary: ModelSummary) -> str:
    if summary.made:
        return f"{summary.made} made now"
    return "nothing was left to do" if summary.whole else "none made now; --resume repeats what failed"


def _cells(number: int) -> str:
    return counted(number, "report-category pair")


def _tokens(summary: ModelSummary) -> str:
    """Tokens, time, and how much of the prompts the server could take over from the call before."""
    from app.operations.extract.answers import duration

    if summary.tokens_in is None or summary.tokens_out is None or summary.seconds is None:
        return ""
    said = f"{summary.tokens_in:,} tokens read, {summary.tokens_out:,} written, {duration(summary.seconds)}"
    if summary.shared is not None:
        said += f"; {summary.shared:.0%} of the prompts' tokens stood in the call before"
    return said
