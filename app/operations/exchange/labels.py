"""What came along in files: quotes placed in their text, regions, and labels said to stand for categories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.formats.record import GivenRegion, Imported, QuoteDetails, Span
from app.formats.writing import write_atomically
from app.operations.annotate.regions import Marked, place_region
from app.operations.project.opening import opened
from app.operations.project.sets import actor
from app.store.act import Act, begin_act
from app.store.annotate.annotations import Annotation, add_annotations, read_annotations
from app.store.annotate.annotators import ensure_annotator, kind_of
from app.store.annotate.carried import (
    Carried,
    LabelMeaning,
    add_carried,
    label_meanings,
    link_carried,
    read_carried,
    set_label_meanings,
)
from app.store.annotate.reviews import review_of, set_review
from app.store.reports.documents import StoredDocument, document
from app.store.reports.figures import regions
from app.text import counted
from extractors.model.coding import Coding
from extractors.model.errors import CasespanError
from extractors.model.finding import Finding, Grounding, Polarity
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.formats.labels import Meaning
    from app.store.project import Project
    from extractors.model.scheme import Scheme
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


@dataclass(frozen=True, slots=True)
class KeptLabel:
    """A label that came along, how many annotations are kept under it, and what it stands for.

    `meaning` is None where it is to stay as it is, `decided` says whether that was said.
    """

    label: str
    annotations: int
    meaning: Meaning | None
    decided: bool


@dataclass(frozen=True, slots=True)
class LabelSummary:
    """The labels as they are then; `moved` annotations became quotes of a category, `notes` say of which
    something had to be changed."""

    labels: tuple[KeptLabel, ...]
    moved: int = 0
    notes: tuple[str, ...] = ()


def kept_labels(project: Project) -> tuple[KeptLabel, ...]:
    """Every label under which annotations are kept or of which something was said, by name."""
    meanings = remembered_labels(project)
    counts = Counter(one.label for one in read_carried(project) if one.label and one.annotation is None)
    return tuple(
        KeptLabel(label, counts[label], meanings.get(label), label in meanings)
        for label in sorted(counts.keys() | meanings.keys())
    )


def label_table(project: Project) -> str:
    """What labels stand for as TOML, with "" for those of which nothing was said."""
    from app.formats.labels import label_map_text

    return label_map_text({one.label: one.meaning for one in kept_labels(project)})


def meaning_of(category: str, field: str = "", polarity: Polarity | None = None) -> Meaning | None:
    """What a label stands for, None where no category is named."""
    from app.formats.labels import Meaning

    return Meaning(category, field, polarity) if category else None


def read_label_table(path: Path, scheme: Scheme) -> dict[str, Meaning | None]:
    """What a TOML file says of labels; raises FormatError."""
    from app.formats.labels import read_label_map

    return read_label_map(path, scheme)


def save_label_table(path: Path, known: Mapping[str, Meaning | None]) -> None:
    """Write what labels stand for as TOML; raises StorageError."""
    from app.formats.labels import label_map_text

    write_atomically(path, label_map_text(known))


def set_labels(
    where: Project | Path, given: Path | Mapping[str, Meaning | None]
) -> Generator[Progress, None, LabelSummary]:
    """Remember what labels stand for, and make quotes of the annotations kept under them, in one act.

    Raises FormatError for a bad file, what opening the project raises; closed early, all stays as it was.
    """
    from extractors.rules import PolarityReader

    with opened(where, write=True) as project:
        moved, notes = 0, list[str]()
        with begin_act(project, "say what labels stand for", actor(project)) as act:
            meanings = remember_labels(act, given)
            waiting: dict[tuple[str, str], list[Carried]] = {}
            for one in read_carried(project):
                if one.annotation is None and one.quote.strip() and meanings.get(one.label) is not None:
                    waiting.setdefault((one.document, one.annotator), []).append(one)
            polarities = PolarityReader()
            for done, kept in enumerate(waiting.values(), start=1):
                moved += len(kept)
                notes += _move(act, kept, meanings, polarities)
                yield Progress(done, len(waiting), "reports gone through")
        return LabelSummary(kept_labels(project), moved, tuple(notes))


def _move(
    act: Act, kept: list[Carried], meanings: Mapping[str, Meaning | None], polarities: PolarityReader
) -> list[str]:
    """Make quotes of what one annotator has in one report; returns what had to be changed."""
    from app.formats.labels import details

    stored, holder = document(act.project, kept[0].document), kept[0].annotator
    by_category: dict[str, list[Carried]] = {}
    given: dict[str, list[QuoteDetails]] = {}
    for one in kept:
        meaning = meanings[one.label]
        assert meaning is not None
        by_category.setdefault(meaning.category, []).append(one)
        given.setdefault(meaning.category, []).append(replace(details(span_of(one), meaning), span=None))
    quotes = {category: [one.quote for one in own] for category, own in by_category.items()}
    placed = store_quotes(act, stored, holder, quotes, given, polarities)
    rows = [one for own in by_category.values() for one in own]
    link_carried(act, {row.uuid: one.uuid for row, one in zip(rows, placed.annotations, strict=True)})
    before = review_of(act.project, stored.uuid, holder)
    set_review(
        act,
        stored.uuid,
        holder,
        state="done" if before.state == "untouched" else before.state,
        looked_at=[*before.looked_at, *(one for one in quotes if one not in before.looked_at)],
        nothing_found=[one for one in before.nothing_found if one not in quotes],
    )
    return [f"{stored.key}: {note}" for note in placed.notes]


def remembered_labels(project: Project) -> dict[str, Meaning | None]:
    """What the project was told that labels stand for."""
    from app.formats.labels import Meaning

    return {
        one.label: Meaning(one.category, one.field, one.polarity or None)  # type: ignore[arg-type]
        if one.category
        else None
        for one in label_meanings(project)
    }


def label_meanings_with(
    project: Project, given: Path | Mapping[str, Meaning | None] | None
) -> dict[str, Meaning | None]:
    """What labels stand for in the project, and by what is given besides; raises FormatError."""
    return {**remembered_labels(project), **_read(project, given)}


def remember_labels(act: Act, given: Path | Mapping[str, Meaning | None] | None) -> dict[str, Meaning | None]:
    """Take what is said of labels into the project; returns all it knows then. Raises FormatError."""
    meanings = _read(act.project, given)
    set_label_meanings(act, [_stored(label, meaning) for label, meaning in meanings.items()])
    return remembered_labels(act.project)


def _read(
    project: Project, given: Path | Mapping[str, Meaning | None] | None
) -> Mapping[str, Meaning | None]:
    return read_label_table(given, project.scheme) if isinstance(given, Path) else given or {}


def _stored(label: str, meaning: Meaning | None) -> LabelMeaning:
    if meaning is None:
        return LabelMeaning(label, "", "", "")
    return LabelMeaning(label, meaning.category, meaning.field, meaning.polarity or "")
