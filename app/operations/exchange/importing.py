"""Bring reports, and annotations that come with them, into a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from app.formats import read_pasted, read_with_pauses
from app.formats.record import Imported, LeftOut, Pasted, Pause
from app.messages import licences_in
from app.operations.exchange.certifying import changed_since
from app.operations.exchange.figures import take_figures
from app.operations.exchange.labels import Placed, carried_of, remember_labels, store_quotes, take_regions
from app.operations.project.figures import count_figures
from app.operations.project.opening import bringing, opened
from app.operations.project.sets import actor
from app.operations.study.items import close_to_others
from app.store.act import Act, begin_act
from app.store.annotate.annotators import ensure_annotator, kind_of
from app.store.annotate.carried import add_carried, read_carried
from app.store.annotate.reviews import review_of, set_review
from app.store.reports.documents import (
    StoredDocument,
    add_document,
    document,
    find_same,
    natural_key,
    same_text,
)
from app.store.study.items import mark
from app.text import counted, shortened
from extractors.model.errors import UnknownNameError
from extractors.model.finding import PLACED, Grounding
from extractors.model.progress import Progress

if TYPE_CHECKING:
    from app.formats.filters import ImportFilter
    from app.formats.labels import Meaning
    from app.store.project import Project
    from extractors.model.document import Document
    from extractors.rules import PolarityReader

DEFAULT_ANNOTATOR = "imported"
GOLD = "gold"
# A file, a folder, a package, or a text that was pasted.
Source: TypeAlias = "Path | Pasted"


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What the files are, whose annotations they carry, and which reports to keep.

    `terms` is a file with a disease list, one term a line: reports that mention none are left out. `labels`
    is a table of what labels of the files stand for, which the project remembers. Without `pictures` figures
    come along and the bytes of their pictures do not.
    """

    file_format: str = "auto"
    annotator: str = DEFAULT_ANNOTATOR
    only_case_reports: bool = False
    exclude_titles: bool = False
    terms: Path | None = None
    labels: Path | None = None
    pictures: bool = True


@dataclass(frozen=True, slots=True)
class ImportedReport:
    """A report that is new in the project."""

    key: str
    title: str
    source: str


