"""What a reader hands over and what a writer takes: the same types for every format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from app.formats.plain import control_notes, title_line
from extractors.model.coding import Coding
from extractors.model.document import Document
from extractors.model.figure import Figure
from extractors.model.finding import Finding, Polarity

if TYPE_CHECKING:
    from app.formats.pictures.found import PictureFiles
    from extractors.model.scheme import Scheme

# Of one report; the densest that are known have some hundred.
MOST_ANNOTATIONS = 100_000
_PMCID = re.compile(r"(?:PMC)?(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Span:
    """An annotation as a file gives it, under the file's own label.

    `place`, and `fragments` where it is discontinuous, are code points of the text. `own` has, by format
    (id), what that format needs to write the annotation again as it came, as JSON.
    """

    label: str
    quote: str
    place: tuple[int, int] | None = None
    fragments: tuple[tuple[int, int], ...] = ()
    polarity: Polarity | None = None
    own: Mapping[str, Any] = field(default_factory=dict)
    field: str = ""
    note: str = ""
    concepts: tuple[Coding, ...] = ()

    def parts(self, start: int | None, end: int | None) -> tuple[tuple[int, int], ...]:
        """Its fragments where it is held to stand from `start` to `end`; else that stretch, or nothing."""
        if self.fragments and (self.fragments[0][0], self.fragments[-1][1]) == (start, end):
            return self.fragments
        return () if start is None or end is None else ((start, end),)


@dataclass(frozen=True, slots=True)
class QuoteDetails:
    """What a file says of a quote beside its words; None where it does not say.

    `place` is start and end in code points of the file's own text; of `concepts` the release may be "".
    `span` is the annotation as the file gives it, where there is more to it than a quote has a place for.
    """

    place: tuple[int, int] | None = None
    polarity: Polarity | None = None
    field: str = ""
    concepts: tuple[Coding, ...] = ()
    note: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class GivenRegion:
    """A box (left, top, width, height in pixels) on a picture (figure id and SHA-256), as a file gives it.

    `span` is the quote that it goes with, by category, words and place.
    """

    figure: str
    picture: str
    box: tuple[int, int, int, int]
    category: str
    finding: str = ""
    note: str = ""
    span: tuple[str, str, tuple[int, int] | None] | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """A report that was read.

    `source` names the file (and the member or record in it), `source_sha256` is the digest of its bytes,
    `key` what the file calls the report, if anything.
    `figures` are those that the source has, None where its format knows none, `pictures` where their files
    are looked for, `regions` boxes on them, `concepts` what the report is about as a whole, with what people
    said of its views: `aliases` to hide in them, `cut` where T4 ends (0 for nothing said). `quotes` maps
    category ids to the quotes that came along, not yet grounded, None where the format has none; `details`
    has, in order, what else the file says of them, or nothing. `spans` are annotations under labels of
    the file's own, of which some may be categories (app/formats/labels.py), None where the format has none;
    `rest` has, by format (id), what else came along and is written back only. `notes` are sentences on what
    had to be assumed, `read_as` says what the file was taken for.
    """

    document: Document
    source: str
    source_sha256: str
    quotes: Mapping[str, tuple[str, ...]] | None = None
    notes: tuple[str, ...] = ()
    details: Mapping[str, tuple[QuoteDetails, ...]] = field(default_factory=dict)
    read_as: str = ""
    spans: tuple[Span, ...] | None = None
    rest: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""
    figures: tuple[Figure, ...] | None = None
    pictures: PictureFiles | None = None
    concepts: tuple[Coding, ...] = ()
    aliases: tuple[str, ...] = ()
    cut: int = 0
    regions: tuple[GivenRegion, ...] = ()

    @property
    def annotated(self) -> bool:
        """Whether annotations came along, be they none."""
        return self.quotes is not None or self.spans is not None

    def claim_pictures(self) -> None:
        """Have the pictures that its figures name be none of the files that are left out."""
        if self.pictures is not None:
            for image in (image for figure in self.figures or () for image in figure.images):
                self.pictures.found(image.href)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file, or a report in it, that is not imported, and why. `failed`: it could not be read."""

    source: str
    title: str
    reason: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Pause:
    """A file is still being read: the moment to do something else, or to give up."""

    source: str


@dataclass(frozen=True, slots=True)
class Pasted:
    """A text that was pasted; `broken` where its lines end in mid-sentence and are to be joined."""

    text: str
    title: str = ""
    broken: bool = False


@dataclass(frozen=True, slots=True)
class ExportedAnnotation:
    """An annotation on its way out: what was found, where it came from, and who holds it.

    `source` says as JSON what a gold quote was made of, "" for others; `span` is the annotation as it came
    out of another file.
    """

    finding: Finding
    origin: str
    annotator: str
    source: str = ""
    concepts: tuple[Coding, ...] = ()
    note: str = ""
    span: Span | None = None

    @property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """Its place in code points, in more than one part where it is discontinuous; () without a place."""
        start, end = self.finding.start, self.finding.end
        if self.span is not None:
            return self.span.parts(start, end)
        return () if start is None or end is None else ((start, end),)


