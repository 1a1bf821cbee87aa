"""What the answers of a run say of a category of a report, and how that becomes annotations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.store.annotate.annotations import add_annotations, delete_annotations
from app.store.annotate.reviews import ReviewState, review_of, set_review
from extractors.tasks.replies import Reply

if TYPE_CHECKING:
    from app.operations.extract.entry import Source
    from app.store.act import Act
    from app.store.extract.runs import CallRecord
    from extractors.model.finding import Finding, Grounding
    from extractors.tasks.base import Form
    from extractors.tasks.findings import ReportReader


@dataclass(frozen=True, slots=True)
class CellResult:
    """What a run says of one report in one category; `whole` where every part of it was answered in full."""

    category: str
    findings: tuple[tuple[Finding, Grounding], ...]
    whole: bool


def read_cell(
    category: str, answers: Iterable[tuple[CallRecord | None, Form]], reader: ReportReader
) -> CellResult:
    """Put together what the answers, part by part, say of a category."""
    parts = []
    whole = True
    for answer, form in answers:
        reply: Reply = form.read((answer and answer.raw_reply) or "").value
        shown = [(start, end) for start, end in answer.details.get("spans", ())] if answer else []
        parts.append(([quote for quote in reply.quotes if quote.category == category], shown))
        whole &= answer is not None and category in _whole(answer, reply)
    return CellResult(category, tuple(reader.place_quotes(parts)), whole)


def _whole(answer: CallRecord, reply: Reply) -> tuple[str, ...]:
    """The categories of which an answer says all it has to say.

    Of a reply that was cut or malformed these are the ones with another behind them: what stands last may
    have been followed by more. Where the call failed or the report was not read whole, there are none.
    """
    if answer.state == "done":
        return reply.answered
    if answer.state == "incomplete" and not answer.details.get("cut_prompt"):
        return tuple(category for category in reply.answered if category != reply.last)
    return ()


def write_cells(
    act: Act, report: Source, holder: str, cells: Sequence[CellResult], wanted: Iterable[str]
) -> None:
    """Put the cells in the place of what the run (its annotator's UUID) had there.

    Only a category answered in full counts as looked at, and then gives way only to one that is as well; the
    review is done when all `wanted` are.
    """
    before = review_of(act.project, report.uuid, holder)
    looked_at, nothing = set(before.looked_at), set(before.nothing_found)
    for cell in cells:
        if cell.category in looked_at and not cell.whole:
            continue
        findings = [finding for finding, _ in cell.findings]
        delete_annotations(act, report.uuid, holder, cell.category)
        groundings = [grounding for _, grounding in cell.findings]
        add_annotations(act, report.uuid, holder, findings, "model", groundings=groundings)
        looked_at.discard(cell.category)
        nothing.discard(cell.category)
        if cell.whole:
            looked_at.add(cell.category)
            nothing |= set() if findings else {cell.category}
    state: ReviewState = "done" if looked_at.issuperset(wanted) else "in progress"
    set_review(act, report.uuid, holder, state=state, looked_at=looked_at, nothing_found=nothing)