@dataclass(frozen=True, slots=True)
class ImportNote:
    """What had to be assumed or changed about a file, in a sentence."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class UnplacedQuote:
    """An imported quote that is kept without a place in its report, and why."""

    key: str
    category: str
    quote: str
    grounding: Grounding


@dataclass(slots=True)
class ImportSummary:
    """What an import did: every file, report and quote is in one of these lists.

    `labels` counts annotations under labels that the scheme lacks, which are kept as they came, `figures`
    what figures brought by kind (app/operations/project/figures.py).
    """

    added: list[ImportedReport] = field(default_factory=list)
    repeated: list[LeftOut] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    notes: list[ImportNote] = field(default_factory=list)
    annotations: Counter[str] = field(default_factory=Counter)
    nothing_found: int = 0
    unplaced: list[UnplacedQuote] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)
    figures: Counter[str] = field(default_factory=Counter)

    @property
    def empty(self) -> bool:
        """Whether there was nothing to import."""
        lists = (self.added, self.repeated, self.left_out, self.annotations, self.labels)
        return not (any(lists) or self.nothing_found)


def import_reports(
    where: Project | Path, sources: Sequence[Source], options: ImportOptions | None = None
) -> Generator[Progress, None, ImportSummary]:
    """Read every source into the project there, in one act.

    A report that is there already is not added again; quotes that come with it go to the report that is
    there. One bad file is listed and the rest imported. Raises what opening the project raises, FormatError
    for a bad disease list; then, or when closed early, the project stays as it was.
    """
    options = options or ImportOptions()
    keep = import_filter(options.only_case_reports, options.exclude_titles, options.terms)
    with opened(where, write=True) as project:
        files = [one for one in sources if isinstance(one, Path)]
        with bringing(project, files), begin_act(project, "import reports", actor(project)) as act:
            labels = remember_labels(act, options.labels)
            importer = _Importer(act, options.annotator, keep, pictures=options.pictures)
            done = 0
            for record in _with_quotes_last(read_sources(project, sources, options.file_format, labels)):
                if not isinstance(record, Pause):
                    importer.take(record)
                    done += 1
                yield Progress(done, 0, called(record))
            mark(act, importer.licences)
        close_to_others(project)
        exports = {str(one): changed_since(one) for one in files}
        importer.summary.notes += [ImportNote(name, note) for name, note in exports.items() if note]
        return importer.summary


def pasted(text: str, title: str = "", broken: bool | None = None) -> Pasted:
    """A pasted text as a source; unless it is said whether its lines are `broken`, that is judged by them."""
    from app.formats.documents.joining import has_broken_lines

    return Pasted(text, title, has_broken_lines(text) if broken is None else broken)


def called(record: Imported | LeftOut | Pause) -> str:
    """What a reader knows it by; where it stands on the disk is said of what is left out."""
    if isinstance(record, Pause):
        return f"Reading {Path(record.source).name}"
    return record.document.title if isinstance(record, Imported) else record.title


def import_filter(only_case_reports: bool, exclude_titles: bool, terms: Path | None) -> ImportFilter:
    """Which reports to keep; raises FormatError for a bad disease list."""
    from app.formats.filters import ImportFilter, read_terms

    return ImportFilter(only_case_reports, exclude_titles, read_terms(terms) if terms else ())


def find_stored(project: Project, given: Document) -> StoredDocument | None:
    """The report of the project that a file speaks of, None where there is none yet."""
    stored, name = find_same(project, given), given.identifiers.get("pmcid", "")
    if stored is None and name:
        # A report without a PMC number travels under its short name here.
        with suppress(UnknownNameError):
            stored = document(project, name)
    return stored


def read_sources(
    project: Project,
    sources: Iterable[Source],
    file_format: str,
    labels: Mapping[str, Meaning | None],
) -> Iterator[Imported | LeftOut | Pause]:
    """All that is in files, folders and pasted texts, with pauses where reading takes long."""
    for source in sources:
        if isinstance(source, Path):
            yield from read_with_pauses(source, file_format, project.scheme.ids, labels)
        else:
            yield read_pasted(source, project.scheme.ids)


def _with_quotes_last(
    records: Iterable[Imported | LeftOut | Pause],
) -> Iterator[Imported | LeftOut | Pause]:
    """Records that bring quotes come last, when the articles they speak of are there."""
    waiting = []
    for record in records:
        if isinstance(record, Imported) and record.annotated:
            waiting.append(record)
        else:
            yield record
    yield from waiting


class _Importer:
    """Puts record after record where it belongs, within one act."""

    def __init__(self, act: Act, annotator: str, keep: ImportFilter, *, pictures: bool) -> None:
        self.summary = ImportSummary()
        self._act = act
        self._annotator = annotator
        self._keep = keep
        self._pictures = pictures
        self.licences: set[str] = set()

    @cached_property
    def _polarities(self) -> PolarityReader:
        from extractors.rules import PolarityReader

        return PolarityReader()

    def take(self, record: Imported | LeftOut) -> None:
        """Add a report, its quotes, or an entry to the list of what was not added."""
        if isinstance(record, LeftOut):
            self.summary.left_out.append(record)
            return
        self.summary.notes += [ImportNote(record.source, note) for note in record.notes]
        self.licences.update(licences_in(record.document.metadata.get("licence", "")))
        if self._pictures:
            record.claim_pictures()
        stored = self._stored(record) or self._added(record)
        if stored is not None and record.annotated:
            self._take_annotations(stored, record)
        if stored is not None and record.regions:
            notes = take_regions(self._act, stored, self._annotator, record)
            self.summary.notes += [ImportNote(record.source, note) for note in notes]

    def _stored(self, record: Imported) -> StoredDocument | None:
        """The report that is there already; says so where the record brings nothing else."""
        stored = find_stored(self._act.project, record.document)
        if stored is None:
            return None
        if record.document.text and not same_text(stored, record.document):
            note = f"its text differs from that of {stored.key} in the project, which stays as it is"
            self.summary.notes.append(ImportNote(record.source, note))
        if not record.annotated:
            reason = f"is in the project already, as {stored.key}"
            self.summary.repeated.append(LeftOut(record.source, record.document.title, reason))
        return stored

    def _added(self, record: Imported) -> StoredDocument | None:
        """The new report, or None where it is left out."""
        from app.operations.annotate.anchors import take_anchor
        from extractors.text.repair import repair

        document = record.document
        reason = self._keep.reason(document) if document.text else None
        if not document.text:
            missing = "it has no text, and the project has no report of that number"
            self.summary.left_out.append(LeftOut(record.source, document.title, missing, failed=True))
            return None
        if reason:
            self.summary.left_out.append(LeftOut(record.source, document.title, reason))
            return None
        stored = add_document(self._act, document, record.source, record.source_sha256, record.key)
        if record.concepts:
            take_anchor(self._act, stored.uuid, record.concepts[0], record.aliases, record.cut)
        name = natural_key(document, record.source, record.key)
        if stored.key != name:
            note = f"another report is called {name} already, with another text; this one is {stored.key}"
            self.summary.notes.append(ImportNote(record.source, note))
        garbled = len(repair(document.text).garbled)
        if garbled:
            note = (
                f"A wrong decoding garbled {stored.key} in {counted(garbled, 'place')}; the text stays as it "
                "came, and rules and look-ups read what was meant."
            )
            self.summary.notes.append(ImportNote(record.source, note))
        self.summary.added.append(ImportedReport(stored.key, document.title, record.source))
        if record.figures is not None:
            self._take_figures(stored, record)
        return stored

    def _take_figures(self, stored: StoredDocument, record: Imported) -> None:
        """Keep a report's figures with their pictures; those that are refused are named, one by one."""
        found = take_figures(self._act, stored, record, pictures=self._pictures)
        self.summary.figures.update(count_figures([found]))
        for figure in found:
            for image in figure.images:
                if image.state == "refused":
                    source = f"{record.source}: {image.file or image.href}"
                    self.summary.left_out.append(LeftOut(source, figure.called, image.reason))

    def _take_annotations(self, stored: StoredDocument, record: Imported) -> None:
        """Keep a record's quotes, and what else came along unless something did before."""
        holder = ensure_annotator(self._act, self._annotator, kind_of(self._annotator)).uuid
        before = read_carried(self._act.project, holder, stored.uuid)
        self._take_quotes(stored, record, record.quotes or {}, holder)
        given = carried_of(record, stored.uuid, holder)
        if given and before:
            reason = f"{self._annotator} has other programs' labels in {stored.key} already; they stay"
            self.summary.repeated.append(LeftOut(record.source, stored.document.title, reason))
            return
        add_carried(self._act, given)
        self.summary.labels.update(one.label for one in given if one.label)

    def _take_quotes(
        self, stored: StoredDocument, record: Imported, quotes: Mapping[str, Sequence[str]], holder: str
    ) -> None:
        """Ground a record's quotes in the stored text and keep them all, placed or not.

        A category in which the annotator has said something already is not touched again.
        """
        before = review_of(self._act.project, stored.uuid, holder)
        repeated = [category for category in quotes if category in before.looked_at]
        new = [category for category in quotes if category not in before.looked_at]
        if repeated:
            which = "all categories given" if not new else ", ".join(repeated)
            reason = (
                f"{self._annotator} has annotated {stored.key} already in {which}; these stay as they are"
            )
            self.summary.repeated.append(LeftOut(record.source, stored.document.title, reason))
        if not new:
            return
        placed = store_quotes(
            self._act, stored, holder, {one: quotes[one] for one in new}, record.details, self._polarities
        )
        self.summary.notes += [ImportNote(record.source, note) for note in placed.notes]
        self._count(stored.key, placed)
        nothing = [category for category in new if not quotes[category]]
        self.summary.nothing_found += len(nothing)
        set_review(
            self._act,
            stored.uuid,
            holder,
            state="done" if before.state == "untouched" else before.state,
            looked_at=[*before.looked_at, *new],
            nothing_found=[*before.nothing_found, *nothing],
        )

    def _count(self, key: str, placed: Placed) -> None:
        for annotation, grounding in zip(placed.annotations, placed.groundings, strict=True):
            self.summary.annotations[grounding.status] += 1
            if grounding.status not in PLACED:
                finding = annotation.finding
                unplaced = UnplacedQuote(key, finding.category, finding.quote, grounding)
                self.summary.unplaced.append(unplaced)


