"""What a run with a model came to, read off the project's records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.operations.extract.options import ModelSummary, Trouble, Unplaced, total
from app.store.annotate.annotations import read_annotations
from app.store.annotate.reviews import reviews
from app.text import counted, duration, shortened
from extractors.model.finding import PLACED

if TYPE_CHECKING:
    from app.operations.extract.work import Work
    from app.store.extract.runs import CallRecord
    from app.store.project import Project


def summarise(project: Project, work: Work, made: int, stopped: str) -> ModelSummary:
    """Add up the answers that the reports asked for have, and what was found in them."""
    summary = ModelSummary(work.run.name if work.run else "", work.client.about)
    summary.made, summary.stopped = made, stopped
    summary.planned = len(work.entries)
    summary.unasked = len(work.unasked)
    summary.notes = list(work.notes)
    _count_calls(work, summary)
    _count_findings(project, work, summary)
    return summary


def _count_calls(work: Work, summary: ModelSummary) -> None:
    incomplete: dict[str, None] = {}
    harmless: list[Trouble] = []
    for entry in work.entries:
        key, category = entry.report.key, entry.item.question
        answer = work.answer(entry)
        summary.prompt_tokens += entry.call.tokens
        summary.shared_tokens += entry.call.shared
        if answer is None or answer.state != "done":
            incomplete[key] = None
        if answer is not None and answer.state != "cancelled":
            summary.calls[answer.state] += 1
            troubles = harmless if answer.state == "done" else summary.troubles
            troubles += [Trouble(key, category, sentence) for sentence in _troubles(answer, work)]
    summary.troubles += harmless
    passed_on = {answer.details.get("remote") for entry in work.entries if (answer := work.answer(entry))}
    summary.notes += [f"The reports' text was passed on to {name}." for name in passed_on if name]
    summary.incomplete = list(incomplete)
    answers = [answer for entry in work.entries if (answer := work.answer(entry))]
    summary.tokens_in = total(answer.tokens_in for answer in answers)
    summary.tokens_out = total(answer.tokens_out for answer in answers)
    summary.seconds = total(answer.seconds for answer in answers)
    summary.prefill_seconds = total(answer.details.get("prefill_seconds") for answer in answers)


def _troubles(answer: CallRecord, work: Work) -> Iterator[str]:
    """What went wrong in a call, a sentence each."""
    details = answer.details
    if answer.error:
        yield answer.error
    if details.get("cut_prompt"):
        yield (
            f"The server cut the prompt: it counted {answer.tokens_in} tokens where about "
            f"{details['estimated_tokens']} were sent into a context of {details['num_ctx']}; --resume asks "
            "again."
        )
    yield from details.get("problems", ())
    if answer.state == "incomplete" and answer.done_reason == "length" and not work.client.about:
        yield (
            f"The reply was cut at its limit of {details['num_predict']} tokens; --resume with a larger "
            "--reply-tokens asks again."
        )


def _count_findings(project: Project, work: Work, summary: ModelSummary) -> None:
    key_of = {report.uuid: report.key for report in work.reports}
    summary.findings = dict.fromkeys(key_of.values(), 0)
    if work.run is None:
        return
    for annotation in read_annotations(project, annotator=work.run.annotator):
        if annotation.document in key_of and annotation.finding.category in work.wanted:
            key, finding = key_of[annotation.document], annotation.finding
            summary.findings[key] += 1
            summary.groundings[finding.grounding] += 1
            if finding.grounding not in PLACED:
                summary.unplaced.append(
                    Unplaced(key, finding.category, finding.quote, finding.grounding, finding.reason)
                )
    for review in reviews(project):
        if review.annotator == work.run.annotator and review.document in key_of:
            summary.nothing_found += len(set(review.nothing_found) & set(work.wanted))


def describe_model_run(summary: ModelSummary) -> list[str]:
    """What a run found, then its calls, quotes, tokens and notes; without the lists."""
    quotes = sum(summary.findings.values())
    parts = [
        f"{summary.annotator}: {counted(quotes, 'quote')} in {counted(len(summary.findings), 'report')}."
    ]
    if summary.about:
        parts.append(summary.about)
    states = [f"{number} {state}" for state, number in summary.calls.items()]
    states += [f"{summary.missing} missing"] if summary.missing else []
    parts.append(f"{counted(summary.planned, 'call')}: {', '.join([*states, _made(summary)])}")
    placed = [f"{number} {status}" for status, number in summary.groundings.items()]
    parts.append(f"quotes: {', '.join(placed) or 'none'}; nothing found in {_cells(summary.nothing_found)}")
    if summary.unasked:
        parts.append(f"no section to show in {_cells(summary.unasked)}, which count as nothing found")
    return [*parts, *filter(None, (_tokens(summary), *summary.notes))]


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
    """Tokens, the time of all calls, also of those in flight at once, and how much of the prompts the server
    could take over from the call before."""
    if summary.tokens_in is None or summary.tokens_out is None or summary.seconds is None:
        return ""
    words = f"{summary.tokens_in:,} tokens read, {summary.tokens_out:,} written, "
    words += f"{duration(summary.seconds)} of calls"
    if summary.shared is not None:
        words += f"; {summary.shared:.0%} of the prompts' tokens stood in the call before"
    return words
