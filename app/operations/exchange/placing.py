"""Quotes that come along with a report, placed in its text and stored with what the file says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from app.operations.exchange.carrying import carried_span
from extractors.model.finding import Finding, Grounding

if TYPE_CHECKING:
    from app.formats.record import QuoteDetails
    from app.store.act import Act
    from app.store.annotate.annotations import Annotation
    from app.store.reports.documents import StoredDocument
    from extractors.model.coding import Coding
    from extractors.rules import PolarityReader


@dataclass(slots=True)
class Placed:
    """Annotations as they were stored, how each was placed, and sentences on what had to be changed."""

    annotations: list[Annotation] = field(default_factory=list)
    groundings: list[Grounding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def store_quotes(
    act: Act,
    stored: StoredDocument,
    annotator: str,
    quotes: Mapping[str, Sequence[str]],
    values: Mapping[str, Sequence[QuoteDetails]],
    polarities: PolarityReader,
) -> Placed:
    """Store quotes by category of an annotator (UUID), placed or not, each grounded in the stored text.

    `said` has, in the same order, what the file says of them, or nothing at all. A place counts where the
    text says the quote there; else the quote's own nearest to it is taken.
    """
    from app.store.annotate.annotations import add_annotations
    from app.store.annotate.carried import add_carried
    from extractors.tasks.findings import ReportReader
    from extractors.tasks.replies import ReplyQuote

    reader = ReportReader(stored.document, polarities)
    given = [([ReplyQuote(category, "", quote) for quote in own], ()) for category, own in quotes.items()]
    placed = reader.place_quotes(given, repeats=True)
    findings, groundings = [finding for finding, _ in placed], [grounding for _, grounding in placed]
    details = [one for category in quotes for one in values.get(category, ())]
    found = Placed(groundings=groundings)
    if details:
        findings = _with_details(act, stored, findings, details, found)
    found.annotations = add_annotations(
        act,
        stored.uuid,
        annotator,
        findings,
        "imported",
        groundings=found.groundings,
        notes=[one.note for one in details],
        concepts=_concepts(details, found) if details else (),
    )
    pairs = zip(details, found.annotations, strict=False)
    kept = [(one.span, annotation.uuid) for one, annotation in pairs if one.span is not None]
    add_carried(act, [carried_span(span, stored.uuid, annotator, uuid) for span, uuid in kept])
    return found


def _concepts(details: Sequence[QuoteDetails], found: Placed) -> list[tuple[Coding, ...]]:
    """What the quotes stand for, retired and merged codes mapped, which is noted."""
    from app.operations.annotate.concepts import current_codings

    kept, notes = current_codings([one.concepts for one in details])
    found.notes += notes
    return kept


def _with_details(
    act: Act,
    stored: StoredDocument,
    findings: Sequence[Finding],
    details: Sequence[QuoteDetails],
    found: Placed,
) -> list[Finding]:
    """Findings with the place, polarity and field that the file gives them; adds to what was found."""
    text = stored.document.text
    kept: list[Finding] = []
    unknown = moved = 0
    for number, (finding, one) in enumerate(zip(findings, details, strict=True)):
        grounding = found.groundings[number]
        if one.place is not None and 0 <= one.place[0] < one.place[1]:
            grounding = _grounded_near(grounding, one.place, finding.quote, text)
            moved += grounding.start is not None and (grounding.start, grounding.end) != one.place
        found.groundings[number] = grounding
        fields = act.project.scheme.category(finding.category).fields
        unknown += bool(one.field) and one.field not in fields
        kept.append(
            replace(
                finding,
                start=grounding.start,
                end=grounding.end,
                grounding=grounding.status,
                reason=grounding.reason,
                polarity=one.polarity or finding.polarity,
                field=one.field if one.field in fields else "",
            )
        )
    if moved:
        found.notes.append(
            f"{stored.key} does not have the quote at the place given; the nearest is taken ({moved})."
        )
    if unknown:
        found.notes.append(
            f"Fields that the scheme lacks are not taken over (annotations that have one: {unknown})."
        )
    return kept


def _grounded_near(grounding: Grounding, place: tuple[int, int], quote: str, text: str) -> Grounding:
    """The place that a file gives, where the text says the quote there, else the nearest equally good one."""
    if text[slice(*place)] == quote:
        return Grounding("exact", *place, 100.0)
    if not grounding.places:
        return grounding
    start, end = min(grounding.places, key=lambda one: (abs(one[0] - place[0]), one))
    return replace(grounding, start=start, end=end)