def describe_annotations(summary: ImportSummary) -> list[str]:
    """How many annotations an import brought, by how they were placed, and how many figures; none of none."""
    parts = []
    if summary.figures["figures"]:
        what = summary.figures
        pictures = [f"{what[one]:,} {one}" for one in ("kept", "missing", "refused") if what[one]]
        found = f" (pictures: {', '.join(pictures)})" if pictures else ""
        parts.append(f"{counted(what['figures'], 'figure')}{found}.")
    if summary.annotations:
        total = counted(sum(summary.annotations.values()), "annotation")
        kinds = ", ".join(f"{number} {status}" for status, number in sorted(summary.annotations.items()))
        parts.append(f"{total} added: {kinds}.")
    if summary.labels:
        kinds = ", ".join(f"{label} {number:,}" for label, number in sorted(summary.labels.items()))
        total = counted(summary.labels.total(), "annotation")
        parts.append(f"{total} under labels that the scheme lacks kept as they are: {kinds}.")
    if summary.nothing_found:
        parts.append(f"{counted(summary.nothing_found, 'category', 'categories')} with nothing found.")
    return parts


def list_unplaced_imports(summary: ImportSummary, width: int) -> list[str]:
    """The imported quotes that have no place, each cut to `width` characters, and why."""
    return [
        f"{one.key}, {one.category}: {shortened(one.quote, width)!r}: {one.grounding.reason}"
        for one in summary.unplaced
    ]
