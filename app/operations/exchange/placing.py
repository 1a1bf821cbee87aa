"""What came along in files, as the project has it: quotes placed in their text, regions marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from app.operations.annotate.regions import Marked, place_region
from app.store.annotate.carried import Carried
from app.text import counted
from extractors.model.errors import CasespanError
from extractors.model.finding import Finding, Grounding

if TYPE_CHECKING:
    from app.formats.record import GivenRegion, Imported, QuoteDetails, Span
    from app.store.act import Act
    from app.store.annotate.annotations import Annotation
    from app.store.reports.documents import StoredDocument
    from extractors.model.coding import Coding
    from extractors.rules import PolarityReader

_PLACED = ("fragments", "polarity", "field", "note", "own")


def carried_span(span: Span, document: str, annotator: str, annotation: str | None = None) -> Carried:
    """A span as it is stored, with the annotation (UUID) that it became."""
    start, end = span.place or (None, None)
    value = {name: getattr(span, name) for name in _PLACED if getattr(span, name)}
    if span.concepts:
        value["concepts"] = [asdict(one) for one in span.concepts]
    return Carried("", document, annotator, annotation, span.label, span.quote, start, end, value)


def span_of(carried: Carried) -> Span:
    """A stored span as its file gave it."""
    from app.formats.record import Span
    from extractors.model.coding import Coding

    place = None if carried.start is None or carried.end is None else (carried.start, carried.end)
    value: dict[str, Any] = {name: carried.value[name] for name in _PLACED if name in carried.value}
    if "fragments" in value:
        value["fragments"] = tuple((start, end) for start, end in value["fragments"])
    if "concepts" in carried.value:
        value["concepts"] = tuple(Coding(**one) for one in carried.value["concepts"])
    return Span(carried.label, carried.quote, place, **value)


def carried_of(record: Imported, document: str, annotator: str) -> list[Carried]:
    """What of a record is no quote: annotations under labels of its own, and what else it says."""
    given = [carried_span(span, document, annotator) for span in record.spans or ()]
    if record.rest:
        given.append(Carried("", document, annotator, None, "", "", None, None, dict(record.rest)))
    return given


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


def take_regions(act: Act, stored: StoredDocument, annotator: str, record: Imported) -> list[str]:
    """Mark a record's regions as those of an annotator (name) who has none here; sentences on the others."""
    from app.store.annotate.annotations import read_annotations
    from app.store.annotate.annotators import ensure_annotator, kind_of
    from app.store.reports.figures import regions

    holder = ensure_annotator(act, annotator, kind_of(annotator)).uuid
    if regions(act.project, stored.uuid, holder):
        return [f"{annotator} has regions in {stored.key} already; they stay as they are."]
    own = read_annotations(act.project, stored.uuid, holder)
    reasons: dict[str, int] = {}
    for one in record.regions:
        marked = Marked(one.category, one.finding, one.note, _goes_with(one, own))
        try:
            place_region(act, annotator, (stored.key, one.figure, one.picture), one.box, marked)
        except CasespanError as error:
            reasons[str(error)] = reasons.get(str(error), 0) + 1
    return [
        f"{counted(number, 'region')} on pictures of {stored.key} not taken over: {reason}"
        for reason, number in reasons.items()
    ]


def _goes_with(region: GivenRegion, own: list[Annotation]) -> str | None:
    """The annotation (UUID) that the file's quote became, nearest to where the file has it."""
    if region.span is None:
        return None
    category, quote, place = region.span
    found = [one for one in own if (one.finding.category, one.finding.quote) == (category, quote)]
    start = place[0] if place else 0
    nearest = min(found, key=lambda one: abs((one.finding.start or 0) - start), default=None)
    return nearest.uuid if nearest else None
