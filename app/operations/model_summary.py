"""What a run with a model came to, read off the project's records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.operations.model_options import ModelSummary, Trouble, total
from app.store.annotations import read_annotations
from app.store.reviews import reviews

if TYPE_CHECKING:
    from app.operations.model_work import Work
    from app.store.project import Project


def summarise(project: Project, work: Work, made: int, stopped: str) -> ModelSummary:
    """Add up the answers that the reports asked for have, and what was found in them."""
    summary = ModelSummary(work.run.name if work.run else "", work.client.about)
    summary.made, summary.stopped = made, stopped
    summary.planned = len(work.entries)
    summary.notes = [*work.plan.notes, *work.notes]
    _count_calls(work, summary)
    _count_findings(project, work, summary)
    return summary


def _count_calls(work: Work, summary: ModelSummary) -> None:
    incomplete: dict[str, None] = {}
    for entry in work.entries:
        key, category = entry.report.key, entry.category
        answer = work.answer(entry)
        summary.prompt_tokens += entry.call.tokens
        summary.shared_tokens += entry.call.shared
        if answer is None or answer.state != "done":
            incomplete[key] = None
        if answer is None:
            continue
        summary.calls[answer.state] += 1
        if answer.error:
            summary.troubles.append(Trouble(key, category, answer.error))
        if answer.details.get("cut_prompt"):
            sentence = (
                f"The server read only {answer.tokens_in} of about {answer.details['estimated_tokens']} "
                "tokens: part of the report was lost on the way."
            )
            summary.troubles.append(Trouble(key, category, sentence))
        summary.troubles += [
            Trouble(key, category, problem) for problem in answer.details.get("problems", ())
        ]
    summary.incomplete = list(incomplete)
    answers = [answer for entry in work.entries if (answer := work.answer(entry))]
    summary.tokens_in = total(answer.tokens_in for answer in answers)
    summary.tokens_out = total(answer.tokens_out for answer in answers)
    summary.seconds = total(answer.seconds for answer in answers)
    summary.prefill_seconds = total(answer.details.get("prefill_seconds") for answer in answers)


def _count_findings(project: Project, work: Work, summary: ModelSummary) -> None:
    key_of = {report.uuid: report.key for report in work.reports}
    summary.findings = dict.fromkeys(key_of.values(), 0)
    if work.run is None:
        return
    for annotation in read_annotations(project, annotator=work.run.annotator):
        if annotation.document in key_of and annotation.finding.category in work.wanted:
            summary.findings[key_of[annotation.document]] += 1
            summary.groundings[annotation.finding.grounding] += 1
    for review in reviews(project):
        if review.annotator == work.run.annotator and review.document in key_of:
            summary.nothing_found += len(set(review.nothing_found) & set(work.wanted))