@dataclass(frozen=True, slots=True)
class ExportedTerm:
    """A term of a report's profile, present or denied, with the annotations that say so, by place.

    `onset` is an age or time as ISO 8601 has it ("P3Y"), or a code; "" where that is not said.
    """

    terminology: str
    release: str
    code: str
    label: str
    denied: bool
    annotations: tuple[ExportedAnnotation, ...]
    onset: str = ""


@dataclass(frozen=True, slots=True)
class Whole:
    """What the reports of one export have in common.

    `scheme` is the project's; `agreement` is known between people: (measure, between whom, value). A data set
    is divided by `seed` into `splits` of so many parts for training, validation and test.
    """

    scheme: Scheme | None = None
    agreement: tuple[tuple[str, str, str], ...] = ()
    seed: int = 0
    splits: tuple[int, ...] = (80, 10, 10)


@dataclass(frozen=True, slots=True)
class ReportExport:
    """One report for a writer: `key` is its id, `annotations` are by category and in rank order.

    `looked_at` are the categories that the annotator has looked at, in scheme order, found something or not.
    `profile` is for the formats that want it, which get no annotations.
    `spans` came under labels that the scheme lacks, `rest` with them, by format (id); `annotator` is whose
    all of it is. `concepts` are what the report is about as a whole, `aliases` and `cut` as in `Imported`,
    `regions` boxes on its pictures as `casespan regions` has them, but that `span` is the position of an
    annotation here.
    """

    document: Document
    key: str
    annotations: tuple[ExportedAnnotation, ...]
    looked_at: tuple[str, ...]
    spans: tuple[Span, ...] = ()
    rest: Mapping[str, Any] = field(default_factory=dict)
    annotator: str = ""
    whole: Whole = Whole()
    profile: tuple[ExportedTerm, ...] = ()
    concepts: tuple[Coding, ...] = ()
    aliases: tuple[str, ...] = ()
    cut: int = 0
    regions: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class ReadBack:
    """How far a file that was written says the same as what was to be written.

    `by` is who read it; `kept` annotations are the same, `missing` and `unexpected` are described (the first
    of them), `reports` are those found again.
    """

    by: str
    reports: int
    kept: int
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    missing_number: int = 0
    unexpected_number: int = 0

    @property
    def same(self) -> bool:
        """Whether all is there, and nothing else."""
        return not (self.missing_number or self.unexpected_number)


def concepts_lost(reports: Sequence[ReportExport], what: str) -> Iterator[str]:
    """A sentence where a format has no place for concepts, or for `what` of them."""
    coded = sum(
        sum(bool(one.concepts) for one in report.annotations)
        + sum(bool(one.concepts) for one in report.spans)
        for report in reports
    )
    if coded:
        yield f"{what} (annotations that have one: {coded})."


def fit(record: Imported | LeftOut, name: str) -> Imported | LeftOut:
    """What holds for the reports of every reader: a title of one line or `name`, some content, no flood.

    A text is kept as it is; notes say where it holds control characters, or no words that a span has.
    """
    if isinstance(record, LeftOut):
        return replace(record, title=title_line(record.title) or name)
    title = title_line(record.document.title) or name
    if not record.document.text and not record.annotated:
        return LeftOut(record.source, title, "The report has no body text; get its full text.", failed=True)
    number = sum(map(len, (record.quotes or {}).values())) + len(record.spans or ())
    if number > MOST_ANNOTATIONS:
        reason = f"It has {number:,} annotations; a report may have {MOST_ANNOTATIONS:,}."
        return LeftOut(record.source, title, reason, failed=True)
    text, spans = record.document.text, record.spans or ()
    astray = sum(bool(text and one.place and not _stands(one, text)) for one in spans)
    notes = (*record.notes, *control_notes(text))
    if astray:
        they = "annotation keeps its words" if astray == 1 else "annotations keep their words"
        notes += (f"{astray:,} {they}, which the text does not have at the place given.",)
    return replace(record, document=replace(record.document, title=title), notes=notes)


def _stands(span: Span, text: str) -> bool:
    there = " ".join([text[start:end] for start, end in span.fragments or (span.place or (0, 0),)])
    whole = text[slice(*span.place)] if span.place else ""
    return span.quote in (there, whole) or span.quote.split() in (there.split(), whole.split())


def unforeseen(source: str, title: str, error: Exception) -> LeftOut:
    """A file that met a fault of the program: it costs that file, and not those that come after it."""
    reason = f"The file could not be read; please report this file ({type(error).__name__})."
    return LeftOut(source, title, reason, failed=True)


def pmcid(value: str) -> str:
    """A PMC number without its letters ("PMC8017196" is 8017196); anything else as it is."""
    match = _PMCID.fullmatch(value.strip())
    return match[1] if match else value.strip()
