"""What work came to, in the sentences that the command line and the window both say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.operations.exporting import ExportSummary
    from app.operations.extraction import ExtractionSummary
    from app.operations.golding import GoldSummary
    from app.operations.importing import ImportSummary
    from app.operations.model_options import ModelSummary
    from app.operations.reconciling import Queue

_GIGABYTE, _MEGABYTE = 1e9, 1e6


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 report`, `2 reports`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def shortened(text: str, width: int) -> str:
    """The text on at most `width` columns, with an ellipsis where it was cut."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def size_in_words(size: int) -> str:
    """A number of bytes as people say it, "?" for 0."""
    if not size:
        return "?"
    return f"{size / _GIGABYTE:.1f} GB" if size > _GIGABYTE / 10 else f"{size / _MEGABYTE:.1f} MB"


def describe_annotations(summary: ImportSummary) -> list[str]:
    """How many annotations an import brought, by how they were placed; none where it brought none."""
    said = []
    if summary.annotations:
        total = counted(sum(summary.annotations.values()), "annotation")
        kinds = ", ".join(f"{number} {status}" for status, number in sorted(summary.annotations.items()))
        said.append(f"{total} added: {kinds}.")
    if summary.nothing_found:
        said.append(f"{counted(summary.nothing_found, 'category', 'categories')} looked at, nothing found.")
    return said


def list_unplaced_imports(summary: ImportSummary, width: int) -> list[str]:
    """The imported quotes that have no place, each cut to `width` characters, and why."""
    return [
        f"{one.key}, {one.category}: {shortened(one.quote, width)!r}: {one.grounding.reason}"
        for one in summary.unplaced
    ]


def describe_rules_run(summary: ExtractionSummary) -> list[str]:
    """What the rules found, first how much, then what must be known of it."""
    total = sum(summary.findings.values())
    reports = counted(len(summary.findings), "report")
    said = [f"{summary.annotator}: {counted(total, 'finding')} in {reports} ({summary.version})."]
    if summary.unchanged:
        said.append(f"{counted(summary.unchanged, 'report')} came out as before")
    return [*said, *summary.notes]


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


def describe_export(summary: ExportSummary, annotator: str) -> list[str]:
    """What was written of an annotator (name), then what was not and what must be known of it."""
    annotations, reports = counted(summary.annotations, "annotation"), counted(summary.reports, "report")
    said = [f"{annotations} of {reports} written to {summary.out}."]
    if summary.unplaced:
        said.append(f"{summary.unplaced} of them have no place in their report; they are written without one")
    if summary.not_looked_at:
        left = counted(summary.not_looked_at, "report")
        said.append(f"{left} not written: {annotator} has not looked at them")
    return [*said, *summary.notes]


def _made(summary: ModelSummary) -> str:
    if summary.made:
        return f"{summary.made} made now"
    return "nothing was left to do" if summary.whole else "none made now; --resume repeats what failed"


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


def queue_sentences(queue: Queue) -> list[str]:
    """How far the queue of two annotators is, and what does not stand in it."""
    left, right = queue.left.name, queue.right.name
    said = [
        f"{counted(queue.reports, 'report')} that both {left} and {right} looked at: they agree on "
        f"{counted(queue.agreed, 'quote')} and differ on {len(queue.differences):,}, of which "
        f"{queue.decided:,} decided."
    ]
    for name, number in ((left, queue.only_left), (right, queue.only_right)):
        if number:
            said.append(f"{counted(number, 'report')} looked at by {name} alone, not compared.")
    if queue.outdated:
        said.append(f"{counted(len(queue.outdated), 'decision')} on what no side says any more.")
    return said


def gold_sentences(summary: GoldSummary, *, dry_run: bool = False) -> list[str]:
    """What a gold set was built of, and what is missing in it."""
    verb = "would have" if dry_run else "has"
    said = [
        f"{summary.name} {verb} {counted(summary.spans, 'quote')} in {counted(summary.reports, 'report')} "
        f"({summary.added:,} new, {summary.removed:,} taken out): {summary.left} and {summary.right} agree "
        f"on {summary.agreed:,}, the others come from {counted(summary.decided, 'decided difference')}."
    ]
    return said + gold_remarks(summary)


def gold_remarks(summary: GoldSummary) -> list[str]:
    """What must be known of a gold set: what is undecided, and what it does not follow."""
    said = []
    if summary.undecided:
        said.append(
            f"{summary.undecided:,} of {counted(summary.differences, 'difference')} are undecided: nothing "
            "of them is in it, and their categories are not complete."
        )
    elif summary.differences:
        said.append(f"Nothing is undecided: {counted(summary.differences, 'difference')} decided.")
    if summary.fields_differ:
        said.append(
            f"{counted(summary.fields_differ, 'agreed quote')} with different fields: that of {summary.left} "
            "was taken."
        )
    if summary.outdated:
        said.append(f"{counted(summary.outdated, 'decision')} on what no side says any more.")
    return said
